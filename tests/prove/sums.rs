//! Sums of several runs: their terms answer as engines do, units of different width are compared on them, and properties of
//! instructions of several blocks are proved or refuted.

use dashu_int::IBig;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use tensorsmith::compute::word::term::Graph;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Format, Overflow, Rounding};
use tensorsmith::describe::instruction::{Instruction, Order};
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Chained, Composed, Vector};
use tensorsmith::prove::difference::{Difference, difference};
use tensorsmith::prove::property::{Property, Slices, task_of_instruction};
use tensorsmith::prove::settle::{Statement, Verdict};
use tensorsmith::prove::sum::Sum;
use tensorsmith::prove::{Found, InputTerms, Prover};

use crate::prove::shared::{instruction, sampled, unit};
use crate::prove::support::{prover, settled};

/// So many products by a unit, K at a time.
fn chained(unit: &Unit, products: u32) -> Sum {
    Sum::with_products(&Instruction::alone(unit.clone()), products, &unit.formats.c)
        .expect("the unit adds to its results")
}

/// Blocks of a unit, K products in all.
fn blocks(unit: Unit, k: u32) -> Instruction {
    let mut instruction = Instruction::alone(unit);
    (instruction.name, instruction.shape.k) = (format!("{}-{k}", instruction.name), k);
    assert!(instruction.is_valid(), "{}", instruction.name);
    instruction
}

/// Numbers of like sizes, zeros, and a few encodings of any kind.
fn drawn(interface: &tensorsmith::describe::interface::Interface, random: &mut Xoshiro256PlusPlus) -> Vector {
    let any = random.next_u64().is_multiple_of(4);
    let mut encoding = |format: &Format| {
        let bits = random.next_u64();
        let number = ((bits >> 32) as i32 as f64 / 2f64.powi(31)) * 2f64.powi((bits % 8) as i32 - 4);
        match any && bits.is_multiple_of(8) || format.is_integer() || !format.signed {
            true => bits & format.mask(),
            false => format.from_f64(number, Rounding::NearestEven, Overflow::Saturate),
        }
    };
    let mut list = |format: &Format, count: u32| (0..count).map(|_| encoding(format)).collect::<Vec<u64>>();
    let (formats, products) = (&interface.formats, interface.products);
    let (a, b) = (list(&formats.a, products), list(&formats.b, products));
    let c = if interface.has_addend() { list(&formats.c, 1)[0] } else { 0 };
    let scales = interface.scales.as_ref().map(|scales| [&scales.a, &scales.b]);
    let [scale_a, scale_b] =
        scales.map_or_else(Default::default, |both| both.map(|format| list(format, interface.scale_count())));
    Vector { a, b, c, scale_a, scale_b }
}

