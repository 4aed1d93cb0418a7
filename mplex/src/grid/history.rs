//! Scrollback: logical lines as UTF-8 text and runs of looks, in blocks that know no width.
//!
//! Full blocks are sealed behind `Arc`, so a snapshot shares them; cold ones are compressed. Whole blocks are evicted.

use super::cell::{Cell, Glyph, Look};
use super::intern::{Interned, Link};
use super::screen::{Marks, Row};
use crate::base::{Style, width};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;

/// A block is sealed when its text is this long, in bytes.
const BLOCK: usize = 64 * 1024;
/// A line longer than this is cut, so that no block grows without end.
const LONGEST_LINE: usize = 128 * 1024;
/// The newest sealed blocks that stay uncompressed.
const WARM: usize = 16;

const RECENT: usize = 32;

/// How much history a terminal keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rows; 0 keeps none.
    pub history_lines: usize,
    /// Bytes that text, runs and tables may take.
    pub history_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { history_lines: 2000, history_bytes: 256 << 20 }
    }
}

/// The end of a line in its block's text and runs, its cells, and flags.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineEnd {
    pub(crate) text: u32,
    pub(crate) runs: u32,
    /// Bits 0-20 cells, 21 has characters of more bytes than one, 22 has wide ones, 24-31 marks.
    bits: u32,
}

const CELLS: u32 = (1 << 21) - 1;
const MIXED: u32 = 1 << 21;
const WIDE: u32 = 1 << 22;

impl LineEnd {
    pub(crate) fn cells(self) -> usize {
        (self.bits & CELLS) as usize
    }

    pub(crate) fn mixed(self) -> bool {
        self.bits & MIXED != 0
    }

    pub(crate) fn wide(self) -> bool {
        self.bits & WIDE != 0
    }

    pub(crate) fn marks(self) -> Marks {
        Marks::from_bits_retain((self.bits >> 24) as u8)
    }
}

/// So many bytes in this look (of the block's table).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) bytes: u32,
    pub(crate) look: u16,
}

/// Text and runs of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    pub(crate) text: Vec<u8>,
    pub(crate) runs: Vec<Run>,
}

#[derive(Clone, Debug)]
enum Store {
    Plain(Arc<Text>),
    /// LZ4 of text then runs (6 bytes each), with the lengths of both.
    Packed {
        data: Box<[u8]>,
        text: u32,
        runs: u32,
    },
}

/// A sealed block.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) lines: Box<[LineEnd]>,
    pub(crate) looks: Box<[Look]>,
    store: Store,
}

impl Block {
    pub(crate) fn text(&self) -> Arc<Text> {
        match &self.store {
            Store::Plain(t) => t.clone(),
            Store::Packed { data, text, runs } => Arc::new(unpack(data, *text as usize, *runs as usize)),
        }
    }

    fn bytes(&self) -> usize {
        let store = match &self.store {
            Store::Plain(t) => t.text.capacity() + t.runs.capacity() * size_of::<Run>(),
            Store::Packed { data, .. } => data.len(),
        };
        store + self.lines.len() * size_of::<LineEnd>() + self.looks.len() * size_of::<Look>() + 128
    }

    fn packed(&self) -> Option<Block> {
        let Store::Plain(t) = &self.store else { return None };
        let mut raw = Vec::with_capacity(t.text.len() + t.runs.len() * 6);
        raw.extend_from_slice(&t.text);
        for r in &t.runs {
            raw.extend_from_slice(&r.bytes.to_le_bytes());
            raw.extend_from_slice(&r.look.to_le_bytes());
        }
        let data = lz4_flex::block::compress(&raw);
        if data.len() * 8 > raw.len() * 7 {
            return None;
        }
        let store =
            Store::Packed { data: data.into_boxed_slice(), text: t.text.len() as u32, runs: t.runs.len() as u32 };
        Some(Block { lines: self.lines.clone(), looks: self.looks.clone(), store })
    }
}

