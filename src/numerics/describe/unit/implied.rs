//! Alignments that schemes imply: their unit files say nothing of them, because no bit is lost that counts.

use super::{Alignment, AlignmentRounding, Family, Formats, Scheme};

impl Alignment {
    /// The alignment that a scheme implies with these formats; `None` where the unit file has it, or nothing is aligned.
    pub fn implied(scheme: Scheme, formats: &Formats) -> Option<Alignment> {
        match scheme.family() {
            Family::Fused => (scheme == Scheme::Exact).then(|| exact(formats)),
            Family::Operations => Some(operations(scheme, formats)),
            Family::BlockScaled | Family::FusedThenAdd | Family::Integer | Family::Steps => None,
        }
    }
}

/// The alignment with which no term of these formats loses a bit: F reaches from the highest exponent that a finite term
/// can have down to the lowest place of all.
///
/// ```text
///   highest     ii.ffffff ............ 0     a term at the anchor
///   lowest      00.000000 ......... ffff     the last places of a product, or of c
/// ```
fn exact(formats: &Formats) -> Alignment {
    let (a, b, c) = (&formats.a, &formats.b, &formats.c);
    let highest = (a.hidden_exponent_max() + b.hidden_exponent_max()).max(c.hidden_exponent_max());
    let product_place = a.exponent_min() + b.exponent_min() - (a.fraction_bits + b.fraction_bits) as i32;
    let addend_place = c.exponent_min() - c.fraction_bits as i32;
    Alignment { fraction_bits: (highest - product_place.min(addend_place)).unsigned_abs(), ..Alignment::PLAIN }
}

/// The alignment with which a fused multiply-add of these formats is rounded once.
///
/// F = p(a) + p(b) + p(d), p being significand widths, and u = 2^(anchor - F) the window's last bit. It suffices,
/// because at most one term loses bits, the other one being an even multiple of u, and because then the last place
/// of d weighs 4u at least: no result, and no middle of two, lies where rounding to odd can carry a sum across.
/// Worst is a product of subnormal operands: it can be as small as 2^(anchor - p(a) - p(b) + 2), the addend loses
/// bits where it is below 2^(anchor - p(a) - p(b) - 1), and their sum is then above 2^(anchor - p(a) - p(b) + 1),
/// where the last place of d is 4u. At the floor, d's least normal exponent, the last bit of the addend and the
/// last place of d weigh 2^(floor - p(d) + 1) at least.
///
/// A product without an addend loses bits only below the floor. F = p(d) + 2 is enough there: the last place of
/// d weighs 8u, and 4u where tininess is looked at, which rounds as if exponents went on below the floor.
///
/// Of two products the one with the larger exponent loses nothing. If the other one does, not both factors of the first are
/// subnormal: it is 2^(anchor - p + 1) at least, p being the greater of p(a) and p(b). With F = p + p(a) + p(b) - 1 the other one is
/// below half of that, and the sum above 2^(anchor - p), where with F = p + p(d) + 1 the last place of d is 4u. A floor that both
/// products can lie below lies at most F above the last place of all products, where nothing is lost.
fn operations(scheme: Scheme, formats: &Formats) -> Alignment {
    let (a, b, d) = (&formats.a, &formats.b, &formats.d);
    let product_bits = a.precision() + b.precision();
    let (mut fraction_bits, mut floor) = (product_bits + d.precision(), d.exponent_min());
    match scheme {
        Scheme::Pairwise => fraction_bits = (product_bits - 2).max(d.precision() + 2),
        Scheme::PairChain => {
            fraction_bits = a.precision().max(b.precision()) + product_bits.max(d.precision() + 2) - 1;
            let last_place = a.exponent_min() + b.exponent_min() - (product_bits - 2) as i32;
            floor = floor.min(last_place + fraction_bits as i32);
        }
        _ => {}
    }
    Alignment {
        fraction_bits,
        rounding: AlignmentRounding::ToOdd,
        exponent_floor: Some(floor),
        normalise_products: false,
    }
}
