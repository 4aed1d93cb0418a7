//! What is selected: two ends, one of which may follow the cursor, by characters, words or lines, or as a rectangle.

use super::motion;
use super::read::Reader;
use crate::grid::Point;

/// The end that follows the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Moving {
    #[default]
    None,
    Start,
    End,
}

/// What is selected at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Unit {
    #[default]
    Char,
    Word,
    Line,
}

/// After select-line the cursor keeps to the side of the lines that it moves along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Keep {
    #[default]
    Nothing,
    /// At the lines' ends: the selection grows down.
    Right,
    /// At the lines' starts: it grows up.
    Left,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) start: Point,
    pub(super) end: Point,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    pub(super) ends: Option<Ends>,
    pub(super) moving: Moving,
    pub(super) unit: Unit,
    pub(super) keep: Keep,
    pub(super) rect: bool,
    /// Where a selection by words or lines began, and the ends of what was selected there.
    pub(super) origin: Point,
    pub(super) first: Option<Ends>,
}

impl Selection {
    pub(super) fn clear(&mut self) {
        *self = Selection { rect: self.rect, ..Selection::default() };
    }

    pub(super) fn begin(&mut self, at: Point) {
        self.ends = Some(Ends { start: at, end: at });
        self.moving = Moving::End;
    }

    /// The moving end goes to where the cursor is now, by whole units.
    pub(super) fn follow(&mut self, r: &mut Reader<'_>, cursor: Point, separators: &str, vi: bool) {
        let Some(ends) = &mut self.ends else { return };
        if self.moving == Moving::None {
            return;
        }
        let first = match (self.unit, self.first) {
            (Unit::Word | Unit::Line, Some(first)) => first,
            _ => {
                match self.moving {
                    Moving::Start => ends.start = cursor,
                    _ => ends.end = cursor,
                }
                return;
            }
        };
        if self.unit == Unit::Word {
            if cursor < first.start {
                *ends = Ends { start: motion::previous_word(r, cursor, separators, false), end: first.end };
            } else {
                let end = if cursor <= first.end { first.end } else { word_at_end(r, cursor, separators, vi) };
                *ends = Ends { start: first.start, end };
            }
        } else if cursor.row < first.start.row {
            *ends = Ends { start: Point { col: 0, ..cursor }, end: first.end };
        } else {
            let row = cursor.row.max(first.end.row);
            *ends = Ends { start: first.start, end: Point { row, col: r.len(row) } };
        }
    }

    /// The ends in the order of the text.
    pub(super) fn ordered(&self) -> Option<Ends> {
        let e = self.ends?;
        Some(if e.end < e.start { Ends { start: e.end, end: e.start } } else { e })
    }

    /// The columns selected in a row, from and up to (not with) these.
    pub(super) fn columns(&self, row: usize, cursor: Point, cols: u16, vi: bool) -> Option<(u16, u16)> {
        let e = self.ordered()?;
        if row < e.start.row || row > e.end.row {
            return None;
        }
        if !self.rect {
            let from = if row == e.start.row { e.start.col } else { 0 };
            let to = if row == e.end.row { e.end.col.saturating_add(u16::from(vi)) } else { cols };
            return Some((from, to));
        }
        let e = self.ends?;
        let (fixed, moved) = match self.moving {
            Moving::End => (e.start.col, cursor.col),
            Moving::Start => (e.end.col, cursor.col),
            Moving::None => (e.start.col, e.end.col),
        };
        // The column of the cursor counts on its left side, and in vi on its right side as well.
        Some(if fixed < moved {
            (fixed, moved.saturating_add(u16::from(vi)))
        } else {
            (moved, fixed.saturating_add(1))
        })
    }

    /// The selected text: rows that wrapped are joined, spaces at the ends of lines are left out.
    pub(super) fn text(&self, r: &mut Reader<'_>, cursor: Point, vi: bool, limit: usize) -> Option<String> {
        let e = self.ordered()?;
        let cols = r.cols();
        let last_len = r.len(e.end.row);
        let mut out = String::new();
        let mut broken = false;
        let mut last_to = 0;
        for row in e.start.row..=e.end.row.min(r.last_row()) {
            let Some((from, mut to)) = self.columns(row, cursor, cols, vi) else { continue };
            if row == e.end.row && !self.rect {
                to = to.min(last_len.saturating_add(u16::from(vi)));
            }
            last_to = to;
            broken = copy_row(r, row, from, to, &mut out);
            if out.len() > limit {
                return None;
            }
        }
        if out.is_empty() {
            return None;
        }
        // In vi the line's end can be selected like a character.
        if broken && (!vi || last_to <= last_len) {
            out.pop();
        }
        Some(out)
    }
}

/// The end of the word at a place, or the place itself between words.
fn word_at_end(r: &mut Reader<'_>, p: Point, separators: &str, vi: bool) -> Point {
    let kind = r.kind(p, separators);
    if kind == super::read::Kind::Blank {
        return p;
    }
    let end = motion::word_end(r, p, separators);
    if vi { motion::left(r, end) } else { end }
}

/// The ends of the word at a place.
pub(super) fn word_at(r: &mut Reader<'_>, p: Point, separators: &str, vi: bool) -> Ends {
    let start = motion::previous_word(r, p, separators, false);
    Ends { start, end: word_at_end(r, start, separators, vi) }
}

/// Adds the text of columns of a row, and a line break where the line ends. Says whether there was one.
fn copy_row(r: &mut Reader<'_>, row: usize, from: u16, to: u16, out: &mut String) -> bool {
    if from > to {
        return false;
    }
    let wrapped = r.wrapped(row);
    let len = if wrapped { r.row(row).used() } else { r.len(row) };
    let (from, to) = (from.min(len), to.min(len));
    let cells = r.row(row);
    for x in from..to {
        out.push_str(cells.cell(x).text);
    }
    let broken = !wrapped || to != len;
    if broken {
        out.push('\n');
    }
    broken
}
