//! What a command is called with, and what it may answer.

use super::queue::{Asker, Item, ReplyTo, Token};
use super::spec::Spec;
use super::state::State;
use crate::base::{ClientId, Now};
use crate::event::{Effect, Outside, Stream};
use crate::lang::{Call, CommandList};
use crate::model::find::Found;
use crate::vars::{Scope, World};

/// Kinds of errors, stable for programs (see the control protocol's codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    Usage,
    NoTarget,
    BadValue,
    State,
    Denied,
    Internal,
    /// Part of the language that is not built.
    NotBuilt,
}

/// Why a command failed: the text is what a person reads, in tmux's words where it has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CmdError {
    pub kind: ErrorKind,
    pub text: String,
    pub hint: Option<String>,
    /// Nothing is said, only the exit status tells (`has-session` of scripts, `if-shell`'s own).
    pub silent: bool,
}

impl CmdError {
    pub fn new(kind: ErrorKind, text: impl Into<String>) -> CmdError {
        CmdError { kind, text: text.into(), hint: None, silent: false }
    }

    pub fn state(text: impl Into<String>) -> CmdError {
        CmdError::new(ErrorKind::State, text)
    }

    pub fn value(text: impl Into<String>) -> CmdError {
        CmdError::new(ErrorKind::BadValue, text)
    }

    pub fn no_target(text: impl Into<String>) -> CmdError {
        CmdError::new(ErrorKind::NoTarget, text)
    }

    pub fn usage(text: impl Into<String>) -> CmdError {
        CmdError::new(ErrorKind::Usage, text)
    }

    pub fn not_built(command: &str, what: &str) -> CmdError {
        CmdError::new(ErrorKind::NotBuilt, format!("command {command}: {what} is not built yet"))
    }
}

impl From<String> for CmdError {
    fn from(text: String) -> CmdError {
        CmdError::state(text)
    }
}

impl From<&str> for CmdError {
    fn from(text: &str) -> CmdError {
        CmdError::state(text)
    }
}

/// A command is done, or waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    Ok,
    /// Stops the queue until the token is woken; then the row's `resume` is called.
    Wait(Token),
    /// Like an error without words: the rest of the group is dropped.
    Stop,
}

/// What `exec` returns.
pub type Result<T = Done> = std::result::Result<T, CmdError>;

/// The surroundings of a command that runs.
pub struct Cx<'a> {
    pub s: &'a mut State,
    pub out: &'a mut dyn Outside,
    pub now: Now,
    pub spec: &'static Spec,
    pub asker: &'a Asker,
    pub call: &'a Call,
    pub owner: Option<ClientId>,
    /// The resolved `-t`; for rows without a target what is current, if anything is.
    pub target: Option<Found>,
    /// The resolved `-s`.
    pub source: Option<Found>,
    /// The resolved client target (`-c`, or `-t` of client commands), else the asking client.
    pub client: Option<ClientId>,
}

impl Cx<'_> {
    /// The target; an error for a command that needs one and has none.
    pub fn target(&self) -> Result<Found> {
        self.target.ok_or_else(|| CmdError::no_target("no current target"))
    }

    pub fn source(&self) -> Result<Found> {
        self.source.ok_or_else(|| CmdError::no_target("no current target"))
    }

    /// The client that the command is about.
    pub fn client(&self) -> Result<ClientId> {
        self.client.ok_or_else(|| CmdError::no_target("no current client"))
    }

    /// One line of output.
    pub fn print(&mut self, line: impl AsRef<str>) {
        let mut text = line.as_ref().to_owned();
        text.push('\n');
        self.print_bytes(crate::base::raw::bytes(&text));
    }

    /// Output as it is.
    pub fn print_bytes(&mut self, bytes: Vec<u8>) {
        super::dispatch::say(self.s, self.asker, Stream::Out, bytes, self.now);
    }

    pub fn effect(&mut self, effect: Effect) {
        self.s.model.outbox.effect(effect);
    }

    /// Whether what this command prints goes to standard output of a command client.
    pub fn prints_to_stdout(&self) -> bool {
        self.asker.reply == ReplyTo::Client
            && self.asker.client.and_then(|c| self.s.model.client(c)).is_some_and(|c| c.session.is_none())
    }

    /// What formats see: the target, or what is current, and the client.
    pub fn scope(&self) -> Scope {
        let mut scope = Scope::of(self.client.or(self.asker.client), self.target.or(self.asker.current));
        scope.extra = self.asker.vars.clone();
        scope
    }

    /// Expands a format in the scope of the target.
    pub fn expand(&mut self, template: &str) -> String {
        let scope = self.scope();
        self.expand_in(template, &scope)
    }

    /// Expands a format in another scope.
    pub fn expand_in(&mut self, template: &str, scope: &Scope) -> String {
        self.world().expand(template, scope)
    }

    /// As [`Cx::expand`], and with the time's conversions (`%H:%M`) first.
    pub fn expand_time(&mut self, template: &str) -> String {
        let scope = self.scope();
        self.world().expand_time(template, &scope)
    }

    pub fn world(&mut self) -> World<'_> {
        World::new(&self.s.model, &self.s.options, &self.s.layers, &self.s.format_jobs, self.out, self.now)
    }

    /// Runs commands right after this one.
    pub fn insert(&mut self, list: &CommandList) -> Result<()> {
        let asker = Asker { current: self.target.or(self.asker.current), ..self.asker.clone() };
        self.insert_as(list, asker)
    }

    pub fn insert_as(&mut self, list: &CommandList, asker: Asker) -> Result<()> {
        if self.s.queues.insert(self.owner, list, asker) {
            Ok(())
        } else {
            Err(CmdError::state("too many commands are waiting"))
        }
    }

    /// Parses text as commands; the error names the place.
    pub fn parse(&mut self, text: &str) -> Result<CommandList> {
        let at = self.call.at.clone();
        super::dispatch::parse_text(self.s, self.out, self.now, text, at, crate::lang::Grouping::Whole)
            .map_err(CmdError::usage)
    }

    /// An argument that is either commands in braces or a text to parse.
    pub fn commands_at(&mut self, args: &crate::lang::Args, index: usize) -> Result<Option<CommandList>> {
        if let Some(list) = args.commands(index) {
            return Ok(Some(list.clone()));
        }
        match args.positional(index) {
            Some(text) => {
                let text = text.to_owned();
                self.parse(&text).map(Some)
            }
            None => Ok(None),
        }
    }
}

/// The item's asker with another current target.
pub fn asker_at(item: &Item, current: Option<Found>) -> Asker {
    Asker { current, ..(*item.asker).clone() }
}
