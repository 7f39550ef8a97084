//! Every width is derived twice, in SystemVerilog and in the plan: both derive the same numbers.

use std::collections::BTreeMap;
use std::process::Command;

use tempfile::TempDir;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::plan::{FusedPlan, Plan};
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit::{self, LEAVES, instance};

use super::support;
use super::support::random_unit;

/// Units that one program of Icarus elaborates.
const TOGETHER: usize = 6;

/// Constants of an instance: where it lies in the unit's module, names and values.
type Derived = (String, Vec<(&'static str, i128)>);

/// What the plan derives, by the instance of the unit's module that derives it too.
fn planned(unit: &Unit) -> Vec<Derived> {
    let plan = Plan::of(unit);
    let constants = |plan: &Plan| -> Vec<(&'static str, i128)> {
        plan.constants().iter().map(|constant| (constant.name, constant.value.into())).collect()
    };
    let in_unit = |values: Vec<(&'static str, i128)>| vec![(instance::NAME.to_owned(), values)];
    match &plan {
        // A list's module has its numbers in it, and derives none.
        Plan::Steps(_) => Vec::new(),
        Plan::Integer(_) => in_unit(constants(&plan)),
        Plan::Fused(fused) => in_unit([constants(&plan), of_window(fused), of_carries(fused)].concat()),
    }
}

/// What the plan knows of floor and result.
fn of_window(plan: &FusedPlan) -> Vec<(&'static str, i128)> {
    let [positive, negative] = plan.result.overflow_to_infinity.map(i128::from);
    vec![
        ("AnchorFloor", plan.exponent_floor.into()),
        ("FloorActs", i128::from(plan.exponent_floor > plan.term_exponent_min)),
        ("TermCount", i128::from(plan.terms.count + u32::from(plan.has_addend))),
        ("ResultExponentMin", plan.result.exponent_min.into()),
        ("MaximumFinite", plan.result.magnitude_max.into()),
        ("HasInfinity", i128::from(plan.result.infinity_magnitude.is_some())),
        ("HasNegativeZero", i128::from(plan.result.has_negative_zero)),
        ("OverflowInfinityPositive", positive),
        ("OverflowInfinityNegative", negative),
    ]
}

fn of_carries(plan: &FusedPlan) -> Vec<(&'static str, i128)> {
    vec![("SumCarryBits", plan.carry_bits.into()), ("CarryBitsEnough", plan.carry_bits_derived.into())]
}

/// The modules whose constants are compared. Of the others Icarus need not elaborate what is inside.
const DERIVING: [&str; 2] = ["tensorsmith_fused.sv", "tensorsmith_integer.sv"];

/// A module with its parameters and ports, and nothing inside.
fn hollow(module: &str) -> String {
    let (head, _) = module.split_once("\n);\n").expect("a module has ports");
    format!("{head}\n);\nendmodule\n")
}

/// What Icarus elaborates of the units' emitted files: for each the lines `place name value`.
fn elaborated(units: &[Unit], sources: impl Fn(&str, &str) -> String) -> Vec<BTreeMap<String, i128>> {
    let folder = TempDir::new().expect("a folder");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), sources(name, text)).expect("written");
    LEAVES
        .iter()
        .for_each(|(name, text)| write(name, &if DERIVING.contains(name) { (*text).to_owned() } else { hollow(text) }));
    let (mut instances, mut shows) = (String::new(), String::new());
    for (index, unit) in units.iter().enumerate() {
        let mut unit = unit.clone();
        unit.name = format!("unit-{index}");
        let core = emit::core(&unit).expect("rendered");
        write(&core.name, &core.text);
        instances += &format!("{} u_{index} ();\n", unit.module_name());
        for (place, constants) in planned(&unit) {
            for (name, _) in constants {
                shows += &format!("$display(\"{index} {place}.{name} %0d\", u_{index}.{place}.{name});\n");
            }
        }
    }
    write("probe.sv", &format!("module probe;\n{instances}initial begin\n{shows}end\nendmodule\n"));
    let program = folder.path().join("probe.vvp");
    let mut compile = Command::new("iverilog");
    compile.current_dir(folder.path()).args(["-g2012", "-y", ".", "-Y", ".sv", "-s", "probe", "-o"]);
    let compiled = compile.arg(&program).arg("probe.sv").output().expect("iverilog runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new("vvp").arg(&program).output().expect("vvp runs");
    let mut all = vec![BTreeMap::new(); units.len()];
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let [index, name, value] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let index: usize = index.parse().expect("a unit's number");
        all[index].insert(name.to_owned(), value.parse().unwrap_or_else(|_| panic!("{line}")));
    }
    all
}

/// The first constant of each unit that is not what the plan says, and how many were compared.
fn differences(units: &[Unit], sources: impl Fn(&str, &str) -> String) -> (Vec<String>, usize) {
    let (mut differing, mut compared) = (Vec::new(), 0);
    for (unit, found) in units.iter().zip(elaborated(units, sources)) {
        for (place, constants) in planned(unit) {
            for (name, value) in constants {
                let derived = found.get(&format!("{place}.{name}"));
                compared += 1;
                if derived != Some(&value) {
                    differing.push(format!("{}: {place}.{name}: {derived:?}, planned {value}: {unit:?}", unit.name));
                }
            }
        }
    }
    (differing, compared)
}

fn as_it_is(_: &str, text: &str) -> String {
    text.to_owned()
}

fn assert_derived_alike(units: &[Unit], what: &str) {
    let compared = std::sync::atomic::AtomicUsize::new(0);
    let chunks: Vec<&[Unit]> = units.chunks(TOGETHER).collect();
    support::in_parallel(&chunks, |chunk| {
        let (differing, more) = differences(chunk, as_it_is);
        assert!(differing.is_empty(), "{differing:#?}");
        compared.fetch_add(more, std::sync::atomic::Ordering::Relaxed);
    });
    let compared = compared.into_inner();
    println!("{compared} constants of {} {what} derived alike", units.len());
    assert!(compared > 8 * units.len());
}

#[test]
fn both_derivations_catalogue() {
    let Some(()) = support::needs_icarus("icarus") else { return };
    let units = if support::long_tier() { catalogue::units() } else { support::one_unit_of_each_entry() };
    assert_derived_alike(&units, "units of the catalogue");
}

#[test]
fn both_derivations_random_units() {
    let Some(()) = support::needs_icarus("icarus") else { return };
    let count = if support::long_tier() { 1000 } else { 20 };
    assert_derived_alike(&random_unit::units().take(count).collect::<Vec<_>>(), "random units");
}

/// Wrong derivations in the modules of the schemes: file, right text, wrong text, and the first constant that tells.
const FAULTS: [(&str, &str, &str, &str); 5] = [
    ("tensorsmith_fused.sv", "$clog2(TermCount + RoundsUp)", "$clog2(TermCount)", "SumCarryBits"),
    ("tensorsmith_fused.sv", "max(LongestFraction - F, 0)", "max(LongestFraction - F, 1)", "GuardBits"),
    ("tensorsmith_fused.sv", "(AnchorFloor + TopExponent), 0)", "(AnchorFloor + TopExponent), 1)", "HeadroomBits"),
    ("tensorsmith_fused.sv", "? AllOnes - 1'b1", "? AllOnes", "MaximumFinite"),
    ("tensorsmith_integer.sv", "ProductWidth > AddendRange ?", "ProductWidth < AddendRange ?", "TermWidth"),
];

#[test]
fn both_derivations_planted_faults() {
    let Some(()) = support::needs_icarus("icarus") else { return };
    let narrow = |unit: &Unit| unit.input_bits() < 120;
    let random = random_unit::units().take(60).filter(narrow);
    let units: Vec<Unit> = catalogue::units()
        .into_iter()
        .filter(|unit| {
            unit.name.starts_with("tiny")
                || unit.name.starts_with("cdna3")
                || unit.name.contains("int8")
                || unit.name.contains("e4m3")
        })
        .chain(random)
        .collect();
    support::in_parallel(&FAULTS, |(file, right, wrong, constant)| {
        let of_file = |unit: &&Unit| Some(file.trim_end_matches(".sv")) == instance::top(unit.scheme);
        let units: Vec<Unit> = units.iter().filter(of_file).cloned().collect();
        let planted = |name: &str, text: &str| match name == *file {
            true => support::replaced(text, right, wrong),
            false => text.to_owned(),
        };
        let (differing, _) = differences(&units, planted);
        let told = differing.iter().any(|one| one.contains(&format!(".{constant}:")));
        assert!(told, "{wrong:?} was not caught: {differing:#?}");
    });
}
