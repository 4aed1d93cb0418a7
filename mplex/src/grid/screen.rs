//! The live screen: rows of cells and the operations that terminals know. Positions given here are always inside.

use super::cell::{Cell, Glyph};
use super::intern::Interned;
use crate::base::{Rev, Size};
use rustc_hash::FxHashMap;

bitflags::bitflags! {
    /// What a shell said about a row (OSC 133).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Marks: u8 {
        const PROMPT = 1;
        const SECOND_PROMPT = 2;
        const COMMAND = 4;
        const OUTPUT = 8;
        const END = 16;
    }
}

/// Columns at which a shell's prompt, command and output begin on a row, and how the command ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Command {
    pub prompt: u16,
    pub command: u16,
    pub output: u16,
    pub end: u16,
    pub status: u8,
}

/// What is known of a row besides its cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowMeta {
    /// Where its cells start.
    start: u32,
    /// Cells at and beyond it are empty.
    used: u16,
    wrapped: bool,
    /// It has, or had, a wide character.
    wide: bool,
    marks: Marks,
    rev: Rev,
    id: u64,
}

/// A row for reading.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// All of its cells; those at and beyond `used` are empty.
    pub cells: &'a [Cell],
    pub used: u16,
    /// The line goes on in the next row.
    pub wrapped: bool,
    pub marks: Marks,
    /// Moves with each change of the row.
    pub rev: Rev,
    /// The row keeps it when it moves.
    pub id: u64,
}

/// A screen of cells.
#[derive(Clone, Debug)]
pub struct Screen {
    size: Size,
    cells: Vec<Cell>,
    rows: Vec<RowMeta>,
    /// Where in `rows` the first row of the screen is: a scroll of the whole screen moves this alone.
    top: usize,
    commands: FxHashMap<u64, Command>,
    next_id: u64,
    /// Stamped onto rows that change.
    pub(crate) rev: Rev,
}

impl Screen {
    pub(crate) fn new(size: Size, rev: Rev) -> Screen {
        let mut s = Screen {
            size,
            cells: vec![Cell::EMPTY; size.area()],
            rows: Vec::with_capacity(size.rows as usize),
            top: 0,
            commands: FxHashMap::default(),
            next_id: 1,
            rev,
        };
        for y in 0..size.rows as u32 {
            let id = s.fresh();
            s.rows.push(RowMeta { start: y * size.cols as u32, rev, id, ..RowMeta::default() });
        }
        s
    }

    pub fn size(&self) -> Size {
        self.size
    }

