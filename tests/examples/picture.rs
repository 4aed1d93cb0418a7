//! Prints the picture of README.md: a session of two panes, and a question from the program in one of them. What is drawn
//! is what the core composes for the client; only the programs in the panes are played.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;

use mplex::base::{ConnId, PaneId, Size, Span};
use mplex::core::Arrival;
use mplex::paint;
use mplex_tests::player::{CONFIG, Stage, Who, pid_of};
use serde_json::json;

const SIZE: Size = Size { cols: 104, rows: 26 };

const CONFIGURATION: &str = "
set -g status-right '%H:%M '
set -g status-style bg=colour236,fg=colour250
setw -g window-status-current-style fg=colour114,bold
set -g pane-active-border-style fg=colour114
set -g pane-border-style fg=colour238
";

/// What the tests print.
const LEFT: &str = "\
\x1b[32m~/almanac\x1b[m \x1b[94m(weeks)\x1b[m $ cargo test\r\n\
\x1b[1;32m   Compiling\x1b[m almanac v0.4.1\r\n\
\x1b[1;32m    Finished\x1b[m test profile in 3.02s\r\n\
\x1b[1;32m     Running\x1b[m tests/weeks.rs\r\n\
\r\n\
running 6 tests\r\n\
test week_of_a_leap_day ... \x1b[32mok\x1b[m\r\n\
test week_one_holds_january_4 ... \x1b[32mok\x1b[m\r\n\
test weeks_begin_on_monday ... \x1b[32mok\x1b[m\r\n\
test last_week_of_2025 ... \x1b[32mok\x1b[m\r\n\
test last_week_of_2026 ... \x1b[31mFAILED\x1b[m\r\n\
test printing_and_reading ... \x1b[32mok\x1b[m\r\n\
\r\n\
---- last_week_of_2026 ----\r\n\
tests/weeks.rs:41:5:\r\n\
\x20 left: \"2027-W01\"\r\n\
\x20right: \"2026-W53\"\r\n\
\r\n\
test result: \x1b[31mFAILED\x1b[m. 5 passed; 1 failed\r\n\
\r\n\
\x1b[32m~/almanac\x1b[m \x1b[94m(weeks)\x1b[m $ ";

/// What the agent prints.
const RIGHT: &str = "\
\x1b[32m~/almanac\x1b[m \x1b[94m(weeks)\x1b[m $ agent \"make weeks ready\"\r\n\
\r\n\
\x1b[36m●\x1b[m Read src/week.rs, tests/weeks.rs\r\n\
\x1b[36m●\x1b[m Ran cargo test\r\n\
\x20 \x1b[2m5 passed, 1 failed\x1b[m\r\n\
\x1b[36m●\x1b[m Compared with ISO 8601\r\n\
\x20 \x1b[2ma year has 53 weeks if it begins on\x1b[m\r\n\
\x20 \x1b[2ma Thursday, and 2026 does\x1b[m\r\n\
\r\n\
\x1b[33m●\x1b[m Asking how to go on ...\r\n";

fn main() -> Result<(), String> {
    let files = BTreeMap::from([(CONFIG.to_owned(), CONFIGURATION.as_bytes().to_vec())]);
    let mut stage = Stage::new(files);
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let person =
        Who { size: Some(SIZE), term: "xterm-256color", features: Some("RGB"), inside: None, stdin: Vec::new() };
    let person = stage.connect(words("new-session -s almanac -n edit"), person);
    stage.settle()?;
    let conn = stage.open_control(1);
    command(&mut stage, conn, "new-window -n weeks ; split-window -h ; new-window -d -n logs")?;
    command(&mut stage, conn, "set -p -t :1.1 allow-rename off")?;
    let (left, right) = (PaneId(1), PaneId(2));
    stage.output(left, LEFT.as_bytes());
    stage.output(right, RIGHT.as_bytes());
    stage.set_process(right, "agent", None);
    let agent = stage.open_control(pid_of(right));
    let ask = json!({ "id": 1, "method": "show", "params": {
        "kind": "choice",
        "title": "Which of the two is right?",
        "text": "For 31 December 2026 the test expects 2026-W53, the code gives 2027-W01.",
        "options": ["The test: mend src/week.rs", "The code: change the test", "Neither, I will have a look"],
        "from": "agent",
    }});
    stage.arrive(Arrival::ControlLine { conn: agent, line: ask.to_string().into_bytes() });
    stage.pass(Span::from_secs(2))?;
    let (frame, pool) = stage.core.shown(person).ok_or("nothing was drawn")?;
    print!("{}", paint::svg(frame, pool, true));
    Ok(())
}

/// Runs a command by the socket; an error of it is one here.
fn command(stage: &mut Stage, conn: ConnId, line: &str) -> Result<(), String> {
    let request = json!({ "id": 1, "method": "command", "params": { "line": line } });
    stage.arrive(Arrival::ControlLine { conn, line: request.to_string().into_bytes() });
    stage.pass(Span::from_millis(50))?;
    match stage.lines.get_mut(&conn).and_then(|lines| lines.pop_front()) {
        Some(reply) if !reply.contains("\"error\"") => Ok(()),
        other => Err(format!("{line}: {other:?}")),
    }
}
