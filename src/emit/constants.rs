//! The parameters and constants of an emitted module, in columns.

use serde::Serialize;

use super::wording::{alignment, rounding};
use crate::describe::format::{Format, NonFinite, Rounding};
use crate::describe::plan::{BlockScaledPlan, FusedPlan, OperandPlan, ResultPlan};
use crate::describe::unit::{AlignmentRounding, Flags, Scales, Unit};

/// A constant with name and value padded to columns.
#[derive(Serialize)]
pub(super) struct Declaration {
    name: String,
    /// The name without the blanks of its column.
    plain: String,
    value: String,
    /// What brings the comments into a column.
    gap: String,
    comment: String,
}

pub(super) fn declaration(name: &str, value: impl ToString, comment: impl ToString) -> Declaration {
    Declaration {
        name: name.to_owned(),
        plain: name.to_owned(),
        value: value.to_string(),
        gap: String::new(),
        comment: comment.to_string(),
    }
}

/// A constant as it is written: as a sum with its value in the comment, or as a number.
pub(super) fn written(name: &str, expression: Option<&str>, value: i64, comment: &str) -> Declaration {
    match expression {
        Some(sum) => declaration(name, sum, format!("{value}: {comment}")),
        None => declaration(name, value, comment),
    }
}

pub(super) fn parameters(unit: &Unit, plan: &FusedPlan) -> Vec<Declaration> {
    let formats = &unit.formats;
    let mut declarations = vec![
        declaration("Products", plan.products, "L: products summed at once"),
        declaration("OperandAWidth", plan.a.width, format!("encoded a, {}", formats.a.name)),
        declaration("OperandBWidth", plan.b.width, format!("encoded b, {}", formats.b.name)),
    ];
    if plan.has_addend {
        declarations.push(declaration("AddendWidth", plan.c.width, format!("encoded c, {}", formats.c.name)));
    }
    declarations.push(declaration("ResultWidth", plan.result.width, format!("encoded d, {}", formats.d.name)));
    if plan.flags {
        declarations.push(declaration("FlagsWidth", Flags::WIDTH, "exception flags: invalid, overflow"));
    }
    declarations.extend([
        declaration("FractionBits", plan.fraction_bits, "F: bits kept below the anchor"),
        declaration("CarryBits", plan.carry_bits, carry_comment(plan)),
        declaration("AnchorFloor", plan.exponent_floor, &plan.exponent_floor_derivation),
    ]);
    declarations
}

/// The parameters of a block-scaled unit: those of a fused one, with the scales behind the operands.
pub(super) fn block_scaled_parameters(unit: &Unit, plan: &BlockScaledPlan) -> Vec<Declaration> {
    let mut declarations = parameters(unit, &plan.fused);
    let operands = declarations.iter().position(|declared| declared.name == "AddendWidth").unwrap_or(0);
    let name = |format: fn(&Scales) -> &Format| unit.scales.as_ref().map_or("", |scales| &format(scales).name);
    let scales = [
        declaration("Scales", plan.scales, "scales of a, and as many of b"),
        declaration("ScaleAWidth", plan.scale_a.width, format!("encoded scale of a, {}", name(|scales| &scales.a))),
        declaration("ScaleBWidth", plan.scale_b.width, format!("encoded scale of b, {}", name(|scales| &scales.b))),
    ];
    declarations.splice(operands..operands, scales);
    declarations
}

fn carry_comment(plan: &FusedPlan) -> String {
    match plan.terms.integer_bits {
        2 => "integer bits of the sum above the window's two".to_owned(),
        more => format!("integer bits of the sum above the window's {more}"),
    }
}

/// The constants of a block-scaled unit's formats. A scale has neither sign nor padding, and its subnormals are kept.
pub(super) fn block_scaled_formats(plan: &BlockScaledPlan) -> Vec<Declaration> {
    let mut declarations = formats(&plan.fused);
    for (prefix, scale) in [("ScaleA", &plan.scale_a), ("ScaleB", &plan.scale_b)] {
        let of_operands = ["SignBits", "PaddingBits", "FlushSubnormals"];
        let mut constants = operand_constants(prefix, scale);
        constants.retain(|declared| !of_operands.iter().any(|suffix| declared.name.ends_with(suffix)));
        declarations.extend(constants);
    }
    declarations
}

