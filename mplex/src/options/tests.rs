//! Options as a user sees them: command lines in, listings and errors out.

use proptest::prelude::*;

use super::*;
use crate::base::{PaneId, SessionId, Wall, WindowId};
use crate::lang;

const SESSION: SessionId = SessionId(1);
const WINDOW: WindowId = WindowId(2);

/// `%3` and `%4` in `@2`, and `$1`.
fn store() -> Options {
    let mut options = Options::new();
    options.place_pane(PaneId(3), WINDOW);
    options.place_pane(PaneId(4), WINDOW);
    options
}

/// Runs `set [-agopsuUw4] option [value]` or `show [-AgHpsvw4] [option]` for `%3` (with `4`: for `%4`).
fn run(options: &mut Options, line: &str) -> Result<String, OptError> {
    let mut words = lang::parse_text(line, lang::Place::default(), lang::Grouping::Whole, &lang::NoEnv)
        .unwrap()
        .commands
        .calls()
        .next()
        .map(|call| std::iter::once(call.name.clone()).chain(call.args.iter().map(|a| a.to_text())).collect::<Vec<_>>())
        .unwrap();
    let command = words.remove(0);
    let mut letters = String::new();
    while words.first().is_some_and(|word| word.len() > 1 && word.starts_with('-')) {
        letters.push_str(&words.remove(0)[1..]);
    }
    let has = |c: char| letters.contains(c);
    let flags = ScopeFlags { global: has('g'), server: has('s'), window: has('w'), pane: has('p') };
    let pane = PaneId(if has('4') { 4 } else { 3 });
    let found = Found { session: Some(SESSION), window: Some(WINDOW), pane: Some(pane), target: None };
    if words.is_empty() {
        let hooks = if has('H') { Hooks::Shown } else { Hooks::Hidden };
        let lines = options.list(scope_from_flags(flags, &found)?, Listing { inherited: has('A'), hooks });
        return Ok(lines.iter().filter_map(|s| s.line(has('v'))).map(|l| l + "\n").collect());
    }
    let name = Name::resolve(&words[0])?;
    let scope = scope_for(&name, flags, &found)?;
    if command == "show" {
        let lines = options.show(scope, &name, has('A'))?;
        return Ok(lines.iter().filter_map(|s| s.line(has('v'))).map(|l| l + "\n").collect());
    }
    if has('U') {
        options.unset_in_panes(WINDOW, &name)?;
    }
    if has('u') || has('U') {
        options.unset(scope, &name)?;
    } else {
        let how = How { append: has('a'), only_unset: has('o') };
        options.set(scope, &name, words.get(1).map(String::as_str), how, &PlainChecks)?;
    }
    Ok(String::new())
}

/// Lines that start with `>` are command lines; what follows each is what it has to say.
#[track_caller]
fn check(play: &str) {
    let mut options = store();
    let mut said = String::new();
    for line in play.lines().map(str::trim_start).filter(|l| l.starts_with('>')) {
        said.push_str(line);
        said.push('\n');
        match run(&mut options, &line[1..]) {
            Ok(text) => said.push_str(&text),
            Err(e) => said.push_str(&format!("! {e}\n")),
        }
    }
    let expected: String =
        play.lines().map(str::trim_start).filter(|l| !l.is_empty()).map(|l| format!("{l}\n")).collect();
    assert_eq!(said, expected);
}

#[test]
fn a_scope_shows_only_its_own_value() {
    check(
        "> set -g status-left GLOBAL
        > set status-left SESSION
        > show -v status-left
        SESSION
        > show -gv status-left
        GLOBAL
        > set -u status-left
        > show -v status-left
        > show -A status-left
        status-left* GLOBAL
        > set -gu status-left
        > show -g status-left
        status-left \"[#{session_name}] \"",
    );
}

