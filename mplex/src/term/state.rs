//! What the terminal is: screens, cursor, pen, modes; and the movements that sequences are made of.

use super::charset::Charset;
use super::modes::Modes;
use super::{Colours, Cursor, MOST_NOTICES, MOST_REPLIES, Notice, Output, Progress, Settings, Shape};
use crate::base::{Rev, Size, Style, width};
use crate::grid::{Cell, Glyph, History, Interned, Limits, Marks, Screen};

/// What DECSC keeps, per screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saved {
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) pending: bool,
    pub(super) pen: Style,
    pub(super) protected: bool,
    pub(super) origin: bool,
    pub(super) sets: [Charset; 4],
    pub(super) gl: u8,
    pub(super) gr: u8,
}

/// The main screen while the alternate one is shown.
#[derive(Clone, Debug)]
pub(super) struct Other {
    pub(super) scr: Screen,
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) pending: bool,
}

/// Entries of the cache of joins; and what they say besides the number of a cluster and [`JOIN_WIDE`].
const JOINED: usize = 256;
const JOIN_WIDE: u32 = 1 << 30;
const JOIN_NOT: u32 = u32::MAX;
const JOIN_DROP: u32 = u32::MAX - 1;
/// Cells that are put down at once.
const RUN: usize = 128;
/// Most entries of the stacks that programs push to.
const MOST_STACK: usize = 16;

#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) scr: Screen,
    pub(super) other: Option<Box<Other>>,
    pub(super) history: History,
    pub(super) names: Interned,
    pub(super) rev: Rev,
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) pending: bool,
    pub(super) pen: Style,
    pub(super) link: u16,
    /// DECSCA or SPA is in force.
    pub(super) protected: bool,
    /// Protection is ISO's (SPA): every erase honours it.
    pub(super) iso_guard: bool,
    /// Style, link and flags of the pen as cell bits; stale after the pen moved.
    look: u64,
    stale: bool,
    pub(super) modes: Modes,
    /// Scroll region: rows `top..bottom`, columns `left..right`.
    pub(super) top: u16,
    pub(super) bottom: u16,
    pub(super) left: u16,
    pub(super) right: u16,
    pub(super) tabs: Vec<bool>,
    pub(super) sets: [Charset; 4],
    pub(super) gl: u8,
    pub(super) gr: u8,
    pub(super) single_shift: Option<u8>,
    /// Printing needs more than writing cells: character set, insert mode, margins.
    pub(super) slow: bool,
    /// The last thing that came was printed: REP may repeat it.
    pub(super) printed: bool,
    saves: [Option<Saved>; 2],
    /// What joining gave for a cell's text and a character; see [`State::join`].
    joined: Box<[(u64, u32); JOINED]>,
    pub(super) shape: Shape,
    pub(super) blink: Option<bool>,
    pub(super) colours: Colours,
    pub(super) modify_other_keys: u8,
    pub(super) kitty_stacks: [Vec<u8>; 2],
    pub(super) title: String,
    pub(super) icon: String,
    pub(super) path: String,
    pub(super) titles: Vec<(String, String)>,
    pub(super) progress: Progress,
    pub(super) scrolled: u64,
    pub(super) history_moved: u64,
    pub(super) settings: Settings,
}

impl State {
    pub(super) fn new(size: Size, limits: Limits, settings: Settings) -> State {
        State {
            scr: Screen::new(size, Rev::ZERO),
            other: None,
            history: History::new(size.cols, limits),
            names: Interned::default(),
            rev: Rev::ZERO,
            x: 0,
            y: 0,
            pending: false,
            pen: Style::DEFAULT,
            link: 0,
            protected: false,
            iso_guard: false,
            look: 0,
            stale: false,
            modes: Modes::INITIAL,
            top: 0,
            bottom: size.rows,
            left: 0,
            right: size.cols,
            tabs: default_tabs(size.cols),
            sets: [Charset::Ascii; 4],
            gl: 0,
            gr: 2,
            single_shift: None,
            slow: false,
            printed: false,
            saves: [None; 2],
            joined: Box::new([(0, 0); JOINED]),
            shape: Shape::Default,
            blink: None,
            colours: Colours { palette: settings.palette.clone(), ..Colours::default() },
            modify_other_keys: 0,
            kitty_stacks: [vec![0], vec![0]],
            title: String::new(),
            icon: String::new(),
            path: String::new(),
            titles: Vec::new(),
            progress: Progress::default(),
            scrolled: 0,
            history_moved: 0,
            settings,
        }
    }

