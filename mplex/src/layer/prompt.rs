//! A prompt in the status row: of a command, of an ask for text. It holds the line editor and where its answer goes.

use super::ask::{from_line, plain, wrap};
use super::edit::{EditOutcome, LineEdit};
use super::message::{status_area, status_row, style};
use super::{Act, Flow, Layer, LayerCursor, LayerInput, Outcome, View};
use crate::base::{Attrs, FlowId, PaneId, Pos, Rect, Rev, Size, Style, Time, width};
use crate::keys::{Code, Key, Mods};
use crate::model::asks::{ARM_DELAY, Answer, Ask};
use crate::model::layout::Preset;
use crate::options::choices::EditKeys;
use crate::options::{Scope as OptScope, opt};
use crate::paint::{Brush, CursorShape};

#[cfg(test)]
mod tests;

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

/// What stands over the row of an ask that does not fit into it.
#[derive(Debug)]
struct Context {
    title: String,
    text: String,
    from: String,
    /// The prompt without it.
    label: String,
    /// First line that shows.
    top: usize,
}

impl Context {
    /// Its lines, the title first and who asks last.
    fn lines(&self, cells: usize) -> Vec<String> {
        [&self.title, &self.text, &self.from].into_iter().flat_map(|t| wrap(t, cells)).collect()
    }
}

#[derive(Debug)]
pub struct Prompt {
    to: To,
    prompt: String,
    /// What is asked and by whom, where the row has no room for it.
    context: Option<Context>,
    edit: LineEdit,
    /// The names of commands, for completion.
    commands: Vec<&'static str>,
    /// What a word could become, shown behind the input until the next key.
    matches: Vec<String>,
    /// `status-keys` was looked at.
    set_up: bool,
    /// The first text of an incremental prompt was told.
    started: bool,
    drawn_at: Option<Time>,
    rev: Rev,
}

impl Prompt {
    /// A prompt of a command; `token` says whose answer it is.
    pub fn for_command(token: u32, prompt: &str, input: &str, how: Asking, history: Vec<String>) -> Prompt {
        Prompt {
            to: To::Command { token, how },
            prompt: prompt.to_owned(),
            context: None,
            edit: LineEdit::new(input, history),
            commands: Vec::new(),
            matches: Vec::new(),
            set_up: false,
            started: false,
            drawn_at: Some(Time(0)),
            rev: Rev(1),
        }
    }

    /// The names of commands that Tab completes.
    #[must_use]
    pub fn with_commands(mut self, names: Vec<&'static str>) -> Prompt {
        self.commands = names;
        self
    }

