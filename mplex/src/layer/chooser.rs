//! A list or a tree to choose from: sessions, windows and panes, clients, buffers.
//!
//! What it lists is read from the model whenever that moves; what is marked stays marked as long as it is there.

use std::collections::BTreeSet;

use super::edit::{EditOutcome, LineEdit};
use super::{Act, Layer, LayerCursor, LayerInput, Outcome, View};
use crate::base::{Attrs, PaneId, Pos, Rect, Rev, Size, Style, width};
use crate::keys::{Code, Key, Mods};
use crate::lang::CommandList;
use crate::options::{Scope as OptScope, opt};
use crate::paint::{Brush, CursorShape};

/// What stands before a text to search for.
const SEARCH: &str = "(search) ";

/// What is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Sessions with their windows with their panes; how many levels begin open.
    Tree {
        open: u8,
    },
    Clients,
    Buffers,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    /// A target, or a name, that replaces `%%` in the template.
    target: String,
    depth: u8,
    has_children: bool,
    label: String,
    /// What `x` runs after a question.
    kill: String,
}

#[derive(Debug)]
pub struct Chooser {
    pane: PaneId,
    source: Source,
    template: CommandList,
    items: Vec<Item>,
    /// Targets whose state differs from how the source begins.
    toggled: BTreeSet<String>,
    chosen: usize,
    top: usize,
    tagged: BTreeSet<String>,
    /// A text to search for while it is typed.
    search: Option<LineEdit>,
    last_search: String,
    reversed: bool,
    filled: bool,
    size: Size,
    rev: Rev,
}

impl Chooser {
    pub fn new(pane: PaneId, source: Source, template: CommandList, reversed: bool, size: Size) -> Chooser {
        Chooser {
            pane,
            source,
            template,
            items: Vec::new(),
            toggled: BTreeSet::new(),
            chosen: 0,
            top: 0,
            tagged: BTreeSet::new(),
            search: None,
            last_search: String::new(),
            reversed,
            filled: false,
            size,
            rev: Rev(1),
        }
    }

    fn is_open(&self, target: &str, depth: u8) -> bool {
        let Source::Tree { open } = self.source else { return false };
        (depth < open) != self.toggled.contains(target)
    }

    fn fill(&mut self, view: &View) {
        let mut items = match self.source {
            Source::Tree { .. } => self.tree(view),
            Source::Clients => clients(view),
            Source::Buffers => buffers(view),
        };
        if self.reversed && !matches!(self.source, Source::Tree { .. }) {
            items.reverse();
        }
        if self.filled && items == self.items {
            return;
        }
        let marked = if self.filled { self.items.get(self.chosen).map(|i| i.target.clone()) } else { self.start(view) };
        self.filled = true;
        self.items = items;
        let at = marked.and_then(|m| self.items.iter().position(|i| i.target == m));
        self.chosen = at.unwrap_or(self.chosen).min(self.items.len().saturating_sub(1));
        let items = &self.items;
        self.tagged.retain(|t| items.iter().any(|i| i.target == *t));
        self.rev.bump();
    }

    /// What is marked at the beginning: where the client is.
    fn start(&self, view: &View) -> Option<String> {
        let Source::Tree { open } = self.source else { return None };
        let window = view.model.pane(self.pane)?.window;
        let session = view
            .model
            .clients
            .values()
            .filter(|c| c.session.is_some())
            .max_by_key(|c| c.seen)
            .and_then(|c| c.session)
            .filter(|s| view.model.session(*s).is_some_and(|s| s.index_of(window).is_some()))
            .or_else(|| view.model.places(window).first().map(|p| p.session))?;
        let name = format!("={}:", view.model.session(session)?.name);
        if open == 0 {
            return Some(name);
        }
        Some(format!("{name}{}.", view.model.session(session)?.index_of(window)?))
    }

