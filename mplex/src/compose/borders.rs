//! Borders between panes: their lines, which of them belong to the active pane, titles of panes on them.

use super::Areas;
use crate::base::{PaneId, Pos, Rect, Style};
use crate::format::{self, StyleSpec};
use crate::layer::View;
use crate::model::{Client, Window};
use crate::options::choices::{BorderIndicators, PaneLines, PaneStatus};
use crate::options::{Scope as OptScope, opt};
use crate::paint::Painter;
use crate::vars::{Scope, World};

/// Lines by which of the neighbours (up 1, down 2, left 4, right 8) are borders too.
fn line(lines: PaneLines, joins: u8) -> char {
    let set: [char; 16] = match lines {
        PaneLines::Double => [' ', '║', '║', '║', '═', '╝', '╗', '╣', '═', '╚', '╔', '╠', '═', '╩', '╦', '╬'],
        PaneLines::Heavy => [' ', '┃', '┃', '┃', '━', '┛', '┓', '┫', '━', '┗', '┏', '┣', '━', '┻', '┳', '╋'],
        PaneLines::Simple => [' ', '|', '|', '|', '-', '+', '+', '+', '-', '+', '+', '+', '-', '+', '+', '+'],
        PaneLines::Spaces | PaneLines::None => [' '; 16],
        _ => [' ', '│', '│', '│', '─', '┘', '┐', '┤', '─', '└', '┌', '├', '─', '┴', '┬', '┼'],
    };
    set[joins as usize & 15]
}

/// Which cells of a window are border, and of which panes.
struct Map<'a> {
    window: &'a Window,
    rects: Vec<(PaneId, Rect)>,
}

impl Map<'_> {
    fn is_border(&self, x: i32, y: i32) -> bool {
        if x < 0 || y < 0 || x >= i32::from(self.window.size.cols) || y >= i32::from(self.window.size.rows) {
            return false;
        }
        let p = Pos::new(x as u16, y as u16);
        !self.rects.iter().any(|(_, r)| r.contains(p))
    }

    /// A cell beyond the window counts as a line that goes on, so that borders end cleanly.
    fn joins(&self, x: u16, y: u16) -> u8 {
        let (x, y) = (i32::from(x), i32::from(y));
        u8::from(self.is_border(x, y - 1))
            | u8::from(self.is_border(x, y + 1)) << 1
            | u8::from(self.is_border(x - 1, y)) << 2
            | u8::from(self.is_border(x + 1, y)) << 3
    }

    fn touches(&self, pane: PaneId, p: Pos) -> bool {
        self.rects.iter().any(|(id, r)| {
            *id == pane && p.x + 1 >= r.x && p.x <= r.right() && p.y + 1 >= r.y && p.y <= r.bottom() && !r.contains(p)
        })
    }

    /// With two panes side by side (or above each other) the one border would be all active; half of it tells which.
    fn half(&self, p: Pos) -> Option<bool> {
        let [(a, ra), (b, rb)] = self.rects.as_slice() else { return None };
        let active = self.window.active;
        let first = if active == *a {
            true
        } else if active == *b {
            false
        } else {
            return None;
        };
        if ra.y == rb.y && ra.h == rb.h {
            let top = p.y <= self.window.size.rows / 2;
            Some(first == top)
        } else if ra.x == rb.x && ra.w == rb.w {
            let left = p.x <= self.window.size.cols / 2;
            Some(first == left)
        } else {
            None
        }
    }
}

/// The style of an option, expanded where it is a format.
pub(super) fn style(
    world: &World<'_>,
    option: crate::options::Opt<crate::options::StyleKind>,
    scope: OptScope,
    at: &Scope,
) -> Style {
    let value = world.options.style(option, scope);
    match &value.parsed {
        Some(s) => s.style,
        None => {
            let text = world.expand(&value.text, at);
            StyleSpec::parse(&text).map(|s| s.style).unwrap_or_default()
        }
    }
}

