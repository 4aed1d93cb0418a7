//! The commands of copy mode as rows, and what they do.

use super::motion;
use super::select::{Keep, Moving, Unit};
use super::{CopyMode, Edge, Jump, MAX_TIMES, Numbers, REFRESH_STEP, Recentre};
use crate::grid::{Marks, Point};
use crate::layer::{Act, Outcome, View};
use crate::model::ClientFlags;
use crate::options::choices::LineNumbers;
use crate::options::{Scope as OptScope, opt};

/// Whether a command takes the marks of a search away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clear {
    Always,
    /// Not with vi's keys.
    Emacs,
    Never,
}

/// A command of copy mode, as `send-keys -X` names it.
#[derive(Debug)]
pub struct Command {
    pub name: &'static str,
    /// Letters of its flags.
    pub flags: &'static str,
    /// How many arguments it needs and takes.
    pub min: usize,
    pub max: usize,
    /// Clients that may only look may use it.
    pub read_only: bool,
    pub clear: Clear,
    pub doc: &'static str,
    run: Run,
}

type Step = fn(&mut CopyMode, &mut Call<'_>) -> Result<Then, String>;

#[derive(Clone, Copy, Debug)]
enum Run {
    /// Repeated by itself.
    Once(Step),
    /// Repeated as often as the count says.
    Each(fn(&mut CopyMode)),
    Take(Take),
}

/// A command with what it was given.
struct Call<'a> {
    args: &'a [String],
    flags: Vec<char>,
    count: u32,
    view: &'a View<'a>,
    acts: Vec<Act>,
}

impl Call<'_> {
    fn arg(&self, n: usize) -> &str {
        self.args.get(n).map_or("", String::as_str)
    }

    fn has(&self, flag: char) -> bool {
        self.flags.contains(&flag)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Stay,
    Leave,
}

/// What is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Selection,
    Line,
    ToLineEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    Keep,
    Clear,
    Leave,
}

/// One of the commands that take text out.
#[derive(Clone, Copy, Debug)]
struct Take {
    what: What,
    /// To a buffer.
    copy: bool,
    /// To a command.
    pipe: bool,
    after: After,
}

const fn take(what: What, copy: bool, pipe: bool, after: After) -> Run {
    Run::Take(Take { what, copy, pipe, after })
}

const fn row(name: &'static str, clear: Clear, run: Run, doc: &'static str) -> Command {
    Command { name, flags: "", min: 0, max: 0, read_only: true, clear, doc, run }
}

impl Command {
    const fn args(mut self, min: usize, max: usize) -> Command {
        self.min = min;
        self.max = max;
        self
    }

    const fn flags(mut self, flags: &'static str) -> Command {
        self.flags = flags;
        self
    }

    /// Not for clients that may only look.
    const fn acting(mut self) -> Command {
        self.read_only = false;
        self
    }
}

const fn copying(name: &'static str, max: usize, clear: Clear, run: Run, doc: &'static str) -> Command {
    row(name, clear, run, doc).args(0, max).flags("CP").acting()
}

use After::{Clear as Clears, Keep as Keeps, Leave};
use Clear::{Always, Emacs, Never};
use Run::{Each, Once};
use What::{Line, ToLineEnd};

