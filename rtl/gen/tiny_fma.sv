// Unit tiny-fma. Small enough for all 2^24 inputs: a chain of two fused multiply-adds of e2m1 products.
//
//     d = fma(a[1], b[1], fma(a[0], b[0], c))
//
//     products      2
//     formats       a e2m1, b e2m1, c e5m2, d e5m2
//     step          fma(a, b, addend), rounded once; its result is the next step's addend
//     window        9 bits, 7 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands kept, addend kept, result kept, at each step
//     NaN and zero  every NaN is 0x7e, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of a step, in units of 2^(anchor - F):
//
//     bit      10      9      8..7       6..0
//     sum   | sign | carry | integer | fraction |
//     bit 7 weighs 2^anchor, bit 0 weighs 2^(anchor - 7); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     scheme: [chosen] two steps, so that the rounding of the first one shows
//
// Emitted; regenerate with: tensorsmith emit tiny-fma --out DIR

module tiny_fma #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_operations.
    localparam int Products      = 2,  // L: products, added one after the other
    localparam int OperandAWidth = 4,  // encoded a, e2m1
    localparam int OperandBWidth = 4,  // encoded b, e2m1
    localparam int AddendWidth   = 8,  // encoded c, e5m2
    localparam int ResultWidth   = 8   // encoded d, e5m2
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  tensorsmith_operations #(
      .Products(2), .Order(0), .Descending(0),
      // a: e2m1
      .OperandASignBits(1), .OperandAExponentBits(2), .OperandAFractionBits(1), .OperandAPaddingBits(0),
      .OperandABias(1), .OperandANonFinite(0),
      // b: e2m1
      .OperandBSignBits(1), .OperandBExponentBits(2), .OperandBFractionBits(1), .OperandBPaddingBits(0),
      .OperandBBias(1), .OperandBNonFinite(0),
      // c, d: e5m2
      .ResultExponentBits(5), .ResultFractionBits(2), .ResultPaddingBits(0), .ResultBias(15), .ResultNonFinite(1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(0), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .NanWord(8'h7e)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
