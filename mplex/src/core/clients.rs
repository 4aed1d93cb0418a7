//! Clients come, attach, resize, leave.

use super::{Core, Hello, Outside, Runtime};
use crate::base::{ClientId, Now, Size, Span};
use crate::command::state::Yield;
use crate::command::{Asker, CmdError, Item, State, Token, Wake, dispatch};
use crate::event::{Effect, Event};
use crate::keys::{Code, Decoder, Key, Mods};
use crate::lang::{Arg, Call, Place};
use crate::layer::Host;
use crate::model::{Client, ClientFlags, ClientKind};
use crate::options::{ArrayKey, Scope as OptScope, opt};
use crate::paint::{Caps, Painter, seq};

/// How often it is told at most that a person types into a pane.
const HANDS: Span = Span::from_secs(1);

impl Core {
    pub(super) fn on_connected(&mut self, id: ClientId, hello: Hello, now: Now, out: &mut dyn Outside) {
        let mut client = Client {
            id,
            kind: if hello.control > 0 { ClientKind::Control } else { ClientKind::Command },
            pid: hello.pid,
            uid: hello.uid,
            cwd: hello.cwd,
            created: now.wall,
            activity: now.wall,
            seen: now.mono,
            as_tmux: hello.as_tmux,
            control_level: hello.control,
            features: hello.features,
            ..Client::default()
        };
        for (name, value) in &hello.env {
            client.environ.set(name, value, false);
        }
        client.name = format!("client-{}", hello.pid);
        client.flags.insert(ClientFlags::FOCUSED);
        client.term = client.environ.get("TERM").unwrap_or("").to_owned();
        client.size = Size::new(80, 24);
        if let Some(tty) = hello.tty {
            client.name.clone_from(&tty.path);
            client.tty = tty.path;
            client.term = tty.term;
            client.size = tty.size;
            client.cell = tty.cell;
            client.has_tty = true;
        }
        self.state.model.clients.insert(id, client);
        if self.state.model.client(id).is_some_and(|c| c.has_tty || c.control_level > 0) {
            self.state.model.outbox.event(Event::new("client-created").client(id));
        }
        if hello.control > 0 {
            crate::control::text::opened(&mut self.state, id);
        }
        self.run_argv(id, &hello.argv, now, out);
    }

    /// Queues what the client was called with.
    fn run_argv(&mut self, id: ClientId, argv: &[String], now: Now, out: &mut dyn Outside) {
        let argv: Vec<Arg> = argv.iter().map(|a| Arg::Text(a.clone())).collect();
        let parsed = if argv.is_empty() {
            Ok((*self.state.options.commands(opt::DEFAULT_CLIENT_COMMAND, OptScope::Server)).clone())
        } else {
            dispatch::parse_args(&mut self.state, out, now, &argv, Place::default())
        };
        let asker = Asker { client: Some(id), ..Asker::default() };
        match parsed {
            Ok(list) => {
                self.state.queues.append(Some(id), &list, asker);
            }
            Err(text) => {
                let call = Call { name: String::new(), args: Vec::new(), at: Place::default() };
                let item = Item { call, asker: asker.into(), group: 0, guard: None };
                dispatch::report(&mut self.state, &item, &CmdError::usage(text), now);
            }
        }
    }

    pub(super) fn on_client_gone(&mut self, client: ClientId, now: Now) {
        self.forget_client(client, now);
    }

    fn forget_client(&mut self, client: ClientId, now: Now) {
        let Some(c) = self.state.model.clients.remove(&client) else { return };
        if let Some(Token::Channel(n)) = self.state.queues.forget(client) {
            self.state.forget_channel_waiter(n);
        }
        self.state.layers.clear(Host::Client(client));
        self.state.forget_listener(client);
        if let Some(rt) = self.runtimes.remove(&client) {
            // The client cannot put its screen in order; its terminal may still be there to take this.
            let mut bytes = Vec::new();
            seq::close(rt.painter.caps(), &mut bytes);
            self.state.model.outbox.effect(Effect::TtyWrite { client, bytes });
            self.state.model.outbox.effect(Effect::TtyClose { client });
        }
        if let Some(s) = c.session {
            self.state
                .model
                .outbox
                .event(Event::new("client-detached").client(client).session(s).field("client", c.name.clone()));
        }
        if c.has_tty || c.control_level > 0 {
            self.state.model.outbox.event(Event::new("client-closed").client(client).field("client", c.name.clone()));
        }
        // Its asks are shown to others in `follow_asks`.
        self.state.model.asks.client_gone(client);
        self.state.model.touch();
        self.state.sizes_moved = true;
        let _ = now;
    }

