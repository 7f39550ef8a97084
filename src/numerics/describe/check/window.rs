//! Whether the window of a unit fits the widest machine word: what only its plan tells.

use super::{Problem, problem};
use crate::describe::plan::{Plan, StepsPlan, WORD_BITS_MAX, carry_bits_of};
use crate::describe::unit::{EXPONENT_FLOORS, Scheme, Unit};

/// Widest exact sum of a group, sign included.
const GROUP_SUM_WIDTH_MAX: u32 = 128;

impl Unit {
    /// What a unit file says of the window.
    pub(super) fn check_window(&self) -> Result<(), Problem> {
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
        let alignment = ("alignment.exponent_floor", self.alignment().exponent_floor);
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
            None => ("alignment.exponent_floor", self.alignment().exponent_floor),
        }
    }

    /// The fraction bits of that sum.
    fn last_fraction_bits(&self) -> (&'static str, u32) {
        match &self.addition {
            Some(addition) => ("addition.sum_fraction_bits", addition.sum_fraction_bits),
            None => ("alignment.fraction_bits", self.alignment().fraction_bits),
        }
    }

    fn with_last_floor(&self, floor: Option<i32>) -> Unit {
        let mut unit = self.clone();
        match &mut unit.addition {
            Some(addition) => addition.exponent_floor = floor,
            None => unit.alignment_mut().exponent_floor = floor,
        }
        unit
    }

    /// The exact sum must fit the widest machine word.
    pub(super) fn check_exact_width(&self) -> Result<(), Problem> {
        let needed = Plan::of(self).word_bits();
        if needed <= WORD_BITS_MAX {
            return Ok(());
        }
        let formats = &self.formats;
        let names = format!("a {}, b {}, c {}", formats.a.name, formats.b.name, formats.c.name);
        let grows = match self.scheme {
            Scheme::Exact => "with the distance from the highest exponent to the lowest place of products and c",
            _ => "as the least exponent of a product lies below the least normal one of d",
        };
        let allowed = format!(
            "formats whose exact sum is narrow enough: the sum needs {needed} bits, allowed are {WORD_BITS_MAX}, which grow {grows}"
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
        let (least, most) = (*EXPONENT_FLOORS.start() as i32, *EXPONENT_FLOORS.end() as i32);
        let highest = self.highest_exponent().clamp(least, most);
        if width(Some(highest)) > WORD_BITS_MAX {
            let allowed = format!("a format with a lesser least exponent: {reason}");
            return Err(problem("formats.d", &self.formats.d.name, allowed));
        }
        // The width falls as the floor rises, so the least floor that suffices is found by halving.
        let (mut low, mut high) = (least, highest);
        while low < high {
            let middle = low + (high - low).div_euclid(2);
            (low, high) = if width(Some(middle)) > WORD_BITS_MAX { (middle + 1, high) } else { (low, middle) };
        }
        let value = floor.map_or("\"none\"".to_owned(), |floor| floor.to_string());
        Err(problem(floor_field, value, format!("{high} to {highest}: {reason}")))
    }

    pub(super) fn check_group_sum(&self) -> Result<(), Problem> {
        let (a, b) = (&self.formats.a, &self.formats.b);
        let unit = a.exponent_min() + b.exponent_min() - (a.fraction_bits + b.fraction_bits) as i32;
        let greatest = a.exponent_max() + b.exponent_max();
        let grouped = self.scales.as_ref().is_some_and(|scales| scales.group.is_some());
        if grouped && (unit > 0 || greatest < 0) {
            let names = format!("a {}, b {}", a.name, b.name);
            let allowed = format!(
                "formats with products around 1: groups are summed as fixed-point numbers, and these are multiples of \
                 2^{unit} with exponents up to {greatest}"
            );
            return Err(problem("formats", names, allowed));
        }
        let group = self.scales.as_ref().and_then(|scales| scales.group);
        match (group, StepsPlan::of(self).links.first().map(|link| link.sum.width)) {
            (Some(group), Some(width)) if width > GROUP_SUM_WIDTH_MAX => {
                let allowed = format!(
                    "formats of a and b, and groups, whose exact sum has at most {GROUP_SUM_WIDTH_MAX} bits; products of {} and \
                     {} need {width}",
                    self.formats.a.name, self.formats.b.name
                );
                Err(problem("scales.group", group, allowed))
            }
            _ => Ok(()),
        }
    }
}
