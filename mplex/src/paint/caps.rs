//! What a client's terminal can do: rows of features under tmux's names, rows of known terminals, and what follows from both.
//!
//! It must not read the environment or the terminal: TERM, COLORTERM, feature lists and replies are handed in.

use crate::base::{Attrs, Colour, ColourKind, Style, style::Underline};

bitflags::bitflags! {
    /// Features with a name that a user can add or remove (`terminal-features`, `-T`).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Features: u32 {
        const C256 = 1;
        const BPASTE = 1 << 1;
        const CCOLOUR = 1 << 2;
        const CLIPBOARD = 1 << 3;
        const HYPERLINKS = 1 << 4;
        const CSTYLE = 1 << 5;
        const EXTKEYS = 1 << 6;
        const FOCUS = 1 << 7;
        const IGNOREFKEYS = 1 << 8;
        const MARGINS = 1 << 9;
        const MOUSE = 1 << 10;
        const OSC7 = 1 << 11;
        const OVERLINE = 1 << 12;
        const PROGRESSBAR = 1 << 13;
        const RECTFILL = 1 << 14;
        const RGB = 1 << 15;
        const SIXEL = 1 << 16;
        const STRIKETHROUGH = 1 << 17;
        const SYNC = 1 << 18;
        const TITLE = 1 << 19;
        const USSTYLE = 1 << 20;
    }
}

bitflags::bitflags! {
    /// What a terminal does that has no name for users.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Quirks: u32 {
        /// Erasing and scrolling use the current background.
        const BCE = 1;
        /// ECH.
        const ECH = 1 << 1;
        /// REP.
        const REP = 1 << 2;
        /// CHA and VPA.
        const CHA = 1 << 3;
        /// SU and SD.
        const SU = 1 << 4;
        /// The cursor waits at the last column until the next character (terminfo `xenl`).
        const XENL = 1 << 5;
        /// DECAWM can be turned off and on.
        const AWM = 1 << 6;
        /// Alternate screen, mode 1049.
        const ALT = 1 << 7;
        /// SGR can turn single attributes off (22 to 29).
        const SGR_OFF = 1 << 8;
        /// DECSTBM.
        const REGION = 1 << 9;
        /// DECTCEM.
        const TCEM = 1 << 10;
        /// DECCKM and DECKPAM.
        const KEYPAD = 1 << 11;
        const ITALIC = 1 << 12;
        const DIM = 1 << 13;
        /// 8 colours.
        const C8 = 1 << 14;
        /// 16 colours by SGR 90 to 107.
        const C16 = 1 << 15;
        /// Answers DA, XTVERSION, DECRQM and OSC queries, or at least ignores them.
        const QUERY = 1 << 16;
        /// Can place the cursor and clear; without it nothing can be drawn.
        const SCREEN = 1 << 17;
    }
}

/// A row of the table of features.
pub struct Feature {
    pub name: &'static str,
    pub bit: Features,
    pub doc: &'static str,
}

macro_rules! features {
    ($($name:literal $bit:ident $doc:literal;)+) => {
        /// Every feature with a name, in the order of the names.
        pub const FEATURES: &[Feature] =
            &[$(Feature { name: $name, bit: Features::$bit, doc: $doc }),+];
    };
}

features! {
    "256" C256 "256 colours with SGR 38;5 and 48;5";
    "bpaste" BPASTE "bracketed paste, mode 2004";
    "ccolour" CCOLOUR "setting the cursor colour with OSC 12";
    "clipboard" CLIPBOARD "setting the clipboard with OSC 52";
    "cstyle" CSTYLE "setting the cursor style with DECSCUSR";
    "extkeys" EXTKEYS "extended keys, xterm's modifyOtherKeys";
    "focus" FOCUS "focus reports, mode 1004";
    "hyperlinks" HYPERLINKS "hyperlinks with OSC 8";
    "ignorefkeys" IGNOREFKEYS "function keys are not taken from terminfo";
    "margins" MARGINS "left and right margins, DECLRMM";
    "mouse" MOUSE "mouse reports, modes 1000 to 1006";
    "osc7" OSC7 "working directory with OSC 7";
    "overline" OVERLINE "overline, SGR 53";
    "progressbar" PROGRESSBAR "progress bar with OSC 9;4";
    "rectfill" RECTFILL "filling a rectangle with DECFRA";
    "RGB" RGB "24-bit colours with SGR 38;2 and 48;2";
    "sixel" SIXEL "sixel images";
    "strikethrough" STRIKETHROUGH "strikethrough, SGR 9";
    "sync" SYNC "synchronized updates, mode 2026";
    "title" TITLE "setting the title with OSC 2";
    "usstyle" USSTYLE "underline styles and colours, SGR 4:n and 58";
}

