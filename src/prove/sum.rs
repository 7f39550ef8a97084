//! Sums of several runs as terms: the blocks of an instruction, and an instruction that is run once for each of its own K
//! products of a longer sum, as [`Chained`] runs an engine. Zeros stand where products are missing.
//!
//! Architecture invariant: nothing here rounds: what reaches a unit does so by exact conversion of encodings.

use super::numbers::Number;
use super::property::is_infinite;
use super::{InputTerms, UnitTerms};
use crate::compute::word::term::{Term, TermFlag};
use crate::compute::word::{Flag, Word};
use crate::describe::catalogue;
use crate::describe::format::{Format, Overflow, Rounding};
use crate::describe::instruction::{Instruction, Start};
use crate::describe::interface::Interface;
use crate::describe::plan::Plan;
use crate::describe::subject::Subject;
use crate::describe::unit::Unit;
use crate::engine::{Batch, ChainError, Chained, Composed, Engine, EngineError, Kind, Opened, Vector};

/// So many products, by runs of an instruction, added to a c of that format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum {
    instruction: Instruction,
    products: u32,
    c: Format,
}

impl Sum {
    /// One run of an instruction.
    pub fn of(instruction: &Instruction) -> Sum {
        let (products, c) = (instruction.shape.k, instruction.c.clone());
        Sum { instruction: instruction.clone(), products, c }
    }

    /// One run of a unit.
    pub fn alone(unit: &Unit) -> Sum {
        Sum::of(&Instruction::alone(unit.clone()))
    }

    /// As many runs as so many products take.
    ///
    /// # Errors
    /// The instruction's formats would lose something.
    pub fn with_products(instruction: &Instruction, products: u32, c: &Format) -> Result<Sum, ChainError> {
        let interface = instruction.interface();
        let engine = Composed::emulated(instruction);
        Chained::new(engine, &interface, products, c)?;
        Ok(Sum { instruction: instruction.clone(), products, c: c.clone() })
    }

    /// What goes in and comes out.
    pub fn interface(&self) -> Interface {
        let mut interface = self.instruction.interface();
        interface.products = self.products;
        interface.formats.c = self.c.clone();
        interface
    }

    /// The units whose arithmetic it is.
    pub fn units(&self) -> impl Iterator<Item = &Unit> {
        self.instruction.units()
    }

    /// The indices of its products, block by block, of its first run.
    pub fn blocks(&self) -> Vec<Vec<usize>> {
        self.instruction.blocks()
    }

    /// The unit of its blocks.
    pub fn unit(&self) -> &Unit {
        &self.instruction.unit
    }

    /// Whether it is one run of its unit and nothing else.
    pub fn is_alone(&self) -> bool {
        let Instruction { unit, shape, .. } = &self.instruction;
        self.instruction.is_alone() && self.products == shape.k && self.c == unit.formats.c
    }

    /// Its text on operands of its interface, in the graph that is being built. Signals are those of a unit that is alone.
    pub fn run(&self, inputs: &InputTerms) -> UnitTerms {
        if self.is_alone() {
            return UnitTerms::on(&Plan::of(self.unit()), inputs.clone());
        }
        let Instruction { a, b, c, .. } = &self.instruction;
        let (k, d) = (self.instruction.shape.k as usize, self.instruction.d());
        let scales = self.instruction.interface().scale_count() as usize;
        let mut chain = widened(&self.c, c, inputs.c);
        let mut answer = chain;
        for (run, first) in (0..self.products as usize).step_by(k).enumerate() {
            if run > 0 {
                chain = widened(d, c, answer.field(0, d.width()));
            }
            let own = |list: &[Term], format: &Format| {
                let mut own: Vec<Term> = list[first..].iter().take(k).copied().collect();
                own.resize(k, Term::bits(format.zero(false)));
                own
            };
            let of_run = |list: &[Term]| list.iter().skip(run * scales).take(scales).copied().collect();
            answer = self.one_run(&InputTerms {
                a: own(&inputs.a, a),
                b: own(&inputs.b, b),
                c: chain,
                scale_a: of_run(&inputs.scale_a),
                scale_b: of_run(&inputs.scale_b),
            });
        }
        UnitTerms { inputs: inputs.clone(), answer, signals: Vec::new(), steps: Vec::new() }
    }

