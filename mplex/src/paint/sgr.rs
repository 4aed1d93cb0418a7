//! From one pen to another in the fewest bytes of SGR.
//!
//! It must not know which terminal it is for, but whether single attributes can be turned off.

use crate::base::{Attrs, Colour, ColourKind, Style, style::Underline};
use std::io::Write as _;

/// On and off codes. Bold and dim share their off code.
const CODES: [(Attrs, &str, &str); 8] = [
    (Attrs::BOLD, "1", "22"),
    (Attrs::DIM, "2", "22"),
    (Attrs::ITALIC, "3", "23"),
    (Attrs::BLINK, "5", "25"),
    (Attrs::REVERSE, "7", "27"),
    (Attrs::CONCEAL, "8", "28"),
    (Attrs::STRIKE, "9", "29"),
    (Attrs::OVERLINE, "53", "55"),
];

/// Appends the SGR sequence that turns `from` into `to`; nothing if they are equal.
pub fn transition(from: Style, to: Style, can_off: bool, out: &mut Vec<u8>) {
    if from == to {
        return;
    }
    if to == Style::DEFAULT {
        out.extend_from_slice(b"\x1b[m");
        return;
    }
    let start = out.len();
    out.extend_from_slice(b"\x1b[0");
    steps(Style::DEFAULT, to, out);
    let fresh = out.len() - start;
    let off = !(from.attrs - to.attrs).is_empty();
    let colours_off =
        [(from.fg, to.fg), (from.bg, to.bg), (from.us, to.us)].iter().any(|(a, b)| b.is_default() && a != b);
    if can_off || !(off || colours_off) {
        let mid = out.len();
        out.extend_from_slice(b"\x1b[");
        steps(from, to, out);
        // The first step began with a separator that the sequence does not need.
        out.remove(mid + 2);
        if out.len() - mid <= fresh {
            out.drain(start..mid);
        } else {
            out.truncate(mid);
        }
    }
    out.push(b'm');
}

/// `;code` for each difference.
fn steps(from: Style, to: Style, out: &mut Vec<u8>) {
    let (a, b) = (from.attrs, to.attrs);
    let mut kept = a;
    if a.difference(b).intersects(Attrs::BOLD | Attrs::DIM) {
        out.extend_from_slice(b";22");
        kept -= Attrs::BOLD | Attrs::DIM;
    }
    for (bit, on, off) in CODES {
        if b.contains(bit) && !kept.contains(bit) {
            out.push(b';');
            out.extend_from_slice(on.as_bytes());
        } else if kept.contains(bit) && !b.contains(bit) {
            out.push(b';');
            out.extend_from_slice(off.as_bytes());
        }
    }
    if a.underline() != b.underline() {
        match b.underline() {
            Underline::None => out.extend_from_slice(b";24"),
            Underline::Single => out.extend_from_slice(b";4"),
            other => put(out, format_args!(";4:{}", other as u8)),
        }
    }
    if from.fg != to.fg {
        colour(to.fg, 30, out);
    }
    if from.bg != to.bg {
        colour(to.bg, 40, out);
    }
    if from.us != to.us {
        match to.us.kind() {
            ColourKind::Ansi(n) | ColourKind::Indexed(n) | ColourKind::Theme(n) => put(out, format_args!(";58:5:{n}")),
            ColourKind::Rgb(r, g, b) => put(out, format_args!(";58:2::{r}:{g}:{b}")),
            ColourKind::Default | ColourKind::Terminal => out.extend_from_slice(b";59"),
        }
    }
}

fn colour(c: Colour, base: u8, out: &mut Vec<u8>) {
    match c.kind() {
        ColourKind::Default | ColourKind::Terminal => put(out, format_args!(";{}", base + 9)),
        ColourKind::Ansi(n) | ColourKind::Theme(n) if n < 8 => put(out, format_args!(";{}", base + n)),
        ColourKind::Ansi(n) | ColourKind::Theme(n) => put(out, format_args!(";{}", base + 60 + (n & 7))),
        ColourKind::Indexed(n) => put(out, format_args!(";{};5;{n}", base + 8)),
        ColourKind::Rgb(r, g, b) => put(out, format_args!(";{};2;{r};{g};{b}", base + 8)),
    }
}

/// Writing to a `Vec` cannot fail.
pub(super) fn put(out: &mut Vec<u8>, args: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(args);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(from: Style, to: Style, expect: &str) {
        let mut out = Vec::new();
        transition(from, to, true, &mut out);
        assert_eq!(String::from_utf8_lossy(&out).replace('\x1b', "^"), expect);
    }

    #[test]
    fn the_shorter_way_is_taken() {
        let d = Style::DEFAULT;
        let red = Style { fg: Colour::ansi(1), ..d };
        let bold = Style { attrs: Attrs::BOLD, ..red };
        check(d, red, "^[31m");
        check(red, bold, "^[1m");
        check(bold, red, "^[22m");
        check(bold, d, "^[m");
        check(Style { bg: Colour::rgb(1, 2, 3), ..bold }, Style { attrs: Attrs::BOLD, ..d }, "^[0;1m");
        check(d, Style { attrs: Attrs::empty().with_underline(Underline::Curly), ..d }, "^[4:3m");
        check(Style { attrs: Attrs::BOLD | Attrs::DIM, ..red }, bold, "^[22;1m");
        check(red, Style { fg: Colour::ansi(9), bg: Colour::indexed(7), ..d }, "^[91;48;5;7m");
    }
}
