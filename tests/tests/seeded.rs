//! Random arrivals in random order: whatever happens, nothing panics, the model stays sound (the core checks that after
//! every step in debug builds), the server comes to rest, two emulators agree about every screen, and what a client shows
//! after many small changes is what a client that has just come is shown.
//!
//! `MPLEX_SEED=N` runs that seed alone, `MPLEX_SEEDS=N` so many; a failure prints its seed and what happened last.

#![allow(clippy::disallowed_methods, clippy::print_stderr)]

use std::collections::{BTreeMap, VecDeque};

use mplex::base::{ClientId, ConnId, PaneId, Size, Span};
use mplex::core::{Arrival, ExitStatus};
use mplex::layer::Host;
use mplex_tests::player::{CONFIG, Stage, Who, picture, words::words};

const SEEDS: u64 = 16;
const STEPS: usize = 250;
/// How often screens are compared.
const COMPARE: usize = 25;
/// How much of the story is told when it goes wrong.
const STORY: usize = 40;

/// Commands that are right at least some of the time.
const COMMANDS: &[&str] = &[
    "split-window",
    "split-window -h",
    "split-window -hb -l 5",
    "split-window -f -l 30%",
    "split-window -d",
    "new-window",
    "new-window -d -n other",
    "new-window -a",
    "kill-pane",
    "kill-pane -a",
    "kill-window",
    "kill-session -t 2",
    "new-session -d",
    "new-session -d -s named",
    "new-session -d -t 0",
    "resize-pane -L 3",
    "resize-pane -D 2",
    "resize-pane -x 10",
    "resize-pane -y 50%",
    "resize-pane -Z",
    "resize-window -x 50 -y 10",
    "resize-window -A",
    "select-layout tiled",
    "select-layout even-horizontal",
    "select-layout main-vertical",
    "next-layout",
    "select-layout -E",
    "select-layout 'b25d,80x24,0,0,0'",
    "select-pane -t :.+",
    "select-pane -L",
    "select-pane -m",
    "select-pane -T title",
    "last-pane",
    "swap-pane -D",
    "swap-pane -s :.0 -t :.1",
    "rotate-window",
    "break-pane",
    "break-pane -d",
    "join-pane -s :0.0",
    "move-pane -h -t :.1",
    "next-window",
    "previous-window",
    "last-window",
    "select-window -t 1",
    "move-window -r",
    "swap-window -t 0",
    "link-window -s 0:0 -t 9",
    "unlink-window",
    "rename-window name",
    "rename-session renamed",
    "switch-client -n",
    "switch-client -p",
    "detach-client",
    "refresh-client",
    "respawn-pane -k",
    "respawn-window -k",
    "set -g status 2",
    "set -g status on",
    "set -g status off",
    "set -g status-position top",
    "set -g status-position bottom",
    "set -g pane-border-status top",
    "set -g pane-border-status off",
    "set -g mouse on",
    "set -g remain-on-exit on",
    "set -g remain-on-exit off",
    "set -g window-size smallest",
    "set -g window-size latest",
    "set -g base-index 1",
    "set -g renumber-windows on",
    "set -g automatic-rename off",
    "set -g focus-events on",
    "set -g mode-keys vi",
    "set -g history-limit 20",
    "set -g alternate-screen off",
    "set -g window-style bg=red",
    "set -g pane-border-lines double",
    "set -g status-left '#{session_name} #{window_panes} '",
    "set -u status-left",
    "bind -n F5 split-window",
    "bind -r x next-window",
    "unbind -n F5",
    "set-hook -g after-split-window { rename-window hooked }",
    "set-hook -g pane-exited { new-window -d }",
    "set-hook -gu pane-exited",
    "display-message hello",
    "display-message -p '#{pane_id} #{window_layout} #{session_group}'",
    "display-panes",
    "display-menu -T menu one 1 { split-window } two 2 { new-window }",
    "clock-mode",
    "choose-tree",
    "choose-buffer",
    "command-prompt",
    "confirm-before kill-pane",
    "copy-mode",
    "copy-mode -u",
    "send-keys -X cancel",
    "send-keys -X cursor-up",
    "send-keys -X begin-selection",
    "send-keys -X copy-selection",
    "send-keys abc Enter",
    "send-keys -R",
    "clear-history",
    "set-buffer text",
    "paste-buffer",
    "delete-buffer",
    "capture-pane",
    "list-keys",
    "list-panes -a",
    "run-shell -b job",
    "run-shell 'list'",
    "if-shell -b test { split-window } { new-window }",
    "pipe-pane cat",
    "pipe-pane",
    "wait-for -S channel",
    "wait-for channel",
    "show-messages",
    "source-file ~/other.conf",
    "server-access -l",
    "nonsense",
];

