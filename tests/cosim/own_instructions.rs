//! An instruction of the user's own, whose units are files of the user's own too: every engine on shaped vectors, and wrong
//! compositions and units that must be caught.

use std::fs;

use tensorsmith::check::black_box::BlackBox;
use tensorsmith::check::compare::{Ran, to_the_end};
use tensorsmith::check::matrices::{Products, compare_matrices};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::instruction::{Instruction, Order};
use tensorsmith::engine::Kind;

use super::{emulator, open, run, support};

fn vectors() -> u64 {
    support::vectors(100_000)
}

/// A block of 4, of a scheme and formats that no unit of the catalogue has.
const UNIT: &str = r#"name = "own-block"
scheme = "fused"
products = 4
[formats]
a = { exponent_bits = 4, fraction_bits = 4, bias = 8, non_finite = "ieee" }
b = "e5m2"
c = "binary16"
d = "binary16"
[alignment]
fraction_bits = 11
rounding = "downward"
exponent_floor = -20
[conversion]
rounding = "toward-zero"
overflow = "saturate"
"#;

const ADDER: &str = r#"name = "own-adder"
scheme = "exact"
products = 1
formats = { a = "binary16", b = "e5m2", c = "bfloat16", d = "bfloat16" }
conversion = { rounding = "nearest-even", overflow = "ieee" }
"#;

const INSTRUCTION: &str = r#"name = "own"
summary = "two blocks from zero, pairs of K in turn, then c"
unit = "block.toml"
shape = { m = 3, n = 5, k = 8 }
order = "interleaved-pairs"
start = "zero"
final_addition = "adder.toml"
evidence = { grade = "chosen", source = "a test" }
"#;

/// The instruction as its files say.
fn own() -> Instruction {
    let folder = tempfile::tempdir().expect("a folder for the test");
    for (name, text) in [("block.toml", UNIT), ("adder.toml", ADDER), ("own.toml", INSTRUCTION)] {
        fs::write(folder.path().join(name), text).expect("room for a file");
    }
    Instruction::from_file(&folder.path().join("own.toml")).expect("an instruction")
}

const KINDS: [Kind; 3] = [Kind::Emulator, Kind::Reference, Kind::Rtl];

#[test]
fn emulator_reference_rtl_shaped_own_instruction() {
    let own = own();
    let engines: Vec<_> = KINDS.iter().filter_map(|kind| open("instructions", &own, *kind)).collect();
    assert!(engines.len() >= 2, "emulator and reference always run");
    let comparison = run(engines, &own, 5, vectors());
    println!("own: {} engines, {} vectors", comparison.engines.len(), comparison.compared);
    assert_eq!((comparison.compared, comparison.mismatches), (vectors(), 0), "{:?}", comparison.first);
}

#[test]
fn emulator_reference_rtl_matrices_own_instruction() {
    let own = own();
    let engines: Vec<_> = KINDS.iter().filter_map(|kind| open("instructions", &own, *kind)).collect();
    let products = Products::new(&own, Stimulus::shaped(own.frame(), 6), 6);
    let (comparison, _) =
        compare_matrices(engines, &own, &|number| products.draw(number), 20_000, &mut to_the_end).expect("answers");
    println!("own: {} engines, {} elements", comparison.engines.len(), comparison.compared);
    assert!(comparison.compared >= 20_000 && comparison.mismatches == 0, "{:?}", comparison.first);
}

/// Each engine of the right instruction against a black box of a wrong one.
#[test]
fn wrong_own_instructions_are_caught() {
    let own = own();
    let wrong = |change: fn(&mut Instruction)| {
        let mut wrong = own.clone();
        change(&mut wrong);
        assert_ne!(wrong, own);
        wrong
    };
    let faults = [
        ("halves for pairs", wrong(|wrong| wrong.order = Order::Contiguous)),
        ("one block of 8", wrong(|wrong| (wrong.order, wrong.unit.products) = (Order::Contiguous, 8))),
        ("another window", wrong(|wrong| wrong.unit.alignment_mut().fraction_bits += 1)),
        ("another addition", {
            wrong(|wrong| {
                let rounding = tensorsmith::describe::format::Rounding::TowardZero;
                wrong.final_addition.as_mut().expect("an adder").conversion.rounding = rounding;
            })
        }),
    ];
    for (fault, wrong) in &faults {
        for kind in KINDS {
            let Some(right) = open("instructions", &own, kind) else { continue };
            let black_box = BlackBox(emulator(wrong));
            let comparison = run(vec![right, Box::new(black_box)], &own, 5, vectors());
            println!("{fault}: {} of {} vectors differ on {}", comparison.mismatches, comparison.compared, kind.name());
            let first = comparison.first.unwrap_or_else(|| panic!("{fault} was not caught on {}", kind.name()));
            let [(_, right), (name, answer)] = first.answers.as_slice() else { panic!("two answers") };
            assert_eq!((name.as_str(), Some(*answer)), (BlackBox::NAME, BlackBox::answer(&first)));
            assert_ne!(right, answer);
        }
    }
}

/// A black box of the right instruction agrees with an engine of its own kind, and both are told apart in the account.
#[test]
fn right_black_box_agrees() {
    let own = own();
    let [right, other] = [(); 2].map(|()| emulator(&own));
    let comparison = run(vec![right, Box::new(BlackBox(other))], &own, 5, vectors());
    assert_eq!((comparison.compared, comparison.mismatches), (vectors(), 0));
    let mut identities = Vec::new();
    for ran in &comparison.engines {
        match ran {
            Ran::Vectors { identity, .. } => identities.push((identity.engine.as_str(), identity.version.as_str())),
            Ran::Skipped { engine, reason } => panic!("{engine}: {reason}"),
        }
    }
    assert_eq!([identities[0].0, identities[1].0], ["emulator", BlackBox::NAME]);
    assert_eq!(identities[1].1, format!("emulator: {}", identities[0].1));
}
