//! A design of a user's own as an engine, simulated by Verilator in the module that is emitted around it.
//!
//! Vectors come in phases (`sim/phases.h`): at full rate, with gaps, with stops, with some vectors more than once. A part of them
//! goes through a second model too, whose registers start with other values, disturbed more and with a reset in mid-run: what
//! answers otherwise then depends on what it must not depend on. That, and a design that does not answer, answers twice or
//! loses a vector, is an error of the engine, never a mismatch.

use std::path::Path;
use std::sync::Once;

mod calls;
mod ghdl;
mod icarus;
mod netlist;
mod schedule;

use super::rtl::library::Builder;
use super::rtl::model::Schedule;
use super::rtl::{BuildError, Isolated, Library};
use super::{Absence, Batch, Engine, EngineError, Handshake, Identity, Opened, Vector};
use crate::describe::instruction::Instruction;
use crate::describe::interface::Interface;
use crate::design::{self, Design, Driven, Simulator, SourceError, Sources};
use crate::verilate;
use ghdl::InGhdl;
use icarus::InIcarus;
use netlist::AsNetlist;
use schedule::{Change, can_stop, can_wait, schedule};

pub(super) const NAME: &str = "design";

/// One batch in so many goes through the second model too, the first among them.
const SHARE: u64 = 8;
/// Vectors of it that do.
const PART: usize = 128;

/// How Verilator calls a loop that does not come to rest.
const LOOP: &str = "did not converge";

/// Where no single cause is found.
const SEVERAL: &str =
    "several of these at once: gaps, stops, a reset, first values of registers, vectors that come again";

/// What is said of a design that ends itself.
const ENDED: [&str; 2] = ["the model called $finish", "the model stopped ($"];

fn failed(message: impl ToString) -> EngineError {
    EngineError { engine: NAME, message: message.to_string() }
}

/// Whether an instruction has the operands and results of an interface.
fn takes(interface: &Interface, instruction: &Instruction) -> bool {
    let Interface { products, formats, scales, .. } = instruction.interface();
    (interface.products, &interface.formats, &interface.scales) == (products, &formats, &scales)
}

/// A design that answers.
pub struct Simulated {
    design: Design,
    interface: Interface,
    version: String,
    library: Library,
    request: verilate::Design,
    main: Isolated,
    second: Isolated,
    /// Vectors that were answered.
    answered: u64,
    batches: u64,
    /// Why it answers no more.
    failure: Option<String>,
}

impl Simulated {
    /// Opens the design of the process for an interface.
    ///
    /// # Errors
    /// No design was named, or as [`Simulated::open`].
    pub fn open_named(interface: &Interface) -> Result<Opened, EngineError> {
        match design::named() {
            Some(design) => Simulated::open(design, interface),
            None => Err(failed("no design is named; allowed: --design FILE")),
        }
    }

    /// Opens a design for an interface.
    ///
    /// # Errors
    /// The design does not fit the interface, or Verilator refuses it.
    pub fn open(design: &Design, interface: &Interface) -> Result<Opened, EngineError> {
        if design.is_of_another(interface).map_err(failed)? {
            let equals = design.said.equals.as_deref().unwrap_or_default();
            let reason =
                format!("the design should equal {equals}, whose operands are not those of {}", interface.name);
            return Ok(Opened::Absent(Absence::Inapplicable(reason)));
        }
        if design.simulator != Simulator::Verilator {
            return elsewhere(design, interface).or_else(Failure::absent);
        }
        let (request, library, version) = match build(design, interface, false) {
            Err(failure) => return failure.absent(),
            Ok(built) => built,
        };
        let model = || Isolated::start(&library, design.limits).map_err(failed);
        let (main, second) = (model()?, model()?);
        let mut simulated = Simulated {
            design: design.clone(),
            interface: interface.clone(),
            version,
            library,
            request,
            main,
            second,
            answered: 0,
            batches: 0,
            failure: None,
        };
        simulated.main.configure(&schedule(design, Change::Usual, 0));
        Ok(Opened::Ready(Box::new(simulated)))
    }

