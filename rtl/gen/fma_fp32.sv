// Unit fma-fp32. IEEE 754 fused multiply-add of fp32 numbers, rounded to nearest.
//
//     d = fma(a[0], b[0], c)
//
//     products      1
//     formats       a binary32, b binary32, c binary32, d binary32
//     step          fma(a, b, addend), rounded once; its result is the next step's addend
//     window        74 bits, 72 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands kept, addend kept, result kept, at each step
//     NaN and zero  every NaN is 0x7fffffff, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of a step, in units of 2^(anchor - F):
//
//     bit      75     74     73..72     71..0
//     sum   | sign | carry | integer | fraction |
//     bit 72 weighs 2^anchor, bit 0 weighs 2^(anchor - 72); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     conversion.exact_zero: [stated] IEEE 754-2019, 6.3
//     conversion.nan: [stated] results of NaN operands are 0x7fffffff (CUDA C++ Programming Guide, floating-point
//       standard)
//     scheme: [stated] the fma instruction of NVIDIA's ordinary cores is the one of IEEE 754 (CUDA C++ Programming
//       Guide, floating-point standard)
//     subnormals: [stated] kept, unless compiled with -ftz=true (CUDA C++ Programming Guide, floating-point standard)
//
// Emitted; regenerate with: tensorsmith emit fma-fp32 --out DIR

module fma_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_operations.
    localparam int Products      =  1,  // L: products, added one after the other
    localparam int OperandAWidth = 32,  // encoded a, binary32
    localparam int OperandBWidth = 32,  // encoded b, binary32
    localparam int AddendWidth   = 32,  // encoded c, binary32
    localparam int ResultWidth   = 32   // encoded d, binary32
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  tensorsmith_operations #(
      .Products(1), .Order(0), .Descending(0),
      // a: binary32
      .OperandASignBits(1), .OperandAExponentBits(8), .OperandAFractionBits(23), .OperandAPaddingBits(0),
      .OperandABias(127), .OperandANonFinite(1),
      // b: binary32
      .OperandBSignBits(1), .OperandBExponentBits(8), .OperandBFractionBits(23), .OperandBPaddingBits(0),
      .OperandBBias(127), .OperandBNonFinite(1),
      // c, d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(0), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .NanWord(32'h7fffffff)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
