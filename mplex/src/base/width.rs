//! How many cells text takes. One policy for grid, copy, capture, prompt and dialogs.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Cells that one character takes by itself: 0 (combining), 1 or 2. Control characters are 0.
/// (`unicode-width` gives U+17D8 three; no terminal does.)
pub fn char_width(c: char) -> u8 {
    if (c as u32) < 0x7f {
        return u8::from(c as u32 >= 0x20);
    }
    c.width().unwrap_or(0).min(2) as u8
}

/// Cells that a grapheme cluster takes: 0, 1 or 2. A variation selector 16 after a narrow base widens it, flags and ZWJ
/// families are 2.
pub fn cluster_width(cluster: &str) -> u8 {
    let mut chars = cluster.chars();
    match (chars.next(), chars.next()) {
        (None, _) => 0,
        (Some(c), None) => char_width(c),
        _ => cluster.width().min(2) as u8,
    }
}

/// True if `next` joins the cluster `cluster` that ends so far, by the terminal's rules: zero-width characters, anything
/// after a ZWJ, the second regional indicator of a pair, a skin tone after a wide character.
pub fn joins(cluster: &str, next: char) -> bool {
    let Some(last) = cluster.chars().next_back() else { return false };
    if last.is_control() {
        return false;
    }
    if char_width(next) == 0 && !next.is_control() {
        return true;
    }
    if last == '\u{200d}' {
        return char_width(next) == 2 || (next as u32) >= 0x2190;
    }
    if is_regional(next) {
        return cluster.chars().count() == 1 && is_regional(last);
    }
    if ('\u{1f3fb}'..='\u{1f3ff}').contains(&next) {
        return cluster_width(cluster) == 2 || last == '\u{fe0f}';
    }
    false
}

fn is_regional(c: char) -> bool {
    ('\u{1f1e6}'..='\u{1f1ff}').contains(&c)
}

/// The clusters of a text with the cells each takes.
pub fn clusters(text: &str) -> impl Iterator<Item = (&str, u8)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut end = rest.chars().next()?.len_utf8();
        while let Some(c) = rest[end..].chars().next() {
            if !joins(&rest[..end], c) {
                break;
            }
            end += c.len_utf8();
        }
        let (head, tail) = rest.split_at(end);
        rest = tail;
        Some((head, cluster_width(head)))
    })
}

/// Cells that a text takes.
pub fn text_width(text: &str) -> usize {
    if text.bytes().all(|b| (0x20..0x7f).contains(&b)) {
        return text.len();
    }
    clusters(text).map(|(_, w)| w as usize).sum()
}

/// The longest head of `text` that fits into `cells`.
pub fn head_of_width(text: &str, cells: usize) -> &str {
    let mut used = 0;
    let mut end = 0;
    for (c, w) in clusters(text) {
        used += w as usize;
        if used > cells {
            break;
        }
        end += c.len();
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths() {
        assert_eq!(text_width("abc"), 3);
        assert_eq!(text_width("e\u{301}"), 1);
        assert_eq!(text_width("日本"), 4);
        assert_eq!(text_width("👨‍👩‍👧"), 2);
        assert_eq!(text_width("🇩🇪🇫🇷"), 4);
        assert_eq!(text_width("❤\u{fe0f}"), 2);
        assert_eq!(char_width('\u{17d8}'), 2);
        assert_eq!(head_of_width("a日b", 2), "a");
        assert_eq!(clusters("a🇩🇪🇫🇷").map(|c| c.0).collect::<Vec<_>>(), ["a", "🇩🇪", "🇫🇷"]);
    }
}
