//! Frames: which clients are due, and the effects of the turn.
//!
//! A client gets a frame at once when its terminal took the last one and either a key of its own was just handled or the
//! last frame is long enough ago; else at its frame clock. A terminal that is slow gets none until it has taken the last
//! one, then one fresh frame: nothing queues up.

use super::{Core, Outside, Turn, limits, theme};
use crate::base::{ClientId, Now, PaneId, Span, Time};
use crate::compose;
use crate::event::{Effect, JobSpec, with_terminal};
use crate::keys::Response;
use crate::layer::Host;
use crate::model::ClientFlags;
use crate::options::{Scope as OptScope, opt};
use crate::paint::{Caps, Mouse, seq};
use crate::vars::{Scope, World};

/// How long after a key its echo is composed at once.
const TYPED: Span = Span::from_millis(100);

impl Core {
    /// Composes what is due and hands out what is to be done.
    pub fn turn(&mut self, now: Now, out: &mut dyn Outside) -> Turn {
        let mut deadline = self.deadline(now);
        let clients: Vec<ClientId> = self.runtimes.keys().copied().collect();
        self.limit_sync(now, out, &mut deadline);
        for client in clients {
            if let Some(at) = self.frame(client, now, out) {
                soonest(&mut deadline, Some(at));
            }
        }
        self.moved.clear();
        self.start_format_jobs(now);
        self.note_input(now);
        Turn { effects: std::mem::take(&mut self.state.model.outbox.effects), deadline }
    }

    /// Notes which programs are given something to do.
    fn note_input(&mut self, now: Now) {
        let m = &mut self.state.model;
        for effect in &m.outbox.effects {
            if let Effect::PtyWrite { pane, .. } | Effect::Spawn { pane, .. } = effect
                && let Some(p) = m.panes.get_mut(pane)
            {
                p.asked = Some(now.mono);
            }
        }
    }

    /// Draws a client's frame if it is due; else says when it will be.
    fn frame(&mut self, client: ClientId, now: Now, out: &mut dyn Outside) -> Option<Time> {
        let c = self.state.model.client(client)?;
        if c.flags.contains(ClientFlags::SUSPENDED) {
            return None;
        }
        let session = c.session?;
        let window = self.state.model.current_window(session)?;
        let rt = self.runtimes.get_mut(&client)?;
        if !rt.owes {
            let mine = self.moved.iter().any(|p| self.state.model.pane(*p).is_some_and(|p| p.window == window));
            let revs = (self.state.model.rev, self.state.layers.rev, self.state.options.rev());
            let ticked = rt.tick_due(now);
            if !mine && rt.revs == revs && !ticked {
                return rt.next_tick;
            }
            rt.owes = true;
        }
        if rt.blocked {
            return None;
        }
        let since = now.mono - rt.last_frame;
        let typed = rt.typed.is_some_and(|t| now.mono - t <= TYPED);
        let rate = self.state.options.number(opt::FRAME_RATE, OptScope::Server);
        let rate = if (1..=1000).contains(&rate) { rate } else { limits::DEFAULT_FRAME_RATE };
        let interval = Span(1_000_000 / rate as u64);
        let gap = if typed && rt.burst < limits::BURST {
            Span::ZERO
        } else if rt.burst == 0 {
            Span::from_millis(limits::QUIET_GAP_MS)
        } else {
            interval
        };
        if since < gap {
            return Some(rt.last_frame + gap);
        }
        // Frames that follow each other without a pause are a flood: they go by the clock.
        rt.burst = if since < interval { (rt.burst + 1).min(limits::BURST) } else { 0 };
        rt.owes = false;
        rt.revs = (self.state.model.rev, self.state.layers.rev, self.state.options.rev());
        rt.last_frame = now.mono;
        let state = &self.state;
        let world = World::new(&state.model, &state.options, &state.layers, &state.format_jobs, out, now);
        let theme_of = state.model.client(client).map(|c| (c.colours, c.dark, c.bg, state.options.rev()));
        if rt.theme_of != theme_of {
            rt.theme_of = theme_of;
            let mut caps = *rt.painter.caps();
            caps.set_theme(theme::colours(&world, client));
            rt.painter.set_caps(caps);
        }
        compose::compose(&world, client, &mut rt.scene, &mut rt.painter);
        let mouse = wanted_mouse(&world, client, session);
        let every = state.options.number(opt::STATUS_INTERVAL, OptScope::Session(session));
        rt.next_tick = next_tick(now, every);
        let mut bytes = Vec::new();
        if rt.mouse_mode != mouse {
            rt.mouse_mode = mouse;
            seq::set_mouse(rt.painter.caps(), mouse, &mut bytes);
        }
        rt.painter.draw(&mut bytes);
        if !bytes.is_empty() {
            if let Some(c) = self.state.model.clients.get_mut(&client) {
                c.written += bytes.len() as u64;
            }
            self.state.asks_drawn(client, now);
            self.state.model.outbox.effect(Effect::TtyWrite { client, bytes });
        }
        self.runtimes.get(&client)?.next_tick
    }

