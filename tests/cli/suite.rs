//! `suite` on the command line: readings beside the published ones, a unit that reads something else, and what it refuses.

use super::program::{Folder, assert_fields, snapshot};

const TURING: &str = "turing-fp16-fp32";

/// V100's unit with one more fraction bit, under the same name.
fn wider() -> String {
    let own = include_str!("../../src/numerics/describe/catalogue/units/volta-fp16-fp32.toml");
    let wider = own.replace("fraction_bits  = 23", "fraction_bits  = 24");
    assert_ne!(wider, own, "the unit has 23 fraction bits");
    wider
}

#[test]
fn suite_prints_readings_beside_published_ones() {
    let folder = Folder::new();
    let run = folder.succeed(&["suite", "valpey", TURING]);
    snapshot("suite-valpey-turing.txt", &run.stdout.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
    let run = folder.succeed(&["suite", "fasi"]);
    let subjects = ["volta-fp16-fp32", TURING, "volta-fp16-fp16", "turing-fp16-fp16"];
    for subject in subjects.into_iter().chain(["ampere-bf16-fp32", "ampere-tf32-fp32", "fma-fp64"]) {
        assert!(run.stdout.contains(&format!("{subject}: emulator tensorsmith")), "{}", run.stdout);
    }
    assert!(run.stdout.contains("2 differ for a documented reason, 0 differ; tensorsmith"), "{}", run.stdout);
    assert!(run.stdout.contains("T4, Valpey et al. 2025, algorithm 1"), "{}", run.stdout);
    assert!(run.stdout.contains("A100, tc_test_numerics-A100-binary64.cu"), "{}", run.stdout);
    // Nothing was published of this one: its readings are printed all the same.
    let run = folder.succeed(&["suite", "fasi", "hopper-bf16-fp32"]);
    assert!(run.stdout.contains(": 0 published readings are the same"), "{}", run.stdout);
    assert!(run.stdout.contains("| exact-products "), "{}", run.stdout);
}

#[test]
fn suite_lists_experiments() {
    let run = Folder::new().succeed(&["suite", "valpey", "--list"]);
    assert!(run.stdout.contains("| truncated-not-toward-zero "), "{}", run.stdout);
    assert!(run.stdout.contains("table 3: a = 2, b = 1, c = -2^-40"), "{}", run.stdout);
    let run = Folder::new().succeed(&["suite", "fasi", "--list"]);
    assert!(run.stdout.contains("They do not ask: on binary64 subnormal addends"), "{}", run.stdout);
    // Answers that were published without their input are no experiment: the list says what searches for one.
    let run = Folder::new().succeed(&["suite", "fttn", "--list"]);
    assert!(!run.stdout.contains("five-platforms"), "{}", run.stdout);
    assert!(run.stdout.contains("distinguish --answers searches for one"), "{}", run.stdout);
}

#[test]
fn suite_finds_a_changed_unit() {
    let folder = Folder::new();
    folder.write("wider.toml", wider());
    let run = folder.run(&["suite", "fasi", "wider.toml", "--json", "out.json"]);
    assert_eq!(run.code, 1, "{run:?}");
    let report = folder.json("out.json");
    assert_fields(&report, &["tensorsmith", "command", "work", "citation", "subjects", "passed"]);
    assert_eq!(report["passed"], false);
    let subject = &report["subjects"][0];
    assert_fields(subject, &["subject", "engine", "version", "skipped", "vectors", "experiments"]);
    let experiments = subject["experiments"].as_array().expect("a list");
    let differs = |experiment: &&serde_json::Value| experiment["published"][0]["verdict"] == "differs";
    let names: Vec<_> = experiments.iter().filter(differs).map(|experiment| experiment["name"].clone()).collect();
    let expected = [
        "order-of-additions",
        "one-more-bit",
        "guard-digit",
        "extra-bits",
        "normalisation-in-subtraction",
        "monotonicity",
    ];
    assert_eq!(names, expected);
    let guard = experiments.iter().find(|experiment| experiment["name"] == "guard-digit").expect("an experiment");
    assert_fields(guard, &["name", "question", "source", "reading", "not_asked", "vectors", "published"]);
    assert_eq!((&guard["reading"], &guard["published"][0]["reading"]), (&"2^-24".into(), &"2^-23".into()));
    assert_fields(&guard["vectors"][0], &["inputs", "a", "b", "c", "d", "number"]);
    assert_eq!((&guard["vectors"][0]["c"], &guard["vectors"][0]["d"]), (&"0xbf7fffff".into(), &"0x33800000".into()));
}

#[test]
fn suite_tells_what_it_cannot_ask() {
    let folder = Folder::new();
    let run = folder.succeed(&["suite", "fasi", "integer-int8-int32", "--json", "-"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(report["subjects"][0]["vectors"], 0);
    let experiments = report["subjects"][0]["experiments"].as_array().expect("a list");
    assert!(experiments.iter().all(|experiment| experiment["not_asked"].is_string()), "{report}");
    // No processor computes a unit of Volta.
    let run = folder.run(&["suite", "fasi", "volta-fp16-fp32", "--engine", "processor"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stdout.contains("volta-fp16-fp32: processor: skipped, because "), "{run:?}");
    assert!(run.stderr.contains("nothing asked: processor: skipped, because "), "{run:?}");
    folder.refuse(&["suite", "nobody"], &["nobody", "fasi", "valpey"]);
    folder.refuse(&["suite"], &["<WORK>"]);
    folder.refuse(&["suite", "fasi", "absent-unit"], &["absent-unit", "allowed"]);
    folder.refuse(&["suite", "fasi", "--list", "--json", "-"], &["--list"]);
}
