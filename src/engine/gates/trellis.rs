//! A netlist of ECP5's cells as nextpnr packs it, as Verilog: an instance a cell, of the models in `trellis.v` and
//! `multiplier.v`. Nets have the names of their drivers, so that the text does not depend on the numbers of nets.
//!
//! What a cell, a port or a parameter does has to be known here: all others are refused, and nothing is guessed. Wires between
//! neighbours come from the right ports; that these cells share a slice is not looked at. What an open
//! port is, nextpnr says where it writes bitstreams: inputs of tables are 1, inputs of multipliers are as their parameters say.
//!
//! Architecture invariant: nothing here knows what a unit computes, nor what Yosys made.

use std::collections::HashMap;
use std::fmt::Write;

use crate::emit::yosys::json::{Bit, Cell, Design, Module, text};

/// The module that nextpnr writes, whatever its name was.
const WRITTEN: &str = "top";
/// Inputs of a table, the last counting most.
const INPUTS: [&str; 4] = ["A", "B", "C", "D"];
/// Width of a multiplier's factors.
const FACTOR: usize = 18;
/// Inputs of a multiplier that say whether its factors are signed.
const SIGNS: [&str; 2] = ["SIGNEDA", "SIGNEDB"];
/// Inputs of a multiplier that say where its factors come from: 0, from its own inputs.
const SOURCES: [&str; 2] = ["SOURCEA", "SOURCEB"];
/// Inputs of a multiplier that do nothing where it has no registers.
const OF_REGISTERS: [&str; 3] = ["CLK", "CE", "RST"];

/// The Verilog of a netlist, without models of its cells.
///
/// # Errors
/// The text is none of nextpnr's netlists, or has something that is not known here: the message names the cell.
pub fn verilog(netlist: &str, name: &str) -> Result<String, String> {
    let design: Design =
        serde_json::from_str(netlist).map_err(|error| format!("this is not nextpnr's JSON: {error}"))?;
    let module = design.modules.get(WRITTEN).ok_or_else(|| format!("there is no module {WRITTEN}"))?;
    let nets = Nets::of(module)?;
    let mut body = String::new();
    for (index, (name, cell)) in module.cells.iter().enumerate() {
        Instance { name, index, cell, nets: &nets }.write(&mut body)?;
    }
    let mut ports = Vec::new();
    for (port, described) in &module.ports {
        ports.push(format!("{} [{}:0] {port}", described.direction, described.bits.len() - 1));
        if described.direction == "output" {
            let bits: Result<Vec<&str>, String> =
                described.bits.iter().rev().map(|bit| nets.driver(bit, || format!("output {port}"))).collect();
            let _ = writeln!(body, "assign {port} = {{{}}};", bits?.join(", "));
        }
    }
    Ok(format!("module {name} ({});\nwire {};\n{body}endmodule\n", ports.join(", "), nets.wires.join(", ")))
}

/// What drives the nets.
struct Nets<'m> {
    /// Names of nets: bits of inputs, or cells' outputs.
    names: HashMap<u64, String>,
    /// Names of those that are outputs of cells.
    wires: Vec<String>,
    /// Cells that drive nets, and by which port.
    cells: HashMap<u64, (&'m Cell, &'m str)>,
}

