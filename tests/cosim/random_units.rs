//! Random units through every engine that computes one, and their emitted text through the proof.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use tensorsmith::check::compare::{Ran, Source, compare, line_up};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::Kind;
use tensorsmith::prove::rtl::{Files, Means, Verdict, prove_unit};

use super::support;
use super::support::random_unit;

const KINDS: [Kind; 5] = [Kind::Emulator, Kind::Reference, Kind::Rtl, Kind::Netlist, Kind::Icarus];
const VECTORS: u64 = 400;
/// What a proof has not settled by then is unknown. In the ordinary tier few are asked, each with time enough on a busy processor.
const LIMIT: Duration = Duration::from_secs(5);
const SHORT_LIMIT: Duration = Duration::from_secs(120);
/// Operands of more bits take longer in Icarus and in proofs than they are worth.
const INPUT_BITS: u32 = 100;

/// What the run really covered.
#[derive(Debug, Default)]
struct Tally {
    /// Vectors of each engine.
    vectors: BTreeMap<String, u64>,
    /// Why engines did not take part, and how often.
    skipped: BTreeMap<String, u64>,
    /// Verdicts of proofs.
    verdicts: BTreeMap<&'static str, u64>,
}

/// A unit whose largest number is subnormal, which it may flush: what overflows becomes that number.
fn largest_number_is_subnormal(scheme: &str, overflow: &str) -> Unit {
    let alignment = match scheme {
        "fused" => "alignment = { fraction_bits = 3, rounding = \"toward-zero\", exponent_floor = \"none\" }",
        _ => "",
    };
    let products = if scheme == "pair-chain" { 2 } else { 1 };
    let text = format!(
        "name = \"largest-is-subnormal\"\nscheme = {scheme:?}\nproducts = {products}\n{alignment}\n\
         conversion = {{ rounding = \"toward-zero\", overflow = {overflow:?} }}\n\
         subnormals = {{ result = \"flushed\" }}\n[formats]\na = \"e2m1\"\nb = \"e2m1\"\nc = {TINIEST}\nd = {TINIEST}\n"
    );
    Unit::from_toml("largest.toml", &text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// One exponent bit for numbers below 1 and one encoding of them; the other exponent is that of infinity and NaN.
const TINIEST: &str = "{ exponent_bits = 1, fraction_bits = 1, bias = 1, non_finite = \"ieee\" }";

/// Units that simulate in seconds, of every scheme, rounding, overflow and flushing rule.
fn units(count: usize) -> Vec<Unit> {
    random_unit::units().filter(|unit| unit.input_bits() <= INPUT_BITS).take(count).collect()
}

/// All engines answer alike.
fn agree(unit: &Unit, tally: &Mutex<Tally>) {
    let lineup = line_up(&unit.clone().into(), &KINDS).unwrap_or_else(|error| panic!("{error}: {unit:?}"));
    let source = Source::Shaped { stimulus: Stimulus::shaped(unit, 3), count: VECTORS };
    let comparison = compare(lineup.ready, &source, &mut |_| {}).unwrap_or_else(|error| panic!("{error}: {unit:?}"));
    let found = (comparison.compared, comparison.mismatches);
    assert_eq!(found, (VECTORS, 0), "{unit:?}: {:?}", comparison.first);
    let mut tally = tally.lock().expect("no other check failed");
    for ran in comparison.engines.into_iter().chain(lineup.skipped) {
        match ran {
            Ran::Vectors { identity, count, .. } => *tally.vectors.entry(identity.engine).or_default() += count,
            Ran::Skipped { engine, reason } => *tally.skipped.entry(format!("{engine}: {reason}")).or_default() += 1,
        }
    }
}

/// The proof neither refuses the emitted text nor refutes it.
fn is_not_refuted(unit: &Unit, tally: &Mutex<Tally>) {
    let files = Files::emitted(unit).expect("it is emitted");
    let means = Means::within(if support::long_tier() { LIMIT } else { SHORT_LIMIT });
    let proved = prove_unit(unit, &files, &means, &|_| {});
    let verdict = match proved.unwrap_or_else(|error| panic!("{error}: {unit:?}")).proof.verdict {
        Verdict::Proved => "proved",
        Verdict::Unknown(_) => "unknown",
        Verdict::Refuted(witness) | Verdict::StageDiffers { witness, .. } => panic!("{witness:?}: {unit:?}"),
    };
    let mut tally = tally.lock().expect("no other check failed");
    *tally.verdicts.entry(verdict).or_default() += 1;
    println!(
        "{} proofs: {}, {} products: {verdict}",
        tally.verdicts.values().sum::<u64>(),
        unit.scheme.name(),
        unit.products
    );
}

#[test]
fn every_engine_and_the_proof_random_units() {
    let mut units = units(if support::long_tier() { 300 } else { 1 });
    let schemes = ["fused", "fma-chain", "exact", "pairwise", "pair-chain"];
    for scheme in &schemes[..if support::long_tier() { 5 } else { 1 }] {
        let overflows = if support::long_tier() { &["saturate", "ieee"][..] } else { &["saturate"] };
        units.extend(overflows.iter().map(|overflow| largest_number_is_subnormal(scheme, overflow)));
    }
    let tally = Mutex::new(Tally::default());
    let proves = support::needs_yosys("random-units-yosys").is_some();
    support::in_parallel(&units, |unit| agree(unit, &tally));
    // In the short tier the smallest one, which is proved in little time.
    let (mut asked, mut least) = (units.iter().collect::<Vec<&Unit>>(), units.len() / 2);
    if !support::long_tier() {
        asked.sort_by_key(|unit| unit.input_bits());
        asked.truncate(1);
        least = asked.len();
    }
    if proves {
        support::in_parallel(&asked, |unit| is_not_refuted(unit, &tally));
    }
    let tally = tally.into_inner().expect("no check failed");
    println!("{} random units, seed 3: {tally:?}", units.len());
    let emulated = tally.vectors.get("emulator").copied();
    assert_eq!(emulated, Some(units.len() as u64 * VECTORS));
    if proves {
        assert!(tally.verdicts.get("proved").is_some_and(|&count| count >= least as u64));
    }
}
