//! Properties of instructions of several blocks. What is known of a unit is known of each of its blocks; what a chain of blocks answers
//! is asked of the whole chain, as far as solvers go.

use std::sync::Arc;

use super::{Property, Slices, Subject, monotone, no_overflow, order};
use crate::describe::instruction::{Instruction, Order};
use crate::prove::settle::{Questions, Task};
use crate::prove::sum::Sum;

/// The property of an instruction as a task, or why it says nothing of it.
///
/// # Errors
/// The reason.
pub fn task_of_instruction(
    property: &Property,
    instruction: &Instruction,
    slices: Option<Slices>,
) -> Result<Task, String> {
    let unit = &instruction.unit;
    let of_unit = || {
        let subject = Subject::of(unit);
        property.task(&slices.map_or(subject.clone(), |slices| subject.with_slices(slices)))
    };
    if instruction.is_alone() {
        return of_unit();
    }
    let sum = Arc::new(Sum::of(instruction));
    let questions = match property.name {
        "no-overflow" => return Ok(task(property, widths(&sum), Vec::new())),
        "slices-exact" => return says_nothing_of_slices(instruction, slices).map_or_else(of_unit, Err),
        "operand-order" if unit.scales.is_some() => {
            return Err("products belong to the scales of their blocks".to_owned());
        }
        "operand-order" if instruction.shape.k == 1 => return Err("it has one product".to_owned()),
        "operand-order" => exchanges(&sum),
        "monotone" => match monotone::says_nothing(&sum.interface()) {
            Some(reason) => return Err(reason),
            None => {
                let own = Arc::clone(&sum);
                let question: Questions = vec![(String::new(), Box::new(move || monotone::decreases_in(&own)))];
                question
            }
        },
        _ => return Err(format!("it is a property of the unit of its blocks; allowed: the unit {}", unit.name)),
    };
    Ok(task(property, questions, widths(&sum)))
}

fn task(property: &Property, questions: Questions, premises: Questions) -> Task {
    Task {
        name: property.name.to_owned(),
        statement: property.statement.to_owned(),
        expected: property.expected,
        questions,
        premises,
        check: None,
    }
}

/// That no internal width of its units overflows, whatever they add to.
fn widths(sum: &Arc<Sum>) -> Questions {
    let mut questions: Questions = Vec::new();
    for unit in sum.units().cloned() {
        let label = format!("no internal width of {} overflows", unit.name);
        questions.push((label, Box::new(move || no_overflow(&Subject::of(&unit)))));
    }
    questions
}

/// Each exchange of two products that follow each other in the chain; these make every order. Where a known vector shows that one
/// between two blocks matters, that one alone: it refutes the property, and nothing else would have to be asked.
fn exchanges(sum: &Arc<Sum>) -> Questions {
    let mut questions: Questions = Vec::new();
    let chain: Vec<(usize, usize)> = sum.blocks().into_iter().flat_map(|block| block.into_iter().enumerate()).collect();
    for both in chain.windows(2) {
        let (pair, own) = ([both[0].1, both[1].1], Arc::clone(sum));
        let place = (both[1].0 > 0).then_some(both[0].0);
        let where_they_are = if place.is_some() { "in one block" } else { "of two blocks" };
        let label = format!("products {} and {} exchanged, {where_they_are}: the same result", pair[0], pair[1]);
        if place.is_none() && !order::differs_in(&own, pair, place).known.is_empty() {
            return vec![(label, Box::new(move || order::differs_in(&own, pair, place).known_to_hold()))];
        }
        questions.push((label, Box::new(move || order::differs_in(&own, pair, place))));
    }
    questions
}

/// Why sums of slices are not those of the unit with as many products: they are exact block by block, where every run of the instruction
/// is whole blocks of the unit, each added to what those before gave.
fn says_nothing_of_slices(instruction: &Instruction, slices: Option<Slices>) -> Option<String> {
    let unit = &instruction.unit;
    if instruction.final_addition.is_some() {
        return Some(format!("c is added last by another unit; allowed: the unit {}", unit.name));
    }
    if [&instruction.a, &instruction.b] != [&unit.formats.a, &unit.formats.b] {
        return Some(format!("its operands are not in the formats of its blocks; allowed: the unit {}", unit.name));
    }
    let k = instruction.shape.k;
    let products = slices.map_or(k, |slices| slices.products);
    let is_cut = instruction.blocks().iter().any(|block| block.len() != unit.products as usize);
    if is_cut || instruction.order != Order::Contiguous && !products.is_multiple_of(k) {
        return Some(format!("its runs are not whole blocks that follow each other; allowed: the unit {}", unit.name));
    }
    if products > k && !instruction.c.holds(instruction.d()) {
        return Some(format!("--k is {products}; allowed: 1 to {k}, its products, for it has no c that holds its d"));
    }
    None
}
