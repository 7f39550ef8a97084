//! `tensorsmith replay`: recorded answers of real hardware against emulator and RTL.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::output::say;
use super::reports::{self, Reports};
use super::{Failure, Verdict, engines, input, interrupt, output, replay_files};
use crate::cli::table;
use tensorsmith::check::replay::replay;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::{Batch, Kind, Opened};
use tensorsmith::recording::public::{self, Content, Recording};
use tensorsmith::report::{Description, RecordingEngine, RecordingReport, ReplayReport, RowReport, thousands};

/// Run recordings of real hardware through engines
///
/// Reads the files that `record` writes, and the layout of the public repository north-numerical-computing/MATLAB-tensor-core, folder model_validation:
/// <device>/<operands>/{a,b}_<device>_<operands>.txt, c_<device>_fp32.txt, d_<device>_<result>.txt.
///
/// Of a box of which only the interface is known nothing answers, unless --subject names a unit, such as one that `infer` found.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith replay amx.tsrec\n  tensorsmith replay box.tsrec --subject found.toml --engines emulator\n  tensorsmith replay MATLAB-tensor-core/model_validation\n  tensorsmith replay recordings --engines emulator,reference,rtl --junit replay.xml"
)]
pub(super) struct Arguments {
    /// File of recordings (.tsrec), folder of such files, or folder that holds the device folders
    path: PathBuf,
    /// Unit or instruction that answers in place of the recorded one: a name of the catalogue, or a unit or instruction file
    /// (.toml)
    #[arg(long, value_name = "NAME|FILE")]
    subject: Option<String>,
    /// Engines that answer
    #[arg(long, value_delimiter = ',', default_value = "emulator,rtl", value_name = "ENGINES")]
    engines: Vec<Kind>,
    /// Threads that answer; as many as there are processors without. Engines that are there once, GPUs, programs and designs,
    /// answer on one
    #[arg(long, value_name = "N", value_parser = input::number::<u16>(1..=1024))]
    jobs: Option<u16>,
    #[command(flatten)]
    pub reports: Reports,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    input::check_engines(&arguments.engines)?;
    let other = arguments.subject.as_deref().map(input::subject).transpose()?.map(|named| named.subject);
    let files = replay_files::files(&arguments.path)?;
    let jobs = arguments.jobs.map_or_else(output::processors, usize::from);
    let report = match (files.is_empty(), other.as_ref()) {
        (false, other) => replay_files::replay_files(&files, (&arguments.engines, jobs), other, &|_| true)?,
        (true, None) => replay_all(&public::read_all(&arguments.path)?, (&arguments.engines, jobs))?,
        (true, Some(_)) => {
            let path = arguments.path.shown();
            return Err(Failure(format!("--subject: {path} holds no recording files; allowed: with files (.tsrec)")));
        }
    };
    if !arguments.reports.quiet() {
        print(&report, &arguments.engines);
    }
    reports::keep(report.clone());
    let asked = || report.recordings.iter().flat_map(|recording| &recording.engines);
    engines::check_ran(|name| asked().all(|one| one.engine != name || one.skipped.is_some()))?;
    let ran = arguments.engines.iter().any(|kind| report.total(kind.name()).0 > 0);
    match (ran, report.passed) {
        (false, _) => {
            interrupt::check()?;
            let reason = report.recordings.iter().find_map(|recording| recording.skipped.as_ref());
            let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
            Err(Failure(format!("no engine ran any recording{reason}")))
        }
        (true, false) => Ok(Verdict::Differed),
        (true, true) => interrupt::check().map(|()| Verdict::Agreed),
    }
}

/// Every row of every recording through engines of these kinds, so many recordings at a time.
pub(super) fn replay_all(recordings: &[Recording], (kinds, jobs): (&[Kind], usize)) -> Result<ReplayReport, Failure> {
    let rows = recordings.iter().map(|recording| match &recording.content {
        Content::Rows { expected, .. } => expected.len() as u64,
        Content::Skipped(_) => 0,
    });
    let subjects: Vec<Subject> = recordings
        .iter()
        .filter_map(|recording| match &recording.content {
            Content::Rows { instruction, .. } => Some(instruction.as_ref().clone().into()),
            Content::Skipped(_) => None,
        })
        .collect();
    output::prepare(kinds, &subjects);
    let bar = output::progress("replay", rows.sum(), "vectors");
    let jobs = if kinds.iter().all(|kind| kind.opens_again()) { jobs } else { 1 };
    let pool = ThreadPoolBuilder::new().num_threads(jobs).build()?;
    // Of several that failed the first one's failure is told; those behind one that failed are not begun.
    let failed = AtomicUsize::new(usize::MAX);
    let outcome = |(place, recording)| {
        let goes_on = place < failed.load(Ordering::Relaxed) && !interrupt::came();
        let outcome = goes_on.then(|| run_one(recording, kinds))?;
        match &outcome {
            Ok(report) => bar.inc(report.engines.iter().map(|engine| engine.vectors).max().unwrap_or(0)),
            Err(_) => drop(failed.fetch_min(place, Ordering::Relaxed)),
        }
        Some(outcome)
    };
    let outcomes: Vec<_> = pool.install(|| recordings.par_iter().enumerate().map(outcome).collect());
    bar.finish_and_clear();
    Ok(ReplayReport::new(outcomes.into_iter().flatten().collect::<Result<_, Failure>>()?))
}

