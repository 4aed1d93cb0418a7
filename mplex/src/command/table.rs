//! Which function carries out which row. A row without one fails loudly as not built.

use super::cmd;
use super::cx::{Cx, Result};
use super::queue::Wake;
use crate::lang::Args;

/// The functions of a command.
#[derive(Clone, Copy)]
pub struct Exec {
    pub name: &'static str,
    pub exec: fn(&mut Cx, &Args) -> Result,
    /// Goes on with a command that waited.
    pub resume: Option<fn(&mut Cx, &Args, Wake) -> Result>,
    /// Flags of the row that are not built, and what they are for: giving one fails.
    pub missing: &'static [(char, &'static str)],
}

impl Exec {
    pub const fn new(name: &'static str, exec: fn(&mut Cx, &Args) -> Result) -> Exec {
        Exec { name, exec, resume: None, missing: &[] }
    }

    #[must_use]
    pub const fn resumed(mut self, resume: fn(&mut Cx, &Args, Wake) -> Result) -> Exec {
        self.resume = Some(resume);
        self
    }

    #[must_use]
    pub const fn without(mut self, missing: &'static [(char, &'static str)]) -> Exec {
        self.missing = missing;
        self
    }
}

/// All families of commands.
static FAMILIES: &[&[Exec]] = cmd::FAMILIES;

/// The functions of the row with this name.
pub fn exec_of(name: &str) -> Option<&'static Exec> {
    FAMILIES.iter().flat_map(|f| f.iter()).find(|e| e.name == name)
}

#[cfg(test)]
mod tests {
    use super::FAMILIES;
    use crate::command::rows::ROWS;

    #[test]
    fn functions_belong_to_rows_and_missing_flags_are_flags() {
        let mut names = std::collections::BTreeSet::new();
        for exec in FAMILIES.iter().flat_map(|f| f.iter()) {
            let row = ROWS.iter().find(|r| r.name == exec.name).unwrap_or_else(|| panic!("no row {}", exec.name));
            assert!(names.insert(exec.name), "{} twice", exec.name);
            for (flag, what) in exec.missing {
                assert!(row.args.flags.iter().any(|f| f.letter == *flag), "{} has no -{flag}", exec.name);
                assert!(!what.is_empty(), "{} -{flag}", exec.name);
            }
        }
    }
}
