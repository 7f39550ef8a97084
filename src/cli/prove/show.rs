//! What `tensorsmith prove` says to people.

use crate::cli::output::say;
use crate::cli::table;
use tensorsmith::prove::property::Property;
use tensorsmith::prove::settle::Verdict;
use tensorsmith::prove::valpey::rows;
use tensorsmith::report::{ProofQuestion, ProofReport, ProofStatement, PublishedSubject};

/// All properties and queries.
pub(super) fn list() {
    let properties = Property::all().into_iter();
    let listed = properties.map(|property| vec![property.name.to_owned(), property.statement.to_owned()]).collect();
    say!("{}", table::table(&["property", "statement"], &[], listed));
    let queries = rows().into_iter().map(|row| {
        let when = if row.only_if_named { "if named" } else { "" };
        vec![row.task.name, row.task.statement, row.source.to_owned(), when.to_owned()]
    });
    say!("{}", table::table(&["query of valpey", "statement", "source", "asked"], &[], queries.collect()));
}

pub(super) fn print(report: &ProofReport) {
    say!(
        "{}: {}, at most {} s and {} MiB a query",
        report.subject,
        report.solver,
        report.timeout_seconds,
        report.memory_mib
    );
    let published = report.statements.iter().any(|statement| statement.source.is_some());
    let row = |statement: &ProofStatement| {
        let time = format!("{:.2}{}", statement.seconds, if statement.cached { " (kept)" } else { "" });
        let mut cells = vec![statement.name.clone(), statement.verdict.name().to_owned(), time];
        if published {
            let times = [statement.published_z3, statement.published_cvc5];
            cells.extend(times.map(|time| time.unwrap_or("-").to_owned()));
        }
        cells
    };
    let headings: &[&str] = match published {
        true => &["statement", "verdict", "seconds", "paper: z3", "paper: cvc5"],
        false => &["statement", "verdict", "seconds"],
    };
    say!("{}", table::table(headings, &[2, 3, 4][..headings.len() - 2], report.statements.iter().map(row).collect()));
    for statement in &report.statements {
        details(statement);
    }
    for inapplicable in &report.inapplicable {
        say!("{}: not asked: {}", inapplicable.property, inapplicable.reason);
    }
    for table in &report.tables {
        readings(table);
    }
    let [proved, refuted, unknown] =
        [Verdict::Proved, Verdict::Refuted, Verdict::Unknown].map(|verdict| report.count(verdict));
    say!("{proved} proved, {refuted} refuted, {unknown} unknown; tensorsmith {}", report.tensorsmith);
}

fn details(statement: &ProofStatement) {
    say!("{}: {}: {}", statement.name, statement.verdict.name(), statement.statement);
    if let (Verdict::Unknown, Some(reason)) = (statement.verdict, &statement.reason) {
        say!("  {reason}");
    }
    for question in &statement.questions {
        witness(question);
    }
}

/// A witness: what the check says of it, or each unit's answer.
fn witness(question: &ProofQuestion) {
    let label = if question.label.is_empty() { String::new() } else { format!("{}: ", question.label) };
    if question.witness.is_empty() {
        return;
    }
    let mut by = question.witness[0].confirmed_by.clone();
    by.retain(|engine| question.witness.iter().all(|part| part.confirmed_by.contains(engine)));
    let by = by.join(", ");
    if let Some(note) = &question.note {
        say!("  {label}{note}; all {} steps confirmed by {by}", question.witness.len());
        return;
    }
    let first = &question.witness[0].operands;
    say!("  {label}{}", first.line());
    let answers = question.witness.iter().map(|part| match part.operands == *first {
        true => format!("{} answers {}", part.unit, part.answer),
        false => format!("{} answers {} to {}", part.unit, part.answer, part.operands.line()),
    });
    say!("    {}; confirmed by {by}", answers.collect::<Vec<_>>().join(", "));
}

/// The readings of the vectors that the work prints.
fn readings(table: &PublishedSubject) {
    for experiment in &table.experiments {
        for published in &experiment.published {
            let reading = experiment.reading.as_deref().unwrap_or("none");
            let reason = published.reason.map_or(String::new(), |reason| format!(": {reason}"));
            let place = experiment.source.split([':', ';', ',']).next().unwrap_or_default();
            say!(
                "{place}, {}, {}: reads {reading}; {}: {}, {}{reason}",
                experiment.name,
                table.subject,
                published.device,
                published.reading,
                published.verdict
            );
        }
    }
}
