//! Keys: `send-keys`, `send-prefix`, bindings and their lists, and the list of commands.

use std::sync::Arc;

use super::list::{Order, order};
use crate::base::width;
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::queue::Asker;
use crate::command::rows::ROWS;
use crate::command::spec::{self, Spec};
use crate::command::table::Exec;
use crate::command::{dispatch, state::State};
use crate::event::{Effect, with_terminal};
use crate::keys::{Code, Key, KeyEvent, Mods, Mouse, MouseKind, MousePlace};
use crate::lang::{self, Args, CommandList};
use crate::layer::{Flow, Host, LayerInput, Outcome, View};
use crate::model::ClientFlags;
use crate::model::find::{self, Found, MouseTarget};
use crate::model::keytable::Binding;
use crate::options::{Scope as OptScope, opt};
use crate::vars::Scope;

pub(super) const FAMILY: &[Exec] = &[
    Exec::new("send-keys", send_keys).without(&[('K', "keys as if a client typed them")]),
    Exec::new("send-prefix", send_prefix),
    Exec::new("bind-key", bind_key),
    Exec::new("unbind-key", unbind_key),
    Exec::new("list-keys", list_keys),
    Exec::new("list-commands", list_commands),
];

/// How often `-N` may repeat keys that are typed; a count for a mode's command has no such limit.
const MAX_REPEAT: i64 = 1_000_000;
/// How many bytes one command may type.
const MAX_TYPED: usize = 16 << 20;

// ---- send-keys ----

fn send_keys(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.target()?;
    let read_only = |s: &State, c| s.model.client(c).is_some_and(|c| c.flags.contains(ClientFlags::READ_ONLY));
    if !args.has('X') && cx.client.is_some_and(|c| read_only(cx.s, c)) {
        return Err("client is read-only".into());
    }
    let host = Host::Pane(target.pane);
    let in_mode = cx.s.layers.top(host).is_some();
    let count = match args.get('N') {
        None => None,
        Some(text) => {
            let text = cx.expand(text);
            let n = lang::parse_number(&text, 1..=i64::from(u32::MAX));
            Some(n.map_err(|why| CmdError::value(format!("repeat count {why}")))?)
        }
    };
    if args.has('X') {
        if !in_mode {
            return Err("not in a mode".into());
        }
        let mut argv = args.texts();
        if args.has('F') {
            argv = argv.iter().map(|a| cx.expand(a)).collect();
        }
        return mode_command(cx, host, &argv, count.unwrap_or(0) as u32);
    }
    if let Some(n) = count
        && in_mode
        && args.is_empty()
    {
        // A count for the mode's next command.
        return mode_command(cx, host, &[], n as u32);
    }
    if args.has('M') {
        let Some((mouse, at)) = cx.asker.mouse else { return Err("no mouse target".into()) };
        let Some(pane) = mouse_pane(cx.s, &at) else { return Err("no mouse target".into()) };
        let Some(client) = cx.client.or(cx.asker.client) else { return Err("no mouse target".into()) };
        cx.s.mouse_to_pane(pane, client, &mouse, cx.now, cx.out);
        return Ok(Done::Ok);
    }
    if args.has('R') {
        with_terminal(cx.out, target.pane, |t| t.reset());
        cx.s.model.touch();
    }
    let times = count.unwrap_or(1);
    if times > MAX_REPEAT {
        return Err(CmdError::value("repeat count too large"));
    }
    let mut sender = Sender { target, lists: Vec::new(), typed: 0 };
    if args.is_empty() {
        if count.is_none()
            && !args.has('R')
            && let Some(key) = cx.asker.key
        {
            sender.key(cx, key)?;
        }
        return sender.finish(cx);
    }
    let mut words = args.texts();
    if args.has('F') {
        words = words.iter().map(|w| cx.expand(w)).collect();
    }
    let mark = cx.s.model.outbox.effects.len();
    for _ in 0..times {
        for word in &words {
            if args.has('H') {
                // What is no number of one byte is passed over, as in tmux.
                if let Some(byte) = hex_byte(word) {
                    sender.byte(cx, byte)?;
                }
                continue;
            }
            match Key::parse(word).filter(|k| *k != Key::NONE && !args.has('l')) {
                Some(key) => sender.key(cx, key)?,
                None => {
                    for c in word.chars() {
                        sender.key(cx, Key::char(c))?;
                    }
                }
            }
        }
    }
    merge_writes(&mut cx.s.model.outbox.effects, mark);
    sender.finish(cx)
}

