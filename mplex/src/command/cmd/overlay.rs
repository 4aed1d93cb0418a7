//! Menus, choosers, the clock and the numbers of panes.

use crate::base::{Pos, Rect, Size, Span};
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::table::Exec;
use crate::format::StyleSpec;
use crate::keys::Key;
use crate::lang::{Args, Grouping, Place};
use crate::layer::Host;
use crate::layer::chooser::{Chooser, Source};
use crate::layer::clock::Clock;
use crate::layer::menu::{Item, Look, Menu};
use crate::layer::numbers::Numbers;
use crate::options::{Scope as OptScope, opt};
use crate::paint::Border;

const FORMAT: (char, &str) = ('F', "a format of its own");
const FILTER: (char, &str) = ('f', "a filter");
const HIDE: (char, &str) = ('h', "hiding the pane");
const KILL: (char, &str) = ('k', "killing the pane on leaving");
const SHORTCUTS: (char, &str) = ('K', "formats of shortcuts");
const ORDER: (char, &str) = ('O', "another order");
const AT_ONCE: (char, &str) = ('y', "doing without questions");

pub(super) const FAMILY: &[Exec] = &[
    Exec::new("display-menu", display_menu),
    Exec::new("display-panes", display_panes).without(&[KILL, ('Z', "its zoom")]),
    Exec::new("clock-mode", clock_mode),
    Exec::new("choose-tree", choose_tree).without(&[
        FORMAT,
        FILTER,
        ('G', "hiding a group's sessions"),
        HIDE,
        KILL,
        SHORTCUTS,
        ORDER,
        AT_ONCE,
    ]),
    Exec::new("choose-client", choose_client).without(&[
        FORMAT,
        FILTER,
        HIDE,
        ('i', "details"),
        KILL,
        SHORTCUTS,
        ORDER,
        AT_ONCE,
    ]),
    Exec::new("choose-buffer", choose_buffer).without(&[FORMAT, FILTER, KILL, SHORTCUTS, ORDER, AT_ONCE]),
];

fn display_menu(cx: &mut Cx, args: &Args) -> Result {
    let client = cx.client()?;
    let title = args.get('T').map(str::to_owned).map(|t| cx.expand(&t)).unwrap_or_default();
    let mut items = Vec::new();
    let mut n = 0;
    while n < args.len() {
        let name = args.positional(n).unwrap_or_default().to_owned();
        n += 1;
        if name.is_empty() {
            push_line(&mut items);
            continue;
        }
        if n + 1 >= args.len() {
            return Err(CmdError::usage("not enough arguments"));
        }
        let key = args.positional(n).and_then(Key::parse).filter(|k| *k != Key::NONE);
        let commands = match args.commands(n + 1) {
            Some(list) => list.clone(),
            None => {
                let text = args.positional(n + 1).unwrap_or_default().to_owned();
                let text = cx.expand(&text);
                crate::command::dispatch::parse_text(cx.s, cx.out, cx.now, &text, Place::default(), Grouping::Whole)
                    .map_err(CmdError::usage)?
            }
        };
        n += 2;
        let name = cx.expand(&name);
        if name.is_empty() {
            continue;
        }
        let (disabled, name) = match name.strip_prefix('-') {
            Some(rest) => (true, rest.to_owned()),
            None => (false, name),
        };
        items.push(Item::Choice { name, key, commands, disabled });
    }
    while matches!(items.last(), Some(Item::Line)) {
        items.pop();
    }
    if items.is_empty() {
        return Ok(Done::Ok);
    }
    let style = |letter: char| -> Result<Option<StyleSpec>> {
        args.get(letter).map(|t| StyleSpec::parse(t).map_err(|e| CmdError::value(e.to_string()))).transpose()
    };
    let lines = match args.get('b') {
        None => None,
        Some("single") => Some(Border::Single),
        Some("double") => Some(Border::Double),
        Some("heavy") => Some(Border::Heavy),
        Some("rounded") => Some(Border::Rounded),
        Some("simple") => Some(Border::Ascii),
        Some("padded") => Some(Border::Padded),
        Some(other) => return Err(CmdError::value(format!("menu-border-lines unknown value: {other}"))),
    };
    let look = Look { style: style('s')?, selected: style('H')?, border: style('S')?, lines };
    let chosen = match args.get('C') {
        None => Some(0),
        Some("-") => None,
        Some(_) => args.number('C', "starting choice", 0..=i64::from(u32::MAX))?.map(|n| n as usize),
    };
    let size = Menu::size(&title, &items);
    let Some(at) = position(cx, args, client, size)? else { return Ok(Done::Ok) };
    let mouse = cx.asker.mouse.is_some() || args.has('M');
    let menu = Menu::new(title, items, at, chosen, look).with_mouse(mouse, args.has('O'));
    let host = Host::Client(client);
    if cx.s.layers.top(host).is_some_and(|l| l.name() == "menu") {
        cx.s.layers.pop(host);
    }
    cx.s.layers.push(host, Box::new(menu));
    Ok(Done::Ok)
}

/// A line between items: none at the start, never two.
fn push_line(items: &mut Vec<Item>) {
    if !matches!(items.last(), None | Some(Item::Line)) {
        items.push(Item::Line);
    }
}

