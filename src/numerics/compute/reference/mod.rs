//! Steps straight from their definition, in big integers, one number after another. Slow and obvious.
//!
//! Architecture invariant: never uses `plan`, `word` or `datapath`, so that it cannot share their mistakes.

mod number;
mod round;
mod sum;

pub use sum::Sum;

use std::collections::VecDeque;

use number::{Number, product};
use round::rounded;

use crate::compute::Inputs;
use crate::describe::arithmetic::{AddendPlace, Arithmetic, Negate, Order, Round, RoundTo, Start, Step, ZeroSign};
use crate::describe::format::Rounding;
use crate::describe::unit::Flags;

/// Evaluates d, with the flags above it if the arithmetic has them.
pub fn evaluate(arithmetic: &Arithmetic, inputs: Inputs) -> u64 {
    walk(arithmetic, inputs, &mut |_| {})
}

/// The sums in windows of an evaluation, in the order of their steps; none where a number is infinite or NaN.
pub fn window_sums(arithmetic: &Arithmetic, inputs: Inputs) -> Vec<Sum> {
    let mut sums = Vec::new();
    walk(arithmetic, inputs, &mut |sum| sums.push(sum.clone()));
    sums
}

fn walk(arithmetic: &Arithmetic, inputs: Inputs, observe: &mut dyn FnMut(&Sum)) -> u64 {
    let mut evaluation = Evaluation { arithmetic, inputs, flags: Flags::default(), observe };
    let mut numbers = evaluation.products();
    for (index, step) in arithmetic.steps.iter().enumerate() {
        numbers = evaluation.step(index, step, numbers);
    }
    let d = numbers[0].number.encoding(&arithmetic.d, arithmetic.nan);
    match arithmetic.flags {
        true => d | evaluation.flags.bits() << arithmetic.d.width(),
        false => d,
    }
}

/// A number of the list, and the block of products that it comes from.
#[derive(Clone)]
struct Entry {
    number: Number,
    block: usize,
}

struct Evaluation<'a> {
    arithmetic: &'a Arithmetic,
    inputs: Inputs<'a>,
    flags: Flags,
    observe: &'a mut dyn FnMut(&Sum),
}

impl Evaluation<'_> {
    /// The exact products, in their order.
    fn products(&mut self) -> Vec<Entry> {
        let Arithmetic { a, b, products, permutation, .. } = self.arithmetic;
        let block = self.arithmetic.scales.as_ref().map_or(*products, |scales| scales.block) as usize;
        let of = |index: usize, flags: &mut Flags| {
            let [left, right] = [(a, self.inputs.a[index]), (b, self.inputs.b[index])].map(|(operand, bits)| {
                flags.invalid |= operand.format.is_signalling(bits);
                Number::operand(operand, bits).flushed(operand.subnormals)
            });
            Entry { number: product(&left, &right, flags), block: index / block }
        };
        let order = (0..*products as usize).map(|index| permutation.get(index).map_or(index, |&from| from as usize));
        order.map(|index| of(index, &mut self.flags)).collect()
    }

    fn addend(&mut self) -> Number {
        let c = self.arithmetic.c.as_ref().expect("a step with c is part of a unit with c");
        self.flags.invalid |= c.format.is_signalling(self.inputs.c);
        Number::operand(c, self.inputs.c)
    }

    /// Divides the list into parts, and sums each.
    fn step(&mut self, index: usize, step: &Step, mut numbers: Vec<Entry>) -> Vec<Entry> {
        for (position, entry) in numbers.iter_mut().enumerate() {
            let negated = match step.negate {
                None | Some(Negate::C) => false,
                Some(Negate::All) => true,
                Some(Negate::Even) => position % 2 == 0,
                Some(Negate::Odd) => position % 2 == 1,
            };
            entry.number = if negated { entry.number.negated() } else { entry.number.clone() };
        }
        let (group, lanes) = (step.group.map_or(numbers.len(), |group| group as usize), step.lanes as usize);
        let groups = numbers.chunks(group);
        let parts =
            groups.flat_map(|group| (0..lanes).map(|lane| group[lane..].iter().step_by(lanes).cloned().collect()));
        let parts: Vec<Vec<Entry>> = parts.collect();
        parts.into_iter().map(|part| self.part(index, step, part)).collect()
    }

    fn part(&mut self, index: usize, step: &Step, part: Vec<Entry>) -> Entry {
        let block = part[0].block;
        let mut numbers: VecDeque<Number> = part.into_iter().map(|entry| entry.number).collect();
        let mut addend = None;
        if let Some(place) = step.c {
            let c = self.addend();
            let c = if step.negate == Some(Negate::C) { c.negated() } else { c };
            match place {
                AddendPlace::First => numbers.push_front(c),
                AddendPlace::Last => numbers.push_back(c),
            }
            addend = Some(if place == AddendPlace::First { 0 } else { numbers.len() - 1 });
        }
        let mut link = |numbers: Vec<Number>, addend| self.link(index, step, &numbers, addend, block);
        let number = match step.order {
            Order::AtOnce => link(numbers.into(), addend),
            Order::Chain { start: Start::First, .. } if numbers.len() == 1 => link(numbers.into(), addend),
            Order::Chain { by, start } => {
                let mut result = match start {
                    Start::First => numbers.pop_front().expect("a part has a number"),
                    Start::Zero => Number::zero(false),
                };
                while !numbers.is_empty() {
                    let next = numbers.drain(..numbers.len().min(by as usize));
                    result = link([result].into_iter().chain(next).collect(), Some(0));
                }
                result
            }
            Order::Tree { .. } if numbers.len() == 1 => link(numbers.into(), addend),
            Order::Tree { by } => {
                while numbers.len() > 1 {
                    let oldest = numbers.drain(..numbers.len().min(by as usize)).collect();
                    numbers.push_back(link(oldest, None));
                }
                numbers.pop_front().expect("a tree leaves a number")
            }
        };
        Entry { number, block }
    }

    /// round(scale(sum)).
    fn link(&mut self, index: usize, step: &Step, numbers: &[Number], addend: Option<usize>, block: usize) -> Number {
        let numbers: Vec<Number> = numbers.iter().map(|number| number.flushed(step.inputs)).collect();
        let zero_negative = match step.zero {
            ZeroSign::Positive => false,
            ZeroSign::Negative => true,
            ZeroSign::Ieee => self.rounds_toward_negative_from(index),
        };
        let mut number = sum::sum(step, &numbers, addend, zero_negative, &mut self.flags, self.observe);
        if let (true, Some(scales)) = (step.scaled, &self.arithmetic.scales) {
            let a = Number::decode(&scales.a, self.inputs.scale_a[block]);
            let b = Number::decode(&scales.b, self.inputs.scale_b[block]);
            number = product(&number, &product(&a, &b, &mut self.flags), &mut self.flags);
        }
        number = number.shifted(step.shift);
        for round in &step.round {
            number = rounded(&number, self.arithmetic.round(round), &mut self.flags);
        }
        number
    }

    /// Whether the next rounding of a step or of those behind it is toward negative.
    fn rounds_toward_negative_from(&self, index: usize) -> bool {
        let all = self.arithmetic.steps[index..].iter().flat_map(|step| &step.round);
        let mut all = all.map(|round| self.arithmetic.round(round));
        let rounds = |round: &&Round| !matches!(round.to, RoundTo::Range { precision: None, .. });
        all.find(rounds).is_some_and(|round| round.rounding == Rounding::TowardNegative)
    }
}
