// SPDX-License-Identifier: MIT OR Apache-2.0
// Multiplies a product, or the sum of a group, by the scales of its two blocks. Exact.
//
// The scales' exponents are added and their significands multiplied. The sign goes past this module: a scale
// has none.
//
//     significand_i            |       integer bits | fraction bits |
//     significand_o    | more integer bits | fraction bits of all three together |
//
// It never rounds and never normalises, and it knows no NaN. The exponent of a zero term is ExponentFloor, so
// that a zero never raises the anchor. ExponentWidth must hold every exponent named here, and TermWidth the
// product: Width + ScaleAWidth + ScaleBWidth bits do, less the width of a scale that is always a power of two.

module tensorsmith_scale #(
    parameter int Width         = 8,    // significand of the product or sum
    parameter int ScaleAWidth   = 1,    // significand of a's scale, hidden bit included
    parameter int ScaleBWidth   = 1,    // significand of b's scale, hidden bit included
    parameter int TermWidth     = 8,    // significand of the scaled term
    parameter int ExponentWidth = 11,   // every exponent, two's complement, sign included
    parameter int ExponentFloor = -133  // exponent of a zero term
) (
    input  logic signed [ExponentWidth-1:0] exponent_i,             // of the product or sum
    input  logic        [Width-1:0]         significand_i,          // of the product or sum
    input  logic signed [ExponentWidth-1:0] scale_a_exponent_i,     // true exponent of a's scale
    input  logic        [ScaleAWidth-1:0]   scale_a_significand_i,  // significand of a's scale
    input  logic signed [ExponentWidth-1:0] scale_b_exponent_i,     // true exponent of b's scale
    input  logic        [ScaleBWidth-1:0]   scale_b_significand_i,  // significand of b's scale
    output logic signed [ExponentWidth-1:0] exponent_o,             // of the scaled term
    output logic        [TermWidth-1:0]     significand_o           // of the scaled term
);

  logic zero;

  // Read from the factors, which are there before the product is.
  assign zero          = significand_i == '0 || scale_a_significand_i == '0 || scale_b_significand_i == '0;
  assign exponent_o    = zero ? ExponentWidth'(ExponentFloor)
                              : exponent_i + scale_a_exponent_i + scale_b_exponent_i;
  assign significand_o = TermWidth'(significand_i) * TermWidth'(scale_a_significand_i)
                       * TermWidth'(scale_b_significand_i);

endmodule
