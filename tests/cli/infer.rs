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
