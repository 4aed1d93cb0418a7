//! Which size windows have, from the clients that look at them (`window-size`), and what follows: layouts, terminals,
//! ptys.

use super::{Core, Outside};
use crate::base::{Now, Size, WindowId};
use crate::event::{Effect, Event};
use crate::model::layout::{Reserve, TitleRow};
use crate::model::{Client, ClientFlags};
use crate::options::choices::{PaneStatus, WindowSize};
use crate::options::{Scope as OptScope, opt};

/// The largest window in each direction, as tmux has it.
const WINDOW_MAX: u16 = 10_000;

impl Core {
    /// Works out sizes where something moved, then lets terminals and ptys follow the panes.
    pub(super) fn follow_sizes(&mut self, _now: Now, out: &mut dyn Outside) {
        if std::mem::take(&mut self.state.sizes_moved) {
            let windows: Vec<WindowId> = self.state.model.windows.keys().copied().collect();
            for w in windows {
                if let Some(size) = self.state.wanted_size(w) {
                    self.state.model.resize_window(w, size);
                }
                self.state.set_layout_options(w);
            }
        }
        let resized: Vec<_> =
            self.state.model.panes.values().filter(|p| p.resized).map(|p| (p.id, p.rect.size())).collect();
        for (pane, size) in resized {
            if let Some(p) = self.state.model.panes.get_mut(&pane) {
                p.resized = false;
            }
            if size.cols == 0 || size.rows == 0 {
                continue;
            }
            let mut before = None;
            out.terminal(pane, &mut |t| {
                if t.size() != size {
                    before = Some(t.size());
                    t.resize(size);
                }
            });
            if let Some(old) = before {
                self.state.model.outbox.event(Event::new("pane-resized").pane(pane).sizes(size, old));
                self.moved.insert(pane);
                self.state.model.outbox.effect(Effect::PtyResize { pane, size });
                for l in 0..self.state.layers.stack(crate::layer::Host::Pane(pane)).len() {
                    if let Some(layer) = self.state.layers.at_mut(crate::layer::Host::Pane(pane), l) {
                        layer.resize(size);
                    }
                }
            }
        }
    }
}

impl crate::command::State {
    /// The room that a client has for a window: its terminal without the status rows.
    pub fn room_of(&self, client: &Client) -> Size {
        let lines = client.session.map_or(0, |s| self.status_lines(s));
        let lines = if client.control_level > 0 { 0 } else { lines };
        Size::new(client.size.cols.max(1), client.size.rows.saturating_sub(lines).max(1))
    }

    /// How many rows the status takes in a session.
    pub fn status_lines(&self, session: crate::base::SessionId) -> u16 {
        self.options.choice(opt::STATUS, OptScope::Session(session)).lines()
    }

    /// Whether a client's size counts.
    fn counts(&self, c: &Client) -> bool {
        c.session.is_some()
            && !c.flags.intersects(ClientFlags::SUSPENDED | ClientFlags::EXITING)
            && (c.control_level == 0 || c.forced_size)
            && (!c.flags.contains(ClientFlags::IGNORE_SIZE)
                || !self.clients_that_count().any(|o| !o.flags.contains(ClientFlags::IGNORE_SIZE)))
    }

    fn clients_that_count(&self) -> impl Iterator<Item = &Client> {
        self.model.clients.values().filter(|c| {
            c.session.is_some()
                && !c.flags.intersects(ClientFlags::SUSPENDED | ClientFlags::EXITING)
                && (c.control_level == 0 || c.forced_size)
        })
    }

