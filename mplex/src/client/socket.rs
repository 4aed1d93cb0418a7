//! Where the socket of a server lies, and how it is made: names, the directory's safety, the listener.
//!
//! It knows no protocol. The server's side uses it to make its socket again.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use rustix::fs::Mode;

/// The variables that say where a socket is.
#[derive(Clone, Debug, Default)]
pub struct Vars {
    /// `MPLEX`, as set in a pane: path, server's pid, session.
    pub mplex: Option<OsString>,
    /// `TMUX`, the same shape.
    pub tmux: Option<OsString>,
    /// `TMUX_TMPDIR`.
    pub tmpdir: Option<OsString>,
}

impl Vars {
    /// As this process has them; empty ones count as unset.
    pub fn of_process() -> Vars {
        let var = |name| std::env::var_os(name).filter(|v| !v.is_empty());
        Vars { mplex: var("MPLEX"), tmux: var("TMUX"), tmpdir: var("TMUX_TMPDIR") }
    }
}

/// The socket's path: `-S`, else `-L`, else that of the server around us, else `default`. A directory of our own is made
/// if it is missing and must be safe. The error is a whole sentence.
pub fn locate(name: Option<&str>, path: Option<&str>, vars: &Vars) -> Result<PathBuf, String> {
    if let Some(path) = path {
        return Ok(absolute(Path::new(path)));
    }
    if name.is_none()
        && let Some(path) = inside(vars)
    {
        return Ok(path);
    }
    let base = vars.tmpdir.clone().map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
    let base =
        fs::canonicalize(&base).map_err(|e| format!("couldn't read directory {} ({})", base.display(), words(&e)))?;
    let dir = base.join(format!("mplex-{}", rustix::process::getuid().as_raw()));
    make_dir(&dir)?;
    Ok(dir.join(name.unwrap_or("default")))
}

/// The server whose pane we run in. `TMUX` alone is believed unless it names a socket of tmux itself, which speaks
/// another protocol.
fn inside(vars: &Vars) -> Option<PathBuf> {
    let first = |v: &OsString| {
        let text = v.to_str()?;
        let path = text.split(',').next()?;
        path.starts_with('/').then(|| PathBuf::from(path))
    };
    if let Some(path) = vars.mplex.as_ref().and_then(first) {
        return Some(path);
    }
    let path = vars.tmux.as_ref().and_then(first)?;
    let foreign = path.parent().and_then(Path::file_name).is_some_and(|d| d.to_string_lossy().starts_with("tmux-"));
    (!foreign).then_some(path)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Makes the directory or checks the one that is there: ours, and closed to everyone else.
fn make_dir(dir: &Path) -> Result<(), String> {
    let shown = dir.display();
    match fs::DirBuilder::new().mode(0o700).create(dir) {
        Ok(()) => {}
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
        Err(e) => return Err(format!("couldn't create directory {shown} ({})", words(&e))),
    }
    let meta = fs::symlink_metadata(dir).map_err(|e| format!("couldn't read directory {shown} ({})", words(&e)))?;
    if !meta.is_dir() {
        return Err(format!("{shown} is not a directory"));
    }
    let uid = rustix::process::getuid().as_raw();
    if meta.uid() != uid {
        return Err(format!(
            "directory {shown} has unsafe permissions: it belongs to user {}; set TMUX_TMPDIR to a directory of your own",
            meta.uid()
        ));
    }
    if meta.mode() & 0o077 != 0 {
        return Err(format!(
            "directory {shown} has unsafe permissions: its mode is {:o}; mend it with: chmod 700 {shown}",
            meta.mode() & 0o7777
        ));
    }
    Ok(())
}

/// Makes the socket, for the owner alone. A socket that is there is replaced: the caller knows that nobody listens.
/// Anything else of that name is left alone and is an error.
pub fn bind(path: &Path) -> io::Result<UnixListener> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.file_type().is_socket() => fs::remove_file(path)?,
        Ok(_) => return Err(io::Error::new(io::ErrorKind::AlreadyExists, "File exists and is not a socket")),
        Err(_) => {}
    }
    let old = rustix::process::umask(Mode::from_raw_mode(0o177));
    let listener = UnixListener::bind(path);
    rustix::process::umask(old);
    listener
}

/// The system's words for an error, without the number the standard library adds.
pub fn words(e: &io::Error) -> String {
    let text = e.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    struct Tmp(PathBuf);

    impl Tmp {
        fn new(name: &str) -> Tmp {
            let dir = std::env::temp_dir().join(format!("mplex-socket-test-{}-{name}", std::process::id()));
            fs::create_dir_all(&dir).unwrap();
            Tmp(fs::canonicalize(dir).unwrap())
        }

        fn vars(&self) -> Vars {
            Vars { tmpdir: Some(self.0.clone().into()), ..Vars::default() }
        }
    }

    impl Drop for Tmp {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn own(tmp: &Tmp) -> PathBuf {
        tmp.0.join(format!("mplex-{}", rustix::process::getuid().as_raw()))
    }

    #[test]
    fn the_path_is_found_in_order() {
        let tmp = Tmp::new("order");
        let mut vars = tmp.vars();
        assert_eq!(locate(None, None, &vars).unwrap(), own(&tmp).join("default"));
        assert_eq!(locate(Some("x"), None, &vars).unwrap(), own(&tmp).join("x"));
        vars.tmux = Some("/tmp/tmux-1000/default,1,0".into());
        assert_eq!(locate(None, None, &vars).unwrap(), own(&tmp).join("default"), "tmux's own socket is not ours");
        vars.tmux = Some("/run/a,1,0".into());
        assert_eq!(locate(None, None, &vars).unwrap(), PathBuf::from("/run/a"));
        vars.mplex = Some("/run/b,1,0".into());
        assert_eq!(locate(None, None, &vars).unwrap(), PathBuf::from("/run/b"));
        assert_eq!(locate(Some("x"), None, &vars).unwrap(), own(&tmp).join("x"));
        assert_eq!(locate(Some("x"), Some("/s"), &vars).unwrap(), PathBuf::from("/s"));
    }

    #[test]
    fn an_open_directory_is_refused_with_its_mend() {
        let tmp = Tmp::new("mode");
        let dir = own(&tmp);
        fs::create_dir(&dir).unwrap();
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o755)).unwrap();
        let error = locate(None, None, &tmp.vars()).unwrap_err();
        assert!(error.contains("unsafe permissions") && error.contains("chmod 700"), "{error}");
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o700)).unwrap();
        assert!(locate(None, None, &tmp.vars()).is_ok());
        fs::remove_dir(&dir).unwrap();
        fs::write(&dir, "").unwrap();
        assert!(locate(None, None, &tmp.vars()).unwrap_err().ends_with("is not a directory"));
    }

    #[test]
    fn only_a_socket_is_replaced() {
        let tmp = Tmp::new("bind");
        let path = tmp.0.join("s");
        drop(bind(&path).unwrap());
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        drop(bind(&path).unwrap());
        let file = tmp.0.join("f");
        fs::write(&file, "precious").unwrap();
        assert!(bind(&file).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    }
}
