//! Times as text: strftime(3) over `chrono`, and the short forms of `t:`. No clock: the time now comes in.

use std::fmt::Write as _;

use chrono::format::{Item, StrftimeItems};
use chrono::{DateTime, Datelike as _, FixedOffset, Local, Offset as _, TimeZone as _, Utc};

use crate::base::Wall;

/// The time zone of what is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zone {
    /// The server's own.
    #[default]
    Local,
    Utc,
}

const DAY: i64 = 24 * 3600;

fn at(w: Wall, zone: Zone) -> DateTime<FixedOffset> {
    let utc = Utc.timestamp_opt(w.0, 0).single().unwrap_or_default();
    match zone {
        Zone::Utc => utc.fixed_offset(),
        Zone::Local => utc.with_timezone(&Local).fixed_offset(),
    }
}

/// strftime(3) in the C locale. What is no specifier stays as written.
pub fn strftime(format: &str, w: Wall, zone: Zone) -> String {
    let time = at(w, zone);
    let mut out = String::with_capacity(format.len() + 16);
    let mut rest = format;
    while let Some(n) = rest.find('%') {
        out.push_str(&rest[..n]);
        let spec = &rest[n..];
        let flags = spec[1..].bytes().take_while(|b| b"_-0^#EO".contains(b)).count();
        let Some(c) = spec[1 + flags..].chars().next() else {
            out.push_str(spec);
            return out;
        };
        let whole = &spec[..1 + flags + c.len_utf8()];
        rest = &spec[whole.len()..];
        let upper = whole[1..1 + flags].contains('^');
        // Only `-`, `_` and `0` mean something to chrono.
        let pad: String = whole[1..1 + flags].chars().filter(|c| "_-0".contains(*c)).take(1).collect();
        let piece = one(&time, c, &pad).unwrap_or_else(|| whole.to_owned());
        // `#` turns the case around: names become capitals, AM and PM small.
        let turned = whole[1..1 + flags].contains('#');
        out.push_str(&match c {
            'p' | 'Z' if turned => piece.to_lowercase(),
            _ if upper || (turned && "aAbBh".contains(c)) => piece.to_uppercase(),
            _ => piece,
        });
    }
    out.push_str(rest);
    out
}

fn one(time: &DateTime<FixedOffset>, c: char, pad: &str) -> Option<String> {
    let spec = match c {
        '%' => return Some("%".into()),
        'n' => return Some("\n".into()),
        't' => return Some("\t".into()),
        // chrono has no names of zones.
        'Z' if time.offset().fix().local_minus_utc() == 0 => return Some("UTC".into()),
        'Z' => "%z".to_owned(),
        'c' => "%a %b %e %H:%M:%S %Y".to_owned(),
        'x' => "%m/%d/%y".to_owned(),
        'X' => "%H:%M:%S".to_owned(),
        'r' => "%I:%M:%S %p".to_owned(),
        'a' | 'A' | 'b' | 'B' | 'C' | 'd' | 'D' | 'e' | 'F' | 'g' | 'G' | 'h' | 'H' | 'I' | 'j' | 'k' | 'l' | 'm'
        | 'M' | 'p' | 'P' | 'R' | 's' | 'S' | 'T' | 'u' | 'U' | 'V' | 'w' | 'W' | 'y' | 'Y' | 'z' => {
            format!("%{pad}{c}")
        }
        _ => return None,
    };
    // A padding that chrono does not take on this specifier is dropped.
    let items: Vec<Item<'_>> = StrftimeItems::new(&spec).collect();
    if items.iter().any(|i| matches!(i, Item::Error)) {
        return if pad.is_empty() { None } else { one(time, c, "") };
    }
    let mut out = String::new();
    write!(out, "{}", time.format_with_items(items.iter())).ok()?;
    Some(out)
}

/// ctime(3) without its newline.
pub fn plain(w: Wall, zone: Zone) -> String {
    strftime("%c", w, zone)
}

/// Shorter the longer ago: a time within a day, a weekday within a month, a day within a year, a month and year.
pub fn pretty(w: Wall, now: Wall, zone: Zone) -> String {
    let now = now.max(w);
    let age = now.0 - w.0;
    let (t, n) = (at(w, zone), at(now, zone));
    let format = if age < DAY {
        "%H:%M"
    } else if age < 28 * DAY || (t.year(), t.month()) == (n.year(), n.month()) {
        "%a%d"
    } else if t.year() == n.year() || (t.year() == n.year() - 1 && t.month() > n.month()) {
        "%d%b"
    } else {
        "%h%y"
    };
    strftime(format, w, zone)
}

/// The two largest units of how long ago: `2m23s`; `None` for the future.
pub fn relative(w: Wall, now: Wall) -> Option<String> {
    let age = u64::try_from(now.0.checked_sub(w.0)?).ok()?;
    let units = [(age / 86400, 'd'), (age % 86400 / 3600, 'h'), (age % 3600 / 60, 'm'), (age % 60, 's')];
    let Some(first) = units.iter().position(|u| u.0 != 0) else { return Some("0s".into()) };
    let shown = units[first..].iter().take(2).filter(|u| u.0 != 0);
    Some(shown.map(|(n, unit)| format!("{n}{unit}")).collect())
}
