//! Paste buffers: set, show, list, delete, paste, load and save.

use std::cmp::Ordering;

use super::list::{Order, order};
use crate::base::ClientId;
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::queue::{Token, Wake};
use crate::command::state::State;
use crate::command::table::Exec;
use crate::event::{Effect, with_terminal};
use crate::lang::Args;
use crate::model::buffers::{Buffer, BufferError, Change, MAX_BYTES};
use crate::options::{Scope as OptScope, opt};
use crate::vars::Scope;

pub(super) const FAMILY: &[Exec] = &[
    Exec::new("set-buffer", set_buffer),
    Exec::new("delete-buffer", delete_buffer),
    Exec::new("list-buffers", list_buffers),
    Exec::new("show-buffer", show_buffer),
    Exec::new("save-buffer", save_buffer),
    Exec::new("load-buffer", load_buffer).resumed(loaded),
    Exec::new("paste-buffer", paste_buffer),
];

/// Text for a buffer: of this name, or a new one with an automatic name.
pub(super) fn keep(cx: &mut Cx, name: Option<&str>, data: Vec<u8>) -> Result<()> {
    let limit = cx.s.options.number(opt::BUFFER_LIMIT, OptScope::Server).max(1) as usize;
    let buffers = &mut cx.s.model.buffers;
    let changes = match name {
        Some(name) => buffers.set(name, data, cx.now.wall),
        None => buffers.add(None, data, limit, cx.now.wall),
    };
    tell(cx.s, changes)
}

/// Says what happened to buffers.
fn tell(s: &mut State, changes: std::result::Result<Vec<Change>, BufferError>) -> Result<()> {
    s.tell_buffers(changes.map_err(|e| CmdError::value(e.to_string()))?);
    Ok(())
}

/// The buffer that `-b` names; without it the newest automatic one. `unknown` are the words before an unknown name.
fn named(cx: &Cx, args: &Args, unknown: &str, none: &str) -> Result<String> {
    match args.get('b') {
        Some(name) if cx.s.model.buffers.get(name).is_some() => Ok(name.to_owned()),
        Some(name) => Err(CmdError::value(format!("{unknown} {name}"))),
        None => cx.s.model.buffers.newest().map(|b| b.name.clone()).ok_or_else(|| CmdError::state(none)),
    }
}

/// Sends text to the clipboards of the terminals that look where this client looks.
fn to_clipboard(s: &mut State, client: ClientId, data: &[u8]) {
    let session = s.model.client(client).and_then(|c| c.session);
    if let Some(window) = session.and_then(|session| s.model.current_window(session)) {
        s.clipboards.push((window, String::from_utf8_lossy(data).into_owned()));
    }
}

fn set_buffer(cx: &mut Cx, args: &Args) -> Result {
    if let Some(new) = args.get('n') {
        let old = named(cx, args, "unknown buffer:", "no buffer")?;
        let changes = cx.s.model.buffers.rename(&old, new);
        tell(cx.s, changes)?;
        return Ok(Done::Ok);
    }
    let Some(text) = args.positional(0) else { return Err(CmdError::usage("no data specified")) };
    if text.is_empty() {
        return Ok(Done::Ok);
    }
    let name = args.get('b');
    let old = name.filter(|_| args.has('a')).and_then(|n| cx.s.model.buffers.get(n));
    let mut data = old.map(|b| b.data.clone()).unwrap_or_default();
    data.extend_from_slice(&crate::base::raw::bytes(text));
    if args.has('w')
        && let Some(client) = cx.client
    {
        to_clipboard(cx.s, client, &data);
    }
    keep(cx, name, data)?;
    Ok(Done::Ok)
}

fn delete_buffer(cx: &mut Cx, args: &Args) -> Result {
    let name = named(cx, args, "unknown buffer:", "no buffer")?;
    let change = cx.s.model.buffers.delete(&name);
    tell(cx.s, Ok(change.into_iter().collect()))?;
    Ok(Done::Ok)
}

fn list_buffers(cx: &mut Cx, args: &Args) -> Result {
    let order = order(args)?;
    let mut buffers: Vec<&Buffer> = cx.s.model.buffers.iter().collect();
    match order {
        None => {}
        Some(Order::AsItComes) if args.has('r') => buffers.reverse(),
        Some(Order::AsItComes) => {}
        Some(order) => {
            let by = |a: &&Buffer, b: &&Buffer| {
                let first = match order {
                    Order::Creation => b.seq.cmp(&a.seq),
                    Order::Size => a.data.len().cmp(&b.data.len()),
                    _ => Ordering::Equal,
                };
                first.then_with(|| a.name.cmp(&b.name))
            };
            buffers.sort_by(by);
            if args.has('r') {
                buffers.reverse();
            }
        }
    }
    let lines: Vec<(String, String)> = buffers
        .into_iter()
        .map(|b| (b.name.clone(), format!("{}: {} bytes: \"{}\"", b.name, b.data.len(), b.sample())))
        .collect();
    for (name, line) in lines {
        let scope =
            Scope { buffer: Some(name), client: cx.asker.client, extra: cx.asker.vars.clone(), ..Scope::default() };
        if !super::passes(cx, args.get('f'), &scope) {
            continue;
        }
        match args.get('F') {
            None => cx.print(line),
            Some(template) => {
                let line = cx.expand_in(template, &scope);
                cx.print(line);
            }
        }
    }
    Ok(Done::Ok)
}

