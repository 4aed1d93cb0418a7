//! `MplexFlowScreen`: the picture of an ask on a client, a dialog in the middle of the screen.
//!
//! It keeps nothing that matters: the ask is data in the model, the dialog holds which row is marked and how far the text
//! is scrolled. Keys that were typed before it was seen do not answer it.

use super::{Act, Layer, LayerCursor, LayerInput, Outcome, View};
use crate::base::{Attrs, FlowId, Pos, Rect, Rev, Size, Style, Time, width};
use crate::keys::{Code, Key, Mods};
use crate::model::asks::{ARM_DELAY, Answer, Ask, AskKind};
use crate::paint::{Border, Brush, CursorShape};

#[cfg(test)]
mod tests;

/// Below this width options show no numbers.
const NARROW: usize = 12;
/// The widest a dialog gets, in cells, borders included.
const MAX_WIDTH: u16 = 76;

#[derive(Debug)]
pub struct FlowScreen {
    id: FlowId,
    title: String,
    text: String,
    options: Vec<String>,
    /// Who asks, as they say it.
    claim: String,
    /// Who asks, as the server knows it.
    known: String,
    chosen: usize,
    /// First line of the body that shows.
    top: usize,
    /// The body stands where it was scrolled to (at first its beginning): the marked row does not pull it back.
    scrolled: bool,
    drawn_at: Option<Time>,
    rev: Rev,
}

/// What a dialog looks like at a size.
struct Sheet {
    /// Lines of the text, wrapped.
    text: Vec<String>,
    /// Lines of each option, wrapped.
    options: Vec<Vec<String>>,
    inner: Size,
}

impl Sheet {
    fn body(&self) -> usize {
        let gap = usize::from(!self.text.is_empty() && !self.options.is_empty());
        self.text.len() + gap + self.options.iter().map(Vec::len).sum::<usize>()
    }

    /// The body's line at which an option starts.
    fn line_of(&self, option: usize) -> usize {
        let gap = usize::from(!self.text.is_empty() && !self.options.is_empty());
        self.text.len() + gap + self.options.iter().take(option).map(Vec::len).sum::<usize>()
    }
}

impl FlowScreen {
    pub fn new(ask: &Ask) -> FlowScreen {
        let (options, chosen) = match &ask.kind {
            AskKind::Choice { options, default } => (options.clone(), default.unwrap_or(0)),
            _ => (Vec::new(), 0),
        };
        FlowScreen {
            id: ask.id,
            title: plain(&ask.title),
            text: ask.text.clone(),
            options: options.iter().map(|o| plain(o)).collect(),
            claim: ask.claim.as_deref().map(plain).unwrap_or_default(),
            known: plain(&ask.known),
            chosen,
            top: 0,
            scrolled: true,
            drawn_at: None,
            rev: Rev(1),
        }
    }

    /// The dialog is on the person's screen since `now`.
    pub fn drawn(&mut self, now: Time) {
        self.drawn_at.get_or_insert(now);
    }

    /// Whether keys count yet.
    fn armed(&self, now: Time) -> bool {
        self.drawn_at.is_some_and(|t| now >= t + ARM_DELAY)
    }

    fn sheet(&self, room: Size) -> Sheet {
        let widest = MAX_WIDTH.min(room.cols.saturating_sub(2)).max(8);
        let inner_max = widest.saturating_sub(4).max(1) as usize;
        let marks = self.mark_width(inner_max);
        // A title that the border has no room for stands above the text.
        let mut text =
            if width::text_width(&self.title) + 2 > inner_max { wrap(&self.title, inner_max) } else { Vec::new() };
        if !text.is_empty() && !self.text.is_empty() {
            text.push(String::new());
        }
        text.extend(wrap(&self.text, inner_max));
        let options: Vec<Vec<String>> =
            self.options.iter().map(|o| wrap(o, inner_max.saturating_sub(marks).max(1))).collect();
        let natural = text
            .iter()
            .map(|l| width::text_width(l))
            .chain(options.iter().flatten().map(|l| width::text_width(l) + marks))
            .chain([width::text_width(&self.title) + 2, width::text_width(&self.asker()) + 2, 30])
            .max()
            .unwrap_or(30)
            .min(inner_max);
        let mut sheet = Sheet { text, options, inner: Size::new(natural as u16, 0) };
        let rows = sheet.body().min(room.rows.saturating_sub(4).max(1) as usize);
        sheet.inner.rows = rows as u16;
        sheet
    }

