//! Evaluation of a parsed template over [`Vars`]. Pure: time, zone and the frame of animations come in with [`Cx`].

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::modifiers::{Kind, Modifier};
use super::parse::{Arm, Body, Node, Replace, Template};
use super::vars::{
    Child, ClientAsk, EnvironRow, EnvironTable, LoopKind, NameKind, OptionRow, OptionScope, OptionTable, Order, Sort,
    Value, Vars,
};
use super::{colour, fnmatch, fuzzy, pattern, text, time};
use crate::base::{Colour, Wall};

/// Expansions inside one another before the innermost gives nothing.
pub const MAX_DEPTH: usize = 100;
/// Bytes of a result; what would be longer is cut.
pub const MAX_OUTPUT: usize = 1 << 20;
/// What one evaluation may spend: a step is a node or 16 bytes made. When it is gone everything left gives nothing.
const FUEL: u32 = 1 << 20;
/// Bounds of `=`, `p` and `R`.
const MAX_WIDTH: i64 = 10_000;
/// Bounds of the digits after the point of `e`.
const MAX_PRECISION: i64 = 100;
/// Bytes of a template's text after strftime(3) has seen it; longer gives nothing.
const MAX_TIMED: usize = 8191;
/// Same, for a `t/f` format.
const MAX_TIME: usize = 511;
/// Length of the shortest step of an animation in milliseconds; also how often a status line with one is drawn.
pub const CYCLE_MS: u64 = 100;

/// Circumstances of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Cx {
    pub now: Wall,
    pub zone: time::Zone,
    /// Text goes through strftime(3) before it is expanded, as for `status-left` and `display-message`.
    pub timed: bool,
    /// `#()` may run; otherwise it gives nothing.
    pub jobs: bool,
    /// Monotonic milliseconds in a status line; `None` elsewhere, where `A:` gives nothing.
    pub animate: Option<u64>,
}

impl Cx {
    /// Plain expansion: no strftime, no animation.
    pub fn new(now: Wall) -> Cx {
        Cx { now, zone: time::Zone::Local, timed: false, jobs: true, animate: None }
    }

    /// Expansion with strftime.
    pub fn timed(now: Wall) -> Cx {
        Cx { timed: true, ..Cx::new(now) }
    }

    #[must_use]
    pub fn without_jobs(self) -> Cx {
        Cx { jobs: false, ..self }
    }
}

/// A result with what the caller may have to act on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub text: String,
    /// An animation of more than one frame was seen: draw again after [`CYCLE_MS`].
    pub animated: bool,
    /// A limit was met and the text is not all that was asked for.
    pub limited: bool,
}

/// A format is true unless it is empty or just `0`.
pub fn is_true(text: &str) -> bool {
    !text.is_empty() && text != "0"
}

impl Template {
    /// The text of the template in this world.
    pub fn eval(&self, vars: &dyn Vars, cx: &Cx) -> String {
        self.run(vars, cx).text
    }

    /// As [`Template::eval`], with what there is to say about the result.
    pub fn run(&self, vars: &dyn Vars, cx: &Cx) -> Outcome {
        let flags = Flags { timed: cx.timed, jobs: cx.jobs, cycle: cx.animate.is_some() };
        let mut eval = Eval { cx, parsed: FxHashMap::default(), fuel: FUEL, depth: 0, animated: false, limited: false };
        let text = eval.expand(self, vars, flags);
        Outcome { text, animated: eval.animated, limited: eval.limited }
    }

    /// True if the template gives neither nothing nor `0`.
    pub fn test(&self, vars: &dyn Vars, cx: &Cx) -> bool {
        is_true(&self.eval(vars, cx))
    }
}

#[derive(Clone, Copy)]
struct Flags {
    timed: bool,
    jobs: bool,
    cycle: bool,
}

/// The expansion ends at this replacement; what was made before it stays.
struct Halt;

struct Eval<'c> {
    cx: &'c Cx,
    /// Templates met at run time (`E:`, times, jobs), so that a loop parses them once.
    parsed: FxHashMap<String, Template>,
    fuel: u32,
    depth: usize,
    animated: bool,
    limited: bool,
}

