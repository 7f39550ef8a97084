// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tiny-grouped. Small enough for all 2^24 inputs: two e2m1 products summed exactly before they are scaled.
//
//     d = convert(c + scale_a[0]*scale_b[0] * (a[0]*b[0] + ... + a[1]*b[1]))
//
//     products        2
//     formats         a e2m1, b e2m1, c e2m1, d e3m1
//     scales          a ue2m0, b ue1m1, one of each for 2 products
//     term            exact sum of 2 products times the scales' significands; exponent of the scales alone
//     alignment       2 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  0
//     carry bits      1, as many as any sum can need
//     conversion      to nearest, ties to even, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0xf, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      11     10      9..2       1..0
//     sum   | sign | carry | integer | fraction |
//     bit 2 weighs 2^anchor, bit 0 weighs 2^(anchor - 2); 1 guard bits and lower are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [chosen] above the exponents of some terms, so that it acts
//     alignment.fraction_bits: [chosen] fewer than an exact sum has, so that bits are lost
//     formats: [chosen] as few bits as leave subnormals, infinities and overflow
//     scales: [chosen] three powers of two on one side, zero and a subnormal on the other, NaN on both
//
// Emitted; regenerate with: tensorsmith emit tiny-grouped --out DIR

module tiny_grouped #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_block_scaled.
    localparam int Products      = 2,  // L: products summed at once
    localparam int OperandAWidth = 4,  // encoded a, e2m1
    localparam int OperandBWidth = 4,  // encoded b, e2m1
    localparam int Scales        = 1,  // scales of a, and as many of b
    localparam int ScaleAWidth   = 2,  // encoded scale of a, ue2m0
    localparam int ScaleBWidth   = 2,  // encoded scale of b, ue1m1
    localparam int AddendWidth   = 4,  // encoded c, e2m1
    localparam int ResultWidth   = 5   // encoded d, e3m1
) (
    input  logic [Products*OperandAWidth-1:0] a_i,        // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,        // b, element 0 in the lowest bits
    input  logic [Scales*ScaleAWidth-1:0]     scale_a_i,  // scales of a, block 0 in the lowest bits
    input  logic [Scales*ScaleBWidth-1:0]     scale_b_i,  // scales of b, block 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,        // c
    output logic [ResultWidth-1:0]            d_o         // d
);

  tensorsmith_block_scaled #(
      .Products(2), .BlockSize(2), .GroupSize(2),
      // a: e2m1
      .OperandASignBits(1), .OperandAExponentBits(2), .OperandAFractionBits(1), .OperandAPaddingBits(0),
      .OperandABias(1), .OperandANonFinite(0),
      // b: e2m1
      .OperandBSignBits(1), .OperandBExponentBits(2), .OperandBFractionBits(1), .OperandBPaddingBits(0),
      .OperandBBias(1), .OperandBNonFinite(0),
      // scales of a: ue2m0
      .ScaleAExponentBits(2), .ScaleAFractionBits(0), .ScaleABias(1), .ScaleANonFinite(2),
      // scales of b: ue1m1
      .ScaleBExponentBits(1), .ScaleBFractionBits(1), .ScaleBBias(1), .ScaleBNonFinite(2),
      // c: e2m1
      .AddendSignBits(1), .AddendExponentBits(2), .AddendFractionBits(1), .AddendPaddingBits(0), .AddendBias(1),
      .AddendNonFinite(1),
      // d: e3m1
      .ResultExponentBits(3), .ResultFractionBits(1), .ResultPaddingBits(0), .ResultBias(1), .ResultNonFinite(1),
      // alignment and sum: lower bits cut off in sign and magnitude
      .FractionBits(2), .AlignmentRounding(0), .ExponentFloor(0), .CarryBits(-1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .NanWord(5'hf)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .scale_a_i(scale_a_i), .scale_b_i(scale_b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
