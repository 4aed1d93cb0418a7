//! One owner of all state: arrivals in, effects out. No I/O and no clock.
//!
//! [`Core::step`] takes one arrival and does everything that follows from it: keys are routed, commands run, hooks fire,
//! panes get their sizes. [`Core::turn`] comes after the arrivals of one turn of the loop: it composes what clients
//! should see and hands out the effects. The real loop, the scenario player and the simulator all run this.

pub mod arrival;
mod clients;
mod focus;
mod hooks;
pub mod limits;
mod names;
mod panes;
mod queries;
mod route;
mod sizes;
mod theme;
mod turn;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub use crate::control::Peer;
pub use crate::event::outside;
pub use crate::event::outside::{Outside, Process, with_terminal};
pub use arrival::{Arrival, ExitStatus, Hello, Signal, TtyInfo};

use crate::base::{ClientId, Colour, Now, PaneId, Rev, Time};
use crate::command::{self, Asker, ReplyTo, State};
use crate::compose::Scene;
use crate::control::Controls;
use crate::event::Effect;
use crate::keys::{Decoder, Input};
use crate::lang::{Grouping, Place};
use crate::options::{Scope as OptScope, opt};
use crate::paint::{Frame, Mouse, Painter, Pool};

/// What a server is started with.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Path of the socket, for `$MPLEX` and formats.
    pub socket: String,
    pub pid: u32,
    pub uid: u32,
    /// The server's own environment: the global one of its sessions.
    pub env: Vec<(String, String)>,
    /// Configuration files to read at the start, in order; missing ones are skipped unless named by hand.
    pub files: Vec<ConfigFile>,
    /// Path of this program, for the `tmux` shim and for messages.
    pub program: String,
    /// Directory with `tmux -> mplex`, first in the `PATH` of panes when option `tmux-shim` is on.
    pub shim_dir: Option<String>,
    pub host: String,
    /// Home directories by user name, for `~user`.
    pub homes: Vec<(String, String)>,
    /// The login shell of the user, for `default-shell`.
    pub shell: String,
}

/// A configuration file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFile {
    pub path: String,
    /// Named by `-f`: it is an error if it is missing.
    pub required: bool,
}

/// What `turn` hands out.
#[derive(Debug, Default)]
pub struct Turn {
    /// To be carried out in order.
    pub effects: Vec<Effect>,
    /// When `step` wants a [`Arrival::Tick`] at the latest.
    pub deadline: Option<Time>,
}

/// What `core` keeps of a client beside the model: its input decoder and what it shows.
struct Runtime {
    decoder: Decoder,
    painter: Painter,
    scene: Scene,
    /// The terminal has not taken all of the last frame.
    blocked: bool,
    last_frame: Time,
    /// Something moved that the client has not been shown.
    owes: bool,
    /// Revisions of model, layers and options at the last frame.
    revs: (Rev, Rev, Rev),
    /// Frames in a row without a pause.
    burst: u8,
    /// When the status is due because time passes.
    next_tick: Option<Time>,
    /// When keys of this client last arrived: output that follows is composed at once.
    typed: Option<Time>,
    /// What was typed and not looked at yet, because a program starts.
    held: VecDeque<Input>,
    /// The paste that is coming in.
    paste: Vec<u8>,
    /// What the colours of the theme were made of: the terminal's colours, what it said of them, the options.
    theme_of: Option<(u32, Option<bool>, Option<Colour>, Rev)>,
    mouse: route::MouseState,
    mouse_mode: Mouse,
}

impl Runtime {
    fn new(decoder: Decoder, painter: Painter) -> Runtime {
        Runtime {
            decoder,
            painter,
            scene: Scene::new(),
            blocked: false,
            last_frame: Time(0),
            owes: true,
            revs: (Rev::ZERO, Rev::ZERO, Rev::ZERO),
            burst: 0,
            next_tick: None,
            typed: None,
            held: VecDeque::new(),
            paste: Vec::new(),
            theme_of: None,
            mouse: route::MouseState::default(),
            mouse_mode: Mouse::Off,
        }
    }

