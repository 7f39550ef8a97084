// Unit tf64-chain-fp32-fp64. TF64 as published: one fp32 product, exact, added in fp64, rounded to nearest.
//
//     d = fma(a[0], b[0], c)
//
//     products      1
//     formats       a binary32, b binary32, c binary64, d binary64
//     step          fma(a, b, addend), rounded once; its result is the next step's addend
//     window        103 bits, 101 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands kept, addend kept, result kept, at each step
//     NaN and zero  every NaN is 0x7ff8000000000000, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of a step, in units of 2^(anchor - F):
//
//     bit     104     103    102..101    100..0
//     sum   | sign | carry | integer  | fraction |
//     bit 101 weighs 2^anchor, bit 0 weighs 2^(anchor - 101); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     conversion.exact_zero: [stated] IEEE 754-2019, 6.3
//     conversion.nan: [chosen] the canonical quiet NaN of IEEE 754
//     conversion.overflow: [stated] IEEE 754-2019, 7.4
//     conversion.rounding: [stated] the processor's fp64 addition: IEEE 754-2019, 4.3.1
//     formats: [stated] Valero-Lara et al., SC-W 2023, section 2.4: fp64 inputs are converted to fp32, multiplied
//       exactly and accumulated in fp64
//     products: [chosen] one, the step of the chain
//     scheme: [stated] the program of Valero-Lara et al., SC-W 2023 (TF32-TF64), on which figure 5 stands: products
//       of fp32 numbers in fp64, where they are exact, added one after the other. With this unit the published errors
//       follow to 12 digits: the study valero-lara-figure-5
//     subnormals: [stated] kept: IEEE 754-2019, 3.4
//
// Emitted; regenerate with: tensorsmith emit tf64-chain-fp32-fp64 --out DIR

module tf64_chain_fp32_fp64 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_operations.
    localparam int Products      =  1,  // L: products, added one after the other
    localparam int OperandAWidth = 32,  // encoded a, binary32
    localparam int OperandBWidth = 32,  // encoded b, binary32
    localparam int AddendWidth   = 64,  // encoded c, binary64
    localparam int ResultWidth   = 64   // encoded d, binary64
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
      // c, d: binary64
      .ResultExponentBits(11), .ResultFractionBits(52), .ResultPaddingBits(0), .ResultBias(1023), .ResultNonFinite(1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(0), .FlushOperands(0), .FlushAddend(0), .FlushResult(0),
      .NanWord(64'h7ff8000000000000)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
