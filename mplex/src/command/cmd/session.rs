//! Sessions: create, attach, rename, end.

use super::{after, clean_name, client_scope, program, set_current, spawn_error, spawned};
use crate::base::{ClientId, SessionId, Size};
use crate::command::cx::{CmdError, Cx, Done, ErrorKind, Result};
use crate::command::queue::Wake;
use crate::command::state::Leaving;
use crate::command::table::Exec;
use crate::event::Event;
use crate::lang::Args;
use crate::lang::parse_number;
use crate::model::environ::Environ;
use crate::model::find::{self, FindFlags, Kind};
use crate::model::{Alerts, ClientFlags, Place};
use crate::options::{Scope as OptScope, opt};

pub(super) static FAMILY: &[Exec] = &[
    Exec::new("new-session", new_session).resumed(new_session_started),
    Exec::new("attach-session", attach_session),
    Exec::new("has-session", has_session),
    Exec::new("kill-session", kill_session),
    Exec::new("rename-session", rename_session),
];

/// What attaching needs to know.
struct Attach<'a> {
    target: Option<&'a str>,
    detach_others: bool,
    hangup_others: bool,
    read_only: bool,
    cwd: Option<&'a str>,
    keep_environment: bool,
    flags: Option<&'a str>,
}

fn has_session(_cx: &mut Cx, _args: &Args) -> Result {
    // The target was found, else this would not run.
    Ok(Done::Ok)
}

fn attach_session(cx: &mut Cx, args: &Args) -> Result {
    let how = Attach {
        target: args.get('t'),
        detach_others: args.has('d'),
        hangup_others: args.has('x'),
        read_only: args.has('r'),
        cwd: args.get('c'),
        keep_environment: args.has('E'),
        flags: args.get('f'),
    };
    attach(cx, &how)
}

fn attach(cx: &mut Cx, how: &Attach) -> Result {
    if cx.s.model.sessions.is_empty() {
        return Err(CmdError::no_target("no sessions"));
    }
    let Some(client) = cx.asker.client else { return Ok(Done::Ok) };
    check_nested(cx, client)?;
    let found = match how.target {
        Some(t) if t.contains([':', '.']) => super::find(cx, Some(t), Kind::Pane, FindFlags::empty())?,
        t => super::find(cx, t, Kind::Session, FindFlags::PREFER_UNATTACHED)?,
    };
    let session = found.session;
    if let Some(dir) = how.cwd {
        let scope = super::scope_of(cx, Some(client), Some(found));
        let dir = cx.expand_in(dir, &scope);
        if let Some(s) = cx.s.model.sessions.get_mut(&session) {
            s.cwd = dir;
        }
    }
    check_terminal(cx, client)?;
    if how.read_only {
        check_own(cx, client)?;
    }
    if how.target.is_some() {
        unzoom_for(cx, found.pane);
        cx.s.model.select_pane(found.pane);
        cx.s.model.select_window(session, found.place, cx.now.wall);
    }
    set_current(cx, find::from_session(&cx.s.model, session));
    if let Some(f) = how.flags {
        set_flags(cx, client, f);
    }
    if how.read_only
        && let Some(c) = cx.s.model.clients.get_mut(&client)
    {
        c.flags.insert(ClientFlags::READ_ONLY | ClientFlags::IGNORE_SIZE);
    }
    if how.detach_others || how.hangup_others {
        detach_others(cx, session, client, how.hangup_others);
    }
    if !how.keep_environment {
        super::update_environment(cx, client, session);
    }
    cx.s.attach(client, session, cx.now);
    Ok(Done::Ok)
}

/// A pane that a zoom hides takes the zoom away before it becomes active.
pub(super) fn unzoom_for(cx: &mut Cx, pane: crate::base::PaneId) {
    let Some(window) = cx.s.model.pane(pane).map(|p| p.window) else { return };
    if cx.s.model.window(window).is_some_and(|w| w.zoomed.is_some_and(|z| z != pane)) {
        cx.s.model.unzoom(window);
    }
}

