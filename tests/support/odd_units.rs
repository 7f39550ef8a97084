//! Units at the limits of what a plan derives.

use tensorsmith::compute::events::Event;

/// Units whose datapath needs exactly one bit more than a 64-bit word: the terms' total, which is cut to the carry bits
/// only afterwards, and the unit in the last place that the lost bits of a term are compared with.
pub const WORD_LIMITS: [&str; 2] = [
    r#"
        name = "total"
        scheme = "fused"
        products = 8
        formats = { a = "binary16", b = "binary16", c = "binary16", d = "binary16" }
        alignment = { fraction_bits = 58, rounding = "toward-zero", exponent_floor = 0 }
        sum = { carry_bits = 0 }
        conversion = { rounding = "nearest-even", overflow = "infinity" }
    "#,
    r#"
        name = "unit-in-the-last-place"
        scheme = "fused"
        products = 4
        alignment = { fraction_bits = 2, rounding = "nearest-even", exponent_floor = "none" }
        conversion = { rounding = "nearest-even", overflow = "infinity" }
        [formats]
        a = { exponent_bits = 6, fraction_bits = 30, bias = 31, non_finite = "ieee" }
        b = { exponent_bits = 6, fraction_bits = 30, bias = 31, non_finite = "ieee" }
        c = "bfloat16"
        d = "bfloat16"
    "#,
];

/// Units with an event that hardly any unit of their kind shows.
pub const RARE_EVENTS: [(Event, &str); 3] = [
    // An addend of 1.75 times the greatest power of two is cut to twice that.
    (
        Event::Overflow,
        r#"
            name = "addend-cut-short"
            scheme = "fused-then-add"
            products = 1
            formats = { a = "e2m3", b = "e2m3", c = "e5m2fnuz", d = "e5m2" }
            alignment = { fraction_bits = 50, rounding = "toward-zero", exponent_floor = "none" }
            conversion = { rounding = "nearest-even", overflow = "infinity" }
            [addition]
            groups = "one"
            product_overflow = "none"
            sum_fraction_bits = 4
            addend_fraction_bits = 1
            rounding = "downward"
            exponent_floor = "none"
            addend_reach = "unlimited"
        "#,
    ),
    // 36 is normalised to 1.125 times 2^5, and its window ends above a product of 1/4.
    (
        Event::BitsLost,
        r#"
            name = "window-at-a-leading-bit"
            scheme = "fused"
            products = 2
            formats = { a = "e2m1", b = "e2m1", c = "e2m1", d = "binary16" }
            alignment = { fraction_bits = 6, rounding = "toward-zero", exponent_floor = "none", normalise_products = true }
            conversion = { rounding = "toward-zero", overflow = "infinity" }
        "#,
    ),
    // Sums of products saturate, and an addend leaves little of the largest number.
    (
        Event::SubnormalResult,
        r#"
            name = "little-left-of-the-largest"
            scheme = "pairwise"
            products = 4
            conversion = { rounding = "nearest-even", overflow = "saturate" }
            subnormals = { addend = "flushed" }
            [formats]
            a = "binary16"
            b = "binary16"
            c = { exponent_bits = 2, fraction_bits = 4, bias = 391, non_finite = "all-ones-nan" }
            d = { exponent_bits = 2, fraction_bits = 4, bias = 391, non_finite = "all-ones-nan" }
        "#,
    ),
];
