//! From keys, mouse events and pastes to the bytes a pane's program expects, as tmux writes them.

use super::{Code, Key, KeyEvent, Mods, Mouse};
use crate::base::Pos;
use crate::term::{MouseEncoding, MouseTracking};

/// What a pane's terminal and the options say of how keys are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PaneModes {
    /// DECCKM.
    pub app_cursor: bool,
    /// DECKPAM.
    pub app_keypad: bool,
    /// modifyOtherKeys: 0, 1 or 2.
    pub extended: u8,
    /// Extended keys as `CSI 27 ; m ; c ~` instead of `CSI c ; m u`.
    pub xterm_format: bool,
    /// What Backspace is, the option `backspace`.
    pub backspace: Option<Key>,
    /// Flags of the kitty keyboard protocol that the program asked for.
    pub kitty: u8,
}

/// Modifiers as xterm numbers them, without META where it goes before as an ESC.
fn number(m: Mods) -> u8 {
    1 + u8::from(m.contains(Mods::SHIFT))
        + 2 * u8::from(m.contains(Mods::META))
        + 4 * u8::from(m.contains(Mods::CTRL))
        + 8 * u8::from(m.contains(Mods::SUPER))
}

/// Appends the bytes of a key. Keys that no program can be told are nothing.
pub fn encode(event: &KeyEvent, modes: &PaneModes, out: &mut Vec<u8>) {
    if event.phase == super::Phase::Release {
        return;
    }
    let mut key = event.key;
    if key.code == Code::BSpace {
        let set = modes.backspace.unwrap_or(Key::ctrl('?'));
        if key.mods.is_empty() {
            let byte = match (set.code, set.mods) {
                (Code::BSpace, _) => Some(0x7f),
                (Code::Char(c), m) if m.is_empty() && c.is_ascii() => Some(c as u8),
                (Code::Char('?'), m) if m == Mods::CTRL => Some(0x7f),
                (Code::Char(c), m) if m == Mods::CTRL && c.is_ascii_alphabetic() => Some(c as u8 & 0x1f),
                _ => None,
            };
            out.extend(byte);
            return;
        }
        let set = if set.code == Code::BSpace { Key::char('\x7f') } else { set };
        if set == Key::ctrl('?') {
            key = Key::new(Code::Char('\x7f'), key.mods);
        } else {
            key = set.with(key.mods);
        }
    }
    if key.code == Code::BTab {
        key = if modes.extended == 2 {
            Key::new(Code::Char('\t'), key.mods | Mods::SHIFT)
        } else {
            Key::plain(Code::BTab)
        };
    }
    if let Code::Char(c) = key.code {
        return character(c, key.mods, modes, out);
    }
    special(key, modes, out);
}

fn character(c: char, m: Mods, modes: &PaneModes, out: &mut Vec<u8>) {
    let plain = matches!(c, '\t' | '\r' | '\x1b') || (' '..='\x7f').contains(&c) || !c.is_ascii();
    if m.is_empty() && plain {
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        return;
    }
    match modes.extended {
        2 if !m.is_empty() => extended(c, m, modes, out),
        1 if !m.is_empty() && !standard_in_mode_1(c, m) => extended(c, m, modes, out),
        _ => vt10x(c, m, out),
    }
}

/// Keys that programs which asked for level 1 still get the old way.
fn standard_in_mode_1(c: char, m: Mods) -> bool {
    if m & (Mods::CTRL | Mods::META) == Mods::META {
        return true;
    }
    m.contains(Mods::CTRL) && (matches!(c, ' ' | '/' | '@' | '^' | '2'..='8') || ('@'..='~').contains(&c))
}

fn extended(c: char, m: Mods, modes: &PaneModes, out: &mut Vec<u8>) {
    let (n, code) = (number(m), c as u32);
    let text = if modes.xterm_format { format!("\x1b[27;{n};{code}~") } else { format!("\x1b[{code};{n}u") };
    out.extend_from_slice(text.as_bytes());
}

