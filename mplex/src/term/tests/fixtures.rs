//! Recorded fixtures of other terminals: bytes in, screens out. They are data beside the repository
//! (`MPLEX_FIXTURES`, default `../shared/fixtures`); where they are absent the tests say so and pass.

use super::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Fixtures that do not pass now, one name a line. One that comes to pass must be taken off the list.
const KNOWN: &str = include_str!("known_failures.txt");

fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let dir = match std::env::var_os("MPLEX_FIXTURES") {
        Some(d) => root.join(d),
        None => root.join("../shared/fixtures"),
    };
    dir.is_dir().then_some(dir)
}

#[derive(Default)]
struct Tally {
    passed: usize,
    failed: BTreeSet<String>,
    why: Vec<String>,
}

impl Tally {
    fn note(&mut self, name: &str, result: Result<(), String>) {
        match result {
            Ok(()) => self.passed += 1,
            Err(e) => {
                self.failed.insert(name.to_owned());
                self.why.push(format!("{name}: {e}"));
            }
        }
    }
}

fn files(dir: &Path, ext: &str) -> Vec<PathBuf> {
    let mut v: Vec<PathBuf> = std::fs::read_dir(dir)
        .into_iter()
        .flatten()
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == ext))
        .collect();
    v.sort();
    v
}

