//! `tensorsmith prove`: statements about all inputs, settled by a solver.

#[cfg(feature = "rtl")]
mod design;
mod kept;
pub(super) mod properties;
pub(super) mod rtl;
mod show;
mod suite;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{Failure, Verdict, input, output};
use tensorsmith::describe::text::Foreign;
use tensorsmith::design::Design;
use tensorsmith::engine::cache::Store;
use tensorsmith::prove::Prover;
use tensorsmith::prove::property::Slices;
use tensorsmith::prove::settle::{self, Statement, Task};
use tensorsmith::prove::solver::{Limits, Program};
use tensorsmith::report::{Inapplicable, ProofReport};

/// Prove or refute properties of a unit or an instruction for all inputs, or the queries of a published work
///
/// The datapath text becomes bit-vector terms and SMT-LIB 2 text, which a solver answers. Verdicts are proved, refuted with a
/// witness, or unknown where a limit was reached. Every witness is run again by emulator and reference, and by the RTL where
/// that is built in, before it is shown.
///
/// With --rtl the unit's SystemVerilog, as Yosys reads it, is compared with the text, stage by stage and without a solver.
///
/// With --design a design of your own, of which nothing but its ports is known, is compared with the text of the unit that it names or
/// that the command line names. What is refuted is run in the simulated design first.
#[derive(Args)]
#[command(
    after_help = "Answers are kept by the content of the question, in the folder that --cache names, else in the cache\n(`tensorsmith cache` lists them): after Ctrl-C the same command goes on where it stopped.\n\nExit codes: 0 everything is proved; 1 something is refuted or unknown; 2 bad input, no solver, or a witness that is not\nconfirmed.\n\nExamples:\n  tensorsmith prove hopper-fp16-fp32\n  tensorsmith prove my-unit.toml --property carry-bits-sufficient --property monotone --timeout 60\n  tensorsmith prove ampere-fp16-fp32 --products 32 --property carry-bits-necessary --solver z3\n  tensorsmith prove integer-int8-int32 --property slices-exact --slice-bits 7 --k 131072\n  tensorsmith prove hopper-fp16-fp32 --rtl --certificates build/proof\n  tensorsmith prove hopper-fp16-fp32 --rtl --files build/rtl\n  tensorsmith prove --rtl --top tensorsmith_fused --parameter Products=8 --parameter FractionBits=24\n  tensorsmith prove --design my/design.toml\n  tensorsmith prove my-unit.toml --design my/design.toml --timeout 60 --total 600 --json proof.json\n  tensorsmith prove --check-certificates build/proof\n  tensorsmith prove --suite valpey --json -\n  tensorsmith prove --list"
)]
pub(super) struct Arguments {
    /// Name of a unit or instruction of the catalogue, or a unit or instruction file (.toml)
    #[arg(required_unless_present_any = ["suite", "list", "check_certificates", "top", "design"])]
    unit: Option<String>,
    /// Property to settle; may be repeated; default: all that say something of it
    #[arg(long, value_name = "PROPERTY", conflicts_with = "suite")]
    property: Vec<String>,
    /// Number of products, instead of the unit's own
    #[arg(long, value_name = "N", conflicts_with = "suite", value_parser = input::number::<u32>(1..=64))]
    products: Option<u32>,
    /// For slices-exact: bits of a slice beside its sign
    #[arg(long, value_name = "BITS", conflicts_with = "suite", value_parser = input::number::<u32>(Slices::BITS))]
    slice_bits: Option<u32>,
    /// For slices-exact: products of a sum; default: those of the unit or instruction
    #[arg(long, value_name = "K", requires = "slice_bits", value_parser = input::number::<u32>(Slices::PRODUCTS))]
    k: Option<u32>,
    /// Queries of a published work, beside the times that it prints
    #[arg(long, value_name = "WORK", conflicts_with = "unit")]
    suite: Option<Suite>,
    /// Query of the suite to ask; may be repeated; default: all but variants of others
    #[arg(long, value_name = "QUERY", requires = "suite", conflicts_with = "unit")]
    query: Vec<String>,
    /// List properties and queries; nothing is asked
    #[arg(long, conflicts_with_all = ["unit", "suite", "property", "products", "slice_bits", "json", "solver", "timeout", "memory", "jobs", "cache", "no_cache"])]
    list: bool,
    /// With --design: seconds for the whole search; --timeout counts for each bit of the result
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, value_parser = input::number::<u64>(1..=604_800))]
    total: u64,
    #[command(flatten)]
    netlist: rtl::Options,
    #[command(flatten)]
    solving: Solving,
    /// Write it as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Published works with queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Suite {
    /// Valpey et al. 2025: table 4, property 5, and the vectors of tables 1, 3 and 5
    Valpey,
}

/// Memory of a query, unless told otherwise.
const MEMORY_MIB: u64 = Limits::MEMORY_BYTES >> 20;

/// A solver with so many seconds for a query, and the usual memory and place for its answers.
pub(super) fn prover(program: Program, seconds: u64) -> Result<Prover, Failure> {
    let limits = Limits { time: Duration::from_secs(seconds), memory_bytes: Limits::MEMORY_BYTES };
    Ok(Prover::find(program, limits)?.keeping(Store::usual().map_err(Failure)?))
}