    pub(super) fn on_tty_resized(&mut self, client: ClientId, size: Size, cell: (u16, u16), now: Now) {
        let Some(c) = self.state.model.clients.get_mut(&client) else { return };
        if size.cols == 0 || size.rows == 0 {
            return;
        }
        if cell != (0, 0) {
            c.cell = cell;
        }
        if c.size == size {
            return;
        }
        let old = std::mem::replace(&mut c.size, size);
        c.seen = now.mono;
        let session = c.session;
        if let Some(rt) = self.runtimes.get_mut(&client) {
            rt.scene.forget();
        }
        if let Some(s) = session {
            self.state.model.outbox.event(Event::new("client-resized").client(client).session(s).sizes(size, old));
        }
        self.state.model.touch();
        self.state.sizes_moved = true;
    }

    pub(super) fn on_tty_resumed(&mut self, client: ClientId, _now: Now) {
        if let Some(c) = self.state.model.clients.get_mut(&client) {
            c.flags.remove(ClientFlags::SUSPENDED);
        }
        if let Some(rt) = self.runtimes.get_mut(&client) {
            rt.scene.forget();
            rt.painter.invalidate();
            rt.owes = true;
            rt.mouse_mode = crate::paint::Mouse::Off;
            let mut bytes = Vec::new();
            seq::open(rt.painter.caps(), &mut bytes);
            self.state.model.outbox.effect(Effect::TtyOpen { client });
            self.state.model.outbox.effect(Effect::TtyWrite { client, bytes });
        }
        self.state.model.touch();
    }

    /// Terminals that are given away are left as they were found; those that may show anything are drawn anew.
    pub(super) fn yield_terminals(&mut self) {
        for client in std::mem::take(&mut self.state.redraw) {
            if let Some(rt) = self.runtimes.get_mut(&client) {
                rt.painter.invalidate();
                rt.scene.forget();
                rt.owes = true;
            }
        }
        for (client, what) in std::mem::take(&mut self.state.yielding) {
            let Some(rt) = self.runtimes.get_mut(&client) else { continue };
            rt.scene.forget();
            let mut bytes = Vec::new();
            seq::close(rt.painter.caps(), &mut bytes);
            self.state.model.outbox.effect(Effect::TtyWrite { client, bytes });
            self.state.model.outbox.effect(match what {
                Yield::Suspend => Effect::ClientSuspend { client },
                Yield::Lock(command) => Effect::ClientLock { client, command },
            });
        }
    }

    pub(super) fn set_blocked(&mut self, client: ClientId, blocked: bool) {
        if let Some(rt) = self.runtimes.get_mut(&client) {
            rt.blocked = blocked;
        }
    }

    pub(super) fn on_client_stdin(
        &mut self,
        client: ClientId,
        bytes: &[u8],
        eof: bool,
        now: Now,
        out: &mut dyn Outside,
    ) {
        if self.state.model.client(client).is_some_and(|c| c.control_level > 0) {
            crate::control::text::input(&mut self.state, client, bytes, eof, now, out);
            return;
        }
        let Some(c) = self.state.model.clients.get_mut(&client) else { return };
        let room = super::limits::MAX_STDIN.saturating_sub(c.stdin.len());
        let over = bytes.len() > room;
        c.stdin.extend_from_slice(&bytes[..bytes.len().min(room)]);
        if over {
            c.stdin.clear();
            self.state.queues.wake(Token::Stdin(client), Wake::Failed("standard input is too large".into()));
        } else if eof {
            let bytes = std::mem::take(&mut c.stdin);
            self.state.queues.wake(Token::Stdin(client), Wake::Bytes(bytes));
        }
    }

    /// Shows asks that no client shows to whoever can answer; those of a session that is gone can never be answered.
    pub(super) fn follow_asks(&mut self, now: Now) {
        let waiting: Vec<_> = self
            .state
            .model
            .asks
            .iter()
            .filter(|a| a.is_open() && a.client.is_none())
            .map(|a| (a.id, a.session))
            .collect();
        for (id, session) in waiting {
            if self.state.model.session(session).is_some() {
                self.state.show_ask_somewhere(id);
            } else {
                self.state.answer(id, None, now);
            }
        }
    }

