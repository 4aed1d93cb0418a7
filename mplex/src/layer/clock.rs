//! A large clock on a pane.

use super::{Layer, LayerInput, Outcome, View};
use crate::base::{Colour, Rev, Span, Style, Time, Wall};
use crate::options::choices::ClockStyle;
use crate::options::{Scope as OptScope, opt};
use crate::paint::Brush;

/// Digits and the colon, five rows of five cells: a bit is a filled cell, the highest the leftmost.
const GLYPHS: [[u8; 5]; 11] = [
    [0b11111, 0b10001, 0b10001, 0b10001, 0b11111],
    [0b00001, 0b00001, 0b00001, 0b00001, 0b00001],
    [0b11111, 0b00001, 0b11111, 0b10000, 0b11111],
    [0b11111, 0b00001, 0b11111, 0b00001, 0b11111],
    [0b10001, 0b10001, 0b11111, 0b00001, 0b00001],
    [0b11111, 0b10000, 0b11111, 0b00001, 0b11111],
    [0b11111, 0b10000, 0b11111, 0b10001, 0b11111],
    [0b11111, 0b00001, 0b00001, 0b00001, 0b00001],
    [0b11111, 0b10001, 0b11111, 0b10001, 0b11111],
    [0b11111, 0b10001, 0b11111, 0b00001, 0b11111],
    [0b00000, 0b00100, 0b00000, 0b00100, 0b00000],
];

/// A large number or time in the middle of a brush, filled with a colour; as plain text where it does not fit.
pub(super) fn large(brush: &mut Brush<'_>, text: &str, colour: Colour) {
    let size = brush.size();
    let w = text.chars().count() as u16 * 6;
    if size.cols < w || size.rows < 6 {
        let x = (size.cols.saturating_sub(text.len() as u16)) / 2;
        let style = Style { fg: colour, ..Style::DEFAULT };
        brush.text(x, size.rows / 2, text, style);
        return;
    }
    let (x0, y0) = ((size.cols - w) / 2, size.rows / 2 - 3);
    let style = Style { bg: colour, ..Style::DEFAULT };
    for (n, c) in text.chars().enumerate() {
        let glyph = match c {
            ':' => Some(10),
            c => c.to_digit(10).map(|d| d as usize),
        };
        let Some(rows) = glyph.map(|g| GLYPHS[g]) else { continue };
        for (y, bits) in rows.iter().enumerate() {
            for x in 0..5u16 {
                if bits >> (4 - x) & 1 == 1 {
                    brush.char(x0 + n as u16 * 6 + x, y0 + y as u16, ' ', style);
                }
            }
        }
    }
}

#[derive(Debug)]
pub struct Clock {
    pane: crate::base::PaneId,
    wall: Wall,
    due: Time,
    rev: Rev,
}

impl Clock {
    pub fn new(pane: crate::base::PaneId, now: crate::base::Now) -> Clock {
        Clock { pane, wall: now.wall, due: now.mono + Span::from_secs(1), rev: Rev(1) }
    }
}

impl Layer for Clock {
    fn name(&self) -> &'static str {
        "clock-mode"
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn input(&mut self, input: &LayerInput, _view: &View) -> Outcome {
        match input {
            LayerInput::Key(_) => Outcome::close(),
            _ => Outcome::eat(),
        }
    }

    fn draw(&self, view: &View, brush: &mut Brush<'_>) {
        let scope = OptScope::Pane(self.pane);
        let colour = crate::format::colour::parse(view.options.text(opt::CLOCK_MODE_COLOUR, scope));
        let template = match view.options.choice(opt::CLOCK_MODE_STYLE, scope) {
            ClockStyle::Hours12 => "%l:%M %p",
            ClockStyle::Hours24 => "%H:%M",
            ClockStyle::Seconds12 => "%l:%M:%S %p",
            ClockStyle::Seconds24 => "%H:%M:%S",
        };
        let text = crate::format::time::strftime(template, self.wall, crate::format::Zone::Local);
        brush.clear(Style::DEFAULT);
        large(brush, text.trim(), colour.filter(|c| !c.is_default()).unwrap_or(Colour::ansi(4)));
    }

    fn rev(&self) -> Rev {
        self.rev
    }

    fn deadline(&self) -> Option<Time> {
        Some(self.due)
    }

    fn tick(&mut self, view: &View) -> Outcome {
        self.wall = view.now.wall;
        self.due = view.now.mono + Span::from_secs(1);
        self.rev.bump();
        Outcome::eat()
    }
}
