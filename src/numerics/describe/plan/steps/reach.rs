//! Results that a list of steps can never have, with the reason: bounds that follow from formats and windows alone.

use super::{LimitPlan, LinkPlan, RoundPlan, Source, StepsPlan, SumKind, TermPlan};
use crate::describe::arithmetic::{Exponent, Flushing, InputSubnormals};
use crate::describe::format::Rounding;

/// Finite numbers of a place: multiples of 2^unit, below 2^end, of exponents up to the given one.
#[derive(Debug, Clone, Copy)]
struct Reach {
    unit: i32,
    end: i32,
    exponent: i32,
    /// One number of a format and what is added to it, if that is known.
    beside: Option<Beside>,
}

/// A number of a format, below 2^end and of so many fraction bits, and a rest below 2^rest.
#[derive(Debug, Clone, Copy)]
struct Beside {
    end: i32,
    fraction_bits: i32,
    rest: i32,
}

impl Beside {
    /// The same with more than the rest.
    fn with(self, rest: i32) -> Beside {
        let both = match (self.rest, rest) {
            (i32::MIN, only) | (only, i32::MIN) => only,
            (one, other) => one.max(other).saturating_add(1),
        };
        Beside { rest: both, ..self }
    }
}

impl StepsPlan {
    /// Why no rounding leaves a subnormal number of its format, if none does.
    pub fn never_subnormal(&self) -> Option<String> {
        self.of_every_rounding(RoundPlan::is_normalising, stays_normal)
    }

    /// Why no rounding overflows, if none does.
    pub fn never_overflows(&self) -> Option<String> {
        self.of_every_rounding(
            |_| true,
            |_, round, of| {
                let LimitPlan::Format { largest_exponent: greatest, .. } = round.limit else {
                    return exceeds_no_bound(round, of);
                };
                let end = of.sum.end;
                if end <= greatest {
                    return Some(format!("every sum stays below 2^{end}, and 2^{greatest} is a finite result"));
                }
                // Beside the largest finite addend the other numbers are rounded away.
                let precision = round.normalise.as_ref()?.precision as i32;
                let Beside { end, fraction_bits, rest } = of.sum.beside?;
                let is_held = round.has_whole_range() && end <= greatest + 1 && fraction_bits < precision;
                let room = match round.rounding {
                    Rounding::NearestEven | Rounding::NearestAway => greatest - precision,
                    Rounding::TowardZero => greatest - precision + 1,
                    Rounding::TowardNegative | Rounding::TowardPositive | Rounding::ToOdd => return None,
                };
                (is_held && rest <= room).then(|| {
                    format!("what is added to the addend stays below 2^{rest}, and the largest result is rounded by less than 2^{room}")
                })
            },
        )
    }

