//! Readings of V100, Ampere and Hopper, as published or recomputed with an independent model.

use super::*;

const UNITS: [&str; 3] = ["volta-fp16-fp32", "ampere-fp16-fp32", "hopper-fp16-fp32"];
const NARROW: [&str; 3] = ["volta-fp16-fp16", "ampere-fp16-fp16", "hopper-fp16-fp16"];

fn power(exponent: i32) -> f64 {
    2f64.powi(exponent)
}

/// A test, the parameters that pick probes, and what all of these read on the three units.
type Row = (&'static str, Vec<(&'static str, i32)>, [f64; 3]);

fn assert_rows(units: [&str; 3], rows: &[Row]) {
    let mut read = 0;
    for (name, parameters, expected) in rows {
        for (unit, expected) in units.iter().zip(expected) {
            let readings = readings(&subject(unit), name, parameters);
            assert!(!readings.is_empty(), "{unit}: {name} {parameters:?} has no vector");
            for (probe, value) in readings {
                let vector = &probe.vector;
                assert_eq!(value, *expected, "{unit}: {name} {:?}: {vector:x?}", probe.parameters);
                read += 1;
            }
        }
    }
    println!("{read} vectors of {} rows read what is published", rows.len());
}

#[test]
fn single_readings() {
    let same = |value: f64| [value; 3];
    let p = power;
    let rows: Vec<Row> = vec![
        ("subnormal-operand", vec![("side", 0), ("largest", 0)], same(p(-24))),
        ("subnormal-operand", vec![("side", 1), ("largest", 0)], same(p(-24))),
        ("subnormal-addend", vec![("number", 0), ("negative", 0)], same(p(-149))),
        ("subnormal-addend", vec![("number", 2), ("negative", 1)], same(-p(-127))),
        ("exact-products", vec![("terms", 4)], same(4.0 * (1.0 - p(-10) + p(-22)))),
        ("exact-product-of-table-1", vec![("form", 0)], same(265.0 * 1401.0 * p(-35))),
        ("largest-first", vec![("distance", 24)], [1.0, 1.0 + p(-22), 1.0 + p(-22)]),
        ("largest-first", vec![("distance", 25)], [1.0, 1.0, 1.0 + p(-23)]),
        ("largest-first", vec![("distance", 26)], same(1.0)),
        ("truncation", vec![("quarters", 3), ("negative", 0)], same(2.0)),
        ("truncation", vec![("quarters", 3), ("negative", 1)], same(-2.0)),
        ("truncated-not-toward-zero", vec![("exponent", 40), ("negative", 0), ("form", 1)], same(2.0)),
        ("sticky", vec![("exponent", 40), ("negative", 0), ("form", 1)], same(1.0)),
        ("one-extra-bit", vec![("distance", 24)], [p(-23), p(-24), p(-24)]),
        ("two-extra-bits", vec![("distance", 25)], [1.125, 1.125, 1.125 - p(-23)]),
        ("two-extra-bits", vec![("distance", 26)], same(1.125)),
        ("normalise-once", vec![("distance", 24), ("terms", 4)], same(1.0 + p(-23))),
        ("normalise-in-subtraction", vec![("distance", 24)], [p(-23), 0.0, 0.0]),
        ("carry-second-bit", vec![], same(4.0 + p(-21))),
        ("carry-third-bit", vec![], same(8.0)),
        ("subnormal-result", vec![("exponent", -14)], same(p(-15))),
        ("addend-inside", vec![("form", 0)], same(1.0 + p(-23))),
        ("addend-inside", vec![("form", 1)], same(1.0 + p(-23))),
        ("addend-inside", vec![("form", 2)], same(p(23) + 1.0)),
        ("one-vector-of-table-8", vec![], [0.0, -0.5, -0.75]),
        ("order-of-sums", vec![], same(0.0)),
        ("block-width", vec![], same(0.0)),
    ];
    assert_rows(UNITS, &rows);
}

