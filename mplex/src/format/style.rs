//! Styles as options and `#[...]` write them: `fg=red,bold,align=right,range=window|1`.

use std::sync::Arc;

use super::colour;
use super::text::number;
use crate::base::style::Underline;
use crate::base::{Attrs, Colour, PaneId, SessionId, Style};

/// Bytes one part of a style may take.
const MAX_PART: usize = 255;
/// Bytes kept of the name of a user's range.
const MAX_USER: usize = 15;

/// Where text is put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// As left, but not said.
    #[default]
    Default,
    Left,
    Centre,
    Right,
    AbsoluteCentre,
}

/// Part of the list that is cut with markers when it does not fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum List {
    #[default]
    Off,
    On,
    /// The part to keep in sight.
    Focus,
    LeftMarker,
    RightMarker,
}

/// What a mouse event on the text is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Range {
    Left,
    Right,
    /// A control of the border, 0 to 9.
    Control(u8),
    Pane(PaneId),
    /// A window by its index.
    Window(u32),
    Session(SessionId),
    User(Arc<str>),
}

/// What a style does to the default that later styles return to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DefaultOp {
    #[default]
    Keep,
    Push,
    Pop,
    Set,
}

/// `width=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    Cells(u32),
    Percent(u8),
}

/// A parsed style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StyleSpec {
    pub style: Style,
    /// Line-drawing characters (`acs`).
    pub acs: bool,
    /// `noattr`: take no attributes from what is below.
    pub noattr: bool,
    /// Text is drawn as it is, further styles included.
    pub ignore: bool,
    pub align: Align,
    pub list: List,
    pub range: Option<Range>,
    pub default_op: DefaultOp,
    /// Colour of what is left empty.
    pub fill: Option<Colour>,
    /// Percentage by which colours are made darker.
    pub dim: u8,
    pub width: Option<Width>,
    pub pad: Option<u32>,
    pub link: Option<Arc<str>>,
}

/// Why a style was refused; prints as tmux says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidStyle(pub String);

impl std::fmt::Display for InvalidStyle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "invalid style: {}", self.0)
    }
}

impl std::error::Error for InvalidStyle {}

impl StyleSpec {
    /// The style of an option, from nothing.
    pub fn parse(text: &str) -> Result<StyleSpec, InvalidStyle> {
        let mut spec = StyleSpec::default();
        spec.apply(text, &Style::DEFAULT)?;
        Ok(spec)
    }

    /// Starts from a style that is in force.
    pub fn of(style: Style) -> StyleSpec {
        StyleSpec { style, ..StyleSpec::default() }
    }

    /// Adds what `text` says; `base` is what `default` returns to. On an error nothing changes.
    pub fn apply(&mut self, text: &str, base: &Style) -> Result<(), InvalidStyle> {
        let mut next = self.clone();
        for part in text.split([' ', ',', '\n']).filter(|p| !p.is_empty()) {
            if part.len() > MAX_PART || next.part(part, base).is_none() {
                return Err(InvalidStyle(text.to_owned()));
            }
        }
        *self = next;
        Ok(())
    }

    fn part(&mut self, part: &str, base: &Style) -> Option<()> {
        let lower = part.to_ascii_lowercase();
        if let Some((key, value)) = lower.split_once('=')
            && (!value.is_empty() || key == "link")
        {
            return self.assign(key, value, &part[key.len() + 1..], base);
        }
        match lower.as_str() {
            "default" => {
                self.style = *base;
                (self.link, self.acs, self.noattr) = (None, false, false);
            }
            "ignore" => self.ignore = true,
            "noignore" => self.ignore = false,
            "push-default" => self.default_op = DefaultOp::Push,
            "pop-default" => self.default_op = DefaultOp::Pop,
            "set-default" => self.default_op = DefaultOp::Set,
            "nolist" => self.list = List::Off,
            "norange" => self.range = None,
            "noalign" => self.align = Align::Default,
            "nolink" => self.link = None,
            "noattr" => self.noattr = true,
            "none" => {
                self.style.attrs = Attrs::empty();
                (self.acs, self.noattr) = (false, false);
            }
            _ => {
                let (set, names) = lower.strip_prefix("no").map_or((true, lower.as_str()), |n| (false, n));
                self.attributes(names, set)?;
            }
        }
        Some(())
    }

