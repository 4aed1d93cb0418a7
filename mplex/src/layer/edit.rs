//! The line editor of prompts: emacs keys as readline has them, and vi's. Pure: keys in, text and cursor out.
//!
//! Text is held as grapheme clusters: wide characters and clusters move and delete as one.

use crate::base::width;
use crate::keys::{Code, Key, Mods};

/// The longest text, in characters.
pub const MAX_CHARS: usize = 2000;
/// How many kills, and how many states for undo, are kept.
const MAX_KILLS: usize = 60;
const MAX_UNDO: usize = 500;
/// What stands for a newline that was pasted.
pub const NEWLINE_MARK: &str = "⏎";

/// What a key did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditOutcome {
    /// The text changed.
    Changed,
    /// Only the cursor, the search or a mode moved.
    Moved,
    Done(String),
    Cancelled,
    /// Tab: the caller may complete.
    Complete,
    /// Nothing that an editor knows.
    Ignored,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Other,
    Kill,
    Yank,
    Typed,
}

/// A search in the history.
#[derive(Clone, Debug)]
struct Search {
    pattern: String,
    /// What was in the line before, and where the cursor was.
    kept: (Vec<String>, usize),
    /// The entry that is shown.
    at: Option<usize>,
    failed: bool,
}

#[derive(Clone, Debug)]
pub struct LineEdit {
    text: Vec<String>,
    at: usize,
    history: Vec<String>,
    /// Entry of the history that is shown; its length is the line being written.
    entry: usize,
    /// The line being written while an entry is shown.
    draft: Vec<String>,
    kills: Vec<String>,
    /// Which kill a yank-pop takes next, and how many clusters the last yank put in.
    yank: (usize, usize),
    undo: Vec<(Vec<String>, usize)>,
    last: Last,
    quoting: bool,
    search: Option<Search>,
    separators: String,
    vi: bool,
    normal: bool,
    /// An operator of vi that waits for its motion.
    operator: Option<char>,
    limit: usize,
}

fn clusters(text: &str) -> Vec<String> {
    width::clusters(text).map(|(c, _)| c.to_owned()).collect()
}

impl LineEdit {
    /// An editor that starts with a text, the cursor at its end.
    pub fn new(text: &str, history: Vec<String>) -> LineEdit {
        let text: String = text.chars().take(MAX_CHARS).collect();
        let text = clusters(&text);
        LineEdit {
            at: text.len(),
            entry: history.len(),
            text,
            history,
            draft: Vec::new(),
            kills: Vec::new(),
            yank: (0, 0),
            undo: Vec::new(),
            last: Last::Other,
            quoting: false,
            search: None,
            separators: " ".into(),
            vi: false,
            normal: false,
            operator: None,
            limit: MAX_CHARS,
        }
    }

    /// Uses vi's keys, beginning in insert mode.
    #[must_use]
    pub fn with_vi(mut self, on: bool) -> LineEdit {
        self.vi = on;
        self
    }

    /// Characters besides blanks that end a word for C-w and for vi's small words.
    #[must_use]
    pub fn with_separators(mut self, separators: &str) -> LineEdit {
        self.separators = format!(" {separators}");
        self
    }