fn detach_others(cx: &mut Cx, session: SessionId, but: ClientId, hangup: bool) {
    let others: Vec<ClientId> = cx.s.model.clients_of(session).map(|c| c.id).filter(|c| *c != but).collect();
    for c in others {
        detach(cx, c, hangup, None);
    }
}

/// Detaches one client, in one of the ways in which that can be done.
pub(super) fn detach(cx: &mut Cx, client: ClientId, hangup: bool, exec: Option<String>) {
    let Some(session) = cx.s.model.client(client).and_then(|c| c.session) else { return };
    let name = cx.s.model.session(session).map(|s| s.name.clone()).unwrap_or_default();
    let how = if hangup { "detached and SIGHUP" } else { "detached" };
    let message = format!("[{how} (from session {name})]");
    cx.s.leave_with(Leaving { client, message, status: 0, hangup, exec });
}

/// A terminal inside of one of our own panes is not attached to us.
fn check_nested(cx: &Cx, client: ClientId) -> Result<()> {
    let Some(c) = cx.s.model.client(client) else { return Ok(()) };
    let inside = c.environ.get("TMUX").is_some_and(|t| !t.is_empty())
        && !c.tty.is_empty()
        && cx.s.model.panes.values().any(|p| p.tty == c.tty);
    if inside {
        return Err(CmdError::state("sessions should be nested with care, unset $TMUX to force"));
    }
    Ok(())
}

/// Whether a client is read-only is for the server's own user to change once it is.
pub(super) fn check_own(cx: &Cx, client: ClientId) -> Result<()> {
    let m = &cx.s.model;
    let read_only = m.client(client).is_some_and(|c| c.flags.contains(ClientFlags::READ_ONLY));
    let asker = cx.asker.client.and_then(|c| m.client(c));
    if read_only && asker.is_some_and(|c| c.uid != m.facts.uid) {
        return Err(CmdError::new(ErrorKind::Denied, "client is read-only"));
    }
    Ok(())
}

fn check_terminal(cx: &Cx, client: ClientId) -> Result<()> {
    let Some(c) = cx.s.model.client(client) else { return Ok(()) };
    if c.session.is_none() && c.control_level == 0 && !c.has_tty {
        return Err(CmdError::state("open terminal failed: not a terminal"));
    }
    Ok(())
}

/// Sets or clears client flags by their names, separated by commas; `!` before one clears it. What is no flag is
/// nothing, as in tmux; read-only cannot be given up this way.
pub(super) fn set_flags(cx: &mut Cx, client: ClientId, text: &str) {
    let Some(c) = cx.s.model.clients.get_mut(&client) else { return };
    for word in text.split(',') {
        let (name, off) = match word.strip_prefix('!') {
            Some(rest) => (rest, true),
            None => (word, false),
        };
        if let Some(rest) = name.strip_prefix("pause-after")
            && c.control_level > 0
        {
            c.pause_after = match rest.strip_prefix('=') {
                _ if off => None,
                Some(secs) => secs.parse().ok(),
                None => Some(0),
            };
            continue;
        }
        let flag = match name {
            "read-only" => ClientFlags::READ_ONLY,
            "ignore-size" => ClientFlags::IGNORE_SIZE,
            "no-detach-on-destroy" => ClientFlags::NO_DETACH_ON_DESTROY,
            "no-output" if c.control_level > 0 => ClientFlags::NO_OUTPUT,
            "wait-exit" if c.control_level > 0 => ClientFlags::WAIT_EXIT,
            _ => continue,
        };
        if off && flag == ClientFlags::READ_ONLY {
            continue;
        }
        c.flags.set(flag, !off);
    }
    cx.s.model.touch();
    cx.s.sizes_moved = true;
}

