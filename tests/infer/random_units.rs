//! Random units and instructions from their emulators. `TENSORSMITH_RANDOM_UNITS`, such as 250..500, says which of them in place
//! of the first.

use std::fmt;
use std::ops::Range;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use tensorsmith::describe::subject::Subject;
use tensorsmith::infer::{Decision, Finding, Options, field_differences};
use tensorsmith::prove::Prover;
use tensorsmith::prove::hypotheses::decide;
use tensorsmith::prove::solver::{Limits, Program};

use super::recovery::{Missed, recovered, recovered_with};
use super::shared::long_tier as long;
use super::support::{random_instructions, random_units, short};

/// Which of the random units are inferred: these, or those of `TENSORSMITH_RANDOM_UNITS`.
fn range(usual: Range<usize>) -> Range<usize> {
    let Ok(text) = std::env::var("TENSORSMITH_RANDOM_UNITS") else { return usual };
    range_of(&text).unwrap_or_else(|problem| panic!("TENSORSMITH_RANDOM_UNITS is {text:?}, {problem}"))
}

/// The random unit, which takes seconds on any processor, and the random instructions of the ordinary tier.
const ORDINARY: Range<usize> = 3..4;
const ORDINARY_INSTRUCTIONS: usize = 1;

/// FIRST..END, not empty.
fn range_of(text: &str) -> Result<Range<usize>, String> {
    let ends = text.split_once("..").and_then(|(first, end)| Some((first.parse().ok()?, end.parse().ok()?)));
    let (first, end): (usize, usize) = ends.ok_or("no range; allowed: FIRST..END, such as 250..500")?;
    match first < end {
        true => Ok(first..end),
        false => Err(format!("which holds no unit; allowed: FIRST..END with END above {first}")),
    }
}

#[test]
fn ranges_without_a_unit_are_refused() {
    assert_eq!(range_of("250..500"), Ok(250..500));
    for text in ["", "7", "..5", "5..", "a..b", "-1..3", "1...3", "0..=4"] {
        assert!(range_of(text).is_err_and(|problem| problem.starts_with("no range; allowed: FIRST..END")), "{text}");
    }
    for text in ["4..4", "9..2"] {
        assert!(range_of(text).is_err_and(|problem| problem.starts_with("which holds no unit")), "{text}");
    }
}

/// A random unit, and whether it was recovered.
struct Row {
    time: Duration,
    /// Only the second effort recovers it, or misses it too.
    long: bool,
    /// Fields in which the unit and what was found differ, and those of them for which no reason is known.
    differences: [usize; 2],
    /// What a solver says of the two, where no reason is known.
    decided: Option<Decided>,
    missed: Option<Missed>,
}

/// How much is asked of a random unit, and on how many vectors it is compared with what was found: so many shaped for it, and so
/// many for that.
#[derive(Clone, Copy)]
struct Effort {
    options: Options,
    compared: u64,
}

impl Effort {
    /// Enough for most.
    fn short() -> Effort {
        Effort { options: Options { search: 50_000, ..short(500_000) }, compared: 20_000 }
    }

    /// The program's own, and as many vectors as stand for evidence.
    fn own() -> Effort {
        Effort { options: Options::default(), compared: 5_000_000 }
    }

    /// As much as there is.
    fn long() -> Effort {
        Effort { options: Options { search: 10_000_000, ..Options::default() }, ..Effort::own() }
    }
}

/// Infers a random unit with an effort; where that misses it, with a long one.
fn row(number: usize, drawn: &str, subject: Subject, effort: Effort, prover: Option<&Prover>) -> Row {
    let start = Instant::now();
    let quick = recovered(&subject, effort.options, effort.compared);
    let long = quick.is_err();
    let found = quick.or_else(|missed| {
        println!("#{number}: {:.1?}, at first {missed}", start.elapsed());
        recovered(&subject, Effort::long().options, Effort::long().compared)
    });
    let time = start.elapsed();
    let rows = found.as_ref().map_or(Vec::new(), |finding| field_differences(&subject, &finding.hypothesis));
    let unexplained: Vec<String> = rows
        .iter()
        .filter(|other| other.reason.is_none())
        .map(|other| format!("{} {}, found {}", other.field, other.described, other.found))
        .collect();
    match &found {
        Ok(finding) => println!("#{number}: {time:.1?}, {} vectors, no reason for {unexplained:?}", finding.asked),
        Err(missed) => println!("#{number}: {time:.1?}, {missed}\n{drawn}"),
    }
    let asked = prover.filter(|_| !unexplained.is_empty());
    let decided =
        asked.zip(found.as_ref().ok()).map(|(prover, finding)| decided(number, &subject, finding, effort, prover));
    Row { time, long, differences: [rows.len(), unexplained.len()], decided, missed: found.err() }
}

/// What a solver says of a unit and of what was found.
struct Decided {
    decision: Decision,
    /// Where it distinguishes the two, what it says of what is found with it, or why nothing is.
    with_solver: Option<Result<Decision, Missed>>,
}

/// How many are equal, distinguished and not decided.
struct Decisions([usize; 3]);

impl Decisions {
    fn of<'a>(verdicts: impl Iterator<Item = &'a Decision>) -> Decisions {
        let mut counts = [0; 3];
        for verdict in verdicts {
            let kind = match verdict {
                Decision::Proved(_) => 0,
                Decision::Refuted(_) => 1,
                Decision::Unknown(_) => 2,
            };
            counts[kind] += 1;
        }
        Decisions(counts)
    }
}

