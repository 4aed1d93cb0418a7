//! A command's arguments split into flags and operands, as its row says.

use std::ops::RangeInclusive;

use super::{Arg, CommandList};

/// Whether a flag has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    None,
    /// The rest of the word, or the next word.
    Required,
    /// As `Required`, but missing at the end and before another flag.
    Optional,
}

/// A flag that a command takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// An ASCII letter or digit.
    pub letter: char,
    pub value: Value,
    /// What the value is, as the usage says it: `target-pane`, `format`; empty without a value.
    pub name: &'static str,
    /// Every occurrence counts, not only the last.
    pub repeat: bool,
    /// In the usage. tmux keeps some flags out of it.
    pub shown: bool,
    /// What the flag does, in a few words.
    pub help: &'static str,
}

impl Flag {
    /// A flag without a value.
    pub const fn plain(letter: char, help: &'static str) -> Flag {
        Flag { letter, value: Value::None, name: "", repeat: false, shown: true, help }
    }

    /// A flag with a value.
    pub const fn valued(letter: char, name: &'static str, help: &'static str) -> Flag {
        Flag { letter, value: Value::Required, name, repeat: false, shown: true, help }
    }

    /// A flag whose value may be left out.
    pub const fn optional(letter: char, name: &'static str, help: &'static str) -> Flag {
        Flag { letter, value: Value::Optional, name, repeat: false, shown: true, help }
    }

    /// The flag, to be given more than once.
    pub const fn repeated(self) -> Flag {
        Flag { repeat: true, ..self }
    }

    /// The flag, not in the usage.
    pub const fn unlisted(self) -> Flag {
        Flag { shown: false, ..self }
    }
}

/// Where commands between braces may stand among the operands. A command that takes them takes text as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    Text,
    /// Everywhere.
    Commands,
    /// Everywhere but in the first operand.
    CommandsAfterFirst,
    /// Everywhere but in the first operand, and there too when this flag is given.
    CommandsAfterFirstOr(char),
    /// Everywhere, when this flag is given.
    CommandsWith(char),
    /// As the third of each name, key and command; an empty name stands alone.
    Menu,
}

/// What a command takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgSpec {
    /// In the order of the usage: first those without a value.
    pub flags: &'static [Flag],
    /// How many operands there must be.
    pub min: usize,
    /// How many there may be, if that is limited.
    pub max: Option<usize>,
    pub operands: Operands,
    /// How the usage says the operands: `[shell-command [argument ...]]`.
    pub operands_usage: &'static str,
}

impl ArgSpec {
    pub fn flag(&self, letter: char) -> Option<&'static Flag> {
        self.flags.iter().find(|flag| flag.letter == letter)
    }

    /// The usage: `[-dP] [-F format] [-t target-pane] [message]`.
    pub fn usage(&self) -> String {
        let shown = || self.flags.iter().filter(|flag| flag.shown);
        let plain: String = shown().filter(|flag| flag.value == Value::None).map(|flag| flag.letter).collect();
        let mut parts = Vec::new();
        if !plain.is_empty() {
            parts.push(format!("[-{plain}]"));
        }
        for flag in shown().filter(|flag| flag.value != Value::None) {
            parts.push(format!("[-{} {}]", flag.letter, flag.name));
        }
        if !self.operands_usage.is_empty() {
            parts.push(self.operands_usage.to_owned());
        }
        parts.join(" ")
    }
}

/// Why arguments do not fit a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgError {
    /// `-?` was given: the usage is asked for.
    Usage,
    Message(String),
}

fn message<T>(text: impl Into<String>) -> Result<T, ArgError> {
    Err(ArgError::Message(text.into()))
}

/// One flag that was given, with the value of each time; none where it has no value or it was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Given {
    letter: char,
    /// The flag has, or may have, a value.
    takes_value: bool,
    values: Vec<Option<String>>,
}

/// A command's arguments, checked against its [`ArgSpec`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Args {
    /// Sorted by letter.
    flags: Vec<Given>,
    operands: Vec<Arg>,
}

