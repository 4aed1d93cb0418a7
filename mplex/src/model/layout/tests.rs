//! Layouts as pictures, strings as tmux 3.8 prints them, and series of random operations that must keep tiling.

use super::*;
use crate::base::Pos;
use proptest::prelude::*;
use std::fmt::Write as _;

fn layout(cols: u16, rows: u16) -> Layout {
    Layout::new(Size::new(cols, rows), PaneId(0))
}

fn how(axis: Axis, size: SplitSize) -> Split {
    Split { axis, size, before: false, full: false }
}

const H: Split = Split { axis: Axis::LeftRight, size: SplitSize::Half, before: false, full: false };
const V: Split = Split { axis: Axis::TopBottom, size: SplitSize::Half, before: false, full: false };

/// Each pane filled with its number, borders as lines, title rows as `=`.
fn picture(l: &Layout) -> String {
    let Size { cols, rows } = l.size();
    let rects = l.rects();
    let mut out = String::new();
    for y in 0..rows {
        for x in 0..cols {
            let p = Pos::new(x, y);
            let pane = rects.iter().find(|(_, r)| r.contains(p));
            let titled = rects.iter().any(|(id, r)| l.title_row(*id) == Some(y) && x >= r.x && x < r.right());
            out.push(match (pane, l.border_at(p)) {
                (Some((id, _)), _) => char::from_digit(id.0 % 36, 36).unwrap_or('?'),
                _ if titled => '=',
                (None, Some(Border { axis: Axis::LeftRight, .. })) => '|',
                (None, Some(_)) => '-',
                (None, None) => '.',
            });
        }
        let _ = writeln!(out);
    }
    out
}

/// Runs `ops` on a window with pane 0 and compares the picture.
#[track_caller]
fn check(size: (u16, u16), ops: impl FnOnce(&mut Layout) -> Result<(), LayoutError>, expect: &str) {
    let mut l = layout(size.0, size.1);
    ops(&mut l).expect("the operations fit");
    whole(&l);
    let expect: String = expect.trim().lines().fold(String::new(), |all, l| all + l.trim() + "\n");
    assert_eq!(picture(&l), expect, "\n{}", picture(&l));
}

/// Panics unless the layout tiles its window with borders between and each pane has its minimum.
#[track_caller]
fn whole(l: &Layout) {
    fn walk(c: &Cell) {
        assert!(c.rect.w >= PANE_MIN && c.rect.h >= PANE_MIN, "empty cell {:?}", c.rect);
        let Node::Split(axis, cells) = &c.node else { return };
        assert!(cells.len() >= 2);
        let (mut x, mut y) = (c.rect.x, c.rect.y);
        for child in cells {
            assert_eq!((child.rect.x, child.rect.y), (x, y), "misplaced child of {:?}", c.rect);
            match axis {
                Axis::LeftRight => {
                    assert_eq!(child.rect.h, c.rect.h);
                    x += child.rect.w + 1;
                }
                Axis::TopBottom => {
                    assert_eq!(child.rect.w, c.rect.w);
                    y += child.rect.h + 1;
                }
            }
            walk(child);
        }
        match axis {
            Axis::LeftRight => assert_eq!(x - 1, c.rect.right()),
            Axis::TopBottom => assert_eq!(y - 1, c.rect.bottom()),
        }
    }
    assert_eq!((l.root().rect.x, l.root().rect.y), (0, 0));
    walk(l.root());
    for (id, r) in l.rects() {
        assert!(!r.is_empty(), "{id} has no cells");
    }
}

#[test]
fn splits_halve_and_the_odd_cell_stays_first() {
    check(
        (10, 5),
        |l| {
            l.split(PaneId(0), H, PaneId(1))?;
            l.split(PaneId(1), V, PaneId(2))
        },
        "00000|1111
         00000|1111
         00000|----
         00000|2222
         00000|2222",
    );
}

#[test]
fn a_sized_split_counts_cells_of_the_new_pane() {
    let first = how(Axis::LeftRight, SplitSize::Cells(3));
    let second = Split { before: true, size: SplitSize::Percent(50), ..V };
    check(
        (10, 5),
        |l| {
            l.split(PaneId(0), first, PaneId(1))?;
            l.split(PaneId(1), second, PaneId(2))
        },
        "000000|222
         000000|222
         000000|---
         000000|111
         000000|111",
    );
    let greedy = Split { before: true, size: SplitSize::Cells(500), ..H };
    check((10, 1), |l| l.split(PaneId(0), greedy, PaneId(1)), "11111111|0");
}

