//! What is found out of units: inference, feature tests, proofs, published studies.

mod distinguish;
mod infer;
mod probes;
mod prove;
mod prove_rtl;
mod published;
mod support;