    /// Answers a batch, and a part of it once more in another way.
    fn answer(&mut self, batch: &Batch, results: &mut [u64]) -> Result<(), String> {
        let first = self.answered;
        if let Err(error) = self.main.run(batch, 0..batch.len(), results) {
            let message = design::seen_from_here(&in_run(&error, |index| first + index));
            if message.contains(LOOP) {
                return Err(format!("a combinational loop does not come to rest:\n{}", self.loops()));
            }
            // One that ended itself, or had to be ended, is not run again and again.
            if !self.main.is_running() || ENDED.iter().any(|ended| message.contains(ended)) {
                return Err(message);
            }
            return Err(match self.cause_within(batch) {
                Some(cause) => format!("{message}; it depends on {cause}"),
                None => message,
            });
        }
        self.answered += batch.len() as u64;
        if self.batches.is_multiple_of(SHARE) {
            self.answer_again(batch, results, first)?;
        }
        self.batches += 1;
        Ok(())
    }

    /// Answers a part of a batch once more in another way; `first` is the number of its first vector.
    fn answer_again(&mut self, batch: &Batch, results: &[u64], first: u64) -> Result<(), String> {
        let count = PART.min(batch.len());
        // Another part each time; in reverse: the vector before must not matter either.
        let begin = first as usize / SHARE as usize % (batch.len() - count + 1);
        let mut part = Batch::new(batch.products(), batch.scales());
        (begin..begin + count).rev().for_each(|index| part.push(&batch.vector(index)));
        let mut again = vec![0; count];
        self.second.configure(&schedule(&self.design, Change::All, count));
        let message = self.second.run(&part, 0..count, &mut again).err();
        let expected: Vec<u64> = results[begin..begin + count].iter().rev().copied().collect();
        let other = (0..count).find(|&index| again[index] != expected[index]);
        match (message, other) {
            (None, None) => Ok(()),
            (Some(message), _) => {
                let message = in_run(&message, |index| (first + (begin + count - 1) as u64).saturating_sub(index));
                Err(format!("{message}; it depends on {}", self.cause(&part).unwrap_or(SEVERAL)))
            }
            (None, Some(index)) => {
                let vector = part.vector(index);
                let operands: Vec<String> = vector.operands().map(|word| format!("{word:x}")).collect();
                let (was, is) = (expected[index], again[index]);
                let cause = self.cause(&part).unwrap_or(SEVERAL);
                Err(format!(
                    "vector {}: answered {was:x}, and {is:x} when it was driven otherwise; it depends on {cause}; operands, c \
                     last: {}",
                    first as usize + begin + count - 1 - index,
                    operands.join(" ")
                ))
            }
        }
    }

    /// Where there are loops, as Verilator warns of them.
    fn loops(&self) -> String {
        let mut request = self.request.clone();
        request.arguments.push("-Werror-UNOPTFLAT".to_owned());
        match Builder::shared().map(|builder| builder.design_program(&request)) {
            Ok(Err(error)) => refusal("", "it", error).lines().skip(1).collect::<Vec<_>>().join("\n"),
            _ => "  Verilator does not say where".to_owned(),
        }
    }

    /// Which single change makes it answer otherwise than when nothing disturbs it; none if no single one does, or if it fails
    /// undisturbed.
    fn cause(&mut self, part: &Batch) -> Option<&'static str> {
        const BEFORE: &str = "the vectors that came before";
        if self.design.said.clock.is_none() {
            return Some(BEFORE);
        }
        let mut reversed = Batch::new(part.products(), part.scales());
        (0..part.len()).rev().for_each(|index| reversed.push(&part.vector(index)));
        let (design, second) = (&self.design, &mut self.second);
        let mut answers = |batch: &Batch, change: Change| {
            let mut answers = vec![0; batch.len()];
            second.configure(&schedule(design, change, batch.len()));
            second.run(batch, 0..batch.len(), &mut answers).ok().map(|()| answers)
        };
        let quiet = answers(part, Change::Nothing)?;
        let other_order = answers(&reversed, Change::Nothing).map(|answers| answers.into_iter().rev().collect());
        if other_order.as_ref() != Some(&quiet) {
            return Some(BEFORE);
        }
        let can_be = Change::CAUSES.iter().filter(|(change, _)| change.applies(design));
        let mut differs = can_be.filter(|(change, _)| answers(part, *change).as_ref() != Some(&quiet));
        differs.next().map(|(_, cause)| *cause)
    }

    /// The same of the first part of a batch that has one: a whole batch would be a run at full rate even where nothing disturbs it.
    fn cause_within(&mut self, batch: &Batch) -> Option<&'static str> {
        (0..batch.len()).step_by(PART).find_map(|begin| {
            let mut part = Batch::new(batch.products(), batch.scales());
            (begin..batch.len().min(begin + PART)).for_each(|index| part.push(&batch.vector(index)));
            self.cause(&part)
        })
    }

    /// Why that cannot be done to it, whatever the vectors.
    fn unreachable(&self, event: &str) -> Option<&'static str> {
        let concerns = |part: &str| event.split('-').any(|word| word == part);
        if self.design.said.clock.is_none() {
            return Some("the design has no clock");
        }
        if concerns("reset") && self.design.said.reset.is_none() {
            return Some("the design has no reset");
        }
        if concerns("stop") && !can_stop(&self.design) {
            return Some("the design has no clock enable");
        }
        if concerns("wait") && !can_wait(&self.design) {
            return Some("the design's results cannot wait");
        }
        let pauses = can_stop(&self.design) || can_wait(&self.design);
        (concerns("pause") && !pauses).then_some("the design cannot be stopped, and its results cannot wait")
    }
}

