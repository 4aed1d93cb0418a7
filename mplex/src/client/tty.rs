//! The client's own terminal: its modes before us, raw mode, its size; restored when dropped, whatever happens.

use rustix::termios::{
    ControlModes, InputModes, LocalModes, OptionalActions, OutputModes, SpecialCodeIndex, Termios, isatty, tcgetattr,
    tcgetwinsize, tcsetattr, ttyname,
};

/// Undoes what a screen of ours may have left when nobody can say what was drawn: modes of the mouse, keys, paste and
/// focus off, attributes and the scroll region reset, cursor shown, back to the first screen. Terminals ignore what they
/// do not know.
const SOBER: &[u8] = b"\x1b[?2026l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?2004l\
    \x1b[?2031l\x1b[>4m\x1b[<u\x1b[?1l\x1b>\x1b[r\x1b[m\x1b(B\x0f\x1b[?7h\x1b[?25h\x1b[0 q\x1b[?1049l\r\n";

/// Standard input as a terminal.
pub struct Tty {
    path: String,
    before: Termios,
    changed: bool,
}

impl Tty {
    /// `None` when standard input is no terminal.
    pub fn of_stdin() -> Option<Tty> {
        let stdin = rustix::stdio::stdin();
        if !isatty(stdin) {
            return None;
        }
        let before = tcgetattr(stdin).ok()?;
        let path = ttyname(stdin, Vec::new()).map(|p| p.to_string_lossy().into_owned()).unwrap_or_default();
        Some(Tty { path, before, changed: false })
    }

    /// Path of the device, empty if it has none here.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Columns and rows, and pixels of a cell (0 where unknown). A terminal that knows no size is taken as 80x24.
    pub fn size(&self) -> ((u16, u16), (u16, u16)) {
        let Ok(w) = tcgetwinsize(rustix::stdio::stdin()) else { return ((80, 24), (0, 0)) };
        let cols = if w.ws_col == 0 { 80 } else { w.ws_col };
        let rows = if w.ws_row == 0 { 24 } else { w.ws_row };
        ((cols, rows), (w.ws_xpixel / cols, w.ws_ypixel / rows))
    }

    /// Every byte as it is typed, nothing changed on the way out.
    pub fn raw(&mut self) {
        let mut modes = self.before.clone();
        modes.make_raw();
        self.set(&modes);
    }

    /// The modes of control mode on a terminal (`-CC`): lines pass unechoed, CR reads as LF.
    pub fn control(&mut self) {
        let mut modes = self.before.clone();
        modes.make_raw();
        modes.input_modes = InputModes::ICRNL | InputModes::IXANY;
        modes.output_modes = OutputModes::OPOST | OutputModes::ONLCR;
        modes.local_modes = LocalModes::empty();
        modes.control_modes |= ControlModes::CREAD | ControlModes::CS8 | ControlModes::HUPCL;
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        self.set(&modes);
    }

    /// The modes as they were before us.
    pub fn restore(&mut self) {
        if self.changed {
            let before = self.before.clone();
            self.set(&before);
            self.changed = false;
        }
    }

    /// Puts a screen in order that somebody else left in disorder.
    pub fn sober_up(&mut self) {
        super::say(rustix::stdio::stdin(), SOBER);
    }

    fn set(&mut self, modes: &Termios) {
        self.changed = true;
        while tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, modes) == Err(rustix::io::Errno::INTR) {}
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        self.restore();
    }
}
