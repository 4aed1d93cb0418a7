//! Clients: who is connected, what terminal they stand on, which session they look at.

use crate::base::{ClientId, Colour, PaneId, SessionId, Size, Time, Wall, WindowId};
use crate::model::environ::Environ;

/// What a client is here for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientKind {
    /// Runs a command and goes.
    #[default]
    Command,
    /// Shows a session on its terminal.
    Attached,
    /// tmux's text control mode, attached or not.
    Control,
}

bitflags::bitflags! {
    /// `attach-session -f` flags.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct ClientFlags: u32 {
        const READ_ONLY = 1;
        const IGNORE_SIZE = 1 << 1;
        const ACTIVE_PANE = 1 << 2;
        const NO_OUTPUT = 1 << 3;
        const NO_DETACH_ON_DESTROY = 1 << 4;
        const WAIT_EXIT = 1 << 5;
        /// Suspended or locked: nothing is drawn.
        const SUSPENDED = 1 << 8;
        /// The terminal window has the focus.
        const FOCUSED = 1 << 9;
        /// `-d` was given to the detaching command and similar: it is going and takes no more commands.
        const EXITING = 1 << 10;
    }
}

#[derive(Clone, Debug, Default)]
pub struct Client {
    pub id: ClientId,
    pub kind: ClientKind,
    /// Name shown to people and used as a target: the terminal's path, or `client-PID`.
    pub name: String,
    pub tty: String,
    pub term: String,
    pub pid: u32,
    pub uid: u32,
    pub cwd: String,
    pub environ: Environ,
    pub session: Option<SessionId>,
    pub last_session: Option<SessionId>,
    pub flags: ClientFlags,
    pub size: Size,
    /// A cell in pixels, 0 where unknown.
    pub cell: (u16, u16),
    pub created: Wall,
    pub activity: Wall,
    /// Order of activity among clients, for `window-size latest` and the choice of a best client.
    pub seen: Time,
    /// Table in which the next key is looked up; empty means the session's `key-table`.
    pub table: String,
    /// When it was entered (for `prefix-timeout`).
    pub table_since: Option<Time>,
    /// A table that repeats (`bind -r`) falls back at this time.
    pub repeat_until: Option<Time>,
    /// Where the client looks when the window is larger than its terminal (`refresh-client -U` ...).
    pub pan: Option<(WindowId, u16, u16)>,
    /// Pane of its own with the flag `active-pane`.
    pub own_active: Vec<(WindowId, PaneId)>,
    /// Bytes drawn and frames dropped, for formats.
    pub written: u64,
    pub discarded: u64,
    pub as_tmux: bool,
    /// Stands on a terminal that could be handed over.
    pub has_tty: bool,
    /// tmux's text control mode: 1 (`-C`) or 2 (`-CC`), 0 for none.
    pub control_level: u8,
    /// Terminal features named by hand (`-T`).
    pub features: Vec<String>,
    /// Names of the features of its terminal, separated by commas.
    pub feature_names: String,
    /// What its terminal calls itself (XTVERSION).
    pub term_type: String,
    /// Colours of its terminal and whether they are dark, as far as it said so.
    pub fg: Option<Colour>,
    pub bg: Option<Colour>,
    pub dark: Option<bool>,
    /// How many colours its terminal has.
    pub colours: u32,
    /// Exit status of a command client so far.
    pub status: u8,
    /// What it has read of its standard input.
    pub stdin: Vec<u8>,
    /// Seconds after which a pane is paused for a control client that is behind (flag `pause-after`).
    pub pause_after: Option<u32>,
    /// Whether a size set by `refresh-client -C` holds (control clients).
    pub forced_size: bool,
}

impl Client {
    /// Whether the person behind it can answer an ask: it is attached, has a screen and may type.
    pub fn can_answer(&self) -> bool {
        let out = ClientFlags::READ_ONLY | ClientFlags::EXITING;
        self.session.is_some() && self.control_level == 0 && !self.flags.intersects(out)
    }

    pub fn is_attached(&self) -> bool {
        self.session.is_some()
    }
}