fn send_prefix(cx: &mut Cx, args: &Args) -> Result {
    let target = cx.target()?;
    let scope = OptScope::Session(target.session);
    let key = cx.s.options.key(if args.has('2') { opt::PREFIX2 } else { opt::PREFIX }, scope);
    let mut sender = Sender { target, lists: Vec::new(), typed: 0 };
    if key != Key::NONE {
        sender.key(cx, key)?;
    }
    sender.finish(cx)
}

/// Keys on their way to a pane: its program, or the key table of the mode it is in.
struct Sender {
    target: Found,
    /// Commands that keys of the mode's table are bound to; they run after this command, in order.
    lists: Vec<Arc<CommandList>>,
    typed: usize,
}

impl Sender {
    fn limit(&mut self) -> Result<()> {
        self.typed += 1;
        if self.typed > MAX_TYPED { Err("too many keys".into()) } else { Ok(()) }
    }

    fn key(&mut self, cx: &mut Cx, key: Key) -> Result<()> {
        self.limit()?;
        let host = Host::Pane(self.target.pane);
        if cx.s.layers.top(host).is_none() {
            cx.s.type_key(self.target.pane, &KeyEvent::from(key), cx.out);
            return Ok(());
        }
        let client = cx.client;
        let State { model, options, layers, .. } = &mut *cx.s;
        let view = View { model, options, now: cx.now, client };
        match layers.top(host).and_then(|l| l.table(&view)) {
            Some(table) => self.lists.extend(model.tables.lookup(table, key).map(|b| b.commands.clone())),
            None => {
                let Some(layer) = layers.top_mut(host) else { return Ok(()) };
                let outcome = layer.input(&LayerInput::Key(key), &view);
                carry_out(cx, host, outcome);
            }
        }
        Ok(())
    }

    fn byte(&mut self, cx: &mut Cx, byte: u8) -> Result<()> {
        if cx.s.layers.top(Host::Pane(self.target.pane)).is_some() {
            return self.key(cx, Key::char(char::from(byte)));
        }
        self.limit()?;
        for pane in cx.s.input_panes(self.target.pane) {
            cx.s.write_pane(pane, vec![byte]);
        }
        Ok(())
    }

    fn finish(self, cx: &mut Cx) -> Result {
        let asker = Asker { client: cx.client, current: Some(self.target), ..cx.asker.clone() };
        for list in self.lists.iter().rev() {
            cx.insert_as(list, asker.clone())?;
        }
        Ok(Done::Ok)
    }
}

/// A command of the mode on top of a pane. A count of 0 is none.
fn mode_command(cx: &mut Cx, host: Host, argv: &[String], count: u32) -> Result {
    if !argv.is_empty() {
        point(cx, host);
    }
    let client = cx.client;
    let State { model, options, layers, .. } = &mut *cx.s;
    let view = View { model, options, now: cx.now, client };
    let Some(layer) = layers.top_mut(host) else { return Err("not in a mode".into()) };
    let outcome = layer.command(argv, count, &view).map_err(CmdError::value)?;
    carry_out(cx, host, outcome);
    Ok(Done::Ok)
}

/// Tells the mode on a pane where the mouse is that brought the command, if one did. A drag began where its button went
/// down.
pub(super) fn point(cx: &mut Cx, host: Host) {
    let Some((mouse, at)) = cx.asker.mouse else { return };
    let (Host::Pane(pane), Some(client)) = (host, cx.client.or(cx.asker.client)) else { return };
    if mouse_pane(cx.s, &at) != Some(pane) {
        return;
    }
    let mouse = Mouse { pos: at.pressed.filter(|_| mouse.motion).unwrap_or(mouse.pos), ..mouse };
    let Some((x, y)) = cx.s.pane_position(pane, client, mouse.pos) else { return };
    let State { model, options, layers, .. } = &mut *cx.s;
    let view = View { model, options, now: cx.now, client: Some(client) };
    if let Some(layer) = layers.top_mut(host) {
        layer.point(&mouse, x, y, &view);
    }
}

/// Does what the top layer of a host said.
pub(super) fn carry_out(cx: &mut Cx, host: Host, outcome: Outcome) {
    if outcome.flow == Flow::Close {
        cx.s.close_layer(host);
    }
    for act in outcome.acts {
        cx.s.act(host, cx.client, act, cx.now, cx.out);
    }
    cx.s.model.touch();
}

