//! A picture of a whole terminal: cells, cursor, title, and which parts were written since it was last drawn.
//!
//! It must not know how it is encoded.

use super::cell::{Cell, LinkId, Symbol};
use crate::base::{Colour, Pos, Size, Style};

/// DECSCUSR shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CursorShape {
    /// What the user's terminal has as its own (DECSCUSR 0).
    #[default]
    Default,
    Block,
    Underline,
    Bar,
}

/// Where and how the cursor shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// `None`: hidden.
    pub pos: Option<Pos>,
    pub shape: CursorShape,
    /// Counts only for a shape that is not the default.
    pub blink: bool,
    /// Default: the terminal's own (OSC 112).
    pub colour: Colour,
}

/// Columns `lo..hi` of a row that were written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) lo: u16,
    pub(super) hi: u16,
}

impl Mark {
    const NONE: Mark = Mark { lo: u16::MAX, hi: 0 };

    pub(super) fn is_none(self) -> bool {
        self.lo >= self.hi
    }
}

/// A picture of a terminal. Equality is that of the picture; marks do not count.
#[derive(Clone, Debug)]
pub struct Frame {
    size: Size,
    pub(super) cells: Vec<Cell>,
    pub(super) marks: Vec<Mark>,
    pub cursor: Cursor,
    /// The terminal's title (OSC 2).
    pub title: String,
}

impl PartialEq for Frame {
    fn eq(&self, o: &Frame) -> bool {
        self.size == o.size && self.cursor == o.cursor && self.title == o.title && self.cells == o.cells
    }
}

impl Eq for Frame {}

impl Frame {
    /// A blank frame, nothing marked.
    pub fn new(size: Size) -> Frame {
        Frame {
            size,
            cells: vec![Cell::BLANK; size.area()],
            marks: vec![Mark::NONE; size.rows as usize],
            cursor: Cursor::default(),
            title: String::new(),
        }
    }

    pub fn size(&self) -> Size {
        self.size
    }

    /// The cells of a row; empty beyond the last.
    pub fn row(&self, y: u16) -> &[Cell] {
        let w = self.size.cols as usize;
        let start = y as usize * w;
        self.cells.get(start..start + w).unwrap_or(&[])
    }

    pub fn cell(&self, p: Pos) -> Option<&Cell> {
        self.row(p.y).get(p.x as usize)
    }

    /// True if row `y` has been written since it was drawn.
    pub fn is_marked(&self, y: u16) -> bool {
        self.marks.get(y as usize).is_some_and(|m| !m.is_none())
    }

    /// Marks columns `lo..hi` of a row as to be compared.
    pub(super) fn mark(&mut self, y: u16, lo: u16, hi: u16) {
        if let Some(m) = self.marks.get_mut(y as usize) {
            m.lo = m.lo.min(lo);
            m.hi = m.hi.max(hi);
        }
    }

    /// Blank in another size; cursor and title stay.
    pub(super) fn resize(&mut self, size: Size) {
        self.size = size;
        self.cells = vec![Cell::BLANK; size.area()];
        self.marks = vec![Mark::NONE; size.rows as usize];
    }

    pub(super) fn mark_all(&mut self) {
        let whole = Mark { lo: 0, hi: self.size.cols };
        self.marks.fill(whole);
    }

    pub(super) fn unmark(&mut self, y: u16) {
        if let Some(m) = self.marks.get_mut(y as usize) {
            *m = Mark::NONE;
        }
    }

    /// Writes narrow cells of one look from `x` on: as [`Frame::set`] of each, without its cost for those that are there
    /// already. What is beyond the row is cut.
    pub(super) fn set_run(
        &mut self,
        x: u16,
        y: u16,
        symbols: impl Iterator<Item = Symbol>,
        style: Style,
        link: LinkId,
    ) {
        let w = self.size.cols as usize;
        if y >= self.size.rows {
            return;
        }
        let narrow = |symbol| Cell { symbol, style, link, width: 1 };
        let blank = narrow(Symbol::BLANK).normal();
        let start = y as usize * w;
        let (mut lo, mut hi) = (u16::MAX, 0);
        for (at, symbol) in (x..self.size.cols).zip(symbols) {
            let cell = if symbol == Symbol::BLANK { blank } else { narrow(symbol) };
            let old = &mut self.cells[start + at as usize];
            if *old == cell {
                continue;
            }
            if old.width == 1 {
                *old = cell;
                lo = lo.min(at);
                hi = at + 1;
            } else {
                self.set(at, y, cell);
            }
        }
        if lo < hi {
            self.mark(y, lo, hi);
        }
    }

    /// Writes one cell (and the second half, if it is wide), keeping wide cells whole: what is left of a wide cell that
    /// loses a half becomes a blank of its style. `x + width` must not be beyond the row.
    pub(super) fn set(&mut self, x: u16, y: u16, cell: Cell) {
        let cell = cell.normal();
        let w = self.size.cols as usize;
        let (x, y, n) = (x as usize, y as usize, cell.width.max(1) as usize);
        if x + n > w || y >= self.size.rows as usize {
            return;
        }
        let row = &mut self.cells[y * w..(y + 1) * w];
        if row[x] == cell {
            return;
        }
        let (mut lo, mut hi) = (x, x + n);
        if row[x].width == 0 && x > 0 {
            lo = x - 1;
            row[lo] = Cell::blank(row[lo].style).normal();
        }
        if hi < w && row[hi].width == 0 {
            row[hi] = Cell::blank(row[hi].style).normal();
            hi += 1;
        }
        row[x] = cell;
        if n == 2 {
            row[x + 1] = Cell::tail(cell.style, cell.link);
        }
        self.mark(y as u16, lo as u16, hi as u16);
    }
}
