//! What `distinguish` prints and writes of pairs of subjects.

use serde::Serialize;

use super::sides::Side;
use super::{empty, shown_vector, table};
use crate::cli::Failure;
use crate::cli::eval::{Shown, TraceRows, trace_rows};
use crate::cli::output::say;
use tensorsmith::engine::Trace;
use tensorsmith::infer::distinguish::{Distinguished, Outcome, Size};
use tensorsmith::report::{VERSION, side_by_side, thousands};

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
    /// Of each subject, of each of its runs, the values of each signal of its emulator; none where an emulator has none.
    traces: Vec<Vec<TraceRows>>,
    /// For people: the two side by side, or why not.
    #[serde(skip)]
    side_by_side: String,
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
    pub fn indistinguishable(subjects: [String; 2]) -> PairReport {
        PairReport {
            subjects,
            differ: false,
            found_by: None,
            size: None,
            vector: None,
            rerun: Vec::new(),
            traces: Vec::new(),
            side_by_side: String::new(),
        }
    }
}

/// Two subjects that differ; `names` are those of all sides on the command line.
pub(super) fn distinguished_pair(
    sides: &mut [Side],
    names: &[String],
    found: &Distinguished,
) -> Result<PairReport, Failure> {
    let rerun = found.pair.iter().filter_map(|&index| sides[index].command(&names[index], &found.vector));
    let rerun = rerun.collect();
    let (traces, side_by_side) = traces(sides, found)?;
    Ok(PairReport {
        subjects: found.pair.map(|index| sides[index].name.clone()),
        differ: true,
        found_by: Some(found.found_by),
        size: Some(found.size),
        vector: Some(shown_vector(sides, &found.pair, &found.vector)?),
        rerun,
        traces,
        side_by_side,
    })
}

/// All pairs, those that differ first.
pub(super) fn report(sides: &mut [Side], names: &[String], seed: u64, outcome: &Outcome) -> Result<Report, Failure> {
    let distinguished = outcome.distinguished.iter().map(|found| distinguished_pair(sides, names, found));
    let mut pairs = distinguished.collect::<Result<Vec<PairReport>, Failure>>()?;
    let names = |pair: &[usize; 2]| pair.map(|index| sides[index].name.clone());
    pairs.extend(outcome.indistinguishable.iter().map(|pair| PairReport::indistinguishable(names(pair))));
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
    say!("{}", pair.side_by_side);
}

/// Traces of both subjects, and for people side by side, run by run, or why they are not.
fn traces(sides: &mut [Side], found: &Distinguished) -> Result<(Vec<Vec<TraceRows>>, String), Failure> {
    let mut both = Vec::new();
    for index in found.pair {
        let Some(runs) = sides[index].emulator.traces(&found.vector)? else {
            let name = &sides[index].name;
            let reason = format!("no traces: {name} is an instruction of several blocks, each with stages of its own");
            return Ok((Vec::new(), reason));
        };
        both.push(runs);
    }
    let names = found.pair.map(|index| sides[index].name.clone());
    let listed = both.iter().map(|runs| runs.iter().map(listed).collect()).collect();
    Ok((listed, beside(&names, &both[0], &both[1])))
}

fn listed(trace: &Trace) -> TraceRows {
    trace_rows(trace.values.iter().map(|(signal, values)| (signal.name.to_owned(), values.clone())))
}

/// The first run in which two subjects differ, side by side.
fn beside([left_name, right_name]: &[String; 2], left: &[Trace], right: &[Trace]) -> String {
    let signals =
        |trace: &Trace| trace.values.iter().map(|(signal, _)| (signal.name, signal.elements)).collect::<Vec<_>>();
    let none = |reason: &str| format!("no traces side by side: {reason}; `--json` has both");
    if left.len() != right.len() {
        return none(&format!("{left_name} has {} runs, {right_name} {}", left.len(), right.len()));
    }
    if left.iter().zip(right).any(|(left, right)| signals(left) != signals(right)) {
        return none("the subjects have different stages");
    }
    let count = left.len();
    let mut runs = (1..).zip(left.iter().zip(right));
    let Some((run, (left, right))) = runs.find(|(_, (left, right))| left != right) else {
        return "no traces side by side: the answers differ in the formats of d only".to_owned();
    };
    let heading = if count > 1 { format!("run {run} of {count}, the first that differs:\n") } else { String::new() };
    let shown = side_by_side(left_name, left, right_name, right);
    format!("{heading}{}\naligned and sum count units of 2^(anchor - F) of each subject", shown.trim_end())
}

/// The report as text.
pub(super) fn print(report: &Report, outcome: &Outcome) {
    for pair in &report.pairs {
        print_pair(&pair.subjects, pair, (report.tried, report.seed, report.all_inputs));
    }
    let (distinguished, rest) = (outcome.distinguished.len(), outcome.indistinguishable.len());
    let all = if report.all_inputs { ", all inputs" } else { "" };
    let tried = thousands(report.tried);
    let pairs = distinguished + rest;
    say!("{distinguished} of {pairs} pairs distinguished, {tried} vectors tried{all}, seed {}", report.seed);
}
