//! The instances of a run of links: terms, their sum, scales, roundings.

use serde::Serialize;

use super::delay;
use super::operations::{Operation, Raised, Way};
use super::runs::{Linear, Run, Sources, TermSource, entering, sources};
use super::{ALL, Instance, Widths, left, number_ports};
use crate::describe::arithmetic::Exponent;
use crate::describe::format::Rounding;
use crate::describe::plan::{
    AlignPlan, LinkPlan, NumberPlan, Registers, Source, StepsPlan, SumKind, SumPlan, TermPlan,
};
use crate::describe::unit::{Cut, Target, Unit};
use crate::emit::instance::{ROUNDINGS, code};

/// The places of registers in the module of a sum.
const CUTS: [(&str, Cut); 6] = [
    ("CutAnchor", Cut::Anchor),
    ("CutDistance", Cut::Distance),
    ("CutAligned", Cut::Aligned),
    ("CutTree", Cut::Tree),
    ("CutSum", Cut::Sum),
    ("CutMagnitude", Cut::Magnitude),
];

/// A run of links in text.
#[derive(Debug, Serialize)]
pub struct RunText {
    comment: String,
    first: usize,
    count: usize,
    /// Results of links that are elements of arrays, declared in front of the loop.
    arrays: Vec<String>,
    declared: Vec<String>,
    chosen: Option<Chosen>,
    /// Terms with names of their own, and the sum.
    sum: Vec<String>,
    operations: Vec<Operation>,
    left: Vec<String>,
    /// Whether the result is absent.
    absent: String,
    /// The registers behind which raised flags wait for the result.
    raised: Vec<Raised>,
    invalid: String,
    overflow: String,
}

/// Assignments of terms whose source in the first link of a run differs from those in the others.
#[derive(Debug, Default, Serialize)]
struct Chosen {
    first: Vec<String>,
    others: Vec<String>,
}

/// The text of a run behind others.
pub fn text(plan: &StepsPlan, registers: &Registers, behind: &[Run], run: Run, unit: &Unit) -> RunText {
    let link = &plan.links[run.first];
    let Terms { mut declared, chosen, sources: terms, lines: mut sum_lines } = terms(plan, registers, behind, run);
    let part = |index: usize, part: &str| match terms[index] {
        (_, true) => format!("term_{index}_{part}"),
        (source, false) => one(plan, source, &link.terms[index], part),
    };
    sum_lines.extend(sum(plan, registers, run, &terms, &part, unit).0);
    declared.extend(super::declared("sum", Widths::of(&link.sum.number), None));
    let mut way = Way::behind_sum(plan, registers, run);
    way.scale();
    if registers.are_at(run.first, Cut::Scaled) {
        way.wait("gen_scaled_register");
    }
    if link.shift != 0 {
        way.shift(link.shift);
    }
    for (index, round) in link.rounds.iter().enumerate() {
        way.round(index, round, unit);
    }
    if registers.are_at(run.first, Cut::Step) {
        way.wait("gen_step");
    }
    let widths = Widths::of(&link.number);
    let name = format!("link_{}", run.first);
    let mut arrays = Vec::new();
    match run.is_parallel {
        true => arrays = super::declared(&name, widths, Some(&run.count.to_string())),
        false => declared.extend(super::declared("number", widths, None)),
    }
    let number = |part: &str| match run.is_parallel {
        true => widths.element(&name, "i", part),
        false => format!("number_{part}"),
    };
    let entering = entering(plan, Source::Link(run.first as u32));
    let mut raised = Vec::new();
    let invalid = way.late("invalid", &way.invalid, &mut raised);
    let overflow = way.late("overflow", &way.overflow, &mut raised);
    declared.extend(raised.iter().map(|late| format!("logic {};", late.name)));
    RunText {
        comment: comment(link, run),
        first: run.first,
        count: run.count,
        arrays,
        declared,
        chosen,
        sum: sum_lines,
        left: left(entering, &link.number, &way.from, &number),
        absent: number("absent"),
        operations: way.operations,
        raised,
        invalid,
        overflow,
    }
}

/// The terms of a run's links.
#[derive(Default)]
struct Terms {
    declared: Vec<String>,
    chosen: Option<Chosen>,
    /// Of the first link; whether a term has a name of its own.
    sources: Vec<(Sources, bool)>,
    lines: Vec<String>,
}

