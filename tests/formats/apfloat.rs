//! rustc_apfloat (a port of LLVM's APFloat) as an oracle, behind function pointers.

use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, IeeeFloat, Semantics, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use tensorsmith::describe::format::Rounding;

use crate::formats::exact::Datum;

/// tf32 without its padding: 19 bits, of which 8 are the exponent.
pub struct Tf32Semantics;

impl Semantics for Tf32Semantics {
    const BITS: usize = 19;
    const EXP_BITS: usize = 8;
}

type Tf32 = IeeeFloat<Tf32Semantics>;

/// One format of the library. Encodings are those of the format under test, padding included.
pub struct Oracle {
    pub name: &'static str,
    pub datum: fn(u64) -> Datum,
    /// Rounds an `f64`; `None` is NaN, whose sign and payload the library chooses otherwise.
    pub round: fn(f64, Round) -> Option<u64>,
    /// Rounds the number that a hexadecimal literal of any length stands for.
    pub parse: fn(&str, Round) -> Option<u64>,
    /// The next encoding up or down.
    pub step: fn(u64, bool) -> u64,
}

const fn oracle<S: Semantics, const PADDING: u32>(name: &'static str) -> Oracle {
    Oracle {
        name,
        datum: |bits| {
            let wide: Double = value::<S, PADDING>(bits).convert(&mut false).value;
            Datum::of_f64(f64::from_bits(wide.to_bits() as u64))
        },
        round: |value, round| {
            mirrored::<S, PADDING>(value.is_sign_negative(), round, |drop_sign, round| {
                let value = if drop_sign { -value } else { value };
                Double::from_bits(value.to_bits().into()).convert_r(round, &mut false).value
            })
        },
        parse: |text, round| {
            let (negative, magnitude) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
            mirrored::<S, PADDING>(negative, round, |drop_sign, round| {
                let text = if drop_sign { magnitude } else { text };
                IeeeFloat::from_str_r(text, round).expect("a literal").value
            })
        },
        step: |from, up| {
            let start = value::<S, PADDING>(from);
            let end = if up { start.next_up() } else { start.next_down() };
            (end.value.to_bits() as u64) << PADDING
        },
    }
}

/// Rounds by way of the positive number where the library errs. In a format without infinity it overflows a negative
/// number of the largest one's binade as if it were positive (`normalize` does not exchange the two directions), so a
/// negative number is rounded there without its sign, in the mirrored direction. `apply(true, round)` drops the sign.
fn mirrored<S: Semantics, const PADDING: u32>(
    negative: bool,
    round: Round,
    apply: impl Fn(bool, Round) -> IeeeFloat<S>,
) -> Option<u64> {
    let drop_sign = negative && !IeeeFloat::<S>::INFINITY.is_infinite();
    bits::<S, PADDING>(if drop_sign { -apply(true, -round) } else { apply(false, round) })
}

fn value<S: Semantics, const PADDING: u32>(bits: u64) -> IeeeFloat<S> {
    IeeeFloat::from_bits(u128::from(bits >> PADDING))
}

fn bits<S: Semantics, const PADDING: u32>(value: IeeeFloat<S>) -> Option<u64> {
    (!value.is_nan()).then(|| (value.to_bits() as u64) << PADDING)
}

/// The formats that the library has, tf32 by way of its generic semantics.
pub fn oracles() -> [Oracle; 7] {
    [
        oracle::<<Half as Named>::Semantics, 0>("binary16"),
        oracle::<<BFloat as Named>::Semantics, 0>("bfloat16"),
        oracle::<<Tf32 as Named>::Semantics, 13>("tf32"),
        oracle::<<Single as Named>::Semantics, 0>("binary32"),
        oracle::<<Double as Named>::Semantics, 0>("binary64"),
        oracle::<<Float8E4M3FN as Named>::Semantics, 0>("e4m3"),
        oracle::<<Float8E5M2 as Named>::Semantics, 0>("e5m2"),
    ]
}

/// From a type of the library to its semantics.
trait Named {
    type Semantics: Semantics;
}

impl<S: Semantics> Named for IeeeFloat<S> {
    type Semantics = S;
}

/// The library's name of a rounding; it has none for rounding to odd.
pub fn round_of(rounding: Rounding) -> Option<Round> {
    match rounding {
        Rounding::NearestEven => Some(Round::NearestTiesToEven),
        Rounding::NearestAway => Some(Round::NearestTiesToAway),
        Rounding::TowardZero => Some(Round::TowardZero),
        Rounding::TowardPositive => Some(Round::TowardPositive),
        Rounding::TowardNegative => Some(Round::TowardNegative),
        Rounding::ToOdd => None,
    }
}

/// What a rounding gives, with rounding to odd put together from the two neighbours. `apply` rounds the number of the
/// given sign with a rounding of the library.
pub fn expected(rounding: Rounding, negative: bool, padding: u32, apply: impl Fn(Round) -> Option<u64>) -> Option<u64> {
    if let Some(round) = round_of(rounding) {
        return apply(round);
    }
    let inward = apply(Round::TowardZero).expect("truncation gives a number");
    let outward = apply(if negative { Round::TowardNegative } else { Round::TowardPositive });
    match outward {
        // Exact, or the inner neighbour is the odd one: in either case the inner one stands.
        Some(_) if inward >> padding & 1 == 1 => Some(inward),
        // The outer neighbour is no number: rounding to odd never leaves the finite range.
        None => Some(inward),
        Some(outward) => Some(outward),
    }
}

/// The deviation that `mirrored` works around; when this fails, the work-around can go.
#[test]
fn apfloat_itself_negative_overflow_e4m3() {
    let narrow = |value: f64, round| -> Float8E4M3FN {
        Double::from_bits(value.to_bits().into()).convert_r(round, &mut false).value
    };
    assert!(narrow(450.0, Round::TowardPositive).is_nan(), "450 rounds up to 480, which is NaN");
    assert_eq!(narrow(-450.0, Round::TowardNegative).to_bits(), 0xfe, "the mirrored case stops at -448");
}
