//! The module around a design: it has the ports that the harness drives, and connects them with those of the design.

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use serde::Serialize;
use tera::Context;

use super::file::{Constant, Design, Edge, Level, Order, Places, is_identifier};
use super::place::{Piece, pieces};
use super::ports::{Direction, Port};
use crate::describe::interface::Interface;
use crate::describe::unit::{FileError, Flags};
use crate::emit::templates;

/// Name of the module.
pub const MODULE: &str = "tensorsmith_design";

const TEMPLATE: &str = "design.sv";

/// The module's text, and what the harness has to know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrapper {
    pub text: String,
    /// Names of the harness without their prefix, and values.
    pub definitions: Vec<(&'static str, u32)>,
}

/// How the module is driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driven {
    /// By a harness.
    Clocked,
    /// By a harness, with inputs that number the vectors in a waveform.
    Shown,
    /// Without a stop: a vector in every clock, out of reset.
    Steadily,
}

/// A connection of bits: what is written, and what it gets.
#[derive(Serialize)]
struct Assignment {
    to: String,
    from: String,
}

/// A port of the design.
#[derive(Serialize)]
struct Connection {
    name: String,
    /// The wire of that port; none for an output that nobody reads.
    wire: Option<String>,
    packed: String,
    unpacked: String,
}

/// What is being connected.
struct Connecting<'a> {
    design: &'a Design,
    ports: &'a [Port],
    /// Which field drives each bit of each port.
    driven: Vec<Vec<Option<String>>>,
    /// Ports of the design that are read.
    read: Vec<bool>,
    assignments: Vec<Assignment>,
}

/// The module around a design whose ports are these, for an interface.
///
/// # Errors
/// The file and the ports, or the file and the interface, do not fit each other.
pub fn wrapper(design: &Design, ports: &[Port], interface: &Interface, driven: Driven) -> Result<Wrapper, FileError> {
    let mut connecting = Connecting {
        design,
        ports,
        driven: ports.iter().map(|port| vec![None; port.bits()]).collect(),
        read: vec![false; ports.len()],
        assignments: Vec::new(),
    };
    connecting.check_ports()?;
    let operands = operands(design, interface)?;
    for operand in &operands {
        connecting.operand(operand)?;
    }
    for (place, constant) in &design.said.ties {
        connecting.tie(place, constant)?;
    }
    connecting.control()?;
    connecting.check_driven()?;
    let text = connecting.text(&operands, driven);
    Ok(Wrapper { text, definitions: definitions(design, interface) })
}

/// An operand or a result.
#[derive(Serialize)]
struct Operand<'a> {
    /// Its field in the table `ports`.
    name: &'static str,
    is_input: bool,
    elements: u32,
    element_width: u32,
    width: u32,
    #[serde(skip)]
    places: &'a Places,
    reversed: bool,
}

/// All that the interface has, with their places.
fn operands<'a>(design: &'a Design, interface: &Interface) -> Result<Vec<Operand<'a>>, FileError> {
    let (ports, formats) = (&design.said.ports, &interface.formats);
    let scales = interface.scales.as_ref();
    let scale_width = |width: fn(&crate::describe::unit::Scales) -> u32| scales.map_or(0, width);
    let count = interface.scale_count();
    let rows = [
        ("a", true, interface.products, formats.a.width(), Some(&ports.a)),
        ("b", true, interface.products, formats.b.width(), Some(&ports.b)),
        ("scale_a", true, count, scale_width(|scales| scales.a.width()), ports.scale_a.as_ref()),
        ("scale_b", true, count, scale_width(|scales| scales.b.width()), ports.scale_b.as_ref()),
        ("c", true, u32::from(interface.has_addend()), formats.c.width(), ports.c.as_ref()),
        ("d", false, 1, formats.d.width(), Some(&ports.d)),
        ("flags", false, u32::from(interface.flags), Flags::WIDTH, ports.flags.as_ref()),
    ];
    let mut operands = Vec::new();
    for (name, is_input, elements, element_width, places) in rows {
        let field = format!("ports.{name}");
        match (elements, places) {
            (0, Some(_)) if is_input => {
                return Err(design.refuse(&field, "there", format!("no such port: {} takes none", interface.name)));
            }
            (0, _) => {}
            (_, None) => {
                let allowed = format!("a port: {} has {elements} of {element_width} bits", interface.name);
                return Err(design.refuse(&field, "missing", allowed));
            }
            (_, Some(places)) => operands.push(Operand {
                name,
                is_input,
                elements,
                element_width,
                width: elements * element_width,
                places,
                reversed: places.flat().1 == Order::Descending && elements > 1,
            }),
        }
    }
    Ok(operands)
}

