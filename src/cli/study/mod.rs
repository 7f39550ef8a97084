//! `tensorsmith study`: errors of whole products as curves over their size.

mod kept;
mod trace;

use std::path::{Path, PathBuf};

use chrono::Utc;
use clap::Args;

use super::output::{note, say};
use super::{Failure, Verdict, devices, gemm, input, output, table};
use kept::Kept;
use tensorsmith::describe::format::Format;
use tensorsmith::describe::text::Foreign;
use tensorsmith::report::{StudyReport, curves_picture, study_page};
use tensorsmith::study::{Entries, Given, Norm, OnDevice, PRESETS, Run, Study, preset};

/// Run a study of whole products: how far algorithms on matrix units are from the truth, as curves over the size
///
/// A study draws matrices, computes their true product, and multiplies them as each of its algorithms does: operands in words of a
/// short format, products on a unit or an instruction, sums in the unit or outside. Errors stand beside those that were published.
/// Without a name, the studies that the program has are listed.
#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 done, 1 an error is farther from a published one than --within, 2 bad input.\n\nExamples:\n  tensorsmith study\n  tensorsmith study valero-lara-figure-5 --sizes 128,256\n  tensorsmith study valero-lara-figure-4 --out figure-4\n  tensorsmith study valero-lara-figure-4 --device A100,H100,MI300 --sizes 128,512,2048\n  tensorsmith study fp8-promotion --show > mine.toml\n  tensorsmith study mine.toml --csv errors.csv --svg errors.svg\n  tensorsmith study ootomo-yokota --sizes 16 --trace 0,0"
)]
pub(super) struct Arguments {
    /// Name of a study, or a study file (.toml)
    study: Option<String>,
    /// Print the study's file instead of running it
    #[arg(long, requires = "study", conflicts_with_all = ["out", "json", "csv", "svg", "trace"])]
    show: bool,
    /// Sizes in place of the study's
    #[arg(long, value_delimiter = ',', value_name = "SIZES", value_parser = input::number::<u64>(1..=32768))]
    sizes: Vec<u64>,
    /// Rows of each product that are computed, spread evenly, in place of the study's; `all` for all
    #[arg(long, value_name = "ROWS", value_parser = rows)]
    rows: Option<Rows>,
    /// Seed of the first size, in place of the study's
    #[arg(long, value_name = "SEED", value_parser = input::number::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Run only the curve of this name; may stand several times
    #[arg(long = "curve", value_name = "CURVE")]
    curves: Vec<String>,
    /// A curve for each of these devices: the instruction that its libraries run for the same formats takes the unit's place
    #[arg(long, value_delimiter = ',', value_name = "DEVICES")]
    device: Vec<String>,
    /// Compute one element of the first size with every intermediate: row and column, from 0
    #[arg(long, value_name = "ROW,COLUMN", value_parser = place, conflicts_with_all = ["out", "csv", "svg", "within"])]
    trace: Option<[usize; 2]>,
    /// Fail with exit code 1 where a computed error is more than so many percent from a published one; of some rows in the norms that
    /// they estimate, l1 and frobenius
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    within: Option<f64>,
    /// Threads; as many as there are processors without
    #[arg(long, value_name = "N", value_parser = input::number::<u16>(1..=1024))]
    jobs: Option<u16>,
    /// Write page, pictures, CSV and JSON to the folder DIR; points that it has of the same study are not computed again
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write errors as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a line for each curve and size to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw the study's first norm to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Rows that are asked for.
#[derive(Debug, Clone, Copy)]
enum Rows {
    All,
    Some(usize),
}

fn rows(text: &str) -> Result<Rows, String> {
    let allowed = "allowed: a whole number from 1 to 32768, or all";
    match text {
        "all" => Ok(Rows::All),
        _ => {
            let rows = text.parse().ok().filter(|rows| (1..=32_768).contains(rows));
            rows.map(Rows::Some).ok_or_else(|| allowed.to_owned())
        }
    }
}

fn place(text: &str) -> Result<[usize; 2], String> {
    let numbers: Vec<usize> = text.split(',').filter_map(|number| number.trim().parse().ok()).collect();
    let both = numbers.try_into().ok().filter(|_| text.matches(',').count() == 1);
    both.ok_or_else(|| "allowed: two whole numbers, such as 0,3".to_owned())
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).parse().ok();
    number.filter(|number| (0.0..=1000.0).contains(number)).ok_or_else(|| "allowed: a number from 0 to 1000".to_owned())
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let Some(name) = &arguments.study else {
        list();
        return Ok(Verdict::Agreed);
    };
    if arguments.show {
        let preset = preset(name).ok_or_else(|| unknown(name, "a name, for --show"))?;
        preset.text.lines().for_each(|line| say!("{line}"));
        return Ok(Verdict::Agreed);
    }
    let is_text = !prints_a_file(arguments)?;
    let study = as_asked(study(name)?, arguments)?;
    if let Some(seed) = study.seed_too_great() {
        return Err(Failure(format!(
            "{name}: --seed: {seed} of a size; allowed: seeds of glibc's rand, 0 to {}",
            u32::MAX
        )));
    }
    if !arguments.device.is_empty() && !study.takes_devices() {
        return Err(Failure(format!(
            "--device: no curve of {name} takes the instructions of devices; allowed: a curve with `devices = true`"
        )));
    }
    let (study, on_devices) = match arguments.device.is_empty() {
        true => (study, Vec::new()),
        false => {
            input::check_once("--device", "device", &arguments.device)?;
            study.on_devices(&devices::named(&arguments.device)?)
        }
    };
    if study.computed().next().is_none() {
        let left_out: Vec<String> = on_devices.iter().map(OnDevice::text).collect();
        return Err(Failure(format!("{name}: no curve is left to compute; {}", left_out.join("; "))));
    }
    if arguments.within.is_some() && !study.is_published() {
        return Err(Failure("--within: nothing was published at these sizes; allowed: sizes that were".to_owned()));
    }
    let given = study.files().map(|files| given(&files)).transpose()?;
    let run = Run { study: &study, given, threads: arguments.jobs.map(usize::from) };
    if let Some([row, column]) = arguments.trace {
        let traces = run.trace(row, column)?;
        if output::json_beside_text(arguments.json.as_deref(), &traces)? {
            traces.iter().for_each(trace::show);
        }
        return Ok(Verdict::Agreed);
    }
    run.check()?;
    let mut kept = arguments.out.as_deref().map(Kept::read).transpose()?;
    let kept_before = kept.as_ref().map_or(Vec::new(), |kept| kept.points.clone());
    let bar = output::progress(&study.said.name, run.products(), "products");
    let mut added = 0;
    let mut keep = |point: &_| {
        added += 1;
        kept.as_mut().map_or(Ok(()), |kept| kept.add(point))
    };
    let points = run.run(&kept_before, &|products| bar.inc(products), &mut keep);
    bar.finish_and_clear();
    let finished = Utc::now().format("%Y-%m-%d %H:%M").to_string();
    let report = StudyReport::new(&study, on_devices, finished, points?);
    let known = report.points.len() - added;
    write(arguments, &report)?;
    arguments.json.iter().try_for_each(|path| output::json(path, &report))?;
    if is_text {
        show(arguments, &report, known);
    }
    within(arguments, &report)
}

