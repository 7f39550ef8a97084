//! Products a second of whole matrices, D = A B + C: `cargo bench --bench gemm`, with names behind `--` for some instructions
//! only. The matrix kernel on one core and on all, the emulators, and as a peer a chain of Berkeley SoftFloat's fused multiply-adds. Contestants take turns; on one core what
//! counts is the time that the thread had the processor, on all cores the time that passed.
//!
//! `TENSORSMITH_SOFTFLOAT` names a shared library of SoftFloat 3; in its `build/Linux-x86_64-GCC`, with `-fPIC` added in the
//! Makefile: `make && cc -shared -o libsoftfloat.so -Wl,--whole-archive softfloat.a`.

#![allow(unsafe_code, reason = "a function of a C library is called")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Format, Overflow, Rounding};
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::engine::gemm::Matrix;
use tensorsmith::engine::{Batch, Composed, Engine, EngineError, Gemm, Identity, Kind, Matrices, Opened};

const INSTRUCTIONS: [&str; 6] = [
    "hopper-mma-m16n8k16-fp16-fp32",
    "hopper-mma-m16n8k16-fp16-fp16",
    "hopper-wgmma-k32-e4m3-fp32",
    "ampere-mma-m16n8k16-bf16-fp32",
    "ampere-mma-m16n8k8-tf32-fp32",
    "volta-mma-m8n8k4-fp16-fp32",
];
const ROUNDS: usize = 11;
/// m, n and k for the kernel.
const SIZE: usize = 1024;
/// m and n for the others, whose products are as long.
const SMALL: usize = 32;

/// Takes a turn and returns how long it took, and the processor time that all threads spent on it.
type Turn<'a> = Box<dyn FnMut() -> [Duration; 2] + 'a>;

/// `float32_t f32_mulAdd(float32_t, float32_t, float32_t)`: a structure of one `uint32_t` is passed as that is.
type MultiplyAdd = unsafe extern "C" fn(u32, u32, u32) -> u32;

/// A contestant, its products a turn, and its rates in products a second.
struct Contestant<'a> {
    name: String,
    turn: Turn<'a>,
    products: usize,
    rates: Vec<f64>,
    /// Processor time of each turn, in seconds.
    spent: Vec<f64>,
}

fn main() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{}; {cores} cores, load {}", processor(), load());
    println!("m = n = k = {SIZE}; medians of {ROUNDS} turns, quartiles behind them\n");
    let library = std::env::var_os("TENSORSMITH_SOFTFLOAT");
    if library.is_none() {
        println!("SoftFloat: skipped, because TENSORSMITH_SOFTFLOAT names no shared library of it\n");
    }
    // SAFETY: SoftFloat runs nothing when it is loaded, and its function has this type.
    let library = library.map(|path| unsafe { libloading::Library::new(path) }.expect("a shared library"));
    let multiply_add = library.as_ref().map(|library| {
        // SAFETY: as above.
        unsafe { library.get::<MultiplyAdd>(b"f32_mulAdd\0") }.expect("Berkeley SoftFloat 3")
    });
    println!("| instruction | contestant | G products a second | times SoftFloat | times one core |");
    println!("|---|---|---:|---:|---:|");
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    for name in INSTRUCTIONS.into_iter().filter(|name| asked.is_empty() || asked.iter().any(|asked| asked == name)) {
        let instruction = catalogue::instruction(name).expect("an instruction of the catalogue");
        let large = random(&instruction, SIZE, SIZE, 0);
        let spread = random(&instruction, SIZE, SIZE, 120);
        let small = random(&instruction, SMALL, SIZE, 0);
        let pools = [1, cores].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads"));
        let gemm = Gemm::of(&instruction);
        let [operands, spread] = [large, spread].map(|large| matrices(&instruction, &large));
        let mut contestants: Vec<Contestant> = Vec::new();
        if let Ok(gemm) = &gemm {
            for (pool, name) in pools.iter().zip(["gemm, one core", "gemm, all cores"]) {
                contestants.push(kernel(name, gemm, &operands, pool));
            }
            if instruction.a.exponent_bits == 8 {
                contestants.push(kernel("gemm, exponents far apart, one core", gemm, &spread, &pools[0]));
            }
        }
        for (name, kind) in [("wide, vectors, one core", Kind::Wide), ("emulator, one core", Kind::Emulator)] {
            if let Ok(Opened::Ready(engine)) = Composed::open(&instruction, kind) {
                contestants.push(vectors(name, &instruction, &small, engine));
            }
        }
        contestants.extend(multiply_add.iter().map(|multiply_add| chain(multiply_add, &instruction, &small)));
        for _ in 0..ROUNDS {
            contestants.iter_mut().for_each(Contestant::take_turn);
        }
        report(name, &contestants);
    }
}

impl Contestant<'_> {
    fn take_turn(&mut self) {
        let [time, spent] = (self.turn)();
        self.rates.push(self.products as f64 / time.as_secs_f64());
        self.spent.push(spent.as_secs_f64());
    }
}

/// The first quartile, the median and the third.
fn quartiles(numbers: &[f64]) -> [f64; 3] {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| sorted[sorted.len() * quarter / 4])
}

