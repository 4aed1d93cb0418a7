//! Copy mode: moving about in what a pane has shown, searching it, selecting and copying from it.
//!
//! The layer reads its own snapshot, so the pane's program writes on undisturbed below. Its commands are rows of one
//! table ([`COMMANDS`]) that `send-keys -X` names. It must not know buffers, terminals or jobs: what is copied or piped
//! leaves as [`Act`]s.

mod draw;
mod motion;
mod mouse;
mod read;
mod search;
mod select;
mod table;
#[cfg(test)]
mod tests;

pub use table::{COMMANDS, Clear, Command};

use self::motion::Edge;
use self::read::Reader;
use self::search::Search;
use self::select::{Keep, Moving, Selection, Unit};
use super::{Act, Layer, LayerCursor, LayerInput, Outcome, View};
use crate::base::{PaneId, Pos, Rev, Size, Span, Time, WindowId};
use crate::grid::{Lines, Point, Snapshot};
use crate::options::choices::{EditKeys, LineNumbers};
use crate::options::{Scope as OptScope, opt};
use crate::paint::{Brush, CursorShape};

/// How often the text moves while the mouse drags at an edge.
const DRAG_STEP: Span = Span::from_millis(50);
/// How often the view is brought up to date after `refresh-on`.
const REFRESH_STEP: Span = Span::from_millis(200);
/// The longest text that is copied, in bytes.
const MAX_COPIED: usize = 256 << 20;
/// Repetitions of one command; a count beyond it is cut.
const MAX_TIMES: u32 = 100_000;

/// How copy mode begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyOptions {
    /// The pane the mode stands on.
    pub pane: PaneId,
    /// The pane whose rows it shows.
    pub source: PaneId,
    /// Where the source's cursor stands on its screen.
    pub cursor: Pos,
    /// `-e`: leave when scrolled down to the bottom.
    pub exit_at_bottom: bool,
    /// `-H`: no position indicator.
    pub hide_position: bool,
}

/// What options say about the mode.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Settings {
    vi: bool,
    wrap_search: bool,
    separators: String,
    numbers: LineNumbers,
}

/// Whether line numbers are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbers {
    Off,
    /// As `copy-mode-line-numbers` says.
    Option,
    /// Also where the option says off.
    Forced,
}

