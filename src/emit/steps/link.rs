//! The instances of a run of links: terms, their sum, scales, roundings.

use serde::Serialize;

use super::delay::{self, Registers};
use super::runs::{Linear, Run, Sources, TermSource, entering, sources, waits};
use super::{ALL, Instance, READ, Widths, left, number_ports, product};
use crate::describe::arithmetic::{Exponent, Flushing};
use crate::describe::format::Rounding;
use crate::describe::plan::{
    AlignPlan, LimitPlan, LinkPlan, NormalisePlan, NumberPlan, RoundPlan, Source, StepsPlan, SumKind, SumPlan,
    TermPlan, signed_width,
};
use crate::describe::unit::{Target, Unit};
use crate::emit::instance::{ROUNDINGS, code};

/// A run of links in text.
#[derive(Debug, Serialize)]
pub struct RunText {
    comment: String,
    first: usize,
    count: usize,
    declared: Vec<String>,
    chosen: Option<Chosen>,
    /// Terms with names of their own, and the sum.
    sum: Vec<String>,
    operations: Vec<Operation>,
    left: Vec<String>,
    /// Flags that operations raise, and the registers behind which they wait for the result.
    raised: Option<Instance>,
    invalid: String,
    overflow: String,
}

/// Assignments of terms whose source in the first link of a run differs from those in the others.
#[derive(Debug, Default, Serialize)]
struct Chosen {
    first: Vec<String>,
    others: Vec<String>,
}

/// A product with a scale, or with a power of two, or a rounding.
#[derive(Debug, Serialize)]
struct Operation {
    block: String,
    /// Whether its number is absent.
    absent: String,
    declared: Vec<String>,
    lines: Vec<String>,
}

/// The text of a run behind others.
pub fn text(plan: &StepsPlan, registers: &Registers, behind: &[Run], run: Run, unit: &Unit) -> RunText {
    let link = &plan.links[run.first];
    let Terms { mut declared, chosen, sources: terms, lines: mut sum_lines } = terms(plan, registers, behind, run);
    let part = |index: usize, part: &str| match terms[index] {
        (_, true) => format!("term_{index}_{part}"),
        (source, false) => one(plan, source, &link.terms[index], part),
    };
    sum_lines.extend(sum(plan, link, &terms, &part, unit).0);
    declared.extend(super::declared("sum", Widths::of(&link.sum.number), None));
    let mut from = "sum".to_owned();
    let mut invalid = vec!["sum_invalid".to_owned()];
    let mut operations = scaled(plan, registers, run, &mut from, &mut invalid);
    let mut overflow = Vec::new();
    if link.shift != 0 {
        let number = link.scale.as_ref().map_or(&link.sum.number, |scale| &scale.products[1]);
        let own = number.shifted(link.shift);
        let declared = super::declared("shifted", Widths::of(&own), None);
        let lines = shift(link.shift, Widths::of(&own), &from);
        from = "gen_shift.shifted".to_owned();
        operations.push(Operation { block: "gen_shift".to_owned(), absent: format!("{from}_absent"), declared, lines });
    }
    for (index, round) in link.rounds.iter().enumerate() {
        operations.push(rounded(index, round, &mut from));
        overflow.push(format!("{from}_overflow"));
    }
    let widths = Widths::of(&link.number);
    declared.extend(super::declared("number", widths, None));
    let entering = entering(plan, Source::Link(run.first as u32));
    let mut left_lines = Vec::new();
    if registers.are_behind_links() {
        declared.extend(super::declared("registered", widths, None));
        let part = |part: &str| format!("{from}_{part}");
        left_lines.extend(delay::number("u_step", widths, "1", &part, &|part| format!("registered_{part}")).0);
        from = "registered".to_owned();
    }
    left_lines.extend(left(entering, &link.number, &from, "number"));
    let invalid = invalid.join(" || ");
    let overflow = if overflow.is_empty() { "1'b0".to_owned() } else { overflow.join(" || ") };
    RunText {
        comment: comment(link, run),
        first: run.first,
        count: run.count,
        declared,
        chosen,
        sum: sum_lines,
        operations,
        left: left_lines,
        raised: raised(plan, registers, run, [&invalid, &overflow]),
        invalid,
        overflow,
    }
}

