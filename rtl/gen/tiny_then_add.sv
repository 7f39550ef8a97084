// Unit tiny-then-add. Small enough for all 2^24 inputs: two e2m1 products summed, then c added, both rounded downward.
//
//     d = convert(c + (a[0]*b[0] + ... + a[1]*b[1]))
//
//     products          2
//     formats           a e2m1, b e2m1, c e3m4, d e3m4
//     product           exact, in [1, 4), not normalised
//     groups            all products share one anchor
//     alignment         2 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor    none
//     product overflow  from 2^4 on infinite
//     addition          5 fraction bits of the sum, 3 of the addend, rounded downward
//     addition floor    -1
//     addend            every distance
//     conversion        to nearest, ties to even, overflow to infinity
//     subnormals        operands kept, addend kept, result kept
//     NaN and zero      every NaN is 0x78, an exact zero sum is +0
//     latency           0 cycles; the module named _registered: 2
//
// The sum of a group, and that with the addend:
//
//     group  6 bits: sign, 3 integer, 2 fraction; bit 2 weighs 2^(anchor of the group)
//     bit      10    9..8     7..5       4..0
//     sum   | sign | carry | integer | fraction |
//     bit 5 weighs 2^anchor, bit 0 weighs 2^(anchor - 5); lower bits of a term are cut
//
// Where the constants come from:
//
//     addition.exponent_floor: [chosen] above the least exponent of c
//     addition.product_overflow: [chosen] products of 16 and above are infinite, and e2m1 has some
//     alignment.fraction_bits: [chosen] small enough that products lose bits
//
// Emitted; regenerate with: tensorsmith emit tiny-then-add --out DIR

module tiny_then_add #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused_then_add.
    localparam int Products      = 2,  // L: products summed at once
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

  tensorsmith_fused_then_add #(
      .Products(2), .Groups(1),
      // a: e2m1
      .OperandASignBits(1), .OperandAExponentBits(2), .OperandAFractionBits(1), .OperandAPaddingBits(0),
      .OperandABias(1), .OperandANonFinite(0),
      // b: e2m1
      .OperandBSignBits(1), .OperandBExponentBits(2), .OperandBFractionBits(1), .OperandBPaddingBits(0),
      .OperandBBias(1), .OperandBNonFinite(0),
      // c: e3m4
      .AddendSignBits(1), .AddendExponentBits(3), .AddendFractionBits(4), .AddendPaddingBits(0), .AddendBias(3),
      .AddendNonFinite(1),
      // d: e3m4
      .ResultExponentBits(3), .ResultFractionBits(4), .ResultPaddingBits(0), .ResultBias(3), .ResultNonFinite(1),
      // products and their sum: lower bits cut off in sign and magnitude
      .DotFractionBits(2), .ProductRounding(0), .NormaliseProducts(0), .DotExponentFloor(-1000000),
      .ProductOverflow(1),
      // its sum with c: rounded downward
      .FractionBits(5), .AddendKeptBits(3), .AlignmentRounding(4), .ExponentFloor(-1), .AddendReach(-1),
      .TotalFractionBits(-1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .NanWord(8'h78)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
