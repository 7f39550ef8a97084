//! Vectors of a few different terms, of any magnitude or of those that a result shows. Made from formats, sizes and what a frame
//! does with products that overflow.

use std::ops::RangeInclusive;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::near_tie::near_tie;
use crate::describe::interface::Frame;
use crate::describe::unit::{Addition, Formats, ProductOverflow, Scales};
use crate::engine::{Batch, Vector};
use crate::infer::random::{ANY, anywhere, below, exponents, factors, rest};

/// What one or a few terms stand beside.
#[derive(Clone, Copy)]
enum Beside {
    /// Two products that cancel each other, half of them nearly as large as can be: so even the last bit of a long window shows, which
    /// hardly any other vector does. Half of them cancel but for the last bits of a factor, which show the window where
    /// there is no other term. Without scales, some stand beside two more that cancel but for such bits: what is dropped of each,
    /// or rounded to odd, shows where results show signs only. And some beside a product that is nearly a tie: that shows a window
    /// that ends far below all results.
    Cancelling,
    /// The same product in every other place: what it carries, and the last bits of the window.
    Same,
    /// Zeros. One term alone shows floors; where what is aligned is rounded to odd, two terms may show what one does not. In half
    /// of them a product without its scales is nearly a tie, alone in most: so the last bits of its own window show.
    Zeros,
}

impl Beside {
    fn of(frame: &Frame) -> &'static [Beside] {
        let Formats { a, b, .. } = &frame.formats;
        match (frame.products, a.signed || b.signed) {
            (1, _) => &[Beside::Zeros],
            (_, true) => &[Beside::Cancelling, Beside::Cancelling, Beside::Same, Beside::Zeros],
            (_, false) => &[Beside::Same, Beside::Zeros],
        }
    }
}

/// Vectors of few terms. In half of them products without their scales are such as a result can show, but for the largest that
/// cancel.
pub(in crate::infer) fn few_terms(frame: &Frame, seed: u64, count: usize) -> Batch {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut below = |count: usize| below(&mut random, count);
    let (mut batch, kinds) = (Batch::of_interface(frame), Beside::of(frame));
    // Products below the last place of a result can round it.
    let d = exponents(&frame.formats.d);
    let shown = [ANY, d.start() - 3..=d.end() - 1];
    for _ in 0..count {
        let beside = kinds[below(kinds.len())];
        batch.push(&vector(frame, beside, shown[below(2)].clone(), &mut below));
    }
    batch
}

fn vector(frame: &Frame, beside: Beside, shown: RangeInclusive<i32>, below: &mut impl FnMut(usize) -> usize) -> Vector {
    let (Formats { a, b, c, .. }, products) = (&frame.formats, frame.products as usize);
    let mut vector = Vector { a: vec![a.zero(false); products], b: vec![b.zero(false); products], ..Vector::default() };
    vector.c = if c.is_absent() { 0 } else { c.zero(false) };
    if let Some(scales) = &frame.scales {
        for (own, format) in [(&mut vector.scale_a, &scales.a), (&mut vector.scale_b, &scales.b)] {
            // One scale for all where products are to cancel or to be the same: those of different scales would not.
            let one = anywhere(format, &ANY, below);
            let scale = |_| if matches!(beside, Beside::Zeros) { anywhere(format, &ANY, below) } else { one };
            *own = (0..frame.scale_count()).map(scale).collect();
        }
    }
    // Places of terms: those of the products, and one of c.
    let mut places: Vec<usize> = (0..products + usize::from(!c.is_absent())).collect();
    let others = match beside {
        Beside::Cancelling => cancelling(frame, &mut vector, &mut places, &shown, below),
        Beside::Same => {
            let [one_a, one_b] = factors(&frame.formats, &shown, below);
            vector.a.fill(one_a);
            vector.b.fill(one_b);
            1 + below(3)
        }
        Beside::Zeros if below(2) == 0 => {
            let place = places.remove(below(products));
            [vector.a[place], vector.b[place]] = near_tie(&frame.formats, &shown, below);
            below(4).saturating_sub(2)
        }
        Beside::Zeros => 1 + below(3),
    };
    for _ in 0..others.min(places.len()) {
        // Of c more often: it would stand among many products in few vectors only.
        let addend = places.iter().position(|&place| place == products).filter(|_| below(4) == 0);
        let place = places.swap_remove(addend.unwrap_or_else(|| below(places.len())));
        match place == products {
            true => vector.c = anywhere(c, &ANY, below),
            false => [vector.a[place], vector.b[place]] = factors(&frame.formats, &shown, below),
        }
    }
    vector
}

