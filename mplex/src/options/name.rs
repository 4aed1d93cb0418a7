//! Finding the option that a user means: the name, the key within an array, and the scope.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use crate::base::{PaneId, SessionId, WindowId};

use super::OptError;
use super::row::{Row, Scopes};
use super::store::Scope;
use super::table::ROWS;

/// The key of an array's element. Numbers come first, then names in the order of their bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArrayKey {
    Number(u32),
    Name(String),
}

impl ArrayKey {
    /// `None` if the text is empty or a number beyond 32 bits. Leading zeros do not count.
    pub fn parse(text: &str) -> Option<ArrayKey> {
        if text.is_empty() {
            return None;
        }
        if text.bytes().all(|b| b.is_ascii_digit()) {
            return text.parse().ok().map(ArrayKey::Number);
        }
        Some(ArrayKey::Name(text.to_owned()))
    }
}

impl fmt::Display for ArrayKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArrayKey::Number(n) => n.fmt(f),
            ArrayKey::Name(name) => name.fmt(f),
        }
    }
}

/// An option that exists in the table, or one of the user's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// The place in [`ROWS`].
    Row(u16),
    /// With its `@`.
    User(String),
}

/// What a user wrote to name an option, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub which: Which,
    pub key: Option<ArrayKey>,
    /// As it was written, for messages.
    pub written: String,
}

/// Names and other spellings, in the order of their bytes.
static BY_NAME: LazyLock<BTreeMap<&'static str, u16>> = LazyLock::new(|| {
    let mut names = BTreeMap::new();
    for (at, row) in ROWS.iter().enumerate() {
        names.insert(row.name, at as u16);
        for other in row.other {
            names.insert(other, at as u16);
        }
    }
    names
});

/// The place of the row with exactly this name (or one of its other spellings).
pub(super) fn exact(name: &str) -> Option<u16> {
    BY_NAME.get(name).copied()
}

impl Name {
    /// Understands `name`, `name[key]`, `@name`, and any beginning of a name that only one option has.
    pub fn resolve(written: &str) -> Result<Name, OptError> {
        let invalid = || OptError::Invalid(written.to_owned());
        let (name, key) = split(written).ok_or_else(invalid)?;
        let written = written.to_owned();
        if name.starts_with('@') {
            return Ok(Name { which: Which::User(name.to_owned()), key, written });
        }
        if let Some(at) = exact(name) {
            return Ok(Name { which: Which::Row(at), key, written });
        }
        // Other spellings count in full only.
        let mut found = BY_NAME
            .range(name..)
            .take_while(|(n, _)| n.starts_with(name))
            .filter(|(n, at)| ROWS[**at as usize].name == **n);
        match (found.next(), found.next()) {
            (None, _) => Err(invalid()),
            (Some((_, at)), None) => Ok(Name { which: Which::Row(*at), key, written }),
            (Some(_), Some(_)) => Err(OptError::Ambiguous(written)),
        }
    }

    /// As [`Name::resolve`], but the name has to be whole: how formats look options up.
    pub fn exact(written: &str) -> Option<Name> {
        let (name, key) = split(written)?;
        let which = match name.starts_with('@') {
            true => Which::User(name.to_owned()),
            false => Which::Row(exact(name)?),
        };
        Some(Name { which, key, written: written.to_owned() })
    }

    /// The row, unless the option is the user's own.
    pub fn row(&self) -> Option<&'static Row> {
        match self.which {
            Which::Row(at) => ROWS.get(at as usize),
            Which::User(_) => None,
        }
    }

    /// The whole name without a key.
    pub fn name(&self) -> &str {
        match &self.which {
            Which::Row(at) => ROWS[*at as usize].name,
            Which::User(name) => name,
        }
    }
}

/// Splits `name[key]`.
fn split(written: &str) -> Option<(&str, Option<ArrayKey>)> {
    if written.is_empty() {
        return None;
    }
    let Some((name, rest)) = written.split_once('[') else { return Some((written, None)) };
    let key = rest.strip_suffix(']').filter(|key| !key.contains(']'))?;
    Some((name, Some(ArrayKey::parse(key)?)))
}

/// The flags that choose a scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScopeFlags {
    /// `-g`
    pub global: bool,
    /// `-s`
    pub server: bool,
    /// `-w`, or the command is one of the window commands.
    pub window: bool,
    /// `-p`
    pub pane: bool,
}

/// What a command's target was resolved to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found<'a> {
    pub session: Option<SessionId>,
    pub window: Option<WindowId>,
    pub pane: Option<PaneId>,
    /// The value of `-t`, for messages.
    pub target: Option<&'a str>,
}

impl Found<'_> {
    fn missing(&self, what: &str) -> OptError {
        OptError::Target(match self.target {
            Some(target) => format!("no such {what}: {target}"),
            None => format!("no current {what}"),
        })
    }

    fn session(&self) -> Result<Scope, OptError> {
        self.session.map(Scope::Session).ok_or_else(|| self.missing("session"))
    }

    fn window(&self) -> Result<Scope, OptError> {
        self.window.map(Scope::Window).ok_or_else(|| self.missing("window"))
    }

    fn pane(&self) -> Result<Scope, OptError> {
        self.pane.map(Scope::Pane).ok_or_else(|| self.missing("pane"))
    }
}

/// The scope to set or show this option in: an option of the table says most of it itself, the flags the rest.
pub fn scope_for(name: &Name, flags: ScopeFlags, found: &Found<'_>) -> Result<Scope, OptError> {
    let Some(row) = name.row() else { return scope_from_flags(flags, found) };
    if row.scopes.contains(Scopes::SERVER) {
        Ok(Scope::Server)
    } else if row.scopes.contains(Scopes::SESSION) {
        if flags.global { Ok(Scope::GlobalSession) } else { found.session() }
    } else if flags.pane && row.scopes.contains(Scopes::PANE) {
        found.pane()
    } else if flags.global {
        Ok(Scope::GlobalWindow)
    } else {
        found.window()
    }
}

/// The scope that the flags say: for the user's options and for listing all.
pub fn scope_from_flags(flags: ScopeFlags, found: &Found<'_>) -> Result<Scope, OptError> {
    if flags.server {
        Ok(Scope::Server)
    } else if flags.pane {
        found.pane()
    } else if flags.window {
        if flags.global { Ok(Scope::GlobalWindow) } else { found.window() }
    } else if flags.global {
        Ok(Scope::GlobalSession)
    } else {
        found.session()
    }
}
