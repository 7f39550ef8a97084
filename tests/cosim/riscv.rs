//! RISC-V bulk normalisation against the draft's pseudo-code (riscv-isa-manual, src/unpriv/rvbna.adoc), written out here in
//! plain integers. Two statements of it contradict the draft's prose; where they act, units follow the prose.

use tensorsmith::check::stimulus::{CHUNK, Exhaustive, Stimulus};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Format;
use tensorsmith::describe::unit::{Flags, Unit};
use tensorsmith::engine::{Batch, Emulator, Kind, Opened, Vector};

use super::support;

/// How the pseudo-code is taken.
#[derive(Clone, Copy, PartialEq)]
enum Taken {
    /// As it stands.
    Literally,
    /// With the last rounding as the prose has it (and as pull request 3244 mends it): every discarded bit is jammed, and
    /// a subnormal result is shifted from the normalised sum.
    Mended,
}

/// One operand's fields.
struct Fields {
    negative: bool,
    exponent: i64,
    zero: bool,
    infinite: bool,
    nan: bool,
    signalling: bool,
    significand: u128,
}

fn fields(format: &Format, bits: u64) -> Fields {
    let ones = (1 << format.exponent_bits) - 1;
    let (exponent, fraction) =
        (format.magnitude(bits) >> format.fraction_bits, bits & ((1 << format.fraction_bits) - 1));
    let (top, subnormal) = (exponent == ones, exponent == 0);
    Fields {
        negative: bits & format.sign_bit() != 0,
        exponent: exponent.max(1) as i64,
        zero: subnormal && fraction == 0,
        infinite: top && fraction == 0,
        nan: top && fraction != 0,
        signalling: top && fraction != 0 && fraction >> (format.fraction_bits - 1) == 0,
        significand: u128::from(u64::from(!subnormal) << format.fraction_bits | fraction),
    }
}

/// What the operands' classes decide: invalid, and the result if it is a NaN or infinite.
fn classes(unit: &Unit, pairs: &[(Fields, Fields)]) -> (bool, Option<u64>) {
    let (mut nan, mut invalid, mut infinite_sign) = (false, false, None);
    for (a, b) in pairs {
        let sign = a.negative != b.negative;
        let invalid_product = (a.infinite && b.zero) || (b.infinite && a.zero);
        let infinite = (a.infinite && !b.nan && !b.zero) || (b.infinite && !a.nan && !a.zero);
        let invalid_sum = infinite && infinite_sign == Some(!sign);
        invalid |= invalid_product || invalid_sum || a.signalling || b.signalling;
        nan |= a.nan || b.nan || invalid_product || invalid_sum;
        infinite_sign = if infinite { Some(sign) } else { infinite_sign };
    }
    let d = &unit.formats.d;
    match (nan, infinite_sign) {
        (true, _) => (invalid, d.nan()),
        (false, sign) => (invalid, sign.and_then(|sign| d.infinity(sign))),
    }
}

fn shifted(value: u128, right: i64) -> u128 {
    value.checked_shr(right.clamp(0, 1000) as u32).unwrap_or(0)
}

fn low_ones(count: i64) -> u128 {
    (1 << count.max(0)) - 1
}

