//! Operands into planes and planes into words, bit by bit against the definition.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith::engine::netlist::planes::{LANES, Layout, Means, Plane, words_of_planes};

use super::support;

/// The bit of a vector: the lower three bits of its number tell the byte of its word, the three above them the bit.
fn bit(plane: &Plane, vector: usize) -> u64 {
    plane.0[vector / 64].to_le_bytes()[vector % 8] as u64 >> (vector / 8 % 8) & 1
}

#[test]
fn layouts_registers_words_random_operands() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    // What earlier layouts left there does not matter.
    let mut room = Vec::new();
    for elements in support::sampled(&[1, 2, 3, 4, 5, 8, 12, 16, 32, 33, 64], 2).into_iter().copied() {
        for width in [1, 4, 6, 8, 9, 16, 19, 32, 33, 64] {
            let layout = Layout::new(elements, width);
            for count in [0, 1, 63, 64, 65, 300, 511, 512] {
                let mask = u64::MAX >> (64 - width);
                // Bits above the operands' own are dropped.
                let operands: Vec<u64> = (0..elements * count).map(|_| random.next_u64()).collect();
                for means in Means::supported() {
                    let mut planes = vec![Plane([!0; 8]); layout.planes()];
                    layout.fill(means, &operands, &mut room, &mut planes);
                    for (v, operands) in operands.chunks(elements).enumerate() {
                        for (i, operand) in operands.iter().enumerate() {
                            let found =
                                (0..width as usize).fold(0, |word, j| word | bit(&planes[layout.plane(i, j)], v) << j);
                            assert_eq!(
                                found,
                                *operand & mask,
                                "{means:?}: {elements} of {width} bits, vector {v}, element {i}"
                            );
                        }
                    }
                    let unused = (count..LANES).all(|v| planes.iter().all(|plane| bit(plane, v) == 0));
                    assert!(unused, "{means:?}: {elements} of {width} bits: vectors behind {count} are not zero");
                }
            }
        }
    }
}

#[test]
fn answers_registers_words_random_planes() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    for round in 0..65 {
        // Some of the last planes are zeros, and are said to be.
        let width = 64 - round;
        let planes: [Plane; 64] =
            std::array::from_fn(|j| Plane(std::array::from_fn(|_| if j < width { random.next_u64() } else { 0 })));
        for means in Means::supported() {
            let mut words = [!0; LANES];
            words_of_planes(means, &planes, width, &mut words);
            for (v, word) in words.iter().enumerate() {
                let expected = planes.iter().enumerate().fold(0, |word, (j, plane)| word | bit(plane, v) << j);
                assert_eq!(*word, expected, "{means:?}: {width} planes, vector {v}");
            }
        }
    }
}
