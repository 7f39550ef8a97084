//! Vectors to answer, many at a time.

/// One vector: an encoding per operand.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Vector {
    pub a: Vec<u64>,
    pub b: Vec<u64>,
    pub c: u64,
}

impl Vector {
    /// All operands, a then b then c, in one row.
    pub fn operands(&self) -> impl Iterator<Item = u64> + '_ {
        self.a.iter().chain(&self.b).copied().chain([self.c])
    }
}

/// Vectors of one unit, operand arrays row by row: vector v's operand a_i is `a[v * products + i]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    products: usize,
    pub a: Vec<u64>,
    pub b: Vec<u64>,
    pub c: Vec<u64>,
}

impl Batch {
    /// An empty batch for a unit of `products` products.
    pub fn new(products: u32) -> Batch {
        Batch { products: products as usize, a: Vec::new(), b: Vec::new(), c: Vec::new() }
    }

    /// A batch of one.
    pub fn of(vector: &Vector) -> Batch {
        let mut batch = Batch::new(vector.a.len() as u32);
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
        self.a.clear();
        self.b.clear();
        self.c.clear();
    }

    /// Makes room for exactly `count` vectors of zeros.
    pub fn resize(&mut self, count: usize) {
        self.a.resize(count * self.products, 0);
        self.b.resize(count * self.products, 0);
        self.c.resize(count, 0);
    }

    /// Appends a vector.
    pub fn push(&mut self, vector: &Vector) {
        assert_eq!((vector.a.len(), vector.b.len()), (self.products, self.products));
        self.a.extend_from_slice(&vector.a);
        self.b.extend_from_slice(&vector.b);
        self.c.push(vector.c);
    }

    /// Products per vector.
    pub fn products(&self) -> u32 {
        self.products as u32
    }

    /// Operands a of vector `index`.
    pub fn a(&self, index: usize) -> &[u64] {
        &self.a[index * self.products..][..self.products]
    }

    /// Operands b of vector `index`.
    pub fn b(&self, index: usize) -> &[u64] {
        &self.b[index * self.products..][..self.products]
    }

    /// Vector `index`.
    pub fn vector(&self, index: usize) -> Vector {
        Vector { a: self.a(index).to_vec(), b: self.b(index).to_vec(), c: self.c[index] }
    }
}
