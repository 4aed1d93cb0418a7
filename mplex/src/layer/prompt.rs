//! A prompt in the status row: of a command, of an ask for text. It holds the line editor and where its answer goes.

use super::edit::{EditOutcome, LineEdit};
use super::message::{status_area, status_row, style};
use super::{Act, Layer, LayerCursor, LayerInput, Outcome, View};
use crate::base::{FlowId, PaneId, Pos, Rect, Rev, Size, Time, width};
use crate::keys::{Code, Key, Mods};
use crate::model::asks::{ARM_DELAY, Answer, Ask};
use crate::options::choices::EditKeys;
use crate::options::{Scope as OptScope, opt};
use crate::paint::{Brush, CursorShape};

/// How a prompt takes its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asking {
    /// One key press is the answer: the character it types.
    pub single: bool,
    /// One key press is the answer, by its name.
    pub key: bool,
    /// Digits are the answer; any other key ends it and goes on to where it would have gone.
    pub numeric: bool,
    /// Each change of the text is told.
    pub incremental: bool,
    /// Backspace closes an empty prompt.
    pub backspace_exit: bool,
    /// The pane in whose last row it stands, instead of the status row.
    pub pane: Option<PaneId>,
    /// What is asked for: the name of the history.
    pub kind: &'static str,
}

#[derive(Debug)]
enum To {
    Command { token: u32, how: Asking },
    Ask(FlowId),
}

#[derive(Debug)]
pub struct Prompt {
    to: To,
    prompt: String,
    edit: LineEdit,
    /// `status-keys` was looked at.
    set_up: bool,
    drawn_at: Option<Time>,
    rev: Rev,
}

impl Prompt {
    /// A prompt of a command; `token` says whose answer it is.
    pub fn for_command(token: u32, prompt: &str, input: &str, how: Asking, history: Vec<String>) -> Prompt {
        Prompt {
            to: To::Command { token, how },
            prompt: prompt.to_owned(),
            edit: LineEdit::new(input, history),
            set_up: false,
            drawn_at: Some(Time(0)),
            rev: Rev(1),
        }
    }

    /// The prompt for an ask of kind text.
    pub fn for_ask(ask: &Ask, label: &str, initial: &str, history: Vec<String>) -> Prompt {
        let who = ask.claim.clone().unwrap_or_else(|| ask.known.clone());
        let mut prompt = String::new();
        for part in [who.as_str(), ask.title.as_str(), ask.text.as_str(), label] {
            let part: String = part.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            let part = part.trim();
            if part.is_empty() {
                continue;
            }
            if !prompt.is_empty() {
                prompt.push_str(" · ");
            }
            prompt.push_str(part);
        }
        prompt.push_str(if prompt.ends_with([':', '?']) { " " } else { ": " });
        Prompt {
            to: To::Ask(ask.id),
            prompt,
            edit: LineEdit::new(initial, history),
            set_up: false,
            drawn_at: None,
            rev: Rev(1),
        }
    }

    /// The prompt is on the person's screen since `now`.
    pub fn drawn(&mut self, now: Time) {
        self.drawn_at.get_or_insert(now);
    }

    /// Keys typed before an ask was seen do not answer it; a prompt that a person opened takes them at once.
    fn armed(&self, now: Time) -> bool {
        match self.to {
            To::Command { .. } => true,
            To::Ask(_) => self.drawn_at.is_some_and(|t| now >= t + ARM_DELAY),
        }
    }

    fn set_up(&mut self, view: &View) {
        if std::mem::replace(&mut self.set_up, true) {
            return;
        }
        let scope = view
            .client
            .and_then(|c| view.model.client(c))
            .and_then(|c| c.session)
            .map_or(OptScope::GlobalSession, OptScope::Session);
        let vi = view.options.choice(opt::STATUS_KEYS, scope) == EditKeys::Vi && matches!(self.to, To::Command { .. });
        let separators = view.options.text(opt::WORD_SEPARATORS, scope);
        let edit = std::mem::replace(&mut self.edit, LineEdit::new("", Vec::new()));
        self.edit = edit.with_vi(vi).with_separators(separators);
    }

    fn told(&self, value: Option<String>, done: bool) -> Act {
        match &self.to {
            To::Command { token, .. } => Act::Prompt { token: *token, value, done },
            To::Ask(id) => Act::Answer(*id, value.map(Answer::Text)),
        }
    }

