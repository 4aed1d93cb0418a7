//! Bytes of a client's terminal to input events.
//!
//! The decoder waits for what is incomplete and says until when ([`Decoder::deadline`]); it reads no clock. Three rules:
//! a sequence that is understood only in part is dropped and never becomes text; a reply of the terminal that comes in
//! pieces, however late, is put together as long as a reply was asked for ([`Decoder::expect_replies`]); how the bytes
//! were cut into reads changes no event unless a deadline passed between them.

use super::key::{Code, Key, KeyEvent, KittyRaw, Mods, Mouse, Phase};
use crate::base::{Pos, Span, Time};

#[cfg(test)]
mod tests;

/// Longest control sequence that is looked at.
const CSI_MAX: usize = 128;
/// Longest reply string; OSC 52 carries a whole clipboard.
const STRING_MAX: usize = 4 << 20;
/// Largest piece of a paste in one event.
const PASTE_CHUNK: usize = 64 << 10;
/// How long the rest of a sequence that nobody types is waited for if no reply was asked for.
const SEQUENCE_WAIT: Span = Span::from_millis(2_000);
/// How long a lone introducer is waited for while a reply is due.
const INTRODUCER_WAIT: Span = Span::from_millis(500);
/// Ends a bracketed paste.
pub(super) const PASTE_END: &[u8] = b"\x1b[201~";

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
    state: State,
    /// Bytes of the sequence that is not complete yet.
    pending: Vec<u8>,
    deadline: Option<Time>,
    /// An introducer that was given out as a key because its time was up, while a reply was due: what follows may still
    /// be that reply.
    ghost: Vec<u8>,
    escape_time: Span,
    erase: u8,
    kitty: bool,
    utf8_mouse: bool,
    expect_until: Time,
    cursor_reports: u8,
    held: u8,
    extra: Vec<(Vec<u8>, Key)>,
    dropped: u64,
}

#[derive(Debug)]
enum State {
    Ground,
    /// Between the marks of a bracketed paste.
    Paste,
    /// In a string sequence: OSC, DCS or APC by its second byte.
    Str {
        kind: u8,
        body: Vec<u8>,
        over: bool,
    },
    /// In a control sequence that is too long.
    SkipCsi,
}

/// What the start of the pending bytes is.
enum Step {
    /// Needs more bytes. `typed`: a person may have typed it, so it turns into keys at its time.
    Wait {
        typed: bool,
    },
    /// So many bytes mean nothing.
    Drop(usize),
    Give(usize, Input),
    /// So many bytes open another state.
    Enter(usize, State),
}

impl Default for Decoder {
    fn default() -> Decoder {
        Decoder::new(Span::from_millis(10))
    }
}

impl Decoder {
    /// A decoder that waits `escape_time` (at least a millisecond) for what may follow an ESC.
    pub fn new(escape_time: Span) -> Decoder {
        let mut d = Decoder {
            state: State::Ground,
            pending: Vec::new(),
            deadline: None,
            ghost: Vec::new(),
            escape_time: Span::ZERO,
            erase: 0x7f,
            kitty: false,
            utf8_mouse: false,
            expect_until: Time(0),
            cursor_reports: 0,
            held: 0,
            extra: Vec::new(),
            dropped: 0,
        };
        d.set_escape_time(escape_time);
        d
    }

    pub fn set_escape_time(&mut self, span: Span) {
        self.escape_time = span.max(Span::from_millis(1));
    }

    /// The erase character of the client's tty (`VERASE`): this byte is BSpace.
    pub fn set_erase(&mut self, byte: u8) {
        self.erase = byte;
    }

    /// Tells that the terminal speaks the kitty keyboard protocol: modifier bit 8 is then Super and not Meta.
    pub fn set_kitty(&mut self, on: bool) {
        self.kitty = on;
    }

    /// Tells that mouse mode 1005 is on.
    pub fn set_utf8_mouse(&mut self, on: bool) {
        self.utf8_mouse = on;
    }

    /// Sequences that are keys whatever they would mean else: `user-keys`, keys of the terminal's description. Empty
    /// and overlong ones are ignored, and so is more than 2000 of them.
    pub fn set_extra_keys(&mut self, keys: Vec<(Vec<u8>, Key)>) {
        self.extra = keys;
        self.extra.retain(|(s, _)| !s.is_empty() && s.len() <= CSI_MAX);
        self.extra.truncate(2_000);
    }

    /// Tells that the terminal was asked something and may answer until then.
    pub fn expect_replies(&mut self, until: Time) {
        self.expect_until = self.expect_until.max(until);
    }

    /// Tells that all answers are in.
    pub fn expect_no_more(&mut self) {
        self.expect_until = Time(0);
        self.cursor_reports = 0;
        self.ghost.clear();
    }

    /// Tells that a cursor position was asked for. Its answer in row 1 looks like a modified F3, which it is taken for
    /// without this.
    pub fn expect_cursor_report(&mut self, until: Time) {
        self.expect_replies(until);
        self.cursor_reports = self.cursor_reports.saturating_add(1);
    }

