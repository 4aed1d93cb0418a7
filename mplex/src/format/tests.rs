//! The language at its boundary: a template, a small world, and what comes out.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::base::{Attrs, Colour, Style, Wall};

/// 2001-09-09 01:46:40 UTC plus an hour.
const NOW: Wall = Wall(1_000_003_600);

/// A world of named values: `options` holds user options, `windows` the names of the session's windows.
#[derive(Clone, Default)]
struct World {
    values: BTreeMap<String, Value>,
    options: BTreeMap<String, String>,
    environ: BTreeMap<String, String>,
    windows: Vec<String>,
}

fn world() -> World {
    let mut w = World { windows: vec!["zeta".into(), "alpha".into(), "mike".into()], ..World::default() };
    for (k, v) in [("pane_in_mode", "0"), ("on", "1"), ("session_name", "Summer"), ("window_name", "zeta")] {
        w.values.insert(k.into(), v.into());
    }
    w.values.insert("window_activity".into(), Value::Time(Wall(1_000_000_000)));
    w.values.insert("never".into(), Value::Time(Wall(0)));
    for (k, v) in [
        ("@true", "1"),
        ("@false", "0"),
        ("@s", "abcdefghij"),
        ("@path", "/usr/local/bin/foo"),
        ("@name", "window-name"),
        ("@greek", "αβγ"),
        ("@cjk", "中文"),
        ("@ts", "1000000000"),
        ("@sp", "a b$c"),
        ("@hash", "a#b"),
        ("@sq", "a'b"),
        ("@sub", "abABab"),
        ("@slash", "foo/bar foo/"),
        ("@v", "foo:bar"),
        ("@rec", "#{E:@rec}x"),
        ("@styled", "#[bg=yellow]0123456"),
        ("@again", "#{@s}"),
        ("@clock", "%H:%M"),
        ("@emoji", "😀😀"),
    ] {
        w.options.insert(k.into(), v.into());
    }
    w.environ.insert("EDITOR".into(), "vi".into());
    w
}

impl Vars for World {
    fn get(&self, name: &str) -> Option<Value> {
        self.values.get(name).cloned()
    }

    fn option(&self, name: &str) -> Option<String> {
        self.options.get(name).cloned()
    }

    fn environ(&self, name: &str) -> Option<String> {
        self.environ.get(name).cloned()
    }

    fn children(&self, kind: LoopKind, sort: Sort) -> Option<Vec<Child<'_>>> {
        if kind != LoopKind::Windows {
            return None;
        }
        let mut names: Vec<(usize, &String)> = self.windows.iter().enumerate().collect();
        if sort.by == Order::Name {
            names.sort_by_key(|n| n.1);
        }
        if sort.reversed {
            names.reverse();
        }
        let child = |(index, name): (usize, &String)| {
            let mut w = self.clone();
            w.values.insert("window_name".into(), name.as_str().into());
            w.values.insert("window_index".into(), Value::Number(index as i64));
            Child { vars: Box::new(w) as Box<dyn Vars>, active: index == 1 }
        };
        Some(names.into_iter().map(child).collect())
    }

    fn option_rows(&self, _: OptionTable) -> Vec<OptionRow> {
        let row =
            |name: &str| OptionRow { name: name.into(), value: "v".into(), is_user: true, ..OptionRow::default() };
        vec![row("@a"), row("@b")]
    }

    fn environ_rows(&self, _: EnvironTable) -> Vec<EnvironRow> {
        vec![EnvironRow { name: "A".into(), value: Some("1".into()), hidden: false }]
    }

    fn job(&self, raw: &str, command: &str) -> String {
        format!("<{raw}|{command}>")
    }

    fn search(&self, pattern: &str, _: bool, _: bool) -> Option<usize> {
        Some(if pattern == "here" { 3 } else { 0 })
    }

    fn name_exists(&self, kind: NameKind, name: &str) -> Option<bool> {
        Some(kind == NameKind::Window && self.windows.iter().any(|w| w == name))
    }
}

