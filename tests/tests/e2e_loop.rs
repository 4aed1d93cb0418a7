//! The loop, the pty thread and the client, proved without the core: a stand-in that is a multiplexer of one pane runs
//! in the test, the built client attaches to it in a real pty.

#![allow(clippy::disallowed_methods)]

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::thread::JoinHandle;

use mplex::base::{ClientId, ConnId, JobId, Now, PaneId, Size, Span, Time};
use mplex::client::socket;
use mplex::core::outside::with_terminal;
use mplex::core::{Arrival, ExitStatus, Outside, Signal, Turn};
use mplex::event::{Effect, JobSpec, SpawnSpec, Stream};
use mplex::grid::Limits;
use mplex::server::{Brain, Config, run};
use mplex::term::{Notice, Terminal};
use mplex_proto::attach::{self, Decoder, Frame, ToClient, ToServer};
use mplex_tests::pty::{Home, Pty};

const PANE: PaneId = PaneId(0);
const DETACH: u8 = 0x02;

/// One pane shown to whoever attaches. C-b detaches, control lines command it.
#[derive(Default)]
struct OnePane {
    effects: Vec<Effect>,
    attached: Vec<ClientId>,
    env: Vec<(String, String)>,
    shown: Vec<u8>,
    running: bool,
    spawned: bool,
    /// What happened, for control connections to ask.
    story: Vec<String>,
    watchers: Vec<ConnId>,
    tick: Option<Time>,
    blocked: usize,
    eof: bool,
    status: Option<ExitStatus>,
}

impl OnePane {
    fn tell(&mut self, text: String) {
        for conn in &self.watchers {
            self.effects.push(Effect::ControlWrite { conn: *conn, line: text.clone() });
        }
        self.story.push(text);
    }

    /// The program is over when it ended and all it wrote was read.
    fn end_all(&mut self) {
        let (Some(status), true) = (self.status, self.eof) else { return };
        let status = match status {
            ExitStatus::Code(c) => c as u8,
            ExitStatus::Signal(_) => 128,
        };
        for client in self.attached.drain(..) {
            self.effects.push(Effect::TtyClose { client });
            self.effects.push(Effect::ClientExit { client, status, message: None });
        }
    }

    fn command(&mut self, conn: ConnId, line: &str, now: Now) {
        let words: Vec<&str> = line.trim_matches(['{', '}']).split(' ').collect();
        match words[..] {
            ["watch"] => {
                self.watchers.push(conn);
                for line in &self.story {
                    self.effects.push(Effect::ControlWrite { conn, line: line.clone() });
                }
            }
            ["exit"] => self.effects.push(Effect::Exit),
            ["tick", ms] => self.tick = Some(now.mono + Span::from_millis(ms.parse().unwrap())),
            ["suspend"] => self.effects.push(Effect::ClientSuspend { client: self.attached[0] }),
            ["lock", command] => {
                let command = command.replace('_', " ");
                self.effects.push(Effect::ClientLock { client: self.attached[0], command });
            }
            ["exec", command] => {
                let command = command.replace('_', " ");
                let client = self.attached[0];
                self.effects.push(Effect::TtyClose { client });
                self.effects.push(Effect::ClientExec { client, shell: "/bin/sh".into(), command });
            }
            ["job", text] => {
                let spec = JobSpec {
                    argv: ["/bin/sh", "-c", &text.replace('_', " ")].map(str::to_owned).to_vec(),
                    cwd: "/".into(),
                    env: self.env.clone(),
                    stdin: true,
                    stdout: true,
                    merge_stderr: true,
                };
                self.effects.push(Effect::JobStart { job: JobId(1), spec });
                self.effects.push(Effect::JobWrite { job: JobId(1), bytes: b"in\n".to_vec() });
                self.effects.push(Effect::JobEof { job: JobId(1) });
            }
            ["jobkill"] => self.effects.push(Effect::JobKill { job: JobId(1) }),
            ["close"] => self.effects.push(Effect::PtyClose { pane: PANE }),
            _ => self.effects.push(Effect::ControlWrite { conn, line: format!("echo {line}") }),
        }
    }
}

