//! Units that only a part of the space or of the search finds, each with what it needs.

use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::unit::Unit;
use tensorsmith::infer::Outcome;

use super::support::{difference, emulator, inferred};

/// Products are brought to [1, 2) before c is added to their sum.
const NORMALISED_THEN_ADDED: &str = r#"
name = "normalised-then-added"
scheme = "fused-then-add"
products = 4
formats = { a = "binary16", b = "e2m1", c = "ue4m3", d = { exponent_bits = 3, fraction_bits = 15, bias = 6, non_finite = "negative-zero-nan", padding_bits = 14 } }
alignment = { fraction_bits = 54, rounding = "nearest-even", exponent_floor = "none", normalise_products = true }
conversion = { rounding = "nearest-away", overflow = "saturate", exact_zero = "positive" }
subnormals = { operands = "flushed", addend = "flushed", result = "flushed" }

[addition]
groups = "even-odd"
product_overflow = "infinity"
sum_fraction_bits = 9
addend_fraction_bits = 1
rounding = "downward"
exponent_floor = -7
addend_reach = 14
"#;

/// The floor lies below the exponent of every product of normal numbers, and above that of normalised subnormal ones.
const FLOOR_UNDER_SUBNORMALS: &str = r#"
name = "floor-under-subnormals"
scheme = "fused"
products = 6
formats = { a = "e3m2", b = { exponent_bits = 1, fraction_bits = 28, bias = 0, non_finite = "all-ones-nan", padding_bits = 0 }, c = { exponent_bits = 5, fraction_bits = 8, bias = 14, non_finite = "none", padding_bits = 0 }, d = { exponent_bits = 2, fraction_bits = 5, bias = 0, non_finite = "negative-zero-nan", padding_bits = 27 } }
alignment = { fraction_bits = 2, rounding = "downward", exponent_floor = -24, normalise_products = true }
conversion = { rounding = "to-odd", overflow = "infinity", exact_zero = "positive" }
subnormals = { operands = "kept", addend = "flushed", result = "kept" }
"#;

/// Of two floors the higher one ends every window, and a hypothesis may begin with the other one there.
const TWO_FLOORS: &str = r#"
name = "two-floors"
scheme = "fused-then-add"
products = 4
formats = { a = { exponent_bits = 10, fraction_bits = 23, bias = 215, non_finite = "negative-zero-nan", padding_bits = 22 }, b = { exponent_bits = 7, fraction_bits = 4, bias = 353, non_finite = "negative-zero-nan", padding_bits = 0 }, c = { exponent_bits = 2, fraction_bits = 45, bias = 834, non_finite = "none", padding_bits = 2 }, d = { exponent_bits = 10, fraction_bits = 15, bias = 163, non_finite = "all-ones-nan", padding_bits = 0 } }
alignment = { fraction_bits = 6, rounding = "nearest-even", exponent_floor = -204, normalise_products = false }
conversion = { rounding = "toward-negative", overflow = "saturate", exact_zero = "positive" }
subnormals = { operands = "flushed", addend = "kept", result = "flushed" }

[addition]
groups = "even-odd"
product_overflow = "none"
sum_fraction_bits = 8
addend_fraction_bits = 1
rounding = "downward"
exponent_floor = 479
addend_reach = "unlimited"
"#;

/// All of its window shows only where two products cancel that are as large as can be, and results are tiny: on a shaped
/// vector in 200,000. Each window is told from the next longer one near what tells it from the one before.
const HIDDEN_WINDOW: &str = r#"
name = "hidden-window"
scheme = "fused"
products = 3
formats = { a = { exponent_bits = 5, fraction_bits = 1, bias = 7, non_finite = "all-ones-nan", padding_bits = 0 }, b = "e2m1", d = { exponent_bits = 1, fraction_bits = 6, bias = 0, non_finite = "ieee", padding_bits = 0 } }
alignment = { fraction_bits = 34, rounding = "to-odd", exponent_floor = 6, normalise_products = false }
conversion = { rounding = "toward-zero", overflow = "infinity", flags = true, exact_zero = "negative" }
subnormals = { operands = "flushed", addend = "kept", result = "kept" }
"#;

/// The floor of the addition, which a hypothesis may begin with as that of the alignment: then each has to become the other.
const EXCHANGED_FLOORS: &str = r#"
name = "exchanged-floors"
scheme = "fused-then-add"
products = 8
formats = { a = "e5m2", b = { exponent_bits = 8, fraction_bits = 22, bias = 87, non_finite = "negative-zero-nan", padding_bits = 19 }, c = { exponent_bits = 2, fraction_bits = 26, bias = 1, non_finite = "none", padding_bits = 0 }, d = { exponent_bits = 10, fraction_bits = 5, bias = 655, non_finite = "negative-zero-nan", padding_bits = 0 } }
alignment = { fraction_bits = 54, rounding = "to-odd", exponent_floor = "none", normalise_products = false }
conversion = { rounding = "nearest-even", overflow = "saturate", exact_zero = "positive" }
subnormals = { operands = "kept", addend = "kept", result = "kept" }

