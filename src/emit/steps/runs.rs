//! Runs of links: one loop of instances makes links that differ only in the sources of their numbers, each a constant step further.

use crate::describe::arithmetic::InputSubnormals;
use crate::describe::plan::{LinkPlan, Registers, Source, StepsPlan, TermPlan};

/// Links one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    pub first: usize,
    pub count: usize,
    /// Whether it has several links, none of which takes the result of another: their results are elements of arrays.
    pub is_parallel: bool,
}

/// Changes of a number before it enters the next link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entering {
    pub negate: bool,
    pub flush: InputSubnormals,
}

/// A whole number that grows by as much with every link of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Linear {
    pub first: i64,
    pub by: i64,
}

/// Where the numbers of a run's links come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sources {
    Product(Linear),
    Addend,
    /// Links of a run, counted from its first one.
    Links {
        run: usize,
        place: Linear,
        is_parallel: bool,
    },
}

/// A term of a run's links: of the first one, and of the others where their sources differ.
#[derive(Debug, Clone, Copy)]
pub struct TermSources {
    pub first: TermSource,
    pub others: Option<TermSource>,
}

/// A source, and the enabled clock edges that its numbers wait before they enter their links.
#[derive(Debug, Clone, Copy)]
pub struct TermSource {
    pub source: Sources,
    pub waits: Linear,
}

impl Linear {
    pub const ZERO: Linear = Linear { first: 0, by: 0 };

    /// The same numbers, of a loop that begins one turn earlier.
    fn one_earlier(self) -> Linear {
        Linear { first: self.first - self.by, ..self }
    }
}

/// The changes of a source's number before it enters the link that takes it.
pub fn entering(plan: &StepsPlan, source: Source) -> Entering {
    let terms = plan.links.iter().flat_map(|link| &link.terms);
    let term = terms.into_iter().find(|term| term.source == source);
    term.map_or(Entering { negate: false, flush: InputSubnormals::Kept }, |term| Entering {
        negate: term.negate,
        flush: if term.number.subnormal_bits.is_some() { term.flush } else { InputSubnormals::Kept },
    })
}

/// The runs of all links, each as long as can be.
pub fn runs(plan: &StepsPlan, registers: &Registers) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for index in 0..plan.links.len() {
        if let Some(last) = runs.last() {
            let longer = Run { count: last.count + 1, ..*last };
            let behind = &runs[..runs.len() - 1];
            if is_one(plan, registers, behind, longer) {
                let place = runs.len() - 1;
                runs[place] = longer;
                continue;
            }
        }
        runs.push(Run { first: index, count: 1, is_parallel: false });
    }
    for run in &mut runs {
        let within = |term: &TermPlan| matches!(term.source, Source::Link(link) if link as usize >= run.first);
        let links = &plan.links[run.first..run.first + run.count];
        run.is_parallel = run.count > 1 && !links.iter().flat_map(|link| &link.terms).any(within);
    }
    runs
}

/// Whether links make one run behind others.
fn is_one(plan: &StepsPlan, registers: &Registers, behind: &[Run], run: Run) -> bool {
    let links = || (run.first..run.first + run.count).map(|index| &plan.links[index]);
    let left = |index: usize| entering(plan, Source::Link(index as u32));
    // The others are alike already.
    let (first, last) = (run.first, run.first + run.count - 1);
    let alike = shape(&plan.links[last]) == shape(&plan.links[first])
        && left(last) == left(first)
        && registers.cuts(last) == registers.cuts(first);
    let blocks: Option<Vec<i64>> = links().map(|link| link.scale.as_ref().map(|scale| scale.block as i64)).collect();
    let terms = 0..plan.links[run.first].terms.len();
    alike
        && waits(registers, run).is_some()
        && blocks.is_none_or(|blocks| linear(&blocks).is_some())
        && terms.into_iter().all(|term| sources(plan, registers, behind, run, term).is_some())
}

/// A link without what differs within a run.
fn shape(link: &LinkPlan) -> LinkPlan {
    let mut shape = link.clone();
    shape.place = 0;
    shape.terms.iter_mut().for_each(|term| term.source = Source::Addend);
    shape.scale.iter_mut().for_each(|scale| scale.block = 0);
    shape
}

/// Where the numbers of one term of a run's links come from; `None` where that is not regular.
pub fn sources(plan: &StepsPlan, registers: &Registers, runs: &[Run], run: Run, term: usize) -> Option<TermSources> {
    let links: Vec<usize> = (run.first..run.first + run.count).collect();
    let source = |links: &[usize], runs: &[Run]| {
        let all: Vec<Source> = links.iter().map(|&link| plan.links[link].terms[term].source).collect();
        let waits: Vec<i64> =
            links.iter().zip(&all).map(|(&link, &source)| registers.term(link, source).into()).collect();
        Some(TermSource { source: regular(runs, &all)?, waits: linear(&waits)? })
    };
    let within = |&link: &usize| match plan.links[link].terms[term].source {
        Source::Link(from) => from as usize >= run.first,
        _ => false,
    };
    if !links[1..].iter().any(within) {
        return Some(TermSources { first: source(&links, runs)?, others: None });
    }
    // Counted from the first link of the run.
    let mut others = source(&links[1..], &[runs, &[run]].concat())?;
    others.waits = others.waits.one_earlier();
    if let Sources::Links { place, .. } = &mut others.source {
        *place = place.one_earlier();
    }
    Some(TermSources { first: source(&links[..1], runs)?, others: Some(others) })
}

/// The enabled clock edges up to the numbers of a run's links; `None` where they are not regular.
pub fn waits(registers: &Registers, run: Run) -> Option<Linear> {
    let waits: Vec<i64> = (run.first..run.first + run.count).map(|link| registers.start(link).into()).collect();
    linear(&waits)
}

fn regular(runs: &[Run], all: &[Source]) -> Option<Sources> {
    match all[0] {
        Source::Product(_) => {
            let product = |source: &Source| match source {
                Source::Product(index) => Some(i64::from(*index)),
                _ => None,
            };
            let products: Option<Vec<i64>> = all.iter().map(product).collect();
            Some(Sources::Product(linear(&products?)?))
        }
        Source::Link(link) => {
            let run = runs.iter().find(|run| (run.first..run.first + run.count).contains(&(link as usize)))?;
            let place = |source: &Source| match source {
                Source::Link(index) => (*index as usize).checked_sub(run.first).filter(|place| *place < run.count),
                _ => None,
            };
            let places: Option<Vec<i64>> = all.iter().map(|source| Some(place(source)? as i64)).collect();
            Some(Sources::Links { run: run.first, place: linear(&places?)?, is_parallel: run.is_parallel })
        }
        Source::Addend => all.iter().all(|source| *source == Source::Addend).then_some(Sources::Addend),
    }
}

pub fn linear(all: &[i64]) -> Option<Linear> {
    let by = all.get(1).map_or(0, |second| second - all[0]);
    all.windows(2).all(|pair| pair[1] - pair[0] == by).then_some(Linear { first: all[0], by })
}