#[test]
fn narrow_results() {
    let rows: Vec<Row> = vec![
        ("exact-narrow-sum", vec![], [1.0 - power(-11); 3]),
        ("subnormal-conversion", vec![("quarters", 3), ("negative", 0)], [power(-24); 3]),
        ("subnormal-conversion", vec![("quarters", 2), ("negative", 0)], [0.0; 3]),
        ("subnormal-result", vec![("exponent", -14)], [power(-15); 3]),
    ];
    assert_rows(NARROW, &rows);
}

/// The same terms, and a larger addend: the result is smaller.
#[test]
fn monotonicity() {
    for (unit, distance, terms) in [(UNITS[0], 24, 4), (UNITS[1], 25, 6), (UNITS[2], 26, 12)] {
        let parameters = [("distance", distance), ("terms", terms)];
        let [below, above] =
            ["normalise-once", "monotonicity"].map(|name| readings(&subject(unit), name, &parameters)[0].1);
        assert_eq!((below, above), (1.0 + power(-23), 1.0), "{unit}");
    }
}

/// The largest distance at which a small term is seen is F, in every form.
#[test]
fn fraction_bits() {
    // Without the small term there is zero, or a power of two.
    let is_seen = |value: f64| value != 0.0 && value.to_bits() << 12 != 0;
    let seen = |name: &str, unit: &str, form: i32, is_seen: &dyn Fn(f64) -> bool| {
        let readings = readings(&subject(unit), name, &[("form", form)]);
        assert!(readings.len() > 20, "{unit}: {name}");
        readings.iter().filter(|(_, value)| is_seen(*value)).map(|(probe, _)| parameter(probe, "distance")).max()
    };
    let not_zero = |value: f64| value != 0.0;
    for (index, fraction_bits) in [23, 24, 25].into_iter().enumerate() {
        for form in 0..3 {
            assert_eq!(seen("datapath-width", UNITS[index], form, &not_zero), Some(fraction_bits), "{form}");
            assert_eq!(
                seen("fraction-bits-by-cancellation", NARROW[index], form, &not_zero),
                Some(fraction_bits),
                "{form}"
            );
        }
        for form in 0..2 {
            assert_eq!(seen("width-through-rounding", NARROW[index], form, &is_seen), Some(fraction_bits), "{form}");
        }
    }
    // The units of fp8 operands, and one that keeps all.
    assert_eq!(seen("datapath-width", "hopper-e4m3-fp32", 0, &not_zero), Some(13));
    assert_eq!(seen("datapath-width", "cdna1-fp16-fp32", 0, &not_zero), Some(58));
}

/// The addend takes part in the anchor: with c = 2^j, and -1 in 2^j products, F reaches j bits less deep.
#[test]
fn addend_in_anchor() {
    for (unit, fraction_bits) in [("ampere-fp16-fp32", 24), ("hopper-fp16-fp32", 25), ("hopper-e4m3-fp32", 13)] {
        for exponent in 0..=2 {
            let readings = readings(&subject(unit), "addend-in-anchor", &[("exponent", exponent)]);
            let seen = readings.iter().filter(|(_, value)| *value != 0.0);
            let last = seen.map(|(probe, _)| parameter(probe, "distance")).max();
            assert_eq!(last, Some(fraction_bits - exponent), "{unit}");
        }
    }
    // A unit that adds c to the sum of the products.
    let late = readings(&subject("cdna3-fp16-fp32"), "addend-in-anchor", &[("exponent", 1), ("distance", 24)]);
    assert!(late[0].1 > 0.0);
}

/// The first position behind the block of the first product.
#[test]
fn block_width() {
    let instructions = [
        ("volta-wmma-m16n16k16-fp16-fp32", Some(4)),
        ("ampere-mma-m16n8k16-fp16-fp32", Some(8)),
        ("ampere-mma-m16n8k8-fp16-fp32", None),
        ("hopper-mma-m16n8k16-fp16-fp32", None),
        ("hopper-mma-m16n8k8-tf32-fp32", None),
        ("ada-mma-m16n8k32-e4m3-fp32", Some(16)),
    ];
    for (name, expected) in instructions {
        let readings = readings(&subject(name), "block-width", &[]);
        let first = readings.iter().find(|(_, value)| *value != 0.0).map(|(probe, _)| parameter(probe, "position"));
        assert_eq!(first, expected, "{name}");
    }
}

