//! Control clients (tmux's text control mode): what each of them hears, and what waits for those that read slowly.
//!
//! A pane's output is written as it comes while the client takes it. To a client that does not it waits here, up to
//! [`HOLD`] bytes of a pane; then the pane is read no further, unless somebody else looks at it. A client that asked for
//! `pause-after` is told that the pane is paused once its output is that old, and hears nothing more until it says
//! `continue`; one that did not and is too far behind is let go.

use std::collections::{BTreeMap, VecDeque};

use super::state::State;
use crate::base::{ClientId, Now, PaneId, SessionId, Size, Span, Time, WindowId};
use crate::event::{Effect, Outside, Stream};
use crate::model::{Client, ClientFlags, ClientKind, find};
use crate::vars::Scope;

/// How much output of one pane may wait for a client before the pane is read no further, in bytes.
const HOLD: usize = 256 << 10;
/// How much may wait at all: a client that is further behind is let go, or its pane paused.
const MAX_BEHIND: usize = 16 << 20;
/// The same as an age.
const MAX_AGE: Span = Span::from_secs(300);
/// How often watched formats are looked at.
const WATCH: Span = Span::from_secs(1);
/// How many formats a client may watch.
const MAX_WATCHES: usize = 256;

/// What is known of a control client beside the model.
#[derive(Clone, Debug, Default)]
pub struct Listener {
    /// Output of a command is on its way between guards: notifications wait until it ends.
    guard: bool,
    deferred: Vec<String>,
    /// Its connection does not take what was written.
    blocked: bool,
    panes: BTreeMap<PaneId, Heard>,
    watches: BTreeMap<String, Watch>,
    watch_due: Option<Time>,
    /// Sizes it gave to single windows.
    pub sizes: BTreeMap<WindowId, Size>,
}

/// A pane as one client hears it.
#[derive(Clone, Debug, Default)]
struct Heard {
    /// The client does not want it.
    off: bool,
    paused: bool,
    waiting: VecDeque<(Time, Vec<u8>)>,
    bytes: usize,
}

impl Heard {
    fn clear(&mut self) {
        self.waiting.clear();
        self.bytes = 0;
    }
}

/// A window in its place, if the format is of one, and a pane, likewise.
type Thing = (Option<(u32, WindowId)>, Option<PaneId>);

/// A format that a client watches, and what it was on each thing.
#[derive(Clone, Debug)]
struct Watch {
    what: Watched,
    format: String,
    last: BTreeMap<Thing, String>,
}

/// What a format is watched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Watched {
    Session,
    Window(WindowId),
    Windows,
    Pane(PaneId),
    Panes,
}

/// What `refresh-client -A` does with a pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hearing {
    On,
    Off,
    Pause,
    Continue,
}

impl State {
    fn write_control(&mut self, client: ClientId, bytes: Vec<u8>) {
        self.model.outbox.effect(Effect::ClientOut { client, stream: Stream::Out, bytes });
    }

    /// A notification: a line of its own, never within the output of a command.
    pub fn notify(&mut self, client: ClientId, line: &str) {
        let there = self.model.client(client).is_some_and(|c| !c.flags.contains(ClientFlags::EXITING));
        if !there {
            return;
        }
        let l = self.listeners.entry(client).or_default();
        if l.guard {
            l.deferred.push(line.to_owned());
        } else {
            self.write_control(client, format!("{line}\n").into_bytes());
        }
    }

    /// An error of a configuration: a control client that reads it hears of it, else the first person who looks.
    pub fn config_error(&mut self, client: Option<ClientId>, text: String) {
        match client.and_then(|c| self.model.client(c)).filter(|c| c.kind == ClientKind::Control) {
            Some(c) => self.notify(c.id, &format!("%config-error {text}")),
            None => self.config_errors.push(text),
        }
    }

    /// The output of a command begins.
    pub fn guard_opens(&mut self, client: ClientId) {
        self.listeners.entry(client).or_default().guard = true;
    }

    /// It has ended: what happened meanwhile is told.
    pub fn guard_closes(&mut self, client: ClientId) {
        let l = self.listeners.entry(client).or_default();
        l.guard = false;
        for line in std::mem::take(&mut l.deferred) {
            self.notify(client, &line);
        }
    }

    fn control_clients(&self) -> impl Iterator<Item = &Client> {
        self.model
            .clients
            .values()
            .filter(|c| c.kind == ClientKind::Control && c.session.is_some() && !c.flags.contains(ClientFlags::EXITING))
    }

    fn hears(&self, c: &Client, window: WindowId) -> bool {
        !c.flags.contains(ClientFlags::NO_OUTPUT)
            && c.session.and_then(|s| self.model.session(s)).is_some_and(|s| s.index_of(window).is_some())
    }

