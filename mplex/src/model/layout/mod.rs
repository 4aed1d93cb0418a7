//! How the panes of one window share its cells: a pure tree of splits that always tiles the window.
//!
//! Every cell of the window belongs to exactly one pane or to a border; a border is one column or row between two
//! siblings. The rules for who gains and who loses when something grows, closes or is dragged are tmux 3.8's, so layout
//! strings can be taken from one to the other.
//!
//! It must not know windows, options, terminals or clients: panes are ids here, and what options say comes in as
//! [`Reserve`] and [`PresetOptions`]. Zoom is the window's business (the tree stays as it is). Floating panes, when they
//! come, live in a list beside the tree and take no part in tiling.

mod cell;
mod preset;
mod seek;
mod text;

#[cfg(test)]
mod tests;

pub use cell::{Cell, Node};
pub use preset::{Length, Preset, PresetOptions};
pub use seek::Border;
pub use text::checksum;

use crate::base::{PaneId, Rect, Size};
use cell::Path;

/// Smallest width and height of a pane, in cells.
pub const PANE_MIN: u16 = 1;
/// Largest width and height of a window, in cells.
pub const WINDOW_MAX: u16 = 10_000;
/// How deep splits may nest; a split or a string that would go deeper is refused.
pub const MAX_DEPTH: usize = 256;

/// The way in which the children of a split stand beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Side by side; borders are columns.
    LeftRight,
    /// One above the other; borders are rows.
    TopBottom,
}

/// A side of a pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    /// The axis along which it points.
    pub const fn axis(self) -> Axis {
        match self {
            Direction::Up | Direction::Down => Axis::TopBottom,
            Direction::Left | Direction::Right => Axis::LeftRight,
        }
    }
}

/// Where the title of a pane stands (`pane-border-status`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TitleRow {
    #[default]
    Off,
    /// On the border above each pane; panes at the top of the window give up their first row.
    Top,
    /// On the border below each pane; panes at the bottom give up their last row.
    Bottom,
}

/// What a pane's cell must hold besides the pane itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reserve {
    pub title: TitleRow,
    /// Columns of an always visible scrollbar with its padding; 0 without one.
    pub scrollbar: u16,
    /// The scrollbar stands left of the text instead of right.
    pub scrollbar_left: bool,
}

/// How large a new pane is to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SplitSize {
    /// Half of what is split; the odd cell stays with the first.
    #[default]
    Half,
    Cells(u32),
    /// Of the pane that is split, or of the window with [`Split::full`].
    Percent(u32),
}

/// How to split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    pub axis: Axis,
    pub size: SplitSize,
    /// The new pane comes left of or above the old.
    pub before: bool,
    /// The new pane spans the whole window; everything else shares what is left.
    pub full: bool,
}

/// Why an operation was refused. The text is what commands show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// The pane is not in this layout.
    NoPane(PaneId),
    /// The pane is the only one; the window goes with it.
    LastPane,
    /// A split, or a preset for so many panes, does not fit.
    NoSpace,
    /// A layout string that cannot be read.
    Invalid,
    /// A layout string with fewer cells than there are panes.
    TooFewCells { panes: usize, cells: usize },
    /// A layout string whose cells do not fill their parents.
    SizeMismatch,
}

impl std::fmt::Display for LayoutError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LayoutError::NoPane(pane) => write!(f, "pane {pane} is not in the layout"),
            LayoutError::LastPane => f.write_str("the last pane of a window cannot be closed alone"),
            LayoutError::NoSpace => f.write_str("no space for a new pane"),
            LayoutError::Invalid => f.write_str("invalid layout"),
            LayoutError::TooFewCells { panes, cells } => write!(f, "have {panes} panes but need {cells}"),
            LayoutError::SizeMismatch => f.write_str("size mismatch after applying layout"),
        }
    }
}

impl std::error::Error for LayoutError {}

/// The tiling of one window. It never is empty; its size is the window's size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    root: Cell,
    reserve: Reserve,
}

impl Layout {
    /// One pane that fills a window of `size` (held between 1 and [`WINDOW_MAX`]).
    pub fn new(size: Size, pane: PaneId) -> Layout {
        let size = clamp(size);
        Layout { root: Cell { rect: size.rect(), node: Node::Leaf(pane) }, reserve: Reserve::default() }
    }

