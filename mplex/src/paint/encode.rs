//! From what a terminal shows to what it should show, in few bytes.
//!
//! The rules, each at its function: cells that are equal are skipped and short gaps reprinted; the cheapest cursor move is
//! taken; the column after the last one is unknown; so is the column after a symbol whose width terminals disagree on;
//! rows that only moved are scrolled; blank ends are erased. A frame is bracketed as one update where that pays.
//!
//! It must not know who composed the frame. LF is taken to move straight down (the tty does no output processing).

use super::caps::{Caps, Features, Quirks};
use super::cell::{Cell, LinkId, Pool, draws_on_blank};
use super::frame::{Cursor, CursorShape, Frame};
use super::sgr::{self, put};
use super::{Brush, caps, seq};
use crate::base::{Pos, Rect, Size, Style, width};
use std::hash::{BuildHasher as _, Hasher as _};

/// What one [`Painter::draw`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    pub bytes: usize,
    /// Cursor moves.
    pub moves: u32,
    /// Rows that were scrolled instead of repainted.
    pub scrolled: u16,
}

/// Frames with more bytes than this are bracketed by synchronized update (mode 2026).
const SYNC_FROM: usize = 200;

/// Draws frames on one client's terminal.
#[derive(Debug)]
pub struct Painter {
    caps: Caps,
    pool: Pool,
    next: Frame,
    shown: Frame,
    /// False: what the terminal shows is not known.
    known: bool,
    tty: Tty,
}

impl Painter {
    /// For a terminal of which nothing is known but its size and capabilities.
    pub fn new(caps: Caps, size: Size) -> Painter {
        let mut next = Frame::new(size);
        next.mark_all();
        Painter { tty: Tty::new(caps, size), caps, pool: Pool::new(), next, shown: Frame::new(size), known: false }
    }

    pub fn caps(&self) -> &Caps {
        &self.caps
    }

    /// New capabilities (a reply came in); everything is drawn again if they differ.
    pub fn set_caps(&mut self, caps: Caps) {
        if caps != self.caps {
            self.caps = caps;
            self.tty.caps = caps;
            self.invalidate();
        }
    }

    /// A new size: both frames are blank again, so everything must be composed again.
    pub fn resize(&mut self, size: Size) {
        self.next.resize(size);
        self.shown.resize(size);
        self.tty = Tty::new(self.caps, size);
        self.invalidate();
    }

    /// The terminal's picture is lost (resumed, another program wrote to it): the next draw clears it and draws all of it.
    pub fn invalidate(&mut self) {
        self.known = false;
        self.next.mark_all();
    }

    /// The frame being composed.
    pub fn frame(&self) -> &Frame {
        &self.next
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        &mut self.next
    }

    /// What the terminal shows.
    pub fn shown(&self) -> &Frame {
        &self.shown
    }

    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// A brush for a part of the frame being composed.
    pub fn brush(&mut self, area: Rect) -> Brush<'_> {
        Brush::new(&mut self.next, &mut self.pool, area)
    }

    /// True if nothing was written or changed since the last draw.
    pub fn is_clean(&self) -> bool {
        self.known
            && self.next.cursor == self.shown.cursor
            && self.next.title == self.shown.title
            && self.next.marks.iter().all(|m| m.is_none())
    }

    /// Appends the bytes that make the terminal show the composed frame. Afterwards [`Painter::shown`] equals it.
    pub fn draw(&mut self, out: &mut Vec<u8>) -> Drawn {
        if self.is_clean() {
            return Drawn::default();
        }
        if self.pool.is_crowded() {
            self.pool.collect([&mut self.next.cells, &mut self.shown.cells]);
            self.tty.link = LinkId::NONE;
            self.tty.forget_link(out);
        }
        let known = std::mem::replace(&mut self.known, true);
        self.tty.frame(&self.pool, &mut self.next, &mut self.shown, known, out)
    }
}

