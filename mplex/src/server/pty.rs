//! The `pty` thread: it reads every pane's pty, parses into that pane's terminal, and tells `main` what came of it.
//!
//! The lock rule: a terminal's lock is never held across a system call, and no two locks are held at once.
//! Limits: one turn reads [`READ`] bytes of a pane; a pane is not read while `main` has not taken [`RAW`] tapped bytes,
//! [`REPLIES`] bytes of replies or [`NOTICES`] notices of it. The kernel then slows the program down.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Token, Waker};
use rustc_hash::FxHashMap;
use rustix::io::Errno;

use crate::base::PaneId;
use crate::term::{Notice, Output, Terminal};

/// Most bytes read and parsed of one pane in one turn.
pub(super) const READ: usize = 64 << 10;
const RAW: usize = 256 << 10;
const REPLIES: usize = 64 << 10;
const NOTICES: usize = 1024;
/// How long nothing happens before the histories are compressed.
const QUIET: Duration = Duration::from_secs(1);

/// A lock that a panic of its holder does not spoil: what it guards is whole at every step.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A pane's terminal; `None` once `core` took it back.
pub(super) type Slot = Arc<Mutex<Option<Terminal>>>;

/// What happened to a pane since `main` looked last.
#[derive(Debug, Default)]
pub(super) struct News {
    pub(super) bytes: usize,
    pub(super) drained: bool,
    pub(super) replies: Vec<u8>,
    pub(super) notices: Vec<Notice>,
    pub(super) raw: Vec<u8>,
    pub(super) eof: bool,
    /// Lines for the log.
    pub(super) said: Vec<String>,
    listed: bool,
}

/// What both threads know of one pty. A pane that gets another program gets another feed.
pub(super) struct Feed {
    pub(super) pane: PaneId,
    slot: Slot,
    news: Mutex<News>,
    tap: AtomicBool,
    /// Reading stopped because the news are full.
    stalled: AtomicBool,
}

impl Feed {
    pub(super) fn new(pane: PaneId, slot: Slot, tap: bool) -> Arc<Feed> {
        Arc::new(Feed {
            pane,
            slot,
            news: Mutex::default(),
            tap: AtomicBool::new(tap),
            stalled: AtomicBool::new(false),
        })
    }

    pub(super) fn tap(&self, on: bool) {
        self.tap.store(on, Ordering::Relaxed);
    }
}

struct Hub {
    moved: Mutex<Vec<Arc<Feed>>>,
    pending: AtomicBool,
    /// The pane the person typed into last: it is read first.
    first: AtomicU32,
    main: Waker,
}

enum Order {
    Open {
        feed: Arc<Feed>,
        fd: OwnedFd,
    },
    Close(PaneId),
    Pause(PaneId, bool),
    Kick(PaneId),
    /// Read the pane now; the sender is dropped when that is done.
    CatchUp(PaneId, Sender<()>),
    End,
}

/// How long `main` waits for one pane to be read. The thread may be busy with others that flood.
const CATCH_UP: Duration = Duration::from_millis(20);

/// Asks the thread to read a pane while `main` waits.
pub(super) struct Catcher {
    orders: Sender<Order>,
    wake: Arc<Waker>,
}

impl Catcher {
    pub(super) fn catch_up(&self, pane: PaneId) {
        let (done, wait) = channel();
        if self.orders.send(Order::CatchUp(pane, done)).is_ok() && self.wake.wake().is_ok() {
            let _ = wait.recv_timeout(CATCH_UP);
        }
    }
}

/// `main`'s end of the thread. Dropping it ends the thread.
pub(super) struct PtyThread {
    orders: Sender<Order>,
    wake: Arc<Waker>,
    hub: Arc<Hub>,
    thread: Option<JoinHandle<()>>,
}

const WAKE: Token = Token(usize::MAX);

