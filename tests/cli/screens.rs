//! What the program shows: help, the list of units, one unit, and readers who go away early.

use std::process::{Command, Stdio};

use super::program::{Folder, snapshot};
use super::support::sampled;

const COMMANDS: [&str; 20] = [
    "cosim",
    "record",
    "replay",
    "report",
    "units",
    "instructions",
    "devices",
    "show",
    "compare",
    "infer",
    "distinguish",
    "probes",
    "prove",
    "emit",
    "eval",
    "gemm",
    "suite",
    "cache",
    "completions",
    "man",
];

#[test]
fn help_has_examples() {
    let folder = Folder::new();
    let main = folder.succeed(&["--help"]);
    for command in COMMANDS {
        assert!(main.stdout.contains(&format!("  {command} ")), "{command} is missing in: {}", main.stdout);
        for help in [vec![command, "--help"], vec!["help", command]] {
            let run = folder.succeed(&help);
            assert!(run.stdout.contains("Examples:\n"), "{help:?} has no examples: {}", run.stdout);
            assert!(run.stdout.contains(&format!("  tensorsmith {command}")), "{help:?}: {}", run.stdout);
            let longest = run.stdout.lines().map(str::len).max().unwrap_or_default();
            assert!(longest <= 140, "{help:?} has a line of {longest} characters");
        }
    }
    assert!(main.stdout.contains("Exit codes: 0 all is well, 1 answers differ, 2 bad input"), "{}", main.stdout);
    assert!(folder.succeed(&["--version"]).stdout.starts_with("tensorsmith "));
    println!("ran the help of {} commands", COMMANDS.len());
}

/// The examples that need neither files nor minutes do what they say.
#[test]
fn help_examples_run() {
    let folder = Folder::new();
    let mut examples = 0;
    for command in ["units", "instructions", "devices", "show", "probes", "emit", "eval", "suite"] {
        let help = folder.succeed(&[command, "--help"]).stdout;
        let start = format!("  tensorsmith {command} ");
        for line in help.lines().filter(|line| line.starts_with(&start) && !line.contains(".toml")) {
            let words: Vec<&str> = line.split_whitespace().skip(1).collect();
            assert_eq!(folder.run(&words).code, 0, "{line}");
            examples += 1;
        }
    }
    assert!(examples >= 9, "only {examples} examples were found");
    println!("ran {examples} examples of the help texts");
}

#[test]
fn units_snapshot() {
    snapshot("units.txt", &Folder::new().succeed(&["units"]).stdout);
}

#[test]
fn show_snapshot_tiny_truncating() {
    snapshot("show-tiny-truncating.txt", &Folder::new().succeed(&["show", "tiny-truncating"]).stdout);
}

#[test]
fn show_snapshot_tiny_fma() {
    snapshot("show-tiny-fma.txt", &Folder::new().succeed(&["show", "tiny-fma"]).stdout);
}

#[test]
fn units_and_show_json() {
    let folder = Folder::new();
    folder.succeed(&["units", "--json", "units.json"]);
    let units = folder.json("units.json");
    let names: Vec<&str> = units.as_array().expect("a list").iter().filter_map(|unit| unit["name"].as_str()).collect();
    assert!(names.contains(&"volta-fp16-fp32") && names.len() >= 12, "{names:?}");
    let names = sampled(&names, 5);
    for &name in &names {
        let run = folder.succeed(&["show", name, "--json", "-"]);
        let shown: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON and nothing else");
        assert_eq!(shown["unit"]["name"], **name);
        // Integers are not unpacked, aligned, normalised or rounded; lists have their stages in their steps.
        let least = match shown["unit"]["scheme"].as_str() {
            Some("integer") => (3, 3),
            Some("fused" | "exact") => (11, 21),
            _ => (0, 1),
        };
        assert!(shown["constants"].as_array().is_some_and(|constants| constants.len() >= least.0), "{name}");
        assert!(shown["signals"].as_array().is_some_and(|signals| signals.len() >= least.1), "{name}");
        assert!(folder.succeed(&["show", name]).stdout.starts_with(name), "{name}");
    }
    println!("ran show on {} units", names.len());
}

/// `tensorsmith show ... | head -1` must not end in a panic.
#[test]
fn reader_goes_away() {
    let mut runs = 0;
    for arguments in [vec!["units"], vec!["show", "volta-fp16-fp32"], vec!["units", "--json", "-"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tensorsmith"))
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        runs += 1;
    }
    println!("ran {runs} commands whose reader went away");
}
