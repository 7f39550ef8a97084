// Unit addition-fp16. Correctly rounded addition of fp16 numbers: a * 1 + c, a sticky bit 14 places below the larger one, rounded to nearest.
//
//     d = convert(c + a[0]*b[0] + ... + a[0]*b[0])
//
//     products        1
//     formats         a binary16, b e2m1, c binary16, d binary16
//     product         exact, in [1, 4), not normalised
//     alignment       14 fraction bits, rounded to odd
//     exponent floor  none
//     carry bits      1, as many as any sum can need
//     conversion      to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fff, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      17     16     15..14     13..0
//     sum   | sign | carry | integer | fraction |
//     bit 14 weighs 2^anchor, bit 0 weighs 2^(anchor - 14); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     alignment.fraction_bits: [chosen] more than the precision plus two: with rounding to odd the sum rounds as the
//       exact one (Boldo and Melquiond, 2008)
//     conversion.exact_zero: [chosen] plus zero, also for two minus zeros, where IEEE 754 has minus zero; no recording
//       tests it
//
// Emitted; regenerate with: tensorsmith emit addition-fp16 --out DIR

module addition_fp16 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused.
    localparam int Products      =  1,  // L: products summed at once
    localparam int OperandAWidth = 16,  // encoded a, binary16
    localparam int OperandBWidth =  4,  // encoded b, e2m1
    localparam int AddendWidth   = 16,  // encoded c, binary16
    localparam int ResultWidth   = 16   // encoded d, binary16
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  logic [1:0] unused_flags;  // always 0

  tensorsmith_fused #(
      .Products(1),
      // a: binary16
      .OperandASignBits(1), .OperandAExponentBits(5), .OperandAFractionBits(10), .OperandAPaddingBits(0),
      .OperandABias(15), .OperandANonFinite(1),
      // b: e2m1
      .OperandBSignBits(1), .OperandBExponentBits(2), .OperandBFractionBits(1), .OperandBPaddingBits(0),
      .OperandBBias(1), .OperandBNonFinite(0),
      // c: binary16
      .AddendSignBits(1), .AddendExponentBits(5), .AddendFractionBits(10), .AddendPaddingBits(0), .AddendBias(15),
      .AddendNonFinite(1),
      // d: binary16
      .ResultExponentBits(5), .ResultFractionBits(10), .ResultPaddingBits(0), .ResultBias(15), .ResultNonFinite(1),
      // alignment and sum: rounded to odd
      .FractionBits(14), .AlignmentRounding(3), .NormaliseProducts(0), .ExponentFloor(-1000000), .CarryBits(-1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(0), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .HasFlags(0), .NanWord(16'h7fff)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o), .flags_o(unused_flags)
  );

endmodule