/// The bytes between two frames of one pool for a terminal that shows `shown`; nothing else is known of it. For tests and
/// for pictures of a change; a client's terminal is drawn by its [`Painter`].
pub fn diff(shown: &Frame, next: &Frame, pool: &Pool, caps: &Caps) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut shown, mut next) = (shown.clone(), next.clone());
    let mut tty = Tty::new(*caps, next.size());
    let known = shown.size() == next.size();
    if known {
        tty.region = Some((0, next.size().rows.saturating_sub(1)));
        tty.visible = Some(shown.cursor.pos.is_some());
        if let Some(p) = shown.cursor.pos {
            (tty.col, tty.row) = (Some(p.x), Some(p.y));
        }
    } else {
        shown = Frame::new(next.size());
    }
    next.mark_all();
    tty.frame(pool, &mut next, &mut shown, known, &mut out);
    out
}

/// A short sequence, compared by length with others.
#[derive(Clone, Copy)]
struct Seq {
    bytes: [u8; 32],
    len: usize,
}

impl Seq {
    const EMPTY: Seq = Seq { bytes: [0; 32], len: 0 };

    fn push(&mut self, b: u8) {
        if self.len < self.bytes.len() {
            self.bytes[self.len] = b;
            self.len += 1;
        }
    }

    fn repeated(b: u8, n: u16) -> Seq {
        let mut s = Seq::EMPTY;
        (0..n.min(8)).for_each(|_| s.push(b));
        s
    }

    /// `CSI n final`, without n if it is 1.
    fn csi(n: u16, last: u8) -> Seq {
        let mut s = Seq::EMPTY;
        s.push(0x1b);
        s.push(b'[');
        if n != 1 {
            s.number(n);
        }
        s.push(last);
        s
    }

    fn number(&mut self, n: u16) {
        let mut div = 10_000;
        while div > 1 && n < div {
            div /= 10;
        }
        while div > 0 {
            self.push(b'0' + (n / div % 10) as u8);
            div /= 10;
        }
    }

    fn cup(x: u16, y: u16) -> Seq {
        let mut s = Seq::EMPTY;
        s.push(0x1b);
        s.push(b'[');
        if y > 0 || x > 0 {
            if y > 0 {
                s.number(y + 1);
            }
            if x > 0 {
                s.push(b';');
                s.number(x + 1);
            }
        }
        s.push(b'H');
        s
    }

    fn then(mut self, o: Seq) -> Seq {
        o.as_bytes().iter().for_each(|&b| self.push(b));
        self
    }

