//! `tensorsmith board`: what a board holds, and runs of vectors that it makes and signs by itself.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::output::{self, say};
use super::{Failure, Verdict, engines, input};
use tensorsmith::check::signature::{self, Signed, SignedRun};
use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::board::{self, Address, COUNT_MAX, Shape};
use tensorsmith::engine::{Board, Engine, Identity, Kind, Opened};

/// Ask a board at the end of a serial line what it holds, or run vectors that it makes by itself, a result a clock
///
/// With a unit the board makes vectors, one a clock, and signs their results; an engine computes the same. Signatures of windows
/// are compared, and the first vector that differs is found in smaller and smaller windows. Vectors that come over the line are
/// compared by `cosim UNIT --engines emulator,board:PATH`.
#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 the signatures are the same, or no unit was named; 1 one differs; 2 bad input, no board, or one that holds another unit.\n\nExamples:\n  tensorsmith board board:/dev/ttyUSB0\n  tensorsmith board board:/dev/ttyUSB0@1000000\n  tensorsmith board board:/dev/ttyUSB0 volta-fp16-fp32 --vectors 1000000000\n  tensorsmith board board:sim volta-fp16-fp32 --vectors 1000000 --shapes near,large --json -\n  tensorsmith board board:sim:2x2 volta-mma-m8n8k4-fp16-fp32 --vectors 100000"
)]
pub(super) struct Arguments {
    /// The board: board:PATH of its serial port, board:PATH@BAUD, board:sim for a simulated one, or
    /// board:sim:ROWSxCOLUMNS for one with a tile
    #[arg(value_name = "BOARD")]
    board: Kind,
    /// The unit that it has to hold, or the instruction of its tile: a name of the catalogue, or a file (.toml)
    unit: Option<String>,
    /// How many vectors it makes
    #[arg(long, value_name = "N", default_value_t = 1_000_000, requires = "unit", value_parser = input::number::<u64>(1..=COUNT_MAX))]
    vectors: u64,
    /// Seed of the vectors
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "unit", value_parser = input::number(0..=u64::MAX))]
    seed: u64,
    /// Vectors of a signature
    #[arg(long, value_name = "N", default_value_t = 1 << 20, requires = "unit", value_parser = input::number::<u64>(1..=COUNT_MAX))]
    window: u64,
    /// What vectors look like, each for an equal part: near (exponents that meet), uniform, short, positive, large, subnormal
    #[arg(long, value_name = "SHAPES", value_delimiter = ',', requires = "unit", value_parser = shape)]
    shapes: Vec<Shape>,
    /// Engine that computes the same
    #[arg(long, value_name = "ENGINE", default_value = "wide", requires = "unit")]
    engine: Kind,
    /// Write what was found as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A shape by its name.
fn shape(name: &str) -> Result<Shape, String> {
    let names = Shape::ALL.map(Shape::name);
    let found = Shape::ALL.into_iter().find(|shape| shape.name() == name);
    found.ok_or_else(|| format!("allowed: {}", names.join(", ")))
}

/// What is written as JSON.
#[derive(Serialize)]
struct Report<'a> {
    board: &'a str,
    holds: String,
    seed: u64,
    shapes: Vec<&'static str>,
    window: u64,
    engine: Identity,
    #[serde(flatten)]
    signed: &'a Signed,
    lost: u64,
    damaged: u64,
    stray: u64,
    repeated: u64,
    tensorsmith: &'static str,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let Kind::Board(address) = arguments.board else {
        let found = arguments.board.name();
        return Err(Failure(format!(
            "{found} is no board; allowed: board:PATH, board:PATH@BAUD, board:sim, board:sim:ROWSxCOLUMNS"
        )));
    };
    match &arguments.unit {
        None => identify(arguments, address),
        Some(subject) => sign(arguments, address, &input::subject(subject)?.subject),
    }
}

fn identify(arguments: &Arguments, address: Address) -> Result<Verdict, Failure> {
    let held = board::identify(address).map_err(Failure)?;
    if output::json_beside_text(arguments.json.as_deref(), &held)? {
        say!("{} holds {}", address.name, held.held());
        say!("  description  {}", held.description);
        say!("  registers    {}", held.cuts);
        say!("  clock        {} MHz", held.clock_hz as f64 / 1e6);
        say!("  line         {} baud, {} bytes of requests", held.baud, held.buffer);
        say!("  vectors      {} bits in, {} bits out", held.operands, held.answer);
        say!("  emitted by   tensorsmith {}", held.version);
    }
    Ok(Verdict::Agreed)
}

fn sign(arguments: &Arguments, address: Address, subject: &Subject) -> Result<Verdict, Failure> {
    let name = address.name;
    if arguments.engine == Kind::Board(address) {
        return Err(Failure(format!("--engine: {name} would agree with itself; allowed: another engine")));
    }
    let mut board = Board::at(address, subject)?.map_err(|absence| Failure(format!("{name}: {absence}")))?;
    let mut engine = match arguments.engine.open_spread(subject, output::processors())? {
        Opened::Ready(engine) => engine,
        Opened::Absent(absence) => return Err(Failure(engines::skipped(arguments.engine, &absence)?)),
    };
    let shapes = if arguments.shapes.is_empty() { Shape::ALL.to_vec() } else { arguments.shapes.clone() };
    let (vectors, seed, window) = (arguments.vectors, arguments.seed, arguments.window);
    let run = SignedRun::new(vectors, seed, window, shapes);
    let bar = output::progress(subject.name(), vectors, "vectors");
    let signed = signature::compare(&mut board, engine.as_mut(), &run, &mut |count| bar.inc(count));
    bar.finish_and_clear();
    let signed = signed?;
    let trouble = board.trouble();
    let report = Report {
        board: name,
        holds: board.held().to_string(),
        seed,
        shapes: run.shapes.iter().map(|shape| shape.name()).collect(),
        window,
        engine: engine.identity(),
        signed: &signed,
        lost: trouble.lost,
        damaged: trouble.damaged,
        stray: trouble.stray,
        repeated: trouble.repeated,
        tensorsmith: env!("CARGO_PKG_VERSION"),
    };
    if output::json_beside_text(arguments.json.as_deref(), &report)? {
        print(&report, subject.name(), &board);
    }
    Ok(if signed.differing == 0 { Verdict::Agreed } else { Verdict::Differed })
}

fn print(report: &Report, unit: &str, board: &Board) {
    let signed = report.signed;
    let (of, what) = (signed.windows, if board.held().tile.is_some() { "tiles" } else { "vectors" });
    say!(
        "{unit}: {} {what} made and signed by the board, {} of {of} signatures differ",
        signed.vectors,
        signed.differing
    );
    say!("  {:<10} ran {} {what} ({})", report.board, signed.vectors, board.identity().version);
    say!("  {:<10} ran {} {what} ({})", report.engine.engine, signed.vectors, report.engine.version);
    say!("  shapes     {}; seed {}, windows of {} {what}", report.shapes.join(", "), report.seed, report.window);
    say!("  signature  {}", signed.signature);
    if report.repeated > 0 {
        say!(
            "  line       {} answers lost, {} damaged, {} stray; {} requests sent again",
            report.lost,
            report.damaged,
            report.stray,
            report.repeated
        );
    }
    if let Some(first) = &signed.first {
        say!("  first      {first}");
    }
}
