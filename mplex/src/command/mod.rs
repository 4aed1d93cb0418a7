//! Command rows, dispatch and queues. Knows no socket.

pub mod rows;
pub mod spec;
