// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit blackwell-nvf4-fp32. NVIDIA Blackwell NVFP4: 64 e2m1 products in exact groups of 16, ue4m3 scales for 16, fp32 result.
//
//     d = convert(c + scale_a[0]*scale_b[0] * (a[0]*b[0] + ...) + ... + scale_a[3]*scale_b[3] * (... + a[63]*b[63]))
//
//     products        64
//     formats         a e2m1, b e2m1, c binary32, d binary32
//     scales          a ue4m3, b ue4m3, one of each for 16 products
//     term            exact sum of 16 products times the scales' significands; exponent of the scales alone
//     alignment       35 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -139
//     carry bits      3, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fffffff, an exact zero sum is +0, and so is one that is rounded to zero
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      50    49..47   46..35     34..0
//     sum   | sign | carry  | integer | fraction |
//     bit 35 weighs 2^anchor, bit 0 weighs 2^(anchor - 35); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [stated] Xie et al., arXiv 2511.10909: -139; it cannot act: every term and every
//       addend lies above
//     alignment.fraction_bits: [stated] Xie et al., arXiv 2511.10909: 35
//     alignment.normalise_products: [stated] Xie et al., arXiv 2511.10909: products are not normalised
//     alignment.rounding: [stated] toward zero in magnitude: Xie et al., arXiv 2511.10909
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909
//     conversion.nan: [stated] 0x7fffffff: Xie et al., arXiv 2511.10909
//     conversion.overflow: [stated] infinity: Xie et al., arXiv 2511.10909
//     conversion.rounded_zero: [stated] plus zero whatever the sum: MMA-Sim 2.1.1; an H100 answers so
//     conversion.rounding: [stated] Xie et al., arXiv 2511.10909: truncation to binary32
//     formats: [stated] Xie et al., arXiv 2511.10909; OCP Microscaling 1.0
//     products: [stated] Xie et al., arXiv 2511.10909: 64 products at once
//     scales: [stated] Xie et al., arXiv 2511.10909: groups of 16 summed exactly, multiplied by the scales'
//       significands and aligned by their exponents; PTX ISA: ue4m3, one for 16 elements of K
//     scheme: [stated] Xie et al., arXiv 2511.10909; no recording of the instruction was replayed
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909
//     sum.carry_bits: [stated] as many as the aligned terms and the addend can need: ceil(log2(terms + 1))
//
// Emitted; regenerate with: tensorsmith emit blackwell-nvf4-fp32 --out DIR

module blackwell_nvf4_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_block_scaled.
    localparam int Products      = 64,  // L: products summed at once
    localparam int OperandAWidth =  4,  // encoded a, e2m1
    localparam int OperandBWidth =  4,  // encoded b, e2m1
    localparam int Scales        =  4,  // scales of a, and as many of b
    localparam int ScaleAWidth   =  7,  // encoded scale of a, ue4m3
    localparam int ScaleBWidth   =  7,  // encoded scale of b, ue4m3
    localparam int AddendWidth   = 32,  // encoded c, binary32
    localparam int ResultWidth   = 32   // encoded d, binary32
) (
    input  logic [Products*OperandAWidth-1:0] a_i,        // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,        // b, element 0 in the lowest bits
    input  logic [Scales*ScaleAWidth-1:0]     scale_a_i,  // scales of a, block 0 in the lowest bits
    input  logic [Scales*ScaleBWidth-1:0]     scale_b_i,  // scales of b, block 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,        // c
    output logic [ResultWidth-1:0]            d_o         // d
);

  tensorsmith_block_scaled #(
      .Products(64), .BlockSize(16), .GroupSize(16),
      // a: e2m1
      .OperandASignBits(1), .OperandAExponentBits(2), .OperandAFractionBits(1), .OperandAPaddingBits(0),
      .OperandABias(1), .OperandANonFinite(0),
      // b: e2m1
      .OperandBSignBits(1), .OperandBExponentBits(2), .OperandBFractionBits(1), .OperandBPaddingBits(0),
      .OperandBBias(1), .OperandBNonFinite(0),
      // scales of a: ue4m3
      .ScaleAExponentBits(4), .ScaleAFractionBits(3), .ScaleABias(7), .ScaleANonFinite(2),
      // scales of b: ue4m3
      .ScaleBExponentBits(4), .ScaleBFractionBits(3), .ScaleBBias(7), .ScaleBNonFinite(2),
      // c: binary32
      .AddendSignBits(1), .AddendExponentBits(8), .AddendFractionBits(23), .AddendPaddingBits(0), .AddendBias(127),
      .AddendNonFinite(1),
      // d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // alignment and sum: lower bits cut off in sign and magnitude
      .FractionBits(35), .AlignmentRounding(0), .ExponentFloor(-139), .CarryBits(-1),
      // conversion: truncation
      .ResultRounding(0), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(1), .NanWord(32'h7fffffff)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .scale_a_i(scale_a_i), .scale_b_i(scale_b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
