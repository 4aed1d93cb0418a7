//! What `core` may ask and be answered at once ([`Outside`]), for real: terminals, processes, files.

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;
use rustix::process::Pid;

use super::pty::{Catcher, Feed, Slot, lock};
use super::queue::Queue;
use super::spawn::Master;
use crate::base::PaneId;
use crate::client::socket::words;
use crate::core::{Outside, Process};
use crate::term::Terminal;

/// Most paths a pattern may give.
const GLOB_PATHS: usize = 4096;
/// Most directory entries looked at for one pattern.
const GLOB_LOOKS: usize = 100_000;

/// A pane's pty.
pub(super) struct Pty {
    pub(super) master: Master,
    pub(super) pid: Pid,
    pub(super) feed: Arc<Feed>,
    /// Input the program did not take yet.
    pub(super) input: Queue,
    /// Whether `main` polls for it to take more.
    pub(super) waiting: bool,
    /// Whether input was refused since it last took all.
    pub(super) refused: bool,
    /// Whether the program ended and was waited for.
    pub(super) ended: bool,
}

/// Terminals and ptys by pane.
#[derive(Default)]
pub(super) struct World {
    /// `None` only before the thread is there.
    pub(super) catcher: Option<Catcher>,
    pub(super) slots: FxHashMap<PaneId, Slot>,
    pub(super) ptys: FxHashMap<PaneId, Pty>,
}

impl Outside for World {
    fn open_terminal(&mut self, pane: PaneId, terminal: Terminal) {
        self.slots.insert(pane, Arc::new(Mutex::new(Some(terminal))));
    }

    fn close_terminal(&mut self, pane: PaneId) -> Option<Terminal> {
        // The other thread may still hold the slot; it finds it empty and drops what it read.
        let slot = self.slots.remove(&pane)?;
        lock(&slot).take()
    }

    fn terminal(&mut self, pane: PaneId, f: &mut dyn FnMut(&mut Terminal)) -> bool {
        let Some(slot) = self.slots.get(&pane) else { return false };
        match lock(slot).as_mut() {
            Some(terminal) => {
                f(terminal);
                true
            }
            None => false,
        }
    }

    fn catch_up(&mut self, pane: PaneId) {
        if let (Some(catcher), true) = (&self.catcher, self.ptys.contains_key(&pane)) {
            catcher.catch_up(pane);
        }
    }

    fn process(&mut self, pane: PaneId) -> Option<Process> {
        let pty = self.ptys.get(&pane)?;
        let group = rustix::termios::tcgetpgrp(&pty.master).unwrap_or(pty.pid);
        let read = |pid: Pid| {
            let pid = pid.as_raw_pid().unsigned_abs();
            let command = program(pid)?;
            let cwd = fs::read_link(proc_dir(pid).join("cwd"));
            let path = cwd.map(|p| p.to_string_lossy().into_owned()).unwrap_or_default();
            Some(Process { command, path })
        };
        // The group's leader may be gone while its members live.
        read(group).or_else(|| read(pty.pid))
    }

    fn parents(&mut self, pid: u32) -> Vec<u32> {
        let mut chain = Vec::new();
        let mut at = pid;
        while chain.len() < MAX_PARENTS
            && let Some(parent) = parent(at).filter(|p| *p > 1)
        {
            chain.push(parent);
            at = parent;
        }
        chain
    }

    fn program(&mut self, pid: u32) -> Option<String> {
        program(pid)
    }

    fn read_file(&mut self, path: &str, limit: usize) -> Result<Vec<u8>, String> {
        read_file(path, limit).map_err(|e| format!("{}: {path}", words(&e)))
    }

    fn write_file(&mut self, path: &str, bytes: &[u8], append: bool) -> Result<(), String> {
        write_file(Path::new(path), bytes, append).map_err(|e| format!("{}: {path}", words(&e)))
    }