/// What the modifiers of one replacement come to, their arguments expanded.
#[derive(Default)]
struct Plan {
    basename: bool,
    dirname: bool,
    length: bool,
    width: bool,
    expand: bool,
    expand_timed: bool,
    time: Option<TimeForm>,
    quotes: Quotes,
    subs: Vec<(String, String, bool)>,
    limit: i64,
    marker: Option<String>,
    pad: i64,
    cycle: u64,
    sort: Option<Sort>,
    table: String,
    match_flags: String,
    search_flags: String,
    colour_flags: String,
    client_flags: String,
    operator: Vec<String>,
}

enum TimeForm {
    Plain,
    Pretty,
    Relative,
    Difference,
    Format(String),
}

/// Several apply one after the other, in this order.
#[derive(Default)]
struct Quotes {
    shell: bool,
    single: bool,
    style: bool,
    argument: bool,
}

impl Eval<'_> {
    fn spend(&mut self, steps: usize) -> bool {
        match self.fuel.checked_sub(u32::try_from(steps).unwrap_or(u32::MAX)) {
            Some(left) => {
                self.fuel = left;
                true
            }
            None => {
                self.fuel = 0;
                self.limited = true;
                false
            }
        }
    }

    /// Appends within the limits; false if it does not fit.
    fn push(&mut self, out: &mut String, piece: &str) -> bool {
        if !self.spend(1 + piece.len() / 16) {
            return false;
        }
        if out.len() + piece.len() > MAX_OUTPUT {
            self.limited = true;
            let mut end = MAX_OUTPUT.saturating_sub(out.len());
            while !piece.is_char_boundary(end) {
                end -= 1;
            }
            out.push_str(&piece[..end]);
            return false;
        }
        out.push_str(piece);
        true
    }

    fn template(&mut self, text: &str) -> Template {
        if let Some(t) = self.parsed.get(text) {
            return t.clone();
        }
        self.spend(text.len() / 4);
        let t = Template::parse(text);
        self.parsed.insert(text.to_owned(), t.clone());
        t
    }

    fn expand(&mut self, t: &Template, vars: &dyn Vars, flags: Flags) -> String {
        if t.text().is_empty() || !self.spend(1) {
            return String::new();
        }
        if self.depth >= MAX_DEPTH {
            self.limited = true;
            return String::new();
        }
        self.depth += 1;
        let mut out = String::new();
        if flags.timed && t.has_percent() {
            let text = time::strftime(t.text(), self.cx.now, self.cx.zone);
            if text.len() > MAX_TIMED {
                self.limited = true;
            } else {
                let timed = self.template(&text);
                self.nodes(timed.nodes(), vars, flags, &mut out);
            }
        } else {
            self.nodes(t.nodes(), vars, flags, &mut out);
        }
        self.depth -= 1;
        out
    }

    /// Expands a text that was not known before.
    fn expand_text(&mut self, text: &str, vars: &dyn Vars, flags: Flags) -> String {
        let t = self.template(text);
        self.expand(&t, vars, flags)
    }

    fn nodes(&mut self, nodes: &[Node], vars: &dyn Vars, flags: Flags, out: &mut String) {
        for node in nodes {
            let fits = match node {
                Node::Text(s) => self.push(out, s),
                Node::Job { raw, command } => {
                    let text = self.job(raw, command, vars, flags);
                    self.push(out, &text)
                }
                Node::Replace(r) => match self.replace(r, vars, flags) {
                    Ok(text) => self.push(out, &text),
                    Err(Halt) => return,
                },
                Node::Stop => return,
            };
            if !fits {
                return;
            }
        }
    }

    fn job(&mut self, raw: &str, command: &Template, vars: &dyn Vars, flags: Flags) -> String {
        if !flags.jobs {
            return String::new();
        }
        // Neither time nor frames reach the command: it would be another one each time and run without end.
        let inner = Flags { timed: false, jobs: false, cycle: false };
        let command = self.expand(command, vars, inner);
        let said = vars.job(raw, &command);
        self.expand_text(&said, vars, inner)
    }

    fn plan(&mut self, list: &[Modifier], vars: &dyn Vars, flags: Flags) -> Plan {
        let mut plan = Plan { cycle: 1, ..Plan::default() };
        for m in list {
            let mut args: Vec<String> = m.args.iter().map(|a| self.expand(a, vars, flags)).collect();
            let first = args.first().map(String::as_str);
            match m.kind {
                Kind::Basename => plan.basename = true,
                Kind::Dirname => plan.dirname = true,
                Kind::Length => plan.length = true,
                Kind::Width => plan.width = true,
                Kind::Expand => plan.expand = true,
                Kind::ExpandTime => plan.expand_timed = true,
                Kind::Time => plan.time = Some(time_form(plan.time.take(), &args)),
                Kind::Quote => match first {
                    None => plan.quotes.shell = true,
                    Some(f) if f.contains('s') => plan.quotes.single = true,
                    Some(f) if f.contains(['e', 'h']) => plan.quotes.style = true,
                    Some(f) if f.contains('a') => plan.quotes.argument = true,
                    Some(_) => {}
                },
                Kind::Substitute if args.len() >= 2 => {
                    let icase = args.get(2).is_some_and(|f| f.contains('i'));
                    let with = std::mem::take(&mut args[1]);
                    plan.subs.push((std::mem::take(&mut args[0]), with, icase));
                }
                Kind::Limit => {
                    if let Some(f) = first {
                        plan.limit = text::number(f, -MAX_WIDTH, MAX_WIDTH).unwrap_or(0);
                        if args.len() >= 2 {
                            plan.marker = Some(std::mem::take(&mut args[1]));
                        }
                    }
                }
                Kind::Pad => {
                    if let Some(f) = first {
                        plan.pad = text::number(f, -MAX_WIDTH, MAX_WIDTH).unwrap_or(0);
                    }
                }
                Kind::Cycle => {
                    if let Some(f) = first {
                        plan.cycle = text::number(f, 1, 100).unwrap_or(1) as u64;
                    }
                }
                Kind::Sessions | Kind::Windows | Kind::Panes | Kind::Clients => {
                    plan.sort = Some(sort(m.kind, first.unwrap_or("")));
                }
                Kind::Options | Kind::Environ if args.len() == 1 => plan.table = args.swap_remove(0),
                // The last of these says all; colours and questions to the client add up.
                Kind::Match => plan.match_flags = first.unwrap_or("").to_owned(),
                Kind::Search => plan.search_flags = first.unwrap_or("").to_owned(),
                Kind::Colour => plan.colour_flags.push_str(first.unwrap_or("")),
                Kind::Client => plan.client_flags.push_str(first.unwrap_or("")),
                Kind::Expression if (1..=3).contains(&args.len()) => plan.operator = args,
                _ => {}
            }
        }
        plan
    }

    fn replace(&mut self, r: &Replace, vars: &dyn Vars, flags: Flags) -> Result<String, Halt> {
        if r.modifiers.is_empty() {
            return self.body(&r.body, &Plan::default(), vars, flags);
        }
        let plan = self.plan(&r.modifiers, vars, flags);
        let mut value = self.body(&r.body, &plan, vars, flags)?;
        if plan.expand {
            value = self.expand_text(&value, vars, flags);
        } else if plan.expand_timed {
            value = self.expand_text(&value, vars, Flags { timed: true, ..flags });
        }
        for (pattern, with, icase) in &plan.subs {
            let pattern = self.expand_text(pattern, vars, flags);
            let with = self.expand_text(with, vars, flags);
            if self.spend(1 + value.len() / 4)
                && let Some(new) = pattern::substitute(&pattern, &with, &value, *icase, MAX_OUTPUT)
            {
                value = new;
            }
        }
        if plan.limit != 0 {
            let cut = if plan.limit > 0 {
                text::trim_left(&value, plan.limit as usize)
            } else {
                text::trim_right(&value, plan.limit.unsigned_abs() as usize)
            };
            value = match plan.marker {
                Some(marker) if cut != value && plan.limit > 0 => cut + &marker,
                Some(marker) if cut != value => marker + &cut,
                _ => cut,
            };
        }
        if plan.pad != 0 {
            value = text::pad(value, plan.pad);
        }
        if plan.length {
            value = value.len().to_string();
        }
        if plan.width {
            value = text::width(&value).to_string();
        }
        Ok(value)
    }

    fn body(&mut self, body: &Body, plan: &Plan, vars: &dyn Vars, flags: Flags) -> Result<String, Halt> {
        let bit = |b: bool| Ok(String::from(if b { "1" } else { "0" }));
        match body {
            Body::Name(name) => Ok(self.find(name, plan, vars).unwrap_or_default()),
            Body::Nested(t) => Ok(self.expand(t, vars, flags)),
            Body::Literal(s) => Ok(s.to_string()),
            Body::Client(name) => Ok(client(&plan.client_flags, name, vars)),
            Body::Cycle(frames) => Ok(self.cycle(frames, plan.cycle, flags)),
            Body::Character(t) => {
                let n = text::number(&self.expand(t, vars, flags), 32, 126);
                Ok(n.and_then(|n| u8::try_from(n).ok()).map(char::from).map(String::from).unwrap_or_default())
            }
            Body::Colour(t) => {
                let name = self.expand(t, vars, flags);
                Ok(colour_text(&name, &plan.colour_flags, vars))
            }
            Body::Loop { kind, all, active } => self.each(*kind, all, active.as_ref(), plan, vars, flags),
            Body::Each { kind: Kind::Clients, body } => self.each(Kind::Clients, body, None, plan, vars, flags),
            Body::Each { kind: Kind::Options, body } => Ok(self.options(body, &plan.table, vars, flags)),
            Body::Each { body, .. } => Ok(self.environ(body, &plan.table, vars, flags)),
            Body::Exists { session, name } => {
                let name = self.expand(name, vars, flags);
                let kind = if *session { NameKind::Session } else { NameKind::Window };
                bit(vars.name_exists(kind, &name).ok_or(Halt)?)
            }
            Body::Search(t) => {
                let what = self.expand(t, vars, flags);
                let line = vars.search(&what, plan.search_flags.contains('r'), plan.search_flags.contains('i'));
                Ok(line.unwrap_or(0).to_string())
            }
            Body::Repeat(pair) => {
                let (what, count) = self.sides(pair.as_ref(), vars, flags)?;
                let mut out = String::new();
                for _ in 0..text::number(&count, 1, MAX_WIDTH).unwrap_or(0) {
                    if !self.push(&mut out, &what) {
                        break;
                    }
                }
                Ok(out)
            }
            Body::Truth { not, body } => bit(is_true(&self.expand(body, vars, flags)) != *not),
            Body::Bool { and, parts } => {
                let stop = parts.iter().any(|p| is_true(&self.expand(p, vars, flags)) != *and);
                bit(stop != *and)
            }
            Body::Compare { with, sides } => {
                let (left, right) = self.sides(sides.as_ref(), vars, flags)?;
                match with {
                    Kind::Equal => bit(left == right),
                    Kind::NotEqual => bit(left != right),
                    Kind::Less => bit(left < right),
                    Kind::LessEqual => bit(left <= right),
                    Kind::Greater => bit(left > right),
                    Kind::GreaterEqual => bit(left >= right),
                    _ => Ok(self.matches(&plan.match_flags, &left, &right)),
                }
            }
            Body::Choose { arms, otherwise } => {
                for arm in arms {
                    if is_true(&self.condition(arm, plan, vars, flags)) {
                        return Ok(self.expand(&arm.value, vars, flags));
                    }
                }
                Ok(otherwise.as_ref().map(|t| self.expand(t, vars, flags)).unwrap_or_default())
            }
            Body::Expression(pair) => {
                let Ok((left, right)) = self.sides(pair.as_ref(), vars, flags) else { return Ok(String::new()) };
                Ok(expression(&plan.operator, &left, &right).unwrap_or_default())
            }
        }
    }

    fn sides(
        &mut self,
        pair: Option<&(Template, Template)>,
        vars: &dyn Vars,
        flags: Flags,
    ) -> Result<(String, String), Halt> {
        let (left, right) = pair.ok_or(Halt)?;
        Ok((self.expand(left, vars, flags), self.expand(right, vars, flags)))
    }

    /// A condition is a name first; a text that expands to itself is false.
    fn condition(&mut self, arm: &Arm, plan: &Plan, vars: &dyn Vars, flags: Flags) -> String {
        if let Some(found) = self.find(&arm.name, plan, vars) {
            return found;
        }
        let text = self.expand(&arm.condition, vars, flags);
        if *text == *arm.name { String::new() } else { text }
    }

    /// The value of a name after the modifiers that work on names.
    fn find(&mut self, name: &str, plan: &Plan, vars: &dyn Vars) -> Option<String> {
        self.spend(4);
        let mut value = vars.option(name).map(Value::Text).or_else(|| vars.get(name));
        if value.is_none() && plan.time.is_none() {
            value = vars.environ(name).map(Value::Text);
        }
        let value = value?;
        if let Some(form) = &plan.time {
            let at = match value {
                Value::Time(w) => w.0,
                other => text::number(&other.into_text(), 0, i64::MAX).unwrap_or(0),
            };
            return if at == 0 { None } else { self.time(Wall(at), form) };
        }
        if value == Value::Time(Wall(0)) {
            return None;
        }
        let mut found = value.into_text();
        if plan.basename {
            found = text::basename(&found).to_owned();
        }
        if plan.dirname {
            found = text::dirname(&found).to_owned();
        }
        for (wanted, quote) in [
            (plan.quotes.shell, text::quote_shell as fn(&str) -> String),
            (plan.quotes.single, text::quote_single),
            (plan.quotes.style, text::quote_style),
            (plan.quotes.argument, text::quote_argument),
        ] {
            if wanted {
                found = quote(&found);
            }
        }
        Some(found)
    }

    fn time(&self, at: Wall, form: &TimeForm) -> Option<String> {
        let (now, zone) = (self.cx.now, self.cx.zone);
        match form {
            TimeForm::Plain => Some(time::plain(at, zone)),
            TimeForm::Pretty => Some(time::pretty(at, now, zone)),
            TimeForm::Relative => time::relative(at, now),
            TimeForm::Difference => Some(now.0.wrapping_sub(at.0).to_string()),
            TimeForm::Format(f) => {
                Some(time::strftime(f, at, zone)).map(|s| if s.len() > MAX_TIME { String::new() } else { s })
            }
        }
    }

    fn matches(&mut self, flags: &str, pattern: &str, text: &str) -> String {
        let bit = |b: bool| String::from(if b { "1" } else { "0" });
        self.spend(1 + (pattern.len() * text.len()) / 256);
        if flags.contains(['p', 'z']) {
            let width = text::width(text).max(1);
            let found = fuzzy::columns(pattern, text, width);
            if !flags.contains('p') {
                return bit(found.is_some());
            }
            let columns: Vec<String> = found.into_iter().flatten().map(|n| n.to_string()).collect();
            return columns.join(",");
        }
        let icase = flags.contains('i');
        bit(if flags.contains('r') {
            pattern::is_match(pattern, text, icase)
        } else {
            fnmatch::fnmatch(pattern, text, icase)
        })
    }

    fn cycle(&mut self, frames: &str, count: u64, flags: Flags) -> String {
        let Some(ms) = self.cx.animate.filter(|_| flags.cycle && !frames.is_empty()) else { return String::new() };
        let total = frames.split(',').count() as u64;
        self.animated |= total > 1;
        let index = ms / (count * CYCLE_MS) % total;
        frames.split(',').nth(index as usize).unwrap_or_default().to_owned()
    }

    fn each(
        &mut self,
        kind: Kind,
        all: &Template,
        active: Option<&Template>,
        plan: &Plan,
        vars: &dyn Vars,
        flags: Flags,
    ) -> Result<String, Halt> {
        let over = match kind {
            Kind::Sessions => LoopKind::Sessions,
            Kind::Windows => LoopKind::Windows,
            Kind::Panes => LoopKind::Panes,
            _ => LoopKind::Clients,
        };
        let sort = plan.sort.unwrap_or_else(|| sort(kind, ""));
        let children = match vars.children(over, sort) {
            Some(children) => children,
            None if matches!(over, LoopKind::Windows | LoopKind::Panes) => return Err(Halt),
            None => return Ok(String::new()),
        };
        let mut out = String::new();
        for (at, child) in children.iter().enumerate() {
            let turn = Turn { children: &children, at, windows: over == LoopKind::Windows };
            let t = active.filter(|_| child.active).unwrap_or(all);
            let text = self.expand(t, &turn, flags);
            if !self.push(&mut out, &text) {
                break;
            }
        }
        Ok(out)
    }

    fn options(&mut self, body: &Template, table: &str, vars: &dyn Vars, flags: Flags) -> String {
        let Some(table) = option_table(table) else { return String::new() };
        let rows = vars.option_rows(table);
        let mut out = String::new();
        for (at, row) in rows.iter().enumerate() {
            let turn = Overlay { below: vars, at, last: at + 1 == rows.len(), row: RowOf::Option(row) };
            let text = self.expand(body, &turn, flags);
            if !self.push(&mut out, &text) {
                break;
            }
        }
        out
    }

    fn environ(&mut self, body: &Template, table: &str, vars: &dyn Vars, flags: Flags) -> String {
        let table = match table {
            "" | "s" => EnvironTable::Session,
            "g" => EnvironTable::Global,
            "c" => EnvironTable::Client,
            _ => return String::new(),
        };
        let rows = vars.environ_rows(table);
        let mut out = String::new();
        for (at, row) in rows.iter().enumerate() {
            let turn = Overlay { below: vars, at, last: at + 1 == rows.len(), row: RowOf::Environ(row) };
            let text = self.expand(body, &turn, flags);
            if !self.push(&mut out, &text) {
                break;
            }
        }
        out
    }
}

