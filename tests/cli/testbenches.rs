//! Test benches out of recordings: emitted units pass them in Icarus and under cocotb, faults do not.

use std::path::Path;
use std::process::Command;

use super::program::Folder;
use super::support::{has_program, in_parallel, needs_icarus, sampled, skip};

/// With registers inside.
const PIPED: &str = r#"name = "piped"
scheme = "fused"
products = 4
formats = { a = "binary16", b = "binary16", c = "binary32", d = "binary32" }
alignment = { fraction_bits = 24, rounding = "toward-zero", exponent_floor = -132 }
conversion = { rounding = "toward-zero", overflow = "infinity" }
pipeline = { cuts = ["input", "anchor", "aligned", "result"] }
"#;

const VECTORS: usize = 200;

/// Plain, with registers, with flags and without an addend, with scales; each with the name of its module.
const UNITS: [(&str, &str); 4] = [
    ("tiny-nearest", "tiny_nearest"),
    ("piped.toml", "piped"),
    ("tiny-riscv", "tiny_riscv"),
    ("tiny-grouped", "tiny_grouped"),
];

/// An emitted unit, and a recording of it.
fn emitted(unit: &str) -> Folder {
    let folder = Folder::new();
    folder.write("piped.toml", PIPED);
    folder.succeed(&["emit", unit, "--out", "rtl"]);
    let vectors = VECTORS.to_string();
    folder.succeed(&["record", unit, "--engine", "emulator", "--vectors", &vectors, "--out", "it.tsrec"]);
    folder
}

/// Puts a bench among the modules.
fn bench(folder: &Folder, arguments: &[&str]) {
    folder.succeed(&[&["export", "it.tsrec", "--out", "bench", "--testbench"], arguments].concat());
    for entry in std::fs::read_dir(folder.path("bench")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_owned();
        std::fs::rename(&path, folder.path("rtl").join(name)).expect("there is room");
    }
    std::fs::remove_dir(folder.path("bench")).expect("it is empty");
}

