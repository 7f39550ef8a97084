//! The fields of a unit file, each said once. Reading, writing, evidence and documentation follow from this table: a new field is
//! one in [`Unit`] with its default in [`Unit::plain`], a row here, and what computes with it.

use std::collections::BTreeMap;

use super::addition::{ADDEND_REACH_MAX, TOTAL_FRACTION_BITS_MAX};
use super::{
    EXPONENT_FLOORS, Evidence, FRACTION_BITS_MAX, LISTED_PRODUCTS_MAX, PRODUCTS_MAX, Scheme, Unit, pipeline, step_file,
    step_text,
};
use crate::describe::arithmetic::ZeroSign;
use crate::describe::file::Missing::{self, Follows, Optional, Refused, Unwritten};
use crate::describe::file::Value::{self, Format, Number, Own, Plain, Word};
use crate::describe::file::{Field, FormatOf, format_entry, value};
use crate::describe::format::Overflow;

use Scheme::{BlockScaled, FmaChain, Fused, FusedThenAdd, Integer, Steps};

/// A field of a unit file, the schemes whose files have it, and the name under which evidence for it is given.
pub(in crate::describe) struct UnitField {
    pub field: Field<Unit>,
    pub schemes: Schemes,
    pub evidence: Option<&'static str>,
}

