//! A text to read on a pane: what commands print, the list of keys, errors of the configuration.

use super::{Layer, LayerInput, Outcome, View};
use crate::base::{Rev, Size, Style, width};
use crate::keys::{Code, Mods};
use crate::paint::Brush;

/// The longest text that is kept, in lines.
const MAX_LINES: usize = 100_000;

#[derive(Debug)]
pub struct TextView {
    lines: Vec<String>,
    top: usize,
    size: Size,
    rev: Rev,
}

impl TextView {
    pub fn new(text: &str, size: Size) -> TextView {
        let mut v = TextView { lines: Vec::new(), top: 0, size, rev: Rev(1) };
        v.append(text);
        v
    }

    /// More text at the end.
    pub fn append(&mut self, text: &str) {
        let room = MAX_LINES.saturating_sub(self.lines.len());
        let text = text.strip_suffix('\n').unwrap_or(text);
        self.lines.extend(text.split('\n').take(room).map(|l| l.replace('\t', "        ").replace('\r', "")));
        self.rev.bump();
    }

    fn last_top(&self) -> usize {
        self.lines.len().saturating_sub(self.size.rows as usize)
    }

    fn scroll(&mut self, by: isize) {
        self.top = self.top.saturating_add_signed(by).min(self.last_top());
        self.rev.bump();
    }
}

impl Layer for TextView {
    fn name(&self) -> &'static str {
        "view-mode"
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn input(&mut self, input: &LayerInput, _view: &View) -> Outcome {
        let page = self.size.rows.max(2) as isize - 1;
        match input {
            LayerInput::Key(key) => {
                let ctrl = key.mods == Mods::CTRL;
                let by = match key.code {
                    Code::Char('q' | '\x1b' | '\r') if key.mods.is_empty() => return Outcome::close(),
                    Code::Char('c' | 'g') if ctrl => return Outcome::close(),
                    Code::Down => 1,
                    Code::Char('j') if key.mods.is_empty() => 1,
                    Code::Char('n') if ctrl => 1,
                    Code::Up => -1,
                    Code::Char('k') if key.mods.is_empty() => -1,
                    Code::Char('p') if ctrl => -1,
                    Code::NPage => page,
                    Code::Char(' ') if key.mods.is_empty() => page,
                    Code::Char('f' | 'v') if ctrl => page,
                    Code::PPage => -page,
                    Code::Char('b') if ctrl => -page,
                    Code::Char('v') if key.mods == Mods::META => -page,
                    Code::Char('d') if ctrl => page / 2,
                    Code::Char('u') if ctrl => -page / 2,
                    Code::Home => isize::MIN,
                    Code::Char('g') if key.mods.is_empty() => isize::MIN,
                    Code::End => isize::MAX,
                    Code::Char('G') => isize::MAX,
                    _ => return Outcome::eat(),
                };
                self.scroll(by);
                Outcome::eat()
            }
            LayerInput::Mouse { mouse, .. } if mouse.is_wheel() => {
                self.scroll(if mouse.button == 4 { -3 } else { 3 });
                Outcome::eat()
            }
            LayerInput::Mouse { .. } | LayerInput::Paste(_) => Outcome::eat(),
        }
    }

    fn command(&mut self, argv: &[String], count: u32, _view: &View) -> Result<Outcome, String> {
        let n = count.max(1) as isize;
        let page = self.size.rows.max(2) as isize - 1;
        let by = match argv.first().map_or("", String::as_str) {
            "cancel" => return Ok(Outcome::close()),
            "scroll-down" | "cursor-down" => n,
            "scroll-up" | "cursor-up" => -n,
            "page-down" => page * n,
            "page-up" => -page * n,
            "halfpage-down" => page / 2 * n,
            "halfpage-up" => -page / 2 * n,
            "history-top" | "top-line" => isize::MIN,
            "history-bottom" | "bottom-line" => isize::MAX,
            other => return Err(format!("not in copy mode: {other}")),
        };
        self.scroll(by);
        Ok(Outcome::eat())
    }

    fn resize(&mut self, size: Size) {
        self.size = size;
        self.top = self.top.min(self.last_top());
        self.rev.bump();
    }

    fn draw(&self, _view: &View, brush: &mut Brush<'_>) {
        let size = brush.size();
        brush.clear(Style::DEFAULT);
        for (y, line) in self.lines.iter().skip(self.top).take(size.rows as usize).enumerate() {
            brush.text(0, y as u16, width::head_of_width(line, size.cols as usize), Style::DEFAULT);
        }
        if self.lines.len() > size.rows as usize {
            let at = format!("[{}/{}]", self.last_top() - self.top.min(self.last_top()), self.last_top());
            let w = at.len().min(size.cols as usize) as u16;
            let style = Style { attrs: crate::base::Attrs::REVERSE, ..Style::DEFAULT };
            brush.text(size.cols - w, 0, &at, style);
        }
    }

    fn var(&self, name: &str) -> Option<String> {
        match name {
            "scroll_position" => Some((self.last_top() - self.top.min(self.last_top())).to_string()),
            _ => None,
        }
    }

    fn rev(&self) -> Rev {
        self.rev
    }
}
