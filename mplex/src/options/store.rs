//! What was set in each scope, and reading with inheritance.
//!
//! A pane inherits from its window, a window from the global window options, a session from the global session
//! options; the globals and the server have the defaults of the table under them. Every option of the table therefore
//! always has a value, and unsetting a global one brings the default back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use crate::base::{self, PaneId, Rev, SessionId, Wall, WindowId};
use crate::keys;
use crate::lang::CommandList;

use super::OptError;
use super::choices::Choice;
use super::name::{ArrayKey, Name, Which, exact};
use super::row::{
    Array, ColourKind, Command, Effects, Flag, Hook, KeyKind, Kind, Number, OneOf, Opt, Row, Scopes, StyleKind, Text,
};
use super::table::{ROWS, opt};
use super::value::{Checks, GrammarChecks, MAX_TEXT, StyleValue, Value};

/// How many elements an array may have.
pub const MAX_ELEMENTS: usize = 10_000;
/// How many options of the user's own one scope may have.
pub const MAX_USER_OPTIONS: usize = 100_000;

/// Where an option is set or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    Server,
    GlobalSession,
    Session(SessionId),
    GlobalWindow,
    Window(WindowId),
    Pane(PaneId),
}

impl Scope {
    /// The bit of this scope in a row's scopes.
    pub fn bit(self) -> Scopes {
        match self {
            Scope::Server => Scopes::SERVER,
            Scope::GlobalSession | Scope::Session(_) => Scopes::SESSION,
            Scope::GlobalWindow | Scope::Window(_) => Scopes::WINDOW,
            Scope::Pane(_) => Scopes::PANE,
        }
    }

    /// True if what is not set here has the table's default.
    pub fn is_global(self) -> bool {
        matches!(self, Scope::Server | Scope::GlobalSession | Scope::GlobalWindow)
    }
}

/// How a value is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct How {
    /// `-a`: texts and arrays grow.
    pub append: bool,
    /// `-o`: only what is not set yet.
    pub only_unset: bool,
}

/// An option's value in a scope, and how often it ran as a hook.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slot {
    pub(super) stored: Stored,
    pub(super) fires: u32,
    pub(super) fired_at: Option<Wall>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stored {
    One(Value),
    Many(BTreeMap<ArrayKey, Value>),
}

impl Slot {
    fn new(stored: Stored) -> Slot {
        Slot { stored, fires: 0, fired_at: None }
    }

    fn text(text: &str) -> Slot {
        Slot::new(Stored::One(Value::Text(text.into())))
    }
}

/// What is set in one scope.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    rows: FxHashMap<u16, Slot>,
    pub(super) user: BTreeMap<String, Slot>,
}

impl Table {
    fn get(&self, which: &Which) -> Option<&Slot> {
        match which {
            Which::Row(at) => self.rows.get(at),
            Which::User(name) => self.user.get(name),
        }
    }
}

/// The defaults of all rows, read once. A default that cannot be read is a defect that a test finds; it becomes an
/// empty text here.
static DEFAULTS: LazyLock<Vec<Slot>> = LazyLock::new(|| {
    let nothing = Options::default();
    let read = |row: &Row, text: &str| {
        let value = match row.kind {
            // The shell's existence is not the table's business.
            Kind::Shell => Ok(Value::Text(text.into())),
            _ => Value::read_text(row, text, &nothing, &GrammarChecks),
        };
        if crate::never!(value.is_err(), "default of {}: {:?}", row.name, value) {
            return Value::Text("".into());
        }
        value.unwrap_or(Value::Text("".into()))
    };
    let slot = |row: &Row| match row.array {
        Some(_) => {
            let key = |at: usize| ArrayKey::Number(at as u32);
            Stored::Many(row.default.iter().enumerate().map(|(at, text)| (key(at), read(row, text))).collect())
        }
        None => Stored::One(read(row, row.default.first().copied().unwrap_or_default())),
    };
    ROWS.iter().map(|row| Slot::new(slot(row))).collect()
});

