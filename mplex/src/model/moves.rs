//! Windows and panes change places: links move between sessions, panes between windows, sessions join groups.
//!
//! Each function leaves the model whole or, on an error, untouched.

use std::collections::BTreeMap;

use super::layout::{LayoutError, Split};
use super::{Alerts, Link, Model, Place, Window};
use crate::base::{PaneId, SessionId, Size, Wall, WindowId};
use crate::event::Event;

/// Stands in a layout for a pane that is on its way; no pane ever has this number.
const ON_THE_WAY: PaneId = PaneId(u32::MAX);

/// Where and how a window is linked.
#[derive(Clone, Copy, Debug)]
pub struct Linking {
    pub session: SessionId,
    /// Without one, the first free index from `base` on.
    pub index: Option<u32>,
    pub base: u32,
    /// A window that is there is replaced.
    pub kill: bool,
    /// It becomes the current one; that it does in any case where it replaces that.
    pub select: bool,
}

impl Model {
    /// Makes room for a window right after a link, or in its place, by moving the links there up as far as needed.
    /// Returns the index that is free then; `None` if there is no room up to the highest index.
    pub fn shuffle_up(&mut self, place: Place, before: bool) -> Option<u32> {
        let s = self.sessions.get(&place.session)?;
        let index = if before { place.index } else { place.index.checked_add(1)? };
        let free = s.free_index(index)?;
        let map: BTreeMap<u32, u32> =
            s.links.keys().map(|i| (*i, if (index..free).contains(i) { i + 1 } else { *i })).collect();
        self.reindex(place.session, &map);
        Some(index)
    }

    /// Gives links new indexes; `map` has every index of the session.
    fn reindex(&mut self, session: SessionId, map: &BTreeMap<u32, u32>) {
        let Some(s) = self.sessions.get_mut(&session) else { return };
        let old = std::mem::take(&mut s.links);
        s.links = old.into_iter().map(|(i, l)| (map.get(&i).copied().unwrap_or(i), l)).collect();
        s.current = map.get(&s.current).copied().unwrap_or(s.current);
        for i in &mut s.visited {
            *i = map.get(i).copied().unwrap_or(*i);
        }
        if let Some(m) = &mut self.marked
            && m.session == session
        {
            m.index = map.get(&m.index).copied().unwrap_or(m.index);
        }
        self.synchronize_group(session);
        self.touch();
    }

    /// Puts a window in the place of the one that a link has now; that one goes with its last link. Returns false if
    /// there is no such link.
    pub fn replace_link(&mut self, place: Place, window: WindowId) -> bool {
        let Some(s) = self.sessions.get_mut(&place.session) else { return false };
        let Some(link) = s.links.get_mut(&place.index) else { return false };
        let old = std::mem::replace(link, Link { window, alerts: Alerts::empty() }).window;
        if s.current != place.index {
            s.visited.retain(|i| *i != place.index);
        }
        if self.marked.is_some_and(|m| m.session == place.session && m.index == place.index) {
            self.marked = None;
        }
        self.outbox.event(Event::new("window-unlinked").session(place.session).window(old));
        self.outbox.event(Event::new("window-linked").session(place.session).window(window));
        self.synchronize_group(place.session);
        if self.places(old).is_empty() {
            self.destroy_window(old);
        }
        self.touch();
        true
    }

    /// Links the window at `from` into a session as well. Errors are tmux's.
    pub fn link_window(&mut self, from: Place, how: Linking, now: Wall) -> Result<Place, String> {
        let Linking { session: to, index, base, kill, mut select } = how;
        let group = |s: SessionId| self.session(s).and_then(|s| s.group.clone());
        if from.session != to && group(from.session).is_some() && group(from.session) == group(to) {
            return Err("sessions are grouped".into());
        }
        let window = self.linked(from).ok_or("no such window")?;
        let s = self.session(to).ok_or("no such session")?;
        let index = match index {
            Some(i) => i,
            None => s.free_index(base).ok_or("no free index")?,
        };
        let place = Place { session: to, index };
        match s.links.get(&index).map(|l| l.window) {
            Some(there) if there == window => return Err(format!("same index: {index}")),
            Some(_) if kill => {
                select |= s.current == index;
                self.replace_link(place, window);
            }
            Some(_) => return Err(format!("index in use: {index}")),
            None => self.link(place, window),
        }
        if let Some(m) = &mut self.marked
            && m.session == from.session
            && m.index == from.index
        {
            (m.session, m.index) = (to, index);
        }
        if select {
            self.select_window(to, index, now);
        }
        Ok(place)
    }

