//! How the variables of formats get their values. What a variable is and means is a row of [`crate::format::rows`]; here are
//! the getters, joined to the rows by name, and a test that holds the two together.

use super::Seen;
use crate::base::{Colour, Wall};
use crate::format::Value;
use crate::layer::Host;
use crate::model::layout::Direction;
use crate::model::{Alerts, ClientFlags, Life, Place};
use crate::options::choices::WindowSize;
use crate::options::{Scope as OptScope, opt};
use crate::term::{Modes, MouseTracking, Shape};

/// Looks a variable up in the world, `None` if there is nothing to say in this scope.
type Get = fn(&Seen<'_, '_>) -> Option<Value>;

/// The getter of a variable; `None` for one that only a layer or the place where a format is expanded can tell.
pub(super) fn find(name: &str) -> Option<Get> {
    GETTERS.binary_search_by(|(n, _)| n.cmp(&name)).ok().map(|i| GETTERS[i].1)
}

/// Rows of the table of variables that always expand to nothing, sorted by name: what they tell is not built yet.
pub static NOT_BUILT: &[&str] = &[
    "buffer_mode_format",
    "client_mode_format",
    "clipboard_invalid",
    "command_prompt",
    "copy_cursor_hyperlink",
    "copy_cursor_line",
    "copy_cursor_word",
    "copy_cursor_x",
    "copy_cursor_y",
    "copy_line_numbers",
    "copy_position",
    "copy_position_limit",
    "environment_hidden",
    "environment_is_global",
    "environment_name",
    "environment_removed",
    "environment_scope",
    "environment_value",
    "history_all_bytes",
    "hook_last",
    "hook_monitor_format",
    "hook_monitor_target",
    "hook_value",
    "is_environment",
    "is_inside",
    "is_key",
    "is_option",
    "is_outside",
    "message_number",
    "message_text",
    "mode_tree_branch",
    "mode_tree_expanded",
    "mode_tree_flat",
    "mode_tree_has_children",
    "mode_tree_key",
    "mode_tree_key_width",
    "mode_tree_last",
    "mode_tree_parent_last",
    "mode_tree_repeat",
    "mode_tree_selected",
    "mouse_hyperlink",
    "mouse_line",
    "mouse_pane",
    "mouse_status_line",
    "mouse_status_range",
    "mouse_word",
    "mouse_x",
    "mouse_y",
    "option_is_global",
    "option_is_monitor",
    "option_monitor",
    "option_scope",
    "option_unit",
    "pane_command_duration",
    "pane_command_end_time",
    "pane_command_running",
    "pane_command_start_time",
    "pane_command_status",
    "pane_last_prompt_time",
    "pane_modal_flag",
    "pane_pipe_pid",
    "pane_private_modes",
    "pane_unseen_changes",
    "pane_z",
    "popup_centre_x",
    "popup_centre_y",
    "popup_height",
    "popup_last_x",
    "popup_last_y",
    "popup_mouse_bottom",
    "popup_mouse_centre_x",
    "popup_mouse_centre_y",
    "popup_mouse_top",
    "popup_mouse_x",
    "popup_mouse_y",
    "popup_pane_bottom",
    "popup_pane_left",
    "popup_pane_right",
    "popup_pane_top",
    "popup_status_line_y",
    "popup_width",
    "popup_window_status_line_x",
    "popup_window_status_line_y",
    "prompt_flags",
    "prompt_input",
    "rectangle_toggle",
    "refresh_active",
    "search_count",
    "search_count_partial",
    "search_match",
    "search_present",
    "search_timed_out",
    "selection_active",
    "selection_end_x",
    "selection_end_y",
    "selection_mode",
    "selection_present",
    "selection_start_x",
    "selection_start_y",
    "tree_mode_format",
    "window_modal_pane",
];

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
    t(c.map_or("default".to_owned(), crate::format::colour::name))
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
    let pause = c.pause_after.map(|secs| format!("pause-after={secs}"));
    f.extend(pause.as_deref());
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

/// Where a pane stands when no pane is zoomed.
fn unzoomed(s: &Seen<'_, '_>) -> Option<crate::base::Rect> {
    let p = s.pane()?;
    Some(s.window()?.layout.pane_rect(p.id).unwrap_or(p.rect))
}

