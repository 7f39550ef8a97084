//! A proof that is interrupted goes on where it stopped, believes no damaged file, and leaves no program behind.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use super::command::{run, text};
use super::needs_yosys;
use super::support::long_tier;
use super::support::seal::{sealed, unsealed};

const PATIENCE: Duration = Duration::from_secs(120);

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Files in which a subject's proofs are kept.
fn kept(cache: &Path, subject: &str) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(cache).into_iter().flatten().flatten().map(|entry| entry.path());
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| name(path).starts_with(&format!("{subject}-")) && name(path).ends_with(".proof")).collect();
    paths.sort_unstable();
    paths
}

fn interrupt(child: &mut Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it runs");
    assert!(!child.wait().expect("it ends").success());
}

fn start(arguments: &[&str]) -> Command {
    // An interrupt ends it even where this test runs in the background, which ignores interrupts.
    let mut command = Command::new("env");
    command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_tensorsmith")]);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The ordinary tier takes a small unit, whose proof ends before it can be interrupted: every second file of it is removed.
#[test]
fn an_interrupted_proof_goes_on() {
    let Some(()) = needs_yosys("interrupted") else { return };
    let folder = TempDir::new().expect("a folder");
    let (cache, json) = (folder.path().join("kept"), folder.path().join("proof.json"));
    let paths = [&cache, &json].map(|path| path.display().to_string());
    let (unit, module) = match long_tier() {
        true => ("volta-fp16-fp32", "volta_fp16_fp32"),
        false => ("tiny-nearest", "tiny_nearest"),
    };
    let whole = || kept(&cache, module).iter().for_each(|path| std::fs::remove_file(path).expect("ours"));
    let arguments = ["prove", unit, "--rtl", "--jobs", "1", "--cache", &paths[0], "--json", &paths[1]];
    if long_tier() {
        let mut child = start(&arguments).spawn().expect("it starts");
        wait_until("obligations are kept", || kept(&cache, "obligation").len() >= 5);
        interrupt(&mut child, Signal::INT);
        assert!(kept(&cache, module).is_empty(), "it was not interrupted");
    } else {
        assert!(run(&arguments).status.success());
        assert!(!kept(&cache, module).is_empty(), "it is kept as a whole, too");
        whole();
        let all = kept(&cache, "obligation");
        all.iter().step_by(2).for_each(|path| std::fs::remove_file(path).expect("ours"));
    }
    let first = kept(&cache, "obligation").len();

    let proof = || {
        let output = run(&arguments);
        let said = text(&output.stdout);
        assert!(output.status.success() && said.contains(&format!("{unit}: proved")), "{said}");
        let report: Value =
            serde_json::from_str(&std::fs::read_to_string(&json).expect("a report")).expect("it is JSON");
        let asked = report["obligations"].as_array().expect("a list").iter();
        let kept = asked.filter(|one| one["kept"] == true && one["same_as"] == Value::Null).count();
        (kept, said)
    };
    let (second, said) = proof();
    assert!(second > 0 && second <= first, "{second} of {first}");
    assert!(said.contains(&format!("kept from an earlier run: {second} of ")), "{said}");
    whole();
    let all = kept(&cache, "obligation");
    if long_tier() {
        let (third, _) = proof();
        assert!(third > second && third <= all.len(), "{third} of {}", all.len());
    }

    // A file that is cut, and one that says another thing with a right seal: the key is not that of its proof.
    whole();
    let bytes = std::fs::read(&all[0]).expect("it is there");
    std::fs::write(&all[0], &bytes[..bytes.len() / 2]).expect("it is ours");
    let largest = |path: &&PathBuf| std::fs::metadata(path).map_or(0, |found| found.len());
    let proof_of_another = all[1..].iter().max_by_key(largest).expect("there are several");
    let bytes = std::fs::read(proof_of_another).expect("it is there");
    for path in all[1..].iter().filter(|path| *path != proof_of_another) {
        let name = path.file_name().expect("a name").to_string_lossy();
        std::fs::write(path, sealed(&name, unsealed(&bytes))).expect("it is ours");
    }
    let (fourth, said) = proof();
    assert!(fourth <= 1, "one file is sound: {said}");
}

/// A program that tells its version, and otherwise waits in a program of its own.
fn slow(folder: &Path, name: &str, version: &str, seconds: &str) -> PathBuf {
    let program = folder.join(name);
    let asked = "[ \"$1\" = -V ] || [ \"$1\" = --version ]";
    let script = format!("#!/bin/sh\nif {asked}; then {version}; exit; fi\nsleep {seconds}\nexit 1\n");
    std::fs::write(&program, script).expect("a program");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    program
}

/// PATH with a folder before it.
fn path_with(folder: &Path) -> String {
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default())
}

