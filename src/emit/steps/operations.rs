//! The operations on the sum of a link: products with scales, shifts, roundings, registers.

use serde::Serialize;

use super::link::expression;
use super::runs::{Linear, Run, waits};
use super::{ALL, Instance, READ, Widths, delay, number_ports, product};
use crate::describe::arithmetic::Flushing;
use crate::describe::plan::{LimitPlan, NormalisePlan, NumberPlan, Registers, RoundPlan, StepsPlan, signed_width};
use crate::describe::unit::{Cut, Unit};
use crate::emit::instance::{ROUNDINGS, code};

/// A product with a scale, or with a power of two, a rounding, or a register.
#[derive(Debug, Serialize)]
pub struct Operation {
    block: String,
    /// Whether its number is absent.
    absent: String,
    declared: Vec<String>,
    lines: Vec<String>,
}

/// A flag that an operation raises, some enabled clock edges behind the numbers of its link.
pub struct Flag {
    signal: String,
    edges: u32,
}

/// A flag that waits for the result.
#[derive(Debug, Serialize)]
pub struct Raised {
    pub name: String,
    delay: Instance,
}

/// The number of a link on its way from the sum to its result.
pub struct Way<'a> {
    plan: &'a StepsPlan,
    registers: &'a Registers,
    run: Run,
    /// The prefix of its parts' names, and its range.
    pub from: String,
    number: NumberPlan,
    /// Enabled clock edges behind the numbers of the link.
    edges: u32,
    pub operations: Vec<Operation>,
    pub invalid: Vec<Flag>,
    pub overflow: Vec<Flag>,
}

