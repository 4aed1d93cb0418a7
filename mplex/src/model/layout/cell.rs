//! One cell of the tree and the arithmetic of sharing: who can give, who takes, and how a change runs down.
//!
//! `edge` in these functions says that the cell stands at the edge of the window from which titles take a row; such a
//! pane needs two rows. It is handed down from the root, so that a cell need not know where it is.

use super::{Axis, PANE_MIN, Reserve, TitleRow};
use crate::base::{PaneId, Rect};

/// Indices of children from the root to a cell.
pub(super) type Path = Vec<usize>;

/// A rectangle of the window: a pane, or cells beside each other with one border between each two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub rect: Rect,
    pub node: Node,
}

/// What a cell holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Leaf(PaneId),
    /// Two or more cells that fill their parent along the axis and are as thick as it across.
    Split(Axis, Vec<Cell>),
}

impl Cell {
    pub(super) fn axis(&self) -> Option<Axis> {
        match self.node {
            Node::Leaf(_) => None,
            Node::Split(axis, _) => Some(axis),
        }
    }

    /// The children, none for a pane.
    pub fn cells(&self) -> &[Cell] {
        match &self.node {
            Node::Leaf(_) => &[],
            Node::Split(_, cells) => cells,
        }
    }

    pub(super) fn len(&self, axis: Axis) -> u16 {
        match axis {
            Axis::LeftRight => self.rect.w,
            Axis::TopBottom => self.rect.h,
        }
    }

    pub(super) fn set_len(&mut self, axis: Axis, len: u16) {
        match axis {
            Axis::LeftRight => self.rect.w = len,
            Axis::TopBottom => self.rect.h = len,
        }
    }

    pub(super) fn count(&self) -> usize {
        match &self.node {
            Node::Leaf(_) => 1,
            Node::Split(_, cells) => cells.iter().map(Cell::count).sum(),
        }
    }

    /// Levels below this cell; 0 for a pane.
    pub(super) fn depth(&self) -> usize {
        self.cells().iter().map(|c| 1 + c.depth()).max().unwrap_or(0)
    }

    pub(super) fn leaves(&self, f: &mut dyn FnMut(PaneId, Rect)) {
        match &self.node {
            Node::Leaf(id) => f(*id, self.rect),
            Node::Split(_, cells) => cells.iter().for_each(|c| c.leaves(f)),
        }
    }

    pub(super) fn leaves_on_edge(&self, edge: bool, reserve: &Reserve, f: &mut dyn FnMut(PaneId, Rect, bool)) {
        match &self.node {
            Node::Leaf(id) => f(*id, self.rect, edge),
            Node::Split(axis, cells) => {
                for (i, c) in cells.iter().enumerate() {
                    c.leaves_on_edge(reserve.child_edge(edge, *axis, i, cells.len()), reserve, f);
                }
            }
        }
    }

    pub(super) fn assign(&mut self, panes: &mut std::slice::Iter<'_, PaneId>) {
        match &mut self.node {
            Node::Leaf(id) => *id = panes.next().copied().unwrap_or(*id),
            Node::Split(_, cells) => cells.iter_mut().for_each(|c| c.assign(panes)),
        }
    }

    pub(super) fn find(&self, pane: PaneId) -> Option<Path> {
        fn walk(cell: &Cell, pane: PaneId, path: &mut Path) -> bool {
            match &cell.node {
                Node::Leaf(id) => *id == pane,
                Node::Split(_, cells) => cells.iter().enumerate().any(|(i, c)| {
                    path.push(i);
                    let found = walk(c, pane, path);
                    if !found {
                        path.pop();
                    }
                    found
                }),
            }
        }
        let mut path = Path::new();
        walk(self, pane, &mut path).then_some(path)
    }

    /// The cell at a path that was found in this tree; the nearest above if it leads nowhere.
    pub(super) fn at(&self, path: &[usize]) -> &Cell {
        let mut cell = self;
        for &i in path {
            match cell.cells().get(i) {
                Some(c) => cell = c,
                None => break,
            }
        }
        cell
    }

