//! Reading a terminal's rows, history and screen alike, live or from a snapshot.

use super::cell::{Glyph, Look};
use super::history::{Builder, History, Line, Run, Text, clusters, line_of, rows_of};
use super::intern::{Interned, Link};
use super::screen::{Command, Marks, Screen};
use super::search::{Direction, Match, Matcher, Point};
use crate::base::{Size, Style};
use std::sync::Arc;

/// One cell for reading.
#[derive(Clone, Copy, Debug)]
pub struct CellRef<'a> {
    /// A character or cluster; a space for a blank cell; empty for the tail of a wide character.
    pub text: &'a str,
    /// 0 for the tail of a wide character, else 1 or 2.
    pub width: u8,
    pub style: Style,
    pub link: Option<&'a Arc<Link>>,
    /// Nothing was written here since it was erased. Only the live screen knows; history says false.
    pub blank: bool,
}

#[derive(Clone, Copy, Debug)]
struct RowCell {
    at: u32,
    len: u16,
    width: u8,
    blank: bool,
    look: u16,
}

#[derive(Clone, Debug)]
struct Cached {
    serial: u64,
    cols: u16,
    text: Arc<Text>,
    line: usize,
    /// Rows of the block before that line.
    row: u64,
}

/// A row read by [`Lines::row`]; keep one and use it again. Cells beyond [`RowBuf::used`] are blank.
#[derive(Clone, Debug, Default)]
pub struct RowBuf {
    text: String,
    cells: Vec<RowCell>,
    looks: Vec<Look>,
    /// The line goes on in the next row.
    pub wrapped: bool,
    pub marks: Marks,
    pub command: Option<Command>,
    cache: Option<Cached>,
}

impl RowBuf {
    pub fn new() -> RowBuf {
        RowBuf::default()
    }

    /// Columns that are kept; further ones are blank in the default style.
    pub fn used(&self) -> u16 {
        self.cells.len() as u16
    }

    /// The cell in a column; blank beyond `used`.
    pub fn cell(&self, x: u16) -> CellRef<'_> {
        match self.cells.get(x as usize) {
            Some(c) => self.resolve(c),
            None => CellRef { text: " ", width: 1, style: Style::DEFAULT, link: None, blank: true },
        }
    }

    fn resolve(&self, c: &RowCell) -> CellRef<'_> {
        let text = &self.text[c.at as usize..c.at as usize + c.len as usize];
        let look = &self.looks[c.look as usize];
        CellRef { text, width: c.width, style: look.style, link: look.link.as_ref(), blank: c.blank }
    }

    /// Cells from the left up to `used`.
    pub fn cells(&self) -> impl Iterator<Item = CellRef<'_>> {
        self.cells.iter().map(|c| self.resolve(c))
    }

    /// The text up to `used`, blanks at the end included.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The column in which the byte `at` of [`RowBuf::text`] stands.
    pub fn col_of_byte(&self, at: usize) -> u16 {
        let n = self.cells.partition_point(|c| c.at as usize <= at);
        // Tails share the offset of what follows; step back to the head.
        let mut x = n.saturating_sub(1);
        while x > 0 && self.cells.get(x).is_some_and(|c| c.width == 0 || c.at as usize > at) {
            x -= 1;
        }
        x as u16
    }

    fn clear(&mut self) {
        self.text.clear();
        self.cells.clear();
        self.looks.clear();
        self.looks.push(Look::default());
        self.wrapped = false;
        self.marks = Marks::empty();
        self.command = None;
    }

    fn look(&mut self, look: &Look) -> u16 {
        if let Some(last) = self.looks.last()
            && last == look
        {
            return (self.looks.len() - 1) as u16;
        }
        if *look == Look::default() {
            return 0;
        }
        self.looks.push(look.clone());
        (self.looks.len() - 1) as u16
    }

    fn add(&mut self, text: &str, width: u8, look: u16) {
        let at = self.text.len() as u32;
        self.text.push_str(text);
        self.cells.push(RowCell { at, len: text.len() as u16, width, blank: false, look });
        if width == 2 {
            self.cells.push(RowCell { at: self.text.len() as u32, len: 0, width: 0, blank: false, look });
        }
    }

    fn fill_line(&mut self, line: Line<'_>, looks: &[Look], k: usize, cols: u16) -> bool {
        let cols = cols.max(1) as usize;
        let (from, to, more) = row_bytes(line, k, cols);
        let mut runs = line.runs.iter();
        let mut run: Option<&Run> = runs.next();
        let mut end = run.map_or(usize::MAX, |r| r.bytes as usize);
        let mut at = from;
        let mut look = None;
        for (cluster, w) in clusters(&line.text()[from..to]) {
            while at >= end {
                run = runs.next();
                end = run.map_or(usize::MAX, |r| end + r.bytes as usize);
                look = None;
            }
            let id = match look {
                Some(id) => id,
                None => {
                    let id = run.and_then(|r| looks.get(r.look as usize)).map_or(0, |l| self.look(l));
                    look = Some(id);
                    id
                }
            };
            self.add(cluster, w, id);
            at += cluster.len();
        }
        more
    }
}

