//! Questions of place: which pane is beside, which is at, which border is under the pointer; and dragging a border.

use super::cell::Path;
use super::{Axis, Cell, Direction, Layout, TitleRow};
use crate::base::{PaneId, Pos, Rect};

/// A border between two siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border {
    /// The axis of the split, which is the way in which it can be dragged.
    pub axis: Axis,
    /// Its cells: one column or one row.
    pub rect: Rect,
}

impl Layout {
    /// The panes that touch `pane` on one side, in the order of the tree; beyond the edge of the window it goes on at the
    /// other. Of several, the caller takes the one that was active last.
    pub fn neighbours(&self, pane: PaneId, direction: Direction) -> Vec<PaneId> {
        let rects = self.rects_with_scrollbars();
        let Some(&(_, from)) = rects.iter().find(|(id, _)| *id == pane) else { return Vec::new() };
        let window = self.size();
        // A span along the direction and one across it. Titles narrow the window vertically.
        let vertical = direction.axis() == Axis::TopBottom;
        let spans = |r: Rect| {
            let (x, y) = ((u32::from(r.x), u32::from(r.right())), (u32::from(r.y), u32::from(r.bottom())));
            if vertical { (y, x) } else { (x, y) }
        };
        let (first, last) = match (vertical, self.reserve().title) {
            (true, TitleRow::Top) => (1, u32::from(window.rows)),
            (true, TitleRow::Bottom) => (0, u32::from(window.rows.saturating_sub(1))),
            (true, TitleRow::Off) => (0, u32::from(window.rows)),
            (false, _) => (0, u32::from(window.cols)),
        };
        let ((start, end), (near, far)) = spans(from);
        let touches = |r: Rect| {
            let ((s, e), (n, f)) = spans(r);
            let meets = match direction {
                Direction::Up | Direction::Left => e + 1 == if start <= first { last + 1 } else { start },
                Direction::Down | Direction::Right => s == if end + 1 >= last { first } else { end + 1 },
            };
            // The border after the pane counts as the pane's, so a corner is never a dead end.
            let f = f.saturating_sub(1);
            meets && ((n < near && f > far) || (near..=far).contains(&n) || (near..=far).contains(&f))
        };
        rects.iter().filter(|(id, r)| *id != pane && touches(*r)).map(|(id, _)| *id).collect()
    }

    /// The pane whose own cells hold `p`; `None` on borders, titles and scrollbars.
    pub fn pane_at(&self, p: Pos) -> Option<PaneId> {
        self.rects().into_iter().find(|(_, r)| r.contains(p)).map(|(id, _)| id)
    }

    /// The pane that a position means when it must mean one: a pane owns its title, its scrollbar and the borders right
    /// of and below it. `None` outside the window.
    pub fn pane_near(&self, p: Pos) -> Option<PaneId> {
        let rects = self.rects_with_scrollbars();
        let top = self.reserve().title == TitleRow::Top;
        let beside = |r: &Rect| p.x >= r.x && p.x <= r.right();
        let titled = rects.iter().find(|(_, r)| top && beside(r) && p.y + 1 == r.y);
        let owner = titled.or_else(|| rects.iter().find(|(_, r)| beside(r) && p.y >= r.y && p.y <= r.bottom()));
        owner.map(|(id, _)| *id)
    }

    /// Whether the pane lies at that edge of the window.
    pub fn at_edge(&self, pane: PaneId, direction: Direction) -> bool {
        let (Some(r), size) = (self.cell_rect(pane), self.size()) else { return false };
        match direction {
            Direction::Up => r.y == 0,
            Direction::Down => r.bottom() == size.rows,
            Direction::Left => r.x == 0,
            Direction::Right => r.right() == size.cols,
        }
    }

    /// The border under a position.
    pub fn border_at(&self, p: Pos) -> Option<Border> {
        let path = border_path(self.root(), p)?;
        let (_, up) = path.split_last()?;
        let axis = self.root().at(up).axis()?;
        let r = self.root().at(&path).rect;
        let rect = match axis {
            Axis::LeftRight => Rect::new(r.right(), r.y, 1, r.h),
            Axis::TopBottom => Rect::new(r.x, r.bottom(), r.w, 1),
        };
        Some(Border { axis, rect })
    }

    /// Drags what is under `from` to `to`: one border, or at a crossing all that meet there. False if nothing moved.
    pub fn drag(&mut self, from: Pos, to: Pos) -> bool {
        let (x, y) = (i32::from(from.x), i32::from(from.y));
        let mut found: Vec<Path> = Vec::new();
        for (dx, dy) in [(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)] {
            let (Ok(x), Ok(y)) = (u16::try_from(x + dx), u16::try_from(y + dy)) else { continue };
            if let Some(path) = border_path(self.root(), Pos::new(x, y))
                && !found.contains(&path)
            {
                found.push(path);
            }
        }
        let mut moved = false;
        for path in found {
            let Some(axis) = path.split_last().and_then(|(_, up)| self.root().at(up).axis()) else { continue };
            let change = match axis {
                Axis::LeftRight => i32::from(to.x) - x,
                Axis::TopBottom => i32::from(to.y) - y,
            };
            moved |= self.move_border(&path, change, false);
        }
        moved
    }

    /// As [`Layout::rects`], but with the scrollbars.
    fn rects_with_scrollbars(&self) -> Vec<(PaneId, Rect)> {
        let mut reserve = self.reserve();
        reserve.scrollbar = 0;
        let mut out = Vec::new();
        self.root().leaves_on_edge(reserve.title != TitleRow::Off, &reserve, &mut |id, rect, edge| {
            out.push((id, reserve.inner(rect, edge)));
        });
        out
    }
}

/// The cell before the border under `p`.
fn border_path(root: &Cell, p: Pos) -> Option<Path> {
    let mut path = Path::new();
    let mut cell = root;
    if !cell.rect.contains(p) {
        return None;
    }
    loop {
        let axis = cell.axis()?;
        let i = cell.cells().iter().position(|c| match axis {
            Axis::LeftRight => p.x <= c.rect.right(),
            Axis::TopBottom => p.y <= c.rect.bottom(),
        })?;
        path.push(i);
        cell = &cell.cells()[i];
        if !cell.rect.contains(p) {
            return Some(path);
        }
    }
}