/// All options of a server.
#[derive(Clone, Debug, Default)]
pub struct Options {
    server: Table,
    global_session: Table,
    global_window: Table,
    sessions: FxHashMap<SessionId, Table>,
    windows: FxHashMap<WindowId, Table>,
    panes: FxHashMap<PaneId, (WindowId, Table)>,
    /// User options that `set-hook` made: they run on events of their name and are listed as hooks.
    user_hooks: BTreeSet<String>,
    rev: Rev,
}

impl Options {
    /// Options as they are before any configuration.
    pub fn new() -> Options {
        Options::default()
    }

    /// Moves with every change.
    pub fn rev(&self) -> Rev {
        self.rev
    }

    // Which scopes there are.

    /// Makes a pane inherit from this window; what is set for the pane stays.
    pub fn place_pane(&mut self, pane: PaneId, window: WindowId) {
        self.panes.entry(pane).or_default().0 = window;
        self.rev.bump();
    }

    pub fn forget_pane(&mut self, pane: PaneId) {
        self.panes.remove(&pane);
    }

    pub fn forget_window(&mut self, window: WindowId) {
        self.windows.remove(&window);
    }

    pub fn forget_session(&mut self, session: SessionId) {
        self.sessions.remove(&session);
    }

    // Looking.

    pub(super) fn table(&self, scope: Scope) -> Option<&Table> {
        match scope {
            Scope::Server => Some(&self.server),
            Scope::GlobalSession => Some(&self.global_session),
            Scope::GlobalWindow => Some(&self.global_window),
            Scope::Session(id) => self.sessions.get(&id),
            Scope::Window(id) => self.windows.get(&id),
            Scope::Pane(id) => self.panes.get(&id).map(|(_, table)| table),
        }
    }

    fn table_mut(&mut self, scope: Scope) -> Option<&mut Table> {
        match scope {
            Scope::Server => Some(&mut self.server),
            Scope::GlobalSession => Some(&mut self.global_session),
            Scope::GlobalWindow => Some(&mut self.global_window),
            Scope::Session(id) => Some(self.sessions.entry(id).or_default()),
            Scope::Window(id) => Some(self.windows.entry(id).or_default()),
            Scope::Pane(id) => self.panes.get_mut(&id).map(|(_, table)| table),
        }
    }

    /// The scope that this one inherits from.
    pub fn parent(&self, scope: Scope) -> Option<Scope> {
        match scope {
            Scope::Session(_) => Some(Scope::GlobalSession),
            Scope::Window(_) => Some(Scope::GlobalWindow),
            Scope::Pane(id) => {
                Some(self.panes.get(&id).map_or(Scope::GlobalWindow, |(window, _)| Scope::Window(*window)))
            }
            Scope::Server | Scope::GlobalSession | Scope::GlobalWindow => None,
        }
    }

    /// The scope to begin at for an option of the table when it is asked for in `scope`: the global one of the option's
    /// own kind if the two have nothing to do with each other.
    fn start(scopes: Scopes, scope: Scope) -> Scope {
        if scopes.contains(Scopes::SERVER) {
            Scope::Server
        } else if scopes.contains(Scopes::SESSION) {
            match scope {
                Scope::Session(_) => scope,
                _ => Scope::GlobalSession,
            }
        } else {
            match scope {
                Scope::Window(_) | Scope::Pane(_) => scope,
                _ => Scope::GlobalWindow,
            }
        }
    }

    fn slot(&self, at: u16, scope: Scope) -> &Slot {
        let mut next = Some(Options::start(ROWS[at as usize].scopes, scope));
        while let Some(scope) = next {
            if let Some(slot) = self.table(scope).and_then(|table| table.rows.get(&at)) {
                return slot;
            }
            next = self.parent(scope);
        }
        &DEFAULTS[at as usize]
    }

    fn user_slot(&self, name: &str, scope: Scope) -> Option<&Slot> {
        let mut next = Some(scope);
        while let Some(scope) = next {
            if let Some(slot) = self.table(scope).and_then(|table| table.user.get(name)) {
                return Some(slot);
            }
            next = self.parent(scope);
        }
        None
    }

