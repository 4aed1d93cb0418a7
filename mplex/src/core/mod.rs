//! One owner of all state: arrivals in, effects out. No I/O and no clock.

pub mod arrival;
pub mod outside;

pub use arrival::{Arrival, ExitStatus, Hello, Peer, Signal, TtyInfo};
pub use outside::{Outside, Process};
