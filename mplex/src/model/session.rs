//! Sessions: named lists of windows, their current one and the order in which they were visited; session groups.

use std::collections::BTreeMap;

use super::{Model, Place};
use crate::base::{SessionId, Time, Wall, WindowId};
use crate::event::Event;
use crate::model::environ::Environ;

bitflags::bitflags! {
    /// What a window wants to be noticed for, per link.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Alerts: u8 {
        const BELL = 1;
        const ACTIVITY = 2;
        const SILENCE = 4;
    }
}

/// A window at an index of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub window: WindowId,
    pub alerts: Alerts,
}

#[derive(Clone, Debug)]
pub struct Session {
    pub id: SessionId,
    pub name: String,
    /// Default directory of new windows.
    pub cwd: String,
    pub created: Wall,
    pub activity: Wall,
    /// Order of activity among sessions, finer than seconds.
    pub seen: Time,
    pub last_attached: Option<Wall>,
    pub links: BTreeMap<u32, Link>,
    /// Index of the current link; it exists as long as `links` is not empty.
    pub current: u32,
    /// Indexes visited before, the most recent last; each exists in `links`, none twice.
    pub visited: Vec<u32>,
    pub environ: Environ,
    /// Name of the group whose windows it shares.
    pub group: Option<String>,
}

impl Session {
    /// The index visited before the current one.
    pub fn last(&self) -> Option<u32> {
        self.visited.iter().rev().copied().find(|i| *i != self.current)
    }

    /// Smallest free index from `from` on.
    pub fn free_index(&self, from: u32) -> Option<u32> {
        (from..=i32::MAX as u32).find(|i| !self.links.contains_key(i))
    }

    /// The index that follows `from` in order, around the end.
    pub fn next_index(&self, from: u32) -> Option<u32> {
        self.links.range(from.saturating_add(1)..).next().or_else(|| self.links.iter().next()).map(|(i, _)| *i)
    }

    /// The index that precedes `from` in order, around the start.
    pub fn previous_index(&self, from: u32) -> Option<u32> {
        self.links.range(..from).next_back().or_else(|| self.links.iter().next_back()).map(|(i, _)| *i)
    }

    /// The first index at which a window is linked.
    pub fn index_of(&self, window: WindowId) -> Option<u32> {
        if self.links.get(&self.current).is_some_and(|l| l.window == window) {
            return Some(self.current);
        }
        self.links.iter().find(|(_, l)| l.window == window).map(|(i, _)| *i)
    }

    fn visit(&mut self, index: u32) {
        if self.current != index {
            let old = self.current;
            self.visited.retain(|i| *i != old && *i != index);
            if self.links.contains_key(&old) {
                self.visited.push(old);
            }
            self.current = index;
        }
    }
}

impl Model {
    /// A new session without windows; the caller links one before anybody looks.
    pub fn create_session(&mut self, name: String, cwd: String, environ: Environ, now: Wall) -> SessionId {
        let id = SessionId(self.next_session);
        self.next_session += 1;
        let session = Session {
            id,
            name,
            cwd,
            created: now,
            activity: now,
            seen: Time(0),
            last_attached: None,
            links: BTreeMap::new(),
            current: 0,
            visited: Vec::new(),
            environ,
            group: None,
        };
        self.sessions.insert(id, session);
        self.touch();
        id
    }

    /// The name a session without a given one gets: its number, or the group's name and a number.
    pub fn next_session_name(&self, prefix: Option<&str>) -> String {
        let mut n = self.next_session;
        loop {
            let name = match prefix {
                Some(p) => format!("{p}-{n}"),
                None => n.to_string(),
            };
            if self.session_named(&name).is_none() {
                return name;
            }
            n += 1;
        }
    }

