//! Tests of the emulator: pictures of what bytes draw, properties of the front end, and recorded fixtures.

use super::*;
use crate::base::Attrs;
use crate::base::style::Underline;
use crate::grid::{Direction, Marks, Matcher, Point};
use proptest::prelude::*;

mod fixtures;

fn small() -> Limits {
    Limits { history_lines: 1000, history_bytes: 64 << 20 }
}

fn run(size: (u16, u16), bytes: impl AsRef<[u8]>) -> (Terminal, Output) {
    let mut t = Terminal::new(Size::new(size.0, size.1), small());
    let mut out = Output::default();
    t.feed(bytes.as_ref(), &mut out);
    (t, out)
}

/// Rows of history (above a line of dashes) and screen, blanks at the ends cut, and the cursor.
fn picture(t: &Terminal) -> String {
    let mut buf = RowBuf::new();
    let mut s = String::new();
    let history = t.view().history();
    for n in 0..t.view().rows() {
        if n == history && history > 0 {
            s.push_str("----\n");
        }
        t.view().row(n, &mut buf);
        s.push_str(buf.text().trim_end());
        if buf.wrapped {
            s.push('\\');
        }
        s.push('\n');
    }
    let c = t.cursor();
    s.push_str(&format!("@{},{}{}", c.x, c.y, if c.pending_wrap { "!" } else { "" }));
    s
}

#[track_caller]
fn check(size: (u16, u16), bytes: &str, expected: &str) {
    let (t, _) = run(size, bytes);
    assert_eq!(picture(&t), expected, "after {bytes:?}");
}

#[track_caller]
fn check_reply(bytes: &str, expected: &str) {
    let (_, out) = run((80, 24), bytes);
    assert_eq!(String::from_utf8_lossy(&out.replies), expected, "after {bytes:?}");
}

#[track_caller]
fn check_notices(bytes: &str, expected: &[Notice]) {
    let mut t = Terminal::new(Size::new(80, 24), small());
    t.set(Settings { allow_passthrough: true, allow_rename: true, ..Settings::default() });
    let mut out = Output::default();
    t.feed(bytes.as_bytes(), &mut out);
    assert_eq!(out.notices, expected, "after {bytes:?}");
}

#[track_caller]
fn check_capture(size: (u16, u16), bytes: &str, how: Capture, expected: &str) {
    let (t, _) = run(size, bytes);
    let v = t.view();
    let text = how.print(&v, v.history(), v.rows() - 1);
    let text = String::from_utf8(text).expect("text");
    assert_eq!(text.trim_end_matches('\n'), expected, "after {bytes:?}");
}

#[test]
fn text_wraps_when_the_next_character_comes() {
    check((4, 3), "abcd", "abcd\n\n\n@3,0!");
    check((4, 3), "abcde", "abcd\\\ne\n\n@1,1");
    check((4, 3), "abcd\re", "ebcd\n\n\n@1,0");
    // Without wrapping, what combines goes to the last column and not to the one before.
    check((4, 3), "\x1b[?7labcd\u{301}", "abcd\u{301}\n\n\n@3,0");
    check((4, 3), "\x1b[?7labcdef", "abcf\n\n\n@3,0");
}

#[test]
fn wide_characters_keep_whole() {
    check((4, 2), "日本", "日本\n\n@3,0!");
    check((5, 2), "日本語", "日本\\\n語\n@2,1");
    check((6, 1), "日本\x1b[1;2Hx", " x本\n@2,0");
    check((6, 1), "日本\x1b[1;3Hx", "日x\n@3,0");
    check((6, 1), "e\u{301}x", "e\u{301}x\n@2,0");
    check((8, 1), "👨‍👩‍👧x🇩🇪y", "👨‍👩‍👧x🇩🇪y\n@6,0");
    check((8, 1), "❤\u{fe0f}x", "❤\u{fe0f}x\n@3,0");
}

