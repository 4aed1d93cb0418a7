//! A menu: items with keys, chosen by key, arrows or mouse.

use super::{Act, Layer, LayerInput, Outcome, View};
use crate::base::{Pos, Rect, Rev, Size, Style};
use crate::format::{self, StyleSpec};
use crate::keys::{Code, Key, Mods};
use crate::lang::CommandList;
use crate::options::{Scope as OptScope, StyleKind, opt};
use crate::paint::{Border, Brush};

/// An item that can be chosen, or a line between items.
#[derive(Clone, Debug)]
pub enum Item {
    Line,
    Choice {
        /// May hold `#[style]` runs.
        name: String,
        key: Option<Key>,
        commands: CommandList,
        /// Shown, and not to be chosen.
        disabled: bool,
    },
}

/// How a menu looks where its options do not say.
#[derive(Clone, Debug, Default)]
pub struct Look {
    pub style: Option<StyleSpec>,
    pub selected: Option<StyleSpec>,
    pub border: Option<StyleSpec>,
    pub lines: Option<Border>,
}

#[derive(Debug)]
pub struct Menu {
    title: String,
    items: Vec<Item>,
    chosen: Option<usize>,
    at: Pos,
    look: Look,
    /// It stays when the button is let go outside.
    stay_open: bool,
    mouse: bool,
    rev: Rev,
}

impl Menu {
    /// A menu at a position of the client's screen; it moves so that it fits.
    pub fn new(title: String, items: Vec<Item>, at: Pos, chosen: Option<usize>, look: Look) -> Menu {
        let mut m = Menu { title, items, chosen: None, at, look, stay_open: false, mouse: false, rev: Rev(1) };
        m.chosen = chosen.filter(|n| m.can_choose(*n)).or_else(|| m.next(None, 1));
        m
    }

    #[must_use]
    pub fn with_mouse(mut self, mouse: bool, stay_open: bool) -> Menu {
        self.mouse = mouse;
        self.stay_open = stay_open;
        if mouse {
            self.chosen = None;
        }
        self
    }

    /// The size of the box, for placing it.
    pub fn size(title: &str, items: &[Item]) -> Size {
        let widest = items.iter().map(item_width).max().unwrap_or(0).max(drawn_width(title));
        Size::new((widest + 4).min(u16::MAX as usize) as u16, (items.len() + 2).min(u16::MAX as usize) as u16)
    }

    fn can_choose(&self, n: usize) -> bool {
        matches!(self.items.get(n), Some(Item::Choice { disabled: false, .. }))
    }

    fn next(&self, from: Option<usize>, by: isize) -> Option<usize> {
        let n = self.items.len() as isize;
        if n == 0 {
            return None;
        }
        let mut at = from.map_or(if by > 0 { -1 } else { n }, |f| f as isize);
        for _ in 0..n {
            at = (at + by).rem_euclid(n);
            if self.can_choose(at as usize) {
                return Some(at as usize);
            }
        }
        None
    }

    fn take(&self, n: usize) -> Outcome {
        match self.items.get(n) {
            Some(Item::Choice { commands, disabled: false, .. }) => Outcome::close().with(Act::Run(commands.clone())),
            _ => Outcome::eat(),
        }
    }

    fn go(&mut self, to: Option<usize>) -> Outcome {
        self.chosen = to;
        self.rev.bump();
        Outcome::eat()
    }
}

fn drawn_width(text: &str) -> usize {
    format::text::width(text)
}

fn item_width(item: &Item) -> usize {
    match item {
        Item::Line => 0,
        Item::Choice { name, key, .. } => {
            let key = key.map_or(0, |k| k.to_string().len() + 3);
            drawn_width(name) + key
        }
    }
}

