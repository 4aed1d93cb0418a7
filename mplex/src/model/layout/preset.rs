//! The named arrangements of `select-layout`.

use super::cell::even;
use super::{Axis, Cell, Layout, LayoutError, Node, PANE_MIN, TitleRow, WINDOW_MAX};
use crate::base::{PaneId, Rect};

/// A named arrangement, in the order in which `next-layout` steps through them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Preset {
    EvenHorizontal,
    EvenVertical,
    MainHorizontal,
    MainHorizontalMirrored,
    MainVertical,
    MainVerticalMirrored,
    Tiled,
}

impl Preset {
    pub const ALL: [Preset; 7] = [
        Preset::EvenHorizontal,
        Preset::EvenVertical,
        Preset::MainHorizontal,
        Preset::MainHorizontalMirrored,
        Preset::MainVertical,
        Preset::MainVerticalMirrored,
        Preset::Tiled,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Preset::EvenHorizontal => "even-horizontal",
            Preset::EvenVertical => "even-vertical",
            Preset::MainHorizontal => "main-horizontal",
            Preset::MainHorizontalMirrored => "main-horizontal-mirrored",
            Preset::MainVertical => "main-vertical",
            Preset::MainVerticalMirrored => "main-vertical-mirrored",
            Preset::Tiled => "tiled",
        }
    }

    /// By its name or a head of it that fits only one.
    pub fn find(name: &str) -> Option<Preset> {
        if let Some(p) = Preset::ALL.into_iter().find(|p| p.name() == name) {
            return Some(p);
        }
        let mut fits = Preset::ALL.into_iter().filter(|p| p.name().starts_with(name));
        fits.next().filter(|_| fits.next().is_none())
    }

    /// The one after `last`; the first if there was none.
    pub fn next(last: Option<Preset>) -> Preset {
        Preset::ALL[last.map_or(0, |p| (p as usize + 1) % Preset::ALL.len())]
    }

    /// The one before `last`; the last if there was none.
    pub fn previous(last: Option<Preset>) -> Preset {
        let count = Preset::ALL.len();
        Preset::ALL[(last.map_or(0, |p| p as usize) + count - 1) % count]
    }
}

/// A size as options write it: `24` or `50%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Cells(u32),
    Percent(u32),
}

impl Length {
    /// Reads `24` or `50%` (at most 1000%); `None` for anything else.
    pub fn parse(text: &str) -> Option<Length> {
        let (digits, percent) = match text.strip_suffix('%') {
            Some(head) => (head, true),
            None => (text, false),
        };
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let n = digits.parse().ok()?;
        match percent {
            true => Some(Length::Percent(n)).filter(|_| n <= 1000),
            false => Some(Length::Cells(n)),
        }
    }

    /// Its cells out of `whole`; `None` if it is more.
    fn of(self, whole: u16) -> Option<u16> {
        let n = match self {
            Length::Cells(n) => u64::from(n),
            Length::Percent(p) => u64::from(p) * u64::from(whole) / 100,
        };
        (n <= u64::from(whole)).then_some(n as u16)
    }
}

/// What the options say about presets. A `None` (an option that cannot be read) and a length larger than the window fall
/// back to 24 rows or 80 columns for the main pane, and to "what is left" for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresetOptions {
    /// `main-pane-width`
    pub main_width: Option<Length>,
    /// `main-pane-height`
    pub main_height: Option<Length>,
    /// `other-pane-width`; 0 is what is left.
    pub other_width: Option<Length>,
    /// `other-pane-height`; 0 is what is left.
    pub other_height: Option<Length>,
    /// `tiled-layout-max-columns`; 0 is no limit.
    pub tiled_max_columns: u32,
}

impl Default for PresetOptions {
    fn default() -> PresetOptions {
        PresetOptions {
            main_width: Some(Length::Cells(80)),
            main_height: Some(Length::Cells(24)),
            other_width: Some(Length::Cells(0)),
            other_height: Some(Length::Cells(0)),
            tiled_max_columns: 0,
        }
    }
}

impl Layout {
    /// Arranges `panes` (the panes of this window, in the order in which they are to stand) anew. The layout grows beyond
    /// the window if they cannot fit otherwise. One pane alone stays as it is.
    pub fn arrange(&mut self, preset: Preset, options: &PresetOptions, panes: &[PaneId]) -> Result<(), LayoutError> {
        if panes.len() <= 1 {
            return Ok(());
        }
        let least = u16::try_from(2 * panes.len() - 1).unwrap_or(u16::MAX);
        if least > WINDOW_MAX {
            return Err(LayoutError::NoSpace);
        }
        self.root = match preset {
            Preset::EvenHorizontal => self.even(Axis::LeftRight, panes),
            Preset::EvenVertical => self.even(Axis::TopBottom, panes),
            Preset::MainHorizontal => self.main(Axis::TopBottom, false, options, panes),
            Preset::MainHorizontalMirrored => self.main(Axis::TopBottom, true, options, panes),
            Preset::MainVertical => self.main(Axis::LeftRight, false, options, panes),
            Preset::MainVerticalMirrored => self.main(Axis::LeftRight, true, options, panes),
            Preset::Tiled => self.tiled(options, panes),
        };
        self.root.place();
        Ok(())
    }

