//! Named events with their payload fields, effects and the outbox. Knows no model.

pub mod effect;
pub mod rows;

pub use effect::{Effect, JobSpec, SpawnSpec, Stream};
