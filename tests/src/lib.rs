//! What the scenario and end-to-end tests share.
