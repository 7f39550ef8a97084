//! Tile instructions: whole matrices, 256 results at a time, and batches of single dot products.

use super::block::{TILE, Tile, pack};
use super::kernels::Tiles;
use super::{Operation, Setup, TileOperation};
use crate::engine::{Batch, Matrices};

/// One tile instruction for dot products of a fixed length.
pub struct TileEngine {
    tiles: Tiles,
    products: usize,
    /// Bits of an operand a or b.
    bits: u32,
    mxcsr: u32,
    /// Flags of MXCSR raised so far.
    pub raised: u32,
    tile: Box<Tile>,
}

impl TileEngine {
    /// Opens the instruction.
    ///
    /// # Errors
    /// Why this machine cannot answer.
    pub fn open(operation: TileOperation, products: u32, setup: Setup) -> Result<TileEngine, String> {
        let bits = Operation::Tile(operation).operand().width();
        let depth = (products * bits).div_ceil(u32::BITS) as usize;
        let tile = Box::new(Tile::new(depth));
        let tiles = Tiles::open(operation)?;
        Ok(TileEngine { tiles, products: products as usize, bits, mxcsr: setup.mxcsr, raised: 0, tile })
    }

    fn answer(&mut self) {
        self.raised |= self.tiles.run(&mut self.tile, self.mxcsr);
    }

    /// Sets row `row` of A.
    fn set_row(&mut self, row: usize, elements: impl Iterator<Item = u64>) {
        let [_, _, depth] = self.tile.shape();
        pack(elements, self.bits, &mut self.tile.a[row * TILE..][..depth]);
    }

    /// Sets column `column` of B.
    fn set_column(&mut self, column: usize, elements: impl Iterator<Item = u64>) {
        let [_, _, depth] = self.tile.shape();
        let mut words = [0; TILE];
        pack(elements, self.bits, &mut words[..depth]);
        for (row, &word) in words[..depth].iter().enumerate() {
            self.tile.b[row * TILE + column] = word;
        }
    }

    /// Single dot products share neither a row of A nor a column of B: 16 of them are the diagonal of a tile.
    pub fn run(&mut self, batch: &Batch, results: &mut [u64]) {
        assert_eq!(batch.products() as usize, self.products, "the batch fits the unit");
        for first in (0..batch.len()).step_by(TILE) {
            let count = TILE.min(batch.len() - first);
            self.tile.reshape(count, count);
            for place in 0..count {
                self.set_row(place, batch.a(first + place).iter().copied());
                self.set_column(place, batch.b(first + place).iter().copied());
                self.tile.c[place * TILE + place] = batch.c[first + place] as u32;
            }
            self.answer();
            for place in 0..count {
                results[first + place] = self.tile.c[place * TILE + place].into();
            }
        }
    }

    /// D = A B + C: tiles as large as the matrices allow, K step by step.
    pub fn multiply(&mut self, matrices: &Matrices) -> Vec<u64> {
        let Matrices { m, n, .. } = *matrices;
        let mut d = matrices.c.clone();
        for row in (0..m).step_by(TILE) {
            for column in (0..n).step_by(TILE) {
                self.multiply_tile(matrices, [row, column], &mut d);
            }
        }
        d
    }

    /// The tile of D whose first element is at that row and column.
    fn multiply_tile(&mut self, matrices: &Matrices, [row, column]: [usize; 2], d: &mut [u64]) {
        let Matrices { m, n, k, .. } = *matrices;
        let (rows, columns, products) = (TILE.min(m - row), TILE.min(n - column), self.products);
        self.tile.reshape(rows, columns);
        for i in 0..rows {
            let own = &d[(row + i) * n + column..][..columns];
            self.tile.c[i * TILE..].iter_mut().zip(own).for_each(|(word, &c)| *word = c as u32);
        }
        for first in (0..k).step_by(products) {
            for i in 0..rows {
                self.set_row(i, matrices.a[(row + i) * k + first..][..products].iter().copied());
            }
            for j in 0..columns {
                self.set_column(j, (first..first + products).map(|index| matrices.b[index * n + column + j]));
            }
            self.answer();
        }
        for i in 0..rows {
            let own = &mut d[(row + i) * n + column..][..columns];
            own.iter_mut().zip(&self.tile.c[i * TILE..]).for_each(|(d, &word)| *d = word.into());
        }
    }
}
