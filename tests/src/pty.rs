//! Programs in real ptys, for end-to-end tests: what they draw is read by a foreign emulator, waiting is waiting for
//! bytes with a deadline, never sleeping.
//!
//! The program under test is `MPLEX_BIN`, else `target/<profile>/mplex` beside the test itself; `cargo xtask test` builds
//! it first, by hand it is `cargo build -p mplex`.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

/// How long anything may take before a test fails. Generous: machines are slow, and it is only reached by failures.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// How long the rest of an ended program's output is waited for, when somebody else holds its terminal open.
const LEFTOVER: Duration = Duration::from_secs(2);

/// The built program.
pub fn mplex() -> PathBuf {
    if let Some(path) = std::env::var_os("MPLEX_BIN") {
        return path.into();
    }
    let test = std::env::current_exe().expect("a test has a path");
    let profile = test.parent().and_then(Path::parent).expect("tests lie in target/<profile>/deps");
    let bin = profile.join("mplex");
    assert!(bin.exists(), "{} is missing: run `cargo build -p mplex` or `cargo xtask test`", bin.display());
    bin
}

/// A directory for the sockets of one test, and the environment that leads there. Dropping it ends every server in it.
pub struct Home {
    dir: PathBuf,
}

static HOMES: AtomicU32 = AtomicU32::new(0);

