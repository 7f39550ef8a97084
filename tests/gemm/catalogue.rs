//! Every element of small matrices, of any size, on shaped and on random operands.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::ThreadPoolBuilder;
use tensorsmith::check::matrices::Products;
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Format;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::gemm::Matrix;
use tensorsmith::engine::{Batch, Composed, Gemm, Kind, Matrices, Opened, Wide};
use tensorsmith::isa::Isa;

use super::support;

/// The levels of vector instructions that the processor has; for those that it lacks the check is skipped.
pub fn levels() -> Vec<Isa> {
    for isa in Isa::ALL.into_iter().filter(|isa| !isa.is_supported()) {
        support::skip(&format!("gemm-{}", isa.name()), format!("the processor has no {}", isa.title()));
    }
    Isa::supported().collect()
}

/// The instructions that the kernel of a level serves.
pub fn served(isa: Isa) -> Vec<(Instruction, Gemm)> {
    let served = catalogue::instructions().into_iter().filter_map(|instruction| {
        let gemm = Gemm::on(&instruction, isa).ok()?;
        Some((instruction, gemm))
    });
    let served: Vec<(Instruction, Gemm)> = served.collect();
    // As many as docs/src/commands/gemm.md says: none falls off the kernel unseen.
    assert_eq!(served.len(), 120, "instructions of the catalogue that the kernel serves on {}", isa.title());
    served
}

/// Those with such names, of which there are some, on the most able level.
pub fn named(is_chosen: impl Fn(&str) -> bool) -> Vec<(Instruction, Gemm)> {
    let served = served(Isa::best());
    let chosen: Vec<_> = served.into_iter().filter(|(instruction, _)| is_chosen(&instruction.name)).collect();
    assert!(!chosen.is_empty(), "no instruction of that name is served");
    chosen
}

/// Encodings of random bits: many infinities and NaN.
pub fn random(instruction: &Instruction, m: usize, n: usize, k: usize, seed: u64) -> Matrices {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut draw = |mask: u64, count: usize| (0..count).map(|_| random.next_u64() & mask).collect();
    let a = draw(instruction.a.mask(), m * k);
    let b = draw(instruction.b.mask(), k * n);
    let c = draw(instruction.c.mask(), m * n);
    Matrices { m, n, k, a, b, c, ..Matrices::default() }
}

/// Random bits without infinities and NaN, of which one element in `rare` is another.
pub fn finite(instruction: &Instruction, m: usize, n: usize, k: usize, rare: u64) -> Matrices {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut matrices = self::random(instruction, m, n, k, 8);
    let operands =
        [(&mut matrices.a, &instruction.a), (&mut matrices.b, &instruction.b), (&mut matrices.c, &instruction.c)];
    for (elements, format) in operands {
        for element in elements {
            if !format.decode(*element).is_finite() && !random.next_u64().is_multiple_of(rare) {
                *element &= format.sign_bit() | format.mask() >> 2;
            }
        }
    }
    matrices
}

/// Numbers with exponents from `low` to `high`, as far as the formats have them, of any fraction and sign.
pub fn between(instruction: &Instruction, [m, n, k]: [usize; 3], [low, high]: [i32; 2]) -> Matrices {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(13);
    let mut draw = |format: &Format, count: usize| -> Vec<u64> {
        let least = (low + format.bias).clamp(1, format.exponent_field_max() + format.bias - 1) as u64;
        let most = (high + format.bias).clamp(1, format.exponent_field_max() + format.bias - 1) as u64;
        let field_place = format.fraction_bits + format.padding_bits;
        let field_mask = (1 << format.exponent_bits) - 1;
        let mut number = || {
            let field = least + random.next_u64() % (most - least + 1);
            random.next_u64() & format.mask() & !(field_mask << field_place) | field << field_place
        };
        (0..count).map(|_| number()).collect()
    };
    let (a, b) = (draw(&instruction.a, m * k), draw(&instruction.b, k * n));
    let c = draw(&instruction.c, m * n);
    Matrices { m, n, k, a, b, c, ..Matrices::default() }
}

