//! A circuit of 3-input lookup tables without registers: tables in an order in which each comes after what it reads.
//!
//! Built table by table: constants, inverters, repeated inputs and equal tables are folded while it grows. Knows nothing of
//! Yosys, and nothing of how it is run.

use std::collections::HashMap;

/// A table's or an input's value. Inputs come first, then the tables in their order.
pub type Value = u32;

/// One lookup table: bit `4 x + 2 y + z` of `table` is its value where the inputs are x, y and z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lut {
    pub table: u8,
    /// The values x, y and z. A table that does not depend on x has z there too, and one that depends on z alone has it thrice.
    pub inputs: [Value; 3],
}

/// What an output is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    Constant(bool),
    Value(Value),
}

/// Lookup tables from inputs to outputs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Circuit {
    /// Number of inputs.
    pub inputs: u32,
    pub luts: Vec<Lut>,
    pub outputs: Vec<Output>,
}

/// Columns of a table: where x, y and z are true.
pub const COLUMNS: [u8; 3] = [0xf0, 0xcc, 0xaa];

impl Lut {
    /// The inputs that the table depends on.
    pub fn support(&self) -> impl Iterator<Item = Value> + '_ {
        (0..3).filter(|&input| depends(self.table, input)).map(|input| self.inputs[input])
    }
}

/// Whether a table depends on one of its inputs: 0 for x, 1 for y, 2 for z.
pub fn depends(table: u8, input: usize) -> bool {
    cofactor(table, input, false) != cofactor(table, input, true)
}

/// The table where one input has a fixed value.
pub fn cofactor(table: u8, input: usize, value: bool) -> u8 {
    let (column, shift) = (COLUMNS[input], 4 >> input);
    if value { table & column | (table & column) >> shift } else { table & !column | (table & !column) << shift }
}

/// The table with its inputs in another order: input i of the new one is input `order[i]` of the old one.
pub fn permuted(table: u8, order: [usize; 3]) -> u8 {
    (0..8).fold(0, |new, row| {
        let old = (0..3).fold(0, |old, input| old | (row >> (2 - input) & 1) << (2 - order[input]));
        new | (table >> old & 1) << row
    })
}

/// A value, or its complement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    Constant(bool),
    Value { value: Value, inverted: bool },
}

/// Builds a circuit.
#[derive(Debug, Default)]
pub struct Builder {
    circuit: Circuit,
    known: HashMap<Lut, Value>,
}

impl Builder {
    pub fn new(inputs: u32) -> Builder {
        Builder { circuit: Circuit { inputs, ..Circuit::default() }, known: HashMap::new() }
    }

    /// The value of a table of signals, at most three; bit i of the row number is signal i, as Yosys numbers rows.
    pub fn lut(&mut self, table: u64, signals: &[Signal]) -> Signal {
        match folded(table, signals) {
            Folded::Signal(signal) => signal,
            Folded::Lut { lut, inverted } => {
                let next = self.circuit.inputs + self.circuit.luts.len() as u32;
                let value = *self.known.entry(lut).or_insert(next);
                if value == next {
                    self.circuit.luts.push(lut);
                }
                Signal::Value { value, inverted }
            }
        }
    }

    /// The same where it needs no further table.
    pub fn known(&self, table: u64, signals: &[Signal]) -> Option<Signal> {
        match folded(table, signals) {
            Folded::Signal(signal) => Some(signal),
            Folded::Lut { lut, inverted } => self.known.get(&lut).map(|&value| Signal::Value { value, inverted }),
        }
    }

    /// The circuit with these outputs, where every table is 0 in its first row but inverters, one for each inverted output:
    /// tables that no output needs are left out.
    pub fn finish_plain(mut self, outputs: &[Signal]) -> Circuit {
        let outputs = outputs.iter().map(|signal| match *signal {
            Signal::Constant(value) => Output::Constant(value),
            Signal::Value { value, inverted: false } => Output::Value(value),
            Signal::Value { value, inverted: true } => {
                let lut = Lut { table: !COLUMNS[2], inputs: [value; 3] };
                let next = self.circuit.inputs + self.circuit.luts.len() as u32;
                let inverter = *self.known.entry(lut).or_insert(next);
                if inverter == next {
                    self.circuit.luts.push(lut);
                }
                Output::Value(inverter)
            }
        });
        let outputs: Vec<Output> = outputs.collect();
        Circuit { outputs, ..self.circuit }.swept()
    }

    /// The circuit with these outputs: tables that no output needs are left out.
    pub fn finish(mut self, outputs: &[Signal]) -> Circuit {
        let inputs = self.circuit.inputs;
        let mut inverters: HashMap<Value, Value> = HashMap::new();
        // A table that is needed inverted first is turned over; one that is needed both ways gets an inverter too.
        let mut turned: HashMap<Value, bool> = HashMap::new();
        let luts = &mut self.circuit.luts;
        let outputs = outputs.iter().map(|signal| match *signal {
            Signal::Constant(value) => Output::Constant(value),
            Signal::Value { value, inverted } => {
                let polarity = if value < inputs { false } else { *turned.entry(value).or_insert(inverted) };
                Output::Value(match polarity == inverted {
                    true => value,
                    false => *inverters.entry(value).or_insert_with(|| {
                        luts.push(Lut { table: !COLUMNS[2], inputs: [value; 3] });
                        inputs + luts.len() as u32 - 1
                    }),
                })
            }
        });
        let outputs: Vec<Output> = outputs.collect();
        for (index, lut) in self.circuit.luts.iter_mut().enumerate() {
            // An inverter reads its table as that stands in the end.
            let is_inverter = lut.inputs == [lut.inputs[0]; 3];
            for input in (0..3).filter(|_| !is_inverter) {
                if turned.get(&lut.inputs[input]) == Some(&true) && depends(lut.table, input) {
                    lut.table = swapped(lut.table, input);
                }
            }
            if turned.get(&(inputs + index as u32)) == Some(&true) {
                lut.table = !lut.table;
            }
        }
        Circuit { inputs, luts: self.circuit.luts, outputs }.swept()
    }
}

