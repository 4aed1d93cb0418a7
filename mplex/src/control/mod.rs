//! The control socket's verbs and tmux's text control mode. Knows no file descriptor.
//!
//! A line is a request; its verb is a row of [`verbs::VERBS`]; the row's function answers at once or leaves a
//! [`Pending`] that [`settle`] answers when what it waits for has come. Errors never end a connection.

mod query;
pub mod text;
pub mod verbs;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::base::{ClientId, ConnId, FlowId, Now, PaneId, Time};
use crate::command::{ErrorKind, State};
use crate::event::{Effect, Event, Outside};

/// The longest line, in bytes; the reader outside counts.
pub const MAX_LINE: usize = 1 << 20;
/// Requests of one connection that may wait for an answer.
pub const MAX_IN_FLIGHT: usize = 64;
/// Subscriptions of one connection.
pub const MAX_SUBSCRIPTIONS: usize = 64;

/// Who is behind a control connection, as the kernel says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Peer {
    pub uid: u32,
    pub pid: u32,
}

/// Why a request failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub code: &'static str,
    pub message: String,
    pub hint: Option<String>,
    pub data: Option<Box<Value>>,
}

impl Failure {
    pub fn new(code: &'static str, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into(), hint: None, data: None }
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub fn data(mut self, data: Value) -> Failure {
        self.data = Some(Box::new(data));
        self
    }
}

/// The stable code of a command's error.
pub fn code_of(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Usage | ErrorKind::BadValue => "bad_params",
        ErrorKind::NoTarget => "no_target",
        ErrorKind::State => "busy",
        ErrorKind::Denied => "denied",
        ErrorKind::NotBuilt => "unsupported",
        ErrorKind::Internal => "internal",
    }
}

/// What a verb says.
pub enum Said {
    Now(Value),
    /// Answered before what follows from it is done.
    Later(Waiting),
}

/// What an answer waits for.
#[derive(Clone, Debug)]
pub enum Waiting {
    /// A command's run: the queue of this owner, the output under this ticket.
    Command { owner: ClientId, ticket: u64 },
    /// The end of an ask, at most until a time.
    Flow { flow: FlowId, until: Time },
}

struct Pending {
    conn: ConnId,
    id: Value,
    waiting: Waiting,
}

struct Subscription {
    number: u64,
    events: Vec<String>,
    pane: Option<PaneId>,
}

#[derive(Default)]
struct Conn {
    peer: Peer,
    subscriptions: Vec<Subscription>,
}

/// All connections of the control socket.
#[derive(Default)]
pub struct Controls {
    conns: BTreeMap<ConnId, Conn>,
    pending: Vec<Pending>,
    subscriptions: u64,
}

impl Controls {
    pub fn opened(&mut self, conn: ConnId, peer: Peer) {
        self.conns.insert(conn, Conn { peer, ..Conn::default() });
    }

    pub fn peer(&self, conn: ConnId) -> Peer {
        self.conns.get(&conn).map(|c| c.peer).unwrap_or_default()
    }

    /// When an answer is due because its time is over.
    pub fn deadline(&self) -> Option<Time> {
        self.pending
            .iter()
            .filter_map(|p| match &p.waiting {
                Waiting::Flow { until, .. } => Some(*until),
                Waiting::Command { .. } => None,
            })
            .min()
    }

    /// Whether a request waits for the end of an ask.
    fn waits_for(&self, flow: FlowId) -> bool {
        self.pending.iter().any(|p| matches!(p.waiting, Waiting::Flow { flow: f, .. } if f == flow))
    }

    fn subscribe(&mut self, conn: ConnId, events: Vec<String>, pane: Option<PaneId>) -> Result<u64, Failure> {
        let number = self.subscriptions + 1;
        let Some(c) = self.conns.get_mut(&conn) else { return Err(Failure::new("internal", "no such connection")) };
        if c.subscriptions.len() >= MAX_SUBSCRIPTIONS {
            return Err(Failure::new("too_many", format!("at most {MAX_SUBSCRIPTIONS} subscriptions per connection")));
        }
        self.subscriptions = number;
        c.subscriptions.push(Subscription { number, events, pane });
        Ok(number)
    }

