//! Every operator of an emitted file and of its leaves changed in turn: each change is refuted or caught, or it is shown to
//! change nothing, and ABC says the same.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit::SourceFile;
use tensorsmith::prove::netlist::{self, Netlist};
use tensorsmith::prove::rtl::{self, Means, Verdict};

use super::mutation::{Mutant, mutants};
use super::outside::{Opinion, Outside};
use super::{LIMIT, files, has_yosys, read, support, unit};

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    /// A vector on which it differs was found and run again.
    Refuted,
    /// Yosys does not read it, or its signals are not those of the plan, or it computes no defined value.
    Caught(String),
    /// The proof goes through, and what ABC says.
    Equivalent(Opinion),
    /// Neither.
    Open(String),
}

fn fate(unit: &Unit, outside: &Outside, sources: &[SourceFile], mutant: &Mutant) -> Fate {
    let changed = |file: &SourceFile| match file.name == mutant.file {
        true => SourceFile { name: file.name.clone(), text: mutant.text.clone() },
        false => file.clone(),
    };
    let sources: Vec<SourceFile> = sources.iter().map(changed).collect();
    let netlist = match netlist::read(&unit.module_name(), &sources, LIMIT) {
        Ok(netlist) => netlist,
        Err(error) => return Fate::Caught(error.to_string()),
    };
    let problem = match rtl::pair(unit, netlist) {
        Ok(problem) => problem,
        Err(error) => return Fate::Caught(error),
    };
    match rtl::prove(unit, &problem, &Means::within(LIMIT), &|_| {}).verdict {
        Verdict::Refuted(_) => Fate::Refuted,
        Verdict::Proved => Fate::Equivalent(outside.opinion(&sources)),
        Verdict::Unknown(reason) if is_caught(&reason) => Fate::Caught(reason),
        Verdict::Unknown(reason) => Fate::Open(reason),
    }
}

/// Reasons that are faults of the netlist itself, not limits of the proof.
fn is_caught(reason: &str) -> bool {
    ["undefined bit", "no driver", "depends on its own result", "is in no obligation", "is in several", "output d_o"]
        .iter()
        .any(|fault| reason.contains(fault))
}

/// The mutants of a unit's module and of the leaves in it.
fn all_mutants(unit: &Unit, original: &Netlist, sources: &[SourceFile]) -> Vec<Mutant> {
    let used = |file: &&SourceFile| {
        let module = file.name.trim_end_matches(".sv");
        module == unit.module_name() || original.instances.iter().any(|(_, name)| name == module)
    };
    sources.iter().filter(used).flat_map(|file| mutants(&file.name, &file.text)).collect()
}

fn has_programs(check: &str) -> bool {
    let abc = support::has_program("yosys-abc", "-h");
    if !abc {
        support::skip(&format!("{check}-abc"), "yosys-abc is not on PATH");
    }
    abc && has_yosys(check)
}

fn try_all(name: &str, sample: Option<usize>) -> BTreeMap<&'static str, usize> {
    let unit = unit(name);
    let (sources, original) = (files(&unit), read(&unit));
    let mut mutants = all_mutants(&unit, &original, &sources);
    println!("{name}: {} mutants", mutants.len());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2025);
    while sample.is_some_and(|sample| mutants.len() > sample) {
        mutants.swap_remove(random.next_u64() as usize % mutants.len());
    }
    let mut counts = BTreeMap::from([("refuted", 0), ("caught", 0), ("equivalent", 0)]);
    let outside = Outside::of(&unit.module_name(), &sources);
    let mut open = Vec::new();
    let mut slowest = (Duration::ZERO, String::new());
    for mutant in &mutants {
        let start = Instant::now();
        let place = format!("{}:{}: {}", mutant.file, mutant.line, mutant.what);
        let fate = fate(&unit, &outside, &sources, mutant);
        slowest = slowest.max((start.elapsed(), place.clone()));
        let count = match fate {
            Fate::Refuted => "refuted",
            Fate::Caught(_) => "caught",
            Fate::Equivalent(Opinion::OneGraph) => {
                println!("survives: synthesis makes the same graph of it: {place}");
                "equivalent"
            }
            Fate::Equivalent(Opinion::Equivalent) => {
                println!("survives: another graph, which abc too proves equivalent: {place}");
                "equivalent"
            }
            Fate::Equivalent(Opinion::Different) => panic!("proved, but abc finds a difference: {place}"),
            Fate::Open(reason) => {
                open.push(format!("{place}: {reason}"));
                continue;
            }
        };
        *counts.entry(count).or_default() += 1;
    }
    println!("{name}: {counts:?}, {} open; longest: {:.1?} for {}", open.len(), slowest.0, slowest.1);
    assert!(open.is_empty(), "{}", open.join("\n"));
    counts
}