/// What a program prints in a folder, and whether it ended well.
fn said(folder: &Path, program: &str, arguments: &[&str]) -> (bool, String) {
    let output = Command::new(program).args(arguments).current_dir(folder).output().expect("it starts");
    (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

/// The verdict of Icarus.
fn icarus(folder: &Path, module: &str, plus: &[&str]) -> String {
    let (list, test) = (format!("{module}.f"), format!("{module}_test.sv"));
    let compile = ["-g2012", "-Wall", "-Wno-timescale", "-f", &list, "-o", "test", &test];
    let (compiled, text) = said(folder, "iverilog", &compile);
    assert!(compiled && text.is_empty(), "{module}: {text}");
    let (_, text) = said(folder, "vvp", &[&["test"], plus].concat());
    let verdict = text.lines().rev().find(|line| line.starts_with("PASS ") || line.starts_with("FAIL "));
    verdict.unwrap_or_else(|| panic!("{module}: no verdict: {text}")).to_owned()
}

/// Inverts a bit of one recorded answer, which is on top of the line.
fn plant(folder: &Folder, module: &str) {
    let name = format!("rtl/{module}_vectors.hex");
    let before = folder.read(&name);
    let changed = before.lines().enumerate().map(|(place, line)| {
        let bit = |digit: char| char::from_digit(digit.to_digit(16).expect("a digit") ^ 1, 16).expect("a digit");
        let rest: String = line.chars().skip(1).collect();
        if place == 99 {
            format!("{}{rest}\n", bit(line.chars().next().expect("a digit")))
        } else {
            format!("{line}\n")
        }
    });
    let changed: String = changed.collect();
    assert_ne!(changed, before);
    folder.write(&name, changed);
}

/// In the ordinary tier the plain one and the one with flags.
#[test]
fn emitted_units_pass_in_icarus_and_faults_do_not() {
    let Some(()) = needs_icarus("icarus") else { return };
    in_parallel(&sampled(&UNITS, 2), |(unit, module)| {
        let folder = emitted(unit);
        bench(&folder, &["sv"]);
        let name = module.replace('_', "-");
        let run = |plus: &[&str]| icarus(&folder.path("rtl"), module, plus);
        assert_eq!(run(&[]), format!("PASS {name}: {VECTORS} vectors"));
        assert_eq!(run(&["+fault"]), format!("FAIL {name}: 1 of {VECTORS} vectors differ"));
        plant(&folder, module);
        assert_eq!(run(&[]), format!("FAIL {name}: 1 of {VECTORS} vectors differ"));
    });
}

/// The bench and the vectors of an emitted unit come out of a recording of the same vectors: but for comments they are the same
/// texts, which other tests run in every simulator.
#[test]
fn exported_benches_are_the_emitted_ones() {
    for (unit, module) in UNITS {
        let folder = Folder::new();
        folder.write("piped.toml", PIPED);
        folder.succeed(&["emit", unit, "--out", "rtl"]);
        folder.succeed(&["record", unit, "--engine", "emulator", "--vectors", "1000", "--out", "it.tsrec"]);
        folder.succeed(&["export", "it.tsrec", "--testbench", "sv", "--out", "bench"]);
        let both = |name: &str| ["rtl", "bench"].map(|place| folder.read(&format!("{place}/{name}")));
        let [emitted, exported] = both(&format!("{module}_vectors.hex"));
        assert_eq!((emitted.lines().count(), &emitted), (1000, &exported), "{unit}");
        let code = |text: &str| -> Vec<String> {
            text.lines().map(|line| line.split("//").next().unwrap_or_default().trim().to_owned()).collect()
        };
        let [emitted, exported] = both(&format!("{module}_test.sv"));
        assert_eq!(code(&emitted), code(&exported), "{unit}");
    }
}

/// A unit with another constant than the recorded one, under a name and with a latency that are told.
#[test]
fn another_unit_fails() {
    let Some(()) = needs_icarus("icarus") else { return };
    let folder = Folder::new();
    folder.write("piped.toml", PIPED);
    folder.write("plain.toml", PIPED.replace("pipeline = ", "# ").replace("\"piped\"", "\"plain\""));
    folder.write("wrong.toml", PIPED.replace("= 24", "= 20"));
    folder.succeed(&["record", "plain.toml", "--engine", "emulator", "--vectors", "200", "--out", "it.tsrec"]);
    for (unit, verdict) in [("piped.toml", "PASS plain: 200 vectors"), ("wrong.toml", "FAIL plain: ")] {
        folder.succeed(&["emit", unit, "--out", "rtl"]);
        bench(&folder, &["sv", "--module", "piped", "--latency", "4"]);
        let found = icarus(&folder.path("rtl"), "piped", &[]);
        assert!(found.starts_with(verdict), "{unit}: {found}");
    }
}

#[test]
fn emitted_units_pass_under_cocotb() {
    let python = ["python3", "python"].into_iter().find(|python| {
        let output = Command::new(python).args(["-c", "import cocotb"]).output();
        output.is_ok_and(|output| output.status.success())
    });
    let Some(python) = python.filter(|_| has_program("iverilog", "-V")) else {
        return skip("cocotb", "python3 with cocotb, or iverilog, is not here");
    };
    in_parallel(&UNITS[1..], |(unit, module)| {
        let folder = emitted(unit);
        bench(&folder, &["cocotb"]);
        let script = format!("{module}_test.py");
        let run = |plus: &[&str]| said(&folder.path("rtl"), python, &[&[&script[..]], plus].concat());
        let (passed, text) = run(&[]);
        assert!(passed && text.contains(&format!("PASS {}: {VECTORS} vectors", module.replace('_', "-"))), "{text}");
        let (passed, text) = run(&["+fault"]);
        assert!(!passed && text.contains(&format!("1 of {VECTORS} vectors differ")), "{text}");
        plant(&folder, module);
        let (passed, text) = run(&[]);
        assert!(
            !passed && text.contains("vector 99: ") && text.contains("_o is 0x") && text.contains("1 of"),
            "{text}"
        );
    });
}

/// What a bench for cocotb is, where nothing can run it: Python, with the ports and the widths of the unit.
#[test]
fn benches_for_cocotb_are_python() {
    let folder = emitted("tiny-riscv");
    bench(&folder, &["cocotb"]);
    let text = folder.read("rtl/tiny_riscv_test.py");
    for part in ["(\"a_i\", Products * OperandAWidth)", "(\"flags_o\", FlagsWidth)", "VECTORS = 200\n", "Latency = 0"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("scale_a_i") && !text.contains("[[") && !text.contains("[%"), "{text}");
    if has_program("python3", "--version") {
        let parse = "import ast, sys; ast.parse(open(sys.argv[1]).read())";
        let (is_python, text) = said(&folder.path("rtl"), "python3", &["-c", parse, "tiny_riscv_test.py"]);
        assert!(is_python, "{text}");
    }
}

#[test]
fn benches_that_cannot_be() {
    let folder = Folder::new();
    folder.succeed(&["record", "tiny-nearest", "--engine", "emulator", "--vectors", "20", "--out", "it.tsrec"]);
    let export = |rest: &[&'static str]| [&["export", "it.tsrec", "--out", "bench"], rest].concat();
    folder.refuse(&export(&[]), &["--format <FORMAT>"]);
    folder.refuse(&export(&["--testbench", "vhdl"]), &["'vhdl'", "sv, cocotb"]);
    folder.refuse(&export(&["--testbench", "sv", "--format", "npy"]), &["cannot be used with"]);
    folder.refuse(&export(&["--testbench", "sv", "--module", "a b"]), &["allowed: a name of letters, digits and _"]);
    folder.refuse(&export(&["--testbench", "sv", "--latency", "65"]), &["a whole number from 0 to 64"]);
    folder.refuse(&export(&["--format", "npy", "--latency", "1"]), &["cannot be used with"]);
}
