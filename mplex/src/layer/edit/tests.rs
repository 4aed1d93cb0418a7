//! Pictures of a line before and after some keys.

use super::*;

const SEPARATORS: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~";

/// Presses keys: names separated by blanks; a word after `'` is typed.
fn press(edit: &mut LineEdit, keys: &str) -> EditOutcome {
    let mut last = EditOutcome::Ignored;
    for k in keys.split(' ').filter(|k| !k.is_empty()) {
        if let Some(t) = k.strip_prefix('\'') {
            for c in t.chars() {
                last = edit.key(Key::char(c));
            }
        } else {
            last = edit.key(Key::parse(k).unwrap_or_else(|| panic!("no key {k}")));
        }
    }
    last
}

/// `|` is the cursor.
fn picture(e: &LineEdit) -> String {
    format!("{}|{}", e.text[..e.at].concat(), e.text[e.at..].concat())
}

fn start(from: &str, vi: bool) -> LineEdit {
    let (head, tail) = from.split_once('|').expect("a cursor");
    let history = vec!["old one".to_owned(), "older two".to_owned(), "last one".to_owned()];
    let mut e = LineEdit::new(&format!("{head}{tail}"), history).with_vi(vi).with_separators(SEPARATORS);
    e.at = clusters(head).len();
    e
}

#[track_caller]
fn check(from: &str, keys: &str, to: &str) {
    let mut e = start(from, false);
    press(&mut e, keys);
    assert_eq!(picture(&e), to, "{from:?} {keys:?}");
}

/// In vi's command mode.
#[track_caller]
fn check_vi(from: &str, keys: &str, to: &str) {
    let mut e = start(from, true);
    e.normal = true;
    press(&mut e, keys);
    assert_eq!(picture(&e), to, "{from:?} {keys:?}");
}

#[test]
fn moves() {
    check("ab cd|", "C-a", "|ab cd");
    check("ab cd|", "Home", "|ab cd");
    check("|ab cd", "C-e", "ab cd|");
    check("|ab cd", "End", "ab cd|");
    check("ab cd|", "C-b Left", "ab |cd");
    check("|ab cd", "C-f Right", "ab| cd");
    check("|ab", "C-b Left", "|ab");
    check("ab|", "C-f Right", "ab|");
    check("ab cd|", "M-b", "ab |cd");
    check("ab cd|", "C-Left C-Left", "|ab cd");
    check("ab cd|", "M-Left", "ab |cd");
    check("|ab cd", "M-f", "ab| cd");
    check("|ab cd", "C-Right C-Right", "ab cd|");
    check("|ab cd", "M-Right", "ab| cd");
    check("x foo/bar|", "M-b", "x foo/|bar");
    check("x foo/bar|", "M-b M-b", "x foo|/bar");
    check("|foo/bar", "M-f", "foo|/bar");
    check("|", "M-b M-f C-Left C-Right", "|");
}

#[test]
fn clusters_move_and_delete_as_one() {
    check("日本|", "Left", "日|本");
    check("a中b|", "Left BSpace", "a|b");
    check("|e\u{301}x", "C-f", "e\u{301}|x");
    check("👨‍👩‍👧x|", "Left BSpace", "|x");
    check("|🇩🇪🇫🇷", "DC", "|🇫🇷");
    check("e|", "'\u{301} BSpace", "|");
    // Two halves of a flag that come together become one.
    check("🇩x|🇪", "BSpace", "🇩🇪|");
    check("a\u{7}b|", "Left BSpace", "a|b");
}

#[test]
fn deletes() {
    check("a|b", "C-d", "a|");
    check("a|b", "DC", "a|");
    check("ab|", "C-d DC", "ab|");
    check("ab|", "C-h", "a|");
    check("ab|", "BSpace", "a|");
    check("|ab", "C-h BSpace", "|ab");
}

