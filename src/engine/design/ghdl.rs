//! A design in VHDL, in GHDL's simulator: it runs the source, where other simulators run the Verilog that GHDL makes of it.
//!
//! A bench applies a word with all inputs in each clock, and writes a word with all outputs; what they mean is known here. Vectors
//! come one a clock with gaps of one clock; an output that says that a vector is not taken holds its word.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use tera::Context;

use super::failed;
use crate::describe::instruction::Instruction;
use crate::describe::interface::Interface;
use crate::design::{Constant, Design, Direction, Edge, Level, Order, Places, Port, pieces};
use crate::emit::scratch::Scratch;
use crate::emit::templates;
use crate::engine::icarus::{compiling, program_output, simulating};
use crate::engine::{Batch, Engine, EngineError, Identity, Vector};
use crate::verilate::tied;

const TEMPLATE: &str = "design_bench.vhd";
const BENCH: &str = "tensorsmith_design_bench";
/// One clock in so many is a gap, where an input says that no vector is there.
const GAPS: usize = 16;

/// A bit of a word: that of a port, counted over all ports of its direction.
type Place = usize;

/// A design compiled by GHDL, in a folder of its own.
pub struct InGhdl {
    interface: Interface,
    folder: Scratch,
    design: Design,
    version: String,
    /// Bits of each operand's elements, lowest first; of the result with the flags above it.
    operands: [Vec<Vec<Place>>; 5],
    result: Vec<Place>,
    /// Inputs that are always the same, and the word that holds them.
    fixed: Vec<bool>,
    valid: Option<Place>,
    reset: Option<(Place, bool)>,
    ready: Option<Place>,
    result_valid: Option<Place>,
}

/// GHDL's version, if it is on PATH.
fn version() -> Option<String> {
    let output = tied::output(Command::new("ghdl").arg("--version"), None, tied::LIMIT).ok()?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
}

/// Positions of ports in words of inputs and of outputs, lowest bit of the first port first.
struct Words<'a> {
    design: &'a Design,
    ports: &'a [Port],
}

impl Words<'_> {
    fn first(&self, index: usize) -> usize {
        let same = |port: &&Port| port.direction == self.ports[index].direction;
        self.ports[..index].iter().filter(same).map(Port::bits).sum()
    }

    fn bits(&self, direction: Direction) -> usize {
        self.ports.iter().filter(|port| port.direction == direction).map(Port::bits).sum()
    }

    /// The bits of a place.
    fn place(&self, place: &str) -> Result<Vec<Place>, EngineError> {
        let found =
            pieces(place, self.ports).map_err(|(value, allowed)| failed(format!("{value}; allowed: {allowed}")))?;
        let bits = |piece: &crate::design::Piece| {
            let first = self.first(piece.port) + piece.first;
            first..first + piece.bits
        };
        Ok(found.iter().flat_map(bits).collect())
    }

    fn one(&self, place: Option<&String>) -> Result<Option<Place>, EngineError> {
        place.map(|place| self.place(place).map(|bits| bits[0])).transpose()
    }

    /// The bits of each element of an operand; element 0 first.
    fn elements(&self, places: Option<&Places>, width: u32) -> Result<Vec<Vec<Place>>, EngineError> {
        let Some((names, order)) = places.map(Places::flat) else { return Ok(Vec::new()) };
        let bits = names.iter().map(|name| self.place(name)).collect::<Result<Vec<_>, _>>()?.concat();
        let mut elements: Vec<Vec<Place>> = bits.chunks(width.max(1) as usize).map(<[Place]>::to_vec).collect();
        if order == Order::Descending {
            elements.reverse();
        }
        Ok(elements)
    }
}

