//! Where a person's input goes: the layers on top, key tables, the pane.
//!
//! From top to bottom: layers of the client (prompt, dialog), layers of its window (menus), the key tables, layers of the
//! pane (copy mode), the program.

use super::{Core, Outside};
use crate::base::{ClientId, Now, PaneId, Pos, Span, Time};
use crate::command::Asker;
use crate::compose::hit::{self, Hit, Spot};
use crate::event::Event;
use crate::keys::{Code, Input, Key, KeyEvent, Mods, Mouse, MouseKey, MouseKind, MousePlace, Paste, Phase};
use crate::layer::prompt::Prompt;
use crate::layer::{Act, Flow, Host, LayerInput, Outcome, View};
use crate::model::find::{self, Found, MouseTarget};
use crate::model::{ClientFlags, keytable::Binding};
use crate::options::{Scope as OptScope, opt};

/// Two presses within this time at one place are a double click.
const DOUBLE_CLICK: Span = Span::from_millis(300);

/// What the mouse of a client did last.
#[derive(Clone, Debug, Default)]
pub(super) struct MouseState {
    /// The button held down and where it went down.
    down: Option<(u8, Pos, Hit)>,
    /// It moved while held.
    dragging: bool,
    /// Presses in a row at one place.
    clicks: u8,
    last_press: Option<(Time, u8, Pos)>,
}

impl Core {
    pub(super) fn route(&mut self, client: ClientId, input: Input, now: Now, out: &mut dyn Outside) {
        let Some(c) = self.state.model.client(client) else { return };
        let Some(session) = c.session else { return };
        if c.flags.intersects(ClientFlags::SUSPENDED | ClientFlags::EXITING) {
            return;
        }
        match input {
            Input::Response(r) => return self.on_response(client, &r, now),
            Input::Focus(on) => return self.on_focus(client, on, now, out),
            _ => {}
        }
        self.person_acts(client, session, now);
        match input {
            Input::Key(event) => {
                if let Some(rt) = self.runtimes.get_mut(&client) {
                    rt.typed = Some(now.mono);
                    // Every key has its own echo: a fast typist is no flood.
                    rt.burst = 0;
                }
                self.route_key(client, event, None, now, out);
            }
            Input::Mouse(mouse) => self.route_mouse(client, mouse, now, out),
            Input::Paste(part) => self.on_paste(client, part, now, out),
            Input::Response(_) | Input::Focus(_) => {}
        }
    }

    /// Remembers that a person is there; the latest one decides sizes.
    fn person_acts(&mut self, client: ClientId, session: crate::base::SessionId, now: Now) {
        let latest =
            self.state.model.clients.values().filter(|c| c.session.is_some()).max_by_key(|c| c.seen).map(|c| c.id);
        if let Some(c) = self.state.model.clients.get_mut(&client) {
            c.seen = now.mono.max(c.seen);
            c.activity = now.wall;
            if latest != Some(client) {
                c.seen = Time(now.mono.0.max(c.seen.0 + 1));
                self.state.sizes_moved = true;
                self.state.model.outbox.event(Event::new("client-active").client(client).session(session));
            }
        }
        self.state.touch_session(session, now);
    }