/// What a solver may use, and where its answers are kept.
#[derive(Args)]
pub(super) struct Solving {
    /// Solver to ask
    #[arg(long, value_enum, default_value = "bitwuzla")]
    solver: Program,
    /// Seconds for one query
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = input::number::<u64>(1..=604_800))]
    timeout: u64,
    /// MiB of memory for one query
    #[arg(long, value_name = "MIB", default_value_t = MEMORY_MIB, value_parser = input::number::<u64>(64..=1_048_576))]
    memory: u64,
    /// Queries at a time; default: as many as there are processors
    #[arg(long, value_name = "N", value_parser = input::number::<u32>(1..=1024))]
    jobs: Option<u32>,
    /// Folder in which answers are kept
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Ask everything anew and keep nothing
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
}

impl Solving {
    /// The solver that is asked.
    pub(super) fn prover(&self) -> Result<Prover, Failure> {
        let limits = Limits { time: Duration::from_secs(self.timeout), memory_bytes: self.memory << 20 };
        let store = self.store()?;
        Ok(Prover::find(self.solver, limits)?.keeping(store))
    }

    /// Where answers are kept, if they are.
    ///
    /// # Errors
    /// The folder that was named cannot be used; without the usual one only time is lost.
    fn store(&self) -> Result<Store, Failure> {
        match (self.no_cache, &self.cache) {
            (true, _) => Ok(Store::default()),
            (false, None) => Store::usual().map_err(Failure),
            (false, Some(folder)) => Store::within(folder).map_err(|why| {
                Failure(format!("--cache {}: {why}; allowed: a folder, which is created if need be", folder.shown()))
            }),
        }
    }

    fn jobs(&self) -> usize {
        self.jobs.map_or_else(output::processors, |jobs| jobs as usize)
    }

    fn report(&self, subject: &str, prover: &Prover) -> ProofReport {
        ProofReport::new(subject, prover.solver.identity(), self.timeout as f64, self.memory)
    }

    fn settle(&self, subject: &str, tasks: &[Task], prover: &Prover) -> Result<Vec<Statement>, Failure> {
        let questions: usize = tasks.iter().map(Task::count).sum();
        let bar = output::progress(subject, questions as u64, "questions");
        let statements = settle::settle(tasks, prover, self.jobs(), &|| bar.inc(1));
        bar.finish_and_clear();
        Ok(statements?)
    }
}

#[cfg(feature = "rtl")]
fn of_design(arguments: &Arguments, named: &Design) -> Result<Verdict, Failure> {
    let unit = arguments.unit.as_deref();
    design::run(unit, named, arguments.total, &arguments.solving, arguments.json.as_deref())
}

#[cfg(not(feature = "rtl"))]
fn of_design(_: &Arguments, _: &Design) -> Result<Verdict, Failure> {
    Err(Failure("--design: this program was built without RTL; allowed: one that was built with it".to_owned()))
}

impl Arguments {
    /// Slices whose sums are asked about, of as many products as a unit has if nothing else is said.
    fn slices(&self, products: u32) -> Option<Slices> {
        self.slice_bits.map(|bits| Slices { bits, products: self.k.unwrap_or(products) })
    }

    /// What says nothing of a design.
    fn refuse_beside_design(&self) -> Result<(), Failure> {
        let given = [
            ("--list", self.list),
            ("--suite", self.suite.is_some()),
            ("--property", !self.property.is_empty()),
            ("--products", self.products.is_some()),
            ("--slice-bits", self.slice_bits.is_some()),
            ("--rtl", self.netlist.rtl),
            ("--check-certificates", self.netlist.check_certificates.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => {
                Err(Failure(format!("{option}: it says nothing of a design; allowed: it without --design")))
            }
            None => Ok(()),
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    if arguments.list {
        show::list();
        return Ok(Verdict::Agreed);
    }
    if let Some(named) = tensorsmith::design::named() {
        arguments.refuse_beside_design()?;
        return of_design(arguments, named);
    }
    if let Some(folder) = &arguments.netlist.check_certificates {
        return rtl::check_certificates(folder, &arguments.solving, arguments.json.as_deref());
    }
    if arguments.netlist.rtl {
        let unit = arguments.unit.as_deref();
        return rtl::prove(unit, &arguments.netlist, &arguments.solving, arguments.json.as_deref());
    }
    let report = match (arguments.suite, &arguments.unit) {
        (Some(Suite::Valpey), _) => suite::valpey(&arguments.query, &arguments.solving)?,
        (None, Some(name)) => {
            let subject = properties::subject(name, arguments.products)?;
            let slices = arguments.slices(subject.interface().products);
            let asked = properties::Asked::of(&subject, &arguments.property, slices)?;
            if let Some(Inapplicable { property, reason }) = asked.nothing() {
                return Err(Failure(format!("--property {property}: it says nothing of {}: {reason}", subject.name())));
            }
            asked.settled(subject.name(), &arguments.solving, &arguments.solving.prover()?)?
        }
        (None, None) => {
            return Err(Failure("no unit; allowed: a unit, --suite, --list or --check-certificates".to_owned()));
        }
    };
    if output::json_beside_text(arguments.json.as_deref(), &report)? {
        show::print(&report);
    }
    let differing = report.tables.iter().any(|table| table.differing() > 0);
    let proved = report.count(settle::Verdict::Proved) == report.statements.len();
    Ok(if proved && !differing { Verdict::Agreed } else { Verdict::Differed })
}
