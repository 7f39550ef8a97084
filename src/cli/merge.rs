//! `tensorsmith merge`: the results of all shards of a campaign, added.

use std::path::PathBuf;

use clap::Args;

use super::output::say;
use super::reports::{self, Reports};
use super::{Failure, Verdict};
use crate::cli::table;
use tensorsmith::check::campaign::{Campaign, Run, RunTotal, merge};
use tensorsmith::describe::text::Foreign;
use tensorsmith::report::{CampaignReport, thousands};

/// Add the results of all shards of a campaign
///
/// The same results give the same report, however many shards there were, wherever they ran, and however often they were
/// stopped. Each piece counts once. Where pieces are missing, the exit code is 2, unless --partial allows that.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith merge nightly.toml results\n  tensorsmith merge nightly.toml node1 node2 --json nightly.json\n  tensorsmith merge nightly.toml results --partial"
)]
pub(super) struct Arguments {
    /// Campaign file (.toml)
    file: PathBuf,
    /// Folders with results
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// Pieces may be missing
    #[arg(long)]
    partial: bool,
    #[command(flatten)]
    pub reports: Reports,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let campaign = Campaign::from_file(&arguments.file)?;
    let report = report("merge", &campaign, &arguments.folders)?;
    let merged = report.merged.clone();
    reports::keep(report.clone());
    if !merged.complete && !arguments.partial {
        let missing: u64 = merged.runs.iter().map(|run| run.pieces_missing).sum();
        let (missing, all) = (thousands(missing), thousands(campaign.pieces()));
        return Err(Failure(format!("{}: {missing} of {all} pieces are missing; allowed: --partial", campaign.name)));
    }
    if !arguments.reports.quiet() {
        print(&report);
    }
    Ok(if merged.passed { Verdict::Agreed } else { Verdict::Differed })
}

/// The results in these folders, and the case files there of each run's first mismatch.
pub(super) fn report(
    command: &'static str,
    campaign: &Campaign,
    folders: &[PathBuf],
) -> Result<CampaignReport, Failure> {
    let merged = merge(campaign, folders)?;
    let case_file = |(run, total): (&Run, &RunTotal)| {
        let name = total.first.as_ref()?.case_file(run);
        let path = folders.iter().map(|folder| folder.join(&name)).find(|path| path.exists())?;
        Some(path.shown())
    };
    let case_files = campaign.runs.iter().zip(&merged.runs).map(case_file).collect();
    Ok(CampaignReport { merged, error: None, case_files, command })
}

/// Prints a row for each run, and what came of all.
pub(super) fn print(report: &CampaignReport) {
    let merged = &report.merged;
    let rows = merged.runs.iter().map(|run| {
        let engines = run.engines.iter().map(|engine| {
            let reasons: Vec<&str> = engine.reasons.iter().map(String::as_str).collect();
            match engine.pieces_skipped {
                0 => format!("{} {}", engine.engine, thousands(engine.vectors)),
                pieces => format!(
                    "{} {} (skipped in {} pieces, because {})",
                    engine.engine,
                    thousands(engine.vectors),
                    thousands(pieces),
                    reasons.join("; ")
                ),
            }
        });
        vec![
            run.subject.clone(),
            run.seed.to_string(),
            engines.collect::<Vec<_>>().join(", "),
            thousands(run.compared),
            match (run.signed, run.mismatches) {
                (false, count) => thousands(count),
                (true, 1) => "1 signature".to_owned(),
                (true, count) => format!("{} signatures", thousands(count)),
            },
            thousands(run.pieces_missing),
        ]
    });
    let headings = ["subject", "seed", "vectors that each engine ran", "compared", "mismatches", "pieces missing"];
    say!("{}", table::table(&headings, &[1, 3, 4, 5], rows.collect()));
    for (index, run) in merged.runs.iter().enumerate() {
        let Some(first) = &run.first else { continue };
        say!("{}: {}", run.subject, first.text());
        if let Some(rerun) = report.rerun(index) {
            say!("{}: {rerun}", run.subject);
        }
    }
    let sum = |count: fn(&RunTotal) -> u64| thousands(merged.runs.iter().map(count).sum());
    let (compared, mismatches) = (sum(|run| run.compared), sum(|run| run.mismatches));
    let complete = if merged.complete { "complete" } else { "not complete" };
    say!("{}: {compared} vectors compared, {mismatches} mismatches, {complete}", merged.campaign);
}
