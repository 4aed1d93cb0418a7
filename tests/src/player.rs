//! The scenario player: runs `.play` files over the core on virtual time, in one thread, without sleeping.
//!
//! A scenario is one behaviour. Its head says in comments what it proves; then comes one directive a line. After a
//! directive that does something, 20 ms pass (more than the frame clock, `escape-time` and less than what people
//! notice); checks take no time. `UPDATE=1` writes what was seen in place of what was expected.
//!
//! | directive | what it does |
//! |---|---|
//! | `file PATH` and lines `\|TEXT` | puts a file there; `~/.mplex.conf` before the first client is the configuration |
//! | `client a 80x24 [term=T] [features=F] ARGV` | a client named `a` on a terminal of this size, called with ARGV |
//! | `run ARGV`, `run %1 ARGV` | a client without a terminal (inside a pane); what it prints follows as `> ` lines, errors as `! `, a status other than 0 as `= N`, `~` if it still runs |
//! | `stdin "TEXT"` | what the next `run` has for standard input |
//! | `keys a C-b %` | presses keys, by tmux's names |
//! | `type a TEXT`, `bytes a TEXT` | types a text; bytes with escapes, as a terminal sends them |
//! | `paste a "TEXT"` | a bracketed paste |
//! | `mouse a down 1 10,5` | also `drag`, `up`, `move`, `wheelup`, `wheeldown`; an error if the terminal was not asked to report it |
//! | `focus a in`, `focus a out` | the terminal gets or loses the focus |
//! | `resize a 100x30`, `kill a`, `resume a` | the terminal changes its size; the connection breaks; the client is back from a suspension |
//! | `block a`, `drain a` | the terminal stops taking bytes; takes them all and goes on |
//! | `pty %1 "TEXT"`, `flood %1 N "TEXT"` | output of a program; N times, 50 µs apart |
//! | `exit %1 0`, `exit %1 signal 9` | the program ends |
//! | `process %1 vim /tmp` | what runs in the foreground of the pane from now on, and where |
//! | `refuse TEXT` | the next program cannot be started, for this reason |
//! | `job "WORD" STATUS "OUTPUT"` | the background job whose command contains WORD ends |
//! | `after 500ms` | time passes |
//! | `ctl open [%1]`, `ctl> JSON`, `ctl close` | a control connection (from inside a pane), a line on it, its end; `ctl2` and so on are others |
//! | `terminate` | the server gets SIGTERM |
//!
//! | check | what must be |
//! |---|---|
//! | `screen a` and lines `\|ROW` | the whole screen, blanks at the ends of rows left out |
//! | `row a 23 TEXT` | one row of it |
//! | `cursor a 3,4`, `cursor a hidden` | where the cursor is |
//! | `look a 3,4 bold fg=2` | how a cell looks; `plain` if as by default |
//! | `title a TEXT`, `clipboard a "TEXT"` | what the terminal was told |
//! | `frames a 1`, `frames a <=4` | how often it was drawn since the last such check |
//! | `bells a 1` | how often it rang since the last such check |
//! | `written %1 "TEXT"` | what the program received since the last such check |
//! | `size %1 80x23`, `argv %1 ARGV` | its pty's size; what was started |
//! | `jobs` and lines `> COMMAND` | the background jobs that run |
//! | `input "WORD" "TEXT"` | what a job received since the last such check |
//! | `ctl< JSON` | the next line on a control connection; `"*"` in it is anything, a text may end in `*`, a member `"*"` allows further ones; `ctl< none`: there is no line |
//! | `file? PATH "TEXT"` | the content of a file |
//! | `gone a "MESSAGE"` | the client ended with this message (or status), and its terminal is as it was |
//! | `exited` | the server ended |
//!
//! At every check of a screen, two emulators must agree about it; after every step the core checks its own integrity.

mod seat;
mod stage;
pub mod words;

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use mplex::base::{ClientId, ConnId, Pos, Span};
use mplex::core::{Arrival, ExitStatus, Signal};
use mplex::keys::{Key, KeyEvent, Mods, Mouse, PaneModes, encode, encode_focus, encode_mouse};
use mplex::term::Modes;
use serde_json::Value;

pub use seat::{Seat, picture};
pub use stage::{CONFIG, Stage, Who, pid_of};

