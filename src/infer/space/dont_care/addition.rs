//! Where the sum of products and the addend, added to each other in a window of their own, cannot show a change.

use crate::describe::format::Rounding;
use crate::describe::instruction::Instruction;
use crate::describe::plan::{LinkPlan, Plan, StepsPlan};
use crate::describe::unit::{Addition, AlignmentRounding, Groups, ProductOverflow, Unit};
use crate::infer::space::Setting;

/// Why the change of one such unit to another does not show.
pub(super) fn reason(setting: &Setting, one: &Instruction, other: &Instruction) -> Option<String> {
    let (one, other) = (Sums::of(&one.unit)?, Sums::of(&other.unit)?);
    let both = |reason: fn(&Sums) -> Option<String>| reason(&one).filter(|_| reason(&other).is_some());
    match setting {
        Setting::ProductOverflow(_) => one.no_product_overflows(),
        Setting::ExponentFloor(_) => {
            let floor = one.product_floor.max(other.product_floor);
            one.product_windows_end_low(floor).or_else(|| one.addition_floor_above(floor))
        }
        Setting::AdditionFloor(_) => {
            let floor = one.floor.max(other.floor);
            let held = one.windows_end_low(floor).or_else(|| one.floor_below_products(floor));
            held.or_else(|| one.floor_cut_like_total(floor))
        }
        Setting::FractionBits(_) | Setting::AlignmentRounding(_) => both(Sums::products_lose_nothing),
        Setting::SumFractionBits(_) => both(Sums::sum_loses_nothing)
            .or_else(|| both(Sums::sum_cut_like_total))
            .or_else(|| both(Sums::sum_lost_in_rounding)),
        Setting::AddendFractionBits(_) => both(Sums::addend_loses_nothing),
        Setting::AdditionRounding(_) => one
            .addend_loses_nothing()
            .and(one.sum_loses_nothing())
            .filter(|_| one.addition.groups == Groups::One || one.products_lose_nothing().is_some()),
        Setting::AddendReach(_) => both(Sums::unreached_leave_nothing),
        Setting::TotalFractionBits(_) => both(Sums::total_keeps_bits),
        _ => None,
    }
}

/// Why the sum that such a unit rounds is exact, if it is.
pub(super) fn loses_no_bit(unit: &Unit) -> Option<String> {
    let sums = Sums::of(unit)?;
    let finite = sums.addition.product_overflow == ProductOverflow::None || sums.no_product_overflows().is_some();
    let reached = sums.reached(sums.anchor_max()) && sums.total_keeps_bits().is_some();
    let held = [sums.products_lose_nothing()?, sums.sum_loses_nothing()?, sums.addend_loses_nothing()?];
    (finite && reached).then(|| held.join("; "))
}

/// What such a unit adds. Every product is a multiple of 2^unit; every addend of 2^addend.
struct Sums {
    plan: Box<StepsPlan>,
    addition: Addition,
    /// Fraction bits that are kept of a product.
    fraction_bits: i32,
    /// Integer bits of the sum of products.
    integer_bits: i32,
    /// Least anchor of the products, and of the addition.
    product_floor: i32,
    floor: i32,
    unit: i32,
    addend: i32,
    /// Least and greatest exponent of an addend.
    addend_exponents: [i32; 2],
    /// Products of two to this power are infinite, if any are.
    limit: i32,
}

impl Sums {
    fn of(unit: &Unit) -> Option<Sums> {
        let (addition, Plan::Steps(plan)) = (unit.addition.clone()?, Plan::of(unit)) else { return None };
        let (c, alignment) = (&unit.formats.c, unit.alignment());
        let windows: Vec<&LinkPlan> = plan.links.iter().filter(|link| link.is_cut).collect();
        let [products, sum] = [windows.first()?, windows.last()?].map(|link| link.numbers.as_ref());
        let lowest = products?.exponent_min.min(c.exponent_min());
        let product_floor = alignment.exponent_floor.map_or(lowest, |floor| floor.max(lowest));
        Some(Sums {
            fraction_bits: alignment.fraction_bits as i32,
            integer_bits: sum?.integer_bits(),
            product_floor,
            floor: addition.exponent_floor.map_or(lowest, |floor| floor.max(lowest)),
            unit: plan.product.place(),
            addition,
            addend: c.exponent_min() - c.fraction_bits as i32,
            addend_exponents: [c.exponent_min(), c.hidden_exponent_max()],
            limit: unit.formats.d.exponent_max() + 1,
            plan,
        })
    }

