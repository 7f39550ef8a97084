//! Text that tools read differently is refused with file and line, and honest text of the same look is proved.
//!
//! Each trap stands in a leaf in place of one line, and Yosys' netlist of it is that of the unit; the long tests prove it.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use tensorsmith::describe::catalogue;
use tensorsmith::emit::{self, LEAVES, SourceFile};
use tensorsmith::prove::netlist;
use tensorsmith::prove::reading;
use tensorsmith::prove::rtl::{Files, Means, Simulation, Verdict, prove_unit, simulate};

use super::command::{run, text};
use super::traps::{HONEST, LEAF, LINE, PLACE, READ_BY_YOSYS, TRAPS};
use super::{LIMIT, has_yosys, support, unit};

const UNIT: &str = "tiny-nearest";

/// The leaf with another text in the place of its line.
fn leaf(text: &str) -> SourceFile {
    let (name, whole) = LEAVES.iter().find(|(name, _)| *name == LEAF).expect("the leaf");
    assert_eq!(whole.lines().nth(LINE - 1), Some(PLACE), "{LEAF} has that line");
    SourceFile { name: (*name).to_owned(), text: whole.replacen(PLACE, text, 1) }
}

/// The emitted files with such a leaf.
fn files(text: &str) -> Files {
    let mut files = Files::emitted(&unit(UNIT)).expect("it is emitted");
    *files.core.iter_mut().find(|file| file.name == LEAF).expect("the leaf") = leaf(text);
    files
}

#[test]
fn traps_are_refused_at_their_line() {
    for (text, line, what) in TRAPS {
        match reading::check(&leaf(text).text) {
            Err(objection) => {
                let (said, expected) = (objection.to_string(), format!("{}: ", LINE + line));
                assert!(said.starts_with(&expected) && said.contains(what), "{text:?}: {said}");
                assert!(said.contains("allowed: "), "{said}");
            }
            Ok(()) => panic!("{text:?} is not refused"),
        }
    }
}

#[test]
fn honest_text_is_not_refused() {
    for text in HONEST {
        assert_eq!(reading::check(&leaf(text).text), Ok(()), "{text:?}");
    }
}

/// Every file that is emitted for the catalogue, and every leaf.
#[test]
fn emitted_text_is_not_refused() {
    let names = catalogue::unit_entries().into_iter().filter_map(catalogue::unit_members).flatten();
    let units: Vec<_> = names.map(|name| unit(&name)).collect();
    assert!(units.len() > 50, "{}", units.len());
    let check = |file: &SourceFile| {
        assert_eq!(reading::check(&file.text), Ok(()), "{}", file.name);
    };
    LEAVES.iter().for_each(|(name, text)| check(&SourceFile { name: (*name).to_owned(), text: (*text).to_owned() }));
    support::in_parallel(&units, |unit| {
        check(&emit::core(unit).expect("it is emitted"));
        check(&emit::registered(unit).expect("it is emitted"));
    });
}

/// What no text tells: a name that is declared nowhere is a new net for Yosys, unless it is told otherwise.
#[test]
fn undeclared_names_are_refused_by_yosys() {
    if !has_yosys("reading-undeclared") {
        return;
    }
    for text in [
        "    assign gen_other.y = half;\n    assign round_up = half && (rest || kept[0]);",
        "    assign round_up = half && gen_any.y;",
    ] {
        let read = netlist::read("tiny_nearest", &files(text).core, LIMIT);
        let said = read.expect_err("it is refused").to_string();
        assert!(said.contains(&format!("{LEAF}:{LINE}")) && said.contains("implicitly declared"), "{said}");
    }
}

/// The traps are traps: Yosys reads them as the unit. The honest texts are proved too.
#[test]
fn traps_and_honest_text_are_the_unit_for_yosys() {
    if !support::long_tier() || !has_yosys("reading-traps") {
        return;
    }
    let texts: Vec<&str> = READ_BY_YOSYS.iter().map(|&place| TRAPS[place].0).chain(HONEST).collect();
    support::in_parallel(&texts, |text| {
        let proved = prove_unit(&unit(UNIT), &files(text), &Means::within(LIMIT), &|_| {});
        let proved = proved.unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(proved.proof.verdict, Verdict::Proved, "{text:?}");
    });
}

