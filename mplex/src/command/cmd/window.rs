//! Windows: create, select, move, link, end, resize, rotate.

use super::{after, clean_name, set_current, spawn_error, spawned};
use crate::base::{PaneId, SessionId, Size, WindowId};
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::lifecycle::Program;
use crate::command::queue::Wake;
use crate::command::table::Exec;
use crate::event::Event;
use crate::lang::Args;
use crate::lang::parse_number;
use crate::model::find::{self, FindFlags, Found, Kind};
use crate::model::layout::{PANE_MIN, WINDOW_MAX};
use crate::model::moves::Linking;
use crate::model::{Alerts, Place};
use crate::options::{Scope as OptScope, opt};

pub(super) static FAMILY: &[Exec] = &[
    Exec::new("new-window", new_window).resumed(new_window_started),
    Exec::new("kill-window", kill_window),
    Exec::new("unlink-window", unlink_window),
    Exec::new("rename-window", rename_window),
    Exec::new("select-window", select_window),
    Exec::new("next-window", select_window),
    Exec::new("previous-window", select_window),
    Exec::new("last-window", select_window),
    Exec::new("move-window", move_window),
    Exec::new("link-window", move_window),
    Exec::new("swap-window", swap_window),
    Exec::new("rotate-window", rotate_window),
    Exec::new("resize-window", resize_window),
];

/// Opens a window with one pane at a free place, or instead of the window that is there, and asks for its program
/// (nothing runs with `empty`). Returns its pane; who sees the window is the caller's business.
pub(super) fn open(
    cx: &mut Cx,
    place: Place,
    name: Option<String>,
    size: Size,
    program: Program,
    empty: bool,
) -> PaneId {
    let named = name.is_some();
    let (window, pane) = cx.s.model.create_window(name.unwrap_or_default(), size, cx.now.wall);
    cx.s.options.place_pane(pane, window);
    if !cx.s.model.replace_link(place, window) {
        cx.s.model.link(place, window);
    }
    if empty {
        super::start_nothing(cx, pane, place.session, program);
    } else {
        cx.s.start_pane(pane, place.session, program, cx.now, cx.out);
    }
    if named {
        super::keep_name(cx, window);
    } else {
        let default = cx.s.options.text(opt::DEFAULT_COMMAND, OptScope::Session(place.session)).to_owned();
        let p = cx.s.model.pane(pane);
        let shell = p.map(|p| p.shell.clone()).unwrap_or_default();
        let argv = match p.map(|p| p.argv.clone()).unwrap_or_default() {
            argv if argv.is_empty() && !default.is_empty() => vec![default],
            argv => argv,
        };
        let name = super::name_of_program(&argv, &shell);
        if let Some(w) = cx.s.model.windows.get_mut(&window) {
            w.name = name;
        }
    }
    cx.s.model.outbox.event(Event::new("window-created").window(window).session(place.session));
    cx.s.sizes_moved = true;
    pane
}

/// No program may be given to a pane that is to be empty; an empty text asks for one as well.
pub(super) fn wants_empty(args: &Args, flag: bool) -> Result<bool> {
    let one_empty = args.len() == 1 && args.positional(0) == Some("");
    if flag && !args.is_empty() && !one_empty {
        return Err(CmdError::usage("command cannot be given for empty pane"));
    }
    Ok(flag || one_empty)
}

