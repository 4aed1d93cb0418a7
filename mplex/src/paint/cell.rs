//! One cell of a frame and the pool of what does not fit into it: grapheme clusters and hyperlinks.
//!
//! It must not know frames; a pool serves all frames of one painter, so that equal cells have equal ids.

use crate::base::Style;
use rustc_hash::FxHashMap;

/// The text of a cell: one character, or the id of a longer grapheme cluster in a [`Pool`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symbol(u32);

const CLUSTER: u32 = 1 << 31;

impl Symbol {
    pub const BLANK: Symbol = Symbol(' ' as u32);

    /// One character. A control character (C0, DEL, C1) becomes U+FFFD, so that no frame can carry one to a terminal.
    pub const fn char(c: char) -> Symbol {
        let n = c as u32;
        if n < 0x20 || (n >= 0x7f && n < 0xa0) { Symbol(0xfffd) } else { Symbol(n) }
    }

    /// The character, unless it is a cluster.
    pub const fn as_char(self) -> Option<char> {
        if self.0 & CLUSTER != 0 { None } else { char::from_u32(self.0) }
    }

    /// The byte, if it is printable ASCII.
    pub const fn as_ascii(self) -> Option<u8> {
        if self.0 < 0x7f { Some(self.0 as u8) } else { None }
    }

    const fn cluster(self) -> Option<usize> {
        if self.0 & CLUSTER != 0 { Some((self.0 & !CLUSTER) as usize) } else { None }
    }
}

impl std::fmt::Debug for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.as_char() {
            Some(c) => write!(f, "{c:?}"),
            None => write!(f, "cluster {}", self.0 & !CLUSTER),
        }
    }
}

/// A hyperlink in a [`Pool`]; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LinkId(u16);

impl LinkId {
    pub const NONE: LinkId = LinkId(0);

    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    pub(super) const fn number(self) -> u16 {
        self.0
    }
}

/// A cell of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub symbol: Symbol,
    pub style: Style,
    pub link: LinkId,
    /// 1 or 2 cells; 0 is the second half of the wide cell to its left.
    pub width: u8,
}

const _: () = assert!(size_of::<Cell>() <= 24);

impl Cell {
    /// A blank in the terminal's own colours.
    pub const BLANK: Cell = Cell::blank(Style::DEFAULT);

    pub const fn blank(style: Style) -> Cell {
        Cell { symbol: Symbol::BLANK, style, link: LinkId::NONE, width: 1 }
    }

    /// The second half of a wide cell.
    pub const fn tail(style: Style, link: LinkId) -> Cell {
        Cell { symbol: Symbol::BLANK, style, link, width: 0 }
    }

    /// The same picture in one form: a blank shows only its background (unless an attribute draws on blanks), so everything
    /// else is dropped from its style. Frames hold cells in this form.
    #[must_use]
    pub fn normal(mut self) -> Cell {
        if self.symbol == Symbol::BLANK && self.width == 1 && !draws_on_blank(self.style) {
            self.style = self.style.erased();
        }
        self
    }

    /// True if erasing with this cell's background leaves this cell.
    pub fn is_erased(&self) -> bool {
        self.symbol == Symbol::BLANK
            && self.width == 1
            && self.link.is_none()
            && self.style.attrs.is_empty()
            && self.style.fg.is_default()
            && self.style.us.is_default()
    }
}

/// True if a blank in this style shows more than its background.
pub(super) fn draws_on_blank(style: Style) -> bool {
    use crate::base::Attrs;
    let drawing = Attrs::REVERSE | Attrs::STRIKE | Attrs::OVERLINE | Attrs::UNDERLINE_MASK;
    style.attrs.intersects(drawing)
}

/// Clusters and links of the frames of one painter. Bounded: see [`Pool::MAX_CLUSTERS`], [`Pool::MAX_LINKS`].
#[derive(Debug, Default)]
pub struct Pool {
    clusters: Vec<Box<str>>,
    cluster_ids: FxHashMap<Box<str>, u32>,
    /// (id, uri); `LinkId(n)` is at `n - 1`.
    links: Vec<(Box<str>, Box<str>)>,
    link_ids: FxHashMap<(Box<str>, Box<str>), u16>,
}

impl Pool {
    /// When this many clusters are known, new ones show their first character only, until [`Pool::collect`].
    pub const MAX_CLUSTERS: usize = 1 << 16;
    /// When this many links are known, new ones are dropped, until [`Pool::collect`].
    pub const MAX_LINKS: usize = 1 << 13;
    /// Longest cluster in bytes; a longer one loses its end.
    pub const MAX_CLUSTER_BYTES: usize = 64;
    /// Longest URI and id in bytes; a longer one is no link.
    pub const MAX_URI_BYTES: usize = 4096;

    pub fn new() -> Pool {
        Pool::default()
    }