/// The byte range of row `k` of a line, and whether more rows follow.
fn row_bytes(line: Line<'_>, k: usize, cols: usize) -> (usize, usize, bool) {
    let len = line.text().len();
    if !line.end.mixed() {
        let from = (k * cols).min(len);
        let to = (from + cols).min(len);
        return (from, to, to < len);
    }
    let (mut row, mut x, mut at, mut from) = (0, 0, 0, 0);
    for (cluster, w) in clusters(line.text()) {
        let w = (w as usize).min(cols);
        if x + w > cols {
            if row == k {
                return (from, at, true);
            }
            row += 1;
            x = 0;
            from = at;
        }
        x += w;
        at += cluster.len();
    }
    if row == k { (from, len, false) } else { (len, len, false) }
}

/// A logical line: rows joined where they wrapped.
#[derive(Clone, Debug, Default)]
pub struct Logical {
    /// Its first row and how many it has.
    pub first: usize,
    pub rows: usize,
    pub text: String,
    /// For each row: where its text starts, and for each of its bytes the column is asked from the row.
    starts: Vec<usize>,
    cols: Vec<Vec<u16>>,
}

impl Logical {
    /// The cell in which the byte `at` of the text stands.
    pub fn point(&self, at: usize) -> Point {
        let r = self.starts.partition_point(|s| *s <= at).saturating_sub(1);
        let off = at - self.starts.get(r).copied().unwrap_or(0);
        let col = match self.cols.get(r) {
            Some(c) if !c.is_empty() => c.get(off).or(c.last()).copied().unwrap_or(0),
            _ => off as u16,
        };
        Point { row: self.first + r, col }
    }

    /// The byte of the text that stands at a cell, or where the text of its row ends.
    pub fn byte(&self, p: Point) -> usize {
        let r = p.row.saturating_sub(self.first);
        let Some(start) = self.starts.get(r) else { return self.text.len() };
        let end = self.starts.get(r + 1).copied().unwrap_or(self.text.len());
        match self.cols.get(r) {
            Some(c) if !c.is_empty() => start + c.partition_point(|x| *x < p.col),
            _ => (start + p.col as usize).min(end),
        }
    }
}

/// Most rows that are joined into one logical line.
const MOST_ROWS: usize = 4096;

/// Rows to read: history first (0 is the oldest), then the screen. Numbers hold while nothing is fed or resized.
pub trait Lines {
    fn size(&self) -> Size;
    /// Rows of history at the current width.
    fn history(&self) -> usize;
    /// All rows: history and screen.
    fn rows(&self) -> usize {
        self.history() + self.size().rows as usize
    }
    /// Reads row `n`; blank if there is none.
    fn row(&self, n: usize, into: &mut RowBuf);

