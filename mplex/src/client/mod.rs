//! The thin client: finds or starts the server, hands it the terminal, and stays as a guard for signals, the terminal's
//! modes and the exit status. Imports `base` and `mplex_proto` only; knows no command.
//!
//! Limits: standard input is read in pieces of 64 KiB, one piece per turn; frames are capped by the protocol; a server
//! that does not answer the greeting within [`PATIENCE`] is given up.

pub mod signals;
pub mod socket;
pub mod start;
pub mod tty;

use std::ffi::OsString;
use std::io::{self, IoSlice, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::BorrowedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use mplex_proto::attach::{self, CHUNK, Decoder, Frame, Hello, ToClient, ToServer};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};

use signals::{Signals, Told};
use tty::Tty;

/// How long a server may take to answer the greeting.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// How long the server may take to put the terminal in order once a signal told the client to end.
const FAREWELL: Duration = Duration::from_secs(1);

/// What to connect to and what to say.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub socket: PathBuf,
    /// Arguments to start a server with; `None` never starts one.
    pub server: Option<Vec<OsString>>,
    pub argv: Vec<String>,
    pub control: u8,
    pub features: Vec<String>,
    pub config: Option<Vec<String>>,
    pub as_tmux: bool,
    /// Keep the command's standard output here instead of printing it.
    pub capture: bool,
}

/// How it went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    pub status: u8,
    /// What the command printed, with [`Options::capture`].
    pub out: Vec<u8>,
}

/// Runs one client to its end. What has to be said was printed; the terminal is as it was before.
pub fn run(options: &Options) -> Ended {
    let stream = match start::connect(&options.socket, options.server.as_deref()) {
        Ok(stream) => stream,
        Err(sentence) => {
            say(rustix::stdio::stderr(), format!("{sentence}\n").as_bytes());
            return Ended { status: 1, out: Vec::new() };
        }
    };
    let signals = match Signals::catch() {
        Ok(signals) => signals,
        Err(e) => {
            say(rustix::stdio::stderr(), format!("couldn't catch signals ({})\n", socket::words(&e)).as_bytes());
            return Ended { status: 1, out: Vec::new() };
        }
    };
    let mut client = Client {
        options,
        stream,
        signals,
        decoder: Decoder::default(),
        tty: Tty::of_stdin(),
        greeted: false,
        attached: false,
        was_attached: false,
        relay: false,
        stdin: Stdin::Unasked,
        linger: false,
        farewell: None,
        out: Vec::new(),
    };
    let end = client.talk();
    let status = client.finish(end);
    Ended { status, out: client.out }
}

/// Where standard input stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stdin {
    Unasked,
    Wanted,
    Done,
}

/// Why the client ends.
enum End {
    Exit {
        status: u8,
        message: Option<String>,
    },
    Hangup(Option<String>),
    Exec {
        shell: String,
        command: String,
    },
    /// The connection is gone and nobody said why.
    Lost,
    /// The other side does not speak to us: the sentence for the person.
    Refused(String),
    /// A signal told us to.
    Signal(Told),
}

struct Client<'a> {
    options: &'a Options,
    stream: UnixStream,
    signals: Signals,
    decoder: Decoder,
    tty: Option<Tty>,
    greeted: bool,
    attached: bool,
    was_attached: bool,
    /// The terminal's bytes go through us.
    relay: bool,
    stdin: Stdin,
    /// A control client's input is awaited after its goodbye.
    linger: bool,
    /// Set once a signal told us to end: what it was, and until when the server may put the terminal in order.
    farewell: Option<(Told, Instant)>,
    out: Vec<u8>,
}