fn time_form(before: Option<TimeForm>, args: &[String]) -> TimeForm {
    match args {
        [f, ..] if f.contains('p') => TimeForm::Pretty,
        [f, ..] if f.contains('r') => TimeForm::Relative,
        [f, ..] if f.contains('d') => TimeForm::Difference,
        [f, format, ..] if f.contains('f') => TimeForm::Format(text::strip(format)),
        _ => before.unwrap_or(TimeForm::Plain),
    }
}

fn sort(kind: Kind, flags: &str) -> Sort {
    let by = match kind {
        Kind::Panes if flags.contains('i') => Order::Index,
        Kind::Panes if flags.contains('z') => Order::Z,
        Kind::Panes => Order::Creation,
        _ if flags.contains('i') => Order::Index,
        _ if flags.contains('n') => Order::Name,
        _ if flags.contains('t') => Order::Activity,
        _ => Order::Index,
    };
    Sort { by, reversed: flags.contains('r') }
}

fn option_table(flags: &str) -> Option<OptionTable> {
    let global = flags.contains('g');
    let scope = if flags.contains('v') {
        OptionScope::Server
    } else if flags.contains('w') {
        OptionScope::Window
    } else if flags.contains('s') || flags.is_empty() {
        OptionScope::Session
    } else if flags.contains('p') {
        // Panes have no global table.
        return (!global).then_some(OptionTable { scope: OptionScope::Pane, global });
    } else if global {
        OptionScope::Session
    } else {
        return None;
    };
    Some(OptionTable { scope, global })
}