fn cx() -> Cx {
    Cx { zone: Zone::Utc, ..Cx::new(NOW) }
}

#[track_caller]
fn check(template: &str, want: &str) {
    assert_eq!(Template::parse(template).eval(&world(), &cx()), want, "{template}");
}

#[track_caller]
fn check_timed(template: &str, want: &str) {
    let cx = Cx { timed: true, ..cx() };
    assert_eq!(Template::parse(template).eval(&world(), &cx), want, "{template}");
}

#[test]
fn plain_text_and_escapes() {
    check("abc xyz", "abc xyz");
    check("##", "#");
    check("#,", ",");
    check("##{", "#{");
    check("#}", "}");
    check("###}", "#}");
    check("a#", "a");
    check("#z", "#z");
    check("#中", "#中");
    check("#[fg=red]#S", "#[fg=red]Summer");
    check("#[#S]", "#[#S]");
    check("##[x]", "##[x]");
    check("#S:#W", "Summer:zeta");
    check("a#{b", "a");
    check("100%", "100%");
}

#[test]
fn names() {
    check("#{session_name}", "Summer");
    check("#{@undefined}x", "x");
    check("#{EDITOR}", "vi");
    check("#{never}", "");
    check("#{q/e;q/s:@hash}", "'a##b'");
    check("#{m/p;m/i:A,ab}", "0");
    check("#{window_activity}", "1000000000");
    check("#{s/#:/_/:@v}", "foo_bar");
    check("#{s/o/#:/:@v}", "f:::bar");
}

#[test]
fn conditions() {
    check("#{?}", "");
    check("#{?abc}", "abc");
    check("#{?pane_in_mode,abc}", "");
    check("#{?on,abc}", "abc");
    check("#{?on,abc,xyz}", "abc");
    check("#{?pane_in_mode,abc,@true,xyz}", "xyz");
    check("#{?@false,abc,@false,xyz}", "");
    check("#{?@false,abc,@false,xyz,default}", "default");
    check("#{?#{@s}}", "abcdefghij");
    check("#{?on,##,xyz}", "#");
    check("#{?on,#,,xyz}", ",");
    check("#{?on,{,xyz}", "{");
    check("#{?on,#},xyz}", "}");
    check("#{?on,###},xyz}", "#}");
    check("#{?pane_in_mode,###},##{}", "#{");
    check("#{?on,{abc,xyz},bonus}", "{abc,bonus}");
    check("#{?pane_in_mode,(abc,xyz),bonus}", "");
    check("#{?on,(abc#,xyz),bonus}", "(abc,xyz)");
    check("#{?on,#[fg=default#,bg=default]abc,xyz}", "#[fg=default,bg=default]abc");
    check("#{?on,#[fg=default,bg=default]abc}", "#[fg=default");
    check("#{?on,#(echo ,)xyz}", "");
    check("#{?pane_in_mode,#(echo ,)xyz}", ")xyz");
    check("#{?#{==:#{session_name},Summer},abc,xyz}", "abc");
    check("#{?on,#{?#{==:#{session_name},Summer},ABC,XYZ},xyz}", "ABC");
}

