//! `set-option`, `show-options` and their like for windows. Hooks are options too: `hooks` uses what is here.

use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::spec;
use crate::command::state::State;
use crate::command::table::Exec;
use crate::lang::{self, Arg, Args, Assignment, CommandList, Grouping, NoEnv, ParseEnv, Place};
use crate::model::Model;
use crate::options::{
    Checks, Found as Target, Hooks, How, Kind, Listing, Name, OptError, Options, Scope as OptScope, ScopeFlags, Shown,
    scope_for, scope_from_flags,
};

pub(super) const FAMILY: &[Exec] = &[
    Exec::new("set-option", set_option),
    Exec::new("set-window-option", set_option),
    Exec::new("show-options", show_options),
    Exec::new("show-window-options", show_options),
];

/// What values are checked by when a person sets them: commands against their rows, shells as far as can be told.
pub(super) struct Checked<'a> {
    pub model: &'a Model,
    /// The value is the path of a file that exists.
    pub is_file: bool,
}

impl Checks for Checked<'_> {
    fn commands(&self, text: &str, options: &Options) -> std::result::Result<CommandList, String> {
        let env = Env { model: self.model, options };
        let parsed = lang::parse_text(text, Place::default(), Grouping::ByLine, &env).map_err(|e| e.to_string())?;
        spec::resolve(&parsed.commands).map_err(|e| e.to_string())
    }

    fn shell(&self, path: &str) -> bool {
        // A multiplexer as its own shell would start without end.
        let name = path.rsplit('/').next().unwrap_or("");
        self.is_file && path.starts_with('/') && !["", "tmux", "mplex"].contains(&name)
    }
}

struct Env<'a> {
    model: &'a Model,
    options: &'a Options,
}

impl ParseEnv for Env<'_> {
    fn var(&self, name: &str) -> Option<String> {
        self.model.environ.get(name).map(str::to_owned)
    }

    fn home(&self, user: Option<&str>) -> Option<String> {
        match user {
            None => self.model.environ.get("HOME").map(str::to_owned),
            Some(name) => self.model.facts.home_of(name),
        }
    }

    fn condition(&self, format: &str, sets: &[Assignment]) -> bool {
        NoEnv.condition(format, sets)
    }

    fn alias(&self, name: &str) -> Option<String> {
        self.options.command_alias(name).map(str::to_owned)
    }
}

fn flags(cx: &Cx, args: &Args) -> ScopeFlags {
    ScopeFlags {
        global: args.has('g'),
        server: args.has('s'),
        window: args.has('w') || matches!(cx.spec.name, "set-window-option" | "show-window-options"),
        pane: args.has('p'),
    }
}

fn target<'a>(cx: &Cx, args: &'a Args) -> Target<'a> {
    let found = cx.target;
    Target {
        session: found.map(|f| f.session),
        window: found.map(|f| f.window),
        pane: found.map(|f| f.pane),
        target: args.get('t'),
    }
}

fn error(e: &OptError) -> CmdError {
    match e {
        OptError::Target(text) => CmdError::no_target(text.as_str()),
        e => CmdError::value(e.to_string()),
    }
}

/// The option that the first operand names and the scope to set or show it in; `None` where `-q` passes over it.
fn named(cx: &mut Cx, args: &Args) -> Result<Option<(Name, OptScope)>> {
    let written = cx.expand(&args.operands().first().map(Arg::to_text).unwrap_or_default());
    let name = Name::resolve(&written);
    let found = name.and_then(|name| {
        let scope = scope_for(&name, flags(cx, args), &target(cx, args))?;
        Ok((name, scope))
    });
    match found {
        Ok(found) => Ok(Some(found)),
        Err(_) if args.has('q') => Ok(None),
        Err(e) => Err(error(&e)),
    }
}

pub(super) fn set_option(cx: &mut Cx, args: &Args) -> Result {
    let Some((name, scope)) = named(cx, args)? else { return Ok(Done::Ok) };
    let value = args.operands().get(1).map(Arg::to_text);
    let value = match value {
        Some(v) if args.has('F') => Some(cx.expand(&v)),
        v => v,
    };
    let how = How { append: args.has('a'), only_unset: args.has('o') };
    let is_shell = name.row().is_some_and(|row| row.kind == Kind::Shell);
    let is_file = is_shell && value.as_ref().is_some_and(|v| cx.out.glob(v).contains(v));
    let State { model, options, .. } = &mut *cx.s;
    let set = if args.has('U') || args.has('u') {
        let panes = match scope {
            OptScope::Window(window) if args.has('U') => options.unset_in_panes(window, &name),
            _ => Ok(crate::options::Effects::empty()),
        };
        panes.and_then(|panes| Ok(panes | options.unset(scope, &name)?))
    } else {
        options.set(scope, &name, value.as_deref(), how, &Checked { model, is_file })
    };
    match set {
        Ok(effects) => cx.s.option_effects |= effects,
        Err(OptError::AlreadySet(_)) if args.has('q') => return Ok(Done::Ok),
        Err(e) => return Err(error(&e)),
    }
    if cx.spec.name == "set-hook" && name.row().is_none() && !args.has('u') {
        cx.s.options.mark_user_hook(name.name());
    }
    Ok(Done::Ok)
}

