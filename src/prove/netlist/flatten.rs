//! Joins the modules of a design into one list of cells.

use std::collections::HashMap;

use super::{Bit, Cell, Driver, Kind, Netlist, NetlistError};
use crate::emit::yosys::json::{self, Design, Module, text};

/// The netlist of a design's top module.
pub(super) fn flatten(design: &Design, top: &str) -> Result<Netlist, NetlistError> {
    let module = design.modules.get(top).ok_or_else(|| wrong(top, "there is no such module"))?;
    let mut flat = Flat { design, netlist: Netlist::default() };
    let mut nets = HashMap::new();
    for (name, port) in &module.ports {
        let bits = flat.bits(&port.bits, &mut nets);
        match port.direction.as_str() {
            "input" => {
                for bit in &bits {
                    flat.drive(top, *bit, Driver::Input)?;
                }
                flat.netlist.inputs.push((name.clone(), bits));
            }
            "output" => flat.netlist.outputs.push((name.clone(), bits)),
            other => return Err(wrong(top, &format!("port {name} is {other}, which is not known here"))),
        }
    }
    flat.module(top, module, "", &mut nets)?;
    Ok(flat.netlist)
}

fn wrong(module: &str, what: &str) -> NetlistError {
    NetlistError::Form { module: module.to_owned(), what: what.to_owned() }
}

struct Flat<'d> {
    design: &'d Design,
    netlist: Netlist,
}

