//! Panes: a rectangle of a window and the program that runs in it. The terminal itself lives outside (see `core`).

use crate::base::{JobId, PaneId, Rect, Time, Wall, WindowId};

/// Where a pane's program is in its life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Life {
    /// No program (a pane for messages) or not yet asked for.
    Empty,
    /// Asked for, not yet running.
    Starting,
    Running,
    /// Ended and kept (`remain-on-exit`). `code` of an exit or `signal`.
    Dead {
        code: Option<i32>,
        signal: Option<i32>,
        at: Wall,
    },
}

#[derive(Clone, Debug)]
pub struct Pane {
    pub id: PaneId,
    pub window: WindowId,
    /// Where it stands in its window, without borders.
    pub rect: Rect,
    /// Set when the rect's size moved; cleared by `core` once terminal and pty follow.
    pub resized: bool,
    pub life: Life,
    pub pid: Option<u32>,
    pub tty: String,
    /// What was started: one word is a shell command, more are a program and its arguments; empty is the default shell.
    pub argv: Vec<String>,
    /// Where it was started.
    pub cwd: String,
    /// Shell used, for messages and respawn.
    pub shell: String,
    /// Output is copied to this job (`pipe-pane -o`), its output is typed (`-I`).
    pub pipe: Option<Pipe>,
    /// `select-pane -d`: keys do not reach the program.
    pub input_off: bool,
    /// The pty was closed by all and the exit status may still come, or the other way round.
    pub eof: bool,
    pub exited: Option<(Option<i32>, Option<i32>)>,
    /// It was respawned: a failure to start leaves it dead instead of gone.
    pub respawned: bool,
    /// When its terminal last moved.
    pub activity: Wall,
    /// When its program was last started or typed into, and when it last wrote.
    pub asked: Option<Time>,
    pub said: Option<Time>,
    /// The pane is floating on top of the tiled ones.
    pub floating: bool,
    /// Style set with `select-pane -P`, kept as option text elsewhere; here only what `-b` like flags need.
    pub border_name: Option<String>,
}

/// A pipe of a pane to a shell command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pipe {
    pub job: JobId,
    /// The pane's output goes to the command.
    pub output: bool,
    /// The command's output is typed into the pane.
    pub input: bool,
}

impl Pane {
    pub fn new(id: PaneId, window: WindowId, rect: Rect) -> Pane {
        Pane {
            id,
            window,
            rect,
            resized: false,
            life: Life::Empty,
            pid: None,
            tty: String::new(),
            argv: Vec::new(),
            cwd: String::new(),
            shell: String::new(),
            pipe: None,
            input_off: false,
            eof: false,
            exited: None,
            respawned: false,
            activity: Wall::default(),
            asked: None,
            said: None,
            floating: false,
            border_name: None,
        }
    }

    pub fn is_dead(&self) -> bool {
        matches!(self.life, Life::Dead { .. })
    }

    /// What was started, as one text in our own quotes (`pane_start_command`).
    pub fn start_command(&self) -> String {
        self.argv.iter().map(|a| crate::lang::escape(a)).collect::<Vec<_>>().join(" ")
    }

    /// The same, each word quoted for a shell (`pane_start_command_list`).
    pub fn start_command_list(&self) -> String {
        self.argv.iter().map(|a| format!("'{}'", a.replace('\'', r"'\''"))).collect::<Vec<_>>().join(" ")
    }
}
