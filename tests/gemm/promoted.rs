//! Sums that leave the matrix unit every so many places of K.

use tensorsmith::describe::instruction::Instruction;
use tensorsmith::engine::Kind;
use tensorsmith::engine::gemm::{Multiplied, Operands};

use super::catalogue::{between, by_emulator, operands};
use super::support::instruction;

const SIZES: [usize; 3] = [5, 37, 160];

/// Operands of numbers, and D of parts of K that the scalar emulator answers, added here.
fn asked(instruction: &Instruction, every: usize) -> (Operands, Vec<u32>) {
    let all = between(instruction, SIZES, [-6, 3]);
    let [m, n, k] = SIZES;
    let mut sums = vec![0f32; m * n];
    for first in (0..k).step_by(every) {
        let last = k.min(first + every);
        let mut part = all.clone();
        part.k = last - first;
        part.a = (0..m).flat_map(|row| all.a[row * k + first..row * k + last].to_vec()).collect();
        part.b = all.b[first * n..last * n].to_vec();
        part.c.fill(0);
        let d = by_emulator(instruction, &part);
        sums.iter_mut().zip(d).for_each(|(sum, bits)| *sum += f32::from_bits(bits as u32));
    }
    sums.iter_mut().zip(&all.c).for_each(|(sum, &bits)| *sum += f32::from_bits(bits as u32));
    let [a, b, c] = operands(instruction, &all);
    (Operands { a, b, c, scales: None }, sums.into_iter().map(f32::to_bits).collect())
}

fn done(multiplied: Multiplied) -> Vec<u32> {
    let Multiplied::Done(answer) = multiplied else { panic!("the engine is always there") };
    (0..answer.d.elements.len()).map(|place| answer.d.elements.get(place) as u32).collect()
}

#[test]
fn sums_of_parts_are_added_in_binary32() {
    let instruction = instruction("hopper-wgmma-k32-e4m3-fp32");
    for every in [32, 64, 128, 160, 320] {
        let (operands, expected) = asked(&instruction, every);
        let promoted = operands.promoted(&instruction, every).expect("a multiple of 32");
        for kind in [Kind::Wide, Kind::Emulator] {
            let found = done(promoted.multiply(&instruction, kind, &|_| {}).expect("operands that fit"));
            assert!(found == expected, "every {every} by {}", kind.name());
        }
        for place in [0, 36, 184] {
            let element =
                promoted.element(&instruction, place / SIZES[1], place % SIZES[1]).expect("operands that fit");
            assert_eq!(element, u64::from(expected[place]), "every {every}, element {place}");
        }
        // The unit alone keeps fewer bits.
        let alone = done(operands.multiply(&instruction, Kind::Wide, &|_| {}).expect("operands that fit"));
        assert!(alone != expected, "every {every}: promotion shows nowhere");
    }
}

/// Parts are as long as each other, rounded up to 32 places and to the instruction's k.
#[test]
fn k_is_split_in_parts() {
    for (name, parts, every) in [
        ("hopper-wgmma-k32-e4m3-fp32", 2, 96),
        ("hopper-wgmma-k32-e4m3-fp32", 3, 64),
        ("hopper-mma-m16n8k16-fp16-fp32", 5, 32),
        ("hopper-mma-m16n8k16-fp16-fp32", 1024, 32),
    ] {
        let instruction = instruction(name);
        let (operands, expected) = asked(&instruction, every);
        let split = operands.split(&instruction, parts).expect("operands that fit").expect("several parts");
        let found = done(split.multiply(&instruction, Kind::Wide, &|_| {}).expect("operands that fit"));
        assert!(found == expected, "{name}, {parts} parts");
        assert!(operands.split(&instruction, 1).expect("operands that fit").is_none(), "{name} is split");
    }
    let refused = |name: &str, parts: usize| {
        let instruction = instruction(name);
        asked(&instruction, 160).0.split(&instruction, parts).expect_err("it is refused").to_string()
    };
    for parts in [0, 1025] {
        let range = refused("hopper-wgmma-k32-e4m3-fp32", parts);
        assert!(range.contains(&format!("split_k is {parts}; allowed: 1 to 1024")), "{range}");
    }
    // Operands that stay whole are looked at when they are multiplied, once.
    let instruction = instruction("hopper-wgmma-k32-e4m3-fp32");
    let (mut operands, _) = asked(&instruction, 160);
    operands.b = operands.b.rows(0, 96);
    assert!(operands.split(&instruction, 1).expect("1 is in range").is_none());
    let sizes = operands.split(&instruction, 2).expect_err("B has fewer rows than A columns").to_string();
    assert_eq!(sizes, operands.multiply(&instruction, Kind::Wide, &|_| {}).expect_err("so it has").to_string());
    let half = refused("hopper-mma-m16n8k16-fp16-fp16", 2);
    let why = "c and d of hopper-mma-m16n8k16-fp16-fp16 are binary16 and binary16";
    assert!(
        half.contains("split_k is 2; allowed: 1, or an instruction without scales") && half.contains(why),
        "{half}"
    );
}

#[test]
fn promotion_is_refused_where_it_cannot_be() {
    let refused = |name: &str, every: usize| {
        let instruction = instruction(name);
        let (operands, _) = asked(&instruction, 160);
        operands.promoted(&instruction, every).expect_err("it is refused").to_string()
    };
    let multiple = refused("hopper-wgmma-k32-e4m3-fp32", 48);
    assert!(multiple.contains("48") && multiple.contains("multiples of 32"), "{multiple}");
    let half = refused("hopper-mma-m16n8k16-fp16-fp16", 16);
    let allowed = "promotion is 16; allowed: an instruction without scales whose c and d are binary32; c and d of \
                   hopper-mma-m16n8k16-fp16-fp16 are binary16 and binary16";
    assert_eq!(half, allowed);
}
