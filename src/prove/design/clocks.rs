//! A design's result as a function of the operands of one vector: which clock takes them, and at which the result is there.

use crate::describe::interface::Interface;
use crate::design::Design;
use crate::prove::aig::{Aig, Bits, Literal};
use crate::prove::netlist::{Bit, Kind, Loose, Netlist, NetlistError, Unrolled};

/// Clocks that a design may have to be ready, and to say that its result is there.
const CLOCKS: u32 = 256;

/// What a result was found under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// There is no clock.
    Combinational,
    /// Whatever comes before and after, with the enable tied and the reset inactive.
    AnyTraffic,
    /// One vector after a reset, and nothing before and after it.
    Alone,
}

impl Setting {
    /// For people, after a number of clocks.
    pub fn sentence(self) -> &'static str {
        match self {
            Setting::Combinational => "without a clock",
            Setting::AnyTraffic => {
                "whatever vectors come before and after, whenever an enable stops it, with the reset inactive"
            }
            Setting::Alone => {
                "for one vector after a reset, without others, gaps, stops or resets: the effect of handshakes and of \
                 earlier vectors is not proved"
            }
        }
    }
}

/// The operands of a vector in the order of the wrapper's ports, and their values.
pub type Given<'a> = [(&'a str, Bits)];

/// A result as a function.
#[derive(Debug, Clone)]
pub struct Timed {
    /// The result with the flags above it.
    pub result: Bits,
    pub setting: Setting,
    /// Clocks from the one that takes the vector to the one in which the result is there.
    pub latency: u32,
    pub register_bits: usize,
    /// Ports that say when a result is there or a vector is taken.
    pub control: Vec<Control>,
    /// What it may depend on beside the operands, of which something is in its cone.
    pub loose: Vec<Loose>,
}

/// A port of one bit that the design file names, and its value at a clock.
#[derive(Debug, Clone)]
pub struct Control {
    /// Its field in the design file.
    pub name: &'static str,
    pub expected: Literal,
    pub found: Literal,
    /// What it may depend on beside the operands.
    pub loose: Vec<Loose>,
}

impl Timed {
    /// The first thing that decides over the result or a port and is no operand: whose, and what.
    fn unsettled(&self) -> Option<(&'static str, &str)> {
        let all = [("the result", &self.loose)];
        let controls = self.control.iter().map(|control| (control.name, &control.loose));
        all.into_iter().chain(controls).find_map(|(name, loose)| {
            let other = loose.iter().find(|loose| !loose.undefined)?;
            Some((name, other.what.as_str()))
        })
    }
}

/// Why there is no such function.
#[derive(Debug, thiserror::Error)]
pub enum Unsupported {
    #[error("{0}")]
    Netlist(#[from] NetlistError),
    #[error("{0}")]
    Timing(String),
}

/// The function of a design in its wrapper.
///
/// # Errors
/// The design is not supported, because of what is said.
pub fn timed(
    aig: &mut Aig,
    netlist: &Netlist,
    design: &Design,
    interface: &Interface,
    operands: &Given,
) -> Result<Timed, Unsupported> {
    let said = &design.said;
    if said.clock.is_none() {
        let mut run = Run::new(netlist, interface, operands);
        run.offer(Some(0), false);
        return run.finish(aig, Setting::Combinational, [0, 0]);
    }
    if let Some(latency) = said.timing.latency {
        // Where that function has other things in it, they may be settled by a reset.
        let steady = steady(aig, netlist, design, interface, operands, latency)?;
        match steady.unsettled() {
            None => return Ok(steady),
            Some((name, what)) if said.reset.is_none() => {
                let when = format!("{latency} clocks after a vector is taken");
                return Err(Unsupported::Timing(format!("{when}, {name} depends on {what}")));
            }
            Some(_) => {}
        }
    }
    alone(aig, netlist, design, interface, operands)
}

/// A wrapper's netlist, driven.
struct Run<'n, 'a> {
    netlist: &'n Netlist,
    interface: &'a Interface,
    operands: &'a Given<'a>,
    unrolled: Unrolled<'n>,
}

impl<'n, 'a> Run<'n, 'a> {
    fn new(netlist: &'n Netlist, interface: &'a Interface, operands: &'a Given<'a>) -> Run<'n, 'a> {
        let clock = port(&netlist.inputs, "clk_i").first().copied();
        let mut run = Run { netlist, interface, operands, unrolled: Unrolled::new(netlist, clock) };
        run.tie("ce_i", None, true);
        run.tie("ready_i", None, true);
        run.tie("rst_i", None, false);
        run
    }

