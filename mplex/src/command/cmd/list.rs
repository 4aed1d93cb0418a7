//! Lists of sessions, windows, panes and clients.

use std::cmp::Ordering;

use super::{passes, scope_of};
use crate::base::{ClientId, PaneId, SessionId};
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::table::Exec;
use crate::event::with_terminal;
use crate::lang::Args;
use crate::model::find::{self, Found};
use crate::model::{Model, Place};
use crate::vars::Scope;

pub(super) static FAMILY: &[Exec] = &[
    Exec::new("list-sessions", list_sessions),
    Exec::new("list-windows", list_windows),
    Exec::new("list-panes", list_panes),
    Exec::new("list-clients", list_clients),
];

const SESSION_LINE: &str = "#{session_name}: #{session_windows} windows (created #{t:session_created})\
    #{?session_grouped, (group ,}#{session_group}#{?session_grouped,),}#{?session_attached, (attached),}";
const WINDOW_LINE: &str = "#{window_index}: #{window_name}#{window_raw_flags} (#{window_panes} panes) \
    [#{window_width}x#{window_height}] [layout #{window_layout}] #{window_id}#{?window_active, (active),}";
const WINDOW_LINE_OF_ALL: &str = "#{session_name}:#{window_index}: #{window_name}#{window_raw_flags} \
    (#{window_panes} panes) [#{window_width}x#{window_height}] ";
const PANE_LINE: &str = "[#{pane_width}x#{pane_height}#{?pane_floating_flag, #{pane_x}#,#{pane_y}#,#{pane_z}}] \
    [history #{history_size}/#{history_limit}, #{history_bytes} bytes] #{pane_id}\
    #{?pane_active, (active),}#{?pane_dead, (dead),}";
const CLIENT_LINE: &str = "#{client_name}: #{session_name} [#{client_width}x#{client_height} #{client_termname}] \
    #{?#{!=:#{client_uid},#{uid}},[user #{?client_user,#{client_user},#{client_uid},}] ,}\
    #{?client_flags,(,}#{client_flags}#{?client_flags,),}";

/// What a list is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Activity,
    Creation,
    Index,
    Modifier,
    Name,
    AsItComes,
    Size,
    Z,
}

/// An order and its direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sorting {
    /// Without one the list stays as it comes, whichever way round.
    order: Option<Order>,
    reversed: bool,
}

impl Sorting {
    pub(super) fn by_name() -> Sorting {
        Sorting { order: Some(Order::Name), reversed: false }
    }

    /// From `-O` and `-r`.
    pub(super) fn of(args: &Args) -> Result<Sorting> {
        let order = order(args)?;
        Ok(Sorting { order, reversed: args.has('r') })
    }

    fn sort<T>(self, items: &mut [T], compare: impl Fn(Order, &T, &T) -> Ordering) {
        match self.order {
            None => {}
            Some(Order::AsItComes) if self.reversed => items.reverse(),
            Some(Order::AsItComes) => {}
            Some(order) => items.sort_by(|a, b| {
                let o = compare(order, a, b);
                if self.reversed { o.reverse() } else { o }
            }),
        }
    }
}

/// The order of `-O`, if it is given.
pub(super) fn order(args: &Args) -> Result<Option<Order>> {
    let Some(text) = args.get('O') else { return Ok(None) };
    order_named(text).map(Some).ok_or_else(|| CmdError::value("invalid sort order"))
}

fn order_named(text: &str) -> Option<Order> {
    Some(match text.to_ascii_lowercase().as_str() {
        "activity" => Order::Activity,
        "creation" => Order::Creation,
        "index" | "key" => Order::Index,
        "modifier" => Order::Modifier,
        "name" | "title" => Order::Name,
        "order" => Order::AsItComes,
        "size" => Order::Size,
        "z" => Order::Z,
        _ => return None,
    })
}

/// All sessions in the order in which lists have them: by name.
pub(super) fn sessions_by_name(cx: &Cx) -> Vec<SessionId> {
    sorted_sessions(&cx.s.model, Sorting::by_name())
}