    /// When [`Decoder::timeout`] is to be called if no byte comes before.
    pub fn deadline(&self) -> Option<Time> {
        self.deadline
    }

    /// How many sequences and stray bytes meant nothing so far.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// True between the marks of a bracketed paste.
    pub fn in_paste(&self) -> bool {
        matches!(self.state, State::Paste)
    }

    /// Takes what was read and appends the events to `out`.
    pub fn feed(&mut self, bytes: &[u8], now: Time, out: &mut Vec<Input>) {
        if bytes.is_empty() {
            return;
        }
        let mut held = Vec::new();
        let mut buf: &[u8] = bytes;
        if !self.pending.is_empty() {
            held = std::mem::take(&mut self.pending);
            held.extend_from_slice(bytes);
            buf = &held;
        }
        if !self.ghost.is_empty() && now < self.expect_until {
            let mut whole = self.ghost.clone();
            whole.extend_from_slice(buf);
            match reply_shape(&whole) {
                Some(true) => {
                    held = whole;
                    buf = &held;
                    self.ghost.clear();
                }
                Some(false) => {
                    self.pending = buf.to_vec();
                    self.deadline = Some(now + self.escape_time);
                    return;
                }
                None => self.ghost.clear(),
            }
        } else {
            self.ghost.clear();
        }
        self.run(buf, now, out);
        drop(held);
    }

    /// To be called when the deadline has passed: gives what the bytes so far mean if nothing follows.
    pub fn timeout(&mut self, now: Time, out: &mut Vec<Input>) {
        if self.deadline.is_none_or(|d| now < d) {
            return;
        }
        self.deadline = None;
        if !matches!(self.state, State::Ground) {
            // A string or an overlong sequence that stopped in the middle.
            if now < self.expect_until {
                self.deadline = Some(self.expect_until);
                return;
            }
            self.state = State::Ground;
            self.dropped += 1;
        }
        if self.pending.is_empty() {
            return;
        }
        let pending = std::mem::take(&mut self.pending);
        let ghosted = !self.ghost.is_empty();
        let exact = self.extra.iter().find(|(s, _)| *s == pending).map(|(_, k)| *k);
        if let Some(key) = exact {
            out.push(Input::Key(key.into()));
            return;
        }
        match self.step(&pending, false) {
            Step::Wait { typed: false } if now < self.expect_until => {
                self.deadline = Some(self.expect_until);
                self.pending = pending;
            }
            Step::Wait { typed: true } => {
                self.give_typed(&pending, out);
                self.ghost.clear();
                if !ghosted && now < self.expect_until {
                    self.ghost.extend_from_slice(match pending.as_slice() {
                        [0x1b, 0x1b] => b"\x1b",
                        other => other,
                    });
                }
            }
            Step::Wait { typed: false } => self.dropped += 1,
            // It only waited for one of the extra keys, or behind a ghost.
            _ => {
                self.ghost.clear();
                let extra = std::mem::take(&mut self.extra);
                self.run(&pending, now, out);
                self.extra = extra;
            }
        }
    }

    /// The keys that an introducer is if it was typed.
    fn give_typed(&mut self, bytes: &[u8], out: &mut Vec<Input>) {
        match *bytes {
            [0x1b] => out.push(key_input(Key::ESCAPE)),
            [0x1b, second, ..] => out.push(key_input(self.byte_key(second).with(Mods::META))),
            _ => self.dropped += 1,
        }
    }

    /// Eats `buf`, which starts at the start of a sequence or goes on in the current state.
    fn run(&mut self, buf: &[u8], now: Time, out: &mut Vec<Input>) {
        let mut at = 0;
        self.deadline = None;
        while at < buf.len() {
            let rest = &buf[at..];
            match &mut self.state {
                State::Paste => {
                    let n = self.run_paste(rest, out);
                    if n == 0 {
                        break;
                    }
                    at += n;
                }
                State::Str { .. } => {
                    at += self.run_string(rest, out);
                    if matches!(self.state, State::Str { .. }) {
                        self.wait(SEQUENCE_WAIT, now);
                        break;
                    }
                    self.deadline = None;
                }
                State::SkipCsi => {
                    let end = rest.iter().position(|b| !(0x20..0x40).contains(b));
                    match end {
                        None => {
                            at = buf.len();
                            self.wait(SEQUENCE_WAIT, now);
                        }
                        Some(i) => {
                            self.state = State::Ground;
                            self.deadline = None;
                            at += i + usize::from((0x40..0x7f).contains(&rest[i]));
                        }
                    }
                }
                State::Ground => match self.step(rest, true) {
                    Step::Give(n, input) => {
                        at += n.max(1);
                        match input {
                            Input::Paste(Paste::Start) => self.state = State::Paste,
                            Input::Mouse(m) if m.button != 0 && !m.is_wheel() => {
                                self.held = if m.release { 0 } else { m.button };
                            }
                            Input::Response(Response::Cursor(_)) => {
                                self.cursor_reports = self.cursor_reports.saturating_sub(1);
                            }
                            _ => {}
                        }
                        out.push(input);
                    }
                    Step::Drop(n) => {
                        at += n.max(1);
                        self.dropped += 1;
                    }
                    Step::Enter(n, state) => {
                        at += n;
                        self.state = state;
                        self.wait(SEQUENCE_WAIT, now);
                    }
                    Step::Wait { typed } => {
                        let due = now < self.expect_until;
                        // An ESC alone is nearly always the key, so it is not held up for a reply; see the ghost.
                        let span = match (typed, due && rest.len() > 1) {
                            (true, false) => self.escape_time,
                            (true, true) => self.escape_time.max(INTRODUCER_WAIT),
                            (false, _) => self.escape_time.max(SEQUENCE_WAIT),
                        };
                        self.wait(span, now);
                        break;
                    }
                },
            }
        }
        self.pending.clear();
        self.pending.extend_from_slice(&buf[at.min(buf.len())..]);
    }