/// The pseudo-code's answer: d and the flags.
fn pseudo_code(unit: &Unit, vector: &Vector, taken: Taken) -> (u64, Flags) {
    let (a, b, d) = (&unit.formats.a, &unit.formats.b, &unit.formats.d);
    let pairs: Vec<_> = vector.a.iter().zip(&vector.b).map(|(&x, &y)| (fields(a, x), fields(b, y))).collect();
    let (invalid, special) = classes(unit, &pairs);
    if let Some(result) = special {
        return (result, Flags { invalid, overflow: false });
    }
    let g = i64::from(unit.products.ilog2());
    let (q, factors) = (i64::from(d.precision()), i64::from(a.precision() + b.precision()));
    let reference = |(a, b): &(Fields, Fields)| if a.zero || b.zero { 0 } else { a.exponent + b.exponent };
    let greatest = pairs.iter().map(reference).max().unwrap_or(0);
    let mut sum = 0i128;
    for pair in &pairs {
        let product = pair.0.significand * pair.1.significand;
        let shift = greatest - reference(pair);
        let aligned = shifted(product << (q + 1 + g - factors), shift);
        let discarded = product & shifted(low_ones(factors), q + 1 + g - shift);
        let jam = if shift >= q + 1 + g { product != 0 } else { discarded != 0 };
        let aligned = (aligned | u128::from(jam)) as i128;
        sum += if pair.0.negative != pair.1.negative { -aligned } else { aligned };
    }
    if sum == 0 {
        return (0, Flags::default());
    }
    let (magnitude, sign) = (sum.unsigned_abs(), if sum < 0 { d.sign_bit() } else { 0 });
    let leading_zeros = q + 1 + 2 * g - 1 - i64::from(magnitude.ilog2());
    let exponent = greatest + g + 1 - leading_zeros - i64::from(a.bias + b.bias) + i64::from(d.bias);
    let top = (1 << d.exponent_bits) - 1;
    if exponent >= top {
        return (d.infinity(sign != 0).expect("an IEEE format"), Flags { invalid, overflow: true });
    }
    let field = (exponent.max(0) as u64) << (q - 1);
    let d = sign
        | if exponent >= 1 {
            field | normal(magnitude << leading_zeros, leading_zeros, 2 * g + 1, taken) & low_ones(q - 1) as u64
        } else if exponent < 1 - q {
            1
        } else {
            subnormal(magnitude, magnitude << leading_zeros, exponent, [q, 2 * g + 1], taken)
        };
    (d, Flags { invalid, overflow: false })
}

/// The significand of a normal result. Literally the mask covers only zeros that the normalisation shifted in, so that
/// nothing is ever jammed: the result is truncated.
fn normal(normalised: u128, leading_zeros: i64, below: i64, taken: Taken) -> u64 {
    let mask = match taken {
        Taken::Literally => shifted(low_ones(below), below - leading_zeros),
        Taken::Mended => low_ones(below),
    };
    (normalised >> below) as u64 | u64::from(normalised & mask != 0)
}

/// The fraction of a subnormal result. Literally it is shifted from the sum as it was before its normalisation, and by a
/// distance that does not know where that sum begins.
fn subnormal(magnitude: u128, normalised: u128, exponent: i64, [q, below]: [i64; 2], taken: Taken) -> u64 {
    let (value, shift, mask) = match taken {
        Taken::Literally => (magnitude, q - 1 + exponent, shifted(low_ones(q - 1), q - 1 + exponent)),
        Taken::Mended => (normalised, below + 1 - exponent, low_ones(below + 1 - exponent)),
    };
    shifted(value, shift) as u64 | u64::from(value & mask != 0)
}

/// Counts of vectors on which the pseudo-code differs from the unit: in a normal result, in a subnormal one, elsewhere.
#[derive(Debug, Default, PartialEq)]
struct Differences {
    vectors: u64,
    normal: u64,
    subnormal: u64,
    elsewhere: u64,
}

impl Differences {
    fn add(&mut self, unit: &Unit, emulator: &mut Emulator, vector: &Vector, taken: Taken) {
        self.vectors += 1;
        let (d, flags) = unit.split_answer(emulator.evaluate(vector.inputs()).expect("a vector of the unit"));
        let (theirs, their_flags) = pseudo_code(unit, vector, taken);
        let format = &unit.formats.d;
        let least_normal = 1 << format.fraction_bits;
        match flags == Some(their_flags) {
            true if d == theirs => {}
            // Truncated in place of rounded to odd.
            true if d == theirs | 1 && format.magnitude(d) >= least_normal => self.normal += 1,
            true if format.magnitude(d) < least_normal && d != 0 => self.subnormal += 1,
            _ => self.elsewhere += 1,
        }
    }

    fn shaped(name: &str, taken: Taken) -> Differences {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let (stimulus, mut batch) = (Stimulus::shaped(&unit, 1), Batch::of_unit(&unit));
        let (mut emulator, mut found) = (Emulator::new(&unit), Differences::default());
        for chunk in 0..chunks() {
            stimulus.fill(chunk, CHUNK, &mut batch);
            (0..batch.len()).for_each(|v| found.add(&unit, &mut emulator, &batch.vector(v), taken));
        }
        println!("{name}: {found:?}");
        found
    }
}

