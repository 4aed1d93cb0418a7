//! What programs ask of the terminal outside: colours, the clipboard, the theme.
//!
//! What is known is answered at once. Else the question goes to a client that looks at the pane, and its reply goes back;
//! at most [`MOST`] questions are open, each for [`PATIENCE`]. With nobody there a program hears of white on black, so
//! that one which waits for the colours does not hang.

use super::Core;
use crate::base::{ClientId, Colour, Now, PaneId, Span, Time, WindowId};
use crate::event::Effect;
use crate::keys::Response;
use crate::options::choices::GetClipboard;
use crate::options::{Scope as OptScope, opt};
use crate::paint::{Quirks, seq};
use crate::term::{ColourSlot, Modes, Terminal, parse_colour};
use base64::Engine as _;

const MOST: usize = 64;
const PATIENCE: Span = Span::from_millis(500);

/// What a pane waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Palette(u8),
    /// The selection as it was asked for.
    Clipboard(String),
}

/// A question that a client's terminal was asked.
#[derive(Clone, Debug)]
pub(super) struct Question {
    client: ClientId,
    pane: PaneId,
    what: What,
    /// The answer ends with BEL, as the question did.
    bell: bool,
    until: Time,
}

impl Core {
    fn answer(&mut self, pane: PaneId, bytes: Vec<u8>) {
        self.state.model.outbox.effect(Effect::PtyWrite { pane, bytes });
    }

    /// The clients that look at a window, the most active first.
    fn looking_at(&self, window: WindowId) -> Vec<ClientId> {
        let m = &self.state.model;
        let mut all: Vec<_> = m
            .clients
            .values()
            .filter(|c| self.runtimes.contains_key(&c.id))
            .filter(|c| c.session.and_then(|s| m.current_window(s)) == Some(window))
            .collect();
        all.sort_by_key(|c| std::cmp::Reverse(c.seen));
        all.iter().map(|c| c.id).collect()
    }

    /// A program asks for a colour that it did not set.
    pub(super) fn on_colour_query(&mut self, pane: PaneId, window: WindowId, slot: ColourSlot, bell: bool, now: Now) {
        let known = match slot {
            ColourSlot::Index(n) => {
                let ask = format!("\x1b]4;{n};?\x1b\\").into_bytes();
                self.ask(pane, window, What::Palette(n), bell, ask, now);
                return;
            }
            ColourSlot::Cursor => return,
            ColourSlot::Foreground => self.own_colour(pane, window, slot).unwrap_or(Colour::rgb(255, 255, 255)),
            ColourSlot::Background => self.own_colour(pane, window, slot).unwrap_or(Colour::rgb(0, 0, 0)),
        };
        if let Some(bytes) = Terminal::colour_reply(slot, known, bell) {
            self.answer(pane, bytes);
        }
    }

    /// The colour of text or of the background as the pane shows it: by its style, by the terminal of a client. `None` if
    /// nobody knows.
    fn own_colour(&self, pane: PaneId, window: WindowId, slot: ColourSlot) -> Option<Colour> {
        let fg = slot == ColourSlot::Foreground;
        let active = self.state.model.window(window).is_some_and(|w| w.active == pane);
        let styles = [active.then_some(opt::WINDOW_ACTIVE_STYLE), Some(opt::WINDOW_STYLE)];
        for option in styles.into_iter().flatten() {
            let style = self.state.options.style(option, OptScope::Pane(pane)).parsed.as_ref().map(|s| s.style);
            let colour = style.map(|s| if fg { s.fg } else { s.bg }).unwrap_or_default();
            if !colour.is_default() && colour != Colour::TERMINAL {
                return Some(colour);
            }
        }
        let m = &self.state.model;
        let of = |c: &ClientId| m.client(*c).and_then(|c| if fg { c.fg } else { c.bg });
        let anybody = self.runtimes.keys().copied().collect();
        [self.looking_at(window), anybody].iter().flatten().find_map(of)
    }

    /// A program asks for the clipboard.
    pub(super) fn on_clipboard_query(
        &mut self,
        pane: PaneId,
        window: WindowId,
        selection: String,
        bell: bool,
        now: Now,
    ) {
        match self.state.options.choice(opt::GET_CLIPBOARD, OptScope::Server) {
            GetClipboard::Off => {}
            GetClipboard::Buffer => {
                if let Some(b) = self.state.model.buffers.newest() {
                    let bytes = Terminal::clipboard_reply(&selection, &b.data, bell);
                    self.answer(pane, bytes);
                }
            }
            GetClipboard::Request | GetClipboard::Both => {
                let mut ask = Vec::new();
                let Some(rt) = self.looking_at(window).first().and_then(|c| self.runtimes.get(c)) else { return };
                if seq::ask_clipboard(rt.painter.caps(), &mut ask) {
                    self.ask(pane, window, What::Clipboard(selection), bell, ask, now);
                }
            }
        }
    }

