//! Layouts of windows: presets, layout strings, spreading evenly.

use crate::base::WindowId;
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::table::Exec;
use crate::lang::Args;
use crate::model::layout::{LayoutError, Length, Preset, PresetOptions};
use crate::options::{Scope as OptScope, opt};

pub(super) static FAMILY: &[Exec] = &[
    Exec::new("select-layout", select_layout),
    Exec::new("next-layout", select_layout),
    Exec::new("previous-layout", select_layout),
];

fn select_layout(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.target()?;
    let window = target.window;
    cx.s.model.unzoom(window);
    let Some(w) = cx.s.model.windows.get_mut(&window) else { return Ok(Done::Ok) };
    let last = w.preset;
    let before = w.layout.print();
    let old = w.old_layout.replace(before);
    let next = cx.spec.name == "next-layout" || args.has('n');
    let previous = cx.spec.name == "previous-layout" || args.has('p');
    if next || previous {
        return arrange(cx, window, if next { Preset::next(last) } else { Preset::previous(last) }, old);
    }
    if args.has('E') {
        // Spreading what is even already is no failure.
        let _ = w.layout.spread(target.pane);
        changed(cx, window);
        return Ok(Done::Ok);
    }
    let name = args.positional(0).map(str::to_owned);
    if !args.has('o') {
        let preset = match &name {
            None => last,
            Some(n) => Preset::find(n),
        };
        if let Some(preset) = preset {
            return arrange(cx, window, preset, old);
        }
    }
    let text = if args.has('o') && name.is_none() { old.clone() } else { name };
    let Some(text) = text else {
        // Neither a layout to go to nor one to go back to.
        w.old_layout = old;
        return Ok(Done::Ok);
    };
    let panes = w.panes.clone();
    if let Err(e) = w.layout.apply(&text, &panes) {
        w.old_layout = old;
        return Err(CmdError::value(format!("{e}: {text}")));
    }
    w.size = w.layout.size();
    changed(cx, window);
    Ok(Done::Ok)
}

fn arrange(cx: &mut Cx, window: WindowId, preset: Preset, old: Option<String>) -> Result {
    let scope = OptScope::Window(window);
    let length = |text: &str| Length::parse(text);
    let options = PresetOptions {
        main_width: length(cx.s.options.text(opt::MAIN_PANE_WIDTH, scope)),
        main_height: length(cx.s.options.text(opt::MAIN_PANE_HEIGHT, scope)),
        other_width: length(cx.s.options.text(opt::OTHER_PANE_WIDTH, scope)),
        other_height: length(cx.s.options.text(opt::OTHER_PANE_HEIGHT, scope)),
        tiled_max_columns: cx.s.options.number(opt::TILED_LAYOUT_MAX_COLUMNS, scope).max(0) as u32,
    };
    let Some(w) = cx.s.model.windows.get_mut(&window) else { return Ok(Done::Ok) };
    let panes = w.panes.clone();
    match w.layout.arrange(preset, &options, &panes) {
        Ok(()) => w.preset = Some(preset),
        // A window too small for a preset stays as it is, and the ring goes on.
        Err(LayoutError::NoSpace) => {
            w.preset = Some(preset);
            w.old_layout = old;
        }
        Err(e) => {
            w.old_layout = old;
            return Err(CmdError::state(e.to_string()));
        }
    }
    changed(cx, window);
    Ok(Done::Ok)
}

fn changed(cx: &mut Cx, window: WindowId) {
    if let Some(w) = cx.s.model.windows.get_mut(&window)
        && w.layout.size() != w.size
    {
        // What did not fit made it larger: it is cut to the window as far as panes allow.
        let size = w.size;
        w.layout.resize(size);
    }
    cx.s.model.layout_changed(window);
    cx.s.sizes_moved = true;
}
