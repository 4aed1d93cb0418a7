//! Panes: split, select, swap, move between windows, resize, respawn, end.

use super::session::unzoom_for;
use super::{after, keep_name, set_current, spawn_error, spawned, with_pane};
use crate::base::{PaneId, Pos, WindowId};
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::lifecycle::Program;
use crate::command::queue::{Token, Wake};
use crate::command::table::Exec;
use crate::command::top::Drag;
use crate::event::{Effect, Event};
use crate::lang::Args;
use crate::lang::{parse_number, parse_size};
use crate::layer::Host;
use crate::model::find::{self, Found};
use crate::model::layout::{Axis, Direction, LayoutError, Split, SplitSize, WINDOW_MAX};
use crate::model::moves::Linking;
use crate::model::{Life, Marked, Place};
use crate::options::{Scope as OptScope, opt};
use crate::term::Output;

pub(super) static FAMILY: &[Exec] = &[
    Exec::new("split-window", split_window).resumed(split_window_woken),
    Exec::new("new-pane", new_pane).resumed(split_window_woken).without(&[
        ('A', "above a zoomed pane"),
        ('C', "close at a click"),
        ('K', "pass all keys"),
        ('M', "size with the mouse"),
        ('x', "width of a floating pane"),
        ('y', "height of a floating pane"),
        ('X', "place of a floating pane"),
        ('Y', "place of a floating pane"),
    ]),
    Exec::new("select-pane", select_pane),
    Exec::new("last-pane", last_pane),
    Exec::new("kill-pane", kill_pane),
    Exec::new("swap-pane", swap_pane),
    Exec::new("break-pane", break_pane).without(&[
        ('W', "a floating pane"),
        ('x', "width of a floating pane"),
        ('y', "height of a floating pane"),
        ('X', "place of a floating pane"),
        ('Y', "place of a floating pane"),
    ]),
    Exec::new("join-pane", join_pane),
    Exec::new("move-pane", join_pane),
    Exec::new("resize-pane", resize_pane).without(&[('T', "drop lines below the cursor")]),
    Exec::new("respawn-pane", respawn_pane).resumed(respawned),
    Exec::new("respawn-window", respawn_window).resumed(respawned),
];

fn axis(args: &Args) -> Axis {
    if args.has('h') { Axis::LeftRight } else { Axis::TopBottom }
}

/// How `-h`, `-b`, `-f`, `-l` and `-p` say to split a pane.
fn split_of(cx: &mut Cx, args: &Args, target: Found) -> Result<Split> {
    let axis = axis(args);
    let full = args.has('f');
    let size = match cx.s.model.window(target.window) {
        Some(w) if full => w.size,
        Some(w) => w.layout.pane_rect(target.pane).unwrap_or_default().size(),
        None => return Err(CmdError::no_target("no such window")),
    };
    let whole = i64::from(if axis == Axis::LeftRight { size.cols } else { size.rows });
    let wrong = |why: &str| CmdError::value(format!("invalid tiled geometry {why}"));
    let size = if let Some(text) = args.get('l') {
        let text = cx.expand(text);
        SplitSize::Cells(parse_size(&text, 0..=i64::from(i32::MAX), whole).map_err(wrong)? as u32)
    } else if let Some(text) = args.get('p') {
        let text = cx.expand(text);
        SplitSize::Cells((whole * parse_number(&text, 0..=100).map_err(wrong)? / 100) as u32)
    } else {
        SplitSize::Half
    };
    Ok(Split { axis, size, before: args.has('b'), full })
}

fn layout_error(e: LayoutError) -> CmdError {
    CmdError::state(e.to_string())
}

fn new_pane(cx: &mut Cx, args: &Args) -> Result {
    if args.has('O') && args.has('L') {
        return Err(CmdError::usage("modal pane must be floating"));
    }
    if !args.has('L') {
        return Err(CmdError::not_built(cx.spec.name, "a floating pane (without -L)"));
    }
    split_window(cx, args)
}

