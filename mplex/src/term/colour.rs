//! Colours as programs write them in OSC (X11's forms), and the answers to their queries.

use super::ColourSlot;
use crate::base::{Colour, ColourKind};

/// Reads `rgb:r/g/b` (1 to 4 digits each), `#rgb` to `#rrrrggggbbbb`, `cmy:`, `cmyk:`-less forms and common names.
pub fn parse_colour(text: &str) -> Option<Colour> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix("rgb:").or_else(|| text.strip_prefix("rgba:")) {
        let mut parts = rest.split('/');
        let mut one = || channel(parts.next()?, true);
        return Some(Colour::rgb(one()?, one()?, one()?));
    }
    if let Some(hex) = text.strip_prefix('#') {
        if !hex.is_ascii() || hex.len() % 3 != 0 || !(3..=12).contains(&hex.len()) {
            return None;
        }
        let n = hex.len() / 3;
        let one = |i: usize| channel(&hex[i * n..(i + 1) * n], false);
        return Some(Colour::rgb(one(0)?, one(1)?, one(2)?));
    }
    if let Some((r, g, b)) = text.split_once(',').and_then(|(r, rest)| {
        let (g, b) = rest.split_once(',')?;
        Some((r.parse().ok()?, g.parse().ok()?, b.parse().ok()?))
    }) {
        return Some(Colour::rgb(r, g, b));
    }
    named(text)
}

/// `scaled`: `f` is `ff` (rgb:); else it is `f0` (#).
fn channel(hex: &str, scaled: bool) -> Option<u8> {
    if hex.is_empty() || hex.len() > 4 || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let v = u32::from_str_radix(hex, 16).ok()?;
    let bits = 4 * hex.len() as u32;
    Some(if scaled {
        (v * 255 / ((1 << bits) - 1)) as u8
    } else if bits >= 8 {
        (v >> (bits - 8)) as u8
    } else {
        (v << 4) as u8
    })
}

/// The X11 names that programs use; greys by number.
fn named(text: &str) -> Option<Colour> {
    const NAMES: &[(&str, u32)] = &[
        ("black", 0x000000),
        ("white", 0xffffff),
        ("red", 0xff0000),
        ("green", 0x00ff00),
        ("blue", 0x0000ff),
        ("yellow", 0xffff00),
        ("cyan", 0x00ffff),
        ("magenta", 0xff00ff),
        ("grey", 0xbebebe),
        ("gray", 0xbebebe),
        ("orange", 0xffa500),
        ("purple", 0xa020f0),
        ("brown", 0xa52a2a),
        ("pink", 0xffc0cb),
        ("navy", 0x000080),
        ("maroon", 0xb03060),
        ("gold", 0xffd700),
        ("violet", 0xee82ee),
        ("turquoise", 0x40e0d0),
        ("tan", 0xd2b48c),
        ("salmon", 0xfa8072),
        ("coral", 0xff7f50),
        ("beige", 0xf5f5dc),
        ("ivory", 0xfffff0),
        ("khaki", 0xf0e68c),
        ("lavender", 0xe6e6fa),
        ("darkred", 0x8b0000),
        ("darkgreen", 0x006400),
        ("darkblue", 0x00008b),
        ("darkcyan", 0x008b8b),
        ("darkmagenta", 0x8b008b),
        ("darkgrey", 0xa9a9a9),
        ("darkgray", 0xa9a9a9),
        ("lightgrey", 0xd3d3d3),
        ("lightgray", 0xd3d3d3),
        ("lightblue", 0xadd8e6),
        ("lightgreen", 0x90ee90),
        ("lightcyan", 0xe0ffff),
        ("lightyellow", 0xffffe0),
        ("darkorange", 0xff8c00),
        ("indianred", 0xcd5c5c),
        ("steelblue", 0x4682b4),
        ("skyblue", 0x87ceeb),
        ("royalblue", 0x4169e1),
        ("slategrey", 0x708090),
        ("slategray", 0x708090),
        ("midnightblue", 0x191970),
        ("forestgreen", 0x228b22),
        ("seagreen", 0x2e8b57),
        ("limegreen", 0x32cd32),
        ("chartreuse", 0x7fff00),
        ("tomato", 0xff6347),
        ("orchid", 0xda70d6),
        ("plum", 0xdda0dd),
        ("wheat", 0xf5deb3),
        ("snow", 0xfffafa),
        ("crimson", 0xdc143c),
        ("indigo", 0x4b0082),
        ("aquamarine", 0x7fffd4),
        ("deeppink", 0xff1493),
        ("hotpink", 0xff69b4),
        ("dodgerblue", 0x1e90ff),
        ("firebrick", 0xb22222),
        ("sienna", 0xa0522d),
        ("chocolate", 0xd2691e),
        ("azure", 0xf0ffff),
    ];
    let key: String = text.chars().filter(|c| *c != ' ').flat_map(char::to_lowercase).collect();
    if let Some((_, v)) = NAMES.iter().find(|(n, _)| *n == key) {
        return Some(from_u32(*v));
    }
    let n = key.strip_prefix("grey").or_else(|| key.strip_prefix("gray"))?;
    let n: u32 = n.parse().ok().filter(|n| *n <= 100)?;
    let v = ((n * 255 + 50) / 100) as u8;
    Some(Colour::rgb(v, v, v))
}

fn from_u32(v: u32) -> Colour {
    Colour::rgb((v >> 16) as u8, (v >> 8) as u8, v as u8)
}

/// Red, green and blue of a colour; the first 16 as xterm has them. `None` for the defaults and theme colours.
pub(crate) fn to_rgb(colour: Colour) -> Option<(u8, u8, u8)> {
    const FIRST: [u32; 16] = [
        0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00,
        0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
    ];
    let n = match colour.kind() {
        ColourKind::Rgb(r, g, b) => return Some((r, g, b)),
        ColourKind::Ansi(n) | ColourKind::Indexed(n) => n,
        ColourKind::Default | ColourKind::Terminal | ColourKind::Theme(_) => return None,
    };
    Some(match n {
        0..=15 => {
            let v = FIRST[n as usize];
            ((v >> 16) as u8, (v >> 8) as u8, v as u8)
        }
        16..=231 => {
            let step = |v: u8| if v == 0 { 0 } else { 55 + 40 * v };
            let n = n - 16;
            (step(n / 36), step(n / 6 % 6), step(n % 6))
        }
        232.. => {
            let v = 8 + 10 * (n - 232);
            (v, v, v)
        }
    })
}

pub(crate) fn reply(slot: ColourSlot, colour: Colour, bell: bool) -> Option<Vec<u8>> {
    let (r, g, b) = to_rgb(colour)?;
    let head = match slot {
        ColourSlot::Foreground => "10".to_owned(),
        ColourSlot::Background => "11".to_owned(),
        ColourSlot::Cursor => "12".to_owned(),
        ColourSlot::Index(n) => format!("4;{n}"),
    };
    let end = if bell { "\x07" } else { "\x1b\\" };
    Some(format!("\x1b]{head};rgb:{r:02x}{r:02x}/{g:02x}{g:02x}/{b:02x}{b:02x}{end}").into_bytes())
}