    fn assign(&mut self, key: &str, value: &str, written: &str, base: &Style) -> Option<()> {
        let colour_or = |base: Colour| colour::parse(value).map(|c| if c.is_default() { base } else { c });
        match key {
            "fg" => self.style.fg = colour_or(base.fg)?,
            "bg" => self.style.bg = colour_or(base.bg)?,
            "us" => self.style.us = colour_or(base.us)?,
            // A default fill is none.
            "fill" => self.fill = Some(colour::parse(value)?).filter(|c| !c.is_default()),
            "list" => {
                self.list = match value {
                    "on" => List::On,
                    "focus" => List::Focus,
                    "left-marker" => List::LeftMarker,
                    "right-marker" => List::RightMarker,
                    _ => return None,
                }
            }
            "align" => {
                self.align = match value {
                    "left" => Align::Left,
                    "centre" => Align::Centre,
                    "right" => Align::Right,
                    "absolute-centre" => Align::AbsoluteCentre,
                    _ => return None,
                }
            }
            "range" => self.assign_range(written)?,
            "dim" => self.dim = number(value.strip_suffix('%').unwrap_or(value), 0, 100)? as u8,
            "width" => {
                self.width = Some(match value.strip_suffix('%').filter(|v| !v.is_empty()) {
                    Some(v) => Width::Percent(number(v, 0, 100)? as u8),
                    None => Width::Cells(number(value, 0, i64::from(u32::MAX))? as u32),
                });
            }
            "pad" => self.pad = Some(number(value, 0, i64::from(u32::MAX))? as u32),
            "link" => self.link = Some(written).filter(|w| !w.is_empty()).map(Arc::from),
            _ => return None,
        }
        Some(())
    }

    /// An unknown kind of range changes nothing, as in tmux.
    fn assign_range(&mut self, text: &str) -> Option<()> {
        let (kind, arg) = text.split_once('|').map_or((text, None), |(k, a)| (k, Some(a)));
        if arg == Some("") {
            return None;
        }
        let id = |text: &str, max: i64| number(text, 0, max).map(|n| n as u32);
        let max = i64::from(u32::MAX);
        let range = match kind.to_ascii_lowercase().as_str() {
            "left" | "right" if arg.is_some() => return None,
            "left" => Range::Left,
            "right" => Range::Right,
            "control" => Range::Control(id(arg?, 9)? as u8),
            "pane" => Range::Pane(PaneId(id(arg?.strip_prefix('%')?, max)?)),
            "window" => Range::Window(id(arg?, max)?),
            "session" => Range::Session(SessionId(id(arg?.strip_prefix('$')?, max)?)),
            "user" => {
                let mut name = arg?;
                while name.len() > MAX_USER {
                    name = &name[..name.char_indices().next_back()?.0];
                }
                Range::User(name.into())
            }
            _ => return Some(()),
        };
        self.range = Some(range);
        Some(())
    }

    /// One attribute, or several with `|` between.
    fn attributes(&mut self, names: &str, set: bool) -> Option<()> {
        if names.is_empty() || names.starts_with('|') || names.ends_with('|') {
            return None;
        }
        if names == "default" || names == "none" {
            return Some(());
        }
        for name in names.split('|').filter(|n| !n.is_empty()) {
            if name == "acs" {
                self.acs = set;
            } else if let Some(u) = underline(name) {
                let now = self.style.attrs.underline();
                if set || now == u {
                    self.style.attrs = self.style.attrs.with_underline(if set { u } else { Underline::None });
                }
            } else {
                let bit = ATTRS.iter().find(|a| a.0 == name)?.1;
                self.style.attrs.set(bit, set);
            }
        }
        Some(())
    }

    /// What drawing this style on top of `below` gives: colours where they are set, attributes added.
    #[must_use]
    pub fn over(&self, below: Style) -> Style {
        let pick = |over: Colour, below: Colour| if over.is_default() { below } else { over };
        let mut attrs = if self.noattr { Attrs::empty() } else { below.attrs };
        let u = self.style.attrs.underline();
        attrs |= self.style.attrs - Attrs::UNDERLINE_MASK;
        if u != Underline::None {
            attrs = attrs.with_underline(u);
        }
        Style {
            fg: pick(self.style.fg, below.fg),
            bg: pick(self.style.bg, below.bg),
            us: pick(self.style.us, below.us),
            attrs,
        }
    }
}

