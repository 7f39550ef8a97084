//! Faults that are a changed line of an emitted file or of a leaf: caught, shrunk, located and written as a case.
#![cfg(feature = "rtl")]

use tensorsmith::check::case::Case;
use tensorsmith::check::compare::Mismatch;
use tensorsmith::compute::record::Stage;
use tensorsmith::compute::reference;
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit::SourceFile;
use tensorsmith::engine::rtl::Rtl;
use tensorsmith::engine::{Batch, Emulator, Engine};

use super::harness::run;
use crate::support::unit;

/// A change of one place in one file.
pub(super) struct Fault {
    pub name: &'static str,
    pub file: &'static str,
    pub right: &'static str,
    pub wrong: &'static str,
    /// The stage that differs first.
    pub stage: Stage,
}

/// A fault that shows in no stage before the last.
pub(super) const fn fault(name: &'static str, file: &'static str, right: &'static str, wrong: &'static str) -> Fault {
    Fault { name, file, right, wrong, stage: Stage::Packed }
}

impl Fault {
    /// The same, which shows in an earlier stage.
    pub(super) const fn at(self, stage: Stage) -> Fault {
        Fault { stage, ..self }
    }
}

const FAULTS: [Fault; 11] = [
    Fault {
        name: "a swapped operand pair",
        file: "tensorsmith_fused.sv",
        right: "(b[i*OperandBWidth +: OperandBWidth])",
        wrong: "(b[(i < 2 ? 1 - i : i)*OperandBWidth +: OperandBWidth])",
        stage: Stage::Unpacked,
    },
    Fault {
        name: "canonical NaN wrong",
        file: "tensorsmith_fused.sv",
        right: ".NanWord                 (NanWord)",
        wrong: ".NanWord                 (NanWord ^ ResultWidth'(1))",
        stage: Stage::Packed,
    },
    Fault {
        name: "-0 for an exact zero",
        file: "tensorsmith_pack.sv",
        right: "assign finite_negative = negative_i && !loses_sign;",
        wrong: "assign finite_negative = zero_i || (negative_i && !loses_sign);",
        stage: Stage::Packed,
    },
    Fault {
        name: "the addend left out of the anchor",
        file: "tensorsmith_aligned_sum.sv",
        right: "+: ExponentWidth] = addend_exponent_i;",
        wrong: "+: ExponentWidth] = ExponentWidth'(exponent_i[0 +: TermWidth]);",
        stage: Stage::Anchor,
    },
    Fault {
        name: "the sign of one term lost",
        file: "tensorsmith_product.sv",
        right: "a_negative_i ^ b_negative_i",
        wrong: "a_negative_i | b_negative_i",
        stage: Stage::Product,
    },
    Fault {
        name: "a hidden bit for subnormals",
        file: "tensorsmith_unpack.sv",
        right: "assign significand_o = {hidden, fraction};",
        wrong: "assign significand_o = {hidden || fraction != '0, fraction};",
        stage: Stage::Unpacked,
    },
    Fault {
        name: "one product too few in the sum",
        file: "tensorsmith_aligned_sum.sv",
        right: "= SumWidth'(late_row[i*AlignedWidth +: RowWidth]);",
        wrong: "= i == 0 ? '0 : SumWidth'(late_row[i*AlignedWidth +: RowWidth]);",
        stage: Stage::Sum,
    },
    Fault {
        name: "the sign of the sum ignored",
        file: "tensorsmith_round.sv",
        right: "assign round_up = 1'b0;",
        wrong: "assign round_up = negative_i && inexact_o;",
        stage: Stage::Rounded,
    },
    Fault {
        name: "infinity times zero is infinite",
        file: "tensorsmith_special.sv",
        right: "(a_zero_i & b_infinite_i)",
        wrong: "(a_zero_i & b_infinite_i & a_nan_i)",
        stage: Stage::Packed,
    },
    Fault {
        name: "an addend aligned one place too low",
        file: "tensorsmith_fused.sv",
        right: "F + GuardBits - AddendFractionBits : 0;",
        wrong: "F + GuardBits - AddendFractionBits - 1 : 0;",
        stage: Stage::Aligned,
    },
    Fault {
        name: "normalisation one place short",
        file: "tensorsmith_fused.sv",
        right: "TopExponentOffset = TopExponent + HeadroomBits;",
        wrong: "TopExponentOffset = TopExponent + HeadroomBits + 1;",
        stage: Stage::Normalised,
    },
];