    /// The logical line that row `n` belongs to.
    fn logical(&self, n: usize, buf: &mut RowBuf) -> Logical {
        let mut first = n.min(self.rows().saturating_sub(1));
        while first > 0 && n - first < MOST_ROWS {
            self.row(first - 1, buf);
            if !buf.wrapped {
                break;
            }
            first -= 1;
        }
        let mut out = Logical { first, ..Logical::default() };
        let total = self.rows();
        for r in first..total.min(first + MOST_ROWS) {
            self.row(r, buf);
            out.starts.push(out.text.len());
            let end = if buf.wrapped { buf.text.len() } else { buf.text.trim_end_matches(' ').len() };
            out.text.push_str(&buf.text[..end]);
            let mut cols = Vec::new();
            if !buf.text.is_ascii() {
                for (x, c) in buf.cells.iter().enumerate() {
                    cols.extend(std::iter::repeat_n(x as u16, c.len as usize));
                }
            }
            out.cols.push(cols);
            out.rows += 1;
            if !buf.wrapped {
                break;
            }
        }
        out
    }

    /// The nearest match: forward the first that starts at or after `from`, backward the last that starts at or before.
    /// It does not wrap around.
    fn search(&self, what: &Matcher, from: Point, dir: Direction) -> Option<Match> {
        let mut buf = RowBuf::new();
        let total = self.rows();
        let mut row = from.row.min(total.saturating_sub(1));
        loop {
            let line = self.logical(row, &mut buf);
            let to_match = |(a, b): (usize, usize)| {
                let mut last = b - 1;
                while !line.text.is_char_boundary(last) {
                    last -= 1;
                }
                Match { start: line.point(a), end: line.point(last) }
            };
            let mut found = what.find_all(&line.text).into_iter().map(to_match);
            let hit = match dir {
                Direction::Forward => found.find(|m| m.start >= from),
                Direction::Backward => found.rfind(|m| m.start <= from),
            };
            if hit.is_some() {
                return hit;
            }
            match dir {
                Direction::Forward => {
                    row = line.first + line.rows;
                    if row >= total {
                        return None;
                    }
                    row = self.skip(what, row, dir)?;
                }
                Direction::Backward => {
                    row = self.skip(what, line.first.checked_sub(1)?, dir)?;
                }
            }
        }
    }

    /// The nearest row in a direction, `row` included, whose logical line may have a match. Faster than asking each.
    fn skip(&self, what: &Matcher, row: usize, dir: Direction) -> Option<usize> {
        let _ = (what, dir);
        Some(row)
    }
}

/// The screen of a snapshot: a builder with one line per row.
#[derive(Clone, Debug)]
struct Kept {
    lines: Builder,
    wrapped: Vec<bool>,
    commands: Vec<Option<Command>>,
}

#[derive(Clone, Copy)]
enum Front<'a> {
    Live(&'a Screen, &'a Interned),
    Kept(&'a Kept),
}

/// A terminal's rows, borrowed. `history` is `None` on an alternate screen.
#[derive(Clone, Copy)]
pub struct View<'a> {
    size: Size,
    history: Option<&'a History>,
    front: Front<'a>,
}

