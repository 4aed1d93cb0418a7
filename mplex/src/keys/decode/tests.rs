//! Bytes to events: pictures of what a client's terminal sends.

use super::*;

/// Events as words, pieces of a paste joined.
fn words(events: &[Input]) -> String {
    let mut all = String::new();
    let mut paste: Vec<u8> = Vec::new();
    for e in events {
        let word = match e {
            Input::Paste(Paste::Data(d)) => {
                paste.extend_from_slice(d);
                continue;
            }
            Input::Paste(p) => {
                if !paste.is_empty() {
                    all += &format!("{:?} ", String::from_utf8_lossy(&std::mem::take(&mut paste)));
                }
                if *p == Paste::Start { "PasteStart".to_owned() } else { "PasteEnd".to_owned() }
            }
            Input::Key(k) => {
                let mark = match k.phase {
                    Phase::Press => "",
                    Phase::Repeat => "*",
                    Phase::Release => "^",
                };
                format!("{}{}{mark}", if k.esc_meta { "esc:" } else { "" }, k.key)
            }
            Input::Focus(f) => if *f { "FocusIn" } else { "FocusOut" }.to_owned(),
            Input::Mouse(m) => {
                let how = match (m.motion, m.release) {
                    (true, _) => "move",
                    (_, true) => "up",
                    _ => "down",
                };
                format!("{how}{}@{},{}{}", m.button, m.pos.x, m.pos.y, if m.mods.is_empty() { "" } else { "+" })
            }
            Input::Response(r) => format!("{r:?}"),
        };
        all += &word;
        all.push(' ');
    }
    if !paste.is_empty() {
        all += &format!("{:?} ", String::from_utf8_lossy(&paste));
    }
    all.trim_end().to_owned()
}

/// Feeds everything, then lets every deadline pass.
fn run(d: &mut Decoder, bytes: &[u8]) -> String {
    let mut out = Vec::new();
    d.feed(bytes, Time(0), &mut out);
    let mut rounds = 0;
    while let Some(t) = d.deadline() {
        d.timeout(t, &mut out);
        rounds += 1;
        assert!(rounds < 10, "deadlines come to an end");
    }
    words(&out)
}

fn check(bytes: &str, want: &str) {
    assert_eq!(run(&mut Decoder::default(), bytes.as_bytes()), want, "bytes {bytes:?}");
}

fn check_kitty(bytes: &str, want: &str) {
    let mut d = Decoder::default();
    d.set_kitty(true);
    assert_eq!(run(&mut d, bytes.as_bytes()), want, "bytes {bytes:?}");
}

#[test]
fn single_bytes_with_and_without_escape() {
    for b in 0u8..0x80 {
        let name = match b {
            0 => "C-Space".to_owned(),
            9 => "Tab".to_owned(),
            13 => "Enter".to_owned(),
            27 => "Escape".to_owned(),
            32 => "Space".to_owned(),
            127 => "BSpace".to_owned(),
            1..=31 => format!("C-{}", ((b | 0x40) as char).to_ascii_lowercase()),
            _ => (b as char).to_string(),
        };
        let meta = match name.strip_prefix("C-") {
            Some(rest) => format!("C-M-{rest}"),
            None => format!("M-{name}"),
        };
        check(std::str::from_utf8(&[b]).unwrap(), &name);
        check(std::str::from_utf8(&[0x1b, b]).unwrap(), &meta);
    }
}

