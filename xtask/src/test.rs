//! `cargo xtask test`: everything there is to check, in one run that needs nothing prepared by hand.
//!
//! A step that cannot be run here (a program is missing and cannot be installed) is named and counted as skipped. With
//! `CI=true` a skip is a failure, so that nothing goes quietly unchecked.

use crate::{Outcome, docs, only, run, tidy};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

pub(crate) const HELP: &str = "usage: cargo xtask test

Format, clippy, tidy, generated pages, then all tests of the workspace: units, properties, scenarios, end to end.
The last line is `N passed, N failed, N skipped`; the exit status is 0 only if nothing failed. With CI=true a skip fails.
An ignored test is a skip, unless its reason begins with \"by hand\": that is a measurement.
What is missing is set up where that can be done (tmux from the system's packages, as root). Programs for the tests:
  MPLEX_BIN      the mplex to test; default: the one just built
  MPLEX_TMUX     the tmux to compare with; default: the one in PATH
  MPLEX_SKIPPED  set for the tests: a file to which a test that cannot run appends one line, `name: why`";

/// The time that all tests together may take.
const LIMIT: Duration = Duration::from_secs(40 * 60);

/// Beginnings of the reason of an `#[ignore = ".."]` that is no skip: a measurement, not a test.
const BY_HAND: &[&str] = &["by hand", "for a profiler"];

/// What came of it so far.
#[derive(Default)]
struct Tally {
    passed: usize,
    failed: Vec<String>,
    skipped: Vec<String>,
}

impl Tally {
    fn step(&mut self, name: &str, run: impl FnOnce() -> Outcome) {
        println!("== {name}");
        let start = Instant::now();
        match run() {
            Ok(()) => self.passed += 1,
            Err(text) => {
                eprintln!("{name}: {text}");
                self.failed.push(format!("{name}: {text}"));
            }
        }
        println!("   {name}: {:.1} s", start.elapsed().as_secs_f64());
    }
}

pub(crate) fn main(args: &[String]) -> Outcome {
    only(args, &[])?;
    let mut tally = Tally::default();
    let clippy =
        ["clippy", "--quiet", "--keep-going", "--workspace", "--all-targets", "--locked", "--", "--deny", "warnings"];
    if component("fmt", &mut tally) {
        tally.step("format", || run::run(run::cargo().args(["fmt", "--all", "--check"])));
    }
    if component("clippy", &mut tally) {
        tally.step("clippy", || run::run(run::cargo().args(clippy)));
    }
    tally.step("tidy", || tidy::main(&[]));
    tally.step("docs", || docs::main(&["--check".to_owned()]));
    tests(&mut tally);

    println!();
    tally.skipped.iter().for_each(|what| println!("skipped {what}"));
    tally.failed.iter().for_each(|what| println!("failed {what}"));
    println!("{} passed, {} failed, {} skipped", tally.passed, tally.failed.len(), tally.skipped.len());
    let strict = std::env::var("CI").is_ok_and(|ci| ci == "true" || ci == "1");
    if !tally.failed.is_empty() {
        Err("something failed".to_owned())
    } else if strict && !tally.skipped.is_empty() {
        Err("something was skipped, and CI is set".to_owned())
    } else {
        Ok(())
    }
}

/// Whether a part of the toolchain is there, asking rustup for it if it is not.
fn component(name: &str, tally: &mut Tally) -> bool {
    let there = || run::cargo().args([name, "--version"]).output().is_ok_and(|o| o.status.success());
    let package = if name == "fmt" { "rustfmt" } else { name };
    let there = there()
        || run::find("rustup").is_some()
            && run::run(run::command("rustup").args(["component", "add", package])).is_ok()
            && there();
    if !there {
        tally.skipped.push(format!("{name}: cargo {name} is not installed"));
    }
    there
}

fn tests(tally: &mut Tally) {
    println!("== build");
    let build = run::run(run::cargo().args(["build", "--quiet", "--workspace", "--bins", "--locked"]));
    if let Err(text) = build {
        tally.failed.push(format!("build: {text}"));
        return;
    }
    tally.passed += 1;

    let target = target();
    let skips = target.join("skipped.txt");
    // Left from an earlier run, if it is there at all.
    let _ = std::fs::remove_file(&skips);
    let mut command = run::cargo();
    command.args(["test", "--workspace", "--locked", "--no-fail-fast"]).env("MPLEX_SKIPPED", &skips);
    if std::env::var_os("MPLEX_BIN").is_none() {
        command.env("MPLEX_BIN", target.join("debug/mplex"));
    }
    hermetic(&mut command);
    match tmux() {
        Ok(Some(path)) => {
            command.env("MPLEX_TMUX", path);
        }
        Ok(None) => {}
        Err(why) => tally.skipped.push(format!("comparison with tmux: {why}")),
    }

    println!("== tests");
    let mut failed = Vec::new();
    let mut passed = 0;
    let mut ignored = Vec::new();
    let outcome = run::watch(&mut command, LIMIT, |line| {
        if let Some(result) = line.strip_prefix("test result: ") {
            passed += count(result, " passed");
        } else if let Some(test) = line.strip_prefix("test ") {
            if let Some(name) = test.strip_suffix(" ... FAILED") {
                failed.push(name.to_owned());
            } else if let Some((name, why)) = test.split_once(" ... ignored") {
                let why = why.trim_start_matches(", ");
                if !BY_HAND.iter().any(|by_hand| why.starts_with(by_hand)) {
                    ignored.push(format!("{name}: {why}"));
                }
            }
        }
    });
    if let Err(text) = outcome
        && failed.is_empty()
    {
        failed.push(format!("tests: {text}"));
    }
    tally.passed += passed;
    tally.failed.append(&mut failed);
    tally.skipped.append(&mut ignored);
    if let Ok(lines) = std::fs::read_to_string(&skips) {
        tally.skipped.extend(lines.lines().map(str::to_owned));
    }
}

/// The number before ` passed` in libtest's line of result.
fn count(result: &str, what: &str) -> usize {
    let head = result.split(what).next().unwrap_or_default();
    head.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| run::top().join("target"), |dir| run::top().join(dir))
}

