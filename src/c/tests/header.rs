//! The committed header is what cbindgen makes of the crate.

use std::fs;
use std::path::Path;

/// The header as cbindgen makes it. What a caller promises is a section in Rust, and a word before the promise in C.
fn made(folder: &Path) -> String {
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("a configuration");
    let bindings = cbindgen::generate_with_config(folder, config).expect("a header");
    let mut header = Vec::new();
    bindings.write(&mut header);
    let header = String::from_utf8(header).expect("text");
    header.replace("//\n// # Safety\n// ", "// Safety: ")
}

/// The first line in which two texts differ, from 1 on.
fn difference(left: &str, right: &str) -> Option<usize> {
    let (left, right): (Vec<&str>, Vec<&str>) = (left.split('\n').collect(), right.split('\n').collect());
    (0..left.len().max(right.len())).find(|&line| left.get(line) != right.get(line)).map(|line| line + 1)
}

/// With TENSORSMITH_REWRITE_SNAPSHOTS=1 the header is written anew.
#[test]
fn header_is_that_of_the_crate() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (path, fresh) = (folder.join("include/tensorsmith.h"), made(folder));
    if std::env::var_os("TENSORSMITH_REWRITE_SNAPSHOTS").is_some_and(|value| value == "1") {
        return fs::write(&path, &fresh).expect("the header can be written");
    }
    let committed = fs::read_to_string(&path).expect("the header");
    let line = difference(&committed, &fresh);
    assert_eq!(line, None, "run it with TENSORSMITH_REWRITE_SNAPSHOTS=1; line of the first difference");
    // An argument of another type is found.
    let planted = committed.replacen("size_t count", "uint32_t count", 1);
    assert!(difference(&planted, &fresh).is_some());
}
