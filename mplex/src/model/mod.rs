//! Sessions, windows, panes, clients, buffers, asks, key tables, environment. Knows no terminal emulation.
//!
//! Functions here are small transactions: they leave the model whole (see [`check`]), put what happened and what is to
//! be done outside into the outbox, and bump revisions. Nobody here draws.

pub mod asks;
pub mod buffers;
pub mod environ;
pub mod check;
pub mod client;
pub mod facts;
pub mod find;
pub mod keytable;
pub mod layout;
pub mod moves;
pub mod pane;
pub mod session;
pub mod window;

use std::collections::BTreeMap;

use crate::base::{ClientId, FlowId, JobId, PaneId, Rev, SessionId, WindowId};
use crate::event::Outbox;

pub use client::{Client, ClientFlags, ClientKind};
pub use facts::Facts;
pub use pane::{Life, Pane};
pub use session::{Alerts, Link, Session};
pub use window::Window;

/// A window as one session has it linked: what tmux calls a winlink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub session: SessionId,
    pub index: u32,
}

/// The marked pane (`select-pane -m`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marked {
    pub session: SessionId,
    pub index: u32,
    pub window: WindowId,
    pub pane: PaneId,
}

/// All domain state.
#[derive(Debug, Default)]
pub struct Model {
    pub sessions: BTreeMap<SessionId, Session>,
    pub windows: BTreeMap<WindowId, Window>,
    pub panes: BTreeMap<PaneId, Pane>,
    pub clients: BTreeMap<ClientId, Client>,
    pub marked: Option<Marked>,
    pub outbox: Outbox,
    pub facts: Facts,
    pub environ: environ::Environ,
    pub buffers: buffers::Buffers,
    pub tables: keytable::KeyTables,
    pub asks: asks::Asks,
    /// Moves with every change that a frame or a status row could show.
    pub rev: Rev,
    next_session: u32,
    next_window: u32,
    next_pane: u32,
    next_flow: u32,
    next_job: u32,
}

impl Model {
    pub fn session(&self, id: SessionId) -> Option<&Session> {
        self.sessions.get(&id)
    }

    pub fn window(&self, id: WindowId) -> Option<&Window> {
        self.windows.get(&id)
    }

    pub fn pane(&self, id: PaneId) -> Option<&Pane> {
        self.panes.get(&id)
    }

    pub fn client(&self, id: ClientId) -> Option<&Client> {
        self.clients.get(&id)
    }

    /// The window that a session's link points to.
    pub fn linked(&self, place: Place) -> Option<WindowId> {
        Some(self.sessions.get(&place.session)?.links.get(&place.index)?.window)
    }

    /// The current window of a session.
    pub fn current_window(&self, session: SessionId) -> Option<WindowId> {
        let s = self.sessions.get(&session)?;
        Some(s.links.get(&s.current)?.window)
    }

    /// The active pane of the current window of a session.
    pub fn current_pane(&self, session: SessionId) -> Option<PaneId> {
        Some(self.windows.get(&self.current_window(session)?)?.active)
    }

    /// Where a window is linked, in session order.
    pub fn places(&self, window: WindowId) -> Vec<Place> {
        let mut places = Vec::new();
        for s in self.sessions.values() {
            for (&index, link) in &s.links {
                if link.window == window {
                    places.push(Place { session: s.id, index });
                }
            }
        }
        places
    }

    /// Clients attached to a session.
    pub fn clients_of(&self, session: SessionId) -> impl Iterator<Item = &Client> {
        self.clients.values().filter(move |c| c.session == Some(session))
    }

    /// How many clients are attached to a session.
    pub fn attached(&self, session: SessionId) -> usize {
        self.clients_of(session).count()
    }

    /// The id of the next session.
    pub fn next_session_id(&self) -> SessionId {
        SessionId(self.next_session)
    }

    pub fn fresh_flow(&mut self) -> FlowId {
        self.next_flow += 1;
        FlowId(self.next_flow)
    }

    pub fn fresh_job(&mut self) -> JobId {
        self.next_job += 1;
        JobId(self.next_job)
    }

    /// A session by its exact name.
    pub fn session_named(&self, name: &str) -> Option<&Session> {
        self.sessions.values().find(|s| s.name == name)
    }

    /// Marks that something visible moved.
    pub fn touch(&mut self) {
        self.rev.bump();
    }
}
