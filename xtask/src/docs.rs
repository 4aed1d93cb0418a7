//! `cargo xtask docs`: writes the pages that are made from the tables (commands, options, formats, events).
//!
//! The program `mplex/examples/tables.rs` prints them all; a line `=== path` begins a page. This file only puts them
//! where they belong.

use crate::{Outcome, only, run};
use std::path::Path;

pub(crate) const HELP: &str = "usage: cargo xtask docs [--check]

Writes docs/generated/*.md from the tables in the code.
  --check   write nothing; fail if a page is not what the tables say";

/// Where generated pages live.
const DIR: &str = "docs/generated";

pub(crate) fn main(args: &[String]) -> Outcome {
    only(args, &["--check"])?;
    let check = !args.is_empty();
    let printed = run::output(run::cargo().args(["run", "--quiet", "--package", "mplex", "--example", "tables"]))?;
    let pages = pages(&printed)?;
    let dir = run::top().join(DIR);
    let mut stale = Vec::new();
    for (name, text) in &pages {
        let path = dir.join(name);
        if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
            stale.push(format!("{DIR}/{name}"));
            if !check {
                std::fs::create_dir_all(&dir).map_err(|e| format!("{DIR}: {e}"))?;
                std::fs::write(&path, text).map_err(|e| format!("{DIR}/{name}: {e}"))?;
            }
        }
    }
    for name in present(&dir) {
        if !pages.iter().any(|(page, _)| *page == name) {
            stale.push(format!("{DIR}/{name} (no table makes it any more)"));
            if !check {
                std::fs::remove_file(dir.join(&name)).map_err(|e| format!("{DIR}/{name}: {e}"))?;
            }
        }
    }
    match (check, stale.is_empty()) {
        (true, false) => Err(format!("stale: {}; cargo xtask docs writes them again", stale.join(", "))),
        (true, true) => {
            println!("{} generated pages are what the tables say", pages.len());
            Ok(())
        }
        (false, _) => {
            stale.iter().for_each(|page| println!("wrote {page}"));
            println!("{} generated pages, {} changed", pages.len(), stale.len());
            Ok(())
        }
    }
}

fn present(dir: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let names = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned());
    names.filter(|n| n.ends_with(".md")).collect()
}

/// Cuts the stream at its `=== name` lines.
fn pages(printed: &str) -> Result<Vec<(String, String)>, String> {
    let mut pages: Vec<(String, String)> = Vec::new();
    for line in printed.lines() {
        match (line.strip_prefix("=== "), pages.last_mut()) {
            (Some(name), _) if name.contains('/') => return Err(format!("{name}: a page is a plain file name")),
            (Some(name), _) => pages.push((name.to_owned(), String::new())),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => return Err(format!("the tables begin with {line:?}, not with a page")),
        }
    }
    if pages.is_empty() { Err("the tables printed no page".to_owned()) } else { Ok(pages) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_cut_into_pages() {
        let two = pages("=== a.md\none\n\n=== b.md\ntwo\n").unwrap();
        assert_eq!(two, [("a.md".to_owned(), "one\n\n".to_owned()), ("b.md".to_owned(), "two\n".to_owned())]);
        assert!(pages("").is_err());
        assert!(pages("text\n").is_err());
        assert!(pages("=== ../a.md\n").is_err());
    }
}
