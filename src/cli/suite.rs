//! `tensorsmith suite`: the experiments of a published work, their readings beside the published ones.

use std::path::{Path, PathBuf};

use clap::Args;

use super::output::say;
use super::{Failure, Verdict, input, output};
use crate::cli::table;
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::Kind;
use tensorsmith::literature::{Answers, Outcome, Work};
use tensorsmith::report::{PublishedReport, PublishedSubject, picture};

/// Run the experiments of a published work and print each reading beside the published one
///
/// Vectors are made from the work's text and the subject's formats; a value that the formats do not have is left out. A
/// reading is compared with what the work says of the device that the subject models, and otherwise only printed. Where the
/// catalogue's unit reads something else the reason is printed with it.
#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 every reading is as published, or differs for a documented reason; 1 one differs without; 2 bad input\nor an engine that has none of the subjects.\n\nExamples:\n  tensorsmith suite fasi\n  tensorsmith suite fasi hopper-fp16-fp32 my-unit.toml\n  tensorsmith suite valpey turing-fp16-fp32 --engine reference --json -\n  tensorsmith suite hickmann --pictures drawn\n  tensorsmith suite fasi --list"
)]
pub(super) struct Arguments {
    /// The published work
    work: Work,
    /// Names of units or instructions of the catalogue, or unit or instruction files (.toml); default: those of the
    /// devices that the work measured
    subjects: Vec<String>,
    /// Engine that answers
    #[arg(long, value_name = "ENGINE", default_value = "emulator")]
    engine: Kind,
    /// List the experiments and where the work describes them; nothing is run
    #[arg(long, conflicts_with_all = ["subjects", "engine", "json", "pictures"])]
    list: bool,
    /// Write readings, vectors and answers as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw the experiments that have pictures, as SUBJECT-EXPERIMENT.svg in the folder DIR
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let work = arguments.work;
    if arguments.list {
        list(work);
        return Ok(Verdict::Agreed);
    }
    let quiet = arguments.json.as_deref().is_some_and(output::is_standard_output);
    let names = match arguments.subjects.as_slice() {
        [] => work.subjects().into_iter().map(str::to_owned).collect(),
        names => names.to_vec(),
    };
    if let Some(folder) = &arguments.pictures {
        prepare(folder, work)?;
    }
    let named = names.iter().map(|name| input::subject(name)).collect::<Result<Vec<_>, _>>()?;
    let (mut subjects, mut pictures) = (Vec::new(), Vec::new());
    for named in named {
        let name = named.subject.name();
        let subject = match Answers::open(&named.subject, arguments.engine)? {
            Err(reason) => PublishedSubject::skipped(name, arguments.engine.name(), reason),
            Ok(mut answers) => {
                let experiments = work.experiments().into_iter();
                let outcomes: Vec<Outcome> =
                    experiments.map(|experiment| answers.run(experiment)).collect::<Result<_, _>>()?;
                let grids = outcomes.iter().filter_map(|outcome| work.grid(outcome));
                pictures.extend(grids.map(|grid| (format!("{name}-{}.svg", grid.experiment), picture(name, &grid))));
                PublishedSubject::new(name, answers.identity(), &outcomes)
            }
        };
        if !quiet {
            print(&subject);
        }
        subjects.push(subject);
    }
    let report = PublishedReport::new(work, subjects);
    if let Some(path) = &arguments.json {
        output::json(path, &report)?;
    }
    // Pictures that cannot be written are said when all else is.
    let mut drawn = Ok(());
    if let Some(folder) = &arguments.pictures {
        drawn = pictures.iter().try_for_each(|(name, text)| output::write_whole(&folder.join(name), text));
        if !quiet && drawn.is_ok() {
            say!("{} pictures in {}", pictures.len(), folder.shown());
        }
    }
    if !quiet {
        let sum = |count: fn(&PublishedSubject) -> usize| report.subjects.iter().map(count).sum::<usize>();
        let [same, documented, differing] =
            [PublishedSubject::same, PublishedSubject::documented, PublishedSubject::differing].map(sum);
        say!(
            "{}: {same} published readings are the same, {documented} differ for a documented reason, {differing} differ; \
             tensorsmith {}",
            report.citation,
            report.tensorsmith
        );
    }
    drawn?;
    let mut skipped = report.subjects.iter().filter_map(|subject| subject.skipped.as_ref());
    match (skipped.clone().count() == report.subjects.len(), report.passed) {
        (true, _) => {
            let (engine, reason) = (arguments.engine.name(), skipped.next().map_or("", String::as_str));
            Err(Failure(format!("nothing asked: {engine}: skipped, because {reason}")))
        }
        (false, true) => Ok(Verdict::Agreed),
        (false, false) => Ok(Verdict::Differed),
    }
}

/// Makes the folder for pictures of a work that has some.
fn prepare(folder: &Path, work: Work) -> Result<(), Failure> {
    if !work.has_pictures() {
        let with = Work::ALL.iter().filter(|work| work.has_pictures()).map(|work| work.name()).collect::<Vec<_>>();
        return Err(Failure(format!("--pictures: {} has no pictures; allowed: {}", work.name(), with.join(", "))));
    }
    output::make_folder(folder)
}

fn list(work: Work) {
    let rows = work.experiments().into_iter().map(|experiment| {
        let mut units: Vec<&str> = experiment.published.iter().map(|published| published.unit).collect();
        units.dedup();
        vec![experiment.name.to_owned(), experiment.question.to_owned(), experiment.source.to_owned(), units.join(", ")]
    });
    say!("{}", work.citation());
    say!("{}", table::table(&["experiment", "question", "source", "published for"], &[], rows.collect()));
    if let Some(note) = work.note() {
        say!("{note}");
    }
}

fn print(subject: &PublishedSubject) {
    let PublishedSubject { subject: name, engine, version, vectors, .. } = subject;
    if let Some(reason) = &subject.skipped {
        say!("{name}: {engine}: skipped, because {reason}\n");
        return;
    }
    say!("{name}: {engine} {version}, {vectors} vectors");
    let (mut rows, mut reasons) = (Vec::new(), Vec::new());
    for experiment in &subject.experiments {
        let reading = match (&experiment.reading, &experiment.not_asked) {
            (Some(reading), _) => reading.clone(),
            (None, reason) => format!("not asked: {}", reason.as_deref().unwrap_or_default()),
        };
        let mut row = |published: [String; 3]| {
            let [device, published, verdict] = published;
            rows.push(vec![experiment.name.to_owned(), reading.clone(), device, published, verdict]);
        };
        if experiment.published.is_empty() {
            row(["-", "-", "-"].map(str::to_owned));
        }
        for published in &experiment.published {
            let place = format!("{}, {}", published.device, published.place);
            let verdict = match published.reason {
                Some(reason) => format!("differs [{}]", number_of(&mut reasons, reason)),
                None => published.verdict.to_owned(),
            };
            row([place, published.reading.clone(), verdict]);
        }
    }
    say!("{}", table::table(&["experiment", "reading", "device", "published", "verdict"], &[], rows));
    for (index, reason) in reasons.iter().enumerate() {
        say!("[{}] {reason}", index + 1);
    }
    say!("");
}

/// The number of a reason under the table, from 1.
fn number_of(reasons: &mut Vec<&'static str>, reason: &'static str) -> usize {
    let known = reasons.iter().position(|known| *known == reason);
    known.unwrap_or_else(|| {
        reasons.push(reason);
        reasons.len() - 1
    }) + 1
}