    fn no_product_overflows(&self) -> Option<String> {
        let end = self.plan.products_end();
        (end <= self.limit).then(|| format!("products stay below 2^{end}"))
    }

    /// The last places of the window of the addition at an anchor: of the sum of products, and of the addend.
    fn ends(&self, anchor: i32) -> [i32; 2] {
        [self.addition.sum_fraction_bits, self.addition.addend_fraction_bits].map(|bits| anchor - bits as i32)
    }

    /// No addend is out of reach of an anchor.
    fn reached(&self, anchor: i32) -> bool {
        let distance = anchor - self.addend_exponents[0];
        self.addition.addend_reach.is_none_or(|reach| distance <= reach as i32)
    }

    /// Windows at anchors up to that of the addition cut and drop nothing. What products are cut to is a multiple of what they
    /// are multiples of, or of the last place of a window above that.
    fn windows_end_low(&self, anchor: i32) -> Option<String> {
        let [sum_end, addend_end] = self.ends(anchor);
        let (unit, addend) = (self.unit, self.addend);
        (sum_end <= unit && addend_end <= addend && self.reached(anchor)).then(|| {
            format!(
                "products are multiples of 2^{unit} and addends of 2^{addend}, and windows at floors up to {anchor} end there \
                 or below"
            )
        })
    }

    /// The same of the products' own windows, and of those of the addition where their anchor is also its.
    fn product_windows_end_low(&self, anchor: i32) -> Option<String> {
        let held = anchor - self.fraction_bits <= self.unit;
        self.windows_end_low(anchor).filter(|_| held)
    }

    /// A floor of the addition lies above those of the products: their sum is at that anchor either way, and they lose nothing
    /// below it.
    fn addition_floor_above(&self, floor: i32) -> Option<String> {
        let (end, unit) = (floor - self.fraction_bits, self.unit);
        let above = self.addition.exponent_floor.filter(|above| *above >= floor)?;
        (end <= unit).then(|| {
            format!("products are multiples of 2^{unit}, windows of theirs at floors up to {floor} end at 2^{end}, and no anchor of the addition lies below {above}")
        })
    }

    /// The sum of products keeps the greatest anchor of theirs, which is never below their floor.
    fn floor_below_products(&self, floor: i32) -> Option<String> {
        let least = self.product_floor;
        (floor <= least).then(|| format!("no sum of products has an exponent below {least}"))
    }

    /// No product loses a bit, whatever its group's anchor.
    fn products_lose_nothing(&self) -> Option<String> {
        let end = (self.plan.products_end() - 1).max(self.product_floor) - self.fraction_bits;
        let unit = self.unit;
        (end <= unit).then(|| format!("products are multiples of 2^{unit}, and no window of theirs ends above 2^{end}"))
    }

    /// The greatest anchor of the addition.
    fn anchor_max(&self) -> i32 {
        let floors = self.product_floor.max(self.floor);
        (self.plan.products_end() - 1).max(self.addend_exponents[1]).max(floors)
    }

    /// The sum of products loses no bit in the addition.
    fn sum_loses_nothing(&self) -> Option<String> {
        let [end, _] = self.ends(self.anchor_max());
        let unit = self.unit.max(self.product_floor - self.fraction_bits);
        let whole = (end <= unit)
            .then(|| format!("sums of products are multiples of 2^{unit}, and no window ends above 2^{end}"));
        whole.or_else(|| self.sum_loses_nothing_at_addend(unit))
    }

    /// A floor of the addition up to the least exponent of d cuts nothing of an addend, and of a sum of products only what its
    /// total loses too: both are rounded downward, the total no lower.
    fn floor_cut_like_total(&self, floor: i32) -> Option<String> {
        let Addition { sum_fraction_bits: sum, total_fraction_bits, rounding, .. } = self.addition;
        let (total, least) = (total_fraction_bits?, self.plan.result.exponent_min);
        let whole = self.ends(floor)[1] <= self.addend && self.reached(floor);
        (rounding == AlignmentRounding::Downward && floor <= least && whole && sum > total).then(|| {
            format!(
                "windows at floors up to {least} cut sums only where totals end, at 2^{} or above",
                least - total as i32
            )
        })
    }