    /// Why no rounding makes a zero of another number, if none does.
    pub fn never_underflows(&self) -> Option<String> {
        self.of_every_rounding(RoundPlan::is_normalising, |link, round, of| {
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

    /// Why no number becomes infinite where it is bounded but not rounded, if none does.
    pub fn never_exceeds_bounds(&self) -> Option<String> {
        self.of_every_rounding(|round| !round.is_normalising(), |_, round, of| exceeds_no_bound(round, of))
    }

    /// Why every number that is rounded, and does not overflow, stays as it is, if that is so.
    pub fn never_rounds(&self) -> Option<String> {
        self.of_every_rounding(RoundPlan::is_normalising, stays)
    }

    /// Why windows cut nothing of some of their numbers, if they never do.
    pub fn loses_no_bit(&self, of_terms: impl Fn(&TermPlan) -> bool) -> Option<String> {
        let mut last = None;
        self.for_every_link(|link, before| {
            let SumKind::Window { fraction_bits, .. } = link.sum.kind else { return Some(()) };
            let highest = self.highest_anchor(link, before);
            for term in link.terms.iter().filter(|term| link.is_cut && of_terms(term)) {
                let (unit, end) =
                    (self.reach(term, before).unit, highest - (fraction_bits - term.align.spare_left) as i32);
                let is_near = term.align.reach.is_none_or(|reach| highest - term.number.exponent_min <= reach as i32);
                if unit < end || !is_near {
                    return None;
                }
                last = Some(format!("numbers are multiples of 2^{unit}, and no window ends above 2^{end}"));
            }
            Some(())
        })?;
        last
    }

    /// Why roundings to a precision keep all bits, if they do.
    pub fn totals_keep_bits(&self) -> Option<String> {
        self.of_every_rounding(RoundPlan::is_to_precision, stays)
    }

    /// Finite products are below two to this power.
    pub fn products_end(&self) -> i32 {
        self.a.operand.finite_exponent_max() + self.b.operand.finite_exponent_max() + 2
    }

    /// Exponent of a power of two that divides every number beside the addend which the last link adds.
    pub fn unit_of_last_numbers(&self) -> Option<i32> {
        let mut unit = None;
        self.for_every_link(|link, before| {
            unit = self.link_reach(link, before).numbers.map(|reach| reach.unit);
            Some(())
        })?;
        unit
    }

    /// Why something is left of every number that a window cuts, if that is so.
    pub fn leaves_sticky_bits(&self) -> Option<String> {
        let sticky = |link: &LinkPlan| match link.sum.kind {
            SumKind::Window { rounding, .. } => rounding == Rounding::ToOdd,
            _ => true,
        };
        let reaches = |link: &LinkPlan| link.terms.iter().all(|term| term.align.reach.is_none());
        (self.links.iter().filter(|link| link.is_cut).all(|link| sticky(link) && reaches(link)))
            .then(|| "rounding to odd leaves a sticky bit of every term".to_owned())
    }

    /// Why no floor is above the exponents of all numbers, if none is.
    pub fn floors_stay_low(&self) -> Option<String> {
        let is_low = |link: &&LinkPlan| match link.sum.kind {
            SumKind::Window { floor, .. } => link.terms.iter().all(|term| {
                !term.number.zero_has_exponent && floor.is_none_or(|floor| floor <= term.number.exponent_min)
            }),
            _ => true,
        };
        let mut windows = self.links.iter().filter(|link| link.is_cut);
        windows.all(|link| is_low(&link)).then(|| "no number has an exponent below a floor".to_owned())
    }

    /// Why no sum has infinite numbers of both signs, if none has.
    pub fn never_opposes_infinities(&self) -> Option<String> {
        let mut before: Vec<bool> = Vec::new();
        self.for_every_link(|link, reaches| {
            let infinite = |term: &&TermPlan| match term.source {
                Source::Product(_) => self.a.operand.has_infinity() || self.b.operand.has_infinity(),
                Source::Addend => self.c.as_ref().is_some_and(|c| c.operand.has_infinity()),
                Source::Link(index) => before[index as usize],
            };
            let count = link.terms.iter().filter(infinite).count();
            if count > 1 {
                return None;
            }
            let end = self.link_reach(link, reaches).sum.end;
            let overflows = |round: &RoundPlan| match round.limit {
                LimitPlan::Format { to_infinity, has_infinity, .. } => has_infinity && to_infinity != [false; 2],
                LimitPlan::Exponent(greatest) => greatest.is_some_and(|greatest| end > greatest),
            };
            before.push(count > 0 || link.rounds.iter().any(overflows));
            Some(())
        })?;
        Some("at most one number of a sum can be infinite".to_owned())
    }

    /// The reason that holds for the last of some roundings, if every one has one.
    fn of_every_rounding(
        &self,
        of_roundings: impl Fn(&RoundPlan) -> bool,
        reason: impl Fn(&LinkPlan, &RoundPlan, &LinkReach) -> Option<String>,
    ) -> Option<String> {
        let mut last = None;
        self.for_every_link(|link, before| {
            let mut of = self.link_reach(link, before);
            for round in &link.rounds {
                if of_roundings(round) {
                    last = Some(reason(link, round, &of)?);
                }
                of.sum = of.sum.rounded(round);
                of.is_exact = false;
            }
            Some(())
        })?;
        last
    }

    /// Takes every link with the numbers of those before, until one is refused.
    fn for_every_link(&self, mut take: impl FnMut(&LinkPlan, &[Reach]) -> Option<()>) -> Option<()> {
        let mut before = Vec::new();
        for link in &self.links {
            take(link, &before)?;
            let sum = self.link_reach(link, &before).sum;
            before.push(link.rounds.iter().fold(sum, Reach::rounded));
        }
        Some(())
    }

    /// A number that enters a link.
    fn reach(&self, term: &TermPlan, before: &[Reach]) -> Reach {
        match term.source {
            Source::Product(_) => self.product_reach(),
            Source::Addend => self.c.as_ref().map_or(Reach::ZERO, |c| {
                let exponent = c.operand.finite_exponent_max();
                let (end, fraction_bits) = (exponent + 1, c.number.fraction_bits);
                let beside = Some(Beside { end, fraction_bits, rest: i32::MIN });
                Reach { unit: c.number.place(), end, exponent, beside }
            }),
            Source::Link(index) => before[index as usize],
        }
    }

    /// The greatest exponent to which finite numbers of a link are aligned.
    fn highest_anchor(&self, link: &LinkPlan, before: &[Reach]) -> i32 {
        let exponents = link.terms.iter().map(|term| self.reach(term, before).exponent);
        exponents.chain(link.sum.floor()).max().unwrap_or(link.sum.high)
    }

    /// The numbers of a link, behind others.
    fn link_reach(&self, link: &LinkPlan, before: &[Reach]) -> LinkReach {
        let of = |term: &TermPlan| self.reach(term, before);
        let all = |addend: bool| {
            let all: Vec<Reach> = link.terms.iter().filter(|term| term.is_addend == addend).map(of).collect();
            Reach::sum(&all)
        };
        let (numbers, addend) = (all(false), all(true));
        let both = Reach::sum(&[numbers, addend].into_iter().flatten().collect::<Vec<_>>()).unwrap_or(Reach::ZERO);
        let exponent = self.highest_anchor(link, before).min(link.sum.number.exponent_max);
        let mut sum = match link.sum.kind {
            SumKind::Window { fraction_bits, .. } => {
                let unit = both.unit.max(link.sum.low - fraction_bits as i32);
                let carries = link.terms.len().next_power_of_two().ilog2() as i32;
                // Each number can lose a unit of its window, and of the addend's shorter one.
                let lost = self.highest_anchor(link, before) - fraction_bits as i32 + carries;
                let held = |beside: &Beside| {
                    link.terms.iter().all(|term| {
                        !term.is_addend || beside.fraction_bits <= (fraction_bits - term.align.spare_left) as i32
                    })
                };
                let beside = both.beside.filter(held).map(|beside| beside.with(lost));
                Reach { unit, end: both.end + 1, exponent, beside }
            }
            SumKind::Single { .. } if link.sum.exponent == Exponent::Leading => {
                Reach { exponent: both.end - 1, ..both }
            }
            SumKind::Single { .. } => both,
            SumKind::Exact { .. } => Reach { exponent: link.sum.number.exponent_max, ..both },
        };
        if let (Some(scales), Some(_)) = (&self.scales, &link.scale) {
            for scale in scales {
                let exponent = scale.operand.scale_exponent_max();
                // Without a fraction it is a power of two.
                let end = exponent + i32::from(scale.operand.fraction_bits > 0);
                sum = sum.times(Reach { unit: scale.number.place(), end, exponent, beside: None });
            }
        }
        let is_exact = !link.is_cut && link.scale.is_none() && link.shift == 0;
        let shift = Reach { unit: link.shift, end: link.shift, exponent: link.shift, beside: None };
        LinkReach { numbers, is_exact, sum: if link.shift == 0 { sum } else { sum.times(shift) } }
    }

    fn product_reach(&self) -> Reach {
        let end = self.products_end();
        Reach { unit: self.product.place(), end, exponent: end - 2, beside: None }
    }
}

/// The finite numbers that a link adds, and their sum behind scales and shift.
struct LinkReach {
    numbers: Option<Reach>,
    /// Whether what is rounded is their exact sum.
    is_exact: bool,
    sum: Reach,
}

impl Reach {
    /// Only zero.
    const ZERO: Reach = Reach { unit: i32::MAX, end: i32::MIN, exponent: i32::MIN, beside: None };

    fn sum(all: &[Reach]) -> Option<Reach> {
        let unit = all.iter().map(|reach| reach.unit).min()?;
        let carries = all.len().next_power_of_two().ilog2() as i32;
        let end = all.iter().map(|reach| reach.end).max()?;
        let exponent = all.iter().map(|reach| reach.exponent).max()?;
        // One number that is an addend, and the others.
        let is_addend = |reach: &&Reach| reach.beside.is_some() && reach.end == end;
        let beside = match all.iter().filter(is_addend).count() {
            1 => {
                let others: Vec<Reach> = all.iter().filter(|reach| !is_addend(reach)).copied().collect();
                let others = Reach::sum(&others);
                let own = all.iter().find(is_addend).and_then(|reach| reach.beside);
                own.map(|own| own.with(others.map_or(i32::MIN, |others| others.end)))
            }
            _ => None,
        };
        Some(Reach { unit, end: end.saturating_add(carries), exponent, beside })
    }

    /// Products of these numbers and others.
    fn times(self, other: Reach) -> Reach {
        Reach {
            unit: self.unit.saturating_add(other.unit),
            end: self.end.saturating_add(other.end),
            exponent: self.exponent.saturating_add(other.exponent),
            beside: None,
        }
    }

    fn rounded(self, round: &RoundPlan) -> Reach {
        match (&round.normalise, &round.limit) {
            // A saturated number is a multiple of the largest number's last place.
            (Some(normalise), LimitPlan::Format { largest_exponent, .. }) => {
                let bits = normalise.precision as i32 - 1;
                let smallest = normalise.exponent_min.map_or(self.unit, |least| least - bits);
                let unit = self.unit.max(smallest).min(largest_exponent - bits);
                let end = (self.end + 1).min(largest_exponent + 1);
                let beside = Some(Beside { end, fraction_bits: round.number.fraction_bits, rest: i32::MIN });
                Reach { unit, end, exponent: (end - 1).max(round.number.exponent_min), beside }
            }
            (Some(normalise), LimitPlan::Exponent(_)) => {
                let last = self.end + 1 - normalise.precision as i32;
                let beside = self.beside.map(|beside| beside.with(last));
                Reach { end: self.end + 1, exponent: self.end.max(round.number.exponent_min), beside, ..self }
            }
            (None, LimitPlan::Exponent(Some(greatest))) => {
                Reach { end: self.end.min(greatest + 1), exponent: self.exponent.min(*greatest), ..self }
            }
            (None, _) => self,
        }
    }
}

/// Why a rounding leaves every number as it is.
fn stays(_: &LinkPlan, round: &RoundPlan, of: &LinkReach) -> Option<String> {
    let normalise = round.normalise.as_ref()?;
    let (Reach { unit, end, .. }, precision) = (of.sum, normalise.precision as i32);
    let least = normalise.exponent_min.map_or(unit, |least| least - precision + 1);
    (unit >= least && end.saturating_sub(unit) <= precision)
        .then(|| format!("every sum is a multiple of 2^{unit} below 2^{end}, which {precision} bits hold"))
}

/// Why no number becomes infinite at a bound.
fn exceeds_no_bound(round: &RoundPlan, of: &LinkReach) -> Option<String> {
    let LimitPlan::Exponent(greatest) = round.limit else { return None };
    let end = of.sum.end;
    greatest.is_none_or(|greatest| end <= greatest + 1).then(|| format!("numbers stay below 2^{end}"))
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
/// lesser one ends at the last place of a number just below that; in a window all end at its last place. Alone it is normal.
fn flushed_addend_stays_normal(link: &LinkPlan, of: &LinkReach, normal: i32) -> Option<String> {
    let addend = link.addend.as_ref()?;
    let flushed = |term: &&TermPlan| term.is_addend && term.flush != InputSubnormals::Kept;
    let is_flushed = link.terms.iter().any(|term| flushed(&term)) && addend.subnormal_bits.is_some();
    let last_place = match link.sum.kind {
        SumKind::Window { fraction_bits, .. } if link.is_cut => {
            link.numbers.as_ref()?.exponent_min - fraction_bits as i32
        }
        _ if of.is_exact => of.numbers?.unit.saturating_sub(1 + addend.fraction_bits),
        _ => return None,
    };
    (is_flushed && addend.exponent_min >= normal && last_place >= normal)
        .then(|| format!("an addend alone is normal, and beside other numbers sums are multiples of 2^{last_place}"))
}
