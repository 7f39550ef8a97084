//! Whole matrices of random shape through several engines; engines that take them apart wrongly, and units that compute
//! wrongly, are caught and brought back to a row and a column.

use tensorsmith::check::black_box::BlackBox;
use tensorsmith::check::compare::{Comparison, to_the_end};
use tensorsmith::check::matrices::{Element, Products, compare_matrices};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::compute::events::Coverage;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::engine::{Batch, Engine, EngineError, Identity, Kind, Matrices, MatrixError, Opened};

use super::support::{self, instruction};
use super::{emulator, open, transposed};

fn products(instruction: &Instruction) -> Products {
    Products::new(instruction, Stimulus::shaped(instruction.frame(), 5), 5)
}

#[test]
fn whole_matrices_emulator_reference_rtl() {
    let count = if support::long_tier() { 200_000 } else { 5_000 };
    for name in [
        "hopper-mma-m16n8k16-fp16-fp32",
        "ada-mma-m16n8k32-e5m2-e4m3-fp32",
        "volta-wmma-m16n16k16-fp16-fp32-from-fp16",
        "blackwell-mma-nvf4-m16n8k64-e2m1-fp32",
        "ampere-mma-m16n8k32-uint8-int8-int32",
        "intel-tdpbf16ps",
    ] {
        let instruction = instruction(name);
        let kinds = [Kind::Emulator, Kind::Reference, Kind::Rtl];
        let engines: Vec<_> = kinds.into_iter().filter_map(|kind| open("matrices", &instruction, kind)).collect();
        let ran = engines.len();
        let products = products(&instruction);
        let draw = |number| products.draw(number);
        let (comparison, element) =
            compare_matrices(engines, &instruction, &draw, count, &mut to_the_end).expect("matrices that fit");
        println!("{name}: {ran} engines ran {} elements of D each", comparison.compared);
        assert!(comparison.compared >= count, "{name}");
        assert_eq!((comparison.mismatches, element), (0, None), "{name}: {:?}", comparison.first);
    }
}

/// Shapes are random, never whole tiles, and K is chained only where d fits into c.
#[test]
fn shapes_of_matrices() {
    for (name, longest) in [("hopper-mma-m16n8k16-fp16-fp32", 4), ("volta-wmma-m16n16k16-fp16-fp32-from-fp16", 1)] {
        let instruction = instruction(name);
        let shape = instruction.shape;
        let products = products(&instruction);
        let (mut steps, mut least, mut greatest) = (Vec::new(), usize::MAX, 0);
        for number in 0..100 {
            let Matrices { m, n, k, .. } = products.draw(number);
            assert!(!m.is_multiple_of(shape.m as usize) && !n.is_multiple_of(shape.n as usize), "{m} x {n}");
            steps.push(k / shape.k as usize);
            (least, greatest) = (least.min(m), greatest.max(m));
        }
        steps.sort_unstable();
        steps.dedup();
        assert_eq!(steps, (1..=longest).collect::<Vec<_>>(), "{name}");
        assert!(least < shape.m as usize && greatest > 2 * shape.m as usize, "{name}: m from {least} to {greatest}");
    }
}

/// What is done to D, or to the operands before.
type Fault = fn(&Matrices, &dyn Fn(&Matrices) -> Vec<u64>) -> Vec<u64>;

/// An engine whose own way to multiply has a fault; single vectors are answered rightly.
struct Faulty {
    instruction: Instruction,
    fault: Fault,
}

impl Faulty {
    fn right(&self, matrices: &Matrices) -> Vec<u64> {
        let mut emulator = emulator(&self.instruction);
        matrices.multiply(&self.instruction, emulator.as_mut()).expect("matrices that fit")
    }
}

impl Engine for Faulty {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn identity(&self) -> Identity {
        Identity { engine: "faulty".to_owned(), version: String::new() }
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        emulator(&self.instruction).run(batch, results)
    }

    fn multiply(&mut self, matrices: &Matrices) -> Result<Option<Vec<u64>>, EngineError> {
        Ok(Some((self.fault)(matrices, &|matrices| self.right(matrices))))
    }

    fn coverage(&self) -> Option<&Coverage> {
        None
    }
}

/// Square matrices of 16 x 16 x 16, whose shapes betray nothing.
fn compared(instruction: &Instruction, other: Box<dyn Engine>) -> Result<(Comparison, Option<Element>), MatrixError> {
    let engines = vec![emulator(instruction), other];
    let products = products(instruction);
    let draw = |number| products.of_shape(number, 16, 16, 1);
    compare_matrices(engines, instruction, &draw, 2000, &mut to_the_end)
}

