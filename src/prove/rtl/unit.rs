//! A unit's SystemVerilog, emitted or given: read by Yosys, proved against the text, and its clocked wrapper compared with it.

use std::path::{Path, PathBuf};
use std::time::Instant;

use thiserror::Error;

use super::composition::Composition;
use super::delays::{check_wrapper, combinational};
use super::discharge::Means;
use super::problem::pair;
use super::registers::{Registered, check};
use super::run::{Progress, prove};
use super::verdict::{RtlProof, Verdict};
use crate::describe::subject::Subject;
use crate::describe::text::Foreign;
use crate::describe::unit::Unit;
use crate::emit::{self, EmitError, SourceFile, limited};
use crate::engine::{Batch, Kind, Opened};
use crate::prove::netlist::{self, NetlistError};
use crate::prove::reading::{self, Objection, ReadingError};

/// A unit's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// Leaves and core.
    pub core: Vec<SourceFile>,
    /// The clocked wrapper.
    pub wrapper: SourceFile,
}

impl Files {
    /// The files that are emitted for a unit.
    ///
    /// # Errors
    /// The unit cannot be emitted.
    pub fn emitted(unit: &Unit) -> Result<Files, EmitError> {
        Ok(Files { core: emit::module(unit)?, wrapper: emit::registered(unit)? })
    }

    /// All SystemVerilog files of a folder: the wrapper has the name that its emitted counterpart has.
    ///
    /// # Errors
    /// A file cannot be read, tools read it differently, or there is no wrapper.
    pub fn read(unit: &Unit, folder: &Path) -> Result<Files, UnitProofError> {
        let failed =
            |path: &Path, what: &dyn std::fmt::Display| UnitProofError::Files(format!("{}: {what}", path.shown()));
        let unreadable = |error: std::io::Error| failed(folder, &error);
        if folder.exists() && !folder.is_dir() {
            return Err(failed(folder, &"is no folder"));
        }
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            paths.push(entry.map_err(unreadable)?.path());
        }
        // The test that is emitted beside them is for simulators.
        let test = format!("{}_test.sv", unit.module_name());
        let is_test = |path: &Path| path.file_name().is_some_and(|name| name == test.as_str());
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "sv") && !is_test(path));
        paths.sort_unstable();
        let file = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            // Names stand in a script of Yosys.
            let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
            if name.starts_with('-') || !name.chars().all(is_plain) {
                return Err(failed(
                    path,
                    &"the file's name; allowed: letters, digits, `_`, `.` and `-`, which is not first",
                ));
            }
            if !path.is_file() {
                return Err(failed(path, &"is no plain file"));
            }
            let text = std::fs::read_to_string(path).map_err(|error| failed(path, &error))?;
            Ok(SourceFile { name, text })
        };
        let mut core = paths.iter().map(file).collect::<Result<Vec<_>, UnitProofError>>()?;
        let name = emit::registered(unit)?.name;
        let place = core.iter().position(|file| file.name == name);
        let wrapper = core.remove(place.ok_or_else(|| failed(folder, &format!("there is no file {name}")))?);
        let files = Files { core, wrapper };
        match files.objections()?.first() {
            Some(objection) => {
                let file = folder.join(&objection.file).shown();
                Err(UnitProofError::Files(Objection { file, ..objection.clone() }.to_string()))
            }
            None => Ok(files),
        }
    }

    /// What tools read differently in these files.
    ///
    /// # Errors
    /// slang is missing or fails.
    pub fn objections(&self) -> Result<Vec<Objection>, UnitProofError> {
        let files: Vec<SourceFile> = self.core.iter().chain([&self.wrapper]).cloned().collect();
        let top = self.wrapper.name.trim_end_matches(".sv");
        let request = reading::Request { files: &files, top, include: &[], defines: &[], alone: true };
        Ok(reading::objections(request, limited::LIMIT)?)
    }

    /// Whether these are the files that are emitted for the unit.
    fn are_emitted(&self, unit: &Unit) -> bool {
        let same = |emitted: Files| {
            let core =
                self.core.len() == emitted.core.len() && self.core.iter().all(|file| emitted.core.contains(file));
            core && self.wrapper == emitted.wrapper
        };
        Files::emitted(unit).is_ok_and(same)
    }
}

