//! Commands back to text, quoted as tmux quotes: `list-keys`, `show-hooks` and the saved state print it.

use std::fmt::Write;

use super::{Arg, Call, CommandList};

impl CommandList {
    /// The list on one line: `;` between commands, `;;` between groups. Reads back as the same list with
    /// [`Grouping::ByLine`](super::Grouping::ByLine).
    pub fn print(&self) -> String {
        self.print_with(" ; ", " ;; ")
    }

    /// As [`print`](CommandList::print), with `;` between groups as well.
    pub fn print_flat(&self) -> String {
        self.print_with(" ; ", " ; ")
    }

    /// As [`print`](CommandList::print), with `\;` and `\;\;`: to stand after `bind-key` without braces.
    pub fn print_escaped(&self) -> String {
        self.print_with(r" \; ", r" \;\; ")
    }

    fn print_with(&self, between: &str, groups: &str) -> String {
        let mut out = String::new();
        for group in &self.groups {
            if !out.is_empty() {
                out.push_str(groups);
            }
            for (at, call) in group.calls.iter().enumerate() {
                if at > 0 {
                    out.push_str(between);
                }
                out.push_str(&call.print());
            }
        }
        out
    }
}

impl Call {
    /// The command and its arguments.
    pub fn print(&self) -> String {
        let mut out = escape(&self.name);
        for arg in &self.args {
            out.push(' ');
            out.push_str(&arg.print());
        }
        out
    }
}

impl Arg {
    /// The word quoted, or the commands between braces.
    pub fn print(&self) -> String {
        match self {
            Arg::Text(text) => escape(text),
            Arg::Commands(list) => format!("{{ {} }}", list.print()),
        }
    }
}

/// A word in as few quotes as it needs: none, a backslash, or double quotes; single ones where only a `"` asks for it.
pub fn escape(text: &str) -> String {
    if text.is_empty() {
        return "''".to_owned();
    }
    let mut quoted = text.contains([' ', '#', '\'', ';', '$', '{', '}', '%']);
    let mut chars = text.chars();
    if let (Some(c), None) = (chars.next(), chars.next())
        && c != ' '
        && (quoted || c == '"' || c == '~')
    {
        return format!("\\{c}");
    }
    if !quoted && text.contains('"') {
        if !text.contains(|c: char| c == '\\' || c.is_control()) {
            return format!("'{text}'");
        }
        // Escapes mean nothing in single quotes.
        quoted = true;
    }
    let mut out = String::with_capacity(text.len() + 2);
    if quoted {
        out.push('"');
    }
    if text.starts_with('~') {
        out.push('\\');
    }
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.push_str(r"\\"),
            '"' if quoted => out.push_str("\\\""),
            '$' if chars.peek().is_some_and(|&c| c.is_ascii_alphabetic() || matches!(c, '_' | '{')) => {
                out.push_str(r"\$");
            }
            '\x07' => out.push_str(r"\a"),
            '\x08' => out.push_str(r"\b"),
            '\t' => out.push_str(r"\t"),
            '\n' => out.push_str(r"\n"),
            '\x0b' => out.push_str(r"\v"),
            '\x0c' => out.push_str(r"\f"),
            '\r' => out.push_str(r"\r"),
            c if c.is_control() => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(out, "\\{byte:03o}");
                }
            }
            c => out.push(c),
        }
    }
    if quoted {
        out.push('"');
    }
    out
}
