//! Runs the scenarios of `tests/scenarios`, all or those whose name contains one of the words given. `UPDATE=1` writes
//! what was seen into them. Speaks like the standard test harness, so that its lines are counted like all others.

#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    // Some screens show times of day.
    if std::env::var("TZ").as_deref() != Ok("UTC")
        && let Ok(me) = std::env::current_exe()
    {
        let status = Command::new(me).args(std::env::args_os().skip(1)).env("TZ", "UTC").status();
        return if status.is_ok_and(|s| s.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let list = std::env::args().any(|a| a == "--list");
    let update = std::env::var_os("UPDATE").is_some_and(|v| !v.is_empty() && v != "0");
    let mut files = Vec::new();
    find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios"), &mut files);
    files.sort();
    let mut failures = Vec::new();
    let (mut passed, mut left_out) = (0, 0);
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !words.is_empty() && !words.iter().any(|w| name.contains(w.as_str())) {
            left_out += 1;
            continue;
        }
        if list {
            println!("play::{name}: test");
            continue;
        }
        let outcome = catch_unwind(|| mplex_tests::player::play(&file, update));
        match outcome.unwrap_or_else(|_| Err("panicked, see above".to_owned())) {
            Ok(()) => {
                passed += 1;
                println!("test play::{name} ... ok");
            }
            Err(text) => {
                println!("test play::{name} ... FAILED");
                failures.push(format!("---- play::{name} ----\n{text}\n"));
            }
        }
    }
    if list {
        return ExitCode::SUCCESS;
    }
    for text in &failures {
        println!("\n{text}");
    }
    let word = if failures.is_empty() { "ok" } else { "FAILED" };
    println!(
        "\ntest result: {word}. {passed} passed; {} failed; 0 ignored; 0 measured; {left_out} filtered out\n",
        failures.len()
    );
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn find(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, files);
        } else if path.extension().is_some_and(|e| e == "play") {
            files.push(path);
        }
    }
}
