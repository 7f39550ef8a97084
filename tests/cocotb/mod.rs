//! The Python package, by its own tests; and cocotb, where Python has it: an emitted unit in Icarus and in Verilator, by the example,
//! which has to see a fault that is planted in the RTL.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::support::c_library::CLibrary;
use crate::support::{long_tier, needs_icarus, skip};

const UNIT: &str = "volta-fp16-fp32";
/// What cocotb is to feed to Verilator in a second of the processor, at least.
const RATE: f64 = 2_000.0;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A Python without files of compiled modules, which finds the library.
fn python(program: &Path, library: &CLibrary) -> Command {
    let mut command = Command::new(program);
    command.arg("-B").env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("TENSORSMITH_LIBRARY", library.folder().join("libtensorsmith.so"));
    command
}

#[test]
fn python_package_keeps_its_tests() {
    let library = CLibrary::new();
    let mut command = python(Path::new("python3"), &library);
    command.current_dir(root().join("python")).args(["-m", "unittest", "tests.test_model", "tests.test_scoreboard"]);
    let output = command.output().expect("python3 is there");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let count = said.split("Ran ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
    assert!(count.is_some_and(|count| count >= 16), "{said}");
    println!("{}", said.trim());
    // Without a library that is said, with what may name it.
    let mut command = python(Path::new("python3"), &library);
    command.current_dir(root().join("python")).env("TENSORSMITH_LIBRARY", "/nonexistent/libtensorsmith.so");
    let output = command.args(["-c", "import tensorsmith; tensorsmith.Model('tiny-fma')"]).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{said}");
    assert!(
        said.contains("NoLibrary: libtensorsmith was not found; TENSORSMITH_LIBRARY may name it; /nonexistent/"),
        "{said}"
    );
}

/// A Python that has cocotb: that of `./x setup --cocotb`, or the one on PATH.
fn python_with_cocotb() -> Option<PathBuf> {
    let own = ["venv", "cocotb"].map(|name| root().join(format!(".tools/{name}/bin/python")));
    let has = |python: &PathBuf| {
        let output = Command::new(python).args(["-B", "-c", "import cocotb, cocotb_tools.runner"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let found = own.into_iter().chain([PathBuf::from("python3")]).find(has);
    if found.is_none() {
        skip("cocotb", "no Python has cocotb; ./x setup --cocotb");
    }
    found
}

/// The example's status and what it said; `change` is done to the text of the unit's module.
fn run(simulator: &str, vectors: u32, change: fn(String) -> String) -> Option<(bool, String)> {
    let program = python_with_cocotb()?;
    let (library, folder) = (CLibrary::new(), TempDir::new().expect("a folder"));
    let emitted = folder.path().join("emitted");
    let tensorsmith = env!("CARGO_BIN_EXE_tensorsmith");
    let emit = Command::new(tensorsmith).args(["emit", UNIT, "--out"]).arg(&emitted).output().expect("it starts");
    assert!(emit.status.success(), "{}", String::from_utf8_lossy(&emit.stderr));
    let module = emitted.join("volta_fp16_fp32.sv");
    let text = std::fs::read_to_string(&module).expect("the module");
    std::fs::write(&module, change(text)).expect("there is room");
    let mut command = python(&program, &library);
    command.arg(root().join("examples/cocotb/run.py")).args([UNIT, simulator]).arg(folder.path());
    command.env("TENSORSMITH", tensorsmith).env("VECTORS", vectors.to_string());
    let output = command.output().expect("it starts");
    Some((output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()))
}

fn one_bit_less(text: String) -> String {
    assert!(text.contains(".FractionBits(23)"), "{text}");
    text.replace(".FractionBits(23)", ".FractionBits(22)")
}

/// Runs the example, clean and with a fault; the rates of the clean run's two wrappers.
fn compare(simulator: &str, vectors: u32) -> Option<Vec<f64>> {
    let (well, said) = run(simulator, vectors, |text| text)?;
    let clean = format!("{UNIT}: {vectors} results compared, 0 mismatches, 0 without operands, 0 outstanding");
    assert!(well && said.matches(&clean).count() == 2, "{said}");
    let rates = said
        .lines()
        .filter_map(|line| line.strip_suffix(" vectors a second of the processor")?.rsplit(' ').next()?.parse().ok());
    let rates: Vec<f64> = rates.collect();
    println!(
        "{UNIT} in {simulator}: {vectors} vectors each, registered and stream, at {rates:?} a second of the processor"
    );
    assert_eq!(rates.len(), 2, "{said}");
    let (well, said) = run(simulator, vectors.min(500), one_bit_less)?;
    assert!(!well && said.contains("expected 0x") && said.contains("packed_word"), "{said}");
    assert!(!said.contains(", 0 mismatches"), "both wrappers see the fault: {said}");
    Some(rates)
}

#[test]
fn cocotb_icarus_golden_and_random_volta() {
    let Some(()) = needs_icarus("icarus") else { return };
    compare("icarus", if long_tier() { 10_000 } else { 1_200 });
}

/// In the ordinary tier Icarus alone runs: Verilator compiles C++ for each wrapper.
#[test]
fn cocotb_verilator_golden_and_random_volta() {
    if !long_tier() {
        return;
    }
    let Some(rates) = compare("verilator", 20_000) else { return };
    assert!(rates.iter().all(|rate| *rate >= RATE), "{rates:?}");
}
