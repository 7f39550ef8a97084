//! The order in which lookup tables are computed: such that few values wait at a time.

use super::allocate::REGISTERS;
use super::circuit::{Circuit, Lut, Value};

/// Values that are taken to be in registers: those used last. Two registers are left for what is computed.
const RECENT: usize = REGISTERS - 2;
/// Tables that are looked at of those that read a recent value.
const READERS: usize = 8;

/// What a value is worth that is needed no more.
const ENDS: i32 = 8;
/// What the circuit's own order is worth: less than a value that ends.
const OWN: i32 = 6;

/// The circuit with its tables in another order. The next one is, of those that read a recent value and have all their
/// operands, the one after which most values are needed no more; where none ends any, the next of the circuit's own order.
pub fn ordered(circuit: &Circuit) -> Circuit {
    let mut order = Order::new(circuit);
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

struct Order<'a> {
    circuit: &'a Circuit,
    /// Tables that still read a value, in the circuit's order.
    readers: Vec<Vec<Value>>,
    /// Operands of a table that are still to be computed.
    missing: Vec<usize>,
    /// The value used last comes last.
    recent: Vec<Value>,
    is_recent: Vec<bool>,
    placed: Vec<bool>,
    order: Vec<Value>,
}

impl Order<'_> {
    fn new(circuit: &Circuit) -> Order<'_> {
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
        Order { circuit, readers, missing, recent: Vec::new(), is_recent, placed, order: Vec::new() }
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

    /// How good a table is to come next: for every value that it ends, and a little for operands in registers. One operand
    /// may lie in memory.
    fn gain(&self, value: Value) -> i32 {
        let (mut gain, mut in_memory) = (0, 0);
        for operand in self.lut(value).support() {
            let operand = operand as usize;
            gain += if self.readers[operand].len() == 1 { ENDS } else { 0 };
            if self.is_recent[operand] { gain += 1 } else { in_memory += 1 }
        }
        gain - 2 * (in_memory - 1).max(0)
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
        if self.recent.len() > RECENT {
            let oldest = self.recent.len() - RECENT;
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
