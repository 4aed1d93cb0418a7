//! Fuzzy matching as in pickers: groups between `|`, any of which may match; in a group every term between blanks must.
//! A term is a subsequence; `'term` is an exact substring, `^term` a start, `term$` an end, `!term` must not be there
//! (as a substring). Case counts only if the pattern has an upper-case ASCII letter. Styles in the text are not seen, but
//! where they align it is: matches are told as columns of the drawn text.

use super::style::{Align, StyleSpec};
use super::text::{Piece, pieces};

struct Glyph<'a> {
    text: &'a str,
    width: usize,
    align: usize,
    offset: usize,
}

#[derive(Clone, Copy)]
struct Term<'a> {
    text: &'a str,
    inverse: bool,
    exact: bool,
    prefix: bool,
    suffix: bool,
}

const HASH: &str = "#";

/// The score of the best group (higher is better, never negative) and the sorted columns that matched, for a text drawn
/// `width` columns wide; `None` if it does not match. An empty pattern matches everything with score 0.
pub fn search(pattern: &str, text: &str, width: usize) -> Option<(u32, Vec<usize>)> {
    if pattern.trim_matches([' ', '|']).is_empty() {
        return Some((0, Vec::new()));
    }
    let fold = !pattern.bytes().any(|b| b.is_ascii_uppercase());
    let (glyphs, widths) = scan(text);
    let mut best: Option<(i64, Vec<usize>)> = None;
    for group in pattern.split('|') {
        if let Some(found) = match_group(group, &glyphs, fold)
            && best.as_ref().is_none_or(|b| found.0 > b.0)
        {
            best = Some(found);
        }
    }
    let (score, hits) = best?;
    let layout = layout(widths, width);
    let mut columns: Vec<usize> = hits
        .iter()
        .filter_map(|n| {
            let g = &glyphs[*n];
            let (start, from, shown) = layout[g.align];
            (g.offset >= from && g.offset < from + shown).then(|| {
                let x = start + g.offset - from;
                x..(x + g.width).min(width)
            })
        })
        .flatten()
        .collect();
    columns.sort_unstable();
    columns.dedup();
    Some((u32::try_from(score.max(0)).unwrap_or(u32::MAX), columns))
}

/// The columns of [`search`].
pub fn columns(pattern: &str, text: &str, width: usize) -> Option<Vec<usize>> {
    search(pattern, text, width).map(|(_, c)| c)
}

fn scan(text: &str) -> (Vec<Glyph<'_>>, [usize; 4]) {
    let mut glyphs = Vec::new();
    let mut widths = [0; 4];
    let mut spec = StyleSpec::default();
    for piece in pieces(text) {
        let align = match spec.align {
            Align::Default | Align::Left => 0,
            Align::Centre => 1,
            Align::Right => 2,
            Align::AbsoluteCentre => 3,
        };
        let mut add = |text, width| {
            glyphs.push(Glyph { text, width, align, offset: widths[align] });
            widths[align] += width;
        };
        match piece {
            Piece::Hashes { drawn, .. } => (0..drawn).for_each(|_| add(HASH, 1)),
            Piece::Text(t, w) => add(t, w),
            Piece::Style { inner, .. } => {
                let _ = spec.apply(inner, &crate::base::Style::DEFAULT);
            }
            Piece::Unfinished => break,
        }
    }
    (glyphs, widths)
}

/// Where each alignment starts, what of it is cut at its start, and how much is shown: as drawing without a list does.
fn layout(w: [usize; 4], width: usize) -> [(usize, usize, usize); 4] {
    let (left, centre, right) = super::draw::share(w[0], w[1], w[2], width);
    let absolute = w[3].min(width);
    let middle = (left + (width - right - left) / 2).saturating_sub(centre / 2);
    [
        (0, 0, left),
        (middle, w[1] / 2 - centre / 2, centre),
        (width - right, w[2] - right, right),
        ((width - absolute) / 2, 0, absolute),
    ]
}

