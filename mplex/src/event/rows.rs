//! The table of named events: what can happen that hooks, subscribers and control clients may want to hear of.
//!
//! A row says which fields come with an event. A hook sees each as the format `hook_<field>` (sessions and windows also
//! as `hook_<field>_name`), a subscriber as a member of the event. Events with a hook carry the hook's name and words;
//! the scopes in which the hook can be set are those of its option row.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::options::{Hook, Scopes, opt};

/// One event.
#[derive(Clone, Copy, Debug)]
pub struct EventRow {
    said: Said,
    /// The fields that may come with it. Those that do not apply are left out of an event.
    pub fields: &'static [&'static str],
}

#[derive(Clone, Copy, Debug)]
enum Said {
    ByHook(Hook),
    Here { name: &'static str, doc: &'static str },
}

impl EventRow {
    const fn hook(hook: Hook, fields: &'static [&'static str]) -> EventRow {
        EventRow { said: Said::ByHook(hook), fields }
    }

    const fn own(name: &'static str, fields: &'static [&'static str], doc: &'static str) -> EventRow {
        EventRow { said: Said::Here { name, doc }, fields }
    }

    pub fn name(&self) -> &'static str {
        match self.said {
            Said::ByHook(hook) => hook.name(),
            Said::Here { name, .. } => name,
        }
    }

    /// One or two sentences for people.
    pub fn doc(&self) -> &'static str {
        match self.said {
            Said::ByHook(hook) => hook.row().doc,
            Said::Here { doc, .. } => doc,
        }
    }

    /// The option that holds its hook's commands.
    pub fn as_hook(&self) -> Option<Hook> {
        match self.said {
            Said::ByHook(hook) => Some(hook),
            Said::Here { .. } => None,
        }
    }

    /// Where its hook can be set; empty if it has none.
    pub fn scopes(&self) -> Scopes {
        self.as_hook().map_or(Scopes::empty(), |hook| hook.row().scopes)
    }
}

/// The row of an event that exists by this name.
pub fn row(name: &str) -> Option<&'static EventRow> {
    static BY_NAME: LazyLock<BTreeMap<&'static str, &'static EventRow>> =
        LazyLock::new(|| ROWS.iter().map(|row| (row.name(), row)).collect());
    BY_NAME.get(name).copied()
}

/// Whether a name can be an event's: one of the table, or any of the user's own with its `@`.
pub fn is_event(name: &str) -> bool {
    name.starts_with('@') || row(name).is_some()
}

/// What the hook after a command sees of it, and the hook of a failed command: the arguments as one text. Each of them
/// comes as `argument_0` and so on, each flag as `flag_x` with its value or 1, and its values as `flag_x_0` and so on.
const COMMAND: &[&str] = &["arguments"];
const CLIENT: &[&str] = &["client", "session", "window", "window_index", "pane"];
const SESSION: &[&str] = &["session"];
const GROUP: &[&str] = &["session", "group", "group_size"];
const WINDOW: &[&str] = &["window"];
const LINK: &[&str] = &["session", "window", "window_index"];
const PANE: &[&str] = &["pane", "window"];
const EXIT: &[&str] = &["pane", "window", "exit_status", "exit_signal", "exit_success"];
const MODE: &[&str] = &["pane", "window", "current_mode", "previous_mode", "mode_entered"];
const PROMPT: &[&str] = &["pane", "window", "prompt_type"];
const SHELL: &[&str] = &[
    "session",
    "window",
    "window_index",
    "pane",
    "command_status",
    "command_start_time",
    "command_end_time",
    "command_duration",
];
const BUFFER: &[&str] = &["paste_buffer"];
const FLOW: &[&str] = &["flow", "session", "window", "pane", "client", "kind"];

/// Events that never happen yet, sorted: what they would tell of is not built. Their hooks can be set all the same, so that
/// a configuration loads.
pub static NOT_BUILT: &[&str] =
    &["client-dark-theme", "client-light-theme", "pane-command-finished", "pane-command-started", "pane-shell-prompt"];