    fn unsubscribe(&mut self, conn: ConnId, number: u64) -> bool {
        let Some(c) = self.conns.get_mut(&conn) else { return false };
        let before = c.subscriptions.len();
        c.subscriptions.retain(|s| s.number != number);
        c.subscriptions.len() != before
    }
}

/// What a verb's function works on.
pub struct VerbCx<'a> {
    pub controls: &'a mut Controls,
    pub s: &'a mut State,
    pub out: &'a mut dyn Outside,
    pub now: Now,
    pub conn: ConnId,
}

fn send(s: &mut State, conn: ConnId, value: &Value) {
    s.model.outbox.effect(Effect::ControlWrite { conn, line: value.to_string() });
}

fn reply(s: &mut State, conn: ConnId, id: &Value, result: Result<Value, Failure>) {
    let line = match result {
        Ok(v) => json!({ "id": id, "result": v }),
        Err(f) => {
            let mut e = Map::new();
            e.insert("code".into(), f.code.into());
            e.insert("message".into(), f.message.into());
            if let Some(h) = f.hint {
                e.insert("hint".into(), h.into());
            }
            if let Some(d) = f.data {
                e.insert("data".into(), *d);
            }
            json!({ "id": id, "error": e })
        }
    };
    send(s, conn, &line);
}

/// One line of a connection.
pub fn line(controls: &mut Controls, s: &mut State, conn: ConnId, line: &[u8], now: Now, out: &mut dyn Outside) {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.iter().all(u8::is_ascii_whitespace) {
        return;
    }
    let value: Value = match serde_json::from_slice(line) {
        Ok(v) => v,
        Err(e) => {
            let text = format!("not a JSON object on one line: {e}");
            return reply(s, conn, &Value::Null, Err(Failure::new("parse", text)));
        }
    };
    let Value::Object(mut request) = value else {
        return reply(s, conn, &Value::Null, Err(Failure::new("parse", "a request is a JSON object")));
    };
    let id = request.remove("id").unwrap_or(Value::Null);
    if id.is_object() || id.is_array() {
        let f = Failure::new("bad_request", "id must be a JSON scalar");
        return reply(s, conn, &Value::Null, Err(f));
    }
    let result = handle(controls, s, conn, request, now, out);
    match result {
        Ok(Said::Now(v)) => reply(s, conn, &id, Ok(v)),
        Ok(Said::Later(waiting)) => controls.pending.push(Pending { conn, id, waiting }),
        Err(f) => reply(s, conn, &id, Err(f)),
    }
}

fn handle(
    controls: &mut Controls,
    s: &mut State,
    conn: ConnId,
    mut request: Map<String, Value>,
    now: Now,
    out: &mut dyn Outside,
) -> Result<Said, Failure> {
    let method = match request.remove("method") {
        Some(Value::String(m)) => m,
        Some(_) => return Err(Failure::new("bad_request", "method must be a string")),
        None => return Err(Failure::new("bad_request", "a request needs a method").hint("see the method methods")),
    };
    let params = match request.remove("params") {
        Some(Value::Object(p)) => p,
        None | Some(Value::Null) => Map::new(),
        Some(_) => return Err(Failure::new("bad_request", "params must be an object")),
    };
    if let Some(k) = request.keys().next() {
        return Err(Failure::new("bad_request", format!("unknown member of the request: {k}")));
    }
    let Some(verb) = verbs::VERBS.iter().find(|v| v.name == method) else {
        let f = Failure::new("unknown_method", format!("unknown method: {method}"));
        return Err(f.hint("the method methods lists them"));
    };
    if let Some(k) = params.keys().find(|k| !verb.params.iter().any(|p| p.name == **k)) {
        let known: Vec<&str> = verb.params.iter().map(|p| p.name).collect();
        let f = Failure::new("bad_params", format!("unknown member of params: {k}"));
        return Err(f.hint(format!("{method} knows: {}", known.join(", "))));
    }
    if let Some(p) = verb.params.iter().find(|p| p.required && !params.contains_key(p.name)) {
        return Err(Failure::new("bad_params", format!("{method} needs {}", p.name)));
    }
    let waiting = controls.pending.iter().filter(|p| p.conn == conn).count();
    if waiting >= MAX_IN_FLIGHT {
        return Err(Failure::new("too_many", format!("at most {MAX_IN_FLIGHT} requests may wait per connection")));
    }
    (verb.exec)(&mut VerbCx { controls, s, out, now, conn }, &params)
}