impl<'m> Nets<'m> {
    fn of(module: &'m Module) -> Result<Nets<'m>, String> {
        let mut nets = Nets { names: HashMap::new(), wires: Vec::new(), cells: HashMap::new() };
        for (port, described) in &module.ports {
            match described.direction.as_str() {
                _ if described.bits.is_empty() => return Err(format!("port {port} has no bits")),
                "output" => {}
                "input" => {
                    for (index, bit) in described.bits.iter().enumerate() {
                        nets.name(bit, format!("{port}[{index}]"))?;
                    }
                }
                other => return Err(format!("port {port} is {other}: neither input nor output")),
            }
        }
        for (index, (name, cell)) in module.cells.iter().enumerate() {
            for (port, bits) in cell.connections.iter().filter(|(port, _)| is_output(cell, port)) {
                for bit in bits {
                    let wire = wire(index, port);
                    nets.name(bit, wire.clone()).map_err(|what| refused(name, cell, &format!("{port}: {what}")))?;
                    nets.wires.push(wire);
                    if let Bit::Net(net) = bit {
                        nets.cells.insert(*net, (cell, port));
                    }
                }
            }
        }
        Ok(nets)
    }

    fn name(&mut self, bit: &Bit, name: String) -> Result<(), String> {
        let Bit::Net(net) = bit else { return Err(format!("{name} drives a constant")) };
        match self.names.insert(*net, name) {
            None => Ok(()),
            Some(other) => Err(format!("net {net} is driven by {other} too")),
        }
    }

    fn driver(&self, bit: &Bit, reader: impl Fn() -> String) -> Result<&str, String> {
        match bit {
            Bit::Net(net) => {
                let name = self.names.get(net).map(String::as_str);
                name.ok_or_else(|| format!("{}: nothing drives net {net}", reader()))
            }
            Bit::Constant(value) => Err(format!("{}: {value} in a net's place", reader())),
        }
    }

    /// Whether a net is 0 whatever its cell's inputs are.
    fn is_zero(&self, bit: &Bit) -> bool {
        let Bit::Net(net) = bit else { return false };
        self.cells.get(net).is_some_and(|(cell, port)| {
            let table = || cell.parameters.get("INITVAL").map(text);
            cell.kind == "TRELLIS_COMB"
                && *port == "F"
                && mode(cell) == "LOGIC"
                && table().is_some_and(|table| !table.is_empty() && table.bytes().all(|bit| bit == b'0'))
        })
    }
}

fn wire(index: usize, port: &str) -> String {
    format!("c{index}_{port}")
}

/// Cells that are not known here have no outputs; they are refused later.
fn is_output(cell: &Cell, port: &str) -> bool {
    match cell.kind.as_str() {
        "TRELLIS_COMB" => matches!(port, "F" | "FCO" | "OFX"),
        "MULT18X18D" => numbered(port, "P").is_some_and(|index| index < 2 * FACTOR),
        "TRELLIS_IO" if value(cell, "DIR").as_deref() == Some("OUTPUT") => port == "B",
        "TRELLIS_IO" => port == "O",
        _ => false,
    }
}

/// The number after a letter or word.
fn numbered(port: &str, word: &str) -> Option<usize> {
    port.strip_prefix(word)?.parse().ok()
}

/// A parameter's value. nextpnr writes a blank after text that might be a number.
fn value(cell: &Cell, name: &str) -> Option<String> {
    cell.parameters.get(name).map(|value| text(value).trim_end().to_owned())
}

/// What a half of a slice is; nextpnr writes none of tables that stand alone.
fn mode(cell: &Cell) -> String {
    value(cell, "MODE").unwrap_or_else(|| "LOGIC".to_owned())
}

fn refused(name: &str, cell: &Cell, what: &str) -> String {
    format!("cell {name} of type {}: {what}", cell.kind)
}

/// A cell, to be written as an instance.
struct Instance<'m> {
    name: &'m str,
    index: usize,
    cell: &'m Cell,
    nets: &'m Nets<'m>,
}