impl PtyThread {
    /// `main` is woken when there is something to [`take`](PtyThread::take).
    pub(super) fn start(main: Waker) -> io::Result<PtyThread> {
        let poll = Poll::new()?;
        let wake = Arc::new(Waker::new(poll.registry(), WAKE)?);
        let hub = Arc::new(Hub {
            moved: Mutex::default(),
            pending: AtomicBool::new(false),
            first: AtomicU32::new(u32::MAX),
            main,
        });
        let (orders, inbox) = channel();
        let thread = std::thread::Builder::new().name("pty".into()).spawn({
            let hub = Arc::clone(&hub);
            let reader = Reader {
                poll,
                hub,
                inbox,
                panes: FxHashMap::default(),
                ready: VecDeque::new(),
                cold: VecDeque::new(),
                tidy_at: None,
                buf: vec![0; READ],
            };
            move || reader.run()
        })?;
        Ok(PtyThread { orders, wake, hub, thread: Some(thread) })
    }

    fn order(&self, order: Order) {
        if self.orders.send(order).is_ok() {
            let _ = self.wake.wake();
        }
    }

    pub(super) fn catcher(&self) -> Catcher {
        Catcher { orders: self.orders.clone(), wake: Arc::clone(&self.wake) }
    }

    /// Reads `fd` (the master, non-blocking) from now on.
    pub(super) fn open(&self, feed: Arc<Feed>, fd: OwnedFd) {
        self.order(Order::Open { feed, fd });
    }

    pub(super) fn close(&self, pane: PaneId) {
        self.order(Order::Close(pane));
    }

    pub(super) fn pause(&self, pane: PaneId, paused: bool) {
        self.order(Order::Pause(pane, paused));
    }

    pub(super) fn first(&self, pane: PaneId) {
        self.hub.first.store(pane.0, Ordering::Relaxed);
    }

    /// All news since the last call.
    pub(super) fn take(&self) -> Vec<(Arc<Feed>, News)> {
        // Before the list is taken: what is put on it later wakes us again.
        self.hub.pending.store(false, Ordering::SeqCst);
        let moved = std::mem::take(&mut *lock(&self.hub.moved));
        let mut all = Vec::with_capacity(moved.len());
        for feed in moved {
            let news = std::mem::take(&mut *lock(&feed.news));
            if feed.stalled.swap(false, Ordering::SeqCst) {
                self.order(Order::Kick(feed.pane));
            }
            all.push((feed, news));
        }
        all
    }
}

