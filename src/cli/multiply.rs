//! `tensorsmith multiply`: whole matrices through an instruction, D = A B + C.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::output::say;
use super::{Failure, Verdict, input, output};
use crate::describe::format::Format;
use crate::describe::instruction::Instruction;
use crate::describe::unit::Scales;
use crate::engine::{Composed, Identity, Kind, Matrices, Opened};
use crate::report::{Number, parse};

/// Multiply whole matrices as an instruction does: D = A B + C
///
/// Each element of D is one dot product of the instruction. Where K is a multiple of the instruction's, the instruction is
/// repeated and adds to its own result, as a program accumulates.
#[derive(Args)]
#[command(
    after_help = "A matrix is a text file: a row a line, numbers separated by blanks or commas, as `eval` takes them; lines that begin\nwith # are comments.\n\nExamples:\n  tensorsmith multiply hopper-mma-m16n8k16-fp16-fp32 --a a.txt --b b.txt --c c.txt\n  tensorsmith multiply ampere-mma-m16n8k8-tf32-fp32 --a a.txt --b b.txt --engines emulator,reference,rtl --encodings\n  tensorsmith multiply blackwell-mma-nvf4-m16n8k64-e2m1-fp32 --a a.txt --b b.txt --scale-a sa.txt --scale-b sb.txt"
)]
pub(super) struct Arguments {
    /// Name of an instruction of the catalogue, or an instruction file (.toml)
    instruction: String,
    /// A, m x k
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
    /// Engines that answer
    #[arg(long, value_delimiter = ',', default_value = "emulator", value_name = "ENGINES")]
    engines: Vec<Kind>,
    /// Print D as encodings in hexadecimal
    #[arg(long)]
    encodings: bool,
    /// Write D as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A matrix as read: encodings row by row.
struct Grid {
    rows: usize,
    columns: usize,
    elements: Vec<u64>,
}

fn read(path: &Path, format: &Format) -> Result<Grid, Failure> {
    let file = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| Failure(format!("{file}: cannot be read: {error}")))?;
    let mut grid = Grid { rows: 0, columns: 0, elements: Vec::new() };
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with('#')) {
        let numbers = line.split([' ', '\t', ',']).filter(|number| !number.is_empty());
        let row: Vec<u64> = numbers
            .enumerate()
            .map(|(column, number)| {
                let place = format!("{file}: line {}, number {}", index + 1, column + 1);
                parse(format, number).map_err(|error| Failure(format!("{place}: {error}")))
            })
            .collect::<Result<_, _>>()?;
        if row.is_empty() {
            continue;
        }
        if grid.rows > 0 && row.len() != grid.columns {
            let (line, found, columns) = (index + 1, row.len(), grid.columns);
            return Err(Failure(format!(
                "{file}: line {line} has {found} numbers; allowed: {columns}, as the first row"
            )));
        }
        grid.columns = row.len();
        grid.rows += 1;
        grid.elements.extend(row);
    }
    if grid.rows == 0 { Err(Failure(format!("{file}: no numbers; allowed: at least one row"))) } else { Ok(grid) }
}

/// The scales in a file, or ones.
fn scales(
    path: Option<&Path>,
    name: &str,
    instruction: &Instruction,
    format: fn(&Scales) -> &Format,
    count: usize,
) -> Result<Vec<u64>, Failure> {
    match (&instruction.unit.scales, path) {
        (Some(scales), Some(path)) => Ok(read(path, format(scales))?.elements),
        (Some(scales), None) => {
            let one = parse(format(scales), "1").map_err(|error| Failure(format!("--{name}: {error}")))?;
            Ok(vec![one; count])
        }
        (None, Some(_)) => Err(Failure(format!("--{name}: {} has no scales; allowed: none", instruction.name))),
        (None, None) => Ok(Vec::new()),
    }
}

