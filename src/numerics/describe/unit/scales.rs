//! The table `scales` of a block-scaled unit: reading it, and what contradicts it. Computes nothing.

use super::check::{Problem, problem};
use super::file::{FileError, Reader};
use super::tables::{FormatEntry, FormatLayout, ScalesTable};
use super::{Scales, Scheme, Unit};
use crate::describe::format::{Format, NonFinite};
use crate::describe::plan::BlockScaledPlan;

/// Widest exact sum of a group, sign included.
const GROUP_SUM_WIDTH_MAX: u32 = 128;

impl Reader<'_> {
    pub(super) fn scales(&self, table: ScalesTable) -> Result<Scales, FileError> {
        let count = |field: &str, entry| self.number(field, entry, 1, 64).map(|value| value as u32);
        Ok(Scales {
            a: self.scale_format("scales.a", table.a)?,
            b: self.scale_format("scales.b", table.b)?,
            block: count("scales.block", table.block)?,
            group: table.group.map(|entry| count("scales.group", entry)).transpose()?,
        })
    }

    fn scale_format(&self, field: &str, entry: FormatEntry) -> Result<Format, FileError> {
        match entry {
            FormatEntry::Name(name) => Format::named(&name).filter(is_scale_format).ok_or_else(|| {
                let formats = Format::standard().into_iter().filter(is_scale_format);
                let names: Vec<String> = formats.map(|format| format.name).collect();
                self.refuse(field, format!("{name:?}"), format!("{}, or a table with a layout", names.join(", ")))
            }),
            FormatEntry::Layout(layout) => self.scale_layout(field, layout),
        }
    }

    fn scale_layout(&self, field: &str, layout: FormatLayout) -> Result<Format, FileError> {
        let part = |name: &str| format!("{field}.{name}");
        let exponent_bits = self.number(&part("exponent_bits"), layout.exponent_bits, 1, 8)?;
        let fraction_bits = self.number(&part("fraction_bits"), layout.fraction_bits, 0, 8)?;
        if let Some(entry) = layout.padding_bits {
            self.number(&part("padding_bits"), entry, 0, 0)?;
        }
        let bias = self.number(&part("bias"), layout.bias, -300, 300)?;
        let format = Format {
            name: format!("ue{exponent_bits}m{fraction_bits}"),
            signed: false,
            exponent_bits: exponent_bits as u32,
            fraction_bits: fraction_bits as u32,
            padding_bits: 0,
            bias: bias as i32,
            non_finite: layout.non_finite,
            subnormals: fraction_bits > 0,
        };
        if is_scale_format(&format) {
            return Ok(format);
        }
        let value = if layout.non_finite == NonFinite::Ieee { "\"ieee\"" } else { "\"negative-zero-nan\"" };
        let allowed = "\"none\", \"all-ones-nan\": a scale has neither sign nor infinity";
        Err(self.refuse(&part("non_finite"), value, allowed))
    }
}

/// Whether numbers of the format can scale a block: unsigned, without infinity, all powers of two or with subnormals.
fn is_scale_format(format: &Format) -> bool {
    let finite_or_nan = matches!(format.non_finite, NonFinite::None | NonFinite::AllOnesNan);
    let floating_point = !format.is_integer();
    floating_point
        && !format.signed
        && format.padding_bits == 0
        && finite_or_nan
        && format.subnormals == (format.fraction_bits > 0)
}

impl Unit {
    /// Checks the scales against the rest of the unit.
    pub(super) fn check_scales(&self) -> Result<(), Problem> {
        let scales = match (self.scheme, &self.scales) {
            (Scheme::BlockScaled, Some(scales)) => scales,
            (Scheme::BlockScaled, None) => {
                return Err(problem("scales", "missing", "a table: scheme = \"block-scaled\" needs scales"));
            }
            (_, Some(_)) => {
                return Err(problem("scales", "a table", "none: only scheme = \"block-scaled\" has scales"));
            }
            (_, None) => return Ok(()),
        };
        let divides = |field: &str, part: u32, whole_name: &str, whole: u32| match whole.is_multiple_of(part) {
            true => Ok(()),
            false => Err(problem(field, part, format!("a number that divides {whole_name} = {whole}"))),
        };
        divides("scales.block", scales.block, "products", self.products)?;
        if let Some(group) = scales.group {
            divides("scales.group", group, "scales.block", scales.block)?;
        }
        if self.alignment.normalise_products {
            let allowed = "false: scheme = \"block-scaled\" aligns products as they are";
            return Err(problem("alignment.normalise_products", true, allowed));
        }
        self.check_group_sum()
    }

    fn check_group_sum(&self) -> Result<(), Problem> {
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
        match BlockScaledPlan::of(self).group {
            Some(group) if group.sum_width > GROUP_SUM_WIDTH_MAX => {
                let allowed = format!(
                    "formats of a and b, and groups, whose exact sum has at most {GROUP_SUM_WIDTH_MAX} bits; products of {} and \
                     {} need {}",
                    self.formats.a.name, self.formats.b.name, group.sum_width
                );
                Err(problem("scales.group", group.products, allowed))
            }
            _ => Ok(()),
        }
    }
}
