// SPDX-License-Identifier: MIT OR Apache-2.0
// An operand or a scale as a number.
//
//     number     (-1)^negative * significand * 2^(exponent - FractionBits), an infinity of that sign, or NaN
//     absent     a zero, whose exponent does not count
//
// With Widened a subnormal significand is shifted left until its top bit is 1 or its exponent is ExponentMin, the least one of a
// wider format:
//
//     significand    | 0 0 0 1 | fraction |        of a subnormal number
//     widened        | 1 | fraction | 0 0 0 |      its exponent 3 less
//
// It never rounds, and infinity and NaN have the exponent and the significand of their fields.

module tensorsmith_operand #(
    // Format, as tensorsmith_unpack takes it; without a fraction that of a scale, as tensorsmith_unpack_scale takes it.
    parameter int SignBits     = 1,
    parameter int ExponentBits = 5,
    parameter int FractionBits = 10,
    parameter int PaddingBits  = 0,
    parameter int Bias         = 15,
    parameter int NonFinite    = 1,

    parameter int Widened        = 0,    // 1: as a number of a wider format
    parameter int ExponentMin    = -14,  // least exponent of a number
    parameter int Flush          = 0,    // subnormal numbers become 1: zero of the same sign, 2: +0
    parameter int SubnormalBits  = 10,   // significands below two to this power are subnormal
    parameter int ExponentWidth  = 6     // exponent, two's complement, sign included
) (
    input  logic        [SignBits+ExponentBits+FractionBits+PaddingBits-1:0] operand_i,      // encoded operand
    output logic                                                             negative_o,     // sign, also of a zero
    output logic signed [ExponentWidth-1:0]                                  exponent_o,     // true exponent
    output logic        [FractionBits:0]                                     significand_o,  // hidden bit and fraction
    output logic                                                             absent_o,       // a zero without an exponent
    output logic                                                             infinite_o,     // infinity
    output logic                                                             nan_o           // NaN
);

  localparam int Precision = FractionBits + 1;

  logic                            negative, zero;
  logic signed [ExponentWidth-1:0] exponent;
  logic        [Precision-1:0]     significand;

  // ---------------------------------------------------------------------------------------------- unpacked

  if (FractionBits == 0) begin : gen_scale
    assign negative   = 1'b0;
    assign infinite_o = 1'b0;

    tensorsmith_unpack_scale #(
        .ExponentBits(ExponentBits), .FractionBits(FractionBits), .Bias(Bias), .NonFinite(NonFinite),
        .ExponentWidth(ExponentWidth)
    ) u_unpack (
        .scale_i(operand_i), .exponent_o(exponent), .significand_o(significand), .zero_o(zero), .nan_o(nan_o)
    );
  end else begin : gen_operand
    tensorsmith_unpack #(
        .SignBits(SignBits), .ExponentBits(ExponentBits), .FractionBits(FractionBits), .PaddingBits(PaddingBits),
        .Bias(Bias), .NonFinite(NonFinite), .FlushSubnormals(0), .ExponentWidth(ExponentWidth)
    ) u_unpack (
        .operand_i(operand_i), .negative_o(negative), .exponent_o(exponent), .significand_o(significand), .zero_o(zero),
        .infinite_o(infinite_o), .nan_o(nan_o)
    );
  end

  // ---------------------------------------------------------------------------------------------- widened

  logic [Precision-1:0] widened;

  if (Widened != 0) begin : gen_widened
    localparam int CountWidth = $clog2(Precision + 1);
    localparam int ShiftWidth = CountWidth > ExponentWidth ? CountWidth : ExponentWidth;

    logic [CountWidth-1:0] zeros;
    logic [ShiftWidth-1:0] room;   // never negative
    logic [ShiftWidth-1:0] shift;

    tensorsmith_leading_zeros #(
        .Width(Precision), .CountWidth(CountWidth)
    ) u_leading_zeros (
        .value_i(significand), .count_o(zeros)
    );

    assign room       = ShiftWidth'(exponent) - ShiftWidth'(ExponentMin);
    assign shift      = ShiftWidth'(zeros) < room ? ShiftWidth'(zeros) : room;
    assign exponent_o = exponent - ExponentWidth'(shift);
    assign widened    = significand << shift;
  end else begin : gen_own
    assign exponent_o = exponent;
    assign widened    = significand;
  end

  tensorsmith_flush #(
      .SignificandWidth(Precision), .SubnormalBits(SubnormalBits), .Flush(Flush)
  ) u_flush (
      .negative_i(negative), .significand_i(widened), .absent_i(zero), .special_i(infinite_o || nan_o),
      .negative_o(negative_o), .significand_o(significand_o), .absent_o(absent_o)
  );

endmodule
