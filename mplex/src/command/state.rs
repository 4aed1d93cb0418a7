//! What commands work on: the model, the options, the layers, the queues and what runs in the background.

use std::collections::{BTreeMap, VecDeque};

use super::jobs::Jobs;
use super::queue::Queues;
use crate::base::{ClientId, PaneId, Time, Wall};
use crate::layer::Layers;
use crate::model::Model;
use crate::options::{Options, Scope as OptScope, opt};
use crate::vars::FormatJobs;

/// How many messages `show-messages` keeps at the most; the option `message-limit` may say less.
pub const MAX_MESSAGES: usize = 1000;

/// A line of the server's message log.
#[derive(Clone, Debug)]
pub struct Logged {
    pub at: Wall,
    pub text: String,
}

/// A channel of `wait-for`.
#[derive(Clone, Debug, Default)]
pub struct Channel {
    /// Numbers of those who wait for it to be signalled.
    pub waiting: Vec<u64>,
    /// Signalled before anybody waited.
    pub woken: bool,
    pub locked: bool,
    /// Numbers of those who wait for the lock, first come first served.
    pub lockers: VecDeque<u64>,
}

/// A list of commands to run at a time (`run-shell -d -C`).
#[derive(Clone, Debug)]
pub struct Later {
    pub at: Time,
    pub number: u64,
}

/// Everything a command can reach. Fields are disjoint on purpose: borrow the one you need.
#[derive(Debug, Default)]
pub struct State {
    pub model: Model,
    pub options: Options,
    pub layers: Layers,
    pub queues: Queues,
    pub jobs: Jobs,
    pub background: super::background::Background,
    pub format_jobs: std::cell::RefCell<FormatJobs>,
    pub channels: BTreeMap<String, Channel>,
    pub timers: Vec<Later>,
    pub messages: VecDeque<Logged>,
    /// Errors of the configuration, to be shown to the first client that attaches.
    pub config_errors: Vec<String>,
    /// The configuration has been read.
    pub configured: bool,
    /// Who started the server: its commands wait for the configuration. Others may be asked for by it.
    pub starter: Option<ClientId>,
    /// History of prompts by their kind (`command`, `search` ...), oldest first.
    pub prompt_history: BTreeMap<String, Vec<String>>,
    /// Prompts of commands that are still open, by their token.
    pub prompts: BTreeMap<u32, super::background::Asked>,
    /// Sizes of clients and windows are to be worked out anew at the end of the step.
    pub sizes_moved: bool,
    /// Effect bits of options that were set in this step.
    pub option_effects: crate::options::Effects,
    /// Output collected for control requests: connection's ticket to lines.
    pub collected: BTreeMap<u64, Collected>,
    /// Clients that are to leave at the end of the step, and what they say.
    pub leaving: Vec<Leaving>,
    /// Panes whose next bytes come from a person's key (for `human_input`).
    pub touched: Vec<(ClientId, PaneId)>,
    /// What mouse drags are doing.
    pub drags: BTreeMap<ClientId, super::top::Drag>,
    /// Texts for the clipboards of the terminals that look at a window.
    pub clipboards: Vec<(crate::base::WindowId, String)>,
    /// Control clients and what they hear.
    pub listeners: BTreeMap<ClientId, super::listen::Listener>,
    /// Panes that are not read because control clients are behind.
    pub held: std::collections::BTreeSet<PaneId>,
    /// Clients whose terminals are to be drawn anew, whatever they are thought to show.
    pub redraw: Vec<ClientId>,
    /// Clients that give their terminals away for a while.
    pub yielding: Vec<(ClientId, Yield)>,
    /// Control clients whose input has ended: they go when their commands are done.
    pub eof_clients: std::collections::BTreeSet<ClientId>,
    /// The server is to end.
    pub exiting: bool,
    pub numbers: u64,
}

/// What a control request collected of a command's run.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    pub output: Vec<String>,
    pub error: Option<(super::ErrorKind, String)>,
    pub ended: bool,
}

/// What a client gives its terminal away for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Yield {
    /// It stops, as by C-z.
    Suspend,
    /// It runs this lock command.
    Lock(String),
}

/// A client that leaves its session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaving {
    pub client: ClientId,
    pub message: String,
    pub status: u8,
    /// Hang up the parent as well.
    pub hangup: bool,
    /// Replace the client by this command.
    pub exec: Option<String>,
}

impl State {
    /// A number used once: channels, timers, prompts.
    pub fn fresh_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// Puts a line into the message log.
    pub fn log(&mut self, at: Wall, text: impl Into<String>) {
        let limit = self.options.number(opt::MESSAGE_LIMIT, OptScope::Server).clamp(0, MAX_MESSAGES as i64) as usize;
        self.messages.push_back(Logged { at, text: text.into() });
        while self.messages.len() > limit {
            self.messages.pop_front();
        }
    }
}
