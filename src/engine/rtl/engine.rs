//! The emitted SystemVerilog as an engine: linked units for the catalogue, units built at run time for all others.

use dashu_int::{IBig, UBig};

use super::{BuildError, Builder, Instance, Model, Request, Signal};
use crate::compute::record;
use crate::describe::catalogue;
use crate::describe::instruction::Instruction;
use crate::describe::unit::Unit;
use crate::emit::{self, SourceFile, instance};
use crate::engine::{Absence, Batch, Engine, EngineError, Identity, Opened, Trace, Vector};

pub(super) const NAME: &str = "rtl";
/// How often a unit is built whose library somebody removes from the cache before it is loaded.
const ATTEMPTS: u32 = 3;

pub(super) fn failed(message: impl ToString) -> EngineError {
    EngineError { engine: NAME, message: message.to_string() }
}

/// Opens the simulated hardware of a unit. A unit of the catalogue is linked into the program; any other is built now.
///
/// # Errors
/// The model cannot be built or started.
pub fn open(unit: &Unit) -> Result<Opened, EngineError> {
    let module = unit.module_name();
    let in_catalogue = catalogue::unit(&unit.name).as_ref() == Some(unit);
    if in_catalogue && Model::linked_modules().contains(&module) {
        let model = Model::linked(&module).map_err(failed)?;
        let emitted = request(unit, &Sources::Emitted, Vec::new())?.sources_hash().map_err(failed)?;
        // One that was linked of other files than are emitted now is no model of the unit.
        if model.sources() == emitted {
            let tools = env!("TENSORSMITH_RTL_TOOLS");
            return Ok(Opened::Ready(Box::new(Rtl::new(unit, Sources::Emitted, model, tools))));
        }
    }
    built(unit, Sources::Emitted)
}

/// Opens a unit that is built now.
fn built(unit: &Unit, sources: Sources) -> Result<Opened, EngineError> {
    let builder = match builder(unit)? {
        Ok(builder) => builder,
        Err(absence) => return Ok(Opened::Absent(absence)),
    };
    let model = build(unit, &sources, Vec::new())?;
    Ok(Opened::Ready(Box::new(Rtl::new(unit, sources, model, &builder.tools().summary()))))
}

/// The tools, or why there are none.
pub(super) fn builder(unit: &Unit) -> Result<Result<&'static Builder, Absence>, EngineError> {
    match Builder::shared() {
        Ok(builder) => Ok(Ok(builder)),
        Err(error @ BuildError::Refused(_)) => Err(failed(error)),
        // A Verilator that was named must work; where none was found, the engine is skipped.
        Err(error) if std::env::var_os("VERILATOR").is_some_and(|named| !named.is_empty()) => Err(failed(error)),
        Err(error) => {
            Ok(Err(Absence::Missing(format!("{} is not linked into this program: {error}", unit.module_name()))))
        }
    }
}

/// What a model is built of.
fn request(unit: &Unit, sources: &Sources, signals: Vec<Signal>) -> Result<Request, EngineError> {
    let files = match sources {
        Sources::Emitted => emit::module(unit).map_err(failed)?,
        Sources::Mutant(files) => files.clone(),
        Sources::Overridden => emit::library(overridden_top(unit)?),
    };
    let sources = files.into_iter().map(|file| (file.name, file.text)).collect();
    let inside = |module: &str| Instance { name: instance::NAME.to_owned(), module: module.to_owned() };
    Ok(Request { module: unit.module_name(), sources, signals, inside: instance::top(unit.scheme).map(inside) })
}

fn overridden_top(unit: &Unit) -> Result<&'static str, EngineError> {
    instance::top(unit.scheme).ok_or_else(|| failed("a list of steps has no module with parameters"))
}

/// Builds sources at run time, with the named signals readable.
fn build(unit: &Unit, sources: &Sources, signals: Vec<Signal>) -> Result<Model, EngineError> {
    let builder = Builder::shared().map_err(failed)?;
    let request = request(unit, sources, signals)?;
    // It has the lines that say the ports' widths.
    let header = || emit::core(unit).map(|core| core.text).map_err(failed);
    let mut attempts = 1..ATTEMPTS;
    loop {
        let library = match sources {
            Sources::Emitted => builder.library(&request),
            Sources::Mutant(_) => builder.mutant_library(&request),
            Sources::Overridden => {
                let overrides = instance::overrides(unit);
                builder.overridden_library(overridden_top(unit)?, &request.sources, &overrides, &header()?)
            }
        };
        let library = library.map_err(failed)?;
        match Model::load(&library) {
            Err(_) if !library.path.exists() && attempts.next().is_some() => {}
            loaded => return loaded.map_err(failed),
        }
    }
}

