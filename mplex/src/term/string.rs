//! Strings: OSC, DCS, APC and the title form of screen.

use super::colour::{parse_colour, reply, to_rgb};
use super::feed::Kind;
use super::state::State;
use super::{ColourSlot, Notice, Output};
use crate::base::Colour;
use crate::grid::Marks;
use base64::Engine as _;

/// Longest title, icon or path that is kept, in bytes.
const LONGEST_TITLE: usize = 4096;

/// A title without controls, not too long.
pub(super) fn clean(text: &str) -> String {
    let mut out: String = text.chars().filter(|c| !c.is_control()).collect();
    if out.len() > LONGEST_TITLE {
        let mut end = LONGEST_TITLE;
        while !out.is_char_boundary(end) {
            end -= 1;
        }
        out.truncate(end);
    }
    out
}

/// A title or a name that a program gave: it must not make a format run a command.
fn tame(text: &str) -> String {
    clean(text).replace("#(", "_(")
}

pub(super) fn clipboard_reply(selection: &str, data: &[u8], bell: bool) -> Vec<u8> {
    let data = base64::engine::general_purpose::STANDARD.encode(data);
    let end = if bell { "\x07" } else { "\x1b\\" };
    format!("\x1b]52;{selection};{data}{end}").into_bytes()
}

impl State {
    pub(super) fn string(&mut self, kind: Kind, raw: &[u8], bell: bool, out: &mut Output) {
        match kind {
            Kind::Ignored => {}
            Kind::Dcs => self.dcs(raw, out),
            Kind::Osc => {
                let text: Vec<u8> = raw.iter().copied().filter(|b| *b >= 0x20).collect();
                self.osc(&text, bell, out);
            }
            Kind::Apc => {
                if let Ok(text) = std::str::from_utf8(raw) {
                    // Kitty's graphics are no title.
                    if !text.starts_with('G') && self.settings.allow_title {
                        self.title = tame(text);
                        self.notice(out, Notice::Title(self.title.clone()));
                    }
                }
            }
            Kind::Rename => {
                if self.settings.allow_rename
                    && let Ok(text) = std::str::from_utf8(raw)
                {
                    self.notice(out, Notice::Rename(tame(text)));
                }
            }
        }
    }

    fn dcs(&mut self, raw: &[u8], out: &mut Output) {
        if let Some(rest) = raw.strip_prefix(b"tmux;") {
            if self.settings.allow_passthrough {
                self.notice(out, Notice::Passthrough(rest.to_vec()));
            }
        } else if let Some(what) = raw.strip_prefix(b"$q") {
            self.report_setting(what, out);
        } else if let Some(names) = raw.strip_prefix(b"+q") {
            // XTGETTCAP: each name is refused, so that a program does not wait.
            for name in names.split(|b| *b == b';').take(64) {
                if name.iter().all(u8::is_ascii_hexdigit) {
                    let mut text = b"\x1bP0+r".to_vec();
                    text.extend_from_slice(name);
                    text.extend_from_slice(b"\x1b\\");
                    self.reply(out, &text);
                }
            }
        }
    }

    fn osc(&mut self, raw: &[u8], bell: bool, out: &mut Output) {
        let digits = raw.iter().take_while(|b| b.is_ascii_digit()).count();
        let Ok(number) = std::str::from_utf8(&raw[..digits]).unwrap_or_default().parse::<u32>() else { return };
        let rest = match raw.get(digits) {
            None => &[][..],
            Some(b';') => &raw[digits + 1..],
            Some(_) => return,
        };
        let text = String::from_utf8_lossy(rest);
        let text = &*text;
        match number {
            0..=2 => {
                if !self.settings.allow_title {
                    return;
                }
                // What is no UTF-8 is no title.
                if std::str::from_utf8(rest).is_err() {
                    return;
                }
                if number != 1 {
                    self.title = tame(text);
                    self.notice(out, Notice::Title(self.title.clone()));
                }
                if number != 2 {
                    self.icon = clean(text);
                    self.notice(out, Notice::Icon);
                }
            }
            4 => self.palette(text, bell, out),
            7 => {
                self.path = clean(text);
                self.notice(out, Notice::Path);
            }
            8 => self.hyperlink(text),
            9 => match text.strip_prefix("4;").or(if text == "4" { Some("") } else { None }) {
                Some(p) => self.set_progress(p, out),
                None if !text.is_empty() => {
                    self.notice(out, Notice::Notify { title: String::new(), body: clean(text) });
                }
                None => {}
            },
            10..=12 => {
                // Further values set the next colours, as in xterm.
                for (n, value) in (number..=12).zip(text.split(';')) {
                    self.dynamic(n, value, bell, out);
                }
            }
            52 => self.clipboard(text, bell, out),
            99 => {
                let body = text.split_once(';').map_or("", |t| t.1);
                self.notice(out, Notice::Notify { title: String::new(), body: clean(body) });
            }
            104 => {
                if text.is_empty() {
                    self.colours.palette = self.settings.palette.clone();
                } else {
                    for n in text.split(';').filter_map(|n| n.parse::<u8>().ok()) {
                        self.colours.palette.retain(|p| p.0 != n);
                        if let Some(p) = self.settings.palette.iter().find(|p| p.0 == n) {
                            self.put_index(n, p.1);
                        }
                    }
                }
                self.colours_moved(out);
            }
            110..=112 if text.is_empty() => {
                match number {
                    110 => self.colours.fg = None,
                    111 => self.colours.bg = None,
                    _ => self.colours.cursor = None,
                }
                self.colours_moved(out);
            }
            133 => self.shell(text, out),
            777 => {
                let mut parts = text.splitn(3, ';');
                if parts.next() == Some("notify") {
                    let title = clean(parts.next().unwrap_or(""));
                    let body = clean(parts.next().unwrap_or(""));
                    self.notice(out, Notice::Notify { title, body });
                }
            }
            _ => {}
        }
    }

