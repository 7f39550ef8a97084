//! Proves a design: reads it, puts it beside the text, looks for a vector that tells them apart, and searches for a proof.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::both::Both;
use super::clocks::{Setting, Timed, Unsupported};
use super::simulators::{Contradiction, contradiction, simulate};
use crate::describe::subject::Subject;
use crate::describe::text::Foreign;
use crate::describe::unit::{FileError, Unit};
use crate::design::{self, Design, SourceError};
use crate::emit::SourceFile;
use crate::engine::{self, Batch, Emulator, EngineError, Kind, Opened, Vector, ports_of};
use crate::prove::aig::{self, Literal, Values};
use crate::prove::netlist::{self, DesignRead, Frontend, NetlistError, Outside};
use crate::prove::reading::{self, Objection, ReadingError, Request};
use crate::prove::rtl::{self, Obligation, Outcome, Problem, Simulated};
use crate::prove::sat::{Found, Limits, Progress, Refutation, none_hold};

/// Chunks of shaped vectors that are looked at for a difference before anything is proved.
const CHUNKS: u64 = 64;
/// Chunks whose values say which nodes may be equal.
const SEEN: u64 = 4;
/// Conflicts after which a pair of inner nodes is left alone.
const PAIR_CONFLICTS: u64 = 1000;

/// What a proof may use.
#[derive(Debug, Clone, Copy)]
pub struct Means {
    /// For one bit of the result, and for Yosys.
    pub query: Duration,
    /// For everything.
    pub total: Duration,
}

/// What is being done, to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Reading,
    Claims,
    Simulation,
    /// Nodes and bits of the result that were looked at, and all.
    Search(Progress),
}

/// What became of a design.
#[derive(Debug, Clone)]
pub enum Verdict {
    Proved,
    Refuted(Box<Refuted>),
    /// What Yosys reads is the unit, and a simulator runs something else.
    Contradicted(String),
    /// Why, with the bits that stayed open.
    Unknown(String),
}

/// A vector that the design answers otherwise; both were run again.
#[derive(Debug, Clone)]
pub struct Refuted {
    pub vector: Vector,
    /// The simulated design's result, or why there is none.
    pub design: Result<u64, String>,
    pub emulator: u64,
    /// What the definition answers, or why it does not.
    pub reference: Result<u64, String>,
}

/// The verdict and what it rests on.
#[derive(Debug, Clone)]
pub struct DesignProof {
    pub verdict: Verdict,
    pub setting: Setting,
    pub latency: u32,
    pub register_bits: usize,
    /// Ports that are proved beside the result, by their fields in the design file.
    pub control: Vec<&'static str>,
    pub cells: usize,
    /// What the text claims of its own numbers.
    pub claims: Vec<Obligation>,
    /// Name and what is known of every bit of the result; empty where a vector was found before they were looked at.
    pub bits: Vec<(String, Found)>,
    /// Sums of the text that the design computes too, by their adders.
    pub numbers: usize,
    /// Nodes of the graph, those that are equal to others, and conflicts of the search.
    pub nodes: usize,
    pub equal: usize,
    pub conflicts: u64,
    /// What simulators made of a design that is proved.
    pub simulated: Vec<Simulated>,
    /// That no bit that is proved differs.
    pub refutation: Option<Refutation>,
    pub netlist_sha256: String,
    pub yosys: String,
    pub frontend: Frontend,
    /// The design's files as they were read.
    pub sources: Vec<SourceFile>,
}

