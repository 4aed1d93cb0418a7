//! The front end: ground text and plain control sequences in bulk, strings under a limit, `vte` for the rest.
//!
//! After an ESC that does not begin a plain `CSI digits ; : final`, bytes go to `vte` up to the end of that sequence.
//! Where a sequence ends follows from its bytes alone, so `vte` never sees ground text. Strings (OSC, DCS, APC, PM, SOS
//! and the title form `ESC k`) are recognised before `vte` and collected here.

use super::csi::Params;
use super::state::State;
use super::{Modes, Notice, Output};

/// A string sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Osc,
    Dcs,
    Apc,
    /// PM and SOS: read over.
    Ignored,
    /// `ESC k`.
    Rename,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Ground,
    /// After ESC; true: intermediates came.
    Escape(bool),
    Csi,
    String(Kind),
    /// An ESC within a string.
    StringEscape(Kind),
}

/// A control sequence longer than this is given up.
const LONGEST_SEQUENCE: usize = 1024;

/// What is between the bytes and the screen.
#[derive(Default)]
pub(super) struct Front {
    mode: Mode,
    parser: vte::Parser,
    /// Bytes of the sequence so far.
    seen: Vec<u8>,
    /// The string so far.
    string: Vec<u8>,
    /// It grew beyond the limit: read over the rest.
    overflow: bool,
    /// The head of a UTF-8 character that was split.
    carry: [u8; 4],
    carried: usize,
    /// The last run of text was not UTF-8.
    wary: bool,
    /// Everything after ESC goes through `vte`: the reference that tests compare with.
    #[cfg(test)]
    pub(super) plain: bool,
}

struct Actor<'a> {
    state: &'a mut State,
    out: &'a mut Output,
}

impl vte::Perform for Actor<'_> {
    fn execute(&mut self, byte: u8) {
        self.state.control(byte, self.out);
    }

    fn csi_dispatch(&mut self, params: &vte::Params, intermediates: &[u8], ignore: bool, action: char) {
        if ignore {
            return;
        }
        let mut p = Params::default();
        for group in params {
            for (i, v) in group.iter().enumerate() {
                p.push(*v, i > 0);
            }
        }
        let (mut prefix, mut inter) = (0, [0u8; 2]);
        let mut n = 0;
        for b in intermediates {
            if (0x3c..=0x3f).contains(b) {
                prefix = *b;
            } else if n < 2 {
                inter[n] = *b;
                n += 1;
            }
        }
        self.state.csi(prefix, inter, &p, action as u8, self.out);
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], ignore: bool, byte: u8) {
        if !ignore {
            self.state.esc(intermediates, byte, self.out);
        }
    }
}

impl Front {
    pub(super) fn pending(&self) -> Vec<u8> {
        match self.mode {
            Mode::Ground => self.carry[..self.carried].to_vec(),
            Mode::Escape(_) | Mode::Csi => self.seen.clone(),
            Mode::String(k) | Mode::StringEscape(k) => {
                let mut v = vec![0x1b, introducer(k)];
                v.extend_from_slice(&self.string);
                if matches!(self.mode, Mode::StringEscape(_)) {
                    v.push(0x1b);
                }
                v
            }
        }
    }

    pub(super) fn feed(&mut self, t: &mut State, bytes: &[u8], out: &mut Output) {
        let mut i = 0;
        if self.carried > 0 && self.mode == Mode::Ground {
            i = self.finish_carry(t, bytes);
        }
        while i < bytes.len() {
            i += match self.mode {
                Mode::Ground => self.ground(t, &bytes[i..], out),
                Mode::Escape(_) | Mode::Csi => self.sequence(t, &bytes[i..], out),
                Mode::String(k) => self.string(t, k, &bytes[i..], out),
                Mode::StringEscape(k) => self.string_escape(t, k, bytes[i], out),
            };
        }
    }

    /// Text and controls until an ESC that is not plain; returns what it took.
    fn ground(&mut self, t: &mut State, bytes: &[u8], out: &mut Output) -> usize {
        let mut i = 0;
        while let Some(&b) = bytes.get(i) {
            match b {
                0x20..=0x7e => {
                    let n = ascii_run(&bytes[i..]);
                    t.print_ascii(&bytes[i..i + n]);
                    i += n;
                }
                b'\r' => {
                    t.carriage_return();
                    i += 1;
                }
                b'\n' => {
                    t.line_feed();
                    i += 1;
                }
                0x1b => {
                    if let Some(n) = self.plain_csi(t, &bytes[i..], out) {
                        i += n;
                        continue;
                    }
                    self.start_escape(t, out);
                    return i + 1;
                }
                0x80.. => i += self.text(t, &bytes[i..]),
                _ => {
                    t.control(b, out);
                    i += 1;
                }
            }
        }
        i
    }

