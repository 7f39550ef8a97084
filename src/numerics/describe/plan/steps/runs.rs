//! Neighbours that are alike, for the emulator: it reads the plan of the first one for all.

use super::{AlignPlan, LinkPlan, RoundPlan, Source, SumKind, TermPlan};
use crate::describe::arithmetic::{Exponent, InputSubnormals};

/// One link; or several of one number each, whose plans differ only in their sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRun {
    /// Index of the first link.
    pub first: usize,
    /// All terms of the first link.
    pub terms: Vec<TermRun>,
    /// Each of the two terms of a link that has two.
    pub pair: Option<[TermRun; 2]>,
    /// The only term of every link, where those pass numbers on: nothing is normalised or rounded.
    pub passed: Option<TermRun>,
}

/// Terms that enter alike, from sources of one kind at equal distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermRun {
    /// That of the first term.
    pub source: Source,
    pub distance: u32,
    pub count: u32,
    pub enter: EnterPlan,
    pub align: AlignPlan,
}

/// How a number enters a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnterPlan {
    pub negate: bool,
    pub flush: InputSubnormals,
    pub subnormal_bits: Option<u32>,
    /// Fraction bits that it is given to have as many as the others.
    pub widened: u32,
}

impl LinkRun {
    /// The runs of all links, in their order.
    pub(super) fn all(links: &[LinkPlan]) -> Vec<LinkRun> {
        let own: Vec<Source> = (0..links.len() as u32).map(Source::Link).collect();
        LinkRun::with_results(links, &own)
    }

    /// Those without links that leave the number which they take: others take it from where it comes.
    pub(super) fn fewest(links: &[LinkPlan]) -> Vec<LinkRun> {
        let mut is_sign_seen = vec![false; links.len()];
        for term in links.iter().filter(|link| link.zero_of_terms).flat_map(|link| &link.terms) {
            if let Source::Link(from) = term.source {
                is_sign_seen[from as usize] = true;
            }
        }
        let mut results: Vec<Source> = Vec::new();
        for (index, link) in links.iter().enumerate() {
            let is_same_zero = link.zero_of_terms || !is_sign_seen[index];
            let is_left_out = index + 1 < links.len() && is_same_zero && changes_nothing(link);
            results.push(match is_left_out {
                true => from(link.terms[0].source, &results),
                false => Source::Link(index as u32),
            });
        }
        LinkRun::with_results(links, &results)
    }

    /// The runs of links, where the result of each is found at that source: links with other sources than their own are left out.
    fn with_results(links: &[LinkPlan], results: &[Source]) -> Vec<LinkRun> {
        let mut runs: Vec<LinkRun> = Vec::new();
        for (index, link) in
            links.iter().enumerate().filter(|(index, _)| results[*index] == Source::Link(*index as u32))
        {
            if runs.last_mut().is_some_and(|run| run.goes_on(links, index, results)) {
                continue;
            }
            let terms = TermRun::all(&link.terms, results);
            let passed = passes_on(link).then(|| terms[0]);
            let pair = match link.terms.as_slice() {
                [first, second] => Some([first, second].map(|term| TermRun::one(from(term.source, results), term))),
                _ => None,
            };
            runs.push(LinkRun { first: index, terms, pair, passed });
        }
        runs
    }

    /// Whether the link is the next one of the run, which is then one longer.
    fn goes_on(&mut self, links: &[LinkPlan], index: usize, results: &[Source]) -> bool {
        let Some(passed) = &mut self.passed else { return false };
        let (first, next) = (&links[self.first], &links[index]);
        let shape = |link: &LinkPlan| (link.zero_of_terms, link.zero_negative, link.shift);
        let is_alike = shape(first) == shape(next)
            && (&first.sum, &first.scale, &first.rounds) == (&next.sum, &next.scale, &next.rounds);
        let source = from(next.terms[0].source, results);
        let is_of_run = matches!(source, Source::Link(from) if from as usize >= self.first);
        let is_next = index == self.first + passed.count as usize;
        is_alike && is_next && !is_of_run && passed.goes_on(source, &next.terms[0])
    }
}

/// Where the number of a source is found.
fn from(source: Source, results: &[Source]) -> Source {
    match source {
        Source::Link(index) => results[index as usize],
        Source::Product(_) | Source::Addend => source,
    }
}

/// Whether a link changes no significand, unless by scales.
fn passes_on(link: &LinkPlan) -> bool {
    let rounds = &link.rounds;
    matches!(link.sum.kind, SumKind::Single { .. })
        && rounds.len() <= 1
        && !rounds.iter().any(RoundPlan::is_normalising)
}

/// Whether a link leaves the number that it takes, except perhaps for the sign of a zero.
fn changes_nothing(link: &LinkPlan) -> bool {
    let enter = EnterPlan::of(&link.terms[0]);
    let is_kept = enter.flush == InputSubnormals::Kept || enter.subnormal_bits.is_none();
    let is_plain = link.scale.is_none() && link.shift == 0 && link.rounds.iter().all(RoundPlan::never_exceeds);
    passes_on(link) && is_plain && is_kept && !enter.negate && link.sum.exponent != Exponent::Leading
}

impl TermRun {
    fn all(terms: &[TermPlan], results: &[Source]) -> Vec<TermRun> {
        let mut runs: Vec<TermRun> = Vec::new();
        for term in terms {
            let source = from(term.source, results);
            if !runs.last_mut().is_some_and(|run| run.goes_on(source, term)) {
                runs.push(TermRun::one(source, term));
            }
        }
        runs
    }

    fn one(source: Source, term: &TermPlan) -> TermRun {
        TermRun { source, distance: 0, count: 1, enter: EnterPlan::of(term), align: term.align }
    }

    /// Whether the term is the next one of the run, which is then one longer.
    fn goes_on(&mut self, source: Source, term: &TermPlan) -> bool {
        let (first, next) = match (self.source, source) {
            (Source::Product(first), Source::Product(next)) | (Source::Link(first), Source::Link(next)) => {
                (first, next)
            }
            _ => return false,
        };
        let Some(from_first) = next.checked_sub(first) else { return false };
        let distance = if self.count == 1 { from_first } else { self.distance };
        let is_next = from_first == distance * self.count;
        let goes_on = is_next && (EnterPlan::of(term), term.align) == (self.enter, self.align);
        if goes_on {
            (self.distance, self.count) = (distance, self.count + 1);
        }
        goes_on
    }
}

impl EnterPlan {
    fn of(term: &TermPlan) -> EnterPlan {
        let (negate, flush, widened) = (term.negate, term.flush, term.widened);
        EnterPlan { negate, flush, subnormal_bits: term.number.subnormal_bits, widened }
    }
}
