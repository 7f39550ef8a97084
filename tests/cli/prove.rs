//! `prove` on the command line: verdicts, witnesses, kept answers, and what it refuses.

use super::program::{Folder, assert_fields, interruptible};
use super::support::skip;

/// Whether the default solver is there; otherwise the check is skipped.
pub fn has_solver(folder: &Folder) -> bool {
    let run = folder.run(&["prove", "volta-fp16-fp32", "--property", "carry-bits-sufficient", "--no-cache"]);
    if run.code == 2 && run.stderr.contains("bitwuzla") {
        skip("prove-bitwuzla", run.stderr.trim());
        return false;
    }
    assert_eq!(run.code, 0, "{run:?}");
    true
}

#[test]
fn prove_lists_properties_and_queries() {
    let listed = Folder::new().succeed(&["prove", "--list"]).stdout;
    for name in ["carry-bits-necessary", "monotone", "9-terms-4-carry-bits", "property-5-truncating"] {
        assert!(listed.contains(name), "{name}: {listed}");
    }
}

#[test]
fn prove_properties_with_kept_answers() {
    let folder = Folder::new();
    if !has_solver(&folder) {
        return;
    }
    let properties = ["--property", "carry-bits-sufficient", "--property", "monotone"];
    let arguments = [&["prove", "volta-fp16-fp32", "--cache", "kept", "--json", "out.json"], &properties[..]].concat();
    let run = folder.run(&arguments);
    assert_eq!(run.code, 1, "one is refuted: {run:?}");
    assert!(run.stdout.contains("1 proved, 1 refuted, 0 unknown"), "{}", run.stdout);
    assert!(run.stdout.contains("confirmed by emulator, reference"), "{}", run.stdout);
    let report = folder.json("out.json");
    let fields =
        ["command", "inapplicable", "memory_mib", "solver", "statements", "subject", "tensorsmith", "timeout_seconds"];
    assert_fields(&report, &fields);
    let [sufficient, monotone] = [0, 1].map(|index| report["statements"][index].clone());
    assert_eq!((&sufficient["verdict"], &sufficient["cached"]), (&"proved".into(), &false.into()));
    assert_eq!((&monotone["verdict"], &monotone["questions"][0]["found"]), (&"refuted".into(), &"witness".into()));
    let witness = &monotone["questions"][0]["witness"];
    assert_eq!(witness[0]["a"], witness[1]["a"]);
    assert_ne!(witness[0]["c"], witness[1]["c"]);

    let again = folder.run(&arguments);
    assert_eq!((again.code, folder.json("out.json")["statements"][0]["cached"].clone()), (1, true.into()));
    assert_eq!(folder.json("out.json")["statements"][1]["questions"][0]["witness"], *witness);
}

/// Where answers cannot be kept that is said, and not passed over.
#[test]
fn prove_refuses_a_cache_that_is_no_folder() {
    let folder = Folder::new();
    folder.write("kept", "a file");
    for what in [&["--rtl"][..], &["--property", "monotone"]] {
        let arguments = [&["prove", "tiny-nearest", "--cache", "kept"], what].concat();
        folder.refuse(&arguments, &["--cache kept: ", "allowed: a folder"]);
    }
}

#[test]
fn prove_one_query_of_a_suite() {
    let folder = Folder::new();
    if !has_solver(&folder) {
        return;
    }
    let query = ["prove", "--suite", "valpey", "--query", "exact-multiplication", "--no-cache", "--json", "-"];
    let report: serde_json::Value = serde_json::from_str(&folder.succeed(&query).stdout).expect("JSON");
    let statement = &report["statements"][0];
    assert_eq!((&statement["published_z3"], &statement["verdict"]), (&"0.55".into(), &"proved".into()));
    assert_eq!(statement["questions"][0]["witness"].as_array().map(Vec::len), Some(4));
}

#[test]
fn prove_with_any_number_of_products() {
    let folder = Folder::new();
    if !has_solver(&folder) {
        return;
    }
    let necessary = ["--property", "carry-bits-necessary", "--no-cache"];
    let run = folder.succeed(&[&["prove", "volta-fp16-fp32", "--products", "2"], &necessary[..]].concat());
    assert!(run.stdout.contains("volta-fp16-fp32-2"), "{}", run.stdout);
    folder.refuse(
        &[&["prove", "volta-fp16-fp32", "--products", "65"], &necessary[..]].concat(),
        &["products", "65", "64"],
    );
}

