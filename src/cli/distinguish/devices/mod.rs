//! `distinguish` of devices: every pair of their instructions that take the same vectors.

mod groups;

use serde::Serialize;

use super::sides::sides_of;
use super::{Arguments, search, show};
use crate::cli::output::{self, say};
use crate::cli::{Failure, Verdict};
use groups::{Class, Group, common_formats, comparable, formats, pairs};
use tensorsmith::describe::subject::Subject;
use tensorsmith::report::VERSION;

/// Instructions of two groups that were compared. Those that one description computes share a row.
#[derive(Serialize)]
struct Row {
    /// Devices, or units and instructions named by themselves.
    of: [String; 2],
    /// Formats of the vectors: c is one that both hold.
    interface: String,
    k: u32,
    instructions: [Vec<String>; 2],
    /// Whether one description computes both: then nothing is asked.
    same_description: bool,
    tried: u64,
    all_inputs: bool,
    #[serde(flatten)]
    pair: show::PairReport,
    #[serde(skip)]
    labels: [String; 2],
}

/// Instructions of a group with which none of another group can be compared.
#[derive(Serialize)]
struct Only {
    of: String,
    not_of: String,
    interface: String,
    k: u32,
    instructions: Vec<String>,
    /// K of the other group's instructions that have these formats: `--k` compares them.
    other_k: Vec<u32>,
}

#[derive(Serialize)]
struct Report {
    tensorsmith: &'static str,
    command: &'static str,
    k: Option<u32>,
    seed: u64,
    pairs: Vec<Row>,
    only: Vec<Only>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let groups = arguments.subjects.iter().map(|name| Group::named(name)).collect::<Result<Vec<_>, Failure>>()?;
    let device = groups.iter().find(|group| group.is_device).map_or("", |group| group.name.as_str());
    for (option, given) in [("--solver", arguments.solver.is_some()), ("--answers", !arguments.answers.is_empty())] {
        if given {
            let allowed = "allowed: units and instructions, such as those that `tensorsmith devices` lists";
            return Err(Failure(format!("{option}: {device} is a device; {allowed}")));
        }
    }
    if groups.len() < 2 {
        return Err(Failure("one subject; allowed: at least two".to_owned()));
    }
    let (mut rows, mut only) = (Vec::new(), Vec::new());
    let two = (0..groups.len()).flat_map(|left| (left + 1..groups.len()).map(move |right| [left, right]));
    for [left, right] in two.map(|pair| pair.map(|index| &groups[index])) {
        let found = pairs(left, right, arguments.k);
        for &([i, j], same) in &found {
            rows.push(row(arguments, [left, right], [&left.classes[i], &right.classes[j]], same)?);
        }
        let paired = |side: usize| found.iter().map(|(places, _)| places[side]).collect::<Vec<usize>>();
        only.extend(unpaired(left, right, &paired(0), arguments.k));
        only.extend(unpaired(right, left, &paired(1), arguments.k));
    }
    if rows.is_empty() {
        return Err(no_common_interface(&groups));
    }
    let (k, seed) = (arguments.k, arguments.seed);
    let report = Report { tensorsmith: VERSION, command: "distinguish", k, seed, pairs: rows, only };
    if output::json_beside_text(arguments.json.as_deref(), &report)? {
        print(&report);
    }
    Ok(Verdict::Agreed)
}

/// Compares two classes.
fn row(
    arguments: &Arguments,
    groups: [&Group; 2],
    classes: [&Class; 2],
    same_description: bool,
) -> Result<Row, Failure> {
    let [left, right] = classes;
    let mut row = Row {
        of: groups.map(|group| group.name.clone()),
        interface: common_formats(&left.interface, &right.interface)?,
        k: arguments.k.unwrap_or(left.interface.products),
        instructions: classes.map(|class| class.names.clone()),
        same_description,
        tried: 0,
        all_inputs: false,
        pair: show::PairReport::indistinguishable(classes.map(|class| class.interface.name.clone())),
        labels: [groups[0].label(left), groups[1].label(right)],
    };
    if same_description {
        return Ok(row);
    }
    let subjects: [Subject; 2] = classes.map(|class| class.subject.clone());
    let mut sides = sides_of(&subjects, arguments.k)?;
    let outcome = search(&mut sides, arguments)?;
    (row.tried, row.all_inputs) = (outcome.tried, outcome.all_inputs);
    let names = classes.map(|class| class.names[0].clone());
    for found in &outcome.distinguished {
        row.pair = show::distinguished_pair(&mut sides, &names, found)?;
    }
    Ok(row)
}

/// Classes without a pair.
fn unpaired(own: &Group, other: &Group, paired: &[usize], k: Option<u32>) -> Vec<Only> {
    let without = own.classes.iter().enumerate().filter(|(place, class)| {
        // One that the other group has too is in a pair with that alone.
        !paired.contains(place) && !other.classes.iter().any(|known| comparable(&class.interface, &known.interface, k))
    });
    let only = |(_, class): (usize, &Class)| {
        let formats = formats(&class.interface);
        let same = other.classes.iter().filter(|known| groups::formats(&known.interface) == formats);
        let mut other_k: Vec<u32> = same.map(|known| known.interface.products).collect();
        other_k.sort_unstable();
        other_k.dedup();
        Only {
            of: own.name.clone(),
            not_of: other.name.clone(),
            interface: formats,
            k: class.interface.products,
            instructions: class.names.clone(),
            other_k,
        }
    };
    without.map(only).collect()
}

fn no_common_interface(groups: &[Group]) -> Failure {
    let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
    let interfaces: Vec<String> =
        groups.iter().map(|group| format!("  {}: {}", group.name, group.interfaces())).collect();
    Failure(format!(
        "{} have no common interface; allowed: devices, units and instructions with the same formats and K, or --k for sums in \
         several runs. They have\n{}",
        names.join(", "),
        interfaces.join("\n")
    ))
}

fn print(report: &Report) {
    for row in &report.pairs {
        let [left, right] = &row.labels;
        say!("{}, K {}:", row.interface, row.k);
        match row.same_description {
            true => say!("{left} and {right}: no difference: one description computes both"),
            false => show::print_pair(&row.labels, &row.pair, (row.tried, report.seed, row.all_inputs)),
        }
    }
    for only in &report.only {
        let Only { of, not_of, interface, k, instructions, other_k } = only;
        let others: Vec<String> = other_k.iter().map(u32::to_string).collect();
        let hint = match report.k {
            None if !others.is_empty() => format!(" ({not_of} has K {}: see --k)", others.join(", ")),
            _ => String::new(),
        };
        say!("only {of}, not {not_of}: {interface}, K {k}{hint}: {}", instructions.join(", "));
    }
    let count = |is: fn(&Row) -> bool| report.pairs.iter().filter(|row| is(row)).count();
    let (apart, same) = (count(|row| row.pair.differ), count(|row| row.same_description));
    let (all, seed) = (report.pairs.len(), report.seed);
    say!(
        "{apart} of {all} pairs distinguished, {same} of one description, seed {seed}; instructions of one description are one"
    );
}
