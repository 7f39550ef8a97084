//! Totals that are cut, rounded downward: what their sums lose before does not always show.

use tensorsmith::infer::{Setting, cannot_act};

use super::{acts, holds, unit};

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
        assert_eq!(cannot_act(&Setting::SumFractionBits(33), &whole), None);
    }
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
    assert_eq!(cannot_act(&Setting::AdditionFloor(None), &whole), None);
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