/// Why there is no verdict.
#[derive(Debug, Error)]
pub enum DesignProofError {
    #[error("{file}: not supported, because {why}")]
    Unsupported { file: String, why: Unsupported },
    #[error("{file}: {why}")]
    Netlist { file: String, why: NetlistError },
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Reading(#[from] ReadingError),
    #[error(transparent)]
    Refused(Objection),
    #[error("{0}")]
    Text(String),
    #[error("{file}: a difference was found that simulation does not confirm, on {vector}: {why}")]
    Unconfirmed { file: String, vector: String, why: String },
}

/// Proves that a design answers every vector as a unit does. `progress` is told what is being done.
///
/// # Errors
/// A tool is missing or refuses the design, the design is not supported, or a vector was found that the simulated design answers
/// as the emulator does.
pub fn prove(
    unit: &Unit,
    design: &Design,
    means: Means,
    progress: &dyn Fn(Stage),
) -> Result<DesignProof, DesignProofError> {
    let deadline =
        Instant::now().checked_add(means.total).unwrap_or_else(|| Instant::now() + Duration::from_secs(1 << 25));
    progress(Stage::Reading);
    let yosys = netlist::version().map_err(|why| DesignProofError::Netlist { file: design.file.clone(), why })?;
    let DesignRead { netlist, frontend, sources } = read(unit, design, means)?;
    progress(Stage::Claims);
    let problem = rtl::text(unit).map_err(DesignProofError::Text)?;
    let both = Both::of(unit, &problem, &netlist, design)
        .map_err(|why| DesignProofError::Unsupported { file: design.file.clone(), why })?;
    let proof = DesignProof {
        verdict: Verdict::Unknown("nothing was asked".to_owned()),
        setting: both.timed.setting,
        latency: both.timed.latency,
        register_bits: both.timed.register_bits,
        control: both.timed.control.iter().map(|control| control.name).collect(),
        cells: netlist.cells.len(),
        claims: Vec::new(),
        bits: Vec::new(),
        numbers: 0,
        nodes: both.aig.nodes().len(),
        equal: 0,
        conflicts: 0,
        simulated: Vec::new(),
        refutation: None,
        netlist_sha256: netlist.sha256.clone(),
        yosys,
        frontend,
        sources,
    };
    progress(Stage::Simulation);
    if let Some(values) = simulated(unit, &problem, &both) {
        let refuted = confirmed(unit, design, &problem, &both, &values)?;
        return Ok(DesignProof { verdict: Verdict::Refuted(Box::new(refuted)), ..proof });
    }
    progress(Stage::Claims);
    let rest = deadline.saturating_duration_since(Instant::now());
    let claims = rtl::prove_claims(&problem, &rtl::Means::within(rest));
    let proof = DesignProof { claims, ..proof };
    searched(unit, design, &problem, &both, Asked { means, deadline }, progress, proof)
}

/// Time for the search.
struct Asked {
    means: Means,
    deadline: Instant,
}

/// The search, and what it comes to.
fn searched(
    unit: &Unit,
    design: &Design,
    problem: &Problem,
    both: &Both,
    asked: Asked,
    progress: &dyn Fn(Stage),
    proof: DesignProof,
) -> Result<DesignProof, DesignProofError> {
    let limits = Limits { pair_conflicts: PAIR_CONFLICTS, literal: asked.means.query, deadline: asked.deadline };
    let mut patterns = both.patterns(unit, problem, 0);
    for chunk in 1..SEEN {
        let more = both.patterns(unit, problem, chunk);
        patterns.words += more.words;
        patterns.rows.iter_mut().zip(more.rows).for_each(|(row, more)| row.extend(more));
    }
    let swept =
        none_hold(&both.aig, &both.differs, &both.known, &patterns, limits, &|done| progress(Stage::Search(done)));
    let holds = swept.found.iter().find_map(|found| match found {
        Found::Holds(values) => Some(values),
        _ => None,
    });
    let verdict = match holds {
        Some(values) => Verdict::Refuted(Box::new(confirmed(unit, design, problem, both, values)?)),
        None => verdict(unit, &both.timed, &proof.claims, &swept.found),
    };
    let (verdict, simulated) = match verdict {
        Verdict::Proved => {
            progress(Stage::Simulation);
            let simulated = simulate(unit, design);
            (after_simulation(&simulated), simulated)
        }
        verdict => (verdict, Vec::new()),
    };
    let named = |(bit, found)| (bit_name(unit, &both.timed, bit), found);
    let bits = swept.found.into_iter().enumerate().map(named).collect();
    let (numbers, equal, conflicts, refutation) = (swept.numbers, swept.equal, swept.conflicts, swept.refutation);
    Ok(DesignProof { verdict, simulated, bits, numbers, equal, conflicts, refutation, ..proof })
}

/// The verdict of a design that is proved, once simulators have run it.
fn after_simulation(simulated: &[Simulated]) -> Verdict {
    match contradiction(simulated) {
        None => Verdict::Proved,
        Some(Contradiction::Otherwise(what)) => Verdict::Contradicted(format!(
            "the netlist of Yosys equals the unit, and a simulator runs the design otherwise: {what}"
        )),
        Some(Contradiction::NotRun(why)) => {
            Verdict::Unknown(format!("the netlist of Yosys equals the unit, and no simulator ran the design: {why}"))
        }
    }
}

fn verdict(unit: &Unit, timed: &Timed, claims: &[Obligation], bits: &[Found]) -> Verdict {
    if let Some(claim) = claims.iter().find(|claim| !matches!(claim.outcome, Outcome::Proved(_))) {
        let what = match &claim.outcome {
            Outcome::Unknown(why) | Outcome::Fails(why) => why,
            Outcome::Proved(_) => unreachable!("it is not proved"),
        };
        return Verdict::Unknown(format!(
            "what the text claims of its own numbers was not proved: {}: {what}",
            claim.name
        ));
    }
    let open: Vec<(usize, &String)> = bits
        .iter()
        .enumerate()
        .filter_map(|(bit, found)| match found {
            Found::Unknown(why) => Some((bit, why)),
            _ => None,
        })
        .collect();
    match open.first() {
        None => Verdict::Proved,
        Some((_, why)) => {
            let names: Vec<String> = open.iter().map(|(bit, _)| bit_name(unit, timed, *bit)).collect();
            Verdict::Unknown(format!("{} of {} bits stayed open ({}): {why}", open.len(), bits.len(), names.join(", ")))
        }
    }
}

/// `d[3]`, `flags[0]` above them, and then ports such as `output.valid`.
fn bit_name(unit: &Unit, timed: &Timed, bit: usize) -> String {
    let width = unit.formats.d.width() as usize;
    let control = timed.result.len() - timed.control.len();
    match bit {
        bit if bit < width => format!("d[{bit}]"),
        bit if bit < control => format!("flags[{}]", bit - width),
        bit => timed.control[bit - control].name.to_owned(),
    }
}

/// The netlist of the module around the design.
fn read(unit: &Unit, design: &Design, means: Means) -> Result<DesignRead, DesignProofError> {
    let ports = ports_of(design)?;
    let sources = design.sources()?;
    let wrapper = design::wrapper(design, &ports, &unit.interface(), design::Driven::Clocked)?;
    let own = SourceFile { name: format!("{}.sv", design::MODULE), text: wrapper.text };
    let text = |path: &PathBuf| {
        let refused = |error| DesignProofError::Text(format!("{}: {error}; allowed: text in UTF-8", path.shown()));
        std::fs::read_to_string(path).map_err(refused)
    };
    let texts = sources.files.iter().map(text).collect::<Result<Vec<String>, _>>()?;
    let outside = Outside {
        files: &sources.files,
        texts: &texts,
        include: &sources.include,
        defines: &sources.defines,
        is_from_vhdl: design::is_vhdl(&design.said),
    };
    let objections = if outside.is_from_vhdl { Vec::new() } else { objections(&own, outside, means.query)? };
    let refused = |frontend: Frontend| {
        let first = objections.iter().find(|objection| frontend == Frontend::Own || !objection.reader);
        first.map_or(Ok(()), |objection| Err(DesignProofError::Refused(objection.clone())))
    };
    // What every tool but one reads alike depends on which reader Yosys has.
    refused(Frontend::Slang)?;
    let read = netlist::read_design(design::MODULE, &own, outside, means.query).map_err(|why| match why {
        NetlistError::Form { .. } => {
            DesignProofError::Unsupported { file: design.file.clone(), why: Unsupported::Netlist(why) }
        }
        why => DesignProofError::Netlist { file: design.file.clone(), why },
    })?;
    refused(read.frontend)?;
    Ok(read)
}

/// What tools read differently in a design's files.
fn objections(own: &SourceFile, outside: Outside, limit: Duration) -> Result<Vec<Objection>, DesignProofError> {
    let mut files = vec![own.clone()];
    let named = outside.files.iter().zip(outside.texts);
    files.extend(named.map(|(path, text)| SourceFile { name: path.shown(), text: text.clone() }));
    let Outside { include, defines, .. } = outside;
    let request = Request { files: &files, top: design::MODULE, include, defines, alone: false };
    Ok(reading::objections(request, limit)?)
}

/// Values of the graph's inputs on which a bit of the result differs, if shaped vectors have some.
fn simulated(unit: &Unit, problem: &Problem, both: &Both) -> Option<Vec<bool>> {
    (0..CHUNKS).find_map(|chunk| {
        let patterns = both.patterns(unit, problem, chunk);
        let values = aig::simulate(&both.aig, &patterns);
        let place = both.differs.iter().find_map(|&differs| first(&values, differs))?;
        Some(patterns.rows.iter().map(|row| row[place / 64] >> (place % 64) & 1 == 1).collect())
    })
}

fn first(values: &Values, literal: Literal) -> Option<usize> {
    let mut words = values.of(literal).enumerate();
    words.find(|(_, word)| *word != 0).map(|(place, word)| 64 * place + word.trailing_zeros() as usize)
}

/// What design and emulator answer to a vector that was found.
fn confirmed(
    unit: &Unit,
    design: &Design,
    problem: &Problem,
    both: &Both,
    values: &[bool],
) -> Result<Refuted, DesignProofError> {
    let vector = both.vector(problem, values);
    let unconfirmed = |why: String| {
        let operands: Vec<String> = vector.operands().map(|word| format!("{word:x}")).collect();
        let loose = both.timed.loose.first().map(|loose| format!("; the result depends on {}", loose.what));
        let why = why + &loose.unwrap_or_default();
        DesignProofError::Unconfirmed { file: design.file.clone(), vector: operands.join(" "), why }
    };
    let batch = Batch::of(&vector);
    let emulator = Emulator::new(unit).evaluate(vector.inputs())?;
    let mut results = Vec::new();
    let answer = match engine::Simulated::open(design, &unit.interface())? {
        Opened::Absent(reason) => return Err(unconfirmed(reason.to_string())),
        Opened::Ready(mut engine) => {
            // A design that gives no result for the vector differs too.
            engine.run(&batch, &mut results).map(|()| results[0]).map_err(|error| error.message)
        }
    };
    if answer == Ok(emulator) {
        return Err(unconfirmed(format!("design and emulator return {emulator:#x}")));
    }
    let reference = match Kind::Reference.open_subject(&Subject::from(unit.clone())) {
        Ok(Opened::Ready(mut engine)) => {
            let asked = engine.run(&batch, &mut results).map_err(|error| error.to_string());
            asked.map(|()| results[0])
        }
        Ok(Opened::Absent(reason)) => Err(reason.to_string()),
        Err(error) => Err(error.to_string()),
    };
    Ok(Refuted { vector, design: answer, emulator, reference })
}