/// What a capability of terminfo or of tmux's own says about a terminal: features and quirks.
struct Capability {
    names: &'static [&'static str],
    features: Features,
    quirks: Quirks,
}

const fn feature(names: &'static [&'static str], features: Features) -> Capability {
    Capability { names, features, quirks: Quirks::empty() }
}

const fn quirk(names: &'static [&'static str], quirks: Quirks) -> Capability {
    Capability { names, features: Features::empty(), quirks }
}

/// The capabilities that `terminal-overrides` can add or take away here.
const CAPABILITIES: &[Capability] = &[
    feature(&["Tc", "RGB", "setrgbf", "setrgbb"], Features::RGB),
    feature(&["Ms"], Features::CLIPBOARD),
    feature(&["Ss", "Se"], Features::CSTYLE),
    feature(&["Cs", "Cr"], Features::CCOLOUR),
    feature(&["Smulx", "Setulc", "Setulc1"], Features::USSTYLE),
    feature(&["Hls"], Features::HYPERLINKS),
    feature(&["Smol"], Features::OVERLINE),
    feature(&["smxx"], Features::STRIKETHROUGH),
    feature(&["Sync"], Features::SYNC),
    feature(&["Rect"], Features::RECTFILL),
    feature(&["Enmg", "Dsmg", "Clmg", "Cmg"], Features::MARGINS),
    feature(&["Enbp", "Dsbp"], Features::BPASTE),
    feature(&["Enfcs", "Dsfcs"], Features::FOCUS),
    feature(&["Eneks", "Dseks"], Features::EXTKEYS),
    feature(&["Spb"], Features::PROGRESSBAR),
    feature(&["tsl", "fsl"], Features::TITLE),
    feature(&["kmous"], Features::MOUSE),
    quirk(&["smcup", "rmcup"], Quirks::ALT),
    quirk(&["smkx", "rmkx"], Quirks::KEYPAD),
    quirk(&["civis", "cnorm"], Quirks::TCEM),
    quirk(&["bce"], Quirks::BCE),
    quirk(&["ech"], Quirks::ECH),
    quirk(&["rep"], Quirks::REP),
    quirk(&["hpa", "vpa"], Quirks::CHA),
    quirk(&["indn", "rin"], Quirks::SU),
    quirk(&["csr"], Quirks::REGION),
    quirk(&["sitm"], Quirks::ITALIC),
    quirk(&["dim"], Quirks::DIM),
    quirk(&["xenl"], Quirks::XENL),
    // Without automatic margins the last cell of the screen is left alone, as tmux does.
    quirk(&["am"], Quirks::XENL.union(Quirks::AWM)),
];

/// How colours can be drawn, best last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colours {
    #[default]
    None,
    Eight,
    Sixteen,
    Indexed,
    Rgb,
}

/// A row of the table of terminals: how TERM or XTVERSION begins, and what it says.
struct Known {
    /// Beginning of TERM; a longer match wins.
    term: &'static str,
    /// Beginning of the XTVERSION reply; empty: none.
    version: &'static str,
    features: Features,
    quirks: Quirks,
}

const VT: Quirks = Quirks::XENL.union(Quirks::REGION).union(Quirks::AWM).union(Quirks::KEYPAD).union(Quirks::SCREEN);
const VT220: Quirks = VT.union(Quirks::TCEM).union(Quirks::SGR_OFF).union(Quirks::ECH);
const ANSI: Quirks = VT220.union(Quirks::CHA).union(Quirks::C8);
const XTERM: Quirks = ANSI
    .union(Quirks::BCE)
    .union(Quirks::SU)
    .union(Quirks::ALT)
    .union(Quirks::ITALIC)
    .union(Quirks::DIM)
    .union(Quirks::C16)
    .union(Quirks::QUERY);