/// What programs write.
const OUTPUT: &[&str] = &[
    "$ ",
    "text\r\n",
    "a longer text that goes on over the end of narrow panes, at least of the narrower ones\r\n",
    "\x1b[31;1mred\x1b[m",
    "\x1b[7mreverse\x1b[27m",
    "\x1b[H",
    "\x1b[2J",
    "\x1b[K",
    "\x1b[5;10Hthere",
    "\x1b[999;999Hcorner",
    "\x1b[A\x1b[A",
    "\x1b[2L",
    "\x1b[3M",
    "\x1b[4P",
    "\x1b[4@",
    "\x1b[2S",
    "\x1b[2T",
    "\x1b[2;4r",
    "\x1b[r",
    "\x1b[?1049h",
    "\x1b[?1049l",
    "\x1b[?2026h",
    "\x1b[?2026l",
    "\x1b[?25l",
    "\x1b[?25h",
    "\x1b[?1000h\x1b[?1006h",
    "\x1b[?1004h",
    "\x1b[?2004h",
    "\x1b[?1h",
    "\x1b[c",
    "\x1b[6n",
    "\x1b]2;a title\x07",
    "\x1bkname\x1b\\",
    "\x1b(0lqk\x1b(B",
    "語語語",
    "é\u{301} ",
    "\x1b[48;5;20mblue\x1b[K\x1b[m\r\n",
    "\x1b[38;2;1;2;3mrgb",
    "\t\ttabs\r\n",
    "\x07",
    "\x1bc",
    "\x1b7\x1b8",
    "\x1bM",
    "\n\n\n",
    "\x1bP+q544e\x1b\\",
    "\x1b]52;c;aGk=\x07",
    "\x1b[",
    "\x1b]unfinished",
];

/// What terminals of clients send.
const INPUT: &[&str] = &[
    "x",
    "ls\r",
    "\x02",
    "\x02\"",
    "\x02%",
    "\x02c",
    "\x02n",
    "\x02p",
    "\x02z",
    "\x02o",
    "\x02 ",
    "\x02x",
    "\x02xy",
    "\x02[",
    "\x02]",
    "\x02:",
    "\x02?",
    "\x02w",
    "\x02s",
    "\x02q",
    "\x02t",
    "\x02,",
    "\x02f",
    "\x02d",
    "\x02\x1b[A",
    "\x02\x1b[1;5C",
    "\x02\x1b[1;3D",
    "\x02!",
    "\x02{",
    "\x02m",
    "\x02E",
    "\x02;",
    "\x02l",
    "\x02&",
    "\x02=",
    "\x02#",
    "\x02i",
    "\x02~",
    "\x02<",
    "\x02>",
    "\x1b",
    "\r",
    "y",
    "n",
    "q",
    "1",
    "9",
    "\x07",
    "\x1b[A",
    "\x1b[B",
    "\x1b[C",
    "\x1bOP",
    "\x1b[15~",
    "\x1b[5~",
    "\x1b[200~pasted\x1b[201~",
    "\x1b[200~open",
    "\x1b[201~",
    "\x1b[I",
    "\x1b[O",
    "\x1b[<0;3;3M",
    "\x1b[<0;3;3m",
    "\x1b[<0;20;5M",
    "\x1b[<32;22;5M",
    "\x1b[<32;12;6M",
    "\x1b[<0;12;6m",
    "\x1b[<64;5;5M",
    "\x1b[<65;5;5M",
    "\x1b[<0;6;12M",
    "\x1b[<2;5;5M",
    "\x1b[<2;5;5m",
    "\x1b[<0;9;9M",
    "\x1b[?62;1c",
    "\x1b[>1;2;3c",
    "\x1bP>|term 1\x1b\\",
    "\x1b]11;rgb:00/00/00\x07",
    "\x1b[?997;1n",
    "\x1b[",
    "\x1b]4;",
    "\x15",
    "\x0b",
    "\x19",
    "\x12",
    "word",
    "é",
    "語",
    "\x00",
];

