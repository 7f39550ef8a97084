//! A model in a process of its own, for what a user wrote: whatever it does there, it ends with an error here. `sim/program.cpp` is the
//! other side, and says what the two send each other. Nothing that it prints reaches standard output or standard error.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use super::Schedule;
use super::library::{Library, check_library};
use super::process::{DONE, End, HEADER, PROGRESS, Running, WORD, words_of};
use crate::describe::text::Foreign;
use crate::design::Limits;
use crate::engine::Batch;
use crate::engine::child::Printed;

/// Kinds of requests.
const CONFIGURE: u64 = 1;
const RUN: u64 = 2;

/// Longest hash of sources with the names of signals.
const NAMES_MAX: usize = 1 << 16;

/// A model in a process, which is started again after it has ended.
pub struct Isolated {
    program: PathBuf,
    limits: Limits,
    /// The request that says how it is driven, if there was one; sent again to a new process.
    schedule: Vec<u8>,
    /// Requests without a reply, sent before the next one.
    waiting: Vec<u8>,
    running: Option<Running>,
    greeting: Greeting,
    /// Of all processes.
    printed: Printed,
    bytes_printed: u64,
    /// Values of its signals after the last vectors.
    values: Vec<u64>,
    /// Clocks that the last process has told of.
    clocks: u64,
}

/// What a program says of itself at the start.
struct Greeting {
    products: usize,
    scales: usize,
    /// Bytes of an element of a, b, a scale of a, one of b, and c.
    bytes: [usize; 5],
    sources: String,
    /// Names of its signals.
    signals: Vec<String>,
}

impl Isolated {
    /// Starts the program of a user's design or unit.
    ///
    /// # Errors
    /// It is damaged, or another one, or does not start.
    pub fn start(program: &Library, limits: Limits) -> Result<Isolated, String> {
        let Library { path, sources } = program;
        let refused = |what: String| format!("cannot start {}: {what}", path.shown());
        check_library(path).map_err(|error| error.to_string())?;
        let none = Greeting { products: 0, scales: 0, bytes: [0; 5], sources: String::new(), signals: Vec::new() };
        let mut isolated = Isolated {
            program: path.canonicalize().map_err(|error| refused(error.to_string()))?,
            limits,
            schedule: Vec::new(),
            waiting: Vec::new(),
            running: None,
            greeting: none,
            printed: Printed::default(),
            bytes_printed: 0,
            values: Vec::new(),
            clocks: 0,
        };
        isolated.start_again().map_err(refused)?;
        if isolated.greeting.sources != *sources {
            return Err(refused(
                "it was made from other files than these: remove it, and it is built again".to_owned(),
            ));
        }
        Ok(isolated)
    }

    /// Says how a design is driven from now on, and starts it anew.
    pub fn configure(&mut self, schedule: &Schedule) {
        let Schedule { seed, phases, rounds, gaps, stalls, reset_after, latency, patience, wave } = schedule;
        let counts = [*phases, *rounds, *gaps, *stalls, *latency, *patience].map(u64::from);
        let words = [&[*seed, *reset_after], &counts[..]].concat();
        self.schedule.clear();
        put(&mut self.schedule, &[CONFIGURE, (words.len() * WORD + wave.len()) as u64]);
        put(&mut self.schedule, &words);
        self.schedule.extend(wave.as_bytes());
        self.waiting.extend(&self.schedule);
    }

    /// Runs some vectors of a batch; `d` has an element for each of them.
    ///
    /// # Errors
    /// The model failed, or its process ended: which vectors, counted from the first of them, and why. It can be used again, and starts
    /// anew.
    pub fn run(&mut self, batch: &Batch, range: Range<usize>, d: &mut [u64]) -> Result<(), String> {
        if self.running.is_none() {
            self.start_again()?;
        }
        let Greeting { products, scales, bytes, .. } = self.greeting;
        if (batch.products() as usize, batch.scales() as usize, range.len()) != (products, scales, d.len()) {
            return Err(format!("vectors of other numbers than {products} products and {scales} scales"));
        }
        let operands = [
            (&batch.a, products),
            (&batch.b, products),
            (&batch.scale_a, scales),
            (&batch.scale_b, scales),
            (&batch.c, 1),
        ];
        let sizes = operands.iter().zip(bytes).map(|((_, each), bytes)| d.len() * each * bytes);
        let size = WORD + sizes.sum::<usize>();
        let mut request = std::mem::take(&mut self.waiting);
        request.reserve(HEADER + size);
        put(&mut request, &[RUN, size as u64, d.len() as u64]);
        for ((all, each), bytes) in operands.into_iter().zip(bytes) {
            put_narrow(&mut request, &all[range.start * each..range.end * each], bytes);
        }
        let place = || match d.len() {
            1 => "vector 0".to_owned(),
            count => format!("vectors 0 to {}", count - 1),
        };
        let reply = self
            .exchange(&request, (d.len() + self.greeting.signals.len()) * WORD)
            .map_err(|what| format!("{}: {what}", place()))?;
        let results = reply.map_err(|reason| self.explained(&reason))?;
        let mut words = words_of(&results);
        d.iter_mut().zip(&mut words).for_each(|(result, word)| *result = word);
        self.values = words.collect();
        Ok(())
    }

