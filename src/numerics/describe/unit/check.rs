//! Contradictions within a unit description that no single field shows.

use super::names::{NAMES_ALLOWED, is_well_formed_name};
use super::{Flags, Scheme, Unit, integer, reserved};
use crate::describe::format::{Class, Format, NonFinite};
use crate::describe::plan::{Plan, WORD_BITS_MAX, carry_bits_of};
use crate::describe::text::{LINES_ALLOWED, is_one_line};

/// A field that contradicts others.
#[derive(Debug)]
pub(super) struct Problem {
    pub field: String,
    pub value: String,
    pub allowed: String,
}

pub(super) fn problem(field: &str, value: impl ToString, allowed: impl ToString) -> Problem {
    Problem { field: field.to_owned(), value: value.to_string(), allowed: allowed.to_string() }
}

/// Field paths that `evidence` may name.
const EVIDENCE_FIELDS: [&str; 25] = [
    "scheme",
    "products",
    "formats",
    "alignment.fraction_bits",
    "alignment.rounding",
    "alignment.exponent_floor",
    "alignment.normalise_products",
    "scales",
    "addition.groups",
    "addition.product_overflow",
    "addition.sum_fraction_bits",
    "addition.addend_fraction_bits",
    "addition.rounding",
    "addition.exponent_floor",
    "addition.addend_reach",
    "addition.total_fraction_bits",
    "sum.carry_bits",
    "sum.order",
    "conversion.rounding",
    "conversion.overflow",
    "conversion.nan",
    "conversion.exact_zero",
    "conversion.rounded_zero",
    "conversion.flags",
    "subnormals",
];

/// Least and greatest `alignment.exponent_floor` of any unit.
pub(super) const EXPONENT_FLOORS: (i32, i32) = (-2200, 2200);

impl Unit {
    /// Whether no field contradicts another: what a unit file would be accepted for.
    pub fn is_valid(&self) -> bool {
        self.check().is_ok()
    }

    /// Checks what concerns several fields at once.
    pub(super) fn check(&self) -> Result<(), Problem> {
        self.check_name()?;
        if !is_one_line(&self.summary) {
            return Err(problem("summary", format!("{:?}", self.summary), LINES_ALLOWED));
        }
        self.check_optional_ports()?;
        self.check_cuts()?;
        self.check_target()?;
        let evidence_fields = match self.scheme {
            Scheme::Integer => {
                self.check_integers()?;
                &integer::EVIDENCE_FIELDS[..]
            }
            _ => {
                self.check_floating_point()?;
                &EVIDENCE_FIELDS[..]
            }
        };
        for (field, evidence) in &self.evidence {
            if !evidence_fields.contains(&field.as_str()) {
                return Err(problem("evidence", format!("{field:?}"), evidence_fields.join(", ")));
            }
            if !is_one_line(&evidence.source) {
                return Err(problem("evidence.source", format!("{:?}", evidence.source), LINES_ALLOWED));
            }
        }
        Ok(())
    }

    /// A unit without an addend, or with flags, is one that adds all of its terms at once.
    fn check_optional_ports(&self) -> Result<(), Problem> {
        if self.scheme != Scheme::Fused && !self.has_addend() {
            let allowed = "a format: only scheme = \"fused\" can leave it out";
            return Err(problem("formats.c", "missing", allowed));
        }
        if !self.conversion.flags {
            return Ok(());
        }
        if self.scheme != Scheme::Fused {
            let allowed = "false: only scheme = \"fused\" has flags";
            return Err(problem("conversion.flags", true, allowed));
        }
        let widest = u64::BITS - Flags::WIDTH;
        if self.formats.d.width() > widest {
            let (name, width) = (&self.formats.d.name, self.formats.d.width());
            let allowed = format!("false: flags need a result of at most {widest} bits, and {name} has {width}");
            return Err(problem("conversion.flags", true, allowed));
        }
        Ok(())
    }

    fn check_floating_point(&self) -> Result<(), Problem> {
        for (field, format) in [("a", &self.formats.a), ("b", &self.formats.b), ("c", &self.formats.c)] {
            if field != "c" || self.has_addend() {
                check_operand_format(&format!("formats.{field}"), format)?;
            }
        }
        self.check_absent_addend()?;
        self.check_result_format()?;
        self.check_scales()?;
        self.check_addition()?;
        match self.scheme {
            Scheme::Exact => self.check_exact_width(),
            scheme if scheme.rounds_each_operation() => self.check_operations(),
            _ => self.check_window(),
        }
    }

    fn check_absent_addend(&self) -> Result<(), Problem> {
        match !self.has_addend() && self.flush.addend {
            true => Err(problem("subnormals.addend", "\"flushed\"", "\"kept\" for a unit without an addend")),
            false => Ok(()),
        }
    }

    fn check_name(&self) -> Result<(), Problem> {
        if is_well_formed_name(&self.name) {
            return match reserved::reason(&self.module_name()) {
                Some(allowed) => Err(problem("name", format!("{:?}", self.name), allowed)),
                None => Ok(()),
            };
        }
        Err(problem("name", format!("{:?}", self.name), NAMES_ALLOWED))
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
        if result.non_finite == NonFinite::NegativeZeroNan {
            let allowed = |allowed: &str| format!("{allowed:?}: {} has no minus zero", result.name);
            if self.conversion.zero_negative {
                return Err(problem("conversion.exact_zero", "\"negative\"", allowed("positive")));
            }
            if self.conversion.rounded_zero_positive {
                return Err(problem("conversion.rounded_zero", "\"positive\"", allowed("signed")));
            }
        }
        Ok(())
    }