    /// Whether a window is linked elsewhere than in this session and its group.
    pub fn is_linked_elsewhere(&self, session: SessionId, window: WindowId) -> bool {
        // As tmux counts: one link for each session of the group, and any more is elsewhere.
        self.places(window).len() != self.group_of(session).len()
    }

    /// Exchanges the windows of two links. Errors are tmux's.
    pub fn swap_links(&mut self, a: Place, b: Place) -> Result<(), String> {
        let group = |s: SessionId| self.session(s).and_then(|s| s.group.clone());
        if a.session != b.session && group(a.session).is_some() && group(a.session) == group(b.session) {
            return Err("can't move window, sessions are grouped".into());
        }
        let (Some(wa), Some(wb)) = (self.linked(a), self.linked(b)) else { return Err("no such window".into()) };
        if wa == wb {
            return Ok(());
        }
        for (place, window) in [(a, wb), (b, wa)] {
            if let Some(l) = self.sessions.get_mut(&place.session).and_then(|s| s.links.get_mut(&place.index)) {
                l.window = window;
            }
        }
        if let Some(m) = &mut self.marked {
            // The mark stays with its window.
            if (m.session, m.index) == (a.session, a.index) {
                (m.session, m.index) = (b.session, b.index);
            } else if (m.session, m.index) == (b.session, b.index) {
                (m.session, m.index) = (a.session, a.index);
            }
        }
        self.synchronize_group(a.session);
        if a.session != b.session {
            self.synchronize_group(b.session);
        }
        self.focus_moved(Some(wa));
        self.focus_moved(Some(wb));
        self.touch();
        Ok(())
    }

    /// Lets a session share the windows of another from now on, in the group of that name. Its own windows go.
    pub fn join_group(&mut self, session: SessionId, with: Option<SessionId>, group: String) {
        for id in [with, Some(session)].into_iter().flatten() {
            if let Some(s) = self.sessions.get_mut(&id)
                && s.group.is_none()
            {
                s.group = Some(group.clone());
                let size = self.group_of(id).len();
                let event = Event::new("session-added-to-group").session(id).field("group", group.clone());
                self.outbox.event(event.field("group_size", size.to_string()));
            }
        }
        let member = self.group_of(session).into_iter().find(|m| *m != session);
        let Some(member) = member else { return };
        let own: Vec<WindowId> =
            self.session(session).map(|s| s.links.values().map(|l| l.window).collect()).unwrap_or_default();
        self.synchronize_group(member);
        if let Some(s) = self.sessions.get_mut(&session) {
            s.current = s.links.keys().next().copied().unwrap_or(0);
            s.visited.clear();
        }
        for w in own {
            if self.places(w).is_empty() {
                self.destroy_window(w);
            }
        }
        self.touch();
    }

    /// Takes the zoom of a window away. Returns whether it had one.
    pub fn unzoom(&mut self, window: WindowId) -> bool {
        self.set_zoom(window, None)
    }

    /// Splits a pane, or its window with [`Split::full`]. The new pane has a place and is not active yet.
    pub fn split_pane(&mut self, pane: PaneId, how: Split) -> Result<PaneId, LayoutError> {
        let window = self.pane(pane).map(|p| p.window).ok_or(LayoutError::NoPane(pane))?;
        let new = PaneId(self.next_pane);
        let w = self.windows.get_mut(&window).ok_or(LayoutError::NoPane(pane))?;
        w.layout.split(pane, how, new)?;
        w.zoomed = None;
        let rect = w.layout.pane_rect(new).unwrap_or_default();
        let fresh = self.fresh_pane(window, rect);
        crate::never!(fresh != new, "pane {fresh} is not {new}");
        self.list_beside(window, pane, fresh, how);
        self.layout_changed(window);
        Ok(fresh)
    }

