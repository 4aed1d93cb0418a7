//! Clipped writing into a rectangle of a frame.
//!
//! Positions are relative to the brush's area. Nothing outside the area is written, with one exception that every terminal
//! makes as well: a wide cell that is cut by the edge loses its other half, which becomes a blank.
//!
//! It must not know what is drawn or why.

use super::cell::{Cell, LinkId, Pool, Symbol};
use super::frame::Frame;
use crate::base::{Pos, Rect, Size, Style, width};

/// The lines of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    Single,
    Double,
    Heavy,
    Rounded,
    Ascii,
    /// Blanks in the border's style.
    Padded,
}

impl Border {
    /// Horizontal, vertical, then the corners: top left, top right, bottom left, bottom right.
    pub const fn chars(self) -> [char; 6] {
        match self {
            Border::Single => ['─', '│', '┌', '┐', '└', '┘'],
            Border::Double => ['═', '║', '╔', '╗', '╚', '╝'],
            Border::Heavy => ['━', '┃', '┏', '┓', '┗', '┛'],
            Border::Rounded => ['─', '│', '╭', '╮', '╰', '╯'],
            Border::Ascii => ['-', '|', '+', '+', '+', '+'],
            Border::Padded => [' '; 6],
        }
    }
}

/// A rectangle of a frame to write into.
pub struct Brush<'a> {
    frame: &'a mut Frame,
    pool: &'a mut Pool,
    /// Where (0, 0) is, in the frame; may be outside the clip.
    origin: (i32, i32),
    size: Size,
    clip: Rect,
}

