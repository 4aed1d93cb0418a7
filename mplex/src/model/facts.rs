//! What is known of the server's own process and machine.

use crate::base::Wall;

#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Path of the socket.
    pub socket: String,
    pub pid: u32,
    pub uid: u32,
    pub user: String,
    pub started: Wall,
    /// Name of the machine.
    pub host: String,
    /// Path of this program.
    pub program: String,
    /// Directory that comes first in the `PATH` of panes, with `tmux` in it.
    pub shim_dir: Option<String>,
    /// Home directories by user name.
    pub homes: Vec<(String, String)>,
    /// Configuration files that were read.
    pub config_files: Vec<String>,
}

impl Facts {
    pub fn home_of(&self, user: &str) -> Option<String> {
        self.homes.iter().find(|(n, _)| n == user).map(|(_, h)| h.clone())
    }
}
