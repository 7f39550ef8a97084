//! Whether a clocked wrapper only delays: its core is the combinational netlist, and registers stand on every path alike.
//!
//! It never simulates: both netlists are walked side by side from their outputs.

use std::collections::{BTreeSet, HashMap};

use crate::prove::netlist::{Bit, Cell, Kind, Netlist};

/// What was found of a wrapper.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Registered {
    pub module: String,
    /// Clock edges from operands to result, the same for every bit.
    pub latency: usize,
    pub register_bits: usize,
    /// Why it does more than delay; empty if it does not.
    pub gaps: Vec<String>,
    /// Why it was not read: then nothing of the above is known.
    pub unread: Option<String>,
}

impl Registered {
    /// A wrapper that was not read, and why.
    pub fn unread(module: &str, why: &str) -> Registered {
        let unread = Some(why.to_owned());
        Registered { module: module.to_owned(), latency: 0, register_bits: 0, gaps: Vec::new(), unread }
    }
}

/// Both netlists, and which of their nets were found to correspond.
struct Pair<'n> {
    wrapper: &'n Netlist,
    core: &'n Netlist,
    same: HashMap<u32, u32>,
    gaps: Vec<String>,
    register_bits: BTreeSet<u32>,
    controls: BTreeSet<Vec<(String, Vec<Bit>)>>,
    parameters: BTreeSet<(String, String)>,
}

/// The bits of a port; none of one that is not there.
pub(super) fn port(ports: &[(String, Vec<Bit>)], name: &str) -> Vec<Bit> {
    ports.iter().find(|(port, _)| port == name).map(|(_, bits)| bits.clone()).unwrap_or_default()
}

/// Compares a wrapper with the combinational netlist that was proved.
pub fn check(module: &str, wrapper: &Netlist, core: &Netlist) -> Registered {
    let mut pair = Pair::new(wrapper, core);
    for (port, bits) in &core.inputs {
        pair.input(port, bits);
    }
    for (port, bits) in &core.outputs {
        pair.output(port, bits);
    }
    pair.valid();
    pair.foreign_ports(&["clk_i", "rst_ni", "enable_i", "valid_i", "valid_o"]);
    if pair.controls.len() > 1 {
        pair.gaps.push("registers differ in clock, reset or enable".to_owned());
    }
    let polarities = [("CLK_POLARITY", true), ("ARST_POLARITY", false), ("EN_POLARITY", true)];
    for (name, expected) in polarities {
        if pair.parameters.iter().any(|(known, value)| known == name && value.ends_with('1') != expected) {
            pair.gaps.push(format!("{name} of a register is inverted"));
        }
    }
    if pair.parameters.iter().any(|(name, value)| name == "ARST_VALUE" && value.chars().any(|digit| digit != '0')) {
        pair.gaps.push("a register is not reset to 0".to_owned());
    }
    let ports = [("clk_i", "CLK"), ("enable_i", "EN"), ("rst_ni", "ARST")];
    for (port, control) in ports {
        let bits = wrapper.inputs.iter().find(|(name, _)| name == port).map(|(_, bits)| bits.clone());
        let used = pair.controls.iter().flatten().filter(|(name, _)| name == control);
        if used.count() == 0
            || pair.controls.iter().flatten().any(|(name, used)| name == control && Some(used) != bits.as_ref())
        {
            pair.gaps.push(format!("registers do not take {control} from {port}"));
        }
    }
    let register_bits = pair.register_bits.len();
    Registered { module: module.to_owned(), latency: 2, register_bits, gaps: pair.gaps, unread: None }
}

/// Where a wrapper's netlist without registers computes something else than the core's; the valid bit passes.
pub(super) fn same_function(wrapper: &Netlist, core: &Netlist) -> Vec<String> {
    let mut pair = Pair::new(wrapper, core);
    for (name, bits) in &core.inputs {
        let outer = port(&wrapper.inputs, name);
        if outer.len() != bits.len() {
            pair.gaps.push(format!("input {name} is missing or has another width"));
        }
        for (outer, inner) in outer.iter().zip(bits) {
            if let (Bit::Net(outer), Bit::Net(inner)) = (outer, inner) {
                pair.same.insert(*outer, *inner);
            }
        }
    }
    for (name, bits) in &core.outputs {
        let outer = port(&wrapper.outputs, name);
        if outer.len() != bits.len() {
            pair.gaps.push(format!("output {name} is missing or has another width"));
        }
        for (place, (&outer, &inner)) in outer.iter().zip(bits).enumerate() {
            if !pair.corresponds(outer, inner) {
                pair.gaps.push(format!("{name}[{place}] is computed in another way"));
            }
        }
    }
    pair.foreign_ports(&["valid_i", "valid_o"]);
    pair.gaps
}

/// Polarities, and what registers are reset to.
fn is_examined(parameter: &&(String, String)) -> bool {
    parameter.0.ends_with("POLARITY") || parameter.0 == "ARST_VALUE"
}

/// What a register takes where it is enabled: of `enable ? value : own`, the value, the enable is noted, and the cell that chooses
/// is told.
pub(super) fn held(
    netlist: &Netlist,
    own: u32,
    next: Bit,
    controls: &mut Vec<(String, Vec<Bit>)>,
) -> (Bit, Option<usize>) {
    let next = netlist.resolve(next);
    let Some((index, place)) = netlist.cell_of(next) else { return (next, None) };
    let cell = &netlist.cells[index];
    if cell.kind != Kind::Select || netlist.resolve(cell.a[place]) != Bit::Net(own) {
        return (next, None);
    }
    controls.retain(|(name, _)| name != "EN");
    controls.push(("EN".to_owned(), cell.select.iter().map(|&bit| netlist.resolve(bit)).collect()));
    (netlist.resolve(cell.b[place]), Some(index))
}