impl InGhdl {
    /// Compiles a design's files; the reason where GHDL takes no part.
    ///
    /// # Errors
    /// GHDL refuses the files.
    pub fn open(design: &Design, ports: &[Port], interface: &Interface) -> Result<Result<InGhdl, String>, EngineError> {
        let Some(version) = version() else {
            return Ok(Err("ghdl is not on PATH; Debian has it in the package ghdl".to_owned()));
        };
        let said = &design.said;
        if said.timing.hold && said.timing.latency.is_none() {
            return Ok(Err(
                "operands that stand still until a result of unknown latency are not applied here".to_owned()
            ));
        }
        let words = Words { design, ports };
        let folder = Scratch::new().map_err(failed)?;
        let files = design.read_files().map_err(failed)?;
        let analyse = |file: &Path| {
            let mut command = Command::new("ghdl");
            command.current_dir(folder.path()).args(["-a", "--std=08"]).arg(file);
            program_output(&command, folder.path(), compiling())
                .map_err(|said| failed(format!("GHDL refuses the design:\n  {said}")))
        };
        files.iter().try_for_each(|file| analyse(file))?;
        let types = match types(design, &files, ports, folder.path())? {
            Ok(types) => types,
            Err(reason) => return Ok(Err(reason)),
        };
        let bench = format!("{BENCH}.vhd");
        std::fs::write(folder.path().join(&bench), words.bench(&types)?).map_err(failed)?;
        analyse(Path::new(&bench))?;
        let (formats, [scale_a, scale_b]) = (&interface.formats, interface.scale_widths());
        let of = &said.ports;
        let operands = [
            words.elements(Some(&of.a), formats.a.width())?,
            words.elements(Some(&of.b), formats.b.width())?,
            words.elements(of.scale_a.as_ref(), scale_a)?,
            words.elements(of.scale_b.as_ref(), scale_b)?,
            words.elements(of.c.as_ref(), formats.c.width())?,
        ];
        let mut result = words.elements(Some(&of.d), formats.d.width())?.concat();
        if interface.flags {
            result.extend(words.elements(of.flags.as_ref(), crate::describe::unit::Flags::WIDTH)?.concat());
        }
        let (input, output) = (said.input.as_ref(), said.output.as_ref());
        let reset = said.reset.as_ref();
        let is_high = reset.is_some_and(|reset| reset.active == Level::High);
        Ok(Ok(InGhdl {
            interface: interface.clone(),
            version: format!("{}; {version}", said.name),
            operands,
            result,
            fixed: words.fixed()?,
            valid: words.one(input.and_then(|input| input.valid.as_ref()))?,
            reset: words.one(reset.map(|reset| &reset.port))?.map(|place| (place, is_high)),
            ready: words.one(input.and_then(|input| input.ready.as_ref()))?,
            result_valid: words.one(output.and_then(|output| output.valid.as_ref()))?,
            design: design.clone(),
            folder,
        }))
    }
}

impl Words<'_> {
    /// The inputs that never change: ties, the enable and the consumer of results; others are 0.
    fn fixed(&self) -> Result<Vec<bool>, EngineError> {
        let said = &self.design.said;
        let mut word = vec![false; self.bits(Direction::Input)];
        let high = [
            said.clock.as_ref().and_then(|clock| clock.enable.as_ref()),
            said.output.as_ref().and_then(|output| output.ready.as_ref()),
        ];
        for place in high.into_iter().flatten() {
            self.place(place)?.into_iter().for_each(|bit| word[bit] = true);
        }
        for (place, constant) in &said.ties {
            let value = match constant {
                Constant::Number(number) => u128::from(*number),
                Constant::Digits(digits) => {
                    u128::from_str_radix(digits.trim_start_matches("0x"), 16).unwrap_or_default()
                }
            };
            let bits = self.place(place)?;
            bits.into_iter().enumerate().for_each(|(index, bit)| word[bit] = index < 128 && value >> index & 1 == 1);
        }
        Ok(word)
    }

    /// The bench around a design whose ports have these types.
    fn bench(&self, types: &[String]) -> Result<String, EngineError> {
        let said = &self.design.said;
        let clock = said.clock.as_ref();
        let connection = |(index, port): (usize, &Port)| {
            let (first, bits) = (self.first(index), port.bits());
            let kind = types[index].as_str();
            let is_vector = kind.ends_with("vector") || matches!(kind, "signed" | "unsigned");
            let part = if is_vector { format!("({} downto {first})", first + bits - 1) } else { format!("({first})") };
            let is_clock = clock.is_some_and(|clock| clock.port == port.name);
            let (formal, actual) = match (is_clock, port.direction, is_vector) {
                (true, ..) => (port.name.clone(), "clock".to_owned()),
                (_, Direction::Input, true) => (port.name.clone(), format!("{kind}(inputs{part})")),
                (_, Direction::Input, false) => (port.name.clone(), format!("inputs{part}")),
                (_, _, true) => (format!("std_logic_vector({})", port.name), format!("outputs{part}")),
                (_, _, false) => (port.name.clone(), format!("outputs{part}")),
            };
            format!("{formal} => {actual}")
        };
        let connections: Vec<String> = self.ports.iter().enumerate().map(connection).collect();
        let parameters = said.parameters.iter().map(|(name, value)| format!("{name} => {value}"));
        let (input, reset) = (said.input.as_ref(), said.reset.as_ref());
        let ready = self.one(input.and_then(|input| input.ready.as_ref()))?;
        let mut context = Context::new();
        context.insert("bench", BENCH);
        context.insert("top", &said.top);
        context.insert("connections", &connections);
        context.insert("parameters", &parameters.collect::<Vec<_>>());
        context.insert("inputs", &self.bits(Direction::Input));
        context.insert("outputs", &self.bits(Direction::Output));
        context.insert("clocked", &clock.is_some());
        context.insert("rising", &clock.is_none_or(|clock| clock.edge == Edge::Rising));
        context.insert("ready", &ready);
        context.insert("valid", &self.one(input.and_then(|input| input.valid.as_ref()))?);
        context.insert("patience", &self.design.patience());
        context.insert("resets", &reset.is_some());
        let texts = [(TEMPLATE, include_str!("../../../templates/design_bench.vhd.tera"))];
        templates(&texts).and_then(|templates| templates.render(TEMPLATE, &context)).map_err(failed)
    }
}