    fn tree(&self, view: &View) -> Vec<Item> {
        let m = view.model;
        let mut sessions: Vec<_> = m.sessions.values().collect();
        sessions.sort_by(|a, b| a.name.cmp(&b.name));
        if self.reversed {
            sessions.reverse();
        }
        let mut out = Vec::new();
        for s in sessions {
            let target = format!("={}:", s.name);
            let attached = if m.attached(s.id) > 0 { " (attached)" } else { "" };
            let group = s.group.as_ref().map(|g| format!(" (group {g})")).unwrap_or_default();
            let open = self.is_open(&target, 0);
            out.push(Item {
                kill: format!("kill-session -t '{}'", s.id),
                label: format!("{}: {} windows{group}{attached}", s.name, s.links.len()),
                depth: 0,
                has_children: true,
                target,
            });
            if !open {
                continue;
            }
            for (&index, link) in &s.links {
                let Some(w) = m.window(link.window) else { continue };
                let target = format!("={}:{index}.", s.name);
                let mut flags = String::new();
                if index == s.current {
                    flags.push('*');
                }
                if s.last() == Some(index) {
                    flags.push('-');
                }
                if w.zoomed.is_some() {
                    flags.push('Z');
                }
                let panes = if w.panes.len() > 1 { format!(" ({} panes)", w.panes.len()) } else { String::new() };
                let open = w.panes.len() > 1 && self.is_open(&target, 1);
                out.push(Item {
                    kill: format!("kill-window -t '{}'", w.id),
                    label: format!("{index}: {}{flags}{panes}", w.name),
                    depth: 1,
                    has_children: w.panes.len() > 1,
                    target,
                });
                if !open {
                    continue;
                }
                let base = view.options.number(opt::PANE_BASE_INDEX, OptScope::Window(w.id)).max(0) as usize;
                for (n, pane) in w.panes.iter().enumerate() {
                    let p = m.pane(*pane);
                    let size = p.map(|p| p.rect.size().to_string()).unwrap_or_default();
                    let active = if w.active == *pane { "*" } else { "" };
                    out.push(Item {
                        target: format!("={}:{index}.{pane}", s.name),
                        kill: format!("kill-pane -t '{pane}'"),
                        label: format!("{}{active}: {pane} [{size}]", n + base),
                        depth: 2,
                        has_children: false,
                    });
                }
            }
        }
        out
    }

    fn toggle(&mut self, open: Option<bool>, view: &View) -> Outcome {
        let Some(item) = self.items.get(self.chosen).cloned() else { return Outcome::eat() };
        if !item.has_children {
            // A leaf closes what it is in.
            if open == Some(false)
                && let Some(up) = (0..self.chosen).rev().find(|i| self.items[*i].depth < item.depth)
            {
                return self.go(up);
            }
            return Outcome::eat();
        }
        let now = self.is_open(&item.target, item.depth);
        if open == Some(false) && !now && item.depth > 0 {
            let up = (0..self.chosen).rev().find(|i| self.items[*i].depth < item.depth).unwrap_or(0);
            return self.go(up);
        }
        if open != Some(now) && !self.toggled.remove(&item.target) {
            self.toggled.insert(item.target);
        }
        self.fill(view);
        Outcome::eat()
    }

    fn go(&mut self, to: usize) -> Outcome {
        self.chosen = to.min(self.items.len().saturating_sub(1));
        self.rev.bump();
        Outcome::eat()
    }

    fn choose(&self) -> Outcome {
        match self.items.get(self.chosen) {
            Some(i) => Outcome::close().with(Act::Run(self.template.substituted(&[&i.target]))),
            None => Outcome::close(),
        }
    }

    /// Asks, then kills what is tagged, or what is marked.
    fn kill(&self, tagged: bool) -> Outcome {
        let mut items: Vec<&Item> = self.items.iter().filter(|i| self.tagged.contains(&i.target)).collect();
        if !tagged {
            items = self.items.get(self.chosen).into_iter().collect();
        }
        let Some(first) = items.first() else { return Outcome::eat() };
        let what = if items.len() == 1 { first.label.clone() } else { format!("{} tagged", items.len()) };
        let what: String = what.chars().filter(|c| !matches!(c, '\'' | '"' | '#' | '%')).take(60).collect();
        let commands: Vec<String> = items.iter().map(|i| i.kill.clone()).collect();
        Outcome::eat()
            .with(Act::RunText(format!("confirm-before -b -p 'Kill {what}? (y/n)' {{ {} }}", commands.join(" ; "))))
    }

    fn find(&mut self, text: &str, by: isize) -> Outcome {
        let n = self.items.len() as isize;
        let lower = text.to_lowercase();
        for k in 1..=n {
            let i = (self.chosen as isize + by * k).rem_euclid(n) as usize;
            if self.items[i].label.to_lowercase().contains(&lower) {
                return self.go(i);
            }
        }
        Outcome::eat().with(Act::Bell)
    }

