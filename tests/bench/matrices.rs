//! Products a second of whole matrices, D = A B + C: `cargo bench --bench matrices`, with names behind `--` for some instructions
//! only. The matrix kernel on one core and on all, from Rust and from Python, the emulators, and as peers a chain of Berkeley
//! SoftFloat's fused multiply-adds and MMA-Sim. On one core what counts is the time that the thread had the processor, on all cores the time that passed.

mod harness;
mod mma_sim;
mod python;
mod softfloat;

use std::hint::black_box;
use std::time::{Duration, Instant};

use clap::Parser;
use harness::{Arguments, Contestant, finish, skip, speed, thread_time};
use mma_sim::{MMA_SIM, of_mma_sim};
use python::{Program, with_module};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::{ThreadPool, ThreadPoolBuilder};
use softfloat::{SOFTFLOAT, has_softfloat, single};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Format, Overflow, Rounding};
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::gemm::{Elements, Matrix, Multiplied, Operands};
use tensorsmith::engine::{Batch, Engine, EngineError, Gemm, Identity, Kind, Matrices, Opened};
use tensorsmith::isa::Isa;
use tensorsmith::report::speed::Speed;

const INSTRUCTIONS: [&str; 6] = [
    "hopper-mma-m16n8k16-fp16-fp32",
    "hopper-mma-m16n8k16-fp16-fp16",
    "hopper-wgmma-k32-e4m3-fp32",
    "ampere-mma-m16n8k16-bf16-fp32",
    "ampere-mma-m16n8k8-tf32-fp32",
    "volta-mma-m8n8k4-fp16-fp32",
];
const TURNS: usize = 11;
/// m, n and k for the kernel.
const SIZE: usize = 1024;
/// m and n for the others, whose products are as long.
const SMALL: usize = 32;

const ONE_CORE: &str = "gemm";
const ALL_CORES: &str = "gemm, all cores";
/// What all cores together worked on that.
const ALL_TOGETHER: &str = "gemm, all cores added up";
const FAR_APART: &str = "gemm, exponents far apart";

/// Sizes of a product that is computed from its encodings, by the library as by the Python package.
const CALLED: [usize; 3] = [128, 128, 4096];
/// It is short, and the two differ little: they take turns so many times as often as the others.
const MORE_TURNS: usize = 20;
/// The instruction that computes it.
const CALLED_BY: &str = "hopper-mma-m16n8k16-fp16-fp32";
const FROM_RUST: &str = "gemm, 128 x 128 x 4096";
const FROM_PYTHON: &str = "gemm, 128 x 128 x 4096 from Python";

fn main() {
    let arguments = Arguments::parse();
    let level = arguments.level().title();
    let ratios = [
        (ONE_CORE, SOFTFLOAT),
        (FAR_APART, SOFTFLOAT),
        (ONE_CORE, MMA_SIM),
        (ONE_CORE, "emulator"),
        (ONE_CORE, "wide"),
        (ALL_CORES, ONE_CORE),
        (ALL_TOGETHER, ONE_CORE),
        (FROM_PYTHON, FROM_RUST),
    ];
    let title = format!(
        "Products of whole matrices, {level}, gemm of {SIZE} x {SIZE} x {SIZE}, others of {SMALL} x {SMALL} x {SIZE}"
    );
    let mut speed = speed(&title, "products", arguments.turns(TURNS), &ratios);
    let pools =
        [1, speed.machine.cores].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads"));
    for name in INSTRUCTIONS.into_iter().filter(|name| arguments.asks_for(name)) {
        let instruction = catalogue::instruction(name).expect("an instruction of the catalogue");
        measure(&instruction, &pools, &mut speed);
    }
    finish("matrices", speed, &arguments);
}

