//! Filling the answers of a prompt or the items of a menu into a command's arguments.

/// What gives `"`, `\`, `$`, `;` and `~` their meaning between double quotes or at the start of a word.
const SPECIAL: &[char] = &['"', '\\', '$', ';', '~'];

/// Replaces `%1`..`%9` by the value of that number and the first, second, ... `%%` by the first, second, ... value.
///
/// `%%` is meant to stand between single quotes, so a `'` in the value is quoted. `%%%` and `%1%` are meant for double
/// quotes, so what is special there gets a backslash. `%1` puts the value as it is. A `%` without a value stays.
/// Values are never looked at again, whatever they hold.
pub fn substitute(template: &str, values: &[&str]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut doubled = 0;
    let mut rest = template;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let (value, single) = match rest.as_bytes().first() {
            Some(digit @ b'1'..=b'9') => (values.get(usize::from(digit - b'1')), false),
            Some(b'%') => (values.get(doubled), true),
            _ => (None, false),
        };
        let Some(value) = value else {
            out.push('%');
            continue;
        };
        if single {
            doubled += 1;
        }
        rest = &rest[1..];
        if let Some(after) = rest.strip_prefix('%') {
            rest = after;
            for c in value.chars() {
                if SPECIAL.contains(&c) {
                    out.push('\\');
                }
                out.push(c);
            }
        } else if single {
            out.push_str(&value.replace('\'', r"'\''"));
        } else {
            out.push_str(value);
        }
    }
    out.push_str(rest);
    out
}
