//! fnmatch(3): shell patterns on plain text, where `/` and a leading `.` are characters like any other.

/// True if the whole text matches: `*`, `?`, `[a-z]`, `[!a-z]`, `[[:alpha:]]`; a backslash makes the next character plain.
/// Time is bounded by the product of the lengths.
pub fn fnmatch(pattern: &str, text: &str, icase: bool) -> bool {
    let p: Vec<char> = pattern.chars().collect();
    let t: Vec<char> = text.chars().collect();
    let (mut pi, mut ti) = (0, 0);
    // Where to resume when the part after the last star does not fit: pattern after the star, text one further.
    let mut star = None;
    while ti < t.len() {
        if p.get(pi) == Some(&'*') {
            pi += 1;
            star = Some((pi, ti));
            continue;
        }
        if let Some(len) = one(&p[pi..], t[ti], icase) {
            pi += len;
            ti += 1;
            continue;
        }
        let Some((after, from)) = star else { return false };
        star = Some((after, from + 1));
        (pi, ti) = (after, from + 1);
    }
    p[pi..].iter().all(|c| *c == '*')
}

/// True if the pattern has characters that mean something.
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Matches one character; how long the pattern's element is.
fn one(p: &[char], c: char, icase: bool) -> Option<usize> {
    match *p.first()? {
        '?' => Some(1),
        '[' => match set(p, c, icase) {
            Some((len, hit)) => hit.then_some(len),
            None => same('[', c, icase).then_some(1),
        },
        // A backslash at the very end matches nothing.
        '\\' => same(*p.get(1)?, c, icase).then_some(2),
        plain => same(plain, c, icase).then_some(1),
    }
}

fn fold(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

fn same(a: char, b: char, icase: bool) -> bool {
    a == b || (icase && fold(a) == fold(b))
}

/// A bracket expression: its length and whether `c` is in it; `None` if it has no end.
fn set(p: &[char], c: char, icase: bool) -> Option<(usize, bool)> {
    let mut i = 1;
    let negated = matches!(p.get(i), Some('!' | '^'));
    i += usize::from(negated);
    let mut hit = false;
    let start = i;
    loop {
        let mut low = *p.get(i)?;
        if low == ']' && i > start {
            return Some((i + 1, hit != negated));
        }
        if low == '['
            && p.get(i + 1) == Some(&':')
            && let Some(len) = p[i + 2..].iter().position(|x| *x == ':').filter(|n| p.get(i + 3 + n) == Some(&']'))
        {
            let class: String = p[i + 2..i + 2 + len].iter().collect();
            hit |= in_class(&class, c, icase);
            i += len + 4;
            continue;
        }
        if low == '\\' {
            i += 1;
            low = *p.get(i)?;
        }
        i += 1;
        let mut high = low;
        if p.get(i) == Some(&'-') && p.get(i + 1).is_some_and(|n| *n != ']') {
            i += 1;
            if p.get(i) == Some(&'\\') {
                i += 1;
            }
            high = *p.get(i)?;
            i += 1;
        }
        let within = |c: char| (low..=high).contains(&c);
        hit |= within(c) || (icase && (within(fold(c)) || c.to_uppercase().any(within)));
    }
}

fn in_class(name: &str, c: char, icase: bool) -> bool {
    match name {
        "alpha" => c.is_alphabetic(),
        "digit" => c.is_ascii_digit(),
        "alnum" => c.is_alphabetic() || c.is_ascii_digit(),
        "upper" => c.is_uppercase() || (icase && c.is_lowercase()),
        "lower" => c.is_lowercase() || (icase && c.is_uppercase()),
        "space" => c.is_whitespace(),
        "blank" => c == ' ' || c == '\t',
        "punct" => c.is_ascii_punctuation(),
        "cntrl" => c.is_control(),
        "print" => !c.is_control(),
        "graph" => !c.is_control() && !c.is_whitespace(),
        "xdigit" => c.is_ascii_hexdigit(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::fnmatch;

    #[test]
    fn patterns() {
        let check = |p: &str, t: &str, want: bool| assert_eq!(fnmatch(p, t, false), want, "{p:?} against {t:?}");
        check("", "", true);
        check("", "a", false);
        check("*", "", true);
        check("*foo*", "barfoobar", true);
        check("*foo*", "barbar", false);
        check("a*b*c", "axxbyyc", true);
        check("a*b*c", "axxbyy", false);
        check("?b?", "abc", true);
        check("[a-c]x", "bx", true);
        check("[!a-c]x", "bx", false);
        check("[]]", "]", true);
        check("[", "[", true);
        check("[a", "[a", true);
        check("[[:digit:]]*", "1a", true);
        check("\\*", "*", true);
        check("\\*", "a", false);
        check("*.c", "a/b.c", true);
        check("*中*", "中文", true);
        assert!(fnmatch("*FOO*", "barfoobar", true));
        assert!(fnmatch("[A-C]", "b", true));
    }

    #[test]
    fn many_stars_are_quick() {
        assert!(!fnmatch(&"*a".repeat(200), &"a".repeat(150), false));
    }
}