/// The signals of every stage.
fn stage_signals(unit: &Unit) -> Vec<Signal> {
    let signal =
        |signal: &record::Signal| Signal { name: signal.name.to_owned(), bits: signal.elements * signal.width };
    record::signals(unit).iter().map(signal).collect()
}

/// What a model is built from.
enum Sources {
    /// The unit's emitted files.
    Emitted,
    /// A deliberately broken twin of them, for negative controls.
    Mutant(Vec<SourceFile>),
    /// The library, whose module for the scheme is overridden with the unit's parameters.
    Overridden,
}

/// A verilated unit.
pub struct Rtl {
    unit: Unit,
    sources: Sources,
    model: Model,
    /// Versions of the tools that built the model.
    version: String,
    /// The same unit with its stage signals readable, built when a trace is first asked for; a mutant's model has them.
    traced: Option<Model>,
}

impl Rtl {
    fn new(unit: &Unit, sources: Sources, model: Model, version: &str) -> Rtl {
        Rtl { unit: unit.clone(), sources, model, version: version.to_owned(), traced: None }
    }

    /// The library's module for the unit's scheme, overridden with the unit's parameters.
    ///
    /// # Errors
    /// Verilator is there but refuses the parameters.
    pub fn overridden(unit: &Unit) -> Result<Opened, EngineError> {
        built(unit, Sources::Overridden)
    }

    /// A deliberately broken twin: `change` gets every emitted file of the unit, leaves included. Its one model is built with
    /// readable stage signals, since a mutant is asked for few vectors and then for a trace.
    ///
    /// # Errors
    /// There is no Verilator, or it refuses the changed files.
    pub fn mutant(unit: &Unit, change: impl Fn(&mut SourceFile)) -> Result<Rtl, EngineError> {
        let mut files = emit::module(unit).map_err(failed)?;
        files.iter_mut().for_each(change);
        let version = Builder::shared().map_err(failed)?.tools().summary();
        let sources = Sources::Mutant(files);
        let model = build(unit, &sources, stage_signals(unit))?;
        Ok(Rtl::new(unit, sources, model, &version))
    }
}

impl Engine for Rtl {
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
        results.resize(batch.len(), 0);
        run(&mut self.model, batch, results)
    }

    fn trace(&mut self, vector: &Vector) -> Result<Option<Trace>, EngineError> {
        let model = match (&self.sources, &mut self.traced) {
            (Sources::Mutant(_), _) => &mut self.model,
            // It need not have the signals of the unit.
            (Sources::Overridden, _) => return Ok(None),
            (Sources::Emitted, Some(model)) => model,
            // Of stages that hold other vectors than the result nothing could be told.
            (Sources::Emitted, none) => {
                none.insert(build(&self.unit.combinational(), &self.sources, stage_signals(&self.unit))?)
            }
        };
        let batch = Batch::of(vector);
        run(model, &batch, &mut [0])?;
        let read = |(index, signal): (usize, record::Signal)| {
            let values = elements(&signal, &model.read(index));
            (signal, values)
        };
        Ok(Some(Trace { values: record::signals(&self.unit).into_iter().enumerate().map(read).collect() }))
    }
}

/// Runs a whole batch.
fn run(model: &mut Model, batch: &Batch, results: &mut [u64]) -> Result<(), EngineError> {
    model.run_scaled(&batch.a, &batch.b, &batch.scale_a, &batch.scale_b, &batch.c, results).map_err(failed)
}

/// Cuts a signal's words, lowest first, into its elements.
fn elements(signal: &record::Signal, words: &[u32]) -> Vec<IBig> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let all = UBig::from_le_bytes(&bytes);
    let modulus = UBig::ONE << signal.width as usize;
    (0..signal.elements)
        .map(|element| {
            let value = (&all >> (element * signal.width) as usize) % &modulus;
            let negative = signal.signed && &value << 1 >= modulus;
            if negative { IBig::from(value) - IBig::from(modulus.clone()) } else { IBig::from(value) }
        })
        .collect()
}
