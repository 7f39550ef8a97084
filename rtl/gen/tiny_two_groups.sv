// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tiny-two-groups. Small enough for all 2^24 inputs: an even and an odd e2m1 product, each with its own anchor, then c, and a cut total.
//
//     d = convert(c + ((a[0]*b[0] + ... + a[0]*b[0]) + (a[1]*b[1] + ... + a[1]*b[1])))
//
//     products          2
//     formats           a e2m1, b e2m1, c e5m2, d e5m2
//     product           exact, in [1, 4), not normalised
//     groups            products of even and of odd index, each with its own anchor
//     alignment         1 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor    none
//     product overflow  none
//     addition          5 fraction bits of the sum, 3 of the addend, rounded downward
//     addition floor    -12
//     addend            dropped where its exponent lies more than 6 below the anchor
//     total             3 fraction bits, rounded downward
//     conversion        to nearest, ties to even, overflow to infinity
//     subnormals        operands kept, addend kept, result kept
//     NaN and zero      every NaN is 0x7e, an exact zero sum is +0
//     latency           0 cycles; the module named _registered: 2
//
// The sum of a group, and that with the addend:
//
//     group  4 bits: sign, 2 integer, 1 fraction; bit 1 weighs 2^(anchor of the group)
//     bit      10    9..8     7..5       4..0
//     sum   | sign | carry | integer | fraction |
//     bit 5 weighs 2^anchor, bit 0 weighs 2^(anchor - 5); lower bits of a term are cut
//
// Where the constants come from:
//
//     addition.addend_reach: [chosen] short enough that c is dropped often
//     addition.exponent_floor: [chosen] above the least exponent of c
//     addition.total_fraction_bits: [chosen] short enough that totals lose bits often, and a bit more than d has, so
//       that what is cut tells ties
//     alignment.fraction_bits: [chosen] small enough that a product alone loses bits
//
// Emitted; regenerate with: tensorsmith emit tiny-two-groups --out DIR

module tiny_two_groups #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused_then_add.
    localparam int Products      = 2,  // L: products summed at once
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

  tensorsmith_fused_then_add #(
      .Products(2), .Groups(2),
      // a: e2m1
      .OperandASignBits(1), .OperandAExponentBits(2), .OperandAFractionBits(1), .OperandAPaddingBits(0),
      .OperandABias(1), .OperandANonFinite(0),
      // b: e2m1
      .OperandBSignBits(1), .OperandBExponentBits(2), .OperandBFractionBits(1), .OperandBPaddingBits(0),
      .OperandBBias(1), .OperandBNonFinite(0),
      // c: e5m2
      .AddendSignBits(1), .AddendExponentBits(5), .AddendFractionBits(2), .AddendPaddingBits(0), .AddendBias(15),
      .AddendNonFinite(1),
      // d: e5m2
      .ResultExponentBits(5), .ResultFractionBits(2), .ResultPaddingBits(0), .ResultBias(15), .ResultNonFinite(1),
      // products and their sum: lower bits cut off in sign and magnitude
      .DotFractionBits(1), .ProductRounding(0), .NormaliseProducts(0), .DotExponentFloor(-1000000),
      .ProductOverflow(0),
      // its sum with c: rounded downward
      .FractionBits(5), .AddendKeptBits(3), .AlignmentRounding(4), .ExponentFloor(-12), .AddendReach(6),
      .TotalFractionBits(3),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .NanWord(8'h7e)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