pub(super) fn formats(plan: &FusedPlan) -> Vec<Declaration> {
    let mut declarations = Vec::new();
    for (prefix, operand) in [("OperandA", &plan.a), ("OperandB", &plan.b)] {
        declarations.extend(operand_constants(prefix, operand));
    }
    if plan.has_addend {
        declarations.extend(operand_constants("Addend", &plan.c));
    }
    let result = &plan.result;
    declarations.push(declaration("ResultExponentBits", result.exponent_bits, "exponent field of d"));
    declarations.push(declaration("ResultFractionBits", result.fraction_bits, "trailing significand of d"));
    declarations.push(declaration("ResultPaddingBits", result.padding_bits, "zeros below the fraction of d"));
    declarations.push(declaration("ResultExponentMin", result.exponent_min, "exponent of the smallest normal d"));
    declarations
}

fn operand_constants(prefix: &str, operand: &OperandPlan) -> Vec<Declaration> {
    let comment = if operand.flush_subnormals { "subnormals count as zero" } else { "subnormals are kept" };
    let name = |suffix: &str| format!("{prefix}{suffix}");
    let mut declarations = layout(prefix, operand);
    declarations.push(declaration(&name("FlushSubnormals"), flush(operand), comment));
    declarations.push(declaration(&name("Precision"), operand.precision(), "significand with its hidden bit"));
    declarations
}

/// What becomes of subnormals, as `tensorsmith_unpack` takes it.
pub(super) fn flush(operand: &OperandPlan) -> u32 {
    u32::from(operand.flush_subnormals) + u32::from(operand.flush_to_plus_zero)
}

/// A format, as `tensorsmith_unpack` takes it.
pub(super) fn layout(prefix: &str, operand: &OperandPlan) -> Vec<Declaration> {
    let non_finite = match operand.non_finite {
        NonFinite::None => (0, "every encoding is finite"),
        NonFinite::Ieee => (1, "IEEE 754 infinities and NaN"),
        NonFinite::AllOnesNan => (2, "all ones is NaN, no infinity"),
        NonFinite::NegativeZeroNan => (3, "the encoding of minus zero is NaN"),
    };
    let name = |suffix: &str| format!("{prefix}{suffix}");
    vec![
        declaration(&name("SignBits"), operand.sign_bits, "sign"),
        declaration(&name("ExponentBits"), operand.exponent_bits, "exponent field"),
        declaration(&name("FractionBits"), operand.fraction_bits, "trailing significand"),
        declaration(&name("PaddingBits"), operand.padding_bits, "ignored low bits"),
        declaration(&name("Bias"), operand.bias, "exponent field of 1.0"),
        declaration(&name("NonFinite"), non_finite.0, non_finite.1),
    ]
}

pub(super) fn constants(plan: &FusedPlan) -> Vec<Declaration> {
    let terms = i64::from(plan.terms.count) + i64::from(plan.has_addend);
    let mut declarations = match (plan.has_addend, plan.terms.count == plan.products) {
        (true, true) => vec![written("TermCount", Some("Products + 1"), terms, "products and addend")],
        (true, false) => vec![written("TermCount", None, terms, "groups of products, and addend")],
        (false, _) => vec![written("TermCount", Some("Products"), terms, "products; there is no addend")],
    };
    for constant in &plan.constants {
        declarations.push(written(constant.name, constant.expression, constant.value, &constant.derivation));
    }
    declarations.push(declaration(
        "NormaliseProducts",
        u32::from(plan.normalise_products),
        "1: products are brought to [1, 2)",
    ));
    declarations.push(alignment_rounding("AlignmentRounding", plan.alignment_rounding));
    declarations.push(result_rounding(&plan.result));
    declarations.push(flush_result(&plan.result));
    declarations.push(declaration("ZeroNegative", u32::from(plan.result.zero_negative), "1: an exact zero sum is -0"));
    declarations.push(declaration(
        "HasInfinity",
        u32::from(plan.result.infinity_magnitude.is_some()),
        "0: infinite results are NaN",
    ));
    declarations.push(declaration(
        "HasNegativeZero",
        u32::from(plan.result.has_negative_zero),
        "0: zero results are always +0",
    ));
    declarations.extend(overflow(&plan.result));
    if plan.flags {
        declarations
            .extend([("SignallingA", &plan.a), ("SignallingB", &plan.b), ("SignallingC", &plan.c)].map(signalling));
    }
    declarations
}

