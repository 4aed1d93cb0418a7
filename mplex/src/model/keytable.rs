//! Key tables: which commands a key runs, by the name of the table it is looked up in.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::keys::Key;
use crate::lang::CommandList;

/// What a key is bound to.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    pub key: Key,
    pub commands: Arc<CommandList>,
    /// `bind -N`.
    pub note: Option<String>,
    /// `bind -r`: the key may be pressed again without the prefix.
    pub repeat: bool,
}

#[derive(Clone, Debug, Default)]
pub struct KeyTables {
    tables: BTreeMap<String, BTreeMap<Key, Binding>>,
    /// As they were after the built-in bindings, for `unbind` and `bind` without a command (reset).
    defaults: BTreeMap<String, BTreeMap<Key, Binding>>,
}

impl KeyTables {
    pub fn bind(&mut self, table: &str, binding: Binding) {
        self.tables.entry(table.to_owned()).or_default().insert(binding.key, binding);
    }

    /// Removes a binding; false if there is none.
    pub fn unbind(&mut self, table: &str, key: Key) -> bool {
        let Some(t) = self.tables.get_mut(table) else { return false };
        let had = t.remove(&key).is_some();
        if t.is_empty() && !self.defaults.contains_key(table) {
            self.tables.remove(table);
        }
        had
    }

    /// Removes all bindings of a table; false if there is no such table.
    pub fn unbind_all(&mut self, table: &str) -> bool {
        self.tables.remove(table).is_some()
    }

    pub fn has_table(&self, table: &str) -> bool {
        self.tables.contains_key(table)
    }

    pub fn lookup(&self, table: &str, key: Key) -> Option<&Binding> {
        self.tables.get(table)?.get(&key)
    }

    /// Table names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// Bindings of a table in key order.
    pub fn bindings(&self, table: &str) -> impl Iterator<Item = &Binding> {
        self.tables.get(table).into_iter().flat_map(|t| t.values())
    }

    /// What there is now becomes the default.
    pub fn keep_as_defaults(&mut self) {
        self.defaults = self.tables.clone();
    }

    /// Puts a key, or a whole table, back to its default.
    pub fn reset(&mut self, table: &str, key: Key) {
        match self.defaults.get(table).and_then(|t| t.get(&key)).cloned() {
            Some(b) => self.bind(table, b),
            None => {
                self.unbind(table, key);
            }
        }
    }
}
