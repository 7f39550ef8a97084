//! Text that tools read differently is refused with file and line, and honest text of the same look is proved.
//!
//! Each trap stands in a leaf in place of one line, and Yosys' netlist of it is that of the unit; the long tests prove it.

use std::path::Path;
use std::sync::{Mutex, OnceLock};

use serde_json::Value;
use tempfile::TempDir;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::Cut;
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit::{LEAVES, SourceFile};
use tensorsmith::prove::netlist;
use tensorsmith::prove::reading::{self, Request};
use tensorsmith::prove::rtl::{Files, Means, Simulated, Simulation, Verdict, prove_unit, simulate};
use tensorsmith::report::RtlReport;

use super::command::{run, text};
use super::traps::{Case, Kind, LEAF, LINE, PLACE, cases};
use super::{LIMIT, lists, needs_yosys, support, unit};

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

/// slang, as the prover finds it; without it the check is skipped.
fn needs_slang(check: &str) -> Option<()> {
    support::needed(&format!("{check}-slang"), reading::available())
}

/// In the ordinary tier all traps, and one in three of the others.
#[test]
fn traps_are_refused_at_their_line_and_honest_text_is_not() {
    let Some(()) = needs_slang("reading-traps") else { return };
    let (traps, others): (Vec<Case>, Vec<Case>) = cases().into_iter().partition(|case| case.kind == Kind::Trap);
    let honest = others.iter().filter(|case| case.kind == Kind::Honest).count();
    assert!(traps.len() > 20 && honest > 15 && others.len() > honest + 20, "{} {honest}", traps.len());
    let chosen: Vec<&Case> = traps.iter().chain(support::sampled(&others, 3)).collect();
    support::in_parallel(&chosen, |Case { kind, text, line, says }| {
        let objections = files(text).objections().expect("slang runs");
        let first = objections.first().map(ToString::to_string);
        match (kind, first) {
            (Kind::Honest, first) => assert_eq!(first, None, "{text}"),
            (_, None) => panic!("it is not refused:\n{text}"),
            (_, Some(said)) => {
                assert!(said.starts_with(&format!("{LEAF}:{line}: ")) && said.contains(says), "{text}\n{said}");
                assert!(said.contains("allowed: "), "{said}");
            }
        }
    });
}

/// Every file that is emitted for lists of steps, and for the catalogue, in the ordinary tier for one unit in ten.
#[test]
fn emitted_text_is_not_refused() {
    let Some(()) = needs_slang("reading-emitted") else { return };
    let names = catalogue::unit_entries().into_iter().filter_map(catalogue::unit_members).flatten();
    let units: Vec<_> = names.map(|name| unit(&name)).collect();
    assert!(units.len() > 50, "{}", units.len());
    let lists = [lists::SMALL, lists::WINDOWED, lists::CANCELLED].map(lists::read);
    let chosen: Vec<&Unit> = lists.iter().chain(support::sampled(&units, 10)).collect();
    support::in_parallel(&chosen, |unit| {
        let files = Files::emitted(unit).expect("it is emitted");
        assert_eq!(files.objections().expect("slang runs"), [], "{}", unit.name);
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
            other => panic!("{}: {other:?}", one.simulator),
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
    let unit = unit(UNIT).with_cuts([Cut::Input, Cut::Anchor, Cut::Result]);
    let files = Files::emitted(&unit).expect("it is emitted");
    for one in simulate(&unit, &files).expect("they read the files") {
        match one.simulation {
            Simulation::Agrees { vectors, .. } => assert!(vectors >= 256, "{} {vectors}", one.simulator),
            Simulation::Skipped(why) => support::skip(&format!("reading-{}", one.simulator), why),
            other => panic!("{}: {other:?}", one.module),
        }
    }
    let shorter = unit.with_cuts([Cut::Input, Cut::Result]);
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
    let (Some(()), Some(())) = (needs_yosys("reading-command"), needs_slang("reading-command")) else { return };
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

/// What Yosys would take for names in other files, and text without end.
#[test]
fn whole_files_are_refused() {
    let Some(()) = needs_slang("reading-files") else { return };
    let read = |text: &str| {
        let files = [SourceFile { name: "m.sv".to_owned(), text: text.to_owned() }];
        reading::objections(Request { files: &files, top: "m", include: &[], defines: &[], alone: true }, LIMIT)
    };
    let refuse = |text: &str, says: &str| {
        let objections = read(text).expect("slang runs");
        let said = objections.first().expect("it is refused").to_string();
        assert!(said.contains(says) && said.contains("allowed: "), "{said}");
    };
    refuse("localparam int K = 0;\nmodule m; endmodule\n", "m.sv:1: a declaration outside of modules and packages");
    let count = if support::long_tier() { 100_000 } else { 20_000 };
    let deep = |open: &str| format!("module m; always_comb {} endmodule\n", open.repeat(count));
    for open in ["begin ", "if (a) ", "{"] {
        refuse(&deep(open), "too deeply nested");
    }
    // slang itself has no limit here.
    let blocks = read(&format!("module m; {} endmodule\n", "if (1) begin ".repeat(count)));
    assert!(blocks.as_ref().map_or(true, |objections| !objections.is_empty()), "{blocks:?}");
    let define = |number: usize| format!("`define A{} {}\n", number + 1, format!("`A{number} ").repeat(8));
    let bomb: String = (0..12).map(define).collect();
    let failed = read(&format!("`define A0 x\n{bomb}module m; wire `A12; endmodule\n")).map_err(|why| why.to_string());
    assert!(failed.as_ref().is_err_and(|why| why.starts_with("slang ")), "{failed:?}");
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