/// What becomes of the bits below a window, as `tensorsmith_align` takes it.
pub(super) fn alignment_rounding(name: &str, rounding: AlignmentRounding) -> Declaration {
    let code = match rounding {
        AlignmentRounding::TowardZero => 0,
        AlignmentRounding::Downward => 1,
        AlignmentRounding::NearestEven => 2,
        AlignmentRounding::ToOdd => 3,
    };
    declaration(name, code, alignment(rounding))
}

fn signalling((name, operand): (&str, &OperandPlan)) -> Declaration {
    declaration(name, u32::from(operand.non_finite == NonFinite::Ieee), "1: a NaN with top fraction bit 0 signals")
}

/// The conversion's rounding, as `tensorsmith_round` takes it.
pub(super) fn result_rounding(result: &ResultPlan) -> Declaration {
    let code = match result.rounding {
        Rounding::TowardZero => 0,
        Rounding::NearestEven => 1,
        Rounding::NearestAway => 2,
        Rounding::TowardPositive => 3,
        Rounding::TowardNegative => 4,
        Rounding::ToOdd => 5,
    };
    declaration("ResultRounding", code, rounding(result.rounding))
}

pub(super) fn flush_result(result: &ResultPlan) -> Declaration {
    declaration("FlushResult", u32::from(result.flush_subnormals), "1: subnormal results become zero")
}

pub(super) fn overflow(result: &ResultPlan) -> [Declaration; 2] {
    let [positive, negative] = result.overflow_to_infinity.map(u32::from);
    [
        declaration("OverflowInfinityPositive", positive, "1: positive overflow gives infinity, 0: the largest number"),
        declaration("OverflowInfinityNegative", negative, "the same for negative overflow"),
    ]
}

/// Constants that are encodings, in hexadecimal with their width.
pub(super) fn words(plan: &FusedPlan) -> Vec<Declaration> {
    let result = &plan.result;
    let magnitude_width = result.exponent_bits + result.fraction_bits;
    let infinity = result.infinity_magnitude.unwrap_or(result.magnitude_max);
    let magnitude = |name: &str| format!("logic [ResultExponentBits+ResultFractionBits-1:0] {name}");
    let nan = "logic [ResultWidth-1:0]                           NanWord";
    vec![
        declaration(
            &magnitude("MaximumFinite"),
            hex(magnitude_width, result.magnitude_max),
            "exponent and fraction of the largest finite d",
        ),
        declaration(
            &magnitude("InfinityMagnitude"),
            hex(magnitude_width, infinity),
            "exponent and fraction of infinity",
        ),
        declaration(nan, hex(result.width, result.nan), "every NaN result"),
    ]
}

/// An encoding as it is written.
pub(super) fn hex(width: u32, value: u64) -> String {
    format!("{width}'h{value:x}")
}

/// Columns: names to the left, numbers to the right, the separator directly behind a value.
pub(super) fn pad(declarations: Vec<Declaration>) -> Vec<Declaration> {
    let is_number = |value: &str| value.parse::<i64>().is_ok();
    let longest = |texts: &mut dyn Iterator<Item = &String>| texts.map(String::len).max().unwrap_or(0);
    let name_width = longest(&mut declarations.iter().map(|declaration| &declaration.name));
    let mut numbers = declarations.iter().map(|declaration| &declaration.value).filter(|value| is_number(value));
    let number_width = longest(&mut numbers);
    let place = |value: String| if is_number(&value) { format!("{value:>number_width$}") } else { value };
    let placed: Vec<Declaration> =
        declarations.into_iter().map(|declared| Declaration { value: place(declared.value), ..declared }).collect();
    let value_width = longest(&mut placed.iter().map(|declaration| &declaration.value));
    let separate = |declared: Declaration| Declaration {
        name: format!("{:name_width$}", declared.name),
        gap: " ".repeat(value_width - declared.value.len()),
        ..declared
    };
    placed.into_iter().map(separate).collect()
}