    fn key(&mut self, key: Key) -> Outcome {
        if let To::Command { how, .. } = self.to {
            if how.key {
                return Outcome::close().with(self.told(Some(key.to_string()), true));
            }
            if how.single {
                let text = match (key.code, key.text()) {
                    (_, Some(c)) => c.to_string(),
                    (Code::Char('\r'), _) => "\r".into(),
                    (Code::Char(c), _) if key.mods == Mods::META => format!("\x1b{c}"),
                    _ => return Outcome::close().with(self.told(None, true)),
                };
                return Outcome::close().with(self.told(Some(text), true));
            }
            if how.numeric && !key.text().is_some_and(|c| c.is_ascii_digit()) {
                let text = self.edit.text();
                let mut o = Outcome::close().with(self.told((!text.is_empty()).then_some(text), true));
                // The key that ends a number is not part of it.
                o.flow = super::Flow::CloseAndPass;
                return o;
            }
            if how.backspace_exit && key.code == Code::BSpace && self.edit.is_empty() {
                return Outcome::close().with(self.told(None, true));
            }
        }
        let incremental = matches!(self.to, To::Command { how: Asking { incremental: true, .. }, .. });
        self.rev.bump();
        if incremental
            && key.mods == Mods::CTRL
            && let Code::Char(c @ ('r' | 's')) = key.code
        {
            // Another match of the same search, or of the last one.
            let prefix = if c == 'r' { '-' } else { '+' };
            return Outcome::eat().with(self.told(Some(format!("{prefix}{}", self.edit.text())), false));
        }
        match self.edit.key(key) {
            EditOutcome::Done(text) => Outcome::close().with(self.told(Some(text), true)),
            EditOutcome::Cancelled => Outcome::close().with(self.told(None, true)),
            EditOutcome::Changed if incremental => {
                Outcome::eat().with(self.told(Some(format!("={}", self.edit.text())), false))
            }
            EditOutcome::Changed | EditOutcome::Moved | EditOutcome::Ignored | EditOutcome::Complete => Outcome::eat(),
        }
    }

    /// What stands before the input, cut so that the input has room.
    fn shown_prompt(&self, cols: usize) -> String {
        let prompt = self.edit.search_prompt().unwrap_or_else(|| self.prompt.clone());
        let most = cols.saturating_sub((cols / 3).max(1));
        if width::text_width(&prompt) <= most {
            return prompt;
        }
        // The end of the prompt is what asks.
        let mut from = prompt.as_str();
        while width::text_width(from) + 1 > most {
            let Some((c, _)) = width::clusters(from).next() else { break };
            from = &from[c.len()..];
        }
        format!("…{from}")
    }
}

/// The last row of a pane on the client's screen; `None` where it does not show.
fn last_row(pane: Rect, room: Rect, view: &View) -> Option<Rect> {
    let status = status_area(room, view);
    let top = if status.y == 0 { status.h } else { 0 };
    let y = (top + pane.bottom()).checked_sub(1)?;
    let row = Rect::new(pane.x, y, pane.w, 1).intersect(room);
    (!row.is_empty() && (y < status.y || y >= status.bottom())).then_some(row)
}

impl Layer for Prompt {
    fn name(&self) -> &'static str {
        "prompt"
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn input(&mut self, input: &LayerInput, view: &View) -> Outcome {
        self.set_up(view);
        if !self.armed(view.now.mono) {
            return match input {
                LayerInput::Mouse { .. } => Outcome::eat(),
                _ => Outcome::pass(),
            };
        }
        match input {
            LayerInput::Key(key) => self.key(*key),
            LayerInput::Paste(text) => {
                self.rev.bump();
                self.edit.paste(text);
                if matches!(self.to, To::Command { how: Asking { incremental: true, .. }, .. }) {
                    return Outcome::eat().with(self.told(Some(format!("={}", self.edit.text())), false));
                }
                Outcome::eat()
            }
            LayerInput::Mouse { .. } => Outcome::eat(),
        }
    }

    fn sync(&mut self, view: &View) -> Outcome {
        self.set_up(view);
        match self.to {
            To::Command { .. } => Outcome::pass(),
            To::Ask(id) => {
                let mine = view.model.asks.get(id).is_some_and(|a| a.is_open() && a.client == view.client);
                if mine { Outcome::pass() } else { Outcome::close() }
            }
        }
    }

    fn place(&self, room: Rect, view: &View) -> Rect {
        let pane = match self.to {
            To::Command { how: Asking { pane: Some(pane), .. }, .. } => view.model.pane(pane),
            _ => None,
        };
        pane.and_then(|p| last_row(p.rect, room, view)).unwrap_or_else(|| status_row(room, view))
    }

    fn draw(&self, view: &View, brush: &mut Brush<'_>) {
        let option = if self.edit.in_normal_mode() { opt::MESSAGE_COMMAND_STYLE } else { opt::MESSAGE_STYLE };
        let style = style(view, option);
        brush.clear(style);
        let cols = brush.size().cols as usize;
        let prompt = self.shown_prompt(cols);
        let at = brush.text(0, 0, &prompt, style);
        let (text, _) = self.edit.view(cols.saturating_sub(at as usize));
        brush.text(at, 0, &text, style);
    }

    fn cursor(&self, _view: &View, size: Size) -> Option<LayerCursor> {
        let cols = size.cols as usize;
        let at = width::text_width(&self.shown_prompt(cols));
        let (_, cursor) = self.edit.view(cols.saturating_sub(at));
        let x = (at + cursor).min(cols.saturating_sub(1));
        Some(LayerCursor { at: Pos::new(x as u16, 0), shape: CursorShape::Default })
    }

    fn rev(&self) -> Rev {
        self.rev
    }
}
