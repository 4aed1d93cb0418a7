//! The benchmark: mplex beside tmux, the same work in turns, in one run. It says figures and asserts nothing.
//!
//! Every figure is "less is better". A round measures both programs one right after the other, the order changing from
//! round to round; the ratio of a row is the median of its rounds' ratios, so that what else the machine does falls on
//! both. Everything runs on sockets, directories and terminals of its own; no configuration is read.
//!
//! `cargo xtask bench` builds what is needed and starts this; `MPLEX_BIN` is the program, `MPLEX_EMULATE` the example
//! that `--instructions` profiles.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use mplex_tests::pty::Home;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

const HELP: &str =
    "usage: bench [--tmux PATH] [--mb N] [--rounds N] [--quick] [--only WORD] [--write FILE] [--instructions]

  --tmux PATH      the other program (tmux of PATH)
  --mb N           megabytes of text per row (50)
  --rounds N       rounds per row (5)
  --quick          8 megabytes, 3 rounds
  --only WORD      rows whose name holds the word
  --write FILE     append the table to this page, under today's date
  --instructions   instructions per byte of the emulator alone, under valgrind; no other row";

/// How long one measurement may take.
const PATIENCE: Duration = Duration::from_secs(180);
/// Drawn last, on an empty screen: no corpus holds these letters.
const MARK: &[u8] = b"ZQZQZQZQ";
/// What is typed: no control sequence holds these.
const KEYS: &[u8] = b"!#%&+*@~";

/// The shell's prompt.
const PROMPT: &str = "ZQZQ>";

type Outcome<T> = Result<T, String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|a| a == "--help" || a == "-h") {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    match Bench::of(&args).and_then(|b| if b.instructions { b.count_instructions() } else { b.run() }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("bench: {text}");
            ExitCode::FAILURE
        }
    }
}

struct Bench {
    programs: [PathBuf; 2],
    megabytes: usize,
    rounds: usize,
    only: Option<String>,
    write: Option<PathBuf>,
    instructions: bool,
}

/// Takes one round's figures from the program at this path.
type Measure = Box<dyn Fn(&Path) -> Outcome<Vec<f64>>>;

/// A measurement: names and units of its figures, and how to get them from one program.
struct Probe {
    name: String,
    units: &'static [(&'static str, &'static str)],
    measure: Measure,
}