impl Instance<'_> {
    fn write(&self, body: &mut String) -> Result<(), String> {
        match self.cell.kind.as_str() {
            "TRELLIS_COMB" if mode(self.cell) == "LOGIC" => self.table(body),
            "TRELLIS_COMB" if mode(self.cell) == "CCU2" => self.carry(body),
            "TRELLIS_COMB" => Err(self.refused(&format!("MODE {} is not known here", mode(self.cell)))),
            "TRELLIS_IO" => self.pin(body),
            "MULT18X18D" => self.multiplier(body),
            _ => Err(self.refused("not known here")),
        }
    }

    fn refused(&self, what: &str) -> String {
        refused(self.name, self.cell, what)
    }

    /// The one net of a port, or none where it is open.
    fn bit(&self, port: &str) -> Result<Option<&Bit>, String> {
        match self.cell.connections.get(port).map(Vec::as_slice) {
            None | Some([]) => Ok(None),
            Some([bit]) => Ok(Some(bit)),
            Some(_) => Err(self.refused(&format!("{port} has several bits"))),
        }
    }

    fn input(&self, port: &str) -> Result<Option<&str>, String> {
        let bit = self.bit(port)?;
        bit.map(|bit| self.nets.driver(bit, || self.refused(port))).transpose()
    }

    /// The same of a port that on the chip has one wire, from a port of a neighbour of that mode.
    fn neighbour(&self, port: &str, (other, of): (&str, &str)) -> Result<Option<&str>, String> {
        if let Some(Bit::Net(net)) = self.bit(port)? {
            let driver = self.nets.cells.get(net);
            if !driver.is_some_and(|(cell, port)| cell.kind == "TRELLIS_COMB" && mode(cell) == of && *port == other) {
                return Err(self.refused(&format!("{port} is not {other} of a cell of mode {of}")));
            }
        }
        self.input(port)
    }

    fn connected(&self, port: &str) -> Result<&str, String> {
        self.input(port)?.ok_or_else(|| self.refused(&format!("{port} is open")))
    }

    fn is_open(&self, port: &str) -> bool {
        self.cell.connections.get(port).is_none_or(Vec::is_empty)
    }

    /// No port has a net but those that are known.
    fn only(&self, known: impl Fn(&str) -> bool) -> Result<(), String> {
        let other = self.cell.connections.keys().find(|port| !self.is_open(port) && !known(port));
        other.map_or(Ok(()), |port| Err(self.refused(&format!("a net at {port}, which is not known here"))))
    }

    /// No parameter is there but with values that are known.
    fn parameters(&self, known: impl Fn(&str, &str) -> bool) -> Result<(), String> {
        for name in self.cell.parameters.keys() {
            let value = value(self.cell, name).unwrap_or_default();
            if !known(name, &value) {
                return Err(self.refused(&format!("{name} = {value:?} is not known here")));
            }
        }
        Ok(())
    }

    /// The bits of the table.
    fn initial(&self) -> Result<u16, String> {
        let bits = value(self.cell, "INITVAL").ok_or_else(|| self.refused("it has no INITVAL"))?;
        let table = (bits.len() == 16).then(|| u16::from_str_radix(&bits, 2).ok()).flatten();
        table.ok_or_else(|| self.refused(&format!("INITVAL = {bits:?} is no table of 16 bits")))
    }

    /// The connections of the table's inputs: open ones are 1.
    fn inputs(&self) -> Result<String, String> {
        let mut connections = String::new();
        for port in INPUTS {
            let net = self.input(port)?.unwrap_or("1'b1");
            let _ = write!(connections, ".{}({net}), ", port.to_lowercase());
        }
        Ok(connections)
    }

    /// A table that stands alone, or chooses by M between itself and another table, or between two such choices.
    fn table(&self, body: &mut String) -> Result<(), String> {
        self.only(|port| INPUTS.contains(&port) || matches!(port, "F" | "OFX" | "M" | "F1" | "FXA" | "FXB"))?;
        self.parameters(is_of_half_a_slice)?;
        let (index, initial, inputs) = (self.index, self.initial()?, self.inputs()?);
        let own = format!("t{index}");
        let _ =
            writeln!(body, "wire {own};\ntrellis_table #(.INITVAL(16'h{initial:04x})) u{index} ({inputs}.f({own}));");
        if !self.is_open("F") {
            let _ = writeln!(body, "assign {} = {own};", wire(index, "F"));
        }
        if self.is_open("OFX") {
            return self.only(|port| INPUTS.contains(&port) || port == "F");
        }
        let [f1, fxa, fxb] =
            [("F1", "F"), ("FXA", "OFX"), ("FXB", "OFX")].map(|(port, other)| self.neighbour(port, (other, "LOGIC")));
        let (zero, one) = match (f1?, fxa?, fxb?) {
            (Some(one), None, None) => (own.as_str(), one),
            (None, Some(zero), Some(one)) => (zero, one),
            _ => return Err(self.refused("OFX chooses between nets at neither F1 nor FXA and FXB alone")),
        };
        let (m, chosen) = (self.connected("M")?, wire(index, "OFX"));
        let _ = writeln!(body, "trellis_choice v{index} (.m({m}), .zero({zero}), .one({one}), .ofx({chosen}));");
        Ok(())
    }

    /// A place of a carry chain.
    fn carry(&self, body: &mut String) -> Result<(), String> {
        self.only(|port| INPUTS.contains(&port) || matches!(port, "F" | "FCI" | "FCO"))?;
        self.parameters(is_of_half_a_slice)?;
        let injects = match value(self.cell, "CCU2_INJECT1").as_deref() {
            Some("YES") => true,
            Some(_) => false,
            None => return Err(self.refused("it has no CCU2_INJECT1")),
        };
        let (index, initial, inputs) = (self.index, self.initial()?, self.inputs()?);
        let carry = self.neighbour("FCI", ("FCO", "CCU2"))?;
        if carry.is_none() && (!injects && !self.is_open("F") || !self.is_open("FCO") && self.can_propagate(initial)) {
            return Err(self.refused("FCI is open, and counts"));
        }
        let out = |port: &str| if self.is_open(port) { String::new() } else { wire(index, port) };
        let _ = writeln!(
            body,
            "trellis_carry #(.INITVAL(16'h{initial:04x}), .INJECT(1'b{})) u{index} ({inputs}.fci({}), .f({}), .fco({}));",
            u8::from(injects),
            carry.unwrap_or("1'b0"),
            out("F"),
            out("FCO"),
        );
        Ok(())
    }

    /// Whether the table is 1 for any values of the inputs that have nets.
    fn can_propagate(&self, table: u16) -> bool {
        let open: usize = INPUTS.iter().enumerate().map(|(place, port)| usize::from(self.is_open(port)) << place).sum();
        (0..16).any(|values| values & open == open && table >> values & 1 == 1)
    }

    /// A pin, which is an input or an output.
    fn pin(&self, body: &mut String) -> Result<(), String> {
        self.parameters(|name, value| match name {
            "DIR" => matches!(value, "INPUT" | "OUTPUT"),
            "DATAMUX_ODDR" | "DATAMUX_MDDR" => value == "PADDO",
            _ => false,
        })?;
        let (to, from) = match value(self.cell, "DIR").as_deref() {
            Some("INPUT") => ("O", "B"),
            Some("OUTPUT") => ("B", "I"),
            _ => return Err(self.refused("it has no DIR")),
        };
        self.only(|port| [to, from].contains(&port))?;
        let net = self.connected(from)?;
        if !self.is_open(to) {
            let _ = writeln!(body, "assign {} = {net};", wire(self.index, to));
        }
        Ok(())
    }

    /// A multiplier without registers.
    fn multiplier(&self, body: &mut String) -> Result<(), String> {
        self.parameters(|name, value| match name {
            "REG_INPUTA_CLK" | "REG_INPUTB_CLK" | "REG_INPUTC_CLK" | "REG_PIPELINE_CLK" | "REG_OUTPUT_CLK" => {
                value == "NONE"
            }
            "SOURCEB_MODE" => value == "B_SHIFT",
            "MULT_BYPASS" => value == "DISABLED",
            "CAS_MATCH_REG" => value == "FALSE",
            // They say how registers work.
            "GSR" | "RESETMODE" | "HIGHSPEED_CLK" => true,
            _ if name.starts_with("REG_") => name.ends_with("_CE") || name.ends_with("_RST"),
            _ if name.starts_with("CLK") => name.ends_with("_DIV"),
            // What inputs without a net are.
            _ => name.strip_suffix("MUX").is_some_and(|port| is_factor(port) && matches!(value, "0" | "1")),
        })?;
        self.only(|port| {
            is_factor(port)
                || SIGNS.contains(&port)
                || SOURCES.contains(&port)
                || is_output(self.cell, port)
                || OF_REGISTERS.iter().any(|word| numbered(port, word).is_some())
        })?;
        let mut connections = String::new();
        for port in ["A", "B"].iter().flat_map(|factor| (0..FACTOR).map(move |bit| format!("{factor}{bit}"))) {
            let net = match (self.input(&port)?, value(self.cell, &format!("{port}MUX"))) {
                (Some(net), None) => net.to_owned(),
                (None, Some(constant)) => format!("1'b{constant}"),
                _ => return Err(self.refused(&format!("{port} has neither a net nor a constant, or both"))),
            };
            let _ = write!(connections, ".{port}({net}), ");
        }
        for port in self.cell.connections.keys().filter(|port| is_output(self.cell, port) && !self.is_open(port)) {
            let _ = write!(connections, ".{port}({}), ", wire(self.index, port));
        }
        for port in SOURCES {
            if !self.bit(port)?.is_some_and(|bit| self.nets.is_zero(bit)) {
                return Err(self.refused(&format!("{port} is not the constant 0")));
            }
        }
        let [a, b] = [self.connected(SIGNS[0])?, self.connected(SIGNS[1])?];
        let _ = writeln!(body, "MULT18X18D u{} ({connections}.SIGNEDA({a}), .SIGNEDB({b}));", self.index);
        Ok(())
    }
}

/// Whether half of a slice may have that parameter; the table and what it is are read elsewhere.
fn is_of_half_a_slice(name: &str, value: &str) -> bool {
    match name {
        "INITVAL" | "MODE" => true,
        "CCU2_INJECT1" => matches!(value, "YES" | "NO"),
        // Of memories.
        "WREMUX" => value == "WRE",
        _ => false,
    }
}

/// Whether a multiplier's port is a bit of a factor, or of what only the adder after it reads.
fn is_factor(port: &str) -> bool {
    ["A", "B", "C"].iter().any(|factor| numbered(port, factor).is_some_and(|index| index < FACTOR))
}
