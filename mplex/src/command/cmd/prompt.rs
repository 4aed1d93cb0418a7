//! Prompts: `command-prompt`, `confirm-before`, and the history of what was typed.

use std::collections::VecDeque;

use crate::base::{ClientId, Now};
use crate::command::background::{Asked, Asking, Then};
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::dispatch;
use crate::command::queue::{Asker, Token, Wake};
use crate::command::state::State;
use crate::command::table::Exec;
use crate::event::{Event, Outside};
use crate::lang::{self, Args, Grouping};
use crate::layer::Host;

pub(super) const FAMILY: &[Exec] = &[
    Exec::new("command-prompt", command_prompt),
    Exec::new("confirm-before", confirm_before),
    Exec::new("show-prompt-history", show_history),
    Exec::new("clear-prompt-history", clear_history),
];

/// What can be asked for, in the order of lists.
const KINDS: &[&str] = &["command", "search", "target", "window-target"];

fn kind(name: &str) -> Option<&'static str> {
    KINDS.iter().copied().find(|k| *k == name)
}

/// Whether a prompt of a command, or another one, already has the client's keys.
fn has_prompt(s: &State, client: ClientId) -> bool {
    s.layers.stack(Host::Client(client)).iter().any(|l| l.name() == "prompt")
}

fn command_prompt(cx: &mut Cx, args: &Args) -> Result {
    // -C lets the panes go on meanwhile, which they always do here.
    let client = cx.client()?;
    if has_prompt(cx.s, client) {
        return Ok(Done::Ok);
    }
    let kind = match args.get('T') {
        None => KINDS[0],
        Some(name) => kind(name).ok_or_else(|| CmdError::value(format!("unknown type: {name}")))?,
    };
    let what = match args.commands(0) {
        Some(list) => Then::List(list.clone()),
        None => {
            let text = args.positional(0).unwrap_or("%1").to_owned();
            Then::Text(if args.has('F') { cx.expand(&text) } else { text }, cx.call.at.clone())
        }
    };
    let waits = !args.has('b') && !args.has('i');
    // Of several ways the first counts, as in tmux.
    let mut how = Asking { kind, ..Asking::default() };
    if args.has('1') {
        how.single = true;
    } else if args.has('N') {
        how.numeric = true;
    } else if args.has('i') {
        how.incremental = true;
    } else if args.has('k') {
        how.key = true;
    } else if args.has('e') {
        how.backspace_exit = true;
    }
    if args.has('P') {
        let session = cx.s.model.client(client).and_then(|c| c.session);
        how.pane = session.and_then(|s| cx.s.model.current_pane(s));
        if let Some(pane) = how.pane {
            cx.s.model.outbox.event(Event::new("pane-prompt-opened").pane(pane));
        }
    }
    let ahead = questions(cx, args, &what);
    open(cx, client, waits, ahead, how, what)
}

/// The prompts and the texts they start with, formats expanded.
fn questions(cx: &mut Cx, args: &Args, what: &Then) -> VecDeque<(String, String)> {
    let (prompts, space) = match args.get('p') {
        Some(text) => (text.to_owned(), true),
        None if args.is_empty() => (":".to_owned(), false),
        None => (format!("({})", first_word(what)), true),
    };
    let inputs = args.get('I').unwrap_or_default().to_owned();
    let asked: Vec<(String, String)> = if args.has('l') {
        vec![(prompts, inputs)]
    } else {
        let mut inputs = inputs.split(',').map(str::to_owned);
        prompts
            .split(',')
            .map(|p| (if space { format!("{p} ") } else { p.to_owned() }, inputs.next().unwrap_or_default()))
            .collect()
    };
    asked.into_iter().map(|(p, i)| (cx.expand_time(&p), cx.expand_time(&i))).collect()
}

/// The name of the command that will run, for the prompt.
fn first_word(what: &Then) -> String {
    match what {
        Then::List(list) | Then::Confirm { list, .. } => {
            list.calls().next().map(|c| c.name.clone()).unwrap_or_default()
        }
        Then::Text(text, _) => text.split([' ', ',']).next().unwrap_or_default().to_owned(),
    }
}

fn confirm_before(cx: &mut Cx, args: &Args) -> Result {
    let client = cx.client()?;
    let list = match args.commands(0) {
        Some(list) => list.clone(),
        None => {
            let text = cx.expand(args.positional(0).unwrap_or_default());
            cx.parse(&text)?
        }
    };
    let key = match args.get('c') {
        None => 'y',
        Some(text) => {
            let mut chars = text.chars();
            match (chars.next(), chars.next()) {
                (Some(c @ ' '..='~'), None) => c,
                _ => return Err(CmdError::value("invalid confirm key")),
            }
        }
    };
    let what = Then::Confirm { list, key, enter: args.has('y') };
    let prompt = match args.get('p') {
        Some(text) => format!("{text} "),
        None => format!("Confirm '{}'? ({key}/n) ", first_word(&what)),
    };
    let prompt = cx.expand_time(&prompt);
    let how = Asking { single: true, kind: KINDS[0], ..Asking::default() };
    let waits = !args.has('b');
    open(cx, client, waits, VecDeque::from([(prompt, String::new())]), how, what)
}

fn open(
    cx: &mut Cx,
    client: ClientId,
    waits: bool,
    ahead: VecDeque<(String, String)>,
    how: Asking,
    what: Then,
) -> Result {
    let token = cx.s.fresh_number() as u32;
    let (owner, asker) = if waits {
        (cx.owner, cx.asker.clone())
    } else {
        (Some(client), Asker { client: Some(client), ..Asker::default() })
    };
    let asked = Asked { client, owner, asker, waits, ahead, answers: Vec::new(), how, what };
    cx.s.show_prompt(token, &asked);
    cx.s.prompts.insert(token, asked);
    Ok(if waits { Done::Wait(Token::Prompt(token)) } else { Done::Ok })
}

