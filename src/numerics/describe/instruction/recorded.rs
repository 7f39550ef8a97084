//! Public recordings that an instruction answers for.

use serde::{Deserialize, Serialize};

/// What was done with the recorded c.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordedAddend {
    /// c is what the c file says.
    #[default]
    File,
    /// The instruction ran with c = 0, whatever the c file says.
    Zero,
}

/// Public recordings that an instruction answers for: device folders x operand folder x result format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recordings {
    /// Device folder names, such as `A100`.
    pub devices: Vec<String>,
    /// Operand folder name, such as `bf16`.
    pub operands: String,
    /// Result suffix of the d file, such as `fp32`.
    pub result: String,
    #[serde(default)]
    pub addend: RecordedAddend,
}