#[test]
fn history_takes_what_scrolls_off() {
    check((4, 2), "a\r\nb\r\nc", "a\n----\nb\nc\n@1,1");
    check((4, 2), "abcdef\r\nx", "abcd\\\n----\nef\nx\n@1,1");
    check((4, 2), "a\r\nb\r\nc\x1b[3J", "b\nc\n@1,1");
    check((4, 2), "a\r\nb\x1b[H\x1b[2J", "a\nb\n----\n\n\n@0,0");
    check((4, 3), "a\r\nb\r\nc\x1b[2;3r\x1b[3;1H\n", "b\n----\na\nc\n\n@0,2");
}

#[test]
fn editing_and_regions() {
    check((6, 1), "abcdef\x1b[1;3H\x1b[2P", "abef\n@2,0");
    check((6, 1), "abcdef\x1b[1;3H\x1b[2@", "ab  cd\n@2,0");
    check((6, 1), "abcdef\x1b[1;3H\x1b[2X", "ab  ef\n@2,0");
    check((3, 4), "a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[2;1H\x1b[L", "a\n\nb\nd\n@0,1");
    check((3, 4), "a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[2;1H\x1b[M", "a\nc\n\nd\n@0,1");
    check((6, 2), "\x1b(0lqk\x1b(Bx", "┌─┐x\n\n@4,0");
    check((6, 1), "ab\x1b[3b", "abbbb\n@5,0");
    check((3, 2), "\x1b#8", "EEE\nEEE\n@0,0");
    check((6, 1), "abc\x1b[4h\x1b[1;1Hxy", "xyabc\n@2,0");
    check(
        (8, 3),
        "abcdefgh\r\nABCDEFGH\r\n12345678\x1b[?69h\x1b[3;5s\x1b[3;3H\n",
        "abCDEfgh\nAB345FGH\n12   678\n@2,2",
    );
}

#[test]
fn alternate_screens_come_and_go() {
    check((4, 2), "ab\x1b[?1049hxyz\x1b[?1049l", "ab\n\n@2,0");
    check((4, 2), "ab\x1b[?1049hx", "  x\n\n@3,0");
    let (t, _) = run((4, 2), "a\r\nb\r\nc\x1b[?1049h");
    assert!(t.is_alternate());
    assert_eq!(t.view().history(), 0);
    assert_eq!(t.main_view().map(|v| v.history()), Some(1));
}

#[test]
fn styles_come_in_every_form() {
    let style = |bytes: &str| run((80, 1), bytes).0.pen();
    assert_eq!(style("\x1b[1;31m").fg, Colour::ansi(1));
    assert_eq!(style("\x1b[38;5;200m").fg, Colour::indexed(200));
    assert_eq!(style("\x1b[38:2::1:2:3m").fg, Colour::rgb(1, 2, 3));
    assert_eq!(style("\x1b[38:2:1:2:3m").fg, Colour::rgb(1, 2, 3));
    assert_eq!(style("\x1b[48;2;1;2;3;4m").bg, Colour::rgb(1, 2, 3));
    assert_eq!(style("\x1b[48;2;1;2;3;4m").attrs.underline(), Underline::Single);
    assert_eq!(style("\x1b[4:3;58:5:9m").attrs.underline(), Underline::Curly);
    assert_eq!(style("\x1b[4:3;58:5:9m").us, Colour::indexed(9));
    assert_eq!(style("\x1b[1;53m\x1b[22m").attrs, Attrs::OVERLINE);
    assert_eq!(style("\x1b[97;107m").bg, Colour::ansi(15));
}

#[test]
fn erasing_takes_the_background() {
    let (t, _) = run((4, 1), "abc\x1b[41m\x1b[2K");
    assert!((0..4).all(|x| t.names().style(t.row(0).cells[x].style()).bg == Colour::ansi(1)));
}