impl Drop for PtyThread {
    fn drop(&mut self) {
        self.order(Order::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Pane {
    feed: Arc<Feed>,
    fd: OwnedFd,
    ready: bool,
    paused: bool,
    /// On the list of panes whose history may have something to compress.
    cold: bool,
}

struct Reader {
    poll: Poll,
    hub: Arc<Hub>,
    inbox: Receiver<Order>,
    panes: FxHashMap<PaneId, Pane>,
    /// Panes that have or may have something to read; edge-triggered polling says it once only.
    ready: VecDeque<PaneId>,
    /// Panes that were written to since their history was compressed last.
    cold: VecDeque<PaneId>,
    /// When to start with that, if nothing happens before.
    tidy_at: Option<Instant>,
    buf: Vec<u8>,
}

impl Reader {
    fn run(mut self) {
        let mut events = Events::with_capacity(256);
        loop {
            let timeout = if self.ready.is_empty() {
                self.tidy_at.map(|t| t.saturating_duration_since(Instant::now()))
            } else {
                Some(Duration::ZERO)
            };
            match self.poll.poll(&mut events, timeout) {
                Ok(()) => {}
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                // Without polling there is nothing to do here; the panes then read as ended.
                Err(_) => return,
            }
            for event in &events {
                if event.token() != WAKE {
                    self.make_ready(PaneId(event.token().0 as u32));
                }
            }
            // Dropped after the turn.
            let mut waiting = Vec::new();
            while let Ok(order) = self.inbox.try_recv() {
                match order {
                    Order::Open { feed, fd } => self.open(feed, fd),
                    Order::Close(pane) => self.close(pane),
                    Order::Pause(pane, paused) => {
                        if let Some(p) = self.panes.get_mut(&pane) {
                            p.paused = paused;
                        }
                        self.make_ready(pane);
                    }
                    Order::Kick(pane) => self.make_ready(pane),
                    Order::CatchUp(pane, done) => {
                        self.make_ready(pane);
                        waiting.push(done);
                    }
                    Order::End => return,
                }
            }
            self.turn();
            drop(waiting);
            if events.is_empty() && self.ready.is_empty() && self.tidy_at.is_some_and(|t| t <= Instant::now()) {
                self.tidy();
            }
        }
    }

    /// One small step of compressing the history of a pane that is quiet.
    fn tidy(&mut self) {
        let Some(&pane) = self.cold.front() else {
            self.tidy_at = None;
            return;
        };
        let more = self.panes.get(&pane).is_some_and(|p| {
            let mut slot = lock(&p.feed.slot);
            let step = |t: &mut Terminal| catch_unwind(AssertUnwindSafe(|| t.compress_some())).unwrap_or(false);
            slot.as_mut().is_some_and(step)
        });
        if !more {
            self.cold.pop_front();
            if let Some(p) = self.panes.get_mut(&pane) {
                p.cold = false;
            }
        }
    }

    fn make_ready(&mut self, pane: PaneId) {
        if let Some(p) = self.panes.get_mut(&pane)
            && !p.ready
            && !p.paused
        {
            p.ready = true;
            self.ready.push_back(pane);
        }
    }

    fn open(&mut self, feed: Arc<Feed>, fd: OwnedFd) {
        let pane = feed.pane;
        self.close(pane);
        let registered =
            self.poll.registry().register(&mut SourceFd(&fd.as_raw_fd()), Token(pane.0 as usize), Interest::READABLE);
        if let Err(e) = registered {
            let mut news = lock(&feed.news);
            news.said.push(format!("{pane}: cannot poll its pty: {e}"));
            news.eof = true;
            drop(news);
            self.tell(&feed);
            return;
        }
        self.panes.insert(pane, Pane { feed, fd, ready: false, paused: false, cold: false });
        self.make_ready(pane);
    }

    fn close(&mut self, pane: PaneId) {
        if let Some(p) = self.panes.remove(&pane) {
            let _ = self.poll.registry().deregister(&mut SourceFd(&p.fd.as_raw_fd()));
        }
    }

    /// One piece of each pane that is ready, the one typed into first.
    fn turn(&mut self) {
        let mut round = std::mem::take(&mut self.ready);
        let first = PaneId(self.hub.first.load(Ordering::Relaxed));
        if let Some(at) = round.iter().position(|p| *p == first) {
            round.swap(0, at);
        }
        for pane in round {
            if let Some(p) = self.panes.get_mut(&pane) {
                p.ready = false;
                match p.read(&mut self.buf) {
                    Read::Skip => {}
                    Read::Piece { n, drained, eof } => {
                        p.feed.parse(&self.buf[..n], drained, eof);
                        if !std::mem::replace(&mut p.cold, true) {
                            self.cold.push_back(pane);
                        }
                        self.tidy_at = Some(Instant::now() + QUIET);
                        let feed = Arc::clone(&p.feed);
                        self.tell(&feed);
                        if eof {
                            self.close(pane);
                        } else if !drained {
                            self.make_ready(pane);
                        }
                    }
                }
            }
        }
    }

    fn tell(&self, feed: &Arc<Feed>) {
        if std::mem::replace(&mut lock(&feed.news).listed, true) {
            return;
        }
        lock(&self.hub.moved).push(Arc::clone(feed));
        if !self.hub.pending.swap(true, Ordering::SeqCst) {
            let _ = self.hub.main.wake();
        }
    }
}

enum Read {
    Skip,
    Piece { n: usize, drained: bool, eof: bool },
}

impl Pane {
    fn read(&mut self, buf: &mut [u8]) -> Read {
        if self.paused || self.feed.full() {
            return Read::Skip;
        }
        let mut n = 0;
        let (mut drained, mut eof) = (false, false);
        while n < buf.len() {
            match rustix::io::read(&self.fd, &mut buf[n..]) {
                Ok(0) => {
                    eof = true;
                    break;
                }
                Ok(m) => n += m,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    drained = true;
                    break;
                }
                // Linux says EIO where others say end of file.
                Err(_) => {
                    eof = true;
                    break;
                }
            }
        }
        if n == 0 && !eof {
            return Read::Skip;
        }
        Read::Piece { n, drained: drained || eof, eof }
    }
}

impl Feed {
    /// Whether `main` has to take the news before more is read; remembers that reading stopped for it.
    fn full(&self) -> bool {
        let over =
            |news: &News| news.raw.len() >= RAW || news.replies.len() >= REPLIES || news.notices.len() >= NOTICES;
        let news = lock(&self.news);
        if over(&news) {
            // Under the lock: `main` empties the news under it before it looks at the mark.
            self.stalled.store(true, Ordering::SeqCst);
            return true;
        }
        false
    }

    fn parse(&self, bytes: &[u8], drained: bool, eof: bool) {
        let mut out = Output::default();
        let mut said = None;
        if !bytes.is_empty() {
            let mut slot = lock(&self.slot);
            if let Some(terminal) = slot.as_mut() {
                // One pane's bytes must not end everybody's server.
                let parsed = catch_unwind(AssertUnwindSafe(|| terminal.feed(bytes, &mut out)));
                if parsed.is_err() {
                    let reset = catch_unwind(AssertUnwindSafe(|| terminal.reset()));
                    said = Some(format!(
                        "{}: parsing its output failed; its terminal was reset{}",
                        self.pane,
                        if reset.is_err() { " and failed again" } else { "" }
                    ));
                }
            }
        }
        let mut news = lock(&self.news);
        news.bytes += bytes.len();
        news.drained = drained;
        news.replies.append(&mut out.replies);
        news.notices.append(&mut out.notices);
        news.eof |= eof;
        news.said.extend(said);
        if self.tap.load(Ordering::Relaxed) {
            news.raw.extend_from_slice(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::spawn;
    use super::*;
    use crate::base::Size;
    use crate::event::SpawnSpec;
    use crate::grid::Limits;
    use std::os::fd::AsFd;

    const PANE: PaneId = PaneId(3);

    /// The thread reading `script`'s pty, tapped, and what keeps all of it alive.
    struct Rig {
        poll: Poll,
        thread: PtyThread,
        feed: Arc<Feed>,
        _spawned: spawn::Spawned,
    }

    impl Rig {
        fn new(script: &str) -> Rig {
            let poll = Poll::new().unwrap();
            let thread = PtyThread::start(Waker::new(poll.registry(), Token(0)).unwrap()).unwrap();
            let spec = SpawnSpec {
                argv: ["/bin/sh", "-c", script].map(str::to_owned).to_vec(),
                argv0: None,
                cwd: "/".into(),
                env: vec![("PATH".into(), "/usr/bin:/bin".into())],
                size: Size::new(80, 24),
            };
            let spawned = spawn::pane(&spec).unwrap();
            let terminal = Terminal::new(spec.size, Limits::default());
            let feed = Feed::new(PANE, Arc::new(Mutex::new(Some(terminal))), true);
            thread.open(Arc::clone(&feed), spawned.master.as_fd().try_clone_to_owned().unwrap());
            Rig { poll, thread, feed, _spawned: spawned }
        }

        /// Waits until the thread wakes us, and takes its news.
        fn news(&mut self) -> News {
            let mut events = Events::with_capacity(4);
            loop {
                self.poll.poll(&mut events, Some(Duration::from_secs(20))).unwrap();
                assert!(!events.is_empty(), "no news in time");
                if let Some((_, news)) = self.thread.take().pop() {
                    return news;
                }
            }
        }
    }

    #[test]
    fn output_is_parsed_and_its_end_told() {
        let mut rig = Rig::new("printf 'one\\033[6n'");
        let (mut raw, mut replies) = (Vec::new(), Vec::new());
        loop {
            let news = rig.news();
            raw.extend(news.raw);
            replies.extend(news.replies);
            if news.eof {
                break;
            }
        }
        assert_eq!((raw.as_slice(), replies.as_slice()), (b"one\x1b[6n".as_slice(), b"\x1b[1;4R".as_slice()));
    }

    #[test]
    fn a_pane_nobody_listens_to_is_not_read_for_ever() {
        let mut rig = Rig::new("exec yes");
        let until = Instant::now() + Duration::from_secs(20);
        while !rig.feed.stalled.load(Ordering::SeqCst) {
            assert!(Instant::now() < until, "reading did not stop");
            std::thread::yield_now();
        }
        let first = rig.news();
        assert!((RAW..RAW + READ).contains(&first.raw.len()), "{}", first.raw.len());
        // Taking the news set it going again.
        assert!(!rig.news().raw.is_empty());
        rig.thread.close(PANE);
    }
}
