//! Looking for text: what was looked for last, which way, and how many places have it.

use super::motion;
use super::read::Reader;
use crate::grid::{Direction, Lines, Match, Matcher, Point, RowBuf, Snapshot};

/// Lines read to count matches; beyond them the count is partial.
const MAX_COUNTED_LINES: usize = 20_000;
/// Matches that are counted.
const MAX_COUNT: usize = 100_000;

#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// What was looked for last, and whether as a regular expression.
    pub(super) text: String,
    pub(super) regex: bool,
    /// The direction that search-again goes; `None` before the first search.
    pub(super) forward: Option<bool>,
    /// The direction of the last step.
    pub(super) went_forward: bool,
    /// Matches are shown.
    pub(super) shown: bool,
    pub(super) count: Option<usize>,
    pub(super) partial: bool,
    /// Cursor and first row when an incremental search began.
    pub(super) origin: Option<(Point, usize)>,
    matcher: Option<Matcher>,
    /// What `matcher` was made of.
    made_of: (String, bool),
}

impl Search {
    /// Sets what to look for.
    pub(super) fn set(&mut self, text: &str, regex: bool) {
        text.clone_into(&mut self.text);
        self.regex = regex;
    }

    /// Matches are no longer shown.
    pub(super) fn hide(&mut self) {
        self.shown = false;
        self.count = None;
        self.partial = false;
    }

    /// Makes the matcher, if the text moved; true if it is another one than before. Lower case looks for both cases.
    fn prepare(&mut self) -> bool {
        let regex = self.regex && self.text.contains(['^', '$', '*', '+', '(', ')', '?', '[', ']', '.', '\\']);
        if self.made_of.0 == self.text && self.made_of.1 == regex && self.matcher.is_some() {
            return false;
        }
        let fold = !self.text.chars().any(char::is_uppercase);
        self.made_of = (self.text.clone(), regex);
        self.matcher = if self.text.is_empty() {
            None
        } else if regex {
            Matcher::regex(&self.text, fold).ok()
        } else {
            Some(Matcher::plain(&self.text, fold))
        };
        true
    }

    /// Goes to the next match from the cursor. `None`: there is none.
    pub(super) fn step(
        &mut self,
        lines: &Snapshot,
        cursor: Point,
        forward: bool,
        vi: bool,
        wrap: bool,
    ) -> Option<Match> {
        self.went_forward = forward;
        if self.prepare() {
            self.hide();
        }
        let matcher = self.matcher.as_ref()?;
        let mut r = Reader::new(lines);
        let end = Point { row: r.last_row(), col: u16::MAX };
        let found = if forward {
            let from = match (vi, self.shown) {
                (false, _) => cursor,
                (true, true) => match match_at(lines, matcher, cursor) {
                    Some(m) => after(&mut r, m.end),
                    None => cursor,
                },
                (true, false) => after(&mut r, cursor),
            };
            lines
                .search(matcher, from, Direction::Forward)
                .filter(|m| m.start >= from)
                .or_else(|| wrap.then(|| lines.search(matcher, Point::default(), Direction::Forward)).flatten())
        } else {
            let before = match (cursor.col, cursor.row) {
                (0, 0) => None,
                (0, row) => Some(Point { row: row - 1, col: u16::MAX }),
                (col, row) => Some(Point { row, col: col - 1 }),
            };
            before
                .and_then(|p| lines.search(matcher, p, Direction::Backward))
                .or_else(|| wrap.then(|| lines.search(matcher, end, Direction::Backward)).flatten())
        };
        if found.is_some() {
            if !self.shown || self.count.is_none() {
                let (count, partial) = count(lines, matcher);
                self.count = Some(count);
                self.partial = partial;
            }
            self.shown = true;
        }
        found
    }

    /// The match that the cursor is on; going forward in emacs, the one just before it.
    pub(super) fn current(&self, lines: &Snapshot, cursor: Point, vi: bool) -> Option<Match> {
        if !self.shown {
            return None;
        }
        let matcher = self.matcher.as_ref()?;
        if !vi && self.went_forward {
            let mut r = Reader::new(lines);
            if let Some(m) = before(&mut r, cursor).and_then(|p| match_at(lines, matcher, p)) {
                return Some(m);
            }
        }
        match_at(lines, matcher, cursor)
    }

    /// The matches that touch these rows, in order.
    pub(super) fn in_rows(&self, lines: &Snapshot, first: usize, rows: usize) -> Vec<Match> {
        let mut out = Vec::new();
        let Some(matcher) = self.matcher.as_ref().filter(|_| self.shown) else { return out };
        let end = (first + rows).min(lines.rows());
        let mut buf = RowBuf::new();
        let mut row = first;
        while row < end {
            let line = lines.logical(row, &mut buf);
            out.extend(matches(matcher, &line).filter(|m| m.end.row >= first && m.start.row < end));
            row = (line.first + line.rows).max(row + 1);
        }
        out
    }
}

fn matches<'a>(matcher: &Matcher, line: &'a crate::grid::Logical) -> impl Iterator<Item = Match> + use<'a> {
    matcher.find_all(&line.text).into_iter().map(|(from, to)| {
        let mut last = to.saturating_sub(1);
        while !line.text.is_char_boundary(last) {
            last -= 1;
        }
        Match { start: line.point(from), end: line.point(last) }
    })
}

/// The match that covers a cell.
fn match_at(lines: &Snapshot, matcher: &Matcher, p: Point) -> Option<Match> {
    let mut r = Reader::new(lines);
    let p = r.head(p);
    let line = lines.logical(p.row, &mut RowBuf::new());
    matches(matcher, &line).find(|m| m.start <= p && p <= m.end)
}

/// The cell after a character, in the next row after the last column.
pub(super) fn after(r: &mut Reader<'_>, p: Point) -> Point {
    let col = p.col.saturating_add(r.width(p));
    if col >= r.cols() && p.row < r.last_row() { Point { row: p.row + 1, col: 0 } } else { Point { col, ..p } }
}

fn before(r: &mut Reader<'_>, p: Point) -> Option<Point> {
    if p.col > 0 {
        return Some(r.head(Point { col: p.col - 1, ..p }));
    }
    let row = p.row.checked_sub(1)?;
    if !r.wrapped(row) {
        return None;
    }
    Some(motion::left(r, Point { row, col: r.cols() }))
}

fn count(lines: &Snapshot, matcher: &Matcher) -> (usize, bool) {
    let mut buf = RowBuf::new();
    let (mut row, mut found) = (0, 0usize);
    for _ in 0..MAX_COUNTED_LINES {
        if row >= lines.rows() {
            return (found, false);
        }
        let Some(next) = lines.skip(matcher, row, Direction::Forward) else { return (found, false) };
        let line = lines.logical(next, &mut buf);
        found += matcher.find_all(&line.text).len();
        if found >= MAX_COUNT {
            return (MAX_COUNT, true);
        }
        row = (line.first + line.rows).max(row + 1);
    }
    (found, true)
}
