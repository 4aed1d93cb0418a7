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
}

impl Exec {
    pub const fn new(name: &'static str, exec: fn(&mut Cx, &Args) -> Result) -> Exec {
        Exec { name, exec, resume: None }
    }

    #[must_use]
    pub const fn resumed(mut self, resume: fn(&mut Cx, &Args, Wake) -> Result) -> Exec {
        self.resume = Some(resume);
        self
    }
}

/// All families of commands.
static FAMILIES: &[&[Exec]] = cmd::FAMILIES;

/// The functions of the row with this name.
pub fn exec_of(name: &str) -> Option<&'static Exec> {
    FAMILIES.iter().flat_map(|f| f.iter()).find(|e| e.name == name)
}

/// Names of all rows that have functions.
pub fn built() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|f| f.iter()).map(|e| e.name)
}