    fn wait(&mut self, span: Span, now: Time) {
        self.deadline = Some(now + span);
    }

    /// Gives what is surely paste; returns how much of `rest` was used.
    fn run_paste(&mut self, rest: &[u8], out: &mut Vec<Input>) -> usize {
        let mut from = 0;
        let mut ended = false;
        let end = loop {
            match memchr::memchr(0x1b, &rest[from..]) {
                None => break rest.len(),
                Some(i) => {
                    let tail = &rest[from + i..];
                    if tail.starts_with(PASTE_END) {
                        ended = true;
                        break from + i;
                    }
                    if PASTE_END.starts_with(tail) {
                        break from + i;
                    }
                    from += i + 1;
                }
            }
        };
        for piece in rest[..end].chunks(PASTE_CHUNK) {
            out.push(Input::Paste(Paste::Data(piece.to_vec())));
        }
        if ended {
            self.state = State::Ground;
            out.push(Input::Paste(Paste::End));
            return end + PASTE_END.len();
        }
        end
    }

    /// Goes on in a string sequence; returns how much of `rest` was used. If the string is not over then, what is left is
    /// the first half of its terminator.
    fn run_string(&mut self, rest: &[u8], out: &mut Vec<Input>) -> usize {
        let State::Str { kind, body, over } = &mut self.state else { return 0 };
        let Some(end) = rest.iter().position(|b| *b < 0x20) else {
            keep(body, over, rest);
            return rest.len();
        };
        keep(body, over, &rest[..end]);
        let used = match rest[end..] {
            [0x07, ..] => end + 1,
            [0x1b, b'\\', ..] => end + 2,
            [0x1b] => return end,
            // No reply has control characters: whatever this was, it is over, and the byte counts anew.
            _ => {
                self.state = State::Ground;
                self.dropped += 1;
                return end;
            }
        };
        let reply = if *over { None } else { string_reply(*kind, std::mem::take(body)) };
        self.state = State::Ground;
        match reply {
            Some(reply) => out.push(Input::Response(reply)),
            None => self.dropped += 1,
        }
        used
    }

    /// What the bytes start with. `more`: say so if a longer one of the extra keys is possible.
    fn step(&self, buf: &[u8], more: bool) -> Step {
        if !self.extra.is_empty() {
            let mut best: Option<&(Vec<u8>, Key)> = None;
            for entry in &self.extra {
                if more && entry.0.len() > buf.len() && entry.0.starts_with(buf) {
                    return Step::Wait { typed: true };
                }
                if buf.starts_with(&entry.0) && best.is_none_or(|b| b.0.len() < entry.0.len()) {
                    best = Some(entry);
                }
            }
            if let Some((seq, key)) = best {
                return Step::Give(seq.len(), key_input(*key));
            }
        }
        match buf[0] {
            0x1b => self.escape(buf),
            b if b < 0x80 => Step::Give(1, key_input(self.byte_key(b))),
            _ => utf8(buf, Mods::empty()),
        }
    }

    /// A sequence that starts with ESC.
    fn escape(&self, buf: &[u8]) -> Step {
        let Some(&second) = buf.get(1) else { return Step::Wait { typed: true } };
        let third = buf.get(2).copied();
        match second {
            b'[' => self.csi(buf),
            b'O' => self.ss3(buf),
            b']' | b'P' | b'_' => match third {
                None => Step::Wait { typed: true },
                Some(c) if starts_string(second, c) => {
                    Step::Enter(2, State::Str { kind: second, body: Vec::new(), over: false })
                }
                Some(_) => Step::Give(2, key_input(self.byte_key(second).with(Mods::META))),
            },
            0x1b => match third {
                None => Step::Wait { typed: true },
                Some(b'[' | b'O') => match self.escape(&buf[1..]) {
                    // ESC before a sequence without modifiers is meta; else it is Escape and then the sequence.
                    Step::Give(n, Input::Key(mut event))
                        if event.kitty.is_none()
                            && !matches!(event.key.code, Code::Char(_))
                            && !event.key.mods.contains(Mods::META) =>
                    {
                        event.key.mods |= Mods::META;
                        event.esc_meta = true;
                        Step::Give(n + 1, Input::Key(event))
                    }
                    Step::Wait { typed } if buf.len() == 3 => Step::Wait { typed },
                    Step::Wait { .. } => Step::Wait { typed: false },
                    _ => Step::Give(1, key_input(Key::ESCAPE)),
                },
                Some(c @ (b']' | b'P' | b'_')) => match buf.get(3) {
                    None => Step::Wait { typed: true },
                    Some(&d) if starts_string(c, d) => Step::Give(1, key_input(Key::ESCAPE)),
                    Some(_) => Step::Give(2, key_input(Key::ESCAPE.with(Mods::META))),
                },
                Some(_) => Step::Give(2, key_input(Key::ESCAPE.with(Mods::META))),
            },
            b if b < 0x80 => Step::Give(2, key_input(self.byte_key(b).with(Mods::META))),
            _ => match utf8(&buf[1..], Mods::META) {
                Step::Give(n, input) => Step::Give(n + 1, input),
                Step::Drop(n) => Step::Drop(n + 1),
                other => other,
            },
        }
    }

