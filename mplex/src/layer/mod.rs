//! What sits on top of panes, windows and clients: copy mode, prompt, menus, dialogs. Never mutates the model.
//!
//! A layer sees a read-only [`View`] and answers with an [`Outcome`]: whether it took the key, whether it is done, and
//! what should happen, as data. `core` carries the acts out. Layers stand in stacks per pane, per window and per client;
//! they are drawn from the bottom of a stack to its top, keys go down from its top.

pub mod ask;
pub mod chooser;
pub mod clock;
pub mod copy;
pub mod edit;
pub mod menu;
pub mod message;
pub mod numbers;
pub mod prompt;
pub mod view;

use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::base::{ClientId, FlowId, PaneId, Pos, Rect, Rev, WindowId};
use crate::base::{Now, Size};
use crate::keys::{Key, Mouse};
use crate::lang::CommandList;
use crate::model::Model;
use crate::model::asks::Answer;
use crate::options::Options;
use crate::paint::{Brush, CursorShape};

/// What a layer may look at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub model: &'a Model,
    pub options: &'a Options,
    pub now: Now,
    /// The client whose key it is or for whom it is drawn.
    pub client: Option<ClientId>,
}

/// What a layer is given from the person.
#[derive(Clone, Debug)]
pub enum LayerInput {
    Key(Key),
    /// Relative to the layer's place; may lie outside of it.
    Mouse {
        mouse: Mouse,
        x: i32,
        y: i32,
    },
    Paste(String),
}

/// What became of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// Not for this layer: the next one down may have it.
    #[default]
    Pass,
    Eat,
    /// Taken, and the layer is done.
    Close,
    /// The layer is done, and the input goes on to the next.
    CloseAndPass,
}

/// What should happen.
#[derive(Debug)]
pub enum Act {
    /// Run commands, as if this client had typed them.
    Run(CommandList),
    /// Parse a text as commands and run them.
    RunText(String),
    /// The answer to an ask; `None` cancels it.
    Answer(FlowId, Option<Answer>),
    /// Text for a new paste buffer (or the end of the newest one), and for the terminals' clipboards. `name_prefix` is a
    /// format.
    Copy {
        text: String,
        name_prefix: Option<String>,
        buffer: bool,
        clipboard: bool,
        append: bool,
    },
    /// Text for a shell command's standard input; the command is a format.
    Pipe {
        text: String,
        command: String,
    },
    /// Text typed into a pane, as a paste.
    Paste {
        pane: PaneId,
        text: String,
    },
    Open(Box<dyn Layer>),
    /// Until its button goes up, the mouse's motions go to this layer.
    Grab,
    /// This layer wants to see anew what its pane shows.
    Refresh,
    /// What a command waits for has come: a prompt's text, or `None` when it was given up.
    Prompt {
        token: u32,
        value: Option<String>,
        done: bool,
    },
    Bell,
    Message(String),
}

/// What a layer says to an input.
#[derive(Debug, Default)]
pub struct Outcome {
    pub flow: Flow,
    pub acts: Vec<Act>,
}

impl Outcome {
    pub fn pass() -> Outcome {
        Outcome::default()
    }

    pub fn eat() -> Outcome {
        Outcome { flow: Flow::Eat, acts: Vec::new() }
    }

    pub fn close() -> Outcome {
        Outcome { flow: Flow::Close, acts: Vec::new() }
    }

    #[must_use]
    pub fn with(mut self, act: Act) -> Outcome {
        self.acts.push(act);
        self
    }
}

/// Where the cursor stands while a layer has it, relative to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerCursor {
    pub at: Pos,
    pub shape: CursorShape,
}

/// Something on top.
pub trait Layer: Debug + Send {
    /// The name formats see (`pane_mode`), as tmux names it where tmux has it.
    fn name(&self) -> &'static str;

    /// For downcasts in tests and in commands that speak to one kind of layer.
    fn as_any(&mut self) -> &mut dyn std::any::Any;