/// The registers behind which the flags of a run's links wait for the result, if they do.
fn raised(plan: &StepsPlan, registers: &Registers, run: Run, [invalid, overflow]: [&str; 2]) -> Option<Instance> {
    let waits = waits(registers, run).filter(|_| plan.flags)?;
    let edges = Linear { first: i64::from(registers.rest(0)) - waits.first, by: -waits.by };
    let out = format!("{{link_invalid[i + {0}], link_overflow[i + {0}]}}", run.first);
    let flags = || delay::delayed("u_flags", "2", &expression(edges), &format!("{{{invalid}, {overflow}}}"), &out);
    (edges != Linear::ZERO).then(flags)
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

/// The number times a power of two.
fn shift(by: i32, own: Widths, from: &str) -> Vec<String> {
    let value = |part: &str| match part {
        "exponent" => format!("{0}'($signed({from}_exponent)) + {0}'({by})", own.exponent),
        "absent" => format!("{from}_absent || {from}_significand == '0"),
        part => format!("{from}_{part}"),
    };
    ALL.iter().map(|part| format!("assign shifted_{part} = {};", value(part))).collect()
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
        Sources::Links { run, place } => format!("gen_link_{run}[{}].number_{part}", expression(place)),
        Sources::Product(place) => {
            let sign = if part == "negative" && term.negate { "!" } else { "" };
            slice(plan, sign, part, &expression(place), 1)
        }
    }
}

/// A part of so many products, from one on.
fn slice(plan: &StepsPlan, sign: &str, part: &str, place: &str, count: usize) -> String {
    let widths = Widths::of(&plan.product);
    let wide = |width: u32| {
        let place = if place.contains(' ') { format!("({place})") } else { place.to_owned() };
        let all = if count > 1 { format!("{count}*{width}") } else { width.to_string() };
        format!("product_{part}[{place}*{width} +: {all}]")
    };
    match part {
        "exponent" => wide(widths.exponent),
        "significand" => wide(widths.significand),
        _ if count > 1 => format!("{sign}product_{part}[{place} +: {count}]"),
        _ => format!("{sign}product_{part}[{place}]"),
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
    link: &LinkPlan,
    sources: &[(Sources, bool)],
    part: &dyn Fn(usize, &str) -> String,
    unit: &Unit,
) -> Instance {
    let numbers: Vec<usize> = (0..link.terms.len()).filter(|&index| !link.terms[index].is_addend).collect();
    let addend = link.terms.iter().position(|term| term.is_addend);
    let consecutive = consecutive(link, sources, &numbers);
    let all = |name: &str| match (consecutive, &link.numbers) {
        // An absent zero that has the addend's sign stands for no number.
        (_, None) => match name {
            "negative" => addend.map_or("1'b0".to_owned(), |index| part(index, "negative")),
            "absent" => "1'b1".to_owned(),
            _ => "1'b0".to_owned(),
        },
        (Some(place), _) => slice(plan, "", name, &expression(place), numbers.len()),
        (None, Some(number)) => {
            let each = |&index: &usize| common(part(index, name), name, &link.terms[index], number);
            let each: Vec<String> = numbers.iter().rev().map(each).collect();
            if each.len() == 1 { each[0].clone() } else { format!("{{{}}}", each.join(", ")) }
        }
    };
    let of_addend = |name: &str| addend.map_or("1'b0".to_owned(), |index| part(index, name));
    let mut ports = number_ports("", "i", all, &ALL);
    ports.extend(number_ports("addend", "i", of_addend, &ALL));
    ports.extend(number_ports("", "o", |part| format!("sum_{part}"), &ALL));
    ports.push(("invalid_o".to_owned(), "sum_invalid".to_owned()));
    Instance::new("tensorsmith_sum", "u_sum", parameters(link, &numbers, addend, unit), ports)
}

/// The first of products that follow each other in all links alike.
fn consecutive(link: &LinkPlan, sources: &[(Sources, bool)], numbers: &[usize]) -> Option<Linear> {
    let place = |&index: &usize| match sources[index] {
        (Sources::Product(place), false) if !link.terms[index].negate => Some(place),
        _ => None,
    };
    let places: Vec<Linear> = numbers.iter().map(place).collect::<Option<_>>()?;
    let follow = |pair: &[Linear]| pair[1].first == pair[0].first + 1 && pair[1].by == pair[0].by;
    let plain = numbers.iter().all(|&index| link.terms[index].widened == 0);
    (plain && places.windows(2).all(follow)).then(|| places.first().copied()).flatten()
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
        SumKind::Single => (2, Rounding::TowardZero, None),
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
        (SumKind::Single, _) | (SumKind::Window { .. }, Exponent::Own | Exponent::Anchor) => [0, 0, 0],
        (SumKind::Exact { .. }, Exponent::Own | Exponent::Fixed(_)) => [2, number.exponent_min.into(), 0],
        (SumKind::Exact { .. }, Exponent::Anchor) => [4, 0, number.exponent_max.into()],
        (SumKind::Exact { place }, Exponent::Leading) => [1, top + i64::from(*place), 0],
        (SumKind::Window { fraction_bits, .. }, Exponent::Leading) => [1, top - i64::from(*fraction_bits), 0],
        (SumKind::Window { fraction_bits, .. }, Exponent::Fixed(at)) => {
            [3, at.into(), i64::from(number.place()) + i64::from(*fraction_bits)]
        }
    }
}

