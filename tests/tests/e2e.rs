//! The built program, whole: client, server, core and programs in real ptys.

#![allow(clippy::disallowed_methods)]

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::Output;

use mplex_tests::pty::{Home, PATIENCE, Pty, mplex};
use rustix::process::{Pid, Signal, kill_process};

fn out(output: &Output) -> String {
    assert!(output.status.success(), "status {:?}: {}", output.status.code(), err(output));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim_end().to_owned()
}

/// A session `s` with a shell, attached in a pty.
fn session(home: &Home) -> Pty {
    let mut pty = home.open(&["new-session", "-s", "s"], 80, 24);
    pty.wait_for("$");
    pty
}

fn server_pid(home: &Home) -> Pid {
    let pid = out(&home.run(&["display-message", "-p", "#{pid}"])).parse().unwrap();
    Pid::from_raw(pid).unwrap()
}

#[test]
fn versions_and_usage() {
    let home = Home::new();
    assert_eq!(out(&home.run(&["-V"])), format!("mplex {} (tmux {})", mplex::VERSION, mplex::TMUX_VERSION));
    let tmux = home.dir().join("tmux");
    std::os::unix::fs::symlink(mplex(), &tmux).unwrap();
    assert_eq!(out(&home.run_as(&tmux, &["-V"])), format!("tmux {}", mplex::TMUX_VERSION));
    let wrong = home.run(&["-Z"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(err(&wrong).starts_with("mplex: unknown option -- Z\nusage: mplex "), "{}", err(&wrong));
    assert!(out(&home.run(&["-h"])).starts_with("usage: mplex "));
}

#[test]
fn no_server_is_said_in_the_known_words() {
    let home = Home::new();
    let none = home.run(&["list-sessions"]);
    let path = home.socket("default");
    assert_eq!(err(&none), format!("error connecting to {} (No such file or directory)", path.display()));
    assert_eq!(none.status.code(), Some(1));
    drop(UnixListener::bind(&path).unwrap());
    assert_eq!(err(&home.run(&["ls"])), format!("no server running on {}", path.display()));
    assert_eq!(err(&home.run(&["-N", "new", "-d"])), format!("no server running on {}", path.display()));
}

#[test]
fn an_open_directory_is_refused() {
    let home = Home::new();
    let dir = home.socket("x").parent().unwrap().to_owned();
    std::fs::create_dir(&dir).unwrap();
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o777)).unwrap();
    let refused = home.run(&["new", "-d"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(err(&refused).contains("has unsafe permissions"), "{}", err(&refused));
    assert!(err(&refused).contains("chmod 700"), "{}", err(&refused));
}

#[test]
fn a_deaf_server_and_a_stranger_do_not_hang_the_client() {
    let home = Home::new();
    let path = home.dir().join("stranger");
    let listener = UnixListener::bind(&path).unwrap();
    let answers = std::thread::spawn(move || {
        for answer in [b"HTTP/1.1 400 Bad Request\r\n".as_slice(), b"\xb7MPX\0\x63", b""] {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(answer).unwrap();
            if !answer.is_empty() {
                // Held open: the client must go by itself.
                let _ = std::io::Read::read_to_end(&mut stream, &mut Vec::new());
            }
        }
    });
    let socket = path.to_str().unwrap();
    for expect in
        ["is not an mplex server", "protocol version mismatch (client 1, server 99)", "server exited unexpectedly"]
    {
        let said = home.run(&["-S", socket, "ls"]);
        assert_eq!(said.status.code(), Some(1));
        assert!(err(&said).contains(expect), "{}", err(&said));
    }
    answers.join().unwrap();
}

#[test]
fn attach_type_detach_attach_again() {
    let home = Home::new();
    let mut a = session(&home);
    a.send("echo one$((1+1))\r");
    a.wait_for("one2");
    a.send("\x02d");
    assert_eq!(a.exit_status(), 0);
    assert!(a.text().contains("[detached (from session s)]"), "{}", a.text());
    assert!(!a.screen().alternate_screen());
    assert!(out(&home.run(&["ls", "-F", "#{session_name} #{session_attached}"])).contains("s 0"));
    let mut b = home.open(&["attach"], 80, 24);
    b.wait_for("one2");
    b.send("echo two$((1+2))\r");
    b.wait_for("two3");
    b.send("exit\r");
    assert_eq!(b.exit_status(), 0);
    assert!(b.text().contains("[exited]"), "{}", b.text());
    assert!(!home.socket("default").exists(), "the last session ended the server");
}

#[test]
fn a_killed_client_loses_nothing() {
    let home = Home::new();
    let mut a = session(&home);
    a.send("echo one$((1+1))\r");
    a.wait_for("one2");
    a.kill(Signal::KILL);
    let mut b = home.open(&["attach"], 80, 24);
    b.wait_for("one2");
    assert_eq!(out(&home.run(&["list-clients", "-F", "x"])), "x", "the killed client is not listed");
}

#[test]
fn a_terminated_client_puts_its_screen_in_order() {
    let home = Home::new();
    let mut a = session(&home);
    assert!(a.screen().alternate_screen());
    a.kill(Signal::TERM);
    assert_eq!(a.exit_status(), 1);
    assert!(a.text().contains("[terminated]"), "{}", a.text());
    assert!(!a.screen().alternate_screen());
}

#[test]
fn the_window_follows_the_terminal() {
    let home = Home::new();
    let mut a = session(&home);
    a.resize(100, 31);
    // The news of the size and a key take different ways to the server.
    a.wait("the status in the last row", |p| p.text().lines().nth(30).is_some_and(|l| l.starts_with("[s]")));
    a.send("stty size\r");
    a.wait("the new size", |p| p.text().contains("30 100") || p.text().contains("31 100"));
}

#[test]
fn a_stale_socket_is_replaced() {
    let home = Home::new();
    let path = home.socket("default");
    std::fs::create_dir(path.parent().unwrap()).unwrap();
    std::fs::set_permissions(path.parent().unwrap(), std::fs::Permissions::from_mode(0o700)).unwrap();
    drop(UnixListener::bind(&path).unwrap());
    out(&home.run(&["new", "-d", "-s", "s"]));
    assert_eq!(out(&home.run(&["ls", "-F", "#S"])), "s");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn two_servers_do_not_meet() {
    let home = Home::new();
    out(&home.run(&["-L", "a", "new", "-d", "-s", "one"]));
    out(&home.run(&["-L", "b", "new", "-d", "-s", "two"]));
    assert_eq!(out(&home.run(&["-L", "a", "ls", "-F", "#S"])), "one");
    assert_eq!(out(&home.run(&["-L", "b", "ls", "-F", "#S"])), "two");
    out(&home.run(&["-L", "a", "kill-server"]));
    assert_eq!(out(&home.run(&["-L", "b", "ls", "-F", "#S"])), "two");
}

#[test]
fn clients_that_start_at_once_share_one_server() {
    let home = Home::new();
    std::thread::scope(|s| {
        for n in 0..8 {
            let home = &home;
            s.spawn(move || out(&home.run(&["new", "-d", "-s", &format!("s{n}")])));
        }
    });
    assert_eq!(out(&home.run(&["ls", "-F", "#S"])).lines().count(), 8);
}

#[test]
fn a_program_that_cannot_start_harms_nobody() {
    let home = Home::new();
    out(&home.run(&["new", "-d", "-s", "s"]));
    let _ = home.run(&["new-window", "-d", "/nonexistent/program", "argument"]);
    assert_eq!(out(&home.run(&["ls", "-F", "#S"])), "s");
}

#[test]
fn a_flood_does_not_keep_keys_out() {
    let home = Home::new();
    let mut a = session(&home);
    a.send("yes flood\r");
    a.wait("a screen of it", |p| p.text().matches("flood").count() > 10);
    a.send("\x03");
    a.send("echo stopped$((40+2))\r");
    a.wait_for("stopped42");
}

#[test]
fn the_end_of_the_server_is_told_to_everybody() {
    let home = Home::new();
    let mut a = session(&home);
    out(&home.run(&["kill-server"]));
    let _ = a.exit_status();
    assert!(a.text().contains("[server exited]"), "{}", a.text());
    assert!(!home.socket("default").exists());
    assert!(!home.socket("default.shim").exists());
    let mut b = session(&home);
    kill_process(server_pid(&home), Signal::TERM).unwrap();
    let _ = b.exit_status();
    assert!(b.text().contains("[server exited]"), "{}", b.text());
    let mut c = session(&home);
    kill_process(server_pid(&home), Signal::KILL).unwrap();
    assert_eq!(c.exit_status(), 1);
    assert!(c.text().contains("[server exited unexpectedly]"), "{}", c.text());
    assert!(!c.screen().alternate_screen());
}

#[test]
fn a_removed_socket_is_made_again_on_request() {
    let home = Home::new();
    out(&home.run(&["new", "-d", "-s", "s"]));
    let pid = server_pid(&home);
    std::fs::remove_file(home.socket("default")).unwrap();
    kill_process(pid, Signal::USR1).unwrap();
    let until = std::time::Instant::now() + PATIENCE;
    while UnixStream::connect(home.socket("default")).is_err() {
        assert!(std::time::Instant::now() < until, "the socket did not come back");
        std::thread::yield_now();
    }
    assert_eq!(server_pid(&home), pid);
}

#[test]
fn tools_in_a_pane_reach_the_server_around_them() {
    let home = Home::new();
    // No login shell: the machine's own profile may set the path of those anew.
    let mut a = home.open(&["new-session", "-s", "s", "exec sh"], 80, 24);
    a.wait_for("$");
    a.send("tmux -V; tmux display-message -p 'in #S'\r");
    a.wait_for(&format!("tmux {}", mplex::TMUX_VERSION));
    a.wait_for("in s");
    a.send("clear; echo $MPLEX_PANE $TMUX_PANE $TERM\r");
    a.wait_for("%0 %0 tmux-256color");
}

#[test]
fn errors_go_to_standard_error_with_status_one() {
    let home = Home::new();
    out(&home.run(&["new", "-d", "-s", "s"]));
    let wrong = home.run(&["has-session", "-t", "nonesuch"]);
    assert_eq!((wrong.status.code(), err(&wrong).as_str()), (Some(1), "can't find session: nonesuch"));
    let unknown = home.run(&["nonesuch"]);
    assert_eq!((unknown.status.code(), err(&unknown).as_str()), (Some(1), "unknown command: nonesuch"));
}

#[test]
fn a_named_configuration_is_read() {
    let home = Home::new();
    let file = home.dir().join("c.conf");
    std::fs::write(&file, "set -g @mark here\n").unwrap();
    let file = file.to_str().unwrap();
    out(&home.run(&["-f", file, "new", "-d", "-s", "s"]));
    assert_eq!(out(&home.run(&["show", "-gv", "@mark"])), "here");
}

#[test]
fn input_and_output_of_commands_pass_through() {
    let home = Home::new();
    out(&home.run(&["new", "-d", "-s", "s"]));
    let mut child = std::process::Command::new(mplex())
        .args(["load-buffer", "-b", "x", "-"])
        .env_clear()
        .envs(home.env())
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&vec![b'y'; 300_000]).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(home.run(&["save-buffer", "-b", "x", "-"]).stdout, vec![b'y'; 300_000]);
}

#[test]
fn run_shell_waits_and_tells() {
    let home = Home::new();
    out(&home.run(&["new", "-d", "-s", "s"]));
    assert_eq!(out(&home.run(&["run-shell", "echo from $((20+22))"])), "from 42");
}

#[test]
fn text_control_mode_talks_and_ends() {
    let home = Home::new();
    let mut child = std::process::Command::new(mplex())
        .args(["-C", "new-session", "-s", "s"])
        .env_clear()
        .envs(home.env())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(|l| l.unwrap());
    assert!(lines.next().unwrap().starts_with("%begin "));
    stdin.write_all(b"display-message -p 'in #S'\n").unwrap();
    assert!(lines.any(|l| l == "in s"));
    drop(stdin);
    assert!(lines.any(|l| l.starts_with("%exit")));
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_shell_command_runs_by_the_default_shell() {
    let home = Home::new();
    let ran = home.run(&["-c", "echo $0 $SHELL; exit 3"]);
    assert_eq!(ran.status.code(), Some(3));
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "sh /bin/sh\n");
}

#[test]
fn suspend_stops_the_client_and_goes_on() {
    let home = Home::new();
    let mut a = session(&home);
    a.send("\x02\x1a");
    a.wait("the first screen", |p| !p.screen().alternate_screen());
    a.wait("the client to stop", |p| p.is_stopped());
    a.kill(Signal::CONT);
    a.wait("the screen again", |p| p.screen().alternate_screen());
    a.send("echo back$((1+1))\r");
    a.wait_for("back2");
}