    /// A synchronised update that never ends shows after its limit.
    fn limit_sync(&mut self, now: Now, out: &mut dyn Outside, deadline: &mut Option<Time>) {
        for pane in &self.moved {
            if with_terminal(out, *pane, |t| t.sync_active()) == Some(true) {
                self.syncs.entry(*pane).or_insert(now.mono);
            } else {
                self.syncs.remove(pane);
            }
        }
        let over: Vec<PaneId> = self
            .syncs
            .iter()
            .filter(|(_, since)| now.mono - **since >= Span::from_millis(limits::SYNC_LIMIT_MS))
            .map(|(p, _)| *p)
            .collect();
        for pane in over {
            self.syncs.remove(&pane);
            with_terminal(out, pane, |t| t.end_sync());
            self.moved.insert(pane);
        }
        soonest(deadline, self.syncs.values().map(|t| *t + Span::from_millis(limits::SYNC_LIMIT_MS)).min());
    }

    /// When something is due by itself.
    fn deadline(&self, now: Now) -> Option<Time> {
        let mut at = None;
        for (id, rt) in &self.runtimes {
            soonest(&mut at, rt.decoder.deadline());
            soonest(&mut at, self.state.model.client(*id).and_then(|c| c.repeat_until));
        }
        soonest(&mut at, self.state.layers.deadline());
        soonest(&mut at, self.state.model.asks.deadline());
        soonest(&mut at, self.silence_deadline());
        soonest(&mut at, self.state.timers.iter().map(|t| t.at).min());
        soonest(&mut at, self.controls.deadline());
        soonest(&mut at, self.state.watches_due());
        soonest(&mut at, self.names.due());
        soonest(&mut at, crate::command::dispatch::held_until(&self.state));
        if crate::command::dispatch::has_work(&self.state, now) {
            soonest(&mut at, Some(now.mono));
        }
        at
    }

    /// Starts the `#()` commands that formats asked for.
    fn start_format_jobs(&mut self, now: Now) {
        let every = Span::from_secs(1);
        let mut start = Vec::new();
        {
            let mut jobs = self.state.format_jobs.borrow_mut();
            for (command, job) in &mut jobs.jobs {
                if !std::mem::take(&mut job.wanted) || job.running.is_some() {
                    continue;
                }
                if job.started.is_some_and(|t| now.mono - t < every) {
                    continue;
                }
                job.started = Some(now.mono);
                start.push((command.clone(), job.cwd.clone()));
            }
        }
        for (command, cwd) in start {
            let id = self.state.model.fresh_job();
            let shell = self.state.shell(&Scope::default());
            let spec = JobSpec {
                argv: vec![shell, "-c".into(), command.clone()],
                cwd,
                env: self.state.job_env(None),
                stdin: false,
                stdout: true,
                merge_stderr: false,
            };
            if let Some(f) = self.state.format_jobs.borrow_mut().jobs.get_mut(&command) {
                f.running = Some(id);
            }
            let used_for = crate::command::jobs::JobUse::Format { command: command.clone() };
            self.state.jobs.insert(id, command, used_for);
            self.state.model.outbox.effect(Effect::JobStart { job: id, spec });
        }
    }
}

/// What the mouse of a client must report: what programs and the option `mouse` want.
fn wanted_mouse(world: &World<'_>, client: ClientId, session: crate::base::SessionId) -> Mouse {
    let on = world.options.flag(opt::MOUSE, OptScope::Session(session));
    let Some(window) = world.model.current_window(session).and_then(|w| world.model.window(w)) else {
        return Mouse::Off;
    };
    let mut mode = if on { Mouse::Drag } else { Mouse::Off };
    if world.layers.top(Host::Client(client)).is_some() && on {
        return Mouse::All;
    }
    let shown = window.panes.iter().filter(|p| window.zoomed.is_none_or(|z| z == **p));
    for pane in shown {
        let wants = world.terminal(*pane, |t| t.mouse().tracking).unwrap_or_default();
        use crate::term::MouseTracking as T;
        let m = match wants {
            T::Off => Mouse::Off,
            T::Any => Mouse::All,
            T::Button => Mouse::Drag,
            _ => Mouse::Buttons,
        };
        if rank(m) > rank(mode) && (on || *pane == window.active) {
            mode = m;
        }
    }
    mode
}

fn rank(m: Mouse) -> u8 {
    match m {
        Mouse::Off => 0,
        Mouse::Buttons => 1,
        Mouse::Drag => 2,
        Mouse::All => 3,
    }
}

/// When the status is due again because time passes.
fn next_tick(now: Now, every: i64) -> Option<Time> {
    if every <= 0 {
        return None;
    }
    let left = every - now.wall.0.rem_euclid(every);
    Some(now.mono + Span::from_secs(left as u64))
}

pub(super) fn soonest(at: &mut Option<Time>, other: Option<Time>) {
    if let Some(o) = other {
        *at = Some(at.map_or(o, |a| a.min(o)));
    }
}

/// Takes a reply of a client's terminal into what is known of it. Returns whether anything changed.
pub(super) fn learn(caps: &mut Caps, response: &Response) -> bool {
    let before = *caps;
    match response {
        Response::PrimaryAttributes(params) => caps.da1_reply(params),
        Response::SecondaryAttributes(params) => {
            if let Some(first) = params.first() {
                caps.da2_reply(*first);
            }
        }
        Response::Version(text) => {
            caps.version_reply(text);
        }
        Response::Mode { mode, setting, .. } => caps.mode_reply(*mode, u16::from(*setting)),
        _ => {}
    }

    *caps != before
}
