//! Contradictions within a unit description that no single field shows.

use super::Unit;
use crate::describe::format::{Class, Format, NonFinite};
use crate::describe::plan::derived_carry_bits;

/// A field that contradicts others.
#[derive(Debug)]
pub(super) struct Problem {
    pub field: String,
    pub value: String,
    pub allowed: String,
}

fn problem(field: &str, value: impl ToString, allowed: impl ToString) -> Problem {
    Problem { field: field.to_owned(), value: value.to_string(), allowed: allowed.to_string() }
}

/// Field paths that `evidence` may name.
const EVIDENCE_FIELDS: [&str; 14] = [
    "scheme",
    "products",
    "formats",
    "alignment.fraction_bits",
    "alignment.rounding",
    "alignment.exponent_floor",
    "alignment.normalise_products",
    "sum.carry_bits",
    "conversion.rounding",
    "conversion.overflow",
    "conversion.nan",
    "conversion.exact_zero",
    "subnormals",
    "recordings",
];

impl Unit {
    /// Checks what concerns several fields at once.
    pub(super) fn check(&self) -> Result<(), Problem> {
        self.check_name()?;
        for (field, format) in [("a", &self.formats.a), ("b", &self.formats.b), ("c", &self.formats.c)] {
            check_operand_format(&format!("formats.{field}"), format)?;
        }
        self.check_result_format()?;
        self.check_carry_bits()?;
        self.check_exponent_floor()?;
        for field in self.evidence.keys() {
            if !EVIDENCE_FIELDS.contains(&field.as_str()) {
                return Err(problem("evidence", format!("{field:?}"), EVIDENCE_FIELDS.join(", ")));
            }
        }
        Ok(())
    }

    fn check_name(&self) -> Result<(), Problem> {
        let starts_with_letter = self.name.starts_with(|letter: char| letter.is_ascii_lowercase());
        let allowed = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        let well_formed = self.name.chars().all(allowed) && !self.name.contains("--") && !self.name.ends_with('-');
        if starts_with_letter && well_formed && self.name.len() <= 64 {
            return Ok(());
        }
        let allowed = "at most 64 lower-case letters, digits and single hyphens, a letter first and no hyphen last";
        Err(problem("name", format!("{:?}", self.name), allowed))
    }

    fn check_result_format(&self) -> Result<(), Problem> {
        let result = &self.formats.d;
        check_operand_format("formats.d", result)?;
        if result.nan().is_none() || !result.signed {
            let allowed = "a signed format with a NaN, because invalid operations must show in the result";
            return Err(problem("formats.d", &result.name, allowed));
        }
        let nan = self.conversion.nan;
        let is_nan = nan & !result.mask() == 0 && result.decode(nan).class == Class::Nan;
        if !is_nan {
            let example = result.nan().unwrap_or_default();
            let allowed = format!("a NaN encoding of {}, such as {example:#x}", result.name);
            return Err(problem("conversion.nan", format!("{nan:#x}"), allowed));
        }
        if self.conversion.zero_negative && result.non_finite == NonFinite::NegativeZeroNan {
            return Err(problem(
                "conversion.exact_zero",
                "\"negative\"",
                format!("\"positive\": {} has no minus zero", result.name),
            ));
        }
        Ok(())
    }

    fn check_carry_bits(&self) -> Result<(), Problem> {
        let derived = derived_carry_bits(self.products, self.alignment.rounding);
        match self.carry_bits {
            Some(bits) if bits > derived + 1 => Err(problem(
                "sum.carry_bits",
                bits,
                format!("0 to {}: {derived} always suffice for these terms", derived + 1),
            )),
            _ => Ok(()),
        }
    }

    fn check_exponent_floor(&self) -> Result<(), Problem> {
        let formats = &self.formats;
        let highest = (formats.a.exponent_max() + formats.b.exponent_max()).max(formats.c.exponent_max());
        match self.alignment.exponent_floor {
            Some(floor) if floor > highest => {
                let allowed = format!("at most {highest}, the highest exponent that a term can have");
                Err(problem("alignment.exponent_floor", floor, allowed))
            }
            _ => Ok(()),
        }
    }
}

fn check_operand_format(field: &str, format: &Format) -> Result<(), Problem> {
    if format.subnormals && format.fraction_bits > 0 {
        return Ok(());
    }
    Err(problem(field, &format.name, "a format with a fraction and subnormals; scale formats are not operands"))
}