    /// Cells before an option: its mark and number.
    fn mark_width(&self, inner: usize) -> usize {
        match self.options.len() {
            _ if inner < NARROW => 2,
            ..=9 => 5,
            _ => 6,
        }
    }

    /// Who asks, on one line.
    fn asker(&self) -> String {
        from_line(&self.claim, &self.known)
    }

    /// The same in so many cells: what the server knows stays to be read, whatever is claimed.
    fn asker_within(&self, cells: usize) -> String {
        let over = width::text_width(&self.asker()).saturating_sub(cells);
        if over == 0 || self.claim.is_empty() || self.known.is_empty() {
            return width::head_of_width(&self.asker(), cells).to_owned();
        }
        let room = width::text_width(&self.claim).saturating_sub(over + 1);
        if room < 4 {
            return width::head_of_width(&from_line("", &self.known), cells).to_owned();
        }
        from_line(&format!("{}…", width::head_of_width(&self.claim, room)), &self.known)
    }

    /// Whether an option can be seen whole, or as far as there is room.
    fn is_seen(&self, option: usize, view: &View) -> bool {
        let Some(sheet) = self.sheet_for(view) else { return true };
        let (from, top, rows) = (sheet.line_of(option), self.first_line(&sheet), sheet.inner.rows as usize);
        let lines = sheet.options.get(option).map_or(1, Vec::len).min(rows);
        from >= top && from + lines <= top + rows
    }

    fn choose(&self) -> Outcome {
        let answer = if self.options.is_empty() { Answer::Seen } else { Answer::Index(self.chosen) };
        Outcome::close().with(Act::Answer(self.id, Some(answer)))
    }

    fn go(&mut self, to: usize) -> Outcome {
        self.chosen = to.min(self.options.len().saturating_sub(1));
        self.scrolled = false;
        self.rev.bump();
        Outcome::eat()
    }

    fn scroll(&mut self, by: isize, view: &View) -> Outcome {
        let Some(sheet) = self.sheet_for(view) else { return Outcome::eat() };
        let last = sheet.body().saturating_sub(sheet.inner.rows as usize);
        self.top = self.first_line(&sheet).saturating_add_signed(by).min(last);
        self.scrolled = true;
        self.rev.bump();
        Outcome::eat()
    }

    /// The dialog as the client of the view sees it.
    fn sheet_for(&self, view: &View) -> Option<Sheet> {
        view.client.and_then(|c| view.model.client(c)).map(|c| self.sheet(c.size))
    }

    fn key(&mut self, key: Key, view: &View) -> Outcome {
        let n = self.options.len();
        let moves = matches!(key.code, Code::Up | Code::Down)
            || matches!(key.code, Code::Char('j' | 'k') if key.mods.is_empty())
            || matches!(key.code, Code::Char('n' | 'p') if key.mods == Mods::CTRL);
        let chooses = matches!(key.code, Code::Char('\r') | Code::Kp(b'\r'));
        if n > 0 && (moves || chooses) && !self.is_seen(self.chosen, view) {
            // Nothing is chosen, and no mark moves, before it has been seen.
            return self.go(self.chosen);
        }
        let page = self.sheet_for(view).map_or(1, |s| (s.inner.rows as isize - 1).max(1));
        let plain_key = key.mods.is_empty();
        let ctrl = key.mods == Mods::CTRL;
        match key.code {
            Code::Char('\x1b' | 'q') if plain_key => self.cancel(),
            Code::Char('c' | 'g') if ctrl => self.cancel(),
            Code::Char('\r') | Code::Kp(b'\r') => self.choose(),
            Code::Up | Code::Char('k') if plain_key && n > 0 => self.go((self.chosen + n - 1) % n),
            Code::Char('p') if ctrl && n > 0 => self.go((self.chosen + n - 1) % n),
            Code::Down | Code::Char('j') if plain_key && n > 0 => self.go((self.chosen + 1) % n),
            Code::Char('n') if ctrl && n > 0 => self.go((self.chosen + 1) % n),
            Code::Up | Code::Char('k') if plain_key => self.scroll(-1, view),
            Code::Down | Code::Char('j') if plain_key => self.scroll(1, view),
            Code::Char('p') if ctrl => self.scroll(-1, view),
            Code::Char('n') if ctrl => self.scroll(1, view),
            Code::Home | Code::Char('g') if plain_key && n > 0 => self.go(0),
            Code::End | Code::Char('G') if n > 0 => self.go(n - 1),
            Code::Home | Code::Char('g') if plain_key => self.scroll(isize::MIN, view),
            Code::End | Code::Char('G') => self.scroll(isize::MAX, view),
            Code::PPage => self.scroll(-page, view),
            Code::NPage => self.scroll(page, view),
            Code::Char(c @ '0'..='9') if plain_key && n > 0 => self.digit(c, view),
            Code::Kp(c @ b'0'..=b'9') if n > 0 => self.digit(c as char, view),
            _ => Outcome::eat(),
        }
    }