    /// The slot that counts in this scope, inherited or not.
    pub(super) fn effective(&self, which: &Which, scope: Scope) -> Option<&Slot> {
        match which {
            Which::Row(at) => Some(self.slot(*at, scope)),
            Which::User(name) => self.user_slot(name, scope),
        }
    }

    /// The slot of this very scope. Options of the table are always set in their global scope.
    pub(super) fn here(&self, which: &Which, scope: Scope) -> Option<&Slot> {
        let set = self.table(scope).and_then(|table| table.get(which));
        match which {
            Which::Row(at) if set.is_none() && scope.is_global() => {
                ROWS[*at as usize].scopes.contains(scope.bit()).then(|| &DEFAULTS[*at as usize])
            }
            _ => set,
        }
    }

    fn value(&self, at: u16, scope: Scope) -> Option<&Value> {
        match &self.slot(at, scope).stored {
            Stored::One(value) => Some(value),
            Stored::Many(_) => None,
        }
    }

    // Typed reading. The handles make sure that the kinds agree; the fallbacks are never taken.

    pub fn flag(&self, opt: Opt<Flag>, scope: Scope) -> bool {
        matches!(self.value(opt.index, scope), Some(Value::Flag(true)))
    }

    pub fn number(&self, opt: Opt<Number>, scope: Scope) -> i64 {
        match self.value(opt.index, scope) {
            Some(Value::Number(n)) => *n,
            _ => 0,
        }
    }