#[test]
fn a_full_split_spans_the_window() {
    check(
        (11, 6),
        |l| {
            l.split(PaneId(0), H, PaneId(1))?;
            l.split(PaneId(1), Split { full: true, size: SplitSize::Cells(2), ..V }, PaneId(2))?;
            l.split(PaneId(1), Split { full: true, before: true, size: SplitSize::Cells(2), ..H }, PaneId(3))
        },
        "33|000|1111
         33|000|1111
         33|000|1111
         33|--------
         33|22222222
         33|22222222",
    );
}

#[test]
fn a_split_without_room_is_refused_and_changes_nothing() {
    let mut l = layout(2, 2);
    assert_eq!(l.split(PaneId(0), H, PaneId(1)), Err(LayoutError::NoSpace));
    assert_eq!(l.split(PaneId(7), H, PaneId(1)), Err(LayoutError::NoPane(PaneId(7))));
    assert_eq!(l, layout(2, 2));
}

#[test]
fn a_closed_pane_leaves_its_room_to_the_next() {
    let three = |l: &mut Layout| {
        l.split(PaneId(0), H, PaneId(1))?;
        l.split(PaneId(1), H, PaneId(2))
    };
    let after = |gone: u32| move |l: &mut Layout| three(l).and_then(|()| l.close(PaneId(gone)));
    check((11, 1), three, "00000|11|22");
    check((11, 1), after(0), "11111111|22");
    check((11, 1), after(1), "00000|22222");
    check((11, 1), after(2), "00000|11111");
    assert_eq!(layout(9, 9).close(PaneId(0)), Err(LayoutError::LastPane));
}

#[test]
fn resizing_moves_the_border_after_or_the_one_before_the_last() {
    let three = |l: &mut Layout| {
        l.split(PaneId(0), H, PaneId(1))?;
        l.split(PaneId(1), H, PaneId(2))
    };
    let moved = |pane: u32, by: i32| {
        move |l: &mut Layout| {
            three(l)?;
            l.resize_pane(PaneId(pane), Axis::LeftRight, by).map(|_| ())
        }
    };
    check((17, 1), three, "00000000|1111|222");
    check((17, 1), moved(0, 2), "0000000000|11|222");
    check((17, 1), moved(0, 4), "000000000000|1|22");
    check((17, 1), moved(1, 2), "00000000|111111|2");
    check((17, 1), moved(1, 4), "000000|11111111|2");
    check((17, 1), moved(2, -2), "00000000|11|22222");
    check((17, 1), moved(2, -99), "0|1|2222222222222");
    let mut one = layout(10, 10);
    assert_eq!(one.resize_pane(PaneId(0), Axis::LeftRight, 3), Ok(false));
}

#[test]
fn resizing_to_a_size_is_exact_while_there_is_room() {
    let to = |pane: u32, size: u16| {
        move |l: &mut Layout| {
            l.split(PaneId(0), H, PaneId(1))?;
            l.resize_pane_to(PaneId(pane), Axis::LeftRight, size).map(|_| ())
        }
    };
    check((10, 1), to(0, 2), "00|1111111");
    check((10, 1), to(1, 2), "0000000|11");
    check((10, 1), to(1, 999), "0|11111111");
}

#[test]
fn a_window_shares_its_new_size_and_stays_as_large_as_its_panes_need() {
    let mut l = layout(9, 3);
    l.split(PaneId(0), H, PaneId(1)).unwrap();
    l.split(PaneId(0), V, PaneId(2)).unwrap();
    l.resize(Size::new(12, 4));
    assert_eq!(picture(&l), "000000|11111\n000000|11111\n------|11111\n222222|11111\n");
    l.resize(Size::new(1, 1));
    assert_eq!(picture(&l), "0|1\n-|1\n2|1\n");
    assert_eq!(l.size(), Size::new(3, 3));
    l.resize(Size::new(5, 3));
    assert_eq!(picture(&l), "00|11\n--|11\n22|11\n");
}