#[test]
fn kills_and_yanks() {
    check("hello world|", "C-w 'Z", "hello Z|");
    check("hello world  |", "C-w", "hello |");
    check("a/b-c|", "C-w", "a/b-|");
    check("ab |cd", "C-k", "ab |");
    check("ab |cd", "C-u", "|");
    check("ab |cd", "C-u C-y", "ab cd|");
    check("|ab cd", "M-d", "| cd");
    check("|ab cd", "C-DC", "| cd");
    check("|ab cd", "M-DC", "| cd");
    check("ab cd|", "M-BSpace", "ab |");
    check("ab cd|", "C-M-h", "ab |");
    check("one two|", "C-w C-y C-y", "one twotwo|");
    // Kills in a row are one, whichever way they went.
    check("ab cd|", "C-w C-w C-y", "ab cd|");
    check("ab |cd ef", "M-d M-d C-y", "ab cd ef|");
    check("ab cd| ef", "C-w C-k C-y", "ab cd ef|");
    // Others are kept apart, and yanked in turn.
    check("a b c|", "C-w C-b C-e C-w C-y", "a b |");
    check("a b c|", "C-w C-b C-e C-w C-y M-y", "a c|");
    check("a b c|", "C-w C-b C-e C-w C-y M-y M-y", "a b |");
    check("a|", "C-y M-y", "a|");
    check("a b|", "C-w 'x M-y", "a x|");
    let mut e = LineEdit::new("a", Vec::new()).with_yank("buffer\nmore");
    press(&mut e, "C-y");
    assert_eq!(picture(&e), "abuffer|");
    press(&mut e, "C-a C-k C-y");
    assert_eq!(picture(&e), "abuffer|");
}

#[test]
fn changes() {
    check("ab|", "C-t", "ba|");
    check("a|b", "C-t", "ba|");
    check("a|bc", "C-t", "ba|c");
    check("|ab", "C-t", "|ab");
    check("a|", "C-t", "a|");
    check("ab| cd", "M-t", "cd ab|");
    check("ab cd|", "M-t", "cd ab|");
    check("ab, c|d ef", "M-t", "abcd ,| ef");
    check("ab|", "M-t", "ab|");
    check("|hello you", "M-u", "HELLO| you");
    check("|HELLO you", "M-l M-l", "hello you|");
    check("| hELLO you", "M-c M-c", " Hello You|");
    check("ß|ß", "M-u", "ßSS|");
    check("a|", "M-u M-l M-c", "a|");
}

#[test]
fn undo() {
    check("ab|", "'c C-_", "ab|");
    check("|", "'one 'two C-_", "|");
    check("ab cd|", "C-w 'x C-_", "ab |");
    check("ab cd|", "C-w 'x C-_ C-_", "ab cd|");
    check("ab|", "BSpace BSpace C-/ C-/", "ab|");
    check("ab cd|", "C-u Up C-_ C-_", "ab cd|");
    check("ab|", "C-_", "ab|");
    let mut e = start("|", false);
    press(&mut e, "'one Space 'two C-_");
    assert_eq!(picture(&e), "one|", "typing is undone by words");
    let mut e = start("|", false);
    for _ in 0..2 * MAX_UNDO {
        press(&mut e, "'a C-b C-f");
    }
    assert_eq!(e.undo.len(), MAX_UNDO);
}

#[test]
fn quoting() {
    check("|", "C-q C-a", "\u{1}|");
    check("a|", "C-v C-g 'b", "a\u{7}b|");
    check("|", "C-q Enter", "\r|");
    check("|", "C-q Escape", "\u{1b}|");
    check("|", "C-v BSpace", "\u{7f}|");
    check("|", "C-v C-?", "\u{7f}|");
    check("|", "C-v 'é", "é|");
    check("|", "C-v Up 'x", "x|");
    let mut e = start("|", false);
    press(&mut e, "'a C-v");
    assert!(e.is_quoting());
    assert_eq!(e.view(9), ("a^".into(), 1));
    press(&mut e, "C-g");
    assert_eq!(e.view(9), ("a^G".into(), 3));
}

