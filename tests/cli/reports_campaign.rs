//! Mismatches of campaigns: the one of least index is kept, also where an engine fails later in its piece.

use super::program::Folder;
use super::reports::{CAMPAIGN, ZERO};
use super::support::junit;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("small.toml", CAMPAIGN);
    folder
}

/// Names of the case files in a folder of results.
fn cases(folder: &Folder, out: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path(out)).expect("the folder").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with("case-")).collect()
}

/// However many jobs, the case is that of the first mismatch, and its path is printed, by `merge` too.
#[test]
fn the_case_is_that_of_the_least_index() {
    let folder = folder();
    // The first piece is slow, so that others end before it.
    let slow = format!("if mkdir first 2>/dev/null; then sleep 2; fi; {ZERO}");
    let line = ["campaign", "small.toml", "--out", "out", "--jobs", "3", "--junit", "out.xml", "--external", &slow];
    let run = folder.run(&line);
    assert_eq!(run.code, 1, "{run:?}");
    let [case] = &cases(&folder, "out")[..] else { panic!("one case: {run:?}") };
    let path = format!("case file: out/{case} (rerun: tensorsmith cosim --case out/{case})");
    let index = |text: &str| {
        text.split("first mismatch: vector ").nth(1).and_then(|rest| rest.split(',').next().map(str::to_owned))
    };
    let first = index(&run.stdout).expect("a first mismatch");
    assert!(run.stdout.contains(&path) && case.ends_with(&format!("-{first}.toml")), "{run:?}");
    let merged = folder.run(&["merge", "small.toml", "out", "--junit", "merged.xml"]);
    assert!(merged.code == 1 && merged.stdout.contains(&path), "{merged:?}");
    for name in ["out.xml", "merged.xml"] {
        let text = folder.read(name);
        let faults = junit::read(&text).expect("rules");
        assert!(faults.len() == 1 && faults[0].text.contains(&path), "{text}");
        assert!(text.contains("<property name=\"pieces\" value=\"4\"/>"), "{text}");
    }
    // The same line again has nothing to do, and tells the same.
    let again = folder.run(&line);
    assert!(again.code == 1 && again.stdout.contains(&path), "{again:?}");
}

/// A mismatch found before an engine failed in the same piece is printed and kept, though the piece has no result.
#[test]
fn mismatches_before_a_failure_are_kept() {
    let folder = folder();
    let dies = ZERO.replace("*) echo 0;;", "*) n=$((n+1)); [ $n -gt 3000 ] && exit 3; echo 0;;");
    let run = folder.run(&[
        "campaign",
        "small.toml",
        "--out",
        "out",
        "--jobs",
        "1",
        "--json",
        "out.json",
        "--external",
        &dies,
    ]);
    assert!(run.code == 2 && run.stderr.contains("engine external: "), "{run:?}");
    assert!(run.stdout.contains("tiny-fma: first mismatch: vector "), "{run:?}");
    let [case] = &cases(&folder, "out")[..] else { panic!("one case: {run:?}") };
    assert!(run.stdout.contains(&format!("case file: out/{case} ")), "{run:?}");
    let report = folder.json("out.json");
    assert_eq!((&report["passed"], &report["complete"]), (&false.into(), &false.into()));
    assert!(report["runs"][0]["first"].is_object() && report["error"].is_string(), "{report}");
    let merged = folder.run(&["merge", "small.toml", "out", "--partial"]);
    assert!(merged.stdout.ends_with("small: 0 vectors compared, 0 mismatches, not complete\n"), "{merged:?}");
}