/// The encoding of the VT terminals: META is an ESC before, CTRL a control character, SHIFT is in the character.
fn vt10x(c: char, m: Mods, out: &mut Vec<u8>) {
    let mut bytes = [0; 4];
    if !c.is_ascii() {
        if m.contains(Mods::META) {
            out.push(0x1b);
        }
        out.extend_from_slice(c.encode_utf8(&mut bytes).as_bytes());
        return;
    }
    let mut b = c as u8;
    if m.contains(Mods::CTRL) && !matches!(c, '\r' | '\n' | '\t') {
        b = match c {
            '1' | '!' => b'1',
            '9' | '(' => b'9',
            '0' | ')' => b'0',
            '=' | '+' => b'=',
            ';' | ':' => b';',
            '\'' | '"' => b'\'',
            ',' | '<' => b',',
            '.' | '>' => b'.',
            '/' | '-' => 0x1f,
            '8' | '?' => 0x7f,
            ' ' | '2' => 0,
            '3'..='7' => b - 0x18,
            '@'..='~' => b & 0x1f,
            _ => return,
        };
    }
    if m.contains(Mods::META) {
        out.push(0x1b);
    }
    out.push(b & 0x7f);
}

fn special(key: Key, modes: &PaneModes, out: &mut Vec<u8>) {
    let Key { code, mods: m } = key;
    let known = m & (Mods::SHIFT | Mods::META | Mods::CTRL);
    let n = number(known);
    let letter = |l: u8, app: bool, out: &mut Vec<u8>| {
        if !known.is_empty() {
            out.extend_from_slice(format!("\x1b[1;{n}{}", l as char).as_bytes());
        } else {
            out.extend_from_slice(&[0x1b, if app { b'O' } else { b'[' }, l]);
        }
    };
    let tilde = |k: u8, out: &mut Vec<u8>| {
        let text = if known.is_empty() { format!("\x1b[{k}~") } else { format!("\x1b[{k};{n}~") };
        out.extend_from_slice(text.as_bytes());
    };
    match code {
        Code::Up => letter(b'A', modes.app_cursor, out),
        Code::Down => letter(b'B', modes.app_cursor, out),
        Code::Right => letter(b'C', modes.app_cursor, out),
        Code::Left => letter(b'D', modes.app_cursor, out),
        Code::Home if known.is_empty() => tilde(1, out),
        Code::End if known.is_empty() => tilde(4, out),
        Code::Home => letter(b'H', false, out),
        Code::End => letter(b'F', false, out),
        Code::IC => tilde(2, out),
        Code::DC => tilde(3, out),
        Code::PPage => tilde(5, out),
        Code::NPage => tilde(6, out),
        Code::BTab => out.extend_from_slice(b"\x1b[Z"),
        Code::F(f @ 1..=4) if known.is_empty() => out.extend_from_slice(&[0x1b, b'O', b'O' + f]),
        Code::F(f @ 1..=4) => letter(b'O' + f, false, out),
        Code::F(f @ 5..=12) => tilde([15, 17, 18, 19, 20, 21, 23, 24][f as usize - 5], out),
        Code::Kp(c) => {
            if m.contains(Mods::META) {
                out.push(0x1b);
            }
            match c {
                b'\r' if modes.app_keypad => out.extend_from_slice(b"\x1bOM"),
                b'\r' => out.push(b'\n'),
                c if modes.app_keypad => out.extend_from_slice(&[0x1b, b'O', c + 0x40]),
                c => out.push(c),
            }
        }
        _ => {}
    }
}

