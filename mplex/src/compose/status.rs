//! The status rows: `status-format` expanded, laid out, and kept for the mouse.

use crate::base::{Pos, Rect, SessionId, Style, Wall};
use crate::format::{self, Drawn};
use crate::model::Client;
use crate::options::{Scope as OptScope, opt};
use crate::paint::Painter;
use crate::vars::{Scope, World};

use super::borders::style;

/// What the status rows showed last.
#[derive(Debug, Default)]
pub struct Cache {
    /// One per row, top to bottom.
    pub rows: Vec<Drawn>,
    offset: Pos,
}

impl Cache {
    /// The wall clock as far as the status interval lets it be seen: moves when the status is to be drawn anew.
    pub(super) fn second(&self, world: &World<'_>, session: SessionId) -> Wall {
        let every = world.options.number(opt::STATUS_INTERVAL, OptScope::Session(session));
        if every <= 0 { Wall(0) } else { Wall(world.now.wall.0.div_euclid(every) * every) }
    }

    pub(super) fn offset_moved(&mut self, offset: Pos) -> bool {
        std::mem::replace(&mut self.offset, offset) != offset
    }
}

pub(super) fn draw(
    world: &World<'_>,
    client: &Client,
    session: SessionId,
    area: Rect,
    cache: &mut Cache,
    painter: &mut Painter,
) {
    if area.is_empty() {
        cache.rows.clear();
        return;
    }
    let rows = layout(world, client, session, area.w, area.h);
    let base = base_style(world, client, session);
    for (y, drawn) in rows.iter().enumerate() {
        let mut brush = painter.brush(Rect::new(area.x, area.y + y as u16, area.w, 1));
        brush.fill(Rect::new(0, 0, area.w, 1), ' ', base);
        for run in &drawn.runs {
            brush.text(run.x, 0, &run.text, run.style);
        }
    }
    cache.rows = rows;
}

/// The status rows of a client as they would be drawn, with their ranges for the mouse.
pub fn layout(world: &World<'_>, client: &Client, session: SessionId, width: u16, rows: u16) -> Vec<Drawn> {
    let scope = scope_of(world, client, session);
    let base = base_style(world, client, session);
    (0..rows)
        .map(|n| {
            let template =
                world.options.text_at(opt::STATUS_FORMAT, u32::from(n), OptScope::Session(session)).unwrap_or("");
            let text = world.expand_time(template, &scope);
            format::draw(&text, base, width, false)
        })
        .collect()
}

fn base_style(world: &World<'_>, client: &Client, session: SessionId) -> Style {
    let scope = OptScope::Session(session);
    let mut s = style(world, opt::STATUS_STYLE, scope, &scope_of(world, client, session));
    let fg = world.options.colour(opt::STATUS_FG, scope);
    let bg = world.options.colour(opt::STATUS_BG, scope);
    if !fg.is_default() {
        s.fg = fg;
    }
    if !bg.is_default() {
        s.bg = bg;
    }
    s
}

fn scope_of(world: &World<'_>, client: &Client, session: SessionId) -> Scope {
    let window = world.model.current_window(session);
    Scope {
        client: Some(client.id),
        session: Some(session),
        index: world.model.session(session).map(|s| s.current),
        window,
        pane: window.and_then(|w| world.model.window(w)).map(|w| w.active),
        ..Scope::default()
    }
}
