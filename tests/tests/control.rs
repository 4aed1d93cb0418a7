//! The control socket against whatever may come down it: always an answer, never a panic, limits as they are said.

use std::collections::{BTreeMap, BTreeSet};

use mplex::base::{ConnId, Size, Span};
use mplex::core::Arrival;
use mplex_tests::player::{Stage, Who, pid_of};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::{Value, json};

struct Server {
    stage: Stage,
    conn: ConnId,
}

impl Server {
    /// A session with a person before it, and a connection from its pane.
    fn new() -> Server {
        let mut stage = Stage::new(BTreeMap::new());
        let size = Some(Size::new(60, 15));
        let who = Who { size, term: "xterm-256color", features: None, inside: None, stdin: Vec::new() };
        stage.connect(Vec::new(), who);
        stage.settle().unwrap();
        let conn = stage.open_control(pid_of(mplex::base::PaneId(0)));
        Server { stage, conn }
    }

    fn send(&mut self, line: &[u8]) {
        self.stage.arrive(Arrival::ControlLine { conn: self.conn, line: line.to_vec() });
        self.stage.settle().unwrap();
    }

    fn got(&mut self) -> Vec<Value> {
        let lines = self.stage.lines.get_mut(&self.conn).map(std::mem::take).unwrap_or_default();
        lines.iter().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}"))).collect()
    }

    /// The one reply to a request.
    #[track_caller]
    fn ask(&mut self, request: &Value) -> Value {
        self.send(request.to_string().as_bytes());
        let mut got = self.got();
        got.retain(|v| v.get("event").is_none());
        assert_eq!(got.len(), 1, "{request}: {got:?}");
        got.remove(0)
    }
}

#[track_caller]
fn check_error(reply: &Value, code: &str) {
    assert_eq!(reply["error"]["code"], code, "{reply}");
    assert!(reply["error"]["message"].as_str().is_some_and(|m| !m.is_empty()), "{reply}");
    assert!(reply.get("result").is_none(), "{reply}");
}

const CODES: &[&str] = &[
    "parse",
    "bad_request",
    "unknown_method",
    "bad_params",
    "too_large",
    "too_many",
    "no_target",
    "no_client",
    "busy",
    "not_ready",
    "unknown_flow",
    "timeout",
    "driven",
    "denied",
    "exited",
    "internal",
    "unsupported",
];

/// Values that are wrong in most places, and right in some.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0..15i64).prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
        prop::sample::select(vec![
            "%0",
            "%9",
            "@0",
            "$0",
            "f1",
            "f2",
            "choice",
            "text",
            "message",
            "panes",
            "windows",
            "sessions",
            "clients",
            "buffers",
            "flows",
            "*",
            "human_input",
            "display-message -p x",
            "#{pane_id}",
            "pane_id",
            "0:0.0",
            "=0:",
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map("[a-z]{1,6}", inner, 0..4).prop_map(|m| m.into_iter().collect()),
        ]
    })
}

