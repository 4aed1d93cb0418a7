//! Shell commands in the background: `run-shell`, `if-shell`, `pipe-pane`.

use super::base_directory;
use crate::base::{PaneId, Span};
use crate::command::background::Task;
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::jobs::JobUse;
use crate::command::queue::{Asker, Token, Wake};
use crate::command::state::State;
use crate::command::table::Exec;
use crate::event::{Effect, JobSpec};
use crate::lang::{Args, CommandList};
use crate::model::pane::Pipe;

pub(super) const FAMILY: &[Exec] = &[
    Exec::new("run-shell", run_shell).resumed(run_shell_goes_on),
    Exec::new("if-shell", if_shell).resumed(if_shell_ended),
    Exec::new("pipe-pane", pipe_pane),
];

/// The shell of commands that people give to commands: always the same, whatever shell they log in with, as in tmux.
const SHELL: &str = "/bin/sh";
/// The longest `-d`, in seconds.
const MAX_DELAY: f64 = 31_536_000.0;

/// A shell command whose output is wanted.
fn shell_job(cx: &Cx, command: &str, cwd: String) -> JobSpec {
    JobSpec {
        argv: vec![SHELL.into(), "-c".into(), command.to_owned()],
        cwd,
        env: cx.s.job_env(cx.target.map(|f| f.session)),
        stdin: false,
        stdout: true,
        merge_stderr: false,
    }
}

/// Commands of an operand with formats expanded first, as `run-shell -C` wants them.
fn expanded_commands(cx: &mut Cx, args: &Args) -> Result<CommandList> {
    if let Some(list) = args.commands(0) {
        return Ok(list.clone());
    }
    let text = cx.expand(args.positional(0).unwrap_or_default());
    cx.parse(&text)
}

/// Who asks for commands that run later without anybody waiting for them.
fn detached_asker(cx: &Cx) -> Asker {
    Asker { client: cx.client, ..Asker::default() }
}

// ---- run-shell ----

fn run_shell(cx: &mut Cx, args: &Args) -> Result {
    let delay = match args.get('d') {
        None => None,
        Some(text) => Some(seconds(text).ok_or_else(|| CmdError::value(format!("invalid delay time: {text}")))?),
    };
    if delay.is_none() && args.is_empty() {
        return Ok(Done::Ok);
    }
    let waits = !args.has('b');
    let Some(delay) = delay else { return if waits { start(cx, args) } else { start_detached(cx, args, None) } };
    if waits {
        let Some(number) = cx.s.start_timer(delay, cx.now, None) else { return Err("too many timers".into()) };
        return Ok(Done::Wait(Token::Timer(number)));
    }
    start_detached(cx, args, Some(delay))
}

/// Runs it now; the queue waits for its end.
fn start(cx: &mut Cx, args: &Args) -> Result {
    if args.is_empty() {
        return Ok(Done::Ok);
    }
    if args.has('C') {
        let list = expanded_commands(cx, args)?;
        cx.insert_as(&list, cx.asker.clone())?;
        return Ok(Done::Ok);
    }
    let (command, spec) = run_shell_job(cx, args);
    let job = cx.s.start_job(command.clone(), spec, JobUse::Waited);
    let State { background, model, .. } = &mut *cx.s;
    background.waited.retain(|owner, _| owner.is_none_or(|c| model.client(c).is_some()));
    background.waited.insert(cx.owner, command);
    Ok(Done::Wait(Token::Job(job)))
}

/// Runs it, now or later, without anybody waiting.
fn start_detached(cx: &mut Cx, args: &Args, delay: Option<Span>) -> Result {
    let task = if args.is_empty() {
        return Ok(Done::Ok);
    } else if args.has('C') {
        let list = expanded_commands(cx, args)?;
        Task::Commands { owner: cx.client, list, asker: Box::new(detached_asker(cx)) }
    } else {
        let (command, spec) = run_shell_job(cx, args);
        let used_for = JobUse::View { pane: view_pane(cx, args), client: cx.client };
        Task::Job { command, spec: Box::new(spec), used_for: Box::new(used_for) }
    };
    match cx.s.start_timer(delay.unwrap_or(Span::ZERO), cx.now, Some(task)) {
        Some(_) if delay.is_none() => cx.s.run_timers(cx.now),
        Some(_) => {}
        None => return Err("too many timers".into()),
    }
    Ok(Done::Ok)
}