impl Bench {
    fn of(args: &[String]) -> Outcome<Bench> {
        let mut b = Bench {
            programs: [PathBuf::new(), PathBuf::from("tmux")],
            megabytes: 50,
            rounds: 5,
            only: None,
            write: None,
            instructions: false,
        };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().cloned().ok_or_else(|| format!("{arg} wants a value"));
            let number = |v: String| v.parse::<usize>().map_err(|_| format!("{v} is not a number"));
            match arg.as_str() {
                "--tmux" => b.programs[1] = value()?.into(),
                "--mb" => b.megabytes = number(value()?)?.max(1),
                "--rounds" => b.rounds = number(value()?)?.max(1),
                "--only" => b.only = Some(value()?),
                "--write" => b.write = Some(value()?.into()),
                "--quick" => (b.megabytes, b.rounds) = (8, 3),
                "--instructions" => b.instructions = true,
                odd => return Err(format!("what is {odd}? --help says what there is")),
            }
        }
        b.programs[0] =
            std::env::var_os("MPLEX_BIN").map(PathBuf::from).ok_or("MPLEX_BIN does not say where mplex is")?;
        Ok(b)
    }

    fn run(&self) -> Outcome<()> {
        let corpora = Corpora::write(self.megabytes << 20)?;
        let version = Command::new(&self.programs[1]).arg("-V").output();
        let version = version.map_err(|e| format!("{} does not start: {e}", self.programs[1].display()))?;
        let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
        let mut table = format!("| what | | mplex | {version} | ratio |\n|---|---|---:|---:|---:|\n");
        println!("{table}");
        for probe in probes(&corpora) {
            if self.only.as_ref().is_some_and(|w| !probe.name.contains(w.as_str())) {
                continue;
            }
            for row in self.rows(&probe) {
                println!("{row}");
                table.push_str(&row);
                table.push('\n');
            }
        }
        if let Some(page) = &self.write {
            self.append(page, &table)?;
        }
        Ok(())
    }

    /// The rows of one probe: rounds in turns, medians.
    fn rows(&self, probe: &Probe) -> Vec<String> {
        let mut rounds: Vec<[Vec<f64>; 2]> = Vec::new();
        for round in 0..self.rounds {
            let mut pair: [Vec<f64>; 2] = Default::default();
            for turn in 0..2 {
                let which = (round + turn) % 2;
                match (probe.measure)(&self.programs[which]) {
                    Ok(figures) => pair[which] = figures,
                    Err(e) => {
                        let who = if which == 0 { "mplex" } else { "tmux" };
                        return vec![format!("| {} | | {who}: {e} | | |", probe.name)];
                    }
                }
            }
            rounds.push(pair);
        }
        let row = |(i, (what, unit)): (usize, &(&str, &str))| {
            let of = |which: usize| median(rounds.iter().map(|r| r[which][i]).collect());
            let ratio = median(rounds.iter().map(|r| r[0][i] / r[1][i]).collect());
            let ratio = if ratio.is_finite() { format!("{ratio:.2}") } else { "–".to_owned() };
            format!("| {} | {what} | {} {unit} | {} {unit} | {ratio} |", probe.name, figure(of(0)), figure(of(1)))
        };
        probe.units.iter().enumerate().map(row).collect()
    }

    fn append(&self, page: &Path, table: &str) -> Outcome<()> {
        let date = said("date", &["-u", "+%F"])?;
        let system = said("uname", &["-srm"])?;
        let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let cpu = cpu.lines().find_map(|l| l.strip_prefix("model name")).and_then(|l| l.split_once(':'));
        let cpu = cpu.map_or("unknown processor", |(_, name)| name.trim()).to_owned();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let text = format!(
            "\n### {date}\n\n{cpu}, {cores} cores, {system}; {} MB of text per row, {} rounds.\n\n{table}",
            self.megabytes, self.rounds
        );
        let file = OpenOptions::new().append(true).create(true).open(page);
        let mut file = file.map_err(|e| format!("{}: {e}", page.display()))?;
        file.write_all(text.as_bytes()).map_err(|e| format!("{}: {e}", page.display()))
    }

    /// Instructions per byte of the emulator: a run over the text twice less a run over it once.
    fn count_instructions(&self) -> Outcome<()> {
        let emulate = std::env::var_os("MPLEX_EMULATE").ok_or("MPLEX_EMULATE does not say where the example is")?;
        let size = 1 << 20;
        let corpora = Corpora::write(size)?;
        println!("| text | instructions per byte |\n|---|---:|");
        for kind in Kind::ALL {
            let count = |times: &str| -> Outcome<f64> {
                let out = corpora.home.dir().join("callgrind.out");
                let text = std::fs::File::open(corpora.path(kind)).map_err(|e| e.to_string())?;
                let run = Command::new("valgrind")
                    .args(["--tool=callgrind", &format!("--callgrind-out-file={}", out.display())])
                    .arg(&emulate)
                    .env("MPLEX_TIMES", times)
                    .stdin(text)
                    .stdout(Stdio::null())
                    .output()
                    .map_err(|e| format!("valgrind does not start: {e}"))?;
                let err = String::from_utf8_lossy(&run.stderr).into_owned();
                let total = err.lines().find_map(|l| l.split_once("Collected :"));
                total.and_then(|(_, n)| n.trim().parse().ok()).ok_or(format!("valgrind said: {err}"))
            };
            println!("| {} | {:.2} |", kind.name(), (count("2")? - count("1")?) / size as f64);
        }
        Ok(())
    }
}

fn said(program: &str, args: &[&str]) -> Outcome<String> {
    let output = Command::new(program).args(args).output().map_err(|e| format!("{program}: {e}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    if n == 0 {
        return f64::NAN;
    }
    f64::midpoint(values[(n - 1) / 2], values[n / 2])
}

/// Three digits that count.
fn figure(v: f64) -> String {
    match v.abs() {
        a if a >= 100.0 || a == 0.0 => format!("{v:.0}"),
        a if a >= 10.0 => format!("{v:.1}"),
        a if a >= 1.0 => format!("{v:.2}"),
        _ => format!("{v:.3}"),
    }
}

// The texts.

#[derive(Clone, Copy)]
enum Kind {
    Plain,
    Coloured,
    Wide,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Plain, Kind::Coloured, Kind::Wide];

    fn name(self) -> &'static str {
        match self {
            Kind::Plain => "plain",
            Kind::Coloured => "coloured",
            Kind::Wide => "CJK and emoji",
        }
    }

    fn line(self, seed: &mut u64, line: &mut String) {
        // A log of plain words; a listing in colours; prose in scripts of two cells.
        const WORDS: [&str; 12] =
            ["the", "server", "reads", "every", "pane", "and", "writes", "rows", "of", "text", "to", "terminals"];
        const WIDE: [&str; 8] = ["端末", "多重化", "한국어", "文字", "🙂", "👩‍💻", "日本語", "漢字"];
        let mut next = |n: usize| {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((*seed >> 33) as usize) % n
        };
        for _ in 0..4 + next(10) {
            let _ = match self {
                Kind::Plain => write!(line, "{} ", WORDS[next(12)]),
                Kind::Coloured => write!(line, "\x1b[{};38;5;{}m{}\x1b[0m ", next(2), next(256), WORDS[next(12)]),
                Kind::Wide => write!(line, "{} ", WIDE[next(8)]),
            };
        }
        line.push('\n');
    }
}

