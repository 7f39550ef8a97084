//! One value of one field of a hypothesis. Decides nothing.

use std::slice;

use super::composition::{final_addition, with_result};
use super::with;
use crate::describe::file::value;
use crate::describe::format::{Class, Format, Overflow, Rounding};
use crate::describe::instruction::{Instruction, Order, Start};
use crate::describe::unit::{
    AlignmentRounding, Conversion, Flush, Groups, ProductOrder, ProductOverflow, Scheme, Unit, spelled,
};

/// A value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting {
    /// L, the products of one block.
    BlockWidth(u32),
    BlockOrder(Order),
    /// Rounding of the addition of c at the end; none where the chain starts from c.
    FinalAddition(Option<Rounding>),
    /// A value of a field of the unit that adds c at the end.
    OfFinalAddition(Box<Setting>),
    /// The result's format of blocks, which the final addition takes; its own result stays as it is.
    OfBlocks(Box<Format>),
    /// Formats of a and b as they are multiplied.
    Operands(Box<[Format; 2]>),
    /// Format of c as it is added.
    Addend(Box<Format>),
    /// Products summed exactly before alignment.
    ScaleGroup(Option<u32>),
    FractionBits(u32),
    AlignmentRounding(AlignmentRounding),
    ExponentFloor(Option<i32>),
    NormaliseProducts(bool),
    CarryBits(Option<u32>),
    Order(ProductOrder),
    Groups(Groups),
    ProductOverflow(ProductOverflow),
    SumFractionBits(u32),
    AddendFractionBits(u32),
    AdditionRounding(AlignmentRounding),
    AdditionFloor(Option<i32>),
    AddendReach(Option<u32>),
    TotalFractionBits(Option<u32>),
    Rounding(Rounding),
    Overflow(Overflow),
    Nan(u64),
    ZeroNegative(bool),
    RoundedZeroPositive(bool),
    /// The result's format, within the given word.
    Result(Box<Format>),
    Subnormals(Flush),
}

impl Setting {
    /// The same field of the unit that adds c at the end.
    pub fn of_final_addition(own: Setting) -> Setting {
        Setting::OfFinalAddition(Box::new(own))
    }

    /// Whether the value is a format of the result.
    pub(in crate::infer) fn is_result(&self) -> bool {
        match self {
            Setting::OfFinalAddition(own) => own.is_result(),
            other => matches!(other, Setting::Result(_)),
        }
    }

