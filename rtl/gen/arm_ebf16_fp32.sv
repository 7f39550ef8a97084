// Unit arm-ebf16-fp32. Arm BFDOT, BFMMLA with FPCR.EBF = 1: the exact sum of two products, rounded once, then its sum with c.
//
//     d = c + (a[0]*b[0] + a[1]*b[1])
//
//     products      2
//     formats       a bfloat16, b bfloat16, c binary32, d binary32
//     step          the sum of two products, rounded once; or the sum of that and the last sum, c at first, rounded once
//     window        35 bits, 33 of them fraction; lower bits are sticky
//     sum window    27 bits, 26 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands kept, addend kept, result kept, at each step
//     NaN and zero  every NaN is 0x7fc00000, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of two products, in units of 2^(anchor - F):
//
//     bit      36     35     34..33     32..0
//     sum   | sign | carry | integer | fraction |
//     bit 33 weighs 2^anchor, bit 0 weighs 2^(anchor - 33); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     conversion.exact_zero: [stated] Arm Architecture Reference Manual, FPDot and FPAdd: zeros of one sign keep it,
//       any other exact zero is +0
//     conversion.nan: [stated] Arm Architecture Reference Manual, BFDotAdd: FPCR.DN is taken as 1, so that every NaN
//       is FPDefaultNaN, 0x7fc00000 where FPCR.AH is 0
//     conversion.overflow: [stated] Arm Architecture Reference Manual, FPRound: as the rounding says
//     conversion.rounding: [stated] Arm Architecture Reference Manual, FPDot and FPAdd: as FPCR.RMode says, to nearest
//       even where it is 0
//     products: [stated] Arm Architecture Reference Manual, BFDOT: pairs of adjacent elements
//     scheme: [stated] Arm Architecture Reference Manual, BFDotAdd with FPCR.EBF = 1: FPDot of both pairs, one
//       rounding, then FPAdd of the addend
//     subnormals: [stated] Arm Architecture Reference Manual, FPUnpackBase and FPRound: kept where FPCR.FZ, FPCR.FIZ
//       and FPCR.AH are 0
//
// Emitted; regenerate with: tensorsmith emit arm-ebf16-fp32 --out DIR

module arm_ebf16_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_operations.
    localparam int Products      =  2,  // L: products, added two by two
    localparam int OperandAWidth = 16,  // encoded a, bfloat16
    localparam int OperandBWidth = 16,  // encoded b, bfloat16
    localparam int AddendWidth   = 32,  // encoded c, binary32
    localparam int ResultWidth   = 32   // encoded d, binary32
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  tensorsmith_operations #(
      .Products(2), .Order(3),
      // a: bfloat16
      .OperandASignBits(1), .OperandAExponentBits(8), .OperandAFractionBits(7), .OperandAPaddingBits(0),
      .OperandABias(127), .OperandANonFinite(1),
      // b: bfloat16
      .OperandBSignBits(1), .OperandBExponentBits(8), .OperandBFractionBits(7), .OperandBPaddingBits(0),
      .OperandBBias(127), .OperandBNonFinite(1),
      // c, d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(0), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .NanWord(32'h7fc00000)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