impl<'a> View<'a> {
    pub(crate) fn live(screen: &'a Screen, names: &'a Interned, history: Option<&'a History>) -> View<'a> {
        View { size: screen.size(), history, front: Front::Live(screen, names) }
    }

    /// An owned copy that shares the sealed blocks.
    pub fn snapshot(&self) -> Snapshot {
        let rows = self.size.rows as usize;
        let kept = match self.front {
            Front::Kept(k) => k.clone(),
            Front::Live(screen, names) => {
                let mut k = Kept {
                    lines: Builder::default(),
                    wrapped: Vec::with_capacity(rows),
                    commands: Vec::with_capacity(rows),
                };
                for y in 0..self.size.rows {
                    let mut row = screen.row(y);
                    k.wrapped.push(row.wrapped);
                    k.commands.push(screen.command(y).copied());
                    // A row that wrapped keeps just its own cells here; padding is for joined lines.
                    row.wrapped = false;
                    k.lines.push(&row, names, false, self.size.cols);
                }
                k
            }
        };
        Snapshot { size: self.size, history: self.history.cloned(), kept }
    }

    fn history_row(&self, h: &History, n: usize, into: &mut RowBuf) {
        let abs = h.base() + h.hidden() + n as u64;
        if abs >= h.tail_first {
            let (i, k) = find_line(h, abs);
            let line = h.tail.line(i);
            let more = into.fill_line(line, &h.tail.looks, k, h.cols);
            into.wrapped = more || (h.open && i + 1 == h.tail.lines.len());
            if k == 0 {
                into.marks = line.end.marks();
            }
            return;
        }
        let b = h.blocks.partition_point(|s| s.first_row <= abs).saturating_sub(1);
        let Some(slot) = h.blocks.get(b) else { return };
        let row = abs - slot.first_row;
        let mut cache = match into.cache.take() {
            Some(c) if c.serial == slot.serial && c.cols == h.cols => c,
            _ => Cached { serial: slot.serial, cols: h.cols, text: slot.block.text(), line: 0, row: 0 },
        };
        if cache.row > row {
            (cache.line, cache.row) = (0, 0);
        }
        let lines = &slot.block.lines;
        while cache.line < lines.len() {
            let n = rows_of(line_of(lines, &cache.text, cache.line), h.cols) as u64;
            if cache.row + n > row {
                break;
            }
            cache.row += n;
            cache.line += 1;
        }
        if cache.line < lines.len() {
            let line = line_of(lines, &cache.text, cache.line);
            let k = (row - cache.row) as usize;
            into.wrapped = into.fill_line(line, &slot.block.looks, k, h.cols);
            if k == 0 {
                into.marks = line.end.marks();
            }
        }
        into.cache = Some(cache);
    }
}

/// The line of the tail that has an absolute row, and which of its rows it is.
fn find_line(h: &History, abs: u64) -> (usize, usize) {
    let back = h.tail_first + h.tail_rows - abs;
    // Rows near the screen are asked for most, so count from the end.
    let (mut i, mut seen) = (h.tail.lines.len(), 0u64);
    while i > 0 {
        i -= 1;
        let n = rows_of(h.tail.line(i), h.cols) as u64;
        seen += n;
        if seen >= back {
            return (i, (seen - back) as usize);
        }
    }
    (0, 0)
}

impl Lines for View<'_> {
    fn size(&self) -> Size {
        self.size
    }

    fn history(&self) -> usize {
        self.history.map_or(0, History::rows)
    }

    fn row(&self, n: usize, into: &mut RowBuf) {
        into.clear();
        let above = self.history();
        if n < above {
            if let Some(h) = self.history {
                self.history_row(h, n, into);
            }
            return;
        }
        let y = n - above;
        if y >= self.size.rows as usize {
            return;
        }
        match self.front {
            Front::Live(screen, names) => {
                let row = screen.row(y as u16);
                let mut last = (0u32, 0u16);
                let mut utf8 = [0; 4];
                for c in &row.cells[..row.used as usize] {
                    if c.glyph() == Glyph::Tail {
                        // Its head brought it along.
                        continue;
                    }
                    if c.look() != last.0 {
                        let look = Look { style: names.style(c.style()), link: names.link(c.link()).cloned() };
                        last = (c.look(), into.look(&look));
                    }
                    let text = match c.glyph() {
                        Glyph::Blank | Glyph::Tail => " ",
                        Glyph::Char(c) => c.encode_utf8(&mut utf8),
                        Glyph::Cluster(n) => names.cluster(n),
                    };
                    into.add(text, c.width(), last.1);
                    if c.glyph() == Glyph::Blank
                        && let Some(cell) = into.cells.last_mut()
                    {
                        cell.blank = true;
                    }
                }
                into.wrapped = row.wrapped;
                into.marks = row.marks;
                into.command = screen.command(y as u16).copied();
            }
            Front::Kept(k) => {
                let line = k.lines.line(y);
                into.fill_line(line, &k.lines.looks, 0, self.size.cols);
                into.wrapped = k.wrapped[y];
                into.marks = line.end.marks();
                into.command = k.commands[y];
            }
        }
    }

