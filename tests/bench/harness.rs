//! Contestants that take turns, so that all of them meet the same load, and what is written of them.

#![allow(unsafe_code, reason = "the time stamp counter is read by an instruction")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Parser;
use tensorsmith::isa::Isa;
use tensorsmith::report::VERSION;
use tensorsmith::report::speed::{Machine, Ratio, SCHEMA, Skipped, Speed, SpeedRow, markdown, picture, with_ratios};

/// What a benchmark is asked for.
#[derive(Parser)]
pub struct Arguments {
    /// Only these units or instructions
    pub subjects: Vec<String>,
    /// Folder to write NAME-LEVEL.json, NAME-LEVEL.md and NAME-LEVEL.svg to
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// A page whose section `<!-- speed: NAME-LEVEL -->` is to show the ratios
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Vector instructions of this level only; without, the most able one that the processor has
    #[arg(long, value_name = "LEVEL")]
    isa: Option<String>,
    /// Fewer turns, to see that it runs
    #[arg(long)]
    quick: bool,
    /// As cargo calls benchmarks
    #[arg(long, hide = true)]
    bench: bool,
}

impl Arguments {
    /// Whether a subject is asked for.
    pub fn asks_for(&self, subject: &str) -> bool {
        self.subjects.is_empty() || self.subjects.iter().any(|asked| asked == subject)
    }

    /// The level of vector instructions that is measured.
    pub fn level(&self) -> Isa {
        let Some(name) = &self.isa else { return Isa::best() };
        let isa = Isa::ALL.into_iter().find(|isa| isa.name() == name).unwrap_or_else(|| panic!("--isa {name}"));
        isa.limit().unwrap_or_else(|why| panic!("--isa {name}: {why}"));
        isa
    }

    /// How many turns each contestant takes.
    pub fn turns(&self, usual: usize) -> usize {
        if self.quick { 3 } else { usual }
    }
}

/// What takes turns.
pub struct Contestant<'a> {
    pub name: String,
    /// Takes a turn and tells how long the processor worked on it.
    turn: Box<dyn FnMut() -> Duration + 'a>,
    /// Vectors or products of a turn.
    items: usize,
    times: Vec<Duration>,
}

impl<'a> Contestant<'a> {
    /// One that measures itself.
    pub fn new(name: &str, items: usize, turn: impl FnMut() -> Duration + 'a) -> Contestant<'a> {
        Contestant { name: name.to_owned(), turn: Box::new(turn), items, times: Vec::new() }
    }

    /// One whose work on this thread is measured.
    pub fn of_work(name: &str, items: usize, mut work: impl FnMut() + 'a) -> Contestant<'a> {
        Contestant::new(name, items, move || {
            let start = thread_time();
            work();
            thread_time() - start
        })
    }

    pub fn take_turn(&mut self) {
        let time = (self.turn)();
        self.times.push(time);
    }

    /// What it took on a subject.
    pub fn row(mut self, subject: &str) -> SpeedRow {
        self.times.sort();
        let quartile = |quarter: usize| self.times[self.times.len() * quarter / 4].as_secs_f64();
        let nanoseconds = [1, 2, 3].map(|quarter| quartile(quarter) * 1e9 / self.items as f64);
        SpeedRow { subject: subject.to_owned(), contestant: self.name, nanoseconds }
    }
}

/// Measurements to be: everything but the rows.
pub fn speed(title: &str, quantity: &str, turns: usize, ratios: &[(&str, &str)]) -> Speed {
    let ratio = |&(fast, slow): &(&str, &str)| Ratio { fast: fast.to_owned(), slow: slow.to_owned() };
    Speed {
        schema: SCHEMA,
        title: title.to_owned(),
        quantity: quantity.to_owned(),
        tensorsmith: VERSION.to_owned(),
        finished: String::new(),
        machine: Machine {
            processor: processor(),
            architecture: std::env::consts::ARCH.to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            load: load(),
            counter_mhz: counter_mhz(),
        },
        turns,
        tools: BTreeMap::new(),
        rows: Vec::new(),
        ratios: ratios.iter().map(ratio).collect(),
        skipped: Vec::new(),
    }
}

/// Notes why a contestant does not take part.
pub fn skip(speed: &mut Speed, contestant: &str, reason: &str) {
    let skipped = Skipped { contestant: contestant.to_owned(), reason: reason.to_owned() };
    if !speed.skipped.contains(&skipped) {
        speed.skipped.push(skipped);
    }
}

/// Prints what was measured, and writes it where that is asked for.
pub fn finish(name: &str, mut speed: Speed, arguments: &Arguments) {
    let name = &format!("{name}-{}", arguments.level().name());
    if speed.rows.is_empty() {
        return println!("{name}: nothing of the names asked for: {}\n", arguments.subjects.join(", "));
    }
    speed.finished = chrono::Utc::now().format("%Y-%m-%d").to_string();
    let text = markdown(&speed).expect("the templates serve");
    println!("{text}");
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let json = serde_json::to_string_pretty(&speed).expect("measurements are numbers and text");
        write(&folder.join(format!("{name}.json")), &(json + "\n"));
        write(&folder.join(format!("{name}.md")), &text);
        write(&folder.join(format!("{name}.svg")), &picture(&speed));
    }
    if let Some(path) = &arguments.page {
        let page = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let changed = with_ratios(&page, name, &speed).expect("the templates serve");
        write(path, &changed.unwrap_or_else(|| panic!("{}: has no section speed: {name}", path.display())));
    }
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// What the machine calls its processor.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or(": a processor");
    line.trim_start_matches([' ', '\t', ':']).to_owned()
}

/// Processes that wanted a processor in the last minute, where the system tells.
fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// How long this thread has had a processor.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    time_of(rustix::time::ClockId::ThreadCPUTime)
}

/// What a clock of the system says.
#[cfg(unix)]
pub fn time_of(clock: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time that passed, where no thread's own is told.
#[cfg(not(unix))]
pub fn thread_time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Ticks of the time stamp counter in a microsecond.
fn counter_mhz() -> Option<f64> {
    let (start, first) = (Instant::now(), counter()?);
    std::thread::sleep(Duration::from_millis(200));
    Some((counter()? - first) as f64 / start.elapsed().as_secs_f64() / 1e6)
}

#[cfg(target_arch = "x86_64")]
fn counter() -> Option<u64> {
    // SAFETY: the instruction reads a counter.
    Some(unsafe { std::arch::x86_64::_rdtsc() })
}

#[cfg(not(target_arch = "x86_64"))]
fn counter() -> Option<u64> {
    None
}
