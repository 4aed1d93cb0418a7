//! What goes on beside the queues: timers, channels, open prompts and shell commands in the background.
//!
//! A queue that waits is woken by its token. What nobody waits for is kept here with what is to be done when its time
//! comes. It must not know how a shell command is run: that is an effect.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::jobs::JobUse;
use super::queue::{Asker, Token, Wake};
use super::spec;
use super::state::{Later, State};
use crate::base::{ClientId, JobId, Now, Span};
use crate::event::{Effect, JobSpec};
use crate::lang::{Arg, Call, CommandList, Place};
pub use crate::layer::prompt::Asking;
use crate::options::{Name, Options, Scope as OptScope, Scopes, opt};

/// How many timers may run at once.
pub const MAX_TIMERS: usize = 10_000;

/// What is done when the time of a timer comes for which no queue waits.
#[derive(Clone, Debug)]
pub enum Task {
    /// A shell command starts.
    Job { command: String, spec: Box<JobSpec>, used_for: Box<JobUse> },
    /// Commands run in a client's queue, or in nobody's.
    Commands { owner: Option<ClientId>, list: CommandList, asker: Box<Asker> },
}

/// A prompt of a command that is open, or several after each other.
#[derive(Clone, Debug)]
pub struct Asked {
    pub client: ClientId,
    /// Where the commands run: in this queue, as if this asker had asked.
    pub owner: Option<ClientId>,
    pub asker: Asker,
    /// The command that asked waits for the end.
    pub waits: bool,
    /// Prompts and the texts they start with; the first is the one that is open.
    pub ahead: VecDeque<(String, String)>,
    pub answers: Vec<String>,
    pub how: Asking,
    pub what: Then,
}

/// What an answer is for.
#[derive(Clone, Debug)]
pub enum Then {
    /// Commands with `%1` and so on to be replaced.
    List(CommandList),
    /// The same as a text, with the place it stands at.
    Text(String, Place),
    /// Commands that run when this key was pressed, or Enter if that means yes.
    Confirm { list: CommandList, key: char, enter: bool },
}

/// What goes on.
#[derive(Debug, Default)]
pub struct Background {
    /// By the number of the timer.
    pub tasks: BTreeMap<u64, Task>,
    /// The shell command that a queue waits for, for the words about its end; by the owner of the queue.
    pub waited: BTreeMap<Option<ClientId>, String>,
}

/// What the commands of a hook see of the command it runs after: its flags and operands.
pub fn hook_vars(name: &str, call: &Call) -> Vec<(String, String)> {
    let mut vars = vec![("hook".to_owned(), name.to_owned())];
    let Ok((spec, args)) = spec::bind(call) else { return vars };
    let words: Vec<String> = args.canonical().iter().map(Arg::print).collect();
    vars.push(("hook_arguments".to_owned(), words.join(" ")));
    for (n, word) in args.texts().into_iter().enumerate() {
        vars.push((format!("hook_argument_{n}"), word));
    }
    for flag in spec.args.flags.iter().map(|f| f.letter).filter(|f| args.has(*f)) {
        vars.push((format!("hook_flag_{flag}"), args.get(flag).unwrap_or("1").to_owned()));
        for (n, value) in args.values(flag).enumerate() {
            vars.push((format!("hook_flag_{flag}_{n}"), value.to_owned()));
        }
    }
    vars
}

impl State {
    /// Starts a timer. Without a task it wakes the queue that waits for its token. `None` when there are too many.
    pub fn start_timer(&mut self, after: Span, now: Now, task: Option<Task>) -> Option<u64> {
        if self.timers.len() >= MAX_TIMERS {
            return None;
        }
        let number = self.fresh_number();
        self.timers.push(Later { at: now.mono + after, number });
        if let Some(task) = task {
            self.background.tasks.insert(number, task);
        }
        Some(number)
    }

    /// Does what is due.
    pub fn run_timers(&mut self, now: Now) {
        let mut due: Vec<Later> = self.timers.iter().filter(|t| t.at <= now.mono).cloned().collect();
        if due.is_empty() {
            return;
        }
        self.timers.retain(|t| t.at > now.mono);
        due.sort_by_key(|t| (t.at, t.number));
        for t in due {
            match self.background.tasks.remove(&t.number) {
                Some(Task::Job { command, spec, used_for }) => {
                    self.start_job(command, *spec, *used_for);
                }
                Some(Task::Commands { owner, list, asker }) => {
                    let owner = owner.filter(|c| self.model.client(*c).is_some());
                    if !self.queues.append(owner, &list, *asker) {
                        self.log(now.wall, "too many commands are waiting");
                    }
                }
                None => {
                    self.queues.wake(Token::Timer(t.number), Wake::Done);
                }
            }
        }
    }

    /// Starts a shell command in the background.
    pub fn start_job(&mut self, command: String, spec: JobSpec, used_for: JobUse) -> JobId {
        let job = self.model.fresh_job();
        self.jobs.insert(job, command, used_for);
        self.model.outbox.effect(Effect::JobStart { job, spec });
        job
    }

    /// The commands of a hook that runs now, seen from a place: those of the session, or for hooks of windows and panes
    /// those of the pane. It is counted even if there are none.
    pub fn hook_runs(&mut self, name: &str, at: &crate::vars::Scope, now: Now) -> Vec<Arc<CommandList>> {
        let Some(hook) = Options::hook_named(name) else { return Vec::new() };
        let of_session = hook.row().scopes.contains(Scopes::SESSION);
        let scope = if of_session { at.session_options() } else { at.pane_options() };
        if let Some(name) = Name::exact(name) {
            self.options.hook_fired(&name.which, scope, now.wall);
        }
        self.options.hook(hook, scope).map(|(_, list)| list.clone()).collect()
    }

    /// Who waited for a channel or its lock is gone. A lock that it held stays held.
    pub fn forget_channel_waiter(&mut self, number: u64) {
        for channel in self.channels.values_mut() {
            channel.waiting.retain(|n| *n != number);
            channel.lockers.retain(|n| *n != number);
        }
        self.channels.retain(|_, c| c.locked || c.woken || !c.waiting.is_empty() || !c.lockers.is_empty());
    }

    /// How long an Escape of a client's terminal may still be the beginning of a key.
    pub fn escape_time(&self) -> Span {
        Span::from_millis(self.options.number(opt::ESCAPE_TIME, OptScope::Server).max(0) as u64)
    }
}