pub(super) fn show_options(cx: &mut Cx, args: &Args) -> Result {
    let hooks = cx.spec.name == "show-hooks";
    let lines = if args.is_empty() {
        let scope = match scope_from_flags(flags(cx, args), &target(cx, args)) {
            Ok(scope) => scope,
            Err(_) if args.has('q') => return Ok(Done::Ok),
            Err(e) => return Err(error(&e)),
        };
        let which = match (hooks, args.has('H')) {
            (true, _) => Hooks::Only,
            (false, true) => Hooks::Shown,
            (false, false) => Hooks::Hidden,
        };
        cx.s.options.list(scope, Listing { inherited: args.has('A'), hooks: which })
    } else {
        let Some((name, scope)) = named(cx, args)? else { return Ok(Done::Ok) };
        match cx.s.options.show(scope, &name, args.has('A')) {
            Ok(lines) => lines,
            Err(_) if args.has('q') => return Ok(Done::Ok),
            Err(e) => return Err(error(&e)),
        }
    };
    for shown in lines {
        let line = match args.get('F') {
            None => shown.line(args.has('v')),
            Some(template) => Some(with_template(cx, template, &shown, args.has('v'), hooks)),
        };
        if let Some(line) = line {
            cx.print(line);
        }
    }
    Ok(Done::Ok)
}

/// A line of a listing by `-F`.
fn with_template(cx: &mut Cx, template: &str, shown: &Shown, value_only: bool, hooks: bool) -> String {
    let flag = |on: bool| if on { "1" } else { "0" };
    let key = shown.key.as_ref().map(ToString::to_string);
    let mut scope = cx
        .scope()
        .with("option_name", shown.name.as_str())
        .with("option_value", shown.value.as_str())
        .with("option_value_only", flag(value_only))
        .with("option_is_parent", flag(shown.inherited))
        .with("option_is_array", flag(shown.is_array))
        .with("option_is_string", flag(shown.is_string))
        .with("option_is_hook", flag(shown.is_hook))
        .with("option_is_user", flag(shown.is_user))
        .with("option_has_value", flag(shown.has_value))
        .with("option_has_array_key", flag(key.is_some()))
        .with("option_array_key", key.unwrap_or_default());
    if hooks {
        scope = scope.with("hook_fire_count", shown.fires.to_string());
        if let Some(at) = shown.fired_at {
            scope = scope.with("hook_fire_time", at.0.to_string());
        }
    }
    cx.expand_in(template, &scope)
}

#[cfg(test)]
mod tests {
    use crate::command::cmd::scene::check;

    #[test]
    fn options_are_set_and_shown() {
        check(&["set -g @words 'two words'", "show -g @words"], "@words \"two words\"\n");
        check(&["set -g @words 'two words'", "show -gv @words"], "two words\n");
        check(&["set -g display-time 1234", "show -g display-time"], "display-time 1234\n");
        check(&["set -g status-left GLOBAL", "show -A status-left"], "status-left* GLOBAL\n");
        check(&["set -g status-left GLOBAL", "show status-left"], "");
        check(&["set -g status-format ''", "show -g status-format"], "status-format\n");
        check(&["set -g status-format ''", "show -gv status-format"], "");
        check(&["set -g update-environment 'A B,C'", "show -gv update-environment[1]"], "B\n");
        check(&["set -F @s '#{session_name}'", "show -v @s"], "main\n");
        check(&["set @a x", "set -a @a y", "show @a"], "@a xy\n");
        check(&["set @a x", "set -o @a y"], "! already set: @a\n");
        check(&["set @a x", "set -oq @a y", "show -v @a"], "x\n");
        check(&["set @a x", "set -u @a", "show @a"], "! invalid option: @a\n");
        check(&["set -p @p x", "set -w @p y", "set -U -w @p", "show -qp @p"], "");
        check(&["setw mode-keys vi", "showw mode-keys"], "mode-keys vi\n");
        check(&["setw mode-keys vi", "show -w mode-keys"], "mode-keys vi\n");
        check(&["show -F '#{option_name}=#{option_value} #{option_is_parent}' -A mode-keys"], "mode-keys=emacs 1\n");
    }

    #[test]
    fn options_are_refused_in_tmux_words() {
        check(&["set nosuch 1"], "! invalid option: nosuch\n");
        check(&["set -q nosuch 1"], "");
        check(&["set status- 1"], "! ambiguous option: status-\n");
        check(&["set -t nope status off"], "! no such session: nope\n");
        check(&["set display-time x"], "! value is invalid: x\n");
        check(&["set status nonsense"], "! unknown value: nonsense\n");
        check(&["set mouse perhaps"], "! bad value: perhaps\n");
        check(&["set display-time[0] 1"], "! not an array: display-time[0]\n");
        check(&["set @a"], "! empty value\n");
        check(&["show nosuch"], "! invalid option: nosuch\n");
        check(&["show -q nosuch"], "");
        check(&["set default-shell /usr/bin/tmux"], "! not a suitable shell: /usr/bin/tmux\n");
        check(&["set-hook -g window-renamed nosuch"], "! unknown command: nosuch\n");
    }
}
