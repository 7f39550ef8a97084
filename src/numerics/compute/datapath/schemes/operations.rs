//! Schemes of rounded operations: fused multiply-adds, products and sums of two (IEEE 754-2019, 5.4.1), and sums of two products, each
//! rounded once to the format of d, in the order that the plan lists them.

use super::{Scheme, fused};
use crate::compute::Inputs;
use crate::compute::datapath::stages::Stages;
use crate::compute::datapath::unpack::{Unpacked, operand_names};
use crate::compute::datapath::{convert, product, special, unpack};
use crate::compute::events::{self, Event, EventSet};
use crate::compute::record::{Encoding, Recorder, Stage};
use crate::compute::word::{Flag, MachineWord, Word};
use crate::describe::plan::{FusedPlan, Operation, OperationsPlan, Value};

/// d is the result of the last operation; the stages are those of each.
#[derive(Debug)]
pub struct Operations;

impl Scheme for Operations {
    type Plan = OperationsPlan;
    type Stages<W: Word> = Vec<Stages<W>>;

    fn stages<W: Word>(plan: &OperationsPlan) -> Vec<Stages<W>> {
        vec![Stages::new(1); plan.operations.len()]
    }

    #[inline(always)]
    fn evaluate<W: Word>(
        plan: &OperationsPlan,
        inputs: Inputs<W::Encoding>,
        stages: &mut Vec<Stages<W>>,
        recorder: &mut impl Recorder<W>,
    ) -> W {
        let mut result = W::literal(0);
        for (index, operation) in plan.operations.iter().enumerate() {
            let (earlier, rest) = stages.split_at_mut(index);
            let stages = &mut rest[0];
            recorder.enter(Some(index));
            result = match *operation {
                Operation::MultiplyAdd { pair, addend } => {
                    let addend = value(addend, inputs, earlier);
                    multiply_add(&plan.step, inputs.a[pair], inputs.b[pair], addend, stages, recorder)
                }
                Operation::Multiply { pair } => multiply(&plan.step, inputs.a[pair], inputs.b[pair], stages, recorder),
                Operation::Dot { first } => {
                    let (a, b) = (&inputs.a[first..first + 2], &inputs.b[first..first + 2]);
                    fused::multiply(&plan.step, a, b, stages, recorder);
                    finish(&plan.step, stages, recorder)
                }
                Operation::Add { left, right } => {
                    let (left, right) = (value(left, inputs, earlier), value(right, inputs, earlier));
                    add(&plan.addition, left, right, stages, recorder)
                }
            };
            fused::put_packed(&plan.step, result, recorder);
            stages.packed = result;
            recorder.enter(None);
            recorder.put(Stage::Packed, "step", Encoding::Unsigned(plan.step.result.width), result);
        }
        result
    }

    /// What happened in any operation.
    #[inline]
    fn events<W: MachineWord>(plan: &OperationsPlan, stages: &Vec<Stages<W>>) -> EventSet {
        let mut set = EventSet::default();
        for (operation, stages) in plan.operations.iter().zip(stages) {
            set = set.union(events::operations::events(plan.plan_of(operation), stages));
        }
        set
    }

    fn concerns(plan: &OperationsPlan, event: Event) -> bool {
        events::fused::concerns(event) || plan.step.result.flush_tiny && events::operations::concerns(event)
    }

    fn unreachable(plan: &OperationsPlan, event: Event) -> Option<String> {
        events::operations::unreachable(plan, event)
    }
}

/// An encoding in the format of d.
#[inline(always)]
fn value<W: Word>(value: Value, inputs: Inputs<W::Encoding>, earlier: &[Stages<W>]) -> W {
    match value {
        Value::Zero => W::literal(0),
        Value::Addend => W::encoding(inputs.c),
        Value::Step(index) => earlier[index].packed,
    }
}

#[inline(always)]
fn multiply_add<W: Word>(
    plan: &FusedPlan,
    a: W::Encoding,
    b: W::Encoding,
    addend: W,
    stages: &mut Stages<W>,
    recorder: &mut impl Recorder<W>,
) -> W {
    stages.unpacked_c = fused::unpack_addend(addend, plan, recorder);
    fused::multiply(plan, &[a], &[b], stages, recorder);
    finish(plan, stages, recorder)
}

/// A product alone: what is added to it is a zero of its own sign, so that a zero keeps that sign.
#[inline(always)]
fn multiply<W: Word>(
    plan: &FusedPlan,
    a: W::Encoding,
    b: W::Encoding,
    stages: &mut Stages<W>,
    recorder: &mut impl Recorder<W>,
) -> W {
    fused::multiply(plan, &[a], &[b], stages, recorder);
    let never = W::Flag::constant(false);
    stages.unpacked_c = Unpacked {
        negative: stages.terms[0].negative,
        exponent: W::literal(i64::from(plan.c.exponent_min)),
        significand: W::literal(0),
        zero: W::Flag::constant(true),
        infinite: never,
        nan: never,
    };
    finish(plan, stages, recorder)
}

/// A sum of two: the left one stands where a product would, and for the classes is a product with 1.
#[inline(always)]
fn add<W: Word>(plan: &FusedPlan, left: W, right: W, stages: &mut Stages<W>, recorder: &mut impl Recorder<W>) -> W {
    stages.unpacked_a.clear();
    stages.unpacked_b.clear();
    stages.terms.clear();
    let left = unpack::unpack(left, &plan.a);
    left.put(operand_names!("unpacked_left"), &plan.a, plan.exponent_width, recorder);
    let never = W::Flag::constant(false);
    let one = W::literal(1);
    stages.unpacked_a.push(left);
    stages.unpacked_b.push(Unpacked {
        negative: never,
        exponent: W::literal(0),
        significand: one.shift_left(plan.b.fraction_bits),
        zero: never,
        infinite: never,
        nan: never,
    });
    stages.unpacked_c = fused::unpack_addend(right, plan, recorder);
    stages.terms.push(product::addend(&left, plan));
    finish(plan, stages, recorder)
}

/// Adds the unpacked addend to the one term, or the two terms to each other, rounds, and mends what differs from a sum of many terms: the sign of an
/// exact zero, and results that are tiny.
#[inline(always)]
fn finish<W: Word>(plan: &FusedPlan, stages: &mut Stages<W>, recorder: &mut impl Recorder<W>) -> W {
    stages.special = special::special(&stages.unpacked_a, &stages.unpacked_b, &stages.unpacked_c);
    fused::add_and_convert(plan, stages, recorder);
    stages.packed = convert::sign_zero(stages, plan);
    if plan.result.flush_tiny { convert::flush_tiny(stages, plan) } else { stages.packed }
}
