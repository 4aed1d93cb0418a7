//! What several commands and `core` share: programs start, panes, windows and sessions end, clients come and go.

use super::state::{Leaving, State};
use crate::base::{ClientId, Now, PaneId, SessionId, Size, Time, WindowId};
use crate::event::{Effect, Event, Outside, SpawnSpec};
use crate::grid::Limits;
use crate::layer::Host;
use crate::model::environ::Environ;
use crate::model::find::Found;
use crate::model::{ClientFlags, ClientKind, Life, Place};
use crate::options::choices::{DetachOnDestroy, ExtendedKeys as ExtendedOption, Passthrough, SetClipboard};
use crate::options::{Scope as OptScope, opt};
use crate::term::{ExtendedKeys, Settings, Terminal};
use crate::vars::{Scope, World};

/// What is to run in a pane.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Empty: the default command or shell. One word: a shell command. More: a program and its arguments.
    pub argv: Vec<String>,
    /// Where; `None` is the session's directory.
    pub cwd: Option<String>,
    /// `-e NAME=value`.
    pub env: Vec<(String, String)>,
}

/// Bytes of history that a line of `history-limit` may cost on the average before old lines go.
const HISTORY_BYTES_PER_LINE: usize = 4096;

impl State {
    /// Opens the terminal of a pane that has a rect and asks for its program.
    pub fn start_pane(&mut self, pane: PaneId, session: SessionId, program: Program, now: Now, out: &mut dyn Outside) {
        let Some((window, rect)) = self.model.pane(pane).map(|p| (p.window, p.rect)) else { return };
        self.options.place_pane(pane, window);
        let scope = Scope { session: Some(session), window: Some(window), pane: Some(pane), ..Scope::default() };
        if !out.terminal(pane, &mut |_| {}) {
            let lines = self.options.number(opt::HISTORY_LIMIT, scope.session_options()).max(0) as usize;
            let limits = Limits { history_lines: lines, history_bytes: lines.saturating_mul(HISTORY_BYTES_PER_LINE) };
            let mut terminal = Terminal::new(rect.size(), limits);
            terminal.set_title(&self.model.facts.host);
            out.open_terminal(pane, terminal);
        }
        self.apply_terminal_options(pane, out);
        let spec = self.spawn_spec(pane, session, &program, rect.size());
        let shell = self.shell(&scope);
        if let Some(p) = self.model.panes.get_mut(&pane) {
            p.life = Life::Starting;
            p.eof = false;
            p.exited = None;
            p.pid = None;
            p.argv = program.argv;
            p.cwd = spec.cwd.clone();
            p.shell = shell;
            p.activity = now.wall;
        }
        self.model.outbox.effect(Effect::Spawn { pane, spec });
        self.pane_created(pane, session, false);
    }

    /// Tells of a pane that has been set up, for the first time or anew.
    pub fn pane_created(&mut self, pane: PaneId, session: SessionId, empty: bool) {
        let Some(p) = self.model.pane(pane) else { return };
        let command = if p.argv.is_empty() { p.shell.clone() } else { p.start_command() };
        let flag = |on: bool| if on { "1" } else { "0" };
        let event = Event::new("pane-created").session(session).window(p.window).pane(pane);
        let event = event
            .field("pane_command", command)
            .field("pane_current_path", p.cwd.clone())
            .field("created_empty", flag(empty))
            .field("created_respawn", flag(p.respawned));
        self.model.outbox.event(event);
    }

    /// A pane without a program, for what is written into it.
    pub fn start_empty(&mut self, pane: PaneId, session: SessionId, out: &mut dyn Outside) {
        let Some((window, rect)) = self.model.pane(pane).map(|p| (p.window, p.rect)) else { return };
        self.options.place_pane(pane, window);
        let scope = Scope { session: Some(session), window: Some(window), pane: Some(pane), ..Scope::default() };
        let lines = self.options.number(opt::HISTORY_LIMIT, scope.session_options()).max(0) as usize;
        let limits = Limits { history_lines: lines, history_bytes: lines.saturating_mul(HISTORY_BYTES_PER_LINE) };
        out.open_terminal(pane, Terminal::new(rect.size(), limits));
        self.apply_terminal_options(pane, out);
        if let Some(p) = self.model.panes.get_mut(&pane) {
            p.life = Life::Empty;
        }
    }

    /// The shell that runs commands: `default-shell` where it is usable.
    pub fn shell(&self, scope: &Scope) -> String {
        let shell = self.options.text(opt::DEFAULT_SHELL, scope.session_options());
        if shell.starts_with('/') { shell.to_owned() } else { "/bin/sh".into() }
    }

