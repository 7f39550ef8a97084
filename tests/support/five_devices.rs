//! What V100, A100, MI250X, MI100 and H100 answered to one input that was not published (Li et al. 2024, FTTN, abstract).

/// An instruction of each.
pub const INSTRUCTIONS: [&str; 5] = [
    "volta-mma-m8n8k4-fp16-fp32",
    "ampere-mma-m16n8k8-fp16-fp32",
    "cdna2-mfma-m16n16k16-fp16-fp32",
    "cdna1-mfma-m16n16k16-fp16-fp32",
    "hopper-mma-m16n8k16-fp16-fp32",
];

pub const ANSWERS: [f64; 5] = [0.0, 0.0, 0.0, 255.875, 191.875];