/// All sessions in an order.
pub(super) fn sorted_sessions(m: &Model, sorting: Sorting) -> Vec<SessionId> {
    let mut all: Vec<_> = m.sessions.values().collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    sorting.sort(&mut all, |order, a, b| {
        let o = match order {
            Order::Index => a.id.cmp(&b.id),
            Order::Creation => (a.created, a.id).cmp(&(b.created, b.id)),
            Order::Activity => (b.activity, b.seen).cmp(&(a.activity, a.seen)),
            _ => Ordering::Equal,
        };
        o.then_with(|| a.name.cmp(&b.name))
    });
    all.into_iter().map(|s| s.id).collect()
}

/// Prints what passes the filter.
fn print_lines(cx: &mut Cx, args: &Args, default: &str, scopes: Vec<Scope>) {
    let template = args.get('F').unwrap_or(default);
    for (n, scope) in scopes.into_iter().enumerate() {
        let scope = scope.with("line", n.to_string());
        if passes(cx, args.get('f'), &scope) {
            let line = cx.expand_in(template, &scope);
            cx.print(line);
        }
    }
}

fn list_sessions(cx: &mut Cx, args: &Args) -> Result {
    let sessions = sorted_sessions(&cx.s.model, Sorting::of(args)?);
    let scopes = sessions.into_iter().map(|s| scope_of(cx, None, find::from_session(&cx.s.model, s))).collect();
    print_lines(cx, args, SESSION_LINE, scopes);
    Ok(Done::Ok)
}

fn list_windows(cx: &mut Cx, args: &Args) -> Result {
    let sorting = Sorting::of(args)?;
    let sessions = match args.has('a') {
        true => sessions_by_name(cx),
        false => vec![cx.target()?.session],
    };
    let m = &cx.s.model;
    let mut places: Vec<Place> = Vec::new();
    for session in sessions {
        let links = m.session(session).map(|s| s.links.keys()).into_iter().flatten();
        places.extend(links.map(|i| Place { session, index: *i }));
    }
    sorting.sort(&mut places, |order, a, b| {
        let window = |p: &Place| m.linked(*p).and_then(|w| m.window(w));
        let (Some(wa), Some(wb)) = (window(a), window(b)) else { return Ordering::Equal };
        let o = match order {
            Order::Index => a.index.cmp(&b.index),
            Order::Creation => (wa.created, wa.id).cmp(&(wb.created, wb.id)),
            Order::Activity => wb.activity.cmp(&wa.activity),
            Order::Size => wa.size.area().cmp(&wb.size.area()),
            _ => Ordering::Equal,
        };
        o.then_with(|| wa.name.cmp(&wb.name))
    });
    let found: Vec<Option<Found>> = places.into_iter().map(|p| find::from_place(m, p)).collect();
    let scopes = found.into_iter().map(|f| scope_of(cx, None, f)).collect();
    print_lines(cx, args, if args.has('a') { WINDOW_LINE_OF_ALL } else { WINDOW_LINE }, scopes);
    Ok(Done::Ok)
}

fn list_panes(cx: &mut Cx, args: &Args) -> Result {
    let sorting = Sorting::of(args)?;
    let target = cx.target()?;
    let (places, prefix) = if args.has('a') {
        let all = sessions_by_name(cx);
        (places_of(&cx.s.model, &all), "#{session_name}:#{window_index}.#{pane_index}: ")
    } else if args.has('s') {
        (places_of(&cx.s.model, &[target.session]), "#{window_index}.#{pane_index}: ")
    } else {
        (vec![target.link()], "#{pane_index}: ")
    };
    let default = format!("{prefix}{PANE_LINE}");
    let mut scopes = Vec::new();
    for place in places {
        let Some(found) = find::from_place(&cx.s.model, place) else { continue };
        for pane in sorted_panes(cx, found, sorting) {
            scopes.push(scope_of(cx, None, Some(super::with_pane(found, pane))));
        }
    }
    print_lines(cx, args, &default, scopes);
    Ok(Done::Ok)
}