    pub(super) fn at_mut(&mut self, path: &[usize]) -> &mut Cell {
        let mut cell = self;
        for &i in path {
            if i >= cell.cells().len() {
                break;
            }
            let Node::Split(_, cells) = &mut cell.node else { unreachable!("a cell without children has none") };
            cell = &mut cells[i];
        }
        cell
    }

    /// Whether the cell at `path` is at the edge that titles take a row from.
    pub(super) fn edge_at(&self, path: &[usize], reserve: &Reserve) -> bool {
        let mut edge = reserve.title != TitleRow::Off;
        let mut cell = self;
        for &i in path {
            let Node::Split(axis, cells) = &cell.node else { break };
            edge = reserve.child_edge(edge, *axis, i, cells.len());
            cell = &cells[i];
        }
        edge
    }

    /// The path to the cell at `path` or the nearest above it whose parent runs along `axis`.
    pub(super) fn around(&self, path: &[usize], axis: Axis) -> Option<Path> {
        (1..=path.len()).rev().find(|&n| self.at(&path[..n - 1]).axis() == Some(axis)).map(|n| path[..n].to_vec())
    }

    pub(super) fn is_last(&self, path: &[usize]) -> bool {
        path.split_last().is_none_or(|(&i, up)| i + 1 == self.at(up).cells().len())
    }

    /// Gives every cell its position from the sizes. Call it on the root.
    pub(super) fn place(&mut self) {
        let Rect { mut x, mut y, .. } = self.rect;
        if let Node::Split(axis, cells) = &mut self.node {
            for c in cells {
                (c.rect.x, c.rect.y) = (x, y);
                c.place();
                match axis {
                    Axis::LeftRight => x += c.rect.w + 1,
                    Axis::TopBottom => y += c.rect.h + 1,
                }
            }
        }
    }

    /// How many cells it can give up along `axis`.
    pub(super) fn spare(&self, axis: Axis, edge: bool, reserve: &Reserve) -> u16 {
        match &self.node {
            Node::Leaf(_) => {
                let least = PANE_MIN + if axis == Axis::LeftRight { reserve.scrollbar } else { u16::from(edge) };
                self.len(axis).saturating_sub(least)
            }
            Node::Split(own, cells) => {
                let each = cells
                    .iter()
                    .enumerate()
                    .map(|(i, c)| c.spare(axis, reserve.child_edge(edge, *own, i, cells.len()), reserve));
                if *own == axis { each.sum() } else { each.min().unwrap_or(0) }
            }
        }
    }

    /// Grows or shrinks it by `change`, one cell to each child in turn. Shrinking by more than [`Cell::spare`] would
    /// break the tiling; the caller bounds it.
    pub(super) fn adjust(&mut self, axis: Axis, change: i32, edge: bool, reserve: &Reserve) {
        let len = (i32::from(self.len(axis)) + change).clamp(0, i32::from(u16::MAX)) as u16;
        self.set_len(axis, len);
        let Node::Split(own, cells) = &mut self.node else { return };
        let count = cells.len();
        if *own != axis {
            for (i, c) in cells.iter_mut().enumerate() {
                c.adjust(axis, change, reserve.child_edge(edge, *own, i, count), reserve);
            }
            return;
        }
        let mut left = change;
        while left != 0 {
            let before = left;
            for (i, c) in cells.iter_mut().enumerate() {
                let child_edge = reserve.child_edge(edge, axis, i, count);
                if left > 0 {
                    c.adjust(axis, 1, child_edge, reserve);
                    left -= 1;
                } else if left < 0 && c.spare(axis, child_edge, reserve) > 0 {
                    c.adjust(axis, -1, child_edge, reserve);
                    left += 1;
                }
            }
            if left == before {
                break;
            }
        }
    }

