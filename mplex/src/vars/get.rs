//! How a template's questions are answered: variables from the rows, options, loops, jobs.

use super::{Scope, Seen, rows};
use crate::base::PaneId;
use crate::format::{
    Child, ClientAsk, EnvironRow, EnvironTable, LoopKind, NameKind, OptionRow, OptionScope, OptionTable, Order, Sort,
    Value, Vars,
};
use crate::grid::{Direction, Lines as _, Matcher, Point};
use crate::layer::Host;
use crate::model::find::{self, Found};
use crate::model::{Client, Pane, Place, Session, Window};
use crate::options::{Hooks, Listing, Scope as OptScope};

/// A scope of its own within a loop.
struct Inner<'a, 'w> {
    world: &'a super::World<'w>,
    scope: Scope,
}

impl<'w> Inner<'_, 'w> {
    fn seen(&self) -> Seen<'_, 'w> {
        Seen { world: self.world, scope: &self.scope }
    }
}

impl Vars for Inner<'_, '_> {
    fn get(&self, name: &str) -> Option<Value> {
        self.seen().get(name)
    }
    fn option(&self, name: &str) -> Option<String> {
        self.seen().option(name)
    }
    fn own_option(&self, name: &str) -> Option<String> {
        self.seen().own_option(name)
    }
    fn environ(&self, name: &str) -> Option<String> {
        self.seen().environ(name)
    }
    fn children(&self, kind: LoopKind, sort: Sort) -> Option<Vec<Child<'_>>> {
        children(self.world, &self.scope, kind, sort)
    }
    fn option_rows(&self, table: OptionTable) -> Vec<OptionRow> {
        self.seen().option_rows(table)
    }
    fn environ_rows(&self, table: EnvironTable) -> Vec<EnvironRow> {
        self.seen().environ_rows(table)
    }
    fn job(&self, raw: &str, command: &str) -> String {
        self.seen().job(raw, command)
    }
    fn search(&self, pattern: &str, regex: bool, icase: bool) -> Option<usize> {
        self.seen().search(pattern, regex, icase)
    }
    fn name_exists(&self, kind: NameKind, name: &str) -> Option<bool> {
        self.seen().name_exists(kind, name)
    }
    fn client(&self, ask: ClientAsk, name: &str) -> Option<String> {
        Vars::client(&self.seen(), ask, name)
    }
}

impl<'a> Seen<'a, '_> {
    pub(super) fn session(&self) -> Option<&'a Session> {
        self.world.model.session(self.scope.session?)
    }

    pub(super) fn window(&self) -> Option<&'a Window> {
        self.world.model.window(self.scope.window?)
    }

    pub(super) fn pane(&self) -> Option<&'a Pane> {
        self.world.model.pane(self.scope.pane?)
    }

    pub(super) fn client_of(&self) -> Option<&'a Client> {
        self.world.model.client(self.scope.client?)
    }

    pub(super) fn place(&self) -> Option<Place> {
        Some(Place { session: self.scope.session?, index: self.scope.index? })
    }

    /// Asks the pane's terminal.
    pub(super) fn term<R>(&self, f: impl FnOnce(&mut crate::term::Terminal) -> R) -> Option<R> {
        self.world.terminal(self.scope.pane?, f)
    }
}

impl Vars for Seen<'_, '_> {
    fn get(&self, name: &str) -> Option<Value> {
        if let Some((_, v)) = self.scope.extra.iter().rev().find(|(n, _)| n == name) {
            return Some(Value::Text(v.clone()));
        }
        if let Some(get) = rows::find(name) {
            return get(self);
        }
        // What only the layer on the pane (or on the client) knows.
        let of = |host| self.world.layers.top(host).and_then(|l| l.var(name));
        self.scope
            .pane
            .and_then(|p| of(Host::Pane(p)))
            .or_else(|| self.scope.client.and_then(|c| of(Host::Client(c))))
            .map(Value::Text)
    }

    fn option(&self, name: &str) -> Option<String> {
        self.world.options.for_format(name, self.scope.session, self.scope.window, self.scope.pane)
    }

