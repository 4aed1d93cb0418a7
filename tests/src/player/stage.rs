//! A whole server in memory: the core, a clock that only moves when told, terminals parsed inline, files in a map,
//! programs and jobs that do nothing by themselves.

use std::collections::{BTreeMap, VecDeque};

use mplex::base::{ClientId, ConnId, JobId, Now, PaneId, Size, Span, Time, Wall};
use mplex::core::{Arrival, Config, ConfigFile, Core, Hello, Outside, Peer, Process, TtyInfo};
use mplex::event::{Effect, JobSpec, SpawnSpec, Stream};
use mplex::term::{Output, Terminal};

use super::seat::{End, Seat};

/// The configuration that is there unless a scenario writes one.
pub const CONFIG: &str = "/home/ann/.mplex.conf";
/// The home of whoever is playing.
pub(super) const HOME: &str = "/home/ann";
/// When scenarios begin: 1 February 2026, 12:00 UTC.
const WALL: i64 = 1_769_947_200;
/// The clock of the machine at that time: not zero, as no real one is.
const MONO: u64 = 1_000_000_000;
/// How often the core may be due at one time before that is taken for a loop without end.
const MOST_TURNS: usize = 2000;

/// A program in a pane.
#[derive(Clone, Debug)]
pub struct Program {
    pub spec: SpawnSpec,
    pub size: Size,
    /// What it received since somebody looked.
    pub written: Vec<u8>,
    paused: bool,
    /// What it wrote while nobody read.
    held: Vec<u8>,
    tapped: bool,
    process: Process,
}

/// A background job.
#[derive(Clone, Debug)]
pub struct Job {
    pub spec: JobSpec,
    pub written: Vec<u8>,
    pub eof: bool,
}

/// What the core asks of the outside, from memory.
#[derive(Default)]
pub struct World {
    terminals: BTreeMap<PaneId, Terminal>,
    pub programs: BTreeMap<PaneId, Program>,
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Outside for World {
    fn open_terminal(&mut self, pane: PaneId, terminal: Terminal) {
        self.terminals.insert(pane, terminal);
    }

    fn close_terminal(&mut self, pane: PaneId) -> Option<Terminal> {
        self.terminals.remove(&pane)
    }

    fn terminal(&mut self, pane: PaneId, f: &mut dyn FnMut(&mut Terminal)) -> bool {
        self.terminals.get_mut(&pane).map(f).is_some()
    }

    fn process(&mut self, pane: PaneId) -> Option<Process> {
        self.programs.get(&pane).map(|p| p.process.clone())
    }

    fn program(&mut self, pid: u32) -> Option<String> {
        (pid != 0).then(|| "agent".to_owned())
    }

    fn read_file(&mut self, path: &str, limit: usize) -> Result<Vec<u8>, String> {
        match self.files.get(path) {
            Some(bytes) if bytes.len() > limit => Err(format!("File is larger than {limit} bytes: {path}")),
            Some(bytes) => Ok(bytes.clone()),
            None => Err(format!("No such file or directory: {path}")),
        }
    }

    fn write_file(&mut self, path: &str, bytes: &[u8], append: bool) -> Result<(), String> {
        let file = self.files.entry(path.to_owned()).or_default();
        if !append {
            file.clear();
        }
        file.extend_from_slice(bytes);
        Ok(())
    }

    fn glob(&mut self, pattern: &str) -> Vec<String> {
        match pattern.split_once('*') {
            Some((head, tail)) => {
                self.files.keys().filter(|p| p.starts_with(head) && p.ends_with(tail)).cloned().collect()
            }
            None => self.files.contains_key(pattern).then(|| pattern.to_owned()).into_iter().collect(),
        }
    }
}

/// The server and all that surrounds it.
pub struct Stage {
    pub core: Core,
    pub world: World,
    pub now: Now,
    pub seats: BTreeMap<ClientId, Seat>,
    /// Lines for control connections that nobody took yet.
    pub lines: BTreeMap<ConnId, VecDeque<String>>,
    pub jobs: BTreeMap<JobId, Job>,
    /// The next pane's program cannot be started, for this reason.
    pub refuse: Option<String>,
    /// The server said that it ends.
    pub exited: bool,
    arrivals: VecDeque<Arrival>,
    deadline: Option<Time>,
    last_client: u32,
    last_conn: u32,
}

impl Stage {
    /// A server that was not spoken to yet. Its status line is without a clock unless a configuration says otherwise.
    pub fn new(files: BTreeMap<String, Vec<u8>>) -> Stage {
        let now = Now { mono: Time(MONO), wall: Wall(WALL) };
        let preset = "/play/preset.conf";
        let config = Config {
            socket: "/tmp/mplex-1000/default".to_owned(),
            pid: 100,
            uid: 1000,
            env: environment("xterm-256color"),
            files: [preset, CONFIG].map(|path| ConfigFile { path: path.to_owned(), required: false }).to_vec(),
            program: "/usr/bin/mplex".to_owned(),
            shim_dir: None,
            host: "host".to_owned(),
            homes: vec![("ann".to_owned(), HOME.to_owned())],
            shell: "/bin/sh".to_owned(),
        };
        let mut world = World { files, ..World::default() };
        world.files.insert(preset.to_owned(), b"set -g status-right ''\n".to_vec());
        Stage {
            core: Core::new(config, now),
            world,
            now,
            seats: BTreeMap::new(),
            lines: BTreeMap::new(),
            jobs: BTreeMap::new(),
            refuse: None,
            exited: false,
            arrivals: VecDeque::new(),
            deadline: None,
            last_client: 0,
            last_conn: 0,
        }
    }

