//! Keys, mouse reports, pastes and focus for a pane's program, in the form that the program asked for.
//!
//! The legacy forms are tmux's; the kitty keyboard protocol is spoken to a pane that pushed its flags.

use super::decode::{PASTE_END, upper};
use super::key::{Code, Key, KeyEvent, Mods, Mouse, Phase};
use crate::base::Pos;
use crate::term::{self, MouseEncoding, MouseTracking};

/// Progressive enhancements of the kitty keyboard protocol.
const DISAMBIGUATE: u8 = 1;
const EVENT_TYPES: u8 = 2;
const ALTERNATES: u8 = 4;
const ALL_KEYS: u8 = 8;
const TEXT: u8 = 16;

/// What a pane's terminal and the options say of how keys are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PaneModes {
    /// DECCKM.
    pub app_cursor: bool,
    /// DECKPAM.
    pub app_keypad: bool,
    /// xterm's modifyOtherKeys: 0, 1 or 2.
    pub extended: u8,
    /// Extended keys as `CSI 27 ; m ; c ~` instead of `CSI c ; m u` (option `extended-keys-format`).
    pub xterm_format: bool,
    /// What BSpace is sent as, the option `backspace`; `None` is DEL.
    pub backspace: Option<Key>,
    /// Flags of the kitty keyboard protocol that the program asked for.
    pub kitty: u8,
}

impl PaneModes {
    fn backspace(&self) -> Key {
        match self.backspace {
            None | Some(Key { code: Code::BSpace, .. }) => Key::char('\x7f'),
            Some(key) if key == Key::ctrl('?') => Key::char('\x7f'),
            Some(key) => key,
        }
    }
}

/// Appends what the pane gets for the key. False if it gets nothing: keys that only mplex knows, releases that were not
/// asked for, combinations that the form in force cannot say.
pub fn encode(event: &KeyEvent, modes: &PaneModes, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    if modes.kitty != 0 {
        kitty(event, modes, out);
    } else if event.phase != Phase::Release {
        legacy(event, modes, out);
    }
    out.len() > start
}

fn push(out: &mut Vec<u8>, c: char) {
    let mut buf = [0; 4];
    out.extend_from_slice(c.encode_utf8(&mut buf).as_bytes());
}

/// xterm's modifier parameter, one more than the bits.
fn param(mods: Mods) -> u8 {
    1 + (mods & (Mods::SHIFT | Mods::META | Mods::CTRL)).bits()
}

fn legacy(event: &KeyEvent, modes: &PaneModes, out: &mut Vec<u8>) {
    let mut key = event.key;
    if key.mods.intersects(Mods::SUPER | Mods::HYPER) {
        return;
    }
    match key.code {
        Code::BSpace if key.mods.is_empty() => {
            let set = modes.backspace();
            match (set.code, set.mods) {
                (Code::Char(c @ '@'..='_'), Mods::CTRL) => out.push(c as u8 - 0x40),
                (Code::Char(c @ 'a'..='z'), Mods::CTRL) => out.push(c as u8 - 0x60),
                (Code::Char(c), m) if m.is_empty() => push(out, c),
                _ => {}
            }
            return;
        }
        Code::BSpace => key = modes.backspace().with(key.mods),
        Code::BTab if modes.extended == 2 => key = Key::new(Code::Char('\t'), key.mods | Mods::SHIFT),
        Code::BTab => key.mods = Mods::empty(),
        _ => {}
    }
    let esc_meta = event.esc_meta && key.mods.contains(Mods::META);
    match key.code {
        Code::Char(c) => char_legacy(c, key.mods, modes, out),
        Code::BTab => out.extend_from_slice(b"\x1b[Z"),
        Code::Kp(b) => {
            if (key.mods - Mods::META).is_empty() {
                if key.mods.contains(Mods::META) {
                    out.push(0x1b);
                }
                match (modes.app_keypad, b) {
                    (true, b'\r') => out.extend_from_slice(b"\x1bOM"),
                    (true, b) => out.extend_from_slice(&[0x1b, b'O', b + 0x40]),
                    // tmux sends the keypad's Enter as a line feed.
                    (false, b'\r') => out.push(b'\n'),
                    (false, b) => out.push(b),
                }
            }
        }
        Code::F(n @ 13..=35) => {
            // As terminfo counts them: a row of twelve for each modifier.
            let shift = if n <= 24 { Mods::SHIFT } else { Mods::CTRL };
            special(Code::F((n - 1) % 12 + 1), key.mods | shift, esc_meta, modes, out);
        }
        code => special(code, key.mods, esc_meta, modes, out),
    }
}

