//! `distinguish --solver`: the vector with the fewest products, or the proof that two units or instructions are equivalent.

use serde::Serialize;

use super::show::ShownVector;
use super::sides::{Side, sides};
use super::{Arguments, shown_vector, table};
use crate::cli::output::{self, say};
use crate::cli::prove::prover;
use crate::cli::{Failure, Verdict, input};
use tensorsmith::prove::difference::{Difference, Settled, difference};
use tensorsmith::prove::solver::Program;
use tensorsmith::prove::sum::Sum;
use tensorsmith::report::VERSION;

#[derive(Serialize)]
struct Report {
    tensorsmith: &'static str,
    command: &'static str,
    solver: String,
    subjects: [String; 2],
    /// Products of the vectors.
    k: u32,
    #[serde(skip)]
    in_one_run: bool,
    /// "differ", "equivalent" or "unknown".
    verdict: &'static str,
    reason: Option<String>,
    /// Products of the vector, all others are zero; and whether fewer are shown not to suffice.
    products: Option<u32>,
    fewest: Option<bool>,
    seconds: f64,
    vector: Option<ShownVector>,
    rerun: Vec<String>,
}

/// The subject as it answers the vectors of both.
fn sum(name: &str, side: &Side) -> Result<Sum, Failure> {
    let instruction = input::subject_beside_devices(name)?.instruction();
    Ok(Sum::with_products(&instruction, side.frame.products, &side.frame.formats.c)?)
}

pub(super) fn run(arguments: &Arguments, program: Program) -> Result<Verdict, Failure> {
    let [left, right] = arguments.subjects.as_slice() else {
        let count = arguments.subjects.len();
        return Err(Failure(format!("--solver: {count} subjects; allowed: two units or instructions")));
    };
    let mut sides = sides(&arguments.subjects, arguments.k)?;
    let sums = [sum(left, &sides[0])?, sum(right, &sides[1])?];
    let prover = prover(program, arguments.timeout)?;
    let bar = output::spinner("distinguish");
    let Settled { difference, seconds } = difference(sums.each_ref(), &prover)?;
    bar.finish_and_clear();
    let mut report = Report {
        tensorsmith: VERSION,
        command: "distinguish",
        solver: prover.solver.identity(),
        subjects: [0, 1].map(|index: usize| sides[index].name.clone()),
        k: sides[0].frame.products,
        in_one_run: sides.iter().all(Side::alone),
        verdict: "equivalent",
        reason: None,
        products: None,
        fewest: None,
        seconds,
        vector: None,
        rerun: Vec::new(),
    };
    match difference {
        Difference::None => {}
        Difference::Unknown(reason) => (report.verdict, report.reason) = ("unknown", Some(reason.to_string())),
        Difference::Witness { parts, products, fewest } => {
            let vector = &parts[0].vector;
            report.verdict = "differ";
            (report.products, report.fewest) = (Some(products), Some(fewest));
            report.vector = Some(shown_vector(&mut sides, &[0, 1], vector)?);
            let commands = sides.iter().zip(&arguments.subjects).filter_map(|(side, name)| side.command(name, vector));
            report.rerun = commands.collect();
        }
    }
    if output::json_beside_text(arguments.json.as_deref(), &report)? {
        print(&report);
    }
    Ok(Verdict::Agreed)
}

fn print(report: &Report) {
    let [left, right] = &report.subjects;
    let (solver, seconds) = (&report.solver, report.seconds);
    match (&report.vector, &report.reason) {
        (Some(vector), _) => {
            let products = report.products.unwrap_or_default();
            let fewest = match report.fewest {
                Some(true) => "with fewer there is no difference",
                _ => "whether fewer are enough is unknown",
            };
            say!(
                "{left} and {right} differ; products after the first {products} are 0, {fewest}; operands that are not listed are 0:"
            );
            table(vector);
            report.rerun.iter().for_each(|command| say!("  {command}"));
        }
        (None, Some(reason)) => say!("{left} and {right}: unknown: {reason}"),
        (None, None) if report.in_one_run => say!("{left} and {right} are equivalent: proved for all inputs"),
        (None, None) => {
            say!("{left} and {right} are equivalent on sums of {} products: proved for all inputs", report.k);
        }
    }
    say!("{solver}, {seconds:.2} s");
}