fn places_of(m: &Model, sessions: &[SessionId]) -> Vec<Place> {
    let links = |s: &SessionId| m.session(*s).map(|s| (s.id, s.links.keys()));
    sessions
        .iter()
        .filter_map(links)
        .flat_map(|(session, links)| links.map(move |i| Place { session, index: *i }))
        .collect()
}

fn sorted_panes(cx: &mut Cx, found: Found, sorting: Sorting) -> Vec<PaneId> {
    let panes = cx.s.model.window(found.window).map(|w| w.panes.clone()).unwrap_or_default();
    if sorting.order.is_none() {
        return panes;
    }
    let mut keyed: Vec<(usize, PaneId, String)> = Vec::new();
    for (n, p) in panes.into_iter().enumerate() {
        keyed.push((n, p, with_terminal(cx.out, p, |t| t.title().to_owned()).unwrap_or_default()));
    }
    let m = &cx.s.model;
    let area = |p: PaneId| m.pane(p).map_or(0, |p| p.rect.size().area());
    // Which was active last; those that never were come first, as they were made.
    let seen = |p: PaneId| {
        let w = m.window(found.window);
        w.and_then(
            |w| if w.active == p { Some(usize::MAX) } else { w.visited.iter().position(|v| *v == p).map(|n| n + 1) },
        )
        .unwrap_or(0)
    };
    sorting.sort(&mut keyed, |order, a, b| {
        let o = match order {
            Order::Activity => seen(a.1).cmp(&seen(b.1)),
            Order::Creation => a.1.cmp(&b.1),
            Order::Size => area(a.1).cmp(&area(b.1)),
            Order::Index | Order::Z => a.0.cmp(&b.0),
            _ => Ordering::Equal,
        };
        o.then_with(|| a.2.cmp(&b.2))
    });
    keyed.into_iter().map(|k| k.1).collect()
}

fn list_clients(cx: &mut Cx, args: &Args) -> Result {
    let sorting = Sorting::of(args)?;
    let session = match args.has('t') {
        true => Some(cx.target()?.session),
        false => None,
    };
    let m = &cx.s.model;
    let mut clients: Vec<_> = m.clients.values().filter(|c| c.session.is_some()).collect();
    sorting.sort(&mut clients, |order, a, b| {
        let o = match order {
            Order::Size => (a.size.cols, a.size.rows).cmp(&(b.size.cols, b.size.rows)),
            Order::Creation => (a.created, a.id).cmp(&(b.created, b.id)),
            Order::Activity => (b.activity, b.seen).cmp(&(a.activity, a.seen)),
            _ => Ordering::Equal,
        };
        o.then_with(|| a.name.cmp(&b.name))
    });
    let clients: Vec<(ClientId, Option<Found>)> = clients
        .into_iter()
        .filter(|c| session.is_none() || c.session == session)
        .map(|c| (c.id, c.session.and_then(|s| find::from_session(m, s))))
        .collect();
    let scopes = clients.into_iter().map(|(c, f)| scope_of(cx, Some(c), f)).collect();
    print_lines(cx, args, CLIENT_LINE, scopes);
    Ok(Done::Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_have_tmux_names() {
        assert_eq!(order_named("Activity"), Some(Order::Activity));
        assert_eq!(order_named("key"), Some(Order::Index));
        assert_eq!(order_named("title"), Some(Order::Name));
        assert_eq!(order_named("nope"), None);
    }

    #[test]
    fn only_an_order_can_be_reversed() {
        let mut v = vec![3, 1, 2];
        Sorting { order: None, reversed: true }.sort(&mut v, |_, a, b| a.cmp(b));
        assert_eq!(v, [3, 1, 2]);
        Sorting { order: Some(Order::AsItComes), reversed: true }.sort(&mut v, |_, a, b| a.cmp(b));
        assert_eq!(v, [2, 1, 3]);
        Sorting { order: Some(Order::Index), reversed: true }.sort(&mut v, |_, a, b| a.cmp(b));
        assert_eq!(v, [3, 2, 1]);
    }
}
