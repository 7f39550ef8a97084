//! One vector as the schemes see it: encodings, borrowed.

/// The operands of one evaluation, an encoding each. Units without scales have none.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a, E = u64> {
    pub a: &'a [E],
    pub b: &'a [E],
    pub c: E,
    /// Scales of a and of b, one for each block of products.
    pub scale_a: &'a [E],
    pub scale_b: &'a [E],
}

impl<'a, E> Inputs<'a, E> {
    /// The inputs of a unit without scales.
    pub fn unscaled(a: &'a [E], b: &'a [E], c: E) -> Inputs<'a, E> {
        Inputs { a, b, c, scale_a: &[], scale_b: &[] }
    }
}