    fn skip(&self, what: &Matcher, row: usize, dir: Direction) -> Option<usize> {
        let above = self.history();
        let Some(h) = self.history else { return Some(row) };
        if row >= above {
            return Some(row);
        }
        let base = h.base() + h.hidden();
        let abs = base + row as u64;
        // A hit in the last, open line may lie in the screen's rows: that line always counts.
        let tail_hit = |i: usize| (h.open && i + 1 == h.tail.lines.len()) || what.is_in(h.tail.line(i).text());
        let block_may = |text: &Text| match what {
            Matcher::Plain { text: t, ignore_case: false } => memchr::memmem::find(&text.text, t.as_bytes()).is_some(),
            _ => true,
        };
        match dir {
            Direction::Forward => {
                for slot in h.blocks.iter().filter(|s| s.first_row + s.rows > abs) {
                    let text = slot.block.text();
                    if !block_may(&text) {
                        continue;
                    }
                    let mut at = slot.first_row;
                    for i in 0..slot.block.lines.len() {
                        let line = line_of(&slot.block.lines, &text, i);
                        let n = rows_of(line, h.cols) as u64;
                        if at + n > abs && what.is_in(line.text()) {
                            return Some((at.max(abs) - base) as usize);
                        }
                        at += n;
                    }
                }
                let mut at = h.tail_first;
                for i in 0..h.tail.lines.len() {
                    let n = rows_of(h.tail.line(i), h.cols) as u64;
                    if at + n > abs && tail_hit(i) {
                        return Some((at.max(abs) - base) as usize);
                    }
                    at += n;
                }
                Some(above)
            }
            Direction::Backward => {
                let mut at = h.tail_first + h.tail_rows;
                for i in (0..h.tail.lines.len()).rev() {
                    at -= (rows_of(h.tail.line(i), h.cols) as u64).min(at);
                    if at <= abs && tail_hit(i) {
                        return at.max(base).checked_sub(base).map(|r| r as usize);
                    }
                }
                for slot in h.blocks.iter().rev().filter(|s| s.first_row <= abs) {
                    let text = slot.block.text();
                    if !block_may(&text) {
                        continue;
                    }
                    let mut at = slot.first_row + slot.rows;
                    for i in (0..slot.block.lines.len()).rev() {
                        let line = line_of(&slot.block.lines, &text, i);
                        let n = rows_of(line, h.cols) as u64;
                        at -= n.min(at);
                        if at <= abs && at + n > base && what.is_in(line.text()) {
                            return Some((at.max(base) - base) as usize);
                        }
                    }
                }
                None
            }
        }
    }
}

/// A terminal's rows at one moment: owned, cheap to take, may go to another thread.
#[derive(Clone, Debug)]
pub struct Snapshot {
    size: Size,
    history: Option<History>,
    kept: Kept,
}

impl Snapshot {
    pub fn view(&self) -> View<'_> {
        View { size: self.size, history: self.history.as_ref(), front: Front::Kept(&self.kept) }
    }
}

impl Lines for Snapshot {
    fn size(&self) -> Size {
        self.size
    }

    fn history(&self) -> usize {
        self.view().history()
    }

    fn row(&self, n: usize, into: &mut RowBuf) {
        self.view().row(n, into);
    }

    fn skip(&self, what: &Matcher, row: usize, dir: Direction) -> Option<usize> {
        self.view().skip(what, row, dir)
    }
}
