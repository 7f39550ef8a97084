//! Units that only a part of the space or of the search finds, each with what it needs. The ordinary tier infers the one that takes
//! least; the long one all, some of them minutes each.

use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::unit::{ProductOverflow, Unit};
use tensorsmith::infer::Outcome;

use super::shared::long_tier;
use super::support::{difference, emulator, inferred, short};

fn assert_recovered(text: &str) -> Instruction {
    let unit = Unit::from_toml("hard.toml", text).expect("a unit file");
    let subject = unit.clone().into();
    match inferred(emulator(&subject).as_mut(), &subject, short(500_000)) {
        Ok(Outcome::Found(finding)) => {
            assert_eq!(finding.hypothesis.unit.scheme, unit.scheme);
            assert_eq!(difference(&subject, &finding.hypothesis, 200_000), None, "{}", unit.name);
            finding.hypothesis
        }
        other => panic!("{}: {other:?}", unit.name),
    }
}

/// Tests that run in the long tier only.
macro_rules! long_tests {
    ($($(#[$note:meta])* fn $name:ident() $body:block)*) => {
        $($(#[$note])*
        #[test]
        fn $name() {
            if long_tier() $body
        })*
    };
}

#[test]
fn overflow_is_distinguished_from_results_of_a_bit_less() {
    assert_recovered(include_str!("hard_units/saturating-below-nan.toml"));
}

/// Half a minute; without first hypotheses of such additions over ten, or nothing.
#[test]
fn additions_that_leave_one_bit_are_found() {
    if long_tier() {
        let found = assert_recovered(include_str!("hard_units/coarse-addition.toml")).unit;
        assert_eq!((found.alignment().fraction_bits, found.alignment().exponent_floor), (11, Some(133)));
        assert_recovered(include_str!("hard_units/addition-of-one-bit.toml"));
    }
}

/// The first search ends with next to nothing left to explain, after half a minute.
#[test]
fn hypothesis_that_leaves_few_answers_is_searched_for_again() {
    if long_tier() {
        assert_recovered(include_str!("hard_units/few-answers-left.toml"));
    }
}

/// Two minutes: only the last search begins with infinite products.
#[test]
fn products_that_are_all_infinite_are_found() {
    if long_tier() {
        let addition = assert_recovered(include_str!("hard_units/infinite-products.toml")).unit.addition;
        assert_eq!(addition.map(|addition| addition.product_overflow), Some(ProductOverflow::Infinity));
    }
}

long_tests! {
    fn floor_of_the_sum_is_distinguished_from_one_of_the_products() {
        let found = assert_recovered(include_str!("hard_units/floor-of-the-sum.toml")).unit;
        let floors = (found.alignment().exponent_floor, found.addition.and_then(|addition| addition.exponent_floor));
        assert_eq!(floors, (None, Some(-20)));
    }

    fn floors_that_have_changed_places_are_exchanged() {
        assert_recovered(include_str!("hard_units/exchanged-floors.toml"));
    }

    fn both_windows_of_the_addition_are_moved_together() {
        assert_recovered(include_str!("hard_units/both-windows-longer.toml"));
    }

    fn products_normalised_before_a_late_addend_are_found() {
        assert_recovered(include_str!("hard_units/normalised-then-added.toml"));
    }

    /// Its window and its floor may both be a place lower, but for one shaped vector in three million.
    fn last_bit_that_only_other_scales_show_is_found() {
        let found = assert_recovered(include_str!("hard_units/scales-apart.toml"));
        assert_eq!((found.unit.alignment().fraction_bits, found.unit.alignment().exponent_floor), (37, Some(8)));
    }

    /// Its results are signs only, so that what is rounded to odd shows only beside products that cancel.
    fn rounding_to_odd_behind_a_floor_above_all_results_is_found() {
        assert_recovered(include_str!("hard_units/nearly-cancelling.toml"));
    }

    fn floor_that_only_normalised_subnormal_products_reach_is_found() {
        assert_recovered(include_str!("hard_units/floor-under-subnormals.toml"));
    }

    fn floor_of_the_addition_is_distinguished_from_that_of_the_alignment() {
        assert_recovered(include_str!("hard_units/two-floors.toml"));
    }

    fn window_that_hardly_any_vector_shows_is_found() {
        assert_recovered(include_str!("hard_units/hidden-window.toml"));
    }

    fn result_without_fraction_bits_takes_those_of_the_addend() {
        assert_recovered(include_str!("hard_units/no-fraction-seen.toml"));
    }

    fn largest_number_is_distinguished_from_nan() {
        assert_recovered(include_str!("hard_units/largest-number-like-nan.toml"));
    }

    fn products_far_below_every_addend_are_found() {
        assert_recovered(include_str!("hard_units/smallest-products.toml"));
    }

    /// Answers to c alone show the addition, and those to one product the rest.
    fn addend_below_the_floor_of_the_addition_is_found_in_stages() {
        assert_recovered(include_str!("hard_units/addend-below-its-floor.toml"));
    }

    fn windows_that_are_all_a_bit_too_short_are_moved_together() {
        assert_recovered(include_str!("hard_units/all-windows-longer.toml"));
    }

    fn bits_that_the_addition_leaves_are_not_the_results() {
        assert_recovered(include_str!("hard_units/short-addition.toml"));
    }

    fn window_and_floor_are_distinguished_from_those_that_end_at_the_same_place() {
        let alignment = assert_recovered(include_str!("hard_units/floor-under-cancellation.toml")).unit.alignment.expect("a window");
        assert_eq!((alignment.fraction_bits, alignment.exponent_floor), (26, Some(159)));
    }

    fn last_bits_below_a_carry_are_found() {
        let found = assert_recovered(include_str!("hard_units/sums-that-carry.toml")).unit;
        // One more than sums have that do not carry.
        assert!(found.formats.d.fraction_bits > 16, "{:?}", found.formats.d);
    }

    fn window_that_only_signs_show_is_found() {
        let found = assert_recovered(include_str!("hard_units/signs-alone.toml")).unit;
        assert_eq!(found.alignment().fraction_bits, 7);
    }

    fn window_that_only_near_ties_show_is_found() {
        let alignment = assert_recovered(include_str!("hard_units/near-tie.toml")).unit.alignment.expect("a window");
        // 40 and 36, and so does every window that holds a whole product.
        assert_eq!(alignment.exponent_floor, Some(alignment.fraction_bits as i32 - 4));
        assert!(alignment.fraction_bits >= 20, "{alignment:?}");
    }

    fn window_that_a_floor_stands_in_for_is_found() {
        let found = assert_recovered(include_str!("hard_units/overflowing-products.toml")).unit;
        assert_eq!(found.alignment().fraction_bits, 10);
    }

    fn hypothesis_that_another_scheme_leads_to_is_found() {
        let found = assert_recovered(include_str!("hard_units/results-like-the-addend.toml")).unit;
        assert_eq!(found.alignment().fraction_bits, 7);
    }

    fn bits_of_an_addend_that_is_always_reached_are_found() {
        let addition = assert_recovered(include_str!("hard_units/addend-always-reached.toml")).unit.addition;
        let found = addition.map(|addition| (addition.addend_fraction_bits, addition.addend_reach));
        assert_eq!(found, Some((24, None)));
    }

    fn simpler_scheme_with_what_another_led_to_is_found() {
        assert_recovered(include_str!("hard_units/simpler-scheme.toml"));
    }
}
