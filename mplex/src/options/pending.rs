//! Keys, colours and styles by name, as far as options need them until the rooms keys and format read them.

use crate::base::style::Underline;
use crate::base::{Attrs, Colour, ColourKind, Style};

/// A style that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StyleSpec(Style);

impl StyleSpec {
    /// How cells in this style look.
    pub fn style(&self) -> Style {
        self.0
    }
}

/// Whether the text is the name of a key: one character or a special key, after any modifiers.
pub(super) fn is_key(text: &str) -> bool {
    const SPECIAL: &str = " Any BSpace BTab Bspace Btab DC Delete Down End Enter Escape Home IC Insert Left NPage None \
                           PageDown PageUp PgDn PgUp PPage Right Space Tab Up ";
    let mut rest = text;
    while let Some(shorter) =
        ["C-", "M-", "S-", "^"].iter().find_map(|m| rest.strip_prefix(m)).filter(|r| !r.is_empty())
    {
        rest = shorter;
    }
    let numbered = |head: &str, most: u16| {
        rest.strip_prefix(head).is_some_and(|n| n.parse::<u16>().is_ok_and(|n| n <= most && !rest.ends_with('+')))
    };
    let one = rest.chars().count() == 1;
    one || numbered("F", 12) || numbered("User", 999) || SPECIAL.contains(&format!(" {rest} ")) && !rest.is_empty()
}

const ANSI: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "brightblack",
    "brightred",
    "brightgreen",
    "brightyellow",
    "brightblue",
    "brightmagenta",
    "brightcyan",
    "brightwhite",
];
const THEME: [&str; 10] = [
    "themeblack",
    "themewhite",
    "themelightgrey",
    "themedarkgrey",
    "themegreen",
    "themeyellow",
    "themered",
    "themeblue",
    "themecyan",
    "thememagenta",
];

pub(super) fn parse_colour(text: &str) -> Option<Colour> {
    let lower = text.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix('#') {
        let bits = u32::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 6 && !hex.starts_with('+'))?;
        return Some(Colour::rgb((bits >> 16) as u8, (bits >> 8) as u8, bits as u8));
    }
    if let Some(n) = lower.strip_prefix("colour").or_else(|| lower.strip_prefix("color")) {
        return n.parse().ok().map(Colour::indexed);
    }
    match lower.as_str() {
        "default" => return Some(Colour::DEFAULT),
        "terminal" => return Some(Colour::TERMINAL),
        _ => {}
    }
    let place = |names: &[&str]| names.iter().position(|name| *name == lower).map(|n| n as u8);
    let number = lower.parse::<u8>().ok().and_then(|n| match n {
        0..=7 => Some(n),
        90..=97 => Some(n - 82),
        _ => None,
    });
    place(&ANSI).or(number).map(Colour::ansi).or_else(|| place(&THEME).map(Colour::theme))
}

pub(super) fn print_colour(colour: Colour) -> String {
    match colour.kind() {
        ColourKind::Default => "default".to_owned(),
        ColourKind::Terminal => "terminal".to_owned(),
        ColourKind::Ansi(n) => ANSI[n as usize & 15].to_owned(),
        ColourKind::Indexed(n) => format!("colour{n}"),
        ColourKind::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        ColourKind::Theme(n) => THEME.get(n as usize).copied().unwrap_or("default").to_owned(),
    }
}

pub(super) fn parse_style(text: &str) -> Option<StyleSpec> {
    let mut style = Style::DEFAULT;
    for word in text.split([' ', ',', '\n']).filter(|word| !word.is_empty()) {
        match word.split_once('=') {
            Some(("fg", colour)) => style.fg = parse_colour(colour)?,
            Some(("bg", colour)) => style.bg = parse_colour(colour)?,
            Some(("us", colour)) => style.us = parse_colour(colour)?,
            Some(("fill", colour)) => drop(parse_colour(colour)?),
            Some(("width" | "pad" | "dim", n)) => drop(n.trim_end_matches('%').parse::<u32>().ok()?),
            Some(("align" | "list" | "range" | "link", _)) => {}
            Some(_) => return None,
            None => match word {
                "default" => style = Style::DEFAULT,
                "none" => style.attrs = Attrs::empty(),
                "noattr" => {}
                _ => match word.strip_prefix("no") {
                    Some(attr) => style.attrs &= !attribute(attr)?,
                    None => style.attrs |= attribute(word)?,
                },
            },
        }
    }
    Some(StyleSpec(style))
}

fn attribute(word: &str) -> Option<Attrs> {
    let line = |u| Attrs::empty().with_underline(u);
    Some(match word {
        "bright" | "bold" => Attrs::BOLD,
        "dim" => Attrs::DIM,
        "italics" => Attrs::ITALIC,
        "blink" => Attrs::BLINK,
        "reverse" => Attrs::REVERSE,
        "hidden" => Attrs::CONCEAL,
        "strikethrough" => Attrs::STRIKE,
        "overline" => Attrs::OVERLINE,
        "underscore" => line(Underline::Single),
        "double-underscore" => line(Underline::Double),
        "curly-underscore" => line(Underline::Curly),
        "dotted-underscore" => line(Underline::Dotted),
        "dashed-underscore" => line(Underline::Dashed),
        _ => return None,
    })
}
