//! The server's signals, turned into a readable descriptor and a list of what was told.

use std::io::{self, Read};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGUSR1};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    Terminate,
    Child,
    /// Make the socket again.
    Socket,
}

const CAUGHT: [(i32, Told); 5] = [
    (SIGTERM, Told::Terminate),
    (SIGINT, Told::Terminate),
    (SIGHUP, Told::Terminate),
    (SIGCHLD, Told::Child),
    (SIGUSR1, Told::Socket),
];

pub(super) struct Signals {
    pipe: UnixStream,
    flags: Vec<(Arc<AtomicBool>, Told)>,
    ids: Vec<signal_hook::SigId>,
}

impl Signals {
    pub(super) fn catch() -> io::Result<Signals> {
        let (pipe, write) = UnixStream::pair()?;
        pipe.set_nonblocking(true)?;
        let mut signals = Signals { pipe, flags: Vec::new(), ids: Vec::new() };
        for (signal, told) in CAUGHT {
            let flag = Arc::new(AtomicBool::new(false));
            // The flag first: whoever reads the pipe finds it set.
            signals.ids.push(signal_hook::flag::register(signal, Arc::clone(&flag))?);
            signals.ids.push(signal_hook::low_level::pipe::register(signal, write.try_clone()?)?);
            signals.flags.push((flag, told));
        }
        // Caught, not ignored: a program we start gets the default back.
        signals.ids.push(signal_hook::flag::register(SIGPIPE, Arc::new(AtomicBool::new(false)))?);
        Ok(signals)
    }

    pub(super) fn fd(&self) -> RawFd {
        self.pipe.as_raw_fd()
    }

    pub(super) fn take(&mut self) -> Vec<Told> {
        let mut buf = [0; 64];
        while matches!(self.pipe.read(&mut buf), Ok(n) if n > 0) {}
        self.flags.iter().filter(|(f, _)| f.swap(false, Ordering::SeqCst)).map(|(_, t)| *t).collect()
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for id in self.ids.drain(..) {
            signal_hook::low_level::unregister(id);
        }
    }
}
