//! What a template asks of the world: variables, options, loops. Implemented where the state is.

use crate::base::{Colour, Wall};

/// The value of a format variable, typed so that the same getter serves `#{}` and JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Text(String),
    Number(i64),
    /// Prints as `1` or `0`.
    Bool(bool),
    /// Seconds since the epoch; what `t:` makes readable. Zero means "never" and prints as nothing.
    Time(Wall),
    /// Prints as the colour's name.
    Colour(Colour),
}

impl Value {
    /// The form that `#{name}` prints.
    pub fn print(&self) -> String {
        match self {
            Value::Text(s) => s.clone(),
            Value::Number(n) => n.to_string(),
            Value::Bool(b) => String::from(if *b { "1" } else { "0" }),
            Value::Time(Wall(0)) => String::new(),
            Value::Time(w) => w.0.to_string(),
            Value::Colour(c) => super::colour::name(*c),
        }
    }

    /// As [`Value::print`], without a copy of a text.
    pub fn into_text(self) -> String {
        match self {
            Value::Text(s) => s,
            other => other.print(),
        }
    }
}

impl From<&Value> for serde_json::Value {
    /// Numbers, booleans and times (whole seconds, null for never) keep their type; colours go by name.
    fn from(v: &Value) -> serde_json::Value {
        match v {
            Value::Text(s) => s.as_str().into(),
            Value::Number(n) => (*n).into(),
            Value::Bool(b) => (*b).into(),
            Value::Time(Wall(0)) => serde_json::Value::Null,
            Value::Time(w) => w.0.into(),
            Value::Colour(c) => super::colour::name(*c).into(),
        }
    }
}

impl From<String> for Value {
    fn from(s: String) -> Value {
        Value::Text(s)
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Value {
        Value::Text(s.to_owned())
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

impl From<i64> for Value {
    fn from(n: i64) -> Value {
        Value::Number(n)
    }
}

impl From<Wall> for Value {
    fn from(w: Wall) -> Value {
        Value::Time(w)
    }
}

impl From<Colour> for Value {
    fn from(c: Colour) -> Value {
        Value::Colour(c)
    }
}

/// What a loop modifier runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// `S:`
    Sessions,
    /// `W:`, the windows of the session in context.
    Windows,
    /// `P:`, the panes of the window in context.
    Panes,
    /// `L:`
    Clients,
}

/// The key of a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By index (sessions: by id; windows and clients: the list's own order; panes: their place in the window).
    Index,
    Name,
    /// Most recent activity first, as tmux sorts.
    Activity,
    /// By creation (panes only).
    Creation,
    /// From the top down (panes only).
    Z,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    pub by: Order,
    pub reversed: bool,
}

/// One turn of a loop.
pub struct Child<'a> {
    pub vars: Box<dyn Vars + 'a>,
    /// The client's session, the session's current window, the window's active pane: it takes the second template.
    pub active: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionScope {
    Server,
    Session,
    Window,
    Pane,
}

/// The table that `O:` walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionTable {
    pub scope: OptionScope,
    /// The global table of the scope instead of the one of what is in context.
    pub global: bool,
}

/// One option of `O:`, or one item of an array option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionRow {
    pub name: String,
    pub value: String,
    pub is_array: bool,
    /// Key of the array's item; `None` for a plain option or an empty array.
    pub key: Option<String>,
    /// First and last item of its array; an empty array is both.
    pub first: bool,
    pub last: bool,
    /// Items of the array.
    pub count: usize,
    pub is_hook: bool,
    pub is_user: bool,
}

/// The environment that `V:` walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvironTable {
    Session,
    Global,
    Client,
}

/// One variable of an environment; `value` is `None` where the variable is marked for removal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnvironRow {
    pub name: String,
    pub value: Option<String>,
    pub hidden: bool,
}

/// What `N:` looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    Session,
    /// In the session in context.
    Window,
}

/// What `I:` asks the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientAsk {
    /// `I/f`: has its terminal this feature? Answered `1` or `0`.
    Feature,
    /// `I/c`: has its terminal this terminfo capability? Answered `1` or `0`.
    Capability,
    /// `I/e`: the value of a variable of its environment.
    Environ,
}

/// How many colours an escape of `c/f` may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    Ansi16,
    Indexed256,
    #[default]
    Rgb,
}

/// The world as one template sees it: a context of client, session, window and pane. Everything but `get` has a default
/// that says "nothing there".
pub trait Vars {
    /// A format variable; `None` if there is no such variable or nothing to say in this context.
    fn get(&self, name: &str) -> Option<Value>;

    /// The printed value of an option (flags as `1` and `0`), looked up in server, pane, window, session. The name may
    /// carry an array key: `status-format[1]`. Options win over variables.
    fn option(&self, _name: &str) -> Option<String> {
        None
    }

    /// A user option (`@name`) set on this very window, for `next_@name` and `prev_@name` in a window loop.
    fn own_option(&self, _name: &str) -> Option<String> {
        None
    }

    /// A variable of the session's environment or the global one. Asked last.
    fn environ(&self, _name: &str) -> Option<String> {
        None
    }

    /// What a loop runs over, sorted; `None` if the context has no session (windows) or window (panes).
    fn children(&self, _kind: LoopKind, _sort: Sort) -> Option<Vec<Child<'_>>> {
        None
    }

    /// The options of a table in order of their names.
    fn option_rows(&self, _table: OptionTable) -> Vec<OptionRow> {
        Vec::new()
    }

    fn environ_rows(&self, _table: EnvironTable) -> Vec<EnvironRow> {
        Vec::new()
    }

    /// What `#(command)` printed last (its last line); it is expanded once more. `raw` is the text as written, the key of
    /// the job; `command` is expanded and is what a shell would run.
    fn job(&self, _raw: &str, _command: &str) -> String {
        String::new()
    }

    /// `C:`: the number of the first line (from 1) of the pane that matches, 0 for none; `None` without a pane.
    fn search(&self, _pattern: &str, _regex: bool, _icase: bool) -> Option<usize> {
        None
    }

    /// `N:`; `None` if the context has no session to look in.
    fn name_exists(&self, _kind: NameKind, _name: &str) -> Option<bool> {
        None
    }

    /// `I:`; `None` without an attached client.
    fn client(&self, _ask: ClientAsk, _name: &str) -> Option<String> {
        None
    }

    /// What a theme colour stands for on the client.
    fn theme_colour(&self, _index: u8) -> Option<Colour> {
        None
    }

    /// What the client's terminal can show.
    fn depth(&self) -> Depth {
        Depth::Rgb
    }
}
