//! Requests to a board and their answers: `docs/src/boards.md` has the protocol. What is lost or damaged on the line is asked again.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use super::frame::{self, Frame};
use super::generator::Generator;
use super::layout::Layout;
use super::port::Port;
use crate::emit::kit::Identity;

const IDENTIFY: u8 = 1;
pub(super) const VECTORS: u8 = 2;
pub(super) const RUN: u8 = 3;

/// Bytes of a number of vectors.
const COUNT_BYTES: usize = 6;
/// Most vectors of a run.
pub const COUNT_MAX: u64 = (1 << (8 * COUNT_BYTES)) - 1;

/// How often something is asked again in a row before the line is given up.
const TRIES: u32 = 12;
/// Requests that may be under way.
const UNDER_WAY: usize = 2;
/// Flags, head and check sequence of a frame, all of it escaped.
const AROUND: usize = 2 + 2 * (2 + 4);
/// Bytes of requests before the board says how many it has room for.
const SMALLEST_BUFFER: usize = 256;

/// What a board says at the end of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    Done,
    Damaged,
    Unknown,
    Length,
    Stopped,
    Other(u8),
}

impl Status {
    fn of(byte: u8) -> Status {
        match byte {
            0 => Status::Done,
            1 => Status::Damaged,
            2 => Status::Unknown,
            3 => Status::Length,
            4 => Status::Stopped,
            other => Status::Other(other),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Done => f.write_str("done"),
            Status::Damaged => f.write_str("the request was damaged"),
            Status::Unknown => f.write_str("there is no such command"),
            Status::Length => f.write_str("the request has another length than its command takes"),
            Status::Stopped => f.write_str("the run was stopped by another request"),
            Status::Other(status) => write!(f, "status {status}, which the protocol has not"),
        }
    }
}

/// What the line did to requests and answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Trouble {
    /// Answers that did not come in time.
    pub lost: u64,
    /// Requests or answers whose check sequence was wrong.
    pub damaged: u64,
    /// Answers to something else than what was asked.
    pub stray: u64,
    /// Requests that were sent again.
    pub repeated: u64,
}

/// A line with a board at its end.
pub struct Link {
    port: Port,
    name: String,
    /// How long an answer may take beside the time of its bytes.
    patience: Duration,
    baud: u32,
    sequence: u8,
    buffer: usize,
    trouble: Trouble,
}

/// Where a talk begins to count: answers of an earlier one hardly pass for its own.
fn first_sequence() -> u8 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |time| (time.subsec_micros() >> 4) as u8)
}

/// A request that is not answered yet.
struct Request {
    sequence: u8,
    frame: Vec<u8>,
}

/// What is asked, request by request.
trait Questions {
    /// What the next request takes, in so many bytes of the line if it can be; `None` at the end.
    fn next(&mut self, most: usize) -> Option<Vec<u8>>;

    /// Bytes that the answers to the requests under way have, without what stands around them.
    fn expected(&self) -> usize;

    /// Takes what the answer to the oldest request gives.
    fn answered(&mut self, content: &[u8]) -> Result<(), String>;

    /// Goes back to the oldest request that is not answered.
    fn again(&mut self);
}

/// A single request.
struct One {
    payload: Vec<u8>,
    is_asked: bool,
    expected: usize,
    answer: Vec<u8>,
}

impl Questions for One {
    fn next(&mut self, _most: usize) -> Option<Vec<u8>> {
        (!std::mem::replace(&mut self.is_asked, true)).then(|| self.payload.clone())
    }

    fn expected(&self) -> usize {
        self.expected
    }

    fn answered(&mut self, content: &[u8]) -> Result<(), String> {
        self.answer = content.to_vec();
        Ok(())
    }

    fn again(&mut self) {
        self.is_asked = false;
    }
}

/// Vectors, so many, each in words: those before `begins` are answered, those before `ends` are asked.
struct Vectors<'a> {
    layout: &'a Layout,
    words: &'a dyn Fn(usize) -> Vec<u64>,
    count: usize,
    begins: usize,
    ends: usize,
    /// How many vectors the requests that are under way have.
    under_way: VecDeque<usize>,
    /// All elements that each makes.
    results: &'a mut Vec<u64>,
}