    /// Takes the cell at `path` (not the root) out; its room and its border go to a sibling. A parent left with one child
    /// is replaced by that child.
    pub(super) fn remove(&mut self, path: &[usize], reserve: &Reserve) {
        let Some((&i, up)) = path.split_last() else { return };
        let edge = self.edge_at(up, reserve);
        let parent = self.at_mut(up);
        let Node::Split(axis, cells) = &mut parent.node else { return };
        let axis = *axis;
        let gone = cells.remove(i);
        let heir = i.min(cells.len() - 1);
        let count = cells.len();
        let child_edge = reserve.child_edge(edge, axis, heir, count);
        cells[heir].adjust(axis, i32::from(gone.len(axis)) + 1, child_edge, reserve);
        if count == 1 {
            let (only, rect) = (cells.remove(0), parent.rect);
            *parent = only;
            parent.rect = rect;
        }
    }

    /// The least it can be along `axis`.
    pub(super) fn least(&self, axis: Axis, edge: bool, reserve: &Reserve) -> u16 {
        self.len(axis) - self.spare(axis, edge, reserve)
    }

    /// Sets its size along `axis`, which must not be below [`Cell::least`]; each child keeps its proportion as far as it
    /// and those after it can.
    pub(super) fn fit(&mut self, axis: Axis, size: u16, edge: bool, reserve: &Reserve) {
        let was = u32::from(self.len(axis)).max(1);
        self.set_len(axis, size);
        let Node::Split(own, cells) = &mut self.node else { return };
        let count = cells.len();
        if *own != axis {
            for (i, c) in cells.iter_mut().enumerate() {
                c.fit(axis, size, reserve.child_edge(edge, *own, i, count), reserve);
            }
            return;
        }
        let edges: Vec<bool> = (0..count).map(|i| reserve.child_edge(edge, axis, i, count)).collect();
        let mut rest: u32 = cells.iter().zip(&edges).map(|(c, e)| u32::from(c.least(axis, *e, reserve)) + 1).sum();
        let mut room = u32::from(size);
        for (i, (c, edge)) in cells.iter_mut().zip(edges).enumerate() {
            let least = u32::from(c.least(axis, edge, reserve));
            rest -= least + 1;
            let most = room.saturating_sub(rest).max(least);
            // tmux also holds back what the child itself needs at least; the same here, so that sizes come out the same.
            let share = (u32::from(c.len(axis)) * u32::from(size) / was).min(room.saturating_sub(least));
            let new = if i + 1 == count { room } else { share }.clamp(least, most);
            c.fit(axis, new as u16, edge, reserve);
            room = room.saturating_sub(new + 1);
        }
    }

    /// Makes the children equally large along its axis, as far as the panes in them allow. False if nothing changed.
    pub(super) fn spread(&mut self, edge: bool, reserve: &Reserve) -> bool {
        let whole = self.rect;
        let Node::Split(axis, cells) = &mut self.node else { return false };
        let axis = *axis;
        let count = cells.len();
        let total = if axis == Axis::LeftRight { whole.w } else { whole.h };
        let edges: Vec<bool> = (0..count).map(|i| reserve.child_edge(edge, axis, i, count)).collect();
        let Some(sizes) = even(total, count, edges.iter().position(|e| *e && axis == Axis::TopBottom)) else {
            return false;
        };
        // A child with splits of its own may need more than its share; then even is not to be had.
        let fits = |(c, (&size, &e)): (&Cell, (&u16, &bool))| c.least(axis, e, reserve) <= size;
        if !cells.iter().zip(sizes.iter().zip(&edges)).all(fits) {
            return false;
        }
        let mut changed = false;
        for (c, (&size, &e)) in cells.iter_mut().zip(sizes.iter().zip(&edges)) {
            let change = i32::from(size) - i32::from(c.len(axis));
            c.adjust(axis, change, e, reserve);
            changed |= change != 0;
        }
        changed
    }
}

/// Shares `total` among `count` cells with a border between each two; the first ones get the odd cells, and the one at
/// `titled` one more for its title. `None` if a share would be empty.
pub(super) fn even(total: u16, count: usize, titled: Option<usize>) -> Option<Vec<u16>> {
    let room = usize::from(total).checked_sub(count.checked_sub(1)? + usize::from(titled.is_some()))?;
    let (each, odd) = (room / count, room % count);
    if each == 0 {
        return None;
    }
    Some((0..count).map(|i| (each + usize::from(i < odd) + usize::from(titled == Some(i))) as u16).collect())
}