    /// The size of the window. [`Layout::resize`] may leave it larger than asked: panes do not shrink below the minimum.
    pub fn size(&self) -> Size {
        self.root.rect.size()
    }

    /// The tree, for drawing borders.
    pub fn root(&self) -> &Cell {
        &self.root
    }

    pub fn reserve(&self) -> Reserve {
        self.reserve
    }

    /// Changes what cells reserve. Cells keep their rectangles, what is left for the panes changes.
    pub fn set_reserve(&mut self, reserve: Reserve) {
        self.reserve = reserve;
    }

    /// The panes in the order of the tree: left to right, top to bottom.
    pub fn panes(&self) -> Vec<PaneId> {
        let mut out = Vec::new();
        self.root.leaves(&mut |id, _| out.push(id));
        out
    }

    pub fn contains(&self, pane: PaneId) -> bool {
        self.root.find(pane).is_some()
    }

    pub fn len(&self) -> usize {
        self.root.count()
    }

    /// Always false; here because there is a `len`.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Splits `pane` (or the window, with `full`) and puts `new` into the room made. On error nothing changed.
    pub fn split(&mut self, pane: PaneId, how: Split, new: PaneId) -> Result<(), LayoutError> {
        let leaf = self.root.find(pane).ok_or(LayoutError::NoPane(pane))?;
        let axis = how.axis;
        let path = if how.full { Path::new() } else { leaf };
        let deepest = path.len() + 1 + if how.full { self.root.depth() } else { 0 };
        let edge = self.root.edge_at(&path, &self.reserve);
        let have = u32::from(self.root.at(&path).len(axis));
        if deepest > MAX_DEPTH || have < self.least_to_split(axis, edge) {
            return Err(LayoutError::NoSpace);
        }
        let wanted = match how.size {
            SplitSize::Half => None,
            SplitSize::Cells(n) => Some(n),
            SplitSize::Percent(p) => {
                let of = if how.full { self.size() } else { self.pane_rect(pane).unwrap_or_default().size() };
                let of = if axis == Axis::LeftRight { of.cols } else { of.rows };
                Some((u64::from(of) * u64::from(p) / 100).min(u64::from(u32::MAX)) as u32)
            }
        };
        let last = match wanted {
            None => have.div_ceil(2) - 1,
            Some(n) if how.before => (have - 1).saturating_sub(n),
            Some(n) => n,
        };
        let last = last.clamp(u32::from(PANE_MIN), have - 2) as u16;
        let first = have as u16 - 1 - last;
        let (old_len, new_len) = if how.before { (last, first) } else { (first, last) };
        if how.full && old_len < self.root.least(axis, edge, &self.reserve) {
            return Err(LayoutError::NoSpace);
        }

        let mut fresh = Cell { rect: self.root.at(&path).rect, node: Node::Leaf(new) };
        fresh.set_len(axis, new_len);
        let parent_axis = path.split_last().and_then(|(_, up)| self.root.at(up).axis());
        if let (Some((&i, up)), true) = (path.split_last(), parent_axis == Some(axis)) {
            // A sibling split the same way: no new level.
            let Node::Split(_, cells) = &mut self.root.at_mut(up).node else { return Err(LayoutError::NoSpace) };
            cells[i].set_len(axis, old_len);
            cells.insert(if how.before { i } else { i + 1 }, fresh);
        } else {
            let reserve = self.reserve;
            let cell = self.root.at_mut(&path);
            let whole = cell.rect;
            cell.fit(axis, old_len, edge, &reserve);
            if how.full && cell.axis() == Some(axis) {
                // The root already runs this way: the new pane joins its children.
                cell.rect = whole;
                let Node::Split(_, cells) = &mut cell.node else { return Err(LayoutError::NoSpace) };
                cells.insert(if how.before { 0 } else { cells.len() }, fresh);
            } else {
                let placeholder = Cell { rect: whole, node: Node::Split(axis, Vec::new()) };
                let old = std::mem::replace(cell, placeholder);
                cell.node = Node::Split(axis, if how.before { vec![fresh, old] } else { vec![old, fresh] });
            }
        }
        self.root.place();
        Ok(())
    }

