//! `query`: lists of the model's things as rows of typed format variables.

use serde_json::{Map, Value as Json, json};

use super::{Failure, Said, VerbCx};
use crate::format::Value;
use crate::model::find;
use crate::vars::{Scope, World};

/// What each list has without `vars`.
const LISTS: &[(&str, &[&str])] = &[
    (
        "panes",
        &[
            "pane_id",
            "window_id",
            "session_name",
            "pane_index",
            "pane_active",
            "pane_width",
            "pane_height",
            "pane_pid",
            "pane_current_command",
            "pane_title",
            "pane_dead",
            "pane_in_mode",
        ],
    ),
    (
        "windows",
        &[
            "window_id",
            "session_name",
            "window_index",
            "window_name",
            "window_active",
            "window_panes",
            "window_width",
            "window_height",
            "window_layout",
        ],
    ),
    ("sessions", &["session_id", "session_name", "session_windows", "session_attached", "session_created"]),
    ("clients", &["client_name", "client_session", "client_tty", "client_width", "client_height", "client_pid"]),
    ("buffers", &["buffer_name", "buffer_size", "buffer_created"]),
    ("flows", &[]),
];

pub(super) fn query(cx: &mut VerbCx, params: &Map<String, Json>) -> Result<Said, Failure> {
    let list = params.get("list").and_then(Json::as_str).unwrap_or("");
    let Some((_, usual)) = LISTS.iter().find(|(n, _)| *n == list) else {
        let names: Vec<&str> = LISTS.iter().map(|(n, _)| *n).collect();
        return Err(Failure::new("bad_params", format!("list: one of {}, given {list}", names.join(", "))));
    };
    if list == "flows" {
        let rows: Vec<Json> = cx
            .s
            .model
            .asks
            .iter()
            .map(|a| json!({ "flow": a.id.to_string(), "title": a.title, "open": a.is_open(), "shown": a.client.is_some() }))
            .collect();
        return Ok(Said::Now(Json::Array(rows)));
    }
    let vars: Vec<String> = match params.get("vars") {
        None | Some(Json::Null) => usual.iter().map(|v| (*v).to_owned()).collect(),
        Some(Json::Array(a)) => a
            .iter()
            .map(|v| v.as_str().map(str::to_owned).ok_or_else(|| Failure::new("bad_params", "vars: must be strings")))
            .collect::<Result<_, _>>()?,
        Some(_) => return Err(Failure::new("bad_params", "vars: must be a list of strings")),
    };
    for v in &vars {
        if !v.starts_with('@') && crate::format::rows::find(v).is_none() {
            return Err(Failure::new("bad_params", format!("vars: unknown variable {v}")));
        }
    }
    let filter = match params.get("filter") {
        None | Some(Json::Null) => None,
        Some(Json::String(f)) => Some(f.clone()),
        Some(_) => return Err(Failure::new("bad_params", "filter: must be a string")),
    };
    let scopes = scopes(cx, list);
    let world: World<'_> = cx.s.world(cx.out, cx.now);
    let mut rows = Vec::new();
    for scope in scopes {
        if let Some(f) = &filter
            && !world.is_true(f, &scope)
        {
            continue;
        }
        let mut row = Map::new();
        for v in &vars {
            row.insert(v.clone(), json_of(world.value(v, &scope)));
        }
        rows.push(Json::Object(row));
    }
    Ok(Said::Now(Json::Array(rows)))
}

fn scopes(cx: &VerbCx, list: &str) -> Vec<Scope> {
    let m = &cx.s.model;
    match list {
        "sessions" => {
            m.sessions.keys().filter_map(|s| find::from_session(m, *s)).map(|f| Scope::of(None, Some(f))).collect()
        }
        "windows" | "panes" => {
            let mut out = Vec::new();
            for s in m.sessions.values() {
                for &index in s.links.keys() {
                    let place = crate::model::Place { session: s.id, index };
                    let Some(f) = find::from_place(m, place) else { continue };
                    if list == "windows" {
                        out.push(Scope::of(None, Some(f)));
                        continue;
                    }
                    for &pane in m.window(f.window).map_or(&[][..], |w| &w.panes) {
                        out.push(Scope::of(None, Some(find::Found { pane, ..f })));
                    }
                }
            }
            out
        }
        "clients" => m
            .clients
            .values()
            .filter(|c| c.session.is_some())
            .map(|c| Scope::of(Some(c.id), c.session.and_then(|s| find::from_session(m, s))))
            .collect(),
        _ => m.buffers.iter().map(|b| Scope { buffer: Some(b.name.clone()), ..Scope::default() }).collect(),
    }
}

fn json_of(value: Option<Value>) -> Json {
    match value {
        None => Json::Null,
        Some(Value::Text(t)) => Json::String(t),
        Some(Value::Number(n)) => json!(n),
        Some(Value::Bool(b)) => Json::Bool(b),
        Some(Value::Time(t)) => json!(t.0),
        Some(other) => Json::String(other.print()),
    }
}
