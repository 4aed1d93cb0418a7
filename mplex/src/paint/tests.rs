//! Pictures of byte streams, and random frames judged by a foreign terminal.

use super::*;
use crate::base::{Attrs, Colour, Pos, Rect, Size, Style, style::Underline};
use proptest::prelude::*;

fn printable(bytes: &[u8]) -> String {
    let mut out = String::new();
    for c in String::from_utf8_lossy(bytes).chars() {
        match c {
            '\u{1b}' => out.push('^'),
            '\n' => out.push_str("<LF>"),
            '\r' => out.push_str("<CR>"),
            '\u{8}' => out.push_str("<BS>"),
            '\u{7}' => out.push_str("<BEL>"),
            c => out.push(c),
        }
    }
    out
}

/// What is sent for the rows `next` when the rows `prev` are shown, the cursor at `from` and then at `to`.
#[track_caller]
fn check_caps(caps: Caps, from: (u16, u16), prev: &[&str], to: (u16, u16), next: &[&str], expect: &str) {
    let mut p = Painter::new(caps, Size::new(20, prev.len() as u16));
    for (at, rows, last) in [(from, prev, false), (to, next, true)] {
        let size = p.frame().size();
        let mut b = p.brush(size.rect());
        b.clear(Style::DEFAULT);
        for (y, row) in rows.iter().enumerate() {
            b.text(0, y as u16, row, Style::DEFAULT);
        }
        p.frame_mut().cursor.pos = Some(Pos::new(at.0, at.1));
        let mut out = Vec::new();
        p.draw(&mut out);
        if last {
            assert_eq!(printable(&out), expect);
        }
    }
}

#[track_caller]
fn check(from: (u16, u16), prev: &[&str], to: (u16, u16), next: &[&str], expect: &str) {
    check_caps(Caps::new("xterm-256color", ""), from, prev, to, next, expect);
}

#[test]
fn an_echoed_key_is_one_byte() {
    check((3, 0), &["$ l", ""], (4, 0), &["$ ls", ""], "s");
    check((4, 0), &["$ ls", ""], (3, 0), &["$ l", ""], "<BS> <BS>");
    check((2, 0), &["$ ", ""], (4, 0), &["$ é", ""], "é^[C");
}

#[test]
fn nothing_changed_is_nothing_sent() {
    check((0, 0), &["abc"], (0, 0), &["abc"], "");
    check((0, 0), &["abc"], (2, 0), &["abc"], "^[3G");
}

#[test]
fn short_gaps_are_reprinted_and_long_ones_skipped() {
    check((0, 0), &["abcdefgh"], (5, 0), &["XbcdYfgh"], "XbcdY");
    check((0, 0), &["abcdefghijk"], (8, 0), &["XbcdefgYijk"], "X^[8GY");
    check((0, 0), &["a", "b", "c"], (1, 2), &["A", "B", "c"], "A<LF><BS>B<LF>");
}

#[test]
fn blank_ends_are_erased() {
    check((0, 0), &["hello world", ""], (0, 0), &["he", ""], "^[3G^[K<CR>");
    check((0, 0), &["abc", ""], (0, 0), &["", ""], "   <CR>");
}

#[test]
fn a_scrolled_line_is_a_line_feed_and_the_new_row() {
    let a = ["line one is here", "line two is here", "line three", "line four", "$ "];
    let b = ["line two is here", "line three", "line four", "$ ", "new row"];
    check((2, 4), &a, (7, 4), &b, "<LF><CR>new row");
    let a = ["line one is here", "line two is here", "line three", "line four", "$ ", "[status]"];
    let b = ["line two is here", "line three", "line four", "$ ", "new row", "[status]"];
    check((2, 4), &a, (7, 4), &b, "^[1;5r^[S^[5Hnew row");
}

#[test]
fn the_last_cell_never_scrolls() {
    let row = "12345678901234567890";
    check((0, 0), &[""], (0, 0), &[row], "12345678901234567890<CR>");
    let mut caps = Caps::new("vt100", "");
    caps.quirks -= Quirks::XENL;
    check_caps(caps, (0, 0), &[""], (0, 0), &[row], "1234567890123456789^[?7l0^[?7h<CR>");
    caps.quirks -= Quirks::AWM;
    check_caps(caps, (0, 0), &[""], (0, 0), &[row], "1234567890123456789<CR>");
}

