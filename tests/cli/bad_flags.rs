//! Unit files that leave out the addend, or ask for flags, where that is not allowed.

use super::bad_units::{changed, refused};
use super::program::Folder;

/// A chain has an addend, and only a fused sum has flags; these need room above d.
#[test]
fn addend_and_flags() {
    let without_addend = changed("c = \"binary32\"\n", "");
    let with_flags = changed("\"infinity\"", "\"infinity\"\nflags = true");
    let folder = Folder::new();
    folder.write("bare.toml", &without_addend);
    folder.succeed(&["eval", "bare.toml", "--a", "1", "--b", "1"]);
    folder.refuse(
        &["eval", "bare.toml", "--c", "1"],
        &["error: --c: mine has no addend; allowed with units that have one"],
    );
    folder.write("flags.toml", &with_flags);
    folder.succeed(&["show", "flags.toml"]);
    let chained = |text: &str| {
        let table = |name: &str| text.find(name).expect("a table of the unit file");
        let without_alignment = text.replace(&text[table("[alignment]")..table("[conversion]")], "");
        without_alignment.replace("\"fused\"", "\"fma-chain\"")
    };
    let cases = [
        (
            chained(&without_addend),
            "`formats.c` is missing; allowed: a format: only scheme = \"fused\" can leave it out",
        ),
        (chained(&with_flags), "`conversion.flags` is true; allowed: false: only scheme = \"fused\" has flags"),
        (
            with_flags.replace("d = \"binary32\"", "d = \"binary64\"").replace("\"none\"", "-200"),
            "`conversion.flags` is true; allowed: false: flags need a result of at most 62 bits, and binary64 has 64",
        ),
        (
            format!("{without_addend}[subnormals]\naddend = \"flushed\"\n"),
            "`subnormals.addend` is \"flushed\"; allowed: \"kept\" for a unit without an addend",
        ),
    ];
    for (text, message) in &cases {
        refused(text, &[message]);
    }
    println!("refused {} unit files", cases.len());
}
