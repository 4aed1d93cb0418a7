//! What an attaching client and its server say to each other: types and framing only, no logic. The control socket beside it
//! speaks JSON and is described by the table of its verbs.

pub mod attach;