/// Every event.
pub static ROWS: &[EventRow] = &[
    EventRow::hook(opt::AFTER_BIND_KEY, COMMAND),
    EventRow::hook(opt::AFTER_CAPTURE_PANE, COMMAND),
    EventRow::hook(opt::AFTER_COPY_MODE, COMMAND),
    EventRow::hook(opt::AFTER_DISPLAY_MESSAGE, COMMAND),
    EventRow::hook(opt::AFTER_DISPLAY_PANES, COMMAND),
    EventRow::hook(opt::AFTER_KILL_PANE, COMMAND),
    EventRow::hook(opt::AFTER_LIST_BUFFERS, COMMAND),
    EventRow::hook(opt::AFTER_LIST_CLIENTS, COMMAND),
    EventRow::hook(opt::AFTER_LIST_KEYS, COMMAND),
    EventRow::hook(opt::AFTER_LIST_PANES, COMMAND),
    EventRow::hook(opt::AFTER_LIST_SESSIONS, COMMAND),
    EventRow::hook(opt::AFTER_LIST_WINDOWS, COMMAND),
    EventRow::hook(opt::AFTER_LOAD_BUFFER, COMMAND),
    EventRow::hook(opt::AFTER_LOCK_SERVER, COMMAND),
    EventRow::hook(opt::AFTER_NEW_SESSION, COMMAND),
    EventRow::hook(opt::AFTER_NEW_WINDOW, COMMAND),
    EventRow::hook(opt::AFTER_PASTE_BUFFER, COMMAND),
    EventRow::hook(opt::AFTER_PIPE_PANE, COMMAND),
    EventRow::hook(opt::AFTER_REFRESH_CLIENT, COMMAND),
    EventRow::hook(opt::AFTER_RENAME_SESSION, COMMAND),
    EventRow::hook(opt::AFTER_RENAME_WINDOW, COMMAND),
    EventRow::hook(opt::AFTER_RESIZE_PANE, COMMAND),
    EventRow::hook(opt::AFTER_RESIZE_WINDOW, COMMAND),
    EventRow::hook(opt::AFTER_SAVE_BUFFER, COMMAND),
    EventRow::hook(opt::AFTER_SELECT_LAYOUT, COMMAND),
    EventRow::hook(opt::AFTER_SELECT_PANE, COMMAND),
    EventRow::hook(opt::AFTER_SELECT_WINDOW, COMMAND),
    EventRow::hook(opt::AFTER_SEND_KEYS, COMMAND),
    EventRow::hook(opt::AFTER_SET_BUFFER, COMMAND),
    EventRow::hook(opt::AFTER_SET_ENVIRONMENT, COMMAND),
    EventRow::hook(opt::AFTER_SET_HOOK, COMMAND),
    EventRow::hook(opt::AFTER_SET_OPTION, COMMAND),
    EventRow::hook(opt::AFTER_SHOW_ENVIRONMENT, COMMAND),
    EventRow::hook(opt::AFTER_SHOW_MESSAGES, COMMAND),
    EventRow::hook(opt::AFTER_SHOW_OPTIONS, COMMAND),
    EventRow::hook(opt::AFTER_SPLIT_WINDOW, COMMAND),
    EventRow::hook(opt::AFTER_SWAP_WINDOW, COMMAND),
    EventRow::hook(opt::AFTER_UNBIND_KEY, COMMAND),
    EventRow::hook(opt::ALERT_ACTIVITY, LINK),
    EventRow::hook(opt::ALERT_BELL, LINK),
    EventRow::hook(opt::ALERT_SILENCE, LINK),
    EventRow::hook(opt::CLIENT_ACTIVE, CLIENT),
    EventRow::hook(opt::CLIENT_ATTACHED, CLIENT),
    EventRow::hook(opt::CLIENT_CREATED, CLIENT),
    EventRow::hook(opt::CLIENT_CLOSED, CLIENT),
    EventRow::hook(opt::CLIENT_DETACHED, CLIENT),
    EventRow::hook(opt::CLIENT_FOCUS_IN, CLIENT),
    EventRow::hook(opt::CLIENT_FOCUS_OUT, CLIENT),
    EventRow::hook(
        opt::CLIENT_RESIZED,
        &["client", "session", "window", "window_index", "pane", "width", "height", "old_width", "old_height"],
    ),
    EventRow::hook(
        opt::CLIENT_SESSION_CHANGED,
        &["client", "session", "new_session", "old_session", "window", "window_index", "pane"],
    ),
    EventRow::hook(opt::CLIENT_LIGHT_THEME, CLIENT),
    EventRow::hook(opt::CLIENT_DARK_THEME, CLIENT),
    EventRow::hook(opt::COMMAND_ERROR, COMMAND),
    EventRow::hook(opt::MARKED_PANE_CHANGED, &["pane", "window", "new_pane", "old_pane", "marked"]),
    EventRow::hook(opt::PANE_ACTIVITY, PANE),
    EventRow::hook(opt::PANE_BELL, PANE),
    EventRow::hook(opt::PANE_COMMAND_FINISHED, SHELL),
    EventRow::hook(opt::PANE_COMMAND_STARTED, SHELL),
    EventRow::hook(
        opt::PANE_CREATED,
        &[
            "session",
            "window",
            "window_index",
            "pane",
            "pane_command",
            "pane_current_path",
            "created_empty",
            "created_respawn",
        ],
    ),
    EventRow::hook(opt::PANE_DIED, EXIT),
    EventRow::hook(opt::PANE_EXITED, EXIT),
    EventRow::hook(opt::PANE_FOCUS_IN, PANE),
    EventRow::hook(opt::PANE_FOCUS_OUT, PANE),
    EventRow::hook(opt::PANE_MODE_CHANGED, MODE),
    EventRow::hook(opt::PANE_MODE_ENTERED, MODE),
    EventRow::hook(opt::PANE_MODE_EXITED, MODE),
    EventRow::hook(
        opt::PANE_MOVED,
        &["pane", "window", "old_window", "new_window", "window_index", "old_window_index", "new_window_index"],
    ),
    EventRow::hook(opt::PANE_PROMPT_CLOSED, PROMPT),
    EventRow::hook(opt::PANE_PROMPT_OPENED, PROMPT),
    EventRow::hook(opt::PANE_RESIZED, &["pane", "window", "width", "height", "old_width", "old_height"]),
    EventRow::hook(opt::PANE_SET_CLIPBOARD, PANE),
    EventRow::hook(opt::PANE_SHELL_PROMPT, PANE),
    EventRow::hook(opt::PANE_TITLE_CHANGED, &["pane", "window", "new_title"]),
    EventRow::hook(opt::SESSION_CLOSED, SESSION),
    EventRow::hook(opt::SESSION_CREATED, SESSION),
    EventRow::hook(opt::SESSION_ADDED_TO_GROUP, GROUP),
    EventRow::hook(opt::SESSION_RENAMED, &["session", "old_name", "new_name"]),
    EventRow::hook(opt::SESSION_REMOVED_FROM_GROUP, GROUP),
    EventRow::hook(
        opt::SESSION_WINDOW_CHANGED,
        &["session", "window", "new_window", "old_window", "window_index", "new_window_index", "old_window_index"],
    ),
    EventRow::hook(opt::WINDOW_CREATED, WINDOW),
    EventRow::hook(opt::WINDOW_CLOSED, WINDOW),
    EventRow::hook(opt::WINDOW_LAYOUT_CHANGED, WINDOW),
    EventRow::hook(opt::WINDOW_LINKED, LINK),
    EventRow::hook(opt::WINDOW_PANE_CHANGED, &["window", "pane", "new_pane", "old_pane"]),
    EventRow::hook(opt::WINDOW_RENAMED, &["window", "old_name", "new_name"]),
    EventRow::hook(opt::WINDOW_RESIZED, &["window", "width", "height", "old_width", "old_height"]),
    EventRow::hook(opt::WINDOW_UNZOOMED, WINDOW),
    EventRow::hook(opt::WINDOW_ZOOMED, WINDOW),
    EventRow::hook(opt::WINDOW_UNLINKED, LINK),
    // Without a hook.
    EventRow::own("paste-buffer-changed", BUFFER, "A paste buffer is new or has other content."),
    EventRow::own("paste-buffer-deleted", BUFFER, "A paste buffer is gone."),
    EventRow::own("flow-opened", FLOW, "A question for the person was opened."),
    EventRow::own(
        "flow-closed",
        &["flow", "session", "window", "pane", "client", "kind", "outcome", "reason"],
        "A question was answered, or closed without an answer and says why.",
    ),
    EventRow::own("human_input", &["client", "session", "window", "pane"], "A person typed into a pane."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use crate::options::ROWS as OPTION_ROWS;

    #[track_caller]
    fn check(name: &str, scopes: Scopes, fields: &str) {
        let row = row(name).unwrap_or_else(|| panic!("no event {name}"));
        assert_eq!(row.scopes(), scopes, "{name}");
        assert_eq!(row.fields.join(" "), fields, "{name}");
    }

    #[test]
    fn some_rows() {
        check("after-kill-pane", Scopes::SESSION, "arguments");
        check("alert-bell", Scopes::SESSION, "session window window_index");
        check("pane-died", Scopes::WINDOW | Scopes::PANE, "pane window exit_status exit_signal exit_success");
        check("window-renamed", Scopes::WINDOW, "window old_name new_name");
        check("paste-buffer-deleted", Scopes::empty(), "paste_buffer");
        assert!(row("pane-vanished").is_none());
        assert!(is_event("@mine") && is_event("pane-died") && !is_event("mouse"));
    }

    #[test]
    fn every_hook_is_an_event_and_names_are_unique() {
        let names: BTreeSet<&str> = ROWS.iter().map(EventRow::name).collect();
        assert_eq!(names.len(), ROWS.len());
        for option in OPTION_ROWS.iter().filter(|option| option.hook) {
            assert!(names.contains(option.name), "{}", option.name);
        }
    }

    #[test]
    fn every_event_happens_or_is_listed_as_not_built() {
        assert!(NOT_BUILT.is_sorted());
        assert!(NOT_BUILT.iter().all(|name| row(name).is_some()));
        // Those of commands come from the name of the command.
        let code = crate::base::source::code(&["event/rows.rs", "options/table.rs"]);
        let happens = |name: &str| name.starts_with("after-") || code.contains(&format!("\"{name}\""));
        let wrong: Vec<&str> =
            ROWS.iter().map(EventRow::name).filter(|n| happens(n) == NOT_BUILT.contains(n)).collect();
        assert!(wrong.is_empty(), "happen and are listed as not built, or neither: {wrong:?}");
    }

    #[test]
    fn rows_are_complete() {
        for row in ROWS {
            assert!(row.doc().ends_with('.'), "{}", row.name());
            assert!(!row.fields.is_empty(), "{}", row.name());
            let fields: BTreeSet<&&str> = row.fields.iter().collect();
            assert_eq!(fields.len(), row.fields.len(), "{}", row.name());
        }
    }
}
