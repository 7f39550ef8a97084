//! Whether two units ever answer differently: an input with as few products as it takes, or the proof that there is none.

use super::numbers::Number;
use super::property::{Subject, is_infinite, no_overflow};
use super::solver::Reason;
use super::sum::Sum;
use super::{Confirmed, Found, InputTerms, Outcome, Part, Prover, Question, Unconfirmed};
use crate::compute::word::Word;
use crate::compute::word::term::{Term, TermFlag};
use crate::describe::format::Format;
use crate::describe::unit::Unit;

/// What is known of two units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// They answer this differently. All products from number `products` on are zero; with fewer no answers differ, if
    /// `fewest`.
    Witness {
        parts: Vec<Confirmed>,
        products: u32,
        fewest: bool,
    },
    /// They answer every input alike.
    None,
    Unknown(Reason),
}

/// A difference and the solver's time.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    pub difference: Difference,
    pub seconds: f64,
}

/// How answers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compared {
    /// As words, flags above d included.
    Words,
    /// As encodings where d has one format, otherwise as numbers, any NaN then like any other.
    Data,
}

/// Looks for an input of two sums of the same operands on which their answers differ: as encodings where d has one format,
/// otherwise as numbers, any NaN then like any other.
///
/// # Errors
/// A witness is not confirmed.
pub fn difference(sums: [&Sum; 2], prover: &Prover) -> Result<Settled, Unconfirmed> {
    let counts = 0..=sums[0].interface().products;
    let mut settled = on_counts(sums, Compared::Data, counts, prover)?;
    if let Difference::Witness { products, fewest, .. } = &mut settled.difference {
        // Fewer products are known not to suffice if no width overflows.
        *fewest = *fewest && (*products == 0 || overflow(sums, prover, &mut settled.seconds)?.is_none());
    }
    Ok(settled)
}

/// Looks for any input of two units of one interface on which they answer different words.
///
/// # Errors
/// A witness is not confirmed.
pub fn equivalence(units: [&Unit; 2], prover: &Prover) -> Result<Settled, Unconfirmed> {
    /// Products of inputs that are looked for where all are too many: a witness often has no more.
    const FEW: [u32; 2] = [2, 4];
    let sums = units.map(Sum::alone);
    let all = units[0].products;
    let counts = [all].into_iter().chain(FEW.into_iter().filter(|few| *few < all));
    on_counts(sums.each_ref(), Compared::Words, counts, prover)
}

/// Looks for an input on which answers differ, whose products from some number on are zero: of each of these numbers, until there is
/// one, or until there is none with all products.
fn on_counts(
    sums: [&Sum; 2],
    compared: Compared,
    counts: impl IntoIterator<Item = u32>,
    prover: &Prover,
) -> Result<Settled, Unconfirmed> {
    let (mut seconds, mut unknown) = (0.0, None);
    for (asked, products) in (0..).zip(counts) {
        let Outcome { found, seconds: own, .. } = question(sums, compared, products).ask(prover)?;
        seconds += own;
        match found {
            Found::Witness(parts) => {
                // Only where the numbers ascend from none were all fewer asked before.
                let fewest = unknown.is_none() && asked == products;
                return Ok(Settled { difference: Difference::Witness { parts, products, fewest }, seconds });
            }
            Found::None if products == sums[0].interface().products => {
                unknown = None;
                break;
            }
            Found::None => {}
            Found::Unknown(reason) => unknown = unknown.or(Some(reason)),
        }
    }
    if unknown.is_none() {
        unknown = overflow(sums, prover, &mut seconds)?;
    }
    Ok(Settled { difference: unknown.map_or(Difference::None, Difference::Unknown), seconds })
}

/// Why it is not known that no internal width of the units overflows; none where that is proved.
fn overflow(sums: [&Sum; 2], prover: &Prover, seconds: &mut f64) -> Result<Option<Reason>, Unconfirmed> {
    let mut unknown = None;
    for unit in sums.into_iter().flat_map(Sum::units) {
        let Outcome { found, seconds: own, .. } = no_overflow(&Subject::of(unit)).ask(prover)?;
        *seconds += own;
        match found {
            Found::None => {}
            Found::Unknown(reason) => unknown = Some(reason),
            Found::Witness(_) => return Err(Unconfirmed::new(format!("a width of {} overflows", unit.name))),
        }
    }
    Ok(unknown)
}

/// Whether answers differ on an input whose products from number `products` on are zero.
fn question(sums: [&Sum; 2], compared: Compared, products: u32) -> Question {
    let question = Question::new(|| {
        let mut inputs = InputTerms::of(&sums[0].interface());
        for list in [&mut inputs.a, &mut inputs.b] {
            list[products as usize..].fill(Term::literal(0));
        }
        let parts = sums.map(|sum| Part::of_sum(sum, &inputs));
        let answers = parts.each_ref().map(|part| part.terms.answer);
        let formats = sums.map(|sum| sum.interface().formats.d);
        let formats = formats.each_ref();
        let alike = match compared == Compared::Words || formats[0] == formats[1] {
            true => answers[0].equals(answers[1]),
            false => same_number(formats, answers),
        };
        (!alike, parts.into())
    });
    let [one, other] = [0, 1].map(|index| &question.parts[index].terms);
    let shared = one.signals.iter().filter(|(signal, terms)| {
        let joint = ["sum", "anchor", "special_nan", "special_infinite"].contains(&signal.name);
        joint && other.signals.iter().any(|(own, other)| own.name == signal.name && other == terms)
    });
    let shared: Vec<Term> = shared.flat_map(|(_, terms)| terms.clone()).collect();
    if shared.len() == 4 { question.or_wider(shared) } else { question }
}

/// Whether two encodings of different formats mean the same datum.
fn same_number(formats: [&Format; 2], answers: [Term; 2]) -> TermFlag {
    let class = |format: &Format, answer: Term| (Number::decoded(format, answer), is_infinite(format, answer));
    let (one, one_infinite) = class(formats[0], answers[0]);
    let (two, two_infinite) = class(formats[1], answers[1]);
    let same_sign = !(one.negative ^ two.negative);
    (one.nan & two.nan) | (one_infinite & two_infinite & same_sign) | (one.finite & two.finite & one.equals(two))
}
