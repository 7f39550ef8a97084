//! A Verilator that is named must work: missing, failing and too old ones are refused; units linked into the program run
//! without any.
#![cfg(feature = "rtl")]

use super::program::{Folder, Run};

const UNIT: &str = r#"name = "not-in-the-catalogue"
scheme = "fused"
products = 2
formats = { a = "e4m3", b = "e5m2", c = "binary16", d = "binary16" }
alignment = { fraction_bits = 9, rounding = "toward-zero", exponent_floor = "none" }
conversion = { rounding = "nearest-even", overflow = "infinity" }
"#;

/// Runs `cosim` with VERILATOR naming `verilator`, with a cache of its own.
fn cosim(folder: &mut Folder, unit: &str, verilator: &str) -> Run {
    folder.set("VERILATOR", verilator);
    folder.set("TENSORSMITH_CACHE", "cache");
    folder.run(&["cosim", unit, "--vectors", "100", "--json", "out.json"])
}

#[test]
fn named_verilator_that_does_not_work() {
    let mut folder = Folder::new();
    folder.write("mine.toml", UNIT);
    folder.script("failing", "echo broken beyond repair >&2; exit 1");
    folder.script(
        "old",
        "case \"$*\" in *-fno-dfg*) echo 'Invalid option: -fno-dfg' >&2; exit 1;; esac; echo Verilator 4.0",
    );
    folder.script("idle", "exit 0");
    for name in ["missing", "failing", "old", "idle"] {
        let Run { code, stderr: said, .. } = cosim(&mut folder, "mine.toml", name);
        assert_eq!(code, 2, "{name}: {said}");
        assert!(said.contains("engine rtl") && said.contains(name), "{name}: {said}");
        assert!(said.contains("VERILATOR"), "{name}: {said}");
        assert!(!folder.path("out.json").exists(), "{name}: nothing half-written");
        println!("{name}: {}", said.lines().next().unwrap_or_default());
    }
}

#[test]
fn linked_units_need_no_verilator() {
    let mut folder = Folder::new();
    let run = cosim(&mut folder, "tiny-nearest", "missing");
    assert_eq!(run.code, 0, "{run:?}");
    let engines = folder.json("out.json")["units"][0]["engines"].clone();
    assert_eq!((&engines[2]["engine"], &engines[2]["vectors"]), (&"rtl".into(), &100.into()));
}
