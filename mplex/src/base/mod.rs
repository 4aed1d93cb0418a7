//! What every room speaks: sizes, rectangles, typed ids, revisions, time, colours and styles, the width of text.
//!
//! It must not know any other room, do I/O or read a clock.

pub mod check;
pub mod geom;
pub mod id;
pub mod raw;
#[cfg(test)]
pub(crate) mod source;
pub mod style;
pub mod time;
pub mod width;
pub mod x11;

pub use geom::{Pos, Rect, Size};
pub use id::{BufferSeq, ClientId, ConnId, FlowId, JobId, PaneId, Rev, SessionId, WindowId};
pub use style::{Attrs, Colour, ColourKind, Style};
pub use time::{Now, Span, Time, Wall};