fn measure(instruction: &Instruction, pools: &[ThreadPool; 2], speed: &mut Speed) {
    let [large, spread] = [0, 120].map(|spread| matrices(instruction, &random(instruction, SIZE, SIZE, spread)));
    let small = random(instruction, SMALL, SIZE, 0);
    let gemm = Gemm::of(instruction);
    let lower: Vec<(Isa, Gemm)> = Isa::supported()
        .filter(|isa| *isa < Isa::best())
        .filter_map(|isa| Some((isa, Gemm::on(instruction, isa).ok()?)))
        .collect();
    let [one, all] = pools;
    let mut contestants: Vec<Contestant> = Vec::new();
    match &gemm {
        Ok(gemm) => {
            contestants.push(kernel(ONE_CORE, gemm, &large, one, Counted::Thread));
            contestants.push(kernel(ALL_CORES, gemm, &large, all, Counted::Passed));
            contestants.push(kernel(ALL_TOGETHER, gemm, &large, all, Counted::Process));
            if instruction.a.exponent_bits == 8 {
                contestants.push(kernel(FAR_APART, gemm, &spread, one, Counted::Thread));
            }
        }
        Err(reason) => skip(speed, ONE_CORE, &reason.to_string()),
    }
    for (isa, gemm) in &lower {
        contestants.push(kernel(&format!("{ONE_CORE}, {}", isa.title()), gemm, &large, one, Counted::Thread));
    }
    for kind in [Kind::Wide, Kind::Emulator] {
        match kind.open_instruction(instruction) {
            Ok(Opened::Ready(engine)) => contestants.push(vectors(kind.name(), instruction, &small, engine)),
            Ok(Opened::Absent(reason)) => skip(speed, kind.name(), &reason.to_string()),
            Err(error) => panic!("{}: {error}", kind.name()),
        }
    }
    if has_softfloat(speed) {
        contestants.push(chain(instruction, &small));
    }
    let unit = &instruction.unit;
    let products = unit.products as usize;
    let vectors = of_products(unit, random(instruction, SIZE, 16 * products, 0));
    contestants.extend(of_mma_sim(unit, &vectors, products, speed));
    take_turns(contestants, speed.turns, instruction, speed);
    if instruction.name == CALLED_BY {
        let called = random_of(instruction, CALLED, 0);
        let mut contestants = vec![from_rust(instruction, &called, one)];
        contestants.extend(from_python(instruction, &called, speed));
        take_turns(contestants, MORE_TURNS * speed.turns, instruction, speed);
    }
}

fn take_turns(mut contestants: Vec<Contestant>, turns: usize, instruction: &Instruction, speed: &mut Speed) {
    for _ in 0..turns {
        contestants.iter_mut().for_each(Contestant::take_turn);
    }
    speed.rows.extend(contestants.into_iter().map(|contestant| contestant.row(&instruction.name)));
}

/// Matrices of numbers between -1 and 1, as they occur, times a random power of two down to 2^-spread.
fn random(instruction: &Instruction, size: usize, k: usize, spread: u64) -> Matrices {
    random_of(instruction, [size, size, k], spread)
}

/// The same of any sizes m, n and k.
fn random_of(instruction: &Instruction, [m, n, k]: [usize; 3], spread: u64) -> Matrices {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut draw = |format: &Format, count: usize| -> Vec<u64> {
        let mut number = || {
            let power = (random.next_u64() % (spread + 1)) as i32;
            f64::from(random.next_u64() as i32) / 2f64.powi(31 + power)
        };
        (0..count).map(|_| format.from_f64(number(), Rounding::NearestEven, Overflow::Ieee)).collect()
    };
    let (a, b) = (draw(&instruction.a, m * k), draw(&instruction.b, k * n));
    let c = draw(&instruction.c, m * n);
    Matrices { m, n, k, a, b, c, ..Matrices::default() }
}

fn matrices(instruction: &Instruction, from: &Matrices) -> [Matrix; 3] {
    [
        Matrix::of(&instruction.a, from.m, from.k, &from.a),
        Matrix::of(&instruction.b, from.k, from.n, &from.b),
        Matrix::of(&instruction.c, from.m, from.n, &from.c),
    ]
}

/// Which time counts.
#[derive(Clone, Copy)]
enum Counted {
    /// That the thread had the processor.
    Thread,
    /// That all threads together had one.
    Process,
    /// That passed.
    Passed,
}

fn kernel<'a>(
    name: &str,
    gemm: &'a Gemm,
    [a, b, c]: &'a [Matrix; 3],
    pool: &'a ThreadPool,
    counted: Counted,
) -> Contestant<'a> {
    Contestant::new(name, SIZE * SIZE * SIZE, move || {
        pool.install(|| {
            let (passed, thread, process) = (Instant::now(), thread_time(), process_time());
            black_box(gemm.multiply(a, b, c, &|_| {}));
            match counted {
                Counted::Thread => thread_time() - thread,
                Counted::Process => process_time() - process,
                Counted::Passed => passed.elapsed(),
            }
        })
    })
}