/// How many of these vectors terms and emulator answer alike.
fn alike(sum: &Sum, emulated: &Instruction, vectors: u64) -> u64 {
    let interface = sum.interface();
    let (graph, terms) = Graph::build(|| sum.run(&InputTerms::of(&interface)));
    let c = &interface.formats.c;
    let engine = Composed::emulated(emulated);
    let mut engine = Chained::new(engine, &emulated.interface(), interface.products, c).expect("as the sum");
    let same = |seed: u64| {
        let vector = drawn(&interface, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let values = graph.evaluate(&terms.inputs.numbers(&graph, &vector));
        let steps = engine.steps(&vector).expect("emulators answer");
        *values.of(terms.answer.node()) == IBig::from(steps[steps.len() - 1])
    };
    (0..vectors).map(same).filter(|same| *same).count() as u64
}

#[test]
fn sums_terms_emulator_random_instructions() {
    const VECTORS: u64 = 8;
    let all: Vec<Instruction> = catalogue::instruction_names().into_iter().filter_map(catalogue::instruction).collect();
    let composed: Vec<Instruction> = all.into_iter().filter(|own| !own.is_alone() && own.shape.k <= 32).collect();
    let widened = composed.iter().filter(|own| own.final_addition.is_some() || own.c != own.unit.formats.c);
    let some = sampled(&composed, 12).into_iter().chain(widened.take(3));
    let mut count = 0;
    for instruction in some {
        assert_eq!(alike(&Sum::of(instruction), instruction, VECTORS), VECTORS, "{}", instruction.name);
        count += 1;
    }
    for (name, products) in [("volta-fp16-fp32", 10), ("tiny-integer", 5), ("blackwell-nvf4-fp32", 128)] {
        let own = unit(name);
        assert_eq!(alike(&chained(&own, products), &Instruction::alone(own), VECTORS), VECTORS, "{name}");
    }
    println!("{count} instructions and 3 longer sums, {VECTORS} vectors each");
    assert!(count >= 8, "{count} instructions");
}

/// The comparison sees in which blocks products stand.
#[test]
fn sums_terms_emulator_other_blocks_differ() {
    let instruction = instruction("ampere-mma-m16n8k16-fp16-fp32");
    let interleaved = Instruction { order: Order::InterleavedPairs, ..instruction.clone() };
    let same = alike(&Sum::of(&interleaved), &instruction, 40);
    assert!(same < 40, "{same} of 40 vectors alike");
}

/// The wider unit has zeros where the narrower one has no products; with all of its products the narrower one runs twice.
#[test]
fn units_of_different_width_are_compared_on_any_number_of_products() {
    let Some(prover) = prover() else { return };
    let wide = unit("tiny-truncating");
    let narrow = Unit { name: "tiny-one".to_owned(), products: 1, ..wide.clone() };
    let ask = |products: u32| {
        let sums = [&narrow, &wide].map(|unit| chained(unit, products));
        let settled = difference(sums.each_ref(), &prover).expect("confirmed");
        println!("{products} products: {:.2} s", settled.seconds);
        settled.difference
    };
    assert_eq!(ask(1), Difference::None);
    let Difference::Witness { parts, products, fewest } = ask(2) else { panic!("two runs truncate twice") };
    assert_eq!((products, fewest, parts[0].vector.a.len()), (2, true, 2));
    assert_ne!(parts[0].answer, parts[1].answer);
    assert!(parts.iter().all(|part| part.by.starts_with(&["emulator", "reference"])), "{parts:?}");
}

fn ask(instruction: &Instruction, property: &str, slices: Option<Slices>, prover: &Prover) -> Statement {
    let property = Property::named(property).expect("a property");
    let task = task_of_instruction(&property, instruction, slices).unwrap_or_else(|reason| panic!("{reason}"));
    print!("{}: ", instruction.name);
    settled(task, prover)
}

/// Between two blocks the order matters: refuted by a vector of the whole chain, before anything else is asked.
#[test]
fn the_order_of_products_matters_between_blocks() {
    let Some(prover) = prover() else { return };
    let tiny = blocks(unit("tiny-truncating"), 4);
    let statement = ask(&tiny, "operand-order", None, &prover);
    assert_eq!(statement.verdict(), Verdict::Refuted, "{statement:?}");
    let own: Vec<_> = statement.questions.iter().filter(|question| !question.premise).collect();
    let Found::Witness(parts) = &own[0].found else { panic!("{statement:?}") };
    assert!(own.len() == 1 && own[0].label.contains("of two blocks") && own[0].seconds == 0.0, "no solver is asked");
    assert_eq!((parts.len(), parts[0].vector.a.len(), parts[0].name.as_str()), (2, 4, "tiny-truncating-4"));
    assert_eq!(ask(&tiny, "no-overflow", None, &prover).verdict(), Verdict::Proved);
    assert_eq!(ask(&blocks(unit("volta-fp16-fp32"), 8), "monotone", None, &prover).verdict(), Verdict::Refuted);
}

/// Integers that wrap may be added in any order, block by block too; those that saturate may not.
#[test]
fn blocks_of_integers_that_wrap_have_no_order() {
    let Some(prover) = prover() else { return };
    let saturating = unit("tiny-integer");
    let mut wrapping = Unit { name: "tiny-wrapping".to_owned(), ..saturating.clone() };
    wrapping.conversion.overflow = Overflow::Wrap;
    assert_eq!(ask(&blocks(wrapping, 4), "operand-order", None, &prover).verdict(), Verdict::Proved);
    assert_eq!(ask(&blocks(saturating, 4), "operand-order", None, &prover).verdict(), Verdict::Refuted);
    let int8 = instruction("ampere-mma-m16n8k32-int8-int32");
    let slices = Some(Slices { bits: 7, products: int8.shape.k });
    assert_eq!(ask(&int8, "slices-exact", slices, &prover).verdict(), Verdict::Proved);
}

#[test]
fn properties_of_stages_are_those_of_the_unit() {
    let tiny = blocks(unit("tiny-truncating"), 4);
    let refused = |property: &str| {
        let property = Property::named(property).expect("a property");
        task_of_instruction(&property, &tiny, None).err().expect("it says nothing of a chain")
    };
    assert!(
        refused("products-exact")
            .contains("it is a property of the unit of its blocks; allowed: the unit tiny-truncating")
    );
    assert!(refused("slices-exact").contains("--slice-bits"));
}

/// Where runs are no whole blocks, or a run cannot take what the one before gave, sums of slices are not those of the unit.
#[test]
fn slices_of_other_blocks_are_not_asked() {
    let refused = |name: &str, products: u32| {
        let instruction = instruction(name);
        let property = Property::named("slices-exact").expect("a property");
        let slices = Some(Slices { bits: 2, products });
        task_of_instruction(&property, &instruction, slices).err()
    };
    for name in ["hopper-mma-m16n8k8-fp16-fp32", "cdna3-mfma-m4n4k4-fp16-fp32"] {
        let reason = refused(name, 4).unwrap_or_else(|| panic!("{name}: its blocks are shorter than the unit"));
        assert!(reason.contains("whole blocks") || reason.contains("added last"), "{name}: {reason}");
    }
    let narrow = "volta-mma-m8n8k4-fp16-fp32-from-fp16";
    assert!(refused(narrow, 8).expect("c is narrower than d").contains("--k is 8; allowed: 1 to 4"));
    assert_eq!(refused(narrow, 4), None);
    assert_eq!(refused("ampere-mma-m16n8k16-fp16-fp32", 12), None);
}
