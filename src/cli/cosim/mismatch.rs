//! What `cosim` prints and writes at a mismatch: the minimal vector, traces where two engines have one, a case file.

use std::path::Path;
use std::time::{Duration, Instant};

use super::comparison::Setup;
use crate::cli::output::{note, say};
use crate::cli::table;
use crate::cli::{Failure, output};
use tensorsmith::check::black_box::BlackBox;
use tensorsmith::check::case::{Case, right_answer};
use tensorsmith::check::compare::Mismatch;
use tensorsmith::check::matrices::Element;
use tensorsmith::describe::interface::Interface;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::{Composed, Kind, Opened, Trace, Vector};
use tensorsmith::infer::diagnose;
use tensorsmith::report::{DiagnosisReport, MismatchReport, Number, one_trace, side_by_side, thousands};

/// Prints the minimal vector and two traces, where engines have them, and writes the case file if it can be written, unless the
/// vector is that of a kept one.
pub(super) fn explain(
    subject: &Subject,
    mismatch: &Mismatch,
    first: &mut MismatchReport,
    (setup, kept): (&Setup, Option<&Path>),
) -> Result<(), Failure> {
    let vector = &mismatch.vector;
    let alone = first.element.as_ref().is_none_or(|element| element.from_k.is_some());
    let shrunk = if mismatch.not_shrunk.is_none() { "shrunk" } else { "not shrunk" };
    let place = place(first.index, first.element.as_ref(), subject.interface().products as usize);
    let mut text = format!("  first mismatch: {place}, {shrunk}:\n");
    let numbers = number_rows(&subject.interface(), mismatch);
    text += &format!("{}\n", table::table(&["", "encoding", "fields", "hexadecimal float", "decimal"], &[4], numbers));
    if let Some(reason) = &mismatch.not_shrunk {
        text += &format!("  {reason}\n");
    }
    for one in &mismatch.not_reproducible {
        text += &format!("  {one}; no case file\n");
    }
    if !alone || !mismatch.not_reproducible.is_empty() {
        print(&text, first, setup);
        return Ok(());
    }
    let traces = traces(subject, vector, setup.kinds);
    // Of a design there is nothing to hold a trace against: it shows what should have been.
    if let ([(name, trace)], true) = (traces.as_slice(), setup.kinds.contains(&Kind::Design)) {
        text += &one_trace(name, trace);
    } else if let [(left_name, left), (right_name, right), ..] = traces.as_slice() {
        text += &side_by_side(left_name, left, right_name, right);
        first.stage =
            left.first_difference(right).map(|difference| format!("{}[{}]", difference.signal, difference.element));
        text += &match &first.stage {
            Some(stage) => format!("  first difference: {stage}\n"),
            None => "  the traces agree in every stage\n".to_owned(),
        };
    }
    print(&text, first, setup);
    let right = BlackBox::answer(mismatch).map_or_else(|| right_answer(subject, vector), Ok)?;
    if let Some(limit) = setup.diagnose {
        first.diagnosis = diagnosed(subject, mismatch, right, (setup, limit));
        if let (Some(diagnosis), false) = (&first.diagnosis, setup.quiet) {
            say!("{}", diagnosis.text(subject.name()).trim_end());
        }
    }
    let Some(folder) = setup.cases else { return Ok(()) };
    // One vector is one case, whichever run found it.
    let kept = kept.map(Path::to_owned).or_else(|| Case::find(folder, subject, vector, right));
    let path = match &kept {
        Some(kept) => kept.clone(),
        None => folder.join(format!("case-{}-seed{}-{}.toml", subject.name(), setup.seed, mismatch.index)),
    };
    let case = || Case::of(subject, mismatch, Some(setup.seed), right);
    match kept.map_or_else(|| write(folder, &path, &case()), |_| Ok(())) {
        Ok(()) => {
            print(&format!("  case file: {0} (rerun: tensorsmith cosim --case {0})\n", path.shown()), first, setup);
            first.case_file = Some(path.shown());
        }
        Err(failure) => drop(setup.unwritten.set(failure)),
    }
    wave(subject, mismatch, right, (setup, &path), first)
}

/// Prints lines about a mismatch, and keeps them for reports.
fn print(text: &str, first: &mut MismatchReport, setup: &Setup) {
    first.printed += text;
    if !setup.quiet {
        say!("{}", text.trim_end());
    }
}

/// Writes a waveform beside the case file, where that is there and a design answered wrongly.
fn wave(
    subject: &Subject,
    mismatch: &Mismatch,
    right: u64,
    (setup, path): (&Setup, &Path),
    first: &mut MismatchReport,
) -> Result<(), Failure> {
    let differs = mismatch.answers.iter().any(|(name, answer)| *name == Kind::Design.name() && *answer != right);
    if setup.wave && differs && first.case_file.is_some() {
        let path = path.with_extension("vcd");
        if let Err(Failure(reason)) = write_wave(subject, &mismatch.vector, &path) {
            note!("no waveform: {reason}");
            return Ok(());
        }
        if !setup.quiet {
            say!("  waveform: {}; vector_i and result_of_i number vectors from 0", path.shown());
        }
        first.wave_file = Some(path.shown());
    }
    Ok(())
}

