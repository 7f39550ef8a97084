//! Hickmann and Bradford: readings, documented differences, the structures they reject, and changed units.

use tensorsmith::describe::format::Rounding::{NearestEven, TowardZero};
use tensorsmith::describe::unit::AlignmentRounding::ToOdd;
use tensorsmith::literature::{Reading, Work};

use super::mutation::{Mutation, Mutation::*, Row, assert_seen};
use super::{assert_published, experiment, outcomes, subject};

const VOLTA: &str = "volta-fp16-fp32";
const OWN: &str = "hickmann-integer-tree-fp16-fp32";
const NARROW: &str = "volta-fp16-fp16";

const CHAIN: Mutation = As("hickmann-fma-chain-fp16-fp32");
const TREE: Mutation = As("hickmann-adder-tree-fp16-fp32");
/// Terms summed exactly, four at a time.
const EXACT: Mutation = As("cdna1-fp16-fp32");

#[test]
fn hickmann_readings() {
    // C apart twice, between elements twice, for both units; subnormals of binary32 on the first; the misprint.
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
