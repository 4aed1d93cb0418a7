//! Prints the state as text in the languages mplex already reads, and reads it back.
//!
//! Not built yet: upgrade and resurrection come with it.
