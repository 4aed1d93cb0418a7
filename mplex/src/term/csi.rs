//! Control sequences: what each final byte does, SGR, and the reports.

use super::modes::{self, Modes};
use super::state::{State, shape_of};
use super::{ExtendedKeys, Notice, Output, Shape};
use crate::base::style::Underline;
use crate::base::{Attrs, Colour, ColourKind, Style};
use crate::grid::Cell;

/// Most parameters, as in `vte`.
const MOST: usize = 32;

/// Parameters of a control sequence; sub-parameters (after `:`) are marked.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Params {
    values: [u16; MOST],
    colons: u32,
    len: u8,
}

impl Params {
    pub(super) fn one(v: u16) -> Params {
        let mut p = Params::default();
        p.push(v, false);
        p
    }

    pub(super) fn is_full(&self) -> bool {
        self.len as usize == MOST
    }

    #[inline]
    pub(super) fn push(&mut self, v: u16, colon: bool) {
        if let Some(slot) = self.values.get_mut(self.len as usize) {
            *slot = v;
            self.colons |= u32::from(colon) << self.len;
            self.len += 1;
        }
    }

    /// The parameter, or 0.
    #[inline]
    fn get(&self, i: usize) -> u16 {
        if i < self.len as usize { self.values[i] } else { 0 }
    }

    /// The parameter; 0 and absent are 1.
    #[inline]
    fn count(&self, i: usize) -> u16 {
        self.get(i).max(1)
    }

    fn all(&self) -> &[u16] {
        &self.values[..self.len as usize]
    }

    fn is_sub(&self, i: usize) -> bool {
        i < MOST && self.colons >> i & 1 != 0
    }

    /// Where the group that starts at `i` ends.
    fn group_end(&self, i: usize) -> usize {
        let mut end = i + 1;
        while end < self.len as usize && self.is_sub(end) {
            end += 1;
        }
        end
    }
}