    fn own_option(&self, name: &str) -> Option<String> {
        let w = self.scope.window?;
        self.world.options.user(name, OptScope::Window(w)).map(str::to_owned)
    }

    fn environ(&self, name: &str) -> Option<String> {
        if let Some(v) = self.session().and_then(|s| s.environ.find(name)) {
            return v.value.clone();
        }
        self.world.model.environ.get(name).map(str::to_owned)
    }

    fn children(&self, kind: LoopKind, sort: Sort) -> Option<Vec<Child<'_>>> {
        children(self.world, self.scope, kind, sort)
    }

    fn option_rows(&self, table: OptionTable) -> Vec<OptionRow> {
        let s = self.scope;
        let scope = match (table.scope, table.global) {
            (OptionScope::Server, _) => Some(OptScope::Server),
            (OptionScope::Session, true) => Some(OptScope::GlobalSession),
            (OptionScope::Session, false) => s.session.map(OptScope::Session),
            (OptionScope::Window, true) => Some(OptScope::GlobalWindow),
            (OptionScope::Window, false) => s.window.map(OptScope::Window),
            (OptionScope::Pane, _) => s.pane.map(OptScope::Pane),
        };
        let Some(scope) = scope else { return Vec::new() };
        let shown = self.world.options.list(scope, Listing { inherited: false, hooks: Hooks::Shown });
        let mut rows: Vec<OptionRow> = shown
            .iter()
            .map(|o| OptionRow {
                name: o.name.clone(),
                value: o.value.clone(),
                is_array: o.is_array,
                key: o.key.as_ref().map(ToString::to_string),
                first: true,
                last: true,
                count: usize::from(o.key.is_some()),
                is_hook: o.is_hook,
                is_user: o.is_user,
            })
            .collect();
        let mut i = 0;
        while i < rows.len() {
            let n = rows[i..].iter().take_while(|r| r.name == rows[i].name).count();
            for (k, r) in rows[i..i + n].iter_mut().enumerate() {
                r.first = k == 0;
                r.last = k + 1 == n;
                if r.key.is_some() {
                    r.count = n;
                }
            }
            i += n;
        }
        rows
    }

    fn environ_rows(&self, table: EnvironTable) -> Vec<EnvironRow> {
        let environ = match table {
            EnvironTable::Session => self.session().map(|s| &s.environ),
            EnvironTable::Global => Some(&self.world.model.environ),
            EnvironTable::Client => self.client_of().map(|c| &c.environ),
        };
        environ
            .into_iter()
            .flat_map(|e| e.iter())
            .map(|(n, v)| EnvironRow { name: n.to_owned(), value: v.value.clone(), hidden: v.hidden })
            .collect()
    }

    fn job(&self, raw: &str, command: &str) -> String {
        let _ = raw;
        let Ok(mut jobs) = self.world.jobs.try_borrow_mut() else { return String::new() };
        if jobs.jobs.len() >= super::MAX_CACHED && !jobs.jobs.contains_key(command) {
            jobs.jobs.retain(|_, j| j.running.is_some());
        }
        let job = jobs.jobs.entry(command.to_owned()).or_default();
        job.wanted = true;
        if let Some(s) = self.session() {
            job.cwd.clone_from(&s.cwd);
        }
        job.text.clone()
    }

    fn search(&self, pattern: &str, regex: bool, icase: bool) -> Option<usize> {
        let matcher = if regex {
            Matcher::regex(pattern, icase).ok()
        } else {
            // A pattern of the shell, anywhere in the line.
            Matcher::regex(&glob_to_regex(pattern), icase).ok()
        };
        let Some(matcher) = matcher else { return Some(0) };
        self.term(|t| {
            let view = t.view();
            let from = view.history();
            let found = view.search(&matcher, Point { row: from, col: 0 }, Direction::Forward);
            found.map_or(0, |m| m.start.row.saturating_sub(from) + 1)
        })
    }

    fn name_exists(&self, kind: NameKind, name: &str) -> Option<bool> {
        match kind {
            NameKind::Session => Some(self.world.model.session_named(name).is_some()),
            NameKind::Window => {
                let s = self.session()?;
                Some(s.links.values().any(|l| self.world.model.window(l.window).is_some_and(|w| w.name == name)))
            }
        }
    }

    fn client(&self, ask: ClientAsk, name: &str) -> Option<String> {
        let c = self.client_of().filter(|c| c.session.is_some())?;
        match ask {
            ClientAsk::Environ => Some(c.environ.get(name).unwrap_or("").to_owned()),
            ClientAsk::Feature => Some(if c.feature_names.split(',').any(|f| f == name) { "1" } else { "0" }.into()),
            ClientAsk::Capability => Some("0".into()),
        }
    }
}