const REAL_XTERM: Quirks = XTERM.union(Quirks::REP);
/// A screen inside another program: no BCE, one must not count on more than it says.
const SCREEN: Quirks = XTERM.difference(Quirks::BCE).difference(Quirks::ECH);

const BASIC: Features = Features::BPASTE.union(Features::MOUSE).union(Features::TITLE);
const XTERM_F: Features = BASIC
    .union(Features::CLIPBOARD)
    .union(Features::CCOLOUR)
    .union(Features::CSTYLE)
    .union(Features::FOCUS)
    .union(Features::STRIKETHROUGH);
const MODERN: Features = XTERM_F
    .union(Features::C256)
    .union(Features::RGB)
    .union(Features::EXTKEYS)
    .union(Features::USSTYLE)
    .union(Features::HYPERLINKS);

macro_rules! f {
    ($base:ident $(+ $bit:ident)*) => { $base$(.union(Features::$bit))* };
}

const KNOWN: &[Known] = &[
    Known { term: "dumb", version: "", features: Features::empty(), quirks: Quirks::empty() },
    Known { term: "vt100", version: "", features: Features::empty(), quirks: VT },
    Known { term: "vt102", version: "", features: Features::empty(), quirks: VT },
    Known { term: "vt220", version: "", features: Features::empty(), quirks: VT220 },
    Known { term: "ansi", version: "", features: Features::empty(), quirks: Quirks::SCREEN.union(Quirks::C8) },
    Known {
        term: "linux",
        version: "",
        features: Features::empty(),
        quirks: ANSI.union(Quirks::BCE).union(Quirks::DIM),
    },
    Known { term: "screen", version: "", features: BASIC, quirks: SCREEN.difference(Quirks::ITALIC) },
    Known { term: "tmux", version: "tmux ", features: f!(MODERN + OVERLINE + PROGRESSBAR), quirks: SCREEN },
    Known { term: "xterm", version: "", features: XTERM_F, quirks: XTERM },
    // The real xterm ignores OSC 8 and 2026; it has left and right margins and rectangles.
    Known {
        term: "",
        version: "XTerm(",
        features: f!(XTERM_F + C256 + RGB + EXTKEYS + MARGINS + RECTFILL),
        quirks: REAL_XTERM,
    },
    Known { term: "rxvt", version: "rxvt", features: f!(BASIC + C256 + CCOLOUR + CSTYLE + IGNOREFKEYS), quirks: XTERM },
    Known { term: "foot", version: "foot(", features: f!(MODERN + SYNC + OSC7 + OVERLINE), quirks: REAL_XTERM },
    Known { term: "alacritty", version: "alacritty", features: f!(MODERN + SYNC), quirks: XTERM },
    Known { term: "xterm-kitty", version: "kitty(", features: f!(MODERN + SYNC + OSC7), quirks: REAL_XTERM },
    Known { term: "wezterm", version: "WezTerm ", features: f!(MODERN + SYNC + OSC7 + OVERLINE), quirks: XTERM },
    Known {
        term: "xterm-ghostty",
        version: "ghostty ",
        features: f!(MODERN + SYNC + OVERLINE + OSC7 + PROGRESSBAR),
        quirks: REAL_XTERM,
    },
    Known { term: "ghostty", version: "", features: f!(MODERN + SYNC + OVERLINE + OSC7 + PROGRESSBAR), quirks: XTERM },
    Known {
        term: "iterm2",
        version: "iTerm2 ",
        features: f!(MODERN + SYNC + OSC7 + MARGINS + PROGRESSBAR),
        quirks: XTERM,
    },
    Known { term: "mintty", version: "mintty ", features: f!(MODERN + SYNC + OVERLINE + MARGINS), quirks: XTERM },
    Known { term: "contour", version: "contour ", features: f!(MODERN + SYNC + OVERLINE + MARGINS), quirks: XTERM },
    Known { term: "rio", version: "Rio ", features: f!(MODERN + SYNC), quirks: XTERM },
    Known { term: "st", version: "", features: f!(XTERM_F + C256 + RGB), quirks: XTERM },
    Known { term: "konsole", version: "Konsole ", features: f!(MODERN + OSC7), quirks: XTERM },
    Known { term: "vte", version: "VTE(", features: f!(MODERN + SYNC + OVERLINE), quirks: XTERM },
];