    fn tick_due(&self, now: Now) -> bool {
        self.next_tick.is_some_and(|t| t <= now.mono)
    }
}

/// The server.
pub struct Core {
    pub state: State,
    config: Config,
    runtimes: BTreeMap<ClientId, Runtime>,
    controls: Controls,
    /// Panes whose terminal moved since the last turn.
    moved: BTreeSet<PaneId>,
    /// Panes within a synchronised update, and since when.
    syncs: BTreeMap<PaneId, Time>,
    /// When a person last typed into a pane, as far as it was told.
    typed_into: BTreeMap<PaneId, Time>,
    /// Panes that have a person's focus.
    focused: BTreeSet<PaneId>,
    names: names::Names,
    /// Panes whose output is asked for as it comes.
    taps: BTreeSet<PaneId>,
    /// What programs asked of the terminals outside, not yet answered.
    questions: Vec<queries::Question>,
    /// Panes that a new theme is to be told to.
    theme_for: Vec<(PaneId, bool)>,
    started: bool,
    had_client: bool,
    exit_said: bool,
}

impl Core {
    pub fn new(config: Config, now: Now) -> Core {
        let mut state = State::default();
        state.model.facts = crate::model::Facts {
            socket: config.socket.clone(),
            pid: config.pid,
            uid: config.uid,
            started: now.wall,
            host: config.host.clone(),
            program: config.program.clone(),
            shim_dir: config.shim_dir.clone(),
            homes: config.homes.clone(),
            config_files: Vec::new(),
            user: config.env.iter().find(|(n, _)| n == "USER").map(|(_, v)| v.clone()).unwrap_or_default(),
        };
        for (name, value) in &config.env {
            state.model.asks.limit(name, value);
            state.model.environ.set(name, value, false);
        }
        if !config.shell.is_empty() {
            let _ = state.set_option(OptScope::GlobalSession, "default-shell", &config.shell);
        }
        Core {
            state,
            config,
            runtimes: BTreeMap::new(),
            controls: Controls::default(),
            moved: BTreeSet::new(),
            syncs: BTreeMap::new(),
            typed_into: BTreeMap::new(),
            focused: BTreeSet::new(),
            names: names::Names::default(),
            taps: BTreeSet::new(),
            questions: Vec::new(),
            theme_for: Vec::new(),
            started: false,
            had_client: false,
            exit_said: false,
        }
    }

    /// What an attached client was shown last, to make pictures of.
    pub fn shown(&self, client: ClientId) -> Option<(&Frame, &Pool)> {
        let painter = &self.runtimes.get(&client)?.painter;
        Some((painter.shown(), painter.pool()))
    }

    /// One thing happened; everything that follows from it at once is done when this returns.
    pub fn step(&mut self, arrival: Arrival, now: Now, out: &mut dyn Outside) {
        if !self.started {
            self.start(&arrival, now, out);
        }
        self.handle(arrival, now, out);
        self.tell_themes(out);
        self.follow(now, out);
    }

