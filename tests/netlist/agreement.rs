//! Emulator and netlist on the same vectors.

use tensorsmith::check::compare::{Comparison, Source, compare};
use tensorsmith::check::stimulus::{Exhaustive, Stimulus};
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit;
use tensorsmith::engine::netlist::{MULTIPLY, Mode, Netlist, Variant, files, netlist_of};
use tensorsmith::engine::{Batch, Emulator, Engine};

use super::{modes, needs_yosys, netlist, support, unit};

/// Neither a multiple of 512 nor of 64.
const VECTORS: u64 = 100_003;
const SEED: u64 = 21;

/// One of each kind of port, small enough to be mapped in seconds.
const UNITS: [&str; 3] = ["tiny-grouped", "tiny-riscv", "tiny-integer"];
/// Those of the long tier beside them.
const LARGER_UNITS: [&str; 5] = ["tiny-truncating", "tiny-fma", "addition-fp16", "volta-fp16-fp16", "ada-e5m2-fp16"];
/// Fraction bits of factors, short and of odd and of even length.
const FACTORS: [[u32; 2]; 1] = [[6, 9]];
/// Those of the long tier beside them.
const OTHER_FACTORS: [[u32; 2]; 12] =
    [[4, 5], [10, 10], [5, 4], [12, 12], [4, 4], [5, 5], [5, 6], [6, 5], [9, 6], [3, 23], [23, 5], [21, 30]];

/// The first list; in the long tier the second one too.
fn of_tier<T: Copy>(always: &[T], long: &[T]) -> Vec<T> {
    [always, if support::long_tier() { long } else { &[] }].concat()
}

fn shaped(unit: &Unit, engine: impl Engine + 'static) -> Comparison {
    let count = support::vectors(VECTORS * 4) / if support::long_tier() { 1 } else { 4 };
    let source = Source::Shaped { stimulus: Stimulus::shaped(unit, SEED), count };
    let engines: Vec<Box<dyn Engine>> = vec![Box::new(Emulator::new(unit)), Box::new(engine)];
    let comparison = compare(engines, &source, &mut |_| {}).expect("the engines answer");
    assert_eq!(comparison.compared, count, "{}", unit.name);
    comparison
}

#[test]
fn emulator_netlist_shaped_small_units() {
    let Some(()) = needs_yosys("netlist-shaped") else { return };
    for name in of_tier(&UNITS, &LARGER_UNITS) {
        let unit = unit(name);
        for mode in modes() {
            let comparison = shaped(&unit, netlist(&unit, Variant::Core, mode));
            assert_eq!(comparison.mismatches, 0, "{name} by {}: {:?}", mode.name(), comparison.first);
        }
    }
}

/// A unit of one product, exact in the result, whose factors have so many fraction bits.
fn product(fraction_bits: [u32; 2]) -> Unit {
    let factor = |fraction_bits: u32| {
        format!("{{ exponent_bits = 3, fraction_bits = {fraction_bits}, bias = 3, non_finite = \"none\" }}")
    };
    let [a, b] = fraction_bits.map(factor);
    let text = format!(
        r#"
name = "product"
scheme = "fused"
products = 1
formats = {{ a = {a}, b = {b}, d = "binary64" }}
alignment = {{ fraction_bits = 60, rounding = "toward-zero", exponent_floor = "none", normalise_products = false }}
conversion = {{ rounding = "nearest-even", overflow = "infinity", exact_zero = "positive" }}
subnormals = {{ operands = "kept", result = "kept" }}
"#
    );
    Unit::from_toml("product.toml", &text).expect("a unit file")
}

/// Factors that are short, long, of odd and of even length, and as long as each other or not.
#[test]
fn emulator_netlist_shaped_factors_of_many_lengths() {
    let Some(()) = needs_yosys("netlist-factors") else { return };
    for bits in of_tier(&FACTORS, &OTHER_FACTORS) {
        let unit = product(bits);
        let comparison = shaped(&unit, netlist(&unit, Variant::Core, Mode::best()));
        assert_eq!(comparison.mismatches, 0, "{bits:?} fraction bits: {:?}", comparison.first);
    }
}

