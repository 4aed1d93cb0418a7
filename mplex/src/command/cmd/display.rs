//! Messages: `display-message`, `show-messages`.

use super::buffers::{stdin, wait_for_stdin};
use crate::base::{ClientId, Rect, Rev, Span, Time};
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::queue::{ReplyTo, Wake};
use crate::command::table::Exec;
use crate::event::{Effect, Stream, with_terminal};
use crate::lang::Args;
use crate::layer::message::Message;
use crate::layer::{Host, Layer, LayerInput, Outcome, View};
use crate::model::Life;
use crate::model::find;
use crate::options::{Scope as OptScope, opt};
use crate::paint::Brush;
use crate::term::Output;
use crate::vars::Scope;

pub(super) const FAMILY: &[Exec] = &[
    Exec::new("display-message", display_message)
        .without(&[('v', "explaining how a format is read")])
        .resumed(input_came),
    Exec::new("show-messages", show_messages).without(&[('T', "what is known of terminals")]),
];

/// What is said when nothing is: where the client is, and the time.
const WHERE: &str =
    concat!("[#{session_name}] #{window_index}:#{window_name}, ", "current pane #{pane_index} - (%H:%M %d-%b-%y)");

fn display_message(cx: &mut Cx, args: &Args) -> Result {
    // -C lets the panes go on meanwhile, which they always do here.
    if args.has('I') {
        return input(cx);
    }
    if args.has('F') && !args.is_empty() {
        return Err(CmdError::usage("only one of -F or argument must be given"));
    }
    let delay = args.number('d', "delay", 0..=i64::from(u32::MAX)).map_err(CmdError::value)?;
    let template = args.positional(0).or(args.get('F')).unwrap_or(WHERE);
    let mut scope = Scope::of(seen_by(cx), cx.target);
    scope.extra.clone_from(&cx.asker.vars);
    if args.has('a') {
        for row in crate::format::rows::ROWS {
            let value = cx.expand_in(&format!("#{{{}}}", row.name), &scope);
            cx.print(format!("{}={value}", row.name));
        }
        return Ok(Done::Ok);
    }
    let text = if args.has('l') { template.to_owned() } else { cx.world().expand_time(template, &scope) };
    if cx.asker.reply == ReplyTo::Config {
        // Nobody is there to look: kept with what the configuration has to say.
        cx.s.config_errors.push(text);
        return Ok(Done::Ok);
    }
    if args.has('p') {
        cx.print(text);
        return Ok(Done::Ok);
    }
    let Some(client) = cx.client else { return Ok(Done::Ok) };
    show(cx, client, &text, delay, args.has('N'));
    Ok(Done::Ok)
}

/// The client whose view the formats have: the one that is told if it looks at the target's session, else the best of
/// that session.
fn seen_by(cx: &Cx) -> Option<ClientId> {
    let session = cx.target.map(|f| f.session)?;
    let told = cx.client.filter(|c| cx.s.model.client(*c).is_some_and(|c| c.session == Some(session)));
    told.or_else(|| find::best_client(&cx.s.model, Some(session)))
}

fn show(cx: &mut Cx, client: ClientId, text: &str, delay: Option<i64>, hold: bool) {
    let Some(c) = cx.s.model.client(client) else { return };
    if c.control_level > 0 {
        let bytes = format!("%message {text}\n").into_bytes();
        cx.effect(Effect::ClientOut { client, stream: Stream::Out, bytes });
        return;
    }
    let ms = match delay {
        Some(ms) => ms,
        None => {
            let scope = c.session.map_or(OptScope::GlobalSession, OptScope::Session);
            cx.s.options.number(opt::DISPLAY_TIME, scope)
        }
    };
    cx.s.message_for(client, text, ms, cx.now);
    if hold && ms > 0 {
        let host = Host::Client(client);
        if cx.s.layers.top(host).is_some_and(|l| l.name() == "message") {
            cx.s.layers.pop(host);
        }
        let until = cx.now.mono + Span::from_millis(ms as u64);
        cx.s.layers.push(host, Box::new(Held { message: Message::new(text, Some(until)) }));
    }
}

/// A message that keeps keys away until its time is over (`-N`).
#[derive(Debug)]
struct Held {
    message: Message,
}

impl Layer for Held {
    fn name(&self) -> &'static str {
        self.message.name()
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn input(&mut self, _input: &LayerInput, _view: &View) -> Outcome {
        Outcome::eat()
    }

    fn place(&self, room: Rect, view: &View) -> Rect {
        self.message.place(room, view)
    }

    fn draw(&self, view: &View, brush: &mut Brush<'_>) {
        self.message.draw(view, brush);
    }

    fn rev(&self) -> Rev {
        self.message.rev()
    }

    fn deadline(&self) -> Option<Time> {
        self.message.deadline()
    }

    fn tick(&mut self, view: &View) -> Outcome {
        self.message.tick(view)
    }
}

// ---- -I ----

fn input(cx: &mut Cx) -> Result {
    let Some(pane) = cx.target.and_then(|f| cx.s.model.pane(f.pane)) else { return Ok(Done::Ok) };
    if pane.life != Life::Empty {
        return Err("pane is not empty".into());
    }
    if !cx.prints_to_stdout() {
        return Ok(Done::Ok);
    }
    wait_for_stdin(cx)
}

fn input_came(cx: &mut Cx, _args: &Args, wake: Wake) -> Result {
    let text = stdin(wake)?;
    if let Some(found) = cx.target {
        with_terminal(cx.out, found.pane, |t| t.feed(&text, &mut Output::default()));
        cx.s.model.touch();
    }
    Ok(Done::Ok)
}

// ---- show-messages ----

fn show_messages(cx: &mut Cx, args: &Args) -> Result {
    if args.has('J') {
        let jobs: Vec<String> = cx.s.jobs.jobs.values().map(|j| j.command.clone()).collect();
        for (n, command) in jobs.into_iter().enumerate() {
            cx.print(format!("Job {n}: {command}"));
        }
        return Ok(Done::Ok);
    }
    let lines: Vec<(i64, String)> = cx.s.messages.iter().rev().map(|m| (m.at.0, m.text.clone())).collect();
    for (at, text) in lines {
        let scope = cx.scope().with("message_time", at.to_string());
        let time = cx.expand_in("#{t/p:message_time}", &scope);
        cx.print(format!("{time}: {text}"));
    }
    Ok(Done::Ok)
}

#[cfg(test)]
mod tests {
    use crate::command::cmd::scene::{Scene, check};

    #[test]
    fn formats_are_printed() {
        check(&["display -p '#{session_name}:#{window_index}.#{pane_index}'"], "main:0.0\n");
        check(&["display -p -F '#{window_name}'"], "win\n");
        check(&["display -pl '#{window_name}'"], "#{window_name}\n");
        check(&["display -p -F a b"], "! only one of -F or argument must be given\n");
        check(&["display -d x y"], "! delay invalid\n");
        check(&["display -v y"], "! command display-message: -v (explaining how a format is read) is not built yet\n");
        check(&["display -I"], "! pane is not empty\n");
        check(&["display nobody-looks"], "");
    }

    #[test]
    fn all_variables_are_printed() {
        let mut scene = Scene::new();
        let all = scene.run("display -a");
        assert!(all.contains("session_name=main\n") && all.contains("pane_width=20\n"), "{all}");
    }
}
