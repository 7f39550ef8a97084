// SPDX-License-Identifier: MIT OR Apache-2.0
// Adds the products of one group exactly, as fixed-point numbers.
//
// The sum's value is (-1)^negative * magnitude * 2^(ExponentMin - fraction bits), where the fraction bits are
// those of a product's significand: each product is brought to the lowest exponent that any can have, so that
// no bit is lost.
//
//     significand_i    |            | significand |                    weighs 2^exponent
//     fixed            | 0 .... 0 | significand | 0 .. 0 |             to the left by exponent - ExponentMin
//     magnitude_o      | carry | FixedWidth bits ....... |             of the signed sum
//
// It never shifts to the right and never rounds. Every exponent has to lie in ExponentMin to ExponentMin +
// ExponentSpan, that of a zero product too, and SumWidth has to hold the sum and its sign.

module tensorsmith_group_sum #(
    parameter int Count            = 16,  // products of the group, at least 1
    parameter int SignificandWidth = 4,   // significand of a product, integer bits included
    parameter int ExponentWidth    = 6,   // exponents, two's complement, sign included
    parameter int ExponentMin      = 0,   // lowest exponent of a product
    parameter int ExponentSpan     = 4,   // highest exponent of a product above the lowest
    parameter int SumWidth         = 13   // sum, two's complement: sign, log2(Count) carry bits, significand, span
) (
    input  logic [Count-1:0]                  negative_i,     // signs, the first product in the lowest bit
    input  logic [Count*ExponentWidth-1:0]    exponent_i,     // true exponents
    input  logic [Count*SignificandWidth-1:0] significand_i,  // exact significands
    output logic                              negative_o,     // sign of the sum; 0 for a zero sum
    output logic [SumWidth-2:0]               magnitude_o     // magnitude of the sum
);

  // A significand shifted by the whole span, and the same with a sign.
  localparam int FixedWidth  = SignificandWidth + ExponentSpan;
  localparam int SignedWidth = 1 + FixedWidth;

  logic [Count*SignedWidth-1:0] addends;
  logic signed [SumWidth-1:0]   sum;

  for (genvar i = 0; i < Count; i++) begin : gen_fixed
    logic [ExponentWidth-1:0] distance;  // never negative, so that as many bits hold it without a sign
    logic [SignedWidth-1:0]   fixed;

    assign distance = exponent_i[i*ExponentWidth +: ExponentWidth] - ExponentWidth'(ExponentMin);
    assign fixed    = SignedWidth'(significand_i[i*SignificandWidth +: SignificandWidth]) << distance;
    assign addends[i*SignedWidth +: SignedWidth] = negative_i[i] ? -fixed : fixed;
  end

  tensorsmith_adder_tree #(
      .Count      (Count),
      .AddendWidth(SignedWidth),
      .SumWidth   (SumWidth)
  ) u_sum (
      .clk_i(1'b0), .ce_i(1'b0),
      .addends_i(addends),
      .sum_o    (sum)
  );

  assign negative_o  = sum[SumWidth-1];
  assign magnitude_o = negative_o ? (SumWidth-1)'(-sum) : (SumWidth-1)'(sum);

endmodule
