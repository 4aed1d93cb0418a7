//! The tables that live cells point into: styles, clusters, links.

use super::cell::Cell;
use super::screen::Screen;
use crate::base::Style;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A hyperlink (OSC 8). Cells with the same `key` belong to one link, whatever their addresses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    /// Unlike for each link that was opened without an id.
    pub key: u32,
    /// The id that the program gave; may be empty.
    pub id: Box<str>,
    pub uri: Box<str>,
}

/// Most entries that each table takes; numbers are 16 bits in a cell.
const MOST: usize = 65_535;
const RECENT: usize = 64;
/// Longest cluster, in bytes; what would make one longer is dropped.
pub(crate) const CLUSTER_BYTES: usize = 64;

/// Styles, clusters and links by number.
#[derive(Clone, Debug)]
pub struct Interned {
    styles: Vec<Style>,
    style_of: FxHashMap<Style, u16>,
    /// The styles asked for last, by a few bits of each.
    recent: [(Style, u16); RECENT],
    clusters: Vec<Arc<str>>,
    cluster_of: FxHashMap<Arc<str>, u32>,
    links: Vec<Option<Arc<Link>>>,
    link_of: FxHashMap<(Box<str>, Box<str>), u16>,
    next_link: u32,
}

impl Default for Interned {
    fn default() -> Interned {
        let mut style_of = FxHashMap::default();
        style_of.insert(Style::DEFAULT, 0);
        Interned {
            styles: vec![Style::DEFAULT],
            style_of,
            recent: [(Style::DEFAULT, 0); RECENT],
            clusters: Vec::new(),
            cluster_of: FxHashMap::default(),
            links: vec![None],
            link_of: FxHashMap::default(),
            next_link: 1,
        }
    }
}

impl Interned {
    pub fn style(&self, id: u16) -> Style {
        self.styles.get(id as usize).copied().unwrap_or_default()
    }

    pub fn cluster(&self, id: u32) -> &str {
        self.clusters.get(id as usize).map_or("\u{fffd}", |c| c)
    }

    pub fn link(&self, id: u16) -> Option<&Arc<Link>> {
        self.links.get(id as usize)?.as_ref()
    }

    /// The number of a style. `None`: the table is full, collect and try again.
    pub(crate) fn style_id(&mut self, style: Style) -> Option<u16> {
        let mix = |c: crate::base::Colour| c.bits().wrapping_mul(0x9e37_79b1);
        let n = mix(style.fg) ^ mix(style.bg).rotate_left(7) ^ u32::from(style.attrs.bits()).wrapping_mul(0x85eb_ca77);
        let slot = (n >> 16) as usize % RECENT;
        if self.recent[slot].0 == style {
            return Some(self.recent[slot].1);
        }
        let id = self.find_style(style)?;
        self.recent[slot] = (style, id);
        Some(id)
    }

    fn find_style(&mut self, style: Style) -> Option<u16> {
        if let Some(id) = self.style_of.get(&style) {
            return Some(*id);
        }
        if self.styles.len() >= MOST {
            return None;
        }
        let id = self.styles.len() as u16;
        self.styles.push(style);
        self.style_of.insert(style, id);
        Some(id)
    }

    /// The number of a cluster. `None`: the table is full, collect and try again.
    pub(crate) fn cluster_id(&mut self, text: &str) -> Option<u32> {
        if let Some(id) = self.cluster_of.get(text) {
            return Some(*id);
        }
        if self.clusters.len() >= MOST {
            return None;
        }
        let id = self.clusters.len() as u32;
        let text: Arc<str> = text.into();
        self.clusters.push(text.clone());
        self.cluster_of.insert(text, id);
        Some(id)
    }

    /// The number of a link; the same id and address give the same link, an empty id a new one each time.
    pub(crate) fn link_id(&mut self, id: &str, uri: &str) -> Option<u16> {
        let key = (Box::from(id), Box::from(uri));
        if !id.is_empty()
            && let Some(n) = self.link_of.get(&key)
        {
            return Some(*n);
        }
        let n = self.put_link(Arc::new(Link { key: self.next_link, id: key.0.clone(), uri: key.1.clone() }))?;
        self.next_link = self.next_link.wrapping_add(1).max(1);
        if !id.is_empty() {
            self.link_of.insert(key, n);
        }
        Some(n)
    }

    fn put_link(&mut self, link: Arc<Link>) -> Option<u16> {
        if self.links.len() >= MOST {
            return None;
        }
        self.links.push(Some(link));
        Some((self.links.len() - 1) as u16)
    }

    /// The number of a link that history gives back.
    pub(crate) fn link_again(&mut self, link: &Arc<Link>) -> Option<u16> {
        // Links come back in runs, so the newest entries are the likely ones.
        let found = self.links.iter().rev().take(64).position(|l| l.as_ref().is_some_and(|l| l.key == link.key));
        if let Some(back) = found {
            return Some((self.links.len() - 1 - back) as u16);
        }
        self.put_link(link.clone())
    }

    /// True if one of the tables is nearly full.
    pub(crate) fn is_crowded(&self) -> bool {
        let near = MOST - 2048;
        self.styles.len() > near || self.clusters.len() > near || self.links.len() > near
    }

    /// Keeps only what the cells of the screens use and what `keep` names (styles, links), and numbers all anew.
    pub(crate) fn collect(&mut self, screens: &mut [&mut Screen], style: &mut u16, link: &mut u16) {
        let mut new = Interned { next_link: self.next_link, ..Interned::default() };
        let mut styles: FxHashMap<u16, u16> = FxHashMap::default();
        let mut clusters: FxHashMap<u32, u32> = FxHashMap::default();
        let mut links: FxHashMap<u16, u16> = FxHashMap::default();
        links.insert(0, 0);
        let mut new_link = |new: &mut Interned, old: u16| {
            *links.entry(old).or_insert_with(|| match self.links.get(old as usize) {
                Some(Some(l)) => new.put_link(l.clone()).unwrap_or(0),
                _ => 0,
            })
        };
        for cell in screens.iter_mut().flat_map(|s| s.cells_mut()) {
            if cell.0 == 0 {
                continue;
            }
            let old = cell.style();
            let s = *styles.entry(old).or_insert_with(|| new.style_id(self.style(old)).unwrap_or(0));
            let l = new_link(&mut new, cell.link());
            let mut low = cell.0 & !Cell::LOOK;
            if let super::cell::Glyph::Cluster(c) = cell.glyph() {
                let c = *clusters.entry(c).or_insert_with(|| new.cluster_id(self.cluster(c)).unwrap_or(0));
                low = low & !Cell::TEXT | u64::from(c);
            }
            cell.0 = low | u64::from(s) << Cell::STYLE_SHIFT | u64::from(l) << Cell::LINK_SHIFT;
        }
        *style = new.style_id(self.style(*style)).unwrap_or(0);
        *link = new_link(&mut new, *link);
        for (n, l) in new.links.iter().enumerate() {
            if let Some(l) = l
                && !l.id.is_empty()
            {
                new.link_of.insert((l.id.clone(), l.uri.clone()), n as u16);
            }
        }
        *self = new;
    }

    /// Forgets all links (clear-history -H): cells must not name any.
    pub(crate) fn forget_links(&mut self) {
        self.links.truncate(1);
        self.link_of.clear();
    }
}