    fn spawn_spec(&self, pane: PaneId, session: SessionId, program: &Program, size: Size) -> SpawnSpec {
        let window = self.model.pane(pane).map(|p| p.window);
        let scope = Scope { session: Some(session), window, pane: Some(pane), ..Scope::default() };
        let shell = self.shell(&scope);
        let mut argv0 = None;
        let command = match program.argv.as_slice() {
            [] => self.options.text(opt::DEFAULT_COMMAND, scope.session_options()).to_owned(),
            [one] => one.clone(),
            _ => String::new(),
        };
        let argv = if program.argv.len() > 1 {
            program.argv.clone()
        } else if command.is_empty() {
            // A login shell: its own name with a dash in front.
            argv0 = Some(format!("-{}", base_name(&shell)));
            vec![shell.clone()]
        } else {
            vec![shell.clone(), "-c".into(), command]
        };
        let session_cwd = self.model.session(session).map(|s| s.cwd.clone()).unwrap_or_default();
        let cwd = match &program.cwd {
            Some(c) if !c.is_empty() => c.clone(),
            _ => session_cwd,
        };
        SpawnSpec { argv, argv0, env: self.pane_env(pane, session, program, &shell, &cwd), cwd, size }
    }

    /// The environment of a pane's program: the global one, the session's, what names the server, and `-e`.
    fn pane_env(
        &self,
        pane: PaneId,
        session: SessionId,
        program: &Program,
        shell: &str,
        cwd: &str,
    ) -> Vec<(String, String)> {
        let mut env = self.model.environ.clone();
        if let Some(s) = self.model.session(session) {
            env.overlay(&s.environ);
        }
        let facts = &self.model.facts;
        let server = format!("{},{},{}", facts.socket, facts.pid, session.0);
        for (name, value) in [
            ("TERM", self.options.text(opt::DEFAULT_TERMINAL, OptScope::Server).to_owned()),
            ("TERM_PROGRAM", "tmux".into()),
            ("TERM_PROGRAM_VERSION", crate::TMUX_VERSION.into()),
            ("COLORTERM", "truecolor".into()),
            ("TMUX", server.clone()),
            ("TMUX_PANE", pane.to_string()),
            ("MPLEX", server),
            ("MPLEX_PANE", pane.to_string()),
            ("SHELL", shell.to_owned()),
            ("PWD", cwd.to_owned()),
        ] {
            env.set(name, &value, false);
        }
        for (name, value) in &program.env {
            env.set(name, value, false);
        }
        self.put_shim_first(&mut env);
        env.visible()
    }

    /// The environment of a background job, as seen from a session.
    pub fn job_env(&self, session: Option<SessionId>) -> Vec<(String, String)> {
        let mut env = self.model.environ.clone();
        if let Some(s) = session.and_then(|s| self.model.session(s)) {
            env.overlay(&s.environ);
        }
        let facts = &self.model.facts;
        let server = format!("{},{},{}", facts.socket, facts.pid, session.map_or(-1, |s| i64::from(s.0)));
        env.set("TMUX", &server, false);
        env.set("MPLEX", &server, false);
        if self.configured {
            // The configuration sees the terminal outside: it may choose `default-terminal` by it.
            env.set("TERM", self.options.text(opt::DEFAULT_TERMINAL, OptScope::Server), false);
        }
        self.put_shim_first(&mut env);
        env.visible()
    }

    /// Lets tools that call `tmux` reach the server they run in.
    fn put_shim_first(&self, env: &mut Environ) {
        let Some(dir) = &self.model.facts.shim_dir else { return };
        if !self.options.flag(opt::TMUX_SHIM, OptScope::Server) {
            return;
        }
        let path = env.get("PATH").unwrap_or("/usr/local/bin:/usr/bin:/bin").to_owned();
        if path.split(':').next() != Some(dir.as_str()) {
            env.set("PATH", &format!("{dir}:{path}"), false);
        }
    }

    /// Kills a pane and what ends with it.
    pub fn kill_pane(&mut self, pane: PaneId, now: Now) {
        let Some(window) = self.model.pane(pane).map(|p| p.window) else { return };
        if self.model.window(window).is_none_or(|w| w.panes.len() < 2) {
            return self.kill_window(window, now);
        }
        // It is not the last one: no window goes, no session.
        self.model.kill_pane(pane);
        self.model.apply_layout(window);
        self.sizes_moved = true;
    }

    /// Kills a window and what ends with it.
    pub fn kill_window(&mut self, window: WindowId, now: Now) {
        let sessions: Vec<SessionId> = self.model.places(window).into_iter().map(|p| p.session).collect();
        let empty = self.model.kill_window(window);
        self.end_sessions(empty, now);
        for s in sessions {
            self.renumber_if_wanted(s);
        }
        self.sizes_moved = true;
    }

