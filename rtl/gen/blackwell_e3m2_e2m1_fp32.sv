// Unit blackwell-e3m2-e2m1-fp32. NVIDIA Blackwell, kind f8f6f4: one block of 32 products of e3m2 and e2m1, fp32 result.
//
//     d = convert(c + a[0]*b[0] + ... + a[31]*b[31])
//
//     products        32
//     formats         a e3m2, b e2m1, c binary32, d binary32
//     product         exact, in [1, 4), not normalised
//     alignment       25 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -133
//     carry bits      6, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fffffff, an exact zero sum is +0
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
//     alignment.exponent_floor: [stated] Xie et al., arXiv 2511.10909; it cannot act: every product and every nonzero
//       addend lies above
//     alignment.fraction_bits: [stated] Xie et al., arXiv 2511.10909; e3m2 and e2m3 after the other formats of the
//       same instruction
//     alignment.normalise_products: [stated] as with fp16 operands
//     alignment.rounding: [stated] Xie et al., arXiv 2511.10909; e3m2 and e2m3 after the other formats of the same
//       instruction
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909. No recording tests it
//     conversion.nan: [stated] 0x7fffffff: Xie et al., arXiv 2511.10909. No recording holds a NaN
//     conversion.overflow: [stated] infinity also when truncating; Xie et al., arXiv 2511.10909. No recording tests it
//     conversion.rounding: [stated] Xie et al., arXiv 2511.10909; e3m2 and e2m3 after the other formats of the same
//       instruction
//     products: [stated] Xie et al., arXiv 2511.10909; e3m2 and e2m3 after the other formats of the same instruction
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909
//     sum.carry_bits: [stated] ceil(log2(L + 1)) always suffice; one less would with significands as short as these
//
// Emitted; regenerate with: tensorsmith emit blackwell-e3m2-e2m1-fp32 --out DIR

module blackwell_e3m2_e2m1_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused.
    localparam int Products      = 32,  // L: products summed at once
    localparam int OperandAWidth =  6,  // encoded a, e3m2
    localparam int OperandBWidth =  4,  // encoded b, e2m1
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
      .Products(32),
      // a: e3m2
      .OperandASignBits(1), .OperandAExponentBits(3), .OperandAFractionBits(2), .OperandAPaddingBits(0),
      .OperandABias(3), .OperandANonFinite(0),
      // b: e2m1
      .OperandBSignBits(1), .OperandBExponentBits(2), .OperandBFractionBits(1), .OperandBPaddingBits(0),
      .OperandBBias(1), .OperandBNonFinite(0),
      // c: binary32
      .AddendSignBits(1), .AddendExponentBits(8), .AddendFractionBits(23), .AddendPaddingBits(0), .AddendBias(127),
      .AddendNonFinite(1),
      // d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // alignment and sum: lower bits cut off in sign and magnitude
      .FractionBits(25), .AlignmentRounding(0), .NormaliseProducts(0), .ExponentFloor(-133), .CarryBits(-1),
      // conversion: truncation
      .ResultRounding(0), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .HasFlags(0), .NanWord(32'h7fffffff)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o), .flags_o(unused_flags)
  );

endmodule