/// What passes after each directive that does something.
const STEP: Span = Span::from_millis(20);
/// What passes between two pieces of a flood.
const FLOOD: Span = Span(50);

/// Runs a scenario file. The error names the line, what was expected and what was there. With `update`, what is different
/// is written into the file instead.
pub fn play(path: &Path, update: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    if !text.starts_with("# ") {
        return Err(format!("{}:1: a scenario begins with a comment that says what it proves", path.display()));
    }
    let mut play = Play {
        name: path.display().to_string(),
        lines: text.lines().map(str::to_owned).collect(),
        at: 0,
        update,
        edits: Vec::new(),
        files: BTreeMap::new(),
        stdin: Vec::new(),
        stage: None,
        clients: BTreeMap::new(),
        conns: BTreeMap::new(),
    };
    play.run()?;
    if !play.edits.is_empty() {
        for (from, to, lines) in play.edits.into_iter().rev() {
            play.lines.splice(from..to, lines);
        }
        std::fs::write(path, play.lines.join("\n") + "\n").map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

struct Play {
    name: String,
    lines: Vec<String>,
    /// The line that is next.
    at: usize,
    update: bool,
    /// Lines `from..to` are to become others.
    edits: Vec<(usize, usize, Vec<String>)>,
    /// Until the server starts.
    files: BTreeMap<String, Vec<u8>>,
    stdin: Vec<u8>,
    stage: Option<Stage>,
    clients: BTreeMap<String, ClientId>,
    conns: BTreeMap<String, ConnId>,
}

/// Says where the scenario was when something panics below.
struct Where<'a>(&'a str, usize, &'a str);

impl Drop for Where<'_> {
    #[allow(clippy::print_stderr)]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}:{}: {}", self.0, self.1, self.2);
        }
    }
}

type Outcome<T = ()> = Result<T, String>;

impl Play {
    fn run(&mut self) -> Outcome {
        while self.at < self.lines.len() {
            let number = self.at;
            let line = self.lines[number].trim_end().to_owned();
            self.at += 1;
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let name = self.name.clone();
            let guard = Where(&name, number + 1, &line);
            let outcome = self.directive(&line);
            drop(guard);
            outcome.map_err(|text| format!("{name}:{}: {line}\n{text}", number + 1))?;
        }
        let unread = self.stage.iter().flat_map(|s| s.lines.values()).flatten().next();
        match unread {
            Some(line) => Err(format!("{}: at the end nobody expected the control line\n{line}", self.name)),
            None => Ok(()),
        }
    }