/// Matrices of numbers between -1 and 1, as they occur, times a random power of two down to 2^-spread.
fn random(instruction: &Instruction, size: usize, k: usize, spread: u64) -> Matrices {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut draw = |format: &Format, count: usize| -> Vec<u64> {
        let mut number = || {
            let power = (random.next_u64() % (spread + 1)) as i32;
            f64::from(random.next_u64() as i32) / 2f64.powi(31 + power)
        };
        (0..count).map(|_| format.from_f64(number(), Rounding::NearestEven, Overflow::Ieee)).collect()
    };
    let (a, b) = (draw(&instruction.a, size * k), draw(&instruction.b, k * size));
    let c = draw(&instruction.c, size * size);
    Matrices { m: size, n: size, k, a, b, c, ..Matrices::default() }
}

fn matrices(instruction: &Instruction, from: &Matrices) -> [Matrix; 3] {
    [
        Matrix::of(&instruction.a, from.m, from.k, &from.a),
        Matrix::of(&instruction.b, from.k, from.n, &from.b),
        Matrix::of(&instruction.c, from.m, from.n, &from.c),
    ]
}

fn kernel<'a>(name: &str, gemm: &'a Gemm, [a, b, c]: &'a [Matrix; 3], pool: &'a ThreadPool) -> Contestant<'a> {
    let turn = move || {
        pool.install(|| {
            let alone = pool.current_num_threads() == 1;
            let (start, first) = (passed_time(), processor_time(alone));
            black_box(gemm.multiply(a, b, c, &|_| {}));
            let spent = processor_time(alone) - first;
            [if alone { spent } else { passed_time() - start }, spent]
        })
    };
    Contestant {
        name: name.to_owned(),
        turn: Box::new(turn),
        products: SIZE * SIZE * SIZE,
        rates: Vec::new(),
        spent: Vec::new(),
    }
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
    let turn = move || {
        let start = processor_time(true);
        black_box(matrices.multiply(instruction, &mut engine).expect("matrices that fit"));
        [processor_time(true) - start; 2]
    };
    Contestant {
        name: name.to_owned(),
        turn: Box::new(turn),
        products: SMALL * SMALL * SIZE,
        rates: Vec::new(),
        spent: Vec::new(),
    }
}

/// d = fma(a, b, d) in binary32 along K, on operands that are binary32 already.
fn chain<'a>(
    multiply_add: &'a libloading::Symbol<'a, MultiplyAdd>,
    instruction: &Instruction,
    from: &Matrices,
) -> Contestant<'a> {
    let single = |format: &Format, bits: u64| (format.to_f64(bits) as f32).to_bits();
    let a: Vec<u32> = from.a.iter().map(|&bits| single(&instruction.a, bits)).collect();
    let b: Vec<u32> = from.b.iter().map(|&bits| single(&instruction.b, bits)).collect();
    let c: Vec<u32> = from.c.iter().map(|&bits| single(&instruction.c, bits)).collect();
    let turn = move || {
        let start = processor_time(true);
        for (place, c) in c.iter().enumerate() {
            let (row, column) = (place / SMALL, place % SMALL);
            let mut d = *c;
            for k in 0..SIZE {
                // SAFETY: as SoftFloat declares it, numbers by value; only its own state is touched.
                d = unsafe { multiply_add(a[row * SIZE + k], b[k * SMALL + column], d) };
            }
            black_box(d);
        }
        [processor_time(true) - start; 2]
    };
    let name = "SoftFloat f32_mulAdd, one core".to_owned();
    Contestant { name, turn: Box::new(turn), products: SMALL * SMALL * SIZE, rates: Vec::new(), spent: Vec::new() }
}

fn report(instruction: &str, contestants: &[Contestant]) {
    let find = |wanted: &str| contestants.iter().find(|each| each.name.starts_with(wanted));
    let rate = |wanted: &str| find(wanted).map(|each| quartiles(&each.rates)[1]);
    for each in contestants {
        let [first, middle, third] = quartiles(&each.rates).map(|rate| rate / 1e9);
        let ratio = |other: Option<f64>| other.map_or("-".to_owned(), |other| format!("{:.2}", middle * 1e9 / other));
        let one_core = if each.name.starts_with("gemm") { rate("gemm, one core") } else { None };
        let (name, peer, scaling) = (&each.name, ratio(rate("SoftFloat")), ratio(one_core));
        println!("| {instruction} | {name} | {middle:.3} ({first:.3} to {third:.3}) | {peer} | {scaling} |");
    }
    if let (Some(one), Some(all)) = (find("gemm, one core"), find("gemm, all cores")) {
        let spent = quartiles(&all.spent)[1] / quartiles(&one.spent)[1];
        println!("| | processor time of all cores together, times that of one | {spent:.3} | | |");
    }
}

/// What the machine calls its processor.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or(": a processor");
    line.trim_start_matches([' ', '\t', ':']).to_owned()
}

/// Processes that wanted a processor in the last minute, where the system tells.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("unknown").to_owned()
}

fn passed_time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// How long this thread has had a processor, or all threads together.
#[cfg(unix)]
fn processor_time(alone: bool) -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(if alone { ClockId::ThreadCPUTime } else { ClockId::ProcessCPUTime });
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time that passed, where no thread's own is told.
#[cfg(not(unix))]
fn processor_time(_: bool) -> Duration {
    passed_time()
}
