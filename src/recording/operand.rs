//! Operands as people write them: encodings, decimals, C99 hexadecimal floats; and words of a wider format.

use clap::ValueEnum;
use dashu_int::UBig;
use dashu_int::ops::{BitTest, DivRem};
use serde::Serialize;
use thiserror::Error;

use crate::describe::format::{Class, Format, Overflow, Rounding};

/// Why a text is not an operand.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{text:?} is not an operand of {format}; allowed: {allowed}")]
pub struct ParseError {
    pub text: String,
    pub format: String,
    pub allowed: String,
}

/// What a text says.
enum Read {
    /// An encoding of the format, spelled out.
    Encoding(u64),
    /// An infinity, a NaN or an integer of the format.
    Value(u64),
    Finite(Finite),
}

/// What becomes of a number that the format of an operand does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum OperandRule {
    /// It is refused
    Exact,
    /// It is rounded to nearest, ties to even, as a library does before it calls an instruction
    Nearest,
    /// What lies below its last place is dropped, as hardware ignores bits that its format does not have
    Cut,
}

/// An operand that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parsed {
    pub bits: u64,
    /// Whether it is another number than the one given.
    pub changed: bool,
}

/// Reads an operand: an encoding (`0x3c00`), a decimal (`-1.5`, `2e-3`), a C99 hexadecimal float (`0x1.8p+3`), `inf` or
/// `nan`. The rule says what becomes of numbers that the format does not hold; bits of an encoding that its format ignores are
/// treated as [`of_container`] does. An operand of an integer format is an encoding or a plain decimal integer of its range.
///
/// # Errors
/// The text is none of these, an encoding wider than the format, or a number that the rule refuses.
pub fn parse(format: &Format, text: &str, rule: OperandRule) -> Result<Parsed, ParseError> {
    let refuse = |allowed: String| ParseError { text: text.to_owned(), format: format.name.clone(), allowed };
    let not_held = || refuse(format!("numbers that {} holds exactly", format.name));
    match read(format, text)? {
        Read::Encoding(bits) => of_container(format, bits, OperandRule::Cut)
            .filter(|operand| rule != OperandRule::Exact || !operand.changed)
            .ok_or_else(not_held),
        Read::Value(bits) => Ok(Parsed { bits, changed: false }),
        Read::Finite(number) => {
            number.check(format).map_err(|allowed| refuse(allowed.to_owned()))?;
            number.in_format(format, rule).ok_or_else(not_held)
        }
    }
}

/// A number of binary64 as an operand, which the rule rounds, cuts or refuses where the format does not hold it. A NaN is the
/// format's own; an integer format takes its integers only, whatever the rule.
///
/// # Errors
/// The number is none of the format, and the rule refuses it; or the format has no such number at all.
pub fn of_number(format: &Format, value: f64, rule: OperandRule) -> Result<Parsed, ParseError> {
    let refuse = |allowed: String| ParseError { text: value.to_string(), format: format.name.clone(), allowed };
    let same =
        |bits: u64| format.to_f64(bits) == value && (value != 0.0 || format.to_f64(bits).to_bits() == value.to_bits());
    if format.is_integer() {
        let (least, greatest) = (format.integer_least(), format.integer_greatest());
        let held = value.fract() == 0.0 && (least as f64..=greatest as f64).contains(&value);
        let integer = held.then_some(Parsed { bits: value as i64 as u64 & format.mask(), changed: false });
        return integer.ok_or_else(|| refuse(format!("an integer from {least} to {greatest}")));
    }
    if !value.is_finite() {
        let special = if value.is_nan() { format.nan() } else { format.infinity(value < 0.0) };
        let allowed = || refuse(format!("finite numbers, {} has no {value}", format.name));
        return special.map(|bits| Parsed { bits, changed: false }).ok_or_else(allowed);
    }
    let binary64 = Format::binary64();
    let decoded = binary64.decode(value.to_bits());
    let exponent = i64::from(decoded.exponent) - i64::from(binary64.fraction_bits);
    let number = Finite { negative: decoded.negative, significand: decoded.significand.into(), exponent };
    number.check(format).map_err(|allowed| refuse(allowed.to_owned()))?;
    let bits = number.encode(format, rule);
    let changed = !same(bits);
    match rule == OperandRule::Exact && changed {
        true => Err(refuse(format!("numbers that {} holds exactly", format.name))),
        false => Ok(Parsed { bits, changed }),
    }
}

