//! Every unit on shaped vectors with all events reached, and the tiny units on all of their inputs. The ordinary tier runs one
//! unit of each family on some of the shaped vectors, the RTL of those that are linked and of one of each kind, and one in
//! 256 inputs of the tiny units.

use tensorsmith::check::compare::{Comparison, Ran, Source, compare, line_up};
use tensorsmith::check::stimulus::{CHUNK, Class, Exhaustive, Stimulus};
use tensorsmith::compute::events::{Event, unreachable};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Batch, Kind};

use super::support;

const SEED: u64 = 1;
const VECTORS: u64 = 1_000_000;
/// A reachable event must happen this often in a million vectors.
const EVENT_MINIMUM: u64 = 100;

const ALL: &[Kind] = &[Kind::Emulator, Kind::Reference, Kind::Rtl];

fn run(unit: &Unit, kinds: &[Kind], source: &Source) -> Comparison {
    let lineup = line_up(&unit.clone().into(), kinds).expect("the engines start");
    for skipped in &lineup.skipped {
        if let Ran::Skipped { engine, reason } = skipped {
            support::skip(&format!("cosim-{engine}"), reason);
        }
    }
    let engines = lineup.ready.len();
    assert!(engines >= 2 || !kinds.contains(&Kind::Reference), "emulator and reference always run");
    let comparison = compare(lineup.ready, source, &mut |_| {}).expect("the engines answer");
    assert_eq!(comparison.engines.len(), engines);
    for ran in &comparison.engines {
        if let Ran::Vectors { identity, count, .. } = ran {
            println!("{}: {} ran {count} vectors, seed {SEED} ({})", unit.name, identity.engine, identity.version);
            assert_eq!(*count, source.count());
        }
    }
    assert_eq!(comparison.mismatches, 0, "{}: {:?}", unit.name, comparison.first);
    assert_eq!(comparison.compared, if engines > 1 { source.count() } else { 0 });
    comparison
}

/// Vectors of every unit of an entry: a million for a single unit, fewer for the members of a large family.
fn vectors_each(members: usize) -> u64 {
    (3 * VECTORS / members as u64).clamp(VECTORS / 5, VECTORS)
}

fn shaped(entry: &str) {
    let members = catalogue::unit_members(entry).expect("an entry of the catalogue");
    let whole = vectors_each(members.len());
    let count = if support::long_tier() { whole } else { whole / 8 };
    for name in &support::members(entry) {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let stimulus = Stimulus::shaped(&unit, SEED);
        let source = |count| Source::Shaped { stimulus: stimulus.clone(), count };
        // The emulator alone is fast enough to count events on more.
        let compared = if support::long_tier() { count } else { count / 8 };
        let kinds = if support::simulates(&[&unit]) { ALL } else { &ALL[..2] };
        let mut comparison = run(&unit, kinds, &source(compared));
        if compared < count {
            comparison = run(&unit, &[Kind::Emulator], &source(count));
        }
        let coverage = comparison.coverage.expect("the emulator counts events");
        assert_eq!(coverage.vectors(), count);
        assert_events_reached(name, &Plan::of(&unit), count, |event| coverage.of(event));
    }
}

/// Four products and an addend in a window so short that the result holds every sum.
const SHORT_WINDOW: &str = r#"
name = "short-window"
scheme = "fused"
products = 4
formats = { a = "e4m3", b = "e4m3", c = "binary32", d = "binary32" }
alignment = { fraction_bits = 12, rounding = "toward-zero", exponent_floor = -133 }
conversion = { rounding = "toward-zero", overflow = "infinity", nan = 0x7fffffff }
"#;

/// Where no sum is inexact, events of rounding cannot happen; with a wider window they can and do.
#[test]
fn events_of_rounding_are_unreachable_where_results_hold_every_sum() {
    for (width, happens) in [("12", false), ("30", true)] {
        let text = SHORT_WINDOW.replace("fraction_bits = 12", &format!("fraction_bits = {width}"));
        let unit = Unit::from_toml("short.toml", &text).expect("the unit is valid");
        let comparison =
            run(&unit, &[Kind::Emulator], &Source::Shaped { stimulus: Stimulus::shaped(&unit, 1), count: 1 << 20 });
        let coverage = comparison.coverage.expect("the emulator counts events");
        for event in [Event::Inexact, Event::Tie] {
            let reason = unreachable(&Plan::of(&unit), event);
            assert_eq!(
                (reason.is_none(), coverage.of(event) > 0),
                (happens, happens),
                "{width}: {}: {reason:?}",
                event.name()
            );
        }
    }
}

