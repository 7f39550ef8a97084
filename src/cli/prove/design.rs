//! `tensorsmith prove --design FILE`.

use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

use super::Solving;
use crate::cli::output::{self, say};
use crate::cli::{Failure, Verdict, design, input, table};
use tensorsmith::design::Design;
use tensorsmith::prove::design::{Means, Stage, prove};
use tensorsmith::report::DesignProofReport;

/// Proves a design against the unit that the command line names, or that it says it equals.
pub(super) fn run(
    name: Option<&str>,
    named: &Design,
    total: u64,
    solving: &Solving,
    json: Option<&Path>,
) -> Result<Verdict, Failure> {
    let equals = name.map_or_else(|| design::equals(named), |name| Ok(name.to_owned()))?;
    let unit = input::unit(&equals)?;
    let start = Instant::now();
    let bar = output::progress(&named.said.name, 0, "nodes");
    let message = |what: &str| bar.set_message(format!("{}: {what}", named.said.name));
    let shown = Cell::new(0);
    let told = |stage: Stage| match stage {
        Stage::Reading => message("reading"),
        Stage::Simulation => message("simulating"),
        Stage::Claims => message("claims of the text"),
        Stage::Search(progress) => {
            if shown.replace(progress.all) != progress.all {
                message("equal nodes and bits");
                bar.set_length(progress.all as u64);
            }
            bar.set_position(progress.done as u64);
        }
    };
    let means = Means { query: Duration::from_secs(solving.timeout), total: Duration::from_secs(total) };
    let proved = prove(&unit, named, means, &told);
    bar.finish_and_clear();
    let report = DesignProofReport::of(&unit, named, &proved?, start.elapsed().as_secs_f64());
    if output::json_beside_text(json, &report)? {
        print(&report);
    }
    Ok(if report.is_proved() { Verdict::Agreed } else { Verdict::Differed })
}

fn print(report: &DesignProofReport) {
    let row = |what: &str, count: String, how: String| vec![what.to_owned(), count, how];
    let proved = report.bits.iter().filter(|bit| bit.verdict == "proved").count();
    let rows = vec![
        row("claims of the text", format!("{} of {}", report.claims_proved, report.claims), String::new()),
        row("equal nodes", format!("{} of {}", report.equal_nodes, report.nodes), "search".to_owned()),
        row("bits of the result", format!("{proved} of {}", report.bits.len()), "search".to_owned()),
    ];
    if !report.bits.is_empty() {
        say!("{}", table::table(&["what", "proved", "how"], &[1], rows));
    }
    say!(
        "{}: {} clocks from operands to result, {} register bits, {} cells",
        report.top,
        report.latency,
        report.register_bits,
        report.cells
    );
    if report.is_proved() {
        report.rests_on.iter().for_each(|what| say!("rests on {what}"));
    }
    let (design, unit) = (&report.design, &report.unit);
    match (&report.witness, &report.reason) {
        (Some(witness), _) => {
            say!(
                "{design}: refuted: the result is {} in the design and {} in the emulator for",
                witness.design,
                witness.emulator
            );
            say!("  {}", witness.operands.line());
            say!("  reference: {}", witness.reference);
        }
        (None, Some(reason)) => say!("{design}: {}: {reason}", report.verdict),
        (None, None) => {
            say!("{design}: {} to equal {unit}: {} ({:.1} s)", report.verdict, report.statement, report.seconds)
        }
    }
}