const ATTRS: &[(&str, Attrs)] = &[
    ("bright", Attrs::BOLD),
    ("bold", Attrs::BOLD),
    ("dim", Attrs::DIM),
    ("blink", Attrs::BLINK),
    ("reverse", Attrs::REVERSE),
    ("hidden", Attrs::CONCEAL),
    ("italics", Attrs::ITALIC),
    ("strikethrough", Attrs::STRIKE),
    ("overline", Attrs::OVERLINE),
];

const UNDERLINES: [(&str, Underline); 5] = [
    ("underscore", Underline::Single),
    ("double-underscore", Underline::Double),
    ("curly-underscore", Underline::Curly),
    ("dotted-underscore", Underline::Dotted),
    ("dashed-underscore", Underline::Dashed),
];

fn underline(name: &str) -> Option<Underline> {
    UNDERLINES.iter().find(|u| u.0 == name).map(|u| u.1)
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Range::Left => f.write_str("left"),
            Range::Right => f.write_str("right"),
            Range::Control(n) => write!(f, "control|{n}"),
            Range::Pane(id) => write!(f, "pane|{id}"),
            Range::Window(n) => write!(f, "window|{n}"),
            Range::Session(id) => write!(f, "session|{id}"),
            Range::User(name) => write!(f, "user|{name}"),
        }
    }
}

impl std::fmt::Display for StyleSpec {
    /// In the order tmux prints; `default` if there is nothing to say.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        match self.list {
            List::Off => {}
            List::On => parts.push("list=on".into()),
            List::Focus => parts.push("list=focus".into()),
            List::LeftMarker => parts.push("list=left-marker".into()),
            List::RightMarker => parts.push("list=right-marker".into()),
        }
        parts.extend(self.range.as_ref().map(|r| format!("range={r}")));
        match self.align {
            Align::Default => {}
            Align::Left => parts.push("align=left".into()),
            Align::Centre => parts.push("align=centre".into()),
            Align::Right => parts.push("align=right".into()),
            Align::AbsoluteCentre => parts.push("align=absolute-centre".into()),
        }
        match self.default_op {
            DefaultOp::Keep => {}
            DefaultOp::Push => parts.push("push-default".into()),
            DefaultOp::Pop => parts.push("pop-default".into()),
            DefaultOp::Set => parts.push("set-default".into()),
        }
        parts.extend(self.fill.map(|c| format!("fill={}", colour::name(c))));
        if self.dim != 0 {
            parts.push(format!("dim={}%", self.dim));
        }
        for (key, c) in [("fg", self.style.fg), ("bg", self.style.bg), ("us", self.style.us)] {
            if !c.is_default() {
                parts.push(format!("{key}={}", colour::name(c)));
            }
        }
        let a = self.style.attrs;
        let mut attr = |name: &str, on: bool| {
            if on {
                parts.push(name.to_owned());
            }
        };
        attr("acs", self.acs);
        attr("bright", a.contains(Attrs::BOLD));
        attr("dim", a.contains(Attrs::DIM));
        attr("underscore", a.underline() == Underline::Single);
        attr("blink", a.contains(Attrs::BLINK));
        attr("reverse", a.contains(Attrs::REVERSE));
        attr("hidden", a.contains(Attrs::CONCEAL));
        attr("italics", a.contains(Attrs::ITALIC));
        attr("strikethrough", a.contains(Attrs::STRIKE));
        for (name, u) in &UNDERLINES[1..] {
            attr(name, a.underline() == *u);
        }
        attr("overline", a.contains(Attrs::OVERLINE));
        attr("noattr", self.noattr);
        match self.width {
            Some(Width::Cells(n)) => parts.push(format!("width={n}")),
            Some(Width::Percent(n)) => parts.push(format!("width={n}%")),
            None => {}
        }
        parts.extend(self.pad.map(|n| format!("pad={n}")));
        parts.extend(self.link.as_ref().map(|l| format!("link={l}")));
        if parts.is_empty() { f.write_str("default") } else { f.write_str(&parts.join(",")) }
    }
}
