//! The rows of format variables: name, what it says, and how it is got. Read by `#{}`, by queries of the control socket, by
//! the docs and by a test that asks every row.

use super::Seen;
use crate::base::{Colour, Wall};
use crate::format::Value;
use crate::layer::Host;
use crate::model::layout::Direction;
use crate::model::{Alerts, ClientFlags, Life, Place};
use crate::options::{Scope as OptScope, opt};
use crate::term::{Modes, MouseTracking, Shape};

/// A variable.
pub struct Row {
    pub name: &'static str,
    pub doc: &'static str,
    pub get: fn(&Seen<'_, '_>) -> Option<Value>,
}

/// The row of a name.
pub fn find(name: &str) -> Option<&'static Row> {
    ROWS.binary_search_by(|r| r.name.cmp(name)).ok().map(|i| &ROWS[i])
}

const fn row(name: &'static str, doc: &'static str, get: fn(&Seen<'_, '_>) -> Option<Value>) -> Row {
    Row { name, doc, get }
}

fn n(v: impl TryInto<i64>) -> Option<Value> {
    v.try_into().ok().map(Value::Number)
}

fn b(v: bool) -> Option<Value> {
    Some(Value::Bool(v))
}

fn t(v: impl Into<String>) -> Option<Value> {
    Some(Value::Text(v.into()))
}

fn mode(s: &Seen<'_, '_>, m: Modes) -> Option<Value> {
    s.term(|t| t.modes().contains(m)).map(Value::Bool)
}

fn edge(s: &Seen<'_, '_>, d: Direction) -> Option<Value> {
    let w = s.window()?;
    b(w.zoomed.is_some() || w.layout.at_edge(s.pane()?.id, d))
}

fn colour(c: Option<Colour>) -> Option<Value> {
    t(c.map_or("default".to_owned(), |c| crate::format::colour::name(c)))
}

/// Flags of a window in a session as they stand behind its name: `*` current, `-` last, `#!~` alerts, `M` marked, `Z` zoomed.
pub fn window_flags(s: &Seen<'_, '_>, escape: bool) -> Option<String> {
    let place = s.place()?;
    let session = s.session()?;
    let link = session.links.get(&place.index)?;
    let w = s.window()?;
    let mut out = String::new();
    if link.alerts.contains(Alerts::ACTIVITY) {
        out.push_str(if escape { "##" } else { "#" });
    }
    if link.alerts.contains(Alerts::BELL) {
        out.push('!');
    }
    if link.alerts.contains(Alerts::SILENCE) {
        out.push('~');
    }
    if place.index == session.current {
        out.push('*');
    }
    if session.last() == Some(place.index) {
        out.push('-');
    }
    if s.world.model.marked.is_some_and(|m| m.session == place.session && m.index == place.index) {
        out.push('M');
    }
    if w.zoomed.is_some() {
        out.push('Z');
    }
    Some(out)
}

fn alert(s: &Seen<'_, '_>, a: Alerts) -> Option<Value> {
    b(s.session()?.links.get(&s.scope.index?)?.alerts.contains(a))
}

/// Links of a session with alerts: `1#,2!`.
fn alerts(s: &Seen<'_, '_>) -> Option<String> {
    let session = s.session()?;
    let parts: Vec<String> = session
        .links
        .iter()
        .filter(|(_, l)| !l.alerts.is_empty())
        .map(|(i, l)| {
            let mut p = i.to_string();
            for (a, c) in [(Alerts::ACTIVITY, '#'), (Alerts::BELL, '!'), (Alerts::SILENCE, '~')] {
                if l.alerts.contains(a) {
                    p.push(c);
                }
            }
            p
        })
        .collect();
    Some(parts.join(","))
}

