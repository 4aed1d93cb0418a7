//! Copy mode from the outside: content, commands, and what is then selected, copied and shown.

use super::*;
use crate::base::{ClientId, Now};
use crate::grid::Limits;
use crate::keys::Mouse;
use crate::layer::Flow;
use crate::model::Model;
use crate::options::{Options, PlainChecks};
use crate::paint::{Frame, Pool};
use crate::term::{Output, Terminal};
use proptest::prelude::*;

struct World {
    model: Model,
    options: Options,
    mode: CopyMode,
    copied: String,
    open: bool,
    now: Now,
}

fn terminal(content: &str, size: Size) -> Terminal {
    let mut t = Terminal::new(size, Limits::default());
    t.feed(content.replace('\n', "\r\n").as_bytes(), &mut Output::default());
    t
}

impl World {
    /// `settings` are options like `mode-keys vi`, parted by `;`.
    fn new(content: &str, size: Size, settings: &str) -> World {
        let mut options = Options::new();
        for setting in settings.split(';').map(str::trim).filter(|s| !s.is_empty()) {
            let (name, value) = setting.split_once(' ').unwrap_or((setting, ""));
            let (window, session, none) = (OptScope::GlobalWindow, OptScope::GlobalSession, &PlainChecks);
            let set = match name {
                "mode-keys" => options.set_text(window, opt::MODE_KEYS, value, none),
                "word-separators" => options.set_text(session, opt::WORD_SEPARATORS, value, none),
                "wrap-search" => options.set_text(window, opt::WRAP_SEARCH, value, none),
                "numbers" => options.set_text(window, opt::COPY_MODE_LINE_NUMBERS, value, none),
                other => panic!("setting {other}"),
            };
            set.unwrap();
        }
        let t = terminal(content, size);
        let c = t.cursor();
        let at = CopyOptions {
            pane: PaneId(0),
            source: PaneId(0),
            cursor: Pos::new(c.x, c.y),
            exit_at_bottom: false,
            hide_position: false,
        };
        let mode = CopyMode::new(t.snapshot(), size, at);
        World { model: Model::default(), options, mode, copied: String::new(), open: true, now: Now::default() }
    }

    fn view(&self) -> View<'_> {
        View { model: &self.model, options: &self.options, now: self.now, client: None::<ClientId> }
    }

    fn take(&mut self, outcome: Outcome) {
        self.open &= !matches!(outcome.flow, Flow::Close | Flow::CloseAndPass);
        for act in outcome.acts {
            match act {
                Act::Copy { text, append: true, .. } => self.copied.push_str(&text),
                Act::Copy { text, .. } => self.copied = text,
                Act::Pipe { text, command } => self.copied = format!("{command}<{text}"),
                _ => {}
            }
        }
    }

    /// A command, with a count before it if it begins with a number.
    fn run(&mut self, line: &str) {
        let words: Vec<String> = line.split(' ').map(|w| w.replace('_', " ")).collect();
        let (count, words) = match words[0].parse::<u32>() {
            Ok(n) => (n, &words[1..]),
            Err(_) => (0, &words[..]),
        };
        let view = View { model: &self.model, options: &self.options, now: self.now, client: None::<ClientId> };
        let outcome = self.mode.command(words, count, &view).unwrap_or_else(|e| panic!("{line}: {e}"));
        self.take(outcome);
    }

    fn mouse(&mut self, button: u8, motion: bool, release: bool, x: i32, y: i32) {
        let mouse = Mouse { button, motion, release, pos: Pos::default(), mods: crate::keys::Mods::empty() };
        let view = View { model: &self.model, options: &self.options, now: self.now, client: None::<ClientId> };
        let outcome = self.mode.input(&LayerInput::Mouse { mouse, x, y }, &view);
        self.take(outcome);
    }

    fn var(&self, name: &str) -> String {
        self.mode.var(name).unwrap_or_default()
    }

    fn shown(&self) -> Vec<String> {
        let size = self.mode.size;
        let mut frame = Frame::new(size);
        let mut pool = Pool::new();
        self.mode.draw(&self.view(), &mut Brush::new(&mut frame, &mut pool, size.rect()));
        let mut buf = [0; 4];
        let row = |y| {
            let cells = (0..size.cols).filter_map(|x| frame.cell(Pos::new(x, y)));
            let text: String =
                cells.filter(|c| c.width > 0).map(|c| pool.text(c.symbol, &mut buf).to_owned()).collect();
            text.trim_end().to_owned()
        };
        let mut row = row;
        (0..size.rows).map(&mut row).collect()
    }
}

