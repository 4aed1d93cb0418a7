//! Paste buffers: those with automatic names, of which only so many are kept, and those that were given a name.
//! Knows no pane and no clipboard.

use std::collections::BTreeMap;
use std::fmt;

use crate::base::{BufferSeq, Wall};

/// The most bytes one buffer may have.
pub const MAX_BYTES: usize = 256 << 20;
/// How many buffers there may be at all.
pub const MAX_BUFFERS: usize = 10_000;
/// How many bytes a buffer's sample shows.
const SAMPLE: usize = 200;

/// A paste buffer. Its data is bytes, not necessarily text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    pub name: String,
    pub data: Vec<u8>,
    pub created: Wall,
    /// Later buffers have a greater one; changing a buffer makes it the latest.
    pub seq: BufferSeq,
    /// Named by itself: it counts against `buffer-limit`, and only such a buffer can be the newest.
    pub automatic: bool,
}

/// What happened to a buffer, for `paste-buffer-changed` and `paste-buffer-deleted`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Changed(String),
    Deleted(String),
}

impl Change {
    /// The name of the event.
    pub fn event(&self) -> &'static str {
        match self {
            Change::Changed(_) => "paste-buffer-changed",
            Change::Deleted(_) => "paste-buffer-deleted",
        }
    }

    /// The name of the buffer.
    pub fn name(&self) -> &str {
        match self {
            Change::Changed(name) | Change::Deleted(name) => name,
        }
    }
}

/// Why a buffer cannot be set or renamed. Shown in tmux's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BufferError {
    EmptyName,
    EmptyNewName,
    Invalid(String),
    Unknown(String),
    TooLarge,
    TooMany,
}

impl fmt::Display for BufferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BufferError::EmptyName => f.write_str("empty buffer name"),
            BufferError::EmptyNewName => f.write_str("new name is empty"),
            BufferError::Invalid(name) => write!(f, "invalid buffer name: {name}"),
            BufferError::Unknown(name) => write!(f, "no buffer {name}"),
            BufferError::TooLarge => f.write_str("buffer is too large"),
            BufferError::TooMany => f.write_str("too many buffers"),
        }
    }
}

impl std::error::Error for BufferError {}

/// All paste buffers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buffers {
    named: BTreeMap<String, Buffer>,
    by_age: BTreeMap<BufferSeq, String>,
    /// The number of the next automatic name; never used twice.
    next_index: u64,
    next_seq: u32,
}

impl Buffers {
    pub fn get(&self, name: &str) -> Option<&Buffer> {
        self.named.get(name)
    }

    /// The newest of the buffers with an automatic name: what is pasted and deleted when no buffer is named.
    pub fn newest(&self) -> Option<&Buffer> {
        self.iter().find(|buffer| buffer.automatic)
    }

    /// All buffers, the newest first.
    pub fn iter(&self) -> impl Iterator<Item = &Buffer> {
        self.by_age.values().rev().filter_map(|name| self.named.get(name))
    }

    pub fn len(&self) -> usize {
        self.named.len()
    }

    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// Adds a buffer with an automatic name, `prefix` (or `buffer`) and a number. The oldest automatic ones make room,
    /// so that no more than `limit` (at least 1) stay. Empty data does nothing.
    pub fn add(
        &mut self,
        prefix: Option<&str>,
        data: Vec<u8>,
        limit: usize,
        now: Wall,
    ) -> Result<Vec<Change>, BufferError> {
        if data.is_empty() {
            return Ok(Vec::new());
        }
        if data.len() > MAX_BYTES {
            return Err(BufferError::TooLarge);
        }
        let mut changes = Vec::new();
        let automatic: Vec<String> = self.iter().filter(|b| b.automatic).map(|b| b.name.clone()).collect();
        for name in automatic.iter().skip(limit.max(1) - 1).rev() {
            changes.extend(self.delete(name));
        }
        if self.named.len() >= MAX_BUFFERS {
            return Err(BufferError::TooMany);
        }
        let prefix = clean(prefix.filter(|p| !p.is_empty()).unwrap_or("buffer"))?;
        let name = loop {
            let name = format!("{prefix}{}", self.next_index);
            self.next_index += 1;
            if !self.named.contains_key(&name) {
                break name;
            }
        };
        changes.push(self.insert(name, data, true, now));
        Ok(changes)
    }

    /// Sets the buffer of this name, a new one or in place of the old. Empty data does nothing.
    pub fn set(&mut self, name: &str, data: Vec<u8>, now: Wall) -> Result<Vec<Change>, BufferError> {
        if data.is_empty() {
            return Ok(Vec::new());
        }
        if data.len() > MAX_BYTES {
            return Err(BufferError::TooLarge);
        }
        if name.is_empty() {
            return Err(BufferError::EmptyName);
        }
        let name = clean(name)?;
        let mut changes = Vec::new();
        changes.extend(self.delete(&name));
        if self.named.len() >= MAX_BUFFERS {
            return Err(BufferError::TooMany);
        }
        changes.push(self.insert(name, data, false, now));
        Ok(changes)
    }

