//! Targets: from what a person wrote after `-t` to a session, a window of it and a pane, as tmux reads them.

use super::{Model, Place};
use crate::base::{ClientId, PaneId, Pos, SessionId, WindowId};
use crate::format::fnmatch::fnmatch;
use crate::model::layout::Direction;

/// What a command wants its target to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Session,
    Window,
    Pane,
}

bitflags::bitflags! {
    /// How a target may be read.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct FindFlags: u8 {
        /// Among sessions that fit, one without clients is better.
        const PREFER_UNATTACHED = 1;
        /// An index that no window has is fine (`new-window -t`).
        const WINDOW_INDEX = 2;
        /// No target means the marked pane, where there is one.
        const DEFAULT_MARKED = 4;
        /// A target that is not found gives nothing instead of an error.
        const CAN_FAIL = 8;
    }
}

/// A target found. `index` is the link's; with [`FindFlags::WINDOW_INDEX`] it is the wanted one, or `None` for "any
/// free".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub session: SessionId,
    pub place: u32,
    pub window: WindowId,
    pub pane: PaneId,
    pub index: Option<u32>,
}

impl Found {
    pub fn link(&self) -> Place {
        Place { session: self.session, index: self.place }
    }
}

/// Where a search starts from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// What the command's surroundings say is current (a key's pane, a hook's window).
    pub current: Option<Found>,
    pub client: Option<ClientId>,
    /// What is under the mouse, if a mouse event led here.
    pub mouse: Option<MouseTarget>,
}

/// What is under the mouse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MouseTarget {
    pub session: Option<SessionId>,
    pub index: Option<u32>,
    pub pane: Option<PaneId>,
    /// Where the button went down that is held, on the client's screen.
    pub pressed: Option<crate::base::Pos>,
}

const WINDOW_WORDS: &[(&str, &str)] =
    &[("{start}", "^"), ("{last}", "!"), ("{end}", "$"), ("{next}", "+"), ("{previous}", "-")];
const PANE_WORDS: &[(&str, &str)] = &[
    ("{last}", "!"),
    ("{next}", "+"),
    ("{previous}", "-"),
    ("{top}", "top"),
    ("{bottom}", "bottom"),
    ("{left}", "left"),
    ("{right}", "right"),
    ("{top-left}", "top-left"),
    ("{top-right}", "top-right"),
    ("{bottom-left}", "bottom-left"),
    ("{bottom-right}", "bottom-right"),
];

fn plain<'a>(words: &[(&'static str, &'static str)], text: &'a str) -> &'a str {
    words.iter().find(|(w, _)| *w == text).map_or(text, |(_, p)| p)
}

/// A part of a target: none if empty.
fn part(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

struct Search<'a> {
    model: &'a Model,
    flags: FindFlags,
    current: Found,
    exact_session: bool,
    exact_window: bool,
    pane_base: u32,
    titles: &'a dyn Fn(PaneId) -> String,
}

