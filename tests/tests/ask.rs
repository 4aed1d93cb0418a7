//! Questions to the person through the built program: a driver on the socket, persons at terminals, a program below that
//! goes on meanwhile.

#![allow(clippy::disallowed_methods)]

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;

use mplex_tests::pty::{Home, PATIENCE, Pty};
use rustix::process::Signal;
use serde_json::{Value, json};

struct Driver {
    lines: BufReader<UnixStream>,
    id: u64,
}

impl Driver {
    fn new(home: &Home) -> Driver {
        let stream = UnixStream::connect(home.socket("default")).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Driver { lines: BufReader::new(stream), id: 0 }
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.id += 1;
        let line = json!({ "id": self.id, "method": method, "params": params });
        self.lines.get_mut().write_all(format!("{line}\n").as_bytes()).unwrap();
        self.id
    }

    /// The next line that is not the event of something else.
    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line:?}"))
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        let reply = self.line();
        assert_eq!(reply["id"], json!(id), "{reply}");
        reply
    }

    #[track_caller]
    fn show(&mut self, params: &Value) -> String {
        let reply = self.ask("show", params);
        reply["result"]["flow"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned()
    }

    /// Waits for the end of a flow.
    fn end(&mut self, flow: &str) -> Value {
        self.ask("result", &json!({ "flow": flow, "wait_ms": 15_000 }))["result"].clone()
    }
}

#[track_caller]
fn check_error(reply: &Value, code: &str) {
    assert_eq!(reply["error"]["code"], code, "{reply}");
}

fn session(home: &Home) -> Pty {
    let mut pty = home.open(&["new-session", "-s", "s", "exec sh"], 80, 24);
    pty.wait_for("$");
    pty
}

/// Presses a key until something has come of it: one that came too early goes to the program below.
#[track_caller]
fn press_until_gone(pty: &mut Pty, key: &str, text: &str) {
    let until = std::time::Instant::now() + PATIENCE;
    while pty.text().contains(text) {
        assert!(std::time::Instant::now() < until, "{text:?} stays\n{}", pty.text());
        pty.send(key);
        pty.read(std::time::Duration::from_millis(100));
    }
}

#[test]
fn a_choice_is_answered_once_while_the_program_goes_on() {
    let home = Home::new();
    let mut a = session(&home);
    let mut driver = Driver::new(&home);
    // Something that writes until it is told to stop.
    a.send("n=0; while [ ! -e stop ]; do n=$((n+1)); echo tick $n; sleep 0.05; done; echo over\r");
    a.wait_for("tick 2");
    let flow = driver.show(&json!({
        "pane": "%0", "kind": "choice", "title": "Deploy?", "options": ["yes", "no"], "default": 1, "from": "builder",
    }));
    a.wait_for("Deploy?");
    a.wait_for("builder");
    let before = a.bytes.len();
    a.wait("output below the dialog", |p| {
        String::from_utf8_lossy(&p.bytes[before..]).contains("tick") || p.bytes.len() > before + 400
    });
    assert!(a.text().contains("Deploy?"));
    let busy = Driver::new(&home).ask("show", &json!({ "pane": "%0", "kind": "message", "title": "x" }));
    check_error(&busy, "busy");
    // Home, because pressing it once more changes nothing.
    press_until_gone(&mut a, "\x1b[H", "▸ 2. no");
    a.wait_for("▸ 1. yes");
    a.send("\r");
    assert_eq!(driver.end(&flow), json!({ "done": true, "status": "ok", "value": 0 }));
    a.wait_gone("Deploy?");
    check_error(&driver.ask("result", &json!({ "flow": flow })), "unknown_flow");
    check_error(&driver.ask("cancel", &json!({ "flow": flow })), "unknown_flow");
    std::fs::write(home.dir().join("stop"), "").unwrap();
    a.wait_for("over");
}

#[test]
fn a_dialog_is_there_again_after_a_detach() {
    let home = Home::new();
    let mut a = session(&home);
    let mut driver = Driver::new(&home);
    let flow = driver.show(&json!({ "target": "s:", "kind": "choice", "title": "Which?", "options": ["one", "two"] }));
    a.wait_for("Which?");
    let _ = home.run(&["detach-client", "-s", "s"]);
    assert_eq!(a.exit_status(), 0);
    assert_eq!(driver.ask("result", &json!({ "flow": flow }))["result"], json!({ "done": false }));
    let refused = driver.ask("show", &json!({ "target": "s:", "kind": "message", "title": "x" }));
    check_error(&refused, "no_client");
    assert_eq!(refused["error"]["data"]["retry"], json!(false));
    let mut b = home.open(&["attach-session", "-t", "s"], 40, 12);
    b.wait_for("Which?");
    // It follows the size of the terminal.
    b.resize(30, 10);
    b.wait("the dialog at the new size", |p| {
        let rows: Vec<String> = p.screen().rows(0, 30).collect();
        rows.iter().any(|r| r.contains("Which?") && r.trim_end().ends_with('╮'))
    });
    press_until_gone(&mut b, "2", "Which?");
    assert_eq!(driver.end(&flow), json!({ "done": true, "status": "ok", "value": 1 }));
}