/// All commands, sorted by name.
#[rustfmt::skip]
pub const COMMANDS: &[Command] = &[
    row("append-selection", Always, Once(|m, c| m.append(c, false)), "Add the selection to the newest buffer").acting(),
    row("append-selection-and-cancel", Always, Once(|m, c| m.append(c, true)), "Add the selection to the newest buffer and leave").acting(),
    row("back-to-indentation", Always, Once(|m, _| m.to(motion::indentation)), "To the first character of the line that is no space"),
    row("begin-selection", Always, Once(begin_selection), "Begin selecting at the cursor, or by dragging with the mouse").acting(),
    row("bottom-line", Emacs, Once(|m, _| m.screen_line(usize::MAX)), "To the last row shown"),
    row("cancel", Always, Once(|_, _| Ok(Then::Leave)), "Leave copy mode"),
    row("clear-selection", Always, Once(clear_selection), "Select nothing").acting(),
    copying("copy-end-of-line", 1, Always, take(ToLineEnd, true, false, Clears), "Copy from the cursor to the end of the line"),
    copying("copy-end-of-line-and-cancel", 1, Always, take(ToLineEnd, true, false, Leave), "Copy from the cursor to the end of the line and leave"),
    copying("copy-line", 1, Always, take(Line, true, false, Clears), "Copy the line"),
    copying("copy-line-and-cancel", 1, Always, take(Line, true, false, Leave), "Copy the line and leave"),
    copying("copy-pipe", 2, Always, take(What::Selection, true, true, Clears), "Copy the selection, also to a command"),
    copying("copy-pipe-and-cancel", 2, Always, take(What::Selection, true, true, Leave), "Copy the selection, also to a command, and leave"),
    copying("copy-pipe-end-of-line", 2, Always, take(ToLineEnd, true, true, Clears), "Copy to the end of the line, also to a command"),
    copying("copy-pipe-end-of-line-and-cancel", 2, Always, take(ToLineEnd, true, true, Leave), "Copy to the end of the line, also to a command, and leave"),
    copying("copy-pipe-line", 2, Always, take(Line, true, true, Clears), "Copy the line, also to a command"),
    copying("copy-pipe-line-and-cancel", 2, Always, take(Line, true, true, Leave), "Copy the line, also to a command, and leave"),
    copying("copy-pipe-no-clear", 2, Never, take(What::Selection, true, true, Keeps), "Copy the selection, also to a command, and keep it"),
    copying("copy-selection", 1, Always, take(What::Selection, true, false, Clears), "Copy the selection"),
    copying("copy-selection-and-cancel", 1, Always, take(What::Selection, true, false, Leave), "Copy the selection and leave"),
    copying("copy-selection-no-clear", 1, Never, take(What::Selection, true, false, Keeps), "Copy the selection and keep it"),
    row("cursor-centre-horizontal", Emacs, Once(centre_horizontal), "To the middle column"),
    row("cursor-centre-vertical", Emacs, Once(centre_vertical), "To the middle row"),
    row("cursor-down", Emacs, Each(|m| m.vertical(true)), "Down one row"),
    row("cursor-down-and-cancel", Always, Once(down_or_leave), "Down one row; leave at the bottom"),
    row("cursor-left", Emacs, Each(|m| m.sideways(motion::left)), "Left one character"),
    row("cursor-right", Emacs, Each(|m| { let edge = m.right_edge(); m.sideways(|r, p| motion::right(r, p, edge, true)); }), "Right one character"),
    row("cursor-up", Emacs, Each(|m| m.vertical(false)), "Up one row"),
    row("end-of-line", Emacs, Once(|m, _| { m.line_end(); Ok(Then::Stay) }), "To the end of the line"),
    row("goto-line", Emacs, Once(goto_line), "Scroll to a line by its number").args(1, 1),
    row("halfpage-down", Emacs, Once(|m, c| m.pages(c, true, true, false)), "Down half a page"),
    row("halfpage-down-and-cancel", Always, Once(|m, c| m.pages(c, true, true, true)), "Down half a page; leave at the bottom"),
    row("halfpage-up", Emacs, Once(|m, c| m.pages(c, false, true, false)), "Up half a page"),
    row("history-bottom", Emacs, Once(|m, _| m.history(true)), "To the end of all text"),
    row("history-top", Emacs, Once(|m, _| m.history(false)), "To the start of all text"),
    row("jump-again", Emacs, Once(|m, c| m.jump_again(c, false)), "The last jump again").acting(),
    row("jump-backward", Emacs, Once(|m, c| m.jump_to(c, Jump::Backward)), "Back to a character in the line").args(1, 1).acting(),
    row("jump-forward", Emacs, Once(|m, c| m.jump_to(c, Jump::Forward)), "On to a character in the line").args(1, 1).acting(),
    row("jump-reverse", Emacs, Once(|m, c| m.jump_again(c, true)), "The last jump the other way").acting(),
    row("jump-to-backward", Emacs, Once(|m, c| m.jump_to(c, Jump::ToBackward)), "Back to just after a character in the line").args(1, 1).acting(),
    row("jump-to-forward", Emacs, Once(|m, c| m.jump_to(c, Jump::ToForward)), "On to just before a character in the line").args(1, 1).acting(),
    row("jump-to-mark", Always, Once(jump_to_mark), "Exchange cursor and mark"),
    row("line-numbers-off", Never, Once(|m, _| m.show_numbers(Some(false))), "No line numbers"),
    row("line-numbers-on", Never, Once(|m, _| m.show_numbers(Some(true))), "Line numbers"),
    row("line-numbers-toggle", Never, Once(|m, _| m.show_numbers(None)), "Line numbers on or off"),
    row("middle-line", Emacs, Once(|m, _| { let row = (usize::from(m.size.rows) - 1) / 2; m.screen_line(row) }), "To the middle row shown"),
    row("next-matching-bracket", Always, Each(|m| m.bracket(motion::next_bracket)), "On to the bracket that closes"),
    row("next-paragraph", Emacs, Each(|m| m.far(motion::next_paragraph)), "To the end of the paragraph"),
    row("next-prompt", Always, Once(|m, c| m.prompt(c, true)), "To the next prompt of the shell; -o: to the next output").flags("o"),
    row("next-space", Emacs, Each(|m| m.sideways(|r, p| motion::next_word(r, p, ""))), "To the next word between spaces"),
    row("next-space-end", Emacs, Each(|m| { let vi = m.settings.vi; m.sideways(|r, p| motion::next_word_end(r, p, "", vi)); }), "To the end of the next word between spaces"),
    row("next-word", Emacs, Each(|m| m.by_word(|r, p, s, _| motion::next_word(r, p, s))), "To the next word"),
    row("next-word-end", Emacs, Each(|m| m.by_word(motion::next_word_end)), "To the end of the next word"),
    row("other-end", Emacs, Once(other_end), "To the other end of the selection").acting(),
    row("page-down", Emacs, Once(|m, c| { let leave = m.options.exit_at_bottom; m.pages(c, true, false, leave) }), "Down a page"),
    row("page-down-and-cancel", Always, Once(|m, c| m.pages(c, true, false, true)), "Down a page; leave at the bottom"),
    row("page-up", Emacs, Once(|m, c| m.pages(c, false, false, false)), "Up a page"),
    row("pipe", Always, take(What::Selection, false, true, Clears), "The selection to a command").args(0, 1).acting(),
    row("pipe-and-cancel", Always, take(What::Selection, false, true, Leave), "The selection to a command, and leave").args(0, 1).acting(),
    row("pipe-no-clear", Never, take(What::Selection, false, true, Keeps), "The selection to a command, and keep it").args(0, 1).acting(),
    row("previous-matching-bracket", Always, Each(|m| m.bracket(motion::previous_bracket)), "Back to the bracket that opens"),
    row("previous-paragraph", Emacs, Each(|m| m.far(motion::previous_paragraph)), "To the start of the paragraph"),
    row("previous-prompt", Always, Once(|m, c| m.prompt(c, false)), "To the previous prompt of the shell; -o: to the previous output").flags("o"),
    row("previous-space", Emacs, Each(|m| m.sideways(|r, p| motion::previous_word(r, p, "", true))), "To the previous word between spaces"),
    row("previous-word", Emacs, Each(|m| m.by_word(|r, p, s, _| motion::previous_word(r, p, s, true))), "To the previous word"),
    row("recentre-top-bottom", Always, Once(recentre), "Scroll the cursor's line to the middle, then to the top, then to the bottom"),
    row("rectangle-off", Always, Once(|m, _| m.rectangle(false)), "Select text").acting(),
    row("rectangle-on", Always, Once(|m, _| m.rectangle(true)), "Select a rectangle").acting(),
    row("rectangle-toggle", Always, Once(|m, _| { let on = !m.selection.rect; m.rectangle(on) }), "Select a rectangle or text").acting(),
    row("refresh-now", Never, Once(refresh_now), "Show what the pane has written since"),
    row("refresh-off", Never, Once(|m, c| m.refresh(c, Some(false))), "No longer show what the pane writes"),
    row("refresh-on", Never, Once(|m, c| m.refresh(c, Some(true))), "Show what the pane writes as it does"),
    row("refresh-toggle", Never, Once(|m, c| m.refresh(c, None)), "Show what the pane writes, or no longer"),
    row("scroll-bottom", Always, Once(|m, _| { let row = usize::from(m.size.rows) - 1; m.scroll_line(row) }), "Scroll the cursor's line to the bottom"),
    row("scroll-down", Emacs, Once(|m, c| m.scroll(c, true, false)), "Scroll down one row"),
    row("scroll-down-and-cancel", Always, Once(|m, c| m.scroll(c, true, true)), "Scroll down one row; leave at the bottom"),
    row("scroll-exit-off", Always, Once(|m, _| m.exit_at_bottom(Some(false))), "Stay when scrolled to the bottom").acting(),
    row("scroll-exit-on", Always, Once(|m, _| m.exit_at_bottom(Some(true))), "Leave when scrolled to the bottom").acting(),
    row("scroll-exit-toggle", Always, Once(|m, _| m.exit_at_bottom(None)), "Leave or stay when scrolled to the bottom").acting(),
    row("scroll-middle", Always, Once(|m, _| { let row = (usize::from(m.size.rows) - 1) / 2; m.scroll_line(row) }), "Scroll the cursor's line to the middle"),
    row("scroll-to-mouse", Emacs, Once(|_, _| Err("scroll-to-mouse needs a scrollbar, which panes do not have yet".to_owned())), "Scroll to the mouse on the scrollbar").flags("e"),
    row("scroll-top", Always, Once(|m, _| m.scroll_line(0)), "Scroll the cursor's line to the top"),
    row("scroll-up", Emacs, Once(|m, c| m.scroll(c, false, false)), "Scroll up one row"),
    row("search-again", Always, Once(|m, c| m.search_again(c, false)), "The last search again").acting(),
    row("search-backward", Always, Once(|m, c| m.search(c, false, true)), "Search up for a regular expression").args(0, 1).acting(),
    row("search-backward-incremental", Always, Once(|m, c| m.search_incremental(c, false)), "Search up for the text of a prompt as it is typed").args(1, 1).acting(),
    row("search-backward-text", Always, Once(|m, c| m.search(c, false, false)), "Search up for text").args(0, 1).acting(),
    row("search-forward", Always, Once(|m, c| m.search(c, true, true)), "Search down for a regular expression").args(0, 1).acting(),
    row("search-forward-incremental", Always, Once(|m, c| m.search_incremental(c, true)), "Search down for the text of a prompt as it is typed").args(1, 1).acting(),
    row("search-forward-text", Always, Once(|m, c| m.search(c, true, false)), "Search down for text").args(0, 1).acting(),
    row("search-reverse", Always, Once(|m, c| m.search_again(c, true)), "The last search the other way").acting(),
    row("select-line", Always, Once(select_line), "Select the line").acting(),
    row("select-word", Always, Once(|m, _| { m.select_unit(Unit::Word); Ok(Then::Stay) }), "Select the word").acting(),
    row("selection-mode", Never, Once(selection_mode), "Select by char, word or line").args(0, 1).acting(),
    row("set-mark", Always, Once(set_mark), "Mark the cursor's place"),
    row("start-of-line", Emacs, Once(|m, _| m.to(motion::line_start)), "To the start of the line"),
    row("stop-selection", Always, Once(stop_selection), "Keep the selection as it is when the cursor moves").acting(),
    row("toggle-position", Never, Once(toggle_position), "Show or hide the position"),
    row("top-line", Emacs, Once(|m, _| m.screen_line(0)), "To the first row shown"),
];

