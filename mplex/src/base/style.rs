//! Colours, attributes and styles of a cell.

/// What a [`Colour`] means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColourKind {
    /// The terminal's own foreground or background (SGR 39, 49, 59); inherits in a style of an option.
    Default,
    /// tmux's `terminal`: the terminal's own colour even where a default would inherit.
    Terminal,
    /// SGR 30-37 and 90-97: 0 to 15.
    Ansi(u8),
    /// SGR 38;5;n: 0 to 255.
    Indexed(u8),
    /// SGR 38;2;r;g;b.
    Rgb(u8, u8, u8),
    /// A colour of the theme by its index (tmux 3.8 `themeblack` ...).
    Theme(u8),
}

/// A colour in 4 bytes; [`Colour::kind`] unpacks it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Colour(u32);

impl Colour {
    pub const DEFAULT: Colour = Colour(0);
    pub const TERMINAL: Colour = Colour(1 << 24);

    pub const fn ansi(n: u8) -> Colour {
        Colour(2 << 24 | (n & 15) as u32)
    }

    pub const fn indexed(n: u8) -> Colour {
        Colour(3 << 24 | n as u32)
    }

    pub const fn rgb(r: u8, g: u8, b: u8) -> Colour {
        Colour(4 << 24 | (r as u32) << 16 | (g as u32) << 8 | b as u32)
    }

    pub const fn theme(n: u8) -> Colour {
        Colour(5 << 24 | n as u32)
    }

    pub const fn kind(self) -> ColourKind {
        let v = self.0;
        match v >> 24 {
            1 => ColourKind::Terminal,
            2 => ColourKind::Ansi(v as u8),
            3 => ColourKind::Indexed(v as u8),
            4 => ColourKind::Rgb((v >> 16) as u8, (v >> 8) as u8, v as u8),
            5 => ColourKind::Theme(v as u8),
            _ => ColourKind::Default,
        }
    }

    /// The packed form; equal colours have equal bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    pub const fn is_default(self) -> bool {
        self.0 == 0
    }
}

impl std::fmt::Debug for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.kind().fmt(f)
    }
}

bitflags::bitflags! {
    /// SGR attributes. The underline's style is three bits of its own: read it with [`Attrs::underline`].
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Attrs: u16 {
        const BOLD = 1;
        const DIM = 1 << 1;
        const ITALIC = 1 << 2;
        const BLINK = 1 << 3;
        const REVERSE = 1 << 4;
        const CONCEAL = 1 << 5;
        const STRIKE = 1 << 6;
        const OVERLINE = 1 << 7;
        /// The field of the underline style, see [`Underline`].
        const UNDERLINE_MASK = 7 << 8;
    }
}

/// SGR 4:n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Underline {
    #[default]
    None = 0,
    Single = 1,
    Double = 2,
    Curly = 3,
    Dotted = 4,
    Dashed = 5,
}

impl Underline {
    /// From the sub-parameter of SGR 4; unknown styles are single.
    pub const fn from_sgr(n: u16) -> Underline {
        match n {
            0 => Underline::None,
            2 => Underline::Double,
            3 => Underline::Curly,
            4 => Underline::Dotted,
            5 => Underline::Dashed,
            _ => Underline::Single,
        }
    }
}

impl Attrs {
    pub const fn underline(self) -> Underline {
        match (self.bits() >> 8) & 7 {
            0 => Underline::None,
            2 => Underline::Double,
            3 => Underline::Curly,
            4 => Underline::Dotted,
            5 => Underline::Dashed,
            _ => Underline::Single,
        }
    }

    #[must_use]
    pub const fn with_underline(self, u: Underline) -> Attrs {
        Attrs::from_bits_retain(self.bits() & !(7 << 8) | (u as u16) << 8)
    }
}

/// Everything about how a cell looks but its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Style {
    pub fg: Colour,
    pub bg: Colour,
    /// Underline colour, SGR 58.
    pub us: Colour,
    pub attrs: Attrs,
}

impl Style {
    pub const DEFAULT: Style =
        Style { fg: Colour::DEFAULT, bg: Colour::DEFAULT, us: Colour::DEFAULT, attrs: Attrs::empty() };

    /// A blank in this style: what an erase with background colour (BCE) leaves.
    #[must_use]
    pub const fn erased(self) -> Style {
        Style { fg: Colour::DEFAULT, bg: self.bg, us: Colour::DEFAULT, attrs: Attrs::empty() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_unpack_as_packed() {
        assert_eq!(Colour::ansi(9).kind(), ColourKind::Ansi(9));
        assert_eq!(Colour::indexed(200).kind(), ColourKind::Indexed(200));
        assert_eq!(Colour::rgb(1, 2, 3).kind(), ColourKind::Rgb(1, 2, 3));
        assert_eq!(Colour::default().kind(), ColourKind::Default);
        assert_eq!(Attrs::BOLD.with_underline(Underline::Curly).underline(), Underline::Curly);
    }
}
