//! The client's signals, turned into a readable descriptor and a list of what was told.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};

/// What a signal means to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    Resize,
    Continue,
    Terminate,
    Hangup,
    Interrupt,
    Stop,
}

const CAUGHT: [(i32, Told); 7] = [
    (SIGWINCH, Told::Resize),
    (SIGCONT, Told::Continue),
    (SIGTERM, Told::Terminate),
    (SIGHUP, Told::Hangup),
    (SIGINT, Told::Interrupt),
    (SIGQUIT, Told::Interrupt),
    (SIGTSTP, Told::Stop),
];

/// The signals of the process, caught from now on.
pub struct Signals {
    pipe: UnixStream,
    flags: Vec<(Arc<AtomicBool>, Told)>,
}

impl Signals {
    pub fn catch() -> io::Result<Signals> {
        let (pipe, write) = UnixStream::pair()?;
        pipe.set_nonblocking(true)?;
        let mut flags = Vec::new();
        for (signal, told) in CAUGHT {
            let flag = Arc::new(AtomicBool::new(false));
            // The flag first: whoever reads the pipe finds it set.
            signal_hook::flag::register(signal, Arc::clone(&flag))?;
            signal_hook::low_level::pipe::register(signal, write.try_clone()?)?;
            flags.push((flag, told));
        }
        // Caught and unread: a write to a closed pipe is an error where it happens, and children get the default back.
        signal_hook::flag::register(SIGPIPE, Arc::new(AtomicBool::new(false)))?;
        Ok(Signals { pipe, flags })
    }

    /// Readable when something was told.
    pub fn as_fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }

    /// What was told since the last call.
    pub fn take(&mut self) -> Vec<Told> {
        let mut buf = [0; 64];
        while matches!(self.pipe.read(&mut buf), Ok(n) if n > 0) {}
        self.flags.iter().filter(|(f, _)| f.swap(false, Ordering::SeqCst)).map(|(_, t)| *t).collect()
    }

    /// Forgets a continuation the caller knows of.
    pub fn forget_continue(&mut self) {
        for (flag, told) in &self.flags {
            if matches!(told, Told::Continue | Told::Stop) {
                flag.store(false, Ordering::SeqCst);
            }
        }
    }
}

/// Stops this process until somebody continues it.
pub fn stop_self() {
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP);
}

/// SIGHUP for the parent, unless that is nobody's.
pub fn hang_up_parent() {
    if let Some(parent) = rustix::process::getppid()
        && !parent.is_init()
    {
        let _ = rustix::process::kill_process(parent, rustix::process::Signal::HUP);
    }
}
