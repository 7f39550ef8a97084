//! `tensorsmith gemm`: whole matrices through an instruction, D = A B + C.

mod chosen;
mod npy;
mod read;
mod show;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{ArgGroup, Args};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::ThreadPoolBuilder;

use super::operands::{self, Conversion};
use super::output::note;
use super::{Failure, Verdict, engines, input, output};
use show::{Product, Ran};
use tensorsmith::describe::format::Format;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::text::Foreign;
use tensorsmith::describe::unit::Scales;
use tensorsmith::engine::gemm::{Elements, Matrix, Multiplied, Operands, PARTS_MAX, Promoted};
use tensorsmith::engine::{Kind, MatrixError};

/// Multiply whole matrices as an instruction does: D = A B + C
///
/// Each element of D is one dot product of the instruction. Where K is a multiple of the instruction's, the instruction is
/// repeated and adds to its own result, as a program accumulates.
#[derive(Args)]
#[command(
    group = ArgGroup::new("computed by").required(true).args(["instruction", "device"]),
    after_help = "A matrix is an array of NumPy (.npy), of numbers where NumPy has the format, else of unsigned integers that hold\nencodings; or a text file: a row a line, numbers separated by blanks or commas, as `eval` takes them; lines that begin\nwith # are comments.\n\nExamples:\n  tensorsmith gemm hopper-mma-m16n8k16-fp16-fp32 --a a.npy --b b.npy --out d.npy --check 1000\n  tensorsmith gemm hopper-wgmma-k32-e4m3-fp32 --a a.npy --b b.npy --promote-every 128 --out d.npy\n  tensorsmith gemm --device H100 --dtype e4m3 --a a.txt --b b.txt\n  tensorsmith gemm ampere-mma-m16n8k8-tf32-fp32 --a a.txt --b b.txt --engines emulator,reference,rtl --encodings\n  tensorsmith gemm blackwell-mma-nvf4-m16n8k64-e2m1-fp32 --a a.txt --b b.txt --scale-a sa.txt --scale-b sb.txt"
)]
pub(super) struct Arguments {
    /// Name of an instruction or a unit of the catalogue, or a file of one (.toml); a unit is an instruction of one block
    instruction: Option<String>,
    /// Take the instruction that the libraries of this device run for the formats of A and B, and of C if there is one
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
    /// Formats of A and B for --device, one name for both or two: e4m3, or e4m3,e5m2 [default: those of their arrays of NumPy]
    #[arg(long, value_delimiter = ',', value_name = "FORMATS", requires = "device")]
    dtype: Vec<String>,
    /// A, m x k; without rows, or B without columns, D is empty
    #[arg(long, value_name = "FILE")]
    a: PathBuf,
    /// B, k x n
    #[arg(long, value_name = "FILE")]
    b: PathBuf,
    /// C, m x n; zeros without
    #[arg(long, value_name = "FILE")]
    c: Option<PathBuf>,
    /// Scales of A, one for each block of K in a row; ones without
    #[arg(long, value_name = "FILE")]
    scale_a: Option<PathBuf>,
    /// Scales of B, one for each block of K in a column; ones without
    #[arg(long, value_name = "FILE")]
    scale_b: Option<PathBuf>,
    /// Formats of arrays of ml_dtypes, which NumPy writes without their format, as "<V2" or "<V1": bfloat16, e4m3 and the others,
    /// by the names of unit files or those of ml_dtypes
    #[arg(long, value_delimiter = ',', value_name = "FORMATS")]
    format: Vec<String>,
    /// Add zeros to K up to a multiple of the instruction's k, as libraries do: a result of minus zero may become plus zero
    #[arg(long)]
    pad: bool,
    /// Sum every N places of K by the instruction alone, each from plus zero, and add these sums to plus zero in binary32, rounded to
    /// nearest, C last: as libraries do for fp8 without fast accumulation, with N = 128
    #[arg(long, value_name = "N", value_parser = input::number::<u32>(1..=u32::MAX.into()))]
    promote_every: Option<u32>,
    /// Sum K in at most N parts of equal length, each by the instruction from plus zero, and add these sums to plus zero in binary32,
    /// rounded to nearest, C last: as libraries split it; 1 leaves K whole
    #[arg(long, value_name = "N", conflicts_with = "promote_every", value_parser = input::number::<u16>(1..=PARTS_MAX as u16))]
    split_k: Option<u16>,
    #[command(flatten)]
    conversion: operands::Options,
    /// Engines that answer; without, `wide`
    #[arg(long, value_delimiter = ',', value_name = "ENGINES")]
    engines: Vec<Kind>,
    /// Threads; as many as there are processors without
    #[arg(long, value_name = "N", value_parser = input::number::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Compute N elements of D again, drawn at random, on the scalar emulator; all where there are no more
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = input::number::<u64>(0..=u64::MAX))]
    check: u64,
    /// Seed of that draw
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = input::number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Write D to FILE (.npy) instead of printing it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print D as encodings in hexadecimal
    #[arg(long)]
    encodings: bool,
    /// Write sizes, times and D, unless it has a file, as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The matrix of binary64 numbers in a file.