fn mutant(unit: &Unit, fault: &Fault) -> Rtl {
    Rtl::mutant(unit, |file: &mut SourceFile| {
        if file.name == fault.file {
            let places = file.text.matches(fault.right).count();
            assert_eq!(places, 1, "{}: {:?} stands in {} places of {}", fault.name, fault.right, places, fault.file);
            file.text = file.text.replace(fault.right, fault.wrong);
        }
    })
    .unwrap_or_else(|error| panic!("{}: {error}", fault.name))
}

#[test]
fn changed_lines_are_caught_and_located() {
    let unit = unit("ampere-fp16-fp32");
    for fault in crate::support::sampled(&FAULTS, 3) {
        assert_caught_and_located(&unit, fault);
    }
}

/// The changed unit is caught, its trace parts from the right one in the fault's stage, and the case file reproduces it.
/// Returns the element of the signal that differs first.
pub(super) fn assert_caught_and_located(unit: &Unit, fault: &Fault) -> usize {
    let engines = || -> Vec<Box<dyn Engine>> { vec![Box::new(Emulator::new(unit)), Box::new(mutant(unit, fault))] };
    let comparison = run(unit, engines);
    let first = comparison.first.unwrap_or_else(|| panic!("{} was not caught", fault.name));
    let wrong_trace = mutant(unit, fault).trace(&first.vector).expect("a traced mutant").expect("a trace");
    let difference =
        Emulator::new(unit).trace_of(&first.vector).expect("a vector of the unit").first_difference(&wrong_trace);
    let difference = difference.unwrap_or_else(|| panic!("{}: the traces agree", fault.name));
    println!(
        "{}: {}: {} of {} vectors differ; minimal {:x?}; first in {}[{}]",
        unit.name,
        fault.name,
        comparison.mismatches,
        comparison.compared,
        first.vector,
        difference.signal,
        difference.element
    );
    assert_eq!(difference.stage, fault.stage, "{}: first difference in {}", fault.name, difference.signal);
    assert_shrunk(&first);
    assert_case_reproduces(unit, &first, fault);
    difference.element
}

/// The minimal vector has no more set bits than the original one.
fn assert_shrunk(first: &Mismatch) {
    let ones = |vector: &tensorsmith::engine::Vector| vector.operands().map(u64::count_ones).sum::<u32>();
    assert!(ones(&first.vector) <= ones(&first.original));
    assert!(first.answers.iter().any(|(_, answer)| *answer != first.answers[0].1));
}

/// The written case reads back, and its vector still separates right from wrong.
fn assert_case_reproduces(unit: &Unit, first: &Mismatch, fault: &Fault) {
    let vector = &first.vector;
    let expected = reference::evaluate(&unit.arithmetic(), vector.inputs());
    let text = Case::of(&unit.clone().into(), first, Some(1), expected).to_toml();
    let case = Case::from_toml("case.toml", &text).expect("a written case reads back");
    assert_eq!((&case.subject, &case.vector, case.expected), (&unit.clone().into(), vector, expected));
    let mut results = Vec::new();
    mutant(unit, fault).run(&Batch::of(&case.vector), &mut results).expect("the mutant answers");
    assert_ne!(results[0], expected, "{}", fault.name);
    Emulator::new(unit).run(&Batch::of(&case.vector), &mut results).expect("the emulator answers");
    assert_eq!(results[0], expected);
}