fn client(flags: &str, name: &str, vars: &dyn Vars) -> String {
    let ask = if flags.contains('e') {
        ClientAsk::Environ
    } else if flags.contains('f') {
        ClientAsk::Feature
    } else {
        ClientAsk::Capability
    };
    vars.client(ask, name).unwrap_or_default()
}

fn colour_text(name: &str, flags: &str, vars: &dyn Vars) -> String {
    let escape = flags.contains(['f', 'b']);
    if escape && name.eq_ignore_ascii_case("none") {
        return String::from("\x1b[0m");
    }
    let Some(found) = colour::parse(name) else { return String::new() };
    if escape {
        let theme = |n: u8| -> Colour { vars.theme_colour(n).unwrap_or_else(|| colour::theme_default(n)) };
        return colour::escape(found, flags.contains('b'), vars.depth(), theme);
    }
    colour::to_rgb(found).map(|(r, g, b)| format!("{r:02x}{g:02x}{b:02x}")).unwrap_or_default()
}

/// Arithmetic of `e`: integers unless told otherwise; nothing if an operand or the operator is not understood.
fn expression(args: &[String], left: &str, right: &str) -> Option<String> {
    let operator = args.first()?.as_str();
    let fractions = args.get(1).is_some_and(|f| f.contains('f'));
    let mut digits = if fractions { 2 } else { 0 };
    if let Some(p) = args.get(2) {
        digits = text::number(p, -MAX_PRECISION, MAX_PRECISION)?;
    }
    // printf takes a negative precision as none given, which is six digits.
    let digits = usize::try_from(digits).unwrap_or(6);
    let (mut a, mut b) = (text::decimal(left)?, text::decimal(right)?);
    if !fractions {
        (a, b) = (text::truncate(a), text::truncate(b));
    }
    let bit = |b: bool| f64::from(u8::from(b));
    let result = match operator {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        "%" | "m" => a % b,
        "==" => bit((a - b).abs() < 1e-9),
        "!=" => bit((a - b).abs() > 1e-9),
        ">" => bit(a > b),
        "<" => bit(a < b),
        ">=" => bit(a >= b),
        "<=" => bit(a <= b),
        _ => return None,
    };
    let result = if fractions { result } else { text::truncate(result) };
    Some(if result.is_finite() {
        format!("{result:.digits$}")
    } else if result.is_nan() {
        String::from("nan")
    } else {
        String::from(if result > 0.0 { "inf" } else { "-inf" })
    })
}