fn split_window(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.target()?;
    let empty = super::window::wants_empty(args, args.has('E') || args.has('I'))?;
    let lines = match args.get('B') {
        None => None,
        Some(text) => {
            use crate::options::Choice as _;
            let names = crate::options::choices::PaneLines::NAMES;
            if !names.contains(&text) {
                return Err(CmdError::value(format!("pane-border-lines unknown value: {text}")));
            }
            Some(text)
        }
    };
    cx.s.model.unzoom(target.window);
    let how = split_of(cx, args, target)?;
    let program = super::program(cx, args, target.session);
    let pane = cx.s.model.split_pane(target.pane, how).map_err(layout_error)?;
    cx.s.options.place_pane(pane, target.window);
    if let Err(e) = dress(cx, args, pane, lines) {
        cx.s.kill_pane(pane, cx.now);
        return Err(e);
    }
    if empty {
        super::start_nothing(cx, pane, target.session, program);
    } else {
        cx.s.start_pane(pane, target.session, program, cx.now, cx.out);
    }
    if let Some(title) = args.get('T') {
        let title = cx.expand(title);
        set_title(cx, pane, &title);
    }
    let found = with_pane(target, pane);
    if !args.has('d') {
        cx.s.model.select_pane(pane);
        set_current(cx, Some(found));
    }
    if args.has('Z') {
        let active = cx.s.model.window(target.window).map(|w| w.active);
        cx.s.model.set_zoom(target.window, active);
    }
    cx.target = Some(found);
    match spawned(cx, pane).filter(|_| !empty) {
        Some(wait) => Ok(wait),
        None => split_shown(cx, args),
    }
}

/// The options of its own that a new pane gets from flags.
fn dress(cx: &mut Cx, args: &Args, pane: PaneId, lines: Option<&str>) -> Result<()> {
    let scope = OptScope::Pane(pane);
    let bad = |what: &str, text: &str| CmdError::value(format!("bad {what}: {text}"));
    if let Some(s) = args.get('s') {
        super::set_option(cx, scope, opt::WINDOW_STYLE, s).map_err(|_| bad("style", s))?;
        super::set_option(cx, scope, opt::WINDOW_ACTIVE_STYLE, s).map_err(|_| bad("style", s))?;
    }
    if let Some(s) = args.get('S') {
        super::set_option(cx, scope, opt::PANE_ACTIVE_BORDER_STYLE, s).map_err(|_| bad("active border style", s))?;
    }
    if let Some(s) = args.get('R') {
        super::set_option(cx, scope, opt::PANE_BORDER_STYLE, s).map_err(|_| bad("inactive border style", s))?;
    }
    if let Some(l) = lines {
        super::set_option(cx, scope, opt::PANE_BORDER_LINES, l)?;
    }
    if args.has('k') || args.has('m') {
        super::set_option(cx, scope, opt::REMAIN_ON_EXIT, "key")?;
        if let Some(m) = args.get('m') {
            super::set_option(cx, scope, opt::REMAIN_ON_EXIT_FORMAT, m)?;
        }
    }
    Ok(())
}

fn split_shown(cx: &mut Cx, args: &Args) -> Result {
    let found = cx.target;
    super::print_place(cx, args, super::NEW_PLACE, found);
    after(cx, "after-split-window", found)?;
    // A command client's input is shown in the pane; an attached client has none.
    if args.has('I')
        && let Some(client) = cx.asker.client
        && cx.s.model.client(client).is_some_and(|c| c.session.is_none())
    {
        cx.effect(Effect::ClientStdin { client });
        return Ok(Done::Wait(Token::Stdin(client)));
    }
    match found {
        Some(f) if args.has('W') => Ok(Done::Wait(Token::PaneExit(f.pane))),
        _ => Ok(Done::Ok),
    }
}