struct Corpora {
    home: Home,
}

impl Corpora {
    fn write(size: usize) -> Outcome<Corpora> {
        let corpora = Corpora { home: Home::new() };
        for kind in Kind::ALL {
            // A megabyte again and again: no program here remembers what it has seen.
            let (mut seed, mut text) = (7, String::new());
            while text.len() < 1 << 20 {
                kind.line(&mut seed, &mut text);
            }
            std::fs::write(corpora.path(kind), text.repeat(size >> 20)).map_err(|e| format!("write a text: {e}"))?;
        }
        let (mut seed, mut text) = (3, String::new());
        for _ in 0..100_000 {
            Kind::Plain.line(&mut seed, &mut text);
        }
        std::fs::write(corpora.lines(), text).map_err(|e| format!("write a text: {e}"))?;
        Ok(corpora)
    }

    fn path(&self, kind: Kind) -> PathBuf {
        self.home.dir().join(kind.name().replace(' ', "-"))
    }

    /// 100,000 lines of plain text.
    fn lines(&self) -> PathBuf {
        self.home.dir().join("lines")
    }
}

// What is measured.

fn probes(corpora: &Corpora) -> Vec<Probe> {
    let mut all = Vec::new();
    let mut add = |name: String, units, measure: Measure| {
        all.push(Probe { name, units, measure });
    };
    for (view, size) in [("80x24", Some((80, 24))), ("200x60", Some((200, 60))), ("detached", None)] {
        for kind in Kind::ALL {
            let path = corpora.path(kind);
            let units: &[(&str, &str)] = if size.is_some() {
                &[("time", "s"), ("server's processor time", "s"), ("drawn", "kB")]
            } else {
                &[("time", "s"), ("server's processor time", "s")]
            };
            add(format!("cat {}, {view}", kind.name()), units, Box::new(move |p| cat(p, &path, size)));
        }
    }
    for (name, flood) in [("idle", Flood::None), ("hidden flood", Flood::Hidden), ("visible flood", Flood::Visible)] {
        let units: &[(&str, &str)] = if flood == Flood::None {
            &[("p50", "µs"), ("p99", "µs"), ("per key", "bytes")]
        } else {
            &[("p50", "µs"), ("p99", "µs")]
        };
        add(format!("key to echo, {name}"), units, Box::new(move |p| echo(p, flood)));
    }
    add("start to first prompt".into(), &[("time", "ms")], Box::new(start));
    add("100 times list-sessions".into(), &[("time", "ms")], Box::new(commands));
    for (name, script) in [("50 empty panes", "exec sleep 1000"), ("50 full panes", FILL)] {
        add(name.into(), &[("resident, each", "kB")], Box::new(move |p| panes(p, script)));
    }
    let lines = corpora.lines();
    add(
        "100,000 lines of history".into(),
        &[("resident, at once", "MB"), ("resident, after 5 s", "MB")],
        Box::new(move |p| history(p, &lines)),
    );
    add("idle for 10 s".into(), &[("wakeups", "")], Box::new(idle));
    all
}

