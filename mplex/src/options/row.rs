//! What a row of the option table is: name, scope, kind, default, effects, words; and the typed handles to rows.

use std::marker::PhantomData;

use super::choices::Choice;
use super::table::ROWS;

bitflags::bitflags! {
    /// The kinds of scope in which an option can be set.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Scopes: u8 {
        const SERVER = 1;
        const SESSION = 1 << 1;
        const WINDOW = 1 << 2;
        const PANE = 1 << 3;
    }
}

bitflags::bitflags! {
    /// What has to be done after an option was changed. Frames are pulled, so most changes ask for little.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Effects: u32 {
        /// Status lines are to be made anew.
        const STATUS = 1;
        /// What surrounds the panes is to be made anew: borders, pane status lines, scrollbars, fill.
        const SCENE = 1 << 1;
        /// Panes are to be placed anew within their windows.
        const LAYOUT = 1 << 2;
        /// Window sizes are to be counted anew from the clients.
        const SIZE = 1 << 3;
        /// The capabilities of client terminals are to be set up anew.
        const TTY = 1 << 4;
        /// Key decoding, key tables or prefix keys changed.
        const KEYS = 1 << 5;
        /// A timer runs by another time now: status, lock, repeat.
        const TIMERS = 1 << 6;
        /// Alerts are to be armed anew.
        const ALERTS = 1 << 7;
        /// The limit of the history changed.
        const HISTORY = 1 << 8;
        /// The colour palette of panes changed.
        const PALETTE = 1 << 9;
        /// The width of some characters changed.
        const WIDTHS = 1 << 10;
        /// Windows may have to be renamed.
        const NAMES = 1 << 11;
        /// The default styles of panes changed.
        const STYLES = 1 << 12;
        /// The default cursor of panes changed.
        const CURSOR = 1 << 13;
        /// The colours of the theme changed.
        const THEME = 1 << 14;
        /// Something that a pane's terminal was told at its start changed.
        const TERMINAL = 1 << 15;
        /// The limit of paste buffers or of the message log changed.
        const LIMITS = 1 << 16;
        /// The command aliases changed.
        const ALIASES = 1 << 17;
        /// The terminal titles of clients are to be made anew.
        const TITLES = 1 << 18;
        /// Whether the server should go on living is to be asked anew.
        const LIFE = 1 << 19;
        /// A hook's commands changed.
        const HOOKS = 1 << 20;
    }
}

/// What values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `on` or `off`.
    Flag,
    /// A whole number between two limits, both included. The unit is a word for people, empty if it is a plain number.
    Number { min: i64, max: i64, unit: &'static str },
    /// Any text.
    Text,
    /// A text that is expanded as a format when it is used.
    Format,
    /// `COLUMNSxROWS`.
    Size,
    /// The path of a shell.
    Shell,
    /// One of a closed list.
    Choice(&'static [&'static str]),
    /// A colour by name or number.
    Colour,
    /// A colour, a format that gives one, or nothing.
    ColourText,
    /// A style, or a format that gives one.
    Style,
    /// A key by name.
    Key,
    /// A command sequence.
    Command,
}

impl Kind {
    /// True if a value is kept as the text the user gave (and is shown quoted).
    pub fn is_text(self) -> bool {
        matches!(self, Kind::Text | Kind::Format | Kind::Size | Kind::Shell | Kind::ColourText | Kind::Style)
    }
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    /// Other spellings that are accepted in full.
    pub other: &'static [&'static str],
    pub scopes: Scopes,
    pub kind: Kind,
    /// The characters at which a whole array's text is split; `None` if the option is no array, empty if the text is
    /// one element.
    pub array: Option<&'static str>,
    /// What appending puts between the old text and the new: a comma for styles.
    pub joiner: &'static str,
    /// True for hooks: they are listed only on demand.
    pub hook: bool,
    /// The default as a user would write it; for an array the elements.
    pub default: &'static [&'static str],
    pub effects: Effects,
    /// One or two sentences for people.
    pub doc: &'static str,
}

impl Row {
    /// True if the option is an array.
    pub fn is_array(&self) -> bool {
        self.array.is_some()
    }