    fn glob(&mut self, pattern: &str) -> Vec<String> {
        glob(pattern)
    }
}

/// How far up a process's parents are followed.
const MAX_PARENTS: usize = 64;

fn proc_dir(pid: u32) -> PathBuf {
    PathBuf::from(format!("/proc/{pid}"))
}

/// The name of a process's program, by its first argument, else by what the kernel calls it.
fn program(pid: u32) -> Option<String> {
    let line = fs::read(proc_dir(pid).join("cmdline")).ok()?;
    match line.split(|b| *b == 0).next().filter(|a| !a.is_empty()) {
        Some(arg) => Some(short_name(&String::from_utf8_lossy(arg))),
        None => Some(fs::read_to_string(proc_dir(pid).join("comm")).ok()?.trim_end().to_owned()),
    }
}

/// The parent: the second field behind the name in brackets, which may itself have brackets.
fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(proc_dir(pid).join("stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// A command's name as people know it: no directory, no dash of a login shell.
fn short_name(arg: &str) -> String {
    let arg = arg.strip_prefix('-').unwrap_or(arg);
    arg.rsplit('/').find(|s| !s.is_empty()).unwrap_or(arg).to_owned()
}

fn read_file(path: &str, limit: usize) -> io::Result<Vec<u8>> {
    // Not blocking: opening a fifo would wait for its writer.
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
    let file = fs::File::options().read(true).custom_flags(flags).open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_dir() {
        return Err(io::Error::other("Is a directory"));
    }
    if !kind.is_file() && path != "/dev/null" {
        return Err(io::Error::other("Not a regular file"));
    }
    let mut bytes = Vec::new();
    file.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > limit {
        return Err(io::Error::other(format!("File is larger than {limit} bytes")));
    }
    Ok(bytes)
}

fn write_file(path: &Path, bytes: &[u8], append: bool) -> io::Result<()> {
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
    let there = fs::metadata(path).ok();
    let regular = there.as_ref().is_none_or(fs::Metadata::is_file);
    if append || !regular {
        let mut file = fs::File::options().append(true).create(true).custom_flags(flags).open(path)?;
        return file.write_all(bytes);
    }
    // Through a link the file it names is written, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = target.file_name().ok_or_else(|| io::Error::other("Is a directory"))?.to_string_lossy().into_owned();
    let temporary = target.with_file_name(format!(".{name}.mplex-{}", std::process::id()));
    let written = (|| {
        let mut file = fs::File::options().write(true).create_new(true).open(&temporary)?;
        if let Some(meta) = &there {
            file.set_permissions(meta.permissions())?;
        }
        file.write_all(bytes)?;
        fs::rename(&temporary, &target)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Paths that match, sorted. `*`, `?` and `[...]` never match a slash, nor a leading dot.
fn glob(pattern: &str) -> Vec<String> {
    if !pattern.contains(['*', '?', '[']) {
        return if Path::new(pattern).exists() { vec![pattern.to_owned()] } else { Vec::new() };
    }
    let mut looks = 0;
    let mut found = vec![if pattern.starts_with('/') { "/".to_owned() } else { String::new() }];
    let parts: Vec<&str> = pattern.split('/').filter(|p| !p.is_empty()).collect();
    for (i, part) in parts.iter().enumerate() {
        let last = i + 1 == parts.len();
        let mut next = Vec::new();
        for base in found {
            if !part.contains(['*', '?', '[']) {
                let path = format!("{base}{part}");
                if Path::new(&path).exists() {
                    next.push(path);
                }
                continue;
            }
            let dir = if base.is_empty() { "." } else { base.as_str() };
            let Ok(entries) = fs::read_dir(dir) else { continue };
            for entry in entries.flatten() {
                looks += 1;
                if looks > GLOB_LOOKS || next.len() >= GLOB_PATHS {
                    break;
                }
                let name = entry.file_name().to_string_lossy().into_owned();
                if (!name.starts_with('.') || part.starts_with('.')) && wild(part.as_bytes(), name.as_bytes()) {
                    next.push(format!("{base}{name}"));
                }
            }
        }
        if !last {
            next.retain(|p| Path::new(p).is_dir());
            for p in &mut next {
                p.push('/');
            }
        }
        found = next;
    }
    found.sort();
    found
}

/// Matches one name. Goes back to the last star only, so time is at most the product of both lengths.
fn wild(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star = None;
    loop {
        let step = match pattern.get(p) {
            Some(b'*') => {
                star = Some((p + 1, n));
                p += 1;
                continue;
            }
            None if n == name.len() => return true,
            Some(one) if n < name.len() => match one {
                b'?' => Some(p + 1),
                b'[' => bracket(pattern, p, name[n]),
                b'\\' if p + 1 < pattern.len() => (pattern[p + 1] == name[n]).then_some(p + 2),
                c => (*c == name[n]).then_some(p + 1),
            },
            _ => None,
        };
        match (step, star) {
            (Some(at), _) => {
                p = at;
                n += 1;
            }
            (None, Some((after, from))) if from < name.len() => {
                p = after;
                n = from + 1;
                star = Some((after, n));
            }
            _ => return false,
        }
    }
}

/// Where the pattern goes on after the set at `p` if it has the byte; an unclosed `[` is itself.
fn bracket(pattern: &[u8], p: usize, byte: u8) -> Option<usize> {
    let negated = matches!(pattern.get(p + 1), Some(b'!' | b'^'));
    let first = p + 1 + usize::from(negated);
    let Some(end) = (first + 1..pattern.len()).find(|i| pattern[*i] == b']') else {
        return (byte == b'[').then_some(p + 1);
    };
    let (mut i, mut hit) = (first, false);
    while i < end {
        if i + 2 < end && pattern[i + 1] == b'-' {
            hit |= (pattern[i]..=pattern[i + 2]).contains(&byte);
            i += 3;
        } else {
            hit |= pattern[i] == byte;
            i += 1;
        }
    }
    (hit != negated).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_patterns() {
        for (pattern, name, expect) in [
            ("*", "a", true),
            ("*.conf", "a.conf", true),
            ("*.conf", "a.conf.bak", false),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxbyy", false),
            ("?", "", false),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]x]", "]", true),
            ("[x", "[x", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
        ] {
            assert_eq!(wild(pattern.as_bytes(), name.as_bytes()), expect, "{pattern} {name}");
        }
    }

    #[test]
    fn files_are_whole_regular_and_capped() {
        let dir = std::env::temp_dir().join(format!("mplex-world-test-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let at = |name: &str| dir.join(name).to_string_lossy().into_owned();
        let mut world = World::default();
        world.write_file(&at("a.conf"), b"one", false).unwrap();
        world.write_file(&at("a.conf"), b" two", true).unwrap();
        world.write_file(&at("b.conf"), b"", false).unwrap();
        world.write_file(&at(".c.conf"), b"", false).unwrap();
        assert_eq!(world.read_file(&at("a.conf"), 7).unwrap(), b"one two");
        assert!(world.read_file(&at("a.conf"), 6).unwrap_err().contains("larger than 6"));
        let missing = at("none");
        assert_eq!(world.read_file(&missing, 6).unwrap_err(), format!("No such file or directory: {missing}"));
        assert!(world.read_file(&dir.to_string_lossy(), 6).unwrap_err().starts_with("Is a directory"));
        assert_eq!(world.glob(&at("*.conf")), [at("a.conf"), at("b.conf")]);
        assert_eq!(world.glob(&at("a.conf")), [at("a.conf")]);
        assert_eq!(world.glob(&missing), [""; 0]);
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &*at("fifo"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        assert!(world.read_file(&at("fifo"), 6).unwrap_err().starts_with("Not a regular file"));
        fs::remove_dir_all(dir).unwrap();
    }
}
