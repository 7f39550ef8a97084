// Unit tiny-pairwise. Small enough for all 2^24 inputs: two e2m1 products rounded to odd, their sum, then c.
//
//     d = (a[0]*b[0] + a[1]*b[1]) + c
//
//     products        2
//     formats         a e2m1, b e2m1, c e3m4, d e3m4
//     step            a product, rounded once; or a sum of two, rounded once: the two oldest values that wait, c last
//     product window  9 bits, 7 of them fraction; lower bits are sticky
//     sum window      8 bits, 7 of them fraction; lower bits are sticky
//     conversion      to odd, overflow to infinity
//     subnormals      operands flushed to +0, addend flushed to +0, result flushed, at each step
//     NaN and zero    every NaN is 0x78, exact zero sums as in IEEE 754-2019, 6.3
//     latency         0 cycles; the module named _registered: 2
//
// The sum of two, in units of 2^(anchor - F):
//
//     bit      9       8        7        6..0
//     sum   | sign | carry | integer | fraction |
//     bit 7 weighs 2^anchor, bit 0 weighs 2^(anchor - 7); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     formats: [chosen] products may be subnormal, and sums may overflow
//     scheme: [chosen] two products, so that the tree has a sum, and rounding to odd at each step
//
// Emitted; regenerate with: tensorsmith emit tiny-pairwise --out DIR

module tiny_pairwise #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_operations.
    localparam int Products      = 2,  // L: products, added in a tree
    localparam int OperandAWidth = 4,  // encoded a, e2m1
    localparam int OperandBWidth = 4,  // encoded b, e2m1
    localparam int AddendWidth   = 8,  // encoded c, e3m4
    localparam int ResultWidth   = 8   // encoded d, e3m4
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  tensorsmith_operations #(
      .Products(2), .Order(2),
      // a: e2m1
      .OperandASignBits(1), .OperandAExponentBits(2), .OperandAFractionBits(1), .OperandAPaddingBits(0),
      .OperandABias(1), .OperandANonFinite(0),
      // b: e2m1
      .OperandBSignBits(1), .OperandBExponentBits(2), .OperandBFractionBits(1), .OperandBPaddingBits(0),
      .OperandBBias(1), .OperandBNonFinite(0),
      // c, d: e3m4
      .ResultExponentBits(3), .ResultFractionBits(4), .ResultPaddingBits(0), .ResultBias(1), .ResultNonFinite(1),
      // conversion: to odd
      .ResultRounding(5), .Overflow(1), .FlushOperands(2), .FlushAddend(2), .FlushResult(1), .NanWord(8'h78)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