    /// A new revision for what now changes.
    pub(super) fn begin(&mut self) {
        let rev = self.rev.bump();
        self.scr.rev = rev;
    }

    pub(super) fn apply(&mut self, settings: Settings) {
        // Indexes that programs set stay over those of the option.
        let old = std::mem::replace(&mut self.settings, settings);
        let mut palette = self.settings.palette.clone();
        for (n, c) in &self.colours.palette {
            if !old.palette.contains(&(*n, *c)) {
                palette.retain(|p| p.0 != *n);
                palette.push((*n, *c));
            }
        }
        palette.sort_by_key(|p| p.0);
        self.colours.palette = palette;
        match self.settings.extended_keys {
            super::ExtendedKeys::Off => self.modify_other_keys = 0,
            super::ExtendedKeys::Always if self.modify_other_keys == 0 => self.modify_other_keys = 1,
            _ => {}
        }
    }

    pub(super) fn cols(&self) -> u16 {
        self.scr.size().cols
    }

    pub(super) fn height(&self) -> u16 {
        self.scr.size().rows
    }

    pub(super) fn cursor(&self) -> Cursor {
        let (mut shape, mut blink) = (self.shape, self.blink);
        if shape == Shape::Default {
            let (s, b) = shape_of(self.settings.cursor_style);
            shape = s;
            blink = blink.or(b);
        }
        Cursor {
            x: self.x,
            y: self.y,
            pending_wrap: self.pending,
            visible: self.modes.contains(Modes::CURSOR),
            shape,
            blink,
            colour: self.colours.cursor.or(self.settings.cursor_colour),
        }
    }

    pub(super) fn is_alternate(&self) -> bool {
        self.other.is_some()
    }

    pub(super) fn saved(&self) -> Option<&Saved> {
        self.saves[usize::from(self.is_alternate())].as_ref()
    }

    pub(super) fn kitty_stack(&mut self) -> &mut Vec<u8> {
        &mut self.kitty_stacks[usize::from(self.other.is_some())]
    }

    pub(super) fn kitty(&self) -> u8 {
        self.kitty_stacks[usize::from(self.is_alternate())].last().copied().unwrap_or(0)
    }

    pub(super) fn reply(&self, out: &mut Output, bytes: &[u8]) {
        if out.replies.len() + bytes.len() <= MOST_REPLIES {
            out.replies.extend_from_slice(bytes);
        }
    }

    pub(super) fn notice(&self, out: &mut Output, notice: Notice) {
        if out.notices.len() < MOST_NOTICES && (notice != Notice::Bell || out.notices.last() != Some(&Notice::Bell)) {
            out.notices.push(notice);
        }
    }

    // The pen.

    pub(super) fn pen_moved(&mut self) {
        self.stale = true;
    }

    #[inline]
    pub(super) fn look(&mut self) -> u64 {
        if self.stale {
            self.resolve();
        }
        self.look
    }

    fn resolve(&mut self) {
        let style = self.style_id(self.pen);
        self.look = u64::from(style) << Cell::STYLE_SHIFT
            | u64::from(self.link) << Cell::LINK_SHIFT
            | if self.protected { Cell::PROTECTED } else { 0 };
        self.stale = false;
    }

    fn style_id(&mut self, style: Style) -> u16 {
        if let Some(id) = self.names.style_id(style)
            && !self.names.is_crowded()
        {
            return id;
        }
        self.collect();
        self.names.style_id(style).unwrap_or(0)
    }

    /// Numbers styles, clusters and links anew, keeping what the screens show.
    pub(super) fn collect(&mut self) {
        let mut style = 0;
        let mut link = self.link;
        let mut screens: Vec<&mut Screen> = vec![&mut self.scr];
        if let Some(o) = &mut self.other {
            screens.push(&mut o.scr);
        }
        self.names.collect(&mut screens, &mut style, &mut link);
        self.joined.fill((0, 0));
        self.link = link;
        self.history.forget_numbers();
        self.stale = true;
        self.scr.touch_all();
    }