fn split_window_woken(cx: &mut Cx, args: &Args, wake: Wake) -> Result {
    if let Wake::Job { status, .. } = wake {
        // The end of the pane's program: its status is that of a client that waited for it.
        if let Some(c) = cx.asker.client.and_then(|c| cx.s.model.clients.get_mut(&c))
            && c.session.is_none()
        {
            c.status = status as u8;
        }
        return Ok(Done::Ok);
    }
    if !args.has('I') {
        spawn_error("create pane", wake)?;
        return split_shown(cx, args);
    }
    match wake {
        Wake::Failed(text) => Err(CmdError::state(text)),
        Wake::Bytes(bytes) => {
            let Some(pane) = cx.target.map(|f| f.pane) else { return Ok(Done::Ok) };
            // There is no tty that would turn a line feed into a new line.
            let mut text = Vec::with_capacity(bytes.len());
            for b in bytes {
                if b == b'\n' {
                    text.push(b'\r');
                }
                text.push(b);
            }
            cx.out.terminal(pane, &mut |t| {
                // Nothing in the pane could read what the terminal would answer.
                let mut answers = Output::default();
                t.feed(&text, &mut answers);
            });
            cx.s.model.touch();
            Ok(Done::Ok)
        }
        _ => Ok(Done::Ok),
    }
}

fn set_title(cx: &mut Cx, pane: PaneId, title: &str) {
    let mut changed = false;
    cx.out.terminal(pane, &mut |t| {
        changed = t.title() != title;
        t.set_title(title);
    });
    if changed {
        let window = cx.s.model.pane(pane).map(|p| p.window);
        let mut event = Event::new("pane-title-changed").pane(pane).field("new_title", title);
        event.window = window;
        cx.s.model.outbox.event(event);
        cx.s.model.touch();
    }
}

fn set_input(cx: &mut Cx, pane: PaneId, off: bool) {
    if let Some(p) = cx.s.model.panes.get_mut(&pane) {
        p.input_off = off;
    }
    cx.s.model.touch();
}

/// Makes a pane active. One that a zoom hides ends it, or is zoomed instead with `keep`.
pub(super) fn activate(cx: &mut Cx, pane: PaneId, keep: bool) -> bool {
    let Some(window) = cx.s.model.pane(pane).map(|p| p.window) else { return false };
    let zoomed = cx.s.model.window(window).is_some_and(|w| w.zoomed.is_some());
    unzoom_for(cx, pane);
    let moved = cx.s.model.select_pane(pane);
    if zoomed && keep {
        cx.s.model.set_zoom(window, Some(pane));
    }
    moved
}

fn last_pane(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.target()?;
    let last = cx.s.model.window(target.window).and_then(|w| {
        // The other one of two, even if it was never visited.
        w.last_pane().or_else(|| w.panes.iter().copied().find(|p| *p != w.active).filter(|_| w.panes.len() == 2))
    });
    let Some(last) = last else { return Err(CmdError::state("no last pane")) };
    if args.has('e') || args.has('d') {
        set_input(cx, last, !args.has('e'));
        return Ok(Done::Ok);
    }
    if activate(cx, last, args.has('Z')) {
        set_current(cx, find::from_place(&cx.s.model, target.link()));
    }
    Ok(Done::Ok)
}

