//! The commands, by families. Each family says which rows it carries out; helpers that several share are here.
//!
//! A command changes the model by the model's transactions and says what else is to happen as effects and events. It must
//! not know sockets, terminals of clients or how a frame is drawn.

mod client;
mod wait;
mod source;
mod shell;
mod prompt;
mod options;
mod keys;
mod hooks;
mod environ;
mod display;
mod copy;
mod capture;
mod buffers;
mod layout;
mod overlay;
mod list;
mod pane;
#[cfg(test)]
mod scene;
#[cfg(test)]
mod places;
mod server;
mod session;
mod window;

use super::cx::{CmdError, Cx, Done, Result};
use super::lifecycle::Program;
use super::queue::{Asker, Token, Wake};
use super::table::Exec;
use crate::base::{ClientId, PaneId, SessionId, WindowId};
use crate::lang::Args;
use crate::model::find::{self, Context, FindFlags, Found, Kind};
use crate::options::{How, Name, Opt, PlainChecks, Scope as OptScope, opt};
use crate::vars::Scope;

/// All families.
pub static FAMILIES: &[&[Exec]] = &[
    session::FAMILY,
    client::FAMILY,
    window::FAMILY,
    pane::FAMILY,
    layout::FAMILY,
    list::FAMILY,
    overlay::FAMILY,
    server::FAMILY,
    wait::FAMILY,
    source::FAMILY,
    shell::FAMILY,
    prompt::FAMILY,
    options::FAMILY,
    keys::FAMILY,
    hooks::FAMILY,
    environ::FAMILY,
    display::FAMILY,
    copy::FAMILY,
    capture::FAMILY,
    buffers::FAMILY,
];

/// What `-P` prints of a new window or pane without `-F`.
const NEW_PLACE: &str = "#{session_name}:#{window_index}.#{pane_index}";

/// The operands as the words of a program.
fn argv(args: &Args) -> Vec<String> {
    args.texts()
}

/// `-e NAME=value`, each time; what has no `=` is nothing, as in tmux.
fn env(args: &Args) -> Vec<(String, String)> {
    args.values('e').filter_map(|v| v.split_once('=')).map(|(n, v)| (n.to_owned(), v.to_owned())).collect()
}

/// A name of a session or a window, checked and made printable as tmux does it: control characters and what was no
/// UTF-8 when it came in are refused, a backslash is doubled.
fn clean_name(what: &str, name: &str) -> Result<String> {
    if name.chars().any(|c| c < ' ' || c == '\x7f') || !crate::base::raw::is_clean(name) {
        return Err(CmdError::value(format!("invalid {what} name: {name}")));
    }
    Ok(name.replace('\\', "\\\\"))
}

/// The name of a new window from what runs in it: the first word without `exec` and its directories.
fn name_of_program(argv: &[String], shell: &str) -> String {
    let text = argv.join(" ");
    let text = if text.is_empty() { shell } else { &text };
    let text = text.strip_prefix('"').unwrap_or(text);
    let text = text.split('"').next().unwrap_or("");
    let text = text.strip_prefix("exec ").unwrap_or(text).trim_start_matches([' ', '-']);
    let word = text.split(' ').next().unwrap_or("");
    let word = word.trim_end_matches(|c: char| c.is_ascii() && !c.is_ascii_graphic());
    let word = if word.starts_with('/') { word.trim_end_matches('/').rsplit('/').next().unwrap_or("") } else { word };
    clean_name("window", word).unwrap_or_default()
}

/// What formats see of a target; without one of a client nothing of it.
fn scope_of(cx: &Cx, client: Option<ClientId>, found: Option<Found>) -> Scope {
    let mut scope = Scope::of(client, found);
    scope.extra.clone_from(&cx.asker.vars);
    scope
}

/// What formats see of a client alone: what it looks at.
fn client_scope(cx: &Cx, client: Option<ClientId>) -> Scope {
    let session = client.and_then(|c| cx.s.model.client(c)).and_then(|c| c.session);
    let found = session.and_then(|s| find::from_session(&cx.s.model, s));
    scope_of(cx, client, found)
}

/// Prints a template as `-P` does: `-F` or the default.
fn print_place(cx: &mut Cx, args: &Args, default: &str, found: Option<Found>) {
    if !args.has('P') {
        return;
    }
    let template = args.get('F').unwrap_or(default).to_owned();
    let scope = scope_of(cx, cx.client, found);
    let line = cx.expand_in(&template, &scope);
    cx.print(line);
}