    fn colours_moved(&mut self, out: &mut Output) {
        self.scr.touch_all();
        self.notice(out, Notice::Colours);
    }

    fn put_index(&mut self, n: u8, c: Colour) {
        match self.colours.palette.binary_search_by_key(&n, |p| p.0) {
            Ok(i) => self.colours.palette[i].1 = c,
            Err(i) => self.colours.palette.insert(i, (n, c)),
        }
    }

    fn palette(&mut self, text: &str, bell: bool, out: &mut Output) {
        let mut parts = text.split(';');
        let mut moved = false;
        while let (Some(n), Some(value)) = (parts.next(), parts.next()) {
            let Ok(n) = n.trim().parse::<u8>() else { break };
            if value == "?" {
                let slot = ColourSlot::Index(n);
                match self.colours.index(n).and_then(|c| reply(slot, c, bell)) {
                    Some(bytes) => self.reply(out, &bytes),
                    None => self.notice(out, Notice::ColourQuery { colour: slot, bell }),
                }
            } else if let Some(c) = parse_colour(value) {
                self.put_index(n, c);
                moved = true;
            }
        }
        if moved {
            self.colours_moved(out);
        }
    }

    fn dynamic(&mut self, n: u32, value: &str, bell: bool, out: &mut Output) {
        let (slot, current) = match n {
            10 => (ColourSlot::Foreground, self.colours.fg.or(self.settings.foreground)),
            11 => (ColourSlot::Background, self.colours.bg.or(self.settings.background)),
            _ => (ColourSlot::Cursor, self.colours.cursor.or(self.settings.cursor_colour)),
        };
        if value == "?" {
            match current.and_then(|c| reply(slot, c, bell)) {
                Some(bytes) => self.reply(out, &bytes),
                None => self.notice(out, Notice::ColourQuery { colour: slot, bell }),
            }
            return;
        }
        let Some(c) = parse_colour(value).filter(|c| to_rgb(*c).is_some()) else { return };
        match slot {
            ColourSlot::Foreground => self.colours.fg = Some(c),
            ColourSlot::Background => self.colours.bg = Some(c),
            _ => self.colours.cursor = Some(c),
        }
        self.colours_moved(out);
    }

    fn hyperlink(&mut self, text: &str) {
        let Some((params, uri)) = text.split_once(';') else { return };
        if uri.is_empty() {
            self.pen_moved();
            self.link = 0;
            return;
        }
        let mut ids = params.split(':').filter_map(|p| p.strip_prefix("id="));
        let id = ids.next().unwrap_or("");
        if ids.next().is_some() {
            return;
        }
        if self.names.is_crowded() {
            self.collect();
        }
        self.pen_moved();
        self.link = self.names.link_id(id, uri).unwrap_or(0);
    }

    fn set_progress(&mut self, text: &str, out: &mut Output) {
        let mut parts = text.split(';');
        let Some(state) = parts.next().and_then(|s| s.parse::<u8>().ok()).filter(|s| *s <= 4) else { return };
        let value = match parts.next() {
            None | Some("") => self.progress.value,
            Some(v) => match v.parse::<u8>() {
                Ok(v) if v <= 100 => v,
                _ => return,
            },
        };
        self.progress = super::Progress { state, value: if state == 0 { 0 } else { value } };
        self.notice(out, Notice::Progress);
    }

    fn clipboard(&mut self, text: &str, bell: bool, out: &mut Output) {
        let Some((selection, data)) = text.split_once(';') else { return };
        if !self.settings.allow_clipboard || data.is_empty() {
            return;
        }
        let mut letters = String::new();
        for c in selection.chars().filter(|c| "cpqs01234567".contains(*c)) {
            if !letters.contains(c) {
                letters.push(c);
            }
        }
        if data == "?" {
            self.notice(out, Notice::ClipboardQuery { selection: letters, bell });
            return;
        }
        if let Ok(data) = base64::engine::general_purpose::STANDARD.decode(data) {
            self.notice(out, Notice::Clipboard { selection: letters, data });
        }
    }

    /// OSC 133, what a shell says of its prompt and commands.
    fn shell(&mut self, text: &str, out: &mut Output) {
        let x = self.x;
        let y = self.y;
        match text.bytes().next() {
            Some(b'A' | b'N') => {
                let c = self.scr.mark(y, Marks::PROMPT);
                *c = crate::grid::Command { prompt: x, ..Default::default() };
                self.notice(out, Notice::Prompt);
            }
            Some(b'P') => {
                let second = text.split(';').any(|p| p == "k=s");
                self.scr.mark(y, if second { Marks::SECOND_PROMPT } else { Marks::PROMPT }).prompt = x;
            }
            Some(b'B' | b'I') => self.scr.mark(y, Marks::COMMAND).command = x,
            Some(b'C') => {
                self.scr.mark(y, Marks::OUTPUT).output = x;
                self.notice(out, Notice::CommandStarted);
            }
            Some(b'D') => {
                let status = match text.split(';').nth(1) {
                    None | Some("") => 0,
                    Some(s) if s.contains('=') => 0,
                    Some(s) => s.parse().unwrap_or(255),
                };
                let c = self.scr.mark(y, Marks::END);
                c.end = x;
                c.status = status;
                self.notice(out, Notice::CommandFinished(status));
            }
            _ => {}
        }
    }
}
