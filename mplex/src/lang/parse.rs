//! Tokens to commands: a descent over the grammar, then aliases.

use std::sync::Arc;

use super::lex::{Lexer, SYNTAX, Token};
use super::{
    Arg, Assignment, Call, CommandList, Group, MAX_ASSIGNMENT, MAX_ASSIGNMENTS, MAX_COMMANDS, MAX_DEPTH, MAX_EXPANDED,
    MAX_SOURCE, ParseEnv, ParseError, Parsed, Place,
};

/// Which commands of a text stand or fall together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// Each line is a group, as in a file; `;;` on a line starts a new one, which is how a list of several groups is
    /// printed.
    ByLine,
    /// The whole text is one group, as for a string given to another command.
    Whole,
}

/// Parses a text that starts at `at`.
pub fn parse_text(source: &str, at: Place, grouping: Grouping, env: &dyn ParseEnv) -> Result<Parsed, ParseError> {
    let mut shared = Shared::default();
    let raw = parse_raw(source, &at, grouping, env, &mut shared)?;
    let commands = build(raw, &at, env, &mut shared, true)?;
    Ok(Parsed { sets: shared.sets, commands })
}

/// Parses a vector of arguments, as a shell or `bind-key` gives them: all one group. A `;` at the end of a word (or as
/// a word) ends a command; `\;` at the end of a word is a `;` that does not. Nothing else is special. The result has
/// assignments only if an alias has them.
pub fn parse_args(args: &[Arg], at: Place, env: &dyn ParseEnv) -> Result<Parsed, ParseError> {
    let mut shared = Shared::default();
    let mut raw = vec![RawCall::new(&at)];
    for arg in args {
        let mut end = false;
        let arg = match arg {
            Arg::Commands(list) => Some(RawArg::Parsed(list.clone())),
            Arg::Text(text) => match text.strip_suffix(';') {
                None => Some(RawArg::Text(text.clone())),
                Some(text) => match text.strip_suffix('\\') {
                    Some(text) => Some(RawArg::Text(format!("{text};"))),
                    None => {
                        end = true;
                        (!text.is_empty()).then(|| RawArg::Text(text.to_owned()))
                    }
                },
            },
        };
        if let (Some(arg), Some(call)) = (arg, raw.last_mut()) {
            call.args.push(arg);
        }
        if end {
            raw.push(RawCall::new(&at));
        }
    }
    raw.retain(|call| !call.args.is_empty());
    let commands = build(raw, &at, env, &mut shared, true)?;
    Ok(Parsed { sets: shared.sets, commands })
}

/// A command before aliases; the first argument is its name.
struct RawCall {
    args: Vec<RawArg>,
    line: u32,
    group: u32,
}

impl RawCall {
    fn new(at: &Place) -> RawCall {
        RawCall { args: Vec::new(), line: at.line, group: 0 }
    }
}

enum RawArg {
    Text(String),
    Raw(Vec<RawCall>),
    Parsed(CommandList),
}

/// What outlives one text while its aliases are parsed as further texts.
#[derive(Default)]
struct Shared {
    sets: Vec<Assignment>,
    commands: usize,
    expanded: usize,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    peeked: Option<Token>,
    /// The line on which the last token taken ended.
    line: u32,
    file: Option<Arc<str>>,
    grouping: Grouping,
    group: u32,
    depth: usize,
    /// No branch around this place was left out.
    live: bool,
    env: &'a dyn ParseEnv,
    shared: &'a mut Shared,
}

fn parse_raw(
    source: &str,
    at: &Place,
    grouping: Grouping,
    env: &dyn ParseEnv,
    shared: &mut Shared,
) -> Result<Vec<RawCall>, ParseError> {
    if source.len() > MAX_SOURCE {
        return Err(ParseError { at: at.clone(), message: "too much text".to_owned() });
    }
    let mut parser = Parser {
        lexer: Lexer::new(source, at.line, shared.expanded, env),
        peeked: None,
        line: at.line,
        file: at.file.clone(),
        grouping,
        group: 0,
        depth: 0,
        live: true,
        env,
        shared,
    };
    let calls = parser.text()?;
    parser.shared.expanded = parser.lexer.expanded;
    Ok(calls)
}