fn new_session(cx: &mut Cx, args: &Args) -> Result {
    if args.has('t') && (!args.is_empty() || args.has('n')) {
        return Err(CmdError::usage("command or window name given with target"));
    }
    let client = cx.asker.client;
    let scope = client_scope(cx, client);
    let named = |cx: &mut Cx, flag: char, what: &str| -> Result<Option<String>> {
        let Some(text) = args.get(flag) else { return Ok(None) };
        let text = cx.expand_in(text, &scope);
        clean_name(what, &text).map(Some)
    };
    let window_name = named(cx, 'n', "window")?;
    let name = named(cx, 's', "session")?;
    if args.has('A') {
        let there = match &name {
            Some(n) => cx.s.model.session_named(n).map(|s| s.id),
            None => cx.target.map(|f| f.session),
        };
        if let Some(id) = there {
            let target = id.to_string();
            let how = Attach {
                target: Some(&target),
                detach_others: args.has('D'),
                hangup_others: args.has('X'),
                read_only: false,
                cwd: args.get('c'),
                keep_environment: args.has('E'),
                flags: args.get('f'),
            };
            return attach(cx, &how);
        }
    }
    if let Some(n) = &name
        && cx.s.model.session_named(n).is_some()
    {
        return Err(CmdError::state(format!("duplicate session: {n}")));
    }
    // A group: that of a session, or of this name.
    let with = args.get('t').and(cx.target).map(|f| f.session);
    let group = match (args.get('t'), with.and_then(|s| cx.s.model.session(s))) {
        (None, _) => None,
        (Some(_), Some(s)) => Some(s.group.clone().unwrap_or_else(|| s.name.clone())),
        (Some(g), None) => Some(clean_name("session group", g)?),
    };
    let attached = client.and_then(|c| cx.s.model.client(c)).is_some_and(|c| c.session.is_some());
    let control = client.and_then(|c| cx.s.model.client(c)).is_some_and(|c| c.control_level > 0);
    let detached = args.has('d') || client.is_none();
    let cwd = super::start_directory(cx, args, None);
    if let (false, false, Some(c)) = (detached, attached, client) {
        check_nested(cx, c)?;
        check_terminal(cx, c)?;
    }
    let client_size = client.and_then(|c| cx.s.model.client(c)).map(|c| c.size);
    let length = |flag: char, what: &str, mine: Option<u16>| -> Result<Option<u16>> {
        match args.get(flag) {
            None => Ok(None),
            Some("-") => Ok(Some(mine.unwrap_or(if flag == 'x' { 80 } else { 24 }))),
            Some(text) => match parse_number(text, 1..=i64::from(u16::MAX)) {
                Ok(n) => Ok(Some(n as u16)),
                Err(why) => Err(CmdError::value(format!("{what} {why}"))),
            },
        }
    };
    let x = length('x', "width", client_size.map(|s| s.cols))?;
    let y = length('y', "height", client_size.map(|s| s.rows))?;
    let default = cx.s.options.text(opt::DEFAULT_SIZE, OptScope::GlobalSession).to_owned();
    let default = read_size(&default).unwrap_or(Size::new(80, 24));
    let size = match (detached || control, client_size) {
        (false, Some(s)) => {
            let lines = cx.s.options.choice(opt::STATUS, OptScope::GlobalSession).lines();
            Size::new(s.cols.max(1), s.rows.saturating_sub(lines).max(1))
        }
        _ => Size::new(x.unwrap_or(default.cols), y.unwrap_or(default.rows)),
    };

    let mut environ = Environ::default();
    if let Some(c) = client.and_then(|c| cx.s.model.client(c))
        && !args.has('E')
    {
        let patterns = cx.s.options.texts(opt::UPDATE_ENVIRONMENT, OptScope::GlobalSession).map(|(_, p)| p);
        environ.update(patterns, &c.environ);
    }
    for (n, v) in super::env(args) {
        environ.set(&n, &v, false);
    }
    let fresh = name.unwrap_or_else(|| cx.s.model.next_session_name(group.as_deref()));
    let session = cx.s.model.create_session(fresh, cwd, environ, cx.now.wall);
    cx.s.touch_session(session, cx.now);
    if x.is_some() || y.is_some() {
        let text = format!("{}x{}", x.unwrap_or(size.cols), y.unwrap_or(size.rows));
        super::set_option(cx, OptScope::Session(session), opt::DEFAULT_SIZE, &text)?;
    }
    // In a group it has the windows of the others; one of its own is not started at all.
    let shares = group.as_ref().is_some_and(|g| {
        with.is_some() || cx.s.model.sessions.values().any(|s| s.id != session && s.group.as_ref() == Some(g))
    });
    let mut pane = None;
    if shares {
        if let Some(g) = group.clone() {
            cx.s.model.join_group(session, with, g);
        }
    } else {
        let program = program(cx, args, session);
        let index = super::base_index(cx, session);
        pane = Some(super::window::open(cx, Place { session, index }, window_name, size, program, false));
        if let Some(g) = group {
            cx.s.model.join_group(session, None, g);
        }
    }
    cx.s.model.outbox.event(Event::new("session-created").session(session));
    cx.s.sizes_moved = true;
    let made = find::from_session(&cx.s.model, session);
    if !args.has('d') {
        set_current(cx, made);
    }
    cx.target = made;
    match pane.and_then(|p| spawned(cx, p)) {
        Some(wait) => Ok(wait),
        None => show_session(cx, args, session),
    }
}