/// The type of each port, of those that words can be converted to: as GHDL writes the entity of its own netlist.
fn types(
    design: &Design,
    files: &[std::path::PathBuf],
    ports: &[Port],
    folder: &Path,
) -> Result<Result<Vec<String>, String>, EngineError> {
    const KNOWN: [&str; 6] = ["std_logic", "std_ulogic", "std_logic_vector", "std_ulogic_vector", "unsigned", "signed"];
    let mut command = Command::new("ghdl");
    command.current_dir(folder).args(["--synth", "--std=08", "--out=vhdl"]).args(files).arg("-e").arg(&design.said.top);
    let output = tied::output(&command, Some(folder), tied::LIMIT).map_err(failed)?;
    let text = String::from_utf8_lossy(&output.stdout).to_lowercase();
    let entity = text.split("port (").nth(1).and_then(|rest| rest.split("end entity").next()).unwrap_or_default();
    let mut types = Vec::new();
    for port in ports {
        let kind = entity.lines().find_map(|line| {
            let (names, kind) = line.split_once(':')?;
            let is_named = names.split(',').any(|name| name.trim() == port.name.to_lowercase());
            let mut words = kind.split_whitespace();
            is_named.then(|| words.nth(1).unwrap_or_default().trim_end_matches(';').to_owned())
        });
        match kind {
            Some(kind) if KNOWN.contains(&kind.as_str()) => types.push(kind),
            other => {
                let kind = other.unwrap_or_else(|| "unknown".to_owned());
                return Ok(Err(format!("the port {} has the type {kind}; allowed: {}", port.name, KNOWN.join(", "))));
            }
        }
    }
    Ok(Ok(types))
}

impl InGhdl {
    /// The word of a vector.
    fn word(&self, vector: &Vector) -> Vec<bool> {
        let mut word = self.fixed.clone();
        let c = [vector.c];
        let values = [&vector.a[..], &vector.b, &vector.scale_a, &vector.scale_b, &c];
        for (elements, values) in self.operands.iter().zip(values) {
            for (bits, value) in elements.iter().zip(values) {
                bits.iter().enumerate().for_each(|(index, &bit)| word[bit] = value >> index & 1 == 1);
            }
        }
        if let Some((reset, is_high)) = self.reset {
            word[reset] = !is_high;
        }
        word
    }