fn select_pane(cx: &mut Cx, args: &Args) -> Result {
    if args.has('l') {
        return last_pane(cx, args);
    }
    let target = cx.target()?;
    if args.has('m') || args.has('M') {
        mark(cx, args, target);
        return Ok(Done::Ok);
    }
    if let Some(style) = args.get('P') {
        let scope = OptScope::Pane(target.pane);
        for option in [opt::WINDOW_STYLE, opt::WINDOW_ACTIVE_STYLE] {
            super::set_option(cx, scope, option, style).map_err(|_| CmdError::value(format!("bad style: {style}")))?;
        }
    }
    if args.has('g') {
        let text = cx.s.options.style(opt::WINDOW_STYLE, OptScope::Pane(target.pane)).text.clone();
        cx.print(text);
        return Ok(Done::Ok);
    }
    let side = [('L', Direction::Left), ('R', Direction::Right), ('U', Direction::Up), ('D', Direction::Down)];
    let pane = match side.iter().find(|(f, _)| args.has(*f)) {
        Some((_, d)) => cx.s.model.neighbour(target.pane, *d),
        None => Some(target.pane),
    };
    let Some(pane) = pane else { return Ok(Done::Ok) };
    if args.has('e') || args.has('d') {
        set_input(cx, pane, !args.has('e'));
        return Ok(Done::Ok);
    }
    if let Some(title) = args.get('T') {
        let title = cx.expand(title);
        set_title(cx, pane, &title);
        return Ok(Done::Ok);
    }
    if cx.s.model.window(target.window).is_some_and(|w| w.active == pane) {
        return Ok(Done::Ok);
    }
    let found = with_pane(target, pane);
    if activate(cx, pane, args.has('Z')) {
        set_current(cx, Some(found));
    }
    after(cx, "after-select-pane", Some(found))?;
    Ok(Done::Ok)
}

/// Marks a pane; the one that is marked already, or `-M`, takes the mark away.
fn mark(cx: &mut Cx, args: &Args, target: Found) {
    let hidden = cx.s.model.window(target.window).is_some_and(|w| w.zoomed.is_some_and(|z| z != target.pane));
    if args.has('m') && hidden {
        return;
    }
    let new = Marked { session: target.session, index: target.place, window: target.window, pane: target.pane };
    let old = cx.s.model.marked;
    cx.s.model.marked = if args.has('M') || old == Some(new) { None } else { Some(new) };
    let about = cx.s.model.marked.or(old).unwrap_or(new);
    let mut event = Event::new("marked-pane-changed").pane(about.pane).window(about.window);
    if let Some(m) = old {
        event = event.field("old_pane", m.pane.to_string());
    }
    if let Some(m) = cx.s.model.marked {
        event = event.field("new_pane", m.pane.to_string());
    }
    let event = event.field("marked", if cx.s.model.marked.is_some() { "1" } else { "0" });
    cx.s.model.outbox.event(event);
    cx.s.model.touch();
}

fn kill_pane(cx: &mut Cx, args: &Args) -> Result {
    let filter = args.get('f');
    if filter.is_some() && !args.has('a') {
        return Err(CmdError::usage("-f only valid with -a"));
    }
    let target = cx.target()?;
    if !args.has('a') {
        if cx.s.model.window(target.window).is_some_and(|w| w.panes.len() == 1) {
            cx.s.kill_window(target.window, cx.now);
        } else {
            cx.s.kill_pane(target.pane, cx.now);
        }
        return Ok(Done::Ok);
    }
    cx.s.model.unzoom(target.window);
    let others = cx.s.model.window(target.window).map(|w| w.panes.clone()).unwrap_or_default();
    for pane in others.into_iter().filter(|p| *p != target.pane) {
        let scope = super::scope_of(cx, None, Some(with_pane(target, pane)));
        if super::passes(cx, filter, &scope) {
            cx.s.kill_pane(pane, cx.now);
        }
    }
    Ok(Done::Ok)
}

fn swap_pane(cx: &mut Cx, args: &Args) -> Result {
    let (source, target) = (cx.source()?, cx.target()?);
    let mut other = source.pane;
    let mut other_window = source.window;
    if args.has('D') || args.has('U') {
        let Some(w) = cx.s.model.window(target.window) else { return Err(CmdError::no_target("no such window")) };
        let (at, n) = (w.position(target.pane).unwrap_or(0), w.panes.len());
        other = w.panes[if args.has('D') { (at + 1) % n } else { (at + n - 1) % n }];
        other_window = target.window;
    }
    let windows: Vec<WindowId> = match other_window == target.window {
        true => vec![target.window],
        false => vec![target.window, other_window],
    };
    let zoomed: Vec<bool> = windows.iter().map(|w| cx.s.model.unzoom(*w)).collect();
    cx.s.model.swap_panes(other, target.pane, args.has('d'));
    for p in [other, target.pane] {
        if let Some(w) = cx.s.model.pane(p).map(|p| p.window) {
            cx.s.options.place_pane(p, w);
        }
    }
    for (w, zoomed) in windows.into_iter().zip(zoomed) {
        if zoomed && args.has('Z') {
            let active = cx.s.model.window(w).map(|w| w.active);
            cx.s.model.set_zoom(w, active);
        }
    }
    cx.s.sizes_moved = true;
    Ok(Done::Ok)
}