    /// Gives a buffer other data; name, age and kind stay.
    pub fn replace(&mut self, name: &str, data: Vec<u8>) -> Result<Change, BufferError> {
        if data.len() > MAX_BYTES {
            return Err(BufferError::TooLarge);
        }
        let buffer = self.named.get_mut(name).ok_or_else(|| BufferError::Unknown(name.to_owned()))?;
        buffer.data = data;
        Ok(Change::Changed(name.to_owned()))
    }

    /// Gives a buffer another name, in place of the buffer that has it. It is not an automatic one any more.
    pub fn rename(&mut self, old: &str, new: &str) -> Result<Vec<Change>, BufferError> {
        if new.is_empty() {
            return Err(BufferError::EmptyNewName);
        }
        let new = clean(new)?;
        if !self.named.contains_key(old) {
            return Err(BufferError::Unknown(old.to_owned()));
        }
        if old == new {
            return Ok(Vec::new());
        }
        let mut changes = Vec::new();
        changes.extend(self.delete(&new));
        if let Some(buffer) = self.named.remove(old) {
            self.by_age.insert(buffer.seq, new.clone());
            self.named.insert(new.clone(), Buffer { name: new.clone(), automatic: false, ..buffer });
        }
        changes.extend([Change::Deleted(old.to_owned()), Change::Changed(new)]);
        Ok(changes)
    }

    /// Takes a buffer away; `None` if there is none of this name.
    pub fn delete(&mut self, name: &str) -> Option<Change> {
        let buffer = self.named.remove(name)?;
        self.by_age.remove(&buffer.seq);
        Some(Change::Deleted(buffer.name))
    }

    fn insert(&mut self, name: String, data: Vec<u8>, automatic: bool, created: Wall) -> Change {
        let seq = BufferSeq(self.next_seq);
        self.next_seq = self.next_seq.wrapping_add(1);
        self.by_age.insert(seq, name.clone());
        self.named.insert(name.clone(), Buffer { name: name.clone(), data, created, seq, automatic });
        Change::Changed(name)
    }
}

/// A name as it is kept: control characters and what was no UTF-8 are refused, backslashes doubled.
fn clean(name: &str) -> Result<String, BufferError> {
    if name.contains(char::is_control) || !crate::base::raw::is_clean(name) {
        return Err(BufferError::Invalid(name.to_owned()));
    }
    Ok(name.replace('\\', "\\\\"))
}

impl Buffer {
    /// The beginning of the data on one line, with C's escapes for what is no text.
    pub fn sample(&self) -> String {
        let head = &self.data[..self.data.len().min(SAMPLE)];
        let mut out = String::new();
        for chunk in head.utf8_chunks() {
            let mut chars = chunk.valid().chars().peekable();
            while let Some(c) = chars.next() {
                match c {
                    '\\' => out.push_str("\\\\"),
                    '\n' => out.push_str("\\n"),
                    '\r' => out.push_str("\\r"),
                    '\t' => out.push_str("\\t"),
                    '\x07' => out.push_str("\\a"),
                    '\x08' => out.push_str("\\b"),
                    '\x0b' => out.push_str("\\v"),
                    '\x0c' => out.push_str("\\f"),
                    '\0' if !chars.peek().is_some_and(|c| ('0'..='7').contains(c)) => out.push_str("\\0"),
                    c if c.is_control() => c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| octal(&mut out, b)),
                    c => out.push(c),
                }
            }
            chunk.invalid().iter().for_each(|b| octal(&mut out, *b));
        }
        if self.data.len() > SAMPLE || out.len() > SAMPLE {
            let mut end = out.len().min(SAMPLE);
            while !out.is_char_boundary(end) {
                end -= 1;
            }
            out.truncate(end);
            out.push_str("...");
        }
        out
    }
}

