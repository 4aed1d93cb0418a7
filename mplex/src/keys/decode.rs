//! From the bytes of a client's terminal to keys, mouse events, pastes, focus reports and replies.
//!
//! Sequences may be split anywhere. What is incomplete waits; a lone ESC waits for the escape time. What is no key of any
//! known terminal is dropped and never becomes text.

use super::{Code, Key, KeyEvent, Mods, Mouse};
use crate::base::{Pos, Span, Time};

const PASTE_END: &[u8] = b"\x1b[201~";
/// The longest control sequence, and the longest reply in a string, in bytes.
const CSI_MAX: usize = 64;
const STRING_MAX: usize = 1 << 20;
/// How long an incomplete sequence that nobody types is waited for.
const SEQUENCE_WAIT: Span = Span::from_millis(500);

/// One thing that a client's terminal sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key. Releases and repeats come too if the terminal reports them: look at the phase.
    Key(KeyEvent),
    Mouse(Mouse),
    Paste(Paste),
    /// The terminal's window got (true) or lost the focus.
    Focus(bool),
    Response(Response),
}

/// A bracketed paste, streamed: a start, any number of pieces of at most 64 KiB, an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paste {
    Start,
    Data(Vec<u8>),
    End,
}

/// A reply of the terminal, or a report that it sends on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// DA1: `CSI ? ... c`, the parameters.
    PrimaryAttributes(Vec<u16>),
    /// DA2: `CSI > ... c`.
    SecondaryAttributes(Vec<u16>),
    /// DA3: the unit id, `DCS ! | ... ST`.
    TertiaryAttributes(String),
    /// XTVERSION: name and version of the terminal.
    Version(String),
    /// CPR: the cursor's cell from 0,0.
    Cursor(Pos),
    /// DECRPM: a mode and its setting (0 unknown, 1 set, 2 reset, 3 always set, 4 always reset).
    Mode { private: bool, mode: u16, setting: u8 },
    /// OSC 10 to 19 answers: which colour (10 foreground, 11 background, 12 cursor ...) and its text, `rgb:....`.
    Colour { which: u8, spec: String },
    /// OSC 4 answer.
    Palette { index: u8, spec: String },
    /// OSC 52: which selections and the base64 data as sent.
    Clipboard { selection: String, base64: Vec<u8> },
    /// The kitty keyboard flags in force.
    KittyFlags(u8),
    /// XTQMODKEYS answer for modifyOtherKeys.
    ModifyOtherKeys(u8),
    /// Mode 2031 or its query: true is dark.
    Theme { dark: bool },
    /// `CSI 8 ; rows ; cols t`.
    TextSize { rows: u16, cols: u16 },
    /// `CSI 4 ; height ; width t`, of the text area in pixels.
    PixelSize { height: u16, width: u16 },
    /// `CSI 6 ; height ; width t`, of a cell in pixels.
    CellSize { height: u16, width: u16 },
    /// Mode 2048: the terminal was resized.
    Resized { rows: u16, cols: u16, height: u16, width: u16 },
    /// `CSI 0 n`.
    Ok,
    /// DECRQSS answer; `valid` is false if the terminal does not know what was asked.
    Setting { valid: bool, text: String },
    /// XTGETTCAP answer: hexadecimal name and value as sent.
    Termcap { valid: bool, text: String },
    /// XTSMGRAPHICS answer: item, status, values.
    Graphics(Vec<u16>),
    /// Kitty graphics answer: what follows `ESC _ G`.
    KittyGraphics(Vec<u8>),
    /// Any other OSC by its number.
    Osc { number: u16, text: Vec<u8> },
}

/// Takes the bytes of one client's terminal and gives [`Input`]s.
#[derive(Debug)]
pub struct Decoder {
    pending: Vec<u8>,
    paste: bool,
    deadline: Option<Time>,
    escape_time: Span,
    expect_until: Time,
}

enum Step {
    Wait,
    Drop(usize),
    Give(usize, Input),
}