impl Brain for OnePane {
    fn step(&mut self, arrival: Arrival, now: Now, out: &mut dyn Outside) {
        match arrival {
            Arrival::Connected { client, hello } => {
                self.env = hello.env.clone();
                let Some(tty) = &hello.tty else {
                    // A command client: says its arguments, reads its input.
                    let text = format!("{}\n", hello.argv.join(" "));
                    self.effects.push(Effect::ClientOut { client, stream: Stream::Out, bytes: text.into_bytes() });
                    if hello.argv.first().is_some_and(|a| a == "cat") {
                        self.effects.push(Effect::ClientStdin { client });
                    } else {
                        let status = u8::try_from(hello.argv.len()).unwrap();
                        self.effects.push(Effect::ClientExit { client, status, message: None });
                    }
                    return;
                };
                self.attached.push(client);
                self.effects.push(Effect::TtyOpen { client });
                self.effects.push(Effect::TtyWrite { client, bytes: b"\x1b[?1049h\x1b[2J\x1b[H".to_vec() });
                self.effects.push(Effect::TtyWrite { client, bytes: self.shown.clone() });
                if !self.spawned {
                    self.spawned = true;
                    out.open_terminal(PANE, Terminal::new(tty.size, Limits::default()));
                    self.effects.push(Effect::PtyTap { pane: PANE, on: true });
                    let spec = SpawnSpec {
                        argv: hello.argv.clone(),
                        argv0: Some("-inner".into()),
                        cwd: "/nonexistent".into(),
                        env: hello.env.clone(),
                        size: tty.size,
                    };
                    self.effects.push(Effect::Spawn { pane: PANE, spec });
                }
            }
            Arrival::ClientGone { client } => {
                if let Some(at) = self.attached.iter().position(|c| *c == client) {
                    self.attached.remove(at);
                    self.effects.push(Effect::TtyWrite { client, bytes: b"\x1b[?1049l".to_vec() });
                    self.effects.push(Effect::TtyClose { client });
                }
                self.tell(format!("gone {client}"));
            }
            Arrival::TtyBytes { client, bytes } => {
                if bytes.contains(&DETACH) {
                    self.attached.retain(|c| *c != client);
                    self.effects.push(Effect::TtyWrite { client, bytes: b"\x1b[?1049l".to_vec() });
                    self.effects.push(Effect::TtyClose { client });
                    let message = Some("[detached (from session x)]".into());
                    self.effects.push(Effect::ClientExit { client, status: 0, message });
                } else {
                    self.effects.push(Effect::PtyWrite { pane: PANE, bytes });
                }
            }
            Arrival::TtyResized { client, size, .. } => {
                if self.running {
                    self.effects.push(Effect::PtyResize { pane: PANE, size });
                }
                self.tell(format!("size {client} {size}"));
            }
            Arrival::TtyBlocked { .. } => self.blocked += 1,
            Arrival::TtyDrained { client } => {
                self.blocked -= 1;
                // What was left out meanwhile.
                self.effects.push(Effect::TtyWrite { client, bytes: self.shown.clone() });
            }
            Arrival::TtyResumed { client } => {
                self.effects.push(Effect::TtyWrite { client, bytes: b"\x1b[2Jresumed".to_vec() });
                self.tell(format!("resumed {client}"));
            }
            Arrival::ClientStdin { client, bytes, eof } => {
                self.effects.push(Effect::ClientOut { client, stream: Stream::Err, bytes });
                if eof {
                    self.effects.push(Effect::ClientExit { client, status: 7, message: Some("eof".into()) });
                }
            }
            Arrival::ControlOpened { .. } => {}
            Arrival::ControlLine { conn, line } => {
                self.command(conn, &String::from_utf8_lossy(&line), now);
            }
            Arrival::ControlTooLong { conn, seen } => {
                self.effects.push(Effect::ControlWrite { conn, line: format!("too long {seen}") });
            }
            Arrival::ControlGone { conn } => self.watchers.retain(|c| *c != conn),
            Arrival::Spawned { tty, .. } => {
                self.running = true;
                self.tell(format!("spawned {}", tty.starts_with("/dev/")));
            }
            Arrival::ClientBlocked { .. } | Arrival::ClientDrained { .. } => {}
            Arrival::SpawnFailed { error, .. } | Arrival::ExecFailed { error, .. } => {
                self.tell(format!("failed {error}"));
            }
            Arrival::PaneMoved { replies, notices, .. } => {
                self.effects.push(Effect::PtyWrite { pane: PANE, bytes: replies });
                if notices.iter().any(|n| matches!(n, Notice::Title(_))) {
                    let title = with_terminal(out, PANE, |t| t.title().to_owned());
                    self.tell(format!("title {title:?}"));
                }
            }
            Arrival::PaneOutput { bytes, .. } => {
                for client in &self.attached {
                    if self.blocked == 0 {
                        self.effects.push(Effect::TtyWrite { client: *client, bytes: bytes.clone() });
                    }
                }
                self.shown.extend_from_slice(&bytes);
                let cut = self.shown.len().saturating_sub(4096);
                self.shown.drain(..cut);
            }
            Arrival::PaneEof { .. } => {
                self.eof = true;
                self.end_all();
            }
            Arrival::ChildExit { status, .. } => {
                let process = out.process(PANE).is_some();
                self.tell(format!("exit {status:?} {process}"));
                self.status = Some(status);
                self.end_all();
            }
            Arrival::JobOutput { bytes, .. } => self.tell(format!("job {}", String::from_utf8_lossy(&bytes).trim())),
            Arrival::JobDone { status, .. } => self.tell(format!("jobdone {status:?}")),
            Arrival::JobFailed { error, .. } => self.tell(format!("jobfailed {error}")),
            Arrival::Signal(Signal::Terminate) => self.effects.push(Effect::Exit),
            Arrival::Tick => {
                if self.tick.is_some_and(|t| t <= now.mono) {
                    self.tick = None;
                    self.tell("tick".into());
                }
            }
        }
    }

