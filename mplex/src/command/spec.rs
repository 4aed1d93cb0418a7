//! What a row of the command table says of a command: its names, its flags and operands, what it acts on and how it is
//! explained. Everything that can be derived from that is derived here: usage, lookup, checking of written commands.
//!
//! The room must not know what commands do. The functions that do it are paired with the rows by name, elsewhere.

use crate::lang::{Arg, ArgError, ArgSpec, Args, Call, CommandList, Flag, Group, Operands, ParseError};

use super::rows::ROWS;

/// What a target names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    Session,
    Window,
    Pane,
}

/// A flag that names a session, window or pane, found before the command runs. Without the flag the current one is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub flag: char,
    pub kind: TargetKind,
    /// A window that does not exist yet may be named by its index.
    pub may_be_new: bool,
    /// The command runs without it when it cannot be found.
    pub may_fail: bool,
    /// The marked pane comes before the current one.
    pub or_marked: bool,
}

impl Target {
    pub const fn new(flag: char, kind: TargetKind) -> Target {
        Target { flag, kind, may_be_new: false, may_fail: false, or_marked: false }
    }

    pub const fn may_be_new(self) -> Target {
        Target { may_be_new: true, ..self }
    }

    pub const fn may_fail(self) -> Target {
        Target { may_fail: true, ..self }
    }

    pub const fn or_marked(self) -> Target {
        Target { or_marked: true, ..self }
    }
}

/// A flag that names a client, found before the command runs. Without the flag the client in use is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientTarget {
    pub flag: char,
    /// The command runs without it when it cannot be found.
    pub may_fail: bool,
}

/// What the value of a flag is: what completion offers for it and how help explains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    Client,
    Session,
    Window,
    Pane,
    Buffer,
    KeyTable,
    /// A template with `#{}`; a filter is one that is true or false.
    Format,
    Style,
    /// A whole number.
    Number,
    /// A whole number or a percentage.
    Size,
    /// A place on the screen: a number, a letter or a format.
    Position,
    Directory,
    ShellCommand,
    /// `NAME=value`.
    Variable,
    /// A key or its name.
    Key,
    /// One or several words from a short list, such as orders, flags and kinds of lines.
    Choice,
    Text,
}

impl ValueKind {
    /// The kind of a flag's value, told from its name in the usage; none for a flag without a value.
    pub fn of(flag: &Flag) -> Option<ValueKind> {
        Some(match flag.name {
            "" => return None,
            "target-client" => ValueKind::Client,
            "target-session" => ValueKind::Session,
            "target-window" | "src-window" | "dst-window" | "source-window" => ValueKind::Window,
            "target-pane" | "src-pane" | "dst-pane" => ValueKind::Pane,
            "buffer-name" => ValueKind::Buffer,
            "key-table" => ValueKind::KeyTable,
            "format" | "filter" | "key-format" | "title" => ValueKind::Format,
            name if name == "style" || name.ends_with("-style") => ValueKind::Style,
            "lines" | "columns" | "delay" | "duration" | "percentage" | "repeat-count" | "starting-choice"
            | "z-index" | "start-line" | "end-line" => ValueKind::Number,
            "width" | "height" | "size" => ValueKind::Size,
            "position" | "x-position" | "y-position" => ValueKind::Position,
            "start-directory" | "working-directory" => ValueKind::Directory,
            "shell-command" => ValueKind::ShellCommand,
            "environment" => ValueKind::Variable,
            "confirm-key" => ValueKind::Key,
            "order" | "sort-order" | "flags" | "border-lines" | "prompt-type" => ValueKind::Choice,
            _ => ValueKind::Text,
        })
    }
}

/// A row of the command table.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    pub name: &'static str,
    pub alias: Option<&'static str>,
    pub args: ArgSpec,
    /// What the command acts on. Commands that find it themselves have none.
    pub target: Option<Target>,
    /// Where the command takes something from.
    pub source: Option<Target>,
    pub client: Option<ClientTarget>,
    /// A read-only client may run it.
    pub read_only_ok: bool,
    /// Hook `after-NAME` runs after it.
    pub after_hook: bool,
    /// It starts the server if there is none.
    pub start_server: bool,
    /// One line, without a full stop.
    pub summary: &'static str,
    /// What one must know beyond the flags.
    pub doc: &'static str,
    /// Where it differs from tmux, empty if nowhere.
    pub compat: &'static str,
}

