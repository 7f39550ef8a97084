// Unit tf64-tf32-fp64. TF64 with fewer fraction bits: 4 tf32 products, fp64 result.
//
//     d = convert(c + a[0]*b[0] + ... + a[3]*b[3])
//
//     products        4
//     formats         a tf32, b tf32, c binary64, d binary64
//     product         exact, in [1, 4), not normalised
//     alignment       53 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  none
//     carry bits      3, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fffffffffffffff, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      58    57..55   54..53     52..0
//     sum   | sign | carry  | integer | fraction |
//     bit 53 weighs 2^anchor, bit 0 weighs 2^(anchor - 53); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [chosen] none: no floor near the least exponent of fp64 could act, every product lies
//       far above
//     alignment.fraction_bits: [chosen] as TF32 on Ampere, which keeps one fraction bit more than its result has: 24
//       for fp32, 53 for fp64. As on Hopper it would be 54
//     alignment.normalise_products: [chosen] products stay in [1, 4), as TF32's on Ampere
//     alignment.rounding: [chosen] terms are cut in magnitude, as TF32's on Ampere
//     conversion.exact_zero: [chosen] plus zero, as TF32's on Ampere
//     conversion.nan: [chosen] all ones but the sign, as TF32's on Ampere
//     conversion.overflow: [chosen] infinity, as TF32's on Ampere
//     conversion.rounding: [chosen] truncated, as TF32's on Ampere
//     formats: [stated] Valero-Lara et al., SC-W 2023, section 5, asks for TF64 formats of even lower precision, with
//       fewer exponent and fraction bits; here 10 fraction bits
//     products: [chosen] 16 bytes of a, as on Ampere: 4 tf32 words, 8 fp16 numbers, 16 fp8 numbers; so 4 tf32 words.
//       On Hopper it is twice that
//     scheme: [chosen] Valero-Lara et al., SC-W 2023, section 2.4, extends the TF32 framework: exact products,
//       accumulation in fp64. The text does not say how it accumulates; its program adds in fp64, as the unit
//       tf64-chain-fp32-fp64. This is a unit that hardware could have: it sums as TF32 does on the tensor cores of
//       Ampere, on which the paper measures
//     subnormals: [chosen] kept, as TF32's on Ampere
//     sum.carry_bits: [chosen] ceil(log2(L + 1)), as many as always suffice
//
// Emitted; regenerate with: tensorsmith emit tf64-tf32-fp64 --out DIR

module tf64_tf32_fp64 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused.
    localparam int Products      =  4,  // L: products summed at once
    localparam int OperandAWidth = 32,  // encoded a, tf32
    localparam int OperandBWidth = 32,  // encoded b, tf32
    localparam int AddendWidth   = 64,  // encoded c, binary64
    localparam int ResultWidth   = 64   // encoded d, binary64
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  logic [1:0] unused_flags;  // always 0

  tensorsmith_fused #(
      .Products(4),
      // a: tf32
      .OperandASignBits(1), .OperandAExponentBits(8), .OperandAFractionBits(10), .OperandAPaddingBits(13),
      .OperandABias(127), .OperandANonFinite(1),
      // b: tf32
      .OperandBSignBits(1), .OperandBExponentBits(8), .OperandBFractionBits(10), .OperandBPaddingBits(13),
      .OperandBBias(127), .OperandBNonFinite(1),
      // c: binary64
      .AddendSignBits(1), .AddendExponentBits(11), .AddendFractionBits(52), .AddendPaddingBits(0), .AddendBias(1023),
      .AddendNonFinite(1),
      // d: binary64
      .ResultExponentBits(11), .ResultFractionBits(52), .ResultPaddingBits(0), .ResultBias(1023), .ResultNonFinite(1),
      // alignment and sum: lower bits cut off in sign and magnitude
      .FractionBits(53), .AlignmentRounding(0), .NormaliseProducts(0), .ExponentFloor(-1000000), .CarryBits(-1),
      // conversion: truncation
      .ResultRounding(0), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .HasFlags(0), .NanWord(64'h7fffffffffffffff)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o), .flags_o(unused_flags)
  );

endmodule
