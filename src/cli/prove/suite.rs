//! The queries of a published work, and the vectors that it prints.

use super::Solving;
use crate::cli::Failure;
use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::Kind;
use tensorsmith::literature::{Answers, Outcome, Work};
use tensorsmith::prove::valpey::{Row, rows};
use tensorsmith::report::{ProofReport, ProofStatement, PublishedSubject};

/// The named queries of Valpey et al., or all but the variants, and the vectors of its tables.
pub(super) fn valpey(names: &[String], solving: &Solving) -> Result<ProofReport, Failure> {
    let all = rows();
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|row| row.task.name == **name)) {
        let allowed: Vec<&str> = all.iter().map(|row| row.task.name.as_str()).collect();
        return Err(Failure(format!("--query: unknown query {unknown:?}; allowed: {}", allowed.join(", "))));
    }
    let asked = |row: &Row| if names.is_empty() { !row.only_if_named } else { names.contains(&row.task.name) };
    let prover = solving.prover()?;
    let mut report = solving.report("valpey", &prover);
    let (mut sources, mut tasks) = (Vec::new(), Vec::new());
    for row in all.into_iter().filter(asked) {
        sources.push((row.source, row.published));
        tasks.push(row.task);
    }
    let statements = solving.settle("valpey", &tasks, &prover)?;
    let rows = statements.iter().zip(sources);
    report.statements =
        rows.map(|(statement, (source, published))| ProofStatement::new(statement, Some(source), published)).collect();
    if names.is_empty() {
        report.tables = tables()?;
    }
    Ok(report)
}

/// The vectors of tables 1, 3 and 5, on the emulator.
fn tables() -> Result<Vec<PublishedSubject>, Failure> {
    let in_table = |source: &str| source.starts_with("table");
    let mut subjects = Vec::new();
    for name in Work::Valpey.subjects() {
        let subject = Subject::named(name).ok_or_else(|| Failure(format!("{name} is not in the catalogue")))?;
        let Ok(mut answers) = Answers::open(&subject, Kind::Emulator)? else { continue };
        let printed = Work::Valpey.experiments().into_iter().filter(|experiment| in_table(experiment.source));
        let outcomes: Vec<Outcome> = printed.map(|experiment| answers.run(experiment)).collect::<Result<_, _>>()?;
        let compared: Vec<Outcome> = outcomes.into_iter().filter(|outcome| !outcome.comparisons.is_empty()).collect();
        if !compared.is_empty() {
            subjects.push(PublishedSubject::new(name, answers.identity(), &compared));
        }
    }
    Ok(subjects)
}
