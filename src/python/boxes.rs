//! Functions of Python's as black boxes: compared with a unit, described by what they answer, told apart.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use serde_json::{Value, json};

use tensorsmith::check::compare::{Comparison, Ran, Source, compare};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::interface::{Frame, Interface};
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::cache::Store;
use tensorsmith::engine::{Batch, Composed, Engine};
use tensorsmith::infer::distinguish::{Budget, Candidate, distinguish as search};
use tensorsmith::infer::{
    Decide, Decision, Equivalent, Finding, InferError, Options, Outcome, ParameterEvidence, composition,
    infer as describe, infer_recorded as describe_recorded,
};
use tensorsmith::prove::Prover;
use tensorsmith::prove::hypotheses::decider;
use tensorsmith::prove::solver::{Limits, Program};
use tensorsmith::recording::Answers;
use tensorsmith::report::OperandReport;

use crate::failure::Failure;
use crate::job::{self, Caller, Place, Watched};
use crate::memory::object;
use crate::subject::{Subject, kinds, open};

/// Asks a function of Python's, which takes encodings of a, b, c and the scales, one vector after the other, and returns the words
/// as uint64.
fn ask(function: &Bound<'_, PyAny>, interface: &Interface, batch: &Batch) -> PyResult<Vec<u64>> {
    let py = function.py();
    let formats = &interface.formats;
    let scales = interface.scales.as_ref();
    let [scale_a, scale_b] = [scales.map_or(8, |scales| scales.a.width()), scales.map_or(8, |scales| scales.b.width())];
    let arguments = (
        object(py, formats.a.width(), &batch.a)?,
        object(py, formats.b.width(), &batch.b)?,
        object(py, formats.c.width(), &batch.c)?,
        object(py, scale_a, &batch.scale_a)?,
        object(py, scale_b, &batch.scale_b)?,
        batch.len(),
    );
    let answers = PyBuffer::<u64>::get(&function.call1(arguments)?)?.to_vec(py)?;
    match answers.len() == batch.len() {
        true => Ok(answers),
        false => Err(PyTypeError::new_err(format!("{} answers; allowed: {}", answers.len(), batch.len()))),
    }
}

/// The boxes of a question: functions, or None for the subject's own engine.
fn asker<'a>(
    functions: &'a [Option<Bound<'_, PyAny>>],
    interfaces: &'a [Interface],
) -> impl FnMut(usize, &Batch) -> PyResult<Vec<u64>> + 'a {
    move |number, batch| match &functions[number] {
        Some(function) => ask(function, &interfaces[number], batch),
        None => Err(Failure::Internal("no function".to_owned()).into()),
    }
}

fn engines<T: Send + 'static>(
    caller: &Caller<T>,
    subject: &tensorsmith::describe::subject::Subject,
    named: &[Option<String>],
) -> Result<Vec<Box<dyn Engine>>, Failure> {
    let engine = |(number, name): (usize, &Option<String>)| -> Result<Box<dyn Engine>, Failure> {
        let Some(name) = name else { return Ok(Box::new(caller.engine(number))) };
        open(&kinds(Some(name))?, subject).map(|(_, engine)| engine)
    };
    named.iter().enumerate().map(engine).collect()
}

/// Compares engines, of which those without a name are functions; as JSON.
#[pyfunction]
pub fn cosim(
    py: Python<'_>,
    subject: &Bound<'_, Subject>,
    functions: Vec<Option<Bound<'_, PyAny>>>,
    named: Vec<Option<String>>,
    vectors: u64,
    seed: u64,
) -> PyResult<String> {
    let (subject, interface) = (subject.get().described()?.clone(), subject.get().interface().clone());
    let interfaces = vec![interface.clone(); functions.len()];
    named.iter().flatten().try_for_each(|name| kinds(Some(name)).map(drop))?;
    let mut ask = asker(&functions, &interfaces);
    let found = job::run(py, Place::Own(None), &mut ask, move |caller| {
        let engines = engines(caller, &subject, &named)?;
        let source = Source::Shaped { stimulus: Stimulus::shaped(subject.frame(), seed), count: vectors };
        Ok(compare(engines, &source, &mut |_| caller.stop().check())?)
    })?;
    Ok(compared(&found).to_string())
}

