//! Programs as engines: the example agrees with the emulator, faults planted in it are found, and every command can ask it.

use std::path::Path;
use std::process::Command;

use super::program::{Folder, Run};
use super::support::{long_tier, replaced, sampled, skip};

pub const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/external/example.py");

const UNIT: &str = "hopper-fp16-fp32";
const INSTRUCTION: &str = "hopper-mma-m16n8k16-fp16-fp32";

/// Whether Python is there; says so if it is not.
pub fn has_python() -> bool {
    let there = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        skip("python3", "python3 is not on PATH");
    }
    there
}

/// A folder with the example.
fn example() -> Folder {
    let folder = Folder::new();
    folder.write("unit.py", std::fs::read(EXAMPLE).expect("the example is there"));
    folder
}

/// A folder with the example, in which one text was replaced.
fn changed(from: &str, to: &str) -> Folder {
    let text = std::fs::read_to_string(EXAMPLE).expect("the example is there");
    let folder = Folder::new();
    folder.write("unit.py", replaced(&text, from, to));
    folder
}

/// A folder with the example as the unit of Volta.
fn volta() -> Folder {
    let folder = changed("PRODUCTS = 16", "PRODUCTS = 4");
    let text = folder.read("unit.py").replace("FRACTION_BITS = 25", "FRACTION_BITS = 23");
    folder.write("unit.py", text.replace("EXPONENT_FLOOR = -133", "EXPONENT_FLOOR = -999"));
    folder
}

fn cosim(folder: &Folder, subject: &str, vectors: &str, more: &[&str]) -> Run {
    let engines = "emulator,external";
    let arguments = ["cosim", subject, "--vectors", vectors, "--engines", engines, "--external", "python3 unit.py"];
    folder.run(&[&arguments, more].concat())
}

/// A suite reads a program as it reads the unit that the program computes, and one with another window otherwise.
#[test]
fn suites_ask_a_program() {
    if !has_python() {
        return;
    }
    let readings = |folder: &Folder, engine: &[&str]| {
        let run = folder.run(&[&["suite", "khattak", UNIT, "--json", "suite.json"], engine].concat());
        let report = folder.json("suite.json");
        let experiments = report["subjects"][0]["experiments"].as_array().expect("a list").iter();
        let readings: Vec<_> = experiments.map(|row| (row["name"].clone(), row["reading"].clone())).collect();
        (run.code, readings)
    };
    let program = ["--engine", "external", "--external", "python3 unit.py"];
    let asked = readings(&example(), &program);
    assert!(asked.0 == 0 && asked.1.len() > 10, "{asked:?}");
    assert_eq!(asked, readings(&example(), &["--engine", "emulator"]));
    let other = readings(&changed("FRACTION_BITS = 25", "FRACTION_BITS = 24"), &program);
    assert!(other.0 == 1 && other.1 != asked.1, "{other:?}");
}

#[test]
fn example_agrees_with_the_emulator() {
    if !has_python() {
        return;
    }
    let folder = example();
    let counts = if long_tier() { ["20000", "5000"] } else { ["5000", "1000"] };
    for (subject, vectors) in [UNIT, INSTRUCTION].into_iter().zip(counts) {
        let run = cosim(&folder, subject, vectors, &["--json", "report.json"]);
        assert_eq!(run.code, 0, "{run:?}");
        let report = folder.json("report.json");
        let external = &report["units"][0]["engines"][1];
        assert_eq!(
            (&external["engine"], &external["vectors"]),
            (&"external".into(), &vectors.parse::<u64>().unwrap().into())
        );
        assert_eq!(external["version"], "example-fused 1");
        println!("external ran {} vectors of {subject}", external["vectors"]);
    }
}

/// Other parameters are other units of the same definition.
#[test]
fn example_is_other_units_with_other_parameters() {
    if !has_python() {
        return;
    }
    let run = cosim(&volta(), "volta-fp16-fp32", "5000", &[]);
    assert_eq!(run.code, 0, "{run:?}");
}

/// A case that a program answered wrongly is no success without the program.
fn assert_case_names_the_program(folder: &Folder, case: &str) {
    let run = folder.run(&["cosim", "--case", case]);
    assert!(run.code == 2 && run.stderr.contains("no program is named; allowed: --external"), "{run:?}");
    let run = folder.run(&["cosim", "--case", case, "--engines", "emulator"]);
    assert!(run.code == 2 && run.stderr.contains("engine external answered wrongly in this case"), "{run:?}");
    folder.succeed(&["cosim", "--case", case, "--engines", "emulator", "--allow-missing"]);
    assert_eq!(folder.run(&["cosim", "--case", case, "--external", "python3 unit.py"]).code, 1);
}

/// Faults of the kind that units have; each is a mismatch, shrunk to a case that runs again.
#[test]
fn faults_planted_in_the_example_are_found() {
    if !has_python() {
        return;
    }
    let faults = [
        ("FRACTION_BITS = 25", "FRACTION_BITS = 24"),
        ("INFINITY | signs.pop() * SIGN", "INFINITY"),
        ("return NAN if len(signs) == 2", "return INFINITY if len(signs) == 2"),
        ("max(field, 1) - bias", "field - bias"),
        (
            "total += -aligned if sign else aligned",
            "total += (-significand >> last - scale if last > scale else -aligned) if sign else aligned",
        ),
        ("    if value == 0:\n        return 0", "    if value == 0:\n        return SIGN"),
    ];
    let faults = sampled(&faults, 3);
    for (from, to) in &faults {
        let folder = changed(from, to);
        let run = cosim(&folder, UNIT, "6000", &[]);
        assert_eq!(run.code, 1, "{to}: {run:?}");
        let files: Vec<_> = folder.content().into_keys().collect();
        let case = files.iter().find(|path| path.extension().is_some_and(|extension| extension == "toml"));
        let case = case.unwrap_or_else(|| panic!("{to}: no case file: {files:?}")).to_str().expect("a name");
        let again = ["cosim", "--case", case, "--engines", "external", "--external"];
        assert_eq!(folder.run(&[&again[..], &["python3 unit.py"]].concat()).code, 1, "{to}: the case runs again");
        assert_eq!(folder.run(&[&again[..], &[&format!("python3 {EXAMPLE}")]].concat()).code, 0, "{to}");
        assert_case_names_the_program(&folder, case);
    }
    println!("found {} planted faults", faults.len());
}

