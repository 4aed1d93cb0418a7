//! Environment variables as they are kept for programs to come: one global set, and one for each session that is laid
//! over it. Knows no process.
//!
//! A variable has a value, or is marked as removed: then it is taken away from what is inherited. A hidden one is for
//! formats and the configuration, no program sees it.

use std::collections::BTreeMap;

use crate::format::fnmatch::fnmatch;

/// How many variables one set may have.
pub const MAX_VARIABLES: usize = 100_000;

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// `None` takes the variable away from what is inherited.
    pub value: Option<String>,
    pub hidden: bool,
}

/// A set of variables, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environ {
    vars: BTreeMap<String, Variable>,
}

/// Whether the name can be a variable's; why not, in tmux's words.
pub fn check_name(name: &str) -> Result<(), &'static str> {
    if name.is_empty() {
        Err("empty variable name")
    } else if name.contains('=') {
        Err("variable name contains =")
    } else {
        Ok(())
    }
}

impl Environ {
    /// From `NAME=value` pairs; what has no `=` is left out.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = &'a str>) -> Environ {
        let mut environ = Environ::default();
        for (name, value) in pairs.into_iter().filter_map(|pair| pair.split_once('=')) {
            environ.set(name, value, false);
        }
        environ
    }

    /// The value of a variable, hidden or not; `None` if it is unknown or marked as removed.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.vars.get(name)?.value.as_deref()
    }

    /// The variable, also if it is marked as removed.
    pub fn find(&self, name: &str) -> Option<&Variable> {
        self.vars.get(name)
    }

    /// Gives a variable a value. False if there are too many variables already.
    pub fn set(&mut self, name: &str, value: &str, hidden: bool) -> bool {
        self.put(name, Variable { value: Some(value.to_owned()), hidden })
    }

    /// Marks a variable as removed. It stays as hidden as it was. False if there are too many variables already.
    pub fn clear(&mut self, name: &str) -> bool {
        let hidden = self.vars.get(name).is_some_and(|var| var.hidden);
        self.put(name, Variable { value: None, hidden })
    }

    /// Forgets a variable and its mark.
    pub fn unset(&mut self, name: &str) {
        self.vars.remove(name);
    }

    fn put(&mut self, name: &str, var: Variable) -> bool {
        if self.vars.len() >= MAX_VARIABLES && !self.vars.contains_key(name) {
            return false;
        }
        self.vars.insert(name.to_owned(), var);
        true
    }

    /// Lays another set over this one: its values win, its marks of removal become marks here.
    pub fn overlay(&mut self, over: &Environ) {
        for (name, var) in &over.vars {
            match &var.value {
                Some(value) => self.set(name, value, var.hidden),
                None => self.clear(name),
            };
        }
    }

    /// Takes over from a client what `update-environment` names, patterns included; what a pattern does not find is
    /// marked as removed.
    pub fn update<'a>(&mut self, patterns: impl IntoIterator<Item = &'a str>, client: &Environ) {
        for pattern in patterns {
            let mut found = false;
            for (name, value) in client.vars.iter().filter_map(|(name, var)| Some((name, var.value.as_ref()?))) {
                if fnmatch(pattern, name, false) {
                    self.set(name, value, false);
                    found = true;
                }
            }
            if !found {
                self.clear(pattern);
            }
        }
    }

    /// All variables, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Variable)> {
        self.vars.iter().map(|(name, var)| (name.as_str(), var))
    }

    /// What a program gets to see.
    pub fn visible(&self) -> Vec<(String, String)> {
        let seen = |(name, var): (&String, &Variable)| {
            let value = var.value.as_ref().filter(|_| !var.hidden && !name.is_empty())?;
            Some((name.clone(), value.clone()))
        };
        self.vars.iter().filter_map(seen).collect()
    }

    /// The lines of `show-environment`: the hidden variables or the others, as `NAME=value` and `-NAME`, or as what a
    /// shell reads.
    pub fn show(&self, hidden: bool, shell: bool) -> Vec<String> {
        self.vars.iter().filter(|(_, var)| var.hidden == hidden).map(|(name, var)| line(name, var, shell)).collect()
    }

    /// The line of one variable; `None` if it is hidden and was not asked for so, or the other way round.
    pub fn show_one(&self, name: &str, hidden: bool, shell: bool) -> Result<Option<String>, String> {
        let var = self.vars.get(name).ok_or_else(|| format!("unknown variable: {name}"))?;
        Ok((var.hidden == hidden).then(|| line(name, var, shell)))
    }
}