/// Runs a command. Without one, `count` is for the next.
pub(super) fn run(mode: &mut CopyMode, argv: &[String], count: u32, view: &View) -> Result<Outcome, String> {
    let Some((name, rest)) = argv.split_first() else {
        mode.count = count;
        return Ok(Outcome::eat());
    };
    let given = std::mem::take(&mut mode.count);
    let pointed = std::mem::take(&mut mode.pointed);
    let Ok(at) = COMMANDS.binary_search_by(|c| c.name.cmp(name)) else {
        return Err(format!("unknown copy mode command: {name}"));
    };
    let command = &COMMANDS[at];
    let looks_only =
        view.client.and_then(|c| view.model.client(c)).is_some_and(|c| c.flags.contains(ClientFlags::READ_ONLY));
    if looks_only && !command.read_only {
        return Ok(Outcome::eat().with(Act::Message("client is read-only".to_owned())));
    }
    let (flags, args) = split(command, rest)?;
    let count = if count == 0 { given } else { count }.clamp(1, MAX_TIMES);
    let mut call = Call { args, flags, count, view, acts: Vec::new() };
    mode.pointed = pointed;
    let then = match command.run {
        Run::Once(f) => f(mode, &mut call)?,
        Run::Each(f) => {
            mode.times(count, f);
            Then::Stay
        }
        Run::Take(t) => mode.take(t, &mut call)?,
    };
    mode.pointed = false;
    let clears = match command.clear {
        Clear::Always => true,
        Clear::Emacs => !mode.settings.vi,
        Clear::Never => false,
    };
    if clears && !name.starts_with("search-") {
        mode.search.hide();
        mode.search.origin = None;
    }
    mode.settle();
    mode.rev.bump();
    let mut outcome = if then == Then::Leave { Outcome::close() } else { Outcome::eat() };
    outcome.acts = call.acts;
    Ok(outcome)
}

