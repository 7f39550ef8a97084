//! Deliberately wrong formats and roundings: what every checker must notice.

use tensorsmith::describe::format::{Format, NonFinite, Rounding};

/// The bias is off by one: every number is halved.
pub fn bias(name: &str) -> Format {
    let right = Format::named(name).expect("a named format");
    Format { bias: right.bias + 1, ..right }
}

/// The lowest fraction bit is taken for padding.
pub fn fraction(name: &str) -> Format {
    let right = Format::named(name).expect("a named format");
    Format { fraction_bits: right.fraction_bits - 1, padding_bits: right.padding_bits + 1, ..right }
}

/// Another kind of special encodings.
pub fn specials(name: &str) -> Format {
    let right = Format::named(name).expect("a named format");
    let non_finite = match right.non_finite {
        NonFinite::Ieee => NonFinite::AllOnesNan,
        NonFinite::AllOnesNan => NonFinite::None,
        NonFinite::None | NonFinite::NegativeZeroNan => NonFinite::Ieee,
    };
    Format { non_finite, ..right }
}

/// The right rounding.
pub fn no_swap(rounding: Rounding) -> Rounding {
    rounding
}

/// Ties go away from zero instead of to even.
pub fn ties(rounding: Rounding) -> Rounding {
    match rounding {
        Rounding::NearestEven => Rounding::NearestAway,
        other => other,
    }
}

/// Toward positive and toward negative are exchanged.
pub fn directions(rounding: Rounding) -> Rounding {
    match rounding {
        Rounding::TowardPositive => Rounding::TowardNegative,
        Rounding::TowardNegative => Rounding::TowardPositive,
        other => other,
    }
}

/// Rounding to odd truncates.
pub fn odd(rounding: Rounding) -> Rounding {
    match rounding {
        Rounding::ToOdd => Rounding::TowardZero,
        other => other,
    }
}
