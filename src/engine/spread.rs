//! Several engines of one kind as one: each is opened on a thread of its own, and a batch goes in parts to all of them. Answers
//! are those of one engine, in the same order.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use super::{Absence, Batch, Engine, EngineError, Identity, Kind, Opened};
use crate::describe::instruction::Instruction;
use crate::describe::subject::Subject;

/// From so many chunks for each thread on, every thread does better with engines of its own; with fewer a [`Spread`] shares the vectors
/// of each chunk.
pub const CHUNKS_FOR_ENGINES: usize = 2;
/// Vectors that are worth another thread.
const WORTH_A_THREAD: usize = 1024;

/// Engines of one kind on threads. The second and further ones are opened when a batch is worth them.
pub struct Spread {
    kind: Kind,
    subject: Subject,
    jobs: usize,
    known: Known,
    workers: Vec<Worker>,
}

/// What an engine says of itself.
struct Known {
    name: &'static str,
    identity: Identity,
    details: BTreeMap<String, String>,
}

/// An engine on a thread, which answers batches until nobody asks any more.
struct Worker {
    asked: Option<Sender<Batch>>,
    answered: Receiver<Result<Vec<u64>, EngineError>>,
    thread: Option<JoinHandle<()>>,
}

impl Kind {
    /// One more engine of a kind of which one was opened before, for another thread.
    ///
    /// # Errors
    /// The engine failed to start, or is not there any more.
    pub fn open_another(self, subject: &Subject) -> Result<Box<dyn Engine>, EngineError> {
        match self.open_subject(subject)? {
            Opened::Ready(engine) => Ok(engine),
            Opened::Absent(absence) => Err(self.no_other(&absence)),
        }
    }

    fn no_other(self, absence: &Absence) -> EngineError {
        EngineError { engine: self.name(), message: format!("opened for one thread and not for another: {absence}") }
    }

    /// As many engines as `jobs` for a unit or an instruction, as one; a single one of what cannot be opened again, as a machine
    /// that is there once.
    ///
    /// # Errors
    /// The engine exists on this machine but failed to start.
    pub fn open_spread(self, subject: &Subject, jobs: usize) -> Result<Opened, EngineError> {
        if jobs < 2 || !self.opens_again() {
            return self.open_subject(subject);
        }
        Ok(match Worker::open(self, subject.clone())? {
            Ok((worker, known)) => {
                let (subject, workers) = (subject.clone(), vec![worker]);
                Opened::Ready(Box::new(Spread { kind: self, subject, jobs, known, workers }))
            }
            Err(absence) => Opened::Absent(absence),
        })
    }
}

impl Worker {
    /// Opens an engine on a new thread, and hears what it is.
    fn open(kind: Kind, subject: Subject) -> Result<Result<(Worker, Known), Absence>, EngineError> {
        let (asked, batches) = channel::<Batch>();
        let (answer, answered) = channel();
        let (tell, told) = channel();
        let thread = thread::spawn(move || {
            let mut engine = match kind.open_subject(&subject) {
                Ok(Opened::Ready(engine)) => engine,
                Ok(Opened::Absent(absence)) => return drop(tell.send(Ok(Err(absence)))),
                Err(error) => return drop(tell.send(Err(error))),
            };
            let known = Known { name: engine.name(), identity: engine.identity(), details: engine.details() };
            if tell.send(Ok(Ok(known))).is_err() {
                return;
            }
            for batch in batches {
                let outcome = engine.answers(&batch);
                if answer.send(outcome).is_err() {
                    return;
                }
            }
        });
        let worker = Worker { asked: Some(asked), answered, thread: Some(thread) };
        let opened = told.recv().unwrap_or_else(|_| Err(died(kind)))?;
        Ok(opened.map(|known| (worker, known)))
    }

    fn ask(&self, kind: Kind, batch: Batch) -> Result<(), EngineError> {
        let asked = self.asked.as_ref().ok_or_else(|| died(kind))?;
        asked.send(batch).map_err(|_| died(kind))
    }

    fn answer(&self, kind: Kind) -> Result<Vec<u64>, EngineError> {
        self.answered.recv().unwrap_or_else(|_| Err(died(kind)))
    }
}

impl Drop for Worker {
    /// The engine ends before its owner does: it may hold a process.
    fn drop(&mut self) {
        drop(self.asked.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn died(kind: Kind) -> EngineError {
    EngineError { engine: kind.name(), message: "its thread died".to_owned() }
}

impl Engine for Spread {
    fn name(&self) -> &'static str {
        self.known.name
    }

    fn identity(&self) -> Identity {
        self.known.identity.clone()
    }

    fn details(&self) -> BTreeMap<String, String> {
        self.known.details.clone()
    }

    /// Of several parts that failed, the first one's error is told, after all have ended.
    fn computes(&self, instruction: &Instruction) -> bool {
        self.subject.instruction().has_arithmetic_of(instruction)
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        let jobs = (batch.len() / WORTH_A_THREAD).clamp(1, self.jobs);
        while self.workers.len() < jobs {
            match Worker::open(self.kind, self.subject.clone())? {
                Ok((worker, _)) => self.workers.push(worker),
                Err(absence) => return Err(self.kind.no_other(&absence)),
            }
        }
        let length = batch.len().div_ceil(jobs).max(1);
        let starts = (0..batch.len()).step_by(length);
        let asked: Vec<_> = starts
            .zip(&self.workers)
            .map(|(start, worker)| {
                worker.ask(self.kind, batch.part(start..batch.len().min(start + length))).map(|()| worker)
            })
            .collect();
        results.clear();
        let mut outcome = Ok(());
        for worker in asked {
            match worker.and_then(|worker| worker.answer(self.kind)) {
                Ok(part) => results.extend(part),
                Err(error) => outcome = outcome.and(Err(error)),
            }
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tensorsmith_numerics::stimulus::Stimulus;

    /// Any number of threads gives the answers of one engine, in its order, whatever the batches' lengths are.
    #[test]
    fn answers_are_those_of_one() {
        let subject = Subject::named("ampere-fp16-fp32").expect("a unit");
        let opened = |jobs| match Kind::Emulator.open_spread(&subject, jobs) {
            Ok(Opened::Ready(engine)) => engine,
            _ => panic!("an emulator is always there"),
        };
        let stimulus = Stimulus::shaped(subject.frame(), 3);
        let mut one = opened(1);
        for jobs in [2, 3, 8] {
            let mut several = opened(jobs);
            assert_eq!((several.name(), several.identity()), (one.name(), one.identity()));
            for count in [0, 1, 1023, 2048, 2051, 20_000] {
                let (mut batch, mut expected, mut found) = (stimulus.empty_batch(), Vec::new(), vec![7; 5]);
                stimulus.fill(0, count, &mut batch);
                one.run(&batch, &mut expected).expect("emulators do not fail");
                several.run(&batch, &mut found).expect("emulators do not fail");
                assert!(expected == found, "{jobs} threads, {count} vectors");
            }
        }
    }
}
