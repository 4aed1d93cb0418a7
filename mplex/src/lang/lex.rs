//! Characters to tokens. Variables, `~` and escapes are expanded here, since that is the last moment at which quotes
//! are still known.

use super::{Assignment, MAX_EXPANDED, MAX_NAME, ParseEnv};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Newline,
    Semicolon,
    Open,
    Close,
    Hidden,
    If,
    Elif,
    Else,
    Endif,
    /// `#{...}` without quotes, only after a condition.
    Format(String),
    Word(String),
    /// A word of the shape `NAME=value`.
    Equals(String),
    End,
}

/// The message of an error; the place is where the lexer stands.
pub(super) type LexError = String;

/// What the grammar says of anything it has no better word for.
pub(super) const SYNTAX: &str = "syntax error";

fn syntax<T>() -> Result<T, LexError> {
    Err(SYNTAX.to_owned())
}

/// Whether a character may stand in the name of a variable.
fn is_name(c: char, first: bool) -> bool {
    c == '_' || if first { c.is_ascii_alphabetic() } else { c.is_ascii_alphanumeric() }
}

/// Whether a word is an assignment: a name and `=`.
fn is_assignment(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| name.starts_with(|c| is_name(c, true)) && name.chars().all(|c| is_name(c, false)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quote {
    None,
    Single,
    Double,
}

pub(super) struct Lexer<'a> {
    source: &'a str,
    /// Byte offset of the next character of `source`.
    at: usize,
    /// Backslashes read ahead and not yet given out.
    backslashes: u32,
    /// A character (or the end) put back.
    back: Option<Option<char>>,
    line: u32,
    /// The last token ended a line, so the next one is on the next line.
    line_ended: bool,
    /// The line break that is added to every text was given out.
    closed: bool,
    /// The last token was a condition, so `#{` opens a format and not a comment.
    after_condition: bool,
    /// How many bytes words had so far.
    pub(super) expanded: usize,
    env: &'a dyn ParseEnv,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &'a str, line: u32, expanded: usize, env: &'a dyn ParseEnv) -> Lexer<'a> {
        Lexer {
            source,
            at: 0,
            backslashes: 0,
            back: None,
            line,
            line_ended: false,
            closed: false,
            after_condition: false,
            expanded,
            env,
        }
    }

    /// The line on which the last token ended.
    pub(super) fn line(&self) -> u32 {
        self.line
    }

    /// The next token. `sets` are the assignments so far, which `$NAME` sees first.
    pub(super) fn token(&mut self, sets: &[Assignment]) -> Result<Token, LexError> {
        if self.line_ended {
            self.line += 1;
            self.line_ended = false;
        }
        let after_condition = std::mem::take(&mut self.after_condition);
        loop {
            let Some(c) = self.next() else {
                // Every text ends with a line break, so the grammar need not know texts that do not.
                if self.closed {
                    return Ok(Token::End);
                }
                self.closed = true;
                return Ok(Token::Newline);
            };
            match self.join_return(c) {
                ' ' | '\t' => {}
                '\n' => {
                    self.line_ended = true;
                    return Ok(Token::Newline);
                }
                ';' => return Ok(Token::Semicolon),
                '{' => return Ok(Token::Open),
                '}' => return Ok(Token::Close),
                '#' => {
                    let next = self.next();
                    if after_condition && next == Some('{') {
                        return self.format().map(Token::Format);
                    }
                    self.put_back(next);
                    self.skip_line();
                }
                '%' => return self.directive(),
                c => {
                    let word = self.word(c, sets)?;
                    return Ok(if is_assignment(&word) { Token::Equals(word) } else { Token::Word(word) });
                }
            }
        }
    }

    fn raw(&mut self) -> Option<char> {
        let c = self.source[self.at..].chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// The next character, with line continuations removed. A line break is continued when an odd number of
    /// backslashes stands before it, in quotes and comments as well.
    fn next(&mut self) -> Option<char> {
        if let Some(c) = self.back.take() {
            return c;
        }
        if self.backslashes == 0 {
            loop {
                let before = self.at;
                match self.raw() {
                    Some('\\') => self.backslashes += 1,
                    Some('\n') if self.backslashes % 2 == 1 => {
                        self.line += 1;
                        self.backslashes -= 1;
                    }
                    c if self.backslashes == 0 => return c,
                    _ => {
                        self.at = before;
                        break;
                    }
                }
            }
        }
        self.backslashes -= 1;
        Some('\\')
    }

    fn put_back(&mut self, c: Option<char>) {
        self.back = Some(c);
    }

    /// Reads CR LF as LF.
    fn join_return(&mut self, c: char) -> char {
        if c == '\r' {
            match self.next() {
                Some('\n') => return '\n',
                next => self.put_back(next),
            }
        }
        c
    }

    /// Skips to the end of the line and leaves the line break.
    fn skip_line(&mut self) {
        loop {
            match self.next() {
                None => break,
                Some('\n') => {
                    self.put_back(Some('\n'));
                    break;
                }
                Some(_) => {}
            }
        }
    }

    /// What starts with `%`: a condition, or a word when it is `%` and digits alone (a pane's id, `%%`).
    fn directive(&mut self) -> Result<Token, LexError> {
        let mut word = String::from("%");
        loop {
            match self.next() {
                Some(c) if !matches!(c, ' ' | '\t' | '\n') => word.push(c),
                c => {
                    self.put_back(c);
                    break;
                }
            }
        }
        let word = word.strip_suffix('\r').unwrap_or(&word);
        if word.bytes().all(|b| b == b'%' || b.is_ascii_digit()) {
            return Ok(Token::Word(word.to_owned()));
        }
        self.after_condition = true;
        match word {
            "%hidden" => Ok(Token::Hidden),
            "%if" => Ok(Token::If),
            "%elif" => Ok(Token::Elif),
            "%else" => Ok(Token::Else),
            "%endif" => Ok(Token::Endif),
            _ => syntax(),
        }
    }

    /// The rest of a format after its `#{`, up to the brace that closes it.
    fn format(&mut self) -> Result<String, LexError> {
        let mut out = String::from("#{");
        let mut open = 1usize;
        loop {
            let mut c = self.in_line()?;
            if c == '#' {
                out.push('#');
                c = self.in_line()?;
                if c == '{' {
                    open += 1;
                }
            } else if c == '}' {
                open -= 1;
            }
            out.push(c);
            if open == 0 {
                return Ok(out);
            }
        }
    }

    /// The next character of something that must end on its line.
    fn in_line(&mut self) -> Result<char, LexError> {
        match self.next() {
            None | Some('\n') => syntax(),
            Some(c) => Ok(c),
        }
    }

    /// A word that starts with `c`, up to white space, `;` or `}` outside quotes. Quotes still open at the end of the
    /// text close there.
    fn word(&mut self, c: char, sets: &[Assignment]) -> Result<String, LexError> {
        // Bytes and not characters, since octal escapes may spell UTF-8.
        let mut out: Vec<u8> = Vec::new();
        let mut quote = Quote::None;
        // The quoting in which something was last added: `~` expands only as the first thing in its quoting.
        let mut last = None;
        let mut next = Some(c);
        loop {
            if self.expanded + out.len() > MAX_EXPANDED {
                return Err("too much text".to_owned());
            }
            let Some(mut c) = next else { break };
            if quote == Quote::None {
                c = self.join_return(c);
                if matches!(c, '\n' | ' ' | '\t' | ';' | '}') {
                    next = Some(c);
                    break;
                }
            }
            match c {
                '\n' => {
                    out.push(b'\n');
                    next = self.line_in_quotes();
                    continue;
                }
                '\\' if quote != Quote::Single => self.backslash(&mut out)?,
                '~' if quote != Quote::Single && last != Some(quote) => self.tilde(&mut out, sets)?,
                '$' if quote != Quote::Single => self.variable(&mut out, sets)?,
                '\'' if quote != Quote::Double => {
                    quote = if quote == Quote::None { Quote::Single } else { Quote::None };
                    next = self.next();
                    continue;
                }
                '"' if quote != Quote::Single => {
                    quote = if quote == Quote::None { Quote::Double } else { Quote::None };
                    next = self.next();
                    continue;
                }
                c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
            last = Some(quote);
            next = self.next();
        }
        self.put_back(next);
        self.expanded += out.len();
        // Only octal escapes can spell something else than UTF-8.
        String::from_utf8(out).map_err(|_| "invalid octal escape".to_owned())
    }

    /// After a line break in quotes: indentation goes, and so do lines that are comments. Gives the character to go on
    /// with. `#` before one of `,#{}:` is a format and no comment.
    fn line_in_quotes(&mut self) -> Option<char> {
        self.line += 1;
        let c = loop {
            match self.next() {
                Some(' ' | '\t') => {}
                c => break c,
            }
        };
        if c != Some('#') {
            return c;
        }
        let after = self.next();
        self.put_back(after);
        if matches!(after, Some(',' | '#' | '{' | '}' | ':')) {
            return c;
        }
        self.skip_line();
        self.next()
    }

    fn backslash(&mut self, out: &mut Vec<u8>) -> Result<(), LexError> {
        let c = match self.next() {
            None => return syntax(),
            Some(c @ '0'..='7') => return self.octal(c, out),
            Some(c @ ('u' | 'U')) => return self.unicode(c, out),
            Some('a') => '\x07',
            Some('b') => '\x08',
            Some('e') => '\x1b',
            Some('f') => '\x0c',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('s') => ' ',
            Some('t') => '\t',
            Some('v') => '\x0b',
            Some(c) => c,
        };
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    /// Three octal digits, at most 377: one byte.
    fn octal(&mut self, first: char, out: &mut Vec<u8>) -> Result<(), LexError> {
        let mut value = first.to_digit(8).unwrap_or(0);
        for _ in 0..2 {
            let digit = self.next().and_then(|c| c.to_digit(8));
            value = value * 8 + digit.ok_or("invalid octal escape")?;
        }
        out.push(u8::try_from(value).map_err(|_| "invalid octal escape")?);
        Ok(())
    }

    /// Four hexadecimal digits after `\u`, eight after `\U`: one code point.
    fn unicode(&mut self, kind: char, out: &mut Vec<u8>) -> Result<(), LexError> {
        let invalid = || format!("invalid \\{kind} argument");
        let mut value = 0u32;
        for _ in 0..if kind == 'u' { 4 } else { 8 } {
            let digit = self.in_line()?.to_digit(16).ok_or_else(invalid)?;
            value = value << 4 | digit;
        }
        let c = char::from_u32(value).ok_or_else(invalid)?;
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    /// `$NAME` or `${NAME}`; a variable that is not set is empty, and `$` before anything else is itself.
    fn variable(&mut self, out: &mut Vec<u8>, sets: &[Assignment]) -> Result<(), LexError> {
        let mut name = String::new();
        let braces = match self.next() {
            Some('{') => true,
            Some(c) if is_name(c, true) => {
                name.push(c);
                false
            }
            c => {
                out.push(b'$');
                self.put_back(c);
                return Ok(());
            }
        };
        loop {
            match self.next() {
                Some('}') if braces => break,
                Some(c) if is_name(c, false) => name.push(c),
                _ if braces => return Err("invalid environment variable".to_owned()),
                c => {
                    self.put_back(c);
                    break;
                }
            }
            if name.len() > MAX_NAME {
                return Err("environment variable is too long".to_owned());
            }
        }
        if let Some(value) = self.lookup(&name, sets) {
            out.extend_from_slice(value.as_bytes());
        }
        Ok(())
    }

    fn lookup(&self, name: &str, sets: &[Assignment]) -> Option<String> {
        match sets.iter().rev().find(|set| set.name == name) {
            Some(set) => Some(set.value.clone()),
            None => self.env.var(name),
        }
    }

    /// `~` or `~user`.
    fn tilde(&mut self, out: &mut Vec<u8>, sets: &[Assignment]) -> Result<(), LexError> {
        let mut user = String::new();
        loop {
            match self.next() {
                Some(c) if !matches!(c, '/' | ' ' | '\t' | '\n' | '"' | '\'') => user.push(c),
                c => {
                    self.put_back(c);
                    break;
                }
            }
            if user.len() > MAX_NAME {
                return Err("user name is too long".to_owned());
            }
        }
        let home = if user.is_empty() {
            self.lookup("HOME", sets).filter(|home| !home.is_empty()).or_else(|| self.env.home(None))
        } else {
            self.env.home(Some(&user))
        };
        match home {
            Some(home) => out.extend_from_slice(home.as_bytes()),
            None => return syntax(),
        }
        Ok(())
    }
}
