//! Kept cases: one for each vector; what cannot be read is named; and a mismatch is reported whatever fails afterwards.

use std::collections::BTreeSet;

use super::program::{Folder, SOFTWARE};
use super::reports::ZERO;

const WRONG: [&str; 4] = ["--engines", "emulator,external", "--external", ZERO];

/// Case files in a folder, and the lines of their vectors.
fn cases(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path("cases")).expect("the folder for cases").flatten();
    let operands = |text: String| -> String {
        text.lines().filter(|line| ["a = ", "b = ", "c = "].iter().any(|name| line.starts_with(name))).collect()
    };
    entries.map(|entry| operands(folder.read(&format!("cases/{}", entry.file_name().to_string_lossy())))).collect()
}

/// Whatever runs find it, a shrunk vector is one case, and each report names its file.
#[test]
fn one_vector_is_one_case() {
    let folder = Folder::new();
    let seeds = ["1", "2", "3", "4", "5", "6", "7", "8"];
    for seed in seeds {
        let line = ["cosim", "tiny-fma", "--vectors", "2000", "--cases", "cases", "--json", "out.json", "--seed", seed];
        let run = folder.run(&[&line[..], &WRONG].concat());
        assert_eq!(run.code, 1, "{run:?}");
        let report = folder.json("out.json");
        let case = report["units"][0]["first_mismatch"]["case_file"].as_str().expect("a case file");
        assert!(folder.path(case).exists(), "{case}");
    }
    let all = cases(&folder);
    let distinct: BTreeSet<&String> = all.iter().collect();
    assert_eq!(distinct.len(), all.len(), "{all:?}");
    assert!(all.len() < seeds.len(), "some of them shrink to the same vector: {all:?}");
    println!("ran {} seeds, {} cases", seeds.len(), all.len());
}

/// Files that are no cases are named, and the comparison runs.
#[test]
fn files_that_are_no_cases_are_named() {
    let folder = Folder::new();
    folder.write("cases/notes.toml", "these are = notes, no case");
    folder.write("cases/other.toml", "a = 1");
    let line = ["cosim", "tiny-fma", "--vectors", "2000", "--cases", "cases", "--retry-cases", "--engines", SOFTWARE];
    let run = folder.succeed(&line);
    for name in ["notes", "other"] {
        assert!(run.stderr.contains(&format!("not run: cases/{name}.toml: ")), "{run:?}");
    }
    assert!(run.stdout.contains("2,000 vectors compared, 0 mismatches"), "{run:?}");
}

/// A mismatch stays one where the engine does not start again to explain it.
#[test]
fn mismatches_of_an_engine_that_starts_once() {
    let folder = Folder::new();
    let once = format!("[ -e begun ] && exit 3; touch begun; {ZERO}");
    let engines = ["--engines", "emulator,external", "--external", &once];
    let line = ["cosim", "tiny-fma", "--vectors", "2000", "--cases", "cases", "--json", "out.json", "--diagnose"];
    let run = folder.run(&[&line[..], &engines].concat());
    assert!(run.code == 1 && run.stderr.contains("no trace from external: "), "{run:?}");
    assert!(run.stderr.contains("no diagnosis of external: "), "{run:?}");
    assert!(folder.json("out.json")["units"][0]["first_mismatch"]["case_file"].is_string());
    assert_eq!(cases(&folder).len(), 1);
}