    fn directive(&mut self, line: &str) -> Outcome {
        let (head, rest) = part(line);
        if let Some(conn) = head.strip_suffix('>').filter(|c| c.starts_with("ctl")) {
            return self.say(conn, rest);
        }
        if let Some(conn) = head.strip_suffix('<').filter(|c| c.starts_with("ctl")) {
            return self.hear(conn, rest);
        }
        if head.starts_with("ctl") {
            return self.control(head, rest);
        }
        match head {
            "file" => self.file(rest),
            "client" => self.client(rest),
            "run" => self.command(rest),
            "stdin" => {
                self.stdin = words::quoted(rest)?;
                Ok(())
            }
            "keys" => {
                let (client, rest) = part(rest);
                let mut bytes = Vec::new();
                for name in rest.split(' ').filter(|n| !n.is_empty()) {
                    let key = Key::parse(name).ok_or_else(|| format!("{name}: no such key"))?;
                    if !encode(&KeyEvent::from(key), &PaneModes::default(), &mut bytes) {
                        return Err(format!("{name}: a terminal cannot send it"));
                    }
                }
                self.input(client, bytes)
            }
            "type" => {
                let (client, rest) = part(rest);
                self.input(client, rest.as_bytes().to_vec())
            }
            "bytes" => {
                let (client, rest) = part(rest);
                self.input(client, words::unescape(rest)?)
            }
            "paste" => {
                let (client, rest) = part(rest);
                let text = words::quoted(rest)?;
                if !self.modes(client)?.contains(Modes::BRACKETED_PASTE) {
                    return Err("the terminal was not asked for bracketed paste".to_owned());
                }
                self.input(client, [b"\x1b[200~", &text[..], b"\x1b[201~"].concat())
            }
            "mouse" => self.mouse(rest),
            "focus" => {
                let (client, rest) = part(rest);
                if !self.modes(client)?.contains(Modes::FOCUS) {
                    return Err("the terminal was not asked for its focus".to_owned());
                }
                let mut bytes = Vec::new();
                encode_focus(rest == "in", &mut bytes);
                self.input(client, bytes)
            }
            "resize" => {
                let (name, rest) = part(rest);
                let size = words::size(rest)?;
                let client = self.id(name)?;
                self.seat(name)?.resize(size);
                self.arrive(Arrival::TtyResized { client, size, cell: (0, 0) })
            }
            "kill" => {
                let client = self.id(rest)?;
                self.seat(rest)?.open = false;
                self.arrive(Arrival::ClientGone { client })
            }
            "resume" => {
                let client = self.id(rest)?;
                self.arrive(Arrival::TtyResumed { client })
            }
            "block" => {
                self.seat(rest)?.blocked = true;
                Ok(())
            }
            "drain" => {
                let client = self.id(rest)?;
                let replies = self.seat(rest)?.drain();
                if !replies.is_empty() {
                    self.stage()?.arrive(Arrival::TtyBytes { client, bytes: replies });
                }
                self.arrive(Arrival::TtyDrained { client })
            }
            "pty" => {
                let (pane, rest) = part(rest);
                let (pane, bytes) = (words::pane(pane)?, words::quoted(rest)?);
                if !self.stage()?.output(pane, &bytes) {
                    return Err(format!("no program runs in {pane}"));
                }
                self.pass(STEP)
            }
            "flood" => {
                let (pane, rest) = part(rest);
                let (count, rest) = part(rest);
                let (pane, bytes) = (words::pane(pane)?, words::quoted(rest)?);
                for _ in 0..number(count)? {
                    if !self.stage()?.output(pane, &bytes) {
                        return Err(format!("no program runs in {pane}"));
                    }
                    self.pass(FLOOD)?;
                }
                Ok(())
            }
            "exit" => {
                let (pane, rest) = part(rest);
                let pane = words::pane(pane)?;
                let status = match rest.strip_prefix("signal ") {
                    Some(signal) => ExitStatus::Signal(number(signal)?.cast_signed()),
                    None => ExitStatus::Code(number(rest)?.cast_signed()),
                };
                let stage = self.stage()?;
                if !stage.world.programs.contains_key(&pane) {
                    return Err(format!("no program runs in {pane}"));
                }
                stage.arrive(Arrival::ChildExit { pane, status });
                self.arrive(Arrival::PaneEof { pane })
            }
            "process" => {
                let (pane, rest) = part(rest);
                let (command, path) = part(rest);
                let pane = words::pane(pane)?;
                if !self.stage()?.set_process(pane, command, Some(path).filter(|p| !p.is_empty())) {
                    return Err(format!("no program runs in {pane}"));
                }
                Ok(())
            }
            "refuse" => {
                self.stage()?.refuse = Some(rest.to_owned());
                Ok(())
            }
            "job" => self.job(rest),
            "after" => self.pass(words::span(rest)?),
            "terminate" => self.arrive(Arrival::Signal(Signal::Terminate)),
            _ => self.check(head, rest),
        }
    }

