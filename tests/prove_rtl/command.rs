//! `tensorsmith prove UNIT --rtl` and `--check-certificates` as a user runs them.

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use super::needs_yosys;
use super::support::long_tier;

pub fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tensorsmith")).args(arguments).output().expect("it runs")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_proof_says_of_what_and_with_what() {
    let Some(()) = needs_yosys("command-proof") else { return };
    let folder = TempDir::new().expect("a folder");
    let certificates = folder.path().join("proof");
    let certificates = certificates.to_str().expect("text");
    let json = folder.path().join("proof.json");
    let json = json.to_str().expect("text");
    let output =
        run(&["prove", "tiny-nearest", "--rtl", "--certificates", certificates, "--json", json, "--jobs", "1"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}{}", text(&output.stderr));
    assert!(said.contains("tiny-nearest: proved: for all operands"), "{said}");
    assert!(said.contains("tiny_nearest_registered: only delays, by 2 clock edges"), "{said}");
    assert!(said.contains("read by Yosys"), "{said}");
    let report: Value = serde_json::from_str(&std::fs::read_to_string(json).expect("a report")).expect("it is JSON");
    assert_eq!(report["verdict"], "proved");
    assert_eq!(report["netlist_sha256"].as_str().map(str::len), Some(64));
    assert_eq!(report["composition"]["gaps"], Value::Array(Vec::new()));
    let sources = report["sources"].as_array().expect("sources");
    assert!(sources.iter().any(|source| source["name"] == "tiny_nearest.sv"));
    let checked = run(&["prove", "--check-certificates", certificates]);
    let said = text(&checked.stdout);
    assert_eq!(checked.status.code(), Some(0), "{said}{}", text(&checked.stderr));
    assert!(said.contains("proofs accepted") && said.contains("made again"), "{said}");
    let manifest = folder.path().join("proof/manifest.json");
    let changed = std::fs::read_to_string(&manifest).expect("a manifest").replacen("tiny_nearest", "tiny_other", 1);
    std::fs::write(manifest, changed).expect("it is written");
    let refused = run(&["prove", "--check-certificates", certificates]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("it was changed after it was written"), "{}", text(&refused.stderr));
}

/// A proof is kept for the unit that it was made of, and for no other of its name. That damaged ones are not read is seen in the long
/// tier.
#[test]
fn proofs_are_kept() {
    let Some(()) = needs_yosys("command-kept") else { return };
    let folder = TempDir::new().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let unit =
        include_str!("../../src/numerics/describe/catalogue/units/tiny-nearest.toml").replace("tiny-nearest", "mine");
    let prove = |text: &str, cache: &[&str]| {
        std::fs::write(folder.path().join("mine.toml"), text).expect("a unit file");
        let output = run(&[&["prove", &at("mine.toml"), "--rtl", "--jobs", "1"], cache].concat());
        let said = self::text(&output.stdout);
        assert!(output.status.success() && said.contains("mine: proved"), "{output:?}");
        said.contains("proved before of the same files by this program")
    };
    let kept = at("kept");
    let cache = ["--cache", kept.as_str()];
    assert!(!prove(&unit, &cache), "nothing was proved before");
    assert!(prove(&unit, &cache));
    let other = unit.replace("fraction_bits  = 5", "fraction_bits  = 4");
    assert_ne!(other, unit);
    assert!(!prove(&other, &cache), "another unit");
    if long_tier() {
        assert!(!prove(&unit, &["--no-cache"]));
    }
    // What is kept is read as a whole or not at all.
    for entry in std::fs::read_dir(&kept).expect("what is kept").flatten() {
        std::fs::write(entry.path(), "{}").expect("it is written");
    }
    assert!(!prove(&unit, &cache), "damaged");
}

/// What was proved is listed with its size, and removed.
#[test]
fn kept_proofs_are_listed_and_cleared() {
    let Some(()) = needs_yosys("command-cache") else { return };
    let folder = TempDir::new().expect("a folder");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tensorsmith"));
        let output = command.args(arguments).env("TENSORSMITH_CACHE", folder.path()).output().expect("it runs");
        assert!(output.status.success(), "{output:?}");
        text(&output.stdout)
    };
    let entries = || {
        let report: Value = serde_json::from_str(&run(&["cache", "--json", "-"])).expect("it is JSON");
        let entries = report["entries"].as_array().expect("a list").clone();
        assert!(entries.iter().all(|entry| entry["kind"] == "proof" && entry["bytes"].as_u64() > Some(0)), "{report}");
        entries
    };
    let prove = || run(&["prove", "tiny-nearest", "--rtl", "--jobs", "1"]).contains("proved before");
    assert!(!prove() && prove());
    let of = |module: &str| entries().iter().filter(|entry| entry["module"] == module).count();
    assert!(of("tiny_nearest") == 1 && of("obligation") > 5, "{:?}", entries());
    let listed = run(&["cache", "list"]);
    assert!(listed.contains("| tiny_nearest |") && listed.contains(&format!("proofs: {}", entries().len())));
    run(&["cache", "clear", "--older-than", "1"]);
    assert!(prove(), "they are not so old");
    run(&["cache", "clear"]);
    assert!(entries().is_empty() && !(long_tier() && prove()), "nothing is left");
}

#[test]
fn without_yosys_the_message_names_the_install_line() {
    let empty = TempDir::new().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensorsmith"));
    let output = command.args(["prove", "tiny-nearest", "--rtl"]).env("PATH", empty.path()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("apt-get install yosys"), "{said}");
}

#[test]
fn bad_arguments_are_refused() {
    let refused = |arguments: &[&str], what: &str| {
        let output = run(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(what), "{said}");
    };
    refused(&["prove", "--rtl"], "required");
    refused(&["prove", "no-such-unit", "--rtl"], "no-such-unit");
    refused(&["prove", "tiny-nearest", "--certificates", "proof"], "--rtl");
    refused(&["prove", "tiny-nearest", "--files", "rtl"], "--rtl");
    refused(&["prove", "tiny-nearest", "--rtl", "--files", "rtl", "--certificates", "proof"], "cannot be used with");
    refused(&["prove", "tiny-nearest", "--rtl", "--files", "no/such/folder"], "no/such/folder");
    refused(&["prove", "--check-certificates", "no/such/folder"], "cannot be read");
}

/// A module of the library with parameters of one's own is proved against the unit that they make.
#[test]
fn overridden_modules_are_proved() {
    let Some(()) = needs_yosys("command-overridden") else { return };
    let given = ["--parameter", "Products=2", "--parameter", "FractionBits=9", "--parameter", "ResultRounding=1"];
    let proved = run(&[&["prove", "--rtl", "--no-cache", "--top", "tensorsmith_fused"], &given[..]].concat());
    let said = text(&proved.stdout);
    assert_eq!(proved.status.code(), Some(0), "{said}{}", text(&proved.stderr));
    assert!(said.contains("overridden-fused: proved: for all operands"), "{said}");
    for (arguments, told) in [
        (["--top", "tensorsmith_fused", "--parameter", "Products=65"], "field `products` is 65; allowed: 1 to 64"),
        (["--top", "tensorsmith_fused", "--parameter", "Products"], "allowed: NAME=VALUE, such as Products=8"),
        (["--top", "tensorsmith_align", "--parameter", "Rounding=1"], "no module of a scheme"),
    ] {
        let refused = run(&[&["prove", "--rtl"], &arguments[..]].concat());
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(text(&refused.stderr).contains(told), "{}", text(&refused.stderr));
    }
}
