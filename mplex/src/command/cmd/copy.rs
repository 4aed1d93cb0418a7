//! `copy-mode`: looking at, searching and copying what a pane has shown.

use super::capture::leave_modes;
use super::keys::{carry_out, mouse_pane, point};
use crate::base::{PaneId, Pos};
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::table::Exec;
use crate::event::with_terminal;
use crate::lang::Args;
use crate::layer::copy::{CopyMode, CopyOptions};
use crate::layer::{Host, View};

pub(super) const FAMILY: &[Exec] = &[Exec::new("copy-mode", copy_mode)
    .without(&[('S', "scrolling by the scrollbar"), ('k', "killing the pane on leaving")])];

fn copy_mode(cx: &mut Cx, args: &Args) -> Result {
    let mut pane = cx.target()?.pane;
    if args.has('q') {
        leave_modes(cx, pane);
        return Ok(Done::Ok);
    }
    if args.has('M') {
        let under = cx.asker.mouse.and_then(|(_, at)| Some((mouse_pane(cx.s, &at)?, at.session)));
        let looks_at = cx.asker.client.and_then(|c| cx.s.model.client(c)).and_then(|c| c.session);
        match under {
            Some((under, session)) if session.is_some() && session == looks_at => pane = under,
            _ => return Ok(Done::Ok),
        }
    }
    let host = Host::Pane(pane);
    let open = cx.s.layers.top(host).is_some_and(|l| l.name() == "copy-mode");
    if !open {
        let source = if args.has('s') { cx.source()?.pane } else { pane };
        open_on(cx, pane, source, args)?;
    }
    if args.has('u') {
        command(cx, host, "page-up")?;
    }
    if args.has('M') {
        point(cx, host);
        command(cx, host, "begin-selection")?;
    }
    if args.has('d') {
        command(cx, host, if args.has('e') { "page-down-and-cancel" } else { "page-down" })?;
    }
    Ok(Done::Ok)
}

/// Puts the mode on a pane, with what the source pane has shown.
fn open_on(cx: &mut Cx, pane: PaneId, source: PaneId, args: &Args) -> Result<()> {
    let snap = |t: &mut crate::term::Terminal| (t.snapshot(), Pos::new(t.cursor().x, t.cursor().y));
    let Some((snapshot, cursor)) = with_terminal(cx.out, source, snap) else { return Ok(()) };
    let size = cx.s.model.pane(pane).map(|p| p.rect.size()).unwrap_or_default();
    let options = CopyOptions { pane, source, cursor, exit_at_bottom: args.has('e'), hide_position: args.has('H') };
    cx.s.push_pane_layer(pane, Box::new(CopyMode::new(snapshot, size, options)));
    Ok(())
}

fn command(cx: &mut Cx, host: Host, name: &str) -> Result<()> {
    let client = cx.client;
    let crate::command::state::State { model, options, layers, .. } = &mut *cx.s;
    let view = View { model, options, now: cx.now, client };
    let Some(layer) = layers.top_mut(host) else { return Ok(()) };
    let outcome = layer.command(&[name.to_owned()], 1, &view).map_err(CmdError::value)?;
    carry_out(cx, host, outcome);
    Ok(())
}