/// Makes two products of a vector of zeros cancel, and beside them two more that nearly do, one that is nearly a tie, or nothing, at
/// some of these places, which are then taken; and says how many others stand beside them.
fn cancelling(
    frame: &Frame,
    vector: &mut Vector,
    places: &mut Vec<usize>,
    shown: &RangeInclusive<i32>,
    below: &mut impl FnMut(usize) -> usize,
) -> usize {
    let products = frame.products as usize;
    let large = match below(2) {
        0 => large_factors(frame, below),
        _ => factors(&frame.formats, shown, below),
    };
    let pair = [places.remove(below(products)), places.remove(below(products - 1))];
    cancel(vector, &frame.formats, pair, large);
    if below(2) == 0 {
        without_last_bits(vector, &frame.formats, pair[1], below);
    }
    if let Some(scales) = frame.scales.as_ref().filter(|_| below(2) == 0) {
        scale_elsewhere(vector, scales, pair, below);
    }
    // Of one scale: others do not cancel.
    let scaled = frame.scales.is_some();
    if products >= 4 && !scaled && below(3) == 0 {
        let small = factors(&frame.formats, shown, below);
        let pair = [places.remove(below(products - 2)), places.remove(below(products - 3))];
        cancel(vector, &frame.formats, pair, small);
        without_last_bits(vector, &frame.formats, pair[below(2)], below);
        0
    } else if products >= 3 && !scaled && below(3) == 0 {
        let place = places.remove(below(products - 2));
        [vector.a[place], vector.b[place]] = near_tie(&frame.formats, shown, below);
        below(2)
    } else {
        1 + below(2)
    }
}

/// Two products that cancel.
fn cancel(vector: &mut Vector, Formats { a, b, .. }: &Formats, [first, second]: [usize; 2], [one_a, one_b]: [u64; 2]) {
    (vector.a[first], vector.b[first]) = (one_a, one_b);
    vector.a[second] = one_a ^ a.sign_bit();
    vector.b[second] = one_b ^ if a.signed { 0 } else { b.sign_bit() };
}

/// A product without the last bits of one of its factors.
fn without_last_bits(
    vector: &mut Vector,
    Formats { a, b, .. }: &Formats,
    place: usize,
    below: &mut impl FnMut(usize) -> usize,
) {
    let (format, factor) = if below(2) == 0 { (a, &mut vector.a[place]) } else { (b, &mut vector.b[place]) };
    let bits = below(format.fraction_bits as usize + 1) as u32;
    *factor &= !((1 << bits | rest(bits, below)) << format.padding_bits);
}

/// Factors of the largest product, or of one that is nearly as large: with any significand, and one that does not overflow where
/// others do.
fn large_factors(frame: &Frame, below: &mut impl FnMut(usize) -> usize) -> [u64; 2] {
    /// Exponents of products that are nearly as large.
    const NEARLY: i32 = 4;
    let Formats { a, b, d, .. } = &frame.formats;
    let overflow = |addition: &Addition| addition.product_overflow == ProductOverflow::Infinity;
    let overflows = frame.unit.addition.as_ref().is_some_and(overflow);
    let all = a.exponent_max() + b.exponent_max();
    let most = if overflows { all.min(d.exponent_max() - 1) } else { all };
    match overflows || (frame.scales.is_none() && below(2) == 0) {
        true => factors(&frame.formats, &(most + 1 - NEARLY..=most), below),
        false => [a, b].map(|format| format.largest(false)),
    }
}