    /// The key of a single byte below 0x80.
    fn byte_key(&self, b: u8) -> Key {
        match b {
            b if b == self.erase => Key::plain(Code::BSpace),
            0 => Key::ctrl(' '),
            b'\t' | b'\r' | 0x1b => Key::char(b as char),
            0x01..=0x1f => Key::ctrl(((b | 0x40) as char).to_ascii_lowercase()),
            0x7f => Key::ctrl('?'),
            _ => Key::char(b as char),
        }
    }

    /// `ESC O`: cursor and keypad in application mode, F1 to F4.
    fn ss3(&self, buf: &[u8]) -> Step {
        let body = &buf[2..];
        let Some(end) = body.iter().position(|b| !matches!(b, b'0'..=b'9' | b';')) else {
            return if body.is_empty() {
                Step::Wait { typed: true }
            } else if body.len() > 8 {
                Step::Drop(buf.len())
            } else {
                Step::Wait { typed: false }
            };
        };
        let total = 2 + end + 1;
        let fin = body[end];
        if !(0x21..0x7f).contains(&fin) {
            // Typed after all.
            return if end == 0 { Step::Give(2, key_input(Key::meta('O'))) } else { Step::Drop(2 + end) };
        }
        let mods = match body[..end].rsplit(|b| *b == b';').next() {
            None | Some([]) => Mods::empty(),
            Some(n) => self.mods(number(n)),
        };
        let code = match fin {
            b'A' => Code::Up,
            b'B' => Code::Down,
            b'C' => Code::Right,
            b'D' => Code::Left,
            b'E' => Code::Functional(KP_BEGIN),
            b'H' => Code::Home,
            b'F' => Code::End,
            b'P'..=b'S' => Code::F(fin - b'P' + 1),
            b'j' | b'k' | b'm'..=b'y' => Code::Kp(fin - 0x40),
            b'X' => Code::Char('='),
            b'I' => Code::Char('\t'),
            b'M' => Code::Kp(b'\r'),
            b'[' => Code::Char('\x1b'),
            b'a'..=b'd' => {
                let code = [Code::Up, Code::Down, Code::Right, Code::Left][(fin - b'a') as usize];
                return Step::Give(total, key_input(Key::new(code, mods | Mods::CTRL)));
            }
            _ => return Step::Drop(total),
        };
        Step::Give(total, key_input(Key::new(code, mods)))
    }

    /// `ESC [`.
    fn csi(&self, buf: &[u8]) -> Step {
        let body = &buf[2..];
        match body.first() {
            None => return Step::Wait { typed: true },
            Some(b'M') => return self.x10_mouse(buf),
            // The Linux console's F1 to F5.
            Some(b'[') => {
                return match body.get(1) {
                    None => Step::Wait { typed: false },
                    Some(c @ b'A'..=b'E') => Step::Give(4, key_input(Key::plain(Code::F(c - b'A' + 1)))),
                    Some(0x20..=0x7e) => Step::Drop(4),
                    Some(_) => Step::Drop(3),
                };
            }
            Some(_) => {}
        }
        let params_end = body.iter().position(|b| !(0x30..0x40).contains(b)).unwrap_or(body.len());
        let prefix = match body[0] {
            p @ b'<'..=b'?' => Some(p),
            _ => None,
        };
        let args = &body[usize::from(prefix.is_some())..params_end];
        let Some(&after) = body.get(params_end) else {
            return if body.len() > CSI_MAX {
                Step::Enter(buf.len(), State::SkipCsi)
            } else {
                Step::Wait { typed: false }
            };
        };
        // rxvt's shifted keys end in a byte that elsewhere stands before the final one.
        if after == b'$' && prefix.is_none() && !args.is_empty() && args.iter().all(u8::is_ascii_digit) {
            let total = 2 + params_end + 1;
            return match tilde(number(args)) {
                Some(key) => Step::Give(total, key_input(Key::new(key.code, Mods::SHIFT))),
                None => Step::Drop(total),
            };
        }
        let inter_end = body[params_end..].iter().position(|b| !(0x20..0x30).contains(b));
        let Some(inter_end) = inter_end.map(|i| params_end + i) else {
            return if body.len() > CSI_MAX {
                Step::Enter(buf.len(), State::SkipCsi)
            } else {
                Step::Wait { typed: false }
            };
        };
        let fin = body[inter_end];
        if !(0x40..0x7f).contains(&fin) {
            // Not a sequence: a typed M-[ and what follows, or a broken one.
            return if inter_end == 0 { Step::Give(2, key_input(Key::meta('['))) } else { Step::Drop(2 + inter_end) };
        }
        let total = 2 + inter_end + 1;
        if inter_end > CSI_MAX {
            return Step::Drop(total);
        }
        let inter = &body[params_end..inter_end];
        let input = match (prefix, inter) {
            (None, []) => self.csi_plain(args, fin),
            (None, [b'$']) if fin == b'y' => mode_report(false, args),
            (Some(b'<'), []) => self.sgr_mouse(args, fin),
            (Some(b'?'), []) => csi_private(args, fin),
            (Some(b'?'), [b'$']) if fin == b'y' => mode_report(true, args),
            (Some(b'>'), []) => match (fin, numbers(args)) {
                (b'c', p) => Some(Response::SecondaryAttributes(p)),
                (b'm', p) if p.len() == 2 && p[0] == 4 => Some(Response::ModifyOtherKeys(p[1].min(255) as u8)),
                _ => None,
            }
            .map(Input::Response),
            _ => None,
        };
        match input {
            Some(input) => Step::Give(total, input),
            None => Step::Drop(total),
        }
    }