impl Flat<'_> {
    /// Nets of the whole design for those of a module.
    fn bits(&mut self, bits: &[json::Bit], nets: &mut HashMap<u64, Bit>) -> Vec<Bit> {
        bits.iter().map(|bit| self.bit(bit, nets)).collect()
    }

    fn bit(&mut self, bit: &json::Bit, nets: &mut HashMap<u64, Bit>) -> Bit {
        match bit {
            json::Bit::Constant(value) => match value.as_str() {
                "0" => Bit::Zero,
                "1" => Bit::One,
                _ => Bit::Undefined,
            },
            json::Bit::Net(number) => *nets.entry(*number).or_insert_with(|| {
                self.netlist.drivers.push(Driver::Nothing);
                Bit::Net(self.netlist.drivers.len() as u32 - 1)
            }),
        }
    }

    fn drive(&mut self, module: &str, bit: Bit, driver: Driver) -> Result<(), NetlistError> {
        let Bit::Net(net) = bit else {
            return Err(wrong(module, "a constant is driven"));
        };
        let old = std::mem::replace(&mut self.netlist.drivers[net as usize], driver);
        if old == Driver::Nothing { Ok(()) } else { Err(wrong(module, "a net has two drivers")) }
    }

    /// Adds the cells and names of a module, and of those below it.
    fn module(
        &mut self,
        name: &str,
        module: &Module,
        path: &str,
        nets: &mut HashMap<u64, Bit>,
    ) -> Result<(), NetlistError> {
        if !module.memories.is_empty() {
            return Err(wrong(name, "it has a memory, which is not known here"));
        }
        // Scopes of the text are no cells of the netlist.
        for (cell_name, cell) in module.cells.iter().filter(|(_, cell)| cell.kind != "$scopeinfo") {
            match self.design.modules.get(&cell.kind) {
                Some(below) => {
                    let place = format!("{path}{cell_name}");
                    self.netlist.instances.push((place.clone(), module_name(below, &cell.kind)));
                    let mut inner = self.instance(name, cell_name, cell, below, nets)?;
                    self.module(&cell.kind, below, &format!("{place}."), &mut inner)?;
                }
                None => self.cell(name, cell_name, cell, path, nets)?,
            }
        }
        for (signal, bits) in module.netnames.iter().filter(|(_, bits)| bits.hide_name == 0) {
            let bits = self.bits(&bits.bits, nets);
            self.netlist.signals.insert(format!("{path}{signal}"), bits);
        }
        Ok(())
    }

    /// The nets of an instance's ports: inputs are the outer nets, outputs drive them.
    fn instance(
        &mut self,
        outer: &str,
        name: &str,
        cell: &json::Cell,
        module: &Module,
        nets: &mut HashMap<u64, Bit>,
    ) -> Result<HashMap<u64, Bit>, NetlistError> {
        let mut inner = HashMap::new();
        let mut outputs = Vec::new();
        for (port_name, port) in &module.ports {
            let Some(connected) = cell.connections.get(port_name) else {
                return Err(wrong(outer, &format!("instance {name} leaves port {port_name} open")));
            };
            let connected = self.bits(connected, nets);
            if connected.len() != port.bits.len() {
                return Err(wrong(outer, &format!("instance {name}, port {port_name}: the widths differ")));
            }
            match port.direction.as_str() {
                "input" => {
                    for (bit, outside) in port.bits.iter().zip(connected) {
                        if let json::Bit::Net(number) = bit {
                            inner.insert(*number, outside);
                        }
                    }
                }
                "output" => outputs.push((&port.bits, connected)),
                other => return Err(wrong(outer, &format!("port {port_name} is {other}"))),
            }
        }
        for (inside, connected) in outputs {
            for (bit, outside) in inside.iter().zip(connected) {
                let inside = self.bit(bit, &mut inner);
                self.drive(outer, outside, Driver::Wire(inside))?;
            }
        }
        Ok(inner)
    }

    fn cell(
        &mut self,
        module: &str,
        name: &str,
        cell: &json::Cell,
        path: &str,
        nets: &mut HashMap<u64, Bit>,
    ) -> Result<(), NetlistError> {
        let refused = |what: String| wrong(module, &format!("cell {name}: {what}"));
        let kind = Kind::of(&cell.kind).ok_or_else(|| refused(format!("type {} is not known here", cell.kind)))?;
        let parameters: Vec<(String, String)> =
            cell.parameters.iter().map(|(name, value)| (name.clone(), text(value))).collect();
        let set = |wanted: &str| {
            let found = parameters.iter().find(|(name, _)| name == wanted);
            found.is_some_and(|(_, value)| value.contains('1'))
        };
        let (signed, b_signed) = (set("A_SIGNED"), set("B_SIGNED"));
        if cell.connections.contains_key("B") && !kind.allows_mixed_signs() && signed != b_signed {
            return Err(refused("one operand is signed, the other is not".to_owned()));
        }
        let mut port = |names: &[&str]| {
            let bits = names.iter().find_map(|name| cell.connections.get(*name));
            bits.map(|bits| self.bits(bits, nets)).unwrap_or_default()
        };
        let (a, b, select, result) = (port(&["A", "D"]), port(&["B"]), port(&["S"]), port(&["Y", "Q"]));
        let controls = ["CLK", "ARST", "SRST", "EN"];
        let controls = controls.iter().map(|name| ((*name).to_owned(), port(&[name]))).collect();
        if matches!(kind, Kind::Select) && select.len() != 1 {
            return Err(refused("its select is not one bit".to_owned()));
        }
        if kind == Kind::Choose && b.len() != select.len() * result.len() {
            return Err(refused("its words are not as many as its selects".to_owned()));
        }
        let index = self.netlist.cells.len() as u32;
        for (place, &bit) in result.iter().enumerate() {
            self.drive(module, bit, Driver::Cell { cell: index, bit: place as u32 })?;
        }
        let source = cell.attributes.get("src").map_or_else(|| path.to_owned(), text);
        let path = format!("{path}{name}");
        self.netlist.cells.push(Cell { path, source, kind, signed, a, b, select, result, controls, parameters });
        Ok(())
    }
}

/// The name that the text gives a module, without its parameters.
fn module_name(module: &Module, kind: &str) -> String {
    module.attributes.get("hdlname").map_or_else(|| kind.to_owned(), text).trim_start_matches('\\').to_owned()
}
