//! Faults of units that add the addend to the sum of their products: other roundings, groups, windows and reaches.

use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::plan::{Plan, StepsPlan};
use tensorsmith::describe::unit::{Addition, AlignmentRounding, Groups, ProductOverflow, Scheme, Unit};

use super::harness::{assert_unit_caught, assert_unit_equivalent};
use super::units::changed;
use crate::support::{long_tier, sampled, unit};

/// The units of the scheme; in the ordinary tier every third of them.
fn late_units() -> Vec<Unit> {
    let units: Vec<Unit> = catalogue::units().into_iter().filter(|unit| unit.scheme == Scheme::FusedThenAdd).collect();
    assert!(units.len() >= 8);
    sampled(&units, 3).into_iter().cloned().collect()
}

/// Those of them whose window of the addend is shorter than that of the sum; others drop nothing that often shows.
fn cutting_units() -> Vec<Unit> {
    let cuts = |unit: &Unit| addition(unit).addend_fraction_bits < addition(unit).sum_fraction_bits;
    let units: Vec<Unit> = late_units().into_iter().filter(cuts).collect();
    assert!(units.len() >= if long_tier() { 8 } else { 2 }, "{} units", units.len());
    units
}

fn addition(unit: &Unit) -> &Addition {
    unit.addition.as_ref().expect("a unit of the scheme has the table")
}

/// The unit with another table `addition`.
fn with_addition(unit: &Unit, change: impl Fn(&mut Addition)) -> Unit {
    changed(unit, |unit| change(unit.addition.as_mut().expect("a unit of the scheme has the table")))
}

#[test]
fn truncation_for_floor() {
    for right in cutting_units() {
        for rounding in [AlignmentRounding::TowardZero, AlignmentRounding::NearestEven] {
            let wrong = with_addition(&right, |addition| addition.rounding = rounding);
            assert_unit_caught("sums not rounded downward", &right, &wrong);
        }
    }
}

#[test]
fn floor_for_truncation() {
    for right in late_units() {
        for rounding in [AlignmentRounding::Downward, AlignmentRounding::NearestEven] {
            let wrong = changed(&right, |unit| unit.alignment_mut().rounding = rounding);
            assert_unit_caught("products not truncated", &right, &wrong);
        }
    }
}

#[test]
fn groups_merged_and_split() {
    for right in late_units() {
        let other = match addition(&right).groups {
            Groups::One => Groups::EvenOdd,
            Groups::EvenOdd => Groups::One,
        };
        assert_unit_caught("other groups", &right, &with_addition(&right, |addition| addition.groups = other));
    }
}

#[test]
fn addend_dropped_otherwise() {
    for right in cutting_units() {
        match addition(&right).addend_reach {
            None => {
                // Of a floored addend far below the sum, only one below zero leaves a trace.
                let wrong =
                    with_addition(&right, |addition| addition.addend_reach = Some(addition.addend_fraction_bits));
                assert_unit_caught("c dropped", &right, &wrong);
            }
            Some(reach) => {
                for other in [None, Some(reach - 1), Some(reach + 1)] {
                    let wrong = with_addition(&right, |addition| addition.addend_reach = other);
                    assert_unit_caught("c dropped elsewhere", &right, &wrong);
                }
            }
        }
    }
}

#[test]
fn total_cut_otherwise() {
    let mut cut = 0;
    for right in late_units() {
        let Some(bits) = addition(&right).total_fraction_bits else { continue };
        for other in [None, Some(bits - 1), Some(bits + 1)] {
            let wrong = with_addition(&right, |addition| addition.total_fraction_bits = other);
            assert_unit_caught("the total cut elsewhere", &right, &wrong);
        }
        cut += 1;
    }
    assert!(cut >= if long_tier() { 7 } else { 2 }, "{cut} units");
}

