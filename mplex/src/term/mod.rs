//! The terminal emulator: bytes in, grid and modes changed, replies and notices out as data. Knows no pane or client.

/// Something a program said to its terminal that concerns more than the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    Bell,
}

/// A terminal: two screens, history, cursor, modes.
pub struct Terminal {}