/// What one terminal can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    pub features: Features,
    pub quirks: Quirks,
    /// Features that the user took away; replies do not bring them back.
    denied: Features,
    /// What the colours of the theme are drawn as, by their index.
    theme: [Colour; THEME],
}

/// How many colours a theme has.
pub const THEME: usize = 10;
/// Terminal colours that stand in for those of the theme: black, white, light and dark grey, green, yellow, red, blue, cyan,
/// magenta.
const PLAIN_THEME: [u8; THEME] = [0, 7, 7, 0, 2, 3, 1, 4, 6, 5];

impl Caps {
    /// From TERM and COLORTERM (empty if not set). A TERM that no row knows is taken for a plain ANSI terminal.
    pub fn new(term: &str, colorterm: &str) -> Caps {
        let known = KNOWN
            .iter()
            .filter(|k| !k.term.is_empty() && term.starts_with(k.term))
            .max_by_key(|k| k.term.len())
            .map_or((Features::TITLE & Features::empty(), ANSI), |k| (k.features, k.quirks));
        let mut caps = Caps {
            features: known.0,
            quirks: known.1,
            denied: Features::empty(),
            theme: PLAIN_THEME.map(Colour::ansi),
        };
        if caps.is_usable() {
            if term.contains("256color") {
                caps.features |= Features::C256;
            }
            if term.ends_with("-direct") {
                caps.features |= Features::C256 | Features::RGB;
            }
            if matches!(colorterm, "truecolor" | "24bit") {
                caps.features |= Features::C256 | Features::RGB;
            }
        }
        caps
    }

    /// False if nothing can be drawn on it (TERM=dumb): it cannot place the cursor or clear.
    pub fn is_usable(&self) -> bool {
        self.quirks.contains(Quirks::SCREEN)
    }

    pub fn has(&self, f: Features) -> bool {
        self.features.contains(f)
    }

    pub fn does(&self, q: Quirks) -> bool {
        self.quirks.contains(q)
    }