/// A solver that does not answer in time, or crashes, leaves everything unknown; one that lies is caught.
#[test]
fn prove_says_unknown_and_why() {
    let mut folder = Folder::new();
    let version = "[ \"$1\" = --version ] && echo 'Z3 version 9.9' && exit";
    let ask = |folder: &Folder| {
        let arguments = ["--property", "special-values", "--solver", "z3", "--timeout", "1", "--cache", "kept"];
        folder.run(&[&["prove", "volta-fp16-fp32"], &arguments[..]].concat())
    };
    folder.set("Z3", "z3");
    for (script, why) in [
        ("exec sleep 30", "no answer within 1 s"),
        ("kill -9 $$", "the solver crashed"),
        ("echo maybe", "the solver answered nonsense"),
        ("echo sat", "the solver answered nonsense: its values do not satisfy the query"),
        ("echo unknown", "the solver gave up"),
    ] {
        folder.script("z3", &format!("{version}\n{script}"));
        let run = ask(&folder);
        assert_eq!(run.code, 1, "{script}: {run:?}");
        assert!(run.stdout.contains("0 proved, 0 refuted, 1 unknown"), "{script}: {}", run.stdout);
        assert!(run.stdout.contains(why), "{script}: {}", run.stdout);
        let kept = std::fs::read_dir(folder.path("kept")).into_iter().flatten().flatten();
        let mut names = kept.map(|entry| entry.file_name().to_string_lossy().into_owned());
        assert!(!names.any(|name| name.ends_with(".proof")), "what is unknown is not kept");
    }
}

#[test]
fn prove_refuses() {
    let mut folder = Folder::new();
    folder.refuse(&["prove"], &["<UNIT>"]);
    folder.refuse(&["prove", "nothing"], &["unknown unit or instruction \"nothing\""]);
    folder.refuse(&["prove", "volta-fp16-fp32", "--property", "beauty"], &["unknown property \"beauty\"", "monotone"]);
    folder.refuse(&["prove", "--suite", "valpey", "--query", "x"], &["unknown query \"x\"", "exact-multiplication"]);
    folder.refuse(&["prove", "volta-fp16-fp32", "--timeout", "0"], &["--timeout"]);
    let slices = ["prove", "integer-int8-int32", "--property", "slices-exact"];
    folder.refuse(&slices, &["--property slices-exact: it says nothing of", "--slice-bits gives it"]);
    folder.refuse(&[&slices[..], &["--slice-bits", "8"]].concat(), &["--slice-bits is 8; allowed: 1 to 7"]);
    folder.refuse(&[&slices[..], &["--slice-bits", "0"]].concat(), &["--slice-bits", "from 1 to 24"]);
    folder.refuse(&[&slices[..], &["--slice-bits", "7", "--k", "0"]].concat(), &["--k", "from 1 to 1048576"]);
    folder.refuse(&[&slices[..], &["--k", "8"]].concat(), &["--slice-bits"]);
    // Beside other properties that are asked it is an error all the same.
    let all = ["prove", "integer-int8-int32", "--slice-bits"];
    folder.refuse(&[&all[..], &["8"]].concat(), &["--slice-bits is 8; allowed: 1 to 7"]);
    folder.refuse(&[&all[..], &["7", "--property", "monotone"]].concat(), &["--slice-bits", "--property slices-exact"]);
    folder.refuse(&[&all[..], &["7", "--rtl"]].concat(), &["--slice-bits", "--rtl"]);
    let instruction = ["prove", "ampere-mma-m16n8k16-fp16-fp32"];
    folder.refuse(
        &[&instruction[..], &["--products", "8"]].concat(),
        &["--products: ampere-mma-m16n8k16-fp16-fp32 is an instruction; allowed: a unit, such as ampere-fp16-fp32"],
    );
    folder.refuse(
        &[&instruction[..], &["--property", "products-exact"]].concat(),
        &["it is a property of the unit of its blocks; allowed: the unit ampere-fp16-fp32"],
    );
    folder.set("BITWUZLA", "nowhere");
    folder.refuse(
        &["prove", "volta-fp16-fp32", "--no-cache"],
        &["bitwuzla", "nowhere", "does not work", "./x setup", "pip install bitwuzla", "BITWUZLA"],
    );
    folder.refuse(
        &["prove", "integer-int8-int32-saturate", "--property", "monotone"],
        &["--property monotone: it says nothing of integer-int8-int32-saturate", "floating-point"],
    );
}

