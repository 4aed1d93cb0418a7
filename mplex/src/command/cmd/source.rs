//! `source-file`: the commands of files.

use super::buffers::{file_path, stdin, wait_for_stdin};
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::dispatch;
use crate::command::queue::{Asker, Item, Wake};
use crate::command::table::Exec;
use crate::lang::{Args, CommandList, Place};

pub(super) const FAMILY: &[Exec] = &[Exec::new("source-file", source_file).resumed(source_rest)];

/// How deep files may read files.
const MAX_NESTED: usize = 50;
/// The largest file, in bytes.
const MAX_FILE: usize = 16 << 20;
/// The variable by which files know how deep they are.
const DEPTH: &str = "source_depth";

fn source_file(cx: &mut Cx, args: &Args) -> Result {
    if depth(cx) >= MAX_NESTED {
        return Err("too many nested files".into());
    }
    let paths = paths(cx, args);
    if paths.iter().any(|p| p == "-") {
        // All waits for it, so that the files run in the order in which they were named.
        return wait_for_stdin(cx);
    }
    run(cx, args, paths, None)
}

fn source_rest(cx: &mut Cx, args: &Args, wake: Wake) -> Result {
    let text = stdin(wake)?;
    let paths = paths(cx, args);
    run(cx, args, paths, Some(text))
}

fn depth(cx: &Cx) -> usize {
    cx.asker.vars.iter().rev().find(|(n, _)| n == DEPTH).and_then(|(_, v)| v.parse().ok()).unwrap_or(0)
}

fn paths(cx: &mut Cx, args: &Args) -> Vec<String> {
    let words = args.texts();
    if args.has('F') { words.iter().map(|w| cx.expand(w)).collect() } else { words }
}

/// Reads all files, then lets their commands run in order right after this one.
fn run(cx: &mut Cx, args: &Args, paths: Vec<String>, mut input: Option<Vec<u8>>) -> Result {
    let mut lists: Vec<(String, CommandList)> = Vec::new();
    let mut failed = false;
    let mut read_any = false;
    for path in paths {
        if path == "-" {
            read_any = true;
            let text = input.take().unwrap_or_default();
            failed |= !parse(cx, args, "-", &text, &mut lists);
            continue;
        }
        let found = if path.starts_with('/') {
            cx.out.glob(&path)
        } else {
            let base = quoted(&super::base_directory(cx, None));
            cx.out.glob(&format!("{base}/{path}"))
        };
        if found.is_empty() && !args.has('q') {
            complain(cx, format!("No such file or directory: {path}"));
            failed = true;
        }
        for file in found {
            read_any = true;
            let file = file_path(cx, &file);
            match cx.out.read_file(&file, MAX_FILE) {
                Ok(text) => failed |= !parse(cx, args, &file, &text, &mut lists),
                Err(text) => {
                    complain(cx, text);
                    failed = true;
                }
            }
        }
    }
    if failed {
        set_status(cx);
    }
    if !args.has('n') {
        let depth = (depth(cx) + 1).to_string();
        for (file, list) in lists.iter().rev() {
            let mut vars = cx.asker.vars.clone();
            vars.retain(|(n, _)| n != DEPTH && n != "current_file");
            vars.push(("current_file".into(), file.clone()));
            vars.push((DEPTH.into(), depth.clone()));
            let current = cx.target.or(cx.asker.current);
            let asker = Asker { current, vars, file: Some(file.as_str().into()), ..cx.asker.clone() };
            cx.insert_as(list, asker)?;
        }
    }
    if failed && !read_any { Ok(Done::Stop) } else { Ok(Done::Ok) }
}

/// Parses one file. Says what is wrong and returns false if anything is.
fn parse(cx: &mut Cx, args: &Args, file: &str, text: &[u8], lists: &mut Vec<(String, CommandList)>) -> bool {
    let text = String::from_utf8_lossy(text).into_owned();
    let (list, errors) = dispatch::parse_file(cx.s, cx.out, cx.now, &text, Place::file(file));
    if args.has('v') && cx.asker.client.and_then(|c| cx.s.model.client(c)).is_none_or(|c| c.control_level == 0) {
        for group in &list.groups {
            let line = group.calls.first().map_or(0, |c| c.at.line);
            let one = CommandList { groups: vec![group.clone()] };
            cx.print(format!("{file}:{line}: {}", one.print()));
        }
    }
    let good = errors.is_empty();
    for e in errors {
        say(cx, e);
    }
    lists.push((file.to_owned(), list));
    good
}

/// An error of the language in a file: printed, as tmux does; while the configuration is read it is kept for later.
fn say(cx: &mut Cx, text: String) {
    if !cx.s.configured {
        cx.s.config_errors.push(text);
        return;
    }
    match cx.asker.client.filter(|c| cx.s.model.client(*c).is_some_and(|c| c.control_level > 0)) {
        Some(client) => {
            cx.s.notify(client, &format!("%config-error {text}"));
        }
        None => cx.print(text),
    }
}

/// An error that does not end the command.
fn complain(cx: &mut Cx, text: String) {
    let item = Item { call: cx.call.clone(), asker: cx.asker.clone().into(), group: 0, guard: None };
    dispatch::report(cx.s, &item, &CmdError::state(text), cx.now);
}

fn set_status(cx: &mut Cx) {
    if let Some(c) = cx.asker.client.and_then(|c| cx.s.model.clients.get_mut(&c))
        && c.session.is_none()
    {
        c.status = 1;
    }
}

/// A directory whose name means itself within a pattern.
fn quoted(dir: &str) -> String {
    let mut out = String::with_capacity(dir.len());
    for c in dir.chars() {
        if matches!(c, '*' | '?' | '[') {
            out.extend(['[', c, ']']);
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Wake;
    use crate::command::cmd::scene::Scene;

    #[test]
    fn files_run_in_order() {
        let mut scene = Scene::new();
        scene.out.files.insert("/srv/a.conf".into(), b"display -p 'a-#{current_file}'\nsource b.conf\n".to_vec());
        scene.out.files.insert("/srv/b.conf".into(), b"display -p b\n".to_vec());
        assert_eq!(scene.run("source a.conf; display -p end"), "a-/srv/a.conf\nb\nend\n");
        assert_eq!(scene.run("source '*.conf'"), "a-/srv/a.conf\nb\nb\n");
        assert_eq!(scene.run("source -n a.conf"), "");
        assert_eq!(scene.run("source -nv b.conf"), "/srv/b.conf:1: display-message -p b\n");
        assert_eq!(scene.run("source nope"), "! No such file or directory: nope\n");
        assert_eq!(scene.run("source -q nope"), "");
        assert_eq!(scene.run("source nope b.conf"), "! No such file or directory: nope\nb\n");
        assert_eq!(scene.run("source -F '/srv/#{l:b}.conf'"), "b\n");
    }

    #[test]
    fn files_that_read_themselves_end() {
        let mut scene = Scene::new();
        scene.out.files.insert("/srv/a.conf".into(), b"source a.conf\n".to_vec());
        assert_eq!(scene.run("source a.conf"), "! too many nested files\n");
    }

    #[test]
    fn standard_input_is_a_file_too() {
        use crate::command::cmd::scene::CLIENT;
        use crate::command::queue::Token;
        let mut scene = Scene::new();
        assert_eq!(scene.run("source -; display -p end"), "");
        let text = b"display -p one\nnosuch\n".to_vec();
        let out = scene.wake(Token::Stdin(CLIENT), Wake::Bytes(text));
        assert_eq!(out, "-:2: unknown command: nosuch\none\nend\n");
    }
}