impl Decoder {
    /// A decoder that waits `escape_time` (at least a millisecond) for what may follow an ESC.
    pub fn new(escape_time: Span) -> Decoder {
        Decoder {
            pending: Vec::new(),
            paste: false,
            deadline: None,
            escape_time: escape_time.max(Span::from_millis(1)),
            expect_until: Time(0),
        }
    }

    pub fn set_escape_time(&mut self, span: Span) {
        self.escape_time = span.max(Span::from_millis(1));
    }

    /// Tells that the terminal was asked something and may answer until then.
    pub fn expect_replies(&mut self, until: Time) {
        self.expect_until = self.expect_until.max(until);
    }

    /// When [`Decoder::timeout`] is to be called if no byte comes before.
    pub fn deadline(&self) -> Option<Time> {
        self.deadline
    }

    /// Takes what was read and appends the events to `out`.
    pub fn feed(&mut self, bytes: &[u8], now: Time, out: &mut Vec<Input>) {
        let mut buf = std::mem::take(&mut self.pending);
        buf.extend_from_slice(bytes);
        self.deadline = None;
        let mut at = 0;
        while at < buf.len() {
            let rest = &buf[at..];
            if self.paste {
                let n = self.run_paste(rest, out);
                if n == 0 {
                    break;
                }
                at += n;
                continue;
            }
            match step(rest) {
                Step::Give(n, input) => {
                    self.paste = matches!(input, Input::Paste(Paste::Start));
                    out.push(input);
                    at += n;
                }
                Step::Drop(n) => at += n,
                Step::Wait => {
                    let typed = rest.len() <= 2;
                    let span = if typed { self.escape_time } else { self.escape_time.max(SEQUENCE_WAIT) };
                    self.deadline = Some(now + span);
                    break;
                }
            }
        }
        self.pending = buf.split_off(at.min(buf.len()));
    }

    /// To be called when the deadline has passed: gives what the bytes so far mean if nothing follows.
    pub fn timeout(&mut self, now: Time, out: &mut Vec<Input>) {
        if self.deadline.is_none_or(|d| now < d) {
            return;
        }
        self.deadline = None;
        let pending = std::mem::take(&mut self.pending);
        match pending.as_slice() {
            [0x1b] => out.push(Input::Key(Key::ESCAPE.into())),
            [0x1b, 0x1b] => out.push(Input::Key(Key::ESCAPE.with(Mods::META).into())),
            [0x1b, b] => out.push(Input::Key(byte_key(*b).with(Mods::META).into())),
            // A sequence that stopped in the middle was no key.
            _ => {}
        }
    }

    fn run_paste(&mut self, rest: &[u8], out: &mut Vec<Input>) -> usize {
        if let Some(at) = memchr::memmem::find(rest, PASTE_END) {
            if at > 0 {
                out.push(Input::Paste(Paste::Data(rest[..at].to_vec())));
            }
            out.push(Input::Paste(Paste::End));
            self.paste = false;
            return at + PASTE_END.len();
        }
        let keep = (1..PASTE_END.len()).rev().find(|n| rest.ends_with(&PASTE_END[..*n])).unwrap_or(0);
        let n = rest.len() - keep;
        if n > 0 {
            out.push(Input::Paste(Paste::Data(rest[..n].to_vec())));
        }
        n
    }
}

/// The key of a byte below 0x80.
fn byte_key(b: u8) -> Key {
    match b {
        0 => Key::ctrl(' '),
        b'\t' | b'\r' | 0x1b => Key::char(b as char),
        0x7f => Key::plain(Code::BSpace),
        1..=26 => Key::ctrl((b | 0x60) as char),
        27..=31 => Key::ctrl((b | 0x40) as char),
        _ => Key::char(b as char),
    }
}

fn give(n: usize, key: Key) -> Step {
    Step::Give(n, Input::Key(key.into()))
}