#[test]
fn types() {
    check("|", "'aé日 Space KP7 KP* S-Space", "aé日 7* |");
    check("|", "S-x", "x|");
    check("a|", "F5 C-x M-x C-M-a Super-v User1 PPage", "a|");
    assert_eq!(press(&mut start("a|", false), "F5"), EditOutcome::Ignored);
}

#[test]
fn history() {
    check("new|", "Up", "last one|");
    check("new|", "C-p Up", "older two|");
    check("new|", "Up Up Up Up", "old one|");
    check("new|", "Up Up Down C-n", "new|");
    check("new|", "Down C-n", "new|");
    check("new|", "Up 'x Down Up", "last one|");
    assert_eq!(press(&mut LineEdit::new("", Vec::new()), "Up"), EditOutcome::Ignored);
}

#[test]
fn search() {
    check("new|", "C-r 'one", "last |one");
    check("new|", "C-r 'one C-r", "old |one");
    check("new|", "C-r 'one C-r C-s", "last |one");
    check("new|", "C-r 'one C-r C-r", "old |one");
    check("new|", "C-r 'two C-g", "new|");
    check("new|", "C-r 'onex BSpace", "last |one");
    check("new|", "C-r 'o C-h", "new|");
    check("new|", "C-r 'old C-e", "older two|");
    check("new|", "C-r 'older Escape 'x", "x|older two");
    check("new|", "C-r 'older C-a Down", "last one|");
    check("new|", "C-r 'older C-a Down Down", "new|");
    check("new|", "C-r 'one Escape C-u C-r C-r", "last |one");
    check("new|", "C-r 'older Escape C-_", "new|");
    let mut e = start("new|", false);
    press(&mut e, "C-r 'one");
    assert_eq!(e.search_prompt().as_deref(), Some("(reverse-i-search)`one': "));
    press(&mut e, "'zz");
    assert_eq!(e.search_prompt().as_deref(), Some("(failed reverse-i-search)`onezz': "));
    assert_eq!(press(&mut e, "BSpace BSpace Enter"), EditOutcome::Done("last one".into()));
    let mut e = start("new|", false);
    assert_eq!(press(&mut e, "C-r 'one C-c"), EditOutcome::Cancelled);
}

#[test]
fn ends() {
    for (keys, outcome) in [
        ("'y Enter", EditOutcome::Done("xy".into())),
        ("KPEnter", EditOutcome::Done("x".into())),
        ("C-j", EditOutcome::Done("x".into())),
        ("C-m", EditOutcome::Done("x".into())),
        ("Escape", EditOutcome::Cancelled),
        ("C-[", EditOutcome::Cancelled),
        ("C-g", EditOutcome::Cancelled),
        ("C-c", EditOutcome::Cancelled),
        ("Tab", EditOutcome::Complete),
        ("C-i", EditOutcome::Complete),
        ("C-b", EditOutcome::Moved),
        ("BSpace", EditOutcome::Changed),
    ] {
        assert_eq!(press(&mut start("x|", false), keys), outcome, "{keys}");
    }
}

#[test]
fn words_are_completed() {
    let mut e = start("new-w|", false);
    assert_eq!(e.word(), ("new-w".into(), true));
    e.replace_word("new-window ");
    assert_eq!(picture(&e), "new-window |");
    assert_eq!(e.word(), (String::new(), false));
    let mut e = start(" a b|c d", false);
    assert_eq!(e.word(), ("bc".into(), false));
    e.replace_word("x");
    assert_eq!(picture(&e), " a x| d");
}

#[test]
fn pastes_are_literal() {
    let mut e = start("<|>", false);
    assert_eq!(e.paste("a\r\nb\rc\x1b[A\td"), EditOutcome::Changed);
    assert_eq!(picture(&e), "<a\nb\nc[A\td|>");
    assert_eq!(e.view(20), ("<a⏎b⏎c[A^Id>".into(), 11));
    press(&mut e, "C-_");
    assert_eq!(picture(&e), "<|>");
}

