//! What is to be done outside: a closed list. `core` decides, `server` (or a scenario) carries out, in order.

use crate::base::{ClientId, ConnId, JobId, PaneId, Size};

/// A program to start in a pane's pty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpawnSpec {
    /// The program and its arguments, executed without a shell. `argv[0]` is looked up in the `PATH` of `env`.
    pub argv: Vec<String>,
    /// What the program sees as its own name, if not `argv[0]` (a login shell's `-zsh`).
    pub argv0: Option<String>,
    /// Where it starts; a directory that cannot be entered falls back to `HOME`, then `/`.
    pub cwd: String,
    /// The whole environment, nothing is inherited.
    pub env: Vec<(String, String)>,
    pub size: Size,
}

/// A shell command in the background: `run-shell`, `if-shell`, `#()`, `pipe-pane`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobSpec {
    /// The program and its arguments (usually a shell, `-c` and the text).
    pub argv: Vec<String>,
    pub cwd: String,
    pub env: Vec<(String, String)>,
    /// Keep its standard input open for [`Effect::JobWrite`]; otherwise it is `/dev/null`.
    pub stdin: bool,
    /// Report its output as `Arrival::JobOutput`; otherwise it is dropped.
    pub stdout: bool,
    /// Send standard error where standard output goes; otherwise it is dropped.
    pub merge_stderr: bool,
}

/// A stream of a command client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Out,
    Err,
}

/// One thing to do outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Start a program in a new pty for this pane. Answered by `Arrival::Spawned`, `SpawnFailed` or
    /// `ExecFailed`.
    Spawn { pane: PaneId, spec: SpawnSpec },
    /// Bytes for the program (keys, pastes, replies). Queued in order when the pty does not take them all.
    PtyWrite { pane: PaneId, bytes: Vec<u8> },
    /// The pty's window size (`TIOCSWINSZ`). The terminal itself was resized by `core`.
    PtyResize { pane: PaneId, size: Size },
    /// Forget the pty: stop reading, close it, hang up what runs there.
    PtyClose { pane: PaneId },
    /// Stop or go on reading the pty's output.
    PtyPause { pane: PaneId, paused: bool },
    /// Ask for `Arrival::PaneOutput` with the raw bytes of this pane as well (pipe, recording, control mode).
    PtyTap { pane: PaneId, on: bool },

    /// Bytes for the terminal of an attached client. If not all can be written at once the rest is queued and
    /// `Arrival::TtyBlocked` said, later `Arrival::TtyDrained`.
    TtyWrite { client: ClientId, bytes: Vec<u8> },
    /// The client is attached from now on: its terminal goes raw and its bytes come as `Arrival::TtyBytes`.
    TtyOpen { client: ClientId },
    /// The client is not attached any more: write what is queued (a terminal that does not read is given up after a
    /// short while), stop reading.
    TtyClose { client: ClientId },
    /// Text on a command client's standard output or error.
    ClientOut { client: ClientId, stream: Stream, bytes: Vec<u8> },
    /// Ask for the client's standard input until its end, as `Arrival::ClientStdin`.
    ClientStdin { client: ClientId },
    /// A control client that ends waits for an empty line or the end of its input before it goes.
    ClientLinger { client: ClientId },
    /// End of this client: it prints `message` (if any) and exits with `status`.
    ClientExit { client: ClientId, status: u8, message: Option<String> },
    /// The client hangs up its parent as well (`detach-client -P`).
    ClientHangup { client: ClientId, message: Option<String> },
    /// The client replaces itself by this shell command (`detach-client -E`), run by `shell`.
    ClientExec { client: ClientId, shell: String, command: String },
    /// The client stops itself as by C-z; `Arrival::TtyResumed` when it goes on.
    ClientSuspend { client: ClientId },
    /// The client runs a lock command on its terminal and says `Arrival::TtyResumed` when it ended.
    ClientLock { client: ClientId, command: String },

    /// One line (without the newline) for a control connection.
    ControlWrite { conn: ConnId, line: String },
    /// Close a control connection after what is queued was written.
    ControlClose { conn: ConnId },

    /// Start a background job; its end comes as `Arrival::JobDone`.
    JobStart { job: JobId, spec: JobSpec },
    /// Bytes for a job's standard input.
    JobWrite { job: JobId, bytes: Vec<u8> },
    /// Close a job's standard input.
    JobEof { job: JobId },
    /// End a job with SIGTERM; `Arrival::JobDone` still comes.
    JobKill { job: JobId },

    /// A line for the server's log.
    Log(String),
    /// End the server: remove the socket, close everything.
    Exit,
}
