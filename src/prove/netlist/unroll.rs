//! Functions of a clocked netlist at a clock: each asked bit is traced back to inputs, through a register to the clock before.
//!
//! What nothing gives is a free variable: an input that is not driven, what a register holds before the first clock, an
//! undefined bit. Nothing is guessed, so that what is proved holds whatever their values are.

use std::collections::{HashMap, HashSet};

use super::cells::{Kind, Operands, chosen, compute, indexed};
use super::{Bit, Cell, Driver, Netlist, NetlistError};
use crate::prove::aig::{Aig, Bits, Literal, Word};

/// A free variable that no one gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loose {
    pub literal: Literal,
    /// What it is, for people.
    pub what: String,
    /// Whether it has no value of its own: undefined bits and nets that nothing drives, which no result should show.
    pub undefined: bool,
}

/// A netlist over clocks that are counted from 0; every register takes its value at the end of a clock.
pub struct Unrolled<'n> {
    netlist: &'n Netlist,
    clock: Option<u32>,
    /// Values of nets at clocks.
    known: HashMap<(u32, u32), Literal>,
    /// Inputs at clocks at which no other value is given.
    usual: HashMap<u32, Literal>,
    /// In the order in which they were met.
    pub loose: Vec<Loose>,
    /// Nets of registers that were looked at.
    pub registers: HashSet<u32>,
}

/// What tracing a net at a clock comes to.
enum Step {
    Value(Literal),
    Waits(Vec<(Bit, u32)>),
    /// All operands of its cell are there.
    Cell(usize),
}

/// Bits that a register's next value hangs on: found, or to be found first.
type Found = Result<Literal, Vec<(Bit, u32)>>;