    /// Tells that persons type into panes: once a second and pane.
    pub(super) fn follow_hands(&mut self, now: Now) {
        for (client, pane) in std::mem::take(&mut self.state.touched) {
            if self.typed_into.get(&pane).is_some_and(|t| now.mono - *t < HANDS) {
                continue;
            }
            self.typed_into.retain(|_, t| now.mono - *t < HANDS);
            self.typed_into.insert(pane, now.mono);
            let Some(window) = self.state.model.pane(pane).map(|p| p.window) else { continue };
            let session = self.state.model.client(client).and_then(|c| c.session);
            let mut event = Event::new("human_input").client(client).window(window).pane(pane);
            event.session = session;
            self.state.model.outbox.event(event);
        }
    }

    /// Opens the terminals of clients that attached in this step, lets those go that leave or are done.
    pub(super) fn end_clients(&mut self, now: Now, out: &mut dyn Outside) {
        let attached: Vec<ClientId> = self
            .state
            .model
            .clients
            .values()
            .filter(|c| c.kind == ClientKind::Attached && c.session.is_some())
            .map(|c| c.id)
            .collect();
        for client in attached {
            if !self.runtimes.contains_key(&client) {
                self.open_runtime(client, now, out);
            }
        }
        for client in std::mem::take(&mut self.state.eof_clients) {
            if self.state.queues.is_idle(Some(client)) {
                self.state.leave(client, "", 0);
                self.state.sizes_moved = true;
            } else {
                self.state.eof_clients.insert(client);
            }
        }
        for l in std::mem::take(&mut self.state.leaving) {
            let client = l.client;
            if let Some(rt) = self.runtimes.remove(&client) {
                let mut bytes = Vec::new();
                seq::close(rt.painter.caps(), &mut bytes);
                self.state.model.outbox.effect(Effect::TtyWrite { client, bytes });
                self.state.model.outbox.effect(Effect::TtyClose { client });
            }
            let control = self.state.model.client(client).is_some_and(|c| c.control_level > 0);
            let message = if control {
                crate::control::text::exit_reason(&l.message)
            } else {
                (!l.message.is_empty()).then(|| l.message.clone())
            };
            self.state.forget_listener(client);
            if self.state.model.client(client).is_some_and(|c| c.flags.contains(ClientFlags::WAIT_EXIT)) {
                self.state.model.outbox.effect(Effect::ClientLinger { client });
            }
            let effect = match (l.exec, l.hangup) {
                (Some(command), _) => {
                    let shell = self.state.shell(&crate::vars::Scope::default());
                    Effect::ClientExec { client, shell, command }
                }
                (None, true) => Effect::ClientHangup { client, message },
                (None, false) => Effect::ClientExit { client, status: l.status, message },
            };
            self.state.model.outbox.effect(effect);
        }
        let done: Vec<(ClientId, u8)> = self
            .state
            .model
            .clients
            .values()
            .filter(|c| {
                c.session.is_none()
                    && !c.flags.contains(ClientFlags::EXITING)
                    && self.state.queues.is_idle(Some(c.id))
                    && c.kind != ClientKind::Control
            })
            .map(|c| (c.id, c.status))
            .collect();
        for (client, status) in done {
            if let Some(c) = self.state.model.clients.get_mut(&client) {
                c.flags.insert(ClientFlags::EXITING);
            }
            self.state.model.outbox.effect(Effect::ClientExit { client, status, message: None });
        }
    }