#[test]
fn queries_are_answered() {
    check_reply("\x1b[5n\x1b[6n", "\x1b[0n\x1b[1;1R");
    check_reply("\x1b[c\x1b[>c", "\x1b[?1;2c\x1b[>84;0;0c");
    check_reply("\x1b[?7$p\x1b[?2026$p\x1b[4$p\x1b[?999$p", "\x1b[?7;1$y\x1b[?2026;2$y\x1b[4;2$y\x1b[?999;0$y");
    check_reply("\x1b[18t", "\x1b[8;24;80t");
    check_reply("\x1bP$q q\x1b\\", "\x1bP1$r q0 q\x1b\\");
    check_reply("\x1b[31;1m\x1bP$qm\x1b\\", "\x1bP1$r0;1;31m\x1b\\");
    check_reply("\x1bP$qr\x1b\\", "\x1bP1$r1;24r\x1b\\");
    check_reply("\x1b[>1u\x1b[?u", "\x1b[?1u");
    check_reply("\x1b]10;red\x07\x1b]10;?\x07", "\x1b]10;rgb:ffff/0000/0000\x07");
    check_reply("\x1b]4;1;rgb:12/34/56\x1b\\\x1b]4;1;?\x1b\\", "\x1b]4;1;rgb:1212/3434/5656\x1b\\");
    check_reply("\x1b[>q", concat!("\x1bP>|mplex ", env!("CARGO_PKG_VERSION"), "\x1b\\"));
}

#[test]
fn notices_say_what_is_more_than_the_screen() {
    check_notices("\x07\x07", &[Notice::Bell]);
    check_notices("\x1bkname\x1b\\", &[Notice::Rename("name".into())]);
    check_notices("\x1bPtmux;\x1b\x1b]0;x\x07\x1b\\", &[Notice::Passthrough(b"\x1b]0;x\x07".to_vec())]);
    check_notices("\x1b]52;c;aGk=\x07", &[Notice::Clipboard { selection: "c".into(), data: b"hi".to_vec() }]);
    check_notices("\x1b]9;hello\x07", &[Notice::Notify { title: String::new(), body: "hello".into() }]);
    check_notices("\x1b]9;4;1;50\x07", &[Notice::Progress]);
    check_notices("\x1b]133;D;3\x07", &[Notice::CommandFinished(3)]);
    check_notices("\x1b]777;notify;a;b\x07", &[Notice::Notify { title: "a".into(), body: "b".into() }]);
}

#[test]
fn titles_and_marks() {
    let (mut t, _) = run((10, 4), "\x1b]2;one\x07\x1b[22;0t\x1b]2;two\x07");
    assert_eq!(t.title(), "two");
    let mut out = Output::default();
    t.feed(b"\x1b[23;0t\x1b]133;A\x07$ \x1b]133;B\x07ls\r\n\x1b]133;C\x07", &mut out);
    assert_eq!(t.title(), "one");
    assert!(t.row(0).marks.contains(Marks::PROMPT | Marks::COMMAND));
    assert_eq!(t.command(0).map(|c| c.command), Some(2));
    assert!(t.row(1).marks.contains(Marks::OUTPUT));
}

#[test]
fn strings_have_a_limit() {
    let mut bytes = b"\x1b]2;".to_vec();
    bytes.resize(3 << 20, b'x');
    bytes.extend_from_slice(b"\x07ok");
    let (t, _) = run((10, 1), &bytes);
    assert_eq!(t.title(), "");
    assert_eq!(picture(&t), "ok\n@2,0");
}

#[test]
fn capture_is_byte_for_byte() {
    let e = Capture { escapes: true, ..Capture::default() };
    check_capture(
        (80, 2),
        "\x1b[31;42;1mabc\x1b[0;31mdef\r\n\x1b[m\x1b[100m bright bg \x1b[m",
        e,
        "\x1b[1m\x1b[31m\x1b[42mabc\x1b[0m\x1b[31mdef\x1b[39m\n\x1b[100m bright bg \x1b[49m",
    );
    check_capture(
        (80, 1),
        "\x1b]8;id=1;https://github.com\x1b\\test1\x1b]8;;\x1b\\",
        e,
        "\x1b]8;id=1;https://github.com\x1b\\test1\x1b]8;;\x1b\\",
    );
    check_capture((4, 2), "abcdef", Capture { join: true, ..Capture::default() }, "abcdef");
}