#[test]
fn truth_and_comparison() {
    for (t, want) in [
        ("!!:0", "0"),
        ("!!:", "0"),
        ("!!:-0", "1"),
        ("!!:0.0", "1"),
        ("!:0", "1"),
        ("&&:0", "0"),
        ("&&:1,1,0", "0"),
        ("&&:1,1,1", "1"),
        ("||:0,0,0", "0"),
        ("||:0,0,1", "1"),
        ("==:#{session_name},Summer", "1"),
        ("!=:abc,xyz", "1"),
        ("<:3,5", "1"),
        (">:3,5", "0"),
        ("<=:5,5", "1"),
        (">=:4,5", "0"),
        ("==:a", ""),
        ("m:*foo*,barfoobar", "1"),
        ("m/i:*FOO*,barfoobar", "1"),
        ("m/r:^[0-9]+$,12a45", "0"),
        ("m/ri:^ab+$,ABBB", "1"),
        ("m/z:foo,foobar", "1"),
        ("m/p:ac,abc", "0,2"),
        ("m/p:x,", ""),
        ("m/z:x,", "0"),
        ("C:here", "3"),
        ("C/r:there", "0"),
        ("N:alpha", "1"),
        ("N/w:none", "0"),
        ("N/s:alpha", "0"),
    ] {
        check(&format!("#{{{t}}}"), want);
    }
    // Without a comma the expansion ends.
    check("a#{==:b}c", "a");
}

#[test]
fn arithmetic() {
    for (t, want) in [
        ("e|+|:2,3", "5"),
        ("e|-|:2,5", "-3"),
        ("e|/|:20,3", "6"),
        ("e|m|:7,3", "1"),
        ("e|%|:7,3", "1"),
        ("e|==|:5,5", "1"),
        ("e|<|:2,5", "1"),
        ("e|*|f|4:5.5,3", "16.5000"),
        ("e|/|f|3:1,3", "0.333"),
        ("e|*|f:2.5,2", "5.00"),
        ("e|+|:notanumber,2", ""),
        ("e|badop|:1,2", ""),
        ("e|+|f|x:1,2", ""),
        ("e|+|:1", ""),
        ("e|+|f|2|extra:1,2", ""),
        ("e|/|:5,0", "-9223372036854775808"),
        ("e|+|:0x10,1", "17"),
        ("a:98", "b"),
        ("a:200", ""),
    ] {
        check(&format!("#{{{t}}}"), want);
    }
}

#[test]
fn widths_and_cuts() {
    for (t, want) in [
        ("=5:@s", "abcde"),
        ("=-5:@s", "fghij"),
        ("=:@s", "abcdefghij"),
        ("=/x:@s", "abcdefghij"),
        ("=/5/...:@s", "abcde..."),
        ("=/-5/...:@s", "...fghij"),
        ("=/20/...:@s", "abcdefghij"),
        ("=2:@greek", "αβ"),
        ("=1:@cjk", ""),
        ("=/2/x:@cjk", "中x"),
        ("=/3/#,:@s", "abc,"),
        ("=/3/#{l:>}:@s", "abc>"),
        ("=2:@emoji", "😀"),
        ("p12:@name", "window-name "),
        ("p-12:@name", " window-name"),
        ("p3:@name", "window-name"),
        ("p6:@cjk", "中文  "),
        ("n:@greek", "6"),
        ("w:@greek", "3"),
        ("w:@cjk", "4"),
        ("n:@undefined", "0"),
        ("=3:@styled", "#[bg=yellow]012"),
        ("=-3:@styled", "#[bg=yellow]456"),
        ("w:@styled", "7"),
        ("R:ab,2", "abab"),
        ("R:a,0", ""),
        ("n:#{R:x,300}", "300"),
        ("=5:#{p10:#{b:@path}}", "foo  "),
    ] {
        check(&format!("#{{{t}}}"), want);
    }
}