    /// Puts a pane into the index order of a window beside another one.
    fn list_beside(&mut self, window: WindowId, beside: PaneId, new: PaneId, how: Split) {
        let Some(w) = self.windows.get_mut(&window) else { return };
        let at = w.position(beside).unwrap_or(0);
        let at = match (how.before, how.full) {
            (true, true) => 0,
            (true, false) => at,
            (false, true) => w.panes.len(),
            (false, false) => at + 1,
        };
        w.panes.insert(at.min(w.panes.len()), new);
    }

    /// Moves a pane beside another one, which may be in another window. Returns the window that it left if that has no
    /// panes any more: the caller must take it out of its sessions at once ([`Model::kill_window`]).
    pub fn join_pane(&mut self, pane: PaneId, beside: PaneId, how: Split) -> Result<Option<WindowId>, LayoutError> {
        let from = self.pane(pane).map(|p| p.window).ok_or(LayoutError::NoPane(pane))?;
        let to = self.pane(beside).map(|p| p.window).ok_or(LayoutError::NoPane(beside))?;
        let w = self.windows.get_mut(&to).ok_or(LayoutError::NoPane(beside))?;
        let mut layout = w.layout.clone();
        layout.split(beside, how, ON_THE_WAY)?;
        if from == to {
            layout.close(pane)?;
            layout.replace(ON_THE_WAY, pane)?;
            w.layout = layout;
            w.zoomed = None;
            w.panes.retain(|p| *p != pane);
            // Once for the list, as if it had left: the pane before it becomes active if it was.
            if w.active == pane {
                w.active = w.visited.pop().filter(|p| *p != pane).unwrap_or(beside);
                let active = w.active;
                w.visited.retain(|p| *p != active);
            }
            w.visited.retain(|p| *p != pane);
            self.list_beside(to, beside, pane, how_in_list(how));
            self.layout_changed(to);
            return Ok(None);
        }
        layout.replace(ON_THE_WAY, pane)?;
        let index = self.places(from).first().map(|p| p.index);
        let emptied = !self.detach_pane(pane);
        if let Some(w) = self.windows.get_mut(&to) {
            w.layout = layout;
            w.zoomed = None;
        }
        if emptied && let Some(w) = self.windows.get_mut(&from) {
            w.panes.clear();
            w.visited.clear();
        }
        if let Some(p) = self.panes.get_mut(&pane) {
            p.window = to;
        }
        self.list_beside(to, beside, pane, how_in_list(how));
        self.layout_changed(to);
        self.pane_moved(pane, from, to, index);
        Ok(emptied.then_some(from))
    }

    /// Makes a window of its own for a pane, which leaves its old one. `None` if it is the only one there.
    pub fn break_pane(&mut self, pane: PaneId, name: String, now: Wall) -> Option<WindowId> {
        let from = self.pane(pane)?.window;
        let size = self.window(from)?.size;
        let index = self.places(from).first().map(|p| p.index);
        if !self.detach_pane(pane) {
            return None;
        }
        let id = self.window_around(pane, name, size, now);
        self.outbox.event(Event::new("window-created").window(id));
        self.pane_moved(pane, from, id, index);
        self.apply_layout(id);
        Some(id)
    }

    /// Tells that a pane is in another window now. `index` is where the old one was linked.
    fn pane_moved(&mut self, pane: PaneId, old: WindowId, new: WindowId, index: Option<u32>) {
        let mut event = Event::new("pane-moved").pane(pane).window(new);
        event = event.field("old_window", old.to_string()).field("new_window", new.to_string());
        if let Some(i) = index {
            event = event.field("old_window_index", i.to_string());
        }
        self.outbox.event(event);
    }

