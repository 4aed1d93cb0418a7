//! Sessions, windows, panes, clients, buffers, asks, key tables, environment. Knows no terminal emulation.

pub mod buffers;
pub mod environ;
pub mod layout;
