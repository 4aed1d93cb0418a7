//! The only room that touches the operating system on the server's side.
