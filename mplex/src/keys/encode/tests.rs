//! Names to bytes, as programs in panes get them.

use super::super::decode::{Decoder, Input};
use super::*;
use crate::base::Time;
use crate::term::{MouseEncoding as E, MouseTracking as M};

fn visible(bytes: &[u8]) -> String {
    let mut out = String::new();
    for c in String::from_utf8_lossy(bytes).chars() {
        match c {
            '\0'..='\x1f' => {
                out.push('^');
                out.push((c as u8 + 0x40) as char);
            }
            '\x7f' => out.push_str("^?"),
            c => out.push(c),
        }
    }
    out
}

fn sent(name: &str, modes: &PaneModes) -> String {
    let key = Key::parse(name).unwrap_or_else(|| panic!("no key {name:?}"));
    let mut out = Vec::new();
    let any = encode(&key.into(), modes, &mut out);
    assert_eq!(any, !out.is_empty());
    visible(&out)
}

fn check(modes: &PaneModes, rows: &[(&str, &str)]) {
    for (name, want) in rows {
        assert_eq!(sent(name, modes), *want, "key {name:?} with {modes:?}");
    }
}

#[test]
fn plain_modes() {
    let m = PaneModes::default();
    for c in 'a'..='z' {
        let control = ((c as u8 & 0x1f) + 0x40) as char;
        check(&m, &[(&format!("C-{c}"), &format!("^{control}")), (&format!("M-C-{c}"), &format!("^[^{control}"))]);
    }
    for c in '!'..='~' {
        check(&m, &[(&c.to_string(), &c.to_string()), (&format!("M-{c}"), &format!("^[{c}"))]);
    }
    check(
        &m,
        &[
            ("C-Space", "^@"),
            ("Escape", "^["),
            ("M-Escape", "^[^["),
            ("C-\\", "^\\"),
            ("M-C-\\", "^[^\\"),
            ("C-]", "^]"),
            ("C-^", "^^"),
            ("C-_", "^_"),
            ("C-/", "^_"),
            ("C-?", "^?"),
            ("C-2", "^@"),
            ("C-3", "^["),
            ("C-8", "^?"),
            ("C-1", "1"),
            ("C-!", "1"),
            ("C-;", ";"),
            ("C-#", ""),
            ("M-C-#", ""),
            ("M-Space", "^[ "),
            ("Tab", "^I"),
            ("M-Tab", "^[^I"),
            ("C-Tab", "^I"),
            ("C-S-Tab", "^I"),
            ("BTab", "^[[Z"),
            ("Enter", "^M"),
            ("C-Enter", "^M"),
            ("S-Enter", "^M"),
            ("BSpace", "^?"),
            ("M-BSpace", "^[^?"),
            ("F1", "^[OP"),
            ("F4", "^[OS"),
            ("F5", "^[[15~"),
            ("F6", "^[[17~"),
            ("F10", "^[[21~"),
            ("F11", "^[[23~"),
            ("F12", "^[[24~"),
            ("S-F5", "^[[15;2~"),
            ("IC", "^[[2~"),
            ("DC", "^[[3~"),
            ("Home", "^[[1~"),
            ("End", "^[[4~"),
            ("NPage", "^[[6~"),
            ("PPage", "^[[5~"),
            ("Up", "^[[A"),
            ("Left", "^[[D"),
            ("KP*", "*"),
            ("M-KP*", "^[*"),
            ("KP7", "7"),
            ("M-KP.", "^[."),
            ("KPEnter", "^J"),
            ("é", "é"),
            ("M-é", "^[é"),
            ("C-é", "é"),
            ("Super-v", ""),
            ("User1", ""),
            ("Any", ""),
            ("MouseDown1Pane", ""),
        ],
    );
    for (key, form) in [
        ("F1", "1;_P"),
        ("F4", "1;_S"),
        ("F5", "15;_~"),
        ("F12", "24;_~"),
        ("Up", "1;_A"),
        ("Home", "1;_H"),
        ("End", "1;_F"),
        ("PPage", "5;_~"),
        ("DC", "3;_~"),
    ] {
        for (i, mods) in ["S-", "M-", "S-M-", "C-", "S-C-", "C-M-", "S-C-M-"].iter().enumerate() {
            let want = format!("^[[{}", form.replace('_', &(i + 2).to_string()));
            check(&m, &[(&format!("{mods}{key}"), &want)]);
        }
    }
}