    /// Begins to ask for a text to search for.
    fn begin_search(&mut self) -> Outcome {
        self.search = Some(LineEdit::new("", Vec::new()));
        self.rev.bump();
        Outcome::eat()
    }

    fn search_key(&mut self, key: Key, mut edit: LineEdit) -> Outcome {
        self.rev.bump();
        match edit.key(key) {
            EditOutcome::Done(text) => {
                self.last_search.clone_from(&text);
                return self.find(&text, 1);
            }
            EditOutcome::Cancelled => return Outcome::eat(),
            EditOutcome::Changed | EditOutcome::Moved | EditOutcome::Complete | EditOutcome::Ignored => {}
        }
        self.search = Some(edit);
        Outcome::eat()
    }

    fn key(&mut self, key: Key, view: &View) -> Outcome {
        if let Some(edit) = self.search.take() {
            return self.search_key(key, edit);
        }
        let ctrl = key.mods == Mods::CTRL;
        let plain = key.mods.is_empty();
        let page = self.size.rows.max(2) as usize - 1;
        let n = self.items.len().max(1);
        match key.code {
            Code::Char('q' | '\x1b') if plain => Outcome::close(),
            Code::Char('c' | 'g') if ctrl => Outcome::close(),
            Code::Char('\r') | Code::Kp(b'\r') => self.choose(),
            Code::Up | Code::Char('k') if plain => self.go((self.chosen + n - 1) % n),
            Code::Char('p') if ctrl => self.go((self.chosen + n - 1) % n),
            Code::Down | Code::Char('j') if plain => self.go((self.chosen + 1) % n),
            Code::Char('n') if ctrl => self.go((self.chosen + 1) % n),
            Code::PPage => self.go(self.chosen.saturating_sub(page)),
            Code::NPage => self.go(self.chosen + page),
            Code::Char('b') if ctrl => self.go(self.chosen.saturating_sub(page)),
            Code::Char('f') if ctrl => self.go(self.chosen + page),
            Code::Home | Code::Char('g') if plain => self.go(0),
            Code::End | Code::Char('G') => self.go(n - 1),
            Code::Left | Code::Char('h' | '-') if plain => self.toggle(Some(false), view),
            Code::Right | Code::Char('l' | '+') if plain => self.toggle(Some(true), view),
            Code::Char('t') if plain => {
                if let Some(t) = self.items.get(self.chosen).map(|i| i.target.clone())
                    && !self.tagged.remove(&t)
                {
                    self.tagged.insert(t);
                }
                self.go(self.chosen + 1)
            }
            Code::Char('T') => {
                self.tagged.clear();
                self.go(self.chosen)
            }
            Code::Char('x' | 'd') if plain => self.kill(false),
            Code::Char('X' | 'D') => self.kill(true),
            Code::Char('/') if plain => self.begin_search(),
            Code::Char('s') if ctrl => self.begin_search(),
            Code::Char('n') if plain => {
                let text = self.last_search.clone();
                self.find(&text, 1)
            }
            Code::Char('N') => {
                let text = self.last_search.clone();
                self.find(&text, -1)
            }
            Code::Char(c) if plain || key.mods == Mods::META => {
                match shortcut(c, !plain).filter(|i| *i < self.items.len()) {
                    Some(i) => {
                        self.chosen = i;
                        self.choose()
                    }
                    None => Outcome::eat(),
                }
            }
            _ => Outcome::eat(),
        }
    }
}

/// The line that a key stands for: 0 to 9, then M-a to M-z.
fn shortcut(c: char, meta: bool) -> Option<usize> {
    match (c, meta) {
        ('0'..='9', false) => c.to_digit(10).map(|d| d as usize),
        ('a'..='z', true) => Some(c as usize - 'a' as usize + 10),
        _ => None,
    }
}

fn shortcut_name(line: usize) -> String {
    match line {
        0..10 => format!("({line})"),
        10..36 => format!("(M-{})", char::from(b'a' + (line - 10) as u8)),
        _ => String::new(),
    }
}

fn clients(view: &View) -> Vec<Item> {
    let m = view.model;
    let mut out: Vec<Item> = m
        .clients
        .values()
        .filter_map(|c| {
            let s = m.session(c.session?)?;
            Some(Item {
                target: c.name.clone(),
                depth: 0,
                has_children: false,
                label: format!("{}: session {} [{}]", c.name, s.name, c.size),
                kill: format!("detach-client -t '{}'", c.name),
            })
        })
        .collect();
    out.sort_by(|a, b| a.target.cmp(&b.target));
    out
}