fn show_buffer(cx: &mut Cx, args: &Args) -> Result {
    let name = named(cx, args, "no buffer", "no buffers")?;
    let data = cx.s.model.buffers.get(&name).map(|b| b.data.clone()).unwrap_or_default();
    cx.print_bytes(data);
    Ok(Done::Ok)
}

fn save_buffer(cx: &mut Cx, args: &Args) -> Result {
    let name = named(cx, args, "no buffer", "no buffers")?;
    let path = cx.expand(args.positional(0).unwrap_or_default());
    let data = cx.s.model.buffers.get(&name).map(|b| b.data.clone()).unwrap_or_default();
    if path == "-" {
        if !cx.prints_to_stdout() {
            return Err("Bad file descriptor: -".into());
        }
        cx.print_bytes(data);
        return Ok(Done::Ok);
    }
    let path = file_path(cx, &path);
    cx.out.write_file(&path, &data, args.has('a'))?;
    Ok(Done::Ok)
}

fn load_buffer(cx: &mut Cx, args: &Args) -> Result {
    let path = cx.expand(args.positional(0).unwrap_or_default());
    if path == "-" {
        return wait_for_stdin(cx);
    }
    let path = file_path(cx, &path);
    let data = cx.out.read_file(&path, MAX_BYTES)?;
    fill(cx, args, data)
}

fn loaded(cx: &mut Cx, args: &Args, wake: Wake) -> Result {
    fill(cx, args, stdin(wake)?)
}

fn fill(cx: &mut Cx, args: &Args, data: Vec<u8>) -> Result {
    if args.has('w')
        && !data.is_empty()
        && let Some(client) = cx.client
    {
        to_clipboard(cx.s, client, &data);
    }
    keep(cx, args.get('b'), data)?;
    Ok(Done::Ok)
}

/// Waits for all of the standard input of the command client that asks.
pub(super) fn wait_for_stdin(cx: &mut Cx) -> Result {
    let client = cx.asker.client.filter(|_| cx.prints_to_stdout());
    let Some(client) = client else { return Err("Bad file descriptor: -".into()) };
    cx.effect(Effect::ClientStdin { client });
    Ok(Done::Wait(Token::Stdin(client)))
}

/// What came on the standard input.
pub(super) fn stdin(wake: Wake) -> Result<Vec<u8>> {
    match wake {
        Wake::Bytes(bytes) => Ok(bytes),
        Wake::Failed(text) => Err(CmdError::state(text)),
        _ => Ok(Vec::new()),
    }
}

/// A file that was named, as a whole path: from the client's directory, `~/` from home.
pub(super) fn file_path(cx: &Cx, path: &str) -> String {
    let path = match path.strip_prefix("~/") {
        Some(rest) => format!("{}/{rest}", cx.s.model.environ.get("HOME").unwrap_or_default()),
        None => path.to_owned(),
    };
    if path.starts_with('/') { path } else { format!("{}/{path}", super::base_directory(cx, None)) }
}

fn paste_buffer(cx: &mut Cx, args: &Args) -> Result {
    let pane = cx.target()?.pane;
    let Some(p) = cx.s.model.pane(pane) else { return Ok(Done::Ok) };
    if p.is_dead() {
        return Err("target pane has exited".into());
    }
    let input_off = p.input_off;
    let name = match args.get('b') {
        Some(_) => Some(named(cx, args, "no buffer", "no buffers")?),
        None => cx.s.model.buffers.newest().map(|b| b.name.clone()),
    };
    let Some(name) = name else { return Ok(Done::Ok) };
    if !input_off && let Some(buffer) = cx.s.model.buffers.get(&name) {
        let separator = args.get('s').unwrap_or(if args.has('r') { "\n" } else { "\r" });
        let bracketed = args.has('p')
            && with_terminal(cx.out, pane, |t| t.modes().contains(crate::term::Modes::BRACKETED_PASTE)) == Some(true);
        let mut bytes = Vec::with_capacity(buffer.data.len() + 12);
        if bracketed {
            bytes.extend_from_slice(b"\x1b[200~");
        }
        for (n, line) in buffer.data.split(|b| *b == b'\n').enumerate() {
            if n > 0 {
                bytes.extend_from_slice(separator.as_bytes());
            }
            if args.has('S') { bytes.extend_from_slice(line) } else { visible(line, &mut bytes) }
        }
        if bracketed {
            bytes.extend_from_slice(b"\x1b[201~");
        }
        cx.s.write_pane(pane, bytes);
    }
    if args.has('d') {
        let change = cx.s.model.buffers.delete(&name);
        tell(cx.s, Ok(change.into_iter().collect()))?;
    }
    Ok(Done::Ok)
}