/// The column that a move up or down heads for.
#[derive(Clone, Copy, Debug, Default)]
struct Goal {
    col: u16,
    /// How long the row was where the column was taken.
    len: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Jump {
    Forward,
    Backward,
    ToForward,
    ToBackward,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recentre {
    Middle,
    Top,
    Bottom,
}

/// Which way the text scrolls by itself while the mouse drags.
#[derive(Clone, Copy, Debug)]
struct Pull {
    down: bool,
    at: Time,
}

#[derive(Debug)]
pub struct CopyMode {
    lines: Snapshot,
    size: Size,
    options: CopyOptions,
    settings: Settings,
    /// The first row shown.
    top: usize,
    /// Always in one of the rows shown.
    cursor: Point,
    /// Where the program's cursor stood; only there ours may stand beyond the text.
    entered: Point,
    goal: Goal,
    selection: Selection,
    search: Search,
    jump: Option<(Jump, String)>,
    mark: Point,
    mark_shown: bool,
    numbers: Numbers,
    recentre: (Recentre, Option<usize>),
    /// A count for the next command; 0 is none.
    count: u32,
    /// The mouse's button is held and selects.
    dragging: bool,
    pull: Option<Pull>,
    /// The command's key was the mouse, here.
    pointed: bool,
    refresh: Option<Time>,
    refreshing: bool,
    stale: bool,
    rev: Rev,
}

impl CopyMode {
    /// The mode on a room of this size, showing the end of what was snapped.
    pub fn new(lines: Snapshot, size: Size, options: CopyOptions) -> CopyMode {
        let size = Size::new(size.cols.max(1), size.rows.max(1));
        let cursor = Point { row: lines.history() + usize::from(options.cursor.y), col: options.cursor.x };
        let mut mode = CopyMode {
            lines,
            size,
            options,
            settings: Settings { vi: false, wrap_search: true, separators: String::new(), numbers: LineNumbers::Off },
            top: 0,
            cursor,
            entered: cursor,
            goal: Goal::default(),
            selection: Selection::default(),
            search: Search::default(),
            jump: None,
            mark: cursor,
            mark_shown: false,
            numbers: Numbers::Option,
            recentre: (Recentre::Middle, None),
            count: 0,
            dragging: false,
            pull: None,
            pointed: false,
            refresh: None,
            refreshing: false,
            stale: false,
            rev: Rev(1),
        };
        mode.top = mode.bottom().min(cursor.row);
        mode.settle();
        mode.mark = mode.cursor;
        mode
    }

    /// The pane whose rows are shown.
    pub fn source(&self) -> PaneId {
        self.options.source
    }

    /// Scrolling down to the bottom leaves the mode, or no longer does.
    pub fn set_exit_at_bottom(&mut self, on: bool) {
        self.options.exit_at_bottom = on;
    }

    /// What was looked for last; goes on when the mode is opened again.
    pub fn set_search(&mut self, text: &str, regex: bool) {
        if !text.is_empty() {
            self.search.set(text, regex);
            self.search.forward = Some(false);
        }
    }

    /// Takes newer rows. The view stays where it was in the text, or at the end if the cursor was on the last row.
    pub fn replace(&mut self, lines: Snapshot) {
        let follow = self.top >= self.bottom() && self.cursor.row >= self.last_shown() && self.selection.ends.is_none();
        let same_width = lines.size().cols == self.lines.size().cols;
        let mut points = vec![self.cursor, Point { row: self.top, col: 0 }, self.mark];
        if let Some(e) = self.selection.ends {
            points.extend([e.start, e.end]);
        }
        if let Some(e) = self.selection.first {
            points.extend([e.start, e.end]);
        }
        if !same_width {
            carry_over(&self.lines, &lines, &mut points);
        }
        self.lines = lines;
        let mut points = points.into_iter();
        let mut next = |p: &mut Point| *p = points.next().unwrap_or(*p);
        next(&mut self.cursor);
        let mut top = Point { row: self.top, col: 0 };
        next(&mut top);
        self.top = top.row;
        next(&mut self.mark);
        for e in [&mut self.selection.ends, &mut self.selection.first].into_iter().flatten() {
            next(&mut e.start);
            next(&mut e.end);
        }
        if follow {
            self.cursor.row = self.lines.rows().saturating_sub(1);
            self.top = self.bottom();
        }
        self.entered = Point { row: usize::MAX, col: 0 };
        self.stale = false;
        self.search.hide();
        self.reveal();
        self.settle();
        self.rev.bump();
    }

    // ---- places ----

    fn reader(&self) -> Reader<'_> {
        Reader::new(&self.lines)
    }

    /// The first row shown when scrolled down fully.
    fn bottom(&self) -> usize {
        self.lines.rows().max(1).saturating_sub(usize::from(self.size.rows))
    }

    /// Rows scrolled up from the bottom.
    fn scrolled(&self) -> usize {
        self.bottom().saturating_sub(self.top)
    }

    fn last_shown(&self) -> usize {
        (self.top + usize::from(self.size.rows)).min(self.lines.rows().max(1)) - 1
    }

    /// The cursor's row within the room.
    fn screen_row(&self) -> usize {
        self.cursor.row.saturating_sub(self.top)
    }

    fn edge(&self) -> Edge {
        if self.selection.rect {
            Edge::Free
        } else if self.settings.vi {
            Edge::Last
        } else {
            Edge::Behind
        }
    }

    /// Puts everything back inside: first row, cursor, ends of the selection.
    fn settle(&mut self) {
        self.top = self.top.min(self.bottom());
        self.cursor.row = self.cursor.row.clamp(self.top, self.last_shown());
        let edge = self.edge();
        let last = self.lines.rows().max(1) - 1;
        let mut r = Reader::new(&self.lines);
        let (end, cols) = (edge.of(&mut r, self.cursor.row), r.cols());
        let end = if self.cursor == self.entered { cols } else { end };
        self.cursor.col = self.cursor.col.min(end);
        if edge != Edge::Free {
            self.cursor = r.head(self.cursor);
        }
        let inside = |p: &mut Point| *p = Point { row: p.row.min(last), col: p.col.min(cols) };
        inside(&mut self.mark);
        inside(&mut self.selection.origin);
        for e in [&mut self.selection.ends, &mut self.selection.first].into_iter().flatten() {
            inside(&mut e.start);
            inside(&mut e.end);
        }
    }

    /// Scrolls as little as needed to show the cursor.
    fn reveal(&mut self) {
        if self.cursor.row < self.top {
            self.top = self.cursor.row;
        } else if self.cursor.row > self.last_shown() {
            self.top = (self.cursor.row + 1).saturating_sub(usize::from(self.size.rows)).min(self.bottom());
        }
    }

    /// The moving end of the selection follows the cursor.
    fn follow(&mut self) {
        self.settle();
        let mut r = Reader::new(&self.lines);
        self.selection.follow(&mut r, self.cursor, &self.settings.separators, self.settings.vi);
    }

    /// The cursor goes somewhere, the view only as far as it must.
    fn go(&mut self, p: Point) {
        self.cursor = Point { row: p.row.min(self.lines.rows().max(1) - 1), col: p.col };
        self.reveal();
        self.follow();
    }

    /// The cursor goes somewhere far; the rows around it are shown.
    fn show(&mut self, p: Point) {
        let rows = usize::from(self.size.rows);
        if p.row < self.top || p.row >= self.top + rows {
            let gap = rows / 4;
            self.top = if p.row < rows {
                0
            } else if p.row + gap > self.bottom() + rows {
                self.bottom()
            } else {
                (p.row + gap + 1).saturating_sub(rows).min(self.bottom())
            };
        }
        self.go(p);
    }

    /// The cursor goes to a row of the room, in a column as far as the row goes.
    fn go_screen(&mut self, row: usize, col: u16) {
        self.cursor = Point { row: (self.top + row).min(self.last_shown()), col };
        self.follow();
    }

    fn take_goal(&mut self) {
        if self.selection.ends.is_some() && self.selection.rect {
            self.goal.col = self.cursor.col;
            return;
        }
        let len = self.reader().len(self.cursor.row);
        if self.cursor.col != len {
            self.goal = Goal { col: self.cursor.col, len };
        }
    }

    /// The column for a row that was come to up or down.
    fn goal_in(&self, row: usize) -> u16 {
        if self.selection.ends.is_some() && self.selection.rect {
            return self.goal.col;
        }
        let len = self.reader().len(row);
        if self.goal.col >= self.goal.len || self.goal.col > len { len } else { self.goal.col }
    }

    /// A row up or down.
    fn vertical(&mut self, down: bool) {
        self.take_goal();
        let e = self.selection.ends;
        match self.selection.keep {
            Keep::Right if !down && e.is_some_and(|e| e.start.row == self.cursor.row) => self.other_end(),
            Keep::Left if down && e.is_some_and(|e| e.end.row == self.cursor.row) => self.other_end(),
            _ => {}
        }
        let row = if down {
            (self.cursor.row + 1).min(self.lines.rows().max(1) - 1)
        } else {
            self.cursor.row.saturating_sub(1)
        };
        self.go(Point { row, col: self.goal_in(row) });
        self.keep_side();
    }

    /// After select-line the cursor stands at the side of its line.
    fn keep_side(&mut self) {
        let col = match self.selection.keep {
            Keep::Nothing => return,
            Keep::Right => self.reader().len(self.cursor.row),
            Keep::Left => 0,
        };
        self.cursor.col = col;
        self.follow();
    }

    /// Scrolls by one row. In vi the cursor stays on its text while it can, in emacs in its row of the room.
    fn scroll_step(&mut self, down: bool) {
        let top = if down { (self.top + 1).min(self.bottom()) } else { self.top.saturating_sub(1) };
        if top == self.top {
            return;
        }
        self.take_goal();
        let on_screen = self.screen_row();
        self.top = top;
        let row = if self.settings.vi {
            self.cursor.row.clamp(self.top, self.last_shown())
        } else {
            (self.top + on_screen).min(self.last_shown())
        };
        if row != self.cursor.row {
            self.cursor = Point { row, col: self.goal_in(row) };
        }
        self.follow();
    }

    /// Scrolls the view alone; a selection stays as it is, and the cursor in its row of the room.
    fn scroll_view(&mut self, down: bool, n: usize) {
        let on_screen = self.screen_row();
        self.top = if down { self.top.saturating_add(n).min(self.bottom()) } else { self.top.saturating_sub(n) };
        self.cursor.row = self.top + on_screen;
        self.settle();
    }

    /// A page or half of one. False if it was the last one down.
    fn page(&mut self, down: bool, half: bool) -> bool {
        self.take_goal();
        let rows = usize::from(self.size.rows);
        let n = if rows <= 2 {
            1
        } else if half {
            rows / 2
        } else {
            rows - 2
        };
        let mut on_screen = self.screen_row();
        if down {
            if self.top + n > self.bottom() {
                self.top = self.bottom();
                on_screen = (on_screen + n).min(rows - 1);
            } else {
                self.top += n;
            }
        } else if self.top < n {
            self.top = 0;
            on_screen = on_screen.saturating_sub(n);
        } else {
            self.top -= n;
        }
        let row = (self.top + on_screen).min(self.last_shown());
        self.cursor = Point { row, col: self.goal_in(row) };
        self.follow();
        !down || self.top < self.bottom()
    }

    /// Scrolls so that the cursor's text stands in this row of the room, if that can be.
    fn scroll_cursor_to(&mut self, row: usize) {
        self.top = self.cursor.row.saturating_sub(row).min(self.bottom());
        self.settle();
    }

    fn line_end(&mut self) {
        let rect = self.selection.rect && self.selection.ends.is_some();
        let edge = if rect {
            Edge::Free
        } else if self.settings.vi {
            Edge::Last
        } else {
            Edge::Behind
        };
        let p = motion::line_end(&mut self.reader(), self.cursor, edge);
        self.go(p);
    }

    fn begin_selection(&mut self) {
        let unit = self.selection.unit;
        self.selection.begin(self.cursor);
        self.selection.origin = self.cursor;
        if unit != Unit::Char {
            let ends = self.unit_at(unit);
            self.selection.first = Some(ends);
            self.selection.ends = Some(ends);
        }
    }

    fn unit_at(&self, unit: Unit) -> select::Ends {
        let mut r = self.reader();
        match unit {
            Unit::Char => select::Ends { start: self.cursor, end: self.cursor },
            Unit::Word => select::word_at(&mut r, self.cursor, &self.settings.separators, self.settings.vi),
            Unit::Line => {
                let start = motion::line_start(&mut r, self.cursor);
                let end = motion::line_end(&mut r, self.cursor, Edge::Behind);
                select::Ends { start, end }
            }
        }
    }

    fn select_unit(&mut self, unit: Unit) {
        let ends = self.unit_at(unit);
        self.selection = Selection {
            ends: Some(ends),
            moving: Moving::End,
            unit,
            keep: if unit == Unit::Line { Keep::Right } else { Keep::Nothing },
            rect: false,
            origin: self.cursor,
            first: Some(ends),
        };
        self.cursor = ends.end;
        self.reveal();
        self.settle();
    }

    fn clear_selection(&mut self) {
        self.selection.clear();
        self.settle();
    }

    /// The cursor changes to the other end of the selection.
    fn other_end(&mut self) {
        let Some(ends) = self.selection.ends else { return };
        self.selection.keep = match self.selection.keep {
            Keep::Nothing => Keep::Nothing,
            Keep::Right => Keep::Left,
            Keep::Left => Keep::Right,
        };
        self.selection.moving = match self.selection.moving {
            Moving::None | Moving::Start => Moving::End,
            Moving::End => Moving::Start,
        };
        self.cursor = if self.selection.moving == Moving::Start { ends.start } else { ends.end };
        self.reveal();
        self.settle();
    }

    /// The selected text, or the match at the cursor if nothing is selected.
    fn selected(&self) -> Option<String> {
        let mut r = self.reader();
        if self.selection.ends.is_some() {
            return self.selection.text(&mut r, self.cursor, self.settings.vi, MAX_COPIED);
        }
        self.match_text()
    }

    fn match_text(&self) -> Option<String> {
        let m = self.search.current(&self.lines, self.cursor, self.settings.vi)?;
        let found = Selection { ends: Some(select::Ends { start: m.start, end: m.end }), ..Selection::default() };
        let mut r = self.reader();
        found.text(&mut r, self.cursor, true, MAX_COPIED).map(|t| t.trim_end_matches('\n').to_owned())
    }

    /// One step of a search. False if there is no match.
    fn search_step(&mut self, forward: bool) -> bool {
        let (vi, wrap) = (self.settings.vi, self.settings.wrap_search);
        let Some(m) = self.search.step(&self.lines, self.cursor, forward, vi, wrap) else { return false };
        self.show(m.start);
        if forward && !vi {
            let p = search::after(&mut self.reader(), m.end);
            self.go(p);
        }
        true
    }

    fn jump_once(&mut self, jump: Jump) {
        let Some((_, what)) = &self.jump else { return };
        let vi_edge = if self.settings.vi { Edge::Last } else { Edge::Behind };
        let mut r = Reader::new(&self.lines);
        let c = self.cursor;
        let to = match jump {
            Jump::Forward => {
                let from = Point { col: c.col.saturating_add(1), ..c };
                motion::find_forward(&mut r, from, what)
            }
            Jump::ToForward => {
                let from = Point { col: c.col.saturating_add(2), ..c };
                motion::find_forward(&mut r, from, what).map(|p| motion::left(&mut r, p))
            }
            Jump::Backward => back_from(&mut r, c).and_then(|p| motion::find_backward(&mut r, p, what)),
            Jump::ToBackward => back_from(&mut r, c)
                .and_then(|p| back_from(&mut r, p))
                .and_then(|p| motion::find_backward(&mut r, p, what))
                .map(|p| motion::right(&mut r, p, vi_edge, true)),
        };
        if let Some(p) = to {
            self.go(p);
        }
    }

    fn line_numbers(&self) -> LineNumbers {
        match (self.numbers, self.settings.numbers) {
            (Numbers::Off, _) => LineNumbers::Off,
            (Numbers::Forced, LineNumbers::Off) => LineNumbers::Default,
            (_, of_option) => of_option,
        }
    }

    /// Lines are counted from the oldest, not from the bottom.
    fn counts_from_top(&self) -> bool {
        matches!(self.line_numbers(), LineNumbers::Absolute | LineNumbers::Relative | LineNumbers::Hybrid)
    }

    /// Columns that line numbers take at the left.
    fn number_width(&self) -> u16 {
        if self.line_numbers() == LineNumbers::Off {
            return 0;
        }
        let digits = (self.lines.rows() + 1).to_string().len().max(3) as u16 + 1;
        digits.min(self.size.cols.saturating_sub(1))
    }

    /// Changes over to what options say now.
    fn look(&mut self, view: &View) {
        let window = window_of(view, self.options.pane);
        let session = session_of(view, window);
        let scope = OptScope::Pane(self.options.pane);
        let of_session = session.map_or(OptScope::GlobalSession, OptScope::Session);
        let o = view.options;
        let now = Settings {
            vi: o.choice(opt::MODE_KEYS, scope) == EditKeys::Vi,
            wrap_search: o.flag(opt::WRAP_SEARCH, scope),
            separators: o.text(opt::WORD_SEPARATORS, of_session).to_owned(),
            numbers: o.choice(opt::COPY_MODE_LINE_NUMBERS, scope),
        };
        if now != self.settings {
            self.settings = now;
            self.settle();
            self.rev.bump();
        }
    }

    /// A new snapshot is wanted; only of the pane itself, others may be of another size.
    fn wants_refresh(&self) -> Option<Act> {
        (self.options.source == self.options.pane).then_some(Act::Refresh)
    }
}

/// One character back within the logical line.
fn back_from(r: &mut Reader<'_>, p: Point) -> Option<Point> {
    if p.col == 0 && (p.row == 0 || !r.wrapped(p.row - 1)) {
        return None;
    }
    let to = motion::left(r, p);
    Some(if to.row == p.row { to } else { Point { col: to.col.saturating_sub(1), ..to } })
}

fn window_of(view: &View, pane: PaneId) -> Option<WindowId> {
    view.model.pane(pane).map(|p| p.window)
}

/// The session whose options count: the client's, else one that has the window.
fn session_of(view: &View, window: Option<WindowId>) -> Option<crate::base::SessionId> {
    let of_client = view.client.and_then(|c| view.model.client(c)).and_then(|c| c.session);
    of_client.or_else(|| {
        let window = window?;
        view.model.sessions.values().find(|s| s.links.values().any(|l| l.window == window)).map(|s| s.id)
    })
}

/// Places in a snapshot become places in one of another width: the same logical line, counted from the oldest, and the
/// same column of it.
fn carry_over(from: &Snapshot, to: &Snapshot, points: &mut [Point]) {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|i| points[*i]);
    let mut old = Reader::new(from);
    let mut new = Reader::new(to);
    let (mut row, mut before) = (0usize, 0usize);
    let mut line_row = 0usize;
    for i in order {
        let p = points[i];
        // Lines passed in the old rows, and columns of the line before this row.
        while row < p.row.min(old.last_row()) {
            if old.wrapped(row) {
                before += usize::from(old.row(row).used());
            } else {
                before = 0;
                while line_row < new.last_row() && new.wrapped(line_row) {
                    line_row += 1;
                }
                line_row = (line_row + 1).min(new.last_row());
            }
            row += 1;
        }
        let mut left = before + usize::from(p.col);
        let mut at = line_row;
        while new.wrapped(at) {
            let used = usize::from(new.row(at).used());
            if left < used || used == 0 {
                break;
            }
            left -= used;
            at += 1;
        }
        points[i] = Point { row: at, col: u16::try_from(left).unwrap_or(u16::MAX) };
    }
}

