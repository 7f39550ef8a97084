//! The units that the queries are about, as unit descriptions.

use crate::compute::word::Word;
use crate::compute::word::term::{Term, TermFlag};
use crate::describe::catalogue;
use crate::describe::format::Format;
use crate::describe::plan::Plan;
use crate::describe::unit::Unit;
use crate::prove::question::Part;
use crate::prove::{InputTerms, UnitTerms};

/// Rounding modes of IEEE 754, by their names in unit files and in the paper.
pub(super) const MODES: [(&str, &str); 4] =
    [("nearest-even", "RNE"), ("toward-zero", "RTZ"), ("toward-negative", "RTN"), ("toward-positive", "RTP")];

fn unit(text: &str) -> Unit {
    Unit::from_toml("query.toml", text).unwrap_or_else(|error| panic!("{error}"))
}

/// The exact product of two binary16 numbers, rounded once to `d`.
pub(super) fn product(d: &str, mode: &str) -> Unit {
    unit(&format!(
        "name = \"product-{mode}\"\nscheme = \"fused\"\nproducts = 1\n\
         formats = {{ a = \"binary16\", b = \"binary16\", d = \"{d}\" }}\n\
         alignment = {{ fraction_bits = 20, rounding = \"toward-zero\", exponent_floor = \"none\" }}\n\
         conversion = {{ rounding = \"{mode}\", overflow = \"ieee\" }}\n"
    ))
}

/// Rounded operations on binary16 operands, in the format `d`.
pub(super) fn operations(scheme: &str, products: u32, d: &str, mode: &str, order: &str) -> Unit {
    let order = if order.is_empty() { String::new() } else { format!("sum = {{ order = \"{order}\" }}\n") };
    unit(&format!(
        "name = \"{scheme}-{mode}\"\nscheme = \"{scheme}\"\nproducts = {products}\n\
         formats = {{ a = \"binary16\", b = \"binary16\", c = \"{d}\", d = \"{d}\" }}\n{order}\
         conversion = {{ rounding = \"{mode}\", overflow = \"ieee\" }}\n"
    ))
}

/// The unit of a device with so many products; as the paper has it, products are normalised to [1, 2).
pub(super) fn device(name: &str, products: u32, normalised: bool) -> Unit {
    let mut unit = catalogue::unit(name).expect("the catalogue has the devices of the paper");
    if unit.products != products {
        unit.name = format!("{name}-{products}");
    }
    unit.products = products;
    if normalised {
        unit.name += "-normalised";
        unit.alignment_mut().normalise_products = true;
    }
    unit
}

/// A unit run on these operands.
pub(super) fn part(unit: Unit, inputs: &InputTerms) -> Part {
    let terms = UnitTerms::on(&Plan::of(&unit), inputs.clone());
    Part::of(unit, terms)
}

/// Operands of a unit whose addend is +0.
pub(super) fn without_addend(unit: &Unit) -> InputTerms {
    let mut bare = unit.clone();
    bare.formats.c = Format::absent();
    InputTerms::new(&bare)
}

/// Whether all operands are numbers, of a unit of binary16 with an addend in `c`.
pub(super) fn finite(inputs: &InputTerms, unit: &Unit) -> TermFlag {
    let number = |format: &Format, encoding: Term| crate::prove::numbers::Number::decoded(format, encoding).finite;
    let factors = inputs.a.iter().chain(&inputs.b).map(|factor| number(&unit.formats.a, *factor));
    let addend = unit.has_addend().then(|| number(&unit.formats.c, inputs.c));
    all(factors.chain(addend))
}

/// Whether all operands are numbers above zero.
pub(super) fn positive(inputs: &InputTerms, unit: &Unit) -> TermFlag {
    let above = |format: &Format, encoding: Term| {
        let infinity = format.infinity(false).expect("a format of IEEE 754");
        Term::literal(0).less_than(encoding) & encoding.less_than(Term::bits(infinity))
    };
    let factors = inputs.a.iter().chain(&inputs.b).map(|factor| above(&unit.formats.a, *factor));
    all(factors.chain([above(&unit.formats.c, inputs.c)]))
}

pub(super) fn all(flags: impl IntoIterator<Item = TermFlag>) -> TermFlag {
    let yes = <TermFlag as crate::compute::word::Flag>::constant(true);
    flags.into_iter().fold(yes, |all, flag| all & flag)
}