    fn even(&self, axis: Axis, panes: &[PaneId]) -> Cell {
        let (w, h) = (self.root.rect.w, self.root.rect.h);
        let least = (2 * panes.len() - 1) as u16;
        let (w, h) = match axis {
            Axis::LeftRight => (w.max(least), h),
            Axis::TopBottom => (w, h.max(least)),
        };
        self.strip(axis, w, h, panes)
    }

    /// Panes of even size in a strip along `axis`. It must be long enough for one cell and a border each.
    fn strip(&self, axis: Axis, w: u16, h: u16, panes: &[PaneId]) -> Cell {
        let long = if axis == Axis::LeftRight { w } else { h };
        // In every preset a vertical strip reaches from the top of the window to its bottom.
        let titled = match (axis, self.reserve.title) {
            (Axis::TopBottom, TitleRow::Top) => Some(0),
            (Axis::TopBottom, TitleRow::Bottom) => Some(panes.len() - 1),
            _ => None,
        };
        let sizes = even(long, panes.len(), titled).or_else(|| even(long, panes.len(), None)).unwrap_or_default();
        let cells = panes.iter().zip(sizes).map(|(&id, size)| match axis {
            Axis::LeftRight => leaf(id, size, h),
            Axis::TopBottom => leaf(id, w, size),
        });
        split(axis, w, h, cells.collect())
    }

    /// One main pane, the others in a strip beside it. `axis` is that of the two.
    fn main(&self, axis: Axis, mirrored: bool, o: &PresetOptions, panes: &[PaneId]) -> Cell {
        let window = self.root.rect;
        let (room, across, main, other, fallback) = match axis {
            Axis::LeftRight => (window.w - 1, window.h, o.main_width, o.other_width, 80),
            Axis::TopBottom => (window.h - 1, window.w, o.main_height, o.other_height, 24),
        };
        let mut main = main.and_then(|l| l.of(room)).unwrap_or(fallback);
        let mut rest = PANE_MIN;
        if main + PANE_MIN >= room {
            main = if room <= 2 * PANE_MIN { PANE_MIN } else { room - PANE_MIN };
        } else {
            match other.and_then(|l| l.of(room)) {
                Some(n) if n > 0 && room - n >= main => {
                    rest = n;
                    main = room - n;
                }
                _ => rest = room - main,
            }
        }
        main = main.max(PANE_MIN);
        let others = &panes[1..];
        let across = across.max((2 * others.len() - 1) as u16);
        let size = |along: u16| if axis == Axis::LeftRight { (along, across) } else { (across, along) };
        let ((mw, mh), (ow, oh), (w, h)) = (size(main), size(rest), size(main + rest + 1));
        let other = match others {
            [one] => leaf(*one, ow, oh),
            _ => self.strip(if axis == Axis::LeftRight { Axis::TopBottom } else { Axis::LeftRight }, ow, oh, others),
        };
        let main = leaf(panes[0], mw, mh);
        split(axis, w, h, if mirrored { vec![other, main] } else { vec![main, other] })
    }

    /// Rows of panes as near to a square as it goes; the last row and the last pane of each row take what is left.
    fn tiled(&self, o: &PresetOptions, panes: &[PaneId]) -> Cell {
        let window = self.root.rect;
        let (mut rows, mut columns) = (1usize, 1usize);
        while rows * columns < panes.len() {
            rows += 1;
            if rows * columns < panes.len() && (o.tiled_max_columns == 0 || columns < o.tiled_max_columns as usize) {
                columns += 1;
            }
        }
        let share = |whole: u16, n: usize| (usize::from(whole).saturating_sub(n - 1) / n).max(1) as u16;
        let (width, height) = (share(window.w, columns), share(window.h, rows));
        let (w, h) = (window.w.max((width + 1) * columns as u16 - 1), window.h.max((height + 1) * rows as u16 - 1));
        let lines: Vec<&[PaneId]> = panes.chunks(columns).collect();
        let mut left = h;
        let mut cells = Vec::with_capacity(lines.len());
        for (i, line) in lines.iter().enumerate() {
            let row_height = if i + 1 == lines.len() { left } else { height };
            left = left.saturating_sub(height + 1);
            if let [one] = line {
                cells.push(leaf(*one, w, row_height));
                continue;
            }
            let used = (width + 1) * (line.len() as u16 - 1);
            let row = line.iter().enumerate();
            let row = row.map(|(n, &id)| leaf(id, if n + 1 == line.len() { w - used } else { width }, row_height));
            cells.push(split(Axis::LeftRight, w, row_height, row.collect()));
        }
        split(Axis::TopBottom, w, h, cells)
    }
}

fn leaf(id: PaneId, w: u16, h: u16) -> Cell {
    Cell { rect: Rect::new(0, 0, w, h), node: Node::Leaf(id) }
}

fn split(axis: Axis, w: u16, h: u16, cells: Vec<Cell>) -> Cell {
    Cell { rect: Rect::new(0, 0, w, h), node: Node::Split(axis, cells) }
}
