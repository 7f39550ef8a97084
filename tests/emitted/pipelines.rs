//! Units with registers: results come in order, so late as the latency says, through gaps and stalls; and their wrappers are
//! clean.

use std::collections::BTreeSet;
#[cfg(feature = "rtl")]
use std::process::Command;

use tensorsmith::check::compare::{Source, compare};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::{Cut, Unit};
use tensorsmith::emit;
#[cfg(feature = "rtl")]
use tensorsmith::engine::rtl::Rtl;
use tensorsmith::engine::{Emulator, Engine, Kind, Opened};

use super::support;

const VECTORS: u64 = 5000;

/// The unit with registers in these places.
fn cut(unit: &Unit, cuts: impl IntoIterator<Item = Cut>) -> Unit {
    unit.with_cuts(cuts)
}

/// Every second place or so, another choice for each number.
fn chosen(unit: &Unit, number: u64) -> BTreeSet<Cut> {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let places = Cut::places(unit.scheme).iter().enumerate();
    let taken: BTreeSet<Cut> = places.filter(|(place, _)| mixed >> place & 1 == 1).map(|(_, cut)| *cut).collect();
    if taken.is_empty() { [Cut::Input].into() } else { taken }
}

/// All places of one unit of each kind, in the ordinary tier of every second kind, and some of them.
fn pipelined() -> Vec<Unit> {
    let choices = if support::long_tier() { 20 } else { 1 };
    let kinds = support::one_unit_of_each_kind();
    let all = support::sampled(&kinds, 2);
    let all = all.into_iter().map(|unit| cut(unit, Cut::places(unit.scheme).iter().copied()));
    let volta = catalogue::unit("volta-fp16-fp32").expect("a unit of the catalogue");
    let best = (1..=10).filter(|count| support::long_tier() || *count == 10);
    let best = best.filter_map(|count| Some(cut(&volta, Cut::best(volta.scheme, count)?)));
    let some = kinds
        .iter()
        .step_by(if support::long_tier() { 1 } else { 7 })
        .flat_map(|unit| (0..choices).map(move |number| cut(unit, chosen(unit, number))));
    all.chain(some).chain(best).collect()
}

fn mismatches(unit: &Unit, engine: Box<dyn Engine>) -> Result<u64, String> {
    let source = Source::Shaped { stimulus: Stimulus::shaped(unit, 5), count: VECTORS };
    let engines: Vec<Box<dyn Engine>> = vec![Box::new(Emulator::new(unit)), engine];
    let comparison = compare(engines, &source, &mut |_| {}).map_err(|error| error.to_string())?;
    assert_eq!(comparison.compared, VECTORS);
    Ok(comparison.mismatches)
}

#[test]
fn pipelined_emulator_rtl_each_kind() {
    let units = pipelined();
    support::in_parallel(&units, |unit| match Kind::Rtl.open(unit).expect("the engine starts") {
        Opened::Ready(engine) => assert_eq!(mismatches(unit, engine), Ok(0), "{} {:?}", unit.name, unit.build.cuts),
        Opened::Absent(reason) => support::skip("pipelined-rtl", &reason),
    });
    println!("ran {VECTORS} vectors through each of {} pipelined units: 0 mismatches", units.len());
}

/// Faults of registers, by file: what becomes what.
#[cfg(feature = "rtl")]
const FAULTS: [(&str, &str, &str); 5] = [
    // A stall does not hold them.
    ("tensorsmith_delay.sv", "if (ce_i) held_q <=", "if (ce_i || !ce_i) held_q <="),
    // The addend is a vector late, or early.
    ("tensorsmith_fused.sv", ".Latency(CutProduct)\n  ) u_c (", ".Latency(CutProduct + 1)\n  ) u_c ("),
    (
        "tensorsmith_fused.sv",
        ".Latency(Latency - CutInput - CutResult)\n  ) u_special",
        ".Latency(Latency - CutInput)\n  ) u_special",
    ),
    ("tensorsmith_aligned_sum.sv", ".Latency(CutDistance + CutAligned + CutTree + CutSum)", ".Latency(0)"),
    (
        "tensorsmith_normalise.sv",
        "assign beside   = {negative, zero, top,",
        "assign beside   = {sum_negative, zero, top,",
    ),
];

#[cfg(feature = "rtl")]
#[test]
fn faults_of_registers_are_caught() {
    let Some(_) = support::needs_verilator("pipelined-faults") else { return };
    let volta = catalogue::unit("volta-fp16-fp32").expect("a unit of the catalogue");
    let unit = cut(&volta, Cut::places(volta.scheme).iter().copied());
    support::in_parallel(&support::sampled(&FAULTS, 2), |(file, right, wrong)| {
        let mutant = Rtl::mutant(&unit, |source| {
            if source.name == *file {
                source.text = support::replaced(&source.text, right, wrong);
            }
        });
        let found = mismatches(&unit, Box::new(mutant.expect("it is built")));
        println!("{wrong:?}: {found:?}");
        assert!(found != Ok(0), "{wrong:?} was not caught");
    });
}

#[cfg(feature = "rtl")]
#[test]
fn verilator_finds_nothing_in_wrappers() {
    let Some(tools) = support::needs_verilator("verilator") else { return };
    let kinds = support::one_unit_of_each_kind();
    let all = kinds.iter().map(|unit| cut(unit, Cut::places(unit.scheme).iter().copied()));
    let units: Vec<Unit> = kinds.iter().cloned().chain(all).collect();
    support::in_parallel(&units, |unit| {
        let folder = tempfile::TempDir::new().expect("a folder");
        emit::write(folder.path(), &emit::design(unit).expect("rendered")).expect("written");
        for wrapper in ["registered", "stream"] {
            let top = format!("{}_{wrapper}", unit.module_name());
            let mut command = Command::new(tools.verilator());
            command.current_dir(folder.path()).env("VERILATOR_ROOT", tools.verilator_root());
            command.args(["--lint-only", "-Wall", "-y", ".", "--top-module", &top, &format!("{top}.sv")]);
            let output = command.output().expect("verilator runs");
            assert!(output.status.success(), "{top}: {}", String::from_utf8_lossy(&output.stderr));
        }
    });
}

/// The latency that a description has is the one that the module derives: the harness takes results by it, so that
/// another one is a mismatch.
#[test]
fn latencies() {
    let unit = |name: &str| catalogue::unit(name).expect("a unit of the catalogue");
    let all = |name: &str| cut(&unit(name), Cut::places(unit(name).scheme).iter().copied()).latency();
    assert_eq!(all("volta-fp16-fp32"), 10);
    assert_eq!([all("tiny-fma"), all("tiny-even-odd"), all("tiny-pairwise"), all("tiny-pair-chain")], [19, 17, 17, 17]);
    assert_eq!([all("tiny-grouped"), all("tiny-two-groups"), all("tiny-integer")], [11, 13, 5]);
    assert_eq!(cut(&unit("tiny-pair-chain"), [Cut::Input, Cut::Step]).latency(), 3);
    assert_eq!(unit("volta-fp16-fp32").latency(), 0);
    for name in ["volta-fp16-fp32", "tiny-fma", "tiny-grouped", "tiny-two-groups", "tiny-integer"] {
        let unit = cut(&unit(name), Cut::places(unit(name).scheme).iter().copied());
        let shown = ("latency".to_owned(), format!("{} cycles", unit.latency()));
        assert!(emit::parameter_table(&unit).contains(&shown), "{name}");
    }
}