    pub fn text(&self, opt: Opt<Text>, scope: Scope) -> &str {
        match self.value(opt.index, scope) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    pub fn choice<C: Choice>(&self, opt: Opt<OneOf<C>>, scope: Scope) -> C {
        match self.value(opt.index, scope) {
            Some(Value::Choice(n)) => C::from_index(*n as usize),
            _ => C::from_index(0),
        }
    }

    pub fn colour(&self, opt: Opt<ColourKind>, scope: Scope) -> base::Colour {
        match self.value(opt.index, scope) {
            Some(Value::Colour(colour)) => *colour,
            _ => base::Colour::DEFAULT,
        }
    }

    pub fn key(&self, opt: Opt<KeyKind>, scope: Scope) -> keys::Key {
        match self.value(opt.index, scope) {
            Some(Value::Key(key)) => *key,
            _ => keys::Key::NONE,
        }
    }

    pub fn style(&self, opt: Opt<StyleKind>, scope: Scope) -> &Arc<StyleValue> {
        static NO_STYLE: LazyLock<Arc<StyleValue>> =
            LazyLock::new(|| Arc::new(StyleValue { text: String::new(), parsed: None }));
        match self.value(opt.index, scope) {
            Some(Value::Style(style)) => style,
            _ => &NO_STYLE,
        }
    }

    pub fn commands(&self, opt: Opt<Command>, scope: Scope) -> Arc<CommandList> {
        match self.value(opt.index, scope) {
            Some(Value::Commands(list)) => list.clone(),
            _ => Arc::default(),
        }
    }

    fn elements(&self, at: u16, scope: Scope) -> impl Iterator<Item = (&ArrayKey, &Value)> {
        match &self.slot(at, scope).stored {
            Stored::Many(elements) => Some(elements.iter()),
            Stored::One(_) => None,
        }
        .into_iter()
        .flatten()
    }

    /// The elements of an array of texts, in the order of their keys.
    pub fn texts(&self, opt: Opt<Array<Text>>, scope: Scope) -> impl Iterator<Item = (&ArrayKey, &str)> {
        self.elements(opt.index, scope).filter_map(|(key, value)| Some((key, value.as_text()?)))
    }

    /// The element of an array of texts with this number.
    pub fn text_at(&self, opt: Opt<Array<Text>>, number: u32, scope: Scope) -> Option<&str> {
        match &self.slot(opt.index, scope).stored {
            Stored::Many(elements) => elements.get(&ArrayKey::Number(number))?.as_text(),
            Stored::One(_) => None,
        }
    }

    /// The elements of an array of colours that have a number as their key.
    pub fn colours(&self, opt: Opt<Array<ColourKind>>, scope: Scope) -> impl Iterator<Item = (u32, base::Colour)> {
        self.elements(opt.index, scope).filter_map(|(key, value)| match (key, value) {
            (ArrayKey::Number(n), Value::Colour(colour)) => Some((*n, *colour)),
            _ => None,
        })
    }

    /// The commands of a hook, in the order in which they run.
    pub fn hook(&self, opt: Hook, scope: Scope) -> impl Iterator<Item = (&ArrayKey, &Arc<CommandList>)> {
        self.elements(opt.index, scope).filter_map(|(key, value)| match value {
            Value::Commands(list) => Some((key, list)),
            _ => None,
        })
    }

    /// The text of a user option, inherited or not. `name` has its `@`.
    pub fn user(&self, name: &str, scope: Scope) -> Option<&str> {
        match &self.user_slot(name, scope)?.stored {
            Stored::One(value) => value.as_text(),
            Stored::Many(_) => None,
        }
    }

    /// What stands for this command name in `command-alias`.
    pub fn command_alias(&self, name: &str) -> Option<&str> {
        let pair = |text: &'_ str| text.split_once('=').filter(|(alias, _)| *alias == name).is_some();
        let text = self.texts(opt::COMMAND_ALIAS, Scope::Server).map(|(_, text)| text).find(|text| pair(text))?;
        text.split_once('=').map(|(_, command)| command)
    }

    /// True if the option is set in this very scope, not inherited.
    pub fn is_set_here(&self, name: &Name, scope: Scope) -> bool {
        match (self.here(&name.which, scope), &name.key) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(Slot { stored: Stored::Many(elements), .. }), Some(key)) => elements.contains_key(key),
            (Some(_), Some(_)) => false,
        }
    }

    /// What a format sees of an option of this exact name (`name`, `@name`, `name[key]`), looked for in the scopes that
    /// the format has: server, pane, window, session. Flags are `1` and `0`, arrays one text.
    pub fn for_format(
        &self,
        written: &str,
        session: Option<SessionId>,
        window: Option<WindowId>,
        pane: Option<PaneId>,
    ) -> Option<String> {
        let name = Name::exact(written)?;
        let of_window = pane.map(Scope::Pane).or(window.map(Scope::Window)).unwrap_or(Scope::GlobalWindow);
        let of_session = session.map_or(Scope::GlobalSession, Scope::Session);
        let slot = match name.row() {
            Some(row) if row.scopes.contains(Scopes::SERVER) => self.effective(&name.which, Scope::Server)?,
            Some(row) if row.scopes.contains(Scopes::SESSION) => self.effective(&name.which, of_session)?,
            Some(_) => self.effective(&name.which, of_window)?,
            None => [Scope::Server, of_window, of_session].iter().find_map(|s| self.effective(&name.which, *s))?,
        };
        Some(slot_text(name.row(), slot, name.key.as_ref(), true))
    }

    // Setting.

    /// Sets an option from a text; without a text, flags and choices change to the other value.
    /// Nothing is changed when it fails.
    pub fn set(
        &mut self,
        scope: Scope,
        name: &Name,
        text: Option<&str>,
        how: How,
        checks: &dyn Checks,
    ) -> Result<Effects, OptError> {
        self.fits(scope, name)?;
        if how.only_unset && self.is_set_here(name, scope) {
            return Err(OptError::AlreadySet(name.written.clone()));
        }
        let here = self.here(&name.which, scope);
        let Some(row) = name.row() else {
            let text = text.ok_or(OptError::Empty)?;
            let old = here.and_then(one_text).filter(|_| how.append).unwrap_or_default();
            let slot = Slot::text(&joined(old, "", text)?);
            return self.put(scope, name, slot);
        };
        let stored = match row.array {
            None => {
                let text = match (text, here.and_then(one_text)) {
                    (Some(text), Some(old)) if how.append && row.kind.is_text() => Some(joined(old, row.joiner, text)?),
                    (text, _) => text.map(str::to_owned),
                };
                let Some(Slot { stored: Stored::One(old), .. }) = self.effective(&name.which, scope) else {
                    return Err(OptError::Invalid(name.written.clone()));
                };
                Stored::One(Value::read(row, text.as_deref(), old, self, checks)?)
            }
            Some(separators) => {
                let text = text.ok_or(OptError::Empty)?;
                let mut elements = match here.map(|slot| &slot.stored) {
                    Some(Stored::Many(elements)) if how.append || name.key.is_some() => elements.clone(),
                    _ => BTreeMap::new(),
                };
                match &name.key {
                    Some(key) => {
                        let old = elements.get(key).and_then(Value::as_text).filter(|_| how.append);
                        let text = joined(old.unwrap_or_default(), "", text)?;
                        elements.insert(key.clone(), Value::read_text(row, &text, self, checks)?);
                    }
                    None => {
                        let mut free = 0;
                        for part in parts(text, separators) {
                            while elements.contains_key(&ArrayKey::Number(free)) {
                                free += 1;
                            }
                            elements.insert(ArrayKey::Number(free), Value::read_text(row, part, self, checks)?);
                            if elements.len() > MAX_ELEMENTS {
                                return Err(OptError::TooLong);
                            }
                        }
                    }
                }
                if elements.len() > MAX_ELEMENTS {
                    return Err(OptError::TooLong);
                }
                Stored::Many(elements)
            }
        };
        let mut slot = here.cloned().unwrap_or_else(|| Slot::new(stored.clone()));
        slot.stored = stored;
        self.put(scope, name, slot)
    }

    /// Sets an option of the table from a text, as the program itself does at its start (`default-shell`, `editor`).
    pub fn set_text<T>(
        &mut self,
        scope: Scope,
        opt: Opt<T>,
        text: &str,
        checks: &dyn Checks,
    ) -> Result<Effects, OptError> {
        let name = Name { which: Which::Row(opt.index), key: None, written: opt.name().to_owned() };
        self.set(scope, &name, Some(text), How::default(), checks)
    }

    /// Sets a flag, as the program itself does (a window that is renamed by hand stops renaming itself).
    pub fn set_flag(&mut self, scope: Scope, opt: Opt<Flag>, on: bool) -> Result<Effects, OptError> {
        let name = Name { which: Which::Row(opt.index), key: None, written: opt.name().to_owned() };
        self.fits(scope, &name)?;
        self.put(scope, &name, Slot::new(Stored::One(Value::Flag(on))))
    }

    /// Takes away what this scope has set: the inherited value counts again, in a global scope the default.
    pub fn unset(&mut self, scope: Scope, name: &Name) -> Result<Effects, OptError> {
        self.fits(scope, name)?;
        let Some(here) = self.here(&name.which, scope) else { return Ok(Effects::empty()) };
        if let Some(key) = &name.key {
            let mut slot = here.clone();
            if let Stored::Many(elements) = &mut slot.stored {
                elements.remove(key);
            }
            return self.put(scope, name, slot);
        }
        if let Some(table) = self.table_mut(scope) {
            match &name.which {
                Which::Row(at) => table.rows.remove(at).is_some(),
                Which::User(name) => table.user.remove(name).is_some(),
            };
        }
        self.rev.bump();
        Ok(effects_of(name))
    }

    /// Takes away what the panes of this window have set for themselves (`-U`).
    pub fn unset_in_panes(&mut self, window: WindowId, name: &Name) -> Result<Effects, OptError> {
        let mut panes: Vec<PaneId> = self.panes.iter().filter(|(_, (w, _))| *w == window).map(|(id, _)| *id).collect();
        panes.sort_unstable();
        let mut effects = Effects::empty();
        for pane in panes {
            let scope = Scope::Pane(pane);
            if self.here(&name.which, scope).is_some() {
                effects |= self.unset(scope, name)?;
            }
        }
        Ok(effects)
    }

    /// Checks that the name can be used in this scope, and its key with this option.
    fn fits(&self, scope: Scope, name: &Name) -> Result<(), OptError> {
        let is_array = name.row().is_some_and(Row::is_array);
        if name.key.is_some() && !is_array {
            return Err(OptError::NotArray(name.written.clone()));
        }
        if name.row().is_some_and(|row| !row.scopes.contains(scope.bit())) {
            return Err(OptError::Scope(name.written.clone()));
        }
        if let Scope::Pane(pane) = scope
            && !self.panes.contains_key(&pane)
        {
            return Err(OptError::Target(format!("no such pane: {pane}")));
        }
        Ok(())
    }

    fn put(&mut self, scope: Scope, name: &Name, slot: Slot) -> Result<Effects, OptError> {
        let Some(table) = self.table_mut(scope) else { return Err(OptError::Scope(name.written.clone())) };
        match &name.which {
            Which::Row(at) => {
                table.rows.insert(*at, slot);
            }
            Which::User(user) => {
                if table.user.len() >= MAX_USER_OPTIONS && !table.user.contains_key(user) {
                    return Err(OptError::TooLong);
                }
                table.user.insert(user.clone(), slot);
            }
        }
        self.rev.bump();
        Ok(effects_of(name))
    }

    // Hooks.

    /// Counts that the hook ran; where it is set nearest to this scope.
    pub fn hook_fired(&mut self, which: &Which, scope: Scope, now: Wall) {
        let mut next = match which {
            Which::Row(at) => Some(Options::start(ROWS[*at as usize].scopes, scope)),
            Which::User(_) => Some(scope),
        };
        while let Some(scope) = next {
            next = self.parent(scope);
            let last = next.is_none();
            let Some(table) = self.table_mut(scope) else { continue };
            let slot = match which {
                Which::Row(at) if last => Some(table.rows.entry(*at).or_insert_with(|| DEFAULTS[*at as usize].clone())),
                Which::Row(at) => table.rows.get_mut(at),
                Which::User(name) => table.user.get_mut(name),
            };
            if let Some(slot) = slot {
                slot.fires = slot.fires.saturating_add(1);
                slot.fired_at = Some(now);
                return;
            }
        }
    }

    /// The hook of the table with this exact name.
    pub fn hook_named(name: &str) -> Option<Hook> {
        let at = exact(name)?;
        ROWS[at as usize].hook.then(|| Opt::new(at))
    }

    /// Remembers that `set-hook` made this user option.
    pub fn mark_user_hook(&mut self, name: &str) {
        if self.user_hooks.len() < MAX_USER_OPTIONS {
            self.user_hooks.insert(name.to_owned());
        }
    }

    pub fn is_user_hook(&self, name: &str) -> bool {
        self.user_hooks.contains(name)
    }
}

