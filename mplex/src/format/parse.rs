//! From text to nodes, once. Nothing here depends on values: what tmux decides by rescanning strings at every expansion
//! is decided here, so the two agree node by node.

use std::sync::Arc;

use super::modifiers::{self, Modifier};

/// Characters that parsing one template may look at, nested templates included; what lies beyond is left out.
const PARSE_BUDGET: usize = 1 << 22;

/// A parsed template. Cheap to clone; hold on to it where the text does not change.
#[derive(Clone, Debug)]
pub struct Template(Arc<Parsed>);

#[derive(Debug)]
struct Parsed {
    text: Box<str>,
    nodes: Vec<Node>,
    percent: bool,
}

/// One piece of a template.
#[derive(Debug)]
pub(super) enum Node {
    Text(Box<str>),
    /// `#(command)`.
    Job {
        raw: Box<str>,
        command: Template,
    },
    Replace(Box<Replace>),
    /// Something unfinished, such as `#{` without its `}`: the expansion ends here.
    Stop,
}

/// `#{modifiers:body}`.
#[derive(Debug)]
pub(super) struct Replace {
    pub(super) modifiers: Vec<Modifier>,
    pub(super) body: Body,
}

/// What is between the modifiers and the closing brace, taken apart as the modifiers demand.
#[derive(Debug)]
pub(super) enum Body {
    /// `I:`
    Client(Box<str>),
    /// `A:`
    Cycle(Box<str>),
    /// `l:`
    Literal(Box<str>),
    /// `a:`
    Character(Template),
    /// `c:`
    Colour(Template),
    /// `S: W: P:`
    Loop { kind: modifiers::Kind, all: Template, active: Option<Template> },
    /// `L: O: V:`
    Each { kind: modifiers::Kind, body: Template },
    /// `N:`
    Exists { session: bool, name: Template },
    /// `C:`
    Search(Template),
    /// `R:`; `None` without a comma, which stops the expansion.
    Repeat(Option<(Template, Template)>),
    /// `!` and `!!`
    Truth { not: bool, body: Template },
    /// `||` and `&&`
    Bool { and: bool, parts: Vec<Template> },
    /// `== != < > <= >= m`; `None` without a comma, which stops the expansion.
    Compare { with: modifiers::Kind, sides: Option<(Template, Template)> },
    /// `?`: conditions with their values, and the last unpaired part.
    Choose { arms: Vec<Arm>, otherwise: Option<Template> },
    /// `e|op|`
    Expression(Option<(Template, Template)>),
    /// A body with replacements in it.
    Nested(Template),
    /// The name of a variable, option or environment variable.
    Name(Box<str>),
}

#[derive(Debug)]
pub(super) struct Arm {
    /// Tried as a name before it is expanded.
    pub(super) name: Box<str>,
    pub(super) condition: Template,
    pub(super) value: Template,
}

impl Template {
    /// Parses a template; never fails.
    pub fn parse(text: &str) -> Template {
        Parser { budget: PARSE_BUDGET }.template(text, 0)
    }

    /// The text it was parsed from.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// True if it has no replacement, job or time in it, so that its value is always the same.
    pub fn is_constant(&self) -> bool {
        !self.0.percent && self.0.nodes.iter().all(|n| matches!(n, Node::Text(_)))
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.0.nodes
    }

    /// True if strftime(3) would find something in the text.
    pub(super) fn has_percent(&self) -> bool {
        self.0.percent
    }
}

impl Default for Template {
    fn default() -> Template {
        Template::parse("")
    }
}

impl PartialEq for Template {
    fn eq(&self, o: &Template) -> bool {
        self.0.text == o.0.text
    }
}

/// Characters that a `#` before them makes plain.
fn is_escapable(b: u8) -> bool {
    matches!(b, b',' | b'#' | b'{' | b'}' | b':')
}

/// Offset of the first byte of `ends` that is outside of any `#{...}` and not escaped.
pub(super) fn skip(text: &str, ends: &[u8]) -> Option<usize> {
    let b = text.as_bytes();
    let mut depth = 0i32;
    let mut i = 0;
    while i < b.len() {
        if b[i] == b'#' && b.get(i + 1).is_some_and(|n| is_escapable(*n)) {
            depth += i32::from(b[i + 1] == b'{');
            i += 2;
            continue;
        }
        if b[i] == b'}' {
            depth -= 1;
        }
        if depth == 0 && ends.contains(&b[i]) {
            return Some(i);
        }
        i += 1;
    }
    None
}