fn cat(program: &Path, text: &Path, size: Option<(u16, u16)>) -> Outcome<Vec<f64>> {
    let home = Home::new();
    let (go, done) = (fifo(&home, "go")?, fifo(&home, "done")?);
    let script = format!(
        "read x <{}; cat {}; printf '\\033[2J\\033[H{}'; echo >{}; exec sleep 1000",
        home.dir().join("go").display(),
        text.display(),
        String::from_utf8_lossy(MARK),
        home.dir().join("done").display()
    );
    let mut server = Server::new(program, &home);
    match size {
        Some((cols, rows)) => server.attach(&["new-session", &script], cols, rows)?,
        None => server.ok(&["new-session", "-d", "-x", "80", "-y", "24", &script])?,
    }
    server.settle();
    let (pid, before) = (server.pid()?, server.processor_time()?);
    if let Some(client) = &mut server.client {
        client.drawn = 0;
    }
    let begin = Instant::now();
    (&go).write_all(b"go\n").map_err(|e| e.to_string())?;
    let mut drawn = None;
    if let Some(client) = &mut server.client {
        client.until(|tail| tail.windows(MARK.len()).any(|w| w == MARK))?;
        drawn = Some(client.drawn as f64 / 1e3);
    } else {
        wait_readable(&done)?;
    }
    let time = begin.elapsed().as_secs_f64();
    let used = processor_time(pid)? - before;
    Ok([Some(time), Some(used), drawn].into_iter().flatten().collect())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flood {
    None,
    Hidden,
    Visible,
}

fn echo(program: &Path, flood: Flood) -> Outcome<Vec<f64>> {
    let home = Home::new();
    let mut server = Server::new(program, &home);
    server.attach(&["new-session", "stty -icanon; exec cat >/dev/null"], 80, 24)?;
    match flood {
        Flood::None => {}
        Flood::Hidden => server.ok(&["new-window", "-d", "yes"])?,
        Flood::Visible => server.ok(&["split-window", "-d", "yes"])?,
    }
    std::thread::sleep(Duration::from_millis(300));
    server.settle();
    let client = server.client.as_mut().ok_or("there is no client")?;
    let (mut times, mut bytes) = (Vec::new(), Vec::new());
    for n in 0..400 {
        if n % 60 == 59 {
            client.type_bytes(b"\n")?;
            client.drain(Duration::from_millis(20));
        }
        let key = KEYS[n % KEYS.len()];
        client.drawn = 0;
        let begin = Instant::now();
        client.type_bytes(&[key])?;
        client.until(|tail| tail.contains(&key))?;
        times.push(begin.elapsed().as_secs_f64() * 1e6);
        if flood == Flood::None {
            client.drain(Duration::from_millis(3));
            bytes.push(client.drawn as f64);
        } else {
            client.drain_until(Instant::now() + Duration::from_millis(3));
        }
    }
    times.sort_by(f64::total_cmp);
    let mut figures = vec![times[times.len() / 2], times[times.len() * 99 / 100]];
    if flood == Flood::None {
        figures.push(median(bytes));
    }
    Ok(figures)
}

fn start(program: &Path) -> Outcome<Vec<f64>> {
    let home = Home::new();
    // A login shell: what the system's profile says of the prompt is said anew here.
    std::fs::write(home.dir().join(".profile"), format!("PS1='{PROMPT}'\n")).map_err(|e| e.to_string())?;
    let mut server = Server::new(program, &home);
    let begin = Instant::now();
    server.open(&["new-session"], 80, 24)?;
    let client = server.client.as_mut().ok_or("there is no client")?;
    client.until(|tail| tail.windows(PROMPT.len()).any(|w| w == PROMPT.as_bytes()))?;
    Ok(vec![begin.elapsed().as_secs_f64() * 1e3])
}

fn commands(program: &Path) -> Outcome<Vec<f64>> {
    let home = Home::new();
    let server = Server::new(program, &home);
    server.ok(&["new-session", "-d", "sleep 1000"])?;
    let begin = Instant::now();
    for _ in 0..100 {
        server.ok(&["list-sessions"])?;
    }
    Ok(vec![begin.elapsed().as_secs_f64() * 1e3])
}

/// Fills a screen of 80x24 and sleeps.
const FILL: &str = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23; do
  printf '\\033[3%dm%038d \\033[4%dm%038d\\n' $((i % 8)) $i $((i % 7)) $i
done; exec sleep 1000";

fn panes(program: &Path, script: &str) -> Outcome<Vec<f64>> {
    let home = Home::new();
    let mut server = Server::new(program, &home);
    server.ok(&["new-session", "-d", "-x", "80", "-y", "24", "sleep 1000"])?;
    server.settle();
    let before = server.resident()?;
    for _ in 0..50 {
        server.ok(&["new-window", "-d", script])?;
    }
    std::thread::sleep(Duration::from_millis(500));
    server.settle();
    Ok(vec![(server.resident()? - before) / 50.0])
}

fn history(program: &Path, lines: &Path) -> Outcome<Vec<f64>> {
    let home = Home::new();
    let (go, done) = (fifo(&home, "go")?, fifo(&home, "done")?);
    let mut server = Server::new(program, &home);
    server.ok(&["new-session", "-d", "-x", "80", "-y", "24", "sleep 1000"])?;
    server.ok(&["set-option", "-g", "history-limit", "200000"])?;
    let script = format!(
        "read x <{}; cat {}; echo >{}; exec sleep 1000",
        home.dir().join("go").display(),
        lines.display(),
        home.dir().join("done").display()
    );
    server.ok(&["new-window", "-d", &script])?;
    server.settle();
    let before = server.resident()?;
    (&go).write_all(b"go\n").map_err(|e| e.to_string())?;
    wait_readable(&done)?;
    std::thread::sleep(Duration::from_millis(200));
    let at_once = server.resident()?;
    std::thread::sleep(Duration::from_secs(5));
    let later = server.resident()?;
    Ok(vec![(at_once - before) / 1e3, (later - before) / 1e3])
}

fn idle(program: &Path) -> Outcome<Vec<f64>> {
    let home = Home::new();
    let mut server = Server::new(program, &home);
    server.attach(&["new-session"], 80, 24)?;
    server.settle();
    std::thread::sleep(Duration::from_secs(2));
    let pids = [server.pid()?, server.client.as_ref().map_or(0, |c| c.pid)];
    server.settle();
    let before = switches(&pids);
    std::thread::sleep(Duration::from_secs(10));
    Ok(vec![(switches(&pids) - before) as f64])
}

// Programs.

struct Server<'a> {
    program: &'a Path,
    home: &'a Home,
    client: Option<Client>,
    pid: std::cell::Cell<u32>,
}

