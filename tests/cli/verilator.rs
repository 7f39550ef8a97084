//! A Verilator that is named must work: missing, failing and too old ones are refused; units linked into the program run
//! without any.
#![cfg(feature = "rtl")]

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use super::program::Folder;

const UNIT: &str = r#"name = "not-in-the-catalogue"
scheme = "fused"
products = 2
formats = { a = "e4m3", b = "e5m2", c = "binary16", d = "binary16" }
alignment = { fraction_bits = 9, rounding = "toward-zero", exponent_floor = "none" }
conversion = { rounding = "nearest-even", overflow = "infinity" }
"#;

/// Runs `cosim` with VERILATOR naming `verilator`, with a cache of its own.
fn cosim(folder: &Folder, unit: &str, verilator: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensorsmith"));
    command.args(["cosim", unit, "--vectors", "100", "--json", "out.json"]);
    command.current_dir(folder.path("")).env("VERILATOR", folder.path(verilator));
    command.env("TENSORSMITH_CACHE", folder.path("cache")).output().expect("the program starts")
}

fn script(folder: &Folder, name: &str, text: &str) {
    folder.write(name, format!("#!/bin/sh\n{text}\n"));
    std::fs::set_permissions(folder.path(name), std::fs::Permissions::from_mode(0o755)).expect("an executable");
}

#[test]
fn named_verilator_that_does_not_work() {
    let folder = Folder::new();
    folder.write("mine.toml", UNIT);
    script(&folder, "failing", "echo broken beyond repair >&2; exit 1");
    script(
        &folder,
        "old",
        "case \"$*\" in *-fno-dfg*) echo 'Invalid option: -fno-dfg' >&2; exit 1;; esac; echo Verilator 4.0",
    );
    script(&folder, "idle", "exit 0");
    for name in ["missing", "failing", "old", "idle"] {
        let output = cosim(&folder, "mine.toml", name);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains("engine rtl") && said.contains(name), "{name}: {said}");
        assert!(said.contains("VERILATOR") && !said.contains("panicked"), "{name}: {said}");
        assert!(!folder.path("out.json").exists(), "{name}: nothing half-written");
        println!("{name}: {}", said.lines().next().unwrap_or_default());
    }
}

#[test]
fn linked_units_need_no_verilator() {
    let folder = Folder::new();
    let output = cosim(&folder, "tiny-nearest", "missing");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let engines = folder.json("out.json")["units"][0]["engines"].clone();
    assert_eq!((&engines[2]["engine"], &engines[2]["vectors"]), (&"rtl".into(), &100.into()));
}
