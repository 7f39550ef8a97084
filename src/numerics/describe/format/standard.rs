//! The named formats: IEEE 754-2019, OCP OFP8 and MX 1.0, NVIDIA tf32, the FNUZ pair, and integers.

use super::{Format, NonFinite};

/// Layout of a named format: name, signed, exponent bits, fraction bits, padding bits, bias, non-finite encodings, subnormals.
type Row = (&'static str, bool, u32, u32, u32, i32, NonFinite, bool);

/// IEEE 754-2019 table 3.5; bfloat16 and tf32 (NVIDIA A100 white paper: an fp32 word whose low 13 bits are ignored);
/// OCP 8-bit floating point 1.0; OCP Microscaling (MX) 1.0 tables 1 to 5; FNUZ after Noune et al., arXiv 2206.02915;
/// ue4m3, the scale of NVFP4 (PTX ISA); the integers of PTX `mma`, whose bias gives bit 0 the weight 1 (see `integer`).
#[rustfmt::skip]
const ROWS: [Row; 19] = [
    ("binary16",   true,   5, 10,  0,   15, NonFinite::Ieee,            true),
    ("bfloat16",   true,   8,  7,  0,  127, NonFinite::Ieee,            true),
    ("tf32",       true,   8, 10, 13,  127, NonFinite::Ieee,            true),
    ("binary32",   true,   8, 23,  0,  127, NonFinite::Ieee,            true),
    ("binary64",   true,  11, 52,  0, 1023, NonFinite::Ieee,            true),
    ("e4m3",       true,   4,  3,  0,    7, NonFinite::AllOnesNan,      true),
    ("e5m2",       true,   5,  2,  0,   15, NonFinite::Ieee,            true),
    ("e3m2",       true,   3,  2,  0,    3, NonFinite::None,            true),
    ("e2m3",       true,   2,  3,  0,    1, NonFinite::None,            true),
    ("e2m1",       true,   2,  1,  0,    1, NonFinite::None,            true),
    ("e4m3fnuz",   true,   4,  3,  0,    8, NonFinite::NegativeZeroNan, true),
    ("e5m2fnuz",   true,   5,  2,  0,   16, NonFinite::NegativeZeroNan, true),
    ("ue8m0",      false,  8,  0,  0,  127, NonFinite::AllOnesNan,      false),
    ("ue4m3",      false,  4,  3,  0,    7, NonFinite::AllOnesNan,      true),
    ("int4",       true,   0,  3,  0,   -2, NonFinite::None,            true),
    ("uint4",      false,  0,  4,  0,   -3, NonFinite::None,            true),
    ("int8",       true,   0,  7,  0,   -6, NonFinite::None,            true),
    ("uint8",      false,  0,  8,  0,   -7, NonFinite::None,            true),
    ("int32",      true,   0, 31,  0,  -30, NonFinite::None,            true),
];

fn from_row(row: &Row) -> Format {
    let &(name, signed, exponent_bits, fraction_bits, padding_bits, bias, non_finite, subnormals) = row;
    Format { name: name.to_owned(), signed, exponent_bits, fraction_bits, padding_bits, bias, non_finite, subnormals }
}

impl Format {
    /// The format of an addend that is not there: no bits, and zero as its only number.
    pub fn absent() -> Format {
        let none = NonFinite::None;
        from_row(&("none", false, 0, 0, 0, 0, none, true))
    }

    /// Whether this is the format of an addend that is not there.
    pub fn is_absent(&self) -> bool {
        self.width() == 0
    }

    /// Every named format, in the order of documentation.
    pub fn standard() -> Vec<Format> {
        ROWS.iter().map(from_row).collect()
    }

    /// The format of that name, if there is one.
    pub fn named(name: &str) -> Option<Format> {
        ROWS.iter().find(|row| row.0 == name).map(from_row)
    }
}

macro_rules! named_formats {
    ($($function:ident = $name:literal),* $(,)?) => {
        impl Format {
            $(
                #[doc = concat!("The format `", $name, "`.")]
                pub fn $function() -> Format {
                    Format::named($name).expect("the name stands in the table")
                }
            )*
        }
    };
}

named_formats! {
    binary16 = "binary16",
    bfloat16 = "bfloat16",
    tf32     = "tf32",
    binary32 = "binary32",
    binary64 = "binary64",
    e4m3     = "e4m3",
    e5m2     = "e5m2",
    e2m1     = "e2m1",
}
