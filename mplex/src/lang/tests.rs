//! What the language reads, what it refuses, and that it reads what it writes.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

/// A small world: some variables, one user, two aliases; conditions as plain formats and `#{NAME}`.
struct World(HashMap<&'static str, &'static str>);

impl ParseEnv for World {
    fn var(&self, name: &str) -> Option<String> {
        self.0.get(name).map(|value| (*value).to_owned())
    }

    fn home(&self, user: Option<&str>) -> Option<String> {
        match user {
            None => Some("/home/me".to_owned()),
            Some("ann") => Some("/home/ann".to_owned()),
            Some(_) => None,
        }
    }

    fn condition(&self, format: &str, sets: &[Assignment]) -> bool {
        let value = match format.strip_prefix("#{").and_then(|name| name.strip_suffix('}')) {
            Some(name) => match sets.iter().rev().find(|set| set.name == name) {
                Some(set) => set.value.clone(),
                None => self.var(name).unwrap_or_default(),
            },
            None => format.to_owned(),
        };
        NoEnv.condition(&value, sets)
    }

    fn alias(&self, name: &str) -> Option<String> {
        match name {
            "zoom" => Some("resize-pane -Z".to_owned()),
            "two" => Some("first a\nsecond".to_owned()),
            "self" => Some("self x".to_owned()),
            "nothing" => Some(String::new()),
            _ => None,
        }
    }
}

fn world() -> World {
    World(HashMap::from([("FOO", "foo value"), ("EMPTY", ""), ("ONE", "1")]))
}

fn read(text: &str) -> Result<Parsed, ParseError> {
    parse_text(text, Place { file: None, line: 1 }, Grouping::ByLine, &world())
}

/// A text and its commands as printed, or the error with its line.
#[track_caller]
fn check(text: &str, expect: &str) {
    let got = match read(text) {
        Ok(parsed) => parsed.commands.print(),
        Err(error) => format!("{}: {}", error.at.line, error.message),
    };
    assert_eq!(got, expect, "from {text:?}");
}

/// An argument vector and its commands as printed.
#[track_caller]
fn check_args(args: &[&str], expect: &str) {
    let args: Vec<Arg> = args.iter().map(|&arg| arg.into()).collect();
    let parsed = parse_args(&args, Place::default(), &world()).expect("an argument vector is always commands");
    assert_eq!(parsed.commands.print(), expect, "from {args:?}");
}

#[test]
fn words_and_commands() {
    check("", "");
    check("a", "a");
    check("  a  b\tc  ", "a b c");
    check("a; b ;c", "a ; b ; c");
    check("a\nb\r\nc", "a ;; b ;; c");
    check("a ;; b", "a ;; b");
    check("a;", "a");
    check("a # b\n# c\n  # d\ne#f", "a ;; \"e#f\"");
    check("; a", "1: syntax error");
    check("a }", "1: syntax error");
    check("a %1 %% %12", "a \"%1\" \"%%\" \"%12\"");
    check("a -t%1", "a \"-t%1\"");
    check("a %1; b", "1: syntax error");
    check("a %x", "1: syntax error");
    check("a#{b}", "1: syntax error");
    check("a {b}", "a { b }");
    check("a b{c", "a \"b{c\"");
}

#[test]
fn quotes() {
    check("a 'b c' \"d e\" f' 'g\" \"h", "a \"b c\" \"d e\" \"f g h\"");
    check("a '' \"\"", "a '' ''");
    check("a '$FOO \\n ~' \"'\" '\"'", "a \"\\$FOO \\\\n ~\" \\' \\\"");
    check("a 'open", "a open");
    check("a '#{x}' \"#{y}\"", "a \"#{x}\" \"#{y}\"");
    check("a 'one\n   two\n  # gone\n  #{kept}'", "a \"one\\ntwo\\n\\n#{kept}\"");
    check("a 'one\n#\ntwo' b", "a one\\n\\ntwo b");
    check("a b\\\n  c \\\\\nd", "a b c \\\\ ;; d");
    check("# a \\\nb\nc", "c");
    check("a 'b\\\nc'", "a bc");
}

#[test]
fn escapes() {
    check(r"a \e\r\n\t\a\b\f\v", r"a \033\r\n\t\a\b\f\v");
    check(r"a \s\;\$FOO\~\'\q", "a \" ;\\$FOO~'q\"");
    check(r"a \101 \303\251", "a A é");
    check(r"a \u00e9\U0001F600", "a é😀");
    check(r"a \400", "1: invalid octal escape");
    check(r"a \09", "1: invalid octal escape");
    check(r"a \377", "1: invalid octal escape");
    check(r"a \u12g4", "1: invalid \\u argument");
    check(r"a \UD8000000", "1: invalid \\U argument");
    check("a \\u12\n", "1: syntax error");
    check("a \\", "1: syntax error");
}

