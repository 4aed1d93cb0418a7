//! What the scenario and end-to-end tests share.

// Tests run programs, read clocks and files.
#![allow(clippy::disallowed_methods)]

pub mod player;
pub mod pty;
