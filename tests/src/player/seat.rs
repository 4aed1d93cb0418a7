//! A client as the player sees it: its terminal twice over, what it printed, how it ended.
//!
//! What is drawn goes to an emulator that shares no code with us and to our own. Both must show the same: an encoder and
//! an emulator of one hand could be wrong in the same way.

use mplex::base::Size;
use mplex::grid::{Limits, Lines, RowBuf};
use mplex::term::{Modes, Notice, Output, Terminal};

/// What stood in the terminal before the client came, and must stand there when it is gone.
const BEFORE: &str = "$ mplex";

/// How a client ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// `exit`, `hangup`, or `exec` with what it runs.
    pub how: String,
    pub status: u8,
    pub message: Option<String>,
}

/// A client and its terminal.
pub struct Seat {
    own: Terminal,
    foreign: vt100::Parser,
    /// It is attached: what is typed arrives.
    pub open: bool,
    /// Frames it was sent since somebody asked.
    pub frames: usize,
    /// Its terminal does not read at the moment.
    pub blocked: bool,
    held: Vec<u8>,
    pub out: Vec<u8>,
    pub err: Vec<u8>,
    /// What it has for standard input.
    pub stdin: Vec<u8>,
    pub end: Option<End>,
    /// The last text put into its clipboard.
    pub clipboard: Option<String>,
    pub bells: usize,
}

impl Seat {
    pub fn new(size: Size) -> Seat {
        let mut seat = Seat {
            own: Terminal::new(size, Limits { history_lines: 0, ..Limits::default() }),
            foreign: vt100::Parser::new(size.rows, size.cols, 0),
            open: false,
            frames: 0,
            blocked: false,
            held: Vec::new(),
            out: Vec::new(),
            err: Vec::new(),
            stdin: Vec::new(),
            end: None,
            clipboard: None,
            bells: 0,
        };
        let _ = seat.draw(BEFORE.as_bytes());
        seat
    }

    pub fn size(&self) -> Size {
        self.own.size()
    }

    pub fn resize(&mut self, size: Size) {
        self.own.resize(size);
        self.foreign.screen_mut().set_size(size.rows, size.cols);
    }

    /// Bytes for the terminal. Gives what the terminal replies, `None` if it does not take them now.
    pub fn write(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.frames += 1;
        if self.blocked {
            self.held.extend_from_slice(bytes);
            return None;
        }
        Some(self.draw(bytes))
    }

    /// The terminal reads again. Gives what it replies.
    pub fn drain(&mut self) -> Vec<u8> {
        self.blocked = false;
        let bytes = std::mem::take(&mut self.held);
        self.draw(&bytes)
    }

    fn draw(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Output::default();
        self.own.feed(bytes, &mut out);
        self.foreign.process(bytes);
        for notice in out.notices {
            match notice {
                Notice::Clipboard { data, .. } => self.clipboard = Some(String::from_utf8_lossy(&data).into_owned()),
                Notice::Bell => self.bells += 1,
                _ => {}
            }
        }
        out.replies
    }

    pub fn terminal(&self) -> &Terminal {
        &self.own
    }

    /// The rows of the screen, blanks at the ends cut; an error if the two emulators do not agree.
    pub fn screen(&self) -> Result<Vec<String>, String> {
        let own = self.own_rows();
        let foreign = self.foreign_rows();
        if own != foreign {
            let (own, foreign) = (picture(&own), picture(&foreign));
            return Err(format!("two emulators disagree about what was drawn\nours:\n{own}\nvt100:\n{foreign}"));
        }
        let (row, col) = self.foreign.screen().cursor_position();
        let cursor = self.own.cursor();
        let hidden = self.foreign.screen().hide_cursor();
        if hidden == cursor.visible || (cursor.visible && (cursor.x, cursor.y) != (col, row)) {
            return Err(format!(
                "two emulators disagree about the cursor: ours {},{} {}, vt100 {col},{row} {}",
                cursor.x,
                cursor.y,
                if cursor.visible { "visible" } else { "hidden" },
                if hidden { "hidden" } else { "visible" },
            ));
        }
        Ok(own)
    }

    fn own_rows(&self) -> Vec<String> {
        let view = self.own.view();
        let mut row = RowBuf::new();
        let first = view.history();
        (first..view.rows())
            .map(|y| {
                view.row(y, &mut row);
                row.text().trim_end().to_owned()
            })
            .collect()
    }

    fn foreign_rows(&self) -> Vec<String> {
        let screen = self.foreign.screen();
        let (rows, cols) = screen.size();
        (0..rows)
            .map(|y| {
                let mut text = String::new();
                for cell in (0..cols).filter_map(|x| screen.cell(y, x)) {
                    match cell.contents() {
                        _ if cell.is_wide_continuation() => {}
                        "" => text.push(' '),
                        contents => text.push_str(contents),
                    }
                }
                text.trim_end().to_owned()
            })
            .collect()
    }

    /// How a cell looks: attributes and colours other than the default ones.
    pub fn look(&self, x: u16, y: u16) -> Option<String> {
        let cell = self.foreign.screen().cell(y, x)?;
        let mut words = Vec::new();
        for (on, word) in [
            (cell.bold(), "bold"),
            (cell.dim(), "dim"),
            (cell.italic(), "italics"),
            (cell.underline(), "underscore"),
            (cell.inverse(), "reverse"),
        ] {
            if on {
                words.push(word.to_owned());
            }
        }
        for (name, colour) in [("fg", cell.fgcolor()), ("bg", cell.bgcolor())] {
            match colour {
                vt100::Color::Default => {}
                vt100::Color::Idx(n) => words.push(format!("{name}={n}")),
                vt100::Color::Rgb(r, g, b) => words.push(format!("{name}=#{r:02x}{g:02x}{b:02x}")),
            }
        }
        Some(if words.is_empty() { "plain".to_owned() } else { words.join(" ") })
    }

    /// What is not as the client found it; a client that is gone must have put everything back.
    pub fn left_behind(&self) -> Option<String> {
        let modes = self.own.modes();
        let asked = Modes::MOUSE_NORMAL
            | Modes::MOUSE_BUTTON
            | Modes::MOUSE_ANY
            | Modes::MOUSE_SGR
            | Modes::FOCUS
            | Modes::BRACKETED_PASTE
            | Modes::SYNC
            | Modes::CURSOR_KEYS
            | Modes::KEYPAD;
        if self.own.is_alternate() || self.foreign.screen().alternate_screen() {
            return Some("the alternate screen".to_owned());
        }
        if modes.intersects(asked) {
            return Some(format!("modes {:?}", modes & asked));
        }
        if !self.own.cursor().visible {
            return Some("a hidden cursor".to_owned());
        }
        if self.own_rows().first().is_none_or(|row| row != BEFORE) {
            return Some(format!("another screen than before:\n{}", picture(&self.own_rows())));
        }
        None
    }
}

/// Rows as they stand in a scenario.
pub fn picture(rows: &[String]) -> String {
    rows.iter().map(|row| format!("|{row}")).collect::<Vec<_>>().join("\n")
}
