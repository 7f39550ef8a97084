//! One vector as the schemes see it: encodings, borrowed.

/// The operands of one evaluation, an encoding each. Units without scales have none.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    pub a: &'a [u64],
    pub b: &'a [u64],
    pub c: u64,
    /// Scales of a and of b, one for each block of products.
    pub scale_a: &'a [u64],
    pub scale_b: &'a [u64],
}

impl<'a> Inputs<'a> {
    /// The inputs of a unit without scales.
    pub fn unscaled(a: &'a [u64], b: &'a [u64], c: u64) -> Inputs<'a> {
        Inputs { a, b, c, scale_a: &[], scale_b: &[] }
    }
}
