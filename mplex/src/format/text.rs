//! Texts of formats: widths and cuts that know `#[style]`, quoting, and the number syntax of C.

use super::parse::skip;
use crate::base::width::{clusters, text_width};

/// What a formatted text is made of when it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A run of `#`: drawn as `drawn` of them. The last of an odd run before `[` belongs to the style.
    Hashes { drawn: usize, written: usize },
    /// `#[...]` as written, and what is between the brackets.
    Style { whole: &'a str, inner: &'a str },
    /// `#[` without an end; nothing more follows.
    Unfinished,
    /// A cluster of characters with its width; control characters never come up.
    Text(&'a str, usize),
}

/// Takes a formatted text apart as drawing does.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let b = rest.as_bytes();
            if b.is_empty() {
                return None;
            }
            if b[0] == b'#' {
                let run = b.iter().take_while(|c| **c == b'#').count();
                if b.get(run) != Some(&b'[') {
                    rest = &rest[run..];
                    return Some(Piece::Hashes { drawn: run.div_ceil(2), written: run });
                }
                if run >= 2 {
                    let odd = run % 2;
                    rest = &rest[run - odd..];
                    return Some(Piece::Hashes { drawn: run / 2, written: run - odd });
                }
                let Some(end) = skip(&rest[2..], b"]") else {
                    rest = "";
                    return Some(Piece::Unfinished);
                };
                let piece = Piece::Style { whole: &rest[..end + 3], inner: &rest[2..end + 2] };
                rest = &rest[end + 3..];
                return Some(piece);
            }
            let (cluster, width) = clusters(rest).next()?;
            rest = &rest[cluster.len()..];
            if cluster.starts_with(char::is_control) {
                continue;
            }
            return Some(Piece::Text(cluster, width as usize));
        }
    })
}

/// Columns of a text when drawn; 0 if a style in it has no end.
pub fn width(text: &str) -> usize {
    let mut total = 0;
    for piece in pieces(text) {
        match piece {
            Piece::Hashes { drawn, .. } => total += drawn,
            Piece::Text(_, w) => total += w,
            Piece::Style { .. } => {}
            Piece::Unfinished => return 0,
        }
    }
    total
}

/// Writes `shown` hashes so that drawing gives as many; a lone `#` may stay alone.
fn push_hashes(out: &mut String, shown: usize, written: usize) {
    let n = if written == 1 { shown.min(1) } else { 2 * shown };
    out.extend(std::iter::repeat_n('#', n));
}

/// The first `limit` columns, styles kept up to there.
pub fn trim_left(text: &str, limit: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for piece in pieces(text) {
        match piece {
            // A style right after the hashes that filled the limit goes with them.
            Piece::Style { whole, .. } if used < limit || out.ends_with('#') => out.push_str(whole),
            _ if used >= limit => break,
            Piece::Hashes { drawn, written } => {
                push_hashes(&mut out, drawn.min(limit - used), written);
                used += drawn;
            }
            Piece::Style { whole, .. } => out.push_str(whole),
            Piece::Unfinished => break,
            Piece::Text(cluster, w) => {
                if used + w <= limit {
                    out.push_str(cluster);
                }
                used += w;
            }
        }
    }
    out
}

/// The last `limit` columns; all styles are kept.
pub fn trim_right(text: &str, limit: usize) -> String {
    let total = width(text);
    if total <= limit {
        return text.to_owned();
    }
    let skip = total - limit;
    let mut out = String::new();
    let mut used = 0;
    for piece in pieces(text) {
        match piece {
            Piece::Hashes { drawn, written } => {
                let hidden = skip.saturating_sub(used).min(drawn);
                push_hashes(&mut out, drawn - hidden, written);
                used += drawn;
            }
            Piece::Style { whole, .. } => out.push_str(whole),
            Piece::Unfinished => break,
            Piece::Text(cluster, w) => {
                if used >= skip {
                    out.push_str(cluster);
                }
                used += w;
            }
        }
    }
    out
}

/// Blanks up to a width: after the text, or before it if the width is negative. Styles count as text here, as in tmux.
pub fn pad(text: String, width: i64) -> String {
    let blanks = (width.unsigned_abs() as usize).saturating_sub(text_width(&text));
    if blanks == 0 {
        return text;
    }
    let blanks = " ".repeat(blanks);
    if width > 0 { text + &blanks } else { blanks + &text }
}

