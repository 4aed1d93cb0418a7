//! The line editor of prompts: emacs keys as readline and tmux have them, and vi's. Pure: keys in, text and cursor out.
//!
//! Text is held as grapheme clusters, so that wide characters and clusters move and delete as one. The editor knows no
//! surface, no clock and no command; a prompt draws [`LineEdit::view`] and acts on [`EditOutcome`].
//!
//! Where readline and tmux differ, tmux counts: C-u takes the whole line, and words are runs of one class, separators or
//! not, between blanks.

use crate::base::width;
use crate::keys::{Code, Key, Mods};

#[cfg(test)]
mod tests;

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
    /// Tab: the caller may complete [`LineEdit::word`] by [`LineEdit::replace_word`].
    Complete,
    /// Nothing that an editor knows, or that can be done here.
    Ignored,
}

/// What the key before did, for what depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Last {
    Other,
    Kill,
    Typed,
    /// Yanked this kill; before it the line was this, with the cursor behind so many bytes.
    Yank {
        kill: usize,
        text: String,
        at: usize,
    },
}

/// An incremental search in the history.
#[derive(Clone, Debug)]
struct Search {
    pattern: String,
    /// The line before the search, and the bytes before its cursor.
    kept: (String, usize),
    /// The entry that is shown.
    at: Option<usize>,
    failed: bool,
}

/// A line of text being edited.
#[derive(Clone, Debug)]
pub struct LineEdit {
    text: Vec<Box<str>>,
    /// Clusters before the cursor.
    at: usize,
    /// Oldest first.
    history: Vec<String>,
    /// Entry of the history that is shown; its length is the line being written.
    entry: usize,
    /// The line being written while an entry is shown.
    draft: String,
    kills: Vec<String>,
    /// What a yank takes while nothing was killed.
    foreign: String,
    /// Lines to go back to, with the bytes before the cursor.
    undo: Vec<(String, usize)>,
    last: Last,
    quoting: bool,
    search: Option<Search>,
    last_pattern: String,
    separators: String,
    vi: bool,
    normal: bool,
    /// An operator of vi that waits for its motion.
    operator: Option<char>,
    limit: usize,
}

fn clusters(text: &str) -> Vec<Box<str>> {
    width::clusters(text).map(|(c, _)| c.into()).collect()
}

fn blank(cluster: &str) -> bool {
    cluster.chars().all(char::is_whitespace)
}

impl LineEdit {
    /// An editor that starts with a text, the cursor at its end. The history is oldest first.
    pub fn new(text: &str, history: Vec<String>) -> LineEdit {
        let mut edit = LineEdit {
            text: Vec::new(),
            at: 0,
            entry: history.len(),
            history,
            draft: String::new(),
            kills: Vec::new(),
            foreign: String::new(),
            undo: Vec::new(),
            last: Last::Other,
            quoting: false,
            search: None,
            last_pattern: String::new(),
            separators: String::new(),
            vi: false,
            normal: false,
            operator: None,
            limit: MAX_CHARS,
        };
        edit.show(text);
        edit
    }

    /// Uses vi's keys, beginning in insert mode.
    #[must_use]
    pub fn with_vi(mut self, on: bool) -> LineEdit {
        self.vi = on;
        self
    }

    /// Characters besides blanks that make words of their own (`word-separators`).
    #[must_use]
    pub fn with_separators(mut self, separators: &str) -> LineEdit {
        self.separators = separators.to_owned();
        self
    }

    /// The most characters that the text may have.
    #[must_use]
    pub fn with_limit(mut self, chars: usize) -> LineEdit {
        self.limit = chars;
        self
    }

