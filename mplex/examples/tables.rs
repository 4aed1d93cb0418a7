//! Prints the pages that are made from the tables; `cargo xtask docs` puts them into `docs/generated/`.
//!
//! A line `=== name.md` begins a page. It must say only what the rows say: what is missing here is missing there.
#![allow(clippy::print_stdout)]

use mplex::command::rows::{DEFAULTS, ROWS};
use mplex::command::spec::{self, Spec, TargetKind};
use mplex::command::table;
use mplex::control::verbs::{Member, VERBS, Verb};
use mplex::format::{modifiers, rows as variables};
use mplex::lang::{self, Grouping, NoEnv, Place, Value};
use mplex::options::{self, Kind, Scopes};
use mplex::{event, vars};

fn main() {
    commands();
    keys();
    options();
    formats();
    events();
    verbs();
}

fn begin(name: &str, title: &str) {
    println!("=== {name}.md");
    println!("<!-- Made by `cargo xtask docs` from the tables in the code; not to be edited. -->");
    println!("\n# {title}\n");
}

fn commands() {
    begin("commands", "Commands");
    println!("{} commands. Names may be shortened as far as they stay unique.", ROWS.len());
    println!("What is marked *not built* is known and checked, but fails and says so.\n");
    println!("| command | alias | what it does |\n|---|---|---|");
    for row in ROWS {
        let alias = row.alias.map_or(String::new(), |a| format!("`{a}`"));
        let not_built = if table::exec_of(row.name).is_none() { " (*not built*)" } else { "" };
        println!("| [`{0}`](#{0}) | {alias} | {1}{not_built} |", row.name, cell(row.summary));
    }
    ROWS.iter().for_each(command);
}

