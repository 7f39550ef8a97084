//! Whole matrices D = A B + C through several engines: every element of D is compared, and a wrong one is brought back to
//! its dot product.
//!
//! Architecture invariant: an engine's own way to multiply is used where it has one; only then are rows, columns and K
//! checked that the engine itself takes apart.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::compare::{Comparison, Entrant, Mismatch, disagreements};
use super::shrink::{Minimal, answers, answers_at, minimal};
use super::stimulus::{CHUNK, Stimulus};
use crate::describe::instruction::Instruction;
use crate::engine::{Engine, Matrices, MatrixError, Vector};

/// Chunks of the stimulus that matrices are drawn from, at most.
const POOL_CHUNKS: usize = 4;

/// Matrices whose rows of A and columns of B are vectors of a stimulus.
pub struct Products {
    instruction: Instruction,
    stimulus: Stimulus,
    seed: u64,
}

impl Products {
    /// Matrices for an instruction, of a stimulus of its frame.
    pub fn new(instruction: &Instruction, stimulus: Stimulus, seed: u64) -> Products {
        Products { instruction: instruction.clone(), stimulus, seed }
    }

    /// Matrices number `number`: random m and n, of which none is a multiple of the instruction's own, and a K of 1 to 4
    /// steps where the instruction can add to its own result.
    pub fn draw(&self, number: u64) -> Matrices {
        let stream = self.seed ^ (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(stream);
        let shape = self.instruction.shape;
        let [m, n] = [shape.m, shape.n].map(|own| extent(u64::from(own), &mut random));
        let chained = self.instruction.c.holds(self.instruction.d());
        let steps = if chained { 1 + (random.next_u64() % 4) as usize } else { 1 };
        self.of_shape(number, m, n, steps)
    }

    /// Matrices number `number` of a given shape. Element i i begins with a whole vector of the stimulus; any other element
    /// has its operands a from one and its operands b from another.
    pub fn of_shape(&self, number: u64, m: usize, n: usize, steps: usize) -> Matrices {
        let mut pool = self.stimulus.empty_batch();
        let count = (m.max(n) * steps).min(POOL_CHUNKS * CHUNK);
        self.stimulus.fill(number * POOL_CHUNKS as u64, count, &mut pool);
        let (products, scales) = (pool.products() as usize, pool.scales() as usize);
        let k = products * steps;
        let mut matrices = Matrices { m, n, k, ..Matrices::default() };
        (matrices.b, matrices.scale_b) = (vec![0; k * n], vec![0; scales * steps * n]);
        for line in 0..m.max(n) {
            for step in 0..steps {
                let place = (line * steps + step) % count;
                let own = place * scales..(place + 1) * scales;
                if line < m {
                    matrices.a.extend_from_slice(pool.a(place));
                    matrices.scale_a.extend_from_slice(&pool.scale_a[own.clone()]);
                }
                if line < n {
                    for (index, &b) in pool.b(place).iter().enumerate() {
                        matrices.b[(step * products + index) * n + line] = b;
                    }
                    for (index, &scale) in pool.scale_b[own].iter().enumerate() {
                        matrices.scale_b[(step * scales + index) * n + line] = scale;
                    }
                }
            }
        }
        let addend = |row: usize, column: usize| match row == column {
            true => pool.c[row * steps % count],
            false => pool.c[(row * n + column) % count],
        };
        matrices.c = (0..m * n).map(|place| addend(place / n, place % n)).collect();
        matrices
    }
}

/// 1 to a tile and 63, and no whole number of tiles.
fn extent(tile: u64, random: &mut Xoshiro256PlusPlus) -> usize {
    loop {
        let extent = 1 + random.next_u64() % (tile + 63);
        if tile == 1 || !extent.is_multiple_of(tile) {
            return extent as usize;
        }
    }
}

/// Where the first wrong element of D lies.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Element {
    /// Number of the matrices.
    pub product: u64,
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub row: usize,
    pub column: usize,
    /// The first index of K of the step whose dot product is answered differently by itself; none where all steps are
    /// answered alike, and what differs is how the matrices were taken apart or put together.
    pub from_k: Option<usize>,
}

