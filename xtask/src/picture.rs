//! `cargo xtask picture`: draws the picture of README.md again, from what the program itself composes.
//!
//! The scene is set by `tests/examples/picture.rs`; this file only puts the picture where it belongs.

use crate::{Outcome, only, run};

pub(crate) const HELP: &str = "usage: cargo xtask picture

Writes docs/picture.svg: a session with a question, as the core composes it for a client.";

const PATH: &str = "docs/picture.svg";

pub(crate) fn main(args: &[String]) -> Outcome {
    only(args, &[])?;
    let svg = run::output(run::cargo().args(["run", "--quiet", "--package", "mplex-tests", "--example", "picture"]))?;
    std::fs::write(run::top().join(PATH), svg).map_err(|error| format!("{PATH}: {error}"))?;
    println!("wrote {PATH}");
    Ok(())
}
