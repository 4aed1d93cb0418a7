//! Rows of panes: from the cells of a terminal to the cells of a frame.

use super::Areas;
use crate::base::{Colour, PaneId, Pos, Rect, Rev, Style};
use crate::grid::{Cell as GridCell, Glyph, Interned, Row};
use crate::layer::{Host, View};
use crate::model::Window;
use crate::options::{Scope as OptScope, opt};
use crate::paint::{Brush, Cursor, CursorShape, LinkId, Painter, Symbol};
use crate::term::{Modes, Shape, Terminal};
use crate::vars::World;

/// Writes the rows of a pane that moved since `seen`, or all of them.
#[allow(clippy::too_many_arguments)]
pub(super) fn pane(
    world: &World<'_>,
    view: &View<'_>,
    window: &Window,
    pane: PaneId,
    areas: Areas,
    whole: bool,
    shown: &mut Shown,
    painter: &mut Painter,
) {
    let Some(rect) = world.model.pane(pane).map(|p| p.rect) else { return };
    let Some((mut brush, _)) = brush_for(painter, areas, window, rect) else { return };
    let stack = world.layers.stack(Host::Pane(pane));
    if let Some(layer) = stack.last() {
        if whole {
            layer.draw(view, &mut brush);
        }
        // What is under it is written whole when it goes: the layers' revision moves then.
        *shown = Shown::default();
        return;
    }
    let base = base_style(world, window, pane);
    world.terminal(pane, |t| {
        if !whole && t.sync_active() {
            return;
        }
        if whole || !shown.is_of(t) {
            *shown = Shown::default();
        }
        if shown.rev != Some(t.rev()) {
            rows(t, base, shown, whole, rect, &mut brush);
        }
    });
}

/// A brush for a rect of a window, and whether any of it shows.
fn brush_for<'a>(painter: &'a mut Painter, areas: Areas, window: &Window, rect: Rect) -> Option<(Brush<'a>, ())> {
    let a = areas.window;
    let o = areas.offset;
    let shown = Rect::new(o.x, o.y, a.w.min(window.size.cols), a.h.min(window.size.rows)).intersect(rect);
    if shown.is_empty() {
        return None;
    }
    let at = Rect::new(a.x + shown.x - o.x, a.y + shown.y - o.y, shown.w, shown.h);
    let brush = painter.brush(at);
    // What is cut off at the left and the top is skipped by the writer.
    Some((brush.into_panned(Pos::new(shown.x - rect.x, shown.y - rect.y)), ()))
}

/// The colours that cells without their own take (`window-style`, `window-active-style`).
fn base_style(world: &World<'_>, window: &Window, pane: PaneId) -> Style {
    let scope = OptScope::Pane(pane);
    let option = if window.active == pane { opt::WINDOW_ACTIVE_STYLE } else { opt::WINDOW_STYLE };
    let of = |o| world.options.style(o, scope).parsed.as_ref().map(|s| s.style).unwrap_or_default();
    let active: Style = of(option);
    let plain: Style = if window.active == pane { of(opt::WINDOW_STYLE) } else { active };
    Style {
        fg: if active.fg.is_default() { plain.fg } else { active.fg },
        bg: if active.bg.is_default() { plain.bg } else { active.bg },
        ..Style::DEFAULT
    }
}

/// What a client was shown of a pane's terminal.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// Nothing yet if `None`.
    rev: Option<Rev>,
    alternate: bool,
    reverse: bool,
    /// The rows from the top: a row that moved has its old revision and its old name.
    ids: Vec<u64>,
}

impl Shown {
    /// Whether rows can be compared with what was shown.
    fn is_of(&self, t: &Terminal) -> bool {
        self.alternate == t.is_alternate() && self.reverse == t.modes().contains(Modes::REVERSE_SCREEN)
    }

    /// Whether this row is there already.
    fn has(&self, y: u16, row: &Row<'_>) -> bool {
        self.rev.is_some_and(|rev| row.rev <= rev) && self.ids.get(usize::from(y)) == Some(&row.id)
    }
}

