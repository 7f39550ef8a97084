//! The unit that a module of `rtl/lib` is with parameters of one's own: the way back from what [`super::instance`] gives. A unit counts
//! only if that gives it these very parameters.

use std::collections::BTreeMap;

use thiserror::Error;

use super::LEAVES;
use super::instance::{NO_FLOOR, NON_FINITE, OVERFLOWS, ROUNDINGS, module as module_of, overrides};
use crate::describe::format::{Format, Overflow, Rounding};
use crate::describe::text::NAME_MAX;
use crate::describe::unit::{Alignment, AlignmentRounding, Cut, Family, FileError, Flush, Scheme, Target, Unit};

/// Why parameters make no unit.
#[derive(Debug, Error)]
pub enum OverriddenError {
    #[error("--top {module}: no module of a scheme; allowed: {}", tops().join(", "))]
    Top { module: String },
    #[error("--parameter {name}: {top} has no such parameter; nearest: {}", nearest.join(", "))]
    Name { top: String, name: String, nearest: Vec<String> },
    #[error("--parameter {name}={value}: {top} is no unit with it; allowed: {allowed}")]
    Value { top: String, name: String, value: String, allowed: String },
    /// A field of the unit file that would say it.
    #[error("the parameters make no unit: {0}")]
    Unit(#[from] FileError),
}

/// The modules of all schemes.
pub fn tops() -> Vec<&'static str> {
    Family::ALL.into_iter().filter_map(module_of).collect()
}

/// The unit that a module is with these parameters in place of its own.
///
/// # Errors
/// There is no such module or parameter, or no unit has these values.
pub fn unit(module: &str, given: &[(String, String)]) -> Result<Unit, OverriddenError> {
    let family = Family::ALL.into_iter().find(|family| module_of(*family) == Some(module));
    let family = family.ok_or_else(|| OverriddenError::Top { module: module.to_owned() })?;
    let values = Values::of(module, given)?;
    let unit = match family {
        Family::Integer => values.integers(),
        _ => values.floating_point(),
    }?;
    // A unit file of it is what all checks are made of.
    let unit = Unit::from_toml(module, &unit.to_toml())?;
    values.are_those_of(&unit)?;
    Ok(unit)
}

/// The parameters of a module with their values.
struct Values<'a> {
    module: &'a str,
    given: &'a [(String, String)],
    all: BTreeMap<String, i64>,
    /// Where it is overridden; the module's own is all ones without a sign.
    nan_word: Option<u64>,
}

const NAN_WORD: &str = "NanWord";

