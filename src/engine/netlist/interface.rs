//! Ports of a unit's modules, and where the bits of their operands lie in planes.

use std::ops::Range;

use super::planes::{Layout, Means, Plane};
use super::read::Ports;
use crate::describe::interface::Interface as Described;
use crate::describe::unit::{Flags, Unit};
use crate::engine::{Batch, EngineError};

/// Which module of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// The combinational core.
    Core,
    /// The wrapper with registers, at steady state: enabled, valid operands in every cycle, no reset.
    Registered,
}

impl Variant {
    /// The module's name.
    pub fn module(self, unit: &Unit) -> String {
        match self {
            Variant::Core => unit.module_name(),
            Variant::Registered => format!("{}_registered", unit.module_name()),
        }
    }
}

/// One kind of operand: its port, and its planes.
#[derive(Debug, Clone)]
struct Operand {
    port: &'static str,
    elements: usize,
    width: u32,
    layout: Layout,
    /// Its first plane.
    first: usize,
}

/// Operands of a unit in planes, and the bits of its answer.
#[derive(Debug, Clone)]
pub struct Interface {
    operands: Vec<Operand>,
    /// Ports and widths.
    results: Vec<(String, u32)>,
    clock: Option<&'static str>,
    /// Inputs that keep a value.
    held: &'static [(&'static str, bool)],
}

/// At steady state a wrapper is enabled, and has valid operands in every cycle.
const HELD_OF_WRAPPER: [(&str, bool); 3] = [("rst_ni", true), ("enable_i", true), ("valid_i", true)];

impl Interface {
    pub fn new(unit: &Unit, variant: Variant) -> Interface {
        match variant {
            Variant::Core => Interface::of(&unit.interface(), None, &[]),
            Variant::Registered => Interface::of(&unit.interface(), Some("clk_i"), &HELD_OF_WRAPPER),
        }
    }

    /// Of a design in the module around it, which holds all else.
    pub fn of_design(described: &Described, clocked: bool) -> Interface {
        Interface::of(described, clocked.then_some("clk_i"), &[])
    }

    fn of(described: &Described, clock: Option<&'static str>, held: &'static [(&'static str, bool)]) -> Interface {
        let (formats, products) = (&described.formats, described.products as usize);
        let mut interface = Interface { operands: Vec::new(), results: Vec::new(), clock, held };
        interface.operand("a_i", products, formats.a.width());
        interface.operand("b_i", products, formats.b.width());
        if let Some(scales) = &described.scales {
            interface.operand("scale_a_i", described.scale_count() as usize, scales.a.width());
            interface.operand("scale_b_i", described.scale_count() as usize, scales.b.width());
        }
        if described.has_addend() {
            interface.operand("c_i", 1, formats.c.width());
        }
        interface.results.push(("d_o".to_owned(), formats.d.width()));
        if described.flags {
            interface.results.push(("flags_o".to_owned(), Flags::WIDTH));
        }
        interface
    }

    fn operand(&mut self, port: &'static str, elements: usize, width: u32) {
        let (first, layout) = (self.planes(), Layout::new(elements, width));
        self.operands.push(Operand { port, elements, width, layout, first });
    }

    /// Number of planes of all operands.
    pub fn planes(&self) -> usize {
        self.operands.last().map_or(0, |last| last.first + last.layout.planes())
    }

    /// The ports, with the planes of operands as a circuit's inputs.
    pub fn ports(&self) -> Ports {
        let planes = |operand: &Operand| {
            let bit = |place: u32| {
                let (element, bit) = (place / operand.width, place % operand.width);
                (operand.first + operand.layout.plane(element as usize, bit as usize)) as u32
            };
            (operand.port.to_owned(), (0..operand.elements as u32 * operand.width).map(bit).collect())
        };
        Ports {
            operands: self.operands.iter().map(planes).collect(),
            results: self.results.clone(),
            clock: self.clock.map(str::to_owned),
            held: self.held.iter().map(|(port, value)| ((*port).to_owned(), *value)).collect(),
        }
    }

    /// Fills the planes from some vectors of a batch. `room` is room for the layouts.
    pub fn fill(&self, means: Means, batch: &Batch, own: Range<usize>, room: &mut Vec<u64>, planes: &mut [Plane]) {
        for operand in &self.operands {
            let all = match operand.port {
                "a_i" => &batch.a,
                "b_i" => &batch.b,
                "scale_a_i" => &batch.scale_a,
                "scale_b_i" => &batch.scale_b,
                _ => &batch.c,
            };
            let operands = &all[own.start * operand.elements..own.end * operand.elements];
            operand.layout.fill(means, operands, room, &mut planes[operand.first..][..operand.layout.planes()]);
        }
    }

    /// Refuses a batch of another unit.
    ///
    /// # Errors
    /// An operand has another number of elements.
    pub fn check(&self, batch: &Batch) -> Result<(), EngineError> {
        let has = |port: &str| self.operands.iter().find(|operand| operand.port == port).map_or(0, |own| own.elements);
        batch.check(super::NAME, has("a_i") as u32, has("scale_a_i") as u32)
    }
}
