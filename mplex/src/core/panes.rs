//! Panes move, say things, end; background jobs too.

use super::{Core, ExitStatus, Outside};
use crate::base::{JobId, Now, PaneId};
use crate::command::jobs::JobUse;
use crate::command::{Token, Wake};
use crate::event::{Effect, Event};
use crate::model::{Alerts, Life};
use crate::options::choices::{Passthrough, RemainOnExit};
use crate::options::{Scope as OptScope, opt};
use crate::paint::seq;
use crate::term::{Notice, Terminal};
use crate::vars::Scope;

impl Core {
    pub(super) fn on_spawned(&mut self, pane: PaneId, pid: u32, tty: String) {
        if let Some(p) = self.state.model.panes.get_mut(&pane) {
            p.life = Life::Running;
            p.pid = Some(pid);
            p.tty = tty;
        }
        self.state.queues.wake(Token::Spawn(pane), Wake::Done);
        self.state.model.touch();
    }

    pub(super) fn on_spawn_failed(&mut self, pane: PaneId, error: &str, now: Now, out: &mut dyn Outside) {
        let text = format!("create pane failed: {error}");
        self.state.log(now.wall, text.clone());
        self.state.queues.wake(Token::Spawn(pane), Wake::Failed(text));
        if self.state.model.pane(pane).is_some_and(|p| p.respawned) {
            // The pane was there before: it stays, dead, and says why.
            let text = format!("{error}\r\n");
            out.terminal(pane, &mut |t| write_line(t, &text));
            if let Some(p) = self.state.model.panes.get_mut(&pane) {
                p.life = Life::Dead { code: Some(1), signal: None, at: now.wall };
            }
        } else {
            self.state.kill_pane(pane, now);
        }
    }

    /// The pty is there, but what was to run in it cannot be executed: as if it had started and ended at once.
    pub(super) fn on_exec_failed(&mut self, pane: PaneId, error: &str, now: Now, out: &mut dyn Outside) {
        self.state.log(now.wall, error);
        let text = format!("{error}\r\n");
        out.terminal(pane, &mut |t| write_line(t, &text));
        self.state.queues.wake(Token::Spawn(pane), Wake::Done);
        // Who started it prints and shows it before it is over.
        crate::command::dispatch::run_queues(&mut self.state, out, now);
        if let Some(p) = self.state.model.panes.get_mut(&pane) {
            p.life = Life::Running;
            p.eof = true;
            p.exited = Some((Some(1), None));
        }
        self.pane_ended(pane, now, out);
    }

    pub(super) fn on_pane_moved(
        &mut self,
        pane: PaneId,
        bytes: usize,
        replies: Vec<u8>,
        notices: Vec<Notice>,
        now: Now,
        out: &mut dyn Outside,
    ) {
        if !replies.is_empty() {
            self.state.model.outbox.effect(Effect::PtyWrite { pane, bytes: replies });
        }
        let Some(p) = self.state.model.panes.get_mut(&pane) else { return };
        p.activity = now.wall;
        p.said = Some(now.mono);
        let window = p.window;
        self.moved.insert(pane);
        if bytes > 0 {
            self.pane_event("pane-activity", opt::PANE_ACTIVITY, pane);
            self.names.wrote(pane);
            self.window_activity(window, now);
        }
        for notice in notices {
            self.on_notice(pane, notice, now, out);
        }
    }

    /// Tells of something that happens often: only if somebody listens.
    fn pane_event(&mut self, name: &'static str, hook: crate::options::Hook, pane: PaneId) {
        let set = self.state.options.hook(hook, OptScope::Pane(pane)).next().is_some();
        if set || self.controls.listens(name) {
            self.state.model.outbox.event(Event::new(name).pane(pane));
        }
    }

    /// Something happened in a window.
    pub(super) fn window_activity(&mut self, window: crate::base::WindowId, now: Now) {
        if let Some(w) = self.state.model.windows.get_mut(&window) {
            w.activity = now.wall;
            w.silent_since = now.mono;
            w.silence_said = false;
        }
        if self.state.options.flag(opt::MONITOR_ACTIVITY, OptScope::Window(window)) {
            self.state.alert(window, Alerts::ACTIVITY, now);
        }
    }

