//! What `tensorsmith infer` writes, and what it leaves alone.

use tensorsmith::describe::catalogue;

use super::infer::CHAINED;
use super::program::Folder;
use super::support::long_tier;

/// What was found is not lost where it cannot be co-simulated.
#[test]
fn evidence_is_written_before_a_co_simulation_fails() {
    let mut folder = Folder::new();
    folder.set("VERILATOR", "absent");
    folder.set("TENSORSMITH_CACHE", "cache");
    let infer = ["infer", "tiny-nearest", "--engine", "emulator", "--confirm", "1000"];
    let run = folder.run(&[&infer[..], &["--then-cosim", "--json", "evidence.json"]].concat());
    if run.code != 2 {
        // A build without simulators has no RTL to fail.
        return assert!(run.stdout.contains("skipped, because"), "{run:?}");
    }
    assert!(run.stderr.contains("VERILATOR"), "{run:?}");
    let report = folder.json("evidence.json");
    assert_eq!((&report["found"], &report["cosim"]), (&true.into(), &serde_json::Value::Null));
}

#[test]
fn what_is_read_is_not_written() {
    let folder = Folder::new();
    folder.write("two.toml", CHAINED);
    let record = ["record", "tiny-nearest", "--engine", "emulator", "--suites", "shaped", "--vectors", "100"];
    folder.succeed(&[&record[..], &["--out", "own.tsrec"]].concat());
    let before = folder.content();
    let own = "is read or written already; allowed: a file of its own";
    let (engine, recording) = (["infer", "two.toml", "--engine", "emulator"], ["infer", "--recording", "own.tsrec"]);
    for option in ["--out", "--json"] {
        folder.refuse(&[&engine[..], &[option, "./two.toml"]].concat(), &[option, "./two.toml", own]);
        folder.refuse(&[&recording[..], &[option, "own.tsrec"]].concat(), &[option, "own.tsrec", own]);
    }
    folder.refuse(&[&recording[..], &["--out", "new", "--json", "./new"]].concat(), &["--json: ./new", own]);
    assert_eq!(folder.content(), before);
}

/// In the ordinary tier of blocks that are inferred sooner.
#[test]
fn nothing_but_an_earlier_finding_is_replaced() {
    let folder = Folder::new();
    let unit = if long_tier() { "tiny-truncating" } else { "tiny-integer" };
    folder.write("two.toml", CHAINED.replace("tiny-truncating", unit));
    folder.write("found-unit.toml", "a file of the user's");
    let infer = ["infer", "two.toml", "--engine", "emulator", "--confirm", "1000", "--out"];
    for (out, named) in
        [("found.toml", "found-unit.toml is there already"), ("two.toml", "two.toml is"), ("-", "--out: -;")]
    {
        folder.refuse(&[&infer[..], &[out]].concat(), &[named]);
    }
    for _ in 0..2 {
        folder.succeed(&[&infer[..], &["again.toml"]].concat());
    }
    // A unit of the user's is none that was found, beside an earlier finding too.
    let own = catalogue::unit("tiny-truncating").expect("a unit").to_toml();
    folder.write("again-unit.toml", &own);
    folder.refuse(&[&infer[..], &["again.toml"]].concat(), &["again-unit.toml is there already"]);
    assert_eq!(folder.read("again-unit.toml"), own);
}