/// A line over the limit was skipped.
pub fn too_long(_controls: &mut Controls, s: &mut State, conn: ConnId, seen: usize) {
    let f = Failure::new("too_large", format!("a line may have at most {MAX_LINE} bytes; this one had {seen} or more"));
    reply(s, conn, &Value::Null, Err(f));
}

/// A connection is gone; its asks stay for a while.
pub fn gone(controls: &mut Controls, s: &mut State, conn: ConnId, now: Now) {
    controls.conns.remove(&conn);
    controls.pending.retain(|p| {
        if p.conn == conn
            && let Waiting::Command { owner, ticket } = &p.waiting
        {
            s.queues.forget(*owner);
            s.collected.remove(ticket);
        }
        p.conn != conn
    });
    s.model.asks.connection_gone(conn, now.mono);
}

/// Answers what has come.
pub fn settle(controls: &mut Controls, s: &mut State, now: Now, _out: &mut dyn Outside) {
    let mut still = Vec::new();
    for p in std::mem::take(&mut controls.pending) {
        match &p.waiting {
            Waiting::Command { owner, ticket } => {
                if !s.queues.is_idle(Some(*owner)) {
                    still.push(p);
                    continue;
                }
                s.queues.forget(*owner);
                let c = s.collected.remove(ticket).unwrap_or_default();
                let result = match c.error {
                    Some((kind, text)) => {
                        let f = Failure::new(code_of(kind), text);
                        Err(if c.output.is_empty() { f } else { f.data(json!({ "output": c.output })) })
                    }
                    None => Ok(json!({ "output": c.output })),
                };
                reply(s, p.conn, &p.id, result);
            }
            Waiting::Flow { flow, until } => {
                let open = s.model.asks.get(*flow).is_some_and(|a| a.is_open());
                if open && now.mono < *until {
                    still.push(p);
                    continue;
                }
                s.model.asks.heard_of(*flow, p.conn, now.mono);
                let result = verbs::flow_result(s, *flow);
                reply(s, p.conn, &p.id, result);
            }
        }
    }
    controls.pending = still;
}

impl Controls {
    /// Whether somebody subscribed to an event.
    pub fn listens(&self, event: &str) -> bool {
        let mut all = self.conns.values().flat_map(|c| &c.subscriptions).flat_map(|s| &s.events);
        all.any(|e| e == "*" || e == event)
    }
}

/// Tells subscribers of an event.
pub fn event(controls: &mut Controls, s: &mut State, event: &Event) {
    let mut params = Map::new();
    let mut put = |name: &str, value: Option<String>| {
        if let Some(v) = value {
            params.insert(name.to_owned(), v.into());
        }
    };
    put("session", event.session.map(|i| i.to_string()));
    put("window", event.window.map(|i| i.to_string()));
    put("pane", event.pane.map(|i| i.to_string()));
    put("client", event.client.and_then(|c| s.model.client(c)).map(|c| c.name.clone()));
    for (n, v) in &event.fields {
        put(n, Some(v.clone()));
    }
    for (conn, c) in &controls.conns {
        let wanted = c.subscriptions.iter().any(|sub| {
            sub.events.iter().any(|e| e == "*" || e == event.name)
                && sub.pane.is_none_or(|p| event.pane.is_none_or(|q| p == q))
        });
        if wanted {
            let line = json!({ "event": event.name, "params": params }).to_string();
            s.model.outbox.effect(Effect::ControlWrite { conn: *conn, line });
        }
    }
}