/// Flags first, then arguments; `--` ends the flags. A flag that a command does not know is an argument if it may have one.
fn split<'a>(command: &Command, words: &'a [String]) -> Result<(Vec<char>, &'a [String]), String> {
    let mut flags = Vec::new();
    let mut args = words;
    while let Some((word, rest)) = args.split_first() {
        if word == "--" {
            args = rest;
            break;
        }
        match word.strip_prefix('-') {
            Some(letters) if !letters.is_empty() && letters.chars().all(|c| command.flags.contains(c)) => {
                flags.extend(letters.chars());
                args = rest;
            }
            _ => break,
        }
    }
    if args.len() < command.min {
        return Err(format!("{}: needs an argument", command.name));
    }
    if args.len() > command.max {
        return Err(format!("{}: too many arguments", command.name));
    }
    Ok((flags, args))
}

fn begin_selection(m: &mut CopyMode, c: &mut Call<'_>) -> Result<Then, String> {
    if m.pointed {
        if !m.dragging {
            m.begin_drag();
        }
        c.acts.push(Act::Grab);
        return Ok(Then::Stay);
    }
    m.selection.keep = Keep::Nothing;
    m.selection.unit = Unit::Char;
    m.begin_selection();
    Ok(Then::Stay)
}

fn clear_selection(m: &mut CopyMode, _: &mut Call<'_>) -> Result<Then, String> {
    m.clear_selection();
    Ok(Then::Stay)
}

