// Unit arm-bf16-fp32. Arm BFDOT, BFMMLA (Armv8.6-A): two products, their sum, then c, each rounded to odd.
//
//     d = (a[0]*b[0] + a[1]*b[1]) + c
//
//     products        2
//     formats         a bfloat16, b bfloat16, c binary32, d binary32
//     step            a product, rounded once; or a sum of two, rounded once: the two oldest values that wait, c last
//     product window  28 bits, 26 of them fraction; lower bits are sticky
//     sum window      27 bits, 26 of them fraction; lower bits are sticky
//     conversion      to odd, overflow to infinity
//     subnormals      operands flushed, addend flushed, result flushed, at each step
//     NaN and zero    every NaN is 0x7fc00000, exact zero sums as in IEEE 754-2019, 6.3
//     latency         0 cycles; the module named _registered: 2
//
// The sum of two, in units of 2^(anchor - F):
//
//     bit      28     27       26       25..0
//     sum   | sign | carry | integer | fraction |
//     bit 26 weighs 2^anchor, bit 0 weighs 2^(anchor - 26); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     conversion.exact_zero: [stated] Arm Architecture Reference Manual, BFAdd: zeros of one sign keep it, any other
//       exact zero is +0
//     conversion.nan: [stated] Arm Architecture Reference Manual, BFMulH and BFAdd: FPDefaultNaN, 0x7fc00000
//     conversion.overflow: [stated] Arm Architecture Reference Manual, BFRound: overflow gives an infinity of the
//       result's sign
//     conversion.rounding: [stated] Arm Architecture Reference Manual, BFRound: to odd, whatever FPCR says
//     products: [stated] Arm Architecture Reference Manual, BFDOT: pairs of adjacent elements
//     scheme: [stated] Arm Architecture Reference Manual, BFDotAdd: BFMulH of both pairs, BFAdd of the products, BFAdd
//       of the addend
//     subnormals: [stated] Arm Architecture Reference Manual, BFUnpack and BFRound: subnormal inputs and results
//       become zero of their sign; results before rounding, which rounding to odd cannot tell from after
//
// Emitted; regenerate with: tensorsmith emit arm-bf16-fp32 --out DIR

module arm_bf16_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_operations.
    localparam int Products      =  2,  // L: products, added in a tree
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
      .Products(2), .Order(2),
      // a: bfloat16
      .OperandASignBits(1), .OperandAExponentBits(8), .OperandAFractionBits(7), .OperandAPaddingBits(0),
      .OperandABias(127), .OperandANonFinite(1),
      // b: bfloat16
      .OperandBSignBits(1), .OperandBExponentBits(8), .OperandBFractionBits(7), .OperandBPaddingBits(0),
      .OperandBBias(127), .OperandBNonFinite(1),
      // c, d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // conversion: to odd
      .ResultRounding(5), .Overflow(1), .FlushOperands(1), .FlushAddend(1), .FlushResult(1), .NanWord(32'h7fc00000)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
