//! Cells, rows, compact history, reflow, text extraction and search. Knows no escape sequence.
