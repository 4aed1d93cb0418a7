//! From `argv` to the client, the server, or a face of `mplex-flow`.

fn main() {}
