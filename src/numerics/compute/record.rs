//! What the datapath text hands out where it computes it: the named intermediate values, the same names, widths and encodings
//! in Rust traces, in solver terms and in SystemVerilog.
//!
//! Exponents are true exponents in two's complement; significands are unsigned integers with the hidden bit;
//! `aligned` and `sum` count units of 2^(anchor - F). Element i of a signal is `[i*width +: width]`.
//!
//! There is no list of signals: [`signals`] is what the text records of zeros. The emulator's trace is [`record`]; for that of the RTL
//! the signals are read from the module in `rtl/lib`, where they have the same names.

use std::mem;

use super::Inputs;
use super::datapath::schemes::{self, Scheme, WithScheme};
use super::word::{Word, Word1024};
use crate::describe::plan::Plan;
use crate::describe::unit::Unit;

/// The stages of a unit, in datapath order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Unpacked,
    Product,
    Anchor,
    Aligned,
    Sum,
    Normalised,
    Rounded,
    Packed,
}

/// One named intermediate: `elements` values of `width` bits.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Signal {
    pub name: &'static str,
    pub stage: Stage,
    pub elements: u32,
    pub width: u32,
    pub signed: bool,
}

/// How an element of a signal is encoded: its bits, without a sign or in two's complement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Unsigned(u32),
    Signed(u32),
}

/// Takes what the text computes, in the order in which it is computed: each signal follows from those before it.
pub trait Recorder<W: Word> {
    /// The next element of a signal.
    fn put(&mut self, stage: Stage, name: &'static str, encoding: Encoding, value: W);

    /// The same of a truth value, 1 or 0.
    fn put_flag(&mut self, stage: Stage, name: &'static str, value: W::Flag);

    /// A truth value that modules have a name for and traces leave out, because it follows from another signal.
    fn put_aside(&mut self, stage: Stage, name: &'static str, value: W::Flag);

    /// What follows belongs to that one of several operations; with none, to the unit as a whole.
    fn enter(&mut self, operation: Option<usize>);

    /// Whether anything is kept: a text need not compute what only goes here.
    fn keeps(&self) -> bool;
}

/// Keeps nothing and costs nothing.
#[derive(Debug)]
pub struct Discard;

impl<W: Word> Recorder<W> for Discard {
    #[inline(always)]
    fn put(&mut self, _: Stage, _: &'static str, _: Encoding, _: W) {}

    #[inline(always)]
    fn put_flag(&mut self, _: Stage, _: &'static str, _: W::Flag) {}

    #[inline(always)]
    fn put_aside(&mut self, _: Stage, _: &'static str, _: W::Flag) {}

    #[inline(always)]
    fn enter(&mut self, _: Option<usize>) {}

    #[inline(always)]
    fn keeps(&self) -> bool {
        false
    }
}

/// A signal with the values of its elements.
#[derive(Debug, Clone)]
pub struct Recorded<W> {
    pub signal: Signal,
    /// Whether traces leave it out.
    pub aside: bool,
    pub values: Vec<W>,
}

/// Keeps everything.
#[derive(Debug, Clone)]
pub struct Record<W> {
    /// Of the unit.
    pub signals: Vec<Recorded<W>>,
    /// Of each operation of a unit that rounds several.
    pub operations: Vec<Vec<Recorded<W>>>,
    entered: Option<usize>,
}

impl<W> Default for Record<W> {
    fn default() -> Self {
        Record { signals: Vec::new(), operations: Vec::new(), entered: None }
    }
}

impl<W> Record<W> {
    /// The signals that traces show.
    pub fn shown(self) -> Vec<(Signal, Vec<W>)> {
        shown(self.signals)
    }

    /// Those of every operation, by name: `step[0].sum` and so on. They are taken out.
    pub fn take_steps(&mut self) -> Vec<(String, Vec<W>)> {
        let of_operation = |(index, signals)| {
            let named = move |(signal, values): (Signal, _)| (format!("step[{index}].{}", signal.name), values);
            shown(signals).into_iter().map(named)
        };
        mem::take(&mut self.operations).into_iter().enumerate().flat_map(of_operation).collect()
    }

    fn keep(&mut self, stage: Stage, name: &'static str, encoding: Encoding, aside: bool, value: W) {
        let signals = match self.entered {
            None => &mut self.signals,
            Some(operation) => &mut self.operations[operation],
        };
        if let Some(known) = signals.iter_mut().rev().find(|known| known.signal.name == name) {
            known.signal.elements += 1;
            known.values.push(value);
            return;
        }
        let (width, signed) = match encoding {
            Encoding::Unsigned(width) => (width, false),
            Encoding::Signed(width) => (width, true),
        };
        let signal = Signal { name, stage, elements: 1, width, signed };
        signals.push(Recorded { signal, aside, values: vec![value] });
    }
}

/// Those of some signals that traces show.
fn shown<W>(signals: Vec<Recorded<W>>) -> Vec<(Signal, Vec<W>)> {
    let shown = signals.into_iter().filter(|recorded| !recorded.aside);
    shown.map(|recorded| (recorded.signal, recorded.values)).collect()
}

impl<W: Word> Recorder<W> for Record<W> {
    fn put(&mut self, stage: Stage, name: &'static str, encoding: Encoding, value: W) {
        self.keep(stage, name, encoding, false, value);
    }

    fn put_flag(&mut self, stage: Stage, name: &'static str, value: W::Flag) {
        self.keep(stage, name, Encoding::Unsigned(1), false, W::from_flag(value));
    }

    fn put_aside(&mut self, stage: Stage, name: &'static str, value: W::Flag) {
        self.keep(stage, name, Encoding::Unsigned(1), true, W::from_flag(value));
    }

    fn enter(&mut self, operation: Option<usize>) {
        self.entered = operation;
        if let Some(operation) = operation {
            self.operations.resize_with(self.operations.len().max(operation + 1), Vec::new);
        }
    }

    fn keeps(&self) -> bool {
        true
    }
}

/// The answer to one vector and the record of it, on any word.
pub fn record<W: Word>(plan: &Plan, inputs: Inputs<W::Encoding>) -> (W, Record<W>) {
    struct Recording<'a, W: Word>(Inputs<'a, W::Encoding>);

    impl<W: Word> WithScheme for Recording<'_, W> {
        type Output = (W, Record<W>);

        fn run<S: Scheme>(self, plan: &S::Plan) -> (W, Record<W>) {
            let mut record = Record::default();
            let answer = S::evaluate(plan, self.0, &mut S::stages(plan), &mut record);
            (answer, record)
        }
    }

    schemes::with_scheme(plan, Recording(inputs))
}

/// The signals of a unit that traces show.
pub fn signals(unit: &Unit) -> Vec<Signal> {
    without_values(record_of_zeros(unit).signals)
}

/// The signals of each operation of a unit that rounds several.
pub fn operation_signals(unit: &Unit) -> Vec<Vec<Signal>> {
    record_of_zeros(unit).operations.into_iter().map(without_values).collect()
}

fn record_of_zeros(unit: &Unit) -> Record<Word1024> {
    let (operands, scales) = (vec![0; unit.products as usize], vec![0; unit.scale_count() as usize]);
    let zeros = Inputs { a: &operands, b: &operands, c: 0, scale_a: &scales, scale_b: &scales };
    record(&Plan::of(unit), zeros).1
}

fn without_values<W>(recorded: Vec<Recorded<W>>) -> Vec<Signal> {
    shown(recorded).into_iter().map(|(signal, _)| signal).collect()
}
