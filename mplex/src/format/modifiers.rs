//! The modifiers of `#{modifier:body}`: their table (read by the docs and by a test of every row) and how a list of them
//! is read.

use super::parse::{Parser, Template, unescape};

/// What a modifier does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Literal,
    Character,
    Basename,
    Dirname,
    Length,
    Width,
    Expand,
    ExpandTime,
    Sessions,
    Windows,
    Panes,
    Options,
    Environ,
    Clients,
    Not,
    NotNot,
    Less,
    Greater,
    Equal,
    NotEqual,
    LessEqual,
    GreaterEqual,
    Or,
    And,
    Cycle,
    Client,
    Match,
    Search,
    Exists,
    Substitute,
    Time,
    Limit,
    Pad,
    Repeat,
    Expression,
    Quote,
    Colour,
}

/// How a modifier may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Args {
    /// Alone only.
    None,
    /// Alone or with arguments: `=5`, `=/5/...`.
    Some,
}

/// One row of the table of modifiers.
#[derive(Debug)]
pub struct Row {
    pub name: &'static str,
    pub kind: Kind,
    pub args: Args,
    /// An example and what it gives, as the documentation shows it.
    pub example: &'static str,
    pub doc: &'static str,
}

const fn row(name: &'static str, kind: Kind, args: Args, example: &'static str, doc: &'static str) -> Row {
    Row { name, kind, args, example, doc }
}

/// All modifiers, sorted by name.
pub const TABLE: &[Row] = &[
    row("!", Kind::Not, Args::None, "#{!:0}", "1 if the body is empty or 0, else 0"),
    row("!!", Kind::NotNot, Args::None, "#{!!:text}", "the body as 1 or 0"),
    row("!=", Kind::NotEqual, Args::None, "#{!=:a,b}", "1 if the two texts differ"),
    row("&&", Kind::And, Args::None, "#{&&:1,0}", "1 if every part is true"),
    row("<", Kind::Less, Args::None, "#{<:a,b}", "1 if the first text sorts before the second"),
    row("<=", Kind::LessEqual, Args::None, "#{<=:a,b}", "1 if the first text does not sort after the second"),
    row(
        "=",
        Kind::Limit,
        Args::Some,
        "#{=/5/...:pane_title}",
        "cuts to a width; negative keeps the end; a marker shows the cut",
    ),
    row("==", Kind::Equal, Args::None, "#{==:a,b}", "1 if the two texts are the same"),
    row(">", Kind::Greater, Args::None, "#{>:a,b}", "1 if the first text sorts after the second"),
    row(">=", Kind::GreaterEqual, Args::None, "#{>=:a,b}", "1 if the first text does not sort before the second"),
    row(
        "A",
        Kind::Cycle,
        Args::Some,
        "#{A/2:-,+}",
        "in a status line, one of the frames by time; a frame lasts n tenths of a second",
    ),
    row(
        "C",
        Kind::Search,
        Args::Some,
        "#{C/ri:error}",
        "line of the pane that matches a pattern, 0 for none (r: regular expression, i: ignore case)",
    ),
    row("E", Kind::Expand, Args::None, "#{E:status-left}", "expands the value once more"),
    row(
        "I",
        Kind::Client,
        Args::Some,
        "#{I/f:RGB}",
        "asks the client (f: terminal feature, c: terminfo capability, e: environment)",
    ),
    row(
        "L",
        Kind::Clients,
        Args::Some,
        "#{L/n:#{client_name} }",
        "the body for every client (i, n, t: by index, name, activity; r: reversed)",
    ),
    row("N", Kind::Exists, Args::Some, "#{N/s:work}", "1 if a window (w) or a session (s) of that name exists"),
    row(
        "O",
        Kind::Options,
        Args::Some,
        "#{O/gw:#{option_name} }",
        "the body for every option (v: server, s: session, w: window, p: pane; g: global)",
    ),
    row(
        "P",
        Kind::Panes,
        Args::Some,
        "#{P/z:#{pane_id} }",
        "the body for every pane of the window (i: by index, z: by height, r: reversed)",
    ),
    row("R", Kind::Repeat, Args::Some, "#{R:-,10}", "the first part as often as the second says"),
    row(
        "S",
        Kind::Sessions,
        Args::Some,
        "#{S/n:#{session_name} }",
        "the body for every session (i, n, t: by id, name, activity; r: reversed)",
    ),
    row("T", Kind::ExpandTime, Args::None, "#{T:status-right}", "expands the value once more, and strftime(3) in it"),
    row(
        "V",
        Kind::Environ,
        Args::Some,
        "#{V/g:#{environ_name} }",
        "the body for every environment variable (s: session, g: global, c: client)",
    ),
    row(
        "W",
        Kind::Windows,
        Args::Some,
        "#{W:#I ,*#I }",
        "the body for every window, the second for the current (i, n, t: by index, name, activity; r: reversed)",
    ),
    row("a", Kind::Character, Args::None, "#{a:98}", "the ASCII character of a number"),
    row("b", Kind::Basename, Args::None, "#{b:pane_current_path}", "last part of the path in a variable"),
    row(
        "c",
        Kind::Colour,
        Args::Some,
        "#{c:red}",
        "a colour as six hexadecimal digits (f, b: as the escape for foreground, background)",
    ),
    row("d", Kind::Dirname, Args::None, "#{d:pane_current_path}", "a variable's path without its last part"),
    row(
        "e",
        Kind::Expression,
        Args::Some,
        "#{e|*|f|2:2.5,3}",
        "arithmetic: + - * / m == != < <= > >=, f for fractions, then digits",
    ),
    row("l", Kind::Literal, Args::None, "#{l:#{x}}", "the body as written"),
    row(
        "m",
        Kind::Match,
        Args::Some,
        "#{m/ri:^a,Abc}",
        "1 if the pattern matches the text (r: regular expression, i: ignore case, z: fuzzy, p: matched columns)",
    ),
    row("n", Kind::Length, Args::None, "#{n:window_name}", "length in bytes"),
    row("p", Kind::Pad, Args::Some, "#{p-10:window_name}", "pads to a width; negative puts the blanks before"),
    row(
        "q",
        Kind::Quote,
        Args::Some,
        "#{q:pane_title}",
        "quotes a variable for sh(1) (s: in single quotes, a: as an argument of a command, e or h: doubles #)",
    ),
    row(
        "s",
        Kind::Substitute,
        Args::Some,
        "#{s/a(.)/\\1/i:window_name}",
        "replaces every match of a regular expression",
    ),
    row(
        "t",
        Kind::Time,
        Args::Some,
        "#{t/p:window_activity}",
        "a time as text (p: short, r: ago, d: seconds ago, f: by strftime(3))",
    ),
    row("w", Kind::Width, Args::None, "#{w:window_name}", "columns when drawn"),
    row("||", Kind::Or, Args::None, "#{||:1,0}", "1 if any part is true"),
];

