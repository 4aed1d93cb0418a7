//! From a call to its effect: row, arguments, targets, `exec`; and where output and errors go.

use super::cx::{CmdError, Cx, Done, ErrorKind};
use super::queue::{Asker, Item, Parked, ReplyTo, Wake};
use super::spec::{self, Spec, TargetKind};
use super::state::State;
use super::table;
use crate::base::{ClientId, Now, PaneId, Span, Time, raw};
use crate::event::{Effect, Outside, Stream};
use crate::lang::{Args, Assignment, CommandList, Grouping, ParseEnv, Place};
use crate::model::find::{self, Context, FindFlags, Found, Kind};
use crate::options::opt;
use crate::vars::{Scope, World};

/// How many commands run in one step before others get their turn.
const MAX_PER_STEP: usize = 10_000;

/// Runs queues until each is empty or waits. Returns true if anything ran.
pub fn run_queues(s: &mut State, out: &mut dyn Outside, now: Now) -> bool {
    run_until(s, out, now, |_| false)
}

/// As [`run_queues`], but stops after a command that made `stop` true: the next one is to see what follows from it.
pub fn run_until(s: &mut State, out: &mut dyn Outside, now: Now, stop: impl Fn(&State) -> bool) -> bool {
    let mut ran = false;
    for _ in 0..MAX_PER_STEP {
        let Some(owner) = next_owner(s, now) else { return ran };
        ran = true;
        run_one(s, out, now, owner);
        if stop(s) {
            return true;
        }
    }
    ran
}

/// Whether there is still something that could run at once.
pub fn has_work(s: &State, now: Now) -> bool {
    next_owner(s, now).is_some()
}

/// How long a program may take to say something after it was started or typed into.
const FIRST_WORD: Span = Span::from_millis(50);
/// What it says then is over when nothing came for this long.
const PAUSE: Span = Span::from_millis(4);
/// And this is the longest that it is waited for.
const LAST_WORD: Span = Span::from_millis(150);

/// From when on a pane shows what its program made of the last input, as far as that can be told.
fn settled_at(s: &State, pane: PaneId) -> Time {
    let Some(p) = s.model.pane(pane) else { return Time(0) };
    match (p.asked, p.said) {
        (None, _) => Time(0),
        (Some(asked), Some(said)) if said >= asked => (said + PAUSE).min(asked + LAST_WORD),
        (Some(asked), _) => asked + FIRST_WORD,
    }
}

/// When the first of the commands that are held may run.
pub fn held_until(s: &State) -> Option<Time> {
    s.queues.queues.values().filter_map(|q| Some(settled_at(s, q.held?))).min()
}

/// The pane that a command from a program reads right after somebody typed into it: scripts send keys and capture at
/// once, and mean what came of the keys.
fn reads_too_early(s: &State, spec: &Spec, item: &Item, target: Option<Found>, now: Now) -> Option<PaneId> {
    let reads = match spec.name {
        "capture-pane" => true,
        "display-message" => item.call.print().contains("cursor_"),
        _ => false,
    };
    let pane = target.map(|t| t.pane).filter(|_| reads && reads_from_outside(s, &item.asker))?;
    (settled_at(s, pane) > now.mono).then_some(pane)
}

/// The first queue with something to run. The configuration comes before any client, and the client that started the server
/// waits for all of it; others may run while it waits for a shell command, which may call us.
fn next_owner(s: &State, now: Now) -> Option<Option<ClientId>> {
    let ready = |q: &super::queue::Queue| match &q.parked {
        Some(p) => p.woken.is_some(),
        None => !q.items.is_empty() && q.held.is_none_or(|pane| settled_at(s, pane) <= now.mono),
    };
    if !s.configured {
        // Only the first client waits for the configuration: its shell commands may be clients themselves.
        let first = s.model.clients.keys().next();
        let may_run = |o: Option<ClientId>| o.is_none() || o.as_ref() != first;
        return s.queues.queues.iter().find(|(o, q)| may_run(**o) && ready(q)).map(|(o, _)| *o);
    }
    s.queues.queues.iter().find(|(_, q)| ready(q)).map(|(o, _)| *o)
}

