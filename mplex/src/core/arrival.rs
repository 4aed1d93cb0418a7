//! What comes from outside: a closed list. `server` (or a scenario) says it, `core` decides what it means.

use crate::base::{ClientId, ConnId, JobId, PaneId, Size};
use crate::control::Peer;
use crate::term::Notice;

/// The terminal a client stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TtyInfo {
    /// Path of the device, e.g. `/dev/pts/3`.
    pub path: String,
    /// `TERM` of the client.
    pub term: String,
    pub size: Size,
    /// Size of a cell in pixels, 0 where unknown.
    pub cell: (u16, u16),
}

/// What a client says of itself when it connects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    /// The command to run; empty means the option `default-client-command` (`new-session`).
    pub argv: Vec<String>,
    pub pid: u32,
    /// User id of the peer as the kernel says it.
    pub uid: u32,
    pub cwd: String,
    pub env: Vec<(String, String)>,
    /// Present when standard input is a terminal that could be handed over.
    pub tty: Option<TtyInfo>,
    /// `-C` (1) or `-CC` (2): tmux's text control mode on standard input and output.
    pub control: u8,
    /// `-T`: terminal features claimed by hand.
    pub features: Vec<String>,
    /// `-f`: configuration files named by hand; only the client that starts the server has a say.
    pub config: Option<Vec<String>>,
    /// Called as `tmux`: speak of sockets and errors as tmux does.
    pub as_tmux: bool,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    Code(i32),
    Signal(i32),
}

/// A signal to the server itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// SIGTERM, SIGINT, SIGHUP: end in order.
    Terminate,
}

/// One thing that happened outside.
#[derive(Clone, Debug)]
pub enum Arrival {
    /// A client connected and said who it is.
    Connected {
        client: ClientId,
        hello: Box<Hello>,
    },
    /// The client's connection is gone, whatever the reason.
    ClientGone {
        client: ClientId,
    },
    /// Bytes typed (or replied) by an attached client's terminal.
    TtyBytes {
        client: ClientId,
        bytes: Vec<u8>,
    },
    TtyResized {
        client: ClientId,
        size: Size,
        cell: (u16, u16),
    },
    /// The client's terminal did not take all of the last `TtyWrite`.
    TtyBlocked {
        client: ClientId,
    },
    /// It has now.
    TtyDrained {
        client: ClientId,
    },
    /// The client is back from a suspension or a lock; its screen is unknown.
    TtyResumed {
        client: ClientId,
    },
    /// A piece of a command client's standard input; `eof` with the last (perhaps empty) one.
    ClientStdin {
        client: ClientId,
        bytes: Vec<u8>,
        eof: bool,
    },

    /// A command or control client's connection did not take all that was written.
    ClientBlocked {
        client: ClientId,
    },
    /// It has now.
    ClientDrained {
        client: ClientId,
    },

    ControlOpened {
        conn: ConnId,
        peer: Peer,
    },
    /// One line without its newline; may be anything.
    ControlLine {
        conn: ConnId,
        line: Vec<u8>,
    },
    /// A line over the limit was skipped up to its newline; `seen` bytes of it were counted.
    ControlTooLong {
        conn: ConnId,
        seen: usize,
    },
    ControlGone {
        conn: ConnId,
    },

    Spawned {
        pane: PaneId,
        pid: u32,
        tty: String,
    },
    /// There is no pty or no process for the pane.
    SpawnFailed {
        pane: PaneId,
        error: String,
    },
    /// There is a pty, but the program cannot be executed.
    ExecFailed {
        pane: PaneId,
        error: String,
    },
    /// The pane's terminal parsed output since the last arrival for this pane.
    PaneMoved {
        pane: PaneId,
        /// Bytes parsed, for activity and pacing.
        bytes: usize,
        /// The pty had nothing more to read when this was said.
        drained: bool,
        /// Answers of the terminal for the program, in order.
        replies: Vec<u8>,
        notices: Vec<Notice>,
    },
    /// The raw bytes of a tapped pane (`Effect::PtyTap`), before the `PaneMoved` that tells of them.
    PaneOutput {
        pane: PaneId,
        bytes: Vec<u8>,
    },
    /// Nobody has the pty open any more.
    PaneEof {
        pane: PaneId,
    },
    /// The program of the pane ended.
    ChildExit {
        pane: PaneId,
        status: ExitStatus,
    },

    JobOutput {
        job: JobId,
        bytes: Vec<u8>,
    },
    JobDone {
        job: JobId,
        status: ExitStatus,
    },
    JobFailed {
        job: JobId,
        error: String,
    },

    Signal(Signal),
    /// Only time has passed (a deadline that `turn` returned).
    Tick,
}
