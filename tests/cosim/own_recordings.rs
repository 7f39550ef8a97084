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
use tensorsmith::engine::{Engine, Kind};
use tensorsmith::recording::{Chunk, Header, Reader};

use super::support;

/// A device whose recordings are here.
struct Recorded {
    device: &'static str,
    /// Vectors of each suite that is drawn at random, in each recording.
    vectors: u64,
    /// What was recorded of it.
    subjects: usize,
}

const RECORDED: [Recorded; 2] = [
    Recorded { device: "Sapphire-Rapids", vectors: 2000, subjects: 5 },
    Recorded { device: "H100", vectors: 300, subjects: 59 },
];

/// Subjects with a change that their recordings refute.
const CHANGED: [(&str, Change); 11] = [
    ("intel-tdpbf16ps", |unit| unit.flush.operands = false),
    ("intel-tdpbssd", |unit| unit.conversion.overflow = Overflow::Saturate),
    ("intel-vdpbf16ps", |unit| unit.order = ProductOrder::Ascending),
    ("fma-fp32", |unit| unit.conversion.rounding = Rounding::NearestAway),
    ("fma-fp64", |unit| unit.flush.result = true),
    ("hopper-mma-m16n8k16-fp16-fp32", |unit| unit.alignment_mut().fraction_bits = 24),
    ("hopper-mma-m16n8k16-bf16-fp32", |unit| unit.conversion.rounded_zero_positive = false),
    ("hopper-mma-m16n8k8-tf32-fp32", |unit| unit.alignment_mut().exponent_floor = Some(-132)),
    ("hopper-wgmma-k16-fp16-fp16", |unit| unit.alignment_mut().exponent_floor = Some(-133)),
    ("hopper-wmma-m16n16k8-tf32-fp32", |unit| unit.products = 8),
    ("hopper-wgmma-k32-e4m3-fp32", |unit| unit.alignment_mut().fraction_bits = 14),
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
            let vectors = recorded(&header).vectors;
            assert!(drawn.iter().all(|part| part.vectors == vectors), "{drawn:?}");
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

fn recorded(header: &Header) -> &'static Recorded {
    let device = &header.device["device"];
    RECORDED.iter().find(|recorded| recorded.device == device).unwrap_or_else(|| panic!("{device} is not known here"))
}

fn open(subject: &Subject, kind: Kind) -> Option<Box<dyn Engine>> {
    support::ready("own-recordings", kind, kind.open_subject(subject).expect("the engine starts"))
}

fn subject(header: &Header) -> Subject {
    Subject::named(&header.subject).expect("a unit or an instruction of the catalogue")
}

#[test]
fn own_recordings_emulator_reference_rtl() {
    let totals = replayed(&|header| {
        let subject = subject(header);
        let mut kinds = vec![Kind::Emulator, Kind::Reference];
        kinds.extend((support::simulates(&subject.units())).then_some(Kind::Rtl));
        kinds.into_iter().filter_map(|kind| open(&subject, kind)).collect()
    });
    for Recorded { device, vectors, subjects } in RECORDED {
        let of_device = |(key, _): &(&(String, String, &'static str), &(u64, u64))| key.0 == device;
        let recorded: Vec<_> = totals.iter().filter(of_device).filter(|(key, _)| key.2 == "recorded").collect();
        assert_eq!(recorded.len(), subjects, "{device}: {totals:?}");
        let mut by_rtl = 0;
        for ((_, name, _), recorded) in recorded {
            let of = |engine| totals.get(&(device.to_owned(), name.to_owned(), engine)).copied();
            assert!(recorded.0 > 3 * vectors, "{name}: {} vectors", recorded.0);
            assert_eq!([of("emulator"), of("reference")], [Some(*recorded); 2], "{device} {name}");
            // Where RTL is not built, its skip was counted.
            assert_eq!(of("rtl").unwrap_or(*recorded), *recorded, "{device} {name}");
            by_rtl += u64::from(of("rtl").is_some());
            println!("{device} {name}: {} vectors, 0 mismatches", recorded.0);
        }
        println!("{device}: {by_rtl} of {subjects} through RTL too");
    }
}

#[test]
fn own_recordings_refute_changed_units() {
    let changed = |header: &Header| {
        let Some((_, change)) = CHANGED.iter().find(|(name, _)| *name == header.subject) else { return Vec::new() };
        let mut subject = subject(header);
        match &mut subject {
            Subject::Unit(unit) => change(unit),
            Subject::Instruction(instruction) => change(&mut instruction.unit),
        }
        vec![open(&subject, Kind::Emulator).expect("the emulator always runs")]
    };
    let totals = replayed(&changed);
    let outcomes = totals.iter().filter(|((.., engine), _)| *engine == "emulator");
    for ((device, name, _), (vectors, mismatches)) in outcomes.clone() {
        println!("{device} {name}, one rule changed: {mismatches} of {vectors} vectors differ");
        assert!(*mismatches > 0 && mismatches < vectors, "{device} {name}: the change was not caught");
    }
    assert_eq!(outcomes.count(), CHANGED.len());
}