fn run_one(s: &mut State, out: &mut dyn Outside, now: Now, owner: Option<ClientId>) {
    let Some(q) = s.queues.queues.get_mut(&owner) else { return };
    if let Some(mut parked) = q.parked.take() {
        let Some(wake) = parked.woken.take() else {
            q.parked = Some(parked);
            return;
        };
        let quiet = parked.item.asker.no_hooks;
        let before = s.model.outbox.events.len();
        resume(s, out, now, owner, parked, wake);
        quieten(s, before, quiet);
        return;
    }
    let Some(mut item) = q.items.pop_front() else { return };
    q.held = None;
    if item.guard.is_none() {
        begin_guard(s, &mut item, now);
    }
    let quiet = item.asker.no_hooks;
    let before = s.model.outbox.events.len();
    match start(s, out, now, owner, &item) {
        Ok(Outcome::Held(pane)) => {
            if let Some(q) = s.queues.queues.get_mut(&owner) {
                q.items.push_front(item);
                q.held = Some(pane);
            }
        }
        Ok(Outcome::Started(started)) => settle(s, out, now, owner, item, Ok(started)),
        Err(e) => settle(s, out, now, owner, item, Err(e)),
    }
    quieten(s, before, quiet);
}

/// What a command of a hook did runs no hooks, else some would run for ever.
fn quieten(s: &mut State, before: usize, quiet: bool) {
    if quiet {
        for event in s.model.outbox.events.iter_mut().skip(before) {
            event.no_hooks = true;
        }
    }
}

/// Opens the guards around the output of a control client's command.
pub fn begin_guard(s: &mut State, item: &mut Item, now: Now) {
    guard(s, item, "begin", now);
}

/// Closes them.
pub fn end_guard(s: &mut State, item: &Item, ok: bool, now: Now) {
    let mut item = item.clone();
    guard(s, &mut item, if ok { "end" } else { "error" }, now);
}

fn guard(s: &mut State, item: &mut Item, word: &str, now: Now) {
    if item.asker.reply != ReplyTo::Client {
        return;
    }
    let Some(client) = item.asker.client.filter(|c| s.model.client(*c).is_some_and(|c| c.control_level > 0)) else {
        return;
    };
    let number = match item.guard {
        Some(n) => n,
        None if word == "begin" => s.fresh_number(),
        None => return,
    };
    item.guard = Some(number);
    let text = format!("%{word} {} {number} {}\n", now.wall.0, u8::from(item.asker.guarded));
    s.model.outbox.effect(Effect::ClientOut { client, stream: Stream::Out, bytes: text.into_bytes() });
    match word {
        "begin" => s.guard_opens(client),
        _ => s.guard_closes(client),
    }
}

/// Finds the row of a name or of an unambiguous beginning of one.
pub fn find_row(name: &str) -> Result<&'static Spec, CmdError> {
    spec::find(name).map_err(CmdError::usage)
}

enum Outcome {
    Started(Started),
    /// Not yet: this pane is about to move.
    Held(PaneId),
}

/// What started: the row and where it looks, for the hook after it and for going on.
struct Started {
    spec: &'static Spec,
    target: Option<Found>,
    source: Option<Found>,
    done: Done,
}

