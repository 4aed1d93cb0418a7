//! A formatted text with `#[...]` laid into one row: alignments, the list with its focus and markers, fill and ranges.

use std::sync::Arc;

use super::style::{Align, DefaultOp, List, Range, StyleSpec};
use super::text::{Piece, pieces};
use crate::base::{Colour, Style};

/// Text of one style at a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub x: u16,
    pub text: String,
    pub style: Style,
    pub link: Option<Arc<str>>,
    /// Nothing was said here: what was there before may stay.
    pub gap: bool,
}

/// A row as drawn: its runs cover every column from 0 to `width` in order; where nothing was said they are blanks in the
/// base style, or in the fill's colour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    pub runs: Vec<Run>,
    /// Columns `x0..x1` with what they are about; the first that holds a column counts.
    pub ranges: Vec<(u16, u16, Range)>,
    pub width: u16,
}

impl Drawn {
    /// What a column is about.
    pub fn range_at(&self, x: u16) -> Option<&Range> {
        self.ranges.iter().find(|(from, to, _)| (*from..*to).contains(&x)).map(|(.., range)| range)
    }

    /// The text of the row without styles.
    pub fn text(&self) -> String {
        self.runs.iter().map(|r| r.text.as_str()).collect()
    }
}

/// One column; the second column of a wide character has no text.
#[derive(Clone, PartialEq, Eq)]
struct Cell<'a> {
    text: &'a str,
    wide: bool,
    style: Style,
    link: Option<Arc<str>>,
    gap: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Left,
    Centre,
    Right,
    Absolute,
    List,
    LeftMarker,
    RightMarker,
    After,
}

const PARTS: usize = 8;

struct Span {
    part: Part,
    from: usize,
    to: usize,
    range: Range,
}

struct Row<'a> {
    cells: Vec<Cell<'a>>,
    spans: Vec<Span>,
    ranges: Vec<(u16, u16, Range)>,
}