#[test]
fn titles_take_a_row_at_their_edge_only() {
    let with = |title: TitleRow| {
        move |l: &mut Layout| {
            l.set_reserve(Reserve { title, ..Reserve::default() });
            l.split(PaneId(0), V, PaneId(1))?;
            l.split(PaneId(1), H, PaneId(2))
        }
    };
    check((5, 7), with(TitleRow::Top), "=====\n00000\n00000\n==-==\n11|22\n11|22\n11|22");
    check((5, 7), with(TitleRow::Bottom), "00000\n00000\n00000\n=====\n11|22\n11|22\n==|==");
    let low = |l: &mut Layout| {
        l.set_reserve(Reserve { title: TitleRow::Top, ..Reserve::default() });
        Ok(())
    };
    check((3, 1), low, "000");
}

#[test]
fn a_titled_pane_is_resized_without_counting_its_title() {
    let mut l = layout(5, 9);
    l.set_reserve(Reserve { title: TitleRow::Top, ..Reserve::default() });
    l.split(PaneId(0), V, PaneId(1)).unwrap();
    l.resize_pane_to(PaneId(0), Axis::TopBottom, 2).unwrap();
    assert_eq!(l.pane_rect(PaneId(0)), Some(Rect::new(0, 1, 5, 2)));
    l.resize_pane(PaneId(0), Axis::TopBottom, -99).unwrap();
    assert_eq!(l.pane_rect(PaneId(0)), Some(Rect::new(0, 1, 5, 1)));
}

#[test]
fn scrollbars_take_columns_from_each_pane() {
    let mut l = layout(20, 2);
    l.set_reserve(Reserve { scrollbar: 2, ..Reserve::default() });
    l.split(PaneId(0), H, PaneId(1)).unwrap();
    assert_eq!(l.rects(), [(PaneId(0), Rect::new(0, 0, 8, 2)), (PaneId(1), Rect::new(11, 0, 7, 2))]);
    l.set_reserve(Reserve { scrollbar: 2, scrollbar_left: true, ..Reserve::default() });
    assert_eq!(l.pane_rect(PaneId(1)), Some(Rect::new(13, 0, 7, 2)));
    l.resize(Size::new(1, 1));
    assert_eq!(l.size(), Size::new(7, 1));
    assert_eq!(l.neighbours(PaneId(0), Direction::Right), [PaneId(1)]);
}

#[test]
fn spreading_evens_out_siblings_then_what_is_around_them() {
    let built = |l: &mut Layout| {
        l.split(PaneId(0), how(Axis::LeftRight, SplitSize::Cells(2)), PaneId(1))?;
        l.split(PaneId(0), V, PaneId(2))
    };
    check((9, 3), built, "000000|11\n------|11\n222222|11");
    let spread = |l: &mut Layout| {
        built(l)?;
        assert!(l.spread(PaneId(0))?);
        assert!(!l.spread(PaneId(0))?);
        Ok(())
    };
    check((9, 3), spread, "0000|1111\n----|1111\n2222|1111");
}

#[test]
fn panes_change_places_but_cells_do_not() {
    let ops = |l: &mut Layout| {
        l.split(PaneId(0), H, PaneId(1))?;
        l.split(PaneId(1), H, PaneId(2))?;
        l.swap(PaneId(0), PaneId(2))?;
        l.replace(PaneId(1), PaneId(9))?;
        let mut order = l.panes();
        order.rotate_left(1);
        l.assign(&order);
        Ok(())
    };
    check((11, 1), ops, "99999|00|22");
}

fn panes(n: u32) -> Vec<PaneId> {
    (0..n).map(PaneId).collect()
}

#[track_caller]
fn check_preset(size: (u16, u16), count: u32, preset: Preset, options: PresetOptions, expect: &str) {
    check(size, |l| l.arrange(preset, &options, &panes(count)), expect);
}