fn break_pane(cx: &mut Cx, args: &Args) -> Result {
    let (mut source, target) = (cx.source()?, cx.target()?);
    let name = match args.get('n') {
        Some(n) => Some(super::clean_name("window", n)?),
        None => None,
    };
    let index = match args.has('a') || args.has('b') {
        true => Some(super::shuffle(cx, target.link(), args.has('b'), &mut source)?),
        false => target.index,
    };
    cx.s.model.unzoom(source.window);
    let session = target.session;
    let base = super::base_index(cx, session);
    let now = cx.now.wall;
    let alone = cx.s.model.window(source.window).is_some_and(|w| w.panes.len() == 1);
    let place = if alone {
        let how = Linking { session, index, base, kill: false, select: !args.has('d') };
        let place = cx.s.model.link_window(source.link(), how, now)?;
        if let Some(n) = name {
            cx.s.model.rename_window(source.window, n);
            keep_name(cx, source.window);
        }
        super::unlink(cx, source.link());
        place
    } else {
        let taken = |i: u32| cx.s.model.session(session).is_some_and(|s| s.links.contains_key(&i));
        if let Some(i) = index.filter(|i| taken(*i)) {
            return Err(CmdError::state(format!("index in use: {i}")));
        }
        let free = cx.s.model.session(session).and_then(|s| index.or_else(|| s.free_index(base)));
        let index = free.ok_or_else(|| CmdError::state("no free index"))?;
        let named = name.is_some();
        let text = match name {
            Some(n) => n,
            None => {
                let p = cx.s.model.pane(source.pane);
                let argv = p.map(|p| p.argv.clone()).unwrap_or_default();
                super::name_of_program(&argv, p.map_or("", |p| p.shell.as_str()))
            }
        };
        let window = cx.s.model.break_pane(source.pane, text, now).ok_or_else(|| CmdError::state("no such pane"))?;
        cx.s.options.place_pane(source.pane, window);
        if named {
            keep_name(cx, window);
        }
        let place = Place { session, index };
        cx.s.model.link(place, window);
        if !args.has('d') {
            cx.s.model.select_window(session, index, now);
        }
        place
    };
    let found = find::from_place(&cx.s.model, place);
    if !args.has('d') {
        set_current(cx, found);
    }
    cx.s.sizes_moved = true;
    super::print_place(cx, args, super::NEW_PLACE, found);
    Ok(Done::Ok)
}

/// `join-pane` and `move-pane`.
fn join_pane(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.target()?;
    if cx.spec.name == "move-pane" {
        if args.has('M') {
            // Only floating panes follow the mouse, and none is under it.
            return Ok(Done::Ok);
        }
        if ['P', 'z', 'X', 'Y', 'U', 'D', 'L', 'R'].iter().any(|f| args.has(*f)) {
            return Err(CmdError::state("pane is not floating"));
        }
    }
    let source = cx.source()?;
    cx.s.model.unzoom(target.window);
    cx.s.model.unzoom(source.window);
    if source.pane == target.pane {
        return Err(CmdError::state("source and target panes must be different"));
    }
    let wrong = |e: CmdError| CmdError { text: format!("size or position {}", e.text), ..e };
    let how = split_of(cx, args, target).map_err(wrong)?;
    let emptied = cx.s.model.join_pane(source.pane, target.pane, how).map_err(|e| wrong(layout_error(e)))?;
    cx.s.options.place_pane(source.pane, target.window);
    if let Some(w) = emptied {
        cx.s.kill_window(w, cx.now);
    }
    if !args.has('d') {
        cx.s.model.select_pane(source.pane);
        // The window may have moved when its neighbour went.
        let s = cx.s.model.session(target.session);
        let place = s.and_then(|s| match s.links.get(&target.place) {
            Some(l) if l.window == target.window => Some(target.place),
            _ => s.index_of(target.window),
        });
        if let Some(index) = place {
            cx.s.model.select_window(target.session, index, cx.now.wall);
            set_current(cx, find::from_place(&cx.s.model, Place { session: target.session, index }));
        }
    }
    cx.s.sizes_moved = true;
    Ok(Done::Ok)
}

