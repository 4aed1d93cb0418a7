//! The table and the default bindings, checked as data.

use std::collections::BTreeMap;

use crate::command::spec::{TargetKind, ValueKind, bind, find, resolve};
use crate::lang::{Arg, CommandList, Grouping, NoEnv, Place, Value, parse_args, parse_text};

use super::*;

fn parse(text: &str) -> CommandList {
    let parsed = parse_text(text, Place { file: None, line: 1 }, Grouping::Whole, &NoEnv);
    parsed.unwrap_or_else(|error| panic!("{error} in {text:?}")).commands
}

/// A text, and the commands it stands for or why it stands for none.
#[track_caller]
fn check(text: &str, expect: &str) {
    let got = resolve(&parse(text)).map_or_else(|error| error.to_string(), |list| list.print());
    assert_eq!(got, expect, "from {text:?}");
}

#[test]
fn names_are_sorted_and_unique() {
    assert!(ROWS.is_sorted_by(|a, b| a.name < b.name));
    let mut names: Vec<&str> = ROWS.iter().flat_map(|row| [Some(row.name), row.alias]).flatten().collect();
    names.sort_unstable();
    assert_eq!(names.windows(2).find(|pair| pair[0] == pair[1]), None);
    assert_eq!(ROWS.len(), 92);
}

#[test]
fn everything_is_explained() {
    for row in ROWS {
        assert!(!row.summary.is_empty() && !row.summary.ends_with('.'), "{}: summary", row.name);
        assert!(row.doc.ends_with('.'), "{}: doc", row.name);
        for flag in row.args.flags {
            let what = format!("{} -{}", row.name, flag.letter);
            assert!(flag.help.len() > 3 && !flag.help.ends_with('.'), "{what}: help");
            assert_eq!(flag.name.is_empty(), flag.value == Value::None, "{what}: name of the value");
            assert!(flag.letter.is_ascii_alphanumeric(), "{what}: letter");
        }
    }
}

#[test]
fn flags_fit_the_targets() {
    for row in ROWS {
        let mut letters: Vec<char> = row.args.flags.iter().map(|flag| flag.letter).collect();
        letters.sort_unstable();
        assert_eq!(letters.windows(2).find(|pair| pair[0] == pair[1]), None, "{}: a flag twice", row.name);
        let valued = |letter| row.args.flag(letter).is_some_and(|flag| flag.value == Value::Required);
        for target in [row.target, row.source].into_iter().flatten() {
            assert!(valued(target.flag), "{}: target -{}", row.name, target.flag);
        }
        if let Some(client) = row.client {
            assert!(valued(client.flag), "{}: client -{}", row.name, client.flag);
        }
    }
    let kind = |name: &str| find(name).ok().and_then(|row| row.target).map(|target| target.kind);
    assert_eq!(kind("kill-session"), Some(TargetKind::Session));
    assert_eq!(kind("new-window"), Some(TargetKind::Window));
    assert_eq!(kind("splitw"), Some(TargetKind::Pane));
    assert_eq!(kind("attach"), None);
}

#[test]
fn values_have_kinds() {
    let kind = |name: &str, letter| find(name).ok().and_then(|row| row.args.flag(letter)).and_then(ValueKind::of);
    assert_eq!(kind("split-window", 't'), Some(ValueKind::Pane));
    assert_eq!(kind("split-window", 'S'), Some(ValueKind::Style));
    assert_eq!(kind("split-window", 'd'), None);
    for row in ROWS {
        for target in [row.target, row.source].into_iter().flatten() {
            let kind = row.args.flag(target.flag).and_then(ValueKind::of);
            assert!(
                matches!(kind, Some(ValueKind::Session | ValueKind::Window | ValueKind::Pane)),
                "{} -{}: {kind:?}",
                row.name,
                target.flag
            );
        }
    }
}

#[test]
fn usage_is_as_tmux_prints_it() {
    // Where tmux contradicts itself its parser counts: `server-access` takes no -t, `-e` of `new-pane` and `-e` and `-l`
    // of `split-window` have values, and there is a space between all flags.
    let mut got = String::new();
    for row in ROWS {
        let alias = row.alias.map_or(String::new(), |alias| format!(" ({alias})"));
        got.push_str(format!("{}{alias} {}", row.name, row.usage()).trim_end());
        got.push('\n');
    }
    for (got, expect) in got.lines().zip(include_str!("usage.txt").lines()) {
        assert_eq!(got, expect);
    }
    assert_eq!(got, include_str!("usage.txt"));
}