impl State {
    pub(super) fn csi(&mut self, prefix: u8, inter: [u8; 2], p: &Params, b: u8, out: &mut Output) {
        if prefix == 0 && inter[0] == 0 {
            // The two that fill screens.
            if b == b'm' {
                self.printed = false;
                return self.sgr(p);
            }
            if b == b'H' {
                self.printed = false;
                return self.move_to(Some(p.count(1) - 1), Some(p.count(0) - 1));
            }
        }
        if b != b'b' {
            self.printed = false;
        }
        match (prefix, inter[0], b) {
            (0, 0, b'f') => self.move_to(Some(p.count(1) - 1), Some(p.count(0) - 1)),
            (0, 0, b'K') | (b'?', 0, b'K') => self.erase_line(p.get(0), prefix == b'?'),
            (0, 0, b'J') | (b'?', 0, b'J') => self.erase_display(p, prefix == b'?'),
            (0, 0, b'A') => self.up(p.count(0)),
            (0, 0, b'B') => self.down(p.count(0)),
            (0, 0, b'e') => {
                self.y = self.y.saturating_add(p.count(0)).min(self.height() - 1);
                self.pending = false;
            }
            (0, 0, b'C' | b'a') => self.right(p.count(0)),
            (0, 0, b'D') => self.left(p.count(0)),
            (0, 0, b'E') => {
                self.down(p.count(0));
                self.carriage_return();
            }
            (0, 0, b'F') => {
                self.up(p.count(0));
                self.carriage_return();
            }
            (0, 0, b'G' | b'`') => self.move_to(Some(p.count(0) - 1), None),
            (0, 0, b'd') => self.move_to(None, Some(p.count(0) - 1)),
            (0, 0, b'I') => self.tab(p.count(0)),
            (0, 0, b'Z') => self.back_tab(p.count(0)),
            (0, 0, b'@') => self.insert_chars(p.count(0)),
            (0, 0, b'P') => self.delete_chars(p.count(0)),
            (0, 0, b'X') => {
                let end = self.x.saturating_add(p.count(0)).min(self.cols());
                if !self.pending {
                    self.erase_cells(self.y, self.x, end, false);
                }
            }
            (0, 0, b'L') => self.lines(p.count(0), true),
            (0, 0, b'M') => self.lines(p.count(0), false),
            (0, 0, b'S') => self.scroll_up(p.count(0)),
            (0, 0, b'T') if p.len <= 1 => self.scroll_down(p.count(0)),
            (0, 0, b'^') => self.scroll_down(p.count(0)),
            (0, 0, b'b') => self.repeat(p.count(0)),
            (0, 0, b'r') => self.set_region(p),
            (0, 0, b's') if self.modes.contains(Modes::MARGINS) => self.set_margins(p),
            (0, 0, b's') => self.save_cursor(),
            (0, 0, b'u') => self.restore_cursor(),
            (0, 0, b'g') => match p.get(0) {
                0 => {
                    if let Some(t) = self.tabs.get_mut(self.x as usize) {
                        *t = false;
                    }
                }
                3 => self.tabs.fill(false),
                _ => {}
            },
            (b'?', 0, b'W') if p.get(0) == 5 => self.tabs = super::state::default_tabs(self.cols()),
            (0, 0, b'h' | b'l') => {
                for n in p.all() {
                    if let Some(flag) = modes::flag(false, *n) {
                        self.modes.set(flag, b == b'h');
                    }
                }
                self.see_slow();
            }
            (b'?', 0, b'h' | b'l') => {
                for n in p.all() {
                    self.private_mode(*n, b == b'h', out);
                }
            }
            (0 | b'?', b'$', b'p') => self.report_mode(p.get(0), prefix == b'?', out),
            (0, 0, b'c') if p.get(0) == 0 => self.reply(out, b"\x1b[?1;2c"),
            (b'>', 0, b'c') if p.get(0) == 0 => self.reply(out, b"\x1b[>84;0;0c"),
            (b'=', 0, b'c') if p.get(0) == 0 => self.reply(out, b"\x1bP!|00000000\x1b\\"),
            (0, 0, b'n') => match p.get(0) {
                5 => self.reply(out, b"\x1b[0n"),
                6 => self.report_cursor("", out),
                _ => {}
            },
            (b'?', 0, b'n') => match p.get(0) {
                6 => self.report_cursor("?", out),
                15 => self.reply(out, b"\x1b[?13n"),
                25 => self.reply(out, b"\x1b[?20n"),
                26 => self.reply(out, b"\x1b[?27;1;0;0n"),
                53 | 55 => self.reply(out, b"\x1b[?53n"),
                56 => self.reply(out, b"\x1b[?57;0n"),
                996 => match self.settings.dark {
                    Some(dark) => self.reply(out, &super::Terminal::theme_reply(dark)),
                    None => self.notice(out, Notice::ThemeQuery),
                },
                _ => {}
            },
            (0, b' ', b'q') => {
                let n = p.get(0);
                if n <= 6 {
                    (self.shape, self.blink) = shape_of(n as u8);
                    self.modes.set(Modes::BLINK, self.blink == Some(true));
                }
            }
            (0, b'"', b'q') => {
                // DECSCA.
                match p.get(0) {
                    0 | 2 => self.protected = false,
                    1 => {
                        self.protected = true;
                        self.iso_guard = false;
                    }
                    _ => {}
                }
                self.pen_moved();
            }
            (b'>', 0, b'q') if p.get(0) == 0 => {
                let text = format!("\x1bP>|{}\x1b\\", self.settings.version);
                self.reply(out, text.as_bytes());
            }
            (0, b'!', b'p') => self.soft_reset(),
            (0, b'\'', b'}') => self.columns(p.count(0), true),
            (0, b'\'', b'~') => self.columns(p.count(0), false),
            (0, b' ', b'@') => self.shift(p.count(0), true),
            (0, b' ', b'A') => self.shift(p.count(0), false),
            (0, 0, b't') => self.window(p, out),
            (0, 0, b'x') if p.get(0) <= 1 => {
                let text = format!("\x1b[{};1;1;128;128;1;0x", p.get(0) + 2);
                self.reply(out, text.as_bytes());
            }
            (b'>', 0, b'm') if p.get(0) == 4 => {
                self.modify_other_keys = match (self.settings.extended_keys, p.get(1)) {
                    (ExtendedKeys::Off, _) => 0,
                    (_, 2) => 2,
                    (ExtendedKeys::Always, _) | (_, 1) => 1,
                    _ => 0,
                };
            }
            (b'>', 0, b'n') if p.get(0) == 4 => {
                self.modify_other_keys = u8::from(self.settings.extended_keys == ExtendedKeys::Always);
            }
            (b'?', 0, b'm') if p.get(0) == 4 => {
                let text = format!("\x1b[>4;{}m", self.modify_other_keys);
                self.reply(out, text.as_bytes());
            }
            (b'?', 0, b'u') => {
                let text = format!("\x1b[?{}u", self.kitty());
                self.reply(out, text.as_bytes());
            }
            (b'>', 0, b'u') => {
                let flags = p.get(0) as u8 & 31;
                let stack = self.kitty_stack();
                if stack.len() >= 16 {
                    stack.remove(0);
                }
                stack.push(flags);
            }
            (b'<', 0, b'u') => {
                let n = p.count(0) as usize;
                let stack = self.kitty_stack();
                let keep = stack.len().saturating_sub(n);
                stack.truncate(keep);
                if stack.is_empty() {
                    stack.push(0);
                }
            }
            (b'=', 0, b'u') => {
                let flags = p.get(0) as u8 & 31;
                let how = p.get(1);
                if let Some(top) = self.kitty_stack().last_mut() {
                    match how {
                        0 | 1 => *top = flags,
                        2 => *top |= flags,
                        3 => *top &= !flags,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Where erasing to the right starts: past the end if the last column was just written, as in tmux.
    fn erase_from(&self) -> u16 {
        self.x + u16::from(self.pending)
    }

    fn erase_line(&mut self, what: u16, selective: bool) {
        let cols = self.cols();
        match what {
            0 => self.erase_cells(self.y, self.erase_from(), cols, selective),
            1 => self.erase_cells(self.y, 0, self.x + 1, selective),
            2 => self.erase_cells(self.y, 0, cols, selective),
            _ => {}
        }
    }

    fn erase_display(&mut self, p: &Params, selective: bool) {
        let (cols, rows) = (self.cols(), self.height());
        match p.get(0) {
            0 => {
                if self.x == 0 && self.y == 0 && !selective {
                    self.keep_screen();
                }
                self.erase_cells(self.y, self.erase_from(), cols, selective);
                self.erase_rows(self.y + 1, rows, selective);
            }
            1 => {
                self.erase_rows(0, self.y, selective);
                self.erase_cells(self.y, 0, self.x + 1, selective);
            }
            2 => {
                if !selective {
                    self.keep_screen();
                }
                self.erase_rows(0, rows, selective);
            }
            3 if p.get(1) == 0 => {
                self.history.clear();
                self.history_moved += 1;
            }
            _ => {}
        }
    }

    fn between_margins(&self) -> bool {
        self.x >= self.left && self.x < self.right
    }

    fn insert_chars(&mut self, n: u16) {
        if !self.between_margins() {
            return;
        }
        let blank = self.blank();
        self.scr.insert_cells(self.y, self.x, self.right, n, blank);
        self.pending = false;
    }

    fn delete_chars(&mut self, n: u16) {
        if !self.between_margins() {
            return;
        }
        let blank = self.blank();
        self.scr.delete_cells(self.y, self.x, self.right, n, blank);
        self.pending = false;
    }

    /// DECIC and DECDC: columns at the cursor in all rows of the region.
    fn columns(&mut self, n: u16, insert: bool) {
        if !self.between_margins() || self.y < self.top || self.y >= self.bottom {
            return;
        }
        let blank = self.blank();
        for y in self.top..self.bottom {
            if insert {
                self.scr.insert_cells(y, self.x, self.right, n, blank);
            } else {
                self.scr.delete_cells(y, self.x, self.right, n, blank);
            }
        }
    }

    /// SL and SR: the region sideways.
    fn shift(&mut self, n: u16, left: bool) {
        if !self.between_margins() || self.y < self.top || self.y >= self.bottom {
            return;
        }
        let blank = self.blank();
        for y in self.top..self.bottom {
            if left {
                self.scr.delete_cells(y, self.left, self.right, n, blank);
            } else {
                self.scr.insert_cells(y, self.left, self.right, n, blank);
            }
        }
    }

    /// REP: what was printed just before; more than the screen holds shows no difference.
    fn repeat(&mut self, n: u16) {
        if !std::mem::take(&mut self.printed) {
            return;
        }
        let n = usize::from(n).min(self.scr.size().area());
        let Some((_, cell)) = self.before() else { return };
        for _ in 0..n {
            self.place_again(cell);
        }
    }

    fn set_region(&mut self, p: &Params) {
        let rows = self.height();
        let top = p.count(0) - 1;
        let bottom = if p.get(1) == 0 { rows } else { p.get(1).min(rows) };
        if top + 1 >= bottom {
            return;
        }
        self.top = top;
        self.bottom = bottom;
        self.move_to(Some(0), Some(0));
    }

    fn set_margins(&mut self, p: &Params) {
        let cols = self.cols();
        let left = p.count(0) - 1;
        let right = if p.get(1) == 0 { cols } else { p.get(1).min(cols) };
        if left + 1 >= right {
            return;
        }
        self.left = left;
        self.right = right;
        self.see_slow();
        self.move_to(Some(0), Some(0));
    }

    fn private_mode(&mut self, n: u16, on: bool, out: &mut Output) {
        match n {
            47 | 1047 => {
                // 47 leaves what was there; our alternate screens are fresh, so the two do the same.
                let was = (self.x, self.y, self.pending);
                self.alternate(on, out);
                (self.x, self.y, self.pending) = was;
            }
            1048 => {
                if on {
                    self.save_cursor();
                } else {
                    self.restore_cursor();
                }
            }
            1049 => {
                if on {
                    if !self.is_alternate() && self.settings.allow_alternate {
                        self.save_cursor();
                        self.alternate(true, out);
                        self.pending = false;
                    }
                } else if let Some(at) = self.other.as_ref().map(|o| (o.x, o.y, o.pending)) {
                    self.alternate(false, out);
                    self.restore_cursor();
                    // A line that was just full goes on below.
                    self.pending = at.2 && (at.0, at.1) == (self.x, self.y);
                } else {
                    self.restore_cursor();
                }
            }
            3 => {
                // DECCOLM: the size is not ours to change, the rest of it is done.
                if self.modes.contains(Modes::ALLOW_COLUMNS) {
                    self.top = 0;
                    self.bottom = self.height();
                    self.left = 0;
                    self.right = self.cols();
                    self.modes.remove(Modes::MARGINS);
                    self.see_slow();
                    self.erase_rows(0, self.height(), false);
                    self.move_to(Some(0), Some(0));
                } else {
                    self.move_to(Some(0), Some(0));
                    self.keep_screen();
                    self.erase_rows(0, self.height(), false);
                }
            }
            12 => {
                self.blink = Some(on);
                self.modes.set(Modes::BLINK, on);
            }
            1000..=1003 | 9 => {
                self.modes.remove(Modes::MOUSE);
                if on && let Some(flag) = modes::flag(true, n) {
                    self.modes.insert(flag);
                }
            }
            _ => {
                let Some(flag) = modes::flag(true, n) else { return };
                self.modes.set(flag, on);
                match flag {
                    Modes::ORIGIN => self.move_to(Some(0), Some(0)),
                    Modes::MARGINS if !on => {
                        self.left = 0;
                        self.right = self.cols();
                    }
                    Modes::AUTOWRAP if !on => self.pending = false,
                    Modes::REVERSE_SCREEN => self.scr.touch_all(),
                    Modes::SYNC => self.notice(out, Notice::Sync(on)),
                    Modes::THEME if on => self.notice(out, Notice::ThemeWanted),
                    Modes::SIZE_REPORTS if on => self.report_size(out),
                    _ => {}
                }
                self.see_slow();
            }
        }
    }

    /// The in-band size report of mode 2048.
    fn report_size(&self, out: &mut Output) {
        let (c, r) = (self.cols(), self.height());
        let (w, h) = self.settings.cell_pixels;
        let text = format!("\x1b[48;{r};{c};{};{}t", u32::from(h) * u32::from(r), u32::from(w) * u32::from(c));
        self.reply(out, text.as_bytes());
    }

    fn report_mode(&self, n: u16, private: bool, out: &mut Output) {
        let on = |b: bool| if b { 1 } else { 2 };
        let v = match (private, n) {
            (true, 3) => 4,
            (true, 12) => on(self.cursor().blink == Some(true)),
            (true, 47 | 1047 | 1049) => on(self.is_alternate()),
            (true, 1048) => on(self.saved().is_some()),
            _ => match modes::flag(private, n) {
                Some(flag) => on(self.modes.contains(flag)),
                None => 0,
            },
        };
        if n > 0 {
            let q = if private { "?" } else { "" };
            self.reply(out, format!("\x1b[{q}{n};{v}$y").as_bytes());
        }
    }

    fn report_cursor(&self, prefix: &str, out: &mut Output) {
        let (mut x, mut y) = (self.x, self.y);
        if self.modes.contains(Modes::ORIGIN) {
            x = x.saturating_sub(self.left);
            y = y.saturating_sub(self.top);
        }
        self.reply(out, format!("\x1b[{prefix}{};{}R", y + 1, x + 1).as_bytes());
    }

    /// XTWINOPS: reports and the stack of titles. Nothing moves or resizes a window.
    fn window(&mut self, p: &Params, out: &mut Output) {
        let (c, r) = (u32::from(self.cols()), u32::from(self.height()));
        let (w, h) = (u32::from(self.settings.cell_pixels.0), u32::from(self.settings.cell_pixels.1));
        let text = match p.get(0) {
            11 => "\x1b[1t".to_owned(),
            13 => "\x1b[3;0;0t".to_owned(),
            14 => format!("\x1b[4;{};{}t", h * r, w * c),
            15 => format!("\x1b[5;{};{}t", h * r, w * c),
            16 => format!("\x1b[6;{h};{w}t"),
            18 => format!("\x1b[8;{r};{c}t"),
            19 => format!("\x1b[9;{r};{c}t"),
            // The title itself is never sent back: it would be typed into the program.
            20 => "\x1b]L\x1b\\".to_owned(),
            21 => "\x1b]l\x1b\\".to_owned(),
            22 => return self.push_title(),
            23 => return self.pop_title(p.get(1), out),
            _ => return,
        };
        self.reply(out, text.as_bytes());
    }

    fn sgr(&mut self, p: &Params) {
        let v = p.all();
        let mut i = 0;
        self.pen_moved();
        while i < v.len() {
            if p.colons != 0 {
                let end = p.group_end(i);
                if end > i + 1 {
                    self.sgr_group(&v[i..end]);
                    i = end;
                    continue;
                }
            }
            let pen = &mut self.pen;
            match v[i] {
                0 => *pen = Style::DEFAULT,
                1 => pen.attrs |= Attrs::BOLD,
                2 => pen.attrs |= Attrs::DIM,
                3 => pen.attrs |= Attrs::ITALIC,
                4 => pen.attrs = pen.attrs.with_underline(Underline::Single),
                5 | 6 => pen.attrs |= Attrs::BLINK,
                7 => pen.attrs |= Attrs::REVERSE,
                8 => pen.attrs |= Attrs::CONCEAL,
                9 => pen.attrs |= Attrs::STRIKE,
                21 => pen.attrs = pen.attrs.with_underline(Underline::Double),
                22 => pen.attrs -= Attrs::BOLD | Attrs::DIM,
                23 => pen.attrs -= Attrs::ITALIC,
                24 => pen.attrs = pen.attrs.with_underline(Underline::None),
                25 => pen.attrs -= Attrs::BLINK,
                27 => pen.attrs -= Attrs::REVERSE,
                28 => pen.attrs -= Attrs::CONCEAL,
                29 => pen.attrs -= Attrs::STRIKE,
                n @ 30..=37 => pen.fg = Colour::ansi((n - 30) as u8),
                39 => pen.fg = Colour::DEFAULT,
                n @ 40..=47 => pen.bg = Colour::ansi((n - 40) as u8),
                49 => pen.bg = Colour::DEFAULT,
                53 => pen.attrs |= Attrs::OVERLINE,
                55 => pen.attrs -= Attrs::OVERLINE,
                59 => pen.us = Colour::DEFAULT,
                n @ 90..=97 => pen.fg = Colour::ansi((n - 90 + 8) as u8),
                n @ 100..=107 => pen.bg = Colour::ansi((n - 100 + 8) as u8),
                n @ (38 | 48 | 58) => {
                    // The old form: the parameters that follow.
                    let colour = match v.get(i + 1) {
                        Some(5) => {
                            i += 2;
                            v.get(i).map(|n| Colour::indexed((*n).min(255) as u8)).filter(|_| v[i] < 256)
                        }
                        Some(2) => {
                            let rgb = v.get(i + 2..i + 5).filter(|c| c.iter().all(|c| *c < 256));
                            i += 4;
                            rgb.map(|c| Colour::rgb(c[0] as u8, c[1] as u8, c[2] as u8))
                        }
                        _ => {
                            i += 1;
                            None
                        }
                    };
                    if let Some(c) = colour {
                        self.set_colour(n, c);
                    }
                }
                _ => {}
            }
            i += 1;
        }
    }

    fn set_colour(&mut self, n: u16, c: Colour) {
        match n {
            38 => self.pen.fg = c,
            48 => self.pen.bg = c,
            _ => self.pen.us = c,
        }
    }

    /// A parameter with sub-parameters.
    fn sgr_group(&mut self, g: &[u16]) {
        match g {
            [4, n] if *n <= 5 => self.pen.attrs = self.pen.attrs.with_underline(Underline::from_sgr(*n)),
            [n @ (38 | 48 | 58), 5, c, ..] if *c < 256 => self.set_colour(*n, Colour::indexed(*c as u8)),
            // Without the colour space, and with it.
            [n @ (38 | 48 | 58), 2, r, g, b] | [n @ (38 | 48 | 58), 2, _, r, g, b, ..]
                if *r < 256 && *g < 256 && *b < 256 =>
            {
                self.set_colour(*n, Colour::rgb(*r as u8, *g as u8, *b as u8));
            }
            _ => {}
        }
    }

    /// DECRQSS: the setting that `what` names, as the sequence that makes it.
    pub(super) fn report_setting(&self, what: &[u8], out: &mut Output) {
        let text = match what {
            b"m" => format!("\x1bP1$r{}m\x1b\\", sgr_text(self.pen)),
            b"r" => format!("\x1bP1$r{};{}r\x1b\\", self.top + 1, self.bottom),
            b"s" => format!("\x1bP1$r{};{}s\x1b\\", self.left + 1, self.right),
            b" q" => {
                let blink = self.blink == Some(true);
                let n = match self.shape {
                    Shape::Default => self.settings.cursor_style.min(6),
                    Shape::Block => 2 - u8::from(blink),
                    Shape::Underline => 4 - u8::from(blink),
                    Shape::Bar => 6 - u8::from(blink),
                };
                // tmux repeats the name before the value; programs look for the digits before the last " q".
                format!("\x1bP1$r q{n} q\x1b\\")
            }
            b"\"q" => format!("\x1bP1$r{}\"q\x1b\\", u8::from(self.protected)),
            b"\"p" => "\x1bP1$r64;1\"p\x1b\\".to_owned(),
            b"t" => format!("\x1bP1$r{}t\x1b\\", self.height().max(24)),
            b"$|" => format!("\x1bP1$r{}$|\x1b\\", self.cols()),
            b"*|" => format!("\x1bP1$r{}*|\x1b\\", self.height()),
            _ => "\x1bP0$r\x1b\\".to_owned(),
        };
        self.reply(out, text.as_bytes());
    }
}

/// The parameters of the SGR that makes a style from nothing.
fn sgr_text(s: Style) -> String {
    let mut t = String::from("0");
    let flags = [
        (Attrs::BOLD, "1"),
        (Attrs::DIM, "2"),
        (Attrs::ITALIC, "3"),
        (Attrs::BLINK, "5"),
        (Attrs::REVERSE, "7"),
        (Attrs::CONCEAL, "8"),
        (Attrs::STRIKE, "9"),
        (Attrs::OVERLINE, "53"),
    ];
    let mut add = |v: &str| {
        t.push(';');
        t.push_str(v);
    };
    for (flag, code) in flags {
        if s.attrs.contains(flag) {
            add(code);
        }
        if flag == Attrs::ITALIC {
            match s.attrs.underline() {
                Underline::None => {}
                Underline::Single => add("4"),
                u => add(&format!("4:{}", u as u8)),
            }
        }
    }
    for (base, c) in [(30, s.fg), (40, s.bg), (50, s.us)] {
        match c.kind() {
            ColourKind::Ansi(n) if base != 50 && n < 8 => add(&(base + u16::from(n)).to_string()),
            ColourKind::Ansi(n) if base != 50 => add(&(base + 60 + u16::from(n) - 8).to_string()),
            ColourKind::Ansi(n) | ColourKind::Indexed(n) => add(&format!("{}:5:{n}", base + 8)),
            ColourKind::Rgb(r, g, b) => add(&format!("{}:2::{r}:{g}:{b}", base + 8)),
            ColourKind::Default | ColourKind::Terminal | ColourKind::Theme(_) => {}
        }
    }
    t
}

// Cells with a background are what BCE leaves; an empty cell is the same with none.
const _: () = assert!(Cell::EMPTY.0 == 0);