/// Multiplies matrices with all engines until `count` elements of D are compared, and compares them. Counts are of
/// elements. `draw` makes the matrices of a number. `progress` may end the run after any of them.
///
/// # Errors
/// An engine failed, or gave no D of m x n elements.
pub fn compare_matrices(
    engines: Vec<Box<dyn Engine>>,
    instruction: &Instruction,
    draw: &dyn Fn(u64) -> Matrices,
    count: u64,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<(Comparison, Option<Element>), MatrixError> {
    let mut entrants: Vec<Entrant> = engines.into_iter().map(Entrant::new).collect();
    let start = Instant::now();
    let (mut mismatches, mut first, mut done) = (0, None, 0);
    for number in 0.. {
        if done >= count {
            break;
        }
        let matrices = draw(number);
        for entrant in &mut entrants {
            let start = Instant::now();
            entrant.results = matrices.multiply(instruction, entrant.engine.as_mut())?;
            entrant.time += start.elapsed();
            entrant.count += entrant.results.len() as u64;
        }
        let differing = disagreements(&entrants);
        mismatches += differing.len() as u64;
        if let (None, Some(&position)) = (&first, differing.first()) {
            first = Some((done, number, position, answers_at(&entrants, position), matrices.clone()));
        }
        done += (matrices.m * matrices.n) as u64;
        if progress(done).is_break() {
            break;
        }
    }
    let time: Duration = start.elapsed();
    let compared = if entrants.len() > 1 { done } else { 0 };
    let handshakes = entrants.iter().map(|entrant| entrant.engine.handshakes()).find(|all| !all.is_empty());
    let handshakes = handshakes.unwrap_or_default();
    let (mut mismatch, mut element) = (None, None);
    if let Some((before, product, position, answers, matrices)) = first {
        let Matrices { m, n, k, .. } = matrices;
        let place = [position / n, position % n];
        let index = before + position as u64;
        let (found, from_k) = reduce(&mut entrants, instruction, &matrices, place, (index, answers));
        mismatch = Some(found);
        element = Some(Element { product, m, n, k, row: place[0], column: place[1], from_k });
    }
    let engines = entrants.into_iter().map(Entrant::account).collect();
    Ok((
        Comparison {
            engines,
            compared,
            mismatches,
            first: mismatch,
            left: count.saturating_sub(done),
            coverage: None,
            failure: None,
            differing: Vec::new(),
            handshakes,
            time,
        },
        element,
    ))
}

/// The first step of an element that the engines answer differently by itself, made small; without one, the first step as
/// it is, with the answers that D held.
fn reduce(
    entrants: &mut [Entrant],
    instruction: &Instruction,
    matrices: &Matrices,
    [row, column]: [usize; 2],
    (index, of_d): (u64, Vec<(String, u64)>),
) -> (Mismatch, Option<usize>) {
    let own = instruction.shape.k as usize;
    let mut before = None;
    let mut whole: Option<Vector> = None;
    for step in 0..matrices.k / own {
        let original = matrices.dot_product(instruction, row, column, step, before);
        whole.get_or_insert_with(|| original.clone());
        // A step that cannot be asked by itself leaves the element as it was found.
        let Ok(found) = answers(entrants, &original) else { break };
        if found.iter().any(|(_, answer)| *answer != found[0].1) {
            let Minimal { vector, answers, not_shrunk, not_reproducible } =
                minimal(entrants, (original.clone(), found));
            let mismatch = Mismatch { index, class: None, original, vector, answers, not_shrunk, not_reproducible };
            return (mismatch, Some(step * own));
        }
        before = Some(found[0].1);
    }
    let vector = whole.unwrap_or_default();
    let alike = "by itself this dot product is answered alike: what differs is how the matrices are taken apart or put together";
    let not_shrunk = Some(alike.to_owned());
    let (original, not_reproducible) = (vector.clone(), Vec::new());
    (Mismatch { index, class: None, original, vector, answers: of_d, not_shrunk, not_reproducible }, None)
}