const LINES: &[&str] = &[
    r#"{"id":1,"method":"ping"}"#,
    r#"{"id":2,"method":"methods"}"#,
    r#"{"id":3,"method":"show","params":{"kind":"message","title":"Note","text":"Read."}}"#,
    r#"{"id":4,"method":"show","params":{"kind":"choice","title":"?","options":["a","b","c"],"timeout":1}}"#,
    r#"{"id":5,"method":"show","params":{"kind":"text","label":"Text:","initial":"x"}}"#,
    r#"{"id":6,"method":"result","params":{"flow":"f1","wait_ms":500}}"#,
    r#"{"id":7,"method":"result","params":{"flow":"f2"}}"#,
    r#"{"id":8,"method":"cancel","params":{"flow":"f3"}}"#,
    r#"{"id":9,"method":"subscribe","params":{"events":["*"]}}"#,
    r#"{"id":10,"method":"unsubscribe","params":{"subscription":1}}"#,
    r#"{"id":11,"method":"command","params":{"line":"split-window -h"}}"#,
    r#"{"id":12,"method":"command","params":{"argv":["list-panes","-a"]}}"#,
    r#"{"id":13,"method":"command","params":{"line":"wait-for never"}}"#,
    r#"{"id":14,"method":"query","params":{"list":"panes","vars":["pane_id","pane_width","window_name"]}}"#,
    r#"{"id":15,"method":"query","params":{"list":"clients","vars":["client_name","nonsense"]}}"#,
    r#"{"id":16,"method":"nonsense"}"#,
    r#"{"id":17,"method":"show","params":{"kind":"choice","options":[]}}"#,
    r#"{"id":[],"method":{}}"#,
    r#"{"id":18"#,
    r#"[1,2]"#,
    "",
    "\u{0}garbage",
];

/// A small generator (xorshift64*), so that a seed is one number.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize) % n.max(1)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| of[self.below(of.len())])
    }
}

/// What happened, told when it goes wrong.
struct Story {
    seed: u64,
    last: VecDeque<String>,
}

impl Story {
    fn add(&mut self, what: String) {
        if self.last.len() >= STORY {
            self.last.pop_front();
        }
        self.last.push_back(what);
    }
}

impl Drop for Story {
    fn drop(&mut self) {
        if std::thread::panicking() {
            for line in &self.last {
                eprintln!("  {line}");
            }
            eprintln!("run it again with MPLEX_SEED={}", self.seed);
        }
    }
}

struct Simulation {
    dice: Dice,
    stage: Stage,
    story: Story,
    /// Clients with a terminal, attached or on their way.
    clients: Vec<ClientId>,
    conns: Vec<ConnId>,
}

impl Simulation {
    fn new(seed: u64) -> Simulation {
        let mut simulation = Simulation {
            dice: Dice::new(seed),
            stage: stage(),
            story: Story { seed, last: VecDeque::new() },
            clients: Vec::new(),
            conns: Vec::new(),
        };
        simulation.restart();
        simulation
    }

    fn restart(&mut self) {
        self.story.add("a new server".to_owned());
        self.stage = stage();
        self.clients.clear();
        self.conns.clear();
        self.connect("new-session", Size::new(60, 16));
        self.pass(Span::from_millis(20));
    }

    fn connect(&mut self, argv: &str, size: Size) -> ClientId {
        let who = Who { size: Some(size), term: "xterm-256color", features: None, inside: None, stdin: Vec::new() };
        let client = self.stage.connect(words(argv).expect("known words"), who);
        self.clients.push(client);
        self.story.add(format!("{client} {size} {argv}"));
        client
    }

    fn command(&mut self, line: &str) {
        self.story.add(format!("run {line}"));
        let who = Who { size: None, term: "dumb", features: None, inside: None, stdin: b"input".to_vec() };
        self.stage.connect(words(line).expect("known words"), who);
    }

    #[track_caller]
    fn pass(&mut self, span: Span) {
        if let Err(text) = self.stage.pass(span) {
            panic!("{text}");
        }
    }

    /// Attached clients, oldest first.
    fn attached(&self) -> Vec<ClientId> {
        let open = |c: &&ClientId| self.stage.seats.get(c).is_some_and(|s| s.open);
        self.clients.iter().filter(open).copied().collect()
    }

