//! The modes that a program sets with SM/RM and DECSET/DECRST, as a table.

bitflags::bitflags! {
    /// Modes that are on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Modes: u64 {
        /// IRM.
        const INSERT = 1;
        /// LNM.
        const NEWLINE = 1 << 1;
        /// KAM.
        const KEYBOARD_LOCK = 1 << 2;
        /// SRM: no local echo; on by default and without effect here.
        const SEND_RECEIVE = 1 << 3;
        /// DECCKM.
        const CURSOR_KEYS = 1 << 4;
        /// DECSCNM.
        const REVERSE_SCREEN = 1 << 5;
        /// DECOM.
        const ORIGIN = 1 << 6;
        /// DECAWM.
        const AUTOWRAP = 1 << 7;
        const MOUSE_X10 = 1 << 8;
        /// The program set the blinking of the cursor itself (12).
        const BLINK = 1 << 9;
        /// DECTCEM.
        const CURSOR = 1 << 10;
        /// Reverse wraparound (45).
        const REVERSE_WRAP = 1 << 11;
        /// DECNKM, DECKPAM.
        const KEYPAD = 1 << 12;
        /// DECBKM.
        const BACKARROW = 1 << 13;
        /// DECLRMM.
        const MARGINS = 1 << 14;
        const MOUSE_NORMAL = 1 << 15;
        const MOUSE_BUTTON = 1 << 16;
        const MOUSE_ANY = 1 << 17;
        const FOCUS = 1 << 18;
        const MOUSE_UTF8 = 1 << 19;
        const MOUSE_SGR = 1 << 20;
        /// Wheel as cursor keys on the alternate screen (1007).
        const ALTERNATE_SCROLL = 1 << 21;
        const MOUSE_URXVT = 1 << 22;
        const MOUSE_PIXELS = 1 << 23;
        const BRACKETED_PASTE = 1 << 24;
        /// Synchronised update (2026).
        const SYNC = 1 << 25;
        /// Theme change reports (2031).
        const THEME = 1 << 26;
        /// In-band size reports (2048).
        const SIZE_REPORTS = 1 << 27;
        /// DECCOLM may change something (40).
        const ALLOW_COLUMNS = 1 << 28;
        /// DECARM.
        const AUTOREPEAT = 1 << 29;
        /// Extended reverse wraparound (1045).
        const REVERSE_WRAP_FULL = 1 << 30;
    }
}

impl Modes {
    /// All that report mouse events.
    pub const MOUSE: Modes =
        Modes::MOUSE_X10.union(Modes::MOUSE_NORMAL).union(Modes::MOUSE_BUTTON).union(Modes::MOUSE_ANY);
    pub(crate) const INITIAL: Modes = Modes::AUTOWRAP
        .union(Modes::CURSOR)
        .union(Modes::SEND_RECEIVE)
        .union(Modes::AUTOREPEAT)
        .union(Modes::ALTERNATE_SCROLL);
}

impl Default for Modes {
    fn default() -> Modes {
        Modes::INITIAL
    }
}

/// A mode by its number.
pub(crate) struct ModeRow {
    pub(crate) private: bool,
    pub(crate) number: u16,
    pub(crate) flag: Modes,
}

const fn row(private: bool, number: u16, flag: Modes) -> ModeRow {
    ModeRow { private, number, flag }
}

/// Modes that are a flag and no more, or a flag before all. The alternate screens are not among them.
pub(crate) const MODES: &[ModeRow] = &[
    row(false, 2, Modes::KEYBOARD_LOCK),
    row(false, 4, Modes::INSERT),
    row(false, 12, Modes::SEND_RECEIVE),
    row(false, 20, Modes::NEWLINE),
    row(true, 1, Modes::CURSOR_KEYS),
    row(true, 5, Modes::REVERSE_SCREEN),
    row(true, 6, Modes::ORIGIN),
    row(true, 7, Modes::AUTOWRAP),
    row(true, 8, Modes::AUTOREPEAT),
    row(true, 9, Modes::MOUSE_X10),
    row(true, 12, Modes::BLINK),
    row(true, 25, Modes::CURSOR),
    row(true, 40, Modes::ALLOW_COLUMNS),
    row(true, 45, Modes::REVERSE_WRAP),
    row(true, 66, Modes::KEYPAD),
    row(true, 67, Modes::BACKARROW),
    row(true, 69, Modes::MARGINS),
    row(true, 1000, Modes::MOUSE_NORMAL),
    row(true, 1002, Modes::MOUSE_BUTTON),
    row(true, 1003, Modes::MOUSE_ANY),
    row(true, 1004, Modes::FOCUS),
    row(true, 1005, Modes::MOUSE_UTF8),
    row(true, 1006, Modes::MOUSE_SGR),
    row(true, 1007, Modes::ALTERNATE_SCROLL),
    row(true, 1015, Modes::MOUSE_URXVT),
    row(true, 1016, Modes::MOUSE_PIXELS),
    row(true, 1045, Modes::REVERSE_WRAP_FULL),
    row(true, 2004, Modes::BRACKETED_PASTE),
    row(true, 2026, Modes::SYNC),
    row(true, 2031, Modes::THEME),
    row(true, 2048, Modes::SIZE_REPORTS),
];

/// The flag of a mode.
pub(crate) fn flag(private: bool, number: u16) -> Option<Modes> {
    MODES.iter().find(|m| m.private == private && m.number == number).map(|m| m.flag)
}