impl Home {
    pub fn new() -> Home {
        let n = HOMES.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("mplex-e2e-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("make a directory for a test");
        // A login shell's prompt is otherwise that of the machine and of the user.
        std::fs::write(dir.join(".profile"), "PS1='$ '\n").expect("write a profile for a test");
        Home { dir: dir.canonicalize().expect("find the directory of a test") }
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The path of the server's socket of this name.
    pub fn socket(&self, name: &str) -> PathBuf {
        self.dir.join(format!("mplex-{}", rustix::process::getuid().as_raw())).join(name)
    }

    /// The whole environment of programs in this test: nothing of the person's own gets in.
    pub fn env(&self) -> Vec<(String, String)> {
        let dir = self.dir.to_string_lossy().into_owned();
        let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".into());
        [
            ("TMUX_TMPDIR", dir.as_str()),
            ("HOME", &dir),
            ("XDG_CONFIG_HOME", &dir),
            ("PATH", &path),
            ("TERM", "xterm-256color"),
            ("LANG", "C.UTF-8"),
            ("LC_ALL", "C.UTF-8"),
            ("SHELL", "/bin/sh"),
            ("PS1", "$ "),
        ]
        .map(|(k, v)| (k.to_owned(), v.to_owned()))
        .to_vec()
    }

    /// Runs mplex with these arguments to its end, without a terminal.
    pub fn run(&self, args: &[&str]) -> Output {
        self.run_as(&mplex(), args)
    }

    /// As [`run`](Home::run), another program.
    pub fn run_as(&self, program: &Path, args: &[&str]) -> Output {
        Command::new(program)
            .args(args)
            .env_clear()
            .envs(self.env())
            .current_dir(&self.dir)
            .stdin(Stdio::null())
            .output()
            .unwrap_or_else(|e| panic!("run {}: {e}", program.display()))
    }

    /// Starts mplex with these arguments in a pty.
    pub fn open(&self, args: &[&str], cols: u16, rows: u16) -> Pty {
        let program = mplex();
        let mut argv = vec![program.to_str().expect("a path in UTF-8")];
        argv.extend(args);
        self.open_program(&argv, cols, rows)
    }

    /// Starts any program in a pty.
    pub fn open_program(&self, argv: &[&str], cols: u16, rows: u16) -> Pty {
        let mut command = CommandBuilder::new(argv[0]);
        command.args(&argv[1..]);
        command.env_clear();
        for (k, v) in self.env() {
            command.env(k, v);
        }
        command.cwd(&self.dir);
        Pty::start(command, cols, rows)
    }
}

impl Default for Home {
    fn default() -> Home {
        Home::new()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let uid = rustix::process::getuid().as_raw();
        for entry in std::fs::read_dir(self.dir.join(format!("mplex-{uid}"))).into_iter().flatten().flatten() {
            // By its command line, so that no command has to work for the server to end.
            if let Some(pid) = maker_of(&entry.path()) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        if std::thread::panicking() {
            for entry in std::fs::read_dir(self.dir.join(format!("mplex-{uid}"))).into_iter().flatten().flatten() {
                if entry.path().extension().is_some_and(|e| e == "panic") {
                    eprint_file(&entry.path());
                }
            }
        }
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

#[allow(clippy::print_stderr)]
fn eprint_file(path: &Path) {
    eprintln!("{}:\n{}", path.display(), std::fs::read_to_string(path).unwrap_or_default());
}

/// The server process that serves a socket: the socket itself was made by the client that started it.
fn maker_of(socket: &Path) -> Option<Pid> {
    let wanted = socket.to_str()?.as_bytes();
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse::<i32>().ok()) else { continue };
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let mut words = line.split(|b| *b == 0);
        if words.any(|w| w == b"--serve") && words.next() == Some(wanted) {
            return Pid::from_raw(pid);
        }
    }
    None
}

/// A program in a pty, its screen kept by a foreign emulator.
pub struct Pty {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    pid: Pid,
    exited: OwnedFd,
    screen: vt100::Parser,
    /// All bytes drawn so far.
    pub bytes: Vec<u8>,
    ended: bool,
}

impl Pty {
    fn start(command: CommandBuilder, cols: u16, rows: u16) -> Pty {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("open a pty");
        let child = pair.slave.spawn_command(command).expect("start a program");
        drop(pair.slave);
        let pid = child.process_id().and_then(|p| Pid::from_raw(p.cast_signed())).expect("a process has an id");
        let exited = pidfd_open(pid, PidfdFlags::empty()).expect("open a process descriptor");
        let screen = vt100::Parser::new(rows, cols, 0);
        let pty = Pty { master: pair.master, child, pid, exited, screen, bytes: Vec::new(), ended: false };
        rustix::io::ioctl_fionbio(pty.fd(), true).expect("make a pty non-blocking");
        pty
    }

    fn fd(&self) -> BorrowedFd<'_> {
        let fd = self.master.as_raw_fd().expect("a Unix pty has a descriptor");
        // SAFETY: the master owns it and lives as long as the borrow.
        unsafe { BorrowedFd::borrow_raw(fd) }
    }

    pub fn pid(&self) -> Pid {
        self.pid
    }

    pub fn kill(&self, signal: Signal) {
        kill_process(self.pid, signal).expect("signal a program of a test");
    }

    /// Whether a signal stopped the program.
    pub fn is_stopped(&self) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid.as_raw_pid())).unwrap_or_default();
        // The state follows the name, which may hold anything but ends with the last parenthesis.
        stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('T'))
    }

    /// Types. Bytes the pty does not take at once are waited for, while what is drawn is read.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let mut bytes = bytes.as_ref();
        let until = Instant::now() + PATIENCE;
        while !bytes.is_empty() {
            match rustix::io::write(self.fd(), bytes) {
                Ok(n) => bytes = &bytes[n..],
                Err(rustix::io::Errno::AGAIN) => {
                    assert!(Instant::now() < until, "the program does not read\n{}", self.text());
                    self.read(Duration::from_millis(10));
                }
                Err(e) => panic!("type into a pty: {e}"),
            }
        }
    }

    /// Changes the window's size.
    pub fn resize(&mut self, cols: u16, rows: u16) {
        self.screen.screen_mut().set_size(rows, cols);
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        self.master.resize(size).expect("resize a pty");
    }

    /// The screen as text, a line per row, blanks at ends cut.
    pub fn text(&self) -> String {
        self.screen.screen().contents()
    }

    pub fn screen(&self) -> &vt100::Screen {
        self.screen.screen()
    }

    /// Reads what is there, at most this long; false once nobody has the other side open.
    pub fn read(&mut self, patience: Duration) -> bool {
        if self.ended {
            return false;
        }
        let time = Timespec { tv_sec: patience.as_secs().cast_signed(), tv_nsec: patience.subsec_nanos().into() };
        let fd = self.fd();
        let _ = poll(&mut [PollFd::from_borrowed_fd(fd, PollFlags::IN)], Some(&time));
        let mut buf = [0; 16384];
        match rustix::io::read(self.fd(), &mut buf) {
            Ok(0) => self.ended = true,
            Ok(n) => {
                self.bytes.extend_from_slice(&buf[..n]);
                self.screen.process(&buf[..n]);
            }
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {}
            Err(_) => self.ended = true,
        }
        !self.ended
    }

    /// Waits until something is true of the screen; panics with the screen when it does not come true in time.
    #[track_caller]
    pub fn wait(&mut self, what: &str, mut is_true: impl FnMut(&Pty) -> bool) {
        let until = Instant::now() + PATIENCE;
        while !is_true(self) {
            let left = until.saturating_duration_since(Instant::now());
            let open = !left.is_zero() && self.read(left.min(Duration::from_millis(200)));
            // What was read last still counts.
            assert!(open || is_true(self), "waited for {what}, but the screen is\n{}\n--", self.text());
        }
    }

    /// Waits for a text on the screen.
    #[track_caller]
    pub fn wait_for(&mut self, text: &str) {
        self.wait(&format!("{text:?}"), |p| p.text().contains(text));
    }

    /// Waits for a text to go.
    #[track_caller]
    pub fn wait_gone(&mut self, text: &str) {
        self.wait(&format!("no {text:?}"), |p| !p.text().contains(text));
    }

    /// Waits for the program's end and gives its status; what it draws meanwhile is read.
    #[track_caller]
    pub fn exit_status(&mut self) -> u32 {
        let until = Instant::now() + PATIENCE;
        loop {
            let time = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
            let mut fds = vec![PollFd::new(&self.exited, PollFlags::IN)];
            let fd = self.fd();
            if !self.ended {
                fds.push(PollFd::from_borrowed_fd(fd, PollFlags::IN));
            }
            let _ = poll(&mut fds, Some(&time));
            let exited = !fds[0].revents().is_empty();
            drop(fds);
            while self.read(Duration::ZERO) && self.more() {}
            if exited {
                // What it wrote last may still be on its way through the kernel; the end of file comes after it.
                let soon = Instant::now() + LEFTOVER;
                while Instant::now() < soon && self.read(Duration::from_millis(50)) {}
                return self.child.wait().expect("wait for a program").exit_code();
            }
            assert!(Instant::now() < until, "waited for the end, but the screen is\n{}\n--", self.text());
        }
    }

    fn more(&self) -> bool {
        let mut fds = [PollFd::from_borrowed_fd(self.fd(), PollFlags::IN)];
        matches!(poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })), Ok(n) if n > 0)
    }

    /// The terminal's modes, as `stty` would see them.
    pub fn modes(&self) -> io::Result<rustix::termios::Termios> {
        Ok(rustix::termios::tcgetattr(self.fd().as_fd())?)
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = kill_process(self.pid, Signal::KILL);
        let _ = self.child.wait();
    }
}
