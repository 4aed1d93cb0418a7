//! The chores of the project: `cargo xtask test|tidy|docs|play|bench`.

fn main() {}
