// Unit tiny-riscv. Small enough for all 2^22 inputs: RISC-V bulk normalisation of two products, flags.
//
//     d = convert(a[0]*b[0] + ... + a[1]*b[1])
//
//     products        2
//     formats         a e2m2, b e3m2, d e3m3
//     product         exact, in [1, 4), not normalised
//     alignment       4 fraction bits, rounded to odd
//     exponent floor  none
//     carry bits      1, as many as any sum can need
//     conversion      to odd, overflow to infinity
//     subnormals      operands kept, result kept
//     NaN and zero    every NaN is 0x3c, an exact zero sum is +0
//     flags           invalid, overflow: flags_o, from the top bit down; above d in the answers of engines
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      7       6      5..4       3..0
//     sum   | sign | carry | integer | fraction |
//     bit 4 weighs 2^anchor, bit 0 weighs 2^(anchor - 4); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     alignment.exponent_floor: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: only the reference
//       exponents of nonzero products decide
//     alignment.fraction_bits: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: products are
//       extended to q - 1 + g fraction bits, g = ceil(log2 n)
//     alignment.normalise_products: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: reference
//       exponents are sums of the factors' biased exponents, 1 for a subnormal factor
//     alignment.rounding: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: discarded bits are ORed
//       into the last one
//     conversion.exact_zero: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: plus zero, whatever
//       the signs of the terms
//     conversion.flags: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: invalid and overflow, no
//       other; the flags themselves are optional here
//     conversion.nan: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: the canonical quiet NaN
//     conversion.overflow: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: infinity, where rounding
//       to odd would give the largest number
//     conversion.rounding: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: rounding to odd,
//       subnormal results too
//     formats: [chosen] chosen: small, asymmetric, with signalling and quiet NaN
//     products: [chosen] the least n that sums
//     scheme: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: one alignment, one exact sum,
//       one conversion, no addend; its prose is followed where its pseudo-code differs: UNIT_FILE.md, RISC-V bulk
//       normalisation
//     subnormals: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: kept in operands and result
//     sum.carry_bits: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: o = ceil(log2 n) overflow
//       bits above two integer bits
//
// Emitted; regenerate with: tensorsmith emit tiny-riscv --out DIR

module tiny_riscv #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused.
    localparam int Products      = 2,  // L: products summed at once
    localparam int OperandAWidth = 5,  // encoded a, e2m2
    localparam int OperandBWidth = 6,  // encoded b, e3m2
    localparam int ResultWidth   = 7,  // encoded d, e3m3
    localparam int FlagsWidth    = 2   // exception flags: invalid, overflow
) (
    input  logic [Products*OperandAWidth-1:0] a_i,     // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,     // b, element 0 in the lowest bits
    output logic [ResultWidth-1:0]            d_o,     // d
    output logic [FlagsWidth-1:0]             flags_o  // invalid, overflow
);

  tensorsmith_fused #(
      .Products(2),
      // a: e2m2
      .OperandASignBits(1), .OperandAExponentBits(2), .OperandAFractionBits(2), .OperandAPaddingBits(0),
      .OperandABias(1), .OperandANonFinite(1),
      // b: e3m2
      .OperandBSignBits(1), .OperandBExponentBits(3), .OperandBFractionBits(2), .OperandBPaddingBits(0),
      .OperandBBias(3), .OperandBNonFinite(1),
      // c: none
      .HasAddend(0),
      // d: e3m3
      .ResultExponentBits(3), .ResultFractionBits(3), .ResultPaddingBits(0), .ResultBias(3), .ResultNonFinite(1),
      // alignment and sum: rounded to odd
      .FractionBits(4), .AlignmentRounding(5), .NormaliseProducts(0), .ExponentFloor(-1000000), .CarryBits(-1),
      // conversion: to odd
      .ResultRounding(5), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .HasFlags(1), .NanWord(7'h3c)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(32'h0), .d_o(d_o), .flags_o(flags_o)
  );

endmodule