/// A message about a vector or several of a call, with their numbers in the run.
fn in_run(message: &str, number: impl Fn(u64) -> u64) -> String {
    let Some((place, rest)) = message.split_once(':') else { return message.to_owned() };
    let one = |text: &str| text.parse().ok().map(&number);
    let several = |text: &str| text.split_once(" to ").and_then(|(from, to)| Some((one(from)?, one(to)?)));
    match (place.strip_prefix("vector ").and_then(one), place.strip_prefix("vectors ").and_then(several)) {
        (Some(index), _) => format!("vector {index}:{rest}"),
        (None, Some((from, to))) => format!("vectors {from} to {to}:{rest}"),
        (None, None) => message.to_owned(),
    }
}

/// What Verilator says of a design, with files as seen from here.
fn refusal(file: &str, what: &str, error: BuildError) -> String {
    if let BuildError::Limit(text) = error {
        return format!("{file}: {}", design::seen_from_here(&text));
    }
    format!("{file}: Verilator refuses {what}:\n{}", design::seen_from_here(&error.to_string()))
}

/// Why there is no model.
enum Failure {
    /// A tool is not there.
    Absent(String),
    Engine(EngineError),
}

impl Failure {
    /// An engine that is not there, or the error.
    fn absent(self) -> Result<Opened, EngineError> {
        match self {
            Failure::Absent(reason) => Ok(Opened::Absent(Absence::Missing(reason))),
            Failure::Engine(error) => Err(error),
        }
    }

    fn error(self) -> EngineError {
        match self {
            Failure::Absent(reason) => failed(reason),
            Failure::Engine(error) => error,
        }
    }
}

/// A design in Icarus or as a netlist, once Verilator has told its ports.
fn elsewhere(design: &Design, interface: &Interface) -> Result<Opened, Failure> {
    let sources = design.sources()?;
    let ports = ports(builder()?, design, &sources)?;
    if design.simulator == Simulator::Ghdl {
        if !design::is_vhdl(&design.said) {
            return Err(Failure::Absent("GHDL simulates VHDL, and the design is in another language".to_owned()));
        }
        let simulated = InGhdl::open(design, &ports, interface)?;
        return simulated.map(|simulated| Opened::Ready(Box::new(simulated))).map_err(Failure::Absent);
    }
    let driven = if design.simulator == Simulator::Netlist { Driven::Steadily } else { Driven::Clocked };
    let wrapper = design::wrapper(design, &ports, interface, driven).map_err(failed)?;
    if design.simulator == Simulator::Netlist {
        let netlist = AsNetlist::open((design, &wrapper), &sources, interface)?;
        return netlist.map(|netlist| Opened::Ready(Box::new(netlist))).map_err(Failure::Absent);
    }
    calls::refuse((design, &wrapper), builder()?, &sources)?;
    match InIcarus::open((design, &wrapper), &sources, interface)? {
        Some(simulated) => Ok(Opened::Ready(Box::new(simulated))),
        None => Err(Failure::Absent(
            "iverilog is not on PATH; Debian and Ubuntu have it in the package iverilog".to_owned(),
        )),
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        Failure::Engine(error)
    }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Failure {
        match error {
            SourceError::NoGhdl(reason) => Failure::Absent(reason),
            SourceError::File(error) => Failure::Engine(failed(error)),
        }
    }
}

/// The tools, or why there are none.
fn builder() -> Result<&'static Builder, Failure> {
    Builder::shared().map_err(|error| error.missing().map_or_else(|| Failure::Engine(failed(error)), Failure::Absent))
}