fn assert_events_reached(name: &str, plan: &Plan, vectors: u64, happened: impl Fn(Event) -> u64) {
    for &event in Event::ALL {
        let count = happened(event);
        let enough = count * VECTORS >= EVENT_MINIMUM * vectors;
        match unreachable(plan, event) {
            None => assert!(enough, "{name}: {} happened only {count} times in {vectors} vectors", event.name()),
            Some(reason) => assert_eq!(count, 0, "{name}: {} happened, although {reason}", event.name()),
        }
    }
}

macro_rules! shaped_vectors {
    ($($test:ident = $entry:literal),* $(,)?) => {
        $(#[test]
        fn $test() {
            shaped($entry);
        })*

        #[test]
        fn shaped_vector_tests_cover_the_catalogue() {
            assert_eq!(vec![$($entry),*], catalogue::unit_entries());
        }
    };
}

shaped_vectors! {
    emulator_reference_rtl_shaped_volta_fp16_fp32 = "volta-fp16-fp32",
    emulator_reference_rtl_shaped_volta_fp16_fp16 = "volta-fp16-fp16",
    emulator_reference_rtl_shaped_volta_fp16_fp16_from_fp32 = "volta-fp16-fp16-from-fp32",
    emulator_reference_rtl_shaped_turing_fp16_fp32 = "turing-fp16-fp32",
    emulator_reference_rtl_shaped_turing_fp16_fp16 = "turing-fp16-fp16",
    emulator_reference_rtl_shaped_ampere_fp16_fp32 = "ampere-fp16-fp32",
    emulator_reference_rtl_shaped_ampere_bf16_fp32 = "ampere-bf16-fp32",
    emulator_reference_rtl_shaped_ampere_tf32_fp32 = "ampere-tf32-fp32",
    emulator_reference_rtl_shaped_ampere_fp16_fp16 = "ampere-fp16-fp16",
    emulator_reference_rtl_shaped_hopper_fp16_fp32 = "hopper-fp16-fp32",
    emulator_reference_rtl_shaped_hopper_bf16_fp32 = "hopper-bf16-fp32",
    emulator_reference_rtl_shaped_hopper_tf32_fp32 = "hopper-tf32-fp32",
    emulator_reference_rtl_shaped_hopper_tf32_k4_fp32 = "hopper-tf32-k4-fp32",
    emulator_reference_rtl_shaped_hopper_fp16_fp16 = "hopper-fp16-fp16",
    emulator_reference_rtl_shaped_ada_e4m3_fp32 = "ada-e4m3-fp32",
    emulator_reference_rtl_shaped_ada_e4m3_fp16 = "ada-e4m3-fp16",
    emulator_reference_rtl_shaped_ada_e5m2_fp32 = "ada-e5m2-fp32",
    emulator_reference_rtl_shaped_ada_e5m2_fp16 = "ada-e5m2-fp16",
    emulator_reference_rtl_shaped_ada_e4m3_e5m2_fp32 = "ada-e4m3-e5m2-fp32",
    emulator_reference_rtl_shaped_ada_e4m3_e5m2_fp16 = "ada-e4m3-e5m2-fp16",
    emulator_reference_rtl_shaped_hopper_e4m3_fp32 = "hopper-e4m3-fp32",
    emulator_reference_rtl_shaped_hopper_e5m2_fp32 = "hopper-e5m2-fp32",
    emulator_reference_rtl_shaped_hopper_e4m3_e5m2_fp32 = "hopper-e4m3-e5m2-fp32",
    emulator_reference_rtl_shaped_hopper_operands_fp16 = "hopper-{operands}-fp16",
    emulator_reference_rtl_shaped_blackwell_operands_fp32 = "blackwell-{operands}-fp32",
    emulator_reference_rtl_shaped_blackwell_mx_operands_fp32 = "blackwell-mx-{operands}-fp32",
    emulator_reference_rtl_shaped_blackwell_mxf4_fp32 = "blackwell-mxf4-fp32",
    emulator_reference_rtl_shaped_blackwell_nvf4_fp32 = "blackwell-nvf4-fp32",
    emulator_reference_rtl_shaped_cdna1_fp16_fp32 = "cdna1-fp16-fp32",
    emulator_reference_rtl_shaped_cdna1_bf16_fp32 = "cdna1-bf16-fp32",
    emulator_reference_rtl_shaped_cdna3_fp16_fp32 = "cdna3-fp16-fp32",
    emulator_reference_rtl_shaped_cdna3_bf16_fp32 = "cdna3-bf16-fp32",
    emulator_reference_rtl_shaped_cdna3_xf32_fp32 = "cdna3-xf32-fp32",
    emulator_reference_rtl_shaped_cdna3_operands_fp32 = "cdna3-{operands}-fp32",
    emulator_reference_rtl_shaped_riscv_fp16_fp32 = "riscv-fp16-fp32",
    emulator_reference_rtl_shaped_riscv_fp16_fp32_n8 = "riscv-fp16-fp32-n8",
    emulator_reference_rtl_shaped_riscv_bf16_fp32 = "riscv-bf16-fp32",
    emulator_reference_rtl_shaped_riscv_e5m2_e4m3_fp32 = "riscv-e5m2-e4m3-fp32",
    emulator_reference_rtl_shaped_riscv_e5m2_e4m3_bf16 = "riscv-e5m2-e4m3-bf16",
    emulator_reference_rtl_shaped_tf64_fp32_fp64 = "tf64-fp32-fp64",
    emulator_reference_rtl_shaped_tf64_tf32_fp64 = "tf64-tf32-fp64",
    emulator_reference_rtl_shaped_tf64_fp16_fp64 = "tf64-fp16-fp64",
    emulator_reference_rtl_shaped_tf64_chain_fp32_fp64 = "tf64-chain-fp32-fp64",
    emulator_reference_rtl_shaped_hickmann_integer_tree_fp16_fp32 = "hickmann-integer-tree-fp16-fp32",
    emulator_reference_rtl_shaped_hickmann_reading_fp16_fp32 = "hickmann-reading-fp16-fp32",
    emulator_reference_rtl_shaped_addition_fp32 = "addition-fp32",
    emulator_reference_rtl_shaped_addition_fp16 = "addition-fp16",
    emulator_reference_rtl_shaped_fma_fp64 = "fma-fp64",
    emulator_reference_rtl_shaped_fma_fp32 = "fma-fp32",
    emulator_reference_rtl_shaped_avx512_bf16_fp32 = "avx512-bf16-fp32",
    emulator_reference_rtl_shaped_amx_bf16_fp32 = "amx-bf16-fp32",
    emulator_reference_rtl_shaped_cdna_fma_fp64 = "cdna-fma-fp64",
    emulator_reference_rtl_shaped_cdna_fma_fp32 = "cdna-fma-fp32",
    emulator_reference_rtl_shaped_cdna2_fp16_fp32 = "cdna2-fp16-fp32",
    emulator_reference_rtl_shaped_cdna2_bf16_1k_fp32 = "cdna2-bf16-1k-fp32",
    emulator_reference_rtl_shaped_cdna2_bf16_fp32 = "cdna2-bf16-fp32",
    emulator_reference_rtl_shaped_arm_bf16_fp32 = "arm-bf16-fp32",
    emulator_reference_rtl_shaped_arm_ebf16_fp32 = "arm-ebf16-fp32",
    emulator_reference_rtl_shaped_hickmann_fma_chain_fp16_fp32 = "hickmann-fma-chain-fp16-fp32",
    emulator_reference_rtl_shaped_hickmann_adder_tree_fp16_fp32 = "hickmann-adder-tree-fp16-fp32",
    emulator_reference_rtl_shaped_integer_operands_int32 = "integer-{operands}-int32",
    emulator_reference_rtl_shaped_integer_int8_int32_saturate = "integer-int8-int32-saturate",
    emulator_reference_rtl_shaped_tiny_truncating = "tiny-truncating",
    emulator_reference_rtl_shaped_tiny_nearest = "tiny-nearest",
    emulator_reference_rtl_shaped_tiny_fma = "tiny-fma",
    emulator_reference_rtl_shaped_tiny_even_odd = "tiny-even-odd",
    emulator_reference_rtl_shaped_tiny_pairwise = "tiny-pairwise",
    emulator_reference_rtl_shaped_tiny_pair_chain = "tiny-pair-chain",
    emulator_reference_rtl_shaped_tiny_integer = "tiny-integer",
    emulator_reference_rtl_shaped_tiny_scaled = "tiny-scaled",
    emulator_reference_rtl_shaped_tiny_grouped = "tiny-grouped",
    emulator_reference_rtl_shaped_tiny_exact = "tiny-exact",
    emulator_reference_rtl_shaped_tiny_then_add = "tiny-then-add",
    emulator_reference_rtl_shaped_tiny_two_groups = "tiny-two-groups",
    emulator_reference_rtl_shaped_tiny_riscv = "tiny-riscv",
}

