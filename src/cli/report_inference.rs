//! `report --inference`: each unit and instruction inferred from its emulator's answers, and the finding compared with it.

use std::time::Instant;

use rayon::prelude::*;

use super::output::note;
use super::{Failure, output};
use tensorsmith::check::black_box::BlackBox;
use tensorsmith::check::compare::{Source, compare};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::{Composed, Kind, Opened};
use tensorsmith::infer::{Options, Outcome, infer};
use tensorsmith::report::{Asked, Inferred, thousands};

/// Infers all subjects, on all cores, and says of each on standard error what was found. Each inference searches
/// `search` vectors in the end.
pub(super) fn inferred(subjects: &[Subject], asked: &Asked, search: u64) -> Result<Vec<Inferred>, Failure> {
    let bar = output::progress("inference", subjects.len() as u64, "inferred");
    let rows: Result<Vec<Option<Inferred>>, Failure> = subjects
        .par_iter()
        .map(|subject| {
            let row = one(subject, asked, search)?;
            if let Some(Inferred { found, asked, seconds, .. }) = &row {
                bar.suspend(|| {
                    note!("{}: {found}; {} vectors asked, {seconds:.1} s", subject.name(), thousands(*asked))
                });
            }
            bar.inc(1);
            Ok(row)
        })
        .collect();
    bar.finish_and_clear();
    Ok(rows?.into_iter().flatten().collect())
}

/// The inference of one subject, which is then compared with what was found on as many vectors as were searched, and at
/// least on those asked for; none where it has no emulator.
fn one(subject: &Subject, asked: &Asked, search: u64) -> Result<Option<Inferred>, Failure> {
    let start = Instant::now();
    let Opened::Ready(mut engine) = Kind::Emulator.open_subject(subject)? else { return Ok(None) };
    let options = Options { seed: asked.seed, confirm: asked.vectors, search };
    let outcome = infer(engine.as_mut(), subject.interface(), &Composed::emulated_wide, None, options)?;
    let seconds = start.elapsed().as_secs_f64();
    let compared = match &outcome {
        Outcome::Found(finding) => {
            let stimulus = Stimulus::shaped(subject.frame(), asked.seed.wrapping_add(1));
            let source = Source::Shaped { stimulus, count: asked.vectors.max(search) };
            let [own, found] =
                [&subject.instruction(), &finding.hypothesis].map(|one| BlackBox(Composed::emulated_wide(one)));
            Some(compare(vec![Box::new(own), Box::new(found)], &source, &mut |_| {})?)
        }
        Outcome::Nothing(_) => None,
    };
    Ok(Some(Inferred::of(subject, &outcome, compared.as_ref(), seconds)))
}