fn terms(plan: &StepsPlan, registers: &Registers, behind: &[Run], run: Run) -> Terms {
    let link = &plan.links[run.first];
    let mut terms = Terms::default();
    for (index, term) in link.terms.iter().enumerate() {
        let Some(from) = sources(plan, registers, behind, run, index) else { continue };
        let is_named = from.others.is_some() || from.first.waits != Linear::ZERO;
        terms.sources.push((from.first.source, is_named));
        if is_named {
            terms.declared.extend(super::declared(&format!("term_{index}"), Widths::of(&term.number), None));
        }
        match from.others {
            Some(others) => {
                let chosen = terms.chosen.get_or_insert_default();
                chosen.first.extend(entered(plan, index, from.first, term));
                chosen.others.extend(entered(plan, index, others, term));
            }
            None if is_named => terms.lines.extend(entered(plan, index, from.first, term)),
            None => {}
        }
    }
    terms
}

/// The lines that name a term of its own, behind registers where it waits.
fn entered(plan: &StepsPlan, index: usize, from: TermSource, term: &TermPlan) -> Vec<String> {
    let value = |part: &str| one(plan, from.source, term, part);
    let out = |part: &str| format!("term_{index}_{part}");
    match from.waits {
        Linear::ZERO => ALL.map(|part| format!("assign {} = {};", out(part), value(part))).into(),
        waits => {
            let name = format!("u_wait_{index}");
            delay::number(&name, Widths::of(&term.number), &expression(waits), &value, &out).0
        }
    }
}

fn comment(link: &LinkPlan, run: Run) -> String {
    let sums = if run.count == 1 { "a sum".to_owned() } else { format!("{} sums", run.count) };
    let numbers = match link.terms.len() {
        1 => "one number".to_owned(),
        count => format!("{count} numbers"),
    };
    let rounds = match link.rounds.len() {
        0 => String::new(),
        1 => ", rounded".to_owned(),
        times => format!(", rounded {times} times"),
    };
    format!("step {}: {sums} of {numbers}{rounds}", link.step + 1)
}

/// A number as SystemVerilog computes it from the loop's variable.
pub fn expression(linear: Linear) -> String {
    match linear {
        Linear { first, by: 0 } => first.to_string(),
        Linear { first: 0, by: 1 } => "i".to_owned(),
        Linear { first: 0, by } => format!("{by}*i"),
        Linear { first, by: 1 } if first < 0 => format!("i - {}", -first),
        Linear { first, by: 1 } => format!("i + {first}"),
        Linear { first, by } if first < 0 => format!("{by}*i - {}", -first),
        Linear { first, by } => format!("{by}*i + {first}"),
    }
}

/// A part of the number that a source gives.
fn one(plan: &StepsPlan, source: Sources, term: &TermPlan, part: &str) -> String {
    match source {
        Sources::Addend => format!("c_{part}"),
        Sources::Links { run, place, is_parallel: false } => {
            format!("gen_link_{run}[{}].number_{part}", expression(place))
        }
        Sources::Links { run, place, is_parallel: true } => {
            Array::of_run(plan, run).slice("", part, &expression(place), 1)
        }
        Sources::Product(place) => {
            let sign = if part == "negative" && term.negate { "!" } else { "" };
            Array::of_products(plan).slice(sign, part, &expression(place), 1)
        }
    }
}

/// Numbers side by side.
struct Array {
    name: String,
    widths: Widths,
}

impl Array {
    fn of_products(plan: &StepsPlan) -> Array {
        Array { name: "product".to_owned(), widths: Widths::of(&plan.product) }
    }

    fn of_run(plan: &StepsPlan, first: usize) -> Array {
        Array { name: format!("link_{first}"), widths: Widths::of(&plan.links[first].number) }
    }

    /// A part of so many numbers, from one on.
    fn slice(&self, sign: &str, part: &str, place: &str, count: usize) -> String {
        let name = &self.name;
        let wide = |width: u32| {
            let place = if place.contains(' ') { format!("({place})") } else { place.to_owned() };
            let all = if count > 1 { format!("{count}*{width}") } else { width.to_string() };
            format!("{name}_{part}[{place}*{width} +: {all}]")
        };
        match part {
            "exponent" => wide(self.widths.exponent),
            "significand" => wide(self.widths.significand),
            _ if count > 1 => format!("{sign}{name}_{part}[{place} +: {count}]"),
            _ => format!("{sign}{name}_{part}[{place}]"),
        }
    }
}

