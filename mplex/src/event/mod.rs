//! Named events with their payload fields, effects and the outbox. Knows no model.

pub mod effect;
pub mod outbox;
pub mod outside;
pub mod rows;

pub use effect::{Effect, JobSpec, SpawnSpec, Stream};
pub use outbox::{Event, Outbox};
pub use outside::{Outside, Process, with_terminal};
