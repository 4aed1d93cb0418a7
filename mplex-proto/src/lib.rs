//! Wire types and framing only: attach frames, control requests, replies and events, ask types. No logic.

pub mod attach;