    /// Adds a list of features as `terminal-features` and `-T` have it: names in any case, separated by `,` or `:`; a name
    /// that ends in `@` takes the feature away for good. Returns the names that are not known.
    pub fn apply<'a>(&mut self, list: &'a str) -> Vec<&'a str> {
        let mut unknown = Vec::new();
        for word in list.split([',', ':']).filter(|w| !w.is_empty()) {
            let name = word.strip_suffix('@').unwrap_or(word);
            match FEATURES.iter().find(|f| f.name.eq_ignore_ascii_case(name)) {
                None => unknown.push(word),
                Some(f) if word.ends_with('@') => {
                    self.denied |= f.bit;
                    self.features -= f.bit;
                }
                Some(f) => self.features |= f.bit - self.denied,
            }
        }
        unknown
    }

    /// Adds and takes away capabilities as an entry of `terminal-overrides` has them after its pattern: `name=value`, `name`
    /// or `name@`, separated by colons. The values themselves are not used: what is sent follows from the features.
    /// Capabilities without meaning here are passed over.
    pub fn override_with(&mut self, list: &str) {
        for word in list.split(':').filter(|w| !w.is_empty()) {
            let gone = word.ends_with('@') && !word.contains('=');
            let name = word.split('=').next().unwrap_or(word).trim_end_matches('@');
            if name == "colors" {
                match word.split('=').nth(1).and_then(|n| n.parse::<u32>().ok()) {
                    Some(256..) => self.features |= Features::C256 - self.denied,
                    Some(_) => self.features -= Features::C256 | Features::RGB,
                    None => {}
                }
                continue;
            }
            let Some(row) = CAPABILITIES.iter().find(|c| c.names.contains(&name)) else { continue };
            if gone {
                self.denied |= row.features;
                self.features -= row.features;
                self.quirks -= row.quirks;
            } else {
                self.features |= row.features - self.denied;
                self.quirks |= row.quirks;
            }
        }
    }

    /// The reply to XTVERSION, `kitty(0.40.1)`: what that terminal is known to do. True if it is known.
    pub fn version_reply(&mut self, text: &str) -> bool {
        let Some(known) = KNOWN.iter().find(|k| !k.version.is_empty() && text.starts_with(k.version)) else {
            return false;
        };
        self.features |= known.features - self.denied;
        self.quirks |= known.quirks - Quirks::BCE;
        true
    }

    /// The parameters of the primary DA reply: 4 sixel, 28 rectangles, 52 clipboard.
    pub fn da1_reply(&mut self, params: &[u16]) {
        for (n, bit) in [(4, Features::SIXEL), (28, Features::RECTFILL), (52, Features::CLIPBOARD)] {
            if params.iter().skip(1).any(|&p| p == n) {
                self.features |= bit - self.denied;
            }
        }
    }

    /// The first parameter of the secondary DA reply: 77 mintty, 84 tmux, 85 rxvt-unicode.
    pub fn da2_reply(&mut self, first: u16) {
        let term = match first {
            77 => "mintty",
            84 => "tmux",
            85 => "rxvt",
            _ => return,
        };
        if let Some(known) = KNOWN.iter().find(|k| k.term == term) {
            self.features |= known.features - self.denied;
        }
    }

    /// A DECRQM reply for a private mode: 1 and 2 mean that the terminal has it.
    pub fn mode_reply(&mut self, mode: u16, value: u16) {
        let bit = match mode {
            2026 => Features::SYNC,
            69 => Features::MARGINS,
            2004 => Features::BPASTE,
            1004 => Features::FOCUS,
            _ => return,
        };
        match value {
            1 | 2 => self.features |= bit - self.denied,
            _ => self.features -= bit,
        }
    }

    /// The names of the features that it has, `client_termfeatures`.
    pub fn names(&self) -> String {
        let names: Vec<&str> = FEATURES.iter().filter(|f| self.has(f.bit)).map(|f| f.name).collect();
        names.join(",")
    }

    pub fn colours(&self) -> Colours {
        if self.has(Features::RGB) {
            Colours::Rgb
        } else if self.has(Features::C256) {
            Colours::Indexed
        } else if self.does(Quirks::C16) {
            Colours::Sixteen
        } else if self.does(Quirks::C8) {
            Colours::Eight
        } else {
            Colours::None
        }
    }

    /// How many colours the terminal has.
    pub fn colour_count(&self) -> u32 {
        match self.colours() {
            Colours::None => 0,
            Colours::Eight => 8,
            Colours::Sixteen => 16,
            Colours::Indexed => 256,
            Colours::Rgb => 1 << 24,
        }
    }

    /// Says what the colours of the theme are; `None`: colours of the terminal itself.
    pub fn set_theme(&mut self, colours: Option<[Colour; THEME]>) {
        self.theme = colours.unwrap_or(PLAIN_THEME.map(Colour::ansi));
    }

    /// A colour of the theme as what it stands for.
    fn themed(&self, c: Colour) -> Colour {
        match c.kind() {
            ColourKind::Theme(n) => self.theme.get(usize::from(n)).copied().unwrap_or(Colour::DEFAULT),
            _ => c,
        }
    }

    /// The style as this terminal can show it.
    pub fn style(&self, s: Style) -> Style {
        if s == Style::DEFAULT {
            return s;
        }
        let depth = self.colours();
        let s = Style { fg: self.themed(s.fg), bg: self.themed(s.bg), us: self.themed(s.us), ..s };
        let mut attrs = s.attrs;
        if !self.has(Features::STRIKETHROUGH) {
            attrs -= Attrs::STRIKE;
        }
        if !self.has(Features::OVERLINE) {
            attrs -= Attrs::OVERLINE;
        }
        if !self.does(Quirks::DIM) {
            attrs -= Attrs::DIM;
        }
        if attrs.contains(Attrs::ITALIC) && !self.does(Quirks::ITALIC) {
            attrs -= Attrs::ITALIC;
            // What cannot be slanted is still set apart.
            if attrs.underline() == Underline::None {
                attrs = attrs.with_underline(Underline::Single);
            }
        }
        let styled = self.has(Features::USSTYLE);
        if !styled && attrs.underline() != Underline::None {
            attrs = attrs.with_underline(Underline::Single);
        }
        let fg = map_colour(s.fg, depth);
        if depth == Colours::Eight && matches!(s.fg.kind(), ColourKind::Ansi(8..)) {
            attrs |= Attrs::BOLD;
        }
        Style {
            fg,
            bg: map_colour(s.bg, depth),
            us: if styled { map_colour(s.us, depth.max(Colours::Indexed)) } else { Colour::DEFAULT },
            attrs,
        }
    }
}