    fn turn(&mut self, _: Now, _: &mut dyn Outside) -> Turn {
        Turn { effects: std::mem::take(&mut self.effects), deadline: self.tick }
    }
}

/// A server of the stand-in, in this process.
struct Stand {
    home: Home,
    path: PathBuf,
    thread: Option<JoinHandle<()>>,
}

impl Stand {
    fn new() -> Stand {
        let home = Home::new();
        let path = home.dir().join("s");
        let listener = socket::bind(&path).unwrap();
        let config = Config { listener, path: path.clone(), verbose: false };
        let thread = std::thread::spawn(move || run(config, OnePane::default()).unwrap());
        Stand { home, path, thread: Some(thread) }
    }

    fn attach(&self, argv: &[&str]) -> Pty {
        self.home.open(&[&["-S", self.path.to_str().unwrap()], argv].concat(), 80, 24)
    }

    fn control(&self) -> Control {
        let stream = UnixStream::connect(&self.path).unwrap();
        stream.set_read_timeout(Some(mplex_tests::pty::PATIENCE)).unwrap();
        Control(BufReader::new(stream))
    }

    fn watch(&self) -> Control {
        let mut control = self.control();
        control.say("{watch}");
        control
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        if let Ok(mut stream) = UnixStream::connect(&self.path) {
            let _ = stream.write_all(b"{exit}\n");
        }
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking(), "the loop panicked");
            assert!(!self.path.exists() || std::thread::panicking(), "the socket is removed at the end");
        }
    }
}

struct Control(BufReader<UnixStream>);

impl Control {
    fn say(&mut self, line: &str) {
        self.0.get_mut().write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("a line in time");
        line.trim_end().to_owned()
    }

    #[track_caller]
    fn until(&mut self, wanted: &str) {
        let mut seen = Vec::new();
        loop {
            let line = self.line();
            if line == wanted {
                return;
            }
            assert!(!line.is_empty(), "waited for {wanted:?}, saw {seen:?} and the end");
            seen.push(line);
        }
    }
}

