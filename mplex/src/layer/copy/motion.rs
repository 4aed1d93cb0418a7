//! Where motions lead: from a position to a position, over the text alone. Knows no window into it and no selection.

use super::read::{Kind, Reader};
use crate::grid::{Marks, Point};

/// How far right a cursor may go in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// On the last character (vi).
    Last,
    /// Behind the last character (emacs).
    Behind,
    /// Anywhere, up to behind the last column (rectangles).
    Free,
}

impl Edge {
    pub(super) fn of(self, r: &mut Reader<'_>, row: usize) -> u16 {
        match self {
            Edge::Last => r.limit(row),
            Edge::Behind => r.len(row),
            Edge::Free => r.cols(),
        }
    }
}

/// One character to the right, on to the next row at the end if `on`.
pub(super) fn right(r: &mut Reader<'_>, p: Point, edge: Edge, on: bool) -> Point {
    let end = edge.of(r, p.row);
    if p.col >= end {
        return if on && p.row < r.last_row() { Point { row: p.row + 1, col: 0 } } else { p };
    }
    let step = r.width(p);
    let head = r.head(p);
    Point { col: head.col.saturating_add(step).min(end), ..p }
}

/// One character to the left; from the first column to behind the text of the row above.
pub(super) fn left(r: &mut Reader<'_>, p: Point) -> Point {
    let p = r.head(p);
    if p.col > 0 {
        return r.head(Point { col: p.col - 1, ..p });
    }
    match p.row.checked_sub(1) {
        Some(row) => Point { row, col: r.len(row) },
        None => p,
    }
}

/// The first column of the logical line.
pub(super) fn line_start(r: &mut Reader<'_>, p: Point) -> Point {
    let mut row = p.row;
    while row > 0 && r.wrapped(row - 1) {
        row -= 1;
    }
    Point { row, col: 0 }
}

/// The end of the logical line.
pub(super) fn line_end(r: &mut Reader<'_>, p: Point, edge: Edge) -> Point {
    let mut row = p.row;
    while r.wrapped(row) {
        row += 1;
    }
    Point { row, col: edge.of(r, row) }
}

/// The first character of the logical line that is no space; where it was if there is none.
pub(super) fn indentation(r: &mut Reader<'_>, p: Point) -> Point {
    let mut row = line_start(r, p).row;
    loop {
        let len = r.len(row);
        for col in 0..len {
            let at = Point { row, col };
            if r.kind(at, "") != Kind::Blank {
                return at;
            }
        }
        if !r.wrapped(row) {
            return p;
        }
        row += 1;
    }
}

/// The next place that words know; false at the very end.
fn forward(r: &mut Reader<'_>, p: &mut Point) -> bool {
    if p.col < r.last_col(p.row) {
        p.col += 1;
        return true;
    }
    if p.row < r.last_row() {
        *p = Point { row: p.row + 1, col: 0 };
        return true;
    }
    false
}

/// Over what is of this kind; false at the very end.
fn pass(r: &mut Reader<'_>, p: &mut Point, kind: Kind, separators: &str) -> bool {
    while r.kind(*p, separators) == kind {
        if !forward(r, p) {
            return false;
        }
    }
    true
}

/// Where the next word begins.
pub(super) fn next_word(r: &mut Reader<'_>, mut p: Point, separators: &str) -> Point {
    let kind = r.kind(p, separators);
    if kind == Kind::Blank || pass(r, &mut p, kind, separators) {
        pass(r, &mut p, Kind::Blank, separators);
    }
    p
}

/// Behind this or the next word.
pub(super) fn word_end(r: &mut Reader<'_>, mut p: Point, separators: &str) -> Point {
    if pass(r, &mut p, Kind::Blank, separators) {
        let kind = r.kind(p, separators);
        pass(r, &mut p, kind, separators);
    }
    p
}

/// The end of the next word: its last character in vi, behind it in emacs.
pub(super) fn next_word_end(r: &mut Reader<'_>, mut p: Point, separators: &str, vi: bool) -> Point {
    if !vi {
        return word_end(r, p, separators);
    }
    if r.kind(p, separators) != Kind::Blank {
        // At the end of a line it stays there, as in tmux.
        let on = r.wrapped(p.row);
        p = right(r, p, Edge::Last, on);
    }
    let end = word_end(r, p, separators);
    left(r, end)
}

/// Where this word begins, or the one before if `leave` or if there is none here.
pub(super) fn previous_word(r: &mut Reader<'_>, mut p: Point, separators: &str, leave: bool) -> Point {
    if leave || r.kind(p, separators) == Kind::Blank {
        loop {
            if p.col > 0 {
                p.col -= 1;
                if r.kind(p, separators) != Kind::Blank {
                    break;
                }
            } else {
                let Some(row) = p.row.checked_sub(1) else { return p };
                p = Point { row, col: r.len(row) };
            }
        }
    }
    let kind = r.kind(p, separators);
    loop {
        let before = if p.col > 0 {
            Point { col: p.col - 1, ..p }
        } else if p.row > 0 && r.wrapped(p.row - 1) {
            Point { row: p.row - 1, col: r.last_col(p.row - 1) }
        } else {
            return p;
        };
        if r.kind(before, separators) != kind {
            return r.head(p);
        }
        p = before;
    }
}