    /// A control sequence without a private mark: keys, and a few replies.
    fn csi_plain(&self, args: &[u8], fin: u8) -> Option<Input> {
        let p = numbers(args);
        let first = p.first().copied().unwrap_or(0);
        let key = |code, mods| Some(key_input(Key::new(code, mods)));
        let bare = args.is_empty();
        match fin {
            b'u' => return self.csi_u(args),
            b'I' if bare => return Some(Input::Focus(true)),
            b'O' if bare => return Some(Input::Focus(false)),
            b'a'..=b'd' if bare => {
                return key([Code::Up, Code::Down, Code::Right, Code::Left][(fin - b'a') as usize], Mods::SHIFT);
            }
            b'Z' => {
                let mods = self.mods(p.get(1).copied().unwrap_or(1));
                return if mods.is_empty() || mods == Mods::SHIFT {
                    key(Code::BTab, Mods::empty())
                } else {
                    key(Code::Char('\t'), mods | Mods::SHIFT)
                };
            }
            b'M' if p.len() == 3 => return self.urxvt_mouse(&p),
            b'n' if p == [0] => return Some(Input::Response(Response::Ok)),
            b't' => {
                return match *p.as_slice() {
                    [8, rows, cols] => Some(Response::TextSize { rows, cols }),
                    [4, height, width] => Some(Response::PixelSize { height, width }),
                    [6, height, width] => Some(Response::CellSize { height, width }),
                    [48, rows, cols, height, width] => Some(Response::Resized { rows, cols, height, width }),
                    _ => None,
                }
                .map(Input::Response);
            }
            b'R' if p.len() == 2 && (self.cursor_reports > 0 || first != 1 || !(1..=16).contains(&p[1])) => {
                return Some(Input::Response(cursor_report(&p)));
            }
            b'^' | b'@' if p.len() == 1 => {
                let mods = if fin == b'^' { Mods::CTRL } else { Mods::CTRL | Mods::SHIFT };
                return key(tilde(first)?.code, mods);
            }
            b'~' if first == 27 && p.len() == 3 => {
                let mods = p[1];
                return Some(Input::Key(self.extended(u32::from(p[2]), mods)));
            }
            b'~' if first == 200 => return Some(Input::Paste(Paste::Start)),
            b'~' if first == 201 => return Some(Input::Paste(Paste::End)),
            _ => {}
        }
        let base = match fin {
            b'A' => Key::plain(Code::Up),
            b'B' => Key::plain(Code::Down),
            b'C' => Key::plain(Code::Right),
            b'D' => Key::plain(Code::Left),
            b'E' => Key::plain(Code::Functional(KP_BEGIN)),
            b'H' => Key::plain(Code::Home),
            b'F' => Key::plain(Code::End),
            b'P'..=b'S' => Key::plain(Code::F(fin - b'P' + 1)),
            b'~' => tilde(first)?,
            _ => return None,
        };
        if fin != b'~' && !bare && first > 1 {
            return None;
        }
        // The second parameter: modifiers, and after a colon what happened to the key.
        let second = args.split(|b| *b == b';').nth(1).unwrap_or(b"");
        let mut sub = second.split(|b| *b == b':');
        let bits = sub.next().map_or(0, number);
        let mut event = KeyEvent::from(base.with(self.mods(bits.max(1))));
        event.phase = phase(sub.next());
        if self.kitty && bits > 1 {
            event.kitty = Some(Box::new(KittyRaw {
                code: 0,
                shifted: None,
                base: None,
                mods: bits.saturating_sub(1).min(255) as u8,
                text: "".into(),
            }));
        }
        Some(Input::Key(event))
    }