/// Where a menu's top left corner is on the client's screen.
fn position(cx: &mut Cx, args: &Args, client: crate::base::ClientId, size: Size) -> Result<Option<Pos>> {
    let Some(c) = cx.s.model.client(client) else { return Ok(None) };
    let screen = c.size;
    let target = cx.target()?;
    let Some(w) = cx.s.model.window(target.window) else { return Ok(None) };
    let areas = crate::compose::areas(&cx.s.options, c, w, None);
    let pane = cx.s.model.pane(target.pane).map(|p| p.rect).unwrap_or_default();
    let pane = Rect::new(areas.window.x + pane.x, areas.window.y + pane.y, pane.w, pane.h);
    let mouse = cx.asker.mouse.map(|(m, _)| m.pos);
    let top = areas.status.y == 0 && areas.status.h > 0;
    let status_y = if top { areas.status.bottom() } else { areas.status.y.saturating_sub(size.rows) };
    let middle = |whole: u16, part: u16| whole.saturating_sub(part) / 2;
    let x = match args.get('x').unwrap_or("C") {
        "C" => middle(screen.cols, size.cols),
        "R" => screen.cols.saturating_sub(size.cols),
        "L" => 0,
        "P" => pane.x,
        "M" => mouse.map_or(middle(screen.cols, size.cols), |m| m.x.saturating_sub(size.cols / 2)),
        "W" => mouse.map_or(0, |m| m.x.saturating_sub(size.cols / 2)),
        other => number(cx, other, screen.cols)?,
    };
    let y = match args.get('y').unwrap_or("C") {
        "C" => middle(screen.rows, size.rows),
        "L" => 0,
        "P" => pane.bottom().saturating_sub(size.rows),
        "M" => mouse.map_or(middle(screen.rows, size.rows), |m| m.y),
        "S" | "W" => status_y,
        other => number(cx, other, screen.rows)?.saturating_sub(size.rows),
    };
    Ok(Some(Pos::new(x, y)))
}

fn number(cx: &mut Cx, text: &str, whole: u16) -> Result<u16> {
    let text = cx.expand(text);
    if let Some(p) = text.strip_suffix('%').and_then(|p| p.parse::<u32>().ok()) {
        return Ok((u32::from(whole) * p.min(100) / 100) as u16);
    }
    text.parse().map_err(|_| CmdError::value(format!("invalid position: {text}")))
}

fn display_panes(cx: &mut Cx, args: &Args) -> Result {
    let client = cx.client()?;
    let Some(c) = cx.s.model.client(client) else { return Ok(Done::Ok) };
    let Some(session) = c.session else { return Err(CmdError::no_target("no current client")) };
    let Some(w) = cx.s.model.current_window(session).and_then(|w| cx.s.model.window(w)) else { return Ok(Done::Ok) };
    let areas = crate::compose::areas(&cx.s.options, c, w, None);
    let base = cx.s.options.number(opt::PANE_BASE_INDEX, OptScope::Window(w.id)).max(0) as u32;
    let panes = w
        .panes
        .iter()
        .enumerate()
        .filter(|(_, p)| w.zoomed.is_none_or(|z| z == **p))
        .filter_map(|(n, p)| {
            let r = cx.s.model.pane(*p)?.rect;
            let x = (areas.window.x + r.x).checked_sub(areas.offset.x)?;
            let y = (areas.window.y + r.y).checked_sub(areas.offset.y)?;
            Some((n as u32 + base, *p, Rect::new(x, y, r.w, r.h)))
        })
        .collect();
    let (window, active) = (w.id, w.active);
    let ms = match args.number('d', "duration", 0..=i64::from(u32::MAX))? {
        Some(n) => n,
        None => cx.s.options.number(opt::DISPLAY_PANES_TIME, OptScope::Session(session)),
    };
    let until = (ms > 0).then(|| cx.now.mono + Span::from_millis(ms as u64));
    let commands = cx.commands_at(args, 0)?;
    let layer = Numbers::new(window, active, panes, commands, until, args.has('N'));
    cx.s.layers.push(Host::Client(client), Box::new(layer));
    Ok(Done::Ok)
}

fn clock_mode(cx: &mut Cx, _args: &Args) -> Result {
    let pane = cx.target()?.pane;
    let open = cx.s.layers.top(Host::Pane(pane)).is_some_and(|l| l.name() == "clock-mode");
    if !open {
        cx.s.push_pane_layer(pane, Box::new(Clock::new(pane, cx.now)));
    }
    Ok(Done::Ok)
}

fn open(cx: &mut Cx, args: &Args, source: Source, template: &str) -> Result {
    // There is no preview, so doing without one (-N) is what happens.
    let pane = cx.target()?.pane;
    let list = match cx.commands_at(args, 0)? {
        Some(list) => list,
        None => cx.parse(template)?,
    };
    if args.has('Z') {
        let window = cx.target()?.window;
        cx.s.model.set_zoom(window, Some(pane));
    }
    let size = cx.s.model.pane(pane).map(|p| p.rect.size()).unwrap_or_default();
    let open =
        cx.s.layers.top(Host::Pane(pane)).is_some_and(|l| l.name().ends_with("-mode") && l.name() != "copy-mode");
    if open {
        return Ok(Done::Ok);
    }
    let layer = Chooser::new(pane, source, list, args.has('r'), size);
    cx.s.push_pane_layer(pane, Box::new(layer));
    Ok(Done::Ok)
}

fn choose_tree(cx: &mut Cx, args: &Args) -> Result {
    let open_levels = match (args.has('s'), args.has('w')) {
        (true, _) => 0,
        (_, true) => 1,
        _ => 2,
    };
    open(cx, args, Source::Tree { open: open_levels }, "switch-client -Zt '%%'")
}

fn choose_client(cx: &mut Cx, args: &Args) -> Result {
    open(cx, args, Source::Clients, "detach-client -t '%%'")
}

fn choose_buffer(cx: &mut Cx, args: &Args) -> Result {
    open(cx, args, Source::Buffers, "paste-buffer -p -b '%%'")
}