/// The nearest colour that a terminal of that depth has.
pub fn map_colour(c: Colour, depth: Colours) -> Colour {
    match c.kind() {
        ColourKind::Default | ColourKind::Terminal => Colour::DEFAULT,
        _ if depth == Colours::None => Colour::DEFAULT,
        // A colour of the theme that nobody resolved is drawn as the plain colour of that number.
        ColourKind::Theme(n) => map_colour(Colour::ansi(n), depth),
        ColourKind::Ansi(n) if depth == Colours::Eight => Colour::ansi(n & 7),
        ColourKind::Ansi(_) => c,
        ColourKind::Indexed(n) if depth >= Colours::Indexed => Colour::indexed(n),
        ColourKind::Indexed(n) if n < 16 => map_colour(Colour::ansi(n), depth),
        ColourKind::Rgb(..) if depth == Colours::Rgb => c,
        ColourKind::Rgb(r, g, b) if depth == Colours::Indexed => Colour::indexed(nearest_256(r, g, b)),
        ColourKind::Indexed(_) | ColourKind::Rgb(..) => {
            let (r, g, b) = rgb_of(c).unwrap_or_default();
            map_colour(Colour::ansi(nearest_16(r, g, b)), depth)
        }
    }
}

const BASE16: [(u8, u8, u8); 16] = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (92, 92, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
];

/// Red, green and blue of a colour by xterm's palette; `None` for the terminal's own.
pub fn rgb_of(c: Colour) -> Option<(u8, u8, u8)> {
    let level = |n: u8| if n == 0 { 0 } else { 55 + n * 40 };
    match c.kind() {
        ColourKind::Default | ColourKind::Terminal => None,
        ColourKind::Ansi(n) | ColourKind::Theme(n) => Some(BASE16[usize::from(n & 15)]),
        ColourKind::Indexed(n @ 0..=15) => Some(BASE16[usize::from(n)]),
        ColourKind::Indexed(n @ 16..=231) => {
            let n = n - 16;
            Some((level(n / 36), level(n / 6 % 6), level(n % 6)))
        }
        ColourKind::Indexed(n) => {
            let v = 8 + (n - 232) * 10;
            Some((v, v, v))
        }
        ColourKind::Rgb(r, g, b) => Some((r, g, b)),
    }
}

fn distance(a: (u8, u8, u8), b: (u8, u8, u8)) -> u32 {
    let d = |x: u8, y: u8| u32::from(x.abs_diff(y)).pow(2);
    d(a.0, b.0) + d(a.1, b.1) + d(a.2, b.2)
}

fn nearest_256(r: u8, g: u8, b: u8) -> u8 {
    let step = |v: u8| match v {
        0..48 => 0u8,
        48..115 => 1,
        _ => (v - 35) / 40,
    };
    let cube = 16 + 36 * step(r) + 6 * step(g) + step(b);
    let mean = (u16::from(r) + u16::from(g) + u16::from(b)) / 3;
    let grey = 232 + (mean.saturating_sub(3) / 10).min(23) as u8;
    let far = |n: u8| distance(rgb_of(Colour::indexed(n)).unwrap_or_default(), (r, g, b));
    if far(grey) < far(cube) { grey } else { cube }
}

fn nearest_16(r: u8, g: u8, b: u8) -> u8 {
    let far = |n: &u8| distance(BASE16[usize::from(*n)], (r, g, b));
    (0..16u8).min_by_key(far).unwrap_or(7)
}
