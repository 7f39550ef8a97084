//! A test bench and its vectors: a line a vector, the answer on top of the operands, as the emitted tests have them.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{ExchangeError, Row};
use crate::describe::subject::Subject;
use crate::emit::bench::{self, Bench, Language};
use crate::recording::header::Header;

/// Which bench is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Testbench {
    pub language: Language,
    /// Name of the module, where it is not that of the subject.
    pub module: Option<String>,
    /// Edges of the clock after which a result comes, where the subject does not say it; 0 of a module without clock.
    pub latency: Option<u32>,
}

/// Writes the bench at once, and then the lines.
pub(super) struct Sink {
    path: PathBuf,
    out: BufWriter<File>,
    widths: [u32; 6],
}

impl Sink {
    pub fn new(recording: &Path, folder: &Path, header: &Header, which: &Testbench) -> Result<Sink, ExchangeError> {
        let refuse = |problem: String| ExchangeError::place(recording, "the header", problem);
        let recorded = header.recorded().map_err(refuse)?;
        let most = Bench::VECTORS_MAX;
        if !(1..=most).contains(&header.vectors()) {
            return Err(refuse(format!("{} vectors; allowed in a bench: 1 to {most}", header.vectors())));
        }
        let of_unit = match recorded.subject() {
            Some(Subject::Unit(unit)) if !unit.build.cuts.is_empty() => unit.latency(),
            _ => 0,
        };
        let module = which.module.clone().unwrap_or_else(|| recorded.name().replace('-', "_"));
        let command = match which.language {
            Language::Sv => "tensorsmith export RECORDING --testbench sv --out DIR",
            Language::Cocotb => "tensorsmith export RECORDING --testbench cocotb --out DIR",
        };
        let bench = Bench {
            language: which.language,
            module: &module,
            interface: &recorded.interface(),
            latency: which.latency.unwrap_or(of_unit),
            vectors: header.vectors(),
            what: "recorded answers",
            command,
        };
        let bench = bench.render().map_err(|error| refuse(error.to_string()))?;
        let path = folder.join(&bench.name);
        std::fs::write(&path, &bench.text).map_err(|source| ExchangeError::Write { path, source })?;
        let path = folder.join(Bench::vectors_file(&module));
        let out = File::create(&path).map_err(|source| ExchangeError::Write { path: path.clone(), source })?;
        Ok(Sink { path, out: BufWriter::new(out), widths: header.layout.widths })
    }
}

impl super::Sink for Sink {
    fn vector(&mut self, _number: u64, row: &Row) -> Result<(), ExchangeError> {
        let [a, b, scale_a, scale_b, c, d] = row;
        let mut widths = self.widths.into_iter();
        let operands = [a, b, scale_a, scale_b, c, d].map(|list| (&list[..], widths.next().unwrap_or_default()));
        let written = writeln!(self.out, "{}", bench::line(operands));
        written.map_err(|source| ExchangeError::Write { path: self.path.clone(), source })
    }

    fn finish(mut self: Box<Self>) -> Result<(), ExchangeError> {
        self.out.flush().map_err(|source| ExchangeError::Write { path: self.path, source })
    }
}