fn effects_of(name: &Name) -> Effects {
    match name.row() {
        Some(row) => row.effects,
        // Any format may name it.
        None => Effects::STATUS | Effects::SCENE | Effects::STYLES | Effects::NAMES | Effects::TITLES,
    }
}

fn one_text(slot: &Slot) -> Option<&str> {
    match &slot.stored {
        Stored::One(value) => value.as_text(),
        Stored::Many(_) => None,
    }
}

fn joined(old: &str, joiner: &str, new: &str) -> Result<String, OptError> {
    if old.len() + joiner.len() + new.len() > MAX_TEXT {
        return Err(OptError::TooLong);
    }
    Ok(format!("{old}{joiner}{new}"))
}

/// The elements that a whole array's text has.
fn parts<'a>(text: &'a str, separators: &'a str) -> impl Iterator<Item = &'a str> {
    let whole = separators.is_empty();
    text.split(move |c| !whole && separators.contains(c)).filter(|part| !part.is_empty())
}

/// The text of a slot, or of one of its elements; empty if there is no such element.
pub(super) fn slot_text(row: Option<&Row>, slot: &Slot, key: Option<&ArrayKey>, numeric: bool) -> String {
    let print = |value: &Value| match row {
        Some(row) => value.print(row, numeric),
        None => value.as_text().unwrap_or_default().to_owned(),
    };
    match (&slot.stored, key) {
        (Stored::One(value), _) => print(value),
        (Stored::Many(elements), Some(key)) => elements.get(key).map(print).unwrap_or_default(),
        (Stored::Many(elements), None) => elements.values().map(print).collect::<Vec<_>>().join(" "),
    }
}