#[test]
fn the_grid_is_dumped_cell_by_cell() {
    let (t, _) = run((4, 1), "\x1b[1;38;5;196;44mA\x1b[m日");
    let text = String::from_utf8(super::dump(&t.view(), 10)).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "G 4x1 (0/10)");
    assert_eq!(lines[1], "\tL 0 (0) flags=EXTENDED[2] 3/4");
    assert_eq!(
        lines[2],
        "\t\tC 0,0 data=(1,1,A) flags=FG256[1] attr=BRIGHT[1] fg=colour196[10000c4] bg=blue[4] us=default[8] link=NONE \
         linkid=NONE"
    );
    assert!(lines[3].starts_with("\t\tC 0,1 data=(2,3,日) flags=NONE[0]"));
    assert!(lines[4].starts_with("\t\tC 0,2 data=(1,1,!) flags=PADDING[4]"));
    assert!(lines[5].starts_with("\t\tC 0,3 data=(1,1, ) flags=CLEARED[40]"));
}

#[test]
fn a_terminal_may_go_to_another_thread() {
    fn sends<T: Send>() {}
    sends::<Terminal>();
    sends::<crate::grid::Snapshot>();
}

#[test]
fn resize_lays_lines_out_anew() {
    let (mut t, _) = run((6, 3), "abcdefghij\r\nxy");
    t.resize(Size::new(4, 3));
    assert_eq!(picture(&t), "abcd\\\n----\nefgh\\\nij\nxy\n@2,2");
    t.resize(Size::new(12, 3));
    assert_eq!(picture(&t), "abcdefghij\nxy\n\n@2,1");
    t.resize(Size::new(12, 1));
    assert_eq!(picture(&t), "abcdefghij\n----\nxy\n@2,0");
    t.resize(Size::new(12, 2));
    assert_eq!(picture(&t), "abcdefghij\nxy\n@2,1");
}

#[test]
fn search_goes_through_history_and_screen() {
    let mut text = String::new();
    for n in 0..5000 {
        text.push_str(&format!("line {n} needle{}\r\n", n % 1000));
    }
    let mut t = Terminal::new(Size::new(40, 10), Limits { history_lines: 100_000, ..Limits::default() });
    let mut out = Output::default();
    t.feed(text.as_bytes(), &mut out);
    while t.compress_some() {}
    let v = t.view();
    let m = Matcher::plain("needle999", false);
    let first = v.search(&m, Point::default(), Direction::Forward).expect("hit");
    assert_eq!(first.start, Point { row: 999, col: 9 });
    assert_eq!(first.end, Point { row: 999, col: 17 });
    let end = Point { row: v.rows() - 1, col: 0 };
    assert_eq!(v.search(&m, end, Direction::Backward).map(|m| m.start.row), Some(4999));
    let before = Point { row: 4998, col: 0 };
    assert_eq!(v.search(&m, before, Direction::Backward).map(|m| m.start.row), Some(3999));
    let s = t.snapshot();
    assert_eq!(s.search(&m, Point { row: 1000, col: 0 }, Direction::Forward).map(|m| m.start.row), Some(1999));
    let r = Matcher::regex("LINE 42[0-9]+ ", true).expect("regex");
    assert_eq!(s.search(&r, Point::default(), Direction::Forward).map(|m| m.start.row), Some(420));
}

