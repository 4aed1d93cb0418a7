//! How much of everything there may be. Each number has one place, here or beside the type it limits.

/// The largest configuration file, in bytes.
pub const MAX_CONFIG: usize = 1 << 20;
/// How often the consequences of one step may have consequences.
pub const MAX_ROUNDS: usize = 64;
/// How many commands that move sizes run in one round before others get their turn.
pub const MAX_RUNS: usize = 10_000;
/// The longest time a client waits for a frame under a flood if the option `frame-rate` says nothing sensible, in
/// frames per second.
pub const DEFAULT_FRAME_RATE: i64 = 60;
/// A pane's synchronised update (mode 2026) holds frames back for at most this long, in milliseconds.
pub const SYNC_LIMIT_MS: u64 = 1000;
/// Smallest gap between frames that no key asked for, in milliseconds.
pub const QUIET_GAP_MS: u64 = 4;
/// Frames in a row that follow one key at once before the frame clock counts.
pub const BURST: u8 = 8;
/// The largest standard input of a command client, in bytes.
pub const MAX_STDIN: usize = 64 << 20;
/// The largest paste, in bytes; what is beyond is cut off.
pub const MAX_PASTE: usize = 64 << 20;
/// Inputs of a client that are held while a program starts; with more, they are taken as they come.
pub const MAX_HELD: usize = 4096;
