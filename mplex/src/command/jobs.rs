//! Background jobs and what their output and end are for.

use std::collections::BTreeMap;

use crate::base::{ClientId, JobId, PaneId};

/// How much output of a job is kept, in bytes.
pub const MAX_OUTPUT: usize = 1 << 20;

/// What a job is for.
#[derive(Clone, Debug)]
pub enum JobUse {
    /// A command waits for it (`run-shell`, `if-shell`); the token is the job.
    Waited,
    /// `run-shell -b`: its output goes to a view on this pane, if there is any.
    View { pane: Option<PaneId>, client: Option<ClientId> },
    /// A pane's pipe.
    Pipe { pane: PaneId },
    /// `#()`: the last line of its output is the text of this command.
    Format { command: String },
    /// Nobody cares (`copy-pipe`).
    Detached,
    /// `if-shell -b`: which commands run when it ends.
    If { yes: crate::lang::CommandList, no: Option<crate::lang::CommandList>, asker: Box<super::Asker> },
}

#[derive(Clone, Debug)]
pub struct Job {
    pub id: JobId,
    pub command: String,
    pub used_for: JobUse,
    pub output: Vec<u8>,
}

#[derive(Debug, Default)]
pub struct Jobs {
    pub jobs: BTreeMap<JobId, Job>,
}

impl Jobs {
    pub fn insert(&mut self, id: JobId, command: String, used_for: JobUse) {
        self.jobs.insert(id, Job { id, command, used_for, output: Vec::new() });
    }

    /// Keeps a piece of output up to the limit.
    pub fn output(&mut self, id: JobId, bytes: &[u8]) {
        if let Some(j) = self.jobs.get_mut(&id) {
            let room = MAX_OUTPUT.saturating_sub(j.output.len());
            j.output.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
    }
}
