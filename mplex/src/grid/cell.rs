//! The packed cell: what stands in it, how wide it is, which style and link it has.

use super::intern::Link;
use crate::base::Style;
use std::sync::Arc;

/// A cell of the live screen in 8 bytes. Zero is a cell that nothing was written to.
///
/// Bits 0-20 code point, or the number of a cluster if bit 21 is set; bits 22-23 head, wide head or tail of a wide
/// character; bits 24 and 25 flags; bits 32-47 the number of a style; bits 48-63 the number of a link. The numbers
/// are those of the terminal's [`super::Interned`] and may be given anew when its tables are collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Cell(pub u64);

/// What stands in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// Nothing was written here since the last erase; looks like a space.
    Blank,
    Char(char),
    /// The number of a cluster of several code points.
    Cluster(u32),
    /// The second half of a wide character.
    Tail,
}

impl Cell {
    pub const EMPTY: Cell = Cell(0);
    pub(crate) const TEXT: u64 = 0x1f_ffff;
    pub(crate) const CLUSTER: u64 = 1 << 21;
    pub(crate) const WIDE: u64 = 1 << 22;
    pub(crate) const TAIL: u64 = 1 << 23;
    /// Protected from selective erase (DECSCA) or from every erase (SPA).
    pub(crate) const PROTECTED: u64 = 1 << 24;
    pub(crate) const STYLE_SHIFT: u32 = 32;
    pub(crate) const LINK_SHIFT: u32 = 48;
    /// Style and link.
    pub(crate) const LOOK: u64 = 0xffff_ffff << 32;

    pub const fn glyph(self) -> Glyph {
        let n = (self.0 & Self::TEXT) as u32;
        if self.0 & Self::TAIL != 0 {
            return Glyph::Tail;
        }
        if self.0 & Self::CLUSTER != 0 {
            return Glyph::Cluster(n);
        }
        match char::from_u32(n) {
            Some('\0') | None => Glyph::Blank,
            Some(c) => Glyph::Char(c),
        }
    }

    /// 0 for the tail of a wide character, else 1 or 2.
    pub const fn width(self) -> u8 {
        if self.0 & Self::TAIL != 0 {
            0
        } else if self.0 & Self::WIDE != 0 {
            2
        } else {
            1
        }
    }

    /// The number of its style; 0 is the default style.
    pub const fn style(self) -> u16 {
        (self.0 >> Self::STYLE_SHIFT) as u16
    }

    /// The number of its link; 0 is none.
    pub const fn link(self) -> u16 {
        (self.0 >> Self::LINK_SHIFT) as u16
    }

    /// Style and link in one number: equal numbers look the same.
    pub const fn look(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// True if nothing was written here and it has no background of its own.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn is_protected(self) -> bool {
        self.0 & Self::PROTECTED != 0
    }

    pub(crate) const fn is_half(self) -> bool {
        self.0 & (Self::WIDE | Self::TAIL) != 0
    }
}

/// Style and link of a run of text, resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    pub style: Style,
    pub link: Option<Arc<Link>>,
}
