//! The mouse in copy mode: where it points, and selecting by dragging.

use super::select::{Keep, Moving, Unit};
use super::{CopyMode, DRAG_STEP, Pull};
use crate::grid::Point;
use crate::keys::Mouse;
use crate::layer::View;

impl CopyMode {
    /// The row of the room and the column of the text under the mouse.
    fn under(&self, x: i32, y: i32) -> (usize, u16) {
        let x = x - i32::from(self.number_width());
        let col = x.clamp(0, i32::from(self.size.cols) - 1) as u16;
        let row = y.clamp(0, i32::from(self.size.rows) - 1) as usize;
        (row, col)
    }

    /// The mouse brought the next command: the cursor goes there, unless it is a wheel's turn.
    pub(super) fn point_at(&mut self, mouse: &Mouse, x: i32, y: i32) {
        if mouse.is_wheel() {
            return;
        }
        self.pointed = true;
        if mouse.release {
            self.end_drag();
            return;
        }
        let (row, col) = self.under(x, y);
        // A selection that stands is not moved by pointing at it.
        let moving = std::mem::replace(&mut self.selection.moving, Moving::None);
        self.go_screen(row, col);
        self.selection.moving = moving;
    }

    /// `begin-selection` by the mouse: a new selection, or the nearer end of one that is under the mouse.
    pub(super) fn begin_drag(&mut self) {
        self.dragging = true;
        let cursor = self.cursor;
        let cols = self.size.cols;
        if let Some(ends) = self.selection.ends {
            let inside = self
                .selection
                .columns(cursor.row, cursor, cols, self.settings.vi)
                .is_some_and(|(from, to)| (from..to).contains(&cursor.col));
            if ends.start == cursor || ends.end == cursor || inside && self.selection.unit == Unit::Char {
                let width = usize::from(cols) + 1;
                let place = |p: Point| p.row * width + usize::from(p.col);
                let near_start = place(cursor).abs_diff(place(ends.start)) <= place(cursor).abs_diff(place(ends.end));
                self.selection.unit = Unit::Char;
                self.selection.keep = Keep::Nothing;
                self.selection.moving = if near_start { Moving::Start } else { Moving::End };
                self.follow();
                return;
            }
            if inside {
                // After a double or triple click the drag goes on by words or lines.
                self.selection.moving = Moving::End;
                return;
            }
        }
        self.selection.unit = Unit::Char;
        self.selection.keep = Keep::Nothing;
        self.begin_selection();
    }

    /// Motion with the button held moves the selection; at an edge the text comes along.
    pub(super) fn mouse(&mut self, mouse: &Mouse, x: i32, y: i32, view: &View) {
        if mouse.release {
            self.end_drag();
            return;
        }
        if !self.dragging || !mouse.motion {
            return;
        }
        let before = self.cursor;
        let was_on = self.screen_row();
        let (row, col) = self.under(x, y);
        self.go_screen(row, col);
        let rows = i32::from(self.size.rows);
        let moved_sideways = was_on == self.screen_row() && before.col != self.cursor.col;
        let pull = if y < 0 || y == 0 && !moved_sideways {
            Some(false)
        } else if y >= rows || y == rows - 1 && !moved_sideways {
            Some(true)
        } else {
            None
        };
        self.pull = pull.map(|down| Pull { down, at: view.now.mono + DRAG_STEP });
        if let Some(down) = pull {
            self.pull_once(down);
        }
        self.rev.bump();
    }

    /// The text moves by a row under the held mouse.
    pub(super) fn pull_once(&mut self, down: bool) {
        let top = self.top;
        let row = if down { usize::from(self.size.rows) - 1 } else { 0 };
        let col = self.cursor.col;
        self.top = if down { (top + 1).min(self.bottom()) } else { top.saturating_sub(1) };
        if self.top == top || !self.dragging {
            self.pull = None;
        }
        self.go_screen(row, col);
        self.rev.bump();
    }

    fn end_drag(&mut self) {
        if self.dragging {
            self.selection.moving = Moving::None;
        }
        self.dragging = false;
        self.pull = None;
    }
}
