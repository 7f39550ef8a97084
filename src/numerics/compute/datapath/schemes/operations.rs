//! Schemes of rounded operations: fused multiply-adds, products and sums of two, each rounded once to the format of d
//! (IEEE 754-2019, 5.4.1), in the order that the plan lists them.

use super::fused;
use crate::compute::Inputs;
use crate::compute::datapath::stages::Stages;
use crate::compute::datapath::unpack::Unpacked;
use crate::compute::datapath::{convert, product, special, unpack};
use crate::compute::word::{Flag, Word};
use crate::describe::plan::{FusedPlan, Operation, OperationsPlan, Value};

/// Evaluates all operations and leaves the intermediates of operation i in `stages[i]`.
#[inline(always)]
pub fn evaluate<W: Word>(plan: &OperationsPlan, inputs: Inputs<W::Encoding>, stages: &mut [Stages<W>]) -> W {
    let mut result = W::literal(0);
    for (index, operation) in plan.operations.iter().enumerate() {
        let (earlier, rest) = stages.split_at_mut(index);
        let stages = &mut rest[0];
        result = match *operation {
            Operation::MultiplyAdd { pair, addend } => {
                let addend = value(addend, inputs, earlier);
                multiply_add(&plan.step, inputs.a[pair], inputs.b[pair], addend, stages)
            }
            Operation::Multiply { pair } => multiply(&plan.step, inputs.a[pair], inputs.b[pair], stages),
            Operation::Add { left, right } => {
                let (left, right) = (value(left, inputs, earlier), value(right, inputs, earlier));
                add(&plan.addition, left, right, stages)
            }
        };
        stages.packed = result;
    }
    result
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
fn multiply_add<W: Word>(plan: &FusedPlan, a: W::Encoding, b: W::Encoding, addend: W, stages: &mut Stages<W>) -> W {
    stages.unpacked_c = unpack::unpack(addend, &plan.c);
    unpack_and_multiply(plan, a, b, stages);
    finish(plan, stages)
}

/// A product alone: what is added to it is a zero of its own sign, so that a zero keeps that sign.
#[inline(always)]
fn multiply<W: Word>(plan: &FusedPlan, a: W::Encoding, b: W::Encoding, stages: &mut Stages<W>) -> W {
    unpack_and_multiply(plan, a, b, stages);
    let never = W::Flag::constant(false);
    stages.unpacked_c = Unpacked {
        negative: stages.terms[0].negative,
        exponent: W::literal(i64::from(plan.c.exponent_min)),
        significand: W::literal(0),
        zero: W::Flag::constant(true),
        infinite: never,
        nan: never,
    };
    finish(plan, stages)
}

#[inline(always)]
fn unpack_and_multiply<W: Word>(plan: &FusedPlan, a: W::Encoding, b: W::Encoding, stages: &mut Stages<W>) {
    clear(stages);
    let a = unpack::unpack(W::encoding(a), &plan.a);
    let b = unpack::unpack(W::encoding(b), &plan.b);
    stages.unpacked_a.push(a);
    stages.unpacked_b.push(b);
    stages.terms.push(product::product(&a, &b, plan));
}

/// A sum of two: the left one stands where a product would, and for the classes is a product with 1.
#[inline(always)]
fn add<W: Word>(plan: &FusedPlan, left: W, right: W, stages: &mut Stages<W>) -> W {
    clear(stages);
    let left = unpack::unpack(left, &plan.a);
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
    stages.unpacked_c = unpack::unpack(right, &plan.c);
    stages.terms.push(product::addend(&left, plan));
    finish(plan, stages)
}

#[inline(always)]
fn clear<W: Word>(stages: &mut Stages<W>) {
    stages.unpacked_a.clear();
    stages.unpacked_b.clear();
    stages.terms.clear();
}

/// Adds the unpacked addend to the one term, rounds, and mends what differs from a sum of many terms: the sign of an
/// exact zero, and results that are tiny.
#[inline(always)]
fn finish<W: Word>(plan: &FusedPlan, stages: &mut Stages<W>) -> W {
    stages.special = special::special(&stages.unpacked_a, &stages.unpacked_b, &stages.unpacked_c);
    fused::add_and_convert(plan, stages);
    stages.packed = convert::sign_zero(stages, plan);
    if plan.result.flush_tiny { convert::flush_tiny(stages, plan) } else { stages.packed }
}
