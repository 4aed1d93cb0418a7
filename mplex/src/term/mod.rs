//! The terminal emulator: bytes in, grid and modes changed, replies and notices out as data. Knows no pane or client.
//!
//! [`Terminal::feed`] takes what a program wrote. Ground text and plain control sequences go straight to the screen
//! (`feed.rs`), the rest of CSI and ESC through `vte`; strings (OSC, DCS, APC) are collected under a limit and read in
//! `string.rs`. The screen itself is in `state.rs`, control sequences in `csi.rs`, the form of `capture-pane` in
//! `capture.rs`.

mod capture;
mod charset;
mod colour;
mod csi;
mod feed;
mod modes;
mod resize;
mod state;
mod string;

#[cfg(test)]
mod tests;

pub use capture::{Capture, dump};
pub use colour::parse_colour;
pub use modes::Modes;

use crate::base::{Colour, Rev, Size, Style};
use crate::grid::{Command, History, Interned, Limits, Lines, Matcher, Row, RowBuf, Screen, Snapshot, View};
use state::State;

/// Something a program said to its terminal that concerns more than the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    Bell,
    /// OSC 0 or 2, a popped title, or APC as in screen: [`Terminal::title`] is this now.
    Title(String),
    /// OSC 1: [`Terminal::icon`] moved.
    Icon,
    /// OSC 7: [`Terminal::path`] moved.
    Path,
    /// `ESC k name ESC \`: the window's name; empty asks for the automatic one.
    Rename(String),
    /// `DCS tmux; ... ST`: bytes for the outer terminal, unescaped.
    Passthrough(Vec<u8>),
    /// OSC 52 with data.
    Clipboard {
        /// Letters of the selections; may be empty.
        selection: String,
        data: Vec<u8>,
    },
    /// OSC 52 with `?`: answer with [`Terminal::clipboard_reply`].
    ClipboardQuery {
        selection: String,
        bell: bool,
    },
    /// A query for a colour that the terminal was not told (OSC 4, 10, 11, 12): answer with [`Terminal::colour_reply`].
    ColourQuery {
        colour: ColourSlot,
        bell: bool,
    },
    /// OSC 9, 777 or 99.
    Notify {
        title: String,
        body: String,
    },
    /// OSC 9;4: [`Terminal::progress`] moved.
    Progress,
    /// OSC 133;A.
    Prompt,
    /// OSC 133;C.
    CommandStarted,
    /// OSC 133;D with the exit status.
    CommandFinished(u8),
    /// Colours that programs set moved (OSC 4, 10, 11, 12, 104, 110, 111, 112).
    Colours,
    /// Mode 2026 was set or reset.
    Sync(bool),
    /// Mode 2031 was set.
    ThemeWanted,
    /// `CSI ? 996 n` while the theme is not known: answer with [`Terminal::theme_reply`].
    ThemeQuery,
    /// The alternate screen was entered or left.
    Alternate(bool),
    /// RIS.
    Reset,
}

/// A colour that a program may set or ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColourSlot {
    Foreground,
    Background,
    Cursor,
    Index(u8),
}

/// What comes out of [`Terminal::feed`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Bytes for the program, in order.
    pub replies: Vec<u8>,
    pub notices: Vec<Notice>,
}

/// Replies or notices beyond this are dropped until they are taken: a program that asks and does not read.
pub(crate) const MOST_REPLIES: usize = 1 << 20;
pub(crate) const MOST_NOTICES: usize = 4096;

/// The shape of the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Shape {
    /// What the outer terminal has.
    #[default]
    Default,
    Block,
    Underline,
    Bar,
}

/// The cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Always inside the screen.
    pub x: u16,
    pub y: u16,
    /// The last column was written: the next character goes to the next row.
    pub pending_wrap: bool,
    pub visible: bool,
    pub shape: Shape,
    /// `None`: as the outer terminal does.
    pub blink: Option<bool>,
    /// OSC 12; `None`: the default.
    pub colour: Option<Colour>,
}

/// What DECSC keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SavedCursor {
    pub x: u16,
    pub y: u16,
    pub pending_wrap: bool,
    pub style: Style,
    pub origin: bool,
}