fn unpack(data: &[u8], text: usize, runs: usize) -> Text {
    let Ok(mut raw) = lz4_flex::block::decompress(data, text + runs * 6) else {
        crate::never!(true, "a block of history does not decompress");
        return Text { text: vec![b' '; text], runs: Vec::new() };
    };
    let runs = raw[text..]
        .chunks_exact(6)
        .map(|c| Run { bytes: u32::from_le_bytes([c[0], c[1], c[2], c[3]]), look: u16::from_le_bytes([c[4], c[5]]) })
        .collect();
    raw.truncate(text);
    Text { text: raw, runs }
}

/// One line for reading: its text, the runs that cover it (none: all in the default look), its end record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    bytes: &'a [u8],
    pub(crate) runs: &'a [Run],
    pub(crate) end: LineEnd,
}

impl<'a> Line<'a> {
    pub(crate) fn text(self) -> &'a str {
        std::str::from_utf8(self.bytes).unwrap_or_default()
    }
}

/// The line `i` of a block of lines.
pub(crate) fn line_of<'a>(lines: &[LineEnd], text: &'a Text, i: usize) -> Line<'a> {
    let end = lines[i];
    let begin = if i == 0 { LineEnd::default() } else { lines[i - 1] };
    let bytes = text.text.get(begin.text as usize..end.text as usize).unwrap_or(&[]);
    let runs = text.runs.get(begin.runs as usize..end.runs as usize).unwrap_or(&[]);
    Line { bytes, runs, end }
}

/// Appends the low bytes of cells that are all ASCII; blanks as spaces.
fn narrow(cells: &[Cell], blanks: bool, into: &mut Vec<u8>) {
    if blanks {
        into.extend(cells.iter().map(|c| if c.0 as u8 == 0 { b' ' } else { c.0 as u8 }));
        return;
    }
    into.reserve(cells.len());
    let mut eights = cells.chunks_exact(8);
    for e in &mut eights {
        let mut word = 0u64;
        for (i, c) in e.iter().enumerate() {
            word |= (c.0 & 0x7f) << (8 * i);
        }
        into.extend_from_slice(&word.to_le_bytes());
    }
    into.extend(eights.remainder().iter().map(|c| c.0 as u8));
}

/// How many rows a line takes at a width.
pub(crate) fn rows_of(line: Line<'_>, cols: u16) -> usize {
    let cols = cols.max(1) as usize;
    let cells = line.end.cells();
    if cells <= cols {
        return 1;
    }
    if !line.end.wide() {
        return cells.div_ceil(cols);
    }
    let (mut rows, mut x) = (1, 0);
    for (_, w) in clusters(line.text()) {
        let w = (w as usize).min(cols);
        if x + w > cols {
            rows += 1;
            x = 0;
        }
        x += w;
    }
    rows
}

/// Clusters of a line with the cells that each takes in the grid (at least one).
pub(crate) fn clusters(text: &str) -> impl Iterator<Item = (&str, u8)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let bytes = rest.as_bytes();
        let first = *bytes.first()?;
        // One ASCII character before another is a cluster of its own.
        if first < 0x80 && bytes.get(1).is_none_or(|b| *b < 0x80) {
            let (head, tail) = rest.split_at(1);
            rest = tail;
            return Some((head, 1));
        }
        let (head, w) = width::clusters(rest).next()?;
        rest = &rest[head.len()..];
        Some((head, w.max(1)))
    })
}

/// The block that is still being written, and the screen's part of a snapshot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Builder {
    pub(crate) text: Text,
    pub(crate) lines: Vec<LineEnd>,
    pub(crate) looks: Vec<Look>,
    look_of: FxHashMap<(Style, u32), u16>,
    /// The last translations of cells' looks, by a few bits of each, while the cells' tables stand.
    recent: [(u32, u16); RECENT],
}

