//! The operands of a vector as reports hold them: encodings in hexadecimal.

use serde::{Deserialize, Serialize};

use crate::engine::Vector;

/// The operands of one vector; encodings in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperandReport {
    pub a: Vec<String>,
    pub b: Vec<String>,
    pub c: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scale_a: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scale_b: Vec<String>,
}

impl OperandReport {
    /// The operands of a vector.
    pub fn of(vector: &Vector) -> OperandReport {
        let hex = |bits: &u64| format!("{bits:#x}");
        let list = |operands: &[u64]| operands.iter().map(hex).collect();
        OperandReport {
            a: list(&vector.a),
            b: list(&vector.b),
            c: hex(&vector.c),
            scale_a: list(&vector.scale_a),
            scale_b: list(&vector.scale_b),
        }
    }

    /// In one line.
    pub fn line(&self) -> String {
        let mut text = format!("a = {}, b = {}, c = {}", self.a.join(","), self.b.join(","), self.c);
        for (name, scales) in [("scale_a", &self.scale_a), ("scale_b", &self.scale_b)] {
            if !scales.is_empty() {
                text += &format!(", {name} = {}", scales.join(","));
            }
        }
        text
    }
}