/// Makes something current for the commands after this one, and for its hook.
fn set_current(cx: &mut Cx, found: Option<Found>) {
    let Some(found) = found else { return };
    cx.target = Some(found);
    let mine: *const Asker = cx.asker;
    let Some(q) = cx.s.queues.queues.get_mut(&cx.owner) else { return };
    let new = std::sync::Arc::new(Asker { current: Some(found), ..cx.asker.clone() });
    for item in &mut q.items {
        // Only those of the same list: others have a place of their own.
        if std::ptr::eq(std::sync::Arc::as_ptr(&item.asker), mine) {
            item.asker = new.clone();
        }
    }
}

/// Runs the hook `after-NAME` of a command that has it only where it did something.
fn after(cx: &mut Cx, name: &str, found: Option<Found>) -> Result<()> {
    if cx.asker.no_hooks {
        return Ok(());
    }
    let lists = cx.s.hook_runs(name, &Scope::of(cx.asker.client, found), cx.now);
    let mut vars = cx.asker.vars.clone();
    vars.extend(super::background::hook_vars(name, cx.call));
    for list in lists.iter().rev() {
        let asker = Asker {
            client: cx.asker.client,
            reply: cx.asker.reply.clone(),
            current: found.or(cx.asker.current),
            vars: vars.clone(),
            no_hooks: true,
            ..Asker::default()
        };
        cx.insert_as(list, asker)?;
    }
    Ok(())
}

/// Whether a command that started a program waits until it runs: somebody is there who wants to see the result.
fn spawned(cx: &Cx, pane: PaneId) -> Option<Done> {
    cx.asker.client.is_some().then_some(Done::Wait(Token::Spawn(pane)))
}

/// The words of a failed start: `what` is `window` or `pane`.
fn spawn_error(what: &str, wake: Wake) -> Result<()> {
    match wake {
        Wake::Failed(text) => {
            let why = text.strip_prefix("create pane failed: ").unwrap_or(&text);
            Err(CmdError::state(format!("{what} failed: {why}")))
        }
        _ => Ok(()),
    }
}

/// Finds a target that the row does not name.
fn find(cx: &mut Cx, text: Option<&str>, kind: Kind, flags: FindFlags) -> Result<Found> {
    let context = Context {
        current: cx.asker.current,
        client: cx.asker.client.or(cx.client),
        mouse: cx.asker.mouse.map(|(_, t)| t),
    };
    super::dispatch::find_target(cx.s, cx.out, text, kind, flags, &context).map_err(CmdError::no_target)
}

/// The directory of a new program: `-c` expanded, made absolute; else the client's or the session's.
fn start_directory(cx: &mut Cx, args: &Args, session: Option<SessionId>) -> String {
    let base = base_directory(cx, session);
    let Some(wanted) = args.get('c').map(str::to_owned) else { return base };
    let found = session.and_then(|s| find::from_session(&cx.s.model, s));
    let scope = scope_of(cx, cx.asker.client, found);
    let dir = cx.expand_in(&wanted, &scope);
    match dir.as_str() {
        "" => base,
        d if d.starts_with('/') => dir,
        _ => format!("{base}/{dir}"),
    }
}

/// Where a client is: its own directory while it only runs a command, else the session's, else home.
fn base_directory(cx: &Cx, session: Option<SessionId>) -> String {
    let m = &cx.s.model;
    let client = cx.asker.client.and_then(|c| m.client(c));
    if let Some(c) = client
        && c.session.is_none()
        && !c.cwd.is_empty()
    {
        return c.cwd.clone();
    }
    session
        .or(client.and_then(|c| c.session))
        .and_then(|s| m.session(s))
        .map(|s| s.cwd.clone())
        .filter(|d| !d.is_empty())
        .or_else(|| m.environ.get("HOME").map(str::to_owned))
        .unwrap_or_else(|| "/".into())
}

/// What is to run, from the operands, `-c` and `-e`. A command client's `PATH` counts, so that what it can run is found.
fn program(cx: &mut Cx, args: &Args, session: SessionId) -> Program {
    let cwd = start_directory(cx, args, Some(session));
    let mut vars = Vec::new();
    let client = cx.asker.client.and_then(|c| cx.s.model.client(c));
    if let Some(c) = client.filter(|c| c.session.is_none())
        && let Some(path) = c.environ.get("PATH")
    {
        vars.push(("PATH".to_owned(), path.to_owned()));
    }
    vars.extend(env(args));
    Program { argv: argv(args), cwd: Some(cwd), env: vars }
}

/// A pane in which nothing runs, with what it would run: a later respawn takes it from there.
fn start_nothing(cx: &mut Cx, pane: PaneId, session: SessionId, program: Program) {
    cx.s.start_empty(pane, session, cx.out);
    let shell = cx.s.shell(&Scope { session: Some(session), ..Scope::default() });
    if let Some(p) = cx.s.model.panes.get_mut(&pane) {
        p.shell = shell;
        p.cwd = program.cwd.unwrap_or_default();
    }
    cx.s.pane_created(pane, session, true);
}

