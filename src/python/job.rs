//! Work on threads of its own, while the thread of the caller listens for interrupts and calls Python where the work asks it to:
//! so a function of Python's is always called on the thread that it was given on.

use std::collections::BTreeMap;
use std::mem;
use std::panic::{self, AssertUnwindSafe, resume_unwind};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use tensorsmith::engine::{Batch, Engine, EngineError, Identity};

use crate::failure::Failure;

/// How often interrupts are looked for.
const TICK: Duration = Duration::from_millis(50);

/// What ends work that nobody waits for any more.
struct Stopped;

/// What work knows of its caller.
#[derive(Clone)]
pub struct Caller<T> {
    stop: Stop,
    messages: Sender<Message<T>>,
}

/// Whether the caller was interrupted.
#[derive(Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the work here, if nobody waits for it.
    pub fn check(&self) {
        if self.0.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Stopped));
        }
    }
}

/// What the caller hears.
enum Message<T> {
    /// Vectors for the box of that number, and where the answers go.
    Question(usize, Batch, Sender<Option<Vec<u64>>>),
    Done(Result<T, Failure>),
}

impl<T> Caller<T> {
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The box of that number as an engine.
    pub fn engine(&self, number: usize) -> Asked<T> {
        Asked { caller: Caller { stop: self.stop.clone(), messages: self.messages.clone() }, number }
    }

    fn finish(self, work: impl FnOnce(&Caller<T>) -> Result<T, Failure>) {
        let result = panic::catch_unwind(AssertUnwindSafe(|| work(&self))).unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()));
            Err(Failure::Internal(text.unwrap_or_else(|| "a thread has panicked".to_owned())))
        });
        // Nobody hears it where the caller was interrupted.
        let _ = self.messages.send(Message::Done(result));
    }
}

/// A function of Python's as an engine: its caller's thread answers.
pub struct Asked<T> {
    caller: Caller<T>,
    number: usize,
}

impl<T: Send> Engine for Asked<T> {
    fn name(&self) -> &'static str {
        "python"
    }

    fn identity(&self) -> Identity {
        Identity { engine: "python".to_owned(), version: "a function".to_owned() }
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        self.caller.stop.check();
        let (sender, answers) = channel();
        let sent = self.caller.messages.send(Message::Question(self.number, batch.clone(), sender));
        match sent.ok().and_then(|()| answers.recv().ok()).flatten() {
            Some(answers) => {
                *results = answers;
                Ok(())
            }
            None => Err(EngineError { engine: "python", message: "the function raised an exception".to_owned() }),
        }
    }
}

/// Where work is done.
pub enum Place {
    /// On threads that are kept: as many as there are processors without a number.
    Shared(Option<usize>),
    /// On threads of its own, for work that asks Python: that may need the shared ones.
    Own(Option<usize>),
}

/// Does the work elsewhere and waits for it, without the interpreter's lock. `ask` answers for boxes.
///
/// # Errors
/// The work failed, `ask` did, or a signal's handler raised an exception: then the work ends as soon as it looks.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    place: Place,
    ask: &mut dyn FnMut(usize, &Batch) -> PyResult<Vec<u64>>,
    work: impl FnOnce(&Caller<T>) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (messages, heard) = channel();
    let stop = Stop::default();
    let caller = Caller { stop: stop.clone(), messages };
    let started = py.detach(|| -> Result<(), String> {
        match place {
            Place::Shared(threads) => shared(threads)?.spawn(move || caller.finish(work)),
            Place::Own(threads) => {
                let pool = pool(threads)?;
                std::thread::spawn(move || pool.install(|| caller.finish(work)));
            }
        }
        Ok(())
    });
    started.map_err(Failure::Engine)?;
    let mut raised = None;
    let heard = Mutex::new(heard);
    loop {
        match py.detach(|| listen(&heard)) {
            Ok(Message::Question(number, batch, answers)) => {
                let answer = match &raised {
                    None => ask(number, &batch),
                    Some(_) => Ok(Vec::new()),
                };
                // Nobody hears it where the work has ended.
                let _ = match answer {
                    Ok(answer) if raised.is_none() => answers.send(Some(answer)),
                    Ok(_) => answers.send(None),
                    Err(error) => {
                        raised = Some(error);
                        stop.0.store(true, Ordering::Relaxed);
                        answers.send(None)
                    }
                };
            }
            Ok(Message::Done(result)) => {
                return match raised {
                    Some(error) => Err(error),
                    None => Ok(result?),
                };
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(error) = py.check_signals() {
                    stop.0.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(raised.unwrap_or_else(|| Failure::Internal("a thread has ended".to_owned()).into()));
            }
        }
    }
}

fn listen<T>(heard: &Mutex<Receiver<Message<T>>>) -> Result<Message<T>, RecvTimeoutError> {
    heard.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(TICK)
}

/// For work that asks nothing.
pub fn unasked(_: usize, _: &Batch) -> PyResult<Vec<u64>> {
    Err(Failure::Internal("nobody answers".to_owned()).into())
}

fn pool(threads: Option<usize>) -> Result<ThreadPool, String> {
    let builder = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    builder.build().map_err(|error| format!("no threads could be started: {error}"))
}

/// Threads by their number, and the process that they belong to: a child that was forked has none of its parent's.
type Pools = (u32, BTreeMap<usize, Arc<ThreadPool>>);

static POOLS: Mutex<Pools> = Mutex::new((0, BTreeMap::new()));

/// Threads that are kept.
fn shared(threads: Option<usize>) -> Result<Arc<ThreadPool>, String> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if pools.0 != process::id() {
        // To end threads that are not there would be to wait for them.
        mem::forget(mem::take(&mut pools.1));
        pools.0 = process::id();
    }
    let number = threads.unwrap_or(0);
    if let Some(pool) = pools.1.get(&number) {
        return Ok(Arc::clone(pool));
    }
    let made = Arc::new(pool(threads)?);
    pools.1.insert(number, Arc::clone(&made));
    Ok(made)
}

/// An engine that ends where nobody waits for it any more.
pub struct Watched {
    engine: Box<dyn Engine>,
    stop: Stop,
}

impl Watched {
    pub fn new(engine: Box<dyn Engine>, stop: &Stop) -> Watched {
        Watched { engine, stop: stop.clone() }
    }
}

impl Engine for Watched {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn identity(&self) -> Identity {
        self.engine.identity()
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        self.stop.check();
        self.engine.run(batch, results)
    }
}
