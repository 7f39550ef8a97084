//! Alignments that schemes imply: their unit files say nothing of them, because no bit is lost that counts.

use super::{Alignment, Formats, Scheme};

impl Alignment {
    /// The alignment that a scheme implies with these formats; `None` where the unit file has it, or nothing is aligned.
    pub fn implied(scheme: Scheme, formats: &Formats) -> Option<Alignment> {
        (scheme == Scheme::Exact).then(|| exact(formats))
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