/// Number and final byte of the functional keys that have a sequence of their own.
fn sequence(code: Code) -> Option<(u8, u8)> {
    Some(match code {
        Code::Up => (1, b'A'),
        Code::Down => (1, b'B'),
        Code::Right => (1, b'C'),
        Code::Left => (1, b'D'),
        Code::Home => (1, b'H'),
        Code::End => (1, b'F'),
        Code::IC => (2, b'~'),
        Code::DC => (3, b'~'),
        Code::PPage => (5, b'~'),
        Code::NPage => (6, b'~'),
        Code::F(n @ 1..=4) => (1, b'P' + n - 1),
        Code::F(5) => (15, b'~'),
        Code::F(n @ 6..=10) => (n + 11, b'~'),
        Code::F(n @ 11..=12) => (n + 12, b'~'),
        _ => return None,
    })
}

fn special(code: Code, mods: Mods, esc_meta: bool, modes: &PaneModes, out: &mut Vec<u8>) {
    let Some((number, last)) = sequence(code) else { return };
    let mut mods = mods;
    if esc_meta {
        out.push(0x1b);
        mods -= Mods::META;
    }
    if !mods.is_empty() {
        csi(out, &format!("{number};{}", param(mods)), last);
        return;
    }
    match code {
        Code::Up | Code::Down | Code::Left | Code::Right if modes.app_cursor => {
            out.extend_from_slice(&[0x1b, b'O', last]);
        }
        Code::F(1..=4) => out.extend_from_slice(&[0x1b, b'O', last]),
        Code::Home => out.extend_from_slice(b"\x1b[1~"),
        Code::End => out.extend_from_slice(b"\x1b[4~"),
        _ if last == b'~' => csi(out, &number.to_string(), last),
        _ => out.extend_from_slice(&[0x1b, b'[', last]),
    }
}

fn csi(out: &mut Vec<u8>, params: &str, last: u8) {
    out.extend_from_slice(b"\x1b[");
    out.extend_from_slice(params.as_bytes());
    out.push(last);
}

fn char_legacy(c: char, mods: Mods, modes: &PaneModes, out: &mut Vec<u8>) {
    if mods.is_empty() {
        push(out, c);
        return;
    }
    // In level 1 what an old program can understand keeps its old form.
    let old = match modes.extended {
        0 => true,
        1 if mods & (Mods::CTRL | Mods::META) == Mods::META => true,
        1 => mods.contains(Mods::CTRL) && matches!(c, ' ' | '/' | '2'..='8' | '@'..='~'),
        _ => false,
    };
    if old {
        char_vt(c, mods, out);
    } else {
        let (m, n) = (param(mods), c as u32);
        if modes.xterm_format {
            csi(out, &format!("27;{m};{n}"), b'~');
        } else {
            csi(out, &format!("{n};{m}"), b'u');
        }
    }
}

/// A character as a terminal of old: control makes a control character where there is one, meta an ESC before it.
fn char_vt(c: char, mods: Mods, out: &mut Vec<u8>) {
    let byte = if !mods.contains(Mods::CTRL) || matches!(c, '\r' | '\n' | '\t') || !c.is_ascii() {
        None
    } else {
        Some(match c {
            '1' | '!' => b'1',
            '9' | '(' => b'9',
            '0' | ')' => b'0',
            '=' => b'=',
            '+' => b'+',
            ';' | ':' => b';',
            '\'' | '"' => b'\'',
            ',' | '<' => b',',
            '.' | '>' => b'.',
            '/' | '-' => 0x1f,
            '8' | '?' => 0x7f,
            ' ' | '2' => 0,
            '3'..='7' => c as u8 - 0x18,
            '@'..='~' => c as u8 & 0x1f,
            _ => return,
        })
    };
    if mods.contains(Mods::META) {
        out.push(0x1b);
    }
    match byte {
        Some(b) => out.push(b),
        None => push(out, c),
    }
}

/// Number in the kitty protocol of a key of the numeric pad.
fn kp_number(b: u8) -> u32 {
    match b {
        b'0'..=b'9' => 57399 + u32::from(b - b'0'),
        b'.' => 57409,
        b'/' => 57410,
        b'*' => 57411,
        b'-' => 57412,
        b'+' => 57413,
        _ => 57414,
    }
}