    fn check(&mut self, head: &str, rest: &str) -> Outcome {
        let (name, rest) = part(rest);
        match head {
            "screen" => {
                let rows = self.seat(name)?.screen()?;
                let rows = rows.iter().map(|row| format!("|{row}")).collect();
                self.block("|", rows)
            }
            "row" => {
                let (y, text) = part(rest);
                let rows = self.seat(name)?.screen()?;
                let row = rows.get(number(y)? as usize).ok_or_else(|| format!("the screen has no row {y}"))?;
                self.same(&format!("row {name} {y} "), text, row.clone())
            }
            "cursor" => {
                let seat = self.seat(name)?;
                seat.screen()?;
                let cursor = seat.terminal().cursor();
                let is = if cursor.visible { format!("{},{}", cursor.x, cursor.y) } else { "hidden".to_owned() };
                self.same(&format!("cursor {name} "), rest, is)
            }
            "look" => {
                let (at, look) = part(rest);
                let (x, y) = words::place(at)?;
                let is = self.seat(name)?.look(x, y).ok_or("beyond the screen")?;
                self.same(&format!("look {name} {at} "), look, is)
            }
            "title" => {
                let is = self.seat(name)?.terminal().title().to_owned();
                self.same(&format!("title {name} "), rest, is)
            }
            "clipboard" => {
                let is = self.seat(name)?.clipboard.clone();
                let is = is.map_or("none".to_owned(), |text| words::quote(text.as_bytes()));
                self.same(&format!("clipboard {name} "), rest, is)
            }
            "frames" => {
                let frames = std::mem::take(&mut self.seat(name)?.frames);
                match rest.strip_prefix("<=") {
                    Some(most) if frames <= number(most)? as usize => Ok(()),
                    Some(_) => Err(format!("it was drawn {frames} times")),
                    None => self.same(&format!("frames {name} "), rest, frames.to_string()),
                }
            }
            "bells" => {
                let bells = std::mem::take(&mut self.seat(name)?.bells);
                self.same(&format!("bells {name} "), rest, bells.to_string())
            }
            "written" => {
                let pane = words::pane(name)?;
                let program = self.stage()?.world.programs.get_mut(&pane);
                let program = program.ok_or_else(|| format!("no program runs in {pane}"))?;
                let is = words::quote(&std::mem::take(&mut program.written));
                self.same(&format!("written {name} "), rest, is)
            }
            "size" | "argv" => {
                let pane = words::pane(name)?;
                let program = self.stage()?.world.programs.get(&pane);
                let program = program.ok_or_else(|| format!("no program runs in {pane}"))?;
                let is = if head == "size" { program.size.to_string() } else { program.spec.argv.join(" ") };
                self.same(&format!("{head} {name} "), rest, is)
            }
            "jobs" => {
                let jobs = self.stage()?.jobs.values().map(|j| format!("> {}", command_of(&j.spec.argv))).collect();
                self.block("> ", jobs)
            }
            "input" => {
                let job = self.find_job(&String::from_utf8_lossy(&words::quoted(name)?))?;
                let job = self.stage()?.jobs.get_mut(&job).ok_or("no such job")?;
                let is = words::quote(&std::mem::take(&mut job.written));
                self.same(&format!("input {name} "), rest, is)
            }
            "file?" => {
                let is = self.stage()?.world.files.get(&path_of(name)).map(|f| words::quote(f));
                self.same(&format!("file? {name} "), rest, is.unwrap_or("missing".to_owned()))
            }
            "gone" => {
                let seat = self.seat(name)?;
                let end = seat.end.clone().ok_or("it is still there")?;
                if let Some(left) = seat.left_behind() {
                    return Err(format!("it left behind {left}"));
                }
                let mut is = words::quote(end.message.unwrap_or_default().as_bytes());
                if end.status != 0 {
                    is.push_str(&format!(" status {}", end.status));
                }
                if end.how != "exit" {
                    is.push_str(&format!(" {}", end.how));
                }
                self.same(&format!("gone {name} "), rest, is)
            }
            "exited" if self.stage()?.exited => Ok(()),
            "exited" => Err("the server is still there".to_owned()),
            _ => Err(format!("{head}: no such directive")),
        }
    }

    // What is expected.

    /// One line, of which `prefix` stays.
    fn same(&mut self, prefix: &str, expected: &str, actual: String) -> Outcome {
        if expected == actual {
            return Ok(());
        }
        if self.update {
            self.edits.push((self.at - 1, self.at, vec![format!("{prefix}{actual}")]));
            return Ok(());
        }
        Err(format!("expected: {expected}\nactual:   {actual}"))
    }

    /// The lines that follow.
    fn block(&mut self, prefix: &str, actual: Vec<String>) -> Outcome {
        let expected = self.following(|line| line.starts_with(prefix.trim_end()));
        self.same_lines(expected, actual)
    }

    fn same_lines(&mut self, expected: Vec<String>, actual: Vec<String>) -> Outcome {
        let trim = |lines: &[String]| lines.iter().map(|l| l.trim_end().to_owned()).collect::<Vec<_>>();
        if trim(&expected) == trim(&actual) {
            return Ok(());
        }
        if self.update {
            self.edits.push((self.at - expected.len(), self.at, trim(&actual)));
            return Ok(());
        }
        Err(format!("expected:\n{}\nactual:\n{}", expected.join("\n"), actual.join("\n")))
    }