/// basename(3).
pub fn basename(path: &str) -> &str {
    if path.is_empty() {
        return ".";
    }
    let path = path.trim_end_matches('/');
    if path.is_empty() {
        return "/";
    }
    path.rsplit('/').next().unwrap_or(path)
}

/// dirname(3).
pub fn dirname(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return if path.is_empty() { "." } else { "/" };
    }
    match trimmed.rfind('/') {
        None => ".",
        Some(n) => {
            let dir = trimmed[..n].trim_end_matches('/');
            if dir.is_empty() { "/" } else { dir }
        }
    }
}

/// A backslash before whatever sh(1) would take for itself.
pub fn quote_shell(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if "|&;<>()$`\\\"'*?[# =%\n\t".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// In single quotes for sh(1).
pub fn quote_single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Every `#` doubled, so that neither formats nor styles see it.
pub fn quote_style(text: &str) -> String {
    text.replace('#', "##")
}

/// As one argument of a command of the configuration language: quotes only where needed.
pub fn quote_argument(text: &str) -> String {
    if text.is_empty() {
        return String::from("''");
    }
    let quote = if text.contains([' ', '#', '\'', ';', '$', '{', '}', '%']) {
        Some('"')
    } else if text.contains('"') {
        Some('\'')
    } else {
        None
    };
    let mut chars = text.chars();
    if let (Some(c), None) = (chars.next(), chars.next())
        && c != ' '
        && (quote.is_some() || c == '~')
    {
        return format!("\\{c}");
    }
    let mut out = String::with_capacity(text.len() + 8);
    out.extend(quote);
    if text.starts_with('~') && quote != Some('\'') {
        out.push('\\');
    }
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        match c {
            '\\' => out.push_str("\\\\"),
            '"' if quote == Some('"') => out.push_str("\\\""),
            '$' if quote == Some('"') && next.is_some_and(|n| n.is_ascii_alphabetic() || n == '_' || n == '{') => {
                out.push_str("\\$");
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\x08' => out.push_str("\\b"),
            '\x07' => out.push_str("\\a"),
            '\x0b' => out.push_str("\\v"),
            '\t' => out.push_str("\\t"),
            '\x0c' => out.push_str("\\f"),
            c if c.is_ascii_control() => out.push_str(&format!("\\{:03o}", c as u32)),
            c => out.push(c),
        }
    }
    out.extend(quote);
    out
}

/// Takes escaping `#` away, except inside of `#{...}`.
pub(super) fn strip(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0i32;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '#' && chars.peek().is_some_and(|n| matches!(n, ',' | '#' | '{' | '}' | ':')) {
            depth += i32::from(chars.peek() == Some(&'{'));
            if depth != 0 {
                out.push(c);
            }
            continue;
        }
        if c == '}' {
            depth -= 1;
        }
        out.push(c);
    }
    out
}

/// A whole decimal number within bounds, as strtonum(3) reads it: blanks and a sign may lead.
pub fn number(text: &str, min: i64, max: i64) -> Option<i64> {
    let t = text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
    let digits = t.strip_prefix(['+', '-']).unwrap_or(t);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    t.parse().ok().filter(|n| (min..=max).contains(n))
}

/// A number as strtod(3) reads it, hexadecimal included; the empty text is 0.
pub(super) fn decimal(text: &str) -> Option<f64> {
    if text.is_empty() {
        return Some(0.0);
    }
    let t = text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
    let (negative, digits) = match t.as_bytes().first() {
        Some(b'-') => (true, &t[1..]),
        Some(b'+') => (false, &t[1..]),
        _ => (false, t),
    };
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) if !hex.is_empty() && hex.bytes().all(|b| b.is_ascii_hexdigit()) => {
            hex.bytes().fold(0.0, |n, b| n * 16.0 + f64::from((b as char).to_digit(16).unwrap_or(0)))
        }
        Some(_) => return None,
        None if digits.starts_with(['+', '-']) => return None,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

/// Cuts the fraction off; what no 64 bit integer holds becomes the smallest, as the conversion of C does.
pub(super) fn truncate(n: f64) -> f64 {
    if n.is_finite() && n.abs() < 9.3e18 { (n as i64) as f64 } else { i64::MIN as f64 }
}