impl<'a> Way<'a> {
    pub fn behind_sum(plan: &'a StepsPlan, registers: &'a Registers, run: Run) -> Way<'a> {
        let edges = registers.edges_of_sum(run.first);
        Way {
            plan,
            registers,
            run,
            from: "sum".to_owned(),
            number: plan.links[run.first].sum.number.clone(),
            edges,
            operations: Vec::new(),
            invalid: vec![Flag { signal: "sum_invalid".to_owned(), edges }],
            overflow: Vec::new(),
        }
    }

    /// Adds an operation whose number has names of that prefix.
    fn push(&mut self, block: &str, prefix: &str, number: &NumberPlan, declared: Vec<String>, lines: Vec<String>) {
        let declared = [super::declared(prefix, Widths::of(number), None), declared].concat();
        self.from = format!("{block}.{prefix}");
        self.number = number.clone();
        self.operations.push(Operation {
            block: block.to_owned(),
            absent: format!("{}_absent", self.from),
            declared,
            lines,
        });
    }

    /// A register.
    pub fn wait(&mut self, block: &str) {
        let (value, number) = (|part: &str| format!("{}_{part}", self.from), self.number.clone());
        let out = |part: &str| format!("registered_{part}");
        let lines = delay::number("u_register", Widths::of(&number), "1", &value, &out).0;
        self.push(block, "registered", &number, Vec::new(), lines);
        self.edges += 1;
    }

    /// The product with the scale of the link's block.
    pub fn scale(&mut self) {
        let (plan, run) = (self.plan, self.run);
        let link = &plan.links[run.first];
        let Some(scale) = &link.scale else { return };
        let second = plan.links.get(run.first + 1).filter(|_| run.count > 1).and_then(|link| link.scale.as_ref());
        let by = second.map_or(0, |second| second.block as i64 - scale.block as i64);
        let block = expression(Linear { first: scale.block as i64, by });
        let block = if block.contains(' ') { format!("({block})") } else { block };
        let start = waits(self.registers, run).unwrap_or(Linear::ZERO);
        let edges = Linear { first: start.first + i64::from(self.edges), ..start };
        let [x, y, out] = [&self.number, &plan.scale, &scale.product].map(Widths::of);
        let (mut declared, mut lines) = (vec!["logic scaled_invalid;".to_owned()], Vec::new());
        let element = |part: &str| y.element("scale", &block, part);
        if edges != Linear::ZERO {
            declared.extend(super::declared("late_scale", y, None));
            declared.push("logic unused_scale_absent;".to_owned());
            let late = |part: &str| format!("late_scale_{part}");
            lines.extend(delay::number("u_wait", y, &expression(edges), &element, &late).0);
            lines.push("assign unused_scale_absent = late_scale_absent;".to_owned());
        }
        let factor = |part: &str| if edges == Linear::ZERO { element(part) } else { format!("late_scale_{part}") };
        let from = |part: &str| format!("{}_{part}", self.from);
        lines.extend(product([x, y, out], [&from, &factor, &|part| format!("scaled_{part}")]).0);
        self.push("gen_scaled", "scaled", &scale.product, declared, lines);
        self.invalid.push(Flag { signal: format!("{}_invalid", self.from), edges: self.edges });
    }

    /// The number times a power of two.
    pub fn shift(&mut self, by: i32) {
        let (own, from) = (self.number.shifted(by), &self.from);
        let exponent = Widths::of(&own).exponent;
        let value = |part: &str| match part {
            "exponent" => format!("{exponent}'($signed({from}_exponent)) + {exponent}'({by})"),
            "absent" => format!("{from}_absent || {from}_significand == '0"),
            part => format!("{from}_{part}"),
        };
        let lines = ALL.iter().map(|part| format!("assign shifted_{part} = {};", value(part))).collect();
        self.push("gen_shift", "shifted", &own, Vec::new(), lines);
    }

    pub fn round(&mut self, index: usize, round: &RoundPlan, unit: &Unit) {
        let [input, widths] = [&round.input, &round.number].map(Widths::of);
        let from = &self.from;
        let lines = match &round.normalise {
            None => {
                // Nothing is rounded: all parts but the class are passed on.
                let passed = ["negative", "exponent", "significand", "absent", "nan"];
                let passed = passed.map(|part| format!("assign rounded_{part} = {from}_{part};"));
                let class = match round.never_exceeds() {
                    true => vec![
                        format!("assign rounded_infinite = {from}_infinite;"),
                        "assign rounded_overflow = 1'b0;".to_owned(),
                    ],
                    false => bound(round, input, from).0,
                };
                [class, passed.into()].concat()
            }
            Some(normalise) => {
                let cut = self.registers.are_at(self.run.first, Cut::Shift) && round.shifts();
                self.edges += u32::from(cut);
                normalised(round, normalise, [input, widths], from, super::clock(unit), cut).0
            }
        };
        let declared = vec!["logic rounded_overflow;".to_owned()];
        self.push(&format!("gen_round_{index}"), "rounded", &round.number, declared, lines);
        self.overflow.push(Flag { signal: format!("{}_overflow", self.from), edges: self.edges });
    }

    /// Whether one of some flags is raised, when the result comes.
    pub fn late(&self, name: &str, flags: &[Flag], raised: &mut Vec<Raised>) -> String {
        let start = waits(self.registers, self.run).filter(|_| self.plan.flags);
        let mut text = Vec::new();
        for (index, flag) in flags.iter().enumerate() {
            let edges = start.map_or(Linear::ZERO, |start| {
                let rest = i64::from(self.registers.latency()) - start.first - i64::from(flag.edges);
                Linear { first: rest, by: -start.by }
            });
            if edges == Linear::ZERO {
                text.push(flag.signal.clone());
                continue;
            }
            let name = format!("{name}_{index}");
            let delay = delay::delayed(&format!("u_{name}"), "1", &expression(edges), &flag.signal, &name);
            text.push(name.clone());
            raised.push(Raised { name, delay });
        }
        if text.is_empty() { "1'b0".to_owned() } else { text.join(" || ") }
    }
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

fn normalised(
    round: &RoundPlan,
    normalise: &NormalisePlan,
    [input, out]: [Widths; 2],
    from: &str,
    clock: [(String, String); 2],
    cut: bool,
) -> Instance {
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
        ("Shifts", u32::from(normalise.shifts).to_string()),
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
    parameters.extend(cut.then(|| ("CutShift", "1".to_owned())));
    let part = |part: &str| format!("{from}_{part}");
    let mut ports = clock.to_vec();
    ports.extend(number_ports("", "i", part, &READ));
    ports.extend(number_ports("", "o", |part| format!("rounded_{part}"), &ALL));
    ports.push(("overflow_o".to_owned(), "rounded_overflow".to_owned()));
    Instance::new("tensorsmith_number_round", "u_round", parameters, ports)
}
