//! What `core` is started with, from the process and the machine: environment, configuration files, shells, homes, the
//! directory with `tmux` in it.

use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, symlink};
use std::path::Path;

use super::{Brain, Turn};
use crate::base::Now;
use crate::core::{Arrival, Config, ConfigFile, Core, Outside};

impl Brain for Core {
    fn step(&mut self, arrival: Arrival, now: Now, out: &mut dyn Outside) {
        Core::step(self, arrival, now, out);
    }

    fn turn(&mut self, now: Now, out: &mut dyn Outside) -> Turn {
        Core::turn(self, now, out)
    }
}

/// The time at which the server starts.
pub fn wall() -> Now {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Now { mono: crate::base::Time(0), wall: crate::base::Wall(since.as_secs() as i64) }
}

/// The configuration of a server on this socket.
pub fn config(socket: &Path) -> Config {
    let env: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(n, v)| Some((n.into_string().ok()?, v.into_string().ok()?)))
        .filter(|(n, _)| !matches!(n.as_str(), "TMUX" | "TMUX_PANE" | "MPLEX" | "MPLEX_PANE"))
        .collect();
    let var = |name: &str| env.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
    let uid = rustix::process::getuid().as_raw();
    let passwd = passwd();
    let mine = passwd.iter().find(|p| p.uid == uid);
    let home = var("HOME").or_else(|| mine.map(|p| p.home.clone())).unwrap_or_else(|| "/".into());
    let shell = [var("SHELL"), mine.map(|p| p.shell.clone())]
        .into_iter()
        .flatten()
        .find(|s| is_shell(s))
        .unwrap_or_else(|| "/bin/sh".into());
    let program = std::env::current_exe().map(|p| p.to_string_lossy().into_owned()).unwrap_or_default();
    let shim_dir = shim(socket, &program);
    let files = files(&home, var("XDG_CONFIG_HOME").as_deref());
    let mut env = env;
    if !env.iter().any(|(n, _)| n == "USER")
        && let Some(p) = mine
    {
        env.push(("USER".into(), p.name.clone()));
    }
    Config {
        socket: socket.to_string_lossy().into_owned(),
        pid: std::process::id(),
        uid,
        files,
        program,
        shim_dir,
        host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
        homes: passwd.into_iter().map(|p| (p.name, p.home)).collect(),
        shell,
        env,
    }
}

/// Our own configuration where there is one, else the user's tmux configuration.
fn files(home: &str, xdg: Option<&str>) -> Vec<ConfigFile> {
    let config = xdg.filter(|x| !x.is_empty()).map_or_else(|| format!("{home}/.config"), str::to_owned);
    let own = [format!("{config}/mplex/mplex.conf"), format!("{home}/.mplex.conf")];
    let found: Vec<&String> = own.iter().filter(|p| Path::new(p).is_file()).collect();
    let paths = if found.is_empty() {
        vec!["/etc/tmux.conf".to_owned(), format!("{home}/.tmux.conf"), format!("{config}/tmux/tmux.conf")]
    } else {
        found.into_iter().take(1).cloned().collect()
    };
    paths.into_iter().map(|path| ConfigFile { path, required: false }).collect()
}

fn is_shell(path: &str) -> bool {
    let ok = path.starts_with('/') && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok();
    ok && !matches!(path.rsplit('/').next(), Some("mplex" | "tmux"))
}

/// A directory beside the socket in which `tmux` is this program.
fn shim(socket: &Path, program: &str) -> Option<String> {
    let dir = socket.parent()?.join("bin");
    if !dir.is_dir() {
        fs::DirBuilder::new().mode(0o700).create(&dir).ok()?;
    }
    let link = dir.join("tmux");
    if fs::read_link(&link).ok().as_deref() != Some(Path::new(program)) {
        // By another name first, so that there is never a moment without one.
        let new = dir.join(format!("tmux.{}", std::process::id()));
        let _ = fs::remove_file(&new);
        symlink(program, &new).ok()?;
        fs::rename(&new, &link).ok()?;
    }
    Some(dir.to_string_lossy().into_owned())
}

struct Passwd {
    name: String,
    uid: u32,
    home: String,
    shell: String,
}

fn passwd() -> Vec<Passwd> {
    let text = fs::read_to_string("/etc/passwd").unwrap_or_default();
    text.lines()
        .filter_map(|line| {
            let f: Vec<&str> = line.split(':').collect();
            let [name, _, uid, _, _, home, shell] = f.as_slice() else { return None };
            Some(Passwd {
                name: (*name).to_owned(),
                uid: uid.parse().ok()?,
                home: (*home).to_owned(),
                shell: (*shell).to_owned(),
            })
        })
        .collect()
}
