//! Colours as programs write them in OSC (X11's forms), and the answers to their queries.

use super::ColourSlot;
use crate::base::x11::x11;
use crate::base::{Colour, ColourKind};

/// Reads `rgb:r/g/b` (1 to 4 digits each), `#rgb` to `#rrrrggggbbbb`, `cmy:c/m/y` and `cmyk:c/m/y/k`, `r,g,b`
/// in decimals, and X11's names.
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
    if let Some(rest) = text.strip_prefix("cmyk:") {
        let [c, m, y, k] = parts(rest)?;
        return Some(from_cmyk(c, m, y, k));
    }
    if let Some(rest) = text.strip_prefix("cmy:") {
        let [c, m, y] = parts(rest)?;
        return Some(from_cmyk(c, m, y, 0.0));
    }
    x11(&text.to_ascii_lowercase())
}

/// Exactly so many numbers from 0 to 1, separated by slashes.
fn parts<const N: usize>(text: &str) -> Option<[f64; N]> {
    let mut all = [0.0; N];
    let mut words = text.split('/');
    for v in &mut all {
        *v = words.next()?.trim().parse().ok().filter(|v| (0.0..=1.0).contains(v))?;
    }
    words.next().is_none().then_some(all)
}

fn from_cmyk(c: f64, m: f64, y: f64, k: f64) -> Colour {
    let one = |v: f64| ((1.0 - v) * (1.0 - k) * 255.0) as u8;
    Colour::rgb(one(c), one(m), one(y))
}

/// `scaled`: `f` is `ff` (rgb:); else it is `f0` (#).
fn channel(hex: &str, scaled: bool) -> Option<u8> {
    if hex.is_empty() || hex.len() > 4 || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let v = u32::from_str_radix(hex, 16).ok()?;
    let bits = 4 * hex.len() as u32;
    Some(if scaled && bits < 8 {
        (v * 17) as u8
    } else if bits >= 8 {
        (v >> (bits - 8)) as u8
    } else {
        (v << 4) as u8
    })
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