    fn start_escape(&mut self, t: &mut State, out: &mut Output) {
        self.mode = Mode::Escape(false);
        self.seen.clear();
        self.seen.push(0x1b);
        self.vte(t, &[0x1b], out);
    }

    fn vte(&mut self, t: &mut State, bytes: &[u8], out: &mut Output) {
        self.parser.advance(&mut Actor { state: t, out }, bytes);
    }

    /// A whole `CSI` of prefix, digits, `;`, `:` and final in the buffer: done at once.
    #[inline]
    fn plain_csi(&mut self, t: &mut State, bytes: &[u8], out: &mut Output) -> Option<usize> {
        #[cfg(test)]
        if self.plain {
            return None;
        }
        if *bytes.get(1)? != b'[' {
            return None;
        }
        let mut rest = bytes[2..].iter();
        let mut prefix = 0;
        if let Some(b @ 0x3c..=0x3f) = bytes.get(2) {
            prefix = *b;
            rest.next();
        }
        let mut params = Params::default();
        let (mut v, mut colon) = (0u32, false);
        loop {
            let b = *rest.next()?;
            match b {
                b'0'..=b'9' => {
                    v = v * 10 + u32::from(b - b'0');
                    if v > 0xffff {
                        v = 0xffff;
                    }
                }
                b';' | b':' => {
                    if params.is_full() {
                        return None;
                    }
                    params.push(v as u16, colon);
                    v = 0;
                    colon = b == b':';
                }
                0x40..=0x7e => {
                    if params.is_full() {
                        return None;
                    }
                    params.push(v as u16, colon);
                    t.csi(prefix, [0; 2], &params, b, out);
                    return Some(bytes.len() - rest.len());
                }
                _ => return None,
            }
        }
    }

    /// Bytes of an escape or control sequence, up to its end.
    fn sequence(&mut self, t: &mut State, bytes: &[u8], out: &mut Output) -> usize {
        for (i, &b) in bytes.iter().enumerate() {
            let done = i + 1;
            match (self.mode, b) {
                (_, 0x1b) => {
                    self.vte(t, &bytes[..i], out);
                    // It may begin a plain sequence, or a string.
                    self.parser = vte::Parser::new();
                    self.mode = Mode::Ground;
                    return i;
                }
                (_, 0x18 | 0x1a) => {
                    self.vte(t, &bytes[..done], out);
                    self.mode = Mode::Ground;
                    return done;
                }
                (Mode::Escape(false), b'[') => self.mode = Mode::Csi,
                (Mode::Escape(false), b']' | b'P' | b'_' | b'^' | b'X' | b'k') => {
                    self.vte(t, &bytes[..i], out);
                    self.parser = vte::Parser::new();
                    self.string.clear();
                    self.overflow = false;
                    self.mode = Mode::String(match b {
                        b']' => Kind::Osc,
                        b'P' => Kind::Dcs,
                        b'_' => Kind::Apc,
                        b'k' => Kind::Rename,
                        _ => Kind::Ignored,
                    });
                    return done;
                }
                (Mode::Escape(false), 0x20..=0x2f) => self.mode = Mode::Escape(true),
                (Mode::Escape(_), 0x30..=0x7e) | (Mode::Csi, 0x40..=0x7e) => {
                    self.vte(t, &bytes[..done], out);
                    self.mode = Mode::Ground;
                    return done;
                }
                _ => {}
            }
            self.seen.push(b);
            if self.seen.len() > LONGEST_SEQUENCE {
                self.parser = vte::Parser::new();
                self.mode = Mode::Ground;
                return done;
            }
        }
        self.vte(t, bytes, out);
        bytes.len()
    }

    /// Bytes of a string, up to its terminator.
    fn string(&mut self, t: &mut State, kind: Kind, bytes: &[u8], out: &mut Output) -> usize {
        let end = bytes
            .iter()
            .position(|b| matches!(b, 0x1b | 0x18 | 0x1a) || (*b == 7 && matches!(kind, Kind::Osc | Kind::Rename)));
        let body = &bytes[..end.unwrap_or(bytes.len())];
        if kind != Kind::Ignored && !self.overflow {
            if self.string.len() + body.len() > t.settings.string_limit {
                self.overflow = true;
                self.string = Vec::new();
            } else {
                self.string.extend_from_slice(body);
            }
        }
        let Some(end) = end else { return bytes.len() };
        match bytes[end] {
            0x1b => self.mode = Mode::StringEscape(kind),
            7 => self.finish_string(t, kind, true, out),
            _ => self.mode = Mode::Ground,
        }
        end + 1
    }

