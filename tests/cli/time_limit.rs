//! `--time-limit` of `cosim` and of `campaign`, and `cosim --retry-cases`.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::program::{Folder, SOFTWARE, assert_fields};

/// A program that always answers zero.
const ZERO: &str =
    "while read -r word rest; do case $word in hello) echo hello 1 zero 1;; flush) echo flush;; *) echo 0;; esac; done";

/// More than any machine runs in time.
const MANY: &str = "1000000000000";

/// Units share the time, each runs whole batches, and what is left is said.
#[test]
fn runs_end_in_time() {
    let folder = Folder::new();
    let start = Instant::now();
    let units = ["tiny-fma", "ampere-mma-m16n8k16-fp16-fp32"];
    let limit = ["--vectors", MANY, "--time-limit", "1s", "--engines", SOFTWARE, "--json", "out.json"];
    let run = folder.succeed(&[&["cosim"], &units[..], &limit].concat());
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert!(run.stdout.contains(", stopped by the time limit of 1 s, tensorsmith"), "{}", run.stdout);
    assert_eq!(run.stdout.matches("  stopped    ended early: ").count(), 2, "{}", run.stdout);
    let report = folder.json("out.json");
    assert_eq!((&report["time_limit"], &report["stopped"], &report["passed"]), (&1.into(), &true.into(), &true.into()));
    for unit in report["units"].as_array().expect("a list") {
        assert_fields(&unit["left"], &["vectors", "seconds", "events_open"]);
        let [run, left] = [&unit["compared"], &unit["left"]["vectors"]].map(|count| count.as_u64().expect("a number"));
        assert!(run >= 1024 && run.is_multiple_of(1024) && run + left == 1_000_000_000_000, "{unit}");
        let seconds = unit["seconds"].as_f64().expect("a number");
        assert!(seconds > 0.3 && seconds < 10.0, "half of the time each: {unit}");
        for engine in unit["engines"].as_array().expect("a list") {
            assert_eq!(engine["vectors"], run, "{unit}");
        }
    }
    // Events of an instruction are not counted.
    assert!(
        report["units"][0]["left"]["events_open"].is_array() && report["units"][1]["left"]["events_open"].is_null()
    );
}

/// Of all inputs the part that was run is said; of one class the events that did not happen; a short run has time.
#[test]
fn what_more_time_would_have_been_for() {
    let folder = Folder::new();
    let report = |more: &[&str]| -> Value {
        // One thread: many would be through in time.
        let line = ["cosim", "--time-limit", "1", "--jobs", "1", "--engines", SOFTWARE, "--json", "-"];
        let line = [&line[..], more].concat();
        serde_json::from_str(&folder.succeed(&line).stdout).expect("JSON and nothing else")
    };
    let exhaustive = report(&["tiny-nearest", "--exhaustive"]);
    let unit = &exhaustive["units"][0];
    let share = unit["left"]["exhaustive_share"].as_f64().expect("a number");
    let left = unit["left"]["vectors"].as_f64().expect("a number");
    let run = unit["compared"].as_f64().expect("a number");
    assert!((share - run / (run + left)).abs() < 1e-9 && share > 0.0 && share < 1.0, "{unit}");
    let zeros = report(&["volta-fp16-fp32", "--classes", "zero", "--vectors", MANY]);
    let open = zeros["units"][0]["left"]["events_open"].as_array().expect("a list");
    assert!(open.contains(&"NaN operand".into()), "{open:?}");
    let short = report(&["volta-fp16-fp32", "--vectors", "2000"]);
    assert_eq!((&short["stopped"], &short["units"][0].get("left")), (&false.into(), &None));
    let matrices = report(&["ampere-mma-m16n8k16-bf16-fp32", "--matrices", "--vectors", MANY]);
    assert_eq!(matrices["stopped"], true);
}

/// A mismatch is one in a run that is ended too.
#[test]
fn ended_runs_differ_too() {
    let folder = Folder::new();
    let external = ["--engines", "emulator,external", "--external", ZERO];
    let limit = ["cosim", "tiny-fma", "--vectors", MANY, "--time-limit", "1s", "--cases", "cases"];
    let run = folder.run(&[&limit[..], &external].concat());
    assert!(run.code == 1 && run.stdout.contains("stopped by the time limit"), "{run:?}");
    assert_eq!(std::fs::read_dir(folder.path("cases")).expect("a folder").count(), 1);
    let case = ["cosim", "--case", "x.toml", "--time-limit", "1s"];
    folder.refuse(&case, &["cannot be used with"]);
    for time in ["0", "0m", "-1", "5d", "", "s", "1.5m", "+5", "604801", "169h", "99999999999999999999h"] {
        let parts = ["--time-limit", "allowed: 1 to 604800 seconds, such as 90, 90s, 5m or 2h"];
        folder.refuse(&["cosim", &format!("--time-limit={time}")], &parts);
    }
}