fn resize_pane(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.target()?;
    if args.has('M') {
        return resize_with_mouse(cx);
    }
    if args.has('Z') {
        if !cx.s.model.unzoom(target.window) {
            activate(cx, target.pane, false);
            cx.s.model.set_zoom(target.window, Some(target.pane));
        }
        return Ok(Done::Ok);
    }
    cx.s.model.unzoom(target.window);
    let size = cx.s.model.window(target.window).map(|w| w.size).unwrap_or_default();
    let mut steps: Vec<(Axis, i64, bool)> = Vec::new();
    let limits = || 0..=i64::from(WINDOW_MAX);
    if let Some(x) = args.size('x', "width", limits(), i64::from(size.cols)).map_err(CmdError::value)? {
        steps.push((Axis::LeftRight, x, true));
    }
    if let Some(y) = args.size('y', "height", limits(), i64::from(size.rows)).map_err(CmdError::value)? {
        steps.push((Axis::TopBottom, y, true));
    }
    for (flag, axis, sign) in
        [('U', Axis::TopBottom, -1), ('D', Axis::TopBottom, 1), ('L', Axis::LeftRight, -1), ('R', Axis::LeftRight, 1)]
    {
        if !args.has(flag) {
            continue;
        }
        let text = args.get(flag).or(args.positional(0)).unwrap_or("1");
        let by = parse_number(text, i64::from(i32::MIN)..=i64::from(i32::MAX))
            .map_err(|why| CmdError::value(format!("adjustment {why}")))?;
        steps.push((axis, by * sign, false));
    }
    let Some(w) = cx.s.model.windows.get_mut(&target.window) else { return Ok(Done::Ok) };
    for (axis, n, absolute) in steps {
        let done = match absolute {
            true => w.layout.resize_pane_to(target.pane, axis, n as u16),
            false => {
                let n = n.clamp(-i64::from(WINDOW_MAX), i64::from(WINDOW_MAX)) as i32;
                w.layout.resize_pane(target.pane, axis, n)
            }
        };
        done.map_err(layout_error)?;
    }
    cx.s.model.layout_changed(target.window);
    Ok(Done::Ok)
}

/// Begins to drag the border under the mouse, or where it has just been.
fn resize_with_mouse(cx: &mut Cx) -> Result {
    let (Some(client), Some((mouse, at))) = (cx.asker.client, cx.asker.mouse) else { return Ok(Done::Ok) };
    let m = &cx.s.model;
    let Some(c) = m.client(client) else { return Ok(Done::Ok) };
    if c.session.is_none() || (at.session.is_some() && at.session != c.session) {
        return Ok(Done::Ok);
    }
    let Some(window) = c.session.and_then(|s| m.current_window(s)) else { return Ok(Done::Ok) };
    let Some(w) = m.window(window).filter(|w| w.zoomed.is_none()) else { return Ok(Done::Ok) };
    let areas = crate::compose::areas(&cx.s.options, c, w, None);
    let x = i32::from(mouse.pos.x) - i32::from(areas.window.x) + i32::from(areas.offset.x);
    let y = i32::from(mouse.pos.y) - i32::from(areas.window.y) + i32::from(areas.offset.y);
    // The first motion has left the border already, by a cell or a little more when the hand is fast.
    let near = (0..=3i32).flat_map(|r| [(0, 0), (r, 0), (-r, 0), (0, r), (0, -r)]);
    let border = near
        .filter_map(|(dx, dy)| Some(Pos::new(u16::try_from(x + dx).ok()?, u16::try_from(y + dy).ok()?)))
        .find(|p| w.layout.border_at(*p).is_some());
    let Some(last) = border else { return Ok(Done::Ok) };
    let drag = Drag::Border { window, last };
    cx.s.drags.insert(client, drag);
    cx.s.drag(client, drag, mouse.pos, &mouse, cx.now, cx.out);
    Ok(Done::Ok)
}