fn stop_selection(m: &mut CopyMode, _: &mut Call<'_>) -> Result<Then, String> {
    m.selection.moving = Moving::None;
    m.selection.keep = Keep::Nothing;
    m.selection.unit = Unit::Char;
    Ok(Then::Stay)
}

fn other_end(m: &mut CopyMode, c: &mut Call<'_>) -> Result<Then, String> {
    m.selection.unit = Unit::Char;
    if c.count % 2 == 1 {
        m.other_end();
    }
    Ok(Then::Stay)
}

fn select_line(m: &mut CopyMode, c: &mut Call<'_>) -> Result<Then, String> {
    m.select_unit(Unit::Line);
    m.times(c.count - 1, |m| {
        m.vertical(true);
        m.line_end();
    });
    Ok(Then::Stay)
}

fn selection_mode(m: &mut CopyMode, c: &mut Call<'_>) -> Result<Then, String> {
    m.selection.unit = match c.arg(0).to_ascii_lowercase().as_str() {
        "" | "char" | "c" => Unit::Char,
        "word" | "w" => Unit::Word,
        "line" | "l" => Unit::Line,
        other => return Err(format!("unknown selection mode: {other}")),
    };
    // A selection that stands goes on by the new units from where it is.
    m.selection.first = match m.selection.unit {
        Unit::Char => None,
        _ => m.selection.ordered(),
    };
    Ok(Then::Stay)
}

fn set_mark(m: &mut CopyMode, _: &mut Call<'_>) -> Result<Then, String> {
    m.mark = m.cursor;
    m.mark_shown = true;
    Ok(Then::Stay)
}

fn jump_to_mark(m: &mut CopyMode, _: &mut Call<'_>) -> Result<Then, String> {
    let to = std::mem::replace(&mut m.mark, m.cursor);
    m.mark_shown = true;
    m.top = to.row.min(m.bottom());
    m.go(to);
    Ok(Then::Stay)
}

