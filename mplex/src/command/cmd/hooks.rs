//! Hooks: `set-hook`, `show-hooks`. A hook is an option whose commands run when something happens.

use std::sync::Arc;

use super::options;
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::queue::Asker;
use crate::command::table::Exec;
use crate::lang::{Arg, Args, CommandList};
use crate::options::{Name, Options, Scope as OptScope};

pub(super) const FAMILY: &[Exec] = &[
    Exec::new("set-hook", set_hook).without(&[
        ('B', "watching a format"),
        ('E', "user events"),
        ('T', "watching a format"),
    ]),
    Exec::new("show-hooks", show_hooks).without(&[('B', "watching a format")]),
];

fn set_hook(cx: &mut Cx, args: &Args) -> Result {
    let Some(first) = args.operands().first().map(Arg::to_text) else {
        return Err(CmdError::usage("missing argument"));
    };
    if args.has('R') {
        let name = cx.expand(&first);
        return run_now(cx, &name);
    }
    options::set_option(cx, args)
}

fn show_hooks(cx: &mut Cx, args: &Args) -> Result {
    options::show_options(cx, args)
}

/// Runs a hook's commands right after this command.
fn run_now(cx: &mut Cx, name: &str) -> Result {
    let Some(which) = Name::exact(name).map(|n| n.which) else { return Ok(Done::Ok) };
    let scopes = [
        cx.target.map_or(OptScope::GlobalSession, |f| OptScope::Session(f.session)),
        cx.target.map_or(OptScope::GlobalWindow, |f| OptScope::Pane(f.pane)),
    ];
    let mut lists: Vec<Arc<CommandList>> = Vec::new();
    for scope in scopes {
        lists = if let Some(hook) = Options::hook_named(name) {
            cx.s.options.hook(hook, scope).map(|(_, list)| list.clone()).collect()
        } else if let Some(text) = cx.s.options.user(name, scope).map(str::to_owned) {
            vec![Arc::new(cx.parse(&text)?)]
        } else {
            Vec::new()
        };
        if !lists.is_empty() {
            cx.s.options.hook_fired(&which, scope, cx.now.wall);
            break;
        }
    }
    let mut vars = cx.asker.vars.clone();
    vars.push(("hook".into(), name.into()));
    let asker = Asker { current: cx.target.or(cx.asker.current), vars, no_hooks: true, ..cx.asker.clone() };
    for list in lists.iter().rev() {
        cx.insert_as(list, asker.clone())?;
    }
    Ok(Done::Ok)
}

#[cfg(test)]
mod tests {
    use crate::command::cmd::scene::check;

    #[test]
    fn hooks_are_set_shown_and_run() {
        let hook = "set-hook -g window-renamed[first] { display -p renamed }";
        check(&[hook, "show-hooks -g window-renamed"], "window-renamed[first] display-message -p renamed\n");
        check(&[hook, "set-hook -R window-renamed"], "renamed\n");
        check(&[hook, "set-hook -gu window-renamed", "set-hook -R window-renamed"], "");
        check(&["set-hook -g @mine 'display -p \"#{hook}\"'", "set-hook -R @mine"], "@mine\n");
        check(&["set-hook"], "! missing argument\n");
        check(&["set-hook nosuch lsp"], "! invalid option: nosuch\n");
        check(&["set-hook -E @x"], "! command set-hook: -E (user events) is not built yet\n");
    }

    #[test]
    fn a_hook_after_a_command_sees_its_arguments() {
        check(&["set-hook -g after-set-buffer { display -p '#{hook_argument_0}.' }", "setb hello"], "hello.\n");
    }
}