    fn least_to_split(&self, axis: Axis, edge: bool) -> u32 {
        let two = 2 * u32::from(PANE_MIN);
        match axis {
            // The scrollbar's columns count in place of the border, as tmux counts them.
            Axis::LeftRight => two + u32::from(self.reserve.scrollbar).max(1),
            Axis::TopBottom => two + 1 + u32::from(edge),
        }
    }

    /// Removes a pane; its cells go to the sibling after it, or before it if it was the last.
    pub fn close(&mut self, pane: PaneId) -> Result<(), LayoutError> {
        let path = self.root.find(pane).ok_or(LayoutError::NoPane(pane))?;
        if path.is_empty() {
            return Err(LayoutError::LastPane);
        }
        self.root.remove(&path, &self.reserve);
        self.root.place();
        Ok(())
    }

    /// Fits the window to `size`, sharing the change evenly down the tree. The layout may stay larger than `size` where
    /// panes are at their minimum: [`Layout::size`] tells.
    pub fn resize(&mut self, size: Size) {
        let size = clamp(size);
        for (axis, want) in [(Axis::LeftRight, size.cols), (Axis::TopBottom, size.rows)] {
            let edge = self.reserve.title != TitleRow::Off;
            let spare = i32::from(self.root.spare(axis, edge, &self.reserve));
            let change = (i32::from(want) - i32::from(self.root.len(axis))).max(-spare);
            self.root.adjust(axis, change, edge, &self.reserve);
        }
        self.root.place();
    }

    /// Moves the border of a pane by `change` cells: to the right or down if positive, to the left or up if negative. It
    /// is the border after the pane (or the nearest split around it that runs along `axis`), or the one before it if it is
    /// the last. False if nothing moved.
    pub fn resize_pane(&mut self, pane: PaneId, axis: Axis, change: i32) -> Result<bool, LayoutError> {
        let path = self.root.find(pane).ok_or(LayoutError::NoPane(pane))?;
        let Some(mut path) = self.root.around(&path, axis) else { return Ok(false) };
        if self.root.is_last(&path)
            && let Some(i) = path.last_mut()
        {
            *i -= 1;
        }
        Ok(self.move_border(&path, change, true))
    }

    /// Makes a pane `size` cells wide or high, as far as there is room. The height is that of the pane without its title.
    pub fn resize_pane_to(&mut self, pane: PaneId, axis: Axis, size: u16) -> Result<bool, LayoutError> {
        let leaf = self.root.find(pane).ok_or(LayoutError::NoPane(pane))?;
        let Some(path) = self.root.around(&leaf, axis) else { return Ok(false) };
        let title = axis == Axis::TopBottom && self.root.edge_at(&leaf, &self.reserve);
        let grow = i32::from(size) + i32::from(title) - i32::from(self.root.at(&path).len(axis));
        self.resize_pane(pane, axis, if self.root.is_last(&path) { -grow } else { grow })
    }

    /// Moves the border after the cell at `path`, which must have a sibling after it. With `reach`, growing may take from
    /// siblings before the cell when those after it have nothing to give.
    fn move_border(&mut self, path: &[usize], change: i32, reach: bool) -> bool {
        let Some((&i, up)) = path.split_last() else { return false };
        let edge = self.root.edge_at(up, &self.reserve);
        let reserve = self.reserve;
        let parent = self.root.at_mut(up);
        let Node::Split(axis, cells) = &mut parent.node else { return false };
        let axis = *axis;
        let count = cells.len();
        if i + 1 >= count {
            return false;
        }
        let edges: Vec<bool> = (0..count).map(|n| reserve.child_edge(edge, axis, n, count)).collect();
        let mut left = change;
        while left != 0 {
            let has_spare = |n: &usize| cells[*n].spare(axis, edges[*n], &reserve) > 0;
            let (giver, taker) = if change > 0 {
                let mut giver = (i + 1..count).find(has_spare);
                if giver.is_none() && reach {
                    giver = (0..i).rev().find(has_spare);
                }
                (giver, i)
            } else {
                ((0..=i).rev().find(has_spare), i + 1)
            };
            let Some(giver) = giver else { break };
            let n = i32::from(cells[giver].spare(axis, edges[giver], &reserve)).min(left.saturating_abs());
            cells[taker].adjust(axis, n, edges[taker], &reserve);
            cells[giver].adjust(axis, -n, edges[giver], &reserve);
            left -= n * left.signum();
        }
        self.root.place();
        left != change
    }

