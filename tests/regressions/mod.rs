//! Every case file in `tests/regressions/` on every engine: copying a case there makes it a test.

use crate::support;

use std::path::Path;

use tensorsmith::check::case::{Case, Checked};
use tensorsmith::engine::{Batch, Kind, Opened};

/// Engines whose answer differs from the expected one, and how many answered.
fn wrong_engines(case: &Checked) -> (Vec<&'static str>, usize) {
    let mut wrong = Vec::new();
    let mut answered = 0;
    for kind in [Kind::Emulator, Kind::Reference, Kind::Rtl] {
        match kind.open_subject(&case.subject).expect("the engine starts") {
            Opened::Absent(reason) => support::skip(&format!("regressions-{}", kind.name()), &reason),
            Opened::Ready(mut engine) => {
                let mut results = Vec::new();
                engine.run(&Batch::of(&case.vector), &mut results).expect("the engine answers");
                answered += 1;
                if results[0] != case.expected {
                    wrong.push(kind.name());
                }
            }
        }
    }
    (wrong, answered)
}

fn cases() -> Vec<(String, Checked)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let read = |path: &Path| Case::read(path).unwrap_or_else(|error| panic!("{error}"));
    paths.iter().map(|path| (path.display().to_string(), read(path))).collect()
}

#[test]
fn emulator_reference_rtl_case_files() {
    let cases = cases();
    for (name, case) in &cases {
        let (wrong, answered) = wrong_engines(case);
        assert!(answered >= 2);
        assert!(wrong.is_empty(), "{name}: {wrong:?} answer differently");
    }
    println!("{} case files", cases.len());
    assert!(cases.len() >= 10);
}

/// A case with a wrong expectation is noticed on every engine.
#[test]
fn case_file_with_a_wrong_expectation() {
    let (_, mut case) = cases().remove(0);
    case.expected ^= 1;
    let (wrong, answered) = wrong_engines(&case);
    assert_eq!(wrong.len(), answered);
}