fn octal(out: &mut String, byte: u8) {
    out.push_str(&format!("\\{byte:03o}"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOW: Wall = Wall(5);

    /// Does what each line says and compares the list, the newest first: `+text` add, `name=text` set, `old>new`
    /// rename, `-name` delete.
    #[track_caller]
    fn check(lines: &str, list: &str) {
        let mut buffers = Buffers::default();
        for line in lines.split_whitespace() {
            step(&mut buffers, line, 3).unwrap();
        }
        assert_eq!(shown(&buffers), list);
    }

    fn step(buffers: &mut Buffers, line: &str, limit: usize) -> Result<Vec<Change>, BufferError> {
        if let Some(text) = line.strip_prefix('+') {
            buffers.add(None, text.into(), limit, NOW)
        } else if let Some(name) = line.strip_prefix('-') {
            Ok(buffers.delete(name).into_iter().collect())
        } else if let Some((old, new)) = line.split_once('>') {
            buffers.rename(old, new)
        } else {
            let (name, text) = line.split_once('=').unwrap_or((line, ""));
            buffers.set(name, text.into(), NOW)
        }
    }

    fn shown(buffers: &Buffers) -> String {
        buffers.iter().map(|b| format!("{}={}", b.name, b.sample())).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn automatic_names_count_up() {
        check("+one +two", "buffer1=two buffer0=one");
        check("+one -buffer0 +two", "buffer1=two");
        check("+one + buffer1=x +two", "buffer2=two buffer1=x buffer0=one");
    }

    #[test]
    fn the_oldest_automatic_ones_make_room() {
        check("keep=precious +a +b +c +d", "buffer3=d buffer2=c buffer1=b keep=precious");
        check("+a buffer0>kept +b +c +d +e", "buffer4=e buffer3=d buffer2=c kept=a");
    }

    #[test]
    fn names_are_set_and_changed() {
        check("n=abc n=xyz", "n=xyz");
        check("n=abc +x n=xyz", "n=xyz buffer0=x");
        check("n=abc +x n>other", "buffer0=x other=abc");
        check("a=1 b=2 a>b", "b=1");
        check("a=1 a>a", "a=1");
        check("a\\b=1", "a\\\\b=1");
    }

    #[test]
    fn the_newest_is_automatic() {
        let mut buffers = Buffers::default();
        assert!(buffers.newest().is_none());
        step(&mut buffers, "+one", 3).unwrap();
        step(&mut buffers, "n=two", 3).unwrap();
        assert_eq!(buffers.newest().map(|b| b.name.as_str()), Some("buffer0"));
        assert_eq!(buffers.add(Some("p"), b"x".to_vec(), 3, NOW), Ok(vec![Change::Changed("p1".into())]));
    }

    #[test]
    fn changes_are_told() {
        let mut buffers = Buffers::default();
        let changed = |n: &str| Change::Changed(n.into());
        let deleted = |n: &str| Change::Deleted(n.into());
        assert_eq!(step(&mut buffers, "+a", 1), Ok(vec![changed("buffer0")]));
        assert_eq!(step(&mut buffers, "+b", 1), Ok(vec![deleted("buffer0"), changed("buffer1")]));
        assert_eq!(step(&mut buffers, "n=1", 1), Ok(vec![changed("n")]));
        assert_eq!(step(&mut buffers, "buffer1>n", 1), Ok(vec![deleted("n"), deleted("buffer1"), changed("n")]));
        assert_eq!(step(&mut buffers, "-n", 1), Ok(vec![deleted("n")]));
        assert_eq!(step(&mut buffers, "-n", 1), Ok(vec![]));
    }

    #[test]
    fn errors_are_tmux_words() {
        let mut buffers = Buffers::default();
        let mut say = |line: &str| step(&mut buffers, line, 1).unwrap_err().to_string();
        assert_eq!(say("no>x"), "no buffer no");
        assert_eq!(say("no>"), "new name is empty");
        assert_eq!(say("=x"), "empty buffer name");
        assert_eq!(say("a\u{1}=x"), "invalid buffer name: a\u{1}");
    }

    #[test]
    fn samples_are_one_line() {
        let sample = |data: &[u8]| {
            let mut buffers = Buffers::default();
            buffers.set("x", data.to_vec(), NOW).unwrap();
            buffers.get("x").unwrap().sample()
        };
        assert_eq!(sample(b"a\tb\nc\\d\x1b\0e\x007\xff"), r"a\tb\nc\\d\033\0e\0007\377");
        assert_eq!(sample("é".as_bytes()), "é");
        assert_eq!(sample(&[b'x'; 200]), "x".repeat(200));
        assert_eq!(sample(&[b'x'; 201]), format!("{}...", "x".repeat(200)));
        assert_eq!(sample(&[b'\n'; 150]), format!("{}...", "\\n".repeat(100)));
    }

    proptest! {
        #[test]
        fn both_orders_agree(lines in proptest::collection::vec("[+][a-c]|[ab]=[a-c]|-(a|b|buffer[0-3])|(a|buffer[0-3])>(a|b)", 0..30)) {
            let mut buffers = Buffers::default();
            for line in &lines {
                let _ = step(&mut buffers, line, 2);
                prop_assert_eq!(buffers.iter().count(), buffers.len());
                prop_assert!(buffers.iter().filter(|b| b.automatic).count() <= 2);
                prop_assert!(buffers.iter().zip(buffers.iter().skip(1)).all(|(a, b)| a.seq > b.seq));
            }
        }
    }
}