/// What was proved of a unit's files.
#[derive(Debug, Clone)]
pub struct UnitProof {
    pub proof: RtlProof,
    pub registered: Registered,
    /// Leaves and core.
    pub sources: Vec<SourceFile>,
    /// Of what Yosys wrote of them; empty where it wrote nothing in time.
    pub netlist_sha256: String,
    pub yosys: String,
    /// What other engines answer to a witness.
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
    #[error(transparent)]
    Reading(#[from] ReadingError),
    #[error("{0}")]
    Pairing(String),
    #[error("{0}")]
    Files(String),
}

/// Proves a unit's files as Yosys reads them; whether others read them alike is asked by `Files::read` and `simulate`. `progress`
/// is told whenever a question is answered.
///
/// # Errors
/// Yosys is missing or refuses the files, or netlist and text do not have the same signals.
pub fn prove_unit(
    unit: &Unit,
    files: &Files,
    means: &Means,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<UnitProof, UnitProofError> {
    let yosys = netlist::version()?;
    let module = files.wrapper.name.trim_end_matches(".sv");
    let with_wrapper = [&files.core[..], std::slice::from_ref(&files.wrapper)].concat();
    let read = |top: &str, files: &[SourceFile]| {
        netlist::read(top, files, means.deadline.saturating_duration_since(Instant::now()))
    };
    let netlists = read(&unit.module_name(), &files.core)
        .and_then(|core| read(module, &with_wrapper).map(|wrapper| (core, wrapper)));
    let (core, wrapper) = match netlists {
        // Yosys had what was left of it.
        Err(NetlistError::Slow(_)) => {
            let slow = NetlistError::Slow(means.limit);
            return Ok(unread(files, yosys, module, &slow.to_string()));
        }
        netlists => netlists?,
    };
    let netlist_sha256 = core.sha256.clone();
    let (core, registered) = match unit.build.cuts.is_empty() {
        true => {
            let registered = check(module, &wrapper, &core);
            (core, registered)
        }
        false => {
            let (core, inside) = combinational(&unit.module_name(), core, unit.latency());
            let mut registered = check_wrapper(module, wrapper, &core, unit.latency());
            let of_core = |gap| format!("{}: {gap}", unit.module_name());
            registered.gaps.splice(..0, inside.gaps.into_iter().map(of_core));
            (core, registered)
        }
    };
    let problem = pair(&unit.combinational(), core).map_err(UnitProofError::Pairing)?;
    let proof = prove(&unit.combinational(), &problem, means, progress);
    let answers = answers(unit, files, &proof);
    Ok(UnitProof { proof, registered, sources: files.core.clone(), netlist_sha256, yosys, answers })
}

/// Nothing is known of files that Yosys has not read in time.
fn unread(files: &Files, yosys: String, module: &str, why: &str) -> UnitProof {
    let gaps = vec![why.to_owned()];
    let composition = Composition { gaps, cells: 0, unused_cells: 0 };
    let verdict = Verdict::Unknown(why.to_owned());
    UnitProof {
        proof: RtlProof { verdict, obligations: Vec::new(), composition },
        registered: Registered::unread(module, why),
        sources: files.core.clone(),
        netlist_sha256: String::new(),
        yosys,
        answers: Vec::new(),
    }
}

/// What the definition answers to a witness, and Verilator's model where the files are those that it was built of. An engine
/// that fails refutes no less.
fn answers(unit: &Unit, files: &Files, proof: &RtlProof) -> Vec<Answered> {
    let (Verdict::Refuted(witness) | Verdict::StageDiffers { witness, .. }) = &proof.verdict else { return Vec::new() };
    let subject = Subject::from(unit.clone());
    let answer = |kind: Kind| match kind.open_subject(&subject).map_err(|error| error.to_string())? {
        Opened::Ready(mut engine) => {
            let results = engine.answers(&Batch::of(&witness.vector)).map_err(|error| error.to_string())?;
            Ok(results[0])
        }
        Opened::Absent(reason) => Err(reason.to_string()),
    };
    let kinds: &[Kind] = if files.are_emitted(unit) { &[Kind::Reference, Kind::Rtl] } else { &[Kind::Reference] };
    kinds.iter().map(|&kind| (kind.name(), answer(kind))).collect()
}