/// Resolves a target. `pane_base` is the option `pane-base-index` of the current window; `titles` gives pane titles, by
/// which a pane can be named. Errors are tmux's sentences.
pub fn target(
    model: &Model,
    cx: &Context,
    text: Option<&str>,
    kind: Kind,
    flags: FindFlags,
    pane_base: u32,
    titles: &dyn Fn(PaneId) -> String,
) -> Result<Found, String> {
    let current = current(model, cx, flags).ok_or("no current target")?;
    let any_index = |mut f: Found| {
        if flags.contains(FindFlags::WINDOW_INDEX) {
            f.index = None;
        }
        f
    };
    let Some(text) = text.and_then(part) else { return Ok(any_index(current)) };
    match text {
        "@" | "{active}" | "{current}" => {
            let session = cx.client.and_then(|c| model.client(c)).and_then(|c| c.session).ok_or("no current client")?;
            return from_session(model, session).ok_or_else(|| "no current client".into());
        }
        "=" | "{mouse}" => {
            let m = cx.mouse.ok_or("no mouse target")?;
            return from_mouse(model, &m, kind).ok_or_else(|| "no mouse target".into());
        }
        "~" | "{marked}" => return marked(model).ok_or_else(|| "no marked target".into()),
        _ => {}
    }
    let (head, colon) = match text.split_once(':') {
        Some((h, t)) => (h, Some(t)),
        None => (text, None),
    };
    let (first, rest, period) = match colon {
        Some(t) => match t.split_once('.') {
            Some((w, p)) => (head, Some(w), Some(p)),
            None => (head, Some(t), None),
        },
        None => match head.split_once('.') {
            Some((w, p)) => (w, None, Some(p)),
            None => (head, None, None),
        },
    };
    let (mut session, mut window, pane, window_only, pane_only) = match (rest, period) {
        (Some(w), p) => (Some(first), Some(w), p, true, p.is_some()),
        (None, Some(p)) => (None, Some(first), Some(p), false, true),
        (None, None) => match (first.as_bytes().first(), kind) {
            (Some(b'$'), _) => (Some(first), None, None, false, false),
            (Some(b'@'), _) => (None, Some(first), None, false, false),
            (Some(b'%'), _) => (None, None, Some(first), false, false),
            (_, Kind::Session) => (Some(first), None, None, false, false),
            (_, Kind::Window) => (None, Some(first), None, false, false),
            (_, Kind::Pane) => (None, None, Some(first), false, false),
        },
    };
    let mut search = Search { model, flags, current, exact_session: false, exact_window: false, pane_base, titles };
    if let Some(s) = session.and_then(|s| s.strip_prefix('=')) {
        search.exact_session = true;
        session = Some(s);
    }
    if let Some(w) = window.and_then(|w| w.strip_prefix('=')) {
        search.exact_window = true;
        window = Some(w);
    }
    let session = session.and_then(part);
    let window = window.and_then(part).map(|w| plain(WINDOW_WORDS, w));
    let pane = pane.and_then(part).map(|p| plain(PANE_WORDS, p));
    if pane.is_some() && flags.contains(FindFlags::WINDOW_INDEX) {
        return Err("can't specify pane here".into());
    }
    let no_session = |s: &str| format!("can't find session: {s}");
    let no_window = |w: &str| format!("can't find window: {w}");
    let no_pane = |p: &str| format!("can't find pane: {p}");
    match (session, window, pane) {
        (Some(s), w, p) => {
            let id = search.session(s).ok_or_else(|| no_session(s))?;
            match (w, p) {
                (None, None) => from_session(model, id).map(any_index).ok_or_else(|| no_session(s)),
                (Some(w), None) => search.window_in(id, w).ok_or_else(|| no_window(w)),
                (None, Some(p)) => search.pane_in_session(id, p).ok_or_else(|| no_pane(p)),
                (Some(w), Some(p)) => {
                    let f = search.window_in(id, w).ok_or_else(|| no_window(w))?;
                    search.pane_in(f, p).ok_or_else(|| no_pane(p))
                }
            }
        }
        (None, Some(w), Some(p)) => {
            let f = search.window(w, window_only).ok_or_else(|| no_window(w))?;
            search.pane_in(f, p).ok_or_else(|| no_pane(p))
        }
        (None, Some(w), None) => search.window(w, window_only).ok_or_else(|| no_window(w)),
        (None, None, Some(p)) => search.pane(p, pane_only).ok_or_else(|| no_pane(p)),
        (None, None, None) => Ok(any_index(current)),
    }
}

/// A session's current window and pane.
pub fn from_session(model: &Model, session: SessionId) -> Option<Found> {
    from_place(model, Place { session, index: model.session(session)?.current })
}

/// A link and the active pane of its window.
pub fn from_place(model: &Model, place: Place) -> Option<Found> {
    let window = model.linked(place)?;
    let pane = model.window(window)?.active;
    Some(Found { session: place.session, place: place.index, window, pane, index: Some(place.index) })
}

