//! `cargo xtask tidy`: what the compiler does not check. Import order between rooms, heads of files, pages that must move
//! with code, words that do not belong in the repository.

use crate::source::{blank, imports, without_tests};
use crate::{Outcome, only, run};
use std::path::{Path, PathBuf};

pub(crate) const HELP: &str = "usage: cargo xtask tidy [--bless]

Checks, from the sources alone:
  - no room of mplex imports one below it in the order of the mod lines of mplex/src/lib.rs; client/ imports base only
  - mplex and mplex-flow do not import each other, but for mplex/src/main.rs
  - every .rs file opens with //!
  - docs/architecture.md has one section per room, in that order
  - docs/protocol.md carries the hash of the table of verbs it describes
  - no path of one machine and no host of a package registry stands in a file
  --bless   put the new hash into docs/protocol.md (after the page has been read again)";

pub(crate) fn main(args: &[String]) -> Outcome {
    only(args, &["--bless"])?;
    let top = run::top();
    if !args.is_empty() {
        return bless(&top);
    }
    let faults = faults(&top)?;
    if faults.is_empty() {
        println!("tidy");
        return Ok(());
    }
    faults.iter().for_each(|fault| eprintln!("{fault}"));
    Err(format!("{} untidy", faults.len()))
}

/// Everything that is wrong, a line each, `path:line: what`.
fn faults(top: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let rooms = rooms(&read(&top.join("mplex/src/lib.rs"))?);
    if rooms.is_empty() {
        return Err("mplex/src/lib.rs has no mod lines".to_owned());
    }
    let mut files = Vec::new();
    walk(top, &mut files)?;
    files.sort();
    for path in &files {
        let name = path.strip_prefix(top).unwrap_or(path).to_string_lossy().into_owned();
        let Ok(bytes) = std::fs::read(path) else { continue };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        words(&name, &text, &mut found);
        if name.ends_with(".rs") {
            if !text.starts_with("//!") {
                found.push(format!("{name}:1: a file opens with //! and says what it is for"));
            }
            rank(&name, &text, &rooms, &mut found);
        }
    }
    match std::fs::read_to_string(top.join("docs/architecture.md")) {
        Ok(page) => architecture(&page, &rooms, &mut found),
        Err(error) => found.push(format!("docs/architecture.md: {error}")),
    }
    match std::fs::read_to_string(top.join("docs/protocol.md")) {
        Ok(page) => {
            let (has, is) = (carried(&page), wire_hash(top)?);
            if has != Some(is.as_str()) {
                found.push(format!(
                    "docs/protocol.md: describes verbs {}, they are {is}; read the page again, then tidy --bless",
                    has.unwrap_or("without a hash")
                ));
            }
        }
        Err(error) => found.push(format!("docs/protocol.md: {error}")),
    }
    Ok(found)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The files of the repository, without what is built or fetched.
fn walk(dir: &Path, files: &mut Vec<PathBuf>) -> Outcome {
    let entries = std::fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && !["target", ".git", "node_modules"].iter().any(|skip| name == *skip) {
            walk(&path, files)?;
        } else if kind.is_file() && !["Cargo.lock", ".git"].iter().any(|skip| name == *skip) {
            files.push(path);
        }
    }
    Ok(())
}

/// The rooms in rank order.
fn rooms(lib: &str) -> Vec<String> {
    let lines = lib.lines().filter_map(|line| line.trim().strip_prefix("pub mod "));
    lines.filter_map(|line| line.strip_suffix(';')).map(str::to_owned).collect()
}

fn rank(name: &str, text: &str, rooms: &[String], found: &mut Vec<String>) {
    let code = blank(text);
    if let Some(path) = name.strip_prefix("mplex/src/") {
        let room = path.split('/').next().unwrap_or(path).trim_end_matches(".rs");
        if path != "main.rs" {
            for (line, _) in imports(&code, "mplex_flow") {
                found.push(format!("{name}:{line}: only main.rs may name mplex_flow"));
            }
        }
        let Some(own) = rooms.iter().position(|r| r == room) else { return };
        // A room's tests may look down: a file of tests is one, too.
        if path.ends_with("/tests.rs") || path.contains("/tests/") {
            return;
        }
        for (line, other) in imports(&without_tests(&code), "crate") {
            let Some(rank) = rooms.iter().position(|r| r == other) else { continue };
            if rank > own {
                found.push(format!("{name}:{line}: {room} is above {other} and may not import it"));
            } else if room == "client" && other != "base" && rank != own {
                found.push(format!("{name}:{line}: client imports base and mplex_proto only, not {other}"));
            }
        }
    } else if name.starts_with("mplex-flow/") || name.starts_with("mplex-proto/") {
        for (line, _) in imports(&code, "mplex") {
            found.push(format!("{name}:{line}: this crate talks to mplex over the socket and may not import it"));
        }
        let flow = if name.starts_with("mplex-proto/") { imports(&code, "mplex_flow") } else { Vec::new() };
        for (line, _) in flow {
            found.push(format!("{name}:{line}: mplex-proto imports nothing of ours"));
        }
    }
}

