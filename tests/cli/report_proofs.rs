//! `report --proofs`: what was proved of each unit, what was skipped, and a refutation, which must show.

use std::collections::BTreeMap;

use tensorsmith::describe::catalogue;
use tensorsmith::report::{Asked, Findings, Outcomes, Proved, RtlReport, State, Time, html, markdown};

use super::program::{Folder, assert_fields};
use super::support;

/// Whether Yosys and the default solver are there; otherwise the check is skipped.
fn has_provers(folder: &Folder) -> bool {
    support::needs_yosys("report-yosys").is_some() && super::prove::has_solver(folder)
}

/// In the ordinary tier of a unit that is proved sooner.
#[test]
fn proofs_are_cells_of_the_report() {
    let folder = Folder::new();
    if !has_provers(&folder) {
        return;
    }
    let (unit, wrong) = match support::long_tier() {
        true => ("volta-fp16-fp32", "monotone"),
        false => ("tiny-truncating", "carry-bits-necessary"),
    };
    let arguments = ["report", "--out", "out", "--units", unit, "--vectors", "200"];
    let with_proofs = [&arguments[..], &["--proofs", "--cache", "kept"]].concat();
    folder.succeed(&arguments);
    let report = folder.json("out/report.json");
    assert_eq!(
        (&report["proofs"], &report["units"][0]["proof"]["text"]),
        (&serde_json::Value::Null, &"not asked for".into())
    );
    let run = folder.succeed(&with_proofs);
    assert!(run.stdout.contains("RTL = datapath text, proved"), "{run:?}");
    let report = folder.json("out/report.json");
    let proved = &report["proofs"][0];
    assert_fields(proved, &["unit", "rtl", "properties", "solver", "skipped"]);
    assert_fields(&proved["rtl"], &["verdict", "reason", "obligations", "yosys", "seconds", "cached"]);
    assert_eq!((&proved["rtl"]["verdict"], &proved["rtl"]["cached"]), (&"proved".into(), &false.into()));
    let properties = proved["properties"].as_array().expect("a list");
    assert_fields(&properties[0], &["property", "verdict", "reason", "seconds", "cached"]);
    let verdict = |name: &str| properties.iter().find(|one| one["property"] == name).map(|one| &one["verdict"]);
    assert_eq!(verdict("carry-bits-sufficient"), Some(&"proved".into()));
    assert_eq!(verdict(wrong), Some(&"refuted".into()));
    let cell = &report["units"][0]["proof"];
    assert_eq!(cell["state"], "agreed", "{cell}");
    let text = cell["text"].as_str().expect("text");
    assert!(
        text.contains("RTL proved") && text.contains(&format!("refuted {wrong}")) && text.contains("bitwuzla"),
        "{text}"
    );
    for name in ["out/report.md", "out/report.html"] {
        assert!(folder.read(name).contains("RTL proved"), "{name}");
    }
    folder.succeed(&with_proofs);
    let again = folder.json("out/report.json");
    assert_eq!(again["proofs"][0]["rtl"]["cached"], true);
    assert_eq!(again["proofs"][0]["properties"][0]["cached"], true);
}

/// Options of proofs that nobody asked for would be silently without effect.
#[test]
fn options_of_proofs_need_proofs() {
    let folder = Folder::new();
    for option in [
        &["--jobs", "2"][..],
        &["--timeout", "60"],
        &["--solver", "z3"],
        &["--memory", "512"],
        &["--cache", "kept"],
        &["--no-cache"],
    ] {
        let arguments = [&["report", "--out", "out", "--units", "tiny-nearest", "--vectors", "200"], option].concat();
        folder.refuse(&arguments, &["--proofs", "required"]);
    }
    assert!(!folder.path("out").exists());
}

/// What is missing is named, and counts neither as proved nor as refuted.
#[test]
fn proofs_without_provers_are_skipped() {
    let mut folder = Folder::new();
    folder.write("bin/none", "");
    folder.set("PATH", "bin");
    folder.set("BITWUZLA", "bin/none");
    folder.succeed(&["report", "--out", "out", "--units", "tiny-truncating", "--vectors", "200", "--proofs"]);
    let report = folder.json("out/report.json");
    let cell = &report["units"][0]["proof"];
    assert_eq!(cell["state"], "skipped", "{cell}");
    let skipped = report["proofs"][0]["skipped"].to_string();
    assert!(skipped.contains("yosys is not on PATH") && skipped.contains("BITWUZLA"), "{skipped}");
    assert!(folder.read("out/report.md").contains("skipped, because of note"), "the cell leads to the reason");
}

/// Negative control: a netlist that differs from the text is a red cell, and the report fails.
#[test]
fn refuted_rtl_is_red() {
    let refuted = r#"{
        "tensorsmith": "0", "command": "prove", "unit": "tiny-truncating", "module": "tiny_truncating", "statement": "",
        "verdict": "refuted", "reason": null,
        "witness": {
            "operands": {"a": ["0x1"], "b": ["0x2"], "c": "0x3"}, "signal": "sum", "netlist": "1", "emulator": "2",
            "netlist_result": "0x10", "emulator_result": "0x20", "answers": []
        },
        "sources": [], "netlist_sha256": "", "yosys": "Yosys 0", "obligations": [],
        "composition": {"gaps": [], "cells": 0, "unused_cells": 0},
        "registered": {"module": "", "latency": 0, "register_bits": 0, "gaps": []}, "seconds": 1.0, "cached": false
    }"#;
    let refuted: RtlReport = serde_json::from_str(refuted).expect("a report");
    let unit = catalogue::unit("tiny-truncating").expect("a unit");
    let proved = |rtl| Some(vec![Proved::of(&unit.name, Ok(rtl), Err("there is no solver".to_owned()))]);
    let summary = |proved| {
        let asked = Asked { seed: 1, vectors: 0, devices: Vec::new(), units: vec![unit.clone()] };
        let findings = Findings {
            units: Outcomes::new(),
            instructions: Outcomes::new(),
            replayed: None,
            inferred: None,
            proved,
            speed: Vec::new(),
            machines: BTreeMap::new(),
        };
        findings.summary(&asked, Time::default())
    };
    let right = summary(proved(RtlReport { verdict: "proved".to_owned(), witness: None, ..refuted.clone() }));
    assert_eq!((right.passed, right.units[0].checks.proof.state), (true, State::Agreed));
    let wrong = summary(proved(refuted));
    assert_eq!((wrong.passed, wrong.units[0].checks.proof.state), (false, State::Differed));
    assert!(wrong.mismatches[0].text.contains("netlist 0x10, emulator 0x20"), "{:?}", wrong.mismatches);
    assert!(
        html(&wrong, &[unit]).expect("the templates are whole").contains("<td class=\"check differed\">RTL refuted")
    );
    assert!(markdown(&wrong).expect("the templates are whole").contains("netlist 0x10"));
}