impl<'n> Unrolled<'n> {
    /// Registers have to take their values at the rising edge of that input, if there is one.
    pub fn new(netlist: &'n Netlist, clock: Option<Bit>) -> Unrolled<'n> {
        let clock = clock.and_then(|bit| match netlist.resolve(bit) {
            Bit::Net(net) => Some(net),
            _ => None,
        });
        Unrolled {
            netlist,
            clock,
            known: HashMap::new(),
            usual: HashMap::new(),
            loose: Vec::new(),
            registers: HashSet::new(),
        }
    }

    /// Gives bits values at one clock, or at all at which they get no other.
    pub fn give(&mut self, bits: &[Bit], clock: Option<u32>, values: &[Literal]) {
        for (&bit, &value) in bits.iter().zip(values) {
            let Bit::Net(net) = self.netlist.resolve(bit) else { continue };
            match clock {
                Some(clock) => self.known.insert((net, clock), value),
                None => self.usual.insert(net, value),
            };
        }
    }

    /// The functions of some bits at a clock.
    ///
    /// # Errors
    /// A register has another clock, or is reset or written in a way that is not known here, or a bit depends on itself.
    pub fn bits(&mut self, aig: &mut Aig, bits: &[Bit], clock: u32) -> Result<Bits, NetlistError> {
        bits.iter().map(|&bit| self.bit(aig, bit, clock)).collect()
    }

    fn bit(&mut self, aig: &mut Aig, bit: Bit, clock: u32) -> Result<Literal, NetlistError> {
        let mut waiting = vec![(bit, clock)];
        let mut open = HashSet::new();
        while let Some(&(bit, clock)) = waiting.last() {
            if self.value(bit, clock).is_some() {
                waiting.pop();
                continue;
            }
            let Bit::Net(net) = self.netlist.resolve(bit) else {
                return Err(self.wrong("an undefined bit (x or z) is used"));
            };
            match self.step(aig, net, clock)? {
                Step::Value(value) => {
                    self.known.insert((net, clock), value);
                }
                Step::Cell(cell) => self.compute(aig, cell, clock),
                Step::Waits(missing) => {
                    open.insert((net, clock));
                    let waits = |(bit, clock): &(Bit, u32)| match self.netlist.resolve(*bit) {
                        Bit::Net(net) => open.contains(&(net, *clock)),
                        _ => false,
                    };
                    if missing.iter().any(waits) {
                        return Err(self.at(net, "a value depends on itself within a clock, or is a latch"));
                    }
                    waiting.extend(missing);
                }
            }
        }
        self.value(bit, clock).ok_or_else(|| self.wrong("a bit has no value"))
    }

    /// A bit's value, if it is known.
    fn value(&self, bit: Bit, clock: u32) -> Option<Literal> {
        match self.netlist.resolve(bit) {
            Bit::Zero => Some(Literal::FALSE),
            Bit::One => Some(Literal::TRUE),
            Bit::Net(net) => self.known.get(&(net, clock)).copied(),
            Bit::Undefined => None,
        }
    }

    fn wrong(&self, what: &str) -> NetlistError {
        NetlistError::Function { place: "netlist".to_owned(), what: what.to_owned() }
    }

    /// That something is wrong with the cell that drives a net.
    fn at(&self, net: u32, what: &str) -> NetlistError {
        let cell = self.netlist.cell_of(Bit::Net(net)).map(|(cell, _)| &self.netlist.cells[cell]);
        let place = cell.map_or("netlist".to_owned(), |cell| cell.source.clone());
        NetlistError::Function { place, what: what.to_owned() }
    }

    fn loosen(&mut self, aig: &mut Aig, what: String, undefined: bool) -> Literal {
        let literal = aig.input();
        self.loose.push(Loose { literal, what, undefined });
        literal
    }

    fn step(&mut self, aig: &mut Aig, net: u32, clock: u32) -> Result<Step, NetlistError> {
        let (index, place) = match self.netlist.drivers[net as usize] {
            Driver::Cell { cell, bit } => (cell as usize, bit as usize),
            Driver::Input => {
                let usual = self.usual.get(&net).copied();
                let value = usual.unwrap_or_else(|| self.loosen(aig, self.input(net, clock), false));
                return Ok(Step::Value(value));
            }
            Driver::Nothing | Driver::Wire(_) => {
                let what = format!("{}, which nothing drives, at clock {clock}", self.name(net));
                return Ok(Step::Value(self.loosen(aig, what, true)));
            }
        };
        let cell = &self.netlist.cells[index];
        if cell.kind == Kind::Register {
            return self.register(aig, cell, net, place, clock);
        }
        if cell.kind == Kind::Select
            && let Some(select) = self.value(cell.select[0], clock)
            && select.is_constant()
        {
            // Only the chosen side is looked behind.
            let chosen = if select == Literal::TRUE { cell.b[place] } else { cell.a[place] };
            let value = self.value(chosen, clock);
            return Ok(value.map_or_else(|| Step::Waits(vec![(chosen, clock)]), Step::Value));
        }
        if cell.kind == Kind::Choose {
            return Ok(self.choose(aig, cell, place, clock));
        }
        let first = match cell.kind {
            Kind::Select => self.missing(&cell.select, clock),
            _ => Vec::new(),
        };
        let operands = cell.a.iter().chain(&cell.b).chain(&cell.select).copied().collect::<Vec<_>>();
        let missing = if first.is_empty() { self.missing(&operands, clock) } else { first };
        Ok(if missing.is_empty() { Step::Cell(index) } else { Step::Waits(missing) })
    }

    /// A bit of a chosen word; nothing is looked behind that cannot be chosen.
    fn choose(&mut self, aig: &mut Aig, cell: &Cell, place: usize, clock: u32) -> Step {
        let missing = self.missing(&cell.select, clock);
        if !missing.is_empty() {
            return Step::Waits(missing);
        }
        let select: Bits = cell.select.iter().filter_map(|&bit| self.value(bit, clock)).collect();
        let width = cell.result.len();
        let words = cell.b.iter().skip(place).step_by(width).copied();
        let (select, mut bits): (Bits, Vec<Bit>) =
            select.into_iter().zip(words).filter(|(select, _)| *select != Literal::FALSE).unzip();
        let is_sure = select.contains(&Literal::TRUE);
        bits.extend(cell.a.get(place).filter(|_| !is_sure));
        let missing = self.missing(&bits, clock);
        if !missing.is_empty() {
            return Step::Waits(missing);
        }
        let mut values = bits.iter().filter_map(|&bit| self.value(bit, clock));
        let choices: Vec<(Literal, Literal)> = select.into_iter().zip(values.by_ref()).collect();
        let other = values.next().unwrap_or(Literal::FALSE);
        let (value, is_defined) = chosen(aig, other, &choices);
        let what = || format!("which of several cases is taken in {}", cell.source);
        Step::Value(self.defined(aig, value, is_defined, what))
    }

    fn missing(&self, bits: &[Bit], clock: u32) -> Vec<(Bit, u32)> {
        bits.iter().filter(|&&bit| self.value(bit, clock).is_none()).map(|&bit| (bit, clock)).collect()
    }

    fn input(&self, net: u32, clock: u32) -> String {
        format!("{} at clock {clock}", self.name(net))
    }

    /// The name of a net that drives others, or a number where it has none.
    fn name(&self, net: u32) -> String {
        let named = self.netlist.signals.iter().filter(|(_, bits)| bits.contains(&Bit::Net(net)));
        named.map(|(name, _)| name.clone()).min().unwrap_or_else(|| format!("net {net}"))
    }

    fn compute(&mut self, aig: &mut Aig, index: usize, clock: u32) {
        let cell = &self.netlist.cells[index];
        let read = |bits: &[Bit]| bits.iter().filter_map(|&bit| self.value(bit, clock)).collect::<Bits>();
        let operands = Operands { a: read(&cell.a), b: read(&cell.b), select: read(&cell.select), signed: cell.signed };
        let values = match cell.kind {
            Kind::Index => {
                let place = Word { bits: operands.b, signed: parameter(cell, "B_SIGNED") };
                let found = indexed(aig, &operands.a, &place, cell.result.len());
                let what = || format!("what lies outside of the word in {}", cell.source);
                found.into_iter().map(|(value, inside)| self.defined(aig, value, inside, what)).collect()
            }
            kind => compute(aig, kind, &operands, cell.result.len()),
        };
        for (&bit, value) in cell.result.iter().zip(values) {
            if let Bit::Net(net) = bit {
                self.known.entry((net, clock)).or_insert(value);
            }
        }
    }

    /// A value where it is defined, and a free one elsewhere.
    fn defined(&mut self, aig: &mut Aig, value: Literal, inside: Literal, what: impl FnOnce() -> String) -> Literal {
        if inside == Literal::TRUE {
            return value;
        }
        let other = self.loosen(aig, what(), true);
        aig.select(inside, value, other)
    }

    /// What a register holds at a clock.
    fn register(
        &mut self,
        aig: &mut Aig,
        cell: &Cell,
        net: u32,
        place: usize,
        clock: u32,
    ) -> Result<Step, NetlistError> {
        self.registers.insert(net);
        if !self.is_clock(control(cell, "CLK"), parameter(cell, "CLK_POLARITY")) {
            return Err(self.at(net, "a register takes its value at another edge than the design's clock has"));
        }
        if ["EN", "SRST"].iter().any(|name| !control(cell, name).is_empty()) {
            return Err(self.at(net, "a register has an enable or a reset that was not made plain"));
        }
        if !control(cell, "ARST").is_empty() && !matches!(digit(cell, place), Some(b'0' | b'1')) {
            return Err(self.at(net, "a register is reset to an undefined value"));
        }
        let found = self.held(aig, cell, place, clock);
        Ok(match found {
            Ok(value) => Step::Value(value),
            Err(missing) if missing.is_empty() => {
                let what = format!("what {} holds before clock {clock}", self.name(net));
                Step::Value(self.loosen(aig, what, false))
            }
            Err(missing) => Step::Waits(missing),
        })
    }

    /// The value, or what has to be known first; nothing of what a register holds before the first clock.
    fn held(&self, aig: &mut Aig, cell: &Cell, place: usize, clock: u32) -> Found {
        let active = self.reset(cell, clock)?;
        let value = Literal::constant(digit(cell, place) == Some(b'1'));
        if active == Literal::TRUE {
            return Ok(value);
        }
        let Some(before) = clock.checked_sub(1) else { return Err(Vec::new()) };
        let was_active = self.reset(cell, before)?;
        if was_active == Literal::TRUE {
            return Ok(value);
        }
        let taken = self.value(cell.a[place], before).ok_or_else(|| vec![(cell.a[place], before)])?;
        let active = aig.or(active, was_active);
        Ok(aig.select(active, value, taken))
    }

    /// Whether a reset that needs no edge is active; where the register has none it is not.
    fn reset(&self, cell: &Cell, clock: u32) -> Found {
        let Some(&bit) = control(cell, "ARST").first() else { return Ok(Literal::FALSE) };
        let value = self.value(bit, clock).ok_or_else(|| vec![(bit, clock)])?;
        Ok(value.invert_if(!parameter(cell, "ARST_POLARITY")))
    }

    /// Whether a bit is the design's clock, or its inverse where the register takes falling edges.
    fn is_clock(&self, bits: &[Bit], rising: bool) -> bool {
        let (Some(clock), [bit]) = (self.clock, bits) else { return false };
        let (mut bit, mut rising) = (self.netlist.resolve(*bit), rising);
        for _ in 0..self.netlist.cells.len() {
            match self.netlist.cell_of(bit).map(|(cell, _)| &self.netlist.cells[cell]) {
                Some(cell) if cell.a.len() == 1 && matches!(cell.kind, Kind::Not | Kind::LogicNot | Kind::Extend) => {
                    rising ^= cell.kind != Kind::Extend;
                    bit = self.netlist.resolve(cell.a[0]);
                }
                _ => break,
            }
        }
        bit == Bit::Net(clock) && rising
    }
}

fn parameter(cell: &Cell, name: &str) -> bool {
    cell.parameters.iter().any(|(known, value)| known == name && value.ends_with('1'))
}

/// The digit of a bit that a register is reset to; the parameter has the highest one first.
fn digit(cell: &Cell, place: usize) -> Option<u8> {
    let value = cell.parameters.iter().find(|(known, _)| known == "ARST_VALUE").map(|(_, value)| value)?;
    value.bytes().rev().nth(place)
}

fn control<'c>(cell: &'c Cell, name: &str) -> &'c [Bit] {
    cell.controls.iter().find(|(control, _)| control == name).map_or(&[], |(_, bits)| bits)
}

/// A netlist whose undefined bits (x or z) are nets that nothing drives.
pub fn with_loose_bits(mut netlist: Netlist) -> Netlist {
    let Netlist { cells, drivers, outputs, .. } = &mut netlist;
    let mut define = |bit: &mut Bit| {
        if *bit == Bit::Undefined {
            drivers.push(Driver::Nothing);
            *bit = Bit::Net(drivers.len() as u32 - 1);
        }
    };
    for cell in cells {
        cell.a.iter_mut().chain(&mut cell.b).chain(&mut cell.select).for_each(&mut define);
    }
    outputs.iter_mut().flat_map(|(_, bits)| bits).for_each(&mut define);
    netlist
}
