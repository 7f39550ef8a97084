//! Vectors a second on one core: `cargo bench --bench vectors`, with names behind `--` for some units only. Engines and peers
//! take turns on the same shaped vectors, the stimulus and complete co-simulations on one chunk after the other.

mod harness;
mod mma_sim;
mod python;
mod softfloat;

use clap::Parser;
use harness::{Arguments, Contestant, finish, skip, speed};
use mma_sim::{MMA_SIM, of_mma_sim};
use softfloat::{SOFTFLOAT, chain, has_softfloat, single};
use tensorsmith::check::stimulus::{CHUNK, Stimulus};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit::yosys;
use tensorsmith::engine::netlist::circuit::Output;
use tensorsmith::engine::netlist::{self, Circuit, Interface, Mode, Steady, Variant};
use tensorsmith::engine::{Batch, Engine, Kind, Netlist, Opened, Wide};
use tensorsmith::isa::Isa;
use tensorsmith::report::speed::Speed;

const UNITS: [&str; 6] = [
    "volta-fp16-fp32",
    "ampere-fp16-fp32",
    "ampere-tf32-fp32",
    "hopper-fp16-fp32",
    "hopper-fp16-fp16",
    "hopper-e4m3-fp32",
];
const TURNS: usize = 41;
/// Runs of a turn, of an engine over the same chunk: a comparison too fills a chunk and has every engine answer it while it is
/// in the processor's cache. So many that the first of them, for which code and tables have left it, hardly count.
const RUNS: usize = 64;

/// Complete co-simulations.
const FAST: &str = "wide + netlist";
const SLOW: &str = "emulator + rtl";

fn main() {
    let arguments = Arguments::parse();
    let level = arguments.level();
    let ratios = [
        ("wide", "rtl"),
        ("netlist", "rtl"),
        ("netlist, interpreted", "rtl"),
        ("wide", "emulator"),
        (FAST, SLOW),
        ("wide", SOFTFLOAT),
        ("wide", MMA_SIM),
    ];
    let mut speed =
        speed(&format!("Vectors on one core, {}", level.title()), "vectors", arguments.turns(TURNS), &ratios);
    for name in UNITS.into_iter().filter(|name| arguments.asks_for(name)) {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let stimulus = Stimulus::shaped(&unit, 1);
        let mut batch = Batch::of_unit(&unit);
        stimulus.fill(0, CHUNK, &mut batch);
        let mut contestants = contestants(&unit, &batch, &mut speed);
        for _ in 0..speed.turns {
            contestants.iter_mut().for_each(Contestant::take_turn);
        }
        speed.rows.extend(contestants.into_iter().map(|contestant| contestant.row(name)));
    }
    finish("vectors", speed, &arguments);
}

fn contestants<'a>(unit: &Unit, batch: &'a Batch, speed: &mut Speed) -> Vec<Contestant<'a>> {
    let mut contestants = Vec::new();
    for kind in [Kind::Wide, Kind::Netlist, Kind::Emulator, Kind::Rtl] {
        match kind.open(unit) {
            Ok(Opened::Ready(engine)) => contestants.push(of_engine(kind.name(), engine, batch)),
            Ok(Opened::Absent(reason)) => skip(speed, kind.name(), &reason.to_string()),
            Err(error) => panic!("{}: {error}", kind.name()),
        }
    }
    let text = Wide::of_text(unit, Isa::best());
    contestants.push(of_engine("wide, datapath text", Box::new(text), batch));
    for isa in Isa::supported().filter(|isa| *isa < Isa::best()) {
        contestants.push(of_engine(&format!("wide, {}", isa.title()), Box::new(Wide::on(unit, isa)), batch));
    }
    contestants.extend(parts_of_netlist(unit, batch, speed));
    contestants.push(of_stimulus(unit));
    for (name, kinds) in [(FAST, [Kind::Wide, Kind::Netlist]), (SLOW, [Kind::Emulator, Kind::Rtl])] {
        contestants.extend(of_comparison(name, unit, kinds));
    }
    if has_softfloat(speed) {
        contestants.push(of_runs(SOFTFLOAT, chains(unit, batch)));
    }
    // A call of it costs much beside the vectors.
    let mut many = Batch::of_unit(unit);
    Stimulus::shaped(unit, 1).fill(0, RUNS * CHUNK, &mut many);
    contestants.extend(of_mma_sim(unit, &many, 1, speed));
    contestants
}