impl fmt::Display for Decisions {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let [proved, refuted, unknown] = self.0;
        write!(out, "{proved} equal, {refuted} distinguished, {unknown} not decided")
    }
}

fn decided(number: usize, subject: &Subject, finding: &Finding, effort: Effort, prover: &Prover) -> Decided {
    let of = |finding: &Finding| {
        decide(&subject.instruction(), &finding.hypothesis, prover).expect("witnesses are confirmed")
    };
    let decision = of(finding);
    let distinguished = matches!(decision, Decision::Refuted(_));
    let again = distinguished.then(|| recovered_with(Some(prover), subject, effort.options, effort.compared));
    let with_solver = again.map(|again| again.map(|finding| of(&finding)));
    match &with_solver {
        None => println!("#{number}: {decision:?}"),
        Some(Ok(then)) => println!("#{number}: {decision:?}, and with the solver {then:?}"),
        Some(Err(missed)) => println!("#{number}: {decision:?}, and with the solver {missed}"),
    }
    Decided { decision, with_solver }
}

/// The search goes from one hypothesis to a better one, so that it may end where none was found although one fits, and what shows
/// on one vector in a million only may stay open: one unit in a thousand. What it finds is never another unit. Of an
/// instruction, no value may stay open.
fn assert_recovered(
    drawn: impl Iterator<Item = (String, Subject)>,
    range: Range<usize>,
    effort: Effort,
    prover: Option<&Prover>,
) {
    let chosen: Vec<(usize, (String, Subject))> = drawn.enumerate().skip(range.start).take(range.len()).collect();
    let rows = chosen.into_par_iter().map(|(number, (drawn, subject))| row(number, &drawn, subject, effort, prover));
    let mut rows: Vec<Row> = rows.collect();
    rows.sort_by_key(|row| row.time);
    let (all, median, longest) = (rows.len(), rows[rows.len() / 2].time, rows[rows.len() - 1].time);
    let count = |kind: fn(&Missed) -> bool| rows.iter().filter(|row| row.missed.as_ref().is_some_and(kind)).count();
    let with_solver = || rows.iter().filter_map(|row| row.decided.as_ref()?.with_solver.as_ref());
    let missed_then = with_solver().filter_map(|then| then.as_ref().err());
    let wrong_then = missed_then.filter(|missed| matches!(missed, Missed::Wrong(_))).count();
    let wrong = count(|missed| matches!(missed, Missed::Wrong(_)));
    let open = count(|missed| matches!(missed, Missed::Open(_)));
    let nothing = count(|missed| matches!(missed, Missed::Nothing(_)));
    let found = all - wrong - open - nothing;
    let long = rows.iter().filter(|row| row.long && row.missed.is_none()).count();
    println!(
        "{found} of {all} found, {long} of them not at first, {open} left open, {nothing} not; \
         median {median:.1?}, longest {longest:.1?}"
    );
    let of_rows = |which: fn(&Row) -> bool| rows.iter().filter(|row| row.missed.is_none() && which(row)).count();
    let (exact, unexplained) = (of_rows(|row| row.differences[0] == 0), of_rows(|row| row.differences[1] > 0));
    let explained = found - exact - unexplained;
    println!("{exact} as described, {explained} equal for a reason, {unexplained} with no reason known");
    if let Some(prover) = prover {
        let decided = rows.iter().filter_map(|row| row.decided.as_ref());
        let first = Decisions::of(decided.map(|decided| &decided.decision));
        let then = Decisions::of(with_solver().filter_map(|then| then.as_ref().ok()));
        println!("of those, by {}: {first}; what it distinguishes, inferred with it: {then}", prover.solver.identity());
    }
    assert_eq!(wrong, 0, "for {wrong} of {all} units something else is found");
    assert_eq!(wrong_then, 0, "for {wrong_then} of {all} units something else is found with a solver");
    assert!((nothing + open) * 1000 <= all, "{nothing} of {all} units not found, {open} left open");
}

fn assert_random_units_are_recovered(word_bits: u32, range: Range<usize>, effort: Effort, prover: Option<&Prover>) {
    let units = random_units(11, word_bits).map(|(drawn, unit)| (drawn, unit.into()));
    assert_recovered(units, range, effort, prover);
}

/// Formats, sizes and parameters of every kind, on words of 64 bits.
#[test]
fn random_units_are_recovered() {
    assert_random_units_are_recovered(64, range(if long() { 0..10_000 } else { ORDINARY }), Effort::short(), None);
}

/// Blocks of random units, of every width and order, with operands and addends that are widened, and with c added last.
#[test]
fn random_instructions_are_recovered() {
    let instructions = random_instructions(13).map(|(drawn, instruction)| (drawn, instruction.into()));
    let count = if long() { 1_000 } else { ORDINARY_INSTRUCTIONS };
    assert_recovered(instructions, range(0..count), Effort::short(), None);
}

/// Windows of more bits too.
#[test]
fn random_units_on_longer_words_are_recovered() {
    if long() {
        assert_random_units_are_recovered(128, 0..100, Effort::short(), None);
    }
}

/// Of ten million vectors none distinguishes what is found from what was described. What a solver says of the two where no reason is known
/// is printed: a difference that shows on no vector of ten million is beyond a search without one.
#[test]
fn random_units_do_not_differ_on_ten_million_vectors() {
    if long() {
        let limits = Limits { time: Duration::from_secs(10), memory_bytes: 4 << 30 };
        let prover = Prover::find(Program::Bitwuzla, limits).ok();
        assert_random_units_are_recovered(64, range(0..500), Effort::own(), prover.as_ref());
    }
}