/// A word of a wider format as an operand: `tf32` and `xf32` lie in the 32 bits of a binary32 number, whose last bits they
/// ignore. `None` where the rule refuses it. A cut word stays as it is: those bits are ignored when it is read.
pub fn of_container(format: &Format, bits: u64, rule: OperandRule) -> Option<Parsed> {
    if bits & ((1 << format.padding_bits) - 1) == 0 {
        return Some(Parsed { bits, changed: false });
    }
    let container =
        Format { fraction_bits: format.fraction_bits + format.padding_bits, padding_bits: 0, ..format.clone() };
    let value = container.decode(bits);
    match (rule, value.class) {
        (OperandRule::Exact, _) => None,
        (OperandRule::Cut, _) => Some(Parsed { bits, changed: true }),
        // Where only ignored bits make it a NaN, it stays one.
        (OperandRule::Nearest, Class::Nan) => Some(Parsed { bits: format.nan()?, changed: false }),
        (OperandRule::Nearest, _) => {
            let exponent = i64::from(value.exponent) - i64::from(container.fraction_bits);
            Finite { negative: value.negative, significand: value.significand.into(), exponent }.in_format(format, rule)
        }
    }
}

/// Reads a number as [`parse`] does, if the format holds it exactly. An encoding is no number.
///
/// # Errors
/// The text is no number, or none of the format.
pub fn parse_exactly(format: &Format, text: &str) -> Result<u64, ParseError> {
    let refuse = |allowed: String| ParseError { text: text.to_owned(), format: format.name.clone(), allowed };
    match read(format, text)? {
        Read::Encoding(_) => Err(refuse("a number, not an encoding, which differs between formats".to_owned())),
        Read::Value(bits) => Ok(bits),
        Read::Finite(number) => {
            let held = number.in_format(format, OperandRule::Exact).map(|operand| operand.bits);
            held.ok_or_else(|| refuse(format!("numbers that {} holds exactly", format.name)))
        }
    }
}

/// (-1)^negative * significand * 2^exponent.
struct Finite {
    negative: bool,
    significand: UBig,
    exponent: i64,
}

impl Finite {
    /// Whether the format has a number anywhere near it; what is allowed where it has not.
    fn check(&self, format: &Format) -> Result<(), &'static str> {
        match self.significand.is_zero() {
            false if self.negative && !format.signed => Err("a number not below zero"),
            true if format.decode(format.zero(false)).class != Class::Zero => Err("a number above zero"),
            _ => Ok(()),
        }
    }

    /// The number that the rule makes of it, if it refuses none.
    fn encode(&self, format: &Format, rule: OperandRule) -> u64 {
        let rounding = if rule == OperandRule::Nearest { Rounding::NearestEven } else { Rounding::TowardZero };
        format.encode(self.negative, &self.significand, self.exponent, rounding, Overflow::Ieee)
    }

    /// The number that the rule makes of it, or `None` where it refuses.
    fn in_format(&self, format: &Format, rule: OperandRule) -> Option<Parsed> {
        let bits = self.encode(format, rule);
        let changed = !self.is(format, bits);
        (rule != OperandRule::Exact || !changed).then_some(Parsed { bits, changed })
    }

    /// Whether an encoding has this value, its sign included.
    fn is(&self, format: &Format, bits: u64) -> bool {
        let value = format.decode(bits);
        let last_place = i64::from(value.exponent) - i64::from(format.fraction_bits);
        let unit = last_place.min(self.exponent);
        let finite = !matches!(value.class, Class::Infinite | Class::Nan);
        let held = UBig::from(value.significand) << (last_place - unit) as usize;
        let same = held == &self.significand << (self.exponent - unit) as usize;
        finite && same && value.negative == self.negative
    }
}