fn compared(found: &Comparison) -> Value {
    let ran = |ran: &Ran| match ran {
        Ran::Vectors { identity, count, time } => {
            json!({"engine": identity.engine, "version": identity.version, "vectors": count, "seconds": time.as_secs_f64()})
        }
        Ran::Skipped { engine, reason } => json!({"engine": engine, "skipped": reason.to_string()}),
    };
    let first = found.first.as_ref().map(|first| {
        json!({
            "index": first.index,
            "class": first.class.map(|class| class.name()),
            "vector": OperandReport::of(&first.vector),
            "answers": first.answers.iter().map(|(engine, word)| json!([engine, word])).collect::<Vec<_>>(),
        })
    });
    json!({
        "compared": found.compared,
        "mismatches": found.mismatches,
        "engines": found.engines.iter().map(ran).collect::<Vec<_>>(),
        "first": first,
    })
}

/// Describes what answers; as JSON. A solver, where one is named, has so many seconds for a query.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "who answers, and how much is asked")]
pub fn infer(
    py: Python<'_>,
    subject: &Bound<'_, Subject>,
    function: Option<Bound<'_, PyAny>>,
    engine: Option<String>,
    name: String,
    answered_by: String,
    confirm: u64,
    search: u64,
    seed: u64,
    solver: Option<(String, u64)>,
    threads: Option<usize>,
) -> PyResult<String> {
    let prover = solver.map(|(name, seconds)| prover(&name, seconds)).transpose()?;
    let interface = subject.get().interface().clone();
    let described = if engine.is_some() { Some(subject.get().described()?.clone()) } else { None };
    let (functions, interfaces) = ([function], [interface.clone()]);
    let mut ask = asker(&functions, &interfaces);
    let found = job::run(py, Place::Own(threads), &mut ask, move |caller| {
        let mut answering: Box<dyn Engine> = match (&engine, &described) {
            (Some(_), Some(subject)) => engines(caller, subject, &[engine])?.remove(0),
            _ => Box::new(caller.engine(0)),
        };
        let stop = caller.stop();
        let evaluate =
            |hypothesis: &_| Box::new(Watched::new(Composed::emulated_wide(hypothesis), stop)) as Box<dyn Engine>;
        let options = Options { seed, confirm, search };
        let prover = prover.map(|prover| {
            let stop = stop.clone();
            prover.before_each(move || stop.check())
        });
        let decide = prover.as_ref().map(decider);
        let decide = decide.as_ref().map(|decide| decide as Decide);
        let outcome = describe(answering.as_mut(), interface, &evaluate, decide, options)?;
        described_as(&outcome, &name, &answered_by)
    })?;
    Ok(found.to_string())
}

/// A solver, as the command line asks it.
fn prover(name: &str, seconds: u64) -> Result<Prover, Failure> {
    let known = Program::value_variants().iter().map(|program| format!("{:?}", program.name()));
    let allowed = || format!("{}, or None", known.collect::<Vec<_>>().join(", "));
    let program = Program::from_str(name, false)
        .map_err(|_| Failure::Value(format!("solver is {name:?}; allowed: {}", allowed())))?;
    let limits = Limits { time: Duration::from_secs(seconds), memory_bytes: Limits::MEMORY_BYTES };
    let prover = Prover::find(program, limits).map_err(|missing| Failure::Absent(missing.to_string()))?;
    Ok(prover.keeping(Store::usual().map_err(Failure::File)?))
}

