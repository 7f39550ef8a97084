// Unit tiny-even-odd. Small enough for all 2^24 inputs: an even and an odd product, each the first of its chain, their sum, then c.
//
//     d = (fma(a[0], b[0], +0) + fma(a[1], b[1], +0)) + c
//
//     products      2
//     formats       a e2m1, b e2m1, c e3m4, d e3m4
//     step          fma(a, b, addend), rounded once; even and odd products in two chains from +0, then their sum, then c
//     window        11 bits, 9 of them fraction; lower bits are sticky
//     sum window    8 bits, 7 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands kept, addend flushed, result flushed, at each step
//     NaN and zero  every NaN is 0x78, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of a step, in units of 2^(anchor - F):
//
//     bit      12     11      10..9      8..0
//     sum   | sign | carry | integer | fraction |
//     bit 9 weighs 2^anchor, bit 0 weighs 2^(anchor - 9); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     formats: [chosen] products may be subnormal, and may overflow
//     scheme: [chosen] one product a chain, so that all inputs can be enumerated
//
// Emitted; regenerate with: tensorsmith emit tiny-even-odd --out DIR

module tiny_even_odd #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_operations.
    localparam int Products      = 2,  // L: products, half of them in each chain
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
      .Products(2), .Order(1),
      // a: e2m1
      .OperandASignBits(1), .OperandAExponentBits(2), .OperandAFractionBits(1), .OperandAPaddingBits(0),
      .OperandABias(1), .OperandANonFinite(0),
      // b: e2m1
      .OperandBSignBits(1), .OperandBExponentBits(2), .OperandBFractionBits(1), .OperandBPaddingBits(0),
      .OperandBBias(1), .OperandBNonFinite(0),
      // c, d: e3m4
      .ResultExponentBits(3), .ResultFractionBits(4), .ResultPaddingBits(0), .ResultBias(1), .ResultNonFinite(1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(0), .FlushOperands(0), .FlushAddend(1), .FlushResult(1), .NanWord(8'h78)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
