//! `cargo xtask play`: runs the scenarios of `tests/`, all or those whose name holds a word.

use crate::{Outcome, run};

pub(crate) const HELP: &str = "usage: cargo xtask play [word ...]

Runs the .play scenarios of tests/; with words, those whose name contains one of them.";

pub(crate) fn main(args: &[String]) -> Outcome {
    if let Some(odd) = args.iter().find(|a| a.starts_with('-')) {
        return Err(format!("what is {odd}? --help says what there is"));
    }
    if !run::top().join("tests/tests/play.rs").is_file() {
        return Err("there is no scenario player yet (tests/tests/play.rs)".to_owned());
    }
    run::run(run::cargo().args(["test", "--quiet", "--package", "mplex-tests", "--test", "play", "--"]).args(args))
}