    fn on_notice(&mut self, pane: PaneId, notice: Notice, now: Now, out: &mut dyn Outside) {
        let Some(window) = self.state.model.pane(pane).map(|p| p.window) else { return };
        match notice {
            Notice::Bell => {
                self.pane_event("pane-bell", opt::PANE_BELL, pane);
                if self.state.options.flag(opt::MONITOR_BELL, OptScope::Window(window)) {
                    self.state.alert(window, Alerts::BELL, now);
                }
            }
            Notice::Title(title) => {
                let event = Event::new("pane-title-changed").pane(pane).window(window).field("new_title", title);
                self.state.model.outbox.event(event);
                self.state.model.touch();
            }
            Notice::ColourQuery { colour, bell } => self.on_colour_query(pane, window, colour, bell, now),
            Notice::ClipboardQuery { selection, bell } => {
                self.on_clipboard_query(pane, window, selection, bell, now);
            }
            Notice::ThemeQuery => self.on_theme_query(pane, window),
            // Whether it is one shows in the terminal; when it ends, what it wrote does.
            Notice::Sync(_) => {}
            Notice::Rename(name) => {
                let name: String = name.chars().filter(|c| !c.is_control()).take(256).collect();
                let value = if name.is_empty() { "on" } else { "off" };
                let _ = self.state.set_option(OptScope::Window(window), "automatic-rename", value);
                if !name.is_empty() {
                    self.state.model.rename_window(window, name);
                }
            }
            Notice::Clipboard { selection: _, data } => {
                let limit = self.state.options.number(opt::BUFFER_LIMIT, OptScope::Server).max(1) as usize;
                let text = String::from_utf8_lossy(&data).into_owned();
                let _ = self.state.model.buffers.add(None, data, limit, now.wall);
                self.state.model.outbox.event(Event::new("pane-set-clipboard").pane(pane));
                self.state.clipboards.push((window, text));
            }
            Notice::Passthrough(bytes) => {
                let how = self.state.options.choice(opt::ALLOW_PASSTHROUGH, OptScope::Pane(pane));
                if how != Passthrough::Off {
                    self.passthrough(window, bytes, how == Passthrough::All);
                }
            }
            other => {
                // The rest is part of the terminal's own state; formats and subscribers read it there.
                let _ = other;
                self.state.model.touch();
            }
        }
        let _ = out;
    }

    /// Sends text to the clipboards of the terminals that look at a window.
    pub(super) fn clipboard_to_clients(&mut self, window: crate::base::WindowId, text: &str) {
        let looking: Vec<_> = self
            .runtimes
            .iter()
            .filter(|(c, rt)| {
                rt.painter.caps().has(crate::paint::Features::CLIPBOARD)
                    && self
                        .state
                        .model
                        .client(**c)
                        .and_then(|c| c.session)
                        .and_then(|s| self.state.model.current_window(s))
                        == Some(window)
            })
            .map(|(c, _)| *c)
            .collect();
        for client in looking {
            let mut bytes = Vec::new();
            if let Some(rt) = self.runtimes.get(&client) {
                seq::clipboard(rt.painter.caps(), "", text.as_bytes(), &mut bytes);
            }
            self.state.model.outbox.effect(Effect::TtyWrite { client, bytes });
        }
    }

    fn passthrough(&mut self, window: crate::base::WindowId, bytes: Vec<u8>, all: bool) {
        let looking: Vec<_> = self
            .runtimes
            .keys()
            .copied()
            .filter(|c| {
                let session = self.state.model.client(*c).and_then(|c| c.session);
                session.is_some_and(|s| {
                    self.state.model.current_window(s) == Some(window)
                        || (all && self.state.model.session(s).is_some_and(|s| s.index_of(window).is_some()))
                })
            })
            .collect();
        for client in looking {
            self.state.model.outbox.effect(Effect::TtyWrite { client, bytes: bytes.clone() });
        }
    }

    pub(super) fn on_pane_output(&mut self, pane: PaneId, bytes: Vec<u8>, now: Now) {
        if let Some(pipe) = self.state.model.pane(pane).and_then(|p| p.pipe)
            && pipe.output
        {
            self.state.model.outbox.effect(Effect::JobWrite { job: pipe.job, bytes: bytes.clone() });
        }
        self.state.hear(pane, &bytes, now);
    }

    pub(super) fn on_pane_eof(&mut self, pane: PaneId, now: Now, out: &mut dyn Outside) {
        if let Some(p) = self.state.model.panes.get_mut(&pane) {
            p.eof = true;
        }
        self.pane_ended(pane, now, out);
    }