    /// At its own anchor the sum keeps what was kept of products, and at that of an addend or a floor all of it.
    fn sum_loses_nothing_at_addend(&self, unit: i32) -> Option<String> {
        let [end, _] = self.ends(self.addend_exponents[1].max(self.floor));
        let [products, sum] = [self.fraction_bits, self.addition.sum_fraction_bits as i32];
        (end <= unit && sum >= products).then(|| {
            format!(
                "sums keep the {products} fraction bits of products at their own anchor, and at an addend's or a floor their \
                 window ends at 2^{end} or below, of which they are multiples"
            )
        })
    }

    /// What the sum of products loses, the total would lose: both are rounded downward, the total no lower.
    ///
    /// At its own anchor the sum loses nothing. At that of a normal addend it loses bits only below half of that addend, so
    /// that the total's leading one lies at most one place below the anchor; at any other the total's places are counted from
    /// the least exponent of d or above it.
    fn sum_cut_like_total(&self) -> Option<String> {
        let Addition { sum_fraction_bits: sum, total_fraction_bits, rounding, .. } = self.addition;
        let total = total_fraction_bits?;
        let low = self.floor.max(self.addend_exponents[0]) <= self.plan.result.exponent_min;
        let far = sum as i32 > self.fraction_bits + self.integer_bits;
        (rounding == AlignmentRounding::Downward && low && far && sum > total).then(|| {
            format!("sums lose bits only beside an addend more than twice as large, and their total keeps {total} bits, rounded downward")
        })
    }

    /// A sum of products loses bits only beside an addend so large that it is the nearest result, with what is left of the sum or
    /// without.
    ///
    /// ```text
    ///   addend   1.ffff                    a normal number, a result as it is
    ///   sum             iiiii.ffffffff     below half of the last place under the addend
    ///                              ^       last place of the window
    /// ```
    fn sum_lost_in_rounding(&self) -> Option<String> {
        let (result, sum) = (&self.plan.result, self.addition.sum_fraction_bits as i32);
        let addend = &self.plan.c.as_ref()?.operand;
        let nearest = matches!(result.rounding, Rounding::NearestEven | Rounding::NearestAway);
        let held = result.has_normal()
            && addend.fraction_bits <= result.fraction_bits
            && self.addend_exponents[0] >= result.exponent_min;
        // At the least exponent of an addend, or a floor, where the addend may be zero or subnormal, the sum loses nothing.
        let [lowest, _] = self.ends(self.addend_exponents[0].max(self.floor));
        let whole = lowest <= self.unit.max(self.product_floor - self.fraction_bits);
        let far = sum > self.fraction_bits + self.integer_bits + result.fraction_bits as i32;
        (nearest && held && whole && far && self.addition.total_fraction_bits.is_none()).then(|| {
            format!("sums lose bits only beside an addend of which they are less than 2^-{}", result.fraction_bits + 2)
        })
    }

    /// The total loses nothing where it is cut.
    fn total_keeps_bits(&self) -> Option<String> {
        match self.addition.total_fraction_bits {
            None => Some("the total keeps all of its bits".to_owned()),
            Some(_) => self.plan.totals_keep_bits(),
        }
    }

    /// The addend loses no bit.
    fn addend_loses_nothing(&self) -> Option<String> {
        let ([_, end], addend) = (self.ends(self.anchor_max()), self.addend);
        (end <= addend)
            .then(|| format!("addends are multiples of 2^{addend}, and no window of theirs ends above 2^{end}"))
    }

    /// Nothing is left of an addend that is out of reach, whether it is dropped or cut.
    fn unreached_leave_nothing(&self) -> Option<String> {
        let kept = self.addition.addend_fraction_bits;
        let least = match self.addition.rounding {
            AlignmentRounding::TowardZero => kept,
            AlignmentRounding::NearestEven => kept + 1,
            AlignmentRounding::Downward | AlignmentRounding::ToOdd => return None,
        };
        let far = self.addition.addend_reach.is_none_or(|reach| reach >= least);
        far.then(|| format!("nothing is left of an addend whose exponent lies more than {least} below the anchor"))
    }
}