/// Whether one of the files goes to standard output, which holds one at most.
fn prints_a_file(arguments: &Arguments) -> Result<bool, Failure> {
    let named = [&arguments.json, &arguments.csv, &arguments.svg].into_iter().flatten();
    let printed = named.filter(|path| output::is_standard_output(path)).count();
    if printed > 1 {
        return Err(Failure(
            "--json, --csv, --svg: - stands twice; allowed: one of them on standard output".to_owned(),
        ));
    }
    Ok(printed == 1)
}

/// Whether computed errors are as near to published ones as is asked.
fn within(arguments: &Arguments, report: &StudyReport) -> Result<Verdict, Failure> {
    let Some(percent) = arguments.within else { return Ok(Verdict::Agreed) };
    let Some((share, curve, norm, size)) = report.farthest() else { return Ok(Verdict::Agreed) };
    if share * 100.0 <= percent {
        return Ok(Verdict::Agreed);
    }
    let (apart, norm) = (share * 100.0, norm.name());
    note!("{curve}, {norm}, n = {size}: {apart:.3} % from the published error, more than {percent} %");
    Ok(Verdict::Differed)
}

fn list() {
    let row = |study: &Study| {
        let said = &study.said;
        vec![said.name.clone(), said.summary.clone(), said.curves.len().to_string(), said.source.clone()]
    };
    let rows = PRESETS.iter().map(|preset| row(&preset.study())).collect();
    say!("{}", table::table(&["study", "summary", "curves", "source"], &[2], rows));
}

fn unknown(name: &str, also: &str) -> Failure {
    let known: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    Failure(format!("{name:?} is no study; allowed: {also}: {}", known.join(", ")))
}

fn study(name: &str) -> Result<Study, Failure> {
    match preset(name) {
        Some(preset) => Ok(preset.study()),
        None if input::is_path(name) => Ok(Study::from_file(Path::new(name))?),
        None => Err(unknown(name, "a study file (.toml), or a name")),
    }
}