impl<'a> Values<'a> {
    fn of(module: &'a str, given: &'a [(String, String)]) -> Result<Values<'a>, OverriddenError> {
        let file = LEAVES.iter().find(|(name, _)| name.strip_suffix(".sv") == Some(module));
        let mut all = own_values(file.map_or("", |(_, text)| text));
        let mut nan_word = None;
        for (name, text) in given {
            let value =
                number(text).ok_or_else(|| refused(module, name, text, "a number, such as 8, -1 or 32'h7fffffff"))?;
            match all.get_mut(name) {
                _ if name == NAN_WORD && Some(module) != module_of(Family::Integer) => nan_word = Some(value as u64),
                Some(own) => *own = value,
                None => {
                    let known = all.into_keys().filter(|_| name.len() <= NAME_MAX);
                    let mut nearest: Vec<String> = known.chain([NAN_WORD.to_owned()]).collect();
                    nearest.sort_by_key(|known| strsim::osa_distance(&name.to_lowercase(), &known.to_lowercase()));
                    nearest.truncate(3);
                    return Err(OverriddenError::Name { top: module.to_owned(), name: name.clone(), nearest });
                }
            }
        }
        Ok(Values { module, given, all, nan_word })
    }

    fn get(&self, name: &str) -> i64 {
        self.all.get(name).copied().unwrap_or_default()
    }

    /// A number of bits or of products.
    fn count(&self, name: &str) -> Result<u32, OverriddenError> {
        u32::try_from(self.get(name)).map_err(|_| self.refuse(name, "0 and more"))
    }

    /// Bits of a field of a format; how many a unit may have is looked at later.
    fn field_bits(&self, name: &str) -> Result<u32, OverriddenError> {
        self.count(name).ok().filter(|&bits| bits <= 64).ok_or_else(|| self.refuse(name, "0 to 64"))
    }

    fn flag(&self, name: &str) -> Result<bool, OverriddenError> {
        self.choice(name, &[false, true])
    }

    /// The value that a parameter stands for, counted from 0.
    fn choice<T: Copy>(&self, name: &str, of: &[T]) -> Result<T, OverriddenError> {
        let place = usize::try_from(self.get(name)).ok().and_then(|place| of.get(place));
        place.copied().ok_or_else(|| self.refuse(name, &format!("0 to {}", of.len() - 1)))
    }

    fn floor(&self, name: &str) -> Option<i32> {
        Some(self.get(name)).filter(|&floor| floor != i64::from(NO_FLOOR)).map(|floor| floor as i32)
    }

    fn refuse(&self, name: &str, allowed: &str) -> OverriddenError {
        refused(self.module, name, &self.get(name).to_string(), allowed)
    }

    fn alignment_rounding(&self, name: &str) -> Result<AlignmentRounding, OverriddenError> {
        let rounding = self.choice(name, &ROUNDINGS)?;
        let known = AlignmentRounding::ALL.into_iter().find(|&known| Rounding::from(known) == rounding);
        known.ok_or_else(|| self.refuse(name, "0, 1, 4 and 5"))
    }

    fn format(&self, prefix: &str) -> Result<Format, OverriddenError> {
        let field = |name: &str| self.field_bits(&format!("{prefix}{name}"));
        let bias = format!("{prefix}Bias");
        let signed = prefix == "Result" || self.flag(&format!("{prefix}SignBits"))?;
        let (exponent_bits, fraction_bits) = (field("ExponentBits")?, field("FractionBits")?);
        let format = Format {
            name: format!("{}e{exponent_bits}m{fraction_bits}", if signed { "" } else { "u" }),
            signed,
            exponent_bits,
            fraction_bits,
            padding_bits: field("PaddingBits")?,
            bias: i32::try_from(self.get(&bias)).map_err(|_| self.refuse(&bias, "32 bits with a sign"))?,
            non_finite: self.choice(&format!("{prefix}NonFinite"), &NON_FINITE)?,
            subnormals: true,
        };
        Ok(format.with_standard_name())
    }

    fn registers(&self, unit: &mut Unit) -> Result<(), OverriddenError> {
        let mask = self.count("Cuts")?;
        let places = Cut::places(unit.scheme);
        if mask >> places.len() != 0 {
            return Err(self.refuse("Cuts", &format!("0 to {}", (1 << places.len()) - 1)));
        }
        unit.build.cuts =
            places.iter().enumerate().filter(|(place, _)| mask >> place & 1 == 1).map(|(_, cut)| *cut).collect();
        Ok(())
    }

    fn integers(&self) -> Result<Unit, OverriddenError> {
        let format = |prefix: &str| {
            let (width, signed) = (self.field_bits(&format!("{prefix}Width"))?, self.flag(&format!("{prefix}Signed"))?);
            let known: Vec<Format> = Format::standard().into_iter().filter(Format::is_integer).collect();
            let found = known.iter().find(|format| format.width() == width && format.signed == signed).cloned();
            found.ok_or_else(|| {
                let names: Vec<&str> = known.iter().map(|format| format.name.as_str()).collect();
                self.refuse(&format!("{prefix}Width"), &format!("those of {}", names.join(", ")))
            })
        };
        let mut unit = Unit { products: self.count("Products")?, ..Unit::plain(Scheme::Integer) };
        unit.name = "overridden-integer".to_owned();
        unit.formats.a = format("OperandA")?;
        unit.formats.b = format("OperandB")?;
        unit.formats.c = format("Addend")?;
        unit.formats.d = format("Result")?;
        unit.conversion.overflow = self.choice("Saturate", &[Overflow::Wrap, Overflow::Saturate])?;
        self.registers(&mut unit)?;
        Ok(unit)
    }

    fn floating_point(&self) -> Result<Unit, OverriddenError> {
        let scheme = if self.get("FractionBits") == -1 { Scheme::Exact } else { Scheme::Fused };
        let mut unit = Unit { products: self.count("Products")?, ..Unit::plain(scheme) };
        unit.name = format!("overridden-{}", scheme.name());
        unit.formats.a = self.format("OperandA")?;
        unit.formats.b = self.format("OperandB")?;
        unit.formats.d = self.format("Result")?;
        if self.flag("HasAddend")? {
            unit.formats.c = self.format("Addend")?;
        }
        // An exact sum implies its alignment, as in unit files.
        if scheme == Scheme::Fused {
            unit.alignment = Some(Alignment {
                fraction_bits: self.count("FractionBits")?,
                rounding: self.alignment_rounding("AlignmentRounding")?,
                exponent_floor: self.floor("ExponentFloor"),
                normalise_products: self.flag("NormaliseProducts")?,
            });
            unit.carry_bits = if self.get("CarryBits") == -1 { None } else { Some(self.count("CarryBits")?) };
        }
        self.conversion(&mut unit)?;
        unit.build.target = self.choice("Target", &Target::ALL)?;
        self.registers(&mut unit)?;
        Ok(unit)
    }

    fn conversion(&self, unit: &mut Unit) -> Result<(), OverriddenError> {
        let conversion = &mut unit.conversion;
        conversion.rounding = self.choice("ResultRounding", &ROUNDINGS)?;
        conversion.overflow = self.choice("Overflow", &OVERFLOWS)?;
        conversion.nan = self.nan_word.unwrap_or(u64::MAX >> (64 - unit.formats.d.width().clamp(2, 64)) >> 1);
        conversion.zero_negative = self.flag("ZeroNegative")?;
        conversion.rounded_zero_positive = self.flag("RoundedZero")?;
        conversion.flags = self.flag("HasFlags")?;
        let (operands, addend) = (self.choice("FlushOperands", &[0, 1, 2])?, self.choice("FlushAddend", &[0, 1, 2])?);
        let result = self.choice("FlushResult", &[0, 1, 2])?;
        unit.flush = Flush {
            operands: operands > 0,
            addend: addend > 0,
            result: result > 0,
            tiny_result: result > 1,
            to_plus_zero: operands > 1 || addend > 1,
        };
        Ok(())
    }

    /// Refuses a value that the unit's instance would not be given.
    fn are_those_of(&self, unit: &Unit) -> Result<(), OverriddenError> {
        let own: BTreeMap<String, String> = overrides(unit).into_iter().collect();
        for (name, text) in self.given {
            let value = own.get(name).and_then(|value| number(value));
            let plain = match name.as_str() {
                "Cuts" | "Target" => Some(0),
                _ => None,
            };
            if value.or(plain) != number(text) {
                let allowed = value.map_or("none beside the other parameters".to_owned(), |value| {
                    format!("{value} beside the other parameters")
                });
                return Err(refused(self.module, name, text, &allowed));
            }
        }
        Ok(())
    }
}