#[test]
fn legacy_keys() {
    for (bytes, want) in [
        ("\x1bOM", "KPEnter"),
        ("\x1bOj", "KP*"),
        ("\x1bOk", "KP+"),
        ("\x1bOm", "KP-"),
        ("\x1bOn", "KP."),
        ("\x1bOo", "KP/"),
        ("\x1bOp", "KP0"),
        ("\x1bOy", "KP9"),
        ("\x1b\x1bOy", "esc:M-KP9"),
        ("\x1bOA", "Up"),
        ("\x1b\x1bOA", "esc:M-Up"),
        ("\x1b[D", "Left"),
        ("\x1b\x1b[D", "esc:M-Left"),
        ("\x1bOH", "Home"),
        ("\x1b\x1b[F", "esc:M-End"),
        ("\x1bOa", "C-Up"),
        ("\x1bOd", "C-Left"),
        ("\x1b[a", "S-Up"),
        ("\x1b[c", "S-Right"),
        ("\x1b[11~", "F1"),
        ("\x1b[15~", "F5"),
        ("\x1b[17~", "F6"),
        ("\x1b[21~", "F10"),
        ("\x1b[23~", "F11"),
        ("\x1b[24~", "F12"),
        ("\x1b[25~", "S-F3"),
        ("\x1b[26~", "S-F4"),
        ("\x1b[28~", "S-F5"),
        ("\x1b[29~", "S-F6"),
        ("\x1b[31~", "S-F7"),
        ("\x1b[34~", "S-F10"),
        ("\x1b[23$", "S-F11"),
        ("\x1b[24$", "S-F12"),
        ("\x1b[11^", "C-F1"),
        ("\x1b[24^", "C-F12"),
        ("\x1b[11@", "C-S-F1"),
        ("\x1b[24@", "C-S-F12"),
        ("\x1b[3$", "S-DC"),
        ("\x1b[I", "FocusIn"),
        ("\x1b[O", "FocusOut"),
        ("\x1b[Z", "BTab"),
        ("\x1b[1;5Z", "C-S-Tab"),
        ("\x1b[[A", "F1"),
        ("\x1b[[E", "F5"),
        ("\x1bOP", "F1"),
        ("\x1bO5P", "C-F1"),
        ("\x1bO1;2S", "S-F4"),
        ("\x1b[1;5A", "C-Up"),
        ("\x1b[1;9A", "M-Up"),
        ("\x1b[1;8H", "C-M-S-Home"),
        ("\x1b[1;2R", "S-F3"),
        ("\x1b[3;5~", "C-DC"),
        ("\x1b[24;8~", "C-M-S-F12"),
        ("\x1b\x1b[1;5A", "esc:C-M-Up"),
        ("\x1b\x1b[1;3A", "Escape M-Up"),
        ("\x1b\x1b[?1c", "Escape PrimaryAttributes([1])"),
        ("\x1b\x1ba", "M-Escape a"),
        ("\x1b\x1b\x1b[A", "M-Escape Up"),
        ("\x1b[123;5u", "C-{"),
        ("\x1b[32;2u", "S-Space"),
        ("\x1b[9;5u", "C-Tab"),
        ("\x1b[9;2u", "BTab"),
        ("\x1b[65;2u", "A"),
        ("\x1b[65;6u", "C-S-A"),
        ("\x1b[13;2u", "S-Enter"),
        ("\x1b[127;5u", "C-BSpace"),
        ("\x1b[27;5;9~", "C-Tab"),
        ("\x1b[27;6;65~", "C-S-A"),
        ("\x1b[27;2;33~", "!"),
        ("\x1b[233;5u", "C-é"),
        ("é日😀", "é 日 😀"),
        ("\x1bé", "M-é"),
        ("\x1b[", "M-["),
        ("\x1b[\r", "M-[ Enter"),
        ("\x1bO", "M-O"),
        ("\x1bO\r", "M-O Enter"),
        ("\x1b]", "M-]"),
        ("\x1b]x", "M-] x"),
        ("\x1bPx", "M-P x"),
        ("\x1b_", "M-_"),
    ] {
        check(bytes, want);
    }
}

#[test]
fn what_is_not_understood_is_dropped() {
    for (bytes, want) in [
        ("a\x1b[?62;99zb", "a b"),
        ("a\x1b[1;2;3;4qb", "a b"),
        ("a\x1b[!pb", "a b"),
        ("a\x1bO~b", "a b"),
        ("a\x1b[5;\rb", "a Enter b"),
        ("a\x1b]999999;x\x07b", "a b"),
        ("a\x1bP1zzz\x1b\\b", "a b"),
        ("a\x1b]11;rgb\rb", "a Enter b"),
        ("a\x1b]11;rgb\x1b[Ab", "a Up b"),
        ("\x1b[<0;0;1M", ""),
        ("\x1b[<65;1;1m", ""),
    ] {
        check(bytes, want);
    }
    let mut d = Decoder::default();
    assert_eq!(run(&mut d, b"a\xffb\xc3(\xe2\x82d\xf0\x9f"), "a b ( d");
    // Too long, with its end in sight and without.
    let long = format!("x\x1b[{}Ay", "1;".repeat(200));
    assert_eq!(run(&mut Decoder::default(), long.as_bytes()), "x y");
}

