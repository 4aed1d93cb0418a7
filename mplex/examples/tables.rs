//! Prints the pages that are made from the tables; `cargo xtask docs` puts them into `docs/generated/`.
//!
//! A line `=== name.md` begins a page. It must say only what the rows say: what is missing here is missing there.
#![allow(clippy::print_stdout)]

use mplex::command::rows::ROWS;
use mplex::command::spec::{Spec, TargetKind};
use mplex::lang::Value;
use mplex::options::{self, Kind, Scopes};

fn main() {
    commands();
    options();
}

fn begin(name: &str, title: &str) {
    println!("=== {name}.md");
    println!("<!-- Made by `cargo xtask docs` from the tables in the code; not to be edited. -->");
    println!("\n# {title}\n");
}

fn commands() {
    begin("commands", "Commands");
    println!("{} commands. Names may be shortened as far as they stay unique.\n", ROWS.len());
    println!("| command | alias | what it does |\n|---|---|---|");
    for row in ROWS {
        let alias = row.alias.map_or(String::new(), |a| format!("`{a}`"));
        println!("| [`{0}`](#{0}) | {alias} | {1} |", row.name, cell(row.summary));
    }
    ROWS.iter().for_each(command);
}

fn command(row: &Spec) {
    println!("\n## {}\n", row.name);
    println!("{}.\n", row.summary);
    let usage = row.usage();
    println!("    {}", format!("{} {usage}", row.name).trim_end());
    if let Some(alias) = row.alias {
        println!("\nAlias: `{alias}`.");
    }
    if let Some(target) = row.target {
        let kind = match target.kind {
            TargetKind::Session => "session",
            TargetKind::Window => "window",
            TargetKind::Pane => "pane",
        };
        println!("\nActs on a {kind} (`-{}`), by default the current one.", target.flag);
    }
    if !row.args.flags.is_empty() {
        println!("\n| flag | |\n|---|---|");
        for flag in row.args.flags {
            let value = match flag.value {
                Value::None => String::new(),
                Value::Required => format!(" {}", flag.name),
                Value::Optional => format!(" [{}]", flag.name),
            };
            let again = if flag.repeat { "; may be given more than once" } else { "" };
            println!("| `-{}{value}` | {}{again} |", flag.letter, cell(flag.help));
        }
    }
    if !row.doc.is_empty() {
        println!("\n{}", row.doc);
    }
    let mut notes = Vec::new();
    if row.read_only_ok {
        notes.push("A read-only client may run it.".to_owned());
    }
    if row.after_hook {
        notes.push(format!("Hook `after-{}` runs after it.", row.name));
    }
    if row.start_server {
        notes.push("It starts the server if there is none.".to_owned());
    }
    if !notes.is_empty() {
        println!("\n{}", notes.join(" "));
    }
    if !row.compat.is_empty() {
        println!("\nDifferent from tmux: {}", row.compat);
    }
}

fn options() {
    begin("options", "Options and hooks");
    println!("Set with `set-option`, shown with `show-options`; hooks with `set-hook` and `show-hooks`.");
    let groups = [
        ("Server options", Scopes::SERVER, false),
        ("Session options", Scopes::SESSION, false),
        ("Window and pane options", Scopes::WINDOW, false),
        ("Hooks", Scopes::all(), true),
    ];
    for (title, scopes, hooks) in groups {
        println!("\n## {title}");
        let rows = options::ROWS.iter().filter(|r| r.hook == hooks && r.scopes.intersects(scopes));
        rows.for_each(option);
    }
}

fn option(row: &options::Row) {
    println!("\n### `{}`\n", row.name);
    println!("{}\n", row.doc);
    let scopes: Vec<&str> =
        [(Scopes::SERVER, "server"), (Scopes::SESSION, "session"), (Scopes::WINDOW, "window"), (Scopes::PANE, "pane")]
            .into_iter()
            .filter(|(scope, _)| row.scopes.contains(*scope))
            .map(|(_, name)| name)
            .collect();
    println!("- for: {}", scopes.join(", "));
    let array = if row.is_array() { ", as an array" } else { "" };
    println!("- value: {}{array}", kind(row.kind));
    if !row.hook {
        println!("- default:{}", default(row.default));
    }
    if !row.other.is_empty() {
        println!("- also written: {}", row.other.iter().map(|o| code(o)).collect::<Vec<_>>().join(", "));
    }
}

fn kind(kind: Kind) -> String {
    match kind {
        Kind::Flag => "`on` or `off`".to_owned(),
        Kind::Number { min, max, unit } => {
            let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
            // The largest number there is stands for no limit.
            if max >= i64::from(i32::MAX) {
                return format!("a number of at least {min}{unit}");
            }
            format!("a number from {min} to {max}{unit}")
        }
        Kind::Text => "text".to_owned(),
        Kind::Format => "a format".to_owned(),
        Kind::Size => "a size, `COLUMNSxROWS`".to_owned(),
        Kind::Shell => "the path of a shell".to_owned(),
        Kind::Choice(names) => format!("one of {}", names.iter().map(|n| code(n)).collect::<Vec<_>>().join(", ")),
        Kind::Colour => "a colour".to_owned(),
        Kind::ColourText => "a colour, a format that gives one, or nothing".to_owned(),
        Kind::Style => "a style".to_owned(),
        Kind::Key => "a key".to_owned(),
        Kind::Command => "commands".to_owned(),
    }
}

/// A default, on one line where it is one value, else as a list.
fn default(values: &[&str]) -> String {
    match values {
        [] | [""] => " empty".to_owned(),
        [one] => format!(" {}", code(one)),
        several => several.iter().map(|v| format!("\n  - {}", code(v))).collect(),
    }
}

/// Text as inline code, fenced so that backticks in it do no harm.
fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// Text for a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