impl Builder {
    fn look_id(&mut self, cell_look: u32, names: &Interned) -> u16 {
        if cell_look == 0 {
            return 0;
        }
        let slot = (cell_look ^ cell_look >> 16) as usize % RECENT;
        if self.recent[slot].0 == cell_look {
            return self.recent[slot].1;
        }
        let style = names.style(cell_look as u16);
        let link = names.link((cell_look >> 16) as u16).cloned();
        let id = self.look_of_parts(style, link);
        self.recent[slot] = (cell_look, id);
        id
    }

    fn look_of_parts(&mut self, style: Style, link: Option<Arc<Link>>) -> u16 {
        if self.looks.is_empty() {
            self.looks.push(Look::default());
        }
        if style == Style::DEFAULT && link.is_none() {
            return 0;
        }
        let key = (style, link.as_ref().map_or(0, |l| l.key));
        if let Some(id) = self.look_of.get(&key) {
            return *id;
        }
        // A block of 64 KiB text can name at most so many looks, but a cut line may bring more: the rest is plain.
        if self.looks.len() >= u16::MAX as usize {
            return 0;
        }
        let id = self.looks.len() as u16;
        self.looks.push(Look { style, link });
        self.look_of.insert(key, id);
        id
    }

    /// Adds the cells of a row, to the last line if `join`. A wrapped row that lacks cells gets blanks up to `cols`.
    pub(crate) fn push(&mut self, row: &Row<'_>, names: &Interned, join: bool, cols: u16) {
        let mut used = row.used as usize;
        if row.wrapped {
            if used + 1 < cols as usize {
                used = cols as usize;
            }
        } else {
            while used > 0 && row.cells[used - 1].is_empty() {
                used -= 1;
            }
        }
        let cells = &row.cells[..used];
        if self.looks.is_empty() {
            self.looks.push(Look::default());
        }
        let base = if join { self.lines.pop() } else { None };
        let before = self.lines.last().copied().unwrap_or_default();
        let from = self.text.text.len();
        let had_runs = base.is_some_and(|b| b.runs > before.runs);
        let mut bits = base.map_or(0, |b| b.bits);

        let (mut any, mut all, mut zero) = (0u64, u64::MAX, 0u64);
        for c in cells {
            any |= c.0;
            all &= c.0;
            zero |= (c.0 & Cell::TEXT).wrapping_sub(1);
        }
        let blanks = zero >> 63 != 0;
        let uniform = cells.is_empty() || (any ^ all) & !0x7f == 0 && any & (Cell::TEXT & !0x7f | Cell::CLUSTER) == 0;
        if uniform {
            narrow(cells, blanks, &mut self.text.text);
            let look = (any >> 32) as u32;
            let id = if look == 0 { 0 } else { self.look_id(look, names) };
            if (id != 0 || had_runs) && !cells.is_empty() {
                self.cover(before, base, had_runs);
                self.run(cells.len() as u32, id, had_runs || base.is_some_and(|b| b.text > before.text));
            }
        } else {
            if any & Cell::WIDE != 0 {
                bits |= WIDE;
            }
            let styled = any & Cell::LOOK != 0 || had_runs;
            if styled {
                self.cover(before, base, had_runs);
            }
            let mut extend = styled && base.is_some_and(|b| b.text > before.text);
            let mut i = 0;
            while i < cells.len() {
                let look = cells[i].look();
                let at = self.text.text.len();
                while i < cells.len() && cells[i].look() == look {
                    let low = cells[i].0 & (Cell::TEXT | Cell::CLUSTER | Cell::TAIL);
                    if low.wrapping_sub(1) < 0x7f {
                        self.text.text.push(low as u8);
                        i += 1;
                        continue;
                    }
                    match cells[i].glyph() {
                        Glyph::Blank => self.text.text.push(b' '),
                        Glyph::Char(c) => {
                            bits |= MIXED;
                            let mut b = [0; 4];
                            self.text.text.extend_from_slice(c.encode_utf8(&mut b).as_bytes());
                        }
                        Glyph::Cluster(n) => {
                            bits |= MIXED;
                            self.text.text.extend_from_slice(names.cluster(n).as_bytes());
                        }
                        Glyph::Tail => {}
                    }
                    i += 1;
                }
                let bytes = (self.text.text.len() - at) as u32;
                if styled && bytes > 0 {
                    let id = self.look_id(look, names);
                    self.run(bytes, id, extend);
                    extend = true;
                }
            }
        }
        let count = ((bits & CELLS) as usize + used).min(CELLS as usize) as u32;
        let marks = if base.is_some() { bits >> 24 << 24 } else { u32::from(row.marks.bits()) << 24 };
        bits = count | bits & (MIXED | WIDE) | marks;
        debug_assert!(self.text.text.len() >= from);
        self.lines.push(LineEnd { text: self.text.text.len() as u32, runs: self.text.runs.len() as u32, bits });
    }