    /// The byte after an ESC within a string; returns 0 if it is to be read again.
    fn string_escape(&mut self, t: &mut State, kind: Kind, b: u8, out: &mut Output) -> usize {
        if b == b'\\' {
            self.finish_string(t, kind, false, out);
            return 1;
        }
        if kind == Kind::Dcs && self.string.starts_with(b"tmux;") {
            // What is passed through has its ESC doubled.
            self.mode = Mode::String(kind);
            if !self.overflow {
                self.string.push(0x1b);
                if b != 0x1b {
                    return 0;
                }
            }
            return 1;
        }
        // Any other ESC ends a string, and begins a sequence.
        match kind {
            Kind::Dcs | Kind::Ignored => self.mode = Mode::Ground,
            _ => self.finish_string(t, kind, false, out),
        }
        self.start_escape(t, out);
        0
    }

    fn finish_string(&mut self, t: &mut State, kind: Kind, bell: bool, out: &mut Output) {
        self.mode = Mode::Ground;
        let string = std::mem::take(&mut self.string);
        if !self.overflow {
            t.string(kind, &string, bell, out);
        }
        // Keep a small buffer, give a large one back.
        if string.capacity() <= 4096 {
            self.string = string;
            self.string.clear();
        }
    }

    /// Decoded text from a byte that is not ASCII; returns what it took.
    fn text(&mut self, t: &mut State, bytes: &[u8]) -> usize {
        let cap = bytes.len().min(1024);
        let end = if std::mem::take(&mut self.wary) {
            // Where bytes are no UTF-8 each of them ends a run: do not look far ahead.
            bytes[..cap].iter().position(|b| *b < 0x80).unwrap_or(cap)
        } else {
            control_at(&bytes[..cap])
        };
        let run = &bytes[..end];
        match std::str::from_utf8(run) {
            Ok(s) => {
                t.print_str(s);
                end
            }
            Err(e) => {
                let good = e.valid_up_to();
                if let Ok(s) = std::str::from_utf8(&run[..good]) {
                    t.print_str(s);
                }
                let rest = &run[good..];
                let (n, whole) = malformed(rest);
                if !whole && good + n == end {
                    if end == bytes.len() {
                        // The head of a character at the end of what came.
                        self.carry[..n].copy_from_slice(rest);
                        self.carried = n;
                        return end;
                    }
                    if end == cap && good > 0 {
                        return good;
                    }
                }
                self.wary = true;
                t.print('\u{fffd}');
                good + n
            }
        }
    }

    /// Completes the character whose head was kept; returns how many of the new bytes that took.
    fn finish_carry(&mut self, t: &mut State, bytes: &[u8]) -> usize {
        let mut taken = 0;
        let want = declared(self.carry[0]);
        while self.carried < want {
            let Some(&b) = bytes.get(taken) else { return taken };
            if b & 0xc0 != 0x80 {
                break;
            }
            self.carry[self.carried] = b;
            self.carried += 1;
            taken += 1;
        }
        match std::str::from_utf8(&self.carry[..self.carried]) {
            Ok(s) => t.print_str(s),
            Err(_) => t.print('\u{fffd}'),
        }
        self.carried = 0;
        taken
    }
}

/// How many bytes a character has whose first byte is this; 1 for bytes that begin none.
fn declared(first: u8) -> usize {
    match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    }
}

/// How many bytes of text that is not UTF-8 become one replacement: the first byte and what would belong to it, as tmux
/// has it, so that an overlong form or a surrogate is one error. False: more may come that belongs to it.
fn malformed(bytes: &[u8]) -> (usize, bool) {
    let want = declared(bytes[0]);
    let n = 1 + bytes[1..].iter().take(want - 1).take_while(|b| **b & 0xc0 == 0x80).count();
    (n, n == want)
}

fn introducer(k: Kind) -> u8 {
    match k {
        Kind::Osc => b']',
        Kind::Dcs => b'P',
        Kind::Apc => b'_',
        Kind::Ignored => b'^',
        Kind::Rename => b'k',
    }
}