    /// Path of the field in unit and instruction files.
    pub fn field(&self) -> &'static str {
        match self {
            Setting::BlockWidth(_) => "products",
            Setting::BlockOrder(_) => "order",
            Setting::FinalAddition(_) => "final_addition",
            Setting::OfFinalAddition(own) => own.field_of_final_addition(),
            Setting::OfBlocks(_) => "final_addition.formats.a",
            Setting::Operands(_) => "formats.a",
            Setting::Addend(_) => "formats.c",
            Setting::ScaleGroup(_) => "scales.group",
            Setting::FractionBits(_) => "alignment.fraction_bits",
            Setting::AlignmentRounding(_) => "alignment.rounding",
            Setting::ExponentFloor(_) => "alignment.exponent_floor",
            Setting::NormaliseProducts(_) => "alignment.normalise_products",
            Setting::CarryBits(_) => "sum.carry_bits",
            Setting::Order(_) => "sum.order",
            Setting::Groups(_) => "addition.groups",
            Setting::ProductOverflow(_) => "addition.product_overflow",
            Setting::SumFractionBits(_) => "addition.sum_fraction_bits",
            Setting::AddendFractionBits(_) => "addition.addend_fraction_bits",
            Setting::AdditionRounding(_) => "addition.rounding",
            Setting::AdditionFloor(_) => "addition.exponent_floor",
            Setting::AddendReach(_) => "addition.addend_reach",
            Setting::TotalFractionBits(_) => "addition.total_fraction_bits",
            Setting::Rounding(_) => "conversion.rounding",
            Setting::Overflow(_) => "conversion.overflow",
            Setting::Nan(_) => "conversion.nan",
            Setting::ZeroNegative(_) => "conversion.exact_zero",
            Setting::RoundedZeroPositive(_) => "conversion.rounded_zero",
            Setting::Result(_) => "formats.d",
            Setting::Subnormals(_) => "subnormals",
        }
    }

    /// Path of the field of the unit that adds c at the end.
    fn field_of_final_addition(&self) -> &'static str {
        match self {
            Setting::FractionBits(_) => "final_addition.alignment.fraction_bits",
            Setting::AlignmentRounding(_) => "final_addition.alignment.rounding",
            Setting::ExponentFloor(_) => "final_addition.alignment.exponent_floor",
            Setting::Result(_) => "final_addition.formats.d",
            Setting::Nan(_) => "final_addition.conversion.nan",
            Setting::Subnormals(_) => "final_addition.subnormals",
            // No hypothesis has others of its own.
            other => other.field(),
        }
    }

    /// The value as unit files spell it; formats by their names, and of d the fraction bits.
    pub fn text(&self) -> String {
        match self {
            Setting::BlockOrder(order) => value(order),
            Setting::FinalAddition(rounding) => rounding.map_or(value("none"), |rounding| value(&rounding)),
            Setting::Operands(formats) => format!("{} * {}", formats[0].name, formats[1].name),
            Setting::Addend(format) | Setting::OfBlocks(format) => format.name.clone(),
            Setting::OfFinalAddition(own) => own.text(),
            Setting::Result(format) => format!("{} fraction bits in d", format.fraction_bits),
            _ => {
                // A unit that has every table.
                let scales = Unit::plain(Scheme::BlockScaled).scales;
                let mut unit = Unit { scales, ..Unit::plain(Scheme::FusedThenAdd) };
                self.apply_to_unit(&mut unit);
                spelled(&unit, self.field())
            }
        }
    }

    /// Where the value lies among those of its field, if these are numbers of places: no floor at all lies below every floor,
    /// and a reach without end, or a total that is not cut, above every other.
    pub(in crate::infer) fn place(&self) -> Option<i64> {
        match self {
            Setting::FractionBits(bits) | Setting::SumFractionBits(bits) | Setting::AddendFractionBits(bits) => {
                Some(i64::from(*bits))
            }
            Setting::ExponentFloor(floor) | Setting::AdditionFloor(floor) => Some(floor.map_or(i64::MIN, i64::from)),
            Setting::AddendReach(number) | Setting::TotalFractionBits(number) => {
                Some(number.map_or(i64::MAX, i64::from))
            }
            Setting::Result(format) => Some(i64::from(format.fraction_bits)),
            Setting::OfFinalAddition(own) => own.place(),
            _ => None,
        }
    }

    /// A hypothesis's own value of this field, if these are numbers of places or encodings of NaN.
    pub(in crate::infer) fn own(&self, hypothesis: &Instruction) -> Option<Setting> {
        match self {
            Setting::OfFinalAddition(own) => {
                let own = own.own_of(hypothesis.final_addition.as_ref()?)?;
                Some(Setting::of_final_addition(own))
            }
            Setting::OfBlocks(_) => {
                let has_own = hypothesis.final_addition.is_some();
                has_own.then(|| Setting::OfBlocks(Box::new(hypothesis.unit.formats.d.clone())))
            }
            _ => self.own_of(&hypothesis.unit),
        }
    }

    fn own_of(&self, unit: &Unit) -> Option<Setting> {
        let Unit { alignment, addition, formats, conversion, .. } = unit;
        let (alignment, addition) = (alignment.as_ref(), addition.as_ref());
        Some(match self {
            Setting::FractionBits(_) => Setting::FractionBits(alignment?.fraction_bits),
            Setting::ExponentFloor(_) => Setting::ExponentFloor(alignment?.exponent_floor),
            Setting::SumFractionBits(_) => Setting::SumFractionBits(addition?.sum_fraction_bits),
            Setting::AddendFractionBits(_) => Setting::AddendFractionBits(addition?.addend_fraction_bits),
            Setting::AdditionFloor(_) => Setting::AdditionFloor(addition?.exponent_floor),
            Setting::AddendReach(_) => Setting::AddendReach(addition?.addend_reach),
            Setting::TotalFractionBits(_) => Setting::TotalFractionBits(addition?.total_fraction_bits),
            Setting::Result(_) => Setting::Result(Box::new(formats.d.clone())),
            Setting::Nan(_) => Setting::Nan(conversion.nan),
            _ => return None,
        })
    }

    /// Whether the value is a number below a hypothesis's own.
    pub(in crate::infer) fn is_below(&self, hypothesis: &Instruction) -> bool {
        self.place() < self.own(hypothesis).and_then(|own| own.place())
    }

    /// Whether a hypothesis has the value already.
    pub(in crate::infer) fn is_own_of(&self, hypothesis: &Instruction) -> bool {
        with(hypothesis, slice::from_ref(self)) == *hypothesis
    }

    /// Puts the value into a hypothesis. What follows from it elsewhere is not brought in line.
    pub fn apply(&self, hypothesis: &mut Instruction) {
        match self {
            Setting::BlockOrder(order) => hypothesis.order = *order,
            Setting::FinalAddition(None) => {
                if let Some(adder) = hypothesis.final_addition.take() {
                    hypothesis.unit.formats.d = adder.formats.d;
                    hypothesis.unit.conversion.nan = adder.conversion.nan;
                }
                hypothesis.start = Start::Addend;
            }
            Setting::FinalAddition(Some(rounding)) => {
                let adder = hypothesis.final_addition.take().unwrap_or_else(|| final_addition(hypothesis, *rounding));
                let conversion = Conversion { rounding: *rounding, ..adder.conversion };
                hypothesis.final_addition = Some(Unit { conversion, ..adder });
                hypothesis.start = Start::Zero;
            }
            Setting::OfFinalAddition(own) => {
                hypothesis.final_addition.iter_mut().for_each(|adder| own.apply_to_unit(adder));
            }
            Setting::OfBlocks(format) => apply_to_blocks(format, hypothesis),
            _ => self.apply_to_unit(&mut hypothesis.unit),
        }
    }

    fn apply_to_unit(&self, unit: &mut Unit) {
        match self {
            Setting::BlockWidth(products) => unit.products = *products,
            Setting::Operands(formats) => [unit.formats.a, unit.formats.b] = formats.as_ref().clone(),
            Setting::Addend(format) => unit.formats.c = format.as_ref().clone(),
            Setting::FractionBits(bits) => unit.alignment.iter_mut().for_each(|own| own.fraction_bits = *bits),
            Setting::AlignmentRounding(rounding) => unit.alignment.iter_mut().for_each(|own| own.rounding = *rounding),
            Setting::ExponentFloor(floor) => unit.alignment.iter_mut().for_each(|own| own.exponent_floor = *floor),
            Setting::NormaliseProducts(truth) => {
                unit.alignment.iter_mut().for_each(|own| own.normalise_products = *truth);
            }
            Setting::CarryBits(bits) => unit.carry_bits = *bits,
            Setting::Order(order) => unit.order = *order,
            Setting::Rounding(rounding) => unit.conversion.rounding = *rounding,
            Setting::Overflow(overflow) => unit.conversion.overflow = *overflow,
            Setting::Nan(bits) => unit.conversion.nan = *bits,
            Setting::ZeroNegative(negative) => unit.conversion.zero_negative = *negative,
            Setting::RoundedZeroPositive(positive) => unit.conversion.rounded_zero_positive = *positive,
            Setting::Result(format) => {
                unit.formats.d = format.as_ref().clone();
                let is_nan = format.decode(unit.conversion.nan).class == Class::Nan;
                unit.conversion.nan = if is_nan { unit.conversion.nan } else { format.nan().unwrap_or_default() };
            }
            Setting::Subnormals(flush) => unit.flush = *flush,
            Setting::ScaleGroup(group) => {
                if let Some(scales) = &mut unit.scales {
                    scales.group = *group;
                }
            }
            _ => self.apply_to_addition(unit),
        }
    }

    fn apply_to_addition(&self, unit: &mut Unit) {
        let Some(addition) = &mut unit.addition else { return };
        match self {
            Setting::Groups(groups) => addition.groups = *groups,
            Setting::ProductOverflow(overflow) => addition.product_overflow = *overflow,
            Setting::SumFractionBits(bits) => addition.sum_fraction_bits = *bits,
            Setting::AddendFractionBits(bits) => addition.addend_fraction_bits = *bits,
            Setting::AdditionRounding(rounding) => addition.rounding = *rounding,
            Setting::AdditionFloor(floor) => addition.exponent_floor = *floor,
            Setting::AddendReach(reach) => addition.addend_reach = *reach,
            Setting::TotalFractionBits(bits) => addition.total_fraction_bits = *bits,
            _ => {}
        }
    }
}

/// Gives the results of blocks a format of their own, or that of the result. NaN is that of the format: it does not show.
fn apply_to_blocks(format: &Format, hypothesis: &mut Instruction) {
    let Some(adder) = hypothesis.final_addition.clone().filter(|adder| adder.formats.a != *format) else { return };
    let nan = if *format == adder.formats.d { Some(adder.conversion.nan) } else { format.nan() };
    hypothesis.unit.conversion.nan = nan.unwrap_or_default();
    [hypothesis.unit.formats.c, hypothesis.unit.formats.d] = [(); 2].map(|()| format.clone());
    hypothesis.final_addition = Some(with_result(&adder, hypothesis, adder.formats.d.clone()));
}