/// Runs commands (parted by `;`) and compares what they lead to: `x,y` of the cursor, `+n` scrolled up, `"text"` copied,
/// `closed`.
#[track_caller]
fn check(content: &str, size: (u16, u16), settings: &str, commands: &str, expected: &str) {
    let mut w = World::new(content, Size::new(size.0, size.1), settings);
    for command in commands.split(';').map(str::trim).filter(|c| !c.is_empty()) {
        w.run(command);
    }
    let mut got = format!("{},{}", w.var("copy_cursor_x"), w.var("copy_cursor_y"));
    if w.var("scroll_position") != "0" {
        got += &format!(" +{}", w.var("scroll_position"));
    }
    if !w.copied.is_empty() {
        got += &format!(" {:?}", w.copied);
    }
    if !w.open {
        got += " closed";
    }
    assert_eq!(got, expected, "after {commands}");
}

const WORDS: &str = "A line of words\n        Indented line\nAnother line...\n... @nd then $ym_bols[]{}\n ?? 500xyz";
const VI: &str = "mode-keys vi";
const PLAIN: &str = "word-separators ";

fn numbered(n: usize) -> String {
    (0..n).map(|i| format!("line {i}")).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_command_has_its_place_and_its_words() {
    for pair in COMMANDS.windows(2) {
        assert!(pair[0].name < pair[1].name, "{} before {}", pair[0].name, pair[1].name);
    }
    for c in COMMANDS {
        assert!(!c.doc.is_empty() && c.min <= c.max, "{}", c.name);
    }
}

#[test]
fn moves_by_words_as_vi() {
    let at = |commands: &str, expected: &str| check(WORDS, (40, 10), VI, commands, expected);
    at("history-top; previous-word; previous-space", "0,0");
    at("history-top; next-word", "2,0");
    at("history-top; next-word-end", "5,0");
    at("history-top; 3 next-word; next-word-end; next-word-end", "14,0");
    at("history-top; 4 next-word", "8,1");
    at("history-top; 6 next-word; next-word", "8,2");
    at("history-top; 2 cursor-down; next-space-end", "6,2");
    at("history-top; 2 cursor-down; 2 next-word", "12,2");
    at("history-top; 4 cursor-down; end-of-line; previous-word", "4,4");
    at("history-top; 4 cursor-down; end-of-line; 2 next-word", "0,9");
}

#[test]
fn moves_by_words_as_emacs() {
    let set = "mode-keys emacs; word-separators ";
    let at = |commands: &str, expected: &str| check(WORDS, (40, 10), set, commands, expected);
    at("history-top; next-word-end", "1,0");
    at("history-top; 3 next-word; 2 next-word-end", "16,1");
    at("history-top; 2 cursor-down; 2 next-word-end", "15,2");
    at("history-top; end-of-line", "15,0");
}

#[test]
fn copies_between_words_as_vi() {
    let copied = |commands: &str, expected: &str| {
        let mut w = World::new(WORDS, Size::new(40, 10), VI);
        for c in commands.split("; ") {
            w.run(c);
        }
        w.run("copy-selection");
        assert_eq!(w.copied, expected, "{commands}");
    };
    copied("history-top; begin-selection; previous-word", "A");
    copied("history-top; next-word-end; begin-selection; previous-word", "line");
    copied("history-top; 5 next-word; begin-selection; next-word", "line\nA");
    copied("history-top; 2 cursor-down; next-word; begin-selection; next-space-end", "line...");
    copied("history-top; 3 cursor-down; begin-selection; 2 next-word; 2 next-word-end", "... @nd then");
    copied("history-top; 3 cursor-down; 3 next-space; begin-selection; next-space", "$ym_bols[]{}\n ?");
}

#[test]
fn wide_characters_are_one_step() {
    let size = (20, 5);
    check("abc中\nxyz\n", size, VI, "history-top; 3 cursor-right", "3,0");
    check("abc中\nxyz\n", size, VI, "history-top; 4 cursor-right", "0,1");
    check("abc中\nxyz\n", size, VI, "history-top; 4 cursor-right; cursor-left", "3,0");
    check("abc中\nxyz\n", size, VI, "history-top; 4 cursor-right; 2 cursor-left", "2,0");
    check("a中b\n", size, "", "history-top; 2 cursor-right", "3,0");
    check("中文字\n", size, "", "history-top; begin-selection; 2 cursor-right; copy-selection", "4,0 \"中文\"");
}

#[test]
fn wrapped_rows_are_one_line() {
    let text = "one two three four five\nsix";
    check(text, (10, 6), "", "history-top; end-of-line", "3,2");
    check(text, (10, 6), "", "history-top; 2 cursor-down; start-of-line", "0,0");
    check(text, (10, 6), "", "history-top; copy-line", "0,0 \"one two three four five\"");
    check(text, (10, 6), "", "history-top; 2 cursor-right; copy-end-of-line", "2,0 \"e two three four five\"");
    check(text, (10, 6), VI, "history-top; select-line; copy-selection", "2,2 \"one two three four five\\n\"");
}

#[test]
fn pages_and_history() {
    let text = numbered(50);
    let at = |commands: &str, expected: &str| check(&text, (20, 10), "", commands, expected);
    at("history-top", "0,0 +40");
    at("page-up", "7,9 +8");
    at("halfpage-up", "7,9 +5");
    at("page-up; page-down", "7,9");
    at("history-top; page-up", "0,0 +40");
    at("7 scroll-up", "7,9 +7");
    at("7 scroll-up; 3 scroll-down", "7,9 +4");
    at("goto-line 12", "7,9 +12");
    at("goto-line 9999", "6,9 +40");
    at("top-line", "0,0");
    at("middle-line", "0,4");
    at("top-line; cursor-up", "0,0 +1");
    at("page-up; top-line; scroll-bottom", "0,9 +17");
    at("page-down-and-cancel", "7,9 closed");
    at("cursor-down-and-cancel", "7,9 closed");
    at("history-top; set-mark; history-bottom; jump-to-mark", "0,0 +40");
    at("history-top; set-mark; history-bottom; 2 jump-to-mark; jump-to-mark", "7,9");
}

#[test]
fn scrolling_out_at_the_bottom() {
    let text = numbered(80);
    let mut w = World::new(&text, Size::new(40, 10), "");
    for c in ["scroll-exit-on", "history-top", "begin-selection", "cursor-down", "200 scroll-down"] {
        w.run(c);
    }
    assert!(w.open);
    assert_eq!((w.var("scroll_position").as_str(), w.var("selection_present").as_str()), ("0", "1"));
    w.run("clear-selection");
    w.run("scroll-down");
    assert!(!w.open);
}

#[test]
fn a_selection_stays_when_only_the_view_moves() {
    let text: String = (0..80).map(|i| format!("line {i:02} xxxxxxxxxx\n")).collect();
    let mut w = World::new(&text, Size::new(40, 10), "");
    for c in ["history-top", "10 cursor-down", "start-of-line", "begin-selection", "2 cursor-down"] {
        w.run(c);
    }
    let first = "line 10 xxxxxxxxxx\nline 11 xxxxxxxxxx";
    for c in ["stop-selection", "3 scroll-down", "2 scroll-up", "scroll-middle", "scroll-bottom", "scroll-top"] {
        w.run(c);
        w.run("copy-selection-no-clear");
        assert_eq!(w.copied.trim_end(), first, "after {c}");
    }
    for c in ["recentre-top-bottom", "other-end", "cursor-down", "copy-selection-no-clear"] {
        w.run(c);
    }
    assert_eq!(w.copied.trim_end(), format!("{first}\nline 12 xxxxxxxxxx"));
    for c in ["stop-selection", "other-end", "other-end", "cursor-up", "copy-selection-no-clear"] {
        w.run(c);
    }
    assert_eq!(w.copied.trim_end(), format!("line 09 xxxxxxxxxx\n{first}\nline 12 xxxxxxxxxx"));
}

#[test]
fn rectangles() {
    let text = "abcdef\nghijkl\nmn\nstuvwx";
    let top = "history-top; cursor-right; rectangle-on; begin-selection; 3 cursor-down";
    check(text, (20, 5), VI, &format!("{top}; 2 cursor-right; copy-selection"), "3,3 \"bcd\\nhij\\nn\\ntuv\"");
    check(text, (20, 5), "", &format!("{top}; 2 cursor-right; copy-selection"), "3,3 \"bc\\nhi\\nn\\ntu\"");
}

#[test]
fn selects_words_and_lines() {
    check(
        "one two-three four",
        (30, 3),
        VI,
        "history-top; 9 cursor-right; select-word; copy-selection",
        "12,0 \"three\"",
    );
    check(
        "one two-three four",
        (30, 3),
        "",
        "history-top; 9 cursor-right; select-word; copy-selection",
        "13,0 \"three\"",
    );
    check("one x two", (30, 3), "", "history-top; 4 cursor-right; select-word; copy-selection", "5,0 \"x\"");
    check("a\nb\nc", (30, 3), VI, "history-top; select-line; cursor-down; copy-selection", "0,1 \"a\\nb\\n\"");
    check("a\nb\nc", (30, 3), VI, "select-line; cursor-up; copy-selection", "0,1 \"b\\nc\\n\"");
    check(
        "a b\nc d\n",
        (30, 3),
        VI,
        "history-top; selection-mode word; begin-selection; next-word; copy-selection",
        "2,0 \"a b\"",
    );
}

#[test]
fn jumps() {
    let text = "a,b:c,d:e";
    check(text, (20, 3), "", "history-top; jump-forward ,", "1,0");
    check(text, (20, 3), "", "history-top; jump-forward ,; jump-again", "5,0");
    check(text, (20, 3), "", "history-top; 2 jump-forward ,; jump-reverse", "1,0");
    check(text, (20, 3), "", "history-top; jump-to-forward :", "2,0");
    check(text, (20, 3), "", "history-top; end-of-line; jump-backward -- ,", "5,0");
    check(text, (20, 3), "", "history-top; end-of-line; jump-to-backward a", "1,0");
}

#[test]
fn brackets_and_paragraphs() {
    let text = "f(a[1], (b))\nx\n\ny\n";
    check(text, (20, 6), VI, "history-top; next-matching-bracket", "11,0");
    check(text, (20, 6), VI, "history-top; 2 next-matching-bracket", "1,0");
    check(text, (20, 6), VI, "history-top; end-of-line; previous-matching-bracket", "1,0");
    check(text, (20, 6), "", "history-top; next-paragraph", "0,2");
    check(text, (20, 6), "", "history-top; next-paragraph; next-paragraph; previous-paragraph", "0,2");
    check("  in\n", (20, 6), "", "history-top; end-of-line; back-to-indentation", "2,0");
}

#[test]
fn searches() {
    let text = "one\ntwo one\nthree\nOne more\n";
    let at = |settings: &str, commands: &str, expected: &str| check(text, (20, 6), settings, commands, expected);
    at(VI, "history-top; search-forward one", "4,1");
    at(VI, "history-top; search-forward one; search-again", "0,3");
    at(VI, "history-top; search-forward one; 2 search-again", "0,0");
    at("mode-keys vi; wrap-search off", "history-top; search-forward one; 5 search-again", "0,3");
    at(VI, "history-top; search-forward One", "0,3");
    at("", "history-top; search-forward one", "3,0");
    at("", "history-top; search-forward one; search-again", "7,1");
    at("", "history-top; search-forward one; search-again; search-reverse", "4,1");
    at(VI, "history-bottom; search-backward t.*e", "0,2");
    at(VI, "history-bottom; search-backward-text t.*e", "0,5");
    at(VI, "history-bottom; search-backward [", "0,5");
    at("", "history-top; search-forward two; copy-selection", "3,1 \"two\"");
}

#[test]
fn searches_as_it_is_typed() {
    let mut w = World::new("abc\nabd\nxabe\n", Size::new(20, 6), "");
    w.run("history-top");
    w.run("search-forward-incremental =a");
    assert_eq!((w.var("copy_cursor_x"), w.var("copy_cursor_y")), ("1".into(), "0".into()));
    w.run("search-forward-incremental =abe");
    assert_eq!((w.var("copy_cursor_x"), w.var("copy_cursor_y")), ("4".into(), "2".into()));
    assert_eq!((w.var("search_present"), w.var("search_count")), ("1".into(), "1".into()));
    w.run("search-forward-incremental =ab");
    assert_eq!((w.var("copy_cursor_x"), w.var("copy_cursor_y")), ("2".into(), "0".into()));
    w.run("search-forward-incremental +ab");
    assert_eq!((w.var("copy_cursor_x"), w.var("copy_cursor_y")), ("2".into(), "1".into()));
    assert_eq!(w.var("search_match"), "ab");
    w.run("search-forward-incremental =");
    assert_eq!((w.var("copy_cursor_y"), w.var("search_present")), ("0".into(), "0".into()));
}

#[test]
fn takes_text_out() {
    let all = "history-top; begin-selection; end-of-line";
    check("abc", (20, 3), "", &format!("{all}; copy-pipe-and-cancel cat"), "3,0 \"abc\" closed");
    check("abc", (20, 3), "", &format!("{all}; pipe cat_-n"), "3,0 \"cat -n<abc\"");
    check(
        "abc",
        (20, 3),
        "",
        &format!("{all}; copy-selection; history-top; begin-selection; cursor-right; append-selection-and-cancel"),
        "1,0 \"abca\" closed",
    );
    check("a  b   ", (20, 3), VI, "history-top; begin-selection; end-of-line; copy-selection", "3,0 \"a  b\"");
    check("a  b   ", (20, 3), "", "copy-pipe-and-cancel", "7,0 closed");
}

#[test]
fn a_count_may_come_before_its_command() {
    let mut w = World::new(&numbered(5), Size::new(20, 6), "");
    w.run("history-top");
    let view = View { model: &w.model, options: &w.options, now: w.now, client: None };
    w.mode.command(&[], 3, &view).unwrap();
    w.run("cursor-down");
    assert_eq!(w.var("copy_cursor_y"), "3");
    w.run("cursor-up");
    assert_eq!(w.var("copy_cursor_y"), "2");
}

#[test]
fn wrong_commands_are_refused() {
    let mut w = World::new("a", Size::new(20, 6), "");
    for (argv, why) in [
        (&["nonsense"][..], "unknown copy mode command: nonsense"),
        (&["goto-line"], "goto-line: needs an argument"),
        (&["cursor-up", "x"], "cursor-up: too many arguments"),
        (&["goto-line", "x"], "not a line number: x"),
    ] {
        let argv: Vec<String> = argv.iter().map(|s| (*s).to_owned()).collect();
        let view = View { model: &w.model, options: &w.options, now: w.now, client: None };
        assert_eq!(w.mode.command(&argv, 1, &view).unwrap_err(), why);
    }
}

#[test]
fn shows_rows_position_and_numbers() {
    let mut w = World::new(&numbered(12), Size::new(16, 4), "");
    assert_eq!(w.shown(), ["line 8     [0/8]", "line 9", "line 10", "line 11"]);
    w.run("2 scroll-up");
    assert_eq!(w.shown()[0], "line 6     [2/8]");
    w.run("toggle-position");
    assert_eq!(w.shown()[0], "line 6");
    w.run("search-backward line");
    w.run("toggle-position");
    assert!(w.shown()[0].ends_with("[2/8] (12 results)") || w.shown()[0].contains("12 results"), "{:?}", w.shown());
    w.run("toggle-position");
    w.run("line-numbers-on");
    assert_eq!(w.shown(), ["  2 line 6", "  1 line 7", "  0 line 8", "  1 line 9"]);
    let w = World::new("a\nb", Size::new(16, 3), "numbers absolute");
    let view = w.view();
    let mut mode = CopyMode::new(w.mode.lines.clone(), w.mode.size, w.mode.options);
    mode.look(&view);
    let w = World { mode, model: Model::default(), options: w.options.clone(), ..w };
    assert_eq!(w.shown()[1..], ["  2 b", "  3"]);
}

#[test]
fn drags_select_and_scroll() {
    let mut w = World::new(&numbered(30), Size::new(20, 5), "");
    w.run("history-top");
    let press = |w: &mut World, x, y| {
        let mouse =
            Mouse { button: 1, motion: true, release: false, pos: Pos::default(), mods: crate::keys::Mods::empty() };
        let view = View { model: &w.model, options: &w.options, now: w.now, client: None };
        w.mode.point(&mouse, x, y, &view);
        let outcome = w.mode.command(&["begin-selection".to_owned()], 0, &view).unwrap();
        assert!(matches!(outcome.acts[..], [Act::Grab]));
    };
    press(&mut w, 2, 1);
    w.mouse(1, true, false, 4, 2);
    w.run("copy-selection-no-clear");
    assert_eq!(w.copied, "ne 1\nline");
    // Below the last row the text comes along, also without further motion.
    w.mouse(1, true, false, 4, 9);
    assert_eq!(w.var("scroll_position"), "24");
    w.now.mono = w.mode.deadline().unwrap();
    let view = View { model: &w.model, options: &w.options, now: w.now, client: None };
    w.mode.tick(&view);
    assert_eq!(w.var("scroll_position"), "23");
    w.mouse(1, false, true, 4, 4);
    assert_eq!(w.mode.deadline(), None);
    w.mouse(1, true, false, 0, 0);
    w.run("copy-selection-no-clear");
    assert_eq!(w.copied.lines().last(), Some("line"));
}

#[test]
fn newer_rows_keep_the_place() {
    let size = Size::new(20, 5);
    let mut w = World::new(&numbered(30), size, "");
    w.run("history-top");
    w.run("12 cursor-down");
    w.mode.replace(terminal(&numbered(60), size).snapshot());
    assert_eq!(w.var("copy_cursor_line"), "line 12");
    w.mode.resize(Size::new(4, 8));
    w.mode.replace(terminal(&numbered(60), Size::new(4, 8)).snapshot());
    assert_eq!(w.var("copy_cursor_line"), "line");
    w.run("copy-line");
    assert_eq!(w.copied, "line 12");
}

fn any_command() -> impl Strategy<Value = (usize, u32, String)> {
    let text = prop_oneof![Just("="), Just("+a"), Just("-"), Just("1"), Just("中"), Just("[a-z]+"), Just("")];
    (0..COMMANDS.len(), prop_oneof![Just(0u32), 1u32..5, Just(u32::MAX)], text.prop_map(str::to_owned))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn any_commands_leave_the_cursor_inside(
        content in "([a-c中 \\[\\]().,]{0,30}\n){0,12}",
        vi: bool,
        commands in prop::collection::vec((any_command(), 1u16..24, 1u16..8, -3i32..30), 1..40),
    ) {
        let mut w = World::new(&content, Size::new(12, 5), if vi { VI } else { PLAIN });
        for ((at, count, text), cols, rows, place) in commands {
            let c = &COMMANDS[at];
            let mut argv = vec![c.name.to_owned()];
            argv.extend((c.max > 0).then_some(text));
            let view = View { model: &w.model, options: &w.options, now: w.now, client: None };
            if place % 5 == 0 {
                let m = Mouse { button: 1, motion: true, release: place > 20, pos: Pos::default(), mods: crate::keys::Mods::empty() };
                w.mode.point(&m, place, place / 2, &view);
            }
            let count = if c.name.starts_with("search") { count.min(5) } else { count };
            let _ = w.mode.command(&argv, count, &view);
            if place % 7 == 0 {
                w.mode.resize(Size::new(cols, rows));
            }
            if place % 7 == 1 {
                w.mouse(1, true, false, place, place - 5);
            }
            if place % 11 == 0 {
                w.mode.replace(terminal(&content, Size::new(cols.max(2), rows)).snapshot());
            }
            let m = &w.mode;
            prop_assert!(m.cursor.row >= m.top && m.cursor.row <= m.last_shown(), "{:?} {}", m.cursor, m.top);
            prop_assert!(m.cursor.col <= m.lines.size().cols);
            prop_assert!(m.top <= m.bottom());
            w.shown();
            for name in ["copy_cursor_word", "copy_cursor_line", "search_match", "selection_end_x"] {
                w.var(name);
            }
        }
    }
}
