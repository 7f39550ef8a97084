//! A unit, an instruction, or a box of which only the interface is known; and its answers to vectors.

use std::path::Path;
use std::sync::Arc;

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use rayon::prelude::*;
use serde_json::{Value, json};

use tensorsmith::describe::format::Format;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::interface::Interface;
use tensorsmith::describe::subject::Subject as Described;
use tensorsmith::describe::text::unknown_name;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::gemm::Elements;
use tensorsmith::engine::{Batch, Emulator, Engine, Kind, Opened};
use tensorsmith::recording::Recorded;
use tensorsmith::report::names;

use crate::failure::Failure;
use crate::job::{self, Place, Stop};
use crate::memory::{Words, elements};
use crate::numbers;

/// Vectors that a thread answers at once.
const CHUNK: usize = 4096;

#[pyclass(frozen, module = "tensorsmith._native")]
pub struct Subject {
    recorded: Arc<Recorded>,
    interface: Interface,
}

/// What is named in the catalogue.
fn named(name: &str) -> Result<Described, Failure> {
    names::subject(name).ok_or_else(|| {
        let name = unknown_name(name, || names::nearest(name, &names::subjects()));
        let allowed =
            "a name that units() or instructions() lists, a path that ends in .toml, or the text of such a file";
        Failure::Name(format!("unknown unit or instruction {name}; allowed: {allowed}"))
    })
}

/// The engine of a name, or the fastest emulator that the processor has.
pub fn kinds(name: Option<&str>) -> Result<Vec<Kind>, Failure> {
    let Some(name) = name else { return Ok(vec![Kind::Wide]) };
    let known = ["emulator", "wide", "reference", "rtl", "icarus", "netlist", "processor", "cuda", "hip"];
    let kind = name.parse().ok().filter(|kind| !matches!(kind, Kind::External | Kind::Design | Kind::Board(_)));
    kind.map(|kind| vec![kind]).ok_or_else(|| {
        let allowed = known.map(|known| format!("{known:?}")).join(", ");
        Failure::Name(format!("engine is {name:?}; allowed: {allowed}, or None for the fastest emulator"))
    })
}

fn parsed(text: &str) -> Result<Recorded, Failure> {
    let fields = toml::from_str(text).unwrap_or_default();
    match Interface::is_file(&fields) {
        true => Ok(Recorded::Interface(Interface::from_toml("text", text)?)),
        false => Ok(Recorded::Subject(Described::from_toml("text", text)?)),
    }
}

impl Subject {
    pub fn interface(&self) -> &Interface {
        &self.interface
    }

    /// The unit or the instruction.
    ///
    /// # Errors
    /// Only the interface is known.
    pub fn described(&self) -> Result<&Described, Failure> {
        match &*self.recorded {
            Recorded::Subject(subject) => Ok(subject),
            Recorded::Interface(interface) => {
                let name = &interface.name;
                Err(Failure::Value(format!("unit: only the interface of {name} is known; allowed: a description")))
            }
        }
    }

    /// The same as an instruction, for whole matrices.
    pub fn instruction(&self) -> Result<Instruction, Failure> {
        Ok(self.described()?.instruction())
    }

    fn format(&self, operand: &str) -> Result<&Format, Failure> {
        let formats = &self.interface.formats;
        let scales = self.interface.scales.as_ref();
        match operand {
            "a" => Ok(&formats.a),
            "b" => Ok(&formats.b),
            "c" => Ok(&formats.c),
            "d" => Ok(&formats.d),
            "scale_a" => scales.map(|scales| &scales.a).ok_or_else(|| self.none("scales")),
            "scale_b" => scales.map(|scales| &scales.b).ok_or_else(|| self.none("scales")),
            _ => Err(Failure::Internal(format!("no operand {operand:?}"))),
        }
    }

    fn none(&self, what: &str) -> Failure {
        Failure::Value(format!("{} has no {what}; allowed: none", self.interface.name))
    }
}

#[pymethods]
impl Subject {
    /// By a name of the catalogue ("name"), a path ("path"), or the text of a file ("text").
    #[new]
    fn new(text: &str, by: &str) -> PyResult<Subject> {
        let recorded = match by {
            "name" => Recorded::Subject(named(text)?),
            "path" => Recorded::from_file(Path::new(text)).map_err(Failure::from)?,
            _ => parsed(text)?,
        };
        Ok(Subject { interface: recorded.interface(), recorded: Arc::new(recorded) })
    }

    #[getter]
    fn name(&self) -> &str {
        self.recorded.name()
    }