#[test]
fn kitty_protocol() {
    for (bytes, want) in [
        ("\x1b[97u", "a"),
        ("\x1b[97;1:2u", "a*"),
        ("\x1b[97;1:3u", "a^"),
        ("\x1b[97;5u", "C-a"),
        ("\x1b[105;5u", "C-i"),
        ("\x1b[97;2u", "A"),
        ("\x1b[97:65;2;65u", "A"),
        ("\x1b[49:33;2;33u", "!"),
        ("\x1b[97;4u", "M-A"),
        ("\x1b[97;6u", "C-S-a"),
        ("\x1b[1089::99;5u", "C-с"),
        ("\x1b[97;65u", "A"),
        ("\x1b[118;9u", "Super-v"),
        ("\x1b[27u", "Escape"),
        ("\x1b[13;2u", "S-Enter"),
        ("\x1b[9;2u", "BTab"),
        ("\x1b[127u", "BSpace"),
        ("\x1b[57399u", "KP0"),
        ("\x1b[57414u", "KPEnter"),
        ("\x1b[57417u", "Left"),
        ("\x1b[57376u", "F13"),
        ("\x1b[57358u", "Key57358"),
        ("\x1b[1;1:3A", "Up^"),
        ("\x1b[1;65A", "Up"),
        ("\x1b[13;5~", "C-F3"),
        ("\x1b[P", "F1"),
        ("\x1b[97;;229u", "å"),
    ] {
        check_kitty(bytes, want);
    }
    let mut out = Vec::new();
    let mut d = Decoder::default();
    d.set_kitty(true);
    d.feed(b"\x1b[97:65:98;2:2;65:769u", Time(0), &mut out);
    let Some(Input::Key(KeyEvent { kitty: Some(raw), .. })) = out.first() else { panic!("no key: {out:?}") };
    assert_eq!((raw.code, raw.shifted, raw.base, raw.mods), (97, Some('A'), Some('b'), 1));
    assert_eq!(&*raw.text, "A\u{301}");
}

#[test]
fn mouse_reports() {
    for (bytes, want) in [
        ("\x1b[<0;1;1M\x1b[<0;1;1m", "down1@0,0 up1@0,0"),
        ("\x1b[<2;300;200M", "down3@299,199"),
        ("\x1b[<64;5;6M\x1b[<65;5;6M\x1b[<67;5;6M", "down4@4,5 down5@4,5 down7@4,5"),
        ("\x1b[<32;5;6M\x1b[<35;5;6M", "move1@4,5 move0@4,5"),
        ("\x1b[<20;5;6M", "down1@4,5+"),
        ("\x1b[<128;1;1M", "down8@0,0"),
        ("\x1b[M !!\x1b[M#!!", "down1@0,0 up1@0,0"),
        ("\x1b[M\"!!\x1b[M#\"\"", "down3@0,0 up3@1,1"),
        ("\x1b[M\x01!!", ""),
        ("\x1b[32;5;6M\x1b[35;5;6M", "down1@4,5 up1@4,5"),
    ] {
        check(bytes, want);
    }
    let mut d = Decoder::default();
    d.set_utf8_mouse(true);
    assert_eq!(run(&mut d, "\x1b[M \u{12c}!x".as_bytes()), "down1@267,0 x");
}

#[test]
fn pastes_are_literal_and_end_only_at_their_mark() {
    check("\x1b[200~a\x1b[Ab\r\n\x1b[201~c", "PasteStart \"a\\u{1b}[Ab\\r\\n\" PasteEnd c");
    check("\x1b[201~", "PasteEnd");
    let mut d = Decoder::default();
    let mut out = Vec::new();
    d.feed(b"\x1b[200~x\x1b[20", Time(0), &mut out);
    assert_eq!(d.deadline(), None, "half a mark waits for ever");
    d.feed(b"1~y", Time(9_000_000_000), &mut out);
    assert_eq!(words(&out), "PasteStart \"x\" PasteEnd y");
    out.clear();
    d.feed(&[b"\x1b[200~".as_slice(), &vec![b'z'; 200_000]].concat(), Time(0), &mut out);
    assert!(out.iter().all(|e| !matches!(e, Input::Paste(Paste::Data(d)) if d.len() > PASTE_CHUNK)));
    assert!(d.in_paste());
}

