//! Every operator of an emitted file and of its leaves changed in turn: each change is refuted or caught, or it is shown to
//! change nothing, with the reason, and ABC says the same; or ABC alone shows that.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tempfile::TempDir;
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit::SourceFile;
use tensorsmith::engine::cache::Store;
use tensorsmith::prove::netlist::{self, Bit, Kind, Netlist};
use tensorsmith::prove::rtl::{self, Kept, Means, Method, Outcome, Problem, RtlProof, Verdict, Whole};

use super::mutation::{Mutant, mutants};
use super::outside::{Opinion, Outside};
use super::{LIMIT, files, needs_yosys, read, support, unit};

/// Vectors on which a mutant is compared before anything is proved of it: most of them differ on the first ones.
const FIRST_VECTORS: u64 = 1 << 14;

/// Of the proof of one mutant.
const SURVIVOR_LIMIT: Duration = Duration::from_secs(120);

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    /// A vector on which it differs was found, and the emulator answers otherwise.
    Refuted,
    /// Yosys does not read it, or its signals are not those of the plan, or it computes no defined value.
    Caught(String),
    /// All signals and outputs are computed by the same cells: Yosys reads the same netlist, but for what no output depends on.
    Same,
    /// The proof goes through, or ABC's does: why, and what ABC says.
    Equivalent(String, Opinion),
    /// Neither.
    Open(String),
}

/// A unit, what mutants of it are compared with, and what was proved of it: questions that a mutant leaves alone are not asked
/// again.
struct Subject {
    unit: Unit,
    sources: Vec<SourceFile>,
    original: Netlist,
    outside: Outside,
    kept: TempDir,
    /// What the original is computed by.
    cells: Option<Cells>,
}

impl Subject {
    fn of(name: &str) -> Subject {
        let unit = unit(name);
        let (sources, original) = (files(&unit), read(&unit));
        let outside = Outside::of(&unit.module_name(), &sources);
        let problem = rtl::pair(&unit, original.clone()).expect("its own signals");
        let (kept, cells) = (TempDir::new().expect("a folder for answers"), cells(&problem));
        assert!(cells.as_ref().is_some_and(|cells| cells.len() > 100), "{name} consists of cells");
        let subject = Subject { unit, sources, original, outside, kept, cells };
        assert_eq!(subject.prove(&problem, LIMIT).verdict, Verdict::Proved, "{name}");
        subject
    }

    fn prove(&self, problem: &Problem, limit: Duration) -> RtlProof {
        let means = Means { kept: Kept::within(Store::open(self.kept.path())), ..Means::within(limit) };
        rtl::prove(&self.unit, problem, &means, &|_| {})
    }

    /// The mutants of the unit's module and of the leaves in it.
    fn mutants(&self) -> Vec<Mutant> {
        let used = |file: &&SourceFile| {
            let module = file.name.trim_end_matches(".sv");
            module == self.unit.module_name() || self.original.instances.iter().any(|(_, name)| name == module)
        };
        self.sources.iter().filter(used).flat_map(|file| mutants(&file.name, &file.text)).collect()
    }

    fn fate(&self, mutant: &Mutant) -> Fate {
        let changed = |file: &SourceFile| match file.name == mutant.file {
            true => SourceFile { name: file.name.clone(), text: mutant.text.clone() },
            false => file.clone(),
        };
        let sources: Vec<SourceFile> = self.sources.iter().map(changed).collect();
        let netlist = match netlist::read(&self.unit.module_name(), &sources, LIMIT) {
            Ok(netlist) => netlist,
            Err(error) => return Fate::Caught(error.to_string()),
        };
        let problem = match rtl::pair(&self.unit, netlist) {
            Ok(problem) => problem,
            Err(error) => return Fate::Caught(error),
        };
        if self.cells.is_some() && cells(&problem) == self.cells {
            return Fate::Same;
        }
        let whole = match Whole::of(&problem) {
            Ok(whole) => whole,
            Err(error) => return Fate::Caught(error.to_string()),
        };
        if let Some(witness) = whole.search(&self.unit, &problem, FIRST_VECTORS) {
            assert_ne!(witness.netlist, witness.emulator, "{}", mutant.what);
            return Fate::Refuted;
        }
        let proof = self.prove(&problem, SURVIVOR_LIMIT);
        match &proof.verdict {
            Verdict::Refuted(_) | Verdict::StageDiffers { .. } => Fate::Refuted,
            Verdict::Proved => Fate::Equivalent(why(mutant, &problem.netlist, &proof), self.outside.opinion(&sources)),
            Verdict::Unknown(reason) if is_caught(reason) => Fate::Caught(reason.clone()),
            // ABC alone may show what the prover does not in its time.
            Verdict::Unknown(reason) => match self.outside.opinion(&sources) {
                Opinion::Different => Fate::Open(reason.clone()),
                opinion => Fate::Equivalent(format!("not proved here: {reason}"), opinion),
            },
        }
    }
}

