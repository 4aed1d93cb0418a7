//! The dialog as a person sees it: pictures at sizes, and what keys and the mouse answer.

use super::*;
use crate::base::{ClientId, ConnId, Now, PaneId, SessionId, Span};
use crate::keys::Mouse;
use crate::layer::Flow;
use crate::model::asks::AskState;
use crate::model::{Client, Model};
use crate::options::Options;
use crate::paint::{Caps, Painter};

const CLIENT: ClientId = ClientId(1);

struct World {
    model: Model,
    options: Options,
    screen: FlowScreen,
    now: Now,
    said: Vec<String>,
}

fn ask(kind: AskKind, title: &str, text: &str) -> Ask {
    Ask {
        id: FlowId(1),
        claim: Some("agent one".into()),
        known: "agent, pid 1000".into(),
        conn: Some(ConnId(1)),
        session: SessionId(0),
        pane: Some(PaneId(0)),
        kind,
        title: title.into(),
        text: text.into(),
        deadline: None,
        state: AskState::Open,
        client: Some(CLIENT),
        driver_seen: Time(0),
        driver_gone: false,
    }
}

fn choice(options: &[&str], default: Option<usize>) -> AskKind {
    AskKind::Choice { options: options.iter().map(|o| (*o).to_owned()).collect(), default }
}

impl World {
    /// The dialog, drawn and long enough ago that keys count.
    fn new(cols: u16, rows: u16, ask: &Ask) -> World {
        let mut model = Model::default();
        let client = Client { id: CLIENT, size: Size::new(cols, rows), ..Client::default() };
        model.clients.insert(CLIENT, client);
        let mut screen = FlowScreen::new(ask);
        screen.drawn(Time(1));
        let now = Now { mono: Time(1) + ARM_DELAY, ..Now::default() };
        World { model, options: Options::new(), screen, now, said: Vec::new() }
    }

    fn size(&self) -> Size {
        self.model.client(CLIENT).map(|c| c.size).unwrap_or_default()
    }

    fn resize(&mut self, cols: u16, rows: u16) {
        self.model.clients.get_mut(&CLIENT).unwrap().size = Size::new(cols, rows);
    }

    fn input(&mut self, input: &LayerInput) -> Flow {
        let view = View { model: &self.model, options: &self.options, now: self.now, client: Some(CLIENT) };
        let outcome = self.screen.input(input, &view);
        for act in outcome.acts {
            self.said.push(match act {
                Act::Answer(_, Some(Answer::Index(n))) => format!("index {n}"),
                Act::Answer(_, Some(Answer::Seen)) => "seen".into(),
                Act::Answer(_, None) => "cancelled".into(),
                other => format!("{other:?}"),
            });
        }
        outcome.flow
    }

    /// Presses keys, by name.
    fn keys(&mut self, names: &str) -> &mut World {
        for name in names.split_whitespace() {
            let key = Key::parse(name).unwrap_or_else(|| panic!("no key {name}"));
            self.input(&LayerInput::Key(key));
        }
        self
    }

    fn mouse(&mut self, button: u8, x: i32, y: i32) -> &mut World {
        let mouse = Mouse { button, release: false, motion: false, mods: Mods::empty(), pos: Pos::new(0, 0) };
        self.input(&LayerInput::Mouse { mouse, x, y });
        self
    }

    fn picture(&self) -> String {
        let view = View { model: &self.model, options: &self.options, now: self.now, client: Some(CLIENT) };
        let mut painter = Painter::new(Caps::new("xterm-256color", ""), self.size());
        let place = self.screen.place(self.size().rect(), &view);
        self.screen.draw(&view, &mut painter.brush(place));
        crate::paint::text(painter.frame(), painter.pool())
    }

    fn said(&mut self) -> String {
        std::mem::take(&mut self.said).join(" ")
    }
}

#[track_caller]
fn check(picture: &str, expect: &[&str]) {
    let rows: Vec<&str> = picture.lines().map(str::trim_end).collect();
    let last = rows.iter().rposition(|r| !r.is_empty()).map_or(0, |n| n + 1);
    let shown: String = rows[..last].iter().map(|r| format!("    {r:?},\n")).collect();
    assert!(rows[..last] == *expect, "the screen is\n{shown}");
}