/// The pane under the mouse; on a window's name in the status line its active pane.
pub(super) fn mouse_pane(s: &State, at: &MouseTarget) -> Option<crate::base::PaneId> {
    if let Some(p) = at.pane {
        return s.model.pane(p).map(|p| p.id);
    }
    let session = at.session?;
    let index = at.index.or(s.model.session(session).map(|s| s.current))?;
    find::from_place(&s.model, crate::model::Place { session, index }).map(|f| f.pane)
}

fn hex_byte(word: &str) -> Option<u8> {
    let digits = word.strip_prefix("0x").or(word.strip_prefix("0X")).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    u8::try_from(u64::from_str_radix(digits, 16).ok()?).ok()
}

/// Joins writes to one pane that follow each other, from this place on.
fn merge_writes(effects: &mut Vec<Effect>, from: usize) {
    let tail = effects.split_off(from.min(effects.len()));
    let mut last = effects.len();
    for effect in tail {
        if let Effect::PtyWrite { pane, bytes } = &effect
            && effects.len() > from
            && let Some(Effect::PtyWrite { pane: before, bytes: sum }) = effects.get_mut(last)
            && before == pane
        {
            sum.extend_from_slice(bytes);
            continue;
        }
        last = effects.len();
        effects.push(effect);
    }
}

// ---- bindings ----

fn read_key(text: &str) -> Result<Key> {
    Key::parse(text).filter(|k| *k != Key::NONE).ok_or_else(|| CmdError::value(format!("unknown key: {text}")))
}

fn table_name(args: &Args) -> &str {
    args.get('T').unwrap_or(if args.has('n') { "root" } else { "prefix" })
}

fn bind_key(cx: &mut Cx, args: &Args) -> Result {
    let name = args.operands().first().map(lang::Arg::to_text).unwrap_or_default();
    let key = read_key(&name)?;
    let table = table_name(args);
    let note = args.get('N').map(str::to_owned);
    let repeat = args.has('r');
    if args.len() == 1 {
        // Without commands an existing binding gets the note and the repeat.
        if let Some(mut binding) = cx.s.model.tables.lookup(table, key).cloned() {
            binding.note = note.or(binding.note);
            binding.repeat |= repeat;
            cx.s.model.tables.bind(table, binding);
        }
        return Ok(Done::Ok);
    }
    let list = if args.len() == 2 {
        cx.commands_at(args, 1)?.unwrap_or_default()
    } else {
        let at = cx.call.at.clone();
        dispatch::parse_args(cx.s, cx.out, cx.now, &args.operands()[1..], at).map_err(CmdError::usage)?
    };
    cx.s.model.tables.bind(table, Binding { key, commands: Arc::new(list), note, repeat });
    Ok(Done::Ok)
}

fn unbind_key(cx: &mut Cx, args: &Args) -> Result {
    unbind(cx, args).map_err(|e| CmdError { silent: args.has('q'), ..e })
}

fn unbind(cx: &mut Cx, args: &Args) -> Result {
    let key = args.positional(0);
    let table = table_name(args).to_owned();
    let exists = |cx: &Cx| {
        // The two tables of the default bindings are always there.
        if cx.s.model.tables.has_table(&table) || ["root", "prefix"].contains(&table.as_str()) {
            Ok(())
        } else {
            Err(CmdError::value(format!("table {table} doesn't exist")))
        }
    };
    if args.has('a') {
        if key.is_some() {
            return Err("key given with -a".into());
        }
        exists(cx)?;
        cx.s.model.tables.unbind_all(&table);
        for c in cx.s.model.clients.values_mut() {
            if c.table == table {
                c.table.clear();
                c.repeat_until = None;
                c.table_since = None;
            }
        }
        return Ok(Done::Ok);
    }
    let key = read_key(key.ok_or("missing key")?)?;
    if args.has('T') {
        exists(cx)?;
    }
    cx.s.model.tables.unbind(&table, key);
    Ok(Done::Ok)
}

// ---- list-keys ----

struct Line<'a> {
    table: &'a str,
    binding: &'a Binding,
}

