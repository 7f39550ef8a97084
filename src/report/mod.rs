//! What do we know? Outcomes as text for people, JSON, JUnit XML and annotations.
//!
//! The JSON is documented in `SCHEMA.md` beside this file.

#![doc = include_str!("SCHEMA.md")]

mod compare;
mod cosim;
mod datapath;
mod devices;
mod grid;
mod junit;
mod number;
mod operands;
mod page;
mod proof;
mod published;
mod replay;
mod rtl_proof;
pub mod speed;
mod steps;
mod summary;
mod svg;
mod trace;
mod window;

pub use compare::{ComparedUnit, Comparison, Named};
pub use cosim::{CosimReport, EngineReport, EventReport, MismatchReport, UnitReport};
pub use devices::{Answer, Answers, DeviceInstruction, DeviceReport, Source, UNVERIFIED, sources};
pub use grid::picture;
pub use junit::{Case, Outcome, annotations, junit};
pub use number::{Number, ParseError, hexadecimal_float, parse, parse_exactly};
pub use operands::OperandReport;
pub use page::{html, markdown, pictures};
pub use proof::{Inapplicable, ProofQuestion, ProofReport, ProofStatement, ProofWitness};
pub use published::{PublishedReport, PublishedSubject};
pub use replay::{RecordingEngine, RecordingReport, ReplayReport, RowReport};
pub use rtl_proof::{ObligationReport, RtlReport, RtlWitness};
pub use steps::{Datapath, Lane, Step};
pub use summary::{
    Asked, Cell, Checks, Findings, Inferred, Outcomes, PropertyProved, Proved, Replayed, Row, RtlProved, State,
    Summary, Time, Total, UnitSummary, pairs,
};
pub use trace::side_by_side;

/// A count with a comma every three digits.
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
