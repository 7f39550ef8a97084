//! Fused multiply-adds against two oracles that are no part of the project: the processor's own instruction where this
//! machine has it (engine `processor`), and rustc_apfloat (a port of LLVM's APFloat). NaN counts as NaN; every other result is
//! compared bit for bit.

use rustc_apfloat::ieee::{Double, Single};
use rustc_apfloat::{Float, Round};
use tensorsmith::check::compare::{Comparison, Ran, Source, compare, line_up};
use tensorsmith::check::stimulus::{Exhaustive, Stimulus};
use tensorsmith::describe::format::Class;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Engine, Kind};

use super::support::made_up::answering;
use super::support::{self, unit};

const SEED: u64 = 4;

/// One multiply-add on encodings.
type Step = fn(u64, u64, u64) -> u64;

/// A chain of someone else's multiply-adds; with the products in reverse order it has a planted fault.
fn oracle(unit: &Unit, name: &'static str, step: Step, reversed: bool) -> Box<dyn Engine> {
    let (format, nan) = (unit.formats.d.clone(), unit.conversion.nan);
    answering(name, move |batch, v| {
        let mut pairs: Vec<(u64, u64)> = batch.a(v).iter().copied().zip(batch.b(v).iter().copied()).collect();
        if reversed {
            pairs.reverse();
        }
        let result = pairs.into_iter().fold(batch.c[v], |addend, (a, b)| step(a, b, addend));
        if format.decode(result).class == Class::Nan { nan } else { result }
    })
}

/// The planted fault: the product is rounded before the sum.
fn product_first64(a: u64, b: u64, c: u64) -> u64 {
    (f64::from_bits(a) * f64::from_bits(b) + f64::from_bits(c)).to_bits()
}

fn product_first32(a: u64, b: u64, c: u64) -> u64 {
    let value = |bits: u64| f32::from_bits(bits as u32);
    (value(a) * value(b) + value(c)).to_bits().into()
}

fn apfloat<F: Float>(a: u64, b: u64, c: u64) -> u64 {
    let value = |bits: u64| F::from_bits(bits.into());
    value(a).mul_add_r(value(b), value(c), Round::NearestTiesToEven).value.to_bits() as u64
}

const OWN: &[Kind] = &[Kind::Emulator, Kind::Reference, Kind::Rtl];
const WITH_PROCESSOR: &[Kind] = &[Kind::Emulator, Kind::Reference, Kind::Rtl, Kind::Processor];

/// The engines and the oracles on the unit's shaped stimulus.
fn run(unit: &Unit, count: u64, kinds: &[Kind], oracles: Vec<Box<dyn Engine>>) -> Comparison {
    let source = Source::Shaped { stimulus: Stimulus::shaped(unit, SEED), count };
    compare_engines(unit, &source, kinds, oracles)
}

fn compare_engines(unit: &Unit, source: &Source, kinds: &[Kind], oracles: Vec<Box<dyn Engine>>) -> Comparison {
    let lineup = line_up(&unit.clone().into(), kinds).expect("the engines start");
    for skipped in &lineup.skipped {
        let Ran::Skipped { engine, reason } = skipped else { continue };
        support::skip(&format!("fma-{engine}"), reason);
    }
    let engines = lineup.ready.into_iter().chain(oracles).collect();
    compare(engines, source, &mut |_| {}).expect("the engines answer")
}

/// Engines, the processor's instruction and APFloat.
fn assert_agree(unit: &Unit, count: u64, step: Step) {
    let comparison = run(unit, count, WITH_PROCESSOR, vec![oracle(unit, "apfloat", step, false)]);
    let names: Vec<String> = comparison.engines.iter().map(name).collect();
    println!("{}: {} vectors compared, seed {SEED}: {}", unit.name, comparison.compared, names.join(", "));
    assert_eq!((comparison.compared, comparison.mismatches), (count, 0), "{}: {:?}", unit.name, comparison.first);
}

fn name(ran: &Ran) -> String {
    match ran {
        Ran::Vectors { identity, .. } => format!("{} ({})", identity.engine, identity.version),
        Ran::Skipped { engine, .. } => format!("{engine} skipped"),
    }
}

fn vectors() -> u64 {
    if support::long_tier() { 20_000_000 } else { 100_000 }
}

#[test]
fn emulator_reference_rtl_processor_apfloat_shaped_fma_fp64() {
    assert_agree(&unit("fma-fp64"), vectors(), apfloat::<Double>);
}