/// Takes the `#` away from escaped characters outside of `#{...}`.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0i32;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '#' {
            let next = chars.peek().copied().filter(|n| n.is_ascii() && is_escapable(*n as u8));
            depth += i32::from(next == Some('{'));
            if let (0, Some(n)) = (depth, next) {
                out.push(n);
                chars.next();
                continue;
            }
        }
        if c == '}' {
            depth -= 1;
        }
        out.push(c);
    }
    out
}

/// The variable behind a letter such as `#S`.
pub(super) fn alias(letter: u8) -> Option<&'static str> {
    Some(match letter {
        b'D' => "pane_id",
        b'F' => "window_flags",
        b'H' => "host",
        b'I' => "window_index",
        b'P' => "pane_index",
        b'S' => "session_name",
        b'T' => "pane_title",
        b'W' => "window_name",
        b'h' => "host_short",
        _ => return None,
    })
}

pub(super) struct Parser {
    budget: usize,
}

impl Parser {
    /// `skip` that pays for what it looks at; `None` when the budget is spent.
    pub(super) fn skip(&mut self, text: &str, ends: &[u8]) -> Option<usize> {
        if self.budget == 0 {
            return None;
        }
        let found = skip(text, ends);
        self.pay(found.unwrap_or(text.len()))?;
        found
    }

    fn pay(&mut self, n: usize) -> Option<()> {
        let left = self.budget.checked_sub(n + 1);
        self.budget = left.unwrap_or(0);
        left.map(|_| ())
    }

    pub(super) fn template(&mut self, text: &str, depth: usize) -> Template {
        // What is nested deeper than evaluation goes would expand to nothing anyway.
        let nodes = if depth >= super::MAX_DEPTH || self.pay(text.len()).is_none() {
            Vec::new()
        } else {
            self.nodes(text, depth)
        };
        Template(Arc::new(Parsed { text: text.into(), nodes, percent: text.contains('%') }))
    }

    fn nodes(&mut self, text: &str, depth: usize) -> Vec<Node> {
        let b = text.as_bytes();
        let mut nodes = Vec::new();
        let mut plain = String::new();
        let mut at = 0;
        // Letters inside of #[...] are no aliases; this is where the last style ends.
        let mut style_end = None;
        let flush = |plain: &mut String, nodes: &mut Vec<Node>| {
            if !plain.is_empty() {
                nodes.push(Node::Text(std::mem::take(plain).into()));
            }
        };
        while at < b.len() {
            let Some(hash) = memchr::memchr(b'#', &b[at..]).map(|n| at + n) else {
                plain.push_str(&text[at..]);
                break;
            };
            plain.push_str(&text[at..hash]);
            let Some(&kind) = b.get(hash + 1) else { break };
            let rest = hash + 2;
            match kind {
                b'(' => {
                    let Some(len) = closing_bracket(&b[rest..]) else {
                        flush(&mut plain, &mut nodes);
                        nodes.push(Node::Stop);
                        return nodes;
                    };
                    flush(&mut plain, &mut nodes);
                    let raw = &text[rest..rest + len];
                    let command = self.template(raw, depth + 1);
                    nodes.push(Node::Job { raw: raw.into(), command });
                    at = rest + len + 1;
                }
                b'{' => {
                    flush(&mut plain, &mut nodes);
                    let Some(len) = self.skip(&text[hash..], b"}") else {
                        nodes.push(Node::Stop);
                        return nodes;
                    };
                    nodes.push(self.replace(&text[rest..hash + len], depth));
                    at = hash + len + 1;
                }
                b'[' | b'#' => {
                    let run = b[hash..].iter().take_while(|c| **c == b'#').count();
                    if b.get(hash + run) == Some(&b'[') {
                        // A style, or an escaped one: drawing takes it apart.
                        style_end = self.skip(&text[hash..], b"]").map(|n| hash + n);
                        at = hash + run + 1;
                        plain.push_str(&text[hash..at]);
                    } else {
                        plain.push('#');
                        at = rest;
                    }
                }
                b'}' | b',' => {
                    plain.push(kind as char);
                    at = rest;
                }
                _ => {
                    let outside = style_end.is_none_or(|end| rest > end);
                    match alias(kind).filter(|_| outside) {
                        Some(name) => {
                            flush(&mut plain, &mut nodes);
                            let body = Body::Name(name.into());
                            nodes.push(Node::Replace(Box::new(Replace { modifiers: Vec::new(), body })));
                            at = rest;
                        }
                        None => {
                            plain.push('#');
                            at = hash + 1;
                            let len = text[at..].chars().next().map_or(1, char::len_utf8);
                            plain.push_str(&text[at..at + len]);
                            at += len;
                        }
                    }
                }
            }
        }
        flush(&mut plain, &mut nodes);
        nodes
    }

