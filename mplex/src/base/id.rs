//! Typed ids. They are never reused while the server lives, and print as users know them: `$1`, `@2`, `%3`.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($sigil:literal);)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// Reads the printed form; `None` if the sigil or the number is not right.
            pub fn parse(text: &str) -> Option<$name> {
                let digits = text.strip_prefix($sigil)?;
                if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                    return None;
                }
                digits.parse().ok().map($name)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}{}", $sigil, self.0)
            }
        }
    )+};
}

ids! {
    /// A session, `$1`.
    SessionId("$");
    /// A window, `@2`.
    WindowId("@");
    /// A pane, `%3`.
    PaneId("%");
    /// An attached or commanding client.
    ClientId("client-");
    /// A connection to the control socket.
    ConnId("conn-");
    /// A pending question (an ask), `f7`.
    FlowId("f");
    /// A background job (`run-shell`, `#()`, `pipe-pane`).
    JobId("job-");
    /// Order of creation of a paste buffer.
    BufferSeq("buffer-");
}

/// A revision: grows with each change of what carries it; equal revisions mean nothing moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rev(pub u64);

impl Rev {
    pub const ZERO: Rev = Rev(0);

    /// Moves on and returns the new revision.
    pub fn bump(&mut self) -> Rev {
        self.0 += 1;
        *self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_print_and_parse() {
        assert_eq!(PaneId(3).to_string(), "%3");
        assert_eq!(PaneId::parse("%3"), Some(PaneId(3)));
        assert_eq!(PaneId::parse("%"), None);
        assert_eq!(PaneId::parse("%+3"), None);
        assert_eq!(WindowId::parse("%3"), None);
        assert_eq!(FlowId::parse("f7"), Some(FlowId(7)));
    }
}
