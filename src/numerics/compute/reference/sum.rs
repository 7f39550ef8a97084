//! The sum of some numbers at once: exact, or in a window.

use dashu_int::{IBig, Sign, UBig};

use super::number::{Finite, Number};
use crate::describe::arithmetic::{Exponent, Step, Window, ZeroSign};
use crate::describe::unit::Flags;

/// A finite sum in a window.
#[derive(Debug, Clone)]
pub struct Sum {
    /// The exact sum, in units of 2^exact_place.
    pub exact: IBig,
    pub exact_place: i64,
    /// The sum of the cut numbers, in units of 2^(anchor - F), wrapped if the window has a width.
    pub aligned: IBig,
    /// The anchor; 0 where no number has an exponent and the window has no floor.
    pub anchor: i64,
    /// Numbers that are not zero.
    pub terms: usize,
    /// Whether a cut lost bits.
    pub lossy: bool,
}

/// The sum of a link. `addend` is the place of c, or in a chain of the result of the link before.
pub fn sum(
    step: &Step,
    numbers: &[Number],
    addend: Option<usize>,
    zero_negative: bool,
    flags: &mut Flags,
    observe: &mut dyn FnMut(&Sum),
) -> Number {
    let infinite = |sign: bool| numbers.iter().any(|x| matches!(x, Number::Infinite { negative } if *negative == sign));
    let (plus, minus) = (infinite(false), infinite(true));
    flags.invalid |= plus && minus;
    if numbers.iter().any(|number| matches!(number, Number::Nan)) || plus && minus {
        return Number::Nan;
    }
    if plus || minus {
        return Number::Infinite { negative: minus };
    }
    let finite = |number: &Number| match number {
        Number::Finite(x) => Some(x.clone()),
        _ => None,
    };
    let terms: Vec<Finite> = numbers.iter().filter_map(finite).collect();
    let alike = step.zero == ZeroSign::Ieee && terms.iter().all(|x| x.negative == terms[0].negative);
    let zero_negative = if alike { terms[0].negative } else { zero_negative };
    match &step.window {
        None => exact_sum(step, &terms, zero_negative),
        Some(window) => {
            let sum = window_sum(window, &terms, addend);
            observe(&sum);
            let place = sum.anchor - i64::from(window.fraction_bits);
            let anchor = greatest_exponent(&terms, window.floor);
            number(step.exponent, sum.aligned, place, anchor, zero_negative)
        }
    }
}

/// The exact sum in units of the least place, and that place.
fn exact_value(terms: &[Finite]) -> (IBig, i64) {
    let place = terms.iter().filter(|x| !x.is_zero()).map(|x| x.place).min().unwrap_or(0);
    let terms = terms.iter().filter(|x| !x.is_zero());
    (terms.map(|x| signed(x.negative, &x.magnitude << (x.place - place) as usize)).sum(), place)
}

fn exact_sum(step: &Step, terms: &[Finite], zero_negative: bool) -> Number {
    if let ([only], Exponent::Own) = (terms, step.exponent) {
        let negative = if only.is_zero() { zero_negative } else { only.negative };
        return Number::Finite(Finite { negative, ..only.clone() });
    }
    let (value, place) = exact_value(terms);
    number(step.exponent, value, place, greatest_exponent(terms, None), zero_negative)
}

fn greatest_exponent(terms: &[Finite], floor: Option<i32>) -> Option<i64> {
    terms.iter().filter_map(|x| x.exponent).chain(floor.map(i64::from)).max()
}

/// The sum of numbers cut below their anchor.
fn window_sum(window: &Window, terms: &[Finite], addend: Option<usize>) -> Sum {
    let anchor = greatest_exponent(terms, window.floor).unwrap_or(0);
    let place = anchor - i64::from(window.fraction_bits);
    let (mut aligned, mut lossy) = (IBig::ZERO, false);
    for (index, x) in terms.iter().enumerate().filter(|(_, x)| !x.is_zero()) {
        let own = window.addend.as_ref().filter(|_| addend == Some(index));
        let spare = own.map_or(0, |own| window.fraction_bits - own.fraction_bits);
        let out_of_reach = own
            .and_then(|own| own.reach)
            .is_some_and(|reach| x.exponent.is_some_and(|exponent| anchor - exponent > i64::from(reach)));
        if out_of_reach {
            continue;
        }
        let discarded = place + i64::from(spare) - x.place;
        let cut = window.rounding.cut(x.negative, &x.magnitude, discarded);
        lossy |= x.magnitude.trailing_zeros().is_some_and(|zeros| (zeros as i64) < discarded);
        aligned += signed(x.negative, cut << spare as usize);
    }
    if let Some(width) = window.width {
        aligned = wrap(&aligned, width as usize);
    }
    let (exact, exact_place) = exact_value(terms);
    Sum { exact, exact_place, aligned, anchor, terms: terms.iter().filter(|x| !x.is_zero()).count(), lossy }
}

/// The two's complement number of so many low bits.
fn wrap(value: &IBig, width: usize) -> IBig {
    let half = IBig::ONE << (width - 1);
    ((value + &half) & ((IBig::ONE << width) - IBig::ONE)) - half
}

/// value * 2^place with its exponent.
fn number(rule: Exponent, value: IBig, place: i64, anchor: Option<i64>, zero_negative: bool) -> Number {
    let (sign, magnitude) = value.into_parts();
    let zero = magnitude == UBig::ZERO;
    let mut x = Finite {
        negative: if zero { zero_negative } else { sign == Sign::Negative },
        magnitude,
        place,
        exponent: None,
        subnormal: false,
    };
    x.exponent = match rule {
        Exponent::Anchor | Exponent::Own => anchor,
        Exponent::Leading => (!zero).then(|| x.leading()),
        Exponent::Fixed(exponent) => (!zero).then_some(i64::from(exponent)),
    };
    Number::Finite(x)
}

fn signed(negative: bool, magnitude: UBig) -> IBig {
    if negative { -IBig::from(magnitude) } else { IBig::from(magnitude) }
}
