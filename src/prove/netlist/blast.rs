//! Functions of a netlist as graphs: each asked bit is traced back to inputs, or to nets that were given values before.

use std::collections::{BTreeSet, HashMap};

use super::cells::{Kind, Operands, compute};
use super::{Bit, Driver, Netlist, NetlistError};
use crate::prove::aig::{Aig, Bits, Literal};

/// Traces bits back. Nets with given values are not looked behind.
pub struct Blaster<'n> {
    netlist: &'n Netlist,
    known: HashMap<u32, Literal>,
    /// Cells that were looked at.
    pub visited: BTreeSet<usize>,
    /// Nets whose values were asked for.
    pub asked: BTreeSet<u32>,
}

impl<'n> Blaster<'n> {
    pub fn new(netlist: &'n Netlist) -> Blaster<'n> {
        Blaster { netlist, known: HashMap::new(), visited: BTreeSet::new(), asked: BTreeSet::new() }
    }

    /// Gives bits values: their drivers no longer count. Where a bit had another value before, the two are returned: they
    /// are equal.
    pub fn give(&mut self, bits: &[Bit], values: &[Literal]) -> Vec<(Literal, Literal)> {
        let mut equal = Vec::new();
        for (&bit, &value) in bits.iter().zip(values) {
            let old = match self.netlist.resolve(bit) {
                Bit::Net(net) => self.known.insert(net, value),
                Bit::Zero => Some(Literal::FALSE),
                Bit::One => Some(Literal::TRUE),
                Bit::Undefined => None,
            };
            equal.extend(old.filter(|old| *old != value).map(|old| (old, value)));
        }
        equal
    }

    /// The functions of some bits.
    ///
    /// # Errors
    /// A bit has no driver or no defined value, or depends on itself.
    pub fn bits(&mut self, aig: &mut Aig, bits: &[Bit]) -> Result<Bits, NetlistError> {
        bits.iter().map(|&bit| self.bit(aig, bit)).collect()
    }

    fn bit(&mut self, aig: &mut Aig, bit: Bit) -> Result<Literal, NetlistError> {
        let wrong = |what: &str| NetlistError::Function { place: "netlist".to_owned(), what: what.to_owned() };
        let net = match self.netlist.resolve(bit) {
            Bit::Zero => return Ok(Literal::FALSE),
            Bit::One => return Ok(Literal::TRUE),
            Bit::Undefined => return Err(wrong("an undefined bit (x or z) is used")),
            Bit::Net(net) => net,
        };
        self.asked.insert(net);
        if let Some(&known) = self.known.get(&net) {
            return Ok(known);
        }
        match self.netlist.drivers[net as usize] {
            Driver::Cell { cell, .. } => self.cell(aig, cell as usize)?,
            Driver::Input => return Err(wrong("an input of the module was given no value")),
            Driver::Nothing | Driver::Wire(_) => return Err(wrong("a net has no driver")),
        }
        self.known.get(&net).copied().ok_or_else(|| wrong("a cell does not drive its own net"))
    }

    /// Computes a cell's result; its operands first.
    fn cell(&mut self, aig: &mut Aig, index: usize) -> Result<(), NetlistError> {
        let cell = &self.netlist.cells[index];
        let fails = |what: &str| NetlistError::Function { place: cell.source.clone(), what: what.to_owned() };
        if !self.visited.insert(index) {
            // All results of a cell become known at once; one that is asked for while its operands are traced is a loop.
            return Err(fails("the operator depends on its own result, or was given in part"));
        }
        if cell.kind == Kind::Register {
            return Err(fails("there is a register"));
        }
        if cell.kind == Kind::Index {
            return Err(fails("a place in a word is computed"));
        }
        if cell.kind == Kind::Choose {
            return Err(fails("one of several words is chosen"));
        }
        let operands = Operands {
            a: self.bits(aig, &cell.a)?,
            b: self.bits(aig, &cell.b)?,
            select: self.bits(aig, &cell.select)?,
            signed: cell.signed,
        };
        let result = compute(aig, cell.kind, &operands, cell.result.len());
        for (&bit, value) in cell.result.iter().zip(result) {
            if let Bit::Net(net) = bit {
                self.known.entry(net).or_insert(value);
            }
        }
        Ok(())
    }
}
