//! Text that tools read differently is refused with file and line, and honest text of the same look is proved.
//!
//! Each trap stands in a leaf in place of one line, and Yosys' netlist of it is that of the unit; the long tests prove it.

use std::path::Path;
use std::sync::{Mutex, OnceLock};

use serde_json::Value;
use tempfile::TempDir;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::{Cut, Unit};
use tensorsmith::emit::{self, LEAVES, SourceFile};
use tensorsmith::prove::netlist;
use tensorsmith::prove::reading;
use tensorsmith::prove::rtl::{Files, Means, Simulated, Simulation, Verdict, prove_unit, simulate};
use tensorsmith::report::RtlReport;

use super::command::{run, text};
use super::traps::{Case, Kind, LEAF, LINE, PLACE, cases};
use super::{LIMIT, needs_yosys, support, unit};

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
fn traps_are_refused_at_their_line_and_honest_text_is_not() {
    let cases = cases();
    let count = |kind: Kind| cases.iter().filter(|case| case.kind == kind).count();
    assert!(count(Kind::Trap) > 20 && count(Kind::Other) > 20 && count(Kind::Honest) > 15);
    for Case { kind, text, line, says } in cases {
        match (kind, reading::check(&leaf(&text).text)) {
            (Kind::Honest, checked) => assert_eq!(checked, Ok(()), "{text}"),
            (_, Ok(())) => panic!("it is not refused:\n{text}"),
            (_, Err(objection)) => {
                let said = objection.to_string();
                assert!(said.starts_with(&format!("{line}: ")) && said.contains(says), "{text}\n{said}");
                assert!(said.contains("allowed: "), "{said}");
            }
        }
    }
}

/// Every file that is emitted for the catalogue, in the ordinary tier for one unit in five, and every leaf.
#[test]
fn emitted_text_is_not_refused() {
    let names = catalogue::unit_entries().into_iter().filter_map(catalogue::unit_members).flatten();
    let units: Vec<_> = names.map(|name| unit(&name)).collect();
    assert!(units.len() > 50, "{}", units.len());
    let check = |file: &SourceFile| {
        assert_eq!(reading::check(&file.text), Ok(()), "{}", file.name);
    };
    LEAVES.iter().for_each(|(name, text)| check(&SourceFile { name: (*name).to_owned(), text: (*text).to_owned() }));
    support::in_parallel(&support::sampled(&units, 5), |unit| {
        check(&emit::core(unit).expect("it is emitted"));
        check(&emit::registered(unit).expect("it is emitted"));
    });
}

/// What no text tells: a name that is declared nowhere is a new net for Yosys, unless it is told otherwise.
#[test]
fn undeclared_names_are_refused_by_yosys() {
    let Some(()) = needs_yosys("reading-undeclared") else { return };
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
    if !support::long_tier() || needs_yosys("reading-traps").is_none() {
        return;
    }
    let texts: Vec<String> =
        cases().into_iter().filter(|case| case.kind != Kind::Other).map(|case| case.text).collect();
    let others = Mutex::new(Vec::new());
    support::in_parallel(&texts, |text| {
        let proved = prove_unit(&unit(UNIT), &files(text), &Means::within(LIMIT), &|_| {});
        if !matches!(&proved, Ok(proved) if proved.proof.verdict == Verdict::Proved) {
            let what = proved.map_or_else(|error| error.to_string(), |proved| format!("{:?}", proved.proof.verdict));
            others.lock().expect("no thread died").push(format!("{text}: {what}"));
        }
    });
    let others = others.into_inner().expect("no thread died");
    assert!(others.is_empty(), "{}", others.join("\n"));
}

/// What simulators say of files in which something else is computed.
fn otherwise() -> &'static [Simulated] {
    static SIMULATED: OnceLock<Vec<Simulated>> = OnceLock::new();
    SIMULATED.get_or_init(|| simulate(&unit(UNIT), &files("    assign round_up = half;")).expect("they read the files"))
}

/// Both simulators say so, each of its own.
#[test]
fn simulators_refute_other_files() {
    let simulated = otherwise();
    let modules: Vec<(&str, &str)> = simulated.iter().map(|one| (one.simulator, one.module.as_str())).collect();
    let [core, wrapper] = ["tiny_nearest", "tiny_nearest_registered"];
    assert_eq!(modules, [("verilator", core), ("icarus", core), ("icarus", wrapper)]);
    for one in simulated {
        match &one.simulation {
            Simulation::Differs { answer, emulator, .. } => assert_ne!(answer, emulator, "{}", one.simulator),
            Simulation::Skipped(why) => support::skip(&format!("reading-{}", one.simulator), why),
            Simulation::Agrees { vectors, .. } => panic!("{} agrees on {vectors} vectors", one.simulator),
        }
    }
}

/// A wrapper that holds results for one edge less: its core agrees, and it does not.
#[test]
fn icarus_refutes_another_wrapper() {
    let mut files = Files::emitted(&unit(UNIT)).expect("it is emitted");
    let [from, to] = ["assign d_o     = result_q;", "assign d_o     = result_d;"];
    assert!(files.wrapper.text.contains(from));
    files.wrapper.text = files.wrapper.text.replacen(from, to, 1);
    let simulated = simulate(&unit(UNIT), &files).expect("they read the files");
    match &simulated[1..] {
        [Simulated { simulation: Simulation::Skipped(why), .. }, _] => support::skip("reading-icarus", why),
        [core, wrapper] => {
            assert!(matches!(core.simulation, Simulation::Agrees { vectors: 1024, .. }), "{core:?}");
            assert!(matches!(wrapper.simulation, Simulation::Differs { .. }), "{wrapper:?}");
        }
        other => panic!("{other:?}"),
    }
}

