//! Results that a list of steps can never have, with the reason: bounds that follow from formats and windows alone.

use super::{LimitPlan, LinkPlan, RoundPlan, Source, StepsPlan, SumKind, TermPlan};
use crate::describe::arithmetic::{Flushing, InputSubnormals};
use crate::describe::format::Rounding;

/// Finite numbers of a place: multiples of 2^unit, below 2^end.
#[derive(Debug, Clone, Copy)]
struct Reach {
    unit: i32,
    end: i32,
}

impl StepsPlan {
    /// Why no rounding leaves a subnormal number of its format, if none does.
    pub fn never_subnormal(&self) -> Option<String> {
        self.of_every_rounding(stays_normal)
    }

    /// Why no rounding overflows, if none does.
    pub fn never_overflows(&self) -> Option<String> {
        self.of_every_rounding(|link, round, of| {
            let LimitPlan::Format { largest_exponent: greatest, .. } = round.limit else { return None };
            let precision = round.normalise.as_ref()?.precision;
            if of.sum.end <= greatest {
                return Some(format!("every sum stays below 2^{}, and 2^{greatest} is a finite result", of.sum.end));
            }
            // Beside the largest finite addend the other numbers are rounded away.
            let nearest = matches!(round.rounding, Rounding::NearestEven | Rounding::NearestAway);
            let addend_bits = link.addend.as_ref()?.fraction_bits;
            let is_held = round.has_whole_range() && of.addend?.end <= greatest + 1 && addend_bits < precision as i32;
            let (end, half) = (of.numbers?.end, greatest - precision as i32);
            (of.is_exact && is_held && nearest && end < half).then(|| {
                format!(
                    "sums of products stay below 2^{end}, and half the last place of the largest result is 2^{half}"
                )
            })
        })
    }

    /// Why no rounding makes a zero of another number, if none does.
    pub fn never_underflows(&self) -> Option<String> {
        self.of_every_rounding(|link, round, of| {
            if round.subnormals != Flushing::Kept {
                return stays_normal(link, round, of);
            }
            if round.rounding == Rounding::ToOdd {
                return Some("rounding to odd goes up to odd numbers only".to_owned());
            }
            let normalise = round.normalise.as_ref()?;
            let (unit, smallest) = (of.sum.unit, normalise.exponent_min? - normalise.precision as i32 + 1);
            (unit >= smallest).then(|| format!("every sum is a multiple of 2^{unit}, and 2^{smallest} is a result"))
        })
    }

    /// Why no sum has infinite numbers of both signs, if none has.
    pub fn never_opposes_infinities(&self) -> Option<String> {
        let mut before: Vec<bool> = Vec::new();
        for link in &self.links {
            let infinite = |term: &&TermPlan| match term.source {
                Source::Product(_) => self.a.operand.has_infinity() || self.b.operand.has_infinity(),
                Source::Addend => self.c.as_ref().is_some_and(|c| c.operand.has_infinity()),
                Source::Link(index) => before[index as usize],
            };
            let count = link.terms.iter().filter(infinite).count();
            if count > 1 {
                return None;
            }
            let overflows = |round: &RoundPlan| match round.limit {
                LimitPlan::Format { to_infinity, has_infinity, .. } => has_infinity && to_infinity != [false; 2],
                LimitPlan::Exponent(greatest) => greatest.is_some(),
            };
            before.push(count > 0 || link.rounds.iter().any(overflows));
        }
        Some("at most one number of a sum can be infinite".to_owned())
    }

    /// The reason that holds for the last rounding, if every rounding has one.
    fn of_every_rounding(
        &self,
        reason: impl Fn(&LinkPlan, &RoundPlan, &LinkReach) -> Option<String>,
    ) -> Option<String> {
        let mut before = Vec::new();
        let mut last = None;
        for link in &self.links {
            let mut of = self.link_reach(link, &before);
            for round in &link.rounds {
                last = Some(reason(link, round, &of)?);
                of.sum = of.sum.rounded(round);
                of.is_exact = false;
            }
            before.push(of.sum);
        }
        last
    }