impl Args {
    /// Splits and checks. Flags end at `--`, at `-`, at commands in braces and at the first other operand. A negative
    /// number is an operand only after one of those; as the value of a flag it may stand anywhere.
    pub fn parse(spec: &ArgSpec, given: &[Arg]) -> Result<Args, ArgError> {
        let mut args = Args::default();
        let mut rest = given.iter().peekable();
        while let Some(Arg::Text(word)) = rest.peek() {
            let Some(cluster) = word.strip_prefix('-').filter(|cluster| !cluster.is_empty()) else { break };
            rest.next();
            if cluster == "-" {
                break;
            }
            for (at, letter) in cluster.char_indices() {
                if letter == '?' {
                    return Err(ArgError::Usage);
                }
                if !letter.is_ascii_alphanumeric() {
                    return message(format!("invalid flag -{letter}"));
                }
                let Some(flag) = spec.flag(letter) else { return message(format!("unknown flag -{letter}")) };
                if flag.value == Value::None {
                    args.set(flag, None);
                    continue;
                }
                let after = &cluster[at + letter.len_utf8()..];
                if !after.is_empty() {
                    args.set(flag, Some(after.to_owned()));
                    break;
                }
                let optional = flag.value == Value::Optional;
                match rest.peek() {
                    None if optional => args.set(flag, None),
                    None => return message(format!("-{letter} expects an argument")),
                    Some(Arg::Commands(_)) => return message(format!("-{letter} argument must be a string")),
                    Some(Arg::Text(next)) if optional && is_flag(next) => args.set(flag, None),
                    Some(Arg::Text(next)) => {
                        args.set(flag, Some(next.clone()));
                        rest.next();
                    }
                }
                break;
            }
        }
        let mut menu = 0;
        for arg in rest {
            let index = args.operands.len();
            let commands = match spec.operands {
                Operands::Text => false,
                Operands::Commands => true,
                Operands::CommandsAfterFirst => index > 0,
                Operands::CommandsAfterFirstOr(letter) => index > 0 || args.has(letter),
                Operands::CommandsWith(letter) => args.has(letter),
                Operands::Menu => menu == 2,
            };
            // The name of a menu's separator is empty, and neither key nor command follow it.
            menu = if menu == 0 && arg.as_text() == Some("") { 0 } else { (menu + 1) % 3 };
            if !commands && matches!(arg, Arg::Commands(_)) {
                return message(format!("argument {} must be \"string\"", index + 1));
            }
            args.operands.push(arg.clone());
        }
        if args.operands.len() < spec.min {
            return message(format!("too few arguments (need at least {})", spec.min));
        }
        if let Some(max) = spec.max.filter(|&max| args.operands.len() > max) {
            return message(format!("too many arguments (need at most {max})"));
        }
        Ok(args)
    }

    fn set(&mut self, flag: &Flag, value: Option<String>) {
        match self.flags.binary_search_by_key(&flag.letter, |given| given.letter) {
            Ok(at) => self.flags[at].values.push(value),
            Err(at) => {
                let takes_value = flag.value != Value::None;
                self.flags.insert(at, Given { letter: flag.letter, takes_value, values: vec![value] });
            }
        }
    }

    fn given(&self, letter: char) -> &[Option<String>] {
        self.flags.iter().find(|given| given.letter == letter).map_or(&[], |given| &given.values)
    }

    /// Whether the flag was given.
    pub fn has(&self, letter: char) -> bool {
        !self.given(letter).is_empty()
    }

    /// How often the flag was given.
    pub fn count(&self, letter: char) -> usize {
        self.given(letter).len()
    }

    /// The last value of the flag.
    pub fn get(&self, letter: char) -> Option<&str> {
        self.values(letter).last()
    }

    /// All values of the flag, in order.
    pub fn values(&self, letter: char) -> impl DoubleEndedIterator<Item = &str> {
        self.given(letter).iter().filter_map(|value| value.as_deref())
    }

    /// The operands.
    pub fn operands(&self) -> &[Arg] {
        &self.operands
    }

    /// How many operands there are.
    pub fn len(&self) -> usize {
        self.operands.len()
    }

    /// Whether there are no operands.
    pub fn is_empty(&self) -> bool {
        self.operands.is_empty()
    }

