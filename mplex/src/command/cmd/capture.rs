//! `capture-pane`, `clear-history`: what panes show and have shown, as text.

use super::buffers::keep;
use crate::base::PaneId;
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::queue::ReplyTo;
use crate::command::table::Exec;
use crate::event::with_terminal;
use crate::grid::{Limits, Lines, RowBuf};
use crate::lang::{self, Args};
use crate::layer::{Host, View};
use crate::paint::{Brush, Frame, Pool};
use crate::term::{self, Capture, Output, Terminal};

pub(super) const FAMILY: &[Exec] =
    &[Exec::new("capture-pane", capture_pane), Exec::new("clear-history", clear_history)];

/// A line as `-S` and `-E` name it.
#[derive(Clone, Copy, Debug)]
enum Row {
    /// Counted from the top of the screen; history is negative.
    At(i64),
    /// `-`: the far end.
    End,
    /// Not given, or no number.
    Default,
}

fn row(cx: &mut Cx, args: &Args, flag: char) -> Row {
    match args.get(flag) {
        None => Row::Default,
        Some("-") => Row::End,
        Some(text) => {
            let text = cx.expand(text);
            // What is no number counts as not given, as in tmux.
            lang::parse_number(&text, i64::from(i32::MIN)..=i64::from(i16::MAX)).map_or(Row::Default, Row::At)
        }
    }
}

/// What is to be taken, worked out before the terminal is looked at.
struct Wanted {
    how: Capture,
    start: Row,
    end: Row,
    links: bool,
}

impl Wanted {
    /// First and last row, counted from the oldest.
    fn range(&self, history: usize, rows: usize) -> (usize, usize) {
        let last = rows.saturating_sub(1);
        let at = |n: i64| usize::try_from(history as i64 + n).unwrap_or(0).min(last);
        let top = match self.start {
            Row::At(n) => at(n),
            Row::End => 0,
            Row::Default => history.min(last),
        };
        let bottom = match self.end {
            Row::At(n) => at(n),
            Row::End | Row::Default => last,
        };
        (top.min(bottom), top.max(bottom))
    }

    fn take(&self, lines: &dyn Lines) -> Vec<u8> {
        let (top, bottom) = self.range(lines.history(), lines.rows());
        self.rows(lines, top, bottom)
    }

    fn rows(&self, lines: &dyn Lines, top: usize, bottom: usize) -> Vec<u8> {
        if self.links { self.take_links(lines, top, bottom) } else { self.how.print(lines, top, bottom) }
    }

    /// The addresses of the links of each row that has one not seen before.
    fn take_links(&self, lines: &dyn Lines, top: usize, bottom: usize) -> Vec<u8> {
        let mut seen: Vec<std::sync::Arc<crate::grid::Link>> = Vec::new();
        let mut out = String::new();
        let mut buf = RowBuf::new();
        let most = lines.size().cols as usize;
        for n in top..=bottom {
            lines.row(n, &mut buf);
            let mut found = String::new();
            for link in buf.cells().filter_map(|c| c.link) {
                if seen.len() >= most || seen.contains(link) {
                    continue;
                }
                seen.push(link.clone());
                if !found.is_empty() {
                    found.push(' ');
                }
                found.push_str(&link.uri);
            }
            if found.is_empty() {
                continue;
            }
            let (numbers, flags) = (self.how.numbers, self.how.flags);
            if numbers || flags {
                // Only what stands before the row: the row itself has no cells here.
                let head = Capture { numbers, flags, used_only: true, ..Capture::default() };
                let whole = String::from_utf8_lossy(&head.print(lines, n, n)).into_owned();
                let words = usize::from(numbers) + usize::from(flags);
                out.extend(whole.splitn(words + 1, ' ').take(words).flat_map(|w| [w, " "]));
            }
            out.push_str(&found);
            if !(self.how.join && buf.wrapped) {
                out.push('\n');
            }
        }
        out.into_bytes()
    }