fn children<'a>(world: &'a super::World<'_>, scope: &Scope, kind: LoopKind, sort: Sort) -> Option<Vec<Child<'a>>> {
    let m = world.model;
    let client = scope.client;
    let child = |found: Option<Found>, active: bool| Child {
        vars: Box::new(Inner { world, scope: Scope { extra: scope.extra.clone(), ..Scope::of(client, found) } }),
        active,
    };
    let mut out = Vec::new();
    match kind {
        LoopKind::Sessions => {
            let mut list: Vec<&Session> = m.sessions.values().collect();
            match sort.by {
                Order::Name => list.sort_by(|a, b| a.name.cmp(&b.name)),
                Order::Activity => list.sort_by_key(|s| std::cmp::Reverse((s.activity, s.seen))),
                _ => list.sort_by_key(|s| s.id),
            }
            let mine = client.and_then(|c| m.client(c)).and_then(|c| c.session).or(scope.session);
            out.extend(list.iter().map(|s| child(find::from_session(m, s.id), mine == Some(s.id))));
        }
        LoopKind::Windows => {
            let s = m.session(scope.session?)?;
            let mut list: Vec<u32> = s.links.keys().copied().collect();
            let window = |i: &u32| s.links.get(i).and_then(|l| m.window(l.window));
            match sort.by {
                Order::Name => list.sort_by_key(|i| window(i).map(|w| w.name.clone())),
                Order::Activity => list.sort_by_key(|i| std::cmp::Reverse(window(i).map(|w| w.activity))),
                _ => {}
            }
            for i in list {
                out.push(child(find::from_place(m, Place { session: s.id, index: i }), i == s.current));
            }
        }
        LoopKind::Panes => {
            let w = m.window(scope.window?)?;
            let mut list: Vec<PaneId> = w.panes.clone();
            if sort.by == Order::Creation {
                list.sort();
            }
            for p in list {
                let found = scope.session.zip(scope.index).map(|(session, place)| Found {
                    session,
                    place,
                    window: w.id,
                    pane: p,
                    index: Some(place),
                });
                out.push(child(found.or_else(|| find::from_pane(m, p)), p == w.active));
            }
        }
        LoopKind::Clients => {
            let mut list: Vec<&Client> = m.clients.values().filter(|c| c.session.is_some()).collect();
            match sort.by {
                Order::Name => list.sort_by(|a, b| a.name.cmp(&b.name)),
                Order::Activity => list.sort_by_key(|c| std::cmp::Reverse(c.seen)),
                _ => {}
            }
            for c in list {
                let found = c.session.and_then(|s| find::from_session(m, s));
                let inner = Scope { extra: scope.extra.clone(), ..Scope::of(Some(c.id), found) };
                out.push(Child { vars: Box::new(Inner { world, scope: inner }), active: client == Some(c.id) });
            }
        }
    }
    if sort.reversed {
        out.reverse();
    }
    Some(out)
}

/// A shell pattern as a regular expression that matches anywhere in a line.
fn glob_to_regex(pattern: &str) -> String {
    let mut out = String::new();
    for c in pattern.chars() {
        match c {
            '*' => out.push_str(".*"),
            '?' => out.push('.'),
            _ => out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
    }
    out
}