/// A part with the width that all numbers of the sum have.
fn common(text: String, part: &str, term: &TermPlan, number: &NumberPlan) -> String {
    let (own, all) = (Widths::of(&term.number), Widths::of(number));
    match part {
        "exponent" if own.exponent != all.exponent => format!("{}'($signed({text}))", all.exponent),
        "significand" if term.widened > 0 => format!("{}'({text}) << {}", all.significand, term.widened),
        "significand" if own.significand != all.significand => format!("{}'({text})", all.significand),
        _ => text,
    }
}

fn sum(
    plan: &StepsPlan,
    registers: &Registers,
    run: Run,
    sources: &[(Sources, bool)],
    part: &dyn Fn(usize, &str) -> String,
    unit: &Unit,
) -> Instance {
    let link = &plan.links[run.first];
    let numbers: Vec<usize> = (0..link.terms.len()).filter(|&index| !link.terms[index].is_addend).collect();
    let addend = link.terms.iter().position(|term| term.is_addend);
    let consecutive = consecutive(plan, link, sources, &numbers);
    let all = |name: &str| match (&consecutive, &link.numbers) {
        // An absent zero that has the addend's sign stands for no number.
        (_, None) => match name {
            "negative" => addend.map_or("1'b0".to_owned(), |index| part(index, "negative")),
            "absent" => "1'b1".to_owned(),
            _ => "1'b0".to_owned(),
        },
        (Some((array, place)), _) => array.slice("", name, &expression(*place), numbers.len()),
        (None, Some(number)) => {
            let each = |&index: &usize| common(part(index, name), name, &link.terms[index], number);
            let each: Vec<String> = numbers.iter().rev().map(each).collect();
            if each.len() == 1 { each[0].clone() } else { format!("{{{}}}", each.join(", ")) }
        }
    };
    let of_addend = |name: &str| addend.map_or("1'b0".to_owned(), |index| part(index, name));
    let mut ports = super::clock(unit).to_vec();
    ports.extend(number_ports("", "i", all, &ALL));
    ports.extend(number_ports("addend", "i", of_addend, &ALL));
    ports.extend(number_ports("", "o", |part| format!("sum_{part}"), &ALL));
    ports.push(("invalid_o".to_owned(), "sum_invalid".to_owned()));
    let mut parameters = parameters(link, &numbers, addend, unit);
    let cuts = CUTS.into_iter().filter(|(_, cut)| registers.are_at(run.first, *cut));
    parameters.extend(cuts.map(|(name, _)| (name, "1".to_owned())));
    Instance::new("tensorsmith_sum", "u_sum", parameters, ports)
}

/// An array of numbers that follow each other in all links alike, and the place of the first.
fn consecutive(
    plan: &StepsPlan,
    link: &LinkPlan,
    sources: &[(Sources, bool)],
    numbers: &[usize],
) -> Option<(Array, Linear)> {
    let place = |&index: &usize| match sources[index] {
        (Sources::Product(place), false) if !link.terms[index].negate => Some((None, place)),
        (Sources::Links { run, place, is_parallel: true }, false) => Some((Some(run), place)),
        _ => None,
    };
    let all: Vec<(Option<usize>, Linear)> = numbers.iter().map(place).collect::<Option<_>>()?;
    let run = all.first()?.0;
    if all.iter().any(|(other, _)| *other != run) {
        return None;
    }
    let places: Vec<Linear> = all.into_iter().map(|(_, place)| place).collect();
    let follow = |pair: &[Linear]| pair[1].first == pair[0].first + 1 && pair[1].by == pair[0].by;
    let plain = numbers.iter().all(|&index| link.terms[index].widened == 0);
    let array = run.map_or_else(|| Array::of_products(plan), |run| Array::of_run(plan, run));
    (plain && places.windows(2).all(follow)).then_some((array, places[0]))
}