impl Client<'_> {
    fn talk(&mut self) -> End {
        if self.options.control == 2
            && let Some(tty) = &mut self.tty
        {
            tty.control();
        }
        let hello = self.hello();
        if hello.len() > attach::PREFACE + attach::MAX_HELLO {
            return End::Refused("command too long".into());
        }
        // Whatever it answered before it hung up says more than our error.
        let _ = self.greet(&hello);
        let patience = Instant::now() + PATIENCE;
        let mut buf = vec![0; CHUNK];
        loop {
            let until = match self.farewell {
                Some((_, until)) => Some(until),
                None => (!self.greeted).then_some(patience),
            };
            let (ready_socket, ready_stdin) = match self.wait(until) {
                Ok(ready) => ready,
                Err(_) => return End::Lost,
            };
            if let Some(until) = until
                && Instant::now() >= until
            {
                return match self.farewell {
                    Some((told, _)) => End::Signal(told),
                    None => End::Refused(format!("no answer from the server on {}", self.options.socket.display())),
                };
            }
            if ready_stdin && let Err(end) = self.read_stdin(&mut buf) {
                return end;
            }
            if ready_socket {
                match self.stream.read(&mut buf) {
                    Ok(0) => return self.gone(),
                    Ok(n) => self.decoder.push(&buf[..n]),
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => return self.gone(),
                }
                if let Some(end) = self.frames() {
                    return end;
                }
            }
            // After the frames: what a signal means depends on whether we are attached.
            for told in self.signals.take() {
                if let Some(end) = self.signal(told) {
                    return end;
                }
            }
        }
    }

    fn gone(&self) -> End {
        match self.farewell {
            Some((told, _)) => End::Signal(told),
            None => End::Lost,
        }
    }

    /// Preface and hello.
    fn hello(&self) -> Vec<u8> {
        let size = self.tty.as_ref().map(Tty::size).unwrap_or_default();
        let hello = Hello {
            argv: self.options.argv.clone(),
            pid: std::process::id(),
            cwd: working_directory(),
            env: std::env::vars_os()
                .map(|(k, v)| (k.to_string_lossy().into_owned(), v.to_string_lossy().into_owned()))
                .collect(),
            tty: self.tty.as_ref().map(|t| attach::Tty {
                path: t.path().to_owned(),
                term: std::env::var("TERM").unwrap_or_default(),
                size: size.0,
                cell: size.1,
            }),
            control: self.options.control,
            features: self.options.features.clone(),
            config: self.options.config.clone(),
            as_tmux: self.options.as_tmux,
        };
        let mut bytes = attach::preface().to_vec();
        ToServer::Hello(Box::new(hello)).encode(&mut bytes);
        bytes
    }

    /// Sends them, the terminal's descriptor beside the first byte.
    fn greet(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut sent = 0;
        if self.tty.is_some() {
            let fds = [rustix::stdio::stdin()];
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
            let mut ancillary = SendAncillaryBuffer::new(&mut space);
            ancillary.push(SendAncillaryMessage::ScmRights(&fds));
            // Where descriptors cannot travel the server asks for a relay.
            sent = sendmsg(&self.stream, &[IoSlice::new(bytes)], &mut ancillary, SendFlags::empty()).unwrap_or(0);
        }
        self.stream.write_all(&bytes[sent..])
    }

    fn send(&mut self, frame: &ToServer) {
        let mut bytes = Vec::new();
        frame.encode(&mut bytes);
        // A broken connection is seen by the next read, together with what the server said before.
        let _ = self.stream.write_all(&bytes);
    }

    /// Waits for the socket, standard input (if it is asked for) or a signal.
    fn wait(&self, until: Option<Instant>) -> io::Result<(bool, bool)> {
        let stdin = rustix::stdio::stdin();
        let reads = self.stdin == Stdin::Wanted || (self.relay && self.attached);
        let mut fds = vec![
            PollFd::new(&self.stream, PollFlags::IN),
            PollFd::from_borrowed_fd(self.signals.as_fd(), PollFlags::IN),
        ];
        if reads {
            fds.push(PollFd::new(&stdin, PollFlags::IN));
        }
        let timeout = until.map(|u| {
            let left = u.saturating_duration_since(Instant::now()) + Duration::from_millis(1);
            Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) }
        });
        let mut polled = poll(&mut fds, timeout.as_ref());
        if polled == Err(rustix::io::Errno::INTR) {
            polled = poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
        }
        match polled {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
        let ready = |i: usize| fds.get(i).is_some_and(|f| !f.revents().is_empty());
        Ok((ready(0), ready(2)))
    }

    fn signal(&mut self, told: Told) -> Option<End> {
        match told {
            Told::Resize => {
                if let Some(tty) = &self.tty {
                    let (size, cell) = tty.size();
                    self.send(&ToServer::Resize { size, cell });
                }
                None
            }
            Told::Continue => {
                // Stopped from outside and back: the shell had the terminal meanwhile.
                if self.attached {
                    self.raw();
                    self.send(&ToServer::Resumed);
                }
                None
            }
            Told::Interrupt | Told::Stop if self.attached => None,
            Told::Stop => {
                signals::stop_self();
                None
            }
            Told::Interrupt => Some(End::Signal(told)),
            Told::Terminate | Told::Hangup => {
                if !self.attached {
                    return Some(End::Signal(told));
                }
                if self.farewell.is_none() {
                    self.farewell = Some((told, Instant::now() + FAREWELL));
                    self.send(&ToServer::Exiting);
                }
                None
            }
        }
    }

    fn raw(&mut self) {
        if let Some(tty) = &mut self.tty {
            tty.raw();
        }
    }

    fn read_stdin(&mut self, buf: &mut [u8]) -> Result<(), End> {
        let n = match rustix::io::read(rustix::stdio::stdin(), &mut *buf) {
            Ok(n) => n,
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => return Ok(()),
            Err(_) => 0,
        };
        if self.relay && self.attached {
            if n == 0 {
                return Err(End::Signal(Told::Hangup));
            }
            self.send(&ToServer::TtyIn(buf[..n].to_vec()));
            return Ok(());
        }
        if n == 0 {
            self.stdin = Stdin::Done;
        }
        self.send(&ToServer::Stdin { bytes: buf[..n].to_vec(), eof: n == 0 });
        Ok(())
    }

    fn frames(&mut self) -> Option<End> {
        if !self.greeted {
            match attach::read_preface(self.decoder.rest()) {
                Ok(None) => return None,
                Ok(Some(version)) => {
                    self.decoder.skip(attach::PREFACE);
                    self.greeted = true;
                    if version != attach::VERSION {
                        return Some(End::Refused(attach::mismatch(attach::VERSION, version)));
                    }
                }
                Err(_) => {
                    return Some(End::Refused(format!(
                        "the server on {} is not an mplex server",
                        self.options.socket.display()
                    )));
                }
            }
        }
        loop {
            match self.decoder.take::<ToClient>() {
                Ok(None) => return None,
                Ok(Some(frame)) => {
                    if let Some(end) = self.frame(frame) {
                        return Some(end);
                    }
                }
                Err(e) => return Some(End::Refused(format!("the server's answer makes no sense: {e}"))),
            }
        }
    }

    fn frame(&mut self, frame: ToClient) -> Option<End> {
        match frame {
            ToClient::Mismatch(text) => return Some(End::Refused(text)),
            ToClient::Out(bytes) if self.options.capture => self.out.extend_from_slice(&bytes),
            ToClient::Out(bytes) => say(rustix::stdio::stdout(), &bytes),
            ToClient::Err(bytes) => say(rustix::stdio::stderr(), &bytes),
            ToClient::WantStdin => {
                if self.stdin == Stdin::Unasked {
                    self.stdin = Stdin::Wanted;
                } else if self.stdin == Stdin::Done {
                    self.send(&ToServer::Stdin { bytes: Vec::new(), eof: true });
                }
            }
            ToClient::Attached => self.attach(false),
            ToClient::Relay => self.attach(true),
            ToClient::TtyOut(bytes) => {
                if self.attached {
                    say(rustix::stdio::stdout(), &bytes);
                }
            }
            ToClient::Detached => {
                self.attached = false;
                if let Some(tty) = &mut self.tty {
                    tty.restore();
                }
            }
            ToClient::Suspend => {
                if let Some(tty) = &mut self.tty {
                    tty.restore();
                }
                signals::stop_self();
                // On again. The signal of it is still to come, and would say the same.
                self.signals.forget_continue();
                self.raw();
                self.resumed();
            }
            ToClient::Lock(command) => {
                if let Some(tty) = &mut self.tty {
                    tty.restore();
                }
                // What the command returns is not for us: the lock is over when it ends.
                let _ = Command::new("/bin/sh").arg("-c").arg(&command).status();
                self.raw();
                self.resumed();
            }
            ToClient::Linger => self.linger = true,
            ToClient::Exit { status, message } => return Some(End::Exit { status, message }),
            ToClient::Hangup(message) => return Some(End::Hangup(message)),
            ToClient::Exec { shell, command } => return Some(End::Exec { shell, command }),
        }
        None
    }

    fn attach(&mut self, relay: bool) {
        self.attached = true;
        self.was_attached = true;
        self.relay = relay;
        self.raw();
        // The window may have changed while nobody listened.
        self.resize();
    }

    fn resize(&mut self) {
        if let Some(tty) = &self.tty {
            let (size, cell) = tty.size();
            self.send(&ToServer::Resize { size, cell });
        }
    }

    fn resumed(&mut self) {
        self.resize();
        self.send(&ToServer::Resumed);
    }

    /// Puts the terminal in order, says the last word, gives the status.
    fn finish(&mut self, end: End) -> u8 {
        // Still attached: nobody put the screen in order, so we do what can be done without knowing it.
        if self.attached
            && let Some(tty) = &mut self.tty
            && !matches!(end, End::Signal(Told::Hangup))
        {
            tty.sober_up();
        }
        if let Some(tty) = &mut self.tty
            && self.options.control != 2
        {
            tty.restore();
        }
        let (status, message) = match end {
            End::Exit { status, message } => {
                let silent = !self.was_attached || self.options.control > 0;
                (status, message.or_else(|| (!silent).then(|| "exited".into())))
            }
            End::Hangup(message) => {
                self.last_word(message.or(Some("detached and SIGHUP".into())));
                signals::hang_up_parent();
                return 0;
            }
            End::Exec { shell, command } => return self.exec(&shell, &command),
            End::Lost => (1, Some("server exited unexpectedly".into())),
            End::Refused(sentence) => {
                say(rustix::stdio::stderr(), format!("{sentence}\n").as_bytes());
                return 1;
            }
            End::Signal(Told::Hangup) => (1, self.was_attached.then(|| "lost tty".into())),
            End::Signal(Told::Interrupt) => (130, None),
            End::Signal(_) => (1, self.was_attached.then(|| "terminated".into())),
        };
        self.last_word(message);
        status
    }

    fn last_word(&mut self, message: Option<String>) {
        if self.options.control > 0 {
            let word =
                message.map(|m| format!(" {}", m.trim_start_matches('[').trim_end_matches(']'))).unwrap_or_default();
            say(rustix::stdio::stdout(), format!("%exit{word}\n").as_bytes());
            if self.linger && self.stdin != Stdin::Done {
                await_empty_line();
            }
            if self.options.control == 2 {
                say(rustix::stdio::stdout(), b"\x1b\\");
            }
            if let Some(tty) = &mut self.tty {
                tty.restore();
            }
        } else if let Some(message) = message {
            if self.was_attached {
                let message = if message.starts_with('[') { message } else { format!("[{message}]") };
                say(rustix::stdio::stdout(), format!("{message}\n").as_bytes());
            } else {
                say(rustix::stdio::stderr(), format!("{message}\n").as_bytes());
            }
        }
    }

    fn exec(&self, shell: &str, command: &str) -> u8 {
        exec(shell, command, false)
    }
}

