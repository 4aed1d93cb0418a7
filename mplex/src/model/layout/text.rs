//! Layout strings: `bb62,159x48,0,0{79x48,0,0,79x48,80,0}`, a checksum and the tree. Exchangeable with tmux's.

use super::{Axis, Cell, Layout, LayoutError, MAX_DEPTH, Node, WINDOW_MAX};
use crate::base::{PaneId, Rect};
use std::fmt::Write as _;

/// The 16-bit checksum of a layout string (of what follows the first comma).
pub fn checksum(text: &str) -> u16 {
    text.bytes().fold(0u16, |sum, b| sum.rotate_right(1).wrapping_add(u16::from(b)))
}

impl Layout {
    /// Prints it as a layout string.
    pub fn print(&self) -> String {
        let mut body = String::new();
        print_cell(&self.root, &mut body);
        format!("{:04x},{body}", checksum(&body))
    }

    /// Reads a layout string and puts `panes` into its cells in order; the ids in the string are not looked at. If there
    /// are more cells than panes, the cells at the bottom right are closed until they fit.
    ///
    /// The layout takes the size that the string says; the caller resizes it to the window afterwards, if the window has
    /// a size of its own. On error nothing changed.
    pub fn apply(&mut self, text: &str, panes: &[PaneId]) -> Result<(), LayoutError> {
        let mut root = parse(text)?;
        let cells = root.count();
        if panes.len() > cells {
            return Err(LayoutError::TooFewCells { panes: panes.len(), cells });
        }
        if panes.is_empty() {
            return Err(LayoutError::LastPane);
        }
        for _ in panes.len()..cells {
            let mut path = Vec::new();
            while let Some(last) = root.at(&path).cells().len().checked_sub(1) {
                path.push(last);
            }
            root.remove(&path, &super::Reserve::default());
        }
        // Some strings in circulation carry a wrong size for the root: the children decide.
        if let Node::Split(axis, cells) = &root.node {
            let long = cells.iter().map(|c| u32::from(c.len(*axis)) + 1).sum::<u32>() - 1;
            let last = cells.last().map_or(root.rect, |c| c.rect);
            let long = u16::try_from(long).ok().filter(|&n| n <= WINDOW_MAX).ok_or(LayoutError::SizeMismatch)?;
            root.rect = match axis {
                Axis::LeftRight => Rect::new(0, 0, long, last.h),
                Axis::TopBottom => Rect::new(0, 0, last.w, long),
            };
        }
        (root.rect.x, root.rect.y) = (0, 0);
        if !fits(&root) {
            return Err(LayoutError::SizeMismatch);
        }
        root.assign(&mut panes.iter());
        root.place();
        self.root = root;
        Ok(())
    }
}

fn print_cell(cell: &Cell, out: &mut String) {
    let Rect { x, y, w, h } = cell.rect;
    let _ = write!(out, "{w}x{h},{x},{y}");
    let (open, shut, cells) = match &cell.node {
        Node::Leaf(id) => {
            let _ = write!(out, ",{}", id.0);
            return;
        }
        Node::Split(Axis::LeftRight, cells) => ('{', '}', cells),
        Node::Split(Axis::TopBottom, cells) => ('[', ']', cells),
    };
    for (i, c) in cells.iter().enumerate() {
        out.push(if i == 0 { open } else { ',' });
        print_cell(c, out);
    }
    out.push(shut);
}

/// Whether children fill their parents.
fn fits(cell: &Cell) -> bool {
    let Node::Split(axis, cells) = &cell.node else { return true };
    let across = |c: &Cell| if *axis == Axis::LeftRight { c.rect.h } else { c.rect.w };
    let long = cells.iter().map(|c| u32::from(c.len(*axis)) + 1).sum::<u32>() - 1;
    long == u32::from(cell.len(*axis)) && cells.iter().all(|c| across(c) == across(cell) && fits(c))
}

fn parse(text: &str) -> Result<Cell, LayoutError> {
    let (sum, body) = text.split_once(',').ok_or(LayoutError::Invalid)?;
    if sum.len() != 4 || !sum.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(LayoutError::Invalid);
    }
    if u16::from_str_radix(sum, 16) != Ok(checksum(body)) {
        return Err(LayoutError::Invalid);
    }
    let mut reader = Reader { rest: body.as_bytes() };
    let cell = reader.cell(0).ok_or(LayoutError::Invalid)?;
    if reader.rest.is_empty() { Ok(cell) } else { Err(LayoutError::Invalid) }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn eat(&mut self, byte: u8) -> bool {
        let hit = self.rest.first() == Some(&byte);
        if hit {
            self.rest = &self.rest[1..];
        }
        hit
    }

    fn number(&mut self) -> Option<u32> {
        let digits = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let (head, tail) = self.rest.split_at(digits);
        self.rest = tail;
        std::str::from_utf8(head).ok()?.parse().ok()
    }

    /// A size or an offset, which no window can have larger than [`WINDOW_MAX`].
    fn coordinate(&mut self) -> Option<u16> {
        self.number().filter(|&n| n <= u32::from(WINDOW_MAX)).map(|n| n as u16)
    }

    fn cell(&mut self, depth: usize) -> Option<Cell> {
        if depth > MAX_DEPTH {
            return None;
        }
        let w = self.coordinate()?;
        let h = self.eat(b'x').then(|| self.coordinate())??;
        let x = self.eat(b',').then(|| self.coordinate())??;
        let y = self.eat(b',').then(|| self.coordinate())??;
        if w == 0 || h == 0 {
            return None;
        }
        // A pane's id may follow; a number followed by an `x` is the width of the next cell.
        let here = self.rest;
        if self.eat(b',') && (self.number().is_none() || self.rest.first() == Some(&b'x')) {
            self.rest = here;
        }
        let rect = Rect::new(x, y, w, h);
        let (axis, shut) = match self.rest.first() {
            Some(b'{') => (Axis::LeftRight, b'}'),
            Some(b'[') => (Axis::TopBottom, b']'),
            None | Some(b',' | b'}' | b']') => return Some(Cell { rect, node: Node::Leaf(PaneId(0)) }),
            Some(_) => return None,
        };
        self.rest = &self.rest[1..];
        let mut cells = vec![self.cell(depth + 1)?];
        while self.eat(b',') {
            cells.push(self.cell(depth + 1)?);
        }
        if !self.eat(shut) {
            return None;
        }
        // A split of one is that one.
        if cells.len() == 1 {
            return cells.pop().filter(|c| c.rect.size() == rect.size());
        }
        Some(Cell { rect, node: Node::Split(axis, cells) })
    }
}
