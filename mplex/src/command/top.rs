//! Opening and closing what stands on top, and carrying out what it says: messages, views, prompts, asks.

use super::queue::{Asker, Token, Wake};
use super::state::State;
use crate::base::{ClientId, FlowId, Now, PaneId, Pos, Span};
use crate::event::{Effect, Event, JobSpec, Outside, with_terminal};
use crate::keys::Mouse;
use crate::lang::{Grouping, Place};
use crate::layer::ask::FlowScreen;
use crate::layer::copy::CopyMode;
use crate::layer::message::Message;
use crate::layer::view::TextView;
use crate::layer::{Act, Host, Layer, LayerInput, View};
use crate::model::asks::{Answer, AskKind, AskState, Ending};
use crate::model::buffers::Change;
use crate::model::find;
use crate::options::{Scope as OptScope, opt};
use crate::vars::Scope;

/// What a mouse drag of a client is doing until the button goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drag {
    /// Moves a border of a window; the position it was at last, in the window.
    Border { window: crate::base::WindowId, last: Pos },
    /// Goes to the layer of a pane (selecting in copy mode).
    Layer { pane: PaneId },
}

/// Where copied text goes.
struct CopyTo {
    name_prefix: Option<String>,
    buffer: bool,
    clipboard: bool,
    append: bool,
}

impl State {
    /// Shows a message on a client for its `display-time`.
    pub fn message(&mut self, client: ClientId, text: &str, now: Now) {
        let session = self.model.client(client).and_then(|c| c.session);
        let scope = session.map_or(OptScope::GlobalSession, OptScope::Session);
        let ms = self.options.number(opt::DISPLAY_TIME, scope);
        self.message_for(client, text, ms, now);
    }

    /// Shows a message for so many milliseconds; 0 waits for a key.
    pub fn message_for(&mut self, client: ClientId, text: &str, ms: i64, now: Now) {
        self.log(now.wall, format!("{}: {text}", self.model.client(client).map_or("", |c| c.name.as_str())));
        let host = Host::Client(client);
        // One message at a time: a new one replaces the old.
        if self.layers.top(host).is_some_and(|l| l.name() == "message") {
            self.layers.pop(host);
        }
        let until = (ms > 0).then(|| now.mono + Span::from_millis(ms as u64));
        self.layers.push(host, Box::new(Message::new(text, until)));
    }

    /// Shows text in a view on a pane, or adds it to the one that is there.
    pub fn view_text(&mut self, pane: PaneId, text: &str) {
        if self.model.pane(pane).is_none() {
            return;
        }
        let host = Host::Pane(pane);
        if let Some(layer) = self.layers.top_mut(host)
            && let Some(view) = layer.as_any().downcast_mut::<TextView>()
        {
            view.append(text);
            return;
        }
        let size = self.model.pane(pane).map(|p| p.rect.size()).unwrap_or_default();
        self.push_pane_layer(pane, Box::new(TextView::new(text, size)));
    }

    /// Puts a layer on a pane and tells of it.
    pub fn push_pane_layer(&mut self, pane: PaneId, layer: Box<dyn Layer>) {
        let before = self.mode_of(pane);
        self.layers.push(Host::Pane(pane), layer);
        self.mode_changed(pane, before, true);
        self.model.touch();
    }

