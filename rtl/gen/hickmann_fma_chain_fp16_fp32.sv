// Unit hickmann-fma-chain-fp16-fp32. Chain of four fused multiply-adds of fp16 products in fp32, a candidate of Hickmann and Bradford.
//
//     d = fma(a[3], b[3], ... fma(a[0], b[0], c))
//
//     products      4
//     formats       a binary16, b binary16, c binary32, d binary32
//     step          fma(a, b, addend), rounded once; its result is the next step's addend
//     window        48 bits, 46 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands kept, addend kept, result kept, at each step
//     NaN and zero  every NaN is 0x7fc00000, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of a step, in units of 2^(anchor - F):
//
//     bit      49     48     47..46     45..0
//     sum   | sign | carry | integer | fraction |
//     bit 46 weighs 2^anchor, bit 0 weighs 2^(anchor - 46); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     conversion.rounding: [chosen] to nearest, ties to even
//     products: [stated] Hickmann and Bradford, ARITH 2019, slides, Possible Micro-Architectures: four products, as in
//       the HMMA of Volta
//     scheme: [stated] Hickmann and Bradford, ARITH 2019, slides, Possible Micro-Architectures: a chain of FMAs
//     subnormals: [chosen] kept
//     sum.order: [chosen] the first product first
//
// Emitted; regenerate with: tensorsmith emit hickmann-fma-chain-fp16-fp32 --out DIR

module hickmann_fma_chain_fp16_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_operations.
    localparam int Products      =  4,  // L: products, added one after the other
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

  tensorsmith_operations #(
      .Products(4), .Order(0), .Descending(0),
      // a: binary16
      .OperandASignBits(1), .OperandAExponentBits(5), .OperandAFractionBits(10), .OperandAPaddingBits(0),
      .OperandABias(15), .OperandANonFinite(1),
      // b: binary16
      .OperandBSignBits(1), .OperandBExponentBits(5), .OperandBFractionBits(10), .OperandBPaddingBits(0),
      .OperandBBias(15), .OperandBNonFinite(1),
      // c, d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(0), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .NanWord(32'h7fc00000)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