fn exhaustive(name: &str) {
    let unit = catalogue::unit(name).expect("a unit of the catalogue");
    let all = Exhaustive::of(&unit.interface()).expect("few enough inputs");
    assert!(((1 << 20)..=(1 << 24)).contains(&all.count()));
    if support::long_tier() {
        run(&unit, ALL, &Source::Exhaustive(all));
    } else {
        run(&unit, &[ALL, &[Kind::Wide]].concat(), &Source::Given(some_inputs(&all)));
    }
}

/// One in 256 inputs, spread over all of them: the products of the counting numbers and an odd one.
fn some_inputs(all: &Exhaustive) -> Batch {
    let (mut batch, mut one) = (all.empty_batch(), all.empty_batch());
    for number in 0..all.count() / 256 {
        let index = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) % all.count();
        all.fill_from(index, 1, &mut one);
        batch.push(&one.vector(0));
    }
    batch
}

#[test]
fn emulator_reference_rtl_exhaustive_tiny_truncating() {
    exhaustive("tiny-truncating");
}

#[test]
fn emulator_reference_rtl_exhaustive_tiny_nearest() {
    exhaustive("tiny-nearest");
}

#[test]
fn emulator_reference_rtl_exhaustive_tiny_fma() {
    exhaustive("tiny-fma");
}