#[test]
fn presets() {
    let main = PresetOptions {
        main_width: Some(Length::Cells(4)),
        main_height: Some(Length::Percent(50)),
        ..PresetOptions::default()
    };
    check_preset((10, 3), 3, Preset::EvenHorizontal, main, "000|111|22\n000|111|22\n000|111|22");
    check_preset((3, 6), 3, Preset::EvenVertical, main, "000\n000\n---\n111\n---\n222");
    check_preset((7, 5), 3, Preset::MainHorizontal, main, "0000000\n0000000\n-------\n111|222\n111|222");
    check_preset((7, 4), 3, Preset::MainHorizontalMirrored, main, "111|222\n111|222\n-------\n0000000");
    check_preset((9, 3), 3, Preset::MainVertical, main, "0000|1111\n0000|----\n0000|2222");
    check_preset((9, 3), 3, Preset::MainVerticalMirrored, main, "1111|0000\n----|0000\n2222|0000");
    check_preset((9, 3), 2, Preset::MainVertical, main, "0000|1111\n0000|1111\n0000|1111");
    check_preset((9, 4), 3, Preset::Tiled, main, "0000|1111\n---------\n222222222\n222222222");
    let narrow = PresetOptions { tiled_max_columns: 1, ..main };
    check_preset((3, 5), 3, Preset::Tiled, narrow, "000\n---\n111\n---\n222");
    let other = PresetOptions { other_width: Some(Length::Cells(2)), ..main };
    check_preset((9, 1), 2, Preset::MainVertical, other, "000000|11");
}

#[test]
fn presets_by_name() {
    assert_eq!(Preset::find("even-h"), Some(Preset::EvenHorizontal));
    assert_eq!(Preset::find("even"), None);
    assert_eq!(Preset::find("main-vertical"), Some(Preset::MainVertical));
    assert_eq!(Preset::find("main-vertical-"), Some(Preset::MainVerticalMirrored));
    assert_eq!(Preset::next(Some(Preset::Tiled)), Preset::EvenHorizontal);
    assert_eq!(Preset::previous(None), Preset::Tiled);
    assert_eq!(Preset::previous(Some(Preset::EvenVertical)), Preset::EvenHorizontal);
    assert_eq!(Length::parse("50%"), Some(Length::Percent(50)));
    assert_eq!(Length::parse("24"), Some(Length::Cells(24)));
    assert_eq!(Length::parse("24x"), None);
    assert_eq!(Length::parse("1001%"), None);
}

#[test]
fn layout_strings_are_tmuxs() {
    let mut l = layout(159, 48);
    let given = "bb62,159x48,0,0{79x48,0,0,79x48,80,0}";
    l.apply(given, &panes(2)).unwrap();
    assert_eq!(l.panes(), panes(2));
    let printed = l.print();
    assert!(printed.ends_with(",159x48,0,0{79x48,0,0,0,79x48,80,0,1}"), "{printed}");
    l.apply(&printed, &[PaneId(5), PaneId(6)]).unwrap();
    assert_eq!(l.panes(), [PaneId(5), PaneId(6)]);
}

#[test]
fn bad_layout_strings_say_why() {
    let with_sum = |body: &str| format!("{:04x},{body}", checksum(body));
    let said = |text: &str, count: u32| layout(80, 24).apply(text, &panes(count)).unwrap_err().to_string();
    assert_eq!(said("", 1), "invalid layout");
    assert_eq!(said("0000,80x24,0,0,0", 1), "invalid layout");
    for body in ["80x24,0,0{", "80x24,0", "80x24,0,0{40x24,0,0,39x24,41,0]", "80x24,0,0 ", "99999x1,0,0", "0x1,0,0"] {
        assert_eq!(said(&with_sum(body), 1), "invalid layout", "{body}");
    }
    let deep = "9x9,0,0{".repeat(5000);
    assert_eq!(said(&with_sum(&deep), 1), "invalid layout");
    let two = with_sum("80x24,0,0{40x24,0,0,39x24,41,0}");
    assert_eq!(said(&two, 3), "have 3 panes but need 2");
    assert_eq!(said(&with_sum("80x24,0,0{40x24,0,0,39x23,41,0}"), 2), "size mismatch after applying layout");
}

#[test]
fn a_layout_string_with_more_cells_loses_those_at_the_bottom_right() {
    let body = "11x3,0,0{5x3,0,0,0,5x3,6,0[5x1,6,0,1,5x1,6,2,2]}";
    let mut l = layout(80, 24);
    l.apply(&format!("{:04x},{body}", checksum(body)), &panes(2)).unwrap();
    assert_eq!(picture(&l), "00000|11111\n".repeat(3));
}