#[test]
fn application_modes_and_backspace() {
    let m = PaneModes { app_cursor: true, app_keypad: true, ..PaneModes::default() };
    check(
        &m,
        &[
            ("Up", "^[OA"),
            ("C-Up", "^[[1;5A"),
            ("Home", "^[[1~"),
            ("KP7", "^[Ow"),
            ("M-KP*", "^[^[Oj"),
            ("KPEnter", "^[OM"),
        ],
    );
    let m = PaneModes { backspace: Some(Key::ctrl('h')), ..PaneModes::default() };
    check(&m, &[("BSpace", "^H"), ("M-BSpace", "^[^H")]);
}

#[test]
fn escape_before_a_sequence_stays_escape() {
    let mut events = Vec::new();
    let mut d = Decoder::default();
    d.feed(b"\x1b\x1b[A\x1b[1;3A\x1b\x1bOx", Time(0), &mut events);
    let mut out = Vec::new();
    for e in events {
        let Input::Key(k) = e else { panic!("no key") };
        encode(&k, &PaneModes::default(), &mut out);
    }
    assert_eq!(visible(&out), "^[^[[A^[[1;3A^[8");
}

#[test]
fn modify_other_keys() {
    let one = PaneModes { extended: 1, xterm_format: true, ..PaneModes::default() };
    check(
        &one,
        &[
            ("C-Tab", "^[[27;5;9~"),
            ("C-S-Tab", "^[[27;6;9~"),
            ("S-Enter", "^[[27;2;13~"),
            ("C-a", "^A"),
            ("M-a", "^[a"),
            ("C-/", "^_"),
            ("C-1", "^[[27;5;49~"),
            ("C-;", "^[[27;5;59~"),
            ("BTab", "^[[Z"),
            ("M-Tab", "^[^I"),
        ],
    );
    let two = PaneModes { extended: 2, ..PaneModes::default() };
    check(
        &two,
        &[
            ("a", "a"),
            ("C-a", "^[[97;5u"),
            ("M-a", "^[[97;3u"),
            ("C-é", "^[[233;5u"),
            ("BTab", "^[[9;2u"),
            ("Enter", "^M"),
            ("M-BSpace", "^[[127;3u"),
        ],
    );
}

#[test]
fn kitty_levels() {
    let level = |bits| PaneModes { kitty: bits, app_cursor: true, ..PaneModes::default() };
    check(
        &level(1),
        &[
            ("a", "a"),
            ("A", "A"),
            ("é", "é"),
            ("Escape", "^[[27u"),
            ("Enter", "^M"),
            ("Tab", "^I"),
            ("BSpace", "^?"),
            ("S-Enter", "^[[13;2u"),
            ("C-i", "^[[105;5u"),
            ("M-a", "^[[97;3u"),
            ("M-A", "^[[97;4u"),
            ("C-Space", "^[[32;5u"),
            ("BTab", "^[[9;2u"),
            ("Up", "^[[A"),
            ("C-Up", "^[[1;5A"),
            ("F1", "^[[P"),
            ("F3", "^[[13~"),
            ("F5", "^[[15~"),
            ("Home", "^[[H"),
            ("DC", "^[[3~"),
            ("KP5", "5"),
            ("KPEnter", "^[[57414u"),
            ("F13", "^[[57376u"),
            ("Super-v", "^[[118;9u"),
            ("User1", ""),
        ],
    );
    check(&level(8), &[("a", "^[[97u"), ("A", "^[[97;2u"), ("Enter", "^[[13u"), ("KP5", "^[[57404u")]);
    check(&level(8 | 4), &[("A", "^[[97:65;2u")]);
    check(&level(8 | 16), &[("a", "^[[97;;97u"), ("A", "^[[97;2;65u"), ("C-a", "^[[97;5u"), ("Enter", "^[[13u")]);
    check(&level(2), &[("C-a", "^A"), ("Escape", "^[")]);
}