    fn open_runtime(&mut self, client: ClientId, now: Now, out: &mut dyn Outside) {
        let Some(c) = self.state.model.client(client) else { return };
        let colorterm = c.environ.get("COLORTERM").unwrap_or("").to_owned();
        let mut caps = Caps::new(&c.term, &colorterm);
        let mut wrong = Vec::new();
        for list in terminal_features(&self.state, &c.term) {
            wrong.extend(caps.apply(&list).into_iter().map(str::to_owned));
        }
        for list in &c.features {
            wrong.extend(caps.apply(list).into_iter().map(str::to_owned));
        }
        for list in terminal_overrides(&self.state, &c.term) {
            caps.override_with(&list);
        }
        let size = c.size;
        for name in wrong {
            self.state.log(now.wall, format!("unknown terminal feature: {name}"));
        }
        if let Some(c) = self.state.model.clients.get_mut(&client) {
            c.feature_names = caps.names();
            c.colours = caps.colour_count();
        }
        let mut bytes = Vec::new();
        seq::open(&caps, &mut bytes);
        seq::queries(&caps, &mut bytes);
        let mut decoder = Decoder::new(self.state.escape_time());
        decoder.set_extra_keys(self.state.user_keys());
        decoder.expect_replies(now.mono + Span::from_secs(5));
        let mut runtime = Runtime::new(decoder, Painter::new(caps, size));
        runtime.typed = Some(now.mono);
        self.runtimes.insert(client, runtime);
        self.state.model.outbox.effect(Effect::TtyOpen { client });
        self.state.model.outbox.effect(Effect::TtyWrite { client, bytes });
        self.show_config_errors(client, now);
        let _ = out;
    }

    /// The configuration's errors go to the first person who looks.
    fn show_config_errors(&mut self, client: ClientId, _now: Now) {
        if self.state.config_errors.is_empty() {
            return;
        }
        let errors = std::mem::take(&mut self.state.config_errors);
        let pane =
            self.state.model.client(client).and_then(|c| c.session).and_then(|s| self.state.model.current_pane(s));
        if let Some(pane) = pane {
            self.state.view_text(pane, &errors.join("\n"));
        }
    }

    /// The end of the server: every client is told, every pane closed.
    pub(super) fn close_everything(&mut self) {
        let clients: Vec<ClientId> = self.state.model.clients.keys().copied().collect();
        for client in clients {
            let attached = self.state.model.client(client).is_some_and(|c| c.session.is_some());
            if let Some(rt) = self.runtimes.remove(&client) {
                let mut bytes = Vec::new();
                seq::close(rt.painter.caps(), &mut bytes);
                self.state.model.outbox.effect(Effect::TtyWrite { client, bytes });
                self.state.model.outbox.effect(Effect::TtyClose { client });
            }
            let status = self.state.model.client(client).map_or(0, |c| c.status);
            if self.state.model.client(client).is_some_and(|c| c.flags.contains(ClientFlags::EXITING)) {
                continue;
            }
            let control = self.state.model.client(client).is_some_and(|c| c.control_level > 0);
            let message = (attached && !control)
                .then(|| if self.state.exiting { "[server exited]".to_owned() } else { "[exited]".to_owned() });
            self.state.model.outbox.effect(Effect::ClientExit { client, status, message });
        }
        let panes: Vec<_> = self.state.model.panes.keys().copied().collect();
        for pane in panes {
            self.state.model.outbox.effect(Effect::PtyClose { pane });
        }
    }
}

impl State {
    /// The option `user-keys`: sequences and the keys that they are.
    pub(super) fn user_keys(&self) -> Vec<(Vec<u8>, Key)> {
        let list = self.options.texts(opt::USER_KEYS, OptScope::Server);
        list.filter_map(|(at, text)| {
            let ArrayKey::Number(n) = at else { return None };
            let n = u16::try_from(*n).ok()?;
            Some((text.as_bytes().to_vec(), Key::new(Code::User(n), Mods::empty())))
        })
        .collect()
    }
}

/// What the option `terminal-features` says of a terminal: `PATTERN:feature:feature` lists that fit its name.
fn terminal_features(s: &crate::command::State, term: &str) -> Vec<String> {
    let mut lists = Vec::new();
    for (_, entry) in s.options.texts(opt::TERMINAL_FEATURES, OptScope::Server) {
        let Some((pattern, features)) = entry.split_once(':') else { continue };
        if crate::format::fnmatch::fnmatch(pattern, term, false) {
            lists.push(features.replace(':', ","));
        }
    }
    lists
}

/// What the option `terminal-overrides` says of a terminal: the capabilities of the entries whose pattern fits its name.
fn terminal_overrides(s: &crate::command::State, term: &str) -> Vec<String> {
    let mut lists = Vec::new();
    for (_, entry) in s.options.texts(opt::TERMINAL_OVERRIDES, OptScope::Server) {
        if let Some((pattern, capabilities)) = entry.split_once(':')
            && crate::format::fnmatch::fnmatch(pattern, term, false)
        {
            lists.push(capabilities.to_owned());
        }
    }
    lists
}
