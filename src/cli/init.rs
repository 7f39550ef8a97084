//! `tensorsmith init`: a design checked in each change, begun.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::output::{note, say};
use super::{Failure, Verdict, design, dut, input, output};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::{Foreign, LINES_ALLOWED, is_one_line};
use tensorsmith::describe::unit::Unit;
use tensorsmith::design::{Design, Simulator, is_vhdl, named};
use tensorsmith::emit::job::{Job, Platform};

/// The design file that is written where none is named.
const DESIGN_FILE: &str = "design.toml";
/// What a job may take beside the time in which vectors are run: the first time tools are built.
const SET_UP_MINUTES: u64 = 60;

/// Begin a job for continuous integration that checks your design in each change
///
/// Writes the job, and a design file unless --design names one, into the design's repository; what is there already is not
/// touched. The job installs this version, runs `cosim --design` for a time with a seed from the commit, failing cases of
/// earlier runs first, and keeps cases, waveforms, reports and built models. Ports are guessed as `dut init` does; what cannot
/// be guessed is marked in the design file and listed, with exit code 1.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith init --ci github --design my-design.toml\n  tensorsmith init --ci gitlab rtl/dot4.sv --top dot4 --equals unit.toml\n  tensorsmith init --ci make --design my-design.toml --time-limit 30s\n  tensorsmith init --ci github --dir ../my-chip --design ../my-chip/dot4.toml --time-limit 1h --vectors 10000000000"
)]
pub(super) struct Arguments {
    /// Who runs the job: github, gitlab, make, slurm
    #[arg(long, value_name = "PLATFORM", value_parser = platform)]
    ci: Platform,
    /// The design's files in the order in which tools read them, as in `dut init`
    #[arg(value_name = "FILES", required_unless_present = "design", conflicts_with = "design")]
    files: Vec<String>,
    /// The module, or the VHDL entity
    #[arg(long, value_name = "MODULE", required_unless_present = "design", conflicts_with = "design")]
    top: Option<String>,
    /// Unit or instruction that it should equal: a name of the catalogue, or a file (.toml)
    #[arg(long, value_name = "SUBJECT", required_unless_present = "design", conflicts_with = "design")]
    equals: Option<String>,
    #[command(flatten)]
    more: dut::More,
    /// Root of the design's repository: the job begins there
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// Time in which the job runs vectors, in seconds or as 90s, 5m, 2h
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = time)]
    time_limit: Time,
    /// Vectors that the job runs at most
    #[arg(long, value_name = "N", default_value_t = 100_000_000, value_parser = input::number::<u64>(1..=u64::MAX))]
    vectors: u64,
    /// Line of a shell that installs this program, so that tensorsmith-tools/bin or PATH has it. Needed: this version is not
    /// published yet [default: `cargo install` of the published version]
    #[arg(long, value_name = "COMMAND")]
    install: Option<String>,
}

fn platform(name: &str) -> Result<Platform, String> {
    let names: Vec<&str> = Platform::ALL.iter().map(|platform| platform.name()).collect();
    let found = Platform::ALL.into_iter().find(|platform| platform.name() == name);
    found.ok_or_else(|| format!("allowed: {}", names.join(", ")))
}

/// A time, and how it was written.
#[derive(Clone)]
struct Time(Duration, String);

fn time(text: &str) -> Result<Time, String> {
    input::duration(text).map(|time| Time(time, text.to_owned()))
}

/// The design that the job is about; paths as seen from the root of the repository.
struct Checked {
    name: String,
    file: String,
    equals: String,
    subject: Subject,
    is_vhdl: bool,
    simulator: Simulator,
    /// The design file, where it is to be written.
    text: Option<String>,
    unknown: Vec<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let dir = &arguments.dir;
    let within = |name: &str| within(dir, name);
    if !dir.is_dir() {
        return Err(Failure(format!(
            "--dir: {} is no folder; allowed: the root of the design's repository",
            dir.shown()
        )));
    }
    let install = arguments.install.clone().unwrap_or_else(Job::usual_install);
    if !is_one_line(&install) {
        return Err(Failure(format!("--install: {install:?}; allowed: {LINES_ALLOWED}")));
    }
    let place = within(arguments.ci.file());
    check_new(&place, "a repository without it, or another --ci")?;
    let checked = match named() {
        Some(_) if arguments.more.is_any() => {
            let allowed = "them beside FILES; with --design they stand in the design file";
            return Err(Failure(format!("--include, --parameter, --define; allowed: {allowed}")));
        }
        Some(design) => existing(design, dir)?,
        None => first(arguments, dir)?,
    };
    let job = job(arguments, &checked, install).file(arguments.ci)?;
    let design = checked.text.iter().map(|text| (within(&checked.file), text.as_str()));
    let files: Vec<(PathBuf, &str)> = design.chain([(place, job.text.as_str())]).collect();
    output::write_new(&files)?;
    for (path, _) in &files {
        say!("{}", path.shown());
    }
    if arguments.install.is_none() {
        note!(
            "note: this version is not published yet, so that the job cannot install it; allowed: --install COMMAND, such as \
             'cargo install --git URL --rev REVISION --locked --root tensorsmith-tools tensorsmith'"
        );
    }
    for line in &checked.unknown {
        note!("not known: {line}");
    }
    match checked.unknown.is_empty() {
        true => {
            say!("next: commit these files; by hand: tensorsmith cosim --design {}", within(&checked.file).shown())
        }
        false => say!("next: complete {}, then commit these files", within(&checked.file).shown()),
    }
    Ok(if checked.unknown.is_empty() { Verdict::Agreed } else { Verdict::Differed })
}