    /// Whether its process runs, which goes on after a failure that the design's harness found.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Its signals, with their values after the last vectors that were answered.
    pub fn signals(&self) -> Vec<(String, u64)> {
        let values = self.values.iter().copied().chain(std::iter::repeat(0));
        self.greeting.signals.iter().cloned().zip(values).collect()
    }

    /// What all processes printed, if they printed anything: how much, and the end of it.
    pub fn printed(&self) -> Option<(u64, String)> {
        (self.bytes_printed > 0).then(|| (self.bytes_printed, self.printed.text()))
    }

    fn start_again(&mut self) -> Result<(), String> {
        self.clocks = 0;
        self.running = Some(Running::start(&self.program, self.limits.memory)?);
        let own = 7 * WORD;
        let hello = self.exchange(&[], own + NAMES_MAX).map_err(|what| format!("at its start {what}"))?;
        let hello = hello.map_err(|reason| self.explained(&reason))?;
        let (Some(words), Some(sources)) = (hello.get(..own), hello.get(own..)) else {
            return Err("it does not say what it is".to_owned());
        };
        let words: Vec<u64> = words_of(words).collect();
        let text = String::from_utf8_lossy(sources).into_owned();
        let mut lines = text.lines().map(str::to_owned);
        let (sources, signals) = (lines.next().unwrap_or_default(), lines.collect());
        let word = |index: usize| words[index] as usize;
        let bytes = std::array::from_fn(|index| word(2 + index));
        self.greeting = Greeting { products: word(0), scales: word(1), bytes, sources, signals };
        self.waiting = self.schedule.clone();
        Ok(())
    }

    /// A failure in the words of a user: what was printed before it comes last.
    fn explained(&self, reason: &str) -> String {
        let limit = self.limits.memory >> 20;
        let reason = reason.replace("std::bad_alloc", &format!("the design takes more than {limit} MiB of memory"));
        let Some((printed, why)) = reason.rsplit_once('\n') else { return reason };
        let (vector, printed) = printed.split_once(": ").unwrap_or_default();
        self.printed.add(printed.as_bytes());
        self.with_printed(format!("{vector}: {why}"))
    }

    fn with_printed(&self, what: String) -> String {
        match self.printed.text() {
            none if none.is_empty() => what,
            text => format!("{what}; the end of what it printed:{text}"),
        }
    }

    /// Sends a request, if it is one, and waits for a reply of at most so many bytes: what is in it, or the text of a failure.
    fn exchange(&mut self, request: &[u8], most: usize) -> Result<Result<Vec<u8>, String>, String> {
        let Some(running) = self.running.as_mut() else { return Err("it does not run".to_owned()) };
        // Most often all of it fits.
        let mut sent = running.send(request);
        let mut deadline = Instant::now() + self.limits.time;
        let mut ended = None;
        let end = loop {
            match (running.reply(most), ended) {
                (Some(Ok((PROGRESS, bytes))), _) => {
                    deadline = Instant::now() + self.limits.time;
                    self.clocks = words_of(&bytes).next().unwrap_or_default();
                }
                (Some(Ok((DONE, bytes))), _) => return Ok(Ok(bytes)),
                (Some(Ok((_, bytes))), _) => return Ok(Err(String::from_utf8_lossy(&bytes).into_owned())),
                (Some(Err(end)), _) | (None, Some(end)) => break end,
                (None, None) => {
                    let moved = running.transfer(&request[sent..], &self.printed);
                    self.bytes_printed += moved.printed;
                    sent += moved.sent;
                    if self.bytes_printed > self.limits.output {
                        break End::TooMuchPrinted;
                    }
                    ended = moved.end;
                    if ended.is_none() && Instant::now() > deadline {
                        break End::OutOfTime;
                    }
                }
            }
        };
        // What it printed before it ended.
        self.bytes_printed += running.print(&self.printed);
        self.running = None;
        Err(self.told(end))
    }

    /// How a process ended, and what it printed.
    fn told(&self, end: End) -> String {
        // Nobody knows it where the process had no time to say it.
        let place = if self.clocks == 0 { String::new() } else { format!(" in cycle {}", self.clocks) };
        self.with_printed(end.told(&place, self.limits))
    }
}

/// Adds words as bytes of this machine.
fn put(bytes: &mut Vec<u8>, words: &[u64]) {
    put_each(bytes, words, u64::to_ne_bytes);
}

/// Adds the lowest bytes of words, so many of each.
fn put_narrow(bytes: &mut Vec<u8>, words: &[u64], each: usize) {
    match each {
        0 => {}
        1 => put_each(bytes, words, |word| (word as u8).to_ne_bytes()),
        2 => put_each(bytes, words, |word| (word as u16).to_ne_bytes()),
        4 => put_each(bytes, words, |word| (word as u32).to_ne_bytes()),
        _ => put(bytes, words),
    }
}

fn put_each<const EACH: usize>(bytes: &mut Vec<u8>, words: &[u64], of: impl Fn(u64) -> [u8; EACH]) {
    let start = bytes.len();
    bytes.resize(start + words.len() * EACH, 0);
    bytes[start..].as_chunks_mut().0.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = of(*word));
}
