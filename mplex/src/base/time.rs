//! Time as data: the loop reads the clocks and passes [`Now`] in; rooms only compare and add.

/// Monotonic time in microseconds since the server started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Time(pub u64);

/// A length of time in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span(pub u64);

/// Seconds since the Unix epoch, for what people and formats see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wall(pub i64);

/// Both clocks, read once per turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Now {
    pub mono: Time,
    pub wall: Wall,
}

impl Span {
    pub const ZERO: Span = Span(0);

    pub const fn from_millis(ms: u64) -> Span {
        Span(ms.saturating_mul(1_000))
    }

    pub const fn from_secs(s: u64) -> Span {
        Span(s.saturating_mul(1_000_000))
    }

    pub const fn as_millis(self) -> u64 {
        self.0 / 1_000
    }
}

impl std::ops::Add<Span> for Time {
    type Output = Time;
    fn add(self, s: Span) -> Time {
        Time(self.0.saturating_add(s.0))
    }
}

impl std::ops::Sub<Time> for Time {
    type Output = Span;
    /// Zero if `o` is later.
    fn sub(self, o: Time) -> Span {
        Span(self.0.saturating_sub(o.0))
    }
}
