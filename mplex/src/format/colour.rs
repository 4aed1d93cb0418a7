//! Names and numbers of colours: reading, printing, RGB and escapes.

use super::vars::Depth;
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

/// A colour by its X11 name (lower case); `grey0` to `grey100` go by their number.
fn x11(name: &str) -> Option<Colour> {
    let rgb = |n: u32| Some(Colour::rgb((n >> 16) as u8, (n >> 8) as u8, n as u8));
    if let Some(n) = name.strip_prefix("grey").or_else(|| name.strip_prefix("gray")) {
        if n.is_empty() {
            return rgb(0xbebebe);
        }
        let n = super::text::number(n, 0, 100)? as u32;
        // In floating point as everyone else: 50 is 127.4999 and goes down.
        let v = (2.55 * f64::from(n)).round() as u32;
        return rgb(v << 16 | v << 8 | v);
    }
    let name: String = name.chars().filter(|c| *c != ' ').collect();
    X11.binary_search_by(|row| row.0.cmp(name.as_str())).ok().and_then(|n| rgb(X11[n].1))
}

/// X11's names without blanks, sorted; the numbered greys and the sixteen colours are not in it.
#[rustfmt::skip]
const X11: &[(&str, u32)] = &[
    ("aliceblue", 0xf0f8ff), ("antiquewhite", 0xfaebd7), ("antiquewhite1", 0xffefdb), ("antiquewhite2", 0xeedfcc),
    ("antiquewhite3", 0xcdc0b0), ("antiquewhite4", 0x8b8378), ("aqua", 0x00ffff), ("aquamarine", 0x7fffd4),
    ("aquamarine1", 0x7fffd4), ("aquamarine2", 0x76eec6), ("aquamarine3", 0x66cdaa), ("aquamarine4", 0x458b74),
    ("azure", 0xf0ffff), ("azure1", 0xf0ffff), ("azure2", 0xe0eeee), ("azure3", 0xc1cdcd), ("azure4", 0x838b8b),
    ("beige", 0xf5f5dc), ("bisque", 0xffe4c4), ("bisque1", 0xffe4c4), ("bisque2", 0xeed5b7), ("bisque3", 0xcdb79e),
    ("bisque4", 0x8b7d6b), ("black", 0x000000), ("blanchedalmond", 0xffebcd), ("blue", 0x0000ff), ("blue1", 0x0000ff),
    ("blue2", 0x0000ee), ("blue3", 0x0000cd), ("blue4", 0x00008b), ("blueviolet", 0x8a2be2), ("brown", 0xa52a2a),
    ("brown1", 0xff4040), ("brown2", 0xee3b3b), ("brown3", 0xcd3333), ("brown4", 0x8b2323), ("burlywood", 0xdeb887),
    ("burlywood1", 0xffd39b), ("burlywood2", 0xeec591), ("burlywood3", 0xcdaa7d), ("burlywood4", 0x8b7355),
    ("cadetblue", 0x5f9ea0), ("cadetblue1", 0x98f5ff), ("cadetblue2", 0x8ee5ee), ("cadetblue3", 0x7ac5cd),
    ("cadetblue4", 0x53868b), ("chartreuse", 0x7fff00), ("chartreuse1", 0x7fff00), ("chartreuse2", 0x76ee00),
    ("chartreuse3", 0x66cd00), ("chartreuse4", 0x458b00), ("chocolate", 0xd2691e), ("chocolate1", 0xff7f24),
    ("chocolate2", 0xee7621), ("chocolate3", 0xcd661d), ("chocolate4", 0x8b4513), ("coral", 0xff7f50),
    ("coral1", 0xff7256), ("coral2", 0xee6a50), ("coral3", 0xcd5b45), ("coral4", 0x8b3e2f),
    ("cornflowerblue", 0x6495ed), ("cornsilk", 0xfff8dc), ("cornsilk1", 0xfff8dc), ("cornsilk2", 0xeee8cd),
    ("cornsilk3", 0xcdc8b1), ("cornsilk4", 0x8b8878), ("crimson", 0xdc143c), ("cyan", 0x00ffff), ("cyan1", 0x00ffff),
    ("cyan2", 0x00eeee), ("cyan3", 0x00cdcd), ("cyan4", 0x008b8b), ("darkblue", 0x00008b), ("darkcyan", 0x008b8b),
    ("darkgoldenrod", 0xb8860b), ("darkgoldenrod1", 0xffb90f), ("darkgoldenrod2", 0xeead0e),
    ("darkgoldenrod3", 0xcd950c), ("darkgoldenrod4", 0x8b6508), ("darkgray", 0xa9a9a9), ("darkgreen", 0x006400),
    ("darkgrey", 0xa9a9a9), ("darkkhaki", 0xbdb76b), ("darkmagenta", 0x8b008b), ("darkolivegreen", 0x556b2f),
    ("darkolivegreen1", 0xcaff70), ("darkolivegreen2", 0xbcee68), ("darkolivegreen3", 0xa2cd5a),
    ("darkolivegreen4", 0x6e8b3d), ("darkorange", 0xff8c00), ("darkorange1", 0xff7f00), ("darkorange2", 0xee7600),
    ("darkorange3", 0xcd6600), ("darkorange4", 0x8b4500), ("darkorchid", 0x9932cc), ("darkorchid1", 0xbf3eff),
    ("darkorchid2", 0xb23aee), ("darkorchid3", 0x9a32cd), ("darkorchid4", 0x68228b), ("darkred", 0x8b0000),
    ("darksalmon", 0xe9967a), ("darkseagreen", 0x8fbc8f), ("darkseagreen1", 0xc1ffc1), ("darkseagreen2", 0xb4eeb4),
    ("darkseagreen3", 0x9bcd9b), ("darkseagreen4", 0x698b69), ("darkslateblue", 0x483d8b),
    ("darkslategray", 0x2f4f4f), ("darkslategray1", 0x97ffff), ("darkslategray2", 0x8deeee),
    ("darkslategray3", 0x79cdcd), ("darkslategray4", 0x528b8b), ("darkslategrey", 0x2f4f4f),
    ("darkturquoise", 0x00ced1), ("darkviolet", 0x9400d3), ("deeppink", 0xff1493), ("deeppink1", 0xff1493),
    ("deeppink2", 0xee1289), ("deeppink3", 0xcd1076), ("deeppink4", 0x8b0a50), ("deepskyblue", 0x00bfff),
    ("deepskyblue1", 0x00bfff), ("deepskyblue2", 0x00b2ee), ("deepskyblue3", 0x009acd), ("deepskyblue4", 0x00688b),
    ("dimgray", 0x696969), ("dimgrey", 0x696969), ("dodgerblue", 0x1e90ff), ("dodgerblue1", 0x1e90ff),
    ("dodgerblue2", 0x1c86ee), ("dodgerblue3", 0x1874cd), ("dodgerblue4", 0x104e8b), ("firebrick", 0xb22222),
    ("firebrick1", 0xff3030), ("firebrick2", 0xee2c2c), ("firebrick3", 0xcd2626), ("firebrick4", 0x8b1a1a),
    ("floralwhite", 0xfffaf0), ("forestgreen", 0x228b22), ("fuchsia", 0xff00ff), ("gainsboro", 0xdcdcdc),
    ("ghostwhite", 0xf8f8ff), ("gold", 0xffd700), ("gold1", 0xffd700), ("gold2", 0xeec900), ("gold3", 0xcdad00),
    ("gold4", 0x8b7500), ("goldenrod", 0xdaa520), ("goldenrod1", 0xffc125), ("goldenrod2", 0xeeb422),
    ("goldenrod3", 0xcd9b1d), ("goldenrod4", 0x8b6914), ("green", 0x00ff00), ("green1", 0x00ff00),
    ("green2", 0x00ee00), ("green3", 0x00cd00), ("green4", 0x008b00), ("greenyellow", 0xadff2f),
    ("honeydew", 0xf0fff0), ("honeydew1", 0xf0fff0), ("honeydew2", 0xe0eee0), ("honeydew3", 0xc1cdc1),
    ("honeydew4", 0x838b83), ("hotpink", 0xff69b4), ("hotpink1", 0xff6eb4), ("hotpink2", 0xee6aa7),
    ("hotpink3", 0xcd6090), ("hotpink4", 0x8b3a62), ("indianred", 0xcd5c5c), ("indianred1", 0xff6a6a),
    ("indianred2", 0xee6363), ("indianred3", 0xcd5555), ("indianred4", 0x8b3a3a), ("indigo", 0x4b0082),
    ("ivory", 0xfffff0), ("ivory1", 0xfffff0), ("ivory2", 0xeeeee0), ("ivory3", 0xcdcdc1), ("ivory4", 0x8b8b83),
    ("khaki", 0xf0e68c), ("khaki1", 0xfff68f), ("khaki2", 0xeee685), ("khaki3", 0xcdc673), ("khaki4", 0x8b864e),
    ("lavender", 0xe6e6fa), ("lavenderblush", 0xfff0f5), ("lavenderblush1", 0xfff0f5), ("lavenderblush2", 0xeee0e5),
    ("lavenderblush3", 0xcdc1c5), ("lavenderblush4", 0x8b8386), ("lawngreen", 0x7cfc00), ("lemonchiffon", 0xfffacd),
    ("lemonchiffon1", 0xfffacd), ("lemonchiffon2", 0xeee9bf), ("lemonchiffon3", 0xcdc9a5),
    ("lemonchiffon4", 0x8b8970), ("lightblue", 0xadd8e6), ("lightblue1", 0xbfefff), ("lightblue2", 0xb2dfee),
    ("lightblue3", 0x9ac0cd), ("lightblue4", 0x68838b), ("lightcoral", 0xf08080), ("lightcyan", 0xe0ffff),
    ("lightcyan1", 0xe0ffff), ("lightcyan2", 0xd1eeee), ("lightcyan3", 0xb4cdcd), ("lightcyan4", 0x7a8b8b),
    ("lightgoldenrod", 0xeedd82), ("lightgoldenrod1", 0xffec8b), ("lightgoldenrod2", 0xeedc82),
    ("lightgoldenrod3", 0xcdbe70), ("lightgoldenrod4", 0x8b814c), ("lightgoldenrodyellow", 0xfafad2),
    ("lightgray", 0xd3d3d3), ("lightgreen", 0x90ee90), ("lightgrey", 0xd3d3d3), ("lightpink", 0xffb6c1),
    ("lightpink1", 0xffaeb9), ("lightpink2", 0xeea2ad), ("lightpink3", 0xcd8c95), ("lightpink4", 0x8b5f65),
    ("lightsalmon", 0xffa07a), ("lightsalmon1", 0xffa07a), ("lightsalmon2", 0xee9572), ("lightsalmon3", 0xcd8162),
    ("lightsalmon4", 0x8b5742), ("lightseagreen", 0x20b2aa), ("lightskyblue", 0x87cefa), ("lightskyblue1", 0xb0e2ff),
    ("lightskyblue2", 0xa4d3ee), ("lightskyblue3", 0x8db6cd), ("lightskyblue4", 0x607b8b),
    ("lightslateblue", 0x8470ff), ("lightslategray", 0x778899), ("lightslategrey", 0x778899),
    ("lightsteelblue", 0xb0c4de), ("lightsteelblue1", 0xcae1ff), ("lightsteelblue2", 0xbcd2ee),
    ("lightsteelblue3", 0xa2b5cd), ("lightsteelblue4", 0x6e7b8b), ("lightyellow", 0xffffe0),
    ("lightyellow1", 0xffffe0), ("lightyellow2", 0xeeeed1), ("lightyellow3", 0xcdcdb4), ("lightyellow4", 0x8b8b7a),
    ("lime", 0x00ff00), ("limegreen", 0x32cd32), ("linen", 0xfaf0e6), ("magenta", 0xff00ff), ("magenta1", 0xff00ff),
    ("magenta2", 0xee00ee), ("magenta3", 0xcd00cd), ("magenta4", 0x8b008b), ("maroon", 0xb03060),
    ("maroon1", 0xff34b3), ("maroon2", 0xee30a7), ("maroon3", 0xcd2990), ("maroon4", 0x8b1c62),
    ("mediumaquamarine", 0x66cdaa), ("mediumblue", 0x0000cd), ("mediumorchid", 0xba55d3), ("mediumorchid1", 0xe066ff),
    ("mediumorchid2", 0xd15fee), ("mediumorchid3", 0xb452cd), ("mediumorchid4", 0x7a378b), ("mediumpurple", 0x9370db),
    ("mediumpurple1", 0xab82ff), ("mediumpurple2", 0x9f79ee), ("mediumpurple3", 0x8968cd),
    ("mediumpurple4", 0x5d478b), ("mediumseagreen", 0x3cb371), ("mediumslateblue", 0x7b68ee),
    ("mediumspringgreen", 0x00fa9a), ("mediumturquoise", 0x48d1cc), ("mediumvioletred", 0xc71585),
    ("midnightblue", 0x191970), ("mintcream", 0xf5fffa), ("mistyrose", 0xffe4e1), ("mistyrose1", 0xffe4e1),
    ("mistyrose2", 0xeed5d2), ("mistyrose3", 0xcdb7b5), ("mistyrose4", 0x8b7d7b), ("moccasin", 0xffe4b5),
    ("navajowhite", 0xffdead), ("navajowhite1", 0xffdead), ("navajowhite2", 0xeecfa1), ("navajowhite3", 0xcdb38b),
    ("navajowhite4", 0x8b795e), ("navy", 0x000080), ("navyblue", 0x000080), ("oldlace", 0xfdf5e6),
    ("olive", 0x808000), ("olivedrab", 0x6b8e23), ("olivedrab1", 0xc0ff3e), ("olivedrab2", 0xb3ee3a),
    ("olivedrab3", 0x9acd32), ("olivedrab4", 0x698b22), ("orange", 0xffa500), ("orange1", 0xffa500),
    ("orange2", 0xee9a00), ("orange3", 0xcd8500), ("orange4", 0x8b5a00), ("orangered", 0xff4500),
    ("orangered1", 0xff4500), ("orangered2", 0xee4000), ("orangered3", 0xcd3700), ("orangered4", 0x8b2500),
    ("orchid", 0xda70d6), ("orchid1", 0xff83fa), ("orchid2", 0xee7ae9), ("orchid3", 0xcd69c9), ("orchid4", 0x8b4789),
    ("palegoldenrod", 0xeee8aa), ("palegreen", 0x98fb98), ("palegreen1", 0x9aff9a), ("palegreen2", 0x90ee90),
    ("palegreen3", 0x7ccd7c), ("palegreen4", 0x548b54), ("paleturquoise", 0xafeeee), ("paleturquoise1", 0xbbffff),
    ("paleturquoise2", 0xaeeeee), ("paleturquoise3", 0x96cdcd), ("paleturquoise4", 0x668b8b),
    ("palevioletred", 0xdb7093), ("palevioletred1", 0xff82ab), ("palevioletred2", 0xee799f),
    ("palevioletred3", 0xcd6889), ("palevioletred4", 0x8b475d), ("papayawhip", 0xffefd5), ("peachpuff", 0xffdab9),
    ("peachpuff1", 0xffdab9), ("peachpuff2", 0xeecbad), ("peachpuff3", 0xcdaf95), ("peachpuff4", 0x8b7765),
    ("peru", 0xcd853f), ("pink", 0xffc0cb), ("pink1", 0xffb5c5), ("pink2", 0xeea9b8), ("pink3", 0xcd919e),
    ("pink4", 0x8b636c), ("plum", 0xdda0dd), ("plum1", 0xffbbff), ("plum2", 0xeeaeee), ("plum3", 0xcd96cd),
    ("plum4", 0x8b668b), ("powderblue", 0xb0e0e6), ("purple", 0xa020f0), ("purple1", 0x9b30ff), ("purple2", 0x912cee),
    ("purple3", 0x7d26cd), ("purple4", 0x551a8b), ("rebeccapurple", 0x663399), ("red", 0xff0000), ("red1", 0xff0000),
    ("red2", 0xee0000), ("red3", 0xcd0000), ("red4", 0x8b0000), ("rosybrown", 0xbc8f8f), ("rosybrown1", 0xffc1c1),
    ("rosybrown2", 0xeeb4b4), ("rosybrown3", 0xcd9b9b), ("rosybrown4", 0x8b6969), ("royalblue", 0x4169e1),
    ("royalblue1", 0x4876ff), ("royalblue2", 0x436eee), ("royalblue3", 0x3a5fcd), ("royalblue4", 0x27408b),
    ("saddlebrown", 0x8b4513), ("salmon", 0xfa8072), ("salmon1", 0xff8c69), ("salmon2", 0xee8262),
    ("salmon3", 0xcd7054), ("salmon4", 0x8b4c39), ("sandybrown", 0xf4a460), ("seagreen", 0x2e8b57),
    ("seagreen1", 0x54ff9f), ("seagreen2", 0x4eee94), ("seagreen3", 0x43cd80), ("seagreen4", 0x2e8b57),
    ("seashell", 0xfff5ee), ("seashell1", 0xfff5ee), ("seashell2", 0xeee5de), ("seashell3", 0xcdc5bf),
    ("seashell4", 0x8b8682), ("sienna", 0xa0522d), ("sienna1", 0xff8247), ("sienna2", 0xee7942),
    ("sienna3", 0xcd6839), ("sienna4", 0x8b4726), ("silver", 0xc0c0c0), ("skyblue", 0x87ceeb), ("skyblue1", 0x87ceff),
    ("skyblue2", 0x7ec0ee), ("skyblue3", 0x6ca6cd), ("skyblue4", 0x4a708b), ("slateblue", 0x6a5acd),
    ("slateblue1", 0x836fff), ("slateblue2", 0x7a67ee), ("slateblue3", 0x6959cd), ("slateblue4", 0x473c8b),
    ("slategray", 0x708090), ("slategray1", 0xc6e2ff), ("slategray2", 0xb9d3ee), ("slategray3", 0x9fb6cd),
    ("slategray4", 0x6c7b8b), ("slategrey", 0x708090), ("snow", 0xfffafa), ("snow1", 0xfffafa), ("snow2", 0xeee9e9),
    ("snow3", 0xcdc9c9), ("snow4", 0x8b8989), ("springgreen", 0x00ff7f), ("springgreen1", 0x00ff7f),
    ("springgreen2", 0x00ee76), ("springgreen3", 0x00cd66), ("springgreen4", 0x008b45), ("steelblue", 0x4682b4),
    ("steelblue1", 0x63b8ff), ("steelblue2", 0x5cacee), ("steelblue3", 0x4f94cd), ("steelblue4", 0x36648b),
    ("tan", 0xd2b48c), ("tan1", 0xffa54f), ("tan2", 0xee9a49), ("tan3", 0xcd853f), ("tan4", 0x8b5a2b),
    ("teal", 0x008080), ("thistle", 0xd8bfd8), ("thistle1", 0xffe1ff), ("thistle2", 0xeed2ee), ("thistle3", 0xcdb5cd),
    ("thistle4", 0x8b7b8b), ("tomato", 0xff6347), ("tomato1", 0xff6347), ("tomato2", 0xee5c42), ("tomato3", 0xcd4f39),
    ("tomato4", 0x8b3626), ("turquoise", 0x40e0d0), ("turquoise1", 0x00f5ff), ("turquoise2", 0x00e5ee),
    ("turquoise3", 0x00c5cd), ("turquoise4", 0x00868b), ("violet", 0xee82ee), ("violetred", 0xd02090),
    ("violetred1", 0xff3e96), ("violetred2", 0xee3a8c), ("violetred3", 0xcd3278), ("violetred4", 0x8b2252),
    ("webgray", 0x808080), ("webgreen", 0x008000), ("webgrey", 0x808080), ("webmaroon", 0x800000),
    ("webpurple", 0x800080), ("wheat", 0xf5deb3), ("wheat1", 0xffe7ba), ("wheat2", 0xeed8ae), ("wheat3", 0xcdba96),
    ("wheat4", 0x8b7e66), ("white", 0xffffff), ("whitesmoke", 0xf5f5f5), ("x11gray", 0xbebebe),
    ("x11green", 0x00ff00), ("x11grey", 0xbebebe), ("x11maroon", 0xb03060), ("x11purple", 0xa020f0),
    ("yellow", 0xffff00), ("yellow1", 0xffff00), ("yellow2", 0xeeee00), ("yellow3", 0xcdcd00), ("yellow4", 0x8b8b00),
    ("yellowgreen", 0x9acd32),
];