/// The nearest such character from `p` on to the end of the logical line.
pub(super) fn find_forward(r: &mut Reader<'_>, p: Point, what: &str) -> Option<Point> {
    let (mut row, mut col) = (p.row, p.col);
    loop {
        let len = r.len(row);
        let cells = r.row(row);
        if let Some(col) = (col..len).find(|x| cells.cell(*x).text == what) {
            return Some(Point { row, col });
        }
        if !r.wrapped(row) {
            return None;
        }
        row += 1;
        col = 0;
    }
}

/// The nearest such character from `p` back to the start of the logical line.
pub(super) fn find_backward(r: &mut Reader<'_>, p: Point, what: &str) -> Option<Point> {
    let (mut row, mut end) = (p.row, p.col.saturating_add(1));
    loop {
        let cells = r.row(row);
        if let Some(col) = (0..end).rev().find(|x| cells.cell(*x).text == what) {
            return Some(Point { row, col });
        }
        if row == 0 || !r.wrapped(row - 1) {
            return None;
        }
        row -= 1;
        end = r.len(row);
    }
}

const OPENING: &str = "{[(";
const CLOSING: &str = "}])";

fn partner<'a>(of: &str, from: &str, to: &'a str) -> Option<&'a str> {
    let at = from.find(of)?;
    (of.len() == 1).then(|| &to[at..=at])
}

fn closing_of(r: &mut Reader<'_>, p: Point) -> Option<&'static str> {
    partner(r.text(p), OPENING, CLOSING)
}

fn opening_of(r: &mut Reader<'_>, p: Point) -> Option<&'static str> {
    partner(r.text(p), CLOSING, OPENING)
}

/// The closing bracket that belongs to the opening one at `p`.
fn match_forward(r: &mut Reader<'_>, p: Point) -> Option<Point> {
    let close = closing_of(r, p)?;
    let open = r.text(p).to_owned();
    let (mut row, mut col, mut depth) = (p.row, p.col, 0usize);
    loop {
        let len = r.len(row);
        let cells = r.row(row);
        while col < len {
            let text = cells.cell(col).text;
            if text == open {
                depth += 1;
            } else if text == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(Point { row, col });
                }
            }
            col += 1;
        }
        if row >= r.last_row() {
            return None;
        }
        row += 1;
        col = 0;
    }
}

/// The opening bracket that belongs to the closing one at `p`.
fn match_backward(r: &mut Reader<'_>, p: Point) -> Option<Point> {
    let open = opening_of(r, p)?;
    let close = r.text(p).to_owned();
    let (mut row, mut end, mut depth) = (p.row, p.col.saturating_add(1), 0usize);
    loop {
        let cells = r.row(row);
        for col in (0..end).rev() {
            let text = cells.cell(col).text;
            if text == close {
                depth += 1;
            } else if text == open {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(Point { row, col });
                }
            }
        }
        row = row.checked_sub(1)?;
        end = r.len(row);
    }
}

/// From an opening bracket to its closing one. In emacs also from just before it, else on to the next word's end; in vi
/// from the next bracket in the line, and from a closing one back.
pub(super) fn next_bracket(r: &mut Reader<'_>, p: Point, vi: bool) -> Option<Point> {
    if r.len(p.row) == 0 {
        return None;
    }
    if !vi {
        let after = Point { col: p.col.saturating_add(1), ..p };
        for at in [p, after] {
            if closing_of(r, at).is_some() {
                return match_forward(r, at);
            }
        }
        return Some(next_word_end(r, p, OPENING, false));
    }
    let (mut row, mut col) = (p.row, p.col);
    loop {
        let len = r.len(row);
        while col < len {
            let at = Point { row, col };
            if closing_of(r, at).is_some() {
                return match_forward(r, at);
            }
            if opening_of(r, at).is_some() {
                return match_backward(r, at);
            }
            col += 1;
        }
        if !r.wrapped(row) {
            return None;
        }
        row += 1;
        col = 0;
    }
}

/// From a closing bracket to its opening one. In emacs also from just behind it, else back to a word's start.
pub(super) fn previous_bracket(r: &mut Reader<'_>, p: Point, vi: bool) -> Option<Point> {
    if r.len(p.row) == 0 {
        return None;
    }
    if opening_of(r, p).is_some() {
        return match_backward(r, p);
    }
    if vi {
        return None;
    }
    if p.col > 0 {
        let before = Point { col: p.col - 1, ..p };
        if opening_of(r, before).is_some() {
            return match_backward(r, before);
        }
    }
    Some(previous_word(r, p, CLOSING, true))
}

/// The empty row before this paragraph, or before the one above.
pub(super) fn previous_paragraph(r: &mut Reader<'_>, p: Point) -> Point {
    let mut row = p.row;
    while row > 0 && r.len(row) == 0 {
        row -= 1;
    }
    while row > 0 && r.len(row) > 0 {
        row -= 1;
    }
    Point { row, col: 0 }
}

/// The empty row after this paragraph, or after the one below.
pub(super) fn next_paragraph(r: &mut Reader<'_>, p: Point) -> Point {
    let (mut row, last) = (p.row, r.last_row());
    while row < last && r.len(row) == 0 {
        row += 1;
    }
    while row < last && r.len(row) > 0 {
        row += 1;
    }
    Point { row, col: r.len(row) }
}

/// The next row in a direction that a shell has marked.
pub(super) fn marked_row(r: &mut Reader<'_>, from: usize, down: bool, mark: Marks) -> Option<usize> {
    let mut row = from;
    loop {
        row = if down { (row < r.last_row()).then_some(row + 1)? } else { row.checked_sub(1)? };
        if r.row(row).marks.intersects(mark) {
            return Some(row);
        }
    }
}
