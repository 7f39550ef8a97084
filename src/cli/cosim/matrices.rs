//! `cosim --matrices`: whole matrices through an instruction, every element of D compared.

use std::time::Duration;

use super::comparison::{Setup, until_time_is_up};
use super::{Arguments, mismatch, stimulus};
use crate::cli::output::say;
use crate::cli::{Failure, engines, output, table};
use tensorsmith::check::compare::{Lineup, line_up};
use tensorsmith::check::matrices::{Products, compare_matrices};
use tensorsmith::describe::subject::Subject;
use tensorsmith::report::UnitReport;

/// Elements of D, unless told otherwise.
const ELEMENTS: u64 = 100_000;

/// Runs one instruction, for so long at most, and prints what came of it.
pub(super) fn run(
    subject: &Subject,
    arguments: &Arguments,
    limit: Option<Duration>,
    setup: &Setup,
) -> Result<UnitReport, Failure> {
    let Subject::Instruction(instruction) = subject else {
        let name = subject.name();
        return Err(Failure(format!("--matrices: {name} is a unit; allowed: instructions")));
    };
    let stimulus = stimulus(&instruction.frame(), arguments)?;
    let classes = stimulus.classes().iter().map(|class| class.name()).collect();
    let Lineup { ready, skipped } = line_up(subject, setup.kinds)?;
    engines::check_skipped(&skipped)?;
    let count = arguments.vectors.unwrap_or(ELEMENTS);
    let bar = output::progress(&instruction.name, count, "elements");
    let products = Products::new(instruction, stimulus, arguments.seed);
    let draw = |number| products.draw(number);
    let goes_on = until_time_is_up(limit);
    let mut progress = |done: u64| {
        bar.set_position(done.min(count));
        goes_on()
    };
    let (comparison, element) = compare_matrices(ready, instruction, &draw, count, &mut progress)?;
    bar.finish_and_clear();
    let mut report = UnitReport::of(subject, "matrices", classes, &skipped, &comparison);
    if !setup.quiet {
        say!("{}", report.text(table::room()).trim_end());
    }
    if let (Some(mismatch), Some(element), Some(first)) = (&comparison.first, element, &mut report.first_mismatch) {
        first.element = Some(element);
        if let Err(failure) = mismatch::explain(subject, mismatch, first, (setup, None)) {
            drop(setup.unwritten.set(failure));
        }
    }
    Ok(report)
}