    /// "unit", "instruction" or "interface".
    #[getter]
    fn kind(&self) -> &'static str {
        match &*self.recorded {
            Recorded::Subject(Described::Unit(_)) => "unit",
            Recorded::Subject(Described::Instruction(_)) => "instruction",
            Recorded::Interface(_) => "interface",
        }
    }

    /// Formats and sizes, as JSON.
    fn shape(&self) -> String {
        let Interface { name, products, formats, scales, flags } = &self.interface;
        let format = |format: &Format| {
            let (name, width, padding, integer) =
                (&format.name, format.width(), format.padding_bits, format.is_integer());
            let container = Some(format.container().name).filter(|name| Format::named(name).is_some());
            json!({"name": name, "width": width, "padding": padding, "integer": integer, "container": container})
        };
        let mut all = json!({"a": format(&formats.a), "b": format(&formats.b), "d": format(&formats.d)});
        if self.interface.has_addend() {
            all["c"] = format(&formats.c);
        }
        if let Some(scales) = scales {
            (all["scale_a"], all["scale_b"]) = (format(&scales.a), format(&scales.b));
        }
        let matrix = match &*self.recorded {
            Recorded::Subject(Described::Instruction(instruction)) => json!(instruction.shape),
            _ => Value::Null,
        };
        let (scale_count, answer_width) = (self.interface.scale_count(), self.interface.answer_width());
        json!({
            "name": name, "products": products, "formats": all, "scales": scale_count, "flags": flags, "shape": matrix,
            "answer_width": answer_width,
        })
        .to_string()
    }

    /// Every field of the description, as JSON.
    fn parameters(&self) -> PyResult<String> {
        let json = match self.described()? {
            Described::Unit(unit) => serde_json::to_string(unit),
            Described::Instruction(instruction) => serde_json::to_string(instruction),
        };
        Ok(json.map_err(|error| Failure::Internal(error.to_string()))?)
    }

    /// The text of its file; of an instruction also that of its units.
    fn toml(&self) -> PyResult<Vec<(String, String)>> {
        Ok(match self.described()? {
            Described::Unit(unit) => vec![(format!("{}.toml", unit.name), unit.to_toml())],
            Described::Instruction(instruction) => {
                let file = |unit: &Unit| format!("{}.toml", unit.name);
                let adder = instruction.final_addition.as_ref();
                let text = instruction.to_toml(&file(&instruction.unit), adder.map(file).as_deref());
                let units = instruction.units().map(|unit| (file(unit), unit.to_toml()));
                std::iter::once((format!("{}.toml", instruction.name), text)).chain(units).collect()
            }
        })
    }

    /// Numbers of float64 as encodings of an operand's format.
    fn encode(&self, py: Python<'_>, name: &str, operand: &str, numbers: PyBuffer<f64>, by: &str) -> PyResult<Words> {
        numbers::of_numbers(py, name, &numbers, self.format(operand)?, by)
    }

    /// Words of a wider format as encodings of an operand's format.
    fn narrow(&self, name: &str, operand: &str, words: &Bound<'_, PyAny>, by: &str) -> PyResult<Words> {
        numbers::of_words(name, words, self.format(operand)?, by)
    }

    /// Answers to vectors, one after the other: results, and flags above 0 where there are flags.
    #[expect(clippy::too_many_arguments, reason = "the operands of a vector, and where it is answered")]
    fn run(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        c: &Bound<'_, PyAny>,
        scale_a: &Bound<'_, PyAny>,
        scale_b: &Bound<'_, PyAny>,
        engine: Option<&str>,
        threads: Option<usize>,
    ) -> PyResult<(Words, Words)> {
        let vectors = Vectors {
            a: elements("a", a)?,
            b: elements("b", b)?,
            c: elements("c", c)?,
            scale_a: elements("scale_a", scale_a)?,
            scale_b: elements("scale_b", scale_b)?,
        };
        vectors.check(&self.interface)?;
        let (kinds, recorded, interface) = (kinds(engine)?, Arc::clone(&self.recorded), self.interface.clone());
        self.described()?;
        job::run(py, Place::Shared(threads), &mut job::unasked, move |caller| {
            let Recorded::Subject(subject) = &*recorded else { return Err(Failure::Internal("no subject".to_owned())) };
            let words = vectors.answers(subject, &interface, &kinds, caller.stop())?;
            let d = interface.formats.d.width();
            let results: Vec<u64> = words.iter().map(|word| interface.split_answer(*word).0).collect();
            let flags: Vec<u64> = words.iter().map(|word| if interface.flags { word >> d } else { 0 }).collect();
            Ok((Words::of(d, &results), Words::of(8, &flags)))
        })
    }

    /// Every value of every stage of one vector, as decimals: they may have hundreds of bits.
    fn trace(
        &self,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        c: &Bound<'_, PyAny>,
        scale_a: &Bound<'_, PyAny>,
        scale_b: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<(String, Vec<String>)>> {
        let vectors = Vectors {
            a: elements("a", a)?,
            b: elements("b", b)?,
            c: elements("c", c)?,
            scale_a: elements("scale_a", scale_a)?,
            scale_b: elements("scale_b", scale_b)?,
        };
        vectors.check(&self.interface)?;
        let Described::Unit(unit) = self.described()? else {
            let name = self.recorded.name();
            let text = format!("{name} is an instruction, whose blocks have stages of their own; allowed: a unit");
            return Err(Failure::Value(text).into());
        };
        let vector = vectors.batch(&self.interface, 0, 1).vector(0);
        let stages = Emulator::new(unit).stages_of(&vector).map_err(Failure::from)?.into_iter();
        Ok(stages.map(|(name, values)| (name, values.iter().map(ToString::to_string).collect())).collect())
    }
}

