// SPDX-License-Identifier: MIT OR Apache-2.0
// Tells whether a product is at least 2^Limit.
//
//     significand_i    | 0 .. 0 | 1 xxxxx |            FractionBits below the binary point
//                                ^ weighs 2^leading, leading = exponent + SignificandWidth - 1 - FractionBits - zeros
//
// It never changes the product: what an overflow means is for others to say. A zero product is never too large.

module tensorsmith_product_overflow #(
    parameter int SignificandWidth = 16,  // significand, integer bits included
    parameter int FractionBits     = 14,  // bits of the significand below the binary point
    parameter int ExponentWidth    = 10,  // exponents, two's complement, sign included
    parameter int Limit            = 128  // exponent from which on products are too large; at most ExponentWidth + 1
                                          // bits with its sign
) (
    input  logic signed [ExponentWidth-1:0]    exponent_i,     // true exponent of the product
    input  logic        [SignificandWidth-1:0] significand_i,  // exact significand
    output logic                               overflow_o      // the product is 2^Limit or more
);

  // Leading zeros: 0 to SignificandWidth.
  localparam int CountWidth = $clog2(SignificandWidth + 1);
  // The leading one's exponent: that of the product, less the zeros and the fraction, plus the width.
  localparam int CompareWidth = (CountWidth > ExponentWidth ? CountWidth : ExponentWidth) + 3;
  // Weight of the significand's top bit, above the product's exponent.
  localparam int TopOffset = SignificandWidth - 1 - FractionBits;

  logic        [CountWidth-1:0]   zeros;
  logic signed [CompareWidth-1:0] leading;

  tensorsmith_leading_zeros #(
      .Width     (SignificandWidth),
      .CountWidth(CountWidth)
  ) u_leading_zeros (
      .value_i(significand_i),
      .count_o(zeros)
  );

  assign leading    = CompareWidth'(exponent_i) + CompareWidth'(TopOffset) - CompareWidth'(zeros);
  assign overflow_o = significand_i != '0 && leading >= $signed(CompareWidth'(Limit));

endmodule