#[test]
fn texts() {
    for (t, want) in [
        ("b:@path", "foo"),
        ("d:@path", "/usr/local/bin"),
        ("q:@sp", "a\\ b\\$c"),
        ("q/s:@sq", "'a'\\''b'"),
        ("q/e:@hash", "a##b"),
        ("q/a:@sp", "\"a b\\$c\""),
        ("l:#{}", "#{}"),
        ("l:#{?on,a,b}", "#{?on,a,b}"),
        ("l:##{", "#{"),
        ("s/[bd]/X/:@s", "aXcXefghij"),
        ("s/A/X/i:@s", "Xbcdefghij"),
        ("s/a(.)/\\1x/i:@sub", "bxBxbx"),
        ("s|foo/|bar/|:@slash", "bar/bar bar/"),
        ("s/x*/X/:@s", "aXbXcXdXeXfXgXhXiXjX"),
        ("s/[/X/:@s", "abcdefghij"),
        ("s/onlyone:@s", "abcdefghij"),
        ("s/#,/-/:#{l:a,b,c}", "a-b-c"),
        ("s/o/O/:#{b:@path}", "fOO"),
        ("E:@again", "abcdefghij"),
        ("T:@clock", "02:46"),
        ("c:red", "800000"),
        ("c:colour4", "000080"),
        ("c:#7f7f7f", "7f7f7f"),
        ("c/f:red", "\x1b[31m"),
        ("c/b:colour4", "\x1b[48;5;4m"),
        ("c/f:none", "\x1b[0m"),
        ("c:notacolour", ""),
        ("c:alice blue", "f0f8ff"),
        ("I/f:RGB", ""),
        ("A:a,b", ""),
    ] {
        check(&format!("#{{{t}}}"), want);
    }
}

#[test]
fn times() {
    check("#{t:window_activity}", "Sun Sep  9 01:46:40 2001");
    check("#{t:@ts}", "Sun Sep  9 01:46:40 2001");
    check("#{t/p:@ts}", "01:46");
    check("#{t/r:@ts}", "1h");
    check("#{t/d:@ts}", "3600");
    check("#{t/f/%Y-%m-%d:@ts}", "2001-09-09");
    check("#{t/f/%H#:%M#:%S:@ts}", "01:46:40");
    check("#{t/f/%Y#,end:@ts}", "2001,end");
    check("#{t:never}", "");
    check_timed("%H:%M #S", "02:46 Summer");
    check_timed("#{e|%%|:7,3}", "1");
    check_timed("50%", "50%");
    check_timed("%Q%", "%Q%");
    check_timed("%#a%#p", "SUNam");
    let pretty = |age: i64| time::pretty(Wall(NOW.0 - age), NOW, Zone::Utc);
    assert_eq!(pretty(2 * 86400), "Fri07");
    assert_eq!(pretty(60 * 86400), "11Jul");
    assert_eq!(pretty(800 * 86400), "Jul99");
    let relative = |age: i64| time::relative(Wall(NOW.0 - age), NOW);
    assert_eq!(relative(0).as_deref(), Some("0s"));
    assert_eq!(relative(143).as_deref(), Some("2m23s"));
    assert_eq!(relative(90_000).as_deref(), Some("1d1h"));
    assert_eq!(relative(-1), None);
    assert_eq!(time::strftime("%^a %-d %e %j %%", NOW, Zone::Utc), "SUN 9  9 252 %");
}

#[test]
fn loops() {
    check("#{W:#{window_name} }", "zeta alpha mike ");
    check("#{W/n:#{window_name} }", "alpha mike zeta ");
    check("#{W/nr:#{window_name} }", "zeta mike alpha ");
    check("#{W:#I,*#I}", "0*12");
    check("#{W:#{loop_index}#{loop_last_flag}#{window_after_active}#{window_before_active} }", "0001 1000 2110 ");
    check("#{W:[#{prev_window_index}#{next_window_index}]}", "[1][02][1]");
    check("#{O:#{option_name}=#{option_value}#{?loop_last_flag,,;}}", "@a=v;@b=v");
    check("#{V:#{environ_name}#{environ_value}#{session_name}}", "A1Summer");
    check("a#{P:x}b", "a");
    check("a#{S:x}b", "ab");
}

#[test]
fn jobs_and_animations() {
    check("#(echo #S)", "<echo Summer|echo Summer>");
    let cx = Cx { animate: Some(350), ..cx() };
    let run = |t: &str, cx: &Cx| Template::parse(t).run(&world(), cx);
    let got = run("#{A/2:a,b,c}", &cx);
    assert_eq!((got.text.as_str(), got.animated), ("b", true));
    assert_eq!(run("#(x)", &cx.without_jobs()).text, "");
}

