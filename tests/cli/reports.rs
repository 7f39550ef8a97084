//! Reports for machines: a run that does not finish is red in all of them, a signal stops one with what there is, and JUnit XML keeps the
//! rules of those who read it.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::external::has_python;
use super::program::{Folder, SOFTWARE, interruptible};
use super::support::{junit, needs_program};

/// A program that returns zero for every vector.
pub const ZERO: &str =
    "while read -r word rest; do case $word in hello) echo hello 1 zero 1;; flush) echo flush;; *) echo 0;; esac; done";

pub const REPORTS: [&str; 5] = ["--json", "out.json", "--junit", "out.xml", "--annotate"];

/// A campaign of four pieces.
pub const CAMPAIGN: &str = "name = \"small\"\nengines = [\"emulator\", \"external\"]\npiece = 4096\nvectors = 16384\n\
                            [[run]]\nsubjects = [\"tiny-fma\"]\n";

/// Commands that cannot finish, each with a part of the reason. What an earlier run reported is not left.
#[test]
fn commands_that_do_not_finish_are_red() {
    let folder = Folder::new();
    folder.write("small.toml", CAMPAIGN);
    folder.write("bad.tsrec", "no recording");
    folder.write("wrong.toml", "name = 1");
    let part = folder.run(&["campaign", "small.toml", "--out", "part", "--shard", "1/2", "--external", ZERO]);
    assert_eq!(part.code, 1, "{part:?}");
    folder.write("part/note", "");
    let broken = ["--external", "exit 3"];
    let named = ["--engines", "emulator,external"];
    let lines: [(Vec<&str>, &str, &str); 7] = [
        ([&["cosim", "tiny-fma"], &named[..], &broken].concat(), "exited with code 3", ""),
        (vec!["cosim", "wrong.toml", "--engines", SOFTWARE], "wrong.toml", "file=wrong.toml,"),
        (vec!["cosim", "--design", "none.toml"], "none.toml: cannot be read", ""),
        (vec!["cosim", "tiny-fma", "--engines", "emulator,hip:7"], "engine hip:7 was named and is missing", ""),
        ([&["campaign", "small.toml", "--out", "new"], &broken[..]].concat(), "exited with code 3", ""),
        (vec!["merge", "small.toml", "part"], "2 of 4 pieces are missing", ""),
        (vec!["replay", "bad.tsrec"], "bad.tsrec", "file=bad.tsrec,"),
    ];
    for (line, reason, place) in &lines {
        folder.write("out.json", "{\"passed\": true}");
        folder.write("out.xml", "<testsuites tests=\"1\" failures=\"0\" errors=\"0\"/>");
        let run = folder.run(&[&line[..], &REPORTS].concat());
        assert!(run.code == 2 && run.stderr.contains(reason), "{line:?}: {run:?}");
        let report = folder.json("out.json");
        assert_eq!(report["passed"], false, "{line:?}: {report}");
        assert_eq!(report["error"].as_str().map(|error| error.contains(reason)), Some(true), "{line:?}: {report}");
        let faults = junit::read(&folder.read("out.xml")).unwrap_or_else(|error| panic!("{line:?}: {error}"));
        assert!(
            faults.iter().any(|fault| fault.kind == "error" && fault.text.contains(reason)),
            "{line:?}: {faults:?}"
        );
        let annotation = run.stdout.lines().find(|line| line.starts_with("::error ")).expect("an annotation");
        assert!(
            run.stdout.contains(&format!("::error {place}title=tensorsmith {}", line[0])),
            "{line:?}: {annotation}"
        );
    }
    assert!(!folder.path("new").exists(), "nothing was finished");
    // Standard output holds the report too.
    let run = folder.run(&["cosim", "--design", "none.toml", "--json", "-"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON and nothing else");
    assert_eq!((run.code, &report["passed"]), (2, &false.into()));
    println!("ran {} commands that do not finish", lines.len());
}

/// What was compared before an engine failed stays in the report.
#[test]
fn units_before_a_failure_are_reported() {
    let folder = Folder::new();
    // It knows units with an addend of 8 bits only, and ends at the others.
    let picky = "read -r line; case $line in *c=binary32*) exit 3;; esac; echo hello 1 zero 1;
        while read -r word rest; do case $word in flush) echo flush;; *) echo 0;; esac; done";
    let line = ["cosim", "tiny-fma", "volta-fp16-fp32", "--vectors", "2000", "--engines", "emulator,external"];
    let run = folder.run(&[&line[..], &["--external", picky], &REPORTS].concat());
    assert_eq!(run.code, 2, "{run:?}");
    let report = folder.json("out.json");
    assert_eq!(report["units"].as_array().map(Vec::len), Some(1), "{report}");
    assert_eq!((&report["units"][0]["unit"], &report["passed"]), (&"tiny-fma".into(), &false.into()));
    let kinds: Vec<String> =
        junit::read(&folder.read("out.xml")).expect("rules").into_iter().map(|one| one.kind).collect();
    assert_eq!(kinds, ["failure", "error"]);
}

