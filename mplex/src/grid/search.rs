//! What is looked for in the text of a terminal, and where it was found.

use std::borrow::Cow;

/// What to look for.
#[derive(Clone, Debug)]
pub enum Matcher {
    Plain { text: String, ignore_case: bool },
    Regex(regex::Regex),
}

/// Where a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To newer rows.
    Forward,
    /// To older rows.
    Backward,
}

/// A position: rows from the oldest (0), columns from the left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    pub row: usize,
    pub col: u16,
}

/// What was found: `start` is its first cell, `end` its last (inclusive).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    pub start: Point,
    pub end: Point,
}

impl Matcher {
    /// A regular expression.
    ///
    /// # Errors
    /// What `regex` says of a pattern that it cannot read.
    pub fn regex(pattern: &str, ignore_case: bool) -> Result<Matcher, regex::Error> {
        regex::RegexBuilder::new(pattern).case_insensitive(ignore_case).size_limit(1 << 20).build().map(Matcher::Regex)
    }

    /// Plain text; an empty one matches nothing.
    pub fn plain(text: &str, ignore_case: bool) -> Matcher {
        Matcher::Plain { text: if ignore_case { text.to_lowercase() } else { text.to_owned() }, ignore_case }
    }

    /// All matches in a logical line, as byte ranges; empty ones are left out.
    pub fn find_all(&self, line: &str) -> Vec<(usize, usize)> {
        match self {
            Matcher::Regex(r) => r.find_iter(line).filter(|m| !m.is_empty()).map(|m| (m.start(), m.end())).collect(),
            Matcher::Plain { text, .. } if text.is_empty() => Vec::new(),
            Matcher::Plain { text, ignore_case: false } => {
                memchr::memmem::find_iter(line.as_bytes(), text).map(|at| (at, at + text.len())).collect()
            }
            Matcher::Plain { text, ignore_case: true } => {
                let (folded, back): (Cow<'_, str>, Option<Vec<usize>>) = fold(line);
                memchr::memmem::find_iter(folded.as_bytes(), text)
                    .map(|at| (at, at + text.len()))
                    .filter_map(|(a, b)| match &back {
                        None => Some((a, b)),
                        Some(back) => Some((*back.get(a)?, *back.get(b)?)),
                    })
                    .collect()
            }
        }
    }

    /// True if the line has a match.
    pub fn is_in(&self, line: &str) -> bool {
        match self {
            Matcher::Regex(r) => r.is_match(line),
            Matcher::Plain { text, ignore_case: false } => {
                !text.is_empty() && memchr::memmem::find(line.as_bytes(), text.as_bytes()).is_some()
            }
            Matcher::Plain { .. } => !self.find_all(line).is_empty(),
        }
    }
}

/// Lower case, with the way back to the bytes of the original where lengths differ.
fn fold(line: &str) -> (Cow<'_, str>, Option<Vec<usize>>) {
    if line.is_ascii() {
        return (Cow::Owned(line.to_ascii_lowercase()), None);
    }
    let mut out = String::with_capacity(line.len());
    let mut back = Vec::with_capacity(line.len() + 1);
    for (at, c) in line.char_indices() {
        for l in c.to_lowercase() {
            let n = l.len_utf8();
            out.push(l);
            back.extend(std::iter::repeat_n(at, n));
        }
    }
    back.push(line.len());
    (Cow::Owned(out), Some(back))
}