#[test]
fn windows_one_bit_longer_and_shorter() {
    for right in late_units() {
        let longer = changed(&right, |unit| unit.alignment_mut().fraction_bits += 1);
        assert_unit_caught("products cut a bit later", &right, &longer);
        // The least number of fraction bits is 1.
        if right.alignment().fraction_bits > 1 {
            let shorter = changed(&right, |unit| unit.alignment_mut().fraction_bits -= 1);
            assert_unit_caught("products cut a bit earlier", &right, &shorter);
        }
    }
}

#[test]
fn addend_window_one_bit_longer_and_shorter() {
    for right in cutting_units() {
        let longer = with_addition(&right, |addition| addition.addend_fraction_bits += 1);
        assert_unit_caught("c cut a bit later", &right, &longer);
        let shorter = with_addition(&right, |addition| addition.addend_fraction_bits -= 1);
        assert_unit_caught("c cut a bit earlier", &right, &shorter);
    }
}

#[test]
fn sum_window_shorter() {
    for right in cutting_units() {
        let shorter = with_addition(&right, |addition| addition.sum_fraction_bits = addition.addend_fraction_bits);
        assert_unit_caught("the sum cut like c", &right, &shorter);
    }
}

#[test]
fn floor_of_the_addition() {
    for right in cutting_units() {
        let none = with_addition(&right, |addition| addition.exponent_floor = None);
        let Plan::Steps(plan) = Plan::of(&right) else { panic!("a plan of the scheme") };
        let last = plan.links.iter().rfind(|link| link.is_cut).expect("a window with c");
        let least = last.terms.iter().map(|term| term.number.exponent_min).min().expect("terms");
        let floor = addition(&right).exponent_floor.map_or(least, |floor| floor.max(least));
        // A total that ends no lower is rounded downward as the sum is at that floor.
        let Addition { sum_fraction_bits, total_fraction_bits, .. } = addition(&right);
        let low = floor <= right.formats.d.exponent_min();
        let covered = low && total_fraction_bits.is_some_and(|bits| bits < *sum_fraction_bits);
        match floor > least && !covered {
            true => assert_unit_caught("no floor", &right, &none),
            false => assert_unit_equivalent("no term lies below the floor, or the total ends above", &right, &none),
        }
    }
}

/// Whether numbers are bounded without being rounded.
fn has_bound(plan: &StepsPlan) -> bool {
    plan.links.iter().flat_map(|link| &link.rounds).any(|round| round.normalise.is_none())
}

#[test]
fn products_that_do_not_overflow() {
    for right in late_units() {
        let other = match addition(&right).product_overflow {
            ProductOverflow::None => ProductOverflow::Infinity,
            ProductOverflow::Infinity => ProductOverflow::None,
        };
        let wrong = with_addition(&right, |addition| addition.product_overflow = other);
        let overflows = |unit: &Unit| matches!(Plan::of(unit), Plan::Steps(plan) if plan.never_exceeds_bounds().is_none() && has_bound(&plan));
        match overflows(&right) || overflows(&wrong) {
            true => assert_unit_caught("overflowing products", &right, &wrong),
            false => assert_unit_equivalent("no product is large enough", &right, &wrong),
        }
    }
}

#[test]
fn everything_added_at_once() {
    for right in late_units() {
        let wrong = changed(&right, |unit| {
            unit.scheme = Scheme::Fused;
            unit.addition = None;
        });
        assert_unit_caught("c aligned with the products", &right, &wrong);
    }
}

#[test]
fn conversion_and_subnormals() {
    for right in cutting_units() {
        for rounding in [Rounding::TowardZero, Rounding::TowardNegative] {
            let wrong = changed(&right, |unit| unit.conversion.rounding = rounding);
            assert_unit_caught(rounding.name(), &right, &wrong);
        }
        assert_unit_caught("operands flushed", &right, &changed(&right, |unit| unit.flush.operands = true));
        assert_unit_caught("addend flushed", &right, &changed(&right, |unit| unit.flush.addend = true));
        assert_unit_caught("results flushed", &right, &changed(&right, |unit| unit.flush.result = true));
    }
}