    /// The terminal's screen; on an alternate screen the history above it is the main one's.
    fn take_screen(&self, t: &Terminal) -> Vec<u8> {
        let view = t.view();
        let Some(main) = t.main_view() else { return self.take(&view) };
        let history = main.history();
        let (top, bottom) = self.range(history, history + view.rows());
        let mut out = Vec::new();
        if top < history {
            out.extend(self.rows(&main, top, bottom.min(history - 1)));
        }
        if bottom >= history {
            out.extend(self.rows(&view, top.max(history) - history, bottom - history));
        }
        out
    }
}

fn capture_pane(cx: &mut Cx, args: &Args) -> Result {
    let pane = cx.target()?.pane;
    let data = if args.has('R') {
        raw(cx, args, pane)?
    } else if args.has('P') && !args.has('H') {
        let pending = with_terminal(cx.out, pane, |t| t.pending()).unwrap_or_default();
        if args.has('C') { octal(&pending) } else { pending }
    } else {
        screen(cx, args, pane)?
    };
    if !args.has('p') {
        keep(cx, args.get('b'), data)?;
        return Ok(Done::Ok);
    }
    let attached =
        cx.asker.client.and_then(|c| cx.s.model.client(c)).is_some_and(|c| c.session.is_some() && c.control_level == 0);
    if cx.asker.reply == ReplyTo::Client && attached {
        return Err("can't write to client".into());
    }
    let mut data = data;
    if data.last() != Some(&b'\n') {
        data.push(b'\n');
    }
    cx.print_bytes(data);
    Ok(Done::Ok)
}

/// The grid as it is stored.
fn raw(cx: &mut Cx, args: &Args, pane: PaneId) -> Result<Vec<u8>> {
    let dump = |t: &Terminal| {
        let limit = t.history_store().limits().history_lines;
        if args.has('a') {
            return t.main_view().map(|v| term::dump(&v, limit));
        }
        Some(term::dump(&t.view(), if t.is_alternate() { 0 } else { limit }))
    };
    match with_terminal(cx.out, pane, |t| dump(t)).flatten() {
        Some(data) => Ok(data),
        None if args.has('q') => Ok(Vec::new()),
        None => Err("no alternate screen".into()),
    }
}

fn screen(cx: &mut Cx, args: &Args, pane: PaneId) -> Result<Vec<u8>> {
    let how = Capture {
        escapes: args.has('e'),
        octal: args.has('C'),
        join: args.has('J'),
        keep_blanks: args.has('N'),
        used_only: args.has('T'),
        numbers: args.has('L'),
        flags: args.has('F'),
    };
    let wanted = Wanted { how, start: row(cx, args, 'S'), end: row(cx, args, 'E'), links: args.has('H') };
    if args.has('a') {
        let saved = with_terminal(cx.out, pane, |t| t.main_view().map(|v| wanted.take(&v))).flatten();
        return match saved {
            Some(data) => Ok(data),
            None if args.has('q') => Ok(Vec::new()),
            None => Err("no alternate screen".into()),
        };
    }
    if args.has('M') && cx.s.layers.top(Host::Pane(pane)).is_some() {
        if how.escapes || wanted.links {
            return Err(CmdError::not_built("capture-pane", "-M with -e or -H"));
        }
        let terminal = mode_screen(cx, pane);
        return Ok(wanted.take(&terminal.view()));
    }
    Ok(with_terminal(cx.out, pane, |t| wanted.take_screen(t)).unwrap_or_default())
}

/// What the mode on top of a pane shows, as plain text on a screen of its own.
fn mode_screen(cx: &Cx, pane: PaneId) -> Terminal {
    let size = cx.s.model.pane(pane).map(|p| p.rect.size()).unwrap_or_default();
    let mut frame = Frame::new(size);
    let mut pool = Pool::new();
    if let Some(layer) = cx.s.layers.top(Host::Pane(pane)) {
        let view = View { model: &cx.s.model, options: &cx.s.options, now: cx.now, client: cx.client };
        layer.draw(&view, &mut Brush::new(&mut frame, &mut pool, size.rect()));
    }
    let mut bytes = Vec::new();
    for y in 0..size.rows {
        let mut text = String::new();
        for cell in frame.row(y) {
            text.push_str(pool.text(cell.symbol, &mut [0; 4]));
        }
        bytes.extend(format!("\x1b[{};1H{}", y + 1, text.trim_end_matches(' ')).bytes());
    }
    let mut terminal = Terminal::new(size, Limits { history_lines: 0, history_bytes: 0 });
    terminal.feed(&bytes, &mut Output::default());
    terminal
}