pub(super) fn read_numbers(path: &Path) -> Result<Matrix, Failure> {
    let mut conversion = Conversion::to_nearest();
    let matrix = read::read(path, &Format::binary64(), &[], &mut conversion)?;
    match (matrix.rows, matrix.columns) {
        (0, _) | (_, 0) => {
            let (file, Matrix { rows, columns, .. }) = (path.shown(), matrix);
            Err(Failure(format!("{file}: {rows} x {columns}; allowed: at least 1 x 1")))
        }
        _ => Ok(matrix),
    }
}

/// The scales in a file, or ones.
fn scales(
    arguments: &Arguments,
    name: &str,
    instruction: &Instruction,
    format: fn(&Scales) -> &Format,
    [rows, columns]: [usize; 2],
    conversion: &mut Conversion,
) -> Result<Option<Matrix>, Failure> {
    let path = if name == "scale-a" { &arguments.scale_a } else { &arguments.scale_b };
    match (&instruction.unit.scales, path) {
        (Some(scales), Some(path)) => {
            let read = read::read(path, format(scales), &arguments.format, conversion)?;
            if (read.rows, read.columns) != (rows, columns) {
                let (file, found) = (path.shown(), format!("{} x {}", read.rows, read.columns));
                return Err(Failure(format!("{file}: {found}; allowed: {rows} x {columns}, a scale a block of K")));
            }
            Ok(Some(read))
        }
        (Some(scales), None) => {
            let one = conversion.text(format(scales), "1", || format!("--{name}"))?;
            Ok(Some(Matrix::of(format(scales), rows, columns, &vec![one; rows * columns])))
        }
        (None, Some(_)) => Err(Failure(format!("--{name}: {} has no scales; allowed: none", instruction.name))),
        (None, None) => Ok(None),
    }
}

/// Whether a matrix of that size can be held, at most 8 bytes an element.
fn has_room(rows: usize, columns: usize) -> bool {
    let mut room: Vec<u64> = Vec::new();
    rows.checked_mul(columns).is_some_and(|count| room.try_reserve_exact(count).is_ok())
}

