//! Feeds standard input to a terminal and says what it took: `emulate [COLS ROWS [--print]] < bytes`.
//!
//! For profiles (callgrind) and for comparing screens with other terminals. `MPLEX_CHUNK` sets the bytes per feed,
//! `MPLEX_LINES` the history limit; `MPLEX_TIMES` feeds the input again and again, `MPLEX_RESIZE` (`40x10,80x24`) resizes after that.

#![allow(clippy::disallowed_methods)]

use mplex::base::Size;
use mplex::grid::{Limits, Lines};
use mplex::term::{Capture, Output, Settings, Terminal};
use std::io::{Read as _, Write as _};

fn var(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, d| args.get(i).and_then(|a: &String| a.parse().ok()).unwrap_or(d);
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let limits = Limits { history_lines: var("MPLEX_LINES", 10_000), ..Limits::default() };
    let mut t = Terminal::new(Size::new(number(0, 80), number(1, 24)), limits);
    t.set(Settings { allow_rename: true, ..Settings::default() });
    let mut out = Output::default();
    for _ in 0..var("MPLEX_TIMES", 1) {
        for chunk in bytes.chunks(var("MPLEX_CHUNK", 65_536)) {
            t.feed(chunk, &mut out);
            out.replies.clear();
            out.notices.clear();
        }
    }
    if let Ok(sizes) = std::env::var("MPLEX_RESIZE") {
        for (c, r) in sizes.split(',').filter_map(|s| s.split_once('x')) {
            if let (Ok(c), Ok(r)) = (c.parse(), r.parse()) {
                t.resize(Size::new(c, r));
            }
        }
    }
    if args.get(2).is_some_and(|a| a == "--print") {
        let v = t.view();
        let how = Capture { escapes: args.iter().any(|a| a == "-e"), ..Capture::default() };
        let first = if var("MPLEX_ALL", 0) == 1 { 0 } else { v.history() };
        let text = how.print(&v, first, v.rows() - 1);
        let mut o = std::io::stdout();
        o.write_all(&text)?;
        let c = t.cursor();
        writeln!(o, "cursor {},{}", c.x + u16::from(c.pending_wrap), c.y)?;
    } else {
        let v = t.view();
        let mut o = std::io::stdout();
        writeln!(o, "{} rows of history, {} bytes", v.history(), t.history_bytes())?;
    }
    Ok(())
}