#[test]
fn a_doubtful_symbol_is_followed_by_an_absolute_move() {
    check((0, 0), &[""], (4, 0), &["👨\u{200d}👩\u{200d}👧ab"], "👨\u{200d}👩\u{200d}👧^[3Gab^[K");
    check((0, 0), &[""], (3, 0), &["❤\u{fe0f}b"], "  <BS><BS>❤\u{fe0f}^[3Gb");
    check((0, 0), &[""], (4, 0), &["日本"], "日本");
}

#[test]
fn runs_are_repeated_where_the_terminal_can() {
    let mut caps = Caps::new("xterm", "");
    check_caps(caps, (0, 0), &[""], (12, 0), &["============"], "============");
    caps.quirks |= Quirks::REP;
    check_caps(caps, (0, 0), &[""], (12, 0), &["============"], "=^[11b");
}

#[test]
fn colours_are_mapped_to_what_there_is() {
    let rgb = Style { fg: Colour::rgb(255, 0, 0), ..Style::DEFAULT };
    let fg = |term: &str| Caps::new(term, "").style(rgb).fg;
    assert_eq!(fg("xterm-direct"), rgb.fg);
    assert_eq!(fg("xterm-256color"), Colour::indexed(196));
    assert_eq!(fg("xterm"), Colour::ansi(9));
    assert_eq!(fg("linux"), Colour::ansi(1));
    assert_eq!(fg("vt100"), Colour::DEFAULT);
    assert!(!Caps::new("dumb", "").is_usable());
}

#[test]
fn features_come_and_go_by_name() {
    let mut caps = Caps::new("xterm-256color", "truecolor");
    assert!(caps.has(Features::RGB | Features::C256));
    assert_eq!(caps.apply("sync,rgb@,nonsense"), ["nonsense"]);
    assert!(caps.has(Features::SYNC) && !caps.has(Features::RGB));
    assert!(caps.version_reply("kitty(0.40.1)"));
    assert!(caps.has(Features::HYPERLINKS) && !caps.has(Features::RGB), "{}", caps.names());
    caps.mode_reply(2026, 0);
    assert!(!caps.has(Features::SYNC));
}