fn client_flags(s: &Seen<'_, '_>) -> Option<String> {
    let c = s.client_of()?;
    let mut f = Vec::new();
    if c.session.is_some() {
        f.push("attached");
    }
    if c.flags.contains(ClientFlags::FOCUSED) {
        f.push("focused");
    }
    if c.control_level > 0 {
        f.push("control-mode");
    }
    for (bit, name) in [
        (ClientFlags::IGNORE_SIZE, "ignore-size"),
        (ClientFlags::NO_DETACH_ON_DESTROY, "no-detach-on-destroy"),
        (ClientFlags::NO_OUTPUT, "no-output"),
        (ClientFlags::WAIT_EXIT, "wait-exit"),
        (ClientFlags::READ_ONLY, "read-only"),
        (ClientFlags::ACTIVE_PANE, "active-pane"),
        (ClientFlags::SUSPENDED, "suspended"),
    ] {
        if c.flags.contains(bit) {
            f.push(name);
        }
    }
    f.push("UTF-8");
    Some(f.join(","))
}

fn group_sessions<'a>(s: &Seen<'a, '_>) -> Vec<&'a crate::model::Session> {
    let Some(session) = s.session() else { return Vec::new() };
    s.world.model.group_of(session.id).into_iter().filter_map(|id| s.world.model.session(id)).collect()
}

fn group_clients<'a>(s: &Seen<'a, '_>) -> Vec<&'a crate::model::Client> {
    group_sessions(s).iter().flat_map(|g| s.world.model.clients_of(g.id)).collect()
}

fn grouped(s: &Seen<'_, '_>) -> Option<&'static str> {
    s.session()?.group.as_ref().map(|_| "")
}

fn names<'a>(list: impl Iterator<Item = &'a str>) -> Option<Value> {
    t(list.collect::<Vec<_>>().join(","))
}

fn linked<'a>(s: &Seen<'a, '_>) -> Vec<&'a crate::model::Session> {
    let Some(w) = s.window() else { return Vec::new() };
    let mut ids: Vec<_> = s.world.model.places(w.id).iter().map(|p| p.session).collect();
    ids.dedup();
    ids.into_iter().filter_map(|i| s.world.model.session(i)).collect()
}

fn window_clients<'a>(s: &Seen<'a, '_>) -> Vec<&'a crate::model::Client> {
    let Some(w) = s.scope.window else { return Vec::new() };
    let m = s.world.model;
    m.clients.values().filter(|c| c.session.and_then(|id| m.current_window(id)) == Some(w)).collect()
}

fn active_sessions<'a>(s: &Seen<'a, '_>) -> Vec<&'a crate::model::Session> {
    let Some(w) = s.scope.window else { return Vec::new() };
    let m = s.world.model;
    m.sessions.values().filter(|x| m.current_window(x.id) == Some(w)).collect()
}

/// How far back a window lies in the session's order of visits; 0 is the current one.
fn stack_index(s: &Seen<'_, '_>) -> Option<Value> {
    let session = s.session()?;
    let index = s.scope.index?;
    if index == session.current {
        return n(0);
    }
    n(session.visited.iter().rev().position(|i| *i == index).map_or(0, |p| p + 1))
}

fn areas(s: &Seen<'_, '_>) -> Option<(crate::base::Size, crate::base::Pos, bool)> {
    let c = s.client_of()?;
    let w = s.window()?;
    let lines =
        s.world.options.choice(opt::STATUS, c.session.map_or(OptScope::GlobalSession, OptScope::Session)).lines();
    let room = crate::base::Size::new(c.size.cols, c.size.rows.saturating_sub(lines));
    let bigger = w.size.cols > room.cols || w.size.rows > room.rows;
    let at = c
        .pan
        .filter(|(id, _, _)| *id == w.id)
        .map_or(crate::base::Pos::new(0, 0), |(_, x, y)| crate::base::Pos::new(x, y));
    Some((room, at, bigger))
}

fn pane_flags(s: &Seen<'_, '_>) -> Option<String> {
    let w = s.window()?;
    let p = s.pane()?;
    let mut out = String::new();
    if w.active == p.id {
        out.push('*');
    }
    if w.last_pane() == Some(p.id) {
        out.push('-');
    }
    if s.world.model.marked.is_some_and(|m| m.pane == p.id) {
        out.push('M');
    }
    if w.zoomed == Some(p.id) {
        out.push('Z');
    }
    if p.floating {
        out.push('F');
    }
    Some(out)
}

