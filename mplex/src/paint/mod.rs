//! Frames, clipped writing, difference of two frames, encoding for a terminal's capabilities.
//!
//! A client has one [`Painter`]: the frame that is being composed (`next`), the frame its terminal shows, and what is known
//! of that terminal (pen, cursor, scroll region, [`Caps`]). Composing writes through a [`Brush`] into `next`; a write that
//! changes nothing marks nothing. [`Painter::draw`] turns the marked rows into the fewest bytes it can find, after which both
//! frames are equal.
//!
//! It must not know panes, layers, clients or options, nor where the bytes go.

pub mod brush;
pub mod caps;
pub mod cell;
pub mod encode;
pub mod frame;
pub mod picture;
pub mod seq;
pub mod sgr;

#[cfg(test)]
mod tests;

pub use brush::{Border, Brush};
pub use caps::{Caps, Colours, Feature, Features, Quirks};
pub use cell::{Cell, LinkId, Pool, Symbol};
pub use encode::{Drawn, Painter, diff};
pub use frame::{Cursor, CursorShape, Frame};
pub use picture::{svg, text};
pub use seq::Mouse;