/// Bytes with what could act on a program made visible, as tmux pastes them: `^[`, `M-a`; text, blanks, bell, backspace
/// and carriage return stay.
fn visible(line: &[u8], out: &mut Vec<u8>) {
    for chunk in line.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\x07' | '\x08' | '\r' | '\t' => out.push(c as u8),
                '\0'..='\x1f' => out.extend([b'^', c as u8 + b'@']),
                '\x7f' => out.extend(b"^?"),
                c => out.extend(c.encode_utf8(&mut [0; 4]).bytes()),
            }
        }
        for byte in chunk.invalid() {
            let low = byte & 0x7f;
            match low {
                b' ' => out.extend(format!("\\{byte:03o}").bytes()),
                0..=0x1f => out.extend([b'M', b'^', low + b'@']),
                0x7f => out.extend(b"M^?"),
                _ => out.extend([b'M', b'-', low]),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Wall;
    use crate::command::cmd::scene::{CLIENT, Scene, check};

    #[test]
    fn buffers_are_set_listed_and_deleted() {
        check(&["setb one", "setb two", "lsb"], "buffer1: 3 bytes: \"two\"\nbuffer0: 3 bytes: \"one\"\n");
        check(&["setb -b n abc", "setb -ab n 1", "showb -b n"], "abc1");
        check(&["setb -b n abc", "setb -b n -n o", "lsb -F '#{buffer_name}'"], "o\n");
        check(&["setb -b a x", "setb -b b yy", "lsb -O size -r -F '#{buffer_name}'"], "b\na\n");
        check(&["lsb -O nothing"], "! invalid sort order\n");
        check(&["setb -b nosuch -n foo"], "! unknown buffer: nosuch\n");
        check(&["setb -b other"], "! no data specified\n");
        check(&["showb -b nosuch"], "! no buffer nosuch\n");
        check(&["showb"], "! no buffers\n");
        check(&["deleteb"], "! no buffer\n");
        check(&["deleteb -b x"], "! unknown buffer: x\n");
        check(&["setb one", "deleteb", "lsb"], "");
    }

    #[test]
    fn files_are_read_and_written_from_the_clients_directory() {
        let mut scene = Scene::new();
        assert_eq!(scene.run("setb one; saveb f; saveb -a f; saveb -"), "one");
        assert_eq!(scene.out.files.get("/srv/f").map(Vec::as_slice), Some(&b"oneone"[..]));
        assert_eq!(scene.run("loadb -b g f; showb -b g"), "oneone");
        assert_eq!(scene.run("loadb nope"), "! No such file or directory: /srv/nope\n");
        assert_eq!(scene.run("loadb -b in -"), "");
        assert!(scene.waits());
        assert_eq!(scene.wake(Token::Stdin(CLIENT), Wake::Bytes(b"typed".to_vec())), "");
        assert_eq!(scene.run("showb -b in"), "typed");
    }

    #[test]
    fn buffers_are_pasted() {
        let mut scene = Scene::new();
        let mut check = |line: &str, typed: &str| {
            assert_eq!(scene.run(line), "");
            assert_eq!(scene.typed(), typed, "{line}");
        };
        check("setb -b x \"a\\nb\\e\"; pasteb -b x", "a\rb^[");
        check("pasteb -b x -r", "a\nb^[");
        check("pasteb -b x -S -s , -d", "a,b\x1b");
        check("pasteb", "");
        assert_eq!(scene.run("pasteb -b x"), "! no buffer x\n");
        scene.feed("\x1b[?2004h");
        assert_eq!(scene.run("setb y; pasteb -p"), "");
        assert_eq!(scene.typed(), "\x1b[200~y\x1b[201~");
        if let Some(p) = scene.s.model.panes.get_mut(&scene.pane) {
            p.life = crate::model::Life::Dead { code: Some(0), signal: None, at: Wall(0) };
        }
        assert_eq!(scene.run("pasteb"), "! target pane has exited\n");
    }

    #[test]
    fn pastes_show_what_could_act() {
        let shown = |bytes: &[u8]| {
            let mut out = Vec::new();
            visible(bytes, &mut out);
            String::from_utf8(out)
        };
        assert_eq!(shown(b"a\tb\r\x07\x08"), Ok("a\tb\r\x07\x08".into()));
        assert_eq!(shown(b"\x1b[31m\0\x7f"), Ok("^[[31m^@^?".into()));
        assert_eq!(shown("é😀".as_bytes()), Ok("é😀".into()));
        assert_eq!(shown(b"\xe1\x80\xa0\xff"), Ok("\u{1020}M^?".into()));
        assert_eq!(shown(b"\xe1x\xa0"), Ok("M-ax\\240".into()));
    }
}