/// Describes what a recording shows; as JSON.
#[pyfunction]
pub fn infer_recorded(
    py: Python<'_>,
    path: PathBuf,
    subject: Option<String>,
    name: String,
    search: u64,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<String> {
    let found = job::run(py, Place::Own(threads), &mut job::unasked, move |caller| {
        let recorded = Answers::read(&path, subject.as_deref(), &|_| {})?;
        let stop = caller.stop();
        let evaluate =
            |hypothesis: &_| Box::new(Watched::new(Composed::emulated_wide(hypothesis), stop)) as Box<dyn Engine>;
        let options = Options { seed, confirm: 0, search };
        let Answers { vectors, answers, interface, answered_by, .. } = recorded;
        let outcome = describe_recorded(&vectors, &answers, interface, &evaluate, options);
        let outcome = outcome.map_err(|error| match error {
            InferError::Contradictory { .. } | InferError::Interface(_) => {
                Failure::File(format!("{}: {error}", path.shown()))
            }
            other => other.into(),
        })?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        described_as(&outcome, &name, &format!("{file} ({})", answered_by.join("; ")))
    })?;
    Ok(found.to_string())
}

fn described_as(outcome: &Outcome, name: &str, answered_by: &str) -> Result<Value, Failure> {
    match outcome {
        Outcome::Nothing(contradiction) => {
            let best = contradiction
                .best
                .first()
                .map(|best| json!({"scheme": best.hypothesis.unit.scheme.name(), "answers_against": best.by.len()}));
            Ok(json!({"found": false, "asked": contradiction.asked, "best": best}))
        }
        Outcome::Found(finding) => {
            let written = finding.written(name, answered_by, &format!("{name}.toml"))?;
            let files: Vec<_> = written.files.iter().map(|file| json!([file.name, file.text])).collect();
            let parameters: Vec<Value> = finding.parameters.iter().map(parameter).collect();
            let scheme = finding.hypothesis.unit.scheme.name();
            let equivalent: Vec<Value> = finding.equivalent.iter().map(|other| equivalent(other, finding)).collect();
            let (asked, confirmed) = (finding.asked, finding.confirmed);
            Ok(json!({
                "found": true, "asked": asked, "confirmed": confirmed, "scheme": scheme, "files": files,
                "parameters": parameters, "equivalent": equivalent,
            }))
        }
    }
}

/// A parameter with the values that fit as well.
fn parameter(one: &ParameterEvidence) -> Value {
    let others = one.indistinguishable.iter();
    let reasons: Vec<_> = others.map(|other| json!([other.value, other.reason])).collect();
    json!({"field": one.field, "value": one.value, "fits": one.fitting(), "indistinguishable": reasons})
}

/// Another scheme or composition, with the parameters in which it differs from what was found.
fn equivalent(other: &Equivalent, finding: &Finding) -> Value {
    // What a solver refutes is not equivalent.
    let decision = other.decision.as_ref().and_then(|decision| match decision {
        Decision::Proved(reason) => Some(json!({"proved": true, "reason": reason})),
        Decision::Unknown(reason) => Some(json!({"proved": false, "reason": reason})),
        Decision::Refuted(_) => None,
    });
    let differing: Vec<Value> = other.differing(&finding.parameters).map(parameter).collect();
    json!({
        "scheme": other.hypothesis.unit.scheme.name(), "composition": composition(&other.hypothesis),
        "decision": decision, "differing": differing,
    })
}

/// The smallest vectors on which any two differ; as JSON. Those without a function are answered by their emulators.
#[pyfunction]
pub fn distinguish(
    py: Python<'_>,
    subjects: Vec<Bound<'_, Subject>>,
    functions: Vec<Option<Bound<'_, PyAny>>>,
    vectors: u64,
    seed: u64,
) -> PyResult<String> {
    let interfaces: Vec<Interface> = subjects.iter().map(|subject| subject.get().interface().clone()).collect();
    let all: Vec<_> =
        subjects.iter().map(|subject| Ok(subject.get().described()?.clone())).collect::<Result<_, Failure>>()?;
    let is_box: Vec<bool> = functions.iter().map(Option::is_some).collect();
    let mut ask = asker(&functions, &interfaces);
    let found = job::run(py, Place::Own(None), &mut ask, move |caller| {
        let frames: Vec<Frame> = all.iter().map(|subject| subject.frame()).collect();
        let engine = |(number, subject): (usize, &tensorsmith::describe::subject::Subject)| -> Box<dyn Engine> {
            match is_box[number] {
                true => Box::new(caller.engine(number)),
                false => Composed::emulated(&subject.instruction()),
            }
        };
        let mut engines: Vec<Box<dyn Engine>> = all.iter().enumerate().map(engine).collect();
        let mut candidates: Vec<Candidate> = engines
            .iter_mut()
            .zip(&frames)
            .map(|(engine, frame)| Candidate { engine: engine.as_mut(), frame })
            .collect();
        let budget = Budget { vectors, seed };
        let outcome = search(&mut candidates, budget, &mut |_| caller.stop().check())?;
        drop(candidates);
        let mut pairs = Vec::new();
        for one in &outcome.distinguished {
            let mut answers = Vec::new();
            for side in one.pair {
                let words = engines[side].answers(&Batch::of(&one.vector))?;
                answers.push(words[0]);
            }
            let vector = OperandReport::of(&one.vector);
            pairs.push(json!({"pair": one.pair, "vector": vector, "answers": answers, "found_by": one.found_by}));
        }
        let (alike, tried, all_inputs) = (&outcome.indistinguishable, outcome.tried, outcome.all_inputs);
        Ok(json!({"distinguished": pairs, "indistinguishable": alike, "tried": tried, "all_inputs": all_inputs}))
    })?;
    Ok(found.to_string())
}
