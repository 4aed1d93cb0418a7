//! Events: which hooks run, who is told.

use super::{Core, Outside};
use crate::base::{Now, SessionId, Span, WindowId};
use crate::command::{Asker, ReplyTo};
use crate::event::{Effect, Event};
use crate::model::find;
use crate::model::{Alerts, ClientKind};
use crate::options::{Effects, Scope as OptScope, opt};
use crate::vars::Scope;

impl Core {
    /// Hands out what happened: to hooks (which queue commands), to control clients and subscribers. Returns whether
    /// anything was there.
    pub(super) fn publish(&mut self, now: Now, out: &mut dyn Outside) -> bool {
        let mut any = false;
        while let Some(event) = self.state.model.outbox.events.pop_front() {
            any = true;
            self.run_hooks(&event, now);
            crate::control::event(&mut self.controls, &mut self.state, &event);
            crate::control::text::event(&mut self.state, &event, now, out);
            self.follow_event(&event, now);
        }
        any
    }

    fn run_hooks(&mut self, event: &Event, now: Now) {
        if event.no_hooks || crate::options::Options::hook_named(event.name).is_none() {
            return;
        }
        let found = event
            .pane
            .and_then(|p| find::from_pane(&self.state.model, p))
            .or_else(|| event.window.and_then(|w| find::from_window(&self.state.model, w)))
            .or_else(|| event.session.and_then(|s| find::from_session(&self.state.model, s)))
            .or_else(|| {
                find::current(
                    &self.state.model,
                    &find::Context { client: event.client, ..Default::default() },
                    find::FindFlags::empty(),
                )
            });
        let scope = Scope::of(event.client, found);
        let lists = self.state.hook_runs(event.name, &scope, now);
        if lists.is_empty() {
            return;
        }
        let vars = self.hook_vars(event);
        let asker = Asker {
            client: event.client.filter(|c| self.state.model.client(*c).is_some()),
            reply: ReplyTo::Nobody,
            current: found,
            vars,
            no_hooks: true,
            ..Asker::default()
        };
        for list in lists {
            if !self.state.queues.append(None, &list, asker.clone()) {
                self.state.log(now.wall, "too many commands are waiting");
            }
        }
    }

    /// What a hook sees of an event: each field as `hook_FIELD`, sessions and windows by their names as well.
    fn hook_vars(&self, event: &Event) -> Vec<(String, String)> {
        let m = &self.state.model;
        let window = event.window.or_else(|| event.pane.and_then(|p| m.pane(p)).map(|p| p.window));
        let mut fields: Vec<(&str, String)> = event.fields.clone();
        // What was noted when it happened counts more than what is there now.
        let mut put = |var: &'static str, value: Option<String>| {
            let name = var.trim_start_matches("hook_");
            if let Some(v) = value
                && !fields.iter().any(|(n, _)| *n == name)
            {
                fields.push((name, v));
            }
        };
        let index = |w| {
            let place = m.places(w).into_iter().find(|p| event.session.is_none_or(|s| s == p.session));
            place.map(|p| p.index.to_string())
        };
        put("hook_client", event.client.and_then(|c| m.client(c)).map(|c| c.name.clone()));
        put("hook_session", event.session.map(|s| s.to_string()));
        put("hook_session_name", event.session.and_then(|s| m.session(s)).map(|s| s.name.clone()));
        put("hook_window_name", window.and_then(|w| m.window(w)).map(|w| w.name.clone()));
        put("hook_window", window.map(|w| w.to_string()));
        put("hook_window_index", window.and_then(index));
        put("hook_pane", event.pane.map(|p| p.to_string()));
        if event.name == "pane-moved" {
            put("hook_new_window_index", window.and_then(index));
        }
        let mut vars = vec![("hook".to_owned(), event.name.to_owned())];
        for (name, value) in &fields {
            let named = match name.rsplit('_').next() {
                Some("session") => SessionId::parse(value).and_then(|s| m.session(s)).map(|s| s.name.clone()),
                Some("window") => WindowId::parse(value).and_then(|w| m.window(w)).map(|w| w.name.clone()),
                _ => None,
            };
            let by_name = format!("{name}_name");
            if let Some(n) = named
                && !fields.iter().any(|(f, _)| *f == by_name)
            {
                vars.push((format!("hook_{by_name}"), n));
            }
            vars.push((format!("hook_{name}"), value.clone()));
        }
        vars
    }

    /// What the server itself does about an event.
    fn follow_event(&mut self, event: &Event, now: Now) {
        match event.name {
            "client-detached" | "client-session-changed" => self.destroy_unattached(now),
            // To be made or shown is to be active.
            "window-created" | "session-window-changed" => {
                let shown = event.session.and_then(|s| self.state.model.current_window(s));
                if let Some(w) = event.window.or(shown) {
                    self.window_activity(w, now);
                }
            }
            _ => {}
        }
    }

    /// `destroy-unattached`.
    fn destroy_unattached(&mut self, now: Now) {
        use crate::options::choices::DestroyUnattached as D;
        let sessions: Vec<_> = self
            .state
            .model
            .sessions
            .values()
            .filter(|s| s.last_attached.is_some() && self.state.model.attached(s.id) == 0)
            .map(|s| s.id)
            .collect();
        for id in sessions {
            let how = self.state.options.choice(opt::DESTROY_UNATTACHED, OptScope::Session(id));
            let group = self.state.model.group_of(id).len();
            let grouped = self.state.model.session(id).is_some_and(|s| s.group.is_some());
            let go = match how {
                D::Off => false,
                D::On => true,
                D::KeepLast => grouped && group > 1,
                D::KeepGroup => !grouped || group > 1,
            };
            if go {
                self.state.destroy_session(id, now);
            }
        }
    }

    /// Silence of windows that are watched for it.
    pub(super) fn check_silence(&mut self, now: Now) {
        let mut quiet = Vec::new();
        for w in self.state.model.windows.values() {
            let secs = self.state.options.number(opt::MONITOR_SILENCE, OptScope::Window(w.id));
            if secs > 0 && !w.silence_said && now.mono - w.silent_since >= Span::from_secs(secs as u64) {
                quiet.push(w.id);
            }
        }
        for w in quiet {
            if let Some(w) = self.state.model.windows.get_mut(&w) {
                w.silence_said = true;
            }
            self.state.alert(w, Alerts::SILENCE, now);
        }
    }

    /// When the next silence is due.
    pub(super) fn silence_deadline(&self) -> Option<crate::base::Time> {
        self.state
            .model
            .windows
            .values()
            .filter(|w| !w.silence_said)
            .filter_map(|w| {
                let secs = self.state.options.number(opt::MONITOR_SILENCE, OptScope::Window(w.id));
                (secs > 0).then(|| w.silent_since + Span::from_secs(secs as u64))
            })
            .min()
    }

    /// What options that were set in this step change beyond themselves.
    pub(super) fn apply_option_effects(&mut self, now: Now, out: &mut dyn Outside) {
        let effects = std::mem::take(&mut self.state.option_effects);
        if effects.is_empty() {
            return;
        }
        self.state.model.touch();
        if effects.intersects(Effects::ALERTS) {
            for w in self.state.model.windows.values_mut() {
                (w.silent_since, w.silence_said) = (now.mono, false);
            }
        }
        if effects.intersects(Effects::SIZE | Effects::STATUS | Effects::LAYOUT) {
            self.state.sizes_moved = true;
        }
        if effects.intersects(Effects::KEYS) {
            let time = self.state.escape_time();
            let user = self.state.user_keys();
            for rt in self.runtimes.values_mut() {
                rt.decoder.set_escape_time(time);
                rt.decoder.set_extra_keys(user.clone());
            }
        }
        if effects.intersects(Effects::NAMES) {
            self.names.forget();
        }
        let of_terminals = Effects::TERMINAL | Effects::CURSOR | Effects::HISTORY | Effects::PALETTE | Effects::WIDTHS;
        if effects.intersects(of_terminals | Effects::SCENE | Effects::KEYS | Effects::TTY) {
            let panes: Vec<_> = self.state.model.panes.keys().copied().collect();
            for p in panes {
                self.state.apply_terminal_options(p, out);
            }
        }
        for rt in self.runtimes.values_mut() {
            rt.scene.forget();
        }
        let _ = now;
    }
}

