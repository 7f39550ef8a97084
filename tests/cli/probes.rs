//! `tensorsmith probes`: the feature tests by themselves, of a subject, and of several hypotheses.

use tensorsmith::check::probe::all;
use tensorsmith::describe::catalogue;

use super::program::{Folder, assert_fields};

#[test]
fn every_feature_test_is_listed() {
    let folder = Folder::new();
    let run = folder.succeed(&["probes", "--json", "tests.json"]);
    let tests = folder.json("tests.json")["tests"].as_array().expect("a list").clone();
    let all = all();
    assert!(tests.len() == all.len() && all.len() > 50, "{} of {}", tests.len(), all.len());
    for (row, test) in tests.iter().zip(&all) {
        assert_fields(row, &["name", "suite", "decides", "source", "vectors", "differing"]);
        assert_eq!((&row["name"], &row["decides"]), (&test.name.into(), &test.decides.into()));
        assert!(run.stdout.contains(test.name), "{}: {}", test.name, run.stdout);
    }
}

/// Hypotheses that differ in one parameter differ in the tests that ask for it, and one that is no other in none.
#[test]
fn hypotheses_are_told_apart_by_the_tests_that_ask() {
    let folder = Folder::new();
    let mut unit = catalogue::unit("volta-fp16-fp32").expect("a unit");
    unit.name = "same".to_owned();
    folder.write("same.toml", unit.to_toml());
    unit.alignment_mut().fraction_bits += 1;
    unit.name = "wider".to_owned();
    folder.write("wider.toml", unit.to_toml());
    let differing = |file: &str| {
        folder.succeed(&["probes", "volta-fp16-fp32", file, "--json", "out.json"]);
        let tests = folder.json("out.json")["tests"].as_array().expect("a list").clone();
        let differing = |row: &&serde_json::Value| row["differing"].as_u64().is_some_and(|count| count > 0);
        tests.iter().filter(differing).map(|row| row["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(differing("same.toml"), [""; 0]);
    let told = differing("wider.toml");
    for (name, tells) in [("one-extra-bit", true), ("datapath-width", true), ("two-nans", false), ("infinities", false)]
    {
        assert_eq!(told.iter().any(|told| told == name), tells, "{name}: {told:?}");
    }
}

#[test]
fn vectors_of_a_test_are_shown_with_what_each_answers() {
    let folder = Folder::new();
    let run = folder.succeed(&["probes", "volta-fp16-fp32", "cdna2-fp16-fp32", "--test", "one-extra-bit"]);
    for expected in
        ["volta-fp16-fp32: emulator, tensorsmith ", "one-extra-bit: F, ", "source: Fasi et al. 2021", "| parameters "]
    {
        assert!(run.stdout.contains(expected), "{expected}: {}", run.stdout);
    }
    // 1 - (1 - 2^-24): the last bit is lost in a window of 23 bits, and kept by correctly rounded operations.
    let row = run.stdout.lines().find(|line| line.contains("0xbf7fffff")).expect("the vector of fp32's last bit");
    assert!(row.contains("1.1920928955078125e-7") && row.contains("5.960464477539063e-8"), "{}", run.stdout);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let folder = Folder::new();
    let volta = "volta-fp16-fp32";
    folder.refuse(&["probes", "--test", "no-such"], &["--test: no-such; allowed: ", "one-extra-bit"]);
    folder.refuse(&["probes", volta, "no-such"], &["no-such"]);
    folder
        .refuse(&["probes", volta, "volta-fp16-fp16"], &["c of volta-fp16-fp32 is ", "allowed: subjects of the same"]);
    folder.refuse(
        &["probes", volta, "ampere-fp16-fp32"],
        &["number of products of volta-fp16-fp32 is 4, of", " 8; allowed"],
    );
    folder.refuse(&["probes", volta, "ampere-bf16-fp32"], &["a of volta-fp16-fp32 is binary16, of"]);
}