impl<'n> Pair<'n> {
    fn new(wrapper: &'n Netlist, core: &'n Netlist) -> Pair<'n> {
        Pair {
            wrapper,
            core,
            same: HashMap::new(),
            gaps: Vec::new(),
            register_bits: BTreeSet::new(),
            controls: BTreeSet::new(),
            parameters: BTreeSet::new(),
        }
    }

    /// Ports of the wrapper that are none of the core, but for its own.
    fn foreign_ports(&mut self, own: &[&str]) {
        for (port, _) in self.wrapper.inputs.iter().chain(&self.wrapper.outputs) {
            let of_core = self.core.inputs.iter().chain(&self.core.outputs).any(|(name, _)| name == port);
            if !of_core && !own.contains(&port.as_str()) {
                self.gaps.push(format!("port {port} is none of the core, and none of the wrapper"));
            }
        }
    }

    /// The register that drives a bit of the wrapper, and the bit that it holds.
    fn behind(&mut self, bit: Bit) -> Option<Bit> {
        let (index, place) = self.wrapper.cell_of(bit)?;
        let cell = &self.wrapper.cells[index];
        if cell.kind != Kind::Register {
            return None;
        }
        let Bit::Net(net) = self.wrapper.resolve(bit) else { return None };
        let mut controls = cell.controls.clone();
        let (held, _) = held(self.wrapper, net, cell.a[place], &mut controls);
        self.register_bits.insert(net);
        self.controls.insert(controls);
        self.parameters.extend(cell.parameters.iter().filter(is_examined).cloned());
        Some(held)
    }

    /// A bit of the core's input is the wrapper's input, one register later.
    fn input(&mut self, name: &str, bits: &[Bit]) {
        let inner = self.wrapper.signal(&format!("u_core.{name}")).unwrap_or_default();
        let outer = port(&self.wrapper.inputs, name);
        if inner.len() != bits.len() || outer.len() != bits.len() {
            self.gaps.push(format!("input {name} is missing or has another width"));
            return;
        }
        for (place, &bit) in bits.iter().enumerate() {
            if self.behind(inner[place]) != Some(outer[place]) {
                self.gaps.push(format!("{name}[{place}] does not reach the core through one register"));
            }
            if let (Bit::Net(inner), Bit::Net(bit)) = (inner[place], bit) {
                self.same.insert(inner, bit);
            }
        }
    }

    /// A bit of the wrapper's output is the core's, one register later, and the core's is that of the other netlist.
    fn output(&mut self, name: &str, bits: &[Bit]) {
        let outer = port(&self.wrapper.outputs, name);
        if outer.len() != bits.len() {
            self.gaps.push(format!("output {name} is missing or has another width"));
            return;
        }
        for (place, (&outer, &bit)) in outer.iter().zip(bits).enumerate() {
            match self.behind(outer) {
                Some(inner) if self.corresponds(inner, bit) => {}
                Some(_) => self.gaps.push(format!("{name}[{place}] is computed in another way")),
                None => self.gaps.push(format!("{name}[{place}] is not held by a register")),
            }
        }
    }

    /// The valid bit takes as long as operands and result.
    fn valid(&mut self) {
        let port = |ports: &[(String, Vec<Bit>)], name: &str| {
            ports.iter().find(|(port, _)| port == name).and_then(|(_, bits)| bits.first().copied())
        };
        let (first, last) = (port(&self.wrapper.inputs, "valid_i"), port(&self.wrapper.outputs, "valid_o"));
        let held = last.and_then(|bit| self.behind(bit)).and_then(|bit| self.behind(bit));
        if first.is_none() || held != first {
            self.gaps.push("valid_o is not valid_i two registers later".to_owned());
        }
    }

    /// Whether two bits are computed by equal cells from corresponding bits.
    fn corresponds(&mut self, wrapper: Bit, core: Bit) -> bool {
        let mut waiting = vec![(wrapper, core)];
        while let Some((wrapper, core)) = waiting.pop() {
            let (one, two) = match (self.wrapper.resolve(wrapper), self.core.resolve(core)) {
                (Bit::Net(one), Bit::Net(two)) => (one, two),
                (one, two) if one == two && one != Bit::Undefined => continue,
                _ => return false,
            };
            if let Some(&known) = self.same.get(&one) {
                if known != two {
                    return false;
                }
                continue;
            }
            let (Some((left, place)), Some((right, other))) =
                (self.wrapper.cell_of(Bit::Net(one)), self.core.cell_of(Bit::Net(two)))
            else {
                return false;
            };
            let (left, right) = (&self.wrapper.cells[left], &self.core.cells[right]);
            if place != other || !alike(left, right) {
                return false;
            }
            self.same.insert(one, two);
            for (left, right) in [(&left.a, &right.a), (&left.b, &right.b), (&left.select, &right.select)] {
                waiting.extend(left.iter().copied().zip(right.iter().copied()));
            }
        }
        true
    }
}

fn alike(one: &Cell, other: &Cell) -> bool {
    one.kind == other.kind
        && one.kind != Kind::Register
        && one.parameters == other.parameters
        && (one.a.len(), one.b.len(), one.result.len()) == (other.a.len(), other.b.len(), other.result.len())
}