/// An engine that answers vectors and has no own way to multiply matrices.
struct Vectors(Box<dyn Engine>);

impl Engine for Vectors {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn identity(&self) -> Identity {
        self.0.identity()
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        self.0.run(batch, results)
    }
}

fn vectors<'a>(
    name: &str,
    instruction: &'a Instruction,
    matrices: &'a Matrices,
    engine: Box<dyn Engine>,
) -> Contestant<'a> {
    let mut engine = Vectors(engine);
    Contestant::of_work(name, SMALL * SMALL * SIZE, move || {
        black_box(matrices.multiply(instruction, &mut engine).expect("matrices that fit"));
    })
}

/// The chain of fused multiply-adds along K, on operands that are binary32 already.
fn chain(instruction: &Instruction, from: &Matrices) -> Contestant<'static> {
    let a = single(&instruction.a, &from.a);
    let b = single(&instruction.b, &from.b);
    let c = single(&instruction.c, &from.c);
    Contestant::of_work(SOFTFLOAT, SMALL * SMALL * SIZE, move || {
        for (place, &c) in c.iter().enumerate() {
            let (row, column) = (place / SMALL, place % SMALL);
            softfloat::chain((0..SIZE).map(|k| (a[row * SIZE + k], b[k * SMALL + column])), c);
        }
    })
}

/// Elements of matrices as operands of dot products: as many as there are rows of A.
fn of_products(unit: &Unit, from: Matrices) -> Batch {
    let mut batch = Batch::of_unit(unit);
    batch.c = from.c[..from.a.len() / unit.products as usize].to_vec();
    (batch.a, batch.b) = (from.a, from.b);
    batch
}

/// A product as the Python package has it computed: from encodings.
fn from_rust<'a>(instruction: &'a Instruction, from: &Matrices, pool: &'a ThreadPool) -> Contestant<'a> {
    let [a, b, c] = matrices(instruction, from);
    let operands = Operands { a, b, c, scales: None };
    Contestant::new(FROM_RUST, from.m * from.n * from.k, move || {
        pool.install(|| {
            let start = process_time();
            let answer = operands.multiply(instruction, Kind::Wide, &|_| {}).expect("matrices that fit");
            assert!(matches!(answer, Multiplied::Done(_)), "the kernel answers");
            process_time() - start
        })
    })
}

/// The same called from Python, where one has the package.
fn from_python(instruction: &Instruction, from: &Matrices, speed: &mut Speed) -> Option<Contestant<'static>> {
    let python = match with_module("tensorsmith", "./x python builds a wheel") {
        Ok(python) => python,
        Err(reason) => {
            skip(speed, FROM_PYTHON, &reason);
            return None;
        }
    };
    let bytes = |format: &Format, words: &[u64]| -> Vec<u8> {
        let width = format.width().div_ceil(8) as usize;
        words.iter().flat_map(|word| word.to_le_bytes().into_iter().take(width)).collect()
    };
    let sizes = [from.m, from.n, from.k].map(|size| size.to_string());
    let arguments = [&instruction.name, &sizes[0], &sizes[1], &sizes[2]].map(String::as_str);
    let read = [(&instruction.a, &from.a), (&instruction.b, &from.b), (&instruction.c, &from.c)];
    let read: Vec<u8> = read.into_iter().flat_map(|(format, words)| bytes(format, words)).collect();
    let mut program = Program::start(&python, "calls.py", &arguments, &read);
    let [a, b, c] = matrices(instruction, from);
    let expected = Gemm::of(instruction).expect("a kernel").multiply(&a, &b, &c, &|_| {}).elements;
    let mut answer = Elements::zeros(instruction.d().width(), 0);
    answer.extend_from_bytes(&program.answer(expected.len() * instruction.d().width() as usize / 8), false);
    assert!(answer == expected, "Python is answered as Rust is");
    Some(Contestant::new(FROM_PYTHON, from.m * from.n * from.k, move || program.turn()))
}

/// How long all threads together have had a processor.
#[cfg(unix)]
fn process_time() -> Duration {
    harness::time_of(rustix::time::ClockId::ProcessCPUTime)
}

/// The time that passed, where that is not told.
#[cfg(not(unix))]
fn process_time() -> Duration {
    thread_time()
}
