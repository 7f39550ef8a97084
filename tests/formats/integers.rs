//! Integers against Rust's own, and against the definition of two's complement, on every encoding.

use dashu_int::{IBig, UBig};
use tensorsmith::describe::format::{Class, Format, Overflow, Rounding};
use tensorsmith::recording::{self, OperandRule, ParseError};
use tensorsmith::report::Number;

use crate::formats::tally::Tally;

/// Names, widths, signs, and the least and greatest integers.
const INTEGERS: [(&str, u32, bool, i64, i64); 5] = [
    ("int4", 4, true, -8, 7),
    ("uint4", 4, false, 0, 15),
    ("int8", 8, true, -128, 127),
    ("uint8", 8, false, 0, 255),
    ("int32", 32, true, -2147483648, 2147483647),
];

fn format(name: &str) -> Format {
    Format::named(name).expect("a named format")
}

/// The encoding that a text is read as.
fn parse(format: &Format, text: &str) -> Result<u64, ParseError> {
    recording::parse(format, text, OperandRule::Exact).map(|operand| operand.bits)
}

/// What an encoding means, from the definition: the top bit weighs -2^(width - 1) where there is a sign.
fn value(width: u32, signed: bool, bits: u64) -> i64 {
    let weight = |bit: u32| if signed && bit == width - 1 { -(1i64 << bit) } else { 1 << bit };
    (0..width).filter(|bit| bits >> bit & 1 == 1).map(weight).sum()
}

/// Every encoding of a small integer; the ends and a regular sample of a wide one.
fn encodings(width: u32) -> Vec<u64> {
    match width {
        ..=8 => (0..1 << width).collect(),
        _ => {
            let sample = (0..1u64 << 16).map(|i| (i << 16) | ((i * 40503) & 0xffff));
            sample.chain([0, 1, 0x7fff_ffff, 0x7fff_fffe, 0x8000_0000, 0x8000_0001, 0xffff_ffff]).collect()
        }
    }
}

/// The checker: decoding, printing, reading back, encoding and neighbours of every encoding.
fn compare(format: &Format, width: u32, signed: bool, least: i64, greatest: i64) -> Tally {
    let mut tally = Tally::default();
    for bits in encodings(width) {
        let expected = value(width, signed, bits);
        let decoded = format.decode(bits | 1 << 40);
        let shape = decoded.negative == (expected < 0)
            && decoded.significand == expected.unsigned_abs()
            && decoded.exponent == format.fraction_bits as i32
            && decoded.class == if expected == 0 { Class::Zero } else { Class::Normal };
        tally.check(shape && format.integer(bits) == expected, || format!("{bits:#x}: {decoded:?}"));
        tally.check(format.to_f64(bits) == expected as f64, || format!("{bits:#x} as f64"));
        let number = Number { format, bits };
        tally.check(number.decimal() == expected.to_string(), || format!("{bits:#x} prints {}", number.decimal()));
        tally.check(parse(format, &expected.to_string()) == Ok(bits), || format!("{expected} read"));
        tally.check(parse(format, &number.hexadecimal()) == Ok(bits), || format!("{bits:#x} read"));
        tally.check(format.assemble(expected < 0, expected.unsigned_abs()) == bits, || format!("{expected} assembled"));
        for overflow in [Overflow::Saturate, Overflow::Wrap, Overflow::Ieee] {
            let ours = format.encode_integer(&IBig::from(expected), overflow);
            let rounded = format.from_f64(expected as f64, Rounding::NearestEven, overflow);
            tally
                .check(ours == bits && rounded == bits, || format!("{expected} {overflow:?}: {ours:#x}, {rounded:#x}"));
        }
        let clamped = |step: i64| (expected + step).clamp(least, greatest);
        let (up, down) = (format.next_up(bits), format.next_down(bits));
        tally.check(format.integer(up) == clamped(1) && format.integer(down) == clamped(-1), || {
            format!("neighbours of {expected}: {up:#x}, {down:#x}")
        });
    }
    tally
}

