//! A new size: the main screen is laid out anew with its history, the alternate one is cut or padded.

use super::state::{State, default_tabs};
use crate::base::Size;
use crate::grid::{Cell, History, Interned, Marks, Screen, layout};

type OldRow = (Vec<Cell>, bool, Marks);

impl State {
    pub(super) fn resize(&mut self, size: Size) {
        let old = self.scr.size();
        if old == size {
            return;
        }
        let reflow = self.settings.reflow;
        self.scr.rev = self.rev;
        let rev = self.rev;
        match &mut self.other {
            None => {
                let at = (self.x, self.y, self.pending);
                let at = fit_main(&mut self.scr, &mut self.history, &mut self.names, size, at, reflow);
                (self.x, self.y, self.pending) = at;
            }
            Some(o) => {
                o.scr.rev = rev;
                let at = (o.x, o.y, o.pending);
                (o.x, o.y, o.pending) = fit_main(&mut o.scr, &mut self.history, &mut self.names, size, at, reflow);
                let rows = rows_of(&self.scr);
                let (x, y) = fit_rows(&mut self.scr, rows, size, (self.x, self.y));
                self.pending &= x == self.x && size.cols == old.cols;
                (self.x, self.y) = (x, y);
            }
        }
        self.clip_saves(size);
        if let Some(o) = &self.other {
            // What 1049 brings back is where the main screen's cursor went.
            let (x, y, pending) = (o.x, o.y, o.pending);
            self.move_main_save(x, y, pending);
        }
        self.top = 0;
        self.bottom = size.rows;
        self.left = 0;
        self.right = size.cols;
        if size.cols > old.cols {
            self.tabs.extend(default_tabs(size.cols).drain(old.cols as usize..));
        }
        self.tabs.truncate(size.cols as usize);
        self.see_slow();
    }
}

fn rows_of(scr: &Screen) -> Vec<OldRow> {
    (0..scr.size().rows)
        .map(|y| {
            let r = scr.row(y);
            (r.cells[..r.used as usize].to_vec(), r.wrapped, r.marks)
        })
        .collect()
}

/// Cuts or pads rows to a size without history: blank rows below the cursor go first, then those at the top.
fn fit_rows(scr: &mut Screen, mut rows: Vec<OldRow>, size: Size, (x, y): (u16, u16)) -> (u16, u16) {
    let want = size.rows as usize;
    let mut y = y as usize;
    while rows.len() > want && rows.len() > y + 1 && rows.last().is_some_and(|r| r.0.iter().all(|c| c.is_empty())) {
        rows.pop();
    }
    if rows.len() > want {
        let cut = (rows.len() - want).min(y);
        rows.drain(..cut);
        y -= cut;
    }
    for r in &mut rows {
        if r.1 && size.cols != scr.size().cols {
            r.1 = false;
        }
    }
    scr.rebuild(size, rows);
    (x.min(size.cols - 1), (y as u16).min(size.rows - 1))
}