    /// With up to nine options a digit chooses; with more it jumps (0 is the tenth).
    fn digit(&mut self, c: char, view: &View) -> Outcome {
        let d = c.to_digit(10).unwrap_or(0) as usize;
        let at = if d == 0 { 9 } else { d - 1 };
        if at >= self.options.len() {
            return Outcome::eat().with(Act::Bell);
        }
        let seen = self.is_seen(at, view);
        let outcome = self.go(at);
        if self.options.len() <= 9 && seen { self.choose() } else { outcome }
    }

    fn cancel(&self) -> Outcome {
        Outcome::close().with(Act::Answer(self.id, None))
    }

    /// The first line of the body that shows in so many rows.
    fn first_line(&self, sheet: &Sheet) -> usize {
        let rows = sheet.inner.rows as usize;
        let last = sheet.body().saturating_sub(rows);
        if self.scrolled || self.options.is_empty() {
            return self.top.min(last);
        }
        let from = sheet.line_of(self.chosen);
        let to = from + sheet.options.get(self.chosen).map_or(1, Vec::len);
        // The marked option shows; the text before it as far as there is room.
        let mut top = self.top.min(last);
        if to > top + rows {
            top = to - rows;
        }
        top.min(from)
    }
}

/// One line without control characters.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

pub(super) fn from_line(claim: &str, known: &str) -> String {
    match (claim.is_empty(), known.is_empty()) {
        (true, true) => String::new(),
        (true, false) => format!("asked by {known}"),
        (false, true) => format!("asked by “{claim}”"),
        (false, false) => format!("asked by “{claim}” ({known})"),
    }
}