#[test]
fn emulator_reference_rtl_processor_apfloat_shaped_fma_fp32() {
    assert_agree(&unit("fma-fp32"), vectors(), apfloat::<Single>);
}

#[test]
fn product_rounded_first_is_caught() {
    for (name, wrong) in [("fma-fp64", product_first64 as Step), ("fma-fp32", product_first32)] {
        let unit = unit(name);
        let comparison = run(&unit, 100_000, OWN, vec![oracle(&unit, "product rounded first", wrong, false)]);
        let (mismatches, compared) = (comparison.mismatches, comparison.compared);
        println!("{name}: product rounded first: {mismatches} of {compared} vectors differ");
        assert!(mismatches > 1000, "{name}: {mismatches}");
    }
}

/// Four multiply-adds, as a user writes them.
const FOUR: &str = r#"
    name = "four-fma-fp64"
    scheme = "fma-chain"
    products = 4
    formats = { a = "binary64", b = "binary64", c = "binary64", d = "binary64" }
    conversion = { rounding = "nearest-even", overflow = "ieee" }
"#;

#[test]
fn emulator_reference_rtl_processor_apfloat_shaped_chain_of_four() {
    let unit = Unit::from_toml("four.toml", FOUR).expect("a unit");
    assert_agree(&unit, support::vectors(600_000), apfloat::<Double>);
    let comparison = run(&unit, 10_000, OWN, vec![oracle(&unit, "reversed", apfloat::<Double>, true)]);
    println!("products in reverse order: {} of 10,000 vectors differ", comparison.mismatches);
    assert!(comparison.mismatches > 100);
}

/// Small numbers, so that sums of the products of e3m2 and e2m1 lie beside the least normal one, 4.
const HIGH: &str = "{ exponent_bits = 3, fraction_bits = 3, bias = -1, non_finite = \"ieee\" }";

/// One multiply-add of small formats: those of a and of c and d, rounding, overflow, and what is flushed.
const SMALL: [[&str; 6]; 9] = [
    ["e2m1", "\"e4m3\"", "toward-negative", "saturate", "operands", "flushed"],
    ["e3m2", "\"e5m2fnuz\"", "nearest-away", "infinity", "result", "flushed"],
    ["ue4m3", "\"e5m2\"", "toward-positive", "ieee", "addend", "flushed-to-plus-zero"],
    ["e3m2", HIGH, "nearest-even", "ieee", "result", "flushed-if-tiny"],
    ["e3m2", HIGH, "nearest-away", "ieee", "result", "flushed-if-tiny"],
    ["e3m2", HIGH, "toward-zero", "ieee", "result", "flushed-if-tiny"],
    ["e3m2", HIGH, "toward-positive", "ieee", "result", "flushed-if-tiny"],
    ["e3m2", HIGH, "toward-negative", "ieee", "result", "flushed-if-tiny"],
    ["e3m2", HIGH, "to-odd", "ieee", "result", "flushed-if-tiny"],
];

/// Formats, roundings and flushes that no unit of the catalogue has, on all inputs; in the ordinary tier a third of them.
#[test]
fn emulator_reference_rtl_exhaustive_small_formats() {
    let mut compared = 0;
    let units = support::sampled(&SMALL, 3);
    for [factor, result, rounding, overflow, flushed, how] in &units {
        let text = format!(
            "name = \"small-formats\"\nscheme = \"fma-chain\"\nproducts = 1\n\
             formats = {{ a = {factor:?}, b = \"e2m1\", c = {result}, d = {result} }}\n\
             conversion = {{ rounding = {rounding:?}, overflow = {overflow:?} }}\nsubnormals.{flushed} = {how:?}\n"
        );
        let unit = Unit::from_toml("small.toml", &text).expect("a unit");
        let all = Exhaustive::of(&unit.interface()).expect("few enough inputs");
        let count = all.count();
        let comparison = compare_engines(&unit, &Source::Exhaustive(all), OWN, Vec::new());
        assert_eq!((comparison.compared, comparison.mismatches), (count, 0), "{text}: {:?}", comparison.first);
        compared += comparison.compared;
    }
    println!("all {compared} inputs of {} units compared", units.len());
    let of_all = (1 << 16) + (1 << 18) + (1 << 19) + 6 * (1 << 17);
    assert!(compared == of_all || !support::long_tier() && compared > of_all / 6);
}
