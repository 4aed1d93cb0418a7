//! A message on the first status row until a key is pressed or its time is over.

use super::{Flow, Layer, LayerInput, Outcome, View};
use crate::base::{Rect, Rev, Time};
use crate::format::{Cx, StyleSpec, Template, Value, Vars};
use crate::options::{Scope as OptScope, opt};
use crate::paint::Brush;

#[derive(Debug)]
pub struct Message {
    text: String,
    until: Option<Time>,
}

impl Message {
    /// `until` is when it goes by itself; `None` waits for a key.
    pub fn new(text: &str, until: Option<Time>) -> Message {
        let text = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        Message { text, until }
    }
}

/// The status row that messages and prompts take: within the status block, else the last row of the screen.
pub(super) fn status_row(room: Rect, view: &View) -> Rect {
    let status = status_area(room, view);
    let at = view.options.choice(opt::MESSAGE_LINE, session_scope(view)) as u16;
    let within = at.min(status.h.saturating_sub(1));
    // Without a status the last row of the screen.
    let y = if status.h == 0 { room.h.saturating_sub(1) } else { status.y + within };
    Rect::new(0, y.min(room.h.saturating_sub(1)), room.w, 1)
}

/// The status rows of a client's screen; without any, an empty area below the last row.
pub(super) fn status_area(room: Rect, view: &View) -> Rect {
    let scope = session_scope(view);
    let lines = view.options.choice(opt::STATUS, scope).lines().min(room.h.saturating_sub(1));
    let top = view.options.choice(opt::STATUS_POSITION, scope) == crate::options::choices::StatusPosition::Top;
    let y = if top && lines > 0 { 0 } else { room.h - lines };
    Rect::new(0, y, room.w, lines)
}

fn session_scope(view: &View) -> OptScope {
    let session = view.client.and_then(|c| view.model.client(c)).and_then(|c| c.session);
    session.map_or(OptScope::GlobalSession, OptScope::Session)
}

/// Formats in styles of messages and prompts know nothing of the world: what they ask for is empty.
struct Nothing;

impl Vars for Nothing {
    fn get(&self, _name: &str) -> Option<Value> {
        None
    }
}

/// The style of an option of a client's session.
pub(super) fn style(view: &View, option: crate::options::Opt<crate::options::StyleKind>) -> crate::base::Style {
    let scope = session_scope(view);
    let value = view.options.style(option, scope);
    match &value.parsed {
        Some(spec) => spec.style,
        None => {
            let text = Template::parse(&value.text).eval(&Nothing, &Cx::new(view.now.wall).without_jobs());
            StyleSpec::parse(&text).map(|spec| spec.style).unwrap_or_default()
        }
    }
}

impl Layer for Message {
    fn name(&self) -> &'static str {
        "message"
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn input(&mut self, input: &LayerInput, _view: &View) -> Outcome {
        match input {
            // A key ends a message, and means what it means.
            LayerInput::Key(_) | LayerInput::Paste(_) => Outcome { flow: Flow::CloseAndPass, acts: Vec::new() },
            LayerInput::Mouse { .. } => Outcome::pass(),
        }
    }

    fn place(&self, room: Rect, view: &View) -> Rect {
        status_row(room, view)
    }

    fn draw(&self, view: &View, brush: &mut Brush<'_>) {
        let style = style(view, opt::MESSAGE_STYLE);
        brush.clear(style);
        let size = brush.size();
        brush.text(0, 0, crate::base::width::head_of_width(&self.text, size.cols as usize), style);
    }

    fn rev(&self) -> Rev {
        Rev(1)
    }

    fn deadline(&self) -> Option<Time> {
        self.until
    }

    fn tick(&mut self, view: &View) -> Outcome {
        if self.until.is_some_and(|t| t <= view.now.mono) { Outcome::close() } else { Outcome::pass() }
    }
}