fn new_window(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.target()?;
    let session = target.session;
    let empty = wants_empty(args, args.has('E'))?;
    let name = match args.get('n') {
        None => None,
        Some(n) => {
            let found = find::from_session(&cx.s.model, session);
            let scope = super::scope_of(cx, cx.asker.client, found);
            let text = cx.expand_in(n, &scope);
            Some(clean_name("window", &text)?)
        }
    };
    if let (true, Some(n), None) = (args.has('S'), &name, target.index) {
        let m = &cx.s.model;
        let links = m.session(session).map(|s| &s.links).into_iter().flatten();
        let named: Vec<u32> =
            links.filter(|(_, l)| m.window(l.window).is_some_and(|w| w.name == *n)).map(|(i, _)| *i).collect();
        match named.as_slice() {
            [] => {}
            [index] => {
                if !args.has('d') {
                    cx.s.model.select_window(session, *index, cx.now.wall);
                    used_here(cx, session);
                }
                return Ok(Done::Ok);
            }
            _ => return Err(CmdError::state(format!("multiple windows named {n}"))),
        }
    }
    let index = match args.has('a') || args.has('b') {
        true => cx.s.model.shuffle_up(target.link(), args.has('b')).or(target.index),
        false => target.index,
    };
    let (index, taken) = match (index, cx.s.model.session(session)) {
        (Some(i), Some(s)) => (i, s.links.contains_key(&i)),
        (None, Some(s)) => {
            let base = super::base_index(cx, session);
            let free = s.free_index(base).ok_or_else(|| CmdError::state("create window failed: no free index"))?;
            (free, false)
        }
        (_, None) => return Err(CmdError::no_target("no current session")),
    };
    if taken && !args.has('k') {
        return Err(CmdError::state(format!("create window failed: index {index} in use")));
    }
    let place = Place { session, index };
    let was_current = taken && cx.s.model.session(session).is_some_and(|s| s.current == index);
    let size = cx.s.new_window_size(Some(session), cx.client);
    let program = super::program(cx, args, session);
    let pane = open(cx, place, name, size, program, empty);
    let show = !args.has('d') || was_current;
    if show {
        cx.s.model.select_window(session, index, cx.now.wall);
    }
    let found = find::from_place(&cx.s.model, place);
    if show {
        set_current(cx, found);
    }
    cx.target = found;
    match spawned(cx, pane).filter(|_| !empty) {
        Some(wait) => Ok(wait),
        None => new_window_shown(cx, args),
    }
}

fn new_window_started(cx: &mut Cx, args: &Args, wake: Wake) -> Result {
    spawn_error("create window", wake)?;
    new_window_shown(cx, args)
}

fn new_window_shown(cx: &mut Cx, args: &Args) -> Result {
    let found = cx.target;
    super::print_place(cx, args, super::NEW_PLACE, found);
    after(cx, "after-new-window", found)?;
    Ok(Done::Ok)
}

/// The current window of a session is now in use by the asking client.
fn used_here(cx: &mut Cx, session: SessionId) {
    let found = find::from_session(&cx.s.model, session);
    set_current(cx, found);
    super::used_by_client(cx);
}

fn kill_window(cx: &mut Cx, args: &Args) -> Result {
    let filter = args.get('f');
    if filter.is_some() && !args.has('a') {
        return Err(CmdError::usage("-f only valid with -a"));
    }
    let target = cx.target()?;
    if !args.has('a') {
        cx.s.kill_window(target.window, cx.now);
        return Ok(Done::Ok);
    }
    let session = target.session;
    let links: Vec<(u32, WindowId)> = match cx.s.model.session(session) {
        Some(s) if s.links.len() > 1 => s.links.iter().map(|(i, l)| (*i, l.window)).collect(),
        _ => return Ok(Done::Ok),
    };
    let mut wanted = Vec::new();
    for (index, window) in links {
        let found = find::from_place(&cx.s.model, Place { session, index });
        let scope = super::scope_of(cx, None, found);
        if super::passes(cx, filter, &scope) {
            wanted.push(window);
        }
    }
    // The window itself goes only when the session has it twice and it passes too.
    let twice =
        cx.s.model.session(session).is_some_and(|s| s.links.values().filter(|l| l.window == target.window).count() > 1);
    let own = twice && wanted.contains(&target.window);
    wanted.retain(|w| *w != target.window);
    if own {
        wanted.push(target.window);
    }
    for w in wanted {
        if cx.s.model.window(w).is_some() {
            cx.s.kill_window(w, cx.now);
        }
    }
    let all: Vec<SessionId> = cx.s.model.sessions.keys().copied().collect();
    for s in all {
        super::renumber_if_wanted(cx, s);
    }
    Ok(Done::Ok)
}