/// Other scales where neither of two products is, so that what stands beside them lies any number of places below.
fn scale_elsewhere(vector: &mut Vector, scales: &Scales, kept: [usize; 2], below: &mut impl FnMut(usize) -> usize) {
    let kept = kept.map(|place| place / scales.block as usize);
    for (own, format) in [(&mut vector.scale_a, &scales.a), (&mut vector.scale_b, &scales.b)] {
        let elsewhere = own.iter_mut().enumerate().filter(|(block, _)| !kept.contains(block));
        elsewhere.for_each(|(_, scale)| *scale = anywhere(format, &ANY, below));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::describe::format::Format;
    use crate::describe::unit::Unit;
    use crate::infer::distinguish::BATCH;

    fn products(unit: &Unit, batch: &Batch, v: usize) -> impl Iterator<Item = f64> {
        let Formats { a, b, .. } = &unit.formats;
        batch.a(v).iter().zip(batch.b(v)).map(|(&bits_a, &bits_b)| a.to_f64(bits_a) * b.to_f64(bits_b))
    }

    fn assert_reached(depths: &HashSet<i32>, all: RangeInclusive<i32>) {
        let missing: Vec<i32> = all.filter(|depth| !depths.contains(depth)).collect();
        assert!(missing.is_empty(), "no vector has its rest so many places below: {missing:?}");
    }

    /// Two products cancel, and what is left lies any number of places below them: another term, or their own last bits.
    #[test]
    fn products_cancel_over_every_window() {
        let text = r#"
name = "window"
scheme = "fused"
products = 3
formats = { a = "binary16", b = "binary16", c = "binary32", d = "binary32" }
alignment = { fraction_bits = 40, rounding = "toward-zero", exponent_floor = "none", normalise_products = false }
conversion = { rounding = "toward-zero", overflow = "infinity", exact_zero = "positive" }
subnormals = { operands = "kept", addend = "kept", result = "kept" }
"#;
        let unit = Unit::from_toml("window.toml", text).expect("a unit file");
        let batch = few_terms(&Frame::from(&unit), 1, 2 * BATCH);
        let (mut depths, mut own_depths) = (HashSet::new(), HashSet::new());
        for v in 0..batch.len() {
            let terms = products(&unit, &batch, v).chain([unit.formats.c.to_f64(batch.c[v])]);
            let mut terms: Vec<f64> = terms.filter(|term| *term != 0.0).collect();
            terms.sort_by(|one, other| other.abs().total_cmp(&one.abs()));
            match terms[..] {
                [one, other, rest] if one == -other => depths.insert((one / rest).abs().log2().floor() as i32),
                [one, other, _] if one != -other => {
                    own_depths.insert((one / (one + other)).abs().log2().floor() as i32)
                }
                _ => continue,
            };
        }
        assert_reached(&depths, 1..=70);
        assert_reached(&own_depths, 1..=10);
    }

    /// What stands beside products that cancel lies any number of places below them where its scales are others.
    #[test]
    fn products_cancel_beside_other_scales() {
        let text = r#"
name = "scaled"
scheme = "block-scaled"
products = 6
formats = { a = "e2m1", b = "e2m1", c = "e4m3", d = "binary32" }
alignment = { fraction_bits = 36, rounding = "toward-zero", exponent_floor = "none" }
scales = { a = "ue4m3", b = "ue4m3", block = 2, group = 2 }
conversion = { rounding = "toward-zero", overflow = "infinity", exact_zero = "positive" }
subnormals = { operands = "kept", addend = "kept", result = "kept" }
"#;
        let unit = Unit::from_toml("scaled.toml", text).expect("a unit file");
        let scale_format = Format::named("ue4m3").expect("a format");
        let batch = few_terms(&Frame::from(&unit), 1, 4 * BATCH);
        let mut depths = HashSet::new();
        for v in 0..batch.len() {
            let terms: Vec<f64> = products(&unit, &batch, v).collect();
            let nonzero: Vec<usize> = (0..terms.len()).filter(|&place| terms[place] != 0.0).collect();
            let [one, other, rest] = nonzero[..] else { continue };
            let inputs = batch.inputs(v);
            let of = |scales: &[u64], place: usize| scale_format.to_f64(scales[place / 2]);
            let scale = |place: usize| of(inputs.scale_a, place) * of(inputs.scale_b, place);
            if terms[one] == -terms[other] && one / 2 == other / 2 && rest / 2 != one / 2 {
                depths.insert((scale(one) / scale(rest)).log2().floor() as i32);
            }
        }
        assert_reached(&depths, -16..=16);
    }

    /// A result of one exponent bit shows few of the products there are: three eighths of the vectors have none but those.
    #[test]
    fn products_are_often_such_as_a_result_shows() {
        let text = r#"
name = "narrow"
scheme = "fused"
products = 4
formats = { a = "bfloat16", b = "bfloat16", d = { exponent_bits = 1, fraction_bits = 6, bias = 0, non_finite = "all-ones-nan", padding_bits = 0 } }
alignment = { fraction_bits = 8, rounding = "toward-zero", exponent_floor = "none", normalise_products = false }
conversion = { rounding = "toward-zero", overflow = "saturate", exact_zero = "positive" }
subnormals = { operands = "kept", addend = "kept", result = "kept" }
"#;
        let unit = Unit::from_toml("narrow.toml", text).expect("a unit file");
        let d = &unit.formats.d;
        let batch = few_terms(&Frame::from(&unit), 1, BATCH);
        let least = d.to_f64(d.assemble(false, 1)) / 8.0;
        let visible = least..=d.to_f64(d.largest(false));
        let shown = |v: &usize| {
            let mut shown = products(&unit, &batch, *v).filter(|product| *product != 0.0);
            shown.all(|product| visible.contains(&product.abs()))
        };
        let all_same = |v: &usize| {
            batch.a(*v).iter().zip(batch.b(*v)).filter(|&factors| factors == (&batch.a(*v)[0], &batch.b(*v)[0])).count()
                == 3
        };
        let shown = (0..batch.len()).filter(shown).count();
        assert!((BATCH * 5 / 16..BATCH * 7 / 16).contains(&shown), "{shown} of {BATCH}");
        let same = (0..batch.len()).filter(all_same).count();
        assert!(same > BATCH / 32, "{same} of {BATCH} with one product beside three that are the same");
    }
}