fn start(
    s: &mut State,
    out: &mut dyn Outside,
    now: Now,
    owner: Option<ClientId>,
    item: &Item,
) -> Result<Outcome, CmdError> {
    let spec = find_row(&item.call.name)?;
    let args = spec.parse(&item.call.args).map_err(CmdError::usage)?;
    if let Some(c) = item.asker.client.and_then(|c| s.model.client(c))
        && c.flags.contains(crate::model::ClientFlags::READ_ONLY)
        && !spec.read_only_ok
    {
        return Err(CmdError::new(ErrorKind::Denied, "client is read-only"));
    }
    let exec = table::exec_of(spec.name)
        .ok_or_else(|| CmdError::new(ErrorKind::NotBuilt, format!("command {}: not built yet", spec.name)))?;
    if let Some((flag, what)) = exec.missing.iter().find(|(flag, _)| args.has(*flag)) {
        return Err(CmdError::not_built(spec.name, &format!("-{flag} ({what})")));
    }
    let client = client_of(s, spec, &args, &item.asker)?;
    let (target, source) = targets_of(s, out, spec, &args, &item.asker, client)?;
    if let Some(pane) = reads_too_early(s, spec, item, target, now) {
        return Ok(Outcome::Held(pane));
    }
    if let Some(pane) = target.map(|t| t.pane)
        && reads_from_outside(s, &item.asker)
    {
        // What a program wrote before it called us, or before somebody else did, is to be seen by the command.
        out.catch_up(pane);
    }
    let mut cx = Cx { s, out, now, spec, asker: &item.asker, call: &item.call, owner, target, source, client };
    let done = (exec.exec)(&mut cx, &args)?;
    let (target, source) = (cx.target, cx.source);
    Ok(Outcome::Started(Started { spec, target, source, done }))
}

/// Whether a command comes from a program and not from a person's key.
fn reads_from_outside(s: &State, asker: &Asker) -> bool {
    match asker.reply {
        ReplyTo::Control { .. } => true,
        ReplyTo::Client => asker.client.and_then(|c| s.model.client(c)).is_some_and(|c| c.session.is_none()),
        ReplyTo::Config | ReplyTo::Nobody => false,
    }
}

fn resume(s: &mut State, out: &mut dyn Outside, now: Now, owner: Option<ClientId>, parked: Parked, wake: Wake) {
    let Parked { item, found: target, source, .. } = parked;
    let result = find_row(&item.call.name).and_then(|spec| {
        let args = spec.parse(&item.call.args).map_err(CmdError::usage)?;
        let exec = table::exec_of(spec.name);
        let client = client_of(s, spec, &args, &item.asker).unwrap_or(item.asker.client);
        let target = target.filter(|f| find::valid(&s.model, f));
        let mut cx = Cx { s, out, now, spec, asker: &item.asker, call: &item.call, owner, target, source, client };
        let done = match (exec.and_then(|e| e.resume), wake) {
            (Some(resume), wake) => resume(&mut cx, &args, wake)?,
            (None, Wake::Failed(text)) => return Err(CmdError::state(text)),
            (None, _) => Done::Ok,
        };
        Ok(Started { spec, target: cx.target, source: cx.source, done })
    });
    settle(s, out, now, owner, item, result);
}

/// What follows a command: its hook, the end of its group after an error, or the parking of its queue.
fn settle(
    s: &mut State,
    out: &mut dyn Outside,
    now: Now,
    owner: Option<ClientId>,
    item: Item,
    result: Result<Started, CmdError>,
) {
    if !matches!(result, Ok(Started { done: Done::Wait(_), .. }) | Err(_)) {
        end_guard(s, &item, !matches!(result, Ok(Started { done: Done::Stop, .. })), now);
    }
    match result {
        Ok(Started { done: Done::Wait(token), target, source, .. }) => {
            if let Some(q) = s.queues.queues.get_mut(&owner) {
                q.parked = Some(Parked { item, token, woken: None, found: target, source });
            }
        }
        Ok(Started { done: Done::Stop, .. }) => {
            set_status(s, &item.asker, 1);
            s.queues.drop_group(owner, item.group);
        }
        Ok(Started { done: Done::Ok, spec, target, .. }) => {
            if spec.after_hook && !item.asker.no_hooks {
                let name = format!("after-{}", spec.name);
                let current = target.filter(|f| find::valid(&s.model, f)).or(item.asker.current);
                run_hook(s, out, now, &name, owner, current, &item);
            }
        }
        Err(e) => {
            report(s, &item, &e, now);
            end_guard(s, &item, false, now);
            s.queues.drop_group(owner, item.group);
            if !item.asker.no_hooks {
                run_hook(s, out, now, "command-error", owner, item.asker.current, &item);
            }
        }
    }
}

