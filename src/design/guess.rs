//! A first design file for a module whose ports are known: what their names and widths suggest, and what they do not is marked.

use std::fmt::Write as _;

use super::ports::{Direction, Port};
use crate::describe::interface::Interface;

/// What a design file is made of.
pub struct Subject<'a> {
    pub name: &'a str,
    pub top: &'a str,
    /// Files, as the design file is to name them.
    pub sources: &'a [String],
    pub include: &'a [String],
    /// Parameters and macros, with values as TOML has them.
    pub parameters: &'a [(String, String)],
    pub defines: &'a [(String, String)],
    pub ports: &'a [Port],
    /// The unit or the instruction that it should equal, as it is to be named, and its interface.
    pub equals: Option<(&'a str, &'a Interface)>,
}

/// A design file, and what in it is no more than a mark for what is not known.
pub struct Guess {
    pub text: String,
    /// A line each, for people.
    pub unknown: Vec<String>,
    /// Whether the design says itself when a result is there.
    pub says_valid: bool,
    pub clocked: bool,
}

/// Stands for what could not be guessed; no port has that name.
const UNKNOWN: &str = "?";

/// Endings and beginnings that say a direction, or nothing.
const DECORATION: [&str; 10] = ["_i", "_o", "_in", "_out", "i_", "o_", "in_", "out_", "s_", "m_"];

/// What each operand is often called, without decoration.
const NAMES: [(&str, bool, &[&str]); 7] = [
    ("a", true, &["a", "op_a", "opa", "operand_a", "a_data", "data_a", "x", "vec_a", "a_vec", "lhs"]),
    ("b", true, &["b", "op_b", "opb", "operand_b", "b_data", "data_b", "y", "vec_b", "b_vec", "rhs", "w", "weight"]),
    ("scale_a", true, &["scale_a", "a_scale", "sa", "scalea", "sfa"]),
    ("scale_b", true, &["scale_b", "b_scale", "sb", "scaleb", "sfb"]),
    ("c", true, &["c", "op_c", "opc", "acc", "addend", "accumulator", "z", "c_data", "data_c", "psum", "bias"]),
    (
        "d",
        false,
        &["d", "q", "r", "y", "z", "s", "p", "res", "result", "out", "o", "sum", "dot", "d_data", "data", "acc", "fp"],
    ),
    ("flags", false, &["flags", "fflags", "status", "exceptions", "exc"]),
];

/// Writes a first design file.
pub fn guess(subject: &Subject) -> Guess {
    let mut guessing = Guessing { ports: subject.ports, used: vec![false; subject.ports.len()], unknown: Vec::new() };
    let control = guessing.control();
    let operands = guessing.operands(subject.equals.map(|(_, interface)| interface));
    let says_valid = control.output_valid.is_some();
    let clocked = control.clock.is_some();
    let mut text = head(subject);
    text += &operands;
    text += &guessing.ties();
    text += &control.text(says_valid);
    Guess { text, unknown: guessing.unknown, says_valid, clocked }
}

fn head(subject: &Subject) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let list = |all: &[String]| all.iter().map(|one| quoted(one)).collect::<Vec<_>>().join(", ");
    let mut text = format!("name    = {}\n", quoted(subject.name));
    if let Some((name, _)) = subject.equals {
        let _ = writeln!(text, "equals  = {}", quoted(name));
    }
    let _ = writeln!(text, "top     = {}\nsources = [{}]", quoted(subject.top), list(subject.sources));
    if !subject.include.is_empty() {
        let _ = writeln!(text, "include = [{}]", list(subject.include));
    }
    for (table, values) in [("parameters", subject.parameters), ("defines", subject.defines)] {
        if !values.is_empty() {
            let lines: String = values.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
            let _ = write!(text, "\n[{table}]\n{lines}");
        }
    }
    text
}

/// Ports, and which of them have a use.
struct Guessing<'a> {
    ports: &'a [Port],
    used: Vec<bool>,
    unknown: Vec<String>,
}

