//! `tensorsmith infer --recording`, and what `infer` refuses.

use super::program::Folder;
use super::support::long_tier;

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
    // Two vectors decide next to nothing, and that is said with vectors that would. In the ordinary tier fewer schemes fit.
    let unit = if long_tier() { "tiny-truncating" } else { "tiny-riscv" };
    record(&folder, unit, "random", "2", "few.tsrec");
    let run = folder.succeed(&["infer", "--recording", "few.tsrec"]);
    assert!(run.stdout.contains("all of 2 recorded answers"), "{run:?}");
    assert!(run.stdout.contains(" indistinguishable from ") && run.stdout.contains("which is not recorded"), "{run:?}");
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
    let subjects = [&[][..], &["tiny-truncating"]];
    for &subject in if long_tier() { &subjects[..] } else { &subjects[..1] } {
        let run = folder.succeed(&[&["infer", "--recording", "both.tsrec"][..], subject].concat());
        assert!(run.stdout.contains("all of 300 recorded answers"), "{run:?}");
    }
}

/// Every scheme that fits is there once, with the values of its own parameters that fit.
#[test]
fn other_schemes_that_fit_have_their_parameters() {
    let folder = Folder::new();
    let (unit, products) = if long_tier() { ("volta-fp16-fp16", 4) } else { ("tiny-exact", 2) };
    record(&folder, unit, "random", "2", "few.tsrec");
    let run = folder.succeed(&["infer", "--recording", "few.tsrec", "--json", "few.json", "--out", "few.toml"]);
    let fused = format!("the recorded answers fit fused, {products} products as well, which differs in");
    assert!(run.stdout.contains(&fused), "{run:?}");
    assert!(run.stdout.contains("\n  alignment.fraction_bits: "), "{run:?}");
    assert!(run.stdout.contains("\nconversion.overflow open: infinity, saturate, ieee\n"), "{run:?}");
    let mut lines: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("the recorded answers fit")).collect();
    let count = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), count, "{lines:?}");
    let report = folder.json("few.json");
    let equivalent = report["equivalent"].as_array().expect("a list");
    let fused = equivalent.iter().find(|other| other["scheme"] == "fused").expect("a fused unit fits");
    let parameters = fused["parameters"].as_array().expect("a list");
    let bits = parameters.iter().find(|row| row["field"] == "alignment.fraction_bits").expect("a parameter");
    let fits = bits["fits"].as_str().expect("a text");
    assert!(fits.ends_with(" to 100"), "{fits}");
    assert!(folder.read("few.toml").contains(&format!("fused fits as well (alignment.fraction_bits = {fits}; ")));
}

/// One answer of the recording is changed, and the recording appended as it was.
#[test]
fn recording_that_answers_one_vector_in_two_ways() {
    let folder = Folder::new();
    record(&folder, "tiny-truncating", "random", "20", "one.tsrec");
    folder.succeed(&["export", "one.tsrec", "--format", "jsonl", "--out", "one.jsonl"]);
    let text = folder.read("one.jsonl");
    let line = text.lines().nth(5).expect("a vector");
    let (operands, answer) = line.rsplit_once("\"d\":").expect("an answer");
    let other = if answer.contains("0x7e") { "0x7d" } else { "0x7e" };
    folder.write("two.jsonl", text.replace(line, &format!("{operands}\"d\":\"{other}\"}}")));
    folder.succeed(&["import", "two.jsonl", "--format", "jsonl", "--out", "two.tsrec"]);
    let bytes = |name| std::fs::read(folder.path(name)).expect("a recording");
    folder.write("both.tsrec", [bytes("one.tsrec"), bytes("two.tsrec")].concat());
    let first = answer.trim_matches(['"', '}']);
    let both = format!("both.tsrec: recorded are {first} and {other} as answers to the same vector a = ");
    folder.refuse(&["infer", "--recording", "both.tsrec"], &[&both, "no description explains both"]);
}

#[test]
fn recordings_that_are_not_named_well() {
    let folder = Folder::new();
    record(&folder, "tiny-truncating", "shaped", "20", "one.tsrec");
    // In the ordinary tier one that is inferred sooner.
    let other = if long_tier() { "tiny-nearest" } else { "tiny-integer" };
    record(&folder, other, "shaped", "20", "two.tsrec");
    let bytes = |name| std::fs::read(folder.path(name)).expect("a recording");
    let both = [bytes("one.tsrec"), bytes("two.tsrec")].concat();
    folder.write("both.tsrec", both);
    let listed = format!("allowed: SUBJECT, one of tiny-truncating, {other}");
    folder.refuse(&["infer", "--recording", "both.tsrec"], &["both.tsrec: holds several recordings", &listed]);
    folder.refuse(&["infer", "fma-fp32", "--recording", "both.tsrec"], &["holds no recording of fma-fp32", &listed]);
    folder.succeed(&["infer", other, "--recording", "both.tsrec"]);
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