#[test]
fn commands_are_found() {
    let name = |name| find(name).map(|row| row.name);
    assert_eq!(name("new-session"), Ok("new-session"));
    assert_eq!(name("new"), Ok("new-session"));
    assert_eq!(name("splitw"), Ok("split-window"));
    assert_eq!(name("kill-ser"), Ok("kill-server"));
    assert_eq!(name("lock"), Ok("lock-server"));
    assert_eq!(name("foo"), Err("unknown command: foo".to_owned()));
    assert_eq!(name("kill-s"), Err("ambiguous command: kill-s, could be: kill-server, kill-session".to_owned()));
}

#[test]
fn lists_are_resolved() {
    check("splitw -h -d -l 30% ; neww", "split-window -dh -l \"30%\" ; new-window");
    check("bind x { splitw -h -d ; neww }", "bind-key x { split-window -dh ; new-window }");
    check("if true { neww } { foo }", "unknown command: foo");
    check("splitw -9", "command split-window: unknown flag -9");
    check("display -t", "command display-message: -t expects an argument");
    check("rename", "command rename-session: too few arguments (need at least 1)");
    check("rename a b", "command rename-session: too many arguments (need at most 1)");
    check("neww {}", "command new-window: argument 1 must be \"string\"");
    check("kill-pane -?", "usage: kill-pane [-a] [-f filter] [-t target-pane]");
    check(
        "s",
        "ambiguous command: s, could be: save-buffer, select-layout, select-pane, select-window, send-keys, \
        send-prefix, server-access, set-buffer, set-environment, set-hook, set-option, set-window-option, \
        show-buffer, show-environment, show-hooks, show-messages, show-options, show-prompt-history, \
        show-window-options, source-file, split-window, start-server, suspend-client, swap-pane, swap-window, \
        switch-client, switch-mode",
    );
    check("menu a b { neww } '' c d { neww }", "display-menu a b { new-window } '' c d { new-window }");
    check("menu a { neww } b", "command display-menu: argument 2 must be \"string\"");
    check("set-hook -B a:: { neww }", "set-hook -B a:: { new-window }");
    check("run { neww }", "command run-shell: argument 1 must be \"string\"");
    check("run -C { neww }", "run-shell -C { new-window }");
}

/// The default bindings: table, key and repeat, and the commands.
fn defaults() -> Vec<(String, String, CommandList)> {
    let mut out = Vec::new();
    for call in resolve(&parse(DEFAULTS)).expect("the defaults are commands").calls() {
        let (row, args) = bind(call).expect("a default is a command");
        assert_eq!(row.name, "bind-key");
        let table = args.get('T').unwrap_or(if args.has('n') { "root" } else { "prefix" }).to_owned();
        let key = format!("{}{}", args.positional(0).expect("a key"), if args.has('r') { "!" } else { "" });
        let noted = args.get('N').is_some_and(|note| !note.is_empty());
        assert_eq!(noted, table == "prefix" || table == "move", "{table} {key}: note");
        let list = match &args.operands()[1..] {
            [Arg::Text(text)] => parse(text),
            [Arg::Commands(list)] => list.clone(),
            words => parse_args(words, Place::default(), &NoEnv).expect("words are commands").commands,
        };
        let list = resolve(&list).unwrap_or_else(|error| panic!("{table} {key}: {error}"));
        assert!(!list.is_empty(), "{table} {key}: no command");
        out.push((table, key, list));
    }
    out
}

#[test]
fn defaults_bind_the_keys_tmux_binds() {
    let mut expect: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut table = "";
    for line in include_str!("keys.txt").lines() {
        if line.starts_with(' ') {
            expect.entry(table).or_default().extend(line.split_whitespace());
        } else {
            table = line;
        }
    }
    let defaults = defaults();
    let mut got: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (table, key, _) in &defaults {
        got.entry(table).or_default().push(key);
    }
    got.values_mut().chain(expect.values_mut()).for_each(|keys| keys.sort_unstable());
    assert_eq!(got, expect);
}

#[test]
fn defaults_are_printed_and_read_again() {
    for (table, key, list) in defaults() {
        assert_eq!(parse(&list.print()), list, "{table} {key}");
    }
}
