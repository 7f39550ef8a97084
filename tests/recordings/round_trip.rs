//! What is written is read again; a recording that stopped goes on.

use std::process::Command;

use tensorsmith::describe::catalogue;

use super::*;

#[test]
fn round_trip_every_unit_and_instruction() {
    let units =
        catalogue::unit_entries().into_iter().filter_map(|entry| catalogue::unit_members(entry)?.first().cloned());
    let names: Vec<String> = units.map(|name| name.to_string()).chain(some_instructions()).collect();
    let mut vectors = 0;
    for name in &names {
        let bytes = recording(name, 300, 128);
        let (found, read) = read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(found, header(name, 300), "{name}");
        let written = chunks(name, 300, 128);
        assert_eq!(read.len(), written.len(), "{name}");
        for (number, (chunk, (batch, results))) in read.iter().zip(&written).enumerate() {
            assert_eq!(chunk.first, 128 * number as u64, "{name}");
            assert_eq!((&chunk.batch, &chunk.results), (batch, results), "{name}");
            vectors += results.len();
        }
    }
    println!("{vectors} vectors of {} units and instructions were read as written", names.len());
    assert_eq!(vectors, 300 * names.len());
}

/// With scales, with a long K, with fp64, with integers.
pub fn some_instructions() -> Vec<String> {
    let wanted = |name: &&str| ["nvf4", "wgmma-k32", "fp64", "int8-int32"].iter().any(|part| name.contains(part));
    let names: Vec<String> = catalogue::instruction_names().into_iter().filter(wanted).map(str::to_owned).collect();
    assert!(names.len() >= 4, "{names:?}");
    names
}

/// Recordings of different layouts in one file, read in their order; what is not read of one is skipped.
#[test]
fn several_in_a_file() {
    let names = ["tiny-nearest", "hopper-mma-m16n8k4-fp64-fp64", "blackwell-nvf4-fp32", "tiny-nearest"];
    let pieces = names.map(|name| recording(name, 200, 64));
    let recordings = read_all(&pieces.concat()).expect("four recordings");
    assert_eq!(recordings.len(), names.len());
    for ((header, chunks), (name, piece)) in recordings.iter().zip(names.iter().zip(&pieces)) {
        assert_eq!(header.subject, *name);
        assert_eq!(*chunks, read(piece).expect("a recording").1, "{name}");
    }
    let joined = pieces.concat();
    let mut reader = Reader::new(&joined[..]).expect("a recording");
    for (place, (name, piece)) in names.iter().zip(&pieces).enumerate() {
        assert_eq!(reader.header().subject, *name);
        let more = reader.next_recording().expect("whole recordings");
        assert_eq!(more, place + 1 < names.len());
        // Of the last one the count stays; of any other the next header is read already.
        assert!(more || reader.bytes() == piece.len() as u64, "{} bytes of {}", reader.bytes(), piece.len());
    }
}

/// Recordings of the first version, such as those that the project holds, are read.
#[test]
fn first_version() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/recordings");
    let bytes = std::fs::read(folder.join("Sapphire-Rapids-0.tsrec")).expect("a file");
    let recordings = read_all(&bytes).expect("whole recordings");
    assert!(recordings.iter().all(|(header, chunks)| header.version == 1 && !chunks.is_empty()));
    assert!(recordings.iter().all(|(header, _)| header.recorded().is_ok()));
    let mut own = header("tiny-nearest", 0);
    own.described = Some(tensorsmith::recording::Described::default());
    own.version = 1;
    assert!(own.recorded().is_err_and(|error| error.contains("`described` is given; allowed: from version 2 on")));
}

/// A header that could not be read again is not written.
#[test]
fn long_header() {
    let mut header = header("tiny-nearest", 0);
    header.device.insert("name".to_owned(), "x".repeat(1 << 20));
    let error = Writer::new(Vec::new(), &header).map(drop).expect_err("a long header").to_string();
    assert!(error.contains("bytes; allowed: at most 1048576"), "{error}");
}

