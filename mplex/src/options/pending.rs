//! Keys by name, as far as options need them until the room keys reads them.

/// Whether the text is the name of a key: one character or a special key, after any modifiers.
pub(super) fn is_key(text: &str) -> bool {
    const SPECIAL: &str = " Any BSpace BTab Bspace Btab DC Delete Down End Enter Escape Home IC Insert Left NPage None \
                           PageDown PageUp PgDn PgUp PPage Right Space Tab Up ";
    let mut rest = text;
    while let Some(shorter) =
        ["C-", "M-", "S-", "^"].iter().find_map(|m| rest.strip_prefix(m)).filter(|r| !r.is_empty())
    {
        rest = shorter;
    }
    let numbered = |head: &str, most: u16| {
        rest.strip_prefix(head).is_some_and(|n| n.parse::<u16>().is_ok_and(|n| n <= most && !rest.ends_with('+')))
    };
    let one = rest.chars().count() == 1;
    one || numbered("F", 12) || numbered("User", 999) || SPECIAL.contains(&format!(" {rest} ")) && !rest.is_empty()
}
