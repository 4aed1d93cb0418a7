//! The few things `core` may ask and be answered at once: the terminals that another thread parses, facts about
//! processes, and files. A scenario answers them from memory.

use crate::base::PaneId;
use crate::term::Terminal;

/// What runs in the foreground of a pane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Process {
    /// Its short name, as in `pane_current_command`.
    pub command: String,
    /// Its working directory, as in `pane_current_path`.
    pub path: String,
}

/// Answers at once, never blocks for long.
pub trait Outside {
    /// Takes over the terminal of a new pane.
    fn open_terminal(&mut self, pane: PaneId, terminal: Terminal);
    /// Drops a pane's terminal and gives it back (`None` if there was none).
    fn close_terminal(&mut self, pane: PaneId) -> Option<Terminal>;
    /// Calls `f` with the pane's terminal, locked meanwhile; false if there is none.
    fn terminal(&mut self, pane: PaneId, f: &mut dyn FnMut(&mut Terminal)) -> bool;
    /// Lets the pane's terminal take what its program has written so far, as far as that takes no time.
    fn catch_up(&mut self, _pane: PaneId) {}
    /// What runs in the foreground of the pane's pty, if it can be told.
    fn process(&mut self, pane: PaneId) -> Option<Process>;
    /// A process's parents, nearest first, as far as they can be told.
    fn parents(&mut self, _pid: u32) -> Vec<u32> {
        Vec::new()
    }
    /// A process's short name, if it can be told.
    fn program(&mut self, _pid: u32) -> Option<String> {
        None
    }
    /// A regular file's content; the error names the path. At most `limit` bytes, more is an error.
    fn read_file(&mut self, path: &str, limit: usize) -> Result<Vec<u8>, String>;
    /// Writes a file whole (by a temporary name and a rename) or appends to it.
    fn write_file(&mut self, path: &str, bytes: &[u8], append: bool) -> Result<(), String>;
    /// Paths that match a glob pattern, sorted; a pattern without wildcards gives itself if it exists.
    fn glob(&mut self, pattern: &str) -> Vec<String>;
}

/// Calls `f` with the pane's terminal and hands back what it returns.
pub fn with_terminal<R>(out: &mut dyn Outside, pane: PaneId, f: impl FnOnce(&mut Terminal) -> R) -> Option<R> {
    let mut f = Some(f);
    let mut result = None;
    out.terminal(pane, &mut |t| {
        if let Some(f) = f.take() {
            result = Some(f(t));
        }
    });
    result
}
