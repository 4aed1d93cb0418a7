//! The option table: every option and hook, in the order in which they are listed, and a handle for each.
//!
//! Names, kinds, limits and defaults are those of tmux 3.8. The rows at the end are our own.

use super::choices::{self as c, Choice};
use super::row::{
    Array, ColourKind, Command, Effects as E, Flag, Hook, KeyKind, Kind, Number, OneOf, Opt, Row, Scopes, StyleKind,
    Text, hook, pane, server, session, window,
};

const INT_MAX: i64 = i32::MAX as i64;

const fn number(min: i64, max: i64, unit: &'static str) -> Kind {
    Kind::Number { min, max, unit }
}

const fn one_of<C: Choice>() -> Kind {
    Kind::Choice(C::NAMES)
}

const NONE: E = E::empty();
const STATUS_LINE: E = E::STATUS;
const SCENE: E = E::SCENE;
const MS: &str = "milliseconds";
const SECONDS: &str = "seconds";

macro_rules! table {
    ($($name:ident: $how:ty = $row:expr;)+) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Place { $($name),+ }

        /// Every row, in the order in which options are listed.
        pub static ROWS: &[Row] = &[$($row),+];

        /// One handle for each row.
        pub mod opt {
            use super::*;
            $(
                #[doc = concat!("See the row of this name in the option table.")]
                pub const $name: $how = Opt::new(Place::$name as u16);
            )+
        }
    };
}

/// The default of one status line's window list entry, for windows other than the current one and for the current one.
const STATUS_WINDOWS: &str = concat!(
    "#[align=left range=left #{E:status-left-style}]#[push-default]",
    "#{T;=/#{status-left-length}:status-left}#[pop-default]#[norange default]",
    "#[list=on align=#{status-justify}]#[list=left-marker]<#[list=right-marker]>#[list=on]",
    "#{W:#[range=window|#{window_index} #{E:window-status-style}",
    "#{?#{&&:#{window_last_flag},#{!=:#{E:window-status-last-style},default}}, #{E:window-status-last-style},}",
    "#{?#{&&:#{window_bell_flag},#{!=:#{E:window-status-bell-style},default}}, #{E:window-status-bell-style},",
    "#{?#{&&:#{||:#{window_activity_flag},#{window_silence_flag}},",
    "#{!=:#{E:window-status-activity-style},default}}, #{E:window-status-activity-style},}}]",
    "#[push-default]#{T:window-status-format}#[pop-default]#[norange default]",
    "#{?loop_last_flag,,#{E:window-status-separator}},",
    "#[range=window|#{window_index} list=focus ",
    "#{?#{!=:#{E:window-status-current-style},default},#{E:window-status-current-style},#{E:window-status-style}}",
    "#{?#{&&:#{window_last_flag},#{!=:#{E:window-status-last-style},default}}, #{E:window-status-last-style},}",
    "#{?#{&&:#{window_bell_flag},#{!=:#{E:window-status-bell-style},default}}, #{E:window-status-bell-style},",
    "#{?#{&&:#{||:#{window_activity_flag},#{window_silence_flag}},",
    "#{!=:#{E:window-status-activity-style},default}}, #{E:window-status-activity-style},}}]",
    "#[push-default]#{T:window-status-current-format}#[pop-default]#[norange list=on default]",
    "#{?loop_last_flag,,#{E:window-status-separator}}}",
    "#[nolist align=right range=right #{E:status-right-style}]#[push-default]",
    "#{T;=/#{status-right-length}:status-right}#[pop-default]#[norange default]",
);

/// The second status line: the panes of the current window.
const STATUS_PANES: &str = concat!(
    "#[align=left]#{R: ,#{n:#{session_name}}}P: #[norange default]",
    "#[list=on align=#{status-justify}]#[list=left-marker]<#[list=right-marker]>#[list=on]",
    "#{P:#[range=pane|#{pane_id} #{E:pane-status-style}]",
    "#[push-default]#{T:window-pane-status-format}#[pop-default]#[norange list=on default]  ,",
    "#[range=pane|#{pane_id} list=focus ",
    "#{?#{!=:#{E:pane-status-current-style},default},#{E:pane-status-current-style},#{E:pane-status-style}}]",
    "#[push-default]#{T:window-pane-current-status-format}#[pop-default]#[norange list=on default] }",
);

/// The third status line: the sessions.
const STATUS_SESSIONS: &str = concat!(
    "#[align=left]#{R: ,#{n:#{session_name}}}S: #[norange default]",
    "#[list=on align=#{status-justify}]#[list=left-marker]<#[list=right-marker]>#[list=on]",
    "#{S:#[range=session|#{session_id} #{E:session-status-style}]",
    "#[push-default]#S#{session_alert}#[pop-default]#[norange list=on default]  ,",
    "#[range=session|#{session_id} list=focus ",
    "#{?#{!=:#{E:session-status-current-style},default},",
    "#{E:session-status-current-style},#{E:session-status-style}}]",
    "#[push-default]#S*#{session_alert}#[pop-default]#[norange list=on default] }",
);

/// Fills the area of messages only where they stand in a status line, not in a pane.
const DEFAULT_MESSAGE_STYLE: &str =
    "bg=themeyellow,fg=themeblack,#{?#{m/r:(^|#,)IS(PANE|MODE)($|#,),#{prompt_flags}},,fill=themeyellow}";
const DEFAULT_MESSAGE_COMMAND_STYLE: &str =
    "bg=themeblack,fg=themeyellow,#{?#{m/r:(^|#,)IS(PANE|MODE)($|#,),#{prompt_flags}},,fill=themeblack}";

/// A theme colour's default: the first where the client has 256 colours, else the second.
macro_rules! by_depth {
    ($many:literal, $few:literal) => {
        &[concat!("#{?#{e|>=:#{client_colours},256},", $many, ",", $few, "}")]
    };
}

/// A hook that runs after a command.
macro_rules! after {
    ($command:literal) => {
        hook(concat!("after-", $command), Scopes::SESSION, concat!("Runs when the command ", $command, " is done."))
    };
}

const S: Scopes = Scopes::SESSION;
const W: Scopes = Scopes::WINDOW;
const P: Scopes = Scopes::WINDOW.union(Scopes::PANE);

