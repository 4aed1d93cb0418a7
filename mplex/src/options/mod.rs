//! The option rows, value kinds and the scoped store. Knows no session.
