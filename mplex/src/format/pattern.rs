//! Extended regular expressions of POSIX on top of the `regex` crate, which matches in linear time. One difference stays:
//! of alternatives the first that matches is taken, not the longest.

use regex::{Regex, RegexBuilder};

/// Bytes a compiled expression may take.
const SIZE_LIMIT: usize = 1 << 20;

/// Compiles a POSIX extended regular expression; `None` if it is not one. `.` matches a newline, `^` and `$` the ends of
/// the text only.
pub fn compile(pattern: &str, icase: bool) -> Option<Regex> {
    RegexBuilder::new(&translate(pattern)?)
        .case_insensitive(icase)
        .dot_matches_new_line(true)
        .size_limit(SIZE_LIMIT)
        .dfa_size_limit(SIZE_LIMIT)
        .build()
        .ok()
}

/// True if the expression matches somewhere in the text; a wrong expression matches nothing.
pub fn is_match(pattern: &str, text: &str, icase: bool) -> bool {
    compile(pattern, icase).is_some_and(|re| re.is_match(text))
}

/// Replaces every match of `pattern` by `with`, in which `\0` to `\9` are the match and its groups; the result is cut
/// when it grows over `limit` bytes. `None` if the pattern is wrong.
pub fn substitute(pattern: &str, with: &str, text: &str, icase: bool, limit: usize) -> Option<String> {
    if text.is_empty() || pattern.is_empty() {
        return Some(text.to_owned());
    }
    let re = compile(pattern, icase)?;
    let anchored = pattern.starts_with('^');
    let mut out = String::new();
    let (mut start, mut last) = (0, 0);
    let mut after_empty = false;
    while start <= text.len() && out.len() <= limit {
        // Each search sees only what is left, so that `^` inside a group means the rest's beginning.
        let Some(m) = re.captures(&text[start..]) else {
            break;
        };
        let Some(whole) = m.get(0) else { break };
        let (from, to) = (start + whole.start(), start + whole.end());
        out.push_str(&text[last..from]);
        if anchored {
            expand(&mut out, with, &m);
            last = to;
            break;
        }
        if after_empty || from != last || from != to {
            expand(&mut out, with, &m);
            start = to;
            after_empty = false;
        } else {
            // An empty match right where the last ended: step over one character.
            start = to + text[to..].chars().next().map_or(1, char::len_utf8);
            after_empty = true;
        }
        last = to;
    }
    out.push_str(&text[last..]);
    Some(out)
}

fn expand(out: &mut String, with: &str, m: &regex::Captures<'_>) {
    let mut chars = with.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some(d) => match d.to_digit(10).and_then(|n| m.get(n as usize)).filter(|g| !g.is_empty()) {
                Some(group) => out.push_str(group.as_str()),
                None => out.push(d),
            },
            None => out.push('\\'),
        }
    }
}

/// Rewrites a POSIX extended expression for the `regex` crate. What the crate would read as its own (lazy repetition,
/// classes such as `\d`, set operations, flags) is made plain or left out.
fn translate(pattern: &str) -> Option<String> {
    let mut out = String::with_capacity(pattern.len() + 16);
    let c: Vec<char> = pattern.chars().collect();
    let mut i = 0;
    // Where the last atom starts in `out`, if something can be repeated, and whether it is repeated already.
    let mut atom: Option<usize> = None;
    let mut repeated = false;
    let mut open = Vec::new();
    while i < c.len() {
        let here = out.len();
        match c[i] {
            '*' | '+' | '?' => {
                if let Some(start) = atom {
                    if repeated {
                        out.insert_str(start, "(?:");
                        out.push(')');
                    }
                    out.push(c[i]);
                    repeated = true;
                }
                i += 1;
                continue;
            }
            '{' => {
                if let (Some(start), Some((bounds, len))) = (atom, interval(&c[i..])) {
                    if repeated {
                        out.insert_str(start, "(?:");
                        out.push(')');
                    }
                    out.push_str(&bounds);
                    repeated = true;
                    i += len;
                    continue;
                }
                out.push_str("\\{");
                atom = Some(here);
            }
            '(' => {
                out.push('(');
                open.push(here);
                atom = None;
            }
            ')' => match open.pop() {
                Some(start) => {
                    out.push(')');
                    atom = Some(start);
                }
                None => return None,
            },
            '|' => {
                out.push('|');
                atom = None;
            }
            '^' | '$' => {
                out.push(c[i]);
                atom = None;
            }
            '[' => {
                i = bracket(&c, i, &mut out)?;
                atom = Some(here);
                repeated = false;
                continue;
            }
            '\\' => {
                i += 1;
                match *c.get(i)? {
                    '<' => out.push_str("\\b{start}"),
                    '>' => out.push_str("\\b{end}"),
                    '`' => out.push_str("\\A"),
                    '\'' => out.push_str("\\z"),
                    k @ ('w' | 'W' | 's' | 'S' | 'b' | 'B') => out.extend(['\\', k]),
                    '1'..='9' => return None,
                    k => out.push_str(&regex::escape(k.encode_utf8(&mut [0; 4]))),
                }
                atom = Some(here);
            }
            '.' => {
                out.push('.');
                atom = Some(here);
            }
            k => {
                out.push_str(&regex::escape(k.encode_utf8(&mut [0; 4])));
                atom = Some(here);
            }
        }
        repeated = false;
        i += 1;
    }
    open.is_empty().then_some(out)
}