/// Where the first control character is, or the length.
#[inline]
fn control_at(bytes: &[u8]) -> usize {
    let is_control = |b: u8| b < 0x20 || b == 0x7f;
    let mut n = 0;
    for chunk in bytes.chunks_exact(16) {
        let mut any = false;
        for b in chunk {
            any |= is_control(*b);
        }
        if any {
            break;
        }
        n += 16;
    }
    while n < bytes.len() && !is_control(bytes[n]) {
        n += 1;
    }
    n
}

/// How many bytes from the start are printable ASCII.
#[inline]
fn ascii_run(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut n = 0;
    // Most runs between sequences are short: eight bytes at a time tell where one ends.
    while let Some(word) = bytes.get(n..n + 8).and_then(|b| b.try_into().ok()).map(u64::from_le_bytes) {
        let below = word.wrapping_sub(ONES * 0x20) & !word;
        let beyond = word.wrapping_add(ONES) | word;
        let bad = (below | beyond) & (ONES * 0x80);
        if bad != 0 {
            return n + (bad.trailing_zeros() / 8) as usize;
        }
        n += 8;
        if n == 16 {
            break;
        }
    }
    for chunk in bytes[n..].chunks_exact(16) {
        let mut ok = true;
        for b in chunk {
            ok &= b.wrapping_sub(0x20) < 0x5f;
        }
        if !ok {
            break;
        }
        n += 16;
    }
    while n < bytes.len() && bytes[n].wrapping_sub(0x20) < 0x5f {
        n += 1;
    }
    n
}

impl State {
    /// C0 controls.
    pub(super) fn control(&mut self, b: u8, out: &mut Output) {
        self.printed = false;
        match b {
            0x05 => {} // ENQ: no answerback
            0x07 => self.notice(out, Notice::Bell),
            0x08 => self.backspace(),
            0x09 => self.tab(1),
            0x0a..=0x0c => self.line_feed(),
            0x0d => self.carriage_return(),
            0x0e => {
                self.gl = 1;
                self.see_slow();
            }
            0x0f => {
                self.gl = 0;
                self.see_slow();
            }
            _ => {}
        }
    }

    /// Escape sequences without parameters.
    pub(super) fn esc(&mut self, inter: &[u8], b: u8, out: &mut Output) {
        use super::charset::Charset;
        self.printed = false;
        match (inter, b) {
            ([], b'7') => self.save_cursor(),
            ([], b'8') => self.restore_cursor(),
            ([], b'=') => self.modes.insert(Modes::KEYPAD),
            ([], b'>') => self.modes.remove(Modes::KEYPAD),
            ([], b'D') => {
                self.pending = false;
                self.index();
            }
            ([], b'E') => {
                self.carriage_return();
                self.index();
            }
            ([], b'H') => {
                if let Some(t) = self.tabs.get_mut(self.x as usize) {
                    *t = true;
                }
            }
            ([], b'M') => {
                self.pending = false;
                self.reverse_index();
            }
            ([], b'N' | b'O') => {
                self.single_shift = Some(if b == b'N' { 2 } else { 3 });
                self.see_slow();
            }
            ([], b'V') => {
                self.protected = true;
                self.iso_guard = true;
                self.pen_moved();
            }
            ([], b'W') => {
                self.protected = false;
                self.pen_moved();
            }
            ([], b'Z') => self.csi(0, [0; 2], &Params::one(0), b'c', out),
            ([], b'c') => self.reset(out),
            ([], b'n' | b'o') => {
                self.gl = if b == b'n' { 2 } else { 3 };
                self.see_slow();
            }
            ([], b'~' | b'}' | b'|') => {
                self.gr = match b {
                    b'~' => 1,
                    b'}' => 2,
                    _ => 3,
                }
            }
            // Back index and forward index (DECBI, DECFI).
            ([], b'6') => {
                self.pending = false;
                if self.x == self.left && self.y >= self.top && self.y < self.bottom {
                    let blank = self.blank();
                    for y in self.top..self.bottom {
                        self.scr.insert_cells(y, self.left, self.right, 1, blank);
                    }
                } else {
                    self.x = self.x.saturating_sub(1);
                }
            }
            ([], b'9') => {
                self.pending = false;
                if self.x + 1 == self.right && self.y >= self.top && self.y < self.bottom {
                    let blank = self.blank();
                    for y in self.top..self.bottom {
                        self.scr.delete_cells(y, self.left, self.right, 1, blank);
                    }
                } else {
                    self.x = (self.x + 1).min(self.cols() - 1);
                }
            }
            ([b'#'], b'8') => self.alignment(),
            ([g @ b'('..=b'+'], f) => {
                self.sets[(g - b'(') as usize] = Charset::from_final(f);
                self.see_slow();
            }
            _ => {}
        }
    }
}