    /// The key table in which keys are looked up before [`Layer::input`] sees them.
    fn table(&self, _view: &View) -> Option<&'static str> {
        None
    }

    fn input(&mut self, input: &LayerInput, view: &View) -> Outcome;

    /// The mouse brought the next command, from this place relative to the layer's.
    fn point(&mut self, _mouse: &Mouse, _x: i32, _y: i32, _view: &View) {}

    /// A command of the layer itself (`send-keys -X`), with its arguments; an error names what is wrong.
    fn command(&mut self, argv: &[String], _count: u32, _view: &View) -> Result<Outcome, String> {
        Err(format!("{} has no command {}", self.name(), argv.first().map_or("", String::as_str)))
    }

    /// The model moved: a layer whose subject is gone closes.
    fn sync(&mut self, _view: &View) -> Outcome {
        Outcome::pass()
    }

    /// Where it stands in the room it is given (the pane, the window or the client's screen).
    fn place(&self, room: Rect, _view: &View) -> Rect {
        room
    }

    /// The room's size moved.
    fn resize(&mut self, _size: Size) {}

    fn draw(&self, view: &View, brush: &mut Brush<'_>);

    fn cursor(&self, _view: &View, _size: Size) -> Option<LayerCursor> {
        None
    }

    /// A format variable that only this layer knows.
    fn var(&self, _name: &str) -> Option<String> {
        None
    }

    /// Moves when it looks different.
    fn rev(&self) -> Rev;

    /// When it wants [`Layer::tick`].
    fn deadline(&self) -> Option<crate::base::Time> {
        None
    }

    fn tick(&mut self, _view: &View) -> Outcome {
        Outcome::pass()
    }
}

/// What a stack of layers stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Host {
    Pane(PaneId),
    Window(WindowId),
    Client(ClientId),
}

/// All stacks.
#[derive(Debug, Default)]
pub struct Layers {
    stacks: BTreeMap<Host, Vec<Box<dyn Layer>>>,
    /// Moves with each layer that comes, goes or was given something.
    pub rev: Rev,
}

impl Layers {
    pub fn push(&mut self, host: Host, layer: Box<dyn Layer>) {
        self.stacks.entry(host).or_default().push(layer);
        self.rev.bump();
    }

    pub fn stack(&self, host: Host) -> &[Box<dyn Layer>] {
        self.stacks.get(&host).map_or(&[], Vec::as_slice)
    }

    pub fn top(&self, host: Host) -> Option<&dyn Layer> {
        self.stacks.get(&host)?.last().map(|l| &**l)
    }

    /// The top layer, to be changed: the revision moves.
    pub fn top_mut(&mut self, host: Host) -> Option<&mut Box<dyn Layer>> {
        self.rev.bump();
        self.stacks.get_mut(&host)?.last_mut()
    }

    pub fn at_mut(&mut self, host: Host, index: usize) -> Option<&mut Box<dyn Layer>> {
        self.rev.bump();
        self.stacks.get_mut(&host)?.get_mut(index)
    }

    pub fn pop(&mut self, host: Host) -> Option<Box<dyn Layer>> {
        self.rev.bump();
        let stack = self.stacks.get_mut(&host)?;
        let layer = stack.pop();
        if stack.is_empty() {
            self.stacks.remove(&host);
        }
        layer
    }

    pub fn remove(&mut self, host: Host, index: usize) -> Option<Box<dyn Layer>> {
        self.rev.bump();
        let stack = self.stacks.get_mut(&host)?;
        let layer = (index < stack.len()).then(|| stack.remove(index));
        if stack.is_empty() {
            self.stacks.remove(&host);
        }
        layer
    }

    /// The host is gone, and all that stood on it.
    pub fn clear(&mut self, host: Host) {
        if self.stacks.remove(&host).is_some() {
            self.rev.bump();
        }
    }

    pub fn hosts(&self) -> Vec<Host> {
        self.stacks.keys().copied().collect()
    }

    /// When the first layer wants its tick.
    pub fn deadline(&self) -> Option<crate::base::Time> {
        self.stacks.values().flatten().filter_map(|l| l.deadline()).min()
    }
}