    /// One run of the instruction, block by block.
    fn one_run(&self, inputs: &InputTerms) -> Term {
        let Instruction { unit, start, final_addition, .. } = &self.instruction;
        let adder = final_addition.as_ref();
        let formats = &unit.formats;
        let c = widened(&self.instruction.c, &adder.unwrap_or(unit).formats.c, inputs.c);
        let mut chain = match start {
            Start::Addend => c,
            Start::Zero => Term::bits(formats.c.zero(false)),
        };
        let (plan, scales) = (Plan::of(unit), unit.scale_count() as usize);
        for (number, block) in self.blocks().iter().enumerate() {
            if number > 0 {
                chain = widened(&formats.d, &formats.c, chain);
            }
            let list = |from: &Format, to: &Format, list: &[Term]| {
                let mut own: Vec<Term> = block.iter().map(|index| widened(from, to, list[*index])).collect();
                own.resize(unit.products as usize, Term::literal(0));
                own
            };
            let scale = |list: &[Term]| list.iter().skip(number * scales).take(scales).copied().collect::<Vec<Term>>();
            let (a, b) = (&self.instruction.a, &self.instruction.b);
            let (scale_a, scale_b) = (scale(&inputs.scale_a), scale(&inputs.scale_b));
            let own = match self.instruction.exchanged() {
                false => InputTerms {
                    a: list(a, &formats.a, &inputs.a),
                    b: list(b, &formats.b, &inputs.b),
                    c: chain,
                    scale_a,
                    scale_b,
                },
                true => InputTerms {
                    a: list(b, &formats.a, &inputs.b),
                    b: list(a, &formats.b, &inputs.a),
                    c: chain,
                    scale_a: scale_b,
                    scale_b: scale_a,
                },
            };
            chain = UnitTerms::on(&plan, own).answer;
        }
        let Some(adder) = adder else { return chain };
        let one = adder.formats.b.from_f64(1.0, Rounding::NearestEven, Overflow::Ieee);
        let inputs =
            InputTerms { a: vec![chain], b: vec![Term::bits(one)], c, scale_a: Vec::new(), scale_b: Vec::new() };
        UnitTerms::on(&Plan::of(adder), inputs).answer
    }

    /// An engine that answers its vectors; none where that is not built in.
    ///
    /// # Errors
    /// The engine failed to start.
    fn open(&self, kind: Kind) -> Result<Option<Chained>, EngineError> {
        let subject = match self.instruction.is_alone() {
            true => Subject::Unit(self.unit().clone()),
            false => Subject::Instruction(self.instruction.clone()),
        };
        let Opened::Ready(engine) = kind.open_subject(&subject)? else { return Ok(None) };
        // It was checked where the sum was made.
        Ok(Chained::new(engine, &subject.interface(), self.products, &self.c).ok())
    }

    /// What its emulator answers to a vector.
    pub(super) fn emulated(&self) -> impl FnMut(&Vector) -> u64 + use<> {
        let mut engine =
            Chained::new(Composed::emulated(&self.instruction), &self.instruction.interface(), self.products, &self.c);
        move |vector| {
            let steps = engine.as_mut().map(|engine| engine.steps(vector));
            let steps = steps.expect("it was checked where the sum was made").expect("emulators answer");
            steps.last().copied().unwrap_or_default()
        }
    }

    /// The answers of emulator, reference and, where its units are built in, the RTL.
    ///
    /// # Errors
    /// An engine failed.
    pub(super) fn answers(&self, vector: &Vector) -> Result<Vec<(&'static str, u64)>, EngineError> {
        let own = |unit: &Unit| catalogue::unit(&unit.name).as_ref() == Some(unit);
        let rtl = (cfg!(feature = "rtl") && self.units().all(own)).then_some(("rtl", Kind::Rtl));
        let mut answers = Vec::new();
        for (name, kind) in [("emulator", Kind::Emulator), ("reference", Kind::Reference)].into_iter().chain(rtl) {
            if let Some(mut engine) = self.open(kind)? {
                let results = engine.answers(&Batch::of(vector))?;
                answers.push((name, results[0]));
            }
        }
        Ok(answers)
    }
}

/// An encoding in a format that holds all numbers of its own. Any NaN becomes the canonical one.
///
/// ```text
///   from    s eee ffff          the significand is normalised:    1.ffff000    in the fraction bits of `to`
///   to      s eeeee ffff000     or right by what its exponent lies below the least one
/// ```
pub(super) fn widened(from: &Format, to: &Format, encoding: Term) -> Term {
    if from == to || from.is_absent() {
        return if from == to { encoding } else { Term::bits(to.zero(false)) };
    }
    if to.is_integer() {
        // A negative number has ones above its sign.
        let (field, power) = (encoding.field(0, from.width()), |bits: u32| Term::literal(1).shift_left(bits));
        let ones = power(to.width()) - power(from.width());
        let negative = if from.signed { field.bit(from.width() - 1) } else { TermFlag::constant(false) };
        return Term::select(negative, field + ones, field);
    }
    let literal = |number: i32| Term::literal(i64::from(number));
    let number = Number::decoded(from, encoding);
    let zeros = number.significand.leading_zeros(from.fraction_bits + 1);
    let exponent = number.place + literal(from.fraction_bits as i32) - zeros;
    let significand = number.significand.shift_left_by(zeros).shift_left(to.fraction_bits - from.fraction_bits);
    let below = (literal(to.exponent_min()) - exponent).maximum(literal(0));
    let hidden = Term::literal(1).shift_left(to.fraction_bits);
    let normal = (exponent.maximum(literal(to.exponent_min())) + literal(to.bias)).shift_left(to.fraction_bits)
        + significand
        - hidden;
    let held = Term::select(below.is_zero(), normal, significand.shift_right_by(below));
    let finite = Term::select(number.significand.is_zero(), Term::literal(0), held);
    let magnitude = match to.infinity(false) {
        Some(infinity) => Term::select(is_infinite(from, encoding), Term::bits(to.magnitude(infinity)), finite),
        None => finite,
    };
    let sign = Term::literal(1).shift_left(to.width() - 1);
    let padded = magnitude.shift_left(to.padding_bits);
    let signed = if to.signed { Term::select(number.negative, padded + sign, padded) } else { padded };
    Term::select(number.nan, Term::bits(to.nan().unwrap_or_default()), signed).field(0, to.width())
}
