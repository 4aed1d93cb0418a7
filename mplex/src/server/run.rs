//! The loop.
//!
//! Polling is edge-triggered: a source that was not read to its end is put on a list and looked at again next turn, so
//! that one busy source cannot hold the others up. Limits: [`CONTROL`] control connections and [`CONNECTIONS`] in all;
//! [`ROUNDS`] rounds of the brain per turn; [`INPUT`] bytes of input wait for a program, and for a job.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Token, Waker};
use mplex_proto::attach::{self, CHUNK, Frame, ToClient, ToServer};
use rustc_hash::{FxHashMap, FxHashSet};
use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, kill_process_group, waitpid};

use super::client::{Client, Door, Reach, Stage, TTY_QUEUE};
use super::conn::{Attach, Conn, Face, Got, Line, Lines, QUEUE, peer_of, receive};
use super::log::{Log, note_panics};
use super::pty::{Feed, PtyThread};
use super::queue::{Flow, Queue};
use super::signals::{Signals, Told};
use super::world::{Pty, World};
use super::{Brain, Config, spawn};
use crate::base::{ClientId, ConnId, JobId, Now, PaneId, Size, Span, Time, Wall};
use crate::client::socket;
use crate::core::{Arrival, ExitStatus, Hello, Signal, TtyInfo};
use crate::event::{Effect, SpawnSpec, Stream};

const CONTROL: usize = 256;
const CONNECTIONS: usize = 1024;
const ROUNDS: usize = 32;
const INPUT: usize = 16 << 20;
/// How often one source is read per turn.
const READS: usize = 4;
/// How long a terminal that does not read may hold up the end of its client.
const PATIENCE: Span = Span::from_millis(500);
/// How long we wait to accept again when the process has no descriptor left.
const BREATHE: Span = Span::from_secs(1);

/// What a token stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Listener,
    Signals,
    Panes,
    Conn(u32),
    Tty(ClientId),
    PtyInput(PaneId),
    JobOut(JobId),
    JobIn(JobId),
}

impl Source {
    fn token(self) -> Token {
        let (kind, id) = match self {
            Source::Listener => (0, 0),
            Source::Signals => (1, 0),
            Source::Panes => (2, 0),
            Source::Conn(n) => (3, n),
            Source::Tty(c) => (4, c.0),
            Source::PtyInput(p) => (5, p.0),
            Source::JobOut(j) => (6, j.0),
            Source::JobIn(j) => (7, j.0),
        };
        Token((kind as usize) << 32 | id as usize)
    }

    fn of(token: Token) -> Option<Source> {
        let id = token.0 as u32;
        Some(match token.0 >> 32 {
            0 => Source::Listener,
            1 => Source::Signals,
            2 => Source::Panes,
            3 => Source::Conn(id),
            4 => Source::Tty(ClientId(id)),
            5 => Source::PtyInput(PaneId(id)),
            6 => Source::JobOut(JobId(id)),
            7 => Source::JobIn(JobId(id)),
            _ => return None,
        })
    }
}

/// A background job.
struct Job {
    pid: Pid,
    input: Queue,
    stdin: Option<OwnedFd>,
    /// Close standard input once `input` is empty.
    eof: bool,
    waiting: bool,
    stdout: Option<OwnedFd>,
    status: Option<ExitStatus>,
}

struct Server<B> {
    brain: B,
    poll: Poll,
    start: Instant,
    now: Now,
    world: World,
    pty: PtyThread,
    signals: Signals,
    listener: UnixListener,
    path: PathBuf,
    log: Log,
    conns: FxHashMap<u32, Conn>,
    last_conn: u32,
    clients: FxHashMap<ClientId, Client>,
    last_client: u32,
    jobs: FxHashMap<JobId, Job>,
    /// Programs of panes that were closed: reaped, not told of.
    orphans: Vec<Pid>,
    taps: FxHashSet<PaneId>,
    paused: FxHashSet<PaneId>,
    arrivals: VecDeque<Arrival>,
    /// Sources that may have more to read.
    again: VecDeque<Source>,
    /// Connections with something to send.
    dirty: Vec<u32>,
    accept_at: Option<Time>,
    ending: bool,
    buf: Vec<u8>,
}

/// Runs a server until the brain says [`Effect::Exit`]. The error is of the start: later ones end what they concern.
pub fn run<B: Brain>(config: Config, brain: B) -> io::Result<()> {
    let poll = Poll::new()?;
    let waker = Waker::new(poll.registry(), Source::Panes.token())?;
    note_panics(&config.path);
    config.listener.set_nonblocking(true)?;
    let pty = PtyThread::start(waker)?;
    let catcher = Some(pty.catcher());
    let mut server = Server {
        brain,
        pty,
        poll,
        start: Instant::now(),
        now: Now::default(),
        world: World { catcher, ..World::default() },
        signals: Signals::catch()?,
        listener: config.listener,
        path: config.path,
        log: if config.verbose { Log::open()? } else { Log::default() },
        conns: FxHashMap::default(),
        last_conn: 0,
        clients: FxHashMap::default(),
        last_client: 0,
        jobs: FxHashMap::default(),
        orphans: Vec::new(),
        taps: FxHashSet::default(),
        paused: FxHashSet::default(),
        arrivals: VecDeque::new(),
        again: VecDeque::new(),
        dirty: Vec::new(),
        accept_at: None,
        ending: false,
        buf: vec![0; CHUNK],
    };
    server.listen(server.signals.fd(), Source::Signals)?;
    server.listen(server.listener.as_raw_fd(), Source::Listener)?;
    server.log.say(format!("listening on {}", server.path.display()));
    server.serve();
    server.end();
    Ok(())
}