    /// Shares the room evenly among a pane and its siblings; if they already are even, among the cells around them.
    /// False if nothing moved.
    pub fn spread(&mut self, pane: PaneId) -> Result<bool, LayoutError> {
        let mut path = self.root.find(pane).ok_or(LayoutError::NoPane(pane))?;
        while path.pop().is_some() {
            let edge = self.root.edge_at(&path, &self.reserve);
            let reserve = self.reserve;
            if self.root.at_mut(&path).spread(edge, &reserve) {
                self.root.place();
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Exchanges two panes; the cells stay.
    pub fn swap(&mut self, a: PaneId, b: PaneId) -> Result<(), LayoutError> {
        let at_a = self.root.find(a).ok_or(LayoutError::NoPane(a))?;
        let at_b = self.root.find(b).ok_or(LayoutError::NoPane(b))?;
        self.root.at_mut(&at_a).node = Node::Leaf(b);
        self.root.at_mut(&at_b).node = Node::Leaf(a);
        Ok(())
    }

    /// Puts `new` where `old` was.
    pub fn replace(&mut self, old: PaneId, new: PaneId) -> Result<(), LayoutError> {
        let at = self.root.find(old).ok_or(LayoutError::NoPane(old))?;
        self.root.at_mut(&at).node = Node::Leaf(new);
        Ok(())
    }

    /// Puts `panes` into the cells in the order of the tree; cells beyond the list keep theirs. Rotating a window is this
    /// with the list rotated.
    pub fn assign(&mut self, panes: &[PaneId]) {
        let mut panes = panes.iter();
        self.root.assign(&mut panes);
    }

    /// The cell of a pane: what it has together with its title row and scrollbar.
    pub fn cell_rect(&self, pane: PaneId) -> Option<Rect> {
        self.root.find(pane).map(|p| self.root.at(&p).rect)
    }

    /// Where the pane itself is: its cell without the title row and scrollbar.
    pub fn pane_rect(&self, pane: PaneId) -> Option<Rect> {
        let path = self.root.find(pane)?;
        Some(self.reserve.inner(self.root.at(&path).rect, self.root.edge_at(&path, &self.reserve)))
    }

    /// Every pane with the rectangle of [`Layout::pane_rect`], in the order of the tree.
    pub fn rects(&self) -> Vec<(PaneId, Rect)> {
        let mut out = Vec::new();
        self.root.leaves_on_edge(self.reserve.title != TitleRow::Off, &self.reserve, &mut |id, rect, edge| {
            out.push((id, self.reserve.inner(rect, edge)));
        });
        out
    }

    /// The row on which a pane's title is drawn; `None` if titles are off or the pane is too low to have one.
    pub fn title_row(&self, pane: PaneId) -> Option<u16> {
        let rect = self.pane_rect(pane)?;
        match self.reserve.title {
            TitleRow::Off => None,
            TitleRow::Top => rect.y.checked_sub(1),
            TitleRow::Bottom => Some(rect.bottom()).filter(|&y| y < self.size().rows),
        }
    }
}

impl Reserve {
    /// Whether child `i` of `count` stands at the edge of the window that titles take a row from, if its parent does.
    fn child_edge(&self, parent: bool, axis: Axis, i: usize, count: usize) -> bool {
        parent
            && match (axis, self.title) {
                (_, TitleRow::Off) => false,
                (Axis::LeftRight, _) => true,
                (Axis::TopBottom, TitleRow::Top) => i == 0,
                (Axis::TopBottom, TitleRow::Bottom) => i + 1 == count,
            }
    }

    /// What is left of a cell for the pane. A cell of one row has no room for a title and goes without.
    fn inner(&self, cell: Rect, edge: bool) -> Rect {
        let mut r = cell;
        if edge && r.h > 1 {
            r.h -= 1;
            r.y += u16::from(self.title == TitleRow::Top);
        }
        let bar = self.scrollbar.min(r.w.saturating_sub(PANE_MIN));
        r.w -= bar;
        if self.scrollbar_left {
            r.x += bar;
        }
        r
    }
}

fn clamp(size: Size) -> Size {
    Size::new(size.cols.clamp(PANE_MIN, WINDOW_MAX), size.rows.clamp(PANE_MIN, WINDOW_MAX))
}