#[test]
fn limits() {
    let mut e = LineEdit::new(&"x".repeat(MAX_CHARS + 5), vec!["y".repeat(MAX_CHARS + 5)]);
    assert_eq!(e.text().len(), MAX_CHARS);
    press(&mut e, "'y C-a 'z");
    assert_eq!(e.text().len(), MAX_CHARS);
    press(&mut e, "BSpace C-u Up");
    assert_eq!(e.text().len(), MAX_CHARS);
    e.paste("more");
    assert_eq!(e.text().len(), MAX_CHARS);
    let mut e = LineEdit::new("", Vec::new()).with_limit(3);
    press(&mut e, "'abcd");
    assert_eq!(picture(&e), "abc|");
}

#[test]
fn views_scroll_sideways() {
    for (from, cells, view, cursor) in [
        ("01234|", 10, "01234", 5),
        ("0123456789|", 5, "6789", 4),
        ("|0123456789", 5, "01234", 0),
        ("0123|456789", 5, "01234", 4),
        ("01234|56789", 5, "12345", 4),
        ("日本語|", 5, "本語", 4),
        ("日本語|", 4, "語", 2),
        ("|日本語", 5, "日本", 0),
        ("ab|", 1, "", 0),
        ("ab|", 0, "", 0),
        ("|ab", 1, "a", 0),
        ("a\u{85}|", 9, "a\u{fffd}", 2),
    ] {
        assert_eq!(start(from, false).view(cells), (view.to_owned(), cursor), "{from:?} in {cells}");
    }
    let mut e = start("0123456789|", false);
    e.click(5, 1);
    assert_eq!(picture(&e), "0123456|789");
    let mut e = start("日本|", false);
    e.click(9, 3);
    assert_eq!(picture(&e), "日|本");
    e.click(9, 8);
    assert_eq!(picture(&e), "日本|");
}

#[test]
fn vi_modes() {
    let mut e = start("|", true);
    press(&mut e, "'ab Escape");
    assert!(e.in_normal_mode());
    assert_eq!(picture(&e), "a|b");
    press(&mut e, "'i 'x");
    assert!(!e.in_normal_mode());
    assert_eq!(picture(&e), "ax|b");
    press(&mut e, "Escape C-[");
    assert!(e.in_normal_mode());
    assert_eq!(press(&mut e, "C-c"), EditOutcome::Cancelled);
    assert_eq!(press(&mut e, "'q"), EditOutcome::Cancelled);
    assert_eq!(press(&mut e, "Enter"), EditOutcome::Done("axb".into()));
    assert_eq!(press(&mut e, "'z"), EditOutcome::Ignored);
    // Insert mode has the control keys of emacs.
    let mut e = start("ab cd|", true);
    press(&mut e, "C-w C-a 'x C-e C-y");
    assert_eq!(picture(&e), "xab cd|");
    assert_eq!(press(&mut e, "C-g"), EditOutcome::Cancelled);
}