fn centre_horizontal(m: &mut CopyMode, _: &mut Call<'_>) -> Result<Then, String> {
    m.cursor.col = m.size.cols / 2;
    m.follow();
    Ok(Then::Stay)
}

fn centre_vertical(m: &mut CopyMode, _: &mut Call<'_>) -> Result<Then, String> {
    let col = m.cursor.col;
    m.go_screen(usize::from(m.size.rows) / 2, col);
    Ok(Then::Stay)
}

fn down_or_leave(m: &mut CopyMode, c: &mut Call<'_>) -> Result<Then, String> {
    let on_screen = m.screen_row();
    m.times(c.count, |m| m.vertical(true));
    Ok(if on_screen == m.screen_row() && m.top == m.bottom() { Then::Leave } else { Then::Stay })
}

fn goto_line(m: &mut CopyMode, c: &mut Call<'_>) -> Result<Then, String> {
    let text = c.arg(0).trim();
    let Ok(n) = text.parse::<i64>() else { return Err(format!("not a line number: {text}")) };
    let on_screen = m.screen_row();
    let bottom = m.bottom();
    m.top = if m.counts_from_top() {
        usize::try_from(n - 1).unwrap_or(0).min(bottom)
    } else {
        bottom - usize::try_from(n).unwrap_or(bottom).min(bottom)
    };
    let col = m.cursor.col;
    m.go_screen(on_screen, col);
    Ok(Then::Stay)
}

fn recentre(m: &mut CopyMode, _: &mut Call<'_>) -> Result<Then, String> {
    if m.recentre.1 != Some(m.cursor.row) {
        m.recentre = (Recentre::Middle, Some(m.cursor.row));
    }
    let last = usize::from(m.size.rows) - 1;
    let (row, next) = match m.recentre.0 {
        Recentre::Middle => (last / 2, Recentre::Top),
        Recentre::Top => (0, Recentre::Bottom),
        Recentre::Bottom => (last, Recentre::Middle),
    };
    m.recentre.0 = next;
    m.scroll_cursor_to(row);
    Ok(Then::Stay)
}

fn refresh_now(m: &mut CopyMode, c: &mut Call<'_>) -> Result<Then, String> {
    c.acts.extend(m.wants_refresh());
    Ok(Then::Stay)
}

fn toggle_position(m: &mut CopyMode, _: &mut Call<'_>) -> Result<Then, String> {
    m.options.hide_position = !m.options.hide_position;
    Ok(Then::Stay)
}

impl CopyMode {
    /// Does something so many times, or until it changes nothing any more.
    fn times(&mut self, count: u32, f: impl Fn(&mut CopyMode)) {
        for _ in 0..count.min(MAX_TIMES) {
            let before = (self.cursor, self.top, self.selection.ends);
            f(self);
            if before == (self.cursor, self.top, self.selection.ends) {
                return;
            }
        }
    }