#[test]
fn vectors_belong_to_parts() {
    let mut header = header("tiny-nearest", 5);
    header.parts.push(Part { suite: "random".to_owned(), seed: 8, vectors: 3 });
    assert_eq!(header.vectors(), 8);
    let place = |vector| header.place(vector).map(|(part, number)| (part.suite.as_str(), number));
    assert_eq!([4, 5, 7, 8].map(place), [Some(("shaped", 4)), Some(("random", 0)), Some(("random", 2)), None]);
}

/// Stopped anywhere, even within a chunk or the header, a recording goes on to the same bytes.
#[test]
fn stopped_recordings_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stopped.tsrec");
    let whole = recording("hopper-fp16-fp32", 400, 100);
    let header = header("hopper-fp16-fp32", 400);
    let chunks = chunks("hopper-fp16-fp32", 400, 100);
    for length in (0..whole.len()).step_by(97).chain([whole.len() - 1]) {
        std::fs::write(&path, &whole[..length]).expect("a file");
        let mut writer = Writer::resume(&path, &header).unwrap_or_else(|error| panic!("{length}: {error}"));
        let done = writer.vectors();
        assert!(done.is_multiple_of(100), "only whole chunks count");
        for (batch, results) in &chunks[done as usize / 100..] {
            writer.chunk(batch, results).expect("a chunk");
        }
        writer.finish().expect("the end");
        assert_eq!(std::fs::read(&path).expect("a file"), whole, "stopped after {length} bytes");
    }
}

/// Programs that other threads start meanwhile hold the file, and its lock, for a moment.
#[test]
fn recordings_go_on_beside_programs_that_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stopped.tsrec");
    let header = header("tiny-nearest", 400);
    let programs = || (0..200).for_each(|_| assert!(Command::new("true").status().expect("it starts").success()));
    std::thread::scope(|scope| {
        let threads = [0; 3].map(|_| scope.spawn(programs));
        while threads.iter().any(|thread| !thread.is_finished()) {
            let writer = Writer::resume(&path, &header).unwrap_or_else(|error| panic!("{error}"));
            assert!(matches!(Writer::resume(&path, &header), Err(StreamError::Busy)), "there is one writer at a time");
            drop(writer);
        }
    });
}

/// Changes a header.
type Change = fn(&mut Header);

/// Another subject, seed, engine or machine is not the same recording; another time is.
#[test]
fn other_recordings_do_not_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stopped.tsrec");
    let whole = recording("tiny-nearest", 400, 100);
    let half = &whole[..whole.len() / 2];
    let resumed = |change: Change| {
        let mut other = header("tiny-nearest", 400);
        change(&mut other);
        std::fs::write(&path, half).expect("a file");
        Writer::resume(&path, &other).map(|writer| writer.vectors())
    };
    assert!(resumed(|header| header.recorded = "2001-01-01T00:00:00Z".to_owned()).is_ok_and(|vectors| vectors > 0));
    let cases: [(Change, &str); 6] = [
        (|header| header.subject = "other".to_owned(), "subject tiny-nearest, not subject other"),
        (
            |header| header.parts[0].seed = 8,
            "parts[0] shaped, 400 vectors, seed 7, not parts[0] shaped, 400 vectors, seed 8",
        ),
        (|header| header.parts.clear(), "parts[0] shaped, 400 vectors, seed 7, not parts[0] missing"),
        (|header| header.engine.version = "x".to_owned(), "not engine emulator (x)"),
        (|header| drop(header.device.insert("name".to_owned(), "x".to_owned())), "not device.name x"),
        (|header| drop(header.device.insert("microcode".to_owned(), "0x2".to_owned())), "not device.microcode 0x2"),
    ];
    for (change, message) in cases {
        let refused = resumed(change).expect_err("another recording");
        assert!(matches!(refused, StreamError::Other { .. }), "{refused}");
        assert!(refused.to_string().contains(message), "{message:?} is missing in: {refused}");
        assert_eq!(std::fs::read(&path).expect("a file"), half, "what is refused is left alone");
    }
}