    /// Takes one link away; a session without windows goes, with its group.
    pub fn unlink(&mut self, place: Place, now: Now) {
        let group = self.model.group_of(place.session);
        if self.model.unlink(place) {
            self.end_sessions(group, now);
        }
        self.sizes_moved = true;
    }

    fn renumber_if_wanted(&mut self, session: SessionId) {
        let scope = OptScope::Session(session);
        if self.model.session(session).is_some() && self.options.flag(opt::RENUMBER_WINDOWS, scope) {
            let base = self.options.number(opt::BASE_INDEX, scope).max(0) as u32;
            self.model.renumber(session, base);
        }
    }

    fn end_sessions(&mut self, sessions: Vec<SessionId>, now: Now) {
        for s in sessions {
            self.destroy_session(s, now);
        }
    }

    /// The session that was used last beside one, perhaps of those that nobody looks at.
    fn newest_session(&self, but: SessionId, detached: bool) -> Option<SessionId> {
        let others = self.model.sessions.values().filter(|s| s.id != but);
        others
            .filter(|s| !detached || self.model.attached(s.id) == 0)
            .max_by_key(|s| (s.activity, s.seen))
            .map(|s| s.id)
    }

    /// The session after or before one in the order of names, around the end; none if it is alone.
    fn session_beside(&self, session: SessionId, next: bool) -> Option<SessionId> {
        let mut all: Vec<_> = self.model.sessions.values().map(|s| (&s.name, s.id)).collect();
        all.sort();
        let n = all.len();
        let at = all.iter().position(|(_, s)| *s == session)?;
        let other = all[if next { at + 1 } else { at + n - 1 } % n].1;
        (other != session).then_some(other)
    }

    /// Destroys a session; its clients go where `detach-on-destroy` says.
    pub fn destroy_session(&mut self, session: SessionId, now: Now) {
        if self.model.session(session).is_none() {
            return;
        }
        let how = self.options.choice(opt::DETACH_ON_DESTROY, OptScope::Session(session));
        let clients: Vec<ClientId> = self.model.clients_of(session).map(|c| c.id).collect();
        let next = match how {
            DetachOnDestroy::Off => self.newest_session(session, false),
            DetachOnDestroy::NoDetached => self.newest_session(session, true),
            DetachOnDestroy::Previous => self.session_beside(session, false),
            DetachOnDestroy::Next => self.session_beside(session, true),
            DetachOnDestroy::On => None,
        };
        // Clients that do not want to be detached take any.
        let other = match how {
            DetachOnDestroy::On | DetachOnDestroy::NoDetached => self.newest_session(session, false),
            _ => None,
        };
        for c in clients {
            let stays = self.model.client(c).is_some_and(|c| c.flags.contains(ClientFlags::NO_DETACH_ON_DESTROY));
            match next.or(other.filter(|_| stays)) {
                Some(next) => {
                    self.switch_client(c, next, now);
                    if let Some(c) = self.model.clients.get_mut(&c) {
                        c.last_session = None;
                    }
                }
                None => self.leave(c, "[exited]", 0),
            }
        }
        self.model.destroy_session(session);
        self.options.forget_session(session);
        self.sizes_moved = true;
    }

    /// Lets a client look at a session. Its terminal is opened by `core`.
    pub fn attach(&mut self, client: ClientId, session: SessionId, now: Now) {
        let Some(c) = self.model.clients.get_mut(&client) else { return };
        let first = c.session.is_none();
        if first && c.kind == ClientKind::Command {
            c.kind = ClientKind::Attached;
        }
        self.switch_client(client, session, now);
        if first {
            self.model.outbox.event(Event::new("client-attached").client(client).session(session));
        }
        if let Some(s) = self.model.sessions.get_mut(&session) {
            s.last_attached = Some(now.wall);
        }
    }

    /// Lets a client look at another session.
    pub fn switch_client(&mut self, client: ClientId, session: SessionId, now: Now) {
        let Some(c) = self.model.clients.get_mut(&client) else { return };
        let old = c.session;
        if old.is_some() && old != Some(session) {
            c.last_session = old;
        }
        c.session = Some(session);
        c.table.clear();
        c.seen = now.mono;
        self.touch_session(session, now);
        let shown = self.model.current_window(session);
        self.model.clear_alerts(shown);
        if old != Some(session) {
            for id in self.model.asks.client_gone(client) {
                self.show_ask_somewhere(id);
            }
            let mut event = Event::new("client-session-changed").client(client).session(session);
            event = event.field("new_session", session.to_string());
            if let Some(old) = old {
                event = event.field("old_session", old.to_string());
            }
            self.model.outbox.event(event);
        }
        self.model.touch();
        self.sizes_moved = true;
    }