    fn replace(&mut self, key: &str, depth: usize) -> Node {
        let (modifiers, body) = modifiers::read(self, key, depth);
        let body = self.body(&modifiers, body, depth + 1);
        Node::Replace(Box::new(Replace { modifiers, body }))
    }

    fn body(&mut self, list: &[Modifier], body: &str, depth: usize) -> Body {
        use modifiers::Kind as K;
        let has = |k: K| list.iter().any(|m| m.kind == k);
        // The last one of a group wins, as later modifiers overwrite earlier ones.
        let last = |of: &[K]| list.iter().rev().find(|m| of.contains(&m.kind)).map(|m| m.kind);
        let first_arg = |k: K| list.iter().find(|m| m.kind == k).map(|m| m.args.first().map_or("", |a| a.text()));

        if list
            .iter()
            .any(|m| m.kind == K::Client && m.args.first().is_some_and(|a| a.text().contains(['f', 'c', 'e'])))
        {
            return Body::Client(body.into());
        }
        if has(K::Cycle) {
            return Body::Cycle(body.into());
        }
        if has(K::Literal) {
            return Body::Literal(unescape(body).into());
        }
        if has(K::Character) {
            return Body::Character(self.template(body, depth));
        }
        if has(K::Colour) {
            return Body::Colour(self.template(body, depth));
        }
        for kind in [K::Sessions, K::Windows, K::Panes] {
            if has(kind) {
                let (all, active) = match self.skip(body, b",") {
                    Some(n) => (&body[..n], Some(&body[n + 1..])),
                    None => (body, None),
                };
                let all = self.template(all, depth);
                let active = active.map(|t| self.template(t, depth));
                return Body::Loop { kind, all, active };
            }
        }
        for kind in [K::Clients, K::Options, K::Environ] {
            if has(kind) {
                return Body::Each { kind, body: self.template(body, depth) };
            }
        }
        if has(K::Exists) {
            let flags = first_arg(K::Exists).unwrap_or_default();
            let session = !flags.is_empty() && !flags.contains('w') && flags.contains('s');
            if flags.is_empty() || flags.contains('w') || session {
                return Body::Exists { session, name: self.template(body, depth) };
            }
        }
        if has(K::Search) {
            return Body::Search(self.template(body, depth));
        }
        if has(K::Repeat) {
            return Body::Repeat(self.pair(body, depth));
        }
        if has(K::Not) {
            return Body::Truth { not: true, body: self.template(body, depth) };
        }
        if has(K::NotNot) {
            return Body::Truth { not: false, body: self.template(body, depth) };
        }
        if let Some(kind) = last(&[K::Or, K::And]) {
            let mut parts = Vec::new();
            let mut rest = body;
            while let Some(n) = self.skip(rest, b",") {
                parts.push(self.template(&rest[..n], depth));
                rest = &rest[n + 1..];
            }
            parts.push(self.template(rest, depth));
            return Body::Bool { and: kind == K::And, parts };
        }
        if let Some(with) = last(&[K::Match, K::Less, K::Greater, K::Equal, K::NotEqual, K::LessEqual, K::GreaterEqual])
        {
            return Body::Compare { with, sides: self.pair(body, depth) };
        }
        if let Some(rest) = body.strip_prefix('?') {
            return self.choose(rest, depth);
        }
        if list.iter().any(|m| m.kind == K::Expression && (1..=3).contains(&m.args.len())) {
            return Body::Expression(self.pair(body, depth));
        }
        if body.contains("#{") { Body::Nested(self.template(body, depth)) } else { Body::Name(body.into()) }
    }

    fn pair(&mut self, body: &str, depth: usize) -> Option<(Template, Template)> {
        let n = self.skip(body, b",")?;
        Some((self.template(&body[..n], depth), self.template(&body[n + 1..], depth)))
    }

    fn choose(&mut self, body: &str, depth: usize) -> Body {
        let mut arms = Vec::new();
        let mut rest = body;
        loop {
            let Some(n) = self.skip(rest, b",") else {
                return Body::Choose { arms, otherwise: Some(self.template(rest, depth)) };
            };
            let (condition, tail) = (&rest[..n], &rest[n + 1..]);
            let end = self.skip(tail, b",");
            let value = &tail[..end.unwrap_or(tail.len())];
            arms.push(Arm {
                name: condition.into(),
                condition: self.template(condition, depth),
                value: self.template(value, depth),
            });
            match end {
                Some(n) => rest = &tail[n + 1..],
                None => return Body::Choose { arms, otherwise: None },
            }
        }
    }
}

/// Bytes up to the bracket that closes an open one.
fn closing_bracket(b: &[u8]) -> Option<usize> {
    let mut depth = 1;
    b.iter().position(|c| {
        match c {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}