#[test]
fn sampled_mutants_of_volta_are_refuted() {
    if !has_programs("mutants-sample") {
        return;
    }
    let counts = try_all("volta-fp16-fp32", Some(12));
    assert!(counts["refuted"] + counts["caught"] >= 5, "{counts:?}");
}

fn most_are_refuted(name: &str, sample: Option<usize>) {
    if !support::long_tier() || !has_programs("mutants") {
        return;
    }
    let counts = try_all(name, sample);
    assert!(counts["refuted"] + counts["caught"] >= 75, "{name}: {counts:?}");
}

#[test]
fn all_mutants_of_volta_are_refuted_or_equivalent() {
    most_are_refuted("volta-fp16-fp32", None);
}

#[test]
fn mutants_of_ampere_are_refuted_or_equivalent() {
    most_are_refuted("ampere-fp16-fp32", Some(150));
}

#[test]
fn mutants_of_hopper_are_refuted_or_equivalent() {
    most_are_refuted("hopper-fp16-fp32", Some(150));
}

/// A file, what becomes what in it, and the signal that is wrong then: one for every kind of obligation.
const TWINS: [(&str, &str, &str, &str); 12] = [
    ("tensorsmith_unpack.sv", "- ExponentWidth'(Bias)", "- ExponentWidth'(Bias + 1)", "unpacked_a_exponent[0]"),
    (
        "tensorsmith_product.sv",
        "assign exponent      = a_exponent_i + b_exponent_i;",
        "assign exponent      = a_exponent_i - b_exponent_i;",
        "product_exponent[0]",
    ),
    (
        "tensorsmith_product.sv",
        "ProductWidth'(a_significand_i) * ProductWidth'(b_significand_i)",
        "ProductWidth'(a_significand_i) * ProductWidth'(a_significand_i)",
        "product_significand[0]",
    ),
    (
        "tensorsmith_maximum_tree.sv",
        "gen_node[Left].value > gen_node[Right].value",
        "gen_node[Left].value < gen_node[Right].value",
        "anchor",
    ),
    ("tensorsmith_align.sv", "(placed >> distance)", "(placed >> (distance + 1'b1))", "aligned[0]"),
    ("tensorsmith_align.sv", "assign round_up  = 1'b0;", "assign round_up  = distance > 5;", "aligned[0]"),
    (
        "tensorsmith_adder_tree.sv",
        "gen_node[Left].value + gen_node[Right].value",
        "gen_node[Left].value - gen_node[Right].value",
        "sum",
    ),
    (
        "tensorsmith_adder_tree.sv",
        "SumWidth'($signed(addends_i[node*AddendWidth +: AddendWidth]))",
        "SumWidth'(addends_i[node*AddendWidth +: AddendWidth])",
        "sum",
    ),
    (
        "tensorsmith_normalise.sv",
        "assign exponent_o    = top - ",
        "assign exponent_o    = top + ",
        "normalised_exponent",
    ),
    (
        "tensorsmith_round.sv",
        "{1'b0, kept} + (FractionBits + 2)'(round_up)",
        "{1'b0, kept} + (FractionBits + 2)'(half)",
        "rounded",
    ),
    ("tensorsmith_special.sv", "(positive_infinity && negative_infinity)", "1'b0", "special_nan"),
    ("tensorsmith_pack.sv", "not_a_number ? NanWord", "not_a_number ? ~NanWord", "packed_word"),
];

/// Each broken twin differs first in that signal; and ABC, which judges survivors, tells it from the original.
#[test]
fn broken_twins_are_refuted() {
    if !has_programs("twins") {
        return;
    }
    let unit = unit("volta-fp16-fp32");
    let sources = files(&unit);
    let outside = Outside::of(&unit.module_name(), &sources);
    assert_eq!(outside.opinion(&sources), Opinion::OneGraph);
    for (file, from, to, signal) in TWINS {
        let broken = |source: &SourceFile| {
            let hit = source.name == file;
            assert!(!hit || source.text.contains(from), "{file} has {from:?}");
            let text = if hit { source.text.replacen(from, to, 1) } else { source.text.clone() };
            SourceFile { name: source.name.clone(), text }
        };
        let sources: Vec<SourceFile> = sources.iter().map(broken).collect();
        assert_eq!(outside.opinion(&sources), Opinion::Different, "{to}");
        let netlist = netlist::read(&unit.module_name(), &sources, LIMIT).expect("yosys reads it");
        let problem = rtl::pair(&unit, netlist).expect("the signals are there");
        match rtl::prove(&unit, &problem, &Means::within(LIMIT), &|_| {}).verdict {
            Verdict::Refuted(witness) => {
                assert_eq!(witness.signal, signal, "{to}");
                assert_ne!(witness.netlist, witness.emulator, "{to}");
            }
            other => panic!("{to} is not refuted: {other:?}"),
        }
    }
}
