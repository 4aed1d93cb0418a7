//! Prompts as a person sees them, and what keys make them say.

use super::*;
use crate::base::{ClientId, ConnId, Now, SessionId, Wall};
use crate::keys::Mouse;
use crate::model::asks::{AskKind, AskState};
use crate::model::{Client, Model};
use crate::options::Options;
use crate::paint::{Caps, Painter};

const CLIENT: ClientId = ClientId(1);

struct World {
    model: Model,
    options: Options,
    prompt: Prompt,
    now: Now,
    said: Vec<String>,
}

impl World {
    fn new(prompt: Prompt) -> World {
        let mut model = Model::default();
        let client = Client { id: CLIENT, size: Size::new(40, 8), ..Client::default() };
        model.clients.insert(CLIENT, client);
        let now = Now { mono: Time(1) + ARM_DELAY, ..Now::default() };
        World { model, options: Options::new(), prompt, now, said: Vec::new() }
    }

    fn command(input: &str, how: Asking) -> World {
        let prompt = Prompt::for_command(1, ":", input, how, Vec::new());
        World::new(prompt.with_commands(vec!["list-keys", "list-panes", "new-window", "set-option"]))
    }

    fn ask(title: &str, text: &str, label: &str) -> World {
        let ask = Ask {
            id: FlowId(1),
            claim: Some("builder".into()),
            known: "agent, pid 7".into(),
            conn: Some(ConnId(1)),
            session: SessionId(0),
            pane: None,
            kind: AskKind::Text { label: label.into(), initial: String::new() },
            title: title.into(),
            text: text.into(),
            deadline: None,
            state: AskState::Open,
            client: Some(CLIENT),
            driver_seen: Time(0),
            driver_gone: false,
        };
        let mut prompt = Prompt::for_ask(&ask, label, "", Vec::new());
        prompt.drawn(Time(1));
        World::new(prompt)
    }

    fn take(&mut self, outcome: Outcome) -> Flow {
        for act in outcome.acts {
            self.said.push(match act {
                Act::Prompt { value, done, .. } => {
                    format!("{}{}", value.map_or("given up".into(), |v| format!("{v:?}")), if done { "." } else { "" })
                }
                Act::Answer(_, answer) => format!("{answer:?}"),
                other => format!("{other:?}"),
            });
        }
        outcome.flow
    }

    fn input(&mut self, input: &LayerInput) -> Flow {
        let view = View { model: &self.model, options: &self.options, now: self.now, client: Some(CLIENT) };
        let outcome = self.prompt.input(input, &view);
        self.take(outcome)
    }

    fn keys(&mut self, names: &str) -> &mut World {
        for name in names.split_whitespace() {
            let key = Key::parse(name).unwrap_or_else(|| panic!("no key {name}"));
            self.input(&LayerInput::Key(key));
        }
        self
    }

    fn said(&mut self) -> String {
        std::mem::take(&mut self.said).join(" ")
    }

    fn text(&self) -> String {
        self.prompt.edit.text()
    }

    /// The rows it takes, and where its cursor is.
    #[track_caller]
    fn check(&self, expect: &[&str], cursor: (u16, u16)) {
        let view = View { model: &self.model, options: &self.options, now: self.now, client: Some(CLIENT) };
        let size = self.model.client(CLIENT).unwrap().size;
        let mut painter = Painter::new(Caps::new("xterm-256color", ""), size);
        let place = self.prompt.place(size.rect(), &view);
        self.prompt.draw(&view, &mut painter.brush(place));
        let picture = crate::paint::text(painter.frame(), painter.pool());
        let rows: Vec<&str> =
            picture.lines().skip(place.y as usize).take(place.h as usize).map(str::trim_end).collect();
        let at = self.prompt.cursor(&view, place.size()).unwrap().at;
        assert_eq!((rows.as_slice(), (at.x, at.y)), (expect, cursor));
    }
}

#[test]
fn an_ask_that_fits_is_one_row() {
    let mut w = World::ask("", "", "Name:");
    w.model.clients.get_mut(&CLIENT).unwrap().size = Size::new(60, 8);
    w.keys("a b");
    w.check(&["“builder” (agent, pid 7) · Name: ab"], (35, 0));
    assert_eq!(w.keys("Enter").said(), "Some(Text(\"ab\"))");
}