    fn shorter(self, o: Seq) -> Seq {
        if o.len < self.len { o } else { self }
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// What is known of the terminal between frames.
#[derive(Debug)]
struct Tty {
    caps: Caps,
    size: Size,
    buf: Vec<u8>,
    pen: Style,
    /// The pen as the terminal has it, after [`Caps::style`].
    sent: Style,
    link: LinkId,
    col: Option<u16>,
    row: Option<u16>,
    /// First and last row of the scroll region.
    region: Option<(u16, u16)>,
    visible: Option<bool>,
    moves: u32,
}

impl Tty {
    fn new(caps: Caps, size: Size) -> Tty {
        Tty {
            caps,
            size,
            buf: Vec::new(),
            pen: Style::DEFAULT,
            sent: Style::DEFAULT,
            link: LinkId::NONE,
            col: None,
            row: None,
            region: None,
            visible: None,
            moves: 0,
        }
    }

    fn forget_link(&mut self, out: &mut Vec<u8>) {
        if self.caps.has(Features::HYPERLINKS) {
            out.extend_from_slice(b"\x1b]8;;\x1b\\");
        }
    }

    fn frame(&mut self, pool: &Pool, next: &mut Frame, shown: &mut Frame, known: bool, out: &mut Vec<u8>) -> Drawn {
        self.buf.clear();
        self.moves = 0;
        if !known {
            self.reset(shown);
        }
        if next.title != shown.title || !known && !next.title.is_empty() {
            seq::set_title(&self.caps, &next.title, &mut self.buf);
            shown.title.clone_from(&next.title);
        }
        let scrolled = if known { self.scroll(next, shown) } else { 0 };
        for y in 0..self.size.rows {
            if next.is_marked(y) {
                self.draw_row(pool, next, shown, y);
                next.unmark(y);
            }
        }
        let moves = self.moves;
        self.cursor(next.cursor, shown.cursor, known);
        let target = next
            .cursor
            .pos
            .map(|p| Pos::new(p.x.min(self.size.cols.saturating_sub(1)), p.y.min(self.size.rows.saturating_sub(1))));
        if let Some(p) = target {
            self.go(p.x, p.y);
        }
        shown.cursor = next.cursor;
        let start = out.len();
        self.flush(target.is_some(), moves, out);
        Drawn { bytes: out.len() - start, moves: self.moves, scrolled }
    }

    /// Clears a terminal of which nothing is known.
    fn reset(&mut self, shown: &mut Frame) {
        if self.caps.does(Quirks::REGION) {
            self.buf.extend_from_slice(b"\x1b[r");
        }
        let mut link = Vec::new();
        self.forget_link(&mut link);
        self.buf.append(&mut link);
        self.buf.extend_from_slice(b"\x1b[m\x1b[H\x1b[2J");
        (self.pen, self.sent, self.link) = (Style::DEFAULT, Style::DEFAULT, LinkId::NONE);
        (self.col, self.row) = (Some(0), Some(0));
        self.region = Some((0, self.size.rows.saturating_sub(1)));
        self.visible = None;
        shown.cells.fill(Cell::BLANK);
    }

    /// Moves the buffer out, bracketed where that pays: as one update if the terminal can and it is long, else with the
    /// cursor hidden if it visits more than one place.
    fn flush(&mut self, show: bool, moves: u32, out: &mut Vec<u8>) {
        let can_hide = self.caps.does(Quirks::TCEM);
        let sync = self.caps.has(Features::SYNC) && self.buf.len() > SYNC_FROM;
        let was = self.visible;
        let hide = can_hide && was != Some(false) && (!show || moves > 1 && !sync || was.is_none() && !sync);
        if sync {
            out.extend_from_slice(b"\x1b[?2026h");
        }
        if hide {
            out.extend_from_slice(b"\x1b[?25l");
            self.visible = Some(false);
        }
        out.append(&mut self.buf);
        if can_hide && show && self.visible != Some(true) {
            out.extend_from_slice(b"\x1b[?25h");
            self.visible = Some(true);
        }
        if sync {
            out.extend_from_slice(b"\x1b[?2026l");
        }
    }

    /// Shape and colour of the cursor.
    fn cursor(&mut self, next: Cursor, shown: Cursor, known: bool) {
        let code = |c: Cursor| match c.shape {
            CursorShape::Default => 0,
            CursorShape::Block => 2 - u8::from(c.blink),
            CursorShape::Underline => 4 - u8::from(c.blink),
            CursorShape::Bar => 6 - u8::from(c.blink),
        };
        let (a, b) = (code(shown), code(next));
        if self.caps.has(Features::CSTYLE) && (a != b || !known && b != 0) {
            put(&mut self.buf, format_args!("\x1b[{b} q"));
        }
        let (a, b) = (caps::rgb_of(shown.colour), caps::rgb_of(next.colour));
        if self.caps.has(Features::CCOLOUR) && (a != b || !known && b.is_some()) {
            match b {
                Some((r, g, b)) => put(&mut self.buf, format_args!("\x1b]12;#{r:02x}{g:02x}{b:02x}\x07")),
                None => self.buf.extend_from_slice(b"\x1b]112\x07"),
            }
        }
    }

    /// Makes the pen this style and link.
    fn set_pen(&mut self, pool: &Pool, style: Style, link: LinkId) {
        if style != self.pen {
            let to = self.caps.style(style);
            sgr::transition(self.sent, to, self.caps.does(Quirks::SGR_OFF), &mut self.buf);
            (self.pen, self.sent) = (style, to);
        }
        if link != self.link && self.caps.has(Features::HYPERLINKS) {
            match pool.link_parts(link) {
                None => self.buf.extend_from_slice(b"\x1b]8;;\x1b\\"),
                // Pieces of one link are drawn apart; an id keeps them one.
                Some(("", uri)) => put(&mut self.buf, format_args!("\x1b]8;id=m{};{uri}\x1b\\", link.number())),
                Some((id, uri)) => put(&mut self.buf, format_args!("\x1b]8;id={id};{uri}\x1b\\")),
            }
            self.link = link;
        }
    }

    /// True if a blank cell can be printed or erased with the pen as it is.
    fn pen_blanks(&self, cell: &Cell) -> bool {
        cell.is_erased() && self.link.is_none() && !draws_on_blank(self.sent) && {
            cell.style.bg == self.pen.bg || self.sent.bg == self.caps.style(cell.style).bg
        }
    }

    fn blank_pen(&mut self, pool: &Pool, cell: &Cell) {
        if !self.pen_blanks(cell) {
            self.set_pen(pool, cell.style, LinkId::NONE);
        }
    }

    /// True if erasing can leave this cell.
    fn can_erase(&self, cell: &Cell) -> bool {
        cell.is_erased() && (cell.style.bg.is_default() || self.caps.does(Quirks::BCE))
    }

    /// Moves the cursor by the shortest sequence.
    fn go(&mut self, x: u16, y: u16) {
        if self.row == Some(y) && self.col == Some(x) {
            return;
        }
        self.moves += 1;
        let mut best = Seq::cup(x, y);
        if let Some(r) = self.row
            && let Some(v) = self.vertical(r, y)
        {
            best = v.then(self.horizontal(x)).shorter(best);
        }
        self.buf.extend_from_slice(best.as_bytes());
        (self.col, self.row) = (Some(x), Some(y));
    }

    /// From a row to another in the same column. LF, RI, CUU and CUD stop or scroll at the margins of the region, so they are
    /// only used inside it or outside it.
    fn vertical(&self, from: u16, to: u16) -> Option<Seq> {
        if from == to {
            return Some(Seq::EMPTY);
        }
        let vpa = self.caps.does(Quirks::CHA).then(|| Seq::csi(to + 1, b'd'));
        let (top, bottom) = self.region?;
        let step = if to > from {
            let n = to - from;
            let crosses = from <= bottom && to > bottom;
            (!crosses).then(|| if n <= 4 { Seq::repeated(b'\n', n) } else { Seq::csi(n, b'B') })
        } else {
            let n = from - to;
            let crosses = from >= top && to < top;
            (!crosses).then(|| Seq::csi(n, b'A'))
        };
        match (step, vpa) {
            (Some(a), Some(b)) => Some(a.shorter(b)),
            (a, b) => a.or(b),
        }
    }

    /// To a column of the same row.
    fn horizontal(&self, x: u16) -> Seq {
        if self.col == Some(x) {
            return Seq::EMPTY;
        }
        let mut best = Seq::repeated(b'\r', 1);
        if x > 0 {
            best = best.then(Seq::csi(x, b'C'));
        }
        match self.col {
            Some(c) if c < x => best = Seq::csi(x - c, b'C').shorter(best),
            Some(c) if c - x <= 3 => best = Seq::repeated(8, c - x).shorter(best),
            Some(c) => best = Seq::csi(c - x, b'D').shorter(best),
            None => {}
        }
        if self.caps.does(Quirks::CHA) {
            best = Seq::csi(x + 1, b'G').shorter(best);
        }
        best
    }

    /// Moves to a column of this row, reprinting up to 3 cells on the way if the pen fits them: shorter than a move.
    fn go_over(&mut self, row: &[Cell], x: usize, y: u16) {
        if self.row == Some(y)
            && let Some(c) = self.col.map(usize::from)
            && c < x
            && x - c <= 3
        {
            let fits = |cell: &Cell| {
                let same = cell.style == self.pen && cell.link == self.link;
                cell.width == 1 && cell.symbol.as_ascii().is_some() && (same || self.pen_blanks(cell))
            };
            if row[c..x].iter().all(fits) {
                let bytes = row[c..x].iter().filter_map(|cell| cell.symbol.as_ascii());
                self.buf.extend(bytes);
                self.col = Some(x as u16);
                return;
            }
        }
        self.go(x as u16, y);
    }

    /// Draws the marked part of one row and makes `shown` equal there.
    fn draw_row(&mut self, pool: &Pool, next: &Frame, shown: &mut Frame, y: u16) {
        let w = self.size.cols as usize;
        let mark = next.marks[y as usize];
        let (lo, hi) = (mark.lo as usize, (mark.hi as usize).min(w));
        let at = y as usize * w;
        let new = &next.cells[at..at + w];
        let old = &mut shown.cells[at..at + w];
        let Some(first) = (lo..hi).find(|&x| new[x] != old[x]) else { return };
        let last = (first..hi).rfind(|&x| new[x] != old[x]).unwrap_or(first);
        // Where the blank end of the row begins, if it can be erased.
        let edge = new[w - 1];
        let tail = if self.can_erase(&edge) { new.iter().rposition(|c| *c != edge).map_or(0, |x| x + 1) } else { w };
        let mut end = last + 1;
        let mut erase = None;
        if end > tail {
            let from = first.max(tail);
            let from = (from..=last).find(|&x| new[x] != old[x]).unwrap_or(last);
            if end - from > 3 {
                erase = Some(from);
                end = tail.min(from);
            }
        }
        // Cells up to here are written whether they differ or not: a doubtful symbol may have spilt over them.
        let mut forced = 0;
        let mut x = first;
        while x < end {
            let cell = new[x];
            if cell.width == 0 || cell == old[x] && x >= forced {
                x += 1;
                continue;
            }
            self.go_over(new, x, y);
            let n = new[x..end].iter().take_while(|c| **c == cell).count();
            if n >= 8 && self.repeat(pool, &cell, &new[x..x + n], &old[x..x + n], forced.saturating_sub(x)) {
                x += n;
                continue;
            }
            let spill = self.print(pool, &cell, x, y);
            x += cell.width as usize;
            if spill > 0 {
                forced = forced.max((x + spill).min(w));
                if forced > end {
                    end = if tail < w { forced.min(tail).max(end) } else { forced };
                    if forced > tail && tail < w {
                        erase = Some(tail.max(x).min(erase.unwrap_or(w)));
                    }
                }
            }
        }
        if let Some(from) = erase {
            self.blank_pen(pool, &edge);
            self.go(from as u16, y);
            self.buf.extend_from_slice(b"\x1b[K");
        }
        old[first..hi].copy_from_slice(&new[first..hi]);
    }

    /// Draws a run of equal cells by ECH or REP, if that is shorter; false if it is not. The cursor is at its beginning.
    fn repeat(&mut self, pool: &Pool, cell: &Cell, new: &[Cell], old: &[Cell], forced: usize) -> bool {
        let Some(c) = self.col else { return false };
        // Only as far as something changes.
        let n = new.iter().zip(old).rposition(|(a, b)| a != b).map_or(0, |i| i + 1).max(forced.min(new.len()));
        if n < 8 {
            return false;
        }
        let ends_row = c as usize + n >= self.size.cols as usize;
        if self.can_erase(cell) && self.caps.does(Quirks::ECH) && n > 9 {
            self.blank_pen(pool, cell);
            self.buf.extend_from_slice(Seq::csi(n as u16, b'X').as_bytes());
            return true;
        }
        let Some(b) = cell.symbol.as_ascii() else { return false };
        if !self.caps.does(Quirks::REP) || ends_row || cell.width != 1 {
            return false;
        }
        if !self.pen_blanks(cell) {
            self.set_pen(pool, cell.style, cell.link);
        }
        self.buf.push(b);
        self.buf.extend_from_slice(Seq::csi(n as u16 - 1, b'b').as_bytes());
        self.col = Some(c + n as u16);
        true
    }

    /// Prints one cell where the cursor is. Returns how many cells beyond it a terminal with another idea of its width may
    /// have written.
    fn print(&mut self, pool: &Pool, cell: &Cell, x: usize, y: u16) -> usize {
        let w = self.size.cols as usize;
        let n = cell.width as usize;
        if !self.pen_blanks(cell) {
            self.set_pen(pool, cell.style, cell.link);
        }
        let end = x + n;
        // A terminal that wraps at once would scroll here.
        let bottom = y + 1 == self.size.rows || self.region.is_none_or(|(_, b)| y == b);
        let corner = end == w && bottom && !self.caps.does(Quirks::XENL);
        if let Some(b) = cell.symbol.as_ascii()
            && n == 1
            && !corner
        {
            self.buf.push(b);
            self.advance(end, false);
            return 0;
        }
        let mut buf = [0; 4];
        let text = pool.text(cell.symbol, &mut buf);
        let doubt = doubt(text, cell.width);
        let awm = self.caps.does(Quirks::AWM);
        if corner && !awm {
            return 0;
        }
        let most = doubt.map_or(n, |d| d.most.max(n + 1));
        let guard = awm && (corner || doubt.is_some() && x + most > w);
        if guard {
            self.buf.extend_from_slice(b"\x1b[?7l");
        }
        if doubt.is_some_and(|d| d.least < n) && n == 2 {
            // If the terminal takes fewer cells, what is left must be blank.
            self.buf.extend_from_slice(b"  \x08\x08");
            if end == w {
                // After the last column BS is not sure.
                (self.col, self.row) = (None, Some(y));
                self.go(x as u16, y);
            }
        }
        self.buf.extend_from_slice(text.as_bytes());
        if guard {
            self.buf.extend_from_slice(b"\x1b[?7h");
        }
        self.advance(end, guard);
        let Some(d) = doubt else { return 0 };
        self.col = None;
        d.most.saturating_sub(n)
    }

    /// The cursor after printing up to column `end`.
    fn advance(&mut self, end: usize, guarded: bool) {
        if end < self.size.cols as usize {
            self.col = Some(end as u16);
            return;
        }
        self.col = None;
        if !self.caps.does(Quirks::XENL) && !guarded {
            self.row = None;
        }
    }

    /// Finds the block of marked rows that moved up or down furthest to the terminal's profit, and scrolls it. Returns how
    /// many rows keep their picture by it. `shown` is scrolled too, and what that changed is marked.
    fn scroll(&mut self, next: &mut Frame, shown: &mut Frame) -> u16 {
        if !self.caps.does(Quirks::REGION) {
            return 0;
        }
        let w = self.size.cols as usize;
        let marked = |y: &u16| next.is_marked(*y);
        let Some(a) = (0..self.size.rows).find(marked) else { return 0 };
        let Some(b) = (a..self.size.rows).rfind(marked) else { return 0 };
        if b - a < 2 {
            return 0;
        }
        let rows = a..=b;
        // What repainting each row in place would cost, in bytes or so.
        let cost: Vec<u32> = rows
            .clone()
            .map(|y| {
                if !next.is_marked(y) {
                    return 0;
                }
                repaint_cost(next.row(y), shown.row(y))
            })
            .collect();
        if cost.iter().filter(|c| **c > 0).count() < 3 {
            return 0;
        }
        let new: Vec<u64> = rows.clone().map(|y| hash(next.row(y))).collect();
        let old: Vec<u64> = rows.clone().map(|y| hash(shown.row(y))).collect();
        let weight: Vec<u32> = rows.map(|y| used(next.row(y)) as u32).collect();
        // What the scroll itself costs: little if the region is set already and the cursor near its end.
        let set = self.region.map(|(t, b)| (t as usize, b as usize));
        let price =
            |top: usize, bottom: usize| if set == Some((top + a as usize, bottom + a as usize)) { 5 } else { 17 };
        let Some(found) = best_scroll(&new, &old, &cost, &weight, price) else { return 0 };
        let (top, bottom) = (a + found.top as u16, a + found.bottom as u16);
        self.emit_scroll(top, bottom, found.by);
        let area = &mut shown.cells[top as usize * w..(bottom as usize + 1) * w];
        let n = found.by.unsigned_abs() * w;
        if found.by > 0 {
            area.copy_within(n.., 0);
            let keep = area.len() - n;
            area[keep..].fill(Cell::BLANK);
        } else {
            let keep = area.len() - n;
            area.copy_within(..keep, n);
            area[..n].fill(Cell::BLANK);
        }
        for y in top..=bottom {
            next.mark(y, 0, self.size.cols);
        }
        bottom - top + 1 - found.by.unsigned_abs() as u16
    }

    /// Scrolls rows `top..=bottom` up by `by` (down if negative). The region stays set for the next time.
    fn emit_scroll(&mut self, top: u16, bottom: u16, by: isize) {
        if !self.sent.bg.is_default() || draws_on_blank(self.sent) {
            let style = Style::DEFAULT;
            sgr::transition(self.sent, style, self.caps.does(Quirks::SGR_OFF), &mut self.buf);
            (self.pen, self.sent) = (style, style);
        }
        if self.region != Some((top, bottom)) {
            put(&mut self.buf, format_args!("\x1b[{};{}r", top + 1, bottom + 1));
            self.region = Some((top, bottom));
            // Most go home, some to the region's first row.
            (self.col, self.row) = (None, None);
        }
        let n = by.unsigned_abs() as u16;
        let (edge, one): (u16, &[u8]) = if by > 0 { (bottom, b"\n") } else { (top, b"\x1bM") };
        let there = self.row == Some(edge);
        if self.caps.does(Quirks::SU) && (n as usize * one.len() > 4 || !there) {
            let last = if by > 0 { b'S' } else { b'T' };
            self.buf.extend_from_slice(Seq::csi(n, last).as_bytes());
            return;
        }
        if !there {
            let x = self.col.unwrap_or(0);
            self.go(x, edge);
        }
        for _ in 0..n {
            self.buf.extend_from_slice(one);
        }
    }
}

/// A block of rows that moved, relative to the first row that was looked at.
struct Moved {
    top: usize,
    bottom: usize,
    /// Rows up.
    by: isize,
}

/// The scroll that saves most cells: for each distance, each run of rows whose new content stood `by` rows below. Gain is
/// what repainting in place would cost; loss is what the scroll destroys of rows that were right.
fn best_scroll(
    new: &[u64],
    old: &[u64],
    cost: &[u32],
    weight: &[u32],
    price: impl Fn(usize, usize) -> i64,
) -> Option<Moved> {
    let n = new.len() as isize;
    let mut best: Option<(i64, Moved)> = None;
    for by in (1 - n..n).filter(|b| *b != 0) {
        let (from, to) = ((-by).max(0), n - by.max(0));
        let mut y = from;
        while y < to {
            if new[y as usize] != old[(y + by) as usize] {
                y += 1;
                continue;
            }
            let start = y;
            let mut gain = 0i64;
            while y < to && new[y as usize] == old[(y + by) as usize] {
                gain += i64::from(cost[y as usize]);
                y += 1;
            }
            // Rows of the region that get blank, and must be painted in full.
            let freed = if by > 0 { y..y + by } else { start + by..start };
            let loss: i64 = freed.clone().map(|r| i64::from(weight[r as usize]) - i64::from(cost[r as usize])).sum();
            let (top, bottom) = (start.min(freed.start) as usize, y.max(freed.end) as usize - 1);
            let net = gain - loss - price(top, bottom);
            if net > 0 && best.as_ref().is_none_or(|(b, _)| net > *b) {
                best = Some((net, Moved { top, bottom, by }));
            }
        }
    }
    best.map(|(_, m)| m)
}

/// About how many bytes it takes to make one row the other: cells that differ, and a move to each run of them.
fn repaint_cost(new: &[Cell], old: &[Cell]) -> u32 {
    let (mut cost, mut run) = (0, false);
    for (n, o) in new.iter().zip(old) {
        let differs = n != o;
        cost += u32::from(differs) + if differs && !run { 3 } else { 0 };
        run = differs;
    }
    cost
}

/// Cells before the blank end of a row.
fn used(row: &[Cell]) -> usize {
    row.iter().rposition(|c| *c != Cell::BLANK).map_or(0, |x| x + 1)
}

fn hash(row: &[Cell]) -> u64 {
    let mut h = rustc_hash::FxBuildHasher.build_hasher();
    for c in &row[..used(row)] {
        std::hash::Hash::hash(&c.symbol, &mut h);
        if c.style != Style::DEFAULT {
            std::hash::Hash::hash(&c.style, &mut h);
        }
        std::hash::Hash::hash(&c.link, &mut h);
    }
    h.finish()
}

/// How few and how many cells terminals may take for a symbol.
#[derive(Clone, Copy)]
struct Doubt {
    least: usize,
    most: usize,
}

/// Symbols whose width terminals do not agree on: clusters of several characters, symbols of ambiguous width, private use,
/// emoji, and whatever is shown in another width than its own. Letters, ideographs, box drawing and blocks are not doubted:
/// an absolute move after each would cost more than it saves.
fn doubt(text: &str, cells: u8) -> Option<Doubt> {
    let mut chars = text.chars();
    let (first, more) = (chars.next()?, chars.next().is_some());
    if more {
        let sum: usize = text.chars().map(|c| width::char_width(c) as usize).sum();
        let base = width::char_width(first) as usize;
        return Some(Doubt { least: base.min(cells as usize).max(1), most: sum.max(cells as usize) });
    }
    let n = first as u32;
    let own = width::char_width(first);
    let doubtful = own != cells
        || matches!(n,
            0x2190..=0x24ff | 0x25a0..=0x27bf | 0x2900..=0x2bff | 0xe000..=0xf8ff | 0xfffd
            | 0x1f000..=0x1faff | 0xf_0000..=0x10_ffff);
    doubtful.then(|| Doubt { least: own.min(cells).max(1) as usize, most: 2.max(cells as usize) })
}