    /// The mode a pane is in: what its top layer is called.
    fn mode_of(&self, pane: PaneId) -> Option<&'static str> {
        self.layers.top(Host::Pane(pane)).map(|l| l.name())
    }

    /// Tells that a pane went into a mode or left one.
    fn mode_changed(&mut self, pane: PaneId, before: Option<&'static str>, entered: bool) {
        let now = self.mode_of(pane);
        for name in ["pane-mode-changed", if entered { "pane-mode-entered" } else { "pane-mode-exited" }] {
            let mut event = Event::new(name).pane(pane).field("mode_entered", if entered { "1" } else { "0" });
            if let Some(mode) = now {
                event = event.field("current_mode", mode);
            }
            if let Some(mode) = before {
                event = event.field("previous_mode", mode);
            }
            self.model.outbox.event(event);
        }
    }

    /// Takes the top layer of a host away and says what follows from its end.
    pub fn close_layer(&mut self, host: Host) {
        if let Some(at) = self.layers.stack(host).len().checked_sub(1) {
            self.close_layer_at(host, at);
        }
    }

    /// Takes a layer away by its place in the stack, and says what follows from its end.
    pub fn close_layer_at(&mut self, host: Host, at: usize) {
        let before = match host {
            Host::Pane(pane) => self.mode_of(pane),
            _ => None,
        };
        if self.layers.remove(host, at).is_some() {
            if let Host::Pane(pane) = host {
                self.mode_changed(pane, before, false);
            }
            self.model.touch();
        }
    }

    /// Carries out what a layer said.
    pub fn act(&mut self, host: Host, client: Option<ClientId>, act: Act, now: Now, out: &mut dyn Outside) {
        let current = match host {
            Host::Pane(p) => find::from_pane(&self.model, p),
            Host::Window(w) => find::from_window(&self.model, w),
            Host::Client(c) => find::from_client(&self.model, Some(c), find::FindFlags::empty()),
        };
        match act {
            Act::Run(list) => {
                let asker = Asker { client, current, ..Asker::default() };
                if !self.queues.append(client, &list, asker) {
                    self.log(now.wall, "too many commands are waiting");
                }
            }
            Act::RunText(text) => {
                match super::dispatch::parse_text(self, out, now, &text, Place::default(), Grouping::Whole) {
                    Ok(list) => self.act(host, client, Act::Run(list), now, out),
                    Err(e) => {
                        if let Some(c) = client {
                            self.message(c, &e, now);
                        }
                    }
                }
            }
            Act::Answer(id, answer) => self.answer(id, answer, now),
            Act::Copy { text, name_prefix, buffer, clipboard, append } => {
                let scope = Scope::of(client, current);
                let name_prefix = name_prefix.map(|p| self.world(out, now).expand(&p, &scope));
                let to = CopyTo { name_prefix, buffer, clipboard, append };
                self.copy(host, text, to, now);
            }
            Act::Pipe { text, command } => {
                let command = self.world(out, now).expand(&command, &Scope::of(client, current));
                self.pipe_text(current.map(|f| f.session), text, command);
            }
            Act::Grab => {
                if let (Host::Pane(pane), Some(client)) = (host, client) {
                    self.drags.insert(client, Drag::Layer { pane });
                }
            }
            Act::Refresh => self.refresh_copy(host, out),
            Act::Paste { pane, text } => self.paste_into(pane, text.as_bytes(), true, out),
            Act::Open(layer) => match host {
                Host::Pane(p) => self.push_pane_layer(p, layer),
                h => self.layers.push(h, layer),
            },
            Act::Prompt { token, value, done } => self.prompt_said(token, value, done, now, out),
            Act::Bell => {
                if let Some(client) = client {
                    self.model.outbox.effect(Effect::TtyWrite { client, bytes: vec![7] });
                }
            }
            Act::Message(text) => {
                let client = client.or_else(|| current.and_then(|f| find::best_client(&self.model, Some(f.session))));
                if let Some(c) = client {
                    self.message(c, &text, now);
                }
            }
        }
    }

    /// Text from copy mode into a buffer and to the terminals' clipboards.
    fn copy(&mut self, host: Host, text: String, to: CopyTo, now: Now) {
        if text.is_empty() {
            return;
        }
        let limit = self.options.number(opt::BUFFER_LIMIT, OptScope::Server).max(1) as usize;
        if to.buffer {
            let changes = match self.model.buffers.newest().filter(|_| to.append) {
                Some(top) => {
                    let name = top.name.clone();
                    let data = [top.data.as_slice(), text.as_bytes()].concat();
                    self.model.buffers.set(&name, data, now.wall)
                }
                None => {
                    let bytes = text.clone().into_bytes();
                    self.model.buffers.add(to.name_prefix.as_deref(), bytes, limit, now.wall)
                }
            };
            match changes {
                Ok(changes) => self.tell_buffers(changes),
                Err(e) => self.log(now.wall, e.to_string()),
            }
        }
        let wanted =
            self.options.choice(opt::SET_CLIPBOARD, OptScope::Server) != crate::options::choices::SetClipboard::Off;
        if to.clipboard && wanted {
            let window = match host {
                Host::Pane(p) => self.model.pane(p).map(|p| p.window),
                Host::Window(w) => Some(w),
                Host::Client(c) => {
                    self.model.client(c).and_then(|c| c.session).and_then(|s| self.model.current_window(s))
                }
            };
            if let Some(w) = window {
                self.clipboards.push((w, text));
            }
        }
    }

    /// Gives copy mode what its pane shows now.
    fn refresh_copy(&mut self, host: Host, out: &mut dyn Outside) {
        for at in 0..self.layers.stack(host).len() {
            let Some(layer) = self.layers.at_mut(host, at) else { continue };
            let Some(copy) = layer.as_any().downcast_mut::<CopyMode>() else { continue };
            if let Some(snapshot) = with_terminal(out, copy.source(), |t| t.snapshot()) {
                copy.replace(snapshot);
            }
        }
    }

    /// Tells what became of paste buffers.
    pub fn tell_buffers(&mut self, changes: Vec<Change>) {
        for change in changes {
            self.model.outbox.event(Event::new(change.event()).field("paste_buffer", change.name()));
        }
    }

    /// Runs a shell command with a text on its standard input.
    pub fn pipe_text(&mut self, session: Option<crate::base::SessionId>, text: String, command: String) {
        let id = self.model.fresh_job();
        let shell = self.shell(&Scope { session, ..Scope::default() });
        let cwd = session.and_then(|s| self.model.session(s)).map(|s| s.cwd.clone()).unwrap_or_default();
        let spec = JobSpec {
            argv: vec![shell, "-c".into(), command.clone()],
            cwd,
            env: self.job_env(session),
            stdin: true,
            stdout: false,
            merge_stderr: false,
        };
        self.jobs.insert(id, command, super::jobs::JobUse::Detached);
        self.model.outbox.effect(Effect::JobStart { job: id, spec });
        self.model.outbox.effect(Effect::JobWrite { job: id, bytes: text.into_bytes() });
        self.model.outbox.effect(Effect::JobEof { job: id });
    }

    /// Shows an ask on a client: the dialog, or for a text the prompt in the status row.
    pub fn show_ask_on(&mut self, id: FlowId, client: ClientId) {
        let Some(ask) = self.model.asks.get(id) else { return };
        let mut event = Event::new("flow-opened").client(client).session(ask.session);
        event.pane = ask.pane;
        let event = event.field("flow", id.to_string()).field("kind", ask.kind.name());
        let layer: Box<dyn Layer> = match &ask.kind {
            AskKind::Text { label, initial } => {
                let history = self.prompt_history.get("ask").cloned().unwrap_or_default();
                Box::new(crate::layer::prompt::Prompt::for_ask(ask, label, initial, history))
            }
            AskKind::Choice { .. } | AskKind::Message => Box::new(FlowScreen::new(ask)),
        };
        self.model.asks.set_client(id, Some(client));
        self.layers.push(Host::Client(client), layer);
        self.model.outbox.event(event);
        self.model.touch();
    }

    /// Shows an ask on the best client of its session that shows none, if there is one.
    pub fn show_ask_somewhere(&mut self, id: FlowId) {
        let Some(ask) = self.model.asks.get(id).filter(|a| a.is_open() && a.client.is_none()) else { return };
        let session = ask.session;
        let free: Option<ClientId> = self
            .model
            .clients_of(session)
            .filter(|c| c.can_answer() && self.model.asks.shown_on(c.id).is_none())
            .max_by_key(|c| c.seen)
            .map(|c| c.id);
        if let Some(c) = free {
            self.show_ask_on(id, c);
        }
    }

    /// The person's answer, or that they gave it up. The first one counts.
    pub fn answer(&mut self, id: FlowId, answer: Option<Answer>, now: Now) {
        if let (Some(Answer::Text(t)), Some(a)) = (&answer, self.model.asks.get(id))
            && matches!(a.kind, AskKind::Text { .. })
            && !t.is_empty()
        {
            self.remember("ask", t);
        }
        let ending = answer.map_or(Ending::Cancelled, Ending::Ok);
        if self.model.asks.finish(id, ending, now.mono) {
            self.ask_ended(id);
        }
    }

    /// An ask is over: its picture goes, who waits for it is told. The next one is shown as soon as this one has gone.
    pub fn ask_ended(&mut self, id: FlowId) {
        self.queues.wake(Token::Flow(id), Wake::Done);
        if let Some(a) = self.model.asks.get(id) {
            let outcome = match &a.state {
                AskState::Done { ending: Ending::Ok(_), .. } => "ok",
                AskState::Done { ending: Ending::Timeout, .. } => "timeout",
                _ => "cancelled",
            };
            let mut event = Event::new("flow-closed").session(a.session);
            event.pane = a.pane;
            let event = event.field("flow", id.to_string()).field("kind", a.kind.name()).field("outcome", outcome);
            self.model.outbox.event(event);
        }
        self.model.touch();
    }

    /// A frame with the dialogs of a client goes out: from now on keys count after a short while.
    pub fn asks_drawn(&mut self, client: ClientId, now: Now) {
        let host = Host::Client(client);
        if self.model.asks.shown_on(client).is_none() {
            return;
        }
        let rev = self.layers.rev;
        for n in 0..self.layers.stack(host).len() {
            if let Some(layer) = self.layers.at_mut(host, n) {
                if let Some(f) = layer.as_any().downcast_mut::<FlowScreen>() {
                    f.drawn(now.mono);
                } else if let Some(p) = layer.as_any().downcast_mut::<crate::layer::prompt::Prompt>() {
                    p.drawn(now.mono);
                }
            }
        }
        self.layers.rev = rev;
    }

    /// Adds to the history of a kind of prompt, without doubles, up to `prompt-history-limit`.
    pub fn remember(&mut self, kind: &str, text: &str) {
        let limit = self.options.number(opt::PROMPT_HISTORY_LIMIT, OptScope::Server).max(0) as usize;
        let list = self.prompt_history.entry(kind.to_owned()).or_default();
        if list.last().is_some_and(|l| l == text) {
            return;
        }
        list.push(text.to_owned());
        let over = list.len().saturating_sub(limit);
        list.drain(..over);
    }

    /// A mouse event for a pane: its layer's, else its program's.
    pub fn mouse_to_pane(&mut self, pane: PaneId, client: ClientId, mouse: &Mouse, now: Now, out: &mut dyn Outside) {
        let Some(at) = self.pane_position(pane, client, mouse.pos) else { return };
        let host = Host::Pane(pane);
        if self.layers.top(host).is_some() {
            let input = LayerInput::Mouse { mouse: *mouse, x: at.0, y: at.1 };
            let State { model, options, layers, .. } = self;
            let Some(layer) = layers.top_mut(host) else { return };
            let outcome = layer.input(&input, &View { model, options, now, client: Some(client) });
            if outcome.flow == crate::layer::Flow::Close {
                self.close_layer(host);
            }
            for act in outcome.acts {
                self.act(host, Some(client), act, now, out);
            }
            return;
        }
        if at.0 >= 0 && at.1 >= 0 {
            self.send_mouse(pane, mouse, Pos::new(at.0 as u16, at.1 as u16), out);
        }
    }

    /// A position of a client's screen relative to a pane.
    pub fn pane_position(&self, pane: PaneId, client: ClientId, p: Pos) -> Option<(i32, i32)> {
        let c = self.model.client(client)?;
        let q = self.model.pane(pane)?;
        let w = self.model.window(q.window)?;
        let areas = crate::compose::areas(&self.options, c, w, None);
        let x = i32::from(p.x) - i32::from(areas.window.x) + i32::from(areas.offset.x) - i32::from(q.rect.x);
        let y = i32::from(p.y) - i32::from(areas.window.y) + i32::from(areas.offset.y) - i32::from(q.rect.y);
        Some((x, y))
    }

    /// Goes on with a drag.
    pub fn drag(&mut self, client: ClientId, drag: Drag, at: Pos, mouse: &Mouse, now: Now, out: &mut dyn Outside) {
        match drag {
            Drag::Border { window, last } => {
                let Some(c) = self.model.client(client) else { return };
                let Some(w) = self.model.window(window) else { return };
                let areas = crate::compose::areas(&self.options, c, w, None);
                let Some(x) = at.x.checked_sub(areas.window.x) else { return };
                let Some(y) = at.y.checked_sub(areas.window.y) else { return };
                let to = Pos::new(x + areas.offset.x, y + areas.offset.y);
                if let Some(w) = self.model.windows.get_mut(&window)
                    && w.layout.drag(last, to)
                {
                    self.model.layout_changed(window);
                    self.drags.insert(client, Drag::Border { window, last: to });
                }
            }
            Drag::Layer { pane } => self.mouse_to_pane(pane, client, mouse, now, out),
        }
    }
}