table! {
    // Server options (with a few of windows that stand among them).
    BACKSPACE: Opt<KeyKind> = server("backspace", Kind::Key, &["C-?"], E::KEYS, "The key that programs get for backspace.");
    BUFFER_LIMIT: Opt<Number> = server("buffer-limit", number(1, INT_MAX, ""), &["50"], E::LIMITS,
        "How many paste buffers with automatic names are kept; the oldest goes first.");
    COMMAND_ALIAS: Opt<Array<Text>> = server("command-alias", Kind::Text, &[
        "split-pane=split-window", "splitp=split-window", "server-info=show-messages -JT", "info=show-messages -JT",
        "choose-window=choose-tree -w", "choose-session=choose-tree -s",
    ], E::ALIASES, "New names for commands, each as name=command.").array(",");
    CODEPOINT_WIDTHS: Opt<Array<Text>> = server("codepoint-widths", Kind::Text, &[], E::WIDTHS,
        "The cells that single characters or ranges (U+hex or U+hex-U+hex) take, each as character=width.").array(",");
    COPY_COMMAND: Opt<Text> = server("copy-command", Kind::Text, &[""], NONE,
        "A shell command that gets what is copied, where copying names none; empty for nothing.");
    CURSOR_COLOUR: Opt<Text> = pane("cursor-colour", Kind::ColourText, &[""], E::CURSOR,
        "The colour of the cursor; empty leaves it to the terminal.").also(&["cursor-color"]);
    CURSOR_STYLE: Opt<OneOf<c::CursorStyle>> = pane("cursor-style", one_of::<c::CursorStyle>(), &["default"], E::CURSOR,
        "The shape of the cursor until the program in the pane sets one.");
    DEFAULT_CLIENT_COMMAND: Opt<Command> = server("default-client-command", Kind::Command, &["new-session"], NONE,
        "What runs when the program is started without a command.");
    DEFAULT_TERMINAL: Opt<Text> = server("default-terminal", Kind::Text, &["tmux-256color"], NONE,
        "TERM in new panes.");
    EDITOR: Opt<Text> = server("editor", Kind::Text, &["/usr/bin/vi"], NONE, "The program that edits a buffer or a file.");
    ESCAPE_TIME: Opt<Number> = server("escape-time", number(0, INT_MAX, MS), &["10"], E::KEYS,
        "How long an escape byte may be the start of a longer key before it is the Escape key.");
    EXIT_EMPTY: Opt<Flag> = server("exit-empty", Kind::Flag, &["on"], E::LIFE, "The server ends with its last session.");
    EXIT_UNATTACHED: Opt<Flag> = server("exit-unattached", Kind::Flag, &["off"], E::LIFE,
        "The server ends when no client is attached.");
    EXTENDED_KEYS: Opt<OneOf<c::ExtendedKeys>> = server("extended-keys", one_of::<c::ExtendedKeys>(), &["off"], E::TTY,
        "Modified keys that have no plain sequence: never, when the program asks for them, or always.");
    EXTENDED_KEYS_FORMAT: Opt<OneOf<c::ExtendedKeysFormat>> = server("extended-keys-format",
        one_of::<c::ExtendedKeysFormat>(), &["xterm"], E::KEYS, "The sequences that extended keys are written as.");
    FOCUS_EVENTS: Opt<Flag> = server("focus-events", Kind::Flag, &["off"], E::TTY,
        "Programs that ask for it are told when the terminal gets and loses the focus.");
    GET_CLIPBOARD: Opt<OneOf<c::GetClipboard>> = server("get-clipboard", one_of::<c::GetClipboard>(), &["buffer"], NONE,
        "What a program gets that asks for the clipboard: nothing, the newest buffer, the outer terminal's clipboard, \
         or that one, kept as a buffer too.");
    HISTORY_FILE: Opt<Text> = server("history-file", Kind::Text, &[""], NONE,
        "The file that keeps what was typed at prompts; empty for none.");
    INPUT_BUFFER_SIZE: Opt<Number> = server("input-buffer-size", number(1_048_576, u32::MAX as i64, ""), &["1048576"],
        E::TERMINAL, "The longest single escape sequence, in bytes, that is taken from a program.");
    MENU_STYLE: Opt<StyleKind> = window("menu-style", Kind::Style, &["bg=themedarkgrey,fg=themewhite"], NONE,
        "The style of menus.");
    MENU_SELECTED_STYLE: Opt<StyleKind> = window("menu-selected-style", Kind::Style, &["bg=themeyellow,fg=themeblack"], NONE,
        "The style of the chosen item of a menu.");
    MENU_BORDER_STYLE: Opt<StyleKind> = window("menu-border-style", Kind::Style, &["bg=themedarkgrey,fg=themelightgrey"], NONE,
        "The style of the border of menus.");
    MENU_BORDER_LINES: Opt<OneOf<c::BoxLines>> = window("menu-border-lines", one_of::<c::BoxLines>(), &["single"], NONE,
        "The lines around menus. Some need a terminal with UTF-8.");
    MESSAGE_LIMIT: Opt<Number> = server("message-limit", number(0, INT_MAX, ""), &["1000"], E::LIMITS,
        "How many lines the message log keeps.");
    PREFIX_TIMEOUT: Opt<Number> = server("prefix-timeout", number(0, INT_MAX, MS), &["0"], E::KEYS,
        "How long the prefix waits for its key; zero waits for ever.");
    PROMPT_HISTORY_LIMIT: Opt<Number> = server("prompt-history-limit", number(0, INT_MAX, ""), &["100"], E::LIMITS,
        "How many lines each kind of prompt remembers.");
    SET_CLIPBOARD: Opt<OneOf<c::SetClipboard>> = server("set-clipboard", one_of::<c::SetClipboard>(), &["external"], E::TTY,
        "Whether what is copied goes to the outer terminal's clipboard, and with on whether programs may set it and \
         make buffers.");
    TERMINAL_OVERRIDES: Opt<Array<Text>> = server("terminal-overrides", Kind::Text, &["linux*:AX@"], E::TTY,
        "Corrections of terminal descriptions, each as pattern:capability=value:...").array(",");
    TERMINAL_FEATURES: Opt<Array<Text>> = server("terminal-features", Kind::Text, &[
        "xterm*:clipboard:ccolour:cstyle:focus:title", "screen*:title", "rxvt*:ignorefkeys",
    ], E::TTY, "What outer terminals can do that their description does not say, each as pattern:feature:...").array(",");
    THEME: Opt<OneOf<c::Theme>> = server("theme", one_of::<c::Theme>(), &["detect"], E::THEME,
        "Where the theme's colours come from: as the terminal says it is light or dark, its own 16 colours, or fixed.");
    DARK_THEME_BLACK: Opt<Text> = server("dark-theme-black", Kind::ColourText, by_depth!("gray5", "black"), E::THEME,
        "The colour themeblack in the dark theme.");
    DARK_THEME_WHITE: Opt<Text> = server("dark-theme-white", Kind::ColourText, by_depth!("gray90", "white"), E::THEME,
        "The colour themewhite in the dark theme.");
    DARK_THEME_LIGHT_GREY: Opt<Text> = server("dark-theme-light-grey", Kind::ColourText, by_depth!("gray70", "white"),
        E::THEME, "The colour themelightgrey in the dark theme.");
    DARK_THEME_DARK_GREY: Opt<Text> = server("dark-theme-dark-grey", Kind::ColourText, by_depth!("gray15", "black"),
        E::THEME, "The colour themedarkgrey in the dark theme.");
    DARK_THEME_GREEN: Opt<Text> = server("dark-theme-green", Kind::ColourText, by_depth!("yellowgreen", "green"), E::THEME,
        "The colour themegreen in the dark theme.");
    DARK_THEME_YELLOW: Opt<Text> = server("dark-theme-yellow", Kind::ColourText, by_depth!("darkgoldenrod", "yellow"),
        E::THEME, "The colour themeyellow in the dark theme.");
    DARK_THEME_RED: Opt<Text> = server("dark-theme-red", Kind::ColourText, by_depth!("indianred", "red"), E::THEME,
        "The colour themered in the dark theme.");
    DARK_THEME_BLUE: Opt<Text> = server("dark-theme-blue", Kind::ColourText, by_depth!("skyblue3", "blue"), E::THEME,
        "The colour themeblue in the dark theme.");
    DARK_THEME_CYAN: Opt<Text> = server("dark-theme-cyan", Kind::ColourText, by_depth!("cadetblue", "cyan"), E::THEME,
        "The colour themecyan in the dark theme.");
    DARK_THEME_MAGENTA: Opt<Text> = server("dark-theme-magenta", Kind::ColourText, by_depth!("mediumpurple", "magenta"),
        E::THEME, "The colour thememagenta in the dark theme.");
    LIGHT_THEME_BLACK: Opt<Text> = server("light-theme-black", Kind::ColourText, by_depth!("gray10", "black"), E::THEME,
        "The colour themeblack in the light theme.");
    LIGHT_THEME_WHITE: Opt<Text> = server("light-theme-white", Kind::ColourText, by_depth!("gray95", "white"), E::THEME,
        "The colour themewhite in the light theme.");
    LIGHT_THEME_LIGHT_GREY: Opt<Text> = server("light-theme-light-grey", Kind::ColourText, by_depth!("gray80", "white"),
        E::THEME, "The colour themelightgrey in the light theme.");
    LIGHT_THEME_DARK_GREY: Opt<Text> = server("light-theme-dark-grey", Kind::ColourText, by_depth!("gray45", "black"),
        E::THEME, "The colour themedarkgrey in the light theme.");
    LIGHT_THEME_GREEN: Opt<Text> = server("light-theme-green", Kind::ColourText, by_depth!("seagreen", "green"), E::THEME,
        "The colour themegreen in the light theme.");
    LIGHT_THEME_YELLOW: Opt<Text> = server("light-theme-yellow", Kind::ColourText, by_depth!("darkgoldenrod", "yellow"),
        E::THEME, "The colour themeyellow in the light theme.");
    LIGHT_THEME_RED: Opt<Text> = server("light-theme-red", Kind::ColourText, by_depth!("indianred4", "red"), E::THEME,
        "The colour themered in the light theme.");
    LIGHT_THEME_BLUE: Opt<Text> = server("light-theme-blue", Kind::ColourText, by_depth!("steelblue", "blue"), E::THEME,
        "The colour themeblue in the light theme.");
    LIGHT_THEME_CYAN: Opt<Text> = server("light-theme-cyan", Kind::ColourText, by_depth!("darkcyan", "cyan"), E::THEME,
        "The colour themecyan in the light theme.");
    LIGHT_THEME_MAGENTA: Opt<Text> = server("light-theme-magenta", Kind::ColourText, by_depth!("purple4", "magenta"),
        E::THEME, "The colour thememagenta in the light theme.");
    USER_KEYS: Opt<Array<Text>> = server("user-keys", Kind::Text, &[], E::KEYS,
        "Sequences of the outer terminal that become the keys User0, User1 and so on.").array(",");
    VARIATION_SELECTOR_ALWAYS_WIDE: Opt<Flag> = server("variation-selector-always-wide", Kind::Flag, &["on"], E::WIDTHS,
        "A character followed by variation selector 16 always takes two cells.");

    // Session options.
    ACTIVITY_ACTION: Opt<OneOf<c::AlertAction>> = session("activity-action", one_of::<c::AlertAction>(), &["other"], NONE,
        "The windows whose activity is told about.");
    ASSUME_PASTE_TIME: Opt<Number> = session("assume-paste-time", number(0, INT_MAX, MS), &["1"], E::KEYS,
        "Keys that follow each other faster than this are a paste, not typing; zero for never.");
    BASE_INDEX: Opt<Number> = session("base-index", number(0, INT_MAX, ""), &["0"], NONE,
        "Where the numbers of new windows start.");
    BELL_ACTION: Opt<OneOf<c::AlertAction>> = session("bell-action", one_of::<c::AlertAction>(), &["any"], NONE,
        "The windows whose bell is told about.");
    DEFAULT_COMMAND: Opt<Text> = session("default-command", Kind::Text, &[""], NONE,
        "The shell command of new panes; empty for a login shell.");
    DEFAULT_SHELL: Opt<Text> = session("default-shell", Kind::Shell, &["/bin/sh"], NONE,
        "The shell of new panes, and the one that runs their commands. It must be an absolute path.");
    DEFAULT_SIZE: Opt<Text> = session("default-size", Kind::Size, &["80x24"], E::SIZE,
        "The size of windows that no client looks at, as COLUMNSxROWS.");
    DESTROY_UNATTACHED: Opt<OneOf<c::DestroyUnattached>> = session("destroy-unattached", one_of::<c::DestroyUnattached>(),
        &["off"], E::LIFE, "Whether a session ends when no client is attached to it any more; keep-last spares the last \
         of its group, keep-group the whole group.");
    DETACH_ON_DESTROY: Opt<OneOf<c::DetachOnDestroy>> = session("detach-on-destroy", one_of::<c::DetachOnDestroy>(),
        &["on"], NONE, "What a client does when its session ends: detach, or go on to another session.");
    DISPLAY_TIME: Opt<Number> = session("display-time", number(0, INT_MAX, MS), &["750"], NONE,
        "How long messages stay; zero until a key is pressed.");
    FOCUS_FOLLOWS_MOUSE: Opt<Flag> = session("focus-follows-mouse", Kind::Flag, &["off"], E::TTY,
        "The pane under the mouse becomes the active one.");
    HISTORY_LIMIT: Opt<Number> = session("history-limit", number(0, INT_MAX, "lines"), &["2000"], E::HISTORY,
        "How many lines the history of a pane keeps.");
    INITIAL_REPEAT_TIME: Opt<Number> = session("initial-repeat-time", number(0, 2_000_000, MS), &["0"], NONE,
        "How long a repeatable key waits for its first repetition; zero takes repeat-time.");
    KEY_TABLE: Opt<Text> = session("key-table", Kind::Text, &["root"], E::KEYS, "The key table in which keys are looked up first.");
    LOCK_AFTER_TIME: Opt<Number> = session("lock-after-time", number(0, INT_MAX, SECONDS), &["0"], E::TIMERS,
        "How long a session may be idle before its clients are locked; zero for never.");
    LOCK_COMMAND: Opt<Text> = session("lock-command", Kind::Text, &["lock -np"], NONE,
        "The shell command that locks a client's terminal.");
    MESSAGE_COMMAND_STYLE: Opt<StyleKind> = session("message-command-style", Kind::Style, &[DEFAULT_MESSAGE_COMMAND_STYLE],
        STATUS_LINE, "The style of prompts while vi keys are in command mode.");
    MESSAGE_FORMAT: Opt<Text> = session("message-format", Kind::Format,
        &["#[#{?#{command_prompt},#{E:message-command-style},#{E:message-style}}]#{message}"], STATUS_LINE,
        "How messages and prompts are drawn; #{message} is the text.");
    MESSAGE_LINE: Opt<OneOf<c::MessageLine>> = session("message-line", one_of::<c::MessageLine>(), &["0"], STATUS_LINE,
        "The status line that messages and prompts cover.");
    MESSAGE_STYLE: Opt<StyleKind> = session("message-style", Kind::Style, &[DEFAULT_MESSAGE_STYLE], STATUS_LINE,
        "The style of messages and prompts; fill colours the whole line and width limits the prompt.");
    MOUSE: Opt<Flag> = session("mouse", Kind::Flag, &["on"], E::TTY,
        "The mouse is taken from the terminal and its bindings work. Programs may use it in any case.");
    PREFIX: Opt<KeyKind> = session("prefix", Kind::Key, &["C-b"], E::KEYS, "The key before all bindings of the prefix table.");
    PREFIX2: Opt<KeyKind> = session("prefix2", Kind::Key, &["None"], E::KEYS, "Another prefix key, or None.");
    RENUMBER_WINDOWS: Opt<Flag> = session("renumber-windows", Kind::Flag, &["off"], NONE,
        "Windows are numbered anew when one is closed, so no gap stays.");
    REPEAT_TIME: Opt<Number> = session("repeat-time", number(0, 2_000_000, MS), &["500"], NONE,
        "How long after a repeatable binding more keys need no prefix; zero for never.");
    SET_TITLES: Opt<Flag> = session("set-titles", Kind::Flag, &["off"], E::TITLES, "The outer terminal's title is set.");
    SET_TITLES_STRING: Opt<Text> = session("set-titles-string", Kind::Format, &["#S:#I:#W - \"#T\" #{session_alerts}"],
        E::TITLES, "The title of the outer terminal.");
    SILENCE_ACTION: Opt<OneOf<c::AlertAction>> = session("silence-action", one_of::<c::AlertAction>(), &["other"], NONE,
        "The windows whose silence is told about.");
    STATUS: Opt<OneOf<c::StatusLines>> = session("status", one_of::<c::StatusLines>(), &["on"],
        E::STATUS.union(E::SIZE).union(E::TIMERS).union(E::SCENE), "How many status lines there are.");
    STATUS_BG: Opt<ColourKind> = session("status-bg", Kind::Colour, &["default"], STATUS_LINE,
        "The background of the status line; status-style is the better place.");
    STATUS_FG: Opt<ColourKind> = session("status-fg", Kind::Colour, &["default"], STATUS_LINE,
        "The foreground of the status line; status-style is the better place.");
    STATUS_FORMAT: Opt<Array<Text>> = session("status-format", Kind::Format,
        &[STATUS_WINDOWS, STATUS_PANES, STATUS_SESSIONS], STATUS_LINE,
        "The status lines, one element each. The first is made of status-left, the window list and status-right.")
        .array(" ,");
    STATUS_INTERVAL: Opt<Number> = session("status-interval", number(0, INT_MAX, SECONDS), &["15"], E::TIMERS,
        "How often the status line is made anew in any case; zero for never.");
    STATUS_JUSTIFY: Opt<OneOf<c::StatusJustify>> = session("status-justify", one_of::<c::StatusJustify>(), &["left"],
        STATUS_LINE, "Where the window list stands in the status line.");
    STATUS_KEYS: Opt<OneOf<c::EditKeys>> = session("status-keys", one_of::<c::EditKeys>(), &["emacs"], E::KEYS,
        "The editing keys of prompts.");
    STATUS_LEFT: Opt<Text> = session("status-left", Kind::Format, &["[#{session_name}] "], STATUS_LINE,
        "The left part of the status line.");
    STATUS_LEFT_LENGTH: Opt<Number> = session("status-left-length", number(0, i16::MAX as i64, ""), &["10"],
        STATUS_LINE, "The greatest width of the left part of the status line.");
    STATUS_LEFT_STYLE: Opt<StyleKind> = session("status-left-style", Kind::Style, &["default"], STATUS_LINE,
        "The style of the left part of the status line.");
    STATUS_POSITION: Opt<OneOf<c::StatusPosition>> = session("status-position", one_of::<c::StatusPosition>(), &["bottom"],
        E::STATUS.union(E::SCENE).union(E::SIZE), "The edge of the terminal that the status lines stand at.");
    STATUS_RIGHT: Opt<Text> = session("status-right", Kind::Format, &[
        "#{?window_bigger,[#{window_offset_x}#,#{window_offset_y}] ,}\"#{=21:pane_title}\" %H:%M %d-%b-%y",
    ], STATUS_LINE, "The right part of the status line.");
    STATUS_RIGHT_LENGTH: Opt<Number> = session("status-right-length", number(0, i16::MAX as i64, ""), &["40"],
        STATUS_LINE, "The greatest width of the right part of the status line.");
    STATUS_RIGHT_STYLE: Opt<StyleKind> = session("status-right-style", Kind::Style, &["default"], STATUS_LINE,
        "The style of the right part of the status line.");
    STATUS_STYLE: Opt<StyleKind> = session("status-style", Kind::Style, &["bg=themegreen,fg=themeblack"], STATUS_LINE,
        "The style of the status line.");
    PANE_STATUS_CURRENT_STYLE: Opt<StyleKind> = window("pane-status-current-style", Kind::Style, &["underscore"],
        STATUS_LINE, "The style of the active pane in a status line that lists panes.");
    PANE_STATUS_STYLE: Opt<StyleKind> = window("pane-status-style", Kind::Style, &["default"], STATUS_LINE,
        "The style of the other panes in a status line that lists panes.");
    PROMPT_CURSOR_COLOUR: Opt<Text> = session("prompt-cursor-colour", Kind::ColourText, &[""], NONE,
        "The colour of the cursor in prompts; empty leaves it to the terminal.").also(&["prompt-cursor-color"]);
    PROMPT_COMMAND_CURSOR_COLOUR: Opt<Text> = session("prompt-command-cursor-colour", Kind::ColourText, &[""], NONE,
        "The colour of the cursor in prompts while vi keys are in command mode.").also(&["prompt-command-cursor-color"]);
    PROMPT_CURSOR_STYLE: Opt<OneOf<c::CursorStyle>> = session("prompt-cursor-style", one_of::<c::CursorStyle>(),
        &["default"], NONE, "The shape of the cursor in prompts.");
    PROMPT_COMMAND_CURSOR_STYLE: Opt<OneOf<c::CursorStyle>> = session("prompt-command-cursor-style",
        one_of::<c::CursorStyle>(), &["default"], NONE,
        "The shape of the cursor in prompts while vi keys are in command mode.");
    SESSION_STATUS_CURRENT_STYLE: Opt<StyleKind> = window("session-status-current-style", Kind::Style, &["underscore"],
        STATUS_LINE, "The style of the current session in a status line that lists sessions.");
    SESSION_STATUS_STYLE: Opt<StyleKind> = window("session-status-style", Kind::Style, &["default"], STATUS_LINE,
        "The style of the other sessions in a status line that lists sessions.");
    UPDATE_ENVIRONMENT: Opt<Array<Text>> = session("update-environment", Kind::Text, &[
        "DISPLAY", "KRB5CCNAME", "MSYSTEM", "SSH_ASKPASS", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSH_CONNECTION",
        "WAYLAND_DISPLAY", "WINDOWID", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "XDG_SESSION_DESKTOP", "XDG_SESSION_TYPE",
    ], NONE, "The variables (or patterns of them) that a session takes over from a client that attaches.").array(" ,");
    VISUAL_ACTIVITY: Opt<OneOf<c::VisualAlert>> = session("visual-activity", one_of::<c::VisualAlert>(), &["off"], NONE,
        "Activity is told by a message, by a bell (off), or by both.");
    VISUAL_BELL: Opt<OneOf<c::VisualAlert>> = session("visual-bell", one_of::<c::VisualAlert>(), &["off"], NONE,
        "A bell is told by a message, by a bell (off), or by both.");
    VISUAL_SILENCE: Opt<OneOf<c::VisualAlert>> = session("visual-silence", one_of::<c::VisualAlert>(), &["off"], NONE,
        "Silence is told by a message, by a bell (off), or by both.");
    WORD_SEPARATORS: Opt<Text> = session("word-separators", Kind::Text, &["!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~"], NONE,
        "The characters that end a word, besides white space.");

    // Window options.
    AGGRESSIVE_RESIZE: Opt<Flag> = window("aggressive-resize", Kind::Flag, &["off"], E::SIZE,
        "Only clients that look at a window count for its size, not all that have it in their session.");
    ALLOW_PASSTHROUGH: Opt<OneOf<c::Passthrough>> = pane("allow-passthrough", one_of::<c::Passthrough>(), &["off"],
        E::TERMINAL, "Programs may send sequences to the outer terminal as they are: never, while visible, or always.");
    ALLOW_RENAME: Opt<Flag> = pane("allow-rename", Kind::Flag, &["off"], E::TERMINAL,
        "Programs may rename their window with the screen sequence ESC k.");
    ALLOW_SET_TITLE: Opt<Flag> = pane("allow-set-title", Kind::Flag, &["on"], E::TERMINAL,
        "Programs may set the title of their pane.");
    ALTERNATE_SCREEN: Opt<Flag> = pane("alternate-screen", Kind::Flag, &["on"], E::TERMINAL,
        "Programs may use the alternate screen.");
    AUTOMATIC_RENAME: Opt<Flag> = window("automatic-rename", Kind::Flag, &["on"], E::NAMES,
        "Windows are named after what runs in them until a name is given.");
    AUTOMATIC_RENAME_FORMAT: Opt<Text> = window("automatic-rename-format", Kind::Format,
        &["#{?pane_in_mode,[tmux],#{pane_current_command}}#{?pane_dead,[dead],}"], E::NAMES,
        "The name of windows that are named by themselves.");
    CLOCK_MODE_COLOUR: Opt<Text> = window("clock-mode-colour", Kind::ColourText, &["themeblue"], NONE,
        "The colour of the clock.").also(&["clock-mode-color"]);
    CLOCK_MODE_STYLE: Opt<OneOf<c::ClockStyle>> = window("clock-mode-style", one_of::<c::ClockStyle>(), &["24"], NONE,
        "How the clock writes the time.");
    DISPLAY_PANES_ACTIVE_COLOUR: Opt<Text> = window("display-panes-active-colour", Kind::ColourText, &["themered"], NONE,
        "The colour of the active pane's number in display-panes.").also(&["display-panes-active-color"]);
    DISPLAY_PANES_BORDER_STYLE: Opt<StyleKind> = window("display-panes-border-style", Kind::Style,
        &["bg=themedarkgrey,fg=themelightgrey"], NONE, "The style of borders in display-panes.");
    DISPLAY_PANES_COLOUR: Opt<Text> = window("display-panes-colour", Kind::ColourText, &["themeblue"], NONE,
        "The colour of the other panes' numbers in display-panes.").also(&["display-panes-color"]);
    DISPLAY_PANES_FORMAT: Opt<Text> = window("display-panes-format", Kind::Format,
        &["#[align=right]#{pane_unzoomed_width}x#{pane_unzoomed_height}"], NONE,
        "The text beside each number in display-panes.");
    DISPLAY_PANES_TIME: Opt<Number> = window("display-panes-time", number(1, INT_MAX, MS), &["1000"], NONE,
        "How long display-panes shows the numbers.");
    COPY_MODE_MATCH_STYLE: Opt<StyleKind> = window("copy-mode-match-style", Kind::Style, &["bg=themecyan,fg=themeblack"], NONE,
        "The style of what a search found in copy mode.");
    COPY_MODE_CURRENT_MATCH_STYLE: Opt<StyleKind> = window("copy-mode-current-match-style", Kind::Style,
        &["bg=thememagenta,fg=themeblack"], NONE, "The style of the search match at the cursor in copy mode.");
    COPY_MODE_MARK_STYLE: Opt<StyleKind> = window("copy-mode-mark-style", Kind::Style, &["bg=themeyellow,fg=themeblack"], NONE,
        "The style of the line with the mark in copy mode.");
    COPY_MODE_POSITION_FORMAT: Opt<Text> = pane("copy-mode-position-format", Kind::Format, &[concat!(
        "#[align=right]#{t/p:top_line_time}#{?#{e|>:#{top_line_time},0}, ,}",
        "[#{copy_position}/#{copy_position_limit}]#{?search_timed_out, (timed out),",
        "#{?search_count, (#{search_count}#{?search_count_partial,+,} results),}}",
    )], NONE, "The position indicator of copy mode.");
    COPY_MODE_POSITION_STYLE: Opt<StyleKind> = window("copy-mode-position-style", Kind::Style, &["#{E:mode-style}"], NONE,
        "The style of the position indicator of copy mode.");
    COPY_MODE_SELECTION_STYLE: Opt<StyleKind> = window("copy-mode-selection-style", Kind::Style, &["#{E:mode-style}"], NONE,
        "The style of the selection in copy mode.");
    COPY_MODE_CURRENT_LINE_NUMBER_STYLE: Opt<StyleKind> = window("copy-mode-current-line-number-style", Kind::Style,
        &["fg=themeyellow"], NONE, "The style of the number of the cursor's line in copy mode.");
    COPY_MODE_CURRENT_LINE_STYLE: Opt<StyleKind> = window("copy-mode-current-line-style", Kind::Style, &["default"], NONE,
        "The style of the cursor's line in copy mode.");
    COPY_MODE_LINE_NUMBER_STYLE: Opt<StyleKind> = window("copy-mode-line-number-style", Kind::Style,
        &["fg=themelightgrey,dim"], NONE, "The style of line numbers in copy mode.");
    COPY_MODE_LINE_NUMBERS: Opt<OneOf<c::LineNumbers>> = window("copy-mode-line-numbers", one_of::<c::LineNumbers>(),
        &["off"], NONE, "The line numbers of copy mode.");
    FILL_CHARACTER: Opt<Text> = window("fill-character", Kind::Format,
        &["#{?is_inside,#[bg=themedarkgrey] ,#[fg=themelightgrey]#[acs]~}"], SCENE,
        "What fills the cells that no pane covers.");
    MAIN_PANE_HEIGHT: Opt<Text> = window("main-pane-height", Kind::Text, &["24"], NONE,
        "The height of the main pane in the main-horizontal layouts, in lines or as a percentage.");
    MAIN_PANE_WIDTH: Opt<Text> = window("main-pane-width", Kind::Text, &["80"], NONE,
        "The width of the main pane in the main-vertical layouts, in columns or as a percentage.");
    MODE_KEYS: Opt<OneOf<c::EditKeys>> = window("mode-keys", one_of::<c::EditKeys>(), &["emacs"], E::KEYS,
        "The keys of copy mode and of the choosers.");
    MODE_STYLE: Opt<StyleKind> = window("mode-style", Kind::Style, &["noattr,bg=themeyellow,fg=themeblack"], NONE,
        "The style of what is marked or chosen in modes.");
    MONITOR_ACTIVITY: Opt<Flag> = window("monitor-activity", Kind::Flag, &["off"], E::ALERTS,
        "Output in a window that is not the current one is told about.");
    MONITOR_BELL: Opt<Flag> = window("monitor-bell", Kind::Flag, &["on"], E::ALERTS, "A bell in a window is told about.");
    MONITOR_SILENCE: Opt<Number> = window("monitor-silence", number(0, INT_MAX, ""), &["0"], E::ALERTS,
        "After this many seconds without output a window is told about; zero for never.");
    OTHER_PANE_HEIGHT: Opt<Text> = window("other-pane-height", Kind::Text, &["0"], NONE,
        "The height of the other panes in the main-horizontal layouts; 0 gives them what is left.");
    OTHER_PANE_WIDTH: Opt<Text> = window("other-pane-width", Kind::Text, &["0"], NONE,
        "The width of the other panes in the main-vertical layouts; 0 gives them what is left.");
    PANE_ACTIVE_BORDER_STYLE: Opt<StyleKind> = pane("pane-active-border-style", Kind::Style, &[concat!(
        "fg=#{?pane_modal_flag,themeblue,#{?pane_marked,thememagenta,",
        "#{?synchronize-panes,themered,#{?pane_in_mode,themeyellow,themegreen}}}}",
    )], SCENE, "The style of the border of the active pane.");
    PANE_BASE_INDEX: Opt<Number> = window("pane-base-index", number(0, u16::MAX as i64, ""), &["0"], E::STATUS.union(E::SCENE),
        "Where the numbers of panes start.");
    PANE_BORDER_FORMAT: Opt<Text> = pane("pane-border-format", Kind::Format, &[concat!(
        "#{?pane_active,#[reverse],}#{pane_index}#[default] \"#{pane_title}\"#{?#{mouse},#[align=right]",
        "#[range=control|7][#{?#{pane_floating_flag},t,f}]#[norange]",
        "#[range=control|8][#{?#{window_zoomed_flag},u,z}]#[norange]#[range=control|9][x]#[norange],}",
    )], SCENE, "The text in the pane status lines.");
    PANE_BORDER_INDICATORS: Opt<OneOf<c::BorderIndicators>> = window("pane-border-indicators",
        one_of::<c::BorderIndicators>(), &["colour"], SCENE, "How the border shows which pane is the active one.");
    PANE_BORDER_LINES: Opt<OneOf<c::PaneLines>> = pane("pane-border-lines", one_of::<c::PaneLines>(), &["single"],
        E::SCENE.union(E::LAYOUT), "The lines between panes. Some need a terminal with UTF-8.");
    PANE_BORDER_STATUS: Opt<OneOf<c::PaneStatus>> = pane("pane-border-status", one_of::<c::PaneStatus>(), &["off"],
        E::SCENE.union(E::LAYOUT), "Where panes have a status line of their own.");
    PANE_BORDER_STYLE: Opt<StyleKind> = pane("pane-border-style", Kind::Style, &["fg=themelightgrey"], SCENE,
        "The style of borders beside panes that are not the active one.");
    PANE_COLOURS: Opt<Array<ColourKind>> = pane("pane-colours", Kind::Colour, &[], E::PALETTE,
        "The colours 0 to 255 that programs see until they set others.").array(" ,").also(&["pane-colors"]);
    PANE_SCROLLBARS: Opt<OneOf<c::Scrollbars>> = window("pane-scrollbars", one_of::<c::Scrollbars>(), &["off"],
        E::SCENE.union(E::LAYOUT), "When panes have a scrollbar: never, in modes, always, or only while scrolling.");
    PANE_SCROLLBARS_TIMEOUT: Opt<Number> = window("pane-scrollbars-timeout", number(0, INT_MAX, MS), &["500"], SCENE,
        "How long a scrollbar that hides by itself stays.");
    PANE_SCROLLBARS_STYLE: Opt<StyleKind> = pane("pane-scrollbars-style", Kind::Style,
        &["bg=themedarkgrey,fg=themelightgrey,width=1,pad=0"], E::SCENE.union(E::LAYOUT),
        "The style of scrollbars; width and pad give their size.");
    PANE_SCROLLBARS_POSITION: Opt<OneOf<c::ScrollbarSide>> = window("pane-scrollbars-position",
        one_of::<c::ScrollbarSide>(), &["right"], E::SCENE.union(E::LAYOUT), "The side of panes that has the scrollbar.");
    POPUP_STYLE: Opt<StyleKind> = window("popup-style", Kind::Style, &["bg=themedarkgrey,fg=themewhite"], NONE,
        "The style of popups.");
    POPUP_BORDER_STYLE: Opt<StyleKind> = window("popup-border-style", Kind::Style, &["bg=themedarkgrey,fg=themelightgrey"],
        NONE, "The style of the border of popups.");
    POPUP_BORDER_LINES: Opt<OneOf<c::BoxLines>> = window("popup-border-lines", one_of::<c::BoxLines>(), &["single"], NONE,
        "The lines around popups. Some need a terminal with UTF-8.");
    REMAIN_ON_EXIT: Opt<OneOf<c::RemainOnExit>> = pane("remain-on-exit", one_of::<c::RemainOnExit>(), &["off"], NONE,
        "What becomes of a pane when its program ends: it closes, it stays, it stays after a failure, or until a key.");
    REMAIN_ON_EXIT_FORMAT: Opt<Text> = pane("remain-on-exit-format", Kind::Format, &[concat!(
        "Pane is dead (#{?#{!=:#{pane_dead_status},},status #{pane_dead_status},}",
        "#{?#{!=:#{pane_dead_signal},},signal #{pane_dead_signal},}, #{t:pane_dead_time})",
    )], NONE, "The last line of a pane that stays after its program ended.");
    SCROLL_ON_CLEAR: Opt<Flag> = pane("scroll-on-clear", Kind::Flag, &["on"], E::TERMINAL,
        "Clearing the whole screen puts what it showed into the history.");
    SWITCH_MODE_MATCH_STYLE: Opt<StyleKind> = pane("switch-mode-match-style", Kind::Style, &["bg=cyan fg=black"], NONE,
        "The style of the characters that match in switch mode.");
    SYNCHRONIZE_PANES: Opt<Flag> = pane("synchronize-panes", Kind::Flag, &["off"], E::STATUS.union(E::SCENE),
        "What is typed goes to all panes of the window that have this on.");
    TILED_LAYOUT_MAX_COLUMNS: Opt<Number> = window("tiled-layout-max-columns", number(0, u16::MAX as i64, ""), &["0"], NONE,
        "The greatest number of columns of the tiled layout; zero for any.");
    TREE_MODE_BORDER_STYLE: Opt<StyleKind> = window("tree-mode-border-style", Kind::Style,
        &["bg=themedarkgrey,fg=themelightgrey"], NONE, "The style of borders in the choosers.");
    TREE_MODE_PREVIEW_FORMAT: Opt<Text> = pane("tree-mode-preview-format", Kind::Format,
        &["#{?pane_format,#{pane_index}:#{pane_title},#{window_index}:#{window_name}}"], NONE,
        "The label of a preview in the choosers.");
    TREE_MODE_PREVIEW_STYLE: Opt<StyleKind> = window("tree-mode-preview-style", Kind::Style, &[concat!(
        "fg=#{?#{||:#{&&:#{pane_format},#{pane_active}},#{&&:#{window_format},#{window_active}}},",
        "themered,themeblue}",
    )], NONE, "The style of the label of a preview in the choosers.");
    TREE_MODE_SELECTION_STYLE: Opt<StyleKind> = window("tree-mode-selection-style", Kind::Style, &["#{E:mode-style}"], NONE,
        "The style of the chosen line in the choosers.");
    WINDOW_ACTIVE_STYLE: Opt<StyleKind> = pane("window-active-style", Kind::Style, &["default"], E::STYLES,
        "The style of the active pane where the program gives none.");
    WINDOW_PANE_CURRENT_STATUS_FORMAT: Opt<Text> = window("window-pane-current-status-format", Kind::Format,
        &["#P:[#T]#{?pane_flags,#{pane_flags}, }"], STATUS_LINE,
        "The active pane in a status line that lists panes.");
    WINDOW_PANE_STATUS_FORMAT: Opt<Text> = window("window-pane-status-format", Kind::Format,
        &["#P:[#T]#{?pane_flags,#{pane_flags}, }"], STATUS_LINE,
        "The other panes in a status line that lists panes.");
    WINDOW_SIZE: Opt<OneOf<c::WindowSize>> = window("window-size", one_of::<c::WindowSize>(), &["latest"], E::SIZE,
        "Which client decides the size of a window: the largest, the smallest, the one used last, or none.");
    WINDOW_STYLE: Opt<StyleKind> = pane("window-style", Kind::Style, &["default"], E::STYLES,
        "The style of panes where the program gives none.");
    WINDOW_STATUS_ACTIVITY_STYLE: Opt<StyleKind> = window("window-status-activity-style", Kind::Style, &["reverse"],
        STATUS_LINE, "The style of windows with an activity or silence alert in the window list.");
    WINDOW_STATUS_BELL_STYLE: Opt<StyleKind> = window("window-status-bell-style", Kind::Style, &["reverse"],
        STATUS_LINE, "The style of windows with a bell alert in the window list.");
    WINDOW_STATUS_CURRENT_FORMAT: Opt<Text> = window("window-status-current-format", Kind::Format,
        &["#I:#W#{?window_flags,#{window_flags}, }"], STATUS_LINE, "The current window in the window list.");
    WINDOW_STATUS_CURRENT_STYLE: Opt<StyleKind> = window("window-status-current-style", Kind::Style, &["underscore"],
        STATUS_LINE, "The style of the current window in the window list.");
    WINDOW_STATUS_FORMAT: Opt<Text> = window("window-status-format", Kind::Format,
        &["#I:#W#{?window_flags,#{window_flags}, }"], STATUS_LINE, "The other windows in the window list.");
    WINDOW_STATUS_LAST_STYLE: Opt<StyleKind> = window("window-status-last-style", Kind::Style, &["default"],
        STATUS_LINE, "The style of the window before the current one in the window list.");
    WINDOW_STATUS_SEPARATOR: Opt<Text> = window("window-status-separator", Kind::Format, &[" "], STATUS_LINE,
        "What stands between the windows of the window list.");
    WINDOW_STATUS_STYLE: Opt<StyleKind> = window("window-status-style", Kind::Style, &["default"], STATUS_LINE,
        "The style of windows in the window list.");
    WRAP_SEARCH: Opt<Flag> = window("wrap-search", Kind::Flag, &["on"], NONE,
        "A search in copy mode goes on at the other end.");
    XTERM_KEYS: Opt<Flag> = window("xterm-keys", Kind::Flag, &["on"], NONE,
        "Kept for old configurations: keys are always written as xterm writes them.");

    // Our own.
    FRAME_RATE: Opt<Number> = server("frame-rate", number(30, 120, "frames per second"), &["60"], E::TIMERS,
        "How often a client is drawn at most while output keeps coming.");
    TMUX_SHIM: Opt<Flag> = server("tmux-shim", Kind::Flag, &["on"], NONE,
        "In new panes the command tmux is this program, so tools that call it reach the server they run in.");

    // Hooks after commands.
    AFTER_BIND_KEY: Hook = after!("bind-key");
    AFTER_CAPTURE_PANE: Hook = after!("capture-pane");
    AFTER_COPY_MODE: Hook = after!("copy-mode");
    AFTER_DISPLAY_MESSAGE: Hook = after!("display-message");
    AFTER_DISPLAY_PANES: Hook = after!("display-panes");
    AFTER_KILL_PANE: Hook = after!("kill-pane");
    AFTER_LIST_BUFFERS: Hook = after!("list-buffers");
    AFTER_LIST_CLIENTS: Hook = after!("list-clients");
    AFTER_LIST_KEYS: Hook = after!("list-keys");
    AFTER_LIST_PANES: Hook = after!("list-panes");
    AFTER_LIST_SESSIONS: Hook = after!("list-sessions");
    AFTER_LIST_WINDOWS: Hook = after!("list-windows");
    AFTER_LOAD_BUFFER: Hook = after!("load-buffer");
    AFTER_LOCK_SERVER: Hook = after!("lock-server");
    AFTER_NEW_SESSION: Hook = after!("new-session");
    AFTER_NEW_WINDOW: Hook = after!("new-window");
    AFTER_PASTE_BUFFER: Hook = after!("paste-buffer");
    AFTER_PIPE_PANE: Hook = after!("pipe-pane");
    AFTER_REFRESH_CLIENT: Hook = after!("refresh-client");
    AFTER_RENAME_SESSION: Hook = after!("rename-session");
    AFTER_RENAME_WINDOW: Hook = after!("rename-window");
    AFTER_RESIZE_PANE: Hook = after!("resize-pane");
    AFTER_RESIZE_WINDOW: Hook = after!("resize-window");
    AFTER_SAVE_BUFFER: Hook = after!("save-buffer");
    AFTER_SELECT_LAYOUT: Hook = after!("select-layout");
    AFTER_SELECT_PANE: Hook = after!("select-pane");
    AFTER_SELECT_WINDOW: Hook = after!("select-window");
    AFTER_SEND_KEYS: Hook = after!("send-keys");
    AFTER_SET_BUFFER: Hook = after!("set-buffer");
    AFTER_SET_ENVIRONMENT: Hook = after!("set-environment");
    AFTER_SET_HOOK: Hook = after!("set-hook");
    AFTER_SET_OPTION: Hook = after!("set-option");
    AFTER_SHOW_ENVIRONMENT: Hook = after!("show-environment");
    AFTER_SHOW_MESSAGES: Hook = after!("show-messages");
    AFTER_SHOW_OPTIONS: Hook = after!("show-options");
    AFTER_SPLIT_WINDOW: Hook = after!("split-window");
    AFTER_SWAP_WINDOW: Hook = after!("swap-window");
    AFTER_UNBIND_KEY: Hook = after!("unbind-key");

    // Hooks of events.
    ALERT_ACTIVITY: Hook = hook("alert-activity", S, "Runs on output in a window that is watched for activity.");
    ALERT_BELL: Hook = hook("alert-bell", S, "Runs on a bell in a window.");
    ALERT_SILENCE: Hook = hook("alert-silence", S, "Runs when a window was silent for the time it is watched for.");
    CLIENT_ACTIVE: Hook = hook("client-active", S, "Runs when a client becomes the one used last in its session.");
    CLIENT_ATTACHED: Hook = hook("client-attached", S, "Runs when a client attached.");
    CLIENT_CREATED: Hook = hook("client-created", S, "Runs when a client connected.");
    CLIENT_CLOSED: Hook = hook("client-closed", S, "Runs when a client is gone.");
    CLIENT_DETACHED: Hook = hook("client-detached", S, "Runs when a client detached.");
    CLIENT_FOCUS_IN: Hook = hook("client-focus-in", S, "Runs when a client's terminal got the focus.");
    CLIENT_FOCUS_OUT: Hook = hook("client-focus-out", S, "Runs when a client's terminal lost the focus.");
    CLIENT_RESIZED: Hook = hook("client-resized", S, "Runs when a client's terminal has another size.");
    CLIENT_SESSION_CHANGED: Hook = hook("client-session-changed", S, "Runs when a client looks at another session.");
    CLIENT_LIGHT_THEME: Hook = hook("client-light-theme", S, "Runs when a client's terminal became light.");
    CLIENT_DARK_THEME: Hook = hook("client-dark-theme", S, "Runs when a client's terminal became dark.");
    COMMAND_ERROR: Hook = hook("command-error", S, "Runs when a command failed.");
    MARKED_PANE_CHANGED: Hook = hook("marked-pane-changed", S, "Runs when a pane was marked or the mark taken away.");
    PANE_ACTIVITY: Hook = hook("pane-activity", P, "Runs on new output in a pane.");
    PANE_BELL: Hook = hook("pane-bell", P, "Runs on a bell in a pane.");
    PANE_COMMAND_FINISHED: Hook = hook("pane-command-finished", P, "Runs when a shell says (OSC 133) that a command ended.");
    PANE_COMMAND_STARTED: Hook = hook("pane-command-started", P, "Runs when a shell says (OSC 133) that a command starts.");
    PANE_CREATED: Hook = hook("pane-created", P, "Runs when a pane was made or its program started again.");
    PANE_DIED: Hook = hook("pane-died", P, "Runs when a pane's program ended and the pane stays.");
    PANE_EXITED: Hook = hook("pane-exited", P, "Runs when a pane's program ended and the pane closes.");
    PANE_FOCUS_IN: Hook = hook("pane-focus-in", P, "Runs when a pane got the focus, if focus-events is on.");
    PANE_FOCUS_OUT: Hook = hook("pane-focus-out", P, "Runs when a pane lost the focus, if focus-events is on.");
    PANE_MODE_CHANGED: Hook = hook("pane-mode-changed", P, "Runs when a pane enters, changes or leaves a mode.");
    PANE_MODE_ENTERED: Hook = hook("pane-mode-entered", P, "Runs when a pane entered a mode.");
    PANE_MODE_EXITED: Hook = hook("pane-mode-exited", P, "Runs when a pane left a mode.");
    PANE_MOVED: Hook = hook("pane-moved", P, "Runs when a pane came into another window.");
    PANE_PROMPT_CLOSED: Hook = hook("pane-prompt-closed", P, "Runs when a prompt inside a pane was closed.");
    PANE_PROMPT_OPENED: Hook = hook("pane-prompt-opened", P, "Runs when a prompt inside a pane was opened.");
    PANE_RESIZED: Hook = hook("pane-resized", P, "Runs when a pane has another size.");
    PANE_SET_CLIPBOARD: Hook = hook("pane-set-clipboard", P, "Runs when a program set the clipboard (OSC 52).");
    PANE_SHELL_PROMPT: Hook = hook("pane-shell-prompt", P, "Runs when a shell says (OSC 133) that its prompt starts.");
    PANE_TITLE_CHANGED: Hook = hook("pane-title-changed", P, "Runs when a pane has another title.");
    SESSION_CLOSED: Hook = hook("session-closed", S, "Runs when a session is gone.");
    SESSION_CREATED: Hook = hook("session-created", S, "Runs when a session was made.");
    SESSION_ADDED_TO_GROUP: Hook = hook("session-added-to-group", S, "Runs when a session joined a group.");
    SESSION_RENAMED: Hook = hook("session-renamed", S, "Runs when a session has another name.");
    SESSION_REMOVED_FROM_GROUP: Hook = hook("session-removed-from-group", S, "Runs when a session left its group.");
    SESSION_WINDOW_CHANGED: Hook = hook("session-window-changed", S, "Runs when another window became current in a session.");
    WINDOW_CREATED: Hook = hook("window-created", W, "Runs when a window was made.");
    WINDOW_CLOSED: Hook = hook("window-closed", W, "Runs when a window is gone.");
    WINDOW_LAYOUT_CHANGED: Hook = hook("window-layout-changed", W, "Runs when the panes of a window are placed otherwise.");
    WINDOW_LINKED: Hook = hook("window-linked", S, "Runs when a window came into a session.");
    WINDOW_PANE_CHANGED: Hook = hook("window-pane-changed", W, "Runs when another pane became active in a window.");
    WINDOW_RENAMED: Hook = hook("window-renamed", W, "Runs when a window has another name.");
    WINDOW_RESIZED: Hook = hook("window-resized", W, "Runs when a window has another size.");
    WINDOW_UNZOOMED: Hook = hook("window-unzoomed", W, "Runs when a window is not zoomed any more.");
    WINDOW_ZOOMED: Hook = hook("window-zoomed", W, "Runs when a window was zoomed.");
    WINDOW_UNLINKED: Hook = hook("window-unlinked", S, "Runs when a window left a session.");
}