    fn handle(&mut self, arrival: Arrival, now: Now, out: &mut dyn Outside) {
        match arrival {
            Arrival::Connected { client, hello } => {
                self.had_client = true;
                self.on_connected(client, *hello, now, out);
            }
            Arrival::ClientGone { client } => self.on_client_gone(client, now),
            Arrival::TtyBytes { client, bytes } => self.on_tty_bytes(client, &bytes, now, out),
            Arrival::TtyResized { client, size, cell } => self.on_tty_resized(client, size, cell, now),
            Arrival::TtyBlocked { client } => self.set_blocked(client, true),
            Arrival::TtyDrained { client } => self.set_blocked(client, false),
            Arrival::TtyResumed { client } => self.on_tty_resumed(client, now),
            Arrival::ClientStdin { client, bytes, eof } => self.on_client_stdin(client, &bytes, eof, now, out),
            Arrival::ClientBlocked { client } => self.state.listener_blocked(client, true, now),
            Arrival::ClientDrained { client } => self.state.listener_blocked(client, false, now),
            Arrival::ControlOpened { conn, peer } => self.controls.opened(conn, peer),
            Arrival::ControlLine { conn, line } => {
                crate::control::line(&mut self.controls, &mut self.state, conn, &line, now, out);
            }
            Arrival::ControlTooLong { conn, seen } => {
                crate::control::too_long(&mut self.controls, &mut self.state, conn, seen);
            }
            Arrival::ControlGone { conn } => crate::control::gone(&mut self.controls, &mut self.state, conn, now),
            Arrival::Spawned { pane, pid, tty } => self.on_spawned(pane, pid, tty),
            Arrival::SpawnFailed { pane, error } => self.on_spawn_failed(pane, &error, now, out),
            Arrival::ExecFailed { pane, error } => self.on_exec_failed(pane, &error, now, out),
            Arrival::PaneMoved { pane, bytes, drained: _, replies, notices } => {
                self.on_pane_moved(pane, bytes, replies, notices, now, out);
            }
            Arrival::PaneOutput { pane, bytes } => self.on_pane_output(pane, bytes, now),
            Arrival::PaneEof { pane } => self.on_pane_eof(pane, now, out),
            Arrival::ChildExit { pane, status } => self.on_child_exit(pane, status, now, out),
            Arrival::JobOutput { job, bytes } => self.on_job_output(job, &bytes, now),
            Arrival::JobDone { job, status } => self.on_job_done(job, status),
            Arrival::JobFailed { job, error } => self.on_job_failed(job, &error, now),
            Arrival::Signal(Signal::Terminate) => self.state.exiting = true,
            Arrival::Tick => {}
        }
    }

    /// The configuration is read before anything else happens, on behalf of the first client.
    fn start(&mut self, first: &Arrival, now: Now, out: &mut dyn Outside) {
        self.started = true;
        self.load_defaults(now, out);
        let mut files = self.config.files.clone();
        if let Arrival::Connected { client, hello } = first {
            self.state.starter = Some(*client);
            if hello.as_tmux {
                // Whoever has this program as `tmux` needs nothing in front of the path for it.
                self.state.model.facts.shim_dir = None;
            }
        }
        if let Arrival::Connected { hello, .. } = first
            && let Some(named) = &hello.config
        {
            files = named.iter().map(|p| ConfigFile { path: p.clone(), required: true }).collect();
        }
        if let Arrival::Connected { hello, .. } = first
            && hello.as_tmux
        {
            // Who calls us tmux has us in the path by that name.
            self.state.model.facts.shim_dir = None;
        }
        for file in files {
            match out.read_file(&file.path, limits::MAX_CONFIG) {
                Ok(bytes) => {
                    self.state.model.facts.config_files.push(file.path.clone());
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    let place = Place::file(&file.path);
                    let (list, errors) = command::dispatch::parse_file(&mut self.state, out, now, &text, place);
                    self.state.config_errors.extend(errors);
                    let asker = Asker {
                        reply: ReplyTo::Config,
                        file: Some(file.path.as_str().into()),
                        vars: vec![("current_file".into(), file.path.clone())],
                        ..Asker::default()
                    };
                    self.state.queues.append(None, &list, asker);
                }
                Err(error) if file.required => self.state.config_errors.push(error),
                Err(_) => {}
            }
        }
        if self.state.queues.is_idle(None) {
            self.state.configured = true;
        }
    }

    /// The built-in bindings, in our own language.
    fn load_defaults(&mut self, now: Now, out: &mut dyn Outside) {
        let parsed =
            crate::lang::parse_text(command::rows::DEFAULTS, Place::default(), Grouping::Whole, &crate::lang::NoEnv);
        let parsed = parsed.map_err(|e| e.to_string());
        match parsed.and_then(|p| command::spec::resolve(&p.commands).map_err(|e| e.to_string())) {
            Ok(list) => {
                self.state.queues.append(None, &list, Asker { reply: ReplyTo::Config, ..Asker::default() });
                command::dispatch::run_queues(&mut self.state, out, now);
                self.state.model.tables.keep_as_defaults();
                self.state.messages.clear();
            }
            Err(e) => {
                crate::never!(true, "built-in bindings: {e}");
            }
        }
    }