    pub fn text(&self) -> String {
        self.text.concat()
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Clusters before the cursor.
    pub fn cursor(&self) -> usize {
        self.at
    }

    /// In vi's command mode.
    pub fn in_normal_mode(&self) -> bool {
        self.normal
    }

    /// What stands before the line while the history is searched.
    pub fn search_prompt(&self) -> Option<String> {
        let s = self.search.as_ref()?;
        let word = if s.failed { "failed reverse-i-search" } else { "reverse-i-search" };
        Some(format!("({word})`{}': ", s.pattern))
    }

    pub fn set_text(&mut self, text: &str) {
        self.save();
        self.text = clusters(text);
        self.at = self.text.len();
    }

    /// The part of the line that fits into so many cells around the cursor, and the cursor's column in it.
    pub fn view(&self, cells: usize) -> (String, usize) {
        let shown = |c: &str| {
            if c == "\n" {
                NEWLINE_MARK.to_owned()
            } else if c.chars().any(char::is_control) {
                control_mark(c)
            } else {
                c.to_owned()
            }
        };
        let widths: Vec<usize> = self.text.iter().map(|c| width::text_width(&shown(c))).collect();
        let cells = cells.max(2);
        // The cursor stands at the end of the view at the latest, with a cell of its own.
        let mut from = 0;
        let mut used: usize = widths[..self.at].iter().sum();
        while used + 1 > cells && from < self.at {
            used -= widths[from];
            from += 1;
        }
        let mut out = String::new();
        let mut w = 0;
        for (c, cw) in self.text.iter().zip(&widths).skip(from) {
            if w + cw > cells {
                break;
            }
            out.push_str(&shown(c));
            w += cw;
        }
        (out, used)
    }

    fn save(&mut self) {
        if self.undo.last().is_some_and(|(t, _)| *t == self.text) {
            return;
        }
        self.undo.push((self.text.clone(), self.at));
        if self.undo.len() > MAX_UNDO {
            self.undo.remove(0);
        }
    }

    /// Inserts a text as it is; newlines stay.
    pub fn paste(&mut self, text: &str) -> EditOutcome {
        self.save();
        self.search = None;
        let clean: String = text
            .replace("\r\n", "\n")
            .replace('\r', "\n")
            .chars()
            .filter(|c| *c == '\n' || *c == '\t' || !c.is_control())
            .collect();
        self.insert(&clean);
        self.last = Last::Other;
        EditOutcome::Changed
    }

    fn insert(&mut self, text: &str) {
        let have: usize = self.text.iter().map(|c| c.chars().count()).sum();
        let room = self.limit.saturating_sub(have);
        let text: String = text.chars().take(room).collect();
        if text.is_empty() {
            return;
        }
        // Joining what comes with what is there may make fewer clusters than both have.
        let head: String = self.text[..self.at].concat() + &text;
        let tail: String = self.text[self.at..].concat();
        let head = clusters(&head);
        self.at = head.len();
        self.text = head;
        self.text.extend(clusters(&tail));
    }

    fn remove(&mut self, from: usize, to: usize) -> String {
        let gone: String = self.text.drain(from..to).collect();
        self.at = from;
        gone
    }

    /// Kills a range; kills in a row become one, in the order of the text.
    fn kill(&mut self, from: usize, to: usize, backwards: bool) -> EditOutcome {
        if from == to {
            return EditOutcome::Moved;
        }
        self.save();
        let gone = self.remove(from, to);
        match (self.last, self.kills.last_mut()) {
            (Last::Kill, Some(k)) if backwards => k.insert_str(0, &gone),
            (Last::Kill, Some(k)) => k.push_str(&gone),
            _ => {
                self.kills.push(gone);
                if self.kills.len() > MAX_KILLS {
                    self.kills.remove(0);
                }
            }
        }
        self.last = Last::Kill;
        EditOutcome::Changed
    }

    fn is_word(&self, i: usize) -> bool {
        self.text[i].chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_')
    }

    fn is_separator(&self, i: usize) -> bool {
        let c = &self.text[i];
        c.chars().all(char::is_whitespace) || self.separators.contains(c.as_str())
    }

    /// End of the word at or after the cursor (M-f).
    fn word_end(&self) -> usize {
        let mut i = self.at;
        while i < self.text.len() && !self.is_word(i) {
            i += 1;
        }
        while i < self.text.len() && self.is_word(i) {
            i += 1;
        }
        i
    }

    /// Start of the word before the cursor (M-b).
    fn word_start(&self) -> usize {
        let mut i = self.at;
        while i > 0 && !self.is_word(i - 1) {
            i -= 1;
        }
        while i > 0 && self.is_word(i - 1) {
            i -= 1;
        }
        i
    }

    /// Start of what C-w kills: up to the next separator.
    fn rubout_start(&self) -> usize {
        let mut i = self.at;
        while i > 0 && self.is_separator(i - 1) {
            i -= 1;
        }
        while i > 0 && !self.is_separator(i - 1) {
            i -= 1;
        }
        i
    }

    fn go(&mut self, to: usize) -> EditOutcome {
        self.at = to.min(self.text.len());
        self.last = Last::Other;
        EditOutcome::Moved
    }

    fn yank(&mut self) -> EditOutcome {
        let Some(k) = self.kills.last().cloned() else { return EditOutcome::Ignored };
        self.save();
        let before = self.at;
        self.insert(&k);
        self.yank = (self.kills.len() - 1, self.at.saturating_sub(before));
        self.last = Last::Yank;
        EditOutcome::Changed
    }

    /// Replaces what was just yanked by the kill before it.
    fn yank_pop(&mut self) -> EditOutcome {
        if self.last != Last::Yank || self.kills.is_empty() {
            return EditOutcome::Ignored;
        }
        let (n, len) = self.yank;
        let n = (n + self.kills.len() - 1) % self.kills.len();
        let from = self.at - len.min(self.at);
        self.remove(from, self.at);
        let k = self.kills[n].clone();
        self.insert(&k);
        self.yank = (n, self.at - from);
        self.last = Last::Yank;
        EditOutcome::Changed
    }

    fn transpose(&mut self) -> EditOutcome {
        let n = self.text.len();
        if n < 2 || self.at == 0 {
            return EditOutcome::Ignored;
        }
        self.save();
        let right = if self.at == n { n - 1 } else { self.at };
        self.text.swap(right - 1, right);
        self.at = right + 1;
        self.last = Last::Other;
        EditOutcome::Changed
    }

    /// M-u, M-l, M-c: the case of the word that follows.
    fn recase(&mut self, how: char) -> EditOutcome {
        let mut from = self.at;
        while from < self.text.len() && !self.is_word(from) {
            from += 1;
        }
        let to = self.word_end();
        if from >= to {
            return EditOutcome::Ignored;
        }
        self.save();
        let word: String = self.text[from..to].concat();
        let new = match how {
            'u' => word.to_uppercase(),
            'l' => word.to_lowercase(),
            _ => {
                let mut chars = word.chars();
                let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
                first + &chars.as_str().to_lowercase()
            }
        };
        let new = clusters(&new);
        self.at = from + new.len();
        self.text.splice(from..to, new);
        self.last = Last::Other;
        EditOutcome::Changed
    }

    fn undo(&mut self) -> EditOutcome {
        while let Some((text, at)) = self.undo.pop() {
            if text != self.text {
                self.at = at.min(text.len());
                self.text = text;
                self.last = Last::Other;
                return EditOutcome::Changed;
            }
        }
        EditOutcome::Ignored
    }

    fn show_entry(&mut self, entry: usize) -> EditOutcome {
        if entry == self.entry {
            return EditOutcome::Ignored;
        }
        self.save();
        if self.entry == self.history.len() {
            self.draft = std::mem::take(&mut self.text);
        }
        self.entry = entry;
        self.text = match self.history.get(entry) {
            Some(h) => clusters(h),
            None => self.draft.clone(),
        };
        self.at = self.text.len();
        self.last = Last::Other;
        EditOutcome::Changed
    }

    /// A key.
    pub fn key(&mut self, key: Key) -> EditOutcome {
        if self.quoting {
            self.quoting = false;
            return self.quoted(key);
        }
        if self.search.is_some()
            && let Some(o) = self.search_key(key)
        {
            return o;
        }
        if self.vi && self.normal {
            return self.normal_key(key);
        }
        let plain = key.mods.is_empty();
        let ctrl = key.mods == Mods::CTRL;
        let meta = key.mods == Mods::META;
        match key.code {
            Code::Char('\r' | '\n') | Code::Kp(b'\r') => EditOutcome::Done(self.text()),
            Code::Char('j' | 'm') if ctrl => EditOutcome::Done(self.text()),
            Code::Char('\x1b') if plain && self.vi => {
                self.normal = true;
                self.go(self.at.saturating_sub(1))
            }
            Code::Char('\x1b') if plain => EditOutcome::Cancelled,
            Code::Char('c' | 'g' | '[') if ctrl => EditOutcome::Cancelled,
            Code::Char('\t') if plain => EditOutcome::Complete,
            Code::Char('i') if ctrl => EditOutcome::Complete,
            Code::Left if plain => self.go(self.at.saturating_sub(1)),
            Code::Char('b') if ctrl => self.go(self.at.saturating_sub(1)),
            Code::Right if plain => self.go(self.at + 1),
            Code::Char('f') if ctrl => self.go(self.at + 1),
            Code::Home => self.go(0),
            Code::Char('a') if ctrl => self.go(0),
            Code::End => self.go(self.text.len()),
            Code::Char('e') if ctrl => self.go(self.text.len()),
            Code::Left if ctrl || meta => self.go(self.word_start()),
            Code::Char('b') if meta => self.go(self.word_start()),
            Code::Right if ctrl || meta => self.go(self.word_end()),
            Code::Char('f') if meta => self.go(self.word_end()),
            Code::BSpace if meta => self.kill(self.word_start(), self.at, true),
            Code::BSpace => self.backspace(),
            Code::Char('h') if ctrl => self.backspace(),
            Code::DC if plain => self.delete(),
            Code::Char('d') if ctrl => self.delete(),
            Code::Char('d') if meta => {
                let (from, to) = (self.at, self.word_end());
                self.kill(from, to, false)
            }
            Code::Char('w') if ctrl => self.kill(self.rubout_start(), self.at, true),
            Code::Char('k') if ctrl => {
                let (from, to) = (self.at, self.text.len());
                self.kill(from, to, false)
            }
            Code::Char('u') if ctrl => self.kill(0, self.at, true),
            Code::Char('y') if ctrl => self.yank(),
            Code::Char('y') if meta => self.yank_pop(),
            Code::Char('t') if ctrl => self.transpose(),
            Code::Char(c @ ('u' | 'l' | 'c')) if meta => self.recase(c),
            Code::Char('_' | '/') if ctrl => self.undo(),
            Code::Up if plain => self.older(),
            Code::Char('p') if ctrl => self.older(),
            Code::Down if plain => self.newer(),
            Code::Char('n') if ctrl => self.newer(),
            Code::Char('r') if ctrl => {
                let kept = (self.text.clone(), self.at);
                self.search = Some(Search { pattern: String::new(), kept, at: None, failed: false });
                EditOutcome::Moved
            }
            Code::Char('q' | 'v') if ctrl => {
                self.quoting = true;
                EditOutcome::Moved
            }
            _ => match key.text() {
                Some(c) => self.typed(c),
                None => EditOutcome::Ignored,
            },
        }
    }

    fn typed(&mut self, c: char) -> EditOutcome {
        // Characters typed in a row are one step for undo, cut at blanks.
        if self.last != Last::Typed || c == ' ' {
            self.save();
        }
        self.insert(c.encode_utf8(&mut [0; 4]));
        self.last = Last::Typed;
        EditOutcome::Changed
    }

    /// The key after C-q: whatever it is, as its character.
    fn quoted(&mut self, key: Key) -> EditOutcome {
        let c = match (key.code, key.mods == Mods::CTRL) {
            (Code::Char(c), true) if c.is_ascii() => char::from((c as u8).to_ascii_uppercase() & 0x1f),
            (Code::Char(c), false) => c,
            (Code::BSpace, _) => '\x7f',
            _ => return EditOutcome::Ignored,
        };
        self.save();
        self.insert(c.encode_utf8(&mut [0; 4]));
        self.last = Last::Other;
        EditOutcome::Changed
    }

    fn backspace(&mut self) -> EditOutcome {
        if self.at == 0 {
            return EditOutcome::Ignored;
        }
        self.save();
        self.remove(self.at - 1, self.at);
        self.last = Last::Other;
        EditOutcome::Changed
    }

    fn delete(&mut self) -> EditOutcome {
        if self.at == self.text.len() {
            return EditOutcome::Ignored;
        }
        self.save();
        self.remove(self.at, self.at + 1);
        self.last = Last::Other;
        EditOutcome::Changed
    }

    fn older(&mut self) -> EditOutcome {
        self.show_entry(self.entry.saturating_sub(1))
    }

    fn newer(&mut self) -> EditOutcome {
        self.show_entry((self.entry + 1).min(self.history.len()))
    }

    /// A key while the history is searched; `None` ends the search and means what it means.
    fn search_key(&mut self, key: Key) -> Option<EditOutcome> {
        let ctrl = key.mods == Mods::CTRL;
        let mut s = self.search.take()?;
        match key.code {
            Code::Char('g') if ctrl => {
                (self.text, self.at) = s.kept;
                return Some(EditOutcome::Changed);
            }
            Code::Char('r') if ctrl => {
                let below = s.at.unwrap_or(self.history.len());
                self.find(&mut s, below, true);
            }
            Code::Char('s') if ctrl => {
                let above = s.at.map_or(0, |a| a + 1);
                self.find(&mut s, above, false);
            }
            Code::BSpace => {
                s.pattern.pop();
                self.find(&mut s, self.history.len(), true);
            }
            Code::Char('h') if ctrl => {
                s.pattern.pop();
                self.find(&mut s, self.history.len(), true);
            }
            _ => match key.text() {
                Some(c) => {
                    s.pattern.push(c);
                    let from = s.at.map_or(self.history.len(), |a| a + 1);
                    self.find(&mut s, from, true);
                }
                None => return None,
            },
        }
        self.search = Some(s);
        Some(EditOutcome::Moved)
    }

    /// Shows the next older entry before `from` (or the next newer one from it on) that has the pattern.
    fn find(&mut self, s: &mut Search, from: usize, older: bool) {
        if s.pattern.is_empty() {
            (self.text, self.at) = s.kept.clone();
            s.at = None;
            s.failed = false;
            return;
        }
        let has = |i: &usize| self.history[*i].contains(&s.pattern);
        let hit = if older {
            (0..from.min(self.history.len())).rev().find(has)
        } else {
            (from..self.history.len()).find(has)
        };
        s.failed = hit.is_none();
        if let Some(i) = hit {
            s.at = Some(i);
            self.text = clusters(&self.history[i]);
            let before = self.history[i].find(&s.pattern).unwrap_or(0);
            self.at = clusters(&self.history[i][..before]).len();
        }
    }

    // vi's command mode.

    fn normal_key(&mut self, key: Key) -> EditOutcome {
        let ctrl = key.mods == Mods::CTRL;
        let Code::Char(c) = key.code else {
            return match key.code {
                Code::Left | Code::BSpace => self.go(self.at.saturating_sub(1)),
                Code::Right => self.go((self.at + 1).min(self.text.len().saturating_sub(1))),
                Code::Home => self.go(0),
                Code::End => self.go(self.text.len().saturating_sub(1)),
                Code::Up => self.older(),
                Code::Down => self.newer(),
                Code::DC => self.delete(),
                Code::Kp(b'\r') => EditOutcome::Done(self.text()),
                _ => EditOutcome::Ignored,
            };
        };
        if ctrl {
            return match c {
                'c' | 'g' | '[' => EditOutcome::Cancelled,
                'h' => self.go(self.at.saturating_sub(1)),
                'p' => self.older(),
                'n' => self.newer(),
                'm' | 'j' => EditOutcome::Done(self.text()),
                _ => EditOutcome::Ignored,
            };
        }
        if let Some(op) = self.operator.take() {
            return self.operate(op, c);
        }
        let end = self.text.len();
        match c {
            '\r' | '\n' => EditOutcome::Done(self.text()),
            '\x1b' | 'q' => EditOutcome::Cancelled,
            'i' => self.insert_at(self.at),
            'I' => self.insert_at(0),
            'a' => self.insert_at((self.at + 1).min(end)),
            'A' => self.insert_at(end),
            'h' => self.go(self.at.saturating_sub(1)),
            'l' | ' ' => self.go((self.at + 1).min(end.saturating_sub(1))),
            '0' | '^' => self.go(0),
            '$' => self.go(end.saturating_sub(1)),
            'w' | 'W' | 'b' | 'B' | 'e' | 'E' => {
                let to = self.motion(c);
                self.go(to)
            }
            'k' => self.older(),
            'j' => self.newer(),
            'x' => self.delete(),
            'X' => self.backspace(),
            'D' => {
                let o = self.kill(self.at, end, false);
                self.go(self.at.saturating_sub(1));
                o
            }
            'C' => {
                let o = self.kill(self.at, end, false);
                self.normal = false;
                o
            }
            'S' => {
                let o = self.kill(0, end, false);
                self.normal = false;
                o
            }
            's' => {
                let o = self.delete();
                self.normal = false;
                o
            }
            'p' => {
                self.at = (self.at + 1).min(end);
                self.yank()
            }
            'P' => self.yank(),
            'u' => self.undo(),
            'd' | 'c' => {
                self.operator = Some(c);
                EditOutcome::Moved
            }
            _ => EditOutcome::Ignored,
        }
    }

    fn insert_at(&mut self, at: usize) -> EditOutcome {
        self.normal = false;
        self.go(at)
    }

    /// 0 blank, 1 separator, 2 word; for capitals only blank and not.
    fn class(&self, i: usize, big: bool) -> u8 {
        if self.text[i].chars().all(char::is_whitespace) {
            0
        } else if !big && self.is_separator(i) {
            1
        } else {
            2
        }
    }

    fn motion(&self, c: char) -> usize {
        let big = c.is_uppercase();
        let n = self.text.len();
        let mut i = self.at;
        match c.to_ascii_lowercase() {
            'w' => {
                if i < n {
                    let k = self.class(i, big);
                    while i < n && self.class(i, big) == k && k != 0 {
                        i += 1;
                    }
                }
                while i < n && self.class(i, big) == 0 {
                    i += 1;
                }
                i
            }
            'e' => {
                i += 1;
                while i < n && self.class(i, big) == 0 {
                    i += 1;
                }
                while i + 1 < n && self.class(i + 1, big) == self.class(i, big) {
                    i += 1;
                }
                i.min(n.saturating_sub(1))
            }
            _ => {
                while i > 0 && self.class(i - 1, big) == 0 {
                    i -= 1;
                }
                if i > 0 {
                    let k = self.class(i - 1, big);
                    while i > 0 && self.class(i - 1, big) == k {
                        i -= 1;
                    }
                }
                i
            }
        }
    }

    fn operate(&mut self, op: char, c: char) -> EditOutcome {
        let n = self.text.len();
        let (from, to) = match c {
            c if c == op => (0, n),
            'w' | 'W' => (self.at, self.motion(c)),
            'e' | 'E' => (self.at, (self.motion(c) + 1).min(n)),
            'b' | 'B' => (self.motion(c), self.at),
            '$' => (self.at, n),
            '0' | '^' => (0, self.at),
            'h' => (self.at.saturating_sub(1), self.at),
            'l' => (self.at, (self.at + 1).min(n)),
            _ => return EditOutcome::Ignored,
        };
        let o = self.kill(from, to, false);
        if op == 'c' {
            self.normal = false;
        } else {
            self.at = self.at.min(self.text.len().saturating_sub(1));
        }
        o
    }
}

/// How a control character shows: `^A`.
fn control_mark(c: &str) -> String {
    c.chars()
        .map(|c| {
            if c.is_control() && (c as u32) < 0x80 { format!("^{}", ((c as u8) ^ 0x40) as char) } else { c.to_string() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `|` is the cursor; keys are names separated by blanks, `'text` types.
    fn run(edit: &mut LineEdit, keys: &str) -> EditOutcome {
        let mut last = EditOutcome::Ignored;
        for k in keys.split(' ').filter(|k| !k.is_empty()) {
            if let Some(t) = k.strip_prefix('\'') {
                for c in t.chars() {
                    last = edit.key(Key::char(c));
                }
            } else {
                last = edit.key(Key::parse(k).unwrap_or_else(|| panic!("no key {k}")));
            }
        }
        last
    }

    fn picture(e: &LineEdit) -> String {
        format!("{}|{}", e.text[..e.at].concat(), e.text[e.at..].concat())
    }

    #[track_caller]
    fn check(from: &str, keys: &str, to: &str) {
        let (head, tail) = from.split_once('|').unwrap_or((from, ""));
        let mut e = LineEdit::new(&format!("{head}{tail}"), vec!["old one".into(), "older two".into()]);
        e.at = clusters(head).len();
        run(&mut e, keys);
        assert_eq!(picture(&e), to, "{from} {keys}");
    }

    #[test]
    fn moves() {
        check("ab cd|", "C-a", "|ab cd");
        check("|ab cd", "C-e", "ab cd|");
        check("ab cd|", "C-b C-b", "ab |cd");
        check("|ab cd", "C-f", "a|b cd");
        check("ab cd|", "M-b", "ab |cd");
        check("|ab cd", "M-f", "ab| cd");
        check("ab cd|", "Home", "|ab cd");
        check("日本|", "Left", "日|本");
        check("e\u{301}x|", "Left Left", "|e\u{301}x");
    }

    #[test]
    fn kills_and_yanks() {
        check("ab cd|", "C-w", "ab |");
        check("ab |cd", "C-k", "ab |");
        check("ab |cd", "C-u", "|cd");
        check("ab cd|", "C-w C-w C-y", "ab cd|");
        check("|ab cd", "M-d", "| cd");
        check("a b c|", "C-w C-b C-e C-w C-y M-y", "a c|");
        check("ab cd|", "M-BSpace", "ab |");
        check("👨‍👩‍👧x|", "Left BSpace", "|x");
        check("ab|", "C-d", "ab|");
        check("a|b", "C-d", "a|");
        check("ab|", "C-h", "a|");
    }

    #[test]
    fn changes() {
        check("ab|", "C-t", "ba|");
        check("|hello you", "M-u", "HELLO| you");
        check("|HELLO you", "M-l", "hello| you");
        check("|hELLO you", "M-c", "Hello| you");
        check("ab|", "'c C-_", "ab|");
        check("ab|", "C-w 'x C-_ C-_", "ab|");
        check("|", "C-q C-a", "\u{1}|");
    }

    #[test]
    fn history_and_search() {
        check("new|", "Up", "older two|");
        check("new|", "Up Up", "old one|");
        check("new|", "Up Up Down Down", "new|");
        check("new|", "C-r 'one", "old |one");
        check("new|", "C-r 'old C-r", "|old one");
        check("new|", "C-r 'old C-r C-s", "|older two");
        check("new|", "C-r 'old C-g", "new|");
    }

    #[test]
    fn ends() {
        let mut e = LineEdit::new("x", Vec::new());
        assert_eq!(run(&mut e, "'y Enter"), EditOutcome::Done("xy".into()));
        assert_eq!(run(&mut e, "Escape"), EditOutcome::Cancelled);
        assert_eq!(run(&mut e, "C-g"), EditOutcome::Cancelled);
        assert_eq!(run(&mut e, "F5"), EditOutcome::Ignored);
    }

    #[test]
    fn pastes_and_views() {
        let mut e = LineEdit::new("", Vec::new());
        e.paste("a\r\nb\x1b");
        assert_eq!(e.text(), "a\nb");
        assert_eq!(e.view(10), ("a⏎b".into(), 3));
        let mut e = LineEdit::new("0123456789", Vec::new());
        assert_eq!(e.view(5), ("6789".into(), 4));
        e.key(Key::parse("Home").expect("a key"));
        assert_eq!(e.view(5), ("01234".into(), 0));
        let mut e = LineEdit::new(&"x".repeat(MAX_CHARS), Vec::new());
        e.key(Key::char('y'));
        assert_eq!(e.text().len(), MAX_CHARS);
    }

    #[test]
    fn vi() {
        let mut e = LineEdit::new("ab cd", Vec::new()).with_vi(true);
        run(&mut e, "Escape 'b 'x");
        assert_eq!(picture(&e), "ab |d");
        run(&mut e, "'0 'd 'w 'A '!");
        assert_eq!(picture(&e), "d!|");
    }
}