    pub(super) fn clear_links(&mut self) {
        for c in self.scr.cells_mut() {
            c.0 &= !(0xffff << Cell::LINK_SHIFT);
        }
        if let Some(o) = &mut self.other {
            for c in o.scr.cells_mut() {
                c.0 &= !(0xffff << Cell::LINK_SHIFT);
            }
        }
        self.link = 0;
        self.stale = true;
        self.names.forget_links();
        self.history.forget_numbers();
        self.scr.touch_all();
    }

    /// The cell that erasing leaves: blank with the pen's background (BCE).
    #[inline]
    pub(super) fn blank(&mut self) -> Cell {
        if self.pen.bg.is_default() {
            return Cell::EMPTY;
        }
        let id = self.style_id(self.pen.erased());
        Cell(u64::from(id) << Cell::STYLE_SHIFT)
    }

    /// Call after modes, character sets or margins moved.
    pub(super) fn see_slow(&mut self) {
        self.slow = self.sets[self.gl as usize] != Charset::Ascii
            || self.single_shift.is_some()
            || self.modes.contains(Modes::INSERT)
            || self.left != 0
            || self.right != self.cols();
    }

    // Printing.

    /// Prints printable ASCII.
    pub(super) fn print_ascii(&mut self, mut bytes: &[u8]) {
        if self.slow {
            for b in bytes {
                self.print(*b as char);
            }
            return;
        }
        let cols = self.cols();
        let look = self.look();
        self.printed = true;
        while !bytes.is_empty() {
            if self.pending {
                self.wrap();
            } else if self.x + 1 == cols && !self.modes.contains(Modes::AUTOWRAP) {
                // Each further character takes the last column; only the last stays.
                bytes = &bytes[bytes.len() - 1..];
            }
            let n = bytes.len().min((cols - self.x) as usize);
            self.scr.put_ascii(self.x, self.y, &bytes[..n], look);
            self.x += n as u16;
            bytes = &bytes[n..];
            if self.x == cols {
                self.x = cols - 1;
                self.pending = self.modes.contains(Modes::AUTOWRAP);
            } else {
                self.pending = false;
            }
        }
    }

    /// Prints decoded text without controls.
    pub(super) fn print_str(&mut self, text: &str) {
        if self.slow {
            for c in text.chars() {
                self.print(c);
            }
            return;
        }
        let mut run = [0u64; RUN];
        let (mut n, mut wide) = (0, false);
        // What stands left of the run may be a cluster that takes more.
        let mut after_cluster = true;
        for c in text.chars() {
            let w = quick_width(c);
            if w == 0
                || after_cluster
                || takes_part(c)
                || self.pending
                || self.x as usize + n + w as usize >= self.right as usize
            {
                self.flush(&mut n, &mut wide, &run);
                self.print(c);
                after_cluster = w == 0 || takes_part(c);
                continue;
            }
            run[n] = u64::from(c as u32) | if w == 2 { Cell::WIDE } else { 0 };
            n += 1;
            if w == 2 {
                run[n] = Cell::TAIL;
                n += 1;
                wide = true;
            }
            if n + 2 > RUN {
                self.flush(&mut n, &mut wide, &run);
            }
        }
        self.flush(&mut n, &mut wide, &run);
    }

    fn flush(&mut self, n: &mut usize, wide: &mut bool, run: &[u64]) {
        if *n > 0 {
            let look = self.look();
            self.scr.put_cells(self.x, self.y, &run[..*n], *wide, look);
            self.x += *n as u16;
            self.printed = true;
            (*n, *wide) = (0, false);
        }
    }

    pub(super) fn print(&mut self, c: char) {
        let mut c = c;
        if c < '\u{80}' {
            if self.slow {
                let set = match self.single_shift.take() {
                    Some(n) => {
                        let set = self.sets[n as usize & 3];
                        self.see_slow();
                        set
                    }
                    None => self.sets[self.gl as usize & 3],
                };
                c = set.map(c);
            }
            self.place(u64::from(c as u32), width::char_width(c).max(1));
        } else {
            if c < '\u{a0}' {
                return;
            }
            let w = quick_width(c);
            if (w == 0 || self.may_join(c)) && self.join(c) {
                return;
            }
            if w == 0 {
                return;
            }
            self.place(u64::from(c as u32), w);
        }
    }

