//! The table of the catalogue's main units, as it lies in the tree: how large and deep each is, by which Yosys.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use tensorsmith::emit::Synthesis;
use tensorsmith::report::thousands;

/// The form of the file.
pub const SCHEMA: u32 = 1;

/// The units of the table: block sums of three generations and of fp8, scaled groups, a fused multiply-add, integers, and one
/// that is mapped in a moment.
pub const UNITS: [&str; 8] = [
    "volta-fp16-fp32",
    "ampere-fp16-fp32",
    "hopper-fp16-fp32",
    "hopper-e4m3-fp32",
    "blackwell-mxf4-fp32",
    "cdna-fma-fp32",
    "integer-int8-int32-saturate",
    "tiny-truncating",
];

/// How much larger or deeper a unit may become before the table has to be made again, in percent.
pub const TOLERANCE: u64 = 3;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quality {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Version of the program whose modules were mapped.
    pub tensorsmith: String,
    /// Coordinated universal time.
    pub finished: String,
    /// Version of Yosys, as it tells it: another one maps otherwise.
    pub yosys: String,
    pub rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub unit: String,
    /// Lookup tables of six inputs.
    pub lookup_tables: u64,
    /// Lookup tables on the longest path.
    pub depth: u64,
}

impl Row {
    /// In what a unit is worse than its row by more than the tolerance.
    pub fn breaches(&self, found: &Synthesis) -> Vec<String> {
        let figures =
            [("6-input LUTs", found.lookup_tables, self.lookup_tables), ("depth in LUTs", found.depth, self.depth)];
        let worse = figures.into_iter().filter(|(_, found, allowed)| found * 100 > allowed * (100 + TOLERANCE));
        worse.map(|(name, found, row)| format!("{}: {name}: {found}, and {row} in the table", self.unit)).collect()
    }
}

/// The table as a page.
pub fn markdown(quality: &Quality) -> String {
    let mut text =
        "## Size and depth of the main units\n\n| unit | 6-input LUTs | depth in LUTs |\n|---|--:|--:|\n".to_owned();
    for row in &quality.rows {
        let _ = writeln!(text, "| `{}` | {} | {} |", row.unit, thousands(row.lookup_tables), row.depth);
    }
    let (yosys, version, finished) = (&quality.yosys, &quality.tensorsmith, &quality.finished);
    let _ = writeln!(text, "\n({yosys}, synth -flatten -lut 6, no wires; tensorsmith {version}, {finished})");
    text
}