    pub(super) fn on_child_exit(&mut self, pane: PaneId, status: ExitStatus, now: Now, out: &mut dyn Outside) {
        if let Some(p) = self.state.model.panes.get_mut(&pane) {
            p.exited = Some(match status {
                ExitStatus::Code(c) => (Some(c), None),
                ExitStatus::Signal(s) => (None, Some(s)),
            });
        }
        self.pane_ended(pane, now, out);
    }

    /// A pane ends when its pty is closed and its program has exited: what it wrote last must be seen.
    fn pane_ended(&mut self, pane: PaneId, now: Now, out: &mut dyn Outside) {
        let Some(p) = self.state.model.pane(pane) else { return };
        let (true, Some((code, signal))) = (p.eof, p.exited) else { return };
        if p.is_dead() {
            return;
        }
        let window = p.window;
        let keep = match self.state.options.choice(opt::REMAIN_ON_EXIT, OptScope::Pane(pane)) {
            RemainOnExit::On | RemainOnExit::Key => true,
            RemainOnExit::Failed => code != Some(0),
            RemainOnExit::Off => false,
        };
        self.close_pipe(pane);
        let status = code.unwrap_or(128 + signal.unwrap_or(0));
        self.state.queues.wake(Token::PaneExit(pane), Wake::Job { output: Vec::new(), status });
        let ended = |name: &'static str| {
            let event = Event::new(name).pane(pane).window(window);
            let event = event.field("exit_success", if code == Some(0) { "1" } else { "0" });
            match (code, signal) {
                (Some(c), _) => event.field("exit_status", c.to_string()),
                (None, Some(s)) => event.field("exit_signal", s.to_string()),
                (None, None) => event,
            }
        };
        if keep {
            if let Some(p) = self.state.model.panes.get_mut(&pane) {
                p.life = Life::Dead { code, signal, at: now.wall };
            }
            let session = crate::model::find::from_window(&self.state.model, window).map(|f| f.session);
            let fscope = Scope { session, window: Some(window), pane: Some(pane), ..Scope::default() };
            let template = self.state.options.text(opt::REMAIN_ON_EXIT_FORMAT, OptScope::Pane(pane)).to_owned();
            if !template.is_empty() {
                let text = self.state.world(out, now).expand_time(&template, &fscope);
                out.terminal(pane, &mut |t| death_notice(t, &text));
            }
            self.moved.insert(pane);
            self.state.model.outbox.event(ended("pane-died"));
            self.state.model.touch();
        } else {
            let found = crate::model::find::from_pane(&self.state.model, pane);
            let mut event = ended("pane-exited");
            event.session = found.map(|f| f.session);
            self.state.model.outbox.event(event);
            self.state.kill_pane(pane, now);
        }
    }

    /// Ends the pipe of a pane, if it has one.
    fn close_pipe(&mut self, pane: PaneId) {
        if let Some(pipe) = self.state.model.panes.get_mut(&pane).and_then(|p| p.pipe.take()) {
            self.state.model.outbox.effect(Effect::JobEof { job: pipe.job });
        }
    }

    /// Asks for the output of the panes that somebody wants it of.
    pub(super) fn follow_taps(&mut self) {
        let wanted = self.state.tapped_panes();
        for pane in self.taps.symmetric_difference(&wanted) {
            self.state.model.outbox.effect(Effect::PtyTap { pane: *pane, on: wanted.contains(pane) });
        }
        self.taps = wanted;
    }

    /// Drops the terminals of panes that are gone. Returns true if there were any.
    pub(super) fn close_terminals(&mut self, out: &mut dyn Outside) -> bool {
        let mut closed = false;
        for e in &self.state.model.outbox.effects {
            if let Effect::PtyClose { pane } = e
                && self.state.model.pane(*pane).is_none()
                && out.close_terminal(*pane).is_some()
            {
                closed = true;
                self.moved.remove(pane);
                self.state.layers.clear(crate::layer::Host::Pane(*pane));
                self.state.options.forget_pane(*pane);
                self.state.held.remove(pane);
                self.state.queues.wake(Token::PaneExit(*pane), Wake::Job { output: Vec::new(), status: 0 });
            }
        }
        closed
    }

    pub(super) fn on_job_output(&mut self, job: JobId, bytes: &[u8], now: Now) {
        self.state.jobs.output(job, bytes);
        let Some(j) = self.state.jobs.jobs.get_mut(&job) else { return };
        match &j.used_for {
            JobUse::Pipe { pane } => {
                let pane = *pane;
                let bytes = std::mem::take(&mut j.output);
                if self.state.model.pane(pane).and_then(|p| p.pipe).is_some_and(|p| p.input && p.job == job) {
                    self.state.model.outbox.effect(Effect::PtyWrite { pane, bytes });
                }
            }
            JobUse::Format { command } => {
                let text = last_line(&j.output);
                let mut jobs = self.state.format_jobs.borrow_mut();
                if let Some(f) = jobs.jobs.get_mut(command)
                    && let Some(text) = text
                    && f.text != text
                {
                    f.text = text;
                    self.state.model.rev.bump();
                }
            }
            _ => {}
        }
        let _ = now;
    }

    pub(super) fn on_job_failed(&mut self, job: JobId, error: &str, now: Now) {
        self.state.log(now.wall, format!("job failed: {error}"));
        self.state.jobs.output(job, format!("{error}\n").as_bytes());
        self.on_job_done(job, ExitStatus::Code(127));
    }

    pub(super) fn on_job_done(&mut self, job: JobId, status: ExitStatus) {
        let Some(j) = self.state.jobs.jobs.remove(&job) else { return };
        let code = match status {
            ExitStatus::Code(c) => c,
            ExitStatus::Signal(s) => 128 + s,
        };
        match j.used_for {
            JobUse::Waited => {
                self.state.queues.wake(Token::Job(job), Wake::Job { output: j.output, status: code });
            }
            JobUse::View { pane, client } => {
                let mut text = String::from_utf8_lossy(&j.output).into_owned();
                if code != 0 {
                    text.push_str(&format!("'{}' returned {code}\n", j.command));
                }
                let pane = pane.filter(|p| self.state.model.pane(*p).is_some()).or_else(|| {
                    let session = client.and_then(|c| self.state.model.client(c)).and_then(|c| c.session);
                    session.and_then(|s| self.state.model.current_pane(s))
                });
                if let Some(pane) = pane
                    && !text.is_empty()
                {
                    self.state.view_text(pane, text.trim_end_matches('\n'));
                }
            }
            JobUse::Pipe { pane } => {
                if let Some(p) = self.state.model.panes.get_mut(&pane)
                    && p.pipe.is_some_and(|p| p.job == job)
                {
                    p.pipe = None;
                }
            }
            JobUse::Format { command } => {
                let text = last_line_or_rest(&j.output);
                let mut jobs = self.state.format_jobs.borrow_mut();
                if let Some(f) = jobs.jobs.get_mut(&command) {
                    f.running = None;
                    if f.text != text {
                        f.text = text;
                        self.state.model.rev.bump();
                    }
                }
            }
            JobUse::Detached => {}
            JobUse::If { yes, no, asker } => {
                let list = if code == 0 { Some(yes) } else { no };
                if let Some(list) = list {
                    let owner = asker.client.filter(|c| self.state.model.client(*c).is_some());
                    self.state.queues.append(owner, &list, *asker);
                }
            }
        }
    }
}

