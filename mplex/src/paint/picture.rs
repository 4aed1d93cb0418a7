//! Pictures of a frame: plain text for tests and scenarios, SVG for documents.
//!
//! It must not know how a frame came about.

use super::caps::rgb_of;
use super::cell::{Cell, Pool, Symbol};
use super::frame::{CursorShape, Frame};
use crate::base::{Attrs, Colour, Style, style::Underline};
use std::fmt::Write as _;

/// The rows of a frame as text, blank ends dropped, each row ended by a newline.
pub fn text(frame: &Frame, pool: &Pool) -> String {
    let mut out = String::new();
    for y in 0..frame.size().rows {
        let row = frame.row(y);
        let end = row.iter().rposition(|c| c.symbol != Symbol::BLANK || c.width != 1).map_or(0, |x| x + 1);
        for cell in row[..end].iter().filter(|c| c.width > 0) {
            out.push_str(pool.text(cell.symbol, &mut [0; 4]));
        }
        out.push('\n');
    }
    out
}

/// [`text`], and below each row that is not all in the default style a row with one mark per cell: `.` default, else a letter
/// per style, explained at the end.
pub fn styled_text(frame: &Frame, pool: &Pool) -> String {
    let mut out = String::new();
    let mut styles: Vec<Style> = Vec::new();
    for (y, line) in text(frame, pool).lines().enumerate() {
        out.push_str(line);
        out.push('\n');
        let mut marks = String::new();
        for cell in frame.row(y as u16) {
            if cell.style == Style::DEFAULT {
                marks.push('.');
                continue;
            }
            let n = styles.iter().position(|s| *s == cell.style).unwrap_or_else(|| {
                styles.push(cell.style);
                styles.len() - 1
            });
            marks.push(char::from(b'a' + (n % 26) as u8));
        }
        if marks.bytes().any(|b| b != b'.') {
            let _ = writeln!(out, "{}", marks.trim_end_matches('.'));
        }
    }
    for (n, s) in styles.iter().enumerate() {
        let _ = writeln!(out, "{} = {s:?}", char::from(b'a' + (n % 26) as u8));
    }
    out
}

const FG: (u8, u8, u8) = (0xd8, 0xd8, 0xd8);
const BG: (u8, u8, u8) = (0x16, 0x18, 0x1d);
/// Width and height of a cell in SVG units.
const CELL: (u32, u32) = (9, 18);

/// A frame as an SVG image in a monospace font; with `chrome`, in a window with round corners and the frame's title.
pub fn svg(frame: &Frame, pool: &Pool, chrome: bool) -> String {
    let (cw, ch) = CELL;
    let size = frame.size();
    let (pad, bar) = if chrome { (12, 32) } else { (0, 0) };
    let width = u32::from(size.cols) * cw + 2 * pad;
    let height = u32::from(size.rows) * ch + 2 * pad + bar;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"15\">\n"
    );
    let radius = if chrome { 10 } else { 0 };
    let _ = writeln!(out, "<rect width=\"{width}\" height=\"{height}\" rx=\"{radius}\" fill=\"{}\"/>", hex(BG));
    if chrome {
        for (n, colour) in ["#ff5f57", "#febc2e", "#28c840"].iter().enumerate() {
            let _ = writeln!(out, "<circle cx=\"{}\" cy=\"17\" r=\"6\" fill=\"{colour}\"/>", 20 + 20 * n);
        }
        if !frame.title.is_empty() {
            let (x, title) = (width / 2, escape(&frame.title));
            let _ = writeln!(out, "<text x=\"{x}\" y=\"22\" text-anchor=\"middle\" fill=\"#9a9fa8\">{title}</text>");
        }
    }
    let _ = writeln!(out, "<g transform=\"translate({pad},{})\" xml:space=\"preserve\">", pad + bar);
    for y in 0..size.rows {
        let row = frame.row(y);
        let mut x = 0;
        while x < row.len() {
            let end = x + row[x..].iter().take_while(|c| c.style == row[x].style || c.width == 0).count();
            run(&mut out, pool, &row[x..end], x as u32, u32::from(y));
            x = end;
        }
    }
    if let Some(p) = frame.cursor.pos {
        let (x, y) = (u32::from(p.x) * cw, u32::from(p.y) * ch);
        let colour = hex(rgb_of(frame.cursor.colour).unwrap_or(FG));
        let (y, w, h, o) = match frame.cursor.shape {
            CursorShape::Bar => (y, 2, ch, 1.0),
            CursorShape::Underline => (y + ch - 2, cw, 2, 1.0),
            CursorShape::Block | CursorShape::Default => (y, cw, ch, 0.6),
        };
        let _ =
            writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{colour}\" opacity=\"{o}\"/>");
    }
    out.push_str("</g>\n</svg>\n");
    out
}