fn sleeps(seconds: &str) -> bool {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut lines = processes.filter_map(|process| std::fs::read_to_string(process.path().join("cmdline")).ok());
    lines.any(|line| line == format!("sleep\0{seconds}\0"))
}

/// Whatever ends the program ends Yosys, solvers and Icarus too, with what they started, and their files are removed: in a proof,
/// in the engine of netlists, in a question to a solver, in a compilation and a simulation. What an earlier one left is removed.
#[test]
fn what_was_started_ends_with_the_program() {
    let folder = TempDir::new().expect("a folder");
    let prove = ["prove", "tiny-nearest", "--rtl", "--no-cache"];
    let cosim = ["cosim", "tiny-nearest", "--engines", "emulator,netlist", "--vectors", "1000"];
    let simulate = ["cosim", "tiny-nearest", "--engines", "emulator,icarus", "--vectors", "1000"];
    let solve = ["prove", "tiny-nearest", "--property", "monotone", "--solver", "z3", "--jobs", "1", "--no-cache"];
    let cases = [
        (&prove[..], Signal::INT),
        (&prove, Signal::KILL),
        (&cosim, Signal::INT),
        (&cosim, Signal::TERM),
        (&solve, Signal::INT),
        (&solve, Signal::KILL),
        (&simulate, Signal::INT),
        (&simulate, Signal::KILL),
        (&simulate, Signal::KILL),
    ];
    let last = cases.len() - 1;
    for (number, (arguments, signal)) in cases.into_iter().enumerate() {
        // No other process sleeps as long as this one.
        let seconds = format!("{}.{number}", 2_000_000 + std::process::id());
        let yosys = slow(folder.path(), "yosys", "echo Yosys 9", &seconds);
        let solver = slow(folder.path(), "solver", "echo solver 1.2", &seconds);
        assert_eq!(yosys.parent(), solver.parent());
        // In the last case the compiler does well, and the simulator is slow.
        slow(folder.path(), "vvp", "echo Icarus 9", &seconds);
        slow(folder.path(), "iverilog", "echo Icarus 9", if number == last { "0; exit 0" } else { &seconds });
        let files = folder.path().join(format!("files-{number}"));
        std::fs::create_dir_all(files.join(".tensorsmith-left")).expect("it is ours");
        std::fs::write(files.join(".tensorsmith-left/lock"), "").expect("it is ours");
        let left = || std::fs::read_dir(&files).expect("the folder").count();
        let mut command = start(arguments);
        command.env("PATH", path_with(folder.path())).env("Z3", &solver).env("TMPDIR", &files);
        let mut child = command.env("TENSORSMITH_CACHE", folder.path().join("cache")).spawn().expect("it starts");
        wait_until("it runs", || sleeps(&seconds));
        assert!(left() > 0, "{arguments:?} works in a folder");
        interrupt(&mut child, signal);
        wait_until("it goes on", || !sleeps(&seconds));
        wait_until("files are left", || left() == 0);
    }
}

/// The limit of a proof counts for Yosys, whose version takes a part of it here, and ends in unknown.
#[test]
fn a_slow_yosys_is_unknown() {
    let folder = TempDir::new().expect("a folder");
    let seconds = format!("{}.9", 2_000_000 + std::process::id());
    let mut command = start(&["prove", "tiny-nearest", "--rtl", "--no-cache", "--timeout", "2"]);
    slow(folder.path(), "yosys", "sleep 1.2; echo Yosys 9", &seconds);
    command.env("PATH", path_with(folder.path())).stdout(Stdio::piped());
    let output = command.output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.contains("tiny-nearest: unknown: yosys takes longer than 2 seconds"), "{said}");
    let unread = "tiny_nearest_registered: was not read, because yosys takes longer than 2 seconds";
    assert!(said.contains(unread) && !said.contains("does more than delay"), "{said}");
    wait_until("yosys goes on", || !sleeps(&seconds));
}
