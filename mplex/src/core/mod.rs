//! One owner of all state: arrivals in, effects out. No I/O and no clock.
