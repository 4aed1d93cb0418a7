//! How copy mode looks: the rows, line numbers, matches, mark, selection and the position.

use super::{CopyMode, session_of, window_of};
use crate::base::{PaneId, SessionId, Style, Wall, WindowId};
use crate::format::{self, Cx, StyleSpec, Template, Value, Vars};
use crate::grid::Lines;
use crate::grid::{Match, Point, RowBuf};
use crate::layer::View;
use crate::options::choices::LineNumbers;
use crate::options::{Opt, Scope as OptScope, StyleKind, opt};
use crate::paint::{Brush, LinkId, Symbol};

/// The variables that styles and the position may use: the mode's own, and options.
struct Known<'a> {
    mode: &'a CopyMode,
    view: &'a View<'a>,
    pane: PaneId,
    window: Option<WindowId>,
    session: Option<SessionId>,
}

impl Vars for Known<'_> {
    fn get(&self, name: &str) -> Option<Value> {
        if name == "top_line_time" {
            // When a line was written is not kept.
            return Some(Value::Time(Wall(0)));
        }
        self.mode.variable(name).map(Value::Text)
    }

    fn option(&self, name: &str) -> Option<String> {
        self.view.options.for_format(name, self.session, self.window, Some(self.pane))
    }
}

impl Known<'_> {
    fn expand(&self, text: &str) -> String {
        Template::parse(text).eval(self, &Cx::new(self.view.now.wall).without_jobs())
    }

    fn style(&self, option: Opt<StyleKind>) -> StyleSpec {
        let value = self.view.options.style(option, OptScope::Pane(self.pane));
        match &value.parsed {
            Some(spec) => spec.clone(),
            None => StyleSpec::parse(&self.expand(&value.text)).unwrap_or_default(),
        }
    }
}

impl CopyMode {
    pub(super) fn paint(&self, view: &View, brush: &mut Brush<'_>) {
        let pane = self.options.pane;
        let window = window_of(view, pane);
        let known = Known { mode: self, view, pane, window, session: session_of(view, window) };
        let size = brush.size();
        let ground = ground(view, pane, window);
        brush.clear(ground);
        let rows = usize::from(size.rows.min(self.size.rows));
        let looks = Looks {
            ground,
            found: known.style(opt::COPY_MODE_MATCH_STYLE),
            current: known.style(opt::COPY_MODE_CURRENT_MATCH_STYLE),
            mark: known.style(opt::COPY_MODE_MARK_STYLE),
            selected: known.style(opt::COPY_MODE_SELECTION_STYLE),
            line: known.style(opt::COPY_MODE_CURRENT_LINE_STYLE),
            matches: self.search.in_rows(&self.lines, self.top, rows),
            at_cursor: self.search.current(&self.lines, self.cursor, self.settings.vi),
        };
        let width = self.number_width();
        let mut buf = RowBuf::new();
        for y in 0..rows {
            let row = self.top + y;
            if row >= self.lines.rows() {
                break;
            }
            self.lines.row(row, &mut buf);
            if width > 0 {
                let here = row == self.cursor.row;
                let option =
                    if here { opt::COPY_MODE_CURRENT_LINE_NUMBER_STYLE } else { opt::COPY_MODE_LINE_NUMBER_STYLE };
                let number = self.number_of(row);
                let text = format!("{number:>w$} ", w = usize::from(width) - 1);
                brush.text(0, y as u16, &text, known.style(option).over(ground));
            }
            self.paint_row(&looks, &buf, row, y as u16, width, size.cols, brush);
        }
        self.paint_position(&known, width, size.cols, brush);
    }

