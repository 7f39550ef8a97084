//! Reports of command lines that are refused, of reports that cannot be written, of designs with a wrong latency, and of a replay that a
//! signal stops.

use super::program::Folder;
use super::reports::{REPORTS, ZERO};
use super::support::junit;

/// Asserts that both reports are those of a failure with this reason, and are no older ones.
fn assert_red(folder: &Folder, reason: &str) {
    let report = folder.json("out.json");
    let error = report["error"].as_str().unwrap_or_default();
    assert!(report["passed"] == false && error.contains(reason), "{reason}: {report}");
    assert_junit_red(folder, reason);
}

fn assert_junit_red(folder: &Folder, reason: &str) {
    let faults = junit::read(&folder.read("out.xml")).expect("rules");
    assert!(faults.iter().any(|fault| fault.kind == "error" && fault.text.contains(reason)), "{reason}: {faults:?}");
}

/// Wherever the wrong word is, and in either spelling of the options.
#[test]
fn refused_lines_are_red() {
    let folder = Folder::new();
    let spelled = ["--json=out.json", "--junit=out.xml", "--annotate"];
    for (before, after, reason) in [
        (&["cosim", "tiny-fma", "--bogus"][..], &[][..], "unexpected argument '--bogus' found"),
        (&["cosim", "tiny-fma"], &["--vectors", "many"], "invalid value 'many' for '--vectors"),
        (&["--isa", "none", "campaign", "x.toml", "--out", "x"], &[], "invalid value 'none' for '--isa"),
        (&["merge"], &[], "the following required arguments were not provided"),
        (&["replay", "x", "y", "z"], &[], "unexpected argument 'y' found"),
    ] {
        for options in [&REPORTS[..], &spelled] {
            folder.write("out.json", "{\"passed\": true}");
            folder.write("out.xml", "<testsuites tests=\"1\" failures=\"0\" errors=\"0\"/>");
            let run = folder.run(&[before, options, after].concat());
            assert!(run.code == 2 && run.stderr.contains(&format!("error: {reason}")), "{run:?}");
            assert!(run.stdout.starts_with("::error title=tensorsmith "), "{run:?}");
            assert_red(&folder, reason);
        }
    }
    let run = folder.run(&["cosim", "--bogus", "--json", "-"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON and nothing else");
    assert_eq!((run.code, &report["passed"]), (2, &false.into()));
}

/// A refused line replaces no file that it names twice, nor one that is no report.
#[test]
fn refused_lines_replace_reports_only() {
    let folder = Folder::new();
    folder.write("unit.toml", "name = 1");
    folder.write("in.json", "{}");
    for (line, reason) in [
        (&["cosim", "--bogus", "--json", "unit.toml"][..], "--bogus"),
        (&["cosim", "--bogus", "in.json", "--json", "./in.json"], "--bogus"),
        (&["cosim", "--json", "--junit", "unit.toml"], "--json"),
        (&["show", "--bogus", "--json", "in.json"], "--bogus"),
        (&["cosim", "tiny-fma", "--json", "unit.toml", "--junit", "unit.toml"], "--junit: unit.toml"),
    ] {
        let before = folder.content();
        let run = folder.run(line);
        assert!(run.code == 2 && run.stderr.contains(reason), "{line:?}: {run:?}");
        assert_eq!(folder.content(), before, "{line:?}");
    }
}

/// One report cannot be written, from the start or in the end: the other one is there, and reports it.
#[test]
fn reports_beside_one_that_cannot_be_written() {
    let folder = Folder::new();
    let line = ["cosim", "tiny-fma", "--vectors", "1000", "--engines", "emulator,external", "--junit", "out.xml"];
    let missing = ["--json", "gone/out.json", "--external", ZERO];
    let removes = format!("rm -rf gone; {ZERO}");
    let removed = ["--json", "gone/out.json", "--external", &removes];
    for (rest, is_there) in [(missing, false), (removed, true)] {
        folder.write("out.xml", "<testsuites tests=\"1\" failures=\"0\" errors=\"0\"/>");
        if is_there {
            folder.write("gone/file", "");
        }
        let run = folder.run(&[&line[..], &rest].concat());
        let reason = "gone/out.json: cannot be written";
        assert!(run.code == 2 && run.stderr.contains(reason), "{run:?}");
        assert_eq!(run.stdout.contains("mismatch"), is_there, "it runs only where it can report: {run:?}");
        assert_junit_red(&folder, reason);
    }
}

#[test]
fn a_wrong_latency_is_red() {
    if !super::design::is_simulated() {
        return;
    }
    let folder = super::design::with_small(Folder::new());
    folder.write("small/design.toml", folder.read("small/design.toml").replace("latency = 2", "latency = 1"));
    let run = folder.run(&[&["cosim", "--design", "small/design.toml", "--vectors", "1000"][..], &REPORTS].concat());
    let reason = "it depends on the vectors that came before";
    assert!(run.code == 2 && run.stderr.contains(reason), "{run:?}");
    assert_red(&folder, reason);
}

/// The report has what was replayed before the signal, and no recording that was not begun.
#[cfg(unix)]
#[test]
fn a_stopped_replay_is_red() {
    use std::process::Stdio;
    use std::time::Duration;

    if crate::support::needs_program("stopped-replay", "kill", "-l").is_none() {
        return;
    }
    const VECTORS: u64 = 8_000_000;
    let folder = Folder::new();
    std::fs::create_dir(folder.path("in")).expect("a folder");
    let record = ["record", "volta-fp16-fp32", "--engine", "wide", "--suites", "random", "--out", "in/a.tsrec"];
    folder.succeed(&[&record[..], &["--vectors", &VECTORS.to_string()]].concat());
    std::fs::copy(folder.path("in/a.tsrec"), folder.path("in/b.tsrec")).expect("a copy");
    for jobs in ["1", "2"] {
        let line = ["replay", "in", "--engines", "reference", "--jobs", jobs];
        let mut command = folder.command(&[&line[..], &REPORTS].concat());
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
        std::thread::sleep(Duration::from_secs(2));
        super::reports::terminate(&child, "-TERM");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
        let report = folder.json("out.json");
        let [recording] = &report["recordings"].as_array().expect("a list")[..] else { panic!("one: {report}") };
        let vectors = recording["engines"][0]["vectors"].as_u64().expect("a number");
        assert!((1..VECTORS).contains(&vectors), "{jobs} jobs: {report}");
        assert_red(&folder, "stopped by SIGTERM");
    }
}
