//! Whether the registers of a pipelined unit, or of its wrapper with valid and enable, only delay: then its function is that of the
//! netlist without them.
//!
//! Every register takes its value at the same edges, and from every input to every output lie as many. So each bit holds at a
//! clock what the bits before it held one enabled clock earlier, of one vector alone, and an output is the function of the
//! operands so many enabled clocks ago. Nothing is simulated.

use std::collections::{BTreeSet, HashMap};

use super::registers::{Registered, held, port, same_function};
use crate::prove::netlist::{Bit, Cell, Driver, Kind, Netlist};

/// The inputs that registers are driven by, and no value may depend on.
struct Controls {
    clock: &'static str,
    enable: &'static str,
    /// Clears registers while it is 0, asynchronously.
    reset: Option<&'static str>,
}

const OF_CORE: Controls = Controls { clock: "clk_i", enable: "ce_i", reset: None };
const OF_WRAPPER: Controls = Controls { clock: "clk_i", enable: "enable_i", reset: Some("rst_ni") };

impl Controls {
    fn contains(&self, port: &str) -> bool {
        port == self.clock || port == self.enable || self.reset == Some(port)
    }
}

/// Registers, by the net that each holds: the bit that it takes.
struct Registers<'n> {
    netlist: &'n Netlist,
    controls: &'n Controls,
    taken: HashMap<u32, Bit>,
    /// Those that the reset clears.
    cleared: BTreeSet<u32>,
    /// Cells that choose between a register's value and its own.
    holds: BTreeSet<usize>,
    gaps: Vec<String>,
}

/// What a bit waits for before its time is known.
enum Step {
    Known(Option<u32>),
    Waits(Vec<Bit>, u32),
}

/// A pipelined module's netlist without its registers, and what was found of them: gaps if they do more than delay by so many
/// enabled clock edges.
pub fn combinational(module: &str, netlist: Netlist, latency: u32) -> (Netlist, Registered) {
    delayed(module, netlist, latency, &OF_CORE)
}

/// What was found of the wrapper of a pipelined module, whose netlist without registers is the core: gaps if the wrapper computes
/// something else, does more than delay, or does not say with `valid_o` whose results it gives.
pub fn check_wrapper(module: &str, wrapper: Netlist, core: &Netlist, latency: u32) -> Registered {
    let (wrapper, mut registered) = delayed(module, wrapper, latency, &OF_WRAPPER);
    registered.gaps.extend(same_function(&wrapper, core));
    registered
}

fn delayed(module: &str, netlist: Netlist, latency: u32, controls: &Controls) -> (Netlist, Registered) {
    let mut registers = Registers {
        netlist: &netlist,
        controls,
        taken: HashMap::new(),
        cleared: BTreeSet::new(),
        holds: BTreeSet::new(),
        gaps: Vec::new(),
    };
    registers.ports();
    registers.find();
    registers.outputs(latency);
    if controls.reset.is_some() {
        registers.valid(latency);
    }
    let Registers { taken, holds, gaps, .. } = registers;
    let (latency, register_bits) = (latency as usize, taken.len());
    let registered = Registered { module: module.to_owned(), latency, register_bits, gaps, unread: None };
    (without(netlist, controls, &taken, &holds), registered)
}

impl Registers<'_> {
    /// Whether all ports are there that drive registers or say what is valid.
    fn ports(&mut self) {
        let Netlist { inputs, outputs, .. } = self.netlist;
        let of_wrapper = self
            .controls
            .reset
            .into_iter()
            .flat_map(|reset| [(inputs, reset), (inputs, "valid_i"), (outputs, "valid_o")]);
        for (ports, name) in
            [(inputs, self.controls.clock), (inputs, self.controls.enable)].into_iter().chain(of_wrapper)
        {
            if port(ports, name).len() != 1 {
                self.gaps.push(format!("there is no port {name} of one bit"));
            }
        }
    }

    /// All registers, and whether they share clock and enable.
    fn find(&mut self) {
        let port = |name: &str| port(&self.netlist.inputs, name);
        let expected = [("CLK", port(self.controls.clock)), ("EN", port(self.controls.enable))];
        let reset = self.controls.reset.map(port);
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
                match controls.iter().find(others) {
                    Some((name, bits)) if name == "ARST" && Some(bits) == reset.as_ref() && clears(cell) => {
                        self.cleared.insert(net);
                    }
                    Some((other, _)) => {
                        said.insert(format!("{}: a register has {other}", cell.source));
                    }
                    None => {}
                }
            }
            let inverted = |(name, value): &&(String, String)| {
                name != "ARST_POLARITY" && name.ends_with("POLARITY") && value.ends_with('0')
            };
            said.extend(
                cell.parameters.iter().find(inverted).map(|(name, _)| format!("{}: {name} is inverted", cell.source)),
            );
        }
        self.gaps.extend(said.into_iter().take(8));
    }

    /// Whether every output comes so many enabled clock edges after what it depends on.
    fn outputs(&mut self, latency: u32) {
        let mut times = HashMap::new();
        for (port, bits) in &self.netlist.outputs {
            for (place, bit) in bits.iter().enumerate() {
                match self.time(*bit, &mut times) {
                    Ok(None) => {}
                    Ok(Some(time)) if time == latency => {}
                    Ok(Some(time)) => self
                        .gaps
                        .push(format!("{port}[{place}] comes {time} clock edges after operands, not {latency}")),
                    Err(gap) => self.gaps.push(gap),
                }
                if self.gaps.len() > 8 {
                    return;
                }
            }
        }
    }

    /// Whether `valid_o` is `valid_i` so many registers later, each of them cleared by the reset, and no other register is.
    fn valid(&mut self, latency: u32) {
        let first_bit = |ports, name| port(ports, name).first().and_then(|&bit| self.net(bit));
        let (first, mut net) =
            (first_bit(&self.netlist.inputs, "valid_i"), first_bit(&self.netlist.outputs, "valid_o"));
        let mut cleared = 0;
        while let Some(taken) = net.and_then(|net| self.cleared.contains(&net).then(|| self.taken[&net])) {
            (net, cleared) = (self.net(taken), cleared + 1);
            if cleared > latency {
                break;
            }
        }
        if first.is_none() || net != first || cleared != latency {
            self.gaps.push(format!("valid_o is not valid_i {latency} registers later, each cleared by the reset"));
        }
        if self.cleared.len() != latency as usize {
            self.gaps.push("a register that holds no valid bit is cleared by the reset".to_owned());
        }
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
                return Err("a value depends on clock, enable or reset".to_owned());
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
        let controls = self.netlist.inputs.iter().filter(|(port, _)| self.controls.contains(port));
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

/// Whether a register with an asynchronous reset is 0 while the reset is 0.
fn clears(cell: &Cell) -> bool {
    let is = |name: &str, right: &dyn Fn(&str) -> bool| {
        cell.parameters.iter().any(|(parameter, value)| parameter == name && right(value))
    };
    is("ARST_POLARITY", &|value| value.ends_with('0'))
        && is("ARST_VALUE", &|value| !value.is_empty() && value.chars().all(|digit| digit == '0'))
}

/// The netlist with a wire in the place of every register, and without what drives them.
fn without(netlist: Netlist, controls: &Controls, taken: &HashMap<u32, Bit>, holds: &BTreeSet<usize>) -> Netlist {
    let Netlist { cells, mut drivers, mut inputs, .. } = netlist;
    for (_, bits) in inputs.extract_if(.., |(port, _)| controls.contains(port)) {
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