    /// The numbers of a link, behind others.
    fn link_reach(&self, link: &LinkPlan, before: &[Reach]) -> LinkReach {
        let of = |term: &TermPlan| match term.source {
            Source::Product(_) => self.product_reach(),
            Source::Addend => self
                .c
                .as_ref()
                .map_or(Reach::ZERO, |c| Reach { unit: c.number.place(), end: c.operand.finite_exponent_max() + 1 }),
            Source::Link(index) => before[index as usize],
        };
        let all = |addend: bool| Reach::sum(link.terms.iter().filter(|term| term.is_addend == addend).map(of));
        let (numbers, addend) = (all(false), all(true));
        let both = Reach::sum([numbers, addend].into_iter().flatten()).unwrap_or(Reach::ZERO);
        let mut sum = match link.sum.kind {
            SumKind::Window { fraction_bits, .. } => {
                Reach { unit: both.unit.max(link.sum.low - fraction_bits as i32), end: both.end + 1 }
            }
            SumKind::Single | SumKind::Exact { .. } => both,
        };
        if let (Some(scales), Some(_)) = (&self.scales, &link.scale) {
            for scale in scales {
                let end = scale.number.exponent_max + scale.number.integer_bits();
                sum = Reach { unit: sum.unit + scale.number.place(), end: sum.end + end };
            }
        }
        let is_exact = !link.is_cut && link.scale.is_none() && link.shift == 0;
        LinkReach { numbers, addend, is_exact, sum: Reach { unit: sum.unit + link.shift, end: sum.end + link.shift } }
    }

    fn product_reach(&self) -> Reach {
        let end = self.a.operand.finite_exponent_max() + self.b.operand.finite_exponent_max() + 2;
        Reach { unit: self.product.place(), end }
    }
}

/// The finite numbers that a link adds, and their sum behind scales and shift.
struct LinkReach {
    numbers: Option<Reach>,
    addend: Option<Reach>,
    /// Whether what is rounded is their exact sum.
    is_exact: bool,
    sum: Reach,
}

impl Reach {
    /// Only zero.
    const ZERO: Reach = Reach { unit: i32::MAX, end: i32::MIN };

    fn sum(all: impl Iterator<Item = Reach>) -> Option<Reach> {
        let all: Vec<Reach> = all.collect();
        let unit = all.iter().map(|reach| reach.unit).min()?;
        let carries = all.len().next_power_of_two().ilog2() as i32;
        let end = all.iter().map(|reach| reach.end).max()?;
        Some(Reach { unit, end: end.saturating_add(carries) })
    }

    fn rounded(self, round: &RoundPlan) -> Reach {
        match (&round.normalise, &round.limit) {
            // A saturated number is a multiple of the largest number's last place.
            (Some(normalise), LimitPlan::Format { largest_exponent, .. }) => {
                let bits = normalise.precision as i32 - 1;
                let smallest = normalise.exponent_min.map_or(self.unit, |least| least - bits);
                let unit = self.unit.max(smallest).min(largest_exponent - bits);
                Reach { unit, end: (self.end + 1).min(largest_exponent + 1) }
            }
            (Some(_), LimitPlan::Exponent(_)) => Reach { end: self.end + 1, ..self },
            (None, _) => self,
        }
    }
}

/// Why a rounding leaves no subnormal number.
fn stays_normal(link: &LinkPlan, round: &RoundPlan, of: &LinkReach) -> Option<String> {
    let (unit, normal) = (of.sum.unit, round.normalise.as_ref()?.exponent_min?);
    if unit >= normal {
        return Some(format!("every sum is a multiple of 2^{unit}, and 2^{normal} is normal"));
    }
    flushed_addend_stays_normal(link, of, normal)
}

/// Subnormal addends count as zero. Beside numbers that are multiples of 2^u a greater addend leaves half of 2^u or more, and a
/// lesser one ends at the last place of a number just below that; alone it is normal.
fn flushed_addend_stays_normal(link: &LinkPlan, of: &LinkReach, normal: i32) -> Option<String> {
    let addend = link.addend.as_ref()?;
    let flushed = |term: &&TermPlan| term.is_addend && term.flush != InputSubnormals::Kept;
    let is_flushed = link.terms.iter().any(|term| flushed(&term)) && addend.subnormal_bits.is_some();
    let unit = of.numbers?.unit;
    let last_place = unit.saturating_sub(1 + addend.fraction_bits);
    (of.is_exact && is_flushed && addend.exponent_min >= normal && last_place >= normal)
        .then(|| format!("an addend alone is normal, and beside multiples of 2^{unit} it ends at 2^{last_place}"))
}
