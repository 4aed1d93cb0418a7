//! From the model and the grids to one frame per client. Mutates nothing but its own caches.
//!
//! [`compose`] is called when something moved. It writes the whole scene when its structure moved (layout, layers,
//! options, the client's own state), else only the rows of panes that moved since this client last looked: a write that
//! changes nothing marks nothing in the frame, so writing too much costs time but never bytes.

pub mod borders;
pub mod hit;
mod panes;
pub mod status;

use std::collections::BTreeMap;

use crate::base::{ClientId, PaneId, Pos, Rect, Rev, Size, Style, Wall};
use crate::layer::{Host, View};
use crate::model::{Client, Window};
use crate::options::{Scope as OptScope, opt};
use crate::paint::{Cursor, Painter};
use crate::vars::{Scope, World};

/// What a client's frame was last made of.
#[derive(Debug, Default)]
pub struct Scene {
    key: Option<Key>,
    panes: BTreeMap<PaneId, panes::Shown>,
    status: status::Cache,
}

/// Moves when more than rows of panes moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    model: Rev,
    layers: Rev,
    options: Rev,
    size: Size,
    window: Option<crate::base::WindowId>,
    window_rev: Rev,
    second: Wall,
}

impl Scene {
    pub fn new() -> Scene {
        Scene::default()
    }

    /// The next frame is composed whole.
    pub fn forget(&mut self) {
        self.key = None;
    }
}

/// How a client's screen is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Areas {
    /// Where the window shows.
    pub window: Rect,
    pub status: Rect,
    /// The part of the window that shows begins here, when it is larger than its area.
    pub offset: Pos,
}

/// Divides a client's screen between its window and its status rows.
pub fn areas(options: &crate::options::Options, client: &Client, window: &Window, cursor: Option<Pos>) -> Areas {
    let size = client.size;
    let scope = client.session.map_or(OptScope::GlobalSession, OptScope::Session);
    let lines = options.choice(opt::STATUS, scope).lines().min(size.rows.saturating_sub(1));
    let top = options.choice(opt::STATUS_POSITION, scope) == crate::options::choices::StatusPosition::Top;
    let rows = size.rows - lines;
    let (window_y, status_y) = if top { (lines, 0) } else { (0, rows) };
    let area = Rect::new(0, window_y, size.cols, rows);
    Areas {
        window: area,
        status: Rect::new(0, status_y, size.cols, lines),
        offset: offset(client, window, area.size(), cursor),
    }
}

/// Where a client looks at a window larger than its room: where it was moved to, else so that the cursor shows.
fn offset(client: &Client, window: &Window, room: Size, cursor: Option<Pos>) -> Pos {
    let spare_x = window.size.cols.saturating_sub(room.cols);
    let spare_y = window.size.rows.saturating_sub(room.rows);
    if spare_x == 0 && spare_y == 0 {
        return Pos::new(0, 0);
    }
    if let Some((w, x, y)) = client.pan
        && w == window.id
    {
        return Pos::new(x.min(spare_x), y.min(spare_y));
    }
    let Some(c) = cursor else { return Pos::new(0, 0) };
    // The window is seen in whole rooms as far as possible, so that the picture does not creep with the cursor.
    let at = |c: u16, room: u16, spare: u16| {
        if c < room { 0 } else { (c + 1).saturating_sub(room).max(spare.min(c.saturating_sub(room / 2))).min(spare) }
    };
    Pos::new(at(c.x, room.cols, spare_x), at(c.y, room.rows, spare_y))
}

