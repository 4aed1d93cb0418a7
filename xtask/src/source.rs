//! Just enough of Rust's grammar for tidy: comments and literals blanked, test code cut out, imports listed.

/// The source with comments and the insides of string and character literals replaced by spaces; newlines stay.
pub(crate) fn blank(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut out = String::with_capacity(source.len());
    let mut i = 0;
    let space = |c: char| if c == '\n' { '\n' } else { ' ' };
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    // The `r` of a raw string begins a word, or follows the `b` or `c` of a byte or C string.
    let begins_word =
        |out: &str| !out.ends_with(|c: char| c.is_alphanumeric() || c == '_') || out.ends_with(['b', 'c']);
    while i < chars.len() {
        let c = at(i);
        if c == '/' && at(i + 1) == '/' {
            while i < chars.len() && at(i) != '\n' {
                out.push(' ');
                i += 1;
            }
        } else if c == '/' && at(i + 1) == '*' {
            let mut depth = 0;
            while i < chars.len() {
                match (at(i), at(i + 1)) {
                    ('/', '*') => depth += 1,
                    ('*', '/') => depth -= 1,
                    _ => {
                        out.push(space(at(i)));
                        i += 1;
                        continue;
                    }
                }
                out.push_str("  ");
                i += 2;
                if depth == 0 {
                    break;
                }
            }
        } else if let (true, Some(hashes)) = (c == 'r' && begins_word(&out), raw_hashes(&chars, i + 1)) {
            let end: String = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
            let body = i + 2 + hashes;
            let mut close = body;
            while close < chars.len() && !end.chars().enumerate().all(|(n, e)| at(close + n) == e) {
                close += 1;
            }
            let stop = (close + end.len()).min(chars.len());
            chars[i..stop].iter().for_each(|&c| out.push(space(c)));
            i = stop;
        } else if c == '"' {
            out.push('"');
            i += 1;
            while i < chars.len() && at(i) != '"' {
                if at(i) == '\\' {
                    out.push(' ');
                    i += 1;
                }
                out.push(space(at(i)));
                i += 1;
            }
            out.push('"');
            i += 1;
        } else if c == '\'' && (at(i + 1) == '\\' || at(i + 2) == '\'') {
            // A character; anything else behind a quote is a lifetime.
            out.push(' ');
            i += 1;
            while i < chars.len() && at(i) != '\'' {
                if at(i) == '\\' {
                    out.push(' ');
                    i += 1;
                }
                out.push(space(at(i)));
                i += 1;
            }
            out.push(' ');
            i += 1;
        } else {
            out.push(c);
            i += 1;
        }
    }
    out
}

/// The number of `#` if a raw string begins here (after its `r`).
fn raw_hashes(chars: &[char], from: usize) -> Option<usize> {
    let hashes = chars[from.min(chars.len())..].iter().take_while(|&&c| c == '#').count();
    (chars.get(from + hashes) == Some(&'"')).then_some(hashes)
}

/// Blanked source without the items under `#[cfg(test)]`; newlines stay.
pub(crate) fn without_tests(blanked: &str) -> String {
    let mut out = String::with_capacity(blanked.len());
    let mut rest = blanked;
    while let Some(start) = rest.find("#[cfg(test)]") {
        out.push_str(&rest[..start]);
        let tail = &rest[start..];
        // The item ends with its first `;` outside braces, or with the brace that closes its first.
        let mut depth = 0usize;
        let mut end = tail.len();
        for (i, c) in tail.char_indices() {
            match c {
                '{' | '(' | '[' => depth += 1,
                '}' | ')' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && (c == ';' || c == '}') {
                end = i + 1;
                break;
            }
        }
        out.extend(tail[..end].chars().filter(|&c| c == '\n'));
        rest = &tail[end..];
    }
    out.push_str(rest);
    out
}

/// Every name that follows `root::` in blanked source, with its line (from 1); groups in braces give each of their heads.
pub(crate) fn imports<'a>(blanked: &'a str, root: &str) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    for (start, _) in blanked.match_indices(root) {
        let before = blanked[..start].chars().next_back();
        let after = blanked[start + root.len()..].trim_start();
        let inside = before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':');
        let Some(path) = after.strip_prefix("::").filter(|_| !inside) else { continue };
        let line = 1 + blanked[..start].matches('\n').count();
        let path = path.trim_start();
        if let Some(group) = path.strip_prefix('{') {
            let mut depth = 0usize;
            let mut head = true;
            for (i, c) in group.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => head = true,
                    c if head && (c.is_alphabetic() || c == '_') => {
                        found.push((line, word(&group[i..])));
                        head = false;
                    }
                    _ => {}
                }
            }
        } else {
            found.push((line, word(path)));
        }
    }
    found
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_comments_are_blank() {
        let blanked =
            blank("a // crate::x\n\"crate::y \\\" crate::z\" 'c' '\\'' &'a b /* crate::q /* */ crate::w */ c");
        assert!(!blanked.contains("crate"), "{blanked}");
        assert!(blanked.contains("&'a b") && blanked.ends_with(" c"), "{blanked}");
        assert!(!blank("r#\"crate::x\" crate::y\"# d").contains("crate"));
        assert!(blank("for r in crate::x {}").contains("crate::x"));
    }

    #[test]
    fn imports_are_found_and_tests_are_not() {
        let source = "use crate::base::{self, Rect};\nuse crate::{grid::Row, term::{a, b}, keys};\n\
                      #[cfg(test)]\nmod tests {\n use crate::server::x; fn f(a: [u8; 2]) {} }\nfn f() { crate::paint::g(); }";
        let found = without_tests(&blank(source));
        assert_eq!(imports(&found, "crate"), [(1, "base"), (2, "grid"), (2, "term"), (2, "keys"), (6, "paint")]);
        assert_eq!(imports("mplex_flow::x", "mplex_flow"), [(1, "x")]);
        assert_eq!(imports("my_crate::x a::crate::y", "crate"), []);
    }
}