fn buffers(view: &View) -> Vec<Item> {
    view.model
        .buffers
        .iter()
        .map(|b| Item {
            target: b.name.clone(),
            depth: 0,
            has_children: false,
            label: format!("{}: {} bytes: {}", b.name, b.data.len(), b.sample()),
            kill: format!("delete-buffer -b '{}'", b.name),
        })
        .collect()
}

impl Layer for Chooser {
    fn name(&self) -> &'static str {
        match self.source {
            Source::Tree { .. } => "tree-mode",
            Source::Clients => "client-mode",
            Source::Buffers => "buffer-mode",
        }
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn input(&mut self, input: &LayerInput, view: &View) -> Outcome {
        self.fill(view);
        match input {
            LayerInput::Key(key) => self.key(*key, view),
            LayerInput::Paste(text) => {
                if let Some(edit) = &mut self.search {
                    edit.paste(text);
                    self.rev.bump();
                }
                Outcome::eat()
            }
            LayerInput::Mouse { mouse, .. } if mouse.is_wheel() => {
                let to = if mouse.button == 4 { self.chosen.saturating_sub(1) } else { self.chosen + 1 };
                self.go(to)
            }
            LayerInput::Mouse { mouse, y, .. } if !mouse.motion && !mouse.release && mouse.button == 1 => {
                let line = usize::try_from(*y).map(|y| y + self.top).ok().filter(|l| *l < self.items.len());
                match line {
                    // A second press on the marked line chooses it.
                    Some(l) if l == self.chosen => self.choose(),
                    Some(l) => self.go(l),
                    None => Outcome::eat(),
                }
            }
            _ => Outcome::eat(),
        }
    }

    fn sync(&mut self, view: &View) -> Outcome {
        self.fill(view);
        if self.items.is_empty() {
            return Outcome::close();
        }
        let rows = self.size.rows.max(1) as usize;
        let top = self.top.min(self.chosen).max((self.chosen + 1).saturating_sub(rows));
        self.top = top.min(self.items.len().saturating_sub(rows).max(top.min(self.chosen)));
        Outcome::pass()
    }

    fn resize(&mut self, size: Size) {
        self.size = size;
        self.rev.bump();
    }

    fn draw(&self, view: &View, brush: &mut Brush<'_>) {
        let size = brush.size();
        let mode = view
            .options
            .style(opt::MODE_STYLE, OptScope::Pane(self.pane))
            .parsed
            .as_ref()
            .map(|s| s.style)
            .unwrap_or(Style { attrs: Attrs::REVERSE, ..Style::DEFAULT });
        brush.clear(Style::DEFAULT);
        for (n, item) in self.items.iter().enumerate().skip(self.top).take(size.rows as usize) {
            let y = (n - self.top) as u16;
            let style = if n == self.chosen { mode } else { Style::DEFAULT };
            if n == self.chosen {
                brush.fill(Rect::new(0, y, size.cols, 1), ' ', style);
            }
            let sign = match (item.has_children, self.is_open(&item.target, item.depth)) {
                (true, true) => "- ",
                (true, false) => "+ ",
                _ => "  ",
            };
            let tag = if self.tagged.contains(&item.target) { "*" } else { "" };
            let indent = "    ".repeat(item.depth as usize);
            let text = format!("{:<6}{indent}{sign}{}{tag}", shortcut_name(n), item.label);
            brush.text(0, y, width::head_of_width(&text, size.cols as usize), style);
        }
        if let Some(s) = &self.search {
            let y = size.rows.saturating_sub(1);
            brush.fill(Rect::new(0, y, size.cols, 1), ' ', mode);
            let at = brush.text(0, y, SEARCH, mode);
            let (text, _) = s.view(size.cols.saturating_sub(at) as usize);
            brush.text(at, y, &text, mode);
        }
    }

    fn cursor(&self, _view: &View, size: Size) -> Option<LayerCursor> {
        let at = SEARCH.len() as u16;
        let (_, x) = self.search.as_ref()?.view(size.cols.saturating_sub(at) as usize);
        let at = Pos::new(at + x as u16, size.rows.saturating_sub(1));
        Some(LayerCursor { at, shape: CursorShape::Default })
    }

    fn rev(&self) -> Rev {
        self.rev
    }
}
