//! Key values and tmux's names for them.
//!
//! A key is a code and modifiers, small enough to be the key of a binding table. What a terminal said beyond that (key
//! released, layout, text) travels in [`KeyEvent`].

use std::fmt;
use std::str::FromStr;

use crate::base::Pos;

bitflags::bitflags! {
    /// Modifiers of a key. `SUPER` and `HYPER` only arrive by the kitty keyboard protocol; tmux has no names for them.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct Mods: u8 {
        const SHIFT = 1;
        const META = 2;
        const CTRL = 4;
        const SUPER = 8;
        const HYPER = 16;
    }
}

/// Highest number of a user key, as in tmux.
pub(super) const USER_MAX: u16 = 1000;

/// What is on the cap of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// A character. Tab, Enter and Escape are their control characters, Space is a space.
    Char(char),
    /// F1 to F35; beyond F12 only by the kitty protocol.
    F(u8),
    BSpace,
    BTab,
    /// Insert.
    IC,
    /// Delete.
    DC,
    Home,
    End,
    NPage,
    PPage,
    Up,
    Down,
    Left,
    Right,
    /// A key of the numeric pad by its ASCII: `/ * - + .`, digits, and `\r` for Enter.
    Kp(u8),
    /// Another functional key by its number in the kitty keyboard protocol (caps lock, media keys ...), 57344 to 63743.
    Functional(u16),
    Mouse(MouseKey),
    /// A mouse event before it is known what it hit.
    MouseAny,
    /// A drag in progress.
    Dragging,
    /// `user-keys[n]`.
    User(u16),
    /// The binding that is used when no other matches.
    Any,
    /// No key.
    None,
    /// Input that means nothing.
    Unknown,
    FocusIn,
    FocusOut,
    PasteStart,
    PasteEnd,
    DarkTheme,
    LightTheme,
}

/// A mouse action as the name of a key: `MouseDown1Pane`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MouseKey {
    pub kind: MouseKind,
    /// 1 to 3 and 6 to 11; 0 for a move and the wheel.
    pub button: u8,
    pub place: MousePlace,
}

/// What the mouse did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MouseKind {
    Move,
    Down,
    Up,
    Drag,
    DragEnd,
    WheelUp,
    WheelDown,
    SecondClick,
    DoubleClick,
    TripleClick,
}

/// What the mouse hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MousePlace {
    Pane,
    Status,
    StatusLeft,
    StatusRight,
    StatusDefault,
    Border,
    ScrollbarUp,
    ScrollbarSlider,
    ScrollbarDown,
    Empty,
    /// A control of a pane's border, 0 to 9.
    Control(u8),
}

/// A key with its modifiers: what a binding is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    pub code: Code,
    pub mods: Mods,
}

/// Whether a key went down, repeated or went up. Only the kitty protocol tells the last two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Phase {
    #[default]
    Press,
    Repeat,
    Release,
}

/// What the kitty keyboard protocol said about a key, kept so that a pane that speaks it gets the same back.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KittyRaw {
    /// Unicode of the key without modifiers, or the number of a functional key.
    pub code: u32,
    pub shifted: Option<char>,
    /// The key at the same place of a standard PC layout.
    pub base: Option<char>,
    /// The protocol's bits: shift 1, alt 2, ctrl 4, super 8, hyper 16, meta 32, caps lock 64, num lock 128.
    pub mods: u8,
    /// The text that the key makes.
    pub text: Box<str>,
}

/// A key as it was pressed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyEvent {
    pub key: Key,
    pub phase: Phase,
    /// The META of the key came as a leading ESC before a whole sequence (`ESC ESC [ A`), and goes on as one.
    pub esc_meta: bool,
    pub kitty: Option<Box<KittyRaw>>,
}

impl From<Key> for KeyEvent {
    fn from(key: Key) -> KeyEvent {
        KeyEvent { key, phase: Phase::Press, esc_meta: false, kitty: None }
    }
}

/// A mouse report of the client's terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mouse {
    /// 1 left, 2 middle, 3 right, 4 wheel up, 5 wheel down, 6 and 7 wheel left and right, 8 to 11 the rest; 0 none.
    pub button: u8,
    pub motion: bool,
    pub release: bool,
    /// Cell from 0,0.
    pub pos: Pos,
    pub mods: Mods,
}

