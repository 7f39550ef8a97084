// Unit cdna2-bf16-fp32. AMD CDNA2 matrix cores, bf16 operands: 2 rounded products, a tree of rounded sums, then c.
//
//     d = (a[0]*b[0] + a[1]*b[1]) + c
//
//     products        2
//     formats         a bfloat16, b bfloat16, c binary32, d binary32
//     step            a product, rounded once; or a sum of two, rounded once: the two oldest values that wait, c last
//     product window  28 bits, 26 of them fraction; lower bits are sticky
//     sum window      27 bits, 26 of them fraction; lower bits are sticky
//     conversion      to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals      operands flushed to +0, addend flushed to +0, result flushed, at each step
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
//     conversion.exact_zero: [chosen] the signs of IEEE 754-2019, 6.3; no source names them
//     conversion.nan: [chosen] the canonical quiet NaN; no source names the encoding
//     conversion.rounding: [stated] Xie et al., arXiv 2511.10909: to nearest, ties to even, after every operation
//     products: [stated] Xie et al., arXiv 2511.10909: blocks of 2
//     scheme: [stated] Xie et al., arXiv 2511.10909: products rounded to fp32, p0 + p1, then c, each rounded to
//       nearest
//     subnormals: [conflict] Xie et al., arXiv 2511.10909: subnormal inputs become +0 whatever their sign, subnormal
//       results become zero of their sign after every operation; an input -0 keeps its sign, as the paper does not
//       name it, but the public model MMA-Sim 2.1.1 turns it into +0 too; that a sum which rounds up to the least
//       normal number stays is chosen
//
// Emitted; regenerate with: tensorsmith emit cdna2-bf16-fp32 --out DIR

module cdna2_bf16_fp32 #(
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
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(0), .FlushOperands(2), .FlushAddend(2), .FlushResult(1), .NanWord(32'h7fc00000)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