    /// The other sessions of a session's group, itself included, in id order.
    pub fn group_of(&self, session: SessionId) -> Vec<SessionId> {
        match self.sessions.get(&session).and_then(|s| s.group.as_ref()) {
            None => vec![session],
            Some(g) => self.sessions.values().filter(|s| s.group.as_ref() == Some(g)).map(|s| s.id).collect(),
        }
    }

    /// Links a window into a session at an index that must be free. The first link of a session becomes its current one.
    pub fn link(&mut self, place: Place, window: WindowId) {
        let Some(s) = self.sessions.get_mut(&place.session) else { return };
        if crate::never!(s.links.contains_key(&place.index), "index {} in use", place.index) {
            return;
        }
        let first = s.links.is_empty();
        s.links.insert(place.index, Link { window, alerts: Alerts::empty() });
        if first {
            s.current = place.index;
        }
        self.outbox.event(Event::new("window-linked").session(place.session).window(window));
        self.synchronize_group(place.session);
        self.touch();
    }

    /// Takes a link away and, with its last link, the window and its panes. The current window of the session becomes
    /// the last visited one, else the previous one. Returns true when the session has no windows left (the caller
    /// destroys it).
    pub fn unlink(&mut self, place: Place) -> bool {
        let Some(window) = self.drop_link(place) else { return false };
        let empty = self.sessions.get(&place.session).is_none_or(|s| s.links.is_empty());
        if !empty {
            self.synchronize_group(place.session);
        }
        if self.places(window).is_empty() {
            self.destroy_window(window);
        }
        empty
    }

    fn drop_link(&mut self, place: Place) -> Option<WindowId> {
        let s = self.sessions.get_mut(&place.session)?;
        let link = s.links.remove(&place.index)?;
        s.visited.retain(|i| *i != place.index);
        // Session and window may be gone when somebody hears of it.
        let mut event = Event::new("window-unlinked").session(place.session).window(link.window);
        event = event.field("session_name", s.name.clone()).field("window_index", place.index.to_string());
        if let Some(w) = self.windows.get(&link.window) {
            event = event.field("window_name", w.name.clone());
        }
        self.outbox.event(event);
        if s.current == place.index {
            let next = s.visited.pop().or_else(|| s.previous_index(place.index)).or_else(|| s.next_index(place.index));
            if let Some(next) = next {
                s.current = next;
                let shown = s.links.get(&next).map(|l| l.window);
                self.clear_alerts(shown);
                self.outbox.event(Event::new("session-window-changed").session(place.session));
            }
        }
        if self.marked.is_some_and(|m| m.session == place.session && m.index == place.index) {
            self.marked = None;
        }
        self.touch();
        Some(link.window)
    }

    /// Nothing of a window waits to be noticed any more, wherever it is linked.
    pub fn clear_alerts(&mut self, window: Option<WindowId>) {
        for link in self.sessions.values_mut().flat_map(|s| s.links.values_mut()) {
            if Some(link.window) == window {
                link.alerts = Alerts::empty();
            }
        }
    }

    /// Makes the link at `index` the current one. Returns false if there is none or it is already.
    pub fn select_window(&mut self, session: SessionId, index: u32, now: Wall) -> bool {
        let Some(s) = self.sessions.get_mut(&session) else { return false };
        let Some(window) = s.links.get(&index).map(|l| l.window) else { return false };
        if s.current == index {
            return false;
        }
        let old = s.current;
        let before = s.links.get(&old).map(|l| l.window);
        s.visit(index);
        self.clear_alerts(Some(window));
        if let Some(w) = self.windows.get_mut(&window) {
            w.activity = now;
        }
        let mut event = Event::new("session-window-changed").session(session).window(window);
        event = event.field("new_window", window.to_string()).field("new_window_index", index.to_string());
        if let Some(w) = before {
            event = event.field("old_window", w.to_string()).field("old_window_index", old.to_string());
        }
        self.outbox.event(event);
        self.focus_moved(before);
        self.focus_moved(Some(window));
        self.touch();
        true
    }

