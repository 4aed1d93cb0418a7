//! An attached or commanding client as the loop sees it: its terminal, what waits for it, and how far it is on its way
//! out.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use mplex_proto::attach::ToClient;
use rustix::fs::{Mode, OFlags};
use rustix::termios::{OptionalActions, Termios, isatty, tcgetattr, tcsetattr};

use super::queue::Queue;
use crate::base::Time;

/// Most bytes that wait for a terminal. `core` draws no new frame while one waits, so more than this is a fault.
pub(super) const TTY_QUEUE: usize = 16 << 20;

/// Where the terminal's bytes go.
pub(super) enum Reach {
    /// The client has no terminal.
    None,
    /// By its own descriptor.
    Direct(Door),
    /// Through the client.
    Relay,
}

/// How far a client's terminal is in our hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Closed,
    Open,
    /// What waits is written first, at most until this time; then `after` is sent and the terminal is free.
    Closing(Time),
    /// As `Closing`, but we come back.
    Yielding(Time),
    /// The client is stopped or locked.
    Away,
}

pub(super) struct Client {
    /// Number of its connection.
    pub(super) conn: u32,
    pub(super) reach: Reach,
    pub(super) stage: Stage,
    pub(super) out: Queue,
    /// Whether we poll for the terminal to take more.
    pub(super) waiting: bool,
    /// Whether `core` was told that it is blocked.
    pub(super) blocked: bool,
    /// Frames to send when the terminal is free.
    pub(super) after: Vec<ToClient>,
    /// The connection is gone or about to go, and `core` knows.
    pub(super) gone: bool,
}

/// A terminal opened by descriptor.
pub(super) struct Door {
    fd: OwnedFd,
    /// The open file is the client's own: blocking has to be given back.
    shared: bool,
    before: Option<Termios>,
}

impl Door {
    /// Takes what the client passed; `None` if that is no terminal we can write to.
    pub(super) fn of(passed: OwnedFd) -> Option<Door> {
        if !isatty(&passed) {
            return None;
        }
        // An open file of our own: O_NONBLOCK is a property of the open file, and the client's must stay as it is.
        let own = format!("/proc/self/fd/{}", passed.as_raw_fd());
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        match rustix::fs::open(own, flags, Mode::empty()) {
            Ok(fd) => Some(Door { fd, shared: false, before: None }),
            Err(_) => {
                let mode = rustix::fs::fcntl_getfl(&passed).ok()? & OFlags::RWMODE;
                (mode == OFlags::RDWR).then_some(Door { fd: passed, shared: true, before: None })
            }
        }
    }

    /// Raw from now on.
    pub(super) fn enter(&mut self) {
        if self.shared {
            let _ = rustix::io::ioctl_fionbio(&self.fd, true);
        }
        if let Ok(mut modes) = tcgetattr(&self.fd) {
            if self.before.is_none() {
                self.before = Some(modes.clone());
            }
            modes.make_raw();
            let _ = tcsetattr(&self.fd, OptionalActions::Now, &modes);
        }
    }

    /// Ours no more; the client puts the modes back.
    pub(super) fn leave(&mut self) {
        if self.shared {
            let _ = rustix::io::ioctl_fionbio(&self.fd, false);
        }
    }

    /// The client cannot put the modes back any more: we do, unless somebody else did.
    pub(super) fn leave_for_client(&mut self) {
        self.leave();
        let (Some(before), Ok(now)) = (&self.before, tcgetattr(&self.fd)) else { return };
        let mut raw = before.clone();
        raw.make_raw();
        if now.local_modes == raw.local_modes && now.input_modes == raw.input_modes {
            let _ = tcsetattr(&self.fd, OptionalActions::Now, before);
        }
    }
}

impl AsFd for Door {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}