#[test]
fn what_is_asked_stands_over_the_row_when_it_is_long() {
    let mut w = World::ask("A branch", "The name of the branch to push this work to, please.", "Name:");
    w.keys("x");
    w.check(
        &[
            "A branch",
            "The name of the branch to push this",
            "work to, please.",
            "asked by “builder” (agent, pid 7)",
            "Name: x",
        ],
        (7, 4),
    );
    // On a low screen it scrolls.
    w.model.clients.get_mut(&CLIENT).unwrap().size = Size::new(40, 4);
    w.check(&["A branch", "The name of the branch to push this    ▼", "Name: x"], (7, 2));
    w.keys("NPage NPage NPage");
    w.check(&["work to, please.                       ▲", "asked by “builder” (agent, pid 7)", "Name: x"], (7, 2));
    assert_eq!(w.text(), "x");
}

#[test]
fn tab_completes() {
    for (before, after) in [
        ("new", "new-window "),
        ("li", "list-"),
        ("split-p", "split-pane "),
        ("zzz", "zzz"),
        ("set-option status-l", "set-option status-left"),
        ("set-option status-left-le", "set-option status-left-length "),
        ("select-layout main-v", "select-layout main-vertical"),
    ] {
        let mut w = World::command(before, Asking { kind: "command", ..Asking::default() });
        w.keys("Tab");
        assert_eq!(w.text(), after, "{before}");
    }
    let mut w = World::command("li", Asking { kind: "command", ..Asking::default() });
    w.keys("Tab Tab");
    w.check(&[":list- list-keys list-panes"], (6, 0));
    w.keys("k");
    w.check(&[":list-k"], (7, 0));
    let mut w = World::new(Prompt::for_command(1, ":", "new", Asking::default(), Vec::new()));
    w.keys("Tab");
    assert_eq!(w.text(), "new", "only commands are completed");
}

#[test]
fn single_keys() {
    let how = Asking { single: true, ..Asking::default() };
    for (keys, said) in [
        ("y", "\"y\"."),
        ("M-y", "\"y\"."),
        ("C-a", "\"\\u{1}\"."),
        ("Escape", "\"\\u{1b}\"."),
        ("Enter", "\"\\r\"."),
        ("BSpace", "\"\\u{7f}\"."),
        ("Up F1 Home", ""),
    ] {
        assert_eq!(World::command("", how).keys(keys).said(), said, "{keys}");
    }
    let how = Asking { key: true, ..Asking::default() };
    for (keys, said) in [("y", "\"y\"."), ("C-Up", "\"C-Up\"."), ("Enter", "\"Enter\".")] {
        assert_eq!(World::command("", how).keys(keys).said(), said, "{keys}");
    }
    let mut w = World::command("", how);
    assert_eq!(w.input(&LayerInput::Paste("x".into())), Flow::CloseAndPass);
    assert_eq!(w.said(), "\"PasteStart\".");
    let how = Asking { numeric: true, ..Asking::default() };
    assert_eq!(World::command("1", how).keys("2 x").said(), "\"12\".");
    assert_eq!(World::command("", how).keys("x").said(), "\"\".");
    let how = Asking { backspace_exit: true, ..Asking::default() };
    assert_eq!(World::command("a", how).keys("C-h C-h").said(), "given up.");
    assert_eq!(World::command("a", how).keys("BSpace BSpace").said(), "given up.");
}

#[test]
fn an_incremental_prompt_tells_each_text() {
    let mut w = World::command("a", Asking { incremental: true, ..Asking::default() });
    for _ in 0..2 {
        let view = View { model: &w.model, options: &w.options, now: w.now, client: Some(CLIENT) };
        let outcome = w.prompt.sync(&view);
        w.take(outcome);
    }
    assert_eq!(w.keys("b C-r C-s Left BSpace Enter").said(), "\"=a\" \"=ab\" \"-ab\" \"+ab\" \"=b\" \"b\".");
}

#[test]
fn the_newest_buffer_is_yanked_and_the_mouse_moves_the_cursor() {
    let mut w = World::command("", Asking::default());
    w.model.buffers.add(None, b"yank\nnot this".to_vec(), 10, Wall(0)).unwrap();
    w.keys("C-y");
    assert_eq!(w.text(), "yank");
    let mouse = Mouse { button: 1, release: false, motion: false, mods: Mods::empty(), pos: Pos::new(0, 0) };
    w.input(&LayerInput::Mouse { mouse, x: 3, y: 0 });
    w.check(&[":yank"], (3, 0));
}
