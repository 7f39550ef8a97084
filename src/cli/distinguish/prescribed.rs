//! `distinguish --answers`: one vector to which each subject gives its prescribed answer.

use serde::Serialize;

use super::show::ShownVector;
use super::sides::{Side, sides};
use super::{Arguments, shown_vector, table};
use crate::cli::output::say;
use crate::cli::{Failure, Verdict, input, output};
use tensorsmith::check::probe::Value;
use tensorsmith::describe::interface::Interface;
use tensorsmith::infer::distinguish::prescribe::{Prescribed, prescribe};
use tensorsmith::recording::parse_exactly;
use tensorsmith::report::{VERSION, thousands};

#[derive(Serialize)]
struct Report {
    tensorsmith: &'static str,
    command: &'static str,
    k: u32,
    seed: u64,
    subjects: Vec<String>,
    prescribed: Vec<String>,
    found: bool,
    tried: u64,
    vector: Option<ShownVector>,
}

/// The prescribed numbers, which each subject's d holds.
fn numbers(sides: &[Side], texts: &[String]) -> Result<Vec<Value>, Failure> {
    if texts.len() != sides.len() {
        let (given, count) = (texts.len(), sides.len());
        return Err(Failure(format!("--answers has {given} numbers; allowed: {count}, one for each subject")));
    }
    let number = |(side, text): (&Side, &String)| {
        let d = &side.frame.formats.d;
        let refuse = |error: String| Failure(format!("--answers, {}: {error}", side.name));
        let bits = parse_exactly(d, text.trim()).map_err(|error| refuse(error.to_string()))?;
        Value::decoded(d, bits).ok_or_else(|| refuse(format!("{text:?}; allowed: finite numbers")))
    };
    sides.iter().zip(texts).map(number).collect()
}

/// Refuses what the search has no numbers for.
fn check(sides: &[Side]) -> Result<(), Failure> {
    let side = &sides[0];
    let refused = match &side.frame.formats {
        formats if formats.a.is_integer() => "integers",
        _ if side.frame.scales.is_some() => "scales",
        _ => return Ok(()),
    };
    Err(Failure(format!("--answers: {} has {refused}; allowed: floating-point operands without scales", side.name)))
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let own = |name: &String| Ok(input::subject(name)?.subject.interface().products);
    let own = arguments.subjects.iter().map(own).collect::<Result<Vec<u32>, Failure>>()?;
    // One run of the largest subject, and one more of the smallest.
    let both = own.iter().max().unwrap_or(&1) + own.iter().min().unwrap_or(&1);
    let k = arguments.k.unwrap_or(both);
    let mut sides = sides(&arguments.subjects, Some(k))?;
    check(&sides)?;
    let wanted = numbers(&sides, &arguments.answers)?;
    let interfaces: Vec<Interface> = sides.iter().map(|side| side.frame.interface.clone()).collect();
    let mut prescribed: Vec<Prescribed> = sides
        .iter_mut()
        .zip(&interfaces)
        .zip(&wanted)
        .map(|((side, interface), &answer)| Prescribed { engine: &mut side.emulator, interface, answer })
        .collect();
    let vectors = arguments.vectors();
    let bar = output::progress("distinguish", vectors, "vectors");
    let found = prescribe(&mut prescribed, (vectors, arguments.seed), &mut |tried| bar.set_position(tried))?;
    bar.finish_and_clear();
    let everyone: Vec<usize> = (0..sides.len()).collect();
    let vector = found.vector.as_ref().map(|vector| shown_vector(&mut sides, &everyone, vector)).transpose()?;
    let report = Report {
        tensorsmith: VERSION,
        command: "distinguish",
        k,
        seed: arguments.seed,
        subjects: arguments.subjects.clone(),
        prescribed: arguments.answers.clone(),
        found: vector.is_some(),
        tried: found.tried,
        vector,
    };
    if output::json_beside_text(arguments.json.as_deref(), &report)? {
        print(&report);
    }
    Ok(Verdict::Agreed)
}

fn print(Report { tried, seed, vector, .. }: &Report) {
    let tried = thousands(*tried);
    match vector {
        Some(vector) => {
            say!("found after {tried} vectors with seed {seed}; operands that are not listed are 0:");
            table(vector);
        }
        None => say!("not found with {tried} vectors and seed {seed}; this is not a proof that there is none"),
    }
}
