//! AMX TDPBF16PS against the model: whole tiles with all results used, every shape, and batches of single dot products.

use tensorsmith::engine::processor::{Operation, Setup, TileOperation};
use tensorsmith::engine::{Batch, Engine, Matrices};

use super::model::{Rules, TDPBF16PS};
use super::operands::{KINDS, Operands, column};
use super::{in_parallel, open, support};

const OPERATION: Operation = Operation::Tile(TileOperation::Tdpbf16ps);
const RAW: Setup = Setup { raw_nan: true, mxcsr: tensorsmith::engine::processor::MXCSR_DEFAULT };

/// Whole tiles of 16 x 16 results, 32 products each: ten million results in the long tier, a million in the ordinary one.
fn tiles() -> u64 {
    if support::long_tier() { 40_000 } else { 4_000 }
}

/// Results of the model that differ from those of the processor.
pub fn differing(rules: Rules, matrices: &Matrices, d: &[u64]) -> u64 {
    let columns: Vec<Vec<u64>> = (0..matrices.n).map(|j| column(matrices, j)).collect();
    let place_differs = |place: usize| {
        let (i, j) = (place / matrices.n, place % matrices.n);
        rules.dot(&matrices.a[i * matrices.k..][..matrices.k], &columns[j], matrices.c[place]) != d[place]
    };
    (0..d.len()).filter(|place| place_differs(*place)).count() as u64
}

/// D of the matrices, by whole tiles.
pub fn product(engine: &mut dyn Engine, matrices: &Matrices) -> Vec<u64> {
    engine.multiply(matrices).expect("the engine answers").expect("the engine multiplies matrices")
}

/// Compares tiles; gives results compared, differing, and NaN.
pub fn compare(rules: Rules, tiles: u64) -> [u64; 3] {
    in_parallel(tiles, |tile| {
        let mut engine = open(OPERATION, 32, RAW).expect("the instruction is there");
        let kind = KINDS[tile as usize % KINDS.len()];
        let matrices = Operands::new(tile).matrices(kind, [16, 16, 32]);
        let d = product(&mut engine, &matrices);
        let nans = d.iter().filter(|bits| f32::from_bits(**bits as u32).is_nan()).count();
        [d.len() as u64, differing(rules, &matrices, &d), nans as u64]
    })
}

/// Results of whole tiles, NaN bit for bit.
#[test]
fn tdpbf16ps_model_whole_tiles() {
    let Some(engine) = open(OPERATION, 32, RAW) else { return };
    let [compared, differing, nans] = compare(TDPBF16PS, tiles());
    println!("{}: {compared} results compared, {nans} of them NaN", engine.identity().version);
    assert_eq!((compared, differing), (256 * tiles(), 0));
    assert!(compared >= 1_000_000 && nans > compared / 100 && nans < compared / 3);
}

/// A tile may have 1 to 16 rows, 1 to 16 columns and 1 to 16 pairs of K.
#[test]
fn tdpbf16ps_model_every_shape() {
    let mut compared = 0;
    for pairs in 1..=16 {
        let Some(mut engine) = open(OPERATION, 2 * pairs, RAW) else { return };
        for shape in 0..256 {
            let [m, n, k] = [shape / 16 + 1, shape % 16 + 1, 2 * pairs as usize];
            let mut operands = Operands::new(u64::from(pairs) << 8 | shape as u64);
            let matrices = operands.matrices(KINDS[shape % KINDS.len()], [m, n, k]);
            let d = product(&mut engine, &matrices);
            assert_eq!(differing(TDPBF16PS, &matrices, &d), 0, "{m} x {n} x {k}");
            compared += d.len();
        }
    }
    println!("{compared} results of 4096 shapes compared");
    assert_eq!(compared, 16 * 136 * 136);
}

/// Matrices larger than a tile, and none a multiple of it; K goes on from result to result.
#[test]
fn tdpbf16ps_model_large_matrices() {
    let Some(mut engine) = open(OPERATION, 32, RAW) else { return };
    let (m, n, k) = (37, 53, 96);
    let matrices = Operands::new(1).matrices(KINDS[1], [m, n, k]);
    let d = product(&mut engine, &matrices);
    for i in 0..m {
        for j in 0..n {
            let (a, b) = (&matrices.a[i * k..][..k], column(&matrices, j));
            let steps = a.chunks(32).zip(b.chunks(32));
            let expected = steps.fold(matrices.c[i * n + j], |sum, (a, b)| TDPBF16PS.dot(a, b, sum));
            assert_eq!(d[i * n + j], expected, "{i} {j}");
        }
    }
    println!("{} results compared", d.len());
    assert_eq!(d.len(), m * n);
}

/// Single dot products are the diagonals of tiles: each answer is the model's, whatever its neighbours are.
#[test]
fn tdpbf16ps_model_single_dot_products() {
    let Some(mut engine) = open(OPERATION, 32, RAW) else { return };
    let (mut results, mut compared) = (Vec::new(), 0);
    for (seed, kind) in KINDS.into_iter().enumerate() {
        // 1003 vectors: the last tile is not a whole one.
        let rows = Operands::new(seed as u64).matrices(kind, [1003, 1, 32]);
        let columns = Operands::new(seed as u64 + 100).matrices(kind, [1003, 1, 32]);
        let mut batch = Batch::new(32, 0);
        batch.resize(1003);
        (batch.a, batch.b, batch.c) = (rows.a, columns.a, rows.c);
        engine.run(&batch, &mut results).expect("the engine answers");
        for (v, &result) in results.iter().enumerate() {
            assert_eq!(result, TDPBF16PS.dot(batch.a(v), batch.b(v), batch.c[v]), "{kind:?} {v}");
            compared += 1;
        }
    }
    println!("{compared} dot products compared");
    assert_eq!(compared, 5 * 1003);
}
