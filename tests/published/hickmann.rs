//! Hickmann and Bradford: readings, documented differences, the structures they reject, and changed units.

use tensorsmith::check::probe::{Sum, Value};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Rounding::{NearestEven, TowardZero};
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::AlignmentRounding::ToOdd;
use tensorsmith::describe::unit::{Flush, Unit};
use tensorsmith::literature::{Experiment, Questions, Reading, Work};

use super::mutation::{CHAIN, Mutation, Mutation::*, Row, TREE, assert_seen};
use super::{assert_published, experiment, outcomes, subject};

const VOLTA: &str = "volta-fp16-fp32";
const OWN: &str = "hickmann-integer-tree-fp16-fp32";
const NARROW: &str = "volta-fp16-fp16";

/// Terms summed exactly, four at a time.
const EXACT: Mutation = As("cdna1-fp16-fp32");

#[test]
fn hickmann_readings() {
    // C apart twice, between elements twice, for two units; subnormals of binary32 on the first; the misprint. The third unit has all.
    assert_eq!(assert_published(Work::Hickmann), 2 * (2 + 2) + 1 + 1);
}

#[test]
fn hickmann_sees_changed_units() {
    let rows: &[Row] = &[
        ("order-of-operations", VOLTA, &[CHAIN, TREE, EXACT]),
        ("structure", VOLTA, &[CHAIN, TREE, EXACT]),
        ("internal-precision", VOLTA, &[FractionBits(1), FractionBits(-1), CHAIN]),
        ("order-with-addend", VOLTA, &[CHAIN, TREE]),
        ("fp32-rounding", VOLTA, &[FractionBits(-1), Alignment(ToOdd), CHAIN, TREE]),
        ("integer-overflow", OWN, &[Alignment(ToOdd), CHAIN, TREE]),
        ("fp16-rounding", NARROW, &[Conversion(TowardZero), FractionBits(-13)]),
        ("fp16-datapath-width-as-printed", NARROW, &[FractionBits(-14)]),
        ("fp16-datapath-width", NARROW, &[FractionBits(1), FractionBits(-1), Alignment(ToOdd), Conversion(TowardZero)]),
        ("rounding-of-addend", VOLTA, &[CHAIN, TREE]),
        ("rounding-of-addend", "ampere-fp16-fp32", &[Conversion(NearestEven)]),
        ("fp16-subnormals", NARROW, &[FlushOperands, FlushResult]),
        ("fp32-subnormals", VOLTA, &[FlushAddend, FlushResult]),
        ("rounding-between-elements", VOLTA, &[CHAIN, TREE]),
        ("order-of-elements", VOLTA, &[EXACT]),
        ("permutations", VOLTA, &[Products(8), CHAIN, EXACT]),
    ];
    assert_seen(Work::Hickmann, rows);
}

/// One unit has every reading of binary32 that the slides print, and with another order or rounding it has not.
#[test]
fn hickmann_reading_is_one_unit() {
    let unit = catalogue::unit("hickmann-reading-fp16-fp32").expect("in the catalogue");
    // All with a published reading, but those of results of binary16.
    let printed = |experiment: &&Experiment| !experiment.published.is_empty() && !experiment.name.starts_with("fp16-");
    let printed = Work::Hickmann.experiments().iter().filter(printed).count();
    assert_eq!(printed, 10);
    let differing = |unit: Unit| {
        let outcomes = outcomes(&Subject::Unit(unit), Work::Hickmann.experiments());
        let of_unit = outcomes.iter().filter_map(|outcome| {
            let own = outcome.experiment.published.iter().find(|one| one.unit == "hickmann-reading-fp16-fp32")?;
            Some((outcome.experiment.name, outcome.reading.as_ref() == Ok(&own.reading)))
        });
        let (same, differing): (Vec<_>, Vec<_>) = of_unit.partition(|(_, same)| *same);
        assert_eq!(same.len() + differing.len(), printed, "{same:?} {differing:?}");
        differing.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(differing(unit.clone()), [""; 0]);
    let mut cut = unit.clone();
    cut.conversion.rounding = TowardZero;
    assert!(differing(cut).contains(&"rounding-of-addend"));
    let mut kept = unit.clone();
    kept.flush = Flush::default();
    assert_eq!(differing(kept), ["fp32-subnormals"]);
    let mut short = unit;
    short.products = 4;
    assert!(differing(short).contains(&"rounding-between-elements"));
}

/// That unit rounds once: a sum of products beyond 2 is not cut before c is added. The vectors of the slides do not tell.
#[test]
fn hickmann_reading_has_one_rounding_point() {
    let beyond = Experiment {
        vectors: |bench| {
            let terms = [0, 0, -22, -23].map(Value::power).into_iter().enumerate();
            let sum = terms.fold(Sum::default(), |sum, (place, term)| sum.at(place, term));
            Questions::of(bench, [("1, 1, 2^-22, 2^-23".to_owned(), sum)])
        },
        published: Vec::new(),
        ..experiment(Work::Hickmann, "integer-overflow")
    };
    let read = |unit| outcomes(&subject(unit), vec![beyond.clone()]).remove(0).reading;
    let above_two = |exponent| Ok(Reading::number(Value::power(1) + Value::power(exponent)));
    assert_eq!(read(OWN), above_two(-22));
    assert_eq!(read("hickmann-reading-fp16-fp32"), above_two(-21));
}

/// The three structures of the slides are told apart, and so are their pictures.
#[test]
fn hickmann_tells_structures_apart() {
    let units = [VOLTA, OWN, "hickmann-fma-chain-fp16-fp32", "hickmann-adder-tree-fp16-fp32"];
    let structures = units.map(|unit| {
        outcomes(&subject(unit), vec![experiment(Work::Hickmann, "structure")]).remove(0).reading.expect("it is asked")
    });
    let names = ["no rounding inside", "no rounding inside", "chain, first product first", "tree of pairs"];
    assert_eq!(structures, names.map(Reading::Name));
    let grids = units.map(|unit| {
        let outcome = outcomes(&subject(unit), vec![experiment(Work::Hickmann, "internal-precision")]).remove(0);
        Work::Hickmann.grid(&outcome).expect("it has a picture").cells
    });
    assert_eq!(grids[0], grids[1]);
    assert!(grids[1] != grids[2] && grids[2] != grids[3] && grids[3] != grids[1]);
    let without = outcomes(&subject(VOLTA), vec![experiment(Work::Hickmann, "structure")]).remove(0);
    assert_eq!(Work::Hickmann.grid(&without), None);
}