fn unlink_window(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.target()?;
    if !args.has('k') && !cx.s.model.is_linked_elsewhere(target.session, target.window) {
        return Err(CmdError::state("window only linked to one session"));
    }
    super::unlink(cx, target.link());
    Ok(Done::Ok)
}

fn rename_window(cx: &mut Cx, args: &Args) -> Result {
    let window = cx.target()?.window;
    let name = cx.expand(args.positional(0).unwrap_or(""));
    let name = clean_name("window", &name)?;
    cx.s.model.rename_window(window, name);
    super::keep_name(cx, window);
    Ok(Done::Ok)
}

fn select_window(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.target()?;
    let session = target.session;
    let step = match cx.spec.name {
        "next-window" => Some(Step::Next),
        "previous-window" => Some(Step::Previous),
        "last-window" => Some(Step::Last),
        _ if args.has('n') => Some(Step::Next),
        _ if args.has('p') => Some(Step::Previous),
        _ if args.has('l') => Some(Step::Last),
        _ => None,
    };
    let current = cx.s.model.session(session).map(|s| s.current);
    let step = match step {
        None if args.has('T') && current == Some(target.place) => Some(Step::Last),
        step => step,
    };
    match step {
        None => {
            cx.s.model.select_window(session, target.place, cx.now.wall);
        }
        Some(step) => {
            let alert = args.has('a') && step != Step::Last;
            let to = cx.s.model.session(session).and_then(|s| stepped(s, step, alert));
            // With one window there is no other to go to.
            let moved = to.is_some_and(|i| cx.s.model.select_window(session, i, cx.now.wall));
            if !moved {
                return Err(CmdError::state(format!("no {} window", step.word())));
            }
        }
    }
    used_here(cx, session);
    let found = cx.target;
    after(cx, "after-select-window", found)?;
    Ok(Done::Ok)
}

/// Where to from the current window.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Next,
    Previous,
    Last,
}

impl Step {
    fn word(self) -> &'static str {
        match self {
            Step::Next => "next",
            Step::Previous => "previous",
            Step::Last => "last",
        }
    }
}

/// The index that a step leads to; with `alert`, only links that want to be noticed count.
fn stepped(s: &crate::model::Session, step: Step, alert: bool) -> Option<u32> {
    let fits = |i: &u32| !alert || s.links.get(i).is_some_and(|l| l.alerts != Alerts::empty());
    let after = || s.links.range(s.current.saturating_add(1)..).map(|(i, _)| *i);
    let before = || s.links.range(..s.current).map(|(i, _)| *i);
    match step {
        Step::Next => after().find(fits).or_else(|| s.links.keys().copied().find(fits)),
        Step::Previous => before().rev().find(fits).or_else(|| s.links.keys().copied().rev().find(fits)),
        Step::Last => s.last(),
    }
}

/// `move-window` and `link-window`.
fn move_window(cx: &mut Cx, args: &Args) -> Result {
    let moves = cx.spec.name == "move-window";
    if args.has('r') {
        let target = super::find(cx, args.get('t'), Kind::Session, FindFlags::empty())?;
        super::renumber(cx, target.session);
        return Ok(Done::Ok);
    }
    let mut source = cx.source()?;
    let target = super::find(cx, args.get('t'), Kind::Window, FindFlags::WINDOW_INDEX)?;
    let index = match args.has('a') || args.has('b') {
        false => target.index,
        true => Some(super::shuffle(cx, target.link(), args.has('b'), &mut source)?),
    };
    let how = Linking {
        session: target.session,
        index,
        base: super::base_index(cx, target.session),
        kill: args.has('k'),
        select: !args.has('d'),
    };
    cx.s.model.link_window(source.link(), how, cx.now.wall)?;
    if moves {
        super::unlink(cx, source.link());
        if !args.has('s') {
            super::renumber_if_wanted(cx, source.session);
        }
    }
    cx.s.sizes_moved = true;
    Ok(Done::Ok)
}

