// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit cdna3-fp16-fp32. AMD CDNA3 (MI300) matrix core: one block of 8 fp16 products, then c, fp32 result.
//
//     d = convert(c + (a[0]*b[0] + ... + a[7]*b[7]))
//
//     products          8
//     formats           a binary16, b binary16, c binary32, d binary32
//     product           exact, in [1, 4), not normalised
//     groups            all products share one anchor
//     alignment         24 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor    none
//     product overflow  no finite product is large enough
//     addition          32 fraction bits of the sum, 24 of the addend, rounded downward
//     addition floor    -126
//     addend            every distance
//     total             31 fraction bits, rounded downward
//     conversion        to nearest, ties to even, overflow to infinity
//     subnormals        operands kept, addend kept, result kept
//     NaN and zero      every NaN is 0x7fc00000, an exact zero sum is +0
//     latency           0 cycles; the module named _registered: 2
//
// The sum of a group, and that with the addend:
//
//     group  30 bits: sign, 5 integer, 24 fraction; bit 24 weighs 2^(anchor of the group)
//     bit      39    38..37   36..32     31..0
//     sum   | sign | carry  | integer | fraction |
//     bit 32 weighs 2^anchor, bit 0 weighs 2^(anchor - 32); lower bits of a term are cut
//
// Where the constants come from:
//
//     addition.addend_fraction_bits: [stated] Xie et al., arXiv 2511.10909v2
//     addition.addend_reach: [stated] c takes part at every distance: Xie et al., arXiv 2511.10909v2
//     addition.exponent_floor: [stated] a zero c has the exponent -126: Xie et al., arXiv 2511.10909v2
//     addition.groups: [stated] Xie et al., arXiv 2511.10909v2
//     addition.product_overflow: [stated] products of 2^128 and above are infinite: Xie et al., arXiv 2511.10909v2;
//       that an infinite c of the other sign then gives NaN is after IEEE 754
//     addition.rounding: [stated] downward, sum and c each: Xie et al., arXiv 2511.10909v2
//     addition.sum_fraction_bits: [conflict] 32: the public model MMA-Sim 2.0.0 to 2.1.1, later than the paper; 31:
//       Xie et al., arXiv 2511.10909v2
//     addition.total_fraction_bits: [conflict] 31 of the normalised total, rounded downward: the public model MMA-Sim
//       2.0.0 to 2.1.1, later than the paper; no such cut: Xie et al., arXiv 2511.10909v2
//     alignment.exponent_floor: [conflict] none, and zero products have no exponent; the public model MMA-Sim gives a
//       zero operand the exponent -126, so that zero times a large number can raise the anchor
//     alignment.fraction_bits: [stated] Xie et al., arXiv 2511.10909v2
//     alignment.normalise_products: [stated] products are aligned as they are: Xie et al., arXiv 2511.10909v2
//     alignment.rounding: [stated] Xie et al., arXiv 2511.10909v2
//     conversion.exact_zero: [chosen] plus zero, as IEEE 754 rounding to nearest gives; the published model adds
//       numbers without signs of zero
//     conversion.nan: [chosen] 0x7fc00000, the canonical quiet NaN of IEEE 754; no source says which NaN the hardware
//       gives
//     conversion.overflow: [stated] infinity, as IEEE 754 rounding to nearest gives
//     conversion.rounding: [stated] to nearest, ties to even: Xie et al., arXiv 2511.10909v2
//     products: [stated] blocks of 8, the first one first, chained through c: Xie et al., arXiv 2511.10909v2
//     scheme: [stated] the products are summed first, then c is added: Xie et al., arXiv 2511.10909v2
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909v2, whose public model MMA-Sim flushes none for CDNA3
//
// Emitted; regenerate with: tensorsmith emit cdna3-fp16-fp32 --out DIR

module cdna3_fp16_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused_then_add.
    localparam int Products      =  8,  // L: products summed at once
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

  tensorsmith_fused_then_add #(
      .Products(8), .Groups(1),
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
      // products and their sum: lower bits cut off in sign and magnitude
      .DotFractionBits(24), .ProductRounding(0), .NormaliseProducts(0), .DotExponentFloor(-1000000),
      .ProductOverflow(1),
      // its sum with c: rounded downward
      .FractionBits(32), .AddendKeptBits(24), .AlignmentRounding(4), .ExponentFloor(-126), .AddendReach(-1),
      .TotalFractionBits(31),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .NanWord(32'h7fc00000)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
