//! Processor cycles a vector on one core: `cargo bench --bench cycles`. The engines take turns on the same shaped vectors, the
//! stimulus and complete co-simulations on one chunk after the other; a cycle is one of the time stamp counter, and what counts is the time that the thread had the processor.

#![allow(unsafe_code, reason = "the time stamp counter is read by an instruction")]

use std::time::{Duration, Instant};

use tensorsmith::check::stimulus::{CHUNK, Stimulus};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit::yosys;
use tensorsmith::engine::netlist::circuit::Output;
use tensorsmith::engine::netlist::{self, Circuit, Interface, Mode, Steady, Variant};
use tensorsmith::engine::{Batch, Engine, Kind, Netlist, Opened, Wide};

const UNITS: [&str; 6] = [
    "volta-fp16-fp32",
    "ampere-fp16-fp32",
    "ampere-tf32-fp32",
    "hopper-fp16-fp32",
    "hopper-fp16-fp16",
    "hopper-e4m3-fp32",
];
const ROUNDS: usize = 41;
/// Runs of a turn, of an engine over the same chunk: a comparison too fills a chunk and has every engine answer it while it is in the
/// processor's cache.
const RUNS: usize = 4;

/// What takes turns: an engine, the stimulus, or a complete co-simulation; and what each turn took, in cycles a vector.
struct Contestant {
    name: &'static str,
    /// Goes through one chunk.
    work: Box<dyn FnMut(&Batch)>,
    turns: Vec<f64>,
}

fn main() {
    let frequency = counter_frequency();
    println!("time stamp counter: {:.0} MHz; medians of {ROUNDS} turns, quartiles behind them", frequency / 1e6);
    println!("| unit | engine | cycles a vector | M vectors/s | times the emulator | times rtl |");
    println!("|---|---|---:|---:|---:|---:|");
    for name in UNITS {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let kinds =
            [("wide", Kind::Wide), ("netlist", Kind::Netlist), ("emulator", Kind::Emulator), ("rtl", Kind::Rtl)];
        let mut contestants = Vec::new();
        for (name, kind) in kinds {
            if let Ok(Opened::Ready(engine)) = kind.open(&unit) {
                contestants.push(Contestant::of_engine(name, engine));
            }
        }
        contestants.extend(parts_of_netlist(&unit));
        if let Ok(text) = Wide::of_text(&unit) {
            contestants.insert(1, Contestant::of_engine("wide, text", Box::new(text)));
        }
        contestants.push(Contestant::of_stimulus(&unit));
        let slow = Contestant::of_comparison("co-simulation: emulator and rtl", &unit, [Kind::Emulator, Kind::Rtl]);
        let fast = Contestant::of_comparison("co-simulation: wide and netlist", &unit, [Kind::Wide, Kind::Netlist]);
        contestants.extend([slow, fast].into_iter().flatten());
        let stimulus = Stimulus::shaped(&unit, 1);
        let mut batch = Batch::of_unit(&unit);
        stimulus.fill(0, CHUNK, &mut batch);
        for _ in 0..ROUNDS {
            contestants.iter_mut().for_each(|contestant| contestant.turn(&batch, frequency));
        }
        report(name, frequency, &mut contestants);
    }
}

/// The netlist by the portable interpreter; and a netlist without lookup tables, whose time is that of the transpositions.
fn parts_of_netlist(unit: &Unit) -> Vec<Contestant> {
    let Ok(version) = yosys::version() else { return Vec::new() };
    let interface = Interface::new(unit, Variant::Core);
    let files = netlist::files(unit, Variant::Core).expect("the unit is emitted");
    let source = netlist::netlist_of(unit, Variant::Core, files, &version).expect("yosys maps the unit");
    let circuit =
        Circuit { inputs: interface.planes() as u32, luts: Vec::new(), outputs: vec![Output::Constant(false); 64] };
    let none = Netlist::of_circuit(interface, source.clone(), Steady { circuit, latency: 0 }, Mode::best());
    let interpreted = Netlist::new(unit, Variant::Core, source, Mode::Interpreter);
    [("netlist, transposition alone", none), ("netlist, interpreted", interpreted)]
        .map(|(name, engine)| Contestant::of_engine(name, Box::new(engine.expect("the engine starts"))))
        .into()
}