/// What the start of the bytes is.
fn step(b: &[u8]) -> Step {
    match b[0] {
        0x1b => escape(b),
        0..=0x7f => give(1, byte_key(b[0])),
        lead => {
            let n = match lead {
                0xc2..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf4 => 4,
                _ => return Step::Drop(1),
            };
            match std::str::from_utf8(&b[..n.min(b.len())]) {
                Ok(s) => match s.chars().next() {
                    Some(c) => give(n, Key::char(c)),
                    None => Step::Drop(1),
                },
                Err(e) if e.error_len().is_none() && b.len() < n => Step::Wait,
                Err(_) => Step::Drop(1),
            }
        }
    }
}

fn escape(b: &[u8]) -> Step {
    match b.get(1) {
        None => Step::Wait,
        Some(b'[') => csi(b),
        Some(b'O') => ss3(b),
        Some(b']' | b'P' | b'_' | b'^' | b'X') => string(b),
        Some(0x1b) => match escape(&b[1..]) {
            Step::Wait => Step::Wait,
            Step::Give(n, Input::Key(mut e)) => {
                e.key = e.key.with(Mods::META);
                e.esc_meta = true;
                Step::Give(n + 1, Input::Key(e))
            }
            _ => give(1, Key::ESCAPE),
        },
        Some(_) => match step(&b[1..]) {
            Step::Give(n, Input::Key(e)) => give(n + 1, e.key.with(Mods::META)),
            Step::Wait => Step::Wait,
            _ => Step::Drop(1),
        },
    }
}

fn ss3(b: &[u8]) -> Step {
    let Some(&c) = b.get(2) else { return Step::Wait };
    let code = match c {
        b'A' => Code::Up,
        b'B' => Code::Down,
        b'C' => Code::Right,
        b'D' => Code::Left,
        b'H' => Code::Home,
        b'F' => Code::End,
        b'P'..=b'S' => Code::F(c - b'P' + 1),
        b'M' => Code::Kp(b'\r'),
        b'j'..=b'y' => Code::Kp(c - 0x40),
        _ => return Step::Drop(3),
    };
    give(3, Key::plain(code))
}

/// Modifiers as xterm numbers them: one more than the sum of shift 1, alt 2, ctrl 4, meta 8.
fn mods(n: u16) -> Mods {
    let bits = n.saturating_sub(1);
    let mut m = Mods::empty();
    m.set(Mods::SHIFT, bits & 1 != 0);
    m.set(Mods::META, bits & (2 | 8) != 0);
    m.set(Mods::CTRL, bits & 4 != 0);
    m
}

