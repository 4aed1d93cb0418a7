//! Reading the rows of a snapshot cell by cell: how long a row is, where it goes on, what kind of character stands
//! somewhere. Knows nothing of a cursor or of what is selected.

use crate::grid::{Lines, Point, RowBuf, Snapshot};

/// What a character is to the motions by words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Blank,
    Separator,
    Letter,
}

/// Rows of a snapshot; the last one read is kept.
pub(super) struct Reader<'a> {
    lines: &'a Snapshot,
    buf: RowBuf,
    at: Option<usize>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(lines: &'a Snapshot) -> Reader<'a> {
        Reader { lines, buf: RowBuf::new(), at: None }
    }

    /// All rows; at least one.
    pub(super) fn rows(&self) -> usize {
        self.lines.rows().max(1)
    }

    pub(super) fn last_row(&self) -> usize {
        self.rows() - 1
    }

    pub(super) fn cols(&self) -> u16 {
        self.lines.size().cols.max(1)
    }

    pub(super) fn row(&mut self, y: usize) -> &RowBuf {
        if self.at != Some(y) {
            self.lines.row(y, &mut self.buf);
            self.at = Some(y);
        }
        &self.buf
    }

    /// True if the line goes on in the next row, and there is one.
    pub(super) fn wrapped(&mut self, y: usize) -> bool {
        y < self.last_row() && self.row(y).wrapped
    }

    /// Columns up to the last that is no space.
    pub(super) fn len(&mut self, y: usize) -> u16 {
        let row = self.row(y);
        let mut n = row.used();
        while n > 0 && row.cell(n - 1).text == " " {
            n -= 1;
        }
        n.min(self.cols())
    }

    /// The column of the last character; 0 in an empty row.
    pub(super) fn limit(&mut self, y: usize) -> u16 {
        let n = self.len(y).saturating_sub(1);
        self.head(Point { row: y, col: n }).col
    }

    /// The last column that words may reach: one beyond the text where the line ends here.
    pub(super) fn last_col(&mut self, y: usize) -> u16 {
        if self.wrapped(y) { self.row(y).used().max(1) - 1 } else { self.len(y) }
    }

    /// The first cell of the character that covers a cell.
    pub(super) fn head(&mut self, mut p: Point) -> Point {
        let row = self.row(p.row);
        while p.col > 0 && row.cell(p.col).width == 0 {
            p.col -= 1;
        }
        p
    }

    /// The text of the character at a cell; a space where there is nothing.
    pub(super) fn text(&mut self, p: Point) -> &str {
        let p = self.head(p);
        self.row(p.row).cell(p.col).text
    }

    /// Columns that the character at a cell takes.
    pub(super) fn width(&mut self, p: Point) -> u16 {
        let p = self.head(p);
        u16::from(self.row(p.row).cell(p.col).width.max(1))
    }

    pub(super) fn kind(&mut self, p: Point, separators: &str) -> Kind {
        let text = self.text(p);
        if text == " " || text == "\t" || text.is_empty() {
            return Kind::Blank;
        }
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) if separators.contains(c) => Kind::Separator,
            _ => Kind::Letter,
        }
    }
}