    fn window_around(&mut self, pane: PaneId, name: String, size: Size, now: Wall) -> WindowId {
        let id = WindowId(self.next_window);
        self.next_window += 1;
        self.windows.insert(id, Window::new(id, name, pane, size, now));
        if let Some(p) = self.panes.get_mut(&pane) {
            p.window = id;
        }
        id
    }

    /// Exchanges two panes, in one window or in two. Without `keep_active` each becomes the active one where it comes to
    /// stand (in one window: `b` does). With it, in one window, `a` is the active one afterwards if either was.
    pub fn swap_panes(&mut self, a: PaneId, b: PaneId, keep_active: bool) {
        if a == b {
            return;
        }
        let (Some(wa), Some(wb)) = (self.pane(a).map(|p| p.window), self.pane(b).map(|p| p.window)) else { return };
        if wa == wb {
            let Some(w) = self.windows.get_mut(&wa) else { return };
            w.zoomed = None;
            if w.layout.swap(a, b).is_err() {
                return;
            }
            for p in &mut w.panes {
                *p = if *p == a {
                    b
                } else if *p == b {
                    a
                } else {
                    *p
                };
            }
            let active = w.active;
            self.layout_changed(wa);
            // As tmux: what is to stay active is looked at once for each pane, so `a` stays and gives way for nobody.
            if !keep_active || active == a {
                self.select_pane(b);
            }
            if keep_active && (active == a || active == b) {
                self.select_pane(a);
            }
            return;
        }
        for (window, leaves, comes) in [(wa, a, b), (wb, b, a)] {
            let Some(w) = self.windows.get_mut(&window) else { return };
            w.zoomed = None;
            let _ = w.layout.replace(leaves, comes);
            for p in &mut w.panes {
                if *p == leaves {
                    *p = comes;
                }
            }
            w.visited.retain(|p| *p != leaves && *p != comes);
            if w.active == leaves {
                w.active = comes;
                self.outbox.event(Event::new("window-pane-changed").window(window).pane(comes));
            } else if !keep_active {
                let old = w.active;
                w.visited.retain(|p| *p != old);
                w.visited.push(old);
                w.active = comes;
                self.outbox.event(Event::new("window-pane-changed").window(window).pane(comes));
            }
            if let Some(p) = self.panes.get_mut(&comes) {
                p.window = window;
            }
        }
        for (pane, old, new) in [(a, wa, wb), (b, wb, wa)] {
            let index = self.places(old).first().map(|p| p.index);
            self.pane_moved(pane, old, new, index);
        }
        if let Some(m) = &mut self.marked
            && (m.pane == a || m.pane == b)
        {
            // The mark stays with the pane, in the window where it is now.
            let window = if m.pane == a { wb } else { wa };
            m.window = window;
        }
        if let Some(m) = self.marked
            && let Some(place) = self.places(m.window).into_iter().next()
            && self.linked(Place { session: m.session, index: m.index }) != Some(m.window)
        {
            self.marked = Some(super::Marked { session: place.session, index: place.index, ..m });
        }
        self.layout_changed(wa);
        self.layout_changed(wb);
        self.focus_moved(Some(wa));
        self.focus_moved(Some(wb));
    }

    /// Lets the panes of a window change places in turn: each takes that of the one before it, or after it with `down`.
    /// The place that was active stays so.
    pub fn rotate_window(&mut self, window: WindowId, down: bool) {
        let Some(w) = self.windows.get_mut(&window) else { return };
        if w.panes.len() < 2 {
            return;
        }
        w.zoomed = None;
        let at = w.position(w.active).unwrap_or(0);
        // Which pane stands in which cell: cells keep their order, panes move along.
        let cells = w.layout.panes();
        let old = w.panes.clone();
        if down {
            w.panes.rotate_right(1);
        } else {
            w.panes.rotate_left(1);
        }
        let now_there: BTreeMap<PaneId, PaneId> = old.into_iter().zip(w.panes.iter().copied()).collect();
        let moved: Vec<PaneId> = cells.iter().map(|p| now_there.get(p).copied().unwrap_or(*p)).collect();
        w.layout.assign(&moved);
        let next = w.panes[at.min(w.panes.len() - 1)];
        self.layout_changed(window);
        self.select_pane(next);
    }
}

