//! Windows: a layout of panes, the active one and the order in which they were active, size and zoom.

use super::{Life, Model, Pane};
use crate::base::{PaneId, Rect, Rev, Size, Time, Wall, WindowId};
use crate::event::{Effect, Event};
use crate::model::layout::Layout;

#[derive(Clone, Debug)]
pub struct Window {
    pub id: WindowId,
    pub name: String,
    /// Panes in index order; never empty while the window is in the model.
    pub panes: Vec<PaneId>,
    pub active: PaneId,
    /// Panes that were active before, the most recent last.
    pub visited: Vec<PaneId>,
    pub layout: Layout,
    pub size: Size,
    /// A size set by hand (`resize-window`), used when `window-size` is manual.
    pub manual: Option<Size>,
    /// The pane that covers the whole window for now; the layout stays as it was.
    pub zoomed: Option<PaneId>,
    pub created: Wall,
    pub activity: Wall,
    /// Since when nothing was written in it, and whether that was told.
    pub silent_since: Time,
    pub silence_said: bool,
    /// Which of the preset layouts was chosen last (for `next-layout`).
    pub preset: Option<crate::model::layout::Preset>,
    /// The layout before the last change by `select-layout` (for `select-layout -o`).
    pub old_layout: Option<String>,
    /// Moves when the rects of panes, their number or the active one change.
    pub rev: Rev,
}

impl Window {
    /// A window of one pane that was never changed.
    pub(super) fn new(id: WindowId, name: String, pane: PaneId, size: Size, now: Wall) -> Window {
        Window {
            id,
            name,
            panes: vec![pane],
            active: pane,
            visited: Vec::new(),
            layout: Layout::new(size, pane),
            size,
            manual: None,
            zoomed: None,
            created: now,
            activity: now,
            silent_since: Time(0),
            silence_said: false,
            preset: None,
            old_layout: None,
            rev: Rev(1),
        }
    }

    /// Position of a pane in index order.
    pub fn position(&self, pane: PaneId) -> Option<usize> {
        self.panes.iter().position(|p| *p == pane)
    }

    /// The pane that was active before.
    pub fn last_pane(&self) -> Option<PaneId> {
        self.visited.iter().rev().copied().find(|p| *p != self.active && self.panes.contains(p))
    }
}

impl Model {
    /// A new window with one pane that has not started yet.
    pub fn create_window(&mut self, name: String, size: Size, now: Wall) -> (WindowId, PaneId) {
        let id = WindowId(self.next_window);
        self.next_window += 1;
        let pane = self.fresh_pane(id, size.rect());
        self.windows.insert(id, Window::new(id, name, pane, size, now));
        self.touch();
        (id, pane)
    }

    /// A pane with a fresh id in a window; the caller puts it into the window's list and layout.
    pub fn fresh_pane(&mut self, window: WindowId, rect: Rect) -> PaneId {
        let id = PaneId(self.next_pane);
        self.next_pane += 1;
        self.panes.insert(id, Pane::new(id, window, rect));
        id
    }

    /// Destroys a window that is linked nowhere any more.
    pub fn destroy_window(&mut self, window: WindowId) {
        let Some(w) = self.windows.remove(&window) else { return };
        self.outbox.event(Event::new("window-closed").window(window).field("window_name", w.name));
        for p in w.panes {
            self.forget_pane(p);
        }
        self.touch();
    }

    fn forget_pane(&mut self, pane: PaneId) {
        if self.panes.remove(&pane).is_some() {
            self.outbox.effect(Effect::PtyClose { pane });
            self.outbox.event(Event::new("pane-closed").pane(pane));
        }
        if self.marked.is_some_and(|m| m.pane == pane) {
            self.marked = None;
        }
    }

    /// Takes a pane out of its window's list and layout without destroying it. Returns false when it is the only one.
    pub fn detach_pane(&mut self, pane: PaneId) -> bool {
        let Some(id) = self.panes.get(&pane).map(|p| p.window) else { return false };
        let Some(w) = self.windows.get_mut(&id) else { return false };
        if w.panes.len() < 2 {
            return false;
        }
        let at = w.position(pane).unwrap_or(0);
        w.zoomed = None;
        let _ = w.layout.close(pane);
        w.panes.retain(|p| *p != pane);
        w.visited.retain(|p| *p != pane);
        if w.active == pane {
            // As tmux: the last active one, else the one before in index order.
            let next = w.visited.pop().unwrap_or_else(|| w.panes[at.saturating_sub(1).min(w.panes.len() - 1)]);
            w.active = next;
            w.visited.retain(|p| *p != next);
            let event = Event::new("window-pane-changed").window(id).pane(next).field("new_pane", next.to_string());
            self.outbox.event(event.field("old_pane", pane.to_string()));
        }
        if self.marked.is_some_and(|m| m.pane == pane) {
            self.marked = None;
        }
        self.layout_changed(id);
        true
    }

    /// Destroys a pane; with its last pane the window goes too, from all sessions. Returns the sessions that have no
    /// windows left.
    pub fn kill_pane(&mut self, pane: PaneId) -> Vec<crate::base::SessionId> {
        let Some(window) = self.panes.get(&pane).map(|p| p.window) else { return Vec::new() };
        if self.detach_pane(pane) {
            self.forget_pane(pane);
            self.focus_moved(Some(window));
            return Vec::new();
        }
        self.kill_window(window)
    }

