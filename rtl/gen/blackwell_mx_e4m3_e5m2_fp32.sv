// Unit blackwell-mx-e4m3-e5m2-fp32. NVIDIA Blackwell MXFP8, MXFP6 and MXFP4: one block of 32 products e4m3 x e5m2 with ue8m0 scales, fp32 result.
//
//     d = convert(c + scale_a[0]*scale_b[0] * (a[0]*b[0] + ... + a[31]*b[31]))
//
//     products        32
//     formats         a e4m3, b e5m2, c binary32, d binary32
//     scales          a ue8m0, b ue8m0, one of each for 32 products
//     term            exact product; exponents of a, b and both scales added; not normalised
//     alignment       25 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -133
//     carry bits      6, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fffffff, an exact zero sum is +0, and so is one that is rounded to zero
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      33    32..27   26..25     24..0
//     sum   | sign | carry  | integer | fraction |
//     bit 25 weighs 2^anchor, bit 0 weighs 2^(anchor - 25); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [stated] Xie et al., arXiv 2511.10909: -133
//     alignment.fraction_bits: [stated] Xie et al., arXiv 2511.10909: 25
//     alignment.normalise_products: [stated] Xie et al., arXiv 2511.10909: products are not normalised
//     alignment.rounding: [stated] toward zero in magnitude: Xie et al., arXiv 2511.10909
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909
//     conversion.nan: [stated] 0x7fffffff: Xie et al., arXiv 2511.10909
//     conversion.overflow: [stated] infinity: Xie et al., arXiv 2511.10909
//     conversion.rounded_zero: [stated] plus zero whatever the sum: MMA-Sim 2.1.1; an H100 answers so
//     conversion.rounding: [stated] Xie et al., arXiv 2511.10909: truncation to binary32
//     formats: [stated] Xie et al., arXiv 2511.10909; OCP Microscaling 1.0
//     products: [stated] Xie et al., arXiv 2511.10909: 32 products at once
//     scales: [stated] Xie et al., arXiv 2511.10909; PTX ISA: ue8m0, one for 32 elements of K; the exponents of both
//       are added before alignment
//     scheme: [stated] Xie et al., arXiv 2511.10909; no recording of the instruction was replayed
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909
//     sum.carry_bits: [stated] as many as the aligned terms and the addend can need: ceil(log2(terms + 1))
//
// Emitted; regenerate with: tensorsmith emit blackwell-mx-e4m3-e5m2-fp32 --out DIR

module blackwell_mx_e4m3_e5m2_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_block_scaled.
    localparam int Products      = 32,  // L: products summed at once
    localparam int OperandAWidth =  8,  // encoded a, e4m3
    localparam int OperandBWidth =  8,  // encoded b, e5m2
    localparam int Scales        =  1,  // scales of a, and as many of b
    localparam int ScaleAWidth   =  8,  // encoded scale of a, ue8m0
    localparam int ScaleBWidth   =  8,  // encoded scale of b, ue8m0
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
      .Products(32), .BlockSize(32), .GroupSize(0),
      // a: e4m3
      .OperandASignBits(1), .OperandAExponentBits(4), .OperandAFractionBits(3), .OperandAPaddingBits(0),
      .OperandABias(7), .OperandANonFinite(2),
      // b: e5m2
      .OperandBSignBits(1), .OperandBExponentBits(5), .OperandBFractionBits(2), .OperandBPaddingBits(0),
      .OperandBBias(15), .OperandBNonFinite(1),
      // scales of a: ue8m0
      .ScaleAExponentBits(8), .ScaleAFractionBits(0), .ScaleABias(127), .ScaleANonFinite(2),
      // scales of b: ue8m0
      .ScaleBExponentBits(8), .ScaleBFractionBits(0), .ScaleBBias(127), .ScaleBNonFinite(2),
      // c: binary32
      .AddendSignBits(1), .AddendExponentBits(8), .AddendFractionBits(23), .AddendPaddingBits(0), .AddendBias(127),
      .AddendNonFinite(1),
      // d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // alignment and sum: lower bits cut off in sign and magnitude
      .FractionBits(25), .AlignmentRounding(0), .ExponentFloor(-133), .CarryBits(-1),
      // conversion: truncation
      .ResultRounding(0), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(1), .NanWord(32'h7fffffff)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .scale_a_i(scale_a_i), .scale_b_i(scale_b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
