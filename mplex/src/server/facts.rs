//! What a server knows of its surroundings when it starts: who runs it, where, with which files. Read once.

use std::ffi::CStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::core::{Config, ConfigFile};

/// Most lines of `/etc/passwd` looked at for home directories.
const USERS: usize = 10_000;

/// The configuration of a core that serves this socket. `named` are files given by `-f`.
pub(super) fn core_config(socket: &Path, named: Option<&[String]>) -> Config {
    let env: Vec<(String, String)> =
        std::env::vars_os().map(|(k, v)| (text(k.as_encoded_bytes()), text(v.as_encoded_bytes()))).collect();
    let var = |name: &str| env.iter().find(|(k, v)| k == name && !v.is_empty()).map(|(_, v)| v.as_str());
    let user = passwd();
    let home = var("HOME").map(str::to_owned).or_else(|| user.as_ref().map(|u| u.home.clone())).unwrap_or_default();
    let files = match named {
        Some(named) => named.iter().map(|p| ConfigFile { path: p.clone(), required: true }).collect(),
        None => config_files(&home, var("XDG_CONFIG_HOME"), &|p| Path::new(p).exists())
            .into_iter()
            .map(|path| ConfigFile { path, required: false })
            .collect(),
    };
    let program = std::env::current_exe().map(|p| p.to_string_lossy().into_owned()).unwrap_or_else(|_| "mplex".into());
    let shell = [var("SHELL"), user.as_ref().map(|u| u.shell.as_str())].into_iter().flatten().find(|s| is_shell(s));
    Config {
        socket: socket.to_string_lossy().into_owned(),
        pid: std::process::id(),
        uid: rustix::process::getuid().as_raw(),
        shim_dir: make_shim(socket, &program),
        files,
        host: host(),
        homes: homes(),
        shell: shell.unwrap_or("/bin/sh").to_owned(),
        program,
        env,
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Our own files; if there are none, those of tmux, so that a person who comes from there is at home.
fn config_files(home: &str, xdg: Option<&str>, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let under = |name: &str| {
        let mut paths = Vec::new();
        if let Some(xdg) = xdg {
            paths.push(format!("{xdg}/{name}/{name}.conf"));
        }
        if !home.is_empty() {
            paths.push(format!("{home}/.config/{name}/{name}.conf"));
        }
        paths
    };
    let dot = |name: &str| (!home.is_empty()).then(|| format!("{home}/.{name}.conf"));
    let there = |paths: Vec<String>| {
        let mut found: Vec<String> = Vec::new();
        for path in paths {
            if exists(&path) && !found.contains(&path) {
                found.push(path);
            }
        }
        found
    };
    let own = there(under("mplex").into_iter().chain(dot("mplex")).collect());
    if !own.is_empty() {
        return own;
    }
    there(["/etc/tmux.conf".to_owned()].into_iter().chain(dot("tmux")).chain(under("tmux")).collect())
}

struct User {
    home: String,
    shell: String,
}

/// The user's entry in the system's list of users.
fn passwd() -> Option<User> {
    // SAFETY: the entry is copied before anything else could ask the same; there is one thread yet.
    unsafe {
        let entry = libc::getpwuid(libc::getuid());
        if entry.is_null() {
            return None;
        }
        let copy =
            |p: *const libc::c_char| if p.is_null() { String::new() } else { text(CStr::from_ptr(p).to_bytes()) };
        Some(User { home: copy((*entry).pw_dir), shell: copy((*entry).pw_shell) })
    }
}

/// A program that can be a person's shell: by its full path, executable, and not ourselves.
fn is_shell(path: &str) -> bool {
    let ours = path.rsplit('/').next().is_some_and(|n| n == "mplex" || n == "tmux");
    path.starts_with('/') && !ours && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// Home directories by name, from the local list.
fn homes() -> Vec<(String, String)> {
    let list = fs::read_to_string("/etc/passwd").unwrap_or_default();
    list.lines()
        .take(USERS)
        .filter_map(|line| {
            let mut fields = line.split(':');
            let name = fields.next()?;
            let home = fields.nth(4)?;
            Some((name.to_owned(), home.to_owned()))
        })
        .collect()
}

fn host() -> String {
    let mut name = [0u8; 256];
    // SAFETY: the buffer is ours, its length is told, and the last byte stays zero.
    let got = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    let name = CStr::from_bytes_until_nul(&name).map(|n| text(n.to_bytes())).unwrap_or_default();
    if got == 0 { name } else { String::new() }
}

/// Where `tmux` means this program: a directory beside the socket.
pub(super) fn shim_dir(socket: &Path) -> PathBuf {
    let mut path = socket.as_os_str().to_owned();
    path.push(".shim");
    path.into()
}

/// Makes it; without it, tools that call `tmux` in a pane reach what else is called so.
fn make_shim(socket: &Path, program: &str) -> Option<String> {
    use std::os::unix::fs::DirBuilderExt;
    let dir = shim_dir(socket);
    match fs::DirBuilder::new().mode(0o700).create(&dir) {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => return None,
        _ => {}
    }
    let link = dir.join("tmux");
    if fs::read_link(&link).is_ok_and(|to| to == Path::new(program)) {
        return Some(dir.to_string_lossy().into_owned());
    }
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink(program, &link).ok()?;
    Some(dir.to_string_lossy().into_owned())
}

/// Removes what [`make_shim`] made.
pub(super) fn remove_shim(socket: &Path) {
    let dir = shim_dir(socket);
    let _ = fs::remove_file(dir.join("tmux"));
    let _ = fs::remove_dir(dir);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(there: &[&str], expect: &[&str]) {
        let found = config_files("/h", Some("/x"), &|p| there.contains(&p));
        assert_eq!(found, expect, "of {there:?}");
    }

    #[test]
    fn own_files_come_before_those_of_tmux() {
        check(&[], &[]);
        check(&["/h/.tmux.conf", "/etc/tmux.conf"], &["/etc/tmux.conf", "/h/.tmux.conf"]);
        check(&["/h/.tmux.conf", "/h/.mplex.conf"], &["/h/.mplex.conf"]);
        check(&["/h/.mplex.conf", "/x/mplex/mplex.conf"], &["/x/mplex/mplex.conf", "/h/.mplex.conf"]);
        check(&["/x/tmux/tmux.conf", "/h/.config/tmux/tmux.conf"], &["/x/tmux/tmux.conf", "/h/.config/tmux/tmux.conf"]);
    }

    #[test]
    fn the_shim_leads_here_and_goes() {
        let base = std::env::temp_dir().join(format!("mplex-shim-test-{}", std::process::id()));
        fs::create_dir_all(&base).unwrap();
        let socket = base.join("s");
        for program in ["/old", "/new", "/new"] {
            let dir = make_shim(&socket, program).unwrap();
            assert_eq!(fs::read_link(Path::new(&dir).join("tmux")).unwrap(), Path::new(program));
        }
        remove_shim(&socket);
        assert!(!shim_dir(&socket).exists());
        fs::remove_dir_all(base).unwrap();
    }

    #[test]
    fn shells_are_programs_by_full_path() {
        assert!(is_shell("/bin/sh"));
        for path in ["sh", "/nonexistent", "/usr/bin/tmux", ""] {
            assert!(!is_shell(path), "{path}");
        }
    }
}