    /// The words of a run, and which of them are vectors.
    fn words(&self, batch: &Batch) -> (Vec<Vec<bool>>, Vec<bool>) {
        let timing = &self.design.said.timing;
        let (mut words, mut vectors) = (Vec::new(), Vec::new());
        let idle = |like: &[bool]| {
            let mut word = like.to_vec();
            self.valid.into_iter().for_each(|valid| word[valid] = false);
            word
        };
        if let Some((reset, is_high)) = self.reset {
            let mut word = idle(&self.fixed);
            word[reset] = is_high;
            let cycles = self.design.said.reset.as_ref().map_or(0, |reset| reset.cycles.max(1));
            words.extend((0..cycles).map(|_| word.clone()));
        }
        vectors.resize(words.len(), false);
        for index in 0..batch.len() {
            let word = self.word(&batch.vector(index));
            let mut after = timing.interval.unwrap_or(1) as usize - 1;
            if timing.hold {
                after = after.max(timing.latency.unwrap_or(0) as usize);
            } else if self.valid.is_some() && index % GAPS == GAPS - 1 {
                after += 1;
            }
            let mut offered = word.clone();
            self.valid.into_iter().for_each(|valid| offered[valid] = true);
            words.push(offered);
            words.extend((0..after).map(|_| idle(&word)));
            vectors.resize(words.len() - after, true);
            vectors.resize(words.len(), false);
        }
        let last = words.last().cloned().unwrap_or_default();
        let rest = if self.design.said.clock.is_some() { self.design.patience() as usize } else { 0 };
        words.extend((0..rest).map(|_| idle(&last)));
        vectors.resize(words.len(), false);
        (words, vectors)
    }

    /// The results in the lines that the bench wrote, in order.
    fn results(&self, lines: &[&str], words: &[Vec<bool>], vectors: &[bool]) -> Vec<String> {
        let bit = |line: &str, place: Place| line.as_bytes().get(line.len().wrapping_sub(place + 1)).copied();
        let result = |line: &str| {
            self.result.iter().rev().map(|&place| bit(line, place).map_or('-', char::from)).collect::<String>()
        };
        let (mut taken, mut results, mut at) = (Vec::new(), Vec::new(), 0);
        for (clock, line) in lines.iter().enumerate() {
            // Without an input that says so every word is a vector.
            let is_offered = self.valid.is_none() || vectors.get(at) == Some(&true);
            let waits = self.ready.is_some_and(|ready| is_offered && bit(line, ready) != Some(b'1'));
            if !waits {
                if vectors.get(at) == Some(&true) {
                    taken.push(clock);
                }
                at += usize::from(at < words.len());
            }
            match (self.design.said.timing.latency, self.result_valid) {
                (None, Some(valid)) if bit(line, valid) == Some(b'1') => results.push(result(line)),
                _ => {}
            }
        }
        match (self.design.said.timing.latency, self.design.said.clock.is_some()) {
            (None, true) => results,
            (latency, _) => {
                let there = |clock: &usize| lines.get(clock + latency.unwrap_or(0) as usize).map(|line| result(line));
                taken.iter().filter_map(there).collect()
            }
        }
    }
}

impl Engine for InGhdl {
    fn name(&self) -> &'static str {
        super::NAME
    }

    fn identity(&self) -> Identity {
        Identity { engine: super::NAME.to_owned(), version: self.version.clone() }
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        super::takes(&self.interface, instruction)
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        let folder = self.folder.path();
        let (words, vectors) = self.words(batch);
        let mut text = String::new();
        for word in &words {
            let digits: String = word.iter().rev().map(|&bit| if bit { '1' } else { '0' }).collect();
            let _ = writeln!(text, "{digits}");
        }
        std::fs::write(folder.join("vectors.txt"), text).map_err(failed)?;
        let mut command = Command::new("ghdl");
        command.current_dir(folder).args(["-r", "--std=08", BENCH]);
        program_output(&command, folder, simulating("results.txt", self.design.limits))
            .map_err(|said| failed(format!("GHDL failed: {said}")))?;
        let text = std::fs::read_to_string(folder.join("results.txt")).map_err(failed)?;
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let answers = self.results(&lines, &words, &vectors);
        if answers.len() != batch.len() {
            let (found, count) = (answers.len(), batch.len());
            return Err(failed(format!("the design gave {found} results for {count} vectors")));
        }
        let parse = |(vector, answer): (usize, &String)| {
            let what = || failed(format!("vector {vector}: the design returned {answer}: a bit has no value"));
            u64::from_str_radix(answer, 2).map_err(|_| what())
        };
        *results = answers.iter().enumerate().map(parse).collect::<Result<_, _>>()?;
        Ok(())
    }
}
