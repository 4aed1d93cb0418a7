//! Starting programs: a pane's in a new pty, a job's with pipes.
//!
//! `portable-pty` opens the pair and sets sizes. The program is started here and not by it: its own way closes the pipe
//! by which the system says that `exec` failed, and it cannot give a login shell its name.

use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use portable_pty::{MasterPty, PtySize, native_pty_system};
use rustix::process::Pid;
use rustix::termios::{InputModes, OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};

use crate::base::Size;
use crate::client::socket::words;
use crate::event::{JobSpec, SpawnSpec};

/// The server's side of a pane's pty.
pub(super) struct Master(Box<dyn MasterPty + Send>);

impl Master {
    pub(super) fn resize(&self, size: Size) -> Result<(), String> {
        self.0.resize(pty_size(size)).map_err(|e| e.to_string())
    }
}

impl AsFd for Master {
    fn as_fd(&self) -> BorrowedFd<'_> {
        let fd = self.0.as_raw_fd().unwrap_or(-1);
        // SAFETY: the descriptor is owned by the box, which outlives the borrow; a Unix master always has one.
        unsafe { BorrowedFd::borrow_raw(fd) }
    }
}

/// A pane's program, running.
pub(super) struct Spawned {
    pub(super) master: Master,
    pub(super) pid: Pid,
    pub(super) tty: String,
}

fn pty_size(size: Size) -> PtySize {
    PtySize { rows: size.rows.max(1), cols: size.cols.max(1), pixel_width: 0, pixel_height: 0 }
}

/// Why a program did not start, in a sentence that names what failed.
#[derive(Debug)]
pub(super) enum SpawnError {
    /// There is no pty for it.
    Pty(String),
    /// It cannot be executed.
    Exec(String),
}

impl From<String> for SpawnError {
    fn from(text: String) -> SpawnError {
        SpawnError::Pty(text)
    }
}

/// Starts the program.
pub(super) fn pane(spec: &SpawnSpec) -> Result<Spawned, SpawnError> {
    let pair = native_pty_system().openpty(pty_size(spec.size)).map_err(|e| format!("open a pty failed: {e}"))?;
    let tty = pair.master.tty_name().map(|p| p.to_string_lossy().into_owned()).unwrap_or_default();
    let master = Master(pair.master);
    rustix::io::ioctl_fionbio(&master, true).map_err(|e| format!("open a pty failed: {e}"))?;
    let slave = open_slave(&master, &tty).map_err(|e| format!("open {tty} failed: {}", words(&e)))?;
    set_modes(&slave);
    let program = spec.argv.first().ok_or_else(|| SpawnError::Exec("no program to run".into()))?;
    let mut command = Command::new(program);
    if let Some(name) = &spec.argv0 {
        command.arg0(name);
    }
    let dup = || slave.try_clone().map(Stdio::from).map_err(|e| format!("open {tty} failed: {}", words(&e)));
    command
        .args(&spec.argv[1..])
        .env_clear()
        .envs(spec.env.iter().map(|(k, v)| (k, v)))
        .current_dir(directory(&spec.cwd, &spec.env))
        .stdin(dup()?)
        .stdout(dup()?)
        .stderr(dup()?);
    // SAFETY: only async-signal-safe calls between fork and exec.
    unsafe {
        command.pre_exec(|| {
            for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGCHLD, libc::SIGTSTP] {
                libc::signal(signal, libc::SIG_DFL);
            }
            for signal in [libc::SIGTTIN, libc::SIGTTOU, libc::SIGUSR1, libc::SIGUSR2] {
                libc::signal(signal, libc::SIG_DFL);
            }
            if libc::setsid() == -1 || libc::ioctl(0, libc::TIOCSCTTY as _, 0) == -1 {
                return Err(io::Error::last_os_error());
            }
            Ok(())
        });
    }
    let child = command.spawn().map_err(|e| {
        let text = format!("{program}: {}", words(&e));
        // Without memory or processes there is no child that could have failed to execute.
        match e.kind() {
            io::ErrorKind::OutOfMemory | io::ErrorKind::WouldBlock => SpawnError::Pty(text),
            _ => SpawnError::Exec(text),
        }
    })?;
    let pid = Pid::from_raw(child.id().cast_signed()).ok_or_else(|| "the system gave no process id".to_owned())?;
    Ok(Spawned { master, pid, tty })
}

#[cfg(target_os = "linux")]
fn open_slave(master: &Master, tty: &str) -> io::Result<OwnedFd> {
    use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer};
    // By the master, not by name: right even where another devpts is mounted.
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    ioctl_tiocgptpeer(master, flags).or_else(|_| open_tty(tty))
}

#[cfg(not(target_os = "linux"))]
fn open_slave(_: &Master, tty: &str) -> io::Result<OwnedFd> {
    open_tty(tty)
}

fn open_tty(tty: &str) -> io::Result<OwnedFd> {
    use rustix::fs::{Mode, OFlags};
    Ok(rustix::fs::open(tty, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?)
}

/// UTF-8 erases by characters, and DEL is what our terminals send for backspace.
fn set_modes(slave: &OwnedFd) {
    if let Ok(mut modes) = tcgetattr(slave) {
        modes.input_modes |= InputModes::IUTF8;
        modes.special_codes[SpecialCodeIndex::VERASE] = 0x7f;
        let _ = tcsetattr(slave, OptionalActions::Now, &modes);
    }
}

/// The wanted directory, else the home, else the root: a program starts anyway.
fn directory<'a>(wanted: &'a str, env: &'a [(String, String)]) -> &'a str {
    let enters = |dir: &&str| {
        fs::metadata(dir).is_ok_and(|m| m.is_dir())
            && rustix::fs::access(Path::new(dir), rustix::fs::Access::EXEC_OK).is_ok()
    };
    let home = env.iter().find(|(k, _)| k == "HOME").map(|(_, v)| v.as_str());
    Some(wanted).filter(enters).or(home.filter(enters)).unwrap_or("/")
}

/// A job, running. Its pipes do not block.
pub(super) struct Job {
    pub(super) pid: Pid,
    pub(super) stdin: Option<OwnedFd>,
    pub(super) stdout: Option<OwnedFd>,
}

/// Starts a job in a process group of its own.
pub(super) fn job(spec: &JobSpec) -> Result<Job, String> {
    let program = spec.argv.first().ok_or("no program to run")?;
    let said = |e: io::Error| format!("{program}: {}", words(&e));
    let mut command = Command::new(program);
    command
        .args(&spec.argv[1..])
        .env_clear()
        .envs(spec.env.iter().map(|(k, v)| (k, v)))
        .current_dir(directory(&spec.cwd, &spec.env))
        .process_group(0)
        .stdin(if spec.stdin { Stdio::piped() } else { Stdio::null() })
        .stderr(Stdio::null());
    let mut stdout = None;
    if spec.stdout {
        let (read, write) = io::pipe().map_err(said)?;
        if spec.merge_stderr {
            command.stderr(write.try_clone().map_err(said)?);
        }
        command.stdout(write);
        stdout = Some(OwnedFd::from(read));
    } else {
        command.stdout(Stdio::null());
    }
    let mut child = command.spawn().map_err(said)?;
    let stdin = child.stdin.take().map(OwnedFd::from);
    for fd in stdin.iter().chain(&stdout) {
        rustix::io::ioctl_fionbio(fd, true).map_err(|e| said(e.into()))?;
    }
    let pid = Pid::from_raw(child.id().cast_signed()).ok_or("the system gave no process id")?;
    Ok(Job { pid, stdin, stdout })
}