/// Chunks of shaped vectors of each unit.
fn chunks() -> u64 {
    support::vectors(192)
}

const UNITS: [&str; 3] = ["riscv-fp16-fp32", "riscv-fp16-fp32-n8", "riscv-bf16-fp32"];

#[test]
fn emulator_mended_pseudo_code_shaped_riscv() {
    for name in UNITS {
        let found = Differences::shaped(name, Taken::Mended);
        assert_eq!(found, Differences { vectors: chunks() * CHUNK as u64, ..Differences::default() }, "{name}");
    }
}

#[test]
fn emulator_mended_pseudo_code_exhaustive_tiny_riscv() {
    let unit = catalogue::unit("tiny-riscv").expect("a unit of the catalogue");
    let all = Exhaustive::of(&unit.interface()).expect("few enough inputs");
    let (mut emulator, mut batch, mut found) = (Emulator::new(&unit), all.empty_batch(), Differences::default());
    for chunk in 0..all.count() / CHUNK as u64 {
        all.fill(chunk, CHUNK, &mut batch);
        (0..batch.len()).for_each(|v| found.add(&unit, &mut emulator, &batch.vector(v), Taken::Mended));
    }
    println!("{found:?}");
    assert_eq!(found, Differences { vectors: 1 << 22, ..Differences::default() });
}

/// Taken literally the pseudo-code differs in the last rounding alone: never in a flag, a NaN, an infinity or a zero.
#[test]
fn emulator_literal_pseudo_code_shaped_riscv() {
    for name in UNITS {
        let found = Differences::shaped(name, Taken::Literally);
        assert_eq!(found.elsewhere, 0, "{name}");
        assert!(found.normal > 500, "{name}: {found:?}");
        // With fp16 factors every sum is a normal fp32 number.
        assert_eq!(found.subnormal > 500, name == "riscv-bf16-fp32", "{name}: {found:?}");
    }
}

/// Vectors on which the two differ: ours is the prose's answer.
#[test]
fn prose_where_the_pseudo_code_differs() {
    let power = |bias: u64, fraction_bits: u32, exponent: i64| ((bias as i64 + exponent) as u64) << fraction_bits;
    let (half, brain) = (|exponent| power(15, 10, exponent), |exponent| power(127, 7, exponent));
    let cases = [
        // 1 + 2^-24 lies between 1 and the next number, which is odd: jammed, not truncated.
        ("riscv-fp16-fp32", [half(0), half(-12)], 0x3f80_0001, 0x3f80_0000),
        // 1 + 2^-22 is a number, and stays as it is.
        ("riscv-fp16-fp32", [half(0), half(-11)], 0x3f80_0002, 0x3f80_0002),
        // 2^-140 is the subnormal number 2^9 * 2^-149.
        ("riscv-bf16-fp32", [brain(-70), 0], 0x0000_0200, 0x0000_8000),
        // 2^-140 + 2^-150: between two subnormal numbers, the lower one even.
        ("riscv-bf16-fp32", [brain(-70), brain(-75)], 0x0000_0201, 0x0000_8020),
    ];
    for (name, squared, prose, literal) in cases {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let factors = vec![squared[0], squared[1], 0, 0];
        let vector = Vector { a: factors.clone(), b: factors, ..Vector::default() };
        let ours = unit.split_answer(Emulator::new(&unit).evaluate(vector.inputs()).expect("a vector of the unit"));
        assert_eq!(ours, (prose, Some(Flags::default())), "{name}: {squared:x?}");
        assert_eq!(pseudo_code(&unit, &vector, Taken::Literally).0, literal, "{name}: {squared:x?}");
        assert_eq!(pseudo_code(&unit, &vector, Taken::Mended).0, prose, "{name}: {squared:x?}");
    }
    println!("ran {} vectors", cases.len());
}

