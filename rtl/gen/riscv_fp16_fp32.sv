// Unit riscv-fp16-fp32. RISC-V bulk normalisation: 4 fp16 products, fp32 result, flags.
//
//     d = convert(a[0]*b[0] + ... + a[3]*b[3])
//
//     products        4
//     formats         a binary16, b binary16, d binary32
//     product         exact, in [1, 4), not normalised
//     alignment       25 fraction bits, rounded to odd
//     exponent floor  none
//     carry bits      2, as many as any sum can need
//     conversion      to odd, overflow to infinity
//     subnormals      operands kept, result kept
//     NaN and zero    every NaN is 0x7fc00000, an exact zero sum is +0
//     flags           invalid, overflow: flags_o, from the top bit down; above d in the answers of engines
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      29    28..27   26..25     24..0
//     sum   | sign | carry  | integer | fraction |
//     bit 25 weighs 2^anchor, bit 0 weighs 2^(anchor - 25); lower bits of a term are ORed into bit 0
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
//     formats: [stated] symmetric products; the draft leaves formats to the extensions that use it
//     products: [chosen] n is a constant of each operation (RVBNA, note on n); 4 here
//     scheme: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: one alignment, one exact sum,
//       one conversion, no addend; its prose is followed where its pseudo-code differs: UNIT_FILE.md, RISC-V bulk
//       normalisation
//     subnormals: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: kept in operands and result
//     sum.carry_bits: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: o = ceil(log2 n) overflow
//       bits above two integer bits
//
// Emitted; regenerate with: tensorsmith emit riscv-fp16-fp32 --out DIR

module riscv_fp16_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused.
    localparam int Products      =  4,  // L: products summed at once
    localparam int OperandAWidth = 16,  // encoded a, binary16
    localparam int OperandBWidth = 16,  // encoded b, binary16
    localparam int ResultWidth   = 32,  // encoded d, binary32
    localparam int FlagsWidth    =  2   // exception flags: invalid, overflow
) (
    input  logic [Products*OperandAWidth-1:0] a_i,     // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,     // b, element 0 in the lowest bits
    output logic [ResultWidth-1:0]            d_o,     // d
    output logic [FlagsWidth-1:0]             flags_o  // invalid, overflow
);

  tensorsmith_fused #(
      .Products(4),
      // a: binary16
      .OperandASignBits(1), .OperandAExponentBits(5), .OperandAFractionBits(10), .OperandAPaddingBits(0),
      .OperandABias(15), .OperandANonFinite(1),
      // b: binary16
      .OperandBSignBits(1), .OperandBExponentBits(5), .OperandBFractionBits(10), .OperandBPaddingBits(0),
      .OperandBBias(15), .OperandBNonFinite(1),
      // c: none
      .HasAddend(0),
      // d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // alignment and sum: rounded to odd
      .FractionBits(25), .AlignmentRounding(3), .NormaliseProducts(0), .ExponentFloor(-1000000), .CarryBits(-1),
      // conversion: to odd
      .ResultRounding(5), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .HasFlags(1), .NanWord(32'h7fc00000)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(32'h0), .d_o(d_o), .flags_o(flags_o)
  );

endmodule