#[test]
fn wrong_ways_to_multiply_are_caught() {
    let instruction = instruction("hopper-mma-m16n8k16-fp16-fp32");
    let faults: [(&str, Fault); 7] = [
        ("nothing", |matrices, right| right(matrices)),
        ("A transposed", |matrices, right| right(&Matrices { a: transposed(&matrices.a, 16, 16), ..matrices.clone() })),
        ("B transposed", |matrices, right| right(&Matrices { b: transposed(&matrices.b, 16, 16), ..matrices.clone() })),
        ("C transposed", |matrices, right| right(&Matrices { c: transposed(&matrices.c, 16, 16), ..matrices.clone() })),
        ("D transposed", |matrices, right| transposed(&right(matrices), 16, 16)),
        ("two elements of D exchanged", |matrices, right| {
            let mut d = right(matrices);
            d.swap(3 * 16 + 5, 5 * 16 + 3);
            d
        }),
        ("an element of D not written", |matrices, right| {
            let mut d = right(matrices);
            d[7 * 16 + 9] = 0;
            d
        }),
    ];
    for (name, fault) in faults {
        let faulty = Box::new(Faulty { instruction: instruction.clone(), fault });
        let (comparison, element) = compared(&instruction, faulty).expect("matrices that fit");
        println!("{name}: {} of {} elements differ", comparison.mismatches, comparison.compared);
        if name == "nothing" {
            assert_eq!((comparison.mismatches, element), (0, None));
            continue;
        }
        assert!(comparison.mismatches > 0, "{name} was not caught");
        let (element, first) = (element.expect("an element"), comparison.first.expect("a mismatch"));
        assert_eq!((element.m, element.n, element.k, element.from_k), (16, 16, 16, None), "{name}");
        assert_ne!(first.answers[0].1, first.answers[1].1, "{name}");
        let place = [element.row, element.column];
        match name {
            "two elements of D exchanged" => assert_eq!(place, [3, 5]),
            "an element of D not written" => assert_eq!(place, [7, 9]),
            _ => assert!(name == "B transposed" || name == "A transposed" || place[0] != place[1], "{name}"),
        }
        // Its dot product is the row of A and the column of B.
        let matrices = products(&instruction).of_shape(element.product, 16, 16, 1);
        let column: Vec<u64> = (0..16).map(|k| matrices.b[k * 16 + place[1]]).collect();
        assert_eq!((&first.vector.a[..], &first.vector.b), (&matrices.a[place[0] * 16..][..16], &column), "{name}");
    }
}

#[test]
fn too_few_elements_are_refused() {
    let instruction = instruction("hopper-mma-m16n8k16-fp16-fp32");
    let fault: Fault = |matrices, right| right(matrices)[1..].to_vec();
    let error = compared(&instruction, Box::new(Faulty { instruction: instruction.clone(), fault })).err();
    let error = error.expect("an element is missing").to_string();
    assert!(error.contains("engine faulty: 255 elements of D; allowed: m x n = 16 x 16"), "{error}");
}

/// A unit that computes wrongly: the step of K is found, and its dot product made small.
#[test]
fn wrong_units_are_brought_to_a_dot_product() {
    let right = instruction("ampere-mma-m16n8k16-bf16-fp32");
    let mut wrong = right.clone();
    wrong.unit.alignment_mut().fraction_bits += 1;
    for steps in [1, 3] {
        // As an emulator the wrong one would be refused.
        let engines: [Box<dyn Engine>; 2] = [emulator(&right), Box::new(BlackBox(emulator(&wrong)))];
        let products = products(&right);
        let draw = |number| products.of_shape(number, 17, 19, steps);
        let (comparison, element) =
            compare_matrices(engines.into(), &right, &draw, 5000, &mut to_the_end).expect("matrices that fit");
        println!("K of {steps} steps: {} of {} elements differ", comparison.mismatches, comparison.compared);
        let (element, first) = (element.expect("an element"), comparison.first.expect("a mismatch"));
        assert!(element.from_k.is_some_and(|from| from.is_multiple_of(16) && from < 16 * steps), "{element:?}");
        let bits = |operands: &[u64]| operands.iter().map(|bits| bits.count_ones()).sum::<u32>();
        assert!(bits(&first.vector.a) < bits(&first.original.a), "the vector was made smaller: {first:?}");
        assert_ne!(first.answers[0].1, first.answers[1].1);
        if steps == 1 {
            let matrices = draw(element.product);
            let own = matrices.dot_product(&right, element.row, element.column, 0, None);
            assert_eq!((first.original, element.from_k), (own, Some(0)));
        }
    }
}

/// Engines that are opened for a unit, or for an instruction on threads, refuse matrices of another one of the same sizes.
#[test]
fn engines_of_another_unit_are_refused() {
    let unit = catalogue::unit("tiny-nearest").expect("a unit");
    let mut wider = unit.clone();
    wider.alignment_mut().fraction_bits += 1;
    let (own, other) = (Instruction::alone(unit.clone()), Instruction::alone(wider));
    let matrices = products(&own).of_shape(0, 2, 3, 1);
    let expected = matrices.multiply(&own, emulator(&own).as_mut()).expect("matrices that fit");
    let check = |kind: Kind, opened: Opened| {
        let mut engine = support::ready("other-unit", kind, opened)?;
        assert_eq!(matrices.multiply(&own, engine.as_mut()).expect("its own unit"), expected, "{kind:?}");
        let error = matrices.multiply(&other, engine.as_mut()).expect_err("another unit");
        assert!(matches!(error, MatrixError::OtherUnit { .. }), "{kind:?}: {error}");
        Some(engine.name())
    };
    let kinds = [Kind::Rtl, Kind::Icarus, Kind::Netlist, Kind::Gates("gates:ice40"), Kind::Tile("tile:4x4")];
    let opened = kinds.map(|kind| (kind, kind.open(&unit)));
    let spread = (Kind::Emulator, Kind::Emulator.open_spread(&own.clone().into(), 2));
    let ran: Vec<&str> = opened
        .into_iter()
        .chain([spread])
        .filter_map(|(kind, opened)| check(kind, opened.expect("the engine starts")))
        .collect();
    println!("{ran:?} refuse another unit");
}
