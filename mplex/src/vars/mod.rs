//! Format variables over the model, the options, the layers and the terminals. Changes nothing.
//!
//! A [`World`] is everything that formats may look at in one turn; a [`Scope`] says from where. `#()` commands give their
//! last output and leave a wish in [`FormatJobs`] that `core` turns into a job.

mod get;
pub mod rows;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::{ClientId, JobId, Now, PaneId, SessionId, Time, WindowId};
use crate::event::Outside;
use crate::format::{self, Template};
use crate::layer::Layers;
use crate::model::Model;
use crate::model::find::Found;
use crate::options::{Options, Scope as OptionScope};

/// How many templates are kept parsed, and how many `#()` commands are remembered.
pub const MAX_CACHED: usize = 512;

/// From where a format is looked at.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub client: Option<ClientId>,
    pub session: Option<SessionId>,
    /// Index of the link within the session.
    pub index: Option<u32>,
    pub window: Option<WindowId>,
    pub pane: Option<PaneId>,
    pub buffer: Option<String>,
    /// Further variables, which come first.
    pub extra: Vec<(String, String)>,
}

impl Scope {
    pub fn of(client: Option<ClientId>, found: Option<Found>) -> Scope {
        Scope {
            client,
            session: found.map(|f| f.session),
            index: found.map(|f| f.place),
            window: found.map(|f| f.window),
            pane: found.map(|f| f.pane),
            ..Scope::default()
        }
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Scope {
        self.extra.push((name.to_owned(), value.into()));
        self
    }

    /// Where options of panes and windows are looked up.
    pub fn pane_options(&self) -> OptionScope {
        match (self.pane, self.window) {
            (Some(p), _) => OptionScope::Pane(p),
            (None, Some(w)) => OptionScope::Window(w),
            (None, None) => OptionScope::GlobalWindow,
        }
    }

    pub fn window_options(&self) -> OptionScope {
        self.window.map_or(OptionScope::GlobalWindow, OptionScope::Window)
    }

    pub fn session_options(&self) -> OptionScope {
        self.session.map_or(OptionScope::GlobalSession, OptionScope::Session)
    }
}

/// The text of a `#()` command.
#[derive(Clone, Debug, Default)]
pub struct FormatJob {
    /// Its last complete line.
    pub text: String,
    pub running: Option<JobId>,
    /// When it was last started.
    pub started: Option<Time>,
    /// Asked for in this turn.
    pub wanted: bool,
    pub cwd: String,
}

/// `#()` commands and parsed templates, kept between turns.
#[derive(Debug, Default)]
pub struct FormatJobs {
    pub jobs: BTreeMap<String, FormatJob>,
    templates: BTreeMap<String, Arc<Template>>,
}

impl FormatJobs {
    fn template(&mut self, text: &str) -> Arc<Template> {
        if let Some(t) = self.templates.get(text) {
            return t.clone();
        }
        if self.templates.len() >= MAX_CACHED {
            self.templates.clear();
        }
        let t = Arc::new(Template::parse(text));
        self.templates.insert(text.to_owned(), t.clone());
        t
    }
}

/// Everything formats may look at.
pub struct World<'a> {
    pub model: &'a Model,
    pub options: &'a Options,
    pub layers: &'a Layers,
    pub now: Now,
    /// Animations move: the text is for a status line.
    pub animate: bool,
    jobs: &'a RefCell<FormatJobs>,
    outside: RefCell<&'a mut dyn Outside>,
}

impl<'a> World<'a> {
    pub fn new(
        model: &'a Model,
        options: &'a Options,
        layers: &'a Layers,
        jobs: &'a RefCell<FormatJobs>,
        outside: &'a mut dyn Outside,
        now: Now,
    ) -> World<'a> {
        World { model, options, layers, now, animate: false, jobs, outside: RefCell::new(outside) }
    }

    fn cx(&self, timed: bool) -> format::Cx {
        let cx = if timed { format::Cx::timed(self.now.wall) } else { format::Cx::new(self.now.wall) };
        format::Cx { animate: self.animate.then_some(self.now.mono.0 / 1000), ..cx }
    }

    /// Expands a template.
    pub fn expand(&self, template: &str, scope: &Scope) -> String {
        if !template.contains('#') {
            return template.to_owned();
        }
        let t = self.jobs.borrow_mut().template(template);
        t.eval(&Seen { world: self, scope }, &self.cx(false))
    }

    /// Expands a template after `strftime`'s conversions.
    pub fn expand_time(&self, template: &str, scope: &Scope) -> String {
        if !template.contains(['#', '%']) {
            return template.to_owned();
        }
        let t = self.jobs.borrow_mut().template(template);
        t.eval(&Seen { world: self, scope }, &self.cx(true))
    }

    /// Whether a template expands to something true.
    pub fn is_true(&self, template: &str, scope: &Scope) -> bool {
        format::is_true(&self.expand(template, scope))
    }

    /// One variable as a typed value.
    pub fn value(&self, name: &str, scope: &Scope) -> Option<format::Value> {
        format::Vars::get(&Seen { world: self, scope }, name)
    }

    /// Calls `f` with the pane's terminal.
    pub fn terminal<R>(&self, pane: PaneId, f: impl FnOnce(&mut crate::term::Terminal) -> R) -> Option<R> {
        let mut out = self.outside.try_borrow_mut().ok()?;
        crate::event::with_terminal(&mut **out, pane, f)
    }

    pub fn process(&self, pane: PaneId) -> Option<crate::event::Process> {
        self.outside.try_borrow_mut().ok()?.process(pane)
    }
}

/// A world seen from a scope: what templates are evaluated over.
pub struct Seen<'a, 'w> {
    pub world: &'a World<'w>,
    pub scope: &'a Scope,
}