    /// Gives the text of an open line that had no runs a run in the default look.
    fn cover(&mut self, before: LineEnd, base: Option<LineEnd>, had_runs: bool) {
        if let Some(b) = base
            && !had_runs
            && b.text > before.text
        {
            self.text.runs.push(Run { bytes: b.text - before.text, look: 0 });
        }
    }

    fn run(&mut self, bytes: u32, look: u16, extend: bool) {
        if extend
            && let Some(last) = self.text.runs.last_mut()
            && last.look == look
        {
            last.bytes += bytes;
            return;
        }
        self.text.runs.push(Run { bytes, look });
    }

    pub(crate) fn line(&self, i: usize) -> Line<'_> {
        line_of(&self.lines, &self.text, i)
    }

    fn pop(&mut self) -> Option<(Vec<u8>, Vec<Run>, LineEnd)> {
        let end = self.lines.pop()?;
        let before = self.lines.last().copied().unwrap_or_default();
        let text = self.text.text.split_off(before.text as usize);
        let runs = self.text.runs.split_off(before.runs as usize);
        Some((text, runs, end))
    }

    fn bytes(&self) -> usize {
        self.text.text.len()
            + self.text.runs.len() * size_of::<Run>()
            + self.lines.len() * size_of::<LineEnd>()
            + self.looks.len() * size_of::<Look>()
    }

    fn seal(&mut self) -> Block {
        let next = Builder {
            text: Text { text: Vec::with_capacity(BLOCK + 4096), runs: Vec::with_capacity(self.text.runs.len()) },
            lines: Vec::with_capacity(self.lines.len()),
            ..Builder::default()
        };
        let mut b = std::mem::replace(self, next);
        b.text.text.shrink_to_fit();
        b.text.runs.shrink_to_fit();
        Block {
            lines: b.lines.into_boxed_slice(),
            looks: b.looks.into_boxed_slice(),
            store: Store::Plain(Arc::new(b.text)),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) block: Arc<Block>,
    /// Rows before this block since the count was taken anew.
    pub(crate) first_row: u64,
    pub(crate) rows: u64,
    pub(crate) serial: u64,
}

/// Scrollback of one terminal.
#[derive(Clone, Debug)]
pub struct History {
    pub(crate) blocks: VecDeque<Slot>,
    pub(crate) tail: Builder,
    pub(crate) tail_rows: u64,
    /// Rows before the tail since the count was taken anew.
    pub(crate) tail_first: u64,
    /// The last line goes on in the next row that comes.
    pub(crate) open: bool,
    pub(crate) cols: u16,
    limits: Limits,
    sealed_bytes: usize,
    next_serial: u64,
    cold: usize,
}

impl History {
    pub(crate) fn new(cols: u16, limits: Limits) -> History {
        History {
            blocks: VecDeque::new(),
            tail: Builder::default(),
            tail_rows: 0,
            tail_first: 0,
            open: false,
            cols,
            limits,
            sealed_bytes: 0,
            next_serial: 1,
            cold: 0,
        }
    }