impl Connecting<'_> {
    /// The pieces of a place in ports of that direction.
    fn pieces(&mut self, field: &str, place: &str, wanted: Direction) -> Result<Vec<Piece>, FileError> {
        let found = pieces(place, self.ports).map_err(|(value, allowed)| self.design.refuse(field, value, allowed))?;
        for piece in &found {
            let port = &self.ports[piece.port];
            if port.direction != wanted {
                let wanted = if wanted == Direction::Input { "an input" } else { "an output" };
                let value = format!("{place:?}, which is none in {}", port.place);
                return Err(self.design.refuse(field, value, format!("{wanted} of the design")));
            }
            self.read[piece.port] |= wanted == Direction::Output;
            if wanted == Direction::Input {
                for bit in &mut self.driven[piece.port][piece.first..piece.first + piece.bits] {
                    if let Some(other) = bit.replace(field.to_owned()) {
                        let value = format!("{place:?}, which `{other}` drives too");
                        return Err(self.design.refuse(field, value, "each bit of an input once"));
                    }
                }
            }
        }
        Ok(found)
    }

    fn wire(&self, piece: &Piece) -> String {
        format!("design_{}{}", self.ports[piece.port].name, piece.select)
    }

    fn operand(&mut self, operand: &Operand) -> Result<(), FileError> {
        let field = format!("ports.{}", operand.name);
        let wanted = if operand.is_input { Direction::Input } else { Direction::Output };
        let (places, _) = operand.places.flat();
        let mut found = Vec::new();
        for place in &places {
            found.extend(self.pieces(&field, place, wanted)?);
        }
        let bits: usize = found.iter().map(|piece| piece.bits).sum();
        if bits != operand.width as usize {
            let shapes = found.iter().map(|piece| piece.port).collect::<std::collections::BTreeSet<_>>();
            let shapes = shapes.into_iter().map(|port| {
                let port = &self.ports[port];
                format!("{} {} in {}", port.shape(), port.name, port.place)
            });
            let value = format!("{places:?}, {bits} bits ({})", shapes.collect::<Vec<_>>().join(", "));
            let (elements, width) = (operand.elements, operand.element_width);
            let allowed = format!("{} bits: {elements} of {width}", operand.width);
            return Err(self.design.refuse(&field, value, allowed));
        }
        let name = match (operand.is_input, operand.reversed) {
            (true, false) => format!("{}_i", operand.name),
            (true, true) => format!("{}_ordered", operand.name),
            (false, _) => format!("{}_o", operand.name),
        };
        let mut first = 0;
        for piece in &found {
            let own = format!("{name}[{first} +: {}]", piece.bits);
            let (to, from) = if operand.is_input { (self.wire(piece), own) } else { (own, self.wire(piece)) };
            self.assignments.push(Assignment { to, from });
            first += piece.bits;
        }
        Ok(())
    }

    fn tie(&mut self, place: &str, constant: &Constant) -> Result<(), FileError> {
        let field = format!("ties.{place}");
        let found = self.pieces(&field, place, Direction::Input)?;
        let bits: usize = found.iter().map(|piece| piece.bits).sum();
        let value = match constant {
            Constant::Number(number) => Some(UBig::from(*number)),
            Constant::Digits(text) => {
                let digits = text.strip_prefix("0x").map(|digits| UBig::from_str_radix(digits, 16));
                digits.and_then(Result::ok)
            }
        };
        let Some(value) = value.filter(|value| value.bit_len() <= bits) else {
            let shown = match constant {
                Constant::Number(number) => number.to_string(),
                Constant::Digits(text) => format!("{text:?}"),
            };
            return Err(self.design.refuse(&field, shown, format!("a value of {bits} bits, such as 1 or \"0x1\"")));
        };
        let mut rest = value;
        for piece in &found {
            let low = &rest & ((UBig::ONE << piece.bits) - 1u8);
            let from = format!("{}'h{}", piece.bits, low.in_radix(16));
            self.assignments.push(Assignment { to: self.wire(piece), from });
            rest >>= piece.bits;
        }
        Ok(())
    }

    /// Clock, reset and the ports that say when.
    fn control(&mut self) -> Result<(), FileError> {
        let said = &self.design.said;
        let (input, output) = (said.input.as_ref(), said.output.as_ref());
        let clock = said.clock.as_ref();
        let edge = |clock: &super::file::Clock| if clock.edge == Edge::Rising { "clk_i" } else { "~clk_i" };
        let level = |reset: &super::file::Reset| if reset.active == Level::High { "rst_i" } else { "~rst_i" };
        let inputs = [
            ("clock.port", clock.map(|clock| &clock.port), clock.map_or("", edge)),
            ("clock.enable", clock.and_then(|clock| clock.enable.as_ref()), "ce_i"),
            ("reset.port", said.reset.as_ref().map(|reset| &reset.port), said.reset.as_ref().map_or("", level)),
            ("input.valid", input.and_then(|input| input.valid.as_ref()), "valid_i"),
            ("output.ready", output.and_then(|output| output.ready.as_ref()), "ready_i"),
        ];
        for (field, place, from) in inputs {
            let Some(place) = place else { continue };
            let to = self.bit(field, place, Direction::Input)?;
            self.assignments.push(Assignment { to, from: from.to_owned() });
        }
        let outputs = [
            ("input.ready", input.and_then(|input| input.ready.as_ref()), "ready_o", "1'b1"),
            ("output.valid", output.and_then(|output| output.valid.as_ref()), "valid_o", "1'b0"),
        ];
        for (field, place, to, without) in outputs {
            let from = match place {
                Some(place) => self.bit(field, place, Direction::Output)?,
                None => without.to_owned(),
            };
            self.assignments.push(Assignment { to: to.to_owned(), from });
        }
        Ok(())
    }

    /// A place of one bit.
    fn bit(&mut self, field: &str, place: &str, wanted: Direction) -> Result<String, FileError> {
        let found = self.pieces(field, place, wanted)?;
        match &found[..] {
            [piece] if piece.bits == 1 => Ok(self.wire(piece)),
            _ => Err(self.design.refuse(field, format!("{place:?}"), "a port of one bit, or one bit of a port")),
        }
    }

    fn check_ports(&self) -> Result<(), FileError> {
        match self.ports.iter().find(|port| port.direction == Direction::Other) {
            Some(port) => {
                let value = format!("with the port {} in {}", port.name, port.place);
                Err(self.design.refuse("top", value, "inputs and outputs: nothing else can be driven"))
            }
            None => Ok(()),
        }
    }

    fn check_driven(&self) -> Result<(), FileError> {
        for (port, driven) in self.ports.iter().zip(&self.driven) {
            let is_named = self.read.iter().zip(self.ports).any(|(read, own)| *read && own == port)
                || port.direction == Direction::Input;
            if is_named && !is_identifier(&port.name) {
                let value = format!("with a port {:?} in {}", port.name, port.place);
                return Err(self.design.refuse("top", value, "ports with names of letters, digits and _"));
            }
            let open = driven.iter().filter(|bit| bit.is_none()).count();
            if port.direction == Direction::Input && open > 0 {
                let what = if open == driven.len() { String::new() } else { format!("{open} bits of ") };
                let value =
                    format!("without a value for {what}the input `{} {}` in {}", port.shape(), port.name, port.place);
                let allowed = "each input among `ports`, `ties`, `clock`, `reset`, `input` or `output`";
                return Err(self.design.refuse("ties", value.trim_start(), allowed));
            }
        }
        Ok(())
    }

    fn text(self, operands: &[Operand], driven: Driven) -> String {
        let said = &self.design.said;
        let connections = self.ports.iter().zip(&self.read).map(|(port, &read)| Connection {
            name: port.name.clone(),
            wire: (read || port.direction == Direction::Input).then(|| format!("design_{}", port.name)),
            packed: port.packed.iter().chain([&port.vector]).map(ToString::to_string).collect(),
            unpacked: port.unpacked.iter().map(ToString::to_string).collect(),
        });
        let is_vhdl = super::is_vhdl(said);
        let parameters = said.parameters.iter().filter(|_| !is_vhdl);
        let parameters: Vec<Assignment> =
            parameters.map(|(name, value)| Assignment { to: name.clone(), from: super::literal(value) }).collect();
        let mut context = Context::new();
        context.insert("module", MODULE);
        context.insert("name", &said.name);
        context.insert("top", &said.top);
        context.insert("operands", operands);
        context.insert("outputs", &operands.iter().filter(|operand| !operand.is_input).collect::<Vec<_>>());
        context.insert("wave", &(driven == Driven::Shown));
        context.insert("steady", &(driven == Driven::Steadily));
        context.insert("connections", &connections.collect::<Vec<_>>());
        context.insert("parameters", &parameters);
        context.insert("assignments", &self.assignments);
        let texts = [(TEMPLATE, include_str!("../../templates/design.sv.tera"))];
        let rendered = templates(&texts).and_then(|templates| templates.render(TEMPLATE, &context));
        rendered.unwrap_or_else(|error| panic!("the template of the module around a design: {error}"))
    }
}