/// One modifier with its arguments; each argument is a template of its own.
#[derive(Debug)]
pub(super) struct Modifier {
    pub(super) kind: Kind,
    pub(super) args: Vec<Template>,
}

fn is_end(b: Option<&u8>) -> bool {
    matches!(b, Some(b':' | b';'))
}

/// Reads the list of modifiers at the start of a key and returns it with the rest. A key that does not start with a
/// well-formed list has none, whatever it looks like.
pub(super) fn read<'a>(parser: &mut Parser, key: &'a str, depth: usize) -> (Vec<Modifier>, &'a str) {
    let b = key.as_bytes();
    let mut list = Vec::new();
    let mut at = 0;
    while at < b.len() && b[at] != b':' {
        if b[at] == b';' {
            at += 1;
        }
        let Some(row) = find(&b[at.min(b.len())..]) else { break };
        at += row.name.len();
        if is_end(b.get(at)) {
            list.push(Modifier { kind: row.kind, args: Vec::new() });
            continue;
        }
        let wrapper = b.get(at).copied().unwrap_or(0);
        if !wrapper.is_ascii_punctuation() || wrapper == b'-' {
            // One bare argument, as in `=5` or `p-10`.
            let Some(len) = parser.skip(&key[at..], b":;") else { break };
            let arg = parser.template(&unescape(&key[at..at + len]), depth + 1);
            list.push(Modifier { kind: row.kind, args: vec![arg] });
            at += len;
            continue;
        }
        let mut args = Vec::new();
        loop {
            if b.get(at) == Some(&wrapper) && is_end(b.get(at + 1)) {
                at += 1;
                break;
            }
            let Some(len) = parser.skip(&key[at + 1..], &[wrapper, b';', b':']) else { break };
            args.push(parser.template(&unescape(&key[at + 1..at + 1 + len]), depth + 1));
            at += 1 + len;
            if is_end(b.get(at)) {
                break;
            }
        }
        list.push(Modifier { kind: row.kind, args });
    }
    if b.get(at) == Some(&b':') { (list, &key[at + 1..]) } else { (Vec::new(), key) }
}

/// The modifier that `b` starts with. Names without arguments must be followed by `:` or `;`.
fn find(b: &[u8]) -> Option<&'static Row> {
    let two = TABLE.iter().find(|r| r.name.len() == 2 && b.starts_with(r.name.as_bytes()) && is_end(b.get(2)));
    two.or_else(|| {
        let one = TABLE.iter().find(|r| r.name.len() == 1 && b.first() == Some(&r.name.as_bytes()[0]))?;
        (one.args == Args::Some || is_end(b.get(1))).then_some(one)
    })
}