/// One turn of a loop over children: the child and what the loop adds to it.
struct Turn<'a> {
    children: &'a [Child<'a>],
    at: usize,
    windows: bool,
}

impl Turn<'_> {
    fn child(&self) -> &dyn Vars {
        &*self.children[self.at].vars
    }

    fn beside(&self, name: &str) -> Option<Value> {
        let (there, rest) = match name.strip_prefix("next_") {
            Some(rest) => (self.children.get(self.at + 1)?, rest),
            None => (self.children.get(self.at.checked_sub(1)?)?, name.strip_prefix("prev_")?),
        };
        match rest {
            "window_index" => there.vars.get("window_index"),
            "window_active" => Some(Value::Bool(there.active)),
            _ if rest.starts_with('@') => there.vars.own_option(rest).map(Value::Text),
            _ => None,
        }
    }
}

impl Vars for Turn<'_> {
    fn get(&self, name: &str) -> Option<Value> {
        let active = |at: Option<usize>| at.and_then(|n| self.children.get(n)).is_some_and(|c| c.active);
        match name {
            "loop_index" => Some(Value::Number(self.at as i64)),
            "loop_last_flag" => Some(Value::Bool(self.at + 1 == self.children.len())),
            "window_after_active" if self.windows => Some(Value::Bool(active(self.at.checked_sub(1)))),
            "window_before_active" if self.windows => Some(Value::Bool(active(Some(self.at + 1)))),
            _ => {
                let own = if self.windows { self.beside(name) } else { None };
                own.or_else(|| self.child().get(name))
            }
        }
    }

    fn option(&self, name: &str) -> Option<String> {
        self.child().option(name)
    }

    fn own_option(&self, name: &str) -> Option<String> {
        self.child().own_option(name)
    }

    fn environ(&self, name: &str) -> Option<String> {
        self.child().environ(name)
    }

    fn children(&self, kind: LoopKind, sort: Sort) -> Option<Vec<Child<'_>>> {
        self.child().children(kind, sort)
    }

    fn option_rows(&self, table: OptionTable) -> Vec<OptionRow> {
        self.child().option_rows(table)
    }

    fn environ_rows(&self, table: EnvironTable) -> Vec<EnvironRow> {
        self.child().environ_rows(table)
    }

    fn job(&self, raw: &str, command: &str) -> String {
        self.child().job(raw, command)
    }

    fn search(&self, pattern: &str, regex: bool, icase: bool) -> Option<usize> {
        self.child().search(pattern, regex, icase)
    }

    fn name_exists(&self, kind: NameKind, name: &str) -> Option<bool> {
        self.child().name_exists(kind, name)
    }

    fn client(&self, ask: ClientAsk, name: &str) -> Option<String> {
        self.child().client(ask, name)
    }

    fn theme_colour(&self, index: u8) -> Option<Colour> {
        self.child().theme_colour(index)
    }

    fn depth(&self) -> super::Depth {
        self.child().depth()
    }
}