fn is_raw(pty: &Pty) -> bool {
    !pty.modes().unwrap().local_modes.contains(rustix::termios::LocalModes::ICANON)
}

#[test]
fn attach_type_detach_attach_again() {
    let stand = Stand::new();
    let mut a = stand.attach(&["cat"]);
    a.send("hello\r");
    a.wait("the line and its echo", |p| p.text().matches("hello").count() == 2);
    assert!(is_raw(&a), "the terminal is raw while attached");
    a.send([DETACH]);
    assert_eq!(a.exit_status(), 0);
    assert!(a.text().contains("[detached (from session x)]"), "{}", a.text());
    assert!(!is_raw(&a), "the modes are back");
    let mut b = stand.attach(&["ignored"]);
    b.wait_for("hello");
    b.send("again\r");
    b.wait("both lines", |p| p.text().matches("again").count() == 2);
}

#[test]
fn the_window_size_reaches_the_program() {
    let stand = Stand::new();
    let mut watch = stand.watch();
    let mut a = stand.attach(&["sh", "-c", "trap 'stty size' WINCH; stty size; while :; do read x; done"]);
    a.wait_for("24 80");
    a.resize(100, 30);
    watch.until(&format!("size {} {}", ClientId(1), Size::new(100, 30)));
    a.wait_for("30 100");
}

#[test]
fn the_program_ends_with_its_status_and_the_client_too() {
    let stand = Stand::new();
    let mut watch = stand.watch();
    let mut a = stand.attach(&["sh", "-c", "tty; ps -o args= -p $$; exit 3"]);
    assert_eq!(a.exit_status(), 3);
    assert!(a.text().contains("[exited]"), "{}", a.text());
    assert!(String::from_utf8_lossy(&a.bytes).contains("-inner -c"), "argv0 is given: {}", a.text());
    watch.until("spawned true");
    watch.until("exit Code(3) false");
}

#[test]
fn a_program_that_cannot_start_is_told_of() {
    let stand = Stand::new();
    let mut watch = stand.watch();
    let _a = stand.attach(&["/nonexistent/program"]);
    watch.until("failed /nonexistent/program: No such file or directory");
}

#[test]
fn a_killed_client_leaves_the_program_and_the_terminal_whole() {
    let stand = Stand::new();
    let mut watch = stand.watch();
    let mut a = stand.attach(&["cat"]);
    a.send("one\r");
    a.wait("the echo", |p| p.text().matches("one").count() == 2);
    a.kill(rustix::process::Signal::KILL);
    watch.until(&format!("gone {}", ClientId(1)));
    // The server put the terminal in order for it.
    a.wait("the modes back", |p| !is_raw(p));
    let mut b = stand.attach(&["ignored"]);
    b.wait_for("one");
}

#[test]
fn a_terminated_client_puts_the_screen_in_order() {
    let stand = Stand::new();
    let mut a = stand.attach(&["cat"]);
    a.send("one\r");
    a.wait("the echo", |p| p.text().matches("one").count() == 2);
    assert!(a.screen().alternate_screen());
    a.kill(rustix::process::Signal::TERM);
    assert_eq!(a.exit_status(), 1);
    assert!(a.text().contains("[terminated]"), "{}", a.text());
    assert!(!a.screen().alternate_screen() && !is_raw(&a));
}

#[test]
fn suspend_and_lock_give_the_terminal_back_and_forth() {
    let stand = Stand::new();
    let mut watch = stand.watch();
    let mut a = stand.attach(&["cat"]);
    a.send("one\r");
    a.wait("the echo", |p| p.text().matches("one").count() == 2);
    let mut control = stand.control();
    control.say("{lock stty_-a;_echo_locked}");
    watch.until(&format!("resumed {}", ClientId(1)));
    a.wait_for("resumed");
    assert!(String::from_utf8_lossy(&a.bytes).contains(" icanon"), "the lock's program had the modes from before");
    assert!(is_raw(&a));
    control.say("{suspend}");
    a.wait("the modes from before", |p| !is_raw(p));
    a.kill(rustix::process::Signal::CONT);
    watch.until(&format!("resumed {}", ClientId(1)));
    a.send("two\r");
    a.wait("the echo", |p| p.text().matches("two").count() == 2);
}

