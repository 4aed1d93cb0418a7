//! What is under the mouse.

use super::{Areas, status};
use crate::base::{ClientId, PaneId, Pos, SessionId};
use crate::format::Range;
use crate::vars::World;

/// The kind of place that was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    Pane,
    Border,
    Status,
    StatusLeft,
    StatusRight,
    StatusDefault,
    Control(u8),
    /// Nothing: beyond the window.
    Empty,
}

/// What was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    pub spot: Spot,
    pub session: SessionId,
    /// Index of the window hit in the status.
    pub index: Option<u32>,
    pub pane: Option<PaneId>,
    /// Relative to the pane for [`Spot::Pane`], to the window for [`Spot::Border`].
    pub at: Pos,
}

/// What a client shows at a position of its screen.
pub fn at(world: &World<'_>, client: ClientId, p: Pos) -> Option<Hit> {
    let c = world.model.client(client)?;
    let session = c.session?;
    let s = world.model.session(session)?;
    let window = world.model.current_window(session).and_then(|w| world.model.window(w))?;
    let areas: Areas = super::areas(world.options, c, window, None);
    let hit = |spot, pane, at| Hit { spot, session, index: Some(s.current), pane, at };
    if areas.status.contains(p) {
        let rows = status::layout(world, c, session, areas.status.w, areas.status.h);
        let row = rows.get((p.y - areas.status.y) as usize)?;
        let range = row.range_at(p.x);
        let base = Hit { spot: Spot::StatusDefault, session, index: None, pane: None, at: p };
        return Some(match range {
            Some(Range::Left) => Hit { spot: Spot::StatusLeft, ..base },
            Some(Range::Right) => Hit { spot: Spot::StatusRight, ..base },
            Some(Range::Window(n)) => Hit { spot: Spot::Status, index: Some(*n), ..base },
            Some(Range::Pane(id)) => Hit { spot: Spot::Status, pane: Some(*id), ..base },
            Some(Range::Session(id)) => Hit { spot: Spot::Status, session: *id, ..base },
            Some(Range::Control(n)) => Hit { spot: Spot::Control(*n), ..base },
            Some(Range::User(_)) => Hit { spot: Spot::Status, ..base },
            None => base,
        });
    }
    if !areas.window.contains(p) {
        return None;
    }
    let w = Pos::new(p.x - areas.window.x + areas.offset.x, p.y - areas.window.y + areas.offset.y);
    if w.x >= window.size.cols || w.y >= window.size.rows {
        return Some(hit(Spot::Empty, None, w));
    }
    let panes = window.panes.iter().filter(|id| window.zoomed.is_none_or(|z| z == **id));
    for id in panes {
        let r = world.model.pane(*id)?.rect;
        if r.contains(w) {
            return Some(hit(Spot::Pane, Some(*id), Pos::new(w.x - r.x, w.y - r.y)));
        }
    }
    // A border belongs to the pane left of it or above it.
    let owner = window
        .panes
        .iter()
        .find(|id| {
            world.model.pane(**id).is_some_and(|q| {
                let r = q.rect;
                (w.x == r.right() && w.y >= r.y && w.y < r.bottom())
                    || (w.y == r.bottom() && w.x >= r.x && w.x < r.right())
            })
        })
        .copied()
        .or(Some(window.active));
    Some(hit(Spot::Border, owner, w))
}
