//! Rounded products and sums against oracles that are no part of the project: the machine's own, and rustc_apfloat (a port
//! of LLVM's APFloat). NaN counts as NaN; every other result is compared bit for bit.

use rustc_apfloat::ieee::{Float8E4M3FN, Float8E5M2, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use tensorsmith::check::compare::{Comparison, Source, compare, line_up};
use tensorsmith::check::stimulus::{Exhaustive, Stimulus};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Class, Format, Overflow, Rounding};
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Engine, Kind};

use super::support;
use super::support::made_up::answering;

const SEED: u64 = 6;

/// Someone else's product of two operands and sum of two results, on encodings.
struct Oracle {
    unit: Unit,
    name: &'static str,
    multiply: Box<dyn Fn(u64, u64) -> u64 + Send>,
    add: Box<dyn Fn(u64, u64) -> u64 + Send>,
    /// Whether c is added to the first product rather than to the root of the tree: a planted fault.
    addend_first: bool,
}

impl Oracle {
    /// The tree as the definition has it for four products, or one.
    fn tree(&self, a: &[u64], b: &[u64], c: u64) -> u64 {
        let products: Vec<u64> = a.iter().zip(b).map(|(&a, &b)| (self.multiply)(a, b)).collect();
        let add = &self.add;
        match products[..] {
            [p0] => add(p0, c),
            [p0, p1, p2, p3] if self.addend_first => add(add(add(p0, c), p1), add(p2, p3)),
            [p0, p1, p2, p3] => add(add(add(p0, p1), add(p2, p3)), c),
            _ => panic!("one product or four"),
        }
    }

    fn engine(self) -> Box<dyn Engine> {
        answering(self.name, move |batch, v| {
            let result = self.tree(batch.a(v), batch.b(v), batch.c[v]);
            let is_nan = self.unit.formats.d.decode(result).class == Class::Nan;
            if is_nan { self.unit.conversion.nan } else { result }
        })
    }
}

fn run(unit: &Unit, source: &Source, oracles: Vec<Oracle>) -> Comparison {
    let lineup =
        line_up(&unit.clone().into(), &[Kind::Emulator, Kind::Reference, Kind::Rtl]).expect("the engines start");
    if lineup.ready.len() < 3 {
        support::skip("operations-rtl", "no RTL engine");
    }
    let oracles = oracles.into_iter().map(Oracle::engine);
    compare(lineup.ready.into_iter().chain(oracles).collect(), source, &mut |_| {}).expect("the engines answer")
}

/// Products and sums of fp16 numbers in the machine's own fp32.
fn machine(unit: &Unit, addend_first: bool) -> Oracle {
    let half = Format::binary16();
    let value = |bits: u64| f32::from_bits(bits as u32);
    Oracle {
        unit: unit.clone(),
        name: "machine",
        multiply: Box::new(move |a, b| (half.to_f64(a) as f32 * half.to_f64(b) as f32).to_bits().into()),
        add: Box::new(move |x, y| (value(x) + value(y)).to_bits().into()),
        addend_first,
    }
}

/// The same in apfloat, rounded as `round` says. Operands are given as binary32.
fn apfloat<F: Float>(unit: &Unit, round: Round) -> Oracle
where
    Single: FloatConvert<F>,
{
    let (a, b, single) = (unit.formats.a.clone(), unit.formats.b.clone(), Format::binary32());
    let widened = move |format: &Format, bits: u64| {
        let bits = single.from_f64(format.to_f64(bits), Rounding::TowardZero, Overflow::Ieee);
        Single::from_bits(bits.into())
    };
    // Products of the operands here are exact in binary32.
    let multiply = move |x: u64, y: u64| {
        let product = (widened(&a, x) * widened(&b, y)).value;
        FloatConvert::<F>::convert_r(product, round, &mut false).value.to_bits() as u64
    };
    let value = |bits: u64| F::from_bits(bits.into());
    let add = move |x: u64, y: u64| value(x).add_r(value(y), round).value.to_bits() as u64;
    Oracle {
        unit: unit.clone(),
        name: "apfloat",
        multiply: Box::new(multiply),
        add: Box::new(add),
        addend_first: false,
    }
}

fn vectors() -> u64 {
    if support::long_tier() { 20_000_000 } else { 100_000 }
}

#[test]
fn emulator_reference_rtl_machine_apfloat_shaped_adder_tree() {
    let unit = catalogue::unit("hickmann-adder-tree-fp16-fp32").expect("a unit of the catalogue");
    let shaped = |count| Source::Shaped { stimulus: Stimulus::shaped(&unit, SEED), count };
    let oracles = vec![machine(&unit, false), apfloat::<Single>(&unit, Round::NearestTiesToEven)];
    let comparison = run(&unit, &shaped(vectors()), oracles);
    println!("{}: {} vectors compared, seed {SEED}", unit.name, comparison.compared);
    assert_eq!((comparison.compared, comparison.mismatches), (vectors(), 0), "{:?}", comparison.first);
    let comparison = run(&unit, &shaped(100_000), vec![machine(&unit, true)]);
    println!("c added first: {} of {} vectors differ", comparison.mismatches, comparison.compared);
    assert!(comparison.mismatches > 100);
}

/// One product and c: with b = 1 the product takes every value of d, so that these are all pairs of numbers to be added.
fn pairs(d: &str, rounding: &str) -> Unit {
    let overflow = if d == "e4m3" { "infinity" } else { "ieee" };
    let text = format!(
        "name = \"pairs\"\nscheme = \"pairwise\"\nproducts = 1\n\
         formats = {{ a = {d:?}, b = \"e2m1\", c = {d:?}, d = {d:?} }}\n\
         conversion = {{ rounding = {rounding:?}, overflow = {overflow:?} }}\n"
    );
    Unit::from_toml("pairs.toml", &text).expect("a unit")
}

/// Every pair of fp8 numbers in every rounding; in the ordinary tier each in one of them. apfloat has all but
/// rounding to odd.
#[test]
fn emulator_reference_rtl_apfloat_exhaustive_additions() {
    let roundings = [
        ("nearest-even", Some(Round::NearestTiesToEven)),
        ("toward-positive", Some(Round::TowardPositive)),
        ("to-odd", None),
        ("nearest-away", Some(Round::NearestTiesToAway)),
        ("toward-zero", Some(Round::TowardZero)),
        ("toward-negative", Some(Round::TowardNegative)),
    ];
    let (e5m2, e4m3) =
        if support::long_tier() { (&roundings[..], &roundings[..]) } else { (&roundings[1..2], &roundings[..1]) };
    let mut compared = 0;
    for (d, roundings) in [("e5m2", e5m2), ("e4m3", e4m3)] {
        for &(name, round) in roundings {
            let unit = pairs(d, name);
            // What apfloat does where e4m3 overflows is not what a unit does: it saturates in directed roundings.
            let oracle = round.filter(|_| d == "e5m2" || name.starts_with("nearest")).map(|round| match d {
                "e5m2" => apfloat::<Float8E5M2>(&unit, round),
                _ => apfloat::<Float8E4M3FN>(&unit, round),
            });
            let asked = oracle.is_some();
            let all = Exhaustive::of(&unit.interface()).expect("few enough inputs");
            let comparison = run(&unit, &Source::Exhaustive(all), oracle.into_iter().collect());
            println!("{d}, {name}: {} inputs, apfloat asked: {asked}", comparison.compared);
            assert_eq!(comparison.mismatches, 0, "{d} {name}: {:?}", comparison.first);
            compared += comparison.compared;
        }
    }
    assert_eq!(compared, ((e5m2.len() + e4m3.len()) as u64) << 20);
}
