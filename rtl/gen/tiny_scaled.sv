// Unit tiny-scaled. Small enough for all 2^24 inputs: two products, each with scales of its own.
//
//     d = convert(c + scale_a[0]*scale_b[0] * (a[0]*b[0] + ...) + ... + scale_a[1]*scale_b[1] * (... + a[1]*b[1]))
//
//     products        2
//     formats         a e2m1, b e1m1, c e2m1, d e2m1
//     scales          a ue1m1, b ue1m0, one of each for 1 products
//     term            exact product; exponents of a, b and both scales added; not normalised
//     alignment       2 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  0
//     carry bits      2, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      7     6..5     4..2       1..0
//     sum   | sign | carry | integer | fraction |
//     bit 2 weighs 2^anchor, bit 0 weighs 2^(anchor - 2); 1 guard bits and lower are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [chosen] above the exponents of some terms, so that it acts
//     alignment.fraction_bits: [chosen] so few that many sums lose bits
//     formats: [chosen] as few bits as leave subnormals, infinities and overflow
//     scales: [chosen] zero and a subnormal on one side, a power of two and NaN on the other
//
// Emitted; regenerate with: tensorsmith emit tiny-scaled --out DIR

module tiny_scaled #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_block_scaled.
    localparam int Products      = 2,  // L: products summed at once
    localparam int OperandAWidth = 4,  // encoded a, e2m1
    localparam int OperandBWidth = 3,  // encoded b, e1m1
    localparam int Scales        = 2,  // scales of a, and as many of b
    localparam int ScaleAWidth   = 2,  // encoded scale of a, ue1m1
    localparam int ScaleBWidth   = 1,  // encoded scale of b, ue1m0
    localparam int AddendWidth   = 4,  // encoded c, e2m1
    localparam int ResultWidth   = 4   // encoded d, e2m1
) (
    input  logic [Products*OperandAWidth-1:0] a_i,        // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,        // b, element 0 in the lowest bits
    input  logic [Scales*ScaleAWidth-1:0]     scale_a_i,  // scales of a, block 0 in the lowest bits
    input  logic [Scales*ScaleBWidth-1:0]     scale_b_i,  // scales of b, block 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,        // c
    output logic [ResultWidth-1:0]            d_o         // d
);

  tensorsmith_block_scaled #(
      .Products(2), .BlockSize(1), .GroupSize(0),
      // a: e2m1
      .OperandASignBits(1), .OperandAExponentBits(2), .OperandAFractionBits(1), .OperandAPaddingBits(0),
      .OperandABias(1), .OperandANonFinite(0),
      // b: e1m1
      .OperandBSignBits(1), .OperandBExponentBits(1), .OperandBFractionBits(1), .OperandBPaddingBits(0),
      .OperandBBias(1), .OperandBNonFinite(0),
      // scales of a: ue1m1
      .ScaleAExponentBits(1), .ScaleAFractionBits(1), .ScaleABias(1), .ScaleANonFinite(0),
      // scales of b: ue1m0
      .ScaleBExponentBits(1), .ScaleBFractionBits(0), .ScaleBBias(1), .ScaleBNonFinite(2),
      // c: e2m1
      .AddendSignBits(1), .AddendExponentBits(2), .AddendFractionBits(1), .AddendPaddingBits(0), .AddendBias(1),
      .AddendNonFinite(1),
      // d: e2m1
      .ResultExponentBits(2), .ResultFractionBits(1), .ResultPaddingBits(0), .ResultBias(0), .ResultNonFinite(1),
      // alignment and sum: lower bits cut off in sign and magnitude
      .FractionBits(2), .AlignmentRounding(0), .ExponentFloor(0), .CarryBits(-1),
      // conversion: truncation
      .ResultRounding(0), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .NanWord(4'h7)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .scale_a_i(scale_a_i), .scale_b_i(scale_b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