    /// Runs what is ready until nothing follows any more: commands, hooks, layers that notice that the model moved,
    /// sizes, ends of clients.
    fn follow(&mut self, now: Now, out: &mut dyn Outside) {
        self.on_time(now, out);
        self.state.run_watches(now, out);
        for _ in 0..limits::MAX_ROUNDS {
            let mut ran = self.run_commands(now, out);
            let holding: Vec<ClientId> =
                self.runtimes.iter().filter(|(_, rt)| !rt.held.is_empty()).map(|(c, _)| *c).collect();
            for client in holding {
                ran |= self.take_held(client, now, out);
            }
            if !self.state.configured && self.state.queues.is_idle(None) {
                self.state.configured = true;
                continue;
            }
            let closed = self.close_terminals(out);
            let hooks = self.publish(now, out);
            self.follow_asks(now);
            let layers = self.sync_layers(now, out);
            self.apply_option_effects(now, out);
            self.name_windows(now, out);
            self.follow_sizes(now, out);
            self.follow_focus(out);
            self.follow_hands(now);
            let more = !self.state.model.outbox.events.is_empty();
            if !(ran || closed || hooks || layers || more) {
                break;
            }
        }
        for (window, text) in std::mem::take(&mut self.state.clipboards) {
            self.clipboard_to_clients(window, &text);
        }
        self.end_clients(now, out);
        self.yield_terminals();
        self.follow_taps();
        crate::control::settle(&mut self.controls, &mut self.state, now, out);
        self.end_server();
        #[cfg(debug_assertions)]
        if let Some(wrong) = crate::model::check::check(&self.state.model) {
            crate::never!(true, "{wrong}");
        }
    }

    /// Runs what is ready. Each command sees the sizes that follow from those before it.
    fn run_commands(&mut self, now: Now, out: &mut dyn Outside) -> bool {
        let mut ran = false;
        for _ in 0..limits::MAX_RUNS {
            ran |= command::dispatch::run_until(&mut self.state, out, now, |s| s.sizes_moved);
            if !self.state.sizes_moved {
                break;
            }
            self.follow_sizes(now, out);
        }
        ran
    }

    /// The server ends when it is told to, or with `exit-empty` when no session is left and the last client has gone.
    fn end_server(&mut self) {
        let m = &self.state.model;
        let empty = m.sessions.is_empty() && m.clients.is_empty() && self.had_client;
        let exit_empty = self.state.options.flag(opt::EXIT_EMPTY, OptScope::Server);
        if (self.state.exiting || (empty && exit_empty)) && !self.exit_said {
            self.exit_said = true;
            self.close_everything();
            self.state.model.outbox.effect(Effect::Exit);
        }
    }

    /// Takes the inputs of a client's terminal in order.
    fn on_tty_bytes(&mut self, client: ClientId, bytes: &[u8], now: Now, out: &mut dyn Outside) {
        let mut inputs = Vec::new();
        let Some(rt) = self.runtimes.get_mut(&client) else { return };
        rt.decoder.feed(bytes, now.mono, &mut inputs);
        self.take_inputs(client, inputs, now, out);
    }

    fn take_inputs(&mut self, client: ClientId, inputs: Vec<Input>, now: Now, out: &mut dyn Outside) {
        let Some(rt) = self.runtimes.get_mut(&client) else { return };
        rt.held.extend(inputs);
        self.take_held(client, now, out);
    }

    /// Takes what a client typed, up to a command that waits for its program to start: what follows is meant for what is
    /// there then. Returns whether there was anything.
    fn take_held(&mut self, client: ClientId, now: Now, out: &mut dyn Outside) -> bool {
        let mut any = false;
        while let Some(rt) = self.runtimes.get_mut(&client) {
            if rt.held.len() <= limits::MAX_HELD && self.state.queues.awaits_spawn(Some(client)) {
                break;
            }
            let Some(input) = rt.held.pop_front() else { break };
            any = true;
            self.route(client, input, now, out);
            // A key may have detached the client, or bound commands that must run before the next key is looked up.
            self.run_commands(now, out);
        }
        any
    }
}
