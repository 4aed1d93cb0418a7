//! What reaches the programs in panes: keys, mouse, pastes, encoded as each pane's terminal asks for.

use super::state::State;
use crate::base::{PaneId, Pos};
use crate::event::{Effect, Outside, with_terminal};
use crate::keys::{self, KeyEvent, Mouse, PaneModes};
use crate::options::choices::{ExtendedKeys, ExtendedKeysFormat};
use crate::options::{Scope as OptScope, opt};
use crate::term::Modes;

impl State {
    /// The panes that input for one pane goes to: itself, and its window's others where `synchronize-panes` is on.
    pub fn input_panes(&self, pane: PaneId) -> Vec<PaneId> {
        let Some(p) = self.model.pane(pane) else { return Vec::new() };
        let mut to = vec![pane];
        if self.options.flag(opt::SYNCHRONIZE_PANES, OptScope::Pane(pane))
            && let Some(w) = self.model.window(p.window)
        {
            let hidden = |o: PaneId| w.zoomed.is_some_and(|z| z != o);
            to.extend(w.panes.iter().copied().filter(|o| {
                *o != pane
                    && !hidden(*o)
                    && self.layers.stack(crate::layer::Host::Pane(*o)).is_empty()
                    && self.options.flag(opt::SYNCHRONIZE_PANES, OptScope::Pane(*o))
            }));
        }
        to
    }

    /// Types a key into a pane (and those synchronised with it).
    pub fn type_key(&mut self, pane: PaneId, key: &KeyEvent, out: &mut dyn Outside) {
        for pane in self.input_panes(pane) {
            self.type_key_alone(pane, key, out);
        }
    }

    /// Types a key into one pane.
    pub fn type_key_alone(&mut self, pane: PaneId, key: &KeyEvent, out: &mut dyn Outside) {
        let Some(p) = self.model.pane(pane) else { return };
        if p.input_off || p.is_dead() {
            return;
        }
        let Some(modes) = self.pane_modes(pane, out) else { return };
        let mut bytes = Vec::new();
        keys::encode(key, &modes, &mut bytes);
        self.write_pane(pane, bytes);
    }

    /// Bytes for a pane's program as they are.
    pub fn write_pane(&mut self, pane: PaneId, bytes: Vec<u8>) {
        let Some(p) = self.model.pane(pane) else { return };
        if !bytes.is_empty() && !p.input_off && !p.is_dead() {
            self.model.outbox.effect(Effect::PtyWrite { pane, bytes });
        }
    }

    /// Text for a pane's program as a paste: bracketed where the program asked for it.
    pub fn paste_into(&mut self, pane: PaneId, text: &[u8], bracket: bool, out: &mut dyn Outside) {
        for pane in self.input_panes(pane) {
            let asked = with_terminal(out, pane, |t| t.modes().contains(crate::term::Modes::BRACKETED_PASTE));
            let mut bytes = Vec::new();
            keys::encode_paste(text, bracket && asked == Some(true), &mut bytes);
            self.write_pane(pane, bytes);
        }
    }

    /// Hands a mouse event to a pane's program if it wants it; `at` is relative to the pane. Returns whether it did.
    pub fn send_mouse(&mut self, pane: PaneId, mouse: &Mouse, at: Pos, out: &mut dyn Outside) -> bool {
        let Some(modes) = with_terminal(out, pane, |t| t.mouse()) else { return false };
        let mut bytes = Vec::new();
        if !keys::encode_mouse(mouse, modes, at, &mut bytes) {
            return false;
        }
        self.write_pane(pane, bytes);
        true
    }

    fn pane_modes(&self, pane: PaneId, out: &mut dyn Outside) -> Option<PaneModes> {
        let extended = self.options.choice(opt::EXTENDED_KEYS, OptScope::Server);
        let format = self.options.choice(opt::EXTENDED_KEYS_FORMAT, OptScope::Server);
        let backspace = self.options.key(opt::BACKSPACE, OptScope::Server);
        let level = |asked: u8| match extended {
            ExtendedKeys::Off => 0,
            ExtendedKeys::On => asked,
            ExtendedKeys::Always => asked.max(1),
        };
        with_terminal(out, pane, |t| PaneModes {
            app_cursor: t.modes().contains(Modes::CURSOR_KEYS),
            app_keypad: t.modes().contains(Modes::KEYPAD),
            extended: level(t.modify_other_keys()),
            xterm_format: format == ExtendedKeysFormat::Xterm,
            backspace: Some(backspace),
            kitty: t.kitty_flags(),
        })
    }
}