impl Contestant {
    fn new(name: &'static str, work: impl FnMut(&Batch) + 'static) -> Contestant {
        Contestant { name, work: Box::new(work), turns: Vec::new() }
    }

    fn of_engine(name: &'static str, mut engine: Box<dyn Engine>) -> Contestant {
        let mut results = Vec::new();
        Contestant::new(name, move |batch| engine.run(batch, &mut results).expect("the engine answers"))
    }

    /// Drawing the vectors of one chunk after the other.
    fn of_stimulus(unit: &Unit) -> Contestant {
        let (stimulus, mut own, mut chunk) = (Stimulus::shaped(unit, 1), Batch::of_unit(unit), 0);
        Contestant::new("stimulus", move |_| {
            stimulus.fill(chunk, CHUNK, &mut own);
            chunk += 1;
        })
    }

    /// Stimulus, two engines and the comparison of their answers.
    fn of_comparison(name: &'static str, unit: &Unit, kinds: [Kind; 2]) -> Option<Contestant> {
        let [Ok(Opened::Ready(mut first)), Ok(Opened::Ready(mut second))] = kinds.map(|kind| kind.open(unit)) else {
            return None;
        };
        let (stimulus, mut own, mut chunk) = (Stimulus::shaped(unit, 1), Batch::of_unit(unit), 0);
        let mut answers = [Vec::new(), Vec::new()];
        Some(Contestant::new(name, move |_| {
            stimulus.fill(chunk, CHUNK, &mut own);
            chunk += 1;
            first.run(&own, &mut answers[0]).expect("the engine answers");
            second.run(&own, &mut answers[1]).expect("the engine answers");
            assert!(answers[0] == answers[1], "the engines agree");
        }))
    }

    fn turn(&mut self, batch: &Batch, frequency: f64) {
        (self.work)(batch);
        let start = processor_time();
        for _ in 0..RUNS {
            (self.work)(batch);
        }
        let seconds = (processor_time() - start).as_secs_f64();
        self.turns.push(seconds * frequency / (RUNS * CHUNK) as f64);
    }

    /// The first quartile, the median and the third.
    fn quartiles(&mut self) -> [f64; 3] {
        self.turns.sort_by(f64::total_cmp);
        [1, 2, 3].map(|quarter| self.turns[self.turns.len() * quarter / 4])
    }
}

fn report(unit: &str, frequency: f64, contestants: &mut [Contestant]) {
    let rows: Vec<(&str, [f64; 3])> = contestants.iter_mut().map(|each| (each.name, each.quartiles())).collect();
    let median = |wanted: &str| rows.iter().find(|(name, _)| *name == wanted).map(|(_, [_, median, _])| *median);
    for (name, [first, middle, third]) in &rows {
        let ratio = |wanted: &str| median(wanted).map_or("-".to_owned(), |other| format!("{:.1}", other / middle));
        let rate = frequency / middle / 1e6;
        let (emulator, rtl) = (ratio("emulator"), ratio("rtl"));
        println!("| {unit} | {name} | {middle:.1} ({first:.1} to {third:.1}) | {rate:.1} | {emulator} | {rtl} |");
    }
    if let (Some(slow), Some(fast)) =
        (median("co-simulation: emulator and rtl"), median("co-simulation: wide and netlist"))
    {
        println!(
            "{unit}: co-simulation of wide and netlist is {:.1} times as fast as of emulator and rtl",
            slow / fast
        );
    }
}

/// How long this thread has had a processor.
#[cfg(unix)]
fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time that passed, where no thread's own is told.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Ticks of the time stamp counter in a second; elsewhere than on x86-64 a nanosecond counts as a cycle.
fn counter_frequency() -> f64 {
    let (start, first) = (Instant::now(), counter());
    std::thread::sleep(Duration::from_millis(200));
    counter().zip(first).map_or(1e9, |(now, first)| (now - first) as f64 / start.elapsed().as_secs_f64())
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
