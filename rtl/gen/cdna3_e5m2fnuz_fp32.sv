// Unit cdna3-e5m2fnuz-fp32. AMD CDNA3 (MI300) matrix core: one block of 16 products of e5m2fnuz and e5m2fnuz, of even and of odd index, then c, fp32 result.
//
//     d = convert(c + ((a[0]*b[0] + ... + a[14]*b[14]) + (a[1]*b[1] + ... + a[15]*b[15])))
//
//     products          16
//     formats           a e5m2fnuz, b e5m2fnuz, c binary32, d binary32
//     product           exact, in [1, 4), not normalised
//     groups            products of even and of odd index, each with its own anchor
//     alignment         24 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor    none
//     product overflow  no finite product is large enough
//     addition          32 fraction bits of the sum, 24 of the addend, rounded downward
//     addition floor    -126
//     addend            dropped where its exponent lies more than 25 below the anchor
//     total             31 fraction bits, rounded downward
//     conversion        to nearest, ties to even, overflow to infinity
//     subnormals        operands kept, addend kept, result kept
//     NaN and zero      every NaN is 0x7fc00000, an exact zero sum is +0
//     latency           0 cycles; the module named _registered: 2
//
// The sum of a group, and that with the addend:
//
//     group  30 bits: sign, 5 integer, 24 fraction; bit 24 weighs 2^(anchor of the group)
//     bit      40    39..38   37..32     31..0
//     sum   | sign | carry  | integer | fraction |
//     bit 32 weighs 2^anchor, bit 0 weighs 2^(anchor - 32); lower bits of a term are cut
//
// Where the constants come from:
//
//     addition.addend_fraction_bits: [stated] Xie et al., arXiv 2511.10909v2
//     addition.addend_reach: [stated] c counts as zero where its exponent is below the anchor - 25: Xie et al., arXiv
//       2511.10909v2
//     addition.exponent_floor: [stated] a zero c has the exponent -126: Xie et al., arXiv 2511.10909v2
//     addition.groups: [stated] Xie et al., arXiv 2511.10909v2
//     addition.product_overflow: [stated] products of 2^128 and above are infinite: Xie et al., arXiv 2511.10909v2;
//       that an infinite c of the other sign then gives NaN is after IEEE 754
//     addition.rounding: [conflict] downward: Xie et al., arXiv 2511.10909v2, its answer -1 to the vector of table 8,
//       and the public model MMA-Sim 2.0.0 to 2.1.1; another version of that model truncates, which gives -0.5 there
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
//     products: [stated] blocks of 16, the first one first, chained through c: Xie et al., arXiv 2511.10909v2
//     scheme: [stated] the products are summed first, then c is added: Xie et al., arXiv 2511.10909v2
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909v2, whose public model MMA-Sim flushes none for CDNA3
//
// Emitted; regenerate with: tensorsmith emit cdna3-e5m2fnuz-fp32 --out DIR

module cdna3_e5m2fnuz_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused_then_add.
    localparam int Products      = 16,  // L: products summed at once
    localparam int OperandAWidth =  8,  // encoded a, e5m2fnuz
    localparam int OperandBWidth =  8,  // encoded b, e5m2fnuz
    localparam int AddendWidth   = 32,  // encoded c, binary32
    localparam int ResultWidth   = 32   // encoded d, binary32
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  tensorsmith_fused_then_add #(
      .Products(16), .Groups(2),
      // a: e5m2fnuz
      .OperandASignBits(1), .OperandAExponentBits(5), .OperandAFractionBits(2), .OperandAPaddingBits(0),
      .OperandABias(16), .OperandANonFinite(3),
      // b: e5m2fnuz
      .OperandBSignBits(1), .OperandBExponentBits(5), .OperandBFractionBits(2), .OperandBPaddingBits(0),
      .OperandBBias(16), .OperandBNonFinite(3),
      // c: binary32
      .AddendSignBits(1), .AddendExponentBits(8), .AddendFractionBits(23), .AddendPaddingBits(0), .AddendBias(127),
      .AddendNonFinite(1),
      // d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // products and their sum: lower bits cut off in sign and magnitude
      .DotFractionBits(24), .ProductRounding(0), .NormaliseProducts(0), .DotExponentFloor(-1000000),
      .ProductOverflow(1),
      // its sum with c: rounded downward
      .FractionBits(32), .AddendKeptBits(24), .AlignmentRounding(1), .ExponentFloor(-126), .AddendReach(25),
      .TotalFractionBits(31),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .NanWord(32'h7fc00000)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