fn architecture(page: &str, rooms: &[String], found: &mut Vec<String>) {
    let heads = page.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix("/`"));
    let heads: Vec<&str> = heads.filter(|head| !head.contains('/')).collect();
    if heads != *rooms {
        found.push(format!(
            "docs/architecture.md: its rooms are {}, those of mplex/src/lib.rs are {}",
            heads.join(" "),
            rooms.join(" ")
        ));
    }
}

/// Words that tell of a machine or a place of work rather than of the project.
fn words(name: &str, text: &str, found: &mut Vec<String>) {
    // In two parts each, so that this file does not hold them.
    const FORBIDDEN: &[(&str, &str)] = &[
        ("/wo", "rk/"),
        ("/ro", "ot/"),
        ("/tmp/", "tmux38"),
        ("index.", "crates.io"),
        ("static.", "crates.io"),
        ("registry.", "npmjs"),
        ("pypi.", "org"),
        ("proxy.", "golang.org"),
        ("deb.", "debian.org"),
    ];
    const HOME: (&str, &str) = ("/ho", "me/");
    // Invented people, for tests and examples; a narrow screen may cut a name.
    const HOMES: &[&str] = &["ann", "bob", "me", "u", "user"];
    for (n, line) in text.lines().enumerate() {
        for (a, b) in FORBIDDEN {
            if line.contains(&format!("{a}{b}")) {
                found.push(format!("{name}:{}: {a}{b} does not belong in the repository", n + 1));
            }
        }
        for rest in line.split(&format!("{}{}", HOME.0, HOME.1)).skip(1) {
            let who = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or(rest);
            if !HOMES.iter().any(|known| known.starts_with(who)) {
                found.push(format!("{name}:{}: the home of {who} does not belong in the repository", n + 1));
            }
        }
    }
}

/// The hash in the page's line `<!-- verbs: 0123456789abcdef -->`.
fn carried(page: &str) -> Option<&str> {
    page.lines().find_map(|line| line.strip_prefix("<!-- verbs: ")?.strip_suffix(" -->"))
}

/// A hash of what the verbs take and give, from the page that their table makes. It does not move with spacing. The frames
/// of attaching clients are not part of it: they are private to one version, and the page says only that.
fn wire_hash(top: &Path) -> Result<String, String> {
    // FNV-1a, 64 bits.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in read(&top.join("docs/generated/verbs.md"))?.bytes().filter(|b| !b.is_ascii_whitespace()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    Ok(format!("{hash:016x}"))
}

fn bless(top: &Path) -> Outcome {
    let path = top.join("docs/protocol.md");
    let page = read(&path)?;
    let old = carried(&page).ok_or("docs/protocol.md has no line for the hash: <!-- verbs: ... -->")?;
    let new = wire_hash(top)?;
    if old == new {
        println!("docs/protocol.md has the hash already");
        return Ok(());
    }
    let page = page.replacen(&format!("<!-- verbs: {old} -->"), &format!("<!-- verbs: {new} -->"), 1);
    std::fs::write(&path, page).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("docs/protocol.md: {old} -> {new}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str, expect: &[&str]) {
        let rooms = ["base", "grid", "term", "server", "client"].map(str::to_owned);
        let mut found = Vec::new();
        rank(name, text, &rooms, &mut found);
        assert_eq!(found, expect);
    }

    #[test]
    fn rooms_look_up_only() {
        check("mplex/src/term/mod.rs", "use crate::grid::Row;\nuse crate::never;", &[]);
        check(
            "mplex/src/grid/row.rs",
            "//! x\nuse crate::{base::Size, term};",
            &["mplex/src/grid/row.rs:2: grid is above term and may not import it"],
        );
        check("mplex/src/grid/row.rs", "#[cfg(test)]\nmod tests { use crate::term::T; }", &[]);
        check("mplex/src/grid/tests.rs", "use crate::term::T;", &[]);
        check(
            "mplex/src/client/mod.rs",
            "use crate::grid::Row;",
            &["mplex/src/client/mod.rs:1: client imports base and mplex_proto only, not grid"],
        );
    }

    #[test]
    fn the_two_sides_of_the_socket_do_not_meet() {
        check("mplex/src/main.rs", "use mplex_flow::cli;", &[]);
        check(
            "mplex/src/base/x.rs",
            "use mplex_flow::cli;",
            &["mplex/src/base/x.rs:1: only main.rs may name mplex_flow"],
        );
        check(
            "mplex-flow/src/a.rs",
            "use mplex_proto::A;\nuse mplex::base::B;",
            &["mplex-flow/src/a.rs:2: this crate talks to mplex over the socket and may not import it"],
        );
    }

    #[test]
    fn machines_are_not_named() {
        let mut found = Vec::new();
        words("a.md", concat!("see /wo", "rk/x\n/ho", "me/user is fine, /ho", "me/karl is not"), &mut found);
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn the_repository_is_read_as_meant() {
        assert_eq!(rooms("//! x\npub mod base;\n#[x]\npub mod grid;\nmod y {}\n"), ["base", "grid"]);
        assert_eq!(carried("# t\n<!-- verbs: 00ff -->\n"), Some("00ff"));
        let mut found = Vec::new();
        architecture("### `base/`\ntext\n### `grid/`\n", &["base".to_owned(), "grid".to_owned()], &mut found);
        assert_eq!(found, Vec::<String>::new());
    }
}
