//! Tests of sessions, windows, panes and layouts by their commands: what is printed, what is refused, what stands where.

use super::scene::Scene;
use crate::command::queue::{Token, Wake};
use crate::event::Effect;
use crate::model::Life;
use crate::model::check::check;

/// Runs a line, lets its programs start, and returns what it printed. The model must be whole afterwards.
#[track_caller]
fn run(s: &mut Scene, line: &str) -> String {
    let mut text = s.run(line);
    while s.waits() {
        let spawns: Vec<_> = std::mem::take(&mut s.effects)
            .into_iter()
            .filter_map(|e| if let Effect::Spawn { pane, .. } = e { Some(pane) } else { None })
            .collect();
        assert!(!spawns.is_empty(), "{line}: waits for nothing");
        for pane in spawns {
            if let Some(p) = s.s.model.panes.get_mut(&pane) {
                p.life = Life::Running;
                p.pid = Some(100 + pane.0);
            }
            text.push_str(&s.wake(Token::Spawn(pane), Wake::Done));
        }
    }
    assert_eq!(check(&s.s.model), None, "{line}");
    text.trim_end_matches('\n').to_owned()
}

/// Runs lines; each is followed by what it prints.
#[track_caller]
fn play(s: &mut Scene, lines: &[(&str, &str)]) {
    for (line, expected) in lines {
        assert_eq!(run(s, line), *expected, "{line}");
    }
}

const WINDOWS: &str = "list-windows -t W -F '#{window_index}:#{window_name}#{?window_active,*,}'";

fn windows(s: &mut Scene) -> String {
    run(s, WINDOWS).replace('\n', " ")
}

fn panes(s: &mut Scene, target: &str) -> String {
    run(s, &format!("list-panes -t {target} -F '#{{pane_index}}:#{{pane_id}}#{{?pane_active,*,}}'")).replace('\n', " ")
}

fn scene() -> Scene {
    let mut s = Scene::new();
    play(&mut s, &[("new-session -d -s W -x 80 -y 24 -n w0", "")]);
    s
}

#[test]
fn windows_are_placed() {
    let mut s = scene();
    play(
        &mut s,
        &[
            ("new-window -d -t W: -n w1", ""),
            ("new-window -d -t W: -n w2", ""),
            ("new-window -d -t W:9 -n w9", ""),
            ("new-window -d -t W: -n w3", ""),
            ("new-window -d -t W:9 -n dup", "! create window failed: index 9 in use"),
            ("new-window -d -k -t W:9 -n w9k", ""),
        ],
    );
    assert_eq!(windows(&mut s), "0:w0* 1:w1 2:w2 3:w3 9:w9k");
    play(&mut s, &[("new-window -d -a -t W:1 -n wA", ""), ("new-window -d -b -t W:0 -n wB", "")]);
    assert_eq!(windows(&mut s), "0:wB 1:w0* 2:w1 3:wA 4:w2 5:w3 9:w9k");
    play(&mut s, &[("new-window -S -t W: -n w3", "")]);
    assert_eq!(windows(&mut s), "0:wB 1:w0 2:w1 3:wA 4:w2 5:w3* 9:w9k");
    play(
        &mut s,
        &[
            ("kill-window -t W:wB", ""),
            ("kill-window -t W:wA", ""),
            ("kill-window -t W:w9k", ""),
            ("move-window -r -t W:", ""),
            ("move-window -d -s W:2 -t W:7", ""),
            ("move-window -d -s W:3 -t W:7", "! index in use: 7"),
            ("move-window -d -k -s W:3 -t W:7", ""),
        ],
    );
    assert_eq!(windows(&mut s), "0:w0* 1:w1 7:w3");
    play(&mut s, &[("move-window -d -a -s W:7 -t W:0", "")]);
    assert_eq!(windows(&mut s), "0:w0* 1:w3 2:w1");
    play(
        &mut s,
        &[
            ("set-option -t W renumber-windows on", ""),
            ("new-window -t W:9 -n x -P", "W:9.0"),
            ("new-window -d -P -F '#{window_index}:#{window_name}' -t W:5 -n y", "5:y"),
            ("kill-window -t W:1", ""),
        ],
    );
    assert_eq!(windows(&mut s), "0:w0 1:w1 2:y 3:x*");
}