/// Puts the commands of a hook right after the command that led to it.
fn run_hook(
    s: &mut State,
    out: &mut dyn Outside,
    now: Now,
    name: &str,
    owner: Option<ClientId>,
    current: Option<Found>,
    item: &Item,
) {
    let scope = Scope::of(item.asker.client, current);
    let lists = s.hook_runs(name, &scope, now);
    if lists.is_empty() {
        return;
    }
    let mut vars = item.asker.vars.clone();
    vars.extend(super::background::hook_vars(name, &item.call));
    let client = item.asker.client;
    let asker = Asker { client, reply: item.asker.reply.clone(), current, vars, no_hooks: true, ..Asker::default() };
    for list in lists.iter().rev() {
        if !s.queues.insert(owner, list, asker.clone()) {
            s.log(now.wall, "too many commands are waiting");
        }
    }
    let _ = out;
}

/// The client that a command is about.
fn client_of(s: &State, spec: &Spec, args: &Args, asker: &Asker) -> Result<Option<ClientId>, CmdError> {
    let current = || {
        // A command client is about the best client of its pane's session; an attached one is about itself.
        match asker.client.and_then(|c| s.model.client(c)) {
            Some(c) if c.session.is_some() => Some(c.id),
            Some(c) => {
                let session = find::from_client(&s.model, Some(c.id), FindFlags::empty()).map(|f| f.session);
                find::best_client(&s.model, session)
            }
            None => find::best_client(&s.model, asker.current.map(|f| f.session)),
        }
    };
    let Some(t) = spec.client else { return Ok(current()) };
    match args.get(t.flag) {
        Some("=" | "") | None => Ok(current()),
        Some(name) => match find::client_named(&s.model, name) {
            Some(c) => Ok(Some(c)),
            None if t.may_fail => Ok(None),
            None => {
                let name = name.strip_suffix(':').unwrap_or(name);
                Err(CmdError::no_target(format!("can't find client: {name}")))
            }
        },
    }
}

fn targets_of(
    s: &mut State,
    out: &mut dyn Outside,
    spec: &Spec,
    args: &Args,
    asker: &Asker,
    client: Option<ClientId>,
) -> Result<(Option<Found>, Option<Found>), CmdError> {
    let mut one = |t: Option<spec::Target>| -> Result<Option<Found>, CmdError> {
        let Some(t) = t else {
            return Ok(find::current(&s.model, &context(asker, client), FindFlags::empty()));
        };
        resolve(s, out, args.get(t.flag), &t, asker, client)
    };
    Ok((one(spec.target)?, one(spec.source.filter(|_| spec.source.is_some()))?))
}

fn context(asker: &Asker, client: Option<ClientId>) -> Context {
    Context { current: asker.current, client: asker.client.or(client), mouse: asker.mouse.map(|(_, t)| t) }
}

/// Resolves one target of a row.
pub fn resolve(
    s: &mut State,
    out: &mut dyn Outside,
    text: Option<&str>,
    t: &spec::Target,
    asker: &Asker,
    client: Option<ClientId>,
) -> Result<Option<Found>, CmdError> {
    let kind = match t.kind {
        TargetKind::Session => Kind::Session,
        TargetKind::Window => Kind::Window,
        TargetKind::Pane => Kind::Pane,
    };
    let mut flags = FindFlags::empty();
    flags.set(FindFlags::WINDOW_INDEX, t.may_be_new);
    flags.set(FindFlags::DEFAULT_MARKED, t.or_marked);
    flags.set(FindFlags::CAN_FAIL, t.may_fail);
    let found = find_target(s, out, text, kind, flags, &context(asker, client));
    match found {
        Ok(f) => Ok(Some(f)),
        Err(_) if t.may_fail => Ok(None),
        Err(text) => Err(CmdError::no_target(text)),
    }
}