    /// A client on a terminal of its own, or without one.
    pub fn connect(&mut self, argv: Vec<String>, who: Who<'_>) -> ClientId {
        self.last_client += 1;
        let client = ClientId(self.last_client);
        let mut env = environment(who.term);
        if let Some(pane) = who.inside {
            env.push(("MPLEX".to_owned(), format!("/tmp/mplex-1000/default,100,{}", pane.0)));
            env.push(("MPLEX_PANE".to_owned(), pane.to_string()));
            env.push(("TMUX_PANE".to_owned(), pane.to_string()));
        }
        let hello = Hello {
            argv,
            pid: 5000 + client.0,
            uid: 1000,
            cwd: HOME.to_owned(),
            env,
            tty: who.size.map(|size| TtyInfo {
                path: format!("/dev/pts/{}", 100 + client.0),
                term: who.term.to_owned(),
                size,
                cell: (0, 0),
            }),
            features: who.features.map(str::to_owned).into_iter().collect(),
            ..Hello::default()
        };
        let mut seat = Seat::new(who.size.unwrap_or(Size::new(80, 24)));
        seat.stdin = who.stdin;
        self.seats.insert(client, seat);
        self.arrive(Arrival::Connected { client, hello: Box::new(hello) });
        client
    }

    pub fn open_control(&mut self, pid: u32) -> ConnId {
        self.last_conn += 1;
        let conn = ConnId(self.last_conn);
        self.lines.insert(conn, VecDeque::new());
        self.arrive(Arrival::ControlOpened { conn, peer: Peer { uid: 1000, pid } });
        conn
    }

    pub fn arrive(&mut self, arrival: Arrival) {
        self.arrivals.push_back(arrival);
    }

    /// Bytes from the program of a pane; false if there is none.
    pub fn output(&mut self, pane: PaneId, bytes: &[u8]) -> bool {
        let Some(program) = self.world.programs.get_mut(&pane) else { return false };
        if program.paused {
            program.held.extend_from_slice(bytes);
            return true;
        }
        let tapped = program.tapped;
        let Some(terminal) = self.world.terminals.get_mut(&pane) else { return false };
        let mut out = Output::default();
        terminal.feed(bytes, &mut out);
        if tapped {
            self.arrive(Arrival::PaneOutput { pane, bytes: bytes.to_vec() });
        }
        let Output { replies, notices } = out;
        self.arrive(Arrival::PaneMoved { pane, bytes: bytes.len(), drained: true, replies, notices });
        true
    }