    /// Unlinks a window from all sessions and destroys it. Returns the sessions that have no windows left.
    pub fn kill_window(&mut self, window: WindowId) -> Vec<crate::base::SessionId> {
        let mut empty = Vec::new();
        for place in self.places(window) {
            if self
                .sessions
                .get(&place.session)
                .is_some_and(|s| s.links.get(&place.index).is_some_and(|l| l.window == window))
                && self.unlink(place)
            {
                empty.push(place.session);
            }
        }
        // A group's members lose the window by synchronisation, which never empties them; take the rest away here.
        for s in self.sessions.values() {
            if s.links.is_empty() && !empty.contains(&s.id) {
                empty.push(s.id);
            }
        }
        self.destroy_window(window);
        empty
    }

    /// Makes a pane the active one of its window. Returns false if it is already.
    pub fn select_pane(&mut self, pane: PaneId) -> bool {
        let Some(id) = self.panes.get(&pane).map(|p| p.window) else { return false };
        let Some(w) = self.windows.get_mut(&id) else { return false };
        if w.active == pane || !w.panes.contains(&pane) {
            return false;
        }
        let old = w.active;
        w.visited.retain(|p| *p != pane && *p != old);
        w.visited.push(old);
        w.active = pane;
        w.rev.bump();
        if w.zoomed.is_some() {
            w.zoomed = Some(pane);
            self.apply_layout(id);
        }
        let event = Event::new("window-pane-changed").window(id).pane(pane).field("new_pane", pane.to_string());
        self.outbox.event(event.field("old_pane", old.to_string()));
        self.focus_moved(Some(id));
        self.touch();
        true
    }

    /// Writes the rects of the layout (or of the zoom) into the panes; a pane whose size moved gets its pty resized.
    /// The terminals follow in `core`, which sees `Pane::resized`.
    pub fn apply_layout(&mut self, window: WindowId) {
        let Some(w) = self.windows.get_mut(&window) else { return };
        w.rev.bump();
        let zoomed = w.zoomed;
        // A window is no smaller than what its panes need at least.
        let least = w.layout.size();
        w.size = Size::new(w.size.cols.max(least.cols), w.size.rows.max(least.rows));
        let full = w.size.rect();
        let rects: Vec<(PaneId, Rect)> = w
            .panes
            .iter()
            .map(|p| (*p, if zoomed == Some(*p) { full } else { w.layout.pane_rect(*p).unwrap_or(full) }))
            .collect();
        for (id, rect) in rects {
            let Some(p) = self.panes.get_mut(&id) else { continue };
            if p.rect == rect {
                continue;
            }
            if p.rect.size() != rect.size() {
                p.resized = true;
            }
            p.rect = rect;
        }
        self.touch();
    }

    /// As [`Model::apply_layout`], and tells of it.
    pub fn layout_changed(&mut self, window: WindowId) {
        self.apply_layout(window);
        self.outbox.event(Event::new("window-layout-changed").window(window));
    }

    /// Gives a window a new size; the layout follows in proportion. Below what its panes need at least it does not go.
    pub fn resize_window(&mut self, window: WindowId, size: Size) {
        let Some(w) = self.windows.get_mut(&window) else { return };
        if w.size == size {
            return;
        }
        let before = w.layout.size();
        w.layout.resize(size);
        let least = w.layout.size();
        let size = Size::new(size.cols.max(least.cols), size.rows.max(least.rows));
        if w.size == size && least == before {
            return;
        }
        let event = Event::new("window-resized").window(window).sizes(size, w.size);
        w.size = size;
        self.outbox.event(event);
        self.layout_changed(window);
    }

    /// Zooms a pane to its whole window, or back. Returns false where there is nothing to zoom.
    pub fn set_zoom(&mut self, window: WindowId, pane: Option<PaneId>) -> bool {
        let Some(w) = self.windows.get_mut(&window) else { return false };
        if w.zoomed == pane || (pane.is_some() && w.panes.len() < 2) {
            return false;
        }
        w.zoomed = pane;
        let name = if pane.is_some() { "window-zoomed" } else { "window-unzoomed" };
        self.outbox.event(Event::new(name).window(window));
        self.layout_changed(window);
        true
    }

    /// Renames a window.
    pub fn rename_window(&mut self, window: WindowId, name: String) {
        if let Some(w) = self.windows.get_mut(&window)
            && w.name != name
        {
            let event = Event::new("window-renamed").window(window).field("old_name", w.name.clone());
            self.outbox.event(event.field("new_name", name.clone()));
            w.name = name;
            self.touch();
        }
    }

    /// Tells `core` that a window's active pane may have gained or lost the focus.
    pub(super) fn focus_moved(&mut self, window: Option<WindowId>) {
        if let Some(w) = window.and_then(|w| self.windows.get_mut(&w)) {
            w.rev.bump();
        }
    }

    /// Whether a pane's program has ended and the pane was kept.
    pub fn is_dead(&self, pane: PaneId) -> bool {
        self.panes.get(&pane).is_some_and(|p| matches!(p.life, Life::Dead { .. }))
    }
}

impl Model {
    /// The pane beside another one; of several, the one that was active last.
    pub fn neighbour(&self, pane: PaneId, direction: crate::model::layout::Direction) -> Option<PaneId> {
        let w = self.windows.get(&self.panes.get(&pane)?.window)?;
        let beside = w.layout.neighbours(pane, direction);
        w.visited.iter().rev().copied().find(|p| beside.contains(p)).or_else(|| beside.first().copied())
    }
}