impl Mouse {
    /// True for the buttons that are a step of a wheel.
    pub const fn is_wheel(&self) -> bool {
        matches!(self.button, 4..=7)
    }
}

impl Key {
    pub const ENTER: Key = Key::plain(Code::Char('\r'));
    pub const TAB: Key = Key::plain(Code::Char('\t'));
    pub const ESCAPE: Key = Key::plain(Code::Char('\x1b'));
    pub const SPACE: Key = Key::plain(Code::Char(' '));
    pub const ANY: Key = Key::plain(Code::Any);
    pub const NONE: Key = Key::plain(Code::None);

    pub const fn new(code: Code, mods: Mods) -> Key {
        Key { code, mods }
    }

    /// The key without modifiers.
    pub const fn plain(code: Code) -> Key {
        Key { code, mods: Mods::empty() }
    }

    pub const fn char(c: char) -> Key {
        Key::plain(Code::Char(c))
    }

    /// A character with control.
    pub const fn ctrl(c: char) -> Key {
        Key { code: Code::Char(c), mods: Mods::CTRL }
    }

    /// A character with meta.
    pub const fn meta(c: char) -> Key {
        Key { code: Code::Char(c), mods: Mods::META }
    }

    #[must_use]
    pub const fn with(self, mods: Mods) -> Key {
        Key { code: self.code, mods: self.mods.union(mods) }
    }

    pub const fn is_mouse(self) -> bool {
        matches!(self.code, Code::Mouse(_) | Code::MouseAny | Code::Dragging)
    }

    /// The character that the key types as text: a printable character without modifiers, or a digit or sign of the
    /// numeric pad.
    pub fn text(self) -> Option<char> {
        if !self.mods.is_empty() {
            return None;
        }
        match self.code {
            Code::Char(c) if !c.is_control() => Some(c),
            Code::Kp(b) if b != b'\r' => Some(b as char),
            _ => None,
        }
    }

    /// Reads a key's name as tmux does: `C-a`, `^a`, `M-Up`, `0x41`, `User1`, `MouseDown1Pane`. `None` if it is not one.
    /// Names that tmux only prints (`FocusIn`, `PasteStart`, `MouseMovePane` ...) are not names to read.
    pub fn parse(name: &str) -> Option<Key> {
        if name.eq_ignore_ascii_case("None") {
            return Some(Key::NONE);
        }
        if name.eq_ignore_ascii_case("Any") {
            return Some(Key::ANY);
        }
        if let Some(hex) = name.strip_prefix("0x") {
            return parse_hex(hex);
        }
        let mut mods = Mods::empty();
        let mut rest = name;
        if let Some(after) = name.strip_prefix('^')
            && !after.is_empty()
        {
            mods |= Mods::CTRL;
            if after.len() == 1 {
                // The short form takes the letter in either case.
                return Some(Key::ctrl(after.chars().next()?.to_ascii_lowercase()));
            }
            rest = after;
        }
        loop {
            let bytes = rest.as_bytes();
            if bytes.len() > 1 && bytes[1] == b'-' {
                mods |= match bytes[0] {
                    b'C' | b'c' => Mods::CTRL,
                    b'M' | b'm' => Mods::META,
                    b'S' | b's' => Mods::SHIFT,
                    _ => return None,
                };
                rest = &rest[2..];
            } else if let Some(r) = strip_word(rest, "Super-") {
                mods |= Mods::SUPER;
                rest = r;
            } else if let Some(r) = strip_word(rest, "Hyper-") {
                mods |= Mods::HYPER;
                rest = r;
            } else {
                break;
            }
        }
        let mut chars = rest.chars();
        let first = chars.next()?;
        if chars.next().is_none() {
            return ((first as u32) >= 0x20).then(|| Key::new(Code::Char(first), mods));
        }
        if !first.is_ascii() {
            return None;
        }
        code_of_name(rest).map(|code| Key::new(code, mods))
    }
}

/// `0x` and a number: a control character as itself, else the character of that code point. What follows the digits is
/// not looked at, as in tmux.
fn parse_hex(hex: &str) -> Option<Key> {
    let end = hex.bytes().position(|b| !b.is_ascii_hexdigit()).unwrap_or(hex.len());
    let code = u32::from_str_radix(&hex[..end], 16).ok()?;
    char::from_u32(code).map(Key::char)
}

fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len())?;
    (head.eq_ignore_ascii_case(word) && text.len() > word.len()).then(|| &text[word.len()..])
}

/// Names and codes; the first name of a code is the one that is printed.
const NAMES: &[(&str, Code)] = &[
    ("IC", Code::IC),
    ("Insert", Code::IC),
    ("DC", Code::DC),
    ("Delete", Code::DC),
    ("Home", Code::Home),
    ("End", Code::End),
    ("NPage", Code::NPage),
    ("PageDown", Code::NPage),
    ("PgDn", Code::NPage),
    ("PPage", Code::PPage),
    ("PageUp", Code::PPage),
    ("PgUp", Code::PPage),
    ("BTab", Code::BTab),
    ("Space", Code::Char(' ')),
    ("BSpace", Code::BSpace),
    ("Tab", Code::Char('\t')),
    ("Enter", Code::Char('\r')),
    ("Escape", Code::Char('\x1b')),
    ("Up", Code::Up),
    ("Down", Code::Down),
    ("Left", Code::Left),
    ("Right", Code::Right),
    ("KPEnter", Code::Kp(b'\r')),
];

/// Names of the control characters that are no keys of their own, by code. (`ASC` is tmux's spelling.)
const C0: [&str; 32] = [
    "[NUL]", "[SOH]", "[STX]", "[ETX]", "[EOT]", "[ENQ]", "[ASC]", "[BEL]", "[BS]", "Tab", "[LF]", "[VT]", "[FF]",
    "Enter", "[SO]", "[SI]", "[DLE]", "[DC1]", "[DC2]", "[DC3]", "[DC4]", "[NAK]", "[SYN]", "[ETB]", "[CAN]", "[EM]",
    "[SUB]", "Escape", "[FS]", "[GS]", "[RS]", "[US]",
];

/// Names that are printed and never read.
const PRINTED: &[(&str, Code)] = &[
    ("None", Code::None),
    ("Unknown", Code::Unknown),
    ("Any", Code::Any),
    ("FocusIn", Code::FocusIn),
    ("FocusOut", Code::FocusOut),
    ("PasteStart", Code::PasteStart),
    ("PasteEnd", Code::PasteEnd),
    ("ReportDarkTheme", Code::DarkTheme),
    ("ReportLightTheme", Code::LightTheme),
    ("Mouse", Code::MouseAny),
    ("Dragging", Code::Dragging),
];

/// Words of mouse actions; longer ones before their heads.
const KINDS: &[(&str, MouseKind)] = &[
    ("MouseDragEnd", MouseKind::DragEnd),
    ("MouseDrag", MouseKind::Drag),
    ("MouseDown", MouseKind::Down),
    ("MouseUp", MouseKind::Up),
    ("MouseMove", MouseKind::Move),
    ("WheelUp", MouseKind::WheelUp),
    ("WheelDown", MouseKind::WheelDown),
    ("SecondClick", MouseKind::SecondClick),
    ("DoubleClick", MouseKind::DoubleClick),
    ("TripleClick", MouseKind::TripleClick),
];

const PLACES: &[(&str, MousePlace)] = &[
    ("Pane", MousePlace::Pane),
    ("Status", MousePlace::Status),
    ("StatusLeft", MousePlace::StatusLeft),
    ("StatusRight", MousePlace::StatusRight),
    ("StatusDefault", MousePlace::StatusDefault),
    ("ScrollbarUp", MousePlace::ScrollbarUp),
    ("ScrollbarSlider", MousePlace::ScrollbarSlider),
    ("ScrollbarDown", MousePlace::ScrollbarDown),
    ("Empty", MousePlace::Empty),
    ("Border", MousePlace::Border),
];