    /// Says what runs in the foreground of a pane from now on.
    pub fn set_process(&mut self, pane: PaneId, command: &str, path: Option<&str>) -> bool {
        let Some(program) = self.world.programs.get_mut(&pane) else { return false };
        command.clone_into(&mut program.process.command);
        if let Some(path) = path {
            path.clone_into(&mut program.process.path);
        }
        true
    }

    /// Handles what arrived and all that follows from it at this moment.
    pub fn settle(&mut self) -> Result<(), String> {
        for _ in 0..MOST_TURNS {
            while let Some(arrival) = self.arrivals.pop_front() {
                if self.exited {
                    continue;
                }
                self.core.step(arrival, self.now, &mut self.world);
            }
            let turn = self.core.turn(self.now, &mut self.world);
            self.deadline = turn.deadline;
            for effect in turn.effects {
                self.carry_out(effect);
            }
            if self.arrivals.is_empty() {
                return Ok(());
            }
        }
        Err(format!("does not come to rest: something arrives {MOST_TURNS} times at one moment"))
    }

    /// Lets time pass, from one moment at which the core wants to be called to the next.
    pub fn pass(&mut self, span: Span) -> Result<(), String> {
        let end = self.now.mono + span;
        let mut still = 0;
        self.settle()?;
        while let Some(at) = self.deadline.filter(|at| *at <= end) {
            still = if at > self.now.mono { 0 } else { still + 1 };
            if still > MOST_TURNS {
                return Err("the core wants to be called at once, again and again, and does nothing then".to_owned());
            }
            self.set_time(at.max(self.now.mono));
            self.arrive(Arrival::Tick);
            self.settle()?;
        }
        self.set_time(end);
        Ok(())
    }

