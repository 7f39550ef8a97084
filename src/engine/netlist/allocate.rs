//! A circuit as steps of a machine of some registers and a memory of planes.
//!
//! A step `Lut` of three operands overwrites its first, as VPTERNLOGQ does; its last may lie in memory where the machine can
//! read it there. A value that no register has room for goes to memory, the one that is needed last first (Belady); one that
//! lies there already is only dropped.

use super::circuit::{Circuit, Output, Value, depends, permuted};
use super::mode::{Mode, gates};

/// Where an operand lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Register(u8),
    /// A plane of the memory, by its number.
    Memory(u32),
}

/// One instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Move {
        to: u8,
        from: Place,
    },
    Store {
        to: u32,
        from: u8,
    },
    /// Bit `4 x + 2 y + z` of the table, where x is what `to` held, y is `second` and z is `third`.
    Lut {
        table: u8,
        to: u8,
        second: u8,
        third: Place,
    },
}

/// Steps, and the planes that they use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    pub steps: Vec<Step>,
    /// The inputs come first, then the outputs, then values that no register has room for.
    pub planes: u32,
    /// Planes of constant outputs, which no step writes, and their bits.
    pub constants: Vec<(u32, bool)>,
}

impl Program {
    /// Whether every step keeps to the registers and the planes that there are.
    pub fn is_within_bounds(&self, mode: Mode) -> bool {
        let register = |number: u8| usize::from(number) < mode.registers();
        let plane = |number: u32| number < self.planes;
        let place = |place: Place| match place {
            Place::Register(number) => register(number),
            Place::Memory(number) => plane(number),
        };
        self.steps.iter().all(|step| match *step {
            Step::Move { to, from } => register(to) && place(from),
            Step::Store { to, from } => plane(to) && register(from),
            Step::Lut { to, second, third, .. } => register(to) && register(second) && place(third),
        })
    }
}

/// The steps of a circuit in its own order, for a machine that has each of its tables as a step.
pub fn allocate(circuit: &Circuit, mode: Mode) -> Program {
    let mut machine = Machine::new(circuit, mode);
    for (index, lut) in circuit.luts.iter().enumerate() {
        machine.lut(circuit.inputs + index as Value, lut.table, lut.inputs);
    }
    for (index, output) in circuit.outputs.iter().enumerate() {
        // Results were stored when they were computed; inputs that are outputs are still to be copied.
        if let Output::Value(value) = *output
            && value < circuit.inputs
        {
            machine.steps.push(Step::Move { to: 0, from: Place::Memory(value) });
            machine.steps.push(Step::Store { to: circuit.inputs + index as u32, from: 0 });
        }
    }
    let constant = |(plane, output): (u32, &Output)| match *output {
        Output::Constant(value) => Some((plane, value)),
        Output::Value(_) => None,
    };
    let constants = (circuit.inputs..).zip(&circuit.outputs).filter_map(constant).collect();
    Program { steps: machine.steps, planes: machine.planes, constants }
}

const NEVER: u32 = u32::MAX;

struct Machine {
    mode: Mode,
    /// What each register holds.
    held: Vec<Option<Value>>,
    /// Where a value is.
    register: Vec<Option<u8>>,
    slot: Vec<Option<u32>>,
    /// Places of the tables that read a value, the next one last.
    uses: Vec<Vec<u32>>,
    /// Planes of outputs by their values.
    outputs: Vec<Vec<u32>>,
    first_spill: u32,
    free_slots: Vec<u32>,
    planes: u32,
    steps: Vec<Step>,
}

impl Machine {
    fn new(circuit: &Circuit, mode: Mode) -> Machine {
        let values = circuit.inputs as usize + circuit.luts.len();
        let mut uses = vec![Vec::new(); values];
        for (place, lut) in circuit.luts.iter().enumerate().rev() {
            for value in operands(lut.table, lut.inputs) {
                uses[value as usize].push(place as u32);
            }
        }
        let mut outputs = vec![Vec::new(); values];
        for (index, output) in circuit.outputs.iter().enumerate() {
            if let Output::Value(value) = output {
                outputs[*value as usize].push(circuit.inputs + index as u32);
            }
        }
        let first_spill = circuit.inputs + circuit.outputs.len() as u32;
        let slot = (0..values as u32).map(|value| (value < circuit.inputs).then_some(value)).collect();
        Machine {
            mode,
            held: vec![None; mode.registers()],
            register: vec![None; values],
            slot,
            uses,
            outputs,
            first_spill,
            free_slots: Vec::new(),
            planes: first_spill,
            steps: Vec::new(),
        }
    }

    fn next_use(&self, value: Value) -> u32 {
        self.uses[value as usize].last().copied().unwrap_or(NEVER)
    }

    fn register_of(&self, value: Value) -> Option<u8> {
        self.register[value as usize]
    }

    fn is_dead(&self, value: Value) -> bool {
        self.next_use(value) == NEVER
    }

    fn place_of(&self, value: Value) -> Place {
        let in_memory = || Place::Memory(self.slot[value as usize].expect("a value is in a register or in memory"));
        self.register_of(value).map_or_else(in_memory, Place::Register)
    }

    /// A register for a new value: a free one, or that of the value that is needed last, which is stored if it must be.
    /// Registers of `kept` values stay.
    fn room(&mut self, kept: &[Value]) -> u8 {
        if let Some(free) = self.held.iter().position(Option::is_none) {
            return free as u8;
        }
        let candidates = self.held.iter().flatten().filter(|value| !kept.contains(value));
        let last = *candidates.max_by_key(|value| self.next_use(**value)).expect("three operands leave registers");
        self.evict(last)
    }