    /// Rows at the current width, at most the limit.
    pub fn rows(&self) -> usize {
        (self.all_rows() as usize).min(self.limits.history_lines)
    }

    pub(crate) fn base(&self) -> u64 {
        self.blocks.front().map_or(self.tail_first, |s| s.first_row)
    }

    fn all_rows(&self) -> u64 {
        self.tail_first + self.tail_rows - self.base()
    }

    /// Rows that are kept but beyond the limit, oldest first.
    pub(crate) fn hidden(&self) -> u64 {
        self.all_rows() - self.rows() as u64
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.sealed_bytes + self.tail.bytes()
    }

    pub fn limits(&self) -> Limits {
        self.limits
    }

    pub(crate) fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        if limits.history_lines == 0 {
            self.clear();
        }
        self.evict();
    }

    pub(crate) fn clear(&mut self) {
        *self = History::new(self.cols, self.limits);
    }

    /// The interner gave its numbers anew.
    pub(crate) fn forget_numbers(&mut self) {
        self.tail.recent = [(0, 0); RECENT];
    }

    /// Takes a row that leaves the screen at the top.
    #[inline]
    pub(crate) fn push(&mut self, row: &Row<'_>, names: &Interned) {
        if self.limits.history_lines == 0 {
            return;
        }
        let mut join = self.open && !self.tail.lines.is_empty();
        let mut before = None;
        if join && let Some(i) = self.tail.lines.len().checked_sub(1) {
            let last = self.tail.line(i);
            if last.bytes.len() >= LONGEST_LINE {
                // The cut makes two lines of one; rows stay as they are.
                self.seal();
                join = false;
            } else {
                before = Some(last.end);
            }
        }
        self.tail.push(row, names, join, self.cols);
        self.tail_rows += match (before, self.tail.lines.last()) {
            (Some(old), Some(new)) if !new.wide() => {
                let rows = |e: LineEnd| e.cells().div_ceil(self.cols as usize).max(1);
                (rows(*new) - rows(old)) as u64
            }
            // Rows that wrapped are full, so each that brings cells is one more.
            (Some(old), Some(new)) => u64::from(new.cells() > old.cells()),
            _ => 1,
        };
        self.open = row.wrapped;
        if self.tail.text.text.len() >= BLOCK
            || self.tail.lines.len() >= BLOCK / 16
            || self.tail.text.runs.len() >= BLOCK / 4
        {
            if !self.open {
                self.seal();
            }
        } else if self.tail_rows > 64 && self.all_rows() as usize > self.limits.history_lines * 2 + 4096 {
            self.evict();
        }
    }

    fn seal(&mut self) {
        if self.tail.lines.is_empty() {
            return;
        }
        let block = self.tail.seal();
        self.sealed_bytes += block.bytes();
        self.blocks.push_back(Slot {
            block: Arc::new(block),
            first_row: self.tail_first,
            rows: self.tail_rows,
            serial: self.next_serial,
        });
        self.next_serial += 1;
        self.tail_first += self.tail_rows;
        self.tail_rows = 0;
        self.evict();
    }

    fn evict(&mut self) {
        while let Some(front) = self.blocks.front() {
            let lines = self.all_rows() - front.rows >= self.limits.history_lines as u64;
            let bytes = self.bytes() > self.limits.history_bytes;
            if !lines && !bytes {
                return;
            }
            self.sealed_bytes -= front.block.bytes();
            self.blocks.pop_front();
            self.cold = self.cold.saturating_sub(1);
        }
    }

    /// Compresses one cold block; false if there is none. For idle time.
    pub(crate) fn compress_one(&mut self) -> bool {
        if self.cold + WARM >= self.blocks.len() {
            return false;
        }
        let slot = &mut self.blocks[self.cold];
        self.cold += 1;
        if let Some(packed) = slot.block.packed() {
            self.sealed_bytes -= slot.block.bytes();
            self.sealed_bytes += packed.bytes();
            slot.block = Arc::new(packed);
        }
        true
    }

    /// Counts the rows anew for another width.
    pub(crate) fn set_cols(&mut self, cols: u16) {
        if cols == self.cols {
            return;
        }
        self.cols = cols;
        let mut at = 0;
        for slot in &mut self.blocks {
            slot.first_row = at;
            slot.rows = count_rows(&slot.block.lines, || slot.block.text(), cols);
            at += slot.rows;
        }
        self.tail_first = at;
        self.tail_rows = (0..self.tail.lines.len()).map(|i| rows_of(self.tail.line(i), cols) as u64).sum();
    }

    /// Takes the last logical line back, as cells.
    pub(crate) fn pop_line(&mut self, names: &mut Interned) -> Option<(Vec<Cell>, Marks)> {
        if self.tail.lines.is_empty() {
            let slot = self.blocks.pop_back()?;
            self.cold = self.cold.min(self.blocks.len());
            self.sealed_bytes -= slot.block.bytes();
            let text = Arc::unwrap_or_clone(slot.block.text());
            let look_of = slot
                .block
                .looks
                .iter()
                .enumerate()
                .skip(1)
                .map(|(i, l)| ((l.style, l.link.as_ref().map_or(0, |l| l.key)), i as u16))
                .collect();
            self.tail = Builder {
                text,
                lines: slot.block.lines.to_vec(),
                looks: slot.block.looks.to_vec(),
                look_of,
                recent: [(0, 0); RECENT],
            };
            self.tail_first = slot.first_row;
            self.tail_rows = slot.rows;
        }
        let rows = rows_of(self.tail.line(self.tail.lines.len() - 1), self.cols) as u64;
        let (text, runs, end) = self.tail.pop()?;
        self.tail_rows -= rows.min(self.tail_rows);
        self.open = false;
        let text = String::from_utf8(text).unwrap_or_default();
        let cells = to_cells(&text, &runs, &self.tail.looks, names);
        Some((cells, end.marks()))
    }
}