#[test]
fn the_name_says_the_scope() {
    check(
        "> set mode-keys vi
        > show -w mode-keys
        mode-keys vi
        > set -gs escape-time 3
        > show escape-time
        escape-time 3
        > set -w cursor-color blue
        > set -p cursor-colour red
        > set -p4 cursor-colour green
        > show -p cursor-colour
        cursor-colour red
        > show -w cursor-colour
        cursor-colour blue
        > set -Uw cursor-colour
        > show -p cursor-colour
        > show -p4 cursor-colour
        > show -w cursor-colour
        > show -Ap cursor-colour
        cursor-colour* ''",
    );
}

#[test]
fn names_may_be_short_if_they_stay_clear() {
    check(
        "> set -g no-such-option x
        ! invalid option: no-such-option
        > set -g status-l x
        ! ambiguous option: status-l
        > set -g status-inte 5
        > show -gv status-interval
        5
        > set -g prefix C-a
        > show -g prefix
        prefix C-a
        > show -g @nothing
        ! invalid option: @nothing
        > set -g status-left[0] x
        ! not an array: status-left[0]
        > set -g @u[1] x
        ! not an array: @u[1]
        > set -g user-keys[ x
        ! invalid option: user-keys[
        > set -g user-keys[99999999999] x
        ! invalid option: user-keys[99999999999]",
    );
}

#[test]
fn values_are_checked() {
    check(
        "> set -g display-time 4000
        > set -g display-time -5
        ! value is too small: -5
        > set -g status-left-length 99999
        ! value is too large: 99999
        > set -g display-time abc
        ! value is invalid: abc
        > set -g display-time
        ! empty value
        > show -g display-time
        display-time 4000
        > set -g status-keys bogus
        ! unknown value: bogus
        > set -g focus-events
        > show -sv focus-events
        on
        > set -g focus-events NO
        > set -g focus-events maybe
        ! bad value: maybe
        > show -sv focus-events
        off
        > set -g status-bg color123
        > show -gv status-bg
        colour123
        > set -g status-bg '#00ff00'
        > show -gv status-bg
        #00ff00
        > set -g status-bg xxxyyy
        ! bad colour: xxxyyy
        > set -g clock-mode-colour xxxyyy
        ! invalid colour: xxxyyy
        > set -g status-style fg=red,bg=black
        > set -g status-style bg=xxxyyy
        ! invalid style: bg=xxxyyy
        > set -ga status-style bold
        > show -g status-style
        status-style fg=red,bg=black,bold
        > set -g prefix boguskey
        ! bad key: boguskey
        > set -g default-shell not/a/shell
        ! not a suitable shell: not/a/shell
        > set -g default-size 10by20
        ! value is invalid: 10by20
        > set -g default-client-command new-window
        > show -gv default-client-command
        new-window
        > set -g default-client-command 'if -x {'
        ! syntax error
        > set -g @novalue
        ! empty value",
    );
}

#[test]
fn a_choice_without_a_value_swaps_its_first_two() {
    check(
        "> set -g status
        > show -gv status
        off
        > set -g status
        > show -gv status
        on
        > set -g status 3
        > set -g status
        > show -gv status
        3
        > set mouse
        > show mouse
        mouse off
        > show -g mouse
        mouse on",
    );
}

#[test]
fn user_options_live_in_every_scope() {
    check(
        "> set -g @u g
        > set @u s
        > set -w @u w
        > set -p @u p
        > set -s @u S
        > show -gv @u
        g
        > show -v @u
        s
        > show -wv @u
        w
        > show -pv @u
        p
        > show -sv @u
        S
        > set -ga @u 'two words'
        > show -g @u
        @u \"gtwo words\"
        > set -go @u x
        ! already set: @u
        > set -go @v x
        > show -g @v
        @v x
        > set -gu @v
        > show -g @v
        ! invalid option: @v",
    );
}

#[test]
fn arrays_keep_their_keys() {
    check(
        "> set -g update-environment 'AAA BBB,CCC'
        > set -ga update-environment DDD
        > set -gu update-environment[1]
        > show -g update-environment
        update-environment[0] AAA
        update-environment[2] CCC
        update-environment[3] DDD
        > show -gv update-environment[0]
        AAA
        > set -g update-environment[notify] EEE
        > set -ga update-environment FFF
        > set -ga update-environment[0] x
        > show -g update-environment
        update-environment[0] AAAx
        update-environment[1] FFF
        update-environment[2] CCC
        update-environment[3] DDD
        update-environment[notify] EEE
        > set -g status-format ''
        > show -g status-format
        status-format
        > show -gv status-format
        > set -g status-format[5] five
        > set -g status-format[01] one
        > set -g status-format[zoom] zoom
        > set -g status-format[foo-bar] 'foo bar'
        > show -g status-format
        status-format[1] one
        status-format[5] five
        status-format[foo-bar] \"foo bar\"
        status-format[zoom] zoom
        > set -g user-keys 'One,Two Three'
        > show -g user-keys
        user-keys[0] One
        user-keys[1] \"Two Three\"
        > set -w pane-colours[0] red
        > set -w pane-colors[1] xxxyyy
        ! bad colour: xxxyyy
        > show -w pane-colours
        pane-colours[0] red
        > set -g command-alias[9] x=list-keys
        > set -go command-alias[9] y=list-keys
        ! already set: command-alias[9]
        > set -gu command-alias
        > show -g command-alias[9]
        command-alias[9] ''",
    );
}

#[test]
fn hooks_are_arrays_of_commands() {
    check(
        "> set -g alert-bell[0] 'display-message hi'
        > set -ga alert-bell 'display-message \"two words\" ; kill-pane'
        > show -g alert-bell
        alert-bell[0] display-message hi
        alert-bell[1] display-message \"two words\" ; kill-pane
        > set -g alert-bell[0] 'if -x {'
        ! syntax error
        > set -p pane-died 'display-message gone'
        > show -p pane-died
        pane-died[0] display-message gone
        > show -gw pane-died
        pane-died",
    );
}

#[test]
fn hooks_are_listed_on_demand() {
    let mut options = store();
    run(&mut options, "set -g @listme here").unwrap();
    let plain = run(&mut options, "show -g").unwrap();
    assert!(plain.starts_with("@listme here\nactivity-action other\n"), "{plain}");
    assert!(!plain.contains("alert-bell"));
    assert!(run(&mut options, "show -gH").unwrap().contains("\nalert-bell\n"));
    let inherited = run(&mut options, "show -A").unwrap();
    assert!(inherited.contains("\nstatus-keys* emacs\n"), "{inherited}");

    options.mark_user_hook("@listme");
    assert!(!run(&mut options, "show -g").unwrap().contains("@listme"));
    let only = options.list(Scope::GlobalSession, Listing { inherited: false, hooks: Hooks::Only });
    assert_eq!(only[0].name, "@listme");
    assert!(only[1..].iter().all(|shown| shown.is_hook));
}

#[test]
fn reading_is_typed_and_inherits() {
    let mut options = store();
    let pane = Scope::Pane(PaneId(3));
    assert_eq!(options.number(opt::ESCAPE_TIME, Scope::Server), 10);
    assert_eq!(options.number(opt::HISTORY_LIMIT, Scope::Session(SESSION)), 2000);
    assert_eq!(options.choice(opt::STATUS, pane), choices::StatusLines::On);
    assert_eq!(options.choice(opt::REMAIN_ON_EXIT, pane), choices::RemainOnExit::Off);
    assert!(options.flag(opt::MOUSE, Scope::GlobalSession));
    assert_eq!(options.text(opt::DEFAULT_TERMINAL, Scope::Server), "tmux-256color");
    assert_eq!(options.key(opt::PREFIX, Scope::Session(SESSION)), crate::keys::Key::ctrl('b'));
    assert_eq!(options.key(opt::PREFIX2, Scope::Session(SESSION)), crate::keys::Key::NONE);
    assert!(options.style(opt::STATUS_STYLE, Scope::Session(SESSION)).parsed.is_some());
    assert!(options.style(opt::MESSAGE_STYLE, Scope::Session(SESSION)).parsed.is_none());
    assert_eq!(options.command_alias("splitp"), Some("split-window"));
    run(&mut options, "set -w remain-on-exit failed").unwrap();
    assert_eq!(options.choice(opt::REMAIN_ON_EXIT, pane), choices::RemainOnExit::Failed);
    run(&mut options, "set -p remain-on-exit key").unwrap();
    assert_eq!(options.choice(opt::REMAIN_ON_EXIT, pane), choices::RemainOnExit::Key);
    assert_eq!(options.choice(opt::REMAIN_ON_EXIT, Scope::Pane(PaneId(4))), choices::RemainOnExit::Failed);
    options.set_flag(Scope::Window(WINDOW), opt::AUTOMATIC_RENAME, false).unwrap();
    assert!(!options.flag(opt::AUTOMATIC_RENAME, Scope::Window(WINDOW)));
    options.place_pane(PaneId(4), WindowId(9));
    assert_eq!(options.choice(opt::REMAIN_ON_EXIT, Scope::Pane(PaneId(4))), choices::RemainOnExit::Off);
}

#[test]
fn formats_see_options() {
    let mut options = store();
    run(&mut options, "set -w @name window").unwrap();
    run(&mut options, "set @name session").unwrap();
    let see = |options: &Options, name| options.for_format(name, Some(SESSION), Some(WINDOW), Some(PaneId(3)));
    assert_eq!(see(&options, "mouse").as_deref(), Some("1"));
    assert_eq!(see(&options, "status").as_deref(), Some("on"));
    assert_eq!(see(&options, "@name").as_deref(), Some("window"));
    assert_eq!(see(&options, "command-alias[1]").as_deref(), Some("splitp=split-window"));
    assert_eq!(see(&options, "command-alias[77]").as_deref(), Some(""));
    assert_eq!(see(&options, "mous"), None);
    assert_eq!(see(&options, "@other"), None);
}

#[test]
fn a_change_says_what_it_touches() {
    let mut options = store();
    let rev = options.rev();
    let name = Name::resolve("status").unwrap();
    let effects = options.set(Scope::GlobalSession, &name, Some("2"), How::default(), &PlainChecks).unwrap();
    assert!(effects.contains(Effects::STATUS | Effects::SIZE));
    assert!(options.rev() > rev);
    let rev = options.rev();
    assert!(options.set(Scope::GlobalSession, &name, Some("9"), How::default(), &PlainChecks).is_err());
    assert_eq!(options.rev(), rev);
    let wrong = options.set(Scope::Server, &name, Some("2"), How::default(), &PlainChecks);
    assert_eq!(wrong, Err(OptError::Scope("status".into())));
}

#[test]
fn hooks_count_where_they_are_set() {
    let mut options = store();
    run(&mut options, "set -p pane-died kill-pane").unwrap();
    let which = Name::resolve("pane-died").unwrap().which;
    options.hook_fired(&which, Scope::Pane(PaneId(3)), Wall(7));
    options.hook_fired(&which, Scope::Pane(PaneId(4)), Wall(8));
    options.hook_fired(&which, Scope::Pane(PaneId(4)), Wall(9));
    let name = Name::resolve("pane-died").unwrap();
    let shown = |scope| options.show(scope, &name, false).unwrap()[0].clone();
    assert_eq!((shown(Scope::Pane(PaneId(3))).fires, shown(Scope::Pane(PaneId(3))).fired_at), (1, Some(Wall(7))));
    assert_eq!(shown(Scope::GlobalWindow).fires, 2);
    assert!(Options::hook_named("pane-died").is_some());
    assert!(Options::hook_named("mouse").is_none());
}

// The table itself.

#[test]
fn names_are_unique_and_plain() {
    let mut names: Vec<&str> = ROWS.iter().flat_map(|row| row.other.iter().copied().chain([row.name])).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    for name in names {
        assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{name}");
    }
}

#[test]
fn rows_are_complete() {
    for row in ROWS {
        assert!(row.doc.ends_with('.') && row.doc.len() > 10, "{}: {}", row.name, row.doc);
        assert!(!row.doc.contains("  "), "{}", row.name);
        assert!(!row.scopes.is_empty());
        assert_eq!(row.hook, row.kind == Kind::Command && row.is_array(), "{}", row.name);
        if !row.is_array() {
            assert_eq!(row.default.len(), 1, "{}", row.name);
        }
        if let Kind::Number { min, max, .. } = row.kind {
            assert!(min < max, "{}", row.name);
        }
    }
}

#[test]
fn handles_name_their_rows() {
    assert_eq!(opt::BACKSPACE.name(), "backspace");
    assert_eq!(opt::WINDOW_STATUS_SEPARATOR.name(), "window-status-separator");
    assert_eq!(opt::TMUX_SHIM.name(), "tmux-shim");
    assert_eq!(opt::WINDOW_UNLINKED.name(), "window-unlinked");
}

#[test]
fn every_default_reads_as_what_it_prints() {
    let options = Options::new();
    for row in ROWS {
        for text in row.default {
            if row.kind == Kind::Shell {
                continue;
            }
            let value = value::Value::read_text(row, text, &options, &PlainChecks)
                .unwrap_or_else(|e| panic!("{}: {e}", row.name));
            assert_eq!(&value.print(row, false), text, "{}", row.name);
        }
    }
}

#[test]
fn setting_a_default_as_text_changes_nothing() {
    let mut options = Options::new();
    for row in ROWS.iter().filter(|row| !row.is_array()) {
        let name = Name::resolve(row.name).unwrap();
        let scope = [Scope::Server, Scope::GlobalSession, Scope::GlobalWindow]
            .into_iter()
            .find(|s| row.scopes.contains(s.bit()))
            .unwrap();
        let before = options.show(scope, &name, false).unwrap();
        options.set(scope, &name, Some(&row.default_text()), How::default(), &PlainChecks).unwrap();
        assert_eq!(options.show(scope, &name, false).unwrap(), before);
    }
}

proptest! {
    #[test]
    fn a_listing_reads_back(text in "[ -~\u{e9}\t\n]{0,12}", key in 0u32..5) {
        let mut options = store();
        let mut again = store();
        let checks = &PlainChecks;
        let set = |o: &mut Options, name: &str, text: &str| {
            let name = Name::resolve(name).unwrap();
            o.set(Scope::GlobalSession, &name, Some(text), How::default(), checks)
        };
        set(&mut options, "@x", &text).unwrap();
        set(&mut options, "status-left", &text).unwrap();
        set(&mut options, &format!("status-format[{key}]"), &text).unwrap();
        for name in ["@x", "status-left", "status-format"] {
            for shown in options.show(Scope::GlobalSession, &Name::resolve(name).unwrap(), false).unwrap() {
                run(&mut again, &format!("set -g -- {}", shown.line(false).unwrap()).replace("-- ", "")).unwrap();
            }
        }
        let list = |o: &Options| o.list(Scope::GlobalSession, Listing::default());
        prop_assert_eq!(list(&options), list(&again));
    }

    #[test]
    fn numbers_and_names_keep_their_order(keys in proptest::collection::vec("[0-9a-c]{1,3}", 0..12)) {
        let mut parsed: Vec<ArrayKey> = keys.iter().filter_map(|k| ArrayKey::parse(k)).collect();
        parsed.sort();
        let numbers = parsed.iter().take_while(|k| matches!(k, ArrayKey::Number(_))).count();
        prop_assert!(parsed[numbers..].iter().all(|k| matches!(k, ArrayKey::Name(_))));
        for key in parsed {
            prop_assert_eq!(ArrayKey::parse(&key.to_string()), Some(key));
        }
    }

    #[test]
    fn no_text_is_too_strange(name in "\\PC{0,12}", text in "\\PC{0,12}") {
        let mut options = store();
        if let Ok(name) = Name::resolve(&name) {
            let _ = options.set(Scope::GlobalSession, &name, Some(&text), How::default(), &PlainChecks);
        }
    }
}