fn csi(b: &[u8]) -> Step {
    let Some(len) = b[2..].iter().position(|c| (0x40..=0x7e).contains(c)).map(|i| i + 3) else {
        return if b.len() > CSI_MAX { Step::Drop(b.len()) } else { Step::Wait };
    };
    if len > CSI_MAX {
        return Step::Drop(len);
    }
    let last = b[len - 1];
    if last == b'M' && len == 3 {
        return x10(b);
    }
    if last == b'[' {
        // The Linux console's function keys.
        return match b.get(3) {
            None => Step::Wait,
            Some(c @ b'A'..=b'E') => give(4, Key::plain(Code::F(c - b'A' + 1))),
            Some(_) => Step::Drop(4),
        };
    }
    let body = &b[2..len - 1];
    let prefix = body.first().copied().filter(|c| (b'<'..=b'?').contains(c));
    let text = std::str::from_utf8(if prefix.is_some() { &body[1..] } else { body }).unwrap_or("");
    let p: Vec<u16> = text.split(';').map(|t| t.split(':').next().unwrap_or("").parse().unwrap_or(0)).collect();
    let arg = |i: usize| p.get(i).copied().unwrap_or(0);
    let m = mods(arg(1).max(1));
    let reply = |r| Step::Give(len, Input::Response(r));
    match (prefix, last) {
        (Some(b'<'), b'M' | b'm') => match sgr_mouse(arg(0), arg(1), arg(2), last == b'm') {
            Some(mouse) => Step::Give(len, Input::Mouse(mouse)),
            None => Step::Drop(len),
        },
        (Some(b'?'), b'c') => reply(Response::PrimaryAttributes(p)),
        (Some(b'>'), b'c') => reply(Response::SecondaryAttributes(p)),
        (Some(b'?'), b'u') => reply(Response::KittyFlags(arg(0) as u8)),
        (Some(b'?'), b'y') => reply(Response::Mode { private: true, mode: arg(0), setting: arg(1) as u8 }),
        (Some(b'?'), b'n') if arg(0) == 997 => reply(Response::Theme { dark: arg(1) == 1 }),
        (Some(_), _) => Step::Drop(len),
        (None, b'I') if body.is_empty() => Step::Give(len, Input::Focus(true)),
        (None, b'O') if body.is_empty() => Step::Give(len, Input::Focus(false)),
        (None, b'A') => give(len, Key::new(Code::Up, m)),
        (None, b'B') => give(len, Key::new(Code::Down, m)),
        (None, b'C') => give(len, Key::new(Code::Right, m)),
        (None, b'D') => give(len, Key::new(Code::Left, m)),
        (None, b'H') => give(len, Key::new(Code::Home, m)),
        (None, b'F') => give(len, Key::new(Code::End, m)),
        (None, b'P' | b'Q' | b'S') => give(len, Key::new(Code::F(last - b'P' + 1), m)),
        (None, b'R') if p.len() == 2 && arg(0) == 1 => give(len, Key::new(Code::F(3), m)),
        (None, b'R') => reply(Response::Cursor(Pos::new(arg(1).saturating_sub(1), arg(0).saturating_sub(1)))),
        (None, b'Z') => give(len, Key::plain(Code::BTab)),
        (None, b'u') => match unicode(arg(0), arg(1)) {
            Some(k) => give(len, k),
            None => Step::Drop(len),
        },
        (None, b'~' | b'^' | b'$' | b'@') => tilde(len, last, &p),
        _ => Step::Drop(len),
    }
}

fn tilde(len: usize, last: u8, p: &[u16]) -> Step {
    let arg = |i: usize| p.get(i).copied().unwrap_or(0);
    if arg(0) == 27 && p.len() == 3 {
        return match unicode(arg(2), arg(1)) {
            Some(k) => give(len, k),
            None => Step::Drop(len),
        };
    }
    let code = match arg(0) {
        1 | 7 => Code::Home,
        2 => Code::IC,
        3 => Code::DC,
        4 | 8 => Code::End,
        5 => Code::PPage,
        6 => Code::NPage,
        n @ 11..=15 => Code::F(n as u8 - 10),
        n @ 17..=21 => Code::F(n as u8 - 11),
        n @ 23..=24 => Code::F(n as u8 - 12),
        200 => return Step::Give(len, Input::Paste(Paste::Start)),
        _ => return Step::Drop(len),
    };
    let m = match last {
        b'^' => Mods::CTRL,
        b'$' => Mods::SHIFT,
        b'@' => Mods::CTRL | Mods::SHIFT,
        _ => mods(arg(1).max(1)),
    };
    give(len, Key::new(code, m))
}

/// A key by its code point (CSI u and modifyOtherKeys).
fn unicode(code: u16, modifiers: u16) -> Option<Key> {
    let c = char::from_u32(u32::from(code))?;
    let mut m = mods(modifiers.max(1));
    let code = match c {
        '\x7f' => Code::BSpace,
        '\t' if m == Mods::SHIFT => return Some(Key::plain(Code::BTab)),
        c => {
            if m == Mods::SHIFT && !c.is_control() && c != ' ' {
                m = Mods::empty();
            }
            Code::Char(c)
        }
    };
    Some(Key::new(code, m))
}