/// Operands of vectors, one vector after the other.
struct Vectors {
    a: Elements,
    b: Elements,
    c: Elements,
    scale_a: Elements,
    scale_b: Elements,
}

impl Vectors {
    fn check(&self, interface: &Interface) -> Result<(), Failure> {
        let (count, formats) = (self.c.len(), &interface.formats);
        let absent = Format::absent();
        let [scale_a, scale_b] = interface.scales.as_ref().map_or([&absent; 2], |scales| [&scales.a, &scales.b]);
        let (products, scales) = (interface.products as usize, interface.scale_count() as usize);
        let all = [
            ("a", &self.a, products, &formats.a),
            ("b", &self.b, products, &formats.b),
            ("c", &self.c, 1, &formats.c),
            ("scale_a", &self.scale_a, scales, scale_a),
            ("scale_b", &self.scale_b, scales, scale_b),
        ];
        for (name, elements, each, format) in all {
            if elements.len() != count * each {
                let (found, allowed) = (elements.len(), count * each);
                return Err(Failure::Length(format!("{name} has {found} elements; allowed: {allowed}")));
            }
            if let Some((place, value)) = elements.foreign(format) {
                let allowed = format!("encodings of {}, of {} bits", format.name, format.width());
                return Err(Failure::Value(format!("{name}, element {place} of all: {value:#x}; allowed: {allowed}")));
            }
        }
        Ok(())
    }

    fn batch(&self, interface: &Interface, first: usize, count: usize) -> Batch {
        let mut batch = Batch::of_interface(interface);
        let (products, scales) = (interface.products as usize, interface.scale_count() as usize);
        let list = |elements: &Elements, each: usize| -> Vec<u64> {
            (first * each..(first + count) * each).map(|place| elements.get(place)).collect()
        };
        (batch.a, batch.b, batch.c) = (list(&self.a, products), list(&self.b, products), list(&self.c, 1));
        (batch.scale_a, batch.scale_b) = (list(&self.scale_a, scales), list(&self.scale_b, scales));
        batch
    }

    fn answers(
        &self,
        subject: &Described,
        interface: &Interface,
        kinds: &[Kind],
        stop: &Stop,
    ) -> Result<Vec<u64>, Failure> {
        let (kind, first) = open(kinds, subject)?;
        let chunks: Vec<usize> = (0..self.c.len()).step_by(CHUNK).collect();
        let answer = |engine: &mut dyn Engine, chunk: usize| -> Result<Vec<u64>, Failure> {
            stop.check();
            let count = CHUNK.min(self.c.len() - chunk);
            Ok(engine.answers(&self.batch(interface, chunk, count))?)
        };
        if chunks.len() < 2 || !kind.opens_again() {
            let mut engine = first;
            let parts = chunks.iter().map(|&chunk| answer(engine.as_mut(), chunk)).collect::<Result<Vec<_>, _>>()?;
            return Ok(parts.concat());
        }
        drop(first);
        let open = || kind.open_another(subject);
        let parts = chunks.par_iter().map_init(open, |engine, &chunk| match engine {
            Ok(engine) => answer(engine.as_mut(), chunk),
            Err(error) => Err(error.clone().into()),
        });
        Ok(parts.collect::<Result<Vec<Vec<u64>>, Failure>>()?.concat())
    }
}

/// The first of the engines that is there.
///
/// # Errors
/// None is, which says why; or one failed to start.
pub fn open(kinds: &[Kind], subject: &Described) -> Result<(Kind, Box<dyn Engine>), Failure> {
    let mut reasons = Vec::new();
    for &kind in kinds {
        match kind.open_subject(subject)? {
            Opened::Absent(reason) => reasons.push(format!("engine {} does not answer: {reason}", kind.name())),
            Opened::Ready(engine) => return Ok((kind, engine)),
        }
    }
    Err(Failure::Absent(reasons.join("; ")))
}