fn list_keys(cx: &mut Cx, args: &Args) -> Result {
    let only = match args.positional(0) {
        None => None,
        Some(text) => Some(Key::parse(text).ok_or_else(|| CmdError::value(format!("invalid key: {text}")))?),
    };
    let order = order(args)?;
    if let Some(table) = args.get('T')
        && !cx.s.model.tables.has_table(table)
    {
        return Err(CmdError::value(format!("table {table} doesn't exist")));
    }
    let prefix = match args.get('P') {
        Some(text) => text.to_owned(),
        None => match cx.s.options.key(opt::PREFIX, OptScope::GlobalSession) {
            Key::NONE => String::new(),
            key => key.to_string(),
        },
    };
    let (single, notes) = (args.has('1'), args.has('N'));
    // Owned, because formats look at the same state.
    let tables = cx.s.model.tables.clone();
    let names: Vec<&str> = match args.get('T') {
        Some(table) => vec![table],
        None if notes => vec!["prefix", "root"],
        None => tables.names().collect(),
    };
    let mut lines = Vec::new();
    for table in names {
        let from = lines.len();
        lines.extend(tables.bindings(table).map(|binding| Line { table, binding }));
        lines[from..].sort_by_key(|l| rank(l.binding.key));
        if notes || args.has('T') {
            sort(&mut lines[from..], order, args.has('r'));
        }
    }
    if !notes && !args.has('T') {
        sort(&mut lines, order, args.has('r'));
    }
    lines.retain(|l| only.is_none_or(|k| k == l.binding.key) && (!notes || args.has('a') || l.binding.note.is_some()));
    if let (true, Some(text)) = (lines.is_empty() && only.is_some(), args.positional(0)) {
        return Err(CmdError::value(format!("unknown key: {text}")));
    }
    if single {
        lines.truncate(1);
    }
    let key_width = lines.iter().map(|l| width::text_width(&l.binding.key.to_string())).max().unwrap_or(0);
    let table_width = lines.iter().map(|l| width::text_width(l.table)).max().unwrap_or(0);
    let has_repeat = lines.iter().any(|l| l.binding.repeat);
    for l in &lines {
        let command = printed(&l.binding.commands);
        let key = l.binding.key.to_string();
        let note = l.binding.note.as_deref().unwrap_or("");
        let text = match args.get('F') {
            None if notes => {
                let what = if note.is_empty() || note == "0" { &command } else { note };
                format!("{prefix} {} {what}", padded(&key, key_width))
            }
            None => {
                let repeat = match (has_repeat, l.binding.repeat) {
                    (false, _) => "",
                    (true, true) => "-r",
                    (true, false) => "  ",
                };
                format!(
                    "bind-key {repeat} -T {} {} {command}",
                    padded(l.table, table_width),
                    padded(&lang::escape(&key), key_width)
                )
            }
            Some(template) => {
                let flag = |on: bool| if on { "1" } else { "0" };
                let scope = cx
                    .scope()
                    .with("notes_only", flag(notes))
                    .with("key_has_repeat", flag(has_repeat))
                    .with("key_string_width", key_width.to_string())
                    .with("key_table_width", table_width.to_string())
                    .with("key_repeat", flag(l.binding.repeat))
                    .with("key_note", note)
                    .with("key_prefix", prefix.as_str())
                    .with("key_table", l.table)
                    .with("key_string", key.as_str())
                    .with("key_command", command.as_str());
                cx.expand_in(template, &scope)
            }
        };
        let client = cx.client.filter(|_| single).and_then(|c| cx.s.model.client(c)).filter(|c| c.control_level == 0);
        match client.map(|c| c.id) {
            Some(client) => cx.s.message(client, &text, cx.now),
            None if text.is_empty() => {}
            None => cx.print(text),
        }
    }
    Ok(Done::Ok)
}