/// Where a bit comes from: a constant, a bit of the operands, or a bit of a cell's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    Constant(Bit),
    Operand(usize),
    Cell(usize, usize),
}

/// A cell's operator, sign, widths and parameters.
pub(super) type Shape = (Kind, bool, [usize; 4], Vec<(String, String)>);

/// Cells with where their operands come from; before them where the signals and outputs do.
pub(super) type Cells = Vec<(Option<Shape>, Vec<From>)>;

/// What all signals and outputs are computed by, cell by cell in the order in which a walk from them meets it, without names and
/// numbers of nets. What is unlike anything that works is left to the proof.
pub(super) fn cells(problem: &Problem) -> Option<Cells> {
    let netlist = &problem.netlist;
    let operands = problem.inputs.iter().flat_map(|cut| &cut.bits).map(|&bit| netlist.resolve(bit));
    let operands: HashMap<Bit, usize> = operands.enumerate().map(|(place, bit)| (bit, place)).collect();
    let (mut places, mut order) = (HashMap::new(), Vec::new());
    let mut from = |bit: Bit, order: &mut Vec<usize>| match (netlist.resolve(bit), netlist.cell_of(bit)) {
        (_, Some((cell, bit))) => {
            let next = places.len();
            let place = *places.entry(cell).or_insert(next);
            if place == next {
                order.push(cell);
            }
            Some(From::Cell(place, bit))
        }
        (bit @ Bit::Net(_), None) => operands.get(&bit).map(|&place| From::Operand(place)),
        (constant, None) => Some(From::Constant(constant)),
    };
    let roots = problem.cuts.iter().flat_map(|cut| &cut.bits);
    let roots = roots.chain(netlist.outputs.iter().flat_map(|(_, bits)| bits));
    let roots = roots.map(|&bit| from(bit, &mut order)).collect::<Option<Vec<From>>>()?;
    let mut cells = vec![(None, roots)];
    let mut next = 0;
    while next < order.len() {
        let cell = &netlist.cells[order[next]];
        let operands = [&cell.a, &cell.b, &cell.select].into_iter().flatten();
        let operands = operands.map(|&bit| from(bit, &mut order)).collect::<Option<Vec<From>>>()?;
        let widths = [&cell.a, &cell.b, &cell.select, &cell.result].map(Vec::len);
        cells.push((Some((cell.kind, cell.signed, widths, cell.parameters.clone())), operands));
        next += 1;
    }
    Some(cells)
}

/// Why a mutant is what it was made of: the questions that the original did not ask, or in which cells of the line are, and how
/// they were proved.
fn why(mutant: &Mutant, netlist: &Netlist, proof: &RtlProof) -> String {
    let place = format!("{}:{}.", mutant.file, mutant.line);
    let cells: BTreeSet<usize> =
        (0..netlist.cells.len()).filter(|&cell| netlist.cells[cell].source.contains(&place)).collect();
    let mut proved: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for obligation in &proof.obligations {
        let Outcome::Proved(method) = obligation.outcome else { continue };
        let is_new = matches!(method, Method::Search | Method::Exhaustive | Method::Earlier | Method::Operands)
            && !obligation.kept;
        if is_new || !obligation.cells.is_disjoint(&cells) {
            let signal = obligation.name.split('[').next().unwrap_or_default();
            *proved.entry((signal, method.name())).or_default() += 1;
        }
    }
    if proved.is_empty() {
        return "other cells, but no other question than the original's".to_owned();
    }
    let proved = proved.into_iter().map(|((signal, method), count)| format!("{signal} by {method} ({count})"));
    format!("proved all the same: {}", proved.collect::<Vec<_>>().join(", "))
}

