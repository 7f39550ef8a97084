// Unit hickmann-reading-fp16-fp32. V100 as Hickmann and Bradford read it: 8 fp16 products, cut and summed, then c, rounded to nearest, fp32 result.
//
//     d = convert(c + (a[0]*b[0] + ... + a[7]*b[7]))
//
//     products          8
//     formats           a binary16, b binary16, c binary32, d binary32
//     product           exact, in [1, 4), not normalised
//     groups            all products share one anchor
//     alignment         23 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor    none
//     product overflow  none
//     addition          60 fraction bits of the sum, 60 of the addend, lower bits cut off in sign and magnitude
//     addition floor    none
//     addend            every distance
//     conversion        to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals        operands kept, addend flushed, result flushed
//     NaN and zero      every NaN is 0x7fffffff, an exact zero sum is +0
//     latency           0 cycles; the module named _registered: 2
//
// The sum of a group, and that with the addend:
//
//     group  29 bits: sign, 5 integer, 23 fraction; bit 23 weighs 2^(anchor of the group)
//     bit      66     65     64..60     59..0
//     sum   | sign | carry | integer | fraction |
//     bit 60 weighs 2^anchor, bit 0 weighs 2^(anchor - 60); lower bits of a term are cut
//
// Where the constants come from:
//
//     addition.addend_fraction_bits: [chosen] as many as of the sum
//     addition.groups: [stated] Hickmann and Bradford, ARITH 2019, slide Results - Top-level Architecture: nothing is
//       rounded within T0 + T1
//     addition.rounding: [chosen] what lies below those bits is dropped
//     addition.sum_fraction_bits: [chosen] so many that the one rounding of the sum of both is that of the exact
//       sum where their exponents are 60 or less apart. Hickmann and Bradford, slide Best Estimate of Tensor Core
//       Microarchitecture, have a sum beyond 2 cut to 24 bits before, which no unit here does: 1 + 1 + 2^-22 + 2^-23
//       is rounded to nearest instead; their vectors do not tell
//     alignment.exponent_floor: [chosen] none, as on Volta
//     alignment.fraction_bits: [stated] Hickmann and Bradford, ARITH 2019, slide Results - Internal Architecture: a
//       small term remains from 2^7 on beside 2^30
//     alignment.normalise_products: [chosen] as they are, as on Volta
//     alignment.rounding: [stated] Hickmann and Bradford, ARITH 2019, slide Best Estimate of Tensor Core
//       Microarchitecture: truncated
//     conversion.nan: [chosen] as on Volta
//     conversion.rounding: [conflict] Hickmann and Bradford, ARITH 2019, slide Results - Top-level Architecture: C
//       added using RNE. Fasi et al. 2021, section 3.1.3, and public recordings of V100 have truncation
//     products: [stated] Hickmann and Bradford, ARITH 2019, slide Results - Top-level Architecture: (C + (T0 + T1)) +
//       (T2 + T3) of elements of four products; nothing is rounded within T0 + T1
//     scheme: [conflict] Hickmann and Bradford, ARITH 2019, slide Results - Top-level Architecture: C is added to the
//       result of the products. Fasi et al. 2021, section 3.1.2, and public recordings of V100 (Khattak and Mikaitis)
//       have C among the products
//     subnormals: [conflict] Hickmann and Bradford, ARITH 2019, slide Results - Internal Architecture: not supported.
//       Fasi et al. 2021, section 3.1.1: they are on V100. Operands of fp16 are kept
//
// Emitted; regenerate with: tensorsmith emit hickmann-reading-fp16-fp32 --out DIR

module hickmann_reading_fp16_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused_then_add.
    localparam int Products      =  8,  // L: products summed at once
    localparam int OperandAWidth = 16,  // encoded a, binary16
    localparam int OperandBWidth = 16,  // encoded b, binary16
    localparam int AddendWidth   = 32,  // encoded c, binary32
    localparam int ResultWidth   = 32   // encoded d, binary32
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  tensorsmith_fused_then_add #(
      .Products(8), .Groups(1),
      // a: binary16
      .OperandASignBits(1), .OperandAExponentBits(5), .OperandAFractionBits(10), .OperandAPaddingBits(0),
      .OperandABias(15), .OperandANonFinite(1),
      // b: binary16
      .OperandBSignBits(1), .OperandBExponentBits(5), .OperandBFractionBits(10), .OperandBPaddingBits(0),
      .OperandBBias(15), .OperandBNonFinite(1),
      // c: binary32
      .AddendSignBits(1), .AddendExponentBits(8), .AddendFractionBits(23), .AddendPaddingBits(0), .AddendBias(127),
      .AddendNonFinite(1),
      // d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // products and their sum: lower bits cut off in sign and magnitude
      .DotFractionBits(23), .ProductRounding(0), .NormaliseProducts(0), .DotExponentFloor(-1000000),
      .ProductOverflow(0),
      // its sum with c: lower bits cut off in sign and magnitude
      .FractionBits(60), .AddendKeptBits(60), .AlignmentRounding(0), .ExponentFloor(-1000000), .AddendReach(-1),
      .TotalFractionBits(-1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(0), .FlushOperands(0), .FlushAddend(1), .FlushResult(1), .ZeroNegative(0),
      .RoundedZero(0), .NanWord(32'h7fffffff)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
