//! `cargo xtask bench`: runs the benchmarks.

use crate::{Outcome, only, run};

pub(crate) const HELP: &str = "usage: cargo xtask bench

Runs the benchmark runner of tests/ (tests/src/bin/bench.rs) in release mode and shows its results.";

pub(crate) fn main(args: &[String]) -> Outcome {
    only(args, &[])?;
    if !run::top().join("tests/src/bin/bench.rs").is_file() {
        return Err("there is no benchmark runner yet (tests/src/bin/bench.rs); nothing was measured".to_owned());
    }
    run::run(run::cargo().args(["run", "--quiet", "--release", "--package", "mplex-tests", "--bin", "bench"]))
}
