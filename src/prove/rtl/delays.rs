//! Whether the registers of a pipelined unit only delay: then its function is that of the netlist without them.
//!
//! Every register takes its value at the same edges, and from every input to every output lie as many. So each bit holds at a
//! clock what the bits before it held one enabled clock earlier, of one vector alone, and an output is the function of the
//! operands so many enabled clocks ago. Nothing is simulated.

use std::collections::{BTreeSet, HashMap};

use super::registers::{Registered, held};
use crate::prove::netlist::{Bit, Driver, Kind, Netlist};

/// Registers, by the net that each holds: the bit that it takes.
struct Registers<'n> {
    netlist: &'n Netlist,
    taken: HashMap<u32, Bit>,
    /// Cells that choose between a register's value and its own.
    holds: BTreeSet<usize>,
    gaps: Vec<String>,
}

/// Inputs that no value may depend on.
const CONTROLS: [&str; 2] = ["clk_i", "ce_i"];

/// What a bit waits for before its time is known.
enum Step {
    Known(Option<u32>),
    Waits(Vec<Bit>, u32),
}

/// A pipelined module's netlist without its registers, and what was found of them: gaps if they do more than delay by so many
/// enabled clock edges.
pub fn combinational(module: &str, netlist: Netlist, latency: u32) -> (Netlist, Registered) {
    let mut registers =
        Registers { netlist: &netlist, taken: HashMap::new(), holds: BTreeSet::new(), gaps: Vec::new() };
    registers.find();
    let mut times = HashMap::new();
    let outputs: Vec<(String, Bit)> = netlist
        .outputs
        .iter()
        .flat_map(|(port, bits)| bits.iter().enumerate().map(move |(place, bit)| (format!("{port}[{place}]"), *bit)))
        .collect();
    for (place, bit) in outputs {
        match registers.time(bit, &mut times) {
            Ok(None) => {}
            Ok(Some(time)) if time == latency => {}
            Ok(Some(time)) => {
                registers.gaps.push(format!("{place} comes {time} clock edges after operands, not {latency}"))
            }
            Err(gap) => registers.gaps.push(gap),
        }
        if registers.gaps.len() > 8 {
            break;
        }
    }
    let Registers { taken, holds, gaps, .. } = registers;
    let (latency, register_bits) = (latency as usize, taken.len());
    let registered = Registered { module: module.to_owned(), latency, register_bits, gaps, unread: None };
    (without(netlist, &taken, &holds), registered)
}

