//! `tensorsmith merge`: the results of all shards of a campaign, added.

use std::path::PathBuf;

use clap::Args;

use super::output::{self, say};
use super::{Failure, Verdict};
use crate::cli::table;
use tensorsmith::check::campaign::{Campaign, Merged, merge};
use tensorsmith::report::thousands;

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
    /// Write the report as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let campaign = Campaign::from_file(&arguments.file)?;
    let merged = merge(&campaign, &arguments.folders)?;
    if !merged.complete && !arguments.partial {
        let missing: u64 = merged.runs.iter().map(|run| run.pieces_missing).sum();
        let (missing, all) = (thousands(missing), thousands(campaign.pieces()));
        return Err(Failure(format!("{}: {missing} of {all} pieces are missing; allowed: --partial", campaign.name)));
    }
    if output::json_beside_text(arguments.json.as_deref(), &merged)? {
        print(&merged);
    }
    Ok(if merged.passed { Verdict::Agreed } else { Verdict::Differed })
}

/// Prints a row for each run, and what came of all.
pub(super) fn print(merged: &Merged) {
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
    for run in &merged.runs {
        let Some(first) = &run.first else { continue };
        if let Some(made) = &first.signed {
            say!("{}: first signature that differs: {}; seed {}", run.subject, made.said, made.seed);
        } else {
            let answers: Vec<String> = first.answers.iter().map(|(engine, d)| format!("{engine} {d}")).collect();
            say!(
                "{}: first mismatch: vector {}, shrunk: {} gives {}",
                run.subject,
                thousands(first.index),
                first.operands.join(" "),
                answers.join(", ")
            );
        }
    }
    let sum =
        |count: fn(&tensorsmith::check::campaign::RunTotal) -> u64| thousands(merged.runs.iter().map(count).sum());
    let (compared, mismatches) = (sum(|run| run.compared), sum(|run| run.mismatches));
    let complete = if merged.complete { "complete" } else { "not complete" };
    say!("{}: {compared} vectors compared, {mismatches} mismatches, {complete}", merged.campaign);
}