    /// Puts a glyph at the cursor and moves it.
    #[inline]
    fn place(&mut self, glyph: u64, w: u8) {
        let look = self.look();
        self.printed = true;
        if self.pending {
            self.wrap();
        }
        let mut limit = if self.x < self.right { self.right } else { self.cols() };
        if w == 2 && self.x + 1 >= limit {
            if !self.modes.contains(Modes::AUTOWRAP) || limit < 2 || limit - self.left.min(limit) < 2 {
                return;
            }
            // No room for both halves: the last column stays empty.
            self.scr.erase(self.y, self.x, limit, Cell::EMPTY);
            self.wrap();
            limit = if self.x < self.right { self.right } else { self.cols() };
        }
        let w = u16::from(w);
        if self.slow && self.modes.contains(Modes::INSERT) {
            self.scr.insert_cells(self.y, self.x, limit, w, Cell::EMPTY);
        }
        self.scr.split(self.x, self.y);
        self.scr.split(self.x + w, self.y);
        if w == 2 {
            self.scr.put(self.x, self.y, Cell(look | glyph | Cell::WIDE));
            self.scr.put(self.x + 1, self.y, Cell(look | Cell::TAIL));
        } else {
            self.scr.put(self.x, self.y, Cell(look | glyph));
        }
        self.x += w;
        if self.x >= limit {
            self.x = limit - 1;
            self.pending = self.modes.contains(Modes::AUTOWRAP);
        }
    }

    /// Prints the glyph of a cell once more, in the pen's look.
    pub(super) fn place_again(&mut self, cell: Cell) {
        if cell.width() > 0 && cell.glyph() != Glyph::Blank {
            self.place(cell.0 & (Cell::TEXT | Cell::CLUSTER), cell.width());
        }
    }

    /// To the start of the next row, scrolling if need be; the row left is marked as going on.
    fn wrap(&mut self) {
        self.pending = false;
        if self.right == self.cols() && self.left == 0 {
            self.scr.set_wrapped(self.y, true);
        }
        self.x = if self.x >= self.left { self.left } else { 0 };
        self.index();
    }

    /// The head of the cell left of the cursor.
    pub(super) fn before(&self) -> Option<(u16, Cell)> {
        // Without automatic wrapping the cursor stays on what was written in the last column.
        let stays = self.x + 1 >= self.cols()
            && !self.modes.contains(Modes::AUTOWRAP)
            && self.scr.cell(self.x, self.y).glyph() != Glyph::Blank;
        let mut x = if self.pending || stays { self.x } else { self.x.checked_sub(1)? };
        let mut cell = self.scr.cell(x, self.y);
        if cell.glyph() == Glyph::Tail && x > 0 {
            x -= 1;
            cell = self.scr.cell(x, self.y);
        }
        Some((x, cell))
    }

    fn may_join(&self, c: char) -> bool {
        if takes_part(c) {
            return true;
        }
        match self.before() {
            Some((_, cell)) => match cell.glyph() {
                Glyph::Cluster(n) => self.names.cluster(n).ends_with('\u{200d}'),
                _ => false,
            },
            None => false,
        }
    }

    /// What `c` makes of a cell's text: the number of the cluster, with [`JOIN_WIDE`] if it is wide, or that it does not
    /// join, or is dropped.
    fn joined(&mut self, cell: Cell, c: char) -> u32 {
        let low = cell.0 & (Cell::TEXT | Cell::CLUSTER);
        // Never zero: joining characters are beyond ASCII.
        let key = low << 21 | u64::from(c as u32);
        let slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize % JOINED;
        if self.joined[slot].0 == key {
            return self.joined[slot].1;
        }
        let mut text = String::with_capacity(16);
        Screen::text_of(cell, &self.names, &mut text);
        let value = if !width::joins(&text, c) {
            JOIN_NOT
        } else if text.len() + c.len_utf8() > crate::grid::CLUSTER_BYTES {
            JOIN_DROP
        } else {
            text.push(c);
            let wide = width::cluster_width(&text) == 2;
            if cell.width() == 2 && !wide {
                // A cell is as wide as its cluster: history relies on it.
                JOIN_DROP
            } else {
                let id = match self.names.cluster_id(&text) {
                    Some(id) if !self.names.is_crowded() => id,
                    _ => {
                        self.collect();
                        // The key was of the old numbers.
                        let id = self.names.cluster_id(&text).unwrap_or(0);
                        return id | if wide { JOIN_WIDE } else { 0 };
                    }
                };
                id | if wide { JOIN_WIDE } else { 0 }
            }
        };
        self.joined[slot] = (key, value);
        value
    }

