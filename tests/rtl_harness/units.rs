//! Small units for the tests, and what they must answer.

use std::sync::OnceLock;
use tensorsmith::engine::rtl::{Library, Model, Request, Shape, build_library};

/// What a unit without scales has in the fields of the scales.
pub const UNSCALED: Shape = Shape {
    products: 1,
    a_width: 1,
    b_width: 1,
    c_width: 1,
    d_width: 1,
    scales: 0,
    scale_a_width: 0,
    scale_b_width: 0,
};

pub const DOT4: Shape = Shape { products: 4, a_width: 16, b_width: 16, c_width: 32, d_width: 32, ..UNSCALED };

/// One top that weighs every element differently: d = c + sum of a\[i\] * (b\[i\] + i + 1), modulo 2^ResultWidth.
pub fn source(module: &str, shape: Shape, body: &str) -> String {
    let Shape { products, a_width, b_width, c_width, d_width, .. } = shape;
    format!(
        "module {module} #(
    parameter int unsigned Products      = {products},
    parameter int unsigned OperandAWidth = {a_width},  // bits of one a
    parameter int unsigned OperandBWidth = {b_width},
    parameter int unsigned AddendWidth   = {c_width},
    parameter int unsigned ResultWidth   = {d_width}
) (
    input  logic [Products*OperandAWidth-1:0] a_i,
    input  logic [Products*OperandBWidth-1:0] b_i,
    input  logic [AddendWidth-1:0]            c_i,
    output logic [ResultWidth-1:0]            d_o
);
{body}
endmodule
"
    )
}

/// Three scales of each side: d = the sum of scale_a\[s\] * (scale_b\[s\] + s + 1) on top of a\[0\] * b\[0\] + c.
pub const SCALED: Shape = Shape {
    products: 1,
    a_width: 8,
    b_width: 8,
    c_width: 32,
    d_width: 32,
    scales: 3,
    scale_a_width: 8,
    scale_b_width: 7,
};

pub const SCALED_SUM: &str = "module harness_scaled #(
    parameter int Products      = 1,
    parameter int OperandAWidth = 8,
    parameter int OperandBWidth = 8,
    parameter int AddendWidth   = 32,
    parameter int ResultWidth   = 32,
    parameter int Scales        = 3,
    parameter int ScaleAWidth   = 8,
    parameter int ScaleBWidth   = 7
) (
    input  logic [Products*OperandAWidth-1:0] a_i,
    input  logic [Products*OperandBWidth-1:0] b_i,
    input  logic [Scales*ScaleAWidth-1:0]     scale_a_i,
    input  logic [Scales*ScaleBWidth-1:0]     scale_b_i,
    input  logic [AddendWidth-1:0]            c_i,
    output logic [ResultWidth-1:0]            d_o
);
  logic [ResultWidth-1:0] sum;
  always_comb begin
    sum = ResultWidth'(c_i) + ResultWidth'(a_i) * ResultWidth'(b_i);
    for (int s = 0; s < Scales; s++) begin
      sum += ResultWidth'(scale_a_i[s*ScaleAWidth +: ScaleAWidth])
           * (ResultWidth'(scale_b_i[s*ScaleBWidth +: ScaleBWidth]) + ResultWidth'(s) + ResultWidth'(1));
    end
  end
  assign d_o = sum;
endmodule
";

pub const WEIGHTED_SUM: &str = "  logic [ResultWidth-1:0] sum;
  always_comb begin
    sum = ResultWidth'(c_i);
    for (int unsigned i = 0; i < Products; i++) begin
      sum += ResultWidth'(a_i[i*OperandAWidth +: OperandAWidth])
           * (ResultWidth'(b_i[i*OperandBWidth +: OperandBWidth]) + ResultWidth'(i) + ResultWidth'(1));
    end
  end
  assign d_o = sum;";

pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

pub fn weighted_sum(shape: Shape, a: &[u64], b: &[u64], c: u64) -> u64 {
    let products = a.iter().zip(b).zip(1u64..);
    let sum = products.fold(c & mask(shape.c_width), |sum, ((a, b), weight)| {
        let b = (b & mask(shape.b_width)).wrapping_add(weight);
        sum.wrapping_add((a & mask(shape.a_width)).wrapping_mul(b))
    });
    sum & mask(shape.d_width)
}

pub fn request(module: &str, text: String) -> Request {
    Request {
        module: module.to_string(),
        sources: vec![(format!("{module}.sv"), text)],
        signals: Vec::new(),
        inside: None,
    }
}

pub fn load(request: &Request) -> Model {
    let library = build_library(request).unwrap_or_else(|error| panic!("{error}"));
    Model::load(&library).unwrap_or_else(|error| panic!("{error}"))
}

/// A plain model of four 16-bit products, built once for the tests that need no special one.
pub fn dot4() -> Model {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    let library = LIBRARY.get_or_init(|| {
        let text = source("harness_dot4", DOT4, WEIGHTED_SUM);
        build_library(&request("harness_dot4", text)).unwrap_or_else(|error| panic!("{error}"))
    });
    Model::load(library).unwrap_or_else(|error| panic!("{error}"))
}

/// Numbers without pattern, all 64 bits in use.
pub fn noise(count: usize, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    (0..count).map(|_| next()).collect()
}
