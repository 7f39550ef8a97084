//! Checks a folder of certificates: hashes, clauses, proofs, and whether the clauses are those of the netlist.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use super::CertificateError;
use super::manifest::{Certified, FORMAT, Manifest, sources};
use crate::describe::file::open;
use crate::describe::text::Foreign;
use crate::describe::unit::Unit;
use crate::emit::{self, SourceFile, digest};
use crate::prove::aig::Cnf;
use crate::prove::netlist::{self, NetlistError};
use crate::prove::rtl::{self, Means, Method};
use crate::prove::sat::lrat::{self, Proof};

/// What was checked.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Checked {
    pub unit: String,
    pub module: String,
    pub netlist_sha256: String,
    /// Proofs that were accepted.
    pub proofs: usize,
    pub clauses: usize,
    pub steps: usize,
    /// Obligations that the proofs settle, equal questions counted each.
    pub obligations: usize,
    /// Obligations without a certificate: answered without search.
    pub others: usize,
    /// Whether the clauses were made again from the netlist and were the same; else why that was not done.
    pub remade: Result<(), String>,
}

/// Checks every certificate of a folder. Reading the netlist and making the clauses again may take as long as `limit`.
///
/// # Errors
/// A file is missing or was changed, a proof does not hold, or the clauses are not those of the netlist.
pub fn check(folder: &Path, limit: Duration) -> Result<Checked, CertificateError> {
    let text = read(folder, "manifest.json")?;
    let manifest: Manifest =
        serde_json::from_str(&text).map_err(|error| CertificateError::Manifest(error.to_string()))?;
    let refused = |what: &str| CertificateError::Manifest(what.to_owned());
    if manifest.format != FORMAT {
        return Err(CertificateError::Manifest(format!("format: {}; allowed: {FORMAT}", manifest.format)));
    }
    if manifest.own_digest() != manifest.sha256 {
        return Err(refused("sha256: it was changed after it was written"));
    }
    let unit = Unit::from_toml("manifest.json", &manifest.unit)
        .map_err(|error| CertificateError::Manifest(format!("unit: {error}")))?;
    let files = emit::module(&unit).map_err(|error| CertificateError::Manifest(error.to_string()))?;
    if sources(&files) != manifest.sources || unit.module_name() != manifest.module {
        return Err(refused("sources: they are not the files that this program emits for the unit"));
    }
    let methods = Method::ALL.map(Method::name);
    if let Some((name, how)) = manifest.others.iter().find(|(_, how)| !methods.contains(&how.as_str())) {
        return Err(CertificateError::Manifest(format!("others: {name}: {how}; allowed: {}", methods.join(", "))));
    }
    for certified in &manifest.certificates {
        proof_holds(folder, certified)?;
    }
    let remade = remake(folder, &manifest, (&unit, &files), limit)?;
    let certificates = &manifest.certificates;
    Ok(Checked {
        unit: unit.name.clone(),
        proofs: certificates.len(),
        clauses: certificates.iter().map(|certified| certified.clauses).sum(),
        steps: certificates.iter().map(|certified| certified.steps).sum(),
        obligations: certificates.iter().map(|certified| 1 + certified.also.len()).sum(),
        others: manifest.others.len(),
        module: manifest.module,
        netlist_sha256: manifest.netlist_sha256,
        remade,
    })
}

fn read(folder: &Path, name: &str) -> Result<String, CertificateError> {
    let path = folder.join(name);
    let failed =
        |error: std::io::Error| CertificateError::File { path: path.shown(), what: format!("cannot be read: {error}") };
    open(&path).and_then(std::io::read_to_string).map_err(failed)
}

fn proof_holds(folder: &Path, certified: &Certified) -> Result<(), CertificateError> {
    let wrong = |file: &str, what: String| CertificateError::File { path: folder.join(file).shown(), what };
    let unchanged = |file: &str, expected: &str| {
        let text = read(folder, file)?;
        match digest(text.as_bytes()) == expected {
            true => Ok(text),
            false => Err(wrong(file, "it is not the file that the manifest names: the hashes differ".to_owned())),
        }
    };
    let cnf = unchanged(&certified.cnf, &certified.cnf_sha256)?;
    let proof = unchanged(&certified.proof, &certified.proof_sha256)?;
    let cnf = Cnf::from_dimacs(&cnf).map_err(|what| wrong(&certified.cnf, what))?;
    let proof = Proof::parse(&proof).map_err(|what| wrong(&certified.proof, what))?;
    if (cnf.clauses.len(), proof.steps.len()) != (certified.clauses, certified.steps) {
        return Err(wrong(&certified.cnf, "the manifest counts other clauses or steps".to_owned()));
    }
    lrat::check(&cnf, &proof).map_err(|what| wrong(&certified.proof, what))
}

/// Every obligation that a manifest lists.
fn names(manifest: &Manifest) -> impl Iterator<Item = &String> {
    let certified = manifest.certificates.iter().flat_map(|one| one.also.iter().chain([&one.obligation]));
    certified.chain(manifest.others.iter().map(|(name, _)| name))
}

/// Makes the clauses again from the netlist and compares them. Without Yosys, with another version, or
/// without time, they are not made.
fn remake(
    folder: &Path,
    manifest: &Manifest,
    (unit, files): (&Unit, &[SourceFile]),
    limit: Duration,
) -> Result<Result<(), String>, CertificateError> {
    let means = Means::within(limit);
    let version = match netlist::version() {
        Ok(version) => version,
        Err(error) => return Ok(Err(error.to_string())),
    };
    if version != manifest.yosys {
        return Ok(Err(format!("this is {version}, the netlist was read by {}", manifest.yosys)));
    }
    let wrong = |what: String| CertificateError::Manifest(what);
    let netlist = match netlist::read(&manifest.module, files, limit) {
        Err(slow @ NetlistError::Slow(_)) => return Ok(Err(slow.to_string())),
        read => read.map_err(|error| wrong(error.to_string()))?,
    };
    if netlist.sha256 != manifest.netlist_sha256 {
        return Err(wrong("netlist_sha256: Yosys reads another netlist".to_owned()));
    }
    let netlist = match unit.build.cuts.is_empty() {
        true => netlist,
        false => {
            let (core, inside) = rtl::combinational(&unit.module_name(), netlist, unit.latency());
            if let Some(gap) = inside.gaps.first() {
                return Err(wrong(format!("registers do more than delay: {gap}")));
            }
            core
        }
    };
    let problem = rtl::pair(&unit.combinational(), netlist).map_err(wrong)?;
    let clauses: HashMap<String, Option<Cnf>> = rtl::clauses(&problem, &means).into_iter().collect();
    if Instant::now() > means.deadline {
        return Ok(Err(format!("they take longer than {} seconds", limit.as_secs())));
    }
    let mut listed: Vec<&String> = names(manifest).collect();
    listed.sort_unstable();
    let mut all: Vec<&String> = clauses.keys().collect();
    all.sort_unstable();
    if listed != all {
        return Err(wrong("obligations: they are not those of the netlist, each once".to_owned()));
    }
    for certified in &manifest.certificates {
        let written = read(folder, &certified.cnf)?;
        for name in certified.also.iter().chain([&certified.obligation]) {
            if clauses.get(name).and_then(Option::as_ref).map(Cnf::to_dimacs).as_ref() != Some(&written) {
                let what = format!("the clauses are not those of {name} in the netlist");
                return Err(CertificateError::File { path: folder.join(&certified.cnf).shown(), what });
            }
        }
    }
    Ok(Ok(()))
}
