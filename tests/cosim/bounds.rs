//! How far a fused sum lies from the exact one, and when it is exact.

use dashu_int::ops::Abs;
use dashu_int::{IBig, UBig};
use tensorsmith::check::stimulus::{CHUNK, Stimulus};
use tensorsmith::compute::reference;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Class, Format};
use tensorsmith::describe::plan::{ErrorBound, Plan};
use tensorsmith::describe::unit::{AlignmentRounding, Scheme, Unit};
use tensorsmith::engine::Batch;

use super::support;

/// What a run over vectors saw.
#[derive(Default)]
struct Tally {
    finite: u64,
    lossless: u64,
    /// Vectors whose aligned sum lies outside the bound.
    outside: u64,
    above: u64,
    below: u64,
    /// Most nonzero terms of a vector.
    terms: usize,
    /// Lossless vectors whose aligned sum is not the exact one, or whose result is not the exactly rounded sum.
    not_exact: u64,
}

/// Compares `sums` (a unit's aligned sums) with the exact sum, against n * 2^(anchor - F).
fn tally(unit: &Unit, vectors: u64, bound_terms: impl Fn(usize) -> usize) -> Tally {
    let stimulus = Stimulus::shaped(unit, 11);
    let mut batch = Batch::of_unit(unit);
    let (mut tally, arithmetic) = (Tally::default(), unit.arithmetic());
    for chunk in 0..vectors.div_ceil(CHUNK as u64) {
        stimulus.fill(chunk, CHUNK, &mut batch);
        for v in 0..batch.len() {
            let Some(sums) = reference::window_sums(&arithmetic, batch.inputs(v)).pop() else { continue };
            tally.finite += 1;
            tally.terms = tally.terms.max(sums.terms);
            let last_place = sums.anchor - i64::from(unit.alignment().fraction_bits);
            // Both sums over the smaller of the two units.
            let scale = sums.exact_place.min(last_place);
            let exact = &sums.exact << (sums.exact_place - scale) as usize;
            let aligned = &sums.aligned << (last_place - scale) as usize;
            let bound = IBig::from(bound_terms(sums.terms)) << (last_place - scale) as usize;
            let error = &aligned - &exact;
            tally.above += u64::from(error > IBig::ZERO);
            tally.below += u64::from(error < IBig::ZERO);
            let outside = if bound == IBig::ZERO { error != IBig::ZERO } else { error.abs() >= bound };
            tally.outside += u64::from(outside);
            if !sums.lossy {
                tally.lossless += 1;
                let (result, _) = unit.split_answer(reference::evaluate(&arithmetic, batch.inputs(v)));
                let exact_result = rounded(unit, &sums.exact, sums.exact_place);
                tally.not_exact += u64::from(aligned != exact || result != exact_result);
            }
        }
    }
    tally
}

/// The exact sum, rounded once.
fn rounded(unit: &Unit, exact: &IBig, scale: i64) -> u64 {
    let format: &Format = &unit.formats.d;
    let negative = *exact < IBig::ZERO;
    let magnitude = UBig::try_from(exact.clone().abs()).expect("a magnitude");
    let bits = format.encode(negative, &magnitude, scale, unit.conversion.rounding, unit.conversion.overflow);
    let negative = negative && !unit.conversion.rounded_zero_positive;
    match format.decode(bits).class {
        Class::Zero => format.zero(if magnitude == UBig::ZERO { unit.conversion.zero_negative } else { negative }),
        Class::Nan => unit.conversion.nan,
        Class::Subnormal if unit.flush.result => format.zero(negative),
        _ => bits,
    }
}

#[test]
fn reference_exact_sum_shaped_catalogue() {
    let (units, vectors) =
        if support::long_tier() { (catalogue::units(), 50_000) } else { (support::one_unit_of_each_entry(), 20_000) };
    for unit in units.into_iter().filter(|unit| matches!(unit.scheme, Scheme::Fused | Scheme::BlockScaled)) {
        let tally = tally(&unit, vectors, |terms| terms);
        println!(
            "{}: {} finite vectors, {} above, {} below the exact sum, {} without loss",
            unit.name, tally.finite, tally.above, tally.below, tally.lossless
        );
        assert!(tally.above > 100 && tally.below > 100, "truncation in magnitude errs to both sides");
        let stated = ErrorBound::of(&unit, &Plan::of(&unit));
        assert_eq!(stated.terms, Some(tally.terms as u32), "{}: the bound that is shown to people", unit.name);
        assert!(tally.lossless > 1000);
        assert_eq!((tally.outside, tally.not_exact), (0, 0), "{}", unit.name);
    }
}

/// The bound check can fail: a third of the bound is exceeded, and a sum that wraps breaks it.
#[test]
fn reference_exact_sum_too_tight_bound() {
    let unit = catalogue::unit("hopper-fp16-fp32").expect("a unit of the catalogue");
    assert!(tally(&unit, 20_000, |terms| terms / 3).outside > 0);
    let mut wrapping = unit.clone();
    wrapping.carry_bits = Some(2);
    let wrapped = tally(&wrapping, 20_000, |terms| terms);
    assert!(wrapped.outside > 0, "a sum that wraps lies outside the bound");
    assert!(wrapped.not_exact > 0, "a sum that wraps is not the exact one");
    let mut odd = unit;
    odd.alignment_mut().rounding = AlignmentRounding::ToOdd;
    assert_eq!(tally(&odd, 20_000, |terms| terms).outside, 0, "rounding to odd keeps the bound");
}
