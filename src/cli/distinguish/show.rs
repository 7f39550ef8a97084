//! What `distinguish` prints and writes of pairs of subjects.

use serde::Serialize;

use super::sides::Side;
use super::{empty, shown_vector, table};
use crate::cli::Failure;
use crate::cli::eval::Shown;
use crate::cli::output::say;
use crate::engine::Engine;
use crate::infer::distinguish::{Apart, Outcome, Size};
use crate::report::{VERSION, side_by_side, thousands};

/// A vector without its zeros, and the answers of subjects.
#[derive(Serialize)]
pub(super) struct ShownVector {
    pub operands: Vec<Shown>,
    pub answers: Vec<Shown>,
    pub steps: Vec<Steps>,
}

/// What a subject answered after each of its runs, in decimal.
#[derive(Serialize)]
pub(super) struct Steps {
    pub subject: String,
    pub after: Vec<String>,
}

/// A vector on which two subjects differ, or that none was found.
#[derive(Serialize)]
pub(super) struct PairReport {
    subjects: [String; 2],
    pub differ: bool,
    found_by: Option<&'static str>,
    size: Option<Size>,
    vector: Option<ShownVector>,
    /// Commands that show the two answers again.
    rerun: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct Report {
    tensorsmith: &'static str,
    command: &'static str,
    k: u32,
    seed: u64,
    tried: u64,
    /// Whether these were all inputs: only then no difference means that there is none.
    all_inputs: bool,
    pairs: Vec<PairReport>,
}

impl PairReport {
    /// Two subjects of which nothing was found.
    pub fn alike(subjects: [String; 2]) -> PairReport {
        PairReport { subjects, differ: false, found_by: None, size: None, vector: None, rerun: Vec::new() }
    }
}

/// Two subjects that differ; `names` are those of all sides on the command line.
pub(super) fn pair_apart(sides: &mut [Side], names: &[String], apart: &Apart) -> Result<PairReport, Failure> {
    let rerun = apart.pair.iter().filter_map(|&index| sides[index].command(&names[index], &apart.vector));
    let rerun = rerun.collect();
    Ok(PairReport {
        subjects: apart.pair.map(|index| sides[index].name.clone()),
        differ: true,
        found_by: Some(apart.found_by),
        size: Some(apart.size),
        vector: Some(shown_vector(sides, &apart.pair, &apart.vector)?),
        rerun,
    })
}

/// All pairs, those that differ first.
pub(super) fn report(sides: &mut [Side], names: &[String], seed: u64, outcome: &Outcome) -> Result<Report, Failure> {
    let apart = outcome.apart.iter().map(|apart| pair_apart(sides, names, apart));
    let mut pairs = apart.collect::<Result<Vec<PairReport>, Failure>>()?;
    let alike = outcome.alike.iter().map(|pair| PairReport::alike(pair.map(|index| sides[index].name.clone())));
    pairs.extend(alike);
    let (k, tried, all_inputs) = (sides[0].frame.products, outcome.tried, outcome.all_inputs);
    Ok(Report { tensorsmith: VERSION, command: "distinguish", k, seed, tried, all_inputs, pairs })
}

/// A pair as text. What an empty answer is worth depends on the vectors tried, the seed, and whether these were all inputs.
pub(super) fn print_pair(labels: &[String; 2], pair: &PairReport, (tried, seed, all_inputs): (u64, u64, bool)) {
    let [left, right] = labels;
    let (Some(vector), Some(found_by)) = (&pair.vector, pair.found_by) else {
        say!("{left} and {right}: {}", empty(tried, seed, all_inputs));
        return;
    };
    say!("{left} and {right} differ; smallest vector found, operands that are not listed are 0 (by {found_by}):");
    table(vector);
    pair.rerun.iter().for_each(|command| say!("  {command}"));
}

/// Traces of both subjects side by side; none where their emulators have none.
pub(super) fn traces(sides: &mut [Side], apart: &Apart) -> Option<String> {
    let [left, right] = apart.pair;
    let traces = [left, right].map(|index| sides[index].emulator.trace(&apart.vector));
    let [Ok(Some(first)), Ok(Some(second))] = &traces else { return None };
    let names = |trace: &crate::engine::Trace| {
        trace.values.iter().map(|(signal, _)| (signal.name, signal.elements)).collect::<Vec<_>>()
    };
    if names(first) != names(second) {
        let reason = "the subjects have different stages; `tensorsmith eval --trace` shows each";
        return Some(format!("no traces side by side: {reason}"));
    }
    let shown = side_by_side(&sides[left].name, first, &sides[right].name, second);
    Some(format!("{}\naligned and sum count units of 2^(anchor - F) of each subject", shown.trim_end()))
}

/// The report as text; of a single pair with traces.
pub(super) fn print(sides: &mut [Side], report: &Report, outcome: &Outcome) {
    for pair in &report.pairs {
        print_pair(&pair.subjects, pair, (report.tried, report.seed, report.all_inputs));
    }
    if let ([apart], []) = (outcome.apart.as_slice(), outcome.alike.as_slice()) {
        traces(sides, apart).iter().for_each(|traces| say!("{traces}"));
    }
    let (apart, alike) = (outcome.apart.len(), outcome.alike.len());
    let all = if report.all_inputs { ", all inputs" } else { "" };
    let tried = thousands(report.tried);
    say!("{apart} of {} pairs told apart, {tried} vectors tried{all}, seed {}", apart + alike, report.seed);
}