fn match_group(group: &str, glyphs: &[Glyph<'_>], fold: bool) -> Option<(i64, Vec<usize>)> {
    let mut score = 0;
    let mut hits = Vec::new();
    let mut any = false;
    for word in group.split(' ').filter(|w| !w.is_empty()) {
        let term = parse(word)?;
        any = true;
        let needle: Vec<&str> = crate::base::width::clusters(term.text).map(|c| c.0).collect();
        let found = if term.exact { exact(term, &needle, glyphs, fold) } else { subsequence(&needle, glyphs, fold) };
        match (term.inverse, found) {
            (true, None) => {}
            (false, Some((value, at))) => {
                score += value;
                hits.extend(at);
            }
            _ => return None,
        }
    }
    any.then_some((score, hits))
}

/// A word as a term; `None` if nothing is left of it.
fn parse(word: &str) -> Option<Term<'_>> {
    let (inverse, word) = word.strip_prefix('!').map_or((false, word), |w| (true, w));
    let (prefix, rest) = word.strip_prefix('^').map_or((false, word), |w| (true, w));
    let (quoted, rest) =
        if prefix { (false, rest) } else { rest.strip_prefix('\'').map_or((false, rest), |w| (true, w)) };
    let (suffix, text) = rest.strip_suffix('$').map_or((false, rest), |w| (true, w));
    let exact = inverse || prefix || quoted || suffix;
    (!text.is_empty()).then_some(Term { text, inverse, exact, prefix, suffix })
}

fn same(a: &str, b: &str, fold: bool) -> bool {
    a == b || (fold && a.len() == 1 && a.eq_ignore_ascii_case(b))
}

fn after_boundary(glyphs: &[Glyph<'_>], at: usize) -> bool {
    at > 0 && matches!(glyphs[at - 1].text, " " | "-" | "_" | "/" | "." | ":")
}

/// Better at the start or after a boundary, worse the further in.
fn place(glyphs: &[Glyph<'_>], at: usize) -> i64 {
    let bonus = if at == 0 { 12 } else { 8 * i64::from(after_boundary(glyphs, at)) };
    bonus - at.min(10) as i64
}

fn exact(term: Term<'_>, needle: &[&str], glyphs: &[Glyph<'_>], fold: bool) -> Option<(i64, Vec<usize>)> {
    let last = glyphs.len().checked_sub(needle.len())?;
    let from = if term.suffix { last } else { 0 };
    let to = if term.prefix { 0 } else { last };
    let fixed = 1000 + 6 * needle.len() as i64 + 200 * i64::from(term.prefix) + 100 * i64::from(term.suffix);
    let mut best: Option<(i64, usize)> = None;
    for at in from..=to {
        if needle.iter().zip(&glyphs[at..]).all(|(n, g)| same(n, g.text, fold)) {
            let tail = if term.prefix || term.suffix { 0 } else { (last - at) as i64 };
            let score = fixed + place(glyphs, at) - tail;
            if best.is_none_or(|b| score > b.0) {
                best = Some((score, at));
            }
        }
    }
    best.map(|(score, at)| (score, (at..at + needle.len()).collect()))
}

/// The first end of a subsequence, then from there back its tightest form.
fn subsequence(needle: &[&str], glyphs: &[Glyph<'_>], fold: bool) -> Option<(i64, Vec<usize>)> {
    let mut end = 0;
    for n in needle {
        end += 1 + glyphs[end..].iter().position(|g| same(n, g.text, fold))?;
    }
    let mut at = Vec::with_capacity(needle.len());
    for n in needle.iter().rev() {
        end = glyphs[..end].iter().rposition(|g| same(n, g.text, fold))?;
        at.push(end);
    }
    at.reverse();
    let mut score = place(glyphs, *at.first()?);
    for pair in at.windows(2) {
        if pair[1] == pair[0] + 1 {
            score += 6;
        } else if after_boundary(glyphs, pair[1]) {
            score += 8;
        }
    }
    let span = at[at.len() - 1] - at[0] + 1;
    Some((score - (span - at.len()) as i64, at))
}