impl<'a> Row<'a> {
    /// Puts `width` columns of a part, from its column `from` on, at column `x`, and moves the part's ranges along.
    fn put(&mut self, parts: &[Vec<Cell<'a>>; PARTS], part: Part, x: usize, from: usize, width: usize) {
        self.copy(&parts[part as usize], x, from, width);
        for span in &self.spans {
            let (start, end) = (span.from.max(from), span.to.min(from + width));
            if span.part == part && start < end {
                let (x0, x1) = (x + start - from, x + end - from);
                self.ranges.push((x0 as u16, x1 as u16, span.range.clone()));
            }
        }
    }

    fn copy(&mut self, cells: &[Cell<'a>], x: usize, from: usize, width: usize) {
        for n in 0..width {
            if let (Some(cell), Some(to)) = (cells.get(from + n), self.cells.get_mut(x + n)) {
                *to = cell.clone();
            }
        }
    }
}

/// Columns that left, centre and right get when they do not all fit: the centre gives way first, then the right.
pub(super) fn share(left: usize, centre: usize, right: usize, width: usize) -> (usize, usize, usize) {
    let mut over = (left + centre + right).saturating_sub(width);
    let mut give = |n: usize| {
        let cut = n.min(over);
        over -= cut;
        n - cut
    };
    let (centre, right) = (give(centre), give(right));
    (give(left), centre, right)
}

/// Draws `text` into `width` columns over `base`. With `plain_colours` colours stay those of the base.
pub fn draw(text: &str, base: Style, width: u16, plain_colours: bool) -> Drawn {
    let mut base_default = base;
    let mut default = base;
    let mut spec = StyleSpec::of(base);
    let mut parts: [Vec<Cell<'_>>; PARTS] = Default::default();
    let mut spans: Vec<Span> = Vec::new();
    let mut open: Option<(Part, usize, Range)> = None;
    let mut current = Part::Left;
    // Where each alignment goes; after the list, its own goes behind it.
    let mut map = [Part::Left, Part::Left, Part::Centre, Part::Right, Part::Absolute];
    let mut list_state: Option<bool> = None;
    let mut list_align = Align::Default;
    let (mut focus_start, mut focus_end) = (None, None);
    let mut fill: Option<Colour> = None;

    let mut rest = text;
    'text: while !rest.is_empty() {
        let mut seen = 0;
        for piece in pieces(rest) {
            let cell = |text, wide| Cell { text, wide, style: spec.style, link: spec.link.clone(), gap: false };
            match piece {
                Piece::Hashes { drawn, .. } => {
                    parts[current as usize].extend(std::iter::repeat_n(cell("#", false), drawn));
                    continue;
                }
                Piece::Text(t, w) => {
                    let t = if spec.acs { acs(t) } else { t };
                    match w {
                        0 => {}
                        1 => parts[current as usize].push(cell(t, false)),
                        _ => parts[current as usize].extend([cell(t, true), cell("", false)]),
                    }
                    continue;
                }
                Piece::Unfinished => {
                    // Nothing at all is drawn then.
                    return finish(blank(base, None, width), Vec::new(), width);
                }
                Piece::Style { whole, inner } => {
                    // Where the style ends in the text, should the rest be taken as it is.
                    seen = whole.as_ptr() as usize - rest.as_ptr() as usize + whole.len();
                    let before = spec.style;
                    if spec.apply(inner, &default).is_err() {
                        continue;
                    }
                    if plain_colours {
                        (spec.style.fg, spec.style.bg) = (base_default.fg, base_default.bg);
                    }
                    fill = spec.fill.or(fill);
                    match std::mem::take(&mut spec.default_op) {
                        DefaultOp::Keep => {}
                        DefaultOp::Push => default = before,
                        DefaultOp::Pop => default = base_default,
                        DefaultOp::Set => (base_default, default) = (before, before),
                    }
                }
            }
            let list_len = parts[Part::List as usize].len();
            let in_list = list_state == Some(false);
            match spec.list {
                List::On => {
                    if !in_list {
                        open = None;
                        list_state = Some(false);
                        list_align = spec.align;
                    }
                    if focus_start.is_some() && focus_end.is_none() {
                        focus_end = Some(list_len);
                    }
                    current = Part::List;
                }
                List::Focus => {
                    if in_list && focus_start.is_none() {
                        focus_start = Some(list_len);
                    }
                }
                List::Off => {
                    if in_list {
                        open = None;
                        if focus_start.is_some() && focus_end.is_none() {
                            focus_end = Some(list_len);
                        }
                        map[list_align as usize] = Part::After;
                        if list_align == Align::Left {
                            map[Align::Default as usize] = Part::After;
                        }
                        list_state = Some(true);
                    }
                    current = map[spec.align as usize];
                }
                List::LeftMarker | List::RightMarker => {
                    let marker = if spec.list == List::LeftMarker { Part::LeftMarker } else { Part::RightMarker };
                    if in_list && parts[marker as usize].is_empty() {
                        open = None;
                        if focus_start.is_some() && focus_end.is_none() {
                            focus_start = None;
                        }
                        current = marker;
                    }
                }
            }
            let at = parts[current as usize].len();
            if open.as_ref().is_some_and(|(.., range)| spec.range.as_ref() != Some(range))
                && let Some((part, from, range)) = open.take()
                && from != at
            {
                spans.push(Span { part, from, to: at, range });
            }
            if open.is_none() {
                open = spec.range.clone().map(|range| (current, at, range));
            }
            if spec.ignore {
                break;
            }
        }
        if !spec.ignore {
            break 'text;
        }
        // From here on styles are text: hashes still stand for half as many, but those that escape a bracket go.
        let mut tail = &rest[seen..];
        while !tail.is_empty() {
            let cell = |text, wide| Cell { text, wide, style: spec.style, link: spec.link.clone(), gap: false };
            let part = &mut parts[current as usize];
            let run = tail.bytes().take_while(|b| *b == b'#').count();
            let bracket = tail.as_bytes().get(run) == Some(&b'[');
            if run > 0 {
                let shown = if bracket { run % 2 } else { run.div_ceil(2) };
                part.extend(std::iter::repeat_n(cell("#", false), shown));
                tail = &tail[run + usize::from(bracket && run % 2 == 0)..];
                continue;
            }
            let Some((t, w)) = crate::base::width::clusters(tail).next() else { break };
            tail = &tail[t.len()..];
            if t.starts_with(char::is_control) || w == 0 {
                continue;
            }
            part.push(cell(t, w > 1));
            if w > 1 {
                part.push(cell("", false));
            }
        }
        rest = "";
    }

    let mut row = Row { cells: blank(base, fill, width), spans, ranges: Vec::new() };
    let focus = focus_start.zip(focus_end);
    arrange(&mut row, parts, list_align, focus, width as usize);
    finish(row.cells, row.ranges, width)
}

fn blank<'a>(base: Style, fill: Option<Colour>, width: u16) -> Vec<Cell<'a>> {
    let style = fill.map_or(base, |bg| Style { bg, ..Style::DEFAULT });
    vec![Cell { text: " ", wide: false, style, link: None, gap: fill.is_none() }; width as usize]
}

fn arrange<'a>(
    row: &mut Row<'a>,
    parts: [Vec<Cell<'a>>; PARTS],
    align: Align,
    focus: Option<(usize, usize)>,
    width: usize,
) {
    let len = |part: Part| parts[part as usize].len();
    let (mut left, mut centre, mut right) = (len(Part::Left), len(Part::Centre), len(Part::Right));
    let (mut list, mut after, mut absolute) = (len(Part::List), len(Part::After), len(Part::Absolute));
    let whole = list;
    let trim = |order: &mut [&mut usize]| {
        let mut over = order.iter().map(|n| **n).sum::<usize>().saturating_sub(width);
        for n in order {
            let cut = over.min(**n);
            **n -= cut;
            over -= cut;
        }
    };
    match align {
        Align::Default => return no_list(row, &parts, width),
        Align::Left | Align::Right => trim(&mut [&mut centre, &mut list, &mut right, &mut after, &mut left]),
        Align::Centre => trim(&mut [&mut list, &mut after, &mut centre, &mut right, &mut left]),
        Align::AbsoluteCentre => {
            trim(&mut [&mut centre, &mut right, &mut left]);
            trim(&mut [&mut list, &mut after, &mut absolute]);
        }
    }
    if list == 0 && align != Align::AbsoluteCentre {
        // Without room for the list what comes behind it is not shown either.
        return no_list(row, &parts, width);
    }
    row.put(&parts, Part::Left, 0, 0, left);
    let centre_from = parts[Part::Centre as usize].len() / 2 - (centre / 2).min(parts[Part::Centre as usize].len() / 2);
    let between = |from: usize, to: usize| (from + to.saturating_sub(from) / 2).saturating_sub(centre / 2);
    let absolute = absolute.min(width);
    match align {
        Align::Left | Align::Default => {
            row.put(&parts, Part::Right, width - right, len_of(&parts, Part::Right) - right, right);
            row.put(&parts, Part::After, left + list, 0, after);
            row.put(&parts, Part::Centre, between(left + list + after, width - right), centre_from, centre);
            put_list(row, &parts, left, list, focus.unwrap_or((0, 0)));
        }
        Align::Centre => {
            row.put(&parts, Part::Right, width - right, len_of(&parts, Part::Right) - right, right);
            let middle = left + (width - right - left) / 2;
            let start = middle.saturating_sub(list / 2);
            put_before(row, &parts, left, start, centre);
            row.put(&parts, Part::After, start + list, 0, after);
            put_list(row, &parts, start, list, focus.unwrap_or((whole / 2, whole / 2)));
        }
        Align::Right => {
            row.put(&parts, Part::After, width - after, len_of(&parts, Part::After) - after, after);
            let start = width - right - list - after;
            row.put(&parts, Part::Right, start, 0, right);
            row.put(&parts, Part::Centre, between(left, start), centre_from, centre);
            put_list(row, &parts, width - list - after, list, focus.unwrap_or((0, 0)));
        }
        Align::AbsoluteCentre => {
            row.put(&parts, Part::Right, width - right, len_of(&parts, Part::Right) - right, right);
            let middle = left + (width - right - left) / 2;
            put_before(row, &parts, left, middle, centre);
            let start = (width - list - absolute) / 2;
            row.put(&parts, Part::Absolute, start, 0, absolute);
            put_list(row, &parts, start + absolute, list, focus.unwrap_or((whole / 2, whole / 2)));
            row.put(&parts, Part::After, start + absolute + list, 0, after);
            return;
        }
    }
    row.put(&parts, Part::Absolute, (width - absolute) / 2, 0, absolute);
}

/// The centre's `centre` columns so that they end at `end`; what would run into the left part is cut off.
fn put_before<'a>(row: &mut Row<'a>, parts: &[Vec<Cell<'a>>; PARTS], left: usize, end: usize, centre: usize) {
    let shown = centre.min(end.saturating_sub(left));
    row.put(parts, Part::Centre, end - shown, centre - shown, shown);
}

fn len_of(parts: &[Vec<Cell<'_>>; PARTS], part: Part) -> usize {
    parts[part as usize].len()
}

fn no_list<'a>(row: &mut Row<'a>, parts: &[Vec<Cell<'a>>; PARTS], width: usize) {
    let all = (len_of(parts, Part::Left), len_of(parts, Part::Centre), len_of(parts, Part::Right));
    let (left, centre, right) = share(all.0, all.1, all.2, width);
    row.put(parts, Part::Left, 0, 0, left);
    row.put(parts, Part::Right, width - right, all.2 - right, right);
    let middle = (left + (width - right - left) / 2).saturating_sub(centre / 2);
    row.put(parts, Part::Centre, middle, all.1 / 2 - centre / 2, centre);
    let absolute = len_of(parts, Part::Absolute).min(width);
    row.put(parts, Part::Absolute, (width - absolute) / 2, 0, absolute);
}

/// The list in `width` columns at `x`: all of it, or a part around the middle of the focus with markers.
fn put_list<'a>(
    row: &mut Row<'a>,
    parts: &[Vec<Cell<'a>>; PARTS],
    mut x: usize,
    mut width: usize,
    focus: (usize, usize),
) {
    let whole = len_of(parts, Part::List);
    if width >= whole {
        return row.put(parts, Part::List, x, 0, width);
    }
    let middle = focus.0 + focus.1.saturating_sub(focus.0) / 2;
    let mut start = middle.saturating_sub(width / 2).min(whole - width);
    let (before, behind) = (&parts[Part::LeftMarker as usize], &parts[Part::RightMarker as usize]);
    if start != 0 && width > before.len() {
        row.copy(before, x, 0, before.len());
        x += before.len();
        start += before.len();
        width -= before.len();
    }
    if start + width < whole && width > behind.len() {
        row.copy(behind, x + width - behind.len(), 0, behind.len());
        width -= behind.len();
    }
    row.put(parts, Part::List, x, start, width);
}

/// Joins equal neighbours; halves of wide characters that were cut apart become blanks.
fn finish(cells: Vec<Cell<'_>>, ranges: Vec<(u16, u16, Range)>, width: u16) -> Drawn {
    let mut runs: Vec<Run> = Vec::new();
    let mut second = false;
    for (x, cell) in cells.iter().enumerate() {
        let whole = cell.wide && cells.get(x + 1).is_some_and(|n| n.text.is_empty());
        if std::mem::replace(&mut second, whole) && cell.text.is_empty() {
            second = false;
            continue;
        }
        let text = if cell.text.is_empty() || (cell.wide && !whole) { " " } else { cell.text };
        match runs.last_mut() {
            Some(run) if run.style == cell.style && run.link == cell.link && run.gap == cell.gap => {
                run.text.push_str(text);
            }
            _ => {
                let link = cell.link.clone();
                runs.push(Run { x: x as u16, text: text.to_owned(), style: cell.style, link, gap: cell.gap });
            }
        }
    }
    Drawn { runs, ranges, width }
}

/// The line-drawing character behind a letter of DEC's special graphics.
fn acs(text: &str) -> &str {
    match text {
        "`" => "◆",
        "a" => "▒",
        "f" => "°",
        "g" => "±",
        "j" => "┘",
        "k" => "┐",
        "l" => "┌",
        "m" => "└",
        "n" => "┼",
        "o" => "⎺",
        "p" => "⎻",
        "q" => "─",
        "r" => "⎼",
        "s" => "⎽",
        "t" => "├",
        "u" => "┤",
        "v" => "┴",
        "w" => "┬",
        "x" => "│",
        "y" => "≤",
        "z" => "≥",
        "{" => "π",
        "|" => "≠",
        "}" => "£",
        "~" => "·",
        other => other,
    }
}