#[test]
fn the_end_of_the_terminal_is_not_an_answer() {
    let home = Home::new();
    let mut a = session(&home);
    let mut driver = Driver::new(&home);
    let flow = driver.show(&json!({ "pane": "%0", "kind": "message", "title": "Note", "text": "read me" }));
    a.wait_for("read me");
    a.kill(Signal::KILL);
    let _ = a.exit_status();
    drop(a);
    let mut b = home.open(&["attach-session", "-t", "s"], 80, 24);
    b.wait_for("read me");
    assert_eq!(driver.ask("result", &json!({ "flow": flow }))["result"], json!({ "done": false }));
    press_until_gone(&mut b, "\r", "read me");
    assert_eq!(driver.end(&flow), json!({ "done": true, "status": "ok", "value": null }));
}

#[test]
fn a_text_is_typed_pasted_and_given_up() {
    let home = Home::new();
    let mut a = session(&home);
    let mut driver = Driver::new(&home);
    let flow = driver.show(&json!({ "pane": "%0", "kind": "text", "label": "Branch:", "initial": "main" }));
    a.wait_for("Branch: main");
    press_until_gone(&mut a, "\x15", "Branch: main");
    a.send("日本\x1b[200~a\r\nb\x1b[201~");
    a.wait_for("日本a⏎b");
    a.send("\r");
    assert_eq!(driver.end(&flow), json!({ "done": true, "status": "ok", "value": "日本a\nb" }));
    a.wait_gone("Branch:");
    let flow = driver.show(&json!({ "pane": "%0", "kind": "text", "label": "Again:" }));
    a.wait_for("Again:");
    press_until_gone(&mut a, "\x07", "Again:");
    assert_eq!(driver.end(&flow), json!({ "done": true, "status": "cancelled" }));
}

#[test]
fn timeouts_and_cancels_close_it_everywhere() {
    let home = Home::new();
    let mut a = session(&home);
    let mut driver = Driver::new(&home);
    let flow = driver.show(&json!({ "pane": "%0", "kind": "message", "title": "Soon gone", "timeout": 0.3 }));
    let sent = driver.send("result", &json!({ "flow": flow, "wait_ms": 15_000 }));
    a.wait_for("Soon gone");
    let reply = driver.line();
    assert_eq!((&reply["id"], &reply["result"]), (&json!(sent), &json!({ "done": true, "status": "timeout" })));
    a.wait_gone("Soon gone");
    let flow = driver.show(&json!({ "pane": "%0", "kind": "message", "title": "Taken back" }));
    a.wait_for("Taken back");
    // Another driver may take it back; who waits is told.
    let sent = driver.send("result", &json!({ "flow": flow, "wait_ms": 15_000 }));
    let mut other = Driver::new(&home);
    assert_eq!(other.ask("cancel", &json!({ "flow": flow }))["result"], json!({ "cancelled": true }));
    let reply = driver.line();
    assert_eq!((&reply["id"], &reply["result"]), (&json!(sent), &json!({ "done": true, "status": "cancelled" })));
    a.wait_gone("Taken back");
}

#[test]
fn only_who_may_type_is_asked() {
    let home = Home::new();
    let mut a = home.open(&["new-session", "-d", "-s", "s", "exec sh"], 80, 24);
    let _ = a.exit_status();
    let mut reader = home.open(&["attach-session", "-r", "-t", "s"], 80, 24);
    reader.wait_for("$");
    let mut driver = Driver::new(&home);
    check_error(&driver.ask("show", &json!({ "target": "s:", "kind": "message", "title": "x" })), "no_client");
    let mut b = home.open(&["attach-session", "-t", "s"], 80, 24);
    b.wait_for("$");
    driver.show(&json!({ "target": "s:", "kind": "message", "title": "For b" }));
    b.wait_for("For b");
    reader.read(std::time::Duration::ZERO);
    assert!(!reader.text().contains("For b"));
}

#[test]
fn events_tell_of_questions_and_lines_too_long_are_refused() {
    let home = Home::new();
    let mut a = session(&home);
    let mut listener = Driver::new(&home);
    listener.ask("subscribe", &json!({ "events": ["flow-opened", "flow-closed"] }));
    let mut driver = Driver::new(&home);
    let flow = driver.show(&json!({ "pane": "%0", "kind": "message", "title": "Told" }));
    let opened = listener.line();
    assert_eq!((&opened["event"], &opened["params"]["flow"]), (&json!("flow-opened"), &json!(flow)), "{opened}");
    assert_eq!((&opened["params"]["pane"], &opened["params"]["kind"]), (&json!("%0"), &json!("message")), "{opened}");
    a.wait_for("Told");
    press_until_gone(&mut a, "\r", "Told");
    let closed = listener.line();
    assert_eq!((&closed["event"], &closed["params"]["outcome"]), (&json!("flow-closed"), &json!("ok")), "{closed}");
    let mut long = Driver::new(&home);
    let mut line = vec![b' '; (1 << 20) + 1];
    line[0] = b'{';
    line.push(b'\n');
    // Written from another thread: the answer may come before all of it was taken.
    let mut stream = long.lines.get_ref().try_clone().unwrap();
    let writer = std::thread::spawn(move || stream.write_all(&line).unwrap());
    let reply = long.line();
    check_error(&reply, "too_large");
    assert_eq!(reply["id"], Value::Null);
    writer.join().unwrap();
    assert_eq!(long.ask("ping", &json!({}))["result"]["ok"], json!(true));
}