/// Ports that say when.
#[derive(Default)]
struct Control {
    clock: Option<String>,
    enable: Option<String>,
    reset: Option<(String, bool)>,
    input_valid: Option<String>,
    input_ready: Option<String>,
    output_valid: Option<String>,
    output_ready: Option<String>,
}

impl Guessing<'_> {
    /// Takes the first port of one bit with that direction whose name is one of these or has one of these parts.
    fn bit(&mut self, direction: Direction, exact: &[&str], parts: &[&str]) -> Option<String> {
        let is_free = |index: &usize| {
            let port = &self.ports[*index];
            !self.used[*index] && port.direction == direction && port.bits() == 1
        };
        let named = |test: &dyn Fn(&str) -> bool| {
            (0..self.ports.len()).filter(is_free).find(|&index| test(&self.ports[index].name.to_lowercase()))
        };
        let found = named(&|name| exact.contains(&bare(name)) || exact.contains(&name))
            .or_else(|| named(&|name| parts.iter().any(|part| name.contains(part))))?;
        self.used[found] = true;
        Some(self.ports[found].name.clone())
    }

    fn control(&mut self) -> Control {
        let (input, output) = (Direction::Input, Direction::Output);
        let clock = self.bit(input, &["clk", "clock", "aclk", "ck"], &["clk", "clock"]);
        let reset = self.bit(input, &["rst", "reset", "rstn", "rst_n", "resetn"], &["rst", "reset"]);
        let low = |name: &str| {
            let name = name.to_lowercase();
            let name = name.trim_end_matches("_i").trim_end_matches("_in");
            name.ends_with('n') || name.ends_with("_b") || name.ends_with("_ni") || name.starts_with('n')
        };
        Control {
            reset: reset.map(|name| (name.clone(), low(&name))),
            input_valid: self.bit(input, &["valid", "vld", "start", "go"], &["valid", "vld", "start"]),
            input_ready: self.bit(output, &["ready", "rdy", "idle"], &["ready", "rdy", "idle"]),
            output_valid: self.bit(output, &["valid", "vld", "done"], &["valid", "vld", "done"]),
            output_ready: self.bit(input, &["ready", "rdy", "ack"], &["ready", "rdy", "ack"]),
            enable: clock
                .as_ref()
                .and_then(|_| self.bit(input, &["ce", "en", "enable", "clk_en"], &["clk_en", "clken"])),
            clock,
        }
    }

    fn operands(&mut self, interface: Option<&Interface>) -> String {
        let mut text = "\n[ports]\n".to_owned();
        for (operand, is_input, names) in NAMES {
            let bits = interface.map(|interface| bits_of(interface, operand));
            // Without an interface a, b and d are there, the rest may be.
            let wanted = bits.map_or(!matches!(operand, "scale_a" | "scale_b" | "flags"), |bits| bits > 0);
            if !wanted {
                continue;
            }
            let direction = if is_input { Direction::Input } else { Direction::Output };
            let found = self.operand(names, direction, bits.map(|bits| bits as usize));
            if found.is_none() && interface.is_none() && operand == "c" {
                continue;
            }
            if found.is_none() {
                self.unknown.push(format!("ports.{operand}: which port has it"));
            }
            let value = found.unwrap_or_else(|| format!("{UNKNOWN:?}  # not known: the port of {operand}"));
            let _ = writeln!(text, "{operand} = {value}");
        }
        text
    }

    /// The port of an operand by its name, then by its width; or ports of its elements.
    fn operand(&mut self, names: &[&str], direction: Direction, bits: Option<usize>) -> Option<String> {
        let free: Vec<usize> = (0..self.ports.len())
            .filter(|&index| {
                !self.used[index] && self.ports[index].direction == direction && self.ports[index].bits() > 1
            })
            .collect();
        let fits = |index: &usize| bits.is_none_or(|bits| self.ports[*index].bits() == bits);
        let named = names.iter().find_map(|name| {
            free.iter().copied().filter(fits).find(|&index| bare(&self.ports[index].name.to_lowercase()) == *name)
        });
        if let Some(index) = named {
            self.used[index] = true;
            return Some(format!("{:?}", self.ports[index].name));
        }
        // a0, a1, a2, ... and a_0, a_1, ...
        let numbered = names.iter().find_map(|name| {
            let at = |number: usize| {
                free.iter().copied().find(|&index| {
                    let own = self.ports[index].name.to_lowercase();
                    let own = bare(&own).to_owned();
                    own == format!("{name}{number}") || own == format!("{name}_{number}")
                })
            };
            let all: Vec<usize> = (0..).map_while(at).collect();
            let whole: usize = all.iter().map(|&index| self.ports[index].bits()).sum();
            (!all.is_empty() && bits.is_none_or(|bits| bits == whole)).then_some(all)
        });
        if let Some(all) = numbered {
            all.iter().for_each(|&index| self.used[index] = true);
            let names: Vec<String> = all.iter().map(|&index| format!("{:?}", self.ports[index].name)).collect();
            return Some(format!("[{}]", names.join(", ")));
        }
        // The only one of that width that is left.
        let mut wide = free.iter().copied().filter(fits);
        let (first, second) = (wide.next(), wide.next());
        if let (Some(index), None, true) = (first, second, bits.is_some() || direction == Direction::Output) {
            self.used[index] = true;
            return Some(format!("{:?}", self.ports[index].name));
        }
        None
    }

    /// Inputs that are left.
    fn ties(&mut self) -> String {
        let left =
            self.ports.iter().zip(&self.used).filter(|(port, used)| !**used && port.direction == Direction::Input);
        let mut text = String::new();
        for (port, _) in left {
            let _ = writeln!(text, "{} = 0  # not known: {} bits", port.name, port.bits());
            self.unknown.push(format!(
                "ties.{}: which value the input has, of {} bits; 0 is written",
                port.name,
                port.bits()
            ));
        }
        if text.is_empty() { text } else { format!("\n[ties]\n{text}") }
    }
}