pub(super) fn draw(
    world: &World<'_>,
    _view: &View<'_>,
    client: &Client,
    window: &Window,
    areas: Areas,
    painter: &mut Painter,
) {
    let scope = OptScope::Window(window.id);
    let lines = world.options.choice(opt::PANE_BORDER_LINES, scope);
    let indicators = world.options.choice(opt::PANE_BORDER_INDICATORS, scope);
    let titles = world.options.choice(opt::PANE_BORDER_STATUS, scope);
    let rects: Vec<(PaneId, Rect)> = window
        .panes
        .iter()
        .filter(|p| window.zoomed.is_none_or(|z| z == **p))
        .filter_map(|p| world.model.pane(*p).map(|q| (*p, q.rect)))
        .collect();
    let map = Map { window, rects };
    let fscope = |pane: PaneId| Scope {
        client: Some(client.id),
        session: client.session,
        index: client.session.and_then(|s| world.model.session(s)).map(|s| s.current),
        window: Some(window.id),
        pane: Some(pane),
        ..Scope::default()
    };
    let active = style(world, opt::PANE_ACTIVE_BORDER_STYLE, OptScope::Pane(window.active), &fscope(window.active));
    let mut plain_of = std::collections::BTreeMap::new();
    for (p, _) in &map.rects {
        plain_of.insert(*p, style(world, opt::PANE_BORDER_STYLE, OptScope::Pane(*p), &fscope(*p)));
    }
    let colour = matches!(indicators, BorderIndicators::Colour | BorderIndicators::Both);
    let arrows = matches!(indicators, BorderIndicators::Arrows | BorderIndicators::Both);
    let a = areas.window;
    let o = areas.offset;
    let mut brush = painter.brush(a);
    for y in o.y..window.size.rows.min(o.y.saturating_add(a.h)) {
        for x in o.x..window.size.cols.min(o.x.saturating_add(a.w)) {
            let p = Pos::new(x, y);
            if !map.is_border(i32::from(x), i32::from(y)) {
                continue;
            }
            let is_active = map.touches(window.active, p) && if colour { map.half(p).unwrap_or(true) } else { true };
            let owner = map.rects.iter().find(|(id, _)| map.touches(*id, p)).map(|(id, _)| *id);
            let style =
                if is_active { active } else { owner.and_then(|id| plain_of.get(&id).copied()).unwrap_or_default() };
            let mut c = line(lines, map.joins(x, y));
            if lines == PaneLines::Number
                && let Some(n) = owner.and_then(|id| window.position(id))
            {
                let base = world.options.number(opt::PANE_BASE_INDEX, scope).max(0) as usize;
                c = char::from_digit(((n + base) % 10) as u32, 10).unwrap_or(c);
            }
            if arrows && let Some(arrow) = arrow(&map, window, p) {
                c = arrow;
            }
            brush.char(x - o.x, y - o.y, c, style);
        }
    }
    if titles != PaneStatus::Off {
        draw_titles(world, &map, window, areas, titles, active, &plain_of, &fscope, painter);
    }
}

/// An arrow on the border that points to the active pane.
fn arrow(map: &Map<'_>, window: &Window, p: Pos) -> Option<char> {
    let (_, r) = map.rects.iter().find(|(id, _)| *id == window.active)?;
    if p.y == r.y + 1 && p.x + 1 == r.x {
        return Some('→');
    }
    if p.y == r.y + 1 && p.x == r.right() {
        return Some('←');
    }
    if p.x == r.x + 1 && p.y + 1 == r.y {
        return Some('↓');
    }
    if p.x == r.x + 1 && p.y == r.bottom() {
        return Some('↑');
    }
    None
}

/// `pane-border-format` on the border of each pane.
#[allow(clippy::too_many_arguments)]
fn draw_titles(
    world: &World<'_>,
    map: &Map<'_>,
    window: &Window,
    areas: Areas,
    titles: PaneStatus,
    active: Style,
    plain: &std::collections::BTreeMap<PaneId, Style>,
    scope: &dyn Fn(PaneId) -> Scope,
    painter: &mut Painter,
) {
    let bottom = matches!(titles, PaneStatus::Bottom | PaneStatus::BottomFloating);
    for (pane, r) in &map.rects {
        let y = if bottom { Some(r.bottom()) } else { r.y.checked_sub(1) };
        let Some(y) = y.filter(|y| *y < window.size.rows) else { continue };
        if r.w < 5 {
            continue;
        }
        let style = if *pane == window.active { active } else { plain.get(pane).copied().unwrap_or_default() };
        let template = world.options.text(opt::PANE_BORDER_FORMAT, OptScope::Pane(*pane));
        let text = world.expand_time(template, &scope(*pane));
        let drawn = format::draw(&text, style, r.w - 4, false);
        let (Some(x), Some(y)) = ((r.x + 2).checked_sub(areas.offset.x), y.checked_sub(areas.offset.y)) else {
            continue;
        };
        let mut brush = painter.brush(areas.window);
        for run in drawn.runs.iter().filter(|run| !run.gap) {
            brush.text(x + run.x, y, &run.text, run.style);
        }
    }
}
