//! Vectors that a board makes and signs, a result a clock, against the same from an engine: many more than a line carries.
//!
//! Signatures of windows are compared. A window whose signature differs is run again in smaller ones, down to its first vector that
//! differs, which is then asked by itself too.

use std::fmt;
use std::thread;

use serde::{Serialize, Serializer};

use crate::engine::board::{Board, Generator, Model, Shape, Signature};
use crate::engine::{Engine, EngineError, Vector};

/// Clocks of a request.
const CLOCKS: u64 = 1 << 26;
/// Signatures of a request.
const SIGNATURES: u64 = 1 << 12;
/// Windows of a window that differs.
const PARTS: u64 = 64;

/// What is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedRun {
    pub vectors: u64,
    pub seed: u64,
    /// Vectors of a signature.
    pub window: u64,
    /// Vectors of a request: what is lost on the line is run again.
    pub request: u64,
    /// What vectors look like, each shape for an equal part of them.
    pub shapes: Vec<Shape>,
}

impl SignedRun {
    /// A run in requests that take a board a second or two, and whose signatures take a line a fraction of one.
    pub fn new(vectors: u64, seed: u64, window: u64, shapes: Vec<Shape>) -> SignedRun {
        let request = CLOCKS.min(window.saturating_mul(SIGNATURES)).max(window);
        SignedRun { vectors, seed, window, request, shapes }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signed {
    /// Vectors whose results were signed by the board, and by the engine.
    pub vectors: u64,
    /// Signatures that were compared.
    pub windows: u64,
    /// Windows whose signatures differ.
    pub differing: u64,
    /// The first vector that differs.
    pub first: Option<Difference>,
    /// Of all signatures of the board, in order: with it runs are compared.
    pub signature: String,
}

/// The first vector of a run that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What the vector looks like: one of [`Shape`]s.
    pub shape: &'static str,
    /// Seed of the vectors of its shape.
    #[serde(skip)]
    pub seed: u64,
    /// Its number among those of its shape.
    pub index: u64,
    /// Vectors from there on among which it is: 1 where it was found.
    pub among: u64,
    /// Of a tile: row and column of the element of D that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<(usize, usize)>,
    /// None where the window differed and parts of it did not when they were run by themselves; written as its encodings a, b,
    /// scales, c.
    #[serde(rename = "operands", serialize_with = "encodings")]
    pub vector: Option<Vector>,
    pub expected: Option<u64>,
    /// What the board answered in the run, where its signature tells.
    pub in_run: Option<u64>,
    /// What the board answered to the vector by itself.
    pub alone: Option<u64>,
    /// Whether the window differed again when it was run again.
    pub again: bool,
}

fn encodings<S: Serializer>(vector: &Option<Vector>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(vector.iter().flat_map(Vector::operands))
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { shape, index, among, cell, vector, expected, in_run, alone, again, .. } = self;
        let (Some(vector), Some(expected)) = (vector, expected) else {
            let what = format!("a window of vectors of the shape {shape} from number {index}");
            return match again {
                true if *among == 1 => {
                    write!(f, "vector {index} of the shape {shape} differs in the run, and not when it comes by itself")
                }
                true => write!(
                    f,
                    "{what} differs, and {among} vectors from there do not by themselves: it depends on those before"
                ),
                false => write!(f, "{what} differed once, and not when it was run again"),
            };
        };
        let words: Vec<String> = vector.operands().map(|word| format!("{word:x}")).collect();
        write!(f, "vector {index} of the shape {shape}")?;
        if let Some((row, column)) = cell {
            write!(f, ", row {row} and column {column}")?;
        }
        write!(f, ": {} gives ", words.join(" "))?;
        match in_run {
            Some(in_run) => write!(f, "{in_run:x}; expected {expected:x}")?,
            None => write!(f, "something else in the run; expected {expected:x}")?,
        }
        match alone {
            Some(alone) if alone == expected => f.write_str("; asked by itself it answers as expected"),
            Some(alone) if Some(alone) != in_run.as_ref() => write!(f, "; asked by itself it answers {alone:x}"),
            _ => Ok(()),
        }
    }
}