[addition]
groups = "one"
product_overflow = "infinity"
sum_fraction_bits = 8
addend_fraction_bits = 1
rounding = "downward"
exponent_floor = -51
addend_reach = "unlimited"
"#;

/// No result has a fraction bit, and c, which is added in the result's format, has some.
const NO_FRACTION_SEEN: &str = r#"
name = "no-fraction-seen"
scheme = "fma-chain"
products = 4
formats = { a = { exponent_bits = 2, fraction_bits = 17, bias = 3, non_finite = "all-ones-nan", padding_bits = 0 }, b = "e5m2fnuz", c = { exponent_bits = 1, fraction_bits = 6, bias = 1, non_finite = "ieee", padding_bits = 0 }, d = { exponent_bits = 1, fraction_bits = 6, bias = 1, non_finite = "ieee", padding_bits = 0 } }
sum = { order = "descending" }
conversion = { rounding = "toward-zero", overflow = "saturate" }
subnormals = { operands = "kept", addend = "flushed-to-plus-zero", result = "flushed" }
"#;

/// Results are 0, 1, NaN and the largest number, which is NaN in the format with a fraction bit less.
const LARGEST_NUMBER_LIKE_NAN: &str = r#"
name = "largest-number-like-nan"
scheme = "fused"
products = 12
formats = { a = "e2m1", b = { exponent_bits = 5, fraction_bits = 16, bias = 16, non_finite = "negative-zero-nan", padding_bits = 11 }, d = { exponent_bits = 1, fraction_bits = 18, bias = 1, non_finite = "all-ones-nan", padding_bits = 0 } }
alignment = { fraction_bits = 4, rounding = "downward", exponent_floor = 4, normalise_products = true }
conversion = { rounding = "toward-negative", overflow = "saturate", flags = true, exact_zero = "negative" }
subnormals = { operands = "kept", addend = "kept", result = "flushed" }
"#;

/// Products are cut off only where the addend is largest and the product and its scales are as small as can be.
const SMALLEST_PRODUCTS: &str = r#"
name = "smallest-products"
scheme = "block-scaled"
products = 2
formats = { a = { exponent_bits = 1, fraction_bits = 5, bias = 0, non_finite = "all-ones-nan" }, b = { exponent_bits = 2, fraction_bits = 6, bias = 1, non_finite = "all-ones-nan" }, c = "e2m1", d = "bfloat16" }
alignment = { fraction_bits = 40, rounding = "downward", exponent_floor = "none", normalise_products = false }
scales = { a = "ue4m3", b = { exponent_bits = 2, fraction_bits = 7, bias = 2, non_finite = "none" }, block = 2, group = 1 }
sum = { carry_bits = 2 }
conversion = { rounding = "toward-positive", overflow = "saturate", exact_zero = "positive" }
subnormals = { operands = "kept", addend = "flushed", result = "kept" }
"#;

/// Results seldom have all of their bits. Once they are taken to have one less, so are both windows.
const ALL_WINDOWS_LONGER: &str = r#"
name = "all-windows-longer"
scheme = "fused-then-add"
products = 2
alignment = { fraction_bits = 7, rounding = "toward-zero", exponent_floor = 46, normalise_products = true }
conversion = { rounding = "nearest-away", overflow = "saturate", exact_zero = "positive" }
subnormals = { operands = "flushed", addend = "flushed", result = "kept" }

[formats]
a = { exponent_bits = 2, fraction_bits = 19, bias = 4, non_finite = "none", padding_bits = 23 }
b = { exponent_bits = 6, fraction_bits = 4, bias = 8, non_finite = "ieee" }
c = { exponent_bits = 1, fraction_bits = 7, bias = 0, non_finite = "none", padding_bits = 6 }
d = "bfloat16"

[addition]
groups = "even-odd"
product_overflow = "infinity"
sum_fraction_bits = 3
addend_fraction_bits = 1
rounding = "downward"
exponent_floor = 49
addend_reach = 22
"#;

/// Where groups of products cancel with c, results show far more of both windows than one bit in a thousand: they are too
/// short, one as much as the other, and the addend's is never the longer one.
const BOTH_WINDOWS_LONGER: &str = r#"
name = "both-windows-longer"
scheme = "fused-then-add"
products = 58
formats = { a = "e5m2fnuz", b = { exponent_bits = 1, fraction_bits = 8, bias = 0, non_finite = "all-ones-nan", padding_bits = 0 }, c = { exponent_bits = 3, fraction_bits = 37, bias = 4, non_finite = "all-ones-nan", padding_bits = 0 }, d = "e5m2" }
alignment = { fraction_bits = 15, rounding = "to-odd", exponent_floor = "none", normalise_products = true }
conversion = { rounding = "toward-positive", overflow = "ieee", exact_zero = "negative" }
subnormals = { operands = "flushed", addend = "flushed", result = "flushed" }

