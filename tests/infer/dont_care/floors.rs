//! Why floors do not act, nor what sums lose before their totals are cut, rounded downward.

use super::*;

#[test]
fn floors_below_the_last_bit_of_every_term() {
    let ampere = instruction("ampere-mma-m16n8k16-fp16-fp32");
    holds(&Setting::ExponentFloor(Some(-125)), &ampere, "a multiple of 2^-149, and windows at floors up to -125");
    acts(&Setting::ExponentFloor(Some(-124)), &ampere);
    let from_zero = instruction("hopper-mma-m16n8k32-e4m3-fp16");
    holds(&Setting::ExponentFloor(Some(7)), &from_zero, "every term is a multiple of 2^-18");
    acts(&Setting::ExponentFloor(Some(8)), &from_zero);
}

#[test]
fn floors_that_cut_no_product_and_no_addend() {
    let sum = unit("cdna3-e5m2fnuz-fp32");
    for setting in [Setting::ExponentFloor(Some(-125)), Setting::AdditionFloor(Some(-125))] {
        holds(&setting, &sum, "windows at floors up to -125 end there or below");
    }
    for setting in [Setting::ExponentFloor(Some(-124)), Setting::AdditionFloor(Some(-124))] {
        acts(&setting, &sum);
    }
    let short = unit("cdna3-bf16-fp32");
    holds(&Setting::ExponentFloor(Some(-242)), &short, "products are multiples of 2^-266");
    acts(&Setting::ExponentFloor(Some(-241)), &short);
    // The addend is dropped sooner where the anchor is higher.
    let mut near = unit("cdna3-e5m2fnuz-fp32");
    if let Some(addition) = &mut near.unit.addition {
        addition.addend_reach = Some(0);
    }
    acts(&Setting::AdditionFloor(Some(-125)), &near);
}

/// The exponent of an addend is -126 at least, of a product -12.
#[test]
fn floors_below_every_term() {
    let ada = unit("ada-e4m3-fp32");
    holds(&Setting::ExponentFloor(Some(-126)), &ada, "no term has an exponent below -126");
    acts(&Setting::ExponentFloor(Some(-125)), &ada);
}

/// The greater one of the floors of products and of the addition is the least anchor of the addition.
#[test]
fn floors_above_each_other() {
    let described = unit("tiny-two-groups");
    holds(&Setting::ExponentFloor(Some(-12)), &described, "no anchor of the addition lies below -12");
    acts(&Setting::ExponentFloor(Some(-11)), &described);
    let mut exchanged = described.clone();
    exchanged.unit.alignment_mut().exponent_floor = Some(-12);
    if let Some(addition) = &mut exchanged.unit.addition {
        addition.exponent_floor = None;
    }
    holds(&Setting::AdditionFloor(Some(-12)), &exchanged, "no sum of products has an exponent below -12");
    acts(&Setting::AdditionFloor(Some(-11)), &exchanged);
    // Products lose bits below so high a floor.
    let mut high = described;
    if let Some(addition) = &mut high.unit.addition {
        addition.exponent_floor = Some(2);
    }
    acts(&Setting::ExponentFloor(Some(2)), &high);
}

/// The total loses what the sum of products loses, and no bit less. A total that is not cut loses nothing, and no reason holds.
#[test]
fn sums_that_lose_no_more_than_their_total() {
    for name in ["cdna3-fp16-fp32", "cdna3-bf16-fp32", "cdna3-e5m2fnuz-fp32"] {
        let described = unit(name);
        for bits in [33, 40, 66, 100] {
            holds(&Setting::SumFractionBits(bits), &described, "rounded downward");
        }
        acts(&Setting::SumFractionBits(30), &described);
        let mut whole = described.clone();
        if let Some(addition) = &mut whole.unit.addition {
            addition.total_fraction_bits = None;
        }
        assert_eq!(dont_care(&Setting::SumFractionBits(33), &whole), None);
    }
}

/// Beside an addend that is the nearest result with the sum of products and without, the sum may lose bits.
#[test]
fn sums_that_are_lost_in_rounding() {
    let mut described = unit("hickmann-reading-fp16-fp32");
    let window = |bits: u32| Setting::SumFractionBits(bits);
    if let Some(addition) = &mut described.unit.addition {
        addition.addend_fraction_bits = 24;
    }
    // 23 fraction bits and 5 integer bits of the sum, 23 fraction bits of the result.
    for bits in [52, 59, 63, 100] {
        holds(&window(bits), &described, "sums lose bits only beside an addend of which they are less than 2^-25");
    }
    assert_eq!(dont_care(&window(51), &described), None);
    acts(&window(24), &described);
    let mut cut = described;
    cut.unit.conversion.rounding = Rounding::TowardZero;
    assert_eq!(dont_care(&window(59), &cut), None);
}

/// Down to the least exponent of d the total is cut where a floor would cut the sum of products.
#[test]
fn floors_below_the_ends_of_totals() {
    let described = unit("cdna3-bf16-fp32");
    holds(&Setting::AdditionFloor(None), &described, "where totals end");
    acts(&Setting::AdditionFloor(Some(-120)), &described);
    let mut whole = described.clone();
    if let Some(addition) = &mut whole.unit.addition {
        addition.total_fraction_bits = None;
    }
    assert_eq!(dont_care(&Setting::AdditionFloor(None), &whole), None);
}

#[test]
fn totals_that_are_long_enough_for_every_sum() {
    let tiny = unit("tiny-then-add");
    holds(&Setting::TotalFractionBits(Some(20)), &tiny, "all of its bits");
    acts(&Setting::TotalFractionBits(Some(3)), &tiny);
    let cut = unit("tiny-two-groups");
    acts(&Setting::TotalFractionBits(None), &cut);
    acts(&Setting::TotalFractionBits(Some(4)), &cut);
}