/// The operands, and how many places of K were added.
fn operands(
    instruction: &Instruction,
    arguments: &Arguments,
    conversion: &mut Conversion,
) -> Result<(Operands, usize), Failure> {
    let mut a = read::read(&arguments.a, &instruction.a, &arguments.format, conversion)?;
    let mut b = read::read(&arguments.b, &instruction.b, &arguments.format, conversion)?;
    if a.columns != b.rows {
        let (file, rows, columns) = (arguments.b.shown(), b.rows, a.columns);
        return Err(Failure(format!("{file}: {rows} rows; allowed: {columns}, the columns of A")));
    }
    let (m, n, own) = (a.rows, b.columns, instruction.shape.k as usize);
    let missing = a.columns.next_multiple_of(own) - a.columns;
    if arguments.pad && missing > 0 {
        if instruction.unit.scales.is_some() {
            return Err(Failure(format!("--pad: {} has scales; allowed: whole blocks of K", instruction.name)));
        }
        let k = a.columns + missing;
        (a, b) = (a.padded(m, k), b.padded(k, n));
    } else if missing > 0 {
        let (k, name) = (a.columns, &instruction.name);
        return Err(Failure(format!("k is {k}; allowed: multiples of {own}, the k of {name}, or --pad")));
    }
    if !has_room(m, n) {
        return Err(Failure(format!("D would have {m} x {n} elements; allowed: what fits into memory")));
    }
    let c = match &arguments.c {
        None => Matrix { rows: m, columns: n, elements: Elements::zeros(instruction.c.width(), m * n) },
        Some(path) => read::read(path, &instruction.c, &arguments.format, conversion)?,
    };
    if (c.rows, c.columns) != (m, n) {
        let file = arguments.c.as_deref().unwrap_or(Path::new("C")).shown();
        return Err(Failure(format!("{file}: {} x {}; allowed: {m} x {n}, as A times B", c.rows, c.columns)));
    }
    let blocks = a.columns * instruction.interface().scale_count() as usize / own;
    let scale_a = scales(arguments, "scale-a", instruction, |scales| &scales.a, [m, blocks], conversion)?;
    let scale_b = scales(arguments, "scale-b", instruction, |scales| &scales.b, [blocks, n], conversion)?;
    let scales = scale_a.zip(scale_b).map(<[Matrix; 2]>::from);
    let padded = if arguments.pad { missing } else { 0 };
    Ok((Operands { a, b, c, scales }, padded))
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    input::check_engines(&arguments.engines)?;
    npy::check_formats(&arguments.format)?;
    arguments.out.iter().try_for_each(|path| output::check_writable(path))?;
    if let Some(path) = arguments.out.as_deref().filter(|path| !npy::is_named(path)) {
        return Err(Failure(format!("--out: {}; allowed: a file whose name ends in .npy", path.shown())));
    }
    let instruction = match (&arguments.instruction, &arguments.device) {
        (Some(name), _) => input::subject(name)?.instruction(),
        (None, device) => chosen::instruction(arguments, device.as_deref().unwrap_or_default())?,
    };
    let mut conversion = Conversion::new(&arguments.conversion);
    let (operands, padded) = operands(&instruction, arguments, &mut conversion)?;
    conversion.tell();
    let promoted = promoted(arguments, &instruction, &operands)?;
    let asked = (&operands, promoted.as_ref());
    let pool = ThreadPoolBuilder::new().num_threads(arguments.threads.map_or(0, usize::from)).build()?;
    let (ran, check_differed) = pool.install(|| -> Result<_, Failure> {
        let ran = answers(arguments, &instruction, asked)?;
        let Some(first) = ran.first() else { return Err(Failure("no engine answered".to_owned())) };
        let differed = check(arguments, &instruction, asked, &first.d)?;
        Ok((ran, differed))
    })?;
    let differing = differing(&ran);
    let [m, n, k] = operands.sizes();
    let agreed = differing.is_empty();
    let threads = pool.current_num_threads();
    let product = Product {
        instruction: instruction.name.clone(),
        m,
        n,
        k,
        padded,
        promote_every: arguments.promote_every,
        split_k: arguments.split_k,
        outside: promoted.is_some(),
        conversion,
        threads,
        engines: ran,
        agreed,
        checked: checked(arguments, m * n),
        check_differed,
    };
    show::show(arguments, &instruction, &product)?;
    for (engine, first, place, [theirs, d]) in &differing {
        let (row, column) = (place / n, place % n);
        note!("{engine}: D[{row}][{column}] is {theirs:#x}, {first} says {d:#x}");
    }
    Ok(if agreed && check_differed == 0 { Verdict::Agreed } else { Verdict::Differed })
}

