//! Numbers of NumPy as encodings of an operand's format, which must hold them exactly.

use crate::describe::format::{Class, Format, Overflow, Rounding};

/// The letter of a type of NumPy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letter {
    Float,
    Signed,
    Unsigned,
}

impl Letter {
    pub fn name(self) -> char {
        match self {
            Letter::Float => 'f',
            Letter::Signed => 'i',
            Letter::Unsigned => 'u',
        }
    }

    pub fn named(name: char) -> Option<Letter> {
        [Letter::Float, Letter::Signed, Letter::Unsigned].into_iter().find(|letter| letter.name() == name)
    }
}

/// The encoding of a number of so many bytes, or why there is none.
pub(super) fn number(format: &Format, letter: Letter, bytes: usize, bits: u64) -> Result<u64, String> {
    let unused = 64 - 8 * bytes as u32;
    match letter {
        Letter::Float => {
            let container = match bytes {
                2 => Format::binary16(),
                4 => Format::binary32(),
                _ => Format::binary64(),
            };
            // NaN keep their payloads where nothing is converted.
            if container == *format {
                return Ok(bits);
            }
            let value = container.to_f64(bits);
            exactly(format, value).ok_or_else(|| refused(format, &format!("{value:?}")))
        }
        Letter::Signed => integer(format, i128::from((bits << unused) as i64 >> unused)),
        Letter::Unsigned => integer(format, i128::from(bits)),
    }
}

fn refused(format: &Format, value: &str) -> String {
    format!("{value} is not a number of {}; allowed: numbers that it holds exactly", format.name)
}

fn integer(format: &Format, value: i128) -> Result<u64, String> {
    if format.is_integer() {
        let (least, greatest) = (format.integer_least(), format.integer_greatest());
        let is_held = (i128::from(least)..=i128::from(greatest)).contains(&value);
        let refused = || format!("{value} is not a number of {}; allowed: {least} to {greatest}", format.name);
        return is_held.then_some(value as u64 & format.mask()).ok_or_else(refused);
    }
    let rounded = value as f64;
    let held = exactly(format, rounded).filter(|_| rounded as i128 == value);
    held.ok_or_else(|| refused(format, &value.to_string()))
}

/// The encoding of a value that the format holds exactly.
pub(in crate::recording) fn exactly(format: &Format, value: f64) -> Option<u64> {
    if format.is_integer() {
        let whole = value as i64;
        return (whole as f64 == value).then(|| integer(format, whole.into()).ok()).flatten();
    }
    let bits = format.from_f64(value, Rounding::TowardZero, Overflow::Ieee);
    let same = match format.decode(bits).class {
        Class::Nan => value.is_nan(),
        _ => format.to_f64(bits) == value && format.decode(bits).negative == value.is_sign_negative(),
    };
    same.then_some(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_held_and_others() {
        let half = Format::binary16();
        let of = |format: &Format, value: f64| number(format, Letter::Float, 8, value.to_bits());
        assert_eq!([1.5, -0.0, 65504.0].map(|value| of(&half, value)), [Ok(0x3e00), Ok(0x8000), Ok(0x7bff)]);
        assert_eq!(of(&half, f64::NEG_INFINITY), Ok(0xfc00));
        assert_eq!(of(&half, f64::NAN).ok(), half.nan());
        for value in [0.1, 65505.0, 1e-9] {
            let error = of(&half, value).expect_err("not held");
            assert!(error.contains("is not a number of binary16; allowed"), "{error}");
        }
        let e2m1 = Format::named("e2m1").expect("a named format");
        assert_eq!(of(&e2m1, -6.0), Ok(0xf));
        assert!([f64::NAN, f64::INFINITY, 7.0].into_iter().all(|value| of(&e2m1, value).is_err()));
        let int8 = Format::named("int8").expect("a named format");
        assert_eq!(number(&int8, Letter::Signed, 2, 0xff80), Ok(0x80));
        assert!(number(&int8, Letter::Signed, 2, 0xff7f).is_err_and(|error| error.ends_with("allowed: -128 to 127")));
        assert!(number(&int8, Letter::Unsigned, 1, 200).is_err());
        assert_eq!([of(&int8, -3.0).ok(), of(&int8, -3.5).ok()], [Some(0xfd), None]);
        assert_eq!(number(&half, Letter::Signed, 8, 2048u64), Ok(0x6800));
        assert!(number(&half, Letter::Signed, 8, 2049u64).is_err());
        assert_eq!(number(&half, Letter::Float, 2, 0x7e01), Ok(0x7e01));
    }
}