#[test]
fn replies() {
    for (bytes, want) in [
        ("\x1b[?62;4;52c", "PrimaryAttributes([62, 4, 52])"),
        ("\x1b[>84;0;0c", "SecondaryAttributes([84, 0, 0])"),
        ("\x1bP!|7E565445\x1b\\", "TertiaryAttributes(\"7E565445\")"),
        ("\x1bP>|foot(1.20)\x1b\\", "Version(\"foot(1.20)\")"),
        ("\x1b[5;7R", "Cursor(Pos { x: 6, y: 4 })"),
        ("\x1b[?1;3;1R", "Cursor(Pos { x: 2, y: 0 })"),
        ("\x1b[?2026;2$y", "Mode { private: true, mode: 2026, setting: 2 }"),
        ("\x1b[4;2$y", "Mode { private: false, mode: 4, setting: 2 }"),
        ("\x1b]11;rgb:0000/1111/2222\x07", "Colour { which: 11, spec: \"rgb:0000/1111/2222\" }"),
        ("\x1b]10;rgb:ff/ff/ff\x1b\\", "Colour { which: 10, spec: \"rgb:ff/ff/ff\" }"),
        ("\x1b]4;7;rgb:ff/ff/ff\x1b\\", "Palette { index: 7, spec: \"rgb:ff/ff/ff\" }"),
        ("\x1b]52;c;YQ==\x07", "Clipboard { selection: \"c\", base64: [89, 81, 61, 61] }"),
        ("\x1b[?5u", "KittyFlags(5)"),
        ("\x1b[>4;2m", "ModifyOtherKeys(2)"),
        ("\x1b[?997;1n", "Theme { dark: true }"),
        ("\x1b[?997;2n", "Theme { dark: false }"),
        ("\x1b[8;24;80t", "TextSize { rows: 24, cols: 80 }"),
        ("\x1b[6;18;9t", "CellSize { height: 18, width: 9 }"),
        ("\x1b[48;24;80;432;720t", "Resized { rows: 24, cols: 80, height: 432, width: 720 }"),
        ("\x1b[0n", "Ok"),
        ("\x1bP1$r2 q\x1b\\", "Setting { valid: true, text: \"2 q\" }"),
        ("\x1bP0+r\x1b\\", "Termcap { valid: false, text: \"\" }"),
        ("\x1b_Gi=1;OK\x1b\\", "KittyGraphics([105, 61, 49, 59, 79, 75])"),
    ] {
        check(bytes, want);
    }
    let mut d = Decoder::default();
    d.expect_cursor_report(Time(1_000_000));
    assert_eq!(run(&mut d, b"\x1b[1;2R\x1b[1;2R"), "Cursor(Pos { x: 1, y: 0 }) S-F3");
}

/// Feeds pieces, letting the deadlines before each pass; a piece is a time in milliseconds and bytes.
fn script(expect_ms: u64, pieces: &[(u64, &str)]) -> String {
    let mut d = Decoder::default();
    d.expect_replies(Time(expect_ms * 1000));
    let mut out = Vec::new();
    for (ms, bytes) in pieces {
        let at = Time(ms * 1000);
        while let Some(t) = d.deadline().filter(|t| *t <= at) {
            d.timeout(t, &mut out);
        }
        d.feed(bytes.as_bytes(), at, &mut out);
    }
    let mut rounds = 0;
    while let Some(t) = d.deadline() {
        d.timeout(t, &mut out);
        rounds += 1;
        assert!(rounds < 10);
    }
    words(&out)
}

#[test]
fn late_and_split_replies_never_become_text() {
    let da = "PrimaryAttributes([62, 4])";
    for cut in 1..8 {
        let (a, b) = "\x1b[?62;4cx".split_at(cut);
        let got = script(5_000, &[(0, a), (900, b)]);
        // An introducer that was let go before is given as the key that it looked like; nothing else is.
        let key = match cut {
            1 => "Escape ",
            2 => "M-[ ",
            _ => "",
        };
        assert_eq!(got, format!("{key}{da} x"), "cut at {cut}");
    }
    assert_eq!(
        script(5_000, &[(0, "\x1b]"), (900, "11;rgb:1/2/3\x07x")]),
        "M-] Colour { which: 11, spec: \"rgb:1/2/3\" } x"
    );
    assert_eq!(
        script(5_000, &[(0, "\x1b]11;r"), (4_000, "gb:1/2/3\x1b"), (4_500, "\\x")]),
        "Colour { which: 11, spec: \"rgb:1/2/3\" } x"
    );
    // Keys that a person types in that time stay keys.
    assert_eq!(script(5_000, &[(0, "\x1b"), (900, "[")]), "Escape [");
    assert_eq!(script(5_000, &[(0, "\x1b"), (900, "x")]), "Escape x");
    assert_eq!(script(5_000, &[(0, "\x1b"), (900, "["), (1_500, "1")]), "Escape [ 1");
    // Nothing was asked: the rest of a broken sequence is waited for a little, and then forgotten.
    assert_eq!(script(0, &[(0, "\x1b[?6"), (1_000, "2c"), (1_100, "x")]), "PrimaryAttributes([62]) x");
    assert_eq!(script(0, &[(0, "\x1b[?6"), (5_000, "x")]), "x");
    assert_eq!(script(0, &[(0, "\x1b]11;zz"), (5_000, "x")]), "x");
    assert_eq!(script(0, &[(0, "\x1b]11;zz\x1b"), (5_000, "x")]), "Escape x");
}

