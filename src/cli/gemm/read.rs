//! Matrices from files: text, a row a line, and arrays of NumPy.

use std::path::Path;

use super::npy;
use crate::cli::Failure;
use crate::cli::operands::Conversion;
use tensorsmith::describe::file::open;
use tensorsmith::describe::format::Format;
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::gemm::{Elements, Matrix};

/// The matrix in a file, of which the ending `.npy` says what it is; `named` are formats of arrays that do not say theirs.
pub(super) fn read(
    path: &Path,
    format: &Format,
    named: &[String],
    conversion: &mut Conversion,
) -> Result<Matrix, Failure> {
    if npy::is_named(path) { npy::read(path, format, named, conversion) } else { text(path, format, conversion) }
}

fn text(path: &Path, format: &Format, conversion: &mut Conversion) -> Result<Matrix, Failure> {
    let file = path.shown();
    let text = open(path)
        .and_then(std::io::read_to_string)
        .map_err(|error| Failure(format!("{file}: cannot be read: {error}")))?;
    let (mut rows, mut columns, mut elements) = (0, 0, Vec::new());
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with('#')) {
        // Blanks separate too, but two commas have a number between them.
        let pieces = line.split(',').map(str::trim);
        let numbers = pieces.flat_map(|piece| match piece.is_empty() && line.contains(',') {
            true => vec![""],
            false => piece.split_whitespace().collect(),
        });
        let row: Vec<u64> = numbers
            .enumerate()
            .map(|(column, number)| {
                conversion.text(format, number, || format!("{file}: line {}, number {}", index + 1, column + 1))
            })
            .collect::<Result<_, _>>()?;
        if row.is_empty() {
            continue;
        }
        if rows > 0 && row.len() != columns {
            let (line, found) = (index + 1, row.len());
            return Err(Failure(format!(
                "{file}: line {line} has {found} numbers; allowed: {columns}, as the first row"
            )));
        }
        columns = row.len();
        rows += 1;
        elements.extend(row);
    }
    match rows {
        0 => Err(Failure(format!("{file}: no numbers; allowed: at least one row"))),
        _ => Ok(Matrix { rows, columns, elements: Elements::of(format.width(), &elements) }),
    }
}