/// A moved pane stands right beside its target in index order, also when it spans the window.
fn how_in_list(how: Split) -> Split {
    Split { full: false, ..how }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::check::check;
    use crate::model::environ::Environ;
    use crate::model::layout::{Axis, SplitSize};

    /// By half, one above the other.
    fn plain_split() -> Split {
        Split { axis: Axis::TopBottom, size: SplitSize::Half, before: false, full: false }
    }

    const NOW: Wall = Wall(1);
    const SIZE: Size = Size::new(80, 24);

    /// A model with one session of these windows, from index 0 on.
    fn model(names: &[&str]) -> (Model, SessionId) {
        let mut m = Model::default();
        let s = session(&mut m, "s", names);
        (m, s)
    }

    fn session(m: &mut Model, name: &str, windows: &[&str]) -> SessionId {
        let s = m.create_session(name.into(), "/".into(), Environ::default(), NOW);
        for (n, w) in windows.iter().enumerate() {
            let (window, _) = m.create_window((*w).into(), SIZE, NOW);
            m.link(Place { session: s, index: n as u32 }, window);
        }
        s
    }

    /// `0:a 1:b*`, the current window with a star; and the model must be whole.
    fn windows(m: &Model, s: SessionId) -> String {
        assert_eq!(check(m), None);
        let s = m.session(s).unwrap();
        let word = |(i, l): (&u32, &Link)| {
            format!("{i}:{}{}", m.window(l.window).unwrap().name, if *i == s.current { "*" } else { "" })
        };
        s.links.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    /// Panes of a window in index order, the active one with a star.
    fn panes(m: &Model, w: WindowId) -> String {
        assert_eq!(check(m), None);
        let w = m.window(w).unwrap();
        let word = |p: &PaneId| format!("{p}{}", if *p == w.active { "*" } else { "" });
        w.panes.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    fn at(session: SessionId, index: u32) -> Place {
        Place { session, index }
    }

    #[test]
    fn room_is_made_for_a_window() {
        let (mut m, s) = model(&["a", "b", "c"]);
        m.select_window(s, 1, NOW);
        assert_eq!(m.shuffle_up(at(s, 0), false), Some(1));
        assert_eq!(windows(&m, s), "0:a 2:b* 3:c");
        assert_eq!(m.shuffle_up(at(s, 0), true), Some(0));
        assert_eq!(windows(&m, s), "1:a 2:b* 3:c");
    }

    #[test]
    fn a_window_is_linked_twice() {
        let (mut m, s) = model(&["a", "b"]);
        let t = session(&mut m, "t", &["x"]);
        let how = |index, kill| Linking { session: t, index, base: 0, kill, select: false };
        let link = |m: &mut Model, from, index, kill| m.link_window(from, how(index, kill), NOW);
        assert_eq!(link(&mut m, at(s, 1), Some(0), false), Err("index in use: 0".into()));
        assert_eq!(link(&mut m, at(s, 1), None, false), Ok(at(t, 1)));
        assert_eq!(link(&mut m, at(s, 1), Some(1), true), Err("same index: 1".into()));
        assert_eq!(windows(&m, t), "0:x* 1:b");
        let b = m.linked(at(s, 1)).unwrap();
        assert!(m.is_linked_elsewhere(s, b));
        // The window in the place goes with its last link, even if it is the current one.
        assert_eq!(link(&mut m, at(s, 0), Some(0), true), Ok(at(t, 0)));
        assert_eq!(windows(&m, t), "0:a* 1:b");
        assert_eq!(m.windows.len(), 2);
    }

    #[test]
    fn windows_change_places() {
        let (mut m, s) = model(&["a", "b"]);
        let t = session(&mut m, "t", &["x"]);
        assert_eq!(m.swap_links(at(s, 0), at(t, 0)), Ok(()));
        assert_eq!(windows(&m, s), "0:x* 1:b");
        assert_eq!(windows(&m, t), "0:a*");
    }

    #[test]
    fn a_group_shares_its_windows() {
        let (mut m, s) = model(&["a", "b"]);
        let t = m.create_session("t".into(), "/".into(), Environ::default(), NOW);
        m.join_group(t, Some(s), "s".into());
        m.select_window(t, 1, NOW);
        assert_eq!((windows(&m, s).as_str(), windows(&m, t).as_str()), ("0:a* 1:b", "0:a 1:b*"));
        m.shuffle_up(at(s, 0), true);
        assert_eq!((windows(&m, s).as_str(), windows(&m, t).as_str()), ("1:a* 2:b", "1:a 2:b*"));
        let a = m.linked(at(s, 1)).unwrap();
        assert!(!m.is_linked_elsewhere(s, a));
        assert_eq!(m.kill_window(a), Vec::new());
        assert_eq!((windows(&m, s).as_str(), windows(&m, t).as_str()), ("2:b*", "2:b*"));
        let how = Linking { session: t, index: None, base: 0, kill: false, select: false };
        assert_eq!(m.link_window(at(s, 2), how, NOW), Err("sessions are grouped".into()));
    }

    #[test]
    fn panes_split_swap_and_rotate() {
        let (mut m, s) = model(&["a"]);
        let w = m.linked(at(s, 0)).unwrap();
        let p0 = m.window(w).unwrap().active;
        let p1 = m.split_pane(p0, plain_split()).unwrap();
        let p2 = m.split_pane(p0, Split { axis: Axis::LeftRight, before: true, full: true, ..plain_split() }).unwrap();
        assert_eq!(panes(&m, w), "%2 %0* %1");
        m.swap_panes(p2, p1, true);
        assert_eq!(panes(&m, w), "%1 %0* %2");
        m.swap_panes(p2, p0, false);
        assert_eq!(panes(&m, w), "%1 %2 %0*");
        let before = m.window(w).unwrap().layout.print();
        m.rotate_window(w, false);
        assert_eq!(panes(&m, w), "%2 %0 %1*");
        m.rotate_window(w, true);
        assert_eq!(panes(&m, w), "%1 %2 %0*");
        assert_eq!(m.window(w).unwrap().layout.print(), before);
    }

    #[test]
    fn panes_move_between_windows() {
        let (mut m, s) = model(&["a", "b"]);
        let (a, b) = (m.linked(at(s, 0)).unwrap(), m.linked(at(s, 1)).unwrap());
        let (p0, p1) = (m.window(a).unwrap().active, m.window(b).unwrap().active);
        let p2 = m.split_pane(p0, plain_split()).unwrap();
        m.swap_panes(p1, p2, true);
        assert_eq!((panes(&m, a).as_str(), panes(&m, b).as_str()), ("%0* %1", "%2*"));
        // Its window goes with its last pane.
        assert_eq!(m.join_pane(p2, p0, Split { before: true, ..plain_split() }), Ok(Some(b)));
        assert_eq!(m.kill_window(b), Vec::new());
        assert_eq!(panes(&m, a), "%2 %0* %1");
        assert_eq!(m.join_pane(p2, p1, plain_split()), Ok(None));
        assert_eq!(panes(&m, a), "%0* %1 %2");
        let c = m.break_pane(p0, "c".into(), NOW).unwrap();
        m.link(at(s, 1), c);
        assert_eq!((panes(&m, a).as_str(), panes(&m, c).as_str()), ("%1* %2", "%0*"));
        assert_eq!(m.break_pane(p0, "d".into(), NOW), None);
        assert_eq!(windows(&m, s), "0:a* 1:c");
    }
}