    fn tie(&mut self, name: &str, clock: Option<u32>, value: bool) {
        self.unrolled.give(port(&self.netlist.inputs, name), clock, &[Literal::constant(value)]);
    }

    /// Offers the vector at a clock; with `hold` the operands stand still at all others too.
    fn offer(&mut self, clock: Option<u32>, hold: bool) {
        for (name, values) in self.operands {
            let bits = port(&self.netlist.inputs, name);
            self.unrolled.give(bits, if hold { None } else { clock }, values);
        }
        self.tie("valid_i", clock, true);
    }

    /// The result at a clock, and what else is in its cone.
    fn finish(mut self, aig: &mut Aig, setting: Setting, [taken, there]: [u32; 2]) -> Result<Timed, Unsupported> {
        let mut result = Bits::new();
        for (name, width) in [("d_o", self.interface.formats.d.width()), ("flags_o", self.flags())] {
            let bits = port(&self.netlist.outputs, name);
            if bits.len() != width as usize {
                return Err(Unsupported::Timing(format!("{name} has {} bits instead of {width}", bits.len())));
            }
            result.extend(self.unrolled.bits(aig, bits, there)?);
        }
        let cone = aig.cone(&result);
        let mut loose = self.unrolled.loose;
        loose.retain(|loose| cone.binary_search(&loose.literal.node()).is_ok());
        let register_bits = self.unrolled.registers.len();
        Ok(Timed { result, setting, latency: there - taken, register_bits, control: Vec::new(), loose })
    }

    /// An output of one bit at a clock, and what it may depend on beside the operands.
    fn output(mut self, aig: &mut Aig, name: &str, clock: u32) -> Result<(Literal, Vec<Loose>), Unsupported> {
        let found = self.unrolled.bits(aig, port(&self.netlist.outputs, name), clock)?[0];
        let cone = aig.cone(&[found]);
        let mut loose = self.unrolled.loose;
        loose.retain(|loose| cone.binary_search(&loose.literal.node()).is_ok());
        Ok((found, loose))
    }

    fn flags(&self) -> u32 {
        if self.interface.flags { crate::describe::unit::Flags::WIDTH } else { 0 }
    }

    /// An output of one bit that has to be constant at a clock.
    fn says(&mut self, aig: &mut Aig, name: &str, clock: u32) -> Result<bool, Unsupported> {
        let value = self.unrolled.bits(aig, port(&self.netlist.outputs, name), clock)?;
        match value[..] {
            [Literal::TRUE] => Ok(true),
            [Literal::FALSE] => Ok(false),
            _ => {
                let cone = aig.cone(&value);
                let on = self.unrolled.loose.iter().find(|loose| cone.binary_search(&loose.literal.node()).is_ok());
                let on = on.map_or("the operands", |loose| &loose.what);
                let what = if name == "ready_o" { "input.ready" } else { "output.valid" };
                Err(Unsupported::Timing(format!(
                    "{what} depends on {on} at clock {clock} from the first one of the reset"
                )))
            }
        }
    }
}

/// Clocks after a result in which there must be no other.
const QUIET: u32 = 16;

impl Run<'_, '_> {
    /// The clock in which `output.valid` is high, and in no other near it.
    fn first_result(&mut self, aig: &mut Aig, taken: u32, latency: Option<u32>) -> Result<u32, Unsupported> {
        let mut there = taken;
        while !self.says(aig, "valid_o", there)? {
            there += 1;
            if there > taken + CLOCKS.max(latency.unwrap_or(0)) {
                return Err(Unsupported::Timing(format!("it gives no result within {CLOCKS} clocks")));
            }
        }
        if let Some(latency) = latency.filter(|latency| there != taken + latency) {
            let found = there - taken;
            return Err(Unsupported::Timing(format!("output.valid is high after {found} clocks, not {latency}")));
        }
        for clock in there + 1..=there + QUIET {
            if self.says(aig, "valid_o", clock)? {
                let after = clock - there;
                return Err(Unsupported::Timing(format!("output.valid is high again {after} clocks after the result")));
            }
        }
        Ok(there)
    }
}

fn port<'n>(ports: &'n [(String, Vec<Bit>)], name: &str) -> &'n [Bit] {
    ports.iter().find(|(port, _)| port == name).map_or(&[], |(_, bits)| bits)
}

