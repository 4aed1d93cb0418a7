//! Clients: detach, suspend, switch, refresh, lock.

use super::{set_current, update_environment};
use crate::base::{ClientId, PaneId, SessionId, Size, WindowId};
use crate::command::cx::{CmdError, Cx, Done, ErrorKind, Result};
use crate::command::listen::Hearing;
use crate::command::state::Yield;
use crate::command::table::Exec;
use crate::lang::Args;
use crate::lang::parse_number;
use crate::model::find::{self, FindFlags, Kind};
use crate::model::layout::{PANE_MIN, WINDOW_MAX};
use crate::model::{ClientFlags, ClientKind};
use crate::options::{Effects, Scope as OptScope, opt};

pub(super) static FAMILY: &[Exec] = &[
    Exec::new("detach-client", detach_client),
    Exec::new("suspend-client", suspend_client),
    Exec::new("switch-client", switch_client),
    Exec::new("refresh-client", refresh_client)
        .without(&[('l', "ask for the terminal's clipboard"), ('r', "answer on behalf of a terminal")]),
    Exec::new("lock-server", lock),
    Exec::new("lock-session", lock),
    Exec::new("lock-client", lock),
];

fn detach_client(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.client;
    let read_only = cx.asker.client.and_then(|c| cx.s.model.client(c));
    if read_only.is_some_and(|c| c.flags.contains(ClientFlags::READ_ONLY))
        && (args.has('s') || args.has('a') || cx.asker.client != target)
    {
        return Err(CmdError::new(ErrorKind::Denied, "client is read-only"));
    }
    let hangup = args.has('P');
    let exec = args.get('E').map(str::to_owned);
    if args.has('s') {
        let Some(session) = cx.source.map(|f| f.session) else { return Ok(Done::Ok) };
        let clients: Vec<ClientId> = cx.s.model.clients_of(session).map(|c| c.id).collect();
        for c in clients {
            super::session::detach(cx, c, hangup, exec.clone());
        }
        return Ok(Done::Ok);
    }
    let target = cx.client()?;
    if args.has('a') {
        let others: Vec<ClientId> =
            cx.s.model.clients.values().filter(|c| c.session.is_some() && c.id != target).map(|c| c.id).collect();
        for c in others {
            super::session::detach(cx, c, hangup, exec.clone());
        }
        return Ok(Done::Ok);
    }
    super::session::detach(cx, target, hangup, exec);
    Ok(Done::Ok)
}

/// Lets a client give its terminal away before it stops or runs something else on it; one that has none to give stays
/// as it is.
fn yield_terminal(cx: &mut Cx, client: ClientId, what: Yield) {
    let Some(c) = cx.s.model.clients.get_mut(&client) else { return };
    if c.session.is_none()
        || c.kind != ClientKind::Attached
        || c.flags.intersects(ClientFlags::SUSPENDED | ClientFlags::EXITING)
    {
        return;
    }
    c.flags.insert(ClientFlags::SUSPENDED);
    cx.s.yielding.push((client, what));
    cx.s.model.touch();
    cx.s.sizes_moved = true;
}

fn suspend_client(cx: &mut Cx, _args: &Args) -> Result {
    let client = cx.client()?;
    yield_terminal(cx, client, Yield::Suspend);
    Ok(Done::Ok)
}

/// `lock-server`, `lock-session` and `lock-client`.
fn lock(cx: &mut Cx, _args: &Args) -> Result {
    let m = &cx.s.model;
    let clients: Vec<(ClientId, SessionId)> = match cx.spec.name {
        "lock-server" => m.clients.values().filter_map(|c| Some((c.id, c.session?))).collect(),
        "lock-session" => {
            let session = cx.target()?.session;
            m.clients_of(session).map(|c| (c.id, session)).collect()
        }
        _ => {
            let client = cx.client()?;
            m.client(client).and_then(|c| Some((c.id, c.session?))).into_iter().collect()
        }
    };
    for (client, session) in clients {
        let command = cx.s.options.text(opt::LOCK_COMMAND, OptScope::Session(session)).to_owned();
        if !command.is_empty() {
            yield_terminal(cx, client, Yield::Lock(command));
        }
    }
    Ok(Done::Ok)
}