/// Cells of one style: a background, then each piece of text stretched to its cells.
fn run(out: &mut String, pool: &Pool, cells: &[Cell], x: u32, y: u32) {
    let (cw, ch) = CELL;
    let style = cells[0].style;
    let (mut fg, mut bg) = (rgb_of(style.fg).unwrap_or(FG), rgb_of(style.bg));
    if style.attrs.contains(Attrs::REVERSE) {
        (fg, bg) = (bg.unwrap_or(BG), Some(fg));
    }
    let (px, py, w) = (x * cw, y * ch, cells.len() as u32 * cw);
    if let Some(bg) = bg {
        let _ = writeln!(out, "<rect x=\"{px}\" y=\"{py}\" width=\"{w}\" height=\"{ch}\" fill=\"{}\"/>", hex(bg));
    }
    let mut attrs = format!("fill=\"{}\"", hex(fg));
    if style.attrs.contains(Attrs::BOLD) {
        attrs.push_str(" font-weight=\"bold\"");
    }
    if style.attrs.contains(Attrs::ITALIC) {
        attrs.push_str(" font-style=\"italic\"");
    }
    if style.attrs.contains(Attrs::DIM) {
        attrs.push_str(" opacity=\"0.6\"");
    }
    if !style.attrs.contains(Attrs::CONCEAL) {
        let mut at = 0;
        while at < cells.len() {
            let ascii = |c: &Cell| c.width == 1 && c.symbol.as_ascii().is_some();
            let n = if ascii(&cells[at]) {
                cells[at..].iter().take_while(|c| ascii(c)).count()
            } else {
                cells[at].width.max(1) as usize
            };
            let piece: String = cells[at..(at + n).min(cells.len())]
                .iter()
                .filter(|c| c.width > 0)
                .map(|c| pool.text(c.symbol, &mut [0; 4]).to_owned())
                .collect();
            // Blanks at the ends are left out: not every viewer keeps them. They are single bytes of single cells.
            let start = piece.trim_start_matches(' ');
            let (before, piece) = (piece.len() - start.len(), start.trim_end_matches(' '));
            let after = start.len() - piece.len();
            if !piece.is_empty() {
                let (tx, ty, tw) = (px + (at + before) as u32 * cw, py + ch - 4, (n - before - after) as u32 * cw);
                let piece = escape(piece);
                let fit = "lengthAdjust=\"spacingAndGlyphs\"";
                let _ = writeln!(out, "<text x=\"{tx}\" y=\"{ty}\" textLength=\"{tw}\" {fit} {attrs}>{piece}</text>");
            }
            at += n;
        }
    }
    let line = |out: &mut String, dy: u32, colour: (u8, u8, u8), dash: &str| {
        let (y, end) = (py + dy, px + w);
        let colour = hex(colour);
        let _ = writeln!(out, "<path d=\"M{px} {y}H{end}\" stroke=\"{colour}\"{dash}/>");
    };
    let us = if style.us == Colour::DEFAULT { fg } else { rgb_of(style.us).unwrap_or(fg) };
    match style.attrs.underline() {
        Underline::None => {}
        Underline::Double => [ch - 4, ch - 2].iter().for_each(|dy| line(out, *dy, us, "")),
        Underline::Curly | Underline::Dotted => line(out, ch - 2, us, " stroke-dasharray=\"2 2\""),
        Underline::Dashed => line(out, ch - 2, us, " stroke-dasharray=\"4 2\""),
        Underline::Single => line(out, ch - 2, us, ""),
    }
    if style.attrs.contains(Attrs::STRIKE) {
        line(out, ch / 2, fg, "");
    }
    if style.attrs.contains(Attrs::OVERLINE) {
        line(out, 1, fg, "");
    }
}

fn hex((r, g, b): (u8, u8, u8)) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn escape(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).fold(String::new(), |mut s, c| {
        match c {
            '&' => s.push_str("&amp;"),
            '<' => s.push_str("&lt;"),
            '>' => s.push_str("&gt;"),
            '"' => s.push_str("&quot;"),
            c => s.push(c),
        }
        s
    })
}