    /// What C-y inserts before anything was killed here: the newest paste buffer. Cut at the first control character.
    #[must_use]
    pub fn with_yank(mut self, text: &str) -> LineEdit {
        self.foreign = text.split(char::is_control).next().unwrap_or("").to_owned();
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

    /// The next key will be inserted whatever it is.
    pub fn is_quoting(&self) -> bool {
        self.quoting
    }

    /// What stands before the line while the history is searched.
    pub fn search_prompt(&self) -> Option<String> {
        let s = self.search.as_ref()?;
        let word = if s.failed { "failed reverse-i-search" } else { "reverse-i-search" };
        Some(format!("({word})`{}': ", s.pattern))
    }

    /// Replaces the line; the old one can be had back by undo.
    pub fn set_text(&mut self, text: &str) {
        self.save();
        self.search = None;
        self.last = Last::Other;
        self.show(text);
    }

    /// The word at the cursor, between blanks, and whether it is the first of the line.
    pub fn word(&self) -> (String, bool) {
        let (from, to) = self.word_span();
        (self.text[from..to].concat(), self.text[..from].iter().all(|c| blank(c)))
    }

    /// Replaces the word at the cursor, which goes behind what was put there.
    pub fn replace_word(&mut self, with: &str) -> EditOutcome {
        let (from, to) = self.word_span();
        self.save();
        self.remove(from, to);
        self.insert(with);
        self.last = Last::Other;
        EditOutcome::Changed
    }

    fn word_span(&self) -> (usize, usize) {
        let mut from = self.at;
        while from > 0 && !blank(&self.text[from - 1]) {
            from -= 1;
        }
        let to = self.text[self.at..].iter().position(|c| blank(c)).map_or(self.text.len(), |n| self.at + n);
        (from, to)
    }

    // What is seen of the line.

    /// The part of the line that fits into so many cells, scrolled so that the cursor is in it, and the cursor's column.
    /// A newline shows as [`NEWLINE_MARK`], a control character as `^A`; `^` at the cursor says that the next key is quoted.
    pub fn view(&self, cells: usize) -> (String, usize) {
        if cells == 0 {
            return (String::new(), 0);
        }
        let (from, cursor) = self.scroll(cells);
        let mut out = String::new();
        let mut used = 0;
        for i in from..=self.text.len() {
            if self.quoting && i == self.at && used < cells {
                out.push('^');
                used += 1;
            }
            let Some(c) = self.text.get(i) else { break };
            let mark = shown(c);
            used += width::text_width(&mark);
            if used > cells {
                break;
            }
            out.push_str(&mark);
        }
        (out, cursor)
    }

    /// A click into the view of so many cells.
    pub fn click(&mut self, cells: usize, column: usize) -> EditOutcome {
        let (from, _) = self.scroll(cells);
        let mut at = from;
        let mut used = 0;
        while at < self.text.len() {
            used += width::text_width(&shown(&self.text[at]));
            if used > column {
                break;
            }
            at += 1;
        }
        self.go(at)
    }

    /// First cluster of the view, and the cursor's column. The cursor has a cell of its own at the end of the line.
    fn scroll(&self, cells: usize) -> (usize, usize) {
        let mut used = 0;
        for from in (0..self.at).rev() {
            let w = width::text_width(&shown(&self.text[from]));
            if used + w + 1 > cells {
                return (from + 1, used);
            }
            used += w;
        }
        (0, used)
    }

    // Changes of the text. All of them go through `put`, which finds the clusters anew: what meets may join.

    fn put(&mut self, mut head: String, tail: &str) {
        let before = head.len();
        head.push_str(tail);
        self.text = clusters(&head);
        let mut bytes = 0;
        self.at = self
            .text
            .iter()
            .take_while(|c| {
                bytes < before && {
                    bytes += c.len();
                    true
                }
            })
            .count();
    }

    /// Shows a text with the cursor at its end.
    fn show(&mut self, text: &str) {
        let text: String = text.chars().take(self.limit).collect();
        self.put(text, "");
    }

    fn insert(&mut self, text: &str) {
        let have: usize = self.text.iter().map(|c| c.chars().count()).sum();
        let mut head = self.text[..self.at].concat();
        let tail = self.text[self.at..].concat();
        head.extend(text.chars().take(self.limit.saturating_sub(have)));
        self.put(head, &tail);
    }

    fn remove(&mut self, from: usize, to: usize) -> String {
        let gone = self.text[from..to].concat();
        let head = self.text[..from].concat();
        let tail = self.text[to..].concat();
        self.put(head, &tail);
        gone
    }

    fn state(&self) -> (String, usize) {
        (self.text(), self.text[..self.at].iter().map(|c| c.len()).sum())
    }

    fn restore(&mut self, (text, at): &(String, usize)) {
        let at = (*at).min(text.len());
        if let Some((head, tail)) = text.split_at_checked(at) {
            self.put(head.to_owned(), tail);
        }
    }

    /// Remembers the line for undo.
    fn save(&mut self) {
        let state = self.state();
        if self.undo.last().is_some_and(|(t, _)| *t == state.0) {
            return;
        }
        if self.undo.len() == MAX_UNDO {
            self.undo.remove(0);
        }
        self.undo.push(state);
    }

    /// Inserts a text as it is; newlines stay, other control characters but tabs are left out.
    pub fn paste(&mut self, text: &str) -> EditOutcome {
        self.end_search();
        self.quoting = false;
        self.save();
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text: String = text.chars().filter(|c| matches!(c, '\n' | '\t') || !c.is_control()).collect();
        self.insert(&text);
        self.last = Last::Other;
        EditOutcome::Changed
    }

    /// Kills a range; kills in a row become one, in the order of the text.
    fn kill(&mut self, from: usize, to: usize, backwards: bool) -> EditOutcome {
        if from >= to {
            return EditOutcome::Ignored;
        }
        self.save();
        let gone = self.remove(from, to);
        match (&self.last, self.kills.last_mut()) {
            (Last::Kill, Some(k)) if backwards => k.insert_str(0, &gone),
            (Last::Kill, Some(k)) => k.push_str(&gone),
            _ => {
                if self.kills.len() == MAX_KILLS {
                    self.kills.remove(0);
                }
                self.kills.push(gone);
            }
        }
        self.last = Last::Kill;
        EditOutcome::Changed
    }

    fn yank(&mut self) -> EditOutcome {
        let (kill, word) = match self.kills.last() {
            Some(k) => (self.kills.len() - 1, k.clone()),
            None if self.foreign.is_empty() => return EditOutcome::Ignored,
            None => (0, self.foreign.clone()),
        };
        self.save();
        let (text, at) = self.state();
        self.insert(&word);
        self.last = Last::Yank { kill, text, at };
        EditOutcome::Changed
    }

    /// Replaces what was just yanked by the kill before it.
    fn yank_pop(&mut self) -> EditOutcome {
        let Last::Yank { kill, text, at } = self.last.clone() else { return EditOutcome::Ignored };
        if self.kills.is_empty() {
            return EditOutcome::Ignored;
        }
        let kill = (kill + self.kills.len() - 1) % self.kills.len();
        let word = self.kills[kill].clone();
        let state = (text, at);
        self.restore(&state);
        self.insert(&word);
        self.last = Last::Yank { kill, text: state.0, at: state.1 };
        EditOutcome::Changed
    }

    fn undo(&mut self) -> EditOutcome {
        let now = self.text();
        while let Some(state) = self.undo.pop() {
            if state.0 != now {
                self.restore(&state);
                self.last = Last::Other;
                return EditOutcome::Changed;
            }
        }
        EditOutcome::Ignored
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

    fn typed(&mut self, c: char) -> EditOutcome {
        // Characters typed in a row are one step for undo, cut before blanks.
        if self.last != Last::Typed || c == ' ' {
            self.save();
        }
        self.insert(c.encode_utf8(&mut [0; 4]));
        self.last = Last::Typed;
        EditOutcome::Changed
    }

    /// The key after C-q: whatever it is, as its character.
    fn quoted(&mut self, key: Key) -> EditOutcome {
        let c = match key.code {
            Code::Char('?') if key.mods == Mods::CTRL => '\x7f',
            Code::Char(c) if key.mods == Mods::CTRL && c.is_ascii() => char::from(c as u8 & 0x1f),
            Code::Char(c) => c,
            Code::BSpace => '\x7f',
            Code::Kp(b) => b as char,
            _ => return EditOutcome::Moved,
        };
        self.save();
        self.insert(c.encode_utf8(&mut [0; 4]));
        self.last = Last::Other;
        EditOutcome::Changed
    }

    /// C-t: takes the cluster before the cursor over the one under it, at the end the last two.
    fn transpose(&mut self) -> EditOutcome {
        let right = self.at.min(self.text.len().saturating_sub(1));
        if self.at == 0 || right == 0 {
            return EditOutcome::Ignored;
        }
        self.save();
        let mut text = self.text.clone();
        text.swap(right - 1, right);
        self.put(text[..=right].concat(), &text[right + 1..].concat());
        self.last = Last::Other;
        EditOutcome::Changed
    }

    /// M-t: swaps the word before the cursor with the one at or after it, at the end the last two.
    fn transpose_words(&mut self) -> EditOutcome {
        let here = self.at;
        let b_end = self.word_end(here);
        let b = self.word_start(b_end);
        let a = self.word_start(b);
        let a_end = self.word_end(a);
        if a == b || a_end > b || b >= b_end {
            return EditOutcome::Ignored;
        }
        self.save();
        let t = &self.text;
        let head = t[..a].concat() + &t[b..b_end].concat() + &t[a_end..b].concat() + &t[a..a_end].concat();
        let tail = t[b_end..].concat();
        self.put(head, &tail);
        self.last = Last::Other;
        EditOutcome::Changed
    }

    /// M-u, M-l, M-c: the case of the word that follows.
    fn recase(&mut self, how: char) -> EditOutcome {
        let to = self.word_end(self.at);
        if to == self.at {
            return EditOutcome::Ignored;
        }
        self.save();
        let word = self.text[self.at..to].concat();
        let new = match how {
            'u' => word.to_uppercase(),
            'l' => word.to_lowercase(),
            _ => {
                let low = word.to_lowercase();
                let first = low.find(char::is_alphanumeric).unwrap_or(0);
                let mut rest = low[first..].chars();
                let up = rest.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
                low[..first].to_owned() + &up + rest.as_str()
            }
        };
        let head = self.text[..self.at].concat() + &new;
        let tail = self.text[to..].concat();
        self.put(head, &tail);
        self.last = Last::Other;
        EditOutcome::Changed
    }

    // Motions.

    fn go(&mut self, to: usize) -> EditOutcome {
        self.at = to.min(self.text.len());
        self.last = Last::Other;
        EditOutcome::Moved
    }

    /// 0 blank, 1 separator, 2 other; `big` knows no separators.
    fn class(&self, i: usize, big: bool) -> u8 {
        let c = &self.text[i];
        if blank(c) {
            0
        } else if !big && self.separators.contains(&**c) {
            1
        } else {
            2
        }
    }

    /// End of the word at or after `i`.
    fn word_end(&self, mut i: usize) -> usize {
        let n = self.text.len();
        while i < n && self.class(i, false) == 0 {
            i += 1;
        }
        if i < n {
            let class = self.class(i, false);
            while i < n && self.class(i, false) == class {
                i += 1;
            }
        }
        i
    }

    /// Start of the word before `i`.
    fn word_start(&self, i: usize) -> usize {
        self.word_start_of(i, false)
    }

    fn word_start_of(&self, mut i: usize, big: bool) -> usize {
        while i > 0 && self.class(i - 1, big) == 0 {
            i -= 1;
        }
        if i > 0 {
            let class = self.class(i - 1, big);
            while i > 0 && self.class(i - 1, big) == class {
                i -= 1;
            }
        }
        i
    }

    /// Where vi's `w`, `e`, `b` or their capitals go.
    fn motion(&self, c: char) -> usize {
        let big = c.is_uppercase();
        let n = self.text.len();
        let mut i = self.at;
        match c.to_ascii_lowercase() {
            'w' => {
                let class = if i < n { self.class(i, big) } else { 0 };
                while i < n && class != 0 && self.class(i, big) == class {
                    i += 1;
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
            _ => self.word_start_of(i, big),
        }
    }

    // History.

    fn show_entry(&mut self, entry: usize) -> EditOutcome {
        if entry == self.entry || entry > self.history.len() {
            return EditOutcome::Ignored;
        }
        self.save();
        if self.entry == self.history.len() {
            self.draft = self.text();
        }
        self.entry = entry;
        let text = self.history.get(entry).cloned().unwrap_or_else(|| std::mem::take(&mut self.draft));
        self.show(&text);
        self.last = Last::Other;
        EditOutcome::Changed
    }

    fn older(&mut self) -> EditOutcome {
        self.show_entry(self.entry.saturating_sub(1))
    }

    fn newer(&mut self) -> EditOutcome {
        self.show_entry(self.entry + 1)
    }

    fn start_search(&mut self) -> EditOutcome {
        self.search = Some(Search { pattern: String::new(), kept: self.state(), at: None, failed: false });
        EditOutcome::Moved
    }

    /// Leaves the search with what it shows.
    fn end_search(&mut self) {
        let Some(s) = self.search.take() else { return };
        if !s.pattern.is_empty() {
            self.last_pattern = s.pattern;
        }
        self.last = Last::Other;
        if let Some(i) = s.at {
            if self.entry == self.history.len() {
                self.draft = s.kept.0.clone();
            }
            self.entry = i;
            // Undo brings back the line before the search.
            self.undo.push(s.kept);
            if self.undo.len() > MAX_UNDO {
                self.undo.remove(0);
            }
        }
    }

    /// A key while the history is searched; `None` ended the search and means what it means else.
    fn search_key(&mut self, key: Key) -> Option<EditOutcome> {
        let ctrl = key.mods == Mods::CTRL;
        let all = self.history.len();
        let mut s = self.search.take()?;
        match key.code {
            Code::Char('g') if ctrl => {
                self.restore(&s.kept);
                return Some(EditOutcome::Changed);
            }
            Code::Char('r') if ctrl && s.pattern.is_empty() => {
                s.pattern = self.last_pattern.clone();
                self.find(&mut s, all, true);
            }
            Code::Char('r') if ctrl => {
                let below = s.at.unwrap_or(all);
                self.find(&mut s, below, true);
            }
            Code::Char('s') if ctrl => {
                let above = s.at.map_or(all, |a| a + 1);
                self.find(&mut s, above, false);
            }
            Code::Char('h') if ctrl => self.shorten(&mut s),
            Code::BSpace => self.shorten(&mut s),
            // As in readline, Escape leaves the search and not the line.
            Code::Char('\x1b') | Code::Char('[') if key == Key::ESCAPE || ctrl => {
                self.search = Some(s);
                self.end_search();
                return Some(EditOutcome::Moved);
            }
            _ => match character(key) {
                Some(c) if s.pattern.chars().count() < self.limit => {
                    s.pattern.push(c);
                    let from = s.at.map_or(all, |a| a + 1);
                    self.find(&mut s, from, true);
                }
                _ => {
                    self.search = Some(s);
                    self.end_search();
                    return None;
                }
            },
        }
        self.search = Some(s);
        Some(EditOutcome::Moved)
    }

    fn shorten(&mut self, s: &mut Search) {
        s.pattern.pop();
        self.find(s, self.history.len(), true);
    }

    /// Shows the next older entry before `from` (or the next newer one from it on) that has the pattern.
    fn find(&mut self, s: &mut Search, from: usize, older: bool) {
        if s.pattern.is_empty() {
            self.restore(&s.kept);
            s.at = None;
            s.failed = false;
            return;
        }
        let has = |i: &usize| self.history[*i].contains(&s.pattern);
        let all = self.history.len();
        let hit = if older { (0..from.min(all)).rev().find(has) } else { (from.min(all)..all).find(has) };
        s.failed = hit.is_none();
        if let Some(i) = hit {
            s.at = Some(i);
            let text: String = self.history[i].chars().take(self.limit).collect();
            let before = text.find(&s.pattern).unwrap_or(0);
            self.restore(&(text, before));
        }
    }

    // Keys.

    /// Takes a key.
    pub fn key(&mut self, key: Key) -> EditOutcome {
        if std::mem::take(&mut self.quoting) {
            return self.quoted(key);
        }
        if self.search.is_some()
            && let Some(outcome) = self.search_key(key)
        {
            return outcome;
        }
        if self.normal {
            let outcome = self.normal_key(key);
            if self.normal {
                // In command mode the cursor is on a cluster, not behind the last.
                self.at = self.at.min(self.text.len().saturating_sub(1));
            }
            return outcome;
        }
        let plain = key.mods.is_empty();
        let ctrl = key.mods == Mods::CTRL;
        let meta = key.mods == Mods::META;
        let end = self.text.len();
        match key.code {
            Code::Char('\r' | '\n') | Code::Kp(b'\r') => EditOutcome::Done(self.text()),
            Code::Char('j' | 'm') if ctrl => EditOutcome::Done(self.text()),
            Code::Char('\x1b') | Code::Char('[') if self.vi && (key == Key::ESCAPE || ctrl) => {
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
            Code::End => self.go(end),
            Code::Char('e') if ctrl => self.go(end),
            Code::Left if ctrl || meta => self.go(self.word_start(self.at)),
            Code::Char('b') if meta => self.go(self.word_start(self.at)),
            Code::Right if ctrl || meta => self.go(self.word_end(self.at)),
            Code::Char('f') if meta => self.go(self.word_end(self.at)),
            Code::BSpace if meta => self.kill(self.word_start(self.at), self.at, true),
            Code::BSpace => self.backspace(),
            Code::Char('h') if ctrl => self.backspace(),
            Code::Char('h') if key.mods == Mods::CTRL | Mods::META => {
                self.kill(self.word_start(self.at), self.at, true)
            }
            Code::DC if ctrl || meta => self.kill(self.at, self.word_end(self.at), false),
            Code::DC => self.delete(),
            Code::Char('d') if ctrl => self.delete(),
            Code::Char('d') if meta => self.kill(self.at, self.word_end(self.at), false),
            Code::Char('w') if ctrl => self.kill(self.word_start(self.at), self.at, true),
            Code::Char('k') if ctrl => self.kill(self.at, end, false),
            Code::Char('u') if ctrl => self.kill(0, end, true),
            Code::Char('y') if ctrl => self.yank(),
            Code::Char('y') if meta => self.yank_pop(),
            Code::Char('t') if ctrl => self.transpose(),
            Code::Char('t') if meta => self.transpose_words(),
            Code::Char(c @ ('u' | 'l' | 'c')) if meta => self.recase(c),
            Code::Char('_' | '/') if ctrl => self.undo(),
            Code::Up if plain => self.older(),
            Code::Char('p') if ctrl => self.older(),
            Code::Down if plain => self.newer(),
            Code::Char('n') if ctrl => self.newer(),
            Code::Char('r') if ctrl => self.start_search(),
            Code::Char('q' | 'v') if ctrl => {
                self.quoting = true;
                EditOutcome::Moved
            }
            _ => character(key).map_or(EditOutcome::Ignored, |c| self.typed(c)),
        }
    }

    /// A key in vi's command mode.
    fn normal_key(&mut self, key: Key) -> EditOutcome {
        let back = self.at.saturating_sub(1);
        let end = self.text.len();
        if self.last == Last::Kill {
            // What vi deletes is not joined to what was deleted before.
            self.last = Last::Other;
        }
        let Code::Char(c) = key.code else {
            self.operator = None;
            return match key.code {
                Code::Left | Code::BSpace => self.go(back),
                Code::Right => self.go(self.at + 1),
                Code::Home => self.go(0),
                Code::End => self.go(end),
                Code::Up => self.older(),
                Code::Down => self.newer(),
                Code::DC => self.delete(),
                Code::Kp(b'\r') => EditOutcome::Done(self.text()),
                _ => EditOutcome::Ignored,
            };
        };
        if key.mods == Mods::CTRL {
            self.operator = None;
            return match c {
                'c' | 'g' => EditOutcome::Cancelled,
                'h' => self.go(back),
                'p' => self.older(),
                'n' => self.newer(),
                'r' => self.start_search(),
                'm' | 'j' => EditOutcome::Done(self.text()),
                _ => EditOutcome::Ignored,
            };
        }
        if !key.mods.is_empty() {
            return EditOutcome::Ignored;
        }
        if let Some(op) = self.operator.take() {
            return self.operate(op, c);
        }
        match c {
            '\r' | '\n' => EditOutcome::Done(self.text()),
            'q' => EditOutcome::Cancelled,
            'i' => self.insert_at(self.at),
            'I' => self.insert_at(0),
            'a' => self.insert_at(self.at + 1),
            'A' => self.insert_at(end),
            'h' => self.go(back),
            'l' | ' ' => self.go(self.at + 1),
            '0' | '^' => self.go(0),
            '$' => self.go(end),
            'w' | 'W' | 'b' | 'B' | 'e' | 'E' => self.go(self.motion(c)),
            'k' => self.older(),
            'j' => self.newer(),
            'x' => self.kill(self.at, (self.at + 1).min(end), false),
            'X' => self.kill(back, self.at, false),
            'D' => self.kill(self.at, end, false),
            'C' => self.kill_and_insert(self.at, end),
            'S' => self.kill_and_insert(0, end),
            's' => self.kill_and_insert(self.at, (self.at + 1).min(end)),
            'p' => {
                let here = self.at;
                self.at = (here + 1).min(end);
                let outcome = self.yank();
                self.at = if outcome == EditOutcome::Ignored { here } else { self.at.saturating_sub(1) };
                outcome
            }
            'P' => {
                let outcome = self.yank();
                if outcome != EditOutcome::Ignored {
                    self.at = self.at.saturating_sub(1);
                }
                outcome
            }
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

    fn kill_and_insert(&mut self, from: usize, to: usize) -> EditOutcome {
        self.normal = false;
        match self.kill(from, to, false) {
            EditOutcome::Ignored => EditOutcome::Moved,
            outcome => outcome,
        }
    }

    /// `d` or `c` with its motion.
    fn operate(&mut self, op: char, c: char) -> EditOutcome {
        let n = self.text.len();
        let at = self.at;
        let (from, to) = match c {
            c if c == op => (0, n),
            // As in vi, changing a word leaves the blank behind it.
            'w' | 'W' if op == 'c' && at < n && self.class(at, false) != 0 => {
                let big = c == 'W';
                let class = self.class(at, big);
                (at, (at..n).find(|i| self.class(*i, big) != class).unwrap_or(n))
            }
            'w' | 'W' => (at, self.motion(c)),
            'e' | 'E' => (at, (self.motion(c) + 1).min(n)),
            'b' | 'B' => (self.motion(c), at),
            '$' => (at, n),
            '0' | '^' => (0, at),
            'h' => (at.saturating_sub(1), at),
            'l' | ' ' => (at, (at + 1).min(n)),
            _ => return EditOutcome::Moved,
        };
        if op == 'c' { self.kill_and_insert(from, to) } else { self.kill(from, to, false) }
    }
}

/// The character that a key types: also where shift is told with it.
fn character(key: Key) -> Option<char> {
    Key::new(key.code, key.mods - Mods::SHIFT).text()
}

/// How a cluster shows.
fn shown(cluster: &str) -> String {
    if cluster == "\n" {
        return NEWLINE_MARK.to_owned();
    }
    let mut out = String::new();
    for c in cluster.chars() {
        match c {
            '\0'..='\x1f' | '\x7f' => out.extend(['^', ((c as u8) ^ 0x40) as char]),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
