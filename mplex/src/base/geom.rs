//! Sizes, positions and rectangles in cells. x grows to the right, y downwards, both from 0.

/// Columns and rows of a screen, in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Size {
    pub cols: u16,
    pub rows: u16,
}

impl Size {
    pub const fn new(cols: u16, rows: u16) -> Size {
        Size { cols, rows }
    }

    /// How many cells it has.
    pub const fn area(self) -> usize {
        self.cols as usize * self.rows as usize
    }

    pub const fn rect(self) -> Rect {
        Rect { x: 0, y: 0, w: self.cols, h: self.rows }
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.cols, self.rows)
    }
}

/// A cell's position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pos {
    pub x: u16,
    pub y: u16,
}

impl Pos {
    pub const fn new(x: u16, y: u16) -> Pos {
        Pos { x, y }
    }
}

/// A rectangle of cells; `x + w` and `y + h` are the first column and row beyond it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    pub x: u16,
    pub y: u16,
    pub w: u16,
    pub h: u16,
}

impl Rect {
    pub const fn new(x: u16, y: u16, w: u16, h: u16) -> Rect {
        Rect { x, y, w, h }
    }

    pub const fn size(self) -> Size {
        Size { cols: self.w, rows: self.h }
    }

    pub const fn is_empty(self) -> bool {
        self.w == 0 || self.h == 0
    }

    /// First column beyond the rectangle.
    pub const fn right(self) -> u16 {
        self.x.saturating_add(self.w)
    }

    /// First row beyond the rectangle.
    pub const fn bottom(self) -> u16 {
        self.y.saturating_add(self.h)
    }

    pub const fn contains(self, p: Pos) -> bool {
        p.x >= self.x && p.x < self.right() && p.y >= self.y && p.y < self.bottom()
    }

    /// The part that both share; empty if they do not touch.
    pub fn intersect(self, o: Rect) -> Rect {
        let x = self.x.max(o.x);
        let y = self.y.max(o.y);
        let r = self.right().min(o.right());
        let b = self.bottom().min(o.bottom());
        Rect { x, y, w: r.saturating_sub(x), h: b.saturating_sub(y) }
    }

    /// A rectangle of `size` (cut to fit) in the middle of this one.
    pub fn centred(self, size: Size) -> Rect {
        let w = size.cols.min(self.w);
        let h = size.rows.min(self.h);
        Rect { x: self.x + (self.w - w) / 2, y: self.y + (self.h - h) / 2, w, h }
    }
}