    /// A program asks whether the theme is dark or light.
    pub(super) fn on_theme_query(&mut self, pane: PaneId, window: WindowId) {
        if let Some(dark) = self.theme(pane, window) {
            self.answer(pane, Terminal::theme_reply(dark));
        }
    }

    /// What a client's terminal said of its theme, else what its background says.
    fn theme(&self, pane: PaneId, window: WindowId) -> Option<bool> {
        let m = &self.state.model;
        let looking = self.looking_at(window);
        let said = looking.iter().find_map(|c| m.client(*c).and_then(|c| c.dark));
        said.or_else(|| {
            let (r, g, b) = crate::paint::caps::rgb_of(self.own_colour(pane, window, ColourSlot::Background)?)?;
            // By brightness as the eye has it.
            Some(u32::from(r) * 299 + u32::from(g) * 587 + u32::from(b) * 114 < 128 * 1000)
        })
    }

    /// Asks the first client that looks at the window.
    fn ask(&mut self, pane: PaneId, window: WindowId, what: What, bell: bool, bytes: Vec<u8>, now: Now) {
        self.questions.retain(|q| q.until > now.mono);
        let client = self
            .looking_at(window)
            .into_iter()
            .find(|c| self.runtimes.get(c).is_some_and(|rt| rt.painter.caps().does(Quirks::QUERY)));
        let Some(client) = client.filter(|_| self.questions.len() < MOST) else { return };
        self.questions.push(Question { client, pane, what, bell, until: now.mono + PATIENCE });
        self.state.model.outbox.effect(Effect::TtyWrite { client, bytes });
    }

    /// What a client's terminal said that somebody may wait for.
    pub(super) fn on_answer(&mut self, client: ClientId, response: &Response, now: Now) {
        match response {
            Response::Colour { which: which @ (10 | 11), spec } => {
                let colour = parse_colour(spec);
                if let Some(c) = self.state.model.clients.get_mut(&client) {
                    if *which == 10 { c.fg = colour } else { c.bg = colour }
                }
            }
            Response::Theme { dark } => self.theme_said(client, *dark),
            Response::Palette { index, spec } => {
                let what = What::Palette(*index);
                let Some(colour) = parse_colour(spec) else { return };
                for q in self.take_questions(client, |w| *w == what, now) {
                    if let Some(bytes) = Terminal::colour_reply(ColourSlot::Index(*index), colour, q.bell) {
                        self.answer(q.pane, bytes);
                    }
                }
            }
            Response::Clipboard { base64, .. } => {
                let questions = self.take_questions(client, |w| matches!(w, What::Clipboard(_)), now);
                if questions.is_empty() {
                    return;
                }
                let Ok(data) = base64::engine::general_purpose::STANDARD.decode(base64) else { return };
                for q in questions {
                    if let What::Clipboard(selection) = &q.what {
                        self.answer(q.pane, Terminal::clipboard_reply(selection, &data, q.bell));
                    }
                }
                if self.state.options.choice(opt::GET_CLIPBOARD, OptScope::Server) == GetClipboard::Both {
                    let limit = self.state.options.number(opt::BUFFER_LIMIT, OptScope::Server).max(1) as usize;
                    // An empty clipboard makes no buffer.
                    let _ = self.state.model.buffers.add(None, data, limit, now.wall);
                }
            }
            _ => {}
        }
    }

    fn take_questions(&mut self, client: ClientId, fits: impl Fn(&What) -> bool, now: Now) -> Vec<Question> {
        let all = std::mem::take(&mut self.questions);
        let (mine, rest) =
            all.into_iter().filter(|q| q.until > now.mono).partition(|q| q.client == client && fits(&q.what));
        self.questions = rest;
        mine
    }

    /// The terminal of a client has another theme: it is to be told to the programs that want to know.
    fn theme_said(&mut self, client: ClientId, dark: bool) {
        let m = &mut self.state.model;
        let Some(c) = m.clients.get_mut(&client) else { return };
        if c.dark.replace(dark) == Some(dark) {
            return;
        }
        let Some(window) = c.session.and_then(|s| m.current_window(s)).and_then(|w| m.window(w)) else { return };
        self.theme_for.extend(window.panes.iter().map(|p| (*p, dark)));
        m.touch();
    }

    /// Tells programs with mode 2031 of a theme that changed.
    pub(super) fn tell_themes(&mut self, out: &mut dyn super::Outside) {
        for (pane, dark) in std::mem::take(&mut self.theme_for) {
            let wants = super::with_terminal(out, pane, |t| t.modes().contains(Modes::THEME));
            if wants == Some(true) {
                self.answer(pane, Terminal::theme_reply(dark));
            }
        }
    }
}
