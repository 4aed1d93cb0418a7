//! What is said to a terminal beside frames: taking it over, giving it back, mouse modes, clipboard, title, bell.
//!
//! Each function appends bytes; what the terminal cannot do appends nothing.

use super::caps::{Caps, Features, Quirks};
use super::sgr::put;
use base64::Engine as _;

/// What the mouse reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mouse {
    #[default]
    Off,
    /// Buttons (1000).
    Buttons,
    /// Buttons and moves with one held (1002).
    Drag,
    /// All moves (1003).
    All,
}

/// Takes the terminal over: alternate screen, application keypad, cleared, bracketed paste, focus and theme reports, extended
/// keys; mouse off. A new [`super::Painter`] draws everything after it.
pub fn open(caps: &Caps, out: &mut Vec<u8>) {
    if caps.does(Quirks::ALT) {
        out.extend_from_slice(b"\x1b[?1049h");
    }
    if caps.does(Quirks::KEYPAD) {
        out.extend_from_slice(b"\x1b[?1h\x1b=");
    }
    out.extend_from_slice(b"\x1b[m\x1b[H\x1b[J");
    if caps.does(Quirks::TCEM) {
        out.extend_from_slice(b"\x1b[?25h");
    }
    if caps.has(Features::MOUSE) {
        mouse_off(out);
    }
    if caps.has(Features::BPASTE) {
        out.extend_from_slice(b"\x1b[?2004h");
    }
    if caps.has(Features::FOCUS) {
        out.extend_from_slice(b"\x1b[?1004h");
    }
    if caps.has(Features::EXTKEYS) {
        out.extend_from_slice(b"\x1b[>4;2m");
    }
    if caps.does(Quirks::QUERY) {
        out.extend_from_slice(b"\x1b[?2031h");
    }
}

/// The questions whose replies [`Caps`] reads: DA1, DA2, XTVERSION, DECRQM 2026, colours (OSC 10, 11), theme (996).
pub fn queries(caps: &Caps, out: &mut Vec<u8>) {
    if caps.does(Quirks::QUERY) {
        out.extend_from_slice(b"\x1b[c\x1b[>c\x1b[>q\x1b[?2026$p\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b[?996n");
    }
}

/// Gives the terminal back as it was: everything that [`open`], frames and [`set_mouse`] may have changed.
pub fn close(caps: &Caps, out: &mut Vec<u8>) {
    if caps.has(Features::SYNC) {
        out.extend_from_slice(b"\x1b[?2026l");
    }
    if caps.does(Quirks::REGION) {
        out.extend_from_slice(b"\x1b[r");
    }
    if caps.has(Features::HYPERLINKS) {
        out.extend_from_slice(b"\x1b]8;;\x1b\\");
    }
    out.extend_from_slice(b"\x1b[m");
    if caps.does(Quirks::AWM) {
        out.extend_from_slice(b"\x1b[?7h");
    }
    if caps.does(Quirks::QUERY) {
        out.extend_from_slice(b"\x1b[?2031l");
    }
    if caps.has(Features::EXTKEYS) {
        out.extend_from_slice(b"\x1b[>4m");
    }
    if caps.has(Features::FOCUS) {
        out.extend_from_slice(b"\x1b[?1004l");
    }
    if caps.has(Features::BPASTE) {
        out.extend_from_slice(b"\x1b[?2004l");
    }
    if caps.has(Features::MOUSE) {
        mouse_off(out);
    }
    if caps.has(Features::CSTYLE) {
        out.extend_from_slice(b"\x1b[0 q");
    }
    if caps.has(Features::CCOLOUR) {
        out.extend_from_slice(b"\x1b]112\x07");
    }
    out.extend_from_slice(b"\x1b[H\x1b[J");
    if caps.does(Quirks::TCEM) {
        out.extend_from_slice(b"\x1b[?25h");
    }
    if caps.does(Quirks::KEYPAD) {
        out.extend_from_slice(b"\x1b[?1l\x1b>");
    }
    if caps.does(Quirks::ALT) {
        out.extend_from_slice(b"\x1b[?1049l");
    }
}

fn mouse_off(out: &mut Vec<u8>) {
    out.extend_from_slice(b"\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l");
}

/// Turns mouse reports (in SGR form) to `mode`, whatever was on.
pub fn set_mouse(caps: &Caps, mode: Mouse, out: &mut Vec<u8>) {
    if !caps.has(Features::MOUSE) {
        return;
    }
    mouse_off(out);
    out.extend_from_slice(match mode {
        Mouse::Off => b"",
        Mouse::Buttons => b"\x1b[?1000h\x1b[?1006h",
        Mouse::Drag => b"\x1b[?1000h\x1b[?1002h\x1b[?1006h".as_slice(),
        Mouse::All => b"\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h",
    });
}

/// Longest title in bytes; the rest is cut.
pub const MAX_TITLE: usize = 1024;

/// Sets the title (OSC 2). Control characters are left out.
pub fn set_title(caps: &Caps, title: &str, out: &mut Vec<u8>) {
    if !caps.has(Features::TITLE) {
        return;
    }
    out.extend_from_slice(b"\x1b]2;");
    let end = out.len() + MAX_TITLE;
    let mut buf = [0; 4];
    for c in title.chars().filter(|c| !c.is_control()) {
        if out.len() + c.len_utf8() > end {
            break;
        }
        out.extend_from_slice(c.encode_utf8(&mut buf).as_bytes());
    }
    out.push(7);
}

/// Sets a selection (OSC 52); `selection` is of `cpqs0-7`, empty: the terminal's choice. False if it cannot.
pub fn clipboard(caps: &Caps, selection: &str, data: &[u8], out: &mut Vec<u8>) -> bool {
    if !caps.has(Features::CLIPBOARD) || !selection.bytes().all(|b| b"cpqs01234567".contains(&b)) {
        return false;
    }
    put(out, format_args!("\x1b]52;{selection};"));
    out.extend_from_slice(base64::engine::general_purpose::STANDARD.encode(data).as_bytes());
    out.push(7);
    true
}

/// Asks for the clipboard (OSC 52 `?`). False if it cannot.
pub fn ask_clipboard(caps: &Caps, out: &mut Vec<u8>) -> bool {
    let can = caps.has(Features::CLIPBOARD);
    if can {
        out.extend_from_slice(b"\x1b]52;;?\x07");
    }
    can
}

/// OSC 9;4: state 0 none, 1 normal, 2 error, 3 indeterminate, 4 paused; percent 0 to 100.
pub fn progress(caps: &Caps, state: u8, percent: u8, out: &mut Vec<u8>) {
    if caps.has(Features::PROGRESSBAR) && state <= 4 {
        put(out, format_args!("\x1b]9;4;{state};{}\x1b\\", percent.min(100)));
    }
}

/// OSC 7: the working directory as a `file:` URI. One with characters outside printable ASCII is not sent.
pub fn working_directory(caps: &Caps, uri: &str, out: &mut Vec<u8>) {
    if caps.has(Features::OSC7) && uri.bytes().all(|b| (0x20..0x7f).contains(&b)) {
        put(out, format_args!("\x1b]7;{uri}\x07"));
    }
}

pub fn bell(out: &mut Vec<u8>) {
    out.push(7);
}
