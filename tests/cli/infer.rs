//! `tensorsmith infer`: a unit found and used again, one outside the space, one whose interface is outside.

use super::program::Folder;

#[test]
fn unit_that_is_found_is_a_unit_file() {
    let folder = Folder::new();
    let arguments = ["infer", "tiny-truncating", "--engine", "emulator", "--confirm", "5000"];
    let run = folder.succeed(&[&arguments[..], &["--out", "found.toml", "--json", "found.json"]].concat());
    assert!(run.stdout.contains("emulator is fused") && run.stdout.contains("alignment.fraction_bits"), "{run:?}");
    let report = folder.json("found.json");
    assert_eq!((&report["found"], &report["scheme"]), (&true.into(), &"fused".into()));
    assert!(report["parameters"][0]["exclusions"][0]["answer"]["d"].is_string(), "{report}");
    let text = folder.read("found.toml");
    assert!(text.contains("fraction_bits = 2\n") && text.contains("grade = \"inferred\""), "{text}");
    folder.succeed(&["show", "found.toml"]);
}

#[test]
fn unit_outside_the_space_is_not_guessed() {
    let folder = Folder::new();
    let run = folder.run(&["infer", "tiny-then-add", "--engine", "emulator", "--out", "found.toml"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("nothing in the hypothesis space fits emulator"), "{run:?}");
    assert!(run.stdout.contains("is contradicted by"), "{run:?}");
    folder.refuse(&["show", "found.toml"], &["found.toml: cannot be read"]);
}

#[test]
fn interfaces_outside_the_space_are_refused_by_name() {
    let folder = Folder::new();
    for (subject, part) in [("tiny-integer", "integer formats"), ("tiny-scaled", "scales")] {
        folder.refuse(&["infer", subject, "--engine", "emulator"], &[part, "the hypothesis space holds exact"]);
    }
}

/// A recording of an emulator.
fn record(folder: &Folder, subject: &str, suites: &str, vectors: &str, out: &str) {
    folder.succeed(&[
        "record",
        subject,
        "--engine",
        "emulator",
        "--suites",
        suites,
        "--vectors",
        vectors,
        "--out",
        out,
    ]);
}

#[test]
fn recording_decides_what_its_vectors_decide() {
    let folder = Folder::new();
    record(&folder, "volta-fp16-fp32", "shaped", "3000", "many.tsrec");
    let run = folder.succeed(&["infer", "--recording", "many.tsrec", "--json", "many.json", "--out", "many.toml"]);
    assert!(run.stdout.contains("many.tsrec fits fused: all of 3000 recorded answers"), "{run:?}");
    let text = folder.read("many.toml");
    assert!(text.contains("fraction_bits = 23\n") && text.contains("rounding = \"toward-zero\"\n"), "{text}");
    // Two vectors decide next to nothing, and that is said with vectors that would.
    record(&folder, "volta-fp16-fp32", "random", "2", "few.tsrec");
    let run = folder.succeed(&["infer", "--recording", "few.tsrec"]);
    assert!(run.stdout.contains("all of 2 recorded answers"), "{run:?}");
    assert!(run.stdout.contains("may as well be") && run.stdout.contains("which is not recorded"), "{run:?}");
}

#[test]
fn recording_of_another_unit_is_found_out() {
    let folder = Folder::new();
    record(&folder, "tiny-truncating", "shaped", "2000", "tiny.tsrec");
    folder.succeed(&["infer", "--recording", "tiny.tsrec"]);
    record(&folder, "tiny-then-add", "shaped", "2000", "other.tsrec");
    let run = folder.run(&["infer", "--recording", "other.tsrec"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("nothing in the hypothesis space fits other.tsrec"), "{run:?}");
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
}
