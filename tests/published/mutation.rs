//! Changed units: each experiment must read otherwise on some, and every table says on which.

use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::unit::{AlignmentRounding, Unit};
use tensorsmith::literature::Work;

use super::{experiment, outcomes, unit};

/// A chain of rounded operations, and a tree of them.
pub const CHAIN: Mutation = Mutation::As("hickmann-fma-chain-fp16-fp32");
pub const TREE: Mutation = Mutation::As("hickmann-adder-tree-fp16-fp32");

/// A change of one thing.
#[derive(Debug, Clone, Copy)]
pub enum Mutation {
    /// F, more or less.
    FractionBits(i32),
    /// How terms are cut.
    Alignment(AlignmentRounding),
    /// How the sum is rounded to the result.
    Conversion(Rounding),
    /// Products normalised before alignment, or not.
    NormaliseProducts(bool),
    CarryBits(u32),
    FlushOperands,
    FlushAddend,
    FlushResult,
    Floor(Option<i32>),
    /// L.
    Products(u32),
    NaN(u64),
    /// Another unit of the catalogue with the same formats: another scheme.
    As(&'static str),
    /// The same, where its results are rounded toward zero.
    AsTruncating(&'static str),
}

impl Mutation {
    fn of(self, unit: &Unit) -> Unit {
        let mut changed = unit.clone();
        match self {
            Mutation::FractionBits(change) => {
                changed.alignment_mut().fraction_bits = changed.alignment().fraction_bits.saturating_add_signed(change);
            }
            Mutation::Alignment(rounding) => changed.alignment_mut().rounding = rounding,
            Mutation::Conversion(rounding) => changed.conversion.rounding = rounding,
            Mutation::NormaliseProducts(normalise) => changed.alignment_mut().normalise_products = normalise,
            Mutation::CarryBits(bits) => changed.carry_bits = Some(bits),
            Mutation::FlushOperands => changed.flush.operands = true,
            Mutation::FlushAddend => changed.flush.addend = true,
            Mutation::FlushResult => changed.flush.result = true,
            Mutation::Floor(floor) => changed.alignment_mut().exponent_floor = floor,
            Mutation::Products(products) => changed.products = products,
            Mutation::NaN(nan) => changed.conversion.nan = nan,
            Mutation::As(name) | Mutation::AsTruncating(name) => {
                changed = super::unit(name);
                assert_eq!(changed.formats, unit.formats, "{name} has the formats of {}", unit.name);
                changed.name.clone_from(&unit.name);
                if matches!(self, Mutation::AsTruncating(_)) {
                    changed.conversion.rounding = Rounding::TowardZero;
                }
            }
        }
        assert_ne!(&changed, unit, "{self:?} changes something");
        changed
    }
}

/// An experiment, a unit, and changes of which each must change the reading.
pub type Row = (&'static str, &'static str, &'static [Mutation]);

/// Each change is read, and each experiment of the work has one.
pub fn assert_seen(work: Work, rows: &[Row]) {
    assert_seen_but(work, rows, &[]);
}

/// The same, but for experiments whose reading no unit changes: their answers are planted elsewhere.
pub fn assert_seen_but(work: Work, rows: &[Row], planted: &[&str]) {
    let (mut seen, mut unseen) = (0, Vec::new());
    for (name, of, mutations) in rows {
        let right = unit(of);
        let reading = |unit: &Unit| {
            let outcome = outcomes(&unit.clone().into(), vec![experiment(work, name)]).remove(0);
            outcome.reading.unwrap_or_else(|reason| panic!("{}: {name} is not asked: {reason}", unit.name))
        };
        let own = reading(&right);
        for mutation in *mutations {
            let changed = reading(&mutation.of(&right));
            if changed == own {
                unseen.push(format!("{of}: {name} reads {own} with {mutation:?} too"));
            }
            println!("{of}: {name}: {own} becomes {changed} with {mutation:?}");
            seen += 1;
        }
    }
    assert!(unseen.is_empty(), "{}", unseen.join("\n"));
    for experiment in work.experiments() {
        let has = |row: &Row| row.0 == experiment.name && !row.2.is_empty();
        let is_planted = planted.contains(&experiment.name);
        assert!(rows.iter().any(has) != is_planted, "{} has no changed unit, or is planted too", experiment.name);
    }
    println!("{}: {seen} changes are seen", work.name());
}
