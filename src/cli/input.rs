//! Units and instructions as named on the command line.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use super::output::note;
use super::{Failure, names};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Format;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::interface::Interface;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::Foreign;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::Kind;
use tensorsmith::recording::unlike_catalogue;

/// A unit or an instruction, and whether it comes from a file of the user's.
pub(super) struct Named {
    pub subject: Subject,
    pub is_file: bool,
}

impl Named {
    /// The instruction; of a unit one of one block, with one element of D.
    pub(super) fn instruction(self) -> Instruction {
        match self.subject {
            Subject::Unit(unit) => Instruction::alone(unit),
            Subject::Instruction(instruction) => instruction,
        }
    }
}

/// The unit or instruction of that name in the catalogue, or the one in that file (`.toml` or with a path).
pub(super) fn subject(name: &str) -> Result<Named, Failure> {
    named(name, "unit or instruction", &names::subjects(), "units` or `tensorsmith instructions")
}

/// As [`subject`], for a command that takes names of devices too, of which this is none.
pub(super) fn subject_beside_devices(name: &str) -> Result<Named, Failure> {
    let known = [catalogue::device_names(), names::subjects()].concat();
    named(name, "unit, instruction or device", &known, "units`, `tensorsmith instructions` or `tensorsmith devices")
}

/// The unit of that name in the catalogue, or the unit in that file (`.toml` or with a path).
pub(super) fn unit(name: &str) -> Result<Unit, Failure> {
    match named(name, "unit", &catalogue::names(), "units")?.subject {
        Subject::Unit(unit) => Ok(unit),
        Subject::Instruction(instruction) => {
            let units: Vec<&str> = instruction.units().map(|unit| unit.name.as_str()).collect();
            let units = units.join(", ");
            Err(Failure(format!("{name} is an instruction; allowed: a unit, such as its own: {units}")))
        }
    }
}

/// In what the interfaces of two subjects mismatch, with the words for each: formats, scales, number of products.
pub(super) fn interface_mismatches(first: &Interface, other: &Interface) -> Vec<(&'static str, [String; 2])> {
    let formats =
        |unit: &Interface| [&unit.formats.a, &unit.formats.b, &unit.formats.c, &unit.formats.d].map(Format::clone);
    let scales =
        |unit: &Interface| unit.scales.as_ref().map(|scales| (scales.a.clone(), scales.b.clone(), scales.block));
    let mut mismatches = Vec::new();
    for (what, (left, right)) in ["a", "b", "c", "d"].into_iter().zip(formats(first).into_iter().zip(formats(other))) {
        if left != right {
            mismatches.push((what, [left.name, right.name]));
        }
    }
    if scales(first) != scales(other) {
        let words = |unit: &Interface| {
            let words = |(a, b, block): (Format, Format, u32)| format!("{} and {} for each {block}", a.name, b.name);
            scales(unit).map_or("none".to_owned(), words)
        };
        mismatches.push(("scales", [first, other].map(words)));
    }
    if first.products != other.products {
        mismatches.push(("number of products", [first, other].map(|unit| unit.products.to_string())));
    }
    mismatches
}

/// Reads a whole number of that range, as the value of an option; what is none is refused with the range.
pub(super) fn number<N>(range: RangeInclusive<N>) -> impl Fn(&str) -> Result<N, String> + Clone
where
    N: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("allowed: a whole number from {} to {}", range.start(), range.end()))
    }
}

/// Longest time that an option takes, in seconds: a week.
const SECONDS_MAX: u64 = 604_800;

/// Reads a time as the value of an option: seconds, or a number with `s`, `m` or `h`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let units = [("s", 1), ("m", 60), ("h", 3600)];
    let (number, unit) =
        units.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit))).unwrap_or((text, 1));
    let is_plain = number.bytes().all(|digit| digit.is_ascii_digit());
    let seconds = number.parse::<u64>().ok().filter(|_| is_plain).and_then(|number| number.checked_mul(unit));
    let seconds = seconds.filter(|seconds| (1..=SECONDS_MAX).contains(seconds));
    let allowed = || format!("allowed: 1 to {SECONDS_MAX} seconds, such as 90, 90s, 5m or 2h");
    seconds.map(Duration::from_secs).ok_or_else(allowed)
}

pub(super) fn is_path(name: &str) -> bool {
    let path = Path::new(name);
    path.extension().is_some_and(|extension| extension == "toml") || path.components().count() > 1
}

fn named(name: &str, what: &str, known: &[&str], list: &str) -> Result<Named, Failure> {
    if let Some(subject) = names::subject(name) {
        return Ok(Named { subject, is_file: false });
    }
    if is_path(name) {
        let subject = Subject::from_file(Path::new(name))?;
        tell_unlike_catalogue(&subject, Path::new(name));
        return Ok(Named { subject, is_file: true });
    }
    Err(names::unknown(what, name, "a file (.toml), or a name", known, list))
}

/// Says where a user's file describes another unit or instruction than the catalogue under the same name.
pub(super) fn tell_unlike_catalogue(subject: &Subject, file: &Path) {
    if let Some(unlike) = unlike_catalogue(subject) {
        note!("note: {} is described by {}: {unlike}", subject.name(), file.shown());
    }
}

/// Refuses an engine that is named twice: it would agree with itself.
pub(super) fn check_engines(kinds: &[Kind]) -> Result<(), Failure> {
    check_once("--engines", "engine", &kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>())
}

/// Refuses a name that is there twice: its rows and its files would be, too.
pub(super) fn check_once(option: &str, kind: &str, names: &[impl AsRef<str>]) -> Result<(), Failure> {
    let is_twice = |place: &usize| names[..*place].iter().any(|name| name.as_ref() == names[*place].as_ref());
    match (0..names.len()).find(is_twice) {
        None => Ok(()),
        Some(place) => {
            let name = names[place].as_ref();
            Err(Failure(format!("{option}: {name} is named twice; allowed: each {kind} once")))
        }
    }
}