/// Cases that were kept are run first: of the units asked for, whatever else their description says.
#[test]
fn kept_cases_are_run_first() {
    let folder = Folder::new();
    let retry = ["--vectors", "2000", "--cases", "cases", "--retry-cases", "--json", "out.json", "--junit", "out.xml"];
    let run = |units: &[&str], engines: &[&str]| folder.run(&[&["cosim"], units, &retry, engines].concat());
    let (wrong, right) = (["--engines", "emulator,external", "--external", ZERO], ["--engines", SOFTWARE]);
    let text = include_str!("../../src/numerics/describe/catalogue/units/tiny-nearest.toml");
    let mine = text.replace("tiny-nearest", "mine");
    folder.write("mine.toml", &mine);
    let first = run(&["tiny-fma", "mine.toml"], &wrong);
    assert!(first.code == 1 && first.stdout.starts_with("kept cases in cases: none\n"), "{first:?}");

    let again = run(&["tiny-fma"], &wrong);
    assert!(
        again.stdout.starts_with("kept cases in cases: 1 of tiny-fma, run first; 1 of others, not run\n"),
        "{again:?}"
    );
    let report = folder.json("out.json");
    let unit = &report["units"][0];
    assert_eq!((again.code, &unit["stimulus"], &unit["mismatches"]), (1, &"cases".into(), &1.into()));
    assert_eq!(unit["case_files"][0], unit["first_mismatch"]["case_file"]);
    assert_eq!(report["units"].as_array().map(Vec::len), Some(2));
    assert_eq!(folder.read("out.xml").matches(r#"<testsuite name="tiny-fma (kept cases)""#).count(), 1);

    // What is right stands in the case, unless the description has changed.
    let case = folder.json("out.json")["units"][0]["case_files"][0].as_str().expect("a name").to_owned();
    let named = folder.read(&case);
    let expected = named.lines().find(|line| line.starts_with("expected")).expect("an answer");
    folder.write(&case, named.replace(expected, "expected = \"0x1\""));
    let planted = run(&["tiny-fma"], &right);
    assert!(planted.code == 1 && planted.stdout.contains("d (expected)"), "{planted:?}");
    folder.write("mine.toml", mine.replace("nearest-even", "toward-zero"));
    let changed = run(&["mine.toml"], &right);
    assert!(
        changed.code == 0 && changed.stdout.starts_with("kept cases in cases: 1 of mine, run first; 1 of"),
        "{changed:?}"
    );

    folder.write("cases/broken.toml", "a = 1");
    let others = run(&["tiny-fma"], &right);
    assert!(others.stderr.starts_with("not run: cases/broken.toml: ") && others.code == 1, "{others:?}");
    assert!(others.stdout.contains("2,000 vectors compared, 0 mismatches"), "{others:?}");
    folder.refuse(&["cosim", "tiny-fma", "--retry-cases"], &["--cases <DIR>"]);
    println!("ran 5 lines with kept cases");
}

/// A campaign that is stopped by its time limit goes on with the same line.
#[test]
fn campaigns_go_on_after_their_time_limit() {
    let folder = Folder::new();
    let text = "name = \"long\"\nengines = [\"emulator\", \"external\"]\npiece = 1024\nvectors = 4096\n\
                [[run]]\nsubjects = [\"tiny-fma\"]\n";
    folder.write("long.toml", text);
    // Each piece has a program of its own, which takes its time.
    let slow = ZERO.replace("echo hello", "sleep 0.6; echo hello");
    let line = ["campaign", "long.toml", "--out", "out", "--jobs", "1", "--external", &slow];
    let stopped = folder.run(&[&line[..], &["--time-limit", "1s"]].concat());
    assert!(stopped.stdout.contains("long: stopped by the time limit; the same command goes on"), "{stopped:?}");
    assert!(stopped.code == 1 && stopped.stdout.contains("mismatches, not complete"), "{stopped:?}");
    let pieces = |file: &str| folder.read(file).lines().count() - 1;
    let before = pieces("out/shard-1-of-1.results");
    assert!((1..4).contains(&before), "{before} pieces");
    let whole = folder.run(&line);
    let rest = tensorsmith::report::thousands(1024 * (4 - before as u64));
    assert!(whole.stdout.contains(&format!("4 pieces of 4,096 vectors, {rest} of them run now")), "{whole:?}");
    assert!(whole.stdout.contains("mismatches, complete") && !whole.stdout.contains("stopped"), "{whole:?}");
}
