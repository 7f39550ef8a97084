//! Why another composition of blocks cannot act.

use super::*;

#[test]
fn blocks_of_sums_that_wrap() {
    let wrapping = unit("integer-int8-int32");
    holds(&Setting::BlockWidth(5), &wrapping, "sums wrap");
    let mut saturating = wrapping;
    saturating.unit.conversion.overflow = Overflow::Saturate;
    acts(&Setting::BlockWidth(5), &saturating);
}

#[test]
fn wider_units_with_the_same_blocks() {
    let halves = instruction("hopper-mma-m16n8k32-e4m3-fp32");
    holds(&Setting::BlockWidth(20), &halves, "no block has more than 16 products");
    acts(&Setting::BlockWidth(16), &instruction("volta-wmma-m16n16k16-fp16-fp32"));
    // Zeros carry the least exponent that an anchor can have.
    holds(&Setting::BlockWidth(4), &instruction("cdna3-mfma-m4n4k4-fp16-fp32"), "no block has more than 4 products");
    holds(&Setting::BlockWidth(4), &unit("tiny-two-groups"), "no block has more than 2 products");
    acts(&Setting::BlockWidth(4), &instruction("cdna3-mfma-m16n16k16-fp16-fp32"));
}

#[test]
fn orders_of_one_block() {
    let order = Setting::BlockOrder(Order::InterleavedPairs);
    holds(&order, &unit("tiny-truncating"), "the second block would be empty");
    acts(&order, &unit("volta-fp16-fp32"));
    let mut flushing = unit("tiny-truncating");
    // Products are small enough for subnormal results, which a second block takes for zero.
    [flushing.a, flushing.b] = [&flushing.c; 2].map(Format::clone);
    [flushing.unit.formats.a, flushing.unit.formats.b] = [&flushing.c; 2].map(Format::clone);
    flushing.unit.alignment_mut().exponent_floor = None;
    flushing.unit.flush.addend = true;
    acts(&order, &flushing);
}

/// A chain in descending order is another one in other blocks.
#[test]
fn blocks_of_one_chain() {
    let chain = Instruction { name: "chain".to_owned(), ..unit("fma-fp32") };
    let chain = |products: u32, order: ProductOrder| {
        let mut chain = chain.clone();
        (chain.shape.k, chain.unit.products, chain.unit.order) = (8, products, order);
        chain
    };
    holds(&Setting::BlockWidth(4), &chain(8, ProductOrder::Ascending), "one chain");
    holds(&Setting::BlockWidth(8), &chain(2, ProductOrder::Ascending), "one chain");
    acts(&Setting::BlockWidth(4), &chain(8, ProductOrder::Descending));
    let interleaved = Instruction { order: Order::InterleavedPairs, ..chain(4, ProductOrder::Ascending) };
    acts(&Setting::BlockOrder(Order::Contiguous), &interleaved);
}

/// Steps of a chain add to what the steps before left, though c is added last.
#[test]
fn addends_of_steps() {
    let mut chain = unit("fma-fp32");
    (chain.shape.k, chain.unit.products) = (4, 4);
    Setting::FinalAddition(Some(Rounding::NearestEven)).apply(&mut chain);
    let flushed = Setting::Subnormals(Flush { addend: true, ..Flush::default() });
    acts(&flushed, &chain);
    (chain.shape.k, chain.unit.products) = (1, 1);
    holds(&flushed, &chain, "the addend of the only block is zero");
}