    /// The prompt for an ask of kind text.
    pub fn for_ask(ask: &Ask, label: &str, initial: &str, history: Vec<String>) -> Prompt {
        let who = match ask.claim.as_deref() {
            None | Some("") => ask.known.clone(),
            Some(claim) if ask.known.is_empty() => format!("“{claim}”"),
            Some(claim) => format!("“{claim}” ({})", ask.known),
        };
        let parts = [who.as_str(), ask.title.as_str(), ask.text.as_str(), label].map(plain);
        let parts: Vec<&str> = parts.iter().map(|p| p.trim()).filter(|p| !p.is_empty()).collect();
        let asking = |text: &str| format!("{text}{}", if text.ends_with([':', '?']) { " " } else { ": " });
        let prompt = asking(&parts.join(" · "));
        let title = plain(&ask.title);
        let context = Context {
            label: asking(if label.trim().is_empty() { "Answer" } else { label.trim() }),
            title,
            text: ask.text.clone(),
            from: from_line(&ask.claim.as_deref().map(plain).unwrap_or_default(), &plain(&ask.known)),
            top: 0,
        };
        Prompt {
            to: To::Ask(ask.id),
            prompt,
            context: Some(context),
            edit: LineEdit::new(initial, history),
            commands: Vec::new(),
            matches: Vec::new(),
            set_up: false,
            started: false,
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
        let newest = view.model.buffers.newest().map(|b| String::from_utf8_lossy(&b.data).into_owned());
        self.edit = edit.with_vi(vi).with_separators(separators).with_yank(&newest.unwrap_or_default());
    }

    fn told(&self, value: Option<String>, done: bool) -> Act {
        match &self.to {
            To::Command { token, .. } => Act::Prompt { token: *token, value, done },
            To::Ask(id) => Act::Answer(*id, value.map(Answer::Text)),
        }
    }

    /// One key of any kind is the answer, also one that is not pressed.
    pub fn takes_any_key(&self) -> bool {
        self.how().key
    }

    fn how(&self) -> Asking {
        match self.to {
            To::Command { how, .. } => how,
            To::Ask(_) => Asking::default(),
        }
    }

    fn key(&mut self, key: Key, view: &View) -> Outcome {
        self.matches.clear();
        let how = self.how();
        if how.key {
            return Outcome::close().with(self.told(Some(key.to_string()), true));
        }
        if how.numeric && !key.text().is_some_and(|c| c.is_ascii_digit()) {
            // The key that ends a number is not part of it.
            return Outcome { flow: Flow::CloseAndPass, acts: vec![self.told(Some(self.edit.text()), true)] };
        }
        if how.single {
            return match single(key) {
                Some(c) => Outcome::close().with(self.told(Some(c.to_string()), true)),
                None => Outcome::eat(),
            };
        }
        let back = key.code == Code::BSpace || key == Key::new(Code::Char('h'), Mods::CTRL);
        if how.backspace_exit && back && self.edit.is_empty() {
            return Outcome::close().with(self.told(None, true));
        }
        self.rev.bump();
        if how.incremental
            && key.mods == Mods::CTRL
            && let Code::Char(c @ ('r' | 's')) = key.code
        {
            // Another match of the same search, or of the last one.
            let prefix = if c == 'r' { '-' } else { '+' };
            return Outcome::eat().with(self.told(Some(format!("{prefix}{}", self.edit.text())), false));
        }
        if self.context.is_some() && matches!(key.code, Code::PPage | Code::NPage) {
            let page = self.layout_for(view).0.h.saturating_sub(2).max(1) as isize;
            return self.scroll(if key.code == Code::PPage { -page } else { page }, view);
        }
        match self.edit.key(key) {
            EditOutcome::Done(text) => Outcome::close().with(self.told(Some(text), true)),
            EditOutcome::Cancelled => Outcome::close().with(self.told(None, true)),
            EditOutcome::Changed => self.changed(),
            EditOutcome::Complete => self.complete(view),
            EditOutcome::Moved | EditOutcome::Ignored => Outcome::eat(),
        }
    }

    fn changed(&self) -> Outcome {
        if self.how().incremental {
            return Outcome::eat().with(self.told(Some(format!("={}", self.edit.text())), false));
        }
        Outcome::eat()
    }

    /// Completes the word at the cursor: the first as a command, others as what commands often take.
    fn complete(&mut self, view: &View) -> Outcome {
        let (word, first) = self.edit.word();
        if word.is_empty() || self.commands.is_empty() {
            return Outcome::eat();
        }
        let (lead, names) = match word.strip_prefix("-t") {
            _ if first => ("", commands(&self.commands, view)),
            Some(_) => ("-t", targets(view)),
            None if word.starts_with('=') || self.edit.text().contains(" -t ") && word.contains(':') => {
                ("", targets(view))
            }
            None => ("", words()),
        };
        let rest = &word[lead.len()..];
        let mut found: Vec<String> = names.into_iter().filter(|n| n.starts_with(rest)).collect();
        found.sort();
        found.dedup();
        let Some(with) = common(&found) else { return Outcome::eat() };
        // A word that can only be one thing is done; a target may go on.
        let end = if found.len() == 1 && !with.ends_with([':', '.']) { " " } else { "" };
        let with = format!("{lead}{with}{end}");
        if with != word {
            self.edit.replace_word(&with);
            return self.changed();
        }
        if found.len() > 1 {
            self.matches = found;
        }
        Outcome::eat()
    }

    /// Moves the cursor to where the mouse was pressed.
    fn click(&mut self, x: i32, view: &View) {
        let cols = self.layout_for(view).0.w as usize;
        let at = width::text_width(&self.shown_prompt(cols));
        if let Some(column) = usize::try_from(x).ok().and_then(|x| x.checked_sub(at)) {
            self.edit.click(cols.saturating_sub(at), column);
            self.rev.bump();
        }
    }

    /// What stands before the input, cut so that the input has room.
    fn shown_prompt(&self, cols: usize) -> String {
        let most = room_for_prompt(cols);
        let prompt = match (self.edit.search_prompt(), &self.context) {
            (Some(search), _) => search,
            (None, Some(c)) if !self.fits(cols) => c.label.clone(),
            (None, _) => self.prompt.clone(),
        };
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

    /// Whether all that an ask says fits before its input.
    fn fits(&self, cols: usize) -> bool {
        width::text_width(&self.prompt) <= room_for_prompt(cols)
    }

    /// The lines over (or under) the row of an ask, and how many of them show on so many rows of screen.
    fn context_lines(&self, room: Size) -> (Vec<String>, u16) {
        let cols = room.cols as usize;
        match &self.context {
            Some(c) if !self.fits(cols) => {
                let lines = c.lines(cols.saturating_sub(2).max(1));
                let shown = lines.len().min(room.rows.saturating_sub(2) as usize) as u16;
                (lines, shown)
            }
            _ => (Vec::new(), 0),
        }
    }

    /// Where it stands on the client's screen, and the row of it that has the input.
    fn layout(&self, room: Rect, view: &View) -> (Rect, u16) {
        let pane = self.how().pane.and_then(|p| view.model.pane(p));
        if let Some(row) = pane.and_then(|p| last_row(p.rect, room, view)) {
            return (row, 0);
        }
        let row = status_row(room, view);
        let (_, lines) = self.context_lines(room.size());
        if row.y >= lines {
            (Rect::new(row.x, row.y - lines, row.w, lines + 1), lines)
        } else {
            (Rect::new(row.x, row.y, row.w, lines + 1).intersect(room), 0)
        }
    }

    /// The same on the screen of the view's client.
    fn layout_for(&self, view: &View) -> (Rect, u16) {
        let room = view.client.and_then(|c| view.model.client(c)).map(|c| c.size.rect()).unwrap_or_default();
        self.layout(room, view)
    }

    /// Scrolls what stands over the row.
    fn scroll(&mut self, by: isize, view: &View) -> Outcome {
        let room = view.client.and_then(|c| view.model.client(c)).map(|c| c.size).unwrap_or_default();
        let (lines, shown) = self.context_lines(room);
        if let Some(c) = &mut self.context {
            c.top = c.top.saturating_add_signed(by).min(lines.len() - shown as usize);
            self.rev.bump();
        }
        Outcome::eat()
    }
}

fn room_for_prompt(cols: usize) -> usize {
    cols.saturating_sub((cols / 3).max(1))
}

/// The one character that a key press gives; `None` for keys that give none.
fn single(key: Key) -> Option<char> {
    match key.code {
        Code::BSpace => Some('\x7f'),
        Code::Char(c) if key.mods.contains(Mods::CTRL) && c.is_ascii() => Some(char::from(c as u8 & 0x1f)),
        Code::Char(c) => Some(c),
        Code::Kp(c) => Some(char::from(c)),
        _ => None,
    }
}

/// Commands and their aliases.
fn commands(names: &[&str], view: &View) -> Vec<String> {
    let aliases = view.options.texts(opt::COMMAND_ALIAS, OptScope::Server);
    let aliases = aliases.filter_map(|(_, a)| Some(a.split_once('=')?.0.to_owned()));
    names.iter().map(|n| (*n).to_owned()).chain(aliases).collect()
}

/// Options and layouts.
fn words() -> Vec<String> {
    let layouts = Preset::ALL.iter().map(|p| p.name().to_owned());
    crate::options::ROWS.iter().map(|r| r.name.to_owned()).chain(layouts).collect()
}

/// Sessions, and windows by session and index.
fn targets(view: &View) -> Vec<String> {
    let mut out = Vec::new();
    for s in view.model.sessions.values() {
        out.push(format!("{}:", s.name));
        out.extend(s.links.keys().map(|i| format!("{}:{i}", s.name)));
    }
    out
}

/// The longest beginning of all of them.
fn common(words: &[String]) -> Option<&str> {
    let first = words.first()?;
    let mut end = first.len();
    for w in &words[1..] {
        end = first
            .char_indices()
            .map(|(i, c)| (i, i + c.len_utf8()))
            .take_while(|(a, b)| w.get(*a..*b).is_some_and(|c| c == &first[*a..*b]))
            .last()
            .map_or(0, |(_, b)| b)
            .min(end);
    }
    Some(&first[..end])
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
            LayerInput::Key(key) => self.key(*key, view),
            LayerInput::Paste(text) => {
                let how = self.how();
                if how.key {
                    let value = Some(Key::new(Code::PasteStart, Mods::empty()).to_string());
                    return Outcome { flow: Flow::CloseAndPass, acts: vec![self.told(value, true)] };
                }
                if how.numeric || how.single {
                    // A paste is no key press.
                    return Outcome::eat();
                }
                self.matches.clear();
                self.rev.bump();
                self.edit.paste(text);
                self.changed()
            }
            LayerInput::Mouse { mouse, x, y } => {
                let how = self.how();
                if mouse.is_wheel() {
                    return self.scroll(if mouse.button == 4 { -1 } else { 1 }, view);
                }
                let pressed = !mouse.motion && !mouse.release && mouse.button == 1;
                let row = i32::from(self.layout_for(view).1);
                if pressed && *y == row && !(how.key || how.single || how.numeric) {
                    self.click(*x, view);
                }
                Outcome::eat()
            }
        }
    }