    /// Modifiers of xterm's and the kitty protocol's parameter, which is one more than the bits.
    fn mods(&self, param: u16) -> Mods {
        let bits = param.saturating_sub(1);
        let mut mods = Mods::empty();
        mods.set(Mods::SHIFT, bits & 1 != 0);
        mods.set(Mods::META, bits & 2 != 0);
        mods.set(Mods::CTRL, bits & 4 != 0);
        if self.kitty {
            mods.set(Mods::SUPER, bits & 8 != 0);
            mods.set(Mods::HYPER, bits & 16 != 0);
            if bits & 32 != 0 {
                mods |= Mods::META;
            }
        } else if bits & 8 != 0 {
            mods |= Mods::META;
        }
        mods
    }

    /// A character key with modifiers, as xterm's modifyOtherKeys says it.
    fn extended(&self, code: u32, param: u16) -> KeyEvent {
        let mut mods = self.mods(param);
        let code = match code {
            c if c == u32::from(self.erase) => Code::BSpace,
            0x7f => Code::BSpace,
            0 => Code::Char(' '),
            9 if mods.contains(Mods::SHIFT) => {
                mods -= Mods::SHIFT;
                Code::BTab
            }
            c => char::from_u32(c).map_or(Code::Unknown, Code::Char),
        };
        // Some terminals say S-A where others say A; without control only the character counts.
        if let Code::Char(c) = code
            && mods == Mods::SHIFT
            && !c.is_control()
            && c != ' '
        {
            mods -= Mods::SHIFT;
        }
        Key::new(code, mods).into()
    }

    /// `CSI code:shifted:base ; mods:event ; text u`.
    fn csi_u(&self, args: &[u8]) -> Option<Input> {
        let mut fields = args.split(|b| *b == b';');
        let mut codes = fields.next()?.split(|b| *b == b':');
        let code = long(codes.next()?)?;
        let shifted = codes.next().and_then(long).and_then(char::from_u32);
        let base = codes.next().and_then(long).and_then(char::from_u32);
        let mut second = fields.next().unwrap_or(b"").split(|b| *b == b':');
        let param = second.next().map_or(1, number).max(1);
        let phase = phase(second.next());
        let text: String = fields
            .next()
            .unwrap_or(b"")
            .split(|b| *b == b':')
            .filter_map(|n| long(n).and_then(char::from_u32))
            .filter(|c| !c.is_control())
            .collect();
        if !self.kitty {
            let event = self.extended(code, param);
            return (event.key.code != Code::Unknown).then_some(Input::Key(KeyEvent { phase, ..event }));
        }
        let raw_mods = param.saturating_sub(1).min(255) as u8;
        let mut mods = self.mods(param);
        let code_key = match code {
            57344..=63743 => functional(code as u16),
            c if c == u32::from(self.erase) => Code::BSpace,
            127 => Code::BSpace,
            9 if mods.contains(Mods::SHIFT) && !mods.contains(Mods::CTRL) => {
                mods -= Mods::SHIFT;
                Code::BTab
            }
            c => {
                let plain = char::from_u32(c).filter(|c| *c != '\0')?;
                let caps = raw_mods & 64 != 0;
                let mut only = text.chars();
                let typed = if only.clone().count() == 1 { only.next() } else { None };
                if !plain.is_control() && plain != ' ' && !mods.contains(Mods::CTRL) {
                    // Without control the shifted character is the key, as a terminal without the protocol has it.
                    let up = upper(plain);
                    let shift = mods.contains(Mods::SHIFT);
                    mods -= Mods::SHIFT;
                    Code::Char(match (typed, shift) {
                        (Some(t), _) if (mods - Mods::META).is_empty() => t,
                        (_, true) => shifted.unwrap_or(up),
                        (_, false) if caps => up,
                        _ => plain,
                    })
                } else {
                    Code::Char(plain)
                }
            }
        };
        let raw = KittyRaw { code, shifted, base, mods: raw_mods, text: text.into() };
        let key = Key::new(code_key, mods);
        Some(Input::Key(KeyEvent { key, phase, esc_meta: false, kitty: Some(Box::new(raw)) }))
    }

    /// `CSI M` and three characters, each 32 more than what it means.
    fn x10_mouse(&self, buf: &[u8]) -> Step {
        let mut at = 3;
        let mut v = [0u16; 3];
        for slot in &mut v {
            let Some(&b) = buf.get(at) else { return Step::Wait { typed: false } };
            if self.utf8_mouse && b >= 0xc0 {
                let Some(&c) = buf.get(at + 1) else { return Step::Wait { typed: false } };
                *slot = u16::from(b & 0x1f) << 6 | u16::from(c & 0x3f);
                at += 2;
            } else {
                *slot = u16::from(b);
                at += 1;
            }
        }
        let [b, x, y] = v;
        if b < 32 || x < 33 || y < 33 {
            return Step::Drop(at);
        }
        match self.mouse(b - 32, x - 32, y - 32, None) {
            Some(m) => Step::Give(at, Input::Mouse(m)),
            None => Step::Drop(at),
        }
    }