    /// The symbol of one grapheme cluster.
    pub fn symbol(&mut self, text: &str) -> Symbol {
        let mut chars = text.chars();
        let Some(first) = chars.next() else { return Symbol::BLANK };
        if chars.next().is_none() {
            return Symbol::char(first);
        }
        if text.chars().any(char::is_control) {
            return Symbol::char(first);
        }
        let mut end = text.len().min(Pool::MAX_CLUSTER_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        if let Some(&id) = self.cluster_ids.get(text) {
            return Symbol(CLUSTER | id);
        }
        if self.clusters.len() >= Pool::MAX_CLUSTERS {
            return Symbol::char(first);
        }
        let id = self.clusters.len() as u32;
        self.clusters.push(text.into());
        self.cluster_ids.insert(text.into(), id);
        Symbol(CLUSTER | id)
    }

    /// The text of a symbol; `buf` holds it if it is one character.
    pub fn text<'a>(&'a self, symbol: Symbol, buf: &'a mut [u8; 4]) -> &'a str {
        match symbol.cluster() {
            Some(n) => self.clusters.get(n).map_or(" ", |t| t),
            None => symbol.as_char().unwrap_or(' ').encode_utf8(buf),
        }
    }

    /// The id of a hyperlink (OSC 8: `id` may be empty). `NONE` for an empty URI, one with a character outside printable
    /// ASCII, an over-long one, or when the pool is full.
    pub fn link(&mut self, id: &str, uri: &str) -> LinkId {
        let plain = |t: &str| t.len() <= Pool::MAX_URI_BYTES && t.bytes().all(|b| (0x20..0x7f).contains(&b));
        if uri.is_empty() || !plain(uri) || !plain(id) || id.contains([';', ':']) {
            return LinkId::NONE;
        }
        let key: (Box<str>, Box<str>) = (id.into(), uri.into());
        if let Some(&n) = self.link_ids.get(&key) {
            return LinkId(n);
        }
        if self.links.len() >= Pool::MAX_LINKS {
            return LinkId::NONE;
        }
        self.links.push(key.clone());
        let n = self.links.len() as u16;
        self.link_ids.insert(key, n);
        LinkId(n)
    }

    /// The (id, uri) of a link.
    pub fn link_parts(&self, link: LinkId) -> Option<(&str, &str)> {
        let (id, uri) = self.links.get(usize::from(link.0).checked_sub(1)?)?;
        Some((id, uri))
    }

    /// True if it is worth to [`Pool::collect`].
    pub(super) fn is_crowded(&self) -> bool {
        self.clusters.len() > Pool::MAX_CLUSTERS / 2 || self.links.len() > Pool::MAX_LINKS / 2
    }

    /// Forgets what no cell of these uses, and renumbers those that are used.
    pub(super) fn collect(&mut self, frames: [&mut [Cell]; 2]) {
        let old = std::mem::take(self);
        let mut links: FxHashMap<u16, LinkId> = FxHashMap::default();
        for cell in frames.into_iter().flatten() {
            if let Some(n) = cell.symbol.cluster() {
                cell.symbol = self.symbol(old.clusters.get(n).map_or(" ", |t| t));
            }
            if !cell.link.is_none() {
                let link = cell.link;
                cell.link = *links.entry(link.0).or_insert_with(|| match old.link_parts(link) {
                    Some((id, uri)) => self.link(id, uri),
                    None => LinkId::NONE,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_hold_no_control_character() {
        assert_eq!(Symbol::char('\u{1b}').as_char(), Some('\u{fffd}'));
        assert_eq!(Symbol::char('\u{9b}').as_char(), Some('\u{fffd}'));
        assert_eq!(Pool::new().symbol("a\u{1b}").as_char(), Some('a'));
        assert!(Pool::new().link("", "http://a\u{7}b").is_none());
    }

    #[test]
    fn clusters_and_links_are_interned_and_collected() {
        let mut pool = Pool::new();
        pool.symbol("x\u{300}");
        let e = pool.symbol("e\u{301}");
        assert_eq!(pool.symbol("e\u{301}"), e);
        pool.link("", "http://gone");
        let link = pool.link("1", "http://kept");
        let mut cells = [Cell { symbol: e, style: Style::DEFAULT, link, width: 1 }];
        pool.collect([&mut cells, &mut []]);
        assert_eq!(pool.text(cells[0].symbol, &mut [0; 4]), "e\u{301}");
        assert_eq!(pool.link_parts(cells[0].link), Some(("1", "http://kept")));
        assert_eq!((pool.clusters.len(), pool.links.len()), (1, 1));
    }

    #[test]
    fn a_full_pool_degrades() {
        let mut pool = Pool::new();
        for n in 0..Pool::MAX_LINKS {
            assert!(!pool.link("", &format!("u:{n}")).is_none());
        }
        assert!(pool.link("", "u:more").is_none());
        assert!(!pool.link("", "u:1").is_none());
    }
}