fn read(format: &Format, text: &str) -> Result<Read, ParseError> {
    let refuse = |allowed: String| ParseError { text: text.to_owned(), format: format.name.clone(), allowed };
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = magnitude.to_ascii_lowercase();
    let hexadecimal = lower.strip_prefix("0x");
    let encoding = hexadecimal.filter(|digits| !digits.contains(['.', 'p']));
    if let Some(digits) = encoding {
        let only_digits = digits.chars().all(|digit| digit.is_ascii_hexdigit());
        let bits = u64::from_str_radix(digits, 16).ok().filter(|_| only_digits && !negative);
        let bits = bits.filter(|bits| bits & !format.mask() == 0).map(Read::Encoding);
        return bits.ok_or_else(|| refuse(format!("an unsigned encoding of at most {} bits", format.width())));
    }
    if format.is_integer() {
        let (least, greatest) = (format.integer_least(), format.integer_greatest());
        let value = text.parse().ok().filter(|value| (least..=greatest).contains(value));
        let value: i64 = value.ok_or_else(|| {
            refuse(format!("an integer from {least} to {greatest}, or an encoding of at most {} bits", format.width()))
        })?;
        return Ok(Read::Value(value as u64 & format.mask()));
    }
    let special = match lower.as_str() {
        "inf" | "infinity" => Some(format.infinity(negative)),
        "nan" => Some(format.nan()),
        _ => None,
    };
    if let Some(special) = special {
        let allowed = || refuse(format!("finite numbers, {} has no {lower}", format.name));
        return special.map(Read::Value).ok_or_else(allowed);
    }
    let parsed = match hexadecimal {
        Some(digits) => parse_hexadecimal_float(digits),
        None => parse_decimal(&lower),
    };
    let (significand, exponent) = parsed.ok_or_else(|| {
        refuse(format!(
            "an encoding (0x3c00), a decimal (-1.5, 2e-3), a hexadecimal float (0x1.8p+3), inf or nan; \
             exponents of -{EXPONENT_MAX} to {EXPONENT_MAX}"
        ))
    })?;
    Ok(Read::Finite(Finite { negative, significand, exponent }))
}

/// Largest decimal or binary exponent taken: beyond it every format is long at zero or infinity.
const EXPONENT_MAX: u64 = 5000;

/// Digits with at most one point, and how many of them stand behind it.
fn digits(text: &str, radix: u32) -> Option<(UBig, i64)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let all = format!("{whole}{fraction}");
    let only_digits = all.chars().all(|digit| digit.is_digit(radix));
    let value = UBig::from_str_radix(&all, radix).ok().filter(|_| only_digits)?;
    Some((value, fraction.len() as i64))
}

fn exponent(text: &str) -> Option<i64> {
    text.parse().ok().filter(|exponent: &i64| exponent.unsigned_abs() <= EXPONENT_MAX)
}

/// significand * 2^exponent, exactly.
fn parse_hexadecimal_float(text: &str) -> Option<(UBig, i64)> {
    let (number, power) = text.split_once('p').map_or((text, Some(0)), |(number, power)| (number, exponent(power)));
    let (significand, behind) = digits(number, 16)?;
    Some((significand, power? - 4 * behind))
}

/// significand * 2^exponent, with a sticky last bit where the decimal is not binary.
fn parse_decimal(text: &str) -> Option<(UBig, i64)> {
    let (number, power) = text.split_once('e').map_or((text, Some(0)), |(number, power)| (number, exponent(power)));
    let (significand, behind) = digits(number, 10)?;
    let power = power? - behind;
    let ten_power = UBig::from(10u8).pow(power.unsigned_abs() as usize);
    if power >= 0 {
        return Some((significand * ten_power, 0));
    }
    // Enough quotient bits that only the sticky bit lies below any format's precision.
    let scale = ten_power.bit_len() + 128;
    let (quotient, remainder) = (significand << scale).div_rem(&ten_power);
    let sticky = UBig::from(u8::from(remainder != UBig::ZERO));
    Some(((quotient << 1) + sticky, -(scale as i64) - 1))
}
