//! Named events with their payload fields, effects and the outbox. Knows no model.
