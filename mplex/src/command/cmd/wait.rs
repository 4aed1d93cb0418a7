//! `wait-for`: channels that are signalled, locks.

use crate::base::ClientId;
use crate::command::cx::{CmdError, Cx, Done, Result};
use crate::command::queue::{Token, Wake};
use crate::command::state::{Channel, State};
use crate::command::table::Exec;
use crate::lang::Args;

pub(super) const FAMILY: &[Exec] = &[Exec::new("wait-for", wait_for).without(&[
    ('E', "waiting for an event"),
    ('F', "filtering events"),
    ('v', "printing an event's fields"),
])];

/// How many channels there may be.
const MAX_CHANNELS: usize = 10_000;

fn wait_for(cx: &mut Cx, args: &Args) -> Result {
    let name = args.positional(0).unwrap_or_default().to_owned();
    if args.has('l') {
        let names: Vec<String> = waiters(cx.s, &name).into_iter().map(|(_, who)| client_name(cx.s, who)).collect();
        for name in names {
            cx.print(name);
        }
        return Ok(Done::Ok);
    }
    if let Some(who) = args.get('w') {
        let found = waiters(cx.s, &name).into_iter().find(|(_, c)| client_name(cx.s, *c) == who);
        if let Some((number, _)) = found {
            cx.s.queues.wake(Token::Channel(number), Wake::Done);
            cx.s.forget_channel_waiter(number);
        }
        return Ok(Done::Ok);
    }
    if args.has('S') {
        return signal(cx.s, name);
    }
    if args.has('U') && !args.has('L') {
        return unlock(cx.s, &name);
    }
    let lock = args.has('L');
    if cx.owner.is_none() {
        return Err(if lock { "not able to lock" } else { "not able to wait" }.into());
    }
    if lock { take_lock(cx.s, name) } else { wait(cx.s, name) }
}

fn channel(s: &mut State, name: String) -> Result<&mut Channel> {
    if s.channels.len() >= MAX_CHANNELS && !s.channels.contains_key(&name) {
        return Err("too many channels".into());
    }
    Ok(s.channels.entry(name).or_default())
}

fn signal(s: &mut State, name: String) -> Result {
    let c = channel(s, name.clone())?;
    if c.waiting.is_empty() && !c.woken {
        c.woken = true;
        return Ok(Done::Ok);
    }
    // Signalled twice before anybody waited is not signalled, as in tmux.
    c.woken = false;
    let waiting = std::mem::take(&mut c.waiting);
    for number in waiting {
        s.queues.wake(Token::Channel(number), Wake::Done);
    }
    tidy(s, &name);
    Ok(Done::Ok)
}

fn wait(s: &mut State, name: String) -> Result {
    let number = s.fresh_number();
    let c = channel(s, name.clone())?;
    if c.woken {
        c.woken = false;
        tidy(s, &name);
        return Ok(Done::Ok);
    }
    c.waiting.push(number);
    Ok(Done::Wait(Token::Channel(number)))
}

fn take_lock(s: &mut State, name: String) -> Result {
    let number = s.fresh_number();
    let c = channel(s, name)?;
    if c.locked {
        c.lockers.push_back(number);
        return Ok(Done::Wait(Token::Channel(number)));
    }
    c.locked = true;
    Ok(Done::Ok)
}

fn unlock(s: &mut State, name: &str) -> Result {
    if !s.channels.get(name).is_some_and(|c| c.locked) {
        return Err(CmdError::state(format!("channel {name} not locked")));
    }
    // The lock goes to the next one that still waits for it.
    while let Some(number) = s.channels.get_mut(name).and_then(|c| c.lockers.pop_front()) {
        if s.queues.wake(Token::Channel(number), Wake::Done) {
            return Ok(Done::Ok);
        }
    }
    if let Some(c) = s.channels.get_mut(name) {
        c.locked = false;
    }
    tidy(s, name);
    Ok(Done::Ok)
}

/// Drops a channel that says nothing.
fn tidy(s: &mut State, name: &str) {
    let empty = |c: &Channel| !c.locked && !c.woken && c.waiting.is_empty() && c.lockers.is_empty();
    if s.channels.get(name).is_some_and(empty) {
        s.channels.remove(name);
    }
}

/// Who waits for a channel, then who waits for its lock, in order.
fn waiters(s: &State, name: &str) -> Vec<(u64, Option<ClientId>)> {
    let Some(c) = s.channels.get(name) else { return Vec::new() };
    let owner = |number: u64| {
        s.queues
            .queues
            .iter()
            .find(|(_, q)| q.parked.as_ref().is_some_and(|p| p.token == Token::Channel(number)))
            .and_then(|(owner, _)| *owner)
    };
    c.waiting.iter().chain(&c.lockers).map(|n| (*n, owner(*n))).collect()
}

fn client_name(s: &State, client: Option<ClientId>) -> String {
    client.and_then(|c| s.model.client(c)).map(|c| c.name.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::base::ClientId;
    use crate::command::cmd::scene::{CLIENT, Scene};
    use crate::command::dispatch;
    use crate::command::queue::Asker;
    use crate::lang::{Grouping, Place};
    use crate::model::Client;

    const OTHER: ClientId = ClientId(2);

    /// Runs a line in the queue of another client; returns whether it waits.
    fn other(scene: &mut Scene, line: &str) -> bool {
        let client = Client { id: OTHER, name: "client-2".into(), ..Client::default() };
        scene.s.model.clients.entry(OTHER).or_insert(client);
        let parsed =
            dispatch::parse_text(&mut scene.s, &mut scene.out, scene.now, line, Place::default(), Grouping::Whole);
        let asker = Asker { client: Some(OTHER), ..Asker::default() };
        scene.s.queues.append(Some(OTHER), &parsed.unwrap_or_default(), asker);
        scene.go_on();
        !scene.s.queues.is_idle(Some(OTHER))
    }

    #[test]
    fn a_channel_wakes_who_waits() {
        let mut scene = Scene::new();
        assert!(other(&mut scene, "wait-for c"));
        assert_eq!(scene.run("wait-for -l c"), "client-2\n");
        assert_eq!(scene.run("wait-for -S c"), "");
        assert!(scene.s.queues.is_idle(Some(OTHER)));
        assert!(scene.s.channels.is_empty());
    }

    #[test]
    fn a_signal_before_waiting_counts_once_and_twice_is_none() {
        let mut scene = Scene::new();
        scene.run("wait-for -S c");
        assert!(!other(&mut scene, "wait-for c"));
        assert!(other(&mut scene, "wait-for c"));
        scene.run("wait-for -w client-2 c; wait-for -S c; wait-for -S c");
        assert!(other(&mut scene, "wait-for c"));
    }

    #[test]
    fn locks_go_in_order_and_past_who_is_gone() {
        let mut scene = Scene::new();
        assert_eq!(scene.run("wait-for -U l"), "! channel l not locked\n");
        assert_eq!(scene.run("wait-for -L l"), "");
        assert!(other(&mut scene, "wait-for -L l"));
        scene.run("wait-for -U l");
        assert!(scene.s.queues.is_idle(Some(OTHER)));
        scene.run("wait-for -L l");
        assert!(scene.waits());
        let waited = scene.s.queues.forget(CLIENT);
        assert!(waited.is_some());
        assert!(!other(&mut scene, "wait-for -U l"));
        assert_eq!(scene.run("wait-for -U l"), "! channel l not locked\n");
        assert_eq!(scene.run("wait-for -E x"), "! command wait-for: -E (waiting for an event) is not built yet\n");
    }
}
