//! Proofs of whole units that are kept: by the files, Yosys' version and this program, which proves and reads the text.

use crate::cli::Failure;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::cache::{Key, Store, program};
use tensorsmith::prove::netlist;
use tensorsmith::prove::rtl::Files;
use tensorsmith::report::RtlReport;

/// The key of the proof of a unit's files; none where this program cannot be told from others.
///
/// # Errors
/// Yosys is missing.
pub(super) fn key(unit: &Unit, files: &Files) -> Result<Option<String>, Failure> {
    let key = Key::new("unit").text(&netlist::version()?).text(&unit.to_toml());
    let files = files.core.iter().chain([&files.wrapper]);
    let key = key.texts(files.flat_map(|file| [file.name.as_str(), file.text.as_str()]));
    Ok(program().map(|program| key.text(program).finish()))
}

/// The proof that is kept under a key.
pub(super) fn recall(store: &Store, unit: &Unit, key: &str) -> Option<RtlReport> {
    let report: RtlReport = serde_json::from_slice(&store.get(&unit.module_name(), key)?).ok()?;
    Some(RtlReport { cached: true, ..report })
}

/// Keeps what is settled: what is unknown may be known with more time.
pub(super) fn keep(store: &Store, unit: &Unit, key: &str, report: &RtlReport) {
    if report.is_proved()
        && let Ok(text) = serde_json::to_vec(report)
    {
        store.put(&unit.module_name(), key, &text);
    }
}
