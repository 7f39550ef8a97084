//! Of scaled blocks: what do scales do to products?

use super::{Bench, Fit, Probe, Probes, Sum, Test, Units, Value};
use crate::describe::format::Format;
use crate::engine::Vector;

pub(super) const TESTS: &[Test] = &[
    Test {
        name: "scale-exponent",
        decides: "whether the scales of each block multiply its products, over their whole range",
        source: "OCP Microscaling 1.0, section 6.1: the dot product of two blocks",
        units: Units::Scaled,
        probes: exponents,
    },
    Test {
        name: "scale-significand",
        decides: "whether all bits of the scales' significands count, also where products are summed first",
        source: "Xie et al., arXiv 2511.10909: the scales' significands multiply the sums of groups",
        units: Units::Scaled,
        probes: significands,
    },
];

pub(super) const OPEN: &[Test] = &[Test {
    name: "scale-nan",
    decides: "whether a scale that is NaN gives NaN, also where the block's products are zero",
    source: "OCP Microscaling 1.0, section 5.4: NaN among the scales; no source tells it for blocks of zeros",
    units: Units::Scaled,
    probes: nan,
}];

/// A one in the first product of a block, and in none of any other.
fn one_in_block(bench: &Bench, block: usize) -> Option<(Vector, usize)> {
    let products = bench.scales.as_ref()?.block as usize;
    let vector = bench.vector(&Sum::default().at(block * products, Value::power(0)), Fit::EXACT)?;
    Some((vector, bench.products / products))
}

/// Every block with every pick of encodings for its two scales.
fn with_scales(bench: &Bench, pick: impl Fn(&Format) -> Vec<u64>) -> Probes {
    let mut probes = Probes::default();
    let Some(scales) = &bench.scales else { return probes };
    let blocks = one_in_block(bench, 0).map_or(0, |(_, blocks)| blocks);
    for block in 0..blocks {
        let Some((vector, _)) = one_in_block(bench, block) else { continue };
        for (side, format) in [&scales.a, &scales.b].into_iter().enumerate() {
            for bits in pick(format) {
                let mut vector = vector.clone();
                let side_scales = if side == 0 { &mut vector.scale_a } else { &mut vector.scale_b };
                side_scales[block] = bits;
                let parameters = [("block", block as i32), ("side", side as i32), ("scale", bits as i32)];
                probes.add(&parameters, Some(vector));
            }
        }
        let (a, b) = (pick(&scales.a), pick(&scales.b));
        for (&scale_a, &scale_b) in a.iter().zip(&b) {
            let mut vector = vector.clone();
            (vector.scale_a[block], vector.scale_b[block]) = (scale_a, scale_b);
            let parameters = [("block", block as i32), ("side", 2), ("scale", scale_a as i32)];
            probes.add(&parameters, Some(vector));
        }
    }
    probes
}

/// Powers of two over the range of the format, its ends and their neighbours.
fn exponents(bench: &Bench) -> Probes {
    with_scales(bench, |format| {
        let (least, greatest) = (format.exponent_min(), format.exponent_max());
        let steps = (least..=greatest).filter(|exponent| exponent % 16 == 0);
        let mut exponents: Vec<i32> = steps.chain([least, least + 1, -1, 1, greatest - 1, greatest]).collect();
        exponents.sort_unstable();
        exponents.dedup();
        let encoding = |exponent: i32| Value::power(exponent).encoding(format, true);
        exponents.into_iter().filter_map(encoding).collect()
    })
}

/// Every fraction of the binade of 1, and every subnormal scale.
fn significands(bench: &Bench) -> Probes {
    with_scales(bench, |format| {
        let fractions = 1u64 << format.fraction_bits;
        let one = Value::power(0).encoding(format, true).unwrap_or(0);
        let subnormals = if format.subnormals { 0..fractions } else { 0..0 };
        (0..fractions).map(|fraction| one + fraction).chain(subnormals).collect()
    })
}

/// A NaN as the scale of each block, with a one among its products and with zeros only.
fn nan(bench: &Bench) -> Probes {
    let mut probes = with_scales(bench, |format| format.nan().into_iter().collect());
    let zeros = probes.0.iter().map(|probe| {
        let mut zero = probe.clone();
        zero.vector.a.fill(bench.a.zero(false));
        zero.parameters.push(("zeros", 1));
        zero
    });
    let zeros: Vec<Probe> = zeros.collect();
    probes.0.extend(zeros);
    probes
}
