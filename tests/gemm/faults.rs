//! What must be caught: kernels with one wrong number, and rows, columns and places of K in another order.

use tensorsmith::check::matrices::Products;
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::plan::Plan;
use tensorsmith::engine::gemm::{Numbers, Target};
use tensorsmith::engine::{Gemm, Matrices};
use tensorsmith::isa::Isa;

use super::catalogue::{between, by_emulator, by_kernel, finite, levels, named, random};

/// A change of one number of a kernel.
type Change = fn(&mut Numbers);

const CHANGES: [(&str, Change); 14] = [
    ("one fraction bit more", |numbers| numbers.fraction_bits += 1),
    ("one fraction bit less", |numbers| numbers.fraction_bits -= 1),
    ("the floor one higher", |numbers| numbers.floor += 1),
    ("the floor one lower", |numbers| numbers.floor -= 1),
    ("small addends on a coarser grid", |numbers| numbers.addend_min += 40),
    ("infinities and overflow unseen", |numbers| numbers.limit = 20_000),
    ("results cut elsewhere", |numbers| {
        numbers.target = match numbers.target {
            Target::Single { mask } => Target::Single { mask: mask << 1 },
            Target::Half => Target::Single { mask: u32::MAX << 13 },
        };
    }),
    (NARROW, |numbers| numbers.is_narrow = true),
    ("overflow to the largest number", |numbers| numbers.overflow = 0x7f7f_ffff),
    ("another sign of small results", |numbers| numbers.rounded_zero_positive ^= true),
    ("another NaN", |numbers| numbers.nan ^= 1),
    ("another NaN in binary32", |numbers| numbers.nan_single ^= 1),
    ("smaller operands a", |numbers| numbers.exponents_a.max = numbers.exponents_a.min),
    ("smaller operands b", |numbers| numbers.exponents_b.max = numbers.exponents_b.min),
];

/// The change that the kernel for AVX-512 does not read.
const NARROW: &str = "wide sums taken for narrow ones";

const INSTRUCTIONS: [&str; 4] = [
    "hopper-mma-m16n8k16-fp16-fp32",
    "hopper-mma-m16n8k16-fp16-fp16",
    "ampere-mma-m16n8k16-bf16-fp32",
    "ada-mma-m16n8k32-e5m2-e4m3-fp32",
];

/// Operands of each instruction and D as the emulator says: random bits, with and without NaN, and shaped ones, enough of them for
/// faults that hardly show.
fn asked(instruction: &Instruction) -> Vec<(Matrices, Vec<u64>)> {
    let k = 2 * instruction.shape.k as usize;
    let products = Products::new(instruction, Stimulus::shaped(instruction.frame(), 9), 9);
    let matrices = [
        random(instruction, 40, 40, k, 9),
        finite(instruction, 40, 40, k, 1 << 40),
        products.of_shape(0, 120, 120, 1),
        products.of_shape(1, 120, 120, 2),
        products.of_shape(2, 400, 400, 1),
        products.of_shape(3, 400, 400, 1),
    ];
    let answered = |matrices: Matrices| {
        let d = by_emulator(instruction, &matrices);
        (matrices, d)
    };
    matrices.into_iter().map(answered).collect()
}

#[test]
fn kernels_with_a_wrong_number_are_caught() {
    let levels = levels();
    let mut caught = vec![vec![Vec::new(); CHANGES.len()]; levels.len()];
    for name in INSTRUCTIONS {
        let instruction = &catalogue::instruction(name).expect("in the catalogue");
        let Plan::Fused(plan) = Plan::of(&instruction.unit) else { panic!("a fused unit") };
        let right = Numbers::of(&plan).expect("the unit has a kernel");
        let asked = asked(instruction);
        for (&isa, caught) in levels.iter().zip(&mut caught) {
            let differing = |numbers: Numbers| -> usize {
                let gemm = Gemm::with(instruction, numbers, isa).expect("as before");
                let count = |(matrices, d): &(Matrices, Vec<u64>)| {
                    let found = by_kernel(instruction, &gemm, matrices);
                    found.iter().zip(d).filter(|(found, right)| found != right).count()
                };
                asked.iter().map(count).sum()
            };
            assert_eq!(differing(right), 0, "{name} on {}", isa.title());
            for ((fault, change), caught) in CHANGES.iter().zip(caught) {
                let mut wrong = right;
                change(&mut wrong);
                let differing = differing(wrong);
                println!("{name} on {}: {fault}: {differing} elements differ", isa.title());
                if differing > 0 {
                    caught.push(name);
                }
            }
        }
    }
    for (isa, caught) in levels.iter().zip(&caught) {
        for ((fault, _), caught) in CHANGES.iter().zip(caught) {
            let is_read = (*isa, *fault) != (Isa::Avx512, NARROW);
            assert_eq!(!caught.is_empty(), is_read, "{fault} on {}", isa.title());
        }
    }
}

/// Puts operands elsewhere.
type Exchange = fn(&mut Matrices);

/// Operands whose rows, columns or places of K are exchanged give another D: that the kernel's agrees says where they went.
#[test]
fn exchanged_rows_columns_and_places_are_caught() {
    let exchanges: [(&str, Exchange); 4] = [
        ("two rows of A", |m| (0..m.k).for_each(|k| m.a.swap(k, 5 * m.k + k))),
        ("two columns of B", |m| (0..m.k).for_each(|k| m.b.swap(k * m.n + 2, k * m.n + 33))),
        ("two elements of C", |m| m.c.swap(3, 4 * m.n + 17)),
        ("two blocks of K", |m| {
            let half = m.k / 2;
            (0..m.m).for_each(|row| (0..half).for_each(|k| m.a.swap(row * m.k + k, row * m.k + half + k)));
            (0..half * m.n).for_each(|place| m.b.swap(place, half * m.n + place));
        }),
    ];
    for (instruction, gemm) in &named(|name| INSTRUCTIONS.contains(&name)) {
        let right = between(instruction, [9, 40, 2 * instruction.shape.k as usize], [-3, 0]);
        let d = by_emulator(instruction, &right);
        for (fault, exchange) in exchanges {
            let mut wrong = right.clone();
            exchange(&mut wrong);
            assert!(by_kernel(instruction, gemm, &wrong) != d, "{}: {fault} is not seen", instruction.name);
        }
    }
}

#[test]
fn instructions_without_a_kernel_say_why() {
    let reason = |name: &str| {
        let instruction = catalogue::instruction(name).expect("in the catalogue");
        Gemm::of(&instruction).err().unwrap_or_else(|| panic!("{name} has a kernel"))
    };
    for (name, expected) in [
        ("cdna-mfma-m16n16k4-fp64-fp64", "no fused unit"),
        ("hopper-mma-m16n8k32-e4m3-fp32", "c is added at the end"),
        ("ampere-mma-m16n8k32-uint8-int8-int32", "no fused unit"),
    ] {
        let found = reason(name);
        assert!(found.contains(expected), "{found:?} does not say {expected:?}");
    }
}