#[test]
fn every_modifier_is_documented() {
    assert!(modifiers::TABLE.is_sorted_by_key(|r| r.name));
    for row in modifiers::TABLE {
        assert!(!row.doc.is_empty() && row.example.contains(row.name), "{}", row.name);
    }
}

#[test]
fn limits_hold() {
    let run = |t: &str| Template::parse(t).run(&world(), &cx());
    assert!(run("#{E:@rec}").limited);
    let got = run("#{R:#{R:#{R:xxxxxxxx,9999},9999},9999}");
    assert!(got.limited && got.text.len() <= MAX_OUTPUT);
    Template::parse(&"#{".repeat(100_000));
    Template::parse(&"#[".repeat(100_000));
    Template::parse(&"#{?".repeat(50_000));
    Template::parse(&("#{l;".repeat(5_000) + &"}".repeat(5_000)));
    let nested = "#{E:".repeat(300) + "x" + &"}".repeat(300);
    run(&nested);
}

#[track_caller]
fn check_style(text: &str, want: &str) {
    let got = StyleSpec::parse(text).map_or_else(|e| e.to_string(), |s| s.to_string());
    assert_eq!(got, want, "{text}");
}

#[test]
fn styles() {
    check_style("", "default");
    check_style("fg=red,bg=#112233 bold", "fg=red,bg=#112233,bright");
    check_style("us=colour12,curly-underscore", "us=colour12,curly-underscore");
    check_style("fg=AliceBlue", "fg=#f0f8ff");
    check_style("fg=97", "fg=brightwhite");
    check_style("bg=grey50", "bg=#7f7f7f");
    check_style("fg=themered,fill=terminal", "fill=terminal,fg=themered");
    check_style("list=on,range=window|3,align=right", "list=on,range=window|3,align=right");
    check_style("range=pane|%4,push-default", "range=pane|%4,push-default");
    check_style("range=user|abc", "range=user|abc");
    check_style("range=left|x", "invalid style: range=left|x");
    check_style("bold,nobold,noattr", "noattr");
    check_style("bold|italics", "bright,italics");
    check_style("width=50%,pad=1,dim=20", "dim=20%,width=50%,pad=1");
    check_style("link=http://x", "link=http://x");
    check_style("fg=nope", "invalid style: fg=nope");
    check_style("wibble", "invalid style: wibble");
}

#[track_caller]
fn check_draw(text: &str, width: u16, want: &str) {
    assert_eq!(draw(text, Style::DEFAULT, width, false).text(), want, "{text}");
}

#[test]
fn drawing() {
    check_draw("abc", 5, "abc  ");
    check_draw("abcdef", 3, "abc");
    check_draw("L#[align=right]R", 6, "L    R");
    check_draw("L#[align=centre]C#[align=right]R", 7, "L  C  R");
    check_draw("L#[align=absolute-centre]C", 5, "L C  ");
    check_draw("left#[align=centre]centre#[align=right]right", 11, "leftntright");
    check_draw("###[bold]0", 4, "#0  ");
    check_draw("##[bold]", 10, "#[bold]   ");
    check_draw("中x", 2, "中");
    check_draw("中x", 1, " ");
    check_draw("a#[bold", 3, "   ");
    let list =
        "#[list=on align=left]#[list=left-marker]<#[list=right-marker]>#[list=on]0123#[list=focus]45#[list=on]6789";
    check_draw(&format!("{list}#[nolist]!"), 13, "0123456789!  ");
    check_draw(&format!("{list}#[nolist]!"), 8, "<34567>!");
    check_draw("aaaaa#[list=on align=left]0123#[nolist]bb#[align=right]rrrrrrrrr", 13, "aaaaarrrrrrrr");
    check_draw("a#[ignore]b#[bold]##d###[x", 20, "ab#[bold]#d#[x      ");
    let centre = "aa#[list=on align=centre]#[list=left-marker]<#[list=right-marker]>#[list=on]0123#[list=focus]456";
    let centre = format!("{centre}#[list=on]78901#[nolist]bb#[align=centre]CC#[align=right]rr");
    check_draw("|#[align=centre]abc#[list=on]0123456789#[nolist]", 12, "|c12345678  ");
    check_draw(&centre, 13, "aa  <456>bbCC");
}

