//! Files that cannot be written in the end: all else is there.
#![cfg(unix)]

use std::fs;

use super::program::Folder;

/// A program that answers every vector with zero.
const ZERO: &str =
    "while read -r word rest; do case $word in hello) echo hello 1 zero 1;; flush) echo flush;; *) echo 0;; esac; done";

/// A case file that cannot be written loses no result: table, JSON and JUnit are there before the exit code says so.
#[test]
fn results_without_a_case_file() {
    let folder = Folder::new();
    let engines = ["--engines", "emulator,external", "--external", ZERO, "--cases", "cases"];
    let units = ["cosim", "volta-fp16-fp32", "tiny-nearest", "--vectors", "500"];
    let outputs = ["--json", "out.json", "--junit", "out.xml"];
    let run = folder.run(&[&units[..], &engines, &outputs].concat());
    assert_eq!(run.code, 1, "{run:?}");
    let report = folder.json("out.json");
    let case = report["units"][0]["first_mismatch"]["case_file"].as_str().expect("a case file").to_owned();

    // Its name is taken by a folder, whoever runs this test.
    fs::remove_file(folder.path(&case)).and_then(|()| fs::create_dir(folder.path(&case))).expect("a folder");
    ["out.json", "out.xml"].iter().for_each(|name| fs::remove_file(folder.path(name)).expect("it is there"));
    let run = folder.run(&[&units[..], &engines, &outputs].concat());
    assert!(run.code == 2 && run.stderr.contains(&format!("{case}: cannot be written: it is a folder")), "{run:?}");
    assert!(run.stdout.contains("1,000 vectors compared") && run.stdout.contains("first mismatch: "), "{run:?}");
    assert!(!run.stdout.contains(&format!("case file: {case}")), "{run:?}");
    let report = folder.json("out.json");
    let first = |unit: usize| &report["units"][unit]["first_mismatch"];
    assert!(first(0)["case_file"].is_null() && first(1)["case_file"].is_string(), "{report}");
    assert_eq!(report["passed"], false);
    assert_eq!(folder.read("out.xml").matches("<testsuite ").count(), 2);
    println!("ran 2 times 1,000 vectors");
}
