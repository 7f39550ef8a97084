// Unit tiny-pair-chain. Small enough for all 2^21 inputs: the exact sum of two products, rounded, then added to c.
//
//     d = c + (a[0]*b[0] + a[1]*b[1])
//
//     products      2
//     formats       a e3m1, b e1m1, c e2m2, d e2m2
//     step          the sum of two products, rounded once; or the sum of that and the last sum, c at first, rounded once
//     window        8 bits, 6 of them fraction; lower bits are sticky
//     sum window    6 bits, 5 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands kept, addend kept, result kept, at each step
//     NaN and zero  every NaN is 0xe, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of two products, in units of 2^(anchor - F):
//
//     bit      9       8      7..6       5..0
//     sum   | sign | carry | integer | fraction |
//     bit 6 weighs 2^anchor, bit 0 weighs 2^(anchor - 6); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     formats: [chosen] products lose bits below the window, both may lie below d's least normal number, and their sum
//       may overflow
//     scheme: [chosen] one sum of two products, which is rounded before c is added
//
// Emitted; regenerate with: tensorsmith emit tiny-pair-chain --out DIR

module tiny_pair_chain #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_operations.
    localparam int Products      = 2,  // L: products, added two by two
    localparam int OperandAWidth = 5,  // encoded a, e3m1
    localparam int OperandBWidth = 3,  // encoded b, e1m1
    localparam int AddendWidth   = 5,  // encoded c, e2m2
    localparam int ResultWidth   = 5   // encoded d, e2m2
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  tensorsmith_operations #(
      .Products(2), .Order(3),
      // a: e3m1
      .OperandASignBits(1), .OperandAExponentBits(3), .OperandAFractionBits(1), .OperandAPaddingBits(0),
      .OperandABias(3), .OperandANonFinite(0),
      // b: e1m1
      .OperandBSignBits(1), .OperandBExponentBits(1), .OperandBFractionBits(1), .OperandBPaddingBits(0),
      .OperandBBias(1), .OperandBNonFinite(0),
      // c, d: e2m2
      .ResultExponentBits(2), .ResultFractionBits(2), .ResultPaddingBits(0), .ResultBias(-3), .ResultNonFinite(1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(0), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .NanWord(5'he)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
