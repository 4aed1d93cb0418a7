//! The terminal emulator: bytes in, grid and modes changed, replies and notices out as data. Knows no pane or client.
