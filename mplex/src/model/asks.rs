//! Asks: questions of programs to the person, as data. A dialog on a client is only the picture of one.
//!
//! An ask is open until it is answered, cancelled or timed out; then its record is kept until it was handed out once or
//! the keep time has passed. Nothing here draws or knows a socket.

use std::collections::BTreeMap;

use crate::base::{ClientId, ConnId, FlowId, PaneId, SessionId, Span, Time};

/// How many asks may be open at once in a server, unless `MPLEX_FLOW_MAX` says otherwise.
pub const FLOW_MAX: usize = 16;
/// How long a finished record is kept for its driver, and an open ask for a driver that went away, unless
/// `MPLEX_FLOW_KEEP` says otherwise (in seconds).
pub const FLOW_KEEP: Span = Span::from_secs(300);
/// Keys pressed within this time after a dialog was drawn do not answer it.
pub const ARM_DELAY: Span = Span::from_millis(150);

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskKind {
    /// One of 1 to 12 options; the answer is an index.
    Choice { options: Vec<String>, default: Option<usize> },
    /// A line of text.
    Text { label: String, initial: String },
    /// Read and acknowledged.
    Message,
}

impl AskKind {
    /// As the protocol names it.
    pub fn name(&self) -> &'static str {
        match self {
            AskKind::Choice { .. } => "choice",
            AskKind::Text { .. } => "text",
            AskKind::Message => "message",
        }
    }
}

/// The person's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Index(usize),
    Text(String),
    Seen,
}

/// How an ask ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Ok(Answer),
    Cancelled,
    Timeout,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskState {
    Open,
    Done { ending: Ending, at: Time },
}

#[derive(Clone, Debug)]
pub struct Ask {
    pub id: FlowId,
    /// Who asks, as they say it.
    pub claim: Option<String>,
    /// Who asks, as the server knows it (program and process).
    pub known: String,
    pub conn: Option<ConnId>,
    pub session: SessionId,
    pub pane: Option<PaneId>,
    pub kind: AskKind,
    pub title: String,
    pub text: String,
    pub deadline: Option<Time>,
    pub state: AskState,
    /// The client that shows it now.
    pub client: Option<ClientId>,
    /// When the driver was last heard of; counts once its connection is gone.
    pub driver_seen: Time,
    pub driver_gone: bool,
}

impl Ask {
    pub fn is_open(&self) -> bool {
        self.state == AskState::Open
    }

    /// When time does something to it: it ends, or its record is forgotten.
    fn due(&self, keep: Span) -> Option<Time> {
        let gone = self.driver_gone.then_some(self.driver_seen + keep);
        match self.state {
            AskState::Open => [self.deadline, gone].into_iter().flatten().min(),
            AskState::Done { at, .. } => Some(gone.unwrap_or(at).max(at + keep)),
        }
    }
}

/// All asks of a server.
#[derive(Debug)]
pub struct Asks {
    asks: BTreeMap<FlowId, Ask>,
    /// How many may be open at once.
    pub max: usize,
    /// How long records outlive their driver.
    pub keep: Span,
}

impl Default for Asks {
    fn default() -> Asks {
        Asks { asks: BTreeMap::new(), max: FLOW_MAX, keep: FLOW_KEEP }
    }
}

impl Asks {
    /// Limits by their names in the server's environment; what is no number from 1 on is not taken.
    pub fn limit(&mut self, name: &str, value: &str) {
        match (name, value.parse::<u32>()) {
            ("MPLEX_FLOW_MAX", Ok(n @ 1..)) => self.max = n as usize,
            ("MPLEX_FLOW_KEEP", Ok(n @ 1..)) => self.keep = Span::from_secs(n.into()),
            _ => {}
        }
    }

    pub fn get(&self, id: FlowId) -> Option<&Ask> {
        self.asks.get(&id)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Ask> {
        self.asks.values()
    }

    pub fn open_count(&self) -> usize {
        self.asks.values().filter(|a| a.is_open()).count()
    }

    /// The open ask that a client shows.
    pub fn shown_on(&self, client: ClientId) -> Option<&Ask> {
        self.asks.values().find(|a| a.is_open() && a.client == Some(client))
    }

    pub fn insert(&mut self, ask: Ask) {
        self.asks.insert(ask.id, ask);
    }

    /// Ends an open ask; false if it is not open (somebody was first).
    pub fn finish(&mut self, id: FlowId, ending: Ending, now: Time) -> bool {
        match self.asks.get_mut(&id) {
            Some(a) if a.is_open() => {
                a.state = AskState::Done { ending, at: now };
                a.client = None;
                true
            }
            _ => false,
        }
    }

    /// Hands out how an ask ended and forgets it: an answer is collected once.
    pub fn collect(&mut self, id: FlowId) -> Option<Ending> {
        if self.asks.get(&id)?.is_open() {
            return None;
        }
        match self.asks.remove(&id)?.state {
            AskState::Done { ending, .. } => Some(ending),
            AskState::Open => None,
        }
    }

    /// The driver asked for it, so it lives. A connection that is still there stays the driver's.
    pub fn heard_of(&mut self, id: FlowId, conn: ConnId, now: Time) {
        if let Some(a) = self.asks.get_mut(&id) {
            a.conn.get_or_insert(conn);
            a.driver_seen = now;
            a.driver_gone = false;
        }
    }

    /// A connection is gone: its asks stay for the keep time.
    pub fn connection_gone(&mut self, conn: ConnId, now: Time) {
        for a in self.asks.values_mut() {
            if a.conn == Some(conn) {
                a.conn = None;
                a.driver_gone = true;
                a.driver_seen = now;
            }
        }
    }

    /// The client that showed them is gone or looks elsewhere. Returns the asks that need another one.
    pub fn client_gone(&mut self, client: ClientId) -> Vec<FlowId> {
        let mut orphans = Vec::new();
        for a in self.asks.values_mut() {
            if a.client == Some(client) {
                a.client = None;
                if a.is_open() {
                    orphans.push(a.id);
                }
            }
        }
        orphans
    }

    pub fn set_client(&mut self, id: FlowId, client: Option<ClientId>) {
        if let Some(a) = self.asks.get_mut(&id) {
            a.client = client;
        }
    }

    /// Open asks of a session that no client shows, oldest first.
    pub fn waiting_in(&self, session: SessionId) -> Vec<FlowId> {
        self.asks.values().filter(|a| a.is_open() && a.session == session && a.client.is_none()).map(|a| a.id).collect()
    }

    /// What time does to asks: open ones past their deadline end with a timeout (returned), and records that nobody
    /// collects are forgotten.
    pub fn expire(&mut self, now: Time) -> Vec<FlowId> {
        let mut ended = Vec::new();
        let keep = self.keep;
        for a in self.asks.values_mut() {
            if !a.is_open() {
                continue;
            }
            if a.deadline.is_some_and(|d| d <= now) {
                a.state = AskState::Done { ending: Ending::Timeout, at: now };
                a.client = None;
                ended.push(a.id);
            } else if a.driver_gone && now >= a.driver_seen + keep {
                a.state = AskState::Done { ending: Ending::Cancelled, at: now };
                a.client = None;
                ended.push(a.id);
            }
        }
        self.asks.retain(|_, a| !matches!(a.state, AskState::Done { .. }) || a.due(keep).is_none_or(|d| now < d));
        ended
    }

    /// When [`Asks::expire`] has something to do next.
    pub fn deadline(&self) -> Option<Time> {
        self.asks.values().filter_map(|a| a.due(self.keep)).min()
    }
}