    pub fn row(&self, y: u16) -> Row<'_> {
        let m = &self.rows[self.at(y)];
        let start = m.start as usize;
        Row {
            cells: &self.cells[start..start + self.size.cols as usize],
            used: m.used,
            wrapped: m.wrapped,
            marks: m.marks,
            rev: m.rev,
            id: m.id,
        }
    }

    /// What the shell said about a row.
    pub fn command(&self, y: u16) -> Option<&Command> {
        self.commands.get(&self.rows[self.at(y)].id)
    }

    pub(crate) fn cells_mut(&mut self) -> impl Iterator<Item = &mut Cell> {
        self.cells.iter_mut()
    }

    /// Where in `rows` row `y` is.
    #[inline]
    fn at(&self, y: u16) -> usize {
        let i = self.top + y as usize;
        if i >= self.rows.len() { i - self.rows.len() } else { i }
    }

    /// Brings the first row to the front, so that rows are a slice in their order.
    fn straighten(&mut self) {
        if self.top != 0 {
            self.rows.rotate_left(self.top);
            self.top = 0;
        }
    }

    fn fresh(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    pub(crate) fn touch_all(&mut self) {
        let rev = self.rev;
        for m in &mut self.rows {
            m.rev = rev;
        }
    }

    #[inline]
    pub(crate) fn cell(&self, x: u16, y: u16) -> Cell {
        self.cells[self.rows[self.at(y)].start as usize + x as usize]
    }

    /// Puts one cell without looking at its neighbours.
    #[inline]
    pub(crate) fn put(&mut self, x: u16, y: u16, cell: Cell) {
        let i = self.at(y);
        let m = &mut self.rows[i];
        m.rev = self.rev;
        m.wide |= cell.is_half();
        if x >= m.used {
            m.used = x + 1;
        }
        self.cells[m.start as usize + x as usize] = cell;
    }

    /// Writes ASCII in one look; `x + bytes.len()` is inside.
    #[inline]
    pub(crate) fn put_ascii(&mut self, x: u16, y: u16, bytes: &[u8], look: u64) {
        let end = x + bytes.len() as u16;
        if self.rows[self.at(y)].wide {
            self.split(x, y);
            self.split(end, y);
        }
        let i = self.at(y);
        let m = &mut self.rows[i];
        m.rev = self.rev;
        m.used = m.used.max(end);
        let at = m.start as usize + x as usize;
        for (c, b) in self.cells[at..at + bytes.len()].iter_mut().zip(bytes) {
            c.0 = look | u64::from(*b);
        }
    }

    /// Writes cells that lack only their look; whole wide characters, `x + cells.len()` is inside.
    pub(crate) fn put_cells(&mut self, x: u16, y: u16, cells: &[u64], wide: bool, look: u64) {
        let end = x + cells.len() as u16;
        if self.rows[self.at(y)].wide {
            self.split(x, y);
            self.split(end, y);
        }
        let i = self.at(y);
        let m = &mut self.rows[i];
        m.rev = self.rev;
        m.used = m.used.max(end);
        m.wide |= wide;
        let at = m.start as usize + x as usize;
        for (c, b) in self.cells[at..at + cells.len()].iter_mut().zip(cells) {
            c.0 = look | *b;
        }
    }

    /// Makes sure that no wide character stands across the border left of column `x`: blanks both halves of one.
    pub(crate) fn split(&mut self, x: u16, y: u16) {
        let m = &self.rows[self.at(y)];
        if !m.wide || x == 0 || x >= self.size.cols {
            return;
        }
        let at = m.start as usize + x as usize;
        if self.cells[at].0 & Cell::TAIL != 0 {
            for c in &mut self.cells[at - 1..=at] {
                c.0 = c.0 & Cell::LOOK | u64::from(b' ');
            }
        }
    }

    pub(crate) fn set_wrapped(&mut self, y: u16, on: bool) {
        let i = self.at(y);
        self.rows[i].wrapped = on;
    }

    pub(crate) fn is_wrapped(&self, y: u16) -> bool {
        self.rows[self.at(y)].wrapped
    }

    pub(crate) fn mark(&mut self, y: u16, marks: Marks) -> &mut Command {
        let i = self.at(y);
        let m = &mut self.rows[i];
        m.marks |= marks;
        m.rev = self.rev;
        // Rows that left the screen leave their entries behind.
        if self.commands.len() > 4 * self.rows.len() + 64 {
            let live: std::collections::HashSet<u64> = self.rows.iter().map(|r| r.id).collect();
            self.commands.retain(|id, _| live.contains(id));
        }
        self.commands.entry(self.rows[self.at(y)].id).or_default()
    }

    pub(crate) fn set_marks(&mut self, y: u16, marks: Marks) {
        let i = self.at(y);
        self.rows[i].marks = marks;
    }

    /// Erases columns `x0..x1` of a row to `blank` (empty or with a background).
    pub(crate) fn erase(&mut self, y: u16, x0: u16, x1: u16, blank: Cell) {
        let x1 = x1.min(self.size.cols);
        if x0 >= x1 {
            return;
        }
        self.split(x0, y);
        self.split(x1, y);
        let cols = self.size.cols;
        let i = self.at(y);
        let m = &mut self.rows[i];
        m.rev = self.rev;
        if x1 == cols {
            m.wrapped = false;
        }
        let start = m.start as usize;
        if blank.0 == 0 {
            let end = x1.min(m.used);
            if x0 < end {
                self.cells[start + x0 as usize..start + end as usize].fill(blank);
                if end == m.used {
                    m.used = x0;
                }
            }
            if m.used == 0 {
                m.wide = false;
            }
        } else {
            self.cells[start + x0 as usize..start + x1 as usize].fill(blank);
            m.used = m.used.max(x1);
        }
        if x0 == 0 && x1 == cols {
            m.wide = false;
            m.marks = Marks::empty();
        }
    }

    /// Erases what is not protected.
    pub(crate) fn erase_unprotected(&mut self, y: u16, x0: u16, x1: u16, blank: Cell) {
        for x in x0..x1.min(self.size.cols) {
            if !self.cell(x, y).is_protected() {
                self.split(x, y);
                self.split(x + 1, y);
                self.put(x, y, blank);
            }
        }
    }

    /// True if nothing visible was written to the row.
    pub(crate) fn is_blank(&self, y: u16) -> bool {
        let m = &self.rows[self.at(y)];
        let start = m.start as usize;
        self.cells[start..start + m.used as usize].iter().all(|c| c.is_empty())
    }

    fn clear_row(&mut self, y: u16, blank: Cell) {
        let id = self.fresh();
        let cols = self.size.cols;
        let rev = self.rev;
        let i = self.at(y);
        let m = &mut self.rows[i];
        let start = m.start as usize;
        if blank.0 == 0 {
            self.cells[start..start + m.used as usize].fill(Cell::EMPTY);
            m.used = 0;
        } else {
            self.cells[start..start + cols as usize].fill(blank);
            m.used = cols;
        }
        m.wrapped = false;
        m.wide = false;
        m.marks = Marks::empty();
        m.id = id;
        m.rev = rev;
    }

    /// Moves rows `top..bottom` up by `n`; the new rows at the bottom are blank.
    pub(crate) fn scroll_up(&mut self, top: u16, bottom: u16, n: u16, blank: Cell) {
        let n = n.min(bottom - top);
        if n == 0 {
            return;
        }
        if top == 0 && bottom == self.size.rows {
            for _ in 0..n {
                self.clear_row(0, blank);
                self.top = if self.top + 1 == self.rows.len() { 0 } else { self.top + 1 };
            }
            return;
        }
        self.straighten();
        // What was a line over the upper border is one no more.
        if top > 0 {
            self.rows[top as usize - 1].wrapped = false;
        }
        self.rows[top as usize..bottom as usize].rotate_left(n as usize);
        for y in bottom - n..bottom {
            self.clear_row(y, blank);
        }
        if bottom < self.size.rows && bottom - n > top {
            self.rows[(bottom - n) as usize - 1].wrapped = false;
        }
    }

    /// Moves rows `top..bottom` down by `n`; the new rows at the top are blank.
    pub(crate) fn scroll_down(&mut self, top: u16, bottom: u16, n: u16, blank: Cell) {
        let n = n.min(bottom - top);
        if n == 0 {
            return;
        }
        self.straighten();
        if top > 0 {
            self.rows[top as usize - 1].wrapped = false;
        }
        self.rows[top as usize..bottom as usize].rotate_right(n as usize);
        for y in top..top + n {
            self.clear_row(y, blank);
        }
        self.rows[bottom as usize - 1].wrapped = false;
    }

    /// Moves columns `left..right` of rows `top..bottom` up (`n` > 0) or down by rows, within the rectangle.
    pub(crate) fn scroll_box(&mut self, top: u16, bottom: u16, left: u16, right: u16, n: i32, blank: Cell) {
        let height = i32::from(bottom - top);
        let n = n.clamp(-height, height);
        for y in top..bottom {
            self.split(left, y);
            self.split(right, y);
            if right == self.size.cols {
                let i = self.at(y);
                self.rows[i].wrapped = false;
            }
        }
        let w = (right - left) as usize;
        let copy = |s: &mut Screen, to: i32| {
            let y = (i32::from(top) + to) as u16;
            let from = to + n;
            if (0..height).contains(&from) {
                let f = (i32::from(top) + from) as u16;
                let src = s.rows[s.at(f)].start as usize + left as usize;
                let dst = s.rows[s.at(y)].start as usize + left as usize;
                s.cells.copy_within(src..src + w, dst);
                let wide = s.rows[s.at(f)].wide;
                let (rev, cols) = (s.rev, s.size.cols as usize);
                let i = s.at(y);
                let m = &mut s.rows[i];
                m.wide |= wide;
                m.rev = rev;
                let start = m.start as usize;
                let last = s.cells[start..start + cols].iter().rposition(|c| !c.is_empty());
                m.used = last.map_or(0, |p| p as u16 + 1);
            } else {
                s.erase(y, left, right, blank);
            }
        };
        if n > 0 {
            for to in 0..height {
                copy(self, to);
            }
        } else {
            for to in (0..height).rev() {
                copy(self, to);
            }
        }
    }

    /// Makes room for `n` blanks at `x`; what goes over `right` is lost.
    pub(crate) fn insert_cells(&mut self, y: u16, x: u16, right: u16, n: u16, blank: Cell) {
        let n = n.min(right - x);
        if n == 0 {
            return;
        }
        self.split(x, y);
        self.split(right, y);
        self.split(right - n, y);
        let i = self.at(y);
        let m = &mut self.rows[i];
        m.rev = self.rev;
        m.wrapped = false;
        let start = m.start as usize;
        let (x, r, k) = (x as usize, right as usize, n as usize);
        self.cells.copy_within(start + x..start + r - k, start + x + k);
        self.cells[start + x..start + x + k].fill(blank);
        if m.used as usize > x || blank.0 != 0 {
            m.used = if m.used as usize > r { m.used } else { (m.used.max(x as u16) + n).min(right) };
        }
    }

    /// Deletes `n` cells at `x`; blanks come in at `right`.
    pub(crate) fn delete_cells(&mut self, y: u16, x: u16, right: u16, n: u16, blank: Cell) {
        let n = n.min(right - x);
        if n == 0 {
            return;
        }
        self.split(x, y);
        self.split(x + n, y);
        self.split(right, y);
        let i = self.at(y);
        let m = &mut self.rows[i];
        m.rev = self.rev;
        m.wrapped = false;
        let start = m.start as usize;
        let (xs, r, k) = (x as usize, right as usize, n as usize);
        self.cells.copy_within(start + xs + k..start + r, start + xs);
        self.cells[start + r - k..start + r].fill(blank);
        if blank.0 != 0 {
            m.used = m.used.max(right);
        } else if m.used <= right && m.used > x {
            m.used = m.used.saturating_sub(n).max(x);
        }
    }

    /// The text of a cell into `into`.
    pub(crate) fn text_of(cell: Cell, names: &Interned, into: &mut String) {
        match cell.glyph() {
            Glyph::Blank => into.push(' '),
            Glyph::Char(c) => into.push(c),
            Glyph::Cluster(n) => into.push_str(names.cluster(n)),
            Glyph::Tail => {}
        }
    }

    /// Replaces the rows from outside; for reflow. `rows` are cells, wrapped, marks; blank ones fill up.
    pub(crate) fn rebuild(&mut self, size: Size, rows: Vec<(Vec<Cell>, bool, Marks)>) {
        let next = self.next_id;
        let mut new = Screen::new(size, self.rev);
        for (i, m) in new.rows.iter_mut().enumerate() {
            m.id = next + i as u64;
        }
        new.next_id = next + u64::from(size.rows);
        for (y, (cells, wrapped, marks)) in rows.into_iter().take(size.rows as usize).enumerate() {
            let m = &mut new.rows[y];
            let n = cells.len().min(size.cols as usize);
            let at = m.start as usize;
            new.cells[at..at + n].copy_from_slice(&cells[..n]);
            // Halves of wide characters that the cut has parted become blanks.
            for x in 0..n {
                let head = new.cells[at + x].0 & Cell::WIDE != 0;
                let tail = new.cells[at + x].0 & Cell::TAIL != 0;
                let next = x + 1 < n && new.cells[at + x + 1].0 & Cell::TAIL != 0;
                let before = x > 0 && new.cells[at + x - 1].0 & Cell::WIDE != 0;
                if head && !next || tail && !before {
                    let c = &mut new.cells[at + x];
                    c.0 = c.0 & Cell::LOOK | u64::from(b' ');
                }
            }
            m.used = new.cells[at..at + n].iter().rposition(|c| !c.is_empty()).map_or(0, |p| p as u16 + 1);
            m.wide = new.cells[at..at + n].iter().any(|c| c.is_half());
            m.wrapped = wrapped;
            m.marks = marks;
        }
        *self = new;
    }
}