fn run_shell_job(cx: &mut Cx, args: &Args) -> (String, JobSpec) {
    let mut scope = cx.scope();
    for n in 1..args.len() {
        scope = scope.with(&n.to_string(), args.positional(n).unwrap_or_default());
    }
    let command = cx.expand_in(args.positional(0).unwrap_or_default(), &scope);
    let cwd = match args.get('c') {
        Some(dir) => dir.to_owned(),
        None => base_directory(cx, cx.target.map(|f| f.session)),
    };
    let spec = JobSpec { merge_stderr: args.has('E'), ..shell_job(cx, &command, cwd) };
    (command, spec)
}

/// The pane in which output is shown that nobody waits for: the target, else where the client looks, else any.
fn view_pane(cx: &Cx, args: &Args) -> Option<PaneId> {
    if args.has('t')
        && let Some(found) = cx.target
    {
        return Some(found.pane);
    }
    let session = cx.client.and_then(|c| cx.s.model.client(c)).and_then(|c| c.session);
    session.and_then(|s| cx.s.model.current_pane(s)).or(cx.target.map(|f| f.pane))
}

fn run_shell_goes_on(cx: &mut Cx, args: &Args, wake: Wake) -> Result {
    let (output, status) = match wake {
        // The delay is over.
        Wake::Done => return start(cx, args),
        Wake::Job { output, status } => (output, status),
        Wake::Failed(text) => return Err(CmdError::state(text)),
        Wake::Bytes(_) | Wake::Text(_) => return Ok(Done::Ok),
    };
    let command = cx.s.background.waited.remove(&cx.owner).unwrap_or_default();
    let mut text = String::from_utf8_lossy(&output).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    if status != 0 {
        text.push_str(&format!("'{command}' returned {status}\n"));
    }
    match cx.target.filter(|_| args.has('t')) {
        Some(found) if !text.is_empty() => cx.s.view_text(found.pane, text.trim_end_matches('\n')),
        None if !text.is_empty() => cx.print_bytes(text.into_bytes()),
        _ => {}
    }
    if let Some(c) = cx.asker.client.and_then(|c| cx.s.model.clients.get_mut(&c))
        && c.session.is_none()
    {
        c.status = status as u8;
    }
    Ok(Done::Ok)
}

/// A number of seconds with a fraction.
fn seconds(text: &str) -> Option<Span> {
    let secs: f64 = if text.is_empty() { 0.0 } else { text.trim_start().parse().ok()? };
    secs.is_finite().then(|| Span((secs.clamp(0.0, MAX_DELAY) * 1_000_000.0) as u64))
}

// ---- if-shell ----

fn if_shell(cx: &mut Cx, args: &Args) -> Result {
    let command = cx.expand(args.positional(0).unwrap_or_default());
    if args.has('F') {
        let yes = !command.is_empty() && !command.starts_with('0');
        return choose(cx, args, yes);
    }
    let cwd = base_directory(cx, cx.target.map(|f| f.session));
    let spec = JobSpec { stdout: false, ..shell_job(cx, &command, cwd) };
    if args.has('b') {
        let yes = cx.commands_at(args, 1)?.unwrap_or_default();
        let no = cx.commands_at(args, 2)?;
        let asker = Box::new(detached_asker(cx));
        cx.s.start_job(command, spec, JobUse::If { yes, no, asker });
        return Ok(Done::Ok);
    }
    let job = cx.s.start_job(command, spec, JobUse::Waited);
    Ok(Done::Wait(Token::Job(job)))
}

fn if_shell_ended(cx: &mut Cx, args: &Args, wake: Wake) -> Result {
    match wake {
        Wake::Job { status, .. } => choose(cx, args, status == 0),
        Wake::Failed(text) => Err(CmdError::state(text)),
        _ => Ok(Done::Ok),
    }
}

/// Runs the first commands or the second ones, where this command stands.
fn choose(cx: &mut Cx, args: &Args, yes: bool) -> Result {
    if let Some(list) = cx.commands_at(args, if yes { 1 } else { 2 })? {
        cx.insert_as(&list, cx.asker.clone())?;
    }
    Ok(Done::Ok)
}

// ---- pipe-pane ----

