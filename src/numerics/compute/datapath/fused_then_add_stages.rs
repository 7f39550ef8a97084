//! The intermediate values of a unit that adds the addend to the sum of its products. Traces and coverage read these.

use super::product::Term;
use super::stages::{Normalised, Stages};
use super::unpack::Unpacked;
use crate::compute::word::{Flag, Word};

/// The intermediate values of one evaluation. The buffers are reused from one evaluation to the next.
#[derive(Debug, Clone)]
pub struct FusedThenAddStages<W: Word> {
    /// Operands a with the classes that their products give them: infinite where the product is too large.
    pub classed_a: Vec<Unpacked<W>>,
    /// Whether a product is too large for a finite result, in the order of K.
    pub product_overflow: Vec<W::Flag>,
    /// In the order of K.
    pub products: Vec<Term<W>>,
    pub group_anchor: Vec<W>,
    /// In the order of groups: the products of group 0 first.
    pub aligned_product: Vec<W>,
    pub group_sum: Vec<W>,
    /// The sums of groups at the greater anchor, where there are several.
    pub aligned_group: Vec<W>,
    /// Whether the addend lies too far below to take part.
    pub addend_dropped: W::Flag,
    /// The sum of both as it is normalised, where it is cut before its conversion.
    pub total: Normalised<W>,
    /// Operands, and everything from the addition on: its terms are the sum of products and the addend.
    pub fused: Stages<W>,
}

impl<W: Word> FusedThenAddStages<W> {
    /// Empty stages for a unit of `products` products.
    pub fn new(products: u32) -> Self {
        let fused = Stages::new(products);
        FusedThenAddStages {
            classed_a: Vec::new(),
            product_overflow: Vec::new(),
            products: Vec::new(),
            group_anchor: Vec::new(),
            aligned_product: Vec::new(),
            group_sum: Vec::new(),
            aligned_group: Vec::new(),
            addend_dropped: W::Flag::constant(false),
            total: fused.normalised,
            fused,
        }
    }

    /// Removes what the last evaluation left in the lists.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.classed_a.clear();
        self.product_overflow.clear();
        self.products.clear();
        self.group_anchor.clear();
        self.aligned_product.clear();
        self.group_sum.clear();
        self.aligned_group.clear();
        self.fused.unpacked_a.clear();
        self.fused.unpacked_b.clear();
        self.fused.terms.clear();
        self.fused.aligned.clear();
    }
}