    fn following(&mut self, belongs: impl Fn(&str) -> bool) -> Vec<String> {
        let from = self.at;
        while self.lines.get(self.at).is_some_and(|line| belongs(line)) {
            self.at += 1;
        }
        self.lines[from..self.at].to_vec()
    }

    // What is done.

    /// The server; it starts with whoever comes first.
    fn start(&mut self) -> &mut Stage {
        let files = &mut self.files;
        self.stage.get_or_insert_with(|| Stage::new(std::mem::take(files)))
    }

    fn stage(&mut self) -> Outcome<&mut Stage> {
        self.stage.as_mut().ok_or_else(|| "no client came yet".to_owned())
    }

    fn pass(&mut self, span: Span) -> Outcome {
        self.stage()?.pass(span)
    }

    fn arrive(&mut self, arrival: Arrival) -> Outcome {
        self.stage()?.arrive(arrival);
        self.pass(STEP)
    }

    fn id(&self, name: &str) -> Outcome<ClientId> {
        self.clients.get(name).copied().ok_or_else(|| format!("{name}: no such client"))
    }

    fn seat(&mut self, name: &str) -> Outcome<&mut Seat> {
        let id = self.id(name)?;
        self.stage()?.seats.get_mut(&id).ok_or_else(|| format!("{name}: no such client"))
    }

    fn modes(&mut self, name: &str) -> Outcome<Modes> {
        Ok(self.seat(name)?.terminal().modes())
    }

    fn input(&mut self, name: &str, bytes: Vec<u8>) -> Outcome {
        let client = self.id(name)?;
        if !self.seat(name)?.open {
            return Err(format!("{name} is not attached"));
        }
        self.arrive(Arrival::TtyBytes { client, bytes })
    }

    fn file(&mut self, path: &str) -> Outcome {
        let lines = self.following(|line| line.starts_with('|'));
        let text: String = lines.iter().map(|line| format!("{}\n", &line[1..])).collect();
        let path = path_of(path);
        match &mut self.stage {
            Some(stage) => stage.world.files.insert(path, text.into_bytes()),
            None => self.files.insert(path, text.into_bytes()),
        };
        Ok(())
    }

    fn client(&mut self, rest: &str) -> Outcome {
        let (name, rest) = part(rest);
        let (size, mut rest) = part(rest);
        let mut who = Who {
            size: Some(words::size(size)?),
            term: "xterm-256color",
            features: None,
            inside: None,
            stdin: Vec::new(),
        };
        loop {
            let (word, after) = part(rest);
            if let Some(term) = word.strip_prefix("term=") {
                who.term = term;
            } else if let Some(features) = word.strip_prefix("features=") {
                who.features = Some(features);
            } else {
                break;
            }
            rest = after;
        }
        let argv = words::words(rest)?;
        let id = self.start().connect(argv, who);
        self.clients.insert(name.to_owned(), id);
        self.pass(STEP)
    }

    fn command(&mut self, rest: &str) -> Outcome {
        let (first, after) = part(rest);
        let inside = words::pane(first).ok();
        let argv = words::words(if inside.is_some() { after } else { rest })?;
        let stdin = std::mem::take(&mut self.stdin);
        let who = Who { size: None, term: "dumb", features: None, inside, stdin };
        let id = self.start().connect(argv, who);
        self.pass(STEP)?;
        let seat = self.stage()?.seats.get_mut(&id).ok_or("it never came")?;
        let mut lines = Vec::new();
        for (mark, bytes) in [("> ", &mut seat.out), ("! ", &mut seat.err)] {
            let bytes = std::mem::take(bytes);
            lines.extend(String::from_utf8_lossy(&bytes).lines().map(|l| format!("{mark}{l}")));
        }
        match &seat.end {
            None => lines.push("~".to_owned()),
            Some(end) => {
                lines.extend(end.message.iter().map(|m| format!("! {m}")));
                if end.status != 0 {
                    lines.push(format!("= {}", end.status));
                }
            }
        }
        let expected = self.following(|l| matches!(l.as_bytes(), [b'>' | b'!' | b'=', b' ', ..] | b">" | b"!" | b"~"));
        self.same_lines(expected, lines)
    }