/// Whether a program is (still) in a pane.
fn is_active(cx: &Cx, pane: PaneId) -> bool {
    cx.s.model.pane(pane).is_some_and(|p| matches!(p.life, Life::Running | Life::Starting))
}

fn respawn_pane(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.target()?;
    if is_active(cx, target.pane) && !args.has('k') {
        let m = &cx.s.model;
        let name = m.session(target.session).map_or("", |s| s.name.as_str());
        let base = cx.s.options.number(opt::PANE_BASE_INDEX, OptScope::Window(target.window));
        let at = m.window(target.window).and_then(|w| w.position(target.pane)).unwrap_or(0) as i64 + base;
        let text = format!("respawn pane failed: pane {name}:{}.{at} still active", target.place);
        return Err(CmdError::state(text));
    }
    respawn(cx, args, target)
}

fn respawn_window(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.target()?;
    let panes = cx.s.model.window(target.window).map(|w| w.panes.clone()).unwrap_or_default();
    if !args.has('k') && panes.iter().any(|p| is_active(cx, *p)) {
        let name = cx.s.model.session(target.session).map_or("", |s| s.name.as_str());
        let text = format!("respawn window failed: window {name}:{} still active", target.place);
        return Err(CmdError::state(text));
    }
    let Some((first, others)) = panes.split_first() else { return Ok(Done::Ok) };
    for p in others {
        cx.s.kill_pane(*p, cx.now);
    }
    cx.s.model.unzoom(target.window);
    let found = with_pane(target, *first);
    cx.target = Some(found);
    respawn(cx, args, found)
}

/// Ends what runs in a pane and starts its program, or the one given, in it.
fn respawn(cx: &mut Cx, args: &Args, target: Found) -> Result {
    let pane = target.pane;
    let Some(p) = cx.s.model.panes.get_mut(&pane) else { return Err(CmdError::no_target("no such pane")) };
    let had_pty = !matches!(p.life, Life::Empty);
    p.respawned = true;
    let (old_argv, old_cwd) = (p.argv.clone(), p.cwd.clone());
    if had_pty {
        cx.effect(Effect::PtyClose { pane });
    }
    cx.s.layers.clear(Host::Pane(pane));
    cx.out.terminal(pane, &mut |t| t.reset());
    let mut program: Program = super::program(cx, args, target.session);
    if program.argv.is_empty() {
        program.argv = old_argv;
    }
    if !args.has('c') && !old_cwd.is_empty() {
        program.cwd = Some(old_cwd);
    }
    if args.has('E') {
        if let Some(p) = cx.s.model.panes.get_mut(&pane) {
            (p.life, p.pid, p.exited, p.eof) = (Life::Empty, None, None, false);
            p.argv = program.argv;
            p.cwd = program.cwd.unwrap_or_default();
        }
        cx.s.model.touch();
        return Ok(Done::Ok);
    }
    cx.s.start_pane(pane, target.session, program, cx.now, cx.out);
    cx.s.model.touch();
    Ok(spawned(cx, pane).unwrap_or(Done::Ok))
}

fn respawned(cx: &mut Cx, _args: &Args, wake: Wake) -> Result {
    let what = if cx.spec.name == "respawn-window" { "respawn window" } else { "respawn pane" };
    spawn_error(what, wake)?;
    Ok(Done::Ok)
}