fn swap_window(cx: &mut Cx, args: &Args) -> Result {
    let (source, target) = (cx.source()?, cx.target()?);
    if source.window == target.window {
        return Ok(Done::Ok);
    }
    cx.s.model.swap_links(source.link(), target.link())?;
    if args.has('d') {
        cx.s.model.select_window(target.session, target.place, cx.now.wall);
        if source.session != target.session {
            cx.s.model.select_window(source.session, source.place, cx.now.wall);
        }
    }
    cx.target = find::from_place(&cx.s.model, target.link());
    cx.s.sizes_moved = true;
    Ok(Done::Ok)
}

fn rotate_window(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.target()?;
    let zoomed = cx.s.model.unzoom(target.window);
    cx.s.model.rotate_window(target.window, args.has('D'));
    let active = cx.s.model.window(target.window).map(|w| w.active);
    if zoomed && args.has('Z') {
        cx.s.model.set_zoom(target.window, active);
    }
    set_current(cx, active.map(|p| super::with_pane(target, p)));
    Ok(Done::Ok)
}

fn resize_window(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.target()?;
    let by = match args.positional(0) {
        None => 1,
        Some(text) => {
            parse_number(text, 1..=i64::from(i32::MAX)).map_err(|why| CmdError::value(format!("adjustment {why}")))?
        }
    };
    let limits = i64::from(PANE_MIN)..=i64::from(WINDOW_MAX);
    let mut size = cx.s.model.window(target.window).map(|w| w.size).unwrap_or_default();
    if let Some(n) = args.number('x', "width", limits.clone()).map_err(CmdError::value)? {
        size.cols = n as u16;
    }
    if let Some(n) = args.number('y', "height", limits).map_err(CmdError::value)? {
        size.rows = n as u16;
    }
    let moved = |n: u16, by: i64| (i64::from(n) + by).clamp(i64::from(PANE_MIN), i64::from(WINDOW_MAX)) as u16;
    // Making it smaller by more than it has changes nothing.
    let smaller = |n: u16| if i64::from(n) >= by { moved(n, -by) } else { n };
    if args.has('L') {
        size.cols = smaller(size.cols);
    } else if args.has('R') {
        size.cols = moved(size.cols, by);
    } else if args.has('U') {
        size.rows = smaller(size.rows);
    } else if args.has('D') {
        size.rows = moved(size.rows, by);
    }
    if args.has('A') || args.has('a') {
        size = extreme_size(cx, target, args.has('A'));
    }
    super::set_option(cx, OptScope::Window(target.window), opt::WINDOW_SIZE, "manual")?;
    if let Some(w) = cx.s.model.windows.get_mut(&target.window) {
        w.manual = Some(size);
    }
    cx.s.model.resize_window(target.window, size);
    cx.s.sizes_moved = true;
    Ok(Done::Ok)
}

/// The largest or smallest size that clients give a window; without any the default size.
fn extreme_size(cx: &Cx, target: Found, largest: bool) -> Size {
    let m = &cx.s.model;
    let rooms = m.clients.values().filter(|c| {
        c.control_level == 0
            && c.session.and_then(|s| m.session(s)).is_some_and(|s| s.index_of(target.window).is_some())
    });
    let rooms = rooms.map(|c| cx.s.room_of(c));
    let pick = |a: u16, b: u16| if largest { a.max(b) } else { a.min(b) };
    rooms.reduce(|a, b| Size::new(pick(a.cols, b.cols), pick(a.rows, b.rows))).unwrap_or_else(|| {
        let text = cx.s.options.text(opt::DEFAULT_SIZE, OptScope::Session(target.session));
        super::session::read_size(text).unwrap_or(Size::new(80, 24))
    })
}
