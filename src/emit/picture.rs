//! The window picture: which bit of the sum weighs what.

use crate::describe::plan::FusedPlan;
use crate::describe::unit::AlignmentRounding;

/// One box of the picture: a heading and what it holds.
struct Field {
    bits: String,
    label: String,
}

fn field(high: u32, width: u32, label: &str) -> Option<Field> {
    let low = (high + 1).checked_sub(width)?;
    let bits = match width {
        0 => return None,
        1 => format!("{high}"),
        _ => format!("{high}..{low}"),
    };
    Some(Field { bits, label: label.to_owned() })
}

/// The fields of the sum with their bit numbers, the place of the anchor, and what is cut.
pub(super) fn window(plan: &FusedPlan) -> Vec<String> {
    let fraction = plan.fraction_bits;
    let top = plan.sum_width - 1;
    let fields: Vec<Field> = [
        field(top, 1, "sign"),
        field(top - 1, plan.carry_bits, "carry"),
        field(fraction + plan.terms.integer_bits - 1, plan.terms.integer_bits, "integer"),
        field(fraction - 1, fraction, "fraction"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let width = |field: &Field| field.bits.len().max(field.label.len()) + 2;
    let mut bits = String::from("bit   ");
    let mut boxes = String::from("sum   ");
    for field in &fields {
        let width = width(field);
        bits += &format!(" {:^width$}", field.bits);
        boxes += &format!("|{:^width$}", field.label);
    }
    boxes.push('|');
    let lower = match plan.guard_bits {
        0 => "lower bits of a term".to_owned(),
        guard => format!("{guard} guard bits and lower"),
    };
    let fate = match plan.alignment_rounding {
        AlignmentRounding::ToOdd => "ORed into bit 0",
        _ => "cut",
    };
    let weights = format!("bit {fraction} weighs 2^anchor, bit 0 weighs 2^(anchor - {fraction}); {lower} are {fate}");
    vec![bits.trim_end().to_owned(), boxes, weights]
}