/// All that is seen of a terminal.
fn dump(t: &Terminal) -> String {
    let mut buf = RowBuf::new();
    let mut s = picture(t);
    for n in 0..t.view().rows() {
        t.view().row(n, &mut buf);
        for c in buf.cells() {
            if c.style != Style::DEFAULT || c.link.is_some() {
                s.push_str(&format!("{n} {:?} {:?} {:?}\n", c.text, c.style, c.link.map(|l| &l.uri)));
            }
        }
    }
    s.push_str(&format!("{:?} {:?} {:?} {}", t.modes(), t.pen(), t.scroll_region(), t.title()));
    s
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => "[ -~]{1,30}".prop_map(String::into_bytes),
        2 => prop::sample::select(vec!["日本", "e\u{301}", "👨‍👩‍👧", "🇩🇪", "❤\u{fe0f}", "ü", "한"]).prop_map(|s| s.as_bytes().to_vec()),
        3 => prop::sample::select(vec!["\r\n", "\n", "\r", "\t", "\x08", "\x0e", "\x0f", "\x1b7", "\x1b8", "\x1bM", "\x1bD",
            "\x1b(0", "\x1b(B", "\x1b)0", "\x1b[?1049h", "\x1b[?1049l", "\x1b[4h", "\x1b[4l", "\x1b[?6h", "\x1b[?6l", "\x1b[?7l",
            "\x1b[?7h", "\x1b[!p", "\x1bc", "\x1b#8", "\x1b[?69h", "\x1b[2;5s", "\x1b[3J", "\x1b[2J", "\x1b]8;id=a;http://x\x1b\\",
            "\x1b]8;;\x07", "\x1b]2;t\x07", "\x1bPtmux;x\x1b\\", "\x1bkn\x1b\\", "\x1b_x\x1b\\", "\x1b^x\x1b\\", "\x1b[\x18", "\x1b[1\n2C",
            "\x1b[1$p", "\x1b[1\"q", "\x1b[0\"q", "\x1b[?45h"]).prop_map(|s| s.as_bytes().to_vec()),
        4 => (prop::sample::select(b"ABCDEFGHIJKLMPSTXZ@`abdefgr".to_vec()), 0u16..12, 0u16..12)
            .prop_map(|(f, a, b)| format!("\x1b[{a};{b}{}", f as char).into_bytes()),
        3 => prop::collection::vec(prop::sample::select(vec!["0", "1", "4:3", "7", "31", "42", "38;5;9", "48;2;1;2;3", "38:2::1:2:3", "58:5:7", "53"]), 1..4)
            .prop_map(|v| format!("\x1b[{}m", v.join(";")).into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 1..12),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// However bytes are split, and whether plain sequences take the short way or go through vte: the same terminal.
    #[test]
    fn the_front_end_is_the_reference(pieces in prop::collection::vec(piece(), 1..40), cuts in prop::collection::vec(1usize..9, 0..60)) {
        let bytes = pieces.concat();
        let mut whole = Terminal::new(Size::new(12, 6), small());
        let mut out = Output::default();
        whole.feed(&bytes, &mut out);
        let mut plain = Terminal::new(Size::new(12, 6), small());
        plain.front.plain = true;
        let mut plain_out = Output::default();
        plain.feed(&bytes, &mut plain_out);
        prop_assert_eq!(dump(&whole), dump(&plain));
        prop_assert_eq!(&out, &plain_out);
        let mut split = Terminal::new(Size::new(12, 6), small());
        let mut split_out = Output::default();
        let mut rest = &bytes[..];
        for c in cuts {
            let n = c.min(rest.len());
            split.feed(&rest[..n], &mut split_out);
            rest = &rest[n..];
        }
        split.feed(rest, &mut split_out);
        prop_assert_eq!(dump(&whole), dump(&split));
        prop_assert_eq!(&out, &split_out);
    }

    /// Cells beyond `used` are empty, wide characters are whole, the cursor is inside.
    #[test]
    fn the_screen_keeps_its_invariants(pieces in prop::collection::vec(piece(), 1..60), sizes in prop::collection::vec((1u16..20, 1u16..8), 0..4)) {
        let mut t = Terminal::new(Size::new(11, 5), small());
        let mut out = Output::default();
        let half = pieces.len() / 2;
        let look = |t: &Terminal| {
            let size = t.size();
            let c = t.cursor();
            assert!(c.x < size.cols && c.y < size.rows);
            for y in 0..size.rows {
                let r = t.row(y);
                assert!(r.cells[r.used as usize..].iter().all(|c| c.is_empty()));
                for (x, c) in r.cells.iter().enumerate() {
                    if c.width() == 2 {
                        assert_eq!(r.cells.get(x + 1).map(|c| c.width()), Some(0), "{}", picture(t));
                    }
                    if c.width() == 0 {
                        assert!(x > 0 && r.cells[x - 1].width() == 2, "{}", picture(t));
                    }
                }
            }
        };
        for p in &pieces[..half] { t.feed(p, &mut out); look(&t); }
        for (c, r) in sizes { t.resize(Size::new(c, r)); look(&t); }
        for p in &pieces[half..] { t.feed(p, &mut out); look(&t); }
    }

    /// There and back: the logical lines are the same.
    #[test]
    fn resize_keeps_the_logical_lines(lines in prop::collection::vec("([a-z]{1,9}( |日本)?){0,6}", 1..30), cols in 2u16..30, rows in 1u16..12) {
        let mut t = Terminal::new(Size::new(12, 6), small());
        let mut out = Output::default();
        t.feed(lines.join("\r\n").as_bytes(), &mut out);
        let logical = |t: &Terminal| {
            let (v, mut buf, mut n, mut all) = (t.view(), RowBuf::new(), 0, Vec::new());
            while n < v.rows() {
                let l = v.logical(n, &mut buf);
                n = l.first + l.rows;
                all.push(l.text.trim_end().to_owned());
            }
            while all.last().is_some_and(String::is_empty) { all.pop(); }
            all
        };
        let before = logical(&t);
        t.resize(Size::new(cols, rows));
        prop_assert_eq!(&before, &logical(&t));
        t.resize(Size::new(12, 6));
        prop_assert_eq!(&before, &logical(&t));
    }

    /// What history holds reads as the rows that went in, compressed or not.
    #[test]
    fn history_reads_as_written(pieces in prop::collection::vec(piece(), 1..40)) {
        let bytes = pieces.concat();
        let mut tall = Terminal::new(Size::new(12, 3), Limits { history_lines: 5000, ..Limits::default() });
        let mut out = Output::default();
        tall.feed(&bytes, &mut out);
        let s = tall.snapshot();
        let (mut a, mut b) = (RowBuf::new(), RowBuf::new());
        prop_assert_eq!(s.rows(), tall.view().rows());
        for n in 0..s.rows() {
            s.row(n, &mut a);
            tall.view().row(n, &mut b);
            prop_assert_eq!(a.text().trim_end(), b.text().trim_end());
            prop_assert_eq!(a.wrapped, b.wrapped);
            for x in 0..12 {
                prop_assert_eq!((a.cell(x).style, a.cell(x).width), (b.cell(x).style, b.cell(x).width));
            }
        }
    }
}

