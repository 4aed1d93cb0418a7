//! The form in which `capture-pane` prints rows, byte for byte as tmux does.

use crate::base::style::Underline;
use crate::base::{Attrs, Colour, ColourKind, Style};
use crate::grid::{Lines, Link, Marks, RowBuf};
use std::fmt::Write as _;
use std::sync::Arc;

/// Flags of `capture-pane`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capture {
    /// `-e`: with escape sequences.
    pub escapes: bool,
    /// `-C`: those, and backslashes, as octal text.
    pub octal: bool,
    /// `-J`: wrapped lines joined, blanks at the end kept.
    pub join: bool,
    /// `-N`: blanks at the end kept.
    pub keep_blanks: bool,
    /// `-T`: only cells that were written.
    pub used_only: bool,
    /// `-L`: with line numbers.
    pub numbers: bool,
    /// `-F`: with the flags of each row.
    pub flags: bool,
}

/// Style and link in force while rows are printed; it goes on from row to row.
#[derive(Default)]
struct Last {
    style: Style,
    link: Option<Arc<Link>>,
}

impl Capture {
    /// Prints rows `start..=end`, counted from the oldest, each followed by a newline unless it is joined to the next.
    pub fn print(self, lines: &dyn Lines, start: usize, end: usize) -> Vec<u8> {
        let mut out = String::new();
        let mut buf = RowBuf::new();
        let mut last = Last::default();
        let history = lines.history();
        let end = end.min(lines.rows().saturating_sub(1));
        for n in start..=end {
            lines.row(n, &mut buf);
            if self.numbers {
                let _ = write!(out, "{} ", n as i64 - history as i64);
            }
            if self.flags {
                let before = out.len();
                for (on, letter) in [
                    (buf.cells().any(|c| c.link.is_some()), 'H'),
                    (buf.marks.contains(Marks::OUTPUT), 'O'),
                    (buf.marks.contains(Marks::PROMPT), 'P'),
                    (buf.wrapped, 'W'),
                    (is_extended(&buf), 'X'),
                ] {
                    if on {
                        out.push(letter);
                    }
                }
                if out.len() == before {
                    out.push('-');
                }
                out.push(' ');
            }
            self.row(&buf, lines.size().cols, &mut last, &mut out);
            if !(self.join && buf.wrapped) {
                out.push('\n');
            }
        }
        out.into_bytes()
    }

    fn row(self, buf: &RowBuf, cols: u16, last: &mut Last, out: &mut String) {
        let from = out.len();
        let used = buf.used().min(cols);
        let end = if self.join || self.used_only { used } else { kept(used, cols) };
        let mut linked = false;
        for x in 0..end {
            let c = buf.cell(x);
            if c.width == 0 {
                continue;
            }
            if self.escapes {
                self.change(last, c.style, c.link, &mut linked, out);
            }
            if self.octal && c.text == "\\" {
                out.push_str("\\\\");
            } else {
                out.push_str(c.text);
            }
        }
        if linked {
            self.hyperlink("", "", out);
        }
        if !self.join && !self.keep_blanks {
            while out.len() > from && out.ends_with(' ') {
                out.pop();
            }
        }
    }

    fn esc(self, out: &mut String) {
        out.push_str(if self.octal { "\\033" } else { "\x1b" });
    }

    fn hyperlink(self, id: &str, uri: &str, out: &mut String) {
        self.esc(out);
        out.push_str("]8;");
        if !id.is_empty() {
            let _ = write!(out, "id={id}");
        }
        out.push(';');
        out.push_str(uri);
        self.esc(out);
        out.push_str(if self.octal { "\\\\" } else { "\\" });
    }