/// The flags by hand: what is invalid beside a quiet NaN, what a signalling NaN is, and what is none.
#[test]
fn flags_by_hand() {
    let unit = catalogue::unit("riscv-fp16-fp32").expect("a unit of the catalogue");
    let (one, infinity, minus, quiet, signalling) = (0x3c00, 0x7c00, 0xfc00, 0x7e00, 0x7c01);
    let nan = 0x7fc0_0000;
    let invalid = Flags { invalid: true, overflow: false };
    for (a, b, d, flags) in [
        ([one, one, 0, 0], [one, one, 0, 0], 0x4000_0000, Flags::default()),
        ([quiet, one, 0, 0], [one, one, 0, 0], nan, Flags::default()),
        ([signalling, one, 0, 0], [one, one, 0, 0], nan, invalid),
        ([infinity, 0, 0, 0], [0, one, 0, 0], nan, invalid),
        ([infinity, quiet, 0, 0], [0, one, 0, 0], nan, invalid),
        ([quiet, infinity, minus, 0], [one, one, one, 0], nan, invalid),
        ([infinity, infinity, 0, 0], [infinity, minus, 0, 0], nan, invalid),
        // A product with a NaN is no infinite one, on whichever side the infinity is.
        ([infinity, minus, 0, 0], [one, quiet, 0, 0], nan, Flags::default()),
        ([quiet, minus, 0, 0], [infinity, one, 0, 0], nan, Flags::default()),
        ([infinity, infinity, 0, 0], [one, one, 0, 0], 0x7f80_0000, Flags::default()),
    ] {
        let vector = Vector { a: a.to_vec(), b: b.to_vec(), ..Vector::default() };
        let ours = unit.split_answer(Emulator::new(&unit).evaluate(vector.inputs()).expect("a vector of the unit"));
        assert_eq!(ours, (d, Some(flags)), "{a:x?} {b:x?}");
    }
    let brain = catalogue::unit("riscv-bf16-fp32").expect("a unit of the catalogue");
    // 2^64 squared: above the largest finite number.
    let vector = Vector { a: vec![0x5f80, 0, 0, 0], b: vec![0x5f80, 0, 0, 0], ..Vector::default() };
    let ours = brain.split_answer(Emulator::new(&brain).evaluate(vector.inputs()).expect("a vector of the unit"));
    assert_eq!(ours, (0x7f80_0000, Some(Flags { invalid: false, overflow: true })));
}

/// NaNs of OFP8 do not signal (OCP OFP8 1.0; Zvfofp8min), whatever their top fraction bit: beside them nothing is invalid by itself.
/// Those of a format of the same width with other fields do.
#[test]
fn nans_of_e5m2_raise_no_flag() {
    let [e5m2, tiny] = ["riscv-e5m2-e4m3-fp32", "tiny-riscv"].map(|name| catalogue::unit(name).expect("a unit"));
    let (infinity, invalid) = (0x7c, Flags { invalid: true, overflow: false });
    let low_nan = tiny.formats.a.infinity(false).expect("an infinity") + 1;
    for (unit, a, b, flags) in [
        (&e5m2, [0x7d, 0, 0, 0], [0, 0, 0, 0], Flags::default()),
        (&e5m2, [0xfd, 0, 0, 0], [0x38, 0, 0, 0], Flags::default()),
        (&e5m2, [0x7f, 0, 0, 0], [0x38, 0, 0, 0], Flags::default()),
        (&e5m2, [0x7d, infinity, 0, 0], [0x38, 0, 0, 0], invalid),
        (&tiny, [low_nan, 0, 0, 0], [0, 0, 0, 0], invalid),
    ] {
        let products = unit.products as usize;
        let vector = Vector { a: a[..products].to_vec(), b: b[..products].to_vec(), ..Vector::default() };
        let expected = (unit.conversion.nan, Some(flags));
        for kind in [Kind::Emulator, Kind::Reference, Kind::Rtl] {
            let Opened::Ready(mut engine) = kind.open(unit).expect("the engine starts") else { continue };
            let answers = engine.answers(&Batch::of(&vector)).expect("the engine answers");
            assert_eq!(unit.split_answer(answers[0]), expected, "{} {}: {a:x?} {b:x?}", unit.name, kind.name());
        }
    }
}