fn rows(t: &Terminal, base: Style, shown: &mut Shown, whole: bool, rect: Rect, brush: &mut Brush<'_>) {
    let reverse = t.modes().contains(Modes::REVERSE_SCREEN);
    let screen = t.screen();
    let size = screen.size();
    let mut look = LookCache { names: t.names(), base, reverse, last: None };
    let blank = look.plain();
    for y in 0..size.rows.min(rect.h) {
        let row = screen.row(y);
        if shown.has(y, &row) {
            continue;
        }
        let used = row.used.min(rect.w);
        let mut x = 0;
        while x < used {
            let cell = row.cells[x as usize];
            let (style, link) = look.of(cell, brush);
            let rest = &row.cells[x as usize..used as usize];
            let run = rest.iter().take_while(|c| c.look() == cell.look() && narrow(**c).is_some()).count();
            if run > 0 {
                let symbols = rest[..run].iter().map(|c| narrow(*c).unwrap_or(Symbol::BLANK));
                brush.run(x, y, symbols, style, link);
                x += run as u16;
                continue;
            }
            let symbol = match cell.glyph() {
                Glyph::Char(c) => Symbol::char(c),
                Glyph::Cluster(n) => {
                    let text = t.names().cluster(n);
                    brush.pool().symbol(text)
                }
                Glyph::Blank | Glyph::Tail => Symbol::BLANK,
            };
            let width = cell.width().max(1);
            if width == 2 && x + 1 >= rect.w {
                brush.put(x, y, Symbol::BLANK, 1, style, link);
            } else {
                brush.put(x, y, symbol, width, style, link);
            }
            x += u16::from(width);
        }
        if used < rect.w {
            brush.fill(Rect::new(used, y, rect.w - used, 1), ' ', blank);
        }
    }
    if whole && size.rows < rect.h {
        brush.fill(Rect::new(0, size.rows, rect.w, rect.h - size.rows), ' ', blank);
    }
    shown.rev = Some(t.rev());
    (shown.alternate, shown.reverse) = (t.is_alternate(), reverse);
    shown.ids.clear();
    shown.ids.extend((0..size.rows.min(rect.h)).map(|y| screen.row(y).id));
}

/// The symbol of a cell that is one narrow character, or nothing.
fn narrow(cell: GridCell) -> Option<Symbol> {
    if cell.width() != 1 {
        return None;
    }
    match cell.glyph() {
        Glyph::Char(c) => Some(Symbol::char(c)),
        Glyph::Blank => Some(Symbol::BLANK),
        Glyph::Cluster(_) | Glyph::Tail => None,
    }
}

/// Resolves looks; runs of cells share one.
struct LookCache<'a> {
    names: &'a Interned,
    base: Style,
    reverse: bool,
    last: Option<(u32, Style, LinkId)>,
}

impl LookCache<'_> {
    fn of(&mut self, cell: GridCell, brush: &mut Brush<'_>) -> (Style, LinkId) {
        if let Some((look, style, link)) = self.last
            && look == cell.look()
        {
            return (style, link);
        }
        let style = self.dress(self.names.style(cell.style()));
        let link = match self.names.link(cell.link()) {
            Some(l) => brush.link(&l.id, &l.uri),
            None => LinkId::NONE,
        };
        self.last = Some((cell.look(), style, link));
        (style, link)
    }

    fn plain(&self) -> Style {
        self.dress(Style::DEFAULT)
    }

    fn dress(&self, mut s: Style) -> Style {
        if s.fg.is_default() {
            s.fg = self.base.fg;
        }
        if s.bg.is_default() {
            s.bg = self.base.bg;
        }
        if self.reverse {
            s.attrs.toggle(crate::base::Attrs::REVERSE);
        }
        s
    }
}

/// The cursor of the active pane, in the window's positions.
pub(super) fn cursor_in_window(world: &World<'_>, window: &Window, view: &View<'_>) -> Cursor {
    let Some(rect) = world.model.pane(window.active).map(|p| p.rect) else { return Cursor::default() };
    let at = |p: Pos| (p.x < rect.w && p.y < rect.h).then(|| Pos::new(rect.x + p.x, rect.y + p.y));
    if let Some(layer) = world.layers.top(Host::Pane(window.active)) {
        return match layer.cursor(view, rect.size()) {
            Some(c) => Cursor { pos: at(c.at), shape: c.shape, ..Cursor::default() },
            None => Cursor::default(),
        };
    }
    world
        .terminal(window.active, |t| {
            let c = t.cursor();
            Cursor {
                pos: c.visible.then(|| at(Pos::new(c.x, c.y))).flatten(),
                shape: match c.shape {
                    Shape::Default => CursorShape::Default,
                    Shape::Block => CursorShape::Block,
                    Shape::Underline => CursorShape::Underline,
                    Shape::Bar => CursorShape::Bar,
                },
                blink: c.blink.unwrap_or(false),
                colour: c.colour.unwrap_or(Colour::DEFAULT),
            }
        })
        .unwrap_or_default()
}
