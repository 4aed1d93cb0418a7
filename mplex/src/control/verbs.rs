//! The rows of the control verbs: name, what they take and give, and the function that carries each out.

use serde_json::{Map, Value, json};

use super::{Failure, Said, VerbCx, Waiting, query};
use crate::base::{ClientId, FlowId, PaneId, Span};
use crate::command::{Asker, ReplyTo, State, dispatch};
use crate::lang::{Arg, Grouping, Place};
use crate::model::asks::{Answer, Ask, AskKind, AskState, Ending};
use crate::model::find::{Context, FindFlags, Found, Kind};

/// A member of `params` or of a result. One without a name is the whole value.
pub struct Member {
    pub name: &'static str,
    pub required: bool,
    /// JSON Schema of the value.
    pub schema: &'static str,
    pub doc: &'static str,
}

const fn must(name: &'static str, schema: &'static str, doc: &'static str) -> Member {
    Member { name, required: true, schema, doc }
}

const fn may(name: &'static str, schema: &'static str, doc: &'static str) -> Member {
    Member { name, required: false, schema, doc }
}

/// A verb.
pub struct Verb {
    pub name: &'static str,
    pub tier: &'static str,
    pub summary: &'static str,
    /// It changes something.
    pub mutates: bool,
    pub params: &'static [Member],
    pub result: &'static [Member],
    pub exec: fn(&mut VerbCx, &Map<String, Value>) -> Result<Said, Failure>,
}

const STRING: &str = r#"{"type":"string"}"#;
const NUMBER: &str = r#"{"type":"number"}"#;
const INTEGER: &str = r#"{"type":"integer","minimum":0}"#;
const BOOL: &str = r#"{"type":"boolean"}"#;
const STRINGS: &str = r#"{"type":"array","items":{"type":"string"}}"#;
const OBJECTS: &str = r#"{"type":"array","items":{"type":"object"}}"#;
const ANY: &str = "{}";