impl Parser<'_> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        let at = Place { file: self.file.clone(), line: self.lexer.line() };
        Err(ParseError { at, message: message.into() })
    }

    fn peek(&mut self) -> Result<&Token, ParseError> {
        if self.peeked.is_none() {
            match self.lexer.token(&self.shared.sets) {
                Ok(token) => self.peeked = Some(token),
                Err(message) => return self.error(message),
            }
        }
        Ok(self.peeked.get_or_insert(Token::End))
    }

    fn take(&mut self) -> Result<Token, ParseError> {
        self.peek()?;
        self.line = self.lexer.line();
        Ok(self.peeked.take().unwrap_or(Token::End))
    }

    fn expect(&mut self, wanted: &Token) -> Result<(), ParseError> {
        if self.peek()? != wanted {
            return self.error(SYNTAX);
        }
        self.take()?;
        if *wanted == Token::Newline {
            self.new_group();
        }
        Ok(())
    }

    fn new_group(&mut self) {
        if self.grouping == Grouping::ByLine {
            self.group += 1;
        }
    }

    fn enter(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.error("nested too deeply");
        }
        Ok(())
    }

    fn text(&mut self) -> Result<Vec<RawCall>, ParseError> {
        let mut calls = Vec::new();
        while *self.peek()? != Token::End {
            self.statement(&mut calls)?;
            self.expect(&Token::Newline)?;
        }
        Ok(calls)
    }

    /// What stands on a line, maybe nothing. Leaves what ends it.
    fn statement(&mut self, calls: &mut Vec<RawCall>) -> Result<(), ParseError> {
        match self.peek()? {
            Token::Hidden => {
                self.take()?;
                match self.take()? {
                    Token::Equals(word) => self.assign(&word, true),
                    _ => self.error(SYNTAX),
                }
            }
            Token::If => {
                if !self.condition(calls, true)? {
                    self.more_commands(calls)?;
                }
                Ok(())
            }
            Token::Word(_) | Token::Equals(_) => {
                self.command(calls)?;
                self.more_commands(calls)
            }
            _ => Ok(()),
        }
    }

    /// Commands and one-line conditions after the first one, each after a `;`.
    fn more_commands(&mut self, calls: &mut Vec<RawCall>) -> Result<(), ParseError> {
        while *self.peek()? == Token::Semicolon {
            self.take()?;
            match self.peek()? {
                Token::Semicolon => self.new_group(),
                Token::If => {
                    self.condition(calls, false)?;
                }
                Token::Word(_) | Token::Equals(_) => self.command(calls)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The body of a one-line branch: at least one command.
    fn inline_branch(&mut self, calls: &mut Vec<RawCall>) -> Result<(), ParseError> {
        match self.peek()? {
            Token::If => {
                self.condition(calls, false)?;
            }
            Token::Word(_) | Token::Equals(_) => self.command(calls)?,
            _ => return self.error(SYNTAX),
        }
        self.more_commands(calls)
    }

    /// The body of a branch over lines.
    fn block_branch(&mut self, calls: &mut Vec<RawCall>) -> Result<(), ParseError> {
        self.expect(&Token::Newline)?;
        while !matches!(self.peek()?, Token::Elif | Token::Else | Token::Endif) {
            self.statement(calls)?;
            self.expect(&Token::Newline)?;
        }
        Ok(())
    }

    /// `%if` to `%endif`, over lines (where `may_block`) or on one line; says whether it was over lines.
    fn condition(&mut self, calls: &mut Vec<RawCall>, may_block: bool) -> Result<bool, ParseError> {
        self.enter()?;
        let around = self.live;
        let mut taken = false;
        let mut was_else = false;
        let mut block = None;
        loop {
            match self.take()? {
                Token::If => {
                    self.live = self.truth(around)?;
                }
                Token::Elif if !was_else => {
                    self.live = self.truth(around && !taken)?;
                }
                Token::Else if !was_else => {
                    self.live = around && !taken;
                    was_else = true;
                }
                Token::Endif => break,
                _ => return self.error(SYNTAX),
            }
            taken |= self.live;
            let over_lines = may_block && *self.peek()? == Token::Newline;
            if *block.get_or_insert(over_lines) != over_lines {
                return self.error(SYNTAX);
            }
            if over_lines {
                self.block_branch(calls)?;
            } else {
                self.inline_branch(calls)?;
            }
        }
        self.live = around;
        self.depth -= 1;
        Ok(block == Some(true))
    }

    /// Reads what a condition asks; the world is only asked when it `matters`.
    fn truth(&mut self, matters: bool) -> Result<bool, ParseError> {
        match self.take()? {
            Token::Format(text) | Token::Word(text) => Ok(matters && self.env.condition(&text, &self.shared.sets)),
            _ => self.error(SYNTAX),
        }
    }

    fn assign(&mut self, word: &str, hidden: bool) -> Result<(), ParseError> {
        if word.len() > MAX_ASSIGNMENT {
            return self.error("environment variable is too long");
        }
        if self.live
            && let Some((name, value)) = word.split_once('=')
        {
            if self.shared.sets.len() == MAX_ASSIGNMENTS {
                return self.error("too many assignments");
            }
            self.shared.sets.push(Assignment { name: name.to_owned(), value: value.to_owned(), hidden });
        }
        Ok(())
    }

    /// `[NAME=value] [name arguments...]`; called when one of the two is there.
    fn command(&mut self, calls: &mut Vec<RawCall>) -> Result<(), ParseError> {
        let mut args = Vec::new();
        match self.take()? {
            Token::Equals(word) => {
                // Before the next token is read, which may use the variable.
                self.assign(&word, false)?;
                if !matches!(self.peek()?, Token::Word(_)) {
                    return match self.peek()? {
                        Token::Equals(_) | Token::Open => self.error(SYNTAX),
                        _ => Ok(()),
                    };
                }
                if let Token::Word(word) = self.take()? {
                    args.push(RawArg::Text(word));
                }
            }
            Token::Word(word) => args.push(RawArg::Text(word)),
            _ => return self.error(SYNTAX),
        }
        let group = self.group;
        loop {
            match self.peek()? {
                Token::Word(_) | Token::Equals(_) => {
                    if let Token::Word(word) | Token::Equals(word) = self.take()? {
                        args.push(RawArg::Text(word));
                    }
                }
                Token::Open => args.push(RawArg::Raw(self.braces()?)),
                _ => break,
            }
        }
        // The commands in braces counted lines of their own; those after them on the same line belong to this group.
        self.group = group;
        if self.live {
            self.shared.commands += 1;
            if self.shared.commands > MAX_COMMANDS {
                return self.error("too many commands");
            }
            calls.push(RawCall { args, line: self.line, group });
        }
        Ok(())
    }

    fn braces(&mut self) -> Result<Vec<RawCall>, ParseError> {
        self.enter()?;
        self.take()?;
        let mut calls = Vec::new();
        loop {
            self.statement(&mut calls)?;
            match self.peek()? {
                Token::Close => break,
                _ => self.expect(&Token::Newline)?,
            }
            if *self.peek()? == Token::End {
                return self.error(SYNTAX);
            }
        }
        self.take()?;
        self.depth -= 1;
        Ok(calls)
    }
}

/// Makes the list of raw commands, with the aliases in it expanded once where `aliases`.
fn build(
    raw: Vec<RawCall>,
    at: &Place,
    env: &dyn ParseEnv,
    shared: &mut Shared,
    aliases: bool,
) -> Result<CommandList, ParseError> {
    let mut groups: Vec<Group> = Vec::new();
    let mut last = None;
    for call in raw {
        if last != Some(call.group) {
            last = Some(call.group);
            groups.push(Group::default());
        }
        let mut built = Vec::new();
        build_call(call, at, env, shared, aliases, &mut built)?;
        if let Some(group) = groups.last_mut() {
            group.calls.append(&mut built);
        }
    }
    groups.retain(|group| !group.calls.is_empty());
    Ok(CommandList { groups })
}

fn build_call(
    call: RawCall,
    at: &Place,
    env: &dyn ParseEnv,
    shared: &mut Shared,
    aliases: bool,
    out: &mut Vec<Call>,
) -> Result<(), ParseError> {
    let here = Place { file: at.file.clone(), line: call.line };
    let mut args = call.args.into_iter();
    let Some(RawArg::Text(name)) = args.next() else {
        return Err(ParseError { at: here, message: "no command".to_owned() });
    };
    if aliases && let Some(text) = env.alias(&name) {
        shared.expanded += text.len();
        if shared.expanded > MAX_EXPANDED {
            return Err(ParseError { at: here, message: "too much text".to_owned() });
        }
        let mut raw = parse_raw(&text, &here, Grouping::Whole, env, shared)?;
        // What follows the alias goes to the last command of it.
        if let Some(end) = raw.last_mut() {
            end.args.extend(args);
        }
        for call in raw {
            build_call(call, &here, env, shared, false, out)?;
        }
        return Ok(());
    }
    let mut built = Vec::new();
    for arg in args {
        built.push(match arg {
            RawArg::Text(text) => Arg::Text(text),
            RawArg::Raw(raw) => Arg::Commands(build(raw, &here, env, shared, aliases)?),
            RawArg::Parsed(list) => Arg::Commands(list),
        });
    }
    out.push(Call { name, args: built, at: here });
    Ok(())
}