fn parameters(link: &LinkPlan, numbers: &[usize], addend: Option<usize>, unit: &Unit) -> Vec<(&'static str, String)> {
    let sum = &link.sum;
    let number = |value: i64| value.to_string();
    let widths =
        |number: &Option<NumberPlan>| number.as_ref().map_or(Widths { exponent: 1, significand: 1 }, Widths::of);
    let (all, own) = (widths(&link.numbers), widths(&link.addend));
    let align = |index: Option<usize>| index.map(|index| &link.terms[index].align);
    let (first, of_addend) = (align(numbers.first().copied()), align(addend));
    let value = |align: Option<&AlignPlan>, value: fn(&AlignPlan) -> i64| number(align.map_or(0, value));
    let (kind, rounding, floor) = match sum.kind {
        SumKind::Window { rounding, floor, .. } => (0, rounding, floor),
        SumKind::Exact { .. } => (1, Rounding::TowardZero, None),
        SumKind::Single { .. } => (2, Rounding::TowardZero, None),
    };
    let [place, offset, from] = placed(sum);
    let result = Widths::of(&sum.number);
    vec![
        ("Count", numbers.len().max(1).to_string()),
        ("ExponentWidth", all.exponent.to_string()),
        ("SignificandWidth", all.significand.to_string()),
        ("HasAddend", u32::from(addend.is_some()).to_string()),
        ("AddendExponentWidth", own.exponent.to_string()),
        ("AddendSignificandWidth", own.significand.to_string()),
        ("Kind", number(kind)),
        ("AnchorWidth", sum.exponent_width().to_string()),
        ("Low", number(sum.low.into())),
        ("ZerosAbsent", u32::from(sum.zeros_absent).to_string()),
        ("HasFloor", u32::from(floor.is_some()).to_string()),
        ("Floor", number(floor.unwrap_or(0).into())),
        ("PlaceLeft", value(first, |align| align.place_left.into())),
        ("AddendPlaceLeft", value(of_addend, |align| align.place_left.into())),
        ("ExponentMin", value(first, |align| align.exponent_min.into())),
        ("AddendExponentMin", value(of_addend, |align| align.exponent_min.into())),
        ("GuardBits", number(sum.guard_bits.into())),
        ("AddendCutBits", value(of_addend, |align| align.spare_left.into())),
        ("AddendReach", number(of_addend.and_then(|align| align.reach).map_or(-1, i64::from))),
        ("Rounding", code(&ROUNDINGS, rounding).to_string()),
        ("AlignedWidth", sum.aligned_width.to_string()),
        ("SumWidth", sum.width.to_string()),
        ("ZeroSign", (2 * u32::from(link.zero_of_terms) + u32::from(link.zero_negative)).to_string()),
        ("Target", u32::from(unit.build.target == Target::Asic).to_string()),
        ("Place", number(place)),
        ("Offset", number(offset)),
        ("From", number(from)),
        ("ResultExponentMin", number(sum.number.exponent_min.into())),
        ("ResultExponentWidth", result.exponent.to_string()),
        ("ResultSignificandWidth", result.significand.to_string()),
    ]
}

/// Where the module places the sum: its parameters `Place`, `Offset` and `From`.
fn placed(sum: &SumPlan) -> [i64; 3] {
    let number = &sum.number;
    let top = i64::from(number.width().max(1)) - 1;
    match (&sum.kind, sum.exponent) {
        (SumKind::Single { fraction_bits }, Exponent::Leading) => [1, top - i64::from(*fraction_bits), 0],
        (SumKind::Single { .. }, _) | (SumKind::Window { .. }, Exponent::Own | Exponent::Anchor) => [0, 0, 0],
        (SumKind::Exact { .. }, Exponent::Own | Exponent::Fixed(_)) => [2, number.exponent_min.into(), 0],
        (SumKind::Exact { .. }, Exponent::Anchor) => [4, 0, number.exponent_max.into()],
        (SumKind::Exact { place }, Exponent::Leading) => [1, top + i64::from(*place), 0],
        (SumKind::Window { fraction_bits, .. }, Exponent::Leading) => [1, top - i64::from(*fraction_bits), 0],
        (SumKind::Window { fraction_bits, .. }, Exponent::Fixed(at)) => {
            [3, at.into(), i64::from(number.place()) + i64::from(*fraction_bits)]
        }
    }
}
