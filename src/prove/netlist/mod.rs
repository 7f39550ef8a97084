//! What Yosys reads from SystemVerilog, as one flat list of word-level cells with the hierarchy in their names.
//!
//! Yosys parses and elaborates, no more: no cell is mapped or optimised, so that every operator of the text is a cell here.
//! What a cell computes is said by `cells`, bit by bit.

mod blast;
mod cells;
mod flatten;
mod unroll;
mod yosys;

pub use blast::Blaster;
pub use cells::Kind;
pub use unroll::{Loose, Unrolled, with_loose_bits};
pub use yosys::{DesignRead, Frontend, Outside, read, read_design, version};

use std::collections::HashMap;
use std::time::Duration;

use thiserror::Error;

use crate::emit::instance;

/// One bit of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bit {
    Zero,
    One,
    /// `x` or `z`.
    Undefined,
    Net(u32),
}

/// What a net gets its value from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driver {
    Nothing,
    /// An input of the top module.
    Input,
    /// A bit of a cell's result.
    Cell {
        cell: u32,
        bit: u32,
    },
    /// Another net: a port between two modules.
    Wire(Bit),
}

/// One operator of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Instances above it and its own name.
    pub path: String,
    /// File and place of the text.
    pub source: String,
    pub kind: Kind,
    pub signed: bool,
    /// Operands A, B and S; a register's D, clock, reset and enable.
    pub a: Vec<Bit>,
    pub b: Vec<Bit>,
    pub select: Vec<Bit>,
    pub result: Vec<Bit>,
    /// Of registers: clock, reset and enable, as the cell has them.
    pub controls: Vec<(String, Vec<Bit>)>,
    /// Every parameter as Yosys writes it.
    pub parameters: Vec<(String, String)>,
}

/// A design without hierarchy.
#[derive(Debug, Clone, Default)]
pub struct Netlist {
    pub cells: Vec<Cell>,
    pub drivers: Vec<Driver>,
    /// Named signals, those of instances with the instance before them: `u_sum.sum_o`.
    pub signals: HashMap<String, Vec<Bit>>,
    pub inputs: Vec<(String, Vec<Bit>)>,
    pub outputs: Vec<(String, Vec<Bit>)>,
    /// Instances: path and module, parameters in the module's name.
    pub instances: Vec<(String, String)>,
    /// SHA-256 of what Yosys wrote.
    pub sha256: String,
}

/// Why there is no netlist, or no function of one.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum NetlistError {
    #[error("yosys is not on PATH: install it, in Debian and Ubuntu with: apt-get install yosys")]
    NoYosys,
    #[error("yosys: {0}")]
    Files(String),
    #[error("yosys takes longer than {:.0} seconds", .0.as_secs_f64())]
    Slow(Duration),
    #[error("yosys does not read module {module}:\n{said}")]
    Refused { module: String, said: String },
    #[error("module {module}, as yosys writes it: {what}")]
    Form { module: String, what: String },
    #[error("{place}: {what}")]
    Function { place: String, what: String },
}

impl Netlist {
    /// The bit itself, or what drives it through ports.
    pub fn resolve(&self, bit: Bit) -> Bit {
        let mut bit = bit;
        // As many steps as there are nets; more only where ports drive each other in a ring.
        for _ in 0..=self.drivers.len() {
            match bit {
                Bit::Net(net) => match self.drivers[net as usize] {
                    Driver::Wire(next) => bit = next,
                    _ => return bit,
                },
                _ => return bit,
            }
        }
        Bit::Undefined
    }

    /// A named signal of a unit, its bits resolved: that of the top module, or of the instance that an emitted one consists of.
    pub fn signal(&self, name: &str) -> Option<Vec<Bit>> {
        let inside = || self.signals.get(&format!("{}.{name}", instance::NAME));
        Some(self.signals.get(name).or_else(inside)?.iter().map(|&bit| self.resolve(bit)).collect())
    }

    /// The cell that drives a bit, and which bit of its result that is.
    pub fn cell_of(&self, bit: Bit) -> Option<(usize, usize)> {
        match self.resolve(bit) {
            Bit::Net(net) => match self.drivers[net as usize] {
                Driver::Cell { cell, bit } => Some((cell as usize, bit as usize)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The cells that some bits depend on.
    pub fn cone(&self, bits: impl IntoIterator<Item = Bit>) -> Vec<bool> {
        let mut needed = vec![false; self.cells.len()];
        let mut waiting: Vec<Bit> = bits.into_iter().collect();
        while let Some(bit) = waiting.pop() {
            let Some((cell, _)) = self.cell_of(bit) else { continue };
            if !std::mem::replace(&mut needed[cell], true) {
                let cell = &self.cells[cell];
                let controls = cell.controls.iter().flat_map(|(_, bits)| bits);
                waiting.extend(cell.a.iter().chain(&cell.b).chain(&cell.select).chain(controls));
            }
        }
        needed
    }
}