    /// The size a window should have by its clients; `None` keeps what it has.
    pub fn wanted_size(&self, window: WindowId) -> Option<Size> {
        let w = self.model.window(window)?;
        let scope = OptScope::Window(window);
        let how = self.options.choice(opt::WINDOW_SIZE, scope);
        if how == WindowSize::Manual {
            return w.manual;
        }
        let aggressive = self.options.flag(opt::AGGRESSIVE_RESIZE, scope);
        let session = |c: &Client| c.session.and_then(|s| self.model.session(s));
        let shows = |c: &Client| session(c).and_then(|s| s.links.get(&s.current)).is_some_and(|l| l.window == window);
        let has = |c: &Client| session(c).is_some_and(|s| s.index_of(window).is_some());
        let clients = self.model.clients.values().filter(|c| self.counts(c));
        let mut looking: Vec<&Client> = clients.filter(|c| if aggressive { shows(c) } else { has(c) }).collect();
        if how == WindowSize::Latest && looking.len() > 1 {
            // Of several, those that do not show it leave it as it was when they last did.
            looking.retain(|c| shows(c));
        }
        // A control client may have said a size for this window alone.
        let own = |c: &Client| self.listeners.get(&c.id).and_then(|l| l.sizes.get(&window)).copied();
        let room = |c: &Client| own(c).unwrap_or_else(|| self.room_of(c));
        let mut sizes = looking.iter().map(|c| room(c));
        let first = sizes.next()?;
        let size = match how {
            WindowSize::Largest => sizes.fold(first, |a, b| Size::new(a.cols.max(b.cols), a.rows.max(b.rows))),
            WindowSize::Smallest => sizes.fold(first, |a, b| Size::new(a.cols.min(b.cols), a.rows.min(b.rows))),
            _ => looking.iter().max_by_key(|c| c.seen).map_or(first, |c| room(c)),
        };
        // None is shown larger than one of them said.
        let size =
            looking.iter().filter_map(|c| own(c)).fold(size, |s, o| Size::new(s.cols.min(o.cols), s.rows.min(o.rows)));
        Some(Size::new(size.cols.clamp(1, WINDOW_MAX), size.rows.clamp(1, WINDOW_MAX)))
    }

    /// The size of a new window of a session: that of a client that looks at it, of the asking client, else the option
    /// `default-size`.
    pub fn new_window_size(
        &self,
        session: Option<crate::base::SessionId>,
        client: Option<crate::base::ClientId>,
    ) -> Size {
        let how = self.options.choice(opt::WINDOW_SIZE, OptScope::GlobalWindow);
        let best = session.and_then(|s| {
            let clients = self.model.clients_of(s).filter(|c| self.counts(c));
            match how {
                WindowSize::Manual => None,
                WindowSize::Largest => {
                    clients.map(|c| self.room_of(c)).reduce(|a, b| Size::new(a.cols.max(b.cols), a.rows.max(b.rows)))
                }
                WindowSize::Smallest => {
                    clients.map(|c| self.room_of(c)).reduce(|a, b| Size::new(a.cols.min(b.cols), a.rows.min(b.rows)))
                }
                _ => clients.max_by_key(|c| c.seen).map(|c| self.room_of(c)),
            }
        });
        if let Some(size) = best {
            return size;
        }
        if how != WindowSize::Manual
            && let Some(c) = client.and_then(|c| self.model.client(c))
            && c.has_tty
            && c.control_level == 0
            && c.session.is_some()
        {
            return self.room_of(c);
        }
        let text = self.options.text(opt::DEFAULT_SIZE, session.map_or(OptScope::GlobalSession, OptScope::Session));
        parse_size(text).unwrap_or(Size::new(80, 24))
    }

    /// Tells a layout what options say of pane borders.
    pub fn set_layout_options(&mut self, window: WindowId) {
        let title = match self.options.choice(opt::PANE_BORDER_STATUS, OptScope::Window(window)) {
            PaneStatus::Top => TitleRow::Top,
            PaneStatus::Bottom => TitleRow::Bottom,
            _ => TitleRow::Off,
        };
        let Some(w) = self.model.windows.get_mut(&window) else { return };
        let reserve = Reserve { title, ..w.layout.reserve() };
        if w.layout.reserve() != reserve {
            w.layout.set_reserve(reserve);
            self.model.layout_changed(window);
        }
    }
}

/// `80x24`.
pub(super) fn parse_size(text: &str) -> Option<Size> {
    let (w, h) = text.split_once('x')?;
    let ok = |n: &str| n.parse::<u16>().ok().filter(|n| (1..=WINDOW_MAX).contains(n));
    Some(Size::new(ok(w)?, ok(h)?))
}