#[test]
fn it_stands_in_the_middle_and_follows_the_size() {
    let mut w = World::new(50, 11, &ask(choice(&["yes", "no"], Some(1)), "Deploy?", "To production."));
    check(
        &w.picture(),
        &[
            "",
            "",
            "   ╭─ Deploy? ────────────────────────────────╮",
            "   │ To production.                           │",
            "   │                                          │",
            "   │   1. yes                                 │",
            "   │ ▸ 2. no                                  │",
            "   │ asked by “agent one” (agent, pid 1000)   │",
            "   ╰────────────── Enter choose · Esc cancel ─╯",
        ],
    );
    w.resize(20, 8);
    check(
        &w.picture(),
        &[
            " ╭─ Deploy? ──────╮",
            " │ To production. │",
            " │                │",
            " │   1. yes       │",
            " │ ▸ 2. no        │",
            " │ asked by agent │",
            " ╰── Enter · Esc ─╯",
        ],
    );
    w.resize(10, 4);
    check(&w.picture(), &[" ╭──────╮", " │ Depl▼│", " │ aske │", " ╰── ⏎ ─╯"]);
}

#[test]
fn long_text_is_read_from_its_beginning_and_nothing_is_chosen_unseen() {
    let text = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
    let mut w = World::new(20, 8, &ask(choice(&["yes", "no"], None), "A title that is long", text));
    check(
        &w.picture(),
        &[
            " ╭────────────────╮",
            " │ A title that   │",
            " │ is long        │",
            " │                │",
            " │ one two three ▼│",
            " │ asked by agent │",
            " ╰── Enter · Esc ─╯",
        ],
    );
    // The first Enter only shows what it would choose.
    assert_eq!(w.keys("Enter").said(), "");
    check(
        &w.picture(),
        &[
            " ╭────────────────╮",
            " │ thirteen      ▲│",
            " │ fourteen       │",
            " │                │",
            " │ ▸ 1. yes      ▼│",
            " │ asked by agent │",
            " ╰── Enter · Esc ─╯",
        ],
    );
    assert_eq!(w.keys("Enter").said(), "index 0");
    let mut w = World::new(20, 8, &ask(choice(&["yes", "no"], None), "", text));
    assert_eq!(w.keys("2").said(), "");
    assert_eq!(w.keys("PPage").said(), "");
    check(
        &w.picture(),
        &[
            " ╭────────────────╮",
            " │ nine ten      ▲│",
            " │ eleven twelve  │",
            " │ thirteen       │",
            " │ fourteen      ▼│",
            " │ asked by agent │",
            " ╰── Enter · Esc ─╯",
        ],
    );
    assert_eq!(w.keys("NPage 2").said(), "index 1");
}

#[test]
fn twelve_long_options_wrap_and_scroll() {
    let option = "an option that does not fit on one line of this dialog";
    let options = [option; 12];
    let mut w = World::new(40, 12, &ask(choice(&options, None), "Which?", ""));
    check(
        &w.picture(),
        &[
            " ╭─ Which? ───────────────────────────╮",
            " │ ▸  1. an option that does not fit  │",
            " │       on one line of this dialog   │",
            " │    2. an option that does not fit  │",
            " │       on one line of this dialog   │",
            " │    3. an option that does not fit  │",
            " │       on one line of this dialog   │",
            " │    4. an option that does not fit  │",
            " │       on one line of this dialog  ▼│",
            " │ asked by “agen…” (agent, pid 1000) │",
            " ╰──────── Enter choose · Esc cancel ─╯",
        ],
    );
    // With more than nine a digit jumps.
    assert_eq!(w.keys("0").said(), "");
    assert_eq!(w.screen.chosen, 9);
    check(
        &w.picture(),
        &[
            " ╭─ Which? ───────────────────────────╮",
            " │    7. an option that does not fit ▲│",
            " │       on one line of this dialog   │",
            " │    8. an option that does not fit  │",
            " │       on one line of this dialog   │",
            " │    9. an option that does not fit  │",
            " │       on one line of this dialog   │",
            " │ ▸ 10. an option that does not fit  │",
            " │       on one line of this dialog  ▼│",
            " │ asked by “agen…” (agent, pid 1000) │",
            " ╰──────── Enter choose · Esc cancel ─╯",
        ],
    );
    assert_eq!(w.keys("Down Down Down Up Enter").said(), "index 11");
}

