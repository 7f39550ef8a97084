//! `tensorsmith distinguish`: a vector on which subjects differ, or one to which they give prescribed answers.

mod devices;
mod prescribed;
mod show;
mod sides;
mod solved;

use std::path::PathBuf;

use clap::Args;

use super::output::say;
use super::{Failure, Verdict, input, output};
use crate::cli::table;
use sides::{Side, sides};
use tensorsmith::describe::device::Device;
use tensorsmith::describe::interface::Frame;
use tensorsmith::infer::distinguish::{Budget, Candidate, Outcome, distinguish};
use tensorsmith::prove::solver::Program;
use tensorsmith::report::thousands;

/// Find the smallest vector on which units, instructions or devices differ, or one with prescribed answers
///
/// Each two subjects are compared. Operands a and b must have the same formats; c has the format that every subject's holds.
/// Results are compared as encodings where they have one format, and otherwise as numbers: any NaN is then like any other.
/// Smallest means: fewest infinite and NaN operands, then fewest that are not zero, then the fewest significand bits, then
/// exponents nearest to 0, then the fewest minus signs, then the first positions; as far as single and paired changes lead.
///
/// A device stands for its instructions. Of two devices, or a device and a unit or instruction, every two instructions with the
/// same a, b, d, scales and K are compared, and of c one must hold the other's. Instructions that one description computes share a
/// row, and one that both devices have is not compared with others that both have. What only one of them has is listed.
#[derive(Args)]
#[command(
    after_help = "With --k N sums have N products: a subject with fewer is run several times and adds to its own result, and the last run\nis filled up with zeros.\n\nExit codes: 0 whether distinguished or not, whether found or not: the output says which; 2 bad input.\n\nExamples:\n  tensorsmith distinguish ampere-fp16-fp32 turing-fp16-fp32\n  tensorsmith distinguish hopper-fp16-fp32 my-unit.toml --vectors 10000000 --json -\n  tensorsmith distinguish volta-fp16-fp32 ampere-fp16-fp32 hopper-fp16-fp32 --k 16\n  tensorsmith distinguish H100 A100\n  tensorsmith distinguish V100 T4 my-unit.toml --k 16\n  tensorsmith distinguish volta-fp16-fp32 ampere-fp16-fp32 cdna2-fp16-fp32 cdna1-fp16-fp32 hopper-fp16-fp32 \\\n    --answers 0,0,0,255.875,191.875\n  tensorsmith distinguish volta-fp16-fp32 my-unit.toml --solver bitwuzla\n  tensorsmith distinguish volta-fp16-fp32 ampere-fp16-fp32 --solver bitwuzla --k 4"
)]
pub(super) struct Arguments {
    /// Names of units, instructions or devices of the catalogue, or unit or instruction files (.toml)
    #[arg(required = true)]
    subjects: Vec<String>,
    /// Products of a sum; default: those of the subjects, and with --answers those of the largest and the smallest subject together
    #[arg(long, value_name = "N", value_parser = input::number::<u32>(1..=256))]
    k: Option<u32>,
    /// Look for one vector with these answers, a finite number for each subject; c is 0
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "NUMBERS")]
    answers: Vec<String>,
    /// Vectors to try at most for each search, of devices for each row, those that make a found one smaller not counted; all inputs where these are no more; default:
    /// 1,000,000
    #[arg(long, value_name = "N", value_parser = input::number::<u64>(1..=u64::MAX))]
    vectors: Option<u64>,
    /// Seed of the search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = input::number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Let this solver find a vector with the fewest products for two units or instructions, or prove that they are equivalent
    #[arg(long, value_enum, value_name = "SOLVER", conflicts_with_all = ["answers", "vectors", "seed"])]
    solver: Option<Program>,
    /// Seconds for one query of the solver
    #[arg(long, value_name = "SECONDS", default_value_t = 300, requires = "solver", value_parser = input::number::<u64>(1..=604_800))]
    timeout: u64,
    /// Write it as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Vectors to try, unless told otherwise.
const VECTORS: u64 = 1_000_000;

impl Arguments {
    fn vectors(&self) -> u64 {
        self.vectors.unwrap_or(VECTORS)
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    if arguments.subjects.iter().any(|name| Device::meant(name).is_some()) {
        return devices::run(arguments);
    }
    if let Some(program) = arguments.solver {
        return solved::run(arguments, program);
    }
    if !arguments.answers.is_empty() {
        return prescribed::run(arguments);
    }
    if arguments.subjects.len() < 2 {
        return Err(Failure("one subject; allowed: at least two, or --answers".to_owned()));
    }
    let mut sides = sides(&arguments.subjects, arguments.k)?;
    let outcome = search(&mut sides, arguments)?;
    let report = show::report(&mut sides, &arguments.subjects, arguments.seed, &outcome)?;
    if output::json_beside_text(arguments.json.as_deref(), &report)? {
        show::print(&report, &outcome);
    }
    Ok(Verdict::Agreed)
}

/// Looks for vectors on which the sides differ, two and two.
fn search(sides: &mut [Side], arguments: &Arguments) -> Result<Outcome, Failure> {
    let frames: Vec<Frame> = sides.iter().map(|side| side.frame.clone()).collect();
    let mut candidates: Vec<Candidate> =
        sides.iter_mut().zip(&frames).map(|(side, frame)| Candidate { engine: &mut side.emulator, frame }).collect();
    let budget = Budget { vectors: arguments.vectors(), seed: arguments.seed };
    let bar = output::progress("distinguish", budget.vectors, "vectors");
    let outcome = distinguish(&mut candidates, budget, &mut |tried| bar.set_position(tried))?;
    bar.finish_and_clear();
    Ok(outcome)
}

/// What an empty answer is worth.
fn empty(tried: u64, seed: u64, all_inputs: bool) -> String {
    let tried = thousands(tried);
    match all_inputs {
        true => format!("no difference on any of the {tried} inputs there are"),
        false => {
            format!("no difference found on {tried} vectors with seed {seed}; this is not a proof that there is none")
        }
    }
}

/// The table of a vector and its answers.
fn table(vector: &show::ShownVector) {
    let rows = vector.operands.iter().chain(&vector.answers).map(|shown| shown.row()).collect();
    say!("{}", table::table(&["", "encoding", "fields", "hexadecimal float", "decimal"], &[4], rows));
    if vector.steps.iter().any(|steps| steps.after.len() > 1) {
        let rows = vector.steps.iter().map(|steps| vec![steps.subject.clone(), steps.after.join(", ")]);
        say!("{}", table::table(&["", "d after each run"], &[], rows.collect()));
    }
}

/// A vector with the answers of some sides, emulator and reference alike.
fn shown_vector(
    sides: &mut [Side],
    which: &[usize],
    vector: &tensorsmith::engine::Vector,
) -> Result<show::ShownVector, Failure> {
    let mut operands = super::eval::shown_operands(&sides[which[0]].frame, vector);
    operands.retain(|shown| shown.decimal != "0");
    let mut shown = show::ShownVector { operands, answers: Vec::new(), steps: Vec::new() };
    for &index in which {
        let side = &mut sides[index];
        let steps = side.steps(vector)?;
        let word = steps.last().copied().unwrap_or_default();
        shown.answers.push(super::eval::shown_answer(&side.name, &side.frame, word));
        let decimal = |word: &u64| super::eval::shown_answer("", &side.frame, *word).decimal;
        shown.steps.push(show::Steps { subject: side.name.clone(), after: steps.iter().map(decimal).collect() });
    }
    Ok(shown)
}
