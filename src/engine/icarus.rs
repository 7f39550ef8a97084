//! The emitted SystemVerilog in Icarus Verilog: an independent second simulator, for cross-checks of the first.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use super::{Absence, Batch, Engine, EngineError, Identity, Opened};
use crate::describe::instruction::Instruction;
use crate::describe::unit::{Flags, Unit};
use crate::design::Limits;
use crate::emit::limited::{self, Bounds, Ended};
use crate::emit::scratch::Scratch;
use crate::emit::{self, SourceFile};
use crate::verilate::tied;

const NAME: &str = "icarus";

/// The bench that drives a unit from files; no unit has its name.
const BENCH: &str = include_str!("../../sim/tensorsmith_icarus_bench.sv");
const BENCH_FILE: &str = "tensorsmith_icarus_bench.sv";

/// A result may take so many times what a clock may take in Verilator.
const SLOWER: u32 = 10;

fn failed(message: impl ToString) -> EngineError {
    EngineError { engine: NAME, message: message.to_string() }
}

/// A unit compiled for Icarus, in a folder of its own.
pub struct Icarus {
    folder: Scratch,
    /// Of an a, a b, a scale of a and a scale of b.
    widths: [u32; 4],
    unit: Unit,
    version: String,
}

impl Icarus {
    /// Compiles a unit's emitted files.
    ///
    /// # Errors
    /// Icarus is there but refuses the files.
    pub fn open(unit: &Unit) -> Result<Opened, EngineError> {
        let files = emit::module(unit).map_err(failed)?;
        Ok(match Icarus::of_files(unit, &files, None)? {
            Ok(icarus) => Opened::Ready(Box::new(icarus)),
            Err(reason) => Opened::Absent(reason),
        })
    }

    /// Compiles the files of a unit's module, or of its clocked wrapper with that name, or says why Icarus takes no part.
    ///
    /// # Errors
    /// Icarus is there but refuses the files.
    pub fn of_files(
        unit: &Unit,
        files: &[SourceFile],
        wrapper: Option<&str>,
    ) -> Result<Result<Icarus, Absence>, EngineError> {
        let Some(version) = version() else {
            let reason = "iverilog is not on PATH; Debian and Ubuntu have it in the package iverilog";
            return Ok(Err(Absence::Missing(reason.to_owned())));
        };
        Icarus::compile(unit, files, wrapper, version).map(Ok)
    }

    /// The answers to a batch as Icarus writes them: hexadecimal digits, and `x` or `z` where a bit has no value.
    ///
    /// # Errors
    /// Icarus fails, or answers not every vector.
    pub fn answers(&mut self, batch: &Batch) -> Result<Vec<String>, EngineError> {
        let folder = self.folder.path();
        std::fs::write(folder.join("vectors.txt"), vector_lines(batch, self.widths)).map_err(failed)?;
        let mut command = Command::new("vvp");
        command.args(["unit.vvp", "+vectors=vectors.txt", "+results=results.txt"]);
        run(&command, folder, simulating("results.txt", Limits::default()))?;
        let text = std::fs::read_to_string(folder.join("results.txt")).map_err(failed)?;
        let answers: Vec<String> = text.lines().map(str::to_owned).collect();
        if answers.len() == batch.len() && batch.products() == self.unit.products {
            return Ok(answers);
        }
        Err(failed(format!("{} results for {} vectors", answers.len(), batch.len())))
    }

    fn compile(
        unit: &Unit,
        files: &[SourceFile],
        wrapper: Option<&str>,
        version: String,
    ) -> Result<Icarus, EngineError> {
        let folder = Scratch::new().map_err(failed)?;
        emit::write(folder.path(), files).map_err(failed)?;
        std::fs::write(folder.path().join(BENCH_FILE), BENCH).map_err(failed)?;
        let formats = &unit.formats;
        let [scale_a, scale_b] = unit.interface().scale_widths();
        let mut command = compiler(folder.path());
        command.args(["-g2012", "-Wall", "-s", "tensorsmith_icarus_bench", "-o", "unit.vvp"]);
        command.arg(format!("-DUNIT={}", wrapper.map_or_else(|| unit.module_name(), str::to_owned)));
        command.args(wrapper.map(|_| "-DREGISTERED"));
        // The wrapper of a combinational module has registers in front and behind.
        let edges = if wrapper.is_some() && unit.build.cuts.is_empty() { 2 } else { unit.latency() };
        command.args((edges > 0).then(|| format!("-DLATENCY={edges}")));
        command.arg(format!("-DA_BITS={}", unit.products * formats.a.width()));
        command.arg(format!("-DB_BITS={}", unit.products * formats.b.width()));
        if unit.has_addend() {
            command.arg(format!("-DC_BITS={}", formats.c.width()));
        }
        command.arg(format!("-DD_BITS={}", formats.d.width()));
        if unit.conversion.flags {
            command.arg(format!("-DFLAGS_BITS={}", Flags::WIDTH));
        }
        if unit.scales.is_some() {
            command.arg(format!("-DSCALE_A_BITS={}", unit.scale_count() * scale_a));
            command.arg(format!("-DSCALE_B_BITS={}", unit.scale_count() * scale_b));
        }
        command.args(files.iter().map(|file| file.name.as_str())).arg(BENCH_FILE);
        run(&command, folder.path(), compiling())?;
        let widths = [formats.a.width(), formats.b.width(), scale_a, scale_b];
        Ok(Icarus { folder, widths, unit: unit.clone(), version })
    }
}