    /// Adds a character to the cluster left of the cursor; false if it does not belong there.
    fn join(&mut self, c: char) -> bool {
        let Some((x, cell)) = self.before() else { return false };
        let joined = self.joined(cell, c);
        match joined {
            JOIN_NOT => return false,
            JOIN_DROP => return true,
            _ => {}
        }
        let (id, wide) = (joined & !JOIN_WIDE, joined & JOIN_WIDE != 0);
        let limit = if x < self.right { self.right } else { self.cols() };
        let was_wide = cell.0 & Cell::WIDE != 0;
        let wraps = wide && !was_wide && x + 1 >= limit;
        if wraps && (!self.modes.contains(Modes::AUTOWRAP) || limit - self.left.min(limit) < 2) {
            return true;
        }
        // The tables may be new: take the cell again.
        let cell = self.scr.cell(x, self.y);
        let kept = cell.0 & !(Cell::TEXT | Cell::CLUSTER);
        let mut x = x;
        if wraps {
            // It grew too wide for the last column and moves to the next row.
            self.scr.erase(self.y, x, limit, Cell::EMPTY);
            self.wrap();
            x = self.x;
        }
        let limit = if x < self.right { self.right } else { self.cols() };
        if wide && !was_wide {
            self.scr.split(x, self.y);
            self.scr.split(x + 2, self.y);
            self.scr.put(x, self.y, Cell(kept | Cell::CLUSTER | u64::from(id) | Cell::WIDE));
            self.scr.put(x + 1, self.y, Cell(kept & Cell::LOOK | Cell::TAIL));
            self.x = x + 2;
            self.pending = false;
            if self.x >= limit {
                self.x = limit - 1;
                self.pending = true;
            }
        } else {
            self.scr.put(x, self.y, Cell(kept | Cell::CLUSTER | u64::from(id)));
        }
        true
    }

    // Movement.

    /// LF without the carriage return: down one row, scrolling at the bottom of the region.
    pub(super) fn index(&mut self) {
        if self.y + 1 == self.bottom {
            if self.x >= self.left && self.x < self.right {
                self.scroll_up(1);
            }
        } else if self.y + 1 < self.height() {
            self.y += 1;
        }
    }

    pub(super) fn reverse_index(&mut self) {
        if self.y == self.top {
            if self.x >= self.left && self.x < self.right {
                self.scroll_down(1);
            }
        } else {
            self.y = self.y.saturating_sub(1);
        }
    }

    pub(super) fn full_width(&self) -> bool {
        self.left == 0 && self.right == self.cols()
    }

    /// Scrolls the region up; rows that leave the top of the main screen go to history.
    pub(super) fn scroll_up(&mut self, n: u16) {
        let blank = self.blank();
        if !self.full_width() {
            self.scr.scroll_box(self.top, self.bottom, self.left, self.right, i32::from(n), blank);
            return;
        }
        let n = n.min(self.bottom - self.top);
        if self.other.is_none() {
            // As in tmux a line that scrolls out of any region is kept, not only what leaves the top of the screen.
            for y in self.top..self.top + n {
                self.history.push(&self.scr.row(y), &self.names);
            }
            if self.top > 0 {
                // The first row of the screen does not go on with it.
                self.history.open = false;
            }
        }
        if self.top == 0 && self.bottom == self.height() {
            self.scrolled += u64::from(n);
        }
        self.scr.scroll_up(self.top, self.bottom, n, blank);
    }