/// Takes from the tests what they could depend on unseen: a multiplexer around them, the person's terminal and language.
fn hermetic(command: &mut Command) {
    for name in ["TMUX", "TMUX_PANE", "TMUX_TMPDIR", "MPLEX", "MPLEX_PANE", "LC_ALL", "LC_CTYPE", "LANG"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm-256color").env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
}

/// The tmux to compare with, if a test asks for one: found, or installed from the system's packages.
fn tmux() -> Result<Option<PathBuf>, String> {
    if let Some(path) = std::env::var_os("MPLEX_TMUX") {
        return Ok(Some(PathBuf::from(path)));
    }
    if !mentions(&run::top().join("tests"), "MPLEX_TMUX") {
        return Ok(None);
    }
    if let Some(path) = run::find("tmux") {
        return Ok(Some(path));
    }
    if !rustix::process::geteuid().is_root() || run::find("apt-get").is_none() {
        return Err("no tmux in PATH, and it cannot be installed from here".to_owned());
    }
    let apt = |args: &[&str]| run::run(run::command("apt-get").env("DEBIAN_FRONTEND", "noninteractive").args(args));
    let install = ["install", "--quiet", "--yes", "--no-install-recommends", "tmux"];
    apt(&install).or_else(|_| apt(&["update", "--quiet"]).and_then(|()| apt(&install)))?;
    run::find("tmux").map(Some).ok_or_else(|| "apt-get installed tmux, but it is not in PATH".to_owned())
}

/// Whether a Rust file below `dir` holds a word.
fn mentions(dir: &std::path::Path, word: &str) -> bool {
    let Ok(entries) = std::fs::read_dir(dir) else { return false };
    entries.flatten().any(|entry| {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => mentions(&path, word),
            Ok(_) if path.extension().is_some_and(|e| e == "rs") => {
                std::fs::read_to_string(&path).is_ok_and(|text| text.contains(word))
            }
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_tests_are_counted() {
        assert_eq!(count("ok. 22 passed; 0 failed; 1 ignored; 0 measured", " passed"), 22);
        assert_eq!(count("nonsense", " passed"), 0);
    }
}