/// The size that was set by hand, while it is the one that counts.
fn manual(s: &Seen<'_, '_>) -> Option<crate::base::Size> {
    let w = s.window()?;
    let by_hand = s.world.options.choice(opt::WINDOW_SIZE, OptScope::Window(w.id)) == WindowSize::Manual;
    by_hand.then_some(w.manual?)
}

fn buffer<'a>(s: &Seen<'a, '_>) -> Option<&'a crate::model::buffers::Buffer> {
    s.world.model.buffers.get(s.scope.buffer.as_deref()?)
}

fn short_host(host: &str) -> &str {
    host.split('.').next().unwrap_or(host)
}

const fn get(name: &'static str, get: Get) -> (&'static str, Get) {
    (name, get)
}

/// All getters, sorted by name.
#[rustfmt::skip]
static GETTERS: &[(&str, Get)] = &[
    get("active_window_index", |s| n(s.session()?.current)),
    get("alternate_on", |s| s.term(|t| t.is_alternate()).map(Value::Bool)),
    get("alternate_saved_x", |s| n(s.term(|t| t.main_cursor())??.0)),
    get("alternate_saved_y", |s| n(s.term(|t| t.main_cursor())??.1)),
    get("ask_count", |s| n(s.world.model.asks.open_count())),
    get("bracket_paste_flag", |s| mode(s, Modes::BRACKETED_PASTE)),
    get("buffer_created", |s| Some(Value::Time(buffer(s)?.created))),
    get("buffer_full", |s| t(String::from_utf8_lossy(&buffer(s)?.data))),
    get("buffer_name", |s| t(buffer(s)?.name.clone())),
    get("buffer_sample", |s| t(buffer(s)?.sample())),
    get("buffer_size", |s| n(buffer(s)?.data.len())),
    get("client_activity", |s| Some(Value::Time(s.client_of()?.activity))),
    get("client_cell_height", |s| n(s.client_of()?.cell.1)),
    get("client_cell_width", |s| n(s.client_of()?.cell.0)),
    get("client_colours", |s| n(s.client_of()?.colours)),
    get("client_control_mode", |s| b(s.client_of()?.control_level > 0)),
    get("client_created", |s| Some(Value::Time(s.client_of()?.created))),
    get("client_discarded", |s| n(s.client_of()?.discarded)),
    get("client_flags", |s| t(client_flags(s)?)),
    get("client_height", |s| n(s.client_of()?.size.rows)),
    get("client_key_table", |s| {
        let c = s.client_of()?;
        if c.table.is_empty() {
            return t(s.world.options.text(opt::KEY_TABLE, c.session.map_or(OptScope::GlobalSession, OptScope::Session)));
        }
        t(c.table.clone())
    }),
    get("client_last_session", |s| t(s.world.model.session(s.client_of()?.last_session?)?.name.clone())),
    get("client_name", |s| t(s.client_of()?.name.clone())),
    get("client_pid", |s| n(s.client_of()?.pid)),
    get("client_prefix", |s| b(s.client_of()?.table == "prefix")),
    get("client_readonly", |s| b(s.client_of()?.flags.contains(ClientFlags::READ_ONLY))),
    get("client_session", |s| t(s.world.model.session(s.client_of()?.session?)?.name.clone())),
    get("client_termfeatures", |s| t(s.client_of()?.feature_names.clone())),
    get("client_termname", |s| t(s.client_of()?.term.clone())),
    get("client_termtype", |s| t(s.client_of()?.term_type.clone())),
    get("client_theme", |s| t(if s.client_of()?.dark? { "dark" } else { "light" })),
    get("client_tty", |s| t(s.client_of()?.tty.clone())),
    get("client_uid", |s| n(s.client_of()?.uid)),
    get("client_user", |s| t(s.client_of().filter(|c| c.uid == s.world.model.facts.uid).map(|_| s.world.model.facts.user.clone())?)),
    get("client_utf8", |s| s.client_of().and_then(|_| b(true))),
    get("client_width", |s| n(s.client_of()?.size.cols)),
    get("client_written", |s| n(s.client_of()?.written)),
    get("config_files", |s| t(s.world.model.facts.config_files.join(","))),
    get("cursor_blinking", |s| s.term(|t| t.cursor().blink.unwrap_or(false)).map(Value::Bool)),
    get("cursor_character", |s| {
        s.term(|t| {
            use crate::grid::Lines as _;
            let (c, view) = (t.cursor(), t.view());
            let mut buf = crate::grid::RowBuf::new();
            view.row(view.history() + c.y as usize, &mut buf);
            Value::Text(buf.cell(c.x).text.to_owned())
        })
    }),
    get("cursor_colour", |s| colour(s.term(|t| t.cursor().colour)?)),
    get("cursor_flag", |s| s.term(|t| t.cursor().visible).map(Value::Bool)),
    get("cursor_shape", |s| {
        t(match s.term(|t| t.cursor().shape)? {
            Shape::Default => "default",
            Shape::Block => "block",
            Shape::Underline => "underline",
            Shape::Bar => "bar",
        })
    }),
    get("cursor_very_visible", |s| s.term(|t| t.cursor().blink == Some(true)).map(Value::Bool)),
    // Behind the last column while the cursor waits there.
    get("cursor_x", |s| n(s.term(|t| t.cursor().x + u16::from(t.cursor().pending_wrap))?)),
    get("cursor_y", |s| n(s.term(|t| t.cursor().y)?)),
    get("history_bytes", |s| n(s.term(|t| t.history_bytes())?)),
    get("history_limit", |s| n(s.term(|t| t.history_store().limits().history_lines)?)),
    get("history_size", |s| n(s.term(|t| t.history_store().rows())?)),
    get("host", |s| t(s.world.model.facts.host.clone())),
    get("host_short", |s| t(short_host(&s.world.model.facts.host))),
    get("insert_flag", |s| mode(s, Modes::INSERT)),
    get("keypad_cursor_flag", |s| mode(s, Modes::CURSOR_KEYS)),
    get("keypad_flag", |s| mode(s, Modes::KEYPAD)),
    get("last_window_index", |s| n(*s.session()?.links.keys().next_back()?)),
    get("mouse_all_flag", |s| s.term(|t| t.mouse().tracking == MouseTracking::Any).map(Value::Bool)),
    get("mouse_any_flag", |s| s.term(|t| t.mouse().tracking != MouseTracking::Off).map(Value::Bool)),
    get("mouse_button_flag", |s| s.term(|t| t.mouse().tracking == MouseTracking::Button).map(Value::Bool)),
    get("mouse_sgr_flag", |s| mode(s, Modes::MOUSE_SGR)),
    get("mouse_standard_flag", |s| s.term(|t| t.mouse().tracking == MouseTracking::Normal).map(Value::Bool)),
    get("mouse_utf8_flag", |s| s.term(|t| t.mouse().encoding == crate::term::MouseEncoding::Utf8).map(Value::Bool)),
    get("next_session_id", |s| t(s.world.model.next_session_id().to_string())),
    get("origin_flag", |s| mode(s, Modes::ORIGIN)),
    get("pane_active", |s| b(s.window()?.active == s.pane()?.id)),
    get("pane_at_bottom", |s| edge(s, Direction::Down)),
    get("pane_at_left", |s| edge(s, Direction::Left)),
    get("pane_at_right", |s| edge(s, Direction::Right)),
    get("pane_at_top", |s| edge(s, Direction::Up)),
    get("pane_bg", |s| colour(s.term(|t| t.colours().bg)?)),
    get("pane_bottom", |s| n(s.pane()?.rect.bottom() as i64 - 1)),
    get("pane_current_command", |s| {
        let p = s.pane()?;
        if let Some(q) = s.world.process(p.id) {
            return t(q.command);
        }
        let first = p.argv.first().map_or(p.shell.as_str(), String::as_str);
        t(first.split_whitespace().next().unwrap_or("").rsplit('/').next().unwrap_or(""))
    }),
    get("pane_current_path", |s| {
        let p = s.pane()?;
        t(s.world.process(p.id).map(|q| q.path).filter(|q| !q.is_empty()).unwrap_or_default())
    }),
    get("pane_dead", |s| s.pane().and_then(|p| b(p.is_dead()))),
    get("pane_dead_signal", |s| n(dead(s)?.1?)),
    get("pane_dead_status", |s| n(dead(s)?.0?)),
    get("pane_dead_time", |s| Some(Value::Time(dead(s)?.2))),
    get("pane_fg", |s| colour(s.term(|t| t.colours().fg)?)),
    get("pane_flags", |s| t(pane_flags(s)?)),
    get("pane_floating_flag", |s| b(s.pane()?.floating)),
    get("pane_format", |s| b(s.scope.pane.is_some())),
    get("pane_height", |s| n(s.pane()?.rect.h)),
    get("pane_id", |s| t(s.pane()?.id.to_string())),
    get("pane_in_mode", |s| n(s.world.layers.stack(Host::Pane(s.pane()?.id)).len())),
    get("pane_index", |s| {
        let (w, p) = (s.window()?, s.pane()?);
        n(w.position(p.id)? as i64 + s.world.options.number(opt::PANE_BASE_INDEX, OptScope::Window(w.id)))
    }),
    get("pane_input_off", |s| b(s.pane()?.input_off)),
    get("pane_key_mode", |s| {
        t(match s.term(|t| t.modify_other_keys())? {
            0 => "VT10x",
            1 => "Ext 1",
            _ => "Ext 2",
        })
    }),
    get("pane_last", |s| b(s.window()?.last_pane() == Some(s.pane()?.id))),
    get("pane_last_output_time", |s| Some(Value::Time(s.pane()?.activity))),
    get("pane_left", |s| n(s.pane()?.rect.x)),
    get("pane_marked", |s| b(s.world.model.marked.is_some_and(|m| Some(m.pane) == s.scope.pane))),
    get("pane_marked_set", |s| b(s.world.model.marked.is_some())),
    get("pane_mode", |s| t(mode_name(s)?)),
    get("pane_path", |s| t(s.term(|t| t.path().to_owned())?)),
    get("pane_pb_progress", |s| n(s.term(|t| t.progress().value)?)),
    get("pane_pb_state", |s| {
        t(match s.term(|t| t.progress().state)? {
            0 => "hidden",
            1 => "normal",
            2 => "error",
            3 => "indeterminate",
            _ => "paused",
        })
    }),
    get("pane_pid", |s| n(s.pane()?.pid?)),
    get("pane_pipe", |s| b(s.pane()?.pipe.is_some())),
    get("pane_right", |s| n(s.pane()?.rect.right() as i64 - 1)),
    get("pane_search_string", |s| t(s.world.layers.top(Host::Pane(s.scope.pane?)).and_then(|l| l.var("pane_search_string")).unwrap_or_default())),
    get("pane_start_command", |s| t(s.pane()?.start_command())),
    get("pane_start_command_list", |s| t(s.pane()?.start_command_list())),
    get("pane_start_path", |s| t(s.pane()?.cwd.clone())),
    get("pane_synchronized", |s| b(s.world.options.flag(opt::SYNCHRONIZE_PANES, OptScope::Pane(s.pane()?.id)))),
    get("pane_tabs", |s| t(s.term(|t| t.tabs().map(|x| x.to_string()).collect::<Vec<_>>().join(","))?)),
    get("pane_title", |s| t(s.term(|t| t.title().to_owned())?)),
    get("pane_top", |s| n(s.pane()?.rect.y)),
    get("pane_tty", |s| t(s.pane()?.tty.clone())),
    get("pane_unzoomed_height", |s| n(unzoomed(s)?.h)),
    get("pane_unzoomed_width", |s| n(unzoomed(s)?.w)),
    get("pane_width", |s| n(s.pane()?.rect.w)),
    get("pane_x", |s| n(s.pane()?.rect.x)),
    get("pane_y", |s| n(s.pane()?.rect.y)),
    get("pane_zoomed_flag", |s| b(s.window()?.zoomed == Some(s.pane()?.id))),
    get("pid", |s| n(s.world.model.facts.pid)),
    get("scroll_region_lower", |s| n(s.term(|t| t.scroll_region().1)?)),
    get("scroll_region_upper", |s| n(s.term(|t| t.scroll_region().0)?)),
    get("server_sessions", |s| n(s.world.model.sessions.len())),
    get("session_active", |s| b(s.client_of()?.session == Some(s.session()?.id))),
    get("session_activity", |s| Some(Value::Time(s.session()?.activity))),
    get("session_activity_flag", |s| b(s.session()?.links.values().any(|l| l.alerts.contains(Alerts::ACTIVITY)))),
    get("session_alert", |s| {
        let a = s.session()?.links.values().fold(Alerts::empty(), |a, l| a | l.alerts);
        let mut out = String::new();
        for (bit, c) in [(Alerts::ACTIVITY, '#'), (Alerts::BELL, '!'), (Alerts::SILENCE, '~')] {
            if a.contains(bit) { out.push(c); }
        }
        t(out)
    }),
    get("session_alerts", |s| t(alerts(s)?)),
    get("session_attached", |s| n(s.world.model.attached(s.session()?.id))),
    get("session_attached_list", |s| names(s.world.model.clients_of(s.session()?.id).map(|c| c.name.as_str()))),
    get("session_bell_flag", |s| b(s.session()?.links.values().any(|l| l.alerts.contains(Alerts::BELL)))),
    get("session_created", |s| Some(Value::Time(s.session()?.created))),
    get("session_format", |s| b(s.scope.session.is_some() && s.scope.window.is_none())),
    get("session_group", |s| t(s.session()?.group.clone()?)),
    get("session_group_attached", |s| { grouped(s)?; n(group_clients(s).len()) }),
    get("session_group_attached_list", |s| { grouped(s)?; names(group_clients(s).iter().map(|c| c.name.as_str())) }),
    get("session_group_list", |s| { grouped(s)?; names(group_sessions(s).iter().map(|x| x.name.as_str())) }),
    get("session_group_many_attached", |s| { grouped(s)?; b(group_clients(s).len() > 1) }),
    get("session_group_size", |s| { grouped(s)?; n(group_sessions(s).len()) }),
    get("session_grouped", |s| b(s.session()?.group.is_some())),
    get("session_id", |s| t(s.session()?.id.to_string())),
    get("session_last_attached", |s| Some(Value::Time(s.session()?.last_attached?))),
    get("session_many_attached", |s| b(s.world.model.attached(s.session()?.id) > 1)),
    get("session_marked", |s| b(s.world.model.marked.is_some_and(|m| Some(m.session) == s.scope.session))),
    get("session_name", |s| t(s.session()?.name.clone())),
    get("session_path", |s| t(s.session()?.cwd.clone())),
    get("session_silence_flag", |s| b(s.session()?.links.values().any(|l| l.alerts.contains(Alerts::SILENCE)))),
    get("session_stack", |s| {
        let x = s.session()?;
        let mut l = vec![x.current.to_string()];
        l.extend(x.visited.iter().rev().filter(|i| **i != x.current).map(ToString::to_string));
        t(l.join(","))
    }),
    get("session_windows", |s| n(s.session()?.links.len())),
    get("sixel_support", |_| b(false)),
    get("socket_path", |s| t(s.world.model.facts.socket.clone())),
    get("start_time", |s| Some(Value::Time(s.world.model.facts.started))),
    get("synchronized_output_flag", |s| s.term(|t| t.sync_active()).map(Value::Bool)),
    get("uid", |s| n(s.world.model.facts.uid)),
    get("user", |s| t(s.world.model.facts.user.clone())),
    get("version", |_| t(crate::TMUX_VERSION)),
    get("window_active", |s| b(s.session()?.current == s.scope.index?)),
    get("window_active_clients", |s| n(window_clients(s).len())),
    get("window_active_clients_list", |s| names(window_clients(s).iter().map(|c| c.name.as_str()))),
    get("window_active_sessions", |s| n(active_sessions(s).len())),
    get("window_active_sessions_list", |s| names(active_sessions(s).iter().map(|x| x.name.as_str()))),
    get("window_activity", |s| Some(Value::Time(s.window()?.activity))),
    get("window_activity_flag", |s| alert(s, Alerts::ACTIVITY)),
    get("window_bell_flag", |s| alert(s, Alerts::BELL)),
    get("window_bigger", |s| b(areas(s)?.2)),
    get("window_cell_height", |s| n(s.client_of().map_or(0, |c| c.cell.1))),
    get("window_cell_width", |s| n(s.client_of().map_or(0, |c| c.cell.0))),
    get("window_end_flag", |s| b(s.session()?.links.keys().next_back() == s.scope.index.as_ref())),
    get("window_flags", |s| t(window_flags(s, true)?)),
    get("window_format", |s| b(s.scope.window.is_some() && s.scope.pane.is_none())),
    get("window_height", |s| n(s.window()?.size.rows)),
    get("window_id", |s| t(s.window()?.id.to_string())),
    get("window_index", |s| { s.window()?; n(s.scope.index?) }),
    get("window_last_flag", |s| b(s.session()?.last() == Some(s.scope.index?))),
    get("window_layout", |s| t(s.window()?.layout.print())),
    get("window_linked", |s| b(s.world.model.places(s.window()?.id).len() > 1)),
    get("window_linked_sessions", |s| { s.window()?; n(linked(s).len()) }),
    get("window_linked_sessions_list", |s| { s.window()?; names(linked(s).iter().map(|x| x.name.as_str())) }),
    get("window_manual_height", |s| n(manual(s)?.rows)),
    get("window_manual_width", |s| n(manual(s)?.cols)),
    get("window_marked_flag", |s| {
        let p: Place = s.place()?;
        b(s.world.model.marked.is_some_and(|m| m.session == p.session && m.index == p.index))
    }),
    get("window_name", |s| t(s.window()?.name.clone())),
    get("window_offset_x", |s| { let a = areas(s)?; if a.2 { n(a.1.x) } else { None } }),
    get("window_offset_y", |s| { let a = areas(s)?; if a.2 { n(a.1.y) } else { None } }),
    get("window_panes", |s| n(s.window()?.panes.len())),
    get("window_raw_flags", |s| t(window_flags(s, false)?)),
    get("window_silence_flag", |s| alert(s, Alerts::SILENCE)),
    get("window_stack_index", stack_index),
    get("window_start_flag", |s| b(s.session()?.links.keys().next() == s.scope.index.as_ref())),
    get("window_visible_layout", |s| {
        let w = s.window()?;
        match w.zoomed {
            Some(z) => t(crate::model::layout::Layout::new(w.size, z).print()),
            None => t(w.layout.print()),
        }
    }),
    get("window_width", |s| n(s.window()?.size.cols)),
    get("window_zoomed_flag", |s| b(s.window()?.zoomed.is_some())),
    get("wrap_flag", |s| mode(s, Modes::AUTOWRAP)),
];

#[cfg(test)]
mod tests {
    use super::{GETTERS, NOT_BUILT, find};
    use crate::base::source;
    use crate::format::rows::ROWS;
    use std::fmt::Write as _;

    #[test]
    fn every_getter_has_a_row_and_every_row_an_origin() {
        assert!(GETTERS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(NOT_BUILT.is_sorted());
        let given = source::code(&["format/rows.rs", "vars/rows.rs"]);
        let mut wrong = String::new();
        for name in GETTERS.iter().map(|g| g.0).chain(NOT_BUILT.iter().copied()) {
            if crate::format::rows::find(name).is_none() {
                writeln!(wrong, "{name} has no row").unwrap();
            }
        }
        for row in ROWS {
            let not_built = NOT_BUILT.contains(&row.name);
            // Else the layer, the loop, the command or the event around a format tells it, and names it in the code.
            let name = ["next_", "prev_"].iter().find_map(|p| row.name.strip_prefix(p)).unwrap_or(row.name);
            let got = find(row.name).is_some() || given.contains(&format!("\"{name}\""));
            if got == not_built {
                let what = if got { "is built, but listed as not built" } else { "comes from nowhere" };
                writeln!(wrong, "{} {what}", row.name).unwrap();
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }
}