/// What a terminal with the protocol sends goes through unchanged to a pane that asked for all of it.
#[test]
fn kitty_goes_through() {
    let all = PaneModes { kitty: 31, ..PaneModes::default() };
    for seq in [
        "\x1b[97;;97u",
        "\x1b[97:65;2;65u",
        "\x1b[97;5:3u",
        "\x1b[1089::99;5u",
        "\x1b[1;1:3A",
        "\x1b[1;65A",
        "\x1b[57441;2:3u",
        "\x1b[57358u",
        "\x1b[118;9u",
        "\x1b[13;2u",
        "\x1b[57376;5u",
    ] {
        let mut d = Decoder::default();
        d.set_kitty(true);
        let mut events = Vec::new();
        d.feed(seq.as_bytes(), Time(0), &mut events);
        let [Input::Key(k)] = events.as_slice() else { panic!("{seq:?}: {events:?}") };
        let mut out = Vec::new();
        encode(k, &all, &mut out);
        assert_eq!(visible(&out), visible(seq.as_bytes()));
        let mut old = Vec::new();
        encode(k, &PaneModes::default(), &mut old);
        assert!(!visible(&old).ends_with('u'), "{seq:?} leaked to a pane that did not ask: {}", visible(&old));
        if k.phase == Phase::Release {
            assert!(old.is_empty());
        }
    }
}

#[test]
fn mouse() {
    let m = |button, motion, release, mods| Mouse { button, motion, release, pos: Pos::new(50, 50), mods };
    let no = Mods::empty();
    let at_pos = |e: &Mouse, tracking, encoding, at| {
        let mut out = Vec::new();
        let sent = encode_mouse(e, term::Mouse { tracking, encoding }, at, &mut out);
        assert_eq!(sent, !out.is_empty());
        out
    };
    let said = |e: &Mouse, tracking, encoding| visible(&at_pos(e, tracking, encoding, Pos::new(1, 2)));
    let down = m(1, false, false, no);
    let up = m(1, false, true, no);
    let drag = m(1, true, false, no);
    let hover = m(0, true, false, no);
    for (e, mode, enc, want) in [
        (&down, M::Off, E::Sgr, ""),
        (&down, M::X10, E::Default, "^[[M \"#"),
        (&up, M::X10, E::Default, ""),
        (&down, M::Normal, E::Sgr, "^[[<0;2;3M"),
        (&up, M::Normal, E::Sgr, "^[[<0;2;3m"),
        (&up, M::Normal, E::Default, "^[[M#\"#"),
        (&up, M::Normal, E::Urxvt, "^[[35;2;3M"),
        (&drag, M::Normal, E::Sgr, ""),
        (&drag, M::Button, E::Sgr, "^[[<32;2;3M"),
        (&hover, M::Button, E::Sgr, ""),
        (&hover, M::Any, E::Sgr, "^[[<35;2;3M"),
        (&m(4, false, false, Mods::CTRL), M::Normal, E::Sgr, "^[[<80;2;3M"),
        (&m(9, false, false, no), M::Normal, E::Utf8, "^[[M¡\"#"),
        (&m(3, false, false, Mods::SHIFT | Mods::META), M::Normal, E::Default, "^[[M.\"#"),
    ] {
        assert_eq!(said(e, mode, enc), want, "{e:?} {mode:?} {enc:?}");
    }
    let far = Pos::new(400, 3000);
    assert_eq!(at_pos(&down, M::Any, E::Default, far), b"\x1b[M \xff\xff");
    assert_eq!(at_pos(&down, M::Any, E::Utf8, far), b"");
    assert_eq!(at_pos(&down, M::Any, E::Sgr, far), b"\x1b[<0;401;3001M");
}

#[test]
fn pastes_cannot_end_early() {
    let p = |text: &str, bracket| {
        let mut out = Vec::new();
        encode_paste(text.as_bytes(), bracket, &mut out);
        visible(&out)
    };
    assert_eq!(p("a\r", true), "^[[200~a^M^[[201~");
    assert_eq!(p("a\x1b[201~rm\r", true), "^[[200~arm^M^[[201~");
    assert_eq!(p("a\x1b[20\x1b[201~1~b", true), "^[[200~ab^[[201~");
    assert_eq!(p("a\nb\x1b[201~", false), "a^Mb^[[201~");
    let mut out = Vec::new();
    encode_focus(true, &mut out);
    encode_focus(false, &mut out);
    assert_eq!(visible(&out), "^[[I^[[O");
}
