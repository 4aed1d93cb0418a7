//! The closed lists of values that choice options take, as enums with the names that users write.
//!
//! The order of the variants is part of the behaviour: setting a choice without a value swaps the first two.

/// A closed list of named values.
pub trait Choice: Copy + Eq + std::fmt::Debug + 'static {
    /// The names as users write them, in order.
    const NAMES: &'static [&'static str];

    /// The value at this place of [`Choice::NAMES`]; the first one if there is no such place.
    fn from_index(index: usize) -> Self;

    /// The name as users write it.
    fn name(self) -> &'static str;
}

macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($variant),+ }

        impl Choice for $name {
            const NAMES: &'static [&'static str] = &[$($text),+];

            fn from_index(index: usize) -> $name {
                const ALL: &[$name] = &[$($name::$variant),+];
                ALL.get(index).copied().unwrap_or(ALL[0])
            }

            fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }
    )+};
}

choices! {
    /// Which windows an alert is told about, seen from the current one.
    AlertAction { None = "none", Any = "any", Current = "current", Other = "other" }
    /// Whether escape sequences may pass the multiplexer.
    Passthrough { Off = "off", On = "on", All = "all" }
    /// The lines of menus and popups.
    BoxLines {
        Single = "single", Double = "double", Heavy = "heavy", Simple = "simple", Rounded = "rounded",
        Padded = "padded", None = "none",
    }
    /// How the clock writes the time.
    ClockStyle { Hours12 = "12", Hours24 = "24", Seconds12 = "12-with-seconds", Seconds24 = "24-with-seconds" }
    /// Line numbers beside the text in copy mode.
    LineNumbers {
        Off = "off", Default = "default", Absolute = "absolute", Relative = "relative", Hybrid = "hybrid",
    }
    /// The shape of the cursor (DECSCUSR).
    CursorStyle {
        Default = "default", BlinkingBlock = "blinking-block", Block = "block",
        BlinkingUnderline = "blinking-underline", Underline = "underline", BlinkingBar = "blinking-bar", Bar = "bar",
    }
    /// What becomes of a session that nobody looks at any more.
    DestroyUnattached { Off = "off", On = "on", KeepLast = "keep-last", KeepGroup = "keep-group" }
    /// Where a client goes when its session ends.
    DetachOnDestroy {
        Off = "off", On = "on", NoDetached = "no-detached", Previous = "previous", Next = "next",
    }
    /// Whether modified keys are asked of terminals and given to programs.
    ExtendedKeys { Off = "off", On = "on", Always = "always" }
    /// The escape sequences that modified keys become.
    ExtendedKeysFormat { CsiU = "csi-u", Xterm = "xterm" }
    /// How a program's question for the clipboard is answered.
    GetClipboard { Off = "off", Buffer = "buffer", Request = "request", Both = "both" }
    /// Who may write the outer terminal's clipboard.
    SetClipboard { Off = "off", External = "external", On = "on" }
    /// A set of editing keys.
    EditKeys { Emacs = "emacs", Vi = "vi" }
    /// The status line (from the top of its block) that messages cover.
    MessageLine { Line0 = "0", Line1 = "1", Line2 = "2", Line3 = "3", Line4 = "4" }
    /// How the border shows which pane is the active one.
    BorderIndicators { Off = "off", Colour = "colour", Arrows = "arrows", Both = "both" }
    /// The lines between panes.
    PaneLines {
        Single = "single", Double = "double", Heavy = "heavy", Simple = "simple", Number = "number",
        Spaces = "spaces", None = "none",
    }
    /// Where a pane's own status line stands.
    PaneStatus {
        Off = "off", Top = "top", Bottom = "bottom", TopFloating = "top-floating",
        BottomFloating = "bottom-floating",
    }
    /// When a scrollbar is shown.
    Scrollbars { Off = "off", Modal = "modal", On = "on", AutoHide = "auto-hide" }
    /// The side of the scrollbar.
    ScrollbarSide { Right = "right", Left = "left" }
    /// What becomes of a pane whose program ended.
    RemainOnExit { Off = "off", On = "on", Failed = "failed", Key = "key" }
    /// How many status lines there are.
    StatusLines { Off = "off", On = "on", Two = "2", Three = "3", Four = "4", Five = "5" }
    /// Where the window list stands in the status line.
    StatusJustify { Left = "left", Centre = "centre", Right = "right", AbsoluteCentre = "absolute-centre" }
    /// The edge of the terminal that the status line stands at.
    StatusPosition { Top = "top", Bottom = "bottom" }
    /// Where the colours of the theme come from.
    Theme { Detect = "detect", Terminal = "terminal", Light = "light", Dark = "dark" }
    /// An alert as a message, as a bell, or both.
    VisualAlert { Off = "off", On = "on", Both = "both" }
    /// Which client decides the size of a window.
    WindowSize { Largest = "largest", Smallest = "smallest", Manual = "manual", Latest = "latest" }
}

impl StatusLines {
    /// The number of lines, 0 to 5.
    pub fn lines(self) -> u16 {
        self as u16
    }
}