    fn size(&mut self) -> Size {
        Size::new(10 + self.dice.below(90) as u16, 3 + self.dice.below(27) as u16)
    }

    fn step(&mut self) {
        let attached = self.attached();
        match self.dice.below(100) {
            0..=29 => {
                let Some(client) = self.dice.one(&attached) else { return };
                let mut bytes = Vec::new();
                for _ in 0..=self.dice.below(2) {
                    bytes.extend_from_slice(self.dice.one(INPUT).unwrap_or_default().as_bytes());
                }
                // Input may come in pieces.
                if self.dice.below(8) == 0 {
                    bytes.truncate(self.dice.below(bytes.len()) + 1);
                }
                self.story.add(format!("{client} types {}", bytes.escape_ascii()));
                self.stage.arrive(Arrival::TtyBytes { client, bytes });
            }
            30..=54 => {
                let panes: Vec<PaneId> = self.stage.world.programs.keys().copied().collect();
                let Some(pane) = self.dice.one(&panes) else { return };
                let mut bytes = Vec::new();
                for _ in 0..=self.dice.below(4) {
                    bytes.extend_from_slice(self.dice.one(OUTPUT).unwrap_or_default().as_bytes());
                }
                self.story.add(format!("{pane} writes {}", bytes.escape_ascii()));
                self.stage.output(pane, &bytes);
            }
            55..=74 => {
                let line = self.dice.one(COMMANDS).unwrap_or_default();
                self.command(line);
            }
            75..=79 => {
                let Some(client) = self.dice.one(&attached) else { return };
                let size = self.size();
                self.story.add(format!("{client} is {size} now"));
                if let Some(seat) = self.stage.seats.get_mut(&client) {
                    seat.resize(size);
                }
                self.stage.arrive(Arrival::TtyResized { client, size, cell: (0, 0) });
            }
            80..=82 if attached.len() < 4 => {
                let size = self.size();
                let argv =
                    self.dice.one(&["attach", "new-session", "attach -r", "attach -d", "new-session -A -s named"]);
                self.connect(argv.unwrap_or_default(), size);
            }
            83 => {
                let Some(client) = self.dice.one(&attached) else { return };
                self.story.add(format!("{client} is gone"));
                if let Some(seat) = self.stage.seats.get_mut(&client) {
                    seat.open = false;
                }
                self.stage.arrive(Arrival::ClientGone { client });
            }
            84..=85 => {
                let Some(client) = self.dice.one(&attached) else { return };
                self.story.add(format!("{client} does not read"));
                if let Some(seat) = self.stage.seats.get_mut(&client) {
                    seat.blocked = true;
                }
            }
            86 => self.drain(),
            87..=91 => self.control(),
            92..=93 => {
                let panes: Vec<PaneId> = self.stage.world.programs.keys().copied().collect();
                let Some(pane) = self.dice.one(&panes) else { return };
                self.story.add(format!("{pane} ends"));
                let status = self.dice.one(&[ExitStatus::Code(0), ExitStatus::Code(1), ExitStatus::Signal(9)]);
                self.stage.arrive(Arrival::ChildExit { pane, status: status.unwrap_or(ExitStatus::Code(0)) });
                self.stage.arrive(Arrival::PaneEof { pane });
            }
            94..=95 => {
                let jobs: Vec<_> = self.stage.jobs.keys().copied().collect();
                let Some(job) = self.dice.one(&jobs) else { return };
                self.story.add(format!("{job} ends"));
                self.stage.jobs.remove(&job);
                let bytes = b"a line\nanother\n".to_vec();
                self.stage.arrive(Arrival::JobOutput { job, bytes });
                let status = ExitStatus::Code(self.dice.below(2) as i32);
                self.stage.arrive(Arrival::JobDone { job, status });
            }
            96 => {
                self.story.add("the next program cannot be started".to_owned());
                self.stage.refuse = Some("no more processes".to_owned());
            }
            _ => {
                let span = Span::from_millis(self.dice.below(3000) as u64);
                self.story.add(format!("{} ms pass", span.0 / 1000));
                self.pass(span);
            }
        }
        // Often several things happen before the server looks.
        if self.dice.below(3) > 0 {
            let span = Span(self.dice.below(30_000) as u64);
            self.pass(span);
        }
        if self.stage.exited {
            self.restart();
        }
    }