impl Layer for CopyMode {
    fn name(&self) -> &'static str {
        "copy-mode"
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn table(&self, view: &View) -> Option<&'static str> {
        let keys = view.options.choice(opt::MODE_KEYS, OptScope::Pane(self.options.pane));
        Some(if keys == EditKeys::Vi { "copy-mode-vi" } else { "copy-mode" })
    }

    fn input(&mut self, input: &LayerInput, view: &View) -> Outcome {
        self.look(view);
        if let LayerInput::Mouse { mouse, x, y } = input {
            self.mouse(mouse, *x, *y, view);
        }
        // Keys that are not bound, and pastes, are for nobody while the mode is on.
        Outcome::eat()
    }

    fn point(&mut self, mouse: &crate::keys::Mouse, x: i32, y: i32, view: &View) {
        self.look(view);
        self.point_at(mouse, x, y);
    }

    fn command(&mut self, argv: &[String], count: u32, view: &View) -> Result<Outcome, String> {
        self.look(view);
        table::run(self, argv, count, view)
    }

    fn sync(&mut self, view: &View) -> Outcome {
        self.look(view);
        match self.wants_refresh() {
            Some(act) if self.stale => {
                self.stale = false;
                Outcome::pass().with(act)
            }
            _ => Outcome::pass(),
        }
    }

    fn resize(&mut self, size: Size) {
        let size = Size::new(size.cols.max(1), size.rows.max(1));
        if size == self.size {
            return;
        }
        self.size = size;
        self.stale = true;
        self.reveal();
        self.settle();
        self.rev.bump();
    }

    fn draw(&self, view: &View, brush: &mut Brush<'_>) {
        self.paint(view, brush);
    }

    fn cursor(&self, _view: &View, size: Size) -> Option<LayerCursor> {
        let width = self.number_width();
        let x = self.cursor.col.saturating_add(width).min(size.cols.saturating_sub(1));
        let y = u16::try_from(self.screen_row()).unwrap_or(u16::MAX);
        (y < size.rows).then_some(LayerCursor { at: Pos::new(x, y), shape: CursorShape::Default })
    }

    fn var(&self, name: &str) -> Option<String> {
        self.variable(name)
    }

    fn rev(&self) -> Rev {
        self.rev
    }

    fn deadline(&self) -> Option<Time> {
        let pull = self.pull.map(|p| p.at);
        [pull, self.refresh].into_iter().flatten().min()
    }

    fn tick(&mut self, view: &View) -> Outcome {
        self.look(view);
        let now = view.now.mono;
        let mut outcome = Outcome::pass();
        if let Some(pull) = self.pull
            && pull.at <= now
        {
            self.pull = Some(Pull { at: now + DRAG_STEP, ..pull });
            self.pull_once(pull.down);
        }
        if self.refresh.is_some_and(|at| at <= now) {
            self.refresh = Some(now + REFRESH_STEP);
            // What is being selected must not move.
            if self.selection.ends.is_none()
                && let Some(act) = self.wants_refresh()
            {
                outcome.acts.push(act);
            }
        }
        outcome
    }
}

