//! Certificates: the clauses and the LRAT proof of every question that search answered, and a manifest that says which
//! netlist they belong to.
//!
//! A certificate covers its clauses. That they are the netlist's is checked by making them again.

mod check;
mod manifest;
mod write;

pub use crate::emit::digest;
pub use check::{Checked, check};
pub use manifest::{Certified, Manifest, Source, sources};
pub use write::write;

use thiserror::Error;

/// Why certificates were not written or not accepted.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum CertificateError {
    #[error("{path}: {what}")]
    File { path: String, what: String },
    #[error("manifest.json: {0}")]
    Manifest(String),
}
