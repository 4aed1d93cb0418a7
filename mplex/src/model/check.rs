//! Integrity of the model, verified after each step in debug builds and in all tests.

use super::Model;
use crate::base::Rect;

/// The first thing that is wrong, as a sentence; `None` if all is well.
pub fn check(m: &Model) -> Option<String> {
    for s in m.sessions.values() {
        if s.links.is_empty() {
            return Some(format!("session {} has no windows", s.id));
        }
        if !s.links.contains_key(&s.current) {
            return Some(format!("session {} has no link {}", s.id, s.current));
        }
        for i in &s.visited {
            if !s.links.contains_key(i) {
                return Some(format!("session {} visited {i}, which is no link", s.id));
            }
        }
        for l in s.links.values() {
            if !m.windows.contains_key(&l.window) {
                return Some(format!("session {} links {}, which does not exist", s.id, l.window));
            }
        }
    }
    for w in m.windows.values() {
        if w.panes.is_empty() || !w.panes.contains(&w.active) {
            return Some(format!("window {} has no active pane", w.id));
        }
        if let Some(z) = w.zoomed
            && !w.panes.contains(&z)
        {
            return Some(format!("window {} zooms {z}, which is not its own", w.id));
        }
        let window = Rect { x: 0, y: 0, w: w.size.cols, h: w.size.rows };
        for p in &w.panes {
            let Some(pane) = m.panes.get(p) else { return Some(format!("window {} has no pane {p}", w.id)) };
            if pane.window != w.id {
                return Some(format!("pane {p} is in {} and thinks it is in {}", w.id, pane.window));
            }
            if w.layout.pane_rect(*p).is_none() {
                return Some(format!("pane {p} has no place in the layout of {}", w.id));
            }
            if !pane.floating && w.zoomed.is_none() && pane.rect.intersect(window) != pane.rect {
                return Some(format!("pane {p} at {:?} is not inside {}", pane.rect, w.id));
            }
        }
    }
    for p in m.panes.values() {
        if m.windows.get(&p.window).is_none_or(|w| !w.panes.contains(&p.id)) {
            return Some(format!("pane {} is in no window", p.id));
        }
    }
    for c in m.clients.values() {
        if let Some(s) = c.session
            && !m.sessions.contains_key(&s)
        {
            return Some(format!("{} looks at {s}, which does not exist", c.id));
        }
    }
    None
}
