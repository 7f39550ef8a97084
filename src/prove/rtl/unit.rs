//! A unit's emitted SystemVerilog: read by Yosys, proved against the text, and its clocked wrapper compared with it.

use std::time::Duration;

use thiserror::Error;

use super::problem::pair;
use super::registers::{Registered, check};
use super::run::{RtlProof, Verdict, prove};
use crate::describe::subject::Subject;
use crate::describe::unit::Unit;
use crate::emit::{self, EmitError, SourceFile};
use crate::engine::{Batch, Kind, Opened};
use crate::prove::netlist::{self, Netlist, NetlistError};

/// What was proved of the files that are emitted for a unit.
#[derive(Debug, Clone)]
pub struct UnitProof {
    pub proof: RtlProof,
    pub registered: Registered,
    /// Leaves and core.
    pub sources: Vec<SourceFile>,
    /// Of what Yosys wrote of them.
    pub netlist_sha256: String,
    pub yosys: String,
    /// What other engines answer where the verdict is refuted.
    pub answers: Vec<Answered>,
}

/// The name of an engine, and its answer or why there is none.
pub type Answered = (&'static str, Result<u64, String>);

/// Why nothing was proved.
#[derive(Debug, Error)]
pub enum UnitProofError {
    #[error(transparent)]
    Netlist(#[from] NetlistError),
    #[error(transparent)]
    Emit(#[from] EmitError),
    #[error("{0}")]
    Pairing(String),
}

/// Proves what is emitted for a unit. `progress` is told how many questions of how many are answered.
///
/// # Errors
/// Yosys is missing or refuses the files, or netlist and text do not have the same signals.
pub fn prove_unit(
    unit: &Unit,
    limit: Duration,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<UnitProof, UnitProofError> {
    let yosys = netlist::version()?;
    let sources = emit::combinational(unit)?;
    let core = netlist::read(&unit.module_name(), &sources)?;
    let registered = registered(unit, &sources, &core)?;
    let netlist_sha256 = core.sha256.clone();
    let problem = pair(unit, core).map_err(UnitProofError::Pairing)?;
    let proof = prove(unit, &problem, limit, progress);
    let answers = answers(unit, &proof);
    Ok(UnitProof { proof, registered, sources, netlist_sha256, yosys, answers })
}

fn registered(unit: &Unit, files: &[SourceFile], core: &Netlist) -> Result<Registered, UnitProofError> {
    let wrapper = emit::registered(unit)?;
    let module = wrapper.name.trim_end_matches(".sv").to_owned();
    let mut files = files.to_vec();
    files.push(wrapper);
    let netlist = netlist::read(&module, &files)?;
    Ok(check(&module, &netlist, core))
}

/// What the definition and Verilator's model of the unit answer to a witness. An engine that fails refutes no less.
fn answers(unit: &Unit, proof: &RtlProof) -> Vec<Answered> {
    let Verdict::Refuted(witness) = &proof.verdict else { return Vec::new() };
    let subject = Subject::from(unit.clone());
    let answer = |kind: Kind| match kind.open_subject(&subject).map_err(|error| error.to_string())? {
        Opened::Ready(mut engine) => {
            let mut results = Vec::new();
            engine.run(&Batch::of(&witness.vector), &mut results).map_err(|error| error.to_string())?;
            Ok(results[0])
        }
        Opened::Unsupported(reason) => Err(reason),
    };
    [Kind::Reference, Kind::Rtl].map(|kind| (kind.name(), answer(kind))).into()
}
