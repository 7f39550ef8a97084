//! Text from outside that would be taken for text of the program: names of files, and what stands in them.

use super::bad_units::UNIT;
use super::program::Folder;

/// A line of its own in a log of continuous integration, and a mark that turns the direction of writing.
const NAMES: [&str; 2] = ["a\n::error::planted.toml", "a\u{202e}lmot.toml"];
const SHOWN: [&str; 2] = ["a\\n::error::planted.toml", "a\\u{202e}lmot.toml"];

#[test]
fn names_of_files_are_one_line() {
    let folder = Folder::new();
    for (name, shown) in NAMES.iter().zip(SHOWN) {
        for command in [&["show", name][..], &["cosim", "--case", name], &["replay", name], &["merge", name, "out"]] {
            let run = folder.run(command);
            assert!(run.code == 2 && run.stderr.contains(shown), "{command:?}: {run:?}");
            assert!(run.stderr.lines().all(|line| !line.trim_start().starts_with("::")), "{run:?}");
        }
        // What is there, and is refused for what stands in it.
        folder.write(name, "name = 3");
        for command in [&["show", name][..], &["cosim", "--case", name], &["merge", name, "out"]] {
            let run = folder.run(command);
            assert!(run.code == 2 && run.stderr.contains(shown) && !run.stderr.contains(name), "{command:?}: {run:?}");
        }
        // What is written there.
        let out = ["record", "tiny-fma", "--engine", "emulator", "--vectors", "10", "--out", name];
        std::fs::remove_file(folder.path(name)).expect("it is there");
        let run = folder.succeed(&out);
        assert!(run.stdout.contains(shown) && !run.stdout.contains(name), "{run:?}");
    }
}

/// What a file quotes in an error, and what would stand in the emitted SystemVerilog.
#[test]
fn texts_in_files_are_one_line() {
    let folder = Folder::new();
    folder.write("quoted.toml", UNIT.replacen("name", "\u{202e}name", 1));
    let run = folder.run(&["show", "quoted.toml"]);
    assert!(run.code == 2 && run.stderr.contains("\\u{202e}") && !run.stderr.contains('\u{202e}'), "{run:?}");
    for source in ["a\\rmodule injected; endmodule", "a\\u202eb", "a\\u2028b"] {
        let evidence = format!("\n[evidence]\nscheme = {{ grade = \"stated\", source = \"{source}\" }}\n");
        folder.write("mine.toml", format!("{UNIT}{evidence}"));
        let expected = "field `evidence.source` is \"a";
        folder.refuse(&["emit", "mine.toml", "--out", "rtl"], &[expected, "allowed: one line"]);
    }
}