    fn sgr_mouse(&self, args: &[u8], fin: u8) -> Option<Input> {
        let p = numbers(args);
        let &[b, x, y] = p.as_slice() else { return None };
        match fin {
            b'M' => self.mouse(b, x, y, Some(false)).map(Input::Mouse),
            b'm' => self.mouse(b, x, y, Some(true)).map(Input::Mouse),
            _ => None,
        }
    }

    /// Mode 1015: decimal, but the button has the 32 of the old form.
    fn urxvt_mouse(&self, p: &[u16]) -> Option<Input> {
        let &[b, x, y] = p else { return None };
        self.mouse(b.checked_sub(32)?, x, y, None).map(Input::Mouse)
    }

    /// A report from its numbers; `release` is what an SGR report says, the older ones say it with button 3.
    fn mouse(&self, b: u16, x: u16, y: u16, release: Option<bool>) -> Option<Mouse> {
        if x == 0 || y == 0 || b > 255 {
            return None;
        }
        let mut mods = Mods::empty();
        mods.set(Mods::SHIFT, b & 4 != 0);
        mods.set(Mods::META, b & 8 != 0);
        mods.set(Mods::CTRL, b & 16 != 0);
        let motion = b & 32 != 0;
        let low = (b & 3) as u8;
        let mut button = match b & 0xc0 {
            0 if low == 3 => 0,
            0 => low + 1,
            64 => low + 4,
            128 => low + 8,
            _ => return None,
        };
        let mut released = release.unwrap_or(false);
        if release.is_none() && button == 0 && !motion {
            released = true;
            button = self.held;
        }
        // PuTTY sends releases of the wheel; there is no such thing.
        if released && matches!(button, 4..=7) {
            return None;
        }
        Some(Mouse { button, motion, release: released, pos: Pos::new(x - 1, y - 1), mods })
    }
}

/// KP_BEGIN of the kitty protocol: the 5 of the pad without num lock.
const KP_BEGIN: u16 = 57427;

fn keep(body: &mut Vec<u8>, over: &mut bool, bytes: &[u8]) {
    if body.len() + bytes.len() > STRING_MAX {
        *over = true;
        body.clear();
    }
    if !*over {
        body.extend_from_slice(bytes);
    }
}

fn key_input(key: Key) -> Input {
    Input::Key(key.into())
}

/// True if the two bytes behind an ESC start a string that terminals send and people do not type.
fn starts_string(introducer: u8, next: u8) -> bool {
    match introducer {
        b']' => next.is_ascii_digit(),
        b'P' => next.is_ascii_digit() || matches!(next, b'>' | b'!' | b'$' | b'+'),
        b'_' => next == b'G',
        _ => false,
    }
}

/// Whether bytes that go on from an introducer whose time was up are a reply: yes, not to be told yet, or no.
fn reply_shape(bytes: &[u8]) -> Option<bool> {
    match bytes {
        [0x1b] | [0x1b, b'[' | b']' | b'P' | b'_'] => Some(false),
        [0x1b, b'[', b'?' | b'>', ..] => Some(true),
        [0x1b, i @ (b']' | b'P' | b'_'), next, ..] if starts_string(*i, *next) => Some(true),
        _ => None,
    }
}

/// One character from UTF-8, with META if an ESC stood before it.
fn utf8(buf: &[u8], mods: Mods) -> Step {
    let len = match buf[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Step::Drop(1),
    };
    let have = &buf[..len.min(buf.len())];
    match std::str::from_utf8(have) {
        Ok(text) => match text.chars().next() {
            // C1 controls are no text.
            Some(c) if !c.is_control() => Step::Give(len, key_input(Key::new(Code::Char(c), mods))),
            _ => Step::Drop(len),
        },
        Err(e) => match e.error_len() {
            None => Step::Wait { typed: false },
            Some(n) => Step::Drop(n),
        },
    }
}

/// A decimal parameter, at most 65535; anything else is 0.
fn number(bytes: &[u8]) -> u16 {
    long(bytes).map_or(0, |n| n.min(65_535) as u16)
}

fn long(bytes: &[u8]) -> Option<u32> {
    if bytes.is_empty() || !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(bytes.iter().fold(0u32, |n, b| n.saturating_mul(10).saturating_add(u32::from(b - b'0'))))
}

/// The parameters, without their sub-parameters.
fn numbers(args: &[u8]) -> Vec<u16> {
    if args.is_empty() {
        return Vec::new();
    }
    args.split(|b| *b == b';').map(|p| number(p.split(|b| *b == b':').next().unwrap_or(b""))).collect()
}

fn phase(sub: Option<&[u8]>) -> Phase {
    match sub.map(number) {
        Some(2) => Phase::Repeat,
        Some(3) => Phase::Release,
        _ => Phase::Press,
    }
}

/// The upper-case character if it is a single one.
pub(super) fn upper(c: char) -> char {
    let mut up = c.to_uppercase();
    match (up.next(), up.next()) {
        (Some(u), None) => u,
        _ => c,
    }
}

