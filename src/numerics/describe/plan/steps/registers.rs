//! Registers of a list of steps: their places in every step, and the clock edges up to each link.

use std::collections::BTreeSet;

use super::{LinkPlan, RoundPlan, Source, StepsPlan, SumKind, TermPlan};
use crate::describe::unit::{Cut, Scheme, Unit};

/// Places within the sum of a link, up to its magnitude.
const SUM: [Cut; 5] = [Cut::Anchor, Cut::Distance, Cut::Aligned, Cut::Tree, Cut::Sum];

/// The registers of a module, and enabled clock edges up to each place.
#[derive(Debug, Clone)]
pub struct Registers {
    input: u32,
    product: u32,
    result: u32,
    /// Of each link.
    cuts: Vec<BTreeSet<Cut>>,
    /// Edges from operands to the numbers of a link, and to its result.
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Registers {
    /// The registers of a unit's module.
    pub fn of(unit: &Unit, plan: &StepsPlan) -> Registers {
        let has = |cut| u32::from(unit.build.cuts.contains(&cut));
        let [input, product, result] = [Cut::Input, Cut::Product, Cut::Result].map(has);
        let steps = cuts_of_steps(unit, plan);
        let of_link = |link: &LinkPlan| steps[link.step].iter().copied().filter(|cut| is_in(link, *cut)).collect();
        let cuts = plan.links.iter().map(of_link).collect();
        let mut registers = Registers { input, product, result, cuts, starts: Vec::new(), ends: Vec::new() };
        for (index, link) in plan.links.iter().enumerate() {
            let arrival = |term: &TermPlan| registers.arrival(term.source);
            let start = link.terms.iter().map(arrival).max().unwrap_or(input);
            registers.starts.push(start);
            let rounds = link.rounds.iter().filter(|round| round.shifts()).count() as u32;
            let inside = registers.edges_of_sum(index) + rounds * registers.count(index, &[Cut::Shift]);
            registers.ends.push(start + inside + registers.count(index, &[Cut::Scaled, Cut::Step]));
        }
        registers
    }

    /// Edges from operands to a number.
    fn arrival(&self, source: Source) -> u32 {
        match source {
            Source::Product(_) => self.input + self.product,
            Source::Addend => self.input,
            Source::Link(index) => self.ends[index as usize],
        }
    }

    /// How many of the places a link has registers at.
    fn count(&self, link: usize, places: &[Cut]) -> u32 {
        places.iter().filter(|cut| self.cuts[link].contains(cut)).count() as u32
    }

    /// Whether a link has registers at a place.
    pub fn are_at(&self, link: usize, cut: Cut) -> bool {
        self.cuts[link].contains(&cut)
    }

    /// Whether products have registers behind them.
    pub fn are_behind_products(&self) -> bool {
        self.product > 0
    }

    /// Whether the encoding has registers behind it.
    pub fn are_behind_result(&self) -> bool {
        self.result > 0
    }

    /// The places of a link.
    pub fn cuts(&self, link: usize) -> &BTreeSet<Cut> {
        &self.cuts[link]
    }

    /// Edges from operands to the numbers that a link adds.
    pub fn start(&self, link: usize) -> u32 {
        self.starts[link]
    }

    /// Edges within the sum of a link.
    pub fn edges_of_sum(&self, link: usize) -> u32 {
        self.count(link, &SUM) + self.count(link, &[Cut::Magnitude])
    }

    /// Edges that an operand waits before it enters a link: a product's factors, or c.
    pub fn operand(&self, plan: &StepsPlan, source: Source) -> u32 {
        let takes = |link: &usize| plan.links[*link].terms.iter().any(|term| term.source == source);
        let start = (0..plan.links.len()).find(takes).map_or(self.arrival(source), |link| self.start(link));
        start + self.input - self.arrival(source)
    }

    /// Edges that a number waits in front of a link: the result of another link.
    pub fn term(&self, link: usize, source: Source) -> u32 {
        match source {
            Source::Link(_) => self.start(link) - self.arrival(source),
            Source::Product(_) | Source::Addend => 0,
        }
    }

    /// Edges from operands to the result.
    pub fn latency(&self) -> u32 {
        self.ends.last().copied().unwrap_or(self.input) + self.result
    }
}

/// The cuts of each step: all of them, but where a scheme names the sum that is meant.
fn cuts_of_steps(unit: &Unit, plan: &StepsPlan) -> Vec<BTreeSet<Cut>> {
    let last = plan.links.iter().rposition(|link| link.is_cut).map_or(0, |link| plan.links[link].step);
    let first = plan.links.iter().find(|link| link.is_cut).map_or(0, |link| link.step);
    let count = plan.links.last().map_or(0, |link| link.step + 1);
    let places = |step: usize| -> Vec<(Cut, Cut)> {
        let own = |cuts: &[Cut]| cuts.iter().map(|cut| (*cut, *cut)).collect::<Vec<_>>();
        match unit.scheme {
            Scheme::BlockScaled if step < last => own(&[Cut::Scaled]),
            Scheme::BlockScaled => own(&[&SUM[..], &[Cut::Magnitude, Cut::Shift]].concat()),
            Scheme::FusedThenAdd => {
                let total = [(Cut::TotalAnchor, Cut::Anchor), (Cut::TotalAligned, Cut::Aligned)];
                let total = [total.to_vec(), own(&[Cut::Magnitude, Cut::Shift])].concat();
                let of = |here: bool, places: Vec<(Cut, Cut)>| if here { places } else { Vec::new() };
                [
                    of(step == first, own(&SUM)),
                    of(step + 1 == last, vec![(Cut::Dot, Cut::Step)]),
                    of(step == last, total),
                ]
                .concat()
            }
            _ => unit.build.cuts.iter().map(|cut| (*cut, *cut)).collect(),
        }
    };
    let named = |(name, cut): (Cut, Cut)| unit.build.cuts.contains(&name).then_some(cut);
    (0..count).map(|step| places(step).into_iter().filter_map(named).collect()).collect()
}

/// Whether a link has a place.
fn is_in(link: &LinkPlan, cut: Cut) -> bool {
    match cut {
        Cut::Anchor | Cut::Distance => matches!(link.sum.kind, SumKind::Window { .. }),
        Cut::Aligned | Cut::Tree | Cut::Sum | Cut::Magnitude => !matches!(link.sum.kind, SumKind::Single { .. }),
        Cut::Scaled => link.scale.is_some(),
        Cut::Shift => link.rounds.iter().any(RoundPlan::shifts),
        Cut::Step => true,
        Cut::Input | Cut::Product | Cut::Result | Cut::Dot | Cut::TotalAnchor | Cut::TotalAligned => false,
    }
}
