//! `#{...}` templates parsed once and evaluated over `dyn Vars`, and `#[style]` runs. Knows no session.