/// Units with registers inside answer in both simulators, core and wrapper, behind as many edges as they have; and one whose register
/// is lost does not.
#[test]
fn simulators_run_registers() {
    let unit = Unit { cuts: [Cut::Input, Cut::Anchor, Cut::Result].into(), ..unit(UNIT) };
    let files = Files::emitted(&unit).expect("it is emitted");
    for one in simulate(&unit, &files).expect("they read the files") {
        match one.simulation {
            Simulation::Agrees { vectors, .. } => assert!(vectors >= 256, "{} {vectors}", one.simulator),
            Simulation::Skipped(why) => support::skip(&format!("reading-{}", one.simulator), why),
            other @ Simulation::Differs { .. } => panic!("{}: {other:?}", one.module),
        }
    }
    let shorter = Unit { cuts: [Cut::Input, Cut::Result].into(), ..unit.clone() };
    let files = Files::emitted(&shorter).expect("it is emitted");
    let simulated = simulate(&unit, &files).expect("they read the files");
    for one in &simulated[1..] {
        assert!(matches!(one.simulation, Simulation::Differs { .. } | Simulation::Skipped(_)), "{one:?}");
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
    let Some(()) = needs_yosys("reading-command") else { return };
    let folder = TempDir::new().expect("a folder");
    let rtl = folder.path().join("rtl");
    assert!(run(&["emit", UNIT, "--out", &rtl.display().to_string()]).status.success());
    let plant = |text: &str| std::fs::write(rtl.join(LEAF), leaf(text).text).expect("it is ours");

    let cases = cases();
    let trap = &cases[0];
    plant(&trap.text);
    let (code, _, said) = command(folder.path());
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains(&format!("{LEAF}:{}: ", trap.line)) && said.contains(trap.says), "{said}");

    // All that is honest at once: each text in a block of its own, with a variable of its own in place of the leaf's.
    let honest = cases.iter().filter(|case| case.kind == Kind::Honest);
    let block = |(number, case): (usize, &Case)| {
        format!("    if (1) begin : gen_{number}\n      logic round_up;\n{}\n    end\n", case.text)
    };
    plant(&honest.enumerate().map(block).chain([PLACE.to_owned()]).collect::<String>());
    let (code, report, said) = command(folder.path());
    assert_eq!((code, &report["verdict"]), (Some(0), &"proved".into()), "{said}");
    let simulated = report["simulated"].as_array().expect("a list");
    assert_eq!(simulated.iter().map(|one| &one["simulator"]).collect::<Vec<_>>(), ["verilator", "icarus", "icarus"]);
    for one in simulated {
        let outcome = one["outcome"].as_str().expect("text");
        assert!(
            outcome == "agrees" && one["vectors"].as_u64() >= Some(256) || outcome.starts_with("skipped, because "),
            "{report}"
        );
    }
    assert_eq!(report["rests_on"].as_array().map(Vec::len), Some(5), "{report}");

    // What a simulator says of other files makes the verdict.
    let unit = unit(UNIT);
    let proved = prove_unit(&unit, &Files::emitted(&unit).expect("it is emitted"), &Means::within(LIMIT), &|_| {});
    let simulated = otherwise();
    let report = RtlReport::of(&unit, &proved.expect("yosys reads the files"), 0.0).simulated(simulated);
    let skipped = simulated.iter().all(|one| matches!(one.simulation, Simulation::Skipped(_)));
    assert_eq!(report.verdict, if skipped { "proved" } else { "refuted" });
    assert!(skipped || report.reason.is_some_and(|reason| reason.contains("runs them otherwise: ")));
}

/// What Yosys would take for names in other files, and what no tool can be asked about.
#[test]
fn whole_files_are_refused() {
    let refuse = |text: &str, says: &str| {
        let said = reading::check(text).expect_err("it is refused").to_string();
        assert!(said.contains(says) && said.contains("allowed: "), "{said}");
    };
    refuse("localparam int K = 0;\nmodule m; endmodule\n", "1: a declaration outside of modules and packages");
    let count = if support::long_tier() { 100_000 } else { 20_000 };
    let deep = |open: &str| format!("module m; always_comb {} endmodule\n", open.repeat(count));
    refuse(&deep("begin "), "blocks or branches in each other");
    refuse(&deep("if (a) "), "blocks or branches in each other");
    refuse(&format!("module m; {} endmodule\n", "if (1) begin ".repeat(count)), "blocks or branches in each other");
    refuse(&deep("{"), "brackets in each other");
    let define = |number: usize| format!("`define A{} {}\n", number + 1, format!("`A{number} ").repeat(8));
    let bomb: String = (0..12).map(define).collect();
    refuse(&format!("`define A0 x\n{bomb}`A12\n"), "a text of many tokens");
}

/// A pipe is not waited for.
#[cfg(unix)]
#[test]
fn only_plain_files_are_read() {
    let folder = TempDir::new().expect("a folder");
    assert!(run(&["emit", UNIT, "--out", &folder.path().display().to_string()]).status.success());
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("z.sv")).status();
    if !made.is_ok_and(|status| status.success()) {
        return support::skip("reading-pipe", "mkfifo is not there");
    }
    let error = Files::read(&unit(UNIT), folder.path()).expect_err("it is refused").to_string();
    assert!(error.contains("z.sv: is no plain file"), "{error}");
}