/// The products with the scales of the link's block.
fn scaled(
    plan: &StepsPlan,
    registers: &Registers,
    run: Run,
    last: &mut String,
    invalid: &mut Vec<String>,
) -> Vec<Operation> {
    let link = &plan.links[run.first];
    let (Some(scales), Some(scale)) = (&plan.scales, &link.scale) else { return Vec::new() };
    let second = plan.links.get(run.first + 1).filter(|_| run.count > 1).and_then(|link| link.scale.as_ref());
    let by = second.map_or(0, |second| second.block as i64 - scale.block as i64);
    let block = expression(Linear { first: scale.block as i64, by });
    let block = if block.contains(' ') { format!("({block})") } else { block };
    let edges = waits(registers, run).unwrap_or(Linear::ZERO);
    let mut all = Vec::new();
    let mut number = &link.sum.number;
    for (index, name) in ["scale_a", "scale_b"].into_iter().enumerate() {
        let [x, y, out] = [number, &scales[index].number, &scale.products[index]].map(Widths::of);
        let mut lines = Vec::new();
        let mut declared = [super::declared("scaled", out, None), vec!["logic scaled_invalid;".to_owned()]].concat();
        let element = |part: &str| y.element(name, &block, part);
        if edges != Linear::ZERO {
            declared.extend(super::declared("scale", y, None));
            declared.push("logic unused_scale_absent;".to_owned());
            let late = |part: &str| format!("scale_{part}");
            lines.extend(delay::number("u_wait", y, &expression(edges), &element, &late).0);
            lines.push("assign unused_scale_absent = scale_absent;".to_owned());
        }
        let factor = |part: &str| if edges == Linear::ZERO { element(part) } else { format!("scale_{part}") };
        let ports: [&dyn Fn(&str) -> String; 3] =
            [&|part| format!("{last}_{part}"), &factor, &|part| format!("scaled_{part}")];
        lines.extend(product([x, y, out], ports).0);
        let own = format!("gen_scale_{index}");
        *last = format!("{own}.scaled");
        invalid.push(format!("{last}_invalid"));
        all.push(Operation { block: own, absent: format!("{last}_absent"), declared, lines });
        number = &scale.products[index];
    }
    all
}

fn rounded(index: usize, round: &RoundPlan, from: &mut String) -> Operation {
    let block = format!("gen_round_{index}");
    let [input, widths] = [&round.input, &round.number].map(Widths::of);
    let lines = match &round.normalise {
        None => {
            // Nothing is rounded: all parts but the class are passed on.
            let passed = ["negative", "exponent", "significand", "absent", "nan"];
            let passed = passed.map(|part| format!("assign rounded_{part} = {from}_{part};"));
            [bound(round, input, from).0, passed.into()].concat()
        }
        Some(normalise) => normalised(round, normalise, [input, widths], from).0,
    };
    *from = format!("{block}.rounded");
    let declared = [super::declared("rounded", widths, None), vec!["logic rounded_overflow;".to_owned()]].concat();
    Operation { block, absent: format!("{from}_absent"), declared, lines }
}

