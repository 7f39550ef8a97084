//! `tensorsmith prove UNIT --rtl` and `tensorsmith prove --check-certificates DIR`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use super::Solving;
use crate::cli::output::{self, say};
use crate::cli::{Failure, Verdict, input};
use crate::describe::unit::Unit;
use crate::emit::{self, SourceFile};
use crate::prove::certificate::{self, Source};
use crate::prove::netlist;
use crate::prove::rtl::{self, Composition, Obligation, Outcome, Registered, RtlProof, StepKind};

/// What is asked of the netlist.
#[derive(Args)]
pub(super) struct Options {
    /// Prove that the unit's SystemVerilog, as Yosys reads it, is the datapath text; --timeout counts for all of it
    #[arg(long, conflicts_with_all = ["suite", "list", "property", "products"])]
    pub rtl: bool,
    /// With --rtl: write the clauses and checked proofs of what search answered into DIR
    #[arg(long, value_name = "DIR", requires = "rtl")]
    pub certificates: Option<PathBuf>,
    /// Check the certificates in DIR
    #[arg(long, value_name = "DIR", conflicts_with_all = ["unit", "rtl", "suite", "list"])]
    pub check_certificates: Option<PathBuf>,
}

/// What the JSON report says.
#[derive(Serialize)]
struct Report<'a> {
    unit: &'a str,
    module: String,
    statement: &'static str,
    verdict: &'a rtl::Verdict,
    witness_operands: Option<Vec<String>>,
    /// What it was proved of, and with what.
    sources: Vec<Source>,
    netlist_sha256: String,
    yosys: String,
    tensorsmith: &'static str,
    obligations: &'a [Obligation],
    composition: &'a Composition,
    registered: &'a Registered,
    seconds: f64,
}

const STATEMENT: &str = "for all operands, every named signal and every output of the netlist has the number that the \
                         datapath text gives it";

/// Proves the emitted SystemVerilog of a unit.
pub(super) fn prove(name: &str, options: &Options, solving: &Solving, json: Option<&Path>) -> Result<Verdict, Failure> {
    let unit = input::unit(name)?;
    let start = Instant::now();
    let yosys = netlist::version()?;
    let mut files = emit::leaves();
    files.push(emit::core(&unit)?);
    let core = netlist::read(&unit.module_name(), &files)?;
    let registered = registered(&unit, &files, &core)?;
    let netlist_sha256 = core.sha256.clone();
    let problem = rtl::pair(&unit, core).map_err(Failure)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(solving.jobs()).build()?;
    let bar = output::progress(&unit.name, 0, "questions");
    let told = |done: usize, all: usize| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    };
    let proof = pool.install(|| rtl::prove(&unit, &problem, Duration::from_secs(solving.timeout), &told));
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    // What is not proved has none.
    if let (Some(folder), rtl::Verdict::Proved) = (&options.certificates, &proof.verdict) {
        let versions = [yosys.clone(), netlist_sha256.clone()];
        certificate::write(folder, &unit, &files, versions, &proof.obligations)?;
    }
    let report = Report {
        unit: &unit.name,
        module: unit.module_name(),
        statement: STATEMENT,
        verdict: &proof.verdict,
        witness_operands: operands(&proof),
        sources: certificate::sources(&files),
        netlist_sha256,
        yosys,
        tensorsmith: env!("CARGO_PKG_VERSION"),
        obligations: &proof.obligations,
        composition: &proof.composition,
        registered: &registered,
        seconds,
    };
    if let Some(path) = json {
        output::json(path, &report)?;
    }
    if json != Some(Path::new("-")) {
        print(&unit, &report);
    }
    let agreed = proof.verdict == rtl::Verdict::Proved && registered.gaps.is_empty();
    Ok(if agreed { Verdict::Agreed } else { Verdict::Differed })
}

fn registered(unit: &Unit, files: &[SourceFile], core: &netlist::Netlist) -> Result<Registered, Failure> {
    let wrapper = emit::registered(unit)?;
    let module = wrapper.name.trim_end_matches(".sv").to_owned();
    let mut files = files.to_vec();
    files.push(wrapper);
    let netlist = netlist::read(&module, &files)?;
    Ok(rtl::check_registers(&module, &netlist, core))
}

