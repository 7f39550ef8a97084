// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit cdna1-fp16-fp32. AMD CDNA1 (MI100) matrix core: one block of 4 fp16 products, summed exactly, fp32 result.
//
//     d = convert(c + a[0]*b[0] + ... + a[3]*b[3])
//
//     products        4
//     formats         a binary16, b binary16, c binary32, d binary32
//     product         exact, in [1, 4), not normalised
//     alignment       276 fraction bits, every bit of every term is kept
//     exponent floor  none
//     carry bits      3, as many as any sum can need
//     conversion      to nearest, ties to even, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fc00000, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit     281    280..278   277..276    275..0
//     sum   | sign |  carry   | integer  | fraction |
//     bit 276 weighs 2^anchor, bit 0 weighs 2^(anchor - 276); lower bits of a term are cut
//
// Where the constants come from:
//
//     conversion.exact_zero: [chosen] plus zero, as IEEE 754 rounding to nearest gives; the published model adds
//       numbers without signs of zero
//     conversion.nan: [chosen] 0x7fc00000, the canonical quiet NaN of IEEE 754; no source says which NaN the hardware
//       gives
//     conversion.overflow: [stated] infinity, as IEEE 754 rounding to nearest gives
//     conversion.rounding: [stated] to nearest, ties to even: Xie et al., arXiv 2511.10909v2
//     products: [stated] blocks of 4, the first one first, chained through c: Xie et al., arXiv 2511.10909v2
//     scheme: [stated] the sum of the products and c is exact and rounded once: Xie et al., arXiv 2511.10909v2
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909v2, whose public model MMA-Sim flushes none for CDNA1
//
// Emitted; regenerate with: tensorsmith emit cdna1-fp16-fp32 --out DIR

module cdna1_fp16_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused.
    localparam int Products      =  4,  // L: products summed at once
    localparam int OperandAWidth = 16,  // encoded a, binary16
    localparam int OperandBWidth = 16,  // encoded b, binary16
    localparam int AddendWidth   = 32,  // encoded c, binary32
    localparam int ResultWidth   = 32   // encoded d, binary32
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  logic [1:0] unused_flags;  // always 0

  tensorsmith_fused #(
      .Products(4),
      // a: binary16
      .OperandASignBits(1), .OperandAExponentBits(5), .OperandAFractionBits(10), .OperandAPaddingBits(0),
      .OperandABias(15), .OperandANonFinite(1),
      // b: binary16
      .OperandBSignBits(1), .OperandBExponentBits(5), .OperandBFractionBits(10), .OperandBPaddingBits(0),
      .OperandBBias(15), .OperandBNonFinite(1),
      // c: binary32
      .AddendSignBits(1), .AddendExponentBits(8), .AddendFractionBits(23), .AddendPaddingBits(0), .AddendBias(127),
      .AddendNonFinite(1),
      // d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // sum: every bit of every term is kept
      .FractionBits(-1), .AlignmentRounding(0), .NormaliseProducts(0), .ExponentFloor(-1000000), .CarryBits(-1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .HasFlags(0), .NanWord(32'h7fc00000)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o), .flags_o(unused_flags)
  );

endmodule