#[test]
fn integers_definition_exhaustive() {
    for (name, width, signed, least, greatest) in INTEGERS {
        let format = format(name);
        assert_eq!((format.width(), format.is_integer()), (width, true), "{name}");
        assert_eq!((format.integer_least(), format.integer_greatest()), (least, greatest), "{name}");
        compare(&format, width, signed, least, greatest).must_agree(name);
        let twin = Format { signed: !signed, ..format };
        compare(&twin, width, signed, least, greatest).must_differ(&format!("{name} with the other sign"));
    }
}

#[test]
fn integers_native_exhaustive() {
    let mut tally = Tally::default();
    for bits in 0..256u64 {
        tally.check(format("int8").integer(bits) == i64::from(bits as u8 as i8), || format!("{bits:#x} as i8"));
        tally.check(format("uint8").integer(bits) == i64::from(bits as u8), || format!("{bits:#x} as u8"));
    }
    for bits in encodings(32) {
        tally.check(format("int32").integer(bits) == i64::from(bits as u32 as i32), || format!("{bits:#x} as i32"));
    }
    tally.must_agree("integers of the machine");
}

/// Sums within and far beyond every format, wrapped and clamped.
#[test]
fn encode_integer_native_beyond_formats() {
    let mut tally = Tally::default();
    for (name, width, _, least, greatest) in INTEGERS {
        let format = format(name);
        for sum in (-70_000..70_000i64).chain([i64::MIN, i64::MAX, 1 << 31, -(1 << 31) - 1]) {
            let mask = (1u64 << width) - 1;
            let wrapped = format.encode_integer(&IBig::from(sum), Overflow::Wrap);
            tally.check(wrapped == sum as u64 & mask, || format!("{sum} wraps to {wrapped:#x} in {name}"));
            let clamped = format.encode_integer(&IBig::from(sum), Overflow::Saturate);
            let nearest = sum.clamp(least, greatest) as u64 & mask;
            tally.check(clamped == nearest, || format!("{sum} saturates to {clamped:#x} in {name}"));
        }
    }
    tally.must_agree("sums beyond the formats");
}

/// Halves and quarters round as the rounding says.
#[test]
fn encode_integer_fractions() {
    let int8 = format("int8");
    let encode = |negative, quarters: u32, rounding| {
        int8.integer(int8.encode(negative, &UBig::from(quarters), -2, rounding, Overflow::Saturate))
    };
    assert_eq!(encode(false, 10, Rounding::NearestEven), 2, "2.5");
    assert_eq!(encode(true, 10, Rounding::NearestAway), -3, "-2.5");
    assert_eq!(encode(true, 11, Rounding::TowardZero), -2, "-2.75");
    assert_eq!(encode(true, 9, Rounding::TowardNegative), -3, "-2.25");
    assert_eq!(encode(true, 511, Rounding::NearestEven), -128, "-127.75");
    assert_eq!(encode(false, 511, Rounding::NearestEven), 127, "127.75 saturates");
    assert_eq!(int8.largest(true), 0x80);
    assert_eq!((int8.zero(true), int8.nan(), int8.infinity(false)), (0, None, None));
}

#[test]
fn integers_out_of_range_are_refused_by_name() {
    for (name, text, allowed) in [
        ("int8", "128", "from -128 to 127"),
        ("int8", "-129", "from -128 to 127"),
        ("uint4", "-1", "from 0 to 15"),
        ("uint8", "1.5", "from 0 to 255"),
        ("int32", "2147483648", "from -2147483648 to 2147483647"),
        ("int4", "nan", "from -8 to 7"),
        ("int4", "0x10", "at most 4 bits"),
    ] {
        let error = parse(&format(name), text).expect_err("refused").to_string();
        assert!(error.contains(allowed) && error.contains(name) && error.contains(text), "{error}");
    }
}