impl crate::command::State {
    /// A window wants to be noticed: links get their flags, people hear of it as options say.
    pub fn alert(&mut self, window: crate::base::WindowId, what: Alerts, now: Now) {
        use crate::options::choices::{AlertAction, VisualAlert};
        let (event, action, visual) = if what == Alerts::BELL {
            ("alert-bell", opt::BELL_ACTION, opt::VISUAL_BELL)
        } else if what == Alerts::ACTIVITY {
            ("alert-activity", opt::ACTIVITY_ACTION, opt::VISUAL_ACTIVITY)
        } else {
            ("alert-silence", opt::SILENCE_ACTION, opt::VISUAL_SILENCE)
        };
        for place in self.model.places(window) {
            let scope = OptScope::Session(place.session);
            let Some(s) = self.model.sessions.get_mut(&place.session) else { continue };
            let current = s.current == place.index;
            let Some(link) = s.links.get_mut(&place.index) else { continue };
            if link.alerts.contains(what) && what != Alerts::BELL {
                continue;
            }
            let attached = self.model.clients.values().any(|c| c.session == Some(place.session));
            // The current window of a session that somebody looks at needs no flag.
            if !(current && attached || link.alerts.contains(what)) {
                link.alerts.insert(what);
                self.model.touch();
            }
            let applies = match self.options.choice(action, scope) {
                AlertAction::None => false,
                AlertAction::Any => true,
                AlertAction::Current => current,
                AlertAction::Other => !current,
            };
            if !applies {
                continue;
            }
            self.model.outbox.event(Event::new(event).session(place.session).window(window));
            let how = self.options.choice(visual, scope);
            let clients: Vec<_> =
                self.model.clients_of(place.session).filter(|c| c.kind == ClientKind::Attached).map(|c| c.id).collect();
            for client in clients {
                if matches!(how, VisualAlert::Off | VisualAlert::Both) {
                    self.model.outbox.effect(Effect::TtyWrite { client, bytes: vec![7] });
                }
                if matches!(how, VisualAlert::On | VisualAlert::Both) {
                    let word = if what == Alerts::BELL {
                        "Bell"
                    } else if what == Alerts::ACTIVITY {
                        "Activity"
                    } else {
                        "Silence"
                    };
                    let text = if current {
                        format!("{word} in current window")
                    } else {
                        format!("{word} in window {}", place.index)
                    };
                    self.message(client, &text, now);
                }
            }
        }
    }
}
