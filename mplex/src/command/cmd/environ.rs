//! Variables for programs to come: `set-environment`, `show-environment`.

use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::table::Exec;
use crate::lang::Args;
use crate::model::environ::{Environ, check_name};

pub(super) const FAMILY: &[Exec] =
    &[Exec::new("set-environment", set_environment), Exec::new("show-environment", show_environment)];

fn no_session(args: &Args) -> CmdError {
    CmdError::no_target(match args.get('t') {
        Some(target) => format!("no such session: {target}"),
        None => "no current session".into(),
    })
}

/// The set that the flags name: the global one or a session's.
fn environ<'a>(cx: &'a mut Cx, args: &Args) -> Result<&'a mut Environ> {
    if args.has('g') {
        return Ok(&mut cx.s.model.environ);
    }
    let session = cx.target.map(|f| f.session);
    session.and_then(|s| cx.s.model.sessions.get_mut(&s)).map(|s| &mut s.environ).ok_or_else(|| no_session(args))
}

fn set_environment(cx: &mut Cx, args: &Args) -> Result {
    let name = args.positional(0).unwrap_or_default().to_owned();
    check_name(&name).map_err(CmdError::value)?;
    let value = match args.positional(1) {
        Some(v) if args.has('F') => Some(cx.expand(v)),
        v => v.map(str::to_owned),
    };
    let hidden = args.has('h');
    let env = environ(cx, args)?;
    let fits = match (args.has('u'), args.has('r'), value) {
        (true, _, Some(_)) => return Err(CmdError::usage("can't specify a value with -u")),
        (false, true, Some(_)) => return Err(CmdError::usage("can't specify a value with -r")),
        (true, _, None) => {
            env.unset(&name);
            true
        }
        (false, true, None) => env.clear(&name),
        (false, false, None) => return Err(CmdError::usage("no value specified")),
        (false, false, Some(value)) => env.set(&name, &value, hidden),
    };
    if fits { Ok(Done::Ok) } else { Err("too many variables".into()) }
}

fn show_environment(cx: &mut Cx, args: &Args) -> Result {
    if args.has('t') && cx.target.is_none() {
        return Err(no_session(args));
    }
    let (hidden, shell) = (args.has('h'), args.has('s'));
    let env = environ(cx, args)?;
    let lines = match args.positional(0) {
        Some(name) => env.show_one(name, hidden, shell).map_err(CmdError::value)?.into_iter().collect(),
        None => env.show(hidden, shell),
    };
    for line in lines {
        cx.print(line);
    }
    Ok(Done::Ok)
}

#[cfg(test)]
mod tests {
    use crate::command::cmd::scene::check;

    #[test]
    fn variables_are_set_shown_and_refused() {
        check(&["setenv -g A 1", "setenv -g -h H 2", "setenv -gr B", "showenv -g"], "A=1\n-B\n");
        check(&["setenv -g -h H 2", "showenv -gh"], "H=2\n");
        check(&["setenv A 'x$'", "showenv -s A"], "A=\"x\\$\"; export A;\n");
        check(&["setenv -F N '#{session_name}!'", "showenv N"], "N=main!\n");
        check(&["showenv NOPE"], "! unknown variable: NOPE\n");
        check(&["setenv A"], "! no value specified\n");
        check(&["setenv -u A x"], "! can't specify a value with -u\n");
        check(&["setenv -r A x"], "! can't specify a value with -r\n");
        check(&["setenv '' x"], "! empty variable name\n");
        check(&["setenv A=B x"], "! variable name contains =\n");
        check(&["setenv -t nope A x"], "! no such session: nope\n");
        check(&["showenv -t nope"], "! no such session: nope\n");
    }
}