#[test]
fn variables_and_homes() {
    check(
        "a $FOO ${FOO}x \"$FOO\" '$FOO' $NONE $1 $",
        "a \"foo value\" \"foo valuex\" \"foo value\" \"\\$FOO\" '' \"$1\" \\$",
    );
    check("a ${FOO", "1: invalid environment variable");
    check("a ~ ~/x ~ann/y b~ \"~\" '~' \"a\"~", "a /home/me /home/me/x /home/ann/y b~ /home/me \\~ a/home/me");
    check("a ~nobody", "1: syntax error");
    check("HOME=/h a ~", "a /h");
    check("A=1 b $A\nA=2\nb $A", "b 1 ;; b 2");
    check("a B=1 $B", "a B=1 ''");
    check("A=1 B=2", "1: syntax error");
    check("A=1; b $A", "b 1");
    check("a; A=1; b $A", "a ; b 1");
    check("%hidden A=x\nb $A", "b x");
    check("%hidden A=x; b", "1: syntax error");
    check("%hidden b", "1: syntax error");
    let parsed = read("A=1\n%hidden B='x y'\n%if 0\nC=3\n%endif\nA=").expect("parses");
    let set = |name: &str, value: &str, hidden| Assignment { name: name.into(), value: value.into(), hidden };
    assert_eq!(parsed.sets, [set("A", "1", false), set("B", "x y", true), set("A", "", false)]);
}

#[test]
fn conditions() {
    check("%if 1\na\n%endif\nb", "a ;; b");
    check("%if 0\na\n%endif\nb", "b");
    check("%if 0\na\n%else\nb\n%endif", "b");
    check("%if 0\na\n%elif 1\nb\n%elif 1\nc\n%else\nd\n%endif", "b");
    check("%if 1\na\n%elif 0\nb\n%else\nc\n%endif", "a");
    check("%if 0\n%if 1\na\n%endif\n%elif 1\n%if 0\nb\n%else\nc\n%endif\n%endif", "c");
    check("%if #{ONE} a %else b %endif", "a");
    check("%if #{EMPTY} a ; b %else c ; d %endif", "c ; d");
    check("x ; %if #{ONE} a %endif ; y", "x ; a ; y");
    check("%if '#{ONE}'\na\n%endif", "a");
    check("A=0\n%if #{A}\nb\n%else\nc\n%endif", "c");
    check("%if 1\n%else\na\n%endif", "");
    check("%if 1\na", "2: syntax error");
    check("%endif", "1: syntax error");
    check("%if\na\n%endif", "1: syntax error");
    check("%if 1 a\n%endif", "1: syntax error");
    check("%if 1\na\n%else\nb\n%else\nc\n%endif", "5: syntax error");
    check("%if #{A\na\n%endif", "1: syntax error");
}

#[test]
fn braces() {
    check("a { b ; c } d", "a { b ; c } d");
    check("a {\n b\n c\n}\nd", "a { b ;; c } ;; d");
    check("a { b { c } { } }", "a { b { c } {  } }");
    check("a {\n%if 1\nb\n%else\nc\n%endif\n}", "a { b }");
    check("a { b", "1: syntax error");
    check("a {\nb\n", "3: syntax error");
    check("{ a }", "1: syntax error");
    check("a { b } ; c\nd", "a { b } ; c ;; d");
    check("a {\nb\n} ; c\nd", "a { b } ; c ;; d");
}

