//! The program's own code as text, for tests that ask whether a name of a table is used anywhere.

use std::path::Path;

/// The code without tests and without the files whose paths end like this.
pub(crate) fn code(without: &[&str]) -> String {
    let mut all = String::new();
    add(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), without, &mut all);
    all
}

fn add(dir: &Path, without: &[&str], all: &mut String) {
    for entry in std::fs::read_dir(dir).expect("read the code") {
        let path = entry.expect("read the code").path();
        if path.is_dir() {
            add(&path, without, all);
        } else if !path.ends_with("tests.rs") && without.iter().all(|skip| !path.ends_with(skip)) {
            let text = std::fs::read_to_string(&path).expect("read the code");
            all.push_str(text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default());
        }
    }
}
