//! `cargo xtask play`: runs the scenarios of `tests/`, all or those whose name holds a word.

use crate::{Outcome, run};

pub(crate) const HELP: &str = "usage: cargo xtask play [--update] [word ...]

Runs the scenarios of tests/scenarios; with words, those whose name contains one of them. The language is described at the
head of tests/src/player.rs. With --update, what is seen is written into them in place of what was expected: read the
difference before you commit it.";

pub(crate) fn main(args: &[String]) -> Outcome {
    let (flags, words): (Vec<&String>, Vec<&String>) = args.iter().partition(|a| a.starts_with('-'));
    let mut command = run::cargo();
    for flag in flags {
        match flag.as_str() {
            "--update" => command.env("UPDATE", "1"),
            odd => return Err(format!("what is {odd}? --help says what there is")),
        };
    }
    run::run(command.args(["test", "--quiet", "--package", "mplex-tests", "--test", "play", "--"]).args(words))
}
