//! Any program as an engine: a simulator, a test bench, an FPGA behind a cable. It reads vectors as lines of hexadecimal words
//! and writes results as such.
//!
//! An instruction goes to the program whole, and so does a unit: what lies between a vector and its result is the program's
//! own. A program that hangs, ends, answers something else than a result, or answers the same vector differently is an error
//! of the engine, never a mismatch.
//!
//! Architecture invariant: nothing here knows what a right answer is.

#![doc = include_str!("PROTOCOL.md")]

mod process;
mod protocol;
mod repeats;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;
use std::time::Duration;

use super::{Absence, Batch, Engine, EngineError, Identity, Opened};
use crate::describe::interface::Interface;
use process::Process;
use protocol::Hello;
use repeats::{Repeat, Repeats};

pub(super) const NAME: &str = "external";

/// Most vectors between two lines `flush`, those that are asked again not counted.
const BETWEEN_FLUSHES: usize = 4096;

/// A program to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// As a line for the shell `sh`.
    pub command: String,
    /// How long it may take to answer a line.
    pub timeout: Duration,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "program {:?}", self.command)
    }
}

/// The program behind [`super::Kind::External`]. One place for the process: kinds are names, copied into lists and reports, and
/// hold no command line; a variable of the environment would reach the program itself, and is no safe thing to set.
static PROGRAM: OnceLock<Program> = OnceLock::new();

/// A program that answers vectors.
pub struct External {
    process: Process,
    name: String,
    version: String,
    has_addend: bool,
    answer_width: u32,
    repeats: Repeats,
    /// Why it answers no more.
    failure: Option<String>,
}

fn failed(message: String) -> EngineError {
    EngineError { engine: NAME, message }
}

/// A line that the program was sent, and what its answer is for.
enum Question {
    New(String),
    Again(Repeat),
}

impl Question {
    fn line(&self) -> &str {
        match self {
            Question::New(line) => line,
            Question::Again(repeat) => &repeat.line,
        }
    }
}

impl External {
    /// Names the program of the process; only the first one counts, and `false` says that this is another.
    pub fn name_program(program: Program) -> bool {
        *PROGRAM.get_or_init(|| program.clone()) == program
    }

    /// The line of the program of the process, if one was named.
    pub fn named_command() -> Option<&'static str> {
        PROGRAM.get().map(|program| program.command.as_str())
    }

    /// Opens the program of the process for an interface.
    ///
    /// # Errors
    /// No program was named, or it fails at its hello.
    pub fn open_named(interface: &Interface) -> Result<Opened, EngineError> {
        match PROGRAM.get() {
            Some(program) => External::open(program, interface),
            None => Err(failed("no program is named; allowed: --external COMMAND".to_owned())),
        }
    }

    /// Starts a program for an interface.
    ///
    /// # Errors
    /// The program does not start, or fails at its hello.
    pub fn open(program: &Program, interface: &Interface) -> Result<Opened, EngineError> {
        let mut process = Process::start(program).map_err(failed)?;
        process.send(protocol::hello(interface));
        let hello = process.line().map_err(|what| format!("{what}; no hello yet"));
        match hello.and_then(|line| protocol::read_hello(&line)) {
            Err(what) => Err(failed(process.fail(&what))),
            Ok(Hello::Unsupported(reason)) => {
                Ok(Opened::Absent(Absence::Inapplicable(format!("the program says: {reason}"))))
            }
            Ok(Hello::Ready(name, version)) => Ok(Opened::Ready(Box::new(External {
                process,
                name,
                version,
                has_addend: interface.has_addend(),
                answer_width: interface.answer_width(),
                repeats: Repeats::new(),
                failure: None,
            }))),
        }
    }

    /// Answers some vectors of the batch; what else to say of the program if it fails.
    fn answer(&mut self, batch: &Batch, range: Range<usize>, results: &mut Vec<u64>) -> Result<(), String> {
        let questions = self.questions(batch, range);
        let mut text: String = questions.iter().map(|question| format!("{}\n", question.line())).collect();
        text.push_str(protocol::FLUSH);
        text.push('\n');
        self.process.send(text);
        let answers = self.answers(&questions)?;
        for (question, &answer) in questions.iter().zip(&answers) {
            match question {
                Question::New(_) => results.push(answer),
                Question::Again(Repeat { line, first, answer: known }) => {
                    let known = known.unwrap_or_else(|| results[*first]);
                    if known != answer {
                        return Err(format!(
                            "answered {known:x}, and {answer:x} when it was asked again, to the vector {line}"
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// The vectors, and between them those that are asked again.
    fn questions(&mut self, batch: &Batch, range: Range<usize>) -> Vec<Question> {
        let mut questions = Vec::with_capacity(range.len());
        for v in range {
            let line = protocol::vector(batch.inputs(v), self.has_addend);
            self.repeats.note(&line, v);
            questions.push(Question::New(line));
            questions.extend(std::iter::from_fn(|| self.repeats.due()).map(Question::Again));
        }
        questions
    }

    /// As many answers as there are questions, and the program's `flush` after them.
    fn answers(&mut self, questions: &[Question]) -> Result<Vec<u64>, String> {
        let count = questions.len();
        let mut answers = Vec::with_capacity(count);
        loop {
            let next = questions.get(answers.len());
            let to = || next.map_or("the line flush".to_owned(), |question| format!("the vector {}", question.line()));
            let line = self.process.line().map_err(|what| format!("{what}; not answered yet: {}", to()))?;
            match (line == protocol::FLUSH, next) {
                (true, None) => return Ok(answers),
                (true, Some(_)) => {
                    return Err(format!("answered {} of {count} vectors before its line flush", answers.len()));
                }
                (false, None) => {
                    let line = process::quoted(&line);
                    return Err(format!("answered more than the {count} vectors that it was asked: {line}"));
                }
                (false, Some(_)) => {
                    let read = protocol::read_answer(&line, self.answer_width);
                    answers.push(read.map_err(|what| format!("{what}; asked was {}", to()))?);
                }
            }
        }
    }
}

impl Engine for External {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Identity {
        Identity { engine: NAME.to_owned(), version: format!("{} {}", self.name, self.version) }
    }

    fn details(&self) -> BTreeMap<String, String> {
        BTreeMap::from([("name".to_owned(), self.name.clone())])
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.clear();
        for first in (0..batch.len()).step_by(BETWEEN_FLUSHES) {
            let range = first..(first + BETWEEN_FLUSHES).min(batch.len());
            if let Some(failure) = &self.failure {
                return Err(failed(failure.clone()));
            }
            if let Err(what) = self.answer(batch, range, results) {
                let failure = self.process.fail(&what);
                return Err(failed(self.failure.insert(failure).clone()));
            }
        }
        self.repeats.answered(results);
        Ok(())
    }
}