    fn sync(&mut self, view: &View) -> Outcome {
        self.set_up(view);
        match self.to {
            To::Command { .. } if self.how().incremental && !std::mem::replace(&mut self.started, true) => {
                Outcome::pass().with(self.told(Some(format!("={}", self.edit.text())), false))
            }
            To::Command { .. } => Outcome::pass(),
            To::Ask(id) => {
                let mine = view.model.asks.get(id).is_some_and(|a| a.is_open() && a.client == view.client);
                if mine { Outcome::pass() } else { Outcome::close() }
            }
        }
    }

    fn place(&self, room: Rect, view: &View) -> Rect {
        self.layout(room, view).0
    }

    fn draw(&self, view: &View, brush: &mut Brush<'_>) {
        let option = if self.edit.in_normal_mode() { opt::MESSAGE_COMMAND_STYLE } else { opt::MESSAGE_STYLE };
        let style = style(view, option);
        brush.clear(style);
        let size = brush.size();
        let cols = size.cols as usize;
        let (_, y) = self.layout_for(view);
        let prompt = self.shown_prompt(cols);
        let at = brush.text(0, y, &prompt, style);
        let (text, _) = self.edit.view(cols.saturating_sub(at as usize));
        let at = at + brush.text(at, y, &text, style);
        if !self.matches.is_empty() {
            let dim = Style { attrs: style.attrs | Attrs::DIM, ..style };
            let text = format!(" {}", self.matches.join(" "));
            brush.text(at, y, width::head_of_width(&text, cols.saturating_sub(at as usize)), dim);
        }
        let Some(c) = self.context.as_ref().filter(|_| size.rows > 1) else { return };
        let rows = size.rows as usize - 1;
        let lines = c.lines(cols.saturating_sub(2).max(1));
        let first = if y == 0 { 1 } else { 0 };
        for (n, line) in lines.iter().skip(c.top).take(rows).enumerate() {
            brush.text(0, first + n as u16, line, style);
        }
        if c.top > 0 {
            brush.char(size.cols - 1, first, '▲', style);
        }
        if c.top + rows < lines.len() {
            brush.char(size.cols - 1, first + rows as u16 - 1, '▼', style);
        }
    }

    fn cursor(&self, view: &View, size: Size) -> Option<LayerCursor> {
        let cols = size.cols as usize;
        let at = width::text_width(&self.shown_prompt(cols));
        let (_, cursor) = self.edit.view(cols.saturating_sub(at));
        let x = (at + cursor).min(cols.saturating_sub(1));
        let (_, y) = self.layout_for(view);
        Some(LayerCursor { at: Pos::new(x as u16, y), shape: CursorShape::Default })
    }

    fn rev(&self) -> Rev {
        self.rev
    }
}