fn sort(lines: &mut [Line<'_>], order: Option<Order>, reversed: bool) {
    match order {
        None => {}
        Some(Order::AsItComes) if reversed => lines.reverse(),
        Some(Order::AsItComes) => {}
        Some(order) => {
            lines.sort_by(|a, b| {
                let by = match order {
                    Order::Index => rank(a.binding.key).cmp(&rank(b.binding.key)),
                    Order::Modifier => (rank(a.binding.key) >> 44).cmp(&(rank(b.binding.key) >> 44)),
                    _ => std::cmp::Ordering::Equal,
                };
                let by = by.then_with(|| a.table.to_lowercase().cmp(&b.table.to_lowercase()));
                if reversed { by.reverse() } else { by }
            });
        }
    }
}

/// Commands as they stand after `bind-key`: groups do not show.
fn printed(list: &CommandList) -> String {
    list.calls().map(lang::Call::print).collect::<Vec<_>>().join(r" \; ")
}

fn padded(text: &str, to: usize) -> String {
    let mut out = text.to_owned();
    out.extend(std::iter::repeat_n(' ', to.saturating_sub(width::text_width(text))));
    out
}

/// The place of a key in lists, the same as in tmux: modifiers, then the kind of key, then its number.
fn rank(key: Key) -> u64 {
    let mods = [(Mods::META, 44), (Mods::CTRL, 45), (Mods::SHIFT, 46), (Mods::SUPER, 47), (Mods::HYPER, 48)]
        .iter()
        .filter(|(m, _)| key.mods.contains(*m))
        .fold(0, |sum, (_, bit)| sum | 1u64 << bit);
    let (kind, code) = match key.code {
        Code::Char(c) => (0, u64::from(c)),
        Code::User(n) => (1, u64::from(n)),
        Code::Mouse(m) => {
            let kind = match m.kind {
                MouseKind::Move => 3,
                MouseKind::Down => 4,
                MouseKind::Up => 5,
                MouseKind::Drag => 6,
                MouseKind::DragEnd => 7,
                MouseKind::WheelDown => 8,
                MouseKind::WheelUp => 9,
                MouseKind::SecondClick => 10,
                MouseKind::DoubleClick => 11,
                MouseKind::TripleClick => 12,
            };
            let place = match m.place {
                MousePlace::Pane => 0,
                MousePlace::Status => 1,
                MousePlace::StatusLeft => 2,
                MousePlace::StatusRight => 3,
                MousePlace::StatusDefault => 4,
                MousePlace::Border => 5,
                MousePlace::ScrollbarUp => 6,
                MousePlace::ScrollbarSlider => 7,
                MousePlace::ScrollbarDown => 8,
                MousePlace::Empty => 9,
                MousePlace::Control(n) => 10 + u64::from(n),
            };
            (kind, u64::from(m.button) << 8 | place)
        }
        code => (2, function_rank(code)),
    };
    mods | kind << 32 | code
}

fn function_rank(code: Code) -> u64 {
    match code {
        Code::None => 0,
        Code::Unknown => 1,
        Code::FocusIn => 2,
        Code::FocusOut => 3,
        Code::Any => 4,
        Code::PasteStart => 5,
        Code::PasteEnd => 6,
        Code::BSpace => 7,
        Code::F(n @ 1..=12) => 7 + u64::from(n),
        Code::IC => 20,
        Code::DC => 21,
        Code::Home => 22,
        Code::End => 23,
        Code::NPage => 24,
        Code::PPage => 25,
        Code::BTab => 26,
        Code::Up => 27,
        Code::Down => 28,
        Code::Left => 29,
        Code::Right => 30,
        Code::Kp(b) => 31 + b"/*-789+456123\r0.".iter().position(|k| *k == b).unwrap_or(0) as u64,
        Code::DarkTheme => 47,
        Code::LightTheme => 48,
        Code::MouseAny => 49,
        Code::Dragging => 50,
        // Keys that tmux does not have come last.
        Code::F(n) => 1000 + u64::from(n),
        Code::Functional(n) => 2000 + u64::from(n),
        Code::Char(_) | Code::User(_) | Code::Mouse(_) => 0,
    }
}

// ---- list-commands ----

fn list_commands(cx: &mut Cx, args: &Args) -> Result {
    let rows: Vec<&'static Spec> = match args.positional(0) {
        Some(name) => vec![spec::find(name).map_err(CmdError::value)?],
        None => ROWS.iter().collect(),
    };
    for row in rows {
        let alias = row.alias.unwrap_or("");
        let line = match args.get('F') {
            None if alias.is_empty() => format!("{} {}", row.name, row.usage()),
            None => format!("{} ({alias}) {}", row.name, row.usage()),
            Some(template) => {
                let scope = Scope { extra: cx.asker.vars.clone(), ..Scope::default() }
                    .with("command_list_name", row.name)
                    .with("command_list_alias", alias)
                    .with("command_list_usage", row.usage());
                cx.expand_in(template, &scope)
            }
        };
        if !line.is_empty() {
            cx.print(line);
        }
    }
    Ok(Done::Ok)
}