/// Resolves a target written anywhere.
pub fn find_target(
    s: &mut State,
    out: &mut dyn Outside,
    text: Option<&str>,
    kind: Kind,
    flags: FindFlags,
    cx: &Context,
) -> Result<Found, String> {
    let current = find::current(&s.model, cx, flags);
    let scope = Scope::of(None, current);
    let base = s.options.number(opt::PANE_BASE_INDEX, scope.window_options()).max(0) as u32;
    let out = std::cell::RefCell::new(out);
    let titles = |pane| {
        let mut out = out.borrow_mut();
        crate::event::with_terminal(&mut **out, pane, |t| t.title().to_owned()).unwrap_or_default()
    };
    find::target(&s.model, cx, text, kind, flags, base, &titles)
}

/// What parsing needs to know, from the state.
struct Env<'a> {
    s: &'a State,
    world: World<'a>,
}

impl ParseEnv for Env<'_> {
    fn var(&self, name: &str) -> Option<String> {
        self.s.model.environ.get(name).map(str::to_owned)
    }

    fn home(&self, user: Option<&str>) -> Option<String> {
        match user {
            None => self.s.model.environ.get("HOME").map(str::to_owned),
            Some(name) => self.s.model.facts.home_of(name),
        }
    }

    fn condition(&self, format: &str, sets: &[Assignment]) -> bool {
        let found = find::current(&self.s.model, &Context::default(), FindFlags::empty());
        let mut scope = Scope::of(None, found);
        scope.extra.extend(sets.iter().map(|a| (a.name.clone(), a.value.clone())));
        self.world.is_true(format, &scope)
    }

    fn alias(&self, name: &str) -> Option<String> {
        self.s.options.command_alias(name).map(str::to_owned)
    }
}

/// Parses text with the state's variables and aliases, applies its assignments, and checks every command against its
/// row.
pub fn parse_text(
    s: &mut State,
    out: &mut dyn Outside,
    now: Now,
    text: &str,
    at: Place,
    grouping: Grouping,
) -> Result<CommandList, String> {
    let list = parse_raw(s, out, now, text, at, grouping)?;
    spec::resolve(&list).map_err(|e| e.to_string())
}

fn parse_raw(
    s: &mut State,
    out: &mut dyn Outside,
    now: Now,
    text: &str,
    at: Place,
    grouping: Grouping,
) -> Result<CommandList, String> {
    let parsed = {
        let world = World::new(&s.model, &s.options, &s.layers, &s.format_jobs, out, now);
        crate::lang::parse_text(text, at, grouping, &Env { s, world })
    };
    let parsed = parsed.map_err(|e| e.to_string())?;
    apply_sets(s, &parsed.sets);
    Ok(parsed.commands)
}

/// As [`parse_text`] for arguments that are already split.
pub fn parse_args(
    s: &mut State,
    out: &mut dyn Outside,
    now: Now,
    argv: &[crate::lang::Arg],
    at: Place,
) -> Result<CommandList, String> {
    let parsed = {
        let world = World::new(&s.model, &s.options, &s.layers, &s.format_jobs, out, now);
        crate::lang::parse_args(argv, at, &Env { s, world })
    };
    let parsed = parsed.map_err(|e| e.to_string())?;
    apply_sets(s, &parsed.sets);
    spec::resolve(&parsed.commands).map_err(|e| e.to_string())
}

fn apply_sets(s: &mut State, sets: &[Assignment]) {
    for a in sets {
        s.model.environ.set(&a.name, &a.value, a.hidden);
    }
}