/// All verbs, in the order in which they are listed.
pub static VERBS: &[Verb] = &[
    Verb {
        name: "ping",
        tier: "life cycle",
        summary: "says that the server is there and which one it is",
        mutates: false,
        params: &[],
        result: &[
            must("ok", BOOL, "always true"),
            must("proto", INTEGER, "version of the protocol"),
            must("version", STRING, "version of the program"),
            must("pid", INTEGER, "process of the server"),
            must("ready", BOOL, "the configuration has been read"),
            must("uptime_ms", INTEGER, "since the server started"),
        ],
        exec: ping,
    },
    Verb {
        name: "methods",
        tier: "life cycle",
        summary: "lists all verbs with the shapes of what they take and give",
        mutates: false,
        params: &[],
        result: &[must("", OBJECTS, "the verbs, in order")],
        exec: methods,
    },
    Verb {
        name: "subscribe",
        tier: "life cycle",
        summary: "sends events of these names from now on",
        mutates: false,
        params: &[must("events", STRINGS, "names of events; * is all"), may("pane", STRING, "only of this pane")],
        result: &[must("subscription", INTEGER, "for unsubscribe")],
        exec: subscribe,
    },
    Verb {
        name: "unsubscribe",
        tier: "life cycle",
        summary: "ends a subscription",
        mutates: false,
        params: &[must("subscription", INTEGER, "what subscribe gave")],
        result: &[],
        exec: unsubscribe,
    },
    Verb {
        name: "command",
        tier: "life cycle",
        summary: "runs commands of the command language",
        mutates: true,
        params: &[
            may("line", STRING, "commands as they are written in a configuration"),
            may("argv", STRINGS, "one command, split into words"),
            may("target", STRING, "what is current for the commands"),
        ],
        result: &[must("output", STRINGS, "the lines that the commands printed")],
        exec: command,
    },
    Verb {
        name: "query",
        tier: "life cycle",
        summary: "lists panes, windows, sessions, clients, buffers or asks with typed variables",
        mutates: false,
        params: &[
            must("list", STRING, "panes, windows, sessions, clients, buffers or flows"),
            may("vars", STRINGS, "format variables; without them the usual ones of the list"),
            may("filter", STRING, "a format: rows for which it is false are left out"),
        ],
        result: &[must("", OBJECTS, "a row each, with a member per variable; one that means nothing there is null")],
        exec: query::query,
    },
    Verb {
        name: "quit",
        tier: "life cycle",
        summary: "ends a pane or the server; answered first",
        mutates: true,
        params: &[may("pane", STRING, "the pane to end"), may("server", BOOL, "true ends the server")],
        result: &[],
        exec: quit,
    },
    Verb {
        name: "show",
        tier: "asking",
        summary: "asks the person a question on the client that looks at a pane",
        mutates: true,
        params: &[
            may("pane", STRING, "whose client is asked"),
            may("target", STRING, "the same as a target"),
            must("kind", r#"{"enum":["choice","text","message"]}"#, "choice, text or message"),
            may("title", STRING, "at most 200 characters"),
            may("text", STRING, "context above the question, at most 2000 characters"),
            may("options", STRINGS, "choice: 1 to 12, at most 200 characters each"),
            may("default", INTEGER, "choice: index of the row that is marked first"),
            may("label", STRING, "text: what stands before the input, at most 200 characters"),
            may("initial", STRING, "text: what stands in it, at most 2000 characters"),
            may("timeout", NUMBER, "seconds, 0.1 to 600; without it there is no limit"),
            may("from", STRING, "who asks, as they say it, at most 64 characters"),
        ],
        result: &[must("flow", STRING, "the ask, for result and cancel")],
        exec: show,
    },
    Verb {
        name: "result",
        tier: "asking",
        summary: "how an ask ended; an answer is handed out once",
        mutates: true,
        params: &[
            must("flow", STRING, "what show gave"),
            may("wait_ms", r#"{"type":"integer","minimum":0,"maximum":60000}"#, "wait so long for the end"),
        ],
        result: &[
            must("done", BOOL, "whether it has ended"),
            may("status", r#"{"enum":["ok","cancelled","timeout"]}"#, "how"),
            may("value", ANY, "index of a choice, text, or null of a message"),
        ],
        exec: result,
    },
    Verb {
        name: "cancel",
        tier: "asking",
        summary: "takes an open ask back",
        mutates: true,
        params: &[must("flow", STRING, "what show gave")],
        result: &[must("cancelled", BOOL, "false if it had ended")],
        exec: cancel,
    },
];

fn schema(members: &[Member]) -> Value {
    let one = |m: &Member| {
        let mut s: Value = serde_json::from_str(m.schema).unwrap_or_default();
        if let Value::Object(o) = &mut s {
            o.insert("description".into(), m.doc.into());
        }
        s
    };
    if let [whole] = members
        && whole.name.is_empty()
    {
        return one(whole);
    }
    let properties: Map<String, Value> = members.iter().map(|m| (m.name.to_owned(), one(m))).collect();
    let required: Vec<&str> = members.iter().filter(|m| m.required).map(|m| m.name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn ping(cx: &mut VerbCx, _: &Map<String, Value>) -> Result<Said, Failure> {
    Ok(Said::Now(json!({
        "ok": true,
        "proto": 1,
        "version": crate::VERSION,
        "pid": cx.s.model.facts.pid,
        "ready": cx.s.configured,
        "uptime_ms": cx.now.mono.0 / 1000,
    })))
}

fn methods(_: &mut VerbCx, _: &Map<String, Value>) -> Result<Said, Failure> {
    let rows: Vec<Value> = VERBS
        .iter()
        .map(|v| {
            json!({
                "name": v.name,
                "tier": v.tier,
                "summary": v.summary,
                "params": schema(v.params),
                "result": schema(v.result),
                "mutates": v.mutates,
            })
        })
        .collect();
    Ok(Said::Now(Value::Array(rows)))
}

/// A text member of at most so many characters.
fn text(params: &Map<String, Value>, name: &str, limit: usize) -> Result<Option<String>, Failure> {
    match params.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(t)) => {
            let n = t.chars().count();
            if n > limit {
                let f = Failure::new("bad_params", format!("{name}: at most {limit} characters, given {n}"));
                return Err(f.data(json!({ "member": name, "limit": limit, "given": n })));
            }
            Ok(Some(t.clone()))
        }
        Some(v) => Err(Failure::new("bad_params", format!("{name}: must be a string, given {v}"))),
    }
}

fn strings(params: &Map<String, Value>, name: &str) -> Result<Option<Vec<String>>, Failure> {
    let wrong = || Failure::new("bad_params", format!("{name}: must be a list of strings"));
    match params.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(a)) => {
            a.iter().map(|v| v.as_str().map(str::to_owned).ok_or_else(wrong)).collect::<Result<_, _>>().map(Some)
        }
        Some(_) => Err(wrong()),
    }
}

fn subscribe(cx: &mut VerbCx, params: &Map<String, Value>) -> Result<Said, Failure> {
    let events = strings(params, "events")?.unwrap_or_default();
    for e in &events {
        if e != "*" && !crate::event::rows::is_event(e) {
            return Err(Failure::new("bad_params", format!("events: unknown event {e}")));
        }
    }
    let pane = pane_param(cx, params)?;
    let number = cx.controls.subscribe(cx.conn, events, pane)?;
    Ok(Said::Now(json!({ "subscription": number })))
}

fn unsubscribe(cx: &mut VerbCx, params: &Map<String, Value>) -> Result<Said, Failure> {
    let number = params.get("subscription").and_then(Value::as_u64);
    let known = number.is_some_and(|n| cx.controls.unsubscribe(cx.conn, n));
    if !known {
        return Err(Failure::new("bad_params", "subscription: no such subscription of this connection"));
    }
    Ok(Said::Now(json!({})))
}

fn pane_param(cx: &VerbCx, params: &Map<String, Value>) -> Result<Option<PaneId>, Failure> {
    match text(params, "pane", 64)? {
        None => Ok(None),
        Some(t) => PaneId::parse(&t)
            .filter(|p| cx.s.model.pane(*p).is_some())
            .map(Some)
            .ok_or_else(|| Failure::new("no_target", format!("can't find pane: {t}"))),
    }
}

/// What a request is about: `pane`, `target`, the pane the caller runs in.
fn found(cx: &mut VerbCx, params: &Map<String, Value>) -> Result<Option<Found>, Failure> {
    if let Some(pane) = pane_param(cx, params)? {
        return Ok(crate::model::find::from_pane(&cx.s.model, pane));
    }
    let inside = caller_pane(cx);
    let current = inside.and_then(|p| crate::model::find::from_pane(&cx.s.model, p));
    let Some(target) = text(params, "target", 1000)? else { return Ok(current) };
    let context = Context { current, ..Context::default() };
    dispatch::find_target(cx.s, cx.out, Some(&target), Kind::Pane, FindFlags::empty(), &context)
        .map(Some)
        .map_err(|e| Failure::new("no_target", e))
}

/// The pane in whose process tree the caller is.
fn caller_pane(cx: &mut VerbCx) -> Option<PaneId> {
    let pid = cx.controls.peer(cx.conn).pid;
    let chain = cx.out.parents(pid);
    chain.iter().chain([&pid]).find_map(|p| cx.s.model.panes.values().find(|q| q.pid == Some(*p))).map(|p| p.id)
}

fn command(cx: &mut VerbCx, params: &Map<String, Value>) -> Result<Said, Failure> {
    let current = found(cx, params)?;
    let line = text(params, "line", super::MAX_LINE)?;
    let argv = strings(params, "argv")?;
    let parsed = match (line, argv) {
        (Some(l), None) => dispatch::parse_text(cx.s, cx.out, cx.now, &l, Place::default(), Grouping::Whole),
        (None, Some(a)) => {
            let args: Vec<Arg> = a.into_iter().map(Arg::Text).collect();
            dispatch::parse_args(cx.s, cx.out, cx.now, &args, Place::default())
        }
        _ => return Err(Failure::new("bad_params", "command needs either line or argv")),
    };
    let list = parsed.map_err(|e| Failure::new("bad_params", e))?;
    let ticket = cx.s.fresh_number();
    // Owners of requests count down from the top, so that they never meet a client's id.
    let owner = ClientId(u32::MAX - (ticket % (1 << 30)) as u32);
    let reply = ReplyTo::Control { conn: cx.conn, ticket };
    let asker = Asker { reply, current, ..Asker::default() };
    if !cx.s.queues.append(Some(owner), &list, asker) {
        return Err(Failure::new("too_many", "too many commands are waiting"));
    }
    Ok(Said::Later(Waiting::Command { owner, ticket }))
}

fn quit(cx: &mut VerbCx, params: &Map<String, Value>) -> Result<Said, Failure> {
    let server = params.get("server").and_then(Value::as_bool).unwrap_or(false);
    match (pane_param(cx, params)?, server) {
        (Some(pane), false) => cx.s.kill_pane(pane, cx.now),
        (None, true) => cx.s.exiting = true,
        _ => return Err(Failure::new("bad_params", "quit needs either pane or server: true")),
    }
    Ok(Said::Now(json!({})))
}

fn show(cx: &mut VerbCx, params: &Map<String, Value>) -> Result<Said, Failure> {
    let kind_name = text(params, "kind", 20)?.unwrap_or_default();
    let title = text(params, "title", 200)?.unwrap_or_default();
    let body = text(params, "text", 2000)?.unwrap_or_default();
    let only = |name: &str, kind: &str| {
        if kind_name != kind && params.get(name).is_some_and(|v| !v.is_null()) {
            return Err(Failure::new("bad_params", format!("{name}: only for kind {kind}")));
        }
        Ok(())
    };
    only("options", "choice")?;
    only("default", "choice")?;
    only("label", "text")?;
    only("initial", "text")?;
    let kind = match kind_name.as_str() {
        "choice" => choice(params)?,
        "text" => AskKind::Text {
            label: text(params, "label", 200)?.unwrap_or_default(),
            initial: text(params, "initial", 2000)?.unwrap_or_default(),
        },
        "message" => AskKind::Message,
        other => {
            let f = Failure::new("bad_params", format!("kind: choice, text or message, given {other}"));
            return Err(f);
        }
    };
    let timeout = match params.get("timeout") {
        None | Some(Value::Null) => None,
        Some(v) => {
            let secs = v.as_f64().filter(|t| (0.1..=600.0).contains(t));
            let Some(secs) = secs else {
                let f = Failure::new("bad_params", format!("timeout: 0.1 to 600 seconds, given {v}"));
                return Err(f.data(json!({ "member": "timeout", "limit": [0.1, 600], "given": v })));
            };
            Some(Span((secs * 1e6) as u64))
        }
    };
    let claim = text(params, "from", 64)?;
    let found = found(cx, params)?
        .or_else(|| crate::model::find::from_client(&cx.s.model, None, FindFlags::empty()))
        .ok_or_else(|| Failure::new("no_target", "no session to ask in"))?;
    let max = cx.s.model.asks.max;
    if cx.s.model.asks.open_count() >= max {
        let f = Failure::new("too_many", format!("{max} asks are open already"));
        return Err(f.data(json!({ "limit": max })));
    }
    let client =
        cx.s.model
            .clients_of(found.session)
            .filter(|c| c.can_answer())
            .max_by_key(|c| c.seen)
            .map(|c| c.id)
            .ok_or_else(|| {
                Failure::new("no_client", "nobody is attached to the session of that pane")
                    .hint("attach a client, or ask in a session that has one")
                    .data(json!({ "retry": false }))
            })?;
    if let Some(open) = cx.s.model.asks.shown_on(client) {
        let f = Failure::new("busy", "that client already has an open dialog");
        return Err(f.data(json!({ "flow": open.id.to_string(), "retry": true })));
    }
    let peer = cx.controls.peer(cx.conn);
    let program = cx.out.program(peer.pid);
    let known = match program {
        Some(p) => format!("{p}, pid {}", peer.pid),
        None if peer.pid != 0 => format!("pid {}", peer.pid),
        None => String::new(),
    };
    let id = cx.s.model.fresh_flow();
    cx.s.model.asks.insert(Ask {
        id,
        claim,
        known,
        conn: Some(cx.conn),
        session: found.session,
        pane: Some(found.pane),
        kind,
        title,
        text: body,
        deadline: timeout.map(|t| cx.now.mono + t),
        state: AskState::Open,
        client: None,
        driver_seen: cx.now.mono,
        driver_gone: false,
    });
    cx.s.show_ask_on(id, client);
    Ok(Said::Now(json!({ "flow": id.to_string() })))
}

fn choice(params: &Map<String, Value>) -> Result<AskKind, Failure> {
    let options = strings(params, "options")?.ok_or_else(|| Failure::new("bad_params", "choice needs options"))?;
    let n = options.len();
    if !(1..=12).contains(&n) {
        let f = Failure::new("bad_params", format!("options: 1 to 12, given {n}"));
        return Err(f.data(json!({ "member": "options", "limit": [1, 12], "given": n })));
    }
    for (i, o) in options.iter().enumerate() {
        let len = o.chars().count();
        if len > 200 {
            let f = Failure::new("bad_params", format!("options[{i}]: at most 200 characters, given {len}"));
            return Err(f.data(json!({ "member": format!("options[{i}]"), "limit": 200, "given": len })));
        }
    }
    let default = match params.get("default") {
        None | Some(Value::Null) => None,
        Some(v) => match v.as_u64().filter(|d| (*d as usize) < n) {
            Some(d) => Some(d as usize),
            None => {
                let f = Failure::new("bad_params", format!("default: 0 to {}, given {v}", n - 1));
                return Err(f.data(json!({ "member": "default", "limit": [0, n - 1], "given": v })));
            }
        },
    };
    Ok(AskKind::Choice { options, default })
}

fn flow_param(params: &Map<String, Value>) -> Result<FlowId, Failure> {
    let t = text(params, "flow", 64)?.unwrap_or_default();
    FlowId::parse(&t).ok_or_else(|| Failure::new("unknown_flow", format!("no such flow: {t}")))
}

/// How an ask stands; the answer of one that ended is handed out, once.
pub(super) fn flow_result(s: &mut State, flow: FlowId) -> Result<Value, Failure> {
    match s.model.asks.get(flow) {
        None => Err(Failure::new("unknown_flow", format!("no such flow: {flow}"))),
        Some(a) if a.is_open() => Ok(json!({ "done": false })),
        Some(_) => Ok(match s.model.asks.collect(flow) {
            Some(Ending::Ok(answer)) => {
                let value = match answer {
                    Answer::Index(n) => json!(n),
                    Answer::Text(t) => json!(t),
                    Answer::Seen => Value::Null,
                };
                json!({ "done": true, "status": "ok", "value": value })
            }
            Some(Ending::Timeout) => json!({ "done": true, "status": "timeout" }),
            Some(Ending::Cancelled) | None => json!({ "done": true, "status": "cancelled" }),
        }),
    }
}

fn result(cx: &mut VerbCx, params: &Map<String, Value>) -> Result<Said, Failure> {
    let flow = flow_param(params)?;
    let wait = match params.get("wait_ms") {
        None | Some(Value::Null) => 0,
        Some(v) => v.as_u64().filter(|w| *w <= 60_000).ok_or_else(|| {
            Failure::new("bad_params", format!("wait_ms: 0 to 60000, given {v}"))
                .data(json!({ "member": "wait_ms", "limit": [0, 60_000], "given": v }))
        })?,
    };
    cx.s.model.asks.heard_of(flow, cx.conn, cx.now.mono);
    let open = cx.s.model.asks.get(flow).is_some_and(|a| a.is_open());
    if open && wait > 0 {
        return Ok(Said::Later(Waiting::Flow { flow, until: cx.now.mono + Span::from_millis(wait) }));
    }
    flow_result(cx.s, flow).map(Said::Now)
}

fn cancel(cx: &mut VerbCx, params: &Map<String, Value>) -> Result<Said, Failure> {
    let flow = flow_param(params)?;
    if cx.s.model.asks.get(flow).is_none() {
        return Err(Failure::new("unknown_flow", format!("no such flow: {flow}")));
    }
    let cancelled = cx.s.model.asks.finish(flow, Ending::Cancelled, cx.now.mono);
    if cancelled {
        cx.s.ask_ended(flow);
        // Its driver took it back and knows how it ended; who waits for the end is still told.
        if !cx.controls.waits_for(flow) {
            cx.s.model.asks.collect(flow);
        }
    }
    Ok(Said::Now(json!({ "cancelled": cancelled })))
}
