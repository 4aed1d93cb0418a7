//! A server without a loop for tests of commands: one session with one window and one pane, a client that runs commands,
//! files and terminals in memory.

use std::collections::BTreeMap;

use crate::base::{ClientId, JobId, Now, PaneId, Size, Span, Time, Wall};
use crate::command::dispatch;
use crate::command::queue::{Asker, Token, Wake};
use crate::command::state::State;
use crate::event::{Effect, Outside, Process, Stream};
use crate::grid::Limits;
use crate::lang::{Grouping, Place as At};
use crate::model::environ::Environ;
use crate::model::{Client, ClientKind, Life, Place};
use crate::term::{Output, Terminal};

/// The client that runs commands.
pub(super) const CLIENT: ClientId = ClientId(1);

/// Terminals and files in memory.
#[derive(Default)]
pub(super) struct Memory {
    pub terminals: BTreeMap<PaneId, Terminal>,
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Outside for Memory {
    fn open_terminal(&mut self, pane: PaneId, terminal: Terminal) {
        self.terminals.insert(pane, terminal);
    }

    fn close_terminal(&mut self, pane: PaneId) -> Option<Terminal> {
        self.terminals.remove(&pane)
    }

    fn terminal(&mut self, pane: PaneId, f: &mut dyn FnMut(&mut Terminal)) -> bool {
        self.terminals.get_mut(&pane).map(f).is_some()
    }

    fn process(&mut self, _pane: PaneId) -> Option<Process> {
        None
    }

    fn read_file(&mut self, path: &str, _limit: usize) -> Result<Vec<u8>, String> {
        self.files.get(path).cloned().ok_or_else(|| format!("No such file or directory: {path}"))
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
        self.files.keys().filter(|f| crate::format::fnmatch::fnmatch(pattern, f, false)).cloned().collect()
    }
}

pub(super) struct Scene {
    pub s: State,
    pub out: Memory,
    pub now: Now,
    pub pane: PaneId,
    /// What was to be done since the last look, without the output of the client.
    pub effects: Vec<Effect>,
}

impl Scene {
    pub(super) fn new() -> Scene {
        let mut s = State { configured: true, ..State::default() };
        let mut out = Memory::default();
        let now = Now { mono: Time(1_000_000), wall: Wall(1_000_000_000) };
        let size = Size::new(20, 4);
        let (window, pane) = s.model.create_window("win".into(), size, now.wall);
        let session = s.model.create_session("main".into(), "/home".into(), Environ::default(), now.wall);
        s.model.link(Place { session, index: 0 }, window);
        s.options.place_pane(pane, window);
        out.open_terminal(pane, Terminal::new(size, Limits { history_lines: 100, history_bytes: 100_000 }));
        if let Some(p) = s.model.panes.get_mut(&pane) {
            p.life = Life::Running;
        }
        let client = Client {
            id: CLIENT,
            kind: ClientKind::Command,
            name: "client-1".into(),
            cwd: "/srv".into(),
            ..Client::default()
        };
        s.model.clients.insert(CLIENT, client);
        s.model.outbox.effects.clear();
        Scene { s, out, now, pane, effects: Vec::new() }
    }

    /// Bytes of the pane's program.
    pub(super) fn feed(&mut self, text: &str) {
        if let Some(t) = self.out.terminals.get_mut(&self.pane) {
            t.feed(text.as_bytes(), &mut Output::default());
        }
    }

    /// Runs a line in the client's queue and returns what it prints; errors stand after `! `.
    #[track_caller]
    pub(super) fn run(&mut self, line: &str) -> String {
        let list = dispatch::parse_text(&mut self.s, &mut self.out, self.now, line, At::default(), Grouping::Whole);
        match list {
            Ok(list) => {
                let asker = Asker { client: Some(CLIENT), ..Asker::default() };
                assert!(self.s.queues.append(Some(CLIENT), &list, asker));
                self.go_on()
            }
            Err(e) => format!("! {e}\n"),
        }
    }

    /// Lets queues run and returns what they print.
    pub(super) fn go_on(&mut self) -> String {
        dispatch::run_queues(&mut self.s, &mut self.out, self.now);
        let mut text = String::new();
        for effect in std::mem::take(&mut self.s.model.outbox.effects) {
            match effect {
                Effect::ClientOut { stream, bytes, .. } => {
                    if stream == Stream::Err {
                        text.push_str("! ");
                    }
                    text.push_str(&String::from_utf8_lossy(&bytes));
                }
                effect => self.effects.push(effect),
            }
        }
        text
    }

    /// Whether the client's queue waits.
    pub(super) fn waits(&self) -> bool {
        !self.s.queues.is_idle(Some(CLIENT))
    }

    pub(super) fn wake(&mut self, token: Token, wake: Wake) -> String {
        self.s.queues.wake(token, wake);
        self.go_on()
    }

    /// The job started last ends.
    pub(super) fn job_ends(&mut self, output: &str, status: i32) -> String {
        let job = self.effects.iter().rev().find_map(|e| match e {
            Effect::JobStart { job, .. } => Some(*job),
            _ => None,
        });
        self.wake(Token::Job(job.unwrap_or(JobId(0))), Wake::Job { output: output.into(), status })
    }

    /// The shell command of the job started last.
    pub(super) fn job(&self) -> String {
        let spec = self.effects.iter().rev().find_map(|e| match e {
            Effect::JobStart { spec, .. } => Some(spec),
            _ => None,
        });
        spec.and_then(|s| s.argv.last().cloned()).unwrap_or_default()
    }

    pub(super) fn pass(&mut self, span: Span) -> String {
        self.now.mono = self.now.mono + span;
        self.s.run_timers(self.now);
        self.go_on()
    }

    /// What was typed into the pane since the last look.
    pub(super) fn typed(&mut self) -> String {
        let mut all = Vec::new();
        for effect in self.effects.drain(..) {
            if let Effect::PtyWrite { bytes, .. } = effect {
                all.extend(bytes);
            }
        }
        String::from_utf8_lossy(&all).into_owned()
    }
}

/// Runs lines in one server; the last one prints this.
#[track_caller]
pub(super) fn check(lines: &[&str], expect: &str) {
    let mut scene = Scene::new();
    let mut last = String::new();
    for line in lines {
        last = scene.run(line);
    }
    assert_eq!(last, expect);
}
