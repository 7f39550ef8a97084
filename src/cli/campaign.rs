//! `tensorsmith campaign`: very many vectors in pieces, on one machine or on many.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::output::say;
use super::reports::{self, Reports};
use super::{Failure, Verdict, engines, external, input, interrupt, merge, output};
use tensorsmith::check::campaign::{self, Campaign, First, Maker, Piece, PieceError, Results, Run, Shard};
use tensorsmith::check::case::{Case, right_answer};
use tensorsmith::check::compare::Mismatch;
use tensorsmith::describe::text::Foreign;
use tensorsmith::emit;
use tensorsmith::engine::Kind;
use tensorsmith::report::{CampaignReport, thousands};

/// Run a campaign file, or one of several shards of it
///
/// The file names subjects, engines, vectors and seeds; src/check/campaign/CAMPAIGN_FILE.md has its fields. The work is cut
/// into pieces, each a pure function of the file and its number. A finished piece is a line in DIR/shard-i-of-N.results.
/// Stopped at any moment, the same command goes on with the pieces that are missing. `tensorsmith merge` adds the results of
/// all shards, which may have run on different machines.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith campaign nightly.toml --out results\n  tensorsmith campaign nightly.toml --out results --shard 3/64\n  tensorsmith campaign nightly.toml --out results --time-limit 6h\n  seq 64 | parallel tensorsmith campaign nightly.toml --out results --shard {}/64 --jobs 1\n  sbatch --wait --array=1-64 src/check/campaign/slurm.sh nightly.toml results\n  tensorsmith merge nightly.toml results"
)]
pub(super) struct Arguments {
    /// Campaign file (.toml)
    file: PathBuf,
    /// Folder for results, and for the case file of each subject's first mismatch; created if need be
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Which part to run: the i-th of N
    #[arg(long, value_name = "i/N", default_value = "1/1", allow_hyphen_values = true)]
    shard: Shard,
    /// Pieces at a time [default: one per processor]
    #[arg(long, value_name = "N", value_parser = input::number::<u32>(1..=1024))]
    jobs: Option<u32>,
    /// Time after which no more pieces are begun, in seconds or as 90s, 5m, 2h; the same command goes on with those that are missing
    #[arg(long, value_name = "TIME", value_parser = input::duration)]
    time_limit: Option<Duration>,
    #[command(flatten)]
    pub reports: Reports,
}

/// What workers share.
struct Shared {
    results: Results,
    /// Of each run, the mismatch with the least index, and its case file where this process or an earlier one wrote it.
    firsts: BTreeMap<usize, (First, Option<PathBuf>)>,
    /// Runs that have had a mismatch.
    differed: HashSet<usize>,
    vectors: u64,
}

impl Shared {
    fn new(campaign: &Campaign, results: Results, out: &Path) -> Shared {
        let mut shared = Shared { results, firsts: BTreeMap::new(), differed: HashSet::new(), vectors: 0 };
        let outcomes = shared.results.outcomes.clone();
        for outcome in outcomes.into_iter().filter(|outcome| outcome.mismatches > 0) {
            let Some(piece) = campaign.piece(outcome.piece) else { continue };
            shared.differed.insert(piece.run);
            let Some(first) = outcome.first.filter(|first| shared.is_first(piece.run, first)) else { continue };
            let path = out.join(first.case_file(&campaign.runs[piece.run]));
            shared.firsts.insert(piece.run, (first, path.exists().then_some(path)));
        }
        shared
    }

    /// Whether no mismatch of the run with a lesser index is known. Of signatures the one with a vector comes first.
    fn is_first(&self, run: usize, first: &First) -> bool {
        let order = |first: &First| (first.operands.is_empty(), first.index);
        self.firsts.get(&run).is_none_or(|(other, _)| order(first) < order(other))
    }

    /// Keeps a mismatch if it is the first of its run, with a case file in place of that of a later one.
    fn note(
        &mut self,
        campaign: &Campaign,
        run: usize,
        (first, mismatch): (First, Option<Mismatch>),
        out: &Path,
    ) -> Result<(), Failure> {
        self.differed.insert(run);
        if !self.is_first(run, &first) {
            return Ok(());
        }
        let mismatch = mismatch.filter(|mismatch| mismatch.not_reproducible.is_empty());
        let path = mismatch.map(|mismatch| write_case(&campaign.runs[run], &mismatch, &first, out)).transpose()?;
        let before = self.firsts.insert(run, (first, path));
        if let Some((_, Some(later))) = before {
            // Results name only the first one.
            let _ = std::fs::remove_file(later);
        }
        Ok(())
    }
}