fn dead(s: &Seen<'_, '_>) -> Option<(Option<i32>, Option<i32>, Wall)> {
    match s.pane()?.life {
        Life::Dead { code, signal, at } => Some((code, signal, at)),
        _ => None,
    }
}

fn mode_name(s: &Seen<'_, '_>) -> Option<&'static str> {
    s.world.layers.top(Host::Pane(s.scope.pane?)).map(|l| l.name())
}

fn mouse_word(s: &Seen<'_, '_>, name: &str) -> Option<Value> {
    s.scope.extra.iter().find(|(n, _)| n == name).map(|(_, v)| Value::Text(v.clone()))
}

fn buffer<'a>(s: &Seen<'a, '_>) -> Option<&'a crate::model::buffers::Buffer> {
    s.world.model.buffers.get(s.scope.buffer.as_deref()?)
}

fn short_host(host: &str) -> &str {
    host.split('.').next().unwrap_or(host)
}

/// All variables, sorted by name.
#[rustfmt::skip]
pub static ROWS: &[Row] = &[
    row("active_window_index", "index of the session's current window", |s| n(s.session()?.current)),
    row("alternate_on", "the pane shows its alternate screen", |s| s.term(|t| t.is_alternate()).map(Value::Bool)),
    row("alternate_saved_x", "column of the cursor saved for the main screen", |s| n(s.term(|t| t.main_cursor())??.0)),
    row("alternate_saved_y", "row of the cursor saved for the main screen", |s| n(s.term(|t| t.main_cursor())??.1)),
    row("ask_count", "open questions of programs", |s| n(s.world.model.asks.open_count())),
    row("bracket_paste_flag", "the program asked for bracketed pastes", |s| mode(s, Modes::BRACKETED_PASTE)),
    row("buffer_created", "when the buffer was made", |s| Some(Value::Time(buffer(s)?.created))),
    row("buffer_full", "the buffer's whole content", |s| t(String::from_utf8_lossy(&buffer(s)?.data))),
    row("buffer_name", "name of the buffer", |s| t(buffer(s)?.name.clone())),
    row("buffer_sample", "beginning of the buffer, made printable", |s| t(buffer(s)?.sample())),
    row("buffer_size", "bytes in the buffer", |s| n(buffer(s)?.data.len())),
    row("client_activity", "when the person last did something", |s| Some(Value::Time(s.client_of()?.activity))),
    row("client_cell_height", "height of a cell of the client's terminal in pixels", |s| n(s.client_of()?.cell.1)),
    row("client_cell_width", "width of a cell of the client's terminal in pixels", |s| n(s.client_of()?.cell.0)),
    row("client_control_mode", "the client is in control mode", |s| b(s.client_of()?.control_level > 0)),
    row("client_created", "when the client connected", |s| Some(Value::Time(s.client_of()?.created))),
    row("client_discarded", "bytes that were not sent because the terminal was slow", |s| n(s.client_of()?.discarded)),
    row("client_flags", "flags of the client, separated by commas", |s| t(client_flags(s)?)),
    row("client_height", "rows of the client", |s| n(s.client_of()?.size.rows)),
    row("client_key_table", "table in which the client's next key is looked up", |s| {
        let c = s.client_of()?;
        if c.table.is_empty() {
            return t(s.world.options.text(opt::KEY_TABLE, c.session.map_or(OptScope::GlobalSession, OptScope::Session)));
        }
        t(c.table.clone())
    }),
    row("client_last_session", "name of the session before this one", |s| t(s.world.model.session(s.client_of()?.last_session?)?.name.clone())),
    row("client_name", "name of the client", |s| t(s.client_of()?.name.clone())),
    row("client_pid", "process of the client", |s| n(s.client_of()?.pid)),
    row("client_prefix", "the prefix key was pressed", |s| b(s.client_of()?.table == "prefix")),
    row("client_readonly", "the client may only look", |s| b(s.client_of()?.flags.contains(ClientFlags::READ_ONLY))),
    row("client_session", "name of the client's session", |s| t(s.world.model.session(s.client_of()?.session?)?.name.clone())),
    row("client_termfeatures", "features of the client's terminal", |s| t(s.client_of()?.feature_names.clone())),
    row("client_termname", "TERM of the client", |s| t(s.client_of()?.term.clone())),
    row("client_termtype", "what the client's terminal calls itself", |s| t(s.client_of()?.term_type.clone())),
    row("client_tty", "path of the client's terminal", |s| t(s.client_of()?.tty.clone())),
    row("client_uid", "user id of the client", |s| n(s.client_of()?.uid)),
    row("client_user", "user of the client", |s| t(s.client_of().filter(|c| c.uid == s.world.model.facts.uid).map(|_| s.world.model.facts.user.clone())?)),
    row("client_utf8", "the client understands UTF-8", |s| s.client_of().and_then(|_| b(true))),
    row("client_width", "columns of the client", |s| n(s.client_of()?.size.cols)),
    row("client_written", "bytes sent to the client's terminal", |s| n(s.client_of()?.written)),
    row("config_files", "configuration files that were read", |s| t(s.world.model.facts.config_files.join(","))),
    row("cursor_blinking", "the pane's cursor blinks", |s| s.term(|t| t.cursor().blink.unwrap_or(false)).map(Value::Bool)),
    row("cursor_character", "character under the pane's cursor", |s| {
        s.term(|t| {
            use crate::grid::Lines as _;
            let (c, view) = (t.cursor(), t.view());
            let mut buf = crate::grid::RowBuf::new();
            view.row(view.history() + c.y as usize, &mut buf);
            Value::Text(buf.cell(c.x).text.to_owned())
        })
    }),
    row("cursor_colour", "colour of the pane's cursor", |s| colour(s.term(|t| t.cursor().colour)?)),
    row("cursor_flag", "the pane's cursor shows", |s| s.term(|t| t.cursor().visible).map(Value::Bool)),
    row("cursor_shape", "shape of the pane's cursor", |s| {
        t(match s.term(|t| t.cursor().shape)? {
            Shape::Default => "default",
            Shape::Block => "block",
            Shape::Underline => "underline",
            Shape::Bar => "bar",
        })
    }),
    row("cursor_very_visible", "the pane's cursor is very visible", |s| s.term(|t| t.cursor().blink == Some(true)).map(Value::Bool)),
    row("cursor_x", "column of the pane's cursor", |s| n(s.term(|t| t.cursor().x)?)),
    row("cursor_y", "row of the pane's cursor", |s| n(s.term(|t| t.cursor().y)?)),
    row("history_bytes", "bytes of the pane's history", |s| n(s.term(|t| t.history_bytes())?)),
    row("history_limit", "most lines of the pane's history", |s| n(s.term(|t| t.history_store().limits().history_lines)?)),
    row("history_size", "rows of the pane's history", |s| n(s.term(|t| t.history_store().rows())?)),
    row("host", "name of the machine", |s| t(s.world.model.facts.host.clone())),
    row("host_short", "name of the machine without its domain", |s| t(short_host(&s.world.model.facts.host))),
    row("insert_flag", "the pane inserts", |s| mode(s, Modes::INSERT)),
    row("keypad_cursor_flag", "cursor keys are in application mode", |s| mode(s, Modes::CURSOR_KEYS)),
    row("keypad_flag", "the keypad is in application mode", |s| mode(s, Modes::KEYPAD)),
    row("last_window_index", "highest index of the session", |s| n(*s.session()?.links.keys().next_back()?)),
    row("mouse_all_flag", "the program wants all mouse moves", |s| s.term(|t| t.mouse().tracking == MouseTracking::Any).map(Value::Bool)),
    row("mouse_any_flag", "the program wants the mouse", |s| s.term(|t| t.mouse().tracking != MouseTracking::Off).map(Value::Bool)),
    row("mouse_button_flag", "the program wants mouse drags", |s| s.term(|t| t.mouse().tracking == MouseTracking::Button).map(Value::Bool)),
    row("mouse_hyperlink", "link under the mouse", |s| mouse_word(s, "mouse_hyperlink")),
    row("mouse_line", "line under the mouse", |s| mouse_word(s, "mouse_line")),
    row("mouse_pane", "pane under the mouse", |s| mouse_word(s, "mouse_pane")),
    row("mouse_sgr_flag", "the program wants SGR mouse reports", |s| mode(s, Modes::MOUSE_SGR)),
    row("mouse_standard_flag", "the program wants mouse buttons", |s| s.term(|t| t.mouse().tracking == MouseTracking::Normal).map(Value::Bool)),
    row("mouse_status_line", "status row under the mouse", |s| mouse_word(s, "mouse_status_line")),
    row("mouse_status_range", "range of the status under the mouse", |s| mouse_word(s, "mouse_status_range")),
    row("mouse_utf8_flag", "the program wants UTF-8 mouse reports", |s| s.term(|t| t.mouse().encoding == crate::term::MouseEncoding::Utf8).map(Value::Bool)),
    row("mouse_word", "word under the mouse", |s| mouse_word(s, "mouse_word")),
    row("mouse_x", "column of the mouse in the pane", |s| mouse_word(s, "mouse_x")),
    row("mouse_y", "row of the mouse in the pane", |s| mouse_word(s, "mouse_y")),
    row("next_session_id", "id of the next session", |s| t(s.world.model.next_session_id().to_string())),
    row("origin_flag", "the pane is in origin mode", |s| mode(s, Modes::ORIGIN)),
    row("pane_active", "the pane is the active one of its window", |s| b(s.window()?.active == s.pane()?.id)),
    row("pane_at_bottom", "the pane is at the bottom of its window", |s| edge(s, Direction::Down)),
    row("pane_at_left", "the pane is at the left of its window", |s| edge(s, Direction::Left)),
    row("pane_at_right", "the pane is at the right of its window", |s| edge(s, Direction::Right)),
    row("pane_at_top", "the pane is at the top of its window", |s| edge(s, Direction::Up)),
    row("pane_bg", "background colour that the program set", |s| colour(s.term(|t| t.colours().bg)?)),
    row("pane_bottom", "last row of the pane in its window", |s| n(s.pane()?.rect.bottom() as i64 - 1)),
    row("pane_current_command", "name of the program in the foreground", |s| {
        let p = s.pane()?;
        if let Some(q) = s.world.process(p.id) {
            return t(q.command);
        }
        let first = p.argv.first().map_or(p.shell.as_str(), String::as_str);
        t(first.split_whitespace().next().unwrap_or("").rsplit('/').next().unwrap_or(""))
    }),
    row("pane_current_path", "directory of the program in the foreground", |s| {
        let p = s.pane()?;
        t(s.world.process(p.id).map(|q| q.path).filter(|q| !q.is_empty()).unwrap_or_default())
    }),
    row("pane_dead", "the pane's program has ended", |s| s.pane().and_then(|p| b(p.is_dead()))),
    row("pane_dead_signal", "signal that ended the pane's program", |s| n(dead(s)?.1?)),
    row("pane_dead_status", "exit status of the pane's program", |s| n(dead(s)?.0?)),
    row("pane_dead_time", "when the pane's program ended", |s| Some(Value::Time(dead(s)?.2))),
    row("pane_fg", "foreground colour that the program set", |s| colour(s.term(|t| t.colours().fg)?)),
    row("pane_flags", "flags of the pane: * active, - last, M marked, Z zoomed, F floating", |s| t(pane_flags(s)?)),
    row("pane_floating_flag", "the pane floats", |s| b(s.pane()?.floating)),
    row("pane_format", "the format is for a pane", |s| b(s.scope.pane.is_some())),
    row("pane_height", "rows of the pane", |s| n(s.pane()?.rect.h)),
    row("pane_id", "id of the pane", |s| t(s.pane()?.id.to_string())),
    row("pane_in_mode", "how many layers stand on the pane", |s| n(s.world.layers.stack(Host::Pane(s.pane()?.id)).len())),
    row("pane_index", "index of the pane in its window", |s| {
        let (w, p) = (s.window()?, s.pane()?);
        n(w.position(p.id)? as i64 + s.world.options.number(opt::PANE_BASE_INDEX, OptScope::Window(w.id)))
    }),
    row("pane_input_off", "keys do not reach the pane's program", |s| b(s.pane()?.input_off)),
    row("pane_key_mode", "how modified keys are encoded for the program", |s| {
        t(match s.term(|t| t.modify_other_keys())? {
            0 => "VT10x",
            1 => "Ext 1",
            _ => "Ext 2",
        })
    }),
    row("pane_last", "the pane was the active one before", |s| b(s.window()?.last_pane() == Some(s.pane()?.id))),
    row("pane_left", "first column of the pane in its window", |s| n(s.pane()?.rect.x)),
    row("pane_marked", "the pane is the marked one", |s| b(s.world.model.marked.is_some_and(|m| Some(m.pane) == s.scope.pane))),
    row("pane_marked_set", "there is a marked pane", |s| b(s.world.model.marked.is_some())),
    row("pane_mode", "name of the layer on the pane", |s| t(mode_name(s)?)),
    row("pane_path", "directory that the program told", |s| t(s.term(|t| t.path().to_owned())?)),
    row("pane_pb_progress", "progress that the program told, in percent", |s| n(s.term(|t| t.progress().value)?)),
    row("pane_pb_state", "state of the progress that the program told", |s| {
        t(match s.term(|t| t.progress().state)? {
            0 => "hidden",
            1 => "normal",
            2 => "error",
            3 => "indeterminate",
            _ => "paused",
        })
    }),
    row("pane_pid", "process of the pane", |s| n(s.pane()?.pid?)),
    row("pane_pipe", "the pane's output is piped", |s| b(s.pane()?.pipe.is_some())),
    row("pane_right", "last column of the pane in its window", |s| n(s.pane()?.rect.right() as i64 - 1)),
    row("pane_search_string", "last text searched for in copy mode", |s| t(s.world.layers.top(Host::Pane(s.scope.pane?)).and_then(|l| l.var("pane_search_string")).unwrap_or_default())),
    row("pane_start_command", "what the pane was started with", |s| t(s.pane()?.start_command())),
    row("pane_start_path", "where the pane was started", |s| t(s.pane()?.cwd.clone())),
    row("pane_synchronized", "input goes to all panes of the window", |s| b(s.world.options.flag(opt::SYNCHRONIZE_PANES, OptScope::Pane(s.pane()?.id)))),
    row("pane_tabs", "tab stops of the pane", |s| t(s.term(|t| t.tabs().map(|x| x.to_string()).collect::<Vec<_>>().join(","))?)),
    row("pane_title", "title of the pane", |s| t(s.term(|t| t.title().to_owned())?)),
    row("pane_top", "first row of the pane in its window", |s| n(s.pane()?.rect.y)),
    row("pane_tty", "terminal device of the pane", |s| t(s.pane()?.tty.clone())),
    row("pane_width", "columns of the pane", |s| n(s.pane()?.rect.w)),
    row("pane_x", "first column of the pane in its window", |s| n(s.pane()?.rect.x)),
    row("pane_y", "first row of the pane in its window", |s| n(s.pane()?.rect.y)),
    row("pane_zoomed_flag", "the pane is zoomed", |s| b(s.window()?.zoomed == Some(s.pane()?.id))),
    row("pid", "process of the server", |s| n(s.world.model.facts.pid)),
    row("scroll_region_lower", "last row of the scroll region", |s| n(s.term(|t| t.scroll_region().1)?)),
    row("scroll_region_upper", "first row of the scroll region", |s| n(s.term(|t| t.scroll_region().0)?)),
    row("server_sessions", "how many sessions there are", |s| n(s.world.model.sessions.len())),
    row("session_activity", "when something was done in the session", |s| Some(Value::Time(s.session()?.activity))),
    row("session_activity_flag", "a window of the session had activity", |s| b(s.session()?.links.values().any(|l| l.alerts.contains(Alerts::ACTIVITY)))),
    row("session_alert", "kinds of alerts in the session", |s| {
        let a = s.session()?.links.values().fold(Alerts::empty(), |a, l| a | l.alerts);
        let mut out = String::new();
        for (bit, c) in [(Alerts::ACTIVITY, '#'), (Alerts::BELL, '!'), (Alerts::SILENCE, '~')] {
            if a.contains(bit) { out.push(c); }
        }
        t(out)
    }),
    row("session_alerts", "windows of the session with alerts", |s| t(alerts(s)?)),
    row("session_attached", "clients attached to the session", |s| n(s.world.model.attached(s.session()?.id))),
    row("session_attached_list", "names of the clients attached to the session", |s| names(s.world.model.clients_of(s.session()?.id).map(|c| c.name.as_str()))),
    row("session_bell_flag", "a window of the session rang", |s| b(s.session()?.links.values().any(|l| l.alerts.contains(Alerts::BELL)))),
    row("session_created", "when the session was made", |s| Some(Value::Time(s.session()?.created))),
    row("session_format", "the format is for a session", |s| b(s.scope.session.is_some() && s.scope.window.is_none())),
    row("session_group", "name of the session's group", |s| t(s.session()?.group.clone()?)),
    row("session_group_attached", "clients attached to sessions of the group", |s| { grouped(s)?; n(group_clients(s).len()) }),
    row("session_group_attached_list", "names of the clients attached to the group", |s| { grouped(s)?; names(group_clients(s).iter().map(|c| c.name.as_str())) }),
    row("session_group_list", "names of the sessions of the group", |s| { grouped(s)?; names(group_sessions(s).iter().map(|x| x.name.as_str())) }),
    row("session_group_many_attached", "more than one client is attached to the group", |s| { grouped(s)?; b(group_clients(s).len() > 1) }),
    row("session_group_size", "sessions in the group", |s| { grouped(s)?; n(group_sessions(s).len()) }),
    row("session_grouped", "the session is in a group", |s| b(s.session()?.group.is_some())),
    row("session_id", "id of the session", |s| t(s.session()?.id.to_string())),
    row("session_last_attached", "when a client was last attached", |s| Some(Value::Time(s.session()?.last_attached?))),
    row("session_many_attached", "more than one client is attached", |s| b(s.world.model.attached(s.session()?.id) > 1)),
    row("session_marked", "the marked pane is in the session", |s| b(s.world.model.marked.is_some_and(|m| Some(m.session) == s.scope.session))),
    row("session_name", "name of the session", |s| t(s.session()?.name.clone())),
    row("session_path", "directory of the session", |s| t(s.session()?.cwd.clone())),
    row("session_silence_flag", "a window of the session is silent", |s| b(s.session()?.links.values().any(|l| l.alerts.contains(Alerts::SILENCE)))),
    row("session_stack", "indexes of windows, the most recently visited first", |s| {
        let x = s.session()?;
        let mut l = vec![x.current.to_string()];
        l.extend(x.visited.iter().rev().filter(|i| **i != x.current).map(ToString::to_string));
        t(l.join(","))
    }),
    row("session_windows", "windows of the session", |s| n(s.session()?.links.len())),
    row("sixel_support", "sixel images are understood", |_| b(false)),
    row("socket_path", "path of the server's socket", |s| t(s.world.model.facts.socket.clone())),
    row("start_time", "when the server started", |s| Some(Value::Time(s.world.model.facts.started))),
    row("synchronized_output_flag", "the program holds its output together (mode 2026)", |s| s.term(|t| t.sync_active()).map(Value::Bool)),
    row("uid", "user id of the server", |s| n(s.world.model.facts.uid)),
    row("user", "user of the server", |s| t(s.world.model.facts.user.clone())),
    row("version", "version of tmux that is spoken", |_| t(crate::TMUX_VERSION)),
    row("window_active", "the window is the current one of the session", |s| b(s.session()?.current == s.scope.index?)),
    row("window_active_clients", "clients that look at the window", |s| n(window_clients(s).len())),
    row("window_active_clients_list", "names of the clients that look at the window", |s| names(window_clients(s).iter().map(|c| c.name.as_str()))),
    row("window_active_sessions", "sessions whose current window it is", |s| n(active_sessions(s).len())),
    row("window_active_sessions_list", "names of the sessions whose current window it is", |s| names(active_sessions(s).iter().map(|x| x.name.as_str()))),
    row("window_activity", "when something was written in the window", |s| Some(Value::Time(s.window()?.activity))),
    row("window_activity_flag", "the window had activity", |s| alert(s, Alerts::ACTIVITY)),
    row("window_bell_flag", "the window rang", |s| alert(s, Alerts::BELL)),
    row("window_bigger", "the window is larger than the client", |s| b(areas(s)?.2)),
    row("window_cell_height", "height of a cell of the window in pixels", |s| n(s.client_of().map_or(0, |c| c.cell.1))),
    row("window_cell_width", "width of a cell of the window in pixels", |s| n(s.client_of().map_or(0, |c| c.cell.0))),
    row("window_end_flag", "the window has the highest index", |s| b(s.session()?.links.keys().next_back() == s.scope.index.as_ref())),
    row("window_flags", "flags of the window, # doubled", |s| t(window_flags(s, true)?)),
    row("window_format", "the format is for a window", |s| b(s.scope.window.is_some() && s.scope.pane.is_none())),
    row("window_height", "rows of the window", |s| n(s.window()?.size.rows)),
    row("window_id", "id of the window", |s| t(s.window()?.id.to_string())),
    row("window_index", "index of the window in the session", |s| { s.window()?; n(s.scope.index?) }),
    row("window_last_flag", "the window was the current one before", |s| b(s.session()?.last() == Some(s.scope.index?))),
    row("window_layout", "layout of the window, without regard to a zoom", |s| t(s.window()?.layout.print())),
    row("window_linked", "the window is linked more than once", |s| b(s.world.model.places(s.window()?.id).len() > 1)),
    row("window_linked_sessions", "sessions that link the window", |s| { s.window()?; n(linked(s).len()) }),
    row("window_linked_sessions_list", "names of the sessions that link the window", |s| { s.window()?; names(linked(s).iter().map(|x| x.name.as_str())) }),
    row("window_marked_flag", "the marked pane is in the window", |s| {
        let p: Place = s.place()?;
        b(s.world.model.marked.is_some_and(|m| m.session == p.session && m.index == p.index))
    }),
    row("window_name", "name of the window", |s| t(s.window()?.name.clone())),
    row("window_offset_x", "first column of the window that the client shows", |s| { let a = areas(s)?; if a.2 { n(a.1.x) } else { None } }),
    row("window_offset_y", "first row of the window that the client shows", |s| { let a = areas(s)?; if a.2 { n(a.1.y) } else { None } }),
    row("window_panes", "panes of the window", |s| n(s.window()?.panes.len())),
    row("window_raw_flags", "flags of the window", |s| t(window_flags(s, false)?)),
    row("window_silence_flag", "the window is silent", |s| alert(s, Alerts::SILENCE)),
    row("window_stack_index", "place of the window in the order of visits", stack_index),
    row("window_start_flag", "the window has the lowest index", |s| b(s.session()?.links.keys().next() == s.scope.index.as_ref())),
    row("window_visible_layout", "layout of the window as it shows", |s| {
        let w = s.window()?;
        match w.zoomed {
            Some(z) => t(crate::model::layout::Layout::new(w.size, z).print()),
            None => t(w.layout.print()),
        }
    }),
    row("window_width", "columns of the window", |s| n(s.window()?.size.cols)),
    row("window_zoomed_flag", "a pane of the window is zoomed", |s| b(s.window()?.zoomed.is_some())),
    row("wrap_flag", "the pane wraps", |s| mode(s, Modes::AUTOWRAP)),
];

#[cfg(test)]
mod tests {
    use super::ROWS;

    #[test]
    fn rows_are_sorted_and_documented() {
        assert!(ROWS.is_sorted_by(|a, b| a.name < b.name));
        assert!(ROWS.iter().all(|r| !r.doc.is_empty()));
    }
}
