//! The links of a list of steps, in the order in which they are evaluated.

use std::collections::VecDeque;

use super::{Source, StepsPlan};
use crate::describe::arithmetic::{AddendPlace, Arithmetic, Negate, Order, Start, Step};

/// A number that enters a link.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub source: Source,
    pub negate: bool,
    /// Whether the addend's own cut is that of this number.
    pub is_addend: bool,
}

/// A number of the list, and the block of products that it comes from.
type Listed = (Entry, usize);

/// Adds the links of every step to the plan.
pub(super) fn links(arithmetic: &Arithmetic, plan: &mut StepsPlan) {
    let products = arithmetic.products;
    let block = arithmetic.scales.as_ref().map_or(products, |scales| scales.block);
    let of = |index: u32| (entry(Source::Product(index)), (index / block) as usize);
    let mut list: Vec<Listed> = match arithmetic.permutation.as_slice() {
        [] => (0..products).map(of).collect(),
        permutation => permutation.iter().map(|&index| of(index)).collect(),
    };
    for (index, step) in arithmetic.steps.iter().enumerate() {
        list = links_of_step(arithmetic, plan, index, step, list);
    }
}

fn entry(source: Source) -> Entry {
    Entry { source, negate: false, is_addend: false }
}

fn links_of_step(
    arithmetic: &Arithmetic,
    plan: &mut StepsPlan,
    index: usize,
    step: &Step,
    list: Vec<Listed>,
) -> Vec<Listed> {
    let negated = |(position, (entry, block)): (usize, Listed)| {
        let negate = match step.negate {
            None | Some(Negate::C) => false,
            Some(Negate::All) => true,
            Some(Negate::Even) => position % 2 == 0,
            Some(Negate::Odd) => position % 2 == 1,
        };
        (Entry { negate, ..entry }, block)
    };
    let list: Vec<Listed> = list.into_iter().enumerate().map(negated).collect();
    let (group, lanes) = (step.group.map_or(list.len(), |group| group as usize), step.lanes as usize);
    let mut left = Vec::new();
    for group in list.chunks(group) {
        for lane in 0..lanes {
            let part: Vec<Listed> = group[lane..].iter().step_by(lanes).copied().collect();
            let block = part[0].1;
            let source = links_of_part(arithmetic, plan, index, step, part);
            left.push((entry(source), block));
        }
    }
    left
}

fn links_of_part(
    arithmetic: &Arithmetic,
    plan: &mut StepsPlan,
    index: usize,
    step: &Step,
    part: Vec<Listed>,
) -> Source {
    let block = part[0].1;
    let mut waiting: VecDeque<Entry> = part.into_iter().map(|(entry, _)| entry).collect();
    if let Some(place) = step.c {
        let c = Entry { source: Source::Addend, negate: step.negate == Some(Negate::C), is_addend: true };
        match place {
            AddendPlace::First => waiting.push_front(c),
            AddendPlace::Last => waiting.push_back(c),
        }
    }
    let mut link = |terms: Vec<Entry>, from_zero: bool| {
        let link = plan.link(arithmetic, index, terms, from_zero, block);
        plan.links.push(link);
        entry(Source::Link(plan.links.len() as u32 - 1))
    };
    let last = match step.order {
        Order::AtOnce => link(waiting.into(), false),
        Order::Chain { start: Start::First, .. } | Order::Tree { .. } if waiting.len() == 1 => {
            link(waiting.into(), false)
        }
        Order::Chain { by, start } => {
            let first = if start == Start::First { waiting.pop_front() } else { None };
            let add = |result: Option<Entry>, next: &[Entry]| {
                let before = result.map(|result| Entry { is_addend: true, ..result });
                let next = next.iter().map(|entry| Entry { is_addend: false, ..*entry });
                Some(link(before.into_iter().chain(next).collect(), result.is_none()))
            };
            let result = waiting.make_contiguous().chunks(by as usize).fold(first, add);
            result.expect("a part has numbers")
        }
        Order::Tree { by } => {
            while waiting.len() > 1 {
                let oldest = waiting.drain(..waiting.len().min(by as usize));
                let result = link(oldest.map(|entry| Entry { is_addend: false, ..entry }).collect(), false);
                waiting.push_back(result);
            }
            waiting[0]
        }
    };
    last.source
}
