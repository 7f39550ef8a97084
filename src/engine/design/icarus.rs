//! A design in Icarus Verilog: a second opinion, some thousand vectors a second.

use std::path::Path;
use std::process::Command;

use super::failed;
use crate::describe::instruction::Instruction;
use crate::describe::interface::Interface;
use crate::design::{self, Limits, Sources, Wrapper};
use crate::emit::limited;
use crate::emit::scratch::Scratch;
use crate::engine::child::Printed;
use crate::engine::icarus::{compiler, compiling, program_output, simulating, vector_lines, version};
use crate::engine::{Batch, Engine, EngineError, Identity};

const BENCH: &str = include_str!("../../../sim/tensorsmith_design_bench.sv");
const BENCH_FILE: &str = "tensorsmith_design_bench.sv";

/// A design compiled for Icarus, in a folder of its own.
pub struct InIcarus {
    folder: Scratch,
    interface: Interface,
    name: String,
    version: String,
    /// Of an a, a b, a scale of a and a scale of b.
    widths: [u32; 4],
    /// Batches so far: each has other phases.
    batches: u64,
    limits: Limits,
}

impl InIcarus {
    /// Compiles a design in the module around it; `None` where Icarus is not there.
    ///
    /// # Errors
    /// Icarus refuses the files.
    pub fn open(
        (design, wrapper): (&design::Design, &Wrapper),
        sources: &Sources,
        interface: &Interface,
    ) -> Result<Option<InIcarus>, EngineError> {
        let Some(version) = version() else { return Ok(None) };
        let folder = Scratch::new().map_err(failed)?;
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).map_err(failed);
        write(BENCH_FILE, BENCH)?;
        let module = format!("{}.sv", design::MODULE);
        write(&module, &wrapper.text)?;
        let mut command = compiler(folder.path());
        command.args(["-g2012", "-s", "tensorsmith_design_bench", "-o", "design.vvp"]);
        let number =
            |name: &str| wrapper.definitions.iter().find(|(known, _)| *known == name).map_or(0, |(_, value)| *value);
        for name in ["CLOCKED", "INTERVAL", "HOLDS", "ENABLED", "WAITS", "RESETS", "RESET_CYCLES"] {
            command.arg(format!("-D{name}={}", number(name)));
        }
        let (latency, patience) = (design.said.timing.latency.unwrap_or(0), design.patience());
        command.args([format!("-DLATENCY={latency}"), format!("-DPATIENCE={patience}")]);
        let (products, scales) = (number("PRODUCTS"), number("SCALES"));
        let widths = [
            ("A_BITS", products * number("A_WIDTH")),
            ("B_BITS", products * number("B_WIDTH")),
            ("C_BITS", number("C_WIDTH")),
            ("D_BITS", number("D_WIDTH")),
            ("FLAGS_BITS", number("FLAGS_WIDTH")),
            ("SCALE_A_BITS", scales * number("SCALE_A_WIDTH")),
            ("SCALE_B_BITS", scales * number("SCALE_B_WIDTH")),
        ];
        command.args(widths.iter().filter(|(_, bits)| *bits > 0).map(|(name, bits)| format!("-D{name}={bits}")));
        command.args(sources.arguments()).args([module.as_str(), BENCH_FILE]);
        program_output(&command, folder.path(), compiling()).map_err(|said| failed(refused(&design.file, &said)))?;
        let [scale_a, scale_b] = interface.scale_widths();
        let widths = [interface.formats.a.width(), interface.formats.b.width(), scale_a, scale_b];
        let (name, limits) = (design.said.name.clone(), design.limits);
        Ok(Some(InIcarus { folder, interface: interface.clone(), name, version, widths, batches: 0, limits }))
    }

    fn lines(&self, batch: &Batch, folder: &Path) -> Result<Vec<String>, EngineError> {
        std::fs::write(folder.join("vectors.txt"), vector_lines(batch, self.widths)).map_err(failed)?;
        let mut command = Command::new("vvp");
        // A design that stops fails: nobody is there to go on.
        command.args(["-N", "design.vvp", "+vectors=vectors.txt", "+results=results.txt"]);
        command.arg(format!("+seed={}", self.batches + 1));
        let ran = program_output(&command, folder, simulating("results.txt", self.limits));
        ran.map_err(|said| failed(format!("vvp failed:{}", end_of(&said))))?;
        let text = std::fs::read_to_string(folder.join("results.txt")).map_err(failed)?;
        Ok(text.lines().map(str::to_owned).collect())
    }
}

/// The last lines of a text.
fn end_of(text: &str) -> String {
    let printed = Printed::default();
    printed.add(text.as_bytes());
    printed.text()
}

/// What Icarus says of a design, with files as seen from here.
fn refused(file: &str, said: &str) -> String {
    let lines = said.lines().take(20).map(|line| format!("\n  {}", design::seen_from_here(line)));
    format!("{file}: Icarus refuses the design:{}", lines.collect::<String>())
}

impl Engine for InIcarus {
    fn name(&self) -> &'static str {
        super::NAME
    }

    fn identity(&self) -> Identity {
        Identity { engine: super::NAME.to_owned(), version: format!("{}; {}", self.name, self.version) }
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        super::takes(&self.interface, instruction)
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        let answers = self.lines(batch, self.folder.path())?;
        self.batches = (self.batches + 1) % (1 << 30);
        let again = answers.iter().find_map(|answer| answer.strip_prefix("again "));
        if let Some([vector, first, second]) = again.map(|again| again.split(' ').collect::<Vec<_>>()).as_deref() {
            return Err(failed(format!(
                "vector {vector}: the design answers {first}, and {second} when this vector came again"
            )));
        }
        if answers.len() != batch.len() {
            let (found, count) = (answers.len(), batch.len());
            let said = limited::said(self.folder.path()).map_err(failed)?;
            let said = if said.is_empty() { said } else { format!("; the end of what it printed:{}", end_of(&said)) };
            return Err(failed(format!("the design gave {found} results for {count} vectors and no more{said}")));
        }
        let parse = |(vector, answer): (usize, &String)| {
            let what = || failed(format!("vector {vector}: the design answered {answer:?}: a bit has no value"));
            u64::from_str_radix(answer, 16).map_err(|_| what())
        };
        *results = answers.iter().enumerate().map(parse).collect::<Result<_, _>>()?;
        Ok(())
    }
}
