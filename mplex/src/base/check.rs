//! Assertions for a server that holds people's shells: loud in debug, survivable in release.

/// States that a line is never reached with this condition true. Panics in debug builds; in release it counts the
/// event (see [`never_count`]), hands the message to the hook set by [`set_hook`] and evaluates to the condition, so the
/// caller can recover: `if never!(x.is_none(), "pane without window") { return; }`.
#[macro_export]
macro_rules! never {
    ($cond:expr, $($arg:tt)+) => {{
        let hit: bool = $cond;
        if hit {
            $crate::base::check::report(file!(), line!(), &format!($($arg)+));
        }
        hit
    }};
}

/// The opposite of [`never!`]: evaluates to the condition and reports when it is false.
#[macro_export]
macro_rules! always {
    ($cond:expr, $($arg:tt)+) => { !$crate::never!(!$cond, $($arg)+) };
}

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

static COUNT: AtomicU64 = AtomicU64::new(0);
static HOOK: OnceLock<fn(&str)> = OnceLock::new();

/// How many times a `never!` was hit in this process (release builds only; debug builds panic).
pub fn never_count() -> u64 {
    COUNT.load(Ordering::Relaxed)
}

/// Sets what is told of a `never!` in release builds; the first call wins.
pub fn set_hook(hook: fn(&str)) {
    let _ = HOOK.set(hook);
}

/// Called by the macros; not meant to be called directly.
pub fn report(file: &str, line: u32, text: &str) {
    COUNT.fetch_add(1, Ordering::Relaxed);
    let said = format!("never at {file}:{line}: {text}");
    if cfg!(debug_assertions) {
        panic!("{said}");
    }
    if let Some(hook) = HOOK.get() {
        hook(&said);
    }
}