#[test]
fn vi_keys() {
    check_vi("a|b", "'i 'x", "ax|b");
    check_vi("a|b", "'I 'x", "x|ab");
    check_vi("|ab", "'a 'x", "ax|b");
    check_vi("|ab", "'A 'x", "abx|");
    check_vi("a|b", "'h", "|ab");
    check_vi("|abc", "'ll", "ab|c");
    check_vi("|ab", "'lll", "a|b");
    check_vi("a|b", "BSpace", "|ab");
    check_vi("|ab", "Right", "a|b");
    check_vi("a|b", "Left C-h", "|ab");
    check_vi("ab|c", "'0", "|abc");
    check_vi("ab|c", "'^", "|abc");
    check_vi("ab|c", "Home", "|abc");
    check_vi("|abc", "'$", "ab|c");
    check_vi("|abc", "End", "ab|c");
    check_vi("|foo-bar baz", "'w", "foo|-bar baz");
    check_vi("|foo-bar baz", "'www", "foo-bar |baz");
    check_vi("|foo-bar baz", "'W", "foo-bar |baz");
    check_vi("foo-bar |baz", "'b", "foo-|bar baz");
    check_vi("foo-bar |baz", "'B", "|foo-bar baz");
    check_vi("|foo-bar baz", "'e", "fo|o-bar baz");
    check_vi("|foo-bar baz", "'E", "foo-ba|r baz");
    check_vi("fo|o-bar", "'e", "foo|-bar");
    check_vi("|ab cd", "'D", "|");
    check_vi("ab |cd", "'D", "ab| ");
    check_vi("ab |cd", "'C 'x", "ab x|");
    check_vi("ab |cd", "'S 'x", "x|");
    check_vi("a|bc", "'s 'x", "ax|c");
    check_vi("a|bc", "'x", "a|c");
    check_vi("ab|c", "'x", "a|b");
    check_vi("a|bc", "DC", "a|c");
    check_vi("a|bc", "'X", "|bc");
    check_vi("ab |cd", "'dd", "|");
    check_vi("ab |cd", "'cc 'x", "x|");
    check_vi("|ab cd", "'dw", "|cd");
    check_vi("|ab cd", "'cw 'x", "x| cd");
    check_vi("|foo-bar x", "'dW", "|x");
    check_vi("|ab cd", "'de", "| cd");
    check_vi("|foo-bar x", "'cE 'y", "y| x");
    check_vi("ab |cd", "'db", "|cd");
    check_vi("foo-bar |x", "'dB", "|x");
    check_vi("ab |cd", "'d$", "ab| ");
    check_vi("ab |cd", "'d0", "|cd");
    check_vi("ab |cd", "'d^", "|cd");
    check_vi("a|bc", "'dh", "|bc");
    check_vi("a|bc", "'dl", "a|c");
    check_vi("a|bc", "'d Escape 'x", "a|c");
    check_vi("a|bc", "'dz 'x", "a|c");
    check_vi("a|bc", "'d Left 'x", "|bc");
    check_vi("|ab cd", "'dw $ 'p", "cdab| ");
    check_vi("|ab", "'xP", "|ab");
    check_vi("|ab", "'p", "|ab");
    check_vi("ab|c", "'xu", "ab|c");
    check_vi("ab|c", "'k", "last on|e");
    check_vi("ab|c", "Up C-p 'j Down", "ab|c");
    check_vi("|", "'xXdwhlwbeDp", "|");
}

/// No keys in any order break the line: the cursor is in it, the limit holds, the view fits.
#[test]
fn anything_goes() {
    let keys: Vec<Key> = "a é 日 Space / C-a C-b C-d C-e C-f C-h C-k C-n C-p C-q C-r C-s C-t C-u C-w C-y C-_ M-b M-c M-d M-f M-l M-t M-u M-y \
        M-BSpace BSpace DC Left Right Up Down Home End Escape i A 0 $ w e b W E B x X d c p P D C S s u h l k j Enter C-c C-g Tab"
        .split_whitespace()
        .filter_map(Key::parse)
        .chain(['\u{301}', '\u{1f1e9}', '\u{200d}', '👩'].map(Key::char))
        .collect();
    let mut seed = 0x2545_f491_4f6c_dd1du64;
    let mut next = |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % n as u64) as usize
    };
    for round in 0..400 {
        let mut e = LineEdit::new("foo bar", vec!["日本".into(), "x y z".into()])
            .with_vi(round % 2 == 0)
            .with_separators(SEPARATORS)
            .with_limit(40);
        let mut pressed = Vec::new();
        for _ in 0..120 {
            let key = keys[next(keys.len())];
            pressed.push(key.to_string());
            e.key(key);
            if next(20) == 0 {
                e.paste("p\u{301}\n🇩🇪");
            }
            assert!(e.at <= e.text.len(), "{pressed:?}");
            assert!(e.text().chars().count() <= 40, "{pressed:?}");
            let cells = next(12);
            let (view, cursor) = e.view(cells);
            assert!(cursor <= cells.saturating_sub(1), "{pressed:?}");
            assert!(width::text_width(&view) <= cells, "{pressed:?}: {view:?} in {cells}");
        }
    }
}
