//! Every input of a unit that is small enough, in counting order.

use super::CHUNK;
use crate::describe::interface::Interface;
use crate::engine::Batch;

/// Widest input, in bits, that can be enumerated.
pub const INPUT_BITS_MAX: u32 = 32;

/// All inputs of a unit: the bits of a, b, the scales and c, lowest first, count up.
#[derive(Debug, Clone)]
pub struct Exhaustive {
    products: usize,
    scales: usize,
    /// Of an a, a b, a scale of a, a scale of b, and c.
    widths: [u32; 5],
    count: u64,
}

impl Exhaustive {
    /// All inputs of an interface, or `None` if they are more than 2^32.
    pub fn of(interface: &Interface) -> Option<Exhaustive> {
        let formats = &interface.formats;
        let [scale_a, scale_b] = interface.scale_widths();
        let widths = [formats.a.width(), formats.b.width(), scale_a, scale_b, formats.c.width()];
        let bits = interface.input_bits();
        let (products, scales) = (interface.products as usize, interface.scale_count() as usize);
        (bits <= INPUT_BITS_MAX).then(|| Exhaustive { products, scales, widths, count: 1 << bits })
    }

    /// Number of inputs.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// A batch that fits the unit.
    pub fn empty_batch(&self) -> Batch {
        Batch::new(self.products as u32, self.scales as u32)
    }

    /// Fills `batch` with the first `count` inputs from chunk `chunk` on.
    ///
    /// # Panics
    /// The batch has vectors of another number of products.
    pub fn fill(&self, chunk: u64, count: usize, batch: &mut Batch) {
        self.fill_from(chunk * CHUNK as u64, count, batch);
    }

    /// Fills `batch` with `count` inputs from input `first` on.
    ///
    /// # Panics
    /// The batch has vectors of another number of products.
    pub fn fill_from(&self, first: u64, count: usize, batch: &mut Batch) {
        assert_eq!(batch.products() as usize, self.products, "the batch fits the unit");
        batch.resize(count);
        for v in 0..count {
            let mut bits = first + v as u64;
            let mut take = |width: u32| {
                let value = bits & ((1 << width) - 1);
                bits >>= width;
                value
            };
            for i in 0..self.products {
                batch.a[v * self.products + i] = take(self.widths[0]);
            }
            for i in 0..self.products {
                batch.b[v * self.products + i] = take(self.widths[1]);
            }
            for s in 0..self.scales {
                batch.scale_a[v * self.scales + s] = take(self.widths[2]);
            }
            for s in 0..self.scales {
                batch.scale_b[v * self.scales + s] = take(self.widths[3]);
            }
            batch.c[v] = take(self.widths[4]);
        }
    }
}