impl Registers<'_> {
    /// All registers, and whether they share clock and enable.
    fn find(&mut self) {
        let port = |name: &str| {
            let found = self.netlist.inputs.iter().find(|(port, _)| port == name);
            found.map(|(_, bits)| bits.clone()).unwrap_or_default()
        };
        let expected = [("CLK", port("clk_i")), ("EN", port("ce_i"))];
        let mut said = BTreeSet::new();
        for cell in self.netlist.cells.iter().filter(|cell| cell.kind == Kind::Register) {
            for (place, &bit) in cell.result.iter().enumerate() {
                let Bit::Net(net) = self.netlist.resolve(bit) else { continue };
                let mut controls = cell.controls.clone();
                let (taken, chooses) = held(self.netlist, net, cell.a[place], &mut controls);
                self.holds.extend(chooses);
                self.taken.insert(net, taken);
                for (name, bits) in &expected {
                    let own = controls.iter().find(|(control, _)| control == name).map(|(_, bits)| bits);
                    if own != Some(bits) {
                        said.insert(format!("{}: a register's {name} is not the port's", cell.source));
                    }
                }
                let others = |(name, bits): &&(String, Vec<Bit>)| name != "CLK" && name != "EN" && !bits.is_empty();
                if let Some((other, _)) = controls.iter().find(others) {
                    said.insert(format!("{}: a register has {other}", cell.source));
                }
            }
            let inverted = |(name, value): &&(String, String)| name.ends_with("POLARITY") && value.ends_with('0');
            said.extend(
                cell.parameters.iter().find(inverted).map(|(name, _)| format!("{}: {name} is inverted", cell.source)),
            );
        }
        self.gaps.extend(said.into_iter().take(8));
    }

    /// Enabled clock edges from operands to a bit; `None` for what depends on none.
    fn time(&self, bit: Bit, times: &mut HashMap<u32, Option<u32>>) -> Result<Option<u32>, String> {
        let Bit::Net(root) = self.netlist.resolve(bit) else { return Ok(None) };
        let (mut stack, mut open) = (vec![root], BTreeSet::new());
        while let Some(&net) = stack.last() {
            if times.contains_key(&net) {
                stack.pop();
                continue;
            }
            if self.is_control(net) {
                return Err("a value depends on clock or enable".to_owned());
            }
            let (waits, edges) = match self.step(net) {
                Step::Known(time) => {
                    times.insert(net, time);
                    continue;
                }
                Step::Waits(waits, edges) => (waits, edges),
            };
            let nets: Vec<u32> = waits.iter().filter_map(|&bit| self.net(bit)).collect();
            let missing: Vec<u32> = nets.iter().copied().filter(|net| !times.contains_key(net)).collect();
            if missing.is_empty() {
                let found: BTreeSet<u32> = nets.iter().filter_map(|net| times[net]).collect();
                if found.len() > 1 {
                    return Err(format!("{}: bits of {found:?} clock edges meet", self.source(net)));
                }
                times.insert(net, found.first().map(|time| time + edges));
            } else if !open.insert(net) {
                return Err(format!("{}: a value depends on itself", self.source(net)));
            } else {
                stack.extend(missing);
            }
        }
        Ok(times[&root])
    }

    fn is_control(&self, net: u32) -> bool {
        let controls = self.netlist.inputs.iter().filter(|(port, _)| CONTROLS.contains(&port.as_str()));
        controls.flat_map(|(_, bits)| bits).any(|bit| *bit == Bit::Net(net))
    }

    fn net(&self, bit: Bit) -> Option<u32> {
        match self.netlist.resolve(bit) {
            Bit::Net(net) => Some(net),
            _ => None,
        }
    }

    fn step(&self, net: u32) -> Step {
        if let Some(&taken) = self.taken.get(&net) {
            return Step::Waits(vec![taken], 1);
        }
        let Some((cell, _)) = self.netlist.cell_of(Bit::Net(net)) else { return Step::Known(Some(0)) };
        let cell = &self.netlist.cells[cell];
        Step::Waits([&cell.a[..], &cell.b, &cell.select].concat(), 0)
    }

    fn source(&self, net: u32) -> String {
        match self.netlist.cell_of(Bit::Net(net)) {
            Some((cell, _)) => self.netlist.cells[cell].source.clone(),
            None => "an input".to_owned(),
        }
    }
}

/// The netlist with a wire in the place of every register, and without clock and enable.
fn without(netlist: Netlist, taken: &HashMap<u32, Bit>, holds: &BTreeSet<usize>) -> Netlist {
    let Netlist { cells, mut drivers, mut inputs, .. } = netlist;
    for (_, bits) in inputs.extract_if(.., |(port, _)| CONTROLS.contains(&port.as_str())) {
        // Nothing that counts depends on them.
        bits.iter().for_each(|bit| {
            if let Bit::Net(net) = bit {
                drivers[*net as usize] = Driver::Wire(Bit::Zero);
            }
        });
    }
    let mut places = Vec::new();
    let mut kept = Vec::new();
    for (index, cell) in cells.into_iter().enumerate() {
        let stays = cell.kind != Kind::Register && !holds.contains(&index);
        places.push(stays.then_some(kept.len() as u32));
        kept.extend(stays.then_some(cell));
    }
    for (net, driver) in drivers.iter_mut().enumerate() {
        *driver = match (taken.get(&(net as u32)), *driver) {
            (Some(&bit), _) => Driver::Wire(bit),
            (None, Driver::Cell { cell, bit }) => {
                places[cell as usize].map_or(Driver::Nothing, |cell| Driver::Cell { cell, bit })
            }
            (None, other) => other,
        }
    }
    Netlist { cells: kept, drivers, inputs, ..netlist }
}
