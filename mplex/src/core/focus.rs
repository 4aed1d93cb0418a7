//! Which panes have the focus of a person, and who is told when that moves.

use std::collections::BTreeSet;

use super::{Core, Outside};
use crate::base::PaneId;
use crate::event::{Event, with_terminal};
use crate::keys::encode_focus;
use crate::model::ClientFlags;
use crate::options::{Scope as OptScope, opt};
use crate::term::Modes;

impl Core {
    /// Tells programs that asked for it (mode 1004), and hooks, that their pane gained or lost the focus: it is the active
    /// pane of the current window of a client whose terminal has the focus.
    pub(super) fn follow_focus(&mut self, out: &mut dyn Outside) {
        let m = &self.state.model;
        let now: BTreeSet<PaneId> = m
            .clients
            .values()
            .filter(|c| c.flags.contains(ClientFlags::FOCUSED) && !c.flags.contains(ClientFlags::SUSPENDED))
            .filter_map(|c| m.current_pane(c.session?))
            .collect();
        if now == self.focused {
            return;
        }
        let before = std::mem::replace(&mut self.focused, now.clone());
        let tell = self.state.options.flag(opt::FOCUS_EVENTS, OptScope::Server);
        for (panes, on) in [(before.difference(&now), false), (now.difference(&before), true)] {
            for pane in panes.copied() {
                let Some(window) = self.state.model.pane(pane).map(|p| p.window) else { continue };
                let name = if on { "pane-focus-in" } else { "pane-focus-out" };
                self.state.model.outbox.event(Event::new(name).pane(pane).window(window));
                let asked = with_terminal(out, pane, |t| t.modes().contains(Modes::FOCUS)) == Some(true);
                if tell && asked {
                    let mut bytes = Vec::new();
                    encode_focus(on, &mut bytes);
                    self.state.write_pane(pane, bytes);
                }
            }
        }
    }
}
