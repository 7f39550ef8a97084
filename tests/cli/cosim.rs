//! `tensorsmith cosim`: counts, reports and repeatability of small runs.

use serde_json::Value;

use super::program::{Folder, SOFTWARE, assert_fields, engines};

/// The JSON report of a run that finds all well.
fn report(arguments: &[&str]) -> Value {
    let all = [&["cosim"], arguments, &["--json", "-"]].concat();
    serde_json::from_str(&Folder::new().succeed(&all).stdout).expect("JSON and nothing else")
}

/// Removes everything that depends on the clock.
fn without_times(mut report: Value) -> Value {
    let units = report["units"].as_array_mut().expect("a list");
    for unit in units {
        unit["seconds"] = Value::Null;
        unit["vectors_per_second"] = Value::Null;
        unit["engines"].as_array_mut().expect("a list").iter_mut().for_each(|engine| {
            engine["seconds"] = Value::Null;
            engine["vectors_per_second"] = Value::Null;
        });
    }
    report
}

#[test]
fn report_has_the_documented_fields() {
    let folder = Folder::new();
    let arguments =
        ["cosim", "volta-fp16-fp32", "tiny-nearest", "--vectors", "3000", "--engines", engines(), "--annotate"];
    let run = folder.succeed(&[&arguments[..], &["--json", "out.json", "--junit", "out.xml"]].concat());
    assert!(run.stdout.contains("6,000 vectors compared, 0 mismatches, seed 1, tensorsmith"), "{}", run.stdout);
    assert_eq!(run.stdout.matches(" 3,000 at ").count(), 2 * engines().split(',').count(), "{}", run.stdout);
    assert!(!run.stdout.contains("::error"), "{}", run.stdout);
    assert_eq!(folder.content().len(), 2, "only the two reports are left");

    let report = folder.json("out.json");
    assert_fields(&report, &["tensorsmith", "command", "seed", "units", "passed"]);
    assert_eq!((&report["command"], &report["seed"], &report["passed"]), (&"cosim".into(), &1.into(), &true.into()));
    let names: Vec<&str> = engines().split(',').collect();
    let units = report["units"].as_array().expect("a list");
    assert_eq!(units.len(), 2);
    for unit in units {
        assert_fields(
            unit,
            &[
                "unit",
                "stimulus",
                "classes",
                "engines",
                "compared",
                "mismatches",
                "coverage",
                "coverage_vectors",
                "first_mismatch",
                "seconds",
                "vectors_per_second",
            ],
        );
        assert_eq!(unit["stimulus"], "shaped");
        assert_eq!((&unit["compared"], &unit["mismatches"]), (&3000.into(), &0.into()));
        assert_eq!(unit["first_mismatch"], Value::Null);
        let engines = unit["engines"].as_array().expect("a list");
        assert_eq!(engines.len(), names.len());
        for (engine, name) in engines.iter().zip(&names) {
            assert_fields(engine, &["engine", "version", "vectors", "seconds", "vectors_per_second", "skipped"]);
            let [vectors, seconds, rate] =
                ["vectors", "seconds", "vectors_per_second"].map(|field| engine[field].as_f64().expect("a number"));
            assert!(rate > 0.0 && (rate * seconds - vectors).abs() < 1e-6 * vectors, "{engine}");
            assert_eq!((&engine["engine"], &engine["vectors"]), (&(*name).into(), &3000.into()));
            assert_eq!(engine["skipped"], Value::Null);
        }
        for event in unit["coverage"].as_array().expect("a list") {
            assert_fields(event, &["event", "count", "unreachable"]);
        }
    }
    let junit = folder.read("out.xml");
    assert!(junit.contains(&format!(r#"tests="{}" failures="0" errors="0""#, 2 * names.len())), "{junit}");
    assert_eq!(junit.matches("<testcase ").count(), 2 * names.len(), "{junit}");
    assert_eq!(junit.matches("<testsuite ").count(), 2, "{junit}");
    println!("ran 2 units, 3,000 vectors each, on {}", engines());
}

#[test]
fn seed_decides_the_vectors() {
    let run = |seed: &str| {
        let arguments = ["hopper-bf16-fp32", "--vectors", "20000", "--engines", SOFTWARE, "--seed", seed];
        without_times(report(&arguments))
    };
    let (first, again, other) = (run("7"), run("7"), run("8"));
    assert_eq!(first, again, "the same seed gives the same report");
    assert_eq!(first["seed"], 7);
    assert_ne!(first["units"][0]["coverage"], other["units"][0]["coverage"], "another seed gives other vectors");
    assert_eq!(run("18446744073709551615")["seed"], u64::MAX);
    println!("ran 4 times 20,000 vectors");
}

#[test]
fn classes_are_only_those_asked_for() {
    let arguments = ["ampere-fp16-fp32", "--vectors", "1000", "--engines", SOFTWARE, "--classes", "zero,carry-out"];
    let unit = report(&arguments)["units"][0].clone();
    assert_eq!(unit["classes"], serde_json::json!(["zero", "carry-out"]));
    let count = |name: &str| {
        let events = unit["coverage"].as_array().expect("a list");
        events.iter().find(|event| event["event"] == name).expect("an event of every unit")["count"].as_u64()
    };
    assert!(count("carry used") > Some(100), "{:?}", count("carry used"));
    assert_eq!(count("NaN operand"), Some(0));
    println!("ran 1,000 vectors of 2 classes");
}

/// A unit of 2^13 inputs.
const SMALL: &str = r#"
    name = "little"
    scheme = "fused"
    products = 1
    formats = { a = "e2m1", b = "e2m1", c = { exponent_bits = 2, fraction_bits = 2, bias = 1, non_finite = "ieee" }, d = "e5m2" }
    alignment = { fraction_bits = 3, rounding = "nearest-even", exponent_floor = "none" }
    conversion = { rounding = "to-odd", overflow = "infinity" }
"#;

#[test]
fn exhaustive_runs_every_input() {
    let folder = Folder::new();
    folder.write("little.toml", SMALL);
    for arguments in [&["--exhaustive"][..], &[]] {
        let all = [&["cosim", "little.toml", "--engines", SOFTWARE, "--json", "out.json"], arguments].concat();
        folder.succeed(&all);
        let unit = folder.json("out.json")["units"][0].clone();
        assert_eq!((&unit["stimulus"], &unit["compared"]), (&"exhaustive".into(), &8192.into()));
        assert_eq!(unit["classes"], serde_json::json!([]));
    }
    folder.refuse(
        &["cosim", "volta-fp16-fp32", "--exhaustive", "--engines", SOFTWARE],
        &["--exhaustive", "volta-fp16-fp32", "160 input bits", "at most 32"],
    );
    println!("ran 2 times 8,192 inputs");
}

#[test]
fn unit_file_stands_beside_catalogue() {
    let folder = Folder::new();
    folder.write("little.toml", SMALL);
    let run = folder.succeed(&["cosim", "little.toml", "tiny-nearest", "--vectors", "500", "--engines", SOFTWARE]);
    assert!(run.stdout.contains("little: 500 vectors compared, 0 mismatches"), "{}", run.stdout);
    assert!(run.stdout.contains("1,000 vectors compared"), "{}", run.stdout);
    assert_eq!(folder.content().len(), 1, "nothing is written where nothing differs");
}

/// An engine that cannot run is an account with its reason, not a comparison.
#[test]
fn one_engine_compares_nothing() {
    let folder = Folder::new();
    let run = folder.run(&["cosim", "tiny-nearest", "--vectors", "100", "--engines", "reference"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("nothing compared: fewer than two engines ran"), "{run:?}");
}

/// `--unit FILE` means what FILE means.
#[test]
fn units_as_options_and_as_words() {
    let folder = Folder::new();
    let text = include_str!("../../src/numerics/describe/catalogue/units/tiny-nearest.toml");
    folder.write("mine.toml", text.replace("tiny-nearest", "mine"));
    let report = |units: &[&str]| {
        let all = [&["cosim"], units, &["--vectors", "500", "--engines", SOFTWARE, "--json", "-"]].concat();
        without_times(serde_json::from_str(&folder.succeed(&all).stdout).expect("JSON and nothing else"))
    };
    let words = report(&["tiny-truncating", "mine.toml"]);
    assert_eq!(words["units"][1]["unit"], "mine");
    assert_eq!(report(&["--unit", "tiny-truncating", "--unit", "mine.toml"]), words);
    assert_eq!(report(&["--unit=mine.toml", "tiny-truncating"]), words, "words come first");
    let parts = ["error: other.toml: cannot be read: "];
    folder.refuse(&["cosim", "other.toml"], &parts);
    folder.refuse(&["cosim", "tiny-nearest", "--unit", "other.toml"], &parts);
    println!("ran 5 lines that name units in words and options");
}

/// An instruction is a subject like a unit: the composition runs on every engine; its coverage is not counted.
#[test]
fn instruction_beside_a_unit() {
    let names = ["hopper-mma-m16n8k32-e4m3-fp32", "volta-fp16-fp32"];
    let report = report(&[&names[..], &["--vectors", "3000", "--engines", engines()]].concat());
    let units = report["units"].as_array().expect("a list");
    let compared = |index: usize| (&units[index]["unit"], &units[index]["compared"], &units[index]["mismatches"]);
    assert_eq!(compared(0), (&names[0].into(), &3000.into(), &0.into()));
    assert_eq!(compared(1), (&names[1].into(), &3000.into(), &0.into()));
    assert_eq!(units[0]["coverage"].as_array().map(Vec::len), Some(0));
}

/// Whole matrices: elements of D are counted, and only instructions have matrices.
#[test]
fn matrices_of_instructions() {
    let folder = Folder::new();
    let names = ["ampere-mma-m16n8k16-bf16-fp32", "blackwell-mma-nvf4-m16n8k64-e2m1-fp32"];
    let matrices = ["cosim", "--matrices", "--engines", SOFTWARE];
    let run = folder.succeed(&[&matrices[..], &names, &["--vectors", "2000", "--json", "out.json"]].concat());
    let report = folder.json("out.json");
    for (unit, name) in report["units"].as_array().expect("a list").iter().zip(names) {
        let compared = unit["compared"].as_u64().expect("a number");
        assert_eq!((&unit["unit"], &unit["stimulus"]), (&name.into(), &"matrices".into()));
        assert!(compared >= 2000 && unit["mismatches"] == 0, "{unit}");
        let count = tensorsmith::report::thousands(compared);
        assert!(
            run.stdout.contains(&format!("{name}: {count} elements of D compared, 0 mismatches")),
            "{}",
            run.stdout
        );
        assert!(run.stdout.contains(&format!("reference  ran {count} elements of D, ")), "{}", run.stdout);
    }
    // Without names every instruction is run: the first one refuses classes of integers.
    let first = tensorsmith::describe::catalogue::instruction_names()[0];
    folder.refuse(&[&matrices[..], &["--classes", "largest-sums"]].concat(), &[&format!("does not fit unit {first}")]);
    folder.refuse(&[&matrices[..], &["fma-fp32"]].concat(), &["--matrices: fma-fp32 is a unit; allowed: instructions"]);
    folder.refuse(&[&matrices[..], &[names[0], "--exhaustive"]].concat(), &["cannot be used with"]);
}

#[test]
fn every_instruction() {
    let report = report(&["--instructions", "--vectors", "50", "--engines", SOFTWARE]);
    let listed = Folder::new().succeed(&["instructions", "--json", "-"]).stdout;
    let listed: Value = serde_json::from_str(&listed).expect("JSON and nothing else");
    assert_eq!(report["units"].as_array().map(Vec::len), listed.as_array().map(Vec::len));
}