fn definitions(design: &Design, interface: &Interface) -> Vec<(&'static str, u32)> {
    let (said, formats) = (&design.said, &interface.formats);
    let (clock, reset, timing) = (said.clock.as_ref(), said.reset.as_ref(), &said.timing);
    let scales = interface.scales.as_ref();
    let output = said.output.as_ref();
    vec![
        ("PRODUCTS", interface.products),
        ("A_WIDTH", formats.a.width()),
        ("B_WIDTH", formats.b.width()),
        ("C_WIDTH", if interface.has_addend() { formats.c.width() } else { 0 }),
        ("D_WIDTH", formats.d.width()),
        ("FLAGS_WIDTH", if interface.flags { Flags::WIDTH } else { 0 }),
        ("SCALES", interface.scale_count()),
        ("SCALE_A_WIDTH", scales.map_or(0, |scales| scales.a.width())),
        ("SCALE_B_WIDTH", scales.map_or(0, |scales| scales.b.width())),
        ("CLOCKED", clock.is_some().into()),
        ("INTERVAL", timing.interval.unwrap_or(1)),
        ("HOLDS", timing.hold.into()),
        ("ENABLED", clock.is_some_and(|clock| clock.enable.is_some()).into()),
        ("SAYS_VALID", output.is_some_and(|output| output.valid.is_some()).into()),
        ("WAITS", output.is_some_and(|output| output.ready.is_some()).into()),
        ("RESETS", reset.is_some().into()),
        ("RESET_CYCLES", reset.map_or(0, |reset| reset.cycles)),
        ("RESET_FREE", reset.is_some_and(|reset| !reset.synchronous).into()),
    ]
}