/// Small terms of a later block remain, those of the same block or an earlier one do not.
#[test]
fn block_order() {
    let readings = readings(&subject("ampere-mma-m16n8k16-fp16-fp32"), "block-order", &[]);
    assert_eq!(readings.len(), 16 * 15);
    for (probe, value) in readings {
        let (cancels, small) = (parameter(&probe, "cancels") / 8, parameter(&probe, "small") / 8);
        assert_eq!(value != 0.0, small > cancels, "{:?}", probe.parameters);
    }
    // Where the blocks take pairs of products in turn: the second block has the odd pairs.
    let interleaved = super::readings(&subject("hopper-mma-m16n8k32-e4m3-fp32"), "order-of-sums", &[("large", 0)]);
    assert!(interleaved.len() > 900);
    for (probe, value) in interleaved {
        let block = |name: &str| parameter(&probe, name) / 2 % 2;
        if parameter(&probe, "small") >= 0 {
            let kept = block("cancels") == 0 && block("small") == 1;
            assert_eq!(value != 0.0, kept, "{:?}", probe.parameters);
        }
    }
}

/// Facts of the largest sums: four, eight, sixteen largest products and the largest addend.
#[test]
fn last_carry_bit() {
    for (unit, products, bits) in
        [(UNITS[0], 4, 0x418f_e001), (UNITS[1], 8, 0x4207_e001), (UNITS[2], 16, 0x4283_e001u32)]
    {
        let readings = readings(&subject(unit), "carry-last-bit", &[("terms", products), ("negative", 0)]);
        assert_eq!(readings[0].1, f64::from(f32::from_bits(bits)), "{unit}");
        assert!(readings[0].0.vector.a.iter().all(|a| *a == 0x3fff) && readings[0].0.vector.c == 0x3fff_ffff);
    }
}

/// The same vector on units that sum in other ways (Xie et al., arXiv 2511.10909v2, table 8).
#[test]
fn one_vector_of_table_8() {
    let expected = [
        ("cdna1-fp16-fp32", -0.875),
        ("cdna2-fp16-fp32", 0.0),
        ("cdna2-mfma-m16n16k8-bf16-fp32", -0.375),
        ("cdna3-fp16-fp32", -0.5),
        ("hopper-e5m2-fp32", 0.0),
        ("intel-tdpbf16ps", -1.0),
    ];
    for (name, expected) in expected {
        let readings = readings(&subject(name), "one-vector-of-table-8", &[]);
        assert_eq!(readings.len(), 1, "{name}");
        assert_eq!(readings[0].1, expected, "{name}");
    }
}

/// The floor of the anchor: published vectors, and what they read with the floor of the second column and one below.
#[test]
fn anchor_floors() {
    let cases = [
        ("ampere-bf16-fp32", -132, "anchor-floor", 8, -149),
        ("hopper-tf32-fp32", -132, "anchor-floor", 9, -149),
        ("hopper-tf32-fp32", -133, "anchor-floor", 10, -149),
        ("hopper-fp16-fp16", -21, "anchor-floor-by-rounding", 23, -24),
        ("ampere-fp16-fp16", -20, "anchor-floor-by-rounding", 21, -24),
        ("volta-fp16-fp16", -19, "anchor-floor-by-rounding", 19, -24),
    ];
    for (name, floor, test, below, result) in cases {
        for (floor, expected) in [(floor, 0.0), (floor - 1, power(result))] {
            let mut unit = unit(name);
            unit.alignment_mut().exponent_floor = Some(floor);
            let readings = readings(&unit.into(), test, &[("below", below)]);
            assert_eq!(readings[0].1, expected, "{name}, floor {floor}");
        }
    }
}
