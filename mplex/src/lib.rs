//! mplex, a terminal multiplexer in which a program can ask the person a question.
//!
//! The order of the `mod` lines is the rank of the rooms: a room imports only rooms above it in this list.
//! `cargo xtask tidy` reads the order and reports an import that runs the other way; `docs/architecture.md` has one
//! section per room with its invariants.
//!
//! The `mod` lines are kept apart so that the formatter does not sort them.

// Tests may take a seed from the environment; the same code is checked again without them.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod base;

pub mod grid;

pub mod term;

pub mod keys;

pub mod paint;

pub mod lang;

pub mod format;

pub mod options;

pub mod event;

pub mod model;

pub mod layer;

pub mod vars;

pub mod compose;

pub mod command;

pub mod control;

pub mod core;

pub mod saved;

// The two rooms that may touch the system: clocks, files, processes and sockets (see `clippy.toml`).
#[allow(clippy::disallowed_methods)]
pub mod client;

#[allow(clippy::disallowed_methods)]
pub mod server;

/// The version of tmux whose language is spoken.
pub const TMUX_VERSION: &str = "3.8";
/// This program's own version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