#[test]
fn drawing_tells_ranges_and_styles() {
    let got =
        draw("ab#[range=window|1 fg=red]cd#[norange default]e#[align=right range=right]z", Style::DEFAULT, 8, false);
    assert_eq!(got.ranges, [(2, 4, Range::Window(1))]);
    assert_eq!(got.range_at(3), Some(&Range::Window(1)));
    assert_eq!(got.range_at(4), None);
    assert_eq!(got.runs[1].style.fg, Colour::ansi(1));
    assert_eq!((got.runs[1].x, got.runs[1].text.as_str()), (2, "cd"));
    let got = draw("#[fill=blue]#[push-default]#[bold]x#[default]y", Style::DEFAULT, 4, false);
    assert_eq!(got.runs[0].style.attrs, Attrs::BOLD);
    assert_eq!(got.runs[2].style.bg, Colour::ansi(4));
}

#[test]
fn fuzzy_terms() {
    let check = |p: &str, t: &str, want: Option<&[usize]>| {
        assert_eq!(fuzzy::columns(p, t, text::width(t).max(1)).as_deref(), want, "{p:?} in {t:?}");
    };
    check("", "abc", Some(&[]));
    check("abc", "a_b_c", Some(&[0, 2, 4]));
    check("abc", "acb", None);
    check("dev bash", "dev:1 bash", Some(&[0, 1, 2, 6, 7, 8, 9]));
    check("ABC", "abc", None);
    check("'bash", "b-a-s-h", None);
    check("^dev", "prod dev", None);
    check("bash$", "dev bash", Some(&[4, 5, 6, 7]));
    check("!ssh", "s_s_h", Some(&[]));
    check("prod | dev", "dev bash", Some(&[0, 1, 2]));
    check("dev", "#[bold]d#[default]e#[underscore]v#[default]", Some(&[0, 1, 2]));
    check("é", "É", None);
    check("界", "a界b", Some(&[1, 2]));
}

proptest! {
    #[test]
    fn nothing_panics(t in "([#{}\\[\\],:;?|&!=/()%a-zA-Z0-9中é @-]|#\\{|#\\[){0,80}", width in 0u16..40) {
        let w = world();
        let got = Template::parse(&t).run(&w, &Cx { timed: true, animate: Some(1), ..cx() });
        prop_assert!(got.text.len() <= MAX_OUTPUT);
        let drawn = draw(&got.text, Style::DEFAULT, width, false);
        prop_assert_eq!(crate::base::width::text_width(&drawn.text()), width as usize);
        for (from, to, _) in &drawn.ranges {
            prop_assert!(from < to && *to <= width);
        }
        let _ = StyleSpec::parse(&t);
        prop_assert!(text::width(&text::trim_left(&t, 5)) <= 6);
    }

    #[test]
    fn lists_fit(t in "(#\\[(list=(on|focus|left-marker|right-marker)|nolist|align=(left|right|centre|absolute-centre)|range=window\\|[0-9]|norange|fg=red|default|ignore|fill=red)\\]|[a-c]{0,3}|中){0,20}", width in 0u16..30) {
        let drawn = draw(&t, Style::DEFAULT, width, false);
        prop_assert_eq!(crate::base::width::text_width(&drawn.text()), width as usize);
    }
}
