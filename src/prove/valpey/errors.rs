//! Witnesses of property 5, read again in exact arithmetic, and what the variants answer to one input, side by side.

use dashu_int::IBig;
use dashu_int::ops::Abs;

use super::algorithms::{ELEMENTS, LOWEST, Operands, numbers, question};
use super::variants::{VARIANTS, Variant};
use super::{Row, row};
use crate::describe::format::{Decoded, Format};
use crate::prove::question::Confirmed;
use crate::prove::settle::Checked;

pub(super) fn rows() -> Vec<Row> {
    let of = |variant: Variant| {
        let mut row = row(variant.name, "section 6, property 5", variant.looked_for, None, move || question(&variant));
        row.published = super::published("-", "< 300");
        row.only_if_named = variant.name != "property-5";
        row.task.check = Some(Box::new(move |parts: &[Confirmed]| check(&variant, parts)));
        row
    };
    VARIANTS.into_iter().map(of).collect()
}

/// A number in units of 2^lowest, if that is whole.
fn whole(format: &Format, bits: u64, lowest: i32) -> Result<IBig, String> {
    let Decoded { negative, exponent, significand, .. } = format.decode(bits);
    let place = exponent - format.fraction_bits as i32 - lowest;
    let shifted = match usize::try_from(place) {
        Ok(up) => IBig::from(significand) << up,
        Err(_) if significand.trailing_zeros() as i32 >= -place => IBig::from(significand >> -place),
        Err(_) => return Err(format!("{bits:#x} is no multiple of 2^{lowest}")),
    };
    match format.decode(bits).is_finite() {
        true => Ok(if negative { -shifted } else { shifted }),
        false => Err(format!("{bits:#x} is no number")),
    }
}

fn single(bits: u64, lowest: i32) -> Result<IBig, String> {
    whole(&Format::binary32(), bits, lowest)
}

/// What a variant answers, and how far that is from what it takes for true: in units of 2^(2 * LOWEST), which divides everything.
struct Answers {
    results: [u64; 2],
    errors: [IBig; 2],
}

impl Answers {
    fn new(results: [u64; 2], truth: &IBig) -> Result<Answers, String> {
        let error = |result: u64| Ok::<IBig, String>((single(result, 2 * LOWEST)? - truth).abs());
        Ok(Answers { results, errors: [error(results[0])?, error(results[1])?] })
    }

    fn is_witness(&self) -> bool {
        self.errors[0] < self.errors[1]
    }

    fn text(&self) -> String {
        let shown = |error: &IBig| error.to_f64().value() * 2f64.powi(2 * LOWEST);
        let ([markidis, ootomo_yokota], [of_markidis, of_ootomo_yokota]) =
            (self.results, self.errors.each_ref().map(shown));
        format!(
            "Markidis {markidis:08x}, error {of_markidis:e}; Ootomo-Yokota {ootomo_yokota:08x}, error {of_ootomo_yokota:e}"
        )
    }
}

/// The exact result, from the operands alone.
fn exact(operands: &Operands, addend: bool) -> Result<IBig, String> {
    let mut sum = if addend { single(operands.c, 2 * LOWEST)? } else { IBig::ZERO };
    for (a, b) in operands.a.iter().zip(&operands.b) {
        sum += single(*a, LOWEST)? * single(*b, LOWEST)?;
    }
    Ok(sum)
}

/// What a variant answers to operands, by its terms.
fn answers(variant: &Variant, operands: &Operands) -> Result<Answers, String> {
    let question = question(variant);
    let values = question.graph.evaluate(&numbers(&question, *operands));
    let word = |part: &crate::prove::Part| u64::try_from(values.of(part.terms.answer.node())).unwrap_or_default();
    let words: Vec<u64> = question.parts.iter().map(word).collect();
    let truth = match question.parts.iter().position(|part| part.unit.formats.d == Format::binary64()) {
        Some(index) => whole(&Format::binary64(), words[index], 2 * LOWEST)?,
        None => exact(operands, variant.addend)?,
    };
    Answers::new([words[words.len() - 2], words[words.len() - 1]], &truth)
}

/// The operands of a witness. Markidis' first dot product starts from c.
fn operands(variant: &Variant, parts: &[Confirmed]) -> Result<Operands, String> {
    let all: Vec<u64> = parts.iter().filter(|part| part.unit.name == "residual").map(|part| part.vector.c).collect();
    let (a, b) = all.split_at_checked(ELEMENTS).ok_or("operands are missing")?;
    let of = |list: &[u64]| <[u64; ELEMENTS]>::try_from(list).map_err(|_| "operands are missing".to_owned());
    let first = parts.iter().find(|part| part.unit.name.starts_with("volta")).ok_or("a dot product is missing")?;
    Ok(Operands { a: of(a)?, b: of(b)?, c: if variant.addend { first.vector.c } else { 0 } })
}

/// The errors of both, computed again in whole numbers from the operands and the confirmed answers; and what the other variants
/// answer to the same operands.
fn check(variant: &Variant, parts: &[Confirmed]) -> Result<Checked, String> {
    let operands = operands(variant, parts)?;
    let truth = match parts.iter().find(|part| part.unit.formats.d == Format::binary64()) {
        Some(part) if variant.true_in_binary64 => whole(&Format::binary64(), part.answer, 2 * LOWEST)?,
        _ => exact(&operands, variant.addend)?,
    };
    let own = Answers::new([parts.len() - 2, parts.len() - 1].map(|index| parts[index].answer), &truth)?;
    let hex = |list: &[u64]| list.iter().map(|bits| format!("{bits:08x}")).collect::<Vec<_>>().join(" ");
    let c = if variant.addend { format!(", c = {:08x}", operands.c) } else { String::new() };
    let mut text = format!("a = {}, b = {}{c}: {}", hex(&operands.a), hex(&operands.b), own.text());
    if !own.is_witness() {
        return Err(format!("not so in exact arithmetic: {text}"));
    }
    for other in VARIANTS.iter().filter(|other| other.name != variant.name) {
        let said = match answers(other, &operands) {
            Ok(answers) => format!("{}; {}", if answers.is_witness() { "too" } else { "not" }, answers.text()),
            Err(why) => why,
        };
        text += &format!("\n    {}: {said}", other.name);
    }
    Ok(Checked::Stands(text))
}
