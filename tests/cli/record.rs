//! Recordings from the command line: written, resumed, replayed, refused.

use std::collections::BTreeMap;

use tensorsmith::check::suite::Suite;
use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::{Kind, Opened};
use tensorsmith::recording::{Header, Layout, Part, VERSION, Writer};

use super::program::{Folder, SOFTWARE};

const RECORD: [&str; 10] = [
    "record",
    "hopper-mma-m16n8k16-fp16-fp32",
    "--engine",
    "emulator",
    "--suites",
    "shaped,random,corners",
    "--vectors",
    "5000",
    "--out",
    "hopper.tsrec",
];

#[test]
fn recorded_and_replayed() {
    let folder = Folder::new();
    let run = folder.succeed(&RECORD);
    assert!(run.stdout.contains("hopper.tsrec: 15,000 vectors, answered by emulator"), "{}", run.stdout);
    assert!(!folder.path("hopper.tsrec.part").exists());
    let replayed = folder.succeed(&["replay", "hopper.tsrec", "--engines", SOFTWARE, "--json", "out.json"]);
    assert!(replayed.stdout.contains("reference: ran 15,000 recorded rows, 0 mismatches"), "{}", replayed.stdout);
    let recording = folder.json("out.json")["recordings"][0].clone();
    assert_eq!((&recording["device"], &recording["operands"]), (&"emulator".into(), &"shaped, random, corners".into()));
    assert_eq!(recording["engines"][1]["vectors"], 15_000);
    // A folder of recordings, and the same command again.
    folder.succeed(&["replay", ".", "--engines", "emulator"]);
    assert!(folder.succeed(&RECORD).stdout.contains("is there already"));
    let mut other = RECORD;
    other[7] = "5001";
    let before = folder.content();
    let run = folder.run(&other);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("hopper.tsrec: is there, and is not this recording"), "{}", run.stderr);
    assert_eq!(folder.content(), before);
}

/// One file with two recordings, of different subjects: both are replayed, and damage of the second one is found.
#[test]
fn several_recordings_in_a_file() {
    let folder = Folder::new();
    let subjects = ["tiny-fma", "fma-fp64"];
    let files = ["a.tsrec", "b.tsrec"];
    for (subject, file) in subjects.iter().zip(files) {
        folder.succeed(&["record", subject, "--engine", "emulator", "--vectors", "700", "--out", file]);
    }
    let [first, second] = files.map(|file| std::fs::read(folder.path(file)).expect("a recording"));
    let mut both = [&first[..], &second].concat();
    folder.write("both/all.tsrec", &both);
    let replayed = folder.succeed(&["replay", "both", "--engines", SOFTWARE, "--json", "out.json"]);
    assert!(replayed.stdout.contains("emulator: ran 1,400 recorded rows, 0 mismatches"), "{}", replayed.stdout);
    let recordings = folder.json("out.json")["recordings"].clone();
    assert_eq!(recordings.as_array().map(Vec::len), Some(2));
    assert_eq!([&recordings[0]["instruction"], &recordings[1]["instruction"]], subjects);
    folder.write("both/all.tsrec", &both[..both.len() - 1]);
    // The end has 13 bytes.
    let end = format!("both/all.tsrec: is damaged at offset {}: it stops within the end", both.len() - 13);
    folder.refuse(&["replay", "both", "--engines", SOFTWARE], &[&end]);
    both.extend(*b"none");
    folder.write("both/all.tsrec", &both);
    let behind = format!("offset {}: what follows the end of a recording is none", first.len() + second.len());
    folder.refuse(&["replay", "both", "--engines", SOFTWARE], &[&behind]);
}

/// Stopped in the middle of a chunk, the recording goes on to the same file.
#[test]
fn stopped_and_gone_on() {
    let folder = Folder::new();
    folder.succeed(&RECORD);
    let whole = std::fs::read(folder.path("hopper.tsrec")).expect("a recording");
    for length in [0, 100, whole.len() / 2, whole.len() - 1] {
        std::fs::remove_file(folder.path("hopper.tsrec")).expect("a file");
        folder.write("hopper.tsrec.part", &whole[..length]);
        let run = folder.succeed(&RECORD);
        assert_eq!(run.stdout.contains("of them before"), length > 10_000, "{length}: {}", run.stdout);
        let again = std::fs::read(folder.path("hopper.tsrec")).expect("a recording");
        // With less than a header the time of recording is a later one.
        assert!(again == whole || length <= 100, "stopped after {length} bytes");
        assert_eq!(again.len(), whole.len());
    }
}