    pub(super) fn scroll_down(&mut self, n: u16) {
        let blank = self.blank();
        if self.full_width() {
            self.scr.scroll_down(self.top, self.bottom, n, blank);
        } else {
            self.scr.scroll_box(self.top, self.bottom, self.left, self.right, -i32::from(n), blank);
        }
    }

    /// Insert or delete lines at the cursor; nothing outside the region.
    pub(super) fn lines(&mut self, n: u16, insert: bool) {
        if self.y < self.top || self.y >= self.bottom || self.x < self.left || self.x >= self.right {
            return;
        }
        let blank = self.blank();
        let n = n.min(self.bottom - self.y);
        if !self.full_width() {
            let by = if insert { -i32::from(n) } else { i32::from(n) };
            self.scr.scroll_box(self.y, self.bottom, self.left, self.right, by, blank);
        } else if insert {
            self.scr.scroll_down(self.y, self.bottom, n, blank);
        } else {
            self.scr.scroll_up(self.y, self.bottom, n, blank);
        }
        self.x = self.left;
        self.pending = false;
    }

    pub(super) fn carriage_return(&mut self) {
        self.printed = false;
        self.pending = false;
        self.x = if self.x >= self.left { self.left } else { 0 };
    }

    pub(super) fn line_feed(&mut self) {
        self.printed = false;
        self.pending = false;
        self.index();
        if self.modes.contains(Modes::NEWLINE) {
            self.carriage_return();
        }
    }

    pub(super) fn backspace(&mut self) {
        let wraps = self.modes.contains(Modes::REVERSE_WRAP) && self.modes.contains(Modes::AUTOWRAP);
        if self.pending {
            self.pending = false;
            // With reverse wraparound the column beyond the last counts as one.
            if wraps {
                return;
            }
        }
        let left = if self.x >= self.left { self.left } else { 0 };
        if self.x > left {
            self.x -= 1;
        } else if wraps && self.y > self.top && self.scr.is_wrapped(self.y - 1) {
            self.y -= 1;
            self.x = self.right - 1;
        }
    }

    /// Absolute position, honouring the origin mode.
    pub(super) fn move_to(&mut self, x: Option<u16>, y: Option<u16>) {
        let (cols, rows) = (self.cols(), self.height());
        let origin = self.modes.contains(Modes::ORIGIN);
        if let Some(x) = x {
            self.x = if origin { x.saturating_add(self.left).min(self.right - 1) } else { x.min(cols - 1) };
        }
        if let Some(y) = y {
            self.y = if origin { y.saturating_add(self.top).min(self.bottom - 1) } else { y.min(rows - 1) };
        }
        self.pending = false;
    }

    pub(super) fn up(&mut self, n: u16) {
        let stop = if self.y >= self.top { self.top } else { 0 };
        self.y = self.y.saturating_sub(n).max(stop);
        self.pending = false;
    }

    pub(super) fn down(&mut self, n: u16) {
        let stop = if self.y < self.bottom { self.bottom - 1 } else { self.height() - 1 };
        self.y = self.y.saturating_add(n).min(stop);
        self.pending = false;
    }

    pub(super) fn right(&mut self, n: u16) {
        let stop = if self.x < self.right { self.right - 1 } else { self.cols() - 1 };
        self.x = self.x.saturating_add(n).min(stop);
        self.pending = false;
    }

    pub(super) fn left(&mut self, n: u16) {
        let wraps = self.modes.contains(Modes::REVERSE_WRAP) && self.modes.contains(Modes::AUTOWRAP);
        if wraps {
            for _ in 0..n.min(self.cols().saturating_mul(self.height())) {
                self.backspace();
            }
            self.pending = false;
            return;
        }
        let stop = if self.x >= self.left { self.left } else { 0 };
        self.x = self.x.saturating_sub(n).max(stop);
        self.pending = false;
    }

    pub(super) fn tab(&mut self, n: u16) {
        let stop = if self.x < self.right { self.right - 1 } else { self.cols() - 1 };
        for _ in 0..n.min(self.cols()) {
            if self.x >= stop {
                break;
            }
            self.x += 1;
            while self.x < stop && !self.tabs[self.x as usize] {
                self.x += 1;
            }
        }
    }

