//! Measurements in the report and in the book: what is shown is what was measured, and what cannot be is refused.

use std::path::Path;

use serde_json::{Value, json};
use tensorsmith::report::speed::{Speed, markdown, picture, with_ratios};

use super::program::{Folder, snapshot};

fn measurements() -> Value {
    json!({
        "schema": 1, "title": "Vectors on one core", "quantity": "vectors", "tensorsmith": "0.1.0",
        "finished": "2026-01-02",
        "machine": {
            "processor": "A & B", "architecture": "x86_64", "cores": 2, "load": 0.5, "counter_mhz": 2000.0,
        },
        "turns": 3, "tools": {"yosys": "Yosys 0.23"},
        "rows": [
            {"subject": "volta-fp16-fp32", "contestant": "wide", "nanoseconds": [1.9, 2.0, 2.5]},
            {"subject": "volta-fp16-fp32", "contestant": "rtl", "nanoseconds": [40.0, 60.0, 61.0]},
            {"subject": "tiny-exact", "contestant": "wide", "nanoseconds": [4.0, 4.0, 4.0]},
        ],
        "ratios": [{"fast": "wide", "slow": "rtl"}],
        "skipped": [{"contestant": "MMA-Sim", "reason": "python3 has no mmasim"}],
    })
}

const REPORT: [&str; 7] = ["report", "--units", "tiny-exact", "--vectors", "100", "--out", "report"];

#[test]
fn shown_in_the_report() {
    let folder = Folder::new();
    folder.write("speed.json", measurements().to_string());
    folder.succeed(&[&REPORT[..], &["--speed", "speed.json"]].concat());
    let text = folder.read("report/report.md");
    assert!(text.contains("| `volta-fp16-fp32` | 30.0 |"), "{text}");
    assert!(text.contains("| `tiny-exact` | - |"), "{text}");
    assert!(text.contains("| wide | 2.00 (1.90 to 2.50) | 4.00 (3.80 to 5.00) | 500 |"), "{text}");
    assert!(text.contains("Skipped: MMA-Sim, because python3 has no mmasim"), "{text}");
    let page = folder.read("report/report.html");
    assert!(page.contains("A &amp; B (x86_64), 2 cores, load 0.5") && page.contains(">30.0</td>"), "the page's tables");
    assert!(page.contains("<title>Vectors on one core: million vectors a second</title>"), "the page's picture");
    assert_eq!(folder.json("report/report.json")["speed"][0], measurements());
}

#[test]
fn bad_files_are_refused() {
    let change = |path: &str, value: Value| {
        let mut measured = measurements();
        *measured.pointer_mut(path).expect("a field") = value;
        measured.to_string()
    };
    let cases = [
        (change("/schema", json!(2)), "schema: 2; allowed: 1"),
        (
            change("/rows/1/nanoseconds", json!([1.0, 2.0, -1.0])),
            "rows[1].nanoseconds: [1.0, 2.0, -1.0]; allowed: three",
        ),
        (change("/rows/0/nanoseconds", json!([0.0, 2.0, 3.0])), "rows[0].nanoseconds"),
        (change("/rows/0/nanoseconds", json!([1e-310, 1e-310, 1e-310])), "rows[0].nanoseconds"),
        (change("/rows/2/nanoseconds", json!([1.0, 1.0, 1e300])), "rows[2].nanoseconds"),
        (change("/rows", json!([])), "rows: []; allowed: at least one"),
        (change("/machine/counter_mhz", json!(0.0)), "machine.counter_mhz: 0; allowed: a number from 1e-3 to 1e6"),
        (change("/machine", json!({"cpu": 1})), "unknown field `cpu`"),
        ("[".to_owned(), "EOF"),
    ];
    for (text, message) in cases {
        let folder = Folder::new();
        folder.write("speed.json", &text);
        folder.refuse(&[&REPORT[..], &["--speed", "speed.json"]].concat(), &["speed.json: ", message]);
    }
    let folder = Folder::new();
    folder.refuse(&[&REPORT[..], &["--speed", "none.json"]].concat(), &["none.json: cannot be read"]);
}

/// The tables and pictures that are kept are those of the measurements that are kept.
#[test]
fn kept_results_are_what_was_measured() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let page = read("docs/src/speed.md");
    for name in ["vectors-avx512", "matrices-avx512", "vectors-avx2", "matrices-avx2"] {
        let results = |kind: &str| format!("tests/bench/results/{name}.{kind}");
        let mut speed = Speed::read(&root.join(results("json"))).expect("measurements");
        assert_eq!(read(&results("md")), markdown(&speed).expect("the template serves"), "{name}");
        snapshot(&format!("../../bench/results/{name}.svg"), &picture(&speed));
        let shown = |speed: &Speed| with_ratios(&page, name, speed).expect("the template serves").expect("a section");
        assert!(page == shown(&speed), "docs/src/speed.md shows other ratios of {name} than were measured");
        // Where nothing fast could run there is no ratio to change.
        let has = |contestant: &str| speed.rows.iter().any(|row| row.contestant == contestant);
        let Some(ratio) = speed.ratios.iter().find(|ratio| has(&ratio.fast) && has(&ratio.slow)).cloned() else {
            continue;
        };
        for row in speed.rows.iter_mut().filter(|row| row.contestant == ratio.fast) {
            row.nanoseconds = row.nanoseconds.map(|time| time / 2.0);
        }
        assert!(page != shown(&speed), "{name}: twice the speed is not seen");
    }
    let speed = Speed::read(&root.join("tests/bench/results/vectors-avx512.json")).expect("measurements");
    assert_eq!(with_ratios("no section", "vectors-avx512", &speed).expect("the template serves"), None);
}