    /// The default as one text; the elements of an array are separated by spaces.
    pub fn default_text(&self) -> String {
        self.default.join(" ")
    }
}

/// A handle to a row: `T` says how the option is read. The handles are the constants of [`opt`](super::opt).
pub struct Opt<T> {
    pub(super) index: u16,
    how: PhantomData<fn() -> T>,
}

impl<T> Clone for Opt<T> {
    fn clone(&self) -> Opt<T> {
        *self
    }
}

impl<T> Copy for Opt<T> {}

impl<T> std::fmt::Debug for Opt<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl<T> PartialEq for Opt<T> {
    fn eq(&self, o: &Opt<T>) -> bool {
        self.index == o.index
    }
}

impl<T> Eq for Opt<T> {}

impl<T> Opt<T> {
    pub(super) const fn new(index: u16) -> Opt<T> {
        Opt { index, how: PhantomData }
    }

    pub fn row(self) -> &'static Row {
        &ROWS[self.index as usize]
    }

    pub fn name(self) -> &'static str {
        self.row().name
    }
}

/// Read as a bool.
#[derive(Debug)]
pub enum Flag {}
/// Read as a number.
#[derive(Debug)]
pub enum Number {}
/// Read as a text.
#[derive(Debug)]
pub enum Text {}
/// Read as a style.
#[derive(Debug)]
pub enum StyleKind {}
/// Read as a colour.
#[derive(Debug)]
pub enum ColourKind {}
/// Read as a key.
#[derive(Debug)]
pub enum KeyKind {}
/// Read as a command sequence.
#[derive(Debug)]
pub enum Command {}
/// Read as one of a closed list.
#[derive(Debug)]
pub struct OneOf<C: Choice>(PhantomData<C>);
/// Read as an array.
#[derive(Debug)]
pub struct Array<T>(PhantomData<T>);

/// The handle of a hook.
pub type Hook = Opt<Array<Command>>;

const fn base(name: &'static str, scopes: Scopes, kind: Kind, effects: Effects, doc: &'static str) -> Row {
    let joiner = if matches!(kind, Kind::Style) { "," } else { "" };
    Row { name, other: &[], scopes, kind, array: None, joiner, hook: false, default: &[], effects, doc }
}

/// A row of a server option.
pub(super) const fn server(
    name: &'static str,
    kind: Kind,
    default: &'static [&'static str],
    effects: Effects,
    doc: &'static str,
) -> Row {
    Row { default, ..base(name, Scopes::SERVER, kind, effects, doc) }
}

/// A row of a session option.
pub(super) const fn session(
    name: &'static str,
    kind: Kind,
    default: &'static [&'static str],
    effects: Effects,
    doc: &'static str,
) -> Row {
    Row { default, ..base(name, Scopes::SESSION, kind, effects, doc) }
}

/// A row of a window option.
pub(super) const fn window(
    name: &'static str,
    kind: Kind,
    default: &'static [&'static str],
    effects: Effects,
    doc: &'static str,
) -> Row {
    Row { default, ..base(name, Scopes::WINDOW, kind, effects, doc) }
}

/// A row of an option of windows that a pane may have for itself.
pub(super) const fn pane(
    name: &'static str,
    kind: Kind,
    default: &'static [&'static str],
    effects: Effects,
    doc: &'static str,
) -> Row {
    Row { default, ..base(name, Scopes::WINDOW.union(Scopes::PANE), kind, effects, doc) }
}

/// A row of a hook.
pub(super) const fn hook(name: &'static str, scopes: Scopes, doc: &'static str) -> Row {
    Row { array: Some(""), hook: true, ..base(name, scopes, Kind::Command, Effects::HOOKS, doc) }
}

impl Row {
    /// Makes it an array whose whole text is split at any of `separators`.
    pub(super) const fn array(self, separators: &'static str) -> Row {
        Row { array: Some(separators), ..self }
    }

    /// Adds other spellings.
    pub(super) const fn also(self, other: &'static [&'static str]) -> Row {
        Row { other, ..self }
    }
}