enum RowOf<'a> {
    Option(&'a OptionRow),
    Environ(&'a EnvironRow),
}

/// One turn of `O:` or `V:`: the row's variables over the context of the loop.
struct Overlay<'a> {
    below: &'a dyn Vars,
    at: usize,
    last: bool,
    row: RowOf<'a>,
}

impl Overlay<'_> {
    fn own(&self, name: &str) -> Option<Value> {
        match name {
            "loop_index" => return Some(Value::Number(self.at as i64)),
            "loop_last_flag" => return Some(Value::Bool(self.last)),
            _ => {}
        }
        match &self.row {
            RowOf::Option(o) => Some(match name {
                "option_name" => o.name.as_str().into(),
                "option_value" => o.value.as_str().into(),
                "option_is_array" => o.is_array.into(),
                "option_array_key" | "option_array_index" => o.key.clone().unwrap_or_default().into(),
                "option_array_first" => o.first.into(),
                "option_array_last" => o.last.into(),
                "option_array_count" => (o.count as i64).into(),
                "option_is_hook" => o.is_hook.into(),
                "option_is_user" => o.is_user.into(),
                _ => return None,
            }),
            RowOf::Environ(e) => Some(match name {
                "environ_name" => e.name.as_str().into(),
                "environ_value" => e.value.clone().unwrap_or_default().into(),
                "environ_hidden" => e.hidden.into(),
                "environ_removed" => e.value.is_none().into(),
                _ => return None,
            }),
        }
    }
}

