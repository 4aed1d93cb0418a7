//! The commands, one row each, sorted by name. What is said here is all that is said: usage, checks, completion, help
//! and the manual read these rows.

use crate::lang::{Flag, Operands};

use super::spec::{Spec, Target, TargetKind};

const fn plain(letter: char, help: &'static str) -> Flag {
    Flag::plain(letter, help)
}

const fn valued(letter: char, name: &'static str, help: &'static str) -> Flag {
    Flag::valued(letter, name, help)
}

const fn optional(letter: char, name: &'static str, help: &'static str) -> Flag {
    Flag::optional(letter, name, help)
}

/// The key bindings there are at the start, as commands. To be parsed as one group ([`Grouping::Whole`]); its
/// assignments are its own and not for the environment.
///
/// [`Grouping::Whole`]: crate::lang::Grouping::Whole
pub const DEFAULTS: &str = include_str!("defaults.conf");

/// All commands.
pub static ROWS: &[Spec] = &[
    Spec::new("attach-session", "Attach the terminal to a session")
        .alias("attach")
        .flags(&[
            plain('d', "detach the other clients of the session"),
            plain('E', "leave the session's environment as it is"),
            plain('r', "attach read-only and without a say in the size"),
            plain('x', "as -d, and hang up the parents of those clients"),
            valued('c', "working-directory", "working directory of new windows from now on"),
            valued('f', "flags", "client flags, comma-separated; ! before one takes it away"),
            valued('t', "target-session", "session, window or pane to show"),
        ])
        .read_only_ok()
        .start_server()
        .doc(
            "Run outside, it takes over the terminal and shows the session; run inside, it moves the client to \
             the session. Without a target the session used last is taken, one without a client first.",
        ),
    Spec::new("bind-key", "Bind a key to commands")
        .alias("bind")
        .flags(&[
            plain('n', "bind in the root table"),
            plain('r', "the key may be repeated without the prefix"),
            valued('T', "key-table", "key table"),
            valued('N', "note", "note that list-keys -N shows"),
        ])
        .operands(1, None, Operands::Commands, "key [command [argument ...]]")
        .after_hook()
        .doc(
            "Without -T or -n the key is bound in the prefix table. The commands are the remaining words, one \
             string, or braces. With -r or -N and no commands an existing binding is changed.",
        ),
    Spec::new("break-pane", "Move a pane into a window of its own")
        .alias("breakp")
        .flags(&[
            plain('a', "put the new window after the target"),
            plain('b', "put the new window before the target"),
            plain('d', "do not make it current"),
            plain('P', "print the new place"),
            plain('W', "make the pane float in its window"),
            valued('F', "format", "what -P prints"),
            valued('n', "window-name", "name of the new window"),
            valued('s', "src-pane", "pane to move"),
            valued('t', "dst-window", "where the new window goes"),
            valued('x', "width", "width of the floating pane, or a percentage"),
            valued('y', "height", "height of the floating pane, or a percentage"),
            valued('X', "x-position", "column of the floating pane, or a percentage"),
            valued('Y', "y-position", "row of the floating pane, or a percentage"),
        ])
        .target(Target::new('t', TargetKind::Window).may_be_new())
        .source(Target::new('s', TargetKind::Pane))
        .doc(
            "The pane leaves its window and becomes the only pane of a new one. With -W it stays in its window \
             and floats.",
        ),
    Spec::new("capture-pane", "Copy what a pane shows to a buffer or the output")
        .alias("capturep")
        .flags(&[
            plain('a', "take the alternate screen"),
            plain('C', "write what is not printable as octal escapes"),
            plain('e', "keep colours and attributes as escape sequences"),
            plain('F', "put the flags of each line before it"),
            plain('H', "take only the hyperlinks"),
            plain('J', "join wrapped lines and keep spaces at their ends"),
            plain('L', "put the number of each line before it"),
            plain('M', "take the screen of the mode the pane is in"),
            plain('N', "keep spaces at the ends of lines"),
            plain('p', "print instead of filling a buffer"),
            plain('P', "take only the unfinished escape sequence"),
            plain('q', "say nothing when there is no alternate screen"),
            plain('R', "print the grid as it is stored, to look for errors"),
            plain('T', "leave out cells at the end that were never written"),
            valued('b', "buffer-name", "name of the buffer"),
            valued('E', "end-line", "last line"),
            valued('S', "start-line", "first line"),
            valued('t', "target-pane", "pane to act on"),
        ])
        .target(Target::new('t', TargetKind::Pane))
        .after_hook()
        .doc(
            "Lines are counted from 0 at the top of the screen, negative ones are history, and - is the far end \
             of either. Without -S and -E the screen is taken.",
        ),
    Spec::new("choose-buffer", "Choose a paste buffer from a list")
        .flags(&[
            plain('k', "kill the pane on leaving"),
            plain('N', "start without the preview; twice, with a large one").repeated(),
            plain('r', "the other way round"),
            plain('Z', "zoom the pane"),
            plain('y', "do not ask before anything").unlisted(),
            valued('F', "format", "format of each item"),
            valued('f', "filter", "only items for which this format is true"),
            valued('K', "key-format", "format of each shortcut key"),
            valued('O', "sort-order", "what to sort by"),
            valued('t', "target-pane", "pane the list opens in"),
        ])
        .operands(0, Some(1), Operands::Commands, "[template]")
        .target(Target::new('t', TargetKind::Pane))
        .doc(
            "The list opens in the pane. The chosen buffer's name replaces %% in the template, which is then \
             run; without a template the buffer is pasted.",
        ),
    Spec::new("choose-client", "Choose a client from a list")
        .flags(&[
            plain('h', "leave this pane out of the preview"),
            plain('i', "start with what is known of the client"),
            plain('k', "kill the pane on leaving"),
            plain('N', "start without the preview; twice, with a large one").repeated(),
            plain('r', "the other way round"),
            plain('Z', "zoom the pane"),
            plain('y', "do not ask before anything").unlisted(),
            valued('F', "format", "format of each item"),
            valued('f', "filter", "only items for which this format is true"),
            valued('K', "key-format", "format of each shortcut key"),
            valued('O', "sort-order", "what to sort by"),
            valued('t', "target-pane", "pane the list opens in"),
        ])
        .operands(0, Some(1), Operands::Commands, "[template]")
        .target(Target::new('t', TargetKind::Pane))
        .doc(
            "The list opens in the pane. The chosen client's name replaces %% in the template, which is then \
             run; without a template the client is detached.",
        ),
    Spec::new("choose-tree", "Choose a session, window or pane from a tree")
        .flags(&[
            plain('G', "show every session of a group"),
            plain('h', "leave this pane out of the preview"),
            plain('k', "kill the pane on leaving"),
            plain('N', "start without the preview; twice, with a large one").repeated(),
            plain('r', "the other way round"),
            plain('s', "start with sessions closed"),
            plain('w', "start with windows closed"),
            plain('Z', "zoom the pane"),
            plain('y', "do not ask before anything").unlisted(),
            valued('F', "format", "format of each item"),
            valued('f', "filter", "only items for which this format is true"),
            valued('K', "key-format", "format of each shortcut key"),
            valued('O', "sort-order", "what to sort by"),
            valued('t', "target-pane", "pane the list opens in"),
        ])
        .operands(0, Some(1), Operands::Commands, "[template]")
        .target(Target::new('t', TargetKind::Pane))
        .doc(
            "The tree opens in the pane. The chosen target replaces %% in the template, which is then run; \
             without a template the client switches to it.",
        ),
    Spec::new("clear-history", "Forget a pane's history")
        .alias("clearhist")
        .flags(&[plain('H', "forget hyperlinks as well"), valued('t', "target-pane", "pane to act on")])
        .target(Target::new('t', TargetKind::Pane))
        .after_hook()
        .doc("The screen stays as it is."),
    Spec::new("clear-prompt-history", "Forget what was typed at prompts")
        .alias("clearphist")
        .flags(&[valued('T', "prompt-type", "only this type of prompt")])
        .after_hook()
        .doc("All types of prompt, or the one given."),
    Spec::new("clock-mode", "Show a clock in a pane")
        .flags(&[valued('t', "target-pane", "pane to act on")])
        .target(Target::new('t', TargetKind::Pane))
        .after_hook()
        .doc("Any key closes it."),
    Spec::new("command-prompt", "Ask for text and run a command with it")
        .flags(&[
            plain('1', "one key press is the answer"),
            plain('C', "let the panes go on meanwhile"),
            plain('b', "do not keep the invoking client waiting"),
            plain('e', "backspace closes an empty prompt"),
            plain('F', "expand the template as a format"),
            plain('i', "run the command at every change of the text"),
            plain('k', "one key press is the answer, by its name"),
            plain('l', "take prompts and inputs whole, commas included"),
            plain('N', "accept digits alone"),
            plain('P', "ask inside the pane"),
            valued('I', "inputs", "texts to start with, comma-separated"),
            valued('p', "prompts", "prompts, comma-separated"),
            valued('t', "target-client", "client to act on"),
            valued('T', "prompt-type", "what is asked for, which decides completion and history"),
        ])
        .operands(0, Some(1), Operands::Commands, "[template]")
        .client('t', false)
        .doc(
            "Each answer replaces %1, %2 and so on in the template, the first also %%. Without a template the \
             text typed is the command.",
        ),
    Spec::new("confirm-before", "Ask before a command is run")
        .alias("confirm")
        .flags(&[
            plain('b', "do not keep the invoking client waiting"),
            plain('y', "Enter alone says yes"),
            valued('c', "confirm-key", "key that says yes, instead of y"),
            valued('p', "prompt", "the question"),
            valued('t', "target-client", "client to act on"),
        ])
        .operands(1, Some(1), Operands::Commands, "command")
        .client('t', false)
        .doc("The command is run when the key is pressed that says yes, and not otherwise."),
    Spec::new("copy-mode", "Look at, search and copy what a pane has shown")
        .flags(&[
            plain('d', "scroll one page down"),
            plain('e', "leave at the bottom when scrolling"),
            plain('k', "kill the pane on leaving"),
            plain('H', "hide the position"),
            plain('M', "begin dragging with the mouse"),
            plain('q', "leave all modes"),
            plain('S', "scroll to where the mouse drags"),
            plain('u', "scroll one page up"),
            valued('s', "src-pane", "pane whose content is shown"),
            valued('t', "target-pane", "pane to act on"),
        ])
        .target(Target::new('t', TargetKind::Pane))
        .source(Target::new('s', TargetKind::Pane))
        .read_only_ok()
        .after_hook()
        .doc("The keys of table copy-mode or copy-mode-vi move about; send-keys -X runs its commands."),
    Spec::new("customize-mode", "Look at and change options and keys in a tree")
        .flags(&[
            plain('k', "kill the pane on leaving"),
            plain('N', "start without what is known of the option"),
            plain('Z', "zoom the pane"),
            plain('y', "do not ask before anything").unlisted(),
            valued('F', "format", "format of each item"),
            valued('f', "filter", "only items for which this format is true"),
            valued('t', "target-pane", "pane the list opens in"),
        ])
        .target(Target::new('t', TargetKind::Pane))
        .doc("The tree opens in the pane."),
    Spec::new("delete-buffer", "Delete a paste buffer")
        .alias("deleteb")
        .flags(&[valued('b', "buffer-name", "name of the buffer")])
        .after_hook()
        .doc("Without a name, the newest one that was named automatically."),
    Spec::new("detach-client", "Detach clients")
        .alias("detach")
        .flags(&[
            plain('a', "all clients but the target"),
            plain('P', "hang up the parent of the client"),
            valued('E', "shell-command", "shell command to replace the client"),
            valued('s', "target-session", "all clients of this session"),
            valued('t', "target-client", "client to detach"),
        ])
        .source(Target::new('s', TargetKind::Session).may_fail())
        .client('t', false)
        .read_only_ok()
        .doc("One client, those of a session, or all but one. The sessions stay."),
    Spec::new("display-menu", "Show a menu")
        .alias("menu")
        .flags(&[
            plain('M', "follow the mouse even when not opened by it"),
            plain('O', "stay open when the button is let go elsewhere"),
            valued('b', "border-lines", "kind of border lines"),
            valued('c', "target-client", "client to show it on"),
            valued('C', "starting-choice", "item chosen at first, counted from 0"),
            valued('H', "selected-style", "style of the chosen item"),
            valued('s', "style", "style of the menu"),
            valued('S', "border-style", "style of the border"),
            valued('t', "target-pane", "pane its commands act on"),
            valued('T', "title", "title, a format"),
            valued('x', "position", "column, or a letter or format that says where"),
            valued('y', "position", "row, or a letter or format that says where"),
        ])
        .operands(1, None, Operands::Menu, "name [key] [command] ...")
        .target(Target::new('t', TargetKind::Pane))
        .client('c', false)
        .after_hook()
        .doc(
            "Items are given as name, key and command each; an empty name alone is a line between items, and a \
             name that starts with - cannot be chosen.",
        ),
    Spec::new("display-message", "Show a message or print a format")
        .alias("display")
        .flags(&[
            plain('a', "list all variables and their values"),
            plain('C', "let the panes go on meanwhile"),
            plain('I', "send the input to an empty pane"),
            plain('l', "print the message as it is"),
            plain('N', "ignore keys and wait for the delay"),
            plain('p', "print to the output"),
            plain('v', "explain how the format is read"),
            valued('c', "target-client", "client to show it on"),
            valued('d', "delay", "how long it stays, in milliseconds; 0 waits for a key"),
            valued('F', "format", "the format"),
            valued('t', "target-pane", "pane the format is about"),
        ])
        .operands(0, Some(1), Operands::Text, "[message]")
        .target(Target::new('t', TargetKind::Pane).may_fail())
        .client('c', true)
        .after_hook()
        .doc("The message is a format. Without one, the format of the status line's message is used."),
    Spec::new("display-panes", "Show each pane's number and choose one")
        .alias("displayp")
        .flags(&[
            plain('k', "kill the pane on leaving"),
            plain('N', "keys do not close it"),
            plain('Z', "do not zoom"),
            valued('d', "duration", "how long it stays, in milliseconds; 0 waits for a key"),
            valued('s', "source-window", "window whose panes are shown"),
            valued('t', "target-pane", "pane it is shown in"),
        ])
        .operands(0, Some(1), Operands::Commands, "[template]")
        .target(Target::new('t', TargetKind::Pane))
        .source(Target::new('s', TargetKind::Window))
        .after_hook()
        .doc(
            "Pressing a number or clicking puts the pane's id for %% in the template and runs it; without a \
             template the pane becomes active.",
        ),
    Spec::new("display-popup", "Run a command in a box above the panes")
        .alias("popup")
        .flags(&[
            plain('B', "no border"),
            plain('C', "close the popup"),
            plain('E', "close when the command ends; twice, only when it ends well").repeated(),
            plain('k', "any key closes it once the command has ended"),
            plain('N', "forget earlier -E and -k"),
            valued('b', "border-lines", "kind of border lines"),
            valued('c', "target-client", "client to show it on"),
            valued('d', "start-directory", "directory the command starts in"),
            valued('e', "environment", "variable for the command").repeated(),
            valued('h', "height", "height, or a percentage"),
            valued('s', "style", "style of the popup"),
            valued('S', "border-style", "style of the border"),
            valued('t', "target-pane", "pane it belongs to"),
            valued('T', "title", "title, a format"),
            valued('w', "width", "width, or a percentage"),
            valued('x', "position", "column, or a letter or format that says where"),
            valued('y', "position", "row, or a letter or format that says where"),
        ])
        .operands(0, None, Operands::Text, "[shell-command [argument ...]]")
        .target(Target::new('t', TargetKind::Pane))
        .client('c', false)
        .after_hook()
        .doc("Without a command the default one is run. Run inside a popup, it changes that popup."),
    Spec::new("find-window", "Search windows for text")
        .alias("findw")
        .flags(&[
            plain('C', "look at what is visible"),
            plain('i', "ignore case"),
            plain('N', "look at names"),
            plain('r', "the text is a regular expression"),
            plain('T', "look at titles"),
            plain('Z', "stay zoomed"),
            valued('t', "target-pane", "pane to act on"),
        ])
        .operands(1, Some(1), Operands::Text, "match-string")
        .target(Target::new('t', TargetKind::Pane))
        .doc("Looks at names, titles and what is visible, and opens a list of what it finds."),
    Spec::new("has-session", "Say whether a session exists")
        .alias("has")
        .flags(&[valued('t', "target-session", "session to act on")])
        .target(Target::new('t', TargetKind::Session))
        .doc("Succeeds when it does, fails when it does not."),
    Spec::new("if-shell", "Run one of two commands")
        .alias("if")
        .flags(&[
            plain('b', "run the shell command in the background"),
            plain('F', "look at the format instead: true unless empty or 0"),
            valued('t', "target-pane", "pane the formats are about"),
        ])
        .operands(2, Some(3), Operands::CommandsAfterFirst, "shell-command command [command]")
        .target(Target::new('t', TargetKind::Pane).may_fail())
        .doc("The first when the shell command succeeds, else the second, if there is one."),
    Spec::new("join-pane", "Move a pane into another window")
        .alias("joinp")
        .flags(&[
            plain('b', "put it to the left or above"),
            plain('d', "do not make it active"),
            plain('f', "use the full width or height of the window"),
            plain('h', "side by side"),
            plain('v', "one above the other"),
            valued('l', "size", "size, or a percentage"),
            valued('s', "src-pane", "pane to move; the marked one if there is one"),
            valued('t', "dst-pane", "pane to split"),
            valued('p', "percentage", "size as a percentage").unlisted(),
        ])
        .target(Target::new('t', TargetKind::Pane))
        .source(Target::new('s', TargetKind::Pane).or_marked())
        .doc(
            "The target is split and the source put into the new space. A floating pane without another target \
             goes back to its place among the tiled ones.",
        ),
    Spec::new("kill-pane", "Destroy a pane")
        .alias("killp")
        .flags(&[
            plain('a', "all panes of the window but this one"),
            valued('f', "filter", "with -a, only those for which this format is true"),
            valued('t', "target-pane", "pane to act on"),
        ])
        .target(Target::new('t', TargetKind::Pane))
        .after_hook()
        .doc("When it is the last one, its window goes as well."),
    Spec::new("kill-server", "End the server").doc("All sessions and clients go with it."),
    Spec::new("kill-session", "Destroy a session")
        .flags(&[
            plain('a', "all sessions but this one"),
            plain('C', "clear the alerts of its windows instead"),
            plain('g', "all sessions of its group"),
            valued('f', "filter", "with -a, only those for which this format is true"),
            valued('t', "target-session", "session to act on"),
        ])
        .target(Target::new('t', TargetKind::Session))
        .doc("Its windows go unless another session has them; its clients are detached."),
    Spec::new("kill-window", "Destroy a window")
        .alias("killw")
        .flags(&[
            plain('a', "all windows of the session but this one"),
            valued('f', "filter", "with -a, only those for which this format is true"),
            valued('t', "target-window", "window to act on"),
        ])
        .target(Target::new('t', TargetKind::Window))
        .doc("It is removed from every session that has it."),
    Spec::new("last-pane", "Go back to the pane that was active before")
        .alias("lastp")
        .flags(&[
            plain('d', "stop input to the pane"),
            plain('e', "allow input to the pane"),
            plain('Z', "stay zoomed"),
            valued('t', "target-window", "window to act on"),
        ])
        .target(Target::new('t', TargetKind::Window))
        .doc("In the target window."),
    Spec::new("last-window", "Go back to the window that was current before")
        .alias("last")
        .flags(&[valued('t', "target-session", "session to act on")])
        .target(Target::new('t', TargetKind::Session))
        .doc("In the target session."),
    Spec::new("link-window", "Show a window in another session as well")
        .alias("linkw")
        .flags(&[
            plain('a', "put it after the target"),
            plain('b', "put it before the target"),
            plain('d', "do not make it current"),
            plain('k', "destroy a window that is in the place"),
            valued('s', "src-window", "window to link"),
            valued('t', "dst-window", "where it goes"),
        ])
        .source(Target::new('s', TargetKind::Window))
        .doc("It is one window in two places from then on."),
    Spec::new("list-buffers", "List paste buffers")
        .alias("lsb")
        .flags(&[
            plain('r', "the other way round").unlisted(),
            valued('F', "format", "format of each line"),
            valued('f', "filter", "only those for which this format is true"),
            valued('O', "order", "what to sort by"),
        ])
        .after_hook()
        .doc("One on each line."),
    Spec::new("list-clients", "List clients")
        .alias("lsc")
        .flags(&[
            plain('r', "the other way round").unlisted(),
            valued('F', "format", "format of each line"),
            valued('f', "filter", "only those for which this format is true"),
            valued('O', "order", "what to sort by"),
            valued('t', "target-session", "only clients of this session"),
        ])
        .target(Target::new('t', TargetKind::Session))
        .read_only_ok()
        .after_hook()
        .doc("One on each line."),
    Spec::new("list-commands", "List commands and what they take")
        .alias("lscm")
        .flags(&[valued('F', "format", "format of each line")])
        .operands(0, Some(1), Operands::Text, "[command]")
        .after_hook()
        .start_server()
        .doc("All of them, or the one named."),
    Spec::new("list-keys", "List key bindings")
        .alias("lsk")
        .flags(&[
            plain('1', "only the first that matches"),
            plain('a', "with -N, keys without a note too"),
            plain('N', "keys and notes"),
            plain('r', "the other way round"),
            valued('F', "format", "format of each line"),
            valued('O', "order", "sort by key, modifier or name"),
            valued('P', "prefix-string", "text before each line"),
            valued('T', "key-table", "only this table"),
        ])
        .operands(0, Some(1), Operands::Text, "[key]")
        .after_hook()
        .start_server()
        .doc("As the commands that would make them, or with -N as keys and notes."),
    Spec::new("list-panes", "List panes")
        .alias("lsp")
        .flags(&[
            plain('a', "of the whole server"),
            plain('s', "of the whole session"),
            plain('r', "the other way round"),
            valued('F', "format", "format of each line"),
            valued('f', "filter", "only those for which this format is true"),
            valued('O', "order", "what to sort by"),
            valued('t', "target-window", "window to act on"),
        ])
        .target(Target::new('t', TargetKind::Window))
        .after_hook()
        .doc("Those of a window, or of more."),
    Spec::new("list-sessions", "List sessions")
        .alias("ls")
        .flags(&[
            plain('r', "the other way round"),
            valued('F', "format", "format of each line"),
            valued('f', "filter", "only those for which this format is true"),
            valued('O', "order", "what to sort by"),
        ])
        .after_hook()
        .doc("One on each line."),
    Spec::new("list-windows", "List windows")
        .alias("lsw")
        .flags(&[
            plain('a', "of the whole server"),
            plain('r', "the other way round"),
            valued('F', "format", "format of each line"),
            valued('f', "filter", "only those for which this format is true"),
            valued('O', "order", "what to sort by"),
            valued('t', "target-session", "session to act on"),
        ])
        .target(Target::new('t', TargetKind::Session))
        .after_hook()
        .doc("Those of a session, or of all."),
    Spec::new("load-buffer", "Read a file into a paste buffer")
        .alias("loadb")
        .flags(&[
            plain('w', "send it to the client's clipboard too").unlisted(),
            valued('b', "buffer-name", "name of the buffer"),
            valued('t', "target-client", "client whose clipboard it is"),
        ])
        .operands(1, Some(1), Operands::Text, "path")
        .client('t', true)
        .after_hook()
        .doc("The path - is the standard input."),
    Spec::new("lock-client", "Lock a client")
        .alias("lockc")
        .flags(&[valued('t', "target-client", "client to act on")])
        .client('t', false)
        .after_hook()
        .doc("Runs the command of option lock-command on its terminal."),
    Spec::new("lock-server", "Lock all clients")
        .alias("lock")
        .after_hook()
        .doc("Runs the command of option lock-command on each terminal."),
    Spec::new("lock-session", "Lock the clients of a session")
        .alias("locks")
        .flags(&[valued('t', "target-session", "session to act on")])
        .target(Target::new('t', TargetKind::Session))
        .after_hook()
        .doc("Runs the command of option lock-command on each terminal."),
    Spec::new("move-pane", "Move a pane to another place")
        .alias("movep")
        .flags(&[
            plain('b', "put it to the left or above"),
            plain('d', "do not make it active"),
            plain('f', "use the full width or height of the window"),
            plain('h', "side by side"),
            plain('M', "begin dragging with the mouse"),
            plain('v', "one above the other"),
            optional('D', "lines", "move down by lines"),
            valued('l', "size", "size, or a percentage"),
            optional('L', "columns", "move left by columns"),
            valued('P', "position", "move to a named position"),
            optional('R', "columns", "move right by columns"),
            valued('s', "src-pane", "pane to move; the marked one if there is one"),
            valued('t', "dst-pane", "pane to split, or floating pane to move"),
            optional('U', "lines", "move up by lines"),
            valued('X', "x-position", "move to this column, or a percentage"),
            valued('Y', "y-position", "move to this row, or a percentage"),
            valued('z', "z-index", "depth among the floating panes, 0 in front"),
        ])
        .target(Target::new('t', TargetKind::Pane))
        .source(Target::new('s', TargetKind::Pane).or_marked())
        .doc("As join-pane, or, given a direction, a position or a depth, moves a floating pane."),
    Spec::new("move-window", "Move a window to another place")
        .alias("movew")
        .flags(&[
            plain('a', "put it after the target"),
            plain('b', "put it before the target"),
            plain('d', "do not make it current"),
            plain('k', "destroy a window that is in the place"),
            plain('r', "number the windows in order"),
            valued('s', "src-window", "window to move"),
            valued('t', "dst-window", "where it goes"),
        ])
        .source(Target::new('s', TargetKind::Window))
        .doc("Or, with -r, number the windows of a session anew."),
    Spec::new("new-pane", "Open a floating pane")
        .alias("newp")
        .flags(&[
            plain('A', "stay above a zoomed pane"),
            plain('b', "put it to the left or above"),
            plain('C', "close the modal pane at a click outside"),
            plain('d', "do not make it active"),
            plain('f', "use the full width or height of the window"),
            plain('h', "side by side"),
            plain('I', "run no command and show the input"),
            plain('k', "stay open for a key when the command has ended"),
            plain('K', "pass all keys to the modal pane"),
            plain('L', "split as split-window does"),
            plain('M', "size it by dragging the mouse"),
            plain('O', "make it modal: nothing else has the focus while it is open"),
            plain('P', "print the new pane"),
            plain('v', "one above the other"),
            plain('W', "wait for the command and return its exit status"),
            plain('Z', "zoom, or stay zoomed"),
            plain('E', "run no command").unlisted(),
            valued('B', "border-lines", "kind of border lines when floating"),
            valued('c', "start-directory", "directory the command starts in"),
            valued('e', "environment", "variable for the command").repeated(),
            valued('F', "format", "what -P prints"),
            valued('l', "size", "size, or a percentage"),
            valued('m', "message", "as -k, with this message"),
            valued('p', "percentage", "size as a percentage"),
            valued('s', "style", "style of the pane"),
            valued('S', "active-border-style", "style of the border when active"),
            valued('R', "inactive-border-style", "style of the border when not active"),
            valued('T', "title", "title of the pane"),
            valued('x', "width", "width, or a percentage"),
            valued('y', "height", "height, or a percentage"),
            valued('X', "x-position", "column, or a percentage"),
            valued('Y', "y-position", "row, or a percentage"),
            valued('t', "target-pane", "pane to split"),
        ])
        .operands(0, None, Operands::Text, "[shell-command [argument ...]]")
        .target(Target::new('t', TargetKind::Pane))
        .doc("With -L it splits the target as split-window does."),
    Spec::new("new-session", "Create a session")
        .alias("new")
        .flags(&[
            plain('A', "attach if the session exists"),
            plain('d', "do not attach"),
            plain('D', "with -A, detach the other clients"),
            plain('E', "leave the environment as it is"),
            plain('P', "print the new session"),
            plain('X', "with -A, detach the other clients and hang up their parents"),
            valued('c', "start-directory", "working directory of the session"),
            valued('e', "environment", "variable of the session").repeated(),
            valued('F', "format", "what -P prints"),
            valued('f', "flags", "client flags, comma-separated"),
            valued('n', "window-name", "name of the first window"),
            valued('s', "session-name", "name of the session"),
            valued('t', "target-session", "session group to join, or a session to share windows with"),
            valued('x', "width", "width, or - for the client's"),
            valued('y', "height", "height, or - for the client's"),
        ])
        .operands(0, None, Operands::Text, "[shell-command [argument ...]]")
        .target(Target::new('t', TargetKind::Session).may_fail())
        .start_server()
        .doc(
            "It opens with one window, which runs the command or the default one, and is attached to the \
             terminal unless -d is given.",
        ),
    Spec::new("new-window", "Create a window")
        .alias("neww")
        .flags(&[
            plain('a', "put it after the target"),
            plain('b', "put it before the target"),
            plain('d', "do not make it current"),
            plain('E', "run no command"),
            plain('k', "destroy a window that is in the place"),
            plain('P', "print the new window"),
            plain('S', "select a window of that name if there is one"),
            valued('c', "start-directory", "directory the command starts in"),
            valued('e', "environment", "variable for the command").repeated(),
            valued('F', "format", "what -P prints"),
            valued('n', "window-name", "name of the window"),
            valued('t', "target-window", "where it goes"),
        ])
        .operands(0, None, Operands::Text, "[shell-command [argument ...]]")
        .target(Target::new('t', TargetKind::Window).may_be_new())
        .doc("It runs the command, or the default one, and closes when that ends."),
    Spec::new("next-layout", "Arrange a window in the next layout")
        .alias("nextl")
        .flags(&[valued('t', "target-window", "window to act on")])
        .target(Target::new('t', TargetKind::Window))
        .after_hook()
        .doc("The layouts follow each other in a ring."),
    Spec::new("next-window", "Go to the next window")
        .alias("next")
        .flags(&[plain('a', "the next one with an alert"), valued('t', "target-session", "session to act on")])
        .target(Target::new('t', TargetKind::Session))
        .doc("In the target session."),
    Spec::new("paste-buffer", "Type a paste buffer into a pane")
        .alias("pasteb")
        .flags(&[
            plain('d', "delete the buffer afterwards"),
            plain('p', "mark it as a paste when the program asked for that"),
            plain('r', "leave line feeds"),
            plain('S', "leave control characters"),
            valued('s', "separator", "what line feeds become"),
            valued('b', "buffer-name", "name of the buffer"),
            valued('t', "target-pane", "pane to act on"),
        ])
        .target(Target::new('t', TargetKind::Pane))
        .after_hook()
        .doc("Line feeds become carriage returns unless -r or -s says otherwise."),
    Spec::new("pipe-pane", "Connect a pane to a shell command")
        .alias("pipep")
        .flags(&[
            plain('I', "the command's output is typed into the pane"),
            plain('O', "the pane's output goes to the command"),
            plain('o', "only when there is no pipe, so that a key can turn it on and off"),
            valued('t', "target-pane", "pane to act on"),
        ])
        .operands(0, Some(1), Operands::Text, "[shell-command]")
        .target(Target::new('t', TargetKind::Pane))
        .after_hook()
        .doc("Without a command the pipe is closed."),
    Spec::new("previous-layout", "Arrange a window in the previous layout")
        .alias("prevl")
        .flags(&[valued('t', "target-window", "window to act on")])
        .target(Target::new('t', TargetKind::Window))
        .after_hook()
        .doc("The layouts follow each other in a ring."),
    Spec::new("previous-window", "Go to the previous window")
        .alias("prev")
        .flags(&[plain('a', "the previous one with an alert"), valued('t', "target-session", "session to act on")])
        .target(Target::new('t', TargetKind::Session))
        .doc("In the target session."),
    Spec::new("refresh-client", "Draw a client anew or change what it is")
        .alias("refresh")
        .flags(&[
            plain('c', "follow the cursor again"),
            plain('D', "move what is visible down"),
            plain('l', "ask the terminal for its clipboard"),
            plain('L', "move what is visible left"),
            plain('R', "move what is visible right"),
            plain('S', "only the status line"),
            plain('U', "move what is visible up"),
            valued('A', "pane:state", "what a control client wants of a pane's output").repeated(),
            valued('B', "name:what:format", "report changes of a format to a control client").repeated(),
            valued('C', "XxY", "size of a control client, or of a window for it"),
            valued('f', "flags", "client flags, comma-separated"),
            valued('r', "pane:report", "answer of a terminal on behalf of a pane").repeated(),
            valued('t', "target-client", "client to act on"),
            valued('F', "flags", "as -f").unlisted(),
        ])
        .operands(0, Some(1), Operands::Text, "[adjustment]")
        .client('t', false)
        .after_hook()
        .doc("Moves what is visible of a window larger than the client, and sets what a control client wants."),
    Spec::new("rename-session", "Rename a session")
        .alias("rename")
        .flags(&[valued('t', "target-session", "session to act on")])
        .operands(1, Some(1), Operands::Text, "new-name")
        .target(Target::new('t', TargetKind::Session))
        .after_hook()
        .doc("The name is free of colons and dots."),
    Spec::new("rename-window", "Rename a window")
        .alias("renamew")
        .flags(&[valued('t', "target-window", "window to act on")])
        .operands(1, Some(1), Operands::Text, "new-name")
        .target(Target::new('t', TargetKind::Window))
        .after_hook()
        .doc("The name stays from then on, whatever runs in it."),
    Spec::new("resize-pane", "Change the size of a pane")
        .alias("resizep")
        .flags(&[
            plain('M', "begin dragging with the mouse"),
            plain('T', "drop the lines below the cursor and take lines from the history"),
            plain('Z', "zoom, or go back"),
            optional('D', "lines", "move the border down"),
            optional('L', "columns", "move the border left"),
            optional('R', "columns", "move the border right"),
            optional('U', "lines", "move the border up"),
            valued('x', "width", "width, or a percentage"),
            valued('y', "height", "height, or a percentage"),
            valued('t', "target-pane", "pane to act on"),
        ])
        .operands(0, Some(1), Operands::Text, "")
        .target(Target::new('t', TargetKind::Pane))
        .after_hook()
        .doc("By a number of cells, 1 if none is given, to a size, or zoomed to the whole window."),
    Spec::new("resize-window", "Change the size of a window")
        .alias("resizew")
        .flags(&[
            plain('a', "to the smallest session that has it"),
            plain('A', "to the largest session that has it"),
            plain('D', "grow downwards"),
            plain('L', "shrink from the right"),
            plain('R', "grow to the right"),
            plain('U', "shrink from below"),
            valued('x', "width", "width"),
            valued('y', "height", "height"),
            valued('t', "target-window", "window to act on"),
        ])
        .operands(0, Some(1), Operands::Text, "[adjustment]")
        .target(Target::new('t', TargetKind::Window))
        .after_hook()
        .doc("Its option window-size becomes manual."),
    Spec::new("respawn-pane", "Run a command again in a pane")
        .alias("respawnp")
        .flags(&[
            plain('E', "run no command"),
            plain('k', "kill what is running"),
            valued('c', "start-directory", "directory the command starts in"),
            valued('e', "environment", "variable for the command").repeated(),
            valued('t', "target-pane", "pane to act on"),
        ])
        .operands(0, None, Operands::Text, "[shell-command [argument ...]]")
        .target(Target::new('t', TargetKind::Pane))
        .doc("The one given or the one that ran before; the pane must be dead unless -k is given."),
    Spec::new("respawn-window", "Run a command again in a window")
        .alias("respawnw")
        .flags(&[
            plain('E', "run no command"),
            plain('k', "kill what is running"),
            valued('c', "start-directory", "directory the command starts in"),
            valued('e', "environment", "variable for the command").repeated(),
            valued('t', "target-window", "window to act on"),
        ])
        .operands(0, None, Operands::Text, "[shell-command [argument ...]]")
        .target(Target::new('t', TargetKind::Window))
        .doc("The one given or the one that ran before; the window must be dead unless -k is given."),
    Spec::new("rotate-window", "Let the panes of a window change places in turn")
        .alias("rotatew")
        .flags(&[
            plain('D', "the other way round"),
            plain('U', "the usual way round"),
            plain('Z', "stay zoomed"),
            valued('t', "target-window", "window to act on"),
        ])
        .target(Target::new('t', TargetKind::Window))
        .doc("Each pane takes the place of the one before it, or with -D after it."),
    Spec::new("run-shell", "Run a shell command, or with -C a command, without a window")
        .alias("run")
        .flags(&[
            plain('b', "run it in the background"),
            plain('C', "it is one of our commands"),
            plain('E', "show its errors too"),
            valued('c', "start-directory", "directory it starts in"),
            valued('d', "delay", "wait so many seconds first"),
            valued('t', "target-pane", "pane the output is shown in"),
        ])
        .operands(0, None, Operands::CommandsWith('C'), "[shell-command [argument ...]]")
        .target(Target::new('t', TargetKind::Pane).may_fail())
        .doc(
            "The output is shown in view mode when the command has ended. Formats in it are expanded; further \
             words are #{1}, #{2} and so on.",
        ),
    Spec::new("save-buffer", "Write a paste buffer to a file")
        .alias("saveb")
        .flags(&[plain('a', "append to the file"), valued('b', "buffer-name", "name of the buffer")])
        .operands(1, Some(1), Operands::Text, "path")
        .after_hook()
        .doc("The path - is the standard output."),
    Spec::new("select-layout", "Arrange a window")
        .alias("selectl")
        .flags(&[
            plain('E', "spread the panes next to this one evenly"),
            plain('n', "the next layout"),
            plain('o', "the layout before the last change"),
            plain('p', "the previous layout"),
            valued('t', "target-pane", "pane to act on"),
        ])
        .operands(0, Some(1), Operands::Text, "[layout-name]")
        .target(Target::new('t', TargetKind::Pane))
        .after_hook()
        .doc("In the layout named, or written out; without either the last one again."),
    Spec::new("select-pane", "Make a pane active")
        .alias("selectp")
        .flags(&[
            plain('D', "the pane below"),
            plain('d', "stop input to the pane"),
            plain('e', "allow input to the pane"),
            plain('L', "the pane to the left"),
            plain('l', "the pane active before"),
            plain('M', "take the mark away"),
            plain('m', "mark the pane, or unmark it"),
            plain('R', "the pane to the right"),
            plain('U', "the pane above"),
            plain('Z', "stay zoomed"),
            plain('g', "print the pane's style").unlisted(),
            valued('T', "title", "title of the pane"),
            valued('t', "target-pane", "pane to act on"),
            valued('P', "style", "style of the pane").unlisted(),
        ])
        .target(Target::new('t', TargetKind::Pane))
        .doc("The target, or one beside it. Also marks panes, names them and stops their input."),
    Spec::new("select-window", "Make a window current")
        .alias("selectw")
        .flags(&[
            plain('l', "the window current before"),
            plain('n', "the next window"),
            plain('p', "the previous window"),
            plain('T', "when it is current already, the one before"),
            valued('t', "target-window", "window to act on"),
        ])
        .target(Target::new('t', TargetKind::Window))
        .doc("The target, or one beside it."),
    Spec::new("send-keys", "Type keys into a pane")
        .alias("send")
        .flags(&[
            plain('F', "expand formats in the words"),
            plain('H', "words are hexadecimal numbers of characters"),
            plain('K', "keys go to the client's key tables"),
            plain('l', "words are text"),
            plain('M', "pass the mouse event on"),
            plain('R', "reset the terminal's state first"),
            plain('X', "words are a command of the mode"),
            valued('c', "target-client", "client for -K"),
            valued('N', "repeat-count", "how often"),
            valued('t', "target-pane", "pane to act on"),
        ])
        .operands(0, None, Operands::Text, "[key ...]")
        .target(Target::new('t', TargetKind::Pane))
        .client('c', true)
        .read_only_ok()
        .after_hook()
        .doc(
            "Words that are names of keys are keys, others are text. With -X they are a command of the mode the \
             pane is in.",
        ),
    Spec::new("send-prefix", "Type the prefix key into a pane")
        .flags(&[plain('2', "the second prefix"), valued('t', "target-pane", "pane to act on")])
        .target(Target::new('t', TargetKind::Pane))
        .after_hook()
        .doc("For programs that use that key themselves."),
    Spec::new("server-access", "Say who may use the server")
        .flags(&[
            plain('a', "let in"),
            plain('d', "shut out, and detach"),
            plain('g', "it is a group"),
            plain('l', "list who may"),
            plain('r', "read-only"),
            plain('w', "with leave to write"),
        ])
        .operands(0, Some(1), Operands::Text, "[user|group]")
        .doc("Users and groups, with leave to write or only to read."),
    Spec::new("set-buffer", "Fill or rename a paste buffer")
        .alias("setb")
        .flags(&[
            plain('a', "append to the buffer"),
            plain('w', "send it to the client's clipboard too"),
            valued('b', "buffer-name", "name of the buffer"),
            valued('n', "new-buffer-name", "new name of the buffer"),
            valued('t', "target-client", "client whose clipboard it is"),
        ])
        .operands(0, Some(1), Operands::Text, "[data]")
        .client('t', true)
        .after_hook()
        .doc("Without a name a new one is made."),
    Spec::new("set-environment", "Set or unset a variable for new programs")
        .alias("setenv")
        .flags(&[
            plain('F', "expand the value as a format"),
            plain('h', "keep it from programs"),
            plain('g', "for all sessions"),
            plain('r', "take it out of the environment of programs"),
            plain('u', "unset it"),
            valued('t', "target-session", "session to act on"),
        ])
        .operands(1, Some(2), Operands::Text, "variable [value]")
        .target(Target::new('t', TargetKind::Session).may_fail())
        .after_hook()
        .doc("Of the session, or with -g of the server."),
    Spec::new("set-hook", "Run commands when something happens")
        .flags(&[
            plain('a', "append to the hook"),
            plain('g', "for all"),
            plain('p', "for the pane"),
            plain('E', "fire the user event"),
            plain('R', "run the hook now"),
            plain('T', "with -B, only when the format is true"),
            plain('u', "unset it"),
            plain('w', "for the window"),
            valued('B', "name:what:format", "watch a format"),
            valued('t', "target-pane", "pane to act on"),
        ])
        .operands(0, Some(2), Operands::CommandsAfterFirstOr('B'), "[hook] [command]")
        .target(Target::new('t', TargetKind::Pane).may_fail())
        .after_hook()
        .doc("Hooks are options; with -B a format is watched and the hook run when it changes."),
    Spec::new("set-option", "Set an option")
        .alias("set")
        .flags(&[
            plain('a', "append to the value"),
            plain('F', "expand the value as a format"),
            plain('g', "the global value"),
            plain('o', "leave it if it is set"),
            plain('p', "of the pane"),
            plain('q', "say nothing of options that do not exist"),
            plain('s', "of the server"),
            plain('u', "unset it"),
            plain('U', "unset it, and in the panes of the window"),
            plain('w', "of the window"),
            valued('t', "target-pane", "pane to act on"),
        ])
        .operands(1, Some(2), Operands::CommandsAfterFirst, "option [value]")
        .target(Target::new('t', TargetKind::Pane).may_fail())
        .after_hook()
        .doc("Of the session unless flags or the option's name say otherwise. Without a value it is toggled."),
    Spec::new("set-window-option", "Set an option of a window")
        .alias("setw")
        .flags(&[
            plain('a', "append to the value"),
            plain('F', "expand the value as a format"),
            plain('g', "the global value"),
            plain('o', "leave it if it is set"),
            plain('q', "say nothing of options that do not exist"),
            plain('u', "unset it"),
            valued('t', "target-window", "window to act on"),
        ])
        .operands(1, Some(2), Operands::CommandsAfterFirst, "option [value]")
        .target(Target::new('t', TargetKind::Window).may_fail())
        .after_hook()
        .doc("As set-option -w."),
    Spec::new("show-buffer", "Print a paste buffer")
        .alias("showb")
        .flags(&[valued('b', "buffer-name", "name of the buffer")])
        .after_hook()
        .doc("Without a name, the newest."),
    Spec::new("show-environment", "Print variables for new programs")
        .alias("showenv")
        .flags(&[
            plain('h', "those kept from programs"),
            plain('g', "for all sessions"),
            plain('s', "as commands for a shell"),
            valued('t', "target-session", "session to act on"),
        ])
        .operands(0, Some(1), Operands::Text, "[variable]")
        .target(Target::new('t', TargetKind::Session).may_fail())
        .after_hook()
        .doc("All of them or one, of the session or with -g of the server."),
    Spec::new("show-hooks", "Print hooks")
        .flags(&[
            plain('B', "formats that are watched"),
            plain('g', "for all"),
            plain('p', "for the pane"),
            plain('w', "for the window"),
            valued('F', "format", "format of each line"),
            valued('t', "target-pane", "pane to act on"),
        ])
        .operands(0, Some(1), Operands::Text, "[hook]")
        .target(Target::new('t', TargetKind::Pane).may_fail())
        .after_hook()
        .doc("All of them or one."),
    Spec::new("show-messages", "Print the server's messages")
        .alias("showmsgs")
        .flags(&[plain('J', "jobs"), plain('T', "terminals"), valued('t', "target-client", "client to act on")])
        .client('t', true)
        .after_hook()
        .doc("Or what is known of jobs or terminals."),
    Spec::new("show-options", "Print options")
        .alias("show")
        .flags(&[
            plain('A', "with values that come from elsewhere, marked"),
            plain('g', "the global values"),
            plain('H', "with hooks"),
            plain('p', "of the pane"),
            plain('q', "say nothing of options that do not exist"),
            plain('s', "of the server"),
            plain('v', "only the value"),
            plain('w', "of the window"),
            valued('F', "format", "format of each line"),
            valued('t', "target-pane", "pane to act on"),
        ])
        .operands(0, Some(1), Operands::Text, "[option]")
        .target(Target::new('t', TargetKind::Pane).may_fail())
        .after_hook()
        .doc("All of them or one, of the session unless flags or the option's name say otherwise."),
    Spec::new("show-prompt-history", "Print what was typed at prompts")
        .alias("showphist")
        .flags(&[valued('T', "prompt-type", "only this type of prompt")])
        .after_hook()
        .doc("All types of prompt, or the one given."),
    Spec::new("show-window-options", "Print options of a window")
        .alias("showw")
        .flags(&[
            plain('g', "the global values"),
            plain('v', "only the value"),
            valued('F', "format", "format of each line"),
            valued('t', "target-window", "window to act on"),
        ])
        .operands(0, Some(1), Operands::Text, "[option]")
        .target(Target::new('t', TargetKind::Window).may_fail())
        .after_hook()
        .doc("As show-options -w."),
    Spec::new("source-file", "Run the commands of files")
        .alias("source")
        .flags(&[
            plain('F', "expand the paths as formats"),
            plain('n', "read only, run nothing"),
            plain('q', "say nothing of files that do not exist"),
            plain('v', "print the commands"),
            valued('t', "target-pane", "pane its formats are about"),
        ])
        .operands(1, None, Operands::Text, "path ...")
        .target(Target::new('t', TargetKind::Pane).may_fail())
        .doc("Paths may be patterns; - is the standard input."),
    Spec::new("split-window", "Split a pane in two")
        .alias("splitw")
        .flags(&[
            plain('b', "put it to the left or above"),
            plain('d', "do not make it active"),
            plain('f', "use the full width or height of the window"),
            plain('h', "side by side"),
            plain('I', "run no command and show the input"),
            plain('k', "stay open for a key when the command has ended"),
            plain('P', "print the new pane"),
            plain('v', "one above the other"),
            plain('W', "wait for the command and return its exit status"),
            plain('Z', "zoom, or stay zoomed"),
            plain('E', "run no command").unlisted(),
            valued('B', "border-lines", "kind of border lines when floating"),
            valued('c', "start-directory", "directory the command starts in"),
            valued('e', "environment", "variable for the command").repeated(),
            valued('F', "format", "what -P prints"),
            valued('l', "size", "size, or a percentage"),
            valued('m', "message", "as -k, with this message"),
            valued('p', "percentage", "size as a percentage"),
            valued('s', "style", "style of the pane"),
            valued('S', "active-border-style", "style of the border when active"),
            valued('R', "inactive-border-style", "style of the border when not active"),
            valued('T', "title", "title of the pane"),
            valued('t', "target-pane", "pane to split"),
        ])
        .operands(0, None, Operands::Text, "[shell-command [argument ...]]")
        .target(Target::new('t', TargetKind::Pane))
        .doc(
            "The new pane runs the command, or the default one, and closes when that ends. Beside a floating \
             pane the new one floats too.",
        ),
    Spec::new("start-server", "Start the server")
        .alias("start")
        .start_server()
        .doc("It needs a session, or option exit-empty off, to stay."),
    Spec::new("suspend-client", "Stop a client")
        .alias("suspendc")
        .flags(&[valued('t', "target-client", "client to act on")])
        .client('t', false)
        .doc("As a shell stops a program; it goes on when the shell says so."),
    Spec::new("swap-pane", "Let two panes change places")
        .alias("swapp")
        .flags(&[
            plain('d', "do not change which pane is active"),
            plain('D', "with the next pane"),
            plain('U', "with the previous pane"),
            plain('Z', "stay zoomed"),
            valued('s', "src-pane", "one of the panes"),
            valued('t', "dst-pane", "the other pane"),
        ])
        .target(Target::new('t', TargetKind::Pane))
        .source(Target::new('s', TargetKind::Pane).or_marked())
        .doc("The source is the marked pane if there is one."),
    Spec::new("swap-window", "Let two windows change places")
        .alias("swapw")
        .flags(&[
            plain('d', "do not change which window is current"),
            valued('s', "src-window", "one of the windows"),
            valued('t', "dst-window", "the other window"),
        ])
        .target(Target::new('t', TargetKind::Window))
        .source(Target::new('s', TargetKind::Window).or_marked())
        .after_hook()
        .doc("The source is the marked window if there is one."),
    Spec::new("switch-client", "Show another session, or look keys up elsewhere")
        .alias("switchc")
        .flags(&[
            plain('E', "leave the session's environment as it is"),
            plain('l', "the session shown before"),
            plain('n', "the next session"),
            plain('p', "the previous session"),
            plain('r', "make it read-only, or no longer"),
            plain('Z', "stay zoomed"),
            valued('c', "target-client", "client to switch"),
            valued('t', "target-session", "session, window or pane to show"),
            valued('T', "key-table", "table in which the next key is looked up"),
            valued('O', "order", "order of -n and -p"),
        ])
        .client('c', false)
        .read_only_ok()
        .doc("The target may be a pane, which is then made active."),
    Spec::new("switch-mode", "Find a session or window by typing")
        .flags(&[
            plain('k', "kill the pane on leaving"),
            plain('s', "sessions"),
            plain('w', "windows"),
            plain('Z', "zoom the pane"),
            valued('F', "format", "format of each item"),
            valued('t', "target-pane", "pane the list opens in"),
        ])
        .operands(0, Some(1), Operands::Commands, "[command]")
        .target(Target::new('t', TargetKind::Pane))
        .doc(
            "A list opens in the pane and narrows as text is typed. The chosen target replaces %% in the \
             command.",
        ),
    Spec::new("unbind-key", "Take a binding away")
        .alias("unbind")
        .flags(&[
            plain('a', "all keys of the table"),
            plain('n', "from the root table"),
            plain('q', "say nothing when there is none"),
            valued('T', "key-table", "key table"),
        ])
        .operands(0, Some(1), Operands::Text, "key")
        .after_hook()
        .doc("Without -T or -n from the prefix table."),
    Spec::new("unlink-window", "Take a window out of a session")
        .alias("unlinkw")
        .flags(&[plain('k', "destroy it when it is in no other"), valued('t', "target-window", "window to act on")])
        .target(Target::new('t', TargetKind::Window))
        .doc("Unless -k is given it must be in another session too."),
    Spec::new("wait-for", "Wait for a signal, a lock or an event")
        .alias("wait")
        .flags(&[
            plain('E', "wait for the event of that name"),
            plain('L', "lock the name, waiting for it"),
            plain('S', "signal the name"),
            plain('U', "unlock the name"),
            plain('l', "list who waits"),
            plain('v', "print what the event says"),
            valued('F', "format", "wait until this format is true as well"),
            valued('w', "waiter", "wake this waiter"),
        ])
        .operands(1, Some(1), Operands::Text, "name")
        .doc("Without flags it waits until the name is signalled with -S."),
];

#[cfg(test)]
mod tests;
