//! What was proved of a unit's emitted SystemVerilog.

use serde::{Deserialize, Serialize};

use super::VERSION;
use super::operands::OperandReport;
use crate::describe::unit::Unit;
use crate::prove::certificate::{self, Source};
use crate::prove::rtl::{
    Answered, Composition, Obligation, Outcome, Registered, SEED, Simulated, Simulation, StepKind, UnitProof, Verdict,
    Witness,
};

/// The proof of one unit.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RtlReport {
    pub tensorsmith: String,
    pub command: String,
    pub unit: String,
    pub module: String,
    pub statement: String,
    /// "proved", "refuted" where an output differs, "stage-differs" where only a signal inside does, or "unknown"; proved only
    /// where the clocked wrapper only delays, too.
    pub verdict: String,
    /// Why it is unknown, what the wrapper does, or what is known of the outputs where a signal inside differs.
    pub reason: Option<String>,
    pub witness: Option<RtlWitness>,
    /// What it was proved of, and with what.
    pub sources: Vec<Source>,
    pub netlist_sha256: String,
    pub yosys: String,
    pub obligations: Vec<ObligationReport>,
    pub composition: Composition,
    pub registered: Registered,
    pub seconds: f64,
    /// Whether it was proved before, of the same files by the same program.
    pub cached: bool,
    /// What the verdict rests on beside the proof itself.
    #[serde(default)]
    pub rests_on: Vec<String>,
    /// The files of a folder in simulators; of emitted files that is the work of `cosim`.
    #[serde(default)]
    pub simulated: Vec<SimulatedReport>,
}

/// Files that were proved, in a simulator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulatedReport {
    /// "verilator" or "icarus".
    pub simulator: String,
    /// The combinational module or its clocked wrapper.
    pub module: String,
    pub version: Option<String>,
    /// Vectors that it answered as the emulator does, up to the first that it did not.
    pub vectors: u64,
    /// Of the shaped vectors.
    pub seed: u64,
    /// "agrees", "differs", "fails: ..." or "skipped, because ...".
    pub outcome: String,
    /// The vector on which it differs, and both answers as they are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operands: Option<OperandReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emulator: Option<String>,
}

/// Where netlist and text part; encodings in hexadecimal.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RtlWitness {
    pub operands: OperandReport,
    /// The first named signal that differs, and its number on both sides.
    pub signal: String,
    pub netlist: String,
    pub emulator: String,
    pub netlist_result: String,
    pub emulator_result: String,
    /// Other engines: name, and the answer or why there is none.
    pub answers: Vec<(String, String)>,
}

/// One statement and what became of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObligationReport {
    pub name: String,
    pub kind: StepKind,
    /// "proved", "fails" or "unknown".
    pub verdict: String,
    /// The method, the values for which it fails, or why it is unknown.
    pub how: String,
    pub inputs: usize,
    pub nodes: usize,
    pub cells: usize,
    pub uses: Vec<String>,
    pub seconds: f64,
    /// Whether an earlier run answered it.
    pub kept: bool,
    pub same_as: Option<String>,
}

const STATEMENT: &str = "for all operands, every named signal and every output of the netlist has the number that the \
                         datapath text gives it";

impl RtlReport {
    pub fn of(unit: &Unit, proved: &UnitProof, seconds: f64) -> RtlReport {
        let UnitProof { proof, registered, sources, netlist_sha256, yosys, answers } = proved;
        let (verdict, reason, witness) = match (&proof.verdict, registered.unread.as_ref().or(registered.gaps.first()))
        {
            (Verdict::Refuted(witness), _) => ("refuted", None, Some(RtlWitness::of(witness, answers))),
            (Verdict::StageDiffers { witness, outputs_equal }, _) => {
                ("stage-differs", Some(stage_differs(*outputs_equal)), Some(RtlWitness::of(witness, answers)))
            }
            (Verdict::Unknown(reason), _) => ("unknown", Some(reason.clone()), None),
            (Verdict::Proved, Some(gap)) => ("unknown", Some(format!("{}: {gap}", registered.module)), None),
            (Verdict::Proved, None) => ("proved", None, None),
        };
        RtlReport {
            tensorsmith: VERSION.to_owned(),
            command: "prove".to_owned(),
            unit: unit.name.clone(),
            module: unit.module_name(),
            statement: STATEMENT.to_owned(),
            verdict: verdict.to_owned(),
            reason,
            witness,
            sources: certificate::sources(sources),
            netlist_sha256: netlist_sha256.clone(),
            yosys: yosys.clone(),
            obligations: proof.obligations.iter().map(ObligationReport::of).collect(),
            composition: proof.composition.clone(),
            registered: registered.clone(),
            seconds,
            cached: false,
            rests_on: vec![format!("the files as {yosys} reads them")],
            simulated: Vec::new(),
        }
    }

