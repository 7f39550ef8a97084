//! What was proved of a design of a user's own.

use serde::Serialize;

use super::VERSION;
use super::operands::OperandReport;
use super::rtl_proof::SimulatedReport;
use crate::describe::unit::Unit;
use crate::design::Design;
use crate::prove::certificate::{self, Source};
use crate::prove::design::{DesignProof, Refuted, Verdict};
use crate::prove::netlist::Frontend;
use crate::prove::rtl::Outcome;
use crate::prove::sat::Found;

/// The proof of one design.
#[derive(Debug, Clone, Serialize)]
pub struct DesignProofReport {
    pub tensorsmith: String,
    pub command: String,
    /// Its name, its file and its module.
    pub design: String,
    pub file: String,
    pub top: String,
    pub unit: String,
    pub statement: String,
    /// "proved", "refuted" or "unknown".
    pub verdict: String,
    /// Why it is unknown, such as the bits that stayed open, or what a simulator runs otherwise.
    pub reason: Option<String>,
    pub witness: Option<DesignWitness>,
    /// Clocks from operands to result.
    pub latency: u32,
    pub register_bits: usize,
    pub cells: usize,
    pub claims: usize,
    pub claims_proved: usize,
    /// Sums of the text that the design computes too, by their adders.
    pub sums: usize,
    /// Nodes of the graph of both sides, and those that were proved to equal others.
    pub nodes: usize,
    pub equal_nodes: usize,
    pub conflicts: u64,
    /// Steps of the proof that was checked.
    pub proof_steps: usize,
    /// Bits of the result; none where a vector was found before.
    pub bits: Vec<BitReport>,
    /// What simulators made of a design that is proved.
    pub simulated: Vec<SimulatedReport>,
    /// The design's files, and what Yosys made of them.
    pub sources: Vec<Source>,
    pub netlist_sha256: String,
    pub yosys: String,
    pub rests_on: Vec<String>,
    pub seconds: f64,
}

/// A bit of the result.
#[derive(Debug, Clone, Serialize)]
pub struct BitReport {
    pub name: String,
    /// "proved", "refuted" or "unknown".
    pub verdict: &'static str,
    /// Why it is unknown.
    pub reason: Option<String>,
}

/// A vector for which the design has another result; encodings in hexadecimal.
#[derive(Debug, Clone, Serialize)]
pub struct DesignWitness {
    pub operands: OperandReport,
    /// Its result, or why it has none.
    pub design: String,
    pub emulator: String,
    /// The definition's answer, or why there is none.
    pub reference: String,
}

impl DesignProofReport {
    pub fn of(unit: &Unit, design: &Design, proof: &DesignProof, seconds: f64) -> DesignProofReport {
        let (verdict, reason, witness) = match &proof.verdict {
            Verdict::Proved => ("proved", None, None),
            Verdict::Refuted(refuted) => ("refuted", None, Some(DesignWitness::of(refuted))),
            Verdict::Contradicted(why) => ("refuted", Some(why.clone()), None),
            Verdict::Unknown(why) => ("unknown", Some(why.clone()), None),
        };
        let is_proved = |claim: &&crate::prove::rtl::Obligation| matches!(claim.outcome, Outcome::Proved(_));
        DesignProofReport {
            tensorsmith: VERSION.to_owned(),
            command: "prove".to_owned(),
            design: design.said.name.clone(),
            file: design.file.clone(),
            top: design.said.top.clone(),
            unit: unit.name.clone(),
            statement: format!(
                "for all operands, the result is that of the datapath model{}, {}",
                if proof.control.is_empty() {
                    String::new()
                } else {
                    format!(" and {} is right", proof.control.join(" and "))
                },
                proof.setting.sentence()
            ),
            verdict: verdict.to_owned(),
            reason,
            witness,
            latency: proof.latency,
            register_bits: proof.register_bits,
            cells: proof.cells,
            claims: proof.claims.len(),
            claims_proved: proof.claims.iter().filter(is_proved).count(),
            sums: proof.numbers,
            nodes: proof.nodes,
            equal_nodes: proof.equal,
            conflicts: proof.conflicts,
            proof_steps: proof.refutation.as_ref().map_or(0, |refutation| refutation.proof.steps.len()),
            bits: proof.bits.iter().map(|(name, found)| BitReport::of(name, found)).collect(),
            simulated: proof.simulated.iter().map(SimulatedReport::of).collect(),
            sources: certificate::sources(&proof.sources),
            netlist_sha256: proof.netlist_sha256.clone(),
            yosys: proof.yosys.clone(),
            rests_on: rests_on(proof),
            seconds,
        }
    }

    pub fn is_proved(&self) -> bool {
        self.verdict == "proved"
    }
}

/// What is believed beside the proof that was checked.
fn rests_on(proof: &DesignProof) -> Vec<String> {
    let mut rests = vec![format!("the files as read by {} ({})", proof.frontend.name(), proof.yosys)];
    match proof.numbers {
        0 => {}
        1 => rests.push("one sum of the text, whose bits the design has by the weights of their adders".to_owned()),
        many => {
            rests.push(format!("{many} sums of the text, whose bits the design has by the weights of their adders"))
        }
    }
    if !matches!(proof.frontend, Frontend::Vhdl) {
        rests.push("no construct in them that tools are known to read differently".to_owned());
    }
    rests.extend(proof.simulated.iter().map(|one| SimulatedReport::of(one).line()));
    rests
}

impl BitReport {
    fn of(name: &str, found: &Found) -> BitReport {
        let (verdict, reason) = match found {
            Found::Never => ("proved", None),
            Found::Holds(_) => ("refuted", None),
            Found::Unknown(why) => ("unknown", Some(why.clone())),
        };
        BitReport { name: name.to_owned(), verdict, reason }
    }
}

impl DesignWitness {
    fn of(refuted: &Refuted) -> DesignWitness {
        let hex = |bits: u64| format!("{bits:#x}");
        DesignWitness {
            operands: OperandReport::of(&refuted.vector),
            design: refuted.design.clone().map_or_else(|why| format!("none: {why}"), hex),
            emulator: hex(refuted.emulator),
            reference: refuted.reference.clone().map_or_else(|why| format!("skipped, because {why}"), hex),
        }
    }
}