#[test]
fn emulator_reference_rtl_exhaustive_tiny_even_odd() {
    exhaustive("tiny-even-odd");
}

#[test]
fn emulator_reference_rtl_exhaustive_tiny_pairwise() {
    exhaustive("tiny-pairwise");
}

#[test]
fn emulator_reference_rtl_exhaustive_tiny_pair_chain() {
    exhaustive("tiny-pair-chain");
}

#[test]
fn emulator_reference_rtl_exhaustive_tiny_integer() {
    exhaustive("tiny-integer");
}

#[test]
fn emulator_reference_rtl_exhaustive_tiny_scaled() {
    exhaustive("tiny-scaled");
}

#[test]
fn emulator_reference_rtl_exhaustive_tiny_grouped() {
    exhaustive("tiny-grouped");
}

#[test]
fn emulator_reference_rtl_exhaustive_tiny_exact() {
    exhaustive("tiny-exact");
}

#[test]
fn emulator_reference_rtl_exhaustive_tiny_then_add() {
    exhaustive("tiny-then-add");
}

#[test]
fn emulator_reference_rtl_exhaustive_tiny_two_groups() {
    exhaustive("tiny-two-groups");
}

#[test]
fn emulator_reference_rtl_exhaustive_tiny_riscv() {
    exhaustive("tiny-riscv");
}

/// The coverage check can fail: classes that leave out whole groups of events leave their counters at zero.
#[test]
fn coverage_misses_events_without_their_classes() {
    let unit = catalogue::unit("hopper-fp16-fp16").expect("a unit of the catalogue");
    let stimulus = Stimulus::of_classes(&unit, SEED, vec![Class::Close, Class::Simple]);
    let comparison = run(&unit, ALL, &Source::Shaped { stimulus, count: 10_000 });
    let coverage = comparison.coverage.expect("the emulator counts events");
    let missed = [Event::NanOperand, Event::OpposingInfinities, Event::FloorActive, Event::LastCarryUsed];
    for event in missed {
        assert!(coverage.of(event) < EVENT_MINIMUM, "{} was reached", event.name());
    }
}

/// The exhaustive source really counts through every input.
#[test]
fn exhaustive_source_visits_every_input_once() {
    let unit = catalogue::unit("tiny-nearest").expect("a unit of the catalogue");
    let all = Exhaustive::of(&unit.interface()).expect("few enough inputs");
    let mut seen = vec![false; 1 << 24];
    let mut batch = Batch::of_unit(&unit);
    for chunk in 0..(1 << 24) / CHUNK as u64 {
        all.fill(chunk, CHUNK, &mut batch);
        for v in 0..batch.len() {
            let (a, b, c) = (batch.a(v), batch.b(v), batch.c[v]);
            let index = (a[0] | a[1] << 4 | b[0] << 8 | b[1] << 12 | c << 16) as usize;
            assert!(!std::mem::replace(&mut seen[index], true), "input {index:#x} came twice");
        }
    }
    assert!(seen.iter().all(|seen| *seen));
}

/// A seed fixes the stimulus; another seed gives another.
#[test]
fn stimulus_depends_on_unit_seed_and_chunk_only() {
    let unit = catalogue::unit("ampere-bf16-fp32").expect("a unit of the catalogue");
    let chunk = |seed, chunk, count| {
        let mut batch = Batch::of_unit(&unit);
        Stimulus::shaped(&unit, seed).fill(chunk, count, &mut batch);
        batch
    };
    assert_eq!(chunk(5, 3, CHUNK), chunk(5, 3, CHUNK));
    assert_ne!(chunk(5, 3, CHUNK), chunk(6, 3, CHUNK));
    assert_ne!(chunk(5, 3, CHUNK), chunk(5, 4, CHUNK));
    assert_eq!(chunk(5, 3, 100).vector(99), chunk(5, 3, CHUNK).vector(99));
}
