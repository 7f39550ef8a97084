//! `distinguish` of devices: rows of instructions that can be compared, what only one device has, and what it refuses.

use serde_json::Value;
use tensorsmith::describe::catalogue;

use super::program::{Folder, assert_fields};

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn report(arguments: &[&str]) -> Value {
    let run = Folder::new().succeed(&[&["distinguish"], arguments, &["--json", "-"]].concat());
    serde_json::from_str(&run.stdout).expect("JSON")
}

/// The row of two instructions.
fn row<'a>(report: &'a Value, names: [&str; 2]) -> &'a Value {
    let has = |side: &Value, name: &str| list(side).iter().any(|own| own == name);
    let is = |row: &&Value| [0, 1].iter().all(|&side| has(&row["instructions"][side], names[side]));
    list(&report["pairs"]).iter().find(is).unwrap_or_else(|| panic!("no row of {names:?}"))
}

#[test]
fn devices_differ_on_a_vector_that_emulators_answer_as_printed() {
    let report = report(&["H100", "A100"]);
    assert_fields(&report, &["tensorsmith", "command", "k", "seed", "pairs", "only"]);
    let names = ["hopper-mma-m16n8k16-fp16-fp32", "ampere-mma-m16n8k16-fp16-fp32"];
    let row = row(&report, names);
    assert_eq!(
        (&row["of"], &row["k"], &row["differ"]),
        (&serde_json::json!(["H100", "A100"]), &16.into(), &true.into())
    );
    assert_eq!(row["same_description"], false);
    let answers = list(&row["vector"]["answers"]);
    assert_ne!(answers[0]["hexadecimal"], answers[1]["hexadecimal"]);
    // The printed commands ask the emulators by themselves.
    let commands = list(&row["rerun"]);
    assert_eq!(commands.len(), 2);
    for (command, answer) in commands.iter().zip(answers) {
        let words: Vec<&str> = command.as_str().expect("text").split_whitespace().skip(1).collect();
        let shown = Folder::new().succeed(&words).stdout;
        let line = shown.lines().find(|line| line.contains("d (emulator)")).expect("an answer");
        assert!(line.contains(answer["hexadecimal"].as_str().expect("text")), "{line}: {answer}");
    }
    // Both have the instructions for integers and fp64; fp8 only H100.
    let shared = self::row(&report, ["ampere-mma-m8n8k4-fp64-fp64"; 2]);
    assert_eq!((&shared["same_description"], &shared["differ"]), (&true.into(), &false.into()));
    let only = list(&report["only"]);
    let is_fp8 = |only: &&Value| only["instructions"][0] == "hopper-mma-m16n8k32-e4m3-fp32";
    let fp8 = only.iter().find(is_fp8).expect("fp8 is listed");
    assert_eq!((&fp8["of"], &fp8["not_of"]), (&"H100".into(), &"A100".into()));
    assert!(only.iter().all(|only| only["of"] == "H100"), "{only:?}");
}

/// Negative control: nothing distinguishes a device from itself, and indistinguishable units are not proved to be equal.
#[test]
fn indistinguishable_devices() {
    let folder = Folder::new();
    for device in ["H100", "A100", "MI100"] {
        let run = folder.succeed(&["distinguish", device, device]).stdout;
        assert!(run.contains("no difference: one description computes both"), "{run}");
        assert!(!run.contains("differ;") && !run.contains("only "), "{run}");
        assert!(run.lines().last().is_some_and(|line| line.starts_with("0 of ")), "{run}");
    }
    // Spare carry bits show in no answer.
    let mut unit = catalogue::unit("turing-fp16-fp32").expect("a unit of the catalogue");
    unit.carry_bits = Some(5);
    folder.write("spare.toml", unit.to_toml());
    let run = folder.succeed(&["distinguish", "T4", "spare.toml", "--vectors", "20000"]).stdout;
    assert!(run.contains("no difference found on 20,000 vectors with seed 1"), "{run}");
    assert!(run.contains("this is not a proof that there is none"), "{run}");
}

/// A device beside an instruction and a unit, and sums in several runs.
#[test]
fn devices_beside_others() {
    let shown = Folder::new().succeed(&["distinguish", "MI100", "volta-fp16-fp32", "--vectors", "20000"]).stdout;
    assert!(shown.contains("MI100 (cdna1-mfma-m4n4k4-fp16-fp32) and volta-fp16-fp32 differ;"), "{shown}");
    assert!(shown.contains("1 of 1 pairs distinguished"), "{shown}");
    assert!(shown.contains("(volta-fp16-fp32 has K 4: see --k)"), "{shown}");
    let report = report(&["V100", "hopper-fp16-fp32", "--k", "16"]);
    let row = row(&report, ["volta-mma-m8n8k4-fp16-fp32", "hopper-fp16-fp32"]);
    assert_eq!((&row["k"], &row["differ"]), (&16.into(), &true.into()));
}

#[test]
fn devices_are_refused() {
    let folder = Folder::new();
    let refuse = |arguments: &[&str], parts: &[&str]| folder.refuse(&[&["distinguish"], arguments].concat(), parts);
    let interfaces = ["MI100, hopper-e4m3-fp32 have no common interface", "MI100: binary16 x binary16 + binary32"];
    refuse(&["MI100", "hopper-e4m3-fp32"], &[&interfaces[..], &["(K 4, 8, 16)", "--k"]].concat());
    refuse(&["T4"], &["one subject; allowed: at least two"]);
    refuse(&["T4", "A100", "--answers", "1,1"], &["--answers: T4 is a device; allowed: units and instructions"]);
    refuse(&["hopper-fp16-fp32", "A100", "--solver", "z3"], &["--solver: A100 is a device"]);
    refuse(&["T4", "H1000"], &["unknown unit, instruction or device \"H1000\"; nearest: H100, "]);
}

/// Options of an engine that could not be chosen are refused, so that help does not offer them.
#[test]
fn help_offers_what_is_taken() {
    let folder = Folder::new();
    let help = |command: &str| folder.succeed(&[command, "--help"]).stdout;
    for command in ["distinguish", "units", "show", "merge"] {
        assert!(!help(command).contains("--external"), "{command}");
    }
    for command in ["cosim", "eval", "infer", "record", "devices", "gemm", "campaign", "suite"] {
        assert!(help(command).contains("--external"), "{command}");
    }
    folder.refuse(&["distinguish", "T4", "A100", "--external", "true"], &["--external: no engine asks that program"]);
}