    /// The sequences from the last look to this one.
    fn change(self, last: &mut Last, style: Style, link: Option<&Arc<Link>>, linked: &mut bool, out: &mut String) {
        if last.style == style && last.link.as_ref() == link {
            return;
        }
        let mut codes: Vec<String> = Vec::new();
        let (now, mut was) = (style.attrs, last.style.attrs);
        let removed = attr_list(was).iter().any(|c| !attr_list(now).contains(c));
        let reset = removed || (!last.style.us.is_default() && style.us.is_default());
        if reset {
            codes.push("0".to_owned());
            was = Attrs::empty();
        }
        let had = attr_list(was);
        codes.extend(attr_list(now).into_iter().filter(|c| !had.contains(c)).map(str::to_owned));
        if !codes.is_empty() {
            self.esc(out);
            let _ = write!(out, "[{}m", codes.join(";"));
        }
        for (base, new, old) in
            [(30, style.fg, last.style.fg), (40, style.bg, last.style.bg), (50, style.us, last.style.us)]
        {
            let code = colour_code(base, new);
            if code.is_empty() || (!reset && code == colour_code(base, old)) {
                continue;
            }
            if reset && new.is_default() {
                continue;
            }
            self.esc(out);
            let _ = write!(out, "[{code}m");
        }
        if last.link.as_ref() != link {
            match link {
                Some(l) => {
                    self.hyperlink(&l.id, &l.uri, out);
                    *linked = true;
                }
                None if *linked => {
                    self.hyperlink("", "", out);
                    *linked = false;
                }
                None => {}
            }
        }
        last.style = style;
        last.link = link.cloned();
    }
}

/// tmux keeps cells up to a quarter, half or the whole of the width.
fn kept(used: u16, cols: u16) -> u16 {
    match used {
        0 => 0,
        n if n < cols / 4 => cols / 4,
        n if n < cols / 2 => cols / 2,
        _ => cols,
    }
}

/// The whole grid, cell by cell, in the form of `capture-pane -R`. `limit` is the history limit.
pub fn dump(lines: &dyn Lines, limit: usize) -> Vec<u8> {
    let size = lines.size();
    let (history, rows) = (lines.history(), lines.rows());
    let mut out = format!("G {}x{} ({history}/{limit})\n", size.cols, size.rows);
    let mut buf = RowBuf::new();
    for n in 0..rows {
        lines.row(n, &mut buf);
        let place = n.checked_sub(history).map_or("-".to_owned(), |y| y.to_string());
        let used = buf.used().min(size.cols);
        let end = kept(used, size.cols);
        let flags = [
            (buf.wrapped, "WRAPPED", 1),
            (is_extended(&buf), "EXTENDED", 2),
            (buf.marks.contains(Marks::PROMPT), "START_PROMPT", 8),
            (buf.marks.contains(Marks::SECOND_PROMPT), "SECOND_PROMPT", 0x10),
            (buf.marks.contains(Marks::COMMAND), "START_COMMAND", 0x20),
            (buf.marks.contains(Marks::OUTPUT), "START_OUTPUT", 0x40),
            (buf.marks.contains(Marks::END), "END_OUTPUT", 0x80),
            (buf.cells().any(|c| c.link.is_some()), "HYPERLINK", 0x100),
        ];
        let _ = write!(out, "\tL {n} ({place}) flags={} {used}/{end}", flag_text(&flags));
        if let Some(c) = buf.command
            && !buf.marks.is_empty()
        {
            let _ = write!(out, " osc133={},{},{},{},{}", c.prompt, c.command, c.output, c.end, c.status);
        }
        out.push('\n');
        for x in 0..size.cols {
            let c = buf.cell(x);
            let (width, text) = if c.width == 0 { (1, "!") } else { (c.width, c.text) };
            let shown = if text == "\\" { "\\\\" } else { text };
            let indexed = |c: Colour| matches!(c.kind(), ColourKind::Indexed(_));
            let flags = [
                (indexed(c.style.fg), "FG256", 1),
                (indexed(c.style.bg), "BG256", 2),
                (c.width == 0, "PADDING", 4),
                (c.blank && x < end, "CLEARED", 0x40),
            ];
            let a = c.style.attrs;
            let underline = |u: Underline| a.underline() == u;
            let attrs = [
                (a.contains(Attrs::BOLD), "BRIGHT", 1),
                (a.contains(Attrs::DIM), "DIM", 2),
                (underline(Underline::Single), "UNDERSCORE", 4),
                (a.contains(Attrs::BLINK), "BLINK", 8),
                (a.contains(Attrs::REVERSE), "REVERSE", 0x10),
                (a.contains(Attrs::CONCEAL), "HIDDEN", 0x20),
                (a.contains(Attrs::ITALIC), "ITALICS", 0x40),
                (a.contains(Attrs::STRIKE), "STRIKETHROUGH", 0x100),
                (underline(Underline::Double), "UNDERSCORE_2", 0x200),
                (underline(Underline::Curly), "UNDERSCORE_3", 0x400),
                (underline(Underline::Dotted), "UNDERSCORE_4", 0x800),
                (underline(Underline::Dashed), "UNDERSCORE_5", 0x1000),
                (a.contains(Attrs::OVERLINE), "OVERLINE", 0x2000),
            ];
            let (uri, id) = match c.link {
                Some(l) => (&*l.uri, if l.id.is_empty() { "NONE" } else { &*l.id }),
                None => ("NONE", "NONE"),
            };
            let _ = writeln!(
                out,
                "\t\tC {n},{x} data=({width},{},{shown}) flags={} attr={} fg={} bg={} us={} link={uri} linkid={id}",
                text.len(),
                flag_text(&flags),
                flag_text(&attrs),
                colour_text(c.style.fg),
                colour_text(c.style.bg),
                colour_text(c.style.us),
            );
        }
    }
    out.into_bytes()
}