    /// Panes whose output somebody wants as it comes: control clients and pipes.
    pub fn tapped_panes(&self) -> std::collections::BTreeSet<PaneId> {
        let piped = self.model.panes.values().filter(|p| p.pipe.is_some_and(|p| p.output)).map(|p| p.id);
        let mut panes: std::collections::BTreeSet<PaneId> = piped.collect();
        for c in self.control_clients() {
            panes.extend(self.model.panes.values().filter(|p| self.hears(c, p.window)).map(|p| p.id));
        }
        panes
    }

    /// Output of a pane, for the control clients that hear it.
    pub fn hear(&mut self, pane: PaneId, bytes: &[u8], now: Now) {
        let Some(window) = self.model.pane(pane).map(|p| p.window) else { return };
        let to: Vec<ClientId> = self.control_clients().filter(|c| self.hears(c, window)).map(|c| c.id).collect();
        for client in to {
            if !self.keeps_up(client, pane, now) {
                continue;
            }
            let l = self.listeners.entry(client).or_default();
            let h = l.panes.entry(pane).or_default();
            if h.off || h.paused {
                continue;
            }
            if !l.blocked && h.waiting.is_empty() {
                self.write_output(client, pane, Span::ZERO, bytes);
                continue;
            }
            h.waiting.push_back((now.mono, bytes.to_vec()));
            h.bytes += bytes.len();
            if h.bytes > HOLD && !self.held.contains(&pane) && !self.seen_by_others(window) {
                self.held.insert(pane);
                self.model.outbox.effect(Effect::PtyPause { pane, paused: true });
            }
        }
    }

    /// Whether a terminal shows a session that has the window.
    fn seen_by_others(&self, window: WindowId) -> bool {
        let mut attached = self.model.clients.values().filter(|c| c.kind == ClientKind::Attached);
        attached.any(|c| c.session.and_then(|s| self.model.session(s)).is_some_and(|s| s.index_of(window).is_some()))
    }

    /// Pauses a pane for a client, or lets the client go, if it is too far behind.
    fn keeps_up(&mut self, client: ClientId, pane: PaneId, now: Now) -> bool {
        let after = self.model.client(client).and_then(|c| c.pause_after);
        let Some(h) = self.listeners.get_mut(&client).and_then(|l| l.panes.get_mut(&pane)) else { return true };
        let Some((since, _)) = h.waiting.front() else { return true };
        let limit = after.map_or(MAX_AGE, |secs| Span::from_secs(u64::from(secs)));
        if now.mono - *since < limit && h.bytes < MAX_BEHIND {
            return true;
        }
        h.clear();
        if after.is_some() {
            h.paused = true;
            self.notify(client, &format!("%pause {pane}"));
        } else {
            self.leave(client, "too far behind", 0);
        }
        self.release(pane);
        false
    }

    fn write_output(&mut self, client: ClientId, pane: PaneId, age: Span, bytes: &[u8]) {
        let head = match self.model.client(client).and_then(|c| c.pause_after) {
            None => format!("%output {pane} "),
            Some(_) => format!("%extended-output {pane} {} : ", age.0 / 1000),
        };
        let mut line = Vec::with_capacity(head.len() + bytes.len() + 1);
        line.extend_from_slice(head.as_bytes());
        for b in bytes {
            match b {
                b'\\' | 0..=31 => line.extend_from_slice(format!("\\{b:03o}").as_bytes()),
                _ => line.push(*b),
            }
        }
        line.push(b'\n');
        self.write_control(client, line);
    }

    /// A control client's connection takes no more, or has taken all.
    pub fn listener_blocked(&mut self, client: ClientId, blocked: bool, now: Now) {
        let Some(l) = self.listeners.get_mut(&client) else { return };
        l.blocked = blocked;
        if blocked {
            return;
        }
        let panes: Vec<PaneId> = l.panes.iter().filter(|(_, h)| !h.waiting.is_empty()).map(|(p, _)| *p).collect();
        for pane in panes {
            if !self.keeps_up(client, pane, now) {
                continue;
            }
            let Some(h) = self.listeners.get_mut(&client).and_then(|l| l.panes.get_mut(&pane)) else { continue };
            let waiting = std::mem::take(&mut h.waiting);
            h.bytes = 0;
            for (since, bytes) in waiting {
                self.write_output(client, pane, now.mono - since, &bytes);
            }
            self.release(pane);
        }
    }

    /// Goes on reading a pane for which nobody is too far behind any more.
    fn release(&mut self, pane: PaneId) {
        let waits = self.listeners.values().any(|l| l.panes.get(&pane).is_some_and(|h| h.bytes > HOLD));
        if !waits && self.held.remove(&pane) {
            self.model.outbox.effect(Effect::PtyPause { pane, paused: false });
        }
    }

    /// A control client goes.
    pub fn forget_listener(&mut self, client: ClientId) {
        if self.listeners.remove(&client).is_some() {
            for pane in std::mem::take(&mut self.held) {
                self.model.outbox.effect(Effect::PtyPause { pane, paused: false });
            }
        }
    }

    /// A pane is gone.
    pub fn unhear(&mut self, pane: PaneId) {
        self.held.remove(&pane);
        for l in self.listeners.values_mut() {
            l.panes.remove(&pane);
        }
    }

