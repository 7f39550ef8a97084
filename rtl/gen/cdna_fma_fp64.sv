// Unit cdna-fma-fp64. AMD CDNA matrix cores with fp64 operands: IEEE 754 fused multiply-add, rounded to nearest.
//
//     d = fma(a[0], b[0], c)
//
//     products      1
//     formats       a binary64, b binary64, c binary64, d binary64
//     step          fma(a, b, addend), rounded once; its result is the next step's addend
//     window        161 bits, 159 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands kept, addend kept, result kept, at each step
//     NaN and zero  every NaN is 0x7ff8000000000000, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of a step, in units of 2^(anchor - F):
//
//     bit     162     161    160..159    158..0
//     sum   | sign | carry | integer  | fraction |
//     bit 159 weighs 2^anchor, bit 0 weighs 2^(anchor - 159); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     conversion.exact_zero: [stated] IEEE 754-2019, 6.3
//     conversion.nan: [chosen] 0x7ff8000000000000, the canonical quiet NaN of IEEE 754; no source says which NaN the
//       hardware gives
//     scheme: [stated] a chain of fused multiply-adds, each rounded to nearest: Xie et al., arXiv 2511.10909v2
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909v2, whose public model MMA-Sim flushes none with these
//       operands
//
// Emitted; regenerate with: tensorsmith emit cdna-fma-fp64 --out DIR

module cdna_fma_fp64 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_operations.
    localparam int Products      =  1,  // L: products, added one after the other
    localparam int OperandAWidth = 64,  // encoded a, binary64
    localparam int OperandBWidth = 64,  // encoded b, binary64
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
      // a: binary64
      .OperandASignBits(1), .OperandAExponentBits(11), .OperandAFractionBits(52), .OperandAPaddingBits(0),
      .OperandABias(1023), .OperandANonFinite(1),
      // b: binary64
      .OperandBSignBits(1), .OperandBExponentBits(11), .OperandBFractionBits(52), .OperandBPaddingBits(0),
      .OperandBBias(1023), .OperandBNonFinite(1),
      // c, d: binary64
      .ResultExponentBits(11), .ResultFractionBits(52), .ResultPaddingBits(0), .ResultBias(1023), .ResultNonFinite(1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(0), .FlushOperands(0), .FlushAddend(0), .FlushResult(0),
      .NanWord(64'h7ff8000000000000)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
