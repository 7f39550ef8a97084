//! Which descriptions are units: what a unit file is accepted for. Checks that no single field shows, those that need the plan
//! included.

mod steps;
mod tables;
mod window;

use std::path::Path;

use super::file::{FileError, read};
use super::format::{Class, Format, NonFinite};
use super::text::{Foreign, LINES_ALLOWED, is_one_line};
use super::unit::names::{NAMES_ALLOWED, is_well_formed_name};
use super::unit::{Flags, PRODUCTS_MAX, Scheme, Unit, evidence_names, reserved};

/// A field that contradicts others.
#[derive(Debug)]
struct Problem {
    field: String,
    value: String,
    allowed: String,
}

impl Problem {
    fn in_file(self, file: &str) -> FileError {
        FileError::value(file, &self.field, self.value, self.allowed)
    }
}

fn problem(field: &str, value: impl ToString, allowed: impl ToString) -> Problem {
    Problem { field: field.to_owned(), value: value.to_string(), allowed: allowed.to_string() }
}

impl Unit {
    /// Reads and checks a unit file.
    ///
    /// # Errors
    /// The file cannot be read, is not TOML of the documented form, or holds a value that is not allowed.
    pub fn from_file(path: &Path) -> Result<Unit, FileError> {
        let file = path.shown();
        Unit::from_toml(&file, &read(path)?)
    }

    /// Reads and checks the text of a unit file; `file` names it in errors.
    ///
    /// # Errors
    /// As [`Unit::from_file`].
    pub fn from_toml(file: &str, text: &str) -> Result<Unit, FileError> {
        let unit = Unit::parse(file, text)?;
        unit.check().map_err(|problem| problem.in_file(file))?;
        Ok(unit)
    }

    /// Checks a unit that no file was read for, as [`Unit::from_toml`] checks a file. Engines refuse every vector of a unit that
    /// is not valid.
    ///
    /// ```
    /// use tensorsmith_numerics::describe::catalogue;
    ///
    /// let mut unit = catalogue::unit("volta-fp16-fp32").expect("a unit");
    /// unit.products = 0;
    /// let error = unit.validate().expect_err("no products");
    /// assert_eq!(error.to_string(), "unit volta-fp16-fp32: field `products` is 0; allowed: 1 to 64");
    /// ```
    ///
    /// # Errors
    /// A field has a value that no unit file can have, or contradicts another.
    pub fn validate(&self) -> Result<(), FileError> {
        let file = format!("unit {}", self.name);
        self.check_fields(&file)?;
        self.check().map_err(|problem| problem.in_file(&file))
    }

    /// Whether [`Unit::validate`] accepts it.
    pub fn is_valid(&self) -> bool {
        self.validate().is_ok()
    }

    /// Checks what concerns several fields at once.
    fn check(&self) -> Result<(), Problem> {
        self.check_name()?;
        if !is_one_line(&self.summary) {
            return Err(problem("summary", format!("{:?}", self.summary), LINES_ALLOWED));
        }
        if self.scheme != Scheme::Steps && self.products > PRODUCTS_MAX {
            let allowed = format!("1 to {PRODUCTS_MAX}");
            return Err(problem("products", self.products, allowed));
        }
        self.check_optional_ports()?;
        self.check_cuts()?;
        self.check_target()?;
        match self.scheme {
            Scheme::Integer => self.check_integers()?,
            _ => self.check_floating_point()?,
        }
        self.check_evidence()
    }

    fn check_evidence(&self) -> Result<(), Problem> {
        for (field, evidence) in &self.evidence {
            let names = evidence_names(self.scheme);
            if !names.contains(&field.as_str()) {
                return Err(problem("evidence", format!("{field:?}"), names.join(", ")));
            }
            if !is_one_line(&evidence.source) {
                return Err(problem("evidence.source", format!("{:?}", evidence.source), LINES_ALLOWED));
            }
        }
        Ok(())
    }

    /// A unit without an addend, or with flags, is one that adds all of its terms at once.
    fn check_optional_ports(&self) -> Result<(), Problem> {
        let optional = matches!(self.scheme, Scheme::Fused | Scheme::Steps);
        if !optional && !self.has_addend() {
            let allowed = "a format: only scheme = \"fused\" can leave it out";
            return Err(problem("formats.c", "missing", allowed));
        }
        if !self.conversion.flags {
            return Ok(());
        }
        if !optional {
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
        self.check_tables()?;
        self.check_scales()?;
        self.check_addition()?;
        match self.scheme {
            Scheme::Steps => self.list.as_ref().map_or(Ok(()), |list| self.check_steps(list)),
            Scheme::Exact => self.check_exact_width(),
            scheme if scheme.rounds_each_operation() => {
                self.check_operations()?;
                self.check_exact_width()
            }
            _ => self.check_window(),
        }
    }

    fn check_absent_addend(&self) -> Result<(), Problem> {
        match !self.has_addend() && self.flush.addend && self.list.is_none() {
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
}

fn check_operand_format(field: &str, format: &Format) -> Result<(), Problem> {
    if format.is_integer() {
        return Err(problem(field, &format.name, "a floating-point format; integers need scheme = \"integer\""));
    }
    match holds_operands(format) {
        true => Ok(()),
        false => Err(problem(field, &format.name, OPERANDS_ALLOWED)),
    }
}

/// What formats of operands, addends and results are.
pub(super) const OPERANDS_ALLOWED: &str = "a format with a fraction and subnormals; scale formats are not operands";

/// Whether a format is one of operands, addends and results, integers too.
pub(super) fn holds_operands(format: &Format) -> bool {
    format.is_integer() || (format.subnormals && format.fraction_bits > 0)
}
