//! Vectors and matrices as tiles: operands into images, results out of them.

use rayon::prelude::*;

use super::launch::{Images, LaunchError, Launcher};
use crate::describe::fragment::{Fragment, Tile};
use crate::engine::{Batch, EngineError, Matrices};

/// Bytes of the images of one launch, at most: bounds memory here and on the GPU.
const LAUNCH_BYTES: usize = 256 << 20;

/// A kernel that answers vectors and matrices.
pub struct Runner {
    engine: &'static str,
    tile: Tile,
    launcher: Launcher,
    images: Images,
}

/// Rows of A and columns of B that one tile takes, and where its results go.
struct Place {
    row: usize,
    column: usize,
}

impl Runner {
    pub fn new(engine: &'static str, tile: Tile, launcher: Launcher) -> Runner {
        Runner { engine, tile, launcher, images: Images::default() }
    }

    fn failed(&self, error: LaunchError) -> EngineError {
        let message = match error {
            LaunchError::Driver(error) => error.to_string(),
            LaunchError::Unwritten { word } => {
                let words = self.tile.d.words();
                format!("word {} of the result of tile {} was not written or not read back", word % words, word / words)
            }
        };
        EngineError { engine: self.engine, message }
    }

    /// Room for images of so many tiles. What lay there before stays; an element of D depends on nothing but its own row of A,
    /// column of B and element of C, all of which are put anew.
    fn reserve(&mut self, tiles: usize, steps: usize) {
        let Tile { a, b, c, d, .. } = &self.tile;
        self.images.a.resize(tiles * steps * a.bytes, 0);
        self.images.b.resize(tiles * steps * b.bytes, 0);
        self.images.c.resize(tiles * c.bytes, 0);
        self.images.d.resize(tiles * d.bytes, 0);
    }

    fn launch(&mut self, tiles: usize, steps: usize) -> Result<(), EngineError> {
        self.launcher.launch(tiles, steps, &mut self.images).map_err(|error| self.failed(error))
    }

    /// Single dot products share neither a row of A nor a column of B: they are the diagonals of tiles.
    pub fn run(&mut self, batch: &Batch, results: &mut [u64]) -> Result<(), EngineError> {
        assert_eq!(batch.products() as usize, self.tile.k, "the batch fits the instruction");
        let side = self.tile.m.min(self.tile.n);
        let per_tile = side * self.tile.blocks;
        let bytes = self.tile.a.bytes + self.tile.b.bytes + self.tile.c.bytes + self.tile.d.bytes;
        let per_launch = (LAUNCH_BYTES / bytes).max(1) * per_tile;
        for first in (0..batch.len()).step_by(per_launch) {
            let count = per_launch.min(batch.len() - first);
            let tiles = count.div_ceil(per_tile);
            self.reserve(tiles, 1);
            let Runner { tile, images, .. } = self;
            let vectors = |number: usize| {
                (0..per_tile.min(count - number * per_tile)).map(move |own| (own, first + number * per_tile + own))
            };
            let place = |own: usize| (own / side, own % side);
            images.a.par_chunks_mut(tile.a.bytes).enumerate().for_each(|(number, image)| {
                for (own, v) in vectors(number) {
                    let (block, row) = place(own);
                    batch.a(v).iter().enumerate().for_each(|(k, &bits)| tile.a.put(image, [block, row, k], bits));
                }
            });
            images.b.par_chunks_mut(tile.b.bytes).enumerate().for_each(|(number, image)| {
                for (own, v) in vectors(number) {
                    let (block, column) = place(own);
                    batch.b(v).iter().enumerate().for_each(|(k, &bits)| tile.b.put(image, [block, k, column], bits));
                }
            });
            images.c.par_chunks_mut(tile.c.bytes).enumerate().for_each(|(number, image)| {
                for (own, v) in vectors(number) {
                    let (block, index) = place(own);
                    tile.c.put(image, [block, index, index], batch.c[v]);
                }
            });
            self.launch(tiles, 1)?;
            let Runner { tile, images, .. } = self;
            for (own, result) in results[first..][..count].iter_mut().enumerate() {
                let image = &images.d[own / per_tile * tile.d.bytes..][..tile.d.bytes];
                let (block, index) = place(own % per_tile);
                *result = tile.d.get(image, [block, index, index]);
            }
        }
        Ok(())
    }