/// Lays the main screen out for a size; rows that find no room go to history, rows of history come to fill it.
fn fit_main(
    scr: &mut Screen,
    history: &mut History,
    names: &mut Interned,
    size: Size,
    (x, y, pending): (u16, u16, bool),
    reflow: bool,
) -> (u16, u16, bool) {
    let old = scr.size();
    let width = old.cols != size.cols;
    let rows = rows_of(scr);
    // Logical lines, and where the cursor stands in them: line, cell within it.
    let mut lines: Vec<(Vec<Cell>, Marks)> = Vec::with_capacity(rows.len());
    let mut open = false;
    let mut cursor = (0, 0usize);
    let joins_history = history.open && reflow;
    if joins_history && let Some(line) = history.pop_line(names) {
        lines.push(line);
        open = true;
    }
    for (i, (mut cells, wrapped, marks)) in rows.into_iter().enumerate() {
        // A row that goes on is full, but for a hole where a wide character found no room.
        if wrapped && cells.len() + 1 < old.cols as usize {
            cells.resize(old.cols as usize, Cell::EMPTY);
        }
        let start = if open { lines.last().map_or(0, |l| l.0.len()) } else { 0 };
        if open && let Some(last) = lines.last_mut() {
            last.0.extend_from_slice(&cells);
        } else {
            lines.push((cells, marks));
        }
        if i == y as usize {
            cursor = (lines.len() - 1, start + x as usize + usize::from(pending));
        }
        open = wrapped && reflow;
    }
    history.set_cols(size.cols);

    // Rows of the new width; the cursor's among them.
    let cols = size.cols as usize;
    let mut out: Vec<OldRow> = Vec::new();
    let mut at = (0usize, 0usize, false);
    for (l, (cells, marks)) in lines.into_iter().enumerate() {
        let has_cursor = l == cursor.0;
        if !reflow {
            if has_cursor {
                at = (out.len(), (x as usize).min(cols - 1), pending && !width);
            }
            let n = cells.len().min(cols);
            out.push((cells[..n].to_vec(), false, marks));
            continue;
        }
        let spans = layout(&cells, cols);
        let last = spans.len() - 1;
        if has_cursor {
            let c = cursor.1;
            let row = spans.iter().rposition(|s| s.0 <= c).unwrap_or(0);
            let col = c - spans[row].0;
            // Beyond the text it stays in the last column; right behind a full row the next character goes on below.
            let wait = col >= cols && c == cells.len();
            let col = col.min(cols - 1);
            let row_at = out.len() + row;
            at = (row_at, col, wait);
        }
        for (i, (from, to)) in spans.into_iter().enumerate() {
            let marks = if i == 0 { marks } else { Marks::empty() };
            out.push((cells[from..to].to_vec(), i < last, marks));
        }
    }

    let want = size.rows as usize;
    // Blank rows below the cursor make room for a lower screen, and for the cursor. They do not for lines that take more
    // rows than before: as in tmux those move up, and what is below the cursor stays where it is.
    let mut spare = (old.rows as usize).saturating_sub(want);
    while out.len() > want
        && (spare > 0 || out.len() - want > at.0)
        && out.len() > at.0 + 1
        && out.last().is_some_and(|r| r.0.iter().all(|c| c.is_empty()))
    {
        out.pop();
        spare = spare.saturating_sub(1);
    }
    if out.len() > want {
        let top = (out.len() - want).min(at.0);
        let mut gone = Screen::new(Size::new(size.cols, 1), scr.rev);
        for (cells, wrapped, marks) in out.drain(..top) {
            gone.rebuild(Size::new(size.cols, 1), vec![(cells, wrapped, marks)]);
            history.push(&gone.row(0), names);
        }
        at.0 -= top;
    } else {
        let mut front: Vec<OldRow> = Vec::new();
        while out.len() + front.len() < want {
            let Some((cells, marks)) = history.pop_line(names) else { break };
            let spans = layout(&cells, cols);
            let last = spans.len() - 1;
            let mut rows: Vec<OldRow> = spans
                .into_iter()
                .enumerate()
                .map(|(i, (a, b))| (cells[a..b].to_vec(), i < last, if i == 0 { marks } else { Marks::empty() }))
                .collect();
            rows.append(&mut front);
            front = rows;
        }
        // A long line may have brought more rows than were wanted.
        let extra = (out.len() + front.len()).saturating_sub(want);
        let mut gone = Screen::new(Size::new(size.cols, 1), scr.rev);
        for row in front.drain(..extra) {
            gone.rebuild(Size::new(size.cols, 1), vec![row]);
            history.push(&gone.row(0), names);
        }
        at.0 += front.len();
        front.append(&mut out);
        out = front;
    }
    scr.rebuild(size, out);
    (at.1.min(cols - 1) as u16, at.0.min(want - 1) as u16, at.2)
}