fn code_of_name(name: &str) -> Option<Code> {
    if let Some((_, code)) = NAMES.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)) {
        return Some(*code);
    }
    if let Some(c) = C0.iter().position(|n| n.eq_ignore_ascii_case(name)) {
        return Some(Code::Char(c as u8 as char));
    }
    let bytes = name.as_bytes();
    if matches!(bytes[0], b'F' | b'f')
        && bytes.len() <= 3
        && bytes[1..].iter().all(u8::is_ascii_digit)
        && bytes[1] != b'0'
    {
        return name[1..].parse().ok().filter(|n| (1..=35).contains(n)).map(Code::F);
    }
    if let Some(kp) = strip_word(name, "KP")
        && let [b @ (b'/' | b'*' | b'-' | b'+' | b'.' | b'0'..=b'9')] = kp.as_bytes()
    {
        return Some(Code::Kp(*b));
    }
    // Unlike the table's, these two words are not read in another case; blanks before the number and anything behind it
    // are let pass, as tmux's scanf does.
    if let Some(n) = name.strip_prefix("User") {
        let n = n.trim_start_matches([' ', '\t']);
        let end = n.bytes().position(|b| !b.is_ascii_digit()).unwrap_or(n.len());
        return n[..end].parse().ok().filter(|n| *n <= USER_MAX).map(Code::User);
    }
    if let Some(n) = name.strip_prefix("Key") {
        return n.parse().ok().filter(|n| (57344..=63743).contains(n)).map(Code::Functional);
    }
    for (word, kind) in KINDS {
        if *kind == MouseKind::Move {
            continue;
        }
        if let Some(rest) = strip_word(name, word) {
            return mouse_of_name(*kind, rest).map(Code::Mouse);
        }
    }
    None
}

fn mouse_of_name(kind: MouseKind, rest: &str) -> Option<MouseKey> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let button = match (kind, &rest[..digits]) {
        (MouseKind::WheelUp | MouseKind::WheelDown, "") => 0,
        (MouseKind::WheelUp | MouseKind::WheelDown, _) => return None,
        (_, "1") => 1,
        (_, "2") => 2,
        (_, "3") => 3,
        (_, "6") => 6,
        (_, "7") => 7,
        (_, "8") => 8,
        (_, "9") => 9,
        (_, "10") => 10,
        (_, "11") => 11,
        _ => return None,
    };
    let word = &rest[digits..];
    if let Some((_, place)) = PLACES.iter().find(|(n, _)| n.eq_ignore_ascii_case(word)) {
        return Some(MouseKey { kind, button, place: *place });
    }
    let n = strip_word(word, "Control")?;
    match n.as_bytes() {
        [d @ b'0'..=b'9'] => Some(MouseKey { kind, button, place: MousePlace::Control(d - b'0') }),
        _ => None,
    }
}

impl fmt::Display for MouseKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = KINDS.iter().find(|(_, k)| *k == self.kind).map_or("Mouse", |(n, _)| n);
        f.write_str(kind)?;
        if self.button != 0 {
            write!(f, "{}", self.button)?;
        }
        match self.place {
            MousePlace::Control(n) => write!(f, "Control{n}"),
            place => f.write_str(PLACES.iter().find(|(_, p)| *p == place).map_or("", |(n, _)| n)),
        }
    }
}

/// tmux's name of the key. For every key that can be bound, [`Key::parse`] reads it back.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (bit, word) in [
            (Mods::CTRL, "C-"),
            (Mods::META, "M-"),
            (Mods::SHIFT, "S-"),
            (Mods::SUPER, "Super-"),
            (Mods::HYPER, "Hyper-"),
        ] {
            if self.mods.contains(bit) {
                f.write_str(word)?;
            }
        }
        if let Some((name, _)) = NAMES.iter().chain(PRINTED).find(|(_, c)| *c == self.code) {
            return f.write_str(name);
        }
        match self.code {
            Code::Char(c) if (c as u32) < 32 => f.write_str(C0[c as usize]),
            Code::Char(c) => write!(f, "{c}"),
            Code::F(n) => write!(f, "F{n}"),
            Code::Kp(b) => write!(f, "KP{}", b as char),
            Code::User(n) => write!(f, "User{n}"),
            Code::Functional(n) => write!(f, "Key{n}"),
            Code::Mouse(m) => write!(f, "{m}"),
            _ => f.write_str("Unknown"),
        }
    }
}

/// The name is not one of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadKey(pub String);

impl fmt::Display for BadKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown key: {}", self.0)
    }
}

impl std::error::Error for BadKey {}