/// Files in which something else is computed: both simulators say so, each of its own.
#[test]
fn simulators_refute_other_files() {
    let simulated = simulate(&unit(UNIT), &files("    assign round_up = half;")).expect("they read the files");
    assert_eq!(simulated.len(), 2);
    for one in simulated {
        match one.simulation {
            Simulation::Differs { answer, emulator, .. } => assert_ne!(answer, emulator, "{}", one.simulator),
            Simulation::Skipped(why) => support::skip(&format!("reading-{}", one.simulator), why),
            Simulation::Agrees { vectors, .. } => panic!("{} agrees on {vectors} vectors", one.simulator),
        }
    }
}

/// The exit code, the report if there is one, and what was said.
fn command(folder: &Path) -> (Option<i32>, Value, String) {
    let [files, json] = ["rtl", "proof.json"].map(|name| folder.join(name).display().to_string());
    let _ = std::fs::remove_file(&json);
    let output = run(&["prove", UNIT, "--rtl", "--files", &files, "--json", &json, "--no-cache", "--jobs", "1"]);
    let report =
        std::fs::read_to_string(json).map_or(Value::Null, |text| serde_json::from_str(&text).expect("it is JSON"));
    (output.status.code(), report, text(&[output.stdout, output.stderr].concat()))
}

#[test]
fn files_are_refused_refuted_or_proved_with_what_they_rest_on() {
    if !has_yosys("reading-command") {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let rtl = folder.path().join("rtl");
    assert!(run(&["emit", UNIT, "--out", &rtl.display().to_string()]).status.success());
    let plant = |text: &str| std::fs::write(rtl.join(LEAF), leaf(text).text).expect("it is ours");

    plant(TRAPS[0].0);
    let (code, _, said) = command(folder.path());
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains(&format!("{LEAF}:{}: ", LINE + TRAPS[0].1)) && said.contains(TRAPS[0].2), "{said}");

    // All that is honest at once, and nothing that Icarus does not know.
    let together: Vec<String> = HONEST
        .iter()
        .enumerate()
        .map(|(place, text)| format!("    if (1) begin : gen_{place}\n      logic round_up;\n{text}\n    end"))
        .collect();
    plant(&format!("{}\n{PLACE}", together.join("\n")));
    let (code, report, said) = command(folder.path());
    assert_eq!((code, &report["verdict"]), (Some(0), &"proved".into()), "{said}");
    let simulated = report["simulated"].as_array().expect("a list");
    assert_eq!(simulated.iter().map(|one| &one["simulator"]).collect::<Vec<_>>(), ["verilator", "icarus"]);
    for one in simulated {
        let outcome = one["outcome"].as_str().expect("text");
        assert!(outcome == "agrees" && one["vectors"] == 4096 || outcome.starts_with("skipped, because "), "{report}");
    }
    assert_eq!(report["rests_on"].as_array().map(Vec::len), Some(4), "{report}");

    // An event list that is empty: nothing runs the procedure, and Icarus says so.
    plant("    logic none;\n    always @* none = 1'b0;\n    assign round_up = half && (rest || kept[0]) || none;");
    let (code, report, said) = command(folder.path());
    let icarus = &report["simulated"][1];
    if icarus["version"].is_null() {
        return support::skip("reading-icarus", "iverilog is not there");
    }
    assert_eq!(
        (code, &report["verdict"], &icarus["outcome"]),
        (Some(1), &"refuted".into(), &"differs".into()),
        "{said}"
    );
    assert!(said.contains("refuted: yosys reads the files as the unit, icarus runs them otherwise: "), "{said}");
    assert!(icarus["answer"].as_str().is_some_and(|answer| answer.contains('x')), "{report}");
}
