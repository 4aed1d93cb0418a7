//! The small language of scenarios below the directives: words, quoted bytes, sizes, times, JSON with holes.

use mplex::base::{PaneId, Size, Span};
use serde_json::Value;

/// Words of a line as a shell would take them: blanks part, quotes hold together, a backslash takes the next as it is.
pub fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, ' ' | '\t') => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(q), c) if c == q => quote = None,
            (None | Some('"'), '\\') => {
                let next = chars.next().ok_or("a backslash at the end of the line")?;
                let word = word.get_or_insert_default();
                if quote.is_some() && !matches!(next, '"' | '\\' | '$' | '`') {
                    word.push('\\');
                }
                word.push(next);
            }
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("a quote without its end".to_owned());
    }
    words.extend(word);
    Ok(words)
}

/// A quoted text with `\e \r \n \t \b \" \\ \xNN`, as bytes.
pub fn quoted(text: &str) -> Result<Vec<u8>, String> {
    let inner = text
        .strip_prefix('"')
        .and_then(|t| t.strip_suffix('"'))
        .ok_or_else(|| format!("{text}: must be a text in double quotes"))?;
    unescape(inner)
}

/// A text with escapes, without its quotes.
pub fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        match chars.next() {
            Some('e') => bytes.push(0x1b),
            Some('r') => bytes.push(b'\r'),
            Some('n') => bytes.push(b'\n'),
            Some('t') => bytes.push(b'\t'),
            Some('b') => bytes.push(8),
            Some(c @ ('"' | '\\')) => bytes.push(c as u8),
            Some('x') => {
                let hex: String = chars.by_ref().take(2).collect();
                bytes.push(u8::from_str_radix(&hex, 16).map_err(|_| format!("\\x{hex}: two hex digits are needed"))?);
            }
            other => return Err(format!("\\{}: no such escape", other.unwrap_or(' '))),
        }
    }
    Ok(bytes)
}

/// Bytes as [`quoted`] reads them.
pub fn quote(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\x1b' => text.push_str("\\e"),
                '\r' => text.push_str("\\r"),
                '\n' => text.push_str("\\n"),
                '\t' => text.push_str("\\t"),
                '\x08' => text.push_str("\\b"),
                '"' | '\\' => text.extend(['\\', c]),
                c if c.is_ascii_control() => text.push_str(&format!("\\x{:02x}", c as u32)),
                c => text.push(c),
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text.push('"');
    text
}

/// `80x24`.
pub fn size(text: &str) -> Result<Size, String> {
    pair(text, 'x').map(|(cols, rows)| Size::new(cols, rows)).ok_or_else(|| format!("{text}: must be COLSxROWS"))
}

/// `x,y`.
pub fn place(text: &str) -> Result<(u16, u16), String> {
    pair(text, ',').ok_or_else(|| format!("{text}: must be X,Y"))
}

fn pair(text: &str, by: char) -> Option<(u16, u16)> {
    let (a, b) = text.split_once(by)?;
    Some((a.parse().ok()?, b.parse().ok()?))
}

/// `20ms`, `3s`, `5m`.
pub fn span(text: &str) -> Result<Span, String> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: Option<u64> = text[..end].parse().ok();
    let unit = match &text[end..] {
        "us" => 1,
        "ms" => 1000,
        "s" => 1_000_000,
        "m" => 60_000_000,
        _ => 0,
    };
    match number {
        Some(n) if unit > 0 => Ok(Span(n * unit)),
        _ => Err(format!("{text}: must be a time such as 20ms, 3s or 5m")),
    }
}

/// `%1`.
pub fn pane(text: &str) -> Result<PaneId, String> {
    PaneId::parse(text).ok_or_else(|| format!("{text}: must be a pane such as %1"))
}

/// Whether a JSON value is what is expected. `"*"` stands for anything, a text that ends in `*` for its beginning; an
/// object may have further members if a member `"*"` is expected.
pub fn fits(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::String(e), _) if e == "*" => true,
        (Value::String(e), Value::String(a)) => e.strip_suffix('*').map_or(e == a, |head| a.starts_with(head)),
        (Value::Object(e), Value::Object(a)) => {
            let open = e.contains_key("*");
            e.iter().filter(|(k, _)| *k != "*").all(|(k, v)| a.get(k).is_some_and(|w| fits(v, w)))
                && (open || a.keys().all(|k| e.contains_key(k)))
        }
        (Value::Array(e), Value::Array(a)) => e.len() == a.len() && e.iter().zip(a).all(|(e, a)| fits(e, a)),
        _ => expected == actual,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lines_are_parted_as_in_a_shell() {
        assert_eq!(words(r#"a 'b c' "d \" $x" e\ f ''"#).unwrap(), ["a", "b c", "d \" $x", "e f", ""]);
        assert!(words("'").is_err());
    }

    #[test]
    fn bytes_are_quoted_and_read_back() {
        for bytes in [&b"a\x1b[1m\r\n\t\"\\"[..], b"\x00\xff\x7f", "ä語".as_bytes()] {
            assert_eq!(quoted(&quote(bytes)).unwrap(), bytes);
        }
        assert!(quoted("\"\\q\"").is_err());
    }

    #[test]
    fn json_fits_where_it_is_open() {
        let actual = json!({"id": 1, "error": {"code": "busy", "message": "x y"}});
        assert!(fits(&json!({"id": 1, "error": {"code": "busy", "message": "x*"}}), &actual));
        assert!(fits(&json!({"id": 1, "error": {"code": "busy", "*": "*"}}), &actual));
        assert!(fits(&json!({"id": 1, "error": "*"}), &actual));
        assert!(!fits(&json!({"id": 1}), &actual));
        assert!(!fits(&json!({"id": 1, "error": {"code": "busy"}}), &actual));
    }
}
