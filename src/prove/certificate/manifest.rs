//! The manifest of a folder of certificates.

use serde::{Deserialize, Serialize};

use crate::emit::{SourceFile, digest};

/// A file that a netlist was read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    pub name: String,
    pub sha256: String,
}

/// A question that search answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certified {
    /// The obligation that asked it, and those that asked the same.
    pub obligation: String,
    pub also: Vec<String>,
    pub cnf: String,
    pub cnf_sha256: String,
    pub proof: String,
    pub proof_sha256: String,
    pub clauses: usize,
    pub steps: usize,
}

/// What a folder of certificates belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub format: u32,
    pub tensorsmith: String,
    pub yosys: String,
    /// The unit's description, as a unit file.
    pub unit: String,
    pub module: String,
    pub sources: Vec<Source>,
    /// Of what Yosys wrote.
    pub netlist_sha256: String,
    pub certificates: Vec<Certified>,
    /// Of obligations that were answered otherwise, with how: these have no certificate.
    pub others: Vec<(String, String)>,
    /// Of this manifest with this field empty.
    pub sha256: String,
}

/// Version of the manifest.
pub(super) const FORMAT: u32 = 1;

/// The hashes of files.
pub fn sources(files: &[SourceFile]) -> Vec<Source> {
    let source = |file: &SourceFile| Source { name: file.name.clone(), sha256: digest(file.text.as_bytes()) };
    files.iter().map(source).collect()
}

impl Manifest {
    /// The hash of everything but itself.
    pub(super) fn own_digest(&self) -> String {
        let bare = Manifest { sha256: String::new(), ..self.clone() };
        digest(serde_json::to_string(&bare).unwrap_or_default().as_bytes())
    }
}