impl<'a> Server<'a> {
    fn new(program: &'a Path, home: &'a Home) -> Server<'a> {
        Server { program, home, client: None, pid: std::cell::Cell::new(0) }
    }

    fn said(&self, args: &[&str]) -> Outcome<String> {
        let all: Vec<&str> = ["-f", "/dev/null"].iter().chain(args).copied().collect();
        let output = self.home.run_as(self.program, &all);
        if !output.status.success() {
            return Err(format!("{args:?}: {}", String::from_utf8_lossy(&output.stderr).trim()));
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn ok(&self, args: &[&str]) -> Outcome<()> {
        self.said(args).map(drop)
    }

    fn open(&mut self, args: &[&str], cols: u16, rows: u16) -> Outcome<()> {
        let mut command = CommandBuilder::new(self.program);
        command.args(["-f", "/dev/null"]);
        command.args(args);
        command.env_clear();
        for (k, v) in self.home.env() {
            command.env(k, v);
        }
        command.cwd(self.home.dir());
        self.client = Some(Client::start(command, cols, rows)?);
        Ok(())
    }

    /// Opens a client and waits until it has drawn.
    fn attach(&mut self, args: &[&str], cols: u16, rows: u16) -> Outcome<()> {
        self.open(args, cols, rows)?;
        let client = self.client.as_mut().ok_or("there is no client")?;
        client.until(|tail| !tail.is_empty())?;
        client.drain(Duration::from_millis(200));
        Ok(())
    }

    /// Lets what was started come to rest.
    fn settle(&mut self) {
        match &mut self.client {
            Some(client) => client.drain_until(Instant::now() + Duration::from_millis(300)),
            None => std::thread::sleep(Duration::from_millis(300)),
        }
    }

    fn pid(&self) -> Outcome<u32> {
        if self.pid.get() == 0 {
            let pid = self.said(&["display-message", "-p", "#{pid}"])?;
            self.pid.set(pid.parse().map_err(|_| format!("{pid:?} is not a process"))?);
        }
        Ok(self.pid.get())
    }

    fn processor_time(&self) -> Outcome<f64> {
        processor_time(self.pid()?)
    }

    /// Resident kilobytes of the server.
    fn resident(&self) -> Outcome<f64> {
        let path = format!("/proc/{}/status", self.pid()?);
        let status = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
        line.trim().trim_end_matches("kB").trim().parse().map_err(|_| format!("VmRSS is {line}"))
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        let _ = self.ok(&["kill-server"]);
        // The next measurement should not run beside the end of this one.
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// User and system seconds of a process. The clock of /proc ticks a hundred times a second; schedstat is finer.
fn processor_time(pid: u32) -> Outcome<f64> {
    let mut sum = 0.0;
    for task in std::fs::read_dir(format!("/proc/{pid}/task")).map_err(|e| e.to_string())?.flatten() {
        let stat = std::fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
        sum += stat.split(' ').next().and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0);
    }
    Ok(sum / 1e9)
}

/// Context switches of all threads of these processes.
fn switches(pids: &[u32]) -> u64 {
    let mut sum = 0;
    for pid in pids {
        for task in std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
            let status = std::fs::read_to_string(task.path().join("status")).unwrap_or_default();
            let counts = status.lines().filter_map(|l| l.split_once("ctxt_switches:"));
            sum += counts.filter_map(|(_, n)| n.trim().parse::<u64>().ok()).sum::<u64>();
        }
    }
    sum
}

fn fifo(home: &Home, name: &str) -> Outcome<std::fs::File> {
    let path = home.dir().join(name);
    let made = Command::new("mkfifo").arg(&path).status().map_err(|e| format!("mkfifo: {e}"))?;
    if !made.success() {
        return Err("mkfifo failed".to_owned());
    }
    // Both directions: opening waits for nobody, and no end of file comes.
    OpenOptions::new().read(true).write(true).open(path).map_err(|e| e.to_string())
}

fn wait_readable(file: &std::fs::File) -> Outcome<()> {
    let time = Timespec { tv_sec: PATIENCE.as_secs().cast_signed(), tv_nsec: 0 };
    match poll(&mut [PollFd::new(file, PollFlags::IN)], Some(&time)) {
        Ok(n) if n > 0 => Ok(()),
        _ => Err("nothing came in time".to_owned()),
    }
}

/// A client in a terminal that takes everything and shows nothing.
struct Client {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    pid: u32,
    drawn: usize,
    tail: Vec<u8>,
    buf: Vec<u8>,
}

impl Client {
    fn start(command: CommandBuilder, cols: u16, rows: u16) -> Outcome<Client> {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).map_err(|e| format!("open a pty: {e}"))?;
        let child = pair.slave.spawn_command(command).map_err(|e| format!("start a program: {e}"))?;
        drop(pair.slave);
        let pid = child.process_id().unwrap_or(0);
        let client = Client { master: pair.master, child, pid, drawn: 0, tail: Vec::new(), buf: vec![0; 65536] };
        rustix::io::ioctl_fionbio(client.fd(), true).map_err(|e| e.to_string())?;
        Ok(client)
    }

    fn fd(&self) -> BorrowedFd<'_> {
        let fd = self.master.as_raw_fd().unwrap_or(-1).max(0);
        // SAFETY: the master owns it and lives as long as the borrow.
        unsafe { BorrowedFd::borrow_raw(fd) }
    }

    fn type_bytes(&mut self, bytes: &[u8]) -> Outcome<()> {
        match rustix::io::write(self.fd(), bytes) {
            Ok(n) if n == bytes.len() => Ok(()),
            other => Err(format!("typing failed: {other:?}")),
        }
    }

    /// Reads what is there, at most this long. `Ok(0)` is nothing.
    fn read(&mut self, patience: Duration) -> io::Result<usize> {
        let time = Timespec { tv_sec: patience.as_secs().cast_signed(), tv_nsec: patience.subsec_nanos().into() };
        let ready = poll(&mut [PollFd::from_borrowed_fd(self.fd(), PollFlags::IN)], Some(&time))?;
        if ready == 0 {
            return Ok(0);
        }
        let mut buf = std::mem::take(&mut self.buf);
        let got = rustix::io::read(self.fd(), &mut buf[..]);
        self.buf = buf;
        match got {
            Ok(0) => Err(io::Error::other("the client has ended")),
            Ok(n) => {
                self.drawn += n;
                Ok(n)
            }
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(0),
            Err(e) => Err(e.into()),
        }
    }

    /// Reads until what was drawn since the call, of which the end is kept, is as wanted.
    fn until(&mut self, wanted: impl Fn(&[u8]) -> bool) -> Outcome<()> {
        let end = Instant::now() + PATIENCE;
        self.tail.clear();
        loop {
            let n = self.read(Duration::from_millis(500)).map_err(|e| e.to_string())?;
            let keep = self.tail.len().min(16);
            self.tail.drain(..self.tail.len() - keep);
            self.tail.extend_from_slice(&self.buf[..n]);
            if wanted(&self.tail) {
                return Ok(());
            }
            if Instant::now() > end {
                return Err("what was waited for was not drawn".to_owned());
            }
        }
    }

    /// Reads until nothing came for this long.
    fn drain(&mut self, quiet: Duration) {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end && self.read(quiet).is_ok_and(|n| n > 0) {}
    }

    fn drain_until(&mut self, end: Instant) {
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || self.read(left).is_err() {
                return;
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