/// Bytes with those that cannot be read, and backslashes, as octal escapes.
fn octal(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for b in bytes {
        if *b >= b' ' && *b != b'\\' && *b < 0x80 {
            out.push(*b);
        } else {
            out.extend(format!("\\{b:03o}").bytes());
        }
    }
    out
}

fn clear_history(cx: &mut Cx, args: &Args) -> Result {
    let pane = cx.target()?.pane;
    leave_modes(cx, pane);
    let links = args.has('H');
    with_terminal(cx.out, pane, |t| {
        t.clear_history();
        if links {
            t.clear_links();
        }
    });
    cx.s.model.touch();
    Ok(Done::Ok)
}

/// Takes all modes off a pane.
pub(super) fn leave_modes(cx: &mut Cx, pane: PaneId) {
    let host = Host::Pane(pane);
    while cx.s.layers.top(host).is_some() {
        cx.s.close_layer(host);
    }
}

#[cfg(test)]
mod tests {
    use crate::command::cmd::scene::Scene;

    /// What is captured after the program wrote this.
    #[track_caller]
    fn check(written: &str, line: &str, expect: &str) {
        let mut scene = Scene::new();
        scene.feed(written);
        assert_eq!(scene.run(line), expect, "{line}");
    }

    const FIVE: &str = "one\r\ntwo\r\nthree\r\nfour\r\nfive";

    #[test]
    fn screens_are_captured() {
        check("hello\r\n", "capturep -p", "hello\n\n\n\n");
        check(FIVE, "capturep -p", "two\nthree\nfour\nfive\n");
        check(FIVE, "capturep -p -S -", "one\ntwo\nthree\nfour\nfive\n");
        check(FIVE, "capturep -p -S -1 -E 0", "one\ntwo\n");
        check(FIVE, "capturep -p -S 1 -E 0", "two\nthree\n");
        check(FIVE, "capturep -pL -S -1 -E 0", "-1 one\n0 two\n");
        check(FIVE, "capturep -p -S nonsense -E 0", "two\n");
        check("\x1b[31mred", "capturep -pe -E 0", "\x1b[31mred\x1b[39m\n");
        check(FIVE, "capturep -b x -S 3; showb -b x", "five\n");
        let mut scene = Scene::new();
        scene.feed("hi");
        let raw = scene.run("capturep -pR");
        assert!(raw.starts_with("G "), "{raw}");
        assert!(raw.contains("data=(1,1,i) flags=NONE[0]"), "{raw}");
        check(FIVE, "clearhist; capturep -p -S -", "two\nthree\nfour\nfive\n");
    }

    #[test]
    fn alternate_screens_are_captured() {
        let both = "one\r\ntwo\r\nthree\r\nfour\r\nfive\x1b[?1049hfull";
        check(both, "capturep -p -S 3 -a", "five\n");
        check(FIVE, "capturep -pa", "! no alternate screen\n");
        check(FIVE, "capturep -paq", "\n");
        let mut scene = Scene::new();
        scene.feed(both);
        assert!(scene.run("capturep -p -S -1 -E -").starts_with("one\n"));
    }

    #[test]
    fn links_and_unfinished_sequences_are_captured() {
        let links = "\x1b]8;;http://a\x1b\\x\x1b]8;;\x1b\\\r\nplain\r\n\x1b]8;id=1;http://b\x1b\\y\x1b]8;;\x1b\\";
        check(links, "capturep -pH", "http://a\nhttp://b\n");
        check(links, "capturep -pHL", "0 http://a\n2 http://b\n");
        check("x\x1b[31", "capturep -pPC", "\\033[31\n");
    }
}
