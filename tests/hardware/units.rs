//! Every unit and instruction of the catalogue that the processor computes: emulator against processor.

use tensorsmith::check::compare::{Comparison, Source, compare};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::{ProductOrder, Scheme, Unit};
use tensorsmith::engine::processor::Operation;
use tensorsmith::engine::{Batch, Emulator, Engine, Kind, Matrices, Opened};

use super::support;

fn units() -> Vec<Unit> {
    let all = catalogue::names().into_iter().filter_map(catalogue::unit);
    all.filter(|unit| Operation::of(unit).is_some()).collect()
}

/// The engine of the processor, or a skip with its reason.
fn open(subject: &Subject, operation: Operation) -> Option<Box<dyn Engine>> {
    match Kind::Processor.open_subject(subject).expect("nothing fails") {
        Opened::Ready(engine) => Some(engine),
        Opened::Absent(reason) => {
            support::skip(&format!("intel-{}", operation.name().to_lowercase()), &reason);
            None
        }
    }
}

fn against_emulator(subject: &Subject, processor: Box<dyn Engine>, count: u64) -> Comparison {
    let Opened::Ready(emulator) = Kind::Emulator.open_subject(subject).expect("nothing fails") else {
        panic!("the emulator always runs")
    };
    let source = Source::Shaped { stimulus: Stimulus::shaped(subject.frame(), 6), count };
    compare(vec![emulator, processor], &source, &mut |_| {}).expect("the engines answer")
}

#[test]
fn emulator_processor_shaped_units() {
    let count = if support::long_tier() { 10_000_000 } else { 100_000 };
    let units = units();
    let computed = |operation: &Operation| units.iter().any(|unit| Operation::of(unit) == Some(*operation));
    assert!(Operation::ALL.iter().all(computed), "an instruction that no unit describes");
    for unit in units {
        let operation = Operation::of(&unit).expect("one of the processor's");
        let (name, subject) = (unit.name.clone(), Subject::Unit(unit));
        let Some(processor) = open(&subject, operation) else { continue };
        let comparison = against_emulator(&subject, processor, count);
        println!("{name}: emulator and {} ran {} vectors each", operation.name(), comparison.compared);
        assert_eq!((comparison.compared, comparison.mismatches), (count, 0), "{name}: {:?}", comparison.first);
    }
}

/// Instructions, of a family the first in the ordinary tier, vector by vector, and as whole matrices with a K of two of theirs.
#[test]
fn emulator_processor_shaped_instructions() {
    let mut seen = 0;
    let count = if support::long_tier() { 50_000 } else { 10_000 };
    let members = catalogue::instruction_entries().into_iter().flat_map(support::members);
    let all = members.filter_map(|name| catalogue::instruction(&name));
    for instruction in all.filter(|instruction| instruction.units().all(|unit| Operation::of(unit).is_some())) {
        let operation = Operation::of(&instruction.unit).expect("one of the processor's");
        let name = instruction.name.clone();
        seen += 1;
        let subject = Subject::Instruction(instruction.clone());
        let Some(mut processor) = open(&subject, operation) else { continue };
        multiply(&instruction, processor.as_mut());
        let comparison = against_emulator(&subject, processor, count);
        println!("{name}: emulator and {} ran {} vectors each", operation.name(), comparison.compared);
        assert_eq!((comparison.compared, comparison.mismatches), (count, 0), "{name}: {:?}", comparison.first);
    }
    assert!(seen > 0);
}

fn multiply(instruction: &Instruction, processor: &mut dyn Engine) {
    let (m, n, k) = (19, 21, 2 * instruction.shape.k as usize);
    let mut batch = Batch::of_interface(&instruction.interface());
    Stimulus::shaped(instruction.frame(), 7).fill(0, 1500, &mut batch);
    let take = |all: &[u64], count: usize| all.iter().copied().cycle().take(count).collect();
    let (a, b, c) = (take(&batch.a, m * k), take(&batch.b, k * n), take(&batch.c, m * n));
    let matrices = Matrices { m, n, k, a, b, c, ..Default::default() };
    let Opened::Ready(mut emulator) =
        Kind::Emulator.open_subject(&Subject::Instruction(instruction.clone())).expect("nothing fails")
    else {
        panic!("the emulator always runs")
    };
    // Whole blocks of a tile instruction's unit need not be taken apart.
    let in_tiles = matches!(Operation::of(&instruction.unit), Some(Operation::Tile(_)));
    if in_tiles && instruction.shape.k.is_multiple_of(instruction.unit.products) {
        let whole = processor.multiply(&matrices).expect("the engine answers");
        assert_eq!(whole.map(|d| d.len()), Some(m * n), "{}: whole tiles", instruction.name);
    }
    let [ours, theirs] =
        [emulator.as_mut(), processor].map(|engine| matrices.multiply(instruction, engine).expect("matrices that fit"));
    assert_eq!(ours, theirs, "{}", instruction.name);
}

/// Changes one thing of a unit.
type Change = fn(&mut Unit);

const FAULTS: [(&str, Change); 7] = [
    ("one chain from c, from the first product", |unit| {
        (unit.scheme, unit.order) = (Scheme::FmaChain, ProductOrder::Ascending);
    }),
    ("toward zero for to nearest", |unit| unit.conversion.rounding = Rounding::TowardZero),
    ("subnormal operands kept", |unit| unit.flush.operands = false),
    ("subnormal addend kept", |unit| unit.flush.addend = false),
    ("subnormal results kept", |unit| (unit.flush.result, unit.flush.tiny_result) = (false, false)),
    ("tiny results rounded up to 2^-126 kept", |unit| unit.flush.tiny_result = false),
    ("another NaN", |unit| unit.conversion.nan = 0x7fc0_0000),
];

/// Wrong descriptions, which the processor's answers must refute: the shaped stimulus finds each out.
#[test]
fn wrong_descriptions_are_caught() {
    for name in ["amx-bf16-fp32", "avx512-bf16-fp32"] {
        let right = catalogue::unit(name).expect("a unit of the catalogue");
        let operation = Operation::of(&right).expect("one of the processor's");
        for (fault, change) in FAULTS {
            let Some(processor) = open(&Subject::Unit(right.clone()), operation) else { break };
            let mut wrong = right.clone();
            change(&mut wrong);
            let source = Source::Shaped { stimulus: Stimulus::shaped(&right, 8), count: 100_000 };
            let engines: Vec<Box<dyn Engine>> = vec![Box::new(Emulator::new(&wrong)), processor];
            let comparison = compare(engines, &source, &mut |_| {}).expect("the engines answer");
            println!("{name}: {fault}: {} of {} vectors differ", comparison.mismatches, comparison.compared);
            assert!(comparison.mismatches > 0, "{name}: {fault} was not caught");
        }
    }
}
