//! From `argv` to the client, the server, or a face of `mplex-flow`. The one place that names both libraries.

// The process's own: arguments, and whether somebody listens already.
#![allow(clippy::disallowed_methods)]

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mplex::client::{self, Options, say, socket};
use mplex::lang::{Arg, NoEnv, Place};
use mplex::server;

/// First word of a server that a client started; standard input is its listening socket. Not for people.
const SERVE: &str = "--serve";
/// First words that belong to `mplex-flow`.
const FACES: [&str; 5] = ["flow", "ask", "mcp", "drive", "agent"];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args_os().map(|a| mplex::base::raw::text(a.as_bytes())).collect();
    let name = args.first().map_or("mplex", |a| a.rsplit('/').next().unwrap_or(a)).trim_start_matches('-').to_owned();
    let login = args.first().is_some_and(|a| a.starts_with('-'));
    let args = args.get(1..).unwrap_or_default();
    if let [first, path, rest @ ..] = args
        && first == SERVE
    {
        return serve(Path::new(path), rest.iter().any(|a| a == "-v"));
    }
    let as_tmux = name == "tmux";
    if let Some(face) = args.first()
        && !as_tmux
        && FACES.contains(&face.as_str())
    {
        return fail(&format!("{name} {face}: not built yet"));
    }
    match read_args(args) {
        Ok(Asked::Help) => {
            say(rustix::stdio::stdout(), usage(&name).as_bytes());
            ExitCode::SUCCESS
        }
        Ok(Asked::Version) => {
            let tmux = format!("tmux {}", mplex::TMUX_VERSION);
            let line = if as_tmux { format!("{tmux}\n") } else { format!("mplex {} ({tmux})\n", mplex::VERSION) };
            say(rustix::stdio::stdout(), line.as_bytes());
            ExitCode::SUCCESS
        }
        Ok(Asked::Run(cli)) => run(*cli, as_tmux, login),
        Err(error) => {
            let line = if error.is_empty() { String::new() } else { format!("{name}: {error}\n") };
            say(rustix::stdio::stderr(), format!("{line}{}", usage(&name)).as_bytes());
            ExitCode::FAILURE
        }
    }
}

fn usage(name: &str) -> String {
    format!(
        "usage: {name} [-2CDhlNuVv] [-c shell-command] [-f file] [-L socket-name]\n            \
         [-S socket-path] [-T features] [command [flags]]\n"
    )
}

fn fail(sentence: &str) -> ExitCode {
    say(rustix::stdio::stderr(), format!("{sentence}\n").as_bytes());
    ExitCode::FAILURE
}

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Help,
    Version,
    Run(Box<Cli>),
}

/// The command line, read.
#[derive(Debug, Default, PartialEq, Eq)]
struct Cli {
    shell_command: Option<String>,
    /// `-C` once or twice.
    control: u8,
    /// Stay in the foreground and be the server.
    foreground: bool,
    config: Option<Vec<String>>,
    login: bool,
    label: Option<String>,
    path: Option<String>,
    no_start: bool,
    features: Vec<String>,
    verbose: bool,
    argv: Vec<String>,
}

/// Reads the flags before the command, as `getopt` does. The error is empty where the usage says all.
fn read_args(args: &[String]) -> Result<Asked, String> {
    let mut cli = Cli::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.as_slice().first() {
        if arg == "--" {
            rest.next();
            break;
        }
        let Some(letters) = arg.strip_prefix('-').filter(|l| !l.is_empty()) else { break };
        rest.next();
        let mut letters = letters.chars();
        while let Some(letter) = letters.next() {
            let mut value = || {
                let attached = std::mem::replace(&mut letters, "".chars());
                let text = attached.as_str();
                if text.is_empty() { rest.next().cloned() } else { Some(text.to_owned()) }
                    .ok_or_else(|| format!("option requires an argument -- {letter}"))
            };
            match letter {
                '2' => cli.features.push("256".into()),
                'c' => cli.shell_command = Some(value()?),
                'C' => cli.control = (cli.control + 1).min(2),
                'D' => cli.foreground = true,
                'f' => cli.config.get_or_insert_default().push(value()?),
                'h' => return Ok(Asked::Help),
                'l' => cli.login = true,
                'L' => cli.label = Some(value()?),
                'N' => cli.no_start = true,
                // Asked to be silent, and to take the terminal for UTF-8: it never is anything else.
                'q' | 'u' => {}
                'S' => cli.path = Some(value()?),
                'T' => {
                    let text = value()?;
                    cli.features.extend(text.split([':', ',']).filter(|f| !f.is_empty()).map(str::to_owned));
                }
                'v' => cli.verbose = true,
                'V' => return Ok(Asked::Version),
                _ => return Err(format!("unknown option -- {letter}")),
            }
        }
    }
    cli.argv = rest.cloned().collect();
    if (cli.shell_command.is_some() || cli.foreground) && !cli.argv.is_empty() {
        return Err(String::new());
    }
    Ok(Asked::Run(Box::new(cli)))
}