/// A window in the best of its sessions.
pub fn from_window(model: &Model, window: WindowId) -> Option<Found> {
    let sessions = model.places(window).into_iter().map(|p| p.session);
    let session = best_session(model, sessions, FindFlags::empty())?;
    let index = model.session(session)?.index_of(window)?;
    from_place(model, Place { session, index })
}

/// A pane in the best of the sessions of its window.
pub fn from_pane(model: &Model, pane: PaneId) -> Option<Found> {
    let window = model.pane(pane)?.window;
    Some(Found { pane, ..from_window(model, window)? })
}

/// What a client looks at, or is inside of, or else the best session.
pub fn from_client(model: &Model, client: Option<ClientId>, flags: FindFlags) -> Option<Found> {
    let Some(c) = client.and_then(|c| model.client(c)) else { return from_nothing(model, flags) };
    if let Some(s) = c.session {
        return from_session(model, s);
    }
    let inside = model
        .panes
        .values()
        .find(|p| !c.tty.is_empty() && p.tty == c.tty)
        .map(|p| p.id)
        .or_else(|| c.environ.get("TMUX_PANE").and_then(PaneId::parse).filter(|p| model.panes.contains_key(p)));
    let Some(pane) = inside else { return from_nothing(model, flags) };
    let window = model.pane(pane)?.window;
    let sessions = model.places(window).into_iter().map(|p| p.session);
    let session = best_session(model, sessions, flags)?;
    // As tmux: the pane the client is in tells the session, and what is current there counts.
    from_session(model, session)
}

fn from_nothing(model: &Model, flags: FindFlags) -> Option<Found> {
    let session = best_session(model, model.sessions.keys().copied(), flags)?;
    from_session(model, session)
}

fn from_mouse(model: &Model, m: &MouseTarget, kind: Kind) -> Option<Found> {
    if kind == Kind::Pane
        && let Some(pane) = m.pane.filter(|p| model.panes.contains_key(p))
    {
        let window = model.pane(pane)?.window;
        let session = m.session?;
        let index = model.session(session)?.index_of(window)?;
        return Some(Found { session, place: index, window, pane, index: Some(index) });
    }
    let session = m.session?;
    let index = m.index.unwrap_or(model.session(session)?.current);
    from_place(model, Place { session, index })
}

fn marked(model: &Model) -> Option<Found> {
    let m = model.marked?;
    (model.linked(Place { session: m.session, index: m.index }) == Some(m.window)
        && model.window(m.window)?.panes.contains(&m.pane))
    .then_some(Found { session: m.session, place: m.index, window: m.window, pane: m.pane, index: Some(m.index) })
}

/// What is current without a target.
pub fn current(model: &Model, cx: &Context, flags: FindFlags) -> Option<Found> {
    if flags.contains(FindFlags::DEFAULT_MARKED)
        && let Some(m) = marked(model)
    {
        return Some(m);
    }
    cx.current.filter(|f| valid(model, f)).or_else(|| from_client(model, cx.client, flags))
}

/// Whether what was found still stands.
pub fn valid(model: &Model, f: &Found) -> bool {
    model.linked(f.link()) == Some(f.window) && model.window(f.window).is_some_and(|w| w.panes.contains(&f.pane))
}

/// The most recently active of some sessions.
pub fn best_session(model: &Model, sessions: impl Iterator<Item = SessionId>, flags: FindFlags) -> Option<SessionId> {
    let mut best: Option<&super::Session> = None;
    for s in sessions.filter_map(|s| model.session(s)) {
        let better = match best {
            None => true,
            Some(b) => {
                let (sa, ba) = (model.attached(s.id) != 0, model.attached(b.id) != 0);
                if flags.contains(FindFlags::PREFER_UNATTACHED) && sa != ba {
                    ba
                } else {
                    (s.activity, s.seen) > (b.activity, b.seen)
                }
            }
        };
        if better {
            best = Some(s);
        }
    }
    best.map(|s| s.id)
}