/// Takes what `update-environment` names from a client into a session's environment.
fn update_environment(cx: &mut Cx, client: ClientId, session: SessionId) {
    let m = &mut cx.s.model;
    let (Some(c), Some(s)) = (m.clients.get(&client), m.sessions.get_mut(&session)) else { return };
    let patterns = cx.s.options.texts(opt::UPDATE_ENVIRONMENT, OptScope::Session(session)).map(|(_, p)| p);
    s.environ.update(patterns, &c.environ);
}

/// Sets an option by its handle; its effects are carried out at the end of the step.
fn set_option<T>(cx: &mut Cx, scope: OptScope, option: Opt<T>, text: &str) -> std::result::Result<(), String> {
    let name = Name::exact(option.name()).ok_or("no such option")?;
    let set = cx.s.options.set(scope, &name, Some(text), How::default(), &PlainChecks);
    let effects = set.map_err(|e| e.to_string())?;
    cx.s.option_effects |= effects;
    Ok(())
}

/// The window keeps its name from now on.
fn keep_name(cx: &mut Cx, window: WindowId) {
    // The value is a plain flag: it cannot be refused.
    let _ = set_option(cx, OptScope::Window(window), opt::AUTOMATIC_RENAME, "off");
}

/// Takes a link away; a session without windows goes, with its group.
fn unlink(cx: &mut Cx, place: crate::model::Place) {
    cx.s.unlink(place, cx.now);
}

/// Makes room after a link or in its place; a source that is moved up with others is followed. Returns the free index.
fn shuffle(cx: &mut Cx, target: crate::model::Place, before: bool, source: &mut Found) -> Result<u32> {
    let from = if before { target.index } else { target.index.saturating_add(1) };
    let free = cx.s.model.session(target.session).and_then(|s| s.free_index(from));
    let index = cx.s.model.shuffle_up(target, before).ok_or_else(|| CmdError::state("no free index"))?;
    // Members of a group are moved with it.
    let moved = cx.s.model.group_of(target.session).contains(&source.session)
        && free.is_some_and(|free| (index..free).contains(&source.place));
    if moved {
        source.place += 1;
    }
    Ok(index)
}

/// Numbers the windows of a session anew from `base-index`.
fn renumber(cx: &mut Cx, session: SessionId) {
    let base = cx.s.options.number(opt::BASE_INDEX, OptScope::Session(session)).max(0) as u32;
    cx.s.model.renumber(session, base);
}

/// As [`renumber`], where `renumber-windows` says so.
fn renumber_if_wanted(cx: &mut Cx, session: SessionId) {
    if cx.s.model.session(session).is_some() && cx.s.options.flag(opt::RENUMBER_WINDOWS, OptScope::Session(session)) {
        renumber(cx, session);
    }
}

fn base_index(cx: &Cx, session: SessionId) -> u32 {
    cx.s.options.number(opt::BASE_INDEX, OptScope::Session(session)).max(0) as u32
}

/// Whether something passes a filter; without one everything does.
fn passes(cx: &mut Cx, filter: Option<&str>, scope: &Scope) -> bool {
    match filter {
        None => true,
        Some(f) => cx.world().is_true(f, scope),
    }
}

/// A pane found in a place: the session, link and window of `found`, with another pane.
fn with_pane(found: Found, pane: PaneId) -> Found {
    Found { pane, ..found }
}

/// The asking client has just been used in this window: its size counts there.
fn used_by_client(cx: &mut Cx) {
    let now = cx.now.mono;
    if let Some(c) = cx.asker.client.and_then(|c| cx.s.model.clients.get_mut(&c))
        && c.session.is_some()
    {
        c.seen = now;
    }
    cx.s.sizes_moved = true;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked_and_cleaned() {
        assert_eq!(clean_name("window", "a:b.#(x)"), Ok("a:b.#(x)".to_owned()));
        assert_eq!(clean_name("window", "a\\b"), Ok("a\\\\b".to_owned()));
        assert_eq!(clean_name("window", ""), Ok(String::new()));
        assert_eq!(clean_name("session", "a\tb").map_err(|e| e.text), Err("invalid session name: a\tb".to_owned()));
    }

    #[test]
    fn windows_are_named_after_programs() {
        let name =
            |argv: &[&str]| name_of_program(&argv.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>(), "/bin/zsh");
        assert_eq!(name(&[]), "zsh");
        assert_eq!(name(&["sleep 100"]), "sleep");
        assert_eq!(name(&["exec /usr/bin/top -d 1"]), "top");
        assert_eq!(name(&["vim", "file"]), "vim");
        assert_eq!(name(&["\"my prog\" x"]), "my");
    }
}
