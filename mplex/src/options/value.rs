//! Values: read from text and checked when they are set, kept ready to use, printed back.

use std::sync::Arc;

use crate::base::Colour;
use crate::format::{StyleSpec, colour};
use crate::keys::Key;
use crate::lang::{self, CommandList};

use super::OptError;
use super::row::{Kind, Row};
use super::store::Options;

/// The longest text an option takes, in bytes.
pub const MAX_TEXT: usize = 1 << 20;

/// A value that was checked.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Flag(bool),
    Number(i64),
    /// The place in the row's list.
    Choice(u16),
    Text(Arc<str>),
    Style(Arc<StyleValue>),
    Colour(Colour),
    Key(Key),
    Commands(Arc<CommandList>),
}

/// A style as it was written, and ready to use if it needs no expansion.
#[derive(Clone, Debug, PartialEq)]
pub struct StyleValue {
    pub text: String,
    /// `None` if the text is a format: it has to be expanded and parsed for each use.
    pub parsed: Option<StyleSpec>,
}

/// What checking a value needs of rooms above this one, and of the world.
pub trait Checks {
    /// Reads a command sequence and checks that its commands exist and take these arguments. `options` has the aliases.
    fn commands(&self, text: &str, options: &Options) -> Result<CommandList, String>;
    /// Whether the path is a program that can be a shell.
    fn shell(&self, path: &str) -> bool;
}

/// The least there is to check: the grammar of commands; a shell's path is absolute.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainChecks;

impl Checks for PlainChecks {
    fn commands(&self, text: &str, options: &Options) -> Result<CommandList, String> {
        read_commands(text, &Aliases(options))
    }

    fn shell(&self, path: &str) -> bool {
        path.starts_with('/') && !path.ends_with('/')
    }
}

/// For the defaults, on which the aliases themselves rest: they are read without asking any option.
pub(super) struct GrammarChecks;

impl Checks for GrammarChecks {
    fn commands(&self, text: &str, _options: &Options) -> Result<CommandList, String> {
        read_commands(text, &lang::NoEnv)
    }

    fn shell(&self, path: &str) -> bool {
        PlainChecks.shell(path)
    }
}

fn read_commands(text: &str, env: &dyn lang::ParseEnv) -> Result<CommandList, String> {
    let at = lang::Place::default();
    lang::parse_text(text, at, lang::Grouping::ByLine, env).map(|parsed| parsed.commands).map_err(|e| e.to_string())
}

struct Aliases<'a>(&'a Options);

impl lang::ParseEnv for Aliases<'_> {
    fn var(&self, _name: &str) -> Option<String> {
        None
    }

    fn home(&self, _user: Option<&str>) -> Option<String> {
        None
    }

    fn condition(&self, format: &str, sets: &[lang::Assignment]) -> bool {
        lang::NoEnv.condition(format, sets)
    }

    fn alias(&self, name: &str) -> Option<String> {
        self.0.command_alias(name).map(str::to_owned)
    }
}

impl Value {
    /// Reads a value for this row. `old` is the effective value, for flags and choices that are set without a text.
    pub(super) fn read(
        row: &Row,
        text: Option<&str>,
        old: &Value,
        options: &Options,
        checks: &dyn Checks,
    ) -> Result<Value, OptError> {
        match (row.kind, text) {
            (Kind::Flag, None | Some("")) => Ok(Value::Flag(*old != Value::Flag(true))),
            (Kind::Flag, Some(text)) => read_flag(text).map(Value::Flag),
            (Kind::Choice(_), None) => Ok(Value::Choice(match old {
                Value::Choice(0) => 1,
                Value::Choice(1) => 0,
                Value::Choice(n) => *n,
                _ => 0,
            })),
            (_, None) => Err(OptError::Empty),
            (_, Some(text)) => Value::read_text(row, text, options, checks),
        }
    }

    /// Reads a value for this row, or an element of it.
    pub(super) fn read_text(row: &Row, text: &str, options: &Options, checks: &dyn Checks) -> Result<Value, OptError> {
        if text.len() > MAX_TEXT {
            return Err(OptError::TooLong);
        }
        match row.kind {
            Kind::Flag => read_flag(text).map(Value::Flag),
            Kind::Number { min, max, .. } => match lang::parse_number(text, min..=max) {
                Ok(n) => Ok(Value::Number(n)),
                Err(why) => Err(OptError::Number(why, text.to_owned())),
            },
            Kind::Choice(names) => match names.iter().position(|name| *name == text) {
                Some(at) => Ok(Value::Choice(at as u16)),
                None => Err(OptError::Choice(text.to_owned())),
            },
            Kind::Text | Kind::Format => Ok(Value::Text(text.into())),
            Kind::Size if !is_size(text) => Err(OptError::Number("invalid", text.to_owned())),
            Kind::Shell if !checks.shell(text) => Err(OptError::Shell(text.to_owned())),
            Kind::Size | Kind::Shell => Ok(Value::Text(text.into())),
            Kind::ColourText => {
                if text.is_empty() || text.contains("#{") || colour::parse(text).is_some() {
                    Ok(Value::Text(text.into()))
                } else {
                    Err(OptError::ColourText(text.to_owned()))
                }
            }
            Kind::Style => {
                let parsed = if text.contains("#{") {
                    None
                } else {
                    Some(StyleSpec::parse(text).map_err(|_| OptError::Style(text.to_owned()))?)
                };
                Ok(Value::Style(Arc::new(StyleValue { text: text.to_owned(), parsed })))
            }
            Kind::Colour => match colour::parse(text) {
                Some(value) => Ok(Value::Colour(value)),
                None => Err(OptError::Colour(text.to_owned())),
            },
            Kind::Key => match Key::parse(text) {
                Some(key) => Ok(Value::Key(key)),
                None => Err(OptError::Key(text.to_owned())),
            },
            Kind::Command => match checks.commands(text, options) {
                Ok(list) => Ok(Value::Commands(Arc::new(list))),
                Err(why) => Err(OptError::Commands(why)),
            },
        }
    }

    /// The text of a text or a style, for appending.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            Value::Style(style) => Some(&style.text),
            _ => None,
        }
    }

    /// The value as a user would write it. `numeric` writes flags as `1` and `0`, as formats want them.
    pub fn print(&self, row: &Row, numeric: bool) -> String {
        match self {
            Value::Flag(on) => match (on, numeric) {
                (true, false) => "on",
                (false, false) => "off",
                (true, true) => "1",
                (false, true) => "0",
            }
            .to_owned(),
            Value::Number(n) => n.to_string(),
            Value::Choice(n) => match row.kind {
                Kind::Choice(names) => names.get(*n as usize).copied().unwrap_or_default().to_owned(),
                _ => String::new(),
            },
            Value::Text(text) => text.to_string(),
            Value::Style(style) => style.text.clone(),
            Value::Colour(value) => colour::name(*value),
            Value::Key(key) => key.to_string(),
            Value::Commands(list) => list.print(),
        }
    }
}

fn read_flag(text: &str) -> Result<bool, OptError> {
    let is = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(text));
    if is(&["1", "on", "yes"]) {
        Ok(true)
    } else if is(&["0", "off", "no"]) {
        Ok(false)
    } else {
        Err(OptError::Flag(text.to_owned()))
    }
}

/// A digit, and somewhere an `x` with a digit after it; what else stands there is left to the reader of the size.
fn is_size(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_digit)
        && bytes.windows(2).skip(1).any(|pair| pair[0] == b'x' && pair[1].is_ascii_digit())
}
