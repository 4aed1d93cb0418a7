//! Windows that name themselves after what runs in them (option `automatic-rename`).
//!
//! A window is looked at when its active pane wrote something or went into a mode, or when another pane became the active
//! one, at most twice a second.

use std::collections::BTreeMap;

use super::{Core, Outside};
use crate::base::{Now, PaneId, Rev, Span, Time, WindowId};
use crate::layer::Host;
use crate::model::find;
use crate::options::{Scope as OptScope, opt};
use crate::vars::Scope;

/// How long a window keeps a name at least.
const INTERVAL: Span = Span::from_millis(500);

/// What is known of a window whose name may move.
#[derive(Debug)]
struct Named {
    active: PaneId,
    /// Copy mode or the like is on in the active pane.
    in_mode: bool,
    changed: bool,
    /// When it was last looked at.
    at: Option<Time>,
}

#[derive(Debug, Default)]
pub(super) struct Names {
    windows: BTreeMap<WindowId, Named>,
    /// Panes that wrote something since the last step.
    wrote: Vec<PaneId>,
    /// The model and the layers as they were when windows were last compared with them.
    seen: (Rev, Rev),
}

impl Names {
    /// The pane's program wrote something: another may run by now.
    pub(super) fn wrote(&mut self, pane: PaneId) {
        self.wrote.push(pane);
    }

    /// All windows are to be looked at again.
    pub(super) fn forget(&mut self) {
        for w in self.windows.values_mut() {
            w.changed = true;
        }
        self.seen = (Rev::ZERO, Rev::ZERO);
    }

    /// When a window that changed may be looked at.
    pub(super) fn due(&self) -> Option<Time> {
        self.windows.values().filter(|w| w.changed).map(|w| w.at.map_or(Time(0), |t| t + INTERVAL)).min()
    }
}

impl Core {
    /// Renames what is to be renamed by now.
    pub(super) fn name_windows(&mut self, now: Now, out: &mut dyn Outside) {
        let m = &self.state.model;
        for pane in std::mem::take(&mut self.names.wrote) {
            let window = m.pane(pane).map(|p| p.window);
            if let Some(w) = window.and_then(|w| self.names.windows.get_mut(&w))
                && w.active == pane
            {
                w.changed = true;
            }
        }
        let layers = &self.state.layers;
        if self.names.seen != (m.rev, layers.rev) {
            self.names.seen = (m.rev, layers.rev);
            self.names.windows.retain(|id, _| m.window(*id).is_some());
            for w in m.windows.values() {
                let in_mode = layers.top(Host::Pane(w.active)).is_some();
                // A new window has its name already; once its program runs for sure, it writes something.
                let new = || Named { active: w.active, in_mode, changed: false, at: None };
                let named = self.names.windows.entry(w.id).or_insert_with(new);
                named.changed |= (named.active, named.in_mode) != (w.active, in_mode);
                (named.active, named.in_mode) = (w.active, in_mode);
            }
        }
        let due: Vec<WindowId> = self
            .names
            .windows
            .iter()
            .filter(|(_, w)| w.changed && w.at.is_none_or(|t| now.mono >= t + INTERVAL))
            .map(|(id, _)| *id)
            .collect();
        for window in due {
            if let Some(named) = self.names.windows.get_mut(&window) {
                named.changed = false;
                named.at = Some(now.mono);
            }
            self.name_window(window, now, out);
        }
    }

    fn name_window(&mut self, window: WindowId, now: Now, out: &mut dyn Outside) {
        let scope = OptScope::Window(window);
        if !self.state.options.flag(opt::AUTOMATIC_RENAME, scope) {
            return;
        }
        let Some(active) = self.state.model.window(window).map(|w| w.active) else { return };
        let session = find::from_window(&self.state.model, window).map(|f| f.session);
        let format = Scope { session, window: Some(window), pane: Some(active), ..Scope::default() };
        let template = self.state.options.text(opt::AUTOMATIC_RENAME_FORMAT, scope).to_owned();
        let name = self.state.world(out, now).expand(&template, &format);
        if self.state.model.window(window).is_some_and(|w| w.name != name) {
            self.state.model.rename_window(window, name);
        }
    }
}