fn count_rows(lines: &[LineEnd], text: impl Fn() -> Arc<Text>, cols: u16) -> u64 {
    let mut rows = 0u64;
    let mut data = None;
    for (i, l) in lines.iter().enumerate() {
        let cells = l.cells();
        rows += if cells <= cols as usize {
            1
        } else if !l.wide() {
            cells.div_ceil(cols as usize) as u64
        } else {
            let data = data.get_or_insert_with(&text);
            rows_of(line_of(lines, data, i), cols) as u64
        };
    }
    rows
}

/// Text and runs as live cells.
pub(crate) fn to_cells(text: &str, runs: &[Run], looks: &[Look], names: &mut Interned) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(text.len());
    let mut runs = runs.iter();
    let (mut left, mut look) = (usize::MAX, 0u64);
    if runs.len() > 0 {
        left = 0;
    }
    for (cluster, w) in clusters(text) {
        while left == 0 {
            let Some(run) = runs.next() else {
                left = usize::MAX;
                look = 0;
                break;
            };
            left = run.bytes as usize;
            let l = looks.get(run.look as usize).cloned().unwrap_or_default();
            let style = names.style_id(l.style).unwrap_or(0);
            let link = l.link.as_ref().and_then(|l| names.link_again(l)).unwrap_or(0);
            look = u64::from(style) << Cell::STYLE_SHIFT | u64::from(link) << Cell::LINK_SHIFT;
        }
        left = left.saturating_sub(cluster.len());
        let mut chars = cluster.chars();
        let glyph = match (chars.next(), chars.next()) {
            (Some(c), None) => u64::from(c as u32),
            _ => match names.cluster_id(cluster) {
                Some(n) => Cell::CLUSTER | u64::from(n),
                None => 0xfffd,
            },
        };
        if w == 2 {
            cells.push(Cell(look | glyph | Cell::WIDE));
            cells.push(Cell(look | Cell::TAIL));
        } else {
            cells.push(Cell(look | glyph));
        }
    }
    cells
}