/// A digit's sign is lost: products of long factors are wrong, and those of short ones are not made so.
#[test]
fn fault_in_long_products_is_caught() {
    let Some(()) = needs_yosys("netlist-factors") else { return };
    let version = emit::yosys::version().expect("yosys is there");
    for &(bits, wrong) in support::sampled(&[([9, 6], true), ([4, 4], false)], 2) {
        let unit = product(bits);
        let mut faulty = files(&unit, Variant::Core).expect("it is emitted");
        let multiply = faulty.iter_mut().find(|file| file.name == MULTIPLY).expect("products are made by it");
        let text = multiply.text.replace(" ^ {(A_WIDTH + 1) {negative}}", "");
        assert_ne!(multiply.text, text);
        multiply.text = text;
        let source = netlist_of(&unit, Variant::Core, faulty, &version).expect("yosys maps it");
        let engine = Netlist::new(&unit, Variant::Core, source, Mode::best()).expect("the engine starts");
        assert_eq!(shaped(&unit, engine).mismatches > 0, wrong, "{bits:?} fraction bits");
    }
}

/// The wrapper with registers at input and output: two cycles on every path, and the answers of the core.
#[test]
fn emulator_netlist_shaped_registered() {
    let Some(()) = needs_yosys("netlist-registered") else { return };
    for name in of_tier(&["tiny-scaled"], &["tiny-truncating", "tiny-riscv", "volta-fp16-fp32"]) {
        let unit = unit(name);
        let engine = netlist(&unit, Variant::Registered, Mode::best());
        assert_eq!(engine.details()["registers on the way"], "2", "{name}");
        let comparison = shaped(&unit, engine);
        assert_eq!(comparison.mismatches, 0, "{name}: {:?}", comparison.first);
    }
}

#[test]
fn emulator_netlist_exhaustive_tiny() {
    let Some(()) = needs_yosys("netlist-exhaustive") else { return };
    for name in of_tier(&["tiny-pair-chain"], &["tiny-truncating"]) {
        let unit = unit(name);
        let source = Source::Exhaustive(Exhaustive::of(&unit.interface()).expect("a tiny unit"));
        let engines: Vec<Box<dyn Engine>> =
            vec![Box::new(Emulator::new(&unit)), Box::new(netlist(&unit, Variant::Core, Mode::best()))];
        let comparison = compare(engines, &source, &mut |_| {}).expect("the engines answer");
        assert_eq!((comparison.compared, comparison.mismatches), (1 << unit.input_bits(), 0), "{:?}", comparison.first);
    }
}

#[test]
fn netlist_batches_of_every_length() {
    let Some(()) = needs_yosys("netlist-lengths") else { return };
    let unit = unit("tiny-scaled");
    let mut engine = netlist(&unit, Variant::Core, Mode::best());
    let mut all = Batch::of_unit(&unit);
    Stimulus::shaped(&unit, SEED).fill(0, 1100, &mut all);
    let mut expected = Vec::new();
    Emulator::new(&unit).run(&all, &mut expected).expect("the emulator answers");
    let mut answers = Vec::new();
    for count in (0..=130).chain([511, 512, 513, 1023, 1024, 1025, 1100]) {
        let mut batch = Batch::of_unit(&unit);
        (0..count).for_each(|v| batch.push(&all.vector(v)));
        engine.run(&batch, &mut answers).expect("the engine answers");
        assert_eq!(answers, expected[..count], "{count} vectors");
    }
}

/// They are no mismatch, and no answer either.
#[test]
fn netlist_refuses_vectors_of_another_unit() {
    let Some(()) = needs_yosys("netlist-refusal") else { return };
    let mut engine = netlist(&unit("tiny-truncating"), Variant::Core, Mode::best());
    let mut batch = Batch::new(3, 0);
    batch.resize(1);
    let error = engine.run(&batch, &mut Vec::new()).expect_err("the unit has two products").to_string();
    assert_eq!(
        error,
        "engine netlist: the batch has vectors of 3 products and 0 scales; allowed: 2 products and 0 scales"
    );
}