/// The failure of a mismatch has the table, the seed and the line to run it again; suites have their counts.
#[test]
fn failures_have_all_that_is_printed() {
    let folder = Folder::new();
    let line = ["cosim", "tiny-fma", "--vectors", "2000", "--engines", "emulator,external", "--external", ZERO];
    let run = folder.run(&[&line[..], &["--seed", "77", "--cases", "cases"], &REPORTS].concat());
    assert_eq!(run.code, 1, "{run:?}");
    let xml = folder.read("out.xml");
    let [fault] = &junit::read(&xml).expect("rules")[..] else { panic!("one failure: {xml}") };
    assert_eq!(fault.attributes["type"], "mismatch");
    for part in [
        "| d (external) |",
        "hexadecimal float",
        "seed 77",
        "rerun: tensorsmith cosim --case cases/case-tiny-fma-seed77",
    ] {
        assert!(fault.text.contains(part), "{part}: {}", fault.text);
    }
    for property in [("seed", "77"), ("compared", "2000"), ("vectors external", "2000")] {
        let (name, value) = property;
        assert!(xml.contains(&format!("<property name=\"{name}\" value=\"{value}\"/>")), "{name}: {xml}");
    }
}

/// What the schema has not is refused, and so are counts that are wrong and failures without type or text.
#[test]
fn rules_of_junit_refuse_what_readers_refuse() {
    let text = |root: &str, case: &str| {
        format!(
            "<testsuites {root}><testsuite name=\"u\" tests=\"1\" failures=\"1\" errors=\"0\">{case}</testsuite></testsuites>"
        )
    };
    let counts = "tests=\"1\" failures=\"1\" errors=\"0\"";
    let case = "<testcase name=\"e\"><failure type=\"mismatch\" message=\"m\">a &lt; b</failure></testcase>";
    let faults = junit::read(&text(counts, case)).expect("a right one");
    assert_eq!(faults[0].text, "a < b");
    let bare = "<testcase name=\"e\"><failure message=\"1 of 1 vectors differ\"/></testcase>";
    for (root, case, refused) in [
        ("skipped=\"0\" tests=\"1\" failures=\"1\" errors=\"0\"", case, "attribute skipped of testsuites"),
        (counts, bare, "failure without type or text"),
        (counts, &case.replace(" name=\"e\"", ""), "testcase without name"),
        (counts, &case.replace("</testcase>", "<properties/></testcase>"), "element properties in Some(\"testcase\")"),
        (counts, &case.replace("failure", "fault"), "element fault"),
        (counts, &format!("text{case}"), "text in testsuite"),
        ("tests=\"2\" failures=\"1\" errors=\"0\"", case, "the report counts [2, 1, 0]"),
        ("tests=\"1\" failures=\"0\" errors=\"0\"", case, "the report counts [1, 0, 0]"),
    ] {
        let error = junit::read(&text(root, case)).expect_err(refused);
        assert!(error.contains(refused), "{error}, not {refused}");
    }
}