    /// D = A B + C, tile by tile, K step by step in the registers of the tile's threads.
    pub fn multiply(&mut self, matrices: &Matrices) -> Result<Vec<u64>, EngineError> {
        let Matrices { m, n, k, .. } = *matrices;
        let steps = k / self.tile.k;
        let places = self.places(m, n);
        let Tile { blocks, a, b, c, d, .. } = &self.tile;
        let (blocks, bytes) = (*blocks, steps * (a.bytes + b.bytes) + c.bytes + d.bytes);
        let per_launch = (LAUNCH_BYTES / bytes).max(1) * blocks;
        let mut results = vec![0; m * n];
        for places in places.chunks(per_launch) {
            let tiles = places.len().div_ceil(blocks);
            self.reserve(tiles, steps);
            self.fill(matrices, places, steps);
            self.launch(tiles, steps)?;
            let tile = &self.tile;
            for (number, place) in places.iter().enumerate() {
                let image = &self.images.d[number / blocks * tile.d.bytes..][..tile.d.bytes];
                each(tile.m.min(m - place.row), tile.n.min(n - place.column), |row, column| {
                    results[(place.row + row) * n + place.column + column] =
                        tile.d.get(image, [number % blocks, row, column]);
                });
            }
        }
        Ok(results)
    }

    /// First row and column of every tile of D.
    fn places(&self, m: usize, n: usize) -> Vec<Place> {
        let rows = (0..m).step_by(self.tile.m);
        rows.flat_map(|row| (0..n).step_by(self.tile.n).map(move |column| Place { row, column })).collect()
    }

    /// Puts the operands of these tiles into their images.
    fn fill(&mut self, matrices: &Matrices, places: &[Place], steps: usize) {
        let Runner { tile, images, .. } = self;
        let Matrices { m, n, k, .. } = *matrices;
        let put = |image: &mut [u8],
                   fragment: &Fragment,
                   number: usize,
                   element: &(dyn Fn(&Place, usize, usize) -> Option<u64> + Sync)| {
            for (block, place) in places[number * tile.blocks..].iter().take(tile.blocks).enumerate() {
                each(fragment.size.rows, fragment.size.columns, |row, column| {
                    if let Some(bits) = element(place, row, column) {
                        fragment.put(image, [block, row, column], bits);
                    }
                });
            }
        };
        images.a.par_chunks_mut(tile.a.bytes).enumerate().for_each(|(index, image)| {
            let (number, first) = (index / steps, index % steps * tile.k);
            put(image, &tile.a, number, &|place, row, column| {
                (place.row + row < m).then(|| matrices.a[(place.row + row) * k + first + column])
            });
        });
        images.b.par_chunks_mut(tile.b.bytes).enumerate().for_each(|(index, image)| {
            let (number, first) = (index / steps, index % steps * tile.k);
            put(image, &tile.b, number, &|place, row, column| {
                (place.column + column < n).then(|| matrices.b[(first + row) * n + place.column + column])
            });
        });
        images.c.par_chunks_mut(tile.c.bytes).enumerate().for_each(|(number, image)| {
            put(image, &tile.c, number, &|place, row, column| {
                let inside = place.row + row < m && place.column + column < n;
                inside.then(|| matrices.c[(place.row + row) * n + place.column + column])
            });
        });
    }
}

/// Every row and column.
fn each(rows: usize, columns: usize, mut act: impl FnMut(usize, usize)) {
    for row in 0..rows {
        for column in 0..columns {
            act(row, column);
        }
    }
}
