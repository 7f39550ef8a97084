//! What do we know? Outcomes as text for people, JSON, JUnit XML and annotations.
//!
//! The JSON is documented in `SCHEMA.md` beside this file.

#![doc = include_str!("SCHEMA.md")]

mod campaign;
mod compare;
mod cosim;
mod datapath;
#[cfg(feature = "rtl")]
mod design_proof;
mod devices;
mod diagnosis;
mod grid;
mod junit;
mod look;
mod machine;
pub mod names;
mod number;
mod operands;
mod page;
mod proof;
mod published;
mod replay;
mod rtl_proof;
pub mod speed;
mod steps;
mod study;
mod summary;
mod svg;
mod trace;
mod window;

pub use campaign::CampaignReport;
pub use compare::{AsicTools, ComparedUnit, Comparison, Costs, FpgaTools, Named};
pub use cosim::{CosimReport, EngineReport, EventReport, MismatchReport, UnitReport};
#[cfg(feature = "rtl")]
pub use design_proof::{BitReport, DesignProofReport, DesignWitness};
pub use devices::{Answer, Answers, DefaultInstruction, DeviceInstruction, DeviceReport, Source, UNVERIFIED, sources};
pub use diagnosis::DiagnosisReport;
pub use grid::picture;
pub use junit::{Suite, annotations, junit};
pub use machine::{MachineReport, Unfinished};
pub use number::{Number, hexadecimal_float};
pub use operands::OperandReport;
pub use page::{html, markdown, pictures};
pub use proof::{Inapplicable, ProofQuestion, ProofReport, ProofStatement, ProofWitness};
pub use published::{PublishedReport, PublishedSubject};
pub use replay::{Description, RecordingEngine, RecordingReport, ReplayReport, RowReport};
pub use rtl_proof::{ObligationReport, RtlReport, RtlWitness, SimulatedReport};
pub use steps::{Datapath, Lane, Step};
pub use study::{ClaimOutcome, StudyReport, curves_picture, study_page};
pub use summary::{
    Asked, Cell, Checks, Findings, Inferred, Outcomes, PropertyProved, Proved, Replayed, Row, RtlProved, State,
    Summary, Time, Total, UnitSummary, pairs,
};
pub use trace::{one_trace, side_by_side};

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

/// A rate as people read it: `512 /s`, `12.3 k/s`, `4.51 M/s`, `1.20 G/s`.
pub fn rate(per_second: f64) -> String {
    const UNITS: [&str; 4] = ["/s", "k/s", "M/s", "G/s"];
    let (mut value, mut unit) = (per_second, 0);
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let digits = match value {
        _ if unit == 0 => 0,
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {}", UNITS[unit])
}

/// A number of things, with the word for one of them or for several: `1 vector`, `2,000 vectors`.
pub fn counted(number: u64, [one, several]: [&str; 2]) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { several })
}

/// Words for [`counted`].
pub const VECTORS: [&str; 2] = ["vector", "vectors"];

/// A paragraph with a heading in the first column, no wider than so many letters.
fn wrapped(heading: &str, text: &str, width: usize) -> String {
    let first = format!("  {heading:10} ");
    let rest = " ".repeat(first.len());
    let options = textwrap::Options::new(width).initial_indent(&first).subsequent_indent(&rest);
    textwrap::fill(text, options) + "\n"
}

/// Version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

#[cfg(test)]
mod tests {
    use super::rate;

    #[test]
    fn rates_slow_and_fast() {
        let written = [0.4, 512.0, 999.6, 12_345.0, 4_514_000.0, 97_600_000.0, 500e6, 1.2e9, 3e12].map(rate);
        let read =
            ["0 /s", "512 /s", "1.00 k/s", "12.3 k/s", "4.51 M/s", "97.6 M/s", "500 M/s", "1.20 G/s", "3000 G/s"];
        assert_eq!(written, read);
    }
}