/// A contestant that goes through a chunk some times in a turn.
fn of_runs<'a>(name: &str, mut work: impl FnMut() + 'a) -> Contestant<'a> {
    work();
    Contestant::of_work(name, RUNS * CHUNK, move || (0..RUNS).for_each(|_| work()))
}

fn of_engine<'a>(name: &str, mut engine: Box<dyn Engine>, batch: &'a Batch) -> Contestant<'a> {
    let mut results = Vec::new();
    of_runs(name, move || engine.run(batch, &mut results).expect("the engine answers"))
}

/// The netlist by the portable interpreter; and a netlist without lookup tables, whose time is that of the transpositions.
fn parts_of_netlist<'a>(unit: &Unit, batch: &'a Batch, speed: &mut Speed) -> Vec<Contestant<'a>> {
    let Ok(version) = yosys::version() else { return Vec::new() };
    let interface = Interface::new(unit, Variant::Core);
    let files = netlist::files(unit, Variant::Core).expect("the unit is emitted");
    let source = netlist::netlist_of(unit, Variant::Core, files, &version).expect("yosys maps the unit");
    speed.tools.insert("yosys".to_owned(), version.to_string());
    let circuit =
        Circuit { inputs: interface.planes() as u32, luts: Vec::new(), outputs: vec![Output::Constant(false); 64] };
    let none = Netlist::of_circuit(interface, source.clone(), Steady { circuit, latency: 0 }, Mode::best());
    let interpreted = Netlist::new(unit, Variant::Core, source, Mode::Interpreter);
    [("netlist, transposition alone", none), ("netlist, interpreted", interpreted)]
        .map(|(name, engine)| of_engine(name, Box::new(engine.expect("the engine starts")), batch))
        .into()
}

/// Drawing the vectors of one chunk after the other.
fn of_stimulus(unit: &Unit) -> Contestant<'static> {
    let (stimulus, mut own, mut chunk) = (Stimulus::shaped(unit, 1), Batch::of_unit(unit), 0);
    of_runs("stimulus", move || {
        stimulus.fill(chunk, CHUNK, &mut own);
        chunk += 1;
    })
}

/// Stimulus, two engines and the comparison of their answers.
fn of_comparison(name: &str, unit: &Unit, kinds: [Kind; 2]) -> Option<Contestant<'static>> {
    let [Ok(Opened::Ready(mut first)), Ok(Opened::Ready(mut second))] = kinds.map(|kind| kind.open(unit)) else {
        return None;
    };
    let (stimulus, mut own, mut chunk) = (Stimulus::shaped(unit, 1), Batch::of_unit(unit), 0);
    let mut answers = [Vec::new(), Vec::new()];
    Some(of_runs(name, move || {
        stimulus.fill(chunk, CHUNK, &mut own);
        chunk += 1;
        first.run(&own, &mut answers[0]).expect("the engine answers");
        second.run(&own, &mut answers[1]).expect("the engine answers");
        assert!(answers[0] == answers[1], "the engines agree");
    }))
}

/// SoftFloat's chain on every vector of a batch.
pub fn chains(unit: &Unit, batch: &Batch) -> impl FnMut() + use<> {
    let formats = &unit.formats;
    let (a, b) = (single(&formats.a, &batch.a), single(&formats.b, &batch.b));
    let (c, products) = (single(&formats.c, &batch.c), unit.products as usize);
    move || {
        for (v, &c) in c.iter().enumerate() {
            let own = v * products..(v + 1) * products;
            chain(a[own.clone()].iter().copied().zip(b[own].iter().copied()), c);
        }
    }
}
