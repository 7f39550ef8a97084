//! How an instruction may compose blocks: the compositions from which a search starts. Made from the number of products.

use super::interface::Interface;
use crate::describe::instruction::Order;
use crate::describe::unit::Scheme;

/// Blocks of products, their order, and where c is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Composition {
    /// L, the products of one block.
    pub products: u32,
    pub order: Order,
    /// Whether c is added at the end, rounded once more.
    pub added_last: bool,
}

impl Composition {
    /// Everything in one block.
    pub fn whole(interface: &Interface) -> Composition {
        Composition { products: interface.products, order: Order::Contiguous, added_last: false }
    }

    /// The compositions that a scheme's search starts from, the simplest first.
    pub fn all(interface: &Interface, scheme: Scheme) -> Vec<Composition> {
        let whole = Composition::whole(interface);
        // An addend joins blocks; flags come from one block.
        if interface.formats.c.is_absent() || interface.flags {
            return vec![whole];
        }
        let k = interface.products;
        let mut widths: Vec<u32> = (1..k).filter(|&products| k.is_multiple_of(products)).collect();
        widths.extend((1..k.ilog2() + 1).map(|bit| 1 << bit).filter(|&products| products < k));
        widths.retain(|&products| interface.scales.as_ref().is_none_or(|scales| products.is_multiple_of(scales.block)));
        widths.sort_unstable();
        widths.dedup();
        if scheme == Scheme::FmaChain {
            // Blocks of a chain in ascending order are one chain; those of descending ones are among its first hypotheses.
            widths.clear();
        }
        let mut all = vec![whole];
        all.extend(widths.into_iter().rev().map(|products| Composition { products, ..whole }));
        let interleaved = Composition { products: k / 2, order: Order::InterleavedPairs, ..whole };
        let has_pairs = k.is_multiple_of(4) && interface.scales.is_none();
        all.extend(has_pairs.then_some(interleaved));
        if scheme != Scheme::Integer {
            // One change leads from the other widths to those where c is added last.
            let begun = |one: &&Composition| scheme == Scheme::Fused || **one == whole || **one == interleaved;
            let last = all.iter().filter(begun).map(|one| Composition { added_last: true, ..*one });
            let last: Vec<Composition> = last.collect();
            all.extend(last);
        }
        all
    }
}