/// Where the addition is all but exact, its one rounding and what is flushed before it are caught.
#[test]
fn additions_that_cut_nothing() {
    let right = unit("hickmann-reading-fp16-fp32");
    for rounding in [Rounding::TowardZero, Rounding::TowardNegative] {
        let wrong = changed(&right, |unit| unit.conversion.rounding = rounding);
        assert_unit_caught(rounding.name(), &right, &wrong);
    }
    assert_unit_caught("operands flushed", &right, &changed(&right, |unit| unit.flush.operands = true));
    assert_unit_caught("addend kept", &right, &changed(&right, |unit| unit.flush.addend = false));
    let short =
        with_addition(&right, |addition| (addition.sum_fraction_bits, addition.addend_fraction_bits) = (24, 24));
    assert_unit_caught("a window as short as the result", &right, &short);
}

#[cfg(feature = "rtl")]
mod emitted {
    use std::cell::Cell;

    use tensorsmith::compute::record::Stage;
    use tensorsmith::engine::rtl::Rtl;
    use tensorsmith::engine::{Emulator, Engine};

    use super::super::harness::run;
    use super::unit;

    /// Name, unit, right text, which is once in its files, wrong text, stage that differs first.
    const FAULTS: [(&str, &str, &str, &str, Stage); 6] = [
        ("c kept", "cdna3-e5m2fnuz-fp32", "dropped ? '0 : kept", "1'b0 ? '0 : kept", Stage::Packed),
        (
            "a bit too many of c",
            "cdna3-fp16-fp32",
            ".GuardBits       (GuardBits + AddendCutBits),",
            ".GuardBits       (GuardBits + AddendCutBits - 1),",
            Stage::Packed,
        ),
        (
            "products finite",
            "cdna3-bf16-fp32",
            "assign infinite_o = infinite_i || overflow_o;",
            "assign infinite_o = infinite_i;",
            Stage::Packed,
        ),
        (
            "the sum without its sign",
            "cdna3-bf16-fp32",
            "zero ? late_zero_negative : below",
            "zero ? late_zero_negative : 1'b0",
            Stage::Packed,
        ),
        (
            "the total not cut",
            "cdna3-fp16-fp32",
            ".Precision(32), .Rounding(4)",
            ".Precision(32), .Rounding(1)",
            Stage::Packed,
        ),
        (
            "zeros in the anchor",
            "tiny-two-groups",
            "number_absent[i] ? AnchorWidth'(Low)",
            "1'b0 ? AnchorWidth'(Low)",
            Stage::Packed,
        ),
    ];

    #[test]
    fn changed_lines_of_late_additions_are_caught_and_located() {
        for &(name, unit_name, right, wrong, stage) in crate::support::sampled(&FAULTS, 3) {
            let unit = unit(unit_name);
            let mutant = || {
                let places = Cell::new(0);
                let mutant = Rtl::mutant(&unit, |source| {
                    places.set(places.get() + source.text.matches(right).count());
                    source.text = source.text.replace(right, wrong);
                });
                assert_eq!(places.get(), 1, "{name}: {right:?} stands in so many places");
                mutant.unwrap_or_else(|error| panic!("{name}: {error}"))
            };
            let engines = || -> Vec<Box<dyn Engine>> { vec![Box::new(Emulator::new(&unit)), Box::new(mutant())] };
            let first = run(&unit, engines).first.unwrap_or_else(|| panic!("{name} was not caught"));
            let trace = mutant().trace(&first.vector).expect("a traced mutant").expect("a trace");
            let difference =
                Emulator::new(&unit).trace_of(&first.vector).expect("a vector of the unit").first_difference(&trace);
            let difference = difference.unwrap_or_else(|| panic!("{name}: the traces agree"));
            println!("{name}: minimal {:x?}; first in {}", first.vector, difference.signal);
            assert_eq!(difference.stage, stage, "{name}: first difference in {}", difference.signal);
        }
    }
}