fn kitty(event: &KeyEvent, modes: &PaneModes, out: &mut Vec<u8>) {
    let has = |flag: u8| modes.kitty & flag != 0;
    let all = has(ALL_KEYS);
    let key = event.key;
    if event.phase == Phase::Release && !has(EVENT_TYPES) {
        return;
    }
    let raw = event.kitty.as_deref();
    let mut bits = match raw {
        Some(raw) => raw.mods,
        None => key.mods.bits() & 1 | key.mods.bits() & 0b1_1000 | kitty_low(key.mods),
    };
    let kind = match event.phase {
        Phase::Press => "",
        Phase::Repeat if has(EVENT_TYPES) => ":2",
        Phase::Repeat => "",
        Phase::Release => ":3",
    };
    // Functional keys with a sequence of their own.
    if let Some((number, last)) = sequence(key.code) {
        // F3's letter would be a cursor report.
        let (number, last) = if key.code == Code::F(3) { (13, b'~') } else { (number, last) };
        if bits == 0 && kind.is_empty() {
            match last {
                b'~' => csi(out, &number.to_string(), last),
                _ => csi(out, "", last),
            }
        } else {
            csi(out, &format!("{number};{}{kind}", u16::from(bits) + 1), last);
        }
        return;
    }
    let (code, text) = match key.code {
        Code::Char(c) => match raw.filter(|r| r.code != 0) {
            Some(raw) => (raw.code, text_of(c, key.mods)),
            None => {
                // A key from a name or an old terminal: the upper-case letter says that shift was held.
                let mut lower = c.to_lowercase();
                let low = lower.next().filter(|l| lower.next().is_none() && upper(*l) == c && *l != c);
                if low.is_some() {
                    bits |= 1;
                }
                (low.unwrap_or(c) as u32, text_of(c, key.mods))
            }
        },
        Code::BSpace => (127, None),
        Code::BTab => {
            bits |= 1;
            (9, None)
        }
        Code::Kp(b) => (kp_number(b), key.text()),
        Code::F(n @ 13..=35) => (57376 + u32::from(n) - 13, None),
        Code::Functional(n) => (u32::from(n), None),
        _ => return,
    };
    let legacy_control = matches!(code, 9 | 13 | 127);
    if !all {
        if event.phase == Phase::Release && (legacy_control || text.is_some()) {
            return;
        }
        // Modifier keys themselves are only told to who asked for all keys.
        if matches!(code, 57358..=57360 | 57441..=57454) {
            return;
        }
        let locks_off = bits & 0b11_1111;
        if legacy_control && locks_off == 0 {
            out.push(match code {
                127 => match modes.backspace() {
                    Key { code: Code::Char('h' | 'H'), mods: Mods::CTRL } => 8,
                    Key { code: Code::Char('\x08'), .. } => 8,
                    _ => 127,
                },
                c => c as u8,
            });
            return;
        }
        let needs_code = has(DISAMBIGUATE);
        if let Some(c) = text
            && locks_off & !1 == 0
        {
            match raw {
                Some(raw) if !raw.text.is_empty() => out.extend_from_slice(raw.text.as_bytes()),
                _ => push(out, c),
            }
            return;
        }
        if !needs_code && !matches!(key.code, Code::F(_) | Code::Functional(_)) && event.phase != Phase::Release {
            // Flags without disambiguation keep the old form of what has one.
            return legacy(event, modes, out);
        }
        if matches!(key.code, Code::Char(_)) {
            bits = locks_off;
        }
    }
    let mut params = code.to_string();
    if has(ALTERNATES) {
        let shifted = match raw {
            Some(raw) => raw.shifted,
            None => char::from_u32(code).map(upper).filter(|u| *u as u32 != code),
        };
        let base = raw.and_then(|r| r.base).filter(|b| *b as u32 != code);
        let shifted = shifted.filter(|_| bits & 1 != 0);
        match (shifted, base) {
            (Some(s), Some(b)) => params += &format!(":{}:{}", s as u32, b as u32),
            (Some(s), None) => params += &format!(":{}", s as u32),
            (None, Some(b)) => params += &format!("::{}", b as u32),
            (None, None) => {}
        }
    }
    let said: String = match raw {
        Some(raw) if !raw.text.is_empty() => raw.text.to_string(),
        _ => text.map(String::from).unwrap_or_default(),
    };
    let tell_text = all && has(TEXT) && event.phase != Phase::Release && !said.is_empty();
    if bits != 0 || !kind.is_empty() || tell_text {
        params.push(';');
        if bits != 0 || !kind.is_empty() {
            params += &format!("{}{kind}", u16::from(bits) + 1);
        }
    }
    if tell_text {
        let codes: Vec<String> = said.chars().take(16).map(|c| (c as u32).to_string()).collect();
        params.push(';');
        params += &codes.join(":");
    }
    csi(out, &params, b'u');
}