fn run(cli: Cli, as_tmux: bool, login: bool) -> ExitCode {
    let path = match socket::locate(cli.label.as_deref(), cli.path.as_deref(), &socket::Vars::of_process()) {
        Ok(path) => path,
        Err(sentence) => return fail(&sentence),
    };
    if cli.foreground {
        return foreground(path, cli.verbose, cli.config.as_deref());
    }
    let starts = cli.shell_command.is_some() || starts_server(&cli.argv);
    let mut server = vec![OsString::from(SERVE), path.clone().into_os_string()];
    if cli.verbose {
        server.push("-v".into());
    }
    let mut options = Options {
        socket: path,
        server: (starts && !cli.no_start).then_some(server),
        argv: cli.argv,
        control: cli.control,
        features: cli.features,
        config: cli.config,
        as_tmux,
        capture: false,
    };
    if let Some(command) = cli.shell_command {
        // The shell is the server's to say: asked by a command of its own.
        let words = ["start-server", ";", "show-options", "-gv", "default-shell"];
        options.argv = words.map(str::to_owned).to_vec();
        options.capture = true;
        options.control = 0;
        let ended = client::run(&options);
        if ended.status != 0 {
            return ExitCode::from(ended.status);
        }
        let shell = String::from_utf8_lossy(&ended.out).trim_end().to_owned();
        return ExitCode::from(client::exec(&shell, &command, login || cli.login));
    }
    ExitCode::from(client::run(&options).status)
}

/// Whether a missing server is started for this command line: for no command at all, and where a row says so.
fn starts_server(argv: &[String]) -> bool {
    if argv.is_empty() {
        return true;
    }
    let words: Vec<Arg> = argv.iter().cloned().map(Arg::Text).collect();
    mplex::lang::parse_args(&words, Place::default(), &NoEnv).is_ok_and(|parsed| {
        parsed.commands.calls().any(|call| mplex::command::spec::find(&call.name).is_ok_and(|spec| spec.start_server))
    })
}

/// `-D`: the server, here.
fn foreground(path: PathBuf, verbose: bool, named: Option<&[String]>) -> ExitCode {
    if std::os::unix::net::UnixStream::connect(&path).is_ok() {
        return fail(&format!("a server is already running on {}", path.display()));
    }
    match socket::bind(&path) {
        Ok(listener) => run_server(server::Config { listener, path, verbose }, named),
        Err(e) => fail(&format!("couldn't create socket {} ({})", path.display(), socket::words(&e))),
    }
}

fn serve(path: &Path, verbose: bool) -> ExitCode {
    match server::inherited_listener() {
        Ok(listener) => run_server(server::Config { listener, path: path.to_owned(), verbose }, None),
        Err(e) => fail(&format!("{SERVE} is for a client that starts a server: {e}")),
    }
}

fn run_server(config: server::Config, named: Option<&[String]>) -> ExitCode {
    match server::serve(config, named) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => fail(&format!("couldn't start the server ({})", socket::words(&e))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expect: Result<Cli, &str>) {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let read = read_args(&args);
        match expect {
            Ok(cli) => assert_eq!(read, Ok(Asked::Run(Box::new(cli))), "{line}"),
            Err(error) => assert_eq!(read, Err(error.to_owned()), "{line}"),
        }
    }

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn flags_end_at_the_command() {
        check("", Ok(Cli::default()));
        check("-L x new -d", Ok(Cli { label: Some("x".into()), argv: words("new -d"), ..Cli::default() }));
        check("-Lx -CC -- -n", Ok(Cli { label: Some("x".into()), control: 2, argv: words("-n"), ..Cli::default() }));
        check("-f a -fb -T RGB:mouse", {
            let config = Some(words("a b"));
            Ok(Cli { config, features: words("RGB mouse"), ..Cli::default() })
        });
        check("-2uNS /s ls", {
            let features = words("256");
            Ok(Cli { features, no_start: true, path: Some("/s".into()), argv: words("ls"), ..Cli::default() })
        });
        check("-c x", Ok(Cli { shell_command: Some("x".into()), ..Cli::default() }));
    }

    #[test]
    fn wrong_lines_are_refused() {
        check("-Z", Err("unknown option -- Z"));
        check("-L", Err("option requires an argument -- L"));
        check("-c x y", Err(""));
        check("-D new", Err(""));
        assert_eq!(read_args(&words("-V")), Ok(Asked::Version));
        assert_eq!(read_args(&words("-h")), Ok(Asked::Help));
    }

    #[test]
    fn only_some_commands_start_a_server() {
        for (line, expect) in [
            ("", true),
            ("new -d", true),
            ("attach", true),
            ("ls", false),
            ("start ; show -g", true),
            ("nonsense", false),
        ] {
            assert_eq!(starts_server(&words(line)), expect, "{line}");
        }
    }
}
