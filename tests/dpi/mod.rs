//! What `emit --dpi` writes, in Verilator: lint-clean; checkers that are bound to the registered unit and to the streams, and the
//! behavioural module, agree with the RTL; with a fault in the RTL all three say so.
#![cfg(all(target_os = "linux", feature = "rtl"))]

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::{Cut, Unit};

use crate::support;
use crate::support::c_library::CLibrary;

/// In the ordinary tier a quarter of them.
const VECTORS: u64 = 100_000;

/// Verilator, if it is here.
fn verilator(folder: &Path) -> Option<Command> {
    let tools = support::needs_verilator("verilator")?;
    let mut command = Command::new(tools.verilator());
    command.current_dir(folder).env("VERILATOR_ROOT", tools.verilator_root());
    Some(command)
}

/// What the command line writes of a unit, from its unit file.
fn emitted(unit: &Unit) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("unit.toml");
    std::fs::write(&file, unit.to_toml()).expect("there is room");
    let mut emit = Command::new(env!("CARGO_BIN_EXE_tensorsmith"));
    let output = emit.arg("emit").arg(&file).args(["--dpi", "--out"]).arg(folder.path()).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

/// What Verilator's strictest lint says of a module with its checker.
fn lint(folder: &Path, unit: &Unit, wrapper: &str) -> Option<String> {
    let module = unit.module_name();
    let mut lint = verilator(folder)?;
    lint.args([
        "--lint-only",
        "-Wall",
        "-f",
        &format!("{module}_dpi.f"),
        "--top-module",
        &format!("{module}_{wrapper}"),
    ]);
    let output = lint.output().expect("verilator runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let complaints = said.lines().filter(|line| line.starts_with('%')).collect::<Vec<_>>().join("\n");
    assert_eq!(output.status.success(), complaints.is_empty(), "{said}");
    Some(complaints)
}

#[test]
fn checkers_and_behavioural_modules_are_lint_clean() {
    support::in_parallel(&support::sampled(&support::without_and_with_registers(), 3), |unit| {
        let folder = emitted(unit);
        for wrapper in ["registered", "stream", "behavioural"] {
            let Some(complaints) = lint(folder.path(), unit, wrapper) else { return };
            assert_eq!(complaints, "", "{} {wrapper}", unit.name);
        }
    });
    // The lint looks at the checker.
    let unit = catalogue::unit("tiny-fma").expect("a unit of the catalogue");
    let folder = emitted(&unit);
    let path = folder.path().join("tensorsmith_checker.sv");
    let text =
        std::fs::read_to_string(&path).expect("the checker").replacen("  longint          edges", "  int edges", 1);
    std::fs::write(&path, text).expect("there is room");
    let complaints = lint(folder.path(), &unit, "registered");
    assert!(complaints.is_none_or(|said| said.contains("%Warning-WIDTH")), "the planted width is found");
}

/// Gives the unit's module a second instance, with one fraction bit less, which a plusarg +fault puts in the place of the first.
fn plant(folder: &Path, unit: &Unit) {
    let path = folder.join(format!("{}.sv", unit.module_name()));
    let text = std::fs::read_to_string(&path).expect("the module");
    let start = text.find("  tensorsmith_fused #(").expect("an instance");
    let (head, instance) = text.split_at(start);
    let instance = instance.strip_suffix("\nendmodule\n").expect("the end of the module");
    let right = instance.replace(".d_o(d_o)", ".d_o(right)");
    let wrong = right.replace(".d_o(right)", ".d_o(wrong)").replace(" u_unit (", " u_faulty (");
    let bits = format!(".FractionBits({})", unit.alignment().fraction_bits);
    let wrong = wrong.replace(&bits, &format!(".FractionBits({})", unit.alignment().fraction_bits - 1));
    let wrong = wrong.replace(".flags_o(unused_flags)", ".flags_o()");
    assert!(wrong != right.replace("right", "wrong"), "the fault is another text");
    let chosen = "  logic [ResultWidth-1:0] right, wrong;\n  bit faulty;\n\n  initial faulty = $test$plusargs(\"fault\") != 0;\n\n  \
                  assign d_o = faulty ? wrong : right;\n";
    std::fs::write(path, format!("{head}{chosen}\n{right}\n{wrong}\nendmodule\n")).expect("there is room");
}

/// A plusarg +skewed turns the valid of the registered unit round, and has the streams say always that there is a result.
fn skew(folder: &Path, module: &str) {
    let change = |wrapper: &str, from: &str, to: &str| {
        let path = folder.join(format!("{module}_{wrapper}.sv"));
        let text = std::fs::read_to_string(&path).expect("a wrapper");
        let skewed = "  bit skewed;\n\n  initial skewed = $test$plusargs(\"skewed\") != 0;\n";
        let text = support::replaced(&text, from, to).replacen(");\n\n", &format!(");\n\n{skewed}\n"), 1);
        std::fs::write(path, text).expect("there is room");
    };
    change("registered", "assign valid_o = result_valid_q;", "assign valid_o = result_valid_q ^ skewed;");
    let valid = "  logic tvalid;\n\n  assign m_axis_tvalid = tvalid || skewed;\n\n  tensorsmith_stream #(";
    change("stream", "  tensorsmith_stream #(", valid);
    let path = folder.join(format!("{module}_stream.sv"));
    let text = std::fs::read_to_string(&path).expect("a wrapper");
    let text = text.replace(".m_tvalid_o(m_axis_tvalid)", ".m_tvalid_o(tvalid)");
    std::fs::write(path, text).expect("there is room");
}

/// Builds the emitted test.
fn built(folder: &Path, library: &CLibrary, module: &str) -> Option<PathBuf> {
    let mut build = verilator(folder)?;
    let link = format!("-L{0} -ltensorsmith -Wl,-rpath,{0}", library.folder().display());
    build.args(["--binary", "--assert", "-CFLAGS", "-std=c++20 -fcoroutines", "-LDFLAGS", &link]);
    // Not every system has a `python`; a header compiled beforehand is not found where the folder is another; what runs seldom need
    // not be fast.
    build.args(["-MAKEFLAGS", "PYTHON3=python3 CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O0 OPT_GLOBAL=-O0 OPT_SLOW=-O0"]);
    build.args(["-f", &format!("{module}_dpi.f"), "--top-module", &format!("{module}_dpi_test")]);
    let output = build.arg(format!("{module}_dpi_test.sv")).output().expect("verilator runs");
    assert!(output.status.success(), "{module}: {}", String::from_utf8_lossy(&output.stderr));
    Some(folder.join(format!("obj_dir/V{module}_dpi_test")))
}

/// Whether the test ended well, and what it said.
fn run(program: &Path, arguments: &[&str]) -> (bool, String) {
    let folder = program.ancestors().nth(2).expect("a folder");
    let mut command = Command::new(program);
    let output = command.current_dir(folder).args(arguments).output().expect("it starts");
    (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

/// Results that a checker says it has compared, and mismatches.
fn counted(said: &str, checker: &str) -> (u64, u64) {
    let line = said.lines().find(|line| line.starts_with("tensorsmith_checker ") && line.contains(checker));
    let line = line.unwrap_or_else(|| panic!("{checker} says nothing: {said}"));
    let number = |text: &str| {
        let before = line.split(text).next().and_then(|text| text.rsplit(' ').next());
        before.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no number of{text}: {line}"))
    };
    assert!(line.contains(" 0 other faults, 0 vectors under way"), "{line}");
    (number(" results compared"), number(" mismatches"))
}

fn assert_clean(program: &Path, vectors: u64) {
    let (well, said) = run(program, &[&format!("+vectors={vectors}")]);
    assert!(
        well && said.contains(&format!("{vectors} vectors fed, behavioural and unit differ in 0 clocks")),
        "{said}"
    );
    assert_eq!(counted(&said, ".u_stream."), (vectors, 0), "{said}");
    let (compared, mismatches) = counted(&said, ".u_registered.");
    assert!(compared > vectors / 2 && mismatches == 0, "{said}");
    assert!(said.contains(&format!(" events in {vectors} vectors")), "{said}");
}

/// A small unit; in the long tier Volta's.
#[test]
fn rtl_checker_golden_and_random_fused() {
    let name = if support::long_tier() { "volta-fp16-fp32" } else { "tiny-nearest" };
    let unit = catalogue::unit(name).expect("a unit of the catalogue");
    let (folder, library) = (emitted(&unit), CLibrary::new());
    plant(folder.path(), &unit);
    skew(folder.path(), &unit.module_name());
    let Some(program) = built(folder.path(), &library, &unit.module_name()) else { return };
    assert_clean(&program, support::vectors(VECTORS));
    // The first mismatch ends the run, and says all of it.
    let (well, said) = run(&program, &["+fault"]);
    assert!(!well, "{said}");
    for part in
        ["%Error: tensorsmith_checker.sv:", ", expected ", "\n  a ", "anchor     anchor ", "packed     packed_word "]
    {
        assert!(said.contains(part), "{part:?} is missing: {said}");
    }
    // With more of them allowed it goes on to the end.
    let (_, said) = run(&program, &["+fault", "+verilator+error+limit+1000"]);
    for checker in [".u_stream.", ".u_registered."] {
        let (compared, mismatches) = counted(&said, checker);
        assert!(compared > 500 && mismatches > 0 && mismatches < compared, "{said}");
    }
    assert!(said.contains("behavioural ") && !said.contains("differ in 0 clocks"), "{said}");
    // So are results at other edges than they belong to, and such that belong to no operands.
    let (_, said) = run(&program, &["+skewed", "+verilator+error+limit+1000000"]);
    for fault in [
        ".u_registered.u_checker.fault: valid is 0, expected 1",
        ".u_stream.u_checker.fault: a result without operands: ",
    ] {
        assert!(said.contains(fault), "{fault}: {said}");
    }
    assert!(said.contains(".u_registered.u_checker: ") && !said.contains(" 0 other faults"), "{said}");
}

/// Units with flags, scales, groups, without an addend, of integers; in the ordinary tier the lint looks at such, and one runs.
#[test]
fn rtl_checker_golden_and_random_kinds() {
    if !support::long_tier() {
        return;
    }
    let library = CLibrary::new();
    let named = |name| catalogue::unit(name).expect("a unit of the catalogue");
    let mut units =
        ["riscv-fp16-fp32", "blackwell-nvf4-fp32", "cdna3-fp16-fp32", "tiny-pairwise", "integer-int4-int32"]
            .map(named)
            .to_vec();
    let volta = named("volta-fp16-fp32");
    units.push(volta.with_cuts(Cut::best(volta.scheme, 5).expect("a row")));
    support::in_parallel(&units, |unit| {
        let folder = emitted(unit);
        let Some(program) = built(folder.path(), &library, &unit.module_name()) else { return };
        assert_clean(&program, VECTORS / 10);
    });
}
