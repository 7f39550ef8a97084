//! Tables that only some schemes have, against the rest of the unit.

use super::{Problem, problem};
use crate::describe::format::Format;
use crate::describe::unit::{Cut, Scheme, Target, Unit};

impl Unit {
    /// The scheme decides which tables there are.
    pub(super) fn check_tables(&self) -> Result<(), Problem> {
        let given = [("scales", self.scales.is_some()), ("addition", self.addition.is_some())];
        let plain = Unit::plain(self.scheme);
        if self.scheme == Scheme::Steps {
            return Ok(());
        }
        for ((table, given), wanted) in given.into_iter().zip([plain.scales.is_some(), plain.addition.is_some()]) {
            if given != wanted {
                let [value, allowed] = if given { ["given", "nothing"] } else { ["missing", "a table"] };
                return Err(problem(table, value, format!("{allowed} for {:?}", self.scheme.name())));
            }
        }
        Ok(())
    }

    /// Checks the scales against the rest of the unit.
    pub(super) fn check_scales(&self) -> Result<(), Problem> {
        let Some(scales) = &self.scales else { return Ok(()) };
        let divides = |field: &str, part: u32, whole_name: &str, whole: u32| match whole.is_multiple_of(part) {
            true => Ok(()),
            false => Err(problem(field, part, format!("a number that divides {whole_name} = {whole}"))),
        };
        divides("scales.block", scales.block, "products", self.products)?;
        if let Some(group) = scales.group {
            divides("scales.group", group, "scales.block", scales.block)?;
        }
        if self.alignment.as_ref().is_some_and(|own| own.normalise_products) {
            let allowed = "false: scheme = \"block-scaled\" aligns products as they are";
            return Err(problem("alignment.normalise_products", true, allowed));
        }
        if self.scheme == Scheme::Steps { Ok(()) } else { self.check_group_sum() }
    }

    /// Checks the table against the rest of the unit.
    pub(super) fn check_addition(&self) -> Result<(), Problem> {
        let Some(addition) = &self.addition else { return Ok(()) };
        let (sum, addend) = (addition.sum_fraction_bits, addition.addend_fraction_bits);
        if addend > sum {
            let allowed = format!("1 to {sum}, the fraction bits of the sum");
            return Err(problem("addition.addend_fraction_bits", addend, allowed));
        }
        if !self.products.is_multiple_of(addition.groups.count()) {
            return Err(problem("products", self.products, "an even number, for addition.groups = \"even-odd\""));
        }
        Ok(())
    }

    /// Every format of an integer unit is an integer.
    pub(super) fn check_integers(&self) -> Result<(), Problem> {
        let formats = &self.formats;
        for (field, format) in [("a", &formats.a), ("b", &formats.b), ("c", &formats.c), ("d", &formats.d)] {
            if !format.is_integer() {
                let integers: Vec<String> =
                    Format::standard().into_iter().filter(Format::is_integer).map(|format| format.name).collect();
                return Err(problem(&format!("formats.{field}"), &format.name, integers.join(", ")));
            }
        }
        Ok(())
    }

    /// Each operation's result is an operand of another, as c is; and some schemes take products two by two.
    pub(super) fn check_operations(&self) -> Result<(), Problem> {
        if !self.products.is_multiple_of(self.scheme.products_multiple_of()) {
            return Err(problem("products", self.products, format!("an even number, for {:?}", self.scheme.name())));
        }
        let (c, d) = (&self.formats.c, &self.formats.d);
        if c == d {
            return Ok(());
        }
        let allowed = format!("{}, the format of d: each step's result is the next step's addend", d.name);
        Err(problem("formats.c", &c.name, allowed))
    }

    /// Registers stand where the scheme has a place for them.
    pub(super) fn check_cuts(&self) -> Result<(), Problem> {
        match self.build.cuts.iter().find(|cut| !Cut::places(self.scheme).contains(cut)) {
            Some(cut) => Err(problem("pipeline.cuts", format!("{:?}", cut.name()), Cut::listed(self.scheme))),
            None => Ok(()),
        }
    }

    /// Only modules that sum all products at once have a choice.
    pub(super) fn check_target(&self) -> Result<(), Problem> {
        match Target::is_chosen_in(self.scheme) {
            false if !self.build.target.is_default() => {
                let allowed = format!("\"fpga\" for {:?}", self.scheme.name());
                Err(problem("rtl.target", format!("{:?}", self.build.target.name()), allowed))
            }
            _ => Ok(()),
        }
    }
}
