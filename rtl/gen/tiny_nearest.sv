// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tiny-nearest. Small enough for all 2^24 inputs: two e2m1 products, five fraction bits, rounding to nearest.
//
//     d = convert(c + a[0]*b[0] + ... + a[1]*b[1])
//
//     products        2
//     formats         a e2m1, b e2m1, c e5m2, d e5m2
//     product         exact, in [1, 4), not normalised
//     alignment       5 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  none
//     carry bits      2, as many as any sum can need
//     conversion      to nearest, ties to even, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7e, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      9     8..7     6..5       4..0
//     sum   | sign | carry | integer | fraction |
//     bit 5 weighs 2^anchor, bit 0 weighs 2^(anchor - 5); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [chosen] none
//     alignment.fraction_bits: [chosen] enough that rounding to nearest meets ties
//
// Emitted; regenerate with: tensorsmith emit tiny-nearest --out DIR

module tiny_nearest #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused.
    localparam int Products      = 2,  // L: products summed at once
    localparam int OperandAWidth = 4,  // encoded a, e2m1
    localparam int OperandBWidth = 4,  // encoded b, e2m1
    localparam int AddendWidth   = 8,  // encoded c, e5m2
    localparam int ResultWidth   = 8   // encoded d, e5m2
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  logic [1:0] unused_flags;  // always 0

  tensorsmith_fused #(
      .Products(2),
      // a: e2m1
      .OperandASignBits(1), .OperandAExponentBits(2), .OperandAFractionBits(1), .OperandAPaddingBits(0),
      .OperandABias(1), .OperandANonFinite(0),
      // b: e2m1
      .OperandBSignBits(1), .OperandBExponentBits(2), .OperandBFractionBits(1), .OperandBPaddingBits(0),
      .OperandBBias(1), .OperandBNonFinite(0),
      // c: e5m2
      .AddendSignBits(1), .AddendExponentBits(5), .AddendFractionBits(2), .AddendPaddingBits(0), .AddendBias(15),
      .AddendNonFinite(1),
      // d: e5m2
      .ResultExponentBits(5), .ResultFractionBits(2), .ResultPaddingBits(0), .ResultBias(15), .ResultNonFinite(1),
      // alignment and sum: lower bits cut off in sign and magnitude
      .FractionBits(5), .AlignmentRounding(0), .NormaliseProducts(0), .ExponentFloor(-1000000), .CarryBits(-1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .HasFlags(0), .NanWord(8'h7e)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o), .flags_o(unused_flags)
  );

endmodule
