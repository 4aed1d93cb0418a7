//! `cargo xtask bench`: builds the benchmark and what it measures in release mode, and runs it.

use crate::{Outcome, run};

pub(crate) const HELP: &str = "usage: cargo xtask bench [options]

Measures mplex (release) beside tmux, the same work in turns, and shows a table of figures and ratios.

  --quick          8 megabytes of text per row and 3 rounds, not 50 and 5
  --mb N           megabytes of text per row
  --rounds N       rounds per row
  --only WORD      rows whose name holds the word
  --tmux PATH      the other program (tmux of PATH)
  --write          append the table to docs/benchmarks.md, under today's date
  --instructions   instructions per byte of the emulator alone, by valgrind; no other row";

pub(crate) fn main(args: &[String]) -> Outcome {
    let counting = args.iter().any(|a| a == "--instructions");
    if counting && run::find("valgrind").is_none() {
        return Err("--instructions needs valgrind, which is not installed; nothing was measured".to_owned());
    }
    run::run(run::cargo().args(["build", "--quiet", "--release", "--package", "mplex", "--bin", "mplex"]))?;
    if counting {
        run::run(run::cargo().args(["build", "--quiet", "--release", "--package", "mplex", "--example", "emulate"]))?;
    }
    run::run(run::cargo().args(["build", "--quiet", "--release", "--package", "mplex-tests", "--bin", "bench"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| run::top().join("target"), Into::into);
    let built = target.join("release");
    let mut bench = run::command(&built.join("bench").to_string_lossy());
    bench.env("MPLEX_BIN", built.join("mplex")).env("MPLEX_EMULATE", built.join("examples/emulate"));
    for arg in args {
        bench.arg(arg);
        if arg == "--write" {
            bench.arg(run::top().join("docs/benchmarks.md"));
        }
    }
    run::run(&mut bench)
}