/// The last complete line.
fn last_line(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().rposition(|b| *b == b'\n')?;
    let start = bytes[..end].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    Some(String::from_utf8_lossy(&bytes[start..end]).into_owned())
}

fn last_line_or_rest(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.trim_end_matches('\n').rsplit('\n').next().unwrap_or("").to_owned()
}

/// Writes text of the server's own into a pane's terminal, at the start of a row.
fn write_line(t: &mut Terminal, text: &str) {
    let mut unused = crate::term::Output::default();
    let start = if t.cursor().x == 0 { "" } else { "\r\n" };
    t.feed(format!("{start}{text}").as_bytes(), &mut unused);
}

/// The notice of a program's end: on the main screen, in the last row, the text above it moved up if need be.
fn death_notice(t: &mut Terminal, text: &str) {
    let mut unused = crate::term::Output::default();
    let rows = t.size().rows;
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    let text = crate::base::width::head_of_width(&text, t.size().cols.into());
    // Leave whatever the program left behind: alternate screen, regions, modes, pen.
    let used = { t.cursor().y };
    t.feed(b"\x1b[?1049l\x1b[!p\x1b[r\x1b[m", &mut unused);
    let y = used.min(rows.saturating_sub(1));
    if y + 1 >= rows {
        t.feed(format!("\x1b[{rows};1H\n").as_bytes(), &mut unused);
    }
    t.feed(format!("\x1b[{rows};1H\x1b[2K{text}\x1b[?25l").as_bytes(), &mut unused);
}
