//! Encodings as people read them: hexadecimal, decimal, C99 hexadecimal float.

use crate::describe::format::{Class, Format};

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