#[test]
fn groups() {
    let whole = |text| parse_text(text, Place::default(), Grouping::Whole, &NoEnv).expect("parses").commands;
    assert_eq!(whole("a\nb;; c { d\ne }").print(), "a ; b ; c { d ; e }");
    let list = read("a ; b\nc").expect("parses").commands;
    assert_eq!(list.groups.iter().map(|group| group.calls.len()).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(list.print_flat(), "a ; b ; c");
    assert_eq!(list.print_escaped(), r"a \; b \;\; c");
}

#[test]
fn aliases() {
    check("zoom -t1", "resize-pane -Z -t1");
    check("a zoom", "a zoom");
    check("a ; two b ; c", "a ; first a ; second b ; c");
    check("self", "self x");
    check("nothing a; b", "b");
    check("nothing", "");
    check("a { zoom }", "a { resize-pane -Z }");
    check("zoom { zoom }", "resize-pane -Z { zoom }");
    check_args(&["zoom", "-t1", ";", "a"], "resize-pane -Z -t1 ; a");
}

#[test]
fn argument_vectors() {
    check_args(&[], "");
    check_args(&["a", "b;", "c"], "a b ; c");
    check_args(&["a", ";", ";", "c"], "a ; c");
    check_args(&["a", r"b\;", "c"], "a \"b;\" c");
    check_args(&["a", r"\;", "c"], r"a \; c");
    check_args(&["a", "x;y", "$FOO", "{"], "a \"x;y\" \"\\$FOO\" \\{");
    let list = read("b ; c").expect("parses").commands;
    let parsed = parse_args(&["a".into(), Arg::Commands(list)], Place::default(), &NoEnv).expect("parses");
    assert_eq!(parsed.commands.print(), "a { b ; c }");
    let error = parse_args(&[Arg::Commands(CommandList::default())], Place::default(), &NoEnv);
    assert_eq!(error.map_err(|error| error.to_string()), Err("no command".to_owned()));
}

#[test]
fn places() {
    let parsed =
        parse_text("a\n\nb \\\n c\nd {\n e\n}", Place::file("x.conf"), Grouping::ByLine, &NoEnv).expect("parses");
    let at: Vec<_> = parsed.commands.calls().map(|call| call.at.line).collect();
    assert_eq!(at, [1, 4, 7]);
    let error = parse_text("a\n b }", Place::file("x.conf"), Grouping::ByLine, &NoEnv).expect_err("does not parse");
    assert_eq!(error.to_string(), "x.conf:2: syntax error");
    check("a # comment\n}", "2: syntax error");
    check("a 'x\ny'\n}", "3: syntax error");
}

#[test]
fn limits() {
    check(&"a { ".repeat(MAX_DEPTH + 1), "1: nested too deeply");
    check(&"%if 1\n".repeat(MAX_DEPTH + 1), &format!("{}: nested too deeply", MAX_DEPTH + 1));
    check(&"a;".repeat(MAX_COMMANDS + 1), "1: too many commands");
    check(&format!("A={}", "x".repeat(MAX_ASSIGNMENT)), "1: environment variable is too long");
    check(&format!("a ${}", "x".repeat(MAX_NAME + 1)), "1: environment variable is too long");
    check(&format!("a ~{}", "x".repeat(MAX_NAME + 1)), "1: user name is too long");
    check(&format!("A={}\na {}", "x".repeat(16000), "$A".repeat(MAX_EXPANDED / 16000 + 1)), "2: too much text");
    check(&" ".repeat(MAX_SOURCE + 1), "1: too much text");
}

#[test]
fn templates() {
    let check = |template: &str, values: &[&str], expect: &str| {
        assert_eq!(substitute(template, values), expect, "from {template:?}");
    };
    check("a %1 %2 %1", &["x", "y"], "a x y x");
    check("a '%%' '%%' '%%'", &["x", "y"], "a 'x' 'y' '%%'");
    check("a '%%'", &["can't"], r"a 'can'\''t'");
    check("a \"%%%\" \"%1%\"", &["b\"$;~\\'"], r#"a "b\"\$\;\~\\'" "b\"\$\;\~\\'""#);
    check("a %1", &["%2 %%"], "a %2 %%");
    check("100% %3 %", &["x"], "100% %3 %");
    let list = read("a '%%' { b %1 }").expect("parses").commands;
    assert_eq!(list.substituted(&["it's"]).print(), r#"a "it'\\''s" { b "it's" }"#);
}

const SPEC: ArgSpec = ArgSpec {
    flags: &[
        Flag::plain('d', "do it"),
        Flag::plain('P', "print"),
        Flag::plain('1', "one").unlisted(),
        Flag::valued('F', "format", "how"),
        Flag::valued('e', "environment", "with").repeated(),
        Flag::optional('U', "lines", "up"),
    ],
    min: 0,
    max: Some(2),
    operands: Operands::CommandsAfterFirst,
    operands_usage: "[name] [command]",
};

/// Arguments as text, and how they print in canonical order, or the error.
#[track_caller]
fn check_flags(text: &str, expect: &str) {
    let call = read(&format!("c {text}")).expect("parses").commands.calls().next().expect("a command").clone();
    let got = match Args::parse(&SPEC, &call.args) {
        Ok(args) => {
            let canonical = args.canonical();
            assert_eq!(Args::parse(&SPEC, &canonical).as_ref(), Ok(&args), "canonical order changed {text:?}");
            canonical.iter().map(Arg::print).collect::<Vec<_>>().join(" ")
        }
        Err(ArgError::Usage) => "usage".to_owned(),
        Err(ArgError::Message(message)) => message,
    };
    assert_eq!(got, expect, "from {text:?}");
}

#[test]
fn flags() {
    check_flags("", "");
    check_flags("-d -P -d", "-Pdd");
    check_flags("-dPF fmt x", "-Pd -F fmt x");
    check_flags("-Ffmt -F other", "-F fmt -F other");
    check_flags("-U5 x", "-U 5 x");
    check_flags("-U -5", "-U -5");
    check_flags("-U -d", "-d -U --");
    check_flags("-U -- x", "-U -- x");
    check_flags("-d x -P", "-d x -P");
    check_flags("-- -5", "-- -5");
    check_flags("- x", "- x");
    check_flags("-F -d", "-F -d");
    check_flags("x { y }", "x { y }");
    check_flags("{ y }", "argument 1 must be \"string\"");
    check_flags("-F { y }", "-F argument must be a string");
    check_flags("-d?", "usage");
    check_flags("-Z", "unknown flag -Z");
    check_flags("-d5", "unknown flag -5");
    check_flags("-d-", "invalid flag --");
    check_flags("-F", "-F expects an argument");
    check_flags("a b c", "too many arguments (need at most 2)");
    let none: [Arg; 0] = [];
    let error = Args::parse(&ArgSpec { min: 1, ..SPEC }, &none);
    assert_eq!(error, Err(ArgError::Message("too few arguments (need at least 1)".to_owned())));
    assert_eq!(SPEC.usage(), "[-dP] [-F format] [-e environment] [-U lines] [name] [command]");
}

#[test]
fn values() {
    let args = |words: &[&str]| {
        let words: Vec<Arg> = words.iter().map(|&word| word.into()).collect();
        Args::parse(&SPEC, &words).expect("fits")
    };
    let given = args(&["-dd", "-eA=1", "-e", "B=2", "x"]);
    assert_eq!((given.has('d'), given.count('d'), given.has('P'), given.get('e')), (true, 2, false, Some("B=2")));
    assert_eq!(given.values('e').collect::<Vec<_>>(), ["A=1", "B=2"]);
    assert_eq!((given.positional(0), given.positional(1), given.len()), (Some("x"), None, 1));
    let number = |text: &str| args(&["-F", text]).number('F', "width", 1..=100);
    assert_eq!(number("42"), Ok(Some(42)));
    assert_eq!(number(" +7"), Ok(Some(7)));
    for (text, why) in
        [("0", "too small"), ("-1", "too small"), ("101", "too large"), ("", "invalid"), ("4x", "invalid")]
    {
        assert_eq!(number(text), Err(format!("width {why}")));
    }
    assert_eq!(number("99999999999999999999"), Err("width too large".to_owned()));
    assert_eq!(number("-99999999999999999999"), Err("width too small".to_owned()));
    assert_eq!(args(&["-U"]).number('U', "lines", 1..=9), Err("lines missing".to_owned()));
    assert_eq!(args(&[]).number('U', "lines", 1..=9), Ok(None));
    let size = |text: &str| args(&["-F", text]).size('F', "size", 1..=100, 80);
    assert_eq!(size("30%"), Ok(Some(24)));
    assert_eq!(size("30"), Ok(Some(30)));
    assert_eq!(size("0%"), Err("size too small".to_owned()));
    assert_eq!(size("200%"), Err("size too large".to_owned()));
    assert_eq!(size("1001%"), Err("size too large".to_owned()));
    assert_eq!(size("x%"), Err("size invalid".to_owned()));
}

fn any_word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z-]{1,6}",
        "[ -~]{0,8}",
        "[~$'\"{};#%\\\\=A \n\t]{0,8}",
        any::<String>().prop_map(|text| text.chars().take(12).collect()),
    ]
}