fn switch_client(cx: &mut Cx, args: &Args) -> Result {
    let text = args.get('t');
    let found = match text {
        Some(t) if t == "=" || t.contains([':', '.', '%']) => super::find(cx, text, Kind::Pane, FindFlags::empty())?,
        _ => super::find(cx, text, Kind::Session, FindFlags::PREFER_UNATTACHED)?,
    };
    let client = cx.client()?;
    if args.has('r') {
        super::session::check_own(cx, client)?;
    }
    if args.has('r')
        && let Some(c) = cx.s.model.clients.get_mut(&client)
    {
        let both = ClientFlags::READ_ONLY | ClientFlags::IGNORE_SIZE;
        c.flags.set(both, !c.flags.contains(ClientFlags::READ_ONLY));
        cx.s.sizes_moved = true;
    }
    if let Some(table) = args.get('T') {
        if !cx.s.model.tables.has_table(table) {
            return Err(CmdError::value(format!("table {table} doesn't exist")));
        }
        let now = cx.now.mono;
        if let Some(c) = cx.s.model.clients.get_mut(&client) {
            table.clone_into(&mut c.table);
            c.table_since = Some(now);
            c.repeat_until = None;
        }
        cx.s.model.touch();
        return Ok(Done::Ok);
    }
    let sorting = super::list::Sorting::of(args)?;
    let own = cx.s.model.client(client).and_then(|c| c.session);
    let session = if args.has('n') || args.has('p') {
        let all = super::list::sorted_sessions(&cx.s.model, sorting);
        beside(&all, own, args.has('n')).ok_or_else(|| {
            CmdError::state(format!("can't find {} session", if args.has('n') { "next" } else { "previous" }))
        })?
    } else if args.has('l') {
        let last = cx.s.model.client(client).and_then(|c| c.last_session);
        last.filter(|s| cx.s.model.session(*s).is_some()).ok_or_else(|| CmdError::state("can't find last session"))?
    } else {
        if cx.asker.client.is_none() {
            return Ok(Done::Ok);
        }
        if text.is_some() {
            super::pane::activate(cx, found.pane, args.has('Z'));
            cx.s.model.select_window(found.session, found.place, cx.now.wall);
        }
        set_current(cx, find::from_session(&cx.s.model, found.session));
        found.session
    };
    if !args.has('E') {
        update_environment(cx, client, session);
    }
    cx.s.switch_client(client, session, cx.now);
    Ok(Done::Ok)
}

/// The session after or before one, around the end.
fn beside(all: &[SessionId], own: Option<SessionId>, next: bool) -> Option<SessionId> {
    let at = all.iter().position(|s| Some(*s) == own)?;
    let n = all.len();
    Some(all[if next { (at + 1) % n } else { (at + n - 1) % n }])
}

fn refresh_client(cx: &mut Cx, args: &Args) -> Result {
    let client = cx.client()?;
    if ['c', 'L', 'R', 'U', 'D'].iter().any(|f| args.has(*f)) {
        return pan(cx, args, client);
    }
    for flag in ['F', 'f'] {
        if let Some(f) = args.get(flag) {
            super::session::set_flags(cx, client, f);
        }
    }
    let control = cx.s.model.client(client).is_some_and(|c| c.control_level > 0);
    if !control && ['A', 'B', 'C'].iter().any(|f| args.has(*f)) {
        return Err(CmdError::state("not a control client"));
    }
    if args.has('A') {
        let wishes: Vec<String> = args.values('A').map(str::to_owned).collect();
        for wish in wishes {
            hearing(cx, client, &wish);
        }
        return Ok(Done::Ok);
    }
    if args.has('B') {
        let watches: Vec<String> = args.values('B').map(str::to_owned).collect();
        for watch in watches {
            if !cx.s.set_watch(client, &watch, cx.now) {
                return Err(CmdError::state("too many subscriptions"));
            }
        }
        return Ok(Done::Ok);
    }
    if let Some(text) = args.get('C') {
        return control_size(cx, client, text);
    }
    if args.has('S') {
        cx.s.option_effects |= Effects::STATUS;
    } else {
        cx.s.redraw.push(client);
    }
    cx.s.model.touch();
    Ok(Done::Ok)
}