    /// A person did something in a session.
    pub fn touch_session(&mut self, session: SessionId, now: Now) {
        if let Some(s) = self.model.sessions.get_mut(&session) {
            s.activity = now.wall;
            s.seen = Time(now.mono.0.max(s.seen.0 + 1));
        }
    }

    /// Detaches a client at the end of the step.
    pub fn leave(&mut self, client: ClientId, message: &str, status: u8) {
        self.leave_with(Leaving { client, message: message.to_owned(), status, hangup: false, exec: None });
    }

    pub fn leave_with(&mut self, leaving: Leaving) {
        let client = leaving.client;
        let Some(c) = self.model.clients.get_mut(&client) else { return };
        if c.flags.contains(ClientFlags::EXITING) {
            return;
        }
        c.flags.insert(ClientFlags::EXITING);
        let session = c.session.take();
        if let Some(s) = session {
            self.model.outbox.event(Event::new("client-detached").client(client).session(s));
        }
        self.layers.clear(Host::Client(client));
        for id in self.model.asks.client_gone(client) {
            self.show_ask_somewhere(id);
        }
        self.leaving.push(leaving);
        self.model.touch();
        self.sizes_moved = true;
    }

    /// The words for a client that is detached.
    pub fn detached_message(&self, client: ClientId) -> String {
        let name = self.model.client(client).and_then(|c| c.session).and_then(|s| self.model.session(s));
        match name {
            Some(s) => format!("[detached (from session {})]", s.name),
            None => "[detached]".into(),
        }
    }

    /// Gives a pane's terminal what options say of it.
    pub fn apply_terminal_options(&mut self, pane: PaneId, out: &mut dyn Outside) {
        let settings = self.terminal_settings(pane);
        out.terminal(pane, &mut |t| t.set(settings.clone()));
    }

    /// What options say of a pane's terminal.
    fn terminal_settings(&self, pane: PaneId) -> Settings {
        let p = OptScope::Pane(pane);
        let style = self.options.choice(opt::CURSOR_STYLE, p);
        let some = |c: crate::base::Colour| (!c.is_default()).then_some(c);
        Settings {
            cursor_style: style as u8,
            cursor_colour: crate::format::colour::parse(self.options.text(opt::CURSOR_COLOUR, p)).and_then(some),
            extended_keys: match self.options.choice(opt::EXTENDED_KEYS, OptScope::Server) {
                ExtendedOption::Off => ExtendedKeys::Off,
                ExtendedOption::On => ExtendedKeys::On,
                ExtendedOption::Always => ExtendedKeys::Always,
            },
            allow_passthrough: self.options.choice(opt::ALLOW_PASSTHROUGH, p) != Passthrough::Off,
            allow_rename: self.options.flag(opt::ALLOW_RENAME, p),
            allow_title: self.options.flag(opt::ALLOW_SET_TITLE, p),
            allow_alternate: self.options.flag(opt::ALTERNATE_SCREEN, p),
            allow_clipboard: self.options.choice(opt::SET_CLIPBOARD, OptScope::Server) == SetClipboard::On,
            scroll_on_clear: self.options.flag(opt::SCROLL_ON_CLEAR, p),
            palette: self
                .options
                .colours(opt::PANE_COLOURS, p)
                .filter_map(|(n, c)| Some((u8::try_from(n).ok()?, c)))
                .collect(),
            ..Settings::default()
        }
    }

    /// A world for formats over this state.
    pub fn world<'a>(&'a self, out: &'a mut dyn Outside, now: Now) -> World<'a> {
        World::new(&self.model, &self.options, &self.layers, &self.format_jobs, out, now)
    }

    /// Where a new window or pane starts when nothing is said: the pane the client is in or looks at decides nothing,
    /// the session's directory does, as in tmux.
    pub fn found_session(&self, found: Option<Found>) -> Option<SessionId> {
        found.map(|f| f.session)
    }
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// What setting an option checks beyond its own kind.
struct OptionChecks;

impl crate::options::Checks for OptionChecks {
    fn commands(&self, text: &str, options: &crate::options::Options) -> Result<crate::lang::CommandList, String> {
        let list = crate::options::PlainChecks.commands(text, options)?;
        super::spec::resolve(&list).map_err(|e| e.to_string())
    }

    fn shell(&self, path: &str) -> bool {
        crate::options::PlainChecks.shell(path)
    }
}

impl State {
    /// Sets an option from a text, as the program itself does.
    pub fn set_option(&mut self, scope: OptScope, name: &str, text: &str) -> Result<(), String> {
        let name = crate::options::Name::resolve(name).map_err(|e| e.to_string())?;
        let how = crate::options::How::default();
        let effects = self.options.set(scope, &name, Some(text), how, &OptionChecks).map_err(|e| e.to_string())?;
        self.option_effects |= effects;
        Ok(())
    }
}