/// The study with what the command line puts in place of its own.
fn as_asked(mut study: Study, arguments: &Arguments) -> Result<Study, Failure> {
    let drawn = &mut study.said.matrices;
    if !arguments.sizes.is_empty() {
        if drawn.sizes.is_empty() {
            return Err(Failure("--sizes: the matrices come from files; allowed: none".to_owned()));
        }
        let mut sizes: Vec<usize> = arguments.sizes.iter().map(|&size| size as usize).collect();
        sizes.sort_unstable();
        sizes.dedup();
        drawn.asked = Some(sizes);
    }
    match arguments.rows {
        None => {}
        Some(Rows::All) => drawn.rows = None,
        Some(Rows::Some(rows)) => drawn.rows = Some(rows),
    }
    drawn.seed = arguments.seed.unwrap_or(drawn.seed);
    if !arguments.curves.is_empty() {
        let known: Vec<&str> = study.said.curves.iter().map(|curve| curve.name.as_str()).collect();
        if let Some(name) = arguments.curves.iter().find(|name| !known.contains(&name.as_str())) {
            let known: Vec<String> = known.iter().map(|name| format!("{name:?}")).collect();
            return Err(Failure(format!("--curve: {name:?}; allowed: {}", known.join(", "))));
        }
        study = study.only(&arguments.curves);
    }
    Ok(study)
}

/// A and B from files.
fn given(files: &[PathBuf; 2]) -> Result<Given, Failure> {
    let [a, b] = files.each_ref().map(|path| -> Result<Entries, Failure> {
        let matrix = gemm::read_numbers(path)?;
        let values = matrix.elements.numbers(&Format::binary64());
        Ok(Entries { rows: matrix.rows, columns: matrix.columns, values })
    });
    Ok(Given { a: a?, b: b? })
}

/// Writes what was asked for.
fn write(arguments: &Arguments, report: &StudyReport) -> Result<(), Failure> {
    let norms = &report.study.norms;
    let put = |path: &Path, text: &str| match output::is_standard_output(path) {
        true => {
            text.lines().for_each(|line| say!("{line}"));
            Ok(())
        }
        false => output::write_whole(path, text),
    };
    if let Some(path) = &arguments.csv {
        put(path, &report.csv()?)?;
    }
    if let (Some(path), Some(norm)) = (&arguments.svg, norms.first()) {
        put(path, &curves_picture(report, *norm))?;
    }
    let Some(folder) = &arguments.out else { return Ok(()) };
    output::write_whole(&folder.join("errors.csv"), &report.csv()?)?;
    output::write_whole(&folder.join("study.json"), &output::json_text(report)?)?;
    for norm in norms {
        output::write_whole(&folder.join(format!("{}.svg", norm.name())), &curves_picture(report, *norm))?;
    }
    output::write_whole(&folder.join("index.html"), &study_page(report)?)
}

fn show(arguments: &Arguments, report: &StudyReport, known: usize) {
    let said = &report.study;
    say!("{}", table::filled(&format!("{}: {}", said.name, said.summary)));
    if !said.source.is_empty() {
        say!("{}", table::filled(&said.source));
    }
    said.notes.iter().for_each(|note| say!("{}", table::filled(note)));
    let published = |norm: &Norm| said.curves.iter().any(|curve| curve.published.contains_key(norm));
    for norm in &said.norms {
        let beside = if published(norm) { ", published errors in parentheses" } else { "" };
        say!("\n{}{beside}", norm.title());
        let (headings, rows) = report.table(*norm);
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        say!("{}", table::table(&headings, &(0..headings.len()).collect::<Vec<_>>(), rows));
    }
    if !report.claims.is_empty() {
        say!("");
    }
    for outcome in &report.claims {
        say!("{}", table::filled(&format!("claim: {}: {}", outcome.claim.text, outcome.verdict())));
    }
    for curve in &report.devices {
        say!("{}", table::filled(&curve.text()));
    }
    say!("");
    let seconds: f64 = report.points.iter().map(|point| point.seconds).sum();
    let seed = said.matrices.seed;
    say!(
        "{}",
        table::filled(&format!(
            "{} errors, {known} of them computed before, in {seconds:.1} s; {}; seed {seed}; truth: {}; tensorsmith {}",
            report.points.len(),
            report.rows(),
            report.truth,
            report.tensorsmith
        ))
    );
    if let Some(folder) = &arguments.out {
        say!("page: {}", folder.join("index.html").shown());
    }
}