impl Layer for Menu {
    fn name(&self) -> &'static str {
        "menu"
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn input(&mut self, input: &LayerInput, view: &View) -> Outcome {
        match input {
            LayerInput::Key(key) => {
                let bound = self
                    .items
                    .iter()
                    .position(|i| matches!(i, Item::Choice { key: Some(k), disabled: false, .. } if k == key));
                if let Some(n) = bound {
                    return self.take(n);
                }
                let ctrl = key.mods == Mods::CTRL;
                match key.code {
                    Code::Char('\x1b' | 'q') if key.mods.is_empty() => Outcome::close(),
                    Code::Char('c' | 'g') if ctrl => Outcome::close(),
                    Code::Char('\r') | Code::Kp(b'\r') => match self.chosen {
                        Some(n) => self.take(n),
                        None => Outcome::close(),
                    },
                    Code::Up | Code::Char('k') if key.mods.is_empty() => self.go(self.next(self.chosen, -1)),
                    Code::Char('p') if ctrl => self.go(self.next(self.chosen, -1)),
                    Code::Down | Code::Char('j') if key.mods.is_empty() => self.go(self.next(self.chosen, 1)),
                    Code::Char('n') if ctrl => self.go(self.next(self.chosen, 1)),
                    Code::Home | Code::PPage | Code::Char('g') => self.go(self.next(None, 1)),
                    Code::End | Code::NPage | Code::Char('G') => self.go(self.next(None, -1)),
                    _ => Outcome::eat(),
                }
            }
            LayerInput::Mouse { mouse, x, y } => {
                let size = self.place(view_room(view), view).size();
                let inside = *x >= 0 && *y >= 0 && *x < i32::from(size.cols) && *y < i32::from(size.rows);
                let item = (*y >= 1).then(|| (*y - 1) as usize).filter(|n| inside && self.can_choose(*n));
                if mouse.is_wheel() {
                    return Outcome::eat();
                }
                if mouse.release {
                    return match item {
                        Some(n) => self.take(n),
                        None if inside || self.stay_open => Outcome::eat(),
                        // The button that opened it is let go where it went down.
                        None if self.chosen.is_none() && self.mouse => {
                            self.stay_open = true;
                            Outcome::eat()
                        }
                        None => Outcome::close(),
                    };
                }
                if !inside && !mouse.motion {
                    return Outcome::close();
                }
                self.go(item.or(self.chosen.filter(|_| !mouse.motion)))
            }
            LayerInput::Paste(_) => Outcome::eat(),
        }
    }

    fn place(&self, room: Rect, _view: &View) -> Rect {
        let size = Menu::size(&self.title, &self.items);
        let w = size.cols.min(room.w);
        let h = size.rows.min(room.h);
        let x = self.at.x.min(room.right().saturating_sub(w)).max(room.x);
        let y = self.at.y.min(room.bottom().saturating_sub(h)).max(room.y);
        Rect::new(x, y, w, h)
    }

    fn draw(&self, view: &View, brush: &mut Brush<'_>) {
        let window = view
            .client
            .and_then(|c| view.model.client(c))
            .and_then(|c| c.session)
            .and_then(|s| view.model.current_window(s));
        let scope = window.map_or(OptScope::GlobalWindow, OptScope::Window);
        let of = |own: &Option<StyleSpec>, option: crate::options::Opt<StyleKind>| {
            own.clone().or_else(|| view.options.style(option, scope).parsed.clone()).unwrap_or_default()
        };
        let style = of(&self.look.style, opt::MENU_STYLE).over(Style::DEFAULT);
        let border = of(&self.look.border, opt::MENU_BORDER_STYLE).over(style);
        let selected = of(&self.look.selected, opt::MENU_SELECTED_STYLE).over(style);
        let size = brush.size();
        brush.clear(style);
        brush.border(size.rect(), self.look.lines.unwrap_or(Border::Single), border);
        let inner = size.cols.saturating_sub(4);
        if !self.title.is_empty() {
            for run in format::draw(&self.title, border, inner, false).runs.into_iter().filter(|run| !run.gap) {
                brush.text(2 + run.x, 0, &run.text, run.style);
            }
        }
        for (n, item) in self.items.iter().enumerate() {
            let y = n as u16 + 1;
            if y + 1 >= size.rows {
                break;
            }
            match item {
                Item::Line => {
                    brush.hline(1, y, size.cols.saturating_sub(2), '─', border);
                    brush.char(0, y, '├', border);
                    brush.char(size.cols.saturating_sub(1), y, '┤', border);
                }
                Item::Choice { name, key, disabled, .. } => {
                    let mut base = if self.chosen == Some(n) { selected } else { style };
                    if *disabled {
                        base.attrs |= crate::base::Attrs::DIM;
                    }
                    brush.fill(Rect::new(1, y, size.cols.saturating_sub(2), 1), ' ', base);
                    let key = key.map(|k| format!("({k})")).unwrap_or_default();
                    let room = inner.saturating_sub(key.len() as u16);
                    for run in format::draw(name, base, room, false).runs {
                        brush.text(2 + run.x, y, &run.text, run.style);
                    }
                    brush.text(2 + room, y, &key, base);
                }
            }
        }
    }

    fn rev(&self) -> Rev {
        self.rev
    }
}

fn view_room(view: &View) -> Rect {
    view.client.and_then(|c| view.model.client(c)).map(|c| c.size.rect()).unwrap_or_default()
}
