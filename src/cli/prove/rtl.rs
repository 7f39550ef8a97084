//! `tensorsmith prove UNIT --rtl` and `tensorsmith prove --check-certificates DIR`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use super::{Solving, kept};
use crate::cli::output::{self, say};
use crate::cli::table;
use crate::cli::{Failure, Verdict, input};
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit::overridden;
use tensorsmith::prove::certificate;
use tensorsmith::prove::rtl::{self, Files, Kept, Means, Progress, StepKind, prove_unit, simulate};
use tensorsmith::report::{ObligationReport, RtlReport, RtlWitness};

/// What is asked of the netlist.
#[derive(Args)]
pub(super) struct Options {
    /// Prove that the unit's SystemVerilog, as Yosys reads it, is the datapath text; --timeout counts for all that follows
    #[arg(long, conflicts_with_all = ["suite", "list", "property", "products", "slice_bits", "solver", "memory"])]
    pub rtl: bool,
    /// With --rtl: prove all SystemVerilog files (.sv) in DIR, named as `tensorsmith emit` names them, instead of those that are
    /// emitted; text that tools read differently is refused, and what is proved is run in Verilator and Icarus
    #[arg(long, value_name = "DIR", requires = "rtl", conflicts_with = "certificates")]
    pub files: Option<PathBuf>,
    /// With --rtl: prove that module of the library, such as `tensorsmith_fused`, with the parameters that --parameter gives and its
    /// own for the rest, against the unit that they make
    #[arg(long, value_name = "MODULE", requires = "rtl", conflicts_with_all = ["unit", "files"])]
    pub top: Option<String>,
    /// With --top: a parameter in place of the module's own; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "top", value_parser = parameter)]
    pub parameter: Vec<(String, String)>,
    /// With --rtl: write the clauses and checked proofs of what search answered into DIR
    #[arg(long, value_name = "DIR", requires = "rtl")]
    pub certificates: Option<PathBuf>,
    /// Check the certificates in DIR
    #[arg(long, value_name = "DIR", conflicts_with_all = ["unit", "rtl", "suite", "list", "property", "products", "slice_bits", "solver", "memory", "jobs", "cache", "no_cache"])]
    pub check_certificates: Option<PathBuf>,
}