fn mouse_of(b: u16, x: u16, y: u16) -> Mouse {
    let mut m = Mods::empty();
    m.set(Mods::SHIFT, b & 4 != 0);
    m.set(Mods::META, b & 8 != 0);
    m.set(Mods::CTRL, b & 16 != 0);
    let motion = b & 32 != 0;
    let n = (b & 3) as u8;
    let button = match b & (64 | 128) {
        0 if n == 3 => 0,
        0 => n + 1,
        64 => n + 4,
        _ => n + 8,
    };
    Mouse { button, motion, release: false, pos: Pos::new(x.saturating_sub(1), y.saturating_sub(1)), mods: m }
}

fn sgr_mouse(b: u16, x: u16, y: u16, release: bool) -> Option<Mouse> {
    (x > 0 && y > 0).then(|| Mouse { release, ..mouse_of(b, x, y) })
}

fn x10(b: &[u8]) -> Step {
    let Some([c, x, y]) = b.get(3..6) else { return Step::Wait };
    if *c < 32 || *x < 33 || *y < 33 {
        return Step::Drop(6);
    }
    let mut m = mouse_of(u16::from(c - 32), u16::from(x - 32), u16::from(y - 32));
    m.release = m.button == 0 && !m.motion;
    Step::Give(6, Input::Mouse(m))
}

/// OSC, DCS, APC: replies, never text.
fn string(b: &[u8]) -> Step {
    let mut i = 2;
    while i < b.len() {
        match b[i] {
            0x07 => return string_reply(b, i, i + 1),
            0x1b if b.get(i + 1) == Some(&b'\\') => return string_reply(b, i, i + 2),
            0x1b if b.get(i + 1).is_none() => {
                return if b.len() > STRING_MAX { Step::Drop(b.len()) } else { Step::Wait };
            }
            0..=0x1f => return Step::Drop(i),
            _ => i += 1,
        }
    }
    if b.len() > STRING_MAX { Step::Drop(b.len()) } else { Step::Wait }
}

fn string_reply(b: &[u8], end: usize, len: usize) -> Step {
    let body = &b[2..end];
    let text = String::from_utf8_lossy(body).into_owned();
    let reply = match b[1] {
        b'P' => match text.strip_prefix(">|") {
            Some(v) => Response::Version(v.to_owned()),
            None => return Step::Drop(len),
        },
        b']' => {
            let (number, rest) = text.split_once(';').unwrap_or((&text, ""));
            match number.parse::<u16>() {
                Ok(n @ 10..=19) => Response::Colour { which: n as u8, spec: rest.to_owned() },
                Ok(52) => {
                    let (selection, data) = rest.split_once(';').unwrap_or(("", rest));
                    Response::Clipboard { selection: selection.to_owned(), base64: data.as_bytes().to_vec() }
                }
                Ok(number) => Response::Osc { number, text: rest.as_bytes().to_vec() },
                Err(_) => return Step::Drop(len),
            }
        }
        _ => return Step::Drop(len),
    };
    Step::Give(len, Input::Response(reply))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(bytes: &[u8]) -> String {
        let mut d = Decoder::new(Span::from_millis(10));
        let mut out = Vec::new();
        d.feed(bytes, Time(0), &mut out);
        d.timeout(Time(1_000_000), &mut out);
        let name = |i: &Input| match i {
            Input::Key(k) => k.key.to_string(),
            Input::Mouse(m) => format!("mouse{}@{},{}", m.button, m.pos.x, m.pos.y),
            other => format!("{other:?}"),
        };
        out.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn keys_by_their_bytes() {
        assert_eq!(names(b"a\x01\x1b[A"), "a C-a Up");
        assert_eq!(names(b"\x1bx"), "M-x");
        assert_eq!(names(b"\x1b"), "Escape");
        assert_eq!(names(b"\x1b[1;5C\x1b[3~\x1bOP"), "C-Right DC F1");
        assert_eq!(names(b"\x1b[<0;3;4M"), "mouse1@2,3");
        assert_eq!(names("\u{e9}".as_bytes()), "\u{e9}");
        assert_eq!(names(b"\x1b]11;rgb:0/0/0\x1b\\x").split(' ').next_back(), Some("x"));
        assert_eq!(names(b"\x1b[?6"), "");
    }
}
