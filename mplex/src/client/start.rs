//! Connecting to the server, and starting one when there is none: the client makes the listening socket under a lock and
//! hands it to the new server as its standard input, so that two clients at once give one server and nobody waits for a
//! socket to appear.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::fs::FlockOperation;

use super::socket::{bind, words};

/// Connects, or says why not in tmux's words. With `server` a missing server is started by these arguments.
pub fn connect(path: &Path, server: Option<&[OsString]>) -> Result<UnixStream, String> {
    let missing = match UnixStream::connect(path) {
        Ok(stream) => return Ok(stream),
        Err(e) => e,
    };
    let absent = matches!(missing.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound);
    match server {
        Some(args) if absent => start(path, args),
        _ => Err(sentence(path, &missing)),
    }
}

fn sentence(path: &Path, e: &io::Error) -> String {
    if e.kind() == io::ErrorKind::ConnectionRefused {
        format!("no server running on {}", path.display())
    } else {
        format!("error connecting to {} ({})", path.display(), words(e))
    }
}

fn start(path: &Path, args: &[OsString]) -> Result<UnixStream, String> {
    let failed = |e: io::Error| sentence(path, &e);
    let lock = Lock::take(path).map_err(failed)?;
    // Another client may have started the server while we waited.
    if let Ok(stream) = UnixStream::connect(path) {
        return Ok(stream);
    }
    let listener = bind(path).map_err(failed)?;
    // In the backlog before the server runs: it is never without a client.
    let stream = UnixStream::connect(path).map_err(failed)?;
    if let Err(e) = daemon(listener.into(), args) {
        let _ = fs::remove_file(path);
        return Err(format!("couldn't start the server ({})", words(&e)));
    }
    drop(lock);
    Ok(stream)
}

/// The lock file beside the socket, held; removed when dropped.
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    fn take(socket: &Path) -> io::Result<Lock> {
        let mut path = OsString::from(socket);
        path.push(".lock");
        let path = PathBuf::from(path);
        loop {
            let file = File::options().write(true).create(true).truncate(false).mode(0o600).open(&path)?;
            loop {
                match rustix::fs::flock(&file, FlockOperation::LockExclusive) {
                    Ok(()) => break,
                    Err(rustix::io::Errno::INTR) => {}
                    Err(e) => return Err(e.into()),
                }
            }
            // The one who had it before us removed the name: then this lock protects nothing, take the new one.
            let ours = file.metadata()?.ino();
            if fs::metadata(&path).is_ok_and(|m| m.ino() == ours) {
                return Ok(Lock { path, _file: file });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Starts this program as a server in a session of its own, child of nobody.
fn daemon(listener: OwnedFd, args: &[OsString]) -> io::Result<()> {
    let mut command = Command::new(program());
    command.arg0("mplex").args(args).stdin(Stdio::from(listener)).stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: only async-signal-safe calls between fork and exec; the middle process leaves at once by `_exit`.
    unsafe {
        command.pre_exec(|| {
            if libc::setsid() == -1 {
                return Err(io::Error::last_os_error());
            }
            match libc::fork() {
                -1 => Err(io::Error::last_os_error()),
                0 => Ok(()),
                _ => libc::_exit(0),
            }
        });
    }
    // Waits for the middle process only. An exec that failed in the innermost one is still reported here.
    command.spawn()?.wait()?;
    Ok(())
}

/// This program's file; if it was replaced meanwhile (Linux), what runs here all the same.
fn program() -> PathBuf {
    match std::env::current_exe() {
        Ok(path) if path.exists() => path,
        _ => "/proc/self/exe".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_server_is_said_in_known_words() {
        let dir = std::env::temp_dir().join(format!("mplex-start-test-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let path = dir.join("none");
        let said = connect(&path, None).unwrap_err();
        assert_eq!(said, format!("error connecting to {} (No such file or directory)", path.display()));
        drop(bind(&path).unwrap());
        let said = connect(&path, None).unwrap_err();
        assert_eq!(said, format!("no server running on {}", path.display()));
        let _ = fs::remove_dir_all(dir);
    }

    #[test]
    fn the_lock_goes_from_hand_to_hand() {
        let dir = std::env::temp_dir().join(format!("mplex-lock-test-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let socket = dir.join("s");
        let inside = std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|s| {
            for _ in 0..8 {
                s.spawn(|| {
                    for _ in 0..20 {
                        let lock = Lock::take(&socket).unwrap();
                        assert_eq!(inside.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0);
                        inside.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        let _ = fs::remove_dir_all(dir);
    }
}