fn parameter(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("allowed: NAME=VALUE, such as Products=8")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Proves the SystemVerilog of a unit, or of a module with parameters.
pub(super) fn prove(
    name: Option<&str>,
    options: &Options,
    solving: &Solving,
    json: Option<&Path>,
) -> Result<Verdict, Failure> {
    let unit = match (&options.top, name) {
        (Some(top), _) => overridden::unit(top, &options.parameter)?,
        (None, Some(name)) => input::unit(name)?,
        (None, None) => return Err(Failure("--rtl: no unit; allowed: a unit, or --top and --parameter".to_owned())),
    };
    let files = match &options.files {
        Some(folder) => Files::read(&unit, folder)?,
        None => Files::emitted(&unit)?,
    };
    // Said before a proof that may take long.
    options.certificates.iter().try_for_each(|folder| output::check_folder_writable(folder))?;
    let mut report = of(&unit, &files, options.certificates.as_deref(), solving)?;
    // Simulators run what is emitted under `cosim`; what a user wrote they run here, also where its proof was kept.
    if options.files.is_some() && report.is_proved() {
        report = report.simulated(&simulate(&unit, &files)?);
    }
    if output::json_beside_text(json, &report)? {
        print(&report);
    }
    Ok(if report.is_proved() { Verdict::Agreed } else { Verdict::Differed })
}

/// The proof of a unit's files: the one that is kept, or a new one. Certificates are made of a new one only.
pub(in crate::cli) fn of(
    unit: &Unit,
    files: &Files,
    certificates: Option<&Path>,
    solving: &Solving,
) -> Result<RtlReport, Failure> {
    let (store, key) = (solving.store()?, kept::key(unit, files)?);
    let whole = key.as_deref().and_then(|key| kept::recall(&store, unit, key));
    if let (None, Some(report)) = (certificates, whole) {
        return Ok(report);
    }
    let start = Instant::now();
    let bar = output::progress(&unit.name, 0, "questions");
    let told = |progress: Progress| {
        bar.set_length(progress.all as u64);
        bar.set_position(progress.done as u64);
        if progress.kept > 0 {
            bar.set_message(format!("{}, kept: {}", unit.name, progress.kept));
        }
    };
    let limit = Duration::from_secs(solving.timeout);
    let means = Means { kept: Kept::within(store.clone()), ..Means::within(limit) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(solving.jobs()).build()?;
    let proved = pool.install(|| prove_unit(unit, files, &means, &told));
    bar.finish_and_clear();
    let proved = proved?;
    let report = RtlReport::of(unit, &proved, start.elapsed().as_secs_f64());
    // What is not proved has no certificates.
    if let (Some(folder), rtl::Verdict::Proved) = (certificates, &proved.proof.verdict) {
        let versions = [proved.yosys.clone(), proved.netlist_sha256.clone()];
        certificate::write(folder, unit, &proved.sources, versions, &proved.proof.obligations)?;
    }
    if let Some(key) = key {
        kept::keep(&store, unit, &key, &report);
    }
    Ok(report)
}

/// One row a kind of obligation.
fn rows(obligations: &[ObligationReport]) -> Vec<Vec<String>> {
    let mut rows: Vec<(String, Vec<&ObligationReport>)> = Vec::new();
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

fn row(name: String, obligations: &[&ObligationReport]) -> Vec<String> {
    let proved = obligations.iter().filter(|one| one.verdict == "proved").count();
    let mut how: Vec<&str> =
        obligations.iter().map(|one| if one.verdict == "proved" { &one.how } else { &one.verdict }.as_str()).collect();
    how.sort_unstable();
    how.dedup();
    let asked = obligations.iter().filter(|one| one.same_as.is_none()).count();
    let cells: usize = obligations.iter().map(|one| one.cells).sum();
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

fn print(report: &RtlReport) {
    let headings = ["signal", "proved", "asked", "how", "cells", "seconds"];
    say!("{}", table::table(&headings, &[1, 2, 4, 5], rows(&report.obligations)));
    let composition = &report.composition;
    say!(
        "\ncells that outputs depend on: {}, each in one stage; other cells: {}",
        composition.cells,
        composition.unused_cells
    );
    let registered = &report.registered;
    match (&registered.unread, registered.gaps.first()) {
        (Some(why), _) => say!("{}: was not read, because {why}", registered.module),
        (None, None) => say!(
            "{}: only delays, by {} clock edges; {} register bits",
            registered.module,
            registered.latency,
            registered.register_bits
        ),
        (None, Some(gap)) => say!("{}: does more than delay: {gap}", registered.module),
    }
    if let Some(start) = report.netlist_sha256.get(..16) {
        say!("netlist {start} of {} and its leaves, read by {}", report.module, report.yosys);
    }
    let asked = || report.obligations.iter().filter(|one| one.inputs > 0 && one.same_as.is_none());
    match asked().filter(|one| one.kept).count() {
        0 => {}
        kept => say!("kept from an earlier run: {kept} of {} questions", asked().count()),
    }
    if report.is_proved() {
        report.rests_on.iter().for_each(|what| say!("rests on {what}"));
    }
    let unit = &report.unit;
    match (&report.witness, &report.reason) {
        (Some(witness), reason) => {
            let what = reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
            let RtlWitness { signal, netlist, emulator, .. } = witness;
            say!(
                "{unit}: {}{what}: {signal} is {netlist} in the netlist and {emulator} in the emulator for",
                report.verdict
            );
            say!("  {}", witness.operands.line());
            say!("  results: netlist {}, emulator {}", witness.netlist_result, witness.emulator_result);
            witness.answers.iter().for_each(|(engine, answer)| say!("  {engine}: {answer}"));
        }
        (None, Some(reason)) => say!("{unit}: {}: {reason}", report.verdict),
        (None, None) => {
            let kept = if report.cached { ", proved before of the same files by this program" } else { "" };
            say!("{unit}: {}: {} ({:.1} s{kept})", report.verdict, report.statement, report.seconds);
        }
    }
}

/// Checks a folder of certificates.
pub(super) fn check_certificates(folder: &Path, solving: &Solving, json: Option<&Path>) -> Result<Verdict, Failure> {
    let checked = certificate::check(folder, Duration::from_secs(solving.timeout))?;
    if output::json_beside_text(json, &checked)? {
        let (proofs, steps, clauses) = (checked.proofs, checked.steps, checked.clauses);
        say!("{}: {proofs} proofs accepted, {steps} steps over {clauses} clauses", checked.unit);
        say!("they settle {} obligations; {} others were settled without search", checked.obligations, checked.others);
        match &checked.remade {
            Ok(()) => say!("the clauses are those of netlist {}, made again", &checked.netlist_sha256[..16]),
            Err(why) => say!("the clauses were not made again from the netlist: {why}"),
        }
    }
    // What was not compared is not known.
    Ok(if checked.remade.is_ok() { Verdict::Agreed } else { Verdict::Differed })
}