/// The operands with sums that are added outside the unit, where that is asked for.
fn promoted<'a>(
    arguments: &Arguments,
    instruction: &Instruction,
    operands: &'a Operands,
) -> Result<Option<Promoted<'a>>, Failure> {
    match (arguments.promote_every, arguments.split_k) {
        (Some(every), _) => {
            let promoted = operands.promoted(instruction, every as usize);
            promoted.map(Some).map_err(|error| Failure(format!("--promote-every: {error}")))
        }
        (_, Some(parts)) => {
            operands.split(instruction, parts.into()).map_err(|error| Failure(format!("--split-k: {error}")))
        }
        _ => Ok(None),
    }
}

/// Operands, and the same with promoted sums where these are asked for.
type Asked<'a> = (&'a Operands, Option<&'a Promoted<'a>>);

/// What each engine makes of the operands.
fn answers(arguments: &Arguments, instruction: &Instruction, (operands, promoted): Asked) -> Result<Vec<Ran>, Failure> {
    let kinds = if arguments.engines.is_empty() { &[Kind::Wide][..] } else { &arguments.engines };
    let (mut ran, mut skipped) = (Vec::new(), Vec::new());
    for kind in kinds {
        let bar = output::progress(&instruction.name, operands.products(), "products");
        let start = Instant::now();
        let progress = |products| bar.inc(products);
        let multiplied = match promoted {
            Some(promoted) => promoted.multiply(instruction, *kind, &progress),
            None => operands.multiply(instruction, *kind, &progress),
        };
        let seconds = start.elapsed().as_secs_f64();
        bar.finish_and_clear();
        match multiplied? {
            Multiplied::Absent(reason) => {
                note!("{}: skipped, because {}", kind.name(), engines::skipped(*kind, &reason)?);
                skipped.push(kind.name());
            }
            Multiplied::Done(answer) => ran.push(Ran {
                engine: answer.identity.engine,
                version: answer.identity.version,
                path: answer.path,
                seconds,
                products_per_second: operands.products() as f64 / seconds,
                d: answer.d.elements,
            }),
        }
    }
    engines::check_ran(|name| skipped.contains(&name))?;
    Ok(ran)
}

/// The first element of each engine that differs from the first engine's: names, place, both encodings.
fn differing(ran: &[Ran]) -> Vec<(String, String, usize, [u64; 2])> {
    let first = &ran[0];
    let of = |other: &Ran| {
        let place = (0..first.d.len()).find(|&place| other.d.get(place) != first.d.get(place))?;
        Some((other.engine.clone(), first.engine.clone(), place, [other.d.get(place), first.d.get(place)]))
    };
    ran[1..].iter().filter_map(of).collect()
}

/// Elements that are computed again.
fn checked(arguments: &Arguments, elements: usize) -> u64 {
    arguments.check.min(elements as u64)
}

/// Elements drawn at random that the scalar emulator answers differently.
fn check(
    arguments: &Arguments,
    instruction: &Instruction,
    (operands, promoted): Asked,
    d: &Elements,
) -> Result<u64, Failure> {
    use rayon::prelude::*;
    let columns = operands.b.columns;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(arguments.seed);
    let checked = checked(arguments, d.len());
    let all = checked == d.len() as u64;
    let bar = output::progress("check", checked, "elements");
    let mut differed = 0;
    for first in (0..checked).step_by(4096) {
        let count = 4096.min(checked - first);
        let mut place = |number| if all { number } else { random.next_u64() % d.len() as u64 };
        let places: Vec<usize> = (first..first + count).map(|number| place(number) as usize).collect();
        let wrong = |&place: &usize| -> Result<u64, MatrixError> {
            let (row, column) = (place / columns, place % columns);
            let expected = match promoted {
                Some(promoted) => promoted.element(instruction, row, column)?,
                None => operands.element(instruction, row, column)?,
            };
            let found = d.get(place);
            if found != expected {
                note!("check: D[{row}][{column}] is {found:#x}, emulator says {expected:#x}");
            }
            Ok(u64::from(found != expected))
        };
        differed += places.par_iter().map(wrong).sum::<Result<u64, MatrixError>>()?;
        bar.inc(count);
    }
    bar.finish_and_clear();
    Ok(differed)
}
