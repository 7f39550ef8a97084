//! `tensorsmith infer --recording`, and what `infer` refuses.

use super::program::Folder;

/// A recording of an emulator.
fn record(folder: &Folder, subject: &str, suites: &str, vectors: &str, out: &str) {
    let engine = ["record", subject, "--engine", "emulator"];
    folder.succeed(&[&engine[..], &["--suites", suites, "--vectors", vectors, "--out", out]].concat());
}

#[test]
fn recording_decides_what_its_vectors_decide() {
    let folder = Folder::new();
    record(&folder, "volta-fp16-fp32", "shaped", "3000", "many.tsrec");
    let run = folder.succeed(&["infer", "--recording", "many.tsrec", "--json", "many.json", "--out", "many.toml"]);
    assert!(run.stdout.contains("many.tsrec fits fused: 4 products\nall of 3,000 recorded answers"), "{run:?}");
    let text = folder.read("many.toml");
    assert!(text.contains("fraction_bits = 23\n") && text.contains("rounding = \"toward-zero\"\n"), "{text}");
    assert!(text.contains("inferred from 3000 recorded answers in many.tsrec"), "{text}");
    // Two vectors decide next to nothing, and that is said with vectors that would.
    record(&folder, "volta-fp16-fp32", "random", "2", "few.tsrec");
    let run = folder.succeed(&["infer", "--recording", "few.tsrec"]);
    assert!(run.stdout.contains("all of 2 recorded answers"), "{run:?}");
    assert!(run.stdout.contains(" alike: ") && run.stdout.contains("which is not recorded"), "{run:?}");
}

/// `cat` makes one file of several recordings.
#[test]
fn recordings_of_one_subject_are_taken_together() {
    let folder = Folder::new();
    for (suites, vectors, out) in [("shaped", "200", "one.tsrec"), ("random", "100", "two.tsrec")] {
        record(&folder, "tiny-truncating", suites, vectors, out);
    }
    let bytes = |name| std::fs::read(folder.path(name)).expect("a recording");
    folder.write("both.tsrec", [bytes("one.tsrec"), bytes("two.tsrec")].concat());
    for subject in [&[][..], &["tiny-truncating"]] {
        let run = folder.succeed(&[&["infer", "--recording", "both.tsrec"], subject].concat());
        assert!(run.stdout.contains("all of 300 recorded answers"), "{run:?}");
    }
}

#[test]
fn recordings_that_are_not_named_well() {
    let folder = Folder::new();
    record(&folder, "tiny-truncating", "shaped", "20", "one.tsrec");
    record(&folder, "tiny-nearest", "shaped", "20", "two.tsrec");
    let bytes = |name| std::fs::read(folder.path(name)).expect("a recording");
    let both = [bytes("one.tsrec"), bytes("two.tsrec")].concat();
    folder.write("both.tsrec", both);
    let listed = "allowed: SUBJECT, one of tiny-truncating, tiny-nearest";
    folder.refuse(&["infer", "--recording", "both.tsrec"], &["both.tsrec: holds several recordings", listed]);
    folder.refuse(&["infer", "fma-fp32", "--recording", "both.tsrec"], &["holds no recording of fma-fp32", listed]);
    folder.succeed(&["infer", "tiny-nearest", "--recording", "both.tsrec"]);
    folder.refuse(&["infer", "--recording", "absent.tsrec"], &["absent.tsrec: cannot be read"]);
    // There is nothing left to ask.
    folder.refuse(&["infer", "--recording", "one.tsrec", "--then-cosim"], &["--then-cosim", "--recording"]);
}

/// All of this is found before anything is asked.
#[test]
fn names_and_files_that_cannot_be() {
    let folder = Folder::new();
    let infer = ["infer", "tiny-truncating", "--engine", "emulator"];
    let refuse = |more: &[&str], parts: &[&str]| folder.refuse(&[&infer[..], more].concat(), parts);
    refuse(&["--name", "Bad Name"], &["--name: field `name`", "\"Bad Name\"", "lower-case letters"]);
    refuse(&["--name", "module"], &["--name: field `name`", "\"module\""]);
    refuse(&["--name", &"a".repeat(60)], &["--name: field `name`", "at most 64"]);
    refuse(&["--out", "absent/found.toml"], &["absent/found.toml: cannot be written"]);
    refuse(&["--out", "."], &[".: cannot be written: it is a folder"]);
    refuse(&["--json", "absent/found.json"], &["absent/found.json: cannot be written"]);
    refuse(&["--vectors", "5"], &["--then-cosim"]);
    refuse(&["--then-cosim", "--vectors", "0"], &["--vectors"]);
}