    pub(super) fn back_tab(&mut self, n: u16) {
        let stop = if self.modes.contains(Modes::ORIGIN) { self.left } else { 0 };
        self.pending = false;
        for _ in 0..n.min(self.cols()) {
            if self.x <= stop {
                break;
            }
            self.x -= 1;
            while self.x > stop && !self.tabs[self.x as usize] {
                self.x -= 1;
            }
        }
    }

    // Erasing.

    pub(super) fn erase_cells(&mut self, y: u16, x0: u16, x1: u16, selective: bool) {
        let blank = self.blank();
        if selective || self.iso_guard {
            self.scr.erase_unprotected(y, x0, x1, blank);
        } else {
            self.scr.erase(y, x0, x1, blank);
        }
    }

    pub(super) fn erase_rows(&mut self, y0: u16, y1: u16, selective: bool) {
        let cols = self.cols();
        for y in y0..y1 {
            self.erase_cells(y, 0, cols, selective);
        }
    }

    /// The rows of the main screen that show something go to history before they are erased.
    pub(super) fn keep_screen(&mut self) {
        if self.other.is_some() || !self.settings.scroll_on_clear || self.iso_guard {
            return;
        }
        let Some(last) = (0..self.height()).rev().find(|y| !self.scr.is_blank(*y)) else { return };
        for y in 0..=last {
            self.history.push(&self.scr.row(y), &self.names);
        }
        self.history.open = false;
        let rows = self.height();
        self.scr.scroll_up(0, rows, last + 1, Cell::EMPTY);
        self.scrolled += u64::from(last) + 1;
    }

    // Saving, switching, resetting.

    pub(super) fn save_cursor(&mut self) {
        self.saves[usize::from(self.is_alternate())] = Some(Saved {
            x: self.x,
            y: self.y,
            pending: self.pending,
            pen: self.pen,
            protected: self.protected,
            origin: self.modes.contains(Modes::ORIGIN),
            sets: self.sets,
            gl: self.gl,
            gr: self.gr,
        });
    }

    pub(super) fn restore_cursor(&mut self) {
        let s = self.saves[usize::from(self.is_alternate())].unwrap_or(Saved {
            x: 0,
            y: 0,
            pending: false,
            pen: Style::DEFAULT,
            protected: false,
            origin: false,
            sets: [Charset::Ascii; 4],
            gl: 0,
            gr: 2,
        });
        self.modes.set(Modes::ORIGIN, s.origin);
        self.x = s.x.min(self.cols() - 1);
        self.y = s.y.min(self.height() - 1);
        self.pending = false;
        if s.origin {
            self.y = self.y.clamp(self.top, self.bottom - 1);
            self.x = self.x.clamp(self.left, self.right - 1);
        }
        self.pen = s.pen;
        self.protected = s.protected;
        self.sets = s.sets;
        self.gl = s.gl;
        self.gr = s.gr;
        self.pen_moved();
        self.see_slow();
    }

    /// Moves saved cursors into a new size.
    pub(super) fn clip_saves(&mut self, size: Size) {
        for s in self.saves.iter_mut().flatten() {
            s.x = s.x.min(size.cols - 1);
            s.y = s.y.min(size.rows - 1);
        }
    }

    /// Shows the alternate screen, cleared, or the main one as it was.
    pub(super) fn alternate(&mut self, on: bool, out: &mut Output) {
        if on == self.is_alternate() || (on && !self.settings.allow_alternate) {
            return;
        }
        if on {
            let size = self.scr.size();
            let mut alt = Screen::new(size, self.rev);
            std::mem::swap(&mut alt, &mut self.scr);
            self.other = Some(Box::new(Other { scr: alt, x: self.x, y: self.y, pending: self.pending }));
            self.kitty_stacks[1] = vec![0];
        } else if let Some(o) = self.other.take() {
            self.scr = o.scr;
            self.scr.rev = self.rev;
            self.scr.touch_all();
        }
        self.notice(out, Notice::Alternate(on));
    }