/// Which mouse events a program wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MouseTracking {
    #[default]
    Off,
    /// Presses only (9).
    X10,
    /// Presses and releases (1000).
    Normal,
    /// Also motion with a button down (1002).
    Button,
    /// All motion (1003).
    Any,
}

/// How mouse events are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MouseEncoding {
    #[default]
    Default,
    /// 1005.
    Utf8,
    /// 1006.
    Sgr,
    /// 1015.
    Urxvt,
    /// 1016.
    SgrPixels,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mouse {
    pub tracking: MouseTracking,
    pub encoding: MouseEncoding,
}

/// OSC 9;4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Progress {
    /// 0 none, 1 normal, 2 error, 3 indeterminate, 4 paused.
    pub state: u8,
    /// 0 to 100 as last given.
    pub value: u8,
}

/// Colours that a program changed; `None` is the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Colours {
    pub fg: Option<Colour>,
    pub bg: Option<Colour>,
    pub cursor: Option<Colour>,
    /// Indexes that differ from the outer terminal's palette, in order.
    pub palette: Vec<(u8, Colour)>,
}

impl Colours {
    /// The colour of an index, if a program or an option changed it.
    pub fn index(&self, n: u8) -> Option<Colour> {
        self.palette.binary_search_by_key(&n, |p| p.0).ok().map(|i| self.palette[i].1)
    }
}

/// tmux's `extended-keys`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ExtendedKeys {
    #[default]
    Off,
    On,
    Always,
}

/// Options that change how the terminal answers. Set the whole with [`Terminal::set`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// As in DECSCUSR, 0 to 6; what a cursor is that no program changed.
    pub cursor_style: u8,
    pub cursor_colour: Option<Colour>,
    pub extended_keys: ExtendedKeys,
    pub allow_passthrough: bool,
    pub allow_rename: bool,
    pub allow_title: bool,
    /// `alternate-screen`: off keeps programs on the main screen.
    pub allow_alternate: bool,
    /// `set-clipboard`: programs may set the clipboard.
    pub allow_clipboard: bool,
    /// `scroll-on-clear`: a cleared main screen goes to history.
    pub scroll_on_clear: bool,
    /// Long lines are laid out anew when the width changes.
    pub reflow: bool,
    /// A cell in pixels, for XTWINOPS 14 and 16; 0 is not known.
    pub cell_pixels: (u16, u16),
    /// Colours of the outer terminal, to answer OSC 10 and 11; `None` asks by a notice.
    pub foreground: Option<Colour>,
    pub background: Option<Colour>,
    /// `pane-colours`: indexes that an option changed, in order.
    pub palette: Vec<(u8, Colour)>,
    /// Answer to `CSI ? 996 n`.
    pub dark: Option<bool>,
    /// Longest OSC, DCS or APC in bytes; longer ones are dropped whole.
    pub string_limit: usize,
    /// The answer to XTVERSION, without the wrapping.
    pub version: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            cursor_style: 0,
            cursor_colour: None,
            extended_keys: ExtendedKeys::Off,
            allow_passthrough: false,
            allow_rename: false,
            allow_title: true,
            allow_alternate: true,
            allow_clipboard: true,
            scroll_on_clear: true,
            reflow: true,
            cell_pixels: (0, 0),
            foreground: None,
            background: None,
            palette: Vec::new(),
            dark: None,
            string_limit: 1 << 20,
            version: concat!("mplex ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}

/// A terminal: two screens, history, cursor, modes.
pub struct Terminal {
    front: feed::Front,
    state: State,
}

impl std::fmt::Debug for Terminal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terminal").field("size", &self.size()).field("rev", &self.rev()).finish_non_exhaustive()
    }
}

impl Terminal {
    /// A fresh terminal; a size of zero columns or rows is taken as one.
    pub fn new(size: Size, limits: Limits) -> Terminal {
        let size = Size::new(size.cols.max(1), size.rows.max(1));
        Terminal { front: feed::Front::default(), state: State::new(size, limits, Settings::default()) }
    }

