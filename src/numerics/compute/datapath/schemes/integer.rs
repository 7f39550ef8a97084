//! The integer scheme: exact products, one exact sum, brought to the result's width once (PTX ISA, `mma` with .s32).

use super::Scheme;
use crate::compute::Inputs;
use crate::compute::events::{self, Event, EventSet};
use crate::compute::record::{Encoding, Recorder, Stage};
use crate::compute::word::{MachineWord, Word};
use crate::describe::plan::{IntegerOperand, IntegerPlan};

/// The intermediate values of one evaluation. The buffers are reused from one evaluation to the next.
#[derive(Debug, Clone)]
pub struct IntegerStages<W: Word> {
    pub a: Vec<W>,
    pub b: Vec<W>,
    pub c: W,
    pub sum: W,
}

impl<W: Word> IntegerStages<W> {
    /// Empty stages for a unit of `products` products.
    pub fn new(products: u32) -> Self {
        let capacity = products as usize;
        let zero = W::literal(0);
        IntegerStages { a: Vec::with_capacity(capacity), b: Vec::with_capacity(capacity), c: zero, sum: zero }
    }
}

/// d = wrap(c + sum of a_i * b_i), or saturate of it.
#[derive(Debug)]
pub struct Integer;

impl Scheme for Integer {
    type Plan = IntegerPlan;
    type Stages<W: Word> = IntegerStages<W>;

    fn stages<W: Word>(plan: &IntegerPlan) -> IntegerStages<W> {
        IntegerStages::new(plan.products)
    }

    #[inline(always)]
    fn evaluate<W: Word>(
        plan: &IntegerPlan,
        inputs: Inputs<W::Encoding>,
        stages: &mut IntegerStages<W>,
        recorder: &mut impl Recorder<W>,
    ) -> W {
        stages.a.clear();
        stages.b.clear();
        stages.c = integer(W::encoding(inputs.c), &plan.c);
        let mut sum = stages.c;
        for (index, &a) in inputs.a.iter().enumerate() {
            let a = integer(W::encoding(a), &plan.a);
            let b = integer(W::encoding(inputs.b[index]), &plan.b);
            let product = (a * b).claim_signed(plan.product_width);
            recorder.put(Stage::Product, "product", Encoding::Signed(plan.product_width), product);
            sum = sum + product;
            stages.a.push(a);
            stages.b.push(b);
        }
        stages.sum = sum.claim_signed(plan.sum_width);
        recorder.put(Stage::Sum, "sum", Encoding::Signed(plan.sum_width), stages.sum);
        let packed = pack(stages.sum, plan);
        recorder.put(Stage::Packed, "packed_word", Encoding::Unsigned(plan.d.width), packed);
        packed
    }

    #[inline]
    fn events<W: MachineWord>(plan: &IntegerPlan, stages: &IntegerStages<W>) -> EventSet {
        events::integer::events(plan, stages)
    }

    fn concerns(_: &IntegerPlan, event: Event) -> bool {
        events::integer::concerns(event)
    }

    fn unreachable(plan: &IntegerPlan, event: Event) -> Option<String> {
        events::integer::unreachable(plan, event)
    }
}

/// The integer that an encoding means.
#[inline(always)]
fn integer<W: Word>(encoding: W, plan: &IntegerOperand) -> W {
    let bits = encoding.field(0, plan.width);
    if plan.signed { bits.wrap(plan.width) } else { bits }
}

/// The sum as an encoding: clamped if the unit saturates, then the low bits.
///
/// ```text
///   sum      s ssss | dddddddd     d.width bits are kept
///   packed            dddddddd     as an unsigned number
/// ```
#[inline(always)]
fn pack<W: Word>(sum: W, plan: &IntegerPlan) -> W {
    let mut held = sum;
    if plan.saturates {
        held = held.maximum(W::literal(plan.d.least)).minimum(W::literal(plan.d.greatest));
    }
    let low_bits = held.wrap(plan.d.width);
    let unsigned = low_bits + W::literal(1).shift_left(plan.d.width);
    W::select(low_bits.less_than(W::literal(0)), unsigned, low_bits).claim_unsigned(plan.d.width)
}
