//! Laying logical lines out into rows of a width.

use super::cell::Cell;

/// A row of a layout: a range of the line's cells, and whether the line goes on.
pub(crate) type Span = (usize, usize);

/// Cuts the cells of a logical line into rows of `cols`; a wide character is not cut. At least one row.
pub(crate) fn layout(cells: &[Cell], cols: usize) -> Vec<Span> {
    let cols = cols.max(1);
    let mut rows = Vec::with_capacity(cells.len() / cols + 1);
    let mut at = 0;
    loop {
        let mut end = (at + cols).min(cells.len());
        if end < cells.len() && cells[end].0 & Cell::TAIL != 0 && end > at + 1 {
            end -= 1;
        }
        rows.push((at, end));
        if end >= cells.len() {
            return rows;
        }
        at = end;
    }
}