#[test]
fn refused_and_skipped() {
    let folder = Folder::new();
    let record = |arguments: &[&'static str]| [&["record"], arguments, &["--out", "x.tsrec"]].concat();
    folder.refuse(&record(&["no-such", "--engine", "emulator"]), &["unknown unit or instruction \"no-such\""]);
    folder.refuse(&record(&["tiny-fma", "--engine", "gpu"]), &["'gpu'", "nearest: rtl, "]);
    folder.refuse(&record(&["tiny-fma", "--engine", "emulator", "--vectors", "0"]), &["--vectors"]);
    let twice = ["tiny-fma", "--engine", "emulator", "--suites", "random,random"];
    folder.refuse(&record(&twice), &["--suites: random is named twice"]);
    folder.refuse(
        &record(&["tiny-fma", "--engine", "processor"]),
        &["tiny-fma: nothing is recorded: processor skipped, because "],
    );
    folder.refuse(&["replay", "x.tsrec"], &["x.tsrec"]);
    folder.succeed(&record(&["tiny-fma", "--engine", "emulator", "--vectors", "300"]));
    let mut bytes = std::fs::read(folder.path("x.tsrec")).expect("a recording");
    let middle = bytes.len() - 100;
    bytes[middle] ^= 4;
    folder.write("x.tsrec", bytes);
    folder.refuse(&["replay", "x.tsrec", "--engines", "emulator"], &["x.tsrec: is damaged at offset "]);
}

/// A recording with one wrong answer, and one of other formats.
#[test]
fn wrong_answers_differ() {
    let folder = Folder::new();
    let subject = Subject::named("tiny-fma").expect("a unit of the catalogue");
    let Ok(Opened::Ready(mut engine)) = Kind::Emulator.open_subject(&subject) else {
        panic!("the emulator always runs")
    };
    let source = Suite::Shaped.source(subject.frame(), 3, 100).expect("every unit has shaped vectors");
    let (mut batch, mut results) = (source.empty_batch(), Vec::new());
    source.fill(0, 100, &mut batch);
    engine.run(&batch, &mut results).expect("the emulator never fails");
    results[41] ^= 1;
    let mut header = Header {
        version: VERSION,
        tensorsmith: "0".to_owned(),
        recorded: "2000-01-01T00:00:00Z".to_owned(),
        subject: "tiny-fma".to_owned(),
        described: None,
        layout: Layout::of(&subject.interface()),
        engine: engine.identity(),
        device: BTreeMap::from([("name".to_owned(), "a faulty one".to_owned())]),
        parts: vec![Part { suite: "shaped".to_owned(), seed: 3, vectors: 100 }],
    };
    let write = |name: &str, header: &Header| {
        let mut writer = Writer::new(Vec::new(), header).expect("memory can be written");
        writer.chunk(&batch, &results).expect("memory can be written");
        folder.write(name, writer.finish().expect("memory can be written"));
    };
    write("wrong.tsrec", &header);
    let run = folder.run(&["replay", "wrong.tsrec", "--engines", "emulator"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("a faulty one shaped -> e5m2: row 42: emulator answers"), "{}", run.stdout);
    header.subject = "fma-fp32".to_owned();
    write("other.tsrec", &header);
    folder.refuse(&["replay", "other.tsrec"], &["other.tsrec: field `layout` is ", "that of fma-fp32"]);
    header.subject = "no-such".to_owned();
    write("none.tsrec", &header);
    folder.refuse(&["replay", "none.tsrec"], &["none.tsrec: field `subject` is \"no-such\""]);
}

/// Lists are recorded whole, with no seed; one that has nothing to ask is skipped beside another, and refused alone.
#[test]
fn lists_of_directed_vectors() {
    let folder = Folder::new();
    let record = |subject: &'static str, suites: &'static str, out: &'static str| {
        ["record", subject, "--engine", "emulator", "--suites", suites, "--vectors", "10", "--out", out]
    };
    let run = folder.succeed(&record("volta-fp16-fp32", "features,open,random", "volta.tsrec"));
    let bytes = std::fs::read(folder.path("volta.tsrec")).expect("a recording");
    let reader = tensorsmith::recording::Reader::new(bytes.as_slice()).expect("a recording");
    let parts = reader.header().parts.clone();
    let frame = Subject::named("volta-fp16-fp32").expect("a unit of the catalogue").frame();
    let count = |suite: Suite| suite.source(&frame, 1, 10).expect("there are vectors").count();
    let part = |suite: Suite, seed| Part { suite: suite.name().to_owned(), seed, vectors: count(suite) };
    assert_eq!(parts, [part(Suite::Features, 0), part(Suite::Open, 0), part(Suite::Random, 1)]);
    assert!(parts[0].vectors > 1000 && parts[1].vectors > 500 && parts[2].vectors == 10, "{}", run.stdout);
    let replayed = folder.succeed(&["replay", "volta.tsrec", "--engines", SOFTWARE]);
    let total = tensorsmith::report::thousands(reader.header().vectors());
    assert!(
        replayed.stdout.contains(&format!("reference: ran {total} recorded rows, 0 mismatches")),
        "{}",
        replayed.stdout
    );
    let run = folder.succeed(&record("integer-int8-int32-saturate", "features,open", "integers.tsrec"));
    assert!(run.stdout.contains("suite open skipped, because it has nothing to ask"), "{}", run.stdout);
    let alone = record("integer-int8-int32-saturate", "open", "x.tsrec");
    folder.refuse(
        &alone,
        &["--suites: open: it has nothing to ask integer-int8-int32-saturate", "int8; allowed: another suite"],
    );
}