#[test]
fn escape_waits_its_time() {
    let mut d = Decoder::new(Span::from_millis(50));
    let mut out = Vec::new();
    d.feed(b"\x1b", Time(1_000), &mut out);
    assert_eq!(d.deadline(), Some(Time(51_000)));
    d.timeout(Time(50_999), &mut out);
    assert_eq!(words(&out), "");
    d.timeout(Time(51_000), &mut out);
    assert_eq!(words(&out), "Escape");
    assert_eq!(d.deadline(), None);
    d.feed(b"\x1b", Time(60_000), &mut out);
    d.feed(b"[A", Time(70_000), &mut out);
    assert_eq!(words(&out), "Escape Up");
    assert_eq!(d.deadline(), None);
}

#[test]
fn erase_and_extra_keys() {
    let mut d = Decoder::default();
    d.set_erase(8);
    assert_eq!(run(&mut d, b"\x08\x7f\x1b\x08"), "BSpace C-? M-BSpace");
    let mut d = Decoder::default();
    d.set_extra_keys(vec![
        (b"\x1b[99zz".to_vec(), Key::plain(Code::User(3))),
        (b"ab".to_vec(), Key::plain(Code::User(1))),
        (b"abcd".to_vec(), Key::plain(Code::User(2))),
        (Vec::new(), Key::SPACE),
    ]);
    assert_eq!(run(&mut d, b"\x1b[99zzxabcdabceab"), "x User2 User1 c e User1".replace("x ", "User3 x "));
    assert_eq!(run(&mut d, b"a"), "a");
}

#[test]
fn any_split_gives_the_same_events() {
    let pieces: &[&str] = &[
        "a",
        "é",
        "日",
        "😀",
        "\x1b",
        "\x1b[A",
        "\x1b\x1b[A",
        "\x1bOP",
        "\x1b[1;5A",
        "\x1b[<0;10;20M",
        "\x1b[M !!",
        "\x1b[[A",
        "\x1b[200~",
        "\x1b[201~",
        "hello\r",
        "\x1b[?62;1c",
        "\x1b]11;rgb:1/2/3\x1b\\",
        "\x1b]52;c;YQ==\x07",
        "\x1bP>|x\x1b\\",
        "\x1b[97;5u",
        "\x1b]",
        "\x1b[",
        "\x1bO",
        "\x1b[1",
        "\x1b]1",
        "\x1b[11^",
        "\x1b[23$",
        "\x1b_G",
        "\x00",
        "\x7f",
        "\\",
        "\x07",
        "zz",
    ];
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % n as u64) as usize
    };
    for round in 0..4_000 {
        let mut bytes = Vec::new();
        for _ in 0..=next(8) {
            match next(12) {
                0 => bytes.push(next(256) as u8),
                1 => bytes.extend_from_slice(&"é日😀".as_bytes()[..next(9)]),
                _ => bytes.extend_from_slice(pieces[next(pieces.len())].as_bytes()),
            }
        }
        let make = || {
            let mut d = Decoder::default();
            d.set_extra_keys(vec![(b"zz".to_vec(), Key::plain(Code::User(0))), (b"\x1b[1zz".to_vec(), Key::TAB)]);
            d
        };
        let mut whole = Vec::new();
        let mut d = make();
        d.feed(&bytes, Time(0), &mut whole);
        let mut cut = Vec::new();
        let mut e = make();
        let mut at = 0;
        while at < bytes.len() {
            let n = (1 + next(4)).min(bytes.len() - at);
            e.feed(&bytes[at..at + n], Time(0), &mut cut);
            at += n;
        }
        assert_eq!(words(&whole), words(&cut), "round {round}: {:?}", String::from_utf8_lossy(&bytes));
        while let Some(t) = d.deadline() {
            d.timeout(t, &mut whole);
        }
        while let Some(t) = e.deadline() {
            e.timeout(t, &mut cut);
        }
        assert_eq!(words(&whole), words(&cut), "round {round} at the end: {:?}", String::from_utf8_lossy(&bytes));
    }
}
