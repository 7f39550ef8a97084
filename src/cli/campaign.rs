//! `tensorsmith campaign`: very many vectors in pieces, on one machine or on many.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::output::say;
use super::{Failure, Verdict, engines, external, input, merge, output};
use tensorsmith::check::campaign::{self, Campaign, Made, Maker, Outcome, Piece, Results, Shard};
use tensorsmith::check::case::{Case, right_answer};
use tensorsmith::check::compare::Mismatch;
use tensorsmith::emit;
use tensorsmith::engine::Kind;
use tensorsmith::report::thousands;

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
    /// Pieces at a time; default: as many as there are processors
    #[arg(long, value_name = "N", value_parser = input::number::<u32>(1..=1024))]
    jobs: Option<u32>,
    /// Time after which no more pieces are begun, in seconds or as 90s, 5m, 2h; the same command goes on with those that are missing
    #[arg(long, value_name = "TIME", value_parser = input::duration)]
    time_limit: Option<Duration>,
}

/// What workers share.
struct Shared {
    results: Results,
    /// Runs that have had a mismatch.
    differed: HashSet<usize>,
    /// Runs that have had one of which a case file can be written.
    cases: HashSet<usize>,
    vectors: u64,
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
    let runs = |has: fn(&Outcome) -> bool| -> HashSet<usize> {
        let all = results.outcomes.iter().filter(|outcome| has(outcome));
        all.filter_map(|outcome| campaign.piece(outcome.piece).map(|piece| piece.run)).collect()
    };
    let differed = runs(|outcome| outcome.mismatches > 0);
    let cases = runs(|outcome| outcome.first.as_ref().is_some_and(|first| !first.operands.is_empty()));
    let vectors = |pieces: &[Piece]| pieces.iter().map(|piece| piece.count).sum::<u64>();
    let bar = output::progress(&campaign.name, vectors(&all), "vectors");
    bar.inc(vectors(&all) - vectors(&missing));
    bar.reset_eta();
    let shared = Mutex::new(Shared { results, differed, cases, vectors: 0 });
    let jobs = arguments.jobs.map_or_else(output::processors, |jobs| jobs as usize);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build()?;
    let start = Instant::now();
    let is_time_up = || arguments.time_limit.is_some_and(|limit| start.elapsed() >= limit);
    let go = |&piece: &Piece| match is_time_up() {
        true => Ok(()),
        false => run_piece(&campaign, piece, jobs, &shared, &arguments.out, &bar),
    };
    // Every piece by itself: no order among them, and none is run after an error. A board has one user, and the engine beside it all
    // processors.
    let (signed, plain): (Vec<Piece>, Vec<Piece>) =
        missing.iter().copied().partition(|piece| campaign.runs[piece.run].signed);
    let ran = pool.install(|| plain.par_iter().try_for_each(go)).and_then(|()| signed.iter().try_for_each(go));
    bar.finish_and_clear();
    let shared = shared.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Err(error) = ran {
        // Where no piece was finished, nothing is left behind.
        shared.results.discard_if_empty();
        emit::remove_empty(&new);
        return Err(error);
    }
    say!(
        "{}: shard {}/{}: {} pieces of {} vectors, {} of them run now",
        campaign.name,
        arguments.shard.number,
        arguments.shard.of,
        all.len(),
        thousands(vectors(&all)),
        thousands(shared.vectors)
    );
    if is_time_up() && shared.vectors < vectors(&missing) {
        say!("{}: stopped by the time limit; the same command goes on", campaign.name);
    }
    merge::print(&campaign::merge(&campaign, std::slice::from_ref(&arguments.out))?);
    Ok(if shared.differed.is_empty() { Verdict::Agreed } else { Verdict::Differed })
}

fn run_piece(
    campaign: &Campaign,
    piece: Piece,
    jobs: usize,
    shared: &Mutex<Shared>,
    out: &Path,
    bar: &ProgressBar,
) -> Result<(), Failure> {
    let (outcome, mismatch) = campaign::run(campaign, piece, engines::may_be_missing(), jobs)?;
    let mut shared = shared.lock().map_err(|_| Failure("a worker failed".to_owned()))?;
    if let Some(mismatch) = mismatch.filter(|_| !shared.cases.contains(&piece.run)) {
        let made = outcome.first.as_ref().and_then(|first| first.signed.as_ref());
        write_case(campaign, piece.run, &mismatch, made, out)?;
        shared.cases.insert(piece.run);
    }
    if outcome.mismatches > 0 {
        shared.differed.insert(piece.run);
    }
    shared.results.append(&outcome)?;
    shared.vectors += outcome.compared;
    bar.inc(piece.count);
    Ok(())
}

/// The case file of a subject's mismatch.
fn write_case(
    campaign: &Campaign,
    run: usize,
    mismatch: &Mismatch,
    made: Option<&Made>,
    out: &Path,
) -> Result<(), Failure> {
    let run = &campaign.runs[run];
    let right = right_answer(&run.subject, &mismatch.vector)?;
    let seed = made.map_or(run.seed, |made| made.seed);
    let case = Case::of(&run.subject, mismatch, Some(seed), right);
    let shape = made.map_or(String::new(), |made| format!("-{}", made.shape));
    let name = format!("case-{}-seed{seed}{shape}-{}.toml", run.subject.name(), mismatch.index);
    output::write_whole(&out.join(name), &case.to_toml())
}
