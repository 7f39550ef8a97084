//! What `emit` writes beside the modules: the test passes in Icarus and Verilator, and sees its planted fault; the manifests are
//! read by the tools that they are for.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use tensorsmith::check::golden;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::{Cut, Unit};
use tensorsmith::emit;

use super::support;

const VECTORS: usize = 300;

pub(super) fn written(unit: &Unit) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let vectors = golden::lines(unit, 1, VECTORS).expect("the emulator answers");
    assert_eq!(vectors.len(), VECTORS);
    emit::write(folder.path(), &emit::package(unit, &vectors).expect("rendered")).expect("written");
    folder
}

/// The last line of what a program prints.
fn last_line(command: &mut Command) -> String {
    let output = command.output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let verdict = said.lines().rev().find(|line| line.starts_with("PASS ") || line.starts_with("FAIL "));
    verdict.unwrap_or_else(|| panic!("no verdict: {said}{}", String::from_utf8_lossy(&output.stderr))).to_owned()
}

fn assert_verdicts(unit: &Unit, run: impl Fn(&[&str]) -> String) {
    assert_eq!(run(&[]), format!("PASS {}: {VECTORS} vectors", unit.name));
    assert_eq!(run(&["+fault"]), format!("FAIL {}: 1 of {VECTORS} vectors differ", unit.name));
}

#[test]
fn emitted_tests_pass_in_icarus() {
    let Some(()) = support::needs_icarus("icarus") else { return };
    support::in_parallel(&support::sampled(&support::without_and_with_registers(), 4), |unit| {
        let (folder, module) = (written(unit), unit.module_name());
        support::compile_with_icarus(folder.path(), &module);
        assert_verdicts(unit, |plus| last_line(Command::new("vvp").current_dir(folder.path()).arg("test").args(plus)));
    });
}

#[cfg(feature = "rtl")]
#[test]
fn emitted_tests_pass_in_verilator() {
    if !support::long_tier() {
        return;
    }
    let Some(tools) = support::needs_verilator("verilator") else { return };
    let units = support::without_and_with_registers();
    // In the ordinary tier the smallest of those with registers.
    let registered = &units[units.len() / 2];
    let chosen: Vec<&Unit> = if support::long_tier() { units.iter().collect() } else { vec![registered] };
    support::in_parallel(&chosen, |unit| {
        let (folder, module) = (written(unit), unit.module_name());
        let mut build = Command::new(tools.verilator());
        build.current_dir(folder.path()).env("VERILATOR_ROOT", tools.verilator_root());
        // Not every system has a `python`; a header compiled beforehand is not found where the folder is another; what runs seldom need
        // not be fast.
        build.args([
            "--binary",
            "-CFLAGS",
            "-std=c++20 -fcoroutines",
            "-MAKEFLAGS",
            "PYTHON3=python3 CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O0 OPT_GLOBAL=-O0 OPT_SLOW=-O0",
            "-f",
            &format!("{module}.f"),
        ]);
        build.args(["--top-module", &format!("{module}_test"), &format!("{module}_test.sv")]);
        let built = build.output().expect("verilator runs");
        assert!(built.status.success(), "{module}: {}", String::from_utf8_lossy(&built.stderr));
        let program = folder.path().join(format!("obj_dir/V{module}_test"));
        assert_verdicts(unit, |plus| last_line(Command::new(&program).current_dir(folder.path()).args(plus)));
    });
}

/// FuseSoC reads the manifest, lints by Verilator where that is on PATH, and runs the test in Icarus.
#[test]
fn fusesoc_takes_the_manifest() {
    if !support::has_program("fusesoc", "--version") || !support::has_program("iverilog", "-V") {
        return support::skip("fusesoc", "fusesoc or iverilog is not on PATH");
    }
    let volta = catalogue::unit("volta-fp16-fp32").expect("a unit of the catalogue");
    let unit = volta.with_cuts(Cut::best(volta.scheme, 5).expect("a row"));
    let folder = written(&unit);
    let name = format!("tensorsmith:units:{}", unit.module_name());
    let run = |target: &str| {
        let mut command = Command::new("fusesoc");
        command.current_dir(folder.path()).args(["--cores-root", ".", "run", &format!("--target={target}"), &name]);
        let output = command.output().expect("fusesoc runs");
        (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    let (ran, said) = run("sim");
    assert!(ran && said.contains(&format!("PASS {}: {VECTORS} vectors", unit.name)), "{said}");
    if support::has_program("verilator", "--version") {
        let (linted, said) = run("lint");
        assert!(linted, "{said}");
    }
}

/// Bender reads its manifest and lists the sources in the order of the list of files; it refuses one without a package.
#[test]
fn bender_takes_the_manifest() {
    let Some(()) = support::needs_program("bender", "bender", "--version") else { return };
    for unit in support::without_and_with_registers() {
        let folder = written(&unit);
        let script = || {
            let mut command = Command::new("bender");
            command
                .current_dir(folder.path())
                .args(["script", "flist", "--target", "test"])
                .output()
                .expect("bender runs")
        };
        let output = script();
        assert!(output.status.success(), "{}: {output:?}", unit.name);
        let module = unit.module_name();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let names = said.lines().filter_map(|line| Path::new(line).file_name()?.to_str());
        let list = std::fs::read_to_string(folder.path().join(format!("{module}.f"))).expect("a list of files");
        let test = format!("{module}_test.sv");
        assert_eq!(names.collect::<Vec<_>>(), list.lines().chain([&test[..]]).collect::<Vec<_>>(), "{}", unit.name);
        let manifest = folder.path().join("Bender.yml");
        let text = std::fs::read_to_string(&manifest).expect("a manifest");
        std::fs::write(&manifest, text.replacen("package:", "packet:", 1)).expect("the folder is ours");
        assert!(!script().status.success(), "a manifest without a package");
    }
}

/// Every source is listed, in the order of the list of files, and what is listed is there.
#[test]
fn manifests_list_what_is_there() {
    for unit in support::without_and_with_registers() {
        let folder = written(&unit);
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
        let module = unit.module_name();
        let listed: Vec<String> = read(&format!("{module}.f")).lines().map(str::to_owned).collect();
        for manifest in [format!("{module}.core"), "Bender.yml".to_owned()] {
            let text = read(&manifest);
            let named =
                text.lines().filter_map(|line| line.trim().strip_prefix("- ")).filter(|name| name.ends_with(".sv"));
            let named: Vec<&str> = named.filter(|name| !name.ends_with("_test.sv")).collect();
            assert_eq!(named, listed, "{manifest}");
        }
        assert!(listed.iter().all(|name| Path::new(folder.path()).join(name).is_file()));
        let own = Unit::from_toml("own", &read(&format!("{module}.toml"))).expect("a unit file");
        assert_eq!((own.build.cuts.clone(), own.module_name()), (unit.build.cuts.clone(), module));
    }
}
