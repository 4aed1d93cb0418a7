//! mplex, a terminal multiplexer in which a program can ask the person a question.
//!
//! The order of the `mod` lines is the rank of the rooms: a room imports only rooms above it in this list.
//! `cargo xtask tidy` reads the order and reports an import that runs the other way; `docs/architecture.md` has one
//! section per room with its invariants.

pub mod base;
pub mod client;
pub mod command;
pub mod compose;
pub mod control;
pub mod core;
pub mod event;
pub mod format;
pub mod grid;
pub mod keys;
pub mod lang;
pub mod layer;
pub mod model;
pub mod options;
pub mod paint;
pub mod saved;
pub mod server;
pub mod term;
