//! The option rows, value kinds and the scoped store.
//!
//! An option is a row of one table ([`ROWS`]): name, scope, kind, default, effects, words. Code names an option by its
//! handle ([`opt`]), so a misspelt option does not compile and a flag is never read as a number. The store
//! ([`Options`]) keeps what was set in each scope; values are parsed and checked when they are set, so reading one is a
//! look into at most three small maps.
//!
//! The room must not know what a session, a window or a pane is beyond its id, and it expands no formats: whoever sets
//! an option with `-F` has expanded the text already. What has to happen after a change is said as [`Effects`] and done
//! by others.

pub mod choices;
mod name;
mod row;
mod show;
mod store;
mod table;
mod value;

pub use choices::Choice;
pub use name::{ArrayKey, Found, Name, ScopeFlags, Which, scope_for, scope_from_flags};
pub use row::{
    Array, ColourKind, Command, Effects, Flag, Hook, KeyKind, Kind, Number, OneOf, Opt, Row, Scopes, StyleKind, Text,
};
pub use show::{Hooks, Listing, Shown};
pub use store::{How, MAX_ELEMENTS, MAX_USER_OPTIONS, Options, Scope};
pub use table::{ROWS, opt};
pub use value::{Checks, MAX_TEXT, PlainChecks, StyleValue, Value};

use std::fmt;

/// Why an option cannot be named, read or set. Shown in tmux's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptError {
    Invalid(String),
    Ambiguous(String),
    NotArray(String),
    AlreadySet(String),
    ArrayKey(String),
    /// A value was needed.
    Empty,
    /// `too small`, `too large` or `invalid`, and the text.
    Number(&'static str, String),
    Choice(String),
    Flag(String),
    Key(String),
    Colour(String),
    ColourText(String),
    Style(String),
    Shell(String),
    /// The parser's message.
    Commands(String),
    /// More than [`MAX_TEXT`] bytes, or more than fit into an array.
    TooLong,
    /// The option has no value in such a scope.
    Scope(String),
    /// No session, window or pane to set the option for; the whole message.
    Target(String),
}

impl fmt::Display for OptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptError::Invalid(s) => write!(f, "invalid option: {s}"),
            OptError::Ambiguous(s) => write!(f, "ambiguous option: {s}"),
            OptError::NotArray(s) => write!(f, "not an array: {s}"),
            OptError::AlreadySet(s) => write!(f, "already set: {s}"),
            OptError::ArrayKey(s) => write!(f, "bad array key: {s}"),
            OptError::Empty => f.write_str("empty value"),
            OptError::Number(why, s) => write!(f, "value is {why}: {s}"),
            OptError::Choice(s) => write!(f, "unknown value: {s}"),
            OptError::Flag(s) => write!(f, "bad value: {s}"),
            OptError::Key(s) => write!(f, "bad key: {s}"),
            OptError::Colour(s) => write!(f, "bad colour: {s}"),
            OptError::ColourText(s) => write!(f, "invalid colour: {s}"),
            OptError::Style(s) => write!(f, "invalid style: {s}"),
            OptError::Shell(s) => write!(f, "not a suitable shell: {s}"),
            OptError::Commands(s) | OptError::Target(s) => f.write_str(s),
            OptError::TooLong => f.write_str("value is too long"),
            OptError::Scope(s) => write!(f, "not an option of this scope: {s}"),
        }
    }
}

impl std::error::Error for OptError {}

#[cfg(test)]
mod tests;