    /// What a unit file says of the window.
    fn check_window(&self) -> Result<(), Problem> {
        self.check_carry_bits()?;
        self.check_exponent_floor()?;
        self.check_width()
    }

    fn check_carry_bits(&self) -> Result<(), Problem> {
        let derived = carry_bits_of(self);
        match self.carry_bits {
            Some(bits) if bits > derived + 1 => Err(problem(
                "sum.carry_bits",
                bits,
                format!("0 to {}: {derived} always suffice for these terms", derived + 1),
            )),
            _ => Ok(()),
        }
    }

    /// The highest exponent that a finite term can have.
    fn highest_exponent(&self) -> i32 {
        let formats = &self.formats;
        let elements = formats.a.exponent_max() + formats.b.exponent_max();
        let term = match &self.scales {
            Some(scales) if scales.group.is_some() => scales.a.exponent_max() + scales.b.exponent_max(),
            Some(scales) => elements + scales.a.exponent_max() + scales.b.exponent_max(),
            None => elements,
        };
        if self.has_addend() { term.max(formats.c.exponent_max()) } else { term }
    }

    fn check_exponent_floor(&self) -> Result<(), Problem> {
        let highest = self.highest_exponent();
        let alignment = ("alignment.exponent_floor", self.alignment.exponent_floor);
        for (field, floor) in [alignment, self.last_floor()] {
            if let Some(floor) = floor.filter(|&floor| floor > highest) {
                let allowed = format!("at most {highest}, the highest exponent that a term can have");
                return Err(problem(field, floor, allowed));
            }
        }
        Ok(())
    }

    /// The floor of the anchor at which the last sum is formed.
    fn last_floor(&self) -> (&'static str, Option<i32>) {
        match &self.addition {
            Some(addition) => ("addition.exponent_floor", addition.exponent_floor),
            None => ("alignment.exponent_floor", self.alignment.exponent_floor),
        }
    }

    /// The fraction bits of that sum.
    fn last_fraction_bits(&self) -> (&'static str, u32) {
        match &self.addition {
            Some(addition) => ("addition.sum_fraction_bits", addition.sum_fraction_bits),
            None => ("alignment.fraction_bits", self.alignment.fraction_bits),
        }
    }

    fn with_last_floor(&self, floor: Option<i32>) -> Unit {
        let mut unit = self.clone();
        match &mut unit.addition {
            Some(addition) => addition.exponent_floor = floor,
            None => unit.alignment.exponent_floor = floor,
        }
        unit
    }

    /// The exact sum must fit the widest machine word.
    fn check_exact_width(&self) -> Result<(), Problem> {
        let needed = Plan::of(self).word_bits();
        if needed <= WORD_BITS_MAX {
            return Ok(());
        }
        let formats = &self.formats;
        let names = format!("a {}, b {}, c {}", formats.a.name, formats.b.name, formats.c.name);
        let allowed = format!(
            "formats whose exact sum is narrow enough: the sum needs {needed} bits, allowed are {WORD_BITS_MAX}, which grow with the \
             distance from the highest exponent to the lowest place of products and c"
        );
        Err(problem("formats", names, allowed))
    }

    /// The widest signal must fit the widest machine word. What makes it wide is the distance from d's least exponent down
    /// to the anchor's floor.
    fn check_width(&self) -> Result<(), Problem> {
        let width = |floor: Option<i32>| Plan::of(&self.with_last_floor(floor)).word_bits();
        let (floor_field, floor) = self.last_floor();
        let (fraction_field, fraction_bits) = self.last_fraction_bits();
        let needed = width(floor);
        if needed <= WORD_BITS_MAX {
            return Ok(());
        }
        let reason = format!(
            "the sum needs {needed} bits, allowed are {WORD_BITS_MAX}, which grow as {floor_field} lies further below the least \
             exponent {} of {} and by {fraction_field} = {fraction_bits}",
            self.formats.d.exponent_min(),
            self.formats.d.name,
        );
        let highest = self.highest_exponent().clamp(EXPONENT_FLOORS.0, EXPONENT_FLOORS.1);
        if width(Some(highest)) > WORD_BITS_MAX {
            let allowed = format!("a format with a lesser least exponent: {reason}");
            return Err(problem("formats.d", &self.formats.d.name, allowed));
        }
        // The width falls as the floor rises, so the least floor that suffices is found by halving.
        let (mut low, mut high) = (EXPONENT_FLOORS.0, highest);
        while low < high {
            let middle = low + (high - low).div_euclid(2);
            (low, high) = if width(Some(middle)) > WORD_BITS_MAX { (middle + 1, high) } else { (low, middle) };
        }
        let value = floor.map_or("\"none\"".to_owned(), |floor| floor.to_string());
        Err(problem(floor_field, value, format!("{high} to {highest}: {reason}")))
    }
}

fn check_operand_format(field: &str, format: &Format) -> Result<(), Problem> {
    if format.is_integer() {
        return Err(problem(field, &format.name, "a floating-point format; integers need scheme = \"integer\""));
    }
    if format.subnormals && format.fraction_bits > 0 {
        return Ok(());
    }
    Err(problem(field, &format.name, "a format with a fraction and subnormals; scale formats are not operands"))
}