fn pipe_pane(cx: &mut Cx, args: &Args) -> Result {
    let found = cx.target()?;
    let pane = found.pane;
    let Some(p) = cx.s.model.panes.get_mut(&pane) else { return Ok(Done::Ok) };
    if p.is_dead() {
        return Err("target pane has exited".into());
    }
    let old = p.pipe.take();
    if let Some(old) = old {
        // The command sees the end of its input; one that only writes is ended, for nobody reads it any more.
        cx.effect(if old.output { Effect::JobEof { job: old.job } } else { Effect::JobKill { job: old.job } });
    }
    let command = args.positional(0).unwrap_or_default();
    if command.is_empty() || (args.has('o') && old.is_some()) {
        return Ok(Done::Ok);
    }
    let input = args.has('I');
    let output = args.has('O') || !input;
    let command = cx.expand_time(command);
    let cwd = base_directory(cx, Some(found.session));
    let spec = JobSpec { stdin: output, stdout: input, ..shell_job(cx, &command, cwd) };
    let job = cx.s.start_job(command, spec, JobUse::Pipe { pane });
    if let Some(p) = cx.s.model.panes.get_mut(&pane) {
        p.pipe = Some(Pipe { job, output, input });
    }
    cx.s.model.touch();
    Ok(Done::Ok)
}

#[cfg(test)]
mod tests {
    use crate::command::cmd::scene::{Scene, check};

    #[test]
    fn formats_choose() {
        check(&["if -F 1 'display -p yes' 'display -p no'"], "yes\n");
        check(&["if -F 0 'display -p yes' 'display -p no'"], "no\n");
        check(&["if -F '' 'display -p yes'"], "");
        check(&["if -F '#{session_name}' { display -p a ; display -p b }"], "a\nb\n");
        check(&["if -F 1 nosuch"], "! unknown command: nosuch\n");
    }

    #[test]
    fn a_shell_command_chooses() {
        let mut scene = Scene::new();
        assert_eq!(scene.run("if 'test #{session_name}' { display -p yes } { display -p no } ; display -p end"), "");
        assert_eq!(scene.job(), "test main");
        assert_eq!(scene.job_ends("", 1), "no\nend\n");
        scene.run("if true { display -p yes }; display -p end");
        assert_eq!(scene.job_ends("", 0), "yes\nend\n");
    }

    #[test]
    fn shell_commands_run() {
        let mut scene = Scene::new();
        assert_eq!(scene.run("run 'echo #{1} #{session_name}' arg; display -p end"), "");
        assert_eq!(scene.job(), "echo arg main");
        assert_eq!(scene.job_ends("out\nrest", 3), "out\nrest\n'echo arg main' returned 3\nend\n");
        assert_eq!(scene.s.model.client(crate::command::cmd::scene::CLIENT).map(|c| c.status), Some(3));
        assert_eq!(scene.run("run -C 'display -p #{session_name}'"), "main\n");
        assert_eq!(scene.run("run"), "");
        assert_eq!(scene.run("run -d x true"), "! invalid delay time: x\n");
    }

    #[test]
    fn delays_pass() {
        let mut scene = Scene::new();
        assert_eq!(scene.run("run -d 0.5; display -p end"), "");
        assert_eq!(scene.pass(crate::base::Span::from_millis(400)), "");
        assert_eq!(scene.pass(crate::base::Span::from_millis(100)), "end\n");
        scene.run("run -d 1 'echo late'");
        assert_eq!(scene.job(), "");
        scene.pass(crate::base::Span::from_secs(1));
        assert_eq!(scene.job(), "echo late");
        assert_eq!(scene.job_ends("late\n", 0), "late\n");
        assert_eq!(scene.run("run -b -d 1 'echo b'; display -p at-once"), "at-once\n");
        scene.pass(crate::base::Span::from_secs(1));
        assert_eq!(scene.job(), "echo b");
    }

    #[test]
    fn pipes_open_and_close() {
        let mut scene = Scene::new();
        let pane = scene.pane;
        let piped = |scene: &mut Scene, line: &str| {
            assert_eq!(scene.run(line), "");
            scene.s.model.pane(pane).and_then(|p| p.pipe).map(|p| (p.input, p.output))
        };
        assert_eq!(piped(&mut scene, "pipep 'cat >#{session_name}'"), Some((false, true)));
        assert_eq!(scene.job(), "cat >main");
        assert_eq!(piped(&mut scene, "pipep -o cat"), None);
        assert_eq!(piped(&mut scene, "pipep -IO cat"), Some((true, true)));
        assert_eq!(piped(&mut scene, "pipep -I cat"), Some((true, false)));
        assert_eq!(piped(&mut scene, "pipep"), None);
    }
}