/// Names of the flags that are set, and their sum in hexadecimal.
fn flag_text(flags: &[(bool, &str, u32)]) -> String {
    let set = || flags.iter().filter(|f| f.0);
    let names: Vec<&str> = set().map(|f| f.1).collect();
    let sum: u32 = set().map(|f| f.2).sum();
    format!("{}[{sum:x}]", if names.is_empty() { "NONE".to_owned() } else { names.join(",") })
}

/// A colour by name, and the number that tmux has for it.
fn colour_text(c: Colour) -> String {
    const NAMES: [&str; 8] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
    match c.kind() {
        ColourKind::Default => "default[8]".to_owned(),
        ColourKind::Terminal => "terminal[9]".to_owned(),
        ColourKind::Ansi(n) if n < 8 => format!("{}[{n:x}]", NAMES[n as usize]),
        ColourKind::Ansi(n) => format!("bright{}[{:x}]", NAMES[(n & 7) as usize], 90 + n - 8),
        ColourKind::Indexed(n) => format!("colour{n}[{:x}]", 0x100_0000 | u32::from(n)),
        ColourKind::Rgb(r, g, b) => {
            let v = u32::from(r) << 16 | u32::from(g) << 8 | u32::from(b);
            format!("#{v:06x}[{:x}]", 0x200_0000 | v)
        }
        ColourKind::Theme(n) => format!("theme{n}[{:x}]", 0x400_0000 | u32::from(n)),
    }
}

fn is_extended(buf: &RowBuf) -> bool {
    buf.cells().any(|c| {
        !c.text.is_ascii()
            || c.width == 0
            || c.link.is_some()
            || !c.style.us.is_default()
            || [c.style.fg, c.style.bg].iter().any(|c| matches!(c.kind(), ColourKind::Rgb(..)))
            || c.style.attrs.contains(Attrs::OVERLINE)
            || c.style.attrs.underline() as u8 > 1
    })
}

/// Codes of attributes in the order in which tmux writes them.
fn attr_list(a: Attrs) -> Vec<&'static str> {
    let underline = a.underline();
    [
        (a.contains(Attrs::BOLD), "1"),
        (a.contains(Attrs::DIM), "2"),
        (a.contains(Attrs::ITALIC), "3"),
        (underline == Underline::Single, "4"),
        (a.contains(Attrs::BLINK), "5"),
        (a.contains(Attrs::REVERSE), "7"),
        (a.contains(Attrs::CONCEAL), "8"),
        (a.contains(Attrs::STRIKE), "9"),
        (underline == Underline::Double, "4:2"),
        (underline == Underline::Curly, "4:3"),
        (underline == Underline::Dotted, "4:4"),
        (underline == Underline::Dashed, "4:5"),
        // tmux writes every code above nine as two digits with a colon.
        (a.contains(Attrs::OVERLINE), "5:3"),
    ]
    .into_iter()
    .filter(|c| c.0)
    .map(|c| c.1)
    .collect()
}

fn colour_code(base: u16, c: Colour) -> String {
    match c.kind() {
        ColourKind::Default | ColourKind::Terminal if base == 50 => String::new(),
        ColourKind::Default | ColourKind::Terminal => (base + 9).to_string(),
        ColourKind::Ansi(n) if base == 50 => format!("58;5;{n}"),
        ColourKind::Ansi(n) if n < 8 => (base + u16::from(n)).to_string(),
        ColourKind::Ansi(n) => (base + 60 + u16::from(n) - 8).to_string(),
        ColourKind::Theme(n) | ColourKind::Indexed(n) => format!("{};5;{n}", base + 8),
        ColourKind::Rgb(r, g, b) => format!("{};2;{r};{g};{b}", base + 8),
    }
}