fn any_list() -> impl Strategy<Value = CommandList> {
    let call = |args: BoxedStrategy<Vec<Arg>>| {
        ("[a-z][a-z-]{0,5}", args).prop_map(|(name, args)| Call { name, args, at: Place::default() })
    };
    let list = move |args| {
        let groups = prop::collection::vec(prop::collection::vec(call(args), 1..4), 0..3);
        groups.prop_map(|groups| CommandList { groups: groups.into_iter().map(|calls| Group { calls }).collect() })
    };
    let words = prop::collection::vec(any_word().prop_map(Arg::Text), 0..4).boxed();
    list(words).prop_recursive(3, 20, 4, move |inner| {
        let arg = prop_oneof![any_word().prop_map(Arg::Text), inner.prop_map(Arg::Commands)];
        list(prop::collection::vec(arg, 0..4).boxed())
    })
}

proptest! {
    #[test]
    fn reads_what_it_prints(list in any_list()) {
        let text = list.print();
        let parsed = parse_text(&text, Place::default(), Grouping::ByLine, &world());
        prop_assert_eq!(parsed.map(|parsed| parsed.commands), Ok(list), "printed {}", text);
    }

    #[test]
    fn never_fails_badly(text in "[ab ;\n\r{}#%'\"\\\\$~=0-9ifelsendu]{0,60}", bytes in any::<String>()) {
        let _ = parse_text(&text, Place::default(), Grouping::ByLine, &world());
        let _ = parse_text(&bytes, Place::default(), Grouping::Whole, &world());
    }
}