impl<B: Brain> Server<B> {
    fn serve(&mut self) {
        let mut events = Events::with_capacity(256);
        let mut deadline = self.turn();
        while !self.ending {
            let timeout = self.timeout(deadline);
            match self.poll.poll(&mut events, timeout) {
                Ok(()) => {}
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => {
                    self.log.say(format!("polling failed: {e}"));
                    return;
                }
            }
            self.read_clocks();
            let again: Vec<Source> = self.again.drain(..).collect();
            for event in &events {
                if let Some(source) = Source::of(event.token())
                    && !again.contains(&source)
                {
                    self.ready(source);
                }
            }
            for source in again {
                self.ready(source);
            }
            self.overdue();
            if self.arrivals.is_empty() && deadline.is_some_and(|d| d <= self.now.mono) {
                self.arrivals.push_back(Arrival::Tick);
            }
            if !self.arrivals.is_empty() {
                deadline = self.turn();
            }
            self.flush_dirty();
        }
    }

    fn read_clocks(&mut self) {
        let mono = Time(u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX));
        let wall = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs());
        self.now = Now { mono, wall: Wall(wall.cast_signed()) };
    }

    /// How long polling may sleep: not at all while there is work, for ever when nobody waits.
    fn timeout(&mut self, deadline: Option<Time>) -> Option<Duration> {
        if !self.again.is_empty() || !self.arrivals.is_empty() {
            return Some(Duration::ZERO);
        }
        let closing = self.clients.values().filter_map(|c| match c.stage {
            Stage::Closing(t) | Stage::Yielding(t) => Some(t),
            _ => None,
        });
        let first = closing.chain(deadline).chain(self.accept_at).min()?;
        self.read_clocks();
        Some(Duration::from_micros((first - self.now.mono).0))
    }

    /// Tells the brain what arrived and does what it wants, until nothing more comes of it.
    fn turn(&mut self) -> Option<Time> {
        let mut deadline = None;
        for _ in 0..ROUNDS {
            while let Some(arrival) = self.arrivals.pop_front() {
                self.brain.step(arrival, self.now, &mut self.world);
            }
            let turn = self.brain.turn(self.now, &mut self.world);
            deadline = turn.deadline;
            for effect in turn.effects {
                self.carry_out(effect);
            }
            self.see_off();
            self.flush_dirty();
            if self.arrivals.is_empty() || self.ending {
                break;
            }
        }
        deadline
    }

    fn ready(&mut self, source: Source) {
        match source {
            Source::Listener => self.accept(),
            Source::Signals => self.signal(),
            Source::Panes => self.panes(),
            Source::Conn(n) => {
                if self.conns.get(&n).is_some_and(|c| c.waiting) {
                    self.dirty.push(n);
                }
                self.read_conn(n);
            }
            Source::Tty(client) => {
                if self.clients.get(&client).is_some_and(|c| c.waiting) {
                    self.flush_tty(client);
                }
                self.read_tty(client);
            }
            Source::PtyInput(pane) => self.flush_pty(pane),
            Source::JobOut(job) => self.read_job(job),
            Source::JobIn(job) => self.flush_job(job),
        }
    }

    /// What is due by time and not by an event.
    fn overdue(&mut self) {
        if self.accept_at.is_some_and(|t| t <= self.now.mono) {
            self.accept_at = None;
            self.accept();
        }
        let now = self.now.mono;
        let late: Vec<ClientId> = self
            .clients
            .iter()
            .filter(|(_, c)| matches!(c.stage, Stage::Closing(t) | Stage::Yielding(t) if t <= now))
            .map(|(id, _)| *id)
            .collect();
        for id in late {
            if let Some(client) = self.clients.get_mut(&id) {
                client.out.clear();
            }
            self.free_tty(id);
        }
    }

    // Polling.

    fn listen(&self, fd: RawFd, source: Source) -> io::Result<()> {
        self.poll.registry().register(&mut SourceFd(&fd), source.token(), Interest::READABLE)
    }

    /// Polls for writing too, or no more.
    fn listen_both(&self, fd: RawFd, source: Source, both: bool) {
        let interest = if both { Interest::READABLE | Interest::WRITABLE } else { Interest::READABLE };
        // Only a closed descriptor fails here, and its reading side says so.
        let _ = self.poll.registry().reregister(&mut SourceFd(&fd), source.token(), interest);
    }

    fn forget(&self, fd: impl AsFd) {
        let _ = self.poll.registry().deregister(&mut SourceFd(&fd.as_fd().as_raw_fd()));
    }

    fn read_again(&mut self, source: Source) {
        if !self.again.contains(&source) {
            self.again.push_back(source);
        }
    }

    // Connections.

    fn accept(&mut self) {
        for _ in 0..64 {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return,
                Err(e) => {
                    self.log.say(format!("accepting a connection failed: {e}"));
                    self.accept_at = Some(self.now.mono + BREATHE);
                    return;
                }
            };
            let Ok(peer) = peer_of(&stream) else { continue };
            // Root may do anything anyway; everybody else is kept out, whatever the file's mode says.
            if peer.uid != 0 && peer.uid != rustix::process::geteuid().as_raw() {
                self.log.say(format!("refused user {}", peer.uid));
                continue;
            }
            if self.conns.len() >= CONNECTIONS {
                self.log.say("refused a connection: too many");
                continue;
            }
            self.last_conn += 1;
            let n = self.last_conn;
            if stream.set_nonblocking(true).is_err() || self.listen(stream.as_raw_fd(), Source::Conn(n)).is_err() {
                continue;
            }
            let conn = Conn { stream, peer, face: Face::New, out: Queue::default(), waiting: false, closing: false };
            self.conns.insert(n, conn);
        }
        self.read_again(Source::Listener);
    }

    fn read_conn(&mut self, n: u32) {
        for _ in 0..READS {
            let Some(conn) = self.conns.get_mut(&n) else { return };
            let mut passed = None;
            let got = receive(&conn.stream, &mut self.buf, &mut passed);
            let bytes = match got {
                Got::Later => return,
                Got::End => return self.drop_conn(n),
                Got::Bytes(len) => self.buf[..len].to_vec(),
            };
            if matches!(conn.face, Face::New) {
                if bytes[0] == b'{' {
                    conn.face = Face::Control(Lines::default());
                    if !self.open_control(n) {
                        return;
                    }
                } else {
                    conn.face = Face::Attach(Attach::default());
                    // Our preface at once: a client of another version knows what it met.
                    conn.out.push(attach::preface().to_vec());
                    self.dirty.push(n);
                }
            }
            let Some(conn) = self.conns.get_mut(&n) else { return };
            if conn.closing {
                // Nothing is expected any more, but its end is.
                continue;
            }
            match &mut conn.face {
                Face::New => {}
                Face::Control(lines) => {
                    let conn = ConnId(n);
                    let arrivals = &mut self.arrivals;
                    lines.push(&bytes, |line| {
                        arrivals.push_back(match line {
                            Line::Whole(line) => Arrival::ControlLine { conn, line },
                            Line::TooLong(seen) => Arrival::ControlTooLong { conn, seen },
                        });
                    });
                }
                Face::Attach(a) => {
                    if a.passed.is_none() && a.client.is_none() {
                        a.passed = passed;
                    }
                    a.decoder.push(&bytes);
                    self.read_frames(n);
                }
            }
        }
        self.read_again(Source::Conn(n));
    }

    fn open_control(&mut self, n: u32) -> bool {
        let Some(conn) = self.conns.get(&n) else { return false };
        let peer = conn.peer;
        let open = self.conns.values().filter(|c| matches!(c.face, Face::Control(_)) && !c.closing).count();
        if open > CONTROL {
            self.control_line(
                n,
                "{\"id\":null,\"error\":{\"code\":\"too_many\",\"message\":\"too many control connections\"}}",
            );
            self.close_conn(n);
            return false;
        }
        self.arrivals.push_back(Arrival::ControlOpened { conn: ConnId(n), peer });
        true
    }

    fn control_line(&mut self, n: u32, line: &str) {
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        self.queue(n, bytes);
    }

    fn read_frames(&mut self, n: u32) {
        loop {
            let Some(Conn { face: Face::Attach(a), .. }) = self.conns.get_mut(&n) else { return };
            if !a.greeted {
                match attach::read_preface(a.decoder.rest()) {
                    Ok(None) => return,
                    Ok(Some(version)) => {
                        a.decoder.skip(attach::PREFACE);
                        a.greeted = true;
                        if version != attach::VERSION {
                            let text = attach::mismatch(version, attach::VERSION);
                            self.log.say(&text);
                            self.send(n, &ToClient::Mismatch(text));
                            return self.close_conn(n);
                        }
                    }
                    Err(e) => return self.refuse(n, &e.to_string()),
                }
                continue;
            }
            match a.decoder.take::<ToServer>() {
                Ok(None) => return,
                Ok(Some(frame)) => self.frame(n, frame),
                Err(e) => return self.refuse(n, &e.to_string()),
            }
        }
    }

    /// The peer is told why, and let go.
    fn refuse(&mut self, n: u32, why: &str) {
        self.log.say(format!("connection {n}: {why}"));
        self.send(n, &ToClient::Mismatch(format!("refused by the server: {why}")));
        self.client_gone(n);
        self.close_conn(n);
    }

    fn frame(&mut self, n: u32, frame: ToServer) {
        let Some(Conn { face: Face::Attach(a), peer, .. }) = self.conns.get_mut(&n) else { return };
        let peer = *peer;
        let Some(id) = a.client else {
            let ToServer::Hello(hello) = frame else { return self.refuse(n, "no hello") };
            let passed = a.passed.take();
            self.last_client += 1;
            let id = ClientId(self.last_client);
            a.client = Some(id);
            return self.connected(n, id, *hello, passed, peer.uid);
        };
        match frame {
            ToServer::Hello(_) => self.refuse(n, "a second hello"),
            ToServer::Resize { size, cell } => {
                let size = Size::new(size.0.clamp(1, 10_000), size.1.clamp(1, 10_000));
                self.arrivals.push_back(Arrival::TtyResized { client: id, size, cell });
            }
            ToServer::Stdin { bytes, eof } => self.arrivals.push_back(Arrival::ClientStdin { client: id, bytes, eof }),
            ToServer::TtyIn(bytes) => {
                let relayed = self.clients.get(&id).is_some_and(|c| matches!(c.reach, Reach::Relay));
                let open = self.clients.get(&id).is_some_and(|c| c.stage == Stage::Open);
                if relayed && open {
                    self.arrivals.push_back(Arrival::TtyBytes { client: id, bytes });
                }
            }
            ToServer::Resumed => self.resumed(id),
            ToServer::Exiting => self.client_gone(n),
        }
    }

    fn connected(&mut self, n: u32, id: ClientId, hello: attach::Hello, passed: Option<OwnedFd>, uid: u32) {
        let reach = match (&hello.tty, passed) {
            (None, _) => Reach::None,
            (Some(_), passed) => passed.and_then(Door::of).map_or(Reach::Relay, Reach::Direct),
        };
        let tty = hello.tty.map(|t| TtyInfo {
            path: t.path,
            term: t.term,
            size: Size::new(t.size.0.clamp(1, 10_000), t.size.1.clamp(1, 10_000)),
            cell: t.cell,
        });
        let client = Client {
            conn: n,
            reach,
            stage: Stage::Closed,
            out: Queue::default(),
            waiting: false,
            blocked: false,
            after: Vec::new(),
            gone: false,
        };
        self.clients.insert(id, client);
        let hello = Hello {
            argv: hello.argv,
            pid: hello.pid,
            uid,
            cwd: hello.cwd,
            env: hello.env,
            tty,
            control: hello.control,
            features: hello.features,
            config: hello.config,
            as_tmux: hello.as_tmux,
        };
        self.arrivals.push_back(Arrival::Connected { client: id, hello: Box::new(hello) });
    }

    /// Queues bytes for a connection; one that does not read is let go.
    fn queue(&mut self, n: u32, bytes: Vec<u8>) {
        let Some(conn) = self.conns.get_mut(&n) else { return };
        if conn.closing && conn.out.is_empty() {
            return;
        }
        if conn.out.len() + bytes.len() > QUEUE {
            self.log.say(format!("connection {n} does not read: let go"));
            return self.drop_conn(n);
        }
        conn.out.push(bytes);
        self.dirty.push(n);
    }

    fn send(&mut self, n: u32, frame: &ToClient) {
        let mut bytes = Vec::new();
        frame.encode(&mut bytes);
        self.queue(n, bytes);
    }

    fn flush_dirty(&mut self) {
        let mut dirty = std::mem::take(&mut self.dirty);
        dirty.sort_unstable();
        dirty.dedup();
        for n in dirty {
            self.flush_conn(n);
        }
    }

    fn flush_conn(&mut self, n: u32) {
        let Some(conn) = self.conns.get_mut(&n) else { return };
        match conn.out.write_to(&conn.stream) {
            Ok(flow) => {
                let wait = flow == Flow::Blocked;
                let fd = conn.stream.as_raw_fd();
                if conn.waiting != wait {
                    conn.waiting = wait;
                    if let Face::Attach(Attach { client: Some(client), .. }) = conn.face {
                        self.arrivals.push_back(match wait {
                            true => Arrival::ClientBlocked { client },
                            false => Arrival::ClientDrained { client },
                        });
                    }
                    self.listen_both(fd, Source::Conn(n), wait);
                }
                if !wait {
                    self.conn_drained(n);
                }
            }
            Err(_) => self.drop_conn(n),
        }
    }

    fn conn_drained(&mut self, n: u32) {
        let Some(conn) = self.conns.get(&n) else { return };
        if conn.closing {
            return self.drop_conn(n);
        }
        if let Face::Attach(Attach { client: Some(id), .. }) = conn.face {
            let relayed = self.clients.get(&id).is_some_and(|c| matches!(c.reach, Reach::Relay));
            if relayed {
                self.tty_flowed(id, Flow::Empty);
            }
        }
    }

    /// Closes it once what waits was sent.
    fn close_conn(&mut self, n: u32) {
        if let Some(conn) = self.conns.get_mut(&n) {
            conn.closing = true;
            self.dirty.push(n);
        }
    }

    fn drop_conn(&mut self, n: u32) {
        self.client_gone(n);
        let Some(conn) = self.conns.remove(&n) else { return };
        self.forget(&conn.stream);
        if matches!(conn.face, Face::Control(_)) {
            self.arrivals.push_back(Arrival::ControlGone { conn: ConnId(n) });
        }
    }

    /// The client of this connection is lost to the brain; its terminal is put in order after the brain's turn.
    fn client_gone(&mut self, n: u32) {
        let Some(Conn { face: Face::Attach(Attach { client: Some(id), .. }), .. }) = self.conns.get(&n) else { return };
        let id = *id;
        if let Some(client) = self.clients.get_mut(&id)
            && !client.gone
        {
            client.gone = true;
            self.arrivals.push_back(Arrival::ClientGone { client: id });
        }
    }

    // Clients and their terminals.

    /// Ends the clients that are gone, now that the brain had its say about them.
    fn see_off(&mut self) {
        if !self.arrivals.is_empty() {
            return;
        }
        let gone: Vec<ClientId> = self.clients.iter().filter(|(_, c)| c.gone).map(|(id, _)| *id).collect();
        for id in gone {
            match self.clients.get(&id).map(|c| c.stage) {
                Some(Stage::Open | Stage::Away | Stage::Yielding(_)) => self.close_tty(id),
                Some(Stage::Closed) => self.free_tty(id),
                Some(Stage::Closing(_)) | None => {}
            }
        }
    }

    fn open_tty(&mut self, id: ClientId) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        if client.stage != Stage::Closed {
            return;
        }
        let n = client.conn;
        let frame = match &mut client.reach {
            Reach::None => {
                self.log.say(format!("{id} has no terminal to attach"));
                return;
            }
            Reach::Relay => ToClient::Relay,
            Reach::Direct(door) => {
                door.enter();
                let fd = door.as_fd().as_raw_fd();
                if self
                    .poll
                    .registry()
                    .register(&mut SourceFd(&fd), Source::Tty(id).token(), Interest::READABLE)
                    .is_ok()
                {
                    ToClient::Attached
                } else {
                    door.leave();
                    client.reach = Reach::Relay;
                    ToClient::Relay
                }
            }
        };
        client.stage = Stage::Open;
        client.waiting = false;
        client.blocked = false;
        self.send(n, &frame);
        // Before anything is drawn: a client that is told to end must know that it has a screen to put in order.
        self.flush_conn(n);
    }

    fn read_tty(&mut self, id: ClientId) {
        for _ in 0..READS {
            let Some(client) = self.clients.get(&id) else { return };
            let Reach::Direct(door) = &client.reach else { return };
            if client.stage != Stage::Open {
                return;
            }
            match rustix::io::read(door, &mut self.buf[..]) {
                Ok(len) if len > 0 => {
                    let bytes = self.buf[..len].to_vec();
                    self.arrivals.push_back(Arrival::TtyBytes { client: id, bytes });
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                // The terminal hung up: the client goes with it.
                _ => {
                    let n = client.conn;
                    return self.drop_conn(n);
                }
            }
        }
        self.read_again(Source::Tty(id));
    }

    fn write_tty(&mut self, id: ClientId, bytes: Vec<u8>) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        if !matches!(client.stage, Stage::Open) || bytes.is_empty() {
            return;
        }
        let n = client.conn;
        if client.out.len() + bytes.len() > TTY_QUEUE {
            self.log.say(format!("{id}: its terminal does not read: let go"));
            return self.drop_conn(n);
        }
        if matches!(client.reach, Reach::Relay) {
            for piece in bytes.chunks(CHUNK) {
                self.send(n, &ToClient::TtyOut(piece.to_vec()));
            }
            self.flush_conn(n);
            if self.conns.get(&n).is_some_and(|c| !c.out.is_empty()) {
                self.tty_flowed(id, Flow::Blocked);
            }
            return;
        }
        let was_empty = client.out.is_empty();
        client.out.push(bytes);
        if was_empty {
            self.flush_tty(id);
        }
    }

    fn flush_tty(&mut self, id: ClientId) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        let Reach::Direct(door) = &client.reach else { return };
        match client.out.write_to(door) {
            Ok(flow) => {
                let wait = flow == Flow::Blocked;
                let fd = door.as_fd().as_raw_fd();
                if client.waiting != wait {
                    client.waiting = wait;
                    self.listen_both(fd, Source::Tty(id), wait);
                }
                self.tty_flowed(id, flow);
            }
            Err(_) => {
                client.out.clear();
                let n = client.conn;
                self.drop_conn(n);
            }
        }
    }

    /// Tells the brain when the terminal stops taking bytes and when it goes on, and goes on with what waits for that.
    fn tty_flowed(&mut self, id: ClientId, flow: Flow) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        match flow {
            Flow::Blocked if !client.blocked => {
                client.blocked = true;
                self.arrivals.push_back(Arrival::TtyBlocked { client: id });
            }
            Flow::Empty => {
                if std::mem::take(&mut client.blocked) {
                    self.arrivals.push_back(Arrival::TtyDrained { client: id });
                }
                if matches!(client.stage, Stage::Closing(_) | Stage::Yielding(_)) {
                    self.free_tty(id);
                }
            }
            Flow::Blocked => {}
        }
    }

    fn tty_empty(&self, client: &Client) -> bool {
        match client.reach {
            Reach::None => true,
            Reach::Direct(_) => client.out.is_empty(),
            Reach::Relay => self.conns.get(&client.conn).is_none_or(|c| c.out.is_empty()),
        }
    }

    /// The brain is done with the terminal.
    fn close_tty(&mut self, id: ClientId) {
        let until = self.now.mono + PATIENCE;
        let Some(client) = self.clients.get_mut(&id) else { return };
        if client.stage == Stage::Closed {
            return;
        }
        client.stage = Stage::Closing(until);
        if self.clients.get(&id).is_some_and(|c| self.tty_empty(c)) {
            self.free_tty(id);
        }
    }

    /// Lends the terminal to the client for a while; `frame` says for what.
    fn yield_tty(&mut self, id: ClientId, frame: ToClient) {
        let until = self.now.mono + PATIENCE;
        let Some(client) = self.clients.get_mut(&id) else { return };
        if client.stage != Stage::Open {
            return;
        }
        client.stage = Stage::Yielding(until);
        client.after.push(frame);
        if self.clients.get(&id).is_some_and(|c| self.tty_empty(c)) {
            self.free_tty(id);
        }
    }

    /// Lets go of a terminal that is closing or yielding: nothing waits for it any more.
    fn free_tty(&mut self, id: ClientId) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        let (n, stage, gone) = (client.conn, client.stage, client.gone);
        let alive = self.conns.get(&n).is_some_and(|c| !c.closing);
        if stage != Stage::Closed
            && let Reach::Direct(door) = &mut client.reach
        {
            let _ = self.poll.registry().deregister(&mut SourceFd(&door.as_fd().as_raw_fd()));
            if alive { door.leave() } else { door.leave_for_client() }
        }
        client.waiting = false;
        client.blocked = false;
        let after = std::mem::take(&mut client.after);
        if let Stage::Yielding(_) = stage {
            client.stage = Stage::Away;
        } else {
            client.stage = Stage::Closed;
            if stage != Stage::Closed {
                self.send(n, &ToClient::Detached);
            }
        }
        for frame in after {
            self.send(n, &frame);
        }
        if gone {
            self.clients.remove(&id);
            self.close_conn(n);
        }
    }

    fn resumed(&mut self, id: ClientId) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        match client.stage {
            Stage::Away => {
                client.stage = Stage::Open;
                if let Reach::Direct(door) = &mut client.reach {
                    door.enter();
                    let fd = door.as_fd().as_raw_fd();
                    let _ =
                        self.poll.registry().register(&mut SourceFd(&fd), Source::Tty(id).token(), Interest::READABLE);
                }
            }
            Stage::Open => {
                if let Reach::Direct(door) = &mut client.reach {
                    door.enter();
                }
            }
            _ => return,
        }
        self.arrivals.push_back(Arrival::TtyResumed { client: id });
    }

    /// The client's last frame: at once, or when its terminal is free.
    fn end_client(&mut self, id: ClientId, frame: ToClient) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        let n = client.conn;
        match client.stage {
            Stage::Closed => self.send(n, &frame),
            _ => {
                client.after.push(frame);
                if !matches!(client.stage, Stage::Closing(_)) {
                    self.close_tty(id);
                }
            }
        }
    }

    // Panes.

    fn spawn_pane(&mut self, pane: PaneId, spec: &SpawnSpec) {
        self.close_pane(pane);
        let spawned = match spawn::pane(spec) {
            Ok(spawned) => spawned,
            Err(spawn::SpawnError::Pty(error)) => {
                return self.arrivals.push_back(Arrival::SpawnFailed { pane, error });
            }
            Err(spawn::SpawnError::Exec(error)) => {
                return self.arrivals.push_back(Arrival::ExecFailed { pane, error });
            }
        };
        let fd = match spawned.master.as_fd().try_clone_to_owned() {
            Ok(fd) => fd,
            Err(e) => {
                self.orphans.push(spawned.pid);
                return self.arrivals.push_back(Arrival::SpawnFailed { pane, error: socket::words(&e) });
            }
        };
        let slot = self.world.slots.entry(pane).or_default();
        let feed = Feed::new(pane, Arc::clone(slot), self.taps.contains(&pane));
        self.pty.open(Arc::clone(&feed), fd);
        if self.paused.contains(&pane) {
            self.pty.pause(pane, true);
        }
        self.arrivals.push_back(Arrival::Spawned {
            pane,
            pid: spawned.pid.as_raw_pid().cast_unsigned(),
            tty: spawned.tty,
        });
        let pty = Pty {
            master: spawned.master,
            pid: spawned.pid,
            feed,
            input: Queue::default(),
            waiting: false,
            refused: false,
            ended: false,
        };
        self.world.ptys.insert(pane, pty);
    }

    fn close_pane(&mut self, pane: PaneId) {
        let Some(pty) = self.world.ptys.remove(&pane) else { return };
        self.pty.close(pane);
        if pty.waiting {
            self.forget(&pty.master);
        }
        if !pty.ended {
            self.orphans.push(pty.pid);
        }
    }

    fn write_pty(&mut self, pane: PaneId, bytes: Vec<u8>) {
        let Some(pty) = self.world.ptys.get_mut(&pane) else { return };
        self.pty.first(pane);
        if pty.input.len() + bytes.len() > INPUT {
            if !std::mem::replace(&mut pty.refused, true) {
                self.log.say(format!("{pane}: its program does not read; input refused"));
            }
            return;
        }
        let was_empty = pty.input.is_empty();
        pty.input.push(bytes);
        if was_empty {
            self.flush_pty(pane);
        }
    }

    fn flush_pty(&mut self, pane: PaneId) {
        let Some(pty) = self.world.ptys.get_mut(&pane) else { return };
        let flow = match pty.input.write_to(&pty.master) {
            Ok(flow) => flow,
            // Nobody has the other side open: its end is told by the reader.
            Err(_) => {
                pty.input.clear();
                Flow::Empty
            }
        };
        let wait = flow == Flow::Blocked;
        if !wait {
            pty.refused = false;
        }
        if pty.waiting != wait {
            pty.waiting = wait;
            let fd = pty.master.as_fd().as_raw_fd();
            let registry = self.poll.registry();
            let _ = if wait {
                registry.register(&mut SourceFd(&fd), Source::PtyInput(pane).token(), Interest::WRITABLE)
            } else {
                registry.deregister(&mut SourceFd(&fd))
            };
        }
    }

    /// What the other thread has to say.
    fn panes(&mut self) {
        for (feed, news) in self.pty.take() {
            for line in news.said {
                self.log.say(line);
            }
            let pane = feed.pane;
            // News of a program that was closed or replaced meanwhile.
            if !self.world.ptys.get(&pane).is_some_and(|p| Arc::ptr_eq(&p.feed, &feed)) {
                continue;
            }
            if !news.raw.is_empty() {
                self.arrivals.push_back(Arrival::PaneOutput { pane, bytes: news.raw });
            }
            if news.bytes > 0 {
                self.arrivals.push_back(Arrival::PaneMoved {
                    pane,
                    bytes: news.bytes,
                    drained: news.drained,
                    replies: news.replies,
                    notices: news.notices,
                });
            }
            if news.eof {
                self.arrivals.push_back(Arrival::PaneEof { pane });
            }
        }
    }

    // Jobs.

    fn start_job(&mut self, id: JobId, spec: &crate::event::JobSpec) {
        match spawn::job(spec) {
            Ok(job) => {
                if let Some(out) = &job.stdout
                    && let Err(e) = self.listen(out.as_raw_fd(), Source::JobOut(id))
                {
                    self.log.say(format!("{id}: cannot poll its output: {e}"));
                }
                let job = Job {
                    pid: job.pid,
                    input: Queue::default(),
                    stdin: job.stdin,
                    eof: false,
                    waiting: false,
                    stdout: job.stdout,
                    status: None,
                };
                self.jobs.insert(id, job);
            }
            Err(error) => self.arrivals.push_back(Arrival::JobFailed { job: id, error }),
        }
    }

    fn read_job(&mut self, id: JobId) {
        for _ in 0..READS {
            let Some(job) = self.jobs.get_mut(&id) else { return };
            let Some(out) = &job.stdout else { return };
            match rustix::io::read(out, &mut self.buf[..]) {
                Ok(len) if len > 0 => {
                    let bytes = self.buf[..len].to_vec();
                    self.arrivals.push_back(Arrival::JobOutput { job: id, bytes });
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                _ => {
                    let out = job.stdout.take();
                    if let Some(out) = out {
                        self.forget(&out);
                    }
                    return self.job_done(id);
                }
            }
        }
        self.read_again(Source::JobOut(id));
    }

    fn write_job(&mut self, id: JobId, bytes: Vec<u8>) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        if job.stdin.is_none() || job.eof {
            return;
        }
        if job.input.len() + bytes.len() > INPUT {
            self.log.say(format!("{id}: does not read; input refused"));
            return;
        }
        job.input.push(bytes);
        self.flush_job(id);
    }

    fn flush_job(&mut self, id: JobId) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        let Some(stdin) = &job.stdin else { return };
        let flow = match job.input.write_to(stdin) {
            Ok(flow) => flow,
            Err(_) => {
                // It does not want any more.
                job.input.clear();
                job.eof = true;
                Flow::Empty
            }
        };
        let wait = flow == Flow::Blocked;
        let fd = stdin.as_raw_fd();
        if job.waiting != wait {
            job.waiting = wait;
            let registry = self.poll.registry();
            let _ = if wait {
                registry.register(&mut SourceFd(&fd), Source::JobIn(id).token(), Interest::WRITABLE)
            } else {
                registry.deregister(&mut SourceFd(&fd))
            };
        }
        if !wait && job.eof {
            job.stdin = None;
        }
    }

    fn job_done(&mut self, id: JobId) {
        let Some(job) = self.jobs.get(&id) else { return };
        // Both: something it started may still write.
        if let (Some(status), None) = (job.status, &job.stdout) {
            if let (Some(stdin), true) = (&job.stdin, job.waiting) {
                self.forget(stdin);
            }
            self.jobs.remove(&id);
            self.arrivals.push_back(Arrival::JobDone { job: id, status });
        }
    }

    // Signals and children.

    fn signal(&mut self) {
        for told in self.signals.take() {
            match told {
                Told::Terminate => self.arrivals.push_back(Arrival::Signal(Signal::Terminate)),
                Told::Child => self.reap(),
                Told::Socket => self.make_socket(),
            }
        }
    }

    /// Only children we know are waited for: another part of the process may have its own.
    fn reap(&mut self) {
        let mut ended = Vec::new();
        for (pane, pty) in &mut self.world.ptys {
            if !pty.ended
                && let Some(status) = wait_for(pty.pid)
            {
                pty.ended = true;
                ended.push((*pane, status));
            }
        }
        for (pane, status) in ended {
            self.arrivals.push_back(Arrival::ChildExit { pane, status });
        }
        self.orphans.retain(|pid| wait_for(*pid).is_none());
        let mut done = Vec::new();
        for (id, job) in &mut self.jobs {
            if job.status.is_none() {
                job.status = wait_for(job.pid);
                if job.status.is_some() {
                    done.push(*id);
                }
            }
        }
        for id in done {
            self.job_done(id);
        }
    }

    fn make_socket(&mut self) {
        let made = socket::bind(&self.path).and_then(|l| {
            l.set_nonblocking(true)?;
            self.listen(l.as_raw_fd(), Source::Listener)?;
            Ok(l)
        });
        match made {
            Ok(listener) => {
                self.forget(&self.listener);
                self.listener = listener;
                self.log.say("made the socket again");
            }
            Err(e) => self.log.say(format!("making the socket again failed: {e}")),
        }
    }

    // Effects.

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Spawn { pane, spec } => self.spawn_pane(pane, &spec),
            Effect::PtyWrite { pane, bytes } => self.write_pty(pane, bytes),
            Effect::PtyResize { pane, size } => {
                if let Some(pty) = self.world.ptys.get(&pane)
                    && let Err(e) = pty.master.resize(size)
                {
                    self.log.say(format!("{pane}: {e}"));
                }
            }
            Effect::PtyClose { pane } => {
                self.close_pane(pane);
                self.taps.remove(&pane);
                self.paused.remove(&pane);
            }
            Effect::PtyPause { pane, paused } => {
                if paused {
                    self.paused.insert(pane);
                } else {
                    self.paused.remove(&pane);
                }
                self.pty.pause(pane, paused);
            }
            Effect::PtyTap { pane, on } => {
                if on {
                    self.taps.insert(pane);
                } else {
                    self.taps.remove(&pane);
                }
                if let Some(pty) = self.world.ptys.get(&pane) {
                    pty.feed.tap(on);
                }
            }
            Effect::TtyWrite { client, bytes } => self.write_tty(client, bytes),
            Effect::TtyOpen { client } => self.open_tty(client),
            Effect::TtyClose { client } => self.close_tty(client),
            Effect::ClientOut { client, stream, bytes } => {
                let Some(n) = self.clients.get(&client).map(|c| c.conn) else { return };
                for piece in bytes.chunks(CHUNK) {
                    let piece = piece.to_vec();
                    self.send(n, &if stream == Stream::Out { ToClient::Out(piece) } else { ToClient::Err(piece) });
                }
            }
            Effect::ClientStdin { client } => {
                if let Some(n) = self.clients.get(&client).map(|c| c.conn) {
                    self.send(n, &ToClient::WantStdin);
                }
            }
            Effect::ClientLinger { client } => {
                if let Some(n) = self.clients.get(&client).map(|c| c.conn) {
                    self.send(n, &ToClient::Linger);
                }
            }
            Effect::ClientExit { client, status, message } => {
                self.end_client(client, ToClient::Exit { status, message });
            }
            Effect::ClientHangup { client, message } => self.end_client(client, ToClient::Hangup(message)),
            Effect::ClientExec { client, shell, command } => {
                self.end_client(client, ToClient::Exec { shell, command });
            }
            Effect::ClientSuspend { client } => self.yield_tty(client, ToClient::Suspend),
            Effect::ClientLock { client, command } => self.yield_tty(client, ToClient::Lock(command)),
            Effect::ControlWrite { conn, line } => self.control_line(conn.0, &line),
            Effect::ControlClose { conn } => self.close_conn(conn.0),
            Effect::JobStart { job, spec } => self.start_job(job, &spec),
            Effect::JobWrite { job, bytes } => self.write_job(job, bytes),
            Effect::JobEof { job } => {
                if let Some(j) = self.jobs.get_mut(&job) {
                    j.eof = true;
                    self.flush_job(job);
                }
            }
            Effect::JobKill { job } => {
                if let Some(j) = self.jobs.get(&job) {
                    let _ = kill_process_group(j.pid, rustix::process::Signal::TERM);
                }
            }
            Effect::Log(text) => self.log.say(text),
            Effect::Exit => self.ending = true,
        }
    }

    /// The end: what waits is written if it goes soon, everything is closed.
    fn end(&mut self) {
        let _ = std::fs::remove_file(&self.path);
        super::facts::remove_shim(&self.path);
        for job in self.jobs.values() {
            let _ = kill_process_group(job.pid, rustix::process::Signal::TERM);
        }
        let ids: Vec<ClientId> = self.clients.keys().copied().collect();
        for id in ids {
            self.close_tty(id);
        }
        let until = Instant::now() + Duration::from_micros(PATIENCE.0);
        let mut events = Events::with_capacity(64);
        loop {
            self.flush_dirty();
            let busy_tty = self.clients.values().any(|c| matches!(c.stage, Stage::Closing(_)));
            let busy_conn = self.conns.values().any(|c| !c.out.is_empty());
            let left = until.saturating_duration_since(Instant::now());
            if !(busy_tty || busy_conn) || left.is_zero() {
                break;
            }
            if self.poll.poll(&mut events, Some(left)).is_err() {
                break;
            }
            for event in &events {
                match Source::of(event.token()) {
                    Some(Source::Conn(n)) => self.flush_conn(n),
                    Some(Source::Tty(id)) => self.flush_tty(id),
                    _ => {}
                }
            }
        }
        for client in self.clients.values_mut() {
            if let (Reach::Direct(door), true) = (&mut client.reach, client.stage != Stage::Closed) {
                door.leave();
            }
        }
        self.log.say("end");
    }
}

/// How the child ended, if it did. A child that stopped itself is sent on: nobody is there to say `fg`.
fn wait_for(pid: Pid) -> Option<ExitStatus> {
    loop {
        match waitpid(Some(pid), WaitOptions::NOHANG | WaitOptions::UNTRACED) {
            Ok(None) => return None,
            Ok(Some((_, status))) => {
                if let Some(code) = status.exit_status() {
                    return Some(ExitStatus::Code(code));
                }
                if let Some(signal) = status.terminating_signal() {
                    return Some(ExitStatus::Signal(signal));
                }
                if let Some(signal) = status.stopping_signal()
                    && signal != libc::SIGTTIN
                    && signal != libc::SIGTTOU
                {
                    let _ = kill_process_group(pid, rustix::process::Signal::CONT);
                }
            }
            Err(Errno::INTR) => {}
            // Somebody else waited for it: it is gone, how nobody knows.
            Err(_) => return Some(ExitStatus::Code(255)),
        }
    }
}
