//! Writes a folder of certificates.

use std::collections::HashMap;
use std::path::Path;

use super::CertificateError;
use super::manifest::{Certified, FORMAT, Manifest, sources};
use crate::describe::unit::Unit;
use crate::emit::{self, SourceFile, digest};
use crate::prove::rtl::{Obligation, Outcome};

/// Writes clauses, proofs and manifest of a unit's obligations into a folder, which is created if need be. The manifest is
/// written last.
///
/// # Errors
/// A file cannot be written.
pub fn write(
    folder: &Path,
    unit: &Unit,
    files: &[SourceFile],
    [yosys, netlist_sha256]: [String; 2],
    obligations: &[Obligation],
) -> Result<Manifest, CertificateError> {
    let mut also: HashMap<&str, Vec<String>> = HashMap::new();
    for obligation in obligations {
        if let Some(first) = &obligation.same_as {
            also.entry(first).or_default().push(obligation.name.clone());
        }
    }
    let mut written = Vec::new();
    let mut certificates = Vec::new();
    for (obligation, refutation) in
        obligations.iter().filter_map(|obligation| obligation.refutation.as_ref().map(|found| (obligation, found)))
    {
        let stem = format!("{:04}", certificates.len());
        let (cnf, proof) = (refutation.cnf.to_dimacs(), refutation.proof.to_text());
        certificates.push(Certified {
            obligation: obligation.name.clone(),
            also: also.get(obligation.name.as_str()).cloned().unwrap_or_default(),
            cnf: format!("{stem}.cnf"),
            cnf_sha256: digest(cnf.as_bytes()),
            proof: format!("{stem}.lrat"),
            proof_sha256: digest(proof.as_bytes()),
            clauses: refutation.cnf.clauses.len(),
            steps: refutation.proof.steps.len(),
        });
        written.push(SourceFile { name: format!("{stem}.cnf"), text: cnf });
        written.push(SourceFile { name: format!("{stem}.lrat"), text: proof });
    }
    let otherwise =
        |obligation: &&Obligation| !matches!(obligation.outcome, Outcome::Proved(method) if method.is_search());
    let how = |obligation: &Obligation| match &obligation.outcome {
        Outcome::Proved(method) => method.name().to_owned(),
        Outcome::Fails(_) => "fails".to_owned(),
        Outcome::Unknown(reason) => format!("unknown: {reason}"),
    };
    let mut manifest = Manifest {
        format: FORMAT,
        tensorsmith: env!("CARGO_PKG_VERSION").to_owned(),
        yosys,
        unit: unit.to_toml(),
        module: unit.module_name(),
        sources: sources(files),
        netlist_sha256,
        certificates,
        others: obligations
            .iter()
            .filter(otherwise)
            .map(|obligation| (obligation.name.clone(), how(obligation)))
            .collect(),
        sha256: String::new(),
    };
    manifest.sha256 = manifest.own_digest();
    let failed = |error: emit::EmitError| CertificateError::Manifest(error.to_string());
    emit::write(folder, &written).map_err(failed)?;
    let text =
        serde_json::to_string_pretty(&manifest).map_err(|error| CertificateError::Manifest(error.to_string()))?;
    emit::write(folder, &[SourceFile { name: "manifest.json".to_owned(), text }]).map_err(failed)?;
    Ok(manifest)
}
