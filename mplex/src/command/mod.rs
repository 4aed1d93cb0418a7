//! Command rows, dispatch and queues. Knows no socket.
//!
//! The way of a command: `queue` takes the next call of a client, `dispatch` finds its row, checks its arguments,
//! resolves its targets and calls `exec`; what it prints goes to whoever asked, whatever that is.

pub mod background;
pub mod cmd;
pub mod cx;
pub mod dispatch;
pub mod input;
pub mod jobs;
pub mod lifecycle;
pub mod listen;
pub mod queue;
pub mod rows;
pub mod spec;
pub mod state;
pub mod table;
pub mod top;

pub use cx::{CmdError, Cx, Done, ErrorKind};
pub use queue::{Asker, Item, Queues, ReplyTo, Token, Wake};
pub use state::State;