#[test]
fn record_and_replay() {
    if !has_python() {
        return;
    }
    let folder = example();
    let external = ["--external", "python3 unit.py"];
    let vectors = if long_tier() { "2000" } else { "500" };
    for subject in [UNIT, INSTRUCTION] {
        let out = format!("{subject}.tsrec");
        let record = [
            "record",
            subject,
            "--engine",
            "external",
            "--suites",
            "shaped,features",
            "--vectors",
            vectors,
            "--out",
            &out,
        ];
        let run = folder.succeed(&[&record, &external[..]].concat());
        assert!(run.stdout.contains("answered by external (example-fused 1), seed 1"), "{}", run.stdout);
        let run = folder.succeed(&["replay", &out, "--engines", "emulator"]);
        assert!(run.stdout.contains("0 mismatches"), "{}", run.stdout);
        folder.succeed(&[&["replay", &out, "--engines", "external"], &external[..]].concat());
    }
    let faulty = folder.read("unit.py").replace("FRACTION_BITS = 25", "FRACTION_BITS = 24");
    folder.write("unit.py", faulty);
    let replay = ["replay", "hopper-fp16-fp32.tsrec", "--engines", "external"];
    assert_eq!(folder.run(&[&replay, &external[..]].concat()).code, 1, "another unit than the recorded one");
}

/// Instructions of the device that the program refuses are skipped. In the ordinary tier a device that has few.
#[test]
fn record_a_device() {
    if !has_python() {
        return;
    }
    let (folder, device, instruction) = match long_tier() {
        true => (example(), "H100", INSTRUCTION),
        false => (volta(), "V100", "volta-mma-m8n8k4-fp16-fp32"),
    };
    let record = ["record", "--device", device, "--engine", "external", "--vectors", "50", "--out", "out"];
    let run = folder.succeed(&[&record[..], &["--external", "python3 unit.py"]].concat());
    assert!(run.stdout.contains("the program says: products is"), "{}", run.stdout);
    let recorded = |line: &str| line.contains(&format!("| {instruction} ")) && line.contains(".tsrec ");
    assert!(run.stdout.lines().any(recorded), "{}", run.stdout);
    folder.succeed(&["replay", "out", "--engines", "emulator"]);
}

#[test]
fn eval_gemm_and_devices() {
    if !has_python() {
        return;
    }
    let folder = example();
    let external = ["--engines", "external,emulator", "--external", "python3 unit.py"];
    let run = folder.succeed(&[&["eval", UNIT, "--a", "1,2", "--b", "3,4", "--c", "0.5"], &external[..]].concat());
    assert!(run.stdout.contains("d (external)") && run.stdout.contains("0x41380000"), "{}", run.stdout);
    let row = |count: usize| format!("{}\n", vec!["1.5"; count].join(" "));
    folder.write("a.txt", row(32).repeat(3));
    folder.write("b.txt", row(2).repeat(32));
    let gemm = ["gemm", INSTRUCTION, "--a", "a.txt", "--b", "b.txt"];
    let run = folder.succeed(&[&gemm, &external[..]].concat());
    assert_eq!(run.stdout, "72 72\n72 72\n72 72\n");
    let (folder, device) = if long_tier() { (folder, "H100") } else { (volta(), "V100") };
    let run = folder.succeed(&[&["devices", device, "--answers"], &external[..]].concat());
    assert!(run.stdout.contains("external: answered for "), "{}", run.stdout);
}

/// A program that nobody asks must not pass for one that agrees, nor an engine without a program.
#[test]
fn program_and_engine_belong_together() {
    let folder = Folder::new();
    let eval = ["eval", UNIT, "--a", "1", "--b", "1"];
    let both = |more: &[&'static str]| [&eval[..], more].concat();
    folder.refuse(&both(&["--external", "true"]), &["--external: no engine asks that program"]);
    folder.refuse(&both(&["--engines", "external"]), &["engine external: no program is named", "--external COMMAND"]);
    folder.refuse(&both(&["--external-timeout", "5"]), &["--external-timeout: no program is named"]);
    folder.refuse(&["units", "--external", "true"], &["--external: no engine asks that program"]);
    folder.refuse(&both(&["--engines", "external", "--external", " "]), &["--external: \" \"", "allowed"]);
    let timeout = ["--engines", "external", "--external", "true", "--external-timeout", "0"];
    folder.refuse(&both(&timeout), &["--external-timeout", "'0'", "allowed: a whole number from 1 to 86400"]);
    folder.refuse(&both(&["--engines", "external,external", "--external", "true"]), &["external is named twice"]);
}

/// The options may stand before the command too.
#[test]
fn options_before_the_command() {
    if !has_python() {
        return;
    }
    let command = format!("python3 {}", Path::new(EXAMPLE).display());
    let rest = ["eval", UNIT, "--a", "1", "--b", "1", "--engines", "external"];
    let run = Folder::new().succeed(&[&["--external", &command][..], &rest].concat());
    assert!(run.stdout.contains("0x3f800000"), "{}", run.stdout);
}