/// The client used last, of a session if it has any, else of all.
pub fn best_client(model: &Model, session: Option<SessionId>) -> Option<ClientId> {
    let session = session.filter(|s| model.attached(*s) != 0);
    model
        .clients
        .values()
        .filter(|c| c.session.is_some() && (session.is_none() || c.session == session))
        .max_by_key(|c| c.seen)
        .map(|c| c.id)
}

/// A client by its name, the path of its terminal, or that without `/dev/`; a colon at the end is ignored.
pub fn client_named(model: &Model, text: &str) -> Option<ClientId> {
    let text = text.strip_suffix(':').unwrap_or(text);
    model
        .clients
        .values()
        .find(|c| {
            c.session.is_some()
                && (c.name == text
                    || (!c.tty.is_empty() && (c.tty == text || c.tty.strip_prefix("/dev/") == Some(text))))
        })
        .map(|c| c.id)
}

/// The only one that satisfies `fits`: an error (outer `None`) if there are several.
fn only<T>(items: impl Iterator<Item = T>) -> Option<Option<T>> {
    let mut items = items;
    let first = items.next();
    if items.next().is_some() { None } else { Some(first) }
}

impl Search<'_> {
    fn session(&self, text: &str) -> Option<SessionId> {
        if text.starts_with('$') {
            return SessionId::parse(text).filter(|s| self.model.sessions.contains_key(s));
        }
        let sessions = || self.model.sessions.values();
        if let Some(s) = self.model.session_named(text) {
            return Some(s.id);
        }
        if let Some(s) = client_named(self.model, text).and_then(|c| self.model.client(c)).and_then(|c| c.session) {
            return Some(s);
        }
        if self.exact_session {
            return None;
        }
        if let Some(s) = only(sessions().filter(|s| s.name.starts_with(text)))? {
            return Some(s.id);
        }
        only(sessions().filter(|s| fnmatch(text, &s.name, false)))?.map(|s| s.id)
    }

    fn window(&self, text: &str, only_window: bool) -> Option<Found> {
        if text.starts_with('@') {
            let id = WindowId::parse(text).filter(|w| self.model.windows.contains_key(w))?;
            let sessions = self.model.places(id).into_iter().map(|p| p.session);
            let session = best_session(self.model, sessions, self.flags)?;
            return self.best_place(session, id);
        }
        if let Some(f) = self.window_in(self.current.session, text) {
            return Some(f);
        }
        if only_window {
            return None;
        }
        let mut f = from_session(self.model, self.session(text)?)?;
        if self.flags.contains(FindFlags::WINDOW_INDEX) {
            f.index = None;
        }
        Some(f)
    }

    fn best_place(&self, session: SessionId, window: WindowId) -> Option<Found> {
        let index = self.model.session(session)?.index_of(window)?;
        from_place(self.model, Place { session, index })
    }

    fn window_in(&self, session: SessionId, text: &str) -> Option<Found> {
        let m = self.model;
        let s = m.session(session)?;
        let at = |index: u32| from_place(m, Place { session, index });
        if text.starts_with('@') {
            return self.best_place(session, WindowId::parse(text)?);
        }
        let only_index = |index: u32| at(s.current).map(|f| Found { index: Some(index), ..f });
        if !self.exact_window {
            if let Some(sign) = text.chars().next().filter(|c| matches!(c, '+' | '-')) {
                let n = if text.len() == 1 { 1 } else { text[1..].parse::<u32>().unwrap_or(0) };
                if self.flags.contains(FindFlags::WINDOW_INDEX) {
                    let index = if sign == '+' {
                        s.current.checked_add(n).filter(|i| *i <= i32::MAX as u32)
                    } else {
                        s.current.checked_sub(n)
                    };
                    return only_index(index?);
                }
                let mut index = s.current;
                for _ in 0..(n as usize % s.links.len().max(1)) {
                    index = if sign == '+' { s.next_index(index)? } else { s.previous_index(index)? };
                }
                return at(index);
            }
            match text {
                "!" => return at(s.last()?),
                "^" => return at(*s.links.keys().next()?),
                "$" => return at(*s.links.keys().next_back()?),
                _ => {}
            }
        }
        if !text.starts_with(['+', '-'])
            && let Ok(index) = text.parse::<u32>()
            && index <= i32::MAX as u32
        {
            if s.links.contains_key(&index) {
                return at(index);
            }
            if self.flags.contains(FindFlags::WINDOW_INDEX) {
                return only_index(index);
            }
        }
        let by = |fits: &dyn Fn(&str) -> bool| {
            only(s.links.iter().filter(|(_, l)| m.window(l.window).is_some_and(|w| fits(&w.name))).map(|(i, _)| *i))
        };
        if let Some(i) = by(&|n| n == text)? {
            return at(i);
        }
        if self.exact_window {
            return None;
        }
        if let Some(i) = by(&|n| n.starts_with(text))? {
            return at(i);
        }
        at(by(&|n| fnmatch(text, n, false))??)
    }

    fn pane(&self, text: &str, only_pane: bool) -> Option<Found> {
        if text.starts_with('%') {
            let id = PaneId::parse(text)?;
            let window = self.model.pane(id)?.window;
            let sessions = self.model.places(window).into_iter().map(|p| p.session);
            let session = best_session(self.model, sessions, self.flags)?;
            return Some(Found { pane: id, ..self.best_place(session, window)? });
        }
        if let Some(f) = self.pane_in(self.current, text) {
            return Some(f);
        }
        if only_pane {
            return None;
        }
        self.window(text, false)
    }

    fn pane_in_session(&self, session: SessionId, text: &str) -> Option<Found> {
        if text.starts_with('%') {
            let id = PaneId::parse(text)?;
            return Some(Found { pane: id, ..self.best_place(session, self.model.pane(id)?.window)? });
        }
        self.pane_in(from_session(self.model, session)?, text)
    }

    fn pane_in(&self, f: Found, text: &str) -> Option<Found> {
        let w = self.model.window(f.window)?;
        let with = |pane| Some(Found { pane, ..f });
        if text.starts_with('%') {
            return PaneId::parse(text).filter(|p| w.panes.contains(p)).and_then(with);
        }
        let side = match text {
            "!" => return with(w.last_pane()?),
            "{up-of}" => Some(Direction::Up),
            "{down-of}" => Some(Direction::Down),
            "{left-of}" => Some(Direction::Left),
            "{right-of}" => Some(Direction::Right),
            _ => None,
        };
        if let Some(d) = side {
            return with(self.model.neighbour(w.active, d)?);
        }
        if let Some(sign) = text.chars().next().filter(|c| matches!(c, '+' | '-')) {
            let n = if text.len() == 1 { 1 } else { text[1..].parse::<usize>().unwrap_or(0) };
            let len = w.panes.len();
            let at = w.position(w.active)?;
            let n = n % len;
            let to = if sign == '+' { (at + n) % len } else { (at + len - n) % len };
            return with(w.panes[to]);
        }
        if let Ok(n) = text.parse::<u32>()
            && let Some(p) = n.checked_sub(self.pane_base).and_then(|n| w.panes.get(n as usize))
        {
            return with(*p);
        }
        with(self.described(w, text)?)
    }

    /// A pane by its corner or edge of the window, or by its title.
    fn described(&self, w: &super::Window, text: &str) -> Option<PaneId> {
        let (mx, my) = (w.size.cols / 2, w.size.rows / 2);
        let (right, bottom) = (w.size.cols.saturating_sub(1), w.size.rows.saturating_sub(1));
        let (x, y) = match text.to_ascii_lowercase().as_str() {
            "top" => (mx, 0),
            "bottom" => (mx, bottom),
            "left" => (0, my),
            "right" => (right, my),
            "top-left" => (0, 0),
            "top-right" => (right, 0),
            "bottom-left" => (0, bottom),
            "bottom-right" => (right, bottom),
            _ => return w.panes.iter().copied().find(|p| (self.titles)(*p) == text),
        };
        w.layout.pane_near(Pos::new(x, y))
    }
}
