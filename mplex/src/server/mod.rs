//! The only room that touches the operating system on the server's side: the loop, ptys, processes, sockets, signals,
//! files, the log.
//!
//! `main` runs [`run`]: one poll over the socket, the connections, the clients' terminals, the jobs' pipes and a waker.
//! What arrives is said to the brain (`core`), what the brain wants is carried out, until nothing more comes of it; then
//! it sleeps until something happens or the brain's deadline passes. A second thread reads and parses the panes (`pty`).
//! It must not know what a command, a key or a screen means.

mod client;
mod conn;
mod facts;
mod log;
mod pty;
mod queue;
mod run;
mod signals;
mod spawn;
mod world;

use std::io;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::base::{Now, Time, Wall};
use crate::core::{Arrival, Core, Outside, Turn};

pub use run::run;

/// What decides: `core`, or a stand-in of a test.
pub trait Brain {
    /// One thing happened.
    fn step(&mut self, arrival: Arrival, now: Now, out: &mut dyn Outside);
    /// Everything that happened was told; what is to be done?
    fn turn(&mut self, now: Now, out: &mut dyn Outside) -> Turn;
}

impl Brain for Core {
    fn step(&mut self, arrival: Arrival, now: Now, out: &mut dyn Outside) {
        Core::step(self, arrival, now, out);
    }

    fn turn(&mut self, now: Now, out: &mut dyn Outside) -> Turn {
        Core::turn(self, now, out)
    }
}

/// Runs a server of a fresh core to its end. `named` are configuration files given by `-f`.
pub fn serve(config: Config, named: Option<&[String]>) -> io::Result<()> {
    let wall = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let now = Now { mono: Time(0), wall: Wall(wall.cast_signed()) };
    let core = Core::new(facts::core_config(&config.path, named), now);
    run(config, core)
}

/// What a server needs.
#[derive(Debug)]
pub struct Config {
    /// Already listening.
    pub listener: UnixListener,
    /// Where it listens, to remove it at the end and to make it again on SIGUSR1.
    pub path: PathBuf,
    /// Write a log (`-v`).
    pub verbose: bool,
}

/// The listening socket that a client gave us as standard input; standard input is `/dev/null` afterwards.
pub fn inherited_listener() -> io::Result<UnixListener> {
    let stdin = rustix::stdio::stdin();
    if !rustix::net::sockopt::socket_acceptconn(stdin).unwrap_or(false) {
        return Err(io::Error::other("standard input is not a listening socket"));
    }
    let listener = UnixListener::from(stdin.try_clone_to_owned()?);
    let null = std::fs::File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    Ok(listener)
}