    fn view(&self, client: ClientId, now: Now) -> View<'_> {
        View { model: &self.state.model, options: &self.state.options, now, client: Some(client) }
    }

    /// Gives an input to a layer, by its place in the stack. Returns whether it took it.
    fn offer_to_layer(
        &mut self,
        (host, at): (Host, usize),
        client: ClientId,
        input: &LayerInput,
        now: Now,
        out: &mut dyn Outside,
    ) -> bool {
        let State { model, options, layers, .. } = &mut self.state;
        let Some(layer) = layers.at_mut(host, at) else { return false };
        let view = View { model, options, now, client: Some(client) };
        let outcome = layer.input(input, &view);
        self.apply_outcome((host, at), Some(client), outcome, now, out)
    }

    /// Gives an input to the top layer of a pane.
    fn offer_to_pane_layer(
        &mut self,
        pane: PaneId,
        client: ClientId,
        input: &LayerInput,
        now: Now,
        out: &mut dyn Outside,
    ) {
        let host = Host::Pane(pane);
        if let Some(at) = self.state.layers.stack(host).len().checked_sub(1) {
            self.offer_to_layer((host, at), client, input, now, out);
        }
    }

    /// Carries out what a layer said. Returns whether it took the input.
    fn apply_outcome(
        &mut self,
        (host, at): (Host, usize),
        client: Option<ClientId>,
        outcome: Outcome,
        now: Now,
        out: &mut dyn Outside,
    ) -> bool {
        if matches!(outcome.flow, Flow::Close | Flow::CloseAndPass) {
            self.state.close_layer_at(host, at);
        }
        let taken = !matches!(outcome.flow, Flow::Pass | Flow::CloseAndPass);
        for act in outcome.acts {
            self.act(host, client, act, now, out);
        }
        taken
    }

    fn act(&mut self, host: Host, client: Option<ClientId>, act: Act, now: Now, out: &mut dyn Outside) {
        self.state.act(host, client, act, now, out);
    }

    fn route_key(
        &mut self,
        client: ClientId,
        event: KeyEvent,
        mouse: Option<(Mouse, MouseTarget)>,
        now: Now,
        out: &mut dyn Outside,
    ) {
        let key = event.key;
        if event.phase != Phase::Release && mouse.is_none() {
            for at in self.layers_above(client) {
                if self.offer_to_layer(at, client, &LayerInput::Key(key), now, out) {
                    return;
                }
            }
        }
        let Some(session) = self.state.model.client(client).and_then(|c| c.session) else { return };
        let found = match mouse {
            Some((_, MouseTarget { pane: Some(p), .. })) => find::from_pane(&self.state.model, p),
            _ => find::from_session(&self.state.model, session),
        };
        let Some(found) = found else { return };
        if event.phase == Phase::Release {
            // Only programs that asked for it hear of releases.
            self.send_to_pane(client, found.pane, &event, mouse, now, out);
            return;
        }
        if mouse.is_some() && !self.state.options.flag(opt::MOUSE, OptScope::Session(session)) {
            self.send_to_pane(client, found.pane, &event, mouse, now, out);
            return;
        }
        match self.look_up(client, session, found.pane, key, now) {
            Looked::Run(binding) => self.run_binding(client, &binding, found, key, mouse, now),
            Looked::Taken => {}
            Looked::Pass => self.send_to_pane(client, found.pane, &event, mouse, now, out),
        }
    }

    /// Layers that see keys before the key tables, the first to see them first: the client's, then its window's.
    fn layers_above(&self, client: ClientId) -> Vec<(Host, usize)> {
        let mut hosts = vec![Host::Client(client)];
        let window =
            self.state.model.client(client).and_then(|c| c.session).and_then(|s| self.state.model.current_window(s));
        hosts.extend(window.map(Host::Window));
        let down = |h: Host| (0..self.state.layers.stack(h).len()).rev().map(move |at| (h, at));
        hosts.into_iter().flat_map(down).collect()
    }

    /// The table in which a client's next key is looked up when it is in none.
    fn default_table(
        &self,
        client: ClientId,
        session: crate::base::SessionId,
        pane: PaneId,
        now: Now,
    ) -> (String, bool) {
        let view = self.view(client, now);
        if let Some(t) = self.state.layers.top(Host::Pane(pane)).and_then(|l| l.table(&view)) {
            return (t.to_owned(), true);
        }
        (self.root_table(session), false)
    }

    fn root_table(&self, session: crate::base::SessionId) -> String {
        self.state.options.text(opt::KEY_TABLE, OptScope::Session(session)).to_owned()
    }

    fn look_up(
        &mut self,
        client: ClientId,
        session: crate::base::SessionId,
        pane: PaneId,
        key: Key,
        now: Now,
    ) -> Looked {
        let scope = OptScope::Session(session);
        let prefix = self.state.options.key(opt::PREFIX, scope);
        let prefix2 = self.state.options.key(opt::PREFIX2, scope);
        let Some(c) = self.state.model.client(client) else { return Looked::Taken };
        let repeating = c.repeat_until.is_some();
        let explicit = !c.table.is_empty();
        let (default, _) = self.default_table(client, session, pane, now);
        let mut table = if explicit { c.table.clone() } else { default.clone() };
        let late = {
            let limit = self.state.options.number(opt::PREFIX_TIMEOUT, OptScope::Server);
            limit > 0
                && table == "prefix"
                && !repeating
                && c.table_since.is_some_and(|t| now.mono - t > Span::from_millis(limit as u64))
        };
        if late {
            self.set_table(client, "");
            table = default.clone();
        }
        let is_prefix = |k: Key| k != Key::NONE && k == key;
        if (is_prefix(prefix) || is_prefix(prefix2)) && table != "prefix" {
            self.set_table(client, "prefix");
            if let Some(c) = self.state.model.clients.get_mut(&client) {
                c.table_since = Some(now.mono);
                c.repeat_until = None;
            }
            return Looked::Taken;
        }
        let root = self.root_table(session);
        let started_in = table.clone();
        loop {
            let found = self.state.model.tables.lookup(&table, key).or_else(|| {
                // A mouse event or a focus report is not "any key".
                (!key.is_mouse()).then(|| self.state.model.tables.lookup(&table, Key::ANY)).flatten()
            });
            if let Some(b) = found.cloned() {
                if repeating && !b.repeat {
                    // A key that does not repeat ends the repeating and counts from the start.
                    return self.look_up_anew(client, session, pane, key, now);
                }
                self.after_binding(client, session, &b, explicit || repeating, now);
                return Looked::Run(Box::new(b));
            }
            if table != root {
                let was_mode = !explicit && table == default;
                if !was_mode {
                    self.set_table(client, "");
                }
                if repeating {
                    return self.look_up_anew(client, session, pane, key, now);
                }
                table.clone_from(&root);
                continue;
            }
            // Nothing bound: a key after the prefix is swallowed, others go on.
            return if explicit && started_in != root && !late && started_in != default {
                Looked::Taken
            } else {
                Looked::Pass
            };
        }
    }

    /// A key that does not go on with the repeating ends it, and means what it means then.
    fn look_up_anew(
        &mut self,
        client: ClientId,
        session: crate::base::SessionId,
        pane: PaneId,
        key: Key,
        now: Now,
    ) -> Looked {
        // This ends the repeating, so it comes here only once.
        self.set_table(client, "");
        self.look_up(client, session, pane, key, now)
    }

    /// Back to the root table after a binding, or into the repeat time.
    fn after_binding(
        &mut self,
        client: ClientId,
        session: crate::base::SessionId,
        b: &Binding,
        in_table: bool,
        now: Now,
    ) {
        let scope = OptScope::Session(session);
        let repeat = self.state.options.number(opt::REPEAT_TIME, scope);
        let initial = self.state.options.number(opt::INITIAL_REPEAT_TIME, scope);
        let Some(c) = self.state.model.clients.get_mut(&client) else { return };
        let first = c.repeat_until.is_none();
        let ms = if first && initial > 0 { initial } else { repeat };
        if b.repeat && in_table && ms > 0 {
            c.repeat_until = Some(now.mono + Span::from_millis(ms as u64));
        } else {
            c.repeat_until = None;
            self.set_table(client, "");
        }
    }

    fn set_table(&mut self, client: ClientId, table: &str) {
        let Some(c) = self.state.model.clients.get_mut(&client) else { return };
        if c.table != table {
            table.clone_into(&mut c.table);
            self.state.model.touch();
        }
        if table.is_empty()
            && let Some(c) = self.state.model.clients.get_mut(&client)
        {
            c.repeat_until = None;
            c.table_since = None;
        }
    }

    fn run_binding(
        &mut self,
        client: ClientId,
        binding: &Binding,
        found: Found,
        key: Key,
        mouse: Option<(Mouse, MouseTarget)>,
        now: Now,
    ) {
        // What the mouse points at is known now; what keys mean is what is current when those before them are done.
        let current = mouse.is_some().then_some(found);
        let asker = Asker { client: Some(client), current, mouse, key: Some(key), ..Asker::default() };
        if !self.state.queues.append(Some(client), &binding.commands, asker) {
            self.state.log(now.wall, "too many commands are waiting");
        }
    }

    /// A key (or a mouse event) that nothing is bound to.
    fn send_to_pane(
        &mut self,
        client: ClientId,
        pane: PaneId,
        event: &KeyEvent,
        mouse: Option<(Mouse, MouseTarget)>,
        now: Now,
        out: &mut dyn Outside,
    ) {
        if self.state.model.client(client).is_some_and(|c| c.flags.contains(ClientFlags::READ_ONLY)) {
            return;
        }
        if let Some((m, _)) = mouse {
            self.state.mouse_to_pane(pane, client, &m, now, out);
            return;
        }
        if self.state.layers.top(Host::Pane(pane)).is_some() {
            if event.phase != Phase::Release {
                self.offer_to_pane_layer(pane, client, &LayerInput::Key(event.key), now, out);
            }
            return;
        }
        if self.state.model.pane(pane).is_some_and(|p| p.is_dead()) {
            let how = self.state.options.choice(opt::REMAIN_ON_EXIT, OptScope::Pane(pane));
            if how == crate::options::choices::RemainOnExit::Key && event.phase != Phase::Release {
                self.state.kill_pane(pane, now);
            }
            return;
        }
        self.state.touched.push((client, pane));
        self.state.type_key(pane, event, out);
    }

    /// Parts of a paste are held until its end, so that it stays one wherever it goes.
    fn on_paste(&mut self, client: ClientId, part: Paste, now: Now, out: &mut dyn Outside) {
        match part {
            Paste::Start => self.tell_any_key(client, Code::PasteStart, now, out),
            Paste::End => self.tell_any_key(client, Code::PasteEnd, now, out),
            Paste::Data(_) => {}
        }
        let Some(rt) = self.runtimes.get_mut(&client) else { return };
        match part {
            Paste::Start => rt.paste.clear(),
            Paste::Data(bytes) => {
                let room = super::limits::MAX_PASTE.saturating_sub(rt.paste.len());
                rt.paste.extend_from_slice(&bytes[..bytes.len().min(room)]);
            }
            Paste::End => {
                let bytes = std::mem::take(&mut rt.paste);
                self.route_paste(client, &bytes, now, out);
            }
        }
    }

    fn route_paste(&mut self, client: ClientId, bytes: &[u8], now: Now, out: &mut dyn Outside) {
        let text = String::from_utf8_lossy(bytes).into_owned();
        for at in self.layers_above(client) {
            if self.offer_to_layer(at, client, &LayerInput::Paste(text.clone()), now, out) {
                return;
            }
        }
        let Some(session) = self.state.model.client(client).and_then(|c| c.session) else { return };
        let Some(pane) = self.state.model.current_pane(session) else { return };
        if self.state.model.client(client).is_some_and(|c| c.flags.contains(ClientFlags::READ_ONLY)) {
            return;
        }
        if self.state.layers.top(Host::Pane(pane)).is_some() {
            self.offer_to_pane_layer(pane, client, &LayerInput::Paste(text), now, out);
            return;
        }
        self.state.touched.push((client, pane));
        self.state.paste_into(pane, bytes, true, out);
    }

    /// A prompt that waits for any key hears of what is none for others.
    fn tell_any_key(&mut self, client: ClientId, code: Code, now: Now, out: &mut dyn Outside) {
        let host = Host::Client(client);
        let top = self.state.layers.stack(host).len().wrapping_sub(1);
        let any_key = self
            .state
            .layers
            .at_mut(host, top)
            .is_some_and(|l| l.as_any().downcast_mut::<Prompt>().is_some_and(|p| p.takes_any_key()));
        if any_key {
            let key = Key::new(code, Mods::empty());
            self.offer_to_layer((host, top), client, &LayerInput::Key(key), now, out);
        }
    }

    fn on_focus(&mut self, client: ClientId, on: bool, now: Now, out: &mut dyn Outside) {
        let Some(c) = self.state.model.clients.get_mut(&client) else { return };
        c.flags.set(ClientFlags::FOCUSED, on);
        let session = c.session;
        self.tell_any_key(client, if on { Code::FocusIn } else { Code::FocusOut }, now, out);
        let name = if on { "client-focus-in" } else { "client-focus-out" };
        let mut event = Event::new(name).client(client);
        event.session = session;
        self.state.model.outbox.event(event);
    }

    /// What the client's terminal said of itself.
    fn on_response(&mut self, client: ClientId, response: &crate::keys::Response, now: Now) {
        self.on_answer(client, response, now);
        let Some(rt) = self.runtimes.get_mut(&client) else { return };
        let mut caps = *rt.painter.caps();
        if let crate::keys::Response::Version(text) = response
            && let Some(c) = self.state.model.clients.get_mut(&client)
        {
            c.term_type.clone_from(text);
        }
        if crate::core::turn::learn(&mut caps, response) {
            rt.painter.set_caps(caps);
            if let Some(c) = self.state.model.clients.get_mut(&client) {
                c.feature_names = caps.names();
                c.colours = caps.colour_count();
            }
            self.state.model.touch();
        }
    }

    fn route_mouse(&mut self, client: ClientId, mouse: Mouse, now: Now, out: &mut dyn Outside) {
        let at = mouse.pos;
        // A layer of the client or its window has the mouse while it is there.
        for layer in self.layers_above(client) {
            let place = self.layer_place(layer, client, now);
            let input = LayerInput::Mouse {
                mouse,
                x: i32::from(at.x) - i32::from(place.x),
                y: i32::from(at.y) - i32::from(place.y),
            };
            if self.offer_to_layer(layer, client, &input, now, out) {
                return;
            }
        }
        if let Some(drag) = self.state.drags.get(&client).copied() {
            if mouse.release {
                self.state.drags.remove(&client);
            } else if mouse.motion {
                self.state.drag(client, drag, at, &mouse, now, out);
                return;
            }
        }
        let hit = hit::at(&self.state.world(out, now), client, at);
        let Some((key, hit)) = self.mouse_key(client, &mouse, hit, now) else { return };
        let pressed = self.runtimes.get(&client).and_then(|rt| rt.mouse.down.as_ref()).map(|(_, at, _)| *at);
        let target = MouseTarget { session: Some(hit.session), index: hit.index, pane: hit.pane, pressed };
        self.route_key(client, KeyEvent::from(key), Some((mouse, target)), now, out);
    }

    fn layer_place(&self, (host, at): (Host, usize), client: ClientId, now: Now) -> crate::base::Rect {
        let view = self.view(client, now);
        let room = self.state.model.client(client).map(|c| c.size.rect()).unwrap_or_default();
        self.state.layers.stack(host).get(at).map_or(room, |l| l.place(room, &view))
    }

    /// The name of what the mouse did, and where it counts: a drag belongs to where it began.
    fn mouse_key(&mut self, client: ClientId, m: &Mouse, hit: Option<Hit>, now: Now) -> Option<(Key, Hit)> {
        let ms = &mut self.runtimes.get_mut(&client)?.mouse;
        let button = m.button;
        let (kind, button, hit) = if m.is_wheel() {
            let kind = match m.button {
                4 => MouseKind::WheelUp,
                5 => MouseKind::WheelDown,
                _ => return None,
            };
            (kind, 0, hit?)
        } else if m.release {
            let (b, _, began) = ms.down.take()?;
            let dragged = std::mem::take(&mut ms.dragging);
            if dragged { (MouseKind::DragEnd, b, hit.or(Some(began))?) } else { (MouseKind::Up, b, hit?) }
        } else if m.motion {
            match &ms.down {
                Some((b, _, began)) => {
                    ms.dragging = true;
                    (MouseKind::Drag, *b, *began)
                }
                None => (MouseKind::Move, 0, hit?),
            }
        } else {
            let hit = hit?;
            let again =
                ms.last_press.is_some_and(|(t, b, p)| now.mono - t <= DOUBLE_CLICK && b == button && p == m.pos);
            ms.clicks = if again { ms.clicks % 3 + 1 } else { 1 };
            ms.last_press = Some((now.mono, button, m.pos));
            ms.down = Some((button, m.pos, hit));
            ms.dragging = false;
            match ms.clicks {
                2 => (MouseKind::DoubleClick, button, hit),
                3 => (MouseKind::TripleClick, button, hit),
                _ => (MouseKind::Down, button, hit),
            }
        };
        let place = match hit.spot {
            Spot::Pane => MousePlace::Pane,
            Spot::Border => MousePlace::Border,
            Spot::Status => MousePlace::Status,
            Spot::StatusLeft => MousePlace::StatusLeft,
            Spot::StatusRight => MousePlace::StatusRight,
            Spot::StatusDefault => MousePlace::StatusDefault,
            Spot::Control(n) => MousePlace::Control(n),
            Spot::Empty => MousePlace::Empty,
        };
        let mods = m.mods & (Mods::SHIFT | Mods::META | Mods::CTRL);
        Some((Key::new(Code::Mouse(MouseKey { kind, button, place }), mods), hit))
    }

    /// Time passed: partial inputs, repeat times, layers' own clocks, asks, timers, silence.
    pub(super) fn on_time(&mut self, now: Now, out: &mut dyn Outside) {
        let clients: Vec<ClientId> = self.runtimes.keys().copied().collect();
        for client in clients {
            let mut inputs = Vec::new();
            if let Some(rt) = self.runtimes.get_mut(&client)
                && rt.decoder.deadline().is_some_and(|d| d <= now.mono)
            {
                rt.decoder.timeout(now.mono, &mut inputs);
            }
            self.take_inputs(client, inputs, now, out);
            let due = self.state.model.client(client).and_then(|c| c.repeat_until).is_some_and(|t| t <= now.mono);
            if due {
                self.set_table(client, "");
            }
        }
        for host in self.state.layers.hosts() {
            self.tick_layers(host, now, out);
        }
        for id in self.state.model.asks.expire(now.mono) {
            self.state.ask_ended(id);
        }
        self.state.run_timers(now);
        self.check_silence(now);
    }

    /// Calls the layers of a host whose time has come, those too that others stand on.
    fn tick_layers(&mut self, host: Host, now: Now, out: &mut dyn Outside) {
        let client = match host {
            Host::Client(c) => Some(c),
            _ => None,
        };
        for at in (0..self.state.layers.stack(host).len()).rev() {
            let stack = self.state.layers.stack(host);
            let due = stack.get(at).and_then(|l| l.deadline()).is_some_and(|d| d <= now.mono);
            if !due {
                continue;
            }
            let State { model, options, layers, .. } = &mut self.state;
            let Some(layer) = layers.at_mut(host, at) else { continue };
            let outcome = layer.tick(&View { model, options, now, client });
            self.apply_outcome((host, at), client, outcome, now, out);
        }
    }

    /// Layers see that the model moved. Returns whether one closed.
    pub(super) fn sync_layers(&mut self, now: Now, out: &mut dyn Outside) -> bool {
        let mut closed = false;
        for host in self.state.layers.hosts() {
            let gone = match host {
                Host::Pane(p) => self.state.model.pane(p).is_none(),
                Host::Window(w) => self.state.model.window(w).is_none(),
                Host::Client(c) => self.state.model.client(c).is_none(),
            };
            if gone {
                self.state.layers.clear(host);
                closed = true;
                continue;
            }
            let client = match host {
                Host::Client(c) => Some(c),
                _ => None,
            };
            let mut at = self.state.layers.stack(host).len();
            while at > 0 {
                at -= 1;
                let State { model, options, layers, .. } = &mut self.state;
                let rev = layers.rev;
                let Some(layer) = layers.at_mut(host, at) else { continue };
                let before = layer.rev();
                let outcome = layer.sync(&View { model, options, now, client });
                let moved = layer.rev() != before || outcome.flow == Flow::Close;
                if !moved {
                    layers.rev = rev;
                }
                if outcome.flow == Flow::Close {
                    layers.remove(host, at);
                    closed = true;
                }
                for act in outcome.acts {
                    self.act(host, client, act, now, out);
                }
            }
        }
        closed
    }
}

use crate::command::State;

/// What a key means.
enum Looked {
    Run(Box<Binding>),
    /// It was the prefix, or nothing after the prefix.
    Taken,
    Pass,
}
