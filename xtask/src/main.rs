//! The chores of the project: `cargo xtask test|tidy|docs|picture|play|bench`. Each is one file with its own `--help`.
//!
//! It must not depend on the crates it looks after: it has to run, and say what is wrong, when they do not compile.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod bench;
mod docs;
mod picture;
mod play;
mod run;
mod source;
mod test;
mod tidy;

use std::process::ExitCode;

const HELP: &str = "usage: cargo xtask <chore> [options]

  test    everything there is to check, and one line of result
  tidy    what the compiler does not check: import order, file heads, pages that go with code
  docs    write the generated pages again; --check only compares
  picture draw the picture of README.md again
  play    run scenarios
  bench   run benchmarks

cargo xtask <chore> --help says more.";

/// What a chore comes to: `Err` is said on stderr and fails.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let chore = args.next().unwrap_or_default();
    let args: Vec<String> = args.collect();
    let (help, chore): (&str, fn(&[String]) -> Outcome) = match chore.as_str() {
        "test" => (test::HELP, test::main),
        "tidy" => (tidy::HELP, tidy::main),
        "docs" => (docs::HELP, docs::main),
        "picture" => (picture::HELP, picture::main),
        "play" => (play::HELP, play::main),
        "bench" => (bench::HELP, bench::main),
        "" | "help" | "-h" | "--help" => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        other => {
            eprintln!("xtask: no chore is called {other}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    if args.iter().any(|a| a == "--help" || a == "-h") {
        println!("{help}");
        return ExitCode::SUCCESS;
    }
    match chore(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("xtask: {text}");
            ExitCode::FAILURE
        }
    }
}

/// Refuses options that a chore does not know.
fn only(args: &[String], known: &[&str]) -> Outcome {
    match args.iter().find(|a| !known.contains(&a.as_str())) {
        Some(odd) => Err(format!("what is {odd}? --help says what there is")),
        None => Ok(()),
    }
}