#[test]
fn neighbours_wrap_around() {
    let mut l = layout(21, 9);
    l.split(PaneId(0), H, PaneId(1)).unwrap();
    l.split(PaneId(1), V, PaneId(2)).unwrap();
    let near = |l: &Layout, p: u32, d: Direction| l.neighbours(PaneId(p), d).iter().map(|p| p.0).collect::<Vec<_>>();
    for title in [TitleRow::Off, TitleRow::Top, TitleRow::Bottom] {
        l.set_reserve(Reserve { title, ..Reserve::default() });
        assert_eq!(near(&l, 0, Direction::Right), [1, 2]);
        assert_eq!(near(&l, 0, Direction::Left), [1, 2]);
        assert_eq!(near(&l, 1, Direction::Right), [0]);
        assert_eq!(near(&l, 2, Direction::Left), [0]);
        assert_eq!(near(&l, 1, Direction::Down), [2]);
        assert_eq!(near(&l, 1, Direction::Up), [2]);
        assert_eq!(near(&l, 2, Direction::Down), [1]);
        assert_eq!(near(&l, 0, Direction::Up), Vec::<u32>::new());
    }
    assert!(l.at_edge(PaneId(2), Direction::Down) && !l.at_edge(PaneId(1), Direction::Down));
}

#[test]
fn positions_find_panes_and_borders() {
    let mut l = layout(11, 5);
    l.split(PaneId(0), H, PaneId(1)).unwrap();
    l.split(PaneId(1), V, PaneId(2)).unwrap();
    assert_eq!(l.pane_at(Pos::new(6, 0)), Some(PaneId(1)));
    assert_eq!(l.pane_at(Pos::new(5, 0)), None);
    assert_eq!(l.pane_near(Pos::new(5, 0)), Some(PaneId(0)));
    assert_eq!(l.pane_near(Pos::new(7, 2)), Some(PaneId(1)));
    assert_eq!(l.pane_near(Pos::new(99, 2)), None);
    assert_eq!(l.border_at(Pos::new(5, 4)), Some(Border { axis: Axis::LeftRight, rect: Rect::new(5, 0, 1, 5) }));
    assert_eq!(l.border_at(Pos::new(8, 2)), Some(Border { axis: Axis::TopBottom, rect: Rect::new(6, 2, 5, 1) }));
    assert_eq!(l.border_at(Pos::new(0, 0)), None);
    assert_eq!(l.border_at(Pos::new(11, 0)), None);
}

#[test]
fn dragging_moves_the_borders_under_the_pointer() {
    let drag = |from: (u16, u16), to: (u16, u16)| {
        move |l: &mut Layout| {
            l.split(PaneId(0), H, PaneId(1))?;
            l.split(PaneId(1), V, PaneId(2))?;
            l.drag(Pos::new(from.0, from.1), Pos::new(to.0, to.1));
            Ok(())
        }
    };
    check((9, 5), drag((4, 0), (2, 0)), "00|111111\n00|111111\n00|------\n00|222222\n00|222222");
    check((9, 5), drag((7, 2), (0, 3)), "0000|1111\n0000|1111\n0000|1111\n0000|----\n0000|2222");
    check((9, 5), drag((4, 2), (5, 1)), "00000|111\n00000|---\n00000|222\n00000|222\n00000|222");
    check((9, 5), drag((1, 1), (5, 1)), "0000|1111\n0000|1111\n0000|----\n0000|2222\n0000|2222");
}

#[derive(Clone, Debug)]
enum Op {
    Split(usize, Split),
    Close(usize),
    Resize(u16, u16),
    Move(usize, bool, i32),
    To(usize, bool, u16),
    Spread(usize),
    Swap(usize, usize),
    Arrange(usize, PresetOptions),
    Drag(Pos, Pos),
    Reserve(Reserve),
    Reload,
}

fn axis(across: bool) -> Axis {
    if across { Axis::LeftRight } else { Axis::TopBottom }
}

fn any_length() -> impl Strategy<Value = Option<Length>> {
    prop_oneof![
        Just(None),
        (0u32..60).prop_map(|n| Some(Length::Cells(n))),
        (0u32..120).prop_map(|n| Some(Length::Percent(n)))
    ]
}

fn any_split() -> impl Strategy<Value = Split> {
    let size = prop_oneof![
        Just(SplitSize::Half),
        (0u32..50).prop_map(SplitSize::Cells),
        (0u32..130).prop_map(SplitSize::Percent)
    ];
    (any::<bool>(), size, any::<bool>(), any::<bool>()).prop_map(|(a, size, before, full)| Split {
        axis: axis(a),
        size,
        before,
        full,
    })
}