/// Parses a file. A group with a command that does not pass its row's check is left out and reported with its place; the
/// others stand. Text that breaks the grammar gives nothing but the error.
pub fn parse_file(s: &mut State, out: &mut dyn Outside, now: Now, text: &str, at: Place) -> (CommandList, Vec<String>) {
    let list = match parse_raw(s, out, now, text, at, Grouping::ByLine) {
        Ok(list) => list,
        Err(e) => return (CommandList::default(), vec![e]),
    };
    let mut good = CommandList::default();
    let mut errors = Vec::new();
    for group in list.groups {
        match spec::resolve(&CommandList { groups: vec![group] }) {
            Ok(l) => good.groups.extend(l.groups),
            Err(e) => errors.push(e.to_string()),
        }
    }
    (good, errors)
}

/// Says an error to whoever asked.
pub fn report(s: &mut State, item: &Item, e: &CmdError, now: Now) {
    set_status(s, &item.asker, 1);
    if e.silent {
        return;
    }
    match &item.asker.reply {
        ReplyTo::Control { ticket, .. } => {
            let c = s.collected.entry(*ticket).or_default();
            if c.error.is_none() {
                c.error = Some((e.kind, e.text.clone()));
            }
        }
        ReplyTo::Config => {
            let at = &item.call.at;
            let text = match &at.file {
                Some(f) => format!("{f}:{}: {}", at.line, e.text),
                None => e.text.clone(),
            };
            s.log(now.wall, text.clone());
            s.config_error(item.asker.client, text);
        }
        ReplyTo::Nobody => s.log(now.wall, e.text.clone()),
        ReplyTo::Client => {
            let attached =
                item.asker.client.and_then(|c| s.model.client(c)).map(|c| (c.id, c.session.is_some(), c.kind));
            match attached {
                Some((id, false, _)) | Some((id, true, crate::model::ClientKind::Control)) => {
                    let text = format!("{}\n", e.text);
                    let control = s.model.client(id).is_some_and(|c| c.control_level > 0);
                    let stream = if control { Stream::Out } else { Stream::Err };
                    s.model.outbox.effect(Effect::ClientOut { client: id, stream, bytes: raw::bytes(&text) });
                }
                Some((id, true, _)) => {
                    let mut text = e.text.clone();
                    if let Some(first) = text.get_mut(..1) {
                        first.make_ascii_uppercase();
                    }
                    s.message(id, &text, now);
                }
                None => s.log(now.wall, e.text.clone()),
            }
        }
    }
}

/// Says output to whoever asked.
pub fn say(s: &mut State, asker: &Asker, stream: Stream, bytes: Vec<u8>, now: Now) {
    match &asker.reply {
        ReplyTo::Control { ticket, .. } => {
            let text = String::from_utf8_lossy(&bytes);
            let c = s.collected.entry(*ticket).or_default();
            c.output.extend(text.lines().map(str::to_owned));
        }
        ReplyTo::Client => match asker.client.and_then(|c| s.model.client(c)).map(|c| (c.id, c.session, c.kind)) {
            Some((id, None, _)) | Some((id, Some(_), crate::model::ClientKind::Control)) => {
                s.model.outbox.effect(Effect::ClientOut { client: id, stream, bytes });
            }
            Some((_, Some(session), _)) => {
                if let Some(pane) = s.model.current_pane(session) {
                    s.view_text(pane, &String::from_utf8_lossy(&bytes));
                }
            }
            None => s.log(now.wall, String::from_utf8_lossy(&bytes).trim_end().to_owned()),
        },
        ReplyTo::Config | ReplyTo::Nobody => {
            let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
            s.log(now.wall, text);
        }
    }
}

/// The exit status of a command client that failed.
fn set_status(s: &mut State, asker: &Asker, status: u8) {
    if let Some(c) = asker.client.and_then(|c| s.model.clients.get_mut(&c))
        && c.session.is_none()
    {
        c.status = status;
    }
}