/// The compiler in that folder. It puts names of temporary files into lines of a shell, so they are in this folder, by a plain name.
pub(super) fn compiler(folder: &Path) -> Command {
    let mut command = Command::new("iverilog");
    command.current_dir(folder).envs(["TMP", "TMPDIR", "TEMP"].map(|name| (name, ".")));
    command
}

/// First line of Icarus' version, if it is there.
pub(super) fn version() -> Option<String> {
    let folder = Scratch::new().ok()?;
    let output = tied::output(compiler(folder.path()).arg("-V"), Some(folder.path()), tied::LIMIT).ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().map(str::to_owned)
}

/// Runs a program in its folder.
fn run(command: &Command, folder: &Path, bounds: Bounds) -> Result<(), EngineError> {
    program_output(command, folder, bounds).map_err(|said| failed(format!("{command:?} failed:\n{said}")))
}

/// Runs a program in its folder, to success.
///
/// # Errors
/// It cannot be run, or fails: what it said.
pub(super) fn program_output(command: &Command, folder: &Path, bounds: Bounds) -> Result<(), String> {
    match limited::run(command, folder, bounds).map_err(|error| error.to_string())? {
        Ended::Well => Ok(()),
        Ended::OutOfTime if bounds.grows.is_some() => {
            Err(format!("a result takes longer than {} s", bounds.time.as_secs_f32()))
        }
        Ended::OutOfTime => Err(format!("it takes longer than {} s", bounds.time.as_secs_f32())),
        Ended::Missing => Err("it is not on PATH".to_owned()),
        Ended::Badly(said) => Err(said),
    }
}

/// What the compiler may use.
pub(super) fn compiling() -> Bounds<'static> {
    Bounds::within(limited::LIMIT)
}

/// What a simulation may use that writes this file.
pub(super) fn simulating(results: &str, limits: Limits) -> Bounds<'_> {
    let Limits { time, memory, output } = limits;
    Bounds { time: SLOWER * time, grows: Some(results), output, memory: Some(memory), printed: None }
}

impl Engine for Icarus {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Identity {
        Identity { engine: NAME.to_owned(), version: self.version.clone() }
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        instruction.is_once(&self.unit)
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        let parse =
            |line: &String| u64::from_str_radix(line, 16).map_err(|_| failed(format!("the unit answered {line:?}")));
        *results = self.answers(batch)?.iter().map(parse).collect::<Result<_, _>>()?;
        Ok(())
    }
}

/// One line a vector: a, b, the scales if there are any, and c as long hexadecimal words, element 0 in the lowest bits.
pub(super) fn vector_lines(batch: &Batch, widths: [u32; 4]) -> String {
    let mut text = String::new();
    for v in 0..batch.len() {
        let inputs = batch.inputs(v);
        let words = [inputs.a, inputs.b, inputs.scale_a, inputs.scale_b];
        for (elements, width) in words.into_iter().zip(widths).filter(|(elements, _)| !elements.is_empty()) {
            text += &long_word(elements, width);
            text.push(' ');
        }
        let _ = writeln!(text, "{:x}", inputs.c);
    }
    text
}

/// Elements of any width, side by side, in hexadecimal.
fn long_word(elements: &[u64], width: u32) -> String {
    let bits = elements.iter().rev().map(|element| format!("{element:0width$b}", width = width as usize));
    let bits: String = bits.collect();
    let padding = "0".repeat(bits.len().next_multiple_of(4) - bits.len());
    let digits = padding + &bits;
    let digit = |start: usize| u8::from_str_radix(&digits[start..start + 4], 2).unwrap_or_default();
    (0..digits.len()).step_by(4).map(|start| format!("{:x}", digit(start))).collect()
}