impl State {
    /// Opens the prompt for the first question that is left.
    fn show_prompt(&mut self, token: u32, asked: &Asked) {
        let Some((prompt, input)) = asked.ahead.front() else { return };
        let history = self.prompt_history.get(asked.how.kind).cloned().unwrap_or_default();
        let mut layer = crate::layer::prompt::Prompt::for_command(token, prompt, input, asked.how, history);
        if asked.how.kind == KINDS[0] {
            layer = layer.with_commands(crate::command::rows::ROWS.iter().map(|r| r.name).collect());
        }
        self.layers.push(Host::Client(asked.client), Box::new(layer));
        self.model.touch();
    }

    /// What was typed into a prompt of a command; `None` when it was given up. `done` unless it is only a change of an
    /// incremental one.
    pub fn prompt_said(&mut self, token: u32, value: Option<String>, done: bool, now: Now, out: &mut dyn Outside) {
        let Some(mut asked) = self.prompts.remove(&token) else { return };
        let how = asked.how;
        if let (Some(text), true) = (&value, done)
            && !text.is_empty()
            && !how.single
            && !how.key
            && !how.numeric
        {
            self.remember(how.kind, text);
        }
        match value {
            Some(text) if !done => {
                self.run_answers(&asked, &[text], now, out);
                self.prompts.insert(token, asked);
                return;
            }
            // The end of an incremental prompt: all that was to be run has run.
            Some(_) if how.incremental => {}
            Some(text) => {
                asked.answers.push(text);
                asked.ahead.pop_front();
                if !asked.ahead.is_empty() {
                    self.show_prompt(token, &asked);
                    self.prompts.insert(token, asked);
                    return;
                }
                let answers = std::mem::take(&mut asked.answers);
                self.run_answers(&asked, &answers, now, out);
            }
            None => self.refused(&asked),
        }
        if let Some(pane) = how.pane.filter(|p| self.model.pane(*p).is_some()) {
            self.model.outbox.event(Event::new("pane-prompt-closed").pane(pane));
        }
        self.queues.wake(Token::Prompt(token), Wake::Text(None));
    }

    /// A confirmation that was not given fails the command client that asked for it.
    fn refused(&mut self, asked: &Asked) {
        let confirm = matches!(asked.what, Then::Confirm { .. });
        if let Some(c) = asked.asker.client.and_then(|c| self.model.clients.get_mut(&c))
            && confirm
            && asked.waits
            && c.session.is_none()
        {
            c.status = 1;
        }
    }

    /// Runs what the answers are for.
    fn run_answers(&mut self, asked: &Asked, answers: &[String], now: Now, out: &mut dyn Outside) {
        let values: Vec<&str> = answers.iter().map(String::as_str).collect();
        let list = match &asked.what {
            Then::List(list) => Ok(list.substituted(&values)),
            Then::Text(text, at) => {
                let text = lang::substitute(text, &values);
                dispatch::parse_text(self, out, now, &text, at.clone(), Grouping::Whole)
            }
            Then::Confirm { list, key, enter } => {
                let pressed = values.first().and_then(|v| v.chars().next());
                if pressed != Some(*key) && !(*enter && pressed == Some('\r')) {
                    return self.refused(asked);
                }
                Ok(list.clone())
            }
        };
        match list {
            Ok(list) => {
                let ok = if asked.waits {
                    self.queues.insert(asked.owner, &list, asked.asker.clone())
                } else {
                    self.queues.append(asked.owner, &list, asked.asker.clone())
                };
                if !ok {
                    self.log(now.wall, "too many commands are waiting");
                }
            }
            Err(text) => {
                let mut chars = text.chars();
                let first = chars.next().map(|c| c.to_ascii_uppercase());
                let text: String = first.into_iter().chain(chars).collect();
                self.message(asked.client, &text, now);
            }
        }
    }
}

// ---- history ----

fn kinds(args: &Args) -> Result<Vec<&'static str>> {
    match args.get('T') {
        None => Ok(KINDS.to_vec()),
        Some(name) => match kind(name) {
            Some(k) => Ok(vec![k]),
            None => Err(CmdError::value(format!("invalid type: {name}"))),
        },
    }
}

fn show_history(cx: &mut Cx, args: &Args) -> Result {
    for kind in kinds(args)? {
        cx.print(format!("History for {kind}:\n"));
        let lines = cx.s.prompt_history.get(kind).cloned().unwrap_or_default();
        for (n, line) in lines.iter().enumerate() {
            cx.print(format!("{}: {line}", n + 1));
        }
        cx.print("");
    }
    Ok(Done::Ok)
}

fn clear_history(cx: &mut Cx, args: &Args) -> Result {
    for kind in kinds(args)? {
        cx.s.prompt_history.remove(kind);
    }
    Ok(Done::Ok)
}

#[cfg(test)]
mod tests {
    use crate::command::cmd::scene::{Scene, check};

    #[test]
    fn history_is_shown_and_cleared() {
        let mut scene = Scene::new();
        scene.s.remember("search", "abc");
        assert_eq!(scene.run("showphist -T search"), "History for search:\n\n1: abc\n\n");
        assert_eq!(scene.run("clearphist -T search; showphist -T search"), "History for search:\n\n\n");
        assert_eq!(scene.run("showphist").lines().filter(|l| l.starts_with("History")).count(), 4);
        assert_eq!(scene.run("showphist -T nope"), "! invalid type: nope\n");
    }

    #[test]
    fn prompts_need_a_client() {
        check(&["command-prompt"], "! no current client\n");
        check(&["confirm lsp"], "! no current client\n");
    }
}