/// Appends a mouse event for a program that tracks the mouse so; `at` is relative to the pane. Returns false, and appends
/// nothing, for an event that the program did not ask for.
pub fn encode_mouse(m: &Mouse, wants: crate::term::Mouse, at: Pos, out: &mut Vec<u8>) -> bool {
    let wanted = match wants.tracking {
        MouseTracking::Off => false,
        MouseTracking::X10 => !m.motion && !m.release && m.button <= 3,
        MouseTracking::Normal => !m.motion,
        MouseTracking::Button => !m.motion || m.button != 0,
        MouseTracking::Any => true,
    };
    if !wanted {
        return false;
    }
    let sgr = matches!(wants.encoding, MouseEncoding::Sgr | MouseEncoding::SgrPixels);
    let mut b: u16 = match m.button {
        0 => 3,
        n @ 1..=3 => u16::from(n) - 1,
        n @ 4..=7 => u16::from(n) - 4 + 64,
        n => u16::from(n) - 8 + 128,
    };
    if m.release && !sgr {
        b = 3;
    }
    if m.motion {
        b += 32;
    }
    if wants.tracking != MouseTracking::X10 {
        b += 4 * u16::from(m.mods.contains(Mods::SHIFT))
            + 8 * u16::from(m.mods.contains(Mods::META))
            + 16 * u16::from(m.mods.contains(Mods::CTRL));
    }
    let (x, y) = (at.x + 1, at.y + 1);
    match wants.encoding {
        MouseEncoding::Sgr | MouseEncoding::SgrPixels => {
            let last = if m.release { 'm' } else { 'M' };
            out.extend_from_slice(format!("\x1b[<{b};{x};{y}{last}").as_bytes());
        }
        MouseEncoding::Urxvt => out.extend_from_slice(format!("\x1b[{};{x};{y}M", b + 32).as_bytes()),
        MouseEncoding::Utf8 => {
            out.extend_from_slice(b"\x1b[M");
            for v in [b + 32, x + 32, y + 32] {
                let c = char::from_u32(u32::from(v.min(0x7ff))).unwrap_or(' ');
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        _ => {
            if x > 223 || y > 223 {
                return false;
            }
            out.extend_from_slice(&[0x1b, b'[', b'M', (b + 32) as u8, (x + 32) as u8, (y + 32) as u8]);
        }
    }
    true
}

/// Appends a paste: newlines become Enter; in brackets if the program asked for them, and then without the end mark.
pub fn encode_paste(text: &[u8], bracket: bool, out: &mut Vec<u8>) {
    const END: &[u8] = b"\x1b[201~";
    if !bracket {
        out.extend(text.iter().map(|b| if *b == b'\n' { b'\r' } else { *b }));
        return;
    }
    out.extend_from_slice(b"\x1b[200~");
    let mut rest = text;
    // Taking a mark away may join the bytes around it to a new one.
    let start = out.len();
    while let Some((&b, tail)) = rest.split_first() {
        out.push(b);
        rest = tail;
        if out[start..].ends_with(END) {
            out.truncate(out.len() - END.len());
        }
    }
    out.extend_from_slice(END);
}

/// Appends a focus report.
pub fn encode_focus(on: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(if on { b"\x1b[I" } else { b"\x1b[O" });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, want: &[u8]) {
        let key = Key::parse(name).unwrap_or_else(|| panic!("no key {name}"));
        let mut out = Vec::new();
        encode(&key.into(), &PaneModes::default(), &mut out);
        assert_eq!(out, want, "{name}");
    }

    #[test]
    fn keys() {
        check("a", b"a");
        check("C-a", b"\x01");
        check("M-a", b"\x1ba");
        check("C-Space", b"\0");
        check("Up", b"\x1b[A");
        check("S-Up", b"\x1b[1;2A");
        check("C-F5", b"\x1b[15;5~");
        check("BSpace", b"\x7f");
        check("Enter", b"\r");
        check("BTab", b"\x1b[Z");
    }

    #[test]
    fn a_paste_cannot_end_itself() {
        let mut out = Vec::new();
        encode_paste(b"a\x1b[20\x1b[201~1~b", true, &mut out);
        assert_eq!(out, b"\x1b[200~ab\x1b[201~");
    }
}
