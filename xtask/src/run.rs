//! Starting other programs: from the top of the repository, without input, with a limit of time, in a group of their own
//! so that nothing they started is left behind.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The top of the repository.
pub(crate) fn top() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or(here.clone(), PathBuf::from)
}

/// The cargo that runs this program.
pub(crate) fn cargo() -> Command {
    command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
}

pub(crate) fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(top()).stdin(Stdio::null());
    command
}

/// Runs to the end, its output going where ours goes.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let name = name(command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} failed ({status})")),
        Err(error) => Err(format!("{name} could not be started: {error}")),
    }
}

/// Runs to the end and returns what it wrote to stdout; stderr goes where ours goes.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let name = name(command);
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("{name} could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("{name} failed ({})", output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{name} wrote something else than UTF-8"))
}

/// Runs with a limit; each line of stdout is shown and handed to `line`. Over the limit, the program and all that it
/// started are killed.
pub(crate) fn watch(command: &mut Command, limit: Duration, mut line: impl FnMut(&str)) -> Result<(), String> {
    let name = name(command);
    let child = command.process_group(0).stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("{name} could not be started: {error}"))?;
    let (send, lines) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            for bytes in BufReader::new(stdout).split(b'\n') {
                let Ok(bytes) = bytes else { break };
                if send.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                    break;
                }
            }
        });
    }
    let end = Instant::now() + limit;
    loop {
        match lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(text) => {
                println!("{text}");
                line(&text);
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                kill(&mut child);
                return Err(format!("{name} did not end within {} minutes", limit.as_secs() / 60));
            }
        }
    }
    match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} failed ({status})")),
        Err(error) => Err(format!("{name} was lost: {error}")),
    }
}

fn kill(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // It may have ended in between; then there is nothing to kill.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.wait();
}

fn name(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    if let Some(last) = words[0].rsplit('/').next() {
        words[0] = last.to_owned();
    }
    words.extend(command.get_args().map(|a| a.to_string_lossy().into_owned()));
    words.join(" ")
}

/// The program of that name in `PATH`.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|file| file.is_file())
}
