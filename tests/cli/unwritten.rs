//! Files that cannot be written in the end: all else is there, and nothing half-written.
#![cfg(unix)]

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::program::{Folder, Run};

/// A program that answers every vector with zero.
const ZERO: &str =
    "while read -r word rest; do case $word in hello) echo hello 1 zero 1;; flush) echo flush;; *) echo 0;; esac; done";

/// A case file that cannot be written loses no result: table, JSON and JUnit are there before the exit code says so.
#[test]
fn results_without_a_case_file() {
    let folder = Folder::new();
    let engines = ["--engines", "emulator,external", "--external", ZERO, "--cases", "cases"];
    let units = ["cosim", "volta-fp16-fp32", "tiny-nearest", "--vectors", "500"];
    let outputs = ["--json", "out.json", "--junit", "out.xml"];
    let run = folder.run(&[&units[..], &engines, &outputs].concat());
    assert_eq!(run.code, 1, "{run:?}");
    let report = folder.json("out.json");
    let case = report["units"][0]["first_mismatch"]["case_file"].as_str().expect("a case file").to_owned();

    // Its name is taken by a folder, whoever runs this test.
    fs::remove_file(folder.path(&case)).and_then(|()| fs::create_dir(folder.path(&case))).expect("a folder");
    ["out.json", "out.xml"].iter().for_each(|name| fs::remove_file(folder.path(name)).expect("it is there"));
    let run = folder.run(&[&units[..], &engines, &outputs].concat());
    assert!(run.code == 2 && run.stderr.contains(&format!("{case}: cannot be written: it is a folder")), "{run:?}");
    assert!(run.stdout.contains("1,000 vectors compared") && run.stdout.contains("first mismatch: "), "{run:?}");
    assert!(!run.stdout.contains(&format!("case file: {case}")), "{run:?}");
    let report = folder.json("out.json");
    let first = |unit: usize| &report["units"][unit]["first_mismatch"];
    assert!(first(0)["case_file"].is_null() && first(1)["case_file"].is_string(), "{report}");
    assert_eq!(report["passed"], false);
    assert_eq!(folder.read("out.xml").matches("<testsuite ").count(), 3, "two units, and what could not be written");
    assert!(report["error"].as_str().is_some_and(|error| error.contains("cannot be written")), "{report}");
    println!("ran 2 times 1,000 vectors");
}

/// The program where no file may have more than so many blocks of 512 bytes, as on a disk that fills.
fn in_little_room(folder: &Folder, blocks: u32, arguments: &[&str]) -> Run {
    let command = folder.command(arguments);
    let mut little = Command::new("sh");
    // Without the signal for it such a write is an error, as on a full disk.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    little.args(["-c", &script, "sh"]).arg(command.get_program());
    little.args(command.get_args()).current_dir(folder.path(""));
    little.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = little.output().expect("the shell starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().expect("the program ends by itself");
    Run { code, stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

/// What was inferred is said where its file cannot be written.
#[test]
fn results_without_a_unit_file() {
    let folder = Folder::new();
    let infer = ["infer", "tiny-nearest", "--engine", "emulator", "--out", "found.toml", "--json", "-"];
    let run = in_little_room(&folder, 1, &infer);
    assert!(run.code == 2 && run.stderr.contains("cannot be written: File too large"), "{run:?}");
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON and nothing else");
    assert_eq!((&report["found"], &report["files"][0]["name"]), (&true.into(), &"found.toml".into()));
    assert!(folder.content().is_empty());
}

/// What does not fit leaves nothing: no file, no part of one, no folder; and what was there stays as it was.
#[test]
fn emitted_files_are_all_there_or_none() {
    let folder = Folder::new();
    let emit = ["emit", "hopper-fp16-fp32", "--out", "new/rtl"];
    for content in [&[][..], &[("new/rtl/hopper_fp16_fp32.sv", "older"), ("new/rtl/notes", "mine")]] {
        content.iter().for_each(|(name, text)| folder.write(name, text));
        let before = folder.content();
        let run = in_little_room(&folder, 8, &emit);
        assert!(run.code == 2 && run.stdout.is_empty(), "{run:?}");
        assert!(run.stderr.contains("error: output folder new/rtl: cannot be written: File too large"), "{run:?}");
        assert_eq!(folder.content(), before);
    }
    // Folders of killed programs are removed, whenever they were killed; those in use and those of others are not.
    let hidden = |name: &str| folder.path(&format!("new/rtl/.tensorsmith-{name}"));
    let (left, kept) = (["left", "empty", "early"], ["held", "holding", "other"]);
    for name in left.iter().chain(&kept) {
        fs::create_dir(hidden(name)).expect("a new folder");
    }
    let files = [("left", "lock"), ("early", "lock.new"), ("held", "lock"), ("holding", "lock.new"), ("other", "file")];
    for (name, file) in files {
        fs::write(hidden(name).join(file), "").expect("it is ours");
    }
    let locks = [("held", "lock"), ("holding", "lock.new")].map(|(name, file)| hidden(name).join(file));
    let locks = locks.map(|path| fs::File::open(path).expect("it is there"));
    locks.iter().for_each(|lock| lock.lock().expect("nobody else has it"));
    let run = folder.succeed(&emit);
    let there = fs::read_dir(folder.path("new/rtl")).expect("a folder").count();
    assert_eq!(there, run.stdout.lines().count() + ["notes"].len() + kept.len());
    assert!(left.iter().all(|name| !hidden(name).exists()) && kept.iter().all(|name| hidden(name).exists()));
    assert_ne!(folder.read("new/rtl/hopper_fp16_fp32.sv"), "older");
}

/// Yosys' own words are lost on a full disk; why is not.
#[test]
fn netlists_in_little_room() {
    if crate::support::needs_yosys("little-room").is_none() {
        return;
    }
    let mut folder = Folder::new();
    folder.write("mine.toml", super::bad_units::UNIT);
    folder.set("TENSORSMITH_CACHE", "cache");
    let run = in_little_room(&folder, 256, &["cosim", "mine.toml", "--engines", "emulator,netlist", "--vectors", "9"]);
    assert!(run.code == 2 && run.stderr.contains("no room in ") && run.stderr.contains("File too large"), "{run:?}");
}