    fn set_time(&mut self, mono: Time) {
        let passed = (mono.0 - MONO) / 1_000_000;
        self.now = Now { mono, wall: Wall(WALL + passed.cast_signed()) };
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Spawn { pane, spec } => self.spawn(pane, spec),
            Effect::PtyWrite { pane, bytes } => {
                if let Some(program) = self.world.programs.get_mut(&pane) {
                    program.written.extend_from_slice(&bytes);
                }
            }
            Effect::PtyResize { pane, size } => {
                if let Some(program) = self.world.programs.get_mut(&pane) {
                    program.size = size;
                }
            }
            Effect::PtyClose { pane } => {
                self.world.programs.remove(&pane);
            }
            Effect::PtyPause { pane, paused } => {
                let Some(program) = self.world.programs.get_mut(&pane) else { return };
                program.paused = paused;
                if !paused {
                    let held = std::mem::take(&mut program.held);
                    self.output(pane, &held);
                }
            }
            Effect::PtyTap { pane, on } => {
                if let Some(program) = self.world.programs.get_mut(&pane) {
                    program.tapped = on;
                }
            }
            Effect::TtyWrite { client, bytes } => {
                let Some(seat) = self.seats.get_mut(&client).filter(|s| s.open) else { return };
                match seat.write(&bytes) {
                    Some(replies) if replies.is_empty() => {}
                    Some(bytes) => self.arrive(Arrival::TtyBytes { client, bytes }),
                    None => self.arrive(Arrival::TtyBlocked { client }),
                }
            }
            Effect::TtyOpen { client } => self.seat(client, |s| s.open = true),
            Effect::TtyClose { client } => self.seat(client, |s| {
                s.drain();
                s.open = false;
            }),
            Effect::ClientOut { client, stream, bytes } => self.seat(client, |s| match stream {
                Stream::Out => s.out.extend_from_slice(&bytes),
                Stream::Err => s.err.extend_from_slice(&bytes),
            }),
            Effect::ClientStdin { client } => {
                if let Some(seat) = self.seats.get_mut(&client) {
                    let bytes = std::mem::take(&mut seat.stdin);
                    self.arrive(Arrival::ClientStdin { client, bytes, eof: true });
                }
            }
            Effect::ClientLinger { .. } => {}
            Effect::ClientExit { client, status, message } => self.end(client, "exit".to_owned(), status, message),
            Effect::ClientHangup { client, message } => self.end(client, "hangup".to_owned(), 0, message),
            Effect::ClientExec { client, shell, command } => {
                self.end(client, format!("exec {shell} {command}"), 0, None);
            }
            // Both give the terminal away; `resume` brings it back.
            Effect::ClientSuspend { client } | Effect::ClientLock { client, .. } => {
                self.seat(client, |s| s.open = false);
            }
            Effect::ControlWrite { conn, line } => {
                if let Some(lines) = self.lines.get_mut(&conn) {
                    lines.push_back(line);
                }
            }
            Effect::ControlClose { conn } => {
                self.lines.remove(&conn);
            }
            Effect::JobStart { job, spec } => {
                self.jobs.insert(job, Job { spec, written: Vec::new(), eof: false });
            }
            Effect::JobWrite { job, bytes } => {
                if let Some(job) = self.jobs.get_mut(&job) {
                    job.written.extend_from_slice(&bytes);
                }
            }
            Effect::JobEof { job } => {
                if let Some(job) = self.jobs.get_mut(&job) {
                    job.eof = true;
                }
            }
            Effect::JobKill { job } => {
                if self.jobs.remove(&job).is_some() {
                    self.arrive(Arrival::JobDone { job, status: mplex::core::ExitStatus::Signal(15) });
                }
            }
            Effect::Log(_) => {}
            Effect::Exit => self.exited = true,
        }
    }

    fn seat(&mut self, client: ClientId, f: impl FnOnce(&mut Seat)) {
        if let Some(seat) = self.seats.get_mut(&client) {
            f(seat);
        }
    }

    fn spawn(&mut self, pane: PaneId, spec: SpawnSpec) {
        if let Some(error) = self.refuse.take() {
            self.arrive(Arrival::SpawnFailed { pane, error });
            return;
        }
        let name = spec.argv.first().map_or("", |a| a.rsplit('/').next().unwrap_or(a));
        let process = Process { command: name.to_owned(), path: spec.cwd.clone() };
        let size = spec.size;
        let program =
            Program { spec, size, written: Vec::new(), paused: false, held: Vec::new(), tapped: false, process };
        self.world.programs.insert(pane, program);
        self.arrive(Arrival::Spawned { pane, pid: pid_of(pane), tty: format!("/dev/pts/{}", pane.0) });
    }

    /// A client that is told to end does so: its connection is gone afterwards.
    fn end(&mut self, client: ClientId, how: String, status: u8, message: Option<String>) {
        let Some(seat) = self.seats.get_mut(&client) else { return };
        if seat.end.is_none() {
            seat.end = Some(End { how, status, message });
            self.arrive(Arrival::ClientGone { client });
        }
    }
}

/// The process of a pane's program.
pub fn pid_of(pane: PaneId) -> u32 {
    1000 + pane.0
}

/// What a client says of itself.
pub struct Who<'a> {
    /// Of its terminal, if it has one.
    pub size: Option<Size>,
    pub term: &'a str,
    pub features: Option<&'a str>,
    /// The pane in which it runs.
    pub inside: Option<PaneId>,
    pub stdin: Vec<u8>,
}

fn environment(term: &str) -> Vec<(String, String)> {
    [("HOME", HOME), ("USER", "ann"), ("PATH", "/usr/bin:/bin"), ("TERM", term), ("LANG", "C.UTF-8")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec()
}