/// A vector at clock 0 of a design that runs: anything may have come before and may come after.
fn steady(
    aig: &mut Aig,
    netlist: &Netlist,
    design: &Design,
    interface: &Interface,
    operands: &Given,
    latency: u32,
) -> Result<Timed, Unsupported> {
    let said = &design.said;
    let offered = || {
        let mut run = Run::new(netlist, interface, operands);
        run.offer(Some(0), said.timing.hold);
        run
    };
    let mut timed = offered().finish(aig, Setting::AnyTraffic, [0, latency])?;
    let mut check = |name, run: Run, port: &str, clock, expected, aig: &mut Aig| {
        let (found, loose) = run.output(aig, port, clock)?;
        timed.control.push(Control { name, expected, found, loose });
        Ok::<(), Unsupported>(())
    };
    if said.output.as_ref().is_some_and(|output| output.valid.is_some()) {
        // A clock with a vector, or one without: as long before, that is what the port says.
        let mut run = offered();
        let has_valid = said.input.as_ref().is_some_and(|input| input.valid.is_some());
        let vector = if has_valid { aig.input() } else { Literal::TRUE };
        run.unrolled.give(port(&netlist.inputs, "valid_i"), Some(0), &[vector]);
        check("output.valid", run, "valid_o", latency, vector, aig)?;
    }
    if said.input.as_ref().is_some_and(|input| input.ready.is_some()) {
        check("input.ready", offered(), "ready_o", 0, Literal::TRUE, aig)?;
    }
    if said.clock.as_ref().is_some_and(|clock| clock.enable.is_some()) {
        stopped(aig, netlist, interface, operands)?;
    }
    Ok(timed)
}

/// That every register keeps its value while the enable is low.
fn stopped(aig: &mut Aig, netlist: &Netlist, interface: &Interface, operands: &Given) -> Result<(), Unsupported> {
    let mut run = Run::new(netlist, interface, operands);
    run.tie("ce_i", Some(0), false);
    let registers = netlist.cells.iter().filter(|cell| cell.kind == Kind::Register);
    for cell in registers {
        let [before, after] = [0, 1].map(|clock| run.unrolled.bits(aig, &cell.result, clock));
        if before? != after? {
            let source = &cell.source;
            return Err(Unsupported::Timing(format!("the register in {source} may change while clock.enable is low")));
        }
    }
    Ok(())
}

/// A vector after a reset, and no other.
fn alone(
    aig: &mut Aig,
    netlist: &Netlist,
    design: &Design,
    interface: &Interface,
    operands: &Given,
) -> Result<Timed, Unsupported> {
    let said = &design.said;
    let reset = said.reset.as_ref().map_or(0, |reset| reset.cycles.max(1));
    let mut run = Run::new(netlist, interface, operands);
    (0..reset).for_each(|clock| run.tie("rst_i", Some(clock), true));
    run.tie("valid_i", None, false);
    if said.timing.hold {
        run.offer(None, true);
        run.tie("valid_i", None, false);
    }
    let ready = said.input.as_ref().is_some_and(|input| input.ready.is_some());
    let mut taken = reset;
    while ready && !run.says(aig, "ready_o", taken)? {
        taken += 1;
        if taken > reset + CLOCKS {
            return Err(Unsupported::Timing(format!("it is not ready {CLOCKS} clocks after a reset")));
        }
    }
    run.offer(Some(taken), said.timing.hold);
    let there = match said.output.as_ref().is_some_and(|output| output.valid.is_some()) {
        true => run.first_result(aig, taken, said.timing.latency)?,
        false => taken + said.timing.latency.unwrap_or(0),
    };
    run.finish(aig, Setting::Alone, [taken, there])
}