/// Composes what a client should see into its painter's next frame.
pub fn compose(world: &World<'_>, client: ClientId, scene: &mut Scene, painter: &mut Painter) {
    let Some(c) = world.model.client(client) else { return };
    let Some(session) = c.session else { return };
    let Some(window) = world.model.current_window(session).and_then(|w| world.model.window(w)) else { return };
    if painter.frame().size() != c.size {
        painter.resize(c.size);
        scene.key = None;
    }
    let key = Key {
        model: world.model.rev,
        layers: world.layers.rev,
        options: world.options.rev(),
        size: c.size,
        window: Some(window.id),
        window_rev: window.rev,
        second: scene.status.second(world, session),
    };
    let whole = scene.key != Some(key);
    scene.key = Some(key);
    let view = View { model: world.model, options: world.options, now: world.now, client: Some(client) };
    let cursor = panes::cursor_in_window(world, window, &view);
    let areas = areas(world.options, c, window, cursor.pos);
    let moved_offset = scene.status.offset_moved(areas.offset);
    let whole = whole || moved_offset;

    let visible: Vec<PaneId> = match window.zoomed {
        Some(z) => vec![z],
        None => window.panes.clone(),
    };
    if whole {
        blank_outside(painter, areas, window);
    }
    for pane in &visible {
        panes::pane(world, &view, window, *pane, areas, whole, scene.panes.entry(*pane).or_default(), painter);
    }
    scene.panes.retain(|p, _| visible.contains(p));
    if whole {
        if window.zoomed.is_none() || has_titles(world, window) {
            borders::draw(world, &view, c, window, areas, painter);
        }
        for layer in world.layers.stack(Host::Window(window.id)) {
            let at = layer.place(areas.window, &view);
            layer.draw(&view, &mut painter.brush(at));
        }
        status::draw(world, c, session, areas.status, &mut scene.status, painter);
        for layer in world.layers.stack(Host::Client(client)) {
            let at = layer.place(c.size.rect(), &view);
            layer.draw(&view, &mut painter.brush(at));
        }
    } else if !world.layers.stack(Host::Window(window.id)).is_empty()
        || !world.layers.stack(Host::Client(client)).is_empty()
    {
        // Rows of panes may have been written under them.
        for layer in world.layers.stack(Host::Window(window.id)) {
            let at = layer.place(areas.window, &view);
            layer.draw(&view, &mut painter.brush(at));
        }
        for layer in world.layers.stack(Host::Client(client)) {
            let at = layer.place(c.size.rect(), &view);
            layer.draw(&view, &mut painter.brush(at));
        }
    }
    place_cursor(world, &view, client, window, areas, cursor, painter);
}

fn has_titles(world: &World<'_>, window: &Window) -> bool {
    world.options.choice(opt::PANE_BORDER_STATUS, OptScope::Window(window.id))
        != crate::options::choices::PaneStatus::Off
}

/// The part of the client's screen that a smaller window does not cover: dots, as tmux shows it, beyond a border.
fn blank_outside(painter: &mut Painter, areas: Areas, window: &Window) {
    let a = areas.window;
    let (w, h) = (window.size.cols, window.size.rows);
    if w >= a.w && h >= a.h {
        return;
    }
    let mut brush = painter.brush(a);
    if w < a.w {
        brush.vline(w, 0, h.min(a.h), '│', Style::DEFAULT);
        brush.fill(Rect::new(w + 1, 0, a.w.saturating_sub(w + 1), a.h), '·', Style::DEFAULT);
    }
    if h < a.h {
        brush.hline(0, h, w.min(a.w), '─', Style::DEFAULT);
        if w < a.w {
            brush.char(w, h, '┘', Style::DEFAULT);
        }
        brush.fill(Rect::new(0, h + 1, a.w.min(w + 1), a.h.saturating_sub(h + 1)), '·', Style::DEFAULT);
        if w < a.w {
            brush.fill(Rect::new(w + 1, h, a.w.saturating_sub(w + 1), a.h.saturating_sub(h)), '·', Style::DEFAULT);
        }
    }
}

/// The cursor belongs to the top layer that wants one, else to the active pane.
fn place_cursor(
    world: &World<'_>,
    view: &View<'_>,
    client: ClientId,
    window: &Window,
    areas: Areas,
    pane_cursor: Cursor,
    painter: &mut Painter,
) {
    let mut cursor = pane_cursor;
    cursor.pos = cursor.pos.and_then(|p| {
        let x = p.x.checked_sub(areas.offset.x)?;
        let y = p.y.checked_sub(areas.offset.y)?;
        let inside = x < areas.window.w && y < areas.window.h;
        inside.then(|| Pos::new(areas.window.x + x, areas.window.y + y))
    });
    let over = |host: Host, room: Rect| {
        let layer = world.layers.top(host)?;
        let at = layer.place(room, view);
        Some(layer.cursor(view, at.size()).map(|c| Cursor {
            pos: Some(Pos::new(at.x + c.at.x, at.y + c.at.y)),
            shape: c.shape,
            ..Cursor::default()
        }))
    };
    let room = painter.frame().size().rect();
    if let Some(c) = over(Host::Client(client), room).or_else(|| over(Host::Window(window.id), areas.window)) {
        cursor = c.unwrap_or_default();
    }
    painter.frame_mut().cursor = cursor;
    let scope = Scope {
        client: Some(client),
        session: view.model.client(client).and_then(|c| c.session),
        window: Some(window.id),
        pane: Some(window.active),
        ..Scope::default()
    };
    let session = scope.session.map_or(OptScope::GlobalSession, OptScope::Session);
    if world.options.flag(opt::SET_TITLES, session) {
        let title = world.expand_time(world.options.text(opt::SET_TITLES_STRING, session), &scope);
        painter.frame_mut().title = title;
    }
}
