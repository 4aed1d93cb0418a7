//! Cells, rows, compact history, reflow, text extraction and search. Knows no escape sequence.
//!
//! The live screen is rows of packed 8-byte cells; what scrolls off becomes logical lines of UTF-8 text and style runs
//! that know no width. Styles, clusters and links of live cells are interned per terminal.

mod cell;
mod history;
mod intern;
mod lines;
mod reflow;
mod screen;
mod search;

pub use cell::{Cell, Glyph, Look};
pub use history::{History, Limits};
pub(crate) use intern::CLUSTER_BYTES;
pub use intern::{Interned, Link};
pub use lines::{CellRef, Lines, Logical, RowBuf, Snapshot, View};
pub(crate) use reflow::layout;
pub use screen::{Command, Marks, Row, RowMeta, Screen};
pub use search::{Direction, Match, Matcher, Point};

#[cfg(test)]
mod tests;