#[test]
fn a_client_becomes_a_command() {
    let stand = Stand::new();
    let mut a = stand.attach(&["cat"]);
    a.send("one\r");
    a.wait("the echo", |p| p.text().matches("one").count() == 2);
    stand.control().say("{exec echo_became;_exit_4}");
    assert_eq!(a.exit_status(), 4);
    assert!(a.text().contains("became"), "{}", a.text());
}

#[test]
fn the_terminal_answers_and_tells() {
    let stand = Stand::new();
    let mut watch = stand.watch();
    let ask =
        "stty raw -echo; printf '\\033]2;name\\007ab\\033[6n'; dd bs=1 count=6 2>/dev/null | od -An -c; sleep 1000";
    let mut a = stand.attach(&["sh", "-c", ask]);
    watch.until("title Some(\"name\")");
    a.wait_for("033   [   1   ;   3   R");
}

#[test]
fn a_flood_does_not_keep_keys_out() {
    let stand = Stand::new();
    let mut a = stand.attach(&["sh", "-c", "yes flood & read x; kill $!; wait; echo; echo got $x; read y"]);
    a.wait_for("flood");
    a.send("key\r");
    a.wait_for("got key");
}

#[test]
fn a_program_that_does_not_read_holds_nobody_up() {
    let stand = Stand::new();
    let mut a = stand.attach(&["sh", "-c", "stty raw -echo; echo ready; exec sleep 1000"]);
    a.wait_for("ready");
    a.send(vec![b'x'; 1 << 20]);
    let mut control = stand.control();
    control.say("{ping}");
    assert_eq!(control.line(), "echo {ping}");
}

#[test]
fn command_clients_print_read_and_end() {
    let stand = Stand::new();
    let socket = stand.path.to_str().unwrap();
    let out = stand.home.run(&["-S", socket, "a", "b"]);
    assert_eq!((out.stdout, out.status.code()), (b"a b\n".to_vec(), Some(2)));
    let out = stand.home.run(&["-S", socket, "cat"]);
    assert_eq!((out.stderr, out.status.code()), (b"eof\n".to_vec(), Some(7)));
}

#[test]
fn control_lines_are_answered_and_capped() {
    let stand = Stand::new();
    let mut control = stand.control();
    control.say("{a}");
    assert_eq!(control.line(), "echo {a}");
    control.say(&format!("{{{}", "x".repeat(1 << 20)));
    assert_eq!(control.line(), format!("too long {}", (1 << 20) + 1));
    control.say("{b}");
    assert_eq!(control.line(), "echo {b}");
}

#[test]
fn another_version_and_strangers_get_a_sentence() {
    let stand = Stand::new();
    for (bytes, expect) in [
        (b"\xb7MPX\x00\x63".as_slice(), "protocol version mismatch (client 99, server 1)"),
        (b"\xb7MPX\x00\x01\x05\0\0\0\0", "no hello"),
        (b"\xb7MPX\x00\x01\x01\xff\xff\xff\xff", "too long"),
        (b"GET / HTTP/1.1\r\n\r\n", "not the attach protocol"),
    ] {
        let mut stream = UnixStream::connect(&stand.path).unwrap();
        stream.set_read_timeout(Some(mplex_tests::pty::PATIENCE)).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        assert!(answer.starts_with(b"\xb7MPX\0\x01"));
        assert!(String::from_utf8_lossy(&answer).contains(expect), "{:?}", String::from_utf8_lossy(&answer));
    }
}

