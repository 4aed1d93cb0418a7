//! Character sets that SCS designates.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Charset {
    #[default]
    Ascii,
    /// DEC special graphics.
    Graphics,
    Uk,
}

/// What `0x60` to `0x7e` draw in DEC special graphics.
const GRAPHICS: [char; 31] = [
    '◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼', '⎺', '⎻', '─', '⎼', '⎽', '├', '┤', '┴',
    '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
];

impl Charset {
    /// By the final byte of SCS; sets that are not known are ASCII.
    pub(crate) fn from_final(b: u8) -> Charset {
        match b {
            b'0' | b'2' => Charset::Graphics,
            b'A' => Charset::Uk,
            _ => Charset::Ascii,
        }
    }

    pub(crate) fn map(self, c: char) -> char {
        match self {
            Charset::Ascii => c,
            Charset::Uk if c == '#' => '£',
            Charset::Uk => c,
            Charset::Graphics => match c {
                '_' => ' ',
                '`'..='~' => GRAPHICS[c as usize - 0x60],
                _ => c,
            },
        }
    }
}