    fn number_of(&self, row: usize) -> usize {
        let apart = row.abs_diff(self.cursor.row);
        match self.line_numbers() {
            LineNumbers::Absolute => row + 1,
            LineNumbers::Hybrid if apart == 0 => row + 1,
            LineNumbers::Relative | LineNumbers::Hybrid => apart,
            // From the first row of the screen, up and down.
            LineNumbers::Default | LineNumbers::Off => row.abs_diff(self.bottom()),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn paint_row(&self, looks: &Looks, buf: &RowBuf, row: usize, y: u16, left: u16, cols: u16, brush: &mut Brush<'_>) {
        let selected = self.selection.columns(row, self.cursor, cols, self.settings.vi);
        let room = cols.saturating_sub(left);
        let plain = selected.is_none() && row != self.cursor.row && !(self.mark_shown && row == self.mark.row);
        // Beyond what is kept only these make a difference.
        let end = if plain { buf.used().min(room) } else { room };
        let mut x = 0;
        while x < end {
            let cell = buf.cell(x);
            let width = u16::from(cell.width.max(1));
            let mut style = looks.on_ground(cell.style);
            let at = Point { row, col: x };
            if row == self.cursor.row {
                style = looks.line.over(style);
            }
            if self.mark_shown && row == self.mark.row {
                style = marked(&looks.mark, style, x == self.mark.col);
            }
            if let Some(m) = looks.matches.iter().find(|m| m.start <= at && at <= m.end) {
                let spec = if looks.at_cursor == Some(*m) { &looks.current } else { &looks.found };
                style = spec.over(Style { attrs: crate::base::Attrs::empty(), ..style });
            }
            if selected.is_some_and(|(from, to)| (from..to).contains(&x)) {
                style = looks.selected.over(style);
            }
            let link = match cell.link {
                Some(l) => brush.link(&l.id, &l.uri),
                None => LinkId::NONE,
            };
            let symbol =
                if cell.width == 0 || x + width > room { Symbol::BLANK } else { brush.pool().symbol(cell.text) };
            let shown = if x + width > room { 1 } else { width };
            brush.put(left + x, y, symbol, shown as u8, style, link);
            x += width;
        }
    }

    fn paint_position(&self, known: &Known<'_>, left: u16, cols: u16, brush: &mut Brush<'_>) {
        if self.options.hide_position {
            return;
        }
        let format = known.view.options.text(opt::COPY_MODE_POSITION_FORMAT, OptScope::Pane(self.options.pane));
        if format.is_empty() {
            return;
        }
        let text = known.expand(format);
        let base = known.style(opt::COPY_MODE_POSITION_STYLE).style;
        let room = cols.saturating_sub(left);
        // Only what has been written covers the row below it, not the blanks that align it.
        for run in format::draw(&text, base, room, false).runs {
            let body = run.text.trim_start_matches(' ');
            let skipped = (run.text.len() - body.len()) as u16;
            let body = body.trim_end_matches(' ');
            if !body.is_empty() {
                brush.text(left + run.x + skipped, 0, body, run.style);
            }
        }
    }
}

/// All that decides the style of a cell.
struct Looks {
    ground: Style,
    found: StyleSpec,
    current: StyleSpec,
    mark: StyleSpec,
    selected: StyleSpec,
    line: StyleSpec,
    matches: Vec<Match>,
    at_cursor: Option<Match>,
}

impl Looks {
    /// Colours that a cell leaves open come from the window's style.
    fn on_ground(&self, mut style: Style) -> Style {
        if style.fg.is_default() {
            style.fg = self.ground.fg;
        }
        if style.bg.is_default() {
            style.bg = self.ground.bg;
        }
        style
    }
}

/// The line with the mark; its own cell the other way round.
fn marked(spec: &StyleSpec, below: Style, here: bool) -> Style {
    let style = spec.over(Style { attrs: crate::base::Attrs::empty(), ..below });
    if here { Style { fg: style.bg, bg: style.fg, ..style } } else { style }
}

/// The colours of `window-style` and `window-active-style`.
fn ground(view: &View, pane: PaneId, window: Option<WindowId>) -> Style {
    let of = |option| {
        let value = view.options.style(option, OptScope::Pane(pane));
        value.parsed.as_ref().map(|s| s.style).unwrap_or_default()
    };
    let plain: Style = of(opt::WINDOW_STYLE);
    let active = window.and_then(|w| view.model.window(w)).is_some_and(|w| w.active == pane);
    let over: Style = if active { of(opt::WINDOW_ACTIVE_STYLE) } else { plain };
    Style {
        fg: if over.fg.is_default() { plain.fg } else { over.fg },
        bg: if over.bg.is_default() { plain.bg } else { over.bg },
        ..Style::DEFAULT
    }
}