fn run_one(recording: &Recording, kinds: &[Kind]) -> Result<RecordingReport, Failure> {
    let mut report = RecordingReport {
        device: recording.device.clone(),
        operands: recording.operands.clone(),
        result: recording.result.clone(),
        instruction: None,
        description: None,
        unlike_catalogue: None,
        engines: Vec::new(),
        skipped: None,
        first_mismatch: None,
    };
    match &recording.content {
        Content::Skipped(reason) => report.skipped = Some(reason.clone()),
        Content::Rows { instruction, batch, expected } => {
            report.instruction = Some(instruction.name.clone());
            report.description = Some(Description::Catalogue);
            for &kind in kinds {
                run_engine(kind, instruction, batch, expected, &mut report)?;
            }
        }
    }
    Ok(report)
}

fn run_engine(
    kind: Kind,
    instruction: &Instruction,
    batch: &Batch,
    expected: &[u64],
    report: &mut RecordingReport,
) -> Result<(), Failure> {
    let mut engine = match kind.open_instruction(instruction)? {
        Opened::Ready(engine) => engine,
        Opened::Absent(reason) => {
            report.engines.push(RecordingEngine::skipped(kind.name(), engines::skipped(kind, &reason)?));
            return Ok(());
        }
    };
    let outcome = replay(engine.as_mut(), batch, expected)?;
    if let (None, Some(row)) = (&report.first_mismatch, &outcome.first) {
        report.first_mismatch = Some(RowReport::of(outcome.engine, row));
    }
    report.engines.push(RecordingEngine::ran(engine.as_ref(), outcome.vectors, outcome.mismatches));
    Ok(())
}

fn print(report: &ReplayReport, kinds: &[Kind]) {
    let cell = |recording: &RecordingReport, kind: &Kind| {
        let engine = recording.engines.iter().find(|engine| engine.engine == kind.name());
        match engine {
            None => String::new(),
            Some(engine) if engine.skipped.is_some() => "skipped".to_owned(),
            Some(engine) => format!("{} of {} differ", thousands(engine.mismatches), thousands(engine.vectors)),
        }
    };
    let rows = report.recordings.iter().map(|recording| {
        let mut row = vec![
            recording.device.clone(),
            format!("{} -> {}", recording.operands, recording.result),
            recording.instruction.clone().unwrap_or_default(),
            recording.description.map(|description| description.name().to_owned()).unwrap_or_default(),
        ];
        row.extend(kinds.iter().map(|kind| cell(recording, kind)));
        row.push(recording.skipped.as_ref().map(|reason| format!("skipped, because {reason}")).unwrap_or_default());
        row
    });
    let mut headings = vec!["device", "recording", "instruction", "described by"];
    headings.extend(kinds.iter().map(|kind| kind.name()));
    headings.push("");
    say!("{}", table::table(&headings, &[], rows.collect()));
    for recording in &report.recordings {
        if let (Some(unlike), Some(description)) = (&recording.unlike_catalogue, recording.description) {
            let name = recording.instruction.as_deref().unwrap_or_default();
            say!("{name}: described by the {}: {unlike}", description.name());
        }
        if let Some(text) = recording.mismatch_text() {
            say!("{text}");
        }
    }
    for kind in kinds {
        let (vectors, mismatches) = report.total(kind.name());
        let reason = report
            .recordings
            .iter()
            .flat_map(|recording| &recording.engines)
            .find_map(|engine| engine.skipped.as_ref().filter(|_| engine.engine == kind.name()));
        match reason {
            Some(reason) => say!("{}: skipped, because {reason}", kind.name()),
            None => {
                say!("{}: ran {} recorded rows, {} mismatches", kind.name(), thousands(vectors), thousands(mismatches))
            }
        }
    }
}