#[test]
fn malformed_text_is_one_replacement_a_character() {
    // Overlong, surrogate, broken off, stray, beyond Unicode; whole and in pieces.
    for (bytes, expect) in [
        (b"\xf0\x80\x80\x80A\xed\xa0\x80B".as_slice(), "\u{fffd}A\u{fffd}B"),
        (b"\xe2\x82\xc3\xa9", "\u{fffd}\u{e9}"),
        (b"\x80\xbfA\xffB", "\u{fffd}\u{fffd}A\u{fffd}B"),
        (b"\xe2\x82|", "\u{fffd}|"),
    ] {
        for split in 0..=bytes.len() {
            let mut t = Terminal::new(Size::new(10, 1), Limits::default());
            let mut out = Output::default();
            t.feed(&bytes[..split], &mut out);
            t.feed(&bytes[split..], &mut out);
            let mut row = RowBuf::new();
            t.view().row(0, &mut row);
            assert_eq!(row.text().trim_end(), expect, "{bytes:?} split at {split}");
        }
    }
}

#[test]
fn colours_have_all_forms_of_x11() {
    for (text, rgb) in [
        ("rgb:10/4E/8B", (0x10, 0x4e, 0x8b)),
        ("rgb:1000/4E00/8B00", (0x10, 0x4e, 0x8b)),
        ("rgb:f/0/8", (0xff, 0, 0x88)),
        ("#10004E008B00", (0x10, 0x4e, 0x8b)),
        ("cmy:0.9373/0.6941/0.4549", (0x0f, 0x4e, 0x8b)),
        ("cmyk:0.88/0.44/0.00/0.45", (0x10, 0x4e, 0x8c)),
        ("16,78,139", (0x10, 0x4e, 0x8b)),
        (" DodgerBlue4 ", (0x10, 0x4e, 0x8b)),
        ("grey50", (0x7f, 0x7f, 0x7f)),
    ] {
        let (r, g, b) = rgb;
        assert_eq!(super::parse_colour(text), Some(crate::base::Colour::rgb(r, g, b)), "{text}");
    }
    assert_eq!(super::parse_colour("cmy:2/0/0"), None);
}