/// Reasons that are faults of the netlist itself, not limits of the proof.
fn is_caught(reason: &str) -> bool {
    ["undefined bit", "no driver", "depends on its own result", "is in no obligation", "is in several", "output d_o"]
        .iter()
        .any(|fault| reason.contains(fault))
}

pub(super) fn needs_programs(check: &str) -> Option<()> {
    support::needs_program(&format!("{check}-abc"), "yosys-abc", "-h").and_then(|()| needs_yosys(check))
}

/// So many of the mutants: of each operator and of the constants one in turn, drawn by chance.
fn sampled(mutants: Vec<Mutant>, count: usize) -> Vec<Mutant> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2025);
    let mut kinds: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
    for mutant in mutants {
        let changed = mutant.what.split('"').nth(1).unwrap_or_default();
        let kind = if changed.contains(|letter: char| letter.is_ascii_digit()) { "constant" } else { changed };
        kinds.entry(kind.to_owned()).or_default().push(mutant);
    }
    let mut sample = Vec::new();
    while sample.len() < count && kinds.values().any(|mutants| !mutants.is_empty()) {
        for mutants in kinds.values_mut().filter(|mutants| !mutants.is_empty()) {
            sample.push(mutants.swap_remove(random.next_u64() as usize % mutants.len()));
        }
    }
    sample.truncate(count);
    println!("{} of them, of {} kinds", sample.len(), kinds.len());
    sample
}

fn try_all(name: &str, sample: Option<usize>) -> BTreeMap<&'static str, usize> {
    let subject = Subject::of(name);
    let mut mutants = subject.mutants();
    println!("{name}: {} mutants", mutants.len());
    if let Some(sample) = sample {
        mutants = sampled(mutants, sample);
    }
    let mut counts = BTreeMap::from([("refuted", 0), ("caught", 0), ("equivalent", 0)]);
    let mut open = Vec::new();
    let mut slowest = (Duration::ZERO, String::new());
    for mutant in &mutants {
        let start = Instant::now();
        let place = format!("{}:{}: {}", mutant.file, mutant.line, mutant.what);
        let fate = subject.fate(mutant);
        slowest = slowest.max((start.elapsed(), place.clone()));
        let count = match fate {
            Fate::Refuted => "refuted",
            Fate::Caught(_) => "caught",
            Fate::Same => {
                println!("survives: {place}: Yosys reads the same cells for all signals and outputs");
                "equivalent"
            }
            Fate::Equivalent(_, Opinion::Different) => panic!("proved, but abc finds a difference: {place}"),
            Fate::Equivalent(why, opinion) => {
                let abc = match opinion {
                    Opinion::OneGraph => "synthesis makes the same graph of it",
                    _ => "another graph, which abc too proves equivalent",
                };
                println!("survives: {place}: {why}; {abc}");
                "equivalent"
            }
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

/// In the ordinary tier fewer, of a small unit.
#[test]
fn sampled_mutants_of_volta_are_refuted() {
    let Some(()) = needs_programs("mutants-sample") else { return };
    let (name, count) = if support::long_tier() { ("volta-fp16-fp32", 12) } else { ("tiny-nearest", 14) };
    let counts = try_all(name, Some(count));
    assert!(counts["refuted"] + counts["caught"] >= 3, "{counts:?}");
}

/// The changes of every operator and constant of a unit's module and of its leaves.
fn are_refuted_or_equivalent(name: &str) {
    if !support::long_tier() || needs_programs("mutants").is_none() {
        return;
    }
    let counts = try_all(name, None);
    assert!(counts["refuted"] + counts["caught"] >= 75, "{name}: {counts:?}");
}

#[test]
fn all_mutants_of_volta_are_refuted_or_equivalent() {
    are_refuted_or_equivalent("volta-fp16-fp32");
}

#[test]
fn all_mutants_of_ampere_are_refuted_or_equivalent() {
    are_refuted_or_equivalent("ampere-fp16-fp32");
}

#[test]
fn all_mutants_of_hopper_are_refuted_or_equivalent() {
    are_refuted_or_equivalent("hopper-fp16-fp32");
}
