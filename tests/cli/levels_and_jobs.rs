//! Levels of vector instructions and threads change how fast an answer is, and no byte of it.

use serde_json::Value;
use tensorsmith::isa::Isa;
use tensorsmith::recording::Header;

use super::program::{Folder, SOFTWARE};
use super::recorded::recorded;

#[test]
fn recordings_are_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    let record = |out: &str, jobs: &str| {
        let unit = ["record", "ampere-fp16-fp32", "--engine", "emulator", "--vectors", "30001"];
        let run = folder.run(&[&unit[..], &["--out", out, "--jobs", jobs]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let bytes = std::fs::read(folder.path(out)).expect("a recording");
        // When it was recorded is the only difference.
        let all = recorded(&bytes).into_iter();
        let all: Vec<_> =
            all.map(|one| (Header { recorded: String::new(), ..one.header }, one.bytes, one.vectors)).collect();
        (all, bytes.len())
    };
    let one = record("one.tsrec", "1");
    assert_eq!(one.0.len(), 1);
    assert!(one == record("three.tsrec", "3"), "three threads recorded something else");
    let replay = |json: &str, jobs: &str| {
        let run = folder.run(&["replay", "one.tsrec", "--engines", SOFTWARE, "--jobs", jobs, "--json", json]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        (run.stdout, folder.json(json))
    };
    assert_eq!(replay("one.json", "1"), replay("three.json", "3"));
}

/// One wrong result is found on any number of threads, and is the same one.
#[test]
fn a_wrong_recording_is_seen_on_any_number_of_threads() {
    let folder = Folder::new();
    let unit = ["record", "volta-fp16-fp32", "--engine", "emulator", "--vectors", "20000", "--out", "volta.tsrec"];
    assert_eq!(folder.run(&unit).code, 0);
    let replay = |jobs: &str| {
        let other = ["--subject", "volta-fp16-fp32.toml", "--engines", "emulator", "--jobs", jobs, "--json", "r.json"];
        let run = folder.run(&[&["replay", "volta.tsrec"], &other[..]].concat());
        assert_eq!(run.code, 1, "{}", run.stderr);
        folder.json("r.json")
    };
    let shown = folder.run(&["show", "volta-fp16-fp32", "--toml"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    folder.write("volta-fp16-fp32.toml", shown.stdout.replace("fraction_bits = 23", "fraction_bits = 22"));
    let one = replay("1");
    let mismatches = one.pointer("/recordings/0/engines/0/mismatches").and_then(Value::as_u64);
    assert!(mismatches.is_some_and(|count| count > 0), "{one}");
    assert_eq!(one, replay("3"));
}

#[test]
fn every_level_answers_the_same() {
    let folder = Folder::new();
    let matrix: String = (0..16)
        .map(|row| format!("{}\n", (0..32).map(|k| format!("{} ", (row * k) % 7)).collect::<String>()))
        .collect();
    folder.write("a.txt", &matrix);
    folder.write("b.txt", (0..32).map(|k| format!("{} {}\n", k % 5, k % 3)).collect::<String>());
    let mut answers = Vec::new();
    for isa in Isa::supported() {
        let level = ["--isa", isa.name()];
        let run = folder.run(
            &[&level[..], &["cosim", "hopper-fp16-fp32", "--engines", "wide,reference"], &["--vectors", "5000"]]
                .concat(),
        );
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("0 mismatches") && run.stdout.contains(isa.title()), "{}", run.stdout);
        let product = ["gemm", "hopper-mma-m16n8k16-fp16-fp32", "--a", "a.txt", "--b", "b.txt"];
        let run = folder.run(&[&product[..], &level].concat());
        assert!(run.code == 0 && run.stderr.contains(isa.title()), "{}", run.stderr);
        answers.push(run.stdout);
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]) && answers[0].lines().count() == 16, "{answers:?}");
}

#[test]
fn levels_that_are_none_or_not_there_are_refused() {
    let folder = Folder::new();
    let run = folder.run(&["--isa", "sse2", "units"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("sse2") && run.stderr.contains("portable, neon, avx2, avx512"), "{}", run.stderr);
    let absent = Isa::ALL.into_iter().find(|isa| !isa.is_supported()).expect("no processor has all levels");
    let run = folder.run(&["units", "--isa", absent.name()]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains(absent.name()) && run.stderr.contains("allowed: portable"), "{}", run.stderr);
}
