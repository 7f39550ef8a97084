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

/// With enough chunks each thread has engines of its own; of many short recordings each is replayed by one thread.
#[test]
fn many_chunks_and_many_recordings_are_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    let bytes = |jobs: &str| {
        let out = format!("{jobs}.tsrec");
        let unit = ["record", "tiny-nearest", "--engine", "wide", "--vectors", "330000", "--out", &out, "--jobs", jobs];
        assert_eq!(folder.run(&unit).code, 0);
        std::fs::read(folder.path(&out)).expect("a recording")
    };
    let (one, two) = (bytes("1"), bytes("2"));
    let chunks = |bytes: &[u8]| recorded(bytes).into_iter().map(|one| (one.bytes, one.vectors)).collect::<Vec<_>>();
    assert!(chunks(&one) == chunks(&two), "two threads recorded something else");
    let shown = folder.run(&["show", "tiny-nearest", "--toml"]);
    folder.write("other.toml", shown.stdout.replace("fraction_bits = 5", "fraction_bits = 4"));
    let replay = |file: &str, jobs: &str| {
        let other = ["--subject", "other.toml", "--engines", "wide,emulator", "--jobs", jobs, "--json", "r.json"];
        let run = folder.run(&[&["replay", file], &other[..]].concat());
        assert_eq!(run.code, 1, "{}", run.stderr);
        folder.json("r.json")
    };
    let found = replay("1.tsrec", "1");
    let mismatches = found.pointer("/recordings/0/engines/1/mismatches").and_then(Value::as_u64);
    assert!(mismatches.is_some_and(|count| count > 0), "{found}");
    assert_eq!(found, replay("1.tsrec", "2"));
    let short = ["record", "tiny-nearest", "--engine", "wide", "--vectors", "700", "--out", "short.tsrec"];
    assert_eq!(folder.run(&short).code, 0);
    let short = std::fs::read(folder.path("short.tsrec")).expect("a recording");
    std::fs::write(folder.path("many.tsrec"), [&short[..], &short, &one, &short, &short].concat()).expect("room");
    let found = replay("many.tsrec", "1");
    assert_eq!(found["recordings"].as_array().map(Vec::len), Some(5));
    assert_eq!(found, replay("many.tsrec", "2"));
    // One that stopped within its second part goes on.
    let parts = |out: &str, jobs: &str| {
        let unit = ["record", "tiny-nearest", "--engine", "wide", "--vectors", "20000", "--suites", "shaped,random"];
        assert_eq!(folder.run(&[&unit[..], &["--out", out, "--jobs", jobs]].concat()).code, 0);
        std::fs::read(folder.path(out)).expect("a recording")
    };
    let whole = parts("whole.tsrec", "1");
    std::fs::write(folder.path("rest.tsrec.part"), &whole[..whole.len() * 3 / 4]).expect("room");
    assert!(parts("rest.tsrec", "3") == whole, "what went on is something else");
    // What is damaged is told in the same words, and nothing else: a checksum that does not hold, and what cannot be unpacked.
    let first_data = 20 + number(&one, 16) + 4 + 17;
    for (place, checksums, said) in [(one.len() - 1000, false, "checksum"), (first_data, true, "is damaged at offset")]
    {
        let mut damaged = one.clone();
        damaged[place] ^= 1;
        if checksums {
            put_checksums(&mut damaged);
        }
        std::fs::write(folder.path("damaged.tsrec"), damaged).expect("room");
        let told = ["1", "2"].map(|jobs| {
            let run = folder.run(&["replay", "damaged.tsrec", "--engines", "wide", "--jobs", jobs]);
            (run.code, run.stdout, run.stderr)
        });
        assert!(told[0].0 == 2 && told[0].1.is_empty() && told[0].2.contains(said), "{told:?}");
        assert!(told[0].2.contains("checksum") != checksums, "{told:?}");
        assert_eq!(told[0], told[1]);
    }
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize
}

/// Writes the checksums of a recording anew, as RECORDING.md says.
fn put_checksums(bytes: &mut [u8]) {
    let mut at = 20 + number(bytes, 16);
    loop {
        let sum = crc32fast::hash(&bytes[..at]);
        bytes[at..at + 4].copy_from_slice(&sum.to_le_bytes());
        match bytes.get(at + 4) {
            Some(b'V') => at += 4 + 17 + number(bytes, at + 4 + 13),
            Some(_) => at += 4 + 9,
            None => return,
        }
    }
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