#[test]
fn windows_are_linked_swapped_and_selected() {
    let mut s = scene();
    play(
        &mut s,
        &[
            ("new-window -d -t W: -n w1", ""),
            ("new-window -d -t W: -n w2", ""),
            ("new-session -d -s L -n l0", ""),
            ("link-window -d -s W:w1 -t L:5", ""),
            ("link-window -d -s W:w2 -t L:0", "! index in use: 0"),
            ("rename-window -t L:5 shared", ""),
            ("unlink-window -t L:5", ""),
            ("unlink-window -t W:w2", "! window only linked to one session"),
            ("swap-window -s W:0 -t W:2", ""),
        ],
    );
    assert_eq!(windows(&mut s), "0:w2* 1:shared 2:w0");
    play(&mut s, &[("swap-window -d -s W:0 -t W:2", "")]);
    assert_eq!(windows(&mut s), "0:w0 1:shared 2:w2*");
    play(
        &mut s,
        &[
            ("select-window -t W:1", ""),
            ("select-window -T -t W:1", ""),
            ("display-message -p -t W: '#{window_index}'", "2"),
            ("next-window -t W", ""),
            ("display-message -p -t W: '#{window_index}'", "0"),
            ("previous-window -t W", ""),
            ("next-window -a -t W:", "! no next window"),
            ("last-window -t L:", "! no last window"),
            ("kill-window -f x -t W:0", "! -f only valid with -a"),
            ("kill-window -a -f '#{==:#{window_name},w0}' -t W:1", ""),
        ],
    );
    assert_eq!(windows(&mut s), "1:shared 2:w2*");
    play(
        &mut s,
        &[
            ("new-session -d -s WG -t W", ""),
            ("swap-window -d -s W:1 -t WG:2", "! can't move window, sessions are grouped"),
            ("new-window -d -t WG: -n both", ""),
        ],
    );
    assert_eq!(windows(&mut s), "0:both 1:shared 2:w2*");
    play(
        &mut s,
        &[
            ("kill-session -t WG", ""),
            ("new-session -d -s D -n d0", ""),
            ("link-window -d -s D:0 -t D:5", ""),
            ("new-window -d -t D:1 -n dx", ""),
            ("kill-window -a -t D:0", ""),
            ("has-session -t =D", "! can't find session: D"),
        ],
    );
}

#[test]
fn sessions_come_and_go() {
    let mut s = scene();
    play(
        &mut s,
        &[
            ("new-session -d -s W", "! duplicate session: W"),
            ("new-session -d -P", "2:"),
            ("new-session -d -s 'a:b.c' -P -F '#{session_id} #{session_name}'", "$3 a:b.c"),
            ("kill-session -t '$3'", ""),
            ("new-session -d -A -s W", "! open terminal failed: not a terminal"),
            ("new-session -t W true", "! command or window name given with target"),
            ("rename-session -t 2 W", "! duplicate session: W"),
            ("rename-session -t 2 S2", ""),
            ("list-sessions -F '#{session_name}'", "S2\nW\nmain"),
            ("list-sessions -O index -F '#{session_name}'", "main\nW\nS2"),
            ("list-sessions -O index -r -f '#{!=:#{session_name},W}' -F '#{session_name}'", "S2\nmain"),
            ("list-sessions -O nope", "! invalid sort order"),
            ("kill-session -f x -t W", "! -f only valid with -a"),
            ("attach-session -t W", "! open terminal failed: not a terminal"),
            ("new-session -d -x 0", "! width too small"),
            ("kill-session -a -t W", ""),
            ("list-sessions -F '#{session_name}:#{session_windows}'", "W:1"),
        ],
    );
}