fn line(name: &str, var: &Variable, shell: bool) -> String {
    match (&var.value, shell) {
        (Some(value), false) => format!("{name}={value}"),
        (None, false) => format!("-{name}"),
        (Some(value), true) => {
            let mut quoted = String::with_capacity(value.len());
            for c in value.chars() {
                // What a POSIX shell reads within double quotes.
                if matches!(c, '$' | '`' | '"' | '\\') {
                    quoted.push('\\');
                }
                quoted.push(c);
            }
            format!("{name}=\"{quoted}\"; export {name};")
        }
        (None, true) => format!("unset {name};"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Does what each word says (`A=b` set, `h:A=b` hidden, `-A` clear, `~A` unset) and shows all.
    #[track_caller]
    fn check(words: &str, shown: &str) {
        let environ = make(words);
        let lines: Vec<String> = environ
            .show(false, false)
            .into_iter()
            .chain(environ.show(true, false).iter().map(|l| format!("h:{l}")))
            .collect();
        assert_eq!(lines.join(" "), shown);
    }

    fn make(words: &str) -> Environ {
        let mut environ = Environ::default();
        for word in words.split_whitespace() {
            if let Some(name) = word.strip_prefix('-') {
                environ.clear(name);
            } else if let Some(name) = word.strip_prefix('~') {
                environ.unset(name);
            } else if let Some((name, value)) = word.strip_prefix("h:").and_then(|w| w.split_once('=')) {
                environ.set(name, value, true);
            } else if let Some((name, value)) = word.split_once('=') {
                environ.set(name, value, false);
            }
        }
        environ
    }

    #[test]
    fn variables_are_set_marked_and_forgotten() {
        check("B=2 A=1 A=3", "A=3 B=2");
        check("A=1 -A -C", "-A -C");
        check("A=1 -A ~A ~X", "");
        check("h:S=1 A=2", "A=2 h:S=1");
        check("h:S=1 S=2", "S=2");
        check("h:S=1 -S", "h:-S");
    }

    #[test]
    fn a_session_lies_over_the_global_set() {
        let mut environ = make("A=1 B=2 C=3 h:D=4");
        environ.overlay(&make("-A B=9 h:C=8 E=5"));
        assert_eq!(environ.show(false, false), ["-A", "B=9", "E=5"]);
        assert_eq!(environ.visible(), [("B".to_owned(), "9".to_owned()), ("E".to_owned(), "5".to_owned())]);
        assert_eq!(environ.get("D"), Some("4"));
        assert_eq!(environ.get("A"), None);
        assert!(environ.find("A").is_some());
    }

    #[test]
    fn a_client_brings_what_is_asked_for() {
        let mut session = make("MYVAR=old ABSENT=before KEEP=1");
        let client = make("MYVAR=new TEST_GLOB=g TEST_TWO=t OTHER=no");
        session.update(["MYVAR", "ABSENT", "TEST_*", "NONE_*"], &client);
        assert_eq!(
            session.show(false, false),
            ["-ABSENT", "KEEP=1", "MYVAR=new", "-NONE_*", "TEST_GLOB=g", "TEST_TWO=t"]
        );
    }

    #[test]
    fn a_shell_reads_it() {
        let mut environ = make("-GONE");
        environ.set("ESC", "a$b`c\"d\\e", false);
        assert_eq!(environ.show(false, true), [r#"ESC="a\$b\`c\"d\\e"; export ESC;"#, "unset GONE;"]);
    }

    #[test]
    fn one_variable_is_shown_if_it_is_asked_for_rightly() {
        let environ = make("A=1 h:S=2");
        assert_eq!(environ.show_one("A", false, false), Ok(Some("A=1".into())));
        assert_eq!(environ.show_one("A", true, false), Ok(None));
        assert_eq!(environ.show_one("S", false, false), Ok(None));
        assert_eq!(environ.show_one("S", true, false), Ok(Some("S=2".into())));
        assert_eq!(environ.show_one("X", false, false), Err("unknown variable: X".into()));
        assert_eq!(check_name(""), Err("empty variable name"));
        assert_eq!(check_name("A=B"), Err("variable name contains ="));
    }

    proptest! {
        #[test]
        fn reading_back_what_is_shown(pairs in proptest::collection::vec(("[A-Z_]{1,6}", "[^\\x00\\n]{0,8}"), 0..8)) {
            let mut environ = Environ::default();
            for (name, value) in &pairs {
                environ.set(name, value, false);
            }
            let lines = environ.show(false, false);
            prop_assert_eq!(Environ::from_pairs(lines.iter().map(String::as_str)), environ);
        }
    }
}
