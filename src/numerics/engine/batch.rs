//! Vectors to answer, many at a time.

use std::ops::Range;

use super::EngineError;
use crate::compute::Inputs;
use crate::describe::interface::Interface;
use crate::describe::unit::Unit;

/// One vector: an encoding per operand.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Vector {
    pub a: Vec<u64>,
    pub b: Vec<u64>,
    pub c: u64,
    /// Scales of a and of b; empty for units without scales.
    pub scale_a: Vec<u64>,
    pub scale_b: Vec<u64>,
}

impl Vector {
    /// All encodings, a then b, the scales, then c, in one row.
    pub fn operands(&self) -> impl Iterator<Item = u64> + '_ {
        let factors = self.a.iter().chain(&self.b).chain(&self.scale_a).chain(&self.scale_b);
        factors.copied().chain([self.c])
    }

    /// The vector as the schemes take it.
    pub fn inputs(&self) -> Inputs<'_> {
        Inputs { a: &self.a, b: &self.b, c: self.c, scale_a: &self.scale_a, scale_b: &self.scale_b }
    }
}

/// Vectors of one unit, operand arrays row by row: vector v's operand a_i is `a[v * products + i]`, its scale s of a is
/// `scale_a[v * scales + s]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    products: usize,
    scales: usize,
    pub a: Vec<u64>,
    pub b: Vec<u64>,
    pub c: Vec<u64>,
    pub scale_a: Vec<u64>,
    pub scale_b: Vec<u64>,
}

impl Batch {
    /// An empty batch for vectors of `products` products and `scales` scales of a, and as many of b.
    pub fn new(products: u32, scales: u32) -> Batch {
        Batch {
            products: products as usize,
            scales: scales as usize,
            a: Vec::new(),
            b: Vec::new(),
            c: Vec::new(),
            scale_a: Vec::new(),
            scale_b: Vec::new(),
        }
    }

    /// An empty batch for a unit.
    pub fn of_unit(unit: &Unit) -> Batch {
        Batch::new(unit.products, unit.scale_count())
    }

    /// An empty batch for an interface.
    pub fn of_interface(interface: &Interface) -> Batch {
        Batch::new(interface.products, interface.scale_count())
    }

    /// A batch of one.
    ///
    /// # Panics
    /// The vector has other numbers of a and b, or of their scales.
    pub fn of(vector: &Vector) -> Batch {
        let mut batch = Batch::new(vector.a.len() as u32, vector.scale_a.len() as u32);
        batch.push(vector);
        batch
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.c.len()
    }

    /// Whether there is no vector.
    pub fn is_empty(&self) -> bool {
        self.c.is_empty()
    }

    /// Removes all vectors.
    pub fn clear(&mut self) {
        self.resize(0);
    }

    /// Makes room for exactly `count` vectors; those that are new are zeros.
    pub fn resize(&mut self, count: usize) {
        self.a.resize(count * self.products, 0);
        self.b.resize(count * self.products, 0);
        self.c.resize(count, 0);
        self.scale_a.resize(count * self.scales, 0);
        self.scale_b.resize(count * self.scales, 0);
    }

    /// Appends a vector.
    ///
    /// # Panics
    /// The vector has another number of elements or scales than those of the batch.
    pub fn push(&mut self, vector: &Vector) {
        assert_eq!((vector.a.len(), vector.b.len()), (self.products, self.products));
        assert_eq!((vector.scale_a.len(), vector.scale_b.len()), (self.scales, self.scales));
        self.a.extend_from_slice(&vector.a);
        self.b.extend_from_slice(&vector.b);
        self.c.push(vector.c);
        self.scale_a.extend_from_slice(&vector.scale_a);
        self.scale_b.extend_from_slice(&vector.scale_b);
    }

    /// Refuses a batch of vectors of other sizes than an engine takes.
    ///
    /// # Errors
    /// The vectors have other numbers of products or scales, or an array has too few or too many elements for them.
    pub fn check(&self, engine: &'static str, products: u32, scales: u32) -> Result<(), EngineError> {
        if (self.products(), self.scales()) != (products, scales) {
            let found = format!("vectors of {} products and {} scales", self.products, self.scales);
            let message = format!("the batch has {found}; allowed: {products} products and {scales} scales");
            return Err(EngineError { engine, message });
        }
        let lengths = [self.a.len(), self.b.len(), self.scale_a.len(), self.scale_b.len()];
        check_lengths(engine, self.len(), lengths, [products, products, scales, scales])
    }

    /// Products per vector.
    pub fn products(&self) -> u32 {
        self.products as u32
    }

    /// Scales of a per vector, and of b.
    pub fn scales(&self) -> u32 {
        self.scales as u32
    }

    /// Operands a of vector `index`.
    pub fn a(&self, index: usize) -> &[u64] {
        &self.a[index * self.products..][..self.products]
    }

    /// Operands b of vector `index`.
    pub fn b(&self, index: usize) -> &[u64] {
        &self.b[index * self.products..][..self.products]
    }

    /// Vector `index` as the schemes take it.
    #[inline]
    pub fn inputs(&self, index: usize) -> Inputs<'_> {
        let scales = index * self.scales..(index + 1) * self.scales;
        Inputs {
            a: self.a(index),
            b: self.b(index),
            c: self.c[index],
            scale_a: &self.scale_a[scales.clone()],
            scale_b: &self.scale_b[scales],
        }
    }

    /// Some of the vectors, as a batch of their own.
    pub fn part(&self, vectors: Range<usize>) -> Batch {
        let rows = |width: usize| vectors.start * width..vectors.end * width;
        Batch {
            products: self.products,
            scales: self.scales,
            a: self.a[rows(self.products)].to_vec(),
            b: self.b[rows(self.products)].to_vec(),
            c: self.c[vectors.clone()].to_vec(),
            scale_a: self.scale_a[rows(self.scales)].to_vec(),
            scale_b: self.scale_b[rows(self.scales)].to_vec(),
        }
    }

    /// Vector `index`.
    pub fn vector(&self, index: usize) -> Vector {
        let Inputs { a, b, c, scale_a, scale_b } = self.inputs(index);
        Vector { a: a.to_vec(), b: b.to_vec(), c, scale_a: scale_a.to_vec(), scale_b: scale_b.to_vec() }
    }
}

/// Refuses a vector of other sizes than the unit's.
pub(super) fn check_inputs(engine: &'static str, inputs: Inputs, unit: &Unit) -> Result<(), EngineError> {
    let (products, scales) = (unit.products, unit.scale_count());
    let Inputs { a, b, scale_a, scale_b, .. } = inputs;
    let lengths = [a.len(), b.len(), scale_a.len(), scale_b.len()];
    check_lengths(engine, 1, lengths, [products, products, scales, scales])
}

/// Refuses arrays that have not `each` elements for every vector: a, b and their scales.
fn check_lengths(engine: &'static str, vectors: usize, lengths: [usize; 4], each: [u32; 4]) -> Result<(), EngineError> {
    let names = ["a", "b", "scale_a", "scale_b"];
    for (name, (length, each)) in names.into_iter().zip(lengths.into_iter().zip(each)) {
        let expected = vectors as u128 * u128::from(each);
        if length as u128 != expected {
            let message = format!("{name} has {length} elements; allowed: {expected}, {each} a vector");
            return Err(EngineError { engine, message });
        }
    }
    Ok(())
}