fn stem(p: &Path) -> String {
    p.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

fn screen_text(t: &Terminal, y: u16) -> String {
    let mut buf = RowBuf::new();
    t.view().row(t.view().history() + y as usize, &mut buf);
    buf.text().trim_end().to_owned()
}

fn colour_name(c: Colour) -> String {
    use crate::base::ColourKind as K;
    match c.kind() {
        K::Ansi(n) | K::Indexed(n) | K::Theme(n) => n.to_string(),
        K::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        K::Default | K::Terminal => "d".to_owned(),
    }
}

fn xtermjs(dir: &Path, tally: &mut Tally) {
    for file in files(&dir.join("xtermjs"), "in") {
        let expected = std::fs::read_to_string(file.with_extension("text")).unwrap_or_default();
        let bytes = std::fs::read(&file).unwrap_or_default();
        // The recordings were made through a tty that turns LF into CR LF.
        let mut cooked = Vec::new();
        for b in bytes {
            if b == b'\n' {
                cooked.push(b'\r');
            }
            cooked.push(b);
        }
        let (t, _) = run((80, 25), &cooked);
        let got: Vec<String> = (0..25).map(|y| screen_text(&t, y)).collect();
        let want: Vec<String> = expected.lines().map(|l| l.trim_end().to_owned()).collect();
        let bad = (0..25).find(|y| got[*y] != want.get(*y).map_or("", String::as_str));
        let result = match bad {
            None => Ok(()),
            Some(y) => Err(format!("row {y}: {:?}, not {:?}", got[y], want.get(y))),
        };
        tally.note(&format!("xtermjs/{}", stem(&file)), result);
    }
}

fn alacritty(dir: &Path, tally: &mut Tally) {
    for file in files(&dir.join("alacritty"), "json") {
        let Ok(v) = serde_json::from_slice::<Value>(&std::fs::read(&file).unwrap_or_default()) else { continue };
        let bytes = std::fs::read(file.with_extension("in")).unwrap_or_default();
        let (cols, rows) = (v["cols"].as_u64().unwrap_or(80) as u16, v["rows"].as_u64().unwrap_or(24) as u16);
        let (t, _) = run((cols, rows), &bytes);
        let mut text = Ok(());
        let mut style = Ok(());
        for y in 0..rows {
            let got = screen_text(&t, y);
            let want = v["text"][y as usize].as_str().unwrap_or("").trim_end();
            if got != want && text.is_ok() {
                text = Err(format!("row {y}: {got:?}, not {want:?}"));
            }
            let want: String = v["cells"][y as usize]
                .as_array()
                .into_iter()
                .flatten()
                .map(|r| format!("{}|{}\n", r[0].as_str().unwrap_or(""), run_text(&r[1])))
                .collect();
            let got = style_runs(&t, y, cols);
            if got != want && style.is_ok() && !want.is_empty() {
                style = Err(format!("row {y}: {got:?}, not {want:?}"));
            }
        }
        tally.note(&format!("alacritty/{}", stem(&file)), text);
        tally.note(&format!("alacritty-style/{}", stem(&file)), style);
    }
}

fn run_text(v: &Value) -> String {
    match v {
        Value::Array(cells) => cells.iter().filter_map(Value::as_str).collect(),
        v => v.as_str().unwrap_or("").to_owned(),
    }
}

fn style_runs(t: &Terminal, y: u16, cols: u16) -> String {
    let mut buf = RowBuf::new();
    t.view().row(t.view().history() + y as usize, &mut buf);
    let mut runs: Vec<(String, String)> = Vec::new();
    for x in 0..cols {
        let c = buf.cell(x);
        if c.width == 0 {
            continue;
        }
        let a = c.style.attrs;
        let mut flags = String::new();
        for (flag, letter) in [(Attrs::BOLD, "B"), (Attrs::ITALIC, "I")] {
            if a.contains(flag) {
                flags.push_str(letter);
            }
        }
        if a.underline() != Underline::None {
            flags.push_str(&format!("U{}", a.underline() as u8));
        }
        for (flag, letter) in [(Attrs::REVERSE, "R"), (Attrs::STRIKE, "S")] {
            if a.contains(flag) {
                flags.push_str(letter);
            }
        }
        let key = format!("{} {} {flags}", colour_name(c.style.fg), colour_name(c.style.bg));
        match runs.last_mut() {
            Some(r) if r.0 == key => r.1.push_str(c.text),
            _ => runs.push((key, c.text.to_owned())),
        }
    }
    runs.into_iter().map(|(k, t)| format!("{k}|{t}\n")).collect()
}

fn unhex(s: &str) -> Vec<u8> {
    (0..s.len() / 2).filter_map(|i| u8::from_str_radix(&s[2 * i..2 * i + 2], 16).ok()).collect()
}

fn libvterm(dir: &Path, tally: &mut Tally) {
    for file in files(&dir.join("libvterm"), "json") {
        let Ok(v) = serde_json::from_slice::<Value>(&std::fs::read(&file).unwrap_or_default()) else { continue };
        let size = (v["cols"].as_u64().unwrap_or(80) as u16, v["rows"].as_u64().unwrap_or(25) as u16);
        let mut t = Terminal::new(Size::new(size.0, size.1), small());
        let mut out = Output::default();
        let mut section: Option<(String, Result<(), String>)> = None;
        for step in v["steps"].as_array().into_iter().flatten() {
            let n = |i: usize| step[i].as_u64().unwrap_or(0) as u16;
            let s = |i: usize| step[i].as_str().unwrap_or("");
            let mut bad: Option<String> = None;
            match s(0) {
                "section" => {
                    if let Some((name, result)) = section.take() {
                        tally.note(&name, result);
                    }
                    section = Some((format!("libvterm/{}/{}", stem(&file), s(1).replace(' ', "_")), Ok(())));
                }
                "reset" => {
                    let now = t.size();
                    t = Terminal::new(now, small());
                    out = Output::default();
                }
                "push" => t.feed(&unhex(s(1)), &mut out),
                "resize" => t.resize(Size::new(n(2), n(1))),
                "output" => {
                    let want = unhex(s(1));
                    let head = out.replies.len().min(want.len());
                    let got: Vec<u8> = out.replies.drain(..head).collect();
                    if got != want {
                        out.replies.clear();
                        bad = Some(format!(
                            "reply {:?}, not {:?}",
                            String::from_utf8_lossy(&got),
                            String::from_utf8_lossy(&want)
                        ));
                    }
                }
                "cursor" => {
                    let c = t.cursor();
                    if (c.y, c.x) != (n(1), n(2)) {
                        bad = Some(format!("cursor {},{}, not {},{}", c.y, c.x, n(1), n(2)));
                    }
                }
                "row" => {
                    let got = screen_text(&t, n(1));
                    if got != s(2).trim_end() {
                        bad = Some(format!("row {}: {got:?}, not {:?}", n(1), s(2)));
                    }
                }
                "glyphs" => {
                    for g in step[1].as_array().into_iter().flatten() {
                        let (y, x) = (g[0].as_u64().unwrap_or(0) as u16, g[1].as_u64().unwrap_or(0) as u16);
                        bad =
                            bad.or(wrong_cell(&t, y, x, g[2].as_str().unwrap_or(""), g[3].as_u64().unwrap_or(1) as u8));
                    }
                }
                "cell" => {
                    bad = wrong_cell(&t, n(1), n(2), s(3), n(4) as u8).or_else(|| wrong_look(&t, step));
                }
                "rect" => {
                    let mut got = String::new();
                    for y in n(1)..n(3) {
                        got.push_str(&rect_text(&t, y, n(2), n(4)));
                        got.push('\n');
                    }
                    if got.trim_end() != s(5).trim_end() {
                        bad = Some(format!("rectangle {got:?}, not {:?}", s(5)));
                    }
                }
                "pen" => bad = wrong_pen(&t, s(1), s(2)),
                _ => {}
            }
            if let (Some(bad), Some((_, result @ Ok(())))) = (bad, &mut section) {
                *result = Err(bad);
            }
        }
        if let Some((name, result)) = section {
            tally.note(&name, result);
        }
    }
}

fn rect_text(t: &Terminal, y: u16, x0: u16, x1: u16) -> String {
    let mut buf = RowBuf::new();
    t.view().row(t.view().history() + y as usize, &mut buf);
    let text: String = (x0..x1).map(|x| buf.cell(x).text.to_owned()).collect();
    text.trim_end().to_owned()
}

fn wrong_cell(t: &Terminal, y: u16, x: u16, text: &str, width: u8) -> Option<String> {
    let mut buf = RowBuf::new();
    t.view().row(t.view().history() + y as usize, &mut buf);
    let c = buf.cell(x);
    let want = if text.is_empty() { " " } else { text };
    ((c.text, c.width) != (want, width)).then(|| format!("cell {y},{x} {:?} {}, not {want:?} {width}", c.text, c.width))
}

fn wrong_look(t: &Terminal, step: &Value) -> Option<String> {
    let (y, x) = (step[1].as_u64()? as u16, step[2].as_u64()? as u16);
    let mut buf = RowBuf::new();
    t.view().row(t.view().history() + y as usize, &mut buf);
    let c = buf.cell(x);
    let attrs = step[5].as_str().unwrap_or("");
    let mut got = String::new();
    for (flag, letter) in [(Attrs::BOLD, 'B'), (Attrs::ITALIC, 'I'), (Attrs::BLINK, 'K'), (Attrs::REVERSE, 'R')] {
        if c.style.attrs.contains(flag) {
            got.push(letter);
        }
    }
    let same = attrs.chars().filter(|c| "BIKR".contains(*c)).collect::<String>() == got;
    (!same).then(|| format!("cell {y},{x} attributes {got:?}, not {attrs:?}"))
}

fn wrong_pen(t: &Terminal, what: &str, want: &str) -> Option<String> {
    let p = t.pen();
    let on = |f: Attrs| if p.attrs.contains(f) { "on" } else { "off" }.to_owned();
    let colour = |c: Colour| {
        use crate::base::ColourKind as K;
        match c.kind() {
            K::Ansi(n) | K::Indexed(n) | K::Theme(n) => format!("idx({n})"),
            K::Rgb(r, g, b) => format!("rgb({r},{g},{b})"),
            K::Default | K::Terminal => "default".to_owned(),
        }
    };
    let got = match what {
        "bold" => on(Attrs::BOLD),
        "italic" => on(Attrs::ITALIC),
        "blink" => on(Attrs::BLINK),
        "reverse" => on(Attrs::REVERSE),
        "strike" => on(Attrs::STRIKE),
        "underline" => (p.attrs.underline() as u8).to_string(),
        "foreground" => colour(p.fg),
        "background" => colour(p.bg),
        _ => return None,
    };
    // A default colour is written as the colour that it has there.
    let default = got == "default" && want.contains("is_default_");
    (got != want && !default && !(got == "default" && want.starts_with("rgb(")))
        .then(|| format!("pen {what} {got}, not {want}"))
}

#[test]
#[allow(clippy::print_stdout)]
fn recorded_fixtures() {
    let Some(dir) = folder() else {
        println!("recorded_fixtures: skipped, no folder of fixtures (MPLEX_FIXTURES)");
        return;
    };
    let mut tally = Tally::default();
    xtermjs(&dir, &mut tally);
    alacritty(&dir, &mut tally);
    libvterm(&dir, &mut tally);
    let known: BTreeSet<String> =
        KNOWN.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).map(str::to_owned).collect();
    println!("fixtures: {} passed, {} failed", tally.passed, tally.failed.len());
    for w in &tally.why {
        println!("  {w}");
    }
    let broken: Vec<_> = tally.failed.difference(&known).collect();
    let mended: Vec<_> = known.difference(&tally.failed).collect();
    assert!(broken.is_empty(), "fixtures that passed before fail now: {broken:#?}");
    assert!(mended.is_empty(), "fixtures on the list of failures pass now, take them off: {mended:#?}");
}