/// The schemes whose files have a field.
pub(in crate::describe) enum Schemes {
    All,
    FloatingPoint,
    /// Those that have a name.
    Named,
    These(&'static [Scheme]),
}

impl Schemes {
    pub fn have(&self, scheme: Scheme) -> bool {
        match self {
            Schemes::All => true,
            Schemes::FloatingPoint => scheme != Integer,
            Schemes::Named => scheme != Steps,
            Schemes::These(some) => some.contains(&scheme),
        }
    }
}

const ALL: Schemes = Schemes::All;
const FLOATING_POINT: Schemes = Schemes::FloatingPoint;
const ALIGNED: Schemes = Schemes::These(&[Fused, BlockScaled, FusedThenAdd]);
const SCALED: Schemes = Schemes::These(&[BlockScaled, Steps]);
const LISTED: Schemes = Schemes::These(&[Steps]);
const THEN_ADD: Schemes = Schemes::These(&[FusedThenAdd]);

/// Words of `conversion.overflow`, and what they stand for.
const OVERFLOWS: [Overflow; 4] = [Overflow::Infinity, Overflow::Saturate, Overflow::Ieee, Overflow::Wrap];

/// The wider format of an operand.
macro_rules! widened {
    ($operand:literal) => {
        Own {
            tables: false,
            values: "a format",
            read: |unit, given| {
                let format = given.format(FormatOf::Numbers)?;
                unit.list.iter_mut().for_each(|list| list.widened[$operand] = Some(format.clone()));
                Ok(())
            },
            write: |unit| {
                let format = unit.list.as_ref().and_then(|list| list.widened[$operand].as_ref());
                format.map_or_else(String::new, format_entry)
            },
        }
    };
}

/// Every field, in the order in which files are read and written.
#[rustfmt::skip]
pub(in crate::describe) static FIELDS: &[UnitField] = &[
    of(ALL, "name", Refused, Plain(|unit| Some(&mut unit.name)),
        "lower-case letters, digits and single hyphens, a letter first, at most 64 of them; also the module's name, with \
         underscores: no keyword of SystemVerilog, and not beginning with `tensorsmith`").without_evidence(),
    of(ALL, "summary", Unwritten, Plain(|unit| Some(&mut unit.summary)),
        "one line for people, without control characters").without_evidence(),
    of(Schemes::Named, "scheme", Refused, Plain(|unit| Some(&mut unit.scheme)), "how terms are summed: see below"),
    of(ALL, "products", Refused, Number(1..=LISTED_PRODUCTS_MAX as i64, None, |unit| Some(&mut unit.products)),
        "L, products per result; above 64 only of a list of steps"),

    of(LISTED, "permutation", Unwritten,
        Own {
            tables: false,
            values: "`\"descending\"`, `\"interleaved-pairs\"`, or a list of all indices",
            read: step_file::read_permutation,
            write: |unit| unit.list.as_ref().map_or_else(String::new, step_text::permutation),
        },
        "order in which products stand in the list"),

    of(ALL, "formats.a", Refused, Format(FormatOf::Numbers, |unit| Some(&mut unit.formats.a)),
        "first operands").known_as("formats"),
    of(ALL, "formats.b", Refused, Format(FormatOf::Numbers, |unit| Some(&mut unit.formats.b)),
        "second operands").known_as("formats"),
    of(ALL, "formats.c", Unwritten, Format(FormatOf::Numbers, |unit| Some(&mut unit.formats.c)),
        "addend; where it is missing, which `\"fused\"` alone allows, there is none").known_as("formats"),
    of(ALL, "formats.d", Refused, Format(FormatOf::Numbers, |unit| Some(&mut unit.formats.d)),
        "result").known_as("formats"),

    of(LISTED, "widened.a", Unwritten, widened!(0), "wider format as whose number a enters").known_as("widened"),
    of(LISTED, "widened.b", Unwritten, widened!(1), "the same of b").known_as("widened"),
    of(LISTED, "widened.c", Unwritten, widened!(2), "the same of c").known_as("widened"),

    of(ALIGNED, "alignment.fraction_bits", Refused,
        Number(1..=FRACTION_BITS_MAX as i64, None, |unit| Some(&mut unit.alignment.as_mut()?.fraction_bits)),
        "F, fraction bits kept below the anchor exponent"),
    of(ALIGNED, "alignment.rounding", Refused, Plain(|unit| Some(&mut unit.alignment.as_mut()?.rounding)),
        "what happens to a term's lower bits"),
    of(ALIGNED, "alignment.exponent_floor", Refused,
        Number(EXPONENT_FLOORS, Some("none"), |unit| Some(&mut unit.alignment.as_mut()?.exponent_floor)),
        "least exponent of the anchor, at most the highest exponent of a term: see Limits"),
    of(ALIGNED, "alignment.normalise_products", Optional, Plain(|unit| Some(&mut unit.alignment.as_mut()?.normalise_products)),
        "bring products to [1, 2) before alignment"),

    of(SCALED, "scales.a", Refused, Format(FormatOf::Scales, |unit| Some(&mut unit.scales.as_mut()?.a)),
        "scales of a's blocks").known_as("scales"),
    of(SCALED, "scales.b", Refused, Format(FormatOf::Scales, |unit| Some(&mut unit.scales.as_mut()?.b)),
        "scales of b's blocks").known_as("scales"),
    of(SCALED, "scales.block", Refused,
        Number(1..=LISTED_PRODUCTS_MAX as i64, None, |unit| Some(&mut unit.scales.as_mut()?.block)),
        "consecutive products that share a scale of a and a scale of b, a divisor of `products`").known_as("scales"),
    of(Schemes::These(&[BlockScaled]), "scales.group", Unwritten,
        Number(1..=PRODUCTS_MAX as i64, Some("none"), |unit| Some(&mut unit.scales.as_mut()?.group)),
        "consecutive products summed exactly before alignment, a divisor of `scales.block`").known_as("scales"),

    of(THEN_ADD, "addition.groups", Refused, Plain(|unit| Some(&mut unit.addition.as_mut()?.groups)),
        "products that share an anchor: see Units that add c to the sum of the products"),
    of(THEN_ADD, "addition.product_overflow", Refused,
        Plain(|unit| Some(&mut unit.addition.as_mut()?.product_overflow)),
        "finite products too large for d: `\"none\"` keeps them, `\"infinity\"` turns them into infinities"),
    of(THEN_ADD, "addition.sum_fraction_bits", Refused,
        Number(1..=FRACTION_BITS_MAX as i64, None, |unit| Some(&mut unit.addition.as_mut()?.sum_fraction_bits)),
        "fraction bits kept of the sum of products"),
    of(THEN_ADD, "addition.addend_fraction_bits", Refused,
        Number(1..=FRACTION_BITS_MAX as i64, None, |unit| Some(&mut unit.addition.as_mut()?.addend_fraction_bits)),
        "fraction bits kept of c, at most `addition.sum_fraction_bits`"),
    of(THEN_ADD, "addition.rounding", Refused, Plain(|unit| Some(&mut unit.addition.as_mut()?.rounding)),
        "what happens to the lower bits of either"),
    of(THEN_ADD, "addition.exponent_floor", Refused,
        Number(EXPONENT_FLOORS, Some("none"), |unit| Some(&mut unit.addition.as_mut()?.exponent_floor)),
        "least exponent at which sum and c meet, at most the highest exponent of a term"),
    of(THEN_ADD, "addition.addend_reach", Refused,
        Number(0..=ADDEND_REACH_MAX as i64, Some("unlimited"), |unit| Some(&mut unit.addition.as_mut()?.addend_reach)),
        "greatest distance at which c takes part"),
    of(THEN_ADD, "addition.total_fraction_bits", Unwritten,
        Number(0..=TOTAL_FRACTION_BITS_MAX as i64, Some("unlimited"), |unit| {
            Some(&mut unit.addition.as_mut()?.total_fraction_bits)
        }),
        "fraction bits kept of the sum of both below its leading one; what lies below is rounded downward"),

    of(Schemes::These(&[Fused, BlockScaled]), "sum.carry_bits", Optional,
        Number(0..=64, Some("derived"), |unit| Some(&mut unit.carry_bits)),
        "integer bits above the window's, at most the derived number + 1: see Limits"),
    of(Schemes::These(&[FmaChain]), "sum.order", Optional, Plain(|unit| Some(&mut unit.order)),
        "which product of a chain is added first"),

    of(FLOATING_POINT, "conversion.rounding", Refused, Plain(|unit| Some(&mut unit.conversion.rounding)),
        "the one rounding of the sum"),
    of(ALL, "conversion.overflow", Refused,
        Word {
            words: &["infinity", "saturate", "ieee", "wrap"],
            allows: |unit, word| match OVERFLOWS[word] {
                Overflow::Saturate => true,
                Overflow::Wrap => unit.scheme == Integer,
                Overflow::Infinity | Overflow::Ieee => unit.scheme != Integer,
            },
            get: |unit| OVERFLOWS.iter().position(|one| *one == unit.conversion.overflow).unwrap_or_default(),
            set: |unit, word| unit.conversion.overflow = OVERFLOWS[word],
        },
        "a sum above the largest finite number; of integers, which have no infinity: see Integers"),
    of(FLOATING_POINT, "conversion.nan", Follows("the canonical one", |unit| {
            unit.conversion.nan = unit.formats.d.nan().unwrap_or_default();
        }),
        Own {
            tables: false,
            values: "an encoding of a NaN in format d",
            read: |unit, given| {
                unit.conversion.nan = given.encoding("the encoding of a NaN, an integer such as 0x7fc00000")?;
                Ok(())
            },
            // TOML integers are signed: an encoding of 64 bits may be a negative one.
            write: |unit| match unit.conversion.nan as i64 {
                negative @ ..0 => negative.to_string(),
                nan => format!("{nan:#x}"),
            },
        },
        "every NaN result"),
    of(FLOATING_POINT, "conversion.exact_zero", Optional,
        Word {
            words: &["positive", "negative", "ieee"],
            allows: |unit, word| unit.list.is_some() || (word == 2) == unit.scheme.rounds_each_operation(),
            get: |unit| match (&unit.list, unit.scheme.rounds_each_operation()) {
                (Some(list), _) => ZERO_SIGNS.iter().position(|sign| *sign == list.zero).unwrap_or_default(),
                (None, true) => 2,
                (None, false) => usize::from(unit.conversion.zero_negative),
            },
            set: |unit, word| match &mut unit.list {
                Some(list) => list.zero = ZERO_SIGNS[word],
                None => unit.conversion.zero_negative = word == 1,
            },
        },
        "sign of an exact zero sum; of rounded operations `\"ieee\"`, which is their default, and of others either sign"),
    of(FLOATING_POINT, "conversion.rounded_zero", Unwritten,
        Word {
            words: &["signed", "positive"],
            allows: |unit, word| word == 0 || !unit.scheme.rounds_each_operation(),
            get: |unit| usize::from(unit.conversion.rounded_zero_positive),
            set: |unit, word| unit.conversion.rounded_zero_positive = word == 1,
        },
        "sign of a zero that another sum is rounded or flushed to: that of the sum, or but for rounded operations plus"),
    of(FLOATING_POINT, "conversion.flags", Unwritten,
        Own {
            tables: false,
            values: "`false` (default), `true`, or the list `[\"overflow\", \"invalid\"]`",
            read: super::flags::read,
            write: |unit| unit.conversion.flags.to_string(),
        },
        "exception flags beside the result: of `\"fused\"` and of a list of steps, d of at most 62 bits"),

    of(FLOATING_POINT, "subnormals.operands", Optional,
        Word {
            words: INPUTS,
            allows: |unit, word| word < 2 || unit.list.is_some() || unit.scheme.rounds_each_operation(),
            get: |unit| if unit.flush.operands { 1 + usize::from(unit.flush.to_plus_zero) } else { 0 },
            set: |unit, word| (unit.flush.operands, unit.flush.to_plus_zero) = (word > 0, word == 2),
        },
        "subnormal a and b become zero of their sign, or only in rounded operations +0").known_as("subnormals"),
    of(FLOATING_POINT, "subnormals.addend", Optional,
        Word {
            words: INPUTS,
            // Inputs of a named scheme are flushed alike.
            allows: |unit, word| match word {
                _ if unit.list.is_some() => true,
                0 => true,
                1 => !unit.flush.to_plus_zero,
                _ => unit.scheme.rounds_each_operation() && unit.flush.operands == unit.flush.to_plus_zero,
            },
            get: |unit| match &unit.list {
                Some(list) => step_file::INPUTS.iter().position(|(_, input)| *input == list.addend).unwrap_or_default(),
                None if unit.flush.addend => 1 + usize::from(unit.flush.to_plus_zero),
                None => 0,
            },
            set: |unit, word| {
                unit.flush.addend = word > 0;
                match &mut unit.list {
                    Some(list) => list.addend = step_file::INPUTS[word].1,
                    None => unit.flush.to_plus_zero |= word == 2,
                }
            },
        },
        "the same of subnormal c, where both are flushed in the same way").known_as("subnormals"),
    of(FLOATING_POINT, "subnormals.result", Optional,
        Word {
            words: &["kept", "flushed", "flushed-if-tiny"],
            allows: |unit, word| word < 2 || unit.list.is_some() || unit.scheme.rounds_each_operation(),
            get: |unit| if unit.flush.result { 1 + usize::from(unit.flush.tiny_result) } else { 0 },
            set: |unit, word| (unit.flush.result, unit.flush.tiny_result) = (word > 0, word == 2),
        },
        "subnormal results become zero of their sign, or only in rounded operations tiny ones: see below")
        .known_as("subnormals"),

    of(LISTED, "step", Refused,
        Own { tables: true, values: "a list of tables", read: step_file::read, write: step_text::steps },
        "the summation steps: see Steps"),

    of(ALL, "pipeline.cuts", Unwritten,
        Own { tables: false, values: "a list of places", read: pipeline::read_cuts, write: |unit| value(&unit.build.cuts) },
        "registers in the unit's module: see Pipeline").without_evidence(),
    of(ALL, "rtl.target", Unwritten, Plain(|unit| Some(&mut unit.build.target)),
        "what additions in the unit's module are made of: see Target").without_evidence(),
    of(ALL, "evidence", Unwritten,
        Own {
            tables: true,
            values: "`{ grade, source }` by field",
            read: |unit, given| {
                unit.evidence = given.parse()?;
                Ok(())
            },
            write: |unit| evidence(&unit.evidence),
        },
        "where the value of that field or table comes from: see Evidence").without_evidence(),
];

/// Words of `conversion.exact_zero`, and what they stand for.
const ZERO_SIGNS: [ZeroSign; 3] = [ZeroSign::Positive, ZeroSign::Negative, ZeroSign::Ieee];

const INPUTS: &[&str] = &["kept", "flushed", "flushed-to-plus-zero"];

/// A field that evidence names by its path.
const fn of(
    schemes: Schemes,
    path: &'static str,
    missing: Missing<Unit>,
    value: Value<Unit>,
    meaning: &'static str,
) -> UnitField {
    UnitField { field: Field { path, value, missing, meaning }, schemes, evidence: Some(path) }
}

impl UnitField {
    /// One that evidence names by its table.
    const fn known_as(mut self, table: &'static str) -> UnitField {
        self.evidence = Some(table);
        self
    }

    const fn without_evidence(mut self) -> UnitField {
        self.evidence = None;
        self
    }
}

/// The table `evidence`.
fn evidence(all: &BTreeMap<String, Evidence>) -> String {
    if all.is_empty() {
        return String::new();
    }
    let entry = |(field, Evidence { grade, source }): (&String, &Evidence)| {
        format!("{} = {{ grade = {}, source = {} }}\n", value(field), value(grade), value(source))
    };
    "\n[evidence]\n".to_owned() + &all.iter().map(entry).collect::<String>()
}
