//! Options as they are listed.

use crate::base::Wall;
use crate::lang;

use super::OptError;
use super::name::{ArrayKey, Name, Which};
use super::store::{Options, Scope, Slot, Stored, slot_text};
use super::table::ROWS;

/// Which hooks a listing has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hooks {
    /// Options only.
    #[default]
    Hidden,
    /// Both (`-H`).
    Shown,
    /// Hooks only (`show-hooks`).
    Only,
}

/// What a listing has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// What is inherited too (`-A`).
    pub inherited: bool,
    pub hooks: Hooks,
}

/// A line of a listing: an option, or an element of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub name: String,
    pub key: Option<ArrayKey>,
    /// As a user would write it, unquoted.
    pub value: String,
    /// False for an array without elements.
    pub has_value: bool,
    pub inherited: bool,
    pub is_array: bool,
    /// Texts are quoted, other values never need it.
    pub is_string: bool,
    pub is_hook: bool,
    pub is_user: bool,
    pub fires: u32,
    pub fired_at: Option<Wall>,
}

impl Shown {
    /// `name value`, `name[key] value`, `name* value` if inherited, or the bare value.
    pub fn line(&self, value_only: bool) -> Option<String> {
        if value_only {
            return self.has_value.then(|| self.value.clone());
        }
        let mut line = self.name.clone();
        if let Some(key) = &self.key {
            line.push_str(&format!("[{key}]"));
        }
        if self.inherited {
            line.push('*');
        }
        if self.has_value {
            line.push(' ');
            if self.is_string {
                line.push_str(&lang::escape(&self.value));
            } else {
                line.push_str(&self.value);
            }
        }
        Some(line)
    }
}

impl Options {
    /// One option as it is set in a scope: nothing if it is not set there, one line, or one for each element.
    pub fn show(&self, scope: Scope, name: &Name, inherited: bool) -> Result<Vec<Shown>, OptError> {
        let mut out = Vec::new();
        let here = self.here(&name.which, scope);
        let slot = match here {
            None if inherited => self.effective(&name.which, scope),
            _ => here,
        };
        match slot {
            Some(slot) => self.push(&mut out, &name.which, slot, name.key.as_ref(), here.is_none()),
            None if name.row().is_none() => return Err(OptError::Invalid(name.written.clone())),
            None => {}
        }
        // A single array without elements is never marked as inherited.
        if name.key.is_none() {
            out.iter_mut().filter(|shown| !shown.has_value).for_each(|shown| shown.inherited = false);
        }
        Ok(out)
    }

    /// All options of a scope: the user's own first, then the table's in its order.
    pub fn list(&self, scope: Scope, what: Listing) -> Vec<Shown> {
        let mut out = Vec::new();
        for (name, slot) in self.table(scope).into_iter().flat_map(|table| &table.user) {
            let shown = match (what.hooks, self.is_user_hook(name)) {
                (Hooks::Shown, _) => true,
                (Hooks::Hidden, is_hook) => !is_hook,
                (Hooks::Only, is_hook) => is_hook,
            };
            if shown {
                self.push(&mut out, &Which::User(name.clone()), slot, None, false);
            }
        }
        for (at, row) in ROWS.iter().enumerate() {
            let hidden = match what.hooks {
                Hooks::Shown => false,
                Hooks::Hidden => row.hook,
                Hooks::Only => !row.hook,
            };
            if hidden || !row.scopes.contains(scope.bit()) {
                continue;
            }
            let which = Which::Row(at as u16);
            match self.here(&which, scope) {
                Some(slot) => self.push(&mut out, &which, slot, None, false),
                None if what.inherited => {
                    if let Some(slot) = self.effective(&which, scope) {
                        self.push(&mut out, &which, slot, None, true);
                    }
                }
                None => {}
            }
        }
        out
    }

    fn push(&self, out: &mut Vec<Shown>, which: &Which, slot: &Slot, key: Option<&ArrayKey>, inherited: bool) {
        let row = match which {
            Which::Row(at) => ROWS.get(*at as usize),
            Which::User(_) => None,
        };
        let line = |key: Option<&ArrayKey>, has_value: bool| Shown {
            name: match which {
                Which::Row(at) => ROWS[*at as usize].name.to_owned(),
                Which::User(name) => name.clone(),
            },
            key: key.cloned(),
            value: slot_text(row, slot, key, false),
            has_value,
            inherited,
            is_array: row.is_some_and(|row| row.is_array()),
            is_string: row.is_none_or(|row| row.kind.is_text()),
            is_hook: row.is_some_and(|row| row.hook),
            is_user: row.is_none(),
            fires: slot.fires,
            fired_at: slot.fired_at,
        };
        match (&slot.stored, key) {
            (Stored::Many(elements), None) if elements.is_empty() => out.push(line(None, false)),
            (Stored::Many(elements), None) => out.extend(elements.keys().map(|key| line(Some(key), true))),
            (_, key) => out.push(line(key, true)),
        }
    }
}
