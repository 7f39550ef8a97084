//! `tensorsmith infer`: a unit description from the answers of an engine.

mod recording;
mod report;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::{Failure, Verdict, input, output};
use crate::describe::unit::Unit;
use crate::engine::{Batch, Composed, Engine, Kind, Opened};
use crate::infer::{Contradiction, Finding, Interface, Options, Outcome, infer, infer_recorded, unit_file};
use report::{Report, answer_row, parameter_row, refuted_row, schemes};

/// Find a unit's description from an engine's answers alone
///
/// Of the subject only the interface is used: formats, number of products, whether there are flags. Directed vectors are
/// asked, hypotheses that answer otherwise fall, and vectors that tell the rest apart are asked next. Where nothing in the
/// space of hypotheses fits, that is said, with answers that contradict each other, and the exit code is 1.
///
/// A recording can be asked nothing more: what its vectors decide is found, and what they leave open is listed.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith infer hopper-fp16-fp32 --engine emulator --out found.toml\n  tensorsmith infer amx-bf16-fp32 --engine intel --json evidence.json\n  tensorsmith infer my-unit.toml --engine rtl --confirm 100000\n  tensorsmith infer intel-vdpbf16ps --recording tests/data/recordings/Sapphire-Rapids-0.tsrec"
)]
pub(super) struct Arguments {
    /// Name of a unit or an instruction of the catalogue, or a unit file (.toml), whose interface the engine has; of a file
    /// with several recordings, which one
    #[arg(required_unless_present = "recording")]
    subject: Option<String>,
    /// Engine that answers
    #[arg(long, value_name = "ENGINE", required_unless_present = "recording", conflicts_with = "recording")]
    engine: Option<Kind>,
    /// Recorded answers (.tsrec) in place of an engine
    #[arg(long, value_name = "FILE")]
    recording: Option<PathBuf>,
    /// Write the unit found to FILE
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Name of the unit found
    #[arg(long, default_value = "inferred", value_name = "NAME")]
    name: String,
    /// Write the evidence as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Seed of the shaped vectors
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Shaped vectors that must agree in the end
    #[arg(long, default_value_t = 1_000_000, value_name = "COUNT")]
    confirm: u64,
    /// Vectors looked through for a difference between two hypotheses, without asking the engine
    #[arg(long, default_value_t = 20_000, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    search: u64,
}

/// What answers, or has answered.
enum Answers {
    Engine(Box<dyn Engine>),
    Recorded(Batch, Vec<u64>),
}

/// Names of the subject and of what answers, the answers, and the interface.
struct Asked {
    subject: String,
    answerer: String,
    answers: Answers,
    frame: Unit,
}

fn asked(arguments: &Arguments) -> Result<Asked, Failure> {
    let name = arguments.subject.as_deref();
    match (&arguments.recording, arguments.engine, name) {
        (Some(path), _, name) => {
            let recorded = recording::read(path, name)?;
            let answerer = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let answers = Answers::Recorded(recorded.vectors, recorded.answers);
            Ok(Asked { subject: recorded.subject, answerer, answers, frame: recorded.frame })
        }
        (None, Some(kind), Some(name)) => {
            let subject = input::subject(name)?.subject;
            match kind.open_subject(&subject)? {
                Opened::Unsupported(reason) => Err(Failure(format!("{}: skipped, because {reason}", kind.name()))),
                Opened::Ready(engine) => Ok(Asked {
                    subject: name.to_owned(),
                    answerer: kind.name().to_owned(),
                    answers: Answers::Engine(engine),
                    frame: subject.frame(),
                }),
            }
        }
        _ => Err(Failure("nothing to ask; allowed: SUBJECT and --engine, or --recording".to_owned())),
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let Asked { subject, answerer, answers, frame } = asked(arguments)?;
    let start = Instant::now();
    let options = Options { seed: arguments.seed, confirm: arguments.confirm, search: arguments.search };
    let evaluate = Composed::emulated;
    let (recorded, outcome) = match answers {
        Answers::Engine(mut engine) => (false, infer(engine.as_mut(), Interface::of(&frame), &evaluate, options)?),
        Answers::Recorded(vectors, answers) => {
            (true, infer_recorded(&vectors, &answers, Interface::of(&frame), &evaluate, options)?)
        }
    };
    let mut report = Report {
        subject,
        engine: answerer,
        found: false,
        scheme: None,
        unit_file: None,
        asked: 0,
        confirmed: 0,
        seconds: start.elapsed().as_secs_f64(),
        parameters: Vec::new(),
        refuted: Vec::new(),
        equivalent: Vec::new(),
        recorded,
        contradiction: Vec::new(),
        space: schemes(),
    };
    match &outcome {
        Outcome::Found(finding) => found(arguments, finding, &mut report)?,
        Outcome::Nothing(contradiction) => nothing(contradiction, &mut report),
    }
    if let Some(path) = &arguments.json {
        output::json(path, &report)?;
    }
    if arguments.json.as_deref() != Some(std::path::Path::new("-")) {
        report::print(&report);
    }
    Ok(if report.found { Verdict::Agreed } else { Verdict::Differed })
}

fn found(arguments: &Arguments, finding: &Finding, report: &mut Report) -> Result<(), Failure> {
    let text = unit_file(finding, &arguments.name, &report.engine);
    if let Some(path) = &arguments.out {
        output::write_whole(path, &text)?;
    }
    report.found = true;
    report.scheme = Some(finding.hypothesis.unit.scheme.name());
    report.unit_file = Some(text);
    (report.asked, report.confirmed) = (finding.asked, finding.confirmed);
    report.parameters = finding.parameters.iter().map(parameter_row).collect();
    report.refuted = finding.refuted.iter().map(refuted_row).collect();
    report.equivalent = finding.equivalent.iter().map(|other| other.unit.scheme.name()).collect();
    Ok(())
}

fn nothing(contradiction: &Contradiction, report: &mut Report) {
    report.asked = contradiction.asked;
    report.refuted = contradiction.best.iter().map(refuted_row).collect();
    report.contradiction = contradiction.together.iter().map(|(vector, answer)| answer_row(vector, *answer)).collect();
}