fn any_op() -> impl Strategy<Value = Op> {
    let pane = || any::<usize>();
    let pos = || (0u16..50, 0u16..30).prop_map(|(x, y)| Pos::new(x, y));
    let options = (any_length(), any_length(), any_length(), any_length(), 0u32..4);
    prop_oneof![
        6 => (pane(), any_split()).prop_map(|(p, s)| Op::Split(p, s)),
        2 => pane().prop_map(Op::Close),
        1 => (0u16..60, 0u16..30).prop_map(|(w, h)| Op::Resize(w, h)),
        2 => (pane(), any::<bool>(), -20i32..20).prop_map(|(p, a, n)| Op::Move(p, a, n)),
        2 => (pane(), any::<bool>(), 0u16..60).prop_map(|(p, a, n)| Op::To(p, a, n)),
        1 => pane().prop_map(Op::Spread),
        1 => (pane(), pane()).prop_map(|(a, b)| Op::Swap(a, b)),
        1 => (0usize..7, options).prop_map(|(n, (mw, mh, ow, oh, max))| Op::Arrange(n, PresetOptions {
            main_width: mw, main_height: mh, other_width: ow, other_height: oh, tiled_max_columns: max,
        })),
        2 => (pos(), pos()).prop_map(|(a, b)| Op::Drag(a, b)),
        1 => (0u8..3, 0u16..3, any::<bool>()).prop_map(|(t, scrollbar, scrollbar_left)| Op::Reserve(Reserve {
            title: [TitleRow::Off, TitleRow::Top, TitleRow::Bottom][usize::from(t)], scrollbar, scrollbar_left,
        })),
        1 => Just(Op::Reload),
    ]
}

fn apply(l: &mut Layout, op: &Op, fresh: u32) {
    let all = l.panes();
    let pick = |n: usize| all[n % all.len()];
    // Refusals are fine here; what must hold is checked after each step.
    match op {
        Op::Split(p, s) => drop(l.split(pick(*p), *s, PaneId(fresh))),
        Op::Close(p) => drop(l.close(pick(*p))),
        Op::Resize(w, h) => l.resize(Size::new(*w, *h)),
        Op::Move(p, a, n) => drop(l.resize_pane(pick(*p), axis(*a), *n)),
        Op::To(p, a, n) => drop(l.resize_pane_to(pick(*p), axis(*a), *n)),
        Op::Spread(p) => drop(l.spread(pick(*p))),
        Op::Swap(a, b) => drop(l.swap(pick(*a), pick(*b))),
        Op::Arrange(n, o) => drop(l.arrange(Preset::ALL[*n], o, &all)),
        Op::Drag(a, b) => drop(l.drag(*a, *b)),
        Op::Reserve(r) => l.set_reserve(*r),
        Op::Reload => {
            let before = l.clone();
            l.apply(&before.print(), &all).expect("what was printed can be read");
            assert_eq!(*l, before);
        }
    }
}

proptest! {
    #[test]
    fn any_series_of_operations_keeps_tiling(ops in prop::collection::vec(any_op(), 1..60), w in 1u16..60, h in 1u16..30) {
        let mut l = layout(w, h);
        for (n, op) in ops.iter().enumerate() {
            let (count, size) = (l.len(), l.size());
            apply(&mut l, op, n as u32 + 1);
            whole(&l);
            match op {
                Op::Split(..) => prop_assert!(l.len() - count <= 1 && l.size() == size),
                Op::Close(_) => prop_assert!(count - l.len() <= 1 && l.size() == size),
                Op::Resize(..) | Op::Arrange(..) => prop_assert!(l.len() == count),
                _ => prop_assert!(l.len() == count && l.size() == size),
            }
            let (mut ids, all) = (l.panes(), l.len());
            ids.sort();
            ids.dedup();
            prop_assert_eq!(ids.len(), all);
        }
    }

    #[test]
    fn no_text_panics(text in "[0-9a-f]{4},[0-9x,{}\\[\\]]{0,60}", sum in any::<bool>()) {
        let body = &text[5..];
        let text = if sum { format!("{:04x},{body}", checksum(body)) } else { text.clone() };
        let mut l = layout(80, 24);
        if l.apply(&text, &panes(1)).is_ok() {
            whole(&l);
        }
    }
}