#[cfg(test)]
mod tests {
    use crate::command::cmd::scene::{Scene, check};

    #[test]
    fn bindings_are_listed_as_they_would_be_made() {
        let keys = "bind -n C-a send x; bind -r -T other Up if -F 1 { new } ; bind -N 'a note' \\; kill-pane";
        check(&[keys, "lsk -T root"], "bind-key  -T root C-a send-keys x\n");
        check(&[keys, "lsk -T other"], "bind-key -r -T other Up if-shell -F 1 { new-session }\n");
        check(
            &[keys, "lsk"],
            "bind-key -r -T other  Up  if-shell -F 1 { new-session }\n\
             bind-key    -T prefix \\;  kill-pane\n\
             bind-key    -T root   C-a send-keys x\n",
        );
        check(&[keys, "lsk -N"], "C-b ; a note\n");
        check(&[keys, "lsk -Na -P '> '"], ">  ;   a note\n>  C-a send-keys x\n");
        check(&[keys, "lsk -F '#{key_table} #{key_string}' C-a"], "root C-a\n");
        check(&[keys, "lsk -1 C-a"], "bind-key  -T root C-a send-keys x\n");
        check(&[keys, "lsk x"], "! unknown key: x\n");
        check(&["lsk NoSuchKey"], "! invalid key: NoSuchKey\n");
        check(&["lsk -T nope"], "! table nope doesn't exist\n");
        check(&["lsk -O nothing"], "! invalid sort order\n");
        check(&["bind -n a lsp \\; lsw", "lsk"], "bind-key  -T root a list-panes \\; list-windows\n");
        check(&["bind -n a lsp", "bind -n -N note a", "bind -nr a", "lsk -F '#{key_note} #{key_repeat}'"], "note 1\n");
    }

    #[test]
    fn keys_are_listed_in_tmux_order() {
        check(
            &[
                "bind -n z lsp; bind -n F1 lsp; bind -n M-a lsp; bind -n MouseDown1Pane lsp; bind -n C-a lsp; bind -n User1 lsp",
                "lsk -F '#{key_string}'",
            ],
            "z\nUser1\nF1\nMouseDown1Pane\nM-a\nC-a\n",
        );
    }

    #[test]
    fn bindings_go_again() {
        check(&["bind NoSuchKey lsp"], "! unknown key: NoSuchKey\n");
        check(&["bind x nosuch"], "! unknown command: nosuch\n");
        check(&["unbind x", "unbind"], "! missing key\n");
        check(&["unbind -a x"], "! key given with -a\n");
        check(&["unbind -aq x"], "");
        check(&["unbind -T nope x"], "! table nope doesn't exist\n");
        check(&["bind -T t x lsp; bind -T t y lsp; unbind -T t x", "lsk -F '#{key_string}'"], "y\n");
        check(&["bind -T t x lsp; unbind -a -T t", "lsk -T t"], "! table t doesn't exist\n");
    }

    #[test]
    fn commands_are_listed() {
        check(&["lscm send-prefix"], "send-prefix [-2] [-t target-pane]\n");
        check(
            &["lscm lsk -F '#{command_list_name} #{command_list_alias}'"],
            "! command list-commands: too many arguments (need at most 1)\n",
        );
        check(&["lscm -F '#{command_list_name} #{command_list_alias}' lsk"], "list-keys lsk\n");
        check(&["lscm nosuch"], "! unknown command: nosuch\n");
    }

    #[test]
    fn keys_are_typed() {
        let mut scene = Scene::new();
        let mut check = |line: &str, typed: &str| {
            assert_eq!(scene.run(line), "");
            assert_eq!(scene.typed(), typed, "{line}");
        };
        check("send abc Enter", "abc\r");
        check("send -l Enter", "Enter");
        check("send -H 41 0x42 zz 100", "AB");
        check("send -N 3 x", "xxx");
        check("send -F '#{session_name}'", "main");
        check("send-prefix", "\x02");
        check("send", "");
    }

    #[test]
    fn keys_are_refused() {
        check(&["send -N 0 x"], "! repeat count too small\n");
        check(&["send -X cancel"], "! not in a mode\n");
        check(&["send -M"], "! no mouse target\n");
        check(&["send -K x"], "! command send-keys: -K (keys as if a client typed them) is not built yet\n");
    }
}
