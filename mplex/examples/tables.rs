//! Prints the pages that are made from the tables; `cargo xtask docs` puts them into `docs/generated/`.
//!
//! A line `=== name.md` begins a page. It must say only what the rows say: what is missing here is missing there.
#![allow(clippy::print_stdout)]

use mplex::command::rows::ROWS;
use mplex::command::spec::{Spec, TargetKind};
use mplex::lang::Value;

fn main() {
    commands();
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

/// Text for a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