    pub(super) fn soft_reset(&mut self) {
        self.modes.remove(Modes::INSERT | Modes::ORIGIN | Modes::CURSOR_KEYS | Modes::KEYPAD | Modes::MARGINS);
        self.modes.insert(Modes::CURSOR | Modes::AUTOWRAP);
        self.top = 0;
        self.bottom = self.height();
        self.left = 0;
        self.right = self.cols();
        self.pen = Style::DEFAULT;
        self.link = 0;
        self.protected = false;
        self.iso_guard = false;
        self.sets = [Charset::Ascii; 4];
        self.gl = 0;
        self.gr = 2;
        self.single_shift = None;
        self.saves = [None; 2];
        self.modify_other_keys = u8::from(self.settings.extended_keys == super::ExtendedKeys::Always);
        self.shape = Shape::Default;
        self.blink = None;
        self.pending = false;
        self.pen_moved();
        self.see_slow();
    }

    pub(super) fn reset(&mut self, out: &mut Output) {
        if self.is_alternate() {
            self.alternate(false, out);
        }
        self.soft_reset();
        self.modes = Modes::INITIAL;
        let rows = self.height();
        let cols = self.cols();
        self.keep_screen();
        for y in 0..rows {
            self.scr.erase(y, 0, cols, Cell::EMPTY);
            self.scr.set_marks(y, Marks::empty());
        }
        self.x = 0;
        self.y = 0;
        self.tabs = default_tabs(cols);
        self.printed = false;
        self.kitty_stacks = [vec![0], vec![0]];
        self.colours = Colours { palette: self.settings.palette.clone(), ..Colours::default() };
        self.titles.clear();
        self.progress = Progress::default();
        self.see_slow();
        self.notice(out, Notice::Reset);
    }

    /// DECALN.
    pub(super) fn alignment(&mut self) {
        self.top = 0;
        self.bottom = self.height();
        self.left = 0;
        self.right = self.cols();
        self.modes.remove(Modes::ORIGIN);
        let cols = self.cols();
        let row = vec![b'E'; cols as usize];
        for y in 0..self.height() {
            self.scr.erase(y, 0, cols, Cell::EMPTY);
            self.scr.put_ascii(0, y, &row, 0);
        }
        self.x = 0;
        self.y = 0;
        self.pending = false;
        self.see_slow();
    }

    pub(super) fn push_title(&mut self) {
        if self.titles.len() >= MOST_STACK {
            self.titles.remove(0);
        }
        self.titles.push((self.title.clone(), self.icon.clone()));
    }

    pub(super) fn pop_title(&mut self, which: u16, out: &mut Output) {
        let Some((title, icon)) = self.titles.pop() else { return };
        if which != 1 {
            self.title = title;
            self.notice(out, Notice::Title(self.title.clone()));
        }
        if which != 2 {
            self.icon = icon;
            self.notice(out, Notice::Icon);
        }
    }
}

pub(super) fn default_tabs(cols: u16) -> Vec<bool> {
    (0..cols).map(|x| x > 0 && x % 8 == 0).collect()
}

/// Shape and blinking of a DECSCUSR number.
pub(super) fn shape_of(n: u8) -> (Shape, Option<bool>) {
    match n {
        1 | 2 => (Shape::Block, Some(n == 1)),
        3 | 4 => (Shape::Underline, Some(n == 3)),
        5 | 6 => (Shape::Bar, Some(n == 5)),
        _ => (Shape::Default, None),
    }
}

/// Regional indicators and skin tones, which may join what stands before them.
#[inline]
fn takes_part(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// As [`width::char_width`], with the common blocks decided at once.
#[inline]
fn quick_width(c: char) -> u8 {
    match c as u32 {
        0x20..=0x7e | 0xfffd => 1,
        0xa0..=0xac | 0xae..=0x2ff | 0x2500..=0x25fc => 1,
        0x3041..=0x3096 | 0x30a1..=0x30fa | 0x4e00..=0x9fff | 0xac00..=0xd7a3 => 2,
        _ => width::char_width(c),
    }
}

impl State {
    /// Moves what 1049 saved of the main screen's cursor.
    pub(super) fn move_main_save(&mut self, x: u16, y: u16, pending: bool) {
        if let Some(s) = &mut self.saves[0] {
            s.x = x;
            s.y = y;
            s.pending = pending;
        }
    }
}