/// What is left of a table of signals.
enum Folded {
    Signal(Signal),
    /// A table that is 0 in its first row.
    Lut {
        lut: Lut,
        inverted: bool,
    },
}

/// Folds constants, inverters and repeated inputs.
fn folded(table: u64, signals: &[Signal]) -> Folded {
    assert!(signals.len() <= 3, "a lookup table has at most three inputs");
    // Signal 0 is z, the lowest bit of the row.
    let mut inputs: [Option<Value>; 3] = [None; 3];
    let mut rows = (0..8).fold(0, |rows, row| rows | (table >> (row & ((1 << signals.len()) - 1)) & 1) << row) as u8;
    for (index, signal) in signals.iter().enumerate() {
        let input = 2 - index;
        match *signal {
            Signal::Constant(value) => rows = cofactor(rows, input, value),
            Signal::Value { value, inverted } => {
                inputs[input] = Some(value);
                if inverted {
                    rows = swapped(rows, input);
                }
            }
        }
    }
    for (first, second) in [(0, 1), (0, 2), (1, 2)] {
        if inputs[first].is_some() && inputs[first] == inputs[second] {
            rows = merged(rows, first, second);
        }
    }
    without_unused(rows, inputs)
}

/// Drops what a table does not depend on.
fn without_unused(rows: u8, inputs: [Option<Value>; 3]) -> Folded {
    let mut used: Vec<usize> = (0..3).filter(|&input| depends(rows, input)).collect();
    used.sort_by_key(|&input| inputs[input]);
    let free = (0..3).filter(|input| !used.contains(input));
    let order: Vec<usize> = free.chain(used.iter().copied()).collect();
    let mut table = permuted(rows, [order[0], order[1], order[2]]);
    let inverted = table & 1 == 1;
    if inverted {
        table = !table;
    }
    let Some(&last) = used.last() else { return Folded::Signal(Signal::Constant(inverted)) };
    let of = |input: usize| inputs[input].expect("a table depends on inputs that it has");
    if used.len() == 1 {
        return Folded::Signal(Signal::Value { value: of(last), inverted });
    }
    let free = if used.len() == 3 { of(order[0]) } else { of(last) };
    Folded::Lut { lut: Lut { table, inputs: [free, of(order[1]), of(order[2])] }, inverted }
}

/// The table with one input inverted.
fn swapped(table: u8, input: usize) -> u8 {
    let (column, shift) = (COLUMNS[input], 4 >> input);
    (table & column) >> shift | (table & !column) << shift
}

/// The table where the first of two inputs equals the second, and is no longer needed.
fn merged(table: u8, first: usize, second: usize) -> u8 {
    cofactor(table, first, true) & COLUMNS[second] | cofactor(table, first, false) & !COLUMNS[second]
}

impl Circuit {
    /// The lookup table behind a value, unless it is an input.
    pub fn lut(&self, value: Value) -> Option<&Lut> {
        self.luts.get(value.checked_sub(self.inputs)? as usize)
    }

    /// The outputs of 64 vectors, one a bit, straight from the definition: what all other means are compared with.
    pub fn evaluate(&self, inputs: &[u64]) -> Vec<u64> {
        assert_eq!(inputs.len(), self.inputs as usize);
        let mut values = inputs.to_vec();
        for lut in &self.luts {
            let [x, y, z] = lut.inputs.map(|input| values[input as usize]);
            let row = |vector: u32| 4 * (x >> vector & 1) + 2 * (y >> vector & 1) + (z >> vector & 1);
            values.push((0..64).fold(0, |bits, vector| bits | u64::from(lut.table >> row(vector) & 1) << vector));
        }
        let output = |output: &Output| match *output {
            Output::Constant(value) => {
                if value {
                    u64::MAX
                } else {
                    0
                }
            }
            Output::Value(value) => values[value as usize],
        };
        self.outputs.iter().map(output).collect()
    }

    /// Without tables that no output needs.
    fn swept(self) -> Circuit {
        let first = self.inputs as usize;
        let mut needed = vec![false; first + self.luts.len()];
        for output in &self.outputs {
            if let Output::Value(value) = output {
                needed[*value as usize] = true;
            }
        }
        for (index, lut) in self.luts.iter().enumerate().rev() {
            if needed[first + index] {
                lut.inputs.iter().for_each(|&input| needed[input as usize] = true);
            }
        }
        let mut order: Vec<Value> = (0..self.inputs).collect();
        order.extend((first..needed.len()).filter(|&value| needed[value]).map(|value| value as Value));
        self.reordered(&order[first..])
    }

    /// With the tables in another order, and only those: values by their old numbers, each after what it reads.
    pub fn reordered(&self, order: &[Value]) -> Circuit {
        let mut new: Vec<Value> = (0..self.inputs + self.luts.len() as u32).collect();
        for (place, &value) in order.iter().enumerate() {
            new[value as usize] = self.inputs + place as u32;
        }
        let luts = order.iter().filter_map(|&value| self.lut(value));
        let luts = luts.map(|lut| Lut { inputs: lut.inputs.map(|input| new[input as usize]), ..*lut }).collect();
        let outputs = self.outputs.iter().map(|output| match output {
            Output::Value(value) => Output::Value(new[*value as usize]),
            constant => *constant,
        });
        Circuit { inputs: self.inputs, luts, outputs: outputs.collect() }
    }
}
