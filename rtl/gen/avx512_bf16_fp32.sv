// Unit avx512-bf16-fp32. Intel AVX512-BF16 vdpbf16ps: two fused multiply-adds, the odd element first.
//
//     d = fma(a[0], b[0], fma(a[1], b[1], c))
//
//     products      2
//     formats       a bfloat16, b bfloat16, c binary32, d binary32
//     step          fma(a, b, addend), rounded once; its result is the next step's addend
//     window        42 bits, 40 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands flushed, addend flushed, result flushed if tiny, at each step
//     NaN and zero  every NaN is 0xffc00000, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of a step, in units of 2^(anchor - F):
//
//     bit      43     42     41..40     39..0
//     sum   | sign | carry | integer | fraction |
//     bit 40 weighs 2^anchor, bit 0 weighs 2^(anchor - 40); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     conversion.exact_zero: [live] -0 + -0 is -0, as IEEE 754-2019, 6.3, says: compared with the instruction
//     conversion.nan: [live] infinity times zero and infinities of both signs give 0xffc00000 on the processor; the
//       payload of a NaN operand, which it passes on quieted, is not modelled
//     conversion.rounding: [live] to nearest, whatever MXCSR says (Intel SDM, VDPBF16PS); compared with the
//       instruction
//     scheme: [live] d = fma(a0, b0, fma(a1, b1, c)): compared with the instruction, no result in 10,000,000 differs
//     subnormals: [live] subnormal operands and addends count as zero of their sign, whatever MXCSR says (Intel SDM,
//       VDPBF16PS); a result is flushed where it is tiny after rounding as if exponents had no bound: 2^-126 - 2^-150
//       becomes 0 and 2^-126 - 2^-151 becomes 2^-126 (compared with the instruction)
//     sum.order: [live] the element of odd index is added first: compared with the instruction
//
// Emitted; regenerate with: tensorsmith emit avx512-bf16-fp32 --out DIR

module avx512_bf16_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_operations.
    localparam int Products      =  2,  // L: products, added one after the other
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
      .Products(2), .Order(0), .Descending(1),
      // a: bfloat16
      .OperandASignBits(1), .OperandAExponentBits(8), .OperandAFractionBits(7), .OperandAPaddingBits(0),
      .OperandABias(127), .OperandANonFinite(1),
      // b: bfloat16
      .OperandBSignBits(1), .OperandBExponentBits(8), .OperandBFractionBits(7), .OperandBPaddingBits(0),
      .OperandBBias(127), .OperandBNonFinite(1),
      // c, d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(0), .FlushOperands(1), .FlushAddend(1), .FlushResult(2), .NanWord(32'hffc00000)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
