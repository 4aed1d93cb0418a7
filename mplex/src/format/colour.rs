//! Names and numbers of colours: reading, printing, RGB and escapes.

use super::vars::Depth;
use crate::base::x11::x11;
use crate::base::{Colour, ColourKind};

const ANSI: [&str; 8] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/// The colours of a theme by index, with the terminal colour that stands in where no theme is known.
pub const THEME: [(&str, u8); 10] = [
    ("themeblack", 0),
    ("themewhite", 7),
    ("themelightgrey", 7),
    ("themedarkgrey", 0),
    ("themegreen", 2),
    ("themeyellow", 3),
    ("themered", 1),
    ("themeblue", 4),
    ("themecyan", 6),
    ("thememagenta", 5),
];

/// Reads a colour: `#rrggbb`, `colour12`, `default`, `terminal`, a theme's, one of the sixteen by name or SGR number, or
/// an X11 name.
pub fn parse(text: &str) -> Option<Colour> {
    if let Some(hex) = text.strip_prefix('#')
        && hex.len() == 6
    {
        if !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let n = u32::from_str_radix(hex, 16).ok()?;
        return Some(Colour::rgb((n >> 16) as u8, (n >> 8) as u8, n as u8));
    }
    let lower = text.to_ascii_lowercase();
    if let Some(n) = lower.strip_prefix("colour").or_else(|| lower.strip_prefix("color")) {
        return super::text::number(n, 0, 255).map(|n| Colour::indexed(n as u8));
    }
    match lower.as_str() {
        "default" => return Some(Colour::DEFAULT),
        "terminal" => return Some(Colour::TERMINAL),
        _ => {}
    }
    if let Some(n) = THEME.iter().position(|t| t.0 == lower) {
        return Some(Colour::theme(n as u8));
    }
    let (bright, plain) = lower.strip_prefix("bright").map_or((0, lower.as_str()), |p| (8, p));
    if let Some(n) = ANSI.iter().position(|a| *a == plain) {
        return Some(Colour::ansi(n as u8 + bright));
    }
    match lower.as_bytes() {
        [d @ b'0'..=b'7'] => return Some(Colour::ansi(d - b'0')),
        [b'9', d @ b'0'..=b'7'] => return Some(Colour::ansi(d - b'0' + 8)),
        _ => {}
    }
    x11(&lower)
}

/// The name that [`parse`] reads back.
pub fn name(c: Colour) -> String {
    match c.kind() {
        ColourKind::Default => "default".into(),
        ColourKind::Terminal => "terminal".into(),
        ColourKind::Ansi(n @ 0..=7) => ANSI[n as usize].into(),
        ColourKind::Ansi(n) => format!("bright{}", ANSI[(n & 7) as usize]),
        ColourKind::Indexed(n) => format!("colour{n}"),
        ColourKind::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        ColourKind::Theme(n) => THEME.get(n as usize).map_or("invalid", |t| t.0).into(),
    }
}

/// What a theme's colour is without a theme.
pub fn theme_default(index: u8) -> Colour {
    THEME.get(index as usize).map_or(Colour::DEFAULT, |t| Colour::ansi(t.1))
}

/// Red, green and blue of xterm's palette; `None` for colours that only the terminal or the theme knows.
pub fn to_rgb(c: Colour) -> Option<(u8, u8, u8)> {
    match c.kind() {
        ColourKind::Rgb(r, g, b) => Some((r, g, b)),
        ColourKind::Ansi(n) | ColourKind::Indexed(n) => Some(palette(n)),
        _ => None,
    }
}

const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// xterm's 256 colours: sixteen, a cube of six levels, 24 greys.
pub fn palette(n: u8) -> (u8, u8, u8) {
    match n {
        7 => (192, 192, 192),
        8 => (128, 128, 128),
        0..=15 => {
            let full = if n < 8 { 128 } else { 255 };
            let bit = |b: u8| if n & b != 0 { full } else { 0 };
            (bit(1), bit(2), bit(4))
        }
        16..=231 => {
            let n = n as usize - 16;
            (CUBE[n / 36], CUBE[n / 6 % 6], CUBE[n % 6])
        }
        _ => {
            let v = 8 + 10 * (n - 232);
            (v, v, v)
        }
    }
}

fn distance(a: (u8, u8, u8), b: (u8, u8, u8)) -> i32 {
    let d = |a: u8, b: u8| (i32::from(a) - i32::from(b)).pow(2);
    d(a.0, b.0) + d(a.1, b.1) + d(a.2, b.2)
}

/// The nearest of the 240 fixed colours of the 256.
pub fn nearest_256(rgb: (u8, u8, u8)) -> u8 {
    (16..=255).min_by_key(|n| distance(palette(*n), rgb)).unwrap_or(16)
}

/// The nearest of the sixteen.
pub fn nearest_16(n: u8) -> u8 {
    if n < 16 { n } else { (0..16).min_by_key(|k| distance(palette(*k), palette(n))).unwrap_or(0) }
}

/// The SGR escape that sets a colour, within what the terminal can show.
pub fn escape(c: Colour, background: bool, depth: Depth, theme: impl Fn(u8) -> Colour) -> String {
    let c = match c.kind() {
        ColourKind::Theme(n) => theme(n),
        _ => c,
    };
    let base = if background { 40 } else { 30 };
    let sixteen = |n: u8| {
        let code = u16::from(n & 7) + base + if n > 7 { 60 } else { 0 };
        format!("\x1b[{code}m")
    };
    match (c.kind(), depth) {
        (ColourKind::Rgb(r, g, b), Depth::Rgb) => format!("\x1b[{};2;{r};{g};{b}m", base + 8),
        (ColourKind::Rgb(r, g, b), Depth::Indexed256) => format!("\x1b[{};5;{}m", base + 8, nearest_256((r, g, b))),
        (ColourKind::Rgb(r, g, b), Depth::Ansi16) => sixteen(nearest_16(nearest_256((r, g, b)))),
        (ColourKind::Indexed(n), Depth::Ansi16) => sixteen(nearest_16(n)),
        (ColourKind::Indexed(n), _) => format!("\x1b[{};5;{n}m", base + 8),
        (ColourKind::Ansi(n), _) => sixteen(n),
        _ => format!("\x1b[{}m", base + 9),
    }
}

/// A colour made darker by a percentage; what only the terminal knows stays.
pub fn dim(c: Colour, percent: u8) -> Colour {
    let Some((r, g, b)) = to_rgb(c).filter(|_| percent > 0) else { return c };
    let less = |v: u8| (u16::from(v) * (100 - u16::from(percent.min(100))) / 100) as u8;
    Colour::rgb(less(r), less(g), less(b))
}