#[test]
fn distinguish_by_solver() {
    let mut folder = Folder::new();
    folder.set("TENSORSMITH_CACHE", "cache");
    if !has_solver(&folder) {
        return;
    }
    let solver = ["--solver", "bitwuzla"];
    let alike = folder.succeed(&[&["distinguish", "turing-fp16-fp32", "ampere-fp16-fp32"], &solver[..]].concat());
    assert!(alike.stdout.contains("are equivalent: proved for all inputs"), "{}", alike.stdout);
    // A vector is put to the RTL of both: in the ordinary tier of units that are linked into the program.
    let linked = ["volta-fp16-fp32", "cdna2-fp16-fp32"];
    let differ = if crate::support::long_tier() { ["tiny-truncating", "tiny-nearest"] } else { linked };
    let json = [&["distinguish", differ[0], differ[1], "--json", "-"], &solver[..]].concat();
    let report: serde_json::Value = serde_json::from_str(&folder.succeed(&json).stdout).expect("JSON");
    assert_eq!((&report["verdict"], &report["fewest"]), (&"differ".into(), &true.into()));
    assert_ne!(report["vector"]["answers"][0]["hexadecimal"], report["vector"]["answers"][1]["hexadecimal"]);
    let longer = [&["distinguish", "volta-fp16-fp32", "ampere-fp16-fp32", "--json", "-"], &solver[..]].concat();
    folder.refuse(&longer, &["number of products", "--k for sums in several runs"]);
    let report = folder.succeed(&[&longer[..], &["--k", "5"]].concat()).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!((&report["verdict"], &report["k"]), (&"differ".into(), &5.into()));
    folder.refuse(
        &[&["distinguish", "tiny-nearest"], &solver[..]].concat(),
        &["--solver: 1 subjects; allowed: two units"],
    );
    folder.refuse(&["distinguish", "tiny-nearest", "tiny-truncating", "--timeout", "3"], &["--solver"]);
}

/// Values and other schemes that make no difference are proved to make none.
#[test]
fn infer_with_solver() {
    let mut folder = Folder::new();
    folder.set("TENSORSMITH_CACHE", "cache");
    let solver = ["--solver", "bitwuzla", "--timeout", "60"];
    let infer = |unit| ["infer", unit, "--engine", "emulator", "--confirm", "5000", "--search", "5000"];
    if has_solver(&folder) {
        let found = |unit| {
            let run = folder.succeed(&[&infer(unit)[..], &solver, &["--json", "found.json"]].concat());
            let report = folder.json("found.json");
            assert!(report["solver"].as_str().is_some_and(|solver| solver.starts_with("bitwuzla ")), "{report}");
            assert!(run.stdout.contains("; the rest is put to bitwuzla "), "{}", run.stdout);
            (run.stdout, report)
        };
        let (said, _) = found("tiny-then-add");
        assert!(said.contains("addend_reach indistinguishable from 5: proved for all inputs by bitwuzla "), "{said}");
        if crate::support::long_tier() {
            let (said, report) = found("tiny-exact");
            let equivalent = report["equivalent"].as_array().into_iter().flatten();
            let last = |other: &&serde_json::Value| {
                other["composition"].as_str().is_some_and(|composition| composition.ends_with("c added last"))
            };
            let (last, alone): (Vec<_>, Vec<_>) = equivalent.partition(last);
            assert!(!alone.is_empty() && alone.iter().all(|other| other["decision"]["proved"] == true), "{report}");
            let not_asked = "blocks, wider formats or c added last, which no solver is asked about";
            assert!(last.iter().all(|other| other["decision"]["reason"] == not_asked), "{report}");
            assert!(said.contains("fused, 2 products is the same: proved for all inputs by bitwuzla "), "{said}");
        }
    }
    let recording = ["infer", "--recording", "none.tsrec", "--solver", "bitwuzla"];
    folder.refuse(&recording, &["--recording", "cannot be used with", "--solver"]);
    folder.refuse(&[&infer("tiny-exact")[..], &["--timeout", "3"]].concat(), &["--solver"]);
    folder.set("BITWUZLA", "nowhere");
    folder.refuse(&[&infer("tiny-exact")[..], &solver].concat(), &["bitwuzla", "nowhere", "does not work"]);
}

/// What was settled before an interruption is kept.
#[test]
fn prove_keeps_answers_after_an_interruption() {
    let mut folder = Folder::new();
    folder.set("Z3", "z3");
    let answer = "[ -e first ] && exec sleep 30\ntouch first\necho unsat";
    folder.script("z3", &format!("[ \"$1\" = --version ] && echo 'Z3 version 9.9' && exit\n{answer}"));
    let arguments = ["--property", "truncation-error", "--solver", "z3", "--cache", "kept", "--jobs", "1"];
    let mut command = interruptible(&folder.command(&[&["prove", "volta-fp16-fp32"], &arguments[..]].concat()));
    let mut child = command.stdout(std::process::Stdio::null()).spawn().expect("the program starts");
    let kept = || {
        let entries = std::fs::read_dir(folder.path("kept")).into_iter().flatten().flatten();
        entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(".proof")).count()
    };
    let start = std::time::Instant::now();
    while kept() == 0 && start.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let number = child.id().to_string();
    let signalled = std::process::Command::new("kill").args(["-INT", &number]).status().expect("kill is there");
    assert!(signalled.success());
    assert_eq!(child.wait().expect("it ends").code(), None, "it was ended by the signal");
    assert!(kept() > 0);
}
