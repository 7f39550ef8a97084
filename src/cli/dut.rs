//! `tensorsmith dut`: a design file for a design of one's own.

use std::path::{Component, Path, PathBuf};

use clap::{Args, Subcommand};

use super::output::{note, say};
use super::{Failure, Verdict, input, output};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::interface::Interface;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::Foreign;
use tensorsmith::design::{Design, Port, guess};
use tensorsmith::engine::{Engine, Kind, Opened};

/// Describe a design of your own, so that commands can ask it
#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Init(Init),
}

/// Write a first design file, from the ports of a module
///
/// Operands, clock, reset and handshakes are guessed from names and widths; what cannot be guessed is marked in the file and
/// listed, with exit code 1. With --equals widths are known, and where the design does not say when a result is there, the
/// latency is found by trying.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith dut init rtl/dot4.sv --top dot4 --equals volta-fp16-fp32 --out dot4.toml\n  tensorsmith dut init 'rtl/*.sv' --top dot4 --include rtl/include --parameter LANES=4\n  tensorsmith cosim --design dot4.toml"
)]
struct Init {
    /// Files in the order in which tools read them; names with *, ? and ** are written as they are
    #[arg(required = true, value_name = "FILES")]
    files: Vec<String>,
    /// The module, or the VHDL entity
    #[arg(long, value_name = "MODULE")]
    top: String,
    /// Unit or instruction that it should equal: a name of the catalogue, or a file (.toml)
    #[arg(long, value_name = "SUBJECT")]
    equals: Option<String>,
    #[command(flatten)]
    more: More,
    /// File to write; it must not be there. Without, standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What else tools have to know of a design's files.
#[derive(Args)]
pub(super) struct More {
    /// Folder of included files; may be given several times
    #[arg(long, value_name = "DIR")]
    pub include: Vec<String>,
    /// Parameter of the module; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    parameter: Vec<String>,
    /// Macro of the preprocessor; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    define: Vec<String>,
}

impl More {
    /// Whether something is said.
    pub fn is_any(&self) -> bool {
        !(self.include.is_empty() && self.parameter.is_empty() && self.define.is_empty())
    }
}

/// A design of which a first file is to be written.
pub(super) struct Asked<'a> {
    pub files: &'a [String],
    pub top: &'a str,
    pub equals: Option<&'a str>,
    pub more: &'a More,
    /// Whether it may call C and the system.
    pub system_calls: bool,
}

/// A first design file, and what could not be guessed of it.
pub(super) struct First {
    pub text: String,
    pub unknown: Vec<String>,
}

pub(super) fn run(arguments: &Arguments, system_calls: bool) -> Result<Verdict, Failure> {
    match &arguments.command {
        Command::Init(arguments) => init(arguments, system_calls),
    }
}

fn init(arguments: &Init, system_calls: bool) -> Result<Verdict, Failure> {
    if let Some(path) = arguments.out.as_deref().filter(|path| path.exists()) {
        return Err(Failure(format!("--out: {} is there already; allowed: a file that is not", path.shown())));
    }
    let folder = arguments.out.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let file = arguments.out.as_deref().map_or("-".to_owned(), Path::shown);
    let Init { files, top, equals, more, .. } = arguments;
    let First { text, unknown } =
        first(&Asked { files, top, equals: equals.as_deref(), more, system_calls }, folder, &file)?;
    match &arguments.out {
        Some(path) => output::write_whole(path, &text)?,
        None => say!("{}", text.trim_end()),
    }
    for line in &unknown {
        note!("not known: {line}");
    }
    if let (Some(path), true) = (&arguments.out, unknown.is_empty()) {
        say!("{}: all of it guessed; next: tensorsmith cosim --design {0}", path.shown());
    }
    Ok(if unknown.is_empty() { Verdict::Agreed } else { Verdict::Differed })
}