impl Vars for Overlay<'_> {
    fn get(&self, name: &str) -> Option<Value> {
        self.own(name).or_else(|| self.below.get(name))
    }

    fn option(&self, name: &str) -> Option<String> {
        self.below.option(name)
    }

    fn own_option(&self, name: &str) -> Option<String> {
        self.below.own_option(name)
    }

    fn environ(&self, name: &str) -> Option<String> {
        self.below.environ(name)
    }

    fn children(&self, kind: LoopKind, sort: Sort) -> Option<Vec<Child<'_>>> {
        self.below.children(kind, sort)
    }

    fn option_rows(&self, table: OptionTable) -> Vec<OptionRow> {
        self.below.option_rows(table)
    }

    fn environ_rows(&self, table: EnvironTable) -> Vec<EnvironRow> {
        self.below.environ_rows(table)
    }

    fn job(&self, raw: &str, command: &str) -> String {
        self.below.job(raw, command)
    }

    fn search(&self, pattern: &str, regex: bool, icase: bool) -> Option<usize> {
        self.below.search(pattern, regex, icase)
    }

    fn name_exists(&self, kind: NameKind, name: &str) -> Option<bool> {
        self.below.name_exists(kind, name)
    }

    fn client(&self, ask: ClientAsk, name: &str) -> Option<String> {
        self.below.client(ask, name)
    }

    fn theme_colour(&self, index: u8) -> Option<Colour> {
        self.below.theme_colour(index)
    }

    fn depth(&self) -> super::Depth {
        self.below.depth()
    }
}

/// Expands a text once, for callers that keep no template: a text without `#` costs a copy.
pub fn expand_once<'t>(text: &'t str, vars: &dyn Vars, cx: &Cx) -> Cow<'t, str> {
    if text.contains('#') || (cx.timed && text.contains('%')) {
        Cow::Owned(Template::parse(text).eval(vars, cx))
    } else {
        Cow::Borrowed(text)
    }
}
