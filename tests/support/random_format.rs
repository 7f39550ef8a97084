//! Random entries of the table `formats`: named formats and custom layouts.

use proptest::prelude::*;
use proptest::sample::select;

/// An entry of the table `formats`, and what the other fields need to know of it.
#[derive(Debug, Clone)]
pub struct Entry {
    pub text: String,
    pub exponent_min: i32,
    pub exponent_max: i32,
    pub has_minus_zero: bool,
}

const NAMED: [(&str, i32, i32); 13] = [
    ("binary16", -14, 15),
    ("bfloat16", -126, 127),
    ("tf32", -126, 127),
    ("binary32", -126, 127),
    ("binary64", -1022, 1023),
    ("e4m3", -6, 8),
    ("e5m2", -14, 15),
    ("e3m2", -2, 4),
    ("e2m3", 0, 2),
    ("e2m1", 0, 2),
    ("e4m3fnuz", -7, 7),
    ("e5m2fnuz", -15, 15),
    ("ue4m3", -6, 8),
];

/// Named formats without a NaN, or without a sign: operands only.
const OPERANDS_ONLY: [&str; 4] = ["e3m2", "e2m3", "e2m1", "ue4m3"];

fn named(result: bool) -> impl Strategy<Value = Entry> {
    let allowed = |name: &str| !result || !OPERANDS_ONLY.contains(&name);
    let names: Vec<_> = NAMED.into_iter().filter(|(name, ..)| allowed(name)).collect();
    select(names).prop_map(|(name, exponent_min, exponent_max)| Entry {
        text: format!("{name:?}"),
        exponent_min,
        exponent_max,
        has_minus_zero: !name.ends_with("fnuz"),
    })
}

fn layout(result: bool) -> impl Strategy<Value = Entry> {
    let kinds: &[&str] = match result {
        true => &["ieee", "all-ones-nan", "negative-zero-nan"],
        false => &["none", "ieee", "all-ones-nan", "negative-zero-nan"],
    };
    let exponent = prop_oneof![4 => 1..=6i32, 1 => 7..=11i32];
    let fraction = prop_oneof![3 => 1..=8i32, 2 => 9..=30i32, 1 => 31..=52i32];
    let padding = prop_oneof![3 => Just(0), 1 => 0..=32i32];
    // Mostly in the middle of the exponent field, sometimes far outside it.
    let bias = prop_oneof![6 => (0..=100i32).prop_map(Some), 1 => Just(None)];
    (exponent, fraction, padding, bias, -1100..=1100i32, select(kinds.to_vec())).prop_map(
        |(exponent_bits, fraction_bits, padding, percent, far, kind)| {
            let padding_bits = padding.min(63 - exponent_bits - fraction_bits);
            let bias = percent.map_or(far, |percent| (1 << exponent_bits) * percent / 100).clamp(-1100, 1100);
            Entry {
                text: format!(
                    "{{ exponent_bits = {exponent_bits}, fraction_bits = {fraction_bits}, bias = {bias}, \
                     non_finite = {kind:?}, padding_bits = {padding_bits} }}"
                ),
                exponent_min: 1 - bias,
                exponent_max: (1 << exponent_bits) - 2 - bias,
                has_minus_zero: kind != "negative-zero-nan",
            }
        },
    )
}

/// Formats whose products are summed exactly in groups: narrow, and with products around 1.
pub fn narrow() -> impl Strategy<Value = Entry> {
    let narrow_named = named(false).prop_filter("a narrow format", |entry| entry.exponent_max <= 15);
    let kinds = select(vec!["none", "ieee", "all-ones-nan", "negative-zero-nan"]);
    let layout = (1..=5i32, 1..=8i32, 0..=100i32, kinds).prop_map(|(exponent_bits, fraction_bits, percent, kind)| {
        let bias = ((1 << exponent_bits) - 2) * percent / 100;
        Entry {
            text: format!(
                "{{ exponent_bits = {exponent_bits}, fraction_bits = {fraction_bits}, bias = {bias}, non_finite = {kind:?} }}"
            ),
            exponent_min: 1 - bias,
            exponent_max: (1 << exponent_bits) - 2 - bias,
            has_minus_zero: kind != "negative-zero-nan",
        }
    });
    prop_oneof![narrow_named, layout]
}

/// Formats of matrix instructions: those of results, or of operands.
#[allow(dead_code, reason = "every test file uses a part")]
pub fn usual(result: bool) -> impl Strategy<Value = Entry> {
    const RESULTS: [&str; 3] = ["binary16", "bfloat16", "binary32"];
    const OPERANDS: [&str; 8] = ["binary16", "bfloat16", "tf32", "e4m3", "e5m2", "e4m3fnuz", "e5m2fnuz", "e2m1"];
    let usual = if result { &RESULTS[..] } else { &OPERANDS[..] };
    named(result).prop_filter("a usual format", |entry| usual.contains(&entry.text.trim_matches('"')))
}

/// Formats of one or two exponent bits around 1: most of their numbers are subnormal, in some all of them.
pub fn tiny(result: bool) -> impl Strategy<Value = Entry> {
    let kinds: &[&str] = if result { &["ieee", "all-ones-nan"] } else { &["none", "ieee", "all-ones-nan"] };
    (1..=2i32, 1..=4i32, -1..=4i32, select(kinds.to_vec())).prop_map(|(exponent_bits, fraction_bits, bias, kind)| Entry {
        text: format!(
            "{{ exponent_bits = {exponent_bits}, fraction_bits = {fraction_bits}, bias = {bias}, non_finite = {kind:?} }}"
        ),
        exponent_min: 1 - bias,
        exponent_max: (1 << exponent_bits) - 2 - bias,
        has_minus_zero: true,
    })
}

pub fn entry(result: bool) -> impl Strategy<Value = Entry> {
    prop_oneof![4 => named(result), 4 => layout(result), 1 => tiny(result)]
}