fn matrices(instruction: &Instruction, arguments: &Arguments) -> Result<Matrices, Failure> {
    let a = read(&arguments.a, &instruction.a)?;
    let b = read(&arguments.b, &instruction.b)?;
    if a.columns != b.rows {
        let (file, rows, columns) = (arguments.b.display(), b.rows, a.columns);
        return Err(Failure(format!("{file}: {rows} rows; allowed: {columns}, the columns of A")));
    }
    let (m, n, k) = (a.rows, b.columns, a.columns);
    let c = match &arguments.c {
        None => vec![instruction.c.zero(false); m * n],
        Some(path) => {
            let c = read(path, &instruction.c)?;
            if (c.rows, c.columns) != (m, n) {
                let (file, rows, columns) = (path.display(), c.rows, c.columns);
                return Err(Failure(format!("{file}: {rows} x {columns}; allowed: {m} x {n}, as A times B")));
            }
            c.elements
        }
    };
    let blocks = k * instruction.frame().scale_count() as usize / instruction.shape.k as usize;
    let scale_a = scales(arguments.scale_a.as_deref(), "scale-a", instruction, |scales| &scales.a, m * blocks)?;
    let scale_b = scales(arguments.scale_b.as_deref(), "scale-b", instruction, |scales| &scales.b, blocks * n)?;
    Ok(Matrices { m, n, k, a: a.elements, b: b.elements, c, scale_a, scale_b })
}

#[derive(Serialize)]
struct Product {
    instruction: String,
    m: usize,
    n: usize,
    k: usize,
    engines: Vec<Identity>,
    /// Encodings in hexadecimal, row by row, of the first engine.
    d: Vec<Vec<String>>,
    agreed: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    input::check_engines(&arguments.engines)?;
    let instruction = input::instruction(&arguments.instruction)?;
    let matrices = matrices(&instruction, arguments)?;
    let mut answers: Vec<(Identity, Vec<u64>)> = Vec::new();
    for kind in &arguments.engines {
        match Composed::open(&instruction, *kind)? {
            Opened::Unsupported(reason) => eprintln!("{}: skipped, because {reason}", kind.name()),
            Opened::Ready(mut engine) => {
                let d = matrices.multiply(&instruction, engine.as_mut())?;
                answers.push((engine.identity(), d));
            }
        }
    }
    let Some((_, d)) = answers.first() else { return Err(Failure("no engine answered".to_owned())) };
    let differing = answers.iter().flat_map(|(other, theirs)| {
        let place = theirs.iter().zip(d).position(|(theirs, d)| theirs != d);
        place.map(|place| (other.engine.clone(), place, theirs[place]))
    });
    let differing: Vec<_> = differing.collect();
    print(arguments, &instruction, &matrices, &answers, differing.is_empty())?;
    for (engine, place, theirs) in &differing {
        let (row, column) = (place / matrices.n, place % matrices.n);
        eprintln!("{engine}: D[{row}][{column}] is {theirs:#x}, {} says {:#x}", answers[0].0.engine, d[*place]);
    }
    Ok(if differing.is_empty() { Verdict::Agreed } else { Verdict::Differed })
}

fn print(
    arguments: &Arguments,
    instruction: &Instruction,
    matrices: &Matrices,
    answers: &[(Identity, Vec<u64>)],
    agreed: bool,
) -> Result<(), Failure> {
    let number = |&bits: &u64| Number { format: instruction.d(), bits };
    let rows = |shown: &dyn Fn(&u64) -> String| -> Vec<Vec<String>> {
        answers[0].1.chunks(matrices.n).map(|row| row.iter().map(shown).collect()).collect()
    };
    if let Some(path) = &arguments.json {
        let product = Product {
            instruction: instruction.name.clone(),
            m: matrices.m,
            n: matrices.n,
            k: matrices.k,
            engines: answers.iter().map(|(identity, _)| identity.clone()).collect(),
            d: rows(&|bits| number(bits).hexadecimal()),
            agreed,
        };
        return output::json(path, &product);
    }
    let rows = match arguments.encodings {
        true => rows(&|bits| number(bits).hexadecimal()),
        false => rows(&|bits| number(bits).decimal()),
    };
    rows.iter().for_each(|row| say!("{}", row.join(" ")));
    let engines: Vec<String> =
        answers.iter().map(|(identity, d)| format!("{} ran {} elements", identity.engine, d.len())).collect();
    eprintln!("{}: {}", instruction.name, engines.join(", "));
    Ok(())
}
