//! The server's log file, written only with `-v`, and the note that a panic leaves.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

/// Where log lines go; nowhere without a file.
#[derive(Default)]
pub(super) struct Log(Option<File>);

impl Log {
    /// `mplex-server-PID.log` in the working directory.
    pub(super) fn open() -> io::Result<Log> {
        let name = format!("mplex-server-{}.log", std::process::id());
        Ok(Log(Some(File::options().append(true).create(true).open(name)?)))
    }

    pub(super) fn say(&mut self, text: impl AsRef<str>) {
        if let Some(file) = &mut self.0 {
            let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            // A full disk must not stop the server.
            let _ = writeln!(file, "{}.{:06} {}", since.as_secs(), since.subsec_micros(), text.as_ref());
        }
    }
}

/// A panic's message and place go to a file beside the socket: the server has no other voice.
pub(super) fn note_panics(socket: &Path) {
    let mut path = socket.as_os_str().to_owned();
    path.push(".panic");
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if let Ok(mut file) = File::options().append(true).create(true).open(&path) {
            let trace = std::backtrace::Backtrace::force_capture();
            let _ = writeln!(file, "mplex {}: {info}\n{trace}", env!("CARGO_PKG_VERSION"));
        }
        before(info);
    }));
}