fn command(row: &Spec) {
    println!("\n## {}\n", row.name);
    println!("{}.\n", row.summary);
    let missing = match table::exec_of(row.name) {
        Some(exec) => exec.missing,
        None => {
            println!("**Not built.** The command fails and says so.\n");
            &[]
        }
    };
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
            let not_built = missing.iter().find(|(letter, _)| *letter == flag.letter);
            let not_built = not_built.map_or("", |_| "; *not built*");
            println!("| `-{}{value}` | {}{again}{not_built} |", flag.letter, cell(flag.help));
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
    if event::rows::NOT_BUILT.contains(&row.name) {
        println!("**Not built.** It can be set, but what it waits for is never told.\n");
    }
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

/// A member's name; the whole, if it is none.
fn named(m: &Member) -> String {
    if m.name.is_empty() { "the whole".to_owned() } else { code(m.name) }
}

/// The bindings there are at the start, read from the file that makes them.
fn keys() {
    begin("keys", "Keys");
    println!(
        "What keys do before a configuration says otherwise. `list-keys -N` shows the same inside, with what was changed."
    );
    println!("After the prefix key, `C-b`, keys are looked up in table `prefix`, without it in table `root`.");
    let parsed = lang::parse_text(DEFAULTS, Place::default(), Grouping::Whole, &NoEnv).expect("the defaults are read");
    let mut tables: Vec<(String, Vec<[String; 3]>)> = Vec::new();
    for call in parsed.commands.calls() {
        let Ok((row, args)) = spec::bind(call) else { continue };
        if row.name != "bind-key" {
            continue;
        }
        let table = if args.has('n') { "root" } else { args.get('T').unwrap_or("prefix") };
        let key = args.positional(0).unwrap_or_default().to_owned();
        let command: Vec<String> = args.operands().iter().skip(1).map(lang::Arg::to_text).collect();
        let line = [key, args.get('N').unwrap_or_default().to_owned(), command.join(" ")];
        match tables.iter_mut().find(|(name, _)| name == table) {
            Some((_, lines)) => lines.push(line),
            None => tables.push((table.to_owned(), vec![line])),
        }
    }
    for (name, lines) in tables {
        println!("\n## Table {}\n\n| key | | command |\n|---|---|---|", code(&name));
        for [key, note, command] in lines {
            println!("| {} | {} | {} |", cell(&code(&key)), cell(&note), cell(&code(&short(&command))));
        }
    }
}

/// A command as far as it says what happens: long ones are menus.
fn short(command: &str) -> String {
    const LONGEST: usize = 90;
    let line = command.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

fn formats() {
    begin("formats", "Format variables");
    println!(
        "`#{{name}}` expands to a variable, `#{{modifier:name}}` changes it on the way, `#{{?condition,then,else}}` chooses."
    );
    println!(
        "Options and variables of the environment are read the same way. A query of the control socket gives the same"
    );
    println!("values typed: numbers, true and false, seconds since the epoch.");
    let scopes = [
        (variables::Scope::Server, "Server"),
        (variables::Scope::Client, "Client"),
        (variables::Scope::Session, "Session"),
        (variables::Scope::Window, "Window"),
        (variables::Scope::Pane, "Pane"),
        (variables::Scope::Mode, "Copy mode and lists to choose from"),
        (variables::Scope::Buffer, "Paste buffer"),
        (variables::Scope::Mouse, "Mouse event"),
        (variables::Scope::Loop, "Loops"),
        (variables::Scope::Option, "Options in loops and listings"),
        (variables::Scope::Hook, "Hooks"),
        (variables::Scope::Command, "Commands and what they list"),
        (variables::Scope::Key, "Keys in listings"),
        (variables::Scope::Prompt, "Messages and prompts"),
        (variables::Scope::Border, "Borders"),
        (variables::Scope::Menu, "Places of menus and popups"),
    ];
    for (scope, title) in scopes {
        println!("\n## {title}\n\n| variable | | |\n|---|---|---|");
        for row in variables::ROWS.iter().filter(|r| r.scope == scope) {
            let letter = variables::letter(row.name).map_or(String::new(), |c| format!(" `#{c}`"));
            let kind = match row.kind {
                variables::Kind::Text => "text",
                variables::Kind::Number => "number",
                variables::Kind::Bool => "yes or no",
                variables::Kind::Time => "time",
                variables::Kind::Colour => "colour",
            };
            let not_built = if vars::rows::NOT_BUILT.contains(&row.name) { "; *not built, always empty*" } else { "" };
            println!("| `{}`{letter} | {kind} | {}{not_built} |", row.name, cell(row.doc));
        }
    }
    println!("\n## Modifiers\n\n| modifier | example | |\n|---|---|---|");
    for row in modifiers::TABLE {
        println!("| {} | {} | {} |", cell(&code(row.name)), cell(&code(row.example)), cell(row.doc));
    }
}

fn events() {
    begin("events", "Events");
    println!(
        "What can happen that hooks, `subscribe` of the control socket and control mode hear of. A subscriber sees the"
    );
    println!(
        "fields as members of `params`, a hook as formats: field `pane` is `#{{hook_pane}}`. Fields that do not apply are left"
    );
    println!("out. Names that begin with `@` are the user's own.\n");
    println!("| event | when | hook | fields |\n|---|---|---|---|");
    for row in event::rows::ROWS {
        let hook = if row.as_hook().is_some() { "yes" } else { "" };
        let fields: Vec<String> = row.fields.iter().map(|f| code(f)).collect();
        let not_built =
            if event::rows::NOT_BUILT.contains(&row.name()) { " *Not built: it never happens.*" } else { "" };
        println!("| `{}` | {}{not_built} | {hook} | {} |", row.name(), cell(row.doc()), fields.join(" "));
    }
}

fn verbs() {
    begin("verbs", "Verbs of the control socket");
    println!("How the socket is spoken to, and what holds for all verbs, is in [protocol.md](../protocol.md).");
    VERBS.iter().for_each(verb);
}

fn verb(row: &Verb) {
    println!("\n## `{}`\n", row.name);
    let reads = if row.mutates { "" } else { " It changes nothing." };
    println!("It {}.{reads}", row.summary);
    members("params", row.params);
    members("result", row.result);
}

fn members(title: &str, members: &[Member]) {
    if members.is_empty() {
        return;
    }
    println!("\n| {title} | | schema |\n|---|---|---|");
    for m in members {
        let need = if m.required { "" } else { " (optional)" };
        println!("| {}{need} | {} | {} |", named(m), cell(m.doc), cell(&code(m.schema)));
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
