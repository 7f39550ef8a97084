//! The project's own recordings of real processors: every vector through emulator, reference and RTL; and units with one
//! rule changed, which the recordings must refute.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use tensorsmith::check::replay::replay;
use tensorsmith::describe::format::{Overflow, Rounding};
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::{ProductOrder, Unit};
use tensorsmith::engine::recording::{Chunk, Header, Reader};
use tensorsmith::engine::{Engine, Kind};

use super::support;

/// Vectors of each suite that is drawn at random, in each recording.
const VECTORS: u64 = 2000;

/// What was recorded of each device, with a change of the unit that its recording refutes.
const RECORDED: [(&str, &str, Change); 5] = [
    ("Sapphire-Rapids", "intel-tdpbf16ps", |unit| unit.flush.operands = false),
    ("Sapphire-Rapids", "intel-tdpbssd", |unit| unit.conversion.overflow = Overflow::Saturate),
    ("Sapphire-Rapids", "intel-vdpbf16ps", |unit| unit.order = ProductOrder::Ascending),
    ("Sapphire-Rapids", "fma-fp32", |unit| unit.conversion.rounding = Rounding::NearestAway),
    ("Sapphire-Rapids", "fma-fp64", |unit| unit.flush.result = true),
];

/// Changes one thing of a unit.
type Change = fn(&mut Unit);

fn files() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/recordings");
    let entries = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|end| end == "tsrec")).collect();
    files.sort();
    files
}

/// Replays recordings through engines, whom `open` gives for a recording: vectors and mismatches of each engine.
fn replayed(open: &dyn Fn(&Header) -> Vec<Box<dyn Engine>>) -> BTreeMap<(String, String, &'static str), (u64, u64)> {
    let mut totals = BTreeMap::new();
    for path in files() {
        let mut reader = Reader::new(BufReader::new(File::open(&path).expect("a file"))).expect("a recording");
        loop {
            let header = reader.header().clone();
            let mut engines = open(&header);
            let mut chunk = Chunk::new(&header.layout);
            while reader.next(&mut chunk).unwrap_or_else(|error| panic!("{}: {error}", path.display())) {
                for engine in &mut engines {
                    let outcome = replay(engine.as_mut(), &chunk.batch, &chunk.results).expect("an answer");
                    let key = (header.device["device"].clone(), header.subject.clone(), outcome.engine);
                    let total: &mut (u64, u64) = totals.entry(key).or_default();
                    total.0 += outcome.vectors;
                    total.1 += outcome.mismatches;
                }
            }
            let (drawn, lists) = header.parts.split_at(3);
            assert!(drawn.iter().all(|part| part.vectors == VECTORS), "{drawn:?}");
            assert!(lists.iter().all(|part| part.vectors > 0), "{lists:?}");
            let suites: Vec<&str> = header.parts.iter().map(|part| part.suite.as_str()).collect();
            assert!(suites.starts_with(&["shaped", "random", "corners", "features"]), "{suites:?}");
            totals.insert((header.device["device"].clone(), header.subject.clone(), "recorded"), (header.vectors(), 0));
            if !reader.next_recording().expect("whole recordings") {
                break;
            }
        }
    }
    totals
}

fn open(subject: &Subject, kind: Kind) -> Option<Box<dyn Engine>> {
    support::ready("own-recordings", kind, kind.open_subject(subject).expect("the engine starts"))
}

fn subject(header: &Header) -> Subject {
    Subject::named(&header.subject).expect("a unit or an instruction of the catalogue")
}

#[test]
fn own_recordings_emulator_reference_rtl() {
    let kinds = [Kind::Emulator, Kind::Reference, Kind::Rtl];
    let totals = replayed(&|header| kinds.into_iter().filter_map(|kind| open(&subject(header), kind)).collect());
    for (device, name, _) in RECORDED {
        let of = |engine| totals.get(&(device.to_owned(), name.to_owned(), engine)).copied();
        let recorded = of("recorded").expect("a recording");
        assert!(recorded.0 > 3 * VECTORS, "{name}: {} vectors", recorded.0);
        assert_eq!([of("emulator"), of("reference")], [Some(recorded); 2], "{device} {name}");
        // Where RTL is not built, its skip was counted.
        assert_eq!(of("rtl").unwrap_or(recorded), recorded, "{device} {name}");
        println!("{device} {name}: {} vectors, 0 mismatches", recorded.0);
    }
    let recordings = totals.keys().filter(|(_, _, engine)| *engine == "emulator").count();
    assert_eq!(recordings, RECORDED.len(), "each recording is known here: {totals:?}");
}

#[test]
fn own_recordings_refute_changed_units() {
    let changed = |header: &Header| {
        let known = RECORDED.iter().find(|(_, name, _)| *name == header.subject);
        let (_, _, change) = known.expect("a recording that is known here");
        let mut subject = subject(header);
        match &mut subject {
            Subject::Unit(unit) => change(unit),
            Subject::Instruction(instruction) => change(&mut instruction.unit),
        }
        vec![open(&subject, Kind::Emulator).expect("the emulator always runs")]
    };
    for ((device, name, engine), (vectors, mismatches)) in replayed(&changed) {
        if engine == "recorded" {
            continue;
        }
        println!("{device} {name}, one rule changed: {mismatches} of {vectors} vectors differ");
        assert!(mismatches > 0 && mismatches < vectors, "{device} {name}: the change was not caught");
    }
}