/// Reads standard input up to an empty line or its end.
fn await_empty_line() {
    let mut buf = [0; 4096];
    // What was read before ended with a line.
    let mut last = b'\n';
    loop {
        match rustix::io::read(rustix::stdio::stdin(), &mut buf) {
            Ok(0) => return,
            Ok(n) => {
                for b in &buf[..n] {
                    if *b == b'\n' && last == b'\n' {
                        return;
                    }
                    last = *b;
                }
            }
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// Becomes `shell -c command`; comes back only if that fails, which was printed then.
pub fn exec(shell: &str, command: &str, login: bool) -> u8 {
    let name = Path::new(shell).file_name().map_or(shell.into(), |n| n.to_string_lossy());
    let name = if login { format!("-{name}") } else { name.into_owned() };
    let error = Command::new(shell).arg0(name).arg("-c").arg(command).env("SHELL", shell).exec();
    say(rustix::stdio::stderr(), format!("couldn't run {shell} ({})\n", socket::words(&error)).as_bytes());
    1
}

/// Writes all of it. A reader that went away is not our business; one that is slow is waited for.
pub fn say(fd: BorrowedFd<'_>, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        match rustix::io::write(fd, bytes) {
            Ok(n) => bytes = &bytes[n..],
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::AGAIN) => {
                let _ = poll(&mut [PollFd::from_borrowed_fd(fd, PollFlags::OUT)], None);
            }
            Err(_) => return,
        }
    }
}

/// The working directory, by the name the shell gave it if that is the same place.
fn working_directory() -> String {
    let real = std::env::current_dir().unwrap_or_else(|_| "/".into());
    let named = std::env::var_os("PWD").map(PathBuf::from).filter(|p| p.is_absolute());
    let same = |p: &PathBuf| p.canonicalize().is_ok_and(|c| real.canonicalize().is_ok_and(|r| r == c));
    named.filter(same).unwrap_or(real).to_string_lossy().into_owned()
}