/// A, B and C, in elements as narrow as their formats allow.
pub fn operands(instruction: &Instruction, matrices: &Matrices) -> [Matrix; 3] {
    let Matrices { m, n, k, ref a, ref b, ref c, .. } = *matrices;
    [Matrix::of(&instruction.a, m, k, a), Matrix::of(&instruction.b, k, n, b), Matrix::of(&instruction.c, m, n, c)]
}

/// D on the kernel.
pub fn by_kernel(instruction: &Instruction, gemm: &Gemm, matrices: &Matrices) -> Vec<u64> {
    let [a, b, c] = operands(instruction, matrices);
    let d = gemm.multiply(&a, &b, &c, &|_| {});
    (0..d.elements.len()).map(|place| d.elements.get(place)).collect()
}

/// D on the scalar emulator.
pub fn by_emulator(instruction: &Instruction, matrices: &Matrices) -> Vec<u64> {
    let mut emulator = Composed::emulated(instruction);
    matrices.multiply(instruction, emulator.as_mut()).expect("matrices that fit")
}

pub fn assert_equal(instruction: &Instruction, gemm: &Gemm, matrices: &Matrices) -> usize {
    let (expected, found) = (by_emulator(instruction, matrices), by_kernel(instruction, gemm, matrices));
    assert_eq!(expected.len(), found.len());
    if let Some(place) = (0..expected.len()).find(|&place| expected[place] != found[place]) {
        let (row, column) = (place / matrices.n, place % matrices.n);
        panic!(
            "{}: D[{row}][{column}] of {} x {} x {} is {:#x}, and {:#x} on the kernel",
            instruction.name, matrices.m, matrices.n, matrices.k, expected[place], found[place]
        );
    }
    expected.len()
}

/// A unit as an instruction of one block.
fn alone(unit: &Unit) -> Instruction {
    let mut instruction = catalogue::instruction("hopper-mma-m16n8k16-fp16-fp32").expect("in the catalogue");
    instruction.name.clone_from(&unit.name);
    instruction.shape.k = unit.products;
    let formats = unit.formats.clone();
    (instruction.a, instruction.b, instruction.c) = (formats.a, formats.b, formats.c);
    instruction.unit = unit.clone();
    instruction
}

fn longest(instruction: &Instruction) -> usize {
    if instruction.c.holds(instruction.d()) { 3 } else { 1 }
}

#[test]
fn emulator_gemm_small_matrices_catalogue() {
    // The other levels in the long tier, and in the ordinary one every seventh instruction: their kernels are compared unit by unit below.
    let levels = if support::long_tier() { levels() } else { vec![Isa::best()] };
    let served: Vec<_> = levels.into_iter().flat_map(served).collect();
    let served = support::sampled(&served, 7);
    let mut elements = 0;
    for (instruction, gemm) in served.iter().copied() {
        let stimulus = Stimulus::shaped(instruction.frame(), 31);
        let products = Products::new(instruction, stimulus, 31);
        let sizes = [(1, 1, 1), (3, 17, 1), (17, 3, 2), (1, 33, 3), (33, 1, 2), (5, 65, 3), (66, 34, 1)];
        for (number, (m, n, steps)) in sizes.into_iter().enumerate() {
            let steps = steps.min(longest(instruction));
            elements += assert_equal(instruction, gemm, &products.of_shape(number as u64, m, n, steps));
            let k = steps * instruction.shape.k as usize;
            elements += assert_equal(instruction, gemm, &random(instruction, m, n, k, number as u64));
        }
        let k = longest(instruction) * instruction.shape.k as usize;
        for rare in [1000, 1 << 40] {
            elements += assert_equal(instruction, gemm, &finite(instruction, 37, 45, k, rare));
        }
        // Ordinary numbers; and where the kernel begins and ends to take products of such exponents as whole values.
        let edges = [[-12, 1], [-52, -45], [-51, -45], [-51, 4], [-51, 5], [55, 62], [55, 63], [7, 62], [8, 62]];
        for exponents in edges {
            elements += assert_equal(instruction, gemm, &between(instruction, [9, 40, k], exponents));
        }
    }
    let names: Vec<&str> = served.iter().map(|(instruction, _)| &*instruction.name).collect();
    println!("{elements} elements of D, {} instructions: {names:?}", names.len());
}