/// `{2}`, `{2,}`, `{,3}`, `{2,3}` at the start of `c`: how the crate writes it, and its length.
fn interval(c: &[char]) -> Option<(String, usize)> {
    let end = c.iter().position(|k| *k == '}')?;
    let inner: String = c[1..end].iter().collect();
    let (low, high) = inner.split_once(',').unwrap_or((&inner, &inner));
    let number = |s: &str| s.is_empty() || s.parse::<u16>().is_ok_and(|n| n <= 0x7fff);
    if inner.is_empty() || !number(low) || !number(high) {
        return None;
    }
    let low = if low.is_empty() { "0" } else { low };
    let text = if inner.contains(',') { format!("{{{low},{high}}}") } else { format!("{{{low}}}") };
    Some((text, end + 1))
}

/// A bracket expression at `c[at]`; where it ends.
fn bracket(c: &[char], at: usize, out: &mut String) -> Option<usize> {
    out.push('[');
    let mut i = at + 1;
    if c.get(i) == Some(&'^') {
        out.push('^');
        i += 1;
    }
    let start = i;
    loop {
        let k = *c.get(i)?;
        match k {
            ']' if i > start => {
                out.push(']');
                return Some(i + 1);
            }
            '[' if matches!(c.get(i + 1), Some(':' | '.' | '=')) => {
                let kind = c[i + 1];
                let len = (i + 2..c.len().saturating_sub(1)).find(|n| c[*n] == kind && c[n + 1] == ']')?;
                let name: String = c[i + 2..len].iter().collect();
                if kind == ':' {
                    out.push_str(&format!("[:{name}:]"));
                } else {
                    out.push_str(&regex::escape(&name));
                }
                i = len + 2;
                continue;
            }
            // Plain at either end, a range between two others.
            '-' if i == start || c.get(i + 1) == Some(&']') => out.push_str("\\-"),
            '-' => out.push('-'),
            _ => {
                if matches!(k, '[' | ']' | '\\' | '^' | '&' | '~') {
                    out.push('\\');
                }
                out.push(k);
            }
        }
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn posix_syntax() {
        let check = |p: &str, t: &str, want: bool| assert_eq!(is_match(p, t, false), want, "{p:?} against {t:?}");
        check("^[0-9]+$", "12345", true);
        check("^[0-9]+$", "12a45", false);
        check("[[:alpha:]]x", "ax", true);
        check("[]a]", "]", true);
        check("[^]a]", "]", false);
        check("[\\d]", "\\", true);
        check("\\d", "d", true);
        check("\\d", "1", false);
        check("a{2}", "aa", true);
        check("a{", "a{", true);
        check("*a", "a", true);
        check("a+?b", "b", true);
        check("(a", "a", false);
        check("a)", "a", false);
        check("[", "[", false);
        check("\\.", ".", true);
        check("a.b", "a\nb", true);
        check("[a&&b]", "&", true);
        check("[a-]", "-", true);
        check("(?i)A", "a", false);
        assert!(is_match("^ab+$", "ABBB", true));
    }

    #[test]
    fn substitutes() {
        let check = |p: &str, w: &str, t: &str, want: &str| {
            assert_eq!(substitute(p, w, t, false, 1 << 20).as_deref(), Some(want), "{p:?} by {w:?} in {t:?}");
        };
        check("[bd]", "X", "abcdef", "aXcXef");
        check("(.)(.)", "\\2\\1", "abcd", "badc");
        check("^abc", "X", "abcabc", "Xabc");
        check("^", "X", "abc", "Xabc");
        check("$", "X", "abc", "abcX");
        check("x*", "X", "abc", "aXbXcX");
        check("x*", "", "中文", "中文");
        check("", "X", "abc", "abc");
        assert_eq!(substitute("[", "X", "abc", false, 100), None);
    }
}