    /// An operand that is text; commands in braces are none.
    pub fn positional(&self, index: usize) -> Option<&str> {
        self.operands.get(index)?.as_text()
    }

    /// An operand that is commands in braces.
    pub fn commands(&self, index: usize) -> Option<&CommandList> {
        match self.operands.get(index)? {
            Arg::Commands(list) => Some(list),
            Arg::Text(_) => None,
        }
    }

    /// All operands as text, commands printed.
    pub fn texts(&self) -> Vec<String> {
        self.operands.iter().map(Arg::to_text).collect()
    }

    /// The flag's value as a whole number. Without the flag there is none; errors read `width too small`, `what` first.
    pub fn number(&self, letter: char, what: &str, range: RangeInclusive<i64>) -> Result<Option<i64>, String> {
        self.converted(letter, what, |text| parse_number(text, range))
    }

    /// The flag's value as a whole number, or as a percentage of `total`.
    pub fn size(
        &self,
        letter: char,
        what: &str,
        range: RangeInclusive<i64>,
        total: i64,
    ) -> Result<Option<i64>, String> {
        self.converted(letter, what, |text| parse_size(text, range, total))
    }

    fn converted(
        &self,
        letter: char,
        what: &str,
        convert: impl FnOnce(&str) -> Result<i64, &'static str>,
    ) -> Result<Option<i64>, String> {
        match self.get(letter) {
            Some(text) => convert(text).map(Some).map_err(|why| format!("{what} {why}")),
            None if self.has(letter) => Err(format!("{what} missing")),
            None => Ok(None),
        }
    }

    /// The arguments in the order in which tmux prints them: flags without values together, flags with values by
    /// letter, operands. [`Args::parse`] reads the same from it, which is why `--` is there more often than in tmux.
    pub fn canonical(&self) -> Vec<Arg> {
        let mut out = Vec::new();
        let mut cluster = String::from("-");
        for given in self.flags.iter().filter(|given| !given.takes_value) {
            cluster.extend(given.values.iter().map(|_| given.letter));
        }
        if cluster.len() > 1 {
            out.push(Arg::Text(cluster));
        }
        let mut open = false;
        for given in self.flags.iter().filter(|given| given.takes_value) {
            for value in &given.values {
                out.push(Arg::Text(format!("-{}", given.letter)));
                out.extend(value.clone().map(Arg::Text));
                open = value.is_none();
            }
        }
        let first_is_flag =
            matches!(self.operands.first(), Some(Arg::Text(word)) if word.len() > 1 && word.starts_with('-'));
        if open || first_is_flag {
            out.push(Arg::from("--"));
        }
        out.extend(self.operands.iter().cloned());
        out
    }
}

/// Whether a word after a flag with an optional value is the next flag; negative numbers are not.
fn is_flag(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c == '-' || c.is_ascii_alphabetic()))
}

/// A whole number in a range. Errors are tmux's: `invalid`, `too small`, `too large`.
pub fn parse_number(text: &str, range: RangeInclusive<i64>) -> Result<i64, &'static str> {
    let digits = text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
    let unsigned = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    if unsigned.is_empty() || !unsigned.bytes().all(|b| b.is_ascii_digit()) {
        return Err("invalid");
    }
    let below = if digits.starts_with('-') { "too small" } else { "too large" };
    let value: i64 = digits.parse().map_err(|_| below)?;
    if value < *range.start() {
        return Err("too small");
    }
    if value > *range.end() {
        return Err("too large");
    }
    Ok(value)
}

/// A whole number in a range, or `N%` of `total` (at most 1000%), which must be in the range as well.
pub fn parse_size(text: &str, range: RangeInclusive<i64>, total: i64) -> Result<i64, &'static str> {
    if text.is_empty() {
        return Err("empty");
    }
    let Some(percent) = text.strip_suffix('%') else { return parse_number(text, range) };
    let value = parse_number(percent, 0..=1000)?.saturating_mul(total) / 100;
    if value < *range.start() {
        return Err("too small");
    }
    if value > *range.end() {
        return Err("too large");
    }
    Ok(value)
}
