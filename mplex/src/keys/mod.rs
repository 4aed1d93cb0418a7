//! Key values and their names, decoding of what a client's terminal sends, encoding for what a pane's program expects.
//!
//! It knows no key table and no command, reads no clock, and never guesses: a byte sequence that no terminal is known to
//! send for a key is dropped, it does not become text.

mod decode;
mod encode;
mod key;

pub use decode::{Decoder, Input, Paste, Response};
pub use encode::{PaneModes, encode, encode_focus, encode_mouse, encode_paste};
pub use key::{BadKey, Code, Key, KeyEvent, KittyRaw, Mods, Mouse, MouseKey, MouseKind, MousePlace, Phase};