    fn mouse(&mut self, rest: &str) -> Outcome {
        let (name, rest) = part(rest);
        let (what, rest) = part(rest);
        let (mut button, at) = match part(rest) {
            (at, "") => (0, at),
            (button, at) => (u8::try_from(number(button)?).map_err(|e| e.to_string())?, at),
        };
        let (motion, release) = match what {
            "down" => (false, false),
            "up" => (false, true),
            "drag" | "move" => (true, false),
            "wheelup" => {
                button = 4;
                (false, false)
            }
            "wheeldown" => {
                button = 5;
                (false, false)
            }
            _ => return Err(format!("{what}: the mouse cannot do that")),
        };
        let (x, y) = words::place(at)?;
        let pos = Pos::new(x, y);
        let mouse = Mouse { button, motion, release, pos, mods: Mods::empty() };
        let mut bytes = Vec::new();
        let wants = self.seat(name)?.terminal().mouse();
        if !encode_mouse(&mouse, wants, pos, &mut bytes) {
            return Err(format!("the terminal was not asked to report this: {wants:?}"));
        }
        self.input(name, bytes)
    }

    fn job(&mut self, rest: &str) -> Outcome {
        let text = rest.strip_prefix('"').ok_or("the word must be in quotes")?;
        let (word, rest) = text.split_once('"').ok_or("the word must be in quotes")?;
        let (status, output) = part(rest.trim_start());
        let status = ExitStatus::Code(number(status)?.cast_signed());
        let output = if output.is_empty() { Vec::new() } else { words::quoted(output)? };
        let job = self.find_job(word)?;
        let stage = self.stage()?;
        stage.jobs.remove(&job);
        if !output.is_empty() {
            stage.arrive(Arrival::JobOutput { job, bytes: output });
        }
        self.arrive(Arrival::JobDone { job, status })
    }

    fn find_job(&mut self, word: &str) -> Outcome<mplex::base::JobId> {
        let jobs = &self.stage()?.jobs;
        let found = jobs.iter().find(|(_, j)| command_of(&j.spec.argv).contains(word));
        found.map(|(id, _)| *id).ok_or_else(|| {
            let running: Vec<String> = jobs.values().map(|j| command_of(&j.spec.argv)).collect();
            format!("no job runs {word:?}; there are: {running:?}")
        })
    }

    // Control connections.

    fn control(&mut self, name: &str, rest: &str) -> Outcome {
        match part(rest) {
            ("open", pane) => {
                let pid = if pane.is_empty() { 0 } else { pid_of(words::pane(pane)?) };
                let conn = self.start().open_control(pid);
                self.conns.insert(name.to_owned(), conn);
                self.pass(STEP)
            }
            ("close", _) => {
                let conn = self.conns.remove(name).ok_or_else(|| format!("{name} is not open"))?;
                self.stage()?.lines.remove(&conn);
                self.arrive(Arrival::ControlGone { conn })
            }
            _ => Err(format!("{name} {rest}: no such directive")),
        }
    }

    fn say(&mut self, name: &str, line: &str) -> Outcome {
        if !self.conns.contains_key(name) {
            self.control(name, "open")?;
        }
        let conn = self.conns[name];
        self.arrive(Arrival::ControlLine { conn, line: line.as_bytes().to_vec() })
    }

    fn hear(&mut self, name: &str, expected: &str) -> Outcome {
        let conn = *self.conns.get(name).ok_or_else(|| format!("{name} is not open"))?;
        let line = self.stage()?.lines.get_mut(&conn).and_then(VecDeque::pop_front).unwrap_or("none".to_owned());
        let same = match (serde_json::from_str::<Value>(expected), serde_json::from_str::<Value>(&line)) {
            (Ok(expected), Ok(actual)) => words::fits(&expected, &actual),
            _ => expected == line,
        };
        if same { Ok(()) } else { self.same(&format!("{name}< "), expected, line) }
    }
}

/// The first word and the rest.
fn part(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    line.split_once(' ').map_or((line, ""), |(head, rest)| (head, rest))
}

fn number(text: &str) -> Outcome<u32> {
    text.trim().parse().map_err(|_| format!("{text}: must be a number"))
}

/// `~/x` as a path.
fn path_of(text: &str) -> String {
    text.strip_prefix('~').map_or_else(|| text.to_owned(), |rest| format!("{}{rest}", stage::HOME))
}

/// A job's command as one would type it.
fn command_of(argv: &[String]) -> String {
    match argv {
        [_, flag, text] if flag == "-c" => text.clone(),
        _ => argv.join(" "),
    }
}
