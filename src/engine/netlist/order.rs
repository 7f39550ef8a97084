//! The order in which lookup tables are computed: such that few values wait at a time.

use super::circuit::{Circuit, Lut, Output, Value};
use super::mode::Mode;

/// Tables that are looked at of those that read a recent value.
const READERS: usize = 8;

/// What a value is worth that is needed no more; an operand in a register is worth 1.
const ENDS: i32 = 4;
/// What it is worth to be the next table depth first: less than a value that ends.
const OWN: i32 = 3;

/// The circuit with its tables in another order. The next one is, of those that read a recent value and have all their
/// operands, the one after which most values are needed no more; where none ends any, the next one depth first.
pub fn ordered(circuit: &Circuit, mode: Mode) -> Circuit {
    let circuit = &circuit.reordered(&depth_first(circuit));
    let mut order = Order::new(circuit, mode);
    let mut own = circuit.inputs..circuit.inputs + circuit.luts.len() as Value;
    let mut next = own.next();
    while let Some(value) = next {
        match order.placed[value as usize] {
            true => next = own.next(),
            false => order.place(order.best(value)),
        }
    }
    circuit.reordered(&order.order)
}

/// Tables after their operands, of which the deepest comes first, much as Sethi and Ullman (1970) have it.
fn depth_first(circuit: &Circuit) -> Vec<Value> {
    let tables = circuit.inputs..circuit.inputs + circuit.luts.len() as Value;
    let mut depths = vec![0; tables.end as usize];
    let mut placed = vec![true; circuit.inputs as usize];
    placed.resize(tables.end as usize, false);
    for (value, lut) in tables.clone().zip(&circuit.luts) {
        depths[value as usize] = 1 + lut.support().map(|operand| depths[operand as usize]).max().unwrap_or(0);
    }
    let outputs = circuit.outputs.iter().filter_map(|output| match *output {
        Output::Value(value) => Some(value),
        _ => None,
    });
    let mut order = Vec::new();
    for root in outputs.chain(tables) {
        let mut waiting = vec![root];
        while let Some(&value) = waiting.last() {
            let lut = circuit.lut(value).filter(|_| !placed[value as usize]);
            let mut missing: Vec<Value> = lut.into_iter().flat_map(Lut::support).collect();
            missing.retain(|&operand| !placed[operand as usize]);
            if missing.is_empty() {
                order.extend(lut.map(|_| value));
                placed[value as usize] = true;
                waiting.pop();
            }
            // The last one comes next.
            missing.reverse();
            missing.sort_by_key(|&operand| depths[operand as usize]);
            waiting.extend(missing);
        }
    }
    order
}

struct Order<'a> {
    circuit: &'a Circuit,
    /// Tables that still read a value, in the circuit's order.
    readers: Vec<Vec<Value>>,
    /// Operands of a table that are still to be computed.
    missing: Vec<usize>,
    /// The value used last comes last.
    recent: Vec<Value>,
    /// Values that are taken to be in registers: so many that were used last.
    kept: usize,
    is_recent: Vec<bool>,
    placed: Vec<bool>,
    order: Vec<Value>,
}

impl Order<'_> {
    fn new(circuit: &Circuit, mode: Mode) -> Order<'_> {
        let values = circuit.inputs as usize + circuit.luts.len();
        let mut readers = vec![Vec::new(); values];
        let mut missing = vec![0; values];
        for (value, lut) in (circuit.inputs..).zip(&circuit.luts) {
            for operand in lut.support() {
                readers[operand as usize].push(value);
                missing[value as usize] += usize::from(operand >= circuit.inputs);
            }
        }
        let (is_recent, placed) = (vec![false; values], vec![false; values]);
        // Two registers are left for what is computed.
        let kept = mode.registers() - 2;
        Order { circuit, readers, missing, recent: Vec::new(), kept, is_recent, placed, order: Vec::new() }
    }

    fn lut(&self, value: Value) -> &Lut {
        self.circuit.lut(value).expect("readers are tables")
    }

    /// The table to compute next; `own` is the next one of the circuit's order.
    fn best(&self, own: Value) -> Value {
        let mut best = (self.gain(own) + OWN, own);
        for &recent in &self.recent {
            for &reader in self.readers[recent as usize].iter().take(READERS) {
                let gain = self.gain(reader);
                if self.missing[reader as usize] == 0 && (gain > best.0 || gain == best.0 && reader < best.1) {
                    best = (gain, reader);
                }
            }
        }
        best.1
    }

    /// How good a table is to come next: for every value that it ends, and a little for operands in registers.
    fn gain(&self, value: Value) -> i32 {
        let worth = |operand: Value| {
            let ends = self.readers[operand as usize].len() == 1;
            i32::from(ends) * ENDS + i32::from(self.is_recent[operand as usize])
        };
        self.lut(value).support().map(worth).sum()
    }

    fn place(&mut self, value: Value) {
        self.placed[value as usize] = true;
        self.order.push(value);
        let support: Vec<Value> = self.lut(value).support().collect();
        for operand in support {
            self.readers[operand as usize].retain(|reader| *reader != value);
            self.recent.retain(|recent| *recent != operand);
            self.use_now(operand);
        }
        for index in 0..self.readers[value as usize].len() {
            let reader = self.readers[value as usize][index];
            self.missing[reader as usize] -= 1;
        }
        self.use_now(value);
        if self.recent.len() > self.kept {
            let oldest = self.recent.len() - self.kept;
            self.recent.drain(..oldest).for_each(|value| self.is_recent[value as usize] = false);
        }
    }

    /// A value in a register, as long as it has readers.
    fn use_now(&mut self, value: Value) {
        let has_readers = !self.readers[value as usize].is_empty();
        self.is_recent[value as usize] = has_readers;
        if has_readers {
            self.recent.push(value);
        }
    }
}