impl CopyMode {
    fn variable(&self, name: &str) -> Option<String> {
        let flag = |on: bool| Some(String::from(if on { "1" } else { "0" }));
        let ends = self.selection.ends;
        let mut r = self.reader();
        match name {
            "scroll_position" => Some(self.scrolled().to_string()),
            "copy_position" if self.counts_from_top() => Some((self.top + 1).to_string()),
            "copy_position" => Some(self.scrolled().to_string()),
            "copy_position_limit" if self.counts_from_top() => Some(self.lines.rows().to_string()),
            "copy_position_limit" => Some(self.bottom().to_string()),
            "copy_cursor_x" => Some(self.cursor.col.to_string()),
            "copy_cursor_y" => Some(self.screen_row().to_string()),
            "copy_cursor_word" => {
                if r.kind(self.cursor, &self.settings.separators) != read::Kind::Letter {
                    return Some(String::new());
                }
                let ends = select::word_at(&mut r, self.cursor, &self.settings.separators, true);
                let word = Selection { ends: Some(ends), ..Selection::default() };
                word.text(&mut r, self.cursor, true, MAX_COPIED).map(|t| t.trim_end_matches('\n').to_owned())
            }
            "copy_cursor_line" => Some(r.row(self.cursor.row).text().trim_end_matches(' ').to_owned()),
            "copy_cursor_hyperlink" => {
                let at = r.head(self.cursor);
                Some(r.row(at.row).cell(at.col).link.map(|l| l.uri.to_string()).unwrap_or_default())
            }
            "copy_line_numbers" => flag(self.line_numbers() != LineNumbers::Off),
            "refresh_active" => flag(self.refreshing),
            "rectangle_toggle" => flag(self.selection.rect),
            "selection_start_x" => Some(ends?.start.col.to_string()),
            "selection_start_y" => Some(ends?.start.row.to_string()),
            "selection_end_x" => Some(ends?.end.col.to_string()),
            "selection_end_y" => Some(ends?.end.row.to_string()),
            "selection_active" => flag(ends.is_some() && self.selection.moving != Moving::None),
            "selection_present" => flag(ends.is_some_and(|e| e.start != e.end)),
            "selection_mode" => Some(
                match self.selection.unit {
                    Unit::Char => "char",
                    Unit::Word => "word",
                    Unit::Line => "line",
                }
                .to_owned(),
            ),
            "search_present" => flag(self.search.shown),
            "search_timed_out" => flag(false),
            "search_count" => Some(self.search.count?.to_string()),
            "search_count_partial" => self.search.count.and_then(|_| flag(self.search.partial)),
            "search_match" => Some(self.match_text().unwrap_or_default()),
            "pane_search_string" => Some(self.search.text.clone()),
            _ => None,
        }
    }
}