pub(super) fn run(arguments: &Arguments, external: &external::Options) -> Result<Verdict, Failure> {
    let campaign = Campaign::from_file(&arguments.file)?;
    external.check(campaign.runs.iter().any(|run| run.kinds.contains(&Kind::External)))?;
    let maker = Maker::of_this_run()?;
    let new = emit::missing_folders(&arguments.out);
    output::make_folder(&arguments.out)?;
    let results = Results::open(&arguments.out, &campaign, &maker, arguments.shard)?;
    let own = (0..campaign.pieces()).filter(|&number| arguments.shard.has(number));
    let all: Vec<Piece> = own.filter_map(|number| campaign.piece(number)).collect();
    let done: HashSet<u64> = results.outcomes.iter().map(|outcome| outcome.piece).collect();
    let missing: Vec<Piece> = all.iter().filter(|piece| !done.contains(&piece.number)).copied().collect();
    let vectors = |pieces: &[Piece]| pieces.iter().map(|piece| piece.count).sum::<u64>();
    let bar = output::progress(&campaign.name, vectors(&all), "vectors");
    bar.inc(vectors(&all) - vectors(&missing));
    bar.reset_eta();
    let shared = Mutex::new(Shared::new(&campaign, results, &arguments.out));
    let jobs = arguments.jobs.map_or_else(output::processors, |jobs| jobs as usize);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build()?;
    let start = Instant::now();
    let is_time_up = || arguments.time_limit.is_some_and(|limit| start.elapsed() >= limit);
    let go = |&piece: &Piece| match is_time_up() || interrupt::came() {
        true => Ok(()),
        false => run_piece(&campaign, piece, jobs, &shared, &arguments.out, &bar),
    };
    // Every piece by itself: no order among them, and none is run after an error. A board has one user, and the engine beside it all
    // processors.
    let (signed, plain): (Vec<Piece>, Vec<Piece>) =
        missing.iter().copied().partition(|piece| campaign.runs[piece.run].signed);
    let ran = pool.install(|| plain.par_iter().try_for_each(go)).and_then(|()| signed.iter().try_for_each(go));
    bar.finish_and_clear();
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if ran.is_err() && shared.results.is_empty() && shared.differed.is_empty() {
        // Where no piece was finished, nothing is left behind.
        shared.results.discard_if_empty();
        emit::remove_empty(&new);
        return ran.map(|()| Verdict::Agreed);
    }
    let report = report(&campaign, &shared, &arguments.out)?;
    if !arguments.reports.quiet() {
        let Shard { number, of } = arguments.shard;
        let (pieces, size, now) = (all.len(), thousands(vectors(&all)), thousands(shared.vectors));
        say!("{}: shard {number}/{of}: {pieces} pieces of {size} vectors, {now} of them run now", campaign.name);
        if is_time_up() && shared.vectors < vectors(&missing) {
            say!("{}: stopped by the time limit; the same command goes on", campaign.name);
        }
        merge::print(&report);
    }
    reports::keep(report);
    ran?;
    match shared.differed.is_empty() {
        true => interrupt::check().map(|()| Verdict::Agreed),
        false => Ok(Verdict::Differed),
    }
}

/// The results in the folder, and mismatches of pieces that were not finished.
fn report(campaign: &Campaign, shared: &Shared, out: &Path) -> Result<CampaignReport, Failure> {
    let mut report = merge::report("campaign", campaign, &[out.to_owned()])?;
    for (&run, (first, path)) in &shared.firsts {
        let known = &mut report.merged.runs[run].first;
        if known.as_ref().is_none_or(|known| first.index < known.index) {
            *known = Some(first.clone());
            report.case_files[run] = path.as_ref().map(|path| path.shown());
            report.merged.passed = false;
        }
    }
    Ok(report)
}

fn run_piece(
    campaign: &Campaign,
    piece: Piece,
    jobs: usize,
    shared: &Mutex<Shared>,
    out: &Path,
    bar: &ProgressBar,
) -> Result<(), Failure> {
    let mut progress = || if interrupt::came() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let ended = campaign::run(campaign, piece, (engines::may_be_missing(), jobs), &mut progress)?;
    let mut shared = shared.lock().map_err(|_| Failure("a worker failed".to_owned()))?;
    if let Some(first) = ended.first {
        shared.note(campaign, piece.run, first, out)?;
    }
    let outcome = match ended.outcome {
        Err(PieceError::Stopped) => return Ok(()),
        outcome => outcome?,
    };
    shared.results.append(&outcome)?;
    shared.vectors += outcome.compared;
    bar.inc(piece.count);
    Ok(())
}

/// Writes the case file of a mismatch: its path.
fn write_case(run: &Run, mismatch: &Mismatch, first: &First, out: &Path) -> Result<PathBuf, Failure> {
    let right = right_answer(&run.subject, &mismatch.vector)?;
    let seed = first.signed.as_ref().map_or(run.seed, |made| made.seed);
    let case = Case::of(&run.subject, mismatch, Some(seed), right);
    let path = out.join(first.case_file(run));
    output::write_whole(&path, &case.to_toml())?;
    Ok(path)
}