#[test]
fn a_terminal_that_cannot_be_passed_is_relayed() {
    let stand = Stand::new();
    let mut stream = UnixStream::connect(&stand.path).unwrap();
    stream.set_read_timeout(Some(mplex_tests::pty::PATIENCE)).unwrap();
    let mut bytes = attach::preface().to_vec();
    let tty = attach::Tty { path: "/dev/pts/999".into(), term: "xterm".into(), size: (80, 24), cell: (0, 0) };
    let hello =
        attach::Hello { argv: vec!["cat".into()], env: stand.home.env(), tty: Some(tty), ..attach::Hello::default() };
    ToServer::Hello(Box::new(hello)).encode(&mut bytes);
    ToServer::TtyIn(b"too early".to_vec()).encode(&mut bytes);
    stream.write_all(&bytes).unwrap();
    let mut relayed = Relayed { stream, decoder: Decoder::default(), greeted: false };
    assert_eq!(relayed.frame(), ToClient::Relay);
    relayed.send(&ToServer::TtyIn(b"hello\r".to_vec()));
    let mut drawn = String::new();
    while drawn.matches("hello").count() < 2 {
        let ToClient::TtyOut(bytes) = relayed.frame() else { panic!("only output is expected") };
        drawn.push_str(&String::from_utf8_lossy(&bytes));
    }
    assert!(!drawn.contains("too early"));
    relayed.send(&ToServer::TtyIn(vec![DETACH]));
    let mut last = Vec::new();
    while !matches!(last.last(), Some(ToClient::Exit { .. })) {
        last.push(relayed.frame());
    }
    let message = Some("[detached (from session x)]".into());
    assert_eq!(
        last,
        [ToClient::TtyOut(b"\x1b[?1049l".to_vec()), ToClient::Detached, ToClient::Exit { status: 0, message }]
    );
}

/// A client by hand.
struct Relayed {
    stream: UnixStream,
    decoder: Decoder,
    greeted: bool,
}

impl Relayed {
    fn send(&mut self, frame: &ToServer) {
        let mut bytes = Vec::new();
        frame.encode(&mut bytes);
        self.stream.write_all(&bytes).unwrap();
    }

    fn frame(&mut self) -> ToClient {
        loop {
            if !self.greeted && self.decoder.rest().len() >= attach::PREFACE {
                self.decoder.skip(attach::PREFACE);
                self.greeted = true;
            }
            if self.greeted
                && let Some(frame) = self.decoder.take().unwrap()
            {
                return frame;
            }
            let mut buf = [0; 4096];
            let n = self.stream.read(&mut buf).unwrap();
            assert!(n > 0, "the server closed the connection");
            self.decoder.push(&buf[..n]);
        }
    }
}

#[test]
fn jobs_get_input_give_output_and_are_ended() {
    let stand = Stand::new();
    // The stand-in gives jobs the environment of its last client.
    stand.home.run(&["-S", stand.path.to_str().unwrap(), "hello"]);
    let mut watch = stand.watch();
    let mut control = stand.control();
    control.say("{job read_x;_echo_$x_>&2;_exit_5}");
    watch.until("job in");
    watch.until("jobdone Code(5)");
    control.say("{job exec_sleep_1000}");
    control.say("{jobkill}");
    watch.until("jobdone Signal(15)");
}

#[test]
fn deadlines_come_and_nothing_else() {
    let stand = Stand::new();
    let mut watch = stand.watch();
    stand.control().say("{tick 30}");
    watch.until("tick");
}

#[test]
fn closing_a_pane_hangs_its_program_up() {
    let stand = Stand::new();
    let mut a = stand.attach(&["sh", "-c", "trap 'echo hup > hup; exit' HUP; echo ready; while :; do read x; done"]);
    a.wait_for("ready");
    let mut watch = stand.watch();
    stand.control().say("{close}");
    stand.control().say("{tick 1}");
    watch.until("tick");
    let marked = std::time::Instant::now() + mplex_tests::pty::PATIENCE;
    // The program's directory is its home: the wanted one is not there.
    while !stand.home.dir().join("hup").exists() {
        assert!(std::time::Instant::now() < marked, "the program was not hung up");
        a.read(std::time::Duration::from_millis(10));
    }
}
