//! What `distinguish` prints and writes of pairs of subjects.

use serde::Serialize;

use super::sides::Side;
use super::{empty, shown_vector, table};
use crate::cli::Failure;
use crate::cli::eval::Shown;
use crate::cli::output::say;
use crate::engine::Engine;
use crate::infer::distinguish::{Outcome, Size};
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

#[derive(Serialize)]
struct PairReport {
    subjects: [String; 2],
    differ: bool,
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

/// All pairs, those that differ first.
pub(super) fn report(sides: &mut [Side], names: &[String], seed: u64, outcome: &Outcome) -> Result<Report, Failure> {
    let mut pairs = Vec::new();
    for apart in &outcome.apart {
        let rerun = apart.pair.iter().filter_map(|&index| sides[index].command(&names[index], &apart.vector));
        let rerun = rerun.collect();
        pairs.push(PairReport {
            subjects: apart.pair.map(|index| sides[index].name.clone()),
            differ: true,
            found_by: Some(apart.found_by),
            size: Some(apart.size),
            vector: Some(shown_vector(sides, &apart.pair, &apart.vector)?),
            rerun,
        });
    }
    for pair in &outcome.alike {
        let subjects = pair.map(|index| sides[index].name.clone());
        pairs.push(PairReport { subjects, differ: false, found_by: None, size: None, vector: None, rerun: Vec::new() });
    }
    let (k, tried, all_inputs) = (sides[0].frame.products, outcome.tried, outcome.all_inputs);
    Ok(Report { tensorsmith: VERSION, command: "distinguish", k, seed, tried, all_inputs, pairs })
}

/// The report as text; of a single pair with traces.
pub(super) fn print(sides: &mut [Side], report: &Report, outcome: &Outcome) -> Result<(), Failure> {
    for pair in &report.pairs {
        let [left, right] = &pair.subjects;
        let (Some(vector), Some(found_by)) = (&pair.vector, pair.found_by) else {
            say!("{left} and {right}: {}", empty(report.tried, report.seed, report.all_inputs));
            continue;
        };
        say!("{left} and {right} differ; smallest vector found, operands that are not listed are 0 (by {found_by}):");
        table(vector);
        pair.rerun.iter().for_each(|command| say!("  {command}"));
    }
    if let ([apart], []) = (outcome.apart.as_slice(), outcome.alike.as_slice()) {
        let [left, right] = apart.pair;
        let traces = [left, right].map(|index| sides[index].emulator.trace(&apart.vector));
        if let [Ok(Some(first)), Ok(Some(second))] = &traces {
            let names = |trace: &crate::engine::Trace| {
                trace.values.iter().map(|(signal, _)| (signal.name, signal.elements)).collect::<Vec<_>>()
            };
            if names(first) == names(second) {
                say!("{}", side_by_side(&sides[left].name, first, &sides[right].name, second).trim_end());
                say!("aligned and sum count units of 2^(anchor - F) of each subject");
            } else {
                say!(
                    "no traces side by side: the subjects have different stages; `tensorsmith eval --trace` shows each"
                );
            }
        }
    }
    let (apart, alike) = (outcome.apart.len(), outcome.alike.len());
    let all = if report.all_inputs { ", all inputs" } else { "" };
    let tried = thousands(report.tried);
    say!("{apart} of {} pairs told apart, {tried} vectors tried{all}, seed {}", apart + alike, report.seed);
    Ok(())
}