    fn drain(&mut self) {
        for client in self.attached() {
            let Some(seat) = self.stage.seats.get_mut(&client).filter(|s| s.blocked) else { continue };
            let replies = seat.drain();
            if !replies.is_empty() {
                self.stage.arrive(Arrival::TtyBytes { client, bytes: replies });
            }
            self.stage.arrive(Arrival::TtyDrained { client });
            self.story.add(format!("{client} reads again"));
        }
    }

    fn control(&mut self) {
        match self.dice.below(8) {
            0 => {
                let pid = self.dice.one(&[0, 1000, 1001, 77]).unwrap_or_default();
                let conn = self.stage.open_control(pid);
                self.story.add(format!("control connection {}", conn.0));
                self.conns.push(conn);
            }
            1 if !self.conns.is_empty() => {
                let at = self.dice.below(self.conns.len());
                let conn = self.conns.remove(at);
                self.story.add(format!("control connection {} closes", conn.0));
                self.stage.arrive(Arrival::ControlGone { conn });
            }
            _ => {
                let conn = match self.dice.one(&self.conns) {
                    Some(conn) => conn,
                    None => {
                        let conn = self.stage.open_control(0);
                        self.conns.push(conn);
                        conn
                    }
                };
                let line = self.dice.one(LINES).unwrap_or_default();
                self.story.add(format!("control connection {}: {line}", conn.0));
                self.stage.arrive(Arrival::ControlLine { conn, line: line.as_bytes().to_vec() });
            }
        }
    }

    /// What each client shows is what it would be shown if it had just come.
    fn compare(&mut self) {
        self.drain();
        // Longer than a frame, than a synchronised update may last, and than a repeat time.
        self.pass(Span::from_millis(1200));
        if self.stage.exited {
            return self.restart();
        }
        for client in self.attached() {
            let Some((session, size)) = self.comparable(client) else {
                self.screen(client);
                continue;
            };
            let shown = self.screen(client);
            let fresh = self.connect(&format!("attach -f ignore-size,read-only -t ={session}"), size);
            self.pass(Span::from_millis(100));
            // Commands of hooks may have changed what there is to see.
            if self.comparable(client).is_none_or(|(s, z)| s != session || z != size)
                || self.comparable(fresh).is_none()
            {
                continue;
            }
            let anew = self.screen(fresh);
            assert!(
                shown == anew,
                "{client} shows\n{}\nbut {fresh}, which has just come, is shown\n{}",
                picture(&shown),
                picture(&anew)
            );
            self.stage.arrive(Arrival::ClientGone { client: fresh });
            self.clients.retain(|c| *c != fresh);
            self.pass(Span::from_millis(20));
        }
    }

    /// The session's name and the size of a client with nothing of its own on the screen and a window that fits.
    fn comparable(&self, client: ClientId) -> Option<(String, Size)> {
        let state = &self.stage.core.state;
        let c = state.model.client(client)?;
        let session = state.model.session(c.session?)?;
        let window = state.model.window(state.model.current_window(session.id)?)?;
        let plain = state.layers.top(Host::Client(client)).is_none();
        let fits = window.size == state.room_of(c);
        (plain && fits).then(|| (session.name.clone(), c.size))
    }

    fn screen(&self, client: ClientId) -> Vec<String> {
        match self.stage.seats[&client].screen() {
            Ok(rows) => rows,
            Err(text) => panic!("{client}: {text}"),
        }
    }
}

fn stage() -> Stage {
    let files = [
        (CONFIG, "set -g status-left '[#S] '\nset -g monitor-bell off\n"),
        ("/home/ann/other.conf", "bind y next-window\nnonsense\n"),
    ];
    let files: BTreeMap<String, Vec<u8>> =
        files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    Stage::new(files)
}

fn run(seed: u64) {
    let mut simulation = Simulation::new(seed);
    for step in 0..STEPS {
        simulation.step();
        if step % COMPARE == COMPARE - 1 {
            simulation.compare();
        }
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|n| n.parse().ok())
}

#[test]
fn whatever_happens_the_server_stays_sound() {
    match number("MPLEX_SEED") {
        Some(seed) => run(seed),
        None => (0..number("MPLEX_SEEDS").unwrap_or(SEEDS)).for_each(run),
    }
}
