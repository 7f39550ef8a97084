//! What `tensorsmith infer` says to people: a screenful. The rest is in the JSON.

use super::report::{ExclusionRow, ParameterRow, RefutedRow, Report};
use crate::cli::output::say;
use crate::cli::table;
use tensorsmith::infer::{indistinguishable_lines, short};
use tensorsmith::report::thousands;

/// Letters of a vector in the table.
const VECTOR_LETTERS: usize = 56;

/// Reasons of a parameter that are shown; of a recording, which lists all open values, the first.
const REASONS: usize = 2;
const REASONS_RECORDED: usize = 1;

/// Prints everything but a co-simulation.
pub(super) fn print(report: &Report) {
    match report.found {
        true => print_found(report),
        false => print_nothing(report),
    }
}

fn print_found(report: &Report) {
    let (scheme, composition) = (report.scheme.unwrap_or_default(), report.composition.as_deref().unwrap_or_default());
    let (asked, seconds) = (thousands(report.asked), report.seconds);
    match report.recorded {
        false => {
            say!("{} is {scheme}: {composition}", report.engine);
            let confirmed = thousands(report.confirmed);
            let decided =
                report.solver.as_ref().map_or(String::new(), |solver| format!("; the rest is put to {solver}"));
            say!("{asked} vectors asked, {confirmed} of them to confirm, {seconds:.1} s{decided}");
        }
        true => {
            say!("{} fits {scheme}: {composition}", report.engine);
            say!("all of {asked} recorded answers, {seconds:.1} s");
        }
    }
    print_versions(report);
    let headings =
        ["parameter", "value", "excluded", "indistinguishable", "an answer that excludes others", "asked by"];
    say!("{}", table::table(&headings, &[2, 3], report.parameters.iter().map(parameter).collect()));
    let open = report.parameters.iter().filter(|row| report.recorded && !row.indistinguishable.is_empty());
    open.for_each(|row| say!("{} open: {}", row.field, row.fits));
    let reasons = if report.recorded { REASONS_RECORDED } else { REASONS };
    report.parameters.iter().flat_map(|row| lines(row, reasons)).for_each(|line| say!("{line}"));
    for row in of_schemes(&report.refuted) {
        say!("{}", against(row));
    }
    for other in &report.equivalent {
        say!("{}", other.text);
        other.differing.iter().for_each(|line| say!("  {line}"));
    }
}

/// Who answered, and with what the vectors can be asked again.
fn print_versions(report: &Report) {
    let answered = if report.recorded { "recorded from" } else { "answered by" };
    say!("{answered} {}; seed {}; tensorsmith {}", report.answered_by.join("; "), report.seed, report.tensorsmith);
}

fn print_nothing(report: &Report) {
    let space = report.space.join(", ");
    let asked = thousands(report.asked);
    say!(
        "no hypothesis was found that fits {}: {asked} vectors asked, {:.1} s; searched, which is no proof: {space}",
        report.engine,
        report.seconds
    );
    print_versions(report);
    of_schemes(&report.refuted).into_iter().for_each(|row| say!("{}", against(row)));
    if report.contradiction.is_empty() {
        say!("the search for a few answers that contradict each other gave up");
    } else {
        say!("no hypothesis was found that explains these answers together; without any of them there is one:");
        report.contradiction.iter().for_each(|row| say!("  {}", row.text));
    }
}

/// The row of a parameter: how many values are excluded, how many are indistinguishable, and of the answers that fit here
/// the one that excludes most.
fn parameter(row: &ParameterRow) -> Vec<String> {
    let excluded: usize = row.exclusions.iter().map(|exclusion| exclusion.excluded.len()).sum();
    let fits = |exclusion: &ExclusionRow| exclusion.answer.text.len() <= VECTOR_LETTERS;
    let most = |exclusion: &&ExclusionRow| (fits(exclusion), exclusion.excluded.len());
    let best = row.exclusions.iter().max_by_key(most);
    let answer = best.map_or("", |exclusion| &exclusion.answer.text);
    vec![
        row.field.to_owned(),
        short(row.field, &row.value),
        excluded.to_string(),
        row.indistinguishable.len().to_string(),
        cut(answer, VECTOR_LETTERS),
        best.map_or("", |exclusion| exclusion.test.unwrap_or("search")).to_owned(),
    ]
}

/// Values of a parameter that are indistinguishable from its own, a line for each of the first reasons.
fn lines(row: &ParameterRow, shown: usize) -> impl Iterator<Item = String> {
    let others = row.indistinguishable.iter().map(|other| (other.value.as_str(), other.reason.as_str()));
    let lines = indistinguishable_lines(row.field, others);
    let more = lines.len().saturating_sub(shown);
    let reasons = if more == 1 { "reason" } else { "reasons" };
    let more = (more > 0)
        .then(|| format!("{} indistinguishable from others, for {more} more {reasons} that --json lists", row.field));
    lines.into_iter().take(shown).chain(more)
}

/// The first letters of a text.
fn cut(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Of every scheme, the hypothesis with the fewest answers against it.
fn of_schemes(refuted: &[RefutedRow]) -> Vec<&RefutedRow> {
    let mut best: Vec<&RefutedRow> = Vec::new();
    for row in refuted {
        match best.iter_mut().find(|other| other.scheme == row.scheme) {
            Some(other) if row.answers_against < other.answers_against => *other = row,
            Some(_) => {}
            None => best.push(row),
        }
    }
    best
}

fn against(row: &RefutedRow) -> String {
    if row.answers_against == 0 {
        return format!("{}, {}: no answer against it, but refining it gave up", row.scheme, row.composition);
    }
    let plural = if row.answers_against == 1 { "answer" } else { "answers" };
    let answer = row.first.as_ref().map_or(String::new(), |answer| format!(", such as {}", cut(&answer.text, 80)));
    format!("not {}, {}: {} {plural} against it{answer}", row.scheme, row.composition, row.answers_against)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::infer::report::ValueRow;

    #[test]
    fn of_a_scheme_the_nearest_hypothesis_is_shown() {
        let row =
            |scheme, answers_against| RefutedRow { scheme, composition: String::new(), answers_against, first: None };
        let rows = [row("fused", 7), row("exact", 9), row("fused", 3), row("fused", 5)];
        let shown: Vec<_> = of_schemes(&rows).iter().map(|row| (row.scheme, row.answers_against)).collect();
        assert_eq!(shown, [("fused", 3), ("exact", 9)]);
    }

    #[test]
    fn reasons_that_are_not_shown_are_counted() {
        let row = |count: usize| {
            let value = |number| ValueRow { value: format!("{number}"), reason: format!("reason {number}") };
            let indistinguishable = (0..count).map(value).collect();
            let (value, fits) = (String::new(), String::new());
            ParameterRow { field: "order", value, exclusions: Vec::new(), indistinguishable, fits }
        };
        let last = |count| lines(&row(count), REASONS).last();
        assert_eq!(last(2).as_deref(), Some("order indistinguishable from 1: reason 1"));
        assert_eq!(
            last(3).as_deref(),
            Some("order indistinguishable from others, for 1 more reason that --json lists")
        );
        assert_eq!(
            last(4).as_deref(),
            Some("order indistinguishable from others, for 2 more reasons that --json lists")
        );
    }

    #[test]
    fn long_vectors_are_cut() {
        assert_eq!(cut("0x1,0x2", 7), "0x1,0x2");
        assert_eq!(cut("0x1,0x2,0x3", 7), "0x1,0x2 ...");
    }
}