impl Questions for Vectors<'_> {
    fn next(&mut self, most: usize) -> Option<Vec<u8>> {
        let (mut payload, mut length, begin) = (Vec::new(), AROUND, self.ends);
        while self.ends < self.count {
            let before = payload.len();
            self.layout.bytes_of(&(self.words)(self.ends), &mut payload);
            length += payload[before..].iter().map(|&byte| frame::stuffed(byte)).sum::<usize>();
            // One vector goes whatever its length: the board takes it byte by byte.
            if length > most && before > 0 {
                payload.truncate(before);
                break;
            }
            self.ends += 1;
        }
        let count = self.ends - begin;
        (count > 0).then(|| {
            self.under_way.push_back(count);
            payload
        })
    }

    fn expected(&self) -> usize {
        self.under_way.iter().sum::<usize>() * self.layout.answer_bytes()
    }

    fn answered(&mut self, content: &[u8]) -> Result<(), String> {
        let (each, count) = (self.layout.answer_bytes(), self.under_way.pop_front().unwrap_or(0));
        if content.len() != count * each {
            return Err(format!("answered {} bytes to {count} vectors; allowed: {}", content.len(), count * each));
        }
        self.results.extend(content.chunks_exact(each).flat_map(|answer| self.layout.results(answer)));
        self.begins += count;
        Ok(())
    }

    fn again(&mut self) {
        self.ends = self.begins;
        self.under_way.clear();
    }
}

/// What a request for a run takes.
pub(super) fn run_of(layout: &Layout, generator: &Generator, count: u64, window: u64) -> Vec<u8> {
    assert!((1..=COUNT_MAX).contains(&window) && count <= COUNT_MAX);
    let number = |value: u64| value.to_le_bytes()[..COUNT_BYTES].to_vec();
    let mut payload = [number(window), number(count)].concat();
    payload.extend(generator.state().iter().flat_map(|lane| lane.to_le_bytes()));
    layout.bytes_of(&generator.masks().keep, &mut payload);
    layout.bytes_of(&generator.masks().set, &mut payload);
    payload
}

impl Link {
    /// Asks the board at a port what it holds.
    ///
    /// # Errors
    /// What answers is no board.
    pub fn open(port: Port, name: &str, baud: u32, patience: Duration) -> Result<(Link, Identity), String> {
        let (name, trouble) = (name.to_owned(), Trouble::default());
        let mut link =
            Link { port, name, patience, baud, sequence: first_sequence(), buffer: SMALLEST_BUFFER, trouble };
        // What is left of an earlier talk.
        link.port.drain().map_err(|error| link.failed(&error))?;
        let content = link.ask(IDENTIFY, Vec::new(), SMALLEST_BUFFER, Duration::ZERO)?;
        let text = String::from_utf8_lossy(&content).into_owned();
        let identity: Identity = text.parse().map_err(|error| format!("{}: {error}; it says {text:?}", link.name))?;
        link.buffer = identity.buffer as usize;
        Ok((link, identity))
    }

    pub fn trouble(&self) -> Trouble {
        self.trouble
    }

    fn failed(&self, error: &std::io::Error) -> String {
        format!("{}: the line failed: {error}", self.name)
    }

    /// A request with a number of its own, so that no earlier answer passes for its.
    fn request(&mut self, command: u8, payload: &[u8]) -> Request {
        self.sequence = self.sequence.wrapping_add(1);
        let content = [&[self.sequence, command], payload].concat();
        Request { sequence: self.sequence, frame: frame::framed(&content) }
    }

    /// How long that many bytes take on the line, twice.
    fn time_of(&self, bytes: usize) -> Duration {
        Duration::from_secs_f64(bytes as f64 * 10.0 * 2.0 / f64::from(self.baud))
    }

    /// Asks one thing; the content of its answer without head and status.
    fn ask(&mut self, command: u8, payload: Vec<u8>, expected: usize, takes: Duration) -> Result<Vec<u8>, String> {
        let mut one = One { payload, is_asked: false, expected, answer: Vec::new() };
        self.ask_all(command, &mut one, takes)?;
        Ok(one.answer)
    }