    fn to(&mut self, f: impl Fn(&mut super::Reader<'_>, Point) -> Point) -> Result<Then, String> {
        self.sideways(f);
        Ok(Then::Stay)
    }

    fn sideways(&mut self, f: impl Fn(&mut super::Reader<'_>, Point) -> Point) {
        let to = f(&mut self.reader(), self.cursor);
        self.go(to);
    }

    fn by_word(&mut self, f: impl Fn(&mut super::Reader<'_>, Point, &str, bool) -> Point) {
        let to = f(&mut self.reader(), self.cursor, &self.settings.separators, self.settings.vi);
        self.go(to);
    }

    fn far(&mut self, f: impl Fn(&mut super::Reader<'_>, Point) -> Point) {
        let to = f(&mut self.reader(), self.cursor);
        self.show(to);
    }

    fn bracket(&mut self, f: impl Fn(&mut super::Reader<'_>, Point, bool) -> Option<Point>) {
        let to = f(&mut self.reader(), self.cursor, self.settings.vi);
        if let Some(to) = to {
            self.show(to);
        }
    }

    fn right_edge(&self) -> Edge {
        if self.selection.rect && self.selection.ends.is_some() {
            Edge::Free
        } else if self.settings.vi {
            Edge::Last
        } else {
            Edge::Behind
        }
    }

    fn screen_line(&mut self, row: usize) -> Result<Then, String> {
        self.go_screen(row.min(usize::from(self.size.rows) - 1), 0);
        Ok(Then::Stay)
    }

    fn scroll_line(&mut self, row: usize) -> Result<Then, String> {
        self.scroll_cursor_to(row);
        Ok(Then::Stay)
    }

    fn history(&mut self, end: bool) -> Result<Then, String> {
        let e = self.selection.ends;
        match self.selection.keep {
            Keep::Left if end && e.is_some_and(|e| e.end.row == self.cursor.row) => self.other_end(),
            Keep::Right if !end && e.is_some_and(|e| e.start.row == self.cursor.row) => self.other_end(),
            _ => {}
        }
        if end {
            self.top = self.bottom();
            let col = if self.selection.rect { self.reader().limit(self.last_shown()) } else { u16::MAX };
            self.go(Point { row: self.last_shown(), col });
        } else {
            self.top = 0;
            self.go(Point::default());
        }
        Ok(Then::Stay)
    }

    fn pages(&mut self, c: &mut Call<'_>, down: bool, half: bool, leave: bool) -> Result<Then, String> {
        for _ in 0..c.count {
            let before = (self.cursor, self.top);
            let more = self.page(down, half);
            if leave && !more && self.selection.ends.is_none() {
                return Ok(Then::Leave);
            }
            if before == (self.cursor, self.top) {
                break;
            }
        }
        Ok(Then::Stay)
    }

    fn scroll(&mut self, c: &mut Call<'_>, down: bool, leave: bool) -> Result<Then, String> {
        let leave = down && (leave || self.options.exit_at_bottom);
        let selects = self.selection.ends.is_some();
        let at_end = |m: &CopyMode| if down { m.top == m.bottom() } else { m.top == 0 };
        if at_end(self) {
            return Ok(if leave && !selects { Then::Leave } else { Then::Stay });
        }
        if selects && !self.dragging {
            self.selection.moving = Moving::None;
            self.selection.keep = Keep::Nothing;
            self.scroll_view(down, c.count as usize);
            return Ok(Then::Stay);
        }
        self.times(c.count, |m| m.scroll_step(down));
        Ok(if leave && at_end(self) && !selects { Then::Leave } else { Then::Stay })
    }

    fn exit_at_bottom(&mut self, on: Option<bool>) -> Result<Then, String> {
        self.options.exit_at_bottom = on.unwrap_or(!self.options.exit_at_bottom);
        Ok(Then::Stay)
    }

    fn rectangle(&mut self, on: bool) -> Result<Then, String> {
        self.selection.keep = Keep::Nothing;
        self.selection.rect = on;
        self.follow();
        Ok(Then::Stay)
    }

    fn show_numbers(&mut self, on: Option<bool>) -> Result<Then, String> {
        let on = on.unwrap_or(self.line_numbers() == LineNumbers::Off);
        self.numbers = if on { Numbers::Forced } else { Numbers::Off };
        Ok(Then::Stay)
    }

    fn refresh(&mut self, c: &mut Call<'_>, on: Option<bool>) -> Result<Then, String> {
        let on = on.unwrap_or(!self.refreshing) && self.wants_refresh().is_some();
        self.refreshing = on;
        self.refresh = on.then(|| c.view.now.mono + REFRESH_STEP);
        Ok(Then::Stay)
    }

    fn jump_to(&mut self, c: &mut Call<'_>, jump: Jump) -> Result<Then, String> {
        let Some((what, _)) = crate::base::width::clusters(c.arg(0)).next() else { return Ok(Then::Stay) };
        self.jump = Some((jump, what.to_owned()));
        self.times(c.count, |m| m.jump_once(jump));
        Ok(Then::Stay)
    }

    fn jump_again(&mut self, c: &mut Call<'_>, reverse: bool) -> Result<Then, String> {
        let Some((jump, _)) = self.jump else { return Ok(Then::Stay) };
        let jump = match (jump, reverse) {
            (jump, false) => jump,
            (Jump::Forward, true) => Jump::Backward,
            (Jump::Backward, true) => Jump::Forward,
            (Jump::ToForward, true) => Jump::ToBackward,
            (Jump::ToBackward, true) => Jump::ToForward,
        };
        self.times(c.count, |m| m.jump_once(jump));
        Ok(Then::Stay)
    }

    fn prompt(&mut self, c: &mut Call<'_>, down: bool) -> Result<Then, String> {
        let mark = if c.has('o') { Marks::OUTPUT } else { Marks::PROMPT };
        let row = motion::marked_row(&mut self.reader(), self.cursor.row, down, mark);
        if let Some(row) = row {
            self.top = row.min(self.bottom());
            self.go(Point { row, col: 0 });
        }
        Ok(Then::Stay)
    }

    fn search_times(&mut self, count: u32, forward: bool) {
        self.times(count, |m| {
            m.search_step(forward);
        });
    }

    fn search(&mut self, c: &mut Call<'_>, forward: bool, regex: bool) -> Result<Then, String> {
        let text = c.arg(0);
        if text.is_empty() {
            return Ok(Then::Stay);
        }
        self.search.set(text, regex);
        self.search.forward = Some(forward);
        self.search_times(c.count, forward);
        Ok(Then::Stay)
    }

    fn search_again(&mut self, c: &mut Call<'_>, reverse: bool) -> Result<Then, String> {
        if let Some(forward) = self.search.forward {
            self.search_times(c.count, forward != reverse);
        }
        Ok(Then::Stay)
    }

    /// The argument is what a prompt of kind `-i` says: `=`, `+` or `-`, then the text so far.
    fn search_incremental(&mut self, c: &mut Call<'_>, forward: bool) -> Result<Then, String> {
        let mut chars = c.arg(0).chars();
        let how = chars.next();
        let text = chars.as_str();
        match self.search.origin {
            None => self.search.origin = Some((self.cursor, self.top)),
            Some((cursor, top)) if text != self.search.text => {
                (self.cursor, self.top) = (cursor, top);
                self.settle();
            }
            Some(_) => {}
        }
        if text.is_empty() {
            self.search.hide();
            return Ok(Then::Stay);
        }
        let forward = match how {
            Some('+') => true,
            Some('-') => false,
            Some('=') => forward,
            _ => return Ok(Then::Stay),
        };
        self.search.set(text, false);
        self.search.forward = Some(forward);
        if !self.search_step(forward) {
            self.search.hide();
        }
        Ok(Then::Stay)
    }

    fn append(&mut self, c: &mut Call<'_>, leave: bool) -> Result<Then, String> {
        if let Some(text) = self.selected() {
            c.acts.push(Act::Copy { text, name_prefix: None, buffer: true, clipboard: true, append: true });
        }
        self.clear_selection();
        Ok(if leave { Then::Leave } else { Then::Stay })
    }

    fn take(&mut self, t: Take, c: &mut Call<'_>) -> Result<Then, String> {
        let before = (self.cursor, self.top);
        if t.what != What::Selection {
            let rect = std::mem::take(&mut self.selection.rect);
            self.selection.clear();
            if t.what == What::Line {
                let start = motion::line_start(&mut self.reader(), self.cursor);
                self.go(start);
            }
            self.begin_selection();
            self.times(c.count - 1, |m| m.vertical(true));
            self.line_end();
            self.put_out(t, c);
            self.selection.clear();
            (self.cursor, self.top) = before;
            self.selection.rect = rect;
            self.settle();
        } else {
            self.put_out(t, c);
            if t.after == After::Clear {
                self.clear_selection();
            }
        }
        Ok(if t.after == After::Leave { Then::Leave } else { Then::Stay })
    }

    fn put_out(&self, t: Take, c: &mut Call<'_>) {
        let Some(text) = self.selected().filter(|t| !t.is_empty()) else { return };
        let (command, prefix) = if t.pipe { (c.arg(0), c.arg(1)) } else { ("", c.arg(0)) };
        let (command, prefix) = (command.to_owned(), prefix.to_owned());
        if t.pipe {
            let command = if command.is_empty() {
                c.view.options.text(opt::COPY_COMMAND, OptScope::Server).to_owned()
            } else {
                command
            };
            if !command.is_empty() {
                c.acts.push(Act::Pipe { text: text.clone(), command });
            }
        }
        if t.copy {
            let name_prefix = (!prefix.is_empty()).then_some(prefix);
            let (buffer, clipboard) = (!c.has('P'), !c.has('C'));
            c.acts.push(Act::Copy { text, name_prefix, buffer, clipboard, append: false });
        }
    }
}
