//! Encodings as people read and write them: hexadecimal, decimal, C99 hexadecimal float.

use dashu_int::UBig;
use dashu_int::ops::{BitTest, DivRem};
use thiserror::Error;

use crate::describe::format::{Class, Format, Overflow, Rounding};

/// An encoding with its format, for printing.
pub struct Number<'a> {
    pub format: &'a Format,
    pub bits: u64,
}

impl Number<'_> {
    /// The encoding, all digits.
    pub fn hexadecimal(&self) -> String {
        format!("0x{:0digits$x}", self.bits, digits = self.format.width().div_ceil(4) as usize)
    }

    /// Sign, exponent and fraction fields in binary, padding left out; all bits of an integer.
    pub fn binary(&self) -> String {
        let format = self.format;
        if format.is_integer() {
            return format!("{:0width$b}", self.bits, width = format.width() as usize);
        }
        let magnitude = format.magnitude(self.bits);
        let fraction = magnitude & ((1 << format.fraction_bits) - 1);
        let exponent = magnitude >> format.fraction_bits;
        let mut fields = format!("{exponent:0width$b}", width = format.exponent_bits as usize);
        if format.fraction_bits > 0 {
            fields += &format!(" {fraction:0width$b}", width = format.fraction_bits as usize);
        }
        match format.signed {
            true => format!("{} {fields}", u8::from(self.bits & format.sign_bit() != 0)),
            false => fields,
        }
    }

    /// The shortest decimal that reads back as binary64.
    pub fn decimal(&self) -> String {
        let value = self.format.to_f64(self.bits);
        match value {
            _ if value.is_nan() => "nan".to_owned(),
            _ if value == 0.0 || (1e-4..1e16).contains(&value.abs()) => format!("{value}"),
            _ => format!("{value:e}"),
        }
    }

    /// The value as a C99 hexadecimal float.
    pub fn hexadecimal_float(&self) -> String {
        hexadecimal_float(self.format, self.bits)
    }
}

/// The value of an encoding as a C99 hexadecimal float, such as `-0x1.8p+3`.
pub fn hexadecimal_float(format: &Format, bits: u64) -> String {
    let value = format.decode(bits);
    let sign = if value.negative { "-" } else { "" };
    match value.class {
        Class::Nan => "nan".to_owned(),
        Class::Infinite => format!("{sign}inf"),
        Class::Zero => format!("{sign}0x0p+0"),
        Class::Subnormal | Class::Normal => {
            let shift = value.significand.leading_zeros();
            let exponent = value.exponent - format.fraction_bits as i32 + 63 - shift as i32;
            let fraction = value.significand << shift << 1;
            let digits = format!("{fraction:016x}");
            let digits = digits.trim_end_matches('0');
            let point = if digits.is_empty() { "" } else { "." };
            format!("{sign}0x1{point}{digits}p{exponent:+}")
        }
    }
}

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
    /// (-1)^negative * significand * 2^exponent.
    Finite { negative: bool, significand: UBig, exponent: i64 },
}

/// Reads an operand: an encoding (`0x3c00`), a decimal (`-1.5`, `2e-3`), a C99 hexadecimal float (`0x1.8p+3`), `inf` or
/// `nan`. Numbers are rounded to nearest, once; numbers beyond the format become infinity or the largest. An operand of
/// an integer format is an encoding or a plain decimal integer of its range.
///
/// # Errors
/// The text is none of these, or an encoding wider than the format.
pub fn parse(format: &Format, text: &str) -> Result<u64, ParseError> {
    match read(format, text)? {
        Read::Encoding(bits) | Read::Value(bits) => Ok(bits),
        Read::Finite { negative, significand, exponent } => {
            let out_of_range = |allowed: &str| {
                Err(ParseError { text: text.to_owned(), format: format.name.clone(), allowed: allowed.to_owned() })
            };
            match significand.is_zero() {
                false if negative && !format.signed => out_of_range("a number not below zero"),
                true if format.decode(format.zero(false)).class != Class::Zero => out_of_range("a number above zero"),
                _ => Ok(format.encode(negative, &significand, exponent, Rounding::NearestEven, Overflow::Ieee)),
            }
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
        Read::Finite { negative, significand, exponent } => {
            let bits = format.encode(negative, &significand, exponent, Rounding::TowardZero, Overflow::Saturate);
            let value = format.decode(bits);
            let last_place = i64::from(value.exponent) - i64::from(format.fraction_bits);
            let unit = last_place.min(exponent);
            let held = UBig::from(value.significand) << (last_place - unit) as usize;
            let same = held == significand << (exponent - unit) as usize && value.negative == negative;
            let allowed = || refuse(format!("numbers that {} holds exactly", format.name));
            if same { Ok(bits) } else { Err(allowed()) }
        }
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
    Ok(Read::Finite { negative, significand, exponent })
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