fn refused(module: &str, name: &str, value: &str, allowed: &str) -> OverriddenError {
    let [top, name, value, allowed] = [module, name, value, allowed].map(str::to_owned);
    OverriddenError::Value { top, name, value, allowed }
}

/// The whole numbers that a module has for its parameters.
fn own_values(text: &str) -> BTreeMap<String, i64> {
    let lines =
        text.lines().filter_map(|line| line.trim_start().strip_prefix("parameter")?.trim_start().strip_prefix("int "));
    let value = |line: &str| {
        let (name, rest) = line.split_once('=')?;
        let value = rest.split(['/', ',']).next()?;
        Some((name.trim().to_owned(), number(value.trim())?))
    };
    lines.filter_map(value).collect()
}

/// A number as SystemVerilog writes it: decimal, or with a width and a base of sixteen, ten or two; `0x` is taken too.
fn number(text: &str) -> Option<i64> {
    let text = text.trim().replace('_', "");
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok().map(|value| value as i64);
    }
    let Some((_, based)) = text.split_once('\'') else { return text.parse().ok() };
    let mut letters = based.chars();
    let base = match letters.next()?.to_ascii_lowercase() {
        'h' => 16,
        'd' => 10,
        'b' => 2,
        _ => return None,
    };
    u64::from_str_radix(letters.as_str(), base).ok().map(|value| value as i64)
}