fn operands(proof: &RtlProof) -> Option<Vec<String>> {
    match &proof.verdict {
        rtl::Verdict::Refuted(witness) => Some(witness.vector.operands().map(|bits| format!("{bits:#x}")).collect()),
        _ => None,
    }
}

/// One row a kind of obligation.
fn rows(obligations: &[Obligation]) -> Vec<Vec<String>> {
    let mut rows: Vec<(String, Vec<&Obligation>)> = Vec::new();
    for obligation in obligations {
        let name = match obligation.kind {
            StepKind::Claim => "claims of the text",
            StepKind::Lemma => "lemmas of the text",
            StepKind::Signal => obligation.name.split('[').next().unwrap_or(&obligation.name),
        };
        match rows.iter_mut().find(|(known, _)| known == name) {
            Some((_, list)) => list.push(obligation),
            None => rows.push((name.to_owned(), vec![obligation])),
        }
    }
    rows.into_iter().map(|(name, list)| row(name, &list)).collect()
}

fn row(name: String, obligations: &[&Obligation]) -> Vec<String> {
    let proved = obligations.iter().filter(|one| matches!(one.outcome, Outcome::Proved(_))).count();
    let mut how: Vec<&str> = obligations
        .iter()
        .map(|one| match &one.outcome {
            Outcome::Proved(method) => method.name(),
            Outcome::Fails(_) => "fails",
            Outcome::Unknown(_) => "unknown",
        })
        .collect();
    how.sort_unstable();
    how.dedup();
    let asked = obligations.iter().filter(|one| one.same_as.is_none()).count();
    let cells: usize = obligations.iter().map(|one| one.cells.len()).sum();
    let seconds: f64 = obligations.iter().map(|one| one.seconds).sum();
    vec![
        name,
        format!("{proved} of {}", obligations.len()),
        asked.to_string(),
        how.join(", "),
        cells.to_string(),
        format!("{seconds:.2}"),
    ]
}

fn print(unit: &Unit, report: &Report) {
    let headings = ["signal", "proved", "asked", "how", "cells", "seconds"];
    say!("{}", output::table(&headings, &[1, 2, 4, 5], rows(report.obligations)));
    let composition = report.composition;
    say!(
        "\ncells that outputs depend on: {}, each in one stage; other cells: {}",
        composition.cells,
        composition.unused_cells
    );
    let registered = report.registered;
    match registered.gaps.first() {
        None => say!(
            "{}: only delays, by {} clock edges; {} register bits",
            registered.module,
            registered.latency,
            registered.register_bits
        ),
        Some(gap) => say!("{}: does more than delay: {gap}", registered.module),
    }
    say!("netlist {} of {} and its leaves, read by {}", &report.netlist_sha256[..16], report.module, report.yosys);
    match report.verdict {
        rtl::Verdict::Proved => say!("{}: proved: {STATEMENT} ({:.1} s)", unit.name, report.seconds),
        rtl::Verdict::Refuted(witness) => {
            say!(
                "{}: refuted: {} is {} in the netlist and {} in the emulator for",
                unit.name,
                witness.signal,
                witness.netlist,
                witness.emulator
            );
            say!("  {}", report.witness_operands.iter().flatten().cloned().collect::<Vec<_>>().join(" "));
            let results = [witness.netlist_result, witness.emulator_result];
            let [netlist, emulator] = results.map(|bits| format!("{bits:#x}"));
            say!("  (a, b, scales, c in this order); results: netlist {netlist}, emulator {emulator}");
        }
        rtl::Verdict::Unknown(reason) => say!("{}: unknown: {reason}", unit.name),
    }
}

/// Checks a folder of certificates.
pub(super) fn check_certificates(folder: &Path, json: Option<&Path>) -> Result<Verdict, Failure> {
    let checked = certificate::check(folder)?;
    if let Some(path) = json {
        output::json(path, &checked)?;
    }
    if json != Some(Path::new("-")) {
        let (proofs, steps, clauses) = (checked.proofs, checked.steps, checked.clauses);
        say!("{}: {proofs} proofs accepted, {steps} steps over {clauses} clauses", checked.unit);
        say!("they settle {} obligations; {} others were settled without search", checked.obligations, checked.others);
        match &checked.remade {
            Ok(()) => say!("the clauses are those of netlist {}, made again", &checked.netlist_sha256[..16]),
            Err(why) => say!("the clauses were not made again from the netlist: {why}"),
        }
    }
    Ok(Verdict::Agreed)
}