pub fn terminate(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("the shell's tools");
    assert!(sent.success(), "the command still runs");
}

/// Without a terminal a line is printed now and then; at a signal the reports have what there is.
#[cfg(unix)]
#[test]
fn signals_leave_reports_of_what_there_is() {
    if needs_program("signals", "kill", "-l").is_none() {
        return;
    }
    for signal in ["-TERM", "-INT"] {
        let folder = Folder::new();
        let line = ["cosim", "hopper-fp16-fp32", "--vectors", "1000000000000", "--engines", SOFTWARE];
        let mut command = interruptible(&folder.command(&[&line[..], &REPORTS].concat()));
        command.env("TENSORSMITH_PROGRESS_SECONDS", "1").stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("the program starts");
        std::thread::sleep(Duration::from_millis(3500));
        terminate(&child, signal);
        let start = Instant::now();
        let output = child.wait_with_output().expect("it ends");
        assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("hopper-fp16-fp32: ") && told.contains(" of 1,000,000,000,000 vectors, "), "{told}");
        let report = folder.json("out.json");
        assert!(report["units"][0]["compared"].as_u64().is_some_and(|count| count > 0), "{report}");
        let reason = format!("stopped by SIG{}", &signal[1..]);
        assert_eq!((&report["passed"], &report["error"]), (&false.into(), &reason.as_str().into()));
        assert!(folder.read("out.xml").contains(&reason));
    }
}

/// A program that hangs does not keep the reports from being written.
#[cfg(unix)]
#[test]
fn signals_end_a_run_that_hangs() {
    let folder = Folder::new();
    let hangs = "read -r line; echo hello 1 slow 1; touch begun; sleep 600";
    let line = ["cosim", "tiny-fma", "--engines", "emulator,external", "--external", hangs];
    let mut command = interruptible(&folder.command(&[&line[..], &REPORTS].concat()));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    while !folder.path("begun").exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    terminate(&child, "-TERM");
    let start = Instant::now();
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(folder.json("out.json")["error"], "stopped by SIGTERM");
}

/// An engine that returns another result for the same vector is named with both, and is no case.
#[test]
fn results_that_are_not_reproducible_are_named() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let right = "print(f\"{answer(words[:PRODUCTS], words[PRODUCTS:-1], words[-1]):x}\")";
    let example = include_str!("../../src/engine/external/example.py");
    assert!(example.contains(right), "the line that prints a result");
    // The 700th line is wrong, once.
    let wrong = right.replace("):x}", ") ^ (count == 700):x}").replace("print", "count += 1; print");
    let example = example
        .replace(right, &wrong)
        .replace("    for line in sys.stdin:", "    count = 0\n    for line in sys.stdin:");
    folder.write("unit.py", example);
    let line = ["cosim", "hopper-fp16-fp32", "--vectors", "3000", "--engines", "emulator,external", "--cases", "cases"];
    let run = folder.run(&[&line[..], &["--external", "python3 unit.py"], &REPORTS].concat());
    assert_eq!(run.code, 1, "{run:?}");
    let report = folder.json("out.json");
    let first = &report["units"][0]["first_mismatch"];
    let twice = &first["not_reproducible"][0];
    assert_eq!((&twice["engine"], &twice["results"][0]), (&"external".into(), &first["answers"][1][1]));
    assert_eq!(twice["results"][1], first["answers"][0][1], "then it was right");
    let text = format!("not reproducible: external returned {}, then ", twice["results"][0].as_str().expect("a word"));
    assert!(run.stdout.contains(&text), "{run:?}");
    assert!(first["case_file"].is_null() && !folder.path("cases").exists(), "no case: {first}");
    let faults = junit::read(&folder.read("out.xml")).expect("rules");
    assert_eq!((faults.len(), &faults[0].attributes["type"][..]), (1, "not-reproducible"));
}