impl Control {
    fn text(&self, says_valid: bool) -> String {
        let mut text = String::new();
        let Some(clock) = &self.clock else { return text };
        let _ = write!(text, "\n[clock]\nport = {clock:?}\n");
        if let Some(enable) = &self.enable {
            let _ = writeln!(text, "enable = {enable:?}");
        }
        if let Some((reset, low)) = &self.reset {
            let active = if *low { "low" } else { "high" };
            let _ = write!(text, "\n[reset]\nport   = {reset:?}\nactive = {active:?}\n");
        }
        if !says_valid {
            text += "\n[timing]\nlatency = 1  # not known\n";
        }
        let tables =
            [("input", &self.input_valid, &self.input_ready), ("output", &self.output_valid, &self.output_ready)];
        for (table, valid, ready) in tables {
            if valid.is_some() || ready.is_some() {
                let _ = write!(text, "\n[{table}]\n");
                let lines = [("valid", valid), ("ready", ready)];
                for (name, port) in lines.iter().filter_map(|(name, port)| Some((name, port.as_ref()?))) {
                    let _ = writeln!(text, "{name} = {port:?}");
                }
            }
        }
        text
    }
}

/// A name without what says its direction.
fn bare(name: &str) -> &str {
    let without = |name: &mut &str| {
        let shorter = DECORATION.iter().find_map(|part| match part.starts_with('_') {
            true => name.strip_suffix(part),
            false => name.strip_prefix(part),
        });
        shorter.filter(|shorter| !shorter.is_empty()).map(|shorter| *name = shorter).is_some()
    };
    let mut name = name;
    while without(&mut name) {}
    name
}

fn bits_of(interface: &Interface, operand: &str) -> u32 {
    let (formats, scales) = (&interface.formats, interface.scales.as_ref());
    let count = interface.scale_count();
    match operand {
        "a" => interface.products * formats.a.width(),
        "b" => interface.products * formats.b.width(),
        "scale_a" => scales.map_or(0, |scales| count * scales.a.width()),
        "scale_b" => scales.map_or(0, |scales| count * scales.b.width()),
        "c" if interface.has_addend() => formats.c.width(),
        "d" => formats.d.width(),
        "flags" if interface.flags => crate::describe::unit::Flags::WIDTH,
        _ => 0,
    }
}
