//! The structure of a sum: what each reads in `order-of-operations`, and twins with another one.

use tensorsmith::describe::instruction::{Instruction, Start};
use tensorsmith::describe::unit::Scheme;

use super::faults::Seen;
use super::*;

/// What remains with -1 in a position, in units of the small term behind it.
fn remains(subject: &Subject, cancels: i32, form: i32) -> f64 {
    let readings = readings(subject, "order-of-operations", &[("cancels", cancels), ("form", form)]);
    let [(Probe { vector, .. }, value)] = readings.as_slice() else { panic!("{}: one probe", subject.name()) };
    let (formats, last) = (subject.interface().formats, vector.a.len() - 1);
    let place = |position: i32| if form == 0 { position as usize } else { last - position as usize };
    let small = place(cancels + 1);
    value / (formats.a.to_f64(vector.a[small]) * formats.b.to_f64(vector.b[small]))
}

/// One and two positions from the first product; the expected numbers stand in the text of the test.
#[test]
fn structures_read_as_the_test_says() {
    let expected = [
        ("ampere-fp16-fp32", [0.0, 0.0]),
        ("ampere-bf16-fp32", [0.0, 0.0]),
        ("hopper-e4m3-fp32", [0.0, 0.0]),
        ("tf64-fp16-fp64", [0.0, 0.0]),
        ("hickmann-fma-chain-fp16-fp32", [1.0, 1.0]),
        ("amx-bf16-fp32", [0.0, 3.0]),
        ("hickmann-adder-tree-fp16-fp32", [1.0, 0.0]),
        ("cdna2-fp16-fp32", [1.0, 0.0]),
        ("cdna1-fp16-fp32", [1.0, 3.0]),
    ];
    for (name, expected) in expected {
        for form in [0, 1] {
            // A chain that is read from its end keeps nothing: the small term comes first.
            let mirrored = form == 1 && name == "hickmann-fma-chain-fp16-fp32";
            let expected = if mirrored { [0.0, 0.0] } else { expected };
            let read = [1, 2].map(|cancels| remains(&subject(name), cancels, form));
            assert_eq!(read, expected, "{name}, form {form}");
        }
    }
}

/// The same formats and constants, another order of the same sums.
pub fn structures(seen: &mut Seen) {
    let right = unit("amx-bf16-fp32");
    for scheme in [Scheme::FmaChain, Scheme::Pairwise] {
        let wrong = Unit { scheme, ..right.clone() };
        seen.told("another structure", &right.clone().into(), &wrong.into(), &["order-of-operations"]);
    }
    let chain = unit("hickmann-fma-chain-fp16-fp32");
    for other in ["hickmann-integer-tree-fp16-fp32", "hickmann-adder-tree-fp16-fp32"] {
        seen.told("no chain", &chain.clone().into(), &subject(other), &["order-of-operations"]);
    }
    let [fused, tree] = ["hickmann-integer-tree-fp16-fp32", "hickmann-adder-tree-fp16-fp32"].map(subject);
    seen.told("no fused sum", &fused, &tree, &["order-of-operations"]);
}

/// The same constants, with the sum converted after every product.
pub fn after_every_product(unit: &Unit) -> Subject {
    let mut instruction = Instruction::alone(unit.clone());
    instruction.unit.products = 1;
    instruction.into()
}

/// Partial sums are neither normalised nor brought into the range of the result: twins in which they are.
pub fn partial_sums(seen: &mut Seen) {
    for name in ["ampere-bf16-fp32", "hopper-bf16-fp32"] {
        let (once, after_each) = (subject(name), after_every_product(&unit(name)));
        let tests = ["normalise-once", "monotonicity", "overflow-and-back"];
        seen.told("converted after every product", &once, &after_each, &tests);
        assert!(falls(&once) > 0 && falls(&after_each) == 0, "{name}: only the sum converted once is not monotonic");
    }
}

/// How often the same products beside a larger addend have a smaller result.
fn falls(subject: &Subject) -> usize {
    let [below, above] = ["normalise-once", "monotonicity"].map(|name| readings(subject, name, &[]));
    let falls =
        |probe: &Probe, low: f64| above.iter().any(|(other, high)| other.parameters == probe.parameters && *high < low);
    below.iter().filter(|(probe, low)| falls(probe, *low)).count()
}

/// An addend in the sum, and its twin that adds it afterwards, for operands with and without the published numbers.
pub fn place_of_the_addend(seen: &mut Seen) {
    let inside = [
        "hopper-mma-m16n8k16-fp16-fp32",
        "hopper-mma-m16n8k16-bf16-fp32",
        "ada-mma-m16n8k32-e4m3-fp32",
        "ada-mma-m16n8k32-e5m2-fp32",
    ];
    for name in inside {
        let right = instruction(name);
        let mut adder = unit("addition-fp32");
        (adder.formats.a, adder.formats.d) = (right.unit.formats.d.clone(), right.unit.formats.d.clone());
        let mut outside = right.clone();
        (outside.start, outside.final_addition) = (Start::Zero, Some(adder));
        seen.told("an addend outside", &right.into(), &outside.into(), &["addend-inside"]);
    }
    for name in ["hopper-mma-m16n8k32-e4m3-fp32", "hopper-mma-m16n8k32-e5m2-fp32"] {
        let right = instruction(name);
        assert_eq!(right.start, Start::Zero, "{name} adds c afterwards");
        let mut inside = right.clone();
        (inside.start, inside.final_addition) = (Start::Addend, None);
        seen.told("an addend inside", &right.into(), &inside.into(), &["addend-inside"]);
    }
}

/// F of units whose results are much shorter or much longer than fp32, one more and one less.
pub fn fraction_bits_of_short_and_long_units(seen: &mut Seen) {
    let tests = [("tiny-truncating", "datapath-width"), ("tf64-fp32-fp64", "datapath-width")];
    let more =
        [("tf64-fp32-fp64", "one-extra-bit"), ("tf64-fp32-fp64", "two-extra-bits"), ("tf64-fp16-fp64", "sticky")];
    for (name, test) in tests.into_iter().chain(more) {
        let right = unit(name);
        let mut less = right.clone();
        less.alignment_mut().fraction_bits -= 1;
        seen.told("F one less", &right.into(), &less.into(), &[test]);
    }
    let right = unit("tiny-truncating");
    for test in ["largest-first", "addend-in-anchor", "block-width", "one-extra-bit"] {
        let probes = super::test(test).probes(&right.interface());
        assert!(!probes.is_empty(), "tiny-truncating: {test} has no vector");
    }
}