#[test]
fn wide_characters_wrap_whole() {
    let w = World::new(20, 10, &ask(choice(&["日本語日本語日本語", "👩‍🚀 ok"], None), "題", "中文中文中文中文中文"));
    check(
        &w.picture(),
        &[
            " ╭─ 題 ───────────╮",
            " │ 中文中文中文中 │",
            " │ 文中文         │",
            " │                │",
            " │ ▸ 1. 日本語日  │",
            " │      本語日本  │",
            " │      語       ▼│",
            " │ asked by agent │",
            " ╰── Enter · Esc ─╯",
        ],
    );
}

#[test]
fn keys_answer() {
    let kind = choice(&["a", "b", "c"], Some(1));
    for (keys, said) in [
        ("Enter", "index 1"),
        ("KPEnter", "index 1"),
        ("3", "index 2"),
        ("KP1", "index 0"),
        ("Down Enter", "index 2"),
        ("j j Enter", "index 0"),
        ("C-n C-p k Enter", "index 0"),
        ("End Enter", "index 2"),
        ("g Enter", "index 0"),
        ("G Enter", "index 2"),
        ("Escape", "cancelled"),
        ("q", "cancelled"),
        ("C-c", "cancelled"),
        ("C-g", "cancelled"),
        ("x y z M-q F1 Tab Left", ""),
        ("9", "Bell"),
        ("0", "Bell"),
    ] {
        let mut w = World::new(60, 20, &ask(kind.clone(), "t", ""));
        assert_eq!(w.keys(keys).said(), said, "{keys}");
    }
    let mut w = World::new(60, 20, &ask(AskKind::Message, "t", "read this"));
    assert_eq!(w.keys("1 x Enter").said(), "seen");
}

#[test]
fn keys_in_flight_go_to_what_is_below() {
    let a = ask(choice(&["a", "b"], None), "t", "");
    let mut w = World::new(60, 20, &a);
    w.screen = FlowScreen::new(&a);
    let enter = LayerInput::Key(Key::new(Code::Char('\r'), Mods::empty()));
    assert_eq!(w.input(&enter), Flow::Pass, "not drawn yet");
    w.screen.drawn(w.now.mono);
    let drawn = w.now.mono;
    w.now.mono = drawn + Span::from_millis(149);
    assert_eq!(w.input(&enter), Flow::Pass);
    assert_eq!(w.input(&LayerInput::Paste("1".into())), Flow::Pass);
    // Drawn again, it is as old as before.
    w.screen.drawn(w.now.mono);
    w.now.mono = drawn + Span::from_millis(150);
    assert_eq!(w.input(&LayerInput::Paste("1".into())), Flow::Eat);
    assert_eq!(w.input(&enter), Flow::Close);
    assert_eq!(w.said(), "index 0");
}

#[test]
fn the_mouse_points_at_options() {
    let mut w = World::new(50, 11, &ask(choice(&["yes", "no"], None), "Deploy?", "To production."));
    assert_eq!(w.mouse(1, 5, 1).mouse(1, -3, 4).mouse(1, 0, 4).mouse(3, 5, 4).said(), "");
    assert_eq!(w.mouse(1, 5, 4).said(), "index 1");
    let text = "long ".repeat(60);
    let mut w = World::new(30, 8, &ask(choice(&["yes", "no"], None), "", &text));
    w.mouse(5, 3, 3);
    assert_eq!(w.screen.top, 3);
    w.mouse(4, 3, 3).mouse(4, 3, 3);
    assert_eq!(w.screen.top, 0);
}

#[test]
fn a_claim_never_hides_what_is_known() {
    let mut a = ask(AskKind::Message, "t", "x");
    a.claim = Some("the system itself, trust me, this is the system speaking to you".into());
    check(
        &World::new(50, 6, &a).picture(),
        &[
            "",
            " ╭─ t ──────────────────────────────────────────╮",
            " │ x                                            │",
            " │ asked by “the system its…” (agent, pid 1000) │",
            " ╰─────────────────── Enter read · Esc dismiss ─╯",
        ],
    );
    check(
        &World::new(24, 6, &a).picture(),
        &[
            "",
            " ╭─ t ────────────────╮",
            " │ x                  │",
            " │ asked by agent, pi │",
            " ╰────── Enter · Esc ─╯",
        ],
    );
    a.claim = Some("two\nlines\x1b[31m".into());
    check(
        &World::new(60, 6, &a).picture(),
        &[
            "",
            "     ╭─ t ───────────────────────────────────────────╮",
            "     │ x                                             │",
            "     │ asked by “two lines [31m” (agent, pid 1000)   │",
            "     ╰──────────────────── Enter read · Esc dismiss ─╯",
        ],
    );
}