/// Breaks a text into lines of at most so many cells, at blanks where there are some.
pub(super) fn wrap(text: &str, cells: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if text.is_empty() {
        return lines;
    }
    for paragraph in text.replace('\t', "    ").split('\n') {
        let paragraph: String = paragraph.chars().filter(|c| !c.is_control()).collect();
        let mut line = String::new();
        let mut used = 0;
        for word in paragraph.split_inclusive(' ') {
            let bare = width::text_width(word.trim_end_matches(' '));
            if used > 0 && used + bare > cells {
                lines.push(line.trim_end().to_owned());
                line.clear();
                used = 0;
            }
            for (cluster, w) in width::clusters(word) {
                if used + w as usize > cells {
                    if cluster == " " {
                        continue;
                    }
                    lines.push(std::mem::take(&mut line));
                    used = 0;
                }
                line.push_str(cluster);
                used += w as usize;
            }
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

impl Layer for FlowScreen {
    fn name(&self) -> &'static str {
        "flow"
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn input(&mut self, input: &LayerInput, view: &View) -> Outcome {
        if !self.armed(view.now.mono) {
            // Typed before the person can have read it: it was meant for what is below.
            return match input {
                LayerInput::Mouse { .. } => Outcome::eat(),
                _ => Outcome::pass(),
            };
        }
        match input {
            LayerInput::Key(key) => self.key(*key, view),
            LayerInput::Paste(_) => Outcome::eat(),
            LayerInput::Mouse { mouse, x, y } => {
                if mouse.is_wheel() {
                    return self.scroll(if mouse.button == 4 { -3 } else { 3 }, view);
                }
                if mouse.motion || mouse.release || mouse.button != 1 {
                    return Outcome::eat();
                }
                let Some(room) = view.client.and_then(|c| view.model.client(c)).map(|c| c.size) else {
                    return Outcome::eat();
                };
                let sheet = self.sheet(room);
                let place = self.place(room.rect(), view);
                let inside = *x > 0 && *y > 0 && *x < i32::from(place.w) - 1 && *y < i32::from(place.h) - 1;
                if !inside {
                    return Outcome::eat();
                }
                let line = (*y - 1) as usize + self.first_line(&sheet);
                let hit = (0..self.options.len())
                    .find(|o| (sheet.line_of(*o)..sheet.line_of(*o) + sheet.options[*o].len()).contains(&line));
                match hit {
                    Some(o) => {
                        self.chosen = o;
                        self.choose()
                    }
                    None => Outcome::eat(),
                }
            }
        }
    }

    fn sync(&mut self, view: &View) -> Outcome {
        let mine = view.model.asks.get(self.id).is_some_and(|a| a.is_open() && a.client == view.client);
        if mine { Outcome::pass() } else { Outcome::close() }
    }

    fn place(&self, room: Rect, _view: &View) -> Rect {
        let sheet = self.sheet(room.size());
        room.centred(Size::new(sheet.inner.cols + 4, sheet.inner.rows + 3))
    }

    fn draw(&self, _view: &View, brush: &mut Brush<'_>) {
        let size = brush.size();
        let sheet = self.sheet(Size::new(size.cols.saturating_add(2), size.rows.saturating_add(1)));
        let plain_style = Style::DEFAULT;
        let bold = Style { attrs: Attrs::BOLD, ..Style::DEFAULT };
        let dim = Style { attrs: Attrs::DIM, ..Style::DEFAULT };
        brush.clear(plain_style);
        brush.border(size.rect(), Border::Rounded, plain_style);
        let inner_w = size.cols.saturating_sub(4) as usize;
        if !self.title.is_empty() && width::text_width(&self.title) + 2 <= inner_w {
            let title = format!(" {} ", self.title);
            brush.text(2, 0, &title, bold);
        }
        let rows = size.rows.saturating_sub(3) as usize;
        let sheet = Sheet { inner: Size::new(sheet.inner.cols, rows as u16), ..sheet };
        let top = self.first_line(&sheet);
        let mut lines: Vec<(String, bool)> = sheet.text.iter().map(|l| (l.clone(), false)).collect();
        if !sheet.text.is_empty() && !sheet.options.is_empty() {
            lines.push((String::new(), false));
        }
        for (n, option) in sheet.options.iter().enumerate() {
            let marked = n == self.chosen;
            let marks = self.mark_width(inner_w);
            for (i, l) in option.iter().enumerate() {
                let head = if i == 0 {
                    let pointer = if marked { '▸' } else { ' ' };
                    match marks {
                        2 => format!("{pointer} "),
                        _ => format!("{pointer} {:>w$}. ", n + 1, w = marks - 4),
                    }
                } else {
                    " ".repeat(marks)
                };
                lines.push((format!("{head}{l}"), marked));
            }
        }
        let total = lines.len();
        for (y, (line, marked)) in lines.into_iter().skip(top).take(rows).enumerate() {
            let style = if marked { Style { attrs: Attrs::REVERSE, ..Style::DEFAULT } } else { plain_style };
            if marked {
                brush.fill(Rect::new(2, y as u16 + 1, inner_w as u16, 1), ' ', style);
            }
            brush.text(2, y as u16 + 1, width::head_of_width(&line, inner_w), style);
        }
        if total > rows {
            if top > 0 {
                brush.char(size.cols - 2, 1, '▲', dim);
            }
            if top + rows < total {
                brush.char(size.cols - 2, rows as u16, '▼', dim);
            }
        }
        let hints = match self.options.is_empty() {
            true => [" Enter read · Esc dismiss ", " Enter · Esc ", " ⏎ "],
            false => [" Enter choose · Esc cancel ", " Enter · Esc ", " ⏎ "],
        };
        let hint = hints.into_iter().find(|h| width::text_width(h) <= inner_w).unwrap_or("");
        let hint_w = width::text_width(hint);
        brush.text(2, size.rows.saturating_sub(2), &self.asker_within(inner_w), dim);
        if hint_w <= inner_w {
            brush.text(size.cols - 2 - hint_w as u16, size.rows.saturating_sub(1), hint, dim);
        }
    }

    fn cursor(&self, _view: &View, size: Size) -> Option<LayerCursor> {
        // On the marked row, so that a screen reader follows.
        let sheet = self.sheet(Size::new(size.cols.saturating_add(2), size.rows.saturating_add(1)));
        if self.options.is_empty() {
            return None;
        }
        let rows = size.rows.saturating_sub(3);
        let sheet = Sheet { inner: Size::new(sheet.inner.cols, rows), ..sheet };
        let y = sheet.line_of(self.chosen).checked_sub(self.first_line(&sheet))? as u16;
        (y < rows).then_some(LayerCursor { at: Pos::new(2, y + 1), shape: CursorShape::Default })
    }

    fn var(&self, name: &str) -> Option<String> {
        match name {
            "flow_id" => Some(self.id.to_string()),
            "flow_title" => Some(self.title.clone()),
            _ => None,
        }
    }

    fn rev(&self) -> Rev {
        self.rev
    }
}