/// Compares what a board signs with what an engine does.
///
/// # Errors
/// The board or the engine failed.
pub fn compare(
    board: &mut Board,
    engine: &mut dyn Engine,
    run: &SignedRun,
    progress: &mut dyn FnMut(u64),
) -> Result<Signed, EngineError> {
    let layout = board.layout();
    let mut model = Model::new(engine, &layout);
    let mut signed = Signed { vectors: 0, windows: 0, differing: 0, first: None, signature: String::new() };
    let mut all = Signature::default();
    let shapes = run.shapes.len() as u64;
    for (number, shape) in (0..).zip(&run.shapes) {
        let vectors = run.vectors / shapes + u64::from(number < run.vectors % shapes);
        let seed = run.seed.wrapping_add(number);
        let mut generator = Generator::new(&layout, seed, shape.masks(&layout));
        let mut done = 0;
        while done < vectors {
            let count = (vectors - done).min(run.request);
            let begin = generator.clone();
            let (found, expected) = thread::scope(|scope| {
                let asked = scope.spawn(|| board.signatures(&begin, count, run.window));
                let expected = model.signatures(&layout, &mut generator, count, run.window, progress);
                (asked.join().expect("a board's errors are values"), expected)
            });
            let (found, expected) = (found?, expected?);
            found.iter().for_each(|&signature| all.take(signature));
            let differing: Vec<u64> =
                (0..).zip(found.iter().zip(&expected)).filter(|(_, (a, b))| a != b).map(|(at, _)| at).collect();
            signed.vectors += count;
            signed.windows += found.len() as u64;
            signed.differing += differing.len() as u64;
            if let (None, Some(&window)) = (&signed.first, differing.first()) {
                let (mut at, offset) = (begin, window * run.window);
                at.skip(offset);
                let size = run.window.min(count - offset);
                let found = locate(board, &mut model, at, size)?;
                signed.first = Some(found.difference(*shape, seed, done + offset));
            }
            done += count;
        }
    }
    signed.signature = format!("{:016x}", all.value());
    Ok(signed)
}

/// Where in a window a difference is, and what was answered there.
struct Located {
    offset: u64,
    among: u64,
    again: bool,
    element: Option<Element>,
}

/// An element of D that differs.
struct Element {
    cell: Option<(usize, usize)>,
    vector: Vector,
    /// What was expected of it, answered in the run where that is known, and answered to it alone.
    expected: u64,
    in_run: Option<u64>,
    alone: u64,
}

impl Located {
    fn difference(self, shape: Shape, seed: u64, begin: u64) -> Difference {
        let Located { among, again, .. } = self;
        let (shape, index) = (shape.name(), begin + self.offset);
        let none = Difference {
            shape,
            seed,
            index,
            among,
            cell: None,
            vector: None,
            expected: None,
            in_run: None,
            alone: None,
            again,
        };
        match self.element {
            None => none,
            Some(Element { cell, vector, expected, in_run, alone }) => {
                Difference { cell, vector: Some(vector), expected: Some(expected), in_run, alone: Some(alone), ..none }
            }
        }
    }
}

/// The first vector of a window that differs, by smaller and smaller windows.
fn locate(board: &mut Board, model: &mut Model, begin: Generator, size: u64) -> Result<Located, EngineError> {
    let layout = board.layout();
    let (mut begin, mut size, mut offset, mut again) = (begin, size, 0, false);
    loop {
        let part = size.div_ceil(PARTS);
        let found = board.signatures(&begin, size, part)?;
        let expected = model.signatures(&layout, &mut begin.clone(), size, part, &mut |_| {})?;
        let Some(first) = found.iter().zip(&expected).position(|(found, expected)| found != expected) else {
            return Ok(Located { offset, among: size, again, element: None });
        };
        again = true;
        let passed = first as u64 * part;
        begin.skip(passed);
        offset += passed;
        size = part.min(size - passed);
        if size == 1 {
            let element = element(board, model, &begin, Signature::only_result(found[first]))?;
            return Ok(Located { offset, among: 1, again, element });
        }
    }
}

/// The element that differs of those that the next vector of a generator makes; `in_run` is what the board's signature took of them.
/// None where the signature is of several, of which none differs when the vector comes by itself.
fn element(
    board: &mut Board,
    model: &mut Model,
    generator: &Generator,
    in_run: u64,
) -> Result<Option<Element>, EngineError> {
    let layout = board.layout();
    let (batch, results) = model.next(&layout, &mut generator.clone())?;
    let alone = board.alone(generator)?;
    let differs = alone.iter().zip(results).position(|(found, expected)| found != expected);
    let Some(cell) = differs.or((layout.cells() == 1).then_some(0)) else { return Ok(None) };
    Ok(Some(Element {
        cell: board.held().tile.map(|_| layout.cell(cell)),
        vector: batch.vector(cell),
        expected: results[cell],
        in_run: match layout.cells() {
            1 => Some(in_run),
            _ => (layout.folded(&alone) == in_run).then_some(alone[cell]),
        },
        alone: alone[cell],
    }))
}