[addition]
groups = "even-odd"
product_overflow = "infinity"
sum_fraction_bits = 38
addend_fraction_bits = 36
rounding = "to-odd"
exponent_floor = -28
addend_reach = 5
"#;

/// Windows that end where the right one does differ from it where all that lies above the floor cancels, and hardly anywhere
/// else.
const FLOOR_UNDER_CANCELLATION: &str = r#"
name = "floor-under-cancellation"
scheme = "block-scaled"
products = 24
formats = { a = "e5m2", b = "e3m2", c = { exponent_bits = 1, fraction_bits = 5, bias = 0, non_finite = "negative-zero-nan", padding_bits = 16 }, d = { exponent_bits = 2, fraction_bits = 14, bias = 719, non_finite = "all-ones-nan", padding_bits = 0 } }
alignment = { fraction_bits = 26, rounding = "nearest-even", exponent_floor = 159, normalise_products = false }
scales = { a = "ue8m0", b = "ue8m0", block = 8, group = 8 }
sum = { carry_bits = 3 }
conversion = { rounding = "nearest-away", overflow = "ieee", exact_zero = "negative" }
subnormals = { operands = "kept", addend = "flushed", result = "kept" }
"#;

/// The addition leaves three bits of a result that has ten.
const SHORT_ADDITION: &str = r#"
name = "short-addition"
scheme = "fused-then-add"
products = 2
formats = { a = "ue4m3", b = { exponent_bits = 6, fraction_bits = 1, bias = 26, non_finite = "negative-zero-nan", padding_bits = 0 }, c = "e4m3fnuz", d = "tf32" }
alignment = { fraction_bits = 56, rounding = "nearest-even", exponent_floor = 13, normalise_products = true }
conversion = { rounding = "nearest-even", overflow = "saturate", exact_zero = "negative" }
subnormals = { operands = "kept", addend = "flushed", result = "kept" }

[addition]
groups = "even-odd"
product_overflow = "none"
sum_fraction_bits = 3
addend_fraction_bits = 1
rounding = "to-odd"
exponent_floor = "none"
addend_reach = 29
"#;

fn assert_recovered(text: &str) -> Instruction {
    let unit = Unit::from_toml("hard.toml", text).expect("a unit file");
    let subject = unit.clone().into();
    match inferred(emulator(&subject).as_mut(), &subject, 500_000) {
        Ok(Outcome::Found(finding)) => {
            assert_eq!(finding.hypothesis.unit.scheme, unit.scheme);
            assert_eq!(difference(&subject, &finding.hypothesis, 200_000), None, "{}", unit.name);
            finding.hypothesis
        }
        other => panic!("{}: {other:?}", unit.name),
    }
}

#[test]
fn products_normalised_before_a_late_addend_are_found() {
    assert_recovered(NORMALISED_THEN_ADDED);
}

#[test]
fn floor_that_only_normalised_subnormal_products_reach_is_found() {
    assert_recovered(FLOOR_UNDER_SUBNORMALS);
}

#[test]
fn floor_of_the_addition_is_told_from_that_of_the_alignment() {
    assert_recovered(TWO_FLOORS);
}

#[test]
fn window_that_hardly_any_vector_shows_is_found() {
    assert_recovered(HIDDEN_WINDOW);
}

#[test]
fn floors_that_have_changed_places_are_exchanged() {
    assert_recovered(EXCHANGED_FLOORS);
}

#[test]
fn result_without_fraction_bits_takes_those_of_the_addend() {
    assert_recovered(NO_FRACTION_SEEN);
}

#[test]
fn largest_number_is_told_from_nan() {
    assert_recovered(LARGEST_NUMBER_LIKE_NAN);
}

#[test]
fn products_far_below_every_addend_are_found() {
    assert_recovered(SMALLEST_PRODUCTS);
}

#[test]
fn windows_that_are_all_a_bit_too_short_are_moved_together() {
    assert_recovered(ALL_WINDOWS_LONGER);
}

#[test]
fn both_windows_of_the_addition_are_moved_together() {
    assert_recovered(BOTH_WINDOWS_LONGER);
}

#[test]
fn bits_that_the_addition_leaves_are_not_the_results() {
    assert_recovered(SHORT_ADDITION);
}

#[test]
fn window_and_floor_are_told_from_those_that_end_at_the_same_place() {
    let alignment = assert_recovered(FLOOR_UNDER_CANCELLATION).unit.alignment;
    assert_eq!((alignment.fraction_bits, alignment.exponent_floor), (26, Some(159)));
}