impl<'a> Brush<'a> {
    /// A brush for `area` of a frame; what is outside the frame is cut.
    pub fn new(frame: &'a mut Frame, pool: &'a mut Pool, area: Rect) -> Brush<'a> {
        let clip = area.intersect(frame.size().rect());
        Brush { frame, pool, origin: (i32::from(area.x), i32::from(area.y)), size: area.size(), clip }
    }

    /// Size of the area, whether or not all of it can be seen.
    pub fn size(&self) -> Size {
        self.size
    }

    /// A brush for a part of this one's area.
    pub fn part(&mut self, area: Rect) -> Brush<'_> {
        let origin = (self.origin.0 + i32::from(area.x), self.origin.1 + i32::from(area.y));
        let clip = self.visible(area);
        Brush { frame: self.frame, pool: self.pool, origin, size: area.size(), clip }
    }

    /// The same clip, but what is written at `at` shows at the area's top left.
    pub fn panned(&mut self, at: Pos) -> Brush<'_> {
        let origin = (self.origin.0 - i32::from(at.x), self.origin.1 - i32::from(at.y));
        let size = Size::new(self.size.cols.saturating_add(at.x), self.size.rows.saturating_add(at.y));
        Brush { frame: self.frame, pool: self.pool, origin, size, clip: self.clip }
    }

    /// As [`Brush::panned`], giving this brush away.
    pub fn into_panned(mut self, at: Pos) -> Brush<'a> {
        self.origin = (self.origin.0 - i32::from(at.x), self.origin.1 - i32::from(at.y));
        self.size = Size::new(self.size.cols.saturating_add(at.x), self.size.rows.saturating_add(at.y));
        self
    }

    pub fn pool(&mut self) -> &mut Pool {
        self.pool
    }

    /// The hyperlink `uri` with the id that a program gave (may be empty).
    pub fn link(&mut self, id: &str, uri: &str) -> LinkId {
        self.pool.link(id, uri)
    }

    /// Where a position of the area is in the frame, if it can be seen. For the cursor.
    pub fn locate(&self, p: Pos) -> Option<Pos> {
        let x = u16::try_from(self.origin.0 + i32::from(p.x)).ok()?;
        let y = u16::try_from(self.origin.1 + i32::from(p.y)).ok()?;
        let inside = p.x < self.size.cols && p.y < self.size.rows && self.clip.contains(Pos::new(x, y));
        inside.then_some(Pos::new(x, y))
    }

    /// The part of `area` that can be seen, in the frame's positions.
    fn visible(&self, area: Rect) -> Rect {
        let clip = |from: i32, len: u16, lo: u16, hi: u16| {
            let a = from.clamp(i32::from(lo), i32::from(hi));
            let b = (from + i32::from(len)).clamp(a, i32::from(hi));
            (a as u16, (b - a) as u16)
        };
        let w = area.w.min(self.size.cols.saturating_sub(area.x));
        let h = area.h.min(self.size.rows.saturating_sub(area.y));
        let (x, w) = clip(self.origin.0 + i32::from(area.x), w, self.clip.x, self.clip.right());
        let (y, h) = clip(self.origin.1 + i32::from(area.y), h, self.clip.y, self.clip.bottom());
        Rect { x, y, w, h }
    }

    /// Writes one cell; returns the cells it takes. Width 0 counts as 1. A wide cell cut by an edge becomes a blank.
    pub fn put(&mut self, x: u16, y: u16, symbol: Symbol, cells: u8, style: Style, link: LinkId) -> u16 {
        let n = i32::from(cells.clamp(1, 2));
        let (fx, fy) = (self.origin.0 + i32::from(x), self.origin.1 + i32::from(y));
        let lo = i32::from(self.clip.x);
        let hi = i32::from(self.clip.right()).min(self.origin.0 + i32::from(self.size.cols));
        let bottom = i32::from(self.clip.bottom()).min(self.origin.1 + i32::from(self.size.rows));
        if fy < i32::from(self.clip.y) || fy >= bottom || fx + n <= lo || fx >= hi {
            return n as u16;
        }
        if n == 2 && (fx < lo || fx + 1 >= hi) {
            self.frame.set(fx.max(lo) as u16, fy as u16, Cell { link, ..Cell::blank(style) });
        } else {
            self.frame.set(fx as u16, fy as u16, Cell { symbol, style, link, width: n as u8 });
        }
        n as u16
    }

    /// Writes narrow symbols of one look from `x` on: as [`Brush::put`] of each, but quicker.
    pub fn run<I>(&mut self, x: u16, y: u16, symbols: I, style: Style, link: LinkId)
    where
        I: ExactSizeIterator<Item = Symbol>,
    {
        let len = u16::try_from(symbols.len()).unwrap_or(u16::MAX);
        let seen = self.visible(Rect::new(x, y, len, 1));
        if seen.is_empty() {
            return;
        }
        let cut = i32::from(seen.x) - (self.origin.0 + i32::from(x));
        let symbols = symbols.skip(usize::try_from(cut).unwrap_or(0)).take(seen.w.into());
        self.frame.set_run(seen.x, seen.y, symbols, style, link);
    }

    /// Writes one character of the width that it has (see `base::width`). Zero-width characters are not written.
    pub fn char(&mut self, x: u16, y: u16, c: char, style: Style) -> u16 {
        match width::char_width(c) {
            0 => 0,
            n => self.put(x, y, Symbol::char(c), n, style, LinkId::NONE),
        }
    }

    /// Writes text on one row and returns the cells it takes (also those that were cut). Control characters are skipped.
    pub fn text(&mut self, x: u16, y: u16, text: &str, style: Style) -> u16 {
        self.linked(x, y, text, style, LinkId::NONE)
    }

    /// [`Brush::text`] with a hyperlink.
    pub fn linked(&mut self, x: u16, y: u16, text: &str, style: Style, link: LinkId) -> u16 {
        let mut used = 0u16;
        // ASCII needs no cutting into clusters, but its last character may be the base of one.
        let ascii = text.bytes().position(|b| !(0x20..0x7f).contains(&b));
        let plain = ascii.map_or(text.len(), |n| n.saturating_sub(1));
        for b in text.bytes().take(plain) {
            let at = x.saturating_add(used);
            if at == u16::MAX {
                return used;
            }
            used += self.put(at, y, Symbol::char(char::from(b)), 1, style, link);
        }
        for (cluster, n) in width::clusters(&text[plain..]) {
            let at = x.saturating_add(used);
            if at == u16::MAX {
                break;
            }
            if n > 0 {
                let symbol = self.pool.symbol(cluster);
                used += self.put(at, y, symbol, n, style, link);
            }
        }
        used
    }

    /// Fills a rectangle with a narrow character.
    pub fn fill(&mut self, area: Rect, c: char, style: Style) {
        let symbol = if width::char_width(c) == 1 { Symbol::char(c) } else { Symbol::BLANK };
        let seen = self.visible(area);
        for y in seen.y..seen.bottom() {
            self.frame.set_run(seen.x, y, std::iter::repeat_n(symbol, seen.w.into()), style, LinkId::NONE);
        }
    }

    /// Fills the whole area with blanks.
    pub fn clear(&mut self, style: Style) {
        self.fill(self.size.rect(), ' ', style);
    }

    pub fn hline(&mut self, x: u16, y: u16, len: u16, c: char, style: Style) {
        self.fill(Rect::new(x, y, len, 1), c, style);
    }

    pub fn vline(&mut self, x: u16, y: u16, len: u16, c: char, style: Style) {
        self.fill(Rect::new(x, y, 1, len), c, style);
    }

    /// Draws a box on the edge of `area`, and returns what is inside it. A box less than 2 cells wide or high is not drawn.
    pub fn border(&mut self, area: Rect, kind: Border, style: Style) -> Rect {
        if area.w < 2 || area.h < 2 {
            return Rect { w: 0, h: 0, ..area };
        }
        let [h, v, tl, tr, bl, br] = kind.chars();
        let (r, b) = (area.right() - 1, area.bottom() - 1);
        self.hline(area.x + 1, area.y, area.w - 2, h, style);
        self.hline(area.x + 1, b, area.w - 2, h, style);
        self.vline(area.x, area.y + 1, area.h - 2, v, style);
        self.vline(r, area.y + 1, area.h - 2, v, style);
        for (x, y, c) in [(area.x, area.y, tl), (r, area.y, tr), (area.x, b, bl), (r, b, br)] {
            self.char(x, y, c, style);
        }
        Rect { x: area.x + 1, y: area.y + 1, w: area.w - 2, h: area.h - 2 }
    }

    /// Changes the style of what is in a rectangle (selection, dimming). A wide cell changes as a whole if its first half is
    /// inside.
    pub fn restyle(&mut self, area: Rect, f: impl Fn(Style) -> Style) {
        let seen = self.visible(area);
        for y in seen.y..seen.bottom() {
            for x in seen.x..seen.right() {
                let Some(&cell) = self.frame.cell(Pos::new(x, y)) else { continue };
                if cell.width > 0 {
                    self.frame.set(x, y, Cell { style: f(cell.style), ..cell });
                }
            }
        }
    }
}
