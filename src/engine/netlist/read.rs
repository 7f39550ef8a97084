//! Reads what Yosys writes of a mapped module: lookup tables and registers, as a circuit at steady state.
//!
//! Registers only delay a module that takes operands in every cycle: where every path from an input to an output holds the same
//! number of them, a result is a function of the operands of one cycle, and the registers are left out. Everything else is
//! refused by name: paths of different length, loops, latches, registers that may be held or reset, undefined bits.

use std::collections::{HashMap, HashSet};

use super::circuit::{Builder, Circuit, Signal};
use super::planes::BITS;
use super::register::Register;
use crate::emit::yosys::json::{Bit, Cell, Design, Module};

/// What the ports of a module stand for.
#[derive(Debug, Clone, Default)]
pub struct Ports {
    /// Input ports and the circuit's inputs that their bits are, the lowest first.
    pub operands: Vec<(String, Vec<u32>)>,
    /// Input ports of one bit that keep a value: enable, valid, reset.
    pub held: Vec<(String, bool)>,
    /// The clock of registers.
    pub clock: Option<String>,
    /// Output ports and their widths, in the order of the circuit's outputs; zeros follow up to 64.
    pub results: Vec<(String, u32)>,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steady {
    pub circuit: Circuit,
    /// Registers on every path from an operand to a result.
    pub latency: u32,
}

/// The circuit of module `top`, with `inputs` inputs.
///
/// # Errors
/// The text is not Yosys' JSON of that module with those ports, or the module is not what this file reads; the message names
/// cell or port.
pub fn read(text: &str, top: &str, ports: &Ports, inputs: u32) -> Result<Steady, String> {
    let design: Design = serde_json::from_str(text).map_err(|error| format!("this is not its JSON: {error}"))?;
    let module = design.modules.get(top).ok_or_else(|| format!("there is no module {top}"))?;
    let mut reader = Reader::new(module, inputs)?;
    reader.ports(module, ports)?;
    let mut outputs = Vec::new();
    for (name, width) in &ports.results {
        let port =
            module.ports.get(name).filter(|port| port.direction == "output" && port.bits.len() == *width as usize);
        let port = port.ok_or_else(|| format!("it has no output {name} of {width} bits"))?;
        for (index, bit) in port.bits.iter().enumerate() {
            outputs.push((format!("output {name}[{index}]"), reader.resolve(bit)?));
        }
    }
    let mut latency = None;
    for (place, (_, depth)) in &outputs {
        if let Some(depth) = depth
            && *latency.get_or_insert(*depth) != *depth
        {
            let first = latency.unwrap_or_default();
            return Err(format!("{place}: {depth} registers on the way there, {first} on the way to the first output"));
        }
    }
    let mut signals: Vec<Signal> = outputs.iter().map(|(_, (signal, _))| *signal).collect();
    signals.resize(signals.len().max(BITS), Signal::Constant(false));
    Ok(Steady { circuit: reader.builder.finish(&signals), latency: latency.unwrap_or_default() })
}

/// A signal, and the number of registers between operands and it; a constant has none.
type Delayed = (Signal, Option<u32>);

struct Reader<'m> {
    module: &'m Module,
    builder: Builder,
    /// The cell that drives a net.
    drivers: HashMap<u64, &'m str>,
    known: HashMap<u64, Delayed>,
    clock: Option<u64>,
}

impl<'m> Reader<'m> {
    fn new(module: &'m Module, inputs: u32) -> Result<Reader<'m>, String> {
        let mut drivers = HashMap::new();
        for (name, cell) in &module.cells {
            let port = match Register::of(&cell.kind) {
                _ if cell.kind == "$lut" => "Y",
                Some(_) => "Q",
                None => return Err(unknown(name, &cell.kind)),
            };
            for bit in cell.connections.get(port).into_iter().flatten() {
                if let Bit::Net(net) = bit
                    && drivers.insert(*net, name.as_str()).is_some()
                {
                    return Err(format!("cell {name}: its net {net} has another driver too"));
                }
            }
        }
        Ok(Reader { module, builder: Builder::new(inputs), drivers, known: HashMap::new(), clock: None })
    }

    /// Gives the nets of input ports their values.
    fn ports(&mut self, module: &Module, ports: &Ports) -> Result<(), String> {
        let input = |name: &str, width: usize| {
            let port = module.ports.get(name).filter(|port| port.direction == "input" && port.bits.len() == width);
            port.ok_or_else(|| format!("it has no input {name} of {width} bits"))
        };
        for (name, values) in &ports.operands {
            for (bit, &value) in input(name, values.len())?.bits.iter().zip(values) {
                let signal = Signal::Value { value, inverted: false };
                self.give(name, bit, (signal, Some(0)))?;
            }
        }
        for (name, value) in &ports.held {
            let bit = input(name, 1)?.bits[0].clone();
            self.give(name, &bit, (Signal::Constant(*value), None))?;
        }
        if let Some(name) = &ports.clock {
            self.clock = match input(name, 1)?.bits[0] {
                Bit::Net(net) => Some(net),
                Bit::Constant(_) => None,
            };
        }
        Ok(())
    }

    fn give(&mut self, port: &str, bit: &Bit, value: Delayed) -> Result<(), String> {
        match bit {
            Bit::Net(net) if !self.drivers.contains_key(net) => self.known.insert(*net, value),
            _ => return Err(format!("input {port} is driven inside the module")),
        };
        Ok(())
    }

    /// The value of a bit, with all that it depends on.
    fn resolve(&mut self, bit: &Bit) -> Result<Delayed, String> {
        let Bit::Net(net) = bit else { return self.bit(bit, || "an output".to_owned()) };
        let (mut waiting, mut open) = (vec![*net], HashSet::new());
        while let Some(&net) = waiting.last() {
            if self.known.contains_key(&net) {
                waiting.pop();
                continue;
            }
            let name = *self.drivers.get(&net).ok_or_else(|| self.undriven(net))?;
            let missing = self.needed(name)?.into_iter().find(|need| !self.known.contains_key(need));
            if let Some(missing) = missing {
                open.insert(net);
                if open.contains(&missing) {
                    return Err(format!("cell {name}: a loop, its output depends on itself"));
                }
                waiting.push(missing);
            } else {
                let value = self.evaluate(name)?;
                self.known.insert(net, value);
                open.remove(&net);
            }
        }
        Ok(self.known[net])
    }

    fn undriven(&self, net: u64) -> String {
        let reads = |cell: &&Cell| cell.connections.values().flatten().any(|bit| *bit == Bit::Net(net));
        let cell = self.module.cells.iter().find(|(_, cell)| reads(cell)).map(|(name, _)| format!("cell {name}"));
        let port = || {
            let ports = &mut self.module.ports.iter();
            ports.find(|(_, port)| port.bits.contains(&Bit::Net(net))).map(|(name, _)| format!("port {name}"))
        };
        let place = cell.or_else(port).unwrap_or_default();
        format!("{place}: net {net}, which it is connected to, has no driver")
    }

    fn cell(&self, name: &str) -> &'m Cell {
        &self.module.cells[name]
    }