    /// Adds what simulators make of files in which no construct was found that tools are known to read differently. Where one
    /// differs, the files are refuted.
    pub fn simulated(self, simulated: &[Simulated]) -> RtlReport {
        let simulated: Vec<SimulatedReport> = simulated.iter().map(SimulatedReport::of).collect();
        let mut rests_on = self.rests_on;
        rests_on.push("no construct in them that tools are known to read differently".to_owned());
        rests_on.extend(simulated.iter().map(SimulatedReport::line));
        let (verdict, reason) = match simulated.iter().find(|one| one.operands.is_some()) {
            Some(other) => {
                let what = format!("yosys reads the files as the unit, {} runs them otherwise", other.simulator);
                ("refuted".to_owned(), Some(format!("{what}: {}", other.line())))
            }
            None => (self.verdict, self.reason),
        };
        RtlReport { verdict, reason, rests_on, simulated, ..self }
    }

    pub fn is_proved(&self) -> bool {
        self.verdict == "proved"
    }
}

/// What is known of the outputs where a signal inside differs.
fn stage_differs(outputs_equal: bool) -> String {
    match outputs_equal {
        true => "a signal inside differs, and no output for any operands".to_owned(),
        false => "a signal inside differs, and an output on no vector that was found".to_owned(),
    }
}

impl RtlWitness {
    fn of(witness: &Witness, answers: &[Answered]) -> RtlWitness {
        let hex = |bits: u64| format!("{bits:#x}");
        let answer = |answer: &Result<u64, String>| match answer {
            Ok(bits) => hex(*bits),
            Err(reason) => format!("skipped, because {reason}"),
        };
        RtlWitness {
            operands: OperandReport::of(&witness.vector),
            signal: witness.signal.clone(),
            netlist: witness.netlist.clone(),
            emulator: witness.emulator.clone(),
            netlist_result: hex(witness.netlist_result),
            emulator_result: hex(witness.emulator_result),
            answers: answers.iter().map(|(engine, given)| ((*engine).to_owned(), answer(given))).collect(),
        }
    }
}

impl SimulatedReport {
    pub(super) fn of(simulated: &Simulated) -> SimulatedReport {
        let none = SimulatedReport {
            simulator: simulated.simulator.to_owned(),
            module: simulated.module.clone(),
            version: None,
            vectors: 0,
            seed: SEED,
            outcome: "agrees".to_owned(),
            operands: None,
            answer: None,
            emulator: None,
        };
        match &simulated.simulation {
            Simulation::Agrees { version, vectors } => {
                SimulatedReport { version: Some(version.clone()), vectors: *vectors, ..none }
            }
            Simulation::Differs { version, index, vector, answer, emulator } => SimulatedReport {
                version: Some(version.clone()),
                vectors: *index,
                outcome: "differs".to_owned(),
                operands: Some(OperandReport::of(vector)),
                answer: Some(answer.clone()),
                emulator: Some(emulator.clone()),
                ..none
            },
            Simulation::Fails { version, why } => {
                SimulatedReport { version: Some(version.clone()), outcome: format!("fails: {why}"), ..none }
            }
            Simulation::Skipped(reason) => SimulatedReport { outcome: format!("skipped, because {reason}"), ..none },
        }
    }

    /// In one line.
    pub(super) fn line(&self) -> String {
        let SimulatedReport { simulator, module, vectors, seed, outcome, .. } = self;
        match (&self.operands, &self.answer, &self.emulator) {
            (Some(operands), Some(answer), Some(emulator)) => format!(
                "{module} returns {answer} in {simulator} and {emulator} in the emulator, on vector {vectors} of seed {seed}: {}",
                operands.line()
            ),
            _ if *vectors > 0 => {
                format!(
                    "{module} in {simulator}: {vectors} shaped vectors of seed {seed}, each with the emulator's result"
                )
            }
            _ => format!("{module} in {simulator}: {outcome}"),
        }
    }
}

impl ObligationReport {
    fn of(obligation: &Obligation) -> ObligationReport {
        let (verdict, how) = match &obligation.outcome {
            Outcome::Proved(method) => ("proved", method.name()),
            Outcome::Fails(values) => ("fails", values.as_str()),
            Outcome::Unknown(reason) => ("unknown", reason.as_str()),
        };
        ObligationReport {
            name: obligation.name.clone(),
            kind: obligation.kind,
            verdict: verdict.to_owned(),
            how: how.to_owned(),
            inputs: obligation.inputs,
            nodes: obligation.nodes,
            cells: obligation.cells.len(),
            uses: obligation.uses.iter().cloned().collect(),
            seconds: obligation.seconds,
            kept: obligation.kept,
            same_as: obligation.same_as.clone(),
        }
    }
}