#[test]
fn panes_split_and_move() {
    let mut s = scene();
    let id = run(&mut s, "display-message -p -t W: '#{pane_id}'");
    assert_eq!(id, "%1");
    play(
        &mut s,
        &[
            ("split-window -d -h -l 20 -t W:0", ""),
            ("split-window -d -v -l 25% -t %1", ""),
            ("split-window -d -h -b -f -l 10 -t %1", ""),
            ("list-panes -t W:0 -F '#{pane_id} #{pane_width}x#{pane_height}'", "%4 10x24\n%1 50x17\n%3 50x6\n%2 18x24"),
        ],
    );
    assert_eq!(panes(&mut s, "W:0"), "0:%4 1:%1* 2:%3 3:%2");
    play(
        &mut s,
        &[
            ("resize-pane -Z -t %1", ""),
            ("break-pane -d -P -F '#{window_index}:#{pane_id}' -n broken -s %2 -t W:", "1:%2"),
            ("display-message -p -t W:0 '#{window_zoomed_flag}:#{window_panes}'", "0:3"),
            ("resize-pane -Z -t %1", ""),
            ("join-pane -d -v -s W:broken.0 -t %3", ""),
            ("has-session -t W:broken", "! can't find window: broken"),
            ("join-pane -d -s %1 -t %1", "! source and target panes must be different"),
            ("break-pane -d -s %2 -t W:0", "! index in use: 0"),
            ("new-window -d -t W:5 -n other", ""),
            ("join-pane -d -s %2 -t W:5.0", ""),
        ],
    );
    assert_eq!((panes(&mut s, "W:0"), panes(&mut s, "W:5")), ("0:%4 1:%1* 2:%3".into(), "0:%5* 1:%2".into()));
    play(&mut s, &[("move-pane -d -v -s %2 -t %3", ""), ("swap-pane -d -s %4 -t %2", "")]);
    assert_eq!(panes(&mut s, "W:0"), "0:%2 1:%1* 2:%3 3:%4");
    play(&mut s, &[("swap-pane -d -s %4 -t %2", ""), ("swap-pane -d -U -t %1", "")]);
    assert_eq!(panes(&mut s, "W:0"), "0:%1 1:%4* 2:%3 3:%2");
    play(&mut s, &[("swap-pane -d -D -t %1", ""), ("swap-pane -s %1 -t %3", "")]);
    assert_eq!(panes(&mut s, "W:0"), "0:%4 1:%3* 2:%1 3:%2");
    play(
        &mut s,
        &[
            ("swap-pane -s %3 -t %1", ""),
            ("select-pane -m -t %4", ""),
            ("swap-pane -d -t %2", ""),
            ("display-message -p -t %4 '#{pane_marked}'", "1"),
            ("swap-pane -d -t %2", ""),
            ("select-pane -M", ""),
            ("display-message -p -t %4 '#{pane_marked}#{pane_marked_set}'", "00"),
            ("resize-pane -t %4 -x 25%", ""),
            ("display-message -p -t %4 '#{pane_width}'", "20"),
            ("resize-pane -t %4 -L 5", ""),
            ("resize-pane -t %4 -R", ""),
            ("display-message -p -t %4 '#{pane_width}'", "16"),
            ("resize-pane -t %4 -U nonsense", "! adjustment invalid"),
            ("resize-pane -t %4 -x nonsense", "! width invalid"),
            ("resize-pane -Z -t %1", ""),
            ("display-message -p -t %1 '#{window_zoomed_flag}:#{pane_width}x#{pane_height}'", "1:80x24"),
            ("select-pane -t %3", ""),
            ("display-message -p -t %3 '#{window_zoomed_flag}:#{pane_active}'", "0:1"),
            ("resize-pane -Z -t %3", ""),
            ("select-pane -Z -t %1", ""),
            ("display-message -p -t %1 '#{window_zoomed_flag}:#{pane_zoomed_flag}:#{pane_active}'", "1:1:1"),
            ("select-pane -l -t W:0", ""),
            ("display-message -p -t W:0 '#{window_zoomed_flag}:#{pane_id}'", "0:%3"),
            ("resize-pane -Z -t %3", ""),
            ("swap-pane -d -Z -s %3 -t %1", ""),
            ("display-message -p -t %3 '#{window_zoomed_flag}:#{pane_zoomed_flag}'", "1:1"),
            ("kill-pane -f x -t %3", "! -f only valid with -a"),
            ("kill-pane -a -f '#{==:#{pane_id},%2}' -t %3", ""),
            ("split-window -E -t W:0 true", "! command cannot be given for empty pane"),
            ("split-window -l nope -t W:0", "! invalid tiled geometry invalid"),
            ("split-window -d -P -t W:0 ''", "W:0.2"),
            ("respawn-pane -t W:5.0", "! respawn pane failed: pane W:5.0 still active"),
            ("respawn-window -t W:5", "! respawn window failed: window W:5 still active"),
            ("respawn-window -k -t W:5 'sleep 1'", ""),
            ("kill-pane -t W:5", ""),
            ("has-session -t W:other", "! can't find window: other"),
            ("select-pane -d -t %4", ""),
            ("display-message -p -t %4 '#{pane_input_off}'", "1"),
            ("select-pane -T mytitle -t %4", ""),
            ("display-message -p -t %4 '#{pane_title}'", "mytitle"),
            ("last-pane -t W:0", ""),
            ("select-pane -P bg=red -t %4", ""),
            ("select-pane -g -t %4", "bg=red"),
            ("select-pane -P nonsense -t %4", "! bad style: nonsense"),
            ("select-layout -t W:0 nonsense", "! invalid layout: nonsense"),
            ("select-layout -t W:0 even-horizontal", ""),
            (
                "select-layout -t W:0 'eb8f,100x30,0,0{50x30,0,0,1,49x30,51,0,2}'",
                "! have 4 panes but need 2: eb8f,100x30,0,0{50x30,0,0,1,49x30,51,0,2}",
            ),
            ("next-layout -t W:0", ""),
            ("select-layout -o -t W:0", ""),
            ("resize-window -t W:0 -x 100 -y 30", ""),
            ("resize-window -t W:0 -U 5", ""),
            ("display-message -p -t W:0 '#{window_width}x#{window_height}'", "100x25"),
            ("show-options -wv -t W:0 window-size", "manual"),
        ],
    );
}

#[test]
fn later_commands_see_what_earlier_ones_made() {
    let mut s = scene();
    play(
        &mut s,
        &[
            ("new-window -n a ; split-window ; display-message -p '#{window_name} #{window_panes}'", "a 2"),
            (
                "new-window -n b ; set-hook -g after-new-window { display-message -p 'hook #{window_name}' } ; new-window -d -n c",
                "hook c",
            ),
        ],
    );
}

#[test]
fn a_start_that_fails_is_told() {
    let mut s = scene();
    assert_eq!(s.run("split-window -P -t W:0 nope"), "");
    let pane = s.s.model.panes.keys().next_back().copied().unwrap();
    assert_eq!(s.wake(Token::Spawn(pane), Wake::Failed("create pane failed: no".into())), "! create pane failed: no\n");
    assert_eq!(s.run("new-window -d -t W: nope"), "");
    let pane = s.s.model.panes.keys().next_back().copied().unwrap();
    assert_eq!(
        s.wake(Token::Spawn(pane), Wake::Failed("create pane failed: no".into())),
        "! create window failed: no\n"
    );
}