    /// The one bit of a cell's port.
    fn pin(&self, name: &str, port: &str) -> Result<&'m Bit, String> {
        let bits = self.cell(name).connections.get(port);
        bits.and_then(|bits| bits.first()).ok_or_else(|| format!("cell {name} has no port {port}"))
    }

    /// The nets that must be known before a cell is evaluated.
    fn needed(&self, name: &str) -> Result<Vec<u64>, String> {
        let cell = self.cell(name);
        let mut bits: Vec<&Bit> = cell.connections.get("A").into_iter().flatten().collect();
        if let Some(register) = Register::of(&cell.kind) {
            bits = register.controls().map(|(port, _)| self.pin(name, port)).collect::<Result<_, _>>()?;
            bits.push(self.pin(name, "D")?);
        }
        Ok(bits.into_iter().filter_map(|bit| if let Bit::Net(net) = bit { Some(*net) } else { None }).collect())
    }

    /// The value of a bit that is known or constant.
    fn bit(&self, bit: &Bit, place: impl Fn() -> String) -> Result<Delayed, String> {
        match bit {
            Bit::Net(net) => Ok(self.known[net]),
            Bit::Constant(value) if value == "0" || value == "1" => Ok((Signal::Constant(value == "1"), None)),
            Bit::Constant(value) => Err(format!("{}: a bit is the undefined constant {value}", place())),
        }
    }

    fn evaluate(&mut self, name: &str) -> Result<Delayed, String> {
        let cell = self.cell(name);
        match Register::of(&cell.kind) {
            Some(register) => self.register(name, register),
            None => self.lut(name, cell),
        }
    }

    fn lut(&mut self, name: &str, cell: &Cell) -> Result<Delayed, String> {
        let bits = cell.connections.get("A").filter(|bits| (1..=3).contains(&bits.len()));
        let bits = bits.ok_or_else(|| format!("cell {name}: a lookup table has 1 to 3 inputs here"))?;
        let (mut signals, mut depth) = (Vec::new(), None);
        for bit in bits {
            let (signal, own) = self.bit(bit, || format!("cell {name}"))?;
            signals.push(signal);
            let Some(own) = own else { continue };
            if *depth.get_or_insert(own) != own {
                let other = depth.unwrap_or_default();
                return Err(format!("cell {name}: paths with {other} and with {own} registers meet"));
            }
        }
        let table = cell.parameters.get("LUT").and_then(serde_json::Value::as_str).unwrap_or_default();
        let rows = u64::from_str_radix(table, 2).ok().filter(|_| table.len() == 1 << bits.len());
        let rows = rows.ok_or_else(|| format!("cell {name}: its table {table:?} has not {} bits", 1 << bits.len()))?;
        let signal = self.builder.lut(rows, &signals);
        Ok((signal, if matches!(signal, Signal::Constant(_)) { None } else { depth }))
    }

    fn register(&mut self, name: &str, register: Register) -> Result<Delayed, String> {
        let clock = self.pin(name, "C")?;
        if self.clock.is_none_or(|net| *clock != Bit::Net(net)) || !register.rising {
            return Err(format!("cell {name}: a register of another clock than the rising edge of the module's"));
        }
        for (port, needed) in register.controls() {
            let bit = self.pin(name, port)?;
            let (signal, _) = self.bit(bit, || format!("cell {name}"))?;
            if signal != Signal::Constant(needed) {
                let what = if port == "E" { "enable" } else { "reset" };
                return Err(format!("cell {name}: the {what} of a register is not constant while vectors run"));
            }
        }
        let (signal, depth) = self.bit(self.pin(name, "D")?, || format!("cell {name}"))?;
        Ok((signal, depth.map(|depth| depth + 1)))
    }
}

fn unknown(name: &str, kind: &str) -> String {
    let latch = if kind.contains("LATCH") || kind == "$_SR_NN_" || kind == "$_SR_PP_" { "a latch, " } else { "" };
    format!("cell {name} is {latch}a {kind}; known here are lookup tables and registers of one clock edge")
}