/// The key of `CSI n ~`. Numbers from 25 are rxvt's and xterm's F13 on, which are shifted F3 on in tmux.
fn tilde(n: u16) -> Option<Key> {
    let f = |n: u16| Some(Key::plain(Code::F(n as u8)));
    let shifted = |n: u16| Some(Key::new(Code::F(n as u8), Mods::SHIFT));
    match n {
        1 | 7 => Some(Key::plain(Code::Home)),
        2 => Some(Key::plain(Code::IC)),
        3 => Some(Key::plain(Code::DC)),
        4 | 8 => Some(Key::plain(Code::End)),
        5 => Some(Key::plain(Code::PPage)),
        6 => Some(Key::plain(Code::NPage)),
        11..=15 => f(n - 10),
        17..=21 => f(n - 11),
        23 | 24 => f(n - 12),
        25 | 26 => shifted(n - 22),
        28 | 29 => shifted(n - 23),
        31..=34 => shifted(n - 24),
        57427 => Some(Key::plain(Code::Functional(KP_BEGIN))),
        _ => None,
    }
}

/// A functional key of the kitty protocol.
fn functional(n: u16) -> Code {
    match n {
        57376..=57398 => Code::F((n - 57376 + 13) as u8),
        57399..=57408 => Code::Kp(b'0' + (n - 57399) as u8),
        57409 => Code::Kp(b'.'),
        57410 => Code::Kp(b'/'),
        57411 => Code::Kp(b'*'),
        57412 => Code::Kp(b'-'),
        57413 => Code::Kp(b'+'),
        57414 => Code::Kp(b'\r'),
        57415 => Code::Char('='),
        57416 => Code::Char(','),
        57417 => Code::Left,
        57418 => Code::Right,
        57419 => Code::Up,
        57420 => Code::Down,
        57421 => Code::PPage,
        57422 => Code::NPage,
        57423 => Code::Home,
        57424 => Code::End,
        57425 => Code::IC,
        57426 => Code::DC,
        _ => Code::Functional(n),
    }
}

fn cursor_report(p: &[u16]) -> Response {
    let at = |i: usize| p.get(i).copied().unwrap_or(1).saturating_sub(1);
    Response::Cursor(Pos::new(at(1), at(0)))
}

fn mode_report(private: bool, args: &[u8]) -> Option<Input> {
    match numbers(args).as_slice() {
        &[mode, setting] => Some(Input::Response(Response::Mode { private, mode, setting: setting.min(255) as u8 })),
        _ => None,
    }
}

/// `CSI ?`.
fn csi_private(args: &[u8], fin: u8) -> Option<Input> {
    let p = numbers(args);
    let reply = match (fin, p.as_slice()) {
        (b'c', _) => Response::PrimaryAttributes(p),
        (b'u', &[flags]) => Response::KittyFlags(flags.min(255) as u8),
        (b'n', &[997, 1]) => Response::Theme { dark: true },
        (b'n', &[997, 2]) => Response::Theme { dark: false },
        (b'R', &[_, _, ..]) => cursor_report(&p),
        (b'S', _) => Response::Graphics(p),
        _ => return None,
    };
    Some(Input::Response(reply))
}

/// A complete string by the byte behind its ESC.
fn string_reply(kind: u8, body: Vec<u8>) -> Option<Response> {
    let lossy = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    match kind {
        b']' => {
            let digits = body.iter().take_while(|b| b.is_ascii_digit()).count();
            let number = long(&body[..digits]).filter(|n| *n <= 65_535)? as u16;
            let rest = body.get(digits..).unwrap_or(b"").strip_prefix(b";").unwrap_or(b"");
            let semi = rest.iter().position(|b| *b == b';');
            match number {
                10..=19 => Some(Response::Colour { which: number as u8, spec: lossy(rest) }),
                4 => {
                    let semi = semi?;
                    let index = long(&rest[..semi]).and_then(|n| u8::try_from(n).ok())?;
                    Some(Response::Palette { index, spec: lossy(&rest[semi + 1..]) })
                }
                52 => {
                    let semi = semi?;
                    Some(Response::Clipboard { selection: lossy(&rest[..semi]), base64: rest[semi + 1..].to_vec() })
                }
                _ => Some(Response::Osc { number, text: rest.to_vec() }),
            }
        }
        b'P' => {
            if let Some(text) = body.strip_prefix(b">|") {
                return Some(Response::Version(lossy(text)));
            }
            if let Some(id) = body.strip_prefix(b"!|") {
                return Some(Response::TertiaryAttributes(lossy(id)));
            }
            let valid = body.first() == Some(&b'1');
            match body.get(1..3) {
                Some(b"$r") => Some(Response::Setting { valid, text: lossy(&body[3..]) }),
                Some(b"+r") => Some(Response::Termcap { valid, text: lossy(&body[3..]) }),
                _ => None,
            }
        }
        b'_' => body.strip_prefix(b"G").map(|b| Response::KittyGraphics(b.to_vec())),
        _ => None,
    }
}
