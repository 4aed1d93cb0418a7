//! Queues of commands: one per client and one for nobody (configuration, hooks). A command that waits parks its queue
//! with a token; what it waits for wakes it by the same token.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crate::base::{ClientId, ConnId, FlowId, JobId, PaneId};
use crate::keys::{Key, Mouse};
use crate::lang::{Call, CommandList};
use crate::model::find::{Found, MouseTarget};

/// How many commands may wait in one queue.
pub const MAX_QUEUED: usize = 100_000;

/// Where output and errors of a command go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ReplyTo {
    /// To the client: a command client's standard output, a view on an attached one's pane.
    #[default]
    Client,
    /// Collected for a control request.
    Control { conn: ConnId, ticket: u64 },
    /// Configuration: errors are kept with their place and shown when somebody attaches.
    Config,
    /// Into a job's or nobody's ears: errors become messages.
    Nobody,
}

/// Who asked for a command, and what was current when they did. Shared by the commands of one list.
#[derive(Clone, Debug, Default)]
pub struct Asker {
    pub client: Option<ClientId>,
    pub reply: ReplyTo,
    pub current: Option<Found>,
    pub mouse: Option<(Mouse, MouseTarget)>,
    pub key: Option<Key>,
    /// Extra format variables (`hook_session`, `mouse_x` ...).
    pub vars: Vec<(String, String)>,
    /// Commands run by a hook run no hooks.
    pub no_hooks: bool,
    /// Typed into a control client: replies stand between guards flagged so.
    pub guarded: bool,
    /// Name of the file it stands in, for `#{current_file}`.
    pub file: Option<Arc<str>>,
}

/// A command in a queue.
#[derive(Clone, Debug)]
pub struct Item {
    pub call: Call,
    pub asker: Arc<Asker>,
    /// Commands of one group stand or fall together; unique in the server.
    pub group: u64,
    /// Number of the guards around its output, once it has begun (control clients).
    pub guard: Option<u64>,
}

/// What a parked queue waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    Spawn(PaneId),
    Job(JobId),
    /// `wait-for`, lock and unlock: a number of its own.
    Channel(u64),
    /// A prompt or a confirmation.
    Prompt(u32),
    /// A command client's standard input.
    Stdin(ClientId),
    Flow(FlowId),
    /// The end of a pane's program.
    PaneExit(PaneId),
    /// A time (`run-shell -d`).
    Timer(u64),
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wake {
    Done,
    Failed(String),
    /// A job's end: its output so far and its status (128 + signal as shells say it).
    Job {
        output: Vec<u8>,
        status: i32,
    },
    Bytes(Vec<u8>),
    Text(Option<String>),
}

/// A command that waits, to be gone on with by its row's `resume`.
#[derive(Debug)]
pub struct Parked {
    pub item: Item,
    pub token: Token,
    pub woken: Option<Wake>,
    /// Where the commands run that it inserts; kept by `resume`.
    pub found: Option<Found>,
    pub source: Option<Found>,
}

#[derive(Debug, Default)]
pub struct Queue {
    pub items: VecDeque<Item>,
    pub parked: Option<Parked>,
    /// The first command reads a pane whose program was just given something to do.
    pub held: Option<PaneId>,
}

/// All queues.
#[derive(Debug, Default)]
pub struct Queues {
    pub queues: BTreeMap<Option<ClientId>, Queue>,
    groups: u64,
}

impl Queues {
    pub fn fresh_group(&mut self) -> u64 {
        self.groups += 1;
        self.groups
    }

    fn items_of(&mut self, list: &CommandList, asker: &Arc<Asker>) -> Vec<Item> {
        let mut items = Vec::new();
        for group in &list.groups {
            let g = self.fresh_group();
            items.extend(group.calls.iter().map(|call| Item {
                call: call.clone(),
                asker: asker.clone(),
                group: g,
                guard: None,
            }));
        }
        items
    }

    /// Puts commands at the end of a queue. Returns false, and does nothing, over the limit.
    pub fn append(&mut self, owner: Option<ClientId>, list: &CommandList, asker: Asker) -> bool {
        let asker = Arc::new(asker);
        let items = self.items_of(list, &asker);
        let q = self.queues.entry(owner).or_default();
        if q.items.len() + items.len() > MAX_QUEUED {
            return false;
        }
        q.items.extend(items);
        true
    }

    /// Puts commands before all others of a queue: they run right after the one that runs now.
    pub fn insert(&mut self, owner: Option<ClientId>, list: &CommandList, asker: Asker) -> bool {
        let asker = Arc::new(asker);
        let items = self.items_of(list, &asker);
        let q = self.queues.entry(owner).or_default();
        if q.items.len() + items.len() > MAX_QUEUED {
            return false;
        }
        for item in items.into_iter().rev() {
            q.items.push_front(item);
        }
        true
    }

    /// Drops what is left of a group after one of its commands failed.
    pub fn drop_group(&mut self, owner: Option<ClientId>, group: u64) {
        if let Some(q) = self.queues.get_mut(&owner) {
            q.items.retain(|i| i.group != group);
        }
    }

    /// Wakes the queue that waits for a token; false if none does.
    pub fn wake(&mut self, token: Token, wake: Wake) -> bool {
        let mut woke = false;
        for q in self.queues.values_mut() {
            if let Some(p) = &mut q.parked
                && p.token == token
                && p.woken.is_none()
            {
                p.woken = Some(wake.clone());
                woke = true;
            }
        }
        woke
    }

    pub fn waits_for(&self, token: Token) -> bool {
        self.queues.values().any(|q| q.parked.as_ref().is_some_and(|p| p.token == token && p.woken.is_none()))
    }

    /// Whether a command of this queue waits for its program to start.
    pub fn awaits_spawn(&self, owner: Option<ClientId>) -> bool {
        let parked = self.queues.get(&owner).and_then(|q| q.parked.as_ref());
        parked.is_some_and(|p| matches!(p.token, Token::Spawn(_)) && p.woken.is_none())
    }

    /// A client is gone: so is its queue. Returns what it waited for.
    pub fn forget(&mut self, client: ClientId) -> Option<Token> {
        self.queues.remove(&Some(client)).and_then(|q| q.parked).map(|p| p.token)
    }

    /// Whether a queue has nothing to do and waits for nothing.
    pub fn is_idle(&self, owner: Option<ClientId>) -> bool {
        self.queues.get(&owner).is_none_or(|q| q.items.is_empty() && q.parked.is_none())
    }
}