    /// `refresh-client -A`.
    pub fn set_hearing(&mut self, client: ClientId, pane: PaneId, how: Hearing) {
        let h = self.listeners.entry(client).or_default().panes.entry(pane).or_default();
        match how {
            Hearing::On => h.off = false,
            Hearing::Off => {
                h.off = true;
                h.clear();
                self.release(pane);
            }
            Hearing::Pause if !h.paused => {
                h.paused = true;
                h.clear();
                self.notify(client, &format!("%pause {pane}"));
                self.release(pane);
            }
            Hearing::Continue if h.paused => {
                h.paused = false;
                self.notify(client, &format!("%continue {pane}"));
            }
            Hearing::Pause | Hearing::Continue => {}
        }
    }

    /// `refresh-client -B`: `name:what:format` begins to watch a format, a name alone ends it. Returns false when there
    /// are too many.
    pub fn set_watch(&mut self, client: ClientId, text: &str, now: Now) -> bool {
        let l = self.listeners.entry(client).or_default();
        let mut parts = text.splitn(3, ':');
        let (Some(name), Some(what), Some(format)) = (parts.next(), parts.next(), parts.next()) else {
            l.watches.remove(text);
            if l.watches.is_empty() {
                l.watch_due = None;
            }
            return true;
        };
        if l.watches.len() >= MAX_WATCHES && !l.watches.contains_key(name) {
            return false;
        }
        let what = match what {
            "%*" => Watched::Panes,
            "@*" => Watched::Windows,
            w => match (PaneId::parse(w), WindowId::parse(w)) {
                (Some(p), _) => Watched::Pane(p),
                (_, Some(w)) => Watched::Window(w),
                _ => Watched::Session,
            },
        };
        l.watches.insert(name.to_owned(), Watch { what, format: format.to_owned(), last: BTreeMap::new() });
        l.watch_due.get_or_insert(now.mono + WATCH);
        true
    }

    /// When watched formats are due.
    pub fn watches_due(&self) -> Option<Time> {
        self.listeners.values().filter_map(|l| l.watch_due).min()
    }

    /// Tells what became of watched formats.
    pub fn run_watches(&mut self, now: Now, out: &mut dyn Outside) {
        let due = |l: &Listener| l.watch_due.is_some_and(|t| t <= now.mono);
        let clients: Vec<ClientId> = self.listeners.iter().filter(|(_, l)| due(l)).map(|(c, _)| *c).collect();
        for client in clients {
            let Some(l) = self.listeners.get_mut(&client) else { continue };
            l.watch_due = Some(now.mono + WATCH);
            let Some(session) = self.model.client(client).and_then(|c| c.session) else { continue };
            let mut watches = std::mem::take(&mut self.listeners.entry(client).or_default().watches);
            for (name, watch) in &mut watches {
                self.run_watch(client, session, name, watch, now, out);
            }
            self.listeners.entry(client).or_default().watches = watches;
        }
    }

    fn run_watch(
        &mut self,
        client: ClientId,
        session: SessionId,
        name: &str,
        watch: &mut Watch,
        now: Now,
        out: &mut dyn Outside,
    ) {
        let mut last = BTreeMap::new();
        for (link, pane) in self.watched(session, watch.what) {
            let found = match (link, pane) {
                (Some((index, _)), pane) => find::from_place(&self.model, crate::model::Place { session, index })
                    .map(|f| find::Found { pane: pane.unwrap_or(f.pane), ..f }),
                _ => find::from_session(&self.model, session),
            };
            let value = self.world(out, now).expand(&watch.format, &Scope::of(Some(client), found));
            if watch.last.get(&(link, pane)) != Some(&value) {
                let window = link.map_or("- -".to_owned(), |(index, w)| format!("{w} {index}"));
                let of_pane = pane.map_or("-".to_owned(), |p| p.to_string());
                self.notify(client, &format!("%subscription-changed {name} {session} {window} {of_pane} : {value}"));
            }
            last.insert((link, pane), value);
        }
        watch.last = last;
    }

    /// What there is to look at.
    fn watched(&self, session: SessionId, what: Watched) -> Vec<Thing> {
        let links = || {
            let links = self.model.session(session).map(|s| s.links.iter()).into_iter().flatten();
            links.map(|(index, l)| (*index, l.window))
        };
        let panes = |w: WindowId| self.model.window(w).map(|w| w.panes.clone()).unwrap_or_default();
        match what {
            Watched::Session => vec![(None, None)],
            Watched::Windows => links().map(|l| (Some(l), None)).collect(),
            Watched::Window(w) => links().filter(|l| l.1 == w).map(|l| (Some(l), None)).collect(),
            Watched::Panes => links().flat_map(|l| panes(l.1).into_iter().map(move |p| (Some(l), Some(p)))).collect(),
            Watched::Pane(p) => {
                let window = self.model.pane(p).map(|p| p.window);
                links().filter(|l| Some(l.1) == window).map(|l| (Some(l), Some(p))).collect()
            }
        }
    }
}
