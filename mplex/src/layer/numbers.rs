//! The numbers of a window's panes (`display-panes`): a key chooses one.

use super::clock::large;
use super::{Act, Layer, LayerInput, Outcome, View};
use crate::base::{Attrs, Colour, PaneId, Rect, Rev, Style, Time, WindowId};
use crate::keys::Code;
use crate::lang::CommandList;
use crate::options::{Scope as OptScope, opt};
use crate::paint::Brush;

#[derive(Debug)]
pub struct Numbers {
    window: WindowId,
    /// Where the window's panes are on the client's screen, by number.
    panes: Vec<(u32, PaneId, Rect)>,
    active: PaneId,
    commands: Option<CommandList>,
    until: Option<Time>,
    /// Keys do not close it.
    stay: bool,
}

impl Numbers {
    pub fn new(
        window: WindowId,
        active: PaneId,
        panes: Vec<(u32, PaneId, Rect)>,
        commands: Option<CommandList>,
        until: Option<Time>,
        stay: bool,
    ) -> Numbers {
        Numbers { window, panes, active, commands, until, stay }
    }

    fn choose(&self, pane: PaneId) -> Outcome {
        let id = pane.to_string();
        match &self.commands {
            Some(list) => Outcome::close().with(Act::Run(list.substituted(&[&id]))),
            None => Outcome::close().with(Act::RunText(format!("select-pane -t {id}"))),
        }
    }
}

impl Layer for Numbers {
    fn name(&self) -> &'static str {
        "display-panes"
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn input(&mut self, input: &LayerInput, _view: &View) -> Outcome {
        match input {
            LayerInput::Key(key) => {
                // Digits, then letters from a on for the tenth pane and more.
                let number = match key.code {
                    Code::Char(c @ '0'..='9') if key.mods.is_empty() => c.to_digit(10),
                    Code::Char(c @ 'a'..='z') if key.mods.is_empty() => Some(c as u32 - 'a' as u32 + 10),
                    _ => None,
                };
                let hit = number.and_then(|n| self.panes.iter().find(|p| p.0 == n));
                match hit {
                    Some(p) => self.choose(p.1),
                    None if self.stay => Outcome::eat(),
                    None => Outcome::close(),
                }
            }
            LayerInput::Mouse { mouse, x, y } if !mouse.motion && !mouse.release && !mouse.is_wheel() => {
                let at = |r: &Rect| {
                    *x >= i32::from(r.x)
                        && *x < i32::from(r.right())
                        && *y >= i32::from(r.y)
                        && *y < i32::from(r.bottom())
                };
                match self.panes.iter().find(|p| at(&p.2)) {
                    Some(p) => self.choose(p.1),
                    None => Outcome::eat(),
                }
            }
            _ => Outcome::eat(),
        }
    }

    fn sync(&mut self, view: &View) -> Outcome {
        let looks = view
            .client
            .and_then(|c| view.model.client(c))
            .and_then(|c| c.session)
            .and_then(|s| view.model.current_window(s));
        let gone = looks != Some(self.window) || self.panes.iter().any(|p| view.model.pane(p.1).is_none());
        if gone { Outcome::close() } else { Outcome::pass() }
    }

    fn draw(&self, view: &View, brush: &mut Brush<'_>) {
        let session = view.client.and_then(|c| view.model.client(c)).and_then(|c| c.session);
        let scope = session.map_or(OptScope::GlobalSession, OptScope::Session);
        let named = |option| crate::format::colour::parse(view.options.text(option, scope));
        let colour = named(opt::DISPLAY_PANES_COLOUR).unwrap_or(Colour::ansi(4));
        let active = named(opt::DISPLAY_PANES_ACTIVE_COLOUR).unwrap_or(Colour::ansi(1));
        for (n, pane, rect) in &self.panes {
            let colour: Colour = if *pane == self.active { active } else { colour };
            let mut part = brush.part(*rect);
            large(&mut part, &n.to_string(), colour);
            let text = format!("{}x{}", rect.w, rect.h);
            let style = Style { fg: colour, attrs: Attrs::empty(), ..Style::DEFAULT };
            part.text(rect.w.saturating_sub(text.len() as u16), 0, &text, style);
            if (10..36).contains(n) {
                let letter = char::from(b'a' + (*n - 10) as u8);
                part.char(0, 0, letter, style);
            }
        }
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