#[test]
fn closing_restores_what_opening_took() {
    let caps = Caps::new("xterm-ghostty", "");
    let mut t = vt100::Parser::new(5, 20, 0);
    t.process(b"before");
    let mut out = Vec::new();
    seq::open(&caps, &mut out);
    seq::set_mouse(&caps, Mouse::All, &mut out);
    t.process(&out);
    assert!(t.screen().alternate_screen() && t.screen().bracketed_paste());
    out.clear();
    seq::close(&caps, &mut out);
    t.process(&out);
    assert!(!t.screen().alternate_screen() && !t.screen().bracketed_paste());
    assert_eq!(t.screen().mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    assert_eq!(t.screen().contents(), "before");
}

#[test]
fn a_brush_stays_in_its_clip_and_keeps_wide_cells_whole() {
    let (mut f, mut pool) = (Frame::new(Size::new(8, 2)), Pool::new());
    let mut b = Brush::new(&mut f, &mut pool, Rect::new(0, 0, 8, 2));
    b.text(0, 0, "日本語字", Style::DEFAULT);
    assert_eq!(b.part(Rect::new(3, 0, 3, 1)).text(0, 0, "日本x", Style::DEFAULT), 5);
    assert_eq!(b.part(Rect::new(6, 1, 9, 9)).text(0, 0, "xyz", Style::DEFAULT), 3);
    assert_eq!(b.panned(Pos::new(1, 0)).text(0, 1, "日c", Style::DEFAULT), 3);
    assert_eq!(text(&f, &pool), "日 日 字\n c    xy\n");
}

#[test]
fn links_open_and_close() {
    let mut p = Painter::new(Caps::new("foot", ""), Size::new(20, 1));
    p.draw(&mut Vec::new());
    let mut b = p.brush(Rect::new(0, 0, 20, 1));
    let link = b.link("", "http://x");
    b.linked(0, 0, "ab", Style::DEFAULT, link);
    b.text(2, 0, "cd", Style::DEFAULT);
    let mut out = Vec::new();
    p.draw(&mut out);
    assert_eq!(printable(&out), "^]8;id=m1;http://x^\\ab^]8;;^\\cd");
}

#[test]
fn cursor_and_title_are_sent_when_they_change() {
    let mut p = Painter::new(Caps::new("foot", ""), Size::new(20, 2));
    p.draw(&mut Vec::new());
    let cursor = &mut p.frame_mut().cursor;
    cursor.pos = Some(Pos::new(0, 0));
    cursor.shape = CursorShape::Bar;
    cursor.colour = Colour::rgb(1, 2, 255);
    p.frame_mut().title = "a\u{1b}]b".to_owned();
    let mut out = Vec::new();
    p.draw(&mut out);
    assert_eq!(printable(&out), "^]2;a]b<BEL>^[6 q^]12;#0102ff<BEL>^[?25h");
    p.frame_mut().cursor = Cursor::default();
    out.clear();
    p.draw(&mut out);
    assert_eq!(printable(&out), "^[?25l^[0 q^]112<BEL>");
    out.clear();
    assert_eq!(p.draw(&mut out), Drawn::default());
    p.invalidate();
    p.draw(&mut out);
    assert_eq!(printable(&out), "^[?25l^[r^]8;;^\\^[m^[H^[2J^]2;a]b<BEL>");
}

#[test]
fn a_long_frame_is_one_update_where_the_terminal_can() {
    let rows = ["日本語日本語日本語日"; 8];
    let mut p = Painter::new(Caps::new("foot", ""), Size::new(20, 8));
    p.draw(&mut Vec::new());
    for (y, row) in rows.iter().enumerate() {
        p.brush(Rect::new(0, y as u16, 20, 1)).text(0, 0, row, Style::DEFAULT);
    }
    let mut out = Vec::new();
    p.draw(&mut out);
    assert!(out.starts_with(b"\x1b[?2026h") && out.ends_with(b"\x1b[?2026l"), "{}", printable(&out));
}

#[test]
fn any_size_can_be_drawn() {
    for (cols, rows) in [(0, 0), (0, 3), (3, 0), (1, 1), (2, 1), (1, 5)] {
        let mut p = Painter::new(Caps::new("xterm", ""), Size::new(4, 4));
        p.resize(Size::new(cols, rows));
        for word in ["日本", "abc", "❤\u{fe0f}"] {
            let size = p.frame().size();
            let mut b = p.brush(Rect::new(0, 0, 9, 9));
            b.border(size.rect(), Border::Single, Style::DEFAULT);
            for y in 0..9 {
                b.text(0, y, word, Style::DEFAULT);
            }
            p.frame_mut().cursor.pos = Some(Pos::new(5, 5));
            p.draw(&mut Vec::new());
            assert_eq!(p.frame(), p.shown());
        }
    }
}

#[test]
fn an_svg_holds_the_text() {
    let mut p = Painter::new(Caps::new("foot", ""), Size::new(10, 2));
    let style = Style { fg: Colour::ansi(2), attrs: Attrs::BOLD, ..Style::DEFAULT };
    p.brush(Rect::new(0, 0, 10, 2)).text(0, 0, "a<b", style);
    let picture = svg(p.frame(), p.pool(), true);
    assert!(picture.contains("a&lt;b") && picture.contains("font-weight=\"bold\""), "{picture}");
}

/// One thing to write into a frame.
#[derive(Clone, Debug)]
enum Write {
    Text(u16, u16, String, usize),
    Fill(Rect, usize),
    /// Rows `top..bottom` move up by some, as a scrolling pane's do.
    Scroll(u16, u16, i16),
    Cursor(Option<(u16, u16)>),
}

fn styles() -> [Style; 7] {
    let d = Style::DEFAULT;
    [
        d,
        d,
        Style { fg: Colour::ansi(1), ..d },
        Style { bg: Colour::indexed(20), ..d },
        Style { attrs: Attrs::BOLD | Attrs::REVERSE, ..d },
        Style { fg: Colour::rgb(1, 2, 3), attrs: Attrs::ITALIC.with_underline(Underline::Single), ..d },
        Style { fg: Colour::ansi(12), bg: Colour::ansi(9), attrs: Attrs::DIM, ..d },
    ]
}

const COLS: u16 = 23;
const ROWS: u16 = 9;

fn write() -> impl Strategy<Value = Write> {
    let word = prop_oneof![
        4 => "[a-c ]{1,12}",
        2 => "[日本a]{1,6}",
        1 => Just("e\u{301}f".to_owned()),
        1 => Just("──│é".to_owned()),
        1 => Just("-------------------".to_owned()),
    ];
    prop_oneof![
        6 => (0..COLS, 0..ROWS, word, 0..7usize).prop_map(|(x, y, t, s)| Write::Text(x, y, t, s)),
        2 => (0..COLS, 0..ROWS, 1..COLS, 1..ROWS, 0..7usize)
            .prop_map(|(x, y, w, h, s)| Write::Fill(Rect::new(x, y, w, h), s)),
        3 => (0..ROWS, 0..=ROWS, -3..=3i16).prop_map(|(a, b, n)| Write::Scroll(a, b, n)),
        2 => proptest::option::of((0..COLS, 0..ROWS)).prop_map(Write::Cursor),
    ]
}

fn apply(p: &mut Painter, w: &Write) {
    let size = p.frame().size();
    match w {
        Write::Text(x, y, t, s) => {
            p.brush(size.rect()).text(*x, *y, t, styles()[*s]);
        }
        Write::Fill(r, s) => p.brush(size.rect()).fill(*r, ' ', styles()[*s]),
        Write::Scroll(a, b, n) => {
            let old = p.frame().clone();
            for y in *a..*b {
                let from = i32::from(y) + i32::from(*n);
                let inside = from >= i32::from(*a) && from < i32::from(*b);
                for x in 0..size.cols {
                    let cell = if inside { *old.cell(Pos::new(x, from as u16)).unwrap() } else { Cell::BLANK };
                    if cell.width > 0 {
                        p.brush(size.rect()).put(x, y, cell.symbol, cell.width, cell.style, cell.link);
                    }
                }
            }
        }
        Write::Cursor(c) => p.frame_mut().cursor.pos = c.map(|(x, y)| Pos::new(x, y)),
    }
}

/// The foreign terminal's colour as ours.
fn colour(c: vt100::Color) -> Colour {
    match c {
        vt100::Color::Default => Colour::DEFAULT,
        vt100::Color::Idx(n) => Colour::indexed(n),
        vt100::Color::Rgb(r, g, b) => Colour::rgb(r, g, b),
    }
}

fn indexed(c: Colour) -> Colour {
    match c.kind() {
        crate::base::ColourKind::Ansi(n) => Colour::indexed(n),
        _ => c,
    }
}

#[track_caller]
fn assert_shows(t: &vt100::Screen, p: &Painter, what: &str) {
    let f = p.frame();
    for y in 0..ROWS {
        for x in 0..COLS {
            let theirs = t.cell(y, x).unwrap();
            let ours = f.cell(Pos::new(x, y)).unwrap();
            assert_eq!(theirs.is_wide_continuation(), ours.width == 0, "{what} at {x},{y}\n{}", t.contents());
            if ours.width == 0 {
                continue;
            }
            let mut buf = [0; 4];
            let symbol = p.pool().text(ours.symbol, &mut buf);
            let shown = if theirs.has_contents() { theirs.contents() } else { " " };
            assert_eq!(shown, symbol, "{what} at {x},{y}\n{}", t.contents());
            let mut attrs = Attrs::empty();
            attrs.set(Attrs::BOLD, theirs.bold());
            attrs.set(Attrs::DIM, theirs.dim());
            attrs.set(Attrs::ITALIC, theirs.italic());
            attrs.set(Attrs::REVERSE, theirs.inverse());
            if theirs.underline() {
                attrs = attrs.with_underline(Underline::Single);
            }
            let style =
                Style { fg: colour(theirs.fgcolor()), bg: colour(theirs.bgcolor()), us: Colour::DEFAULT, attrs };
            let theirs = Cell { style, ..*ours }.normal();
            let style = Style { fg: indexed(ours.style.fg), bg: indexed(ours.style.bg), ..ours.style };
            assert_eq!(theirs.style, style, "{what} at {x},{y}\n{}", t.contents());
        }
    }
    assert_eq!(t.hide_cursor(), f.cursor.pos.is_none(), "{what}");
    if let Some(c) = f.cursor.pos {
        assert_eq!(t.cursor_position(), (c.y, c.x), "{what}");
    }
}

/// Plays frames on the foreign terminal and compares after each; also: the incremental frame equals one drawn from nothing.
fn play(caps: Caps, frames: &[Vec<Write>]) {
    let size = Size::new(COLS, ROWS);
    let mut p = Painter::new(caps, size);
    let mut t = vt100::Parser::new(ROWS, COLS, 0);
    for writes in frames {
        writes.iter().for_each(|w| apply(&mut p, w));
        let mut out = Vec::new();
        p.draw(&mut out);
        t.process(&out);
        assert_shows(t.screen(), &p, &printable(&out));
        assert_eq!(p.frame(), p.shown());
        assert!(p.is_clean());
        let mut whole = vt100::Parser::new(ROWS, COLS, 0);
        let blank = Frame::new(Size::new(1, 1));
        let bytes = diff(&blank, p.frame(), p.pool(), &caps);
        whole.process(&bytes);
        assert_shows(whole.screen(), &p, &printable(&bytes));
    }
}

/// Runs a property on `PROPTEST_CASES` (256) random inputs. A failure names the seed; `MPLEX_SEED` runs that one again.
#[expect(clippy::disallowed_methods, reason = "a test may be told its seed")]
fn property<S: Strategy>(input: S, holds: impl Fn(S::Value)) {
    use std::hash::BuildHasher as _;
    let random = || std::hash::RandomState::new().hash_one(0);
    let seed = std::env::var("MPLEX_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or_else(random);
    let config = ProptestConfig {
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(seed),
        ..ProptestConfig::default()
    };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let result = runner.run(&input, |v| {
        holds(v);
        Ok(())
    });
    if let Err(e) = result {
        panic!("MPLEX_SEED={seed}: {e}");
    }
}

#[test]
fn a_terminal_shows_what_was_composed() {
    let terms = ["xterm-256color", "foot", "tmux-256color", "linux", "vt100"];
    let frames = proptest::collection::vec(proptest::collection::vec(write(), 0..12), 1..8);
    property((frames, 0..terms.len()), |(frames, kind)| {
        let mut caps = Caps::new(terms[kind], "truecolor");
        caps.features |= Features::RGB | Features::C256;
        // The judge does not know REP, and its scrolling fills with the default background.
        caps.quirks -= Quirks::REP;
        caps.quirks |= Quirks::ITALIC | Quirks::DIM | Quirks::TCEM;
        play(caps, &frames);
    });
}

/// The cost of frames of a scrolling pane, for a profiler: `valgrind --tool=callgrind <test binary> --ignored frame_cost`.
#[test]
#[ignore = "for a profiler"]
fn frame_cost() {
    let mut p = Painter::new(Caps::new("xterm-256color", ""), Size::new(80, 24));
    let mut out = Vec::new();
    for n in 0..1000usize {
        for y in 0..24usize {
            let s = format!("{:>70}", (n + y) * 7919);
            p.brush(Rect::new(0, y as u16, 80, 1)).text(0, 0, &s, Style::DEFAULT);
        }
        out.clear();
        p.draw(&mut out);
    }
    assert!(!out.is_empty());
}

/// Bytes of typical frames at 80x24, kept from growing unnoticed.
#[test]
fn typical_frames_are_small() {
    let mut p = Painter::new(Caps::new("xterm-256color", ""), Size::new(80, 24));
    let line = |n: usize| {
        let words = ["apple", "river", "stone", "cloud", "maple"];
        (0..11).map(|i| words[(n * 7 + i * i * n) % 5]).collect::<Vec<_>>().join(" ")
    };
    let mut sizes = Vec::new();
    for frame in 0..4usize {
        let mut b = p.brush(Rect::new(0, 0, 80, 23));
        b.clear(Style::DEFAULT);
        for y in 0..23usize {
            b.text(0, y as u16, &line(frame + y), Style::DEFAULT);
        }
        p.brush(Rect::new(0, 23, 80, 1)).clear(Style { bg: Colour::ansi(2), ..Style::DEFAULT });
        p.frame_mut().cursor.pos = Some(Pos::new(65, 22));
        let mut out = Vec::new();
        sizes.push((p.draw(&mut out).bytes - if frame == 0 { 0 } else { line(0).len() }, out.len()));
    }
    // The first scroll sets the region, the next ones are CR, LF and the row.
    assert!(sizes[1].0 <= 24 && sizes[2].0 <= 8 && sizes[3].0 <= 8, "{sizes:?}");
}

/// A run is what its cells are one by one, over wide cells and over edges.
#[test]
fn a_run_is_its_cells() {
    let bold = Style { attrs: Attrs::BOLD, bg: Colour::ansi(4), ..Style::DEFAULT };
    let symbols: Vec<Symbol> = "ab  cd ".chars().map(Symbol::char).collect();
    for pan in 0..4 {
        for x in 0..12 {
            let drawn = |at_once: bool| {
                let mut p = Painter::new(Caps::new("xterm-256color", ""), Size::new(10, 2));
                p.brush(Rect::new(0, 1, 10, 1)).text(0, 0, "x端末端末y", Style::DEFAULT);
                p.draw(&mut Vec::new());
                let mut b = p.brush(Rect::new(1, 1, 8, 1)).into_panned(Pos::new(pan, 0));
                if at_once {
                    b.run(x, 0, symbols.iter().copied(), bold, LinkId::NONE);
                } else {
                    for (i, s) in symbols.iter().enumerate() {
                        b.put(x + i as u16, 0, *s, 1, bold, LinkId::NONE);
                    }
                }
                let frame = p.frame().clone();
                let mut out = Vec::new();
                p.draw(&mut out);
                (frame, out)
            };
            assert_eq!(drawn(true), drawn(false), "pan {pan}, x {x}");
        }
    }
}