/// Shift, alt and ctrl are at the same places in the protocol as in [`Mods`].
fn kitty_low(mods: Mods) -> u8 {
    (mods & (Mods::SHIFT | Mods::META | Mods::CTRL)).bits()
}

fn text_of(c: char, mods: Mods) -> Option<char> {
    ((mods - Mods::SHIFT).is_empty() && !c.is_control()).then_some(c)
}

/// Appends the report of a mouse event at `at` of the pane, from 0,0. False, and nothing, if the pane's modes do not want
/// it or cannot say it. Reports in pixels are given in cells, for the size of a cell is not known here.
pub fn encode_mouse(event: &Mouse, wants: term::Mouse, at: Pos, out: &mut Vec<u8>) -> bool {
    let wanted = match wants.tracking {
        MouseTracking::Off => false,
        MouseTracking::X10 => !event.motion && !event.release && matches!(event.button, 1..=3),
        MouseTracking::Normal => !event.motion,
        MouseTracking::Button => !event.motion || event.button != 0,
        MouseTracking::Any => true,
    };
    if !wanted || event.button > 11 {
        return false;
    }
    let sgr = matches!(wants.encoding, MouseEncoding::Sgr | MouseEncoding::SgrPixels);
    let mut b: u32 = match event.button {
        0 => 3,
        n @ 1..=3 => u32::from(n) - 1,
        n @ 4..=7 => u32::from(n) + 60,
        n => u32::from(n) + 120,
    };
    if event.release && !sgr {
        b = 3;
    }
    if event.motion {
        b += 32;
    }
    if wants.tracking != MouseTracking::X10 {
        let m = event.mods;
        b += 4 * u32::from(m.contains(Mods::SHIFT));
        b += 8 * u32::from(m.contains(Mods::META));
        b += 16 * u32::from(m.contains(Mods::CTRL));
    }
    let (x, y) = (u32::from(at.x) + 1, u32::from(at.y) + 1);
    match wants.encoding {
        MouseEncoding::Sgr | MouseEncoding::SgrPixels => {
            let last = if event.release { b'm' } else { b'M' };
            csi(out, &format!("<{b};{x};{y}"), last);
        }
        MouseEncoding::Urxvt => csi(out, &format!("{};{x};{y}", b + 32), b'M'),
        MouseEncoding::Utf8 => {
            if x.max(y) + 32 > 0x7ff {
                return false;
            }
            csi(out, "", b'M');
            [b, x, y].into_iter().filter_map(|v| char::from_u32(v + 32)).for_each(|c| push(out, c));
        }
        MouseEncoding::Default => {
            csi(out, "", b'M');
            // What is too far to say is at the far end, as in tmux.
            out.extend([b, x, y].map(|v| (v + 32).min(255) as u8));
        }
    }
    true
}

/// Appends a paste. In brackets if the program asked for them, and then without any mark of the end in it, also none that
/// appears when another is taken out; without brackets a newline is what Enter sends.
pub fn encode_paste(text: &[u8], bracket: bool, out: &mut Vec<u8>) {
    if !bracket {
        out.extend(text.iter().map(|b| if *b == b'\n' { b'\r' } else { *b }));
        return;
    }
    out.reserve(text.len() + 12);
    out.extend_from_slice(b"\x1b[200~");
    let start = out.len();
    for &b in text {
        out.push(b);
        if b == b'~' && out[start..].ends_with(PASTE_END) {
            out.truncate(out.len() - PASTE_END.len());
        }
    }
    out.extend_from_slice(PASTE_END);
}

/// Appends the report that the pane got or lost the focus, for a pane that asked for it (mode 1004).
pub fn encode_focus(on: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(if on { b"\x1b[I" } else { b"\x1b[O" });
}

#[cfg(test)]
mod tests;
