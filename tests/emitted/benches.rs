//! Self-checking benches, in Icarus: one for each leaf, one for the registered wrappers. Each has a planted fault that it
//! must report.

use std::path::{Path, PathBuf};
use std::process::Command;

use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::Flags;
use tensorsmith::emit::{LEAVES, instance};

use super::{modules, support};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compiles a bench; `defines` are macros.
fn compile(folder: &Path, bench: &str, defines: &[String]) -> PathBuf {
    let program = folder.join(format!("{}.vvp", bench.replace('/', "_")));
    let mut command = Command::new("iverilog");
    command.current_dir(root()).args(["-g2012", "-Wall", "-y", "rtl/lib", "-Y", ".sv", "-y"]).arg(modules());
    command.arg("-Itests/leaves").args(defines).arg("-o").arg(&program).arg(format!("tests/{bench}"));
    let output = command.output().expect("iverilog runs");
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{bench}: {said}");
    program
}

/// The verdict of a bench.
fn verdict(program: &Path, fault: bool) -> String {
    let mut command = Command::new("vvp");
    command.arg(program);
    if fault {
        command.arg("+fault");
    }
    let output = command.output().expect("vvp runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut verdicts = said.lines().filter(|line| line.starts_with("PASS ") || line.starts_with("FAIL "));
    let verdict = verdicts.next().unwrap_or_else(|| panic!("{}: no verdict in {said}", program.display()));
    assert_eq!(verdicts.next(), None, "one verdict");
    verdict.to_owned()
}

fn number(verdict: &str, key: &str) -> u64 {
    let value = verdict.split_whitespace().find_map(|word| word.strip_prefix(&format!("{key}=")));
    value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {key} in {verdict}"))
}

fn assert_bench(folder: &Path, bench: &str, defines: &[String]) {
    let program = compile(folder, bench, defines);
    let right = verdict(&program, false);
    println!("{right}");
    assert!(right.starts_with("PASS "), "{right}");
    assert!(number(&right, "checked") >= 300, "{right}");
    assert!(number(&right, "faults_caught") > 0, "{right}");
    let wrong = verdict(&program, true);
    assert!(wrong.starts_with("FAIL "), "{bench} does not see its planted fault: {wrong}");
}

/// All inputs of small formats in the long tier; in the ordinary one a third of the leaves, of the larger ones every eleventh input.
#[test]
fn leaves_definition_exhaustive_small_parameters() {
    let Some(()) = support::needs_icarus("icarus") else { return };
    let folder = tempfile::TempDir::new().expect("a folder");
    let stride = format!("-DSTRIDE={}", if support::long_tier() { 1 } else { 11 });
    // The modules of the schemes are tested as units are.
    let tops: Vec<String> =
        catalogue::units().iter().filter_map(|unit| Some(format!("{}.sv", instance::top(unit.scheme)?))).collect();
    // Those that pass numbers are proved, and refuted with faults, in lists (`prove_rtl::lists`).
    let of_lists = ["bound", "flush", "number_pack", "number_product", "number_round", "operand", "sum"];
    let of_lists = of_lists.map(|name| format!("tensorsmith_{name}.sv"));
    let leaves: Vec<_> =
        LEAVES.iter().filter(|(name, _)| !tops.iter().chain(&of_lists).any(|top| top == name)).collect();
    support::in_parallel(&support::sampled(&leaves, 3), |(leaf, _)| {
        let bench = format!("leaves/{}", leaf.replace(".sv", "_test.sv"));
        assert_bench(folder.path(), &bench, std::slice::from_ref(&stride));
    });
}

#[test]
fn registered_core_random_enable_and_valid_each_kind() {
    let Some(()) = support::needs_icarus("icarus") else { return };
    let folder = tempfile::TempDir::new().expect("a folder");
    for unit in support::sampled(&support::one_unit_of_each_kind(), 3) {
        let formats = &unit.formats;
        let module = unit.module_name();
        let mut defines = vec![
            format!("-DCORE={module}"),
            format!("-DREGISTERED={module}_registered"),
            format!("-DA_BITS={}", unit.products * formats.a.width()),
            format!("-DB_BITS={}", unit.products * formats.b.width()),
            format!("-DD_BITS={}", formats.d.width()),
        ];
        if unit.has_addend() {
            defines.push(format!("-DC_BITS={}", formats.c.width()));
        }
        if unit.conversion.flags {
            defines.push(format!("-DFLAGS_BITS={}", Flags::WIDTH));
        }
        if let Some(scales) = &unit.scales {
            defines.push(format!("-DSCALE_A_BITS={}", unit.scale_count() * scales.a.width()));
            defines.push(format!("-DSCALE_B_BITS={}", unit.scale_count() * scales.b.width()));
        }
        assert_bench(folder.path(), "emitted/registered_bench.sv", &defines);
    }
}
