//! tmux's text control mode: commands as lines on standard input, replies between guards, notifications as lines that
//! begin with `%`.
//!
//! Output of panes, flow control and watched formats are in `command/listen.rs`.

use crate::base::{ClientId, Now};
use crate::command::{Asker, CmdError, Item, State, dispatch};
use crate::event::{Effect, Event, Outside, Stream};
use crate::lang::{Call, Grouping, Place};
use crate::model::{ClientFlags, ClientKind};

/// The longest command line, in bytes.
const MAX_LINE: usize = 1 << 20;

/// A control client is there: its input is wanted.
pub fn opened(s: &mut State, client: ClientId) {
    s.model.outbox.effect(Effect::ClientStdin { client });
    if s.model.client(client).is_some_and(|c| c.control_level > 1) {
        write(s, client, "\x1bP1000p");
    }
}

fn write(s: &mut State, client: ClientId, text: &str) {
    s.model.outbox.effect(Effect::ClientOut { client, stream: Stream::Out, bytes: text.as_bytes().to_vec() });
}

/// What a control client says after `%exit`: an ordinary end needs no reason. The client writes the line itself, so that
/// it stands there however the server ends.
pub fn exit_reason(message: &str) -> Option<String> {
    let reason = message.trim_start_matches('[').trim_end_matches(']');
    (!matches!(reason, "" | "exited" | "server exited") && !reason.starts_with("detached")).then(|| reason.to_owned())
}

/// Bytes of a control client's standard input.
pub fn input(s: &mut State, client: ClientId, bytes: &[u8], eof: bool, now: Now, out: &mut dyn Outside) {
    let Some(c) = s.model.clients.get_mut(&client) else { return };
    c.stdin.extend_from_slice(bytes);
    let mut lines = Vec::new();
    while let Some(at) = c.stdin.iter().position(|b| *b == b'\n') {
        let line: Vec<u8> = c.stdin.drain(..=at).collect();
        lines.push(String::from_utf8_lossy(&line[..at]).trim_end_matches('\r').to_owned());
    }
    if c.stdin.len() > MAX_LINE {
        c.stdin.clear();
        lines.push(String::new());
    }
    for line in lines {
        if line.is_empty() {
            // An empty line detaches.
            s.leave(client, "", 0);
            return;
        }
        run(s, client, &line, now, out);
    }
    if eof {
        s.eof_clients.insert(client);
    }
}

fn run(s: &mut State, client: ClientId, line: &str, now: Now, out: &mut dyn Outside) {
    let asker = Asker { client: Some(client), guarded: true, ..Asker::default() };
    match dispatch::parse_text(s, out, now, line, Place::default(), Grouping::Whole) {
        Ok(list) => {
            if !s.queues.append(Some(client), &list, asker) {
                s.log(now.wall, "too many commands are waiting");
            }
        }
        Err(e) => {
            let call = Call { name: String::new(), args: Vec::new(), at: Place::default() };
            let mut item = Item { call, asker: asker.into(), group: 0, guard: None };
            dispatch::begin_guard(s, &mut item, now);
            dispatch::report(s, &item, &CmdError::usage(format!("parse error: {e}")), now);
            dispatch::end_guard(s, &item, false, now);
        }
    }
}

fn clients(s: &State) -> Vec<ClientId> {
    s.model
        .clients
        .values()
        .filter(|c| c.kind == ClientKind::Control && c.session.is_some() && !c.flags.contains(ClientFlags::EXITING))
        .map(|c| c.id)
        .collect()
}

/// Tells control clients of an event.
pub fn event(s: &mut State, e: &Event, _now: Now, _out: &mut dyn Outside) {
    let to = clients(s);
    if to.is_empty() {
        return;
    }
    for client in to {
        if let Some(line) = line(s, client, e) {
            s.notify(client, &line);
        }
    }
}

fn line(s: &State, client: ClientId, e: &Event) -> Option<String> {
    let m = &s.model;
    let mine = m.client(client)?.session?;
    let has = |w| m.session(mine).is_some_and(|x| x.index_of(w).is_some());
    let name = |id| m.session(id).map_or("", |x| x.name.as_str());
    Some(match e.name {
        "client-session-changed" => {
            let (c, x) = (e.client?, e.session?);
            if c == client {
                format!("%session-changed {x} {}", name(x))
            } else {
                format!("%client-session-changed {} {x} {}", m.client(c)?.name, name(x))
            }
        }
        "client-detached" => {
            let c = e.client?;
            if c == client {
                return None;
            }
            format!("%client-detached {}", m.client(c)?.name)
        }
        "session-renamed" => format!("%session-renamed {} {}", e.session?, name(e.session?)),
        "session-created" | "session-closed" => "%sessions-changed".into(),
        "session-window-changed" => format!("%session-window-changed {} {}", e.session?, m.current_window(e.session?)?),
        "window-linked" => {
            if e.session? == mine {
                format!("%window-add {}", e.window?)
            } else if has(e.window?) {
                return None;
            } else {
                format!("%unlinked-window-add {}", e.window?)
            }
        }
        "window-unlinked" => {
            if e.session? == mine {
                format!("%window-close {}", e.window?)
            } else if has(e.window?) {
                return None;
            } else {
                format!("%unlinked-window-close {}", e.window?)
            }
        }
        "window-renamed" => {
            let (w, n) = (e.window?, &m.window(e.window?)?.name);
            if has(w) { format!("%window-renamed {w} {n}") } else { format!("%unlinked-window-renamed {w} {n}") }
        }
        "window-pane-changed" => format!("%window-pane-changed {} {}", e.window?, e.pane?),
        "window-layout-changed" => {
            let w = m.window(e.window?)?;
            if !has(w.id) {
                return None;
            }
            let layout = w.layout.print();
            let visible = match w.zoomed {
                Some(z) => crate::model::layout::Layout::new(w.size, z).print(),
                None => layout.clone(),
            };
            let x = m.session(mine)?;
            let index = x.index_of(w.id)?;
            let mut flags = String::new();
            if index == x.current {
                flags.push('*');
            }
            if x.last() == Some(index) {
                flags.push('-');
            }
            if w.zoomed.is_some() {
                flags.push('Z');
            }
            format!("%layout-change {} {layout} {visible} {flags}", w.id)
        }
        "pane-mode-changed" => format!("%pane-mode-changed {}", e.pane?),
        "paste-buffer-changed" => {
            let (_, n) = e.fields.iter().find(|(n, _)| *n == "paste_buffer")?;
            format!("%paste-buffer-changed {n}")
        }
        "paste-buffer-deleted" => {
            let (_, n) = e.fields.iter().find(|(n, _)| *n == "paste_buffer")?;
            format!("%paste-buffer-deleted {n}")
        }
        _ => return None,
    })
}