fn bound(round: &RoundPlan, input: Widths, from: &str) -> Instance {
    let greatest = match round.limit {
        LimitPlan::Exponent(Some(greatest)) => greatest,
        // Above every number.
        _ => round.input.exponent_max + round.input.integer_bits().max(0) + 1,
    };
    let top = i64::from(input.significand) - 1 - i64::from(round.input.fraction_bits);
    let most = i64::from(round.input.exponent_max) + top.max(0);
    let least = i64::from(round.input.exponent_min) + top.min(0) - i64::from(input.significand);
    let (least, most) = (least.min(greatest.into()), most.max(greatest.into()));
    let parameters = vec![
        ("ExponentWidth", input.exponent.to_string()),
        ("SignificandWidth", input.significand.to_string()),
        ("TopOffset", top.to_string()),
        ("WorkWidth", signed_width(least.into(), most.into()).to_string()),
        ("ExponentMax", greatest.to_string()),
    ];
    let part = |part: &str| format!("{from}_{part}");
    let mut ports = number_ports("", "i", part, &["exponent", "significand", "infinite", "nan"]);
    ports.push(("infinite_o".to_owned(), "rounded_infinite".to_owned()));
    ports.push(("overflow_o".to_owned(), "rounded_overflow".to_owned()));
    Instance::new("tensorsmith_bound", "u_bound", parameters, ports)
}

fn normalised(round: &RoundPlan, normalise: &NormalisePlan, [input, out]: [Widths; 2], from: &str) -> Instance {
    let least =
        normalise.exponent_min.unwrap_or(round.input.exponent_min + normalise.top_offset - normalise.shift_max as i32);
    let number_min = round.number.exponent_min;
    let mut limits = vec![("Limit", "0".to_owned())];
    if let LimitPlan::Exponent(Some(greatest)) = round.limit {
        limits = vec![("Limit", "1".to_owned()), ("ExponentMax", greatest.to_string())];
    }
    if let LimitPlan::Format { largest_exponent, largest_significand, to_infinity, has_infinity, has_negative_zero } =
        round.limit
    {
        let flag = |flag: bool| u32::from(flag).to_string();
        limits = vec![
            ("Limit", "2".to_owned()),
            ("LargestExponent", largest_exponent.to_string()),
            ("LargestSignificand", format!("{}'h{largest_significand:x}", normalise.precision)),
            ("OverflowInfinityPositive", flag(to_infinity[0])),
            ("OverflowInfinityNegative", flag(to_infinity[1])),
            ("HasInfinity", flag(has_infinity)),
            ("HasNegativeZero", flag(has_negative_zero)),
        ];
    }
    let flush = match round.subnormals {
        Flushing::Kept => 0,
        Flushing::Flushed => 1,
        Flushing::FlushedIfTiny => 2,
    };
    let mut parameters = vec![
        ("InputExponentWidth", input.exponent.to_string()),
        ("SignificandWidth", input.significand.to_string()),
        ("PadBits", normalise.pad_bits.to_string()),
        ("NormalisedWidth", normalise.width.to_string()),
        ("TopOffset", normalise.top_offset.to_string()),
        ("WorkWidth", normalise.exponent_width.to_string()),
        ("ExponentMin", least.to_string()),
        ("HasExponentMin", u32::from(normalise.exponent_min.is_some()).to_string()),
        ("Precision", normalise.precision.to_string()),
        ("Rounding", code(&ROUNDINGS, round.rounding).to_string()),
    ];
    parameters.extend(limits);
    parameters.extend([
        ("FlushResult", flush.to_string()),
        ("RoundedZero", u32::from(round.rounded_zero_positive).to_string()),
        ("ResultExponentMin", number_min.to_string()),
        ("ExponentWidth", out.exponent.to_string()),
    ]);
    let part = |part: &str| format!("{from}_{part}");
    let mut ports = number_ports("", "i", part, &READ);
    ports.extend(number_ports("", "o", |part| format!("rounded_{part}"), &ALL));
    ports.push(("overflow_o".to_owned(), "rounded_overflow".to_owned()));
    Instance::new("tensorsmith_number_round", "u_round", parameters, ports)
}