impl FromStr for Key {
    type Err = BadKey;
    fn from_str(name: &str) -> Result<Key, BadKey> {
        Key::parse(name).ok_or_else(|| BadKey(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, printed: &str) {
        let key = Key::parse(name).map_or_else(|| "-".to_owned(), |k| k.to_string());
        assert_eq!(key, printed, "name {name:?}");
        if printed != "-" {
            assert_eq!(Key::parse(printed), Key::parse(name), "printed {printed:?} reads back");
        }
    }

    #[test]
    fn names_read_and_print() {
        for (name, printed) in [
            ("0x41", "A"),
            ("0x1b", "Escape"),
            ("0x01", "[SOH]"),
            ("0xe9", "é"),
            ("0x1F600", "😀"),
            ("0x20", "Space"),
            ("0x1F468x", "👨"),
            ("0xD800", "-"),
            ("0x110000", "-"),
            ("0x", "-"),
            ("^a", "C-a"),
            ("^A", "C-a"),
            ("^[", "C-["),
            ("^?", "C-?"),
            ("^^", "C-^"),
            ("^", "^"),
            ("^é", "C-é"),
            ("^C-x", "C-x"),
            ("^M-x", "C-M-x"),
            ("^Enter", "C-Enter"),
            ("M-C-x", "C-M-x"),
            ("C-C-a", "C-a"),
            ("c-a", "C-a"),
            ("C-A", "C-A"),
            ("C-S-a", "C-S-a"),
            ("S-a", "S-a"),
            ("S-M-C-F1", "C-M-S-F1"),
            ("C--", "C--"),
            ("-", "-"),
            ("M--", "M--"),
            ("C-", "-"),
            ("x-", "-"),
            ("C-0x41", "-"),
            ("C-Any", "-"),
            ("any", "Any"),
            ("none", "None"),
            ("User5", "User5"),
            ("User1000", "User1000"),
            ("User1001", "-"),
            ("User5x", "User5"),
            ("User 7", "User7"),
            ("user3", "-"),
            ("User", "-"),
            ("C-Space", "C-Space"),
            ("C-Tab", "C-Tab"),
            ("BTab", "BTab"),
            ("bspace", "BSpace"),
            ("M-Insert", "M-IC"),
            ("Delete", "DC"),
            ("Pgup", "PPage"),
            ("PageDown", "NPage"),
            ("KP7", "KP7"),
            ("kp*", "KP*"),
            ("KPEnter", "KPEnter"),
            ("KPx", "-"),
            ("F12", "F12"),
            ("F0", "-"),
            ("F36", "-"),
            ("[nul]", "[NUL]"),
            ("FocusIn", "-"),
            ("PasteStart", "-"),
            ("Mouse", "-"),
            ("MouseMovePane", "-"),
            ("MouseDown1pane", "MouseDown1Pane"),
            ("C-MouseDown1Pane", "C-MouseDown1Pane"),
            ("MouseDown4Pane", "-"),
            ("MouseDown0Pane", "-"),
            ("MouseDragEnd11ScrollbarSlider", "MouseDragEnd11ScrollbarSlider"),
            ("MouseDrag3StatusDefault", "MouseDrag3StatusDefault"),
            ("TripleClick1Control9", "TripleClick1Control9"),
            ("SecondClick2Empty", "SecondClick2Empty"),
            ("WheelUpStatus", "WheelUpStatus"),
            ("WheelUp1Pane", "-"),
            ("MouseDown1Control10", "-"),
            ("\u{7f}", "\u{7f}"),
            ("ab", "-"),
            ("éa", "-"),
            ("", "-"),
            ("Super-v", "Super-v"),
            ("C-Hyper-Up", "C-Hyper-Up"),
        ] {
            check(name, printed);
        }
    }

    #[test]
    fn names_that_are_only_printed() {
        assert_eq!(Key::plain(Code::FocusIn).to_string(), "FocusIn");
        assert_eq!(Key::plain(Code::DarkTheme).to_string(), "ReportDarkTheme");
        let m = MouseKey { kind: MouseKind::Move, button: 0, place: MousePlace::Border };
        assert_eq!(Key::plain(Code::Mouse(m)).to_string(), "MouseMoveBorder");
    }
}
