//! The server itself: start, end, access.

use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::table::Exec;
use crate::lang::Args;

pub(super) static FAMILY: &[Exec] = &[
    Exec::new("start-server", start_server),
    Exec::new("kill-server", kill_server),
    Exec::new("server-access", server_access),
];

fn start_server(_cx: &mut Cx, _args: &Args) -> Result {
    // There is one, else nobody would run this.
    Ok(Done::Ok)
}

fn kill_server(cx: &mut Cx, _args: &Args) -> Result {
    cx.s.exiting = true;
    Ok(Done::Ok)
}

fn server_access(cx: &mut Cx, _args: &Args) -> Result {
    Err(CmdError::not_built(cx.spec.name, "a list of other users"))
}