/// Ports of a design, from its files.
fn ports(builder: &Builder, design: &Design, sources: &Sources) -> Result<Vec<design::Port>, EngineError> {
    let top = &design.said.top;
    let refused = |error: BuildError| failed(refusal(&design.file, &format!("the design {top}"), error));
    // A parameter without a type has that of the value that is set. One may have no value until it is set.
    if design.said.parameters.values().any(design::is_unusual)
        && let Ok(tree) = builder.tree(top, None, &sources.for_verilator(false))
    {
        design::check_unset(design, &tree).map_err(failed)?;
    }
    let tree = builder.tree(top, None, &sources.for_verilator(true)).map_err(refused)?;
    design::ports(design, &tree).map_err(failed)
}

/// The ports of a design, in order.
///
/// # Errors
/// The design's files are not there or Verilator refuses them, or there is no Verilator.
pub fn ports_of(design: &Design) -> Result<Vec<design::Port>, EngineError> {
    let read = || -> Result<_, Failure> { Ok(ports(builder()?, design, &design.sources()?)?) };
    read().map_err(Failure::error)
}

/// The library of a design for an interface, and the tools that made it.
fn build(design: &Design, interface: &Interface, wave: bool) -> Result<(verilate::Design, Library, String), Failure> {
    let (builder, sources) = (builder()?, design.sources()?);
    let ports = ports(builder, design, &sources)?;
    let wrapper = design::wrapper(design, &ports, interface, if wave { Driven::Shown } else { Driven::Clocked })
        .map_err(failed)?;
    calls::refuse((design, &wrapper), builder, &sources)?;
    let request = verilate::Design {
        module: design::MODULE.to_owned(),
        harness: "design_model.cpp",
        wrapper: wrapper.text,
        arguments: sources.for_verilator(false),
        definitions: wrapper.definitions,
        wave,
    };
    let refused = |error: BuildError| failed(refusal(&design.file, "the design", error));
    let library = builder.design_program(&request).map_err(refused)?;
    Ok((request, library, builder.tools().summary()))
}

/// Writes a waveform (VCD) of a vector from reset to its result, with the vectors before it, and returns what was answered.
///
/// # Errors
/// The design cannot be simulated, or the file cannot be written.
pub fn write_wave(
    design: &Design,
    interface: &Interface,
    vectors: &[Vector],
    path: &Path,
) -> Result<Vec<u64>, EngineError> {
    let built = build(design, interface, true).map_err(Failure::error);
    let mut model = Isolated::start(&built?.1, design.limits).map_err(failed)?;
    let wave = path.to_str().ok_or_else(|| failed("the waveform's path is not Unicode"))?.to_owned();
    let quiet = schedule(design, Change::Nothing, vectors.len());
    model.configure(&Schedule { wave, ..quiet });
    let mut batch = Batch::of_interface(interface);
    vectors.iter().for_each(|vector| batch.push(vector));
    let mut results = vec![0; batch.len()];
    model.run(&batch, 0..batch.len(), &mut results).map_err(failed)?;
    Ok(results)
}

impl Drop for Simulated {
    /// Says once for all designs of the program that they printed something, which no error has shown.
    fn drop(&mut self) {
        static SAID: Once = Once::new();
        if let (Some((bytes, text)), None) = (self.main.printed(), &self.failure) {
            let name = &self.design.said.name;
            SAID.call_once(|| eprintln!("warning: the design {name} printed {bytes} bytes; the end of it:{text}"));
        }
    }
}

impl Engine for Simulated {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Identity {
        let version = format!("{} ({}); {}", self.design.said.name, &self.library.sources[..12], self.version);
        Identity { engine: NAME.to_owned(), version }
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        takes(&self.interface, instruction)
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.clear();
        results.resize(batch.len(), 0);
        if let Some(failure) = &self.failure {
            return Err(failed(failure));
        }
        if batch.is_empty() {
            return Ok(());
        }
        self.answer(batch, results).map_err(|message| failed(self.failure.insert(message)))
    }
    fn handshakes(&self) -> Vec<Handshake> {
        let counts = self.main.signals();
        let longest = |event: &str| {
            let own = |(name, _): &&(String, u64)| name.strip_prefix("longest-") == Some(event);
            counts.iter().find(own).map(|(_, longest)| *longest)
        };
        let events = counts.iter().filter(|(name, _)| !name.starts_with("longest-"));
        events
            .map(|(event, count)| Handshake {
                event: event.clone(),
                count: *count,
                longest: longest(event),
                unreachable: self.unreachable(event),
            })
            .collect()
    }
}
