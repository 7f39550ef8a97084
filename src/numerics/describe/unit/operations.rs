//! What only units of rounded operations say: the order of a chain's products, and how subnormal numbers are flushed.

use super::check::{Problem, problem};
use super::file::{FileError, Reader};
use super::tables::{ExactZero, RoundedZero, Subnormal, SubnormalResult, SubnormalsTable, SumTable};
use super::{Flush, ProductOrder, Scheme, Unit};
use crate::describe::format::Format;

/// What only schemes of rounded operations can say.
const ONLY_OPERATIONS: &str = "\"fma-chain\", \"even-odd-chain\" and \"pairwise\"";

impl Reader<'_> {
    /// The first product of a chain; says nothing of carry bits, which rounded operations have no use for.
    pub(super) fn order(&self, scheme: Scheme, table: Option<&SumTable>) -> Result<ProductOrder, FileError> {
        let Some(table) = table else { return Ok(ProductOrder::default()) };
        if scheme.rounds_each_operation() && table.carry_bits.is_some() {
            let allowed = format!("nothing for {:?}, where each step is rounded once", scheme.name());
            return Err(self.refuse("sum.carry_bits", "given", allowed));
        }
        if table.order.is_some() && scheme != Scheme::FmaChain {
            return Err(self.refuse("sum.order", "given", "nothing but for \"fma-chain\""));
        }
        Ok(table.order.unwrap_or_default())
    }

    pub(super) fn flush(&self, scheme: Scheme, table: &SubnormalsTable) -> Result<Flush, FileError> {
        let plus = Subnormal::FlushedToPlusZero;
        let inputs = [("subnormals.operands", table.operands), ("subnormals.addend", table.addend)];
        if let Some((field, _)) = inputs.iter().find(|(_, rule)| *rule == plus && !scheme.rounds_each_operation()) {
            let allowed = format!("\"kept\" or \"flushed\"; the sign of a zero shows only in {ONLY_OPERATIONS}");
            return Err(self.refuse(field, "\"flushed-to-plus-zero\"", allowed));
        }
        if inputs.iter().any(|(_, rule)| *rule == plus) && inputs.iter().any(|(_, rule)| *rule == Subnormal::Flushed) {
            let allowed = "\"kept\" or \"flushed-to-plus-zero\", as the other inputs are flushed to plus zero";
            let field = if table.operands == plus { inputs[1].0 } else { inputs[0].0 };
            return Err(self.refuse(field, "\"flushed\"", allowed));
        }
        let tiny_result = table.result == SubnormalResult::FlushedIfTiny;
        if tiny_result && !scheme.rounds_each_operation() {
            let allowed = format!("\"kept\" or \"flushed\"; tininess is looked at in {ONLY_OPERATIONS}");
            return Err(self.refuse("subnormals.result", "\"flushed-if-tiny\"", allowed));
        }
        Ok(Flush {
            operands: table.operands.is_flushed(),
            addend: table.addend.is_flushed(),
            result: table.result != SubnormalResult::Kept,
            tiny_result,
            to_plus_zero: inputs.iter().any(|(_, rule)| *rule == plus),
        })
    }

    /// Whether an exact zero sum is minus zero, where the description decides it.
    pub(super) fn zero_negative(&self, scheme: Scheme, exact_zero: Option<ExactZero>) -> Result<bool, FileError> {
        let refuse = |value: &str, allowed: &str| {
            let allowed = format!("{allowed} for {:?}", scheme.name());
            Err(self.refuse("conversion.exact_zero", value, allowed))
        };
        match (scheme.rounds_each_operation(), exact_zero) {
            (true, Some(ExactZero::Positive)) => refuse("\"positive\"", "\"ieee\""),
            (true, Some(ExactZero::Negative)) => refuse("\"negative\"", "\"ieee\""),
            (false, Some(ExactZero::Ieee)) => refuse("\"ieee\"", "\"positive\" or \"negative\""),
            _ => Ok(exact_zero == Some(ExactZero::Negative)),
        }
    }

    /// Whether what is rounded to zero becomes plus zero.
    pub(super) fn rounded_zero_positive(&self, scheme: Scheme, rounded_zero: RoundedZero) -> Result<bool, FileError> {
        let positive = rounded_zero == RoundedZero::Positive;
        if positive && scheme.rounds_each_operation() {
            let allowed = format!("\"signed\" for {:?}", scheme.name());
            return Err(self.refuse("conversion.rounded_zero", "\"positive\"", allowed));
        }
        Ok(positive)
    }
}

impl Unit {
    /// Each operation's result is an operand of another, as c is; and an even-odd chain has as many even products as odd.
    pub(super) fn check_operations(&self) -> Result<(), Problem> {
        if self.scheme == Scheme::EvenOddChain && !self.products.is_multiple_of(2) {
            return Err(problem("products", self.products, "an even number, for \"even-odd-chain\""));
        }
        let (c, d) = (&self.formats.c, &self.formats.d);
        let same = Format { name: d.name.clone(), ..c.clone() } == *d;
        if same {
            return Ok(());
        }
        let allowed = format!("{}, the format of d: each step's result is the next step's addend", d.name);
        Err(problem("formats.c", &c.name, allowed))
    }
}