/// Every unit that has a kernel for vectors has one for matrices, as an instruction of one block, on every level.
#[test]
fn emulator_gemm_units_with_kernels() {
    let mut units = 0;
    for unit in catalogue::units() {
        if Wide::on(&unit, Isa::best()).without_kernel().is_some() {
            continue;
        }
        let instruction = alone(&unit);
        assert!(instruction.is_alone(), "{}", unit.name);
        let stimulus = Stimulus::shaped(&unit, 3);
        let products = Products::new(&instruction, stimulus, 3);
        for isa in levels() {
            let gemm = Gemm::on(&instruction, isa).unwrap_or_else(|reason| panic!("{}: {reason}", unit.name));
            for number in 0..if support::long_tier() { 60 } else { 2 } {
                assert_equal(&instruction, &gemm, &products.draw(number));
            }
        }
        units += 1;
    }
    println!("{units} units");
    assert!(units >= 30, "{units} units");
}

/// One thread and several, and each size of a part, give the same bits.
#[test]
fn threads_give_the_same_bits() {
    for (instruction, gemm) in &named(|name| name.starts_with("hopper-mma")) {
        let most = if support::long_tier() { 20 } else { 8 };
        let steps = most.min(7 * longest(instruction));
        let k = steps * instruction.shape.k as usize;
        let matrices = finite(instruction, 203, 301, k, 100_000);
        let on = |threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| by_kernel(instruction, gemm, &matrices))
        };
        let one = on(1);
        assert!([2, 7, 64].into_iter().all(|threads| on(threads) == one), "{}", instruction.name);
    }
}

/// Elements of large matrices, drawn at random, as each dot product by itself gives them.
#[test]
fn emulator_gemm_large_matrices_sampled() {
    let size = if support::long_tier() { 1024 } else { 384 };
    let chosen = ["hopper-mma-m16n8k16-fp16-fp32", "ampere-mma-m16n8k16-bf16-fp32"];
    for (instruction, gemm) in &named(|name| chosen.contains(&name)) {
        let matrices = between(instruction, [size, size + 7, size], [-20, 1]);
        let d = by_kernel(instruction, gemm, &matrices);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        for _ in 0..200 {
            let place = (random.next_u64() % d.len() as u64) as usize;
            assert_eq!(element(instruction, &matrices, place), d[place], "{}: {place}", instruction.name);
        }
    }
}

/// One element of D: steps of K one after the other.
fn element(instruction: &Instruction, matrices: &Matrices, place: usize) -> u64 {
    let (row, column) = (place / matrices.n, place % matrices.n);
    let mut emulator = Composed::emulated(instruction);
    let (mut before, mut results) = (None, Vec::new());
    for step in 0..matrices.k / instruction.shape.k as usize {
        let vector = matrices.dot_product(instruction, row, column, step, before);
        emulator.run(&Batch::of(&vector), &mut results).expect("emulators do not fail");
        before = Some(results[0]);
    }
    before.expect("K has a step")
}

/// The engine `wide`, asked for whole matrices as every engine is, gives them to the kernel.
#[test]
fn wide_gives_matrices_to_the_kernel() {
    for (instruction, _) in &named(|name| name.starts_with("ampere-mma")) {
        let Ok(Opened::Ready(mut wide)) = Kind::Wide.open_instruction(instruction) else { panic!("as before") };
        let matrices = between(instruction, [5, 7, instruction.shape.k as usize], [-3, 3]);
        let whole = wide.multiply(&matrices).expect("emulators do not fail");
        assert_eq!(whole, Some(by_emulator(instruction, &matrices)), "{}", instruction.name);
    }
}