    fn evict(&mut self, value: Value) -> u8 {
        let register = self.register[value as usize].take().expect("it has a register");
        self.held[register as usize] = None;
        if !self.is_dead(value) && self.slot[value as usize].is_none() {
            let slot = self.free_slots.pop().unwrap_or_else(|| {
                self.planes += 1;
                self.planes - 1
            });
            self.slot[value as usize] = Some(slot);
            self.steps.push(Step::Store { to: slot, from: register });
        }
        register
    }

    /// Loads a value, which stays in memory too.
    fn load(&mut self, value: Value, kept: &[Value]) -> u8 {
        let to = self.room(kept);
        self.steps.push(Step::Move { to, from: self.place_of(value) });
        self.held[to as usize] = Some(value);
        self.register[value as usize] = Some(to);
        to
    }

    fn lut(&mut self, value: Value, table: u8, inputs: [Value; 3]) {
        let read = operands(table, inputs);
        for &operand in &read {
            self.uses[operand as usize].pop();
        }
        let to = if depends(table, 0) { self.three(table, inputs) } else { self.two(table, inputs[1], inputs[2]) };
        for &operand in &read {
            if self.is_dead(operand) {
                self.release(operand, to);
            }
        }
        self.held[to as usize] = Some(value);
        self.register[value as usize] = Some(to);
        for &plane in &self.outputs[value as usize] {
            self.steps.push(Step::Store { to: plane, from: to });
            self.slot[value as usize] = Some(plane);
        }
        if self.is_dead(value) {
            self.register[value as usize] = None;
            self.held[to as usize] = None;
        }
    }

    /// Frees what a value has that nobody needs any more; register `to` has a new one already.
    fn release(&mut self, value: Value, to: u8) {
        if let Some(register) = self.register[value as usize].take()
            && register != to
        {
            self.held[register as usize] = None;
        }
        if let Some(slot) = self.slot[value as usize].take()
            && slot >= self.first_spill
        {
            self.free_slots.push(slot);
        }
    }

    /// A table that reads all its inputs, which differ.
    fn three(&mut self, table: u8, inputs: [Value; 3]) -> u8 {
        let mut order = [0, 1, 2];
        // Those in registers first; of those in memory the one that is needed soonest first.
        order.sort_by_key(|&input| (self.register_of(inputs[input]).is_none(), self.next_use(inputs[input])));
        let in_registers = inputs.iter().filter(|input| self.register_of(**input).is_some()).count();
        let in_registers = match self.mode.reads_memory() {
            true => in_registers,
            false => {
                for &input in &order[in_registers..] {
                    self.load(inputs[input], &inputs);
                }
                3
            }
        };
        if in_registers == 0 {
            self.load(inputs[order[0]], &inputs);
        }
        // With two operands in registers and one in memory, or all in registers, one that nobody needs later is overwritten.
        let last_in_register = if in_registers == 3 { 3 } else { 2 };
        let overwritten =
            order[..last_in_register].iter().copied().find(|&input| in_registers >= 2 && self.is_dead(inputs[input]));
        let (first, to) = match overwritten {
            Some(input) => (input, self.register_of(inputs[input]).expect("it is in a register")),
            None => {
                // A copy is overwritten instead: of one in memory if there is one, which then needs no other operand there.
                let input = if in_registers < 3 { order[if in_registers == 2 { 2 } else { 1 }] } else { order[0] };
                let from = self.place_of(inputs[input]);
                let to = self.room(&inputs);
                self.steps.push(Step::Move { to, from });
                (input, to)
            }
        };
        let mut others: Vec<usize> = order.into_iter().filter(|&input| input != first).collect();
        others.sort_by_key(|&input| self.register_of(inputs[input]).is_none());
        let Place::Register(second) = self.place_of(inputs[others[0]]) else {
            unreachable!("one operand is in a register")
        };
        let third = self.place_of(inputs[others[1]]);
        let table = permuted(table, [first, others[0], others[1]]);
        self.replace(to);
        self.steps.push(Step::Lut { table, to, second, third });
        to
    }

    /// A table that reads y and z alone, or z alone, which then is y too.
    fn two(&mut self, table: u8, y: Value, z: Value) -> u8 {
        // What only the first may be is inverted there; the others may change places.
        let inverts = !self.mode.has_all_tables() && table != permuted(table, [0, 2, 1]);
        let swap = match inverts {
            true => table == gates::AND_NOT,
            false => self.register_of(y).is_none() && self.register_of(z).is_some(),
        };
        let (table, y, z) = if swap { (permuted(table, [0, 2, 1]), z, y) } else { (table, y, z) };
        let second = self.register_of(y).unwrap_or_else(|| self.load(y, &[y, z]));
        if !self.mode.reads_memory() && self.register_of(z).is_none() {
            self.load(z, &[y, z]);
        }
        let third = self.place_of(z);
        let dead =
            [y, z].into_iter().filter(|&operand| self.is_dead(operand)).find_map(|operand| self.register_of(operand));
        let to = dead.unwrap_or_else(|| self.room(&[y, z]));
        self.replace(to);
        self.steps.push(Step::Lut { table, to, second, third });
        to
    }

    /// Forgets what a register held that is overwritten.
    fn replace(&mut self, to: u8) {
        if let Some(old) = self.held[to as usize].take() {
            self.register[old as usize] = None;
        }
    }
}

/// The values that a table reads, each once.
fn operands(table: u8, inputs: [Value; 3]) -> Vec<Value> {
    let mut read: Vec<Value> = (0..3).filter(|&input| depends(table, input)).map(|input| inputs[input]).collect();
    read.dedup();
    read
}
