//! Every emitted module is accepted by Verilator's strictest lint, Icarus and Yosys; a broken one is not.

use std::path::{Path, PathBuf};
use std::process::Command;

use tensorsmith::describe::catalogue;
use tensorsmith::emit;

use super::{modules, support};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The catalogue's registered wrappers, in the ordinary tier one of each kind of emitted text; each instantiates its core, so
/// that a tool reads both.
fn wrappers() -> Vec<String> {
    let units = if support::long_tier() { catalogue::units() } else { support::one_unit_of_each_kind() };
    units.into_iter().map(|unit| format!("{}_registered", unit.module_name())).collect()
}

/// Runs a tool and returns what it said, or an error with it.
fn run(command: &mut Command) -> Result<(), String> {
    let output = command.current_dir(root()).output().map_err(|error| error.to_string())?;
    let said = [output.stdout, output.stderr].concat();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&said).into_owned()) }
}

fn icarus(file: &Path, top: &str) -> Result<(), String> {
    let mut command = Command::new("iverilog");
    command
        .args(["-g2012", "-Wall", "-y", "rtl/lib", "-Y", ".sv", "-s", top, "-o", "/dev/null", "-y"])
        .args([modules(), file]);
    let output = command.current_dir(root()).output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if output.status.success() && said.is_empty() { Ok(()) } else { Err(said) }
}

fn yosys(file: &Path, top: &str) -> Result<(), String> {
    let script = format!(
        "read_verilog -sv rtl/lib/*.sv; {}read_verilog -sv {}; hierarchy -check -top {top}; proc; check -assert",
        top.strip_suffix("_registered")
            .map(|core| format!("read_verilog -sv {}/{core}.sv; ", modules().display()))
            .unwrap_or_default(),
        file.display()
    );
    run(Command::new("yosys").args(["-q", "-p", &script]))
}

#[test]
fn icarus_elaborates_catalogue() {
    let Some(()) = support::needs_icarus("icarus") else { return };
    for module in wrappers() {
        let file = modules().join(format!("{module}.sv"));
        icarus(&file, &module).unwrap_or_else(|said| panic!("{module}: {said}"));
    }
    println!("icarus elaborated {} modules with their cores without a warning", wrappers().len());
}

#[test]
fn yosys_elaborates_catalogue() {
    let Some(()) = support::needs_yosys("yosys") else { return };
    for module in wrappers() {
        let file = modules().join(format!("{module}.sv"));
        yosys(&file, &module).unwrap_or_else(|said| panic!("{module}: {said}"));
    }
    println!("yosys elaborated {} modules with their cores", wrappers().len());
}

#[cfg(feature = "rtl")]
#[test]
fn verilator_lints_catalogue() {
    let Some(tools) = support::needs_verilator("verilator") else { return };
    let lint = |file: PathBuf, module: &str| {
        let mut command = Command::new(tools.verilator());
        command.env("VERILATOR_ROOT", tools.verilator_root());
        command.args(["--lint-only", "-Wall", "-y", "rtl/lib", "--top-module", module, "-y"]);
        command.arg(modules()).arg(file);
        run(&mut command)
    };
    for module in wrappers() {
        lint(modules().join(format!("{module}.sv")), &module).unwrap_or_else(|said| panic!("{module}: {said}"));
    }
    println!("verilator linted {} modules with their cores", wrappers().len());
    let (folder, file) = broken();
    assert!(lint(file, "volta_fp16_fp32").is_err(), "a broken module must be refused");
    drop(folder);
}

/// A module with a width that does not fit and a port that is not there.
fn broken() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::TempDir::new().expect("a folder");
    let file = folder.path().join("volta_fp16_fp32.sv");
    let right = std::fs::read_to_string(modules().join("volta_fp16_fp32.sv")).expect("text");
    let wrong = right.replace(".d_o(d_o)", ".d_out(d_o)");
    assert_ne!(right, wrong);
    std::fs::write(&file, wrong).expect("written");
    (folder, file)
}

/// What is emitted for one unit is whole: Icarus reads it by its list, and by no more than that.
#[test]
fn icarus_reads_designs_by_their_lists() {
    let Some(()) = support::needs_icarus("icarus") else { return };
    for unit in support::one_unit_of_each_kind() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let files = emit::design(&unit).expect("rendered");
        emit::write(folder.path(), &files).expect("written");
        let top = format!("{}_registered", unit.module_name());
        let read = |list: &str| {
            let mut command = Command::new("iverilog");
            command.current_dir(folder.path()).args(["-g2012", "-Wall", "-s", &top, "-o", "/dev/null", "-f", list]);
            command.output().expect("iverilog runs").status.success()
        };
        let list = files.last().expect("a list");
        assert!(read(&list.name), "{}: {}", unit.name, list.text);
        std::fs::write(folder.path().join("shorter.f"), list.text.replacen("tensorsmith_", "other_", 1))
            .expect("written");
        assert!(!read("shorter.f"), "a list without a file that is needed");
    }
}

#[test]
fn icarus_and_yosys_refuse_a_broken_module() {
    let (folder, file) = broken();
    if support::has_program("iverilog", "-V") {
        assert!(icarus(&file, "volta_fp16_fp32").is_err());
    }
    if support::has_program("yosys", "-V") {
        assert!(yosys(&file, "volta_fp16_fp32").is_err());
    }
    drop(folder);
}