impl Spec {
    /// A command that takes nothing, to be built upon.
    pub const fn new(name: &'static str, summary: &'static str) -> Spec {
        let args = ArgSpec { flags: &[], min: 0, max: Some(0), operands: Operands::Text, operands_usage: "" };
        Spec {
            name,
            alias: None,
            args,
            target: None,
            source: None,
            client: None,
            read_only_ok: false,
            after_hook: false,
            start_server: false,
            summary,
            doc: "",
            compat: "",
        }
    }

    pub const fn alias(self, alias: &'static str) -> Spec {
        Spec { alias: Some(alias), ..self }
    }

    pub const fn flags(self, flags: &'static [Flag]) -> Spec {
        Spec { args: ArgSpec { flags, ..self.args }, ..self }
    }

    pub const fn operands(self, min: usize, max: Option<usize>, operands: Operands, usage: &'static str) -> Spec {
        Spec { args: ArgSpec { flags: self.args.flags, min, max, operands, operands_usage: usage }, ..self }
    }

    pub const fn target(self, target: Target) -> Spec {
        Spec { target: Some(target), ..self }
    }

    pub const fn source(self, source: Target) -> Spec {
        Spec { source: Some(source), ..self }
    }

    pub const fn client(self, flag: char, may_fail: bool) -> Spec {
        Spec { client: Some(ClientTarget { flag, may_fail }), ..self }
    }

    pub const fn read_only_ok(self) -> Spec {
        Spec { read_only_ok: true, ..self }
    }

    pub const fn after_hook(self) -> Spec {
        Spec { after_hook: true, ..self }
    }

    pub const fn start_server(self) -> Spec {
        Spec { start_server: true, ..self }
    }

    pub const fn doc(self, doc: &'static str) -> Spec {
        Spec { doc, ..self }
    }

    pub const fn compat(self, compat: &'static str) -> Spec {
        Spec { compat, ..self }
    }

    /// What the command takes, as `list-commands` prints it after the names.
    pub fn usage(&self) -> String {
        self.args.usage()
    }

    /// Checks arguments. Errors are tmux's: `command NAME: unknown flag -Z`, or the usage when `-?` asks for it.
    pub fn parse(&self, args: &[Arg]) -> Result<Args, String> {
        Args::parse(&self.args, args).map_err(|error| match error {
            ArgError::Usage => format!("usage: {} {}", self.name, self.usage()),
            ArgError::Message(message) => format!("command {}: {message}", self.name),
        })
    }
}

/// The row of a name, an alias or the beginning of a name that only one command has. Errors are tmux's.
pub fn find(name: &str) -> Result<&'static Spec, String> {
    if let Some(spec) = ROWS.iter().find(|spec| spec.alias == Some(name) || spec.name == name) {
        return Ok(spec);
    }
    let found: Vec<&'static Spec> = ROWS.iter().filter(|spec| spec.name.starts_with(name)).collect();
    match found.as_slice() {
        [] => Err(format!("unknown command: {name}")),
        [spec] => Ok(spec),
        several => {
            let names: Vec<&str> = several.iter().map(|spec| spec.name).collect();
            Err(format!("ambiguous command: {name}, could be: {}", names.join(", ")))
        }
    }
}

/// The row of a written command and its arguments, checked.
pub fn bind(call: &Call) -> Result<(&'static Spec, Args), String> {
    let spec = find(&call.name)?;
    Ok((spec, spec.parse(&call.args)?))
}

/// Checks all commands of a list, those in braces included, and gives them their full names and the order of arguments
/// in which they are printed. A text is run only when all of it passes, so this comes right after parsing.
pub fn resolve(list: &CommandList) -> Result<CommandList, ParseError> {
    let groups = list.groups.iter().map(|group| {
        let calls = group.calls.iter().map(resolve_call).collect::<Result<_, _>>()?;
        Ok(Group { calls })
    });
    Ok(CommandList { groups: groups.collect::<Result<_, _>>()? })
}

fn resolve_call(call: &Call) -> Result<Call, ParseError> {
    let args = call.args.iter().map(|arg| match arg {
        Arg::Text(text) => Ok(Arg::Text(text.clone())),
        Arg::Commands(list) => resolve(list).map(Arg::Commands),
    });
    let call = Call { name: call.name.clone(), args: args.collect::<Result<_, _>>()?, at: call.at.clone() };
    match bind(&call) {
        Ok((spec, args)) => Ok(Call { name: spec.name.to_owned(), args: args.canonical(), at: call.at }),
        Err(message) => Err(ParseError { at: call.at, message }),
    }
}