    /// Destroys a session: its clients are left without one (the caller detaches or moves them first), its links go, and
    /// windows without another link are destroyed.
    pub fn destroy_session(&mut self, session: SessionId) {
        let Some(s) = self.sessions.get(&session) else { return };
        let indexes: Vec<u32> = s.links.keys().copied().collect();
        let windows: Vec<WindowId> = s.links.values().map(|l| l.window).collect();
        let name = s.name.clone();
        // The group must not follow: a member may go while the others keep their windows.
        let size = self.group_of(session).len();
        if let Some(group) = self.sessions.get_mut(&session).and_then(|s| s.group.take()) {
            let event = Event::new("session-removed-from-group").session(session).field("session_name", name.clone());
            self.outbox.event(event.field("group", group).field("group_size", size.to_string()));
        }
        self.outbox.event(Event::new("session-closed").session(session).field("session_name", name));
        for index in indexes {
            self.drop_link(Place { session, index });
        }
        self.sessions.remove(&session);
        for w in windows {
            if self.places(w).is_empty() {
                self.destroy_window(w);
            }
        }
        for c in self.clients.values_mut() {
            if c.session == Some(session) {
                c.session = None;
            }
            if c.last_session == Some(session) {
                c.last_session = None;
            }
        }
        self.touch();
    }

    /// Gives windows new indexes in order, starting from `base`.
    pub fn renumber(&mut self, session: SessionId, base: u32) {
        let Some(s) = self.sessions.get_mut(&session) else { return };
        let old = std::mem::take(&mut s.links);
        let mut map = BTreeMap::new();
        for (n, (index, link)) in old.into_iter().enumerate() {
            let new = base + n as u32;
            map.insert(index, new);
            s.links.insert(new, link);
        }
        let moved = |i: &u32| map.get(i).copied();
        s.current = moved(&s.current).unwrap_or(base);
        s.visited = s.visited.iter().filter_map(moved).collect();
        if let Some(m) = &mut self.marked
            && m.session == session
            && let Some(i) = map.get(&m.index)
        {
            m.index = *i;
        }
        self.synchronize_group(session);
        self.touch();
    }

    /// Copies the links of a session to the other members of its group; each keeps its own current window where it can.
    pub fn synchronize_group(&mut self, from: SessionId) {
        let members = self.group_of(from);
        if members.len() < 2 {
            return;
        }
        let Some(links) = self.sessions.get(&from).map(|s| s.links.clone()) else { return };
        let fallback = self.sessions.get(&from).map(|s| s.current);
        for id in members {
            if id == from {
                continue;
            }
            let Some(s) = self.sessions.get_mut(&id) else { continue };
            let current = s.links.get(&s.current).map(|l| l.window);
            let mut new = links.clone();
            for (i, l) in &mut new {
                l.alerts = s.links.get(i).filter(|o| o.window == l.window).map(|o| o.alerts).unwrap_or_default();
            }
            s.links = new;
            let links = &s.links;
            s.visited.retain(|i| links.contains_key(i));
            let same = links.get(&s.current).map(|l| l.window);
            if same != current || same.is_none() {
                let moved = current.and_then(|w| links.iter().find(|(_, l)| l.window == w).map(|(i, _)| *i));
                s.current = moved
                    .or_else(|| s.visited.pop())
                    .or(fallback.filter(|f| links.contains_key(f)))
                    .or_else(|| links.keys().next().copied())
                    .unwrap_or(0);
                let now = s.current;
                s.visited.retain(|i| *i != now);
            }
        }
    }

    /// Renames a session; the caller has checked that the name is free.
    pub fn rename_session(&mut self, session: SessionId, name: String) {
        if let Some(s) = self.sessions.get_mut(&session) {
            let event = Event::new("session-renamed").session(session).field("old_name", s.name.clone());
            self.outbox.event(event.field("new_name", name.clone()));
            s.name = name;
            self.touch();
        }
    }
}