/// A file of the repository, as it is shown.
fn within(dir: &Path, name: &str) -> PathBuf {
    if dir == Path::new(".") { PathBuf::from(name) } else { dir.join(name) }
}

fn check_new(path: &Path, allowed: &str) -> Result<(), Failure> {
    match path.symlink_metadata() {
        Ok(_) => Err(Failure(format!("{} is there already; allowed: {allowed}", path.shown()))),
        Err(_) => Ok(()),
    }
}

/// A design that has a file.
fn existing(design: &Design, dir: &Path) -> Result<Checked, Failure> {
    let name = design::equals(design)?;
    let file = Path::new(&design.file).file_name().unwrap_or_default();
    let file = inside(dir, "--design", &design.folder.join(file).to_string_lossy())?;
    let field = format!("{}: field `equals`", design.file);
    let equals = if input::is_path(&name) { inside(dir, &field, &name)? } else { name.clone() };
    Ok(Checked {
        name: design.said.name.clone(),
        file,
        equals,
        subject: input::subject(&name)?.subject,
        is_vhdl: is_vhdl(&design.said),
        simulator: design.simulator,
        text: None,
        unknown: Vec::new(),
    })
}

/// A design of which the first file is to be written.
fn first(arguments: &Arguments, dir: &Path) -> Result<Checked, Failure> {
    let (Some(top), Some(equals)) = (&arguments.top, &arguments.equals) else {
        return Err(Failure("--top, --equals: missing; allowed: both beside FILES, or --design FILE".to_owned()));
    };
    let path = within(dir, DESIGN_FILE);
    check_new(&path, &format!("it as --design {}", path.shown()))?;
    for file in arguments.files.iter().chain(&arguments.more.include) {
        inside(dir, "FILES", &file.replace(['*', '?'], "x"))?;
    }
    let seen = if input::is_path(equals) { inside(dir, "--equals", equals)? } else { equals.clone() };
    let Arguments { files, more, .. } = arguments;
    let asked = dut::Asked { files, top, equals: Some(equals), more, system_calls: false };
    let written = dut::first(&asked, dir, &path.shown())?;
    let design = Design::parse(dir, &path.shown(), &written.text)?;
    Ok(Checked {
        name: design.said.name.clone(),
        file: DESIGN_FILE.to_owned(),
        equals: seen,
        subject: input::subject(equals)?.subject,
        is_vhdl: is_vhdl(&design.said),
        simulator: Simulator::default(),
        text: Some(written.text),
        unknown: written.unknown,
    })
}

/// A path as seen from the root of the repository: it has to lie there, and stands in lines of a shell as it is.
fn inside(dir: &Path, what: &str, path: &str) -> Result<String, Failure> {
    let seen = plain(&dut::relative(dir, path));
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-+/@".contains(letter);
    let allowed = match () {
        () if seen.starts_with("..") => format!("a file in --dir, {}", dir.shown()),
        () if seen.starts_with('-') || !seen.chars().all(is_plain) => {
            "a path of letters, digits and . _ - + @ /".to_owned()
        }
        () => return Ok(seen),
    };
    Err(Failure(format!("{what}: {}; allowed: {allowed}", Path::new(path).shown())))
}

/// A path without what leads back.
fn plain(path: &str) -> String {
    let mut plain = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir if plain.file_name().is_some() => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain.to_string_lossy().into_owned()
}

fn job(arguments: &Arguments, checked: &Checked, install: String) -> Job {
    let icarus = checked.simulator == Simulator::Icarus;
    let packages = ["g++", "python3-venv"].into_iter().chain(checked.is_vhdl.then_some("ghdl"));
    let packages: Vec<&str> = packages.chain(icarus.then_some("iverilog")).collect();
    Job {
        name: checked.name.clone(),
        equals: checked.equals.clone(),
        design: checked.file.clone(),
        options: if icarus { "--design-engine icarus ".to_owned() } else { String::new() },
        units: units(&checked.subject, &checked.equals),
        packages: packages.join(" "),
        install,
        vectors: arguments.vectors,
        time_limit: arguments.time_limit.1.clone(),
        timeout_minutes: arguments.time_limit.0.as_secs().div_ceil(60) + SET_UP_MINUTES,
    }
}

/// What the report shows of a subject: it takes units of the catalogue and unit files.
fn units(subject: &Subject, equals: &str) -> Option<String> {
    let is_known = |unit: &Unit| catalogue::unit(&unit.name).is_some_and(|known| known == *unit);
    match subject {
        Subject::Unit(_) => Some(equals.to_owned()),
        Subject::Instruction(instruction) => {
            let units: Vec<&Unit> = Instruction::units(instruction).collect();
            let all = units.iter().all(|unit| is_known(unit));
            all.then(|| units.iter().map(|unit| unit.name.as_str()).collect::<Vec<_>>().join(","))
        }
    }
}