/// The first design file of a design, for a folder; `file` names it in errors.
pub(super) fn first(asked: &Asked, folder: &Path, file: &str) -> Result<First, Failure> {
    let subject = asked.equals.map(input::subject).transpose()?.map(|named| named.subject);
    let known = Known::of(asked, folder)?;
    let name = name_of(asked.top);
    let guess = |ports: &[Port], equals: Option<(&str, &Interface)>| {
        guess(&tensorsmith::design::Subject {
            name: &name,
            top: asked.top,
            sources: &known.sources,
            include: &known.include,
            parameters: &known.parameters,
            defines: &known.defines,
            ports,
            equals,
        })
    };
    // Before ports are known none can be named.
    let ports = tensorsmith::engine::ports_of(&Design::parse(folder, file, &guess(&[], None).text)?)?;
    let interface = subject.as_ref().map(Subject::interface);
    let equals = asked.equals.map(|name| if input::is_path(name) { relative(folder, name) } else { name.to_owned() });
    let guessed = guess(&ports, equals.as_deref().zip(interface.as_ref()));
    let (mut text, mut unknown) = (guessed.text, guessed.unknown);
    if guessed.clocked && !guessed.says_valid {
        let latency = match (&subject, unknown.is_empty()) {
            (Some(subject), true) => {
                let system_calls = asked.system_calls;
                latency(subject, &Design { system_calls, ..Design::parse(folder, file, &text)? })?
            }
            _ => None,
        };
        match latency {
            Some(latency) => text = text.replace("latency = 1  # not known", &format!("latency = {latency}")),
            None => unknown.push("timing.latency: in how many clocks a result is there; 1 is written".to_owned()),
        }
    }
    Ok(First { text, unknown })
}

/// What the command line says of the sources, as the design file is to say it.
struct Known {
    sources: Vec<String>,
    include: Vec<String>,
    parameters: Vec<(String, String)>,
    defines: Vec<(String, String)>,
}

impl Known {
    fn of(asked: &Asked, folder: &Path) -> Result<Known, Failure> {
        let relative = |all: &[String]| all.iter().map(|one| relative(folder, one)).collect();
        let pairs = |option: &str, all: &[String]| {
            let pair = |one: &String| match one.split_once('=') {
                Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value_of(value))),
                _ => Err(Failure(format!("{option}: {one:?}; allowed: NAME=VALUE"))),
            };
            all.iter().map(pair).collect::<Result<Vec<_>, _>>()
        };
        Ok(Known {
            sources: relative(asked.files),
            include: relative(&asked.more.include),
            parameters: pairs("--parameter", &asked.more.parameter)?,
            defines: pairs("--define", &asked.more.define)?,
        })
    }
}

fn name_of(top: &str) -> String {
    top.trim_matches('_').to_owned()
}

/// A value as TOML has it: a number, or text.
fn value_of(text: &str) -> String {
    if text.parse::<i64>().is_ok() { text.to_owned() } else { toml::Value::String(text.to_owned()).to_string() }
}

/// A path as seen from a folder.
pub(super) fn relative(folder: &Path, path: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let (from, to) = (here.join(folder), here.join(path));
    let shared = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let seen: PathBuf = up.chain(to.components().skip(shared)).collect();
    seen.to_string_lossy().into_owned()
}

/// Vectors that a latency is tried on.
const TRIED: usize = 256;
/// Longest latency that is tried.
const LATENCY_MAX: u32 = 64;

/// The latency with which a design agrees most with what it should equal, if that is half of the answers or more: a design may
/// be wrong, and a result in the wrong clock is hardly ever right.
fn latency(subject: &Subject, design: &Design) -> Result<Option<u32>, Failure> {
    let stimulus = Stimulus::shaped(subject.frame(), 1);
    let mut batch = stimulus.empty_batch();
    stimulus.fill(0, TRIED, &mut batch);
    let answers = |engine: &mut dyn Engine| engine.answers(&batch);
    let Opened::Ready(mut emulator) = Kind::Emulator.open_subject(subject)? else { return Ok(None) };
    let expected = answers(emulator.as_mut())?;
    let agreeing = |latency: u32| -> Result<usize, Failure> {
        let mut tried = design.clone();
        tried.said.timing.latency = Some(latency);
        let Opened::Ready(mut engine) = open(&tried, &subject.interface())? else { return Ok(0) };
        // One that answers otherwise when it is driven otherwise has another latency.
        let found = answers(engine.as_mut()).unwrap_or_default();
        Ok(found.iter().zip(&expected).filter(|(one, other)| one == other).count())
    };
    let mut best = (0, 0);
    for latency in 1..=LATENCY_MAX {
        let count = agreeing(latency)?;
        if count > best.0 {
            best = (count, latency);
        }
        if count == TRIED {
            break;
        }
    }
    Ok(Some(best.1).filter(|_| 2 * best.0 >= TRIED))
}

fn open(design: &Design, interface: &Interface) -> Result<Opened, Failure> {
    Ok(tensorsmith::engine::Simulated::open(design, interface)?)
}