/// Moves what is seen of a window larger than the terminal.
fn pan(cx: &mut Cx, args: &Args, client: ClientId) -> Result {
    let by = match args.positional(0) {
        None => 1,
        Some(text) => {
            parse_number(text, 1..=i64::from(i32::MAX)).map_err(|why| CmdError::value(format!("adjustment {why}")))?
        }
    };
    let by = by.min(i64::from(u16::MAX)) as u16;
    let Some(c) = cx.s.model.client(client) else { return Ok(Done::Ok) };
    let window = c.session.and_then(|s| cx.s.model.current_window(s));
    let Some(w) = window.and_then(|w| cx.s.model.window(w)) else { return Ok(Done::Ok) };
    let areas = crate::compose::areas(&cx.s.options, c, w, None);
    let room = areas.window.size();
    let (mut x, mut y) = match c.pan {
        Some((of, x, y)) if of == w.id => (x, y),
        _ => (areas.offset.x, areas.offset.y),
    };
    if args.has('L') {
        x = x.saturating_sub(by);
    } else if args.has('R') {
        x = x.saturating_add(by).min(w.size.cols.saturating_sub(room.cols));
    } else if args.has('U') {
        y = y.saturating_sub(by);
    } else if args.has('D') {
        y = y.saturating_add(by).min(w.size.rows.saturating_sub(room.rows));
    }
    let pan = (!args.has('c')).then_some((w.id, x, y));
    if let Some(c) = cx.s.model.clients.get_mut(&client) {
        c.pan = pan;
    }
    cx.s.model.touch();
    Ok(Done::Ok)
}

/// `%1:pause` and the like; what makes no sense is nothing, as in tmux.
fn hearing(cx: &mut Cx, client: ClientId, wish: &str) {
    let Some((pane, how)) = wish.split_once(':') else { return };
    let how = match how {
        "on" => Hearing::On,
        "off" => Hearing::Off,
        "pause" => Hearing::Pause,
        "continue" => Hearing::Continue,
        _ => return,
    };
    if let Some(pane) = PaneId::parse(pane).filter(|p| cx.s.model.pane(*p).is_some()) {
        cx.s.set_hearing(client, pane, how);
    }
}

/// The size that a control client says it has, `80x24` or `80,24`; or that of one window, `@1:80x24`, where nothing
/// after the colon takes it back.
fn control_size(cx: &mut Cx, client: ClientId, text: &str) -> Result {
    let (window, text) = match text.split_once(':').and_then(|(w, rest)| Some((WindowId::parse(w)?, rest))) {
        Some((w, rest)) => (Some(w), rest),
        None => (None, text),
    };
    if let Some(w) = window.filter(|_| text.is_empty()) {
        cx.s.listeners.entry(client).or_default().sizes.remove(&w);
        cx.s.sizes_moved = true;
        return Ok(Done::Ok);
    }
    let size = text.split_once([',', 'x']).and_then(|(w, h)| Some((w.parse::<u32>().ok()?, h.parse::<u32>().ok()?)));
    let Some((w, h)) = size else { return Err(CmdError::value("bad size argument")) };
    let limits = u32::from(PANE_MIN)..=u32::from(WINDOW_MAX);
    if !limits.contains(&w) || !limits.contains(&h) {
        return Err(CmdError::value("size too small or too big"));
    }
    let size = Size::new(w as u16, h as u16);
    if let Some(c) = cx.s.model.clients.get_mut(&client) {
        c.forced_size = true;
        if window.is_none() {
            c.size = size;
        }
    }
    if let Some(w) = window {
        cx.s.listeners.entry(client).or_default().sizes.insert(w, size);
    }
    cx.s.sizes_moved = true;
    cx.s.model.touch();
    Ok(Done::Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_go_around() {
        let all = [SessionId(4), SessionId(2), SessionId(9)];
        assert_eq!(beside(&all, Some(SessionId(9)), true), Some(SessionId(4)));
        assert_eq!(beside(&all, Some(SessionId(4)), false), Some(SessionId(9)));
        assert_eq!(beside(&all, Some(SessionId(1)), true), None);
        assert_eq!(beside(&all, None, true), None);
    }
}
