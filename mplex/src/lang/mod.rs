//! The command language: tmux 3.8's, whole. Text or an argument vector goes in, a [`CommandList`] comes out, and
//! [`CommandList::print`] writes it back so that it reads as the same list.
//!
//! The room knows the grammar and how flags are split from operands ([`ArgSpec`], [`Args`]). It must not know which
//! commands exist, what they do, or any state: variables, home directories, conditions and aliases are asked of a
//! [`ParseEnv`], and assignments are returned, not applied.
//!
//! The main path: `lex` turns characters into tokens, `parse` turns tokens into raw commands and then, with aliases
//! expanded, into a [`CommandList`].

mod args;
mod lex;
mod parse;
mod print;
mod template;

pub use args::{ArgError, ArgSpec, Args, Flag, Operands, Value, parse_number, parse_size};
pub use parse::{Grouping, parse_args, parse_text};
pub use print::escape;
pub use template::substitute;

use std::fmt;
use std::sync::Arc;

/// The longest text that is parsed at once, in bytes.
pub const MAX_SOURCE: usize = 16 << 20;
/// How deep braces and conditions may nest together.
pub const MAX_DEPTH: usize = 100;
/// How many commands one text may hold, aliases expanded, nested ones included.
pub const MAX_COMMANDS: usize = 100_000;
/// How many bytes all words of one text may have together once variables and aliases are expanded.
pub const MAX_EXPANDED: usize = 64 << 20;
/// The longest assignment, `NAME=` included, in bytes.
pub const MAX_ASSIGNMENT: usize = 16384;
/// How many assignments one text may hold.
pub const MAX_ASSIGNMENTS: usize = 10_000;
/// The longest name after `$` or `~`, in bytes.
pub const MAX_NAME: usize = 1022;

/// Where a command was written. Text that is in no file has no file and usually line 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub file: Option<Arc<str>>,
    /// Counted from 1. A command over several lines has the number of its last line.
    pub line: u32,
}

impl Place {
    /// The first line of a file.
    pub fn file(name: &str) -> Place {
        Place { file: Some(name.into()), line: 1 }
    }
}

/// An argument of a command: a word, or the commands between braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    Text(String),
    Commands(CommandList),
}

impl Arg {
    /// The word, or the commands printed.
    pub fn to_text(&self) -> String {
        match self {
            Arg::Text(text) => text.clone(),
            Arg::Commands(list) => list.print(),
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Arg::Text(text) => Some(text),
            Arg::Commands(_) => None,
        }
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Arg {
        Arg::Text(text.to_owned())
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Arg {
        Arg::Text(text)
    }
}

/// One command as it was written: nothing about it is checked except the grammar.
#[derive(Clone, Debug)]
pub struct Call {
    pub name: String,
    /// Flags and operands, without the name.
    pub args: Vec<Arg>,
    pub at: Place,
}

/// Two calls are equal when they say the same; where they were written does not count.
impl PartialEq for Call {
    fn eq(&self, other: &Call) -> bool {
        self.name == other.name && self.args == other.args
    }
}

impl Eq for Call {}

/// The commands of one line. When one of them fails, the rest of its group is not run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    pub calls: Vec<Call>,
}

/// Parsed commands in the order in which they run. No group is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandList {
    pub groups: Vec<Group>,
}

impl CommandList {
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// All commands, groups after each other.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.groups.iter().flat_map(|group| &group.calls)
    }

    /// The list with `%1`..`%9` and `%%` in every argument replaced by `values`; see [`substitute`].
    pub fn substituted(&self, values: &[&str]) -> CommandList {
        let arg = |arg: &Arg| match arg {
            Arg::Text(text) => Arg::Text(substitute(text, values)),
            Arg::Commands(list) => Arg::Commands(list.substituted(values)),
        };
        let call = |call: &Call| Call {
            name: call.name.clone(),
            args: call.args.iter().map(arg).collect(),
            at: call.at.clone(),
        };
        let group = |group: &Group| Group { calls: group.calls.iter().map(call).collect() };
        CommandList { groups: self.groups.iter().map(group).collect() }
    }
}

/// `NAME=value`, or `%hidden NAME=value`, met while parsing. The caller puts it into the global environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    pub name: String,
    pub value: String,
    /// Kept from the environment of programs.
    pub hidden: bool,
}

/// What a text says: its assignments in order (those in branches not taken left out) and its commands. Assignments
/// take effect while a text is parsed, so all of them come before the first command runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    pub sets: Vec<Assignment>,
    pub commands: CommandList,
}

/// What parsing needs to know of the world.
pub trait ParseEnv {
    /// A variable of the global environment. Assignments of the same text come first and are not asked here.
    fn var(&self, name: &str) -> Option<String>;
    /// The home directory of `user`, or of the user who runs the server. Variable `HOME` comes first for the latter and
    /// is not asked here.
    fn home(&self, user: Option<&str>) -> Option<String>;
    /// Whether a format expands to something true. `sets` are the assignments met so far, newest last.
    fn condition(&self, format: &str, sets: &[Assignment]) -> bool;
    /// What stands for a word in option `command-alias`.
    fn alias(&self, name: &str) -> Option<String>;
}

/// A world with nothing in it: no variables, no homes, no aliases; a condition is true as a plain format is, when it
/// is neither empty nor `0`.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEnv;

impl ParseEnv for NoEnv {
    fn var(&self, _name: &str) -> Option<String> {
        None
    }

    fn home(&self, _user: Option<&str>) -> Option<String> {
        None
    }

    fn condition(&self, format: &str, _sets: &[Assignment]) -> bool {
        !format.is_empty() && format != "0"
    }

    fn alias(&self, _name: &str) -> Option<String> {
        None
    }
}

/// Why a text is not in the language. Shown as `file:line: message`, or the message alone when there is no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub at: Place,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.at.file {
            write!(f, "{file}:{}: ", self.at.line)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}

#[cfg(test)]
mod tests;