fn new_session_started(cx: &mut Cx, args: &Args, wake: Wake) -> Result {
    spawn_error("create window", wake)?;
    match cx.target.map(|f| f.session) {
        Some(session) if cx.s.model.session(session).is_some() => show_session(cx, args, session),
        // Its program was over before it could be shown.
        _ => Ok(Done::Ok),
    }
}

/// Lets the client see its new session and prints it.
fn show_session(cx: &mut Cx, args: &Args, session: SessionId) -> Result {
    if let Some(client) = cx.asker.client
        && !args.has('d')
    {
        if let Some(f) = args.get('f') {
            set_flags(cx, client, f);
        }
        cx.s.attach(client, session, cx.now);
    }
    let found = find::from_session(&cx.s.model, session);
    if args.has('P') {
        let template = args.get('F').unwrap_or("#{session_name}:").to_owned();
        let scope = super::scope_of(cx, cx.asker.client, found);
        let line = cx.expand_in(&template, &scope);
        cx.print(line);
    }
    after(cx, "after-new-session", found)?;
    Ok(Done::Ok)
}

/// `80x24`.
pub(super) fn read_size(text: &str) -> Option<Size> {
    let (w, h) = text.split_once('x')?;
    Some(Size::new(w.parse().ok().filter(|n| *n > 0)?, h.parse().ok().filter(|n| *n > 0)?))
}

fn kill_session(cx: &mut Cx, args: &Args) -> Result {
    let filter = args.get('f');
    if filter.is_some() && (!args.has('a') || args.has('C')) {
        return Err(CmdError::usage("-f only valid with -a"));
    }
    let session = cx.target()?.session;
    if args.has('C') {
        if let Some(s) = cx.s.model.sessions.get_mut(&session) {
            for l in s.links.values_mut() {
                l.alerts = Alerts::empty();
            }
        }
        cx.s.model.touch();
    } else if args.has('a') {
        let others: Vec<SessionId> = super::list::sessions_by_name(cx).into_iter().filter(|s| *s != session).collect();
        for s in others {
            let found = find::from_session(&cx.s.model, s);
            let scope = super::scope_of(cx, None, found);
            if super::passes(cx, filter, &scope) {
                cx.s.destroy_session(s, cx.now);
            }
        }
    } else if args.has('g') {
        for s in cx.s.model.group_of(session) {
            cx.s.destroy_session(s, cx.now);
        }
    } else {
        cx.s.destroy_session(session, cx.now);
    }
    Ok(Done::Ok)
}

fn rename_session(cx: &mut Cx, args: &Args) -> Result {
    let session = cx.target()?.session;
    let name = cx.expand(args.positional(0).unwrap_or(""));
    let name = clean_name("session", &name)?;
    if cx.s.model.session(session).is_some_and(|s| s.name == name) {
        return Ok(Done::Ok);
    }
    if cx.s.model.session_named(&name).is_some() {
        return Err(CmdError::state(format!("duplicate session: {name}")));
    }
    cx.s.model.rename_session(session, name);
    Ok(Done::Ok)
}