    /// Asks all that there is to ask, some at a time. What is damaged or lost is asked again, in shorter requests, with all that
    /// came after it.
    fn ask_all(&mut self, command: u8, questions: &mut dyn Questions, takes: Duration) -> Result<(), String> {
        let mut waiting: VecDeque<Request> = VecDeque::new();
        let whole = self.buffer / UNDER_WAY;
        let (mut tries, mut most) = (0, whole);
        loop {
            while waiting.len() < UNDER_WAY {
                let Some(payload) = questions.next(most) else { break };
                let request = self.request(command, &payload);
                self.port.send(&request.frame).map_err(|error| self.failed(&error))?;
                waiting.push_back(request);
            }
            let Some(first) = waiting.front() else { return Ok(()) };
            let asked: usize = waiting.iter().map(|request| request.frame.len()).sum();
            let limit = self.patience + takes + self.time_of(asked + questions.expected());
            let found = self.port.frame(limit).map_err(|error| self.failed(&error))?;
            let why = match self.understood(found, first.sequence, command)? {
                Ok(content) => {
                    questions.answered(&content).map_err(|why| format!("{}: {why}", self.name))?;
                    waiting.pop_front();
                    tries = 0;
                    most = (most + most / 4 + 1).min(whole);
                    continue;
                }
                Err(why) => why,
            };
            tries += 1;
            if tries == TRIES {
                return Err(self.given_up(command, &why, limit));
            }
            most = (most / 2).max(AROUND).min(whole);
            self.port.drain().map_err(|error| self.failed(&error))?;
            self.trouble.repeated += waiting.len() as u64;
            waiting.clear();
            questions.again();
        }
    }

    /// What an answer gives, or why it has to be asked again.
    fn understood(
        &mut self,
        found: Option<Frame>,
        sequence: u8,
        command: u8,
    ) -> Result<Result<Vec<u8>, String>, String> {
        let why = match found {
            Some(Frame::Whole(mut content)) if content.starts_with(&[sequence, command]) && content.len() > 2 => {
                let status = content.pop().map_or(Status::Done, Status::of);
                match status {
                    Status::Done => return Ok(Ok(content.split_off(2))),
                    Status::Damaged => self.trouble.damaged += 1,
                    Status::Stopped => self.trouble.stray += 1,
                    // What was damaged without trace, or a board of another version.
                    Status::Unknown | Status::Length | Status::Other(_) => {
                        return Err(format!("{}: the board says: {status}", self.name));
                    }
                }
                status.to_string()
            }
            Some(Frame::Whole(_)) => {
                self.trouble.stray += 1;
                "an answer to something else came".to_owned()
            }
            Some(Frame::Damaged) => {
                self.trouble.damaged += 1;
                "the answer was damaged".to_owned()
            }
            None => {
                self.trouble.lost += 1;
                "no answer came".to_owned()
            }
        };
        Ok(Err(why))
    }

    fn given_up(&self, command: u8, why: &str, limit: Duration) -> String {
        let hint = match command {
            IDENTIFY => format!(
                "; is the bitstream loaded, are both wires right, and is {} baud the rate that it was made for?",
                self.baud
            ),
            _ => String::new(),
        };
        let seconds = limit.as_secs_f64();
        format!("{}: asked {TRIES} times in vain, each time for {seconds:.1} s; the last time {why}{hint}", self.name)
    }

    /// All elements that so many vectors make, in the same order.
    ///
    /// # Errors
    /// The line fails, or the board.
    pub fn vectors(
        &mut self,
        layout: &Layout,
        count: usize,
        words: &dyn Fn(usize) -> Vec<u64>,
        results: &mut Vec<u64>,
    ) -> Result<(), String> {
        let mut asked = Vectors { layout, words, count, begins: 0, ends: 0, under_way: VecDeque::new(), results };
        self.ask_all(VECTORS, &mut asked, Duration::ZERO)
    }

    /// Signatures of the results of vectors that the board makes, one a window; the last window may be shorter.
    ///
    /// # Errors
    /// The line fails, or the board.
    pub fn run(
        &mut self,
        layout: &Layout,
        generator: &Generator,
        count: u64,
        window: u64,
        takes: Duration,
    ) -> Result<Vec<u64>, String> {
        let payload = run_of(layout, generator, count, window);
        let expected = 8 * count.div_ceil(window) as usize;
        let content = self.ask(RUN, payload, expected, takes)?;
        if content.len() != expected {
            let found = content.len();
            return Err(format!("{}: answered {found} bytes of signatures; allowed: {expected}", self.name));
        }
        Ok(content.chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes"))).collect())
    }
}