/// What the first of the engines computes that answers otherwise than it should.
fn diagnosed(
    subject: &Subject,
    mismatch: &Mismatch,
    right: u64,
    (setup, limit): (&Setup, Duration),
) -> Option<DiagnosisReport> {
    let differs = |kind: &&Kind| mismatch.answers.iter().any(|(name, answer)| *name == kind.name() && *answer != right);
    let kind = setup.kinds.iter().find(differs)?;
    let start = Instant::now();
    let spinner = output::spinner(&format!("diagnosis of {}", kind.name()));
    let evaluate = Composed::emulated_wide;
    let found = match kind.open_subject(subject) {
        Ok(Opened::Ready(mut engine)) => {
            let found = diagnose(engine.as_mut(), subject, &mismatch.vector, &evaluate, (setup.seed, limit));
            found.map(Some).map_err(|error| error.to_string())
        }
        Ok(Opened::Absent(_)) => Ok(None),
        Err(error) => Err(error.to_string()),
    };
    spinner.finish_and_clear();
    // What was found before stays: an engine that fails now is no reason to lose it.
    match found {
        Ok(found) => found.map(|found| DiagnosisReport::new(kind.name(), found, start.elapsed().as_secs_f64())),
        Err(error) => {
            note!("no diagnosis of {}: {error}", kind.name());
            None
        }
    }
}

/// Writes the waveform of the design with that vector, whole or not at all.
#[cfg(feature = "rtl")]
fn write_wave(subject: &Subject, vector: &Vector, path: &Path) -> Result<(), Failure> {
    let Some(design) = tensorsmith::design::named() else { return Ok(()) };
    output::write_beside(path, |path| {
        tensorsmith::engine::write_wave(design, &subject.interface(), std::slice::from_ref(vector), path).map(drop)
    })
}

#[cfg(not(feature = "rtl"))]
fn write_wave(_: &Subject, _: &Vector, _: &Path) -> Result<(), Failure> {
    Ok(())
}

/// Writes a case file into a folder, which is made if need be.
fn write(folder: &Path, path: &Path, case: &Case) -> Result<(), Failure> {
    output::make_folder(folder)?;
    output::write_whole(path, &case.to_toml())
}

/// Which vector, or which element of which matrices; `products` is the K of one step.
fn place(index: u64, element: Option<&Element>, products: usize) -> String {
    let Some(element) = element else { return format!("vector {}", thousands(index)) };
    let Element { product, m, n, k, row, column, from_k } = element;
    let step = from_k.map_or(String::new(), |from| format!(", K from {from} to {}", from + products - 1));
    let matrices = format!("product {product} with m = {m}, n = {n}, K = {k}");
    format!("element {}, D[{row}][{column}] of {matrices}{step}", thousands(index))
}

fn number_rows(unit: &Interface, mismatch: &Mismatch) -> Vec<Vec<String>> {
    let formats = &unit.formats;
    let vector = &mismatch.vector;
    let row = |name: String, format, bits| {
        let number = Number { format, bits };
        vec![name, number.hexadecimal(), number.binary(), number.hexadecimal_float(), number.decimal()]
    };
    let mut rows = Vec::new();
    for (i, (&a, &b)) in vector.a.iter().zip(&vector.b).enumerate() {
        if a != 0 || b != 0 {
            rows.push(row(format!("a[{i}]"), &formats.a, a));
            rows.push(row(format!("b[{i}]"), &formats.b, b));
        }
    }
    if let Some(scales) = &unit.scales {
        for (s, (&a, &b)) in vector.scale_a.iter().zip(&vector.scale_b).enumerate() {
            rows.push(row(format!("scale_a[{s}]"), &scales.a, a));
            rows.push(row(format!("scale_b[{s}]"), &scales.b, b));
        }
    }
    if unit.has_addend() {
        rows.push(row("c".to_owned(), &formats.c, vector.c));
    }
    for (engine, answer) in &mismatch.answers {
        let (d, flags) = unit.split_answer(*answer);
        let flags = flags.map_or(String::new(), |flags| format!(", flags [{}]", flags.names().join(", ")));
        rows.push(row(format!("d ({engine}{flags})"), &formats.d, d));
    }
    rows
}

/// Traces of the engines that can show one.
fn traces(subject: &Subject, vector: &Vector, kinds: &[Kind]) -> Vec<(&'static str, Trace)> {
    let mut traces = Vec::new();
    for &kind in kinds {
        let trace = kind.open_subject(subject).and_then(|opened| match opened {
            Opened::Ready(mut engine) => engine.trace(vector),
            Opened::Absent(_) => Ok(None),
        });
        match trace {
            Ok(trace) => traces.extend(trace.map(|trace| (kind.name(), trace))),
            Err(error) => note!("no trace from {}: {error}", kind.name()),
        }
    }
    traces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_elements() {
        let element = |from_k| Element { product: 2, m: 17, n: 19, k: 48, row: 3, column: 5, from_k };
        assert_eq!(place(1234, None, 16), "vector 1,234");
        let matrices = "element 1,234, D[3][5] of product 2 with m = 17, n = 19, K = 48";
        assert_eq!(place(1234, Some(&element(Some(16))), 16), format!("{matrices}, K from 16 to 31"));
        assert_eq!(place(1234, Some(&element(None)), 16), matrices);
    }
}