fn request() -> impl Strategy<Value = Value> {
    let method = prop::sample::select(vec![
        "ping",
        "methods",
        "subscribe",
        "unsubscribe",
        "command",
        "query",
        "show",
        "result",
        "cancel",
        "nonsense",
        "",
    ]);
    let member = prop::sample::select(vec![
        "pane",
        "target",
        "kind",
        "title",
        "text",
        "options",
        "default",
        "label",
        "initial",
        "timeout",
        "from",
        "flow",
        "wait_ms",
        "events",
        "subscription",
        "line",
        "argv",
        "list",
        "vars",
        "filter",
        "other",
    ]);
    (method, prop::collection::btree_map(member, value(), 0..6), any::<u32>())
        .prop_map(|(method, params, id)| json!({ "id": id, "method": method, "params": params }))
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => request().prop_map(|r| r.to_string().into_bytes()),
        1 => value().prop_map(|v| v.to_string().into_bytes()),
        1 => prop::collection::btree_map(prop::sample::select(vec!["id", "method", "params", "x"]), value(), 0..4)
            .prop_map(|m| json!(m).to_string().into_bytes()),
        1 => prop::collection::vec(any::<u8>().prop_filter("a line", |b| *b != b'\n'), 1..60),
        1 => (request(), 0..80usize).prop_map(|(r, n)| {
            let mut bytes = r.to_string().into_bytes();
            bytes.truncate(n.max(1));
            bytes
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_line_has_one_answer(lines in prop::collection::vec(line(), 1..24)) {
        let mut server = Server::new();
        let mut waiting = 0;
        for line in &lines {
            server.send(line);
            let blank = line.iter().all(u8::is_ascii_whitespace);
            let replies: Vec<Value> = server.got().into_iter().filter(|v| v.get("event").is_none()).collect();
            for r in &replies {
                prop_assert_eq!(r.get("result").is_some(), r.get("error").is_none(), "{}", r);
                if let Some(e) = r.get("error") {
                    let code = e["code"].as_str().unwrap_or_default();
                    prop_assert!(CODES.contains(&code), "{}", r);
                    prop_assert!(code != "internal", "{}", r);
                }
            }
            waiting += usize::from(!blank);
            prop_assert!(replies.len() <= waiting, "more answers than questions");
            waiting -= replies.len();
        }
        // What still waits is waiting for the person, at most so long.
        server.stage.pass(Span::from_secs(61)).unwrap();
        let late = server.got().into_iter().filter(|v| v.get("event").is_none()).count();
        prop_assert_eq!(late, waiting, "every line has an answer in the end");
        prop_assert_eq!(&server.ask(&json!({"id": "z", "method": "ping"}))["result"]["ok"], &json!(true));
    }
}

#[test]
fn the_schemas_describe_what_is_taken_and_given() {
    let mut server = Server::new();
    let methods = server.ask(&json!({"id": 1, "method": "methods"}))["result"].clone();
    let mut names = BTreeSet::new();
    for m in methods.as_array().unwrap() {
        assert!(names.insert(m["name"].as_str().unwrap().to_owned()), "{m}");
        for side in ["params", "result"] {
            let schema = m[side].as_object().unwrap();
            let kind = schema["type"].as_str().unwrap();
            assert!(matches!(kind, "object" | "array"), "{m}");
            if kind == "object" {
                let properties = schema["properties"].as_object().unwrap();
                for p in properties.values() {
                    assert!(p["description"].as_str().is_some_and(|d| !d.is_empty()), "{m}: {p}");
                }
                for r in schema["required"].as_array().unwrap() {
                    assert!(properties.contains_key(r.as_str().unwrap()), "{m}");
                }
            }
        }
        // A member that is not in the schema is refused by name.
        let reply = server.ask(&json!({"id": 2, "method": m["name"], "params": {"zzz": 1}}));
        check_error(&reply, "bad_params");
        assert!(reply["error"]["message"].as_str().unwrap().contains("zzz"), "{reply}");
    }
    for name in ["ping", "methods", "subscribe", "unsubscribe", "command", "query", "quit", "show", "result", "cancel"]
    {
        assert!(names.contains(name), "{name}");
    }
}

#[test]
fn ids_are_scalars_and_come_back() {
    let mut server = Server::new();
    for id in [json!(1), json!("a"), json!(true), json!(null), json!(1.5), json!(-7)] {
        assert_eq!(server.ask(&json!({"id": id, "method": "ping"}))["id"], id);
    }
    for id in [json!([1]), json!({"a": 1})] {
        let reply = server.ask(&json!({"id": id, "method": "ping"}));
        check_error(&reply, "bad_request");
        assert_eq!(reply["id"], Value::Null);
    }
    for bad in ["{\"id\":1", "[]", "7", "\"x\"", "{\"id\":1}}", "nonsense"] {
        server.send(bad.as_bytes());
        let got = server.got();
        check_error(&got[0], "parse");
        assert_eq!(got[0]["id"], Value::Null);
    }
    check_error(&server.ask(&json!({"id": 1})), "bad_request");
    check_error(&server.ask(&json!({"id": 1, "method": 7})), "bad_request");
    check_error(&server.ask(&json!({"id": 1, "method": "ping", "params": []})), "bad_request");
    check_error(&server.ask(&json!({"id": 1, "method": "ping", "more": 1})), "bad_request");
    check_error(&server.ask(&json!({"id": 1, "method": "pong"})), "unknown_method");
}

#[test]
fn replies_come_as_they_are_ready_and_not_too_many_wait() {
    let mut server = Server::new();
    let flow = server.ask(&json!({"id": 0, "method": "show", "params": {"kind": "message", "title": "t"}}));
    let flow = flow["result"]["flow"].clone();
    for n in 1..=64 {
        let wait = json!({"id": n, "method": "result", "params": {"flow": flow, "wait_ms": 60000}});
        server.send(wait.to_string().as_bytes());
        assert_eq!(server.got(), Vec::<Value>::new());
    }
    check_error(&server.ask(&json!({"id": 65, "method": "ping"})), "too_many");
    server.stage.pass(Span::from_secs(60)).unwrap();
    let got = server.got();
    assert_eq!(got.len(), 64);
    assert!(got.iter().all(|r| r["result"]["done"] == json!(false)));
    // Answered while it waits: the request after it had its reply first.
    server
        .send(json!({"id": "w", "method": "result", "params": {"flow": flow, "wait_ms": 9000}}).to_string().as_bytes());
    assert_eq!(server.ask(&json!({"id": "p", "method": "ping"}))["id"], "p");
    server.send(json!({"id": "c", "method": "cancel", "params": {"flow": flow}}).to_string().as_bytes());
    let got = server.got();
    assert!(got.iter().any(|r| r["id"] == "c" && r["result"]["cancelled"] == json!(true)), "{got:?}");
    assert!(got.iter().any(|r| r["id"] == "w" && r["result"]["status"] == "cancelled"), "{got:?}");
}

#[test]
fn limits_are_told_with_what_was_given() {
    let mut server = Server::new();
    for (params, member, limit, given) in [
        (json!({"kind": "choice", "title": "x".repeat(201), "options": ["a"]}), "title", json!(200), json!(201)),
        (json!({"kind": "message", "text": "x".repeat(2001)}), "text", json!(2000), json!(2001)),
        (json!({"kind": "choice", "options": vec!["a"; 13]}), "options", json!([1, 12]), json!(13)),
        (json!({"kind": "choice", "options": ["a", "ü".repeat(201)]}), "options[1]", json!(200), json!(201)),
        (json!({"kind": "choice", "options": ["a"], "default": 1}), "default", json!([0, 0]), json!(1)),
        (json!({"kind": "text", "initial": "x".repeat(2001)}), "initial", json!(2000), json!(2001)),
        (json!({"kind": "message", "timeout": 601}), "timeout", json!([0.1, 600]), json!(601)),
        (json!({"kind": "message", "from": "x".repeat(65)}), "from", json!(64), json!(65)),
    ] {
        let reply = server.ask(&json!({"id": 1, "method": "show", "params": params}));
        check_error(&reply, "bad_params");
        assert_eq!(reply["error"]["data"], json!({"member": member, "limit": limit, "given": given}), "{reply}");
    }
    let line = vec![b'x'; 1 << 20];
    server.send(&line);
    check_error(&server.got()[0], "parse");
}

#[test]
fn queries_are_typed() {
    let mut server = Server::new();
    let vars = json!(["pane_id", "pane_width", "pane_active", "session_created", "pane_dead"]);
    let rows = server.ask(&json!({"id": 1, "method": "query", "params": {"list": "panes", "vars": vars}}));
    let row = &rows["result"][0];
    assert_eq!((&row["pane_id"], &row["pane_width"]), (&json!("%0"), &json!(60)), "{rows}");
    assert_eq!((&row["pane_active"], &row["pane_dead"]), (&json!(true), &json!(false)), "{rows}");
    assert!(row["session_created"].is_i64() || row["session_created"].is_u64(), "{rows}");
    for list in ["panes", "windows", "sessions", "clients", "buffers", "flows"] {
        let rows = server.ask(&json!({"id": 1, "method": "query", "params": {"list": list}}));
        assert!(rows["result"].is_array(), "{rows}");
    }
    let none = json!({"list": "panes", "filter": "#{==:#{pane_id},%7}"});
    assert_eq!(server.ask(&json!({"id": 1, "method": "query", "params": none}))["result"], json!([]));
    let bad = json!({"list": "panes", "vars": ["pane_ib"]});
    check_error(&server.ask(&json!({"id": 1, "method": "query", "params": bad})), "bad_params");
    check_error(&server.ask(&json!({"id": 1, "method": "query", "params": {"list": "x"}})), "bad_params");
}

#[test]
fn a_persons_typing_is_told_once_a_second() {
    let mut server = Server::new();
    let client = *server.stage.seats.keys().next().unwrap();
    let sub = server.ask(&json!({"id": 1, "method": "subscribe", "params": {"events": ["human_input"], "pane": "%0"}}));
    let press = |server: &mut Server| {
        server.stage.arrive(Arrival::TtyBytes { client, bytes: b"ab".to_vec() });
        server.stage.settle().unwrap();
        server.got()
    };
    let got = press(&mut server);
    assert_eq!(got.len(), 1, "{got:?}");
    assert_eq!((&got[0]["event"], &got[0]["params"]["pane"]), (&json!("human_input"), &json!("%0")));
    assert_eq!(press(&mut server), Vec::<Value>::new());
    server.stage.pass(Span::from_secs(1)).unwrap();
    assert_eq!(press(&mut server).len(), 1);
    let number = sub["result"]["subscription"].clone();
    let off = json!({"id": 2, "method": "unsubscribe", "params": {"subscription": number}});
    assert_eq!(server.ask(&off)["result"], json!({}));
    check_error(&server.ask(&off), "bad_params");
    server.stage.pass(Span::from_secs(1)).unwrap();
    assert_eq!(press(&mut server), Vec::<Value>::new());
}
