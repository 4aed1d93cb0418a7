//! `#{...}` templates parsed once and evaluated over `dyn Vars`, and `#[style]` runs. Knows no session.
//!
//! The language is tmux 3.8's. [`Template::parse`] never fails: as in tmux, what is not understood expands to nothing.
//! Evaluation is bounded: [`MAX_DEPTH`] nested expansions, [`MAX_OUTPUT`] bytes of result and a budget of steps.
//! It must not know sessions, windows, panes or options: [`Vars`] answers for them.

pub mod colour;
pub mod draw;
mod eval;
pub mod fnmatch;
pub mod fuzzy;
pub mod modifiers;
mod parse;
pub mod pattern;
pub mod rows;
pub mod style;
pub mod text;
pub mod time;
pub mod vars;

pub use draw::{Drawn, Run, draw};
pub use eval::{CYCLE_MS, Cx, MAX_DEPTH, MAX_OUTPUT, Outcome, expand_once, is_true};
pub use parse::Template;
pub use style::{Align, DefaultOp, List, Range, StyleSpec, Width};
pub use time::Zone;
pub use vars::{
    Child, ClientAsk, Depth, EnvironRow, EnvironTable, LoopKind, NameKind, OptionRow, OptionScope, OptionTable, Order,
    Sort, Value, Vars,
};

#[cfg(test)]
mod tests;