    /// Takes bytes that the program wrote; sequences may be split anywhere.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Output) {
        if bytes.is_empty() {
            return;
        }
        self.state.begin();
        self.front.feed(&mut self.state, bytes, out);
    }

    /// Changes the options.
    pub fn set(&mut self, settings: Settings) {
        self.state.begin();
        self.state.apply(settings);
    }

    pub fn settings(&self) -> &Settings {
        &self.state.settings
    }

    /// Changes the size. The main screen is laid out anew if the settings say so, the alternate one is cut or padded.
    pub fn resize(&mut self, size: Size) {
        self.state.begin();
        self.state.resize(Size::new(size.cols.max(1), size.rows.max(1)));
    }

    pub fn size(&self) -> Size {
        self.state.scr.size()
    }

    /// Moves with each change.
    pub fn rev(&self) -> Rev {
        self.state.rev
    }

    pub fn cursor(&self) -> Cursor {
        self.state.cursor()
    }

    pub fn modes(&self) -> Modes {
        self.state.modes
    }

    pub fn mouse(&self) -> Mouse {
        let m = self.state.modes;
        let tracking = if m.contains(Modes::MOUSE_ANY) {
            MouseTracking::Any
        } else if m.contains(Modes::MOUSE_BUTTON) {
            MouseTracking::Button
        } else if m.contains(Modes::MOUSE_NORMAL) {
            MouseTracking::Normal
        } else if m.contains(Modes::MOUSE_X10) {
            MouseTracking::X10
        } else {
            MouseTracking::Off
        };
        let encoding = if m.contains(Modes::MOUSE_PIXELS) {
            MouseEncoding::SgrPixels
        } else if m.contains(Modes::MOUSE_SGR) {
            MouseEncoding::Sgr
        } else if m.contains(Modes::MOUSE_URXVT) {
            MouseEncoding::Urxvt
        } else if m.contains(Modes::MOUSE_UTF8) {
            MouseEncoding::Utf8
        } else {
            MouseEncoding::Default
        };
        Mouse { tracking, encoding }
    }

    /// The flags of the kitty keyboard protocol in force on this screen.
    pub fn kitty_flags(&self) -> u8 {
        self.state.kitty()
    }

    /// The level of modifyOtherKeys: 0, 1 or 2.
    pub fn modify_other_keys(&self) -> u8 {
        self.state.modify_other_keys
    }

    pub fn is_alternate(&self) -> bool {
        self.state.other.is_some()
    }

    /// A synchronised update (2026) is open; the caller ends the wait.
    pub fn sync_active(&self) -> bool {
        self.state.modes.contains(Modes::SYNC)
    }

    /// Ends a synchronised update that took too long.
    pub fn end_sync(&mut self) {
        self.state.begin();
        self.state.modes.remove(Modes::SYNC);
    }

    pub fn title(&self) -> &str {
        &self.state.title
    }

    /// Sets the title from outside (`select-pane -T`).
    pub fn set_title(&mut self, title: &str) {
        self.state.begin();
        self.state.title = string::clean(title);
    }

    pub fn icon(&self) -> &str {
        &self.state.icon
    }

    /// What OSC 7 said last, as it came (usually a `file:` address).
    pub fn path(&self) -> &str {
        &self.state.path
    }

    /// First and last row of the scroll region.
    pub fn scroll_region(&self) -> (u16, u16) {
        (self.state.top, self.state.bottom - 1)
    }

    /// First and last column between the margins.
    pub fn margins(&self) -> (u16, u16) {
        (self.state.left, self.state.right - 1)
    }

    /// Columns with a tab stop.
    pub fn tabs(&self) -> impl Iterator<Item = u16> + '_ {
        self.state.tabs.iter().enumerate().filter(|t| *t.1).map(|t| t.0 as u16)
    }

    /// What DECSC saved on this screen.
    pub fn saved_cursor(&self) -> Option<SavedCursor> {
        self.state.saved().map(|s| SavedCursor {
            x: s.x,
            y: s.y,
            pending_wrap: s.pending,
            style: s.pen,
            origin: s.origin,
        })
    }

    /// The cursor and rows of the main screen while the alternate one is shown.
    pub fn main_cursor(&self) -> Option<(u16, u16)> {
        self.state.other.as_ref().map(|o| (o.x, o.y))
    }

    /// The style that is written with now.
    pub fn pen(&self) -> Style {
        self.state.pen
    }

    /// Colours that programs and `pane-colours` changed.
    pub fn colours(&self) -> &Colours {
        &self.state.colours
    }

    pub fn progress(&self) -> Progress {
        self.state.progress
    }

    /// The screen that is shown.
    pub fn screen(&self) -> &Screen {
        &self.state.scr
    }

    /// A row of the screen that is shown; `y` is inside.
    pub fn row(&self, y: u16) -> Row<'_> {
        self.state.scr.row(y)
    }

    /// What the shell said of a row of the screen.
    pub fn command(&self, y: u16) -> Option<&Command> {
        self.state.scr.command(y)
    }

    /// Styles, clusters and links that the cells of [`Terminal::row`] name.
    pub fn names(&self) -> &Interned {
        &self.state.names
    }

    /// How many rows left the top by scrolls of the whole screen, ever.
    pub fn scrolled(&self) -> u64 {
        self.state.scrolled
    }

    pub fn clear_history(&mut self) {
        self.state.begin();
        self.state.history.clear();
        self.state.history_moved += 1;
    }

    /// Takes the links away too (`clear-history -H`).
    pub fn clear_links(&mut self) {
        self.state.begin();
        self.state.clear_links();
    }

    pub fn set_history_limit(&mut self, limits: Limits) {
        self.state.begin();
        self.state.history.set_limits(limits);
    }

    pub fn history_store(&self) -> &History {
        &self.state.history
    }

    /// Bytes that the history takes.
    pub fn history_bytes(&self) -> usize {
        self.state.history.bytes()
    }

    /// Compresses one cold block of history, well under a millisecond; false if nothing is left. For idle time.
    pub fn compress_some(&mut self) -> bool {
        self.state.history.compress_one()
    }

    /// As RIS does (`send-keys -R`); history stays.
    pub fn reset(&mut self) {
        self.state.begin();
        self.front = feed::Front::default();
        let mut out = Output::default();
        self.state.reset(&mut out);
    }

    /// Rows of history and screen, live. On the alternate screen there is no history.
    pub fn view(&self) -> View<'_> {
        let history = if self.is_alternate() { None } else { Some(&self.state.history) };
        View::live(&self.state.scr, &self.state.names, history)
    }

    /// Rows of the main screen and its history while the alternate one is shown.
    pub fn main_view(&self) -> Option<View<'_>> {
        let other = self.state.other.as_ref()?;
        Some(View::live(&other.scr, &self.state.names, Some(&self.state.history)))
    }

    /// An owned copy of [`Terminal::view`] that costs little.
    pub fn snapshot(&self) -> Snapshot {
        self.view().snapshot()
    }

    /// Bytes of an unfinished sequence (`capture-pane -P`).
    pub fn pending(&self) -> Vec<u8> {
        self.front.pending()
    }

    /// The bytes that answer an OSC 52 query.
    pub fn clipboard_reply(selection: &str, data: &[u8], bell: bool) -> Vec<u8> {
        string::clipboard_reply(selection, data, bell)
    }

    /// The bytes that answer a query for a colour, if it can be said as RGB.
    pub fn colour_reply(slot: ColourSlot, colour: Colour, bell: bool) -> Option<Vec<u8>> {
        colour::reply(slot, colour, bell)
    }

    /// The bytes that report the theme (`CSI ? 997`).
    pub fn theme_reply(dark: bool) -> Vec<u8> {
        format!("\x1b[?997;{}n", if dark { 1 } else { 2 }).into_bytes()
    }
}

impl Lines for Terminal {
    fn size(&self) -> Size {
        Terminal::size(self)
    }

    fn history(&self) -> usize {
        self.view().history()
    }

    fn row(&self, n: usize, into: &mut RowBuf) {
        self.view().row(n, into);
    }

    fn skip(&self, what: &Matcher, row: usize, dir: crate::grid::Direction) -> Option<usize> {
        self.view().skip(what, row, dir)
    }
}
