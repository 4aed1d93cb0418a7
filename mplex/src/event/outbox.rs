//! Where the model and the commands put what happened and what is to be done; `core` empties it once per step.

use std::collections::VecDeque;

use super::Effect;
use crate::base::{ClientId, PaneId, SessionId, Size, WindowId};

/// Something happened that hooks, subscribers and control clients may want to hear of. The name is that of a row of the
/// event table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    pub name: &'static str,
    pub session: Option<SessionId>,
    pub window: Option<WindowId>,
    pub pane: Option<PaneId>,
    pub client: Option<ClientId>,
    /// It came of a command of a hook: no hook runs for it.
    pub no_hooks: bool,
    /// Further fields, seen by hooks as formats of these names.
    pub fields: Vec<(&'static str, String)>,
}

impl Event {
    pub fn new(name: &'static str) -> Event {
        Event { name, ..Event::default() }
    }

    #[must_use]
    pub fn session(mut self, id: SessionId) -> Event {
        self.session = Some(id);
        self
    }

    #[must_use]
    pub fn window(mut self, id: WindowId) -> Event {
        self.window = Some(id);
        self
    }

    #[must_use]
    pub fn pane(mut self, id: PaneId) -> Event {
        self.pane = Some(id);
        self
    }

    #[must_use]
    pub fn client(mut self, id: ClientId) -> Event {
        self.client = Some(id);
        self
    }

    /// The new size and the one before.
    #[must_use]
    pub fn sizes(self, new: Size, old: Size) -> Event {
        self.field("width", new.cols.to_string())
            .field("height", new.rows.to_string())
            .field("old_width", old.cols.to_string())
            .field("old_height", old.rows.to_string())
    }

    #[must_use]
    pub fn field(mut self, name: &'static str, value: impl Into<String>) -> Event {
        self.fields.push((name, value.into()));
        self
    }
}

/// Effects in the order in which they are to be carried out, events in the order in which they happened.
#[derive(Debug, Default)]
pub struct Outbox {
    pub effects: Vec<Effect>,
    pub events: VecDeque<Event>,
}

impl Outbox {
    pub fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub fn event(&mut self, event: Event) {
        self.events.push_back(event);
    }
}
